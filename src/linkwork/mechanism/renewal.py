"""A mechanism with other numbers: parameters, fields of items, gravity.

Only what a change concerns is made anew: items whose texts name a parameter that changed, items that are named
themselves, and what is attached to points that moved.  The rest of the new mechanism are the very same items.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, Any

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.checks import listed, number
from linkwork.mechanism.dimensions import bare
from linkwork.mechanism.events import Action, Set
from linkwork.mechanism.frames import Frame, make_frame
from linkwork.mechanism.functions import Function
from linkwork.mechanism.joints import Joint
from linkwork.mechanism.measures import Measure
from linkwork.mechanism.present import gravity_parts
from linkwork.mechanism.recipes import Described, Recipe, place_of, places
from linkwork.tape import Traced
from linkwork.units import ANY, Measured, is_quantity, must_fit, si
from linkwork.units.names import usual_text

if TYPE_CHECKING:
    from linkwork.mechanism.mechanism import Mechanism

#: what `with_numbers` can change of a frame
OF_FRAMES = ("position", "angle")
_UNCHANGING = (float, int, str, bool, type(None))


def with_numbers(mechanism: Any, numbers: Mapping[str, Any]) -> Mechanism:
    """A mechanism with other numbers; see `Mechanism.with_numbers`."""
    where = f"in mechanism '{mechanism.name}'"
    if not isinstance(numbers, Mapping):
        raise DescriptionError(
            message(
                "with_numbers",
                "is given no numbers by name",
                repr(numbers),
                'a map such as {"L": 0.3, "crank.length": "1.2 m"}',
            )
        )
    parameters, gravity = dict(mechanism._written), mechanism.written_gravity
    axes, parts = gravity_parts(mechanism), {}
    fields: dict[str, list[tuple[str, list[str], Any]]] = {}
    for key, value in numbers.items():
        name, _, field = unicodedata.normalize("NFKC", key).partition(".") if isinstance(key, str) else ("", "", "")
        if not field and name in parameters:
            parameters[name] = _parameter(name, value, mechanism.parameters[name])
        elif key == "gravity":
            gravity = value
        elif field and key.partition(".")[0] in mechanism._names():
            fields.setdefault(key.partition(".")[0], []).append((key, field.split("."), value))
        elif key in axes:
            parts[key] = value
        else:
            known = [*parameters, "gravity", *axes, *_all_numbers(mechanism)]
            raise UnknownNameError("number", key, known, where)
    from linkwork.mechanism.mechanism import Mechanism  # whose method this is

    if parts:
        before = Mechanism(mechanism.name, mechanism.dimension, gravity, parameters).written_gravity
        gravity = tuple(parts.get(axis, one) for axis, one in zip(axes, before))
    new = Mechanism(mechanism.name, mechanism.dimension, gravity, parameters)
    for key in numbers:
        if key in mechanism.parameters:
            _check_kind(key, new.parameters[key], mechanism.parameters[key])
    renewal = _Renewal(mechanism, new)
    for (_, family), (_, renewed) in zip(mechanism._families, new._families):
        for name, item in family.items():
            renewal.item(name, item, renewed, fields.get(name, ()))
    _refuse_left_behind(mechanism, new, fields)
    new.bases = mechanism.bases
    new.__dict__["_structures"] = mechanism.__dict__.setdefault("_structures", {})
    return new


def _refuse_left_behind(old: Any, new: Any, fields: Mapping[str, list[tuple[str, list[str], Any]]]) -> None:
    """Refuse to put the frames of a joint elsewhere where somebody else measures its motion between the old ones."""
    for name, given in fields.items():
        if name not in old.joints or not any(path[-1] in OF_FRAMES for _, path, _ in given):
            continue
        gone = set(old.joints[name].readings().values()) - set(new.joints[name].readings().values())
        for other in (one for family in new._families for one in family[1].values() if gone):
            if gone & set(_measures(list(Recipe.of(other).given.values()))):
                raise DescriptionError(
                    message(
                        "with_numbers",
                        f"puts a frame of joint '{name}' elsewhere, and '{other.name}' would measure from the old one",
                        given[0][0],
                        remedy="give the frame a text of a parameter, at('x', 0, angle='a'): all that share it follow",
                    )
                )


def _measures(values: list[Any]) -> Iterator[Measure]:
    """All measures among some values, and what they are sums of."""
    for one in values:
        if isinstance(one, Measure):
            yield from (part for _, part in one.terms())
        elif isinstance(one, (list, tuple)):
            yield from _measures(list(one))


def _parameter(name: str, value: Any, old: float) -> Any:
    """A parameter as it will be written: a plain number has the unit that the parameter had."""
    item = f"Parameter '{name}'"
    found = si(value, ANY, item, "value") if isinstance(value, str) and is_quantity(value) else value
    plain = isinstance(found, Real) and not isinstance(found, bool | Measured)
    if isinstance(value, Traced):
        return value.measured(bare(old.unit)) if isinstance(old, Measured) else value
    if plain and isinstance(old, Measured):
        return Measured(number(found, item, "value"), bare(old.unit)).written()
    return value


def _check_kind(name: str, new: float, old: float) -> None:
    """A parameter that had a unit keeps its kind."""
    if isinstance(new, Measured) and isinstance(old, Measured):
        must_fit(new.unit, usual_text(bare(old.unit)), f"Parameter '{name}'", "value", repr(new.text or new.written()))


def _all_numbers(mechanism: Any) -> list[str]:
    return [f"{name}.{field}" for name in mechanism._names() for field in _numbers(Recipe.of(mechanism[name]))]


def _numbers(recipe: Recipe) -> list[str]:
    """The arguments that take numbers or functions of time, and those of frames."""
    found = []
    for name in dict.fromkeys((*places(recipe.make), *recipe.given)):
        if name != "**" and (place_of(recipe.make, name) or (recipe.make is Set and name == "value")):
            found.append(name)
        elif isinstance(recipe.given.get(name), Frame):
            found += [f"{name}.{one}" for one in OF_FRAMES]
        else:
            found += [f"{name}.{one}" for one in _numbers_of_actions(recipe.given.get(name))]
    return found


def _numbers_of_actions(held: Any) -> list[str]:
    """Those of actions: of the only one, or of several by their numbers from 0."""
    held = held if isinstance(held, tuple | list) else (held,)
    found = [
        (k, _numbers(one if isinstance(one, Recipe) else Recipe.of(one))) for k, one in enumerate(held) if _acts(one)
    ]
    return [f"{k}.{name}" if len(held) > 1 else name for k, names in found for name in names]


def _acts(held: Any) -> bool:
    """Whether it is an action, or waits to be one."""
    kind = held.make if isinstance(held, Recipe) else type(held)
    return isinstance(kind, type) and issubclass(kind, Action)


class _Renewal:
    def __init__(self, old: Any, new: Any) -> None:
        self.old, self.new = old, new
        self.changed = {
            name
            for name, value in new.parameters.items()
            if isinstance(value, Traced)  # whatever it is now
            or (value, getattr(value, "unit", None))
            != (old.parameters[name], getattr(old.parameters[name], "unit", None))
        }
        self.moved: dict[str, Body] = {}  # bodies that are others now, as they were

    def item(self, name: str, item: Any, family: dict, numbers: Any) -> None:
        """Put an item into the new mechanism, as it is or made anew."""
        written = "_recipe" in item.__dict__
        recipe = self.old.recipe(name)
        other = self.recipe(recipe)
        for key, path, value in numbers:
            other = self._with(other, path, value, key)
        posed = written and isinstance(item, Joint) and {item.on.body, item.to.body} & self.moved.keys()
        if other is recipe and not posed and not recipe.names & self.changed:
            if isinstance(item, Body) and self.changed:  # it knows the parameters of its mechanism
                item = Described.named(item, name)
                item.__dict__["_parameters"] = self.new._parameters
            family[name] = item
            return
        if isinstance(item, Body):
            self.moved[name] = item
        self.new._put(family, name, other.made(self.new._parameters, name))

    def _with(self, recipe: Recipe, path: list[str], value: Any, key: str) -> Recipe:
        """A recipe with another number at the end of a path of names."""
        head, *rest = path
        held = recipe.given.get(head)
        further = "**" in places(recipe.make) and head not in places(recipe.make)  # a law says whether it has it
        if not rest and (further or head in _numbers(recipe)):
            return recipe.having({**recipe.given, head: tuple(value) if isinstance(value, list) else value})
        if len(rest) == 1 and isinstance(held, Mapping) and rest[0] in held and place_of(recipe.make, head):
            return recipe.having({**recipe.given, head: {**held, rest[0]: value}})
        alone = _acts(held)  # an event that does not wait holds it as a list of one
        found = self._inside((held,) if alone else held, rest, value, key) if rest else None
        if found is not None:
            return recipe.having({**recipe.given, head: found[0] if alone else found})
        item = key.partition(".")[0]
        known = _numbers(Recipe.of(self.old[item]))
        raise UnknownNameError("number", key, [f"{item}.{one}" for one in known], f"in mechanism '{self.old.name}'")

    def _inside(self, held: Any, path: list[str], value: Any, key: str) -> Any:
        """What a field holds, with another number at the end of a path; None where there is no such number."""
        if isinstance(held, Recipe | Function | Measure | Action):
            return self._with(held if isinstance(held, Recipe) else Recipe.of(held), path, value, key)
        if isinstance(held, Frame) and path[0] in OF_FRAMES and len(path) == 1:
            return self._frame_with(held, path[0], value, key)
        if isinstance(held, tuple | list):  # such as actions: the only one, or one by its number from 0
            which, rest = (path[0], path[1:]) if len(held) != 1 or path[0].isdecimal() else ("0", path)
            if rest and which.isdecimal() and int(which) < len(held):
                k = int(which)
                found = self._inside(held[k], rest, value, key)
                return None if found is None else (*held[:k], found, *held[k + 1 :])
        return None

    def _frame_with(self, frame: Frame, field: str, value: Any, key: str) -> Frame:
        """A frame elsewhere on its body, which then is no named point any more; or with its axes turned otherwise."""
        recipe = frame.__dict__.get("_recipe")
        if recipe is not None and recipe.make is not make_frame and recipe.fits(self.new._parameters):
            return self._follower_with(frame, recipe, field, value, key)
        if recipe is None or recipe.make is not make_frame or not recipe.fits(self.new._parameters):
            x, y, z = frame.position
            given = {"body": frame.body, "x": x, "y": y, "z": z, "angle": frame.angle, "axis": frame.axis}
            recipe = Recipe(make_frame).having({**given, "along": frame.along, "name": frame.name})
        if field == "position":
            place = listed(value, "Number", f"'{key}'", "a place such as (0.1, 0.2)")
            if len(place) not in (2, 3):
                wanted = "two numbers, in space three"
                raise DescriptionError(message(f"Number '{key}'", "has the wrong length", repr(value), wanted))
            recipe = recipe.having({**recipe.given, **dict(zip("xyz", (*place, 0.0))), "name": None})
        elif frame.name:  # it goes where its point goes
            recipe = Recipe(Frame.turned, (replace(frame, angle=0.0), value))
        else:
            turning = {} if frame.axis is not None else {"along": None}  # which is an angle, too
            recipe = recipe.having({**recipe.given, **turning, "angle": value})
        return recipe.made(self.new._parameters)

    def _follower_with(self, frame: Frame, recipe: Recipe, field: str, value: Any, key: str) -> Frame:
        """The same of a frame that comes from another one: what is not told goes on to come from there."""
        given = dict(recipe.given)
        if field == "angle" and recipe.make is Frame.facing:
            return Recipe(Frame.turned, (frame, value)).made(self.new._parameters)
        before = self._frame_with(given["self"], field, value, key)
        if field == "angle" and recipe.make is Frame.turned:
            return before
        if field == "position" and recipe.make is Frame.ahead:
            given["distance"] = 0.0
        return recipe.having({**given, "self": before}).made(self.new._parameters)

    # -- what is attached to something that moved; each gives back the very same where nothing did ---------------------

    def value(self, held: Any) -> Any:
        if type(held) in _UNCHANGING:
            return held
        if isinstance(held, Frame):
            return self.frame(held)
        if isinstance(held, Recipe):
            return self.recipe(held)
        if isinstance(held, Measure | Function):
            return self.thing(held)
        if isinstance(held, tuple | list):
            parts = [self.value(one) for one in held]
            return held if all(a is b for a, b in zip(parts, held)) else tuple(parts)
        if isinstance(held, Mapping):
            entries = {key: self.value(one) for key, one in held.items()}
            return held if all(entries[key] is one for key, one in held.items()) else entries
        return held

    def recipe(self, recipe: Recipe) -> Recipe:
        given = {key: self.value(one) for key, one in recipe.given.items()}
        return recipe if all(given[key] is one for key, one in recipe.given.items()) else recipe.having(given)

    def thing(self, thing: Any) -> Any:
        """A measure or a function inside an item."""
        recipe = self._known(thing)
        if recipe is None and isinstance(thing, Function):
            return thing
        recipe = recipe or Recipe.of_fields(thing)
        other = self.recipe(recipe)
        unchanged = other is recipe and not recipe.names & self.changed
        return thing if unchanged else other.made(self.new._parameters)

    def frame(self, frame: Frame) -> Frame:
        recipe = self._known(frame)
        if recipe is not None:
            other = self.recipe(recipe)
            unchanged = other is recipe and not recipe.names & self.changed
            return frame if unchanged else other.made(self.new._parameters)
        if frame.name and frame.body in self.moved:
            before, now = (body.points.get(frame.name) for body in (self.moved[frame.body], self.new[frame.body]))
            if (
                now is not None
                and before is not None
                and (*before, 0.0)[:3] == frame.position
                and (any(isinstance(one, Traced) for one in now) or now != before)
            ):
                return replace(frame, position=(*now, 0.0)[:3])  # type: ignore[arg-type]  # two or three numbers
        return frame

    def _known(self, thing: Any) -> Recipe | None:
        """The recipe of a thing, where it was made with the parameters of the old mechanism."""
        recipe = thing.__dict__.get("_recipe")
        return recipe if recipe is not None and recipe.fits(self.old._parameters) else None
