"""The options of a run, read once: texts have become numbers, names what they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.analysis.integrators import Method, get_method
from linkwork.analysis.options import INTERVAL, SECONDS, TOLERANCE, truth
from linkwork.analysis.outputs import read_times
from linkwork.coordinates import definite
from linkwork.result.state import State
from linkwork.units import whole


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What `simulate` and `prepare` are told about a run, in SI.

    An option more is a field here, what reads it below, and a line in the calls of both.  There are no defaults: those
    are said where users see them.
    """

    times: float | np.ndarray
    every: float | None
    start: Mapping[str, Any] | State | None
    near: Mapping[str, Any] | None
    t: float | None
    coordinates: str
    method: Method
    rtol: float
    atol: float | None
    step: float | None
    projection: bool
    correct: bool
    most_steps: int | None
    most_seconds: float | None

    @classmethod
    def read(cls, **given: Any) -> RunOptions:
        """Options from what users give: texts with units, names of methods."""
        return cls(**given | {name: read(given[name], name) for name, read in READERS.items()})

    def manifest(self) -> dict[str, Any]:
        """What a result keeps of them."""
        found = {
            "analysis": "simulate",
            "method": self.method.name,
            "rtol": self.rtol,
            "atol": self.atol,
            "step": self.step,
            "projection": self.projection,
        }
        return found if self.correct else {**found, "correct": False}


def _number(kind: Any) -> Callable[[Any, str], float | None]:
    return lambda value, name: None if value is None else kind.read(value, "simulate", name)


def _count(value: Any, name: str) -> int | None:
    return None if value is None else whole(value, "simulate", name, 1)


def _set(value: str, name: str) -> str:
    definite(value)  # refuses what is none; "auto" is settled when the state is known
    return value


#: how each is read, in this order; `start`, `near` and `t` are read where states are (`assemble`, `doors`)
READERS: dict[str, Callable[[Any, str], Any]] = {
    "method": lambda value, name: get_method(value),
    "times": lambda value, name: read_times(value),
    "coordinates": _set,
    "rtol": lambda value, name: TOLERANCE.read(value, "simulate", name),
    "atol": _number(TOLERANCE),
    "every": _number(INTERVAL),
    "step": _number(INTERVAL),
    "most_steps": _count,
    "most_seconds": _number(SECONDS),
    "projection": truth,
    "correct": truth,
}
