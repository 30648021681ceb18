"""Multipliers that balance what a known motion asks for, J' lam = M a - h, at all its times; looked over and corrected.

The kernels have found lam as long as rows are far from depending on each other.  What is left of the balance tells
where they were not; there it is solved densely.  Where several lam do, the efforts are those of least norm, each
against its rating, and then the reactions.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from linkwork.analysis.doors import references
from linkwork.analysis.rank import analyse
from linkwork.compiled.modes import FREE, HELD
from linkwork.coordinates.body import System, body_weights, dense_jacobian
from linkwork.errors import AnalysisError, DescriptionError, SingularConfigurationError, message
from linkwork.kernels import layout as at
from linkwork.result.segments import Segment
from linkwork.result.state import State
from linkwork.result.turns import Turned
from linkwork.result.violation import TOLD

FINE = 1e-8  # of the largest load: more is solved again
MOST = 1e-6  # of it: more cannot be balanced
RANK = 1e-9
PLACES = 7  # states that are looked at for one that is not singular


class Balance:
    """The balance of a body system at stored states, block by block of times."""

    def __init__(
        self,
        system: System,
        t: np.ndarray,
        states: np.ndarray,
        accelerations: np.ndarray,
        dependencies: np.ndarray,
        involved: np.ndarray,
        ratings: Mapping[int, float] | None = None,
    ) -> None:
        self.system, self.plan, self.model = system, system.plan, system.model
        self.t, self.states, self.accelerations = t, states, accelerations
        self.weights = body_weights(self.model)
        self.dependencies = dependencies  # of all rows of the model
        self.involved = involved  # of the model: rows that take part in them somewhere
        #: rows of the actuators that may be too many, and what each is counted against
        self.ratings = ratings or {}
        #: freedoms that have more actuators than they need
        efforts = dependencies[:, list(self.ratings)]
        self.over = int(np.linalg.matrix_rank(efforts, tol=1e-7)) if len(dependencies) else 0

    def multipliers(self, lam: np.ndarray | None) -> np.ndarray:
        """(times, rows of the model): what kernels of another set gave, or those of this one, balanced."""
        plan, model = self.plan, self.model
        keys = (at.W_APPLIED, at.W_LAMBDA, at.W_PHI, at.W_NU, at.W_GAMMA, at.W_BLOCK)
        places = [plan.places(key) for key in keys]
        places[0] = places[0][1:]
        edges = np.cumsum([one.size for one in places])[:-1]
        out = np.zeros((len(self.t), len(model.rows)))
        for part, picked in self.system.sweep(self.t, self.states, np.concatenate([one.ravel() for one in places])):
            h, own, phi, nu, gamma, blocks = np.split(picked, edges, axis=1)
            blocks = blocks.reshape(len(picked), *places[-1].shape)
            self._must_fit(part, phi, nu, gamma, blocks)
            rest = self.accelerations[part] * model.masses - h
            rest[:, ~model.existing] = 0.0
            found = own if lam is None else lam[part][:, plan.kept]
            found = self._balanced(part, rest, h, blocks, found)
            if len(self.dependencies):
                found = self._least(rest, h, blocks, found)
            out[part] = plan.of_model(found)
        return out

    def _pull(self, blocks, lam) -> tuple[np.ndarray, np.ndarray]:
        """J' lam, and the sum of the sizes of its terms (times, n_v)."""
        shape = (len(lam), len(self.model.bodies), self.model.dof)
        total, sizes = np.zeros(shape), np.zeros(shape)
        bodies, rows = self.plan.block_owners
        for b, (body, row) in enumerate(zip(bodies.tolist(), rows.tolist())):
            term = lam[:, row, None] * blocks[:, b]
            total[:, body] += term
            sizes[:, body] += np.abs(term)
        return total.reshape(len(lam), -1), sizes.reshape(len(lam), -1)

    def _left(self, rest, h, blocks, lam) -> np.ndarray:
        """(times,): the largest force that lam leaves, of the largest load; moments count over the length of all."""
        force, sizes = self._pull(blocks, lam)
        loads = np.maximum(np.maximum(np.abs(rest), np.abs(h)), sizes) * self.weights
        left = np.abs(rest - force) * self.weights
        left[:, ~self.model.existing] = 0.0
        largest = loads.max(axis=1, initial=0.0)
        return left.max(axis=1, initial=0.0) / np.where(largest > 0.0, largest, 1.0)

    def _balanced(self, part, rest, h, blocks, lam) -> np.ndarray:
        with np.errstate(all="ignore"):
            left = self._left(rest, h, blocks, lam)
        bad = np.flatnonzero(~(left <= FINE))
        if not bad.size:
            return lam
        lam = lam.copy()
        J = dense_jacobian(self.plan, blocks[bad]) * self.weights
        right = (rest[bad] * self.weights)[:, :, None]
        lam[bad] = (np.linalg.pinv(J.transpose(0, 2, 1), rcond=RANK) @ right)[:, :, 0]
        left = self._left(rest[bad], h[bad], blocks[bad], lam[bad])
        worst = int(np.argmax(left))
        if not left[worst] <= MOST:
            raise self._cannot(float(self.t[part][bad[worst]]), float(left[worst]))
        return lam

    def _cannot(self, t: float, left: float) -> AnalysisError:
        names = ", ".join(repr(row.item) for row in self.model.rows if row.kind == "driver")
        return SingularConfigurationError(
            message(
                f"Mechanism '{self.model.mechanism.name}'",
                f"cannot be moved as given at t = {t:.6g} s by {names or 'its joints alone'}: "
                "it is in a dead centre of theirs",
                f"{left:.2g} of the largest load is left",
                remedy="give other actuators, or times beside it",
            )
        )

    def _must_fit(self, part, phi, nu, gamma, blocks) -> None:
        """Refuse a motion that joints of this mechanism forbid: in place, speed or acceleration."""
        model, plan = self.model, self.plan
        joints = plan.of_joints
        if not joints.any():
            return
        v = self.states[part][:, model.n_q : model.n_q + model.n_v]
        scale = self.system.row_scale
        off = [("place", np.abs(phi) / scale)]
        for what, right, motion in (("speed", nu, v), ("acceleration", gamma, self.accelerations[part])):
            rates, sizes = self._rates(blocks, motion)
            most = np.maximum((sizes + np.abs(right)).max(axis=1, initial=0.0), 1e-3)[:, None]
            off.append((what, np.abs(rates - right) / most))
        for what, one in off:
            one = np.where(joints, np.nan_to_num(one, nan=np.inf), 0.0)
            if one.max(initial=0.0) > TOLD:
                k, r = np.unravel_index(int(np.argmax(one)), one.shape)
                raise DescriptionError(
                    message(
                        "motion",
                        f"does not fit joint '{plan.rows[r].item}' of mechanism '{model.mechanism.name}' at "
                        f"t = {self.t[part][k]:.6g} s",
                        f"{plan.rows[r].name} is off in its {what} by {one[k, r]:.2g}",
                        f"less than {TOLD:g}",
                        "give a motion of this mechanism",
                    )
                )

    def _rates(self, blocks, motion) -> tuple[np.ndarray, np.ndarray]:
        """J times speeds or accelerations of the bodies (times, rows), and the sum of the terms' sizes."""
        bodies, rows = self.plan.block_owners
        moving = motion.reshape(len(motion), len(self.model.bodies), self.model.dof)
        total, sizes = (np.zeros((len(motion), self.system.n_rows)) for _ in range(2))
        for b, (body, row) in enumerate(zip(bodies.tolist(), rows.tolist())):
            terms = blocks[:, b] * moving[:, body]
            total[:, row] += terms.sum(axis=1)
            sizes[:, row] += np.abs(terms).sum(axis=1)
        return total, sizes

    # -- least norm ------------------------------------------------------------------------------------------------
    def _least(self, rest, h, blocks, lam) -> np.ndarray:
        """Spread over the rows that take part; over all of them where that leaves something."""
        kept = self.plan.kept
        out = self._spread(lam, blocks, np.flatnonzero(np.isin(kept, self.involved)))
        bad = np.flatnonzero(~(self._left(rest, h, blocks, out) <= FINE))
        if bad.size:
            out[bad] = self._spread(lam[bad], blocks[bad], np.arange(kept.size))
        return out

    def _spread(self, lam, blocks, involved) -> np.ndarray:
        """The same forces with the least efforts over their ratings, and then the least reactions.

        lam + N z with J'N = 0:  z makes the part of the actuators least, and what that leaves open the others.
        """
        out = lam.copy()
        acting = np.isin(self.plan.kept[involved], list(self.ratings))
        weight = np.array([1.0 / self.ratings[r] for r in self.plan.kept[involved][acting].tolist()])
        J = dense_jacobian(self.plan, blocks)[:, involved]
        bodies = np.flatnonzero(np.any(J != 0.0, axis=(0, 1)))
        N = _null(J[:, :, bodies].transpose(0, 2, 1), len(self.dependencies))
        own = lam[:, involved, None]
        z = np.zeros((len(lam), N.shape[2], 1))
        left = np.broadcast_to(np.eye(N.shape[2]), (len(lam), N.shape[2], N.shape[2]))  # what is open beside z
        if self.over:
            part = N[:, acting] * weight[:, None]
            left = _null(part, N.shape[2] - self.over)
            z = -np.linalg.pinv(part, rcond=1e-7) @ (own[:, acting] * weight[:, None])
        if left.shape[2]:
            rest = N[:, ~acting]
            z = z - left @ np.linalg.pinv(rest @ left, rcond=1e-7) @ (own[:, ~acting] + rest @ z)
        out[:, involved] = (own + N @ z)[:, :, 0]
        return out


def _null(matrices, count: int) -> np.ndarray:
    """(times, columns, count): what the matrices take to nothing, the `count` columns of the smallest size."""
    columns = matrices.shape[2]
    return np.linalg.svd(matrices, full_matrices=True)[2][:, columns - count :].transpose(0, 2, 1)


def chosen(segment: Segment, model, states) -> tuple[State, np.ndarray, int]:
    """The state at which rows that follow from others are chosen, the first that is not singular; and all rows that
    take part in that at some of the times; and the freedom that rows leave.
    """
    old = segment.model
    released = {(old.rows[r].name, old.rows[r].measure) for r in segment.free}
    modes = np.array([FREE if (row.name, row.measure) in released else HELD for row in model.rows], dtype=np.int64)
    known = {(row.name, row.measure): value for row, value in zip(old.rows, segment.values) if row.value is None}
    none = np.zeros((0, len(modes)))
    best, part = None, np.zeros(len(modes), dtype=bool)
    for k in dict.fromkeys(np.linspace(0, len(states) - 1, PLACES).astype(int).tolist()):
        y, memory = states[k, : model.n_y], states[k, model.n_y :]
        values = references(System(model.plan(), memory=memory), segment.t[k], y)
        for r, row in enumerate(model.rows):
            if row.value is None:
                values[r] = known.get((row.name, row.measure), values[r])
        state = State(float(segment.t[k]), y, memory, modes, values, 1.0, none, model, Turned(segment, k))
        system = state.system(held=False)
        rank = analyse(system, state.t, state.y)
        part |= np.any(system.plan.of_model(rank.redundancies) != 0.0, axis=0)
        if best is None or (best[2].singular and not rank.singular):
            best = state, system, rank
        if not rank.singular and not rank.dropped:
            break
    assert best is not None
    state, system, rank = best
    held = np.ones(system.n_rows)
    held[list(rank.dropped)] = 0.0
    plan = system.plan
    found = State(
        state.t,
        state.y,
        state.memory,
        plan.modes(held),
        state.values,
        float(rank.pivot) if system.n_rows else 1.0,
        plan.of_model(rank.redundancies),
        model,
        state.turned,
    )
    return found, np.flatnonzero(part), rank.freedom
