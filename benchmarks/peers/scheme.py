"""A benchmark mechanism as plain numbers in world axes: what every other package is built from.

All packages get the positions, axes and speeds of the start from the same description that Linkwork runs.  A link's
own axes are those of the world at the start, so every joint coordinate starts at zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import linkwork as lw

LEAST_INERTIA = 1e-9  # kg m2, for packages that refuse a body without inertia; shifts A01 by less than 2e-8 m


@dataclass(frozen=True)
class Link:
    """A body at the start: mass centre, inertia about it, velocity of the mass centre, angular velocity.

    `origin` and `turn` are position and axes of the frame in which the description gives its points.
    """

    name: str
    mass: float
    inertia: np.ndarray
    center: np.ndarray
    speed: np.ndarray
    rate: np.ndarray
    origin: np.ndarray
    turn: np.ndarray

    def at(self, point) -> np.ndarray:
        """World place at the start of a point of the body's frame."""
        return self.origin + self.turn @ _three(point)


@dataclass(frozen=True)
class Connection:
    """A joint at the start: "turn" about or "slide" along `axis` through `point`; `rate` of its coordinate."""

    kind: str
    parent: str
    child: str
    point: np.ndarray
    axis: np.ndarray
    rate: float


@dataclass(frozen=True)
class Spring:
    """Spring and damper between two points, given by their places at the start."""

    on: str
    on_point: np.ndarray
    to: str
    to_point: np.ndarray
    stiffness: float
    damping: float
    rest_length: float


@dataclass(frozen=True)
class Scheme:
    """Links, a spanning tree of joints (parents first), the joints that close loops, springs, torques about z."""

    key: str
    problem: object
    steps: int
    dimension: int
    gravity: np.ndarray
    end: float
    links: dict
    tree: tuple
    loops: tuple
    springs: tuple
    torques: dict

    @property
    def damped(self) -> bool:
        """Whether dampers make the problem stiff."""
        return any(spring.damping for spring in self.springs)

    @property
    def inboard(self) -> dict:
        """Place at the start of the joint that carries each link; the ground's is the origin."""
        return {"ground": np.zeros(3), **{joint.child: joint.point for joint in self.tree}}

    @property
    def observed(self) -> tuple[str, ...]:
        """Names of the links that are looked at in the end."""
        return tuple(dict.fromkeys(name.split(".")[0] for name in self.problem.observed))

    def closing_points(self, joint: Connection) -> list[np.ndarray]:
        """Points which, shared by both links, close a pin: one in the plane, two on the axis in space."""
        return [joint.point] if self.dimension == 2 else [joint.point, joint.point + joint.axis]

    def error(self, poses: dict) -> float:
        """Error at the end from {link: (rotation since the start, place of the mass centre)}."""
        values = []
        for name in self.problem.observed:
            link_name, *point, quantity = name.split(".")
            link, (rotation, center) = self.links[link_name], poses[link_name]
            if quantity == "angle":
                axes = rotation @ link.turn
                values.append(math.atan2(axes[1, 0], axes[0, 0]))
                continue
            points = self.problem.mechanism.bodies[link_name].points
            start = link.at(points[point[0]]) if point else link.origin
            place = center + rotation @ (start - link.center)
            values.append(place["xyz".index(quantity)])
        if not np.all(np.isfinite(values)):
            return math.inf
        return self.problem.difference(values, self.problem.reference.values)

    def centers(self, poses: dict) -> dict:
        """Poses of mass centres from {link: (rotation, place of the inboard joint)}."""
        inboard = self.inboard
        return {
            name: (rotation, place + rotation @ (self.links[name].center - inboard[name]))
            for name, (rotation, place) in poses.items()
        }


def _three(values) -> np.ndarray:
    """As a vector of three numbers; missing ones are zero."""
    out = np.zeros(3)
    values = np.asarray(values, dtype=float).ravel()
    out[: values.size] = values
    return out


def _about_z(angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _link(name: str, body, dimension: int) -> Link:
    """A body of the description; in space its frame must start parallel to the world."""
    if dimension == 2:
        turn, inertia = _about_z(body.angle), max(body.inertia, LEAST_INERTIA) * np.eye(3)
        rate = np.array([0.0, 0.0, body.angular_velocity or 0.0])
    else:
        if body.orientation not in (None, (1.0, 0.0, 0.0, 0.0)):
            raise ValueError(f"body '{name}' does not start parallel to the world")
        turn = np.eye(3)
        inertia = np.asarray(body.inertia, dtype=float)
        inertia = np.diag(inertia) if inertia.ndim == 1 else inertia
        rate = _three(body.angular_velocity or ())
    origin = _three(body.position)
    arm = turn @ _three(body.center)
    return Link(
        name, body.mass, inertia, origin + arm, _three(body.velocity or ()) + np.cross(rate, arm), rate, origin, turn
    )


def _connections(mechanism, links: dict, single: bool):
    """A spanning tree, and the joints left over.

    The tree is found by breadth from the ground; with `single` from the first joint on ground alone, so that loops are
    closed by the other joints on ground.
    """
    ground = Link("ground", 0.0, np.zeros((3, 3)), *(np.zeros(3) for _ in range(4)), np.eye(3))
    everything = {"ground": ground, **links}

    def connection(joint, parent, child) -> Connection:
        kind, column = ("turn", 2) if isinstance(joint, lw.Revolute) else ("slide", 0)
        on = everything[joint.on.body]
        axis = on.turn @ joint.on.rotation()[:, column]
        axis[np.abs(axis) < 1e-15] = 0.0
        a, b = everything[parent], everything[child]
        if kind == "turn":
            rate = (b.rate - a.rate) @ axis
        else:
            rate = (b.speed - a.speed - np.cross(a.rate, b.center - a.center)) @ axis
        return Connection(kind, parent, child, on.at(joint.on.position), axis, float(rate))

    joints = list(mechanism.joints.values())
    if not all(isinstance(joint, lw.Revolute | lw.Prismatic) for joint in joints):
        raise ValueError(f"mechanism '{mechanism.name}' has joints that are not translated")
    tree, reached, used = [], ["ground"], set()
    if single:
        first = next(k for k, joint in enumerate(joints) if "ground" in (joint.on.body, joint.to.body))
        child = joints[first].to.body if joints[first].on.body == "ground" else joints[first].on.body
        tree.append(connection(joints[first], "ground", child))
        used.add(first)
        reached.append(child)
    position = int(single)
    while position < len(reached):
        parent, position = reached[position], position + 1
        for k, joint in enumerate(joints):
            ends = (joint.on.body, joint.to.body)
            if k in used or parent not in ends:
                continue
            child = ends[1] if ends[0] == parent else ends[0]
            if child not in reached:
                used.add(k)
                reached.append(child)
                tree.append(connection(joint, parent, child))
    loops = []
    for k, joint in enumerate(joints):
        if k not in used:  # ground is never the parent: packages differ in what they accept there
            swap = joint.on.body == "ground"
            ends = (joint.to.body, "ground") if swap else (joint.on.body, joint.to.body)
            loops.append(connection(joint, *ends))
    return tuple(tree), tuple(loops)


def translate(key: str, problem, steps: int, single: bool = False) -> Scheme:
    """The scheme of a problem; `steps` is where ladders of equal steps begin, `single` chooses the other tree."""
    mechanism = problem.mechanism
    links = {
        name: _link(name, body, mechanism.dimension) for name, body in mechanism.bodies.items() if name != "ground"
    }
    tree, loops = _connections(mechanism, links, single)

    def place(frame):
        return _three(frame.position) if frame.body == "ground" else links[frame.body].at(frame.position)

    springs = tuple(
        Spring(f.on.body, place(f.on), f.to.body, place(f.to), f.stiffness, f.damping, f.rest_length)
        for f in mechanism.forces.values()
        if isinstance(f, lw.SpringDamper)
    )
    torques = {f.to.body: f.value for f in mechanism.forces.values() if isinstance(f, lw.Torque)}
    gravity = _three(mechanism.gravity if mechanism.gravity is not None else ())
    return Scheme(key, problem, steps, mechanism.dimension, gravity, problem.end, links, tree, loops, springs, torques)
