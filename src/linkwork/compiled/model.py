"""The model of a mechanism: bodies, measures, rows, laws and functions, each numbered once.

A `Plan` (one for each set of coordinates) writes it into the flat tables that kernels read; see `compiled.plans`.
"""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from linkwork.compiled.events import ways_to_move
from linkwork.compiled.geometry import memory_of
from linkwork.compiled.graph import blocks, in_loops
from linkwork.compiled.slopes import Slopes, slopes_of
from linkwork.kernels import layout as at
from linkwork.records import dataclass
from linkwork.tape import array

MOST_EXTENDED = 8  # plans with further rows that are kept
MOST_RELEASED = 64  # plans without rows that are released


class lasting(cached_property):
    """What is found once, and has neither masses nor gravity in it: models and plans that differ in them share it.

    One that is not marked so is found anew, which costs time and nothing else.
    """


def lasting_in(thing: Any) -> dict[str, Any]:
    """What a model or a plan has found out about itself that lasts, by name."""
    kind = type(thing)
    return {name: one for name, one in thing.__dict__.items() if isinstance(getattr(kind, name, None), lasting)}


@dataclass(frozen=True)
class RowInfo:
    """One constraint row: which item holds which measure, and how."""

    item: str
    label: str
    measure: Any
    #: "joint", "driver", "start", "lock" (of a joint whose motion an event holds), "own" (of a set of coordinates) or
    #: "soft" (of a force that a stiff method holds by a row)
    kind: str
    speed: bool  # holds a rate, not a value
    value: float | None  # None: as assembled
    function: int = -1

    @property
    def name(self) -> str:
        """`item.label`, as users see it."""
        return f"{self.item}.{self.label}" if self.label else self.item


@dataclass(frozen=True)
class LawInfo:
    """One law: the element it belongs to, its part, what it reads and acts along, and where its work is."""

    element: str
    part: Any
    slot: Any
    reads: tuple[int, ...]  # channels, or -1 - function
    along: tuple[int, ...]  # channels
    first_out: int  # of its forces among those of all laws
    work: int  # index in z, or -1
    first_state: int = 0  # of its states among those of all laws
    accept: Any = None  # slot of what it does when a step is accepted


@dataclass(frozen=True)
class BodyInfo:
    """One body: where the kernel's frame (mass centre, principal axes) is in the user's frame."""

    name: str
    has_angle: bool
    center: np.ndarray  # mass centre in the user's frame
    rotation: np.ndarray  # kernel axes as columns, in the user's frame
    mass: float
    inertia: np.ndarray  # diagonal, kernel axes


class Declarations(NamedTuple):
    """Of which bodies place, turn, velocity and angular velocity are declared."""

    place: np.ndarray
    turn: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray


@dataclass(frozen=True)
class Model:
    """A mechanism in numbers, whatever the coordinates.  Immutable, and shared by all runs of the mechanism."""

    mechanism: Any  # its own copy: what is added to the mechanism later belongs to another model
    dimension: int
    bodies: tuple[BodyInfo, ...]
    rows: tuple[RowInfo, ...]  # of joints, then of drivers
    laws: tuple[LawInfo, ...]
    channels: tuple  # what laws read and act along: measures, or sums of them
    functions: tuple
    function_owners: tuple[str, ...]
    function_slots: tuple
    measures: tuple  # of rows and laws
    edges: tuple
    length: float
    work_names: tuple[str, ...]
    #: tables that were written for this structure, by what they depend on; shared with models of other numbers
    structures: dict = field(default_factory=dict, repr=False, compare=False)
    idle: frozenset[int] = frozenset()  # rows that are free at the start: events may hold them
    off_at_start: frozenset[str] = frozenset()  # elements that are off then

    def __reduce__(self):
        """Pickled as its mechanism: what is compiled belongs to this process."""
        from linkwork.compiled.numbering import model_of

        return model_of, (self.mechanism,)

    @cached_property
    def _plans(self) -> dict:
        return {}

    @property
    def slots(self) -> tuple:
        """Functions of laws and of time that kernels call."""
        return (*(one for law in self.laws for one in (law.slot, law.accept) if one), *self.function_slots)

    @cached_property
    def slopes(self) -> Slopes:
        """What tells the slopes of the laws, compiled when a method first asks."""
        return slopes_of(self.laws)

    @cached_property
    def _extended(self) -> dict:
        return {}

    @cached_property
    def known_names(self) -> dict:
        """Names that were looked up, and what they mean: see `names.measure_of`."""
        return {}

    def plan(self, coordinates: str = "body", *, rows=(), free: frozenset[int] = frozenset()):
        """The model in a set of coordinates; with further rows to hold (start values), without rows that are free."""
        from linkwork.compiled.plans import write

        if rows:
            kind = (
                coordinates,
                free,
                tuple((row.name, row.measure, row.kind, row.speed, row.value is None, row.function) for row in rows),
            )
            if kind not in self._extended:
                if len(self._extended) >= MOST_EXTENDED:
                    self._extended.pop(next(iter(self._extended)))
                self._extended[kind] = write(self, coordinates, tuple(rows), free)
            known = self._extended[kind]
            all_rows = (*known.rows[: len(known.rows) - len(rows)], *rows)
            return known if known.rows == all_rows else known.with_values(all_rows)
        if (coordinates, free) not in self._plans:
            released = [key for key in self._plans if key[1]]
            if free and len(released) >= MOST_RELEASED:
                self._plans.pop(released[0])
            self._plans[coordinates, free] = write(self, coordinates, free=free)
        return self._plans[coordinates, free]

    def layout(self, coordinates: str, free: frozenset[int] = frozenset()):
        """What a set of coordinates says of itself for this model; no table is written."""
        from linkwork.compiled.plans import layout_of

        return layout_of(self, coordinates, free)

    def readings(self, measures):
        """Simple measures compiled alone, to be read from states of the bodies."""
        from linkwork.compiled.readings import compile_readings

        wanted = tuple(dict.fromkeys(measures))
        if wanted not in self._readings:
            self._readings[wanted] = compile_readings(self, wanted)
        return self._readings[wanted]

    def coordinate(self, measure) -> tuple[int, int] | None:
        """Body and number where a measure is a coordinate as states hold it, else None.

        That is the place of its mass centre in the world, and in the plane its angle.
        """
        on, to = measure.on, measure.to
        body = self.body_index.get(to.body, -1)
        if on.body != "ground" or body < 0:
            return None
        if measure.is_turn and self.dimension == 2:
            return (body, 2) if on.angle == to.angle == 0.0 else None
        if measure.along != "world" or any(on.position):
            return None
        return (body, "xyz".index(measure.axis)) if np.array_equal(self.centers[body], to.position) else None

    @cached_property
    def of_lengths(self) -> Model:
        """The same where masses have no part: 1 for every way, the square of a length for every turn."""
        size = self.length**2
        bodies = tuple(replace(one, mass=1.0, inertia=np.full_like(one.inertia, size)) for one in self.bodies)
        return replace(self, bodies=bodies, structures={})

    @lasting
    def _readings(self) -> dict:
        return {}

    @lasting
    def passages(self) -> dict:
        """How joints lead from body to body."""
        from linkwork.compiled.passages import passages

        return passages(self.mechanism)

    @lasting
    def misfits(self) -> list[str]:
        """Joints that say how other joints should hold their frames."""
        from linkwork.mechanism.joints import Joint

        return [
            name
            for name, joint in self.mechanism.joints.items()
            if joint.active and type(joint).misfit is not Joint.misfit
        ]

    @lasting
    def declared(self) -> Declarations:
        """What is declared of the bodies."""
        bodies = [self.mechanism.bodies[body.name] for body in self.bodies]
        return Declarations(
            *(
                np.array(one, dtype=bool)
                for one in (
                    [body.position is not None for body in bodies],
                    [body.has_angle and (body.angle is not None or body.orientation is not None) for body in bodies],
                    [body.velocity is not None for body in bodies],
                    [body.angular_velocity is not None for body in bodies],
                )
            )
        )

    @lasting
    def tree(self):
        """The spanning tree that joint coordinates go along."""
        return self.tree_without(frozenset())

    def tree_without(self, free: frozenset[int]):
        """The same along joints that are held: one that has a row that is free carries nothing."""
        from linkwork.compiled.tree import grow

        numbers = {"ground": 0, **{body.name: k + 1 for k, body in enumerate(self.bodies)}}
        loose = {self.rows[r].item for r in free if self.rows[r].kind != "lock"}
        return grow(self.mechanism, self.bodies, numbers, loose)

    @lasting
    def geometry(self) -> object:
        """The same thing for models that differ in masses only: a state of one is a state of the other."""
        return object()

    # -- states of the bodies: positions, velocities, work -----------------------------------------------------------
    @property
    def dof(self) -> int:
        """Velocity coordinates of one body."""
        return at.COORDINATES[self.dimension][1]

    @lasting
    def n_q(self) -> int:
        """Number of position coordinates of the bodies."""
        return at.COORDINATES[self.dimension][0] * len(self.bodies)

    @lasting
    def n_v(self) -> int:
        """Number of velocity coordinates of the bodies."""
        return self.dof * len(self.bodies)

    @lasting
    def n_y(self) -> int:
        """Length of a state of the bodies: positions, velocities, work, states of laws."""
        return self.n_q + self.n_v + len(self.work_names) + len(self.law_states)

    @lasting
    def law_states(self) -> dict[tuple[str, int, str], float]:
        """States of laws, in their order: element, which of its laws, name -> value to begin with."""
        return {
            (element, k, name): value
            for element, laws in self.laws_of.items()
            for k, law in enumerate(laws)
            for name, value in law.part.states.items()
        }

    @lasting
    def body_index(self) -> dict[str, int]:
        """Index of a body among the moving ones; -1 for ground."""
        return {"ground": -1, **{body.name: k for k, body in enumerate(self.bodies)}}

    @lasting
    def coordinate_names(self) -> list[str]:
        """Velocity coordinates as users see them, those that a particle does not have included as ''."""
        axes = ("x", "y", "angle") if self.dimension == 2 else ("x", "y", "z", "turn.x", "turn.y", "turn.z")
        return [
            f"{body.name}.{axis}" if k < self.dimension or body.has_angle else ""
            for body in self.bodies
            for k, axis in enumerate(axes)
        ]

    @lasting
    def existing(self) -> np.ndarray:
        """Which velocity coordinates of the bodies exist: a particle has no angle."""
        return np.array([bool(name) for name in self.coordinate_names], dtype=bool)

    @lasting
    def turning(self) -> np.ndarray:
        """Which bodies have an orientation."""
        return np.array([body.has_angle for body in self.bodies], dtype=bool)

    @lasting
    def centers(self) -> np.ndarray:
        """(bodies, 3): mass centres in the users' frames."""
        return np.array([body.center for body in self.bodies]).reshape(-1, 3)

    @lasting
    def axes(self) -> np.ndarray:
        """(bodies, 3, 3): kernel axes as columns, in the users' frames."""
        return np.array([body.rotation for body in self.bodies]).reshape(-1, 3, 3)

    @cached_property
    def masses(self) -> np.ndarray:
        """Diagonal of M: mass or inertia of every velocity coordinate of the bodies; 1 where there is none."""
        d, turns = self.dimension, self.dof - self.dimension
        parts = [(*[body.mass] * d, *(body.inertia if body.has_angle else [1.0] * turns)) for body in self.bodies]
        return array(parts).ravel()

    @cached_property
    def weights(self) -> np.ndarray:
        """(bodies, dimension): force of gravity on every body."""
        pulled = [body.mass if self.mechanism.bodies[body.name].gravity else 0.0 for body in self.bodies]
        parts = [[mass * one for one in self.mechanism.gravity] for mass in pulled]
        return array(parts).reshape(len(self.bodies), self.dimension)

    @lasting
    def in_loops(self) -> frozenset[str]:
        """Joints and drivers that are in loops: only their rows can depend on each other."""
        return frozenset(in_loops([body.name for body in self.bodies], self.edges))

    @lasting
    def row_groups(self) -> np.ndarray:
        """(rows,): a number for every row; only rows of the same number can depend on each other."""
        of = {name: k for k, group in enumerate(blocks(self.edges)) for name in group}
        return np.array(
            [of[f"{row.item} lock" if row.kind == "lock" else row.item] for row in self.rows], dtype=np.int64
        )

    # -- rows, measures, functions -------------------------------------------------------------------------------------
    def row_values(self) -> np.ndarray:
        """Values at which the rows are held, as described (nan: as assembled)."""
        return np.array([np.nan if row.value is None else row.value for row in self.rows])

    @lasting
    def rows_of(self) -> dict[str, list[int]]:
        """Rows of every joint and driver, without those that lock joints."""
        return self._rows_of(lambda row: row.kind != "lock")

    @cached_property
    def locks_of(self) -> dict[str, list[int]]:
        """Rows that lock joints, which only models with events have."""
        return self._rows_of(lambda row: row.kind == "lock")

    def lock_size(self, joint: str) -> int:
        """How many of the rows that may lock a joint it takes."""
        left = ways_to_move(self.mechanism.joints[joint], self.mechanism) - len(self.rows_of.get(joint, []))
        return min(len(self.locks_of.get(joint, [])), max(0, left))

    def _rows_of(self, wanted) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for r, row in enumerate(self.rows):
            if wanted(row):
                found.setdefault(row.item, []).append(r)
        return found

    @lasting
    def driver_work(self) -> dict[str, int]:
        """Where the work of every driver is: theirs comes before that of laws."""
        drivers = (row.item for row in self.rows if row.kind == "driver")
        return {name: k for k, name in enumerate(drivers)}

    @lasting
    def laws_of(self) -> dict[str, list[LawInfo]]:
        """Laws of every force element."""
        found: dict[str, list[LawInfo]] = {}
        for law in self.laws:
            found.setdefault(law.element, []).append(law)
        return found

    @lasting
    def turn_slots(self) -> dict[Any, int]:
        """Measures whose full turns are counted, and where; other memory comes behind them."""
        return {one: slot for one, slot in self.measure_memory.items() if one.memory == "turns"}

    @lasting
    def measure_memory(self) -> dict[Any, int]:
        """Measures that remember something, and the first slot of each."""
        return memory_of(self.measures)[0]

    @lasting
    def measure_slots(self) -> dict:
        """Compiled functions of measures that have one of their own."""
        return {}

    def measure_slot(self, measure):
        """The compiled function of a measure that has one of its own; None for others."""
        if measure.function(self.dimension) is None:
            return None
        if measure not in self.measure_slots:
            from linkwork.compiled.laws import measure_slot

            self.measure_slots[measure] = measure_slot(measure, self.dimension)
        return self.measure_slots[measure]

    def measure_address(self, measure) -> int:
        """Where that function is; 0 where there is none."""
        slot = self.measure_slot(measure)
        return slot.address if slot else 0

    @lasting
    def n_memory(self) -> int:
        """Entries of the memory that goes with a state."""
        return memory_of(self.measures)[1] + sum(law.part.memory for law in self.laws)

    @lasting
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
