"""What the checks share: small scenes, motions known exactly, differences, and the one form of a failure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.mechanism.bodies import Body
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.mechanism import Mechanism
from linkwork.testing.places import Path, Plane, derivative, rotation, turn

__all__ = [
    "DIFFERENCES",
    "ROUNDING",
    "Moving",
    "Scene",
    "add_body",
    "along_columns",
    "body_under",
    "close",
    "derivative",
    "rotation",
    "scenes",
    "state_at",
    "through",
    "world",
]

#: what five-point differences at that step leave, relative to the size of what is compared
DIFFERENCES = 1e-8
#: what plain arithmetic leaves
ROUNDING = 1e-10


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


def world(pose: np.ndarray, frame: Frame) -> np.ndarray:
    """x, y, angle of a frame whose body is at `pose`."""
    return Plane().world(pose, frame)


def body_under(place: np.ndarray, frame: Frame) -> np.ndarray:
    """Pose of the body whose frame is at `place`."""
    return Plane().body_under(place, frame)


def through(place: np.ndarray, steps: Iterable[Any], values: Mapping[str, float]) -> np.ndarray:
    """Where the steps of a joint's motion lead from the frame at `place`."""
    return Plane().compose(np.asarray(place, dtype=float), Plane().through(steps, values))


class Moving:
    """Bodies along paths, in the plane or in space, as states of a model."""

    def __init__(self, places: Any, paths: Sequence[Path]):
        self.places, self.paths = places, list(paths)

    @classmethod
    def random(
        cls, places: Any, count: int, rng: np.random.Generator, spread: float = 1.0, closed: bool = False
    ) -> Moving:
        """Bodies about `spread` apart, at about one unit of speed; on closed ways if said."""
        path = places.loop if closed else places.path
        return cls(places, [_apart(places, path(rng, spread), 1.5 * k) for k in range(count)])

    def poses(self, s: float = 0.0) -> list[np.ndarray]:
        """Where the bodies are."""
        return [path(s) for path in self.paths]

    def twists(self, s: float = 0.0) -> list[np.ndarray]:
        """How fast they move."""
        return [self.places.twist(path, s) for path in self.paths]

    def moved(self, pose: np.ndarray) -> Moving:
        """The same motion after a rigid move of everything."""
        return Moving(self.places, [_after(self.places, pose, path) for path in self.paths])

    def state(self, model: Any, s: float = 0.0, values: np.ndarray | None = None) -> Any:
        """The state of a model with these bodies; `values` are those that its rows are held at."""
        poses = [self.places.packed(pose) for pose in self.poses(s)]
        return state_at(model, poses, self.twists(s), values)


def _apart(places: Any, path: Path, distance: float) -> Path:
    shift = places.identity.copy()
    if places.dimension == 2:
        shift[0] = distance
    else:
        shift[0, 3] = distance
    return _after(places, shift, path)


def _after(places: Any, pose: np.ndarray, path: Path) -> Path:
    return lambda s: places.compose(pose, path(s))


def state_at(model: Any, poses: Sequence[Any], twists: Sequence[Any], values: np.ndarray | None = None) -> Any:
    """A state as it is given; rows "as assembled" are held at the values that they have there."""
    from linkwork.coordinates.body import System
    from linkwork.result.state import State

    system = System(model.plan())
    y = system.pack(poses, twists)
    if values is None:
        system.locate(0.0, y)
        values = system.row_values.copy()
        for r, row in enumerate(model.rows):
            if row.value is None:
                values[r] = system.measure_values(row.measure)[0]
    count = len(model.rows)
    return State(0.0, y, np.zeros(system.memory_size), np.ones(count), values, 1.0, np.zeros((0, count)), model)


def add_body(mechanism: Mechanism, name: str, rng: np.random.Generator | None = None) -> Body:
    """A body with its mass centre off its origin; the numbers come from its name, or from `rng`."""
    rng = np.random.default_rng([ord(c) for c in name]) if rng is None else rng
    center = tuple(rng.uniform(-0.3, 0.3, mechanism.dimension))
    mass, inertia = rng.uniform(0.5, 2.0), rng.uniform(0.1, 0.5)
    if mechanism.dimension == 2:
        return mechanism.add(name, Body(mass, inertia, center=center))
    a, b, c = rng.uniform(0.05, 0.25, 3)  # of a box, turned
    axes = turn(rng.uniform(-1.0, 1.0, 3))
    tensor = axes @ np.diag([b + c, a + c, a + b]) @ axes.T
    return mechanism.add(name, Body(mass, ((tensor + tensor.T) / 2.0).tolist(), center=center))


def along_columns(model: Any, body: str, evaluation: Any) -> np.ndarray:
    """Force and moment applied to a body along the columns of the Jacobian: in space they turn about principal axes,
    while forces are reported along the axes that the user gave the body."""
    force: np.ndarray = evaluation.applied_force(body)
    if model.dimension == 3:
        force[3:] = model.bodies[model.body_index[body]].rotation.T @ force[3:]
    return force


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


def scenes(gravity: Any = None, dimension: int = 2) -> dict[str, Callable[[], Scene]]:
    """Makers of scenes by name; a fresh one each call, because mechanisms only grow."""

    def begin(name: str) -> Mechanism:
        return Mechanism(name, dimension=dimension, gravity=gravity)

    def place(body: Body, x: float, y: float, angle: float) -> Frame:
        if dimension == 2:
            return body.at(x, y, angle=angle)
        along = rotation(angle)[:, 0]  # z leans over by a quarter of a radian or more, x turns by about `angle`
        return body.at(x, y, 0.4 * (x + y), axis=(0.3 * x, 0.4 - 0.2 * angle, 1.0), along=(*along, 0.2))

    def between_bodies() -> Scene:
        m = begin("two bodies")
        one, two = add_body(m, "one"), add_body(m, "two")
        return Scene(m, place(one, 0.31, -0.22, 0.4), place(two, -0.17, 0.26, -0.7))

    def from_ground() -> Scene:
        m = begin("body on ground")
        return Scene(m, place(m.ground, 0.4, 0.3, 0.5), place(add_body(m, "two"), -0.17, 0.26, -0.7))

    def to_ground() -> Scene:
        m = begin("ground on body")
        return Scene(m, place(add_body(m, "one"), 0.31, -0.22, 0.4), place(m.ground, 0.9, -0.2, -0.3))

    def level() -> Scene:
        m = begin("level ground")
        two = add_body(m, "two")
        return Scene(m, m.ground.at(0.2, -0.1), two.at(*two.center))

    return {"two bodies": between_bodies, "on ground": from_ground, "to ground": to_ground, "level ground": level}
