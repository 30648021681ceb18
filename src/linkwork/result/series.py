"""Series out of stored states: the kernels are run over them again and the asked-for places are kept."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from linkwork.compiled.build import build
from linkwork.compiled.names import offsets
from linkwork.coordinates import motion
from linkwork.coordinates.body import System
from linkwork.kernels import layout as at

TURN = 2.0 * np.pi


class Series:
    """Reads sections of the workspace, and measures, at every stored state; keeps what it has read."""

    def __init__(self, model, coordinates, t, states, values, held, raw=None, finer=None, began=None):
        self.model = model
        self.coordinates = coordinates
        self.t = t
        self.states = states
        self.values = values
        self.held = held
        self._raw = raw
        self._finer = finer  # runs the motion again with more outputs: where turns cannot be told from these
        self._began = began  # what is known of turns at the first time: measure -> value, by `get`
        self._sections: dict = {}
        self._measures: dict = {}
        self._uncounted: set = set()  # of these, angles whose full turns are not counted yet

    def section(self, key: int, count: int) -> np.ndarray:
        """(times, count) of a section of the workspace in body coordinates."""
        if key not in self._sections:
            self._sections[key] = self._sweep(self.model, self.states, np.arange(count) + self.model.size(key))
        return self._sections[key]

    @cached_property
    def _motion(self):
        return motion(self.coordinates, self.model, self.t, self.states, self.values, self.held, raw=self._raw)

    @property
    def accelerations(self) -> np.ndarray:
        """(times, velocity coordinates of the bodies), as the coordinates of the run give them."""
        return self._motion[0]

    @property
    def multipliers(self) -> np.ndarray:
        """(times, rows), as the coordinates of the run give them."""
        return self._motion[1]

    def measures(self, measures, turns: bool = True) -> list[np.ndarray]:
        """For each measure (times, 3): value, rate, acceleration.  Without `turns`, values may lack full turns."""
        self.read(measures)
        if turns:
            self._count_turns([one for measure in measures for _, one in measure.terms() if one in self._uncounted])
        return [sum(weight * self._measures[one] for weight, one in measure.terms()) for measure in measures]

    def read(self, measures) -> None:
        """Read measures ahead: many at once cost little more than one."""
        wanted = {one for measure in measures for _, one in measure.terms()} - self._measures.keys()
        if wanted:
            self._read_measures(sorted(wanted, key=repr))

    def _read_measures(self, wanted):
        extended = build(self.model.mechanism, sensors=wanted, like=self.model)
        states = self._with_memory(extended)
        dof, n = extended.dof, extended.size(at.N_MEASURES)
        picks = np.concatenate([np.arange(count) + extended.size(key) for key, count in (
            (at.W_VALUE, n), (at.W_RATE, n), (at.W_BIAS, n), (at.W_GRADIENT, 2 * dof * n))])
        picked = self._sweep(extended, states, picks)
        value, rate, bias = (picked[:, k * n:(k + 1) * n] for k in range(3))
        gradient = picked[:, 3 * n:].reshape(-1, n, 2, dof)
        still = np.zeros((len(self.t), dof))
        acceleration = np.hstack([still, self.accelerations]).reshape(-1, len(extended.bodies) + 1, dof)
        index = {"ground": 0, **{body.name: k + 1 for k, body in enumerate(extended.bodies)}}
        for one in wanted:
            k = extended.measure_index[one]
            second = bias[:, k].copy()
            for side, frame in enumerate((one.on, one.to)):
                second += np.einsum("ij,ij->i", gradient[:, k, side], acceleration[:, index[frame.body]])
            self._measures[one] = np.column_stack([value[:, k], rate[:, k], second])
            self._open_at_rest(one)
            if one not in self.model.measure_index and one in extended.turn_slots:
                self._uncounted.add(one)

    def _open_at_rest(self, measure) -> None:
        """A distance whose ends meet at rest opens as their relative acceleration is large, in whatever direction."""
        still = np.flatnonzero((self._measures[measure][:, 1] == 0.0) & ~np.isfinite(self._measures[measure][:, 2]))
        if still.size and type(measure).__name__ == "Distance":
            parts = [series[still, 2] for series in self.measures(offsets(measure, self.model.dimension))]
            self._measures[measure][still, 2] = np.sqrt(np.sum(np.square(parts), axis=0))

    def _count_turns(self, wanted) -> None:
        """Angles known up to full turns, made continuous: by their rates, or by more outputs where those are needed."""
        if not wanted:
            return
        fine = None
        if self._finer is not None and len(self.t) > 1:
            fine = self._finer(np.max([np.abs(self._measures[one][:, 1]) for one in wanted], axis=0))
        for k, one in enumerate(wanted):
            value, rate = self._measures[one][:, 0], self._measures[one][:, 1]
            if fine is None:
                value[:] = _unwound(self.t, value, rate)
            else:
                counted = fine._series.measures(wanted)[k][np.searchsorted(fine.t, self.t), 0]
                value += TURN * np.round((counted - value) / TURN)
            first = None if self._began is None else self._began.get(one)
            if first is not None:
                value += TURN * np.round((first - value[0]) / TURN)
            self._uncounted.discard(one)

    def _with_memory(self, extended) -> np.ndarray:
        """States with the memory that the extended model wants: what is stored, and zero for new measures."""
        n = self.model.n_y
        return np.hstack([self.states[:, :n], self.model.memory_for(extended, self.states[:, n:])])

    def _sweep(self, model, states, picks):
        return System(model, self.values, self.held).sweep(self.t, states, picks)[0]


def _unwound(t, value, rate):
    """An angle known up to full turns, made continuous: each value is taken nearest to what the rates predict."""
    out = value.copy()
    for k in range(1, out.size):
        expected = out[k - 1] + 0.5 * (t[k] - t[k - 1]) * (rate[k - 1] + rate[k])
        out[k] += TURN * np.round((expected - out[k]) / TURN)
    return out
