"""A scene: everything that pictures of a mechanism show, as data; whatever shows it (paper, film, page) reads this.

Shapes are given once, in the axes of a body; poses say where the bodies are at each time.  Two lengths are told apart:
metres, which belong to the mechanism, and points, which belong to the symbols: a watch and a crane get the same pins.
On paper a point is 1/72 inch; in space `Scene.point` says how many metres it is.

    vertex of a shape      place(body, points) + axes(turn) (shifts + point * offsets)
    vertex of a connector  start + share (end - start) + (along, across, ...) of (shifts + point * offsets)

An anchor is a place as a weighted sum of places of bodies, ((weight, body, point), ...), whose weights add up to one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from linkwork import rotation

INK = "#22303c"

Anchor = tuple[tuple[float, str, tuple[float, ...]], ...]


def middle(one: Anchor, other: Anchor) -> Anchor:
    """Half way between two places."""
    return tuple((0.5 * share, body, point) for share, body, point in (*one, *other))


@dataclass(frozen=True)
class Look:
    """Line, face and layer; `role` says what kind of thing it is: body, ground, joint, force, driver, frame, ..."""

    role: str = "joint"
    edge: str = INK
    face: str = "none"
    width: float = 1.1
    dash: tuple[float, ...] = ()
    alpha: float = 1.0
    layer: float = 3.0


@dataclass(frozen=True)
class Shape:
    """A shape fixed to a body.

    | kind | points | further |
    |---|---|---|
    | line | in turn | |
    | area | corners in turn | |
    | circle | its middle | `radius` in metres and `size` in points, both added; in space `side` is across it |
    | hatch | both ends of an edge of the ground | `side` is into the ground |
    | ball | its middle | `radius`, `size` |
    | cylinder | middles of both ends | `radius`, `size`; `top` is the share of them at the second end; `bore` |
    | mesh | vertices | `faces` |
    """

    kind: str
    body: str
    points: np.ndarray
    look: Look
    name: str = ""
    offsets: np.ndarray | None = None
    shifts: np.ndarray | None = None
    turn: str = ""  # the body along whose axes offsets and shifts are; without it, `body`
    radius: float = 0.0
    size: float = 0.0
    top: float = 1.0
    bore: float = 0.0
    side: tuple[float, ...] = ()
    faces: tuple[tuple[int, ...], ...] = ()
    item: str = ""  # the body, joint, force or driver that it belongs to


@dataclass(frozen=True)
class Connector:
    """A shape between two places that move against each other; drawn anew at every time.

    `kind` is line, area, or in space also tube (through its vertices, with the radius `size` in points).
    """

    kind: str
    start: Anchor
    end: Anchor
    shares: np.ndarray
    look: Look
    name: str = ""
    offsets: np.ndarray | None = None  # (n, dimension): along, across, ... in points
    shifts: np.ndarray | None = None  # the same in metres
    size: float = 0.0
    normal: tuple[str, tuple[float, ...]] | None = None  # in space: the body and the axis that is the third direction
    item: str = ""


@dataclass(frozen=True)
class Arrow:
    """An arrow at an anchor.

    straight: `values` (times, dimension) in world axes; `length` in points, or `scale` metres a unit of the value;
    `ends` says that the tip is at the anchor, `aside` moves it by points across itself.
    turn: `values` (times,), whose sign is the sense about `axis` of the body `turn`, with the radius `length`.
    """

    kind: str
    at: Anchor
    values: np.ndarray
    look: Look
    name: str = ""
    length: float = 0.0
    scale: float = 0.0
    ends: bool = False
    aside: float = 0.0
    turn: str = "ground"
    axis: tuple[float, ...] = (0.0, 0.0, 1.0)
    item: str = ""


@dataclass(frozen=True)
class Label:
    """A name beside a place; `inside` says that it may stand upon it."""

    text: str
    at: Anchor
    role: str = "joint"
    color: str = INK
    size: float = 11.5
    italic: bool = False
    reach: float = 8.0
    inside: bool = False


@dataclass(frozen=True)
class Trace:
    """The path of a point over the whole motion."""

    name: str
    points: np.ndarray
    look: Look


@dataclass(frozen=True)
class Key:
    """What a length of arrows means: `value` and its `unit` are drawn with `scale` metres a unit."""

    text: str
    scale: float
    unit: str
    color: str


class Poses:
    """Where bodies are at a number of times: places (times, bodies, dimension) and axes as columns of matrices."""

    def __init__(self, t, bodies, places, quaternions):
        self.t = np.asarray(t, dtype=float)
        self.bodies = tuple(bodies)
        self.places = places
        self.quaternions = quaternions
        self.dimension = places.shape[-1]
        self._index = {name: k for k, name in enumerate(self.bodies)}
        self._axes = rotation.matrix(quaternions)[..., : self.dimension, : self.dimension]

    def __len__(self) -> int:
        return len(self.t)

    def place(self, body: str) -> np.ndarray:
        """(times, dimension): the origin of a body's frame."""
        return np.zeros((len(self), self.dimension)) if body == "ground" else self.places[:, self._index[body]]

    def axes(self, body: str) -> np.ndarray:
        """(times, dimension, dimension): its axes as columns."""
        if body == "ground":
            return np.broadcast_to(np.eye(self.dimension), (len(self), self.dimension, self.dimension))
        return self._axes[:, self._index[body]]

    def points(self, body: str, local) -> np.ndarray:
        """(times, points, dimension): world places of points given in the axes of a body."""
        local = np.atleast_2d(np.asarray(local, dtype=float))
        flat = np.zeros((len(local), self.dimension))
        count = min(self.dimension, local.shape[1])
        flat[:, :count] = local[:, :count]
        return self.place(body)[:, None] + np.einsum("tij,pj->tpi", self.axes(body), flat)

    def at(self, anchor: Anchor) -> np.ndarray:
        """(times, dimension): world places of an anchor."""
        found = np.zeros((len(self), self.dimension))
        for weight, body, point in anchor:
            found += weight * self.points(body, point)[:, 0]
        return found

    def frame(self, frame) -> np.ndarray:
        """(times, dimension): the origin of a frame."""
        return self.points(frame.body, frame.position)[:, 0]

    def axis(self, frame, axis: str = "x") -> np.ndarray:
        """(times, dimension): the world direction of an axis of a frame."""
        local = frame.rotation()[: self.dimension, "xyz".index(axis)]
        return np.einsum("tij,j->ti", self.axes(frame.body), local)

    def only(self, k: int) -> Poses:
        """The poses at one time."""
        return Poses(self.t[k : k + 1], self.bodies, self.places[k : k + 1], self.quaternions[k : k + 1])


@dataclass
class Scene:
    """Shapes, poses and words of a mechanism in motion, in the plane (2) or in space (3)."""

    name: str
    dimension: int
    poses: Poses
    low: np.ndarray
    high: np.ndarray
    gravity: tuple[float, ...]
    point: float = 0.0  # metres that a point of a symbol has, in space; on paper it follows from the size
    colors: dict[str, tuple[str, str]] = field(default_factory=dict)
    shapes: list[Shape] = field(default_factory=list)
    connectors: list[Connector] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    ghosts: Poses | None = None

    def vertices(self, shape: Shape, poses: Poses, k: int, point: float) -> np.ndarray:
        """World places of the vertices of a shape at the k-th time of poses."""
        axes = poses.axes(shape.body)[k]
        found = poses.place(shape.body)[k] + np.atleast_2d(shape.points) @ axes.T
        turned = poses.axes(shape.turn)[k] if shape.turn else axes
        return found + _moved(shape, turned.T, point)

    def between(self, one: Connector, poses: Poses, k: int, point: float) -> np.ndarray:
        """World places of the vertices of a connector at the k-th time of poses."""
        now = poses.only(k)
        start, end = now.at(one.start)[0], now.at(one.end)[0]
        axes = basis(end - start)
        if one.normal is not None:
            axes[2] = now.axes(one.normal[0])[0] @ one.normal[1]
            axes[1] = np.cross(axes[2], axes[0])
        return start + np.outer(one.shares, end - start) + _moved(one, axes, point)

    def to_dict(self) -> dict[str, Any]:
        """The scene as plain lists, numbers and texts, which JSON can hold."""
        poses = {"t": self.poses.t, "bodies": self.poses.bodies, "places": self.poses.places}
        turns = self.poses.quaternions
        if self.dimension == 2:
            poses["angles"] = np.unwrap(2.0 * np.arctan2(turns[..., 3], turns[..., 0]), axis=0)
        else:
            poses["quaternions"] = turns
        found = {
            "name": self.name,
            "dimension": self.dimension,
            "poses": poses,
            "low": self.low,
            "high": self.high,
            "gravity": self.gravity,
            "point": self.point,
            "colors": self.colors,
            "notes": self.notes,
        }
        for key in ("shapes", "connectors", "arrows", "labels", "traces", "keys"):
            found[key] = [_plain_item(one) for one in getattr(self, key)]
        return _plain(found)


def _moved(one, axes, point: float):
    """Shifts and offsets along the rows of `axes`, in metres."""
    moved: Any = 0.0
    if one.shifts is not None:
        moved = one.shifts @ axes
    if one.offsets is not None:
        moved = moved + point * (one.offsets @ axes)
    return moved


def basis(way) -> np.ndarray:
    """Rows: the direction of a way and those across it; in the plane the second one is to its left."""
    size = float(np.linalg.norm(way))
    along = way / size if size > 1e-12 else np.eye(len(way))[0]
    if len(way) == 2:
        return np.array([along, (-along[1], along[0])])
    other = np.eye(3)[int(np.argmin(np.abs(along)))]
    across = np.cross(along, other)
    across /= np.linalg.norm(across)
    return np.array([along, across, np.cross(along, across)])


def _plain_item(one) -> dict[str, Any]:
    """The fields of an item that say more than nothing."""
    found: dict[str, Any] = {}
    for part in fields(one):
        value = getattr(one, part.name)
        if isinstance(value, Look):
            found |= _plain_item(value)
        elif value is not None and not (isinstance(value, (str, tuple, float, bool)) and value == part.default):
            found[part.name] = value
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value
