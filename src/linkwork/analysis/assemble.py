"""Does it assemble?  Positions, then velocities, that meet every joint, driver and start value.

Bodies without an estimate are placed along the joints; damped Newton moves the bodies as little as possible, in a
metric of lengths (an angle counts as an angle times a length of the body); then velocities are corrected in the
metric of the masses.  One algorithm for all coordinate sets: it moves bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.analysis.common import as_model, named_values, raise_status, start_rows, velocity_error
from linkwork.analysis.entering import enter
from linkwork.analysis.fits import flipped, frame_at, warn_of_misfits
from linkwork.analysis.options import TIME, Coordinates, Time, Tolerance, Values
from linkwork.analysis.placement import place
from linkwork.analysis.rank import analyse, independent_measures
from linkwork.compiled.build import build
from linkwork.compiled.graph import count_loops
from linkwork.coordinates import definite
from linkwork.coordinates.body import System, pack, unpack
from linkwork.coordinates.rotation import product
from linkwork.errors import AssemblyError, CompileError, DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.result.assembly import Assembly
from linkwork.result.state import State

TOLERANCE = 1e-11
MOST_ITERATIONS = 80
ATTEMPTS = 8
CANDIDATES = 4
NEAR_ENOUGH = 0.1  # radians, or against a length of the mechanism: what `near` may be off before others are looked for
SMALL_GAP = 0.05  # an estimate that is this good (against a length of the mechanism) needs no second opinion


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
    _use_metric(moving, model, named_values(weights, "weights"))
    free = np.array([row.value is None or row.speed for row in extended.rows], dtype=bool)
    moving.held[:] = ~free
    turned = _turns_of(model.mechanism, {**near, **start})
    _let_turn(moving, turned)
    y, attempts = _find_position(moving, t, y, start, near)

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
                    lambda: _other_branches(model, start, state))


def _turns_of(mechanism, values) -> dict:
    """Angles that are said over full turns: measure -> value."""
    found = {}
    for row in start_rows(mechanism, {name: value for name, value in values.items() if not name.endswith(".rate")}):
        if row.measure.quantity == "angle":
            found[row.measure] = row.value
    return found


def _let_turn(system, turned, memory=None) -> None:
    """Say which full turns are known, and which rows (the thread of a screw) may choose their own while assembling."""
    slots = system.model.turn_slots
    if memory is not None:
        system.memory[:] = memory
    for measure, value in turned.items():
        if measure in slots:
            system.memory[slots[measure]] = value
    system.loose = [(r, slots[one], weight) for r, row in enumerate(system.model.rows)
                    if row.value is not None and not row.speed and len(row.measure.terms()) > 1
                    for weight, one in row.measure.terms() if one in slots and one not in turned]


def _other_branches(model, start, state) -> list[State]:
    """Other ways to assemble with the same start values and the same independent coordinates, if any are seen.

    The coordinates that are moved most independently by the freedom are held where they are; Newton then starts from
    positions with joints, or bodies, turned by large angles.
    """
    mechanism, t = model.mechanism, state.t
    if count_loops([body.name for body in model.bodies], model.edges) == 0:
        return []
    positions = {name: value for name, value in start.items() if not name.endswith(".rate")}

    def holding(values):
        extended = build(mechanism, start_rows(mechanism, values))
        held = np.concatenate([state.values, extended.row_values()[len(model.rows):]])
        return System(extended, held)

    chosen, freedom = independent_measures(holding(positions), t, state.y)
    for name in chosen:
        positions.setdefault(name, state[name])
    idle = len(chosen) < freedom  # some bodies turn without any reading: their turning tells nothing
    moving = holding(positions)
    extended = moving.model
    _use_metric(moving, model, {})
    moving.held[:] = [row.value is not None and not row.speed for row in extended.rows]
    _let_turn(moving, state.turned or {}, model.memory_for(extended, state.memory))
    found = [state.y[:model.n_q]]
    others = []
    for attempt in range(1, max(ATTEMPTS, min(4 * ATTEMPTS, 400 // len(model.bodies)))):
        y, error = newton(moving, t, _shaken_along_joints(model, state, attempt) if attempt % 2 else
                          _shaken(model, state.y, attempt, np.pi))
        if (error <= TOLERANCE and not flipped(model, y)
                and not any(_same_position(model, y, other, idle) for other in found)):
            found.append(y[:model.n_q])
            memory = extended.memory_for(model, moving.memory)
            others.append(replace(state, y=y, memory=memory, entered={}))
    return others


def _same_position(model, one, other, places_only: bool = False) -> bool:
    """Equal places and equal angles up to full turns."""
    difference = one[:model.n_q] - other[:model.n_q]
    if model.dimension == 2:
        angles = difference[2::3]
        angles -= 2.0 * np.pi * np.round(angles / (2.0 * np.pi))
        angles[[not body.has_angle for body in model.bodies]] = 0.0
    else:
        for k, body in enumerate(model.bodies):  # Euler parameters of either sign are one orientation
            turn = slice(7 * k + 3, 7 * k + 7)
            off = np.minimum(abs(difference[turn]), abs(one[turn] + other[turn])).max()
            difference[turn] = off * (body.has_angle and not places_only)
    return bool(np.abs(difference).max(initial=0.0) < 1e-6 * max(1.0, model.length))


def _from_state(model, state: State, coordinates) -> Assembly:
    """A state of this very mechanism goes on as it is, once it has been checked."""
    if state.model is not model:
        state = _carried_over(model, state)
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


def _carried_over(model, state: State) -> State:
    """A state of another model in this one: where the frames of the bodies are, and how they move."""
    for what, ours, theirs in (("bodies", [body.name for body in model.bodies], [b.name for b in state.model.bodies]),
                               ("rows", [row.name for row in model.rows], [row.name for row in state.model.rows])):
        if ours != theirs:
            missing = [name for name in theirs if name not in ours] or [name for name in ours if name not in theirs]
            raise DescriptionError(message("start state", f"belongs to another mechanism: its {what} are others",
                                           ", ".join(missing[:4]) or "another order",
                                           remedy="give start values by name, or the state of this mechanism"))
    alike = all(np.array_equal(one.center, other.center) and np.array_equal(one.rotation, other.rotation)
                for one, other in zip(model.bodies, state.model.bodies))
    y = pack(model, *unpack(state.model, state.y))
    if alike:  # not even rounding
        y[:model.n_q + model.n_v] = state.y[:model.n_q + model.n_v]
    if model.work_names == state.model.work_names:
        y[model.n_q + model.n_v:] = state.y[model.n_q + model.n_v:]
    memory = state.memory if state.memory.size == model.size(at.N_MEMORY) else np.zeros(model.size(at.N_MEMORY))
    return replace(state, y=y, memory=memory, model=model, entered={})


def _enter_checked(model, coordinates, state) -> None:
    """What only the recursion of joint coordinates can refuse."""
    if coordinates != "body":
        system, y, _ = enter(model, coordinates, state)
        system.derivative(state.t, y)
        if system.w[at.STATUS] != at.OK:
            raise_status(system, state.t)


def _use_metric(system, model, weights) -> None:
    """Lengths instead of masses: 1 for a way, the square of a length for an angle, times the user's weight."""
    d, dof = model.dimension, model.dof
    for name in weights:
        if name not in model.body_index:
            raise DescriptionError(message(f"weight '{name}'", "is not for a body of the mechanism",
                                           wanted="a name among " + ", ".join(b.name for b in model.bodies)))
    for k, body in enumerate(system.model.bodies, start=1):
        weight = weights.get(body.name, 1.0)
        if weight <= 0.0:
            raise DescriptionError(message(f"weight '{body.name}'", "is not positive", weight, "more than 0"))
        metric = np.full(dof, weight)
        metric[d:] *= model.length ** 2
        inverse = 1.0 / metric
        if not body.has_angle:
            metric[d:], inverse[d:] = 1.0, 0.0
        for key, values in ((at.P_MASS, metric), (at.P_INVERSE_MASS, inverse), (at.P_ROOT_INVERSE, np.sqrt(inverse))):
            first = system.model.size(key) + dof * k
            system.p[first:first + dof] = values


def _find_position(system, t, y, start, near):
    """Newton from the estimate, and from estimates with the angles shaken, always in the same way.

    Where the estimate already meets the constraints nearly, and `near` too, the first answer counts.
    Else several are looked for, and the one is taken that is nearest to `near`, then the one that moves least.
    """
    model = system.model
    memory = system.memory.copy()
    _locate(system, t, y)
    gap = np.abs(system.phi / system.row_scale * system.held).max(initial=0.0)
    nearest, least = y, np.inf
    found: list[tuple] = []
    turned_over = None
    for attempt in range(ATTEMPTS):
        if attempt == 1 and near:
            trial = towards = _towards(model, t, y, {**near, **start})
        elif turned_over is not None:  # an estimate the wrong way round
            trial = _half_turn(model, turned_over, flipped(model, turned_over)[0])
        elif near and found:  # so far, on another branch: look further
            trial = _shaken(model, towards, attempt, np.pi)
        else:
            trial = y if attempt == 0 else _shaken(model, y, attempt)
        system.memory[:] = memory
        position, error = newton(system, t, trial)
        if error <= TOLERANCE and flipped(model, position):
            turned_over = position if turned_over is None or attempt % 2 else None
        elif error <= TOLERANCE and not any(_same_position(model, position, one[3]) for one in found):
            # another answer must be clearly nearer than that of the estimate itself
            way = _way(model, y, position) * (1.0 if attempt == 0 else 1.25)
            off = _mismatch(model, position, near)
            found.append((round(off, 6), way, attempt, position, system.memory.copy()))
            good = off < NEAR_ENOUGH * model.length and (gap < SMALL_GAP or (near and attempt > 0))
            if good or len(found) == CANDIDATES:
                break
        elif TOLERANCE < error < least:
            nearest, least = position, error
    if found:
        _, _, attempt, position, system.memory[:] = min(found, key=lambda one: one[:3])
        return position, 1 if found[0][2] == 0 else attempt + 1
    if turned_over is not None:
        names = ", ".join(flipped(model, turned_over))
        raise AssemblyError(message(f"Mechanism '{model.mechanism.name}'",
                                    f"is found to go together only with axes of {names} pointing against each other",
                                    remedy="turn one of the two frames, or give the bodies beside it an orientation"))
    system.locate(t, nearest)
    rest = np.abs(system.phi) / system.row_scale * system.held
    lines = [f"{model.rows[r].name} off by {abs(system.phi[r]):.4g}" for r in np.argsort(-rest)[:4] if rest[r] > 1e-9]
    items = sorted({model.rows[r].item for r in np.flatnonzero(rest > 1e-6)})
    raise AssemblyError(message(
        f"Mechanism '{model.mechanism.name}'", f"cannot be assembled. In the nearest position found, "
        f"{'; '.join(lines)}", remedy="check the lengths and places of " + ", ".join(items[:6])
        + (", and the start values" if start else "")))


def _way(model, one, other) -> float:
    """How far apart two positions are, angles counting as lengths."""
    d, (size, _) = model.dimension, at.COORDINATES[model.dimension]
    parts = (other[:model.n_q] - one[:model.n_q]).reshape(-1, size)
    return float(np.sqrt((parts[:, :d] ** 2).sum() + model.length ** 2 * (parts[:, d:] ** 2).sum()))


def _half_turn(model, y, joint: str):
    """The position with one body of a joint turned over about x of the joint."""
    item = model.mechanism.joints[joint]
    frame = item.to if item.to.body != "ground" else item.on
    origin, axes = frame_at(model, y, frame)
    k = model.body_index[frame.body]
    out = y.copy()
    over = np.concatenate([[0.0], axes[:, 0]])  # half a turn: the quaternion (0, x)
    arm = y[7 * k:7 * k + 3] - origin
    out[7 * k:7 * k + 3] = origin + 2.0 * axes[:, 0] * (axes[:, 0] @ arm) - arm
    out[7 * k + 3:7 * k + 7] = product(over, y[7 * k + 3:7 * k + 7])
    return out


def _towards(model, t, y, values):
    """The estimate moved to where all of these values are met, as far as that goes together with the joints."""
    positions = {name: value for name, value in values.items() if not name.endswith(".rate")}
    system = System(build(model.mechanism, start_rows(model.mechanism, positions)))
    _use_metric(system, model, {})
    system.held[:] = [row.value is not None and not row.speed for row in system.model.rows]
    return newton(system, t, y)[0]


def _mismatch(model, y, near) -> float:
    """How far a position is from the `near` values; whole turns do not count."""
    positions = {name: value for name, value in near.items() if not name.endswith(".rate")}
    if not positions:
        return 0.0
    rows = start_rows(model.mechanism, positions)
    probe = System(build(model.mechanism, sensors=[row.measure for row in rows]))
    probe.locate(0.0, y)
    total = 0.0
    for row in rows:
        off = probe.measure_values(row.measure)[0] - row.value
        if row.measure.quantity == "angle":
            off = model.length * (off - 2.0 * np.pi * np.round(off / (2.0 * np.pi)))
        total += off * off
    return float(np.sqrt(total))


def _shaken_along_joints(model, state, attempt):
    """The bodies after every joint of the tree has moved by an amount of its own: only the loops are open then."""
    system, y, _ = enter(model, "joint", state)
    for k, link in enumerate(system.tree.links):
        phase = 2.3 * attempt * k + attempt
        if link.kind == at.BALL:
            turn = np.array([np.cos(phase), *np.sin(phase + np.array([0.0, 2.0, 4.0]))])
            place = slice(link.first_q, link.first_q + 4)
            y[place] = product(y[place], turn / np.linalg.norm(turn))
        elif link.kind != at.RIGID:
            turning = system.tree.coordinates[link.first_v].turning
            y[link.first_q] += (np.pi if turning else 1.5 * model.length) * np.sin(phase)
    return system.to_body(y)


def _shaken(model, y, attempt, reach=0.8):
    """Turn every body, by at most `reach`, and shift it, by amounts that are spread evenly and never the same."""
    out = y.copy()
    size, _ = at.COORDINATES[model.dimension]
    for k, body in enumerate(model.bodies):
        phase = 2.3 * attempt * (k + 1) + attempt
        for c in range(model.dimension):
            out[size * k + c] += 0.4 * model.length * np.sin(phase + 2.0 * c + 1.0)
        if model.dimension == 2 and body.has_angle:
            out[3 * k + 2] += reach * np.sin(phase)
        elif body.has_angle:
            half = 0.5 * reach * np.sin(phase + np.array([0.0, 2.0, 4.0]))
            turn = np.concatenate([[1.0], half]) / np.sqrt(1.0 + half @ half)
            out[7 * k + 3:7 * k + 7] = product(turn, out[7 * k + 3:7 * k + 7])
    return out


def _locate(system, t, y) -> None:
    """Locate a position; rows whose full turns are free take the nearest."""
    system.locate(t, y)
    turns = [(slot, np.round(system.phi[r] / (2.0 * np.pi * weight))) for r, slot, weight in system.loose]
    if any(np.isfinite(count) and count for _, count in turns):
        for slot, count in turns:
            system.memory[slot] -= 2.0 * np.pi * count
        system.locate(t, y)


def newton(system, t, y):
    """Damped Newton on the held rows; returns the position and the largest scaled error left.

    Rows whose full turns are free come in when the others are met: at most half a turn is left to do then.
    """
    rows = [r for r, _, _ in system.loose]
    held = system.held[rows]
    if held.any():
        system.held[rows] = 0.0
        y, _ = _newton(system, t, y)
        system.held[rows] = held
    return _newton(system, t, y)


def _newton(system, t, y):
    model = system.model
    d, dof = model.dimension, model.dof
    y = y.copy()

    def error_at(state):
        _locate(system, t, state)
        if system.w[at.STATUS] != at.OK:
            raise_status(system, t)
        scaled = system.phi / system.row_scale * system.held
        return scaled if np.all(np.isfinite(scaled)) else np.full(scaled.shape, np.inf)

    scaled = error_at(y)
    for _ in range(MOST_ITERATIONS):
        size = np.linalg.norm(scaled)
        largest = np.abs(scaled).max(initial=0.0)
        if largest <= 1e-14 or not np.isfinite(size):
            break
        step = system.newton_step(-system.phi)
        parts = step.reshape(-1, dof)
        reach = max(np.abs(parts[:, :d]).max(initial=0.0) / (2.0 * model.length),
                    np.abs(parts[:, d:]).max(initial=0.0) / 0.7, 1e-300)
        factor = min(1.0, 1.0 / reach)
        for _ in range(10):
            trial = system.moved(y, factor * step)
            new = error_at(trial)
            if np.linalg.norm(new) < (1.0 - 1e-4 * factor) * size:
                break
            factor *= 0.5
        else:
            if largest <= TOLERANCE:
                break
            system.locate(t, y)
            return y, largest
        done = np.linalg.norm(new) > 0.5 * size and largest <= TOLERANCE
        y, scaled = trial, new
        if done:
            break
    return y, np.abs(scaled).max(initial=0.0)


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
