"""The schema accepts what is written, and refuses what the reader refuses for its form."""

import json

import jsonschema
import pytest

import linkwork as lw
from linkwork.files.plain import load_plain
from unit.files.examples import FOUR_BAR, LAWS, MECHANISMS, refused


@pytest.fixture(scope="module")
def validator():
    schema = lw.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_it_is_plain_data():
    assert json.loads(json.dumps(lw.schema())) == lw.schema()


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("format", ["yaml", "json"])
def test_all_that_is_written_is_accepted(validator, name, format):
    assert not list(validator.iter_errors(load_plain(lw.to_text(MECHANISMS[name](), format))))


@pytest.mark.parametrize("name", lw.gallery.names())
def test_the_gallery_is_accepted(validator, name):
    assert not list(validator.iter_errors(load_plain(lw.gallery.path(name))))
    assert not list(validator.iter_errors(load_plain(lw.to_text(lw.gallery.get(name), "json"))))


BASE = (
    FOUR_BAR
    + """\
drivers:
  d1: {measure: A.angle, function: 0.1*sin(t)}
  d2:
    {type: Driver, measure: {type: Offset, on: crank, to: rocker, axis: y},
     function: {type: Harmonic, amplitude: 1, frequency: 2}}
  d3: {measure: {type: Sum, parts: [[1, A.angle], [2, B.angle]]}, function: {type: Polynomial, coefficients: [1, 2*L]}}
  d4: {measure: C.angle, function: {law: swing}, from_assembled: true}
"""
)
BASE = BASE.replace(
    "  spring:",
    """\
  push: {type: PointForce, at: {body: crank, at: [0, 1], angle: 3 deg}, x: 1, y: 2*t}
  mine: {type: UserForce, measure: A.angle, law: bump, stiffness: 3}
  bent: {type: SpringDamper, on: ground, to: crank, stiffness: {type: Table, times: [0, 1], values: [0, 1]}}
  spring:""",
).replace(
    "  rocker:",
    """\
  hammer: {shape: join, parts: [{shape: bar, length: 1, mass: 1}, [{mass: 1, outline: [[circle, [0, 0], 1]]}, 1, 0]]}
  bead: {type: Particle, mass: 1, position: [0, 1]}
  rocker:""",
)


def test_the_base_of_the_mutations_is_good(validator):
    assert lw.read(BASE, laws=LAWS)
    assert not list(validator.iter_errors(load_plain(BASE)))


MUTATIONS = [
    # unknown words
    ("type: Revolute", "type: Revolut"),
    ("shape: bar", "shape: bear"),
    ("type: SpringDamper", "type: Spring"),
    ("type: Particle", "type: Partikel"),
    ("type: Driver", "type: Motor"),
    ("type: Offset", "type: Ofset"),
    ("type: Harmonic", "type: Harmonica"),
    ("type: Table", "type: Tabel"),
    ("type: simulate", "type: simulat"),
    ("type: Polynomial", "type: Table"),
    ("type: PointForce", "type: Torque"),
    # unknown fields
    ("length: L", "lenght: L"),
    ("mass: 2 kg", "mas: 2 kg"),
    ("to: crank.a", "too: crank.a"),
    ("rest_length", "restlength"),
    ("bodies:", "bodys:"),
    ("every:", "evry:"),
    ("measure: A.angle, function", "mesure: A.angle, function"),
    ("axis: y", "axes: y"),
    ("amplitude: 1", "amplitud: 1"),
    ("angle: 3 deg", "angel: 3 deg"),
    ("{law: swing}", "{lav: swing}"),
    ("duration: 10", "duration: 10, progress: true"),
    ("shape: bar, length: 2.5", "shape: bar, inertia: 3, length: 2.5"),
    ("type: Particle, mass: 1", "type: Particle, mass: 1, angle: 2"),
    ("parameters:", "params:"),
    # wrong kinds of value
    ("linkwork: 1", "linkwork: 2"),
    ("linkwork: 1", "linkwork: '1'"),
    ("dimension: 2", "dimension: 4"),
    ("dimension: 2", "dimension: [2]"),
    ("name: four-bar", "name: 12"),
    ("name: four-bar", "name: [a]"),
    ("mass: 2 kg", "mass: [2]"),
    ("mass: 2 kg", "mass: true"),
    ("mass: 2 kg", "mass: null"),
    ("mass: 2 kg", "mass: {a: 1}"),
    ("points: {tracer: [0.2, 40 cm]}", "points: [1, 2]"),
    ("points: {tracer: [0.2, 40 cm]}", "points: {tracer: 3}"),
    ("[0.2, 40 cm]", "[0.2, [1]]"),
    ("on: crank.b", "on: [0, 0]"),
    ("on: crank.b", "on: 3"),
    ("on: crank.b", "on: crank.b.c"),
    ("on: crank.b", "on: {crank: 3}"),
    ("on: crank.b", "on: {crank: [1]}"),
    ("on: crank.b", "on: {crank: [0, 0], rocker: [0, 0]}"),
    ("stiffness: 20 N/m", "stiffness: [1, 2]"),
    ("stiffness: 20 N/m", "stiffness: {type: Harmonic, amplitude: 1, frequency: 1}"),
    ("stiffness: 3}", "stiffness: [3]}"),
    ("from_assembled: true", "from_assembled: yes"),
    ("from_assembled: true", "from_assembled: 1"),
    ("law: bump", "law: 3"),
    ("law: bump", "law: {name: bump}"),
    ("coefficients: [1, 2*L]", "coefficients: 1"),
    ("times: [0, 1]", "times: [0, true]"),
    ("parts: [[1, A.angle], [2, B.angle]]", "parts: [[1, A.angle, 2]]"),
    ("parts: [[1, A.angle]", "parts: [[A.angle, 1]"),
    ("[circle, [0, 0], 1]", "[circle, [0, 0]]"),
    ("[circle, [0, 0], 1]", "[circus, [0, 0], 1]"),
    ("[circle, [0, 0], 1]", "circle"),
    ("measure: A.angle, function", "measure: 3, function"),
    ("measure: A.angle, function", "measure: [A.angle], function"),
    ("start: {A.angle: 60 deg}", "start: {A.angle: [1]}"),
    ("parameters: {L: 1.0", "parameters: {L: [1.0]"),
    ("parameters: {L: 1.0, W: 2*L + 1}", "parameters: [1]"),
    ("joints:", "joints: 3\nnothing:"),
    ("  A: {type: Revolute,", "  A: 3\n  A2: {type: Revolute,"),
    ("  crank:   {", "  crank: []\n  krank: {"),
    ("  crank:   {", "  crank: ~\n  krank: {"),
    ("analysis: {", "analysis: [1]\nanalyses: {"),
    # missing
    ("linkwork: 1 ", "# "),
    ("mass: 2 kg, ", ""),
    ("length: 2.5, ", ""),
    ("type: Revolute, on: crank.b", "on: crank.b"),
    (", to: coupler.middle", ""),
    ("measure: A.angle, function: 0.1*sin(t)", "function: 0.1*sin(t)"),
    ("function: 0.1*sin(t)", "level: speed"),
    (", frequency: 2", ""),
    ("type: Harmonic, ", ""),
    (", values: [0, 1]", ""),
    ("type: simulate, ", ""),
    ("body: crank, at: [0, 1], ", ""),
]


@pytest.mark.parametrize(("old", "new"), MUTATIONS)
def test_what_the_reader_refuses_for_its_form_the_schema_refuses(validator, old, new):
    assert old in BASE
    text = BASE.replace(old, new, 1)
    assert refused(text, laws=LAWS)
    try:
        data = load_plain(text)
    except lw.errors.FileError:
        return  # no schema sees it
    assert list(validator.iter_errors(data))


@pytest.mark.parametrize(
    "part",
    [
        "gravity: null",
        "gravity: [0, 0]",
        "bodies: ~",
        "analysis: ~",
        "parameters: {}",
        "name: 'x'",
        "dimension: 3",
        "bodies: {a: {mass: 1}}\nanalysis: {type: assemble, start: {a.angle: 1}, t: 3 s}",
        "analysis: {type: simulate, times: [0, 1], atol: ~}",
    ],
)
def test_small_things_that_both_accept(validator, part):
    text = f"linkwork: 1\n{part}\n"
    assert lw.read(text)
    assert not list(validator.iter_errors(load_plain(text)))


def test_descriptions_come_from_the_classes():
    defs = lw.schema()["$defs"]
    assert "A massless rod" in defs["joints.Rod"]["description"]
    assert defs["joints.Rod"]["properties"]["length"]["default"] == 1.0
    assert defs["shapes.bar"]["required"] == ["shape", "length", "mass"]
