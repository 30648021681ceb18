"""What a run watches, on its way into the vectors of the time loop, and what they tell of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.coordinates.door import Drive
from linkwork.coordinates.linking import kernels_of, linked_readings
from linkwork.kernels import layout as at
from linkwork.kernels.plain import MARK, PLAIN
from linkwork.kernels.sections import span_of
from linkwork.kernels.time import places as at_run
from linkwork.kernels.time import watches as of
from linkwork.records import dataclass

BOTH, RISING, FALLING = 0, 1, -1


@dataclass(frozen=True)
class Watch:
    """A function that is watched: a sum of terms less a level.

    A term is a weight, a kind (`kernels.time.watches`), and a simple measure, or a place of the workspace.
    `python` is a slot whose function gives the value instead.
    """

    terms: tuple[tuple[float, int, Any], ...] = ()
    level: float = 0.0
    direction: int = BOTH
    acts: bool = False
    left: int = -1  # how often it may fire; below 0 for ever
    size: float = 0.0  # what counts as much
    python: Any = None

    @property
    def rated(self) -> bool:
        """Whether its rate is known as well as its value."""
        return self.python is None and all(kind in (of.OF_VALUE, of.OF_RATE, of.OF_TIME) for _, kind, _ in self.terms)


class Watching:
    """All that one run watches, in the order in which events at one time are told."""

    def __init__(self, model: Any, watches: Sequence[Watch], counted: Sequence[Any] = ()):
        """`counted` are further measures, angles whose full turns Python functions want to know."""
        self.model, self.watches = model, tuple(watches)
        measured = (one for watch in watches for _, kind, one in watch.terms if kind <= of.OF_SECOND)
        self.measures = tuple(dict.fromkeys([*measured, *counted]))
        self.readings = model.readings(self.measures)
        span, shape = span_of(at.T_MEASURE, self.readings.tab)
        slots = self.readings.tab[span].reshape(shape)[:, at.MEASURE_SLOT].tolist()
        #: angles over full turns, and where they remember; in the plane bodies count turns, and what is added is kept
        self.turns = {one: slot for one, slot in zip(self.measures, slots, strict=True) if one.memory == "turns"}
        self.counted = [slot for one, slot in self.turns.items() if model.dimension == 3 or not one.is_turn]

    def addresses(self) -> tuple[int, int]:
        """Where the kernels are that begin to watch, and that search."""
        from linkwork.kernels.jit import address_of
        from linkwork.kernels.time import events

        return address_of(events.begin), address_of(events.search)

    def block(self, first_float: int, first_integer: int, n_state: int, n_memory: int):
        """What stands behind the other numbers of a run, and behind its counts."""
        from linkwork.kernels.jit import address_of

        table, readings = linked_readings(self.readings), self.readings
        turns = self.counted
        remembered = int(readings.tab[at.N_MEMORY])
        index = {one: k for k, one in enumerate(self.measures)}
        terms = [
            (weight, kind, index.get(one, 0) if kind <= of.OF_SECOND else int(one or 0))
            for watch in self.watches
            for weight, kind, one in watch.terms
        ]
        edges = np.cumsum([0, *(len(watch.terms) for watch in self.watches)]).tolist()
        rows = [
            (
                first,
                last,
                watch.direction,
                int(watch.acts),
                watch.left,
                int(watch.rated),
                watch.python.address if watch.python else 0,
                0,
                0,
                0,
            )
            for watch, first, last in zip(self.watches, edges, edges[1:], strict=False)
        ]
        numbers = np.zeros((len(self.watches), of.NUMBERS))
        numbers[:, of.LEVEL] = [watch.level for watch in self.watches]
        numbers[:, of.SIZE] = [watch.size for watch in self.watches]
        header = np.zeros(of.HEADER, dtype=np.int64)
        integers, floats = _Parts(first_integer, np.int64), _Parts(first_float, np.float64)
        integers.put(header)
        header[[of.N_WATCHED, of.N_BODIES, of.N_TURNS, of.N_REMEMBERED]] = (
            len(rows),
            1 + len(readings.bodies),
            len(turns),
            remembered,
        )
        header[of.A_MEASURES] = address_of(kernels_of(self.model.dimension, "watched").measures)
        for place, part in (
            (of.I_BODY, [0, *(body + 1 for body in readings.bodies)]),
            (of.I_TURN, turns),
            (of.I_WATCH, rows),
            (of.I_TERM, [(kind, one) for _, kind, one in terms]),
            (of.I_TABLE, table),
        ):
            header[place] = integers.put(part)
        for place, numbers_ in (
            (of.F_WATCH, numbers),
            (of.F_WEIGHT, [weight for weight, *_ in terms]),
            (of.F_NUMBERS, readings.parameters),
            (of.F_WORK, readings.workspace),
            (of.F_REMEMBERED, np.zeros(3 * remembered)),
            (of.F_REST, np.zeros(2)),
            (of.F_PIECE, np.zeros(of.PIECE * of.MOST_PIECES + 1)),
            (of.F_EVENT, np.zeros(n_state)),
            (of.F_MEMORY, np.zeros(n_memory)),
        ):
            header[place] = floats.put(numbers_)
        return floats.joined(), integers.joined(header)


class _Parts:
    """Parts of a vector on their way into it; where kernels are plain, none may touch what is behind its own."""

    def __init__(self, first: int, kind: Any):
        self.end, self.kind = first, kind
        self.parts: list[np.ndarray] = []

    def put(self, numbers: Any) -> int:
        """Where they begin."""
        values, first = np.array(numbers, dtype=self.kind).ravel(), self.end
        mark = np.array([MARK] if PLAIN else [], dtype=np.int64).view(self.kind)
        self.parts += [values, mark]
        self.end += values.size + mark.size
        return first

    def joined(self, header: np.ndarray | None = None) -> np.ndarray:
        """The vector; with the header as it is now in its first part."""
        if header is not None:
            self.parts[0] = header
        return np.concatenate(self.parts)


#: columns of what is watched that go on from step to step, and what may stand there
COUNTED = {of.LEFT: range(-1, 1 << 60), of.SIDE: range(-1, 2), of.SCAN: range(-1, 2), of.FIRED: range(2)}


class Kept:
    """Values of measures at one look, by `get`: turns of a state that is read later."""

    def __init__(self, index: Mapping[Any, int], values: np.ndarray):
        self._index, self._values = index, values

    def get(self, measure: Any) -> float | None:
        """The value over full turns; None for a measure that was not read."""
        k = self._index.get(measure)
        return None if k is None else float(self._values[k])


class Watched:
    """What the vectors of a run say of its events."""

    def __init__(self, drive: Drive, watching: Watching):
        self.watching = watching
        run, count = drive._run, drive._count
        self._drive, header = drive, count[count[at_run.WATCH] :]

        def view(vector, place, size):
            return vector[header[place] : header[place] + size]

        rows = len(watching.watches)
        self.header = header[: of.HEADER]
        self.rows = view(count, of.I_WATCH, rows * of.COLUMNS).reshape(rows, of.COLUMNS)
        self.numbers = view(run, of.F_WATCH, rows * of.NUMBERS).reshape(rows, of.NUMBERS)
        self._remembered = view(run, of.F_REMEMBERED, 3 * int(header[of.N_REMEMBERED]))
        self._rest = view(run, of.F_REST, 2)
        #: values and rates of the measures where the motion was looked at last; angles count full turns
        self.values, self.rates = (
            run[first : first + len(watching.measures)]
            for key in (at.W_VALUE, at.W_RATE)
            for first in [header[of.F_WORK] + watching.readings.tab[key]]
        )
        work = header[of.F_WORK]
        self._work = run[work : work + watching.readings.workspace.size]
        self._index = {one: k for k, one in enumerate(watching.measures)}
        self._state = view(run, of.F_EVENT, drive.sizes.state)
        self._memory = view(run, of.F_MEMORY, drive.sizes.memory)

    def begin(self, turns: Mapping[Any, tuple[float, float]], memory: np.ndarray) -> None:
        """Forget what was seen.

        `turns` are the values over full turns with which measures begin, and the values without; other memory is that
        of a state of the model.
        """
        self.rows[:, [of.SIDE, of.SCAN, of.FIRED]] = 0
        self.rows[:, of.LEFT] = [watch.left for watch in self.watching.watches]
        self.numbers[:, of.SEEN] = 0.0
        self._rest[:] = 0.0
        self.header[of.LOOKS] = 0
        columns = self.watching.readings.columns
        n_y = self.watching.model.n_y
        own = columns[columns.size - self._remembered.size // 3 :]
        for i, column in enumerate(own):
            self._remembered[i] = memory[column - n_y] if column >= 0 else 0.0
        for one, slot in self.watching.turns.items():
            value, bare = turns[one]
            self._remembered[slot] = value if slot in self.watching.counted else value - bare

    def adopt(self, other: Watched) -> None:
        """Go on from what another one of the same functions has seen."""
        self.rows[:], self.numbers[:] = other.rows, other.numbers
        self._remembered[:], self._rest[:] = other._remembered, other._rest
        self.header[of.LOOKS] = other.header[of.LOOKS]

    def counted_so_far(self) -> dict[str, list[int]]:
        """What goes on from step to step and is no float."""
        return {"looks": [int(self.header[of.LOOKS])], **{str(one): self.rows[:, one].tolist() for one in COUNTED}}

    def take_up(self, kept: Mapping[str, list[int]]) -> None:
        """Have these as they were in a run that is taken up again; a file may say anything, so they are looked at."""
        if set(kept) != {"looks", *map(str, COUNTED)}:
            raise ValueError("seen")
        for span, values, size in (
            (range(1 << 60), kept["looks"], 1),
            *((span, kept[str(one)], len(self.rows)) for one, span in COUNTED.items()),
        ):
            if len(values) != size or not all(type(value) is int and value in span for value in values):
                raise ValueError("seen")
        self.header[of.LOOKS] = kept["looks"][0]
        for one in COUNTED:
            self.rows[:, one] = kept[str(one)]

    def get(self, measure: Any) -> float | None:
        """The value of a measure where the motion was looked at last, over full turns; None for one that is not read.

        This way, the turns of a state can be asked for.
        """
        index = self._index.get(measure)
        return None if index is None else float(self.values[index])

    def failed(self, k: int) -> tuple[Any, np.ndarray, np.ndarray] | None:
        """Of the k-th function that is watched: a measure whose function gave numbers that are not finite, what that
        was told and its memory; None where there is none.
        """
        readings, own = self.watching.readings, {one for *_, one in self.watching.watches[k].terms}
        span, shape = span_of(at.T_MEASURE, readings.tab)
        for one, entry in zip(readings.measures, readings.tab[span].reshape(shape), strict=True):
            if entry[at.MEASURE_CODE] == at.OWN and one in own:
                first = readings.tab[at.W_PAIR] + entry[at.MEASURE_PAIR]
                told = self._work[first:][: at.PAIR_SCRATCH[readings.dimension][at.MOTION]]
                failed, *seen = told[-1 - at.TOLD[readings.dimension] :]
                if failed:
                    memory = self._work[readings.tab[at.W_MEMORY] + entry[at.MEASURE_SLOT] :]
                    return one, np.array(seen), memory[: entry[at.MEASURE_N_MEMORY]].copy()
        return None

    def place(self, measure: Any) -> int | None:
        """Where a simple measure is among `values` and `rates`; None for one that is not read."""
        return self._index.get(measure)

    def kept(self) -> Kept:
        """The values as they are now."""
        return Kept(self._index, self.values.copy())

    @property
    def fired(self) -> list[int]:
        """Which of the functions fired, in their order."""
        return np.flatnonzero(self.rows[:, of.FIRED]).tolist()

    def event(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Time, state and memory of an event that does not interrupt the motion."""
        return float(self._drive.control[at_run.EVENT_TIME]), self._state.copy(), self._memory.copy()

    @property
    def looks(self) -> int:
        """Evaluations inside of steps so far."""
        return int(self.header[of.LOOKS])
