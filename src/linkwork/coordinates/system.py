"""What every coordinate set shares: a plan made ready to run, and what its workspace holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.coordinates.door import Door, fits, wants_slopes, wants_softness
from linkwork.coordinates.linking import linked_table, pointers
from linkwork.kernels import layout as at
from linkwork.kernels.sections import SECTIONS

#: pivots above this are far from what rounding and regularisation leave of rows that depend on each other
INDEPENDENT = 1e-5
UNMET = 1e-6  # of the speeds that are asked for
WITHOUT_GROUND = slice(1, None)  # of sections of the bodies
BLOCK = 400_000  # numbers that are looked at together when stored states are read

#: Euler parameters among the coordinates of a state
EULER = ("e0", "e1", "e2", "e3")


def speeds_asked(rows: int) -> np.ndarray:
    """Speeds of rows to ask for, where rows that depend on each other shall not meet them by chance."""
    return np.cos(1.7 * np.arange(1, rows + 1))


class System:
    """A plan made ready to run: its own copies of parameters and workspace, and the kernels of its set and dimension.

    `values` are the numbers at which the rows of the model are held (those "as assembled" resolved), `held` says which
    of them act.  What every set must say in its own way raises `NotImplementedError` here.
    """

    coordinates = ""
    #: the factor of the rows tells which of them follow from others: there are `pivots` and `pushed`
    factor_tells = False
    #: while assembling: rows, memory slots and weights of angles whose full turns are free
    loose: Sequence[tuple[int, int, float]] = ()

    def __init__(self, plan: Any, values: Any = None, held: Any = None, memory: Any = None) -> None:
        self.plan, self.model = plan, plan.model
        self.tab = linked_table(plan)
        self.n_rows = len(plan.rows)
        self._own(plan.parameters, plan.workspace)
        if values is not None:
            self.row_values[:] = self._of_plan("row values", values)
        if held is not None:
            self.held[:] = self._of_plan("rows held", held, 1.0)
        if memory is not None:
            memory = np.array(memory, dtype=float)
            fits("memory", memory, self.memory.shape)
            self.memory[:] = memory

    def _of_plan(self, what, values, fill: float = 0.0) -> np.ndarray:
        """Numbers of all rows of the model, and of further ones behind them, for the rows of the plan."""
        values, kept, count = np.array(values, dtype=float), self.plan.kept, len(self.model.rows)
        own = len(self.plan.layout.own_rows)
        fits(what, values, (count + self.n_rows - kept.size - own,))
        return np.concatenate([values[kept], np.full(own, fill), values[count:]])

    def _own(self, p, w) -> None:
        """Copies of parameters and workspace; values and holding of rows and the memory may be written in them."""
        self.door = door = Door(self.tab, p, w)
        self.p, self.w, self.f = door.p, door.w, door.f
        self.row_values = self.plan.view(door._p, at.P_ROW)[:, at.ROW_VALUE]
        self.held, self.memory = (self.plan.view(door._w, key) for key in (at.W_HELD, at.W_MEMORY))

    @property
    def depends_on_assembly(self) -> bool:
        """Whether numbers of the set depend on how the mechanism was assembled."""
        return False

    def drive(self, method, watching=None):
        """What a run by this method needs beside the system."""
        soft = None
        if wants_softness(method):
            from linkwork.coordinates.softening import softened

            soft = softened(self.plan)
        return self.door.drive(method, watching, soft, self.model.slopes if wants_slopes(method) else None)

    def note(self, place: int, value: float) -> None:
        """Tell the kernels something by one of the first places of the workspace, such as DETAIL."""
        self.door.note(place, value)

    def set_numbers(self, key: int, values, part: Any = ...) -> None:
        """Other numbers in a section of the parameters, or in a part of it."""
        values, place = np.array(values, dtype=float), self.view(key)[part]
        fits(f"section {SECTIONS[key].name}", values, np.shape(place))
        self.plan.view(self.door._p, key)[part] = values

    def set_metric(self, masses, inverse, roots, scale) -> None:
        """Other masses of all bodies, their inverses with their roots, and what a mass is compared with."""
        view, p = self.plan.view, self.door._p
        for key, values in (
            (at.P_MASS, masses),
            (at.P_INVERSE_MASS, inverse),
            (at.P_ROOT_INVERSE, roots),
            (at.P_MASS_SCALE, scale),
        ):
            view(p, key)[WITHOUT_GROUND] = values

    def numbers_kept(self) -> np.ndarray:
        """All parameters as they are now, to be taken back by `take_back`."""
        return self.door._p.copy()

    def take_back(self, kept: np.ndarray) -> None:
        """Have the parameters as they were."""
        self.door._p[:] = kept

    def put_numbers(self, places: list[int], values: list[float]) -> None:
        """Other numbers at places of the parameters that the plan has named (`Plan.law_number`)."""
        for place, value in zip(places, values):
            self.door._p[place] = value

    def fresh(self):
        """Another one as this one is now, for a run of its own."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._own(self.p, self.w)
        return other

    def become(self, other) -> None:
        """Take the numbers of another one of the same plan as it is now."""
        self.door.take(other.door)

    @property
    def pointers(self):
        """Addresses of rhs and project, the way the integrator takes them."""
        return pointers()

    # -- what every set says in its own way ------------------------------------------------------------------------
    @property
    def has_orientations(self) -> bool:
        """Whether there are Euler parameters among the positions."""
        raise NotImplementedError

    @property
    def state_names(self) -> list[str]:
        """Names of all numbers of a state, positions and then speeds."""
        raise NotImplementedError

    @property
    def columns(self) -> np.ndarray:
        """Which velocity coordinates exist."""
        raise NotImplementedError

    @property
    def weights(self) -> np.ndarray:
        """What velocity coordinates are multiplied with, so that angles count as lengths."""
        raise NotImplementedError

    def jacobian(self, rows=None) -> np.ndarray:
        """(rows, velocity coordinates): gradients of rows, all of them unless some are given, at the last place."""
        raise NotImplementedError

    def from_bodies(self, states, memory=None, reader=None) -> np.ndarray:
        """States of the set, without memory, from states of the bodies and their memory; `reader` reads measures."""
        raise NotImplementedError

    def columns_of_bodies(self, t, raw, columns, sweep) -> list[np.ndarray]:
        """Some columns of these; `sweep` evaluates all states at once."""
        raise NotImplementedError

    def to_bodies(self, t, raw, sweep=None) -> np.ndarray:
        """States of the bodies with memory from those of the set: `sweep` evaluates them."""
        raise NotImplementedError

    def from_body(self, y, memory=None) -> np.ndarray:
        """One state of the set, from one of the bodies."""
        raise NotImplementedError

    def to_body(self, y) -> np.ndarray:
        """One state of the bodies, from one of the set."""
        raise NotImplementedError

    def keep_turns(self, y) -> None:
        """Have the full turns of a state of the bodies: states of the set may not tell them."""
        raise NotImplementedError

    def keep_many_turns(self, many, states, own) -> None:
        """The same for the blocks of a sweep, in sets whose `Layout` has `in_blocks`."""
        raise NotImplementedError

    def pivots(self) -> np.ndarray:
        """Pivots of the rows at the last factor, against what they are alone; in sets where `factor_tells`."""
        raise NotImplementedError

    def pushed(self, row: int) -> np.ndarray:
        """How velocity coordinates give way to a push along a row; in sets where `factor_tells`."""
        raise NotImplementedError

    # -- kernels ---------------------------------------------------------------------------------------------------
    def locate(self, t: float, y: np.ndarray) -> None:
        """Frames, measures and rows at a state."""
        w = self.door._w
        w[at.STATUS], w[at.DETAIL] = at.OK, 1.0
        self.door.call(self._locating, self.model.right_of(t), y)

    @cached_property
    def _locating(self) -> int:
        return int(self.tab[at.A_LOCATE])

    def _call(self, address, t, y):
        self.door.call(address, t, y)

    def remember(self) -> None:
        """Measures remember the state last located: the turn of an angle, or what their function wrote."""
        for slots in self.plan.memory_slots.values():
            self.memory[slots] = self.view(at.W_TURNED)[slots]

    def sweep(self, t, states, picks, located: bool = False) -> Iterator[tuple[slice, np.ndarray]]:
        """Evaluate stored states (with their memory), block by block of times: where, and places of the workspace.

        With `located` only what positions and speeds give: bodies, measures and rows, no forces and no accelerations.
        """
        address = int(self.tab[at.A_LOCATE]) if located else self.pointers[0]
        picks = np.ascontiguousarray(picks, dtype=np.int64)
        times = in_one_piece(self.model.right_of(t))
        fits("times", times, (len(states),))
        for part in blocks(len(times), states.shape[1] + self.plan.n_y + picks.size):
            some = in_one_piece(states[part])
            self.note(at.DETAIL, 1.0)
            yield part, self.door.sweep(address, times[part], some, picks)

    def swept(self, t, states, picks, located: bool = False) -> np.ndarray:
        """The same for all times together: (times, picks)."""
        out = np.empty((len(t), len(picks)))
        for part, picked in self.sweep(t, states, picks, located):
            out[part] = picked
        return out

    def ledger(self, t, states) -> tuple[list[float], list[float], list[float]]:
        """Kinetic energy, potential of weights and springs, and work of all that has no potential, at stored states.

        They are few, and plain numbers are faster then.
        """
        (parts, picks), door = self.plan.stores, self.door
        if picks is not door._picks:
            door.know(picks, looked_at=self.plan.__dict__.get("_looked_at") is picks)
            self.plan.__dict__["_looked_at"] = picks
        energies, picked = door.ledger(self._locating, in_one_piece(t), in_one_piece(states), picks)
        kinetic, potential, work = energies.T.tolist()
        for stored in stored_in(parts, self.p, picked, states):
            potential = [one + more for one, more in zip(potential, stored)]
        return kinetic, potential, work

    def derivative(self, t: float, y: np.ndarray) -> np.ndarray:
        """State derivative, with every intermediate quantity left in the workspace."""
        self.door.derive(self.model.right_of(t), y)
        return self.f

    def derivatives(self, t, states):
        """The same of several states, with their memory behind them: (times, states)."""
        self.note(at.DETAIL, 1.0)
        return self.door.derivatives(self.pointers[0], in_one_piece(self.model.right_of(t)), in_one_piece(states))

    def project(self, t, y):
        """Put y back on the constraints, in place; returns the errors of position and velocity before the last step."""
        self._call(self.pointers[1], self.model.right_of(t), y)
        return self.w[at.ERROR_POSITION]

    def newton_step(self, right: np.ndarray, again: bool = False):
        """The smallest step with J step = right; the rows are factored where they are, or `again` as they were last."""
        right = np.array(right, dtype=float)
        fits("right side", right, (self.n_rows,))
        self.plan.view(self.door._w, at.W_RIGHT)[:] = right
        if not again:
            self._call(self.tab[at.A_FACTOR], 0.0, self.f)
        self.door.solve()
        return self.step.copy()

    def closed(self, t, y) -> tuple[np.ndarray, float]:
        """The position that Newton finds from y, and the largest error left there; less than 0 where STATUS says why.

        The held rows are met by the smallest moves in the metric that the parameters have in place of masses.
        """
        out = y.copy()
        loose = np.array([(row, slot) for row, slot, _ in self.loose], dtype=np.int64).ravel()
        turns = np.array([weight for *_, weight in self.loose], dtype=float)
        return out, self.door.newton(self.model.right_of(t), out, loose, turns)

    @property
    def step(self) -> np.ndarray:
        """A step of the coordinates, as it was left, or their accelerations."""
        return self.view(at.W_CHANGE)

    def moved(self, y, step):
        """q (+) step."""
        out = y.copy()
        self.plan.view(self.door._w, at.W_CHANGE)[:] = step
        self._call(self.tab[at.A_MOVE], 0.0, out)
        return out

    # -- what is in the workspace ----------------------------------------------------------------------------------
    @property
    def length(self) -> float:
        """One length of the mechanism."""
        return float(self.p[self._length_at])

    @cached_property
    def _length_at(self) -> int:
        return int(self.tab[at.P_LENGTH])

    def view(self, key: int) -> np.ndarray:
        """A section of the parameters or of the workspace, in its shape."""
        return self.plan.view(self.w if key >= at.W_POSE else self.p, key)

    @property
    def modes(self) -> np.ndarray:
        """Modes of all rows of the model: those of the tree are absorbed."""
        return self.plan.modes(self.held)

    @property
    def acceleration(self) -> np.ndarray:
        """Accelerations of the bodies, without ground, at the last state evaluated."""
        return self.view(at.W_ACCELERATION)[1:].ravel()

    @property
    def phi(self):
        """Constraint errors."""
        return self.view(at.W_PHI)

    @property
    def nu(self):
        """Right sides of the velocity rows."""
        return self.view(at.W_NU)

    @property
    def gamma(self):
        """Right sides of the acceleration rows."""
        return self.view(at.W_GAMMA)

    @property
    def multipliers(self):
        """Multipliers of the rows."""
        return self.view(at.W_LAMBDA)

    @property
    def row_scale(self):
        """Length or angle that an error of a row is compared with."""
        return self.view(at.P_ROW)[:, at.ROW_SCALE]

    def bare_columns(self) -> np.ndarray:
        """Speeds of the coordinates that have no inertia, unless accelerations say so themselves: which of them."""
        return np.zeros(0, dtype=np.int64)

    def culprit(self) -> str:
        """Who has no inertia, where accelerations say so."""
        return f"Mechanism '{self.model.mechanism.name}'"

    def measure_values(self, measure: Any) -> np.ndarray:
        """Value, rate and bias of a measure that the model has."""
        total = np.zeros(3)
        for weight, one in measure.terms():
            k = self.plan.measure_index[one]
            total += weight * np.array([self.view(key)[k] for key in (at.W_VALUE, at.W_RATE, at.W_BIAS)])
        return total

    def _blocks(self):
        """Blocks of J at the last state located, the bodies that they belong to, and their rows."""
        return self.view(at.W_BLOCK), *self.plan.block_owners

    def row_rates(self, twists):
        """J times speeds of the bodies, of every row at the last state located, and the sum of the terms' sizes."""
        if self.n_rows == 0:
            return np.zeros(0), np.zeros(0)
        blocks, bodies, rows = self._blocks()
        terms = blocks * twists.reshape(-1, self.model.dof)[bodies]
        return tuple(np.bincount(rows, part.sum(axis=1), self.n_rows) for part in (terms, np.abs(terms)))

    def rates_of_rows(self, t, y, v):
        """Rates of all rows for speeds v of the coordinates, at the position of y."""
        n_q = self.plan.n_q
        state = y.copy()
        state[n_q : n_q + self.plan.n_v] = v
        self.locate(t, state)
        return self.row_rates(self.view(at.W_TWIST)[1:])[0]

    def loop_jacobians(self):
        """Of every loop its rows, J of them at the last state located, and the coordinates that its columns are for."""
        if self.plan.loops:
            whole, every = self.jacobian(), np.arange(self.columns.size)
            for rows in self.plan.loops:
                yield rows, whole[rows], every

    def free_sizes(self, rows=None):
        """Norms of rows of J between free bodies at the last state located, angles counting as lengths."""
        blocks, bodies, owner = self._blocks()
        turning = np.where(np.arange(self.model.dof) < self.model.dimension, 1.0, 1.0 / self.model.length)
        found = np.sqrt(np.bincount(owner, ((blocks * turning) ** 2).sum(axis=1), self.n_rows))
        return found if rows is None else found[rows]

    def surely_independent(self, t, y) -> bool:
        """Whether the rows that are held leave no doubt that none follows from others, at the state evaluated last.

        They can meet any speeds: of rows that depend on each other a residual stays.  Pivots of S that are small say as
        much at once; in a saddle point they may only say that a row came before its bodies.
        """
        if not self.w[at.PIVOT] > INDEPENDENT and not self.plan.size(at.SADDLE):
            return False
        wanted = speeds_asked(self.n_rows) * self.free_sizes() * self.held
        met = self.rates_of_rows(t, y, self.newton_step(wanted))
        return bool(np.all(np.abs(met - wanted) * self.held <= UNMET * self.free_sizes()))

    @property
    def memory_size(self):
        """Entries of the memory that goes with a state."""
        return self.memory.size


def stored_in(parts, p, picked, states) -> Iterator[list[float]]:
    """What each part of `Plan.stores` stores at a few states, for what was picked there."""
    rows = picked.tolist()
    for one in parts:
        numbers = tuple(p[one.numbers].tolist())
        if one.straight is not None:
            found = one.part.stored_plainly([row[one.straight] for row in rows], numbers)
            if found is not None:
                yield found
                continue
        values = [picked[:, k] if weights is None else picked[:, k] @ weights for k, weights in one.reads]
        yield one.part.stored_at_few(values, numbers, None if one.own is None else list(states[:, one.own].T))


def in_one_piece(array) -> np.ndarray:
    """The array as kernels take it; as it is where it is so already."""
    if type(array) is np.ndarray and array.dtype == float and array.flags.carray:
        return array
    return np.require(array, dtype=float, requirements=["C", "W"])


def blocks(count: int, width: int) -> Iterator[slice]:
    """Parts of `count` times that need little memory, for rows of `width` numbers."""
    size = max(1, BLOCK // max(1, width))
    for first in range(0, count, size):
        yield slice(first, min(first + size, count))
