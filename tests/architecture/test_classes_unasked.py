"""A concrete measure, joint, step, force or action is never asked for: the class says what it is.

Outside of `mechanism`, where they are written, nobody compares a class, the name of one or the formula of a measure.
What differs is an attribute or a method of `Measure`, `Joint`, `Step`, `Force` or `Action`, so that a class derived
from one of ours, or written by somebody else, is treated as what it says it is.
"""

import ast

import pytest

from architecture.rooms import PACKAGE, source_files
from linkwork.mechanism.events import Action
from linkwork.mechanism.forces import Force
from linkwork.mechanism.joints import Joint
from linkwork.mechanism.kinds import is_ours
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.steps import Step

#: where they are written; `weaker.py` is there a table of pairs of kinds
THEIRS = "mechanism/"
#: dictionaries between our words and those of the books: what stands in none of their pages is refused
DICTIONARIES = {f"textbook/{one}_bridge.py" for one in ("planar", "planar_joint", "spatial")}
ASKING = {"isinstance", "issubclass"}


def derived(kind):
    """Names of all classes of the product that come from this one."""
    return {
        name for one in kind.__subclasses__() for name in ({one.__name__} if is_ours(one) else set()) | derived(one)
    }


@pytest.fixture(scope="module")
def concrete():
    for family in (Measure, Joint, Force):
        list(family.kinds)  # loads all
    found = set().union(*map(derived, (Measure, Joint, Step, Force, Action)))
    assert {"WorldOffset", "EdgeHeight", "Revolute", "RackAndPinion", "Ball", "SpringDamper", "Lock"} <= found
    return found


def names_of(node):
    """Words of a class or of several: `Lock | Release`, `(Turn, Ball)`, `lw.Angle`."""
    return {getattr(one, "attr", getattr(one, "id", "")) for one in ast.walk(node)}


def asks_for_a_class(node):
    """Whether something is `type(x)`, `x.__class__` or the name of one."""
    if isinstance(node, ast.Attribute):
        return node.attr in {"__class__", "formula"} or (node.attr == "__name__" and asks_for_a_class(node.value))
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "type" and len(node.args) == 1


def faults_of(source, where, concrete):
    faults = []
    for node in ast.walk(ast.parse(source)):
        asked = set()
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ASKING and len(node.args) == 2:
            asked = names_of(node.args[1])
        elif isinstance(node, ast.MatchClass):
            asked = names_of(node.cls)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(map(asks_for_a_class, sides)):
                words = {one.value for side in sides for one in ast.walk(side) if isinstance(one, ast.Constant)}
                formulas = (
                    {word for word in words if isinstance(word, str)} if "formula" in ast.unparse(node) else set()
                )
                asked = words | set().union(*map(names_of, sides))
                asked |= concrete if formulas else set()
        if asked & concrete:
            faults.append(f"{where}:{node.lineno}: {ast.unparse(node)}")
    return faults


def test_nobody_asks_for_a_class(concrete):
    faults = []
    for file in source_files():
        where = file.relative_to(PACKAGE).as_posix()
        if not where.startswith(THEIRS) and where not in DICTIONARIES:
            faults += faults_of(file.read_text(encoding="utf-8"), where, concrete)
    assert not faults, "give the class an attribute or a method for it:\n" + "\n".join(faults)


@pytest.mark.parametrize(
    "source",
    [
        "if type(measure) is WorldOffset: pass",
        "x = one.__class__ in (Turn, Ball)",
        "y = isinstance(action, Lock | Release)",
        "z = isinstance(joint, lw.RollingDisc)",
        "if measure.formula == 'angle': pass",
        "if type(force).__name__ == 'SpringDamper': pass",
        "match action:\n    case Drive(driver, function): pass",
    ],
)
def test_a_question_for_a_class_is_found(source, concrete):
    assert len(faults_of(source, "here", concrete)) == 1


@pytest.mark.parametrize(
    "source",
    [
        "if isinstance(one, Action | Mapping): pass",
        "kind = Offset if turns else WorldOffset",
        "if type(before) is not type(now): pass",
        "told = type(joint).__name__",
        "code = getattr(at, one.formula.upper())",
        "if measure.along == 'world': pass",
    ],
)
def test_other_questions_may_be_asked(source, concrete):
    assert not faults_of(source, "here", concrete)
