"""One motion made ready, to be run again and again from other states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwork.analysis.common import as_model
from linkwork.analysis.doors import able_to_move, admitted, given_state, taken
from linkwork.analysis.entering import as_it_is
from linkwork.analysis.integrators import Method
from linkwork.analysis.options import (
    Coordinates,
    Duration,
    Interval,
    MethodName,
    Seconds,
    Time,
    Tolerance,
    Values,
    truth,
)
from linkwork.analysis.simulate import Run, made_ready
from linkwork.arguments import Explained, explained
from linkwork.errors import DescriptionError, message
from linkwork.result.result import Result
from linkwork.result.state import State


@explained
def prepare(
    mechanism: Any,
    times: Duration | Sequence[Time] | np.ndarray,
    *,
    every: Interval | None = None,
    start: Values | State | None = None,
    near: Values | None = None,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    method: MethodName | Method = "dop853",
    rtol: Tolerance = 1e-8,
    atol: Tolerance | None = None,
    step: Interval | None = None,
    projection: bool = True,
    correct: bool = True,
    most_steps: int | None = None,
    most_seconds: Seconds | None = None,
) -> Prepared:
    """A motion of `mechanism` made ready to be run many times.

    `start`, `near`, `coordinates`, `method`, `rtol`, `atol`, `projection`, `correct` and the others are those of
    `simulate`; `progress` is one of each call.

    What does not change from run to run is done once: options are read, the mechanism is assembled, the coordinates are
    chosen, the arrays are there.  `prepared()` runs from the state assembled here, `prepared(state)` from another one.
    The limits `most_steps` and `most_seconds` are those of every single run.

    Units: times [s], every [s], t [s], step [s], most_seconds [s].

    >>> ready = lw.prepare(lw.gallery.four_bar(), 0.5, every=0.1)
    >>> first = ready()
    >>> again = ready(ready.state)
    >>> bool((first["A.angle"] == again["A.angle"]).all())
    True
    """
    run, state = made_ready(
        as_model(mechanism),
        times,
        every,
        start,
        near,
        t,
        coordinates,
        method,
        rtol,
        atol,
        step,
        projection,
        correct,
        most_steps,
        most_seconds,
    )
    return Prepared(run, state, correct)


@explained
class Prepared(metaclass=Explained):
    """A motion made ready: call it with a state, or without one, as often as wanted.  One thread at a time.

    >>> ready = lw.gallery.four_bar().prepare(0.5, every=0.1)
    >>> len(ready().t)
    6
    """

    def __init__(self, run: Run, state: State, correct: bool = True):
        self._run = run
        self._correct = correct
        #: the state that a call without one goes on from
        self.state = state
        self._last = state  # it has been through the doors

    def __repr__(self) -> str:
        run = self._run
        return (
            f"Prepared('{run.model.mechanism.name}', {run.coordinates} coordinates, {run.grid[0]:g} to "
            f"{run.grid[-1]:g} s, {run.grid.size} times, {run.method.name})"
        )

    @property
    def coordinates(self) -> str:
        """The set that it runs in."""
        return self._run.coordinates

    def __call__(self, state: State | None = None, *, progress: bool | None = False) -> Result:
        """The motion from a state at the first of the times, checked as in `simulate`; a line of progress if asked."""
        progress = None if progress is None else truth(progress, "progress")
        state = self.state if state is None else state
        if state is not self._last or "on constraints" not in state.entered:
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
            self._last = state = self._admitted(given)
        if state.t != self.state.t:
            raise DescriptionError(
                message(
                    "prepared run",
                    "got a state at another time",
                    f"{state.t:g} s",
                    f"{self.state.t:g} s",
                    "prepare the motion from that time, by t=",
                )
            )
        return self._run.begin(state).go(progress)

    def _admitted(self, given: State) -> State:
        """A state through the doors; with correct=False as it is, where the set can hold it."""
        if self._correct:
            return able_to_move(admitted(self._run.model, given))
        state = taken(self._run.model, given)
        as_it_is(state, self._run.coordinates)
        return state
