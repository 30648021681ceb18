"""A first position: bodies with a declared pose are there, the others follow along the joints."""

from __future__ import annotations

import math

import numpy as np

from linkwork.compiled.graph import forest
from linkwork.rotation import about_z, from_matrix, matrix
from linkwork.tape import cos, remainder, sin


def place(model, values, bend: float = 0.0, upright: bool = False) -> tuple[list, list]:
    """Poses and twists of all bodies; `values` are named numbers that help (joint values, body coordinates).

    Joints that leave nothing open are passed first (a weld to a body with a pose says more than a hinge to the
    ground), then in the order in which they are reached.  Turns of joints that nothing is known of are `bend`, to one
    side and to the other where a way forks, so that both ends of a loop bend towards each other.  With `upright` a body
    with a place of its own is turned by nothing but what is said of it.
    """
    placing = (_InPlane if model.dimension == 2 else _Placing)(model, values)
    known = {name: placing.known(name) for name in model.mechanism.bodies}
    there = [name for name, (stands, turned) in known.items() if stands and (turned or upright)]
    # where nothing leads to a body it is where it was declared, or at the origin; those that know more come first
    left = sorted(known, key=lambda name: known[name], reverse=True)
    side: dict[str, float] = {}  # to which the next way from a body bends
    for body, before, passage in forest(["ground", *there], left, placing.ways, total=False):
        sense = 1.0
        if body == "ground":
            placing.poses[body] = placing.ground
        elif before is None:
            placing.poses[body] = placing.declared(body)
        else:
            sense = side[before]
            side[before] = -sense
            placing.poses[body] = placing.through(passage, placing.poses[before], sense * bend)
        side[body] = sense
    return placing.all_poses(), placing.all_twists()


class _Placing:
    """What is known of bodies and joints while they are placed."""

    ground: tuple = np.zeros(3), np.eye(3), 0.0

    def __init__(self, model, values):
        self.model, self.values = model, values
        self.bodies = model.mechanism.bodies
        self.poses: dict[str, tuple] = {}
        self.spoken_of = {name.partition(".")[0] for name in values}

    def known(self, name) -> tuple[bool, bool]:
        """Whether place and turn of a body are said."""
        body, k, declared = self.bodies[name], self.model.body_index[name], self.model.declared
        place, turn = bool(declared.place[k]), not body.has_angle or bool(declared.turn[k])
        if name in self.spoken_of:
            place = place or all(f"{name}.{axis}" in self.values for axis in "xyz"[: self.model.dimension])
            turn = turn or f"{name}.angle" in self.values
        return place, turn

    def ways(self, body) -> list[tuple]:
        """Joints at a body: cost, the body beyond, and how it is reached."""
        return [
            (any(name not in self.values for name in one.names), one.other, one) for one in self.model.passages[body]
        ]

    def declared(self, name):
        """Place, axes and angle as they are said, zero where nothing is."""
        body = self.bodies[name]
        position = np.zeros(3)
        if body.position is not None:
            position[: len(body.position)] = body.position
        self._put(name, position)
        angle = self.values.get(f"{name}.angle", body.angle or 0.0)
        return position, _turn(angle) if body.orientation is None else matrix(body.orientation), angle

    def _put(self, name, position) -> None:
        """Coordinates by name win over all else."""
        if name in self.spoken_of:
            for k, axis in enumerate("xyz"):
                position[k] = self.values.get(f"{name}.{axis}", position[k])

    def through(self, passage, pose, bend):
        """Pose of the body on the other side of a joint, for given joint values (zero if not given, turns `bend`)."""
        shift, rotation, angle = self._along(passage, passage.away * bend)
        r, world, total = pose
        origin = r + world @ (passage.near_place + passage.near_axes @ shift)
        axes = world @ passage.near_axes @ rotation @ passage.far_axes.T
        turned = total + angle + passage.angle
        if abs(total) <= math.pi and not any(name in self.values for name in passage.names):
            turned = math.remainder(turned, 2.0 * math.pi)  # nothing has said another turn
        name, body = passage.other, self.bodies[passage.other]
        known = self.values.get(f"{name}.angle", body.angle) if name in self.spoken_of else body.angle
        if known is not None:  # an angle that is known wins over the joint's
            axes, turned = _turn(known), known
        if body.orientation is not None:
            axes = matrix(body.orientation)
        if body.position is not None:  # and so does a place
            return self.declared(name)[0], axes, turned
        origin = origin - axes @ passage.far_place
        self._put(name, origin)
        return origin, axes, turned

    def _along(self, passage, bend):
        """Shift, rotation and angle that the steps of a joint lead through, from the near frame to the far one."""
        shift, rotation, angle = np.zeros(3), np.eye(3), 0.0
        for step in passage.steps:
            value = bend if step.bends else 0.0  # of a ball nothing is known: as if the frames were parallel
            if self.values:
                value = self.values.get(f"{passage.joint}.{step.name}", value)
            way, axis, turned = step.way(value)
            if any(way):
                shift = shift + rotation @ way
            if turned:
                rotation, angle = rotation @ _turn(turned, axis), angle + turned
        if passage.away < 0.0:
            rotation, angle = rotation.T, -angle
            shift = -rotation @ shift
        return shift, rotation, angle

    def all_poses(self) -> list[tuple]:
        """Poses of the bodies in the order of the model."""
        turns = from_matrix(np.array([self.poses[name][1] for name in self.bodies]))
        return [(*self.poses[name][0].tolist(), *turn) for name, turn in zip(self.bodies, turns.tolist())]

    def all_twists(self) -> list[tuple]:
        """Speeds of the bodies as they are said, zero where nothing is."""
        d, dof, declared = self.model.dimension, self.model.dof, self.model.declared
        still = (0.0,) * dof
        moving = declared.velocity | declared.spin
        return [
            self._twist(name, body, d) if moving[k] or name in self.spoken_of else still
            for k, (name, body) in enumerate(self.bodies.items())
        ]

    def _twist(self, name, body, d) -> tuple:
        velocity = [0.0] * d if body.velocity is None else list(body.velocity[:d])
        for k, axis in enumerate("xyz"[:d]):
            velocity[k] = self.values.get(f"{name}.{axis}.rate", velocity[k])
        if d == 2:
            return (*velocity, self.values.get(f"{name}.angle.rate", body.angular_velocity or 0.0))
        return (*velocity, *((0.0, 0.0, 0.0) if body.angular_velocity is None else body.angular_velocity))


class _InPlane(_Placing):
    """The same in the plane, in plain arithmetic: numbers may be traced (`tape`).  Axes are two rows of two."""

    ground = (0.0, 0.0), ((1.0, 0.0), (0.0, 1.0)), 0.0

    def declared(self, name):
        body = self.bodies[name]
        x, y = (0.0, 0.0) if body.position is None else tuple(body.position)[:2]
        angle = self.values.get(f"{name}.angle", body.angle or 0.0)
        return self._put(name, (x, y)), _axes(angle), angle

    def _put(self, name, position):
        if name not in self.spoken_of:
            return position
        return tuple(self.values.get(f"{name}.{axis}", one) for axis, one in zip("xy", position))

    def through(self, passage, pose, bend):
        shift, rotation, angle = self._along(passage, passage.away * bend)
        (x, y), world, total = pose
        near, far = (tuple(tuple(row[:2]) for row in one[:2].tolist()) for one in (passage.near_axes, passage.far_axes))
        (px, py), (sx, sy) = passage.near_place[:2], _times(near, shift)
        ox, oy = _times(world, (px + sx, py + sy))
        axes = _product(_product(_product(world, near), rotation), _back(far))
        turned = total + angle + passage.angle
        if not any(name in self.values for name in passage.names) and abs(total) <= math.pi:
            turned = remainder(turned, 2.0 * math.pi)  # nothing has said another turn
        name, body = passage.other, self.bodies[passage.other]
        known = self.values.get(f"{name}.angle", body.angle) if name in self.spoken_of else body.angle
        if known is not None:  # an angle that is known wins over the joint's
            axes, turned = _axes(known), known
        if body.position is not None:  # and so does a place
            return self.declared(name)[0], axes, turned
        fx, fy = _times(axes, passage.far_place[:2])
        return self._put(name, (x + ox - fx, y + oy - fy)), axes, turned

    def _along(self, passage, bend):
        (sx, sy), rotation, angle = (0.0, 0.0), ((1.0, 0.0), (0.0, 1.0)), 0.0
        for step in passage.steps:
            value = bend if step.bends else 0.0
            if self.values:
                value = self.values.get(f"{passage.joint}.{step.name}", value)
            way, _, turned = step.way(value)
            wx, wy = _times(rotation, tuple(way)[:2])
            sx, sy = sx + wx, sy + wy
            rotation, angle = _product(rotation, _axes(turned)), angle + turned
        if passage.away < 0.0:
            rotation, angle = _back(rotation), -angle
            sx, sy = _times(rotation, (-sx, -sy))
        return (sx, sy), rotation, angle

    def all_poses(self) -> list[tuple]:
        return [(*self.poses[name][0], self.poses[name][2]) for name in self.bodies]


def _axes(angle):
    c, s = cos(angle), sin(angle)
    return (c, -s), (s, c)


def _times(rows, vector):
    (a, b), (c, d) = rows
    x, y = vector
    return a * x + b * y, c * x + d * y


def _product(one, other):
    (a, b), (c, d) = one
    (e, f), (g, h) = other
    return (a * e + b * g, a * f + b * h), (c * e + d * g, c * f + d * h)


def _back(rows):
    (a, b), (c, d) = rows
    return (a, c), (b, d)


def _turn(angle, axis="z"):
    found = about_z(math.cos(angle), math.sin(angle))
    if axis == "z":
        return found
    order = {"x": [2, 0, 1], "y": [1, 2, 0]}[axis]  # of x y z in the cycle that ends with the axis
    return found[np.ix_(order, order)]
