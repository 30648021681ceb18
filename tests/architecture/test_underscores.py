"""What begins with an underscore belongs to its room: no other room reads or writes it."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "linkwork"
#: attributes of Python and of packages, which have no other names
OF_PACKAGES = {
    *("_fields", "_make", "_replace", "_asdict", "_cache", "_exit", "_getframe", "_actions", "_field_type"),
    *("_render_traceback_", "_ipython_display_"),
    *("_codegen", "_data_layout", "_engine", "_getvalue", "_internal_codegen", "_module_pass_manager"),
    *("_definitions", "_rebuild", "_reduce"),
}
#: users do not see them, but whoever computes with results does
OF_RESULTS = {"_series", "_result"}


def own_names(tree: ast.AST) -> set[str]:
    """Names that a module writes itself: classes, functions, variables, fields, attributes of self."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and _is_own(node):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):  # of __slots__, of __dict__
            found.add(node.value)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
    return found


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def faults_of(room: dict[str, str]) -> list[str]:
    """Attributes with an underscore, of anything but self, that no file of a room (name -> text) writes."""
    trees = {name: ast.parse(text) for name, text in room.items()}
    own = set().union(*map(own_names, trees.values())) | OF_PACKAGES | OF_RESULTS
    return [
        f"{name}:{node.lineno}: {ast.unparse(node)}"
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and not _is_own(node)
        and node.attr not in own
    ]


def rooms() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        name = file.relative_to(SOURCE)
        found.setdefault(name.parts[0], {})[name.as_posix()] = file.read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize("room", rooms())
def test_no_room_touches_what_is_anothers(room):
    faults = faults_of(rooms()[room])
    assert not faults, "give it a method:\n" + "\n".join(faults)


def test_what_is_anothers_is_found():
    text = (
        "def write(system, numbers):\n    system.door._p[:] = numbers\n    system.own._w = 1\n    return self._known\n"
    )
    door = "class Door:\n    def __init__(self):\n        self._p = self._w = 0\n"
    assert sorted(faults_of({"one.py": text})) == ["one.py:2: system.door._p", "one.py:3: system.own._w"]
    assert not faults_of({"one.py": text, "two.py": door})
