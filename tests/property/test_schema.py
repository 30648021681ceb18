"""The schema against the reader, on the same mutated files: what one accepts the other accepts.

The reader knows more: names, units, ranges.  `UNKNOWABLE` lists those of its messages that no schema can have; a file
that the reader refuses for anything else must be refused by the schema too.
"""

import random
import re

import jsonschema
import pytest

import linkwork as lw
from linkwork.errors import FileError
from linkwork.files.plain import load_plain
from property.test_files import mutated, seeds
from unit.files.examples import FOUR_BAR, LAWS

UNKNOWABLE = [
    # names that this file does not have: a schema sees one value at a time
    r"is on a body that does not exist: ",
    r"names a point that body .* does not have: ",
    r"is not a measure(: | of )",
    r"There is no (item|quantity) '.*' in mechanism ",
    r"reads force .*, which is not known here",
    r"There is no (name|function) '.*' in expression",
    # a Python function that was not given on reading, a table beside the file
    r"which a file cannot hold\.",
    r"refers to (the|a) file ",
    # what stands in an expression or in a unit: a pattern knows the characters only
    r"Expression '.*' cannot be used, at column \d+: ",
    r"Expression is too long\.",
    r"(Parameter '.*'|Expression '.*') (cannot be used|cannot be read|is defined by itself)",
    r"is too long to be a quantity\.",
    r" has no place in a unit\.",
    r"the unit '.*' is not known\.",
    r"the number .* stands where a unit should\.",
    r"a unit is missing ",
    r"has a unit of another kind\.",
    r"takes no unit\.",
    r"along is not a number\. Got '[^']*[A-Za-z]",  # a direction has no unit
    # a result that is not finite: 1e308*10, 1e400 deg
    r"not a finite number|is not finite\. Got '[-+]?\d[\d.]*(e[-+]?\d+)? ?[^\d\s.e']",
    # ranges, which the constructors check
    r"is too (small|large)\. Got -?[\d.]+(e[+-]?\d+)?; wanted (at least|at most|more than|less than) ",
    r"is not symmetric\.",
    r"is not a unit quaternion\.",
    r"its numbers cannot be used \(",
    r"needs increasing times\.",
    # lengths of lists, which depend on the dimension, another field or the kind of thing
    r"has the wrong (length|shape)\. Got [\[(]",
    r"leaves the plane of this 2-D mechanism\.",
    # one item against another
    r"has two items of one name\.",
    r"both frames (are )?on body ",
    # names with a meaning of their own in expressions or on every body
    r"which has a meaning of its own\.",
    r"the point name '.*' is taken by a property of every body\.",
    r"(have a name that is no word|a point's name is not a word)\. Got '.*[^\x00-\x7f].*'",  # letters beyond ASCII
]  # fmt: skip
KNOWN = re.compile("|".join(f"(?:{one})" for one in UNKNOWABLE))


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
        problems = [problem.message for problem in error.problems]
    return problems, validator.is_valid(data)


def agree(problems, accepted):
    """Whether schema and reader may both be right."""
    if problems is None or not accepted:
        return accepted or problems is not None
    return all(KNOWN.search(problem) for problem in problems)


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
    for problem in ("Body 'a' has an unknown field 'mas'.", "Joint 'A' has no type.", "Body 'a' mass is a list.",
                    "Body 'a' mass is not finite. Got '.nan'; wanted a finite number.", "Body 'a' mass is empty."):
        assert not KNOWN.search(problem)
