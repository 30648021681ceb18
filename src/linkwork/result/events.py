"""Events: what was done at the borders between segments, with the states before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from linkwork.arguments import Explained
from linkwork.compiled.modes import FREE
from linkwork.result.reactions import least_norm
from linkwork.result.segments import Segment
from linkwork.result.state import State

MET = 1e-6  # of the largest speed: a jump that rows explain to within this is theirs


@dataclass(frozen=True)
class EventRecord(metaclass=Explained):
    """One event: its time, what was done, and the states before and after; in `impulses` those of the rows, by name."""

    t: float
    done: tuple[str, ...]
    before: State = field(repr=False)
    after: State = field(repr=False)

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
        """Kinetic energy that is gone, beyond what drivers took or gave in the jump."""
        return energy_lost(self.before, self.after)

    def __str__(self) -> str:
        return f"t = {self.t:.6g} s: {', '.join(self.done)}; {self.energy_lost:.4g} J lost"


class Events(Sequence):
    """The events of a result in the order of time: `run.events[0].before`, `len(run.events)`, `print(run.events)`."""

    def __init__(self, records):
        self._records = tuple(records)

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, k):
        return Events(self._records[k]) if isinstance(k, slice) else self._records[k]

    def __repr__(self) -> str:
        return f"<{len(self)} events>"

    def __str__(self) -> str:
        lines = [f"  {'t [s]':>12}  {'lost [J]':>12}  done"]
        lines += [f"  {one.t:12.6g}  {one.energy_lost:12.4g}  {', '.join(one.done)}" for one in self]
        return "\n".join(lines) if len(self) else "no events"


def events_of(segments: Sequence[Segment]) -> Iterator[EventRecord]:
    """What was done at every border where something was."""
    for one, other in pairwise(segments):
        before, after = one.state(-1), other.state(0)
        done = changes(before, after)
        if done:
            yield EventRecord(after.t, done, before, after)


def changes(before: State, after: State) -> tuple[str, ...]:
    """What is different in two states at one place, in words."""
    rows = after.model.rows
    free, was = after.modes == FREE, before.modes == FREE
    found = []
    for word, changed in (("release", free & ~was), ("hold", was & ~free)):
        for item, own in after.model.rows_of.items():
            some = [r for r in own if changed[r]]
            found += [f"{word} {item}"] if some == own else [f"{word} {rows[r].name}" for r in some]
    jump = speeds(after) - speeds(before)
    if np.abs(jump).max(initial=0.0) > 1e-9 * max(1e-9, np.abs(speeds(before)).max(initial=0.0)):
        found.append("velocities jump")
    return tuple(found)


def speeds(state: State) -> np.ndarray:
    """Velocity coordinates of the bodies."""
    return state.y[state.model.n_q : state.model.n_q + state.model.n_v]


def kinetic(state: State) -> float:
    """1/2 v' M v."""
    v = speeds(state)
    return float(0.5 * (state.model.masses[state.model.existing] * v[state.model.existing] ** 2).sum())


def energy_lost(before: State, after: State) -> float:
    """What a jump of the velocities takes out: T- - T+ + work of the drivers in it."""
    first = before.model.n_q + before.model.n_v
    works = slice(first, first + len(before.model.work_names))
    work = float((after.y[works] - before.y[works]).sum())
    return kinetic(before) - kinetic(after) + work


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
    return least_norm(own.series, found, after.dependencies)[0]
