"""Segments: parts of a result in which the same rows are held, one after the other.

A segment has times and states, the modes of its rows and with them its plan, and says where its accelerations and
multipliers come from.  Where two segments meet, each has its own state at the border: the one before and the one after.
Of these the result shows the one after, if the border is one of its times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.compiled.modes import acting, free_rows, of_bodies
from linkwork.errors import AnalysisError, message
from linkwork.records import dataclass, only_read
from linkwork.result.bodies import BodyStates
from linkwork.result.reactions import combinations, least_norm
from linkwork.result.series import Series
from linkwork.result.state import State
from linkwork.result.turns import Turned

#: where accelerations and multipliers come from; but for the first, they are numbers that the segment was made with
SOURCES = ("dynamics", "kinematics", "given")


@dataclass(eq=False)
class Segment:
    """Times and states between two changes of modes."""

    made: Any  # the model, or what makes it when it is asked for
    coordinates: str
    t: np.ndarray
    modes: np.ndarray  # of all rows
    values: np.ndarray  # at which they are held
    pivot: float
    dependencies: np.ndarray  # (redundant, rows) combinations of rows that vanish
    given: np.ndarray | None = None  # states of the bodies; None where only `raw` is known
    raw: np.ndarray | None = None  # states in the coordinates of the run
    first: np.ndarray | None = None  # the state of the bodies that `raw` began with: whole turns count from there
    began: Any = None  # turns that are known at the first time: measure -> value, by `get`
    source: str = "dynamics"
    known_accelerations: np.ndarray | None = None  # (times, velocity coordinates of the bodies)
    known_multipliers: np.ndarray | None = None  # (times, rows)
    outputs: slice = field(default_factory=lambda: slice(None))  # which of its times the result shows
    options: dict = field(default_factory=dict)  # how it was run
    steps: int = 0
    began_by: tuple[str, tuple[str, ...]] | None = None  # the event that it begins with: its name, and what was done
    finer: Any = None  # the same motion with more outputs, where turns had to be counted
    goes_on: bool = False  # nothing happens where it begins: the motion was only written down there

    @classmethod
    def of_state(cls, state: State, coordinates: str) -> Segment:
        """The segment that consists of one state."""
        return cls(
            state.model,
            coordinates,
            np.array([state.t]),
            state.modes,
            state.values,
            state.pivot,
            state.dependencies,
            given=np.concatenate([state.y, state.memory])[None, :],
            began=state.turned,
        )

    @cached_property
    def model(self):
        """The model of the mechanism; with other numbers than those that a run was prepared with, made when asked."""
        return self.made() if callable(self.made) else self.made

    def at_hand(self) -> Segment:
        """The segment itself; those on disk are read (`in_parts`)."""
        return self

    def forget(self) -> None:
        """Let go of what was computed of it: series know their segment, and would wait for a collector of garbage."""
        for key in ("series", "bodies", "reacting"):
            self.__dict__.pop(key, None)

    @property
    def count(self) -> int:
        """How many times it has."""
        return len(self.t)

    @property
    def begins(self) -> float:
        """Its first time."""
        return float(self.t[0])

    @property
    def redundant(self) -> int:
        """Rows that follow from others."""
        return len(self.dependencies)

    @property
    def free(self) -> frozenset[int]:
        """Rows that are released."""
        return free_rows(self.modes)

    @cached_property
    def plan(self):
        """Its rows in the tables of its coordinates."""
        return self.model.plan(self.coordinates, free=self.free)

    @property
    def held(self) -> np.ndarray:
        """1 for rows that are held or absorbed, else 0."""
        return acting(self.modes)

    @cached_property
    def bodies(self) -> BodyStates:
        """States of the bodies."""
        return BodyStates(self.plan, self.t, self.given, self.raw, self.first, self.values, self.held)

    @cached_property
    def series(self) -> Series:
        """What its states give."""
        return Series(self)

    @cached_property
    def reacting(self) -> np.ndarray:
        """(times, rows) multipliers; of least norm where constraints are redundant, unless they are given."""
        if self.source == "given":
            return self.series.multipliers
        return least_norm(self.series, self.series.multipliers, self.combinations)

    @cached_property
    def combinations(self) -> list[tuple[int, np.ndarray]]:
        """At some of its times: where, and combinations of rows that vanish there; none where none are redundant."""
        if not len(self.dependencies):
            return []
        if self.source == "given":  # rows of actuators act here, though they are free
            return [(0, self.dependencies)]
        return combinations(self.series, self.dependencies)

    def state(self, k: int) -> State:
        """The state at the k-th of its times."""
        n, row = self.model.n_y, self.bodies.row(k)
        return State(
            float(self.t[k]),
            row[:n],
            row[n:],
            of_bodies(self.modes),
            only_read(self.values),
            self.pivot,
            only_read(self.dependencies),
            self.model,
            turned=Turned(self, k),
        )

    @property
    def needs(self) -> tuple[str, ...]:
        """What its states can give: see `quantities.NEEDS`."""
        if self.source == "dynamics":
            return "states", "rates", "accelerations", "multipliers", "work"
        more = (("accelerations", self.known_accelerations), ("multipliers", self.known_multipliers))
        return "states", "rates", *(what for what, numbers in more if numbers is not None)

    def lacks(self, what: str) -> AnalysisError:
        """The error for what a segment cannot give."""
        return AnalysisError(
            message(
                f"Result of '{self.model.mechanism.name}'",
                f"has no {what} from t = {self.t[0]:g} to {self.t[-1]:g} s: its motion comes from {self.source}, "
                "not from forces",
                remedy="simulate gives them, where bodies have masses",
            )
        )


def joined(segments: Sequence[Segment], read) -> np.ndarray:
    """What `read(segment)` gives for all times of each, at the times that the result shows."""
    if len(segments) == 1 and segments[0].outputs == slice(None):
        return read(segments[0])
    if any(one.goes_on for one in segments):  # they are on disk: nothing of a part is kept but this
        return np.concatenate([read(one.at_hand())[one.outputs].copy() for one in segments])
    return np.concatenate([read(one)[one.outputs] for one in segments])


def state_shown(segments: Sequence[Segment], k: int) -> State:
    """The state at the k-th of the times that the result shows."""
    for one in segments:
        first, last, _ = one.outputs.indices(one.count)
        if k < last - first:
            return one.state(first + k)
        k -= max(0, last - first)
    raise IndexError(k)


class JoinedBodies:
    """States of the bodies over several segments, as `BodyStates` has them for one."""

    def __init__(self, segments):
        self._segments = segments
        self.model = segments[0].model
        self.t = joined(segments, lambda one: one.t)

    @cached_property
    def all(self) -> np.ndarray:
        """(times, positions, velocities, work, memory)."""
        return joined(self._segments, lambda one: one.bodies.all)

    def of(self, body: int) -> tuple[np.ndarray, np.ndarray]:
        """Mass centre and orientation of a body, and its twist."""
        q, v = (joined(self._segments, lambda one, k=k: one.bodies.of(body)[k]) for k in range(2))
        return q, v

    def parts(self) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Block by block of times: where, positions and twists of all bodies."""
        shown = 0
        for one in (one.at_hand() for one in self._segments):
            first, last, _ = one.outputs.indices(one.count)
            for part, q, v in one.bodies.parts():
                inside = slice(max(part.start, first), min(part.stop, last))
                if inside.start < inside.stop:
                    own = slice(inside.start - part.start, inside.stop - part.start)
                    to = shown - first
                    yield slice(inside.start + to, inside.stop + to), q[own], v[own]
            shown += max(0, last - first)

    @property
    def work(self) -> np.ndarray:
        """(times, work): what elements and drivers have done."""
        return joined(self._segments, lambda one: one.bodies.work)

    @property
    def of_laws(self) -> np.ndarray:
        """(times, states of laws)."""
        return joined(self._segments, lambda one: one.bodies.of_laws)

    def gather(self, readings) -> np.ndarray:
        """(times, columns): what readings want of the states."""
        return joined(self._segments, lambda one: one.bodies.gather(readings))


class JoinedSeries:
    """Series over several segments, as `Series` has them for one."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._segments = segments
        self.model = segments[0].model
        self.plan = self.model.plan()
        self.bodies = JoinedBodies(segments)
        self.t = self.bodies.t

    @property
    def states(self) -> np.ndarray:
        """States of all bodies, with work and memory."""
        return self.bodies.all

    def section(self, key: int, located: bool = False) -> np.ndarray:
        """(times, count) of a section of the workspace in body coordinates."""
        return joined(self._segments, lambda one: one.series.section(key, located))

    def pick(self, picks, located: bool = False) -> np.ndarray:
        """(times, picks): places of the workspace in body coordinates."""
        return joined(self._segments, lambda one: one.series.pick(picks, located))

    @cached_property
    def violation(self) -> np.ndarray:
        """(times,): the largest error of a row that is not free."""
        return joined(self._segments, lambda one: one.series.violation)

    @cached_property
    def accelerations(self) -> np.ndarray:
        """(times, velocity coordinates of the bodies)."""
        return joined(self._segments, lambda one: one.series.accelerations)

    def measure(self, measure, order: int = 0) -> np.ndarray:
        """(times,): value (order 0), rate (1) or second rate (2); turns go on from segment to segment."""
        return joined(self._segments, lambda one: one.series.measure(measure, order))

    def measures(self, measures, order: int = 0) -> list[np.ndarray]:
        """The same of several."""
        return [self.measure(one, order) for one in measures]
