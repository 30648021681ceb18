"""Other numbers for a motion that is made ready: from names and values to the model, or straight to its parameters.

Any number may be another one as long as the structure stays.  In general the mechanism is described anew with it
(`with_numbers`), and its model is numbered and written into the tables that are there: parameters are those of a
mechanism that had these numbers from the beginning, bit for bit.

Masses, inertias and gravity are written into the numbers of the model that is there (`compiled.reweighing`).

Numbers of force laws (a stiffness, a damping, a rest length, numbers of users' laws) touch nothing but their own place
in p, and go straight there.  Which names these are is said by the classes of the forces (`Force.handed_on`, and a
contract checks each); a parameter is one where it stands alone in such fields, and nowhere else.  Where in p they are
is found from models with other values, from `LEAST` to `MOST` times the value at hand: they must be the same but for
numbers of laws that *are* the value given.  Values between these go straight; others are numbers like any.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from linkwork.compiled.numbering import difference, other_numbers
from linkwork.compiled.reweighing import reweighed
from linkwork.coordinates import BASE
from linkwork.errors import CompileError, LinkworkError, message

LEAST, MOST = 2.0**-10, 2.0**10
TRIED = (LEAST, 0.3101, 2.7177, MOST)
PLAIN = (float, int, np.float64)


def model_with(model: Any, coordinates: str, numbers: Mapping[str, Any]) -> Any:
    """The model with other numbers; what changes the structure is refused by name."""
    mechanism = model.mechanism
    found = _built(model, coordinates, numbers)
    if found is not None:
        return found
    guilty = [name for name, value in numbers.items() if _built(model, coordinates, {name: value}) is None]
    other = other_numbers(model, mechanism.with_numbers(numbers), any_structure=True)
    raise CompileError(
        message(
            f"Mechanism '{mechanism.name}'",
            f"gets another structure by other numbers: {difference(model, other)}",
            ", ".join(f"{name} = {numbers[name]!r}" for name in guilty or numbers),
            "numbers that leave bodies, rows and laws as they are",
            "mechanism.with_numbers(...) and a motion prepared anew",
        )
    )


def _built(model: Any, coordinates: str, numbers: Mapping[str, Any]) -> Any:
    """The model with other numbers, or None where the structure is another one."""
    mechanism = model.mechanism.with_numbers(numbers)
    found = reweighed(model, mechanism)
    if found is not None:
        return found
    found = other_numbers(model, mechanism, any_structure=True)
    if len(found.rows) != len(model.rows):
        return None
    same = all(_same(found.plan(one).tab, model.plan(one).tab) for one in dict.fromkeys((coordinates, BASE)))
    return found if same else None


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one is other or np.array_equal(one, other)


@dataclass(frozen=True)
class Straight:
    """Where the values of some names go in p, and between which limits they do."""

    limits: tuple[tuple[float, float], ...]
    places: list[int]
    owners: list[int]  # of the places: which of the names

    def values(self, given: Any) -> list[float] | None:
        """What to write at the places; None where a value is no plain number within its limits."""
        for value, (low, high) in zip(given, self.limits):
            if type(value) not in PLAIN or not low <= value <= high:
                return None
        given = list(map(float, given))
        return [given[k] for k in self.owners]


def straight(model: Any, coordinates: str, names: tuple[str, ...]) -> Straight | None:
    """The straight way for these names, or None where one of them means more than numbers of force laws."""
    plan = model.plan(coordinates)
    limits, places, owners = [], [], []
    for k, name in enumerate(names):
        value = _value(model.mechanism, name)
        if value is None or not _handed_on(model.mechanism, name):
            return None
        found = [_changed(model, coordinates, name, value, part) for part in TRIED]
        if not found[0] or found.count(found[0]) != len(found):
            return None
        limits.append((min(value * LEAST, value * MOST), max(value * LEAST, value * MOST)))
        places += [plan.law_number(law, number) for law, number in found[0]]
        owners += [k] * len(found[0])
    return Straight(tuple(limits), places, owners) if len(set(places)) == len(places) else None


def _handed_on(mechanism: Any, name: str) -> bool:
    """Whether a name is that of fields which forces hand on to their laws, and of nothing else."""
    item, _, field = name.partition(".")
    if field:
        return field in _fields_handed_on(mechanism[item])
    for family in (mechanism.bodies, mechanism.joints, mechanism.drivers, mechanism.forces, mechanism.readings):
        for one in family:
            recipe = mechanism.recipe(one)
            if name in recipe.names:
                plain = _fields_handed_on(mechanism[one])
                rest = {key: value for key, value in recipe.given.items() if key not in plain or value != name}
                if name in recipe.having(rest).names:
                    return False
    named = (*mechanism.written_parameters.values(), mechanism.written_gravity)
    return not any(isinstance(one, str) and name in one for part in named for one in np.ravel(part).tolist())


def _fields_handed_on(item: Any) -> tuple[str, ...]:
    """What an item hands on to its laws, where its own class says so: a derived one may make more of its fields."""
    return item.handed_on() if "handed_on" in type(item).__dict__ else ()


def _value(mechanism: Any, name: str) -> float | None:
    """The number that a name has now, where it is one that is not zero."""
    try:
        item, *path = name.split(".")
        found = reduce(getattr, path, mechanism[item]) if path else mechanism.parameters[name]
    except (LinkworkError, AttributeError, KeyError):
        return None
    return float(found) if isinstance(found, float | int) and np.isfinite(found) and found != 0.0 else None


def _changed(model: Any, coordinates: str, name: str, value: float, part: float) -> list[tuple[int, int]] | None:
    """Numbers of laws (law, which) that are another value, if nothing else is other; else None."""
    given = value * part
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            other = _built(model, coordinates, {name: given})
    except (LinkworkError, Warning):
        return None
    if other is None or not _alike(model, other):
        return None
    found = []
    for k, (one, two) in enumerate(zip(model.laws, other.laws)):
        if replace(two.part, numbers=one.part.numbers) != one.part:
            return None
        for j, (before, after) in enumerate(zip(one.part.numbers, two.part.numbers)):
            if before != after:
                if before != value or after != given:
                    return None
                found.append((k, j))
    return found


def _alike(one: Any, other: Any) -> bool:
    """Whether two models of one structure are the same but for numbers of laws."""
    return (
        one.length == other.length
        and all(getattr(one, part) == getattr(other, part) for part in ("rows", "channels", "functions", "measures"))
        and np.array_equal(one.masses, other.masses)
        and np.array_equal(one.weights, other.weights)
        and np.array_equal(one.centers, other.centers)
        and np.array_equal(one.axes, other.axes)
    )
