"""Velocities that meet the rows: what was declared stays as far as it can, rates in `near` are met as far as they can.

The smallest change in the metric of the masses meets the rows; within what they leave free, the rates of `near` are
met in the sense of least squares, by bodies without a declared speed as far as that goes.
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.assembly.placement import place
from linkwork.analysis.common import start_rows, velocity_error
from linkwork.analysis.contradiction import contradicting, leave_out, listed
from linkwork.analysis.rank import least_squares, null_space
from linkwork.compiled.names import measure_of
from linkwork.coordinates.body import System, pack, unpack
from linkwork.coordinates.system import WITHOUT_GROUND
from linkwork.errors import AssemblyError, MovedWarning, message, warn
from linkwork.kernels import layout as at

NOT_FREE = 1e-9  # how fast a rate of `near` may be, against free bodies, where the rows do not leave it free
ROUNDS = 5  # of steps towards velocities that meet the rows
UNMET = 1e-7  # of the largest speed: what the rows may be off
SLOW = 1e-3  # speeds that are counted as this much there
TOLD = 1e-6  # changes of declared speeds beyond this, against the speed or 1, are told


def rates_of(model, values: dict[str, float]) -> dict[str, float]:
    """Those of named values that are rates, by their ending (`A.angle.rate`) or as such (`top.angular_velocity.x`)."""
    return {name: value for name, value in values.items() if measure_of(model.mechanism, name)[1] == 1}


def find_velocities(system, model, held, t, y, twists, near, start) -> np.ndarray:
    """The state `y` with velocities that meet all rows and start rates of `system`, from the twists of the bodies.

    The twists have rates of bodies as `near` says them.  Where joints forbid these, the others shall not change for it.
    """
    wanted = rates_of(model, near)
    found = _found(system, model, held, t, y, twists, near)
    if any(f"{body}.{what}.rate" in wanted for body in model.body_index for what in ("x", "y", "z", "angle")):
        if not _all_met(model, t, found, wanted):
            found = _found(system, model, held, t, y, place(model, start)[1], wanted, placed=False)
    _check(system, model, t, found)
    return found


def _all_met(model, t, y, wanted) -> bool:
    """Whether the wanted rates are there."""
    probe = System(model.plan(rows=start_rows(model.mechanism, wanted)))
    probe.locate(t, y)
    off = np.abs(velocity_error(probe, y)[len(model.rows) :])
    return bool(off.max() <= TOLD * max(1.0, *map(abs, wanted.values())))


def _found(system, model, held, t, y, twists, near, placed: bool = True) -> np.ndarray:
    y = y.copy()
    n_q, n_v = model.n_q, model.n_v
    # the frames move as said; what that is for the mass centres depends on where the bodies are
    y[n_q : n_q + n_v] = pack(model, unpack(model, y)[0], twists)[n_q : n_q + n_v]
    count = len(model.rows)
    starts = system.plan.rows[count:]
    system.held[:count] = held
    system.held[count:] = [1.0 if row.speed else 0.0 for row in starts]
    wanted = rates_of(model, near)
    masses = {key: system.view(key).copy() for key in (at.P_MASS, at.P_INVERSE_MASS, at.P_ROOT_INVERSE)}
    for round_ in range(ROUNDS):
        if round_ == 0:  # first only what was not declared moves, as far as that goes
            _hold(system, model, _declared(model, near if placed else {}))
        elif round_ == 2 and wanted:
            _towards(system, model, t, y, wanted, _declared(model, {}))
        system.locate(t, y)
        wrong = velocity_error(system, y)
        off = (wrong * system.held).any()
        if off:
            y[n_q : n_q + n_v] += system.newton_step(wrong)
        for key, values in masses.items():
            system.set_numbers(key, values)
        if not off and not wanted:
            break
    return y


def _declared(model, near) -> np.ndarray:
    """Which velocity coordinates were declared, or are wanted by `near`."""
    d = model.dimension
    found = np.zeros((len(model.bodies), model.dof), dtype=bool)
    found[:, :d] = model.declared.velocity[:, None]
    found[:, d:] = model.declared.spin[:, None]
    for name in near:
        item, _, what = name.partition(".")
        k = model.body_index.get(item, -1)
        if k >= 0 and what in ("x.rate", "y.rate", "z.rate"):
            found[k, :d] = True
        elif k >= 0 and what == "angle.rate":
            found[k, d:] = True
    return found.ravel()


def _hold(system, model, declared) -> None:
    """Give every declared velocity no inverse mass, so that a step leaves it alone."""
    mass, unit = (system.view(key)[WITHOUT_GROUND] for key in (at.P_MASS, at.P_MASS_SCALE))
    declared = declared.reshape(mass.shape)
    heavy = 1e12 * np.maximum(mass, unit)  # also of a body that is light, or has no mass
    system.set_numbers(at.P_MASS, np.where(declared, heavy, mass), WITHOUT_GROUND)
    for key in (at.P_INVERSE_MASS, at.P_ROOT_INVERSE):
        system.set_numbers(key, np.where(declared, 0.0, system.view(key)[WITHOUT_GROUND]), WITHOUT_GROUND)


def _towards(system, model, t, y, wanted, declared) -> None:
    """Put the wanted rates into y, in place, as far as the rows that act leave them free."""
    wishes = start_rows(model.mechanism, wanted)
    probe = System(model.plan(rows=wishes))
    probe.locate(t, y)
    gradient = probe.jacobian()[len(model.rows) :]
    system.locate(t, y)
    rows = system.jacobian()[system.held > 0.0]
    speeds = y[model.n_q : model.n_q + model.n_v]
    right = np.array([row.value for row in wishes])
    for columns in (system.columns & ~declared, system.columns):  # what was declared moves last
        weights = system.weights[columns]
        free = null_space(rows[:, columns] * weights) * weights[:, None]
        size = np.linalg.norm(gradient[:, columns] * weights, axis=1).max(initial=0.0)
        missing = right - gradient @ speeds
        speeds[columns] += free @ least_squares(gradient[:, columns] @ free, missing, NOT_FREE * size)


def _check(system, model, t, y) -> None:
    """Raise where velocities cannot all be met."""
    count = len(model.rows)
    system.locate(t, y)
    asked = [k < count or row.speed for k, row in enumerate(system.plan.rows)]
    error = np.abs(velocity_error(system, y)) * asked
    bulk = np.abs(system.nu).max(initial=0.0) + np.abs(y[model.n_q : model.n_q + model.n_v]).max(initial=0.0)
    if error.size and not error.max() <= UNMET * max(bulk, SLOW):
        rows = system.plan.rows
        worst = [r for r in np.argsort(-error)[:3] if not error[r] <= 1e-3 * error.max()]
        text = ", ".join(f"{rows[r].name} off by {error[r]:.4g} {rows[r].measure.unit(1)}".rstrip() for r in worst)
        found = contradicting(system, system.nu, np.flatnonzero(asked).tolist())
        asking = dict.fromkeys(
            row.item for k, row in enumerate(rows) if row.kind == "driver" or (k >= count and row.speed)
        )
        raise AssemblyError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"has velocities that cannot all be met: {text}",
                remedy=leave_out(system, found)
                if found
                else f"these ask for what the joints, or each other, forbid: {listed(system, list(asking))}"
                if asking
                else "joints ask for what others forbid",
            ),
            conflict=found,
        )


def check_accelerations(system) -> None:
    """Raise where rows that were dropped ask for other accelerations than the rows that act, at the state evaluated."""
    rest, bulk = _not_met(system)
    rest = rest * (1.0 - system.held)
    if not rest.max(initial=0.0) <= 1e-6 * bulk:
        found = contradicting(system, system.gamma, list(range(system.n_rows)))
        raise AssemblyError(
            message(
                f"Mechanism '{system.model.mechanism.name}'",
                "has constraints that contradict each other, most of all "
                f"{system.plan.rows[int(np.argmax(rest))].name}",
                remedy=leave_out(system, found)
                if found
                else "remove a driver or a joint that asks for what another forbids",
            ),
            conflict=found,
        )


def fits_a_way_on(system) -> None:
    """Raise where no accelerations keep the velocities of the state last evaluated on the rows.

    In a singular position a combination of rows vanishes: velocities may meet all rows and yet belong to none of the
    ways on from there.
    """
    rest, bulk = _not_met(system)
    if not rest.max(initial=0.0) <= 1e-3 * bulk:
        raise AssemblyError(
            message(
                f"Mechanism '{system.model.mechanism.name}'",
                "is in a singular position with velocities that fit none of the ways on; most of "
                f"all, {system.plan.rows[int(np.argmax(rest))].name} could not be kept",
                remedy="give the rates of one of the ways on, or begin beside this position",
            )
        )


def _not_met(system) -> tuple[np.ndarray, float]:
    """gamma - J a of every row, and the size that it is compared with."""
    return (
        np.abs(system.gamma - system.row_rates(system.acceleration)[0]),
        1.0 + float(np.abs(system.gamma).max(initial=0.0)),
    )


def changed_speeds(model, y, twists) -> dict[str, float]:
    """Declared speeds that are others now: body and what of it -> change."""
    found = {}
    d = model.dimension
    some = np.flatnonzero(model.declared.velocity | model.declared.spin).tolist()
    speeds = unpack(model, y)[1] if some else []
    for k in some:
        info, now, said = model.bodies[k], speeds[k], twists[k]
        body = model.mechanism.bodies[info.name]
        for what, declared, part in (
            ("velocity", body.velocity, slice(0, d)),
            ("angular_velocity", body.angular_velocity, slice(d, None)),
        ):
            off = float(np.linalg.norm(np.subtract(now[part], said[part])))
            if declared is not None and off > TOLD * max(1.0, float(np.linalg.norm(said[part]))):
                found[f"{info.name}.{what}"] = off
    return found


def tell_changed(model, changed: dict[str, float]) -> None:
    """Warn of declared speeds that had to change."""
    worst = sorted(changed, key=lambda name: -changed[name])
    named = ", ".join(f"{name} by {changed[name]:.3g}" for name in worst[:3])
    more = f" and {len(worst) - 3} more" if len(worst) > 3 else ""
    warn(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"has declared speeds that its joints and drivers do not allow, and that were changed: {named}{more}",
            remedy="declare speeds that fit together, or leave out those that follow from others",
        ),
        MovedWarning,
    )
