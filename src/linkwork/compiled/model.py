"""The compiled model: integer tables, one parameter vector, and the names that lead back to the user's words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.kernels import layout as at


@dataclass(frozen=True)
class RowInfo:
    """One constraint row: which item holds which measure, and how."""

    item: str
    label: str
    measure: Any
    kind: str                  # "joint", "driver" or "start"
    speed: bool                # holds a rate, not a value
    value: float | None        # None: as assembled
    function: int = -1

    @property
    def name(self) -> str:
        """`item.label`, as users see it."""
        return f"{self.item}.{self.label}" if self.label else self.item


@dataclass(frozen=True)
class LawInfo:
    """One law: the element it belongs to, its part, and where its forces and its work are."""

    element: str
    part: Any
    slot: Any
    first_out: int
    work: int                  # index in z, or -1


@dataclass(frozen=True)
class BodyInfo:
    """One body: where the kernel's frame (mass centre, principal axes) is in the user's frame."""

    name: str
    has_angle: bool
    center: np.ndarray         # mass centre in the user's frame
    rotation: np.ndarray       # kernel axes as columns, in the user's frame
    mass: float
    inertia: np.ndarray        # diagonal, kernel axes


@dataclass(frozen=True)
class Model:
    """What the kernels read.  Immutable: analyses copy `parameters` and `workspace` before they write."""

    mechanism: Any
    dimension: int
    tab: np.ndarray
    parameters: np.ndarray
    workspace: np.ndarray
    bodies: tuple[BodyInfo, ...]
    rows: tuple[RowInfo, ...]
    laws: tuple[LawInfo, ...]
    functions: tuple
    function_owners: tuple[str, ...]
    function_slots: tuple
    measures: tuple
    measure_index: dict
    edges: tuple
    length: float
    work_names: tuple[str, ...]
    tree: Any = None           # of joint coordinates

    def __reduce__(self):
        """Pickled as its mechanism: what is compiled belongs to this process."""
        from linkwork.compiled.build import build

        return build, (self.mechanism,)

    @cached_property
    def in_joints(self):
        """The same mechanism compiled for joint coordinates."""
        from linkwork.compiled.build import build

        return build(self.mechanism, like=self, coordinates="joint")

    @cached_property
    def loop_rows(self) -> np.ndarray:
        """Which rows close loops in joint coordinates; the others are met by the tree."""
        index = {(row.item, row.label): r for r, row in enumerate(self.rows)}
        return np.array([index[row.item, row.label] for row in self.in_joints.rows], dtype=np.int64)

    @cached_property
    def probe(self):
        """What joint coordinates are the values of, to be read from states of the bodies."""
        return self.readings([one for coordinate in self.in_joints.tree.coordinates if coordinate.measure is not None
                              for _, one in coordinate.measure.terms()])

    def readings(self, measures):
        """Simple measures compiled alone, to be read from states of the bodies."""
        from linkwork.compiled.readings import compile_readings

        return compile_readings(self, tuple(dict.fromkeys(measures)))

    def size(self, key: int) -> int:
        """An entry of the header of the integer table."""
        return int(self.tab[key])

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

    def memory_for(self, other: Model, memory: np.ndarray) -> np.ndarray:
        """Memory (..., slots) of this model as another one of the same mechanism has it; zero for what is new there."""
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
        for k, law in enumerate(self.laws):
            first, count = self.tab[self.size(at.T_LAW) + at.LAW_COLUMNS * k:][7:9]
            if count:
                nth = sum(one.element == law.element for one in self.laws[:k])
                found[law.element, nth, int(count)] = slice(int(first), int(first + count))
        return found

    @cached_property
    def masses_and_weights(self) -> tuple[np.ndarray, float]:
        """Mass of every velocity coordinate of the bodies, and the weight of all of them together."""
        first, weight = self.size(at.P_MASS) + self.dof, self.size(at.P_GRAVITY) + self.dof
        count = self.dof * len(self.bodies)
        return self.parameters[first:first + count], float(np.abs(self.parameters[weight:weight + count]).sum())

    @cached_property
    def stores(self) -> tuple[list[tuple[Any, int]], np.ndarray]:
        """Parts of laws that have a potential, each with the first of the values that it reads, and where those are."""
        parts: list[tuple[Any, int]] = []
        picks: list[int] = []
        for law in self.laws:
            if law.part.energy == "stores" and law.part.potential is not None:
                parts.append((law.part, len(picks)))
                picks += [self.size(at.W_VALUE) + self.measure_index[one]
                          for measure in law.part.reads for _, one in measure.terms()]
        return parts, np.array(picks, dtype=np.int64)

    @cached_property
    def _breaking(self) -> tuple:
        """Functions of time that jump or bend."""
        return tuple(function for function in self.functions if not function.smooth)

    def right_of(self, t):
        """Times (a number or an array) at which to evaluate: what stands at a break belongs to its right side."""
        if not self._breaking:
            return t
        times = np.atleast_1d(np.array(t, dtype=float))
        if times.size:
            first, last = float(times.min()), float(times.max())
            found = [one for function in self._breaking for one in function.breaks(first, last).found]
            for before, after in sorted(one.sides for one in found if not one.beside):
                times[(before < times) & (times < after)] = after
        return times if np.ndim(t) else float(times[0])

    @property
    def n_q(self) -> int:
        """Number of position coordinates."""
        return self.size(at.N_Q)

    @property
    def n_v(self) -> int:
        """Number of velocity coordinates."""
        return self.size(at.N_V)

    @cached_property
    def n_y(self) -> int:
        """Length of the state vector: positions, velocities, work."""
        return self.n_q + self.n_v + self.size(at.N_Z)

    @property
    def dof(self) -> int:
        """Velocity coordinates of one body."""
        return self.size(at.DOF)

    @cached_property
    def body_index(self) -> dict[str, int]:
        """Index of a body among the moving ones; -1 for ground."""
        return {"ground": -1, **{body.name: k for k, body in enumerate(self.bodies)}}

    @property
    def coordinate_names(self) -> list[str]:
        """Velocity coordinates as users see them, those that a particle does not have included as ''."""
        axes = ("x", "y", "angle") if self.dimension == 2 else ("x", "y", "z", "turn.x", "turn.y", "turn.z")
        lines = self.dimension
        return [f"{body.name}.{axis}" if k < lines or body.has_angle else ""
                for body in self.bodies for k, axis in enumerate(axes)]

    @cached_property
    def rows_of(self) -> dict[str, list[int]]:
        """Rows by the item that holds them."""
        found: dict[str, list[int]] = {}
        for r, row in enumerate(self.rows):
            found.setdefault(row.item, []).append(r)
        return found

    @cached_property
    def laws_of(self) -> dict[str, list[LawInfo]]:
        """Laws by the force element that they belong to."""
        found: dict[str, list[LawInfo]] = {}
        for law in self.laws:
            found.setdefault(law.element, []).append(law)
        return found

    @cached_property
    def row_blocks(self) -> list[list[tuple[int, int]]]:
        """Blocks of J of every row: number of the block, and the body that it belongs to."""
        count, dof = len(self.rows), self.dof
        first = self.tab[self.size(at.T_ROW_BLOCK):][:count + 1].tolist()
        owners = self.tab[self.size(at.T_BLOCK_BODY):][:self.size(at.N_BLOCKS)].tolist()
        return [[(b, owners[b] // dof - 1) for b in range(first[r], first[r + 1])] for r in range(count)]

    def section(self, key: int, count: int) -> slice:
        """A section of the workspace."""
        first = self.size(key)
        return slice(first, first + count)

    def row_values(self) -> np.ndarray:
        """Values at which the rows are held, as built (nan: as assembled)."""
        return np.array([np.nan if row.value is None else row.value for row in self.rows])

    def refill(self, mechanism):
        """The same tables with the numbers of another mechanism of the same structure."""
        from linkwork.compiled.build import build, same_structure

        other = build(mechanism)
        same_structure(self, other)
        return other
