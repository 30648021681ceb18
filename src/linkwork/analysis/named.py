"""Positions by name: which could be coordinates, and how they change with the speeds of the bodies.

In space, where no joint reads a turn, Cardan angles are names too.  The measure of the middle one is its sine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.analysis.rank import gradients, named_measures
from linkwork.compiled.names import cardan, measure_of
from linkwork.errors import DescriptionError, message
from linkwork.result.state import State

MIDDLE = ".cardan.y"
REGULAR = 0.1  # cosine of the middle one of three angles: below, they are not taken as coordinates


def position_named(mechanism: Any, name: str, item: str, wanted: str = "a position, such as 'A.angle'") -> Any:
    """The measure that a name means; refused where it is a rate, or has no value but its rate."""
    measure, order = measure_of(mechanism, name)
    if order or measure.rate_only:
        raise DescriptionError(message(f"{item} '{name}'", "is a rate", wanted=wanted))
    return measure


def candidates(state: State) -> list[str]:
    """Names that coordinates may be chosen of: in space also Cardan angles, where they are regular."""
    model = state.model
    names = list(named_measures(model, state.system().columns))
    for body in model.mechanism.bodies:
        angles = [f"{body}.{key}" for key in cardan(model.mechanism, body)]
        if angles and cosine(state, f"{body}{MIDDLE}") > REGULAR:
            names += angles
    return names


def cosine(state: State, name: str) -> float:
    """Cosine of the middle one of three angles."""
    sine = float(state._result._series.measure(measure_of(state.model.mechanism, name)[0])[0])
    return float(np.sqrt(max(0.0, 1.0 - sine * sine)))


def named_gradients(state: State, names: Sequence[str]) -> np.ndarray:
    """(names, velocity coordinates of the bodies): how named positions change."""
    model = state.model
    out = gradients(model, state.y, [measure_of(model.mechanism, name)[0] for name in names])
    for k, name in enumerate(names):
        if name.endswith(MIDDLE):
            out[k] /= cosine(state, name)
    return out


def usual_sizes(state: State, names: Sequence[str], size: float) -> np.ndarray:
    """What counts as much of each: the size of the whole, or a radian."""
    measures = (measure_of(state.model.mechanism, name)[0] for name in names)
    return np.array([size if one.quantity == "length" else 1.0 for one in measures])
