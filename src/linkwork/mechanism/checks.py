"""What every description shares: hints that say what a number means, and the checks that read them.

A field says its unit and range once, in its hint: `mass: Mass`.  Constructors (`settle`), model files and their schema
read it there.  One form of message.
"""

from __future__ import annotations

import functools
import inspect
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from linkwork.errors import DescriptionError, message
from linkwork.units import Number, tell_degrees

MOST_NAME = 100  # characters; each may be written by ten, and a key of YAML has at most 1024
#: control characters, halves of characters, separators of lines, marks of direction: a name shows what it is
_NOT_IN_NAMES = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)

_DRIVES = "a damper that puts energy in is a force of its own: UserForce with a law"

#: A number in SI, or a text with its unit ("30 deg"), which becomes the number: a finished description holds a float.
#: Type checkers cannot say "text in, number out", so for them it is Any.
if TYPE_CHECKING:
    Quantity = Any
else:
    Quantity = float

#: A Python function of the user.  Model files and their schema know it by its hint, which at run time is plain.
if TYPE_CHECKING:
    PythonFunction = Callable[..., Any]
else:
    PythonFunction = Callable

Mass = Annotated[Quantity, Number("kg", least=0.0)]
Inertia = Annotated[Quantity, Number("kg m^2", least=0.0)]
Product = Annotated[Quantity, Number("kg m^2")]  # of inertia, beside the diagonal
Length = Annotated[Quantity, Number("m")]
Width = Annotated[Quantity, Number("m", least=0.0)]
Size = Annotated[Quantity, Number("m", above=0.0)]
Radians = Annotated[Quantity, Number("rad")]
Speed = Annotated[Quantity, Number("m/s")]
AngularSpeed = Annotated[Quantity, Number("rad/s")]
Frequency = Annotated[Quantity, Number("rad/s", cycles=True)]
Seconds = Annotated[Quantity, Number("s")]
Step = Annotated[Quantity, Number("s", above=0.0)]
Force = Annotated[Quantity, Number("N")]
Torque = Annotated[Quantity, Number("N m")]
Stiffness = Annotated[Quantity, Number("N/m")]
TorsionStiffness = Annotated[Quantity, Number("N m/rad")]
Damping = Annotated[Quantity, Number("N s/m", least=0.0, remedy=_DRIVES)]
TorsionDamping = Annotated[Quantity, Number("N m s/rad", least=0.0, remedy=_DRIVES)]
Position = tuple[Length, Length] | tuple[Length, Length, Length]
Velocity = tuple[Speed, Speed] | tuple[Speed, Speed, Speed]


def shown_name(value: str, item: str, what: str = "a name") -> str:
    """A name or title that can be shown, written and read again as it is, or a DescriptionError."""
    found = _NOT_IN_NAMES.search(value)
    if found:
        raise DescriptionError(
            message(
                item,
                f"{what} has a character that cannot be shown",
                repr(value[:80]),
                f"letters, digits and signs without {found[0]!r}",
            )
        )
    if len(value) > MOST_NAME:
        raise DescriptionError(
            message(item, f"{what} is too long", f"{len(value)} characters, {value[:20]!r}...", f"at most {MOST_NAME}")
        )
    return value


def number(value, item: str, what: str, *, unit: str | None = None) -> float:
    """`value` as a finite float, or a DescriptionError that names the item.

    With `unit`, the SI unit that a plain number has here, the value may also be a text such as "30 mm".
    """
    return Number(unit).read(value, item, what)


def vector(
    value, item: str, what: str, lengths: tuple[int, ...] = (2, 3), *, unit: str | None = None, example: str = ""
) -> tuple[Any, ...]:
    """`value` as a tuple of finite floats of an allowed length; with `unit`, texts such as "30 mm" among them."""
    wanted = " or ".join(str(n) for n in lengths) + " numbers" + (f", such as {example}" if example else "")
    try:
        if isinstance(value, str):
            raise TypeError
        parts = tuple(value)
    except TypeError:
        raise DescriptionError(message(item, f"{what} is not a list of numbers", repr(value), wanted)) from None
    if len(parts) not in lengths:
        raise DescriptionError(message(item, f"{what} has the wrong length", repr(value), wanted))
    return tuple(number(part, item, what, unit=unit) for part in parts)


def listed(value: Any, item: str, what: str, wanted: str) -> tuple[Any, ...]:
    """`value` as a tuple, or a DescriptionError: a number or a text is no list."""
    if isinstance(value, str | Mapping) or not isinstance(value, Iterable):
        raise DescriptionError(message(item, f"{what} is not a list", repr(value), wanted))
    return tuple(value)


def named_points(value: Any, item: str) -> dict[Any, Any]:
    """Places by name as a dictionary, or a DescriptionError; None stands for none."""
    try:
        return {} if value is None else dict(value)
    except (TypeError, ValueError):
        raise DescriptionError(
            message(item, "points are not places by name", repr(value), 'a map such as {"tip": (0.1, 0.0)}')
        ) from None


def further_points(options: dict[str, Any]) -> dict[Any, Any]:
    """The points among the options of a shape, which it has of its own, too; taken out of them."""
    name = options.get("name")
    return named_points(options.pop("points", None), f"Body '{name}'" if name else "Body")


# -- what hints say ----------------------------------------------------------------------------------------------------


def meanings(thing: Any) -> dict[str, Number]:
    """What the numbers mean that a class or a function takes, by name: the first in each hint."""
    return _hinted(thing)[0]


@functools.cache
def hints(thing: Any) -> dict[str, Any]:
    """The hints of the arguments of a class or a function; those of a class are its fields first."""
    found: dict[str, Any] = {}
    owners: tuple[Any, ...] = (thing,)
    if isinstance(thing, type):
        owners = (vars(thing).get("__init__"), *reversed(thing.__mro__))
    for one in owners:
        try:
            found |= inspect.get_annotations(one, eval_str=True)
        except (NameError, TypeError):  # of a class made inside a function, whose names are gone; without an __init__
            continue
    return found


@functools.cache
def _hinted(thing: Any) -> tuple[dict[str, Number], set[str]]:
    """The meaning of each number, and those for which None may stand."""
    known = hints(thing)
    found = {name: meaning for name, hint in known.items() if (meaning := _first(hint)) is not None}
    return found, {name for name in found if type(None) in typing.get_args(known[name])}


def _first(hint: Any) -> Number | None:
    for part in getattr(hint, "__metadata__", ()):
        if isinstance(part, Number):
            return part
    return next((found for part in typing.get_args(hint) if (found := _first(part)) is not None), None)


def _read(owner: Any, item: str, name: str, value: Any) -> Any:
    known, optional = _hinted(owner)
    return None if value is None and name in optional else known[name].read(value, item, name)


def settle(thing: Any, item: str, *names: str) -> None:
    """Put numbers of a frozen description in order, as their hints say: finite, in SI, in range.

    Angles that look like degrees are told where they are written, not again where the description gets its name.
    """
    for name in names:
        if not getattr(thing, "name", "") and meanings(type(thing))[name].unit == "rad":
            tell_degrees(getattr(thing, name), f"{item} {name}")
        object.__setattr__(thing, name, _read(type(thing), item, name, getattr(thing, name)))


def settled(function: Any, *values: Any) -> tuple[Any, ...]:
    """The first arguments of a function in order, as its hints say."""
    return tuple(
        _read(function, function.__name__, name, value)
        for name, value in zip(inspect.signature(function).parameters, values)
    )
