"""Where the eye is: perspective, or views along the axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.view.scene import Scene

#: name -> direction to the eye and direction upwards, for gravity along -z
VIEWS = {
    "front": ((0.0, -1.0, 0.0), (0.0, 0.0, 1.0)),
    "side": ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
    "top": ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
}
AZIMUTH, ELEVATION = -58.0, 24.0  # of the eye, in degrees
EYE = 3.4  # distance of the eye, in halves of the largest extent


class Camera:
    """From places to points of the paper; `rows` are the directions to the right, up and towards the eye."""

    def __init__(self, scene: Scene, towards, up, distance: float = 0.0):
        towards = np.asarray(towards, dtype=float) / np.linalg.norm(towards)
        right = np.cross(up, towards)
        right /= np.linalg.norm(right)
        self.rows = np.array([right, np.cross(towards, right), towards])
        self.middle = 0.5 * (scene.low + scene.high)
        self.distance = distance  # none: all rays are parallel
        self.scale = 1.0

    def seen(self, points) -> np.ndarray:
        """(points, 3): to the right and upwards on the paper, and how near."""
        local = (np.asarray(points, dtype=float) - self.middle) @ self.rows.T
        flat = local.copy()
        if self.distance:
            flat[..., :2] /= np.maximum(1.0 - local[..., 2:] / self.distance, 0.05)
        flat[..., :2] *= self.scale
        return flat

    def towards(self, points) -> np.ndarray:
        """Directions from points to the eye."""
        if not self.distance:
            return np.broadcast_to(self.rows[2], np.shape(points))
        return self.middle + self.distance * self.rows[2] - np.asarray(points)


def upwards(scene: Scene) -> np.ndarray:
    """The axis that gravity points against most; z where there is none."""
    gravity = np.asarray(scene.gravity, dtype=float)
    if not gravity.any():
        return np.array([0.0, 0.0, 1.0])
    k = int(np.argmax(np.abs(gravity) + (0.0, 0.0, 1e-9)))
    return -np.sign(gravity[k]) * np.eye(3)[k]


def camera_of(scene: Scene, view: Any) -> Camera:
    """The camera of a named view, or of (azimuth, elevation) in degrees about the upward axis."""
    up = upwards(scene)
    if isinstance(view, str) and view in VIEWS:
        towards, above = VIEWS[view]
        turn = _turn_to(up)
        return Camera(scene, turn @ towards, turn @ above)
    if isinstance(view, str) and view != "perspective":
        raise UnknownNameError("view", view, ["perspective", *VIEWS, "three"])
    if not isinstance(view, str) and (np.shape(view) != (2,) or not np.all(np.isfinite(view))):
        raise DescriptionError(
            message(
                "draw", "cannot use its view", repr(view), "a name such as 'front', or (azimuth, elevation) in degrees"
            )
        )
    azimuth, elevation = np.radians((AZIMUTH, ELEVATION) if isinstance(view, str) else view)
    if abs(np.cos(elevation)) < 1e-6:
        elevation = np.sign(elevation) * np.radians(89.9)
    towards = (np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation))
    size = max(float(np.linalg.norm(scene.high - scene.low)), 1e-9)
    return Camera(scene, _turn_to(up) @ towards, up, 0.5 * EYE * size)


def _turn_to(up) -> np.ndarray:
    """The turn that takes z to an axis of the world, and keeps axes on axes."""
    if up[2]:
        return np.diag([1.0, np.sign(up[2]), np.sign(up[2])])
    side = np.eye(3)[0] if up[1] else np.eye(3)[1]  # y upwards: x stays to the right, and the front is seen from +z
    return np.column_stack([side, np.cross(up, side), up])
