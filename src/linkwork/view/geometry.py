"""Plane geometry that drawings need: directions, hulls, rounded outlines, what covers what."""

from __future__ import annotations

import numpy as np


def unit(vector) -> np.ndarray:
    """A vector of length one in the same direction; x where there is none."""
    size = float(np.hypot(*vector))
    return np.asarray(vector) / size if size > 1e-12 else np.array([1.0, 0.0])


def across(direction) -> np.ndarray:
    """A direction turned left by a right angle."""
    return np.array([-direction[1], direction[0]])


def hull(points) -> np.ndarray:
    """Corners of the convex hull in turn; the two ends where all points are on a line."""
    points = np.asarray(points, dtype=float)
    size = max(np.ptp(points, axis=0).max(), 1e-12)
    points = np.unique(np.round(points / size, 9), axis=0) * size
    if len(points) < 3:
        return points

    def chain(ordered):
        out: list = []
        for p in ordered:
            while len(out) > 1 and _turn(out[-2], out[-1], p) <= 1e-9 * size**2:
                out.pop()
            out.append(p)
        return out[:-1]

    return np.array(chain(points) + chain(points[::-1]))


def _turn(a, b, c) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def rounded(corners, radius) -> np.ndarray:
    """Outline at a distance around a bar or a convex plate whose corners run to the left."""
    out = []
    n = len(corners)
    for k in range(n):
        before, here, after = corners[k - 1], corners[k], corners[(k + 1) % n]
        first = np.arctan2(*(-across(unit(here - before)))[::-1])
        last = np.arctan2(*(-across(unit(after - here)))[::-1])
        turn = np.linspace(first, first + (last - first) % (2.0 * np.pi), 14)
        out.append(here + radius * np.column_stack([np.cos(turn), np.sin(turn)]))
    return np.vstack(out)


def covered(body, point) -> bool:
    """True where a point lies in or on the outline of a body."""
    x, y = point[:2]
    for kind, where, *rest in body.outline:
        if kind == "circle" and np.hypot(x - where[0], y - where[1]) <= rest[0] * (1.0 + 1e-9):
            return True
        if kind == "polygon" and _inside(np.asarray(where), x, y):
            return True
    return False


def _inside(corners, x, y) -> bool:
    """True where a point is near a side of a polygon, or a ray from it crosses an odd number of sides."""
    inside, size = False, np.ptp(corners, axis=0).max()
    for a, b in zip(corners, np.roll(corners, -1, axis=0)):
        way = np.clip(np.dot((x, y) - a, b - a) / np.dot(b - a, b - a), 0.0, 1.0)
        if np.hypot(*(a + way * (b - a) - (x, y))) <= 1e-6 * size:
            return True
        if (a[1] > y) != (b[1] > y) and x < a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]):
            inside = not inside
    return inside


def round_number(near: float) -> float:
    """1, 2 or 5 times a power of ten: the nearest one below."""
    power = 10.0 ** np.floor(np.log10(near))
    return float(power * max(step for step in (1.0, 2.0, 5.0) if step * power <= near * (1.0 + 1e-9)))


def round_length(near: float) -> tuple[float, str]:
    """The round length, 1, 2 or 5 times a power of ten, that is nearest below, and its text."""
    length = round_number(near)
    if length < 0.01:
        return length, f"{1e3 * length:g} mm"
    return (length, f"{length:g} m") if length < 1000.0 else (length, f"{length / 1e3:g} km")
