"""Dataclasses whose methods are shared, or written when they are first wanted.

A program that imports a hundred classes waits for them.  `dataclass` of the standard library writes and compiles a text
for every method of every class.  Here representation, equality, hash and the refusal of changes are functions that all
frozen classes share, and the constructor of a class is written when it is first wanted.  Either kind may derive from
the other.  Classes that are not frozen, or ask for what is rarely asked for (further options, `InitVar`, `KW_ONLY`,
their own way to assign), are made by the standard library.

Where arrays are among the values of a frozen class (`np.ndarray` in the hint), two things are equal where all entries
of these are, and what has arrays has no hash.  What is given out is only to be read: `only_read` is for an array,
`OnlyRead` for all that a thing has.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, init=True, repr=True, eq=True, frozen=False, **options):
        """As `dataclasses.dataclass`, to which it leaves what is not usual here, but for the words."""

        def made(cls):
            own = vars(cls)
            if repr and "__repr__" not in own:
                cls.__repr__ = _told
            if not frozen or options or not _is_usual(cls):
                return dataclasses.dataclass(init=init, repr=False, eq=eq, frozen=frozen, **options)(cls)
            _declare(cls)
            if eq and "__eq__" not in own:
                cls.__eq__ = _equal
            if eq and own.get("__hash__") is None:
                cls.__hash__ = _hash
            cls.__setattr__, cls.__delattr__ = _assign, _delete
            if init:
                _check_order(cls)
                if "__init__" not in own:
                    cls.__init__ = _Constructor(cls)
            return cls

        return made if cls is None else made(cls)


@dataclasses.dataclass(frozen=True)
class _Pattern:
    """What the standard library writes into a frozen class, and into a field."""

    one: int


_FROZEN = vars(_Pattern)["__dataclass_params__"]
_FIELD = vars(_Pattern)["__dataclass_fields__"]["one"]._field_type


_TAKEN = ("self", "_put", "_MADE")  # names in the text of a constructor


def _is_usual(cls: Any) -> bool:
    """Whether a frozen class has nothing that only the standard library knows, or refuses."""
    own, hints = vars(cls), inspect.get_annotations(cls)
    if own.keys() & {"__setattr__", "__delattr__"} or (own.get("__hash__", 0) is None and "__eq__" not in own):
        return False
    if any(isinstance(value, Field) and name not in hints for name, value in own.items()):
        return False
    if any(not one.__dataclass_params__.frozen for one in cls.__mro__[1:] if "__dataclass_params__" in vars(one)):
        return False
    return not any(name in _TAKEN or "InitVar" in str(kind) or "KW_ONLY" in str(kind) for name, kind in hints.items())


def _declare(cls: Any) -> None:
    """Write down the fields of a class, those of its bases first."""
    fields: dict[str, Field] = {}
    for base in cls.__mro__[-1:0:-1]:
        fields |= vars(base).get("__dataclass_fields__", {})
    for name, kind in inspect.get_annotations(cls).items():
        if str(kind).startswith(("ClassVar", "typing.ClassVar")):
            continue
        default: Any = getattr(cls, name, MISSING)
        one: Any = default if isinstance(default, Field) else dataclasses.field(default=default)
        one.name, one.type, one._field_type = name, kind, _FIELD
        one.kw_only = one.kw_only is True
        if type(one.default).__hash__ is None:
            raise ValueError(
                f"mutable default {type(one.default)} for field {name} is not allowed: use default_factory"
            )
        if one is default:  # in the class itself stands its value, or nothing
            if one.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, one.default)
        fields[name] = one
    cls.__dataclass_fields__, cls.__dataclass_params__ = fields, _FROZEN
    cls.__replace__ = dataclasses.replace  # of `copy`, since Python 3.13
    if "__match_args__" not in vars(cls):
        in_order = tuple(one.name for one in dataclasses.fields(cls) if one.init and not one.kw_only)
        cls.__match_args__ = in_order  # type: ignore[misc]  # mypy takes it for the one of a class that it can see


def _check_order(cls: Any) -> None:
    """Refuse an argument without a usual value behind one that has one."""
    given = [one for one in dataclasses.fields(cls) if one.init and not one.kw_only]
    usual = [one.default is not MISSING or one.default_factory is not MISSING for one in given]
    for one, has, before in zip(given[1:], usual[1:], usual):
        if before and not has:
            raise TypeError(f"non-default argument {one.name!r} follows default argument")


class _Constructor:
    """Stands for the constructor of a class until that is first wanted."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls

    def __get__(self, thing: Any, kind: Any = None) -> Any:
        self.cls.__init__ = written = _written(self.cls)
        return written.__get__(thing, kind)


class _Factory:
    """Stands for an argument whose usual value is made anew each time."""

    def __repr__(self) -> str:
        return "<factory>"


_MADE = _Factory()


def _written(cls: Any) -> Any:
    """The constructor: `def __init__(self, one, two=...)`, which puts each argument into its place."""
    in_order: list[str] = []
    by_name: list[str] = []
    lines: list[str] = []
    outer: dict[str, Any] = {"_put": object.__setattr__, "_MADE": _MADE}
    for one in dataclasses.fields(cls):
        name, value, made = one.name, one.name, one.default_factory is not MISSING
        outer |= {f"_of_{name}": one.default_factory if made else one.default}
        if made:
            value = f"_of_{name}() if {name} is _MADE else {name}" if one.init else f"_of_{name}()"
        if one.init:
            usual = "=_MADE" if made else "" if one.default is MISSING else f"=_of_{name}"
            (by_name if one.kw_only else in_order).append(name + usual)
        if one.init or made:
            lines.append(f"  _put(self, {name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("  self.__post_init__()")
    given = ", ".join(["self", *in_order, *(["*", *by_name] if by_name else [])])
    text = "\n".join(
        [f"def write({', '.join(outer)}):", f" def __init__({given}):", *(lines or ["  pass"]), " return __init__"]
    )
    space: dict[str, Any] = {}
    module = sys.modules.get(cls.__module__)
    exec(text, {} if module is None else vars(module), space)
    written = space["write"](**outer)
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    written.__annotations__ = {one.name: one.type for one in dataclasses.fields(cls) if one.init} | {"return": None}
    return written


def _frozen(self: Any, name: str) -> bool:
    """Whether a name may not be written: all of a dataclass, and the fields of what derives from one undecorated."""
    return "__dataclass_fields__" in vars(type(self)) or name in self.__dataclass_fields__


def _refusal(self: Any, words: str, name: str) -> Exception:
    """The error for a change: that of the class, where it has one, which says what to do instead."""
    own = getattr(type(self), "unchangeable", None)
    return FrozenInstanceError(words) if own is None else own(self, name)


def _assign(self: Any, name: str, value: Any) -> None:
    if _frozen(self, name):
        raise _refusal(self, f"cannot assign to field {name!r}", name)
    object.__setattr__(self, name, value)


def _delete(self: Any, name: str) -> None:
    if _frozen(self, name):
        raise _refusal(self, f"cannot delete field {name!r}", name)
    object.__delattr__(self, name)


@cache
def _compared(kind: Any) -> Callable[[Any], tuple]:
    """What gives the values of a thing that say whether it equals another."""
    return _values([one.name for one in dataclasses.fields(kind) if one.compare])


@cache
def _hashed(kind: Any) -> Callable[[Any], tuple]:
    """What gives the values of a thing that its hash is made of."""
    return _values([one.name for one in dataclasses.fields(kind) if (one.compare if one.hash is None else one.hash)])


def _values(names: list[str]) -> Callable[[Any], tuple]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda thing: tuple(getattr(thing, name) for name in names)  # of one name, attrgetter gives no tuple


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    values = _compared(self.__class__)
    if not _has_arrays(self.__class__):
        return values(self) == values(other)
    return _alike(values(self), values(other))


@cache
def _has_arrays(kind: Any) -> bool:
    """Whether a class has arrays among its values, whose == is no truth value."""
    return any(one.compare and "ndarray" in str(one.type) for one in dataclasses.fields(kind))


def only_read(array: np.ndarray) -> np.ndarray:
    """The same numbers as an array that cannot be written: who wants others takes a copy."""
    view = array.view()
    view.flags.writeable = False
    return view


class OnlyRead:
    """A base of frozen classes whose arrays, and those in their dicts, are only to be read."""

    def __post_init__(self) -> None:
        for name, value in list(vars(self).items()):
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, only_read(value))
            elif isinstance(value, dict) and any(isinstance(one, np.ndarray) for one in value.values()):
                held = {key: only_read(one) if isinstance(one, np.ndarray) else one for key, one in value.items()}
                object.__setattr__(self, name, held)

    def __setstate__(self, state: dict) -> None:  # pickles forget it
        vars(self).update(state)
        OnlyRead.__post_init__(self)


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are equal; arrays are, where shape and all entries are, nan beside nan."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        if type(one) is not type(other) or one.shape != other.shape:
            return False
        floats = one.dtype.kind in "fc" and other.dtype.kind in "fc"
        return bool(np.array_equal(one, other, equal_nan=floats))
    if type(one) is type(other) and isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    return bool(one == other)


def _hash(self: Any) -> int:
    return hash(_hashed(self.__class__)(self))


def _told(self: Any) -> str:
    values = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in dataclasses.fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({values})"
