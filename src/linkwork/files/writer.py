"""Mechanisms to files: `write`, `to_text`, and `digest` of what they say.

Only what differs from the defaults is written, with the numbers in SI.  Parameters, texts that name them, and shapes
are written as they were described; a digest names the numbers that come of them.  A Python function is written by its
name, and must be given again on reading.
"""

from __future__ import annotations

import hashlib
import math
import numbers
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import linkwork as lw
from linkwork.arguments import explained
from linkwork.errors import DescriptionError, FileError, message
from linkwork.files.declarations import NO_FIELDS, VERSION, declare, default_kind, kinds, number_of, shapes, singular
from linkwork.files.emit import known_format, to_json, to_yaml
from linkwork.files.events import written
from linkwork.files.whole import path_of, write_whole
from linkwork.units import Measured

SUFFIXES = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}


@explained
def write(mechanism: Any, path: str | os.PathLike[str], analysis: Mapping[str, Any] | None = None) -> Path:
    """Write `mechanism`, and an `analysis` if given, to a .yaml or .json file; the file is there whole or not at all.

    >>> path = lw.write(lw.gallery.four_bar(), "four_bar.yaml")
    >>> lw.read(path) == lw.gallery.four_bar()
    True
    """
    suffix = Path(path_of(path)).suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(message(f"{path}:", "has no ending that says the format", repr(suffix), ".yaml, .yml or .json"))
    return write_whole(path, to_text(mechanism, SUFFIXES[suffix], analysis).encode("utf-8"))


@explained
def to_text(mechanism: Any, format: str = "yaml", analysis: Mapping[str, Any] | None = None) -> str:
    """`mechanism` as a text of a `format`, "yaml" or "json", with an `analysis` if given: options by name.

    >>> m = lw.Mechanism("ball", gravity=None)
    >>> _ = m.add("ball", lw.Particle(2.0))
    >>> print(lw.to_text(m).strip())
    linkwork: 1
    name: ball
    dimension: 2
    gravity: null
    bodies:
      ball: {type: Particle, mass: 2.0}
    """
    known_format(format, "to_text")
    data = _Writer(mechanism, strict=True).document()
    if analysis is not None:
        if not isinstance(analysis, Mapping):
            raise DescriptionError(
                message(
                    "to_text",
                    "gets an analysis that is not given by name",
                    repr(analysis),
                    'options such as {"type": "simulate", "duration": 1.0}',
                )
            )
        data["analysis"] = _plain(analysis)
    return to_yaml(data) if format == "yaml" else to_json(data)


@explained
def digest(mechanism: Any) -> str:
    """A hash (SHA-256) of what a mechanism says: equal for equal descriptions; Python functions count by name."""
    return digest_and_functions(mechanism)[0]


def digest_and_functions(mechanism: Any) -> tuple[str, dict[str, Callable[..., Any]]]:
    """The same, and Python functions that a mechanism uses, by the names that a file would give them."""
    writer = _Writer(mechanism, strict=False)
    text = to_json(writer.document(), indent=None)
    return hashlib.sha256(text.encode("ascii")).hexdigest(), writer.laws


def same(one: Any, other: Any) -> bool:
    """Whether two mechanisms say the same, item for item in the same order, with the same Python functions."""
    first, second = _Writer(one, strict=False), _Writer(other, strict=False)
    return to_json(first.document(), None) == to_json(second.document(), None) and first.laws == second.laws


class _Writer:
    """Descriptions to plain data.  `strict`: what could not be read again is refused."""

    def __init__(self, mechanism: Any, strict: bool) -> None:
        if not isinstance(mechanism, lw.Mechanism):
            raise DescriptionError(message("A text or file", "is made of a mechanism", repr(mechanism), "a Mechanism"))
        self.mechanism = mechanism
        self.strict = strict
        self.laws: dict[str, Callable[..., Any]] = {}
        self.readings: dict[Any, str] = {}
        self.item = "Mechanism"

    def document(self) -> dict[str, Any]:
        m = self.mechanism
        data: dict[str, Any] = {"linkwork": VERSION, "name": m.name, "dimension": m.dimension}
        gravity = m.written_gravity if self.strict else m.gravity
        if tuple(gravity) != tuple(lw.Mechanism(dimension=m.dimension).gravity):
            data["gravity"] = self._value(gravity, ()) if any(gravity) else None
        if self.strict and m.parameters:
            data["parameters"] = {
                name: value.written() if isinstance(value, Measured) else self._value(value, ())
                for name, value in m.written_parameters.items()
            }
        for family in ("bodies", "joints", "drivers", "forces", "readings"):
            items = getattr(m, family)
            if items:
                data[family] = {name: self._item(family, name, item) for name, item in items.items()}
            if family == "joints":
                for name, joint in items.items():
                    for quantity, measure in joint.readings().items():
                        self.readings.setdefault(measure, f"{name}.{quantity}")
        if m.events:
            data["events"] = {name: self._event(name, one) for name, one in m.events.items()}
        return data

    def _event(self, name: str, event: Any) -> dict[str, Any]:
        self.item = f"Event '{name}'"
        recipe = self.mechanism.recipe(name) if self.strict else lw.Recipe.of_fields(event)
        return written(recipe.given, self._value)

    def _item(self, family: str, name: str, item: Any) -> dict[str, Any]:
        self.item = f"{singular(family)} '{name}'"
        return self._described(family, item)

    def _described(self, family: str, item: Any) -> dict[str, Any]:
        """Type and fields of a thing of a family."""
        recipe = lw.Recipe.of(item) if self.strict else None
        if recipe is None or not recipe.fits(self.mechanism.parameters):
            recipe = lw.Recipe.of_fields(item, shapes=self.strict)
        return self._called(family, recipe)

    def _called(self, family: str, recipe: Any) -> dict[str, Any]:
        """A shape or a class with its arguments."""
        make: Any = recipe.make
        declaration = declare(make)
        data: dict[str, Any] = {} if make is default_kind(family) else {"type": make.__name__}
        if make in shapes().values():
            data = {"shape": make.__name__}
        elif self.strict and kinds(family).get(make.__name__) is not make:
            raise DescriptionError(
                message(
                    self.item,
                    "is of a class that no file can name",
                    make.__name__,
                    "a registered class",
                    "give it a name of its own, without a leading _",
                )
            )
        for name, value in recipe.given.items():
            field = declaration.fields.get(name)
            if name not in NO_FIELDS and (field is None or field.required or not _equal(value, field.default)):
                data[name] = self._value(value, field.kinds if field else (float,))
        return data

    def _value(self, value: Any, wanted: tuple[Any, ...]) -> Any:
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, numbers.Integral):
            return int(value) if int in wanted else float(value)
        if isinstance(value, numbers.Real):
            if not math.isfinite(value):
                raise DescriptionError(message(self.item, "holds a number that is not finite", repr(value)))
            return float(value)
        if isinstance(value, lw.Frame):
            return self._frame(value)
        if isinstance(value, lw.Recipe):
            family = next((name for name in ("measures", "functions") if value.make in kinds(name).values()), "bodies")
            return self._called(family, value)
        if isinstance(value, lw.Body):
            return self._frame(value.at()) if lw.Frame in wanted else self._described("bodies", value)
        if isinstance(value, lw.Orientation):
            return list(value.quaternion)
        if isinstance(value, lw.Measure):
            return self.readings.get(value) or self._described("measures", value)
        if isinstance(value, lw.Function):
            return self._function(value, number_of(wanted) is not None, lw.Function in wanted)
        if isinstance(value, Mapping):
            return {str(key): self._value(one, (float,)) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(one, ()) for one in value]
        if callable(value):
            return {"law": self._law(value)}
        raise DescriptionError(message(self.item, "holds a value that no file can", repr(value)))

    def _frame(self, frame: Any) -> Any:
        recipe = frame.__dict__.get("_recipe") if self.strict else None
        if recipe is not None and "body" in recipe.given and recipe.fits(self.mechanism.parameters):
            return self._frame_of_texts(**recipe.given)
        body = self.mechanism.bodies.get(frame.body)
        x, y, z = (float(part) for part in (*frame.position, 0.0)[:3])
        place = [x, y, z] if z else [x, y]
        if frame.name and body is not None and frame.name in body.points and getattr(body, frame.name) == frame:
            return f"{frame.body}.{frame.name}"
        more = {
            key: self._value(getattr(frame, key), ())
            for key in ("angle", "axis", "along", "name")
            if getattr(frame, key) and not (key == "along" and frame.axis is None)
        }
        if more:
            return {"body": frame.body, **({"at": place} if any(place) else {}), **more}
        return {frame.body: place} if any(place) else frame.body

    def _frame_of_texts(self, body: str, x: Any = 0.0, y: Any = 0.0, z: Any = 0.0, **more: Any) -> Any:
        """A frame whose place or axes are given by parameters."""
        more = {key: self._value(value, ()) for key, value in more.items() if value is not None and value != 0.0}
        place = [self._value(part, ()) for part in ((x, y, z) if z else (x, y))]
        return {"body": body, "at": place, **more} if more else {body: place}

    def _function(self, function: Any, may_be_number: bool, any_function: bool) -> Any:
        """Short where a file may be short and means the same: a constant, an expression, a Python function."""
        if any_function and not may_be_number and type(function) is lw.Polynomial and len(function.coefficients) == 1:
            if abs(function.coefficients[0]) <= math.pi:  # a driver asks whether a larger number alone is meant
                return function.coefficients[0]
        if any_function and type(function) is lw.Expression and not function.parameters:
            if not may_be_number or "t" in _words(function.text):
                return function.text
        data = self._described("functions", function)
        if any_function and type(function) is lw.Callable and set(data) == {"type", "function"}:
            return data["function"]
        return data

    def _law(self, law: Callable[..., Any]) -> str:
        """The name of a Python function; two functions of one name could not be told apart on reading."""
        name = getattr(law, "__name__", "")
        if self.strict and name in ("", "<lambda>"):
            raise FileError(
                message(
                    self.item, "uses a Python function without a name to write", repr(law), "a function made by def"
                )
            )
        base, k = name or type(law).__name__, 1
        name = base
        while name in self.laws and self.laws[name] is not law and self.laws[name] != law:
            if self.strict:
                raise DescriptionError(
                    message(
                        self.item,
                        f"uses one of two different Python functions named '{base}'",
                        remedy="give them different names, so that a file can tell them apart",
                    )
                )
            k += 1
            name = f"{base}#{k}"
        self.laws[name] = law
        return name


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


def _equal(value: Any, default: Any) -> bool:
    return value is default or ((type(value) is not bool or type(default) is bool) and bool(value == default))


def _plain(value: Any) -> Any:
    """Options of an analysis as numbers, words, lists and maps."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, numbers.Real):
        return int(value) if isinstance(value, numbers.Integral) else float(value)
    try:
        return [_plain(one) for one in value]
    except TypeError:
        raise DescriptionError(
            message("analysis", "has a value that no file can hold", repr(value), "numbers, words, lists or maps")
        ) from None
