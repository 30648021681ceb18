"""A first position: bodies with an estimate are where it says, the others follow along the joints."""

from __future__ import annotations

import math
from collections import deque

import numpy as np

from linkwork.coordinates.rotation import matrix_of, quaternion_of


def place(mechanism, values) -> tuple[list, list]:
    """Poses and twists of all bodies; `values` are named numbers that help (joint values, body coordinates)."""
    poses: dict = {"ground": (np.zeros(3), np.eye(3), 0.0)}
    queue = deque(["ground"])
    for name, body in mechanism.bodies.items():
        if body.position is not None or f"{name}.x" in values or f"{name}.y" in values:
            poses[name] = _declared(mechanism, name, body, values)
            queue.append(name)
    while len(poses) <= len(mechanism.bodies):
        while queue:
            for name in _reach(mechanism, queue.popleft(), poses, values):
                queue.append(name)
        left = [name for name in mechanism.bodies if name not in poses]
        if left:  # nothing leads to this body: it starts where it was declared, or at the origin
            poses[left[0]] = _declared(mechanism, left[0], mechanism.bodies[left[0]], values)
            queue.append(left[0])
    return ([_pose(mechanism, poses[name]) for name in mechanism.bodies],
            [_twist(mechanism, name, body, values) for name, body in mechanism.bodies.items()])


def _declared(mechanism, name, body, values):
    position = np.zeros(3)
    if body.position is not None:
        position[:len(body.position)] = body.position
    for k, axis in enumerate("xyz"):
        position[k] = values.get(f"{name}.{axis}", position[k])
    angle = values.get(f"{name}.angle", body.angle or 0.0)
    rotation = _turn(angle) if body.orientation is None else matrix_of(body.orientation)
    return position, rotation, angle


def _turn(angle, axis="z"):
    c, s = math.cos(angle), math.sin(angle)
    about_z = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    order = {"z": [0, 1, 2], "x": [2, 0, 1], "y": [1, 2, 0]}[axis]  # of x y z in the cycle that ends with the axis
    return about_z[np.ix_(order, order)]


def _reach(mechanism, body, poses, values):
    """Place the neighbours of a placed body."""
    found = []
    for joint in mechanism.joints.values():
        if not joint.active or body not in (joint.on.body, joint.to.body):
            continue
        other = joint.to.body if joint.on.body == body else joint.on.body
        if other in poses:
            continue
        steps = joint.steps(mechanism.dimension)
        if steps is None:
            continue
        poses[other] = _through(mechanism, joint, steps, body, other, poses[body], values)
        found.append(other)
    return found


def _through(mechanism, joint, steps, body, other, pose, values):
    """Pose of the body on the other side of a joint, for given joint values (zero if not given)."""
    shift, rotation, angle = np.zeros(3), np.eye(3), 0.0
    for step in steps:
        kind = type(step).__name__
        value = values.get(f"{joint.name}.{getattr(step, 'name', '')}", 0.0)
        if kind == "Turn":
            rotation, angle = rotation @ _turn(value, step.axis), angle + value
        elif kind == "Helix":
            shift, rotation = shift + rotation @ np.array([0.0, 0.0, step.lead * value]), rotation @ _turn(value)
        elif kind == "Tilt":
            rotation = rotation @ _turn(math.pi / 2, step.axis)
        elif kind == "Ball":
            continue  # nothing is known of it: as if the frames were parallel
        elif kind == "Roll":
            shift = shift + rotation @ np.array([value, 0.0, 0.0])
            turn = step.angle - value / step.radius
            rotation, angle = rotation @ _turn(turn), angle + turn
        else:
            distance = step.distance if kind == "Shift" else value
            shift = shift + rotation @ (distance * np.eye(3)["xyz".index(step.axis)])
    near, far = (joint.on, joint.to) if joint.on.body == body else (joint.to, joint.on)
    if joint.on.body != body:
        rotation, angle = rotation.T, -angle
        shift = -rotation @ shift
    r, world, total = pose
    near_axes, far_axes = near.rotation(), far.rotation()
    origin = r + world @ (np.asarray(near.position) + near_axes @ shift)
    axes = world @ near_axes @ rotation @ far_axes.T
    turned = total + near.angle + angle - far.angle
    known = values.get(f"{other}.angle", mechanism.bodies[other].angle)
    if known is not None and mechanism.dimension == 2:  # an angle that is known wins over the joint's
        axes, turned = _turn(known), known
    if mechanism.dimension == 3 and mechanism.bodies[other].orientation is not None:
        axes = matrix_of(mechanism.bodies[other].orientation)
    return origin - axes @ np.asarray(far.position), axes, turned


def _pose(mechanism, pose):
    position, rotation, angle = pose
    if mechanism.dimension == 2:
        return (position[0], position[1], angle)
    return (*position, *quaternion_of(rotation))


def _twist(mechanism, name, body, values):
    d = mechanism.dimension
    velocity = np.zeros(d)
    if body.velocity is not None:
        velocity[:] = body.velocity[:d]
    for k, axis in enumerate("xyz"[:d]):
        velocity[k] = values.get(f"{name}.{axis}.rate", velocity[k])
    if d == 2:
        return (*velocity, values.get(f"{name}.angle.rate", body.angular_velocity or 0.0))
    spin = (0.0, 0.0, 0.0) if body.angular_velocity is None else body.angular_velocity
    return (*velocity, *spin)
