"""Stops that are hit between two outputs: what they bear there is in no series.

In a gap of length h between outputs, speeds r and accelerations a of what a stop limits belong together as
r1 - r0 = h (a0 + a1)/2, up to how a changes.  Where speeds change by more than the larger of both could, and the stop
was within reach, it was hit and left in between.
"""

from __future__ import annotations

import numpy as np

MOST_TIMES = 100_000  # outputs; of more, it is not looked for
ROUNDING = 1e-6  # of the largest speed


def unseen_blows(result) -> dict[str, list[tuple[float, float]]]:
    """Stops by name, and the times between which each was hit and left."""
    stops = {name: one for name, one in result.mechanism.forces.items() if one.active and one.stops() is not None}
    parts = [one for one in result.segments if one.source == "dynamics" and len(one.t) > 1]
    if not stops or sum(len(one.t) for one in parts) > MOST_TIMES:
        return {}
    found: dict[str, list[tuple[float, float]]] = {}
    for name, stop in stops.items():
        for part in parts:
            value, rate, second = (part.series.measure(stop.stops(), order) for order in range(3))
            for k in np.flatnonzero(_hit(stop, part.t, value, rate, second)):
                found.setdefault(name, []).append((float(part.t[k]), float(part.t[k + 1])))
    return found


def _hit(stop, t, value, rate, second) -> np.ndarray:
    """For each gap, whether the stop was hit in it and is not seen at its ends."""
    h = np.diff(t)
    change = np.abs(np.diff(rate) - 0.5 * h * (second[:-1] + second[1:]))
    usual = h * np.maximum(np.abs(second[:-1]), np.abs(second[1:]))
    ahead, behind = value[:-1] + rate[:-1] * h, value[1:] - rate[1:] * h
    reached = np.zeros(len(h), dtype=bool)
    if stop.lower is not None:
        reached |= np.minimum(ahead, behind) < stop.lower
    if stop.upper is not None:
        reached |= np.maximum(ahead, behind) > stop.upper
    return reached & (change > usual + ROUNDING * np.abs(rate).max())


def peaks(unit: str) -> bool:
    """Whether a quantity with this unit may be large for a moment in a blow: forces, moments, accelerations, power."""
    return "N" in unit.split() or unit == "W" or unit.endswith("s^2")


def words(result) -> list[str]:
    """A sentence for each stop whose blows are not seen."""
    return [
        f"stop '{name}' is hit between outputs, first from t = {gaps[0][0]:.6g} to {gaps[0][1]:.6g} s: forces "
        'there are larger than any series shows; every="step" has them'
        for name, gaps in unseen_blows(result).items()
    ]
