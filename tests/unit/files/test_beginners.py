"""Mistakes that a first model file has: each is told at its place, in the words of files."""

import pytest

import linkwork as lw
from linkwork.errors import FileError, OutOfPlaneError, nearest_names

MODEL = """linkwork: 1
name: engine
parameters: {r: 80 mm, L: 250 mm, n: 20 Hz}
bodies:
  crank: {shape: bar, length: r, mass: 0.5 kg}
  rod: {shape: bar, length: L, mass: 1 kg}
  piston: {mass: 1.2 kg}
joints:
  A: {type: Revolute, on: {ground: [0, 0]}, to: crank.a}
  B: {type: Revolute, on: crank.b, to: rod.a}
  C: {type: Revolute, on: rod.b, to: piston}
  D: {type: Prismatic, on: {ground: [0, 0]}, to: piston}
drivers:
  motor: {measure: A.angle, function: 2*pi*t}
"""
LAST = MODEL.count("\n")


def told(tmp_path, text: str) -> list[str]:
    path = tmp_path / "m.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        lw.read_document(path)
    return [f"{one.line}:{one.column}: {one.message}" for one in caught.value.problems]


def changed(old: str, new: str) -> str:
    assert MODEL.count(old) == 1
    return MODEL.replace(old, new)


@pytest.mark.parametrize(("analysis", "at", "words"), [
    ("{type: sweep, duration: 1, vary: {r: {from: 60 mm, to: 100 mm}}, read: [motor.effort.max]}", "{from",
     "vary 'r' has no count. Got {from: 60 mm, to: 100 mm}; wanted {from: 10, to: 50, count: 5}"),
    ("{type: sweep, duration: 1, vary: {r: {mean: 60 mm}}, read: [motor.effort.max]}", "{mean",
     "vary 'r' has no deviation. Got {mean: 60 mm}"),
    ("{type: sweep, duration: 1, vary: {r: {from: 60 mm, to: 1 m, cuont: 3}}, read: [motor.effort.max]}", "cuont",
     "vary 'r' has an unknown field 'cuont'. Nearest: 'count'"),
    ("{type: sweep, duration: 1, vary: {r: [60 mm]}, read: [A.angle.max, motor.efort.max]}", "motor.efort",
     "There is no quantity 'motor.efort' in mechanism 'engine'. Nearest: 'motor.effort'"),
    ("{type: sweep, duration: 1, vary: {r: [60 mm]}, read: motor.effort.maximum}", "motor.effort.maximum",
     "reads 'motor.effort.maximum', which is no number of 'motor.effort'. Got 'maximum'; wanted .first, .last, .min"),
    ("{type: sweep, duration: 1, vary: {r: [60 mm, 100 kg]}, read: [A.angle.max]}", "r: [60",
     "Got '100 kg', a mass (kg); wanted a length (m). Write for example"),
    ("{type: optimize, duration: 1, vary: {r: [6 cm, 9 cm]}, minimize: motor.effort.max, "
     "subject_to: [B.reaction.max <= 3 kN]}", "B.reaction",
     "subject_to reads 'B.reaction.max', which is a vector. Wanted one of B.reaction.magnitude.max, B.reaction.x.max"),
    ("{type: optimize, duration: 1, vary: {r: [6 cm, 9 cm]}, minimize: motor.effort}", "motor.effort}",
     "minimize is a series. Got 'motor.effort'; wanted one number of it: motor.effort.first or"),
    ("{type: optimize, duration: 1, vary: {r: [6 cm, 9 cm]}, minimize: motor.effort.max, "
     "subject_to: [B.reaction.x.max <= 3 kg]}", "B.reaction", "limit of B.reaction.x.max has a unit of another kind"),
    ("{type: optimize, duration: 1, vary: {r: [6 cm, 9 cm]}, minimize: motor.effort.max, "
     "subject_to: [B.reaction.x.max]}", "B.reaction", "has a limit that is none. Got 'B.reaction.x.max'"),
    ("{type: simulate, duration: 1, coordinates: point, basis: {rod: [a, mid]}}", "[a, mid",
     "There is no point 'mid' of body 'rod'. Nearest: 'middle'"),
    ("{type: simulate, duration: 1, basis: {rod: [a, b]}}", "[a, b",
     "Got coordinates: auto; wanted coordinates: point. Give coordinates: point too, or leave out basis:"),
    ("{type: fit, vary: {r: [6 cm, 9 cm]}, measured: none.csv}", "none.csv",
     "measured names a file that is not there. Got 'none.csv'"),
])  # fmt: skip
def test_an_analysis_is_told_at_its_place(tmp_path, analysis, at, words):
    column = f"analysis: {analysis}".index(at) + 1
    (one,) = told(tmp_path, f"{MODEL}analysis: {analysis}\n")
    assert one.startswith(f"{LAST + 1}:{column}: ") and words in one, one
    assert "Errno" not in one and "reduce=" not in one and str(tmp_path) not in one


def test_what_is_right_is_read(tmp_path):
    path = tmp_path / "m.yaml"
    (tmp_path / "record.csv").write_text("t,A.angle\n0,0\n", encoding="utf-8")
    for analysis in (
        "{type: sweep, duration: 1, vary: {r: {from: 60 mm, to: 9 cm, count: 3}}, read: [B.reaction.magnitude.max]}",
        "{type: sweep, duration: 1, over: latin, count: 8, vary: {r: {mean: 6 cm, deviation: 1 mm}}, read: [A.angle]}",
        "{type: optimize, duration: 1, vary: {r: [6 cm, 9 cm]}, minimize: [motor.effort.max, A.angle.max], "
        "subject_to: [B.reaction.x.max <= 3 kN]}",
        "{type: simulate, duration: 1, coordinates: point, basis: {rod: [a, middle]}}",
        "{type: fit, vary: {r: [6 cm, 9 cm]}, measured: record.csv}",
    ):
        path.write_text(f"{MODEL}analysis: {analysis}\n", encoding="utf-8")
        assert lw.read_document(path).analysis["type"] in analysis


@pytest.mark.parametrize(("text", "words"), [
    (changed("  rod: {shape", "    rod: {shape"),
     ["6:5: The syntax is wrong in the map that began in line 5: did not find expected key. "
      "Line 6 is indented by 4, that map by 2: too far (or not far enough)?"]),
    (changed("drivers:\n  motor", "  drivers:\n    motor"),
     ["13:3: Joint 'drivers' cannot be read, and drivers is a section of a file. Indented too far (or not far enough)?"
      " It stands inside of joints."]),
    (MODEL + "  analysis:\n    type: simulate\n    duration: 1\n",
     [f"{LAST + 1}:3: Driver 'analysis' cannot be read, and analysis is a section of a file. Indented too far"]),
    (changed("  piston: {mass: 1.2 kg}", "  piston:\n  inertia: 1\n  mass: 1.2 kg"),
     ["7:10: Body 'piston' is not described. Got nothing; wanted a map of its fields, such as {mass: 1}. Are its",
      "8:12: Body 'inertia' is not described. Got '1'; wanted a map of its fields, such as {mass: 1}. 'inertia' is a "
      "field: indented too far (or not far enough)?", "9:9: Body 'mass'"]),
    (changed("  piston: {mass: 1.2 kg}", "piston: {mass: 1.2 kg}"),
     ["The file has an unknown field 'piston'. It is no section: indented too far (or not far enough)?"]),
    (changed("to: crank.a}", "to: crank.a"), ["10:4: The syntax is wrong in the map that began in line 9: did not"]),
    (changed("type: Revolute, on: crank.b", "type Revolute, on: crank.b"),
     ["Is a colon missing? Write type: Revolute."]),
    (changed("  piston: {mass: 1.2 kg}", "  piston:\n    mass 1.2 kg\n    inertia: 1"),
     ["9:12: The syntax is wrong: mapping values are not allowed in this context. Is a colon missing in line 8?"]),
    (changed("joints:", "joints"),
     ["in the name that began in line 8: could not find expected ':'. Is a colon missing"]),
    (changed("on: {ground: [0, 0]}, to: piston", "on: {ground: [0, 0], angle: 90 deg}, to: piston"),
     ["12:28: Joint 'D' (Prismatic) on has a place in short and other fields. "
      "Wanted {body: ground, at: [0, 0], angle: 90 deg}."]),
    (changed("2*pi*t", "n*t"), ["Got 'n*t' with n = 20", "Hz leaves open"]),
    (changed("mass: 1.2 kg", "mass: 1,2 kg"), ["unknown field '2 kg'. Is a decimal comma meant? Write 1.2 kg."]),
    (changed("type: Revolute, on: crank.b", "type:Revolute, on: crank.b"),
     ["has no type. Is a space missing behind the colon? Write type: Revolute."]),
    (changed("on: {ground: [0, 0]}, to: piston", "on: {ground: [0.1 0]}, to: piston"),
     ["on has a position of 1 number. Wanted 2. Are commas missing? Write [0.1, 0]."]),
    (changed("on: {ground: [0, 0]}, to: piston", "on: ground.a, to: piston"),
     ["that body 'ground' does not have: 'a'. The ground has places: {ground: [0, 1]}."]),
    (changed("  motor: {", "  rod: {"),
     ["14:3: The file has two items of one name. Got 'rod', which is a body in line 6"]),
    (changed("  piston: {", "  rod: {mass: 1}\n  piston: {"), ["7:3: The field 'rod' is given twice."]),
])  # fmt: skip
def test_a_slip_is_told_where_it_is(tmp_path, text, words):
    found = told(tmp_path, text)
    for one in words:
        assert any(one in line for line in found), (one, found)
    assert len(found) <= len(words), found
    assert not any("mechanism.replace" in line for line in found)


def test_items_may_be_called_as_sections_are(tmp_path):
    m = lw.read(MODEL.replace("piston", "analysis").replace("motor", "forces"))
    assert "analysis" in m.bodies and "forces" in m.drivers


def test_a_bushing_is_refused_in_the_plane(tmp_path):
    six = "[1, 1, 1, 1, 1, 1]"
    (one,) = told(tmp_path, MODEL + f"forces:\n  soft: {{type: Bushing, on: crank, to: rod, stiffness: {six}}}\n")
    words = "is a Bushing, which there is only in space. In the plane use SpringDamper"
    assert one.startswith(f"{LAST + 2}:3: Force 'soft'") and words in one
    m = lw.Mechanism()
    m.add("rod", lw.bar(length=1.0, mass=1.0))
    with pytest.raises(OutOfPlaneError, match=words):
        m.add("soft", lw.Bushing("ground", "rod.a", stiffness=(1.0,) * 6))


def test_only_near_names_are_called_near():
    assert nearest_names("rod", ["crank", "ground"]) == []
    assert nearest_names("tap", ["tip", "ground"]) == ["tip"]
    assert nearest_names("stiff", ["stiffness", "mass"]) == ["stiffness"]


@pytest.mark.parametrize(
    "text", ["a\x85b\x85c: d: e\n", "a b\u2028 c: d: e\n", "\r\r\ra b\r c: d: e", "a: [\u2029 b: c: d"]
)
def test_lines_are_counted_as_yaml_does(tmp_path, text):
    path = tmp_path / "breaks.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.raises(lw.errors.FileError, match="syntax is wrong"):
        lw.read(path)
