"""A plan: a model written into flat tables for one set of coordinates.

What it depends on is split in two.  `tab` and `workspace` are the structure; models that differ in numbers only share
them.  `parameters` are the numbers.  Kernels read a plan and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.compiled.model import Model, RowInfo
from linkwork.kernels import layout as at


@dataclass(frozen=True)
class Plan:
    """Tables of a model in a set of coordinates.  Immutable: a run copies `parameters` and `workspace`."""

    model: Model
    coordinates: str
    tab: np.ndarray
    parameters: np.ndarray
    workspace: np.ndarray
    rows: tuple[RowInfo, ...]     # those of the model that are not absorbed, then further ones
    kept: np.ndarray              # which rows of the model they are
    measures: tuple
    tree: Any = None              # where the coordinates are those of joints

    def __post_init__(self):
        for vector in (self.tab, self.parameters, self.workspace):
            vector.flags.writeable = False

    def with_values(self, rows: tuple[RowInfo, ...]) -> Plan:
        """The same plan with rows that differ in the values held alone."""
        parameters = self.parameters.copy()
        first = self.size(at.P_ROW)
        parameters[first:first + 2 * len(rows):2] = [0.0 if row.value is None else row.value for row in rows]
        parameters.flags.writeable = False
        other = object.__new__(Plan)
        other.__dict__.update(self.__dict__, rows=rows, parameters=parameters)
        return other

    def size(self, key: int) -> int:
        """An entry of the header of the integer table."""
        return int(self.tab[key])

    def section(self, key: int, count: int) -> slice:
        """A section of the workspace."""
        first = self.size(key)
        return slice(first, first + count)

    @cached_property
    def measure_index(self) -> dict:
        """Number of every measure of the plan."""
        return {measure: k for k, measure in enumerate(self.measures)}

    @cached_property
    def positional(self) -> np.ndarray:
        """Which rows hold a position at a number; others hold speeds, or what they have when assembled."""
        return np.array([row.value is not None and not row.speed for row in self.rows], dtype=bool)

    @cached_property
    def counting(self) -> list[int]:
        """Rows that are met in one full turn only: sums that are held at a value."""
        return [r for r, row in enumerate(self.rows)
                if row.value is not None and not row.speed and len(row.measure.terms()) > 1]

    @cached_property
    def of_joints(self) -> np.ndarray:
        """Which rows are those of joints."""
        return np.array([row.kind == "joint" for row in self.rows], dtype=bool)

    @cached_property
    def in_loops(self) -> np.ndarray:
        """Which rows can depend on others: those of items that are in loops."""
        return np.array([row.item in self.model.in_loops for row in self.rows], dtype=bool)

    @cached_property
    def row_blocks(self) -> list[list[tuple[int, int]]]:
        """Blocks of J of every row: number of the block, and the body that it belongs to."""
        count, dof = len(self.rows), self.model.dof
        first = self.tab[self.size(at.T_ROW_BLOCK):][:count + 1].tolist()
        owners = self.tab[self.size(at.T_BLOCK_BODY):][:self.size(at.N_BLOCKS)].tolist()
        return [[(b, owners[b] // dof - 1) for b in range(first[r], first[r + 1])] for r in range(count)]

    @cached_property
    def block_owners(self) -> tuple[np.ndarray, np.ndarray]:
        """Body and row of every block of J."""
        count, first = len(self.rows), self.size(at.T_ROW_BLOCK)
        row_block = self.tab[first:first + count + 1] if count else np.zeros(1, dtype=np.int64)
        rows = np.repeat(np.arange(count), np.diff(row_block))
        return self.tab[self.size(at.T_BLOCK_BODY):][:rows.size] // self.model.dof - 1, rows

    @cached_property
    def n_q(self) -> int:
        """Number of position coordinates of the set."""
        return self.size(at.N_Q)

    @cached_property
    def n_v(self) -> int:
        """Number of velocity coordinates of the set."""
        return self.size(at.N_V)

    @cached_property
    def n_y(self) -> int:
        """Length of the state vector: positions, velocities, work."""
        return self.n_q + self.n_v + self.size(at.N_Z)

    @cached_property
    def run_sections(self) -> tuple[slice, slice, slice]:
        """Values of the rows among the parameters; rows held and memory in the workspace."""
        rows, first = len(self.rows), self.size(at.P_ROW)
        return (slice(first, first + 2 * rows, 2), self.section(at.W_HELD, rows),
                self.section(at.W_MEMORY, self.size(at.N_MEMORY)))

    @cached_property
    def turn_slots(self) -> dict[Any, int]:
        """Measures whose full turns are counted, and where their memory is; that of laws comes behind them."""
        first, count = self.size(at.T_MEMORY_MEASURE), self.size(at.N_MEMORY)
        return {self.measures[k]: slot for slot, k in enumerate(self.tab[first:first + count]) if k >= 0}

    def memory_for(self, other: Plan, memory: np.ndarray) -> np.ndarray:
        """Memory (..., slots) of this plan as another one of the same model has it; zero for what is new there."""
        out = np.zeros((*np.shape(memory)[:-1], other.size(at.N_MEMORY)))
        for measure, slot in self.turn_slots.items():
            if measure in other.turn_slots:
                out[..., other.turn_slots[measure]] = memory[..., slot]
        for law, slots in self.law_slots.items():
            if law in other.law_slots:
                out[..., other.law_slots[law]] = memory[..., slots]
        return out

    @cached_property
    def law_slots(self) -> dict[tuple, slice]:
        """Where the memory of laws is, by element, which of its laws it is, and how much it remembers."""
        found: dict[tuple, slice] = {}
        for k, law in enumerate(self.model.laws):
            first, count = self.tab[self.size(at.T_LAW) + at.LAW_COLUMNS * k:][7:9]
            if count:
                nth = sum(one.element == law.element for one in self.model.laws[:k])
                found[law.element, nth, int(count)] = slice(int(first), int(first + count))
        return found

    @cached_property
    def stores(self) -> tuple[list[tuple[Any, int]], np.ndarray]:
        """Parts of laws that have a potential, each with the first of the values that it reads, and where those are."""
        parts: list[tuple[Any, int]] = []
        picks: list[int] = []
        for law in self.model.laws:
            if law.part.energy == "stores" and law.part.potential is not None:
                parts.append((law.part, len(picks)))
                picks += [self.size(at.W_VALUE) + self.measure_index[one]
                          for measure in law.part.reads for _, one in measure.terms()]
        return parts, np.array(picks, dtype=np.int64)
