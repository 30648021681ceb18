"""Questions: one a file, one shape of signature, each giving a report or a result."""

from __future__ import annotations

from typing import Any

from linkwork.arguments import explained
from linkwork.whole import load

load("numba")  # every question needs it


@explained
def compile_mechanism(mechanism: Any, coordinates: str = "auto") -> Any:
    """Words to numbers: the immutable model of a mechanism, for repeated runs."""
    from linkwork.analysis.common import as_model
    from linkwork.coordinates import definite

    model = as_model(mechanism)
    if coordinates != "auto":
        model.plan(definite(coordinates)).layout.made_ready()
    return model
