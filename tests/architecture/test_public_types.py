"""What users call has types: functions of the public list, and public methods and properties of its classes.

mypy sees to the insides of these modules (`disallow_untyped_defs` and the like in pyproject.toml); here it is the face
of all of them that counts, as an editor shows it.
"""

import ast
import inspect
import tomllib
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import linkwork as lw
from linkwork import __all__ as names


def untyped(function, owner=""):
    """Arguments without a type, and the return where it has none."""
    function = inspect.unwrap(function)
    if not isinstance(function, FunctionType) or not function.__module__.startswith("linkwork."):
        return []
    parameters = list(inspect.signature(function).parameters.values())
    if owner and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    missing = [one.name for one in parameters if one.annotation is one.empty]
    if "return" not in function.__annotations__ and function.__name__ != "__init__":
        missing.append("return")
    return [f"{owner}{function.__name__}: {one}" for one in missing]


def faults_of(thing):
    if not isinstance(thing, type):
        return untyped(thing) if callable(thing) else []
    faults = []
    for key, value in vars(thing).items():
        if key.startswith("_") and key != "__init__":
            continue
        for one in (value.fget,) if isinstance(value, property) else (getattr(value, "func", value),):
            one = one.__func__ if isinstance(one, classmethod | staticmethod) else one
            if isinstance(one, FunctionType) and one.__code__.co_filename != "<string>":  # not made by dataclasses
                faults += untyped(one, f"{thing.__name__}.")
    return faults


@pytest.mark.parametrize("name", sorted(names))
def test_what_users_call_has_types(name):
    thing = getattr(lw, name)
    if isinstance(thing, ModuleType):
        return
    assert not faults_of(thing), "annotate:\n" + "\n".join(faults_of(thing))


# what `mypy --strict` asks for, of all modules and of these; bodies are checked where all functions have types
EVERYWHERE = {
    "warn_unused_configs": True,
    "warn_redundant_casts": True,
    "strict_equality": True,
    "implicit_reexport": False,
}
STRICT = (
    "disallow_untyped_defs",
    "disallow_incomplete_defs",
    "disallow_untyped_decorators",
    "warn_unused_ignores",
    "disallow_subclassing_any",
    "extra_checks",
    "disallow_any_generics",
    "disallow_untyped_calls",
    "warn_return_any",
)


def test_modules_of_the_public_list_are_strict():
    root = Path(__file__).resolve().parents[2]
    face = ast.parse((root / "src/linkwork/__init__.pyi").read_text(encoding="utf-8"))
    wanted = {one.module for one in face.body if isinstance(one, ast.ImportFrom)} - {"linkwork"}
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    (strict,) = (one for one in settings["overrides"] if one.get("disallow_untyped_defs"))
    assert len(wanted) > 40
    assert sorted(wanted - set(strict["module"])) == []
    assert [name for name in STRICT if not strict.get(name)] == []
    assert {name: settings.get(name) for name in EVERYWHERE} == EVERYWHERE


def test_missing_types_are_found():
    class Thing:
        def good(self, x: float) -> float:
            return x

        def bad(self, x, *, y: int = 0):
            return x

        @property
        def size(self):
            return 1

    Thing.good.__module__ = Thing.bad.__module__ = "linkwork.here"
    Thing.size.fget.__module__ = "linkwork.here"
    assert faults_of(Thing) == ["Thing.bad: x", "Thing.bad: return", "Thing.size: return"]
