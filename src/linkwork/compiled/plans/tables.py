"""The flat tables that every set of coordinates shares: bodies, frames, measures, functions, laws and rows.

Numbers come first, so that their places are known; then the tables that say which kernels read what, in an order of
their own (`structure`); and last what costs most to find, the pattern of the factorisation (`complete`).
"""

from __future__ import annotations

import hashlib

import numpy as np

from linkwork.compiled.geometry import frame_key, write_geometry
from linkwork.compiled.model import RowInfo
from linkwork.compiled.numbering import check_measure
from linkwork.compiled.scales import least_and_bare, units_of_inertia
from linkwork.kernels import layout as at


class Tables:
    """One model on its way into tables, for the layout of a set."""

    def __init__(self, model, layout, rows):
        self.model, self.layout = model, layout
        self.index = {name: k + 1 for name, k in model.body_index.items()}
        self.rows, self.kept = _rows(model, layout, rows)
        self.measures = _measures(model, self.rows, rows)
        self.measure_index = {measure: k for k, measure in enumerate(self.measures)}
        self.frames: dict = {}
        self.head = np.zeros(at.HEADER, dtype=np.int64)
        self.tab, self.p = at.Table(np.int64, reserved=at.HEADER), at.Table(np.float64)
        self.w = at.Table(np.float64, reserved=at.W_FIXED)
        self._write_sizes()
        self._write_bodies()
        self._write_measures()
        self._write_functions()
        self._write_laws()
        self._write_rows()
        layout.write_coordinates(self)

    def structure(self) -> bytes:
        """What tells models apart that differ in more than numbers."""
        text = hashlib.sha256(self.head.tobytes())
        for part in self.tab.parts:
            text.update(part.tobytes())
        return text.digest()

    def complete(self) -> tuple[np.ndarray, np.ndarray]:
        """The pattern of the factorisation, then the places of the workspace: the integer table and a workspace."""
        self.layout.write_pattern(self)
        head, model, w = self.head, self.model, self.w
        d, dof, bodies = model.dimension, model.dof, len(model.bodies)
        n_rows, n_blocks, n_measures = (int(head[key]) for key in (at.N_ROWS, at.N_BLOCKS, at.N_MEASURES))
        n_v, n = dof * bodies, int(head[at.N_UNKNOWNS])
        for key, count in (
                (at.W_POSE, at.POSE_SCRATCH[d] * (bodies + 1)), (at.W_TWIST, dof * (bodies + 1)),
                (at.W_FRAME, at.FRAME_SCRATCH[d] * len(self.frames)), (at.W_VALUE, n_measures),
                (at.W_RATE, n_measures), (at.W_BIAS, n_measures), (at.W_GRADIENT, 2 * dof * n_measures),
                (at.W_MEMORY, head[at.N_MEMORY]), (at.W_TURNED, head[at.N_MEMORY]), (at.W_SWING, head[at.N_MEMORY]),
                (at.W_FUNCTION, 3 * head[at.N_FUNCTIONS]),
                (at.W_APPLIED, dof + n_v), (at.W_PHI, n_rows), (at.W_NU, n_rows), (at.W_GAMMA, n_rows),
                (at.W_HELD, n_rows), (at.W_BLOCK, dof * n_blocks), (at.W_SCALED, self.layout.scaled_size(self)),
                (at.W_LAMBDA, n_rows), (at.W_ACCELERATION, dof + n_v), (at.W_FACTOR, n + head[at.N_FILL]),
                (at.W_SCALE, n), (at.W_UNKNOWN, n), (at.W_RESIDUAL, 2 * n_rows), (at.W_STEP, max(dof + n_v, n))):
            head[key] = w.reserve(int(count))
        if head[at.LOW]:  # so far a mark
            head[at.W_PULL] = w.reserve(3 * (int(head[at.N_LINKS]) + 1))
            solution = int(head[at.W_SCALED])
            head[at.LOW] = w.reserve(w.size - solution) - solution
        self.layout.write_places(self)
        workspace = np.concatenate([np.zeros(at.W_FIXED), w.vector()])
        workspace[head[at.W_HELD]:head[at.W_HELD] + n_rows] = 1.0
        workspace[at.PROJECT_TOLERANCE] = 1e-13
        workspace[at.PROJECT_COUNT] = 10
        return np.concatenate([head, self.tab.vector()]), workspace

    # -- in the order of the tables --------------------------------------------------------------------------------
    def _write_sizes(self) -> None:
        model, head = self.model, self.head
        self.turning = [one for one in self.measures if one.unwinds]
        law_memory = sum(law.part.memory for law in model.laws)
        for key, value in ((at.DIMENSION, model.dimension), (at.DOF, model.dof), (at.N_BODIES, len(model.bodies)),
                           (at.N_Z, len(model.work_names)), (at.N_MEMORY, len(self.turning) + law_memory),
                           (at.N_FUNCTIONS, len(model.functions)),
                           (at.N_LAWS, len(model.laws)), (at.N_ROWS, len(self.rows))):
            head[key] = value
        head[at.T_MEMORY_MEASURE] = self.tab.add([self.measure_index[one] for one in self.turning] + [-1] * law_memory)

    def _write_bodies(self) -> None:
        """Weight, mass, inverse mass, its root and units of inertia of every coordinate of every body, ground first."""
        model, d, dof = self.model, self.model.dimension, self.model.dof
        count = len(model.bodies) + 1
        mass, weight = np.ones((count, dof)), np.zeros((count, dof))
        mass[1:] = model.masses.reshape(-1, dof)
        weight[1:, :d] = model.weights
        unit = units_of_inertia(model)
        inverse = np.zeros((count, dof))
        np.divide(1.0, mass, out=inverse, where=mass > 0.0)
        inverse = self.layout.inverse_masses(inverse, mass, unit)
        inverse[0] = 0.0
        inverse[1:][~model.existing.reshape(-1, dof)] = 0.0
        for key, values in ((at.P_GRAVITY, weight), (at.P_MASS, mass), (at.P_INVERSE_MASS, inverse),
                            (at.P_ROOT_INVERSE, np.sqrt(inverse)), (at.P_MASS_SCALE, unit)):
            self.head[key] = self.p.add(values)
        self.least, self.bare = least_and_bare(model)
        self.head[at.P_LEAST] = self.p.add([self.least])
        self.head[at.P_LENGTH] = self.p.add([model.length])

    def _write_measures(self) -> None:
        model = self.model
        for one in self.measures:
            for frame in (one.on, one.to):
                self.frames.setdefault(frame_key(frame), (len(self.frames), frame))
        bodies = {name: (k + 1, model.bodies[k] if k >= 0 else None) for name, k in model.body_index.items()}
        write_geometry(model.dimension, self.frames, self.measures, self.turning, bodies, self.head, self.tab, self.p)

    def _write_functions(self) -> None:
        table = []
        for function, slot in zip(self.model.functions, self.model.function_slots, strict=True):
            numbers = function.numbers()
            table.append((slot.address, self.p.add(numbers), len(numbers)))
        self.head[at.T_FUNCTION] = self.tab.add(np.array(table, dtype=np.int64))

    def _write_laws(self) -> None:
        head, tab, laws = self.head, self.tab, self.model.laws
        table: list[tuple] = []
        reads: list[int] = []
        memory, most = len(self.turning), 0
        for law in laws:
            table.append((law.slot.address, len(reads), len(law.reads), law.first_out, len(law.along),
                          self.p.add(law.part.numbers), len(law.part.numbers), memory, law.part.memory, law.work))
            reads += law.reads
            memory += law.part.memory
            most = max(most, len(law.reads))
        along, guards = [0], [0]  # guards before the first law, and behind each
        for law in laws:
            along += [*law.along, 0]
            guards.append(len(along) - 1)
        head[at.T_LAW] = tab.add(np.array(table, dtype=np.int64))
        head[at.T_READS] = tab.add(reads)
        head[at.T_ALONG] = tab.add(along)
        parts = [measure.terms() for measure in self.model.channels]
        head[at.T_CHANNEL] = tab.add(np.cumsum([0, *(len(terms) for terms in parts)]))
        head[at.T_CHANNEL_TERM] = tab.add([self.measure_index[one] for terms in parts for _, one in terms])
        head[at.P_CHANNEL] = self.p.add([weight for terms in parts for weight, _ in terms])
        head[at.W_READ] = self.w.reserve(2 * most)
        out = np.zeros(len(along))
        out[guards] = at.GUARD
        head[at.W_OUT] = self.w.add(out)

    def _write_rows(self) -> None:
        head, tab, length = self.head, self.tab, self.model.length
        rows, values, terms, weights, row_term = [], [], [], [], [0]
        block_body: list[int] = []
        row_block = [0]
        work = 0
        for row in self.rows:
            parts = row.measure.terms()
            slot = -1
            if row.kind == "driver":
                slot, work = work, work + 1
            turn = int(len(parts) == 1 and parts[0][1].quantity == "angle" and abs(parts[0][0]) == 1.0)
            rows.append((at.SPEED if row.speed else at.POSITION, row.function, slot, turn))
            values.append((0.0 if row.value is None else row.value,
                           length if row.measure.quantity == "length" else 1.0))
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
        head[at.N_BLOCKS], head[at.N_TERMS] = len(block_body), len(terms)
        head[at.T_ROW] = tab.add(np.array(rows, dtype=np.int64))
        head[at.T_ROW_TERM] = tab.add(row_term)
        head[at.T_TERM] = tab.add(np.array(terms, dtype=np.int64))
        head[at.T_ROW_BLOCK] = tab.add(row_block)
        head[at.T_BLOCK_BODY] = tab.add(self.model.dof * np.array(block_body, dtype=np.int64))
        head[at.P_ROW] = self.p.add(np.array(values))
        head[at.P_TERM] = self.p.add(weights)
        self.block_body, self.row_block = block_body, row_block

    def groups(self) -> tuple[list[int], ...]:
        """Rows of one item, eliminated together; each start value is for itself."""
        found: dict[str, list[int]] = {}
        for r, row in enumerate(self.rows):
            found.setdefault(row.item if row.kind != "start" else f"start {row.name}", []).append(r)
        return tuple(found.values())

    def add_pattern(self, pattern, assembly, saddle: bool) -> None:
        """The pattern of a factorisation and its list of products."""
        head, tab = self.head, self.tab
        head[at.SADDLE] = int(saddle)
        head[at.N_UNKNOWNS] = pattern.place.size
        head[at.N_FILL] = pattern.entry_row.size
        head[at.N_ASSEMBLY] = len(assembly)
        head[at.T_PERMUTATION] = tab.add(pattern.place)
        head[at.T_COLUMN] = tab.add(pattern.column)
        head[at.T_ENTRY_ROW] = tab.add(pattern.entry_row)
        head[at.T_ASSEMBLY] = tab.add(assembly)
        head[at.T_TARGET] = tab.add(pattern.target)


def _rows(model, layout, further) -> tuple[tuple[RowInfo, ...], np.ndarray]:
    """Rows of the plan, and which rows of the model they are."""
    absorbed = layout.absorbed
    kept = [r for r, row in enumerate(model.rows) if row.item not in absorbed]
    return (*(model.rows[r] for r in kept), *further), np.array(kept, dtype=np.int64)


def _measures(model, rows, further) -> tuple:
    """Measures of the plan: of the model those that rows and laws read or that have memory, then others."""
    for row in further:
        check_measure(model.mechanism, row.measure, f"start value '{row.name}'")
    used = {one for row in rows for _, one in row.measure.terms()}
    used |= {one for channel in model.channels for _, one in channel.terms()}
    found = dict.fromkeys(one for one in model.measures if one in used or one in model.turn_slots)
    found.update(dict.fromkeys(one for row in further for _, one in row.measure.terms()))
    return tuple(found)
