"""Other numbers for a motion that is made ready: from names and values to a model.

Any number may be another one as long as the structure stays.  In general the mechanism is described anew with it
(`with_numbers`), and its model is numbered and written into the tables that are there: parameters are those of a
mechanism that had these numbers from the beginning, bit for bit.

Masses, inertias and gravity are written into the numbers of the model that is there (`compiled.reweighing`).

Where the same names come again and again no model is made: `compiled.rewriting` knows which entries they change, and
`renumbered` takes states on with them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.compiled.numbering import difference, other_numbers
from linkwork.compiled.reweighing import reweighed
from linkwork.coordinates import BASE
from linkwork.errors import CompileError, message


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
            "take mechanism.with_numbers(...), and prepare its motion anew",
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
