"""Every module, and every public function and class in it, says what it is."""

import ast

import pytest

from architecture.rooms import PACKAGE, ROOMS, room_of, source_files


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
