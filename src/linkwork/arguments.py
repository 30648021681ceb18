"""Calls whose arguments do not fit: the error names the wrong one, those that there are, and the nearest.

Numbers that overflow on the way are told as well.

`explained` does this for functions and for the methods of a class, `Explained` for the constructors of a class and of
all that derive from it. A call that fits costs nothing but the call.

`mirrored` makes a function of another room a method: its arguments are written once, and shown in both places.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from linkwork.errors import ArgumentError, DescriptionError, message, nearest_names

if TYPE_CHECKING:
    import inspect

#: in hints: such an argument belongs to the machine that does the work, and not into a model file
MACHINE = "of the machine"
Thing = TypeVar("Thing", bound=Callable[..., Any])


def explained(thing: Thing) -> Thing:
    """A function, or a class with its public methods, whose wrong calls are explained."""
    if isinstance(thing, type):
        for name, method in list(vars(thing).items()):
            if not name.startswith("_") and type(method) in (FunctionType, classmethod, staticmethod):
                plain = type(method) is FunctionType
                setattr(thing, name, explained(method) if plain else type(method)(explained(method.__func__)))
        return thing

    @functools.wraps(thing)
    def call(*given: Any, **options: Any) -> Any:
        try:
            return thing(*given, **options)
        except TypeError:
            _explain(thing, given, options)
            raise
        except OverflowError as error:
            raise _too_large(thing) from error

    return call  # type: ignore[return-value]  # the same kind of thing: `wraps` says so


class mirrored:
    """A method that is a function of another module, imported when it is first used; the object is its first argument.

    Type checkers and editors read the name under `if TYPE_CHECKING`, where the function itself stands.
    """

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name

    def __get__(self, thing: Any, owner: Any = None) -> Any:
        import importlib

        function = getattr(importlib.import_module(self.module), self.name)
        return function if thing is None else function.__get__(thing, owner)


class Explained(type):
    """The type of classes whose constructors explain wrong arguments."""

    if not TYPE_CHECKING:

        def __call__(cls, *given, **options):
            try:
                return super().__call__(*given, **options)
            except TypeError:
                _explain(cls, given, options)
                raise
            except OverflowError as error:
                raise _too_large(cls) from error

        @property
        def __signature__(cls):
            import inspect

            if cls.__init__ is object.__init__:
                return inspect.Signature()
            whole = inspect.signature(cls.__init__)
            return whole.replace(parameters=list(whole.parameters.values())[1:])


def _explain(thing: Any, given: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Raise what is wrong with the arguments of a call; return if they fit, so that the error is another one."""
    import inspect

    signature = inspect.signature(thing)
    try:
        signature.bind(*given, **options)
    except TypeError:
        item = thing.__qualname__.rpartition("<locals>.")[2].removesuffix(".__call__")
        known = [one for one in signature.parameters.values() if one.name not in ("self", "cls")]
        raise ArgumentError(_words(item, known, len(signature.parameters) > len(known), given, options)) from None


def _too_large(thing: Any) -> DescriptionError:
    return DescriptionError(
        message(
            thing.__qualname__,
            "has numbers that are too large to compute with",
            remedy="look for a wrong unit or a wrong power of ten",
        )
    )


def _with_defaults(known: list[inspect.Parameter]) -> set[str]:
    return {one.name for one in known if one.default is not one.empty}


def _words(
    item: str, known: list[inspect.Parameter], method: bool, given: tuple[Any, ...], options: dict[str, Any]
) -> str:
    """Which argument is not known, missing, or too many, in this order."""
    names = [one.name for one in known if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    places = [one for one in known if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    in_order = given[1:] if method else given
    wanted = ", ".join(
        f"{one.name}="
        if one.kind == one.KEYWORD_ONLY
        else f"*{one.name}"
        if one.kind == one.VAR_POSITIONAL
        else one.name
        for one in known
        if one.kind != one.VAR_KEYWORD
    )
    wanted = wanted or "no arguments"
    unknown = [name for name in options if name not in names]
    if unknown and not any(one.kind == one.VAR_KEYWORD for one in known):
        near = nearest_names(unknown[0], names)
        return message(
            item,
            f"has no argument '{unknown[0]}'",
            wanted=wanted,
            remedy=f"perhaps {' or '.join(near)} is meant" if near else None,
        )
    taken = [one.name for one in places[: len(in_order)]]
    twice = [name for name in taken if name in options]
    if twice:
        return message(item, f"is given '{twice[0]}' twice, by its place and by its name", wanted=wanted)
    missing = [
        one.name
        for one in known
        if one.default is one.empty
        and one.name not in taken
        and one.name not in options
        and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    if missing and len(in_order) <= len(places):
        near = nearest_names(missing[0], unknown)
        free = [one for one in wanted.split(", ") if one.strip("*=") in _with_defaults(known)]
        needed = ", ".join(one for one in wanted.split(", ") if one not in free)
        return message(
            item,
            f"misses {' and '.join(map(repr, missing))}",
            wanted=f"{needed}; not needed: {', '.join(free)}" if free else wanted,
            remedy=f"perhaps it is meant by '{near[0]}'" if near else None,
        )
    return message(item, "is given too many arguments", f"{len(in_order)} in a row", wanted)
