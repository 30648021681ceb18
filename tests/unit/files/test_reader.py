"""Files to mechanisms: what is read, and every problem with its place."""

import pytest
import yaml

import linkwork as lw
from linkwork.errors import FileError
from unit.files.examples import FOUR_BAR, bump, four_bar, refused

HEAD = "linkwork: 1\n"
TWO = HEAD + "bodies: {one: {mass: 1, points: {tip: [1, 0]}}, two: {mass: 1}}\n"


def test_file_of_the_design():
    found = lw.read_document(FOUR_BAR)
    assert found.mechanism == four_bar()
    assert found.parameters == {"L": 1.0, "W": 3.0}
    assert found.analysis == {
        "type": "simulate",
        "duration": 10.0,
        "every": 0.01,
        "start": {"A.angle": "60 deg"},
        "near": {"coupler.angle": "30 deg"},
    }
    assert found.source == "<text>"


def test_path_and_text(tmp_path):
    path = tmp_path / "m.yaml"
    path.write_text(FOUR_BAR)
    assert lw.read(path) == lw.read(str(path)) == four_bar()
    assert lw.read('{"linkwork": 1, "bodies": {"b": {"mass": 1}}}').bodies["b"].mass == 1.0


def test_parameters_may_be_replaced():
    assert lw.read(FOUR_BAR, parameters={"L": 2.0}).bodies["coupler"].b.position[0] == 2.5
    assert lw.read(FOUR_BAR, parameters={"L": "50 cm"}).bodies["crank"].b.position[0] == 0.25
    assert refused(FOUR_BAR, parameters={"M": 2.0}) == ["The file has no parameter 'M'. Known: 'L', 'W'."]


def test_all_problems_at_once_with_their_places(tmp_path):
    path = tmp_path / "bad.yaml"
    text = FOUR_BAR
    for old, new in [
        ("2*L + 1", "2*Q"),
        ("length: L,", "lenght: L,"),
        ("type: Revolute, on: coupler.b", "type: Revolut, on: x"),
        ("{ground: [3.2", "{grund: [3.2"),
        ("rocker.a}", "rocker.c}"),
        ("20 N/m", "20 N/mmm"),
        ("rest_length: 1.0", "rest_length: .nan"),
        ("every", "evry"),
    ]:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    with pytest.raises(FileError) as caught:
        lw.read(path)
    got = [(one.line, one.column, one.message) for one in caught.value.problems]
    assert [(line, column) for line, column, _ in got] == [
        (4, 25),
        (6, 25),
        (12, 13),
        (12, 26),
        (13, 28),
        (13, 50),
        (15, 85),
        (15, 108),
        (16, 42),
    ]
    for (_, _, message), part in zip(
        got,
        [
            "There is no name 'Q' in parameter 'W'.",
            "Body 'crank' has an unknown field 'lenght'. Nearest: 'length'.",
            "Joint 'C' has an unknown type 'Revolut'. Nearest: 'Revolute'.",
            "Joint 'C' on is on a body that does not exist: 'x'.",
            "Joint 'D' (Revolute) on is on a body that does not exist: 'grund'. Nearest: 'ground'",
            "Joint 'D' (Revolute) to names a point that body 'rocker' does not have: 'c'. Known: 'a', 'b', 'middle'.",
            "stiffness: the unit 'mmm' is not known. Got '20 N/mmm'",
            "rest_length is not finite. Got '.nan'",
            "analysis (simulate) has an unknown field 'evry'. Nearest: 'every'.",
        ],
    ):
        assert part in message
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"{path}:4:25: ") and lines[1] == "    parameters: {L: 1.0, W: 2*Q}"
    assert len(lines) == 18


def test_reading_stops_after_many_problems():
    text = TWO + "joints:\n" + "".join(f"  j{k}: {{type: Rev}}\n" for k in range(200))
    with pytest.raises(FileError, match="reading stopped after 50 problems") as caught:
        lw.read(text)
    assert len(caught.value.problems) == 50


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: x\n", "The file does not say its version. Wanted linkwork: 1."),
        ("linkwork: 2\nnew: 1\n", "The file needs a Linkwork that reads version 2 of the format."),
        ("linkwork: 0\n", "The file has an unknown version. Got '0'; wanted linkwork: 1."),
        ("linkwork: one\n", "The file has an unknown version. Got 'one'"),
        ("- 1\n", "The file is no model file. Got a list"),
        ("\n", "The file is empty."),
        (HEAD + "bodys: {}\n", "The file has an unknown field 'bodys'. Nearest: 'bodies'."),
        (HEAD + "bodies: [1]\n", "The field 'bodies' is not a map. Got a list"),
        (HEAD + "bodies: {b: 1}\n", "Body 'b' is not described. Got '1'"),
        (HEAD + "joints: {A: [1]}\n", "Joint 'A' is not described. Got a list"),
        (HEAD + "name: 12\n", "Mechanism name is not a text. Got '12'; wanted a text. Put it in quotes."),
        (HEAD + "dimension: 4\n", "Mechanism dimension is unknown. Got '4'; wanted 2 or 3."),
        (HEAD + "gravity: 9.81\n", "Mechanism gravity"),
        (HEAD + "gravity: [1]\n", "gravity has the wrong length"),
        (HEAD + "bodies: {b: {}}\n", "Body 'b' has no mass. Wanted mass: a number."),
        (HEAD + "bodies: {b: {mass: -1}}\n", "Body 'b' mass is too small. Got -1.0"),
        (HEAD + "bodies: {b: {mass: true}}\n", "Body 'b' mass is not a number. Got 'true'"),
        (HEAD + "bodies: {b: {mass: 1 m}}\n", "mass has a unit of another kind"),
        (HEAD + "bodies: {b: {mass: [1]}}\n", "Body 'b' mass is a list. Got a list; wanted a number."),
        (HEAD + "bodies: {b: {mass: {x: 1}}}\n", "Body 'b' mass is a map. Got a map; wanted a number."),
        (HEAD + "bodies: {b: {mass: }}\n", "Body 'b' mass is empty. Wanted a number."),
        (HEAD + "bodies: {b: {mass: 010}}\n", "begins with a zero"),
        (HEAD + "bodies: {b: {mass: 1, gravity: yes}}\n", "gravity is neither true nor false. Got 'yes'"),
        (
            HEAD + "bodies: {b: {mass: 1, position: 3}}\n",
            "Body 'b' position has the wrong kind. Got '3'; wanted a list",
        ),
        (HEAD + "bodies: {b: {mass: 1, position: [1, x]}}\n", "position[1]: There is no name 'x'"),
        (HEAD + "bodies: {b: {mass: 1, points: {mass: [0, 0]}}}\n", "the point name 'mass' is taken"),
        (HEAD + "bodies: {b: {mass: 1, outline: [[star, [0, 0], 1]]}}\n", "outline[0] is a list of another form"),
        (HEAD + "bodies: {b: {shape: bear, mass: 1}}\n", "Body 'b' has an unknown shape 'bear'. Nearest: 'bar'."),
        (HEAD + "bodies: {b: {shape: [1], mass: 1}}\n", "Body 'b' has an unknown shape"),
        (HEAD + "bodies: {b: {shape: bar, type: Body, mass: 1, length: 1}}\n", "has a shape and a type"),
        (HEAD + "bodies: {b: {shape: bar, length: 0, mass: 1}}\n", "Body 'b' length is too small"),
        (HEAD + "bodies: {b: {shape: bar, length: 1e200, mass: 1}}\n", "Body 'b': bar has numbers that are too large"),
        (HEAD + "bodies: {b: {shape: bar, length: 1, mass: 1, inertia: 2}}\n", "has an unknown field 'inertia'"),
        (
            HEAD + "bodies: {b: {type: Partcle, mass: 1}}\n",
            "Body 'b' has an unknown type 'Partcle'. Nearest: 'Particle'.",
        ),
        (HEAD + "bodies: {ground: {mass: 1}}\n", "cannot give a name that is taken by the product. Got 'ground'"),
        (HEAD + "bodies: {a.b: {mass: 1}}\n", "cannot give a name with a dot or outer spaces. Got 'a.b'"),
        (HEAD + "bodies: {'': {mass: 1}}\n", "a name is not a word"),
        (TWO + "joints: {one: {type: Fixed, on: one, to: two}}\n", "has two items of one name. Got 'one'"),
        (TWO + "joints: {A: {on: one, to: two}}\n", "Joint 'A' has no type. Wanted type: Revolute,"),
        (TWO + "joints: {A: {type: Revolute, on: one}}\n", "Joint 'A' (Revolute) has no to. Wanted to: a frame"),
        (
            TWO + "joints: {A: {type: Revolute, on: one, to: one.tip}}\n",
            "Joint 'A' (Revolute) has both frames on body 'one'",
        ),
        (TWO + "joints: {A: {type: Rod, on: one, to: two, length: 0}}\n", "Joint 'A' (Rod) length is too small"),
        (TWO + "joints: {A: {type: Fixed, on: one, to: {two: [0, 0, 1]}}}\n", "leaves the plane"),
        (TWO + "joints: {A: {type: Hold, on: one, to: two}}\n", "Joint 'A' (Hold) holds nothing"),
        (TWO + "joints: {A: {type: RollingDisc, on: one, to: two, reference: 1 kg}}\n", "reference"),
        (TWO + "drivers: {d: {function: 1}}\n", "Driver 'd' has no measure"),
        (TWO + "drivers: {d: {measure: A.angle, function: 1}}\n", "Driver 'd' measure is not a measure: 'A.angle'."),
        (TWO + "forces: {f: {type: Torque, to: two, value: [1]}}\n", "Force 'f' (Torque) value is a list"),
        (TWO + "forces: {f: {type: PointForce, at: two, axes: moon}}\n", "(PointForce) axes is unknown: 'moon'. Known"),
        (TWO + "forces: {f: {type: UserForce, measure: x.y}}\n", "Force 'f' (UserForce) measure is not a measure"),
        (HEAD + "analysis: {duration: 1}\n", "analysis has no type. Wanted type: simulate,"),
        (HEAD + "analysis: {type: simulat}\n", "analysis has an unknown type 'simulat'. Nearest: 'simulate'."),
        (HEAD + "analysis: {type: simulate, duration: 3 m}\n", "duration"),
        (HEAD + "analysis: {type: simulate, start: {a: [1]}}\n", "start 'a' is not a number. Got a list"),
        (HEAD + "analysis: {type: simulate, method: 3}\n", "method is unknown: '3'. Known"),
        (HEAD + "parameters: {2a: 1}\n", "have a name that is no word. Got '2a'"),
        (HEAD + "parameters: {t: 1}\n", "which has a meaning of its own"),
        (HEAD + "parameters: {a: [1]}\n", "Parameter 'a' is not a number. Got a list"),
        (HEAD + "parameters: {a: 1 mmm}\n", "the unit 'mmm' is not known"),
    ],
)
def test_refused(text, told):
    found = refused(text)
    assert any(told in one for one in found), found
    assert len(found) == 1, found


def test_missing_laws_are_all_named():
    text = (
        TWO
        + """\
forces:
  f: {type: UserForce, measure: {type: Distance, on: one, to: two}, law: bump, stiffness: 2}
  g: {type: SpringDamper, on: one, to: two, stiffness: {law: cubic}, actuator: {law: pull}}
"""
    )
    found = refused(text)
    assert [name for one in found for name in ("bump", "cubic", "pull") if f"laws={{'{name}': function}}" in one] == [
        "bump",
        "cubic",
        "pull",
    ]
    m = lw.read(text, laws={"bump": bump, "cubic": abs, "pull": abs})
    assert m.forces["f"].numbers == (2.0, 0.1) and m.forces["g"].stiffness is abs
    assert "was given as no function. Got int" in refused(text, laws={"bump": 1, "cubic": abs, "pull": abs})[0]


def test_numbers_of_a_law():
    text = TWO + "forces:\n  f: {type: UserForce, measure: {type: Distance, on: one, to: two}, law: bump, %s}\n"
    assert "There is no number 'stifness'" in refused(text % "stifness: 2", laws={"bump": bump})[0]
    assert "number 'stiffness' of its law is missing" in refused(text % "damping: 2", laws={"bump": bump})[0]


def test_cyclic_parameters():
    found = refused(
        HEAD
        + "parameters: {a: b + 1, b: 2*c, c: a, d: 1, e: a + d}\nbodies: {x: {mass: a}, y: {mass: d}}\n".replace(
            "e: a", "f: a"
        )
    )
    assert len(found) == 1 and "is defined by itself" in found[0]


def test_a_wrong_parameter_is_told_once():
    found = refused(HEAD + "parameters: {a: q, b: 2*a}\nbodies: {x: {mass: a}, y: {mass: b}, z: {mass: q}}\n")
    assert len(found) == 2 and "'q' in parameter 'a'" in found[0] and "Body 'z' mass" in found[1]


def test_parameters_in_any_order_and_with_units():
    found = lw.read_document(HEAD + "parameters: {b: 2*a, a: 30 cm, c: a + b}\n")
    assert found.parameters == pytest.approx({"b": 0.6, "a": 0.3, "c": 0.9})
    assert list(found.parameters) == ["b", "a", "c"]


def test_parameters_keep_their_units_in_expressions():
    head = HEAD + "parameters: {L: 30 cm, k: 20 N/mm, w: 60 rpm, q: 3, R: 2*L}\n"
    m = lw.read(
        head
        + """\
bodies:
  a: {shape: bar, length: 2*L, mass: q*L, points: {tip: [R/2, 0.01 + L]}, outline: [[line, [[0, 0], [R, 1 cm]]]]}
joints: {A: {type: Revolute, on: {ground: [L, -L]}, to: a.a}}
forces:
  s: {type: SpringDamper, on: ground, to: a.b, stiffness: 2*k, rest_length: L + 0.1, actuator: k*L*sin(w*t)}
drivers: {d: {measure: A.angle, function: {type: Harmonic, amplitude: R/L, frequency: 2*w}}}
"""
    )
    assert m.bodies["a"].b.position[0] == 0.3 and m.bodies["a"].mass == pytest.approx(0.9)
    assert m.bodies["a"].points["tip"] == pytest.approx((0.3, 0.31))
    assert m.bodies["a"].outline == (("line", ((0.0, 0.0), (0.6, 0.01))),)
    assert m.forces["s"].stiffness == 40_000.0 and m.forces["s"].rest_length == pytest.approx(0.4)
    assert m.drivers["d"].function.frequency == pytest.approx(12.566370614)
    for wrong, told in (
        ("bodies: {a: {mass: 2*L}}", "Got 0.6, a length (m); wanted a mass (kg)"),
        ("bodies: {a: {mass: L + k}}", "a length (m) and a stiffness (N/m) do not go together"),
        ("bodies: {a: {mass: 1 kg + 2 kg}}", "Give the quantities as parameters"),
        ("analysis: {type: simulate, duration: 2*L}", "wanted a time (s)"),
        (
            "bodies: {a: {mass: 1}}\nforces: {f: {type: Torque, to: a, value: k*sin(w*t)}}",
            "value has a unit of another kind. Got 'k*sin(w*t)' with k = ",
        ),
        ("parameters: {L: 1 m, M: L + 1 s}", "cannot be used"),
    ):
        found = refused((HEAD if wrong.startswith("parameters") else head) + wrong + "\n")
        assert len(found) == 1 and told in found[0], found
    assert lw.read_document(head + "analysis: {type: simulate, duration: 2/q}\n").analysis["duration"] == 2 / 3


def test_joints_before_bodies_in_the_file():
    m = lw.read(HEAD + "joints: {A: {type: Revolute, on: ground, to: b}}\nbodies: {b: {mass: 1}}\n")
    assert m.joints["A"].to.body == "b"


def test_editors_may_name_the_schema():
    assert lw.read('{"$schema": "linkwork.schema.json", "linkwork": 1}').name == "mechanism"
    assert "The file $schema is not a text. Got '3'" in refused(HEAD + "$schema: 3\n")[0]


@pytest.mark.parametrize("option", ["laws", "parameters"])
def test_options_of_another_kind(option):
    with pytest.raises(lw.errors.DescriptionError, match=f"read cannot use its {option}. Got list; wanted a mapping"):
        lw.read(HEAD, **{option: [1]})


def test_empty_sections_are_allowed():
    assert lw.read(HEAD + "bodies:\njoints: ~\nanalysis:\n").bodies == {}


def test_aliases_are_allowed():
    m = lw.read(HEAD + "bodies:\n  a: &rod {shape: bar, length: 1, mass: 2}\n  b: *rod\n")
    assert m.bodies["b"].mass == 2.0 and m.bodies["b"].name == "b"


def test_words_that_yaml_takes_for_something_else():
    m = lw.read(HEAD + "name: no\nbodies: {on: {mass: 1e3}, yes: {mass: 1.}, 12: {mass: +.5}, null: {mass: '2'}}\n")
    assert m.name == "no"
    assert {name: body.mass for name, body in m.bodies.items()} == {"on": 1000.0, "yes": 1.0, "12": 0.5, "null": 2.0}


def test_join():
    m = lw.read(
        HEAD
        + """\
bodies:
  hammer: {shape: join, parts: [{shape: bar, length: 1, mass: 1}, [{mass: 2, inertia: 0.1}, 0.5, 0, 90 deg]]}
"""
    )
    expected = lw.join(lw.bar(1, 1), (lw.Body(2.0, 0.1), 0.5, 0.0, "90 deg"))
    assert m.bodies["hammer"].inertia == expected.inertia and m.bodies["hammer"].center == expected.center


def test_analysis_keeps_words_and_truth_values():
    found = lw.read_document(
        HEAD + "parameters: {T: 2}\nanalysis: {type: simulate, times: [0, T], coordinates: body, "
        "correct: false, rtol: 1e-9, atol: null, every: step, constraints: baumgarte, alpha: 5 1/s}\n"
    ).analysis
    assert found == {
        "type": "simulate",
        "times": [0.0, 2.0],
        "coordinates": "body",
        "correct": False,
        "rtol": 1e-9,
        "atol": None,
        "every": "step",
        "constraints": "baumgarte",
        "alpha": 5.0,
    }


def test_start_values_are_checked_with_their_line():
    text = (
        "linkwork: 1\nname: p\nbodies:\n  rod: {shape: bar, length: 1, mass: 1}\njoints:\n"
        "  A: {type: Revolute, on: {ground: [0, 0]}, to: rod.a}\n"
        "analysis:\n  type: simulate\n  duration: 1\n  start: {A.angel: 1}\n  near: {A.angle: 3 kg}\n"
    )
    with pytest.raises(FileError) as caught:
        lw.read(text)
    told = str(caught.value)
    assert ":10:" in told and "A.angle" in told
    assert ":11:" in told and "kg" in told


@pytest.mark.parametrize("name", ["true", "True"])
def test_on_that_a_program_wrote_as_true_gets_a_hint(name):
    """PyYAML reads a bare `on` as true, and writes that."""
    text = (
        "linkwork: 1\nbodies: {b: {mass: 1, inertia: 1}}\njoints:\n  A:\n    type: Revolute\n    to: b\n"
        f"    {name}: ground\n"
    )
    with pytest.raises(FileError) as caught:
        lw.read(text)
    (problem,) = caught.value.problems
    assert problem.line == 7 and "write on: here" in problem.message


def test_what_pyyaml_wrote_gets_the_hint():
    text = "linkwork: 1\nbodies: {b: {mass: 1, inertia: 1}}\njoints: {A: {type: Revolute, on: ground, to: b}}\n"
    lw.read(text)
    with pytest.raises(FileError, match="write on: here"):
        lw.read(yaml.safe_dump(yaml.safe_load(text)))
