"""Does it assemble?  Positions, then velocities, that meet every joint, driver and start value.

Bodies without an estimate are placed along the joints; damped Newton moves the bodies as little as possible, in a
metric of lengths (an angle counts as an angle times a length of the body); then velocities are corrected in the
metric of the masses.  One algorithm for all coordinate sets: it moves bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.analysis.branches import other_branches
from linkwork.analysis.common import as_model, named_values, raise_status, start_rows, velocity_error
from linkwork.analysis.entering import carried_over, enter
from linkwork.analysis.fits import warn_of_misfits
from linkwork.analysis.options import TIME, Coordinates, Time, Tolerance, Values
from linkwork.analysis.placement import place
from linkwork.analysis.position import find_position, let_turn, turns_of, use_metric
from linkwork.analysis.rank import analyse
from linkwork.compiled.build import build
from linkwork.coordinates import definite
from linkwork.coordinates.body import System
from linkwork.errors import AssemblyError, CompileError, message
from linkwork.kernels import layout as at
from linkwork.result.assembly import Assembly
from linkwork.result.state import State


def assemble(mechanism: Any, *, start: Values | State | None = None, near: Values | None = None, t: Time = 0.0,
             weights: Mapping[str, Tolerance] | None = None, coordinates: Coordinates = "auto") -> Assembly:
    """Put a mechanism together.

    `start` values are held exactly (`{"A.angle": 1.0, "crank.angle.rate": 3.0}`), `near` values choose the branch,
    `weights` make bodies heavier to move (`{"crank": 100.0}`).  Raises `AssemblyError`, naming the worst rows, if
    nothing meets all of it.
    """
    model = as_model(mechanism)
    coordinates = definite(coordinates)
    if isinstance(start, State):
        return _from_state(model, start, coordinates)
    t = TIME.read(t, "assemble", "t")
    start, near = (named_values(given, what, model.mechanism) for given, what in ((start, "start"), (near, "near")))
    extended = build(model.mechanism, start_rows(model.mechanism, start)) if start else model
    start_rows(model.mechanism, near)  # only to check the names
    moving = System(extended)
    poses, twists = place(model.mechanism, {**near, **start})
    y = moving.pack(poses, twists)
    first = y.copy()
    use_metric(moving, model, named_values(weights, "weights"))
    free = np.array([row.value is None or row.speed for row in extended.rows], dtype=bool)
    moving.held[:] = ~free
    turned = turns_of(model.mechanism, {**near, **start})
    let_turn(moving, turned)
    y, attempts = find_position(moving, t, y, start, near)

    references = _references(moving, t, y)
    base = System(model, references, memory=extended.memory_for(model, moving.memory))
    base.locate(t, y)
    base.remember()
    base.row_values[:] = references[:len(model.rows)]
    rank = analyse(base, t, y)
    if rank.stuck:
        raise CompileError(message(f"Mechanism '{model.mechanism.name}'",
                                   f"can move without any inertia: {', '.join(rank.stuck)}",
                                   remedy="give the body mass or inertia there, or a joint that holds it"))
    held = np.ones(len(model.rows))
    held[list(rank.dropped)] = 0.0
    y = _velocities(System(extended, references), model, held, t, y, near)
    base.held[:] = held
    _check_accelerations(base, t, y)
    pivot = rank.pivot if len(model.rows) else 1.0
    state = State(float(t), y, base.memory.copy(), held, base.row_values.copy(), float(pivot),
                  rank.dependencies if rank.dropped else rank.dependencies[:0], model, turned=turned)
    _enter_checked(model, coordinates, state)
    warn_of_misfits(model, y)
    return Assembly(state, first, rank, attempts, tuple(start), near,
                    lambda: other_branches(model, start, state))


def _from_state(model, state: State, coordinates) -> Assembly:
    """A state of this very mechanism goes on as it is, once it has been checked."""
    if state.model is not model:
        state = carried_over(model, state)
    system = System(model, state.values, state.held, state.memory)
    system.derivative(state.t, state.y)
    if system.w[at.STATUS] != at.OK:
        raise_status(system, state.t)
    error = np.abs(system.phi) / system.row_scale
    if error.size and error.max() > 1e-6:
        worst = model.rows[int(np.argmax(error))].name
        raise AssemblyError(message("start state", f"violates the constraints, most of all {worst}",
                                    f"{error.max():.3g}", "less than 1e-6", "assemble it first"))
    _enter_checked(model, coordinates, state)
    return Assembly(state, state.y, None, 0, (), {}, list)


def _enter_checked(model, coordinates, state) -> None:
    """What only the recursion of joint coordinates can refuse."""
    if coordinates != "body":
        system, y, _ = enter(model, coordinates, state)
        system.derivative(state.t, y)
        if system.w[at.STATUS] != at.OK:
            raise_status(system, state.t)


def _references(system, t, y) -> np.ndarray:
    """Values of the rows that are held as assembled; drivers count their function from there."""
    system.locate(t, y)
    values = system.row_values.copy()
    for r, row in enumerate(system.model.rows):
        if row.value is None:
            value = system.measure_values(row.measure)[0]
            if row.function >= 0:
                value -= system.w[system.model.size(at.W_FUNCTION) + 3 * row.function]
            values[r] = value
    return values


def _hold_declared(system, model, near) -> None:
    """Give every declared velocity no inverse mass, so that a step leaves it alone."""
    d, dof = model.dimension, model.dof
    for k, info in enumerate(model.bodies, start=1):
        body = model.mechanism.bodies[info.name]
        moves = body.velocity is not None or any(f"{info.name}.{axis}.rate" in near for axis in "xyz"[:d])
        turns = body.angular_velocity is not None or f"{info.name}.angle.rate" in near
        for declared, part in ((moves, slice(0, d)), (turns, slice(d, dof))):
            if declared:
                for key, value in ((at.P_MASS, 1e12), (at.P_INVERSE_MASS, 0.0), (at.P_ROOT_INVERSE, 0.0)):
                    first = system.model.size(key) + dof * k
                    system.p[first + part.start:first + part.stop] *= value


def _velocities(system, model, held, t, y, near):
    """The smallest change, in the metric of the masses, that meets all velocity rows and start rates."""
    y = y.copy()
    count = len(model.rows)
    starts = system.model.rows[count:]
    system.held[:count] = held
    system.held[count:] = [1.0 if row.speed else 0.0 for row in starts]
    n_q, n_v = model.n_q, model.n_v
    masses = system.p.copy()
    for free_ones_only in (True, False, False, False):
        if free_ones_only:  # first only what was not declared moves, as far as that goes
            _hold_declared(system, model, near)
        system.locate(t, y)
        step = system.newton_step(velocity_error(system, y))
        y[n_q:n_q + n_v] += step
        system.p[:] = masses
    system.locate(t, y)
    error = np.abs(velocity_error(system, y))
    asked = [k < count or starts[k - count].speed for k in range(error.size)]
    error = error * asked
    bulk = np.abs(system.nu).max(initial=0.0) + np.abs(y[n_q:n_q + n_v]).max(initial=0.0)
    if error.size and error.max() > 1e-7 * max(bulk, 1e-3):
        worst = [system.model.rows[r] for r in np.argsort(-error)[:3] if error[r] > 1e-9]
        drivers = [row.item for row in system.model.rows if row.kind == "driver"]
        text = ", ".join(f"{row.name} off by {error[system.model.rows.index(row)]:.4g}" for row in worst)
        raise AssemblyError(message(
            f"Mechanism '{model.mechanism.name}'", f"has velocities that cannot all be met: {text}",
            remedy="a driver or a start rate asks for what the joints forbid"
            + (f"; drivers: {', '.join(drivers)}" if drivers else "")))
    return y


def _check_accelerations(system, t, y) -> None:
    """Conflicts that only accelerations show, and laws that fail at the start."""
    system.derivative(t, y)
    if system.w[at.STATUS] != at.OK:
        raise_status(system, t)
    if not np.all(np.isfinite(system.f)):
        raise_status(system, t)
    rest = np.abs(system.gamma - system.jacobian() @ system.acceleration) * (1.0 - system.held)
    bulk = 1.0 + np.abs(system.gamma).max(initial=0.0)
    if rest.size and rest.max() > 1e-6 * bulk:
        worst = system.model.rows[int(np.argmax(rest))].name
        raise AssemblyError(message(f"Mechanism '{system.model.mechanism.name}'",
                                    f"has constraints that contradict each other, most of all {worst}",
                                    remedy="remove a driver or a joint that asks for what another forbids"))
