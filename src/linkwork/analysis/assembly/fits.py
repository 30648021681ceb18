"""What is odd about a position although all rows are met: axes the wrong way round, gears that do not touch."""

from __future__ import annotations

import numpy as np

from linkwork.compiled.graph import components
from linkwork.coordinates.frames import frame_in
from linkwork.errors import MisfitWarning, message, warn
from linkwork.rotation import product

# which pairs at right angles make an axis of `on` parallel to the same one of `to`
PARALLEL = {"z": {("x", "z"), ("y", "z")}, "x": {("x", "y"), ("x", "z"), ("y", "z")}}


def flipped(model, y) -> list[str]:
    """Names of the joints of a spatial mechanism that have parallel axes the wrong way round at a state.

    Rows of right angles are met there, too, but no joint is built so.
    """
    if model.dimension == 2:
        return []
    found = []
    for name, joint in model.mechanism.joints.items():
        pairs = {
            (row.measure.axis, row.measure.other) for row in joint.rows(3) if row.measure.of_axes and row.value == 0.0
        }
        parallel = ["xyz".index(axis) for axis, needed in PARALLEL.items() if needed <= pairs]
        if joint.active and parallel:
            on, to = (frame_in(model, frame, y)[1] for frame in (joint.on, joint.to))
            if any(on[:, k] @ to[:, k] < 0.0 for k in parallel):
                found.append(name)
    return found


def turned_over(model, y, joint: str, held) -> np.ndarray | None:
    """The position with one side of a joint turned over about x of the joint; None where both sides are held.

    All that hangs on that side alone turns along; in a loop the body itself only.
    """
    item = model.mechanism.joints[joint]
    names = [body.name for body in model.bodies]
    edges = [edge for edge in model.edges if edge.name != joint]
    grounded = {name for edge in edges if "ground" in edge.bodies for name in edge.bodies}
    for frame, other in ((item.to, item.on), (item.on, item.to)):
        if frame.body == "ground" or held[model.body_index[frame.body]]:
            continue
        side = next(group for group in components(names, edges) if frame.body in group)
        if other.body in side or grounded & set(side) or any(held[model.body_index[name]] for name in side):
            side = [frame.body]
        origin, axes = frame_in(model, frame, y)
        x = axes[:, 0]
        out = y.copy()
        for k in (model.body_index[name] for name in side):
            arm = y[7 * k : 7 * k + 3] - origin
            out[7 * k : 7 * k + 3] = origin + 2.0 * x * (x @ arm) - arm
            out[7 * k + 3 : 7 * k + 7] = product(np.concatenate([[0.0], x]), y[7 * k + 3 : 7 * k + 7])  # half a turn
        return out
    return None


def warn_of_misfits(model, y) -> None:
    """Say which couplings are held by their bearings in another way than they want."""
    for name in model.misfits:
        joint = model.mechanism.joints[name]
        wrong = joint.misfit(frame_in(model, joint.on, y), frame_in(model, joint.to, y))
        if wrong:
            warn(
                message(
                    f"Joint '{name}' ({type(joint).__name__})",
                    wrong,
                    remedy="look at the joints that carry the two bodies, and at its frames",
                ),
                MisfitWarning,
            )
