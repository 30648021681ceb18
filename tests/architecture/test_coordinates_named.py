"""Tests and benchmarks say in which coordinates they work, so that a new set cannot change what they mean.

Every call of `simulate`, `assemble`, `evaluate` or `check`, of a mechanism or of linkwork itself, names `coordinates=`.
Functions of the same names in other rooms (`linkwork.testing`, `linkwork.textbook`) and functions that a file defines
itself are other things.  Code in strings, which another process runs, is read too.
"""

import ast
import re

import pytest

from architecture.rooms import PACKAGE, ROOT

QUESTIONS = {"simulate", "assemble", "evaluate", "check"}
FOLDERS = ("tests", "benchmarks")
LOOKS_LIKE_A_CALL = re.compile(rf"\b(?:{'|'.join(sorted(QUESTIONS))})\(")
HOLE = re.compile(r"\{\w*\}")  # of str.format


def imported(tree):
    """Names that imports bind -> what they stand for, in full."""
    bound = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.split(".")[0]
                bound[name] = alias.name if alias.asname else name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                bound[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return bound


def full_name(node, bound):
    """`lw.testing` as linkwork.testing; empty where the name does not start at an import."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in bound:
        return ""
    return ".".join([bound[node.id], *reversed(parts)])


def is_module(name):
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()


def asks(call, bound):
    """Whether a call asks one of the four questions of a mechanism."""
    function = call.func
    if isinstance(function, ast.Name):
        name = bound.get(function.id, "")
        room, _, last = name.rpartition(".")
        return last in QUESTIONS and name.startswith("linkwork.") and not other_room(room)
    if not isinstance(function, ast.Attribute) or function.attr not in QUESTIONS:
        return False
    return not other_room(full_name(function.value, bound))


def other_room(name):
    """Whether a name is a module of linkwork that is neither linkwork itself nor its analyses."""
    inside = name.startswith("linkwork.") and is_module(name)
    return inside and name.split(".")[1] != "analysis"


def shows(node, tree):
    """Whether the mapping behind ** visibly has the key `coordinates`."""
    if isinstance(node, ast.Name):
        values = [
            one.value
            for one in ast.walk(tree)
            if isinstance(one, ast.Assign | ast.AnnAssign)
            and any(
                isinstance(target, ast.Name) and target.id == node.id
                for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
            )
        ]
        return bool(values) and all(shows(value, tree) for value in values if value is not None)
    if isinstance(node, ast.BinOp):
        return shows(node.left, tree) or shows(node.right, tree)
    if isinstance(node, ast.Dict):
        return any(isinstance(key, ast.Constant) and key.value == "coordinates" for key in node.keys) or any(
            key is None and shows(value, tree) for key, value in zip(node.keys, node.values)
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        return named(node, tree)
    return False


def named(call, tree):
    return any(word.arg == "coordinates" or (word.arg is None and shows(word.value, tree)) for word in call.keywords)


def texts(tree):
    """Strings that are Python code with such a call, with their lines; holes of a format count as names."""
    inner = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "hole" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            text = HOLE.sub("hole", node.value)
        else:
            continue
        if LOOKS_LIKE_A_CALL.search(text):
            try:
                yield node.lineno, ast.parse(text)
            except SyntaxError:
                continue  # words, not code


def faults_of(source, where):
    tree = ast.parse(source)
    bound = imported(tree)
    faults = [
        f"{where}:{node.lineno}: {ast.unparse(node.func)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and asks(node, bound) and not named(node, tree)
    ]
    for line, inner in texts(tree):
        names = imported(inner)
        faults += [
            f"{where}:{line}: {ast.unparse(node.func)}, in a string"
            for node in ast.walk(inner)
            if isinstance(node, ast.Call) and asks(node, names) and not named(node, inner)
        ]
    return faults


def test_every_call_names_its_coordinates():
    faults = []
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*.py")):
            if file.name == "test_coordinates_named.py":
                continue  # its examples, below, are wrong on purpose
            faults += faults_of(file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix())
    assert not faults, 'give coordinates="body":\n' + "\n".join(faults)


@pytest.mark.parametrize(
    "source",
    [
        "m.simulate(1.0)",
        "gallery.get(name).check()",
        "import linkwork as lw\nlw.evaluate(m)",
        "from linkwork.analysis.assemble import assemble\nassemble(m)",
        "from linkwork import simulate as go\ngo(m, 1.0)",
        "m.simulate(1.0, **options)",
        "options = {'rtol': 1e-9}\nm.simulate(1.0, **options)",
        'RUN = "p = problems.{build}; print(p.simulate(0.1).t)"',
        'code = f"m.simulate({end})"',
    ],
)
def test_a_call_without_is_found(source):
    assert len(faults_of(source, "here")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "m.simulate(1.0, coordinates='body')",
        "m.simulate(1.0, **{'coordinates': 'body'})",
        "options = dict(rtol=1e-9, coordinates=one)\nm.simulate(1.0, **options)",
        "options = {'rtol': 1e-9} | {'coordinates': 'body'}\nm.simulate(1.0, **options, every=0.1)",
        "from linkwork import textbook as tb\ntb.simulate(m, times)",
        "import linkwork as lw\nlw.testing.check(thing)",
        "def check(x): pass\ncheck(1)",
        '"""Words about simulate(times), which is no code."""',
        '''RUN = "m.simulate(0.1, coordinates='body')"''',
    ],
)
def test_other_calls_pass(source):
    assert faults_of(source, "here") == []
