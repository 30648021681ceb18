"""Checks that every description shares: finite numbers, vectors of the right length, one form of message."""

from __future__ import annotations

import math
import numbers
from typing import TYPE_CHECKING, Any

from linkwork import units
from linkwork.errors import DescriptionError, message

#: A number in SI, or a text with its unit ("30 deg"), which becomes the number: a finished description holds a float.
#: Type checkers cannot say "text in, number out", so for them it is Any.
if TYPE_CHECKING:
    Quantity = Any
else:
    Quantity = float


def number(value, item: str, what: str, *, least: float | None = None, above: float | None = None,
           unit: str | None = None) -> float:
    """`value` as a finite float, or a DescriptionError that names the item.

    With `unit`, the SI unit that a plain number has here, the value may also be a text such as "30 mm".
    """
    if unit is not None and isinstance(value, str):
        value = units.si(value, unit, item, what)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise DescriptionError(message(item, f"{what} is not a number", repr(value), "a finite number"))
    value = float(value)
    if not math.isfinite(value):
        raise DescriptionError(message(item, f"{what} is not finite", repr(value), "a finite number"))
    if least is not None and value < least:
        raise DescriptionError(message(item, f"{what} is too small", repr(value), f"at least {least:g}"))
    if above is not None and value <= above:
        raise DescriptionError(message(item, f"{what} is too small", repr(value), f"more than {above:g}"))
    return value


def vector(value, item: str, what: str, lengths: tuple[int, ...] = (2, 3), *,
           unit: str | None = None) -> tuple[float, ...]:
    """`value` as a tuple of finite floats of an allowed length; with `unit`, texts such as "30 mm" among them."""
    wanted = " or ".join(str(n) for n in lengths) + " numbers"
    try:
        if isinstance(value, str):
            raise TypeError
        parts = tuple(value)
    except TypeError:
        raise DescriptionError(message(item, f"{what} is not a list of numbers", repr(value), wanted)) from None
    if len(parts) not in lengths:
        raise DescriptionError(message(item, f"{what} has the wrong length", repr(value), wanted))
    return tuple(number(part, item, what, unit=unit) for part in parts)
