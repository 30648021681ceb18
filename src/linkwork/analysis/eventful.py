"""A run that watches something: events are recorded, or interrupt the motion, which then goes on from another state.

The kernel returns where something happens.  What is only recorded leaves no trace in the motion: the step that it is in
goes on.  What acts ends the step there; a segment of the result ends, its actions make another state of it
(`acting`), and the next segment begins: with other rows, laws or numbers where it must be.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.acting import perform
from linkwork.analysis.doors import able_to_move, unfolded
from linkwork.analysis.entering import entry
from linkwork.analysis.glance import Glance, Live
from linkwork.analysis.kinks import Kinks
from linkwork.analysis.quality import Balance, at_start, judge_segments, tell
from linkwork.analysis.run import CHOICE, Run
from linkwork.analysis.watches import UNTIL, events_of, finite, simple, turns_at, watch_of
from linkwork.compiled.asked_again import measure_failure
from linkwork.compiled.events import Measure
from linkwork.compiled.model import Model
from linkwork.compiled.variants import base_of, core_of, full_model, switches_of
from linkwork.coordinates.watching import Watched, Watching
from linkwork.errors import AnalysisError, LinkworkError, UserFunctionError, message
from linkwork.kernels import layout as at
from linkwork.kernels.time import places as at_run
from linkwork.kernels.time import watches as of
from linkwork.result.events import Mark
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.state import State

#: events in a row that come this soon after each other, against the time that passes in the run, happen for ever
ZENO, SOON = 40, 1e-9
MOST_KEPT = 16  # what kernels need beside a system, for plans that come again


class Eventful(Run):
    """A run with events."""

    eventful = True
    detail = 1.0

    def __init__(self, model: Model, coordinates: str, grid: np.ndarray, options: Any):
        super().__init__(model, coordinates, grid, options)
        self.events = events_of(model.mechanism, options.until, options.events)
        self._watching: dict[Any, Watching] = {}
        self._drives: dict[tuple[int, str], tuple[Any, Any, Watched]] = {}

    # -- a run ---------------------------------------------------------------------------------------------------------
    def begin(self, state, changed=None, kept=None) -> Run:
        """Make ready to go on from a state; whatever happened in the last run is forgotten."""
        self.grid = self.asked
        self.done: list[Segment] = []
        self.marks: list[Mark] = []
        self.steps_before = 0  # those of segments that are done
        self.fired = [0] * len(self.events)
        self.began_by: tuple[str, tuple[str, ...]] | None = None
        self.soon, self.last_event, self.ended = 0, -np.inf, ""
        self.glance: Any = None  # what a function that is watched is looking at
        self.border: Any = None  # the state that the segment begins with, where it is no output
        self.system, self._first = None, None  # what another run left is not looked at
        full = full_model(core_of(state.model))
        if state.model is not full and base_of(state.model) is not full:
            state, kept = unfolded(full, state), None
        super().begin(state, changed, kept)
        self.watched.begin(turns_at(state, self.watched.watching.turns), state.memory)
        self._come_alive()
        self.balance, self.usual_pivot = Balance(self.known.energy), self.known.pivot
        return self

    def _watches(self) -> Watching:
        """What is watched, in the numbers of the model; made once for each set of numbers."""
        key = id(base_of(self.model)), switches_of(self.model).numbers
        if key not in self._watching:
            duration = float(self.end - self.asked[0])
            watches = [watch_of(self.model, one, duration, self._reader) for one in self.events]
            own = any(callable(one.when) and not isinstance(one.when, Measure) for one in self.events)
            read = simple(self.model.mechanism, own) if any(one.python for one in watches) else ()
            self._watching[key] = Watching(self.model, watches, read)
            self.slots += [one.python for one in watches if one.python is not None]
        return self._watching[key]

    def _reader(self, when: Any) -> Any:
        """A function of time, state and memory that gives a name, or calls a function of the state."""

        def read(t: float, y: np.ndarray, memory: np.ndarray) -> float:
            seen = self.glance = Glance(self, t, y, memory)
            try:
                return finite(when(seen) if callable(when) else seen[when])
            finally:
                self.glance = None

        return read

    def state_at(self, t: float, y: np.ndarray, memory: np.ndarray, turns: Any) -> State:
        """The state at a look inside of a step; `turns` are the angles that were counted there."""
        own = self._segment(np.array([t]), np.concatenate([y, memory])[None, :])
        own.began = turns
        return own.state(0)

    def _come_alive(self) -> None:
        """Names are read in the workspace that the kernel goes on in."""
        unique = not (self.known.dropped or len(self.state.dependencies))
        self.live = Live(self.system, self.watched, self.known.modes, unique)

    def _new_drive(self) -> Any:
        """What the kernel needs beside the system, with what is watched; kept for plans that come again."""
        watching, plan = self._watches(), self.system.plan
        key = id(plan), self.method.name
        known = self._drives.get(key)
        if known is None or known[0] is not plan or known[2].watching is not watching:
            drive = self.system.drive(self.method, watching)
            if len(self._drives) >= MOST_KEPT:
                self._drives.pop(next(iter(self._drives)))
            known = self._drives[key] = plan, drive, Watched(drive, watching)
        known[1].begin()
        before, (_, drive, self.watched) = getattr(self, "watched", None), known
        if before is not None and before is not self.watched and (self.done or self.changing):
            self.watched.adopt(before)
        return drive

    # -- events --------------------------------------------------------------------------------------------------------
    def _happens(self) -> int:
        """Record, or act and go on: MORE, or DONE where the run is stopped."""
        fired = self.watched.fired
        for k in fired:
            self.fired[k] += 1
            if self.events[k].most == self.fired[k]:
                self.watched.rows[k, of.LEFT] = 0
        if not self.count[at_run.CUT]:
            t, y, memory = self.watched.event()
            self._mark(t, [self.events[k] for k in fired], np.concatenate([y, memory]))
            return self.kernel.MORE
        t = float(self.control[at_run.TIME])
        self._count_soon(t, fired)
        row = np.concatenate([self.y, self.system.memory])
        state = self._close(t, row)
        return self._act(t, state, row, [self.events[k] for k in fired])

    def _mark(self, t: float, events: list, row: np.ndarray) -> None:
        """Record events that do nothing."""
        for event in events:
            self.marks.append(Mark(t, event.name, len(self.done), row))

    def _cross(self) -> int:
        """Go on behind the next kink; at the end of the run, events that wait for its last time happen."""
        status = super()._cross()
        t = float(self.control[at_run.TIME])
        due = [k for k in range(len(self.events)) if self._waits_for(k, t)] if status == self.kernel.DONE else []
        if not due:
            return status
        for k in due:
            self.fired[k] += 1
        events, row = [self.events[k] for k in due], np.concatenate([self.y, self.system.memory])
        if not any(one.then for one in events):
            self._mark(t, events, row)
            return status
        if self.count[at_run.OUTPUT] and self.grid[self.count[at_run.OUTPUT] - 1] == t:
            self.count[at_run.OUTPUT] -= 1  # what is shown there is the state behind them
        return self._act(t, self._close(t, row), row, events, last=True)

    def _waits_for(self, k: int, t: float) -> bool:
        """Whether an event waits for the time that the run has come to, which passes although the run does not."""
        event, watch = self.events[k], self.watched.watching.watches[k]
        timed = watch.python is None and watch.terms == ((1.0, of.OF_TIME, None),)
        if not timed or watch.direction < 0 or t <= self.asked[0] or self.fired[k] == event.most:
            return False
        return abs(watch.level - t) <= 4.0 * np.spacing(max(abs(t), float(self.end - self.asked[0])))

    def _act(self, t: float, state: State, row: np.ndarray, events: list, last: bool = False) -> int:
        """Have events at one time act one after the other; `last` where the run ends there."""
        stops, first = False, True
        waiting: list[str] = []  # recorded, after something was done
        for event in events:
            if not event.then:
                if first:
                    self.marks.append(Mark(t, event.name, len(self.done) - 1, row))
                else:
                    waiting.append(event.name)
                continue
            if not first:  # a segment without length lies between two events at one time
                self._enter(state)
                row = self.border
                state = self._close(t, row)
                self.marks += [Mark(t, name, len(self.done) - 1, row) for name in waiting]
                waiting = []
            first = False
            try:
                done = perform(event, state, self.options.constraints != "projection")
                state = able_to_move(done.state)
            except LinkworkError as error:
                if getattr(error, "result", None) is None and hasattr(error, "result"):
                    error.result = self._partial("stopped")  # type: ignore[attr-defined]  # of an AnalysisError
                raise
            self.began_by = event.name, tuple(done.words)
            if done.stops:
                stops = True
                self.ended = f"stopped by {event.name} at t = {t:.9g} s" if event.name != UNTIL else ""
                break
        self._enter(state)
        self.marks += [Mark(t, name, len(self.done), self.border) for name in waiting]
        if stops or last:
            self.grid = np.array([t])
            self.states = self.border[None, :].copy()
            self.count[at_run.OUTPUT] = 1
            return self.kernel.DONE
        return self.kernel.MORE

    def _close(self, t: float, row: np.ndarray) -> State:
        """End the segment at an event; returns the state there."""
        reached = int(self.count[at_run.OUTPUT])
        self.done.append(self._whole_segment(reached, t, row))
        self.balance.add(self.system, self.done[-1].t, self.done[-1].raw)
        self.grid, self.steps_before = self.grid[reached:], int(self.count[at_run.STEPS])
        return self.done[-1].state(-1)

    def _enter(self, state: State) -> None:
        """Begin a segment with a state at an event."""
        system, control, count = self.system, self.control, self.count
        evaluations = float(system.w[at.EVALUATIONS])
        self.model, self.state = state.model, state
        self.made = state.model
        self.known = known = entry(state.model, self.coordinates, state)
        if known.system.plan is not system.plan:
            self.system, self.y = known.system.fresh(), known.y.copy()
            before, self.drive = self.drive, self._new_drive()
            self.control, self.count = self.drive.control, self.drive.count
            self.control[:], self.count[:] = control, count
            self.drive.adopt_largest(before)
        else:
            self.system.become(known.system)
            self.y[:] = known.y
        self._come_alive()
        self.system.note(at.DETAIL, self.detail)
        self.system.note(at.EVALUATIONS, evaluations)
        for place in (at.STABILISE_RATE, at.STABILISE_PLACE):
            self.system.note(place, float(system.w[place]))
        control, count = self.control, self.count
        control[at_run.FIRST_PIVOT] = known.pivot
        control[at_run.CHOICE_LIMIT] = CHOICE * known.pivot if known.dropped else 0.0
        count[at_run.PROJECT] = self._projects()
        count[at_run.OUTPUT] = count[at_run.INSIDE] = 0
        if self.each_step:
            self.grid = np.zeros(1)
        self._reserve(self.y.size + self.system.memory_size)
        self.border = np.concatenate([self.y, self.system.memory])
        self.kinks = Kinks(self.model, state.t, max(state.t, self.end))
        longest = control[at_run.LONGEST]
        self._begin_piece()
        control[at_run.LONGEST] = longest

    def _count_soon(self, t: float, fired: list[int]) -> None:
        """Whether events follow each other without end."""
        span = max(abs(t), float(self.end - self.asked[0]))
        self.soon = self.soon + 1 if t - self.last_event <= SOON * span else 0
        self.last_event = t
        if self.soon >= ZENO:
            names = ", ".join(f"'{self.events[k].name}'" for k in fired)
            raise AnalysisError(
                message(
                    f"Event {names}",
                    f"happens for ever: {self.soon} times within {SOON * self.soon * span:.1g} s at t = {t:.9g} s",
                    remedy="have it do something that ends it (lock what comes to rest), or give most=",
                ),
                result=self._partial("stopped"),
            )

    # -- what was reached ----------------------------------------------------------------------------------------------
    def _segment(self, t: np.ndarray, raw: np.ndarray, outputs: slice = slice(None)) -> Segment:
        began = self.state.turned
        if self.done and began is None:
            from linkwork.result.turns import Turned

            began = Turned(self.done[-1], -1)
        began = began if len(t) and t[0] == self.state.t else None
        return self._made_segment(t, raw, began=began, outputs=outputs, began_by=self.began_by)

    def _whole_segment(self, reached: int, end: float | None = None, row: np.ndarray | None = None) -> Segment:
        """The segment up to now, with the states at its borders, which are not among the times that it shows."""
        t, raw = self.grid[:reached], self.states[:reached]
        first = 0
        if self.border is not None and not (reached and t[0] == self.state.t):
            t, raw, first = np.concatenate([[self.state.t], t]), np.concatenate([self.border[None, :], raw]), 1
        if end is not None and row is not None:
            t, raw = np.concatenate([t, [end]]), np.concatenate([raw, row[None, :]])
        return self._segment(t, raw, slice(first, first + reached))

    def _result(self) -> Result:
        """What was reached, in segments."""
        reached = int(self.count[at_run.OUTPUT])
        segments = [*self.done]
        if reached or not segments:
            segments.append(self._whole_segment(reached))
        if len(segments) == 1:
            segments[0].outputs = slice(None)
        told = dict(self._told())
        if self.ended:
            told["ended"] = self.ended
        elif self.options.until is not None and not self._stopped():
            told["ended"] = f"until={self.options.until!r} was not reached up to t = {segments[-1].t[-1]:g} s"
        return Result(segments, self._statistics(), "motion", told, self.marks)

    def _stopped(self) -> bool:
        """Whether what was waited for has happened."""
        name = self.options.until if isinstance(self.options.until, str) else UNTIL
        own = [k for k, one in enumerate(self.events) if one.name in (name, UNTIL)]
        return any(self.fired[k] for k in own)

    def _look_over(self, result) -> None:
        """Say what is doubtful, of the segments together."""
        if len(result.segments) == 1:
            only = result.segments[0]  # times that were not reached, and room for steps, are not of the run
            self.grid, self.states = only.t, only.raw
            return super()._look_over(result)
        if int(self.count[at_run.OUTPUT]):
            last = result.segments[-1]
            self.balance.add(self.system, last.t, last.raw)
        rtol = None if self.method.fixed_step else self.options.rtol
        first = at_start(float(self.control[at_run.START_PIVOT]), self.usual_pivot, rtol)
        violation = float(self.control[at_run.WORST_VIOLATION])
        doubts = judge_segments(result.segments, self.balance, violation, first)
        doubts += self._jumps()
        if doubts:
            result.manifest["doubts"] = doubts
            tell(self.model.mechanism.name, doubts)

    def _failed_watch(self, result: Result) -> None:
        """Raise what a function that is watched has raised."""
        k = int(self.system.w[at.CULPRIT])
        event = self.events[k]
        slot = self.watched.watching.watches[k].python
        cause = slot.errors[0] if slot is not None and slot.errors else None
        when, text = f"at t = {self.system.w[at.TIME_FAILED]:.6g} s", ""
        failed = self.watched.failed(k) if slot is None else None
        if failed is not None:
            measure, seen, memory = failed
            raise measure_failure(measure, self.model.dimension, seen, memory, when, result)
        if cause is not None:
            text = f" ({type(cause).__name__}: {cause})"
        raise UserFunctionError(
            message(event.item, f"watches something that is no finite number {when}{text}"), result=result
        ) from cause
