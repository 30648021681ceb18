"""One motion made ready, to be run again and again from other states and with other numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from linkwork.analysis.common import model_in
from linkwork.analysis.doors import able_to_move, admitted, given_state, taken
from linkwork.analysis.entering import as_it_is, enter, pick
from linkwork.analysis.identity import identity
from linkwork.analysis.integrators.method import Choosing, Implicit, Method
from linkwork.analysis.limits import TurnedStiff
from linkwork.analysis.numbers import model_with
from linkwork.analysis.options import (
    Basis,
    Constraints,
    Coordinates,
    Duration,
    Every,
    Interval,
    MethodName,
    Rate,
    Seconds,
    Time,
    Tolerance,
    Until,
    Values,
    listed,
    truth,
)
from linkwork.analysis.reading import Reader
from linkwork.analysis.renumbered import Renumbered
from linkwork.analysis.run import Run
from linkwork.analysis.run_options import RunOptions
from linkwork.analysis.simulate import made_ready, may_leave
from linkwork.arguments import Explained, explained
from linkwork.compiled.rewriting import Rewriting, rewriting
from linkwork.coordinates import BASE
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.result.result import Result
from linkwork.result.state import State

REGULAR = 1e-3  # of the usual smallest pivot
MOST_PROGRAMS = 8  # for one set of names: each for one outcome of what is decided by numbers
MOST_FAILED = 2  # tries to make one, after which names are left to the general way


@explained
def prepare(
    mechanism: Any,
    times: Duration | Sequence[Time] | np.ndarray,
    *,
    every: Every | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
    method: MethodName | Method | Implicit | Choosing = "auto",
    rtol: Tolerance = 1e-8,
    atol: Tolerance | None = None,
    step: Interval | None = None,
    constraints: Constraints = "projection",
    alpha: Rate | None = None,
    beta: Rate | None = None,
    correct: bool = True,
    most_steps: int | None = None,
    most_seconds: Seconds | None = None,
    until: Until = None,
    events: bool = True,
    read: str | Sequence[str] = (),
) -> Prepared:
    """A motion of `mechanism` made ready to be run many times.

    `start`, `near`, `coordinates`, `basis`, `method`, `rtol`, `atol`, `constraints`, `correct`,
    `until`, `events` and the others are those of `simulate`; `progress` is one of each call.

    What does not change from run to run is done once: options are read, the mechanism is assembled, the coordinates are
    chosen, the arrays are there.  `prepared()` runs from the state assembled here, `prepared(state)` from another one,
    `prepared(state, numbers={"spring.stiffness": 20.0})` with other numbers.
    The limits `most_steps` and `most_seconds` are those of every single run.  `read` are names that will be read of
    each result: places and distances among them are found together with the run, for next to nothing.

    Units: times [s], every [s], t [s], step [s], alpha [1/s], beta [1/s],
    most_seconds [s].

    >>> ready = lw.prepare(lw.gallery.four_bar(), 0.5, every=0.1)
    >>> first = ready()
    >>> again = ready(ready.state)
    >>> bool((first["A.angle"] == again["A.angle"]).all())
    True
    """
    options = RunOptions.read(
        times=times,
        every=every,
        start=start,
        near=near,
        t=t,
        coordinates=coordinates,
        method=method,
        rtol=rtol,
        atol=atol,
        step=step,
        constraints=constraints,
        alpha=alpha,
        beta=beta,
        correct=correct,
        most_steps=most_steps,
        most_seconds=most_seconds,
        until=until,
        events=events,
    )
    run, state = made_ready(model_in(mechanism, coordinates, basis), options)
    run.leaves = may_leave(run)
    names = listed(read)
    return Prepared(run, state, Reader(run.model, run.coordinates, names) if names else None, names)


@explained
class Prepared(metaclass=Explained):
    """A motion made ready: call it with a state, or without one, as often as wanted.  One thread at a time.

    >>> ready = lw.gallery.four_bar().prepare(0.5, every=0.1)
    >>> len(ready().t)
    6
    """

    def __init__(self, run: Run, state: State, reader: Reader | None = None, names: Sequence[str] = ()):
        self._run = run
        self._model = run.model
        self._reader, self._names = reader, names
        self._along: Prepared | None = None  # the same in the coordinates for what turns stiff
        self._programs: dict[tuple[str, ...], list[Rewriting]] = {}  # by the names of other numbers
        self._failed: dict[tuple[str, ...], int] = {}  # programs that could not be made
        self._renumbered: Renumbered | None = None
        self._kept: tuple[str, Any] = "", None  # the model with other numbers that was used last
        self._beside: tuple[Any, Run | None] = None, None  # and a run of its own, where something is watched
        #: the state that a call without one goes on from
        self.state = state
        self._last = state  # it has been through the doors

    def __repr__(self) -> str:
        run = self._run
        return (
            f"Prepared('{self._model.mechanism.name}', {run.coordinates} coordinates, {self.state.t:g} to "
            f"{run.end:g} s, {'every step' if run.each_step else f'{run.grid.size} times'}, "
            f"{(run.choosing or run.method).name})"
        )

    @property
    def coordinates(self) -> str:
        """The set that it runs in."""
        return self._run.coordinates

    @explained
    def __call__(
        self, state: State | None = None, *, numbers: Mapping[str, Any] | None = None, progress: bool | None = False
    ) -> Result:
        """The motion from a state at the first of the times, checked as in `simulate`; a line of progress if asked.

        `numbers` are other numbers of the mechanism, by the names of `Mechanism.with_numbers`: parameters, fields of
        items, gravity.  The motion is that of `mechanism.with_numbers(numbers).simulate(..., start=state)`, bit for
        bit; the state must fit the mechanism with these numbers, and what would change its structure is refused.
        """
        if progress is not False:
            progress = None if progress is None else truth(progress, "progress")
        try:
            return self._gone(state, numbers, progress)
        except TurnedStiff as told:
            turned = told
        return self._anew(turned)(state, numbers=numbers, progress=progress)

    def _anew(self, turned: TurnedStiff) -> Prepared:
        """The same motion along joints, which goes on with what is left of the limits."""
        if self._along is None:
            run = type(self._run)(self._model, turned.coordinates, self._run.asked, self._run.options)
            reader = Reader(self._model, turned.coordinates, list(self._names)) if self._names else None
            self._along = Prepared(run, self.state, reader)
        turned.told(self._along._run)
        return self._along

    def _gone(self, state: Any, numbers: Mapping[str, Any] | None, progress: bool | None) -> Result:
        """The motion; `TurnedStiff` where it is to begin anew."""
        state = given = self.state if state is None else state
        run, changed = self._run, None
        if numbers is not None and run.eventful:  # what is watched and done has other numbers, too
            model = self._other(numbers)
            state, kept, run = self._given(state, model), None, self._run_of(model)
        elif numbers is not None:
            state, kept, changed = self._with(numbers, state)
            given = changed[3] if changed else state
        else:
            given, kept = state, kept = self._own(state)
        result = run.begin(state, changed, kept).go(progress)
        if self._reader is not None and not self._run.eventful and given is not None:
            result.know(self._reader.read(given, result.t, self._run.states))
        return result

    def _own(self, state: Any) -> tuple[State, dict[Any, Any]]:
        """A state of the model that was prepared, through the doors, and what is kept with it."""
        if state is self._last:
            kept = state.entered
            if "on constraints" in kept:
                return state, kept
        state = self._given(state)
        return state, state.entered

    def _given(self, state: Any, model: Any = None) -> State:
        """A state through the doors of the model, at the time of the preparation."""
        found = self._admitted(self._in_time(state), model or self._model)
        if model is None:
            self._last = found
        return found

    def _in_time(self, state: Any) -> State:
        """A state that was given, at the time of the preparation."""
        given = given_state(state, "state")
        if given is None:
            raise DescriptionError(
                message(
                    "prepared run",
                    "got no state",
                    repr(state),
                    "a state of the mechanism",
                    "such as mechanism.assemble(start=...).state, or run.final",
                )
            )
        if given.t != self.state.t:
            raise DescriptionError(
                message(
                    "prepared run",
                    "got a state at another time",
                    f"{given.t:g} s",
                    f"{self.state.t:g} s",
                    "prepare the motion from that time, by t=",
                )
            )
        return given

    def _admitted(self, given: State, model: Any) -> State:
        """A state through the doors; with correct=False as it is, where the set can hold it."""
        if not self._run.options.correct:
            state = taken(model, given, switched=True)
            as_it_is(state, self._run.coordinates)
            return state
        state = able_to_move(admitted(model, given, switched=True))
        if model is not self._model:
            pick(model, self._run.coordinates, state)  # refuses where its bodies have become too light for the set
        return state

    # -- other numbers -------------------------------------------------------------------------------------------------
    def _with(
        self, numbers: Mapping[str, Any], state: Any
    ) -> tuple[State, dict[Any, Any] | None, tuple[Any, ...] | None]:
        """The state to go on from, of a model with other numbers; or one of ours, and the places where they go."""
        if type(numbers) is dict or isinstance(numbers, Mapping):
            way, results = self._rewritten(numbers)
            if way is not None:
                later = partial(model_with, self._model, self._run.coordinates, dict(numbers))
                if way.of_laws:
                    state, kept = self._own(state)
                    if self._regular(state, kept):
                        return state, kept, (*way.for_plan(self._run.coordinates, results), later, state)
                elif self._run.options.correct:
                    given = state if type(state) is State and state.t == self.state.t else self._in_time(state)
                    taken = self._taking().taken(way, results, given)
                    if taken is not None:
                        kept = {self._run.coordinates: taken[1]}
                        return taken[0], kept, ((), (), later, None if way.moves else given)
        return self._given(state, self._other(numbers)), None, None

    def _rewritten(self, numbers: Mapping[str, Any]) -> tuple[Any, list[float]]:
        """A program for these names, and what it gives for these values; None where there is none."""
        names = tuple(numbers)
        known = self._programs.get(names)
        if known is None:  # what is asked once goes the general way
            self._programs[names] = []
            return None, []
        for way in known:
            results = way.results(numbers.values())
            if results is not None:
                return way, results
        if len(known) < MOST_PROGRAMS and self._failed.get(names, 0) < MOST_FAILED:
            sets = tuple(dict.fromkeys((BASE, self._run.coordinates)))
            made = rewriting(self._model, sets, numbers)
            if made is not None:
                known.insert(0, made)
                return made, made.results(numbers.values()) or []
            self._failed[names] = self._failed.get(names, 0) + 1
        return None, []

    def _taking(self) -> Renumbered:
        """What takes states on with other numbers."""
        if self._renumbered is None:
            self._renumbered = Renumbered(self._model, self._run.coordinates, self.state)
        return self._renumbered

    def _other(self, numbers: Mapping[str, Any]) -> Any:
        """The model with other numbers; the last one is kept."""
        key = repr(identity(numbers)) if isinstance(numbers, Mapping) else ""
        if not key or self._kept[0] != key:
            self._kept = key, model_with(self._model, self._run.coordinates, numbers)
        return self._kept[1]

    def _run_of(self, model: Any) -> Run:
        """A run of a model with other numbers, with what is left of the limits of ours; the last one is kept."""
        ours = self._run
        known, run = self._beside
        if run is None or known is not model:
            run = type(ours)(model, ours.coordinates, ours.asked, ours.options)
            self._beside = model, run
        run.leaves, run.anew, run.abandoned = ours.leaves, ours.anew, ours.abandoned
        run.most_steps, run.most_seconds = ours.most_steps, ours.most_seconds
        return run

    def _regular(self, state: State, kept: dict[Any, Any]) -> bool:
        """Whether a state is far from singular positions, where it matters to the doors which forces act, and holds all
        rows: others have other tables.
        """
        if "regular" not in kept:
            system, y, usual = enter(self._model, self._run.coordinates, state)
            system.derivative(state.t, y)
            far = not system.n_rows or bool(system.w[at.PIVOT] > REGULAR * usual)
            kept["regular"] = far and system.plan is self._model.plan(self._run.coordinates)
        found: bool = kept["regular"]
        return found
