"""The flat tables that every set of coordinates shares: bodies, frames, measures, functions, laws and rows.

Numbers come first, so that their places are known; then the tables that say which kernels read what, in an order of
their own (`structure`); and last what costs most to find, the pattern of the factorisation (`complete`).
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from linkwork.compiled.geometry import frame_key, memory_of, write_geometry
from linkwork.compiled.model import RowInfo
from linkwork.compiled.numbering import check_measure
from linkwork.compiled.scales import least_and_bare, units_of_inertia
from linkwork.compiled.writer import Writer
from linkwork.kernels import layout as at
from linkwork.kernels.sections import span_of
from linkwork.tape import array, sqrt


class Tables:
    """One model on its way into tables, for the layout of a set."""

    def __init__(self, model: Any, layout: Any, rows: Any) -> None:
        self.model, self.layout = model, layout
        self.index = {name: k + 1 for name, k in model.body_index.items()}
        self.rows, self.kept = _rows(model, layout, rows)
        self.measures = _measures(model, self.rows, rows)
        self.measure_index = {measure: k for k, measure in enumerate(self.measures)}
        self.frames: dict = {}
        self.writer = Writer(model.dimension)
        self._write_sizes()
        self._write_bodies()
        self._write_measures()
        self._write_functions_and_laws()
        self._write_rows()
        layout.write_coordinates(self)

    def structure(self) -> bytes:
        """What tells models apart that differ in more than numbers."""
        return hashlib.sha256(self.writer.tab.tobytes()).digest()

    def complete(self) -> tuple[np.ndarray, np.ndarray]:
        """The pattern of the factorisation, then the places of the workspace: the integer table and a workspace."""
        writer = self.writer
        self.layout.write_pattern(self)
        writer.reserve(self.layout.coordinates)
        self.layout.write_places(self)
        workspace = writer.w
        held, _ = span_of(at.W_HELD, writer.head)
        out, _ = span_of(at.W_OUT, writer.head)
        workspace[held] = 1.0
        workspace[out][self.guards] = at.GUARD
        workspace[at.PROJECT_TOLERANCE] = 1e-13
        workspace[at.PROJECT_COUNT] = 10
        return writer.tab, workspace

    # -- in the order of the tables --------------------------------------------------------------------------------
    def _write_sizes(self) -> None:
        model = self.model
        slots, self.measure_memory = memory_of(self.measures)
        turning = [self.measure_index[one] for one in slots if one.memory == "turns"]
        law_memory = sum(law.part.memory for law in model.laws)
        self.writer.sizes(
            N_BODIES=len(model.bodies),
            N_Z=len(model.work_names),
            N_STATES=len(model.law_states),
            N_MEMORY=self.measure_memory + law_memory,
            N_FUNCTIONS=len(model.functions),
            N_LAWS=len(model.laws),
            N_ROWS=len(self.rows),
        )
        others = self.measure_memory + law_memory - len(turning)
        self.writer.put(at.T_MEMORY_MEASURE, turning + [-1] * others)

    def _write_bodies(self) -> None:
        """Masses, and a length."""
        self.least, self.bare = least_and_bare(self.model)
        for key, values in masses(self.model, self.layout, self.least):
            self.writer.put(key, values)
        self.writer.put(at.P_LENGTH, [self.model.length])

    def _write_measures(self) -> None:
        model = self.model
        for one in self.measures:
            for frame in (one.on, one.to):
                self.frames.setdefault(frame_key(frame), (len(self.frames), frame))
        bodies = {name: (k + 1, model.bodies[k] if k >= 0 else None) for name, k in model.body_index.items()}
        write_geometry(model, self.frames, self.measures, bodies, self.writer)

    def _write_functions_and_laws(self) -> None:
        model, writer = self.model, self.writer
        numbers = [(one.begins, *one.numbers()) for one in model.functions] + [law.part.numbers for law in model.laws]
        counts = [len(one) for one in numbers]
        writer.sizes(N_NUMBERS=sum(counts))
        first = writer.put(at.P_NUMBERS, [value for one in numbers for value in one])
        places = list(zip((first + np.cumsum([0, *counts[:-1]])).tolist(), counts, strict=False))
        writer.put(
            at.T_FUNCTION, [(slot.address, *place) for slot, place in zip(model.function_slots, places, strict=False)]
        )
        self._write_laws(places[len(model.functions) :])

    def _write_laws(self, places) -> None:
        """Laws, with the place in p and the count of their numbers; then their channels."""
        writer, laws = self.writer, self.model.laws
        table: list[tuple] = []
        reads: list[int] = []
        memory = self.measure_memory
        for law, numbers in zip(laws, places, strict=True):
            table.append(
                (
                    law.slot.address,
                    len(reads),
                    len(law.reads),
                    law.first_out,
                    len(law.along),
                    *numbers,
                    memory,
                    law.part.memory,
                    law.first_state,
                    len(law.part.states),
                    law.work,
                    0 if law.accept is None else law.accept.address,
                )
            )
            reads += law.reads
            memory += law.part.memory
        along, guards = [0], [0]  # guards before the first law, and behind each
        for law in laws:
            along += [*law.along, 0]
            guards.append(len(along) - 1)
        self.guards = guards
        parts = [measure.terms() for measure in self.model.channels]
        terms = [term for of_channel in parts for term in of_channel]
        writer.sizes(
            N_READS=len(reads),
            MOST_READS=max((len(law.reads) for law in laws), default=0),
            N_ALONG=len(along),
            N_CHANNELS=len(parts),
            N_CHANNEL_TERMS=len(terms),
        )
        writer.put(at.T_LAW, table)
        writer.put(at.T_READS, reads)
        writer.put(at.T_ALONG, along)
        writer.put(at.T_CHANNEL, np.cumsum([0, *(len(of_channel) for of_channel in parts)]))
        writer.put(at.T_CHANNEL_TERM, [self.measure_index[one] for _, one in terms])
        writer.put(at.P_CHANNEL, [weight for weight, _ in terms])

    def _write_rows(self) -> None:
        writer, length = self.writer, self.model.length
        rows, values, terms, weights, row_term = [], [], [], [], [0]
        block_body: list[int] = []
        row_block = [0]
        work = self.model.driver_work
        for row in self.rows:
            parts = row.measure.terms()
            slot = work.get(row.item, -1) if row.kind == "driver" else -1
            turn = int(len(parts) == 1 and parts[0][1].quantity == "angle" and abs(parts[0][0]) == 1.0)
            rows.append((at.SPEED if row.speed else at.POSITION, row.function, slot, turn))
            values.append(
                (0.0 if row.value is None else row.value, length if row.measure.quantity == "length" else 1.0)
            )
            blocks: dict[int, int] = {}
            for weight, measure in parts:
                places = []
                for frame in (measure.on, measure.to):
                    body = self.index[frame.body]
                    if body and body not in blocks:
                        blocks[body] = len(block_body)
                        block_body.append(body)
                    places.append(blocks[body] if body else -1)
                terms.append((self.measure_index[measure], *places))
                weights.append(weight)
            row_term.append(len(terms))
            row_block.append(len(block_body))
        writer.sizes(N_BLOCKS=len(block_body), N_TERMS=len(terms))
        writer.put(at.T_ROW, rows)
        writer.put(at.T_ROW_TERM, row_term)
        writer.put(at.T_TERM, terms)
        writer.put(at.T_ROW_BLOCK, row_block)
        writer.put(at.T_BLOCK_BODY, self.model.dof * np.array(block_body, dtype=np.int64))
        writer.put(at.P_ROW, values)
        writer.put(at.P_TERM, weights)
        self.block_body, self.row_block = block_body, row_block

    def groups(self) -> tuple[list[int], ...]:
        """Rows of one item, eliminated together; each start value is for itself."""
        found: dict[str, list[int]] = {}
        for r, row in enumerate(self.rows):
            found.setdefault(row.item if row.kind != "start" else f"start {row.name}", []).append(r)
        return tuple(found.values())

    def add_pattern(self, pattern, assembly, saddle: bool) -> None:
        """The pattern of a factorisation and its list of products."""
        writer = self.writer
        writer.sizes(
            SADDLE=int(saddle),
            N_UNKNOWNS=pattern.place.size,
            N_FILL=pattern.entry_row.size,
            N_ASSEMBLY=len(assembly),
            N_TARGETS=pattern.target.size,
        )
        writer.put(at.T_PERMUTATION, pattern.place)
        writer.put(at.T_COLUMN, pattern.column)
        writer.put(at.T_ENTRY_ROW, pattern.entry_row)
        writer.put(at.T_ASSEMBLY, assembly)
        writer.put(at.T_TARGET, pattern.target)


def masses(model, layout, least: float) -> list[tuple[int, np.ndarray | list[float]]]:
    """Weight, mass, inverse mass, its root and units of inertia of every coordinate of every body, ground first; and
    the least of them.  All that depends on masses and on gravity but for links.
    """
    d, dof, count = model.dimension, model.dof, len(model.bodies) + 1
    mass = np.concatenate([np.ones((1, dof)), model.masses.reshape(-1, dof)])
    weight = np.zeros((count, dof), dtype=model.weights.dtype)
    weight[1:, :d] = model.weights
    unit = units_of_inertia(model)
    inverse = np.zeros((count, dof), dtype=mass.dtype)
    np.divide(1.0, mass, out=inverse, where=mass > 0.0)
    inverse = layout.inverse_masses(inverse, mass, unit)
    inverse[0] = 0.0
    inverse[1:][~model.existing.reshape(-1, dof)] = 0.0
    traced = inverse.dtype == object
    root = array([sqrt(one) for one in inverse.ravel()]) if traced else np.sqrt(inverse)
    return [
        (at.P_GRAVITY, weight),
        (at.P_MASS, mass),
        (at.P_INVERSE_MASS, inverse),
        (at.P_ROOT_INVERSE, root),
        (at.P_MASS_SCALE, unit),
        (at.P_LEAST, [least]),
    ]


def _rows(model, layout, further) -> tuple[tuple[RowInfo, ...], np.ndarray]:
    """Rows of the plan, and which rows of the model they are."""
    kept = [r for r in range(len(model.rows)) if r not in layout.absorbed and r not in layout.free]
    return (*(model.rows[r] for r in kept), *layout.own_rows, *further), np.array(kept, dtype=np.int64)


def _measures(model, rows, further) -> tuple:
    """Measures of the plan: of the model those that rows and laws read or that have memory, then others."""
    for row in further:
        check_measure(model.mechanism, row.measure, f"start value '{row.name}'")
    used = {one for row in rows for _, one in row.measure.terms()}
    used |= {one for channel in model.channels for _, one in channel.terms()}
    found = dict.fromkeys(one for one in model.measures if one in used or one in model.measure_memory)
    found.update(dict.fromkeys(one for row in further for _, one in row.measure.terms()))
    return tuple(found)
