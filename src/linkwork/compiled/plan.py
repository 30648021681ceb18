"""A plan: a model written into flat tables for one set of coordinates.

What it depends on is split in two.  `tab` and `workspace` are the structure; models that differ in numbers only share
them.  `parameters` are the numbers.  Kernels read a plan and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from linkwork.compiled.model import Model, RowInfo, lasting
from linkwork.compiled.modes import ABSORBED, DROPPED, FREE, HELD
from linkwork.kernels import layout as at
from linkwork.kernels.sections import span_of
from linkwork.records import dataclass


class Store(NamedTuple):
    """A part of a law that has a potential."""

    part: Any
    numbers: slice  # in p
    reads: list[tuple[Any, np.ndarray | None]]  # columns of the values that are read, with their weights
    own: slice | None  # its states
    straight: slice | None  # what it reads, where these are columns as they are, and it has no states


@dataclass(frozen=True)
class Plan:
    """Tables of a model in a set of coordinates.  Immutable: a run copies `parameters` and `workspace`."""

    model: Model
    layout: Any  # what the set of coordinates says of itself: `plans.layout.Layout`
    tab: np.ndarray
    parameters: np.ndarray
    workspace: np.ndarray
    rows: tuple[RowInfo, ...]  # those of the model that are not absorbed, those of the set, then further ones
    kept: np.ndarray  # which rows of the model they are
    measures: tuple
    #: what was found from `tab` alone, for all plans that have it: what -> (tab, found)
    shared: dict = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self):
        for vector in (self.tab, self.parameters, self.workspace):
            vector.flags.writeable = False

    @property
    def coordinates(self) -> str:
        """Name of the set."""
        return self.layout.coordinates

    @property
    def free(self) -> frozenset[int]:
        """Rows of the model that are released."""
        return self.layout.free

    def with_values(self, rows: tuple[RowInfo, ...]) -> Plan:
        """The same plan with rows that differ in the values held alone."""
        parameters = self.parameters.copy()
        values = self.view(parameters, at.P_ROW)[:, at.ROW_VALUE]
        values[:] = [0.0 if row.value is None else row.value for row in rows]
        parameters.flags.writeable = False
        other = object.__new__(Plan)
        other.__dict__.update(self.__dict__, rows=rows, parameters=parameters)
        return other

    def modes(self, held: np.ndarray) -> np.ndarray:
        """Modes of all rows of the model, where 1 in `held` tells the rows of this plan that act."""
        out = np.full(len(self.model.rows), ABSORBED)
        out[list(self.free)] = FREE
        out[self.kept] = np.where(held[: self.kept.size] != 0.0, HELD, DROPPED)
        return out

    def of_model(self, values: np.ndarray) -> np.ndarray:
        """Numbers (..., rows of this plan) for all rows of the model; zero where this plan has none."""
        out = np.zeros((*np.shape(values)[:-1], len(self.model.rows)))
        out[..., self.kept] = values[..., : self.kept.size]
        return out

    def size(self, key: int) -> int:
        """An entry of the header of the integer table."""
        return int(self.tab[key])

    @lasting
    def _spans(self) -> dict[int, tuple[slice, tuple[int, ...]]]:
        return self.once("spans", dict)

    @lasting
    def turns_kept(self) -> dict:
        """Whole turns that links had to add for a state, by its numbers and those of the links: the last ones."""
        return {}

    def once(self, what: str, find: Callable[[], Any]) -> Any:
        """Something that follows from the structure; found once for all plans that share it."""
        known = self.shared.get(what)
        if known is None or known[0] is not self.tab:
            known = self.shared[what] = self.tab, find()
        return known[1]

    def _span(self, key: int) -> tuple[slice, tuple[int, ...]]:
        """Where a section is, and its shape; looked up once."""
        found = self._spans.get(key)
        if found is None:
            found = self._spans[key] = span_of(key, self.tab)
        return found

    def view(self, vector: np.ndarray, key: int) -> np.ndarray:
        """A section of a vector of this plan, in its shape: of its parameters, or of a workspace."""
        span, shape = self._span(key)
        return vector[span] if len(shape) == 1 else vector[span].reshape(shape)

    def table(self, key: int) -> np.ndarray:
        """A section of the integer table."""
        return self.view(self.tab, key)

    def places(self, key: int) -> np.ndarray:
        """Where the numbers of a section are in their vector, in its shape."""
        span, shape = self._span(key)
        return np.arange(span.start, span.stop).reshape(shape)

    @cached_property
    def least(self) -> float:
        """The least inertia of the bodies against what is usual among them."""
        return float(self.view(self.parameters, at.P_LEAST)[0])

    @lasting
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
        return [
            r
            for r, row in enumerate(self.rows)
            if row.value is not None and not row.speed and len(row.measure.terms()) > 1
        ]

    @cached_property
    def row_terms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What the measures of rows are sums of: row, number of the simple measure, weight, term by term."""
        terms = [(r, self.measure_index[one], w) for r, row in enumerate(self.rows) for w, one in row.measure.terms()]
        rows, measures, weights = np.array(terms, dtype=float).reshape(-1, 3).T
        return rows.astype(np.int64), measures.astype(np.int64), weights

    @lasting
    def of_joints(self) -> np.ndarray:
        """Which rows are those of joints."""
        return np.array([row.kind == "joint" for row in self.rows], dtype=bool)

    @lasting
    def in_loops(self) -> np.ndarray:
        """Which rows can depend on others: those of items that are in loops."""
        return np.array([row.kind == "own" or row.item in self.model.in_loops for row in self.rows], dtype=bool)

    @lasting
    def loops(self) -> list[list[int]]:
        """Rows that can depend on others, in groups that cannot depend on each other."""
        rows = np.flatnonzero(self.in_loops)
        if any(row.kind == "own" for row in self.rows):  # points tie bodies in other ways than joints do
            return [rows.tolist()]
        groups = self.model.row_groups[self.kept][rows]
        order = np.argsort(groups, kind="stable")
        borders = np.flatnonzero(np.diff(groups[order])) + 1
        return [one.tolist() for one in np.split(rows[order], borders) if one.size]

    @lasting
    def row_blocks(self) -> list[list[tuple[int, int]]]:
        """Blocks of J of every row: number of the block, and the body that it belongs to."""
        first = self.table(at.T_ROW_BLOCK).tolist()
        owners = (self.table(at.T_BLOCK_BODY) // self.model.dof - 1).tolist()
        return [[(b, owners[b]) for b in range(first[r], first[r + 1])] for r in range(len(self.rows))]

    @lasting
    def block_owners(self) -> tuple[np.ndarray, np.ndarray]:
        """Body and row of every block of J."""
        rows = np.repeat(np.arange(len(self.rows)), np.diff(self.table(at.T_ROW_BLOCK)))
        return self.table(at.T_BLOCK_BODY) // self.model.dof - 1, rows

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
        """Length of the state vector: positions, velocities, work, states of laws."""
        return self.n_q + self.n_v + self.size(at.N_Z) + self.size(at.N_STATES)

    @cached_property
    def turn_slots(self) -> dict[Any, int]:
        """Measures whose full turns are counted, and where; other memory comes behind them."""
        return {self.measures[k]: slot for slot, k in enumerate(self.table(at.T_MEMORY_MEASURE)) if k >= 0}

    @cached_property
    def memory_slots(self) -> dict[Any, slice]:
        """Measures that remember something, and where."""
        table = self.table(at.T_MEASURE)[:, [at.MEASURE_SLOT, at.MEASURE_N_MEMORY]].tolist()
        return {
            self.measures[k]: slice(first, first + max(1, count))
            for k, (first, count) in enumerate(table)
            if first >= 0
        }

    def memory_for(self, other: Plan, memory: np.ndarray) -> np.ndarray:
        """Memory (..., slots) of this plan as another one of the same model has it; zero for what is new there."""
        out = np.zeros((*np.shape(memory)[:-1], other.size(at.N_MEMORY)))
        for measure, slots in self.memory_slots.items():
            if measure in other.memory_slots:
                out[..., other.memory_slots[measure]] = memory[..., slots]
        for law, slots in self.law_slots.items():
            if law in other.law_slots:
                out[..., other.law_slots[law]] = memory[..., slots]
        return out

    @cached_property
    def law_slots(self) -> dict[tuple, slice]:
        """Where the memory of laws is, by element, which of its laws it is, and how much it remembers."""
        found: dict[tuple, slice] = {}
        table = self.table(at.T_LAW)
        for k, law in enumerate(self.model.laws):
            first, count = table[k, at.LAW_MEMORY], table[k, at.LAW_N_MEMORY]
            if count:
                nth = sum(one.element == law.element for one in self.model.laws[:k])
                found[law.element, nth, int(count)] = slice(int(first), int(first + count))
        return found

    @cached_property
    def stores(self) -> tuple[list[Store], np.ndarray]:
        """Parts of laws that have a potential, and where in the workspace the values are that they read."""
        parts: list[Store] = []
        picks: list[int] = []
        values, table = self.places(at.W_VALUE), self.table(at.T_LAW)
        for k, law in enumerate(self.model.laws):
            if law.part.energy != "stores" or law.part.potential is None or law.slot.address == 0:
                continue
            reads: list[tuple[Any, np.ndarray | None]] = []
            begin = len(picks)
            for measure in law.part.reads:
                terms = measure.terms()
                columns: Any = slice(len(picks), len(picks) + len(terms))
                weights = np.array([weight for weight, _ in terms])
                reads.append((len(picks), None) if len(terms) == 1 and weights[0] == 1.0 else (columns, weights))
                picks += [values[self.measure_index[one]] for _, one in terms]
            first, count = int(table[k, at.LAW_NUMBERS]), int(table[k, at.LAW_N_NUMBERS])
            state = self.n_q + self.n_v + self.size(at.N_Z) + law.first_state
            own = slice(state, state + len(law.part.states)) if law.part.states else None
            plain = own is None and all(weights is None for _, weights in reads)
            straight = slice(begin, len(picks)) if plain else None
            parts.append(Store(law.part, slice(first, first + count), reads, own, straight))
        return parts, np.array(picks, dtype=np.int64)

    def law_number(self, law: int, number: int) -> int:
        """Where in p a number of a law is."""
        table = self.table(at.T_LAW)
        if not 0 <= number < table[law, at.LAW_N_NUMBERS]:
            raise IndexError(number)
        return int(table[law, at.LAW_NUMBERS]) + number
