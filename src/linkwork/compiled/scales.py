"""What is usual in a mechanism: a length, and units of inertia to measure rows and speeds by."""

from __future__ import annotations

import numpy as np

from linkwork.errors import CompileError, message
from linkwork.kernels import layout as at
from linkwork.tape import array, largest, least, norm, real


def typical_length(bodies, measures, rows) -> float:
    """One length of the mechanism: how far joints and forces sit from the mass centres, on average."""
    centers = {body.name: body.center for body in bodies}
    arms: dict[str, float] = {}
    ground = []
    for frame in dict.fromkeys(frame for measure in measures for frame in (measure.on, measure.to)):
        if frame.body == "ground":
            ground.append(frame.position)
        else:
            arm = norm([x - c for x, c in zip(frame.position, centers[frame.body])])
            arms[frame.body] = largest([arms.get(frame.body, 0.0), arm])
    sizes = [arm for arm in arms.values() if arm > 0.0]
    sizes += [row.value for row in rows if row.value and row.measure.of_line == "length"]
    if not sizes and len(ground) > 1:
        spread = largest([largest(part) - least(part) for part in zip(*ground)])
        sizes = [spread] if spread > 0.0 else []
    return real(sum(sizes) / len(sizes)) if sizes else 1.0


def units_of_inertia(model) -> np.ndarray:
    """(bodies + 1, dof): what counts as one unit of mass or inertia, ground first."""
    known = [body.mass for body in model.bodies if body.mass > 0.0]
    typical = sum(known) / len(known) if known else 1.0
    turning = typical * (model.length * model.length)
    row = array([typical] * model.dimension + [turning] * (model.dof - model.dimension))
    return np.tile(row, (len(model.bodies) + 1, 1))


def least_and_bare(model) -> tuple[float, bool]:
    """The smallest inertia that is not zero, against the unit of its coordinate, and whether there is one of zero."""
    part = array(np.where(model.existing, model.masses / units_of_inertia(model)[1:].ravel(), 1.0))
    lost = np.flatnonzero((part > 0.0) & (part < at.TOO_LITTLE))
    if lost.size:
        body = model.bodies[lost[0] // model.dof]
        turns = lost[0] % model.dof >= model.dimension
        what, unit = ("inertia", "kg m^2") if turns else ("mass", "kg")
        usual = model.masses[lost[0]] / part[lost[0]]
        raise CompileError(
            message(
                f"Body '{body.name}'",
                "is too light beside the others for any digits",
                f"{what} {model.masses[lost[0]]:.3g} {unit}",
                f"0, or at least {at.TOO_LITTLE:g} of what is usual in this mechanism, {usual:.3g} {unit}",
            )
        )
    return real(least([1.0, *part[part > 0.0].tolist()])), bool((part <= 0.0).any())
