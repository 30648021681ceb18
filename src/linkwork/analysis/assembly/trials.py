"""Positions to try, and whether two of them are the same."""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at
from linkwork.rotation import difference, product

SHIFTED = 0.4  # at most, against a length of the mechanism
TURNED = 0.8  # radians, at most
SAME = 1e-6  # radians, or against a length of the mechanism: no other position


def spread(bodies: int, attempt: int, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Phase of every body, and numbers from -1 to 1 along its axes: spread evenly and never the same."""
    phase = 2.3 * attempt * np.arange(1, bodies + 1) + attempt
    return phase, np.sin(phase[:, None] + 2.0 * np.arange(dimension) + 1.0)


def shaken(model, y, attempt, reach=TURNED):
    """Turn every body, by at most `reach`, and shift it, by amounts that are spread evenly and never the same."""
    out = y.copy()
    d, (size, _) = model.dimension, at.COORDINATES[model.dimension]
    q = out[: model.n_q].reshape(-1, size)
    phase, ways = spread(len(q), attempt, d)
    q[:, :d] += SHIFTED * model.length * ways
    if d == 2:
        q[:, 2] += reach * np.sin(phase) * model.turning
        return out
    turn = np.ones((len(q), 4))
    turn[:, 1:] = 0.5 * reach * np.sin(phase[:, None] + np.array([0.0, 2.0, 4.0])) * model.turning[:, None]
    turn /= np.linalg.norm(turn, axis=1)[:, None]
    q[:, 3:] = product(turn, q[:, 3:])
    return out


def same_position(model, one, other, places_only: bool = False) -> bool:
    """Equal places and equal angles up to full turns."""
    d, (size, _) = model.dimension, at.COORDINATES[model.dimension]
    first, second = (position[: model.n_q].reshape(-1, size) for position in (one, other))
    off = np.abs(first - second)
    if d == 2:
        off[:, 2] = np.abs(np.remainder(off[:, 2] + np.pi, 2.0 * np.pi) - np.pi)
    else:
        off[:, 3:] = np.abs(difference(first[:, 3:], second[:, 3:]))
    off[~model.turning | (places_only and d == 3), d:] = 0.0
    return bool(off.max(initial=0.0) < SAME * max(1.0, model.length))


def way_between(model, one, other) -> float:
    """How far apart two positions are, angles counting as lengths."""
    d, (size, _) = model.dimension, at.COORDINATES[model.dimension]
    first, second = (position[: model.n_q].reshape(-1, size) for position in (one, other))
    parts = second - first
    if d == 3:
        parts[:, 3:] = 2.0 * difference(second[:, 3:], first[:, 3:])  # Euler parameters change by half of an angle
    return float(np.sqrt((parts[:, :d] ** 2).sum() + model.length * model.length * (parts[:, d:] ** 2).sum()))
