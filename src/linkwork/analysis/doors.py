"""The doors that every given state passes: a `State`, an assembly, an evaluation, one of `others`, one from a file.

| door       | what it asks                                 | what happens                                             |
|------------|----------------------------------------------|----------------------------------------------------------|
| modes      | are bodies, rows and laws those of the model | carried over by name; which rows act is found anew       |
| turns      | how many full turns has each angle           | carried over by measure                                  |
| positions  | are all rows met                             | refused, or moved by `assemble`; rounding is projected   |
| velocities | are all rates met                            | projected in the metric of the masses, with a warning    |
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.analysis.assembly.newton import TOLERANCE, newton, use_metric
from linkwork.analysis.assembly.placement import place
from linkwork.analysis.assembly.velocities import check_accelerations, fits_a_way_on
from linkwork.analysis.assembly.weights import metric_of
from linkwork.analysis.common import raise_status
from linkwork.analysis.options import TIME
from linkwork.analysis.rank import analyse, without_inertia
from linkwork.compiled.bars import idle_turns
from linkwork.compiled.bases import in_bases
from linkwork.compiled.modes import FREE, HELD
from linkwork.compiled.variants import base_of, core_of, switches_of
from linkwork.coordinates.body import System, pack, unpack
from linkwork.coordinates.turns import Said, angles_in, begin
from linkwork.errors import AssemblyError, CompileError, DescriptionError, MovedWarning, message, warn
from linkwork.kernels import layout as at
from linkwork.result.state import State
from linkwork.result.violation import TOLD, violation_of

FINE = 1e-10  # errors up to this are rounding, and such a state goes on bit for bit


def given_state(given: Any, what: str) -> State | None:
    """The state that is given, as itself or in an assembly or an evaluation; None for values by name."""
    if isinstance(given, State):
        return given
    state = getattr(given, "state", None)
    if isinstance(state, State):
        return state
    if callable(state) and hasattr(given, "final"):
        raise DescriptionError(
            message(
                what, "is a whole result", wanted="one state of it", remedy="give run.final, run.at(t) or run.state(k)"
            )
        )
    return None


def nothing_to_choose(**options) -> None:
    """Refuse options that a given state leaves nothing to do for."""
    for what, value in options.items():
        if value:
            raise DescriptionError(
                message(
                    "start state",
                    f"leaves nothing for {what}= to choose",
                    repr(value),
                    remedy=f"leave out {what}=, or give start values by name",
                )
            )


def taken(model, state: State, t=None, inertia: bool = True, *, switched: bool = False) -> State:
    """A state as one of this model, at its own time or at `t`; nothing is corrected.

    Without `inertia`, drivers alone will move it: what no inertia resists is no matter then.  What events have switched
    stays so with `switched`: the state keeps its own model then.  Else it is refused.
    """
    if t is not None:
        state = replace(state, t=TIME.read(t, "start state", "t"))
    kept = state.entered
    if "finite" not in kept:
        if not all(np.isfinite(part).all() for part in (state.t, state.y, state.memory, state.values, state.pivot)):
            raise DescriptionError(message("start state", "has numbers that are not finite"))
        kept["finite"] = True
    other = in_bases(state.model, model.mechanism.bases)
    if other is not state.model and core_of(other) is model:  # only the bases of points are others
        entered, state = state.entered, replace(state, model=other)
        state.entered.update({key: entered[key] for key in ("finite", "on constraints") if key in entered})
    if state.model is model or (switched and core_of(state.model) is model):
        return state
    if core_of(state.model) is model:
        return _folded(model, state)
    _tell_switches_left(state)
    return _carried_over(model, state, inertia)


def placed(model, state: State, t=None) -> State:
    """A state of this model whose position meets its rows, for what asks for no speeds and no masses."""
    state = taken(model, state, t, inertia=False)
    off = violation_of(state)
    if not off.position <= TOLD:
        raise _violating(off)
    return state


def admitted(model, state: State, t=None, *, move: bool = False, tell: bool = True, switched: bool = False) -> State:
    """A state of this model on its constraints; with `move`, bodies may be moved for it as far as needed.

    With `tell=False` nothing is said where velocities are corrected: they were meant to be.
    """
    as_run = state.entered.get("as run", False)  # a result goes on from its own state, as it was run
    state = taken(model, state, t, switched=switched)
    kept = state.entered
    if as_run:
        kept["as run"] = True
        return state
    if "on constraints" in kept:
        return state
    off = violation_of(state)
    if max(off.position, off.velocity) <= FINE:
        kept["on constraints"] = True
        return state
    return _on_constraints(state, off, move, tell)  # said every time


def _on_constraints(state: State, off, move: bool, tell: bool) -> State:
    y = state.y.copy()
    if not off.position <= TOLD:
        if not move:
            raise _violating(off)
        y = _moved(state, y)
    system = state.system()
    for _ in range(3):  # the second time takes away what rounding left; speeds may need a third
        system.project(state.t, y)
        if system.w[at.STATUS] != at.OK:
            raise_status(system, state.t)
    found = replace(state, y=y)
    left = violation_of(found)
    if left or not np.isfinite(y).all():
        raise AssemblyError(
            message(
                "start state",
                f"violates {left or off}, which cannot be corrected",
                remedy="look for drivers and joints that ask for what others forbid",
            )
        )
    if off and tell:
        _tell(state, found, off)
    return found


def _violating(off) -> AssemblyError:
    return AssemblyError(
        message(
            "start state",
            f"violates {off}",
            wanted=f"less than {TOLD:g}",
            remedy="mechanism.assemble(start=state) moves its bodies together; from there it can go on",
        )
    )


def able_to_move(state: State) -> State:
    """The state, unless no motion has its velocities; what else fails at the start, the run tells."""
    kept = state.entered
    if "able" not in kept and not kept.get("as run"):
        system = state.system()
        system.derivative(state.t, state.y)
        if system.w[at.STATUS] == at.OK and np.isfinite(system.f).all():
            check_accelerations(system)
            fits_a_way_on(system)
        kept["able"] = True
    return state


def _moved(state: State, y: np.ndarray) -> np.ndarray:
    """The nearest position that meets the rows, in the metric of lengths."""
    system = state.system()
    use_metric(system, metric_of(state.model))
    system.held[:] *= [not row.speed for row in system.plan.rows]
    y, error = newton(system, state.t, y)
    if not error <= TOLERANCE:
        raise AssemblyError(
            message(
                "start state",
                f"violates {violation_of(state)}, and no position near it meets the constraints",
                remedy="give start values by name, or another state",
            )
        )
    return y


def _tell(before: State, after: State, off) -> None:
    """Say what the state violated and which bodies changed most, in place or speed."""
    told = []
    for what, unit, part in (("moved by", "m", 0), ("changed in speed by", "m/s", 1)):
        pairs = [unpack(state.model, state.y)[part] for state in (before, after)]
        d = before.model.dimension
        ways = [float(np.linalg.norm(np.subtract(one[:d], other[:d]))) for one, other in zip(*pairs)]
        turns = [float(np.abs(np.subtract(one[d:], other[d:])).max()) for one, other in zip(*pairs)]
        far = int(np.argmax(np.maximum(ways, turns)))
        if max(ways[far], turns[far]) > TOLD:
            angle = {"m": "rad", "m/s": "rad/s"}[unit] if before.model.dimension == 2 or part else "of its quaternion"
            told.append(f"{before.model.bodies[far].name} {what} {ways[far]:.3g} {unit} and {turns[far]:.3g} {angle}")
    warn(
        message(
            "start state",
            f"violates {off} and was corrected; most of all, {'; '.join(told) or 'a little'}",
            remedy="start from a state that an assembly or a run has given",
        ),
        MovedWarning,
    )


# -- what events switch ------------------------------------------------------------------------------------------------
def unfolded(full, state: State) -> State:
    """A state of a core in the full model: what is idle there is free."""
    old = state.model
    y = _coordinates(full, state, list(range(len(old.bodies))))
    memory = _memory(full, state, y)
    values = references(System(full.plan(), memory=memory), state.t, y)
    modes, combinations = np.full(len(full.rows), FREE), np.zeros((len(state.dependencies), len(full.rows)))
    place = {row.name: r for r, row in enumerate(full.rows)}
    here = [place[row.name] for row in old.rows]
    values[here], modes[here], combinations[:, here] = state.values, state.modes, state.dependencies
    return State(state.t, y, memory, modes, values, state.pivot, combinations, full, state.turned)


def _switched_in(state: State) -> list[str]:
    """Names of what events have locked, driven, given other numbers, or turned on or off in a state's model."""
    full = state.model
    told = [full.rows[r].name for r in np.flatnonzero(state.modes != FREE) if r in full.idle]
    switches = switches_of(full)
    if switches != switches_of(base_of(full)):
        told += [*(name for name, *_ in switches.drives), *(name for name, _ in switches.numbers)]
        told += sorted(switches.off ^ base_of(full).off_at_start)
    return list(dict.fromkeys(told))


def _tell_switches_left(state: State) -> None:
    """Say that what events have switched in one mechanism does not go along into another."""
    told = _switched_in(state)
    if told:
        warn(
            message(
                "start state",
                "is one that events of another mechanism have switched; where it is and how it moves are taken, this"
                " mechanism's drivers, forces and numbers are as described",
                ", ".join(told[:4]),
                remedy="describe them as they are to be, or go on in the mechanism of the run (run.mechanism)",
            ),
            MovedWarning,
        )


def _folded(core, state: State) -> State:
    """The other way round, where nothing is switched; else an analysis would take the mechanism for another one."""
    full, told = state.model, _switched_in(state)
    if told:
        raise DescriptionError(
            message(
                "start state",
                "is one that events have switched, and this analysis takes the mechanism as described",
                ", ".join(told[:4]),
                remedy="simulate goes on from it, and evaluate evaluates it",
            )
        )
    y = _coordinates(core, state, list(range(len(core.bodies))))
    place = {row.name: r for r, row in enumerate(full.rows)}
    here = [place[row.name] for row in core.rows]
    return State(
        state.t,
        y,
        _memory(core, state, y),
        state.modes[here],
        state.values[here],
        state.pivot,
        state.dependencies[:, here],
        core,
        state.turned,
    )


# -- modes and turns -----------------------------------------------------------------------------------------------
def _carried_over(model, state: State, inertia: bool = True) -> State:
    """A state of another model in this one: where the frames of the bodies are, and how they move."""
    old = state.model
    if model.geometry is old.geometry and len(model.rows) == len(old.rows):
        # other masses: only which rows act, and how surely, may differ
        met, found = "on constraints" in state.entered, replace(state, model=model)
        if not np.array_equal(model.masses, old.masses):
            found = rows_chosen(found, inertia)
        if met:
            found.entered["on constraints"] = True
        return found
    ours, theirs = ([body.name for body in one.bodies] for one in (model, old))
    _refuse_others(model, old, [name for name in ours if name not in theirs])
    y = _coordinates(model, state, [theirs.index(name) if name in theirs else -1 for name in ours])
    memory = _memory(model, state, y)
    if _same_rows(model, old):
        return replace(state, y=y, memory=memory, model=model)
    values = references(System(model.plan(), memory=memory), state.t, y)
    known = {(row.name, row.measure): value for row, value in zip(old.rows, state.values) if row.value is None}
    for r, row in enumerate(model.rows):
        if row.value is None:
            values[r] = known.get((row.name, row.measure), values[r])
    released = {(old.rows[r].name, old.rows[r].measure) for r in state.free}
    modes = np.array([FREE if (row.name, row.measure) in released else HELD for row in model.rows], dtype=np.int64)
    made = State(state.t, y, memory, modes, values, 1.0, np.zeros((0, len(modes))), model, state.turned)
    return rows_chosen(made, inertia)


def _refuse_others(model, old, new: list[str]) -> None:
    """Refuse a state of another mechanism; bodies more or fewer will do, where those more have declared positions."""
    if model.dimension != old.dimension or len(new) == len(model.bodies):
        raise DescriptionError(
            message(
                "start state",
                "belongs to another mechanism: its bodies are others",
                ", ".join(body.name for body in old.bodies[:4])
                if model.dimension == old.dimension
                else f"{old.dimension} dimensions",
                remedy="give start values by name, or the state of this mechanism",
            )
        )
    known = model.declared
    nowhere = [
        body.name
        for body, placed, turned in zip(model.bodies, known.place, known.turn)
        if body.name in new and not (placed and (turned or not body.has_angle))
    ]
    if nowhere:
        raise DescriptionError(
            message(
                "start state",
                "does not have all bodies of this mechanism, and nobody says where the others are",
                ", ".join(nowhere[:4]),
                remedy="declare their position and angle, and velocities where they move",
            )
        )


def rows_chosen(state: State, inertia: bool = True) -> State:
    """The same state with the rows that follow from others chosen anew, of all that are not free."""
    system = state.system(held=False)
    if not inertia:
        use_metric(system, metric_of(state.model))
    plan, rank = system.plan, analyse(system, state.t, state.y)
    if inertia:
        refuse_stuck(system, rank)
    held = np.ones(system.n_rows)
    held[list(rank.dropped)] = 0.0
    return replace(
        state,
        modes=plan.modes(held),
        pivot=float(rank.pivot) if system.n_rows else 1.0,
        dependencies=plan.of_model(rank.dependencies if rank.dropped else rank.dependencies[:0]),
    )


def refuse_stuck(system: System, rank, coordinates: str | None = None) -> None:
    """Refuse motions that no inertia resists: they have no accelerations.

    In a set that leaves some alone these are no matter; without `coordinates` it is enough that there is such a set.
    """
    if not rank.stuck:
        return
    model, plan = system.model, system.plan
    idle = idle_turns(model, plan.free)
    left = without_inertia(system, idle)
    if left or (coordinates is not None and len(model.plan(coordinates, free=plan.free).layout.idle_turns) < len(idle)):
        raise refused_as_stuck(model, rank.stuck, bool(left))


def refused_as_stuck(model, stuck, everywhere: bool) -> CompileError:
    """The error of motions without inertia: in every set, or in all but that of points."""
    other = "" if everywhere else ", or use coordinates='point', where a bar does not turn about itself"
    return CompileError(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"can move without any inertia: {', '.join(stuck)}",
            remedy=f"give the body mass or inertia there, or a joint that holds it{other}",
        )
    )


def _memory(model, state: State, y) -> np.ndarray:
    """Memory by measure and law; angles that the state did not count begin in the turn that it knows."""
    known = {} if state.turned is None else {measure: state.turned.get(measure) for measure in model.turn_slots}
    known = {measure: value for measure, value in known.items() if value is not None}
    said = Said(model, known, angles_in(model, y))
    system = System(model.plan(), memory=state.model.plan().memory_for(model.plan(), state.memory))
    begin(system, state.t, y, said, kept=state.model.turn_slots)
    return system.memory.copy()


def _coordinates(model, state: State, order: list[int]) -> np.ndarray:
    """Coordinates, speeds, work and states of laws by the names of this model."""
    old = state.model
    n_q, n_v = model.n_q, model.n_v
    of_old = old.n_q + old.n_v
    if order == list(range(len(old.bodies))) and all(
        np.array_equal(one.center, other.center) and np.array_equal(one.rotation, other.rotation)
        for one, other in zip(model.bodies, old.bodies)
    ):
        y = np.zeros(model.n_y)
        y[: n_q + n_v] = state.y[: n_q + n_v]  # not even rounding
    else:
        poses, twists = unpack(old, state.y)
        own, moving = place(model, {}) if -1 in order else ([], [])
        y = pack(
            model,
            [poses[k] if k >= 0 else own[n] for n, k in enumerate(order)],
            [twists[k] if k >= 0 else moving[n] for n, k in enumerate(order)],
        )
    first = n_q + n_v
    work = {(name, old.work_names[:k].count(name)): state.y[of_old + k] for k, name in enumerate(old.work_names)}
    y[first : first + len(model.work_names)] = [
        work.get((name, model.work_names[:k].count(name)), 0.0) for k, name in enumerate(model.work_names)
    ]
    known = dict(zip(old.law_states, state.y[of_old + len(old.work_names) :]))
    y[first + len(model.work_names) :] = [known.get(one, value) for one, value in model.law_states.items()]
    return y


def _same_rows(model, old) -> bool:
    """Whether rows, and the bodies that they hold, are the same: then the same of them act, at the same values."""

    def told(one):
        return (
            [(row.name, row.measure, row.speed, row.value, row.function) for row in one.rows],
            [
                (body.name, body.has_angle, body.mass, *map(float, body.inertia), *body.center, *body.rotation.ravel())
                for body in one.bodies
            ],
        )

    return told(model) == told(old)


def references(system, t, y) -> np.ndarray:
    """Values of the rows; those that are held as assembled take what they have here, drivers count from there."""
    system.locate(t, y)
    values = system.row_values.copy()
    for r, row in enumerate(system.plan.rows):
        if row.value is None:
            offset = system.view(at.W_FUNCTION)[row.function, at.FUNCTION_VALUE] if row.function >= 0 else 0.0
            values[r] = system.measure_values(row.measure)[0] - offset
    return values
