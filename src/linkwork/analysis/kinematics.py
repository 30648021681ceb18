"""Where does a driven mechanism go?  Drivers alone decide its motion: no forces are asked for, and no masses.

It is followed from position to position, each met to rounding, by steps so short that none goes over to another way to
go together, or past a position that cannot be built.  Where a driver cannot move it any further the motion ends, or
turns back on the other branch, and the result says where: an end is an answer, not a mistake.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assembled
from linkwork.analysis.between import lead as between_others
from linkwork.analysis.between import readable
from linkwork.analysis.common import as_model, model_in
from linkwork.analysis.doors import given_state, nothing_to_choose, placed
from linkwork.analysis.kinks import Kinks
from linkwork.analysis.leading import check_led, ranked, read_ranges, rolls, staying
from linkwork.analysis.options import (
    INTERVAL,
    Basis,
    Coordinates,
    Duration,
    Interval,
    Ranges,
    Shown,
    Time,
    Tolerance,
    Values,
    truth,
)
from linkwork.analysis.outputs import grid as output_times
from linkwork.analysis.outputs import read_times
from linkwork.analysis.path import Found, Path
from linkwork.analysis.simulate import simulate, start_time
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.coordinates import definite
from linkwork.errors import DeadCentreError, DescriptionError, MotionEndsWarning, message, warn
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.state import State
from linkwork.units import whole

_Moved = dict[str, tuple[float, float]]  # names that are moved, with first value and rate


@explained
def kinematics(
    mechanism: Any,
    times: Duration | Sequence[Time] | np.ndarray | None = None,
    *,
    every: Interval | None = None,
    over: Ranges | None = None,
    reverse: bool = False,
    others: bool = False,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
    rtol: Tolerance = 1e-8,
    progress: Shown = None,
) -> Result:
    """Motion that follows from drivers alone: positions, velocities and accelerations, also without masses.

    With `times` (a duration or output times, as for `simulate`) the mechanism's own drivers move it; there must be one
    for every freedom.  With `over`, names are moved instead of drivers: `over={"A.angle": (0, "360 deg", 361)}` goes
    from 0 to 360 degrees in 361 positions, at 1 rad/s (1 m/s for a length), so that rates are per radian or metre of
    what is moved.  Several names move together, each evenly, in the time of the first; drivers of other freedoms stand
    still, as they are at the time of a given state, and one that holds what is moved gives way.  `start` and `near`
    choose how the mechanism goes together, as in `assemble`.

    Where a driver cannot move the mechanism any further (a dead centre), the result ends before, `run.ended` says
    where, and a `MotionEndsWarning` is given.  With `reverse` what is moved by `over` turns round there and goes back
    on the other branch, until it has gone as far in all as was asked for; `run.turned` says where.  `run.branch` tells
    the branch of every position, and with `others` `run.others` are the same motions of all other ways to assemble it
    that were found.

    Reactions and efforts of drivers come with the motion, from masses and forces as far as there are any.

    `every`, `t` and `progress` are those of `simulate`; `coordinates` and `basis` have no part in positions, and `rtol`
    is that of motions which have to be integrated, because something rolls.

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
    reverse, others = truth(reverse, "reverse", "kinematics"), truth(others, "others", "kinematics")
    progress = None if progress is None else truth(progress, "progress", "kinematics")
    definite(coordinates)
    lead = _over(model_in(mechanism, coordinates, basis), over, start, near, t, every) if over is not None else None
    if lead is None and reverse:
        raise DescriptionError(
            message(
                "kinematics",
                "got reverse=True for drivers that are functions of time",
                wanted="names to move, over={name: (from, to, count)}",
                remedy="time does not turn round; let the driver go back by itself",
            )
        )
    model = lead.model if lead else model_in(mechanism, coordinates, basis)
    if item := rolls(model):
        if reverse or others:
            raise DescriptionError(
                message("kinematics", f"got reverse or others for a mechanism in which {item!r} holds a speed alone")
            )
        return _integrated(model, lead, times, every, start, near, t, coordinates, rtol, progress)
    seconds = lead.times if lead else read_times(times)
    state, ways = _placed(model, lead, start, near, start_time(seconds, t, start), others)
    every = None if every is None else INTERVAL.read(every, "kinematics", "every")
    grid = output_times(seconds, every, state.t, state.y.size + state.memory.size)
    run = _run(state, lead, grid, reverse, progress)
    if others:
        run.others = tuple(_run(one, lead, grid, reverse, progress, tell=False) for one in ways)
    return run


class _Lead:
    """Names that are moved, with first value and rate; the times of all positions; own drivers that stand still, as
    they are when it begins.
    """

    def __init__(self, mechanism: Any, moved: _Moved, times: np.ndarray, still: Any, begins: float) -> None:
        self.mechanism, self.moved, self.times, self.still, self.begins = mechanism, moved, times, still, begins
        self.model = as_model(mechanism.driven(moved, still=still, at=begins))

    def turning(self, turnings: Sequence[Any]) -> Model:
        """The model whose drivers turn back at these times."""
        way = "t" + "".join(f" {'-+'[k % 2]} 2*max(t - {one.t!r}, 0)" for k, one in enumerate(turnings))
        moves = {name: f"{first!r} + {rate!r}*({way})" for name, (first, rate) in self.moved.items()}
        return as_model(self.mechanism.driven(moves, still=self.still, at=self.begins))

    def at(self, time: float) -> str:
        """What is moved, at a time."""
        return ", ".join(f"{name} = {first + rate * time:.9g}" for name, (first, rate) in self.moved.items())


def _over(
    model: Model,
    over: Ranges,
    start: Values | State | None,
    near: Values | None,
    t: Time | None,
    every: Interval | None,
) -> _Lead:
    if t is not None or every is not None:
        raise DescriptionError(
            message("kinematics", "got over= together with t= or every=", remedy="say the count in over=")
        )
    moved, times = _moved(model.mechanism, over)
    given = given_state(start, "start")
    first = {name: value for name, (value, _) in moved.items()}
    still = staying(model.mechanism, first, given if given is not None else start, near)
    return _Lead(model.mechanism, moved, times, still, 0.0 if given is None else given.t)


def _moved(mechanism: Any, over: Ranges) -> tuple[_Moved, np.ndarray]:
    """Names that are moved, with first value and rate, and the times of all positions."""
    item = "kinematics over="
    spans = {}
    for name, (first, last, count) in read_ranges(mechanism, over, item, "(from, to, count)").items():
        if not math.isfinite(last - first) or first == last:
            raise DescriptionError(
                message(f"{item} '{name}'", "has no length", repr(over[name]), "two different values")
            )
        spans[name] = first, last, whole(count, item, f"count of '{name}'", 2)
    counts = {count for *_, count in spans.values()}
    if len(counts) > 1:
        raise DescriptionError(message(item, "has counts that differ", str(sorted(counts)), "one for all names"))
    first, last, count = next(iter(spans.values()))
    duration = abs(last - first)
    rates = {name: (a, (b - a) / duration) for name, (a, b, _) in spans.items()}
    return rates, np.linspace(0.0, duration, count)


def _placed(
    model: Model, lead: _Lead | None, start: Any, near: Values | None, t: Time | None, others: bool
) -> tuple[State, list[State]]:
    """The first position, and with `others` all other ways to assemble it there."""
    given = given_state(start, "start")
    if given is not None:
        nothing_to_choose(near=near, others=others)
        return placed(model, given, 0.0 if lead else t), []
    asked: Any = dict(start or {})
    if lead:
        asked |= {name: first for name, (first, _) in lead.moved.items()}
    found = assembled(model, asked, near, 0.0 if lead else t, inertia=False)
    return found.state, list(found.others) if others else []


def _run(
    state: State, lead: _Lead | None, grid: np.ndarray, reverse: bool, progress: bool | None, tell: bool = True
) -> Result:
    """The motion from a first position on."""
    model, rank = state.model, ranked(state)
    idle = check_led(state, rank, moved=lead is not None)
    kinks = Kinks(model, state.t, grid[-1])
    stops = []
    while (stop := kinks.cross()) is not None:
        stops.append((stop.before, stop.after))
    steady = not remembering(model)
    timed = len(model.functions) > len({row.function for row in model.rows if row.function >= 0})  # forces are
    forces = steady and not (reverse and timed)
    found = None
    if not reverse and not stops and readable(state, grid, rank.freedom):
        found = between_others(state, grid, forces, progress)
    if found is None:
        found = Path(state, rank.freedom, forces=forces).lead(grid, reverse, progress, stops)
    run = _result(state, lead, found)
    run.manifest["branch"] = [[t, sign] for t, sign in found.branch]
    if idle:
        run.manifest["idle"] = sorted(idle)
    if found.end is not None:
        run.manifest["ended"] = _words(model, lead, found.end)
        if tell:
            warn(message(f"Motion of '{model.mechanism.name}'", run.ended), MotionEndsWarning)
    return run


def _result(state: State, lead: _Lead | None, found: Found) -> Result:
    model = lead.turning(found.turnings) if found.turnings and lead else state.model
    options: dict[str, Any] = {"analysis": "kinematics"}
    if lead:
        options["moved"] = next(iter(lead.moved))
    if found.turnings and lead:
        options["turned"] = [[one.t, lead.at(one.at)] for one in found.turnings]
    if found.crossings:
        options["crossings"] = list(found.crossings)
    segment = Segment(
        model,
        "body",
        found.t,
        state.modes,
        state.values,
        state.pivot,
        state.dependencies,
        given=found.states,
        began=state.turned,
        source="kinematics",
        known_accelerations=found.accelerations,
        known_multipliers=found.multipliers,
        options={"analysis": "turning" if found.turnings else "kinematics"},
        steps=found.statistics.steps,
    )
    return Result([segment], found.statistics, "motion", options)


def _words(model: Model, lead: _Lead | None, time: float) -> str:
    """Where a motion ends: what was moved, or the drivers, at that time."""
    if lead:
        return f"ends in a dead centre at {lead.at(time)}"
    drivers = ", ".join(repr(row.item) for row in model.rows if row.kind == "driver")
    return f"ends in a dead centre at t = {time:.9g} s, beyond which {drivers} cannot move it"


def remembering(model: Model) -> list[str]:
    """Forces with states or memory of their own: what they give depends on the way that was gone."""
    return list(dict.fromkeys(law.element for law in model.laws if law.part.states or law.part.memory))


def followed(
    model: Model,
    times: Any,
    *,
    every: Interval | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    coordinates: Coordinates,
    rtol: Tolerance,
    progress: bool | None,
) -> Result:
    """The motion of the drivers; where laws have states or memory, these are integrated along it."""
    if remembering(model):
        return _integrated(model, None, times, every, start, near, None, coordinates, rtol, progress)
    return kinematics(
        model, times, every=every, start=start, near=near, coordinates=coordinates, rtol=rtol, progress=progress
    )


def _integrated(
    model: Model,
    lead: _Lead | None,
    times: Any,
    every: Interval | None,
    start: Any,
    near: Values | None,
    t: Time | None,
    coordinates: Coordinates,
    rtol: Tolerance,
    progress: bool | None,
) -> Result:
    """The motion of what depends on the way that was gone, as what rolls does: it has to be integrated."""
    asked: Any = start
    given = given_state(start, "start") if lead else None
    if given is not None:
        asked = replace(given, t=0.0)  # the time of what is moved
    elif lead:
        asked = {**(start or {}), **{name: first for name, (first, _) in lead.moved.items()}}
    grid = lead.times if lead else times
    try:
        run = simulate(
            model, grid, every=every, start=asked, near=near, t=t, coordinates=coordinates, rtol=rtol, progress=progress
        )
    except DeadCentreError as end:
        run = end.result
        run.manifest["ended"] = _words(model, lead, end.time)
        warn(message(f"Motion of '{model.mechanism.name}'", run.ended), MotionEndsWarning)
    check_led(run.state(0), ranked(run.state(0)), moved=lead is not None)
    run.manifest["analysis"] = "kinematics"
    if lead:
        run.manifest["moved"] = next(iter(lead.moved))
    return run
