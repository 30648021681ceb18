"""Functions of time: derivatives, continuity, refusals, and that their arithmetic compiles as it stands."""

import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from linkwork.errors import DescriptionError
from linkwork.kernels import compiling
from linkwork.mechanism.functions import (
    Callable,
    Function,
    Harmonic,
    Polynomial,
    SmoothStep,
    SpeedRamp,
    Table,
    as_function,
)

CLAMPED = Table(Table.sample["times"], Table.sample["values"], ends="clamped")


def example(kind):
    """The instance that a class shows as its sample."""
    return kind(**kind.sample) if isinstance(kind.sample, dict) else kind(*kind.sample)


EXAMPLES = [example(kind) for kind in Function.kinds.values() if kind.__module__.startswith("linkwork.")] + [CLAMPED]


@pytest.mark.parametrize("f", EXAMPLES, ids=repr)
def test_rate_and_acceleration_are_the_derivatives(f):
    h = 1e-4
    for t in np.linspace(-0.913, 2.917, 47):
        (f0, r0, _), (_, r1, a1), (f2, r2, _) = f(t - h), f(t), f(t + h)
        assert r1 == pytest.approx((f2 - f0) / (2 * h), abs=2e-6)
        assert a1 == pytest.approx((r2 - r0) / (2 * h), abs=2e-5)


@pytest.mark.parametrize("f", [x for x in EXAMPLES if not isinstance(x, Callable)], ids=repr)
def test_the_class_compiles_as_it_stands(f):
    compiled = compiling.compile_inner(type(f).values)
    numbers = np.array(f.numbers(), dtype=float)
    for t in (-0.4, 0.0, 0.35, 1.3, 1.9, 2.6):
        assert compiled(t, numbers) == pytest.approx(f(t), rel=1e-14, abs=1e-14)


@pytest.mark.parametrize("kind", [SmoothStep, SpeedRamp])
def test_derivatives_in_the_complex_plane(kind):
    """Between start and end the formulas are polynomials; a complex step gives the derivatives."""
    f = example(kind)
    c0, c1 = f.numbers()[1], f.numbers()[3]
    span = f.end_time - f.start_time
    for t in np.linspace(0.3, 1.6, 9):
        z = (complex(t, 1e-30) - f.start_time) / span
        if kind is SmoothStep:
            value = c0 + (c1 - c0) * (10 * z**3 - 15 * z**4 + 6 * z**5)
            rate = (c1 - c0) / span * (30 * z**2 - 60 * z**3 + 30 * z**4)
        else:
            value = c0 + c1 * span * (2.5 * z**4 - 3 * z**5 + z**6)
            rate = c1 * (10 * z**3 - 15 * z**4 + 6 * z**5)
        assert f(t) == pytest.approx((value.real, value.imag / 1e-30, rate.imag / 1e-30), rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("kind", [SmoothStep, SpeedRamp])
def test_steps_join_their_outside_smoothly(kind):
    f = example(kind)
    for t in (f.start_time, f.end_time):
        np.testing.assert_allclose(f(t - 1e-8), f(t + 1e-8), atol=1e-6)
    assert f(-5.0) == (f.start_value, 0.0, 0.0)


def test_smooth_step_holds_its_end():
    assert SmoothStep(0, 1, 2, 3)(10) == (3.0, 0.0, 0.0)


def test_speed_ramp_keeps_its_speed():
    f = SpeedRamp(1, 0.5, 3, 4)
    assert f(3) == (0.5 + 4 * 2 / 2, 4.0, 0.0)
    assert f(5) == (0.5 + 4 * 2 / 2 + 8, 4.0, 0.0)


def test_polynomial_and_harmonic_by_hand():
    assert Polynomial(1, 2, 3)(2) == (17.0, 14.0, 6.0)
    assert Polynomial(7)(123.0) == (7.0, 0.0, 0.0)
    f, rate, acceleration = Harmonic(2, 3, phase=0.5, offset=1)(0.7)
    assert f == pytest.approx(1 + 2 * math.sin(2.6))
    assert rate == pytest.approx(6 * math.cos(2.6))
    assert acceleration == pytest.approx(-18 * math.sin(2.6))


@pytest.mark.parametrize("ends", ["natural", "clamped"])
@pytest.mark.parametrize("n", [2, 3, 4, 12])
def test_table_is_the_cubic_spline(ends, n):
    """Against scipy with the same end conditions; outside, a straight line with the slope of the end."""
    from scipy.interpolate import CubicSpline

    random = np.random.default_rng(3 + n)
    x, y = np.cumsum(random.uniform(0.1, 1.0, n)), random.normal(size=n)
    f, spline = Table(x, y, ends=ends), CubicSpline(x, y, bc_type=ends)
    for t in np.concatenate([x, np.linspace(x[0], x[-1], 41)]):
        np.testing.assert_allclose(f(t), [spline(t), spline(t, 1), spline(t, 2)], rtol=1e-10, atol=1e-10)
    for end, t in ((x[0], x[0] - 2.0), (x[-1], x[-1] + 3.0)):
        slope = float(spline(end, 1))
        np.testing.assert_allclose(f(t), [spline(end) + slope * (t - end), slope, 0.0], rtol=1e-10, atol=1e-10)


def test_table_shows_its_numbers():
    f = Table(times=[0, 1, 2], values=[3, 4, 5])
    assert f.times == (0.0, 1.0, 2.0)
    assert f.values == (3.0, 4.0, 5.0)
    assert f == Table((0, 1, 2), np.array([3, 4, 5]))
    assert hash(f) == hash(Table((0, 1, 2), (3, 4, 5)))
    np.testing.assert_allclose(f(1.5), [4.5, 1.0, 0.0], atol=1e-14)
    np.testing.assert_allclose(f(7.0), [10.0, 1.0, 0.0], atol=1e-14)


@pytest.mark.parametrize("given", [0, 1, 2])
def test_callable_takes_missing_derivatives_by_differences(given):
    w = 20.0

    def f(t):
        return math.sin(w * t)

    def rate(t):
        return w * math.cos(w * t)

    def acceleration(t):
        return -w * w * math.sin(w * t)

    function = Callable(*(f, rate, acceleration)[: given + 1])
    for t in np.linspace(0.0, 2.0, 23):
        got = function(t)
        assert got[0] == f(t)
        assert got[1] == pytest.approx(rate(t), abs=2e-9)
        assert got[2] == pytest.approx(acceleration(t), abs=1e-6)
    assert function.numbers() == ()


def test_callable_accuracy_as_documented():
    function = Callable(lambda t: math.sin(3.0 * t + 0.2))
    for t in np.linspace(0.0, 5.0, 31):
        _, rate, acceleration = function(t)
        assert rate == pytest.approx(3.0 * math.cos(3.0 * t + 0.2), abs=1e-11)
        assert acceleration == pytest.approx(-9.0 * math.sin(3.0 * t + 0.2), abs=1e-8)


def test_as_function():
    assert as_function(3) == Polynomial(3.0)
    assert as_function(np.float64(0.5)) == Polynomial(0.5)
    ramp = SpeedRamp(0, 0, 1, 2)
    assert as_function(ramp) is ramp
    assert isinstance(as_function(math.cos), Callable)
    for wrong in ("3 mx", None, True, math.nan, Polynomial, [1, 2]):
        with pytest.raises(DescriptionError):
            as_function(wrong)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Polynomial(),
        lambda: Polynomial(1, math.inf),
        lambda: Polynomial("x!"),
        lambda: Polynomial("1 m", "1 m"),
        lambda: SmoothStep(0, "1 m", 1, "90 deg"),
        lambda: Table((0, 1), ("1 m", "1 kg")),
        lambda: SmoothStep(0, 0, 0, 1),
        lambda: SmoothStep(0, math.nan, 1, 1),
        lambda: SpeedRamp(2, 0, 1, 1),
        lambda: Harmonic(1, None),
        lambda: Table((0, 1), (0,)),
        lambda: Table((0,), (0,)),
        lambda: Table((0, 1, 1), (0, 1, 2)),
        lambda: Table((0, 1), (0, math.inf)),
        lambda: Table(3, 4),
        lambda: Table((0, 1), (0, 1), ends="periodic"),
        lambda: Callable(3),
        lambda: Callable(math.sin, rate=2),
        lambda: Callable(math.sin, step=0),
    ],
)
def test_wrong_input_is_refused(make):
    with pytest.raises(DescriptionError):
        make()


def test_the_message_names_the_argument():
    with pytest.raises(DescriptionError, match=r"SmoothStep.*start_time = 2\.0, end_time = 1\.0"):
        SmoothStep(2, 0, 1, 1)


def test_functions_are_frozen_and_registered():
    f = Polynomial(1.0, 2.0)
    with pytest.raises(FrozenInstanceError):
        f.coefficients = (3.0,)
    assert repr(f) == "Polynomial(1.0, 2.0)"
    kinds = ("Polynomial", "SmoothStep", "SpeedRamp", "Harmonic", "Table", "Callable")
    assert [Function.kinds[name].__name__ for name in kinds] == list(kinds)


@pytest.mark.parametrize("values", [(0.0, 1e308, -1e308, 0.0), (0.0, 1e300, 0.0, 1.0)])
def test_a_table_whose_spline_overflows_is_refused(values):
    times = [0.0, 1e-9, 2e-9, 3e-9]
    with pytest.raises(DescriptionError, match="too large to compute with"):
        Table(times, values)
