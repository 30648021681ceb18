"""Differences and spline curvatures on functions whose derivatives are known."""

import math

import numpy as np
import pytest

from linkwork.mechanism.numerics import first_difference, second_difference, spline_curvatures


def test_differences_are_exact_for_a_polynomial_of_degree_six():
    """Two extrapolations remove h^2 and h^4; the next error of a sixth power is in the second derivative,
    h^6."""
    f = np.polynomial.Polynomial([0.3, -1.0, 0.5, 2.0, -0.7, 0.2, 0.4])
    assert first_difference(f, 0.8, 0.1) == pytest.approx(f.deriv(1)(0.8), rel=1e-12)
    assert second_difference(f, f(0.8), 0.8, 0.1) == pytest.approx(f.deriv(2)(0.8), rel=1e-10)


@pytest.mark.parametrize("order", [first_difference, None])
def test_error_falls_with_the_sixth_power_of_the_step(order):
    def error(step):
        if order is None:
            return abs(second_difference(math.sin, math.sin(0.9), 0.9, step) + math.sin(0.9))
        return abs(first_difference(math.sin, 0.9, step) - math.cos(0.9))

    assert error(0.8) / error(0.4) == pytest.approx(2**6, rel=0.1)


def test_spline_of_a_straight_line_has_no_curvature():
    h = np.array([0.2, 0.5, 0.1])
    np.testing.assert_allclose(spline_curvatures(h, np.full(3, 2.0), "natural"), 0.0, atol=1e-15)


def test_clamped_spline_repeats_a_cubic_with_level_ends():
    """f = 3 x^2 - 2 x^3 has zero slope at 0 and 1: the clamped spline is f itself, f'' = 6 - 12 x."""
    x = np.array([0.0, 0.15, 0.5, 0.6, 1.0])
    f = 3 * x**2 - 2 * x**3
    curvature = spline_curvatures(np.diff(x), np.diff(f) / np.diff(x), "clamped")
    np.testing.assert_allclose(curvature, 6 - 12 * x, atol=1e-13)
