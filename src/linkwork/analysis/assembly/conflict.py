"""Which joints, drivers and start values do not go together: an irreducible set of them, found by deletion.

A set counts as failing where Newton meets it neither from the nearest position found nor from beside it.  That without
any one of its items the set is met, is proved by a position; that it is not met as a whole, is tried once more from the
first position and from further ones beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from linkwork.analysis.assembly.fits import flipped, turned_over
from linkwork.analysis.assembly.newton import TOLERANCE, newton, shortening
from linkwork.analysis.assembly.placement import place
from linkwork.analysis.assembly.trials import shaken
from linkwork.analysis.contradiction import needed
from linkwork.analysis.rank import pivoted_qr, scaled_rows
from linkwork.compiled.graph import Edge, components
from linkwork.compiled.numbering import model_of
from linkwork.kernels import layout as at

BESIDE = 4  # attempts from beside the nearest position
AGAIN = 10  # and for the last word, the further ones from far away
TRIES = 120  # sets that are tried; where they do not suffice, no irreducible set is told
FEW_BODIES = 60  # of which the joints that are left place a first position of their own
OVER = 3  # joints that are turned over, one after the other
WORK = 40_000  # bodies times searches, which bounds the time for large mechanisms
CARRIES = 1e-3  # of the largest error: an item with less has most probably no part in it


class Conflict(NamedTuple):
    """Items that do not go together; without any one of them the others do."""

    joints: tuple[str, ...]
    asked: tuple[str, ...]  # drivers and start values
    joints_fit: bool  # all joints go together
    one_freedom: bool  # drivers and start values ask for what follows from the others


class _TooMany(Exception):
    pass


class Finder:
    """Tries of one system, with some of its rows held, about the nearest position that was found for all."""

    def __init__(self, system, t, nearest, first):
        self.system, self.t, self.nearest, self.first = system, t, nearest, first
        self.rows: dict[str, list[int]] = {}
        for r in np.flatnonzero(system.held > 0.0).tolist():
            self.rows.setdefault(system.plan.rows[r].item, []).append(r)
        self.asked = {row.item for row in system.plan.rows if row.kind != "joint"}  # drivers, start values
        self.memory = system.memory.copy()
        self.tries = self.work = 0
        self.met: dict[tuple[str, ...], np.ndarray] = {}

    def find(self) -> Conflict | None:
        """The conflict, or None where tries do not suffice, or say nothing sure."""
        system, held = self.system, self.system.held.copy()
        try:
            return self._found(self._errors())
        except _TooMany:
            return None
        finally:
            system.held[:] = held
            system.memory[:] = self.memory

    def _errors(self) -> dict[str, float]:
        """The largest error of every item at the nearest position."""
        system = self.system
        system.locate(self.t, self.nearest)
        rest = np.abs(system.phi) / system.row_scale * system.held
        return {item: float(rest[rows].max()) for item, rows in self.rows.items()}

    def _found(self, errors) -> Conflict | None:
        bad = self._parts([item for item, error in errors.items() if error > TOLERANCE])
        if not bad:
            return None
        joints = [item for item in bad[0] if item not in self.asked]
        asked = [item for item in bad[0] if item in self.asked]
        fit = bool(asked) and not self._fails(joints)
        joints_fit = fit and len(bad) == 1
        items = [*asked, *joints] if fit else joints  # what is asked for is left out first
        most = CARRIES * max(errors.values())
        likely = [item for item in items if errors[item] > most]
        if len(likely) < len(items) and self._fails(likely):
            items = likely
        found = needed(items, self._fails)
        if not found or not self._fails(found, AGAIN, (self.nearest, self.first)):
            return None
        own = tuple(item for item in found if item in asked)
        return Conflict(tuple(item for item in found if item in joints), own, joints_fit, self._one_freedom(found, own))

    def _parts(self, unmet) -> list[list[str]]:
        """Items of every part of the mechanism that does not go together alone; the others are put where they do."""
        model = self.system.model
        names = [body.name for body in model.bodies]
        bodies = {item: self._bodies(rows) for item, rows in self.rows.items()}
        edges = [*model.edges, *(Edge(item, tuple(some)) for item, some in bodies.items())]
        groups = [set(group) for group in components(names, edges)]
        touched = [group for group in groups if any(bodies[item] & group for item in unmet)]
        found = []
        for group in touched:
            part = [item for item, some in bodies.items() if some & group]
            if len(touched) == 1 or self._fails(part, AGAIN, (self.nearest, self.first)):
                found.append(part)
                continue
            here = np.repeat([name in group for name in names], at.COORDINATES[model.dimension][0])
            self.nearest = self.nearest.copy()
            self.nearest[: model.n_q][here] = self.met[tuple(sorted(part))][: model.n_q][here]
        return found

    def _bodies(self, rows) -> set[str]:
        measures = [one for r in rows for _, one in self.system.plan.rows[r].measure.terms()]
        return {frame.body for one in measures for frame in (one.on, one.to)} - {"ground"}

    def _fails(self, items, attempts: int = BESIDE, starts=None) -> bool:
        self.tries += 1
        if self.tries > TRIES:
            raise _TooMany
        system, kept = self.system, set(items)
        system.held[:] = 0.0
        for item in items:
            system.held[self.rows[item]] = 1.0
        for begin in self._beginnings(kept, attempts, starts or (self.nearest,)):
            trial = self._met(begin, kept, starts is not None)
            if trial is not None:
                self.met[tuple(sorted(items))] = trial
                return False
        return True

    def _beginnings(self, kept, attempts, starts) -> Iterator[np.ndarray]:
        """Positions to go from: those given, those that the joints alone lead to, and positions beside the first."""
        model = self.system.model
        yield from starts
        if len(model.bodies) <= FEW_BODIES:
            joints = model.mechanism.joints
            less = model.mechanism.without([name for name in joints if name not in kept])
            for bend in (0.0, 0.5):
                yield self.system.pack(*place(model_of(less), {}, bend))
        for start in starts:
            for attempt in range(1, attempts + 1):
                yield shaken(model, start, attempt, np.pi if attempt > BESIDE else 0.8)

    def _met(self, trial, kept, shorten: bool):
        """The position that Newton finds, with joints turned over that have their axes the wrong way round; or None."""
        system, model = self.system, self.system.model
        nothing = np.zeros(len(model.bodies), dtype=bool)
        for _ in range(OVER + 1):
            self.work += len(model.bodies)
            if self.work > WORK:
                raise _TooMany
            system.memory[:] = self.memory
            found, error = newton(system, self.t, trial)
            if error > TOLERANCE and shorten:
                system.memory[:] = self.memory
                found, error = shortening(system, self.t, trial)
            if error > TOLERANCE:
                return None
            wrong = [name for name in flipped(model, found) if name in kept]
            if not wrong:
                return found
            trial = turned_over(model, found, wrong[0], nothing)
            if trial is None:
                return None
        return None

    def _one_freedom(self, items, asked) -> bool:
        """Whether what is asked for follows from the rest of the conflict: more is asked for than is free."""
        if len(asked) < 2:
            return False
        rest = [item for item in items if item != asked[-1]]
        if self._fails(rest):
            return False
        system = self.system
        system.locate(self.t, self.met[tuple(sorted(rest))])
        rows = [r for item in items for r in self.rows[item]]
        few = [r for item in rest for r in self.rows[item]]
        ranks = [pivoted_qr(scaled_rows(system, some, system.columns).T)[1] for some in (few, rows)]
        return ranks[0] == ranks[1]
