"""Functions of time whose numbers may be traced (`tape`): what they are at a time, and what else depends on them.

Runs step on the places where functions jump or bend.  Functions that have none, whatever their numbers are, may have
any; of others the numbers are said, so that designs with others are told apart.
"""

from __future__ import annotations

from typing import Any

from linkwork.mechanism import jets
from linkwork.mechanism.breaks import switches
from linkwork.mechanism.expressions import Expression, value_of
from linkwork.tape import Traced, plainly


def value_at(function: Any, t: float) -> Any:
    """The value of a function of time, traced where its numbers are."""
    numbers = function.numbers()
    if not any(isinstance(one, Traced) for one in numbers):
        return float(function(t)[0])
    if isinstance(function, Expression):
        return value_of(numbers, t)
    return type(function).values(t, numbers)[0]


def what_breaks(function: Any) -> tuple[Any, ...]:
    """What two functions have in common that jump and bend at the same times."""
    if getattr(function, "entire", False):
        return (type(function).__name__,)
    numbers = function.numbers()
    if isinstance(function, Expression):
        steps = list(zip(numbers[::2], numbers[1::2]))
        powers = tuple(number for op, number in steps if op == jets.POWER_OF)
        bare = ((op, plainly(number) if op == jets.POWER_OF else 0.0) for op, number in steps)
        if not switches(tuple(part for one in bare for part in one)):
            return tuple(numbers[::2]), powers
    return (type(function).__name__, function.begins, *numbers)
