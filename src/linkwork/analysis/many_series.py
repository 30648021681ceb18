"""Series that are read of many designs at once: columns that states of the bodies hold, and measures of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from linkwork.analysis.in_numbers import InNumbers
from linkwork.compiled.readings import Readings
from linkwork.coordinates.many import Many
from linkwork.kernels import layout as at

Reader = Callable[[Any, str], Many]


def series_of(made: InNumbers, t: np.ndarray, written: np.ndarray, sweep: Any, reader: Reader) -> list[np.ndarray]:
    """Series (designs, times) of states in the coordinates of the run; angles may lack full turns.

    `sweep` evaluates states of all designs, `reader` makes what reads measures of each.
    """
    count, times, width = written.shape
    wanted = [
        -1 if where is None else 3 * where[0] + where[1] + (made.model.n_q if order else 0)
        for (_, order, _), (where, *_) in zip(made.names, made.reads)
    ]
    columns = sorted({*wanted, *(() if made.readings is None else made.readings.columns.tolist())} - {-1})
    held = dict(zip(columns, made.own.columns_of_bodies(t, written.reshape(-1, width), columns, sweep)))
    read = iter(()) if made.readings is None else _read(made, made.readings, held, (count, times), reader)
    return [next(read) if one < 0 else held[one].reshape(count, times).copy() for one in wanted]


def _read(
    made: InNumbers, readings: Readings, held: dict[int, np.ndarray], shape: tuple[int, int], reader: Reader
) -> Iterator[np.ndarray]:
    """Those of the series that states do not hold."""
    many, own = reader(readings, "readings"), np.zeros((*shape, len(readings.columns)))
    for k, one in enumerate(readings.columns.tolist()):
        if one >= 0:
            own[:, :, k] = held[one].reshape(shape)
    places = [many.places(key).ravel() for key in (at.W_VALUE, at.W_RATE)]
    asked = [places[order][k] for (_, order, _), (where, k, _) in zip(made.names, made.reads) if where is None]
    found = many.located(np.zeros(shape[1]), own, np.array(asked, dtype=np.int64))
    yield from (found[:, :, k].copy() for k in range(len(asked)))
