"""What `near` asks of a position: met as far as joints, drivers, start values and what is held leave it free.

Where it can be met, Newton meets it together with the rows.  Where it cannot, the position is moved along the freedom
that the rows leave to where the sum of squares of what is missing is least, an angle counting as a length:

    z = M^-1 g - M^-1 J' S^-1 J M^-1 g      how the bodies give way to the gradient g of a wish, the rows kept
    (g z) c = missing                       in the sense of least squares; then move by the sum of c z, and close again

M is the metric of the moves, S = J M^-1 J'.
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.assembly.fits import flipped
from linkwork.analysis.assembly.newton import TOLERANCE, newton
from linkwork.analysis.common import start_rows
from linkwork.analysis.rank import least_squares
from linkwork.compiled.names import positions
from linkwork.coordinates.body import System

TRIALS = 80  # of least squares
NOT_FREE = 1e-12  # how much a wish may give way, against what it would alone, where the rows do not leave it free
ENOUGH = 1e-9  # against a length of the mechanism: moves, and what is missing, below this are nothing
TURN = 2.0 * np.pi


class Wishes:
    """The `near` values of positions, for a search with further rows: start values, then what is held of `declared`."""

    def __init__(self, model, near, start, declared):
        self.model, self.declared = model, declared
        mechanism = model.mechanism
        rows = start_rows(mechanism, positions(mechanism, near))
        self.any = bool(rows)
        if self.any:
            before = start_rows(mechanism, start)
            self.system = System(model.plan(rows=[*before, *rows, *declared.rows]))
            first = len(model.rows) + len(before)
            self.own = np.arange(first, first + len(rows))
            self.values = np.array([row.value for row in rows])
            self.angles = np.array([row.measure.quantity == "angle" for row in rows])
            self.scale = np.array([1.0 if row.measure.quantity == "length" else model.length for row in rows])

    def missing(self, t, y) -> np.ndarray:
        """By how much every wish is missed, as lengths; whole turns do not count."""
        system = self.system
        system.locate(t, y)
        off = self.values - system.phi[self.own] - system.row_values[self.own]
        off[self.angles] -= TURN * np.round(off[self.angles] / TURN)
        return off * self.scale

    def off(self, t, y) -> float:
        """How far a position is from the wishes."""
        return float(np.linalg.norm(self.missing(t, y))) if self.any else 0.0

    def met(self, searched, t, y, metric):
        """The position nearby that misses the least, with what `searched` holds; the memory of that one is changed."""
        if not self.any:
            return y
        system = self.system
        system.memory[:] = searched.plan.memory_for(system.plan, searched.memory)
        system.loose = [
            (r + len(self.own) * (r >= self.own[0]), self._slot(searched, slot), weight)
            for r, slot, weight in searched.loose
        ]
        self._hold(metric, 0.0)
        if self.off(t, y) <= ENOUGH * self.model.length:
            return y
        before = system.memory.copy()
        found = self._exactly(t, y, metric)
        if found is None:
            system.memory[:] = before
            found = self._least(t, y, metric)
        searched.memory[:] = system.plan.memory_for(searched.plan, system.memory)
        return found

    def _slot(self, searched, slot: int) -> int:
        """A slot of the memory of the other system in that of this one."""
        measure = next(one for one, place in searched.plan.turn_slots.items() if place == slot)
        return self.system.plan.turn_slots[measure]

    def _hold(self, metric, wished: float) -> None:
        """Hold the rows of position and what is held of the declared poses; `wished` says whether the wishes, too."""
        self.system.held[:] = self.system.plan.positional
        self.system.held[self.own] = wished
        self.declared.apply(self.system, metric)

    def _exactly(self, t, y, metric):
        """Where the wishes are met, in the turns that are nearest; None where that leads nowhere."""
        system = self.system
        system.locate(t, y)
        here = system.phi[self.own] + system.row_values[self.own]
        if not np.isfinite(here).all():
            return None
        goal = system.row_values[self.own].copy()
        system.row_values[self.own] = here + self.missing(t, y) / self.scale
        self._hold(metric, 1.0)
        found, error = newton(system, t, y)
        system.row_values[self.own] = goal
        self._hold(metric, 0.0)
        return found if error <= TOLERANCE and not flipped(self.model, found) else None

    def _least(self, t, y, metric):
        """Where least is missing, down from here; moves that lead further away are halved."""
        system, enough = self.system, ENOUGH * self.model.length
        best, memory = y, system.memory.copy()
        missing = self.missing(t, best)
        move, reach = self._move(missing), self.model.length
        for _ in range(TRIALS):
            size = float(np.linalg.norm(move * np.sqrt(metric.ravel())))
            if not min(size, reach) > enough:
                break
            reach = min(reach, size)
            system.memory[:] = memory
            trial, error = newton(system, t, system.moved(best, reach / size * move))
            left = self.missing(t, trial)
            if error <= TOLERANCE and left @ left < missing @ missing and not flipped(self.model, trial):
                best, memory, missing = trial, system.memory.copy(), left
                move, reach = self._move(missing), 2.0 * reach
            else:
                reach *= 0.5
        system.memory[:] = memory
        return best

    def _move(self, missing):
        """The step along the freedom that takes away most of what is missing, at the position last located."""
        system = self.system
        pushes = [scale * system.pushed(int(r)) for r, scale in zip(self.own, self.scale)]
        ways = np.array(
            [
                push - system.newton_step(system.row_rates(push)[0] * system.held, again=k > 0)
                for k, push in enumerate(pushes)
            ]
        )
        free, alone = (
            self.scale[:, None] * np.array([system.row_rates(one)[0][self.own] for one in some]).T
            for some in (ways, pushes)
        )
        if not np.isfinite(free).all():
            return np.zeros(system.plan.n_v)
        return least_squares(free, missing, NOT_FREE * alone.diagonal().max()) @ ways
