"""Recursions over the tree that the fast kernels never form: B, B-dot v, composite bodies, Newton-Euler.

Plain numpy over the links as the kernels left them, plane and space alike (the plane is z = 0).

| symbol | word                                                                    | shape       |
|--------|-------------------------------------------------------------------------|-------------|
| S      | turning and velocity of P for a unit rate of each coordinate            | n_v, 3 each |
| c      | acceleration (turning, P) without q'' and without the parent's          | links, 3    |
| r s    | from P of the parent to P; from P to the mass centre                    | links, 3    |
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at
from linkwork.records import dataclass
from linkwork.rotation import skew


@dataclass(frozen=True)
class Links:
    """The links of a tree at one state, as arrays; link 0 is the ground."""

    parent: np.ndarray
    body: np.ndarray  # 0 for a link without one
    owner: np.ndarray  # (n_v) link of a coordinate
    point: np.ndarray
    way: np.ndarray  # r
    arm: np.ndarray  # s
    spin: np.ndarray
    turning: np.ndarray  # (n_v, 3) S, turning
    moving: np.ndarray  # (n_v, 3) S, P
    bias_turning: np.ndarray
    bias_moving: np.ndarray
    axes: np.ndarray  # (links, 3, 3) of the link, world


def read(system) -> Links:
    """The links as the kernels left them at the last state located."""
    return _read_plane(system) if system.model.dimension == 2 else _read_space(system)


def _read_plane(system) -> Links:
    from linkwork.kernels.planar import links as k

    table, w = system.plan.table(at.T_LINK), system.view(at.W_LINK)
    count, n_v = len(table), system.plan.n_v

    def flat(x, y):
        return np.column_stack([w[:, x], w[:, y], np.zeros(count)])

    turning, moving, owner = np.zeros((n_v, 3)), np.zeros((n_v, 3)), np.zeros(n_v, dtype=int)
    for i, link in enumerate(system.tree.links):
        if link.kind == at.TURN:
            turning[link.first_v, 2] = link.turn
        elif link.kind != at.RIGID:
            turning[link.first_v, 2] = w[i, k.SN]
            moving[link.first_v, :2] = w[i, k.SX], w[i, k.SY]
        else:
            continue
        owner[link.first_v] = i
    spin = np.column_stack([np.zeros((count, 2)), w[:, k.W]])
    axes = np.zeros((count, 3, 3))
    axes[:, 0, 0] = axes[:, 1, 1] = w[:, k.COS]
    axes[:, 1, 0], axes[:, 0, 1], axes[:, 2, 2] = w[:, k.SIN], -w[:, k.SIN], 1.0
    return Links(
        table[:, at.LINK_PARENT],
        table[:, at.LINK_BODY],
        owner,
        flat(k.X, k.Y),
        flat(k.RX, k.RY),
        flat(k.CX, k.CY),
        spin,
        turning,
        moving,
        np.zeros((count, 3)),
        flat(k.BX, k.BY),
        axes,
    )


def _read_space(system) -> Links:
    from linkwork.kernels.spatial import links as k

    table, w = system.plan.table(at.T_LINK), system.view(at.W_LINK)
    n_v = system.plan.n_v

    def part(first):
        return w[:, first : first + 3]

    turning, moving, owner = np.zeros((n_v, 3)), np.zeros((n_v, 3)), np.zeros(n_v, dtype=int)
    for i, link in enumerate(system.tree.links):
        if link.kind == at.BALL:
            turning[link.first_v : link.first_v + 3] = w[i, k.FAR : k.FAR + 9].reshape(3, 3).T
            owner[link.first_v : link.first_v + 3] = i
        elif link.kind != at.RIGID:
            turning[link.first_v], moving[link.first_v] = w[i, k.SN : k.SN + 3], w[i, k.SF : k.SF + 3]
            owner[link.first_v] = i
    axes = w[:, k.R : k.R + 9].reshape(-1, 3, 3)
    return Links(
        table[:, at.LINK_PARENT],
        table[:, at.LINK_BODY],
        owner,
        part(k.P),
        part(k.WAY),
        part(k.ARM),
        part(k.W),
        turning,
        moving,
        part(k.BN),
        part(k.BF),
        axes,
    )


def _to_coordinates(system, links, turning, moving):
    """Turning and velocity of mass centres (links, 3 each) as one vector over the coordinates of all bodies."""
    model = system.model
    d, dof = model.dimension, model.dof
    out = np.zeros(dof * len(model.bodies))
    for i in np.flatnonzero(links.body):
        first = dof * (links.body[i] - 1)
        out[first : first + d] = moving[i, :d]
        out[first + d : first + dof] = turning[i, 2] if d == 2 else links.axes[i].T @ turning[i]
    return out


def velocity_transformation(system) -> np.ndarray:
    """B: speeds of all bodies for unit rates of the joint coordinates (book: the velocity transformation matrix)."""
    links = read(system)
    out = np.zeros((system.model.dof * len(system.model.bodies), system.plan.n_v))
    below = np.zeros((len(links.parent), len(links.parent)), dtype=bool)
    for i in range(len(links.parent)):  # below[j, i]: link i is j or hangs on it
        below[i, i] = True
        if i:
            below[:, i] |= below[:, links.parent[i]]
    for v, owner in enumerate(links.owner):
        carried = below[owner]
        arm = links.point + links.arm - links.point[owner]
        moving = np.where(carried[:, None], links.moving[v] + np.cross(links.turning[v], arm), 0.0)
        turning = np.where(carried[:, None], links.turning[v], 0.0)
        out[:, v] = _to_coordinates(system, links, turning, moving)
    return out


def accelerations(system, links, change) -> tuple[np.ndarray, np.ndarray]:
    """Angular accelerations of the links and accelerations of their mass centres, for given q''."""
    turning, moving = np.zeros_like(links.point), np.zeros_like(links.point)
    for i in range(1, len(links.parent)):
        j = links.parent[i]
        turning[i] = turning[j] + links.bias_turning[i]
        moving[i] = moving[j] + np.cross(turning[j], links.way[i]) + links.bias_moving[i]
        for v in np.flatnonzero(links.owner == i):
            turning[i] += links.turning[v] * change[v]
            moving[i] += links.moving[v] * change[v]
    return turning, moving + np.cross(turning, links.arm) + np.cross(links.spin, np.cross(links.spin, links.arm))


def bias_acceleration(system) -> np.ndarray:
    """B-dot v: accelerations of the bodies while the joint rates do not change."""
    links = read(system)
    return _to_coordinates(system, links, *accelerations(system, links, np.zeros(system.plan.n_v)))


def _inertia(system, links, i) -> tuple[float, np.ndarray]:
    """Mass, and inertia about the mass centre in world axes, of the body on a link."""
    body = system.model.bodies[links.body[i] - 1]
    if not body.has_angle:
        return body.mass, np.zeros((3, 3))
    local = np.diag([0.0, 0.0, body.inertia[0]]) if system.model.dimension == 2 else np.diag(body.inertia)
    return body.mass, links.axes[i] @ local @ links.axes[i].T


def mass_matrix(system) -> np.ndarray:
    """M = B' M_b B by composite bodies: each link with all that it carries is one rigid body, seen from the origin."""
    links = read(system)
    composite = np.zeros((len(links.parent), 6, 6))
    for i in range(len(links.parent) - 1, 0, -1):
        if links.body[i]:
            mass, inertia = _inertia(system, links, i)
            arm = skew(links.point[i] + links.arm[i])
            composite[i] += np.block([[inertia - mass * arm @ arm, mass * arm], [-mass * arm, mass * np.eye(3)]])
        composite[links.parent[i]] += composite[i]
    axis = np.hstack([links.turning, links.moving - np.cross(links.turning, links.point[links.owner])])
    out = np.zeros((system.plan.n_v, system.plan.n_v))
    for v, owner in enumerate(links.owner):
        momentum = composite[owner] @ axis[v]
        i = owner
        while i > 0:
            for u in np.flatnonzero(links.owner == i):
                out[u, v] = out[v, u] = axis[u] @ momentum
            i = links.parent[i]
    return out


def inverse_dynamics(system, change) -> np.ndarray:
    """Generalized forces along the joint coordinates for given q'', by Newton and Euler; applied forces are in them.

    tau = M q'' - h         (zero where the motion needs nothing but the applied forces)
    """
    links, model = read(system), system.model
    d = model.dimension
    turning, moving = accelerations(system, links, change)
    force, moment = np.zeros_like(links.point), np.zeros_like(links.point)  # about P
    applied = system.view(at.W_APPLIED)
    for i in range(len(links.parent) - 1, 0, -1):
        if links.body[i]:
            mass, inertia = _inertia(system, links, i)
            given = applied[links.body[i]]
            net = mass * moving[i]
            net[:d] -= given[:d]
            if d == 2:
                turn = inertia @ turning[i] - np.array([0.0, 0.0, given[2]])
            else:  # the gyroscopic moment -w x (J w) is among the applied ones
                turn = inertia @ turning[i] - links.axes[i] @ given[3:]
            force[i] += net
            moment[i] += turn + np.cross(links.arm[i], net)
        if i:
            j = links.parent[i]
            force[j] += force[i]
            moment[j] += moment[i] + np.cross(links.way[i], force[i])
    return np.einsum("ij,ij->i", links.turning, moment[links.owner]) + np.einsum(
        "ij,ij->i", links.moving, force[links.owner]
    )
