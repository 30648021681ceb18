"""Searches of scipy over numbers from 0 to 1, as `optimize` and `fit` both ask for them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

ITERATIONS = 200
GENERATIONS = 300
VALLEY = 1e-4  # of the first value: evolution that has come together so far leaves the rest to slopes
SQUARES_ENDS = {
    0: f"it took {ITERATIONS} iterations",
    1: "the slope vanishes",
    2: "the value changes by less than the tolerance",
    3: "the numbers change by less than the tolerance",
    4: "value and numbers change by less than the tolerance",
}

Rows = Callable[[np.ndarray], np.ndarray]


def least_squares(residuals: Rows, slopes: Rows, begin: np.ndarray, tolerance: float, flat: float) -> tuple[bool, str]:
    """Follow slopes to the least sum of squares, by trust regions: whether it converged, and why it ended.

    A slope below `flat` counts as none.  scipy steps back from residuals that are not finite.
    """
    from scipy.optimize import least_squares as search

    done = search(  # of 1 + x: its first step is as long as its first place, which may be 0
        lambda u: residuals(u - 1.0),
        1.0 + np.clip(begin, 0.0, 1.0),
        jac=lambda u: slopes(u - 1.0),
        bounds=(1.0, 2.0),
        ftol=tolerance,
        xtol=tolerance,
        gtol=flat,
        max_nfev=ITERATIONS,
    )
    return done.status > 0, SQUARES_ENDS.get(done.status, str(done.message))


def evolved(energies: Callable, begin: np.ndarray, atol: float, seed: int) -> tuple[np.ndarray, bool]:
    """The best that differential evolution finds, and whether it came together."""
    from scipy.optimize import differential_evolution

    done = differential_evolution(
        energies,
        [(0.0, 1.0)] * len(begin),
        x0=begin,
        vectorized=True,
        updating="deferred",
        polish=False,
        maxiter=GENERATIONS,
        tol=1e-2,
        atol=atol,
        seed=seed,
    )
    return done.x, bool(done.success)
