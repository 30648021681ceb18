"""The one door to the kernels: behind it are bare pointers, so every size is looked at here.

The tables of a plan are looked at once, when they are linked with their kernels (`linking`), and cannot be written
afterwards.  What is given to a kernel besides is of the right kind, and of the very size that they say.
"""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from linkwork.coordinates.keeping import kept_by
from linkwork.coordinates.linking import pointers, seen
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.kernels import path_places as at_path
from linkwork.kernels.jit import (
    CALLED,
    RHS,
    SOLVE,
    address_of,
    called,
    called_at,
    place_of,
    place_of_table,
    room_of,
    table_of,
)
from linkwork.kernels.plain import MARK, PLAIN
from linkwork.kernels.time import places as at_run
from linkwork.kernels.time import watches as of

FLOATS, INTEGERS = np.dtype(np.float64), np.dtype(np.int64)


def fits(what: str, array, shape: tuple[int, ...], kind: np.dtype = FLOATS) -> None:
    """Raise unless an array is what a kernel takes: of this shape and kind, in one piece, to be written."""
    if type(array) is np.ndarray and array.shape == shape and array.flags.carray:
        if array.dtype is kind or array.dtype == kind:
            return
    got = f"{array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
    raise DescriptionError(
        message(what, "does not fit the model", got, f"{kind} of shape {shape}, in one piece, not read-only")
    )


class Door:
    """Linked tables with parameters and a workspace of their own, and the way from them to the kernels.

    `p` and `w` can be looked at; what may be written in them is given out piece by piece by `System`.
    """

    def __init__(self, tab: np.ndarray, p: np.ndarray, w: np.ndarray):
        self.tab = tab
        self._p, self._w = p.copy(), w.copy()
        self.p, self.w = seen(self._p), seen(self._w)
        self.n_y = int(tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES])
        self.n_memory = int(tab[at.N_MEMORY])
        shape = (at.N_STATES, at.N_Q, at.N_V, at.N_Z, at.N_CHANNELS, at.N_ALONG, at.N_READS, at.N_SHARE_TERMS)
        self._sizes = at_run.Sizes(self.n_y, self.n_memory, *(int(tab[key]) for key in shape))
        self._shape = (self.n_y,)
        self.f = np.zeros(self.n_y)
        #: where they are; they stay there as long as the door is
        self._places = room_of(self._p), room_of(tab), room_of(self._w)
        self._calls = *self._places, place_of(self.f)

    def take(self, other: Door) -> None:
        """Parameters and workspace as they are in another one with the same tables."""
        if other.tab is not self.tab:
            raise DescriptionError(message("tables", "are others"))
        self._p[:], self._w[:] = other._p, other._w

    def note(self, place: int, value: float) -> None:
        """Tell the kernels something by one of the first places of the workspace, such as DETAIL."""
        if not 0 <= place < at.W_FIXED:
            raise IndexError(place)
        self._w[place] = value

    def take_up(self, workspace: np.ndarray) -> None:
        """Have the workspace as it was in a run that is taken up again."""
        fits("workspace", workspace, self._w.shape)
        self._w[:] = workspace

    def call(self, address: int, t: float, y: np.ndarray) -> None:
        """One kernel of the signature RHS at a state."""
        fits("state", y, self._shape)
        (CALLED.get(address) or called_at(RHS, address))(t, place_of(y), *self._calls)

    def derive(self, t: float, y: np.ndarray) -> None:
        """The state derivative, into f."""
        fits("state", y, self._shape)
        derive, places = self._deriving
        derive(t, place_of(y), places)

    @cached_property
    def _deriving(self):
        from linkwork.kernels.calls import derive

        self._table = table_of(pointers()[0], *self._calls, self.n_y)
        return called(derive), place_of_table(self._table)

    def solve(self) -> None:
        """A step for the right side in W_RIGHT, with the factor as it is."""
        called_at(SOLVE, int(self.tab[at.A_SOLVE]))(0.0, int(self.tab[at.W_RIGHT]), *self._places)

    def sweep(self, address: int, times, states, picks) -> np.ndarray:
        """Evaluate stored states, their memory behind them: chosen places of the workspace."""
        return self._swept(address, times, states, picks)[1]

    def derivatives(self, address: int, times, states) -> np.ndarray:
        """Derivatives of stored states (with their memory), one row each."""
        return self._swept(address, times, states, np.empty(0, dtype=INTEGERS), derivatives=self.n_y)[0]

    def ledger(self, address: int, times, states, picks) -> tuple[np.ndarray, np.ndarray]:
        """Kinetic energy, potential of the weights and work at stored states, and chosen places of the workspace.

        The arrays are those of the next call, too.
        """
        count, room = self._stored(times, states, picks), self._ledger
        if room is None or room.address != address or len(room.energies) != count or room.picks is not picks:
            room = self._ledger = self._room_of_ledger(address, count, picks)
        room.kernel(count, place_of(times), place_of(states), room.places)
        return room.energies, room.picked

    def _room_of_ledger(self, address: int, count: int, picks: np.ndarray) -> Ledger:
        from linkwork.kernels.calls import ledger

        energies, picked = np.empty((count, 3)), np.empty((count, picks.size))
        table = table_of(address, *self._calls, *map(place_of, (picks, picked, energies)), self.n_y, picks.size)
        return Ledger(address, picks, energies, picked, called(ledger), table, place_of_table(table))

    def _swept(self, address: int, times, states, picks, derivatives=0) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives and chosen places of the workspace of stored states, in as many columns each."""
        count, chosen, nowhere = self._stored(times, states, picks), picks.size, self._calls[-1]
        changes, picked, into = self.f, np.empty((count, chosen)), nowhere  # what has no columns is not written
        if derivatives:
            changes = np.empty((count, derivatives))
            into = place_of(changes)
        given = self.n_y, count, place_of(times), place_of(states), *self._calls, chosen, place_of(picks)
        _sweep()(address, *given, place_of(picked), derivatives, into, 0, nowhere)
        return changes, picked

    def _stored(self, times, states, picks) -> int:
        count = len(times)
        fits("times", times, (count,))
        fits("stored states", states, (count, self.n_y + self.n_memory))
        if picks is self._picks:  # looked at before
            return count
        fits("places of the workspace", picks, (np.size(picks),), INTEGERS)
        if picks.size and not (picks.min() >= 0 and picks.max() < self._w.size):
            raise DescriptionError(
                message(
                    "places of the workspace",
                    "lie outside of it",
                    f"{picks.min()} to {picks.max()}",
                    f"0 to {self._w.size - 1}",
                )
            )
        return count

    def know(self, picks: np.ndarray, looked_at: bool = False) -> None:
        """Places of the workspace that the plan asks for in every run, and that nobody writes: looked at once."""
        if not looked_at:
            self._stored(np.zeros(0), np.zeros((0, self.n_y + self.n_memory)), picks)
        self._picks = picks

    def newton(self, t: float, y, loose, turns) -> float:
        """Move a state to where the held rows are met; see `kernels.closing`."""
        fits("state", y, (self.n_y,))
        fits("weights of free turns", turns, (np.size(turns),))
        fits("rows whose turns are free", loose, (2 * np.size(turns),), INTEGERS)
        rows, slots = loose[::2], loose[1::2]
        if loose.size and not (loose.min() >= 0 and rows.max() < self.tab[at.N_ROWS] and slots.max() < self.n_memory):
            raise DescriptionError(message("rows whose turns are free", "lie outside of the model", repr(loose)))
        return _newton()(t, place_of(y), *self._calls, turns.size, place_of(loose), place_of(turns))

    def walk(self, masses) -> Walk:
        """What a walk along the path of drivers needs beside the door; see `kernels.path`."""
        return Walk(self, masses)

    def follow(self, y, walk: Walk, times, states, accelerations, multipliers) -> int:
        """Walk on through all times; see `kernels.path`."""
        count, tab = np.size(times), self.tab
        fits("state", y, (self.n_y,))
        fits("output times", times, (max(1, count),))
        fits("outputs", states, (count, self.n_y + self.n_memory))
        fits("accelerations", accelerations, (count, int(tab[at.N_V])))
        fits("multipliers", multipliers, (count, int(tab[at.N_ROWS])))
        if walk.door is not self or not 0 <= walk.control[at_path.OUTPUT] <= count:
            raise DescriptionError(message("walk", "does not fit the model"))
        own = map(place_of, (walk.masses, walk.control, walk.room))
        out = map(place_of, (times, states, accelerations, multipliers))
        return walk.follow(place_of(y), *self._calls, *own, count, *out)

    def hop(self, y, walk: Walk) -> bool:
        """Step over a crossing; False where it does not go on there."""
        fits("state", y, (self.n_y,))
        if walk.door is not self:
            raise DescriptionError(message("walk", "does not fit the model"))
        return bool(walk.hop(place_of(y), *self._calls, place_of(walk.control), place_of(walk.room)))

    def drive(self, method, watching=None, softened=None, slopes=None) -> Drive:
        """What a run by this method needs beside the door; `watching` is what it watches, if anything, and `softened`
        what soft evaluations need, if its stepper makes them; `slopes` tells those of the laws, if it asks for them.
        """
        return Drive(self._sizes, method, watching, softened, slopes)

    def advance(self, y, drive: Drive, times, states) -> int:
        """One slice of a run; see `kernels.time.loop`."""
        outputs = len(times)
        if drive.sizes != self._sizes:
            raise DescriptionError(message("drive", "does not fit the model"))
        fits("state", y, (self.n_y,))
        fits("output times", times, (outputs,))
        fits("outputs", states, (outputs, self.n_y + self.n_memory))
        if not (0 <= drive.count[at_run.OUTPUT] <= outputs and 0 <= drive.count[at_run.RETRY]):
            raise DescriptionError(message("counts", "do not fit the run", repr(drive.count)))
        return drive.advance(place_of(y), *self._places, *drive.places, outputs, place_of(times), place_of(states))

    _picks: np.ndarray | None = None
    _ledger: Ledger | None = None


class Ledger(NamedTuple):
    """Room for the energies of some stored states, and what fills it."""

    address: int  # of what locates
    picks: np.ndarray
    energies: np.ndarray
    picked: np.ndarray
    kernel: Any
    table: Any  # of places, see `kernels.calls.ledger`
    places: Any  # where it is


class Block(NamedTuple):
    """What stands behind the other numbers of a run, and behind its counts."""

    first_float: int = 0
    floats: np.ndarray = np.zeros(0)
    first_integer: int = 0
    integers: np.ndarray = np.zeros(0, dtype=INTEGERS)


class Drive:
    """A stepper with its tables, and the numbers of one run: `control` and `count` may be written.

    Addresses and places are behind them and out of reach, so no run can lead a kernel astray.
    """

    def __init__(self, sizes: at_run.Sizes, method, watching=None, softened=None, slopes=None):
        self.sizes, self.stepper = sizes, method.stepper
        self.kernel, self.advance, run, count = _room_for(method, sizes)
        if softened is not None:
            run, count = _with_softness(softened, run, count)
        if slopes is not None:
            self.slopes = slopes  # as long as their addresses are called
            run, count = _with_slopes(slopes, run, count)
        if watching is not None:
            floats, integers = watching.block(run.size, count.size, sizes.state, sizes.memory)
            first, run, count = count.size, np.concatenate([run, floats]), np.concatenate([count, integers])
            count[[at_run.A_WATCH, at_run.A_SEARCH, at_run.WATCH]] = *watching.addresses(), first
        self._fresh = run, count  # may be those of other drives, too
        self._run, self._count = run.copy(), count.copy()
        self.control, self.count = self._run[: at_run.C_FLOATS], self._count[: at_run.C_INTEGERS]
        self.places = room_of(self._run), room_of(self._count)

    def begin(self) -> None:
        """Forget all that the last run has left."""
        self._run[:], self._count[:] = self._fresh
        self.control[:], self.count[:] = 0.0, 0

    def begun(self) -> tuple[np.ndarray, np.ndarray]:
        """All that a run begins with, once it is written, to begin with the same again."""
        return self._run.copy(), self._count.copy()

    def begin_again(self, begun: tuple[np.ndarray, np.ndarray]) -> None:
        """Forget all that the last run has left; begin with what a run of this drive began with."""
        self._run[:], self._count[:] = begun

    def watched(self) -> Block:
        """What is watched, as it is now: floats and integers, and where they stand."""
        first = int(self._count[at_run.WATCH])
        if not first:
            return Block()
        begin = int(self._count[first + of.F_WATCH])
        return Block(begin, self._run[begin:].copy(), first, self._count[first:].copy())

    def adopt_largest(self, other: Drive) -> None:
        """Go on with the largest size that every state of laws has had in a run that another one began."""
        ours, theirs = self._count[at_run.R_LARGEST], other._count[at_run.R_LARGEST]
        self._run[ours : ours + self.sizes.states] = other._run[theirs : theirs + self.sizes.states]

    def kept(self) -> tuple[np.ndarray, list[int], list[int]]:
        """All that goes on from step to step: floats, counts, and counts of the stepper."""
        own = kept_by(self.stepper, self._count)
        return self._run.copy(), self.count.tolist(), [int(self._count[place]) for place, _ in own.counts]

    def take_up(self, run: np.ndarray, count: list[int], counts: list[int]) -> None:
        """Have these as they were in a run that is taken up again, once this one has begun in the same way."""
        fits("numbers of a run", run, self._run.shape)
        given = np.array(count, dtype=INTEGERS)
        fits("counts of a run", given, self.count.shape, INTEGERS)
        said = [at_run.FIXED, at_run.PROJECT, at_run.ORDER, at_run.EACH_STEP, at_run.FOLLOW]
        own = kept_by(self.stepper, self._count)
        if not (given[said] == self.count[said]).all() or not own.fits(counts, self._count, run):
            raise DescriptionError(message("counts", "do not fit the run"))
        self._run[:], self.count[:] = run, given
        for (place, _), value in zip(own.counts, counts):
            self._count[place] = value

    def go_on_from(self, other: Drive) -> None:
        """Go on, with another stepper, from where another drive is in the same run."""
        if other.sizes != self.sizes:
            raise DescriptionError(message("drive", "does not fit the run"))
        self.control[:], self.count[:] = other.control, other.count
        for place, size in (
            (at_run.R_SLOPE, self.sizes.state),
            (at_run.R_LARGEST, self.sizes.states),
            (at_run.R_ACTED, self.sizes.along),
        ):
            here, there = int(self._count[place]), int(other._count[place])
            self._run[here : here + size] = other._run[there : there + size]
        self.count[at_run.BEGUN] = 1
        self.count[at_run.HITS] = self.count[at_run.MISSES] = 0


class Walk:
    """Numbers of a walk along the path of drivers: `control` may be written; masses of all bodies, ground first."""

    def __init__(self, door: Door, masses):
        from linkwork.kernels import path

        tab = door.tab
        wide = int(tab[at.DOF] * (tab[at.N_BODIES] + 1))
        fits("masses", masses, (wide,))
        self.door, self.kernel = door, path
        self.follow, self.hop = called(path.follow), called(path.hop)
        self.masses = masses.copy()
        self.control = np.zeros(at_path.C_SIZE)
        self.room = np.zeros(door.n_y + at_path.N_VECTORS * int(tab[at.N_V]) + wide + door.n_y)


@lru_cache(maxsize=64)
def _room_for(method, sizes: at_run.Sizes):
    """The loop, and what a run by this method begins with: made once for states of these sizes."""
    from linkwork.kernels.time import loop

    stepper = import_module(f"linkwork.kernels.time.{method.stepper}")
    tables = method.arrays
    stepper.check(tables, fits)
    addresses = [*pointers(), *map(address_of, (stepper.attempt, stepper.estimate, stepper.dense, stepper.stiff))]
    return loop, called(loop.advance), *at_run.made_room(stepper, addresses, sizes, tables)


def wants_softness(method) -> bool:
    """Whether the stepper of a method makes soft evaluations."""
    return getattr(import_module(f"linkwork.kernels.time.{method.stepper}"), "SOFT", False)


def wants_slopes(method) -> bool:
    """Whether the stepper of a method asks laws for their slopes."""
    return getattr(import_module(f"linkwork.kernels.time.{method.stepper}"), "SLOPES", False)


def _with_slopes(slopes, run: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The vectors of a run with the addresses of what tells slopes of laws, and room for them, behind them."""
    from linkwork.kernels.time import stages

    mark = [np.array([MARK]).view(np.float64)] if PLAIN else []
    addresses = np.array([0 if slot is None else slot.address for slot in slopes.slots], dtype=count.dtype)
    out = np.concatenate([count, addresses])
    out[[stages.SLOPE_TABLE, stages.R_TOLD]] = count.size, run.size
    return np.concatenate([run, np.zeros(2 * slopes.most), *mark]), out


def _with_softness(softened, run: np.ndarray, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The vectors of a run with the tables, numbers and workspace of soft evaluations behind them."""
    from linkwork.kernels.time import soft

    mark = [np.array([MARK]).view(np.float64)] if PLAIN else []
    forces = np.zeros(int(max(softened.tab[at.N_LINKS] + 1, softened.tab[at.N_ROWS])))
    floats, places = [run], []
    for part in (softened.p, forces, forces, softened.w):
        places.append(sum(one.size for one in floats))
        floats += [part, *mark]
    integers = [count, softened.tab, softened.targets, softened.spans.ravel()]
    out = np.concatenate(integers)
    first = np.cumsum([one.size for one in integers])
    out[[soft.SOFT_TABLE, soft.SOFT_TARGET, soft.SOFT_SPANS, soft.N_SPANS]] = *first[:3], len(softened.spans)
    out[[soft.R_SOFT_P, soft.R_MORE, soft.R_NOTHING, soft.R_SOFT_W]] = places
    return np.concatenate(floats), out


@cache
def _sweep():
    from linkwork.kernels.calls import sweep

    return called(sweep)


@cache
def _newton():
    from linkwork.kernels.closing import newton

    return called(newton)
