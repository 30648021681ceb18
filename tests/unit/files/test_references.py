"""Frames, measures, functions of time and laws as files write them."""

import pytest

import linkwork as lw
from unit.files.examples import refused, swing, swing_rate

BODIES = """\
linkwork: 1
parameters: {L: 0.3}
bodies: {one: {mass: 1, points: {tip: [1, 0]}}, two: {mass: 1}, body: {mass: 1}}
"""
SPACE = BODIES.replace("linkwork: 1\n", "linkwork: 1\ndimension: 3\n")


def frame(text, head=BODIES):
    return lw.read(head + f"forces: {{f: {{type: PointForce, at: {text}}}}}\n").forces["f"].at


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one", lw.Frame("one")),
        ("ground", lw.Frame("ground")),
        ("one.tip", lw.Frame("one", (1.0, 0.0, 0.0), name="tip")),
        ("{one: [L, 2 cm]}", lw.Frame("one", (0.3, 0.02, 0.0))),
        ("{ground: [1, 2]}", lw.Frame("ground", (1.0, 2.0, 0.0))),
        ("{body: [1, 2]}", lw.Frame("body", (1.0, 2.0, 0.0))),
        ("{body: one}", lw.Frame("one")),
        ("{body: body, at: [1, 2], angle: 0.5, name: eye}", lw.Frame("body", (1.0, 2.0, 0.0), 0.5, name="eye")),
        ("{body: one, along: [0, 2]}", lw.Frame("one", angle=1.5707963267948966)),
        ("{body: one, angle: 180 deg}", lw.Frame("one", angle=3.141592653589793)),
        ("{body: one, angle: null}", None),
    ],
)
def test_frame(text, expected):
    if expected is None:
        assert "angle is empty" in refused(BODIES + f"forces: {{f: {{type: PointForce, at: {text}}}}}\n")[0]
    else:
        assert frame(text) == expected


def test_frame_in_space():
    assert frame("{one: [1, 2, 3]}", SPACE) == lw.Frame("one", (1.0, 2.0, 3.0))
    assert frame("{body: one, axis: [0, 1, 0], along: [1, 0, 0]}", SPACE) == lw.Frame(
        "one", axis=(0.0, 1.0, 0.0), along=(1.0, 0.0, 0.0)
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("on", "at is on a body that does not exist: 'on'. Nearest: 'one'"),
        ("one.tap", "names a point that body 'one' does not have: 'tap'. Nearest: 'tip'."),
        ("one.mass", "names a point that body 'one' does not have: 'mass'."),
        ("one.__class__", "names a point that body 'one' does not have: '__class__'."),
        ("ground.a", "names a point that body 'ground' does not have: 'a'."),
        ("[1, 2]", "at is a list. Got a list; wanted a frame such as crank.a, crank or {ground: [0, 0]}."),
        ("{one: [1]}", "at has a position of 1 number. Wanted 2."),
        ("{one: [1, x]}", "There is no name 'x'"),
        ("{one: 3}", "does not say on which body it is"),
        ("{at: [0, 0]}", "is on a body that does not exist: 'at'"),
        ("{at: [0, 0], angle: 1}", "does not say on which body it is"),
        ("{body: {x: 1}, at: [0, 0]}", "does not say on which body it is"),
        ("{body: one, angel: 1}", "at has an unknown field 'angel'. Nearest: 'angle'"),
        ("{body: one, along: [0, 0]}", "`along` has no direction"),
        ("{body: one, angle: 3 m}", "angle"),
        ("~", "at is empty. Wanted a frame"),
    ],
)
def test_frame_refused(text, told):
    found = refused(BODIES + f"forces: {{f: {{type: PointForce, at: {text}}}}}\n")
    assert told in found[0], found


JOINT = BODIES + "joints: {A: {type: Revolute, on: ground, to: one}, B: {type: Gear, on: one, to: two}}\n"


def driver(fields, head=JOINT, **options):
    return lw.read(head + f"drivers: {{d: {{{fields}}}}}\n", **options).drivers["d"]


def test_measure():
    ground, one, two = (lw.Frame(name) for name in ("ground", "one", "two"))
    assert driver("measure: A.angle, function: 1").measure == lw.Angle(ground, one)
    assert driver("measure: {type: Offset, on: one, to: two, axis: y}, function: 1").measure == lw.Offset(one, two, "y")
    total = "{type: Sum, parts: [[2, A.angle], [-L, {type: Distance, on: one, to: two}]]}"
    assert driver(f"measure: {total}, function: 1").measure == lw.Sum(
        (2.0, lw.Angle(ground, one)), (-0.3, lw.Distance(one, two))
    )
    m = lw.read(
        JOINT
        + """\
forces: {s: {type: SpringDamper, on: one, to: two}}
drivers: {d: {measure: s.length, function: 1}}
"""
    )
    assert m.drivers["d"].measure == lw.Distance(one, two)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A.angel", "measure is not a measure of 'A': 'angel'. Nearest: 'angle'."),
        ("A", "measure is not a measure of 'A': ''"),
        ("B.angle", "measure is not a measure of 'B': 'angle'."),
        ("C.angle", "measure is not a measure: 'C.angle'. Nearest: 'A.angle', 'two.angle',"),
        ("A.__class__", "measure is not a measure of 'A': '__class__'."),
        ("3", "measure is not a measure: '3'."),
        ("[1]", "measure is a list"),
        ("{on: one, to: two}", "measure has no type. Got a map; wanted type: Offset,"),
        ("{type: Angel, on: one, to: two}", "measure has an unknown type 'Angel'. Nearest: 'Angle'"),
        ("{type: Angle, on: one}", "measure (Angle) has no to."),
        ("{type: Angle, on: one, to: one}", "both frames are on body 'one'"),
        ("{type: Offset, on: one, to: two, axis: w}", "axis is unknown: 'w'. Known: 'x', 'y', 'z'."),
        ("{type: Sum, parts: [1]}", "parts[0]"),
        ("{type: Sum, parts: []}", "has no parts"),
    ],
)
def test_measure_refused(text, told):
    found = refused(JOINT + f"drivers: {{d: {{measure: {text}, function: 1}}}}\n")
    assert len(found) == 1 and told in found[0], found


def test_functions_of_time():
    def function(text, **options):
        return driver(f"measure: A.angle, function: {text}", **options).function

    assert function("1") == lw.Polynomial(1.0)
    assert function("180 deg") == lw.Polynomial(3.141592653589793)
    assert function("L*t") == lw.Expression("L*t", {"L": 0.3})
    assert function("2*L") == lw.Expression("2*L", {"L": 0.3})
    assert function("{type: Polynomial, coefficients: [1, L]}") == lw.Polynomial(1.0, 0.3)
    assert function("{type: Harmonic, amplitude: 1, frequency: 60 rpm}").frequency == pytest.approx(6.283185307179586)
    assert function("{type: Table, times: [0, 1], values: [0, L]}") == lw.Table((0, 1), (0, 0.3))
    laws = {"swing": swing, "swing_rate": swing_rate}
    assert function("{law: swing}", laws=laws) == lw.Callable(swing)
    assert function("{type: Callable, function: swing, rate: {law: swing_rate}, step: 1e-3}", laws=laws) == lw.Callable(
        swing, swing_rate, None, 1e-3
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[1]", "function is a list. Got a list; wanted a function of time."),
        ("true", "function is not a number. Got 'true'"),
        ("sin(", "cannot be used"),
        ("sinn(t)", "There is no function 'sinn'"),
        ("{type: SmoothStap}", "function has an unknown type 'SmoothStap'. Nearest: 'SmoothStep'"),
        ("{type: SmoothStep, start_time: 0}", "function (SmoothStep) has no start_value"),
        ("{type: SmoothStep, start_time: 1, start_value: 0, end_time: 0, end_value: 1}", "ends before it starts"),
        ("{law: swing, rate: x}", "has an unknown field beside law: 'rate'"),
        ("{law: 3}", "does not name a law. Got '3'"),
        ("{amplitude: 3}", "function has no type. Got a map"),
        ("{file: [1]}", "does not name a file"),
    ],
)
def test_function_refused(text, told):
    found = refused(JOINT + f"drivers: {{d: {{measure: A.angle, function: {text}}}}}\n")
    assert any(told in one for one in found), found


def test_number_or_function():
    def value(text):
        return lw.read(BODIES + f"forces: {{f: {{type: Torque, to: one, value: {text}}}}}\n").forces["f"].value

    assert value("2*L") == 0.6 and value("2 N m") == 2.0
    assert value("2*t") == lw.Expression("2*t")
    assert value("{type: Polynomial, coefficients: [1]}") == lw.Polynomial(1.0)


def test_stiffness_takes_tables_and_laws_only():
    head = BODIES + "forces: {f: {type: SpringDamper, on: one, to: two, stiffness: %s}}\n"
    assert "has an unknown type 'Harmonic'. Known: 'Table'." in refused(head % "{type: Harmonic, amplitude: 1}")[0]
    assert "t is used where a constant is wanted" in refused(head % "2*t")[0]


def test_readings_in_a_law():
    text = (
        JOINT + "forces: {f: {type: UserForce, reads: [A.angle, 2*t], along: [A.angle], law: pair, numbers: [1, L]}}\n"
    )

    def pair(values, rates, t, numbers, memory, out):
        out[0] = -numbers[0] * values[0] - numbers[1] * rates[0] + values[1]

    force = lw.read(text, laws={"pair": pair}).forces["f"]
    assert force.reads == (lw.Angle(lw.Frame("ground"), lw.Frame("one")), lw.Expression("2*t"))
    assert force.numbers == (1.0, 0.3)
