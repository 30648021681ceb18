"""Assembled once, started from often: a model remembers the last states that runs of it began with.

The same mechanism is run again with another tolerance, method or duration; its first state is found by the same numbers
and is the same.  It is looked for anew where assembly had something to say, which has to be said again, and where
functions in Python have a part in it, which may answer otherwise today.
"""

from __future__ import annotations

from typing import Any

from linkwork import errors
from linkwork.analysis.assemble import assemble
from linkwork.analysis.doors import able_to_move
from linkwork.analysis.kept import keep
from linkwork.compiled.model import Model
from linkwork.result.state import State

KEPT = 3  # states that a model remembers


def started(model: Model, start: Any, near: Any, t: float, coordinates: str) -> State:
    """The state that a run begins with: assembled by these values, and able to move."""
    key = _key(model, start, near, t, coordinates)
    known: dict = model.__dict__.setdefault("_started", {})
    state, numbers = known.get(key, (None, None)) if key is not None else (None, None)
    if state is not None and state.entered["numbers"] == numbers:  # nobody has written in it
        return state
    before = errors.warned
    state = able_to_move(assemble(model, start=start, near=near, t=t, coordinates=coordinates).state)
    if key is not None and errors.warned == before:
        keep(known, key, (state, state.entered["numbers"]), KEPT)
    return state


def _key(model: Model, start: Any, near: Any, t: float, coordinates: str) -> tuple | None:
    """What the state depends on beside the model; None where that cannot be told."""
    if any(not slot.compiled for slot in (*model.slots, *model.measure_slots.values())):
        return None
    values = []
    for given in (start, near):
        if given is not None and type(given) is not dict:
            return None
        pairs = tuple((given or {}).items())
        if not all(type(name) is str and type(value) in (float, int, str) for name, value in pairs):
            return None
        values.append(repr(pairs))  # -0.0 is not 0.0
    return (*values, type(t), t, coordinates)
