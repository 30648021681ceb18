"""Plans: how a model is written for each set of coordinates, one file a set.

A set says what its coordinates are, which rows it absorbs and how the equations of the others are factored; what all
sets share is in `tables`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec

from linkwork.compiled.plan import Plan
from linkwork.compiled.plans.tables import Tables

MOST_STRUCTURES = 64


def layout_of(model, coordinates: str, free: frozenset[int]):
    """What a set says of itself, for a model."""
    return import_module(f"linkwork.compiled.plans.{coordinates}").Layout.of(model, free)


@cache  # every result asks
def takes_bases(coordinates: str) -> bool:
    """Whether users may choose what bodies are told by in a set; not where no set is named."""
    name = f"{__name__}.{coordinates}"
    return coordinates.isidentifier() and find_spec(name) is not None and import_module(name).Layout.takes_bases


def write(model, coordinates: str, rows=(), free: frozenset[int] = frozenset()) -> Plan:
    """The plan of a set, with further rows to hold, and without those that are free."""
    layout = layout_of(model, coordinates, free)
    tables = Tables(model, layout, rows)
    key = (coordinates, tables.structure())
    known = model.structures
    if key not in known:
        if len(known) >= MOST_STRUCTURES:
            known.pop(next(iter(known)))
        known[key] = *tables.complete(), {}
    tab, workspace, shared = known[key]
    numbers = tables.writer.p
    return Plan(model, layout, tab, numbers, workspace, tables.rows, tables.kept, tables.measures, shared)
