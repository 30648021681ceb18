"""The number that a name stands for: what `with_numbers` would replace, as it is now."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.checks import meanings
from linkwork.mechanism.dimensions import bare
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.functions import Function
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.recipes import Recipe
from linkwork.units import ANY, Measured, is_quantity, quantity, si
from linkwork.units.names import usual_text


@explained
def number(mechanism: Any, name: str) -> float:
    """The number in SI that a name of `with_numbers` stands for: a parameter, `gravity.y`, `spring.stiffness`.

    >>> lw.gallery.four_bar().number("spring.stiffness")
    20.0
    """
    if name in mechanism.parameters:
        return float(mechanism.parameters[name])
    item, dot, path = str(name).partition(".")
    if item not in mechanism._names() and name in gravity_parts(mechanism):
        return float(mechanism.gravity[gravity_parts(mechanism).index(name)])
    if not dot or item not in mechanism._names():
        raise UnknownNameError("number", str(name), [*mechanism.parameters, *mechanism._names()], "of this mechanism")
    found = _at(mechanism.recipe(item), path.split("."), mechanism[item])
    if isinstance(found, str):
        from linkwork.mechanism.expressions import evaluate_number

        found = (
            si(found, ANY, name, "value") if is_quantity(found) else evaluate_number(found, dict(mechanism.parameters))
        )
    if not isinstance(found, Real) or isinstance(found, bool):
        raise DescriptionError(message(f"'{name}'", "is no number", repr(found)[:60]))
    return float(found)


def gravity_parts(mechanism: Any) -> list[str]:
    """Names of the components of gravity."""
    return [f"gravity.{axis}" for axis in "xyz"[: mechanism.dimension]]


def number_unit(mechanism: Any, name: str) -> str | None:
    """The SI unit of what a name of `with_numbers` stands for; None where nobody said what it measures."""
    if name in mechanism.parameters:
        value = mechanism.parameters[name]
        return _unit_of(value) if isinstance(value, Measured) else None
    item, _, path = name.partition(".")
    if item not in mechanism._names():
        return "m/s^2" if name in gravity_parts(mechanism) else None
    *heads, last = path.split(".")
    recipe: Any = mechanism.recipe(item)
    for head in heads:
        held = recipe.given.get(head)
        if isinstance(held, Mapping):  # numbers of one kind, by name
            return _meant(recipe, head)
        if isinstance(held, Frame):
            return {"position": "m", "angle": "rad"}.get(last)
        if not isinstance(held, Recipe | Function | Measure):
            return None
        recipe = held if isinstance(held, Recipe) else Recipe.of(held)
    return _meant(recipe, last)


def _unit_of(value: Measured) -> str:
    """The unit of a number in SI: as it was written, N/m, where that is one of SI."""
    if is_quantity(value.text):
        written = quantity(value.text)[1]
        if written and si(f"1 {written}", ANY, written, "unit") == 1.0:
            return written
    return usual_text(bare(value.unit))


def _meant(recipe: Recipe, field: str) -> str | None:
    """The unit that an argument is read in; that of a shape may be one of the body."""
    for make in (recipe.make, *(() if isinstance(recipe.make, type) else (Body,))):
        meaning = meanings(make).get(field)
        if meaning is not None:
            return meaning.unit
    return None


def _at(recipe: Recipe, path: list[str], thing: Any) -> Any:
    """What stands at the end of a path of names; where it was not given, what the thing itself has there."""
    head, *rest = path
    held = recipe.given.get(head)
    if held is None:
        held = recipe.numbers().get(head, getattr(thing, head, None))
    if not rest:
        return held
    if isinstance(held, Mapping):
        return held.get(rest[0])
    if isinstance(held, Frame):
        return getattr(held, rest[0]) if rest in (["position"], ["angle"]) else None
    if isinstance(held, Recipe | Function | Measure):
        return _at(held if isinstance(held, Recipe) else Recipe.of(held), rest, held)
    return None
