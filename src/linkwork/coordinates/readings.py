"""Measures read from states of the bodies: value, rate, and what the second rate consists of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwork.coordinates.door import Door
from linkwork.coordinates.linking import linked_readings
from linkwork.coordinates.system import blocks, in_one_piece
from linkwork.kernels import layout as at


def read(readings, own, second: bool = False) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
    """Block by block of times: where, value and rate (times, measures), and with `second` bias and gradient.

    `own` is what `readings.gather` takes from states of the bodies.
    The last is (times, measures, 1 + 2 dof): what the second rate is without accelerations, and its derivatives by the
    accelerations of the bodies of `on` and `to`; empty without `second`.
    """
    count, dof = len(readings.measures), at.COORDINATES[readings.dimension][1]
    idle = readings.__dict__.setdefault("_doors", {}).setdefault(second, [])
    try:
        door, picks = idle.pop()  # of an earlier reading; each thread that reads at the same time has one of its own
    except IndexError:
        door, picks = _door(readings, (at.W_VALUE, at.W_RATE, *((at.W_BIAS, at.W_GRADIENT) if second else ())))
    door.note(at.DETAIL, 1.0)
    locate = int(door.tab[at.A_LOCATE])
    for part in blocks(len(own), own.shape[1] + door.n_y + picks.size):
        size = part.stop - part.start
        picked = door.sweep(locate, np.zeros(size), in_one_piece(own[part]), picks)
        rest = picked[:, :0]
        if second:
            gradient = picked[:, 3 * count :].reshape(size, count, 2 * dof)
            rest = np.concatenate([picked[:, 2 * count : 3 * count, None], gradient], axis=2)
        yield part, picked[:, :count], picked[:, count : 2 * count], rest
    idle.append((door, picks))


def read_gradients(readings, own) -> Iterator[tuple[slice, np.ndarray]]:
    """Block by block of times: where, and derivatives by the motion of `on` and `to` (times, measures, 2, dof)."""
    count, dof = len(readings.measures), at.COORDINATES[readings.dimension][1]
    idle = readings.__dict__.setdefault("_doors", {}).setdefault("gradients", [])
    try:
        door, picks = idle.pop()
    except IndexError:
        door, picks = _door(readings, (at.W_GRADIENT,))
    door.note(at.DETAIL, 1.0)
    locate = int(door.tab[at.A_LOCATE])
    for part in blocks(len(own), own.shape[1] + door.n_y + picks.size):
        size = part.stop - part.start
        picked = door.sweep(locate, np.zeros(size), in_one_piece(own[part]), picks)
        yield part, picked.reshape(size, count, 2, dof)
    idle.append((door, picks))


def told(readings, own) -> tuple[np.ndarray, np.ndarray]:
    """What the function of a single measure is told in the last of some states, and the memory that it has there."""
    door, picks = _door(readings, (at.W_PAIR,))
    picked = door.sweep(int(door.tab[at.A_LOCATE]), np.zeros(len(own)), in_one_piece(own), picks)
    first = at.PAIR_SCRATCH[readings.dimension][at.LINE]
    (measure,) = readings.measures
    count = measure.remembers if measure.memory == "parameter" else 0
    return picked[-1, first : first + at.TOLD[readings.dimension]], own[-1, own.shape[1] - count :]


def _door(readings, sections) -> tuple[Door, np.ndarray]:
    """A door to the tables of some measures, and the places where it leaves what is read."""
    door = Door(linked_readings(readings), readings.parameters, readings.workspace)
    picks = np.concatenate([readings.places(key).ravel() for key in sections])
    door.know(picks)
    return door, picks
