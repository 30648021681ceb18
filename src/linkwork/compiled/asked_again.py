"""A function of a measure that gave no finite numbers, asked again in plain Python for what it raised."""

from __future__ import annotations

import numpy as np

from linkwork.compiled.laws import call_measure
from linkwork.errors import UserFunctionError, message, plural
from linkwork.kernels.checked import plainly


def measure_failure(measure, dimension: int, seen, memory, where: str, result=None) -> UserFunctionError:
    """The error that says why: what the function raised, or what it gave, where it was told `seen`."""
    function = measure.function(dimension)
    name, words = type(measure).__name__, f"has a function '{function.__name__}' that"
    cause: Exception | None = None
    numbers = np.array(measure.checked_numbers(), dtype=float)
    try:
        with np.errstate(all="ignore"):
            found = call_measure(plainly(function), dimension, seen, numbers, np.array(memory))
        got = ", ".join(f"{one:g}" for one in found)
        text = message(name, f"{words} gives no finite numbers {where}", got, "finite numbers")
    except Exception as error:
        cause, remedy = error, None
        if isinstance(error, IndexError):
            remedy = f"numbers() gives {plural(len(numbers), 'number')}, and it remembers {len(memory)}"
            remedy += f": memory is {measure.memory!r}" if measure.memory != "parameter" else ""
        text = message(name, f"{words} raised {type(error).__name__}: {error}, {where}", remedy=remedy)
    failure = UserFunctionError(text, result=result)
    failure.__cause__ = cause
    return failure
