"""Other numbers for a model that is there: which entries of the numbers of its plans they change, and how.

A model is described, numbered and written once more with traced numbers (`tape`) in place of those that are named.
What comes out is the map from the named numbers to entries of p: a program of the very operations that a mechanism
with other numbers would go through, so that what it writes is the same bit for bit.  Whatever was decided on the way,
by a comparison, is a condition of the program; where one says otherwise the structure may be another one, and the
program has nothing to say.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.compiled.geometry import frame_key
from linkwork.compiled.model import Model
from linkwork.compiled.numbering import numbered
from linkwork.compiled.plan import Plan
from linkwork.compiled.plans import layout_of
from linkwork.compiled.plans.tables import Tables
from linkwork.compiled.program import Program
from linkwork.errors import LinkworkError, warnings_are
from linkwork.kernels import layout as at
from linkwork.tape import PLAIN, Lost, Tape, Traced, apart

#: other values that a program is tried with: each number times the first, plus the second times itself or one
TRIED = ((1.0, 0.0), (1.0625, 0.0), (0.9375, 0.03125))


class Rewriting:
    """Entries of the numbers of plans, and of the mass centres, as a program of some named numbers.

    `places` are the entries, by set of coordinates and in the order of the results; those of centers come last.
    """

    def __init__(
        self,
        program: Program,
        places: Mapping[str, np.ndarray],
        centers: np.ndarray,
        moves: bool,
        of_laws: bool,
        lengths: Sequence[int | None],
    ) -> None:
        #: of the values that it was made with: how many numbers lists had, None of numbers
        self.lengths = list(lengths)
        self._plain = not any(self.lengths)
        self.program, self.places, self.centers = program, places, centers
        #: whether frames or mass centres are elsewhere on their bodies; whether all entries are numbers of laws
        self.moves, self.of_laws = moves, of_laws
        self._listed = {key: one.tolist() for key, one in places.items()}
        ends = np.cumsum([0, *(one.size for one in places.values())]).tolist()
        self._parts = {key: slice(first, last) for key, first, last in zip(places, ends, ends[1:])}
        self._rest = slice(ends[-1], None)
        #: the results of the last call, for kernels
        self.room = np.zeros(ends[-1] + centers.size)
        self._pack: Any = struct.Struct(f"{self.room.size}d").pack_into

    def results(self, given: Any) -> list[float] | None:
        """The entries for other values; None where they may change more than entries, or are no plain numbers."""
        if self._plain:
            for value in given:
                if type(value) is not float:
                    break
            else:
                return self.program(given)
        values = flat(given) if lengths_of(given) == self.lengths else None
        return None if values is None else self.program(values)

    def put(self, results: list[float]) -> None:
        """Put the results where kernels find them."""
        self._pack(self.room, 0, *results)

    def of_set(self, coordinates: str) -> tuple[int, np.ndarray]:
        """The first of the results that is one of a set, and the places of those."""
        return self._parts[coordinates].start, self.places[coordinates]

    def of_plan(self, coordinates: str, results: list[float]) -> list[float]:
        """Those of a set, for its places."""
        return results[self._parts[coordinates]]

    def for_plan(self, coordinates: str, results: list[float]) -> tuple[list[int], list[float]]:
        """Places of a set, and what is to be written there."""
        return self._listed[coordinates], results[self._parts[coordinates]]

    def of_centers(self, results: list[float]) -> list[float]:
        """Those of the mass centres."""
        return results[self._rest]


def flat(given: Any) -> list[float] | None:
    """Values, lists of numbers among them, one after the other; None where one is no plain number."""
    found: list[float] = []
    for value in given:
        if type(value) in PLAIN:
            found.append(float(value))
        elif isinstance(value, tuple | list) and value and all(type(one) in PLAIN for one in value):
            found += map(float, value)
        else:
            return None
    return found


def lengths_of(given: Any) -> list[int | None]:
    """How many numbers lists among values have, None of what is none."""
    return [len(value) if isinstance(value, tuple | list) else None for value in given]


def rewriting(model: Model, sets: Sequence[str], numbers: Mapping[str, Any]) -> Rewriting | None:
    """The program for these numbers, made where they are now; None where it cannot be told what they change."""
    values = flat(numbers.values())
    if values is None:
        return None
    try:
        with warnings_are("raised"):  # what would be told has to be told every time
            found = _traced(model, sets, numbers, Tape(values))
            return found if found is not None and _holds(model, sets, numbers, values, found) else None
    except (Lost, LinkworkError, Warning, TypeError, ValueError, AttributeError, ArithmeticError):
        return None  # a float was wanted somewhere on the way


def shaped(numbers: Mapping[str, Any], values: Sequence[Any]) -> dict[str, Any]:
    """Numbers as they were given, lists as lists, with other values."""
    ahead = iter(values)
    return {
        name: tuple(next(ahead) for _ in value) if isinstance(value, tuple | list) else next(ahead)
        for name, value in numbers.items()
    }


def _written(model: Model, sets: Sequence[str]) -> dict[str, Tables]:
    return {one: Tables(model, layout_of(model, one, frozenset()), ()) for one in sets}


def _traced(model: Model, sets: Sequence[str], numbers: Mapping[str, Any], tape: Tape) -> Rewriting | None:
    """The program, made by going through everything once."""
    other = numbered(model.mechanism.with_numbers(shaped(numbers, tape.given)))
    if not alike(model, other):
        return None
    written = _written(other, sets)
    results: list[Traced] = []
    places: dict[str, np.ndarray] = {}
    for one, tables in written.items():
        plan = model.plan(one)
        if tables.structure() != Tables(model, plan.layout, ()).structure():
            return None
        found = entries_of(tables.writer.p, plan.parameters)
        if found is None:
            return None
        places[one] = np.array([place for place, _ in found], dtype=np.int64)
        results += [value for _, value in found]
    centers = entries_of(other.centers.ravel(), model.centers.ravel())
    if centers is None:
        return None
    keep_apart(other, written)
    results += [value for _, value in centers]
    plan, moved = model.plan(sets[0]), np.array([place for place, _ in centers], dtype=np.int64)
    frames = np.concatenate([plan.places(key).ravel() for key in (at.P_FRAME, at.P_MEASURE)])
    moves = bool(moved.size or np.isin(places[sets[0]], frames).any())
    of_laws = not moved.size and all(np.isin(places[one], _law_numbers(model.plan(one))).all() for one in sets)
    return Rewriting(Program(tape, results), places, moved, moves, of_laws, lengths_of(numbers.values()))


def _law_numbers(plan: Plan) -> np.ndarray:
    """Where in p the numbers of laws are: behind those of functions."""
    return plan.places(at.P_NUMBERS)[int(plan.table(at.T_FUNCTION)[:, at.FUNCTION_N_NUMBERS].sum()) :]


def entries_of(found: np.ndarray, before: np.ndarray) -> list[tuple[int, Traced]] | None:
    """Entries that are traced; None where one that is not differs from what it was."""
    traced = [(k, one) for k, one in enumerate(found.tolist()) if isinstance(one, Traced)]
    rest = np.ones(found.size, dtype=bool)
    rest[[k for k, _ in traced]] = False
    return traced if np.array_equal(found[rest].astype(float), before[rest], equal_nan=True) else None


def alike(model: Model, other: Model) -> bool:
    """Whether all has the same names in the same order."""
    return (
        [row.name for row in other.rows] == [row.name for row in model.rows]
        and [row.value is None for row in other.rows] == [row.value is None for row in model.rows]
        and [(law.element, law.part.label) for law in other.laws]
        == [(law.element, law.part.label) for law in model.laws]
        and other.work_names == model.work_names
        and list(other.law_states) == list(model.law_states)
        and [float(one) for one in other.law_states.values()] == list(model.law_states.values())
        and [body.name for body in other.bodies] == [body.name for body in model.bodies]
    )


def keep_apart(model: Model, written: Mapping[str, Tables]) -> None:
    """What is numbered apart stays apart: frames, measures, functions that would be one if they were equal."""
    groups: dict[Any, list[Any]] = {}
    for name, tables in written.items():
        for key in tables.frames:
            groups.setdefault((name, key[0]), []).append(key)
    for one in (*model.measures, *model.channels):
        kind = type(one), tuple((term.on.body, term.to.body) for _, term in one.terms())
        groups.setdefault(kind, []).append(one)
        for _, term in one.terms():
            pair = term.on.body, term.to.body
            groups.setdefault(("read", *pair), []).append(
                (frame_key(term.on), frame_key(term.to), term.checked_numbers())
            )
    for function in model.functions:
        groups.setdefault(type(function), []).append(function)
    for keys in groups.values():
        apart(keys)


def _holds(
    model: Model, sets: Sequence[str], numbers: Mapping[str, Any], values: Sequence[float], found: Rewriting
) -> bool:
    """Whether the program gives what other numbers give, at a few of them."""
    said = 0
    for factor, more in TRIED:
        tried = [factor * value + more * (abs(value) or 1.0) for value in values]
        results = found.program(tried)
        if results is None:
            continue
        said += 1
        other = numbered(model.mechanism.with_numbers(shaped(numbers, tried)))
        for one, tables in _written(other, sets).items():
            numbers_then = model.plan(one).parameters.copy()
            numbers_then[found.places[one]] = found.of_plan(one, results)
            if not np.array_equal(tables.writer.p, numbers_then, equal_nan=True):
                return False
        centers = model.centers.ravel().copy()
        centers[found.centers] = found.of_centers(results)
        if not np.array_equal(other.centers.ravel(), centers):
            return False
    return said > 0


# -- what places a state -----------------------------------------------------------------------------------------------
def placing(plan: Plan) -> np.ndarray:
    """Which numbers have a part in where a state is: those of rows, of measures with memory, of functions of time, of
    the set itself.  A state that meets its rows with these meets them whatever the others are.
    """

    def find() -> np.ndarray:
        out = np.zeros(plan.parameters.size, dtype=bool)
        measured = {one for row in plan.rows for _, one in row.measure.terms()} | set(plan.memory_slots)
        table = plan.table(at.T_MEASURE)
        frames = plan.places(at.P_FRAME)
        for one in measured:
            row = table[plan.measure_index[one]]
            out[frames[[row[at.MEASURE_ON], row[at.MEASURE_TO]]].ravel()] = True
            out[row[at.MEASURE_NUMBERS] : row[at.MEASURE_NUMBERS] + row[at.MEASURE_N_NUMBERS]] = True
        out[plan.places(at.P_ROW)[:, at.ROW_VALUE]] = True
        out[plan.places(at.P_TERM)] = True
        for _, first, count in plan.table(at.T_FUNCTION)[:, :3].tolist():
            out[first : first + count] = True
        out[plan.layout.placing(plan)] = True
        return out

    return plan.once("placing", find)
