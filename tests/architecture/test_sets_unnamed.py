"""A set of coordinates is never asked for its name: a third one must not need a change where sets are used.

Outside the rooms of the sets nothing is compared with the name of one, and nobody looks at the tree of a plan or of a
system; what differs is a property or a method of `compiled.plans.layout.Layout` or `coordinates.system.System`.
"""

import ast

import pytest

from architecture.rooms import PACKAGE, source_files
from linkwork.coordinates import SETS

THEIRS = ("coordinates/", "compiled/plans/", "kernels/", "textbook/")
KEYS = ("files/",)  # where "body" is a key of a model file
#: the view of one state in joint coordinates is about their tree
ABOUT_ONE = {"result/joint_view.py"}
#: other things that have such names: kinds of items, rows and sources, axes, roles of shapes, keys of files
NO_SETS = {"kind", "role", "axes", "text", "family", "of", "what"}
OWNERS = {"plan", "system", "layout", "_plan", "_system"}


def last_name(node):
    """The last word of an expression: `row.kind`, `mark.sizes["axes"]`, `definite(coordinates)`."""
    if isinstance(node, ast.Subscript):
        return str(node.slice.value) if isinstance(node.slice, ast.Constant) else last_name(node.value)
    if isinstance(node, ast.Call):
        return last_name(node.func)
    return getattr(node, "attr", getattr(node, "id", ""))


def names_a_set(node, constants=frozenset()):
    """Whether an expression is the name of a set, or a constant of this file that is one."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return any(
        (isinstance(one, ast.Constant) and one.value in SETS) or (isinstance(one, ast.Name) and one.id in constants)
        for one in parts
    )


def constants_of(tree):
    """Names that a file gives to names of sets: SET = "point"."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None]
    return {
        target.id
        for node in found
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and names_a_set(node.value)
    }


def faults_of(source, where):
    faults = []
    tree = ast.parse(source)
    constants = constants_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if isinstance(node.left, ast.Tuple) and isinstance(node.ops[0], ast.In | ast.NotIn):
                continue  # a key of a table: ("point", 3) in known
            others = {last_name(one) for one in sides if not names_a_set(one, constants)}
            if any(names_a_set(one, constants) for one in sides) and not others & NO_SETS:
                faults.append(f"{where}:{node.lineno}: {ast.unparse(node)}")
        elif isinstance(node, ast.Match):
            patterns = [one.value for case in node.cases for one in ast.walk(case.pattern) if hasattr(one, "value")]
            if any(names_a_set(one, constants) for one in patterns) and last_name(node.subject) not in NO_SETS:
                faults.append(f"{where}:{node.lineno}: match {ast.unparse(node.subject)}")
        elif isinstance(node, ast.Attribute) and node.attr == "tree" and last_name(node.value) in OWNERS:
            faults.append(f"{where}:{node.lineno}: {ast.unparse(node)}")
    return faults


def test_nobody_asks_for_the_name_of_a_set():
    faults = []
    for file in source_files():
        where = file.relative_to(PACKAGE).as_posix()
        if not where.startswith(THEIRS + KEYS) and where not in ABOUT_ONE:
            faults += faults_of(file.read_text(encoding="utf-8"), where)
    assert not faults, "give the set a property or a method for it:\n" + "\n".join(faults)


@pytest.mark.parametrize(
    "source",
    [
        "if coordinates == 'joint': pass",
        "x = 1 if 'body' != system.coordinates else 2",
        "y = definite(coordinates) in ('joint', 'body')",
        "z = plan.tree is None",
        "names = [one.name for one in self._system.tree.coordinates]",
        "match coordinates:\n    case 'joint': pass",
        "if coordinates == 'point': pass",
        "SET = 'point'\nif segment.coordinates != SET: pass",
        "THEIRS: tuple = ('point', 'joint')\nx = coordinates in THEIRS",
    ],
)
def test_a_question_for_a_name_is_found(source):
    assert len(faults_of(source, "here")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "rows = [row for row in rows if row.kind == 'joint']",
        "if axes not in ('world', 'joint'): pass",
        "if mark.sizes['axes'] == 'body': pass",
        "run = simulate(m, 1.0, coordinates='body')",
        "tree = model.tree",
        "names = ast.walk(source.tree)",
        "if coordinates == BASE: pass",
        "if what == 'point': pass",
        "if ('point', k) not in told: pass",
    ],
)
def test_other_things_may_have_such_names(source):
    assert not faults_of(source, "here")
