"""Quantities with units: exact factors, dimensions, refusals and reading back."""

import math
import pickle
import time

import numpy as np
import pytest

import linkwork as lw
from linkwork import units
from linkwork.errors import DescriptionError, UnitError


def si(value, unit):
    return units.si(value, unit, "Body 'crank'", "length")


# Factors of NIST SP 811 (appendix B.8, exact ones) and of the SI brochure.
EXACT = [
    ("30 mm", "m", 0.03), ("29 cm", "m", 0.29), ("-1.5e-3 km", "m", -1.5), ("1 in", "m", 0.0254),
    ("2.5ft", "m", 0.762), ("1 mi", "m", 1609.344), ("3 µm", "m", 3e-6), ("3 um", "m", 3e-6),
    ("200 g", "kg", 0.2), ("1.2 t", "kg", 1200.0), ("1 lb", "kg", 0.45359237),
    ("180 deg", "rad", math.pi), ("90°", "rad", math.pi / 2), ("1 rev", "rad", 2 * math.pi),
    ("1 turn", "rad", 2 * math.pi),
    ("3 mrad", "rad", 0.003), ("1200 rpm", "rad/s", 40 * math.pi), ("1 rev/s", "rad/s", 2 * math.pi),
    ("36 km/h", "m/s", 10.0), ("10 ms", "s", 0.01), ("2 min", "s", 120.0), ("1.5 h", "s", 5400.0),
    ("20 N/mm", "N/m", 20000.0), ("2 kN", "N", 2000.0), ("1 kgf", "N", 9.80665), ("1 lbf", "N", 4.4482216152605),
    ("5 kg*cm^2", "kg m^2", 5e-4), ("5 kg cm**2", "kg m^2", 5e-4), ("5 kg·cm²", "kg m^2", 5e-4),
    ("5 N*mm", "N m", 0.005), ("5 Nm", "N m", 5.0), ("7 J", "N m", 7.0), ("3 N s/mm", "N s/m", 3000.0),
    ("9.81 m/s2", "m/s^2", 9.81), ("9.81 m s^-2", "m/s^2", 9.81), ("9.81 m·s⁻²", "m/s^2", 9.81),
    ("5 m/s/s", "m/s^2", 5.0),
    ("2 N m/rad", "N m/rad", 2.0), ("2 N m", "N m/rad", 2.0), ("2 N m s", "N m s/rad", 2.0),
    ("8 kg/(m s)", "Pa s", 8.0), ("4 Hz", "1/s", 4.0), ("4 1/s", "1/s", 4.0), ("2 MPa", "Pa", 2e6),
    ("3 kW", "W", 3000.0),
    ("1 l", "m^3", 0.001), ("250 ml", "m^3", 2.5e-4), ("3", "m", 3.0), (" 3 ", "kg", 3.0), ("0.5", "1", 0.5),
    ("5 mm/m", "1", 0.005),
    (".5 m", "m", 0.5), ("+5. m", "m", 5.0), (3, "m", 3.0), (np.float64(2.5), "rad", 2.5),
    ("1e-999999999 mm", "m", 0.0),
]  # fmt: skip


@pytest.mark.parametrize(("value", "unit", "wanted"), EXACT, ids=str)
def test_quantities_are_exact(value, unit, wanted):
    assert si(value, unit) == wanted


def test_prefixes_and_names_do_not_collide():
    assert si("1 min", "s") == 60.0  # not a milli-inch
    assert si("1 mm", "m") == 1e-3 and si("1 Mg", "kg") == 1000.0 and si("1 mg", "kg") == 1e-6
    assert si("1 nm", "m") == 1e-9 and si("1 Nm", "N m") == 1.0
    assert si("1 psi", "Pa") == pytest.approx(6894.757293168, rel=1e-12)
    assert si("1 hp", "W") == pytest.approx(745.69987158227, rel=1e-12)
    assert {"deg", "rpm", "kN", "mm", "lbf"} <= set(units.unit_names())


WRONG_KIND = [
    ("3 N", "kg", "a force", "a mass"), ("30 deg", "m", "an angle", "a length"),
    ("3 mm", "rad", "a length", "an angle"),
    ("30 deg", "1", "an angle", "a pure number"), ("5 N/m", "N m/rad", "a stiffness", "a torsional stiffness"),
    ("5 N m/rad", "N m", "a torsional stiffness", "a torque"), ("3 s", "m/s", "a time", "a speed"),
    ("3 kg", "kg m^2", "a mass", "a moment of inertia"), ("3 m", "1", "a length", "a pure number"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "unit", "got", "wanted"), WRONG_KIND, ids=str)
def test_a_wrong_dimension_names_both(value, unit, got, wanted):
    with pytest.raises(UnitError) as caught:
        si(value, unit)
    text = str(caught.value)
    assert text.startswith("Body 'crank' length") and value in text
    assert got in text.split("wanted")[0] and wanted in text.split("wanted")[1]


def test_cycles_are_no_angular_speed():
    with pytest.raises(UnitError, match="rev/s"):
        si("50 Hz", "rad/s")
    with pytest.raises(UnitError, match="rev/s"):
        units.convert(1.0, "rad/s", "Hz")


@pytest.mark.parametrize(
    ("text", "near"), [("30 dge", "deg"), ("3 Kg", "kg"), ("3 RPM", "rpm"), ("30 degrees", "deg"), ("3 lbs", "lb")]
)
def test_a_misspelt_unit_gives_the_nearest(text, near):
    with pytest.raises(UnitError, match=rf"not known.*Nearest: .*\b{near}\b"):
        units.si(text, units.ANY, "Item", "value")


BAD = [
    "", " ", "mm", "abc", "3,5 m", "nan", "inf m", "1e999 m", "1e308 km", "3 4", "3 m 4", "3 m)", "3 (m", "3 m^",
    "3 m^99",
    "3 m^2.5", "3 m^x", "3 m*", "3 *m", "2*L", "2/s", "3 kg/m s", "3 _", "3 m__", "3 m; 4", "3 __import__('os')",
    "3 m.real", "3 lambda: 0", "3 [m]", "3 $", "١ m", "1 ㎏", "3 m\x00", "1 ((((((m))))))", "1 (((km^9)^9)^9)^9",
    "1 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9 km^9",
    "9" * 200, "x" * 20000, "1 " + "(" * 90, "0x10 m", "1_000 m",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=lambda text: repr(text)[:30])
def test_bad_texts_are_refused_quickly(text):
    begin = time.process_time()
    with pytest.raises(UnitError, match=r"^Body 'crank' length"):
        si(text, "m")
    assert time.process_time() - begin < 5.0  # what grows with every part of a text would take far longer


@pytest.mark.parametrize("value", [True, None, [1], math.nan, math.inf, 1j, b"3 m"], ids=repr)
def test_what_is_no_number_is_refused(value):
    with pytest.raises(DescriptionError, match="Body 'crank' length is not"):
        si(value, "m")


def test_quantities_and_expressions_are_told_apart():
    for text in ("3", "-3.5e2", "30 deg", "30deg", "5 1/s", "5 (m)"):
        assert units.is_quantity(text)
    for text in ("2*L", "2/L", "2**3", "2-3", "2+t", "sin(t)", "L", "-L", "", "1_000*t", "(3)", None, 3.0):
        assert not units.is_quantity(text)


def test_convert():
    assert units.convert(math.pi, "rad", "deg") == 180.0
    assert units.convert(40 * math.pi, "rad/s", "rpm") == pytest.approx(1200.0, rel=1e-15)
    assert np.array_equal(units.convert(np.array([0.5, 1.0]), "m", "mm"), [500.0, 1000.0])
    assert units.convert(3.6e6, "J", "kWh") == 1.0
    assert units.convert(2.0, "rad/s", "1/s") == 2.0
    with pytest.raises(UnitError, match=r"'A.angle' cannot be read in 'mm'\. Got a length.*wanted an angle"):
        units.convert(1.0, "rad", "mm", "'A.angle'")
    with pytest.raises(UnitError, match="Nearest: deg"):
        units.convert(1.0, "rad", "dge")


# -- at the border of descriptions and analyses ------------------------------------------------------------------------


def test_descriptions_take_units():
    body = lw.Body("200 g", "5 kg*cm^2", center=("1 mm", 0), position=("1 cm", "2 cm"), angle="90 deg",
                   velocity=("36 km/h", 0.0), angular_velocity="60 rpm", points={"tip": ("3 in", 0)})  # fmt: skip
    assert (body.mass, body.inertia, body.center, body.position) == (0.2, 5e-4, (0.001, 0.0), (0.01, 0.02))
    assert (body.angle, body.velocity, body.angular_velocity) == (math.pi / 2, (10.0, 0.0), 2 * math.pi)
    assert body.points["tip"] == (0.0762, 0.0)
    solid = lw.Body(1.0, ["1 kg m^2", 2.0, "3 kg m^2"])
    assert solid.inertia == (1.0, 2.0, 3.0)
    assert lw.Body(1.0, [["1 kg m^2", 0, 0], [0, 2, 0], [0, 0, 3]]).inertia == (
        (1.0, 0.0, 0.0),
        (0.0, 2.0, 0.0),
        (0.0, 0.0, 3.0),
    )
    m = lw.Mechanism("m", gravity=(0, "-981 cm/s^2"))
    assert m.gravity == (0.0, -9.81)
    bar = m.add("bar", lw.bar(length="100 cm", mass="2000 g", width="1 cm"))
    assert bar.points["b"] == (0.5, 0.0) and bar.mass == 2.0
    assert lw.disc("10 cm", 1).inertia == lw.disc(0.1, 1).inertia
    assert lw.plate("10 cm", "20 cm", "1 kg").inertia == lw.plate(0.1, 0.2, 1).inertia
    assert lw.polygon([(0, 0), ("1 m", 0), (0, "1 m")], 1).center == lw.polygon([(0, 0), (1, 0), (0, 1)], 1).center
    assert lw.join((bar, "1 cm", 0, "90 deg")).center == lw.join((bar, 0.01, 0, math.pi / 2)).center
    frame = bar.at("1 cm", "2 cm", angle="180 deg")
    assert frame.position == (0.01, 0.02, 0.0) and frame.angle == math.pi
    other = m.add("other", lw.bar(1, 1))
    assert lw.Rod(bar, other, "50 cm").length == 0.5
    assert lw.PinInSlot(bar, other, "5 mm").offset == 0.005
    assert lw.Hold(bar, other, x="5 mm", angle="180 deg").angle == math.pi
    assert lw.Gear(bar, other, "5 mm", "6 mm").to_radius == 0.006
    assert lw.RollingDisc(bar, other, "5 mm", reference="1 cm").reference == 0.01
    spring = lw.SpringDamper(bar, other, "20 N/mm", "30 mm", "2 N s/mm", "3 kN")
    assert (spring.stiffness, spring.rest_length, spring.damping, spring.actuator) == (20000.0, 0.03, 2000.0, 3000.0)
    twist = lw.TorsionSpringDamper(bar, other, "2 N m/rad", "90 deg", "3 N m s/rad", "5 N cm")
    assert (twist.stiffness, twist.rest_angle, twist.damping, twist.actuator) == (2.0, math.pi / 2, 3.0, 0.05)
    assert lw.PointForce(bar, x="2 kN", y="3*t").x == 2000.0
    assert lw.Torque(bar, "2 kNm").value == 2000.0
    assert lw.Torque(bar, "2*sin(t)").value == lw.Expression("2*sin(t)")
    assert lw.Harmonic(1.0, "60 rpm", "90 deg").frequency == 2 * math.pi
    assert lw.SmoothStep("10 ms", 0, "1 s", 1).start_time == 0.01
    assert lw.Driver(lw.Angle(bar, other), "90 deg").function == lw.Polynomial(math.pi / 2)
    assert lw.Driver(lw.Angle(bar, other), "60 rpm", level="speed").function == lw.Polynomial(2 * math.pi)
    law = lw.UserForce(lw.Distance(bar, other), lambda value, rate, t, k: -k * value, k="20 N/mm")
    assert law.numbers == (20000.0,)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda b, c: lw.Body("3 N"), ("Body mass", "a force", "a mass")),
        (lambda b, c: b.at("3 deg", 0), ("Frame on body 'b' x", "an angle", "a length")),
        (lambda b, c: lw.Rod(b, c, "3 s"), ("Rod length", "a time", "a length")),
        (lambda b, c: lw.SpringDamper(b, c, stiffness="3 N m"), ("SpringDamper stiffness", "a torque", "a stiffness")),
        (lambda b, c: lw.SpringDamper(b, c, actuator="3 N m"), ("SpringDamper actuator", "a torque", "a force")),
        (lambda b, c: lw.Torque(b, "3 N"), ("Torque value", "a force", "a torque")),
        (lambda b, c: lw.Driver(lw.Angle(b, c), "3 mm"), ("Driver function", "a length", "an angle")),
        (
            lambda b, c: lw.Mechanism("m", gravity=(0, "9.81 m/s")),
            ("Mechanism 'm' gravity", "a speed", "an acceleration"),
        ),
        (lambda b, c: lw.bar("3 kg", 1), ("bar length", "a mass", "a length")),
    ],
)
def test_descriptions_refuse_wrong_units_by_name(make, words):
    m = lw.Mechanism("m")
    b, c = m.add("b", lw.bar(1, 1)), m.add("c", lw.bar(1, 1))
    with pytest.raises(UnitError) as caught:
        make(b, c)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_values_of_functions_take_units_that_their_user_checks():
    m = lw.Mechanism("m")
    b = m.add("b", lw.bar(1, 1))
    pin = m.add("A", lw.Revolute(m.ground.at(0, 0), b.a))
    quarter = lw.SmoothStep(0, 0, "1 s", "90 deg")
    assert quarter == lw.SmoothStep(0, 0, 1, math.pi / 2)
    assert lw.Driver(pin.angle, quarter).function is quarter
    assert lw.Driver(pin.angle, lw.SpeedRamp(0, 0, 1, "60 rpm")).function.end_speed == pytest.approx(2 * math.pi)
    assert lw.Polynomial("90 deg", "1 rad/s").coefficients == (math.pi / 2, 1.0)
    with pytest.raises(UnitError, match=r"Driver function has a unit of another kind. Got SmoothStep, an angle"):
        lw.Driver(lw.Distance(m.ground, b), quarter)
    with pytest.raises(UnitError, match="an angle"):
        lw.Driver(pin.angle, quarter, level="speed")
    with pytest.raises(UnitError, match="end_value does not fit start_value"):
        lw.SmoothStep(0, "30 deg", 1, "1 m")
    with pytest.raises(UnitError, match="a length"):
        lw.Torque(b, lw.Harmonic("2 mm", "50 rev/s"))
    with pytest.raises(UnitError, match="the time of its function"):
        lw.Driver(pin.angle, lw.Table(["0 mm", "1 mm"], [0, 1]))
    spring = lw.Table(["0 mm", "10 mm"], ["0 N", "1 kN"])
    assert lw.SpringDamper(m.ground, b, stiffness=spring).stiffness.times == (0.0, 0.01)
    with pytest.raises(UnitError, match="the table of its stiffness"):
        lw.TorsionSpringDamper(m.ground, b, stiffness=spring)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("5 N/mm", "a stiffness (N/m)"),
        ("5 kN", "a force (N)"),
        ("5 kJ", "a torque or energy (N m or J)"),
        ("5 N s/mm", "a damping (N s/m)"),
        ("5 kW", "a power (W)"),
        ("5 bar", "a pressure (Pa)"),
        ("5 N m/deg", "a torsional stiffness (N m/rad)"),
        ("5 N m s/rad", "a torsional damping (N m s/rad)"),
        ("5 g/cm^3", "a density (kg/m^3)"),
    ],
)
def test_messages_show_the_unit_that_an_engineer_writes(given, words):
    with pytest.raises(UnitError) as caught:
        units.si(given, "m", "Item", "size")
    assert words in str(caught.value)
    value = units.si(given, units.ANY, "Item", "size")
    again = units.si(value.written(), units.ANY, "Item", "size")
    assert again == value and again.unit[2:] == value.unit[2:]


def test_a_parameter_of_another_kind_is_told_in_usual_units():
    m = lw.Mechanism("m", parameters={"k": "20 N/mm"})
    with pytest.raises(UnitError) as caught:
        m.with_numbers({"k": "5 N"})
    assert "Got '5 N', a force (N); wanted a stiffness (N/m). Write for example '20 N/mm'." in str(caught.value)


def test_a_number_remembers_its_unit_where_any_will_do():
    length = units.si("30 cm", units.ANY, "Item", "size")
    assert length == 0.3 and length.written() == "0.3 m" and pickle.loads(pickle.dumps(length)).unit == length.unit
    assert type(units.si("30 cm", "m", "Item", "size")) is float
    assert units.si(length, "m", "Item", "size") == 0.3 and units.Number("m").read(length, "Item", "size") == 0.3
    with pytest.raises(UnitError, match=r"Item size has a unit of another kind. Got 0.3, a length \(m\)"):
        units.Number("kg", least=0.0).read(length, "Item", "size")


@pytest.mark.parametrize(
    ("meaning", "value", "told"),
    [
        (units.Number("kg", least=0.0), -1, "Item size is too small. Got -1.0; wanted at least 0."),
        (units.Number("m", above=0.0), "0 mm", "Item size is too small. Got 0.0; wanted more than 0."),
        (units.Number("m", above=0.0, remedy="turn it round"), -1, "wanted more than 0. Turn it round."),
        (units.Number(), "3", "Item size is not a number. Got '3'"),
        (units.Number("m"), None, "Item size is not a number. Got None"),
        (units.Number("m"), True, "Item size is not a number. Got True"),
        (units.Number("m"), math.inf, "Item size is not finite"),
    ],
)
def test_the_meaning_of_a_number_says_what_is_refused(meaning, value, told):
    with pytest.raises(DescriptionError) as caught:
        meaning.read(value, "Item", "size")
    assert told in str(caught.value)


@pytest.fixture(scope="module")
def pendulum():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length="1 m", mass="1 kg"))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    return m


def test_analyses_take_units_and_results_give_them(pendulum):
    start = {"A.angle": "30 deg", "A.angle.rate": "60 rpm"}
    run = pendulum.simulate("0.2 s", every="100 ms", start=start, coordinates="body")
    start = {"A.angle": math.pi / 6, "A.angle.rate": 2 * math.pi}
    same = pendulum.simulate(0.2, every=0.1, start=start, coordinates="body")
    assert np.array_equal(run["A.angle"], same["A.angle"])
    assert run.read("A.angle", to="deg")[0] == pytest.approx(30.0, rel=1e-12)
    assert run.read("A.angle.rate", to="rpm")[0] == pytest.approx(60.0, rel=1e-12)
    assert np.array_equal(run.read("A.angle"), run["A.angle"])
    assert run.read("t", to="ms") == pytest.approx([0.0, 100.0, 200.0])
    assert run.read("A.reaction.x", to="kN") == pytest.approx(run["A.reaction.x"] / 1000)
    assert run.read("energy.kinetic", to="mJ") == pytest.approx(run["energy.kinetic"] * 1000)
    with pytest.raises(UnitError, match=r"'A.angle' cannot be read in 'mm'"):
        run.read("A.angle", to="mm")
    here = pendulum.evaluate({"rod.angle": "90 deg", "rod.y": "50 cm"}, t="10 ms", coordinates="body")
    assert here["rod.angle"] == math.pi / 2
    assert pendulum.assemble(near={"A.angle": "30 deg"}, t="1 s", coordinates="body").state.t == 1.0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"start": {"A.angle": "30 mm"}}, "start value 'A.angle' has a unit of another kind.*a length.*an angle"),
        ({"start": {"A.angle.rate": "30 deg"}}, "start value 'A.angle.rate'.*an angle.*an angular speed"),
        ({"near": {"rod.x": "30 deg"}}, "near value 'rod.x'.*an angle.*a length"),
        ({"every": "3 mm"}, "simulate every.*a length.*a time"),
    ],
)
def test_analyses_refuse_wrong_units(pendulum, options, words):
    with pytest.raises(UnitError, match=words):
        pendulum.simulate("1 s", coordinates="body", **options)


def test_units_of_every_name_can_be_read(pendulum):
    run = pendulum.simulate(0.1, every=0.1, coordinates="body")
    for name in run.names:
        assert run.read(name, to=run.unit(name)) == pytest.approx(run[name])


def test_hertz_for_the_frequency_of_an_oscillation():
    assert lw.Harmonic(1.0, "2 Hz").frequency == pytest.approx(4 * math.pi, rel=1e-15)
    assert lw.Harmonic(1.0, "2 kHz").frequency == pytest.approx(4000 * math.pi, rel=1e-15)
    assert lw.Harmonic(1.0, "120 rpm").frequency == pytest.approx(4 * math.pi, rel=1e-15)
    assert lw.Harmonic(1.0, lw.resolve_parameters({"f": "2 Hz"})["f"]).frequency == pytest.approx(4 * math.pi)
    assert lw.Harmonic(1.0, lw.resolve_parameters({"f": "2 Hz", "w": "2*pi*f"})["w"]).frequency == 4 * math.pi
    assert lw.Harmonic(1.0, 3.0).frequency == 3.0
    for wrong in ("2 Hz^2", "2 m", "2 Hz*m", "2 s"):
        with pytest.raises(UnitError, match="another kind"):
            lw.Harmonic(1.0, wrong)
    with pytest.raises(UnitError, match="whether 2 pi is meant"):  # a speed is not an oscillation
        lw.Body(1.0, 1.0, angular_velocity="2 Hz")
