"""What events have switched, in words for files: which event a segment begins with, and how its model differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.compiled.events import drives
from linkwork.compiled.variants import Switches, base_of, core_of, full_model, switches_of, variant
from linkwork.errors import DescriptionError, message
from linkwork.result.events import Mark
from linkwork.result.segments import Segment

FULL = "switching"  # the word that says that numbers are those of a model with all that events may switch


# -- out ---------------------------------------------------------------------------------------------------------------
def words_of(segment: Segment) -> dict[str, Any]:
    """The event that a segment begins with, and what is switched in it; nothing where nothing is."""
    model = segment.model
    found: dict[str, Any] = {}
    if segment.began_by is not None:
        name, done = segment.began_by
        found["event"] = [name, list(done)]
    switches = switches_of(model)
    if switches != switches_of(base_of(model)):
        found["switches"] = {
            "off": sorted(switches.off),
            "drives": [_drive_out(model, *one) for one in switches.drives],
            "numbers": {name: list(value) if isinstance(value, tuple) else value for name, value in switches.numbers},
        }
    return found


def _drive_out(model, driver: str, function: Any, begins: float, anew: bool) -> list:
    """A driver that follows another function, which is that of an action."""
    for name, k, action in drives(model.mechanism):
        if action.driver == driver and action.function == function:
            return [driver, name, k, begins, anew]
    raise DescriptionError(
        message(
            f"Driver '{driver}'",
            "follows a function that a Python function gave it in an event, which no file can name",
            remedy="name it in a Drive(...) of an event",
        )
    )


def marks_out(segments: Sequence[Segment], marks: Sequence[Mark]) -> dict[str, Any]:
    """Events that were only recorded, with the states of the bodies, and whether the model is a full one."""
    found: dict[str, Any] = {}
    if core_of(segments[0].model) is not base_of(segments[0].model):
        found[FULL] = True
    if marks:
        found["marks"] = [
            [one.name, one.segment, one.t, np.concatenate([state.y, state.memory]).tolist()]
            for one in marks
            for state in [one.state(segments)]
        ]
    return found


# -- in ----------------------------------------------------------------------------------------------------------------
def model_of(core: Any, manifest: Mapping) -> Any:
    """The model that the numbers belong to."""
    return full_model(core) if manifest.get(FULL) is True else core


def read(item: str, base: Any, words: Mapping[str, Any]) -> tuple[Any, tuple[str, tuple[str, ...]] | None]:
    """The model of a segment, and the event that it begins with."""
    try:
        model, began_by = base, None
        if "event" in words:
            name, done = words["event"]
            began_by = str(name), tuple(str(one) for one in done)
        if "switches" in words:
            told = words["switches"]
            known = {(action.driver, name, k): action for name, k, action in drives(base.mechanism)}
            driven = []
            for driver, name, k, begins, anew in told["drives"]:
                action = known.get((driver, name, int(k)))
                if action is None or not np.isfinite(float(begins)):
                    raise ValueError("a driver that no event drives")
                driven.append((driver, action.function, float(begins), bool(anew)))
            numbers = {
                str(name): tuple(value) if isinstance(value, list) else value for name, value in told["numbers"].items()
            }
            off = frozenset(str(one) for one in told["off"])
            if not off <= set(base.laws_of):
                raise ValueError("elements that do not exist")
            model = variant(base, Switches(off, tuple(driven), tuple(numbers.items())))
        return model, began_by
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise DescriptionError(message(item, "says of an event what cannot be right", repr(error)[:80])) from None


def marks_in(segments: Sequence[Segment], told: Any) -> list[Mark]:
    """Events that were only recorded."""
    item = f"Result of '{segments[0].model.mechanism.name}'"
    found = []
    try:
        for name, k, t, row in told or ():
            numbers = np.array(row, dtype=float)
            model = segments[int(k)].model if 0 <= int(k) < len(segments) else None
            if model is None or numbers.shape != (model.n_y + model.n_memory,):
                raise ValueError("a state that is none")
            if not (np.isfinite(numbers).all() and np.isfinite(float(t))):
                raise ValueError("numbers that are not finite")
            found.append(Mark(float(t), str(name), int(k), numbers))
    except (TypeError, ValueError) as error:
        raise DescriptionError(message(item, "has recorded events that cannot be right", repr(error)[:80])) from None
    return found
