"""Ways to a state of rest: along the forces, by the least potential energy, by a motion that is braked.

| method   | follows                                                           | ends in                              |
|----------|-------------------------------------------------------------------|--------------------------------------|
| downhill | Newton with the size of every principal stiffness                 | a stable equilibrium                 |
| root     | Newton as it is                                                   | the nearest equilibrium              |
| energy   | the potential energy alone: its slope and curvature               | a minimum of it                      |
| damping  | the motion itself, with brakes that it does not have (Nikravesh, 14.2) | where that motion comes to rest |
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from linkwork.analysis.common import as_model
from linkwork.analysis.doors import admitted
from linkwork.analysis.free_motion import EARTH, FreeMotion, Lost
from linkwork.analysis.resting import at_rest
from linkwork.analysis.simulate import simulate
from linkwork.errors import AnalysisError, ConvergenceError, message
from linkwork.kernels import layout as at
from linkwork.result.state import State

MOST = 200  # steps
LONGEST = 0.2  # of a step: turns, and ways against the size of the whole
MET = 1e-10  # accelerations against those that forces cause, and steps
SOFTEST = 1e-13  # against the stiffest: softer directions are taken as this soft
APART = 1e-3  # of differences of energies
ROUNDING = 1e-12  # of the energy
NEAR = 1e-9  # steps by which the least energy is known
AGREE = 1e-6  # accelerations that are left where the energy is least: more is a potential that is not that of its force
SETTLED = 1e-9  # accelerations that a braked motion ends with
SPANS = 40  # of a braked motion
SPAN = 12.0  # time constants of the slowest way to move
LATER = (0.013, 0.17, 0.61, 1.0)  # parts of a span at which forces are compared
ACTING = 1e-9  # forces without a potential, against those that all cause
NOISE = 1e-11  # accelerations against the largest that forces cause, which may be rounding
FAR_AWAY = 1e4  # times as large as it was: something falls


def follow(model, free: FreeMotion, method: str) -> tuple[int, float]:
    """Steps until nothing accelerates, along the forces; moves `free` to where that is."""
    longest, before, residual = LONGEST, np.inf, math.inf
    for steps in range(MOST):
        g, K = free.force(free.y), free.slope()
        pace = free.usual(K)
        residual = float(np.abs(g * free.reach).max() / pace)
        step = _downhill(free, K, g, pace, longest) if method == "downhill" else np.linalg.lstsq(K, g, rcond=None)[0]
        far = free.far(step)
        if far <= MET < residual and free.far(g) > 0.0:  # the slope tells nothing here, as of a rod that is level
            step = g * (longest / free.far(g))
            far = free.far(step)
        # soft directions beside stiff ones: as long as it gets better, the step has to vanish too
        if residual <= MET and (far <= MET or residual > 0.5 * before):
            if far > MET:
                _refuse_falling(model, free, g, step, pace)
            return steps, residual
        before = residual
        step *= min(1.0, longest / far) if far > 0.0 and method == "root" else 1.0
        far = free.far(step)
        moved = _tried(free, g, step, method)
        if moved is None:
            break
        y, part, left = moved
        # what the force along the step has become: turned around, the next one is shorter, hardly less, longer
        gone = part * max(far, 0.1 * longest)
        longest = min(LONGEST, 0.5 * gone if left < 0.0 else 2.0 * gone if left > 0.25 else gone)
        free.go_on(y)
    soft, along = np.linalg.eigh(0.5 * (K + K.T))
    loose = along[:, np.abs(soft) <= NOISE * pace]
    left = loose @ (loose.T @ g)  # where the force stays the same wherever it goes, nothing holds it
    if np.abs(left * free.reach).max() > MET * pace:
        raise _falling(model, free, left)
    raise _none(model, free, f"accelerations of {residual:.2g} of what forces cause are left")


def _refuse_falling(model, free: FreeMotion, g, step, pace: float) -> None:
    """Raise where a force is left along a way that nothing stops: the farther it goes, the less it counts.

    Against the size of the mechanism, not against what it has become, it is more than rounding then.
    """
    left = np.abs(g * np.abs(free.ways * free.size / model.length).max(axis=0)).max()
    if left > max(MET * EARTH / model.length, NOISE * pace):
        raise _falling(model, free, step)


def _falling(model, free: FreeMotion, step) -> ConvergenceError:
    moved = int(np.abs(free.ways @ step).argmax())
    name = model.coordinate_names[moved] or model.bodies[moved // model.dof].name
    return ConvergenceError(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"has no equilibrium: nothing holds {name}, along which forces move it on and on",
            remedy="add a joint or a spring that holds it; for a body without weight, lw.Body(..., gravity=False)",
        ),
        result=free.state_at(free.y),
    )


def _none(model, free: FreeMotion, left: str) -> ConvergenceError:
    return ConvergenceError(
        message(
            f"Mechanism '{model.mechanism.name}'",
            f"has no equilibrium that was found in {MOST} steps",
            left,
            remedy="begin nearer to one by start= or near=; a mechanism that falls freely has none",
        ),
        result=free.state_at(free.y),
    )


def _downhill(free: FreeMotion, K, g, pace: float, longest: float) -> np.ndarray:
    """Newton's step, every principal direction taken the way that the force points, also where it is a hill's.

    Each is taken no farther than the longest step, so that soft ones do not hold up the others.
    """
    values, axes = np.linalg.eigh(0.5 * (K + K.T))
    step = (axes.T @ g) / np.maximum(np.abs(values), SOFTEST * max(np.abs(values).max(), pace))
    far = np.array([free.far(axis) for axis in axes.T])
    return axes @ np.clip(step, -longest / far, longest / far)


def _tried(free: FreeMotion, g, step, method: str) -> tuple[np.ndarray, float, float] | None:
    """The position after a step, shortened until it helps, the part of it that was taken, and what the force along it
    has become against what it was.
    """
    part, ahead = 1.0, float(g @ step)
    while part > 1e-10:
        try:
            y = free.position(part * step)
        except Lost:
            part *= 0.5
            continue
        new = free.force(y)
        left = float(new @ step) / ahead if ahead else 0.0
        if method == "root":
            fine = np.linalg.norm(new) < np.linalg.norm(g) * (1.0 - 1e-4 * part) or part < 1e-3
        else:
            fine = left >= -0.5  # at most beyond the bottom by half of what drove it there
        if fine and np.all(np.isfinite(new)):
            return y, part, left
        part *= 0.5
    return None


def left_over(free: FreeMotion) -> float:
    """Accelerations where it is, against those that forces cause a radian or a size away."""
    if not free.freedom:
        return 0.0
    return float(np.abs(free.force(free.y) * free.reach).max() / free.usual(free.slope()))


# -- the least potential energy ----------------------------------------------------------------------------------------


def least_energy(model, free: FreeMotion) -> tuple[int, float]:
    """Steps to a minimum of the potential energy, by its values alone; refuses forces that have no potential."""
    refuse_without_potential(model)
    longest, pace, size = LONGEST, free.usual(np.zeros((0, 0))), free.size
    for steps in range(MOST):
        _nothing_else_acts(model, free)
        here, slope, curve = _differences(free)
        values, axes = np.linalg.eigh(curve)
        step = _downhill(free, curve, -slope, pace, longest)
        if free.size > FAR_AWAY * size:
            raise _falling(model, free, step)
        if free.far(step) <= NEAR:
            down = values < -AGREE * np.abs(values).max()
            if not down.any():
                return steps, _agreed(model, free)
            step = axes[:, 0] * 0.5 * LONGEST / free.far(axes[:, 0])  # a saddle, or a top: aside
        moved = _lower(free, here, step)
        if moved is None:
            gain = abs(float(slope @ step)) / max(abs(here), float(np.abs(model.weights).sum()) * model.length, 1e-300)
            if free.far(step) <= math.sqrt(NEAR) or gain <= ROUNDING:  # what is left is rounding of the energy
                return steps, _agreed(model, free)
            raise _none(model, free, "no step from there makes the potential energy less")
        y, part = moved
        longest = min(LONGEST, 2.0 * part * max(free.far(step), 0.1 * longest))
        free.go_on(y)
    raise _none(model, free, "the potential energy still becomes less")


def refuse_without_potential(model) -> None:
    """Raise for an element that stores energy, but does not say how much; those that drive are asked on the way."""
    for law in model.laws:
        if law.part.energy == "stores" and law.part.potential is None:
            raise AnalysisError(
                message(
                    f"Force '{law.element}'",
                    "stores energy but gives no potential, which method='energy' needs",
                    remedy="give potential=, or take method='downhill'",
                )
            )


def _nothing_else_acts(model, free: FreeMotion) -> None:
    """Raise where an element acts at rest that has no potential."""
    others = [law for law in model.laws if law.part.energy != "stores"]
    if not others:
        return
    total = float(np.abs(free.force(free.y)).max(initial=0.0))
    out = free.system.view(at.W_OUT).copy()
    usual = max(total, float(np.abs(out).max(initial=0.0)))
    for law in others:
        size = float(np.abs(out[law.first_out : law.first_out + len(law.part.along)]).max(initial=0.0))
        if size > ACTING * usual:
            raise AnalysisError(
                message(
                    f"Force '{law.element}'",
                    f"acts at rest and has no potential: it {law.part.energy}, so that no energy is least at rest",
                    f"a force of {size:.4g}",
                    "forces that store energy",
                    "take method='downhill', 'root' or 'damping'",
                )
            )


def _potential(free: FreeMotion, y) -> float:
    """Energy of weights and springs at a position, at rest."""
    raw = np.concatenate([y, free.system.memory])[None, :]
    return free.system.ledger(np.array([free.t]), raw)[1][0]


def _differences(free: FreeMotion) -> tuple[float, np.ndarray, np.ndarray]:
    """Potential energy, its slope (of fourth order) and its curvature by z."""
    n, h = free.freedom, APART / free.reach

    def at_step(*parts):
        z = np.zeros(n)
        for k, part in parts:
            z[k] += part * h[k]
        return _potential(free, free.position(z))

    try:
        here = _potential(free, free.y)
        ends = np.array([[at_step((k, part)) for part in (1.0, -1.0, 2.0, -2.0)] for k in range(n)])
        slope = (8.0 * (ends[:, 0] - ends[:, 1]) - (ends[:, 2] - ends[:, 3])) / (12.0 * h)
        curve = np.diag((16.0 * (ends[:, 0] + ends[:, 1]) - (ends[:, 2] + ends[:, 3]) - 30.0 * here) / (12.0 * h**2))
        for j in range(n):
            for k in range(j):
                both = at_step((j, 1.0), (k, 1.0)) + at_step((j, -1.0), (k, -1.0))
                one = ends[j, 0] + ends[j, 1] + ends[k, 0] + ends[k, 1]
                curve[j, k] = curve[k, j] = (both - one + 2.0 * here) / (2.0 * h[j] * h[k])
    except Lost:
        raise free.stands_singular() from None
    return here, slope, curve


def _lower(free: FreeMotion, here: float, step) -> tuple[np.ndarray, float] | None:
    """The position after a step, shortened until the energy is less."""
    part = 1.0
    while part > 1e-6:
        try:
            y = free.position(part * step)
            if _potential(free, y) < here:
                return y, part
        except Lost:
            pass
        part *= 0.5
    return None


def _agreed(model, free: FreeMotion) -> float:
    """What forces leave where the energy is least; raises where they would move it."""
    residual = left_over(free)
    if residual > AGREE:
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "has its least potential energy where forces would move it",
                f"accelerations of {residual:.2g} of what forces cause",
                "none",
                "a potential is not that of its law: lw.testing.check_law compares them",
            ),
            result=free.state_at(free.y),
        )
    return residual


# -- a braked motion -------------------------------------------------------------------------------------------------


def braked_motion(model, state: State, coordinates: str) -> tuple[State, int, float]:
    """Where the motion comes to rest that begins at a state, with brakes on every body; steps, and what is left.

    Brakes are in proportion to mass and inertia, so that the slowest way to move is damped critically: they decide how
    fast it comes to rest, not where.
    """
    steps, best = 0, math.inf
    for _ in range(SPANS):
        free = FreeMotion(model, state, coordinates)
        if not free.freedom:
            return state, steps, 0.0
        K = free.slope()
        residual = float(np.abs(free.force(free.y) * free.reach).max() / free.usual(K))
        if residual <= SETTLED or (residual <= 1e2 * SETTLED and residual > 0.5 * best):
            return state, steps, residual
        best = min(best, residual)
        slowest = _slowest(K, free)
        _same_later(model, free, SPAN / slowest)
        still = standing_all(model.mechanism, state.t)
        other = as_model(still.braked(_brakes(model, 2.0 * slowest)))
        run = simulate(
            other,
            [state.t, state.t + SPAN / slowest],
            start=admitted(other, state, None, tell=False),
            coordinates=coordinates,
            rtol=1e-9,
            atol=1e-13,
            progress=False,
        )
        steps += run.statistics.steps
        final = replace(run.final, t=state.t)
        state = admitted(model, at_rest(final), None, tell=False)
    raise ConvergenceError(
        message(
            f"Mechanism '{model.mechanism.name}'",
            "has no equilibrium that its braked motion came to",
            f"accelerations of {best:.2g} of what forces cause are left",
            remedy="begin nearer to one by start= or near=; a mechanism that falls freely has none",
        ),
        result=state,
    )


def standing_all(mechanism, t: float):
    """The mechanism with all drivers standing where they are at time t: they are at rest then, perhaps not later."""
    for name, driver in mechanism.drivers.items():
        if driver.active and not driver.measure.rate_only:
            mechanism = mechanism.standing(name, t)
    return mechanism


def _same_later(model, free: FreeMotion, span: float) -> None:
    """Raise where forces at the same place are others later: a braked motion takes its time."""
    if not model.laws:
        return
    free.second(free.y)
    first = free.system.view(at.W_OUT).copy()
    for part in LATER:
        free.system.derivative(free.t + part * span, free.y)
        off = np.abs(free.system.view(at.W_OUT) - first)
        if off.max(initial=0.0) > ACTING * max(float(np.abs(first).max(initial=0.0)), 1e-300):
            k = int(off.argmax())
            law = next(one for one in model.laws if one.first_out <= k < one.first_out + len(one.part.along))
            raise AnalysisError(
                message(
                    f"Force '{law.element}'",
                    "changes with time, which method='damping' runs through",
                    f"{first[k]:.4g} at t = {free.t:g} s, {off[k]:.4g} more or less {part * span:.3g} s later",
                    remedy="take method='downhill', which stays at one time",
                )
            )


def _slowest(K, free: FreeMotion) -> float:
    """The slowest pace of what has a stiffness, in 1/s; not so slow that a fast one would swing for ever."""
    values = np.abs(np.linalg.eigvalsh(0.5 * (K + K.T)))
    fastest = math.sqrt(free.usual(K))
    some = np.sqrt(values[values > 1e-6 * values.max(initial=0.0)])
    return max(float(some.min(initial=fastest)), 1e-2 * fastest)


def _brakes(model, rate: float) -> dict:
    """What slows the bodies: centre, N s/m and N m s/rad."""
    found = {}
    for body in model.bodies:
        turning = float(np.max(body.inertia)) if body.has_angle else 0.0
        if body.mass > 0.0 or turning > 0.0:
            found[body.name] = (body.center[: model.dimension], rate * body.mass, rate * turning)
    return found
