"""Slopes by differences: right to the error that is told, beside bounds, through noise, with neighbours missing."""

import numpy as np
import pytest

from linkwork.analysis.differences import Slopes


def smooth(x):
    return np.array([np.sin(3.0 * x[0]) * np.exp(x[1]), x[0] ** 2 - 2.0 * x[1]])


def exact(x):
    return np.array([[3.0 * np.cos(3.0 * x[0]) * np.exp(x[1]), np.sin(3.0 * x[0]) * np.exp(x[1])], [2.0 * x[0], -2.0]])


@pytest.mark.parametrize("x", [(0.3, 0.6), (0.0, 1.0), (1.0, 0.0), (5e-6, 1 - 5e-6)])
def test_smooth_functions(x):
    x = np.array(x)
    slopes = Slopes(lambda designs: np.array([smooth(one) for one in designs]), 2, 2)
    for _ in range(2):  # four steps, then the two that agreed
        found = slopes.at(x)
        assert np.abs(found - exact(x)).max() < 1e-7
        assert (np.abs(found - exact(x)) <= slopes.error + 1e-10).all()  # rounding over the least step


def test_steps_fit_the_noise_of_runs():
    noise = np.random.default_rng(0)
    sizes = []
    for size in (0.0, 1e-6):
        slopes = Slopes(
            lambda designs, size=size: np.array([smooth(one) + size * noise.standard_normal(2) for one in designs]),
            2,
            2,
        )
        x = np.array([0.4, 0.5])
        found = slopes.at(x)
        sizes.append(min(slopes.pairs))
        assert np.abs(found - exact(x)).max() < (1e-7 if not size else 1e-2)
        assert np.abs(found - exact(x)).max() <= 3.0 * slopes.error.max() + 1e-9
    assert sizes[1] < sizes[0]  # noise asks for larger steps


def test_a_change_of_the_function_makes_it_look_again():
    asked = []

    def kinked(designs):
        asked.append(len(designs))
        return np.array([[np.exp(80.0 * (one[0] - 0.5))] for one in designs])

    slopes = Slopes(kinked, 1, 1)
    slopes.at(np.array([0.1]))
    slopes.at(np.array([0.1]))
    slopes.pairs = [0]  # far too wide a step where it is steep
    found = slopes.at(np.array([0.6]))
    assert asked == [9, 5, 5, 9]
    assert found[0, 0] == pytest.approx(80.0 * np.exp(8.0), rel=1e-5)


def test_neighbours_that_cannot_be_run():
    def half(designs):
        return np.array([smooth(one) if one[0] <= 0.4 else [np.nan, np.nan] for one in designs])

    x = np.array([0.4, 0.5])
    slopes = Slopes(half, 2, 2)
    assert np.abs(slopes.at(x) - exact(x)).max() < 1e-3  # of one side
    nothing = Slopes(lambda designs: np.array([[1.0] if k == 0 else [np.nan] for k, _ in enumerate(designs)]), 1, 1)
    assert np.isnan(nothing.at(np.array([0.5]))).all()
