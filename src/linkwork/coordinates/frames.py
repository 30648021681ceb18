"""Where a frame is, from the position of its body."""

from __future__ import annotations

import numpy as np

from linkwork import rotation
from linkwork.kernels import layout as at


def frame_at(model, frame, q) -> tuple[np.ndarray, np.ndarray]:
    """Place (..., 3) and axes (..., 3, 3), as columns, of a frame in the world.

    `q` (..., 3 or 7) is the position of its body: mass centre, and angle or Euler parameters.  The ground has none, and
    any number of positions will do.

        place = r + A (s - s_center)          axes = A A_frame,  A being that of the user's body frame
    """
    q = np.asarray(q, dtype=float)
    count = q.shape[:-1]
    place = np.zeros((*count, 3))
    if frame.body == "ground":
        place[...] = frame.position
        return place, np.broadcast_to(frame.rotation(), (*count, 3, 3))
    k = model.body_index[frame.body]
    place[..., : model.dimension] = q[..., : model.dimension]
    if model.dimension == 2:
        world = rotation.about_z(np.cos(q[..., 2]), np.sin(q[..., 2]))
    else:
        world = rotation.matrix(q[..., 3:]) @ model.axes[k].T
    return place + world @ (np.asarray(frame.position) - model.centers[k]), world @ frame.rotation()


def place_at(model, frame, q) -> np.ndarray:
    """Place (..., 2 or 3) of a frame in the world, without its axes: see `frame_at`."""
    if model.dimension == 3 or frame.body == "ground":
        return frame_at(model, frame, q)[0][..., : model.dimension]
    x, y = np.subtract(frame.position, model.centers[model.body_index[frame.body]])[:2]
    if x == 0.0 and y == 0.0:
        return q[..., :2]
    c, s = np.cos(q[..., 2]), np.sin(q[..., 2])
    return np.stack([q[..., 0] + c * x - s * y, q[..., 1] + s * x + c * y], axis=-1)  # in this order: rounding


def frame_in(model, frame, y) -> tuple[np.ndarray, np.ndarray]:
    """The same from one state of the bodies."""
    size, _ = at.COORDINATES[model.dimension]
    k = max(model.body_index[frame.body], 0)
    return frame_at(model, frame, y[size * k : size * (k + 1)])
