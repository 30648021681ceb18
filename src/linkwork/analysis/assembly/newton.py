"""Damped Newton on the rows of position, in a metric of lengths: an angle counts as an angle times a length.

Steps are the smallest ones that meet the linearised rows, solved with the sparse factor of the kernels.
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.common import raise_status
from linkwork.kernels import layout as at

TOLERANCE = 1e-11  # what counts as met: as in the kernel
ROUNDING = 4.0 * np.finfo(float).eps  # of a coordinate, twice in a row
HEAVY = 1e12  # times its metric: what is held
SHORT_ROD = 0.3  # against a length of the mechanism: rods that are shortened in steps


def use_metric(system, metric, held=None) -> None:
    """Lengths (bodies, dof) instead of masses; coordinates that are held do not move."""
    model = system.model
    if held is None or not held.any():
        inverse, masses = 1.0 / metric, metric
    else:
        inverse, masses = np.where(held, 0.0, 1.0 / metric), np.where(held, HEAVY, 1.0) * metric
    inverse[~model.turning, model.dimension :] = 0.0
    system.set_metric(masses, inverse, np.sqrt(inverse), metric)


def locate(system, t, y) -> None:
    """Locate a position; rows whose full turns are free take the nearest."""
    system.locate(t, y)
    turns = [(slot, np.round(system.phi[r] / (2.0 * np.pi * weight))) for r, slot, weight in system.loose]
    if any(np.isfinite(count) and count for _, count in turns):
        for slot, count in turns:
            system.memory[slot] -= 2.0 * np.pi * count
        system.locate(t, y)


def errors_at(system, t, y) -> np.ndarray:
    """Sizes of the errors of the held rows, beyond rounding, against what they are compared with.

    Infinite where something is not finite.
    """
    locate(system, t, y)
    if system.w[at.STATUS] != at.OK:
        raise_status(system, t)
    scaled = np.maximum(np.abs(system.phi) - _rounding(system, y), 0.0) / system.row_scale * system.held
    return scaled if np.all(np.isfinite(scaled)) else np.full(scaled.shape, np.inf)


def _rounding(system, y) -> np.ndarray:
    """What is left of rows at the position located by rounding alone: of its coordinates, |J| |q|, and of its values.

    A pin 400 km from the origin is met to 6e-11 m, and not nearer; an angle after 1e6 turns to 1e-9.
    """
    model = system.model
    size, _ = at.COORDINATES[model.dimension]
    pose = np.abs(y[: model.n_q].reshape(-1, size))
    turning = np.maximum(1.0, pose[:, 2:]) if model.dimension == 2 else np.ones((len(pose), 3))
    moved = system.row_rates(np.hstack([pose[:, : model.dimension], turning]))[1]
    rows, measures, weights = system.plan.row_terms
    values = np.bincount(rows, weights * system.view(at.W_VALUE)[measures], system.n_rows)
    return ROUNDING * (moved + np.abs(values))


def newton(system, t, y):
    """Damped Newton on the held rows; returns the position and the largest scaled error left, rounding aside.

    Rows whose full turns are free come in when the others are met: at most half a turn is left to do then.
    """
    rows = [r for r, _, _ in system.loose]
    held = system.held[rows]
    if held.any():
        system.held[rows] = 0.0
        y, _ = system.closed(t, y)
        system.held[rows] = held
    y, error = system.closed(t, y)
    if error < 0.0:
        raise_status(system, t)
    if TOLERANCE < error < np.inf:
        error = float(errors_at(system, t, y).max())
    return y, error


def shortening(system, t, y):
    """Newton with the short rods first as long as they come, then shorter and shorter.

    The direction of a rod turns fast when its length is small against what is left to close.
    """
    rows = [
        r
        for r, row in enumerate(system.plan.rows)
        if row.measure.of_line == "length"
        and row.value is not None
        and row.function < 0
        and system.held[r]
        and 0.0 < row.value < SHORT_ROD * system.model.length
    ]
    goal = system.row_values[rows].copy()
    system.locate(t, y)
    length = np.maximum(goal, goal + system.phi[rows])
    if not np.any(length > 2.0 * goal):
        return y, np.inf
    while True:
        system.row_values[rows] = length
        y, error = newton(system, t, y)
        if np.all(length == goal) or not np.all(np.isfinite(length)):
            system.row_values[rows] = goal
            return y, error
        length = np.maximum(goal, 0.5 * length)
