"""Where bodies are, read from a result by name."""

from __future__ import annotations

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.result.result import Result
from linkwork.result.state import State
from linkwork.view.scene import Poses


def result_of(source) -> Result:
    """The result behind a result, a state, an assembly or an evaluation."""
    state = source if isinstance(source, State) else getattr(source, "state", None)
    if isinstance(source, Result):
        return source
    if isinstance(state, State):
        return Result.of_state(state)
    raise DescriptionError(
        message(
            "draw",
            "needs positions to draw",
            type(source).__name__,
            "a mechanism, a result, an assembly, an evaluation or a state",
        )
    )


def poses_of(result: Result, rows=None) -> Poses:
    """Poses of all bodies at the times of a result, or at some of them."""
    mechanism = result.mechanism
    rows = np.arange(len(result.t)) if rows is None else np.asarray(rows, dtype=int)
    places = np.zeros((len(rows), len(mechanism.bodies), mechanism.dimension))
    turns = np.zeros((len(rows), len(mechanism.bodies), 4))
    turns[..., 0] = 1.0
    for k, (name, body) in enumerate(mechanism.bodies.items()):
        for axis in range(mechanism.dimension):
            places[:, k, axis] = result[f"{name}.{'xyz'[axis]}"][rows]
        if body.has_angle:
            turns[:, k] = result.orientation(name).quaternion[rows]
    return Poses(result.t[rows], tuple(mechanism.bodies), places, turns)


def nearest(stored, times) -> np.ndarray:
    """For each of some times the place of the stored time that is nearest."""
    after = np.clip(np.searchsorted(stored, times), 1, max(1, len(stored) - 1))
    if len(stored) < 2:
        return np.zeros(len(times), dtype=int)
    return np.where(times - stored[after - 1] <= stored[after] - times, after - 1, after)
