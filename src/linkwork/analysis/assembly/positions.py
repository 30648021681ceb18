"""Positions that meet the rows: Newton from a first position, and from others where that leads nowhere.

Declared poses are held as long as the rest can close the mechanism.  Where it cannot, those of the parts that do not
close are let go, and the bodies move as little as possible, undeclared ones rather than declared ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.analysis.assembly.declared import Declared
from linkwork.analysis.assembly.fits import flipped, turned_over
from linkwork.analysis.assembly.newton import TOLERANCE, errors_at, newton, shortening, use_metric
from linkwork.analysis.assembly.placement import place
from linkwork.analysis.assembly.refusal import refuse
from linkwork.analysis.assembly.trials import TURNED, same_position, shaken, way_between
from linkwork.analysis.assembly.weights import metric_of
from linkwork.analysis.assembly.wishes import Wishes
from linkwork.analysis.common import start_rows
from linkwork.analysis.rank import scaled_rows
from linkwork.compiled.graph import components
from linkwork.compiled.names import positions
from linkwork.coordinates.body import System
from linkwork.kernels import layout as at

ATTEMPTS = 8  # from other first positions
MORE = 24  # of them, where bodies are few
FEW_BODIES = 20
NEARBY = 4  # attempts that stay near the first position
CANDIDATES = 4
LATER = 1.25  # times its way: another answer must be clearly nearer than that of the first position itself
AGAIN = 5  # answers in a row that are known already: there is hardly another one
FURTHER = 6  # attempts to find a position that is no more movable than it should be
MOST_ROWS = 400  # of joints in loops, for that question
HEALTHY = 1e-3  # the smallest pivot of rows that are independent without any doubt
UNSURE = 1e-4  # of singular values: beside a singular position, rows that are met tell the place to their root only
MET = 1e-6  # against a length of the mechanism: `near` values that are met
NEAR_ENOUGH = 0.1  # radians, or against a length of the mechanism: what `near` may be off before others are looked for
SMALL_GAP = 0.05  # a first position that is this good (against a length of the mechanism) needs no second opinion


class Search:
    """A search for a position from a first one, the same every time."""

    def __init__(
        self,
        system: System,
        t: float,
        y: np.ndarray,
        start: Mapping[str, Any],
        near: Mapping[str, Any],
        declared: Declared,
        metric: Any,
    ) -> None:
        self.system, self.model = system, system.model
        self.t, self.first, self.y = t, y, y.copy()
        self.start, self.near = start, near
        self.declared, self.metric = declared, metric
        self.memory = system.memory.copy()
        joints = system.plan.of_joints & (system.held > 0.0)
        self.closing = np.flatnonzero(joints & system.plan.in_loops).tolist()
        self.counted = int(system.columns.sum()) - int(joints.sum())
        self.tries = MORE if len(self.model.bodies) <= FEW_BODIES else ATTEMPTS
        self.wishes = Wishes(self.model, near, start, declared)

    def find(self) -> tuple[np.ndarray, int]:
        """The position, and after how many attempts; raises `AssemblyError` where there is none."""
        found = self._look()
        met = MET * self.model.length
        while self.declared.any_held and not any(one[0] <= met for one in found):
            self.declared.let_go([] if found else self._stuck())
            least = min((one[0] for one in found), default=np.inf)  # what was declared moves only where that helps
            found += [one for one in self._look() if one[0] < least - met]
        if not found:
            refuse(self.system, self.t, self.nearest, self.first, self.over, self.start)
        *_, attempt, position, self.system.memory[:] = min(found, key=lambda one: one[:4])
        return position, 1 if found[0][3] == 1 else attempt

    def _stuck(self) -> list[str]:
        """Bodies of the parts of the mechanism that do not close alone; the others are put where they close."""
        system, model = self.system, self.model
        rest = errors_at(system, self.t, self.nearest)
        names = [body.name for body in model.bodies]
        bodies = [
            {frame.body for _, one in row.measure.terms() for frame in (one.on, one.to)} for row in system.plan.rows
        ]
        groups = [set(group) for group in components(names, model.edges)]
        unmet = set().union(*(bodies[r] for r in np.flatnonzero(rest > TOLERANCE)))
        touched = [group for group in groups if unmet & group]
        stuck: list[str] = []
        held = system.held.copy()
        for group in touched:
            system.held[:] = held * [bool(one & group) for one in bodies]
            attempts = (self._try(attempt, ()) for attempt in range(self.tries if len(touched) > 1 else 0))
            position = next((one for one in attempts if one is not None), None)
            if position is None:
                stuck += group
            else:
                here = np.repeat([name in group for name in names], at.COORDINATES[model.dimension][0])
                self.y[: model.n_q][here] = position[: model.n_q][here]
        system.held[:] = held
        return stuck

    def _is_near(self, off: float) -> bool:
        return off < NEAR_ENOUGH * self.model.length

    def _look(self) -> list[tuple]:
        """Positions found: how far from `near`, freedom too many, way, attempt, position, memory.

        Where the first position already meets the constraints nearly, and `near` too, the first answer counts, unless
        it is more movable than it should be (a scissor lift that lies flat).  Else several are looked for, and the
        one is taken that is nearest to `near`, then the one that moves least.
        """
        system, model = self.system, self.model
        self.declared.apply(system, self.metric)
        self.nearest, self.least, self.towards = self.y, np.inf, self.y
        self.over, self.reverse = None, False
        system.memory[:] = self.memory
        errors = errors_at(system, self.t, self.y)
        gap = errors.max(initial=0.0)
        found: list[tuple] = []
        attempt, last = 0, 1 if self.declared.all_held or self._hopeless(errors) else self.tries
        again = 0
        while attempt < last and sum(not one[1] for one in found) < CANDIDATES:
            position = self._try(attempt, found)
            attempt += 1
            if position is None:
                if self._straight():
                    break
                continue
            position = self.wishes.met(system, self.t, position, self.metric)
            if any(same_position(model, position, one[4]) for one in found):
                again += 1
                if again == AGAIN and any(self._is_near(one[0]) and not one[1] for one in found):
                    break
                continue
            again = 0
            way = way_between(model, self.y, position) * (1.0 if attempt == 1 else LATER)
            off = self.wishes.off(self.t, position)
            memory = system.memory.copy()
            loose = self._too_loose(position)
            found.append((round(off, 6), loose, way, attempt, position, memory))
            if self._is_near(off) and (gap < SMALL_GAP or (self.near and attempt > 1)):
                last = min(last, attempt + FURTHER if loose else attempt)
        return found

    def _straight(self) -> bool:
        """Whether all turns are held in the plane, and rows of places are straight then: one attempt tells all."""
        model = self.model
        if model.dimension == 3 or not self.declared.coordinates()[model.turning, 2].all():
            return False
        held = (row for row, acts in zip(self.system.plan.rows, self.system.held) if acts)
        return all(one.straight for row in held for _, one in row.measure.terms())

    def _hopeless(self, errors) -> bool:
        """Whether there are rows that are not met, and nothing of what they measure may move.

        Looked at here and at another position: a rod in line with its guide does not move only for a moment.
        """
        if not self.declared.any_held:
            return False
        off = (errors > TOLERANCE) & ~self._movable()
        if off.any():
            off &= errors_at(self.system, self.t, self._kept(shaken(self.model, self.y, 1))) > TOLERANCE
            off &= ~self._movable()
            self.system.memory[:] = self.memory
        return bool(off.any())

    def _movable(self) -> np.ndarray:
        """Rows that what is not held can move, at the position located."""
        free = ~self.declared.coordinates()
        return self.system.row_rates(free.astype(float).ravel())[1] > 0.0

    def _too_loose(self, position) -> int:
        """Freedom beyond that of counting, or beyond 1 where counting gives less: rows that follow from others.

        Only looked for where it can be an accident of a small mechanism.
        """
        if not 0 < len(self.closing) <= MOST_ROWS or self._pivot(position) > HEALTHY:
            return 0
        sizes = np.linalg.svd(scaled_rows(self.system, self.closing, self.system.columns), compute_uv=False)
        lost = len(self.closing) - int(np.sum(sizes > UNSURE * sizes[0]))
        return max(0, lost - max(0, 1 - self.counted))

    def _pivot(self, position) -> float:
        """The smallest pivot of the rows that close loops, all bodies being free."""
        system, held, numbers = self.system, self.system.held.copy(), self.system.numbers_kept()
        use_metric(system, self.metric)
        system.held[:] = 0.0
        system.held[self.closing] = 1.0
        system.locate(self.t, position)
        system.newton_step(np.zeros(system.n_rows))
        system.held[:] = held
        system.take_back(numbers)
        return float(system.w[at.PIVOT])

    def _try(self, attempt: int, found):
        """Where Newton goes in one attempt, or None."""
        system, model, y = self.system, self.model, self.y
        trial = None
        if attempt == 0:
            trial = y
        elif attempt == 1 and self.near:
            trial = self.towards = self._kept(_towards(model, self.t, y, {**self.near, **self.start}))
        elif self.reverse:  # an answer with axes the wrong way round: that joint turned over, every other time
            trial = turned_over(model, self.over, flipped(model, self.over)[0], self.declared.coordinates()[:, -1])
        elif not found and attempt == (2 if self.near else 1):
            trial = self._bent()
        if trial is None:  # far away, if so far all is on another branch than wanted, or nothing is found nearby
            far = (self.near or all(one[1] for one in found)) if found else attempt > NEARBY
            trial = self._kept(shaken(model, self.towards if found else y, attempt, np.pi if far else TURNED))
        system.memory[:] = self.memory
        position, error = newton(system, self.t, trial)
        if error > TOLERANCE:
            system.memory[:] = self.memory
            again, other = shortening(system, self.t, trial)
            position, error = (again, other) if other < error else (position, error)
        if error <= TOLERANCE and not flipped(model, position):
            return position if attempt == 0 else self._unwound(position)
        if error <= TOLERANCE:
            self.over = position
        self.reverse = error <= TOLERANCE and not self.reverse
        if TOLERANCE < error < self.least:
            self.nearest, self.least = position, error
        return None

    def _kept(self, trial):
        """A trial with what is held put back."""
        if not self.declared.any_held:
            return trial
        model, d = self.model, self.model.dimension
        size, _ = at.COORDINATES[d]
        held = self.declared.coordinates()
        places = np.repeat(held[:, [0, -1]], (d, size - d), axis=1).ravel()
        trial[: model.n_q][places] = self.y[: model.n_q][places]
        return trial

    def _unwound(self, position):
        """In the plane, angles within half a turn of the first position, where the rows (rolling) leave that open."""
        if self.model.dimension == 3:
            return position
        out = position.copy()
        angles = out[2 : self.model.n_q : 3]
        turns = np.round((angles - self.y[2 : self.model.n_q : 3]) / (2.0 * np.pi))
        if not turns.any():
            return position
        angles -= 2.0 * np.pi * turns
        memory = self.system.memory.copy()
        if errors_at(self.system, self.t, out).max(initial=0.0) <= TOLERANCE:
            return out
        self.system.memory[:] = memory
        return position

    def _bent(self):
        """A first position with every joint that nothing is known of turned alike: an arch that closes long loops."""
        values = {**self.near, **self.start}
        best, least = None, np.inf
        bend = 2.0
        while bend * len(self.model.bodies) > 0.5:
            trial = self.system.pack(*place(self.model, values, bend))
            gap = float(np.linalg.norm(errors_at(self.system, self.t, trial)))
            if gap < least:
                best, least = trial, gap
            bend *= 0.8
        return best


def _towards(model, t, y, values):
    """A position moved to where all of these values are met, as far as that goes together with the joints."""
    system = System(model.plan(rows=start_rows(model.mechanism, positions(model.mechanism, values))))
    use_metric(system, metric_of(model))
    system.held[:] = system.plan.positional
    return newton(system, t, y)[0]
