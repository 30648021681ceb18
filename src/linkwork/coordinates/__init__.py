"""Coordinate sets: each turns its own (q, v) into the motion of the bodies.  The same functions in every set."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from linkwork.errors import DescriptionError, message

if TYPE_CHECKING:
    import numpy as np

#: all sets
SETS = ("body", "joint", "point")
#: sets by dimension
SETS_OF = {2: SETS, 3: SETS}
#: the set whose states every other one is turned into and back: it holds any state, its rows are all rows
BASE = "body"
#: the set that goes along joints: whatever its numbers are, only loops are open
ALONG_JOINTS = "joint"
#: what users may say: one of the sets, or the one that is fastest for the mechanism
CHOICES = ("auto", *SETS)


@cache
def _room(coordinates: str):
    return import_module(f"linkwork.coordinates.{coordinates}")


def definite(coordinates: str, otherwise: str = BASE) -> str:
    """A set by its name; where the choice is left open and makes no difference, `otherwise`."""
    if not isinstance(coordinates, str) or coordinates not in CHOICES:
        raise DescriptionError(
            message("coordinates", "are unknown", repr(coordinates), "one of " + ", ".join(repr(s) for s in CHOICES))
        )
    return otherwise if coordinates == "auto" else coordinates


def system_of(model, coordinates: str, values=None, held=None, memory=None, free=frozenset()):
    """A model made ready to run in the named coordinates, without the rows that are free."""
    return system_on(model.plan(definite(coordinates), free=free), values, held, memory)


def system_on(plan, values=None, held=None, memory=None):
    """A plan made ready to run."""
    return _room(plan.coordinates).System(plan, values, held, memory)


def motion(plan: Any, *arguments: Any, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of the bodies and multipliers of all rows at stored states, by the plan that they were found in."""
    return _room(plan.coordinates).motion(plan, *arguments, **options)
