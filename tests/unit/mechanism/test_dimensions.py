"""What expressions measure: units of parameters go through sums, products, powers and functions."""

import math

import pytest

import linkwork as lw
from linkwork import units
from linkwork.errors import DescriptionError, UnitError
from linkwork.mechanism.expressions import function_of


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("2*L", "m", 0.6),
        ("L + 0.1", "m", 0.4),
        ("k*L", "N", 6000.0),
        ("sqrt(L**2)", "m", 0.3),
        ("L/T", "m/s", 0.6),
        ("R*phi", "m", 0.3 * math.pi),
        ("2*phi", "rad", math.pi),
        ("phi/T", "rad/s", math.pi),
        ("7*q*L", "kg", 4.2),
        ("max(L, 1)*sin(phi)", "m", 1.0),
        ("2*3", "kg", 6.0),
        ("atan2(L, L)", "rad", math.pi / 4),
        ("2*pi*f", "rad/s", 4 * math.pi),
        ("f*2*pi + 1/T", "rad/s", 4 * math.pi + 2),
        ("f", "1/s", 2.0),
        ("m*L**2/3", "kg m^2", 0.15),
    ],
)
def test_expressions_keep_the_units_of_their_parameters(text, unit, value):
    parameters = {
        "L": "30 cm",
        "R": "2*L",
        "k": "20 N/mm",
        "T": "500 ms",
        "phi": "90 deg",
        "q": 2.0,
        "f": "2 Hz",
        "m": "5 kg",
    }
    assert units.si(lw.evaluate_number(text, parameters), unit, "Item", "value") == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "unit", "told"),
    [
        ("2*k", "m", "a stiffness"),
        ("phi", "m", "an angle"),
        ("7.85*L", "kg", "a length"),
        ("L*L", "m", "an area"),
        ("L + k", "m", "a length (m) and a stiffness (N/m) do not go together"),
        ("sin(L)", "m", "not a length (m)"),
        ("L**q", "m", ""),
        ("f", "rad/s", "Hz leaves open"),
        ("2*f", "rad/s", "Hz leaves open"),
        ("asin(0.5)", "m", "an angle"),
        ("1/T", "m", "a frequency"),
    ],
)
def test_expressions_refuse_what_does_not_fit(text, unit, told):
    parameters = {"L": "30 cm", "k": "20 N/mm", "T": "500 ms", "phi": "90 deg", "q": 0.5, "f": "2 Hz"}
    if not told:  # of an unknown power nothing is known
        assert units.si(lw.evaluate_number(text, parameters), unit, "Item", "value") > 0
        return
    with pytest.raises(DescriptionError) as caught:
        units.si(lw.evaluate_number(text, parameters), unit, "Item", "value")
    assert told in str(caught.value)


def test_expressions_of_time_are_checked_by_what_they_drive():
    m = lw.Mechanism("m")
    b = m.add("b", lw.bar(1, 1))
    pin = m.add("A", lw.Revolute(m.ground.at(0, 0), b.a))
    wave = lw.Expression("A*sin(2*pi*t) + A", {"A": "20 mm"})
    assert lw.Driver(lw.Distance(m.ground, b), wave).function is wave
    with pytest.raises(UnitError, match="a length"):
        lw.Driver(pin.angle, wave)


@pytest.mark.parametrize("text", ["2 Hz*t", "t*2 Hz", "60 deg - 2 Hz*t", "max(1 deg, 2 Hz*t)", "0.3*sin(2*3 Hz*t)"])
def test_hertz_times_t_is_no_angle(text):
    m = lw.gallery.pendulum()
    with pytest.raises((UnitError, DescriptionError), match="Hz leaves open whether 2 pi is meant"):
        m.add("motor", lw.Driver("A.angle", text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*pi*t*2 Hz", 1.2 * math.pi),
        ("2 Hz*t*2*pi", 1.2 * math.pi),
        ("360 deg*2 Hz*t", 1.2 * math.pi),
        ("2 rev/s*t", 1.2 * math.pi),
        ("30 deg*exp(-2 Hz*t)", math.pi / 6 * math.exp(-0.6)),
    ],
)
def test_hertz_with_its_turns_or_as_a_decay_is_an_angle(text, value):
    assert function_of(text, "Driver", "function", "rad")(0.3)[0] == pytest.approx(value, rel=1e-14)


def test_hertz_times_t_may_stand_where_no_angle_is_wanted():
    assert function_of("0.1 m*2 Hz*t", "Driver", "function", "m")(0.5)[0] == pytest.approx(0.1)
    assert function_of("5 mm + 2 Hz*t", "Driver", "function", "m")(0.5)[0] == pytest.approx(1.005)
