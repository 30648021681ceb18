"""Poses of bodies and frames in the plane and in space, in one vocabulary, so that a check is written once.

In the plane a pose is (x, y, angle) with full turns counted; in space it is the 4 x 4 matrix of a rotation and a shift.
A path is a pose as a function of a parameter, and its twist is what the states of bodies are made of.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.frames import Frame
from linkwork.rotation import skew

Path = Callable[[float], np.ndarray]
#: step of the differences along a motion whose time is of the order of one second
STEP = 1e-3


def derivative(f: Callable[[float], Any], at: float = 0.0, step: float = STEP) -> Any:
    """First derivative by five-point central differences, with an error of the order step^4."""
    near = np.asarray(f(at + step)) - np.asarray(f(at - step))
    far = np.asarray(f(at + 2.0 * step)) - np.asarray(f(at - 2.0 * step))
    return (8.0 * near - far) / (12.0 * step)


def rotation(angle: float) -> np.ndarray:
    """Turn by an angle (2 x 2)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def turn(vector: Sequence[float] | np.ndarray) -> np.ndarray:
    """Rotation matrix (3 x 3) of a rotation vector: exp of its cross product."""
    v = np.asarray(vector, dtype=float)
    angle = float(np.linalg.norm(v))
    across = skew(v)
    one, two = np.sinc(angle / np.pi), 0.5 * np.sinc(angle / (2.0 * np.pi)) ** 2
    found: np.ndarray = np.eye(3) + one * across + two * across @ across
    return found


class _Places(ABC):
    """What both have: the ways from pose to pose."""

    dimension = 0
    #: freedoms of a body
    freedom = 0
    identity: np.ndarray

    @abstractmethod
    def compose(self, first: np.ndarray, then: np.ndarray) -> np.ndarray:
        """The pose `then`, given as seen from `first`, as seen from where `first` is seen."""

    @abstractmethod
    def inverse(self, pose: np.ndarray) -> np.ndarray:
        """What is the identity after `pose`."""

    @abstractmethod
    def of_frame(self, frame: Frame) -> np.ndarray:
        """A frame as its body sees it."""

    @abstractmethod
    def of_step(self, step: Any, value: Any) -> np.ndarray:
        """Where one step of a joint's motion leads."""

    def world(self, pose: np.ndarray, frame: Frame) -> np.ndarray:
        """A frame whose body is at `pose`."""
        return self.compose(pose, self.of_frame(frame))

    def body_under(self, place: np.ndarray, frame: Frame) -> np.ndarray:
        """The pose of the body whose frame is at `place`."""
        return self.compose(place, self.inverse(self.of_frame(frame)))

    def through(self, steps: Iterable[Any], values: Mapping[str, Any]) -> np.ndarray:
        """Where the steps of a joint's motion lead, seen from their beginning."""
        pose = self.identity
        for step in steps:
            pose = self.compose(pose, self.of_step(step, values.get(getattr(step, "name", ""), 0.0)))
        return pose


class Plane(_Places):
    """Poses (x, y, angle)."""

    dimension, freedom = 2, 3
    identity = np.zeros(3)

    def compose(self, first: np.ndarray, then: np.ndarray) -> np.ndarray:
        return np.array([*(first[:2] + rotation(first[2]) @ then[:2]), first[2] + then[2]])

    def inverse(self, pose: np.ndarray) -> np.ndarray:
        return np.array([*(-rotation(-pose[2]) @ pose[:2]), -pose[2]])

    def of_frame(self, frame: Any) -> np.ndarray:
        return np.array([*np.asarray(frame.position)[:2], frame.angle])

    def of_step(self, step: Any, value: Any) -> np.ndarray:
        (x, y, _), _, angle = step.way(value)
        return np.array([x, y, angle])

    def values(self, steps: Iterable[Any], rng: np.random.Generator) -> dict[str, Any]:
        """Random values of the steps that move."""
        return {step.name: rng.uniform(-1.0, 1.0) for step in steps if step.name}

    def path(self, rng: np.random.Generator, spread: float = 1.0) -> Path:
        """A pose that moves at about one unit of speed."""
        q, v, a = rng.uniform(-spread, spread, 3), *rng.uniform(-1.0, 1.0, (2, 3))
        return lambda s: q + s * v + 0.5 * s * s * a

    def loop(self, rng: np.random.Generator, spread: float = 1.0) -> Path:
        """A pose that comes back after s = 2 pi."""
        q, v, a = rng.uniform(-spread, spread, 3), *rng.uniform(-0.3, 0.3, (2, 3))
        return lambda s: q + math.sin(s) * v + math.cos(s) * a

    def packed(self, pose: np.ndarray) -> np.ndarray:
        """A pose as states are packed from."""
        return pose

    def twist(self, path: Path, s: float = 0.0) -> np.ndarray:
        """Velocity and angular velocity along a path."""
        found: np.ndarray = derivative(path, s)
        return found


class Space(_Places):
    """Poses as matrices: rotation and shift over a last row 0 0 0 1."""

    dimension, freedom = 3, 6
    identity = np.eye(4)

    @staticmethod
    def pose(shift: Any = (0.0, 0.0, 0.0), axes: Any = None) -> np.ndarray:
        """From a shift and a rotation matrix."""
        out = np.eye(4)
        out[:3, 3] = shift
        if axes is not None:
            out[:3, :3] = axes
        return out

    def compose(self, first: np.ndarray, then: np.ndarray) -> np.ndarray:
        both: np.ndarray = first @ then
        return both

    def inverse(self, pose: np.ndarray) -> np.ndarray:
        return self.pose(-pose[:3, :3].T @ pose[:3, 3], pose[:3, :3].T)

    def of_frame(self, frame: Any) -> np.ndarray:
        return self.pose(frame.position, frame.rotation())

    def of_step(self, step: Any, value: Any) -> np.ndarray:
        if step.freedoms == 3:
            return self.pose(axes=turn(np.broadcast_to(value, 3)))
        shift, axis, angle = step.way(value)
        return self.pose(shift, turn(angle * np.eye(3)["xyz".index(axis)]))

    def values(self, steps: Iterable[Any], rng: np.random.Generator) -> dict[str, Any]:
        """Random values of the steps that move; that of a ball is a rotation vector."""
        sizes = {step.name: 3 if step.freedoms == 3 else None for step in steps if step.name}
        return {name: rng.uniform(-1.0, 1.0, size) for name, size in sizes.items()}

    def path(self, rng: np.random.Generator, spread: float = 1.0) -> Path:
        """A pose that moves at about one unit of speed."""
        q, v, a = rng.uniform(-spread, spread, 3), *rng.uniform(-1.0, 1.0, (2, 3))
        axes, spin, change = turn(rng.uniform(-spread, spread, 3)), *rng.uniform(-1.0, 1.0, (2, 3))
        return lambda s: self.pose(q + s * v + 0.5 * s * s * a, axes @ turn(s * spin + 0.5 * s * s * change))

    def loop(self, rng: np.random.Generator, spread: float = 1.0) -> Path:
        """A pose that comes back after s = 2 pi."""
        q, v, a = rng.uniform(-spread, spread, 3), *rng.uniform(-0.3, 0.3, (2, 3))
        axes, one, other = turn(rng.uniform(-spread, spread, 3)), *rng.uniform(-0.3, 0.3, (2, 3))
        return lambda s: self.pose(
            q + math.sin(s) * v + math.cos(s) * a, axes @ turn(math.sin(s) * one + math.cos(s) * other)
        )

    def packed(self, pose: np.ndarray) -> np.ndarray:
        """A pose as states are packed from: position and quaternion."""
        from linkwork.rotation import from_matrix

        return np.array([*pose[:3, 3], *from_matrix(pose[:3, :3])])

    def twist(self, path: Path, s: float = 0.0) -> np.ndarray:
        """Velocity of the origin in the world, and angular velocity w in body axes: R'R-dot is its cross product."""
        here, slope = path(s), derivative(path, s)
        cross = here[:3, :3].T @ slope[:3, :3]
        return np.array([*slope[:3, 3], cross[2, 1], cross[0, 2], cross[1, 0]])


def places(dimension: int, what: str) -> Any:
    """The poses of a dimension."""
    if dimension not in (2, 3):
        raise DescriptionError(message(what, "has no check in this dimension", repr(dimension), "2 or 3"))
    return Plane() if dimension == 2 else Space()
