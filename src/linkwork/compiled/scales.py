"""What is usual in a mechanism: a length, and units of inertia to measure rows and speeds by."""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at


def typical_length(bodies, measures, rows) -> float:
    """One length of the mechanism: how far joints and forces sit from the mass centres, on average."""
    centers = {body.name: body.center for body in bodies}
    arms: dict[str, float] = {}
    ground = []
    for frame in dict.fromkeys(frame for measure in measures for frame in (measure.on, measure.to)):
        if frame.body == "ground":
            ground.append(frame.position)
        else:
            arm = float(np.linalg.norm(np.asarray(frame.position) - centers[frame.body]))
            arms[frame.body] = max(arm, arms.get(frame.body, 0.0))
    sizes = [arm for arm in arms.values() if arm > 0.0]
    sizes += [row.value for row in rows if row.value and type(row.measure).__name__ == "Distance"]
    if not sizes and len(ground) > 1:
        spread = np.ptp(np.array(ground), axis=0).max()
        sizes = [spread] if spread > 0.0 else []
    return float(np.mean(sizes)) if sizes else 1.0


def units_of_inertia(model) -> np.ndarray:
    """(bodies + 1, dof): what counts as one unit of mass or inertia, ground first."""
    known = [body.mass for body in model.bodies if body.mass > 0.0]
    typical = float(np.mean(known)) if known else 1.0
    unit = np.full((len(model.bodies) + 1, model.dof), typical)
    unit[:, model.dimension:] *= model.length ** 2
    return unit


def little_inertia(model) -> bool:
    """Whether a body has hardly any mass or inertia: S then has pivots that look singular."""
    unit = at.LITTLE * units_of_inertia(model)
    return any(body.mass <= unit[k, 0] or (body.has_angle and body.inertia.min() <= unit[k, -1])
               for k, body in enumerate(model.bodies, start=1))
