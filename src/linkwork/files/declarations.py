"""What may stand in a model file, read from the classes and functions that users write Python with.

A declaration lists the fields of one class (a joint, a force, a function ...) or shape function with their kinds,
taken from its signature and type hints.  The families are the registries of the classes, so whatever is registered can
be read, written and is in the schema.
"""

from __future__ import annotations

import dataclasses
import functools
import importlib
import inspect
import pkgutil
import sys
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import linkwork as lw

REQUIRED: Any = object()
NO_FIELDS = ("name",)  # the name of an item is its key in the file
COMPUTED_BY_SHAPES = ("mass", "inertia")  # not to be given beside a shape, unless it asks for them

VERSION = 1
FAMILIES = ("bodies", "joints", "forces", "drivers")  # in the order of reading: drivers may name readings of the others


@dataclass(frozen=True)
class Field:
    """One field: its name, the kinds of value it takes, its default; `many` are positional arguments, in a list."""

    name: str
    kinds: tuple[Any, ...]
    default: Any = REQUIRED
    many: bool = False

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is REQUIRED


@dataclass(frozen=True)
class Declaration:
    """A class or shape function: its name, what makes it, its fields, and whether further named numbers may follow."""

    name: str
    make: Callable
    fields: Mapping[str, Field]
    numbers: bool
    text: str


@functools.cache
def declare(thing: Any) -> Declaration:
    """The declaration of a class or of a shape function."""
    is_class = isinstance(thing, type)
    hints = _hints(thing)
    fields: dict[str, Field] = {}
    numbers = False
    defaults = {field.name: field.default_factory() for field in dataclasses.fields(thing)  # type: ignore[arg-type]  # any dataclass
                if field.default_factory is not dataclasses.MISSING} if dataclasses.is_dataclass(thing) else {}
    for name, parameter in inspect.signature(thing).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            if hints.get(name) is float:
                numbers = True
            elif not is_class:
                for other in declare(lw.Body).fields.values():
                    if other.name not in COMPUTED_BY_SHAPES:
                        fields.setdefault(other.name, dataclasses.replace(other, default=None))
            continue
        if name in NO_FIELDS:
            continue
        hint = hints.get(name, Any)
        many = parameter.kind is parameter.VAR_POSITIONAL
        if many and not (is_class and name in _hints_of_class(thing)):
            hint = tuple[hint, ...]  # type: ignore[valid-type]  # a hint made at run time
        default = REQUIRED if many or parameter.default is parameter.empty else parameter.default
        fields[name] = Field(name, options(hint), defaults.get(name, default), many)
    return Declaration(thing.__name__, thing, types.MappingProxyType(fields), numbers, inspect.getdoc(thing) or "")


def _hints_of_class(thing: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for base in reversed(thing.__mro__):
        try:
            hints = typing.get_type_hints(base)
        except NameError:  # of a class made inside a function, whose names are gone: any plain value will do
            hints = dict.fromkeys(inspect.get_annotations(base), Any)
        found |= {key: hint for key, hint in hints.items() if typing.get_origin(hint) is not typing.ClassVar}
    return found


def _hints(thing: Any) -> dict[str, Any]:
    """Kinds of the arguments: those of the fields of a class, else those of the signature."""
    if not isinstance(thing, type):
        return typing.get_type_hints(thing)
    found = _hints_of_class(thing)
    if not set(inspect.signature(thing).parameters) <= set(found) and "__init__" in thing.__dict__:
        found = {**typing.get_type_hints(thing.__dict__["__init__"]), **found}
    return found


def options(hint: Any) -> tuple[Any, ...]:
    """The kinds of a union, one by one."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return tuple(one for part in typing.get_args(hint) for one in options(part))
    return (hint,)


# -- families ----------------------------------------------------------------------------------------------------------


@functools.cache
def _load() -> None:
    """Load every module of descriptions, so that the registries are complete."""
    package = sys.modules[lw.Mechanism.__module__.rpartition(".")[0]]
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")


def shapes() -> dict[str, Callable]:
    """The lower-case words: public functions, beside `bar`, that give a body."""
    module = sys.modules[lw.bar.__module__]
    return {name: thing for name, thing in vars(module).items()
            if inspect.isfunction(thing) and not name.startswith("_") and thing.__module__ == module.__name__
            and typing.get_type_hints(thing).get("return") is lw.Body}


def kinds(family: str) -> dict[str, Callable]:
    """Classes of a family by the word that `type` takes; shapes are apart."""
    registries: dict[str, Any] = {"joints": lw.Joint, "forces": lw.Force, "functions": lw.Function,
                                  "measures": lw.Measure}
    _load()
    if family in registries:
        return registries[family].kinds
    base: type = lw.Body if family == "bodies" else lw.Driver
    return {one.__name__: one for one in (base, *base.__subclasses__())}


def default_kind(family: str) -> Callable | None:
    """The class that is meant where `type` is left out."""
    return {"bodies": lw.Body, "drivers": lw.Driver}.get(family)


def analyses() -> dict[str, Callable]:
    """Analyses that a file may ask for, by the word that `type` takes."""
    return {function.__name__: function for function in (lw.simulate, lw.assemble, lw.evaluate, lw.check)}


def analysis_fields(function: Callable) -> dict[str, Any]:
    """Options of an analysis and their defaults; `duration` stands for the first argument of `simulate`."""
    names = {name: parameter.default for name, parameter in inspect.signature(function).parameters.items()
             if name not in ("mechanism", "progress") and parameter.kind is not parameter.VAR_KEYWORD}
    if "times" in names:
        names = {"duration": None, "times": None, **{key: value for key, value in names.items() if key != "times"}}
    return names


def singular(family: str) -> str:
    """How messages call an item of a family."""
    return {"bodies": "Body", "joints": "Joint", "forces": "Force", "drivers": "Driver"}[family]


def reserved() -> tuple[str, ...]:
    """Names that no item may have."""
    return sys.modules[lw.Mechanism.__module__].RESERVED
