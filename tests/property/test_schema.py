"""The schema against the reader, on the same mutated files: what one accepts the other accepts.

The reader knows more: names, units, one number against another.  `UNKNOWABLE` lists those of its messages that no
schema can have, each with a file that shows it; a file that the reader refuses for anything else must be refused by the
schema too.
"""

import random
import re

import jsonschema
import pytest

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files.plain import load_plain
from property.fuzz import mutated, seeds
from unit.files.examples import FOUR_BAR, LAWS

HEAD = "linkwork: 1\n"
TWO = "bodies: {b: {mass: 1, points: {tip: [1, 0]}}, c: {mass: 1}}\n"
FORCE = TWO + "forces: {f: {type: %s}}\n"

# what the reader says, and a file that shows it: refused for that alone, and accepted by the schema
UNKNOWABLE = [
    # names that this file does not have: a schema sees one value at a time
    (r"is on a body that does not exist: ", "joints: {A: {type: Fixed, on: ground, to: b}}"),
    (r"names a point that body .* does not have: ", TWO + "joints: {A: {type: Fixed, on: ground, to: b.tap}}"),
    (r"is not a measure(: | of )", TWO + "drivers: {d: {measure: A.angle, function: 1}}"),
    (r"There is no (item|quantity) '.*' in mechanism ", "analysis: {type: assemble, start: {A.angle: 1}}"),
    (r"reads force .*, which is not known here", TWO + "forces:\n  f: {type: UserForce, measure: g.length, law: sin}\n"
                                                       "  g: {type: SpringDamper, on: ground, to: b}"),
    (r"There is no (name|function) '.*' in (expression|parameter) ", "parameters: {a: 2*x}"),
    # a Python function that was not given on reading, a table beside the file
    (r"which a file cannot hold\.", FORCE % "Torque, to: b, value: {law: system}"),
    (r"refers to (the|a) file ", FORCE % "SpringDamper, on: c, to: b, stiffness: {file: a.csv}"),
    # what stands in an expression or in a unit: a pattern knows the characters only
    (r"(Expression|Parameter) '.*' (cannot be used, at column \d+: |is defined by itself\.)", "parameters: {a: 2*}"),
    (r"is too long to be a quantity\.", f"bodies: {{b: {{mass: 1 {'k' * 200}}}}}"),
    (r"(: | )'(.|\\u\w+|\\U\w+|\\x\w+)' has no place in a unit\.", "bodies: {b: {mass: 1 a_b}}"),
    (r"the unit '.*' is not known\.", "bodies: {b: {mass: 1 parsec}}"),
    (r"the number .* stands where a unit should\.", "bodies: {b: {mass: 1 2}}"),
    (r"a unit is missing ", "bodies: {b: {mass: 20 N/}}"),
    (r"has a unit of another kind\.", "bodies: {b: {mass: 1 m}}"),
    (r"does not fit start_value\.", FORCE % "Torque, to: b, value: {type: SmoothStep, start_time: 0, start_value: 1 m, "
                                            "end_time: 1, end_value: 1 kg}"),
    (r"along is not a number\. Got '", TWO + "joints: {A: {type: Fixed, on: b, to: {body: c, along: [1 m, 2]}}}"),
    # numbers that are not finite, or out of their range, once a text has been read
    (r"not a finite number|is not finite\. Got '[-+]?\d[\d.]*(e[-+]?\d+)? ?[^\d\s.e']",
     "bodies: {b: {mass: 1e308*10}}"),
    (r"is too small\. Got (?=.* as text$)", "bodies: {b: {mass: -1 kg}}"),
    (r"inertia is not finite\. Got inf", "bodies: {b: {shape: bar, length: 10, mass: 1e308}}"),
    (r"has numbers that are too large to compute with\.", "bodies: {b: {shape: bar, length: 1e300, mass: 1}}"),
    # one number against another
    (r"is not symmetric\.", "bodies: {b: {mass: 1, inertia: [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}}"),
    (r"is not a unit quaternion\.", "bodies: {b: {mass: 1, orientation: [1, 1, 0, 0]}}"),
    (r"needs increasing times\.", FORCE % "Torque, to: b, value: {type: Table, times: [1, 0], values: [0, 0]}"),
    (r"needs one value for each time\.", FORCE % "Torque, to: b, value: {type: Table, times: [0, 1], values: [0]}"),
    (r"ends before it starts\.", FORCE % "Torque, to: b, value: {type: SmoothStep, start_time: 1, start_value: 0, "
                                         "end_time: 0, end_value: 1}"),
    # what a machine can hold
    (r"asks for more outputs than memory holds\.", TWO + "analysis: {type: simulate, duration: 1e9, every: 1e-9}"),
    # lengths of lists, which depend on the dimension
    (r"gravity has the wrong length\.", "gravity: [0, 0, -9.81]"),
    (r"leaves the plane of this 2-D mechanism\.", TWO + "joints: {A: {type: Fixed, on: b, to: {c: [0, 0, 1]}}}"),
    # one item against another
    (r"has two items of one name\.", TWO + "joints: {b: {type: Fixed, on: b, to: c}}"),
    (r"(both frames (are )?|has both ends )on body ", TWO + "joints: {A: {type: Fixed, on: b, to: b.tip}}"),
    # letters beyond ASCII: editors and Python differ on which there are
    (r"(have a name that is no word|a point's name is not a word)\. Got '.*[^\x00-\x7f].*'",
     "parameters: {a\u20ac: 1}"),
]  # fmt: skip
KNOWN = re.compile("|".join(pattern for pattern, _ in UNKNOWABLE))
PLAIN = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*([,\]}#\n]|$)")


def told(problem, text):
    """What the reader says; of a number that is too small, also whether it was a plain one, which a schema sees."""
    written = text.split("\n")[problem.line - 1][problem.column - 1 :]
    plain = PLAIN.match(written) or "is too small" not in problem.message
    return problem.message if plain else f"{problem.message} as text"


@pytest.fixture(scope="module")
def validator():
    return jsonschema.Draft202012Validator(lw.schema())


def verdicts(text, validator):
    """What the reader finds wrong (None where it reads the file) and whether the schema accepts; None for no data."""
    try:
        data = load_plain(text)
    except FileError:
        return None
    try:
        lw.read(text, laws=LAWS)
        problems = None
    except FileError as error:
        problems = [told(problem, text) for problem in error.problems]
    return problems, validator.is_valid(data)


def agree(problems, accepted):
    """Whether schema and reader may both be right."""
    if problems is None or not accepted:
        return accepted or problems is not None
    return all(KNOWN.search(problem) for problem in problems)


@pytest.mark.parametrize(("pattern", "text"), UNKNOWABLE)
def test_each_excuse_is_needed(pattern, text, validator):
    problems, accepted = verdicts(f"{HEAD}{text}\n", validator)
    assert problems and all(re.search(pattern, problem) for problem in problems), problems
    assert accepted  # else the schema knows it: take the excuse off the list


@pytest.mark.parametrize("part", range(4))
def test_schema_and_reader_agree_on_mutated_files(part, validator):
    rng = random.Random(3000 + part)
    good = [text for text in seeds() if len(text) < 4000]
    counts = {"read": 0, "refused by both": 0, "refused by the reader": 0}
    for _ in range(600):
        text = mutated(rng.choice(good), rng) + "\n"
        found = verdicts(text, validator)
        if found is None:
            continue
        problems, accepted = found
        assert agree(problems, accepted), f"{problems}, schema {'accepts' if accepted else 'refuses'}:\n{text}"
        counts["read" if problems is None else "refused by the reader" if accepted else "refused by both"] += 1
    assert all(count > 10 for count in counts.values()), counts  # every side was tried


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mass: 1.0", "mass: .nan"),
        ("mass: 1.0", "mass: -.inf"),
        ("mass: 1.0", "mass: 1e999"),
        ("mass: 1.0", "mass: '()'"),
        ("mass: 1.0", "mass: '1 < 2'"),
        ("mass: 1.0", "mass: 007"),
        ("mass: 1.0", "mass: ' '"),
        ("L: 1.0", "L: 01"),
        ("L: 1.0", "L.x: 1.0"),
        ("tracer:", "2tracer:"),
        ("tracer:", "tracer.x:"),
        ("  crank:", "  ' crank':"),
        ("  crank:", "  ground:"),
        ("  spring:", "  energy:"),
        ("mass: 1.0", "mass: -1.0"),
        ("length: 2.5", "length: 0"),
        ("rest_length: 1.0", "rest_length: -1"),
        ("rest_length: 1.0", "damping: -1"),
        ("[0.2, 40 cm]", "[0.2]"),
        ("[0.2, 40 cm]", "[0.2, 1, 2, 3]"),
        ("tracer:", "angle:"),
        ("tracer:", "at:"),
        ("L: 1.0, W: 2*L + 1", "t: 1.0"),
        ("L: 1.0, W: 2*L + 1", "lambda: 1.0"),
        ("{L: 1.0,", "{" + "L" * 61 + ": 1.0, L: 1,"),
        ("length: W", f"length: {'+'.join(['W'] * 501)}"),
        ("coupler.middle", "{body: coupler, axis: [1, 0]}"),
        ("mass: 2 kg", "mass: 2 kg, inertia: [1, 2]"),
        ("mass: 2 kg", "mass: 2 kg, velocity: [1]"),
        ("20 N/m", "{type: Table, times: [0, 1], values: [0, 1], ends: open}"),
        ("20 N/m", "{file: a.csv, ends: open}"),
        ("duration: 10", "duration: true"),
        ("every: 10 ms", "start: {A.angle: null}"),
    ],
)
def test_what_a_schema_can_know_it_knows(old, new, validator):
    assert old in FOUR_BAR
    problems, accepted = verdicts(FOUR_BAR.replace(old, new, 1), validator) or (["syntax"], False)
    assert problems and not accepted


def test_the_comparison_can_fail():
    """A schema that accepts everything, or nothing, is found out."""
    text = FOUR_BAR.replace("mass: 1.0", "mas: 1.0", 1)
    anything, nothing = (jsonschema.Draft202012Validator(schema) for schema in (True, False))
    assert not agree(*verdicts(text, anything))
    assert agree(*verdicts(text, nothing))
    assert not agree(*verdicts(FOUR_BAR, nothing))
    for problem in (
        "Body 'a' has an unknown field 'mas'.",
        "Joint 'A' has no type.",
        "Body 'a' mass is a list.",
        "Body 'a' mass is not finite. Got '.nan'; wanted a finite number.",
        "Body 'a' mass is empty.",
    ):
        assert not KNOWN.search(problem)
