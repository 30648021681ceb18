"""Reactions: the multipliers of a joint's rows as force and moment on a named body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwork.coordinates.body import dense_jacobian
from linkwork.errors import UnknownNameError
from linkwork.kernels import layout as at


@dataclass(frozen=True)
class Reaction:
    """Force and moment of a joint on a body, at the joint; `unique` says which components are determined.

    Plane: force (..., 2) and moment (...); space: force (..., 3) and moment (..., 3).  Where redundant constraints
    leave a component open, the values are those of least norm over all constraints.
    """

    joint: str
    body: str
    axes: str
    force: np.ndarray
    moment: np.ndarray
    unique: bool
    unique_components: dict

    def __str__(self) -> str:
        size = np.atleast_1d(self.magnitude)
        open_ = [label for label, unique in self.unique_components.items() if not unique]
        note = f", not unique along {', '.join(open_)}" if open_ else ""
        return (f"Reaction of joint '{self.joint}' on '{self.body}' ({self.axes} axes): "
                f"force {size.min():.4g} to {size.max():.4g} N{note}")

    @property
    def magnitude(self) -> np.ndarray:
        """Size of the force."""
        return np.linalg.norm(self.force, axis=-1)

    def at(self, k):
        """The reaction at one of the times."""
        return Reaction(self.joint, self.body, self.axes, self.force[k], self.moment[k], self.unique,
                        self.unique_components)


def row_jacobian(series) -> np.ndarray:
    """(times, rows, velocity coordinates)."""
    model = series.model
    return dense_jacobian(model, series.section(at.W_BLOCK, model.dof * model.size(at.N_BLOCKS)))


def multipliers(series, dependencies) -> np.ndarray:
    """(times, rows) multipliers, of least norm over all rows where some are redundant."""
    lam = series.multipliers
    involved = np.flatnonzero(np.any(dependencies != 0.0, axis=0))
    if involved.size == 0:
        return lam
    out = lam.copy()
    jacobian = row_jacobian(series)[:, involved, :]
    for k in range(len(lam)):
        # the force of these rows on the bodies, spread over them with least norm
        out[k, involved] = np.linalg.lstsq(jacobian[k].T, jacobian[k].T @ lam[k, involved], rcond=1e-9)[0]
    return out


def reaction(series, lam, dependencies, name: str, on: str | None, axes: str) -> Reaction:
    """Force and moment of one joint, from the multipliers of all rows."""
    model = series.model
    mechanism = model.mechanism
    if name not in mechanism.joints:
        raise UnknownNameError("joint", name, list(mechanism.joints), f"in mechanism '{mechanism.name}'")
    if axes not in ("world", "joint"):
        raise UnknownNameError("choice of axes", axes, ["world", "joint"])
    joint = mechanism.joints[name]
    sides = {joint.to.body: joint.to, joint.on.body: joint.on}
    body = joint.to.body if on is None else on
    if body not in sides:
        raise UnknownNameError("body", body, list(sides), f"at joint '{name}'")
    sign = 1.0
    if body == "ground":  # the other body knows what ground feels
        body_of_rows, sign = (joint.on.body if joint.to.body == "ground" else joint.to.body), -1.0
    else:
        body_of_rows = body
    rows = [r for r, row in enumerate(model.rows) if row.item == name]
    k = model.body_index[body_of_rows]
    wrench = sign * _wrench(series, lam, rows, k)
    d = model.dimension
    at_point, rotation = frame_pose(series, sides[body])
    center, kernel_axes = _center(series, k)
    arm = at_point - center
    force = wrench[:, :d]
    if d == 2:
        moment = wrench[:, 2] - (arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0])
    else:
        moment = np.einsum("tij,tj->ti", kernel_axes, wrench[:, 3:]) - np.cross(arm, force)
    if axes == "joint":
        _, rotation = frame_pose(series, joint.on)
        force = np.einsum("tji,tj->ti", rotation[:, :d, :d], force)
        if d == 3:
            moment = np.einsum("tji,tj->ti", rotation, moment)
    _, on_axes = frame_pose(series, joint.on)
    components = unique_components(model, rows, dependencies, on_axes[0])
    return Reaction(name, body, axes, force, moment, all(components.values()), components)


def _wrench(series, lam, rows, body: int) -> np.ndarray:
    """(times, dof): the rows' gradients on one body, times their multipliers."""
    model = series.model
    dof = model.dof
    blocks = series.section(at.W_BLOCK, dof * model.size(at.N_BLOCKS))
    first, owners = model.size(at.T_ROW_BLOCK), model.size(at.T_BLOCK_BODY)
    out = np.zeros((len(series.t), dof))
    for r in rows:
        for b in range(model.tab[first + r], model.tab[first + r + 1]):
            if model.tab[owners + b] == dof * (body + 1):
                out += lam[:, r, None] * blocks[:, dof * b:dof * (b + 1)]
    return out


def unique_components(model, rows, dependencies, axes) -> dict[str, bool]:
    """Which components of a joint, along its own axes, redundant constraints leave determined."""
    part = np.array(dependencies[:, rows]) if len(dependencies) else np.zeros((0, len(rows)))
    labels = [model.rows[r].label for r in rows]
    if len(part) and model.dimension == 2 and "x" in labels and "y" in labels:
        pair = [labels.index("x"), labels.index("y")]
        if type(model.rows[rows[pair[0]]].measure).__name__ == "WorldOffset":
            part[:, pair] = part[:, pair] @ axes[:2, :2]  # world components to the axes of the joint
    return {label: not np.any(np.abs(part[:, k]) > 1e-6) for k, label in enumerate(labels)}


def _center(series, k: int):
    """Mass centre and kernel axes of a moving body."""
    model, states = series.model, series.states
    if model.dimension == 2:
        return states[:, 3 * k:3 * k + 2], None
    from linkwork.coordinates.rotation import matrix_of

    return states[:, 7 * k:7 * k + 3], np.array([matrix_of(e) for e in states[:, 7 * k + 3:7 * k + 7]])


def frame_pose(series, frame):
    """World position of a frame's origin and its axes (times, 3, 3)."""
    model, states = series.model, series.states
    count, d = len(series.t), model.dimension
    if frame.body == "ground":
        return np.tile(np.asarray(frame.position)[:d], (count, 1)), np.tile(frame.rotation(), (count, 1, 1))
    k = model.body_index[frame.body]
    body = model.bodies[k]
    center, axes = _center(series, k)
    local = body.rotation.T @ (np.asarray(frame.position) - body.center)
    if d == 2:
        phi = states[:, 3 * k + 2]
        c, s = np.cos(phi), np.sin(phi)
        zero, one = np.zeros(count), np.ones(count)
        axes = np.array([[c, -s, zero], [s, c, zero], [zero, zero, one]]).transpose(2, 0, 1)
    world = axes @ body.rotation.T @ frame.rotation()
    return center + (axes @ local)[:, :d], world
