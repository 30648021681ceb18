"""Does it assemble?  Positions, then velocities, that meet every joint, driver and start value.

Bodies with a declared pose are there, the others are placed along the joints.  Newton moves what was not declared, and
declared bodies only where the mechanism does not close otherwise, which is told; moves are as small as possible in a
metric of lengths (an angle counts as an angle times a length of the mechanism).  Then velocities are corrected in the
metric of the masses.  One algorithm for all coordinate sets: it moves bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.analysis.assembly.branches import other_branches
from linkwork.analysis.assembly.declared import Declared, warn_of_moved
from linkwork.analysis.assembly.fits import warn_of_misfits
from linkwork.analysis.assembly.newton import use_metric
from linkwork.analysis.assembly.placement import place
from linkwork.analysis.assembly.positions import Search
from linkwork.analysis.assembly.refusal import refuse_against_drivers
from linkwork.analysis.assembly.turns import begin_turns, let_turn, turns_of, turns_of_drivers
from linkwork.analysis.assembly.velocities import (
    changed_speeds,
    check_accelerations,
    find_velocities,
    rates_of,
    tell_changed,
)
from linkwork.analysis.assembly.weights import factors, metric_of, weigh_speeds
from linkwork.analysis.common import as_model, model_in, named_values, put, raise_status, start_rows, without_law_states
from linkwork.analysis.doors import admitted, given_state, nothing_to_choose, references, refuse_stuck, taken
from linkwork.analysis.entering import enter, refuse_lost_digits
from linkwork.analysis.independent import independent
from linkwork.analysis.locking import spare_at_start
from linkwork.analysis.options import TIME, Basis, Coordinates, Time, Tolerance, Values
from linkwork.analysis.rank import Rank, analyse, of_all_rows
from linkwork.analysis.redundancy import warn_of_redundancy
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.compiled.names import driver_moving
from linkwork.coordinates import BASE, definite
from linkwork.coordinates.body import System
from linkwork.errors import AssemblyError
from linkwork.kernels import layout as at
from linkwork.result.assembly import Assembly
from linkwork.result.state import State


@explained
def assemble(
    mechanism: Any,
    *,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    weights: Mapping[str, Tolerance] | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> Assembly:
    """Put `mechanism` together, at the time `t`; the state is the same in all `coordinates`, in any `basis`.

    `start` values are held exactly (`{"A.angle": 1.0, "crank.angle.rate": 3.0}`), `near` values choose the branch and
    are met as far as the rows leave them free; states of laws have start values, too (`{"valve.pressure": 2e5}`).
    Declared poses are kept while other bodies can close the mechanism; what must move is told in a `MovedWarning`,
    unless start values ask for it.  `weights` make bodies, or coordinates of them, heavier to move (`{"crank": 100.0,
    "rod.angle": 10.0}`), and velocities heavier to change (`{"rod.velocity": 5.0}`).  `start` may be a state, too (also
    an assembly or an evaluation): it is put on the
    constraints, and a warning says what moved.  Raises `AssemblyError`, naming the worst rows, if nothing meets all of
    it.

    Units: t [s].

    >>> m = lw.gallery.four_bar()
    >>> found = lw.assemble(m, start={"A.angle": "60 deg"})
    >>> found.freedom, round(found["rocker.angle"], 4), len(found.others)
    (1, 1.6428, 1)
    """
    model = model_in(mechanism, coordinates, basis)
    found = assembled(model, start, near, t, weights, coordinates)
    if found.rank.dropped and given_state(start, "start") is None:
        warn_of_redundancy(model, found.rank)
    return found


def assembled(
    model: Model, start: Any, near: Any, t: Any, weights: Any = None, coordinates: str = "auto", inertia: bool = True
) -> Assembly:
    """The same of a model; nothing is said of redundant constraints.

    Without `inertia` positions alone count: velocities are zero, and no mass is asked for.
    """
    coordinates = definite(coordinates)
    given = given_state(start, "start")
    if given is not None:
        nothing_to_choose(near=near, weights=weights)
        return _from_state(model, admitted(model, given, t, move=True), given, coordinates)
    t = 0.0 if t is None else TIME.read(t, "assemble", "t")
    start, of_laws = without_law_states(model, start)
    start, near = (named_values(given, what, model.mechanism) for given, what in ((start, "start"), (near, "near")))
    start_rows(model.mechanism, near)  # only to check the names
    place_factors, speed_factors = factors(model, named_values(weights, "weights"))
    metric = metric_of(model, place_factors)
    turned = turns_of(model.mechanism, {**near, **start})
    turned |= turns_of_drivers(model, t, turned)
    poses, twists = place(model, {**near, **start})
    search = _search(model, t, start, near, metric, turned, poses, twists)
    refuse_against_drivers(search.system, t, search.first, start)
    y, attempts = search.find()
    first, moving, extended = search.first, search.system, search.system.plan
    moved = search.declared.moved(y)
    if moved and not _asked_for(model, t, start, near, metric):
        warn_of_moved(model, moved)

    def complete(position: np.ndarray, memory: np.ndarray) -> tuple[State, Rank]:
        """State and rank at a position: values held as assembled, rows that act, velocities."""
        moving.memory[:] = memory
        return _completed(
            model, moving, t, put(position, of_laws), twists, near, start, turned, speed_factors, inertia, coordinates
        )

    state, rank = complete(y, moving.memory.copy())
    warn_of_misfits(model, state.y)
    if inertia:
        _enter_checked(model, coordinates, state)
        changed = changed_speeds(model, state.y, twists)
        if changed and not rates_of(model, {**near, **start}):
            tell_changed(model, changed)
    return Assembly(
        state,
        first,
        rank,
        attempts,
        tuple(start),
        near,
        lambda: other_branches(
            model,
            start,
            state,
            lambda position, memory: complete(position, model.plan().memory_for(extended, memory))[0],
        ),
        lambda: independent(state),
    )


def _completed(
    model: Model,
    moving: System,
    t: float,
    y: np.ndarray,
    twists: Any,
    near: Any,
    start: Any,
    turned: Any,
    speed_factors: np.ndarray,
    inertia: bool,
    coordinates: str,
) -> tuple[State, Rank]:
    y = y.copy()
    said = begin_turns(moving, t, y, turned)
    values = references(moving, t, y)
    free = frozenset(spare_at_start(model, y))
    plan, memory = model.plan(free=free), moving.plan.memory_for(model.plan(), moving.memory)
    base = System(plan, values[: len(model.rows)], None, memory)
    base.locate(t, y)
    base.remember()
    if not inertia:
        use_metric(base, metric_of(model))
    rank = of_all_rows(analyse(base, t, y), plan)
    held = np.ones(len(model.rows))
    held[[*rank.dropped, *free]] = 0.0
    if inertia:
        refuse_stuck(base, rank, coordinates)
        weighed = System(moving.plan, values)
        weigh_speeds(weighed, speed_factors)
        y = find_velocities(weighed, model, held, t, y, twists, near, start)
        base.held[:] = held[plan.kept]
        base.derivative(t, y)
        if base.w[at.STATUS] != at.OK or not np.all(np.isfinite(base.f)):
            raise_status(base, t)
        check_accelerations(base)
    else:
        y[model.n_q : model.n_q + model.n_v] = 0.0
    pivot = rank.pivot if len(model.rows) else 1.0
    return State(
        float(t),
        y,
        base.memory.copy(),
        plan.modes(held[plan.kept]),
        values[: len(model.rows)].copy(),
        float(pivot),
        rank.dependencies if rank.dropped else rank.dependencies[:0],
        model,
        said,
    ), rank


def _search(model: Model, t: float, start: Any, near: Any, metric: Any, turned: Any, poses: Any, twists: Any) -> Search:
    """A search from the first poses: those that are declared, or that the joints give."""
    declared = Declared(model, {**near, **start})
    rows = [*start_rows(model.mechanism, start), *declared.rows]
    moving = System(model.plan(rows=rows))
    y = moving.pack(poses, twists)
    moving.held[:] = moving.plan.positional
    let_turn(moving, t, y, turned)
    return Search(moving, t, y, start, near, declared, metric)


def _asked_for(model: Model, t: float, start: Any, near: Any, metric: Any) -> bool:
    """Whether start values (or drivers at a later time, or names that `kinematics` moves) move declared bodies: without
    them it closes as declared.
    """
    if not start and not near and t == 0.0:
        return False
    leading = [one for one in map(driver_moving, start) if one in model.mechanism.drivers]
    if leading:  # what `kinematics` moves has a driver beside its start value
        model = as_model(model.mechanism.without(leading))
    search = _search(model, 0.0, {}, {}, metric, {}, *place(model, {}))
    try:
        return not search.declared.moved(search.find()[0])
    except AssemblyError:
        return False


def _from_state(model: Model, state: State, given: State, coordinates: str) -> Assembly:
    """The assembly of a state that has passed the doors."""
    system = state.system()
    system.derivative(state.t, state.y)
    if system.w[at.STATUS] != at.OK:
        raise_status(system, state.t)
    _enter_checked(model, coordinates, state)
    system = state.system(held=False)
    rank = of_all_rows(analyse(system, state.t, state.y), system.plan)
    return Assembly(state, taken(model, given).y, rank, 1, (), {}, list, lambda: independent(state))


def _enter_checked(model: Model, coordinates: str, state: State) -> None:
    """What only the equations of another set can refuse."""
    if coordinates != BASE:
        system, y, _ = enter(model, coordinates, state)
        system.derivative(state.t, y)
        if system.w[at.STATUS] != at.OK:
            raise_status(system, state.t)
        refuse_lost_digits(model, coordinates, state)
