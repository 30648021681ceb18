"""A first position: bodies with a declared pose are there, the others follow along the joints."""

from __future__ import annotations

import heapq
import math

import numpy as np

from linkwork.rotation import from_matrix, matrix


def place(mechanism, values, bend: float = 0.0, upright: bool = False) -> tuple[list, list]:
    """Poses and twists of all bodies; `values` are named numbers that help (joint values, body coordinates).

    Joints that leave nothing open are passed first (a weld to a body with a pose says more than a hinge to the
    ground), then in the order in which they are reached.  Turns of joints that nothing is known of are `bend`, to one
    side and to the other where a way forks, so that both ends of a loop bend towards each other.  With `upright` a body
    with a place of its own is turned by nothing but what is said of it.
    """
    poses: dict = {"ground": (np.zeros(3), np.eye(3), 0.0)}
    at_body: dict[str, list] = {}
    for joint in mechanism.joints.values():
        steps = joint.steps(mechanism.dimension) if joint.active else None
        if steps is not None:
            open_ = sum(f"{joint.name}.{step.name}" not in values for step in steps if hasattr(step, "name"))
            for body in (joint.on.body, joint.to.body):
                at_body.setdefault(body, []).append((joint, steps, min(open_, 1)))
    heap: list[tuple] = []
    count = 0
    side: dict[str, float] = {}  # to which the next way from a body bends

    def reached(body, pose, sense=1.0):
        nonlocal count
        poses[body] = pose
        side[body] = sense
        for joint, steps, open_ in at_body.get(body, ()):
            other = joint.to.body if joint.on.body == body else joint.on.body
            if other not in poses:
                count += 1
                heapq.heappush(heap, (open_, count, joint, steps, body, other))

    reached("ground", poses["ground"])
    for name, body in mechanism.bodies.items():
        stands, turned = _known(mechanism, name, body, values)
        if stands and (turned or upright):
            reached(name, _declared(mechanism, name, body, values))
    # where nothing leads to a body it is where it was declared, or at the origin; those that know more come first
    left = iter(sorted(mechanism.bodies.items(), reverse=True,
                       key=lambda one: _known(mechanism, one[0], one[1], values)))
    while len(poses) <= len(mechanism.bodies):
        while heap:
            _, _, joint, steps, body, other = heapq.heappop(heap)
            if other not in poses:
                sense = side[body]
                side[body] = -sense
                reached(other, _through(mechanism, joint, steps, body, other, poses[body], values, sense * bend), sense)
        for name, body in left:
            if name not in poses:
                reached(name, _declared(mechanism, name, body, values))
                break
    return ([_pose(mechanism, poses[name]) for name in mechanism.bodies],
            [_twist(mechanism, name, body, values) for name, body in mechanism.bodies.items()])


def _known(mechanism, name, body, values) -> tuple[bool, bool]:
    """Whether place and turn of a body are said."""
    place = body.position is not None or all(f"{name}.{axis}" in values for axis in "xyz"[:mechanism.dimension])
    turn = (not body.has_angle or body.angle is not None or body.orientation is not None
            or f"{name}.angle" in values)
    return place, turn


def _declared(mechanism, name, body, values):
    position = np.zeros(3)
    if body.position is not None:
        position[:len(body.position)] = body.position
    for k, axis in enumerate("xyz"):
        position[k] = values.get(f"{name}.{axis}", position[k])
    angle = values.get(f"{name}.angle", body.angle or 0.0)
    rotation = _turn(angle) if body.orientation is None else matrix(body.orientation)
    return position, rotation, angle


def _turn(angle, axis="z"):
    c, s = math.cos(angle), math.sin(angle)
    about_z = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    order = {"z": [0, 1, 2], "x": [2, 0, 1], "y": [1, 2, 0]}[axis]  # of x y z in the cycle that ends with the axis
    return about_z[np.ix_(order, order)]


def _through(mechanism, joint, steps, body, other, pose, values, bend=0.0):
    """Pose of the body on the other side of a joint, for given joint values (zero if not given, turns `bend`)."""
    shift, rotation, angle = np.zeros(3), np.eye(3), 0.0
    away = 1.0 if joint.on.body == body else -1.0
    for step in steps:
        kind = type(step).__name__
        value = values.get(f"{joint.name}.{getattr(step, 'name', '')}", away * bend if kind == "Turn" else 0.0)
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
    turned = total + angle + far.angle_to(near)
    if abs(total) <= math.pi and not any(f"{joint.name}.{getattr(step, 'name', '')}" in values for step in steps):
        turned = math.remainder(turned, 2.0 * math.pi)  # nothing has said another turn
    known = values.get(f"{other}.angle", mechanism.bodies[other].angle)
    if known is not None:  # an angle that is known wins over the joint's
        axes, turned = _turn(known), known
    if mechanism.dimension == 3 and mechanism.bodies[other].orientation is not None:
        axes = matrix(mechanism.bodies[other].orientation)
    origin = origin - axes @ np.asarray(far.position)
    if mechanism.bodies[other].position is not None:  # and so does a place
        origin = _declared(mechanism, other, mechanism.bodies[other], values)[0]
    for k, axis in enumerate("xyz"):
        origin[k] = values.get(f"{other}.{axis}", origin[k])
    return origin, axes, turned


def _pose(mechanism, pose):
    position, rotation, angle = pose
    if mechanism.dimension == 2:
        return (position[0], position[1], angle)
    return (*position, *from_matrix(rotation))


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
