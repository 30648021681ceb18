"""A function that is known at times with its rates and accelerations."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError


def of(count, f=np.sin, r=np.cos, a=lambda t: -np.sin(t)):
    t = np.sort(np.random.default_rng(2).uniform(0.0, 3.0, count))
    return t, lw.Recorded(t, f(t), r(t), a(t))


def test_at_its_times_it_is_exactly_what_was_given():
    t, f = of(9)
    for k, one in enumerate(t):
        assert f(one) == (f.values[k], f.rates[k], f.accelerations[k])


def test_a_polynomial_of_fifth_degree_is_met_everywhere():
    p = np.polynomial.Polynomial([0.3, -1.0, 0.7, 0.2, -0.4, 0.1])
    t, f = of(5, p, p.deriv(), p.deriv(2))
    for one in np.linspace(t[0], t[-1], 33):
        assert f(one) == pytest.approx((p(one), p.deriv()(one), p.deriv(2)(one)), abs=1e-10)


def test_outside_it_goes_on_as_a_line():
    f = lw.Recorded([1.0, 2.0], [0.0, 1.0], [2.0, 3.0], [4.0, 5.0])
    assert f(0.5) == (-1.0, 2.0, 0.0) and f(3.0) == (4.0, 3.0, 0.0)
    one = lw.Recorded([1.0], [0.5], [2.0], [3.0])
    assert one(1.0) == (0.5, 2.0, 3.0) and one(2.0) == (2.5, 2.0, 0.0)


def test_corners_are_where_the_third_derivative_jumps():
    t, f = of(5, lambda t: t**5, lambda t: 5 * t**4, lambda t: 20 * t**3)
    assert [one for one, _ in f.corners] == [t[0], t[-1]] and f.smooth
    bent = lw.Recorded([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0])
    assert bent.corners == ((0.0, 3), (1.0, 3), (2.0, 3))


def test_texts_with_units():
    f = lw.Recorded(["0 s", "1 s"], ["0 deg", "180 deg"], ["0 deg/s", "1 rad/s"], ["0 rad/s^2", "0 rad/s^2"])
    assert f(1.0)[0] == pytest.approx(np.pi) and f(1.0)[1] == 1.0
    m = lw.Mechanism()
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute("ground", rod.a))
    m.add("motor", lw.Driver("A.angle", f))
    assert m.simulate(1.0, coordinates="body")["A.angle"][-1] == pytest.approx(np.pi)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (([0, 1], [0, 1], [0, 1], [0]), "one value, rate and acceleration"),
        (([], [], [], []), "one value, rate and acceleration"),
        (([0, 0], [0, 1], [0, 1], [0, 1]), "increasing times"),
        (([0, 1], [0, np.nan], [0, 1], [0, 1]), "not finite"),
        (([0, 1], 3, [0, 1], [0, 1]), "list of numbers"),
        (([0, 1e-200], [0, 1e200], [0, 1], [0, 1]), "too large"),
        (([0, 1], ["1 m", "1 s"], [0, 1], [0, 1]), "does not fit"),
    ],
)
def test_what_is_refused(given, words):
    with pytest.raises(DescriptionError, match=words):
        lw.Recorded(*given)
