"""From events to what the time loop watches: names, measures and functions of the state become sums of terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.compiled.events import Action, Event, Measure, Stop
from linkwork.compiled.laws import watch_slot
from linkwork.compiled.names import all_measures, measure_of
from linkwork.compiled.numbering import check_measure
from linkwork.coordinates.readings import read
from linkwork.coordinates.watching import BOTH, FALLING, RISING, Watch
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.kernels.time import watches as of
from linkwork.result.quantities import TIME, vocabulary
from linkwork.units import Measured, like_degrees, must_fit, si, tell_degrees
from linkwork.units.names import usual_text

WAYS = {"both": BOTH, "rising": RISING, "falling": FALLING}
#: all rests where speeds and accelerations are below this part of the largest that they had
RESTS = 1e-4
UNTIL = "until"
MOST_READ = 300  # measures that are read at every look because a function may ask for them
REST = "rest"


def events_of(mechanism: Any, until: Any, own: bool = True) -> list[Event]:
    """Events that a run watches, in their order; that of `until` comes last.  Without `own`, only that one."""
    found = list(mechanism.events.values()) if own else []
    if until is None:
        return found
    if isinstance(until, str):
        if until == REST and REST not in mechanism.events:
            return [*found, Event(REST, then=Stop()).named(UNTIL)]
        if until not in mechanism.events and "=" in until:  # as the command line has it
            name, value = (part.strip() for part in until.split("=", 1))
            raise DescriptionError(
                message("simulate", "got an until= of a wrong form", repr(until), f'until={{"{name}": "{value}"}}')
            )
        if until not in mechanism.events:
            raise UnknownNameError(
                "event", until, [*mechanism.events, REST], f"in mechanism '{mechanism.name}', wanted by until="
            )
        event = mechanism.events[until]
        if own and any(isinstance(one, Action) and one.ends for one in event.then):
            return found
        ends = Event(event.when, event.value, direction=event.direction, then=(*event.then, Stop()), most=event.most)
        return [ends.named(until) if one is event else one for one in found] if own else [ends.named(until)]
    if not isinstance(until, Mapping) or len(until) != 1:
        raise DescriptionError(
            message(
                "simulate",
                "got an until= that says nothing to wait for",
                repr(until),
                'the name of an event, a value such as {"A.angle": "90 deg"}, or "rest"',
            )
        )
    ((name, value),) = until.items()
    return [*found, Event(name, value, then=Stop()).named(UNTIL)]


def watch_of(model: Any, event: Event, duration: float, read: Any) -> Watch:
    """What is watched for an event; `read(name)` gives a Python function of time, state and memory for other names."""
    options: dict[str, Any] = {
        "level": _level(model, event),
        "direction": WAYS[event.direction],
        "acts": bool(event.then),
        "left": -1 if event.most is None else event.most,
    }
    if event.name == UNTIL and event.when == REST:
        return Watch(((1.0, of.OF_REST, None),), RESTS, FALLING, True, 1, 1.0)
    if isinstance(event.when, str) and event.when in TIME:
        return Watch(((1.0, of.OF_TIME, None),), size=max(duration, abs(options["level"])), **options)
    found = _measured(model, event)
    if found is None:
        return Watch(python=watch_slot(read(event.when)), **options)
    measure, order = found
    usual = model.length if measure.quantity == "length" else 1.0
    size = max(usual / max(duration, 1e-9) ** order, abs(options["level"]) if order == 0 else 0.0)
    terms = tuple((weight, order, one) for weight, one in measure.terms())
    return Watch(terms, size=size, **options)


def _measured(model, event) -> tuple[Measure, int] | None:
    """The measure that is watched, and the order of its rate; None for what is no measure."""
    when, mechanism = event.when, model.mechanism
    if isinstance(when, Measure):
        check_measure(mechanism, when, event.item)
        return when, int(when.rate_only)
    if not isinstance(when, str):
        return None
    known = vocabulary(model)
    if known.find(when) is None:
        parts = known.components(when)
        if parts:
            raise DescriptionError(
                message(event.item, f"watches '{when}', which is a vector", wanted=f"one number, such as {parts[0]}")
            )
        _unknown(model, event)
    try:
        measure, order = measure_of(mechanism, when)
    except UnknownNameError:
        return None  # a reaction, an effort, an energy
    return None if measure.quantity == "cosine" and ".cardan." in when else (measure, order)


def _unknown(model, event) -> None:
    try:
        vocabulary(model).meaning(event.when)
    except UnknownNameError as error:
        raise UnknownNameError(
            "quantity", str(error.name), error.known, f"in mechanism '{model.mechanism.name}', wanted by {event.item}"
        ) from None


def _level(model, event) -> float:
    """The value in SI; one with a unit must have that of what is watched."""
    value, when = event.value, event.when
    unit = None
    if isinstance(when, Measure):
        unit = when.unit(int(when.rate_only))
    elif isinstance(when, str) and (found := vocabulary(model).find(when)) is not None:
        unit = found[0].units[found[1]]
    if unit is None:
        return float(value)
    if unit == "rad" and like_degrees(value):
        tell_degrees(value, f"{event.item} value")
    if isinstance(value, Measured):
        must_fit(
            value.unit, unit, event.item, "value", repr(value.text or f"{float(value):g} {usual_text(value.unit)}")
        )
    elif isinstance(value, str):
        return float(si(value, unit, event.item, "value"))
    return float(value)


def turns_at(state: Any, measures: Any) -> dict[Any, tuple[float, float]]:
    """Values that measures have at a state, over full turns, and as its position alone gives them."""
    model, found = state.model, {}
    for one in measures:
        readings = model.readings([one])
        row = np.concatenate([state.y, np.zeros_like(state.memory)])[None, :]
        ((_, bare, _, _),) = read(readings, readings.gather(row))
        found[one] = float(state._result._series.measure(one)[0]), float(bare[0, 0])
    return found


def simple(mechanism: Any, all_of_them: bool) -> list[Any]:
    """Named simple measures that are read at every look: angles that count full turns, and, of few, all others."""
    named = dict.fromkeys(one for measure in all_measures(mechanism).values() for _, one in measure.terms())
    found = [one for one in named if one.quantity == "angle" and one.memory == "turns"]
    if all_of_them and len(named) <= MOST_READ:
        found += [one for one in named if one.memory == "none"]
    return found


def finite(value: Any) -> float:
    """What a function of a state returned, as a number."""
    found = np.asarray(value, dtype=float)
    if found.size != 1:
        raise TypeError(f"it returned {value!r}, not one number")
    return float(found.reshape(()))
