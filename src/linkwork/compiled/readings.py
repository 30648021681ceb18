"""A few measures compiled alone, to be read from states of the bodies: their bodies and frames, no rows, no laws.

What it costs to read them does not depend on the size of the mechanism.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.compiled.geometry import frame_key, memory_of, write_geometry
from linkwork.compiled.writer import Writer
from linkwork.kernels import layout as at
from linkwork.kernels.sections import span_of
from linkwork.records import dataclass


@dataclass(frozen=True)
class Readings:
    """Tables of a few simple measures, in the form that the kernels of body coordinates read."""

    dimension: int
    measures: tuple
    bodies: tuple[int, ...]  # of the model, from 0, that the measures touch
    sides: tuple[tuple[int, int], ...]  # of every measure: bodies of `on` and `to`, -1 for ground
    tab: np.ndarray
    parameters: np.ndarray
    workspace: np.ndarray
    addresses: tuple[int, ...]  # of functions of the measures, 0 for none
    columns: np.ndarray  # where a state of the bodies, memory behind it, holds what is wanted here; -1: nowhere

    def gather(self, states: np.ndarray) -> np.ndarray:
        """(times, columns) from states of the bodies with memory."""
        own = states.take(self.columns, axis=1)  # what is nowhere takes the last column first
        own[:, self.columns < 0] = 0.0
        return own

    def places(self, key: int) -> np.ndarray:
        """Where the numbers of a section are in their vector, in its shape."""
        span, shape = span_of(key, self.tab)
        return np.arange(span.start, span.stop).reshape(shape)


def compile_readings(model: Any, measures) -> Readings:
    """Tables for simple measures of a model of bodies."""
    d = model.dimension
    positions, dof = at.COORDINATES[d]
    index = model.body_index
    touched = tuple(dict.fromkeys(index[name] for one in measures for name in one.bodies if name != "ground"))
    bodies = {"ground": (0, None), **{model.bodies[k].name: (n, model.bodies[k]) for n, k in enumerate(touched, 1)}}
    frames: dict = {}
    for one in measures:
        for frame in (one.on, one.to):
            frames.setdefault(frame_key(frame), (len(frames), frame))
    writer, n = Writer(d), len(touched)
    slots, n_memory = memory_of(measures)
    writer.sizes(N_BODIES=n, N_Q=positions * n, N_V=dof * n, N_MEMORY=n_memory)
    writer.put(at.P_LENGTH, [model.length])
    write_geometry(model, frames, measures, bodies, writer)
    writer.reserve("body")
    columns = [np.arange(positions * k, positions * (k + 1)) for k in touched]
    columns += [model.n_q + np.arange(dof * k, dof * (k + 1)) for k in touched]
    for one in slots:  # in the order of their slots
        count = one.remembers if one.memory == "parameter" else 1
        first = model.n_y + model.measure_memory[one] if one in model.measure_memory else None
        columns.append(np.full(count, -1) if first is None else np.arange(first, first + count))
    return Readings(
        d,
        tuple(measures),
        touched,
        tuple((index[one.on.body], index[one.to.body]) for one in measures),
        writer.tab,
        writer.p,
        writer.w,
        tuple(model.measure_address(one) for one in measures),
        np.array([one for part in columns for one in part], dtype=np.int64),
    )
