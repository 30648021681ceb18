"""What a result consists of, checked when it comes back from a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from linkwork.compiled.names import all_measures, measure_of
from linkwork.coordinates.turns import shift, told_by_position
from linkwork.errors import DescriptionError, UnknownNameError, message


def sizes_of(model) -> dict[str, tuple[int | None, ...]]:
    """The shapes of what a result of this model consists of; None is any number, of times or dependencies."""
    rows, wide = len(model.rows), model.n_y + model.n_memory
    return {
        "t": (None,),
        "states": (None, wide),
        "held": (rows,),
        "values": (rows,),
        "pivot": (),
        "dependencies": (None, rows),
    }


def arrays_of(mechanism, model, stored) -> dict[str, np.ndarray]:
    """Times, states, rows held, their values and dependencies as arrays; wrong sizes and numbers are refused."""
    wanted = sizes_of(model)
    arrays = {key: np.array(stored[key], dtype=float, order="C") for key in wanted}
    wanted["states"] = (arrays["t"].size, wanted["states"][1])
    item = f"Result of '{mechanism.name}'"
    for key, shape in wanted.items():
        got = arrays[key].shape
        if len(got) != len(shape) or any(b is not None and a != b for a, b in zip(got, shape)):
            raise DescriptionError(
                message(
                    item,
                    f"has '{key}' of a size that does not fit its mechanism",
                    str(got),
                    str(shape).replace("None", "any"),
                )
            )
        if not np.all(np.isfinite(arrays[key])):
            raise DescriptionError(message(item, f"has '{key}' that is not finite", wanted="finite numbers"))
    t, held = arrays["t"], arrays["held"]
    if not t.size or np.any(np.diff(t) <= 0.0):
        raise DescriptionError(message(item, "has times that do not increase", wanted="increasing finite numbers"))
    if np.any((held != 0.0) & (held != 1.0)):
        raise DescriptionError(
            message(
                item,
                "has rows that are neither held nor released",
                f"{held.tolist()}"[:80],
                "1 (held) or 0 (released) for each",
            )
        )
    return arrays


def statistics_of(kind: type, said: Mapping[str, Any]) -> Any:
    """Statistics of a run from what a file says: every field a number that can be."""
    known = {one.name: type(one.default) for one in fields(kind)}
    for name, value in said.items():
        if name not in known:
            raise UnknownNameError("statistic", str(name)[:60], known, "of a run")
        right = type(value) is int or (known[name] is float and type(value) is float)
        if not right or not math.isfinite(value) or not 0 <= value < 1 << 62:
            raise DescriptionError(
                message(
                    f"Statistic '{name}' of a result",
                    "cannot be right",
                    repr(value)[:60],
                    "a number, zero or more" if known[name] is float else "a whole number, zero or more",
                )
            )
    return kind(**said)


def first_turns(result) -> dict[str, float]:
    """Angles that begin in another turn than the first position alone would tell, by name."""
    state = result.state(0)
    known, usual = state.known_turns(), told_by_position(result.model, state.y)
    names = {measure: name for name, measure in all_measures(result.mechanism).items()}
    return {names[measure]: value for measure, value in known.items() if shift(value, usual.get(measure) or 0.0)}


def turns_by_measure(mechanism, said) -> dict | None:
    """The same by measure, from what a file says."""
    if not said:
        return None
    turns = {measure_of(mechanism, str(name))[0]: float(value) for name, value in dict(said).items()}
    if not all(map(math.isfinite, turns.values())):
        raise DescriptionError(message(f"Result of '{mechanism.name}'", "has turns that are not finite"))
    return turns
