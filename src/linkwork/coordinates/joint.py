"""Joint coordinates: the freedoms of the joints along a tree; loops are closed by rows.

A joint coordinate is the value of a measure of its joint, so that states of bodies become states of joints by reading
measures, and back by the recursion.  States that leave this room are states of bodies: every set understands them.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from linkwork.coordinates import recursion
from linkwork.coordinates.body import System as BodySystem
from linkwork.coordinates.body import body_weights, dense_jacobian
from linkwork.coordinates.rotation import matrices_of, matrix_of, quaternion_of
from linkwork.coordinates.system import System as _System
from linkwork.kernels import layout as at

TURN = 2.0 * np.pi


class System(_System):
    """A model in joint coordinates.  `base` is the same in body coordinates, whose rows `values` and `held` are for."""

    coordinates = "joint"

    def __init__(self, model, values=None, held=None, memory=None):
        inner = model.in_joints
        rows = model.loop_rows
        super().__init__(inner, None if values is None else np.asarray(values)[rows],
                         None if held is None else np.asarray(held)[rows], memory)
        self.base = model
        self.tree = inner.tree
        if values is not None:
            self._stand_on(values)

    def keep_turns(self, y) -> None:
        """Count whole turns of bodies that no joint counts (they slide, or are fixed) as a state has them."""
        if self.model.dimension != 2:
            return
        first = self.model.size(at.P_LINK)
        own = self.to_body(self.from_body(y))
        added = np.zeros(len(self.tree.links))
        for k, link in enumerate(self.tree.links[1:], start=1):
            added[k] = added[link.parent]
            if link.body and self.base.bodies[link.body - 1].has_angle:
                place = 3 * link.body - 1
                missing = TURN * round((y[place] - own[place] - added[k]) / TURN)
                self.p[first + at.LINK_NUMBERS[2] * k + 2] += missing
                added[k] += missing

    def _stand_on(self, values) -> None:
        """Steps whose place depends on how the mechanism was assembled."""
        names = {(row.item, row.label): r for r, row in enumerate(self.base.rows)}
        for k, link in enumerate(self.tree.links):
            if link.row is not None:
                label, factor = link.row
                angle = link.angle + factor * values[names[link.joint, label]]
                first = self.model.size(at.P_LINK) + at.LINK_NUMBERS[2] * k + 2
                self.p[first:first + 3] = angle, np.cos(angle), np.sin(angle)

    @cached_property
    def has_orientations(self) -> bool:
        """Whether there are Euler parameters among the coordinates, to be kept at length one."""
        return any(link.kind == at.BALL for link in self.tree.links)

    @property
    def all_held(self):
        """Which rows of the base model act: those of the tree always do."""
        out = np.ones(len(self.base.rows))
        out[self.base.loop_rows] = self.held
        return out

    @property
    def step(self):
        """Where a step of the coordinates is left."""
        return self._view(at.W_CHANGE, self.model.n_v)

    @property
    def columns(self):
        """Which velocity coordinates exist: all."""
        return np.ones(self.model.n_v, dtype=bool)

    @property
    def weights(self):
        """Angles count as lengths: their columns are divided by the length of the mechanism."""
        return np.array([1.0 / self.model.length if one.turning else 1.0 for one in self.tree.coordinates])

    @property
    def acceleration(self):
        """Accelerations of the bodies at the last state evaluated."""
        first = self.model.size(at.W_ACCELERATION) + self.model.dof
        return self.w[first:first + self.model.dof * len(self.model.bodies)]

    def body_jacobian(self):
        """J of the rows that close loops, against the speeds of the bodies."""
        return dense_jacobian(self.model, self._view(at.W_BLOCK, self.model.dof * self.model.size(at.N_BLOCKS)))

    def jacobian(self, rows=None):
        """C = J_b B: rows that close loops against joint coordinates, at the last state located."""
        matrix = self.body_jacobian() @ recursion.velocity_transformation(self)
        return matrix if rows is None else matrix[rows]

    def free_sizes(self, rows):
        """Norms of rows of J between free bodies, angles counting as lengths."""
        return np.linalg.norm(self.body_jacobian()[rows] * body_weights(self.model), axis=1)

    # -- states ----------------------------------------------------------------------------------------------------
    def from_body(self, y, memory=None):
        """Joint coordinates, their rates and the work, from a state of the bodies and its memory of turns."""
        return self.from_bodies(np.zeros(1), y[None, :], None if memory is None else memory[None, :])[0]

    def from_bodies(self, t, states, memory=None):
        """The same for several states."""
        model, probe = self.model, self.model.probe
        count = probe.size(at.N_MEASURES)
        picks = np.concatenate([np.arange(count) + probe.size(key) for key in (at.W_VALUE, at.W_RATE)])
        if memory is None:
            memory = np.zeros((len(states), self.base.size(at.N_MEMORY)))
        memory = self.base.memory_for(probe, memory)
        read, _ = BodySystem(probe).sweep(t, np.concatenate([states, memory], axis=1), picks)
        out = np.zeros((len(states), model.n_y))
        out[:, model.n_q + model.n_v:] = states[:, self.base.n_q + self.base.n_v:]
        for link in self.tree.links[1:]:
            if link.kind not in (at.RIGID, at.BALL):
                for weight, one in self.tree.coordinates[link.first_v].measure.terms():
                    m = probe.measure_index[one]
                    out[:, link.first_q] += weight * read[:, m]
                    out[:, model.n_q + link.first_v] += weight * read[:, count + m]
        for k, link in enumerate(self.tree.links):
            if link.kind == at.BALL:
                self._ball(k, states, out)
        return out

    def _ball(self, k, states, out):
        """Orientation of the far side of a ball against its near side, and the relative turning in axes of the far."""
        link, n_q = self.tree.links[k], self.model.n_q
        for row, y in zip(out, states):
            near, near_spin = self._near(link, y, row)
            far, far_spin = self._far(k, y, row)
            row[link.first_q:link.first_q + 4] = quaternion_of(near.T @ far)
            row[n_q + link.first_v:n_q + link.first_v + 3] = far.T @ (far_spin - near_spin)

    def _of_body(self, body, y):
        """Axes and angular velocity of a body (from 1; 0 is the ground), in the world."""
        if not body:
            return np.eye(3), np.zeros(3)
        first = self.base.n_q + 6 * (body - 1) + 3
        axes = matrix_of(y[7 * body - 4:7 * body])
        return axes, axes @ y[first:first + 3]

    def _turn(self, link, row):
        """Rotation of a link against its parent, and its turning on the parent, for the values in `row`."""
        if not link.turn:
            return link.rotation, np.zeros(3)
        half = 0.5 * link.turn * row[link.first_q]
        turned = matrix_of([np.cos(half), *(np.sin(half) * link.direction)]) @ link.rotation
        return turned, link.direction * (link.turn * row[self.model.n_q + link.first_v])

    def _near(self, link, y, row):
        """Axes and angular velocity of the near side of a ball: steps of its joint may lie between it and a body."""
        between, parent = [], link.parent
        while parent and not self.tree.links[parent].body:
            between.append(self.tree.links[parent])
            parent = self.tree.links[parent].parent
        axes, spin = self._of_body(self.tree.links[parent].body, y)
        for one in reversed(between):
            rotation, turning = self._turn(one, row)
            spin = spin + axes @ turning
            axes = axes @ rotation
        return axes @ link.rotation, spin

    def _far(self, k, y, row):
        """The same of its far side; links of one joint follow each other up to the one with the body."""
        last = k
        while not self.tree.links[last].body:
            last += 1
        axes, spin = self._of_body(self.tree.links[last].body, y)
        for one in reversed(self.tree.links[k + 1:last + 1]):
            rotation, turning = self._turn(one, row)
            axes = axes @ rotation.T
            spin = spin - axes @ turning
        return axes @ self.tree.links[k].after.T, spin

    def to_bodies(self, t, raw):
        """States of the bodies, with work and memory, from joint states with memory."""
        model, base = self.model, self.base
        size, dof = at.POSE_SCRATCH[model.dimension], model.dof
        bodies = len(model.bodies)
        picks = np.concatenate([np.arange(size * bodies) + model.size(at.W_POSE) + size,
                                np.arange(dof * bodies) + model.size(at.W_TWIST) + dof])
        read, _ = self.sweep(t, raw, picks)
        poses = read[:, :size * bodies].reshape(-1, bodies, size)
        twists = read[:, size * bodies:].reshape(-1, bodies, dof)
        for k, body in enumerate(model.bodies):
            if not body.has_angle:  # its link turns with what carries it, the particle does not
                twists[:, k, model.dimension:] = 0.0
                poses[:, k, model.dimension:] = 0.0 if model.dimension == 2 else np.eye(3).ravel()
        if model.dimension == 2:
            q = poses[:, :, :3]
        else:
            turns = [[quaternion_of(one) for one in row] for row in poses[:, :, 3:].reshape(-1, bodies, 3, 3)]
            q = np.concatenate([poses[:, :, :3], np.array(turns).reshape(-1, bodies, 4)], axis=2)
        return np.concatenate([q.reshape(len(raw), base.n_q), twists.reshape(len(raw), base.n_v),
                               raw[:, model.n_q + model.n_v:]], axis=1)

    def to_body(self, y):
        """State of the bodies from joint coordinates, rates and work."""
        row = np.concatenate([y, self.memory])[None, :]
        return self.to_bodies(np.zeros(1), row)[0][:self.base.n_y]


def motion(model, t, states, values, held, raw=None):
    """Accelerations of the bodies (times, n_v) and multipliers of all rows (times, rows), from the recursion.

    `states` are those of the bodies with memory, `raw` the same in joint coordinates where it is known.
    """
    system = System(model, values, held)
    system.keep_turns(states[0, :model.n_y])
    inner = system.model
    n_y = model.n_y
    if raw is None:
        raw = np.concatenate([system.from_bodies(t, states[:, :n_y], states[:, n_y:]), states[:, n_y:]], axis=1)
    dof, bodies = model.dof, len(model.bodies)
    sections = ((at.W_ACCELERATION, dof * (bodies + 1)), (at.W_APPLIED, dof * (bodies + 1)),
                (at.W_LAMBDA, len(inner.rows)))
    picks = np.concatenate([np.arange(count) + inner.size(key) for key, count in sections])
    picked, _ = system.sweep(t, raw, picks)
    count = dof * (bodies + 1)
    acceleration, applied, loops = picked[:, dof:count], picked[:, count + dof:2 * count], picked[:, 2 * count:]
    for k, body in enumerate(model.bodies):
        if not body.has_angle:
            acceleration[:, dof * k + model.dimension:dof * (k + 1)] = 0.0
    lam = np.zeros((len(t), len(model.rows)))
    lam[:, model.loop_rows] = loops
    first = model.size(at.P_MASS) + dof
    rest = acceleration * model.parameters[first:first + model.n_v] - applied
    _through_the_tree(model, system.tree, t, states, rest, lam, values, held)
    return acceleration, lam


def _through_the_tree(model, tree, t, states, rest, lam, values, held):
    """Multipliers of the joints in the tree: what is missing in the balance of a body and of all that it carries.

        sum over the joint's rows of  gradient * lam = M a - h - (rows that close loops) + (all that it carries)
    """
    dof, d, bodies = model.dof, model.dimension, len(model.bodies)
    body = BodySystem(model, values, held)
    blocks = model.section(at.W_BLOCK, dof * model.size(at.N_BLOCKS))
    picked, _ = body.sweep(t, states, np.arange(blocks.start, blocks.stop))
    jacobian = dense_jacobian(model, picked)
    rest = rest - np.einsum("trc,tr->tc", jacobian, lam)
    size = model.n_q // max(1, bodies)
    centers = states[:, :model.n_q].reshape(len(t), bodies, size)
    wrench = {name: rest[:, dof * k:dof * k + dof].copy() for k, name in enumerate(b.name for b in model.bodies)}
    axes = {}
    if d == 3:  # moments in world axes, so that they can be added up
        for k, info in enumerate(model.bodies):
            axes[info.name] = matrices_of(centers[:, k, 3:7])
            wrench[info.name][:, 3:] = np.einsum("tij,tj->ti", axes[info.name], wrench[info.name][:, 3:])
    index = model.body_index
    rows_of: dict[str, list[int]] = {}
    for r, row in enumerate(model.rows):
        rows_of.setdefault(row.item, []).append(r)
    for name, (parent, joint) in reversed(tree.parent.items()):
        k = index[name]
        load = wrench[name]
        if joint:
            rows = rows_of.get(joint, [])
            local = load.copy()
            if d == 3:
                local[:, 3:] = np.einsum("tji,tj->ti", axes[name], load[:, 3:])
            gradient = jacobian[:, rows, dof * k:dof * k + dof].transpose(0, 2, 1)
            lam[:, rows] = np.einsum("tij,tj->ti", np.linalg.pinv(gradient), local)
        if parent != "ground":
            arm = centers[:, k, :d] - centers[:, index[parent], :d]
            wrench[parent] += load
            if d == 2:
                wrench[parent][:, 2] += arm[:, 0] * load[:, 1] - arm[:, 1] * load[:, 0]
            else:
                wrench[parent][:, 3:] += np.cross(arm, load[:, :3])
