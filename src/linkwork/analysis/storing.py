"""Runs whose outputs go to a folder while they run, and which can be taken up again where they were.

Outputs are written into a window of the output times; every now and then what is in it becomes a part of the folder,
and the inner state of the run is written beside it.  That is all that goes on from step to step: the state, what the
loop and the stepper keep, the workspace with memory and rows that are dropped, what is watched, and what events have
done.  How a run is cut into slices and parts has no part in its numbers.

A window is never quite full: a slice that would fill it is done again with fewer tries, from where it began.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

import numpy as np

from linkwork.analysis.eventful import Eventful
from linkwork.analysis.inner_state import InnerState
from linkwork.analysis.pieces import Past, span
from linkwork.analysis.quality import at_start, tell
from linkwork.analysis.run import Run
from linkwork.kernels.time import places as at_run
from linkwork.result.in_parts import Before, Reading
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.state import State
from linkwork.result.stored import arrays_of, words_of

PART_BYTES = 4 << 20  # of states, after which a part is written
FEWEST = 64  # outputs of a window
#: places in a part whose states are kept; unevenly, for moments of rest may come evenly
SHARES = (0.09, 0.236, 0.382, 0.618, 0.854, 1.0)
MOST_SAMPLES = 32  # states that are kept to look the run over at its end
USUAL = 60.0  # seconds between two writes


class Storing(InnerState):
    """What runs into a folder have in common, before `Run` or `Eventful`."""

    stored = True
    folder: Any
    all_times: Any  # of the outputs
    done: Any
    seconds: float = USUAL

    def __init__(self, model: Any, coordinates: str, grid: Any, options: Any):
        self.all_times = grid
        super().__init__(model, coordinates, grid, options)

    def begin(self, state: Any, changed: Any = None, kept: Any = None) -> Self:
        """Make ready to go on from a state."""
        self.times = self.all_times
        self.put_out = self.carried = self.crossed = 0  # outputs before the window; rows of it that were put out
        self.goes_on, self.safe = False, False
        self.waiting: list[Segment] = []
        self.samples: list[tuple[float, np.ndarray]] = []
        super().begin(state, changed, kept)
        self.most_outputs = 1 << 60
        self.done, self.marks, self.steps_before = Past(), [], 0
        self.reading = Reading(self.model, self.folder.parts)
        return self

    def _reserve(self, numbers: int) -> None:
        """A window for the next outputs."""
        self.crossed = 0
        wide = max(numbers, self.model.n_y + self.model.n_memory)  # as it is written
        self.window = max(FEWEST, 2 * PART_BYTES // (8 * max(1, wide)))
        if not self.each_step:
            self.grid = self.times[self.put_out : self.put_out + self.window]
        self.states = np.zeros((self.grid.size, numbers))

    # -- slices --------------------------------------------------------------------------------------------------------
    def _advance(self) -> int:
        """One slice that leaves room in the window; what is in it is put out when it is time to."""
        if self.safe and self._due():
            self._write()
        elif self._due():  # behind an event, say: one step leads on
            self.count[at_run.SLICE] = 1
        if self.each_step:
            self._make_room(int(self.count[at_run.SLICE]))
        self.safe = False
        while True:
            before = None if self.each_step else self._inner()
            status = super()._advance()
            if before is None or not self._full():
                break
            self._restore(before)
            if self.count[at_run.SLICE] > 1:
                self.count[at_run.SLICE] = max(1, self.count[at_run.SLICE] // 4)
            else:
                self._widen()
        self.safe = status == self.kernel.MORE and self._between_steps()
        return status

    def _between_steps(self) -> bool:
        """Whether the run is where it can be taken up again."""
        return self.count[at_run.STARTED] == 1 and self.count[at_run.INSIDE] == 0 and self.dead_end is None

    def _change_method(self) -> None:
        """Go on with the other method; a limit may end the run right here."""
        super()._change_method()
        self.safe = self._between_steps()

    def _due(self) -> bool:
        rows = sum(len(one.t) for one in self.waiting) + int(self.count[at_run.OUTPUT])
        return 2 * rows > self.window or time.perf_counter() - self.written >= self.seconds

    def _full(self) -> bool:
        """Whether outputs may have been lost: there are more to come, and no room is left."""
        return self._more() and int(self.count[at_run.OUTPUT]) == self.grid.size

    def _widen(self) -> None:
        self.window *= 2
        more = self.times[self.put_out + self.grid.size - self.carried :][: self.window]
        self.grid = np.concatenate([self.grid, more])
        self.states = np.concatenate([self.states, np.zeros((more.size, self.states.shape[1]))])

    def _look_ahead(self) -> int:
        """Steps lead towards a dead centre: outputs before it must be in the window."""
        status = super()._look_ahead()
        while self.dead_end is not None and not self.each_step and self._more() and self.grid[-1] < self.dead_end:
            self._widen()
            before = self.grid[self.grid < self.dead_end]
            if before[-1] > self.control[at_run.TIME]:
                self.control[at_run.END], status = before[-1], self.kernel.MORE
        return status

    def _more(self) -> bool:
        return self.put_out + self.grid.size - self.carried < len(self.times)

    def _cross(self) -> int:
        """Go on behind the next kink."""
        before = self.kinks.begin
        status = super()._cross()
        self.crossed += int(self.kinks.begin != before)
        return status

    # -- segments ------------------------------------------------------------------------------------------------------
    def _whole_segment(self, reached: int, end: float | None = None, row: np.ndarray | None = None) -> Segment:
        """The segment since it was put out last."""
        found = super()._whole_segment(reached, end, row)
        if not self.goes_on:
            return found
        return replace(
            found,
            began=Before(self.reading, len(self.folder.parts)),
            began_by=None,
            goes_on=True,
            outputs=slice(1, reached),
        )

    def _close(self, t: float, row: np.ndarray) -> State:
        """End the segment at an event."""
        reached = int(self.count[at_run.OUTPUT])
        state = super()._close(t, row)
        self.waiting.append(self.done[-1])
        self.put_out += reached - self.carried
        self.carried, self.goes_on = 0, False
        self.samples = []  # of one segment only
        return state

    # -- into the folder -----------------------------------------------------------------------------------------------
    def _write(self, how: str = "running", told: Mapping[str, Any] | None = None) -> None:
        """Put out what there is, and write how far the run has come."""
        reached = int(self.count[at_run.OUTPUT])
        if self.waiting or reached > self.carried:
            self._put_part(reached)
        self._write_reached(how, dict(told or {}))
        self.written = time.perf_counter()

    def _put_part(self, reached: int) -> None:
        piece = self._whole_segment(reached)
        pieces = [*self.waiting, piece] if len(piece.t) else self.waiting
        first = len(self.done) - len(self.waiting)
        goes_on = pieces[0].goes_on
        if reached > self.carried:
            for share in SHARES:
                k = int(share * (reached - 1))
                self._sample(float(self.grid[k]), self.states[k].copy())
        spans = [span(one) for one in pieces]
        marks = [(one, one.segment - first) for one in self.marks if one.segment - first < len(pieces)]
        states = [(one.name, k, replace(one, segment=k).state(pieces)) for one, k in marks]
        wide = self.model.n_y + self.model.n_memory
        rows = [np.concatenate([[one.t], one.y, one.memory]) for *_, one in states]
        written = pieces
        if goes_on:  # it begins with the state that the part before ends with
            last = pieces[0].outputs.stop
            written = [replace(pieces[0], outputs=slice(0, last), began=None), *pieces[1:]]
        words = {**words_of(written), "goes_on": goes_on, "spans": spans, "marks": [[name, k] for name, k, _ in states]}
        self.folder.add_part(words, {**arrays_of(written), "marks": np.array(rows).reshape(-1, 1 + wide)})
        if len(piece.t):
            if self.eventful:
                # not in the workspace of the run: memory is that of its last step, not of the last output
                self.balance.add(self.system.fresh(), piece.t, piece.raw)
            self.done.append(piece)
            self._open_window(float(piece.t[-1]), piece, reached)
        self.marks = [one for one in self.marks if one.segment - first >= len(pieces)]
        self.waiting = []

    def _open_window(self, t: float, piece: Segment, reached: int) -> None:
        """The next window; it begins with the state that was put out last."""
        assert piece.raw is not None
        row, numbers = piece.raw[-1].copy(), self.states.shape[1]
        self.put_out += reached - self.carried
        self.carried, self.goes_on, self.border = 1, True, None
        self.began_by, self.steps_before = None, int(self.count[at_run.STEPS])
        more = np.zeros(0) if self.each_step else self.times[self.put_out : self.put_out + self.window]
        self.grid = np.concatenate([[t], more])
        self.states = np.zeros((self.grid.size, numbers))
        self.states[0] = row
        self.count[at_run.OUTPUT] = 1

    def _sample(self, t: float, row: np.ndarray) -> None:
        if not self.samples and self.put_out:
            return
        if not self.samples:
            self.samples.append((float(self.grid[0]), self.states[0].copy()))
        if t > self.samples[-1][0]:
            self.samples.append((t, row))
        if len(self.samples) > MOST_SAMPLES:
            self.samples = [self.samples[0], *self.samples[2::2]]

    # -- out of it -----------------------------------------------------------------------------------------------------
    def go(self, progress: Any) -> Result:
        """Run to the end."""
        self.written = time.perf_counter()
        try:
            if not self.folder.parts and not self.count[at_run.STEPS]:
                self.began = self.written
                self._write_reached("running", {})
            return super().go(progress)
        finally:
            self.folder.unlock()

    def _result(self) -> Any:
        """What was reached, from the folder."""
        if self.status == self.kernel.DONE:
            self._write("done", self._words_at_end())
        elif self.status == self.kernel.FAILED:
            t = self.control[at_run.TIME] if self.dead_end is None else self.dead_end
            self._write("failed", {"ended": f"failed at t = {t:.6g} s"})
        elif self.safe:
            self._write()
        return self.folder.result() if self.folder.parts else super()._result()

    def _partial(self, stopped: str) -> Any:
        """What was reached; the folder says how far it is, and how to go on."""
        return self._result()

    def _words_at_end(self) -> dict[str, Any]:
        if self.eventful and self.ended:
            return {"ended": self.ended}
        if self.eventful and self.options.until is not None and not self._stopped():
            return {"ended": f"until={self.options.until!r} was not reached up to t = {self.end:g} s"}
        return {"ended": ""}

    def _look_over(self, result: Any) -> None:
        """Say what is doubtful, and keep it with the result."""
        if any(not one.goes_on for one in result.segments[1:]):
            rtol = None if self.method.fixed_step else self.options.rtol
            first = at_start(float(self.control[at_run.START_PIVOT]), self.usual_pivot, rtol)
            if doubts := [*first, *self.balance.doubts(), *self._jumps()]:
                result.manifest["doubts"] = doubts
                tell(self.model.mechanism.name, doubts)
                self._write_reached("done", self._words_at_end() | {"doubts": doubts})
            return
        if not self.samples:
            return
        self.grid = np.array([t for t, _ in self.samples])
        self.states = np.array([row for _, row in self.samples])
        # this class is mixed into runs (`StoredRun`, `StoredEventful`), which mypy does not see here
        Run._look_over(self, result)  # type: ignore[arg-type]
        if result.doubts:
            self._write_reached("done", self._words_at_end() | {"doubts": list(result.doubts)})


class StoredRun(Storing, Run):
    """A run into a folder."""


class StoredEventful(Storing, Eventful):
    """A run with events into a folder."""
