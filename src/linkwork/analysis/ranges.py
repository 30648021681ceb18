"""How far can it be moved?  Each way until a dead centre, all else that is driven standing still; no mass is needed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assembled
from linkwork.analysis.common import as_model, model_in
from linkwork.analysis.doors import given_state, placed
from linkwork.analysis.leading import check_led, ranked, rolls, staying
from linkwork.analysis.named import position_named
from linkwork.analysis.options import Basis, Coordinates, Values
from linkwork.analysis.path import Path
from linkwork.analysis.rank import independent_measures
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.compiled.names import unit_in
from linkwork.errors import AssemblyError, DescriptionError, SingularConfigurationError, message
from linkwork.records import dataclass
from linkwork.result.joining import MEET, apart
from linkwork.result.state import State

FULL = 2.0 * math.pi
FAR = 20.0  # lengths of the mechanism: whatever slides so far has no end


@dataclass(frozen=True)
class Range:
    """How far something can be moved each way; infinite where it has no end within reach.

    `idle` are bodies that may turn by themselves meanwhile, such as a rod between two balls.
    """

    name: str
    unit: str
    least: float
    greatest: float
    at: float  # where it was when asked
    turns_fully: bool = False
    idle: tuple[str, ...] = ()

    def __str__(self) -> str:
        idle = f"; {', '.join(self.idle)} may turn idly" if self.idle else ""
        if self.turns_fully:
            return f"{self.name} turns fully, from any position to the same one{idle}"
        least, greatest = (
            f"{one:.6g} {self.unit}" if math.isfinite(one) else "" for one in (self.least, self.greatest)
        )
        if least and greatest:
            ends = f"goes from {least} to {greatest}"
        elif least or greatest:
            ends = f"goes up from {least} without end" if least else f"goes down from {greatest} without end"
        else:
            ends = "has no end either way"
        return f"{self.name} {ends}, and is {self.at:.6g} {self.unit} now{idle}"


@explained
def motion_range(
    mechanism: Any,
    name: str,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> Range:
    """How far a mechanism can be moved by its quantity `name`, each way, until a dead centre.

    Drivers of other freedoms hold them where they are at the beginning, or at the time of a given state; one that holds
    this freedom gives way.  The way to go together that `start` and `near` choose is kept, in all `coordinates` (any
    `basis`).  An angle that comes round turns fully.  No masses are needed.

    >>> print(lw.gallery.four_bar().range("A.angle"))
    A.angle turns fully, from any position to the same one
    """
    model = model_in(mechanism, coordinates, basis)
    measure = position_named(model.mechanism, name, "range of")
    if item := rolls(model):
        raise DescriptionError(
            message(
                f"range of '{name}'",
                f"depends on the way that is gone: {item!r} holds a speed, not a position",
                remedy="simulate it, and look at the extremes of the run",
            )
        )
    given = given_state(start, "start")
    still = staying(model.mechanism, {name: None}, given if given is not None else start, near)
    began = 0.0 if given is None else given.t  # drivers stand as they are then
    base = as_model(model.mechanism.driven({}, still=still, at=began))
    if given is not None:
        state = placed(base, given, 0.0)
    else:
        state = assembled(base, start, near, 0.0, coordinates=coordinates, inertia=False).state
    now = float(state[name])
    turns = measure.quantity == "angle"
    far = FULL if turns else FAR * model.length
    ends, idle = [], {}
    for sign in (1.0, -1.0):
        driven = as_model(model.mechanism.driven({name: (now, sign)}, still=still, at=began))
        begin = placed(driven, state, 0.0)
        rank = ranked(begin)
        try:
            idle = check_led(begin, rank, name, True)
        except SingularConfigurationError as wrong:  # no speed of the name is possible here
            raise _at_an_end(model, name, state) from wrong
        found = Path(begin, rank.freedom, forces=False).lead(np.array([0.0, far]))
        if found.end is not None:
            ends.append(now + sign * found.end)
            continue
        if turns and apart(begin, _later(begin, found.states[-1]), turns=False) <= MEET:
            return Range(name, "rad", -math.inf, math.inf, now, True, tuple(idle))
        ends.append(sign * math.inf)
    return Range(name, unit_in(model.mechanism, name), ends[1], ends[0], now, False, tuple(idle))


def _later(state: State, row: np.ndarray) -> State:
    """The state that a path came to."""
    n = state.model.n_y
    return replace(state, y=row[:n], memory=row[n:], turned=None)


def _at_an_end(model: Model, name: str, state: State) -> AssemblyError:
    """What to say where a range is asked for in a position in which the quantity itself cannot be moved."""
    others = [one for one in independent_measures(state.system(), state.t, state.y)[0] if one != name]
    example = f'start={{"{others[0]}": ...}}' if others else "start= or near="
    return AssemblyError(
        message(
            f"range of '{name}'",
            "is asked for where it cannot be moved: in a dead centre, or where joints or drivers hold it",
            f"{float(state[name]):.6g} {unit_in(model.mechanism, name)}",
            "a position between its ends",
            f"begin elsewhere: {example}",
        )
    )
