"""What the checks share: small scenes, motions known exactly, differences, and the one form of a failure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.bodies import Body
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.mechanism import Mechanism

#: step of the differences along a motion whose time is of the order of one second
STEP = 1e-3
#: what five-point differences at that step leave, relative to the size of what is compared
DIFFERENCES = 1e-8
#: what plain arithmetic leaves
ROUNDING = 1e-10


def in_the_plane(dimension: int, what: str) -> None:
    """Refuse a dimension that the checks do not have."""
    if dimension != 2:
        raise DescriptionError(message(what, "has no check in this dimension", repr(dimension), "2"))


def close(what: str, got: Any, wanted: Any, tolerance: float, scale: float = 1.0) -> None:
    """Fail unless `got` is `wanted` to `tolerance`, relative to the larger of `scale` and the wanted size."""
    got, wanted = np.asarray(got, dtype=float), np.asarray(wanted, dtype=float)
    if got.shape != wanted.shape:
        raise AssertionError(f"{what}: got shape {got.shape}, wanted {wanted.shape}")
    if not np.all(np.isfinite(got)):
        raise AssertionError(f"{what}: got {got}, which is not finite; wanted {wanted}")
    size = max(scale, float(np.abs(wanted).max(initial=0.0)))
    off = float(np.abs(got - wanted).max(initial=0.0))
    if not off <= tolerance * size:
        where = ""
        if got.size > 8:  # of many numbers the worst is enough
            worst = np.unravel_index(int(np.argmax(np.abs(got - wanted))), got.shape)
            where, got, wanted = f" at {list(map(int, worst))}", got[worst], wanted[worst]
        raise AssertionError(
            f"{what}: off by {off:.3g}, allowed {tolerance * size:.3g}; got {got}, wanted {wanted}{where}"
        )


def derivative(f: Callable[[float], Any], at: float = 0.0, step: float = STEP) -> Any:
    """First derivative by five-point central differences, with an error of the order step^4."""
    near = np.asarray(f(at + step)) - np.asarray(f(at - step))
    far = np.asarray(f(at + 2.0 * step)) - np.asarray(f(at - 2.0 * step))
    return (8.0 * near - far) / (12.0 * step)


class Motion:
    """Body frames that move by q + v s + a s^2 / 2, so that every state of theirs is known exactly."""

    def __init__(self, bodies: Sequence[str], q: np.ndarray, v: np.ndarray, a: np.ndarray):
        self.bodies = list(bodies)
        self.q, self.v, self.a = (np.asarray(part, dtype=float).reshape(-1, 3) for part in (q, v, a))

    @classmethod
    def random(cls, bodies: Sequence[str], rng: np.random.Generator, spread: float = 1.0) -> Motion:
        """A motion with bodies about `spread` apart, at about one unit of speed."""
        n = len(bodies)
        q = rng.uniform(-spread, spread, (n, 3))
        q[:, 0] += 1.5 * np.arange(n)  # apart, so that no distance is nearly zero
        return cls(bodies, q, rng.uniform(-1.0, 1.0, (n, 3)), rng.uniform(-1.0, 1.0, (n, 3)))

    def state(self, s: float = 0.0) -> dict[str, float]:
        """Names and numbers of the state at `s`."""
        return state_of(self.bodies, self.q + s * self.v + 0.5 * s * s * self.a, self.v + s * self.a)

    def moved(self, turn: float, shift: Sequence[float]) -> Motion:
        """The same motion after a rigid move of everything."""
        out = [part.copy() for part in (self.q, self.v, self.a)]
        for part in out:
            part[:, :2] = part[:, :2] @ rotation(turn).T
        out[0] += (*shift, turn)
        return Motion(self.bodies, *out)


def state_of(bodies: Iterable[str], q: np.ndarray, v: np.ndarray | None = None) -> dict[str, float]:
    """Names and numbers of body frames at q (bodies, 3), moving with v."""
    out = {}
    for k, name in enumerate(bodies):
        for c, axis in enumerate(("x", "y", "angle")):
            out[f"{name}.{axis}"] = float(q[k][c])
            if v is not None:
                out[f"{name}.{axis}.rate"] = float(v[k][c])
    return out


def rotation(angle: float) -> np.ndarray:
    """Turn by an angle (2 x 2)."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def world(pose: np.ndarray, frame: Frame) -> np.ndarray:
    """x, y, angle of a frame whose body is at `pose`."""
    origin = pose[:2] + rotation(pose[2]) @ np.asarray(frame.position)[:2]
    return np.array([*origin, pose[2] + frame.angle])


def body_under(place: np.ndarray, frame: Frame) -> np.ndarray:
    """Pose of the body whose frame is at `place`."""
    angle = place[2] - frame.angle
    return np.array([*(place[:2] - rotation(angle) @ np.asarray(frame.position)[:2]), angle])


def through(place: np.ndarray, steps: Iterable[Any], values: Mapping[str, float]) -> np.ndarray:
    """Where the steps of a joint's motion lead from the frame at `place`."""
    out = np.array(place, dtype=float)
    for step in steps:
        kind, value = type(step).__name__, values.get(getattr(step, "name", ""), 0.0)
        if kind == "Turn":
            out[2] += value
            continue
        axis = getattr(step, "axis", "x")
        distance = step.distance if kind == "Shift" else value
        out[:2] += rotation(out[2]) @ (distance * np.eye(2)["xy".index(axis)])
        if kind == "Roll":
            out[2] += step.angle - value / step.radius
    return out


def add_body(mechanism: Mechanism, name: str, rng: np.random.Generator | None = None) -> Body:
    """A body with its mass centre off its origin; the numbers come from its name, or from `rng`."""
    rng = np.random.default_rng([ord(c) for c in name]) if rng is None else rng
    center = tuple(rng.uniform(-0.3, 0.3, 2))
    return mechanism.add(name, Body(rng.uniform(0.5, 2.0), rng.uniform(0.1, 0.5), center=center))


class Scene:
    """One or two bodies and the frames `on` and `to` between which something is tested."""

    def __init__(self, mechanism: Mechanism, on: Frame, to: Frame):
        self.mechanism, self.on, self.to = mechanism, on, to

    @property
    def bodies(self) -> list[str]:
        """Moving bodies."""
        return list(self.mechanism.bodies)

    def moving(self, frame: Frame) -> bool:
        """Whether a frame is on a moving body."""
        return frame.body != "ground"


def scenes(gravity: Any = None) -> dict[str, Callable[[], Scene]]:
    """Makers of scenes by name; a fresh one each call, because mechanisms only grow."""

    def between_bodies() -> Scene:
        m = Mechanism("two bodies", gravity=gravity)
        one, two = add_body(m, "one"), add_body(m, "two")
        return Scene(m, one.at(0.31, -0.22, angle=0.4), two.at(-0.17, 0.26, angle=-0.7))

    def from_ground() -> Scene:
        m = Mechanism("body on ground", gravity=gravity)
        return Scene(m, m.ground.at(0.4, 0.3, angle=0.5), add_body(m, "two").at(-0.17, 0.26, angle=-0.7))

    def to_ground() -> Scene:
        m = Mechanism("ground on body", gravity=gravity)
        return Scene(m, add_body(m, "one").at(0.31, -0.22, angle=0.4), m.ground.at(0.9, -0.2, angle=-0.3))

    def level() -> Scene:
        m = Mechanism("level ground", gravity=gravity)
        two = add_body(m, "two")
        return Scene(m, m.ground.at(0.2, -0.1), two.at(*two.center))

    return {
        "two bodies": between_bodies,
        "on ground": from_ground,
        "to ground": to_ground,
        "level ground": level,
    }
