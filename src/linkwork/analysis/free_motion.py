"""The motion that constraints leave, around a state: independent coordinates z and their accelerations.

    symbol   word                                                                     shape
    J        Jacobian of the held rows                                                (rows, coordinates)
    B        speeds of the bodies for unit speeds of the coordinates                  (body speeds, coordinates)
    R        speeds of the coordinates for unit rates of z: J R = 0, R'M R = I        (coordinates, freedom)
    z''      R'M a, with a the accelerations of the equations of motion               (freedom,)
    s        states of laws                                                           (states,)

z moves the coordinates along R and back onto the constraints by the smallest step.  With M = B'diag(m)B as metric z has
unit mass, and z'' = -K z - D z' near a state of rest; with states of laws it is

    z'' = -K z - D z' + G s        s' = Z z + V z' + S s
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from linkwork.analysis.common import raise_status
from linkwork.analysis.entering import enter, pick
from linkwork.errors import AnalysisError, message
from linkwork.kernels import layout as at
from linkwork.result.state import State

EARTH = 9.81  # what pulls a pendulum, m/s^2: only a size to compare with
RANK = 1e-9  # singular values below this part of the largest count as zero
ON = 1e-7  # errors of rows, and moves, that count as none
BESIDE = 0.5  # of a step: how much the way back onto the constraints may be
SETTLING = 20  # steps of Newton, for states of laws
SETTLED = 1e-12  # of their size
STEPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6)  # of differences: turns, and ways against the size of the whole


class Lost(Exception):
    """A step was too long to come back onto the constraints nearby."""


class FreeMotion:
    """A state in a set of coordinates, and how it can move from there."""

    def __init__(self, model, state: State, coordinates: str):
        self.model, self.state = model, state
        self.coordinates = pick(model, coordinates, state)
        self.system, self.y, _ = enter(model, self.coordinates, state)
        self.t = state.t
        self.n_q, self.n_v = self.system.plan.n_q, self.system.plan.n_v
        self.speeds = slice(self.n_q, self.n_q + self.n_v)
        self.own = slice(self.y.size - len(model.law_states), self.y.size)  # states of laws
        self.settles = False  # whether states of laws are at rest, too, wherever it moves
        self.y[self.speeds] = 0.0
        self.look()

    def look(self) -> None:
        """J, B and R at the position y."""
        system = self.system
        acting = np.flatnonzero(system.held)
        B = np.zeros((self.model.n_v, self.n_v))
        J = np.zeros((acting.size, self.n_v))
        for k in np.flatnonzero(system.columns):
            speed = np.zeros(self.n_v)
            speed[k] = 1.0
            J[:, k] = system.rates_of_rows(self.t, self.y, speed)[acting]
            B[:, k] = system.view(at.W_TWIST)[1:].ravel()
        J = np.concatenate([J, system.plan.layout.idle_turns @ B])  # a bar that turns about itself goes nowhere
        weights = system.weights
        free = _null_space(J * weights, system.columns) * weights[:, None]
        mass = B.T @ (self.model.masses[:, None] * B) if self.n_v else np.zeros((0, 0))
        reduced = free.T @ mass @ free
        sizes, axes = np.linalg.eigh(reduced)
        if sizes.size and not sizes[0] > RANK * sizes[-1]:
            raise AnalysisError(
                message(
                    f"Mechanism '{self.model.mechanism.name}'",
                    "can move in a way that moves no mass",
                    remedy="give its bodies masses and inertias",
                )
            )
        self.B = B
        self.R = free @ axes / np.sqrt(sizes)
        self.RM = self.R.T @ mass
        self.shapes = B @ self.R  # speeds of the bodies for unit rates of z
        # a turn counts by its angle, a way against the size of the whole
        places = system.view(at.W_POSE)[1:, : self.model.dimension]
        self.size = max(self.model.length, float(np.ptp(places, axis=0).max(initial=0.0)))
        ways = [1.0 / self.size] * self.model.dimension + [1.0] * (self.model.dof - self.model.dimension)
        self.counted = np.tile(ways, len(self.model.bodies))[:, None]
        self.ways = self.counted * self.shapes
        self.reach = np.abs(self.ways).max(axis=0) if self.freedom else np.zeros(0)

    def go_on(self, y) -> None:
        """Be at another position, and remember it."""
        self.y = y
        self.system.locate(self.t, y)
        self.system.remember()
        self.look()

    @property
    def freedom(self) -> int:
        """Number of independent coordinates."""
        return self.R.shape[1]

    def usual(self, K) -> float:
        """The usual size of a stiffness, in 1/s^2: the largest there is, or that of a pendulum as long as the whole."""
        return float(max(np.abs(K).max(initial=0.0), EARTH / self.model.length))

    def far(self, z) -> float:
        """How far z moves things: the largest turn, or way of a mass centre against the size of the whole."""
        return float(np.abs(self.ways @ z).max(initial=0.0))

    def position(self, z) -> np.ndarray:
        """The state at rest at z, on the constraints; raises `Lost` where the way back onto them leads elsewhere.

        The way along R is right to first order.  What is as long as itself beside it ends in another branch.
        """
        y = self._put(self.R @ z, self.far(z))
        return self.settled(y) if self.settles else y

    def _put(self, step: np.ndarray, far: float) -> np.ndarray:
        """The position after a step of the coordinates that goes so far, put back onto the constraints."""
        system = self.system
        y = system.moved(self.y, step)
        y[self.speeds] = 0.0
        ahead = self._places(y)
        system.project(self.t, y)
        if system.w[at.STATUS] != at.OK:
            raise_status(system, self.t)
        y[self.speeds] = 0.0
        beside = np.abs(self._places(y) - ahead).max(initial=0.0)
        off = np.abs(system.phi / system.row_scale * system.held).max(initial=0.0)
        if not (off <= ON and beside <= BESIDE * far + ON):
            raise Lost
        return y

    def _places(self, y) -> np.ndarray:
        """Places against the size of the whole, and turns, of all bodies at a position; the rows are left there."""
        self.system.locate(self.t, y)
        d = self.model.dimension
        poses = self.system.view(at.W_POSE)[1:, : 3 if d == 2 else 12].copy()
        poses[:, :d] /= self.size
        return poses

    def settled(self, y) -> np.ndarray:
        """The state with states of laws that have come to rest, s' = 0, by Newton; raises where they do not."""
        y = y.copy()
        size = np.abs(y[self.own])
        for _ in range(SETTLING):
            rates = self.rates(y)
            if not rates.any():
                return y
            slopes = self.state_slopes(y)[1]
            step = np.linalg.lstsq(slopes, -rates, rcond=RANK)[0]
            y[self.own] += step
            size = np.maximum(size, np.abs(y[self.own]))
            if np.all(np.abs(step) <= SETTLED * size):
                break
        left = np.abs(self.rates(y))
        wrong = np.flatnonzero(~(left <= RANK * (np.abs(slopes) @ size)))  # against what it is made of
        if wrong.size:
            element, _, name = list(self.model.law_states)[wrong[0]]
            raise AnalysisError(
                message(
                    f"State '{element}.{name}'",
                    "does not come to rest while the mechanism does",
                    f"a rate of {left[wrong[0]]:.3g}",
                    "a law whose states have a value of rest in every position",
                    "simulate until it rests, and ask for the modes of that state",
                )
            )
        return y

    def rates(self, y, rates=None) -> np.ndarray:
        """s' at a position, at rest or with rates of z."""
        self.second(y, rates)
        return self.system.f[self.own].copy()

    def state_slopes(self, y) -> tuple[np.ndarray, np.ndarray]:
        """G and S: derivatives of z'' and s' by the states of laws, each number by the two steps that agree best.

        Steps go over ten decades, because nobody knows the unit of a state.
        """
        first, count = self.own.start, self.own.stop - self.own.start
        columns = np.zeros((self.freedom + count, count))
        for k in range(count):
            tries = []
            for size in max(1.0, abs(y[first + k])) * 10.0 ** -np.arange(10.0):
                ends = []
                for sign in (1.0, -1.0):
                    other = y.copy()
                    other[first + k] += sign * size
                    ends.append(np.concatenate([self.second(other), self.system.f[self.own]]))
                tries.append((ends[0] - ends[1]) / (2.0 * size))
            found = np.array(tries)
            sizes = np.maximum(np.abs(found[1:]), np.abs(found[:-1]))
            gaps = np.where(sizes > 0.0, np.abs(np.diff(found, axis=0)) / np.where(sizes > 0.0, sizes, 1.0), np.inf)
            columns[:, k] = found[1:][np.nanargmin(gaps, axis=0), np.arange(len(columns))]
        return columns[: self.freedom], columns[self.freedom :]

    def second(self, y, rates=None, speeds=None) -> np.ndarray:
        """z'' at a position, at rest, with rates of z, or with speeds of the coordinates."""
        state = y.copy()
        if rates is not None or speeds is not None:
            state[self.speeds] = self.R @ rates if speeds is None else speeds
        found = self.system.derivative(self.t, state)
        if self.system.w[at.STATUS] != at.OK:
            raise_status(self.system, self.t)
        return self.RM @ found[self.speeds]

    def force(self, y) -> np.ndarray:
        """The force along z at a position, at rest: mass times acceleration of all bodies, along the speeds of z there.

        Where z is large it differs from z'', which takes masses as they are at z = 0.
        """
        self.second(y)
        loads = self.model.masses * self.system.acceleration
        found = np.zeros(self.freedom)
        for k in range(self.freedom):
            self.system.rates_of_rows(self.t, y, self.R[:, k])
            found[k] = loads @ self.system.view(at.W_TWIST)[1:].ravel()
        return found

    def slope(self) -> np.ndarray:
        """Minus the derivative of the force along z, by plain differences: enough for a search."""
        for size in STEPS[2:]:
            try:
                return self._slope(size)
            except Lost:
                continue
        raise self.stands_singular()

    def stands_singular(self) -> AnalysisError:
        """The error for a position from which no small step leads."""
        return AnalysisError(
            message(
                f"Mechanism '{self.model.mechanism.name}'",
                "is so near to a singular position that no small step stays on its constraints",
                remedy="begin somewhere else",
            )
        )

    def _slope(self, size: float) -> np.ndarray:
        columns = np.zeros((self.freedom, self.freedom))
        for k in range(self.freedom):
            step = np.zeros(self.freedom)
            step[k] = size / self.reach[k]
            ahead, behind = (self.force(self.position(sign * step)) for sign in (1.0, -1.0))
            columns[:, k] = -(ahead - behind) / (2.0 * step[k])
        return columns

    def stiffness(self) -> tuple[np.ndarray, float]:
        """K of z'' = -K z, and how far its numbers may be off."""
        return self._slopes(lambda step: self.second(self.position(step)), 1.0)

    def damping(self, pace: float) -> tuple[np.ndarray, float]:
        """D of z'' = -D z'; `pace`, in 1/s, turns ways into speeds for the differences."""
        return self._slopes(lambda step: self.second(self.y, step), pace)

    def slopes_of_rates(self, pace: float) -> tuple[np.ndarray, np.ndarray]:
        """Z and V: derivatives of s' by z and by z'."""
        if self.own.start == self.own.stop:
            return np.zeros((0, self.freedom)), np.zeros((0, self.freedom))
        Z, _ = self._slopes(lambda step: self.rates(self.position(step)), 1.0)
        V, _ = self._slopes(lambda step: self.rates(self.y, step), pace)
        return -Z, -V

    def _slopes(self, read, pace: float) -> tuple[np.ndarray, float]:
        """Minus the derivative of z'', or of s', by z or z', and how far it may be off."""
        found, off = self.differences(read, pace / self.reach)
        return -found, off

    def differences(self, read, scale: np.ndarray) -> tuple[np.ndarray, float]:
        """The derivative of what `read(step)` gives, by differences of fourth order; of several steps two that agree.

        `scale` has a step of usual size for each number of `step`; what the two differ by comes with it.
        """
        n, tries = scale.size, []
        try:
            height = read(np.zeros(n)).size
        except Lost:  # not even here: rows are met, but so near to a singular position that a correction leads away
            raise self.stands_singular() from None
        if not n:
            return np.zeros((height, 0)), 0.0
        for size in STEPS:
            columns = np.zeros((height, n))
            for k in range(n):
                step = np.zeros(n)
                step[k] = size * scale[k]
                try:
                    near, far = (read(j * step) - read(-j * step) for j in (1.0, 2.0))
                except Lost:
                    near = far = np.full(height, np.nan)
                columns[:, k] = (8.0 * near - far) / (12.0 * step[k])
            tries.append(columns)
        gaps = [float(np.abs(one - two).max(initial=0.0)) for one, two in pairwise(tries)]
        if np.isnan(gaps).all():
            raise self.stands_singular()
        best = int(np.nanargmin(gaps))
        return tries[best + 1], gaps[best]

    # -- drivers that move a little ------------------------------------------------------------------------------------
    def carried(self, row: int) -> np.ndarray:
        """Speeds of the coordinates for a unit rate of a row's function, z at rest: J S = 1 in that row, R'M S = 0."""
        asked = np.zeros(self.system.n_rows)
        asked[row] = 1.0
        self.system.locate(self.t, self.y)
        step = self.system.newton_step(asked)
        return step - self.R @ (self.RM @ step)

    def displaced(self, row: int, along: np.ndarray, shift: float) -> np.ndarray:
        """The state at rest where a row holds another value; raises `Lost` where that is too far."""
        value = float(self.system.row_values[row])
        self.system.row_values[row] = value + shift
        try:
            return self._put(along * shift, float(np.abs(self.counted[:, 0] * (self.B @ along)).max() * abs(shift)))
        finally:
            self.system.row_values[row] = value

    def state_at(self, y) -> State:
        """A position of the coordinates as a state of rest."""
        self.system.locate(self.t, y)
        self.system.remember()
        raw = np.concatenate([y, self.system.memory])[None, :]
        full = self.system.to_bodies(np.array([self.t]), raw)[0]
        n_y = self.model.n_y
        return replace(self.state, y=full[:n_y].copy(), memory=full[n_y:].copy(), turned=None)


def _null_space(J, columns) -> np.ndarray:
    """Orthonormal speeds that the rows leave, of the columns that exist."""
    kept = np.flatnonzero(columns)
    out = np.zeros((J.shape[1], kept.size))
    out[kept, np.arange(kept.size)] = 1.0
    if not J.shape[0] or not kept.size:
        return out
    _, sizes, axes = np.linalg.svd(J[:, kept])
    rank = int(np.sum(sizes > RANK * sizes[0])) if sizes.size and sizes[0] > 0.0 else 0
    return out @ axes[rank:].T
