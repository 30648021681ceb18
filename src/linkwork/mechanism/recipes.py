"""Recipes: what to call with which arguments, where texts of parameters are among them.

`bar(length="3*L")` cannot know what L is.  So it gives a `Recipe`, and `Mechanism.add` makes the body of it with the
parameters of the mechanism.  What was made keeps its recipe, so that it can be made again with other parameters.

    number      a text that is no quantity ("30 cm") but an expression ("3*L") waits
    function    a text that names more than t and what expressions know ("A*sin(w*t)") waits
    frame       any text ("crank.a") waits, and so does a measure by its name ("A.angle"); `references` finds them
    anything    that holds a recipe waits, too
"""

from __future__ import annotations

import functools
import inspect
import itertools
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Real
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, ParamSpec, TypeVar

import numpy as np

from linkwork import cells
from linkwork.arguments import Explained
from linkwork.errors import DescriptionError, LinkworkError, UnitError, UnknownNameError, message
from linkwork.mechanism.checks import hints, listed, meanings
from linkwork.mechanism.parsing import Source
from linkwork.units import ANY, Number, is_quantity, shown, si

Taken = ParamSpec("Taken")
Made = TypeVar("Made")


class Recipe(metaclass=Explained):
    """A description that waits for the names and parameters of a mechanism: what to `make`, with which `arguments` and
    `options`.

    >>> from linkwork.mechanism.shapes import bar
    >>> recipe = bar(length="3*L", mass=1.0)
    >>> recipe
    bar(length='3*L', mass=1.0)
    >>> recipe.made({"L": 0.5}).length
    1.5
    """

    def __init__(
        self, make: Any, arguments: tuple[Any, ...] = (), options: Mapping[str, Any] = MappingProxyType({})
    ) -> None:
        self.make = make
        self.used: Mapping[str, float] = {}  # of a thing that was made: the parameters that it was made with
        self._call = arguments, dict(options)

    @classmethod
    def of(cls, thing: Any) -> Recipe:
        """What makes a thing: as it was written where that is known, else its shape or class with its numbers."""
        return thing.__dict__.get("_recipe") or cls.of_fields(thing)

    @classmethod
    def of_fields(cls, thing: Any, shapes: bool = True) -> Recipe:
        """What makes a thing from its numbers: the shape (unless not wanted) that it was given, or the class with its
        fields.
        """
        if shapes and "_shape" in thing.__dict__:
            made_of: Recipe = thing.__dict__["_shape"]
            return made_of
        kind: Any = type(thing)
        if hasattr(kind, "arguments"):
            return cls(kind).having(kind.arguments(thing))
        names = [
            name
            for name, one in signature(kind).parameters.items()
            if name != "name" and one.kind is not one.VAR_KEYWORD
        ]
        return cls(kind).having({name: getattr(thing, name) for name in names})

    @functools.cached_property
    def given(self) -> Mapping[str, Any]:
        """Arguments by name, those that were given; a list for positional ones without names."""
        known = signature(self.make)
        bound = known.bind(*self._call[0], **self._call[1]).arguments
        more = next((name for name, one in known.parameters.items() if one.kind is one.VAR_KEYWORD), "")
        further = bound.pop(more, {})
        return MappingProxyType({**bound, **further})

    def having(self, given: Mapping[str, Any], used: Mapping[str, float] = MappingProxyType({})) -> Recipe:
        """The same call with these arguments instead, by name."""
        other = Recipe(self.make)
        other.__dict__.update(given=MappingProxyType(dict(given)), used=dict(used))
        return other

    def fits(self, parameters: Mapping[str, float]) -> bool:
        """Whether these parameters are those that it was made with."""
        return all(
            name in parameters
            and parameters[name] == value
            and getattr(parameters[name], "unit", None) == getattr(value, "unit", None)
            for name, value in self.used.items()
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _recipe_again, (self.make, dict(self.given), dict(self.used))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.make is other.make and self.given == other.given

    __hash__ = None  # type: ignore[assignment]  # its arguments may be maps

    def __call__(self, *arguments: Any) -> NoReturn:
        self.__getattr__("value")

    def __repr__(self) -> str:
        called = ", ".join(f"{name}={shown(value)}" for name, value in self.given.items())
        return f"{self.make.__name__}({called})"

    def __getattr__(self, key: str) -> NoReturn:
        if key.startswith("_") or key == "given":
            raise AttributeError(key)
        raise DescriptionError(
            message(
                repr(self),
                f"waits for the names and parameters of a mechanism, so that '{key}' is not known yet",
                remedy='use what mechanism.add("name", ...) returns',
            )
        )

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """Parameters, and functions, that its texts name."""
        return frozenset(name for key, value in self.given.items() for name in _names(value, place_of(self.make, key)))

    def made(self, parameters: Mapping[str, float], name: str = "") -> Any:
        """The thing itself, with these parameters; `name` is that of the item it will be."""
        what = f"{self.make.__name__} '{name}'" if name else self.make.__name__
        given = {
            key: read(value, place_of(self.make, key), parameters, f"the {key} of {what}")
            for key, value in self.given.items()
        }
        taken = signature(self.make).parameters
        if name and ("name" in taken or not isinstance(self.make, type)):  # a shape hands it to its body
            given["name"] = name
        several = next((key for key, one in taken.items() if one.kind is one.VAR_POSITIONAL), "")
        many = listed(given.pop(several, ()), what, several, "a list, such as it was given")
        try:
            thing = self.make(*many, **given)
        except (DescriptionError, UnitError) as error:
            if not name or type(error) not in (DescriptionError, UnitError) or f"'{name}'" in str(error):
                raise
            raise type(error)(f"'{name}': {error}") from None
        if isinstance(thing, Recipe):
            remedy = f'add it: mechanism.add("name", {self.make.__name__}(...))'
            raise DescriptionError(message(repr(self), "has names that only a mechanism knows", remedy=remedy))
        if self.waits:
            used = {one: parameters[one] for one in self.names if one in parameters}
            kept = {key: value for key, value in self.given.items() if key != "name"}
            thing.__dict__["_recipe"] = self.having(kept, used)
        return thing

    @functools.cached_property
    def waits(self) -> bool:
        """Whether there are texts of parameters among its arguments, or recipes."""
        return any(_waits(value, place_of(self.make, name)) for name, value in self.given.items())

    def numbers(self) -> dict[str, Any]:
        """What a shape was made of, in SI: its own arguments, with defaults, without what every body has."""
        found = {}
        for key, one in signature(self.make).parameters.items():
            if one.kind is not one.VAR_KEYWORD:
                found[key] = _plain(self.given.get(key, None if one.default is one.empty else one.default))
        return found


def _recipe_again(make: Callable[..., Any], given: dict[str, Any], used: dict[str, float]) -> Recipe:
    return Recipe(make).having(given, used)


# -- places of numbers -------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """What an argument takes: a number, a function of time, a frame or a measure by name, words, and what stands inside
    of lists and maps.
    """

    number: bool = False
    timed: bool = False
    frame: bool = False
    measure: bool = False
    words: frozenset[str] = frozenset()
    inside: Place | None = None

    def __bool__(self) -> bool:
        """Whether there is a place for a number or a function of time."""
        return self.number or self.timed or bool(self.inside)

    @property
    def within(self) -> Place:
        """What stands inside of a list or a map."""
        return ELSE if self.inside is None else self.inside


ELSE = Place()
NUMBER = Place(number=True)
_LISTS = (tuple, list, Iterable, Sequence, Mapping)


@functools.cache
def signature(make: Any) -> inspect.Signature:
    """The arguments of a class or a function."""
    return inspect.signature(make)


@functools.cache
def places(make: Any) -> Mapping[str, Place]:
    """Where a class or a function takes numbers or functions of time, by the hints of its arguments.

    "**" stands for arguments by any further name.
    """
    found: dict[str, Place] = {}
    known = hints(make)
    for name, one in signature(make).parameters.items():
        place = _place(known.get(name, Any))
        if one.kind is one.VAR_POSITIONAL and not isinstance(make, type):
            place = Place(inside=place)  # the hint of a class is that of its field, a tuple
        if one.kind is not one.VAR_KEYWORD:
            found[name] = place
        elif place:
            found["**"] = place
        else:
            from linkwork.mechanism.bodies import Body  # which is itself described by this

            found = {**places(Body), "mass": ELSE, "inertia": ELSE, **found}
    return MappingProxyType(found)


def place_of(make: Any, name: str) -> Place:
    """What one argument takes."""
    known = places(make)
    return known[name] if name in known else known.get("**", ELSE)


def _place(hint: Any) -> Place:
    from linkwork.mechanism.frames import Frame  # which are themselves described by this
    from linkwork.mechanism.functions import Function
    from linkwork.mechanism.measures import Measure

    if hint is float or isinstance(hint, Number):
        return NUMBER
    if hint is Function:
        return Place(timed=True)
    if isinstance(hint, type) and issubclass(hint, Frame | Measure):
        return Place(frame=issubclass(hint, Frame), measure=issubclass(hint, Measure))
    if typing.get_origin(hint) is typing.Literal:
        return Place(words=frozenset(typing.get_args(hint)))
    parts = [_place(one) for one in typing.get_args(hint)]
    if typing.get_origin(hint) in _LISTS:
        return Place(inside=_any(parts))
    return _any(parts)


def _any(parts: list[Place]) -> Place:
    """A place for any of these."""
    inside = [one.inside for one in parts if one.inside is not None]
    return Place(
        any(one.number for one in parts),
        any(one.timed for one in parts),
        any(one.frame for one in parts),
        any(one.measure for one in parts),
        frozenset(word for one in parts for word in one.words),
        _any(inside) if inside else None,
    )


# -- what waits --------------------------------------------------------------------------------------------------------

_HOLDERS = frozenset((str, tuple, list, dict, MappingProxyType, Recipe))
_PLAIN = frozenset((float, int, bool, str, type(None), np.float64))


def hold_texts(*values: Any) -> bool:
    """Whether texts or recipes may be among these values, at the first look."""
    return not _HOLDERS.isdisjoint(map(type, values))


def waiting(make: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Recipe | None:
    """The call as a recipe if it must wait for parameters, else None."""
    if not (
        any(map(_waits, arguments, _in_order(make)))
        or any(_waits(value, place_of(make, name)) for name, value in options.items())
    ):
        return None
    try:
        recipe = Recipe(make, arguments, options)
        return recipe if recipe.given else None
    except TypeError:  # told by the call itself
        return None


@functools.cache
def _in_order(make: Any) -> Iterable[Place]:
    """What arguments take that are given in order."""
    known = signature(make).parameters.values()
    many = next((place_of(make, one.name).inside or ELSE for one in known if one.kind is one.VAR_POSITIONAL), None)
    return [place_of(make, one.name) for one in known] if many is None else itertools.repeat(many)


def _entries(value: Any) -> Iterator[Any]:
    """What a list or a map holds; the order of turns, "XYZ", is a word."""
    if isinstance(value, list | tuple):
        return iter(value)
    return (one for key, one in value.items() if key != "order" or not isinstance(one, str))


def _waits(value: Any, place: Place) -> bool:
    kind = type(value)
    if kind not in _HOLDERS or kind is Recipe:
        return kind is Recipe
    if kind is str:
        return refers(value, place) or text_waits(value, place)
    return any(_waits(one, place.within) for one in _entries(value))


#: a dot that is not that of a number: before it something else than digits, behind it a letter
_DOTTED = re.compile(r"(?:[^\d\s]|[^\W\d]\w*)\.[^\W\d]")


def refers(text: str, place: Place) -> bool:
    """Whether a text in such a place is the name of a frame or a measure; beside numbers, one with a dot in it."""
    if place.measure and (place.number or place.timed):
        return _DOTTED.search(text) is not None
    return place.frame or place.measure


def text_waits(text: str, place: Place = NUMBER) -> bool:
    """Whether a text in such a place is an expression that needs parameters, or that only they can make a number."""
    if not (place.number or place.timed) or refers(text, place) or text in place.words:
        return False
    if is_quantity(text, timed=place.timed):
        return False
    if not place.timed:
        return _parsed(text) is not None
    from linkwork.mechanism.expressions import RESERVED

    return bool((_parsed(text) or frozenset()) - RESERVED)


@functools.lru_cache(maxsize=1000)
def _parsed(text: str) -> frozenset[str] | None:
    """The names in an expression; None where it is none."""
    try:
        return frozenset(Source(text).names())
    except LinkworkError:
        return None


def _names(value: Any, place: Place) -> Iterator[str]:
    kind = type(value)
    if kind is str and text_waits(value, place):
        yield from _parsed(value) or ()
    elif kind is Recipe:
        yield from value.names
    elif kind in _HOLDERS and kind is not str:
        for one in _entries(value):
            yield from _names(one, place.within)


def read(value: Any, place: Place, parameters: Mapping[str, float], what: str) -> Any:
    """A value with its texts as numbers and functions, and its recipes made; `what` names it in messages."""
    kind = type(value)
    if kind is Recipe:
        return value.made(parameters)
    if kind in (list, tuple):
        return tuple(read(one, place.within, parameters, what) for one in value)
    if kind in (dict, MappingProxyType):
        return {
            key: one if key == "order" and isinstance(one, str) else read(one, place.within, parameters, what)
            for key, one in value.items()
        }
    if kind is not str or not text_waits(value, place):
        return value
    from linkwork.mechanism.expressions import Expression, evaluate_number

    names = _parsed(value) or frozenset()
    used = {name: parameters[name] for name in names if name in parameters}
    try:
        of_time = place.timed and ("t" in names or not place.number)
        return Expression(value, used) if of_time else evaluate_number(value, used)
    except UnknownNameError as error:
        if error.kind != "name":
            raise
        raise UnknownNameError("parameter", str(error.name), parameters, f"in {value!r}, {what}") from None
    except DescriptionError as error:
        if type(error) is not DescriptionError:
            raise
        raise DescriptionError(f"{what[:1].upper()}{what[1:]}: {error}") from None


def _plain(value: Any) -> Any:
    """Quantities as numbers in SI."""
    if isinstance(value, str):
        return float(si(value, ANY, "Shape", "number")) if is_quantity(value) else value
    if isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


# -- who waits ---------------------------------------------------------------------------------------------------------


class Described(metaclass=Explained):
    """What users describe: called with texts of parameters it gives the recipe of itself."""

    def __new__(cls, *arguments: Any, **options: Any) -> Any:
        if not (_HOLDERS.isdisjoint(map(type, arguments)) and _HOLDERS.isdisjoint(map(type, options.values()))):
            recipe = waiting(cls, arguments, options)
            if recipe is not None:
                return recipe
        if cls.__init__ is object.__init__ and (arguments or options):  # object itself no longer refuses them
            raise TypeError(f"{cls.__name__}() takes no arguments")
        return object.__new__(cls)

    def _repr_html_(self) -> str:
        """In a notebook: its arguments, as they were given."""
        means, given = meanings(type(self)), Recipe.of(self).given
        left_out = {"active": True, "cut": False, "locked": False, "name": self.__dict__.get("name", "")}
        said = [
            (f"{key} [{means[key].unit}]" if key in means and means[key].unit else key, one)
            for key, one in given.items()
            if key not in left_out or left_out[key] != one
        ]
        title = f"{type(self).__name__} {left_out['name']}".strip()
        return cells.shown(title, cells.facts([*self._facts(), *said]))

    def _facts(self) -> list[tuple[str, Any]]:
        """What else is to be said of it in a notebook."""
        return []

    def unchangeable(self, name: str) -> Exception:
        """The error for who changes a field of it."""
        from linkwork.mechanism.attributes import frozen

        return frozen(self, name)

    def named(self, name: str) -> Any:
        """The same with a name."""
        found = object.__new__(type(self))
        found.__dict__.update(self.__dict__, name=name)
        return found


def shape(function: Callable[Taken, Made]) -> Callable[Taken, Made]:
    """A function that makes a body of a shape: it waits for parameters, and the body keeps what it was made of."""

    @functools.wraps(function)
    def described(*arguments: Any, **options: Any) -> Any:
        if not (_PLAIN.issuperset(map(type, arguments)) and _PLAIN.issuperset(map(type, options.values()))):
            arguments = tuple(map(_kept, arguments))
            options = {key: _kept(value) for key, value in options.items()}
        if not (_HOLDERS.isdisjoint(map(type, arguments)) and _HOLDERS.isdisjoint(map(type, options.values()))):
            recipe = waiting(described, arguments, options)
            if recipe is not None:
                return recipe
        body = function(*arguments, **options)
        options.pop("name", None)
        body.__dict__["_shape"] = Recipe(described, arguments, options)
        return body

    return described


def _kept(value: Any) -> Any:
    """A value that nobody can change later, and that can be read more than once."""
    if isinstance(value, Mapping):
        return {key: _kept(one) for key, one in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple) or (isinstance(value, Iterator) and not isinstance(value, str)):
        return tuple(map(_kept, value))
    return value
