"""The search of `positions` for many designs of one structure in the plane, all at once: for each of them the same
attempts in the same order.

What would be decided by more than that, or by rounding, is left to others: such a design is not `fine`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.assembly.declared import DEARER, Declared
from linkwork.analysis.assembly.newton import HEAVY, ROUNDING, SHORT_ROD, TOLERANCE
from linkwork.analysis.assembly.positions import AGAIN, CANDIDATES, HEALTHY, LATER, MOST_ROWS, NEARBY, SMALL_GAP, Search
from linkwork.analysis.assembly.trials import SAME, SHIFTED, TURNED, spread
from linkwork.analysis.assembly.weights import metric_of
from linkwork.coordinates.many import Many, added
from linkwork.coordinates.turns import TURN
from linkwork.kernels import layout as at

BORDER = 1e-9  # of a gap: nearer to what it is compared with, rounding would decide
UNMET = 1e-3  # errors that rounding has no part in
PIVOT = np.array([at.PIVOT], dtype=np.int64)


class ManyLooks:
    """Searches of designs that have the structure of one system."""

    def __init__(self, system: Any, t: float, y: np.ndarray, declared: Declared, one_group: bool) -> None:
        model, plan = system.model, system.plan
        self.plan, self.t, self.one_group = plan, t, one_group
        system.held[:] = plan.positional
        self.rows_held = system.held.copy()
        usual = Search(system, t, y, {}, {}, declared, metric_of(model))
        self.tries = usual.tries
        self.only_closing = np.zeros(system.n_rows)
        self.only_closing[usual.closing] = 1.0
        self.loose_counts = 0 < len(usual.closing) <= MOST_ROWS
        self.all_held = declared.all_held
        held = declared.coordinates()
        self.held = held if held.any() else None
        terms = [one for row, acts in zip(plan.rows, system.held) if acts for _, one in row.measure.terms()]
        self.straight = bool(held[model.turning, 2].all()) and all(one.straight for one in terms)
        self.rods = [
            r for r, row in enumerate(plan.rows) if row.measure.of_line == "length" and system.held[r] and row.value
        ]
        self.dear = np.ones((len(model.bodies), 3))
        if not declared.entirely.all():
            self.dear[declared.place, :2], self.dear[declared.turn, 2:] = DEARER, DEARER
        self.turning, self.still = model.turning, ~model.turning
        self.n_q, self.bodies = model.n_q, len(model.bodies)
        self.phi = plan.places(at.W_PHI).ravel()

    def find(self, many: Many, states: np.ndarray, length: np.ndarray) -> np.ndarray:
        """Put states (designs, state and memory) where their rows are met; returns which of them are fine."""
        many.section(at.W_HELD)[:] = self.rows_held
        metric = np.ones((many.count, self.bodies, 3))
        metric[:, :, 2] = (length * length)[:, None]
        loose = Many(many.tab, many.numbers.copy(), many.first)
        self._weigh(loose, metric, None)
        loose.section(at.W_HELD)[:] = self.only_closing
        every = np.arange(many.count)
        look = _Look(self, many, loose, states, length)
        look.go(every, metric, self.held)
        left = every[look.fine & ~look.any]
        if self.held is not None and len(left):
            if self.one_group:
                look.go(left, metric * self.dear, None)
            else:  # parts have to be told apart
                look.fine[left] = False
        fine: np.ndarray = look.fine & look.any
        states[fine, : self.n_q] = look.best()[fine]
        return fine

    def _weigh(self, many: Many, metric: np.ndarray, held: np.ndarray | None) -> None:
        """As `newton.use_metric`."""
        inverse, masses = 1.0 / metric, metric
        if held is not None:
            inverse, masses = np.where(held, 0.0, inverse), np.where(held, HEAVY, 1.0) * metric
        inverse[:, self.still, 2:] = 0.0
        for key, numbers in (
            (at.P_MASS, masses),
            (at.P_INVERSE_MASS, inverse),
            (at.P_ROOT_INVERSE, np.sqrt(inverse)),
            (at.P_MASS_SCALE, metric),
        ):
            many.section(key)[:, 1:] = numbers

    def shaken(self, y: np.ndarray, attempt: int, far: np.ndarray, length: np.ndarray) -> np.ndarray:
        """As `trials.shaken`."""
        phase, ways = spread(self.bodies, attempt, 2)
        sines = np.sin(phase)
        near, away = TURNED * sines * self.turning, np.pi * sines * self.turning
        q = y.reshape(len(y), self.bodies, 3).copy()
        q[:, :, :2] += (SHIFTED * length)[:, None, None] * ways
        q[:, :, 2] += np.where(far[:, None], away, near)
        return q.reshape(y.shape)


class _Look:
    """As `Search._look` where nothing is wished for, of some designs; what was found of all of them."""

    def __init__(self, owner: ManyLooks, many: Many, loose: Many, states: np.ndarray, length: np.ndarray):
        self.owner, self.many, self.loose, self.states, self.length = owner, many, loose, states, length
        count, n_q = len(states), owner.n_q
        self.y = states[:, :n_q].copy()
        self.fine = np.ones(count, dtype=bool)
        self.found = np.zeros(count, dtype=np.int64)
        self.again = np.zeros(count, dtype=np.int64)
        self.position = np.zeros((count, CANDIDATES, n_q))
        self.dearer = np.full((count, CANDIDATES), LATER)  # but that of the first attempt

    @property
    def any(self) -> np.ndarray:
        """Whether there is a position."""
        return self.found > 0

    def go(self, some: np.ndarray, metric: np.ndarray, held: np.ndarray | None) -> None:
        """Look for positions of some of the designs."""
        owner = self.owner
        self.held, self.places = held, None if held is None else held[:, [0, 0, -1]].ravel()
        owner._weigh(self.many, metric, held)
        self.near_by = np.zeros(len(self.states), dtype=bool)
        gap = self._errors(some, self.states[some])
        self.near_by[some] = gap < SMALL_GAP
        self._leave(some[~np.isfinite(gap) | (np.abs(gap - SMALL_GAP) < BORDER)])
        open_ = np.zeros(len(self.states), dtype=bool)
        open_[some] = True
        for attempt in range(1 if held is not None and owner.all_held else owner.tries):
            open_ &= self.fine & (self.found < CANDIDATES)
            some = np.flatnonzero(open_)
            if not len(some):
                return
            if attempt == 1:  # joints have to be bent where nothing is found
                self._leave(some[self.found[some] == 0])
                some = some[self.found[some] > 0]
            met, position = self._tried(some, attempt)
            if held is not None and owner.straight:
                open_[some[~met]] = False
            some, position = some[met], position[met]
            known = self._known(some, position)
            self.again[some[known]] += 1
            open_[some[known & (self.again[some] == AGAIN)]] = False
            some, position = some[~known], position[~known]
            self.again[some] = 0
            self._keep(some, position, attempt)
            open_[some[self.near_by[some]]] = False

    def _leave(self, some: np.ndarray) -> None:
        self.fine[some] = False

    def _full(self, some: np.ndarray, position: np.ndarray) -> np.ndarray:
        """States of some designs at other positions."""
        states: np.ndarray = self.states[some]
        states[:, : self.owner.n_q] = position
        return states

    def _errors(self, some: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The largest errors of held rows."""
        owner = self.owner
        many = self.many.of(some)
        picks = np.append(owner.phi, at.STATUS)
        found = many.located(np.array([owner.t]), np.ascontiguousarray(states[:, None]), picks)[:, 0]
        self._leave(some[found[:, -1] != at.OK])
        scale = many.section(at.P_ROW)[:, :, at.ROW_SCALE]
        errors: np.ndarray = (np.abs(found[:, :-1]) / scale * owner.rows_held).max(axis=1, initial=0.0)
        return errors

    def _beyond_rounding(self, some: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The largest errors of held rows as `newton.errors_at` has them; what is at the border is left to others."""
        owner, plan = self.owner, self.owner.plan
        if not len(some):
            return np.zeros(0)
        many = self.many.of(some)
        phi, blocks, values = many.sections_at(owner.t, states, at.W_PHI, at.W_BLOCK, at.W_VALUE)
        pose = np.abs(states[:, : owner.n_q].reshape(len(some), owner.bodies, 3))
        pose[:, :, 2] = np.maximum(1.0, pose[:, :, 2])
        bodies, of_blocks = plan.block_owners
        rows, measures, weights = plan.row_terms
        count = phi.shape[1]
        moved = added(of_blocks, np.abs(blocks * pose[:, bodies]).sum(axis=2), count)
        sums = added(rows, weights * values[:, measures], count)
        left = np.maximum(np.abs(phi) - ROUNDING * (moved + np.abs(sums)), 0.0)
        left = left / many.section(at.P_ROW)[:, :, at.ROW_SCALE] * owner.rows_held
        error: np.ndarray = left.max(axis=1, initial=0.0)
        self._leave(some[~np.isfinite(error) | (np.abs(error - TOLERANCE) < 0.01 * TOLERANCE)])
        return error

    def _tried(self, some: np.ndarray, attempt: int) -> tuple[np.ndarray, np.ndarray]:
        """Whether Newton meets the rows in one attempt, and where."""
        owner, y = self.owner, self.y[some]
        trial = y
        if attempt:
            far = (self.found[some] == 0) & (attempt > NEARBY)
            trial = owner.shaken(y, attempt, far, self.length[some])
            if self.places is not None:
                trial[:, self.places] = y[:, self.places]
        states = self._full(some, trial)
        many = self.many.of(some)
        error = many.close(owner.t, states)
        self._leave(some[(error < 0.0) | np.isnan(error)])
        doubtful = np.flatnonzero((error > TOLERANCE) & (error < UNMET))
        error[doubtful] = self._beyond_rounding(some[doubtful], states[doubtful])
        met = error <= TOLERANCE
        if owner.rods:
            rods = many.section(at.P_ROW)[:, owner.rods, at.ROW_VALUE]
            short = ((rods > 0.0) & (rods < SHORT_ROD * self.length[some][:, None])).any(axis=1)
            self._leave(some[~met & short])
        position = states[:, : owner.n_q]
        return met & self.fine[some], position if attempt == 0 else self._unwound(some, position, met)

    def _unwound(self, some: np.ndarray, position: np.ndarray, met: np.ndarray) -> np.ndarray:
        """As `Search._unwound`."""
        turns = np.round((position[:, 2::3] - self.y[some][:, 2::3]) / TURN)
        wound = met & turns.any(axis=1)
        if not wound.any():
            return position
        out = position.copy()
        out[:, 2::3] -= TURN * turns
        who = np.flatnonzero(wound)
        error = self._beyond_rounding(some[who], self._full(some[who], out[who]))
        who = who[error > TOLERANCE]
        out[who] = position[who]
        out[~wound] = position[~wound]
        return out

    def _known(self, some: np.ndarray, position: np.ndarray) -> np.ndarray:
        """As `trials.same_position` with any that was found before."""
        off = np.abs(position[:, None] - self.position[some]).reshape(len(some), CANDIDATES, self.owner.bodies, 3)
        off[..., 2] = np.abs(np.remainder(off[..., 2] + np.pi, TURN) - np.pi)
        off[:, :, self.owner.still, 2] = 0.0
        same = off.max(axis=(2, 3), initial=0.0) < SAME * np.maximum(1.0, self.length[some])[:, None]
        known: np.ndarray = (same & (np.arange(CANDIDATES) < self.found[some][:, None])).any(axis=1)
        return known

    def _keep(self, some: np.ndarray, position: np.ndarray, attempt: int) -> None:
        """New positions, unless they may be more movable than they should be."""
        owner = self.owner
        if not len(some):
            return
        if owner.loose_counts:
            loose = self.loose.of(some)
            right = np.zeros((len(some), owner.only_closing.size))
            pivot = loose.solved(owner.t, self._full(some, position), right, PIVOT)[:, 0]
            self._leave(some[~(pivot > HEALTHY)])
        self.position[some, self.found[some]] = position
        if attempt == 0:
            self.dearer[some, 0] = 1.0
        self.found[some] += 1

    def _way(self, first: np.ndarray, last: np.ndarray, length: float) -> float:
        """As `trials.way_between`: added in its order."""
        parts = (last - first).reshape(-1, 3)
        return float(np.sqrt((parts[:, :2] ** 2).sum() + length * length * (parts[:, 2:] ** 2).sum()))

    def best(self) -> np.ndarray:
        """Of every design the position that moves least; of equal ones the first."""
        every = np.arange(len(self.y))
        parts = (self.position - self.y[:, None]).reshape(len(every), CANDIDATES, self.owner.bodies, 3)
        turns = (self.length * self.length)[:, None] * (parts[..., 2] ** 2).sum(axis=2)
        squares = (parts[..., :2] ** 2).sum(axis=(2, 3)) + turns
        ways = np.where(np.arange(CANDIDATES) < self.found[:, None], np.sqrt(squares) * self.dearer, np.inf)
        best = ways.argmin(axis=1)
        least = ways[every, best]
        close = (ways <= (1.0 + BORDER) * least[:, None]).sum(axis=1) > 1
        for k in np.flatnonzero(close & self.any):
            exact = [self._way(self.y[k], one, float(self.length[k])) for one in self.position[k, : self.found[k]]]
            best[k] = int(np.argmin(exact * self.dearer[k, : self.found[k]]))
        found: np.ndarray = self.position[every, best]
        return found
