"""The tree of joint coordinates: which joints carry bodies, which are cut, and the links that the steps make.

A spanning forest grows from the ground along the cheapest joints: near the ground first, and joints with one freedom
before those with more, because a joint that is cut gives as many rows as it holds.  A body that nothing leads to
floats.  Every joint whose steps leave exactly the freedom that its rows do not hold can be in the tree, also from `to`
to `on`; all others, couplings and drivers close loops with their rows.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from linkwork.compiled.graph import forest
from linkwork.kernels import layout as at
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.measures import Angle, WorldOffset
from linkwork.mechanism.references import turns
from linkwork.records import dataclass
from linkwork.rotation import about, skew
from linkwork.tape import array, real, turned

AXES = {"x": np.array([1.0, 0.0, 0.0]), "y": np.array([0.0, 1.0, 0.0]), "z": np.array([0.0, 0.0, 1.0])}
#: links by the words that steps have for them, from `on` to `to` and back
KINDS = {
    "turn": (at.TURN, at.TURN),
    "slide": (at.SLIDE, at.SLIDE),
    "helix": (at.HELIX, at.HELIX),
    "ball": (at.BALL, at.BALL),
    "roll": (at.ROLL, at.ROLL_BACK),
}
MORE_FREEDOM = 4.0  # what a further freedom costs, counted in joints on the way from the ground


@dataclass(frozen=True)
class Coordinate:
    """One joint coordinate: its name, the measure that it is the value of, and whether it turns."""

    name: str
    measure: Any
    turning: bool


@dataclass
class Link:
    """One step of the tree: the numbers that the kernels read, and whose it is."""

    kind: int
    parent: int
    joint: str  # "" for a body that floats
    first_q: int = 0
    first_v: int = 0
    body: int = 0  # from 1; 0 for a link between two steps of one joint
    shift: np.ndarray = field(default_factory=lambda: np.zeros(3))  # place of the step on the parent
    rotation: np.ndarray = field(default_factory=lambda: np.eye(3))  # of the link against the parent, for q = 0
    angle: float = 0.0  # the same in the plane, full turns counted
    direction: np.ndarray = field(default_factory=lambda: np.zeros(3))  # of the step, on the parent
    slide: float = 0.0
    turn: float = 0.0
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))  # mass centre, seen from the link
    after: np.ndarray = field(default_factory=lambda: np.eye(3))  # of a ball: the link against its far side
    row: tuple | None = None  # (label, factor): the value of this row of the joint, times the factor, adds to angle


@dataclass(frozen=True)
class Tree:
    """The spanning forest as links in an order from the root outwards."""

    links: tuple[Link, ...]  # links[0] is the ground
    coordinates: tuple[Coordinate, ...]  # one for each speed; of a ball they have no measure
    joints: tuple[str, ...]  # joints in the tree
    cut: tuple[str, ...]  # joints and couplings that close loops
    floating: tuple[str, ...]  # bodies that nothing leads to
    parent: dict[str, tuple[str, str]]  # body -> (parent body, joint)
    n_q: int
    n_v: int

    def path(self, link: int) -> list[int]:
        """Links from one link to the root."""
        found = []
        while link > 0:
            found.append(link)
            link = self.links[link].parent
        return found


def freedom_of(joint, mechanism) -> int | None:
    """Coordinates of a joint in the tree, or None where it cannot be there."""
    steps = moving_steps(joint, mechanism, joint.to.body)
    if joint.cut or not joint.active or steps is None or not turns(mechanism, joint.on):
        return None
    complete = _count(joint.steps(mechanism.dimension)) + len(joint.rows(mechanism.dimension))
    return _count(steps) if complete == (3 if mechanism.dimension == 2 else 6) else None


def _count(steps) -> int:
    """Freedoms of steps."""
    return sum(step.freedoms for step in steps)


def moving_steps(joint, mechanism, child: str):
    """Steps from `on` to `to`; the turn of a particle at the far end does not exist."""
    steps = joint.steps(mechanism.dimension)
    if steps is None:
        return None
    bodies = mechanism.bodies
    if child != "ground" and not bodies[child].has_angle:
        ends = -1 if child == joint.to.body else 0
        if steps and steps[ends].keeps_origin:
            steps.pop(ends)
    return steps


def grow(mechanism, bodies, index, released=()) -> Tree:
    """The tree of a mechanism; joints that are released, wholly or in part, are none of its branches.

    `bodies` are the compiled ones, `index` their numbers from 1.
    """
    parent, floating = _forest(mechanism, released)
    walker = _Walker(mechanism, bodies, index)
    for name, way in parent.items():
        walker.add_body(name, *way)
    joints = tuple(joint for _, joint in parent.values() if joint)
    cut = tuple(name for name, joint in mechanism.joints.items() if joint.active and name not in joints)
    return Tree(
        tuple(walker.links),
        tuple(walker.coordinates),
        joints,
        cut,
        floating,
        parent,
        walker.n_q,
        len(walker.coordinates),
    )


def _forest(mechanism, released):
    """{body: (parent, joint)} from the root outwards, and the bodies that float."""
    beside: dict[str, list] = {"ground": [], **{name: [] for name in mechanism.bodies}}
    for name, joint in mechanism.joints.items():
        freedom = None if name in released else freedom_of(joint, mechanism)
        if freedom is not None:
            cost = 1.0 + MORE_FREEDOM * max(0, freedom - 1)
            for one, other in ((joint.on.body, joint.to.body), (joint.to.body, joint.on.body)):
                beside[one].append((cost, other, name))
    found: dict[str, tuple[str, str]] = {}
    floating: list[str] = []

    def ways(body):  # a particle has no axes to go on from: it ends its branch
        return beside[body] if turns(mechanism, Frame(body)) else ()

    for body, parent, joint in forest(["ground"], mechanism.bodies, ways):
        if parent is not None:
            found[body] = parent, joint
        elif body != "ground":
            found[body] = "ground", ""
            floating.append(body)
    return found, tuple(floating)


class _Walker:
    """Turns joints into links: fixed shifts and turns are gathered until a step moves."""

    def __init__(self, mechanism, bodies, index):
        self.mechanism, self.bodies, self.index = mechanism, bodies, index
        self.plane = mechanism.dimension == 2
        self.links = [Link(at.RIGID, 0, "")]
        self.coordinates: list[Coordinate] = []
        self.n_q = 0
        self.carrier = {"ground": 0}

    def add_body(self, name, parent, joint_name):
        near_link = self.carrier[parent]
        if not joint_name:
            self._float(name)
            return
        joint = self.mechanism.joints[joint_name]
        forward = joint.on.body == parent
        near, far = (joint.on, joint.to) if forward else (joint.to, joint.on)
        steps = moving_steps(joint, self.mechanism, name)
        if not forward:
            steps = steps[::-1]
        # where the near frame is on the link of the parent, in the axes of that link
        axes, center = self._axes(parent), self._center(parent)
        shift = self.links[near_link].center + turned(axes.T, array(near.position) - center)
        self._begin(near_link, joint_name, shift, axes.T @ near.rotation(), near.angle)
        readings = joint.readings()
        for step in steps:
            self._step(step, joint, 1.0 if forward else -1.0, readings)
        self._end(name, far, near.angle + near.angle_to(far))

    def _float(self, name):
        """A body without a joint to lead to it: its place, then its orientation, as those of its frame."""
        ground, own = Frame("ground"), Frame(name)
        self._begin(0, "", np.zeros(3), np.eye(3), 0.0)
        for axis in "xyz"[: self.mechanism.dimension]:
            self._moving(
                at.SLIDE,
                [Coordinate(f"{name}.{axis}", WorldOffset(ground, own, axis), False)],
                direction=AXES[axis],
                slide=1.0,
            )
        if self.mechanism.bodies[name].has_angle:
            if self.plane:
                self._moving(at.TURN, [Coordinate(f"{name}.angle", Angle(ground, own), True)], turn=1.0)
            else:
                self._moving(at.BALL, [Coordinate(f"{name}.turn.{axis}", None, True) for axis in "xyz"])
        self._end(name, own, 0.0)

    # -- gathering -------------------------------------------------------------------------------------------------
    def _begin(self, link, joint, shift, rotation, angle):
        self.start, self.joint = link, joint
        self._gather(link, shift, rotation, angle)

    def _gather(self, link, shift, rotation, angle):
        self.link, self.shift, self.rotation, self.angle = link, shift, rotation, angle

    def _step(self, step, joint, sign, readings):
        if not step.freedoms:
            shift, axis, angle = step.way(0.0)
            self.shift = self.shift + turned(self.rotation, sign * array(shift))
            self.rotation = self.rotation @ about(AXES[axis], sign * angle) if angle else self.rotation
            return
        if step.kind not in KINDS:
            raise TypeError(f"a step of {type(step).__name__} has no link")
        moves = step.moves(sign)
        if step.freedoms == 1:
            measure = readings.get(step.name) or step.measure(joint.on, joint.to)
            coordinates = [Coordinate(f"{joint.name}.{step.name}", measure, step.turns)]
        else:
            coordinates = [Coordinate(f"{joint.name}.turn.{axis}", None, True) for axis in "xyz"]
        self._moving(KINDS[step.kind][sign < 0.0], coordinates, AXES[moves.axis], moves.slide, moves.turn)
        self.links[-1].row = moves.row

    def _moving(self, kind, coordinates, direction=AXES["z"], slide=0.0, turn=0.0):
        """Close what was gathered with a link that moves."""
        on_parent = direction if kind == at.ROLL_BACK else self.rotation @ direction
        self.links.append(
            Link(
                kind,
                self.link,
                self.joint,
                self.n_q,
                len(self.coordinates),
                0,
                self.shift,
                self.rotation,
                self.angle,
                on_parent,
                slide,
                turn,
            )
        )
        self.coordinates += coordinates
        self.n_q += 4 if kind == at.BALL else len(coordinates)
        self._gather(len(self.links) - 1, np.zeros(3), np.eye(3), 0.0)

    def _end(self, name, far, far_angle):
        """The last link carries the body, in the body's own axes; `far_angle` is that of the far frame, in the plane.

        It is less than half a turn from that of the near frame, so that a coordinate that turns has the value

            q = phi_to - phi_on + on.angle_to(to)
        """
        if self.link == self.start:  # nothing moved
            self.links.append(
                Link(
                    at.RIGID,
                    self.link,
                    self.joint,
                    self.n_q,
                    len(self.coordinates),
                    0,
                    self.shift,
                    self.rotation,
                    self.angle,
                )
            )
            self._gather(len(self.links) - 1, np.zeros(3), np.eye(3), 0.0)
        link = self.links[self.link]
        axes = self._axes(name)
        adjust = self.rotation @ far.rotation().T @ axes  # link axes before -> axes of the body
        if link.kind == at.BALL:
            link.after = adjust
        else:
            link.rotation = link.rotation @ adjust
        link.angle += self.angle - far_angle
        if link.kind == at.ROLL_BACK:
            link.direction = adjust.T @ link.direction
        link.body = self.index[name]
        link.center = turned(adjust.T, self.shift) + turned(axes.T, self._center(name) - array(far.position))
        self.carrier[name] = self.link

    def _axes(self, name):
        return np.eye(3) if name == "ground" else self.bodies[self.index[name] - 1].rotation

    def _center(self, name):
        return np.zeros(3) if name == "ground" else self.bodies[self.index[name] - 1].center


def planar_numbers(link: Link, body) -> list[float]:
    """What the planar kernel reads of a link; see `kernels.planar.links`."""
    inertia = real(body.inertia[0]) if body is not None and body.has_angle else 0.0
    return [
        *link.shift[:2],
        link.angle,
        *link.direction[:2],
        link.slide,
        link.turn,
        *link.center[:2],
        body.mass if body is not None else 0.0,
        inertia,
    ]


def spatial_numbers(link: Link, body) -> list[float]:
    """What the spatial kernel reads of a link; see `kernels.spatial.links`.

    R(e, angle) R0 = e e'R0 + cos (1 - e e') R0 + sin [e] R0
    """
    e = link.direction
    along = np.outer(e, e) @ link.rotation
    if link.kind == at.BALL:
        parts = [link.rotation, link.after, np.zeros((3, 3))]
    elif link.turn:
        parts = [along, link.rotation - along, skew(e) @ link.rotation]
    else:
        parts = [link.rotation, np.zeros((3, 3)), np.zeros((3, 3))]
    inertia = body.inertia if body is not None and body.has_angle else np.zeros(3)
    mass = body.mass if body is not None else 0.0
    turns = np.concatenate([part.ravel() for part in parts])
    return [*link.shift, *e, *turns, link.slide, link.turn, *link.center, mass, *inertia]
