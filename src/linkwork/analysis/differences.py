"""Slopes by differences whose steps are chosen by what they show: every gradient is one ensemble of runs.

Runs are right to their tolerance only, so that differences of small steps are noise, and those of large steps are bent.
The first gradient takes central differences of four steps, each a tenth of the one before; two that follow each other
agree best where both faults are small.  Later gradients take these two, and all four again where they no longer agree.
How far the two are apart is the error that is told.

Where a maximum changes its place in time, the slope jumps.  The two halves of a difference, forward and back, tell it:
how far they differ falls with the step where a curve is smooth, and does not at such a kink.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

STEPS = (1e-2, 1e-3, 1e-4, 1e-5)  # of the way between the bounds
SMOOTH = 0.3  # of the jump of the step before, ten times as large: a smooth curve leaves a tenth
DOUBTFUL = 0.02  # of the slope itself: two steps that differ by more are looked at again


class Slopes:
    """Derivatives of `width` numbers by every one of `count` coordinates between 0 and 1."""

    def __init__(self, run: Callable[[list[np.ndarray]], np.ndarray], count: int, width: int) -> None:
        self.run, self.count, self.width = run, count, width
        self.pairs: list[int] | None = None  # where the pair of steps begins, of every coordinate
        self.error = np.zeros((width, count))
        self.jump = np.zeros((width, count))  # of the slope, which a smaller step does not make less

    def at(self, x: np.ndarray) -> np.ndarray:
        """The derivatives at x, (width, count); nan where no neighbour could be run.  `error` is how far off."""
        if self.pairs is not None:
            found = self._tried(x, [(pair, pair + 1) for pair in self.pairs])
            if not self._doubtful(found):
                return self._taken(found, [0] * self.count)
        found = self._tried(x, [tuple(range(len(STEPS)))] * self.count)
        apart = [[_apart(one[k], one[k + 1]) for k in range(len(STEPS) - 1)] for one in found]
        self.pairs = [int(np.argmin(one)) for one in apart]
        return self._taken(found, self.pairs)

    @property
    def steps(self) -> np.ndarray:
        """The step whose slopes are taken, of every coordinate."""
        return np.array([STEPS[pair + 1] for pair in self.pairs or [0] * self.count])

    def _doubtful(self, found: list[list[np.ndarray]]) -> bool:
        size = max((float(np.nanmax(np.abs(one[1][0]), initial=0.0)) for one in found), default=0.0)
        return any(not _apart(one[0], one[1]) <= DOUBTFUL * size for one in found)

    def _taken(self, found: list[list[np.ndarray]], pairs: list[int]) -> np.ndarray:
        """Of each pair the slopes by the finer step; their error is how far those by the coarser one are off."""
        slopes = np.empty((self.width, self.count))
        for k, (one, pair) in enumerate(zip(found, pairs)):
            (coarse, wide), (fine, narrow) = one[pair], one[pair + 1]
            slopes[:, k] = fine
            self.error[:, k] = np.abs(coarse - fine)
            self.jump[:, k] = np.nan_to_num(np.maximum(0.0, narrow - SMOOTH * wide))
        return slopes

    def _tried(self, x: np.ndarray, levels: list[tuple[int, ...]]) -> list[list[np.ndarray]]:
        """Differences of these steps, of every coordinate; all of their designs are one ensemble."""
        designs, plan = [x], []
        for k, steps in enumerate(levels):
            for level in steps:
                h = STEPS[level]
                ways = (1.0, 2.0) if x[k] < h else (-1.0, -2.0) if x[k] > 1.0 - h else (1.0, -1.0)
                places = []
                for way in ways:
                    other = x.copy()
                    other[k] += way * h
                    places.append((way * h, len(designs)))
                    designs.append(other)
                plan.append((k, places))
        values = self.run(designs)
        found: list[list[np.ndarray]] = [[] for _ in levels]
        for k, ((a, i), (b, j)) in plan:
            found[k].append(_slope_and_jump(values[0], a, values[i], b, values[j]))
        return found


def _slope_and_jump(here: np.ndarray, a: float, at_a: np.ndarray, b: float, at_b: np.ndarray) -> np.ndarray:
    """The slope at 0 of the parabola through three values; of the line through two, where one could not be run.

    Behind it is how far the slopes of the two lines differ.
    """
    first, second = (at_a - here) / a, (at_b - here) / b
    both = (b * first - a * second) / (b - a)
    slope = np.where(np.isfinite(both), both, np.where(np.isfinite(first), first, second))
    return np.array([slope, np.abs(first - second)])


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    """How far two rows of slopes differ; without an end where one could not be told."""
    apart = float(np.max(np.abs(one[0] - other[0]), initial=0.0))
    return apart if np.isfinite(apart) else np.inf
