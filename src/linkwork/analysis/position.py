"""Positions that meet the rows: damped Newton from an estimate, and from others where that leads nowhere.

Newton moves the bodies as little as possible, in a metric of lengths: an angle counts as an angle times a length of the
mechanism.
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.common import raise_status, start_rows
from linkwork.analysis.fits import flipped, frame_at
from linkwork.compiled.build import build
from linkwork.coordinates.body import System
from linkwork.coordinates.rotation import product
from linkwork.errors import AssemblyError, DescriptionError, message
from linkwork.kernels import layout as at

TOLERANCE = 1e-11
MOST_ITERATIONS = 80
ATTEMPTS = 8
CANDIDATES = 4
NEAR_ENOUGH = 0.1  # radians, or against a length of the mechanism: what `near` may be off before others are looked for
SMALL_GAP = 0.05  # an estimate that is this good (against a length of the mechanism) needs no second opinion


def use_metric(system, model, weights) -> None:
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


def turns_of(mechanism, values) -> dict:
    """Angles that are said over full turns: measure -> value."""
    found = {}
    for row in start_rows(mechanism, {name: value for name, value in values.items() if not name.endswith(".rate")}):
        if row.measure.quantity == "angle":
            found[row.measure] = row.value
    return found


def let_turn(system, turned, memory=None) -> None:
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


def find_position(system, t, y, start, near):
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
            trial = shaken(model, towards, attempt, np.pi)
        else:
            trial = y if attempt == 0 else shaken(model, y, attempt)
        system.memory[:] = memory
        position, error = newton(system, t, trial)
        if error <= TOLERANCE and flipped(model, position):
            turned_over = position if turned_over is None or attempt % 2 else None
        elif error <= TOLERANCE and not any(same_position(model, position, one[3]) for one in found):
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
    use_metric(system, model, {})
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


def shaken(model, y, attempt, reach=0.8):
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


def same_position(model, one, other, places_only: bool = False) -> bool:
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
