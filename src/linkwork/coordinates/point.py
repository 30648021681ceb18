"""Point coordinates: places of points that bodies share; besides, angles of bodies in the plane, unit vectors in space.

States that leave this room are states of bodies.  Behind the points and angles of a state stand angles that count the
turns of directions: a direction itself is known up to full turns only.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from linkwork.coordinates.body import System as BodySystem
from linkwork.coordinates.body import dense_jacobian
from linkwork.coordinates.own_states import OwnStates
from linkwork.coordinates.points_of_space import source_names, sources_of
from linkwork.coordinates.turns import TURN
from linkwork.kernels import layout as at

EMPTY = 1e-9  # part of a row between free bodies that is nothing but rounding in points
BALANCED = 1e-11  # what reactions may leave of the forces that the accelerations of the set need


class System(OwnStates):
    """A model in point coordinates."""

    coordinates = "point"
    has_orientations = False

    @property
    def choice(self):
        """The points, and how the bodies are told by them."""
        return self.plan.layout.choice

    @property
    def state_names(self) -> list[str]:
        """Positions and speeds in their order: points by a joint there, angles, then angles that count turns."""
        choice, bodies = self.choice, self.model.bodies
        if self.model.dimension == 3:
            names = source_names(choice)
            return [*names, *(f"{one}.rate" for one in names)]
        owners = [
            one.name or (one.joints[0] if one.joints else f"{bodies[one.body].name}.center") for one in choice.places
        ]
        found = [f"{owner}.{axis}" for owner in owners for axis in "xy"]
        found += [f"{choice.turnings[c].name}.angle" for c in choice.angles]
        counters = [f"{choice.turnings[c].name}.angle" for c in choice.directions]
        return [*found, *counters, *(f"{one}.rate" for one in found)]

    @property
    def columns(self):
        """Which velocity coordinates exist: all."""
        return np.ones(self.plan.n_v, dtype=bool)

    @property
    def weights(self):
        """Angles count as lengths: their columns are divided by the length of the mechanism."""
        turning = self.plan.table(at.T_TURNING)[self.plan.n_q :]
        return np.where(turning == 1, 1.0 / self.model.length, 1.0)

    @cached_property
    def lengths(self) -> slice:
        """The rows of the set."""
        first = self.plan.kept.size
        return slice(first, first + len(self.plan.layout.own_rows))

    def jacobian(self, rows=None):
        """J as a dense matrix (rows, velocity coordinates) at the last state located."""
        self._call(self.tab[at.A_FACTOR], 0.0, self.f)
        out = np.zeros((self.n_rows, self.plan.n_v))
        first = self.plan.table(at.T_ROW_ENTRY)
        of_row = np.repeat(np.arange(self.n_rows), np.diff(first))
        out[of_row, self.plan.table(at.T_ENTRY_PLACE)] = self.view(at.W_ENTRY)
        return out if rows is None else out[rows]

    def body_jacobian(self):
        """J of the rows that are left to measures, against the speeds of the bodies; zero for those of the set."""
        return dense_jacobian(self.plan, self.view(at.W_BLOCK))

    def free_sizes(self, rows=None):
        """Norms of rows of J between free bodies, angles counting as lengths; those of the set against their points."""
        found = super().free_sizes()
        first, entries = self.plan.table(at.T_ROW_ENTRY), self.view(at.W_ENTRY)
        for r in range(self.lengths.start, self.lengths.stop):
            found[r] = np.linalg.norm(entries[first[r] : first[r + 1]])
        found[self.lengths] *= self.plan.layout.reluctance
        return found if rows is None else found[rows]

    def rates_of_rows(self, t, y, v):
        """Rates of all rows for speeds v of the coordinates, at the position of y."""
        rates = super().rates_of_rows(t, y, v).astype(float)  # without blocks a count is one of integers
        rates[self.lengths] = -self.nu[self.lengths]  # what is left to zero, see `build_lengths`
        return rates

    def drop_empty(self, t, raw) -> None:
        """Let go of rows that points keep at all of these states, as those of a second weld: they are rounding only.

        Rows are measured by themselves in the saddle point, so that rounding would be held as others are.
        """
        if not self.n_rows:
            return
        rows, free = np.ones(self.n_rows, dtype=bool), super().free_sizes
        of_row = np.repeat(np.arange(self.n_rows), np.diff(self.plan.table(at.T_ROW_ENTRY)))
        for now, state in zip(t, raw):
            self.memory[:] = state[self.plan.n_y :]
            self.derivative(now, state[: self.plan.n_y])
            sizes = np.sqrt(np.bincount(of_row, self.view(at.W_ENTRY) ** 2, self.n_rows))
            rows &= sizes <= EMPTY * free()
        rows[self.lengths] = False
        self.held[rows] = 0.0

    # -- states ----------------------------------------------------------------------------------------------------
    @cached_property
    def _leaders(self) -> list[int]:
        """A body of every class, whose angle is that of the class; -1 for the ground's."""
        found = [-1] * len(self.choice.turnings)
        for b, share in enumerate(self.choice.shares):
            if share.turning and found[share.turning] < 0:
                found[share.turning] = b
        return found

    def keep_turns(self, y) -> None:
        """Count whole turns of bodies against what they turn with as a state has them; in space there are none."""
        if self.model.dimension == 3:
            return
        model, shares = self.model, self.choice.shares
        angles = np.array([share.angle for share in shares])
        turned = y[2 : model.n_q : 3] - angles
        leaders = np.array([self._leaders[share.turning] for share in shares], dtype=np.int64)
        of_class = np.where(leaders >= 0, turned[leaders], 0.0) if len(shares) else turned
        missing = TURN * np.round((turned - of_class) / TURN) * model.turning
        if missing.any():
            self.set_numbers(at.P_SHARE, angles + missing, (slice(1, None), at.SHARE_ANGLE))

    def from_bodies(self, states, memory=None, reader=None):
        """Points, angles, their rates and the work, from states of the bodies."""
        plan, model, choice = self.plan, self.model, self.choice
        n_q, n_v = plan.n_q, plan.n_v
        out = np.zeros((len(states), plan.n_y))
        out[:, n_q + n_v :] = states[:, model.n_q + model.n_v : model.n_y]
        if model.dimension == 3:
            out[:, :n_q], out[:, n_q : n_q + n_v] = sources_of(model, choice, plan.layout.idle_turns, states)
            return out
        points = len(choice.places)
        q = states[:, : model.n_q].reshape(len(states), -1, 3)
        v = states[:, model.n_q : model.n_q + model.n_v].reshape(len(states), -1, 3)
        bodies = np.array([place.body for place in choice.places], dtype=np.int64)
        arms = np.array([place.arm for place in choice.places], dtype=complex)
        turns = np.where(model.turning[bodies], q[:, bodies, 2], 0.0)
        arm = arms * np.exp(1j * turns)
        spin = np.where(model.turning[bodies], v[:, bodies, 2], 0.0)
        z = q[:, bodies, 0] + 1j * q[:, bodies, 1] + arm
        zd = v[:, bodies, 0] + 1j * v[:, bodies, 1] + 1j * spin * arm
        for first, values in ((0, z), (n_q, zd)):
            out[:, first : first + 2 * points : 2] = values.real
            out[:, first + 1 : first + 2 * points : 2] = values.imag
        for c, place in plan.layout.angle_place.items():
            b = self._leaders[c]
            out[:, place] = q[:, b, 2] - choice.shares[b].angle
            if place < n_v:
                out[:, n_q + place] = v[:, b, 2]
        return out

    def put(self, y, values) -> None:
        """It has no names of its own."""


def motion(plan, t, states, values, held, raw=None, rows: bool = True):
    """Accelerations of the bodies (times, n_v), and with `rows` the multipliers of all rows.

    `states` are those of the bodies with memory, `raw` the same in point coordinates where it is known; then, without
    `rows`, the first of the states will do.
    """
    model, n_y = plan.model, plan.model.n_y
    system = System(plan, values, held)
    system.keep_turns(states[0, :n_y])
    if raw is None:
        raw = np.concatenate([system.from_bodies(states[:, :n_y], states[:, n_y:]), states[:, n_y:]], axis=1)
    some = [0, len(t) // 2, -1] if len(t) > 1 else [0]
    system.drop_empty(np.asarray(t)[some], raw[some])
    picks = plan.places(at.W_ACCELERATION)[1:].ravel()
    count = picks.size
    if rows:
        picks = np.concatenate([picks, plan.places(at.W_APPLIED)[1:].ravel()])
    acceleration, lam = np.empty((len(t), count)), np.zeros((len(t), len(model.rows) if rows else 0))
    for part, picked in system.sweep(t, raw, picks):
        picked[:, :count][:, ~model.existing] = 0.0
        acceleration[part] = picked[:, :count]
        if rows and model.rows:
            rest = acceleration[part] * model.masses - picked[:, count:]
            lam[part] = _multipliers(plan, t[part], states[part], rest, values, held)
    return acceleration, lam


def _multipliers(plan, t, states, rest, values, held) -> np.ndarray:
    """lam of J' lam = M a - h over all rows that are held, where `rest` is M a - h with the accelerations of the set.

    The factor of the rows of all bodies, which is sparse, gives lam for all times; a lam that does not balance `rest`,
    because rows depend on each other there, is found by least squares.
    """
    model = plan.model
    body = model.plan(free=plan.free)
    out = np.zeros((len(t), len(model.rows)))
    acting = np.array([k for k, r in enumerate(body.kept.tolist()) if held[r]], dtype=np.int64)
    if not acting.size:
        return out
    places = np.concatenate([body.places(at.W_BLOCK).ravel(), body.places(at.W_LAMBDA)])
    found = BodySystem(body, values, held).swept(t, states, places)
    J = found[:, : -len(body.kept)].reshape(len(t), -1, model.dof)
    lam = found[:, -len(body.kept) :]
    lam[:, [k for k in range(len(body.kept)) if k not in set(acting.tolist())]] = 0.0
    weights = np.where(np.arange(model.n_v) % model.dof < model.dimension, 1.0, 1.0 / model.length) * model.existing
    left = np.abs((rest - _felt(body, J, lam)) * weights).max(axis=1)
    size = np.abs(rest * weights).max(axis=1)
    off = np.flatnonzero(~(left <= BALANCED * size))
    if off.size:
        dense = dense_jacobian(body, J[off], acting.tolist()) * weights
        lam[off] = 0.0
        lam[np.ix_(off, acting)] = np.einsum("tvr,tv->tr", np.linalg.pinv(dense, rcond=1e-11), rest[off] * weights)
    out[:, body.kept] = lam
    return out


def _felt(body, J, lam) -> np.ndarray:
    """J' lam of all bodies (times, n_v), from the blocks of J."""
    bodies, rows = body.block_owners
    out = np.zeros((len(body.model.bodies), *J.shape[::2]))  # (bodies, times, dof)
    np.add.at(out, bodies, (J * lam[:, rows, None]).transpose(1, 0, 2))
    return out.transpose(1, 0, 2).reshape(len(J), -1)
