"""Parameters, texts that name them, and shapes: read, kept and written back."""

import pytest

import linkwork as lw
from linkwork.errors import FileError, UnknownNameError

PLANE = """\
linkwork: 1
name: all that follows parameters
dimension: 2
gravity: [0.0, "-g"]
parameters: {L: 0.8, k: 20 N/mm, w: "2*pi", g: 9.81 m/s^2, R: "2*L"}
bodies:
  slider: {mass: 5.0, inertia: 0.2}
  rod: {shape: bar, length: L, mass: 2.0, points: {tip: [L/2, 0.0]}, angle: w*0.01}
  both:
    shape: join
    parts: [[{shape: bar, length: "2*L", mass: 1.0}, 0.0, L], {shape: disc, radius: R, mass: 3.0}]
    points: {m: [0.0, L/2]}
  ball: {type: Particle, mass: w/4}
joints:
  guide: {type: Prismatic, on: {ground: [L, 0.0]}, to: slider}
  pin: {type: Revolute, on: slider, to: rod.a}
  pin2: {type: Revolute, on: {body: rod, at: [L/4, 0.0], angle: w*0.1}, to: both.m}
  rope: {type: Rod, on: {body: both, at: [0.0, 0.0], along: [L, R]}, to: ball, length: R}
drivers:
  shaker: {measure: guide.slide, function: "0.02*sin(w*t)", active: false}
  two: {measure: pin.angle, function: {type: Harmonic, amplitude: L, frequency: w}, active: false}
  three: {measure: {type: Sum, parts: [[R, pin.angle], [1.0, guide.slide]]}, function: L, active: false}
forces:
  spring:
    type: SpringDamper
    on: {ground: [-1.0, 0.0]}
    to: slider
    stiffness: k
    rest_length: 0.9
    damping: 30.0
    actuator: "3 N*sin(w*t)"
  push: {type: PointForce, at: rod.tip, x: k*L/1000}
  own: {type: UserForce, measure: pin.angle, law: {law: bump}, stiffness: "3*k"}
readings:
  look: {measure: {type: Distance, on: {ground: [R, L]}, to: rod.b}}
"""

SPACE = """\
linkwork: 1
name: in space
dimension: 3
parameters: {L: 0.8, a: 30 deg}
bodies:
  crate: {shape: box, x: L, "y": 0.2, z: L/2, density: "20*L", orientation: {axis: [0.0, 0.0, 1.0], angle: a/2}}
  top: {shape: cone, radius: 0.1, height: L, mass: 1.0, axis: x, orientation: {order: XYZ, angles: [a, 0.0, "2*a"]}}
joints:
  weld: {type: Fixed, on: crate.top, to: {body: top, at: [0.0, 0.0, L], axis: [0.0, L, L]}}
forces:
  rubber: {type: Bushing, on: ground, to: crate, stiffness: [1.0, 1.0, L, 1.0, 1.0, 1.0]}
"""


def bump(value, rate, t, stiffness):
    return -stiffness * value


def read(text, **parameters):
    return lw.read(text, {"bump": bump}, parameters=parameters or None)


@pytest.mark.parametrize("text", [PLANE, SPACE])
def test_a_file_is_written_as_it_was(text):
    m = read(text)
    assert lw.to_text(m) == text
    again = lw.read(lw.to_text(m, "json"), {"bump": bump})
    assert again == m and lw.to_text(again) == text


@pytest.mark.parametrize("text", [PLANE, SPACE])
def test_other_numbers_are_those_of_a_file_with_other_parameters(text):
    other, anew = read(text).with_numbers({"L": 0.55}), read(text, L=0.55)
    assert other == anew and lw.digest(other) == lw.digest(anew)
    assert lw.to_text(other) == lw.to_text(anew)
    assert other != read(text)


def test_every_parameter_reaches_all_that_names_it():
    m = read(PLANE)
    numbers = {"L": 0.9, "k": 3, "w": 4.0, "g": 1.0, "R": 1.3}
    for name, value in numbers.items():
        assert m.with_numbers({name: value}) == read(PLANE, **{name: value})
    assert m.with_numbers(numbers) == read(PLANE, **numbers)


def test_a_digest_names_numbers_whatever_they_came_from():
    m = lw.Mechanism()
    m.add("rod", lw.bar(0.75, 1))
    by_parameter = lw.Mechanism(parameters={"L": 0.25, "unused": 7})
    by_parameter.add("rod", lw.bar("L + 0.5", 1))
    by_fields = lw.Mechanism()
    rod = m["rod"]
    by_fields.add("rod", lw.Body(rod.mass, rod.inertia, points=dict(rod.points), outline=rod.outline))
    assert by_parameter["rod"].length == rod.length
    assert lw.digest(m) == lw.digest(by_parameter) == lw.digest(by_fields)
    assert m == by_parameter == by_fields
    assert "shape" not in lw.to_text(by_fields) and "shape: bar, length: L + 0.5" in lw.to_text(by_parameter)


def test_results_come_back_with_their_parameters(tmp_path):
    m = lw.Mechanism("pendulum", parameters={"L": "50 cm"})
    rod = m.add("rod", lw.bar("2*L", 1))
    m.add("A", lw.Revolute(m.ground.at("L", 0), rod.a))
    run = m.with_numbers({"L": 0.3}).simulate(0.1, every=0.05, coordinates="body")
    run.to_json(tmp_path / "run.json")
    back = lw.load(tmp_path / "run.json")
    assert back.mechanism.parameters == {"L": 0.3} and (back["A.angle"] == run["A.angle"]).all()
    assert back.mechanism.with_numbers({"L": 0.5}) == m


def test_wrong_texts_are_told_where_they_are():
    with pytest.raises(FileError) as caught:
        lw.read(
            PLANE.replace("length: L,", "length: k,").replace("rest_length: 0.9", "rest_length: 2*Lx"), {"bump": bump}
        )
    told = str(caught.value)
    assert "<text>:8:29: Body 'rod' length has a unit of another kind" in told
    assert "'Lx'" in told and len(caught.value.problems) == 2
    with pytest.raises(FileError, match=r"Parameter 'L' is defined by itself. Got L -> R -> L"):
        lw.read(PLANE.replace("L: 0.8", "L: R/2"), {"bump": bump})


def test_limits_check_the_unit_of_a_parameter():
    text = (
        "linkwork: 1\nparameters: {L: 30 cm}\nbodies: {rod: {shape: bar, length: L, mass: 1}}\n"
        "joints: {A: {type: Revolute, on: ground, to: rod.a}}\n"
        "forces: {stop: {type: Limit, measure: A.angle, upper: L}}\n"
    )
    with pytest.raises(FileError, match=r"upper has a unit of another kind"):
        lw.read(text)


def test_parameters_of_a_file_are_those_of_the_mechanism():
    document = lw.read_document(PLANE, {"bump": bump})
    assert document.mechanism.parameters == document.parameters
    with pytest.raises(UnknownNameError, match=r"no number 'l'.*Nearest: 'L'"):
        document.mechanism.with_numbers({"l": 1})
