"""Positions to try, and whether two of them are the same."""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at
from linkwork.rotation import product


def shaken(model, y, attempt, reach=0.8):
    """Turn every body, by at most `reach`, and shift it, by amounts that are spread evenly and never the same."""
    out = y.copy()
    size, _ = at.COORDINATES[model.dimension]
    for k, body in enumerate(model.bodies):
        phase = 2.3 * attempt * (k + 1) + attempt
        for c in range(model.dimension):
            out[size * k + c] += 0.4 * model.length * np.sin(phase + 2.0 * c + 1.0)
        if model.dimension == 2 and body.has_angle:
            out[3 * k + 2] += reach * np.sin(phase)
        elif body.has_angle:
            half = 0.5 * reach * np.sin(phase + np.array([0.0, 2.0, 4.0]))
            turn = np.concatenate([[1.0], half]) / np.sqrt(1.0 + half @ half)
            out[7 * k + 3:7 * k + 7] = product(turn, out[7 * k + 3:7 * k + 7])
    return out


def same_position(model, one, other, places_only: bool = False) -> bool:
    """Equal places and equal angles up to full turns."""
    difference = one[:model.n_q] - other[:model.n_q]
    if model.dimension == 2:
        angles = difference[2::3]
        angles -= 2.0 * np.pi * np.round(angles / (2.0 * np.pi))
        angles[[not body.has_angle for body in model.bodies]] = 0.0
    else:
        for k, body in enumerate(model.bodies):  # Euler parameters of either sign are one orientation
            turn = slice(7 * k + 3, 7 * k + 7)
            off = np.minimum(abs(difference[turn]), abs(one[turn] + other[turn])).max()
            difference[turn] = off * (body.has_angle and not places_only)
    return bool(np.abs(difference).max(initial=0.0) < 1e-6 * max(1.0, model.length))


def way_between(model, one, other) -> float:
    """How far apart two positions are, angles counting as lengths."""
    d, (size, _) = model.dimension, at.COORDINATES[model.dimension]
    parts = (other[:model.n_q] - one[:model.n_q]).reshape(-1, size)
    return float(np.sqrt((parts[:, :d] ** 2).sum() + model.length ** 2 * (parts[:, d:] ** 2).sum()))
