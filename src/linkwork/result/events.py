"""Events: what was done at the borders between segments, with the states before and after."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, overload

import numpy as np

from linkwork.arguments import Explained
from linkwork.compiled.modes import FREE
from linkwork.records import dataclass
from linkwork.result.reactions import least_norm
from linkwork.result.segments import Segment
from linkwork.result.state import State
from linkwork.result.turns import Turned

SMOOTHLY = 1e-9  # of the largest speed, or of 1 mm/s: what changes by less goes on smoothly
MET = 1e-6  # of the largest speed: a jump that rows explain to within this is theirs


@dataclass(frozen=True)
class Mark:
    """An event that was only recorded: when, its name, in which segment, and the state there as the segment has it."""

    t: float
    name: str
    segment: int
    row: np.ndarray = field(repr=False, compare=False)

    def state(self, segments: Sequence[Segment]) -> State:
        """The state at the event."""
        own = segments[self.segment].at_hand()
        k = max(0, int(np.searchsorted(own.t, self.t, side="right")) - 1)  # turns go on from the time before
        t, key = np.array([own.t[k], self.t]), "raw" if own.given is None else "given"
        rows = np.stack([getattr(own, key)[k], self.row])
        if t[0] >= t[1]:
            t, rows = t[1:], rows[1:]
        numbers: dict[str, Any] = {key: rows}
        return replace(own, t=t, began=Turned(own, k), outputs=slice(None), finer=None, steps=0, **numbers).state(-1)


@dataclass(frozen=True)
class EventRecord(metaclass=Explained):
    """One event: time, name, what was done, states before and after; `impulses` of the rows, by name, `energy_lost`."""

    t: float
    done: tuple[str, ...]
    before: State = field(repr=False)
    after: State = field(repr=False)
    name: str = ""

    @cached_property
    def _impulses(self) -> np.ndarray | None:
        return impulses(self.before, self.after)

    @property
    def impulses(self) -> dict[str, float]:
        """Impulses of the rows, in N s or N m s, by name; none where something else changed the velocities.

        They are of least norm where constraints are redundant.
        """
        found = self._impulses
        if found is None:
            return {}
        rows = self.after.model.rows
        return {row.name: float(one) for row, one, mode in zip(rows, found, self.after.modes) if mode != FREE}

    @property
    def energy_lost(self) -> float:
        """Energy that is gone, beyond what drivers took or gave in the jump; less than 0 where some came."""
        lost = energy_lost(self.before, self.after)
        return lost if abs(lost) > 1e-14 * max(kinetic(self.before), kinetic(self.after)) else 0.0

    def __str__(self) -> str:
        name = f"{self.name}: " if self.name and self.done else self.name
        lost = self.energy_lost
        said = f"; {lost:.4g} J lost" if lost else ""
        return f"t = {self.t:.6g} s: {name}{', '.join(self.done)}{said}"


class Events(Sequence[EventRecord]):
    """The events of a result in the order of time: `run.events[0].before`, `len(run.events)`, `print(run.events)`."""

    def __init__(self, records: Iterable[EventRecord]) -> None:
        self._records = tuple(records)

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, k: int) -> EventRecord: ...

    @overload
    def __getitem__(self, k: slice) -> Events: ...

    def __getitem__(self, k: int | slice) -> EventRecord | Events:
        return Events(self._records[k]) if isinstance(k, slice) else self._records[k]

    def __repr__(self) -> str:
        return f"<{len(self)} events>"

    def __str__(self) -> str:
        wide = max([4, *(len(one.name) for one in self)])
        lines = [f"  {'t [s]':>12}  {'lost [J]':>12}  {'name':<{wide}}  done"]
        lines += [
            f"  {one.t:12.6g}  {one.energy_lost:12.4g}  {one.name:<{wide}}  {', '.join(one.done) or 'recorded'}"
            for one in self
        ]
        return "\n".join(lines) if len(self) else "no events"


def events_of(segments: Sequence[Segment], marks: Sequence[Mark] = ()) -> Iterator[EventRecord]:
    """What was done at every border where something was, and what was only recorded, in the order of time."""
    waiting = deque(marks)

    def recorded(up_to: int) -> Iterator[EventRecord]:
        while waiting and waiting[0].segment <= up_to:
            mark = waiting.popleft()
            state = mark.state(segments)
            yield EventRecord(mark.t, (), state, state, mark.name)

    for k, (one, other) in enumerate(pairwise(segments)):
        yield from recorded(k)
        if other.goes_on:
            continue
        before, after = one.state(-1), other.state(0)
        name, done = other.began_by or ("", ())
        done = (*done, *jump(before, after)) if other.began_by else changes(before, after)
        if done or name:
            yield EventRecord(after.t, done, before, after, name)
    yield from recorded(len(segments) - 1)


def changes(before: State, after: State) -> tuple[str, ...]:
    """What is different in two states at one place, in words."""
    rows = after.model.rows
    free, was = after.modes == FREE, before.modes == FREE
    found: list[str] = []
    for word, changed in (("release", free & ~was), ("hold", was & ~free)):
        for item, own in after.model.rows_of.items():
            some = [r for r in own if changed[r]]
            found += [f"{word} {item}"] if some == own else [f"{word} {rows[r].name}" for r in some]
    return (*found, *jump(before, after))


def jump(before: State, after: State) -> tuple[str, ...]:
    """Whether velocities jump, in words."""
    change = np.abs(speeds(after) - speeds(before)).max(initial=0.0)
    return ("velocities jump",) if change > SMOOTHLY * max(1e-3, np.abs(speeds(before)).max(initial=0.0)) else ()


def speeds(state: State) -> np.ndarray:
    """Velocity coordinates of the bodies."""
    return state.y[state.model.n_q : state.model.n_q + state.model.n_v]


def kinetic(state: State) -> float:
    """1/2 v' M v."""
    v = speeds(state)
    return float(0.5 * (state.model.masses[state.model.existing] * v[state.model.existing] ** 2).sum())


def energy_lost(before: State, after: State) -> float:
    """What an event takes out: T- - T+ + work of the drivers in it, and what elements stored that it switched off."""
    first = before.model.n_q + before.model.n_v
    works = slice(first, first + len(before.model.work_names))
    work = float((after.y[works] - before.y[works]).sum())
    stored = 0.0
    if before.model is not after.model:  # elements switched, or numbers: what they store is another energy
        stored = float(np.subtract(*(one._result.energy.potential[0] for one in (before, after))))
    return kinetic(before) - kinetic(after) + work + stored


def impulses(before: State, after: State) -> np.ndarray | None:
    """Impulses L of all rows with  M (v+ - v-) = J' L;  None where no rows of `after` give this jump.

    The jump is a step of the velocities by which the rows are met, in the metric of the masses.
    """
    jump = speeds(after) - speeds(before)
    system = after.system()
    system.locate(after.t, after.y)
    change = system.newton_step(system.row_rates(jump)[0] * system.held) if system.n_rows else 0.0
    found = system.plan.of_model(system.multipliers[None, :])
    size = max(np.abs(speeds(before)).max(initial=0.0), np.abs(speeds(after)).max(initial=0.0))
    if not np.abs(change - jump).max(initial=0.0) <= MET * size:
        return None
    own = Segment.of_state(after, "body")
    return least_norm(own.series, found, own.combinations)[0]
