"""What may stand in a model file, read from the classes and functions that users write Python with.

A declaration lists the fields of one class (a joint, a force, a function ...) or shape function with their kinds,
taken from its signature and type hints.  The families are the registries of the classes, so whatever is registered can
be read, written and is in the schema.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import functools
import inspect
import keyword
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import linkwork as lw
from linkwork.arguments import MACHINE
from linkwork.records import dataclass
from linkwork.units import Number

REQUIRED: Any = object()
NO_FIELDS = ("name",)  # the name of an item is its key in the file
COMPUTED_BY_SHAPES = ("mass", "inertia")  # not to be given beside a shape, unless it asks for them

VERSION = 1
_PLAIN_TYPES = (float, int, bool, str, type(None))
#: in the order of reading: drivers, readings and events may name measures of the others
FAMILIES = ("bodies", "joints", "forces", "drivers", "readings", "events")


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

    @property
    def plain(self) -> bool:
        """Whether it takes numbers, lists and maps of numbers, or nothing at all."""
        return all(map(_takes_numbers, self.kinds))

    @property
    def stand_in(self) -> float | None:
        """A number that would do; None where it takes no number."""
        meaning = number_of(self.kinds)
        return None if meaning is None else 1.0 + (meaning.above or meaning.least or 0.0)


@dataclass(frozen=True)
class Declaration:
    """A class or shape function: its name, what makes it, its fields, its text.

    `numbers`: further numbers by name may follow; `named`: it can be told the name of the item that it makes.
    """

    name: str
    make: Callable
    fields: Mapping[str, Field]
    numbers: bool
    named: bool
    text: str


@functools.cache
def declare(thing: Any) -> Declaration:
    """The declaration of a class or of a shape function."""
    is_class = isinstance(thing, type)
    hints = _hints(thing)
    fields: dict[str, Field] = {}
    numbers = False
    defaults = (
        {
            field.name: field.default_factory()
            for field in dataclasses.fields(thing)  # type: ignore[arg-type]  # any dataclass
            if field.default_factory is not dataclasses.MISSING
        }
        if dataclasses.is_dataclass(thing)
        else {}
    )
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
    named = not is_class or "name" in inspect.signature(thing).parameters
    text = inspect.getdoc(thing) or ""
    return Declaration(thing.__name__, thing, types.MappingProxyType(fields), numbers, named, text)


def _hints_of_class(thing: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for base in reversed(thing.__mro__):
        try:
            hints = typing.get_type_hints(base, include_extras=True)
        except NameError:  # of a class made inside a function, whose names are gone: any plain value will do
            hints = dict.fromkeys(inspect.get_annotations(base), Any)
        found |= {key: hint for key, hint in hints.items() if typing.get_origin(hint) is not typing.ClassVar}
    return found


def _hints(thing: Any) -> dict[str, Any]:
    """Kinds of the arguments: those of the fields of a class, else those of the signature."""
    if not isinstance(thing, type):
        return typing.get_type_hints(thing, include_extras=True)
    found = _hints_of_class(thing)
    if not set(inspect.signature(thing).parameters) <= set(found) and "__init__" in thing.__dict__:
        found = {**typing.get_type_hints(thing.__dict__["__init__"], include_extras=True), **found}
    return found


def options(hint: Any) -> tuple[Any, ...]:
    """The kinds of a union, one by one; a number whose meaning is said stands there as its `Number`."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return tuple(one for part in typing.get_args(hint) for one in options(part))
    if typing.get_origin(hint) is typing.Annotated:
        return hint.__metadata__
    return (hint,)


def _takes_numbers(kind: Any) -> bool:
    if typing.get_origin(kind) in (tuple, collections.abc.Mapping):
        return all(_takes_numbers(one) for part in typing.get_args(kind) for one in options(part))
    return kind in (float, str, ..., type(None), lw.Orientation) or isinstance(kind, Number)


def number_of(wanted: tuple[Any, ...]) -> Number | None:
    """The meaning of a number among these kinds; None where no number is wanted."""
    for kind in wanted:
        if isinstance(kind, Number):
            return kind
        if kind is float:
            return Number()
    return None


# -- families ----------------------------------------------------------------------------------------------------------


@functools.cache
def shapes() -> dict[str, Callable]:
    """The lower-case words: public functions, beside `bar` and `box`, that give a body."""
    modules = [sys.modules[one.__module__] for one in (lw.bar, lw.box)]
    return {
        name: thing
        for module in modules
        for name, thing in vars(module).items()
        if inspect.isfunction(thing)
        and not name.startswith("_")
        and thing.__module__ == module.__name__
        and thing.__annotations__.get("return") in ("Body", lw.Body)
    }


def base(family: str) -> Any:
    """The class that all of a family derive from; its fields are those that all have."""
    return {
        "bodies": lw.Body,
        "joints": lw.Joint,
        "forces": lw.Force,
        "drivers": lw.Driver,
        "readings": lw.Reading,
        "measures": lw.Measure,
        "functions": lw.Function,
    }[family]


def kinds(family: str) -> Mapping[str, Callable]:
    """Classes of a family by the word that `type` takes; shapes are apart."""
    first = base(family)
    if hasattr(first, "kinds"):
        return first.kinds
    return {one.__name__: one for one in (first, *first.__subclasses__())}


def kind_named(family: str, word: str) -> Callable | None:
    """The class of a family that a word names; of a public one, only its own module is loaded."""
    if word in lw.__all__:
        getattr(lw, word)  # and registered, if it is of a family
    return kinds(family).get(word)


def default_kind(family: str) -> Callable | None:
    """The class that is meant where `type` is left out."""
    return {"bodies": lw.Body, "drivers": lw.Driver, "readings": lw.Reading}.get(family)


class _Analyses(Mapping[str, Callable]):
    """Analyses by word; one is loaded when it is asked for."""

    def __getitem__(self, word: str) -> Callable:
        return getattr(lw, lw.known_analyses()[word].function)

    def __contains__(self, word: object) -> bool:
        return word in lw.known_analyses()

    def __iter__(self) -> Iterator[str]:
        return iter(lw.known_analyses())

    def __len__(self) -> int:
        return len(lw.known_analyses())


def analyses() -> Mapping[str, Callable]:
    """Analyses that a file may ask for, by the word that `type` takes."""
    return _Analyses()


def of_machine(function: Callable) -> list[str]:
    """Arguments of an analysis that belong to the machine, by their hints."""
    return [field.name for field in declare(function).fields.values() if MACHINE in field.kinds]


def analysis_fields(function: Callable) -> dict[str, Field]:
    """Options of an analysis; its `times` are a number called `duration`, or a list.  What no file can hold is left
    out: objects, such as a state, and functions.  Those that ask about many designs hand on the options of `simulate`;
    the times of a fit are those of its records.
    """
    found: dict[str, Field] = {}
    own = inspect.signature(function).parameters
    if any(one.kind is one.VAR_KEYWORD for one in own.values()):
        found = analysis_fields(lw.simulate)
    if "measured" in own:
        found = {name: one for name, one in found.items() if name not in ("duration", "times", "every")}
        found["measured"] = Field("measured", (str,), None)  # a file beside this one
    if "name" in own:  # what is asked about; of items it is the key
        found["name"] = Field("name", (str,), None)
    for field in declare(function).fields.values():
        if field.name in own and Any not in field.kinds and MACHINE not in field.kinds:
            kinds = tuple(kind for kind in field.kinds if _in_files(kind))
            if set(kinds) - {type(None)}:
                found[field.name] = Field(
                    field.name, kinds, None if field.required or field.default == () else field.default
                )
    if "times" in found and "duration" not in found:
        kinds = found.pop("times").kinds
        lists = tuple(kind for kind in kinds if typing.get_origin(kind) is not None)
        both = {"duration": tuple(kind for kind in kinds if kind not in lists), "times": lists}
        found = {**{name: Field(name, (*one, type(None)), None) for name, one in both.items()}, **found}
    return found


def _in_files(kind: Any) -> bool:
    """Whether a file can hold a value of this kind: no objects, no functions."""
    if isinstance(kind, type):
        return kind in _PLAIN_TYPES
    return typing.get_origin(kind) is not collections.abc.Callable


def singular(family: str) -> str:
    """How messages call an item of a family."""
    return {
        "bodies": "Body",
        "joints": "Joint",
        "forces": "Force",
        "drivers": "Driver",
        "readings": "Reading",
        "events": "Event",
    }[family]


def reserved() -> tuple[str, ...]:
    """Names that no item may have."""
    return sys.modules[lw.Mechanism.__module__].RESERVED


def taken_points() -> list[str]:
    """Names that no point of a body may have: its own properties have them."""
    return sorted({*dir(lw.Body), *declare(lw.Body).fields, *NO_FIELDS})


def taken_parameters() -> tuple[list[str], int]:
    """Names that no parameter may have, and how long one may be."""
    expressions = sys.modules[lw.Expression.__module__]
    return sorted({*expressions.RESERVED, *keyword.kwlist}), expressions.LONGEST_NAME


def longest_text() -> int:
    """Characters that an expression may have."""
    return lw.Expression.longest
