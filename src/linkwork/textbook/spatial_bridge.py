"""A spatial `Mechanism` as a `SpaceModel`, so that compiled results can be compared with the books' equations.

Body i of a primitive is the `on` side and body j the `to` side: values grow as our measures do. The books' body
origin is the mass centre; `center` moves there, axes stay those of the body's frame. Only names and fields of the
mechanism are read; nothing is imported from it.

| ours | book | | ours | book |
|---|---|---|---|---|
| Revolute | revolute: 3 CD, 2 DP1 | | Driver of Offset, WorldOffset | DP2, CD |
| Prismatic | translational: 4 DP1 and DP2, 1 DP1 | | Driver of Alignment | DP1 |
| Cylindrical | cylindrical: 2 DP1, 2 DP2 | | SpringDamper | Strut |
| Spherical | spherical: 3 CD | | PointForce along world axes | ForceAt |
| Universal | universal: 3 CD, 1 DP1 | | gravity | Weight |
| Fixed | fixed: 3 CD, 3 DP1 | | Rod | distance: 1 D |
"""

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.textbook import spatial_joints as joints
from linkwork.textbook.spatial_model import ForceAt, SpaceBody, SpaceModel, Strut, Weight
from linkwork.textbook.spatial_primitives import CD, DP1, DP2
from linkwork.textbook.spatial_rotation import A

AXES = dict(zip("xyz", np.eye(3)))
JOINTS = {
    "Revolute": joints.revolute,
    "Prismatic": joints.translational,
    "Cylindrical": joints.cylindrical,
    "Spherical": joints.spherical,
    "Universal": joints.universal,
    "Fixed": joints.fixed,
}


def space_model(mechanism):
    """The books' model of a spatial mechanism, at its declared positions and velocities (zero where none is declared).

    Joints keep their names, drivers follow them. Inactive elements are left out, elements that the books do not have
    are refused.
    """
    if mechanism.dimension != 3:
        raise _refused(f"Mechanism {mechanism.name!r}", "is not spatial")
    build = _Build(mechanism)
    for name, joint in mechanism.joints.items():
        if joint.locked:
            raise _refused(f"Joint {name!r}", "is locked")
    rows = {name: build.joint(name, joint) for name, joint in mechanism.joints.items() if joint.active}
    rows |= {name: build.driver(name, driver) for name, driver in mechanism.drivers.items() if driver.active}
    loads = [build.load(name, force) for name, force in mechanism.forces.items() if force.active]
    if mechanism.gravity is not None:
        heavy = tuple(build.number[name] for name, body in mechanism.bodies.items() if body.gravity)
        loads.insert(0, Weight(tuple(mechanism.gravity), heavy))
    return SpaceModel(tuple(build.bodies), rows, tuple(loads), mechanism.name)


def declared(mechanism, x):
    """The motion x of the books' model as bodies declare it, of the origins of their frames:
    {name: (position, orientation, velocity, angular velocity)}."""
    found = {}
    moving = (part[1:] for part in (x.r, x.p, x.A, x.rd, x.w))
    for (name, body), r, p, R, rd, w in zip(mechanism.bodies.items(), *moving):
        s = -_center(body)
        found[name] = tuple(map(tuple, (r + R @ s, p, rd + R @ np.cross(w, s), w)))
    return found


class _Build:
    """Numbers of the bodies, and what frames, joints and forces become."""

    def __init__(self, mechanism):
        self.source = mechanism.bodies
        self.number = {"ground": 0} | {name: k for k, name in enumerate(self.source, start=1)}
        self.bodies = [_body(body) for body in self.source.values()]

    def place(self, frame):
        """A frame as a place, seen from the mass centre."""
        b = self.number[frame.body]
        center = np.zeros(3) if b == 0 else _center(self.source[frame.body])
        return joints.Place(b, np.asarray(frame.position, dtype=float) - center, frame.rotation())

    def joint(self, name, joint):
        """The primitives of a joint."""
        kind, on, to = type(joint).__name__, self.place(joint.on), self.place(joint.to)
        if kind == "Rod":
            return joints.distance(on, to, joint.length)
        if kind not in JOINTS:
            raise _refused(f"Joint {name!r} ({kind})", "has no counterpart among the books' joints")
        return JOINTS[kind](on, to)

    def driver(self, name, driver):
        """The primitive that is held at the driver's function."""
        measure = driver.measure
        kind = type(measure).__name__
        if kind not in ("Offset", "WorldOffset", "Alignment") or driver.level != "position":
            raise _refused(f"Driver {name!r} of {kind}", "has no counterpart among the books' primitives")
        on, to, f = self.place(measure.on), self.place(measure.to), driver.function
        axis = AXES[measure.axis]
        if kind == "Alignment":
            return (DP1(on.body, to.body, on.axes @ axis, to.axes @ AXES[measure.other], f),)
        if kind == "Offset":
            return (DP2(on.body, to.body, on.axes @ axis, on.s, to.s, f),)
        return (CD(on.body, to.body, axis, on.s, to.s, f),)

    def load(self, name, force):
        """A force element as a load."""
        kind = type(force).__name__
        if kind == "SpringDamper" and not callable(force.stiffness):
            on, to = self.place(force.on), self.place(force.to)
            numbers = force.stiffness, force.rest_length, force.damping, force.actuator
            return Strut(on.body, to.body, on.s, to.s, *numbers)
        if kind == "PointForce" and force.axes == "world" and not any(map(callable, (force.x, force.y, force.z))):
            place = self.place(force.at)
            return ForceAt(place.body, place.s, (force.x, force.y, force.z))
        raise _refused(f"Force {name!r} ({kind})", "has no counterpart among the books' loads")


def _center(body):
    return np.append(np.asarray(body.center, dtype=float), 0.0)[:3]


def _body(body):
    def given(value, size):
        return np.zeros(size) if value is None else np.asarray(value, dtype=float)

    half = 0.5 * (body.angle or 0.0)  # an angle is a turn about z
    p = np.asarray((np.cos(half), 0.0, 0.0, np.sin(half)) if body.orientation is None else body.orientation)
    center, w = _center(body), given(body.angular_velocity, 3)
    r = given(body.position, 3) + A(p) @ center
    rd = given(body.velocity, 3) + A(p) @ np.cross(w, center)
    return SpaceBody(body.mass, body.inertia, r, p, rd, w)


def _refused(item, problem):
    return DescriptionError(message(item, problem))
