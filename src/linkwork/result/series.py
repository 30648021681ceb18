"""Series out of stored states, each computed when it is asked for: what positions and speeds give straight from them,
accelerations and multipliers by the kernels, block by block of times.
"""

from __future__ import annotations

from functools import cached_property
from threading import RLock

import numpy as np

from linkwork.compiled.asked_again import measure_failure
from linkwork.compiled.modes import FREE
from linkwork.compiled.names import beside, offsets
from linkwork.coordinates import motion
from linkwork.coordinates.body import System
from linkwork.coordinates.readings import read, told
from linkwork.coordinates.turns import TURN, Said, shift, told_by_position
from linkwork.kernels import layout as at
from linkwork.result.turns import with_more_outputs


class Series:
    """Reads measures, accelerations, multipliers and places of the workspace at every stored state; keeps them."""

    def __init__(self, segment):
        self._segment = segment
        self.model = segment.model
        self.plan = segment.model.plan()  # of all rows
        self.t = segment.t
        self.bodies = segment.bodies
        self._lock = RLock()
        self._sections: dict = {}
        self._known: dict = {}  # simple measure -> [value, rate], and the second rate behind them when it was asked for
        self._uncounted: set = set()  # of these, angles whose full turns are not counted yet

    @property
    def states(self) -> np.ndarray:
        """States of all bodies, with work and memory."""
        return self.bodies.all

    # -- places of the workspace -----------------------------------------------------------------------------------
    def section(self, key: int, located: bool = False) -> np.ndarray:
        """(times, count) of a section of the workspace in body coordinates; `located`: without forces, see `sweep`."""
        if key not in self._sections:
            self._sections[key] = self.pick(self.plan.places(key), located)
        return self._sections[key]

    def pick(self, picks, located: bool = False) -> np.ndarray:
        """(times, picks): places of the workspace in body coordinates."""
        return self._system.swept(self.t, self.states, picks, located)

    @cached_property
    def violation(self) -> np.ndarray:
        """(times,): the largest error of a row, in the coordinates of the run: joints of the tree are met by it."""
        plan = self._segment.plan
        own = self.bodies.raw is not None and plan.layout.absorbed_are_met
        rows = plan.kept if plan.layout.absorbed_are_met else np.flatnonzero(self._segment.modes != FREE)
        out = np.zeros(len(self.t))
        if rows.size:
            system, states = (self.bodies.system, self.bodies.raw) if own else (self._system, self.states)
            picks = system.plan.places(at.W_PHI)
            picks = picks if own else picks[rows]
            for part, picked in system.sweep(self.t, states, picks, located=True):
                out[part] = np.abs(picked).max(axis=1)
        return out

    @property
    def _system(self) -> System:
        return System(self.plan, self._segment.values, self._segment.held)

    # -- forward dynamics, or what the segment was made with ---------------------------------------------------------
    def _motion(self, rows: bool):
        own, raw = self._segment, self.bodies.raw
        states = self.states if rows or raw is None else self.bodies.row(0)[None, :]
        return motion(own.plan, self.t, states, own.values, own.held, raw=raw, rows=rows)

    def _given(self, what: str, numbers) -> np.ndarray:
        if numbers is None:
            raise self._segment.lacks(what)
        return numbers

    @cached_property
    def accelerations(self) -> np.ndarray:
        """(times, velocity coordinates of the bodies), as the coordinates of the run give them."""
        if self._segment.source != "dynamics":
            return self._given("accelerations", self._segment.known_accelerations)
        return self._motion(rows=False)[0]

    @cached_property
    def multipliers(self) -> np.ndarray:
        """(times, rows), as the coordinates of the run give them."""
        if self._segment.source != "dynamics":
            return self._given("multipliers", self._segment.known_multipliers)
        self.__dict__["accelerations"], found = self._motion(rows=True)  # found on the way
        return found

    # -- measures --------------------------------------------------------------------------------------------------
    def measure(self, measure, order: int = 0, turns: bool = True) -> np.ndarray:
        """(times,): value (order 0), rate (1) or second rate (2).  Without `turns`, values may lack full turns."""
        terms = measure.terms()
        self._read([one for _, one in terms], order)
        if turns and order == 0:
            self._count_turns([one for _, one in terms if one in self._uncounted])
        if len(terms) == 1 and terms[0][0] == 1.0:
            return self._known[terms[0][1]][order]
        return sum(weight * self._known[one][order] for weight, one in terms)

    def measures(self, measures, order: int = 0) -> list[np.ndarray]:
        """The same of several."""
        return [self.measure(one, order) for one in measures]

    def _read(self, measures, order: int) -> None:
        with self._lock:  # a result may be read by several threads
            self._read_now(measures, order)

    def _read_now(self, measures, order: int) -> None:
        wanted = [one for one in dict.fromkeys(measures) if len(self._known.get(one, ())) <= order]
        wanted = [one for one in wanted if not self._straight(one, order)]
        if not wanted:
            return
        if len(wanted) == 1 and order < 2:  # who reads x of a place reads y: together they cost the same
            wanted += [one for one in beside(wanted[0], self.model.dimension) if one not in self._known]
        readings, dof = self.model.readings(wanted), self.model.dof
        found = np.empty((2 + (order == 2), len(wanted), len(self.t)))
        for part, value, rate, second in read(readings, self.bodies.gather(readings), order == 2):
            found[0, :, part], found[1, :, part] = value.T, rate.T
            if order == 2:
                found[2, :, part] = second[:, :, 0].T
                for k, sides in enumerate(readings.sides):
                    for side, body in enumerate(sides):
                        if body >= 0:
                            gradient = second[:, k, 1 + dof * side : 1 + dof * (side + 1)]
                            found[2, k, part] += np.einsum(
                                "ij,ij->i", gradient, self.accelerations[part, dof * body : dof * (body + 1)]
                            )
        for k, one in enumerate(wanted):
            self._must_be_finite(one, found[:2, k])
            if one in self._known:  # its turns may have been counted
                self._known[one].append(found[2, k])
            else:
                self._known[one] = list(found[:, k])
                if one not in self.plan.measure_index and one.memory == "turns":
                    self._uncounted.add(one)
            if order == 2:
                self._open_at_rest(one)

    def _straight(self, measure, order: int) -> bool:
        """Whether a measure is a coordinate of a body as states hold it; then it is known now."""
        place = self.model.coordinate(measure)
        if place is None or measure in self.plan.measure_index:
            return False
        body, k = place
        if measure not in self._known:
            if measure.memory == "turns":
                self._uncounted.add(measure)
            self._known[measure] = [part[:, k].copy() for part in self.bodies.of(body)]
        if order == 2 and len(self._known[measure]) == 2:
            self._known[measure].append(self.accelerations[:, self.model.dof * body + k].copy())
        return True

    def _must_be_finite(self, measure, found) -> None:
        """The function of a measure must give numbers, also where it is only read."""
        if measure.function(self.model.dimension) is not None and not np.isfinite(found).all():
            k = np.flatnonzero(~np.isfinite(found).all(axis=0))[0]
            alone = self.model.readings([measure])
            seen, memory = told(alone, self.bodies.gather(alone)[k : k + 1])
            raise measure_failure(measure, self.model.dimension, seen, memory, f"at t = {self.t[k]:.6g} s")

    def _open_at_rest(self, measure) -> None:
        """A distance whose ends meet at rest opens as their relative acceleration is large, in whatever direction."""
        _, rate, second = self._known[measure]
        still = np.flatnonzero((rate == 0.0) & ~np.isfinite(second))
        if still.size and measure.of_line == "length":
            parts = [series[still] for series in self.measures(offsets(measure, self.model.dimension), 2)]
            second[still] = np.sqrt(np.sum(np.square(parts), axis=0))

    def _count_turns(self, wanted) -> None:
        """Angles known up to full turns, made continuous, and begun in the turn that is meant."""
        jumping = [one for one in wanted if self.model.dimension == 3 or not one.is_turn]
        if jumping:  # in the plane the bodies count the turns of angles
            self._make_continuous(jumping)
        # a state that was assembled says all there is to say; others say what their position does not tell
        began = self._segment.began
        position = {} if isinstance(began, Said) else told_by_position(self.model, self.states[0])
        for one in wanted:
            first = None if began is None else began.get(one)
            value = self._known[one][0]
            value += shift(value[0], (position.get(one) or 0.0) if first is None else first)
            self._uncounted.discard(one)

    def _make_continuous(self, wanted) -> None:
        """By their rates, or by more outputs where those are needed."""
        fine = None
        if len(self.t) > 1:
            rates = np.max([np.abs(self._known[one][1]) for one in wanted], axis=0)
            fine = with_more_outputs(self._segment, rates)
        for one in wanted:
            value, rate = self._known[one][:2]
            if fine is None:
                value[:] = _unwound(self.t, value, rate)
            else:
                counted = fine._series.measure(one)[np.searchsorted(fine.t, self.t)]
                value += TURN * np.round((counted - value) / TURN)


def _unwound(t, value, rate):
    """An angle known up to full turns, made continuous: each value is taken nearest to what the rates predict.

    The whole turns that one gap needs beyond the one before do not depend on how many there were: they add up.
    """
    expected = value[:-1] + 0.5 * np.diff(t) * (rate[:-1] + rate[1:])
    return value + TURN * np.concatenate([[0.0], np.cumsum(np.round((expected - value[1:]) / TURN))])
