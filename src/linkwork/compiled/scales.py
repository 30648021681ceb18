"""What is usual in a mechanism: a length, and units of inertia to measure rows and speeds by."""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at


def typical_length(builder) -> float:
    """One length of the mechanism: how far joints and forces sit from the mass centres, on average."""
    arms: dict[str, float] = {}
    ground = []
    for _, frame in builder.frames.values():
        if frame.body == "ground":
            ground.append(frame.position)
        else:
            center = builder.bodies[builder.index[frame.body] - 1].center
            arm = float(np.linalg.norm(np.asarray(frame.position) - center))
            arms[frame.body] = max(arm, arms.get(frame.body, 0.0))
    sizes = [arm for arm in arms.values() if arm > 0.0]
    sizes += [row.value for row in builder.rows if row.value and type(row.measure).__name__ == "Distance"]
    if not sizes and len(ground) > 1:
        spread = np.ptp(np.array(ground), axis=0).max()
        sizes = [spread] if spread > 0.0 else []
    return float(np.mean(sizes)) if sizes else 1.0


def masses(builder, length):
    """Mass, inverse mass, usual inertia and weight of every coordinate of every body, ground first."""
    d = builder.dimension
    _, dof = at.COORDINATES[d]
    count = len(builder.bodies) + 1
    mass, inverse, unit, weight = (np.zeros((count, dof)) for _ in range(4))
    known = [body.mass for body in builder.bodies if body.mass > 0.0]
    typical = float(np.mean(known)) if known else 1.0
    unit[:, :d] = typical
    unit[:, d:] = typical * length ** 2
    mass[0] = 1.0
    for k, body in enumerate(builder.bodies, start=1):
        mass[k, :d] = body.mass
        mass[k, d:] = body.inertia if body.has_angle else 1.0
        with np.errstate(divide="ignore"):
            inverse[k] = np.where(mass[k] > 0.0, 1.0 / mass[k], 0.0)
        if builder.tree is not None:  # what has no inertia of its own is carried: its rows are measured by the usual
            inverse[k] = np.where(mass[k] > 0.0, inverse[k], 1.0 / unit[k])
        if not body.has_angle:
            inverse[k, d:] = 0.0
        if builder.mechanism.bodies[body.name].gravity:
            weight[k, :d] = body.mass * np.asarray(builder.mechanism.gravity)
    return mass, inverse, unit, weight
