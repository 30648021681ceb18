"""Numerical helpers of the functions of time: the spline through a table, derivatives by differences."""

from collections.abc import Callable

import numpy as np


def spline_curvatures(h: np.ndarray, slope: np.ndarray, ends: str) -> np.ndarray:
    """Second derivatives m at the knots of a cubic spline.

    Inside, continuity of the slope gives
        h[k-1] m[k-1] + 2 (h[k-1] + h[k]) m[k] + h[k] m[k+1] = 6 (slope[k] - slope[k-1]).
    The system is tridiagonal and diagonally dominant: elimination without pivoting (Thomas).
    """
    n = len(h) + 1
    lower, diagonal, upper, right = np.zeros(n), np.ones(n), np.zeros(n), np.zeros(n)
    lower[1:-1], upper[1:-1] = h[:-1], h[1:]
    diagonal[1:-1] = 2.0 * (h[:-1] + h[1:])
    right[1:-1] = 6.0 * np.diff(slope)
    if ends == "clamped":
        diagonal[0], upper[0], right[0] = 2.0 * h[0], h[0], 6.0 * slope[0]
        diagonal[-1], lower[-1], right[-1] = 2.0 * h[-1], h[-1], -6.0 * slope[-1]
    for k in range(1, n):
        factor = lower[k] / diagonal[k - 1]
        diagonal[k] -= factor * upper[k - 1]
        right[k] -= factor * right[k - 1]
    m = np.empty(n)
    m[-1] = right[-1] / diagonal[-1]
    for k in range(n - 2, -1, -1):
        m[k] = (right[k] - upper[k] * m[k + 1]) / diagonal[k]
    return m


def _extrapolated(coarse: float, middle: float, fine: float) -> float:
    """Richardson's limit of central differences at steps h, h/2, h/4: errors in h^2 and h^4 are removed."""
    first = (4.0 * middle - coarse) / 3.0
    second = (4.0 * fine - middle) / 3.0
    return (16.0 * second - first) / 15.0


def first_difference(f: Callable[[float], float], t: float, step: float) -> float:
    """First derivative of f at t by central differences, extrapolated."""
    estimates = []
    for h in (step, step / 2.0, step / 4.0):
        before, after = t - h, t + h
        estimates.append((float(f(after)) - float(f(before))) / (after - before))
    return _extrapolated(*estimates)


def second_difference(f: Callable[[float], float], value: float, t: float, step: float) -> float:
    """Second derivative of f at t, where its value is known, by central differences, extrapolated."""
    estimates = []
    for h in (step, step / 2.0, step / 4.0):
        estimates.append((float(f(t + h)) - 2.0 * value + float(f(t - h))) / (h * h))
    return _extrapolated(*estimates)
