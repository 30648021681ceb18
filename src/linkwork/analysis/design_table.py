"""Designs of a sweep: a grid of values, a list of them, or samples of distributions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.compiled.names import number_unit, unit_in
from linkwork.errors import DescriptionError, UnitError, UnknownNameError, message
from linkwork.units import ANY, Measured, is_quantity, like_degrees, quantity, recount, si, whole

START = "start:"  # before the name of a start value
WAYS = ("grid", "list", "latin", "sobol")
SAMPLED = ("latin", "sobol")
MOST = 10_000_000  # designs
TAKEN = ("run", "time", "output", "failed", "doubts")  # names in a table


class DesignTable:
    """Designs in their order: each is a map of names to values."""

    def __init__(self, values: dict[str, list[Any]], grid: bool, written: Mapping[str, list[str]] | None = None):
        self.values, self.grid = values, grid
        self.written = written or {}  # texts with units, of which numbers were made
        kinds = {name: set(map(type, one)) for name, one in values.items()}
        self.worded = {name for name, some in kinds.items() if any(issubclass(kind, str) for kind in some)}
        self._of_designs = dict(values)
        sizes = [len(one) for one in values.values()]
        self.shape = tuple(sizes) if grid else (sizes[0],)
        self.dims = tuple(values) if grid else ("run",)

    def __len__(self) -> int:
        return int(np.prod(self.shape, dtype=object))

    def __getitem__(self, k: int) -> dict[str, Any]:
        where = [int(i) for i in np.unravel_index(k, self.shape)] if self.grid else [k] * len(self.values)
        return {name: one[i] for (name, one), i in zip(self._of_designs.items(), where)}

    def some(self, numbers: Sequence[int]) -> list[Mapping[str, Any]]:
        """Designs by their numbers."""
        if self.grid:
            return [self[k] for k in numbers]
        columns = [[one[k] for k in numbers] for one in self._of_designs.values()]
        return [dict(zip(self._of_designs, row)) for row in zip(*columns)]

    def texts(self) -> dict[str, list[str]]:
        """Values that are texts, each once, by name."""
        found = {
            name: list(dict.fromkeys([*(v for v in one if isinstance(v, str)), *self.written.get(name, ())]))
            for name, one in self.values.items()
            if name in self.worded or name in self.written
        }
        return {name: one for name, one in found.items() if one}

    def settle(self, mechanism: Any) -> None:
        """Texts of numbers are numbers in SI for the designs, and stay texts where they say more, as "2*L"."""
        for name in self.worded:
            unit = None if name.startswith(START) else unit_of_varied(mechanism, name)
            if unit is not None:
                self._of_designs[name] = [_settled(one, unit) for one in self.values[name]]
        for name, texts in self.written.items():
            refuse_hertz(f"sweep of '{name}'", mechanism, name, texts)

    def coordinates(self) -> dict[str, Any]:
        """Values of every name, for a table: numbers, in the unit of the first where they are texts with units."""
        values = {name: numbers_of(one)[0] if name in self.worded else one for name, one in self.values.items()}
        return values if self.grid else {name: ("run", one) for name, one in values.items()}

    def units(self, mechanism: Any) -> dict[str, str]:
        """Units of what is varied, where they are numbers and their unit is known."""
        found: dict[str, str | None] = {}
        for name, one in self.values.items():
            if name not in self.worded:
                found[name] = unit_of_varied(mechanism, name)
                continue
            values, unit = numbers_of(one)
            if not any(isinstance(value, str) for value in values):
                found[name] = unit or unit_of_varied(mechanism, name)
        return {name: unit for name, unit in found.items() if unit is not None}

    def told(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"grid": self.grid, "values": {name: self._as_told(name) for name in self.values}}

    def _as_told(self, name: str) -> list[Any]:
        """Values of a name: texts as they are, and floats."""
        one = self.values[name]
        return [v if isinstance(v, str) else float(v) for v in one] if name in self.worded else list(map(float, one))


@explained
def start_name(name: str) -> str | None:
    """The name of the start value that is varied, `A.angle` of `start:A.angle`; None where it is another number."""
    return name.removeprefix(START) if name.startswith(START) else None


def unit_of_varied(mechanism: Any, name: str) -> str | None:
    """The SI unit of a number or a start value that is varied; None where it is not known."""
    start = start_name(name)
    try:
        return number_unit(mechanism, name) if start is None else unit_in(mechanism, start)
    except UnknownNameError:  # a state of a law
        return None


def _settled(value: Any, unit: str) -> Any:
    """The number of a text in its SI unit; the text where it is none, means 2 pi, or would be warned of without it."""
    try:
        if not isinstance(value, str) or _in_hertz(value):
            return value
        found = float(si(value, unit, "sweep", "value"))
    except UnitError:
        return value
    return value if unit == "rad" and like_degrees(found) else found


def _in_hertz(text: str) -> bool:
    read = si(text, ANY, "sweep", "value")
    return isinstance(read, Measured) and read.unit.cycles


def refuse_hertz(item: str, mechanism: Any, name: str, ends: Any) -> None:
    """Refuse ends in Hz where a cycle means 2 pi: numbers between them are made without knowing what they are of."""
    for end in np.array(ends, dtype=object).ravel().tolist():
        if isinstance(end, str) and not name.startswith(START) and _in_hertz(end):
            number = float(si(end, ANY, item, "value"))
            if mechanism.with_numbers({name: end}) != mechanism.with_numbers({name: number}):
                remedy = "give plain numbers, in rad/s"
                raise UnitError(message(item, "is in Hz, which leaves open whether 2 pi is meant", end, remedy=remedy))


def numbers_of(values: list[Any]) -> tuple[list[Any], str]:
    """Values as numbers in the unit of the first ("": SI); as they are where one of them is no quantity."""
    if not any(isinstance(one, str) for one in values):
        return values, ""
    try:
        parts = [quantity(one) if isinstance(one, str) else (float(one), "") for one in values]
        unit = parts[0][1]
        found = [_in_unit(number, own, unit) for number, own in parts]
    except UnitError:  # texts that name something, or units that have no common one
        return values, ""
    return found, unit


def _in_unit(number: float, own: str, unit: str) -> float:
    """A number of a unit in another one; none is SI."""
    return number if own == unit else recount(number, own, unit, "sweep")


def design_table(vary: Any, over: str, count: Any, seed: Any) -> DesignTable:
    """The designs that are asked for."""
    if not isinstance(vary, Mapping) or not vary or not all(isinstance(one, str) for one in vary):
        raise DescriptionError(
            message("sweep", "got nothing to vary", repr(vary)[:80], 'names and values, {"spring.stiffness": [10, 20]}')
        )
    taken = [name for name in vary if name in TAKEN]
    if taken:
        remedy = "give the parameter another name"
        raise DescriptionError(message("sweep", "varies a name that its table has for itself", taken[0], remedy=remedy))
    if over not in WAYS:
        raise UnknownNameError("way to make designs", str(over), WAYS, "of a sweep")
    written: dict[str, list[str]] = {}
    if over in SAMPLED:
        return DesignTable(_samples(vary, over, count, seed, written), False, written)
    if count is not None:
        raise DescriptionError(message("sweep", f"got count= and over={over!r}", remedy="give over='latin' or 'sobol'"))
    values = {name: values_of(name, one, written) for name, one in vary.items()}
    sizes = {name: len(one) for name, one in values.items()}
    if over == "list" and len(set(sizes.values())) > 1:
        raise DescriptionError(
            message("sweep", "got lists of different lengths", ", ".join(f"{n}: {k}" for n, k in sizes.items()))
        )
    found = DesignTable(values, over == "grid", written)
    if len(found) > MOST:
        raise DescriptionError(message("sweep", "has too many designs", f"{len(found):.3g}", f"at most {MOST:,}"))
    return found


def values_of(name: str, given: Any, written: dict[str, list[str]]) -> list[Any]:
    """The values of a name, of a list or a span."""
    if isinstance(given, Mapping):
        return _even(name, given, written)
    if not _is_row(given):
        remedy = "vary its components, gravity.x and gravity.y" if name == "gravity" else None
        raise DescriptionError(
            message(
                f"sweep of '{name}'",
                "has no list of values",
                repr(given)[:80],
                "numbers, texts with units, or a span",
                remedy,
            )
        )
    if set(map(type, given)) == {float} and np.isfinite(given).all():  # the usual ones, at once
        return list(given)
    values = [one if isinstance(one, str) else _number(name, one) for one in given]
    if not values:
        raise DescriptionError(message(f"sweep of '{name}'", "has an empty list of values", wanted="one value or more"))
    _refuse_mixed(name, list(given))
    return values


def _refuse_mixed(name: str, given: list[Any]) -> None:
    """Refuse texts with units beside plain numbers, which are in SI: ("10 kN/m", 30) hardly means 30 N/m.

    What has no dimension is the same in both, and nothing is so in every unit.
    """
    if not any(isinstance(one, str) for one in given) or not {True, False} <= set(map(_has_unit, given)):
        return
    remedy = None
    if len(given) == 3 and isinstance(given[2], (int, np.integer)) and given[2] > 0:
        span = ", ".join(
            f'"{key}": {json.dumps(one, default=float)}' for key, one in zip(("from", "to", "count"), given)
        )
        remedy = f"for a range write {{{span}}}"
    wrong, wanted = "mixes texts with units and plain numbers, which are in SI", "units for all values, or for none"
    raise DescriptionError(message(f"sweep of '{name}'", wrong, repr(given)[:80], wanted, remedy))


def _has_unit(one: Any) -> bool | None:
    """Whether a value has a unit; None where it does not matter: zero, an expression, what has no dimension."""
    if isinstance(one, Measured) or (isinstance(one, str) and not is_quantity(one)):
        return None
    try:
        found = si(one, ANY, "sweep", "value")
    except DescriptionError:  # told where it is read
        return None
    if not isinstance(found, Measured):
        return False if found else None
    return True if any(found.unit.dimension) or found.unit.angle or found.unit.cycles else None


def _is_row(given: Any) -> bool:
    """Whether something is a list of values, and not of lists."""
    if isinstance(given, np.ndarray):
        return given.ndim == 1
    if isinstance(given, str) or not isinstance(given, Sequence):
        return False
    if set(map(type, given)) == {float}:  # the usual ones, at once
        return True
    return not any(np.ndim(one) for one in given if not isinstance(one, (float, int, str)))


def _even(name: str, given: Mapping[str, Any], written: dict[str, list[str]]) -> list[float]:
    """`count` values at equal distances, both ends among them."""
    if set(given) != {"from", "to", "count"}:
        wanted = '{"from": 10, "to": 50, "count": 5}'
        if set(given) == {"mean", "deviation"}:
            remedy = 'give over="latin" and count=, such as 128'
            raise DescriptionError(
                message(f"sweep of '{name}'", "is a distribution, which needs samples", repr(given)[:80], remedy=remedy)
            )
        raise DescriptionError(message(f"sweep of '{name}'", "is no list and no span", repr(given)[:80], wanted))
    many = whole(given["count"], f"sweep of '{name}'", "count", 1, MOST)
    first, last = (_number(name, given[key], written) for key in ("from", "to"))
    found: list[float] = np.linspace(first, last, many).tolist()
    return found


def _number(name: str, value: Any, written: dict[str, list[str]] | None = None) -> float:
    """A finite number; a text with a unit is noted, because the mechanism knows whether it fits."""
    if written is not None and isinstance(value, str):
        found = float(si(value, ANY, f"sweep of '{name}'", "value"))
        written.setdefault(name, []).append(value)
        return found
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.nan
    if not np.isfinite(found) or isinstance(value, (bool, np.bool_)):
        raise DescriptionError(message(f"sweep of '{name}'", "has a value that is no finite number", repr(value)[:60]))
    return found


def _samples(
    vary: Mapping[str, Any], over: str, count: Any, seed: Any, written: dict[str, list[str]]
) -> dict[str, list[Any]]:
    """Samples of uniform and normal distributions."""
    from scipy.stats import norm, qmc

    if count is None:
        raise DescriptionError(message("sweep", f"got over={over!r} and no count", remedy="give count=, such as 128"))
    many, seed = whole(count, "sweep", "count", 1, MOST), whole(seed, "sweep", "seed", 0)
    if over == "sobol" and many & (many - 1):
        raise DescriptionError(
            message("sweep", "got a count that Sobol's samples are not even for", many, "a power of 2, such as 128")
        )
    engine = qmc.LatinHypercube(len(vary), seed=seed) if over == "latin" else qmc.Sobol(len(vary), seed=seed)
    unit = engine.random(many)
    found = {}
    for column, (name, given) in zip(unit.T, vary.items()):
        first, second = distribution(name, given, written)
        if isinstance(given, Mapping):
            found[name] = norm.ppf(np.clip(column, 1e-12, 1.0 - 1e-12), first, second).tolist()
        else:
            found[name] = (first + (second - first) * column).tolist()
    return found


def distribution(name: str, given: Any, written: dict[str, list[str]]) -> tuple[float, float]:
    """Least and greatest, or mean and deviation, of a number of which samples are taken."""
    item = f"sweep of '{name}'"
    if isinstance(given, Mapping):
        if set(given) != {"mean", "deviation"}:
            raise DescriptionError(
                message(item, "is no distribution", repr(given)[:80], '{"mean": 1, "deviation": 0.1}')
            )
        mean, deviation = (_number(name, given[key], written) for key in ("mean", "deviation"))
        if not deviation > 0.0:
            raise DescriptionError(message(item, "has a deviation that is none", deviation, "more than 0"))
        return mean, deviation
    ends = [_number(name, one, written) for one in values_of(name, given, written)]
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise DescriptionError(message(item, "is no span", repr(given)[:80], "least and greatest"))
    return ends[0], ends[1]
