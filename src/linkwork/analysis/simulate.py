"""How does it move?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.analysis.common import model_in
from linkwork.analysis.doors import able_to_move, admitted, given_state, nothing_to_choose, taken
from linkwork.analysis.entering import as_it_is, pick
from linkwork.analysis.integrators.method import Choosing, Implicit, Method
from linkwork.analysis.limits import TurnedStiff
from linkwork.analysis.options import (
    Basis,
    Checkpoint,
    Constraints,
    Coordinates,
    Duration,
    Every,
    Folder,
    Interval,
    MethodName,
    Rate,
    Seconds,
    Shown,
    Time,
    Tolerance,
    Until,
    Values,
    truth,
)
from linkwork.analysis.outputs import grid as output_times
from linkwork.analysis.outputs import read_times
from linkwork.analysis.run import Run
from linkwork.analysis.run_options import RunOptions
from linkwork.analysis.started import started
from linkwork.analysis.stops import tell_stops
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.coordinates import BASE
from linkwork.coordinates.door import wants_softness
from linkwork.errors import DescriptionError, message
from linkwork.result.result import Result
from linkwork.result.state import State


@explained
def simulate(
    mechanism: Any,
    times: Duration | Sequence[Time] | np.ndarray,
    *,
    every: Every | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
    method: MethodName | Method | Implicit | Choosing = "auto",
    rtol: Tolerance = 1e-8,
    atol: Tolerance | None = None,
    step: Interval | None = None,
    constraints: Constraints = "projection",
    alpha: Rate | None = None,
    beta: Rate | None = None,
    correct: bool = True,
    most_steps: int | None = None,
    most_seconds: Seconds | None = None,
    until: Until = None,
    events: bool = True,
    store: Folder = None,
    checkpoint: Checkpoint = None,
    progress: Shown = None,
) -> Result:
    """Motion of `mechanism`.

    `times` is a duration (with `every`, the time between outputs, or "step" for every step of the integrator) or the
    output times themselves; texts such as "10 s" and "5 ms" will do.  The motion starts at `t`; without it, a state
    starts at its own time, output times start at the first of them (`simulate([0.5, 1.0])` starts at 0.5 s), and a
    duration starts at 0.

    `start` holds values exactly or is a state (`run.final`, an assembly, an evaluation); `near` chooses the branch.  A
    state that violates positions is refused; velocities that do not fit are corrected, and a warning says so.  Only
    with `correct=False` and other `constraints` than "projection" it is run as it is.

    `constraints` are held by "projection" of every step; to compare, by Baumgarte's terms, or by "none".  With
    "baumgarte", errors phi of the constraints follow phi'' + 2 `alpha` phi' + `beta`^2 phi = 0; `beta` is as `alpha`
    unless it is given, and without both they follow the steps, 0.1 / h.

    `coordinates` are "body", "joint", "point", or "auto" for the set that costs less.  With "point",
    `basis={"coupler": ("a", "b")}` says which points of a body its coordinates go along.  `method` is
    "dop853", "dopri5", "radau" (for what is stiff), "radau_soft" (the same for large systems), "rkc" (for strong
    damping), "rk4" (with `step`), or "auto": "dop853" until its steps tell stiffness, "radau" or "radau_soft" from
    there, and back.  `rtol` is the error allowed in a step,
    against a length and the speeds of the mechanism, unless `atol` is given.  A run that cannot go on raises an
    `AnalysisError` whose `.result` is what was reached.  So does one that needs more than `most_steps` (tries at a
    step, rejected ones too) or `most_seconds` of computing, a `RunLimitError`; Ctrl-C raises `KeyboardInterrupt`
    with the same `.result`.
    `progress` shows or hides the line that says how far a long run has come.

    `store` is a folder for a long run: outputs go there in parts while it runs, with the inner state of the run beside
    them, at least every `checkpoint` seconds (60 unless said).  Memory stays flat, `lw.load(folder)` reads what is
    there, and after Ctrl-C, a limit or a power cut `lw.resume(folder)` goes on, to the same numbers.

    `until` ends the run early: at an event by its name, at a value (`until={"A.angle": "90 deg"}`), or at "rest", where
    speeds and accelerations are below a ten-thousandth of the largest that they had.  `events=False` runs as if the
    mechanism had no events.

    Units: times [s], every [s], t [s], step [s], alpha [1/s], beta [1/s],
    most_seconds [s], checkpoint [s].

    >>> run = lw.simulate(lw.gallery.four_bar(), 1.0, every="10 ms")
    >>> len(run.t), bool(abs(run.energy.balance).max() < 1e-6)
    (101, True)
    """
    progress = None if progress is None else truth(progress, "progress")
    options = RunOptions.read(
        times=times,
        every=every,
        start=start,
        near=near,
        t=t,
        coordinates=coordinates,
        method=method,
        rtol=rtol,
        atol=atol,
        step=step,
        constraints=constraints,
        alpha=alpha,
        beta=beta,
        correct=correct,
        most_steps=most_steps,
        most_seconds=most_seconds,
        until=until,
        events=events,
    )
    model = model_in(mechanism, coordinates, basis)
    if store is None:
        if checkpoint is not None:
            raise DescriptionError(
                message("simulate", "got checkpoint= and nowhere to write it", remedy="give a folder, store='night'")
            )
        return _gone(*made_ready(model, options), progress)
    from linkwork.analysis.resume import new_run

    return new_run(model, options, store, checkpoint).go(progress)


def _gone(run: Run, state: State, progress: bool | None) -> Result:
    """The motion; where it turns stiff in coordinates that were left open, once more along joints.

    Most stiff runs tell it in their first dozens of steps; one that turns stiff late is done nearly twice.
    """
    run.leaves = may_leave(run)
    try:
        return run.begin(state).go(progress)
    except TurnedStiff as told:
        turned = told
    again = type(run)(state.model, turned.coordinates, run.asked, run.options)
    turned.told(again)
    return again.begin(state).go(progress)


def may_leave(run: Any) -> bool:
    """Whether a run may begin anew in other coordinates: what events have done cannot be undone."""
    acts = run.eventful and any(one.then for one in run.events)
    return run.options.coordinates == "auto" and run.options.correct and not acts


def made_ready(model: Model, options: RunOptions) -> tuple[Run, State]:
    """The state that a run begins with, and all that does not depend on it."""
    state, coordinates = entered(model, options)
    model = state.model
    grid = output_times(options.times, options.every, state.t, state.y.size + state.memory.size)
    if not watches(model, options):
        return Run(model, coordinates, grid, options), state
    from linkwork.analysis.eventful import Eventful  # what it needs is loaded where something is watched

    return Eventful(model, coordinates, grid, options), state


def entered(model: Model, options: RunOptions) -> tuple[State, str]:
    """The state that a run begins with, and the set of coordinates that it goes in."""
    state = _start(model, options)
    if state.model.laws:
        tell_stops(state)
    model, asked = state.model, options.coordinates  # events may have switched it
    if not options.correct:
        return state, as_it_is(state, asked)
    method, stiff = options.method, isinstance(options.method, Implicit)
    found = pick(model, asked, state, stiff)
    if asked == "auto" and stiff and wants_softness(method):
        from linkwork.coordinates.softening import can_be_soft  # loaded where it is asked for

        if not can_be_soft(model.plan(found, free=state.free)):
            found = BASE  # forces across several freedoms of joints are soft there
    return state, found


def watches(model: Model, options: RunOptions) -> bool:
    """Whether something is watched."""
    return options.until is not None or bool(options.events and model.mechanism.events)


def _start(model: Model, options: RunOptions) -> State:
    """The state that a run goes on from: assembled, or given and through the doors."""
    start, near, correct = options.start, options.near, options.correct
    projection = options.constraints == "projection"
    given = given_state(start, "start")
    if not correct and (given is None or projection):
        raise DescriptionError(
            message(
                "simulate",
                "got correct=False, "
                + (
                    "and a projection that would correct the first step" if projection else "and no state to start from"
                ),
                remedy="give constraints='baumgarte' or 'none' too"
                if projection
                else "give a state, such as start=mechanism.evaluate()",
            )
        )
    if given is not None:
        nothing_to_choose(near=near)
        if not correct:
            return taken(model, given, options.t, switched=True)
        return able_to_move(admitted(model, given, options.t, switched=True))
    began = start_time(options.times, options.t)
    return started(model, start, near, began, options.coordinates)


def start_time(times: Any, t: Any = None, start: Any = None) -> Any:
    """When a motion starts: at `t`; a state (None is returned) at its own time; output times at the first, else 0."""
    if t is not None or given_state(start, "start") is not None:
        return t
    seconds = read_times(times)
    return float(seconds.flat[0]) if isinstance(seconds, np.ndarray) and seconds.size else 0.0
