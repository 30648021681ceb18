"""Body coordinates: position and orientation of every mass centre.  B is the identity and is never formed."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module

import numpy as np

from linkwork.kernels import layout as at
from linkwork.kernels.jit import announce


class System:
    """A model made ready to run: its own copies of parameters and workspace, and the kernels of its dimension.

    `values` are the numbers at which rows are held (those "as assembled" resolved), `held` says which rows act.
    """

    def __init__(self, model, values=None, held=None, memory=None):
        self.model = model
        self.kernels = kernels_of(model.dimension)
        self.p = model.parameters.copy()
        self.w = model.workspace.copy()
        self.tab = model.tab
        self.f = np.zeros(model.n_y)
        self.n_rows = len(model.rows)
        count = self.n_rows
        self.row_values = self.p[model.size(at.P_ROW):model.size(at.P_ROW) + 2 * count].reshape(count, 2)[:, 0]
        self.held = self.w[model.section(at.W_HELD, count)]
        self.memory = self.w[model.section(at.W_MEMORY, model.size(at.N_MEMORY))]
        if values is not None:
            self.row_values[:] = values[:count]
        if held is not None:
            self.held[:] = held[:count]
        if memory is not None:
            self.memory[:] = memory[:self.memory.size]

    @property
    def pointers(self):
        """rhs and project as first-class functions, the way the integrator takes them."""
        return _pointers(self.model.dimension)

    # -- kernels ---------------------------------------------------------------------------------------------------
    def locate(self, t, y):
        """Frames, measures and rows at a state."""
        self.w[at.STATUS] = at.OK
        self.kernels.locate(float(t), y, self.p, self.tab, self.w)

    def remember(self):
        """Count full turns from the state last located."""
        from linkwork.kernels.rows import remember

        remember(self.tab, self.w)

    def sweep(self, t, states, picks):
        """Evaluate stored states (with their memory) and keep places of the workspace: picked, derivatives."""
        from linkwork.kernels.integrate import sweep

        picked = np.empty((len(t), picks.size))
        derivatives = np.empty((len(t), self.model.n_y))
        sweep(self.pointers[0], np.ascontiguousarray(t), np.ascontiguousarray(states), self.p, self.tab, self.w,
              self.f, np.ascontiguousarray(picks, dtype=np.int64), derivatives, picked)
        return picked, derivatives

    def derivative(self, t, y):
        """State derivative, with every intermediate quantity left in the workspace."""
        self.f[:] = 0.0
        self.kernels.rhs(float(t), y, self.p, self.tab, self.w, self.f)
        return self.f

    def project(self, t, y):
        """Put y back on the constraints, in place; returns the errors of position and velocity before the last step."""
        self.kernels.project(float(t), y, self.p, self.tab, self.w, self.f)
        return self.w[at.ERROR_POSITION]

    def newton_step(self, known: float, right: np.ndarray):
        """Factor the rows where they are and solve for a smallest step that gives J step = right."""
        from linkwork.kernels.equations import factor_rows, solve_rows

        factor_rows(self.p, self.tab, self.w)
        first = self.model.size(at.W_RESIDUAL) + self.n_rows
        self.w[first:first + self.n_rows] = right
        residual = solve_rows(known, first, self.p, self.tab, self.w)
        return self.acceleration.copy(), residual

    def moved(self, y, step):
        """q (+) step."""
        out = y.copy()
        self.acceleration[:] = step
        self.kernels.move(out, self.tab, self.w)
        return out

    # -- what is in the workspace ----------------------------------------------------------------------------------
    def _view(self, key, count):
        return self.w[self.model.section(key, count)]

    @property
    def phi(self):
        """Constraint errors."""
        return self._view(at.W_PHI, self.n_rows)

    @property
    def nu(self):
        """Right sides of the velocity rows."""
        return self._view(at.W_NU, self.n_rows)

    @property
    def gamma(self):
        """Right sides of the acceleration rows."""
        return self._view(at.W_GAMMA, self.n_rows)

    @property
    def multipliers(self):
        """Multipliers of the rows."""
        return self._view(at.W_LAMBDA, self.n_rows)

    @property
    def acceleration(self):
        """Accelerations of the moving bodies (or the last step)."""
        first = self.model.size(at.W_ACCELERATION) + self.model.dof
        return self.w[first:first + self.model.n_v]

    @property
    def row_scale(self):
        """Length or angle that an error of a row is compared with."""
        first = self.model.size(at.P_ROW)
        return self.p[first:first + 2 * self.n_rows].reshape(-1, 2)[:, 1]

    def measure_values(self, measure):
        """Value, rate and bias of a measure that the model has."""
        total = np.zeros(3)
        for weight, one in measure.terms():
            k = self.model.measure_index[one]
            total += weight * np.array([self.w[self.model.size(key) + k] for key in (at.W_VALUE, at.W_RATE, at.W_BIAS)])
        return total

    def jacobian(self, rows=None):
        """J as a dense matrix (rows, velocity coordinates) at the last state located."""
        return dense_jacobian(self.model, self._view(at.W_BLOCK, self.model.dof * self.model.size(at.N_BLOCKS)), rows)

    # -- states ----------------------------------------------------------------------------------------------------
    def pack(self, poses, twists):
        """State vector from the motion of the users' body frames: poses and twists by body, in the model's order."""
        return pack(self.model, poses, twists)

    @property
    def memory_size(self):
        """Entries of the memory that goes with a state."""
        return self.memory.size


def kernels_of(dimension: int):
    """The kernels of the plane or of space, compiled when first wanted."""
    room = "planar" if dimension == 2 else "spatial"
    name = f"linkwork.kernels.{room}.body"
    if name not in sys.modules:
        announce(room)
    return import_module(name)


@cache
def _pointers(dimension: int):
    from linkwork.kernels.jit import Pointer

    kernels = kernels_of(dimension)
    return Pointer(kernels.rhs), Pointer(kernels.project)


def dense_jacobian(model, blocks, rows=None):
    """J (rows, velocity coordinates) from its blocks (..., blocks * dof)."""
    dof, count = model.dof, len(model.rows)
    first = model.size(at.T_ROW_BLOCK)
    row_block = model.tab[first:first + count + 1]
    bodies = model.tab[model.size(at.T_BLOCK_BODY):][:row_block[-1] if count else 0]
    blocks = np.asarray(blocks).reshape(*np.shape(blocks)[:-1], -1, dof)
    out = np.zeros((*blocks.shape[:-2], count, model.n_v))
    for r in range(count) if rows is None else rows:
        for k in range(row_block[r], row_block[r + 1]):
            start = bodies[k] - dof
            out[..., r, start:start + dof] = blocks[..., k, :]
    return out if rows is None else out[..., rows, :]


def pack(model, poses, twists):
    """State vector from poses and twists of the users' body frames.

    Plane: pose (x, y, angle), twist (x', y', angle').  Space: pose (r, quaternion), twist (r', w in body axes).
    """
    y = np.zeros(model.n_y)
    for k, body in enumerate(model.bodies):
        pose, twist = np.asarray(poses[k], dtype=float), np.asarray(twists[k], dtype=float)
        if model.dimension == 2:
            c, s = np.cos(pose[2]), np.sin(pose[2])
            arm = np.array([c * body.center[0] - s * body.center[1], s * body.center[0] + c * body.center[1]])
            y[3 * k:3 * k + 3] = pose[0] + arm[0], pose[1] + arm[1], pose[2]
            first = model.n_q + 3 * k
            y[first:first + 3] = twist[0] - twist[2] * arm[1], twist[1] + twist[2] * arm[0], twist[2]
        else:
            from linkwork.coordinates.rotation import matrix_of, product, quaternion_of

            world = matrix_of(pose[3:])
            spin = np.asarray(twist[3:])
            y[7 * k:7 * k + 3] = pose[:3] + world @ body.center
            y[7 * k + 3:7 * k + 7] = product(pose[3:], quaternion_of(body.rotation))
            first = model.n_q + 6 * k
            y[first:first + 3] = twist[:3] + world @ np.cross(spin, body.center)
            y[first + 3:first + 6] = body.rotation.T @ spin
    return y
