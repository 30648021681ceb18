"""The options of a run, read once: texts have become numbers, names what they stand for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np

from linkwork.analysis.integrators import get_method
from linkwork.analysis.integrators.method import Choosing, Implicit, Method
from linkwork.analysis.options import CONSTRAINTS, INTERVAL, RATE, SECONDS, TOLERANCE, truth
from linkwork.analysis.outputs import read_times
from linkwork.coordinates import definite
from linkwork.errors import DescriptionError, message
from linkwork.records import dataclass
from linkwork.result.state import State
from linkwork.units import whole

MOST_STEPS = 10**12


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What `simulate` and `prepare` are told about a run, in SI.

    An option more is a field here, what reads it below, and a line in the calls of both.  There are no defaults: those
    are said where users see them.
    """

    times: float | np.ndarray
    every: float | Literal["step"] | None
    start: Mapping[str, Any] | State | None
    near: Mapping[str, Any] | None
    t: float | None
    coordinates: str
    method: Method | Implicit | Choosing
    rtol: float
    atol: float | None
    step: float | None
    constraints: str
    alpha: float | None
    beta: float | None
    correct: bool
    most_steps: int | None
    most_seconds: float | None
    until: Any
    events: bool

    @classmethod
    def read(cls, **given: Any) -> RunOptions:
        """Options from what users give: texts with units, names of methods."""
        found = {**given, **{name: read(given[name], name) for name, read in READERS.items()}}
        return cls(**found | {"beta": _other_constant(found["constraints"], found["alpha"], found["beta"])})

    def manifest(self) -> dict[str, Any]:
        """What a result keeps of them."""
        found = {
            "analysis": "simulate",
            "method": self.method.name,
            "rtol": self.rtol,
            "atol": self.atol,
            "step": self.step,
            "constraints": self.constraints,
        }
        if self.alpha is not None:
            found |= {"alpha": self.alpha, "beta": self.beta}
        return found if self.correct else {**found, "correct": False}


def _number(kind: Any) -> Callable[[Any, str], float | None]:
    return lambda value, name: None if value is None else kind.read(value, "simulate", name)


def _count(value: Any, name: str) -> int | None:
    return None if value is None else whole(value, "simulate", name, 1)


def _every(value: Any, name: str) -> float | str | None:
    return "step" if isinstance(value, str) and value == "step" else _number(INTERVAL)(value, name)


def _way(value: Any, name: str) -> str:
    if not isinstance(value, str) or value not in CONSTRAINTS:
        known = ", ".join(map(repr, CONSTRAINTS))
        raise DescriptionError(message("simulate", "got constraints= that are unknown", repr(value), f"one of {known}"))
    return value


def _other_constant(constraints: str, alpha: float | None, beta: float | None) -> float | None:
    """Baumgarte's second constant: given, or as the first; without both they follow the steps."""
    if constraints != "baumgarte" and (alpha is not None or beta is not None):
        raise DescriptionError(
            message(
                "simulate",
                f"got {'alpha' if alpha is not None else 'beta'}=, which constraints={constraints!r} have no use for",
                remedy="give constraints='baumgarte' too, or leave it out",
            )
        )
    if alpha is None and beta is not None:
        raise DescriptionError(
            message("simulate", "got beta= without alpha=, and errors would swing for ever", remedy="give alpha= too")
        )
    return alpha if beta is None else beta


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
    "every": _every,
    "step": _number(INTERVAL),
    "most_steps": _count,
    "most_seconds": _number(SECONDS),
    "constraints": _way,
    "alpha": _number(RATE),
    "beta": _number(RATE),
    "correct": truth,
    "events": truth,
}


def step_count(duration: float, step: float | None, method: Method | Implicit) -> int:
    """How many steps of one size, of at most `step`, a duration takes."""
    if step is None:
        raise DescriptionError(
            message(
                f"Method '{method.name}'",
                "takes steps of one size and was given none",
                remedy="give step=, for example step=1e-3",
            )
        )
    if step * MOST_STEPS < duration:
        raise DescriptionError(
            message(
                "simulate",
                "got a step that is too small for this duration",
                f"{step:g} s in {duration:g} s",
                f"at most {MOST_STEPS:.0e} steps",
            )
        )
    return max(1, math.ceil(duration / step * (1.0 - 1e-12))) if duration > 0.0 else 0
