"""How a body is turned, over time: all forms of orientation as arrays, and its angular velocity."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork import rotation
from linkwork.arguments import explained
from linkwork.errors import DescriptionError, SingularOrientationWarning, UnknownNameError, message, warn
from linkwork.records import only_read


@explained
class Orientations:
    """Orientation of a body at the times `t`, in every form as an array with a row for each time.

    `run.orientation("top")[k]` is that of one time; its forms have no rows.  Quaternions have the scalar first, and
    their signs are such that they go on smoothly.
    """

    def __init__(self, body: str, t: Any, quaternion: np.ndarray):
        self.body = body
        self.t = t
        self.quaternion = only_read(quaternion)

    def __len__(self) -> int:
        return len(self.quaternion) if self.quaternion.ndim > 1 else 0

    def __getitem__(self, k) -> Orientations:
        return Orientations(self.body, self.t[k], self.quaternion[k])

    def __repr__(self) -> str:
        return f"<Orientations of '{self.body}' at {np.size(self.t)} times>"

    @property
    def matrix(self) -> np.ndarray:
        """(times, 3, 3): rotation matrices, with the axes of the body as columns."""
        return rotation.matrix(self.quaternion)

    @property
    def axis_angle(self) -> tuple[np.ndarray, np.ndarray]:
        """(times, 3) and (times,): axis and angle, from 0 to pi, of the one turn from the world."""
        return rotation.axis_angle(self.quaternion)

    @property
    def rotation_vector(self) -> np.ndarray:
        """(times, 3): axis times angle of the one turn."""
        return rotation.rotation_vector(self.quaternion)

    def angles(self, order: str, unwrap: bool = True) -> np.ndarray:
        """(times, 3): angles of turns about axes in this order, "XYZ" turning along or "xyz" of the world.

        They go on smoothly over full turns, also where the middle one passes its end and a triple within the usual
        ranges would jump; with `unwrap=False` each is within half a turn, as that of one `Orientation`.  Where the
        first and the third turn about one line, a `SingularOrientationWarning` says at which times; there the third
        stays as it was before.
        """
        axes, turning = rotation.axes_of(order, f"Orientation of '{self.body}'")
        smooth = unwrap and self.quaternion.ndim > 1
        found, locked = (rotation.continuous_angles if smooth else rotation.angles)(self.quaternion, axes, turning)
        if np.any(locked):
            times = np.atleast_1d(self.t)[np.atleast_1d(locked)]
            warn(
                message(
                    f"Orientation of '{self.body}'",
                    f"is one where the first and the third angle of "
                    f"'{order}' turn about the same line, so that only their sum or difference is known",
                    f"this at t = {_few(times)} s",
                    remedy="take another order, or the quaternion",
                ),
                SingularOrientationWarning,
            )
        return found

    @property
    def rodrigues(self) -> np.ndarray:
        """(times, 3): Rodrigues parameters, the axis times tan(angle/2); a half turn has none."""
        found, unbounded = rotation.rodrigues(self.quaternion)
        if np.any(unbounded):
            times = np.atleast_1d(self.t)[np.atleast_1d(unbounded)]
            raise DescriptionError(
                message(
                    f"Orientation of '{self.body}'",
                    "is a half turn, whose Rodrigues parameters are infinite",
                    f"this at t = {_few(times)} s",
                    remedy="use the quaternion or the rotation vector",
                )
            )
        return found

    def apply(self, vectors: Any) -> np.ndarray:
        """(times, 3): world components of a vector along the axes of the body, or of one for each time."""
        return rotation.apply(self.quaternion, vectors)


def orientation(bodies, name: str) -> Orientations:
    """Orientation of the frame of a body, from the states of the bodies."""
    model, k = bodies.model, _turning(bodies.model, name)
    q, _ = bodies.of(k)
    if model.dimension == 2:
        half = q[:, 2] / 2.0  # goes on over full turns, as the angle does
        flat = np.zeros_like(half)
        return Orientations(name, only_read(bodies.t), np.stack([np.cos(half), flat, flat, np.sin(half)], axis=-1))
    own = rotation.inverse(rotation.from_matrix(model.bodies[k].rotation))
    turned = rotation.continuous(rotation.normalised(rotation.product(q[:, 3:], own)))
    return Orientations(name, only_read(bodies.t), turned)


def angular_velocity(bodies, name: str, axes: str, accelerations=None) -> np.ndarray:
    """(times, 3) of a body, along its own axes or those of the world; its rate where `accelerations` are given.

    Both rates are alike: w x w = 0.
    """
    model, k = bodies.model, _turning(bodies.model, name)
    if axes not in ("body", "world"):
        raise UnknownNameError("choice of axes", axes, ["body", "world"])
    dof = model.dof
    twist = bodies.of(k)[1] if accelerations is None else accelerations[:, dof * k : dof * (k + 1)]
    if model.dimension == 2:
        return np.column_stack([np.zeros((len(twist), 2)), twist[:, 2]])
    spin = twist[:, 3:] @ model.bodies[k].rotation.T
    return spin if axes == "body" else orientation(bodies, name).apply(spin)


def _turning(model, name: str) -> int:
    """Index of a body that has an orientation."""
    index = {body.name: k for k, body in enumerate(model.bodies)}
    if name not in list(index):
        raise UnknownNameError("body", name, list(index), f"in mechanism '{model.mechanism.name}'")
    if not model.bodies[index[name]].has_angle:
        raise DescriptionError(
            message(f"Particle '{name}'", "has no orientation", remedy="use a Body, with inertia 0 if it has none")
        )
    return index[name]


def _few(times: np.ndarray) -> str:
    shown = ", ".join(f"{one:.6g}" for one in times[:3])
    return shown if len(times) <= 3 else f"{shown} and {len(times) - 3} more"
