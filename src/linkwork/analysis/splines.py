"""Splines of fifth degree through samples, and through every other one: what they differ by tells their error."""

from __future__ import annotations

from typing import Any

import numpy as np

DEGREE = 5
FEWEST = 2 * DEGREE + 1  # samples: every other one is to be a spline, too


def fine_and_coarse(x: np.ndarray, values: np.ndarray) -> tuple[Any, Any]:
    """The spline through all samples, and that through every other one."""
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(x, values, k=DEGREE), make_interp_spline(x[::2], values[::2], k=DEGREE)
