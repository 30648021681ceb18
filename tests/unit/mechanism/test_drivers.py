"""Drivers: what is told when a function hardly fits its level."""

import math
import warnings

import pytest

import linkwork as lw
from linkwork.errors import UnitError, UnlikelyDriverWarning
from linkwork.units import Measured, si

ANGLE = lw.Angle(lw.Frame("ground"), lw.Frame("crank"))
LENGTH = lw.WorldOffset(lw.Frame("ground"), lw.Frame("crank"), "x")


@pytest.mark.parametrize(("measure", "given", "level", "other", "more"), [
    (ANGLE, "1200 rpm", "position", "speed", r', or "1200 rpm\*t"'),
    (ANGLE, "30 deg", "speed", "position", ""),
    (ANGLE, lw.Polynomial("2 rad/s"), "position", "speed", ""),
    (ANGLE, lw.SmoothStep(0, 0, 1, "90 deg"), "speed", "position", ""),
    (LENGTH, "30 km/h", "position", "speed", r', or "30 km/h\*t"'),
    (LENGTH, "30 mm", "speed", "position", ""),
])  # fmt: skip
def test_a_function_of_the_other_level_is_told_so(measure, given, level, other, more):
    with pytest.raises(UnitError, match=rf'This is a {other}: give level="{other}"{more}\.'):
        lw.Driver(measure, given, level=level)
    lw.Driver(measure, given, level=other)


def test_what_fits_neither_level_is_told_as_it_is():
    with pytest.raises(UnitError, match="a mass") as told:
        lw.Driver(ANGLE, "3 kg")
    assert "level" not in str(told.value)


@pytest.mark.parametrize("given", [10, -4.0, 10.0])
def test_a_bare_number_beyond_half_a_turn_is_asked_about(given):
    with pytest.warns(UnlikelyDriverWarning, match=rf'nothing turns.*level="speed" or Polynomial\(0, {given:g}\)'):
        lw.Driver(ANGLE, given)


def test_constants_that_are_meant_are_not_asked_about():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given in (0, 1.2, -3.1, "30 deg", "720 deg", "10 rad", lw.Polynomial(10.0), Measured(10.0, si_unit())):
            held = lw.Driver(ANGLE, given, name="held")
            held.named("again")
        lw.Driver(ANGLE, 10, level="speed")
        lw.Driver(LENGTH, 10)


def si_unit():
    return si("1 rad", "any", "test", "unit").unit


def test_a_constant_that_was_meant_is_not_asked_about_when_read_back():
    m = lw.Mechanism()
    crank = m.add("crank", lw.bar(1.0, 1.0))
    pin = m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("held", lw.Driver(pin.angle, "10 rad"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = lw.read(lw.to_text(m))
    assert again.drivers["held"].function == lw.Polynomial(10.0)


def test_an_even_speed_in_one_text():
    f = lw.Driver(ANGLE, "1200 rpm*t + 30 deg").function
    assert f(0.25) == pytest.approx((math.pi / 6 + 10 * math.pi, 40 * math.pi, 0.0), rel=1e-15)
