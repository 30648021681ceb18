"""Which efforts and reactions does a known motion need?

        J' lam = M a - h          J: rows of joints and of drivers or actuators, lam: reactions and efforts

The rows of the actuators stand in place of those that made the motion (a path).  Their second rates are those of the
motion, so that the equations of motion give lam by the same kernels as everywhere, in one sweep over all times; what
they leave of the balance of each body is looked at with the accelerations that are given.  Where there are more
actuators than freedoms, the efforts are those of least norm, and then the reactions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assemble
from linkwork.analysis.balance import Balance, chosen
from linkwork.analysis.carrying import carried, refuse_others
from linkwork.analysis.common import as_model, model_in
from linkwork.analysis.doors import admitted, given_state, nothing_to_choose
from linkwork.analysis.entering import entry, pick
from linkwork.analysis.kinematics import followed, remembering
from linkwork.analysis.options import Basis, Coordinates, Duration, Interval, Shown, Time, Tolerance, Values
from linkwork.analysis.rank import analyse, independent_measures
from linkwork.analysis.simulate import start_time
from linkwork.analysis.tables import follow
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.compiled.modes import FREE, HELD, acting
from linkwork.compiled.names import driver_names
from linkwork.coordinates import BASE, definite
from linkwork.coordinates import motion as motion_by
from linkwork.coordinates.body import System
from linkwork.errors import DescriptionError, message, plural
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.state import State
from linkwork.result.turns import Turned
from linkwork.units import Number

RATING = Number(above=0.0)


@explained
def inverse_dynamics(
    mechanism: Any,
    times: Duration | Sequence[Time] | np.ndarray | None = None,
    *,
    motion: Any = None,
    actuators: Sequence[str] | Mapping[str, float] | None = None,
    every: Interval | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
    rtol: Tolerance = 1e-8,
    progress: Shown = None,
) -> Result:
    """Efforts of drivers or actuators, and all reactions, that a known motion needs.

    The motion is that of the mechanism's own drivers over `times` (a duration or output times, as for `kinematics`);
    or `motion`: a result, whose accelerations are taken as given, or a table of a recorded motion, which has times
    ("t") and a series for every freedom: a mapping {"t": ..., "A.angle": ...}, a table of pandas or xarray, or the name
    of a CSV file.  A table is followed by a spline of fifth degree; `run.manifest["recorded"]` has the error that this
    leaves in its accelerations.

    `actuators` are what moves the mechanism, in place of its drivers: names of quantities ("A.angle", "ram.length") or
    of drivers, also of inactive ones.  Their efforts are `run["A angle.effort"]`, positive where they make the quantity
    grow; `run.efforts` has all.  Without them they are the mechanism's drivers, else what moved the given motion.
    There must be one for every freedom.  Of more, the least efforts are given, the sum of squares of effort over
    rating, and `run.manifest["over_actuated"]` says how many too many; ratings come with a mapping name -> rating, else
    they are 1 N or 1 N m.

    States and memory of laws are integrated along the motion; a result that is given must have them.

    `run.check_efforts()` compares the efforts with those of the power balance and of the eliminated reactions.

    `every`, `start`, `near`, `t`, `coordinates`, `basis`, `rtol` and `progress` are those of `kinematics`.

    Units: times [s], every [s], t [s].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> _ = m.add("motor", lw.Driver("A.angle", "1 rad/s^2*t^2/2"))
    >>> run = m.inverse_dynamics(1.0)
    >>> print(f"{run['motor.effort'][0]:.6f} N m")
    10.476667 N m
    """
    if (times is None) == (motion is None):
        raise DescriptionError(
            message(
                "inverse_dynamics",
                "got neither times nor a motion" if times is None else "got both times and a motion",
                wanted="times, for the mechanism's own drivers, or motion=run or a table",
            )
        )
    model = model_in(mechanism, coordinates, basis)
    definite(coordinates)
    asked = None if actuators is None else _ratings(model.mechanism, actuators)
    told: dict[str, Any] = {}
    options: dict[str, Any] = {
        "start": start,
        "near": near,
        "coordinates": coordinates,
        "rtol": rtol,
        "progress": progress,
    }
    if times is not None:
        _drivers_needed(model)
        options |= {"start": _driven_state(model, times, start, near, t, coordinates), "near": None}
        run = followed(model, times, every=every, **options)
    else:
        run, told = _given_motion(model, motion, {"every": every, "t": t, **options})
    if asked is None and times is not None:
        segments = [_solved(one, model, model, {}, coordinates) for one in run.segments]
        found = _result(run, [one for one, _ in segments], max(over for _, over in segments), ())
    else:
        if asked is None:
            model, names = _as_moved(run, model)
            asked = dict.fromkeys(names, 1.0)
        found = _by_actuators(run, model, asked, coordinates)
    if run.ended:
        told["ended"] = run.ended
    found.manifest.update(told)
    return found


def _ratings(mechanism: Any, given: Any) -> dict[str, float]:
    """Actuators by name, each with its rating."""
    item, example = "actuators", '["A.angle", "B.angle"], or {"A.angle": 40.0}'
    if isinstance(given, str) or not isinstance(given, (Mapping, Sequence)) or not len(given):
        raise DescriptionError(message(item, "are no list of names", repr(given), example))
    found: dict[str, float] = {}
    for name in given:
        if not isinstance(name, str):
            raise DescriptionError(message(item, "have a name that is no text", repr(name), example))
        if name not in mechanism.drivers:
            mechanism.measure(name)  # refuses what it does not know
        rating = RATING.read(given[name], item, f"rating of '{name}'") if isinstance(given, Mapping) else 1.0
        if name in found:
            raise DescriptionError(message(item, "name one of them twice", repr(name), "each once"))
        found[name] = rating
    return found


def _drivers_needed(model: Model) -> None:
    if not any(driver.active for driver in model.mechanism.drivers.values()):
        raise DescriptionError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has no driver, so that times alone say nothing of its motion",
                remedy="add lw.Driver(...), or give motion=: a result of kinematics or simulate, or a recorded table",
            )
        )


def _driven_state(
    model: Model,
    times: Any,
    start: Values | State | None,
    near: Values | None,
    t: Time | None,
    coordinates: Coordinates,
) -> State:
    """The state that the motion of the drivers begins with; refused where they leave a freedom."""
    given = given_state(start, "start")
    if given is not None:
        nothing_to_choose(near=near)
        state = admitted(model, given, t)
    else:
        when = start_time(times, t)
        state = assemble(model, start=start, near=near, t=when, coordinates=coordinates).state
    freedom = analyse(state.system(held=False), state.t, state.y).freedom
    if freedom:
        _refuse_freedom(model, state, freedom)
    return state


def _given_motion(model: Model, motion: Any, options: dict[str, Any]) -> tuple[Result, dict[str, Any]]:
    """A result as it is, or that of a table; and what there is to tell about it."""
    if isinstance(motion, Result):
        for key in ("every", "start", "near", "t"):
            if options[key] is not None:
                raise DescriptionError(
                    message("inverse_dynamics", f"got {key}= and a motion that is known", remedy=f"leave out {key}=")
                )
        refuse_others(model, motion.model)
        _remembered(model, motion)
        return motion, {}
    if options.pop("every") is not None or options.pop("t") is not None:
        raise DescriptionError(
            message("inverse_dynamics", "got every= or t= and a table, which has its times", remedy="leave them out")
        )
    return follow(model, motion, **options)


def _remembered(model: Model, motion: Result) -> None:
    """Refuse a motion that does not know what laws of the mechanism have come to on the way."""
    if len(motion.t) < 2:
        return
    for segment in motion.segments:
        ours, theirs = ({*one.law_states, *one.plan().law_slots} for one in (model, segment.model))
        missing = {key[0] for key in ours - theirs}
        if segment.source == "kinematics":
            missing.update(remembering(model))
        if missing:
            raise DescriptionError(
                message(
                    f"Force '{min(missing)}'",
                    "has states or memory, which the given motion does not have",
                    "a motion by kinematics" if segment.source == "kinematics" else "a motion without this force",
                    "a result of simulate with this force, which has them at every time",
                    "with drivers give times instead of motion=, or the motion as a table; then they are integrated",
                )
            )


def _as_moved(run: Result, model: Model) -> tuple[Any, list[str]]:
    """The mechanism with the drivers of a motion, and their names; its own if it has some."""
    own = [name for name, driver in model.mechanism.drivers.items() if driver.active]
    if own:
        return model, own
    other, names = model.mechanism.copy(), []
    for name, driver in run.mechanism.drivers.items():
        if driver.active:
            names.append(name)
            if name not in other.drivers:
                other.add(name, driver)
    return as_model(other), names


# -- actuators -----------------------------------------------------------------------------------------------------
def _by_actuators(run: Result, model: Model, ratings: dict[str, float], coordinates: str) -> Result:
    """The result with drivers along the actuators, which hold nothing: they push."""
    mechanism, asked = model.mechanism, list(ratings)
    target = as_model(mechanism.actuated(asked))
    drivers = driver_names(mechanism, asked)
    measures = [target.mechanism.drivers[name].measure for name in drivers]
    counted = {target.rows_of[name][0]: ratings[one] for name, one in zip(drivers, asked)}
    segments, over = [], 0
    for one in run.segments:
        tracks = [
            (one.t, *(one.series.measure(measure, k) if k or not measure.rate_only else 0.0 * one.t for k in range(3)))
            for measure in measures
        ]
        solving = as_model(mechanism.actuated(asked, tracks)) if asked else target
        segment, many = _solved(one, target, solving, counted, coordinates)
        segments.append(segment)
        over = max(over, many)
    found = _result(run, segments, over, drivers)
    if any(one != 1.0 for one in ratings.values()):
        found.manifest["ratings"] = dict(zip(drivers, ratings.values()))
    return found


def _result(run: Result, segments: list[Segment], over: int, actuators: Any) -> Result:
    told: dict[str, Any] = {"analysis": "inverse_dynamics", "motion": str(run.manifest.get("analysis", "given"))}
    if over:
        told["over_actuated"] = over
    if actuators:
        told["actuators"] = list(actuators)
    return Result(segments, title="inverse dynamics", manifest=told)


def _solved(
    segment: Segment, target: Model, solving: Model, counted: dict[int, float], coordinates: str
) -> tuple[Segment, int]:
    """A segment with the multipliers that its motion needs, and how many actuators it has too many.

    `solving` has drivers that follow the motion, in the rows of those of `target`.
    """
    states, accelerations = carried(segment, solving)
    state, involved, freedom = chosen(segment, solving, states)
    if freedom:
        _refuse_freedom(solving, state, freedom)
    among = BASE if coordinates == "auto" else pick(solving, coordinates, state)  # the balance is looked at in this one
    lam = None
    if among != BASE:
        modes = entry(solving, among, state).modes
        plan = solving.plan(among, free=state.free)
        with np.errstate(all="ignore"):  # where the set fails it is solved again
            lam = motion_by(plan, segment.t, states, state.values, acting(modes))[1]
    system = System(solving.plan(BASE, free=state.free), state.values, state.held)
    ratings = {r: counted.get(r, 1.0) for r, row in enumerate(solving.rows) if row.kind == "driver"}
    balance = Balance(system, segment.t, states, accelerations, state.dependencies, involved, ratings)
    found = balance.multipliers(lam)
    follows = target is solving
    return Segment(
        target,
        among,
        segment.t,
        state.modes if follows else _released(target, state, states[0], counted),
        state.values,
        state.pivot,
        state.dependencies,
        given=states,
        began=Turned(segment, 0),
        source="given",
        known_accelerations=accelerations,
        known_multipliers=found,
        outputs=segment.outputs,
        options={"analysis": "inverse_dynamics"},
    ), balance.over


def _refuse_freedom(model: Model, state: State, freedom: int) -> None:
    names, _ = independent_measures(state.system(), state.t, state.y)
    drivers = [row.item for row in model.rows if row.kind == "driver"]
    by = f"its {'drivers' if len(drivers) > 1 else 'driver'} ({', '.join(drivers)})" if drivers else "nothing"
    raise DescriptionError(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"has {plural(freedom, 'freedom')} that {by} "
            f"{'leave' if len(drivers) > 1 else 'leaves' if drivers else 'moves'}{' over' if drivers else ''}"
            + (f", for example {', '.join(names[:3])}" if names else ""),
            wanted="a driver or an actuator for every freedom",
            remedy="name the actuators, actuators=[...]; where forces alone move it, simulate gives efforts and "
            "reactions",
        )
    )


def _released(target: Model, state: State, y: np.ndarray, counted: Mapping[int, float]) -> np.ndarray:
    """Modes of the rows where those of the actuators hold nothing."""
    modes = np.where(state.modes == FREE, FREE, HELD)
    modes[list(counted)] = FREE
    here = State(state.t, state.y, state.memory, modes, state.values, 1.0, state.dependencies[:0], target)
    system = here.system(held=False)
    held = np.ones(system.n_rows)
    if system.n_rows:
        held[list(analyse(system, here.t, here.y).dropped)] = 0.0
    found: np.ndarray = system.plan.modes(held)
    return found
