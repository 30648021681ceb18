"""Many designs of one structure: tables alike, numbers of their own; evaluated, closed and run in one call each.

As `Door` for one of them: behind it are bare pointers, so every size is looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock
from typing import Any

import numpy as np

from linkwork.coordinates.door import INTEGERS, Drive, fits
from linkwork.coordinates.helpers import Helpers
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.kernels.jit import address_of, called, place_of
from linkwork.kernels.sections import span_of
from linkwork.kernels.time import places as at_run

MOST_TRIES = 20_000  # at steps of one design: what takes longer is somebody else's, who shows how far it is
PER_CALL = 300_000  # tries at a step of a state of one number, between two looks whether somebody stopped it


class Many:
    """Linked tables with the numbers of many designs, and a workspace that each of them begins with.

    `numbers` (designs, size of p) and `first` (size of w) may be written.
    """

    def __init__(self, tab: np.ndarray, numbers: np.ndarray, workspace: np.ndarray):
        self.tab, self.numbers, self.first = tab, np.ascontiguousarray(numbers), workspace.copy()
        self.count = len(self.numbers)
        self.n_y = int(tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES])
        self.n_memory = int(tab[at.N_MEMORY])
        self.w, self.f = workspace.copy(), np.zeros(self.n_y)
        self.first[[at.STATUS, at.DETAIL]] = at.OK, 1.0

    def of(self, some: np.ndarray) -> Many:
        """The same of some of the designs."""
        return self if len(some) == self.count else Many(self.tab, self.numbers[some], self.first)

    def section(self, key: int) -> np.ndarray:
        """A section of all numbers (designs, ...), or of the workspace that they begin with; may be written."""
        span, shape = span_of(key, self.tab)
        if key >= at.W_POSE:
            return self.first[span].reshape(shape)
        return self.numbers[:, span].reshape(self.count, *shape)

    def places(self, key: int) -> np.ndarray:
        """Where the numbers of a section are in their vector, in its shape."""
        span, shape = span_of(key, self.tab)
        return np.arange(span.start, span.stop).reshape(shape)

    def _numbers(self) -> tuple[Any, ...]:
        fits("numbers", self.numbers, (self.count, self.numbers.shape[1]))
        return (*(self.numbers.shape[1], place_of(self.numbers)), *(self.first.size, place_of(self.first)))

    def _looked(self, picks: np.ndarray) -> np.ndarray:
        fits("places of the workspace", picks, (np.size(picks),), INTEGERS)
        if picks.size and not (picks.min() >= 0 and picks.max() < self.w.size):
            raise DescriptionError(message("places of the workspace", "lie outside of it", repr(picks)))
        return picks

    def evaluated(self, address: int, times: np.ndarray, states: np.ndarray, picks: np.ndarray) -> np.ndarray:
        """Chosen places of the workspace (designs, times, picks) at states (designs, times, state and memory)."""
        return self._evaluate(address, times, states, picks, 0)[0]

    def located(self, times: np.ndarray, states: np.ndarray, picks: np.ndarray) -> np.ndarray:
        """The same by what positions and speeds give alone."""
        return self._evaluate(int(self.tab[at.A_LOCATE]), times, states, picks, 0)[0]

    def sections_at(self, t: float, states: np.ndarray, *keys: int) -> list[np.ndarray]:
        """Sections of the workspace (designs, ...) where states (designs, state and memory) are located."""
        places = [self.places(key) for key in keys]
        picks = np.concatenate([one.ravel() for one in places])
        found = self.located(np.array([t]), states[:, None].copy(), picks)[:, 0]
        ends = np.cumsum([one.size for one in places])[:-1]
        parts = np.split(found, ends, axis=1)
        return [part.reshape(self.count, *one.shape) for part, one in zip(parts, places)]

    def energies(self, times: np.ndarray, states: np.ndarray, picks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Kinetic energy, potential of the weights and work (designs, times, 3), and chosen places."""
        return self._evaluate(int(self.tab[at.A_LOCATE]), times, states, picks, 3)[::-1]

    def _evaluate(
        self, address: int, times: Any, states: Any, picks: Any, energies: int
    ) -> tuple[np.ndarray, np.ndarray]:
        count = len(times)
        fits("times", times, (count,))
        fits("states", states, (self.count, count, self.n_y + self.n_memory))
        picked = np.empty((self.count, count, self._looked(picks).size))
        kept = np.empty((self.count, count, energies))
        _kernel("evaluate")(
            *(_address("sweep"), address, self.count, *self._numbers(), self.n_y),
            *(count, place_of(times), place_of(states), *self._rest()),
            *(picks.size, place_of(picks), place_of(picked), energies, place_of(kept)),
        )
        return picked, kept

    def _rest(self) -> tuple[Any, ...]:
        return place_of(self.tab), place_of(self.w), place_of(self.f)

    def close(self, t: float, states: np.ndarray) -> np.ndarray:
        """Move states (designs, state and memory) to where held rows are met; returns the errors that are left."""
        fits("states", states, (self.count, self.n_y + self.n_memory))
        errors = np.empty(self.count)
        _kernel("close")(
            *(_address("newton"), self.count, t, *self._numbers(), self.n_y),
            *(place_of(states), *self._rest(), place_of(errors)),
        )
        return errors

    def solved(self, t: float, states: np.ndarray, right: np.ndarray, picks: np.ndarray) -> np.ndarray:
        """The smallest steps with J step = right (designs, rows), at states: chosen places of the workspace."""
        fits("states", states, (self.count, self.n_y + self.n_memory))
        fits("right sides", right, (self.count, int(self.tab[at.N_ROWS])))
        picked = np.empty((self.count, self._looked(picks).size))
        _kernel("solve")(
            *(self.count, t, *self._numbers(), self.n_y, place_of(states), *self._rest()),
            *(place_of(right), picks.size, place_of(picks), place_of(picked)),
        )
        return picked

    def run(
        self,
        states: np.ndarray,
        scales: np.ndarray,
        drives: Callable[[], Drive],
        begun: tuple[np.ndarray, np.ndarray],
        times: np.ndarray,
        most: int | None = None,
        stopped: Callable[[], bool] | None = None,
        pieces: Sequence[tuple[float, float]] = (),
        watched: np.ndarray | None = None,
        room: list[np.ndarray] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Run all designs from their states: outputs (designs, times, state and memory), what is told of each, and
        states (designs, state and memory) at the events that ended them.

        `scales` (designs, 3) are first pivot, energy and length; `drives` makes a drive, `begun` what it begins with.
        What is told is that of `kernels.designs`.  `pieces` are first and last times of the parts that a run consists
        of, where functions of time break it.  `watched` (designs, ...) are floats of what drives watch.  Where it is
        stopped, designs that were not run are told as MORE.  Where `stopped` are `Helpers`, they are offered a share.
        Outputs are written to what `room` has, if it is large enough: whoever has read them puts it there again.
        """
        parts = np.array(pieces, dtype=float).reshape(-1, 2)
        size = (self.count, len(times), self.n_y + self.n_memory)
        runs = _Runs(self, states, scales, begun, times, parts, watched, most, stopped, _room(size, room))
        drive = drives()
        runs.check(drive)
        if isinstance(stopped, Helpers) and self.count > 1:
            with stopped.offered(lambda: runs.work(drives())):
                runs.work(drive)
        else:
            runs.work(drive)
        return runs.written, runs.told, runs.ends


class _Runs:
    """Time loops of many designs, for one thread or for several at once: each takes some, until none is left."""

    def __init__(
        self,
        many: Many,
        states: np.ndarray,
        scales: np.ndarray,
        begun: tuple[np.ndarray, np.ndarray],
        times: np.ndarray,
        pieces: np.ndarray,
        watched: np.ndarray | None,
        most: int | None,
        stopped: Callable[[], bool] | None,
        written: np.ndarray,
    ):
        from linkwork.kernels import designs as of
        from linkwork.kernels.time.loop import MORE

        self.many, self.states, self.scales, self.times = many, states, scales, times
        self.pieces, self.stopped = pieces, stopped
        self.floats = np.zeros((many.count, 0)) if watched is None else watched
        width = many.n_y + many.n_memory
        fits("numbers", many.numbers, (many.count, many.numbers.shape[1]))
        fits("states", states, (many.count, width))
        fits("scales", scales, (many.count, 3))
        fits("output times", times, (len(times),))
        self.control, self.counted = begun[0].copy(), begun[1].copy()
        fits("numbers of a run", self.control, (at_run.C_FLOATS,))
        fits("counts of a run", self.counted, (at_run.C_INTEGERS,), INTEGERS)
        if self.counted[at_run.OUTPUT] or self.counted[at_run.EACH_STEP] or self.counted[at_run.RETRY] < 0:
            raise DescriptionError(message("counts", "do not fit the run", repr(self.counted)))
        self.limit = MOST_TRIES if most is None else min(most, MOST_TRIES)
        self.counted[at_run.SLICE] = max(50, min(self.limit, PER_CALL // max(1, many.n_y)))
        fits("outputs", written, (many.count, len(times), width))
        self.written = written
        self.told = np.full((many.count, of.C_TOLD), float(MORE))
        self.ends = np.full((many.count, width), np.nan)
        self.first = many.first.copy()  # what each begins with; here it is told what the drive watches
        self.first[[at.DETAIL, at.EVALUATIONS]] = float(watched is not None), 0.0
        self.shares = stopped.threads if isinstance(stopped, Helpers) else 1
        self._next, self._lock = 0, Lock()

    def check(self, drive: Drive) -> None:
        """Refuse a drive that does not fit; all are alike."""
        if (drive.sizes.state, drive.sizes.memory) != (self.many.n_y, self.many.n_memory):
            raise DescriptionError(message("drive", "does not fit the model"))
        fits("numbers of what is watched", self.floats, (self.many.count, drive.watched().floats.size))

    def _take(self) -> slice:
        """The next designs: all that are left, or one part of them for each thread that may take some."""
        with self._lock:
            left = self.many.count - self._next
            size = -(-left // self.shares)
            self._next += size
            return slice(self._next - size, self._next)

    def work(self, drive: Drive) -> None:
        """Run designs until none is left, or it is stopped."""
        while (some := self._take()).stop > some.start:
            self._follow(some, drive)
            if self.stopped is not None and self.stopped():
                return

    def _follow(self, some: slice, drive: Drive) -> None:
        """Run some of the designs."""
        from linkwork.kernels import designs as of

        many, block, count = self.many, drive.watched(), some.stop - some.start
        numbers, states, scales, floats = many.numbers[some], self.states[some], self.scales[some], self.floats[some]
        written, told, ends = self.written[some], self.told[some], self.ends[some]
        cursor, w, y = np.zeros(of.C_CURSOR, dtype=INTEGERS), self.first.copy(), many.f.copy()
        given = (
            *(_address("advance"), count, numbers.shape[1], place_of(numbers), self.first.size, place_of(self.first)),
            *(many.n_y, drive.sizes.states, place_of(states), place_of(scales), place_of(many.tab), place_of(w)),
            *(*drive.places, place_of(self.control), place_of(self.counted), place_of(y)),
            *(int(self.counted[at_run.SLICE]), self.limit, len(self.times), place_of(self.times)),
            *(place_of(written), place_of(told), place_of(cursor), len(self.pieces), place_of(self.pieces)),
            *(block.floats.size, block.first_float, place_of(floats)),
            *(block.integers.size, block.first_integer, place_of(block.integers), place_of(ends)),
        )
        follow = _kernel("follow")
        while cursor[of.RUN] < count and not (self.stopped is not None and self.stopped()):
            follow(*given)


def _room(shape: tuple[int, ...], idle: list[np.ndarray] | None) -> np.ndarray:
    """An array to write to: fresh memory costs as much as what is written to it."""
    size = int(np.prod(shape))
    try:
        found = (idle or []).pop()
    except IndexError:
        found = np.empty(0)
    return (found if found.size >= size else np.empty(size))[:size].reshape(shape)


def added(rows: np.ndarray, terms: np.ndarray, count: int) -> np.ndarray:
    """Terms (designs, terms) added up by the rows that they belong to, in their order: (designs, count)."""
    places = (rows + count * np.arange(len(terms))[:, None]).ravel()
    return np.bincount(places, terms.ravel(), len(terms) * count).reshape(len(terms), count)


@cache
def _kernel(name: str) -> Any:
    from linkwork.kernels import designs

    return called(getattr(designs, name))


@cache
def _address(name: str) -> int:
    """Where the kernel of one design is that is called for each."""
    from linkwork.kernels.calls import sweep
    from linkwork.kernels.closing import newton
    from linkwork.kernels.time.loop import advance

    return address_of({"sweep": sweep, "newton": newton, "advance": advance}[name])
