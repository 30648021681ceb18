"""The time loop is one kernel, called in slices: what stands around it, from one state to a result."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from linkwork.analysis.chatter import Pace, told_jumps
from linkwork.analysis.common import raise_status
from linkwork.analysis.entering import along_joints, entry
from linkwork.analysis.integrators.method import Choosing
from linkwork.analysis.kinks import Kinks, strike
from linkwork.analysis.limits import TurnedStiff, raise_limit
from linkwork.analysis.outputs import most_outputs
from linkwork.analysis.progress import LEFT_ALONE, SILENT, Progress, hand_back, heeded
from linkwork.analysis.quality import judge, tell
from linkwork.analysis.rank import analyse
from linkwork.analysis.run_options import RunOptions, step_count
from linkwork.compiled.model import Model
from linkwork.kernels import layout as at
from linkwork.kernels.time import places as at_run
from linkwork.result.result import Result
from linkwork.result.segments import Segment
from linkwork.result.statistics import Statistics

SLICE_SECONDS = 0.1
#: tries at a step; how a run is cut into slices has no part in its numbers
FIRST_SLICE, LEAST_SLICE, LONGEST_SLICE = 200, 50, 10_000_000
CAREFUL = 10  # the same where a try may take long: a limit in seconds, or laws in Python
CHOICE = 0.1  # redundant rows are chosen anew where the smallest pivot has fallen below this part of its value
AHEAD = 3.0  # times what is left until a dead centre: so far positions are looked for
ZONE = 1e-2  # pivots below this part of their first value: stages are projected too


class Run:
    """Integrations of one model over the same times by the same method, one after the other: `begin`, then `go`."""

    eventful = False  # events may interrupt it
    stored = False  # its outputs go to a folder while it runs
    changing = False  # while another method takes over
    detail = 0.0  # 1 where the motion of all bodies is wanted of every evaluation
    leaves = False  # it may begin anew in other coordinates where it turns stiff
    anew = ""  # that it was
    abandoned: Statistics | None = None  # what it had taken until then
    first_jump: tuple[int, float] | None = None  # the first law that jumped, and when, where the kernel looks for more
    _jumps = told_jumps

    def __init__(self, model: Model, coordinates: str, grid: np.ndarray, options: RunOptions):
        self.model, self.coordinates, self.grid, self.options = model, coordinates, grid, options
        self.asked, self.step = grid, options.step
        self.end, self.each_step = grid[-1], options.every == "step"
        self.choosing = options.method if isinstance(options.method, Choosing) else None
        self.method = options.method.first if isinstance(options.method, Choosing) else options.method
        self.changes: list[str] = []  # of the method, where it is chosen while running
        self.most_steps, self.most_seconds = options.most_steps, options.most_seconds
        self.slots = [slot for slot in model.slots if not slot.compiled]
        self.careful = self.most_seconds is not None or bool(self.slots)
        self.system: Any = None
        self._drives: dict[Any, Any] = {}
        self._stiff: tuple[Any, Any] = None, None  # a plan, and the method that goes on where it turns stiff
        self._first: Any = None  # what the last state began with
        self.spent = 0.0  # seconds, before it was taken up again
        self.steps_before = 0  # those of segments that are done
        self.status: int | None = None  # how it ended
        self.manifest = options.manifest()

    def begin(self, state, changed=None, kept=None) -> Run:
        """Make ready to go on from a state of a model of this structure.

        `changed` are numbers of laws that differ from those of the model: their places in p, their values, and what
        makes the model that has them, should somebody ask.  `kept` is `state.entered`, where it is at hand.
        """
        if self.choosing is not None and self.method is not self.choosing.first:
            self.method = self.choosing.first
            if self.system is not None:
                self._go_by(self._new_drive())
        self.changes, self.first_jump = [], None
        model = self.model = state.model
        known = entry(model, self.coordinates, state, kept)
        self.state, self.known = state, known
        self.made = model if changed is None else changed[2]
        if self.system is None or known.system.plan is not self.system.plan:
            self.system, self.y, self._first = known.system.fresh(), known.y.copy(), None
            self._go_by(self._new_drive())
        else:
            self.system.become(known.system)
            self.y[:] = known.y
        if changed is not None:
            self.system.put_numbers(*changed[:2])
        note = self.system.door.note
        note(at.DETAIL, self.detail)
        for slot in self.slots:
            slot.errors.clear()
        if self.options.constraints == "baumgarte":
            self._stabilise()
        numbers = self.y.size + self.system.memory_size
        if self.each_step:
            self.grid, self.most_outputs = np.zeros(1), most_outputs(numbers)
        self._reserve(numbers)
        note(at.EVALUATIONS, 0.0)
        if self._first is not None and self._alike(self._first[0], known):
            self.drive.begin_again(self._first[1])
            self._write_scales()
        else:
            self.drive.begin()
            self._write_control()
            self._first = known, self.drive.begun()
        if model.functions:
            self.kinks = Kinks(model, state.t, self.end)
            self._begin_piece()
        return self

    def _alike(self, first: Any, known: Any) -> bool:
        """Whether what is written for one state is written for another: the same again, or with other numbers."""
        if first.modes is known.modes:
            return True
        if first.dropped or known.dropped:
            return False
        return bool(self._first[1][0][at_run.BEGIN] == self.state.t and (first.modes == known.modes).all())

    def begun(self) -> tuple[np.ndarray, np.ndarray]:
        """Floats and counts that the time loop begins with, for a run in one piece."""
        assert self._first is not None
        floats, counts = self._first[1]
        return floats[: at_run.C_FLOATS], counts[: at_run.C_INTEGERS]

    def _reserve(self, numbers: int) -> None:
        """Room for the outputs."""
        self.states = np.zeros((self.grid.size, numbers))

    def _new_drive(self) -> Any:
        """What the kernel needs beside the system; kept for every method, should it come back."""
        plan, drive = self._drives.get(self.method.name, (None, None))
        if plan is not self.system.plan:
            drive = self.system.drive(self.method)
            self._drives[self.method.name] = self.system.plan, drive
        drive.begin()
        return drive

    def _go_by(self, drive: Any) -> None:
        """Have the numbers of this drive at hand."""
        self.drive, self.kernel, self.control, self.count = drive, drive.kernel, drive.control, drive.count

    def _write_control(self) -> None:
        """Options and scales for the kernel, and the piece from the first time to the last."""
        state, c, n = self.state, self.control, self.count
        c[at_run.BEGIN] = state.t
        self._write_method()
        c[at_run.ZONE] = ZONE
        self._write_scales()
        n[at_run.PROJECT] = self._projects()
        n[at_run.SLICE] = CAREFUL if self.careful else FIRST_SLICE
        n[at_run.FOLLOW] = int(self.options.constraints == "baumgarte" and self.options.alpha is None)
        n[at_run.FIXED], n[at_run.EACH_STEP] = int(self.method.fixed_step), int(self.each_step)
        self.kinks = Kinks(self.model, state.t, self.end)
        self._begin_piece()

    def _write_method(self) -> None:
        """What the method asks for."""
        c, method = self.control, self.method
        c[at_run.TOLERANCE] = allowed = method.allowed(self.options.rtol)
        c[at_run.ABSOLUTE] = (self.options.atol or 0.0) * (allowed / self.options.rtol)
        c[at_run.LEAST_GROWTH] = method.least_growth
        c[at_run.STIFF_LIMIT] = 0.0 if self.choosing is None else self.choosing.limit(method)
        self.count[at_run.ORDER] = method.control or method.order

    def _change_method(self) -> None:
        """Go on with the other method, from the last step."""
        assert self.choosing is not None
        stays = ""
        if self.options.coordinates == "auto":
            model = self.made if isinstance(self.made, Model) else self.made()
            if (along := along_joints(model, self.coordinates, self.state)) != self.coordinates:
                if self.leaves:
                    raise TurnedStiff(along, self)
                stays = f"; stays in {self.coordinates} coordinates, which cost more there: {self._bound()}"
        before = time.perf_counter()
        self._take_other()
        self.began += time.perf_counter() - before  # what is compiled for it counts as little as at the begin
        why = (
            "accuracy keeps steps short, stability does not"
            if self.method is self.choosing.first
            else "stability kept steps short" + self.anew + stays
        )
        self.changes.append(f"{self.method.name} from t = {self.control[at_run.TIME]:.6g} s: {why}")

    def _bound(self) -> str:
        """Why a run cannot begin anew."""
        if self.stored:
            return "its outputs are in a folder"
        return "its events act" if self.eventful else "it goes on from a state as it is"

    def _take_other(self) -> None:
        """The other method, with the numbers of this one."""
        assert self.choosing is not None
        drive, plan = self.drive, self.system.plan
        if self.method is not self.choosing.first:
            self.method = self.choosing.first
        else:
            if self._stiff[0] is not plan:
                self._stiff = plan, self.choosing.other(self.method, plan)
            self.method = self._stiff[1]
        self.changing = True
        self._go_by(self._new_drive())
        self.changing = False
        self.drive.go_on_from(drive)
        self._write_method()

    def _write_scales(self) -> None:
        """What pivots, lengths and energies are measured by."""
        c, known = self.control, self.known
        c[at_run.FIRST_PIVOT], c[at_run.ENERGY], c[at_run.LENGTH] = known.pivot, known.energy, self.system.length
        if known.dropped:
            c[at_run.CHOICE_LIMIT] = CHOICE * known.pivot

    def _stabilise(self) -> None:
        """Baumgarte's constants: given, or after the steps."""
        alpha, beta = self.options.alpha, self.options.beta
        self.system.note(at.STABILISE_RATE, 2.0 * (alpha or 0.0))
        self.system.note(at.STABILISE_PLACE, (beta or 0.0) ** 2)

    def _projects(self) -> int:
        """What the kernel puts back."""
        turns = at_run.TURNS if self.system.has_orientations else at_run.NOTHING
        return at_run.ROWS if self.options.constraints == "projection" and self.system.n_rows else turns

    def _begin_piece(self) -> None:
        """From one kink of the functions of time to the next."""
        control, count = self.control, self.count
        begin, end = self.kinks.begin, self.kinks.end
        control[at_run.TIME], control[at_run.END], control[at_run.STEP] = begin, end, self.step or 0.0
        count[at_run.STARTED] = count[at_run.STEP_INDEX] = 0
        if self.method.fixed_step:
            total = count[at_run.STEP_TOTAL] = step_count(end - begin, self.step, self.method)
            control[at_run.STEP] = (end - begin) / total if total else 0.0

    def _cross(self) -> int:
        """Go on behind the next kink: MORE, or DONE where there is none, or FAILED where no velocities meet it."""
        stop = self.kinks.cross()
        if stop is None:
            return self.kernel.DONE
        self._begin_piece()
        if stop.jumps and not strike(self.system, stop.after, self.y):
            self.system.note(at.STATUS, at.NOT_PROJECTED)
            return self.kernel.FAILED
        return self.kernel.MORE

    def go(self, progress) -> Result:
        """Run to the end; who stops it gets what was reached."""
        self.began, self.status = time.perf_counter(), None
        self.dead_end: float | None = None  # time of a dead centre ahead
        try:
            if progress is False and not (self.slots or self.stored):  # nothing to show, and nothing to heed
                status = self.status = self._slices(SILENT, LEFT_ALONE)
            else:
                with self._line(progress) as line, heeded(bool(self.slots) or self.stored) as interrupts:
                    status = self.status = self._slices(line, interrupts)
        except KeyboardInterrupt as stop:
            partial = self._partial("stopped by Ctrl-C")
            hand_back(stop, partial, partial.ended)
            raise
        done = status not in (self.kernel.FAILED, self.kernel.MORE)
        result = self._result() if done else self._partial("stopped")
        if status == self.kernel.FAILED:
            system, control = self.system, self.control
            if system.w[at.STATUS] == at.WATCH_FAILED:
                self._failed_watch(result)
            ratio = float(system.w[at.PIVOT] / control[at_run.FIRST_PIVOT])
            ended = at_run.RUNAWAY if system.w[at.STATUS] == at.DEAD_CENTRE else at_run.TIME
            raise_status(system, float(control[ended]), result, ratio)
        if status == self.kernel.MORE:
            raise_limit(self, result)
        self._look_over(result)
        return result

    def _line(self, progress) -> Progress:
        """What shows how far it is."""
        begin, now = float(self.control[at_run.BEGIN]), float(self.control[at_run.TIME])
        return Progress(progress, self.model.mechanism.name, begin, self.end, now=now)

    def _partial(self, stopped: str) -> Result:
        """What was reached by a run that does not come to its end; it says so, and how to go on."""
        result = self._result()
        goes_on = f"; start=run.final goes on from t = {result.t[-1]:.6g} s" if len(result.t) else ""
        result.manifest["ended"] = f"{stopped} at t = {self.control[at_run.TIME]:.6g} s of {self.end:g} s{goes_on}"
        return result

    def _slices(self, line, interrupts) -> int:
        """Slice after slice: DONE, FAILED, or MORE where a limit was reached."""
        kernel, usual = self.kernel, int(self.count[at_run.SLICE])
        pace, before = None, self.began  # the pace is one of runs in several slices
        while True:
            most = usual if pace is None else min(usual, pace.most_tries)
            self.count[at_run.SLICE] = min(most, self._tries_left())
            if self.each_step:
                self._make_room(int(self.count[at_run.SLICE]))
            status = self._advance()
            interrupts.heed()
            for slot in self.slots:
                slot.raise_exit()
            if status == kernel.DONE:
                status = self._cross() if self.dead_end is None else self._dead()
            elif status == kernel.OTHER_METHOD:
                self._change_method()
                status = kernel.MORE
            elif status == kernel.CHOOSE_ROWS:
                self._choose_rows()
            elif status == kernel.LOOK_AHEAD:
                status = self._look_ahead()
            elif status == kernel.EVENT:
                status = self._happens()
            if status in (kernel.DONE, kernel.FAILED):
                return status
            now, pace = time.perf_counter(), pace or Pace(self.began)
            if self._tries_left() <= 0 or (self.most_seconds is not None and now - self.began >= self.most_seconds):
                return kernel.MORE
            if status == kernel.MORE and self.count[at_run.SLICE] == usual:
                longer = SLICE_SECONDS / max(now - before, 1e-6)
                usual = int(max(1 if self.careful else LEAST_SLICE, min(LONGEST_SLICE, usual * longer)))
            line.show(self.control[at_run.TIME], self.control[at_run.STEP])
            if status == kernel.MORE and self.model.laws and pace.chatters(self, now):
                pace.raise_chatter(self, self._partial("stopped"))
            before = now

    def _look_ahead(self) -> int:
        """Steps lead towards a dead centre: MORE, or FAILED where no position is beyond it.

        Outputs before it are still written; where positions cannot tell, the steps do, nearer to it.
        """
        from linkwork.analysis.ahead import dead_centre  # what it needs is loaded where drivers lead into one

        control, t = self.control, float(self.control[at_run.TIME])
        last = min(float(control[at_run.END]), t + AHEAD * float(control[at_run.RUNAWAY_LEFT]))
        self.dead_end = dead_centre(self.state, t, *self._in_bodies(), last)
        if self.dead_end is None:
            return self.kernel.MORE
        inside = (self.grid > t) & (self.grid < self.dead_end)
        before = self.grid[inside] if not self.each_step else self.grid[:0]
        if not len(before):
            return self._dead()
        control[at_run.END] = before[-1]
        return self.kernel.MORE

    def _in_bodies(self) -> tuple[np.ndarray, np.ndarray]:
        """The state now as that of the bodies, and its memory."""
        system, memory = self.system.fresh(), self.system.memory.copy()
        row = np.concatenate([self.y, memory])[None, :]
        return system.to_bodies(self.control[[at_run.TIME]], row)[0][: self.model.n_y], memory

    def _dead(self) -> int:
        """There is no way on from here."""
        self.control[at_run.RUNAWAY] = self.dead_end
        self.system.note(at.STATUS, at.DEAD_CENTRE)
        return self.kernel.FAILED

    def _advance(self) -> int:
        """One slice."""
        return self.system.door.advance(self.y, self.drive, self.grid, self.states)

    def _happens(self) -> int:
        """An event: see `eventful`."""
        raise NotImplementedError  # only runs of `Eventful` watch for events, and they have it

    def _failed_watch(self, result: Result) -> None:
        """What is watched is no number."""

    def _make_room(self, tries: int) -> None:
        """Room for an output at the end of every step that a slice may take."""
        needed, there = int(self.count[at_run.OUTPUT]) + tries + 1, self.grid.size
        if needed > there:
            more = max(needed, 2 * there) - there
            self.grid = np.concatenate([self.grid, np.zeros(more)])
            self.states = np.concatenate([self.states, np.zeros((more, self.states.shape[1]))])

    def _tries_left(self) -> int:
        """Tries at a step that the run still has."""
        left = self.most_outputs - max(1, int(self.count[at_run.OUTPUT])) if self.each_step else LONGEST_SLICE
        if self.most_steps is None:
            return left
        return min(left, self.most_steps - int(self.count[at_run.STEPS] + self.count[at_run.REJECTED]))

    def _look_over(self, result) -> None:
        """Say, and keep with the result, what is doubtful about the run."""
        control = self.control.item  # plain numbers are compared faster
        doubts = judge(
            self.system,
            self.grid,
            self.states,
            energy=control(at_run.ENERGY),
            began=control(at_run.START_PIVOT),
            usual=control(at_run.FIRST_PIVOT),
            violation=control(at_run.WORST_VIOLATION),
            rtol=None if self.method.fixed_step else self.options.rtol,
        )
        doubts += self._jumps()
        if doubts:
            result.manifest["doubts"] = doubts
            tell(self.model.mechanism.name, doubts)

    def _choose_rows(self) -> None:
        """Drop other redundant rows where the ones that are kept have become nearly dependent."""
        system, control = self.system, self.control
        held, pivot = system.held.copy(), control[at_run.SMALLEST_PIVOT]
        rank = analyse(system, control[at_run.TIME], self.y)
        system.note(at.DETAIL, self.detail)
        if rank.pivot < 2.0 * pivot:  # no better choice: this is the mechanism's own position
            system.held[:] = held
            control[at_run.CHOICE_LIMIT] = CHOICE * pivot
            return
        system.held[:] = 1.0
        system.held[list(rank.dropped)] = 0.0
        control[at_run.FIRST_PIVOT], control[at_run.CHOICE_LIMIT] = rank.pivot, CHOICE * rank.pivot
        self.count[at_run.STARTED] = 0

    def _statistics(self) -> Statistics:
        count = self.count
        found = Statistics(
            int(count[at_run.STEPS]),
            int(count[at_run.REJECTED]),
            int(self.system.w[at.EVALUATIONS]),
            int(count[at_run.STAGES_PROJECTED]),
            self.spent + time.perf_counter() - self.began,
        )
        return found if self.abandoned is None else self.abandoned + found

    def _result(self) -> Result:
        """What was reached."""
        reached, statistics = int(self.count[at_run.OUTPUT]), self._statistics()
        if self.each_step:
            self.grid, self.states = self.grid[:reached], self.states[:reached]
        return Result([self._whole_segment(reached)], statistics, "motion", self._told())

    def _whole_segment(self, reached: int, end: float | None = None, row: np.ndarray | None = None) -> Segment:
        """The motion up to now."""
        t = self.grid[:reached]
        began = self.state.turned if self.each_step or self.grid[0] == self.state.t else None
        return self._made_segment(t, self.states[:reached], began=began)

    def _made_segment(self, t: np.ndarray, raw: np.ndarray, **more: Any) -> Segment:
        """States at some times, with what this run knows of them."""
        known, steps = self.known, int(self.count[at_run.STEPS]) - self.steps_before
        state = self.state
        given = (self.made, self.coordinates, t, known.modes, state.values, state.pivot, state.dependencies)
        return Segment(*given, raw=raw, first=state.y, options=self.manifest, steps=steps, **more)

    def _told(self) -> dict[str, Any]:
        """Options of the run, and how its method changed."""
        return {**self.manifest, "methods": self.changes[:]} if self.changes else self.manifest
