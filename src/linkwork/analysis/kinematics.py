"""Where does a driven mechanism go?  Drivers alone decide its motion: no forces are asked for, and no masses.

Positions are put on the constraints at every step and every output, and steps are as short as the motion needs, so that
none is taken to another way to go together or over a position that cannot be built.  Where a driver cannot move it any
further the motion ends, and the result says where: an end is an answer, not a mistake.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assemble
from linkwork.analysis.common import as_model
from linkwork.analysis.doors import able_to_move, admitted, given_state, nothing_to_choose
from linkwork.analysis.options import Coordinates, Duration, Interval, Time, Tolerance, Values
from linkwork.analysis.rank import analyse, independent_measures
from linkwork.analysis.simulate import simulate, start_time
from linkwork.arguments import explained
from linkwork.compiled.names import measure_of, unit_in
from linkwork.errors import AssemblyError, DeadCentreError, DescriptionError, MotionEndsWarning, message, warn
from linkwork.result.joining import MEET, apart
from linkwork.result.result import Result
from linkwork.result.state import State
from linkwork.units import si, whole

FULL = 2.0 * math.pi
FAR = 20.0  # lengths of the mechanism: whatever slides so far has no end


@explained
def kinematics(
    mechanism: Any,
    times: Duration | Sequence[Time] | np.ndarray | None = None,
    *,
    every: Interval | None = None,
    over: Mapping[str, Any] | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    rtol: Tolerance = 1e-8,
    progress: bool | None = None,
) -> Result:
    """Motion that follows from drivers alone: positions, velocities and accelerations, also without masses.

    With `times` (a duration or output times, as for `simulate`) the mechanism's own drivers move it; there must be one
    for every freedom.  With `over`, names are moved instead of drivers: `over={"A.angle": (0, "360 deg", 361)}` goes
    from 0 to 360 degrees in 361 positions, at 1 rad/s (1 m/s for a length), so that rates are per radian or metre of
    what is moved.  Several names move together, each evenly, in the time of the first.  `start` and `near` choose how
    the mechanism goes together, as in `assemble`.

    Where a driver cannot move the mechanism any further (a dead centre), the result ends before, `run.ended` says
    where, and a `MotionEndsWarning` is given.

    `every`, `t`, `coordinates`, `rtol` and `progress` are those of `simulate`.

    Units: times [s], every [s], t [s].

    >>> run = lw.gallery.four_bar().kinematics(over={"A.angle": ("60 deg", "420 deg", 361)})
    >>> len(run.t), bool(abs(run["D.angle"][-1] - run["D.angle"][0]) < 1e-9)
    (361, True)
    """
    if (times is None) == (over is None):
        raise DescriptionError(
            message(
                "kinematics",
                "got neither times nor names to move" if times is None else "got both times and names to move",
                wanted="times, for the mechanism's own drivers, or over={name: (from, to, count)}",
            )
        )
    model = as_model(mechanism)
    moved: dict[str, tuple[float, float]] = {}
    grid: Any = times
    if over is not None:
        if t is not None or every is not None:
            raise DescriptionError(
                message("kinematics", "got over= together with t= or every=", remedy="say the count in over=")
            )
        moved, grid = _moved(model.mechanism, over)
        model = as_model(model.mechanism.driven(moved))
    given = given_state(start, "start")
    if given is not None:
        nothing_to_choose(near=near)
        state = admitted(model, given, 0.0 if moved else t, tell=not moved)
    else:
        asked: Any = start or {}
        begin = {**asked, **{name: first for name, (first, _) in moved.items()}}
        state = assemble(model, start=begin, near=near, t=start_time(grid, t), coordinates=coordinates).state
    _fully_driven(model, state)
    try:
        run = simulate(model, grid, every=every, start=state, coordinates=coordinates, rtol=rtol, progress=progress)
    except DeadCentreError as end:
        run = end.result
        run.manifest["ended"] = _words(model, moved, end.time)
        warn(message(f"Motion of '{model.mechanism.name}'", run.ended), MotionEndsWarning)
    run.manifest["analysis"] = "kinematics"
    return run


def _moved(mechanism, over) -> tuple[dict[str, tuple[float, float]], np.ndarray]:
    """Names that are moved, with first value and rate, and the times of all positions."""
    item = "kinematics over="
    if not isinstance(over, Mapping) or not over:
        raise DescriptionError(message(item, "names nothing", repr(over), 'such as {"A.angle": (0, "360 deg", 361)}'))
    spans = {}
    for name, span in over.items():
        if isinstance(span, str) or not isinstance(span, Sequence) or len(span) != 3:
            raise DescriptionError(message(f"{item} '{name}'", "is no range", repr(span), "(from, to, count)"))
        if measure_of(mechanism, name)[1] != 0:
            raise DescriptionError(message(f"{item} '{name}'", "is a rate", wanted="a position, such as 'A.angle'"))
        unit = unit_in(mechanism, name)
        first, last = (si(one, unit, item, f"'{name}'") for one in span[:2])
        if not math.isfinite(last - first) or first == last:
            raise DescriptionError(message(f"{item} '{name}'", "has no length", repr(span), "two different values"))
        spans[name] = first, last, whole(span[2], item, f"count of '{name}'", 2)
    counts = {count for *_, count in spans.values()}
    if len(counts) > 1:
        raise DescriptionError(message(item, "has counts that differ", str(sorted(counts)), "one for all names"))
    first, last, count = next(iter(spans.values()))
    duration = abs(last - first)
    rates = {name: (a, (b - a) / duration) for name, (a, b, _) in spans.items()}
    return rates, np.linspace(0.0, duration, count)


def _fully_driven(model, state: State) -> None:
    """Refuse a mechanism with a freedom that no driver moves."""
    if analyse(state.system(), state.t, state.y).freedom == 0:
        return
    names, freedom = independent_measures(state.system(), state.t, state.y)
    raise DescriptionError(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"has {freedom} freedom{'s' if freedom > 1 else ''} that no driver moves"
            + (f", for example {', '.join(names[:3])}" if names else ""),
            wanted="a driver for every freedom",
            remedy=f'add lw.Driver(...), or give over={{"{names[0] if names else "A.angle"}": (from, to, count)}}',
        )
    )


def _words(model, moved, time: float) -> str:
    """Where a motion ends: what was moved, or the drivers, at that time."""
    if moved:
        at = ", ".join(f"{name} = {first + rate * time:.9g}" for name, (first, rate) in moved.items())
        return f"ends in a dead centre at {at}"
    drivers = ", ".join(repr(row.item) for row in model.rows if row.kind == "driver")
    return f"ends in a dead centre at t = {time:.9g} s, beyond which {drivers} cannot move it"


@dataclass(frozen=True)
class Range:
    """How far something can be moved each way; infinite where it has no end within reach."""

    name: str
    unit: str
    least: float
    greatest: float
    at: float  # where it was when asked
    turns_fully: bool = False

    def __str__(self) -> str:
        if self.turns_fully:
            return f"{self.name} turns fully, from any position to the same one"
        ends = [f"{one:.6g} {self.unit}" if math.isfinite(one) else "no end" for one in (self.least, self.greatest)]
        return f"{self.name} goes from {ends[0]} to {ends[1]}, and is {self.at:.6g} {self.unit} now"


@explained
def motion_range(
    mechanism: Any,
    name: str,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    coordinates: Coordinates = "auto",
) -> Range:
    """How far a mechanism of one freedom can be moved by its quantity `name`, each way, until a dead centre.

    The way to go together that `start` and `near` choose is kept, in all `coordinates`.  An angle that comes round
    turns fully.

    >>> print(lw.gallery.four_bar().range("A.angle"))
    A.angle turns fully, from any position to the same one
    """
    model = as_model(mechanism)
    measure, order = measure_of(model.mechanism, name)
    if order:
        raise DescriptionError(message(f"range of '{name}'", "is that of a rate", wanted="a position"))
    found = assemble(model, start=start, near=near, coordinates=coordinates)
    now = float(found.state[name])
    turns = measure.quantity == "angle"
    ends = []
    for sign in (1.0, -1.0):
        driven = as_model(model.mechanism.driven({name: (now, sign)}))
        try:
            state = able_to_move(admitted(driven, found.state, 0.0, tell=False))
        except AssemblyError as wrong:  # no speed of the name is possible here
            raise _at_an_end(model, name, found.state) from wrong
        _one_freedom(driven, state)
        far = FULL if turns else FAR * model.length
        try:
            run = simulate(driven, [0.0, far], start=state, coordinates=coordinates)
        except DeadCentreError as end:
            ends.append(now + sign * end.time)
            continue
        if turns and apart(run.state(0), run.state(-1), turns=False) <= MEET:
            return Range(name, "rad", -math.inf, math.inf, now, True)
        ends.append(sign * math.inf)
    return Range(name, unit_in(model.mechanism, name), ends[1], ends[0], now)


def _at_an_end(model, name: str, state: State) -> AssemblyError:
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


def _one_freedom(model, state: State) -> None:
    """Refuse a mechanism that one quantity alone does not move."""
    freedom = analyse(state.system(), state.t, state.y).freedom
    if freedom:
        raise DescriptionError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"has {freedom + 1} freedoms, so that one quantity alone does not move it",
                wanted="a mechanism of one freedom",
                remedy="hold the others by drivers",
            )
        )
