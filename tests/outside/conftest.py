"""The package `shopfloor` as if it were installed."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

from linkwork.analysis import integrators
from linkwork.mechanism.forces import Force
from linkwork.mechanism.measures import Measure
from linkwork.result import quantities

PARTS = ("bogacki", "maxwell", "parabola", "quantities", "twist")


@pytest.fixture(scope="module", autouse=True)
def package():
    """The package with all its files; what it registers goes with it."""
    quantities.load()
    before = list(quantities.REGISTRY), set(quantities._FIXED)
    registries = [(one, dict(one)) for one in (Force.kinds, Measure.kinds, integrators.METHODS)]
    sys.path.insert(0, str(Path(__file__).parent))
    try:
        found = import_module("shopfloor")
        for part in PARTS:
            import_module(f"shopfloor.{part}")
        yield found
    finally:
        sys.path.pop(0)
        for name in [name for name in sys.modules if name.partition(".")[0] == "shopfloor"]:
            sys.modules.pop(name)
        for one, kept in registries:
            one.clear()
            one.update(kept)
        quantities.REGISTRY[:], quantities._FIXED = before
