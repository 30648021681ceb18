"""Frames and measures as the kernels read them."""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at

CODES = {
    "WorldOffset": at.WORLD_OFFSET,
    "Offset": at.OFFSET,
    "Alignment": at.ALIGNMENT,
    "Angle": at.ANGLE,
    "Direction": at.DIRECTION,
    "Distance": at.DISTANCE,
    "Slip": at.SLIP,
    "Gap": at.GAP,
    "EdgeSlip": at.EDGE_SLIP,
    "Spin": at.SPIN,
}
AXIS = {"x": 0, "y": 1, "z": 2}


def frame_key(frame) -> tuple:
    """What makes two frames one: not their names."""
    return frame.body, frame.position, frame.angle, frame.axis, frame.along


def local_numbers(frame, body, dimension: int) -> tuple:
    """A frame in the kernel's axes of its body (None: ground): place and angle, or place and axes."""
    position = np.asarray(frame.position)
    center, axes = (np.zeros(3), np.eye(3)) if body is None else (body.center, body.rotation)
    if dimension == 2:
        return (*(position - center)[:2], frame.angle)
    return (*(axes.T @ (position - center)), *(axes.T @ frame.rotation()).T.ravel())


def write_geometry(dimension, frames, measures, unwinding, bodies, writer) -> None:
    """Write frames {key: (number, frame)} and measures; those `unwinding` have a place in the memory, in this order.

    `bodies` are {name: (number, what is known of it)}, with None for the ground.
    """
    slot_of = {measure: k for k, measure in enumerate(unwinding)}
    writer.sizes(N_FRAMES=len(frames), N_MEASURES=len(measures))
    writer.put(at.T_FRAME_BODY, [bodies[frame.body][0] for _, frame in frames.values()])
    writer.put(at.P_FRAME, [local_numbers(frame, bodies[frame.body][1], dimension) for _, frame in frames.values()])
    writer.put(
        at.T_MEASURE,
        [
            (
                CODES[type(m).__name__],
                frames[frame_key(m.on)][0],
                frames[frame_key(m.to)][0],
                AXIS[getattr(m, "axis", "x")],
                AXIS[getattr(m, "other", "x")],
                slot_of.get(m, -1),
            )
            for m in measures
        ],
    )
    writer.put(at.P_MEASURE, [getattr(m, "radius", 0.0) for m in measures])
