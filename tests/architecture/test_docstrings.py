"""Every module, and every public function and class in it, says what it is; public names say their arguments with
units, and joints what they hold, leave free and read, as they themselves declare it."""

import ast
import inspect

import pytest

import linkwork as lw
from architecture.rooms import PACKAGE, ROOMS, room_of, source_files
from linkwork.mechanism.checks import meanings

NAMES = [name for name in lw.__all__ if name != "__version__"]
CALLED = [name for name in NAMES if not inspect.ismodule(getattr(lw, name))]
JOINTS = [name for name in CALLED if isinstance(getattr(lw, name), type) and issubclass(getattr(lw, name), lw.Joint)]
#: made by the product, not by those who use it
FOUND = ("Result", "State", "Prepared")


def missing(file):
    """Return the places of a file where a docstring is missing."""
    name = file.relative_to(PACKAGE).as_posix()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    if not tree.body:
        return []  # an empty __init__.py
    faults = [] if ast.get_docstring(tree) else [f"{name}:1: module"]
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not node.name.startswith("_") and not ast.get_docstring(node):
            faults.append(f"{name}:{node.lineno}: {node.name}")
    return faults


@pytest.mark.parametrize("room", [room for room in ROOMS if any(room_of(f) == room for f in source_files())])
def test_docstrings(room):
    faults = [fault for file in source_files() if room_of(file) == room for fault in missing(file)]
    assert not faults, "no docstring:\n" + "\n".join(faults)


@pytest.mark.parametrize("name", [name for name in CALLED if name not in FOUND])
def test_arguments_are_named_with_their_units(name):
    value = getattr(lw, name)
    owners = value.__mro__ if isinstance(value, type) else (value,)
    texts = "\n".join(inspect.getdoc(one) or "" for one in owners if one.__module__.startswith("linkwork"))
    own = " ".join(inspect.getdoc(value).split())
    for key, argument in inspect.signature(value).parameters.items():
        if argument.kind is argument.VAR_KEYWORD or (key == "mechanism" and key in texts):
            continue
        assert f"`{key}" in texts or f"{key} [" in texts or f"({key}" in texts, f"{name} does not say what {key} is"
        meaning = meanings(value).get(key)
        if meaning is not None and meaning.unit:
            assert f"{key} [{meaning.unit}]" in own, f"{name} does not say the unit of {key}, [{meaning.unit}]"


def declared(kind):
    """What a joint says of itself: held rows and freedom in the plane and in space, and its readings."""
    joint = kind(lw.Frame("ground"), lw.Frame("body"), **kind.sample)
    said = []
    for dimension, (word, all_of_it) in {2: ("Plane", 3), 3: ("Space", 6)}.items():
        if dimension in kind.dimensions:
            labels = [row.label for row in joint.rows(dimension)]
            said.append(f"{word}: holds {', '.join(labels) or 'nothing'}; freedom {all_of_it - len(labels)}.")
    readings = ", ".join(joint.readings())
    return "  ".join([*said, f"Reads {readings}." if readings else "Reads nothing."])


@pytest.mark.parametrize("name", [name for name in JOINTS if name not in ("Joint", "Hold")])
def test_joints_say_what_they_hold_leave_and_read(name):
    kind = getattr(lw, name)
    words = " ".join(inspect.getdoc(kind).split())
    assert " ".join(declared(kind).split()) in words, f"the docstring of {name} should say:\n{declared(kind)}"
