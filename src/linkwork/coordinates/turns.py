"""Which full turn an angle begins in: one rule, in the plane as in space.

A position gives an angle up to full turns.  It begins within half a turn, half a turn itself counting as positive,
unless something says otherwise:

- a value by name (`start=`, `near=`, a state by name) of this angle, or of another between the same axes;
- the value of a driver that holds it, where a state is assembled;
- the angle of a body against the axes of the ground is its own, as `angle=` has it;
- bodies whose `angle=` are more than a turn apart take every angle between them along.

Axes of frames have no turns: `angle=` of a frame and `along=` mean the same where they give the same axes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.kernels import layout as at

TURN = 2.0 * math.pi


def shift(value, target: Any = 0.0):
    """Full turns, in radians, that bring an angle into the half turn on either side of the target."""
    return TURN * (np.floor((target - math.pi - value) / TURN + 1e-9) + 1.0)


class Said:
    """What is said about full turns where a state begins: by values (measure -> value), and by the angles of bodies."""

    def __init__(self, model: Any, values: Any = None, angles: Any = None) -> None:
        self._values = values or {}
        if angles is None:  # an orientation in space has no turns, but angle= has
            angles = {body.name: model.mechanism.bodies[body.name].angle for body in model.bodies if body.has_angle}
        self._angles = {"ground": 0.0, **angles}

    def get(self, measure) -> float | None:
        """An angle that is less than half a turn from the one that is meant; None where nothing is said."""
        if measure in self._values:
            return self._values[measure]
        if not measure.is_turn:
            return None
        for other, value in self._values.items():
            if other.is_turn and (sign := _same_angle(measure, other)):
                return sign * value
        on, to = (self._angles.get(frame.body) for frame in (measure.on, measure.to))
        sense = _sense(measure)
        if on is None or to is None or sense == 0.0:
            return None
        against_ground = "ground" in (measure.on.body, measure.to.body)
        if abs(to - on) > TURN or (against_ground and _close(measure.on.rotation(), measure.to.rotation())):
            return sense * (to - on)
        return None


def told_by_position(model, y) -> Said | dict:
    """What a position alone says: in the plane the angles of bodies are over full turns, in space nothing is."""
    return {} if model.dimension == 3 else Said(model, None, angles_in(model, y))


def angles_in(model, y) -> dict[str, float] | None:
    """Angles of the bodies of a state, over full turns in the plane; None in space."""
    if model.dimension == 3:
        return None
    return {body.name: float(y[3 * k + 2]) for k, body in enumerate(model.bodies) if body.has_angle}


def _same_angle(one, other) -> int:
    """1 where two angles are between the same axes, -1 where they are between the same ones exchanged, else 0."""
    if {one.on.body, one.to.body} != {other.on.body, other.to.body}:
        return 0
    (on, to), (start, end) = ((each.on.rotation(), each.to.rotation()) for each in (one, other))
    about_z = _sense(one) != 0.0 and _sense(one) == _sense(other)  # then only the turn between the frames counts
    if (one.on.body, one.to.body) == (other.on.body, other.to.body):
        return int(_close(on.T @ to, start.T @ end) if about_z else _close(on, start) and _close(to, end))
    if about_z and (one.on.body, one.to.body) == (other.to.body, other.on.body):
        return -int(_close(on.T @ to, end.T @ start))
    return 0


def _close(one, other) -> bool:
    return bool(np.abs(one - other).max() < 1e-9)


def _sense(measure) -> float:
    """1 or -1 where z of both frames is along z of their bodies, or against it; 0 where they turn about other axes."""
    on, to = measure.on.rotation()[2, 2], measure.to.rotation()[2, 2]
    return float(np.sign(on)) if abs(on) > 1.0 - 1e-12 and abs(on - to) < 1e-12 else 0.0


def begin(system, t, y, said, kept=()) -> None:
    """Set the memory of a system so that every angle begins in the turn that is meant; `kept` ones stay as they are."""
    system.locate(t, y)
    counted = system.view(at.W_TURNED)
    for measure, slot in system.plan.turn_slots.items():
        value = system.measure_values(measure)[0]
        if measure not in kept and math.isfinite(value):
            target = said.get(measure)
            system.memory[slot] = counted[slot] + shift(value, 0.0 if target is None else target)
