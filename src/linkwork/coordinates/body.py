"""Body coordinates: position and orientation of every mass centre.  B is the identity and is never formed."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork import rotation
from linkwork.coordinates.system import EULER
from linkwork.coordinates.system import System as _System
from linkwork.kernels import layout as at


class System(_System):
    """A model in body coordinates."""

    coordinates = "body"
    factor_tells = True

    @property
    def has_orientations(self) -> bool:
        """Whether there are Euler parameters among the coordinates, to be kept at length one."""
        return self.model.dimension == 3

    @property
    def state_names(self) -> list[str]:
        """Positions and speeds in their order: of the mass centres, and in space of principal axes."""
        axes = "xyz"[: self.model.dimension]
        turns = ("angle",) if self.model.dimension == 2 else EULER
        spins = ("angle.rate",) if self.model.dimension == 2 else ("omega.1", "omega.2", "omega.3")
        places = (*(f"center.{a}" for a in axes), *turns)
        speeds = (*(f"center.{a}.rate" for a in axes), *spins)
        return [f"{body.name}.{one}" for part in (places, speeds) for body in self.model.bodies for one in part]

    @property
    def columns(self):
        """Which velocity coordinates exist (a particle has no angle)."""
        return self.model.existing

    @property
    def weights(self):
        """Angles count as lengths: their columns are divided by the length of the mechanism."""
        return body_weights(self.model)

    def jacobian(self, rows=None):
        """J as a dense matrix (rows, velocity coordinates) at the last state located."""
        return dense_jacobian(self.plan, self.view(at.W_BLOCK), rows)

    def loop_jacobians(self):
        """The same of every loop, against the bodies that its rows are between."""
        dof, blocks = self.model.dof, self.view(at.W_BLOCK)
        for rows in self.plan.loops:
            bodies = sorted({body for r in rows for _, body in self.plan.row_blocks[r]})
            place = {body: dof * k for k, body in enumerate(bodies)}
            matrix = np.zeros((len(rows), dof * len(bodies)))
            for i, r in enumerate(rows):
                for k, body in self.plan.row_blocks[r]:
                    matrix[i, place[body] : place[body] + dof] = blocks[k]
            yield rows, matrix, (dof * np.array(bodies, dtype=int)[:, None] + np.arange(dof)).ravel()

    def bare_columns(self) -> np.ndarray:
        """Those of bodies without mass or inertia."""
        mass = self.view(at.P_MASS)[1:].ravel()
        return np.flatnonzero((mass <= 0.0) & self.columns)

    def pivots(self):
        """Pivots of the rows at the last factor, against what they are alone."""
        place = self.plan.table(at.T_PERMUTATION)
        place = place[place.size - self.n_rows :]
        return 1.0 / np.abs(self.view(at.W_FACTOR)[place] * self.view(at.W_SCALE)[place])

    def pushed(self, row: int):
        """M^-1 J' of one row: how the bodies give way to it."""
        blocks, bodies, rows = self._blocks()
        inverse = self.view(at.P_INVERSE_MASS)[1:]
        out = np.zeros(inverse.shape)
        own = rows == row
        np.add.at(out, bodies[own], blocks[own] * inverse[bodies[own]])
        return out.ravel()

    def keep_turns(self, y) -> None:
        """Whole turns are in the coordinates themselves."""

    def from_body(self, y, memory=None):
        """A state of the bodies: as it is."""
        return y

    def to_body(self, y):
        """A state of the bodies: as it is."""
        return y

    def keep_many_turns(self, many, states, own) -> None:
        """Turns are those of the states, in a block of designs too."""

    def from_bodies(self, states, memory=None, reader=None):
        """States of the bodies: as they are."""
        return states

    def to_bodies(self, t, raw, sweep=None):
        """States of the bodies: as they are."""
        return raw

    def columns_of_bodies(self, t, raw, columns, sweep) -> list[np.ndarray]:
        """Some columns of states of the bodies: as they are."""
        return [raw[:, one] for one in columns]

    def pack(self, poses: Any, twists: Any) -> np.ndarray:
        """State vector from the motion of the users' body frames: poses and twists by body, in the model's order."""
        return pack(self.model, poses, twists)


def body_weights(model):
    """What the coordinates of the bodies are divided into, so that angles count as lengths."""
    return np.tile(
        np.repeat([1.0, 1.0 / model.length], [model.dimension, model.dof - model.dimension]), len(model.bodies)
    )


def dense_jacobian(plan, blocks, rows=None):
    """J (..., rows, velocity coordinates of the bodies) from its blocks (..., blocks, dof)."""
    dof = plan.model.dof
    row_block, bodies = plan.table(at.T_ROW_BLOCK), plan.table(at.T_BLOCK_BODY)
    rows = range(len(plan.rows)) if rows is None else rows
    out = np.zeros((*blocks.shape[:-2], len(rows), plan.model.n_v))
    for i, r in enumerate(rows):
        for k in range(row_block[r], row_block[r + 1]):
            start = bodies[k] - dof
            out[..., i, start : start + dof] = blocks[..., k, :]
    return out


def pack(model: Any, poses: Any, twists: Any) -> np.ndarray:
    """State vector from poses and twists of the users' body frames.

    Plane: pose (x, y, angle), twist (x', y', angle').  Space: pose (r, quaternion), twist (r', w in body axes).
    """
    (size, dof), count = at.COORDINATES[model.dimension], len(model.bodies)
    pose = np.asarray(poses, dtype=float).reshape(count, size)
    twist = np.asarray(twists, dtype=float).reshape(count, dof)
    center, axes = model.centers, model.axes
    q, v = pose.copy(), twist.copy()
    if model.dimension == 2:
        x, y = rotation.in_plane(pose[:, 2], center[:, 0], center[:, 1])
        q[:, 0] += x
        q[:, 1] += y
        v[:, 0] -= twist[:, 2] * y
        v[:, 1] += twist[:, 2] * x
    else:
        world, spin = rotation.matrix(pose[:, 3:]), twist[:, 3:]
        q[:, :3] += np.einsum("kij,kj->ki", world, center)
        q[:, 3:] = rotation.product(pose[:, 3:], rotation.from_matrix(axes))
        v[:, :3] += np.einsum("kij,kj->ki", world, np.cross(spin, center))
        v[:, 3:] = np.einsum("kji,kj->ki", axes, spin)
    return np.concatenate([q.ravel(), v.ravel(), np.zeros(len(model.work_names)), list(model.law_states.values())])


def unpack(model, y):
    """Poses and twists of the users' body frames from a state vector: what `pack` takes."""
    (size, dof), count = at.COORDINATES[model.dimension], len(model.bodies)
    q = y[: model.n_q].reshape(count, size)
    v = y[model.n_q : model.n_q + model.n_v].reshape(count, dof)
    center, axes = model.centers, model.axes
    pose, twist = q.copy(), v.copy()
    if model.dimension == 2:
        x, y_ = rotation.in_plane(q[:, 2], center[:, 0], center[:, 1])
        pose[:, 0] -= x
        pose[:, 1] -= y_
        twist[:, 0] += v[:, 2] * y_
        twist[:, 1] -= v[:, 2] * x
    else:
        world = rotation.matrix(q[:, 3:]) @ axes.transpose(0, 2, 1)
        spin = np.einsum("kij,kj->ki", axes, v[:, 3:])
        pose[:, :3] -= np.einsum("kij,kj->ki", world, center)
        pose[:, 3:] = rotation.from_matrix(world)
        twist[:, :3] -= np.einsum("kij,kj->ki", world, np.cross(spin, center))
        twist[:, 3:] = spin
    return list(map(tuple, pose)), list(map(tuple, twist))


def motion(plan, t, states, values, held, raw=None, rows: bool = True):
    """Accelerations of the bodies (times, n_v), and with `rows` the multipliers of all rows (times, rows)."""
    picks = plan.places(at.W_ACCELERATION)[1:].ravel()
    if rows:
        picks = np.concatenate([picks, plan.places(at.W_LAMBDA)])
    picked = System(plan, values, held).swept(t, states if raw is None else raw, picks)
    count = plan.model.n_v
    return picked[:, :count], plan.of_model(picked[:, count:]) if rows else picked[:, count:]
