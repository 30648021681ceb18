"""Sizes in result files: what a file declares is compared with its mechanism and its length before a number is read.

A stranger's file of a few bytes may declare any number of numbers.  Times and states are stored plainly, so that a file
which declares more than its bytes can hold is refused, whatever its format, and reading takes memory in proportion to
the length of the file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from linkwork.errors import FileError, message

MOST_BYTES = 4 << 30
MOST_SERIES = 1_000_000
#: dimensions of each; `result.stored.sizes_of` says what they are
STORED = {
    "t": 1,
    "states": 2,
    "first": 1,
    "borders": 2,
    "modes": 2,
    "values": 2,
    "pivot": 1,
    "dependencies": 2,
    "accelerations": 2,
    "multipliers": 2,
}


def declared(stored: Any, series: Any, length: int) -> dict[str, tuple[int, ...]]:
    """The shapes that a manifest declares, if they are shapes and fit each other and the length of the file."""
    if not isinstance(stored, Mapping) or set(stored) != set(STORED):
        raise FileError(
            message(
                "The manifest",
                "declares other datasets than a result has",
                ", ".join(map(repr, stored if isinstance(stored, Mapping) else ()))[:200],
                ", ".join(STORED),
            )
        )
    shapes = {key: _shape(key, stored[key], dimensions) for key, dimensions in STORED.items()}
    times, wide, segments, rows = *shapes["states"], *shapes["modes"]
    for key, shape in (
        ("t", (times,)),
        ("first", (segments,)),
        ("borders", (2 * max(0, segments - 1), 1 + wide)),
        ("values", (segments, rows)),
        ("pivot", (segments,)),
        ("dependencies", (None, 1 + rows)),
        ("accelerations", (None, None)),
        ("multipliers", (None, rows)),
    ):
        fit(key, shapes[key], shape)
    shown = times + 2 * segments  # at most: each segment may have a state of its own at both its borders
    for key, most in (("dependencies", segments * rows), ("accelerations", shown), ("multipliers", shown)):
        if shapes[key][0] > most:  # a dependency is a combination of rows that is zero, and no other's multiple
            fit(key, shapes[key], (most, shapes[key][1]))
    count = sum(math.prod(shape) for shape in shapes.values())
    if 8 * count > 4 * length:  # a number of a text may have two characters: one digit and a comma
        raise FileError(
            message(
                "The manifest",
                "declares more numbers than this file can hold",
                f"{times} times and states of {wide} numbers, {count} numbers with all others, in {length} bytes",
            )
        )
    if not isinstance(series, list) or not 1 <= len(series) <= MOST_SERIES:
        raise FileError(message("The manifest", "does not list its series", wanted="a list that begins with time"))
    return shapes


def _shape(key: str, entry: Any, dimensions: int) -> tuple[int, ...]:
    shape = entry.get("shape") if isinstance(entry, Mapping) else None
    if (
        not isinstance(shape, list)
        or len(shape) != dimensions
        or any(type(n) is not int or not 0 <= n < 1 << 40 for n in shape)
    ):
        raise FileError(
            message(
                f"The manifest declares for '{key}'",
                "what is no shape",
                repr(shape)[:80],
                f"{dimensions} whole numbers" if dimensions else "[]",
            )
        )
    return tuple(shape)


def fit(key: str, found: tuple[int, ...], wanted: tuple[int | None, ...]) -> None:
    """Raise unless a shape is the wanted one; None stands for any number."""
    if len(found) != len(wanted) or any(b is not None and a != b for a, b in zip(found, wanted)):
        raise FileError(
            message(
                f"'{key}' in this file",
                "has a size that does not fit its mechanism and its manifest",
                str(found),
                str(wanted).replace("None", "any"),
            )
        )
