"""Measures read from states of the bodies: value, rate, and what the second rate consists of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from linkwork.coordinates.door import Door, linked_readings
from linkwork.coordinates.system import blocks
from linkwork.kernels import layout as at


def read(readings, own, second: bool = False) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
    """Block by block of times: where, value and rate (times, measures), and with `second` bias and gradient.

    `own` is what `readings.gather` takes from states of the bodies.
    The last is (times, measures, 1 + 2 dof): what the second rate is without accelerations, and its derivatives by the
    accelerations of the bodies of `on` and `to`; empty without `second`.
    """
    count, dof = len(readings.measures), at.COORDINATES[readings.dimension][1]
    tab = linked_readings(readings)
    door = Door(tab, readings.parameters, readings.workspace)
    door.note(at.DETAIL, 1.0)
    n = door.n_y
    sections = (at.W_VALUE, at.W_RATE, *((at.W_BIAS, at.W_GRADIENT) if second else ()))
    picks = np.concatenate([readings.places(key).ravel() for key in sections])
    locate = int(tab[at.A_LOCATE])
    for part in blocks(len(own), own.shape[1] + n + picks.size):
        size = part.stop - part.start
        picked = door.sweep(locate, np.zeros(size), np.require(own[part], float, ["C", "W"]), picks)
        rest = picked[:, :0]
        if second:
            gradient = picked[:, 3 * count :].reshape(size, count, 2 * dof)
            rest = np.concatenate([picked[:, 2 * count : 3 * count, None], gradient], axis=2)
        yield part, picked[:, :count], picked[:, count : 2 * count], rest
