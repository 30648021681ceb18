"""Joint coordinates: the freedoms of the joints along a tree; loops are closed by rows.

A joint coordinate is the value of a measure of its joint, so that states of bodies become states of joints by reading
measures, and back by the recursion.  States that leave this room are states of bodies: every set understands them.
"""

from __future__ import annotations

import numpy as np

from linkwork.coordinates import recursion
from linkwork.coordinates.body import System as BodySystem
from linkwork.coordinates.body import dense_jacobian
from linkwork.coordinates.own_states import OwnStates
from linkwork.coordinates.readings import read
from linkwork.coordinates.system import EULER
from linkwork.coordinates.turns import TURN
from linkwork.kernels import layout as at
from linkwork.rotation import from_matrix, from_rotation_vector, matrix, product


class System(OwnStates):
    """A model in joint coordinates."""

    coordinates = "joint"

    def __init__(self, plan, values=None, held=None, memory=None):
        super().__init__(plan, values, held, memory)
        self.tree = plan.layout.tree
        if values is not None:
            self._stand_on(values)

    def keep_turns(self, y) -> None:
        """Count whole turns of bodies that no joint counts (they slide, or are fixed) as a state has them."""
        if self.model.dimension != 2:
            return
        from linkwork.kernels.planar.links import L_ANGLE, L_MASS

        links = self.view(at.P_LINK)
        # masses have no part in it
        given, kept = (y.tobytes(), links[:, :L_MASS].tobytes()), self.plan.turns_kept
        found = kept.get(given)
        if found is None:  # results of prepared runs begin with the same state again and again
            found = self._missing_turns(y, self.to_body(self.from_body(y)))
            kept.clear()
            kept[given] = found
        for k, missing in found:
            self.set_numbers(at.P_LINK, links[k, L_ANGLE] + missing, (k, L_ANGLE))

    def keep_many_turns(self, many, states, own) -> None:
        """The same for many designs, with the states that come of theirs by joint coordinates and back."""
        from linkwork.kernels.planar.links import L_ANGLE

        links, angles = many.section(at.P_LINK), slice(2, self.model.n_q, 3)
        turned = np.round((states[:, angles] - own[:, angles]) / TURN)[:, self.model.turning].any(axis=1)
        for k in np.flatnonzero(turned):
            for link, missing in self._missing_turns(states[k], own[k]):
                links[k, link, L_ANGLE] += missing

    def _missing_turns(self, y, own) -> list[tuple[int, float]]:
        """Links, and the angle of the whole turns that each of them has to add; `own` is y by them and back."""
        turns = np.round((y[2 : self.model.n_q : 3] - own[2 : self.model.n_q : 3]) / TURN)
        if not turns[self.model.turning].any():
            return []
        found, added = [], np.zeros(len(self.tree.links))
        for k, link in enumerate(self.tree.links[1:], start=1):
            added[k] = added[link.parent]
            if link.body and self.model.bodies[link.body - 1].has_angle:
                place = 3 * link.body - 1
                missing = TURN * round((y[place] - own[place] - added[k]) / TURN)
                added[k] += missing
                found.append((k, missing))
        return found

    @property
    def depends_on_assembly(self) -> bool:
        """Whether places of steps depend on how the mechanism was assembled."""
        return any(link.row is not None for link in self.tree.links)

    def _stand_on(self, values) -> None:
        """Steps whose place depends on how the mechanism was assembled."""
        standing = [(k, link) for k, link in enumerate(self.tree.links) if link.row is not None]
        if standing:
            from linkwork.kernels.planar.links import L_ANGLE

            names = {(row.item, row.label): r for r, row in enumerate(self.model.rows)}
            for k, link in standing:
                label, factor = link.row
                angle = link.angle + factor * values[names[link.joint, label]]
                self.set_numbers(at.P_LINK, angle, (k, L_ANGLE))

    @property
    def has_orientations(self) -> bool:
        """Whether there are Euler parameters among the coordinates, to be kept at length one."""
        return self.plan.layout.has_orientations

    @property
    def state_names(self) -> list[str]:
        """Positions and speeds in their order; a ball has Euler parameters."""
        found, speeds = [""] * self.plan.n_q, [one.name for one in self.tree.coordinates]
        for link in self.tree.links[1:]:
            if link.kind == at.BALL:
                owner = speeds[link.first_v].rpartition(".")[0]
                found[link.first_q : link.first_q + 4] = [f"{owner}.{one}" for one in EULER]
            elif link.kind != at.RIGID:
                found[link.first_q] = speeds[link.first_v]
        return [*found, *(f"{one}.rate" for one in speeds)]

    @property
    def columns(self):
        """Which velocity coordinates exist: all."""
        return np.ones(self.plan.n_v, dtype=bool)

    @property
    def weights(self):
        """Angles count as lengths: their columns are divided by the length of the mechanism."""
        return np.array([1.0 / self.model.length if one.turning else 1.0 for one in self.tree.coordinates])

    def body_jacobian(self):
        """J of the rows that close loops, against the speeds of the bodies."""
        return dense_jacobian(self.plan, self.view(at.W_BLOCK))

    def jacobian(self, rows=None):
        """C = J_b B: rows that close loops against joint coordinates, at the last state located."""
        matrix = self.body_jacobian() @ recursion.velocity_transformation(self)
        return matrix if rows is None else matrix[rows]

    def culprit(self) -> str:
        """The joint, or the body that floats, that moves nothing that has inertia."""
        link = self.tree.links[int(self.w[at.CULPRIT])]
        return f"Joint '{link.joint}'" if link.joint else f"Body '{self.model.bodies[link.body - 1].name}'"

    # -- states ----------------------------------------------------------------------------------------------------
    def from_bodies(self, states, memory=None, reader=read):
        """States of this set from those of the bodies; `reader` reads the measures: `read`, or that of a block."""
        plan, model, probe, own = self.plan, self.model, self.plan.layout.probe, self.plan.layout.probe_terms
        memory = np.zeros((len(states), model.n_memory)) if memory is None else memory.copy()
        memory[:, own.uncounted] = 0.0
        out = np.zeros((len(states), plan.n_y))
        out[:, plan.n_q + plan.n_v :] = states[:, model.n_q + model.n_v :]
        for part, value, rate, _ in reader(probe, probe.gather(np.concatenate([states, memory], axis=1))):
            every = slice(None)
            np.add.at(out[part], (every, own.first_q), own.weight * (value[:, own.reading] + own.added))
            np.add.at(out[part], (every, plan.n_q + own.first_v), own.weight * rate[:, own.reading])
        for k, link in enumerate(self.tree.links):
            if link.kind == at.BALL:
                self._ball(k, states, out)
        return out

    def _ball(self, k, states, out):
        """Orientation of the far side of a ball against its near side, and the relative turning in axes of the far."""
        link, n_q = self.tree.links[k], self.plan.n_q
        near, near_spin = self._near(link, states, out)
        far, far_spin = self._far(k, states, out)
        out[:, link.first_q : link.first_q + 4] = from_matrix(_back(near) @ far)
        out[:, n_q + link.first_v : n_q + link.first_v + 3] = _turned(_back(far), far_spin - near_spin)

    def _of_body(self, body, states):
        """Axes and angular velocity of a body (from 1; 0 is the ground), in the world, for every state."""
        if not body:
            return np.broadcast_to(np.eye(3), (len(states), 3, 3)), np.zeros((len(states), 3))
        first = self.model.n_q + 6 * (body - 1) + 3
        axes = matrix(states[:, 7 * body - 4 : 7 * body])
        return axes, _turned(axes, states[:, first : first + 3])

    def _turn(self, link, rows):
        """Rotation of a link against its parent, and its turning on the parent, for the values in `rows`."""
        if not link.turn:
            return link.rotation, np.zeros(3)
        turned = matrix(from_rotation_vector(link.turn * rows[:, link.first_q, None] * link.direction)) @ link.rotation
        return turned, link.turn * rows[:, self.plan.n_q + link.first_v, None] * link.direction

    def _near(self, link, states, rows):
        """Axes and angular velocity of the near side of a ball: steps of its joint may lie between it and a body."""
        between, parent = [], link.parent
        while parent and not self.tree.links[parent].body:
            between.append(self.tree.links[parent])
            parent = self.tree.links[parent].parent
        axes, spin = self._of_body(self.tree.links[parent].body, states)
        for one in reversed(between):
            rotation, turning = self._turn(one, rows)
            spin = spin + _turned(axes, turning)
            axes = axes @ rotation
        return axes @ link.rotation, spin

    def _far(self, k, states, rows):
        """The same of its far side; links of one joint follow each other up to the one with the body."""
        last = k
        while not self.tree.links[last].body:
            last += 1
        axes, spin = self._of_body(self.tree.links[last].body, states)
        for one in reversed(self.tree.links[k + 1 : last + 1]):
            rotation, turning = self._turn(one, rows)
            axes = axes @ _back(rotation)
            spin = spin - _turned(axes, turning)
        return axes @ self.tree.links[k].after.T, spin

    def put(self, y, values) -> None:
        """Write joint coordinates and rates into a state: (name, order) -> number."""
        places = {link.first_v: link.first_q for link in self.tree.links[1:] if link.kind != at.RIGID}
        for (name, order), value in values.items():
            k = self.plan.layout.own_names.index(name)
            y[places[k] if order == 0 else self.plan.n_q + k] = value

    def shake(self, y, attempt: int) -> None:
        """Move every joint of the tree by an amount of its own; only the loops are open then."""
        for k, link in enumerate(self.tree.links):
            phase = 2.3 * attempt * k + attempt
            if link.kind == at.BALL:
                turn = np.array([np.cos(phase), *np.sin(phase + np.array([0.0, 2.0, 4.0]))])
                place = slice(link.first_q, link.first_q + 4)
                y[place] = product(y[place], turn / np.linalg.norm(turn))
            elif link.kind != at.RIGID:
                turning = self.tree.coordinates[link.first_v].turning
                y[link.first_q] += (np.pi if turning else 1.5 * self.model.length) * np.sin(phase)


def motion(plan, t, states, values, held, raw=None, rows: bool = True):
    """Accelerations of the bodies (times, n_v) from the recursion, and with `rows` the multipliers of all rows.

    `states` are those of the bodies with memory, `raw` the same in joint coordinates where it is known; then, without
    `rows`, the first of the states will do.
    """
    model, n_y = plan.model, plan.model.n_y
    system = System(plan, values, held)
    system.keep_turns(states[0, :n_y])
    if raw is None:
        raw = np.concatenate([system.from_bodies(states[:, :n_y], states[:, n_y:]), states[:, n_y:]], axis=1)
    sections = [plan.places(at.W_ACCELERATION)[1:]]
    if rows:
        sections += [plan.places(at.W_APPLIED)[1:], plan.places(at.W_LAMBDA)]
    picks, count = np.concatenate([one.ravel() for one in sections]), sections[0].size
    acceleration, lam = np.empty((len(t), count)), np.zeros((len(t), len(model.rows) if rows else 0))
    for part, picked in system.sweep(t, raw, picks):
        picked[:, :count][:, ~model.existing] = 0.0
        acceleration[part] = picked[:, :count]
        if rows:
            lam[part, plan.kept] = picked[:, 2 * count :]
            rest = acceleration[part] * model.masses - picked[:, count : 2 * count]
            _through_the_tree(plan, t[part], states[part], rest, lam[part], values, held)
    return acceleration, lam


def _through_the_tree(plan, t, states, rest, lam, values, held):
    """Multipliers of the joints in the tree: what is missing in the balance of a body and of all that it carries.

    sum over the joint's rows of  gradient * lam = M a - h - (rows that close loops) + (all that it carries)
    """
    model = plan.model
    dof, d, count = model.dof, model.dimension, len(t)
    body = model.plan()
    J = BodySystem(body, values, held).swept(t, states, body.places(at.W_BLOCK).ravel(), located=True)
    J = J.reshape(count, -1, dof)
    load = rest.reshape(count, len(model.bodies), dof).transpose(1, 0, 2).copy()  # (bodies, times, dof)
    for r in plan.kept:
        for block, on in body.row_blocks[r]:
            load[on] -= lam[:, r, None] * J[:, block]
    places = states[:, : model.n_q].reshape(count, len(model.bodies), at.COORDINATES[d][0]).transpose(1, 0, 2)
    axes = matrix(places[:, :, 3:]) if d == 3 else None
    if axes is not None:  # moments in world axes, so that they can be added up
        load[:, :, 3:] = _turned(axes, load[:, :, 3:])
    for name, (parent, joint) in reversed(plan.layout.tree.parent.items()):
        k = model.body_index[name]
        if joint and (rows := model.rows_of.get(joint)):
            local = load[k]
            if axes is not None:
                local = np.concatenate([local[:, :3], _turned(_back(axes[k]), local[:, 3:])], axis=1)
            own = [block for r in rows for block, on in body.row_blocks[r] if on == k]
            gradient = J[:, own].transpose(0, 2, 1)
            lam[:, rows] = _along(gradient, local)
        if parent != "ground":
            on, arm = model.body_index[parent], places[k, :, :d] - places[model.body_index[parent], :, :d]
            load[on] += load[k]
            if d == 2:
                load[on][:, 2] += arm[:, 0] * load[k][:, 1] - arm[:, 1] * load[k][:, 0]
            else:
                load[on][:, 3:] += np.cross(arm, load[k][:, :3])


def _along(gradient, load):
    """lam (times, rows) of  gradient lam = load,  for gradients (times, dof, rows).

    By the normal equations, whose error of the square of the condition is taken back by a second solve; of least norm
    where rows depend on each other somewhere.
    """
    back, load = _back(gradient), load[:, :, None]
    square = back @ gradient
    try:
        lam = np.linalg.solve(square, back @ load)
        lam = lam + np.linalg.solve(square, back @ (load - gradient @ lam))
    except np.linalg.LinAlgError:
        lam = np.linalg.pinv(gradient) @ load
    return lam[:, :, 0]


def _back(matrices):
    """Transposed matrices (..., 3, 3)."""
    return np.swapaxes(matrices, -1, -2)


def _turned(matrices, vectors):
    """Matrices (..., 3, 3) times vectors (..., 3)."""
    return np.einsum("...ij,...j->...i", matrices, vectors)
