"""What the numbers of an expression or a function measure, so that "2*k" with a stiffness k is refused as a length.

A number is a `Unit` here, or None where nobody said what it measures: t, and a parameter without a unit.  Written
numbers are pure.  A pure number may stand where any unit is wanted, because a plain number is always SI: L + 0.1.

    + - min max      equal units; a pure number takes the unit of the others
    * / ** sqrt      as units do; with a None it is None; Hz times a multiple of pi is an angular speed, and
                     Hz times a None are CYCLES: whether 2 pi is meant is open, so they are no angle
    sin exp ...      of a pure number or an angle, and pure; asin acos atan give an angle
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from linkwork.errors import UnitError, message
from linkwork.mechanism import jets
from linkwork.tape import real
from linkwork.units import ANY, Unit, is_measured, si
from linkwork.units.names import kind

PURE = Unit(Fraction(1))
RADIAN = PURE._replace(angle=1)
SECOND = PURE._replace(time=1)
CYCLES = PURE._replace(cycles=True)
_OPEN = (CYCLES, CYCLES._replace(time=-1))

_ALIKE = (jets.ADD, jets.SUBTRACT, jets.MIN, jets.MAX, jets.ATAN2)
_SAME = (jets.NEGATE, jets.ABS)
_OF_ANGLES = (jets.SIN, jets.COS, jets.TAN)
_TURNS = (jets.ASIN, jets.ACOS, jets.ATAN, jets.ATAN2)


class Mismatch(Exception):
    """Two units that cannot meet, in words."""


def unit_of(value: float) -> Unit | None:
    """What a parameter measures; None where it came without a unit."""
    return bare(value.unit) if is_measured(value) else None


def bare(unit: Unit) -> Unit:
    """The dimension of a unit alone: values are in SI already."""
    return unit._replace(factor=Fraction(1), turns=0)


def outcome(unit: Unit | None) -> Unit | None:
    """What an expression measures as a whole; None also where it is pure.

    Radians are counted only where nothing else is: an angle times a radius is a length.
    """
    if unit is None or unit == PURE:
        return None
    return unit._replace(angle=0) if any(unit.dimension) else unit


def result(op: int, units: Sequence[Unit | None], values: Sequence[float | None], with_pi: bool = False) -> Unit | None:
    """The unit of an operation on these units; `values` are the numbers themselves, where they are constant.

    `with_pi` says that pi is in the text somewhere: then Hz and t are left to the user, in whatever order.
    """
    if op in _ALIKE:
        unit = _alike(units)
        return RADIAN if op in _TURNS else unit
    if op == jets.STEP:
        _alike((units[0], units[1], units[3]))
        return _alike((units[2], units[4]))
    if op in _SAME:
        return units[0]
    if op == jets.SIGN:
        return PURE
    if op in (jets.MULTIPLY, jets.DIVIDE):
        one, other = units
        if one is None or other is None:
            return CYCLES if (one or other) in _OPEN and not (with_pi or any(map(_half_turns, values))) else None
        unit = one.times(other.power(1 if op == jets.MULTIPLY else -1))
        return unit._replace(cycles=False) if any(map(_half_turns, values)) else unit
    if op in (jets.POWER, jets.SQRT):
        return _power(units[0], 0.5 if op == jets.SQRT else values[1])
    if op in _OF_ANGLES and units[0] == CYCLES:
        raise Mismatch("Hz leaves open whether 2 pi is meant: write sin(2*pi*...), or rev/s, rpm or rad/s")
    if units[0] is not None and any(units[0].dimension):
        raise Mismatch(f"an angle or a pure number is wanted here, not {kind(units[0])}")
    return RADIAN if op in _TURNS else PURE


def _alike(units: Iterable[Unit | None]) -> Unit | None:
    """One unit for all; None stands for any, and so does a pure number."""
    units = list(units)
    if CYCLES in units and (RADIAN in units or all(unit in (None, PURE, CYCLES) for unit in units)):
        return CYCLES
    known = [unit for unit in units if unit not in (None, PURE, CYCLES)]
    for unit in known[1:]:
        if not _same_kind(unit, known[0]):
            raise Mismatch(f"{kind(known[0])} and {kind(unit)} do not go together")
    return known[0] if known else None if None in units else PURE


def _same_kind(one: Unit, other: Unit) -> bool:
    """Equal dimensions; angles count only where there is nothing else."""
    return one.dimension == other.dimension and (any(one.dimension) or one.angle == other.angle)


def _half_turns(value: float | None) -> bool:
    """Whether a number is a multiple of pi."""
    turns = (value or 0.0) / math.pi
    return abs(turns - round(turns)) < 1e-12 and round(turns) != 0


def _power(unit: Unit | None, exponent: float | None) -> Unit | None:
    if unit is None or unit == PURE:
        return unit
    if exponent is None:
        raise Mismatch(f"{kind(unit)} is raised to a power that varies")
    powers = [n * exponent for n in (unit.length, unit.mass, unit.time, unit.angle)]
    if any(n != round(n) for n in powers):
        return None
    length, mass, time, angle = map(round, powers)
    return PURE._replace(length=length, mass=mass, time=time, angle=angle)


def common(item: str, given: Iterable[tuple[str, float, int]]) -> Unit | None:
    """The one unit of several numbers of an item; None where none has a unit.

    Each is (what it is, the number, how often it is divided by a time): the speed of a length is a length too.
    """
    first: tuple[str, Unit] | None = None
    for what, value, per_time in given:
        unit = unit_of(value)
        if unit is None:
            continue
        unit = unit.times(SECOND.power(per_time))
        if first is None:
            first = what, unit
        elif not _same_kind(unit, first[1]):
            raise UnitError(message(item, f"{what} does not fit {first[0]}", kind(unit), kind(first[1])))
    return first[1] if first else None


def settle_values(function: Any, given: dict[str, tuple[Any, int]], name: str = "", to: str = "unit") -> None:
    """Numbers, also as texts with units, which must agree; each comes with how often it is divided by a time.

    They are put into fields of their own names, or all into the field `name`; the unit, if there is one, into `to`.
    """
    item = type(function).__name__
    read = {what: si(value, ANY, item, what) for what, (value, _) in given.items()}
    unit = common(item, [(what, read[what], per_time) for what, (_, per_time) in given.items()])
    found = {what: real(value) for what, value in read.items()}
    for key, value in {name: tuple(found.values())}.items() if name else found.items():
        object.__setattr__(function, key, value)
    if unit is not None:
        object.__setattr__(function, to, unit)
