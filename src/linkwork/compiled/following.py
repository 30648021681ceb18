"""Anything that is made of a model, followed from named numbers and start values: arrays as a program of them.

As `rewriting` does it for the numbers of plans: a model is described, numbered and collected from once more with traced
numbers (`tape`), and every decision on the way is a condition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from linkwork.compiled.model import Model
from linkwork.compiled.numbering import numbered
from linkwork.compiled.program import Program
from linkwork.compiled.rewriting import TRIED, alike, entries_of, flat, keep_apart, shaped
from linkwork.errors import LinkworkError, warnings_are
from linkwork.tape import Lost, Tape


class Collected(NamedTuple):
    """Arrays by name that depend on numbers, tables of the plans among them, and all else, which must stay."""

    arrays: dict[str, np.ndarray]
    tables: dict[str, Any]
    structure: Any


Collect = Callable[[Model, Mapping[str, Any]], Collected]


class Followed:
    """Arrays as a program of numbers: `arrays` are those of the first ones, `many` has them for others."""

    def __init__(self, program: Program, arrays: dict[str, np.ndarray], places: dict[str, np.ndarray]) -> None:
        self.program, self.places = program, places
        self.arrays = {name: np.array(one, dtype=float) for name, one in arrays.items()}
        ends = np.cumsum([0, *(one.size for one in places.values())]).tolist()
        self._named = [
            (name, places[name], slice(first, last))
            for name, first, last in zip(places, ends, ends[1:])
            if last > first
        ]

    def many(self, values: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Arrays for many sets of values (sets, values), each (sets, size), and for which of them they are said."""
        results, said = self.program.many(values)
        found = {name: np.tile(one.ravel(), (len(values), 1)) for name, one in self.arrays.items()}
        for name, places, part in self._named:
            found[name][:, places] = results[:, part]
        return found, said


def followed(model: Model, numbers: Mapping[str, Any], start: Mapping[str, float], collect: Collect) -> Followed | None:
    """What `collect` makes of a model and start values, as a program; None where it cannot be told."""
    named = flat(numbers.values())
    if named is None:
        return None
    values = [*named, *start.values()]
    try:
        with warnings_are("raised"):  # what would be told has to be told every time
            found = _traced(model, numbers, start, collect, Tape(values))
            return found if found is not None and _holds(model, numbers, start, collect, values, found) else None
    except (Lost, LinkworkError, Warning, TypeError, ValueError, AttributeError, ArithmeticError):
        return None  # a float was wanted somewhere on the way


def _made(model: Model, numbers: Mapping[str, Any], start: Mapping[str, Any], values: Any) -> tuple[Model, dict]:
    """The model with other numbers, itself where there are none, and other start values."""
    count = len(values) - len(start)
    if not count:
        return model, dict(zip(start, values))
    other = numbered(model.mechanism.with_numbers(shaped(numbers, values[:count])))
    return other, dict(zip(start, values[count:]))


def _traced(
    model: Model, numbers: Mapping[str, Any], start: Mapping[str, float], collect: Collect, tape: Tape
) -> Followed | None:
    other, traced = _made(model, numbers, start, tape.given)
    if not alike(model, other):
        return None
    before, found = collect(model, start), collect(other, traced)
    if found.structure != before.structure:
        return None
    results: list[Any] = []
    places: dict[str, np.ndarray] = {}
    for name, one in found.arrays.items():
        entries = entries_of(np.asarray(one).ravel(), np.asarray(before.arrays[name], dtype=float).ravel())
        if entries is None:
            return None
        places[name] = np.array([place for place, _ in entries], dtype=np.int64)
        results += [value for _, value in entries]
    keep_apart(other, found.tables)
    return Followed(Program(tape, results), before.arrays, places)


def _holds(
    model: Model,
    numbers: Mapping[str, Any],
    start: Mapping[str, float],
    collect: Collect,
    values: list[float],
    found: Followed,
) -> bool:
    """Whether the program gives what models give that are built anew, at a few values."""
    tried = [[factor * value + more * (abs(value) or 1.0) for value in values] for factor, more in TRIED]
    arrays, said = found.many(np.array(tried, dtype=float).reshape(len(tried), len(values)))
    for k in np.flatnonzero(said):
        fresh = found.arrays if tried[k] == values else collect(*_made(model, numbers, start, tried[k])).arrays
        if not all(
            np.array_equal(np.asarray(fresh[name], float).ravel(), one[k], equal_nan=True)
            for name, one in arrays.items()
        ):
            return False
    return bool(said.any())
