"""A planar `Mechanism` as a `BookModel`, so that compiled results can be compared with the book's equations.

Body i of the book is the `to` side and body j the `on` side: d = r_i - r_j points from `on` to `to`, as our
measures grow, so Phi, D, gamma and lambda of both agree in sign and scale on admissible states (a pin in a
slot has i and j exchanged and the slot's direction reversed, which keeps its row the same). The book's body
origin is the mass centre; `center` moves there. Only names and fields of the mechanism are read; nothing is
imported from it.

| ours | book | | ours | book |
|---|---|---|---|---|
| Revolute | rev | | Driver of Angle | rel-rot |
| Prismatic | tran | | Driver of Distance | rel-tran |
| Rod | rev-rev | | SpringDamper | ptp |
| PinInSlot | rev-tran | | TorsionSpringDamper | rot-sda |
| Fixed | rigid (pin and angle) | | gravity | weight |
| Hold | simple; against a moving body rev-tran, rel-rot | | PointForce | fP |
| RollingDisc on level ground | disc | | Torque | T |
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.textbook.planar_forces import vector_at
from linkwork.textbook.planar_functions import FunctionA
from linkwork.textbook.planar_kinematics import A, rot
from linkwork.textbook.planar_model import Body, BookModel, Force, Joint, Point, UnitVector

GROUND = "ground"
TURN = 2 * np.pi


def from_mechanism(mechanism: Any, state: Mapping[str, float] | None = None) -> BookModel:
    """The book's model of a planar mechanism.

    It starts at the declared positions and velocities; where none is declared, at zero. `state` overrides
    them by name: {"crank.x": 1.0, "crank.angle": 0.3, "crank.angle.rate": 2.0}. Joints keep their names, in
    the order joints, drivers. Inactive elements are left out, elements the book does not have are refused.
    """
    if mechanism.dimension != 2:
        raise _refused(f"Mechanism {mechanism.name!r}", "is not planar")
    build = _Build(mechanism, state or {})
    for name, joint in mechanism.joints.items():
        if joint.locked:
            raise _refused(f"Joint {name!r}", "is locked")
        if joint.active:
            build.joint(name, joint)
    for name, driver in mechanism.drivers.items():
        if driver.active:
            build.driver(name, driver)
    build.gravity(mechanism.gravity)
    for name, force in mechanism.forces.items():
        if force.active:
            build.force(name, force)
    return build.model()


class _Build:
    """Collects bodies, points, vectors, joints, forces and functions, giving each its number."""

    def __init__(self, mechanism, state):
        self.name = mechanism.name
        self.source = {name: body for name, body in mechanism.bodies.items() if name != GROUND}
        self.number = {GROUND: 0} | {name: n for n, name in enumerate(self.source, start=1)}
        self.bodies = [_book_body(name, body, state) for name, body in self.source.items()]
        self.points, self.vectors, self.joints, self.forces, self.functions = [], [], [], [], []

    def model(self):
        """What has been collected."""
        parts = (self.bodies, self.points, self.vectors, self.joints, self.forces, self.functions)
        return BookModel(*map(tuple, parts), name=self.name)

    # numbers of what a frame gives

    def body(self, frame):
        """Number of the frame's body."""
        return self.number[frame.body]

    def point(self, frame):
        """Number of a new point at the frame's origin, seen from the mass centre."""
        b = self.body(frame)
        center = np.zeros(2) if b == 0 else _center(self.source[frame.body])
        self.points.append(Point(b, tuple(_position(frame) - center)))
        return len(self.points)

    def vector(self, frame, u=(1.0, 0.0)):
        """Number of a new unit vector with components u in the axes of the frame."""
        self.vectors.append(UnitVector(self.body(frame), tuple(A(frame.angle) @ u)))
        return len(self.vectors)

    def function(self, f):
        """Number of a new function of time."""
        self.functions.append(f)
        return len(self.functions)

    def phi(self, frame):
        """Angle of the frame's body at the start."""
        b = self.body(frame)
        return 0.0 if b == 0 else self.bodies[b - 1].phi

    def body_angle(self, on, to, value):
        """phi_i - phi_j where the frames' angle is `value`, in the whole turn nearest to the start."""
        angle = value - to.angle + on.angle
        return angle + TURN * np.round((self.phi(to) - self.phi(on) - angle) / TURN)

    # joints

    def joint(self, name, joint):
        """Add a joint under its name."""
        kind = type(joint).__name__
        make = getattr(self, f"_{kind}", None)
        if make is None:
            raise _refused(f"Joint {name!r} ({kind})", "has no counterpart in the book's joints")
        make(name, joint.on, joint.to, joint)

    def add(self, name, type, **fields):
        """Append the book's joint."""
        self.joints.append(Joint(type, name=name, **fields))

    def _Revolute(self, name, on, to, joint):
        self.add(name, "rev", Pi=self.point(to), Pj=self.point(on))

    def _Prismatic(self, name, on, to, joint):
        ends = {"Pi": self.point(to), "Pj": self.point(on)}
        self.add(name, "tran", **ends, Ui=self.vector(to), Uj=self.vector(on))

    def _Rod(self, name, on, to, joint):
        self.add(name, "rev-rev", Pi=self.point(to), Pj=self.point(on), L=joint.length)

    def _PinInSlot(self, name, on, to, joint):
        self._offset(name, on, to, "y", joint.offset)

    def _offset(self, name, on, to, axis, value):
        """Hold e'(r_to - r_on), e an axis of `on`, as the slot rot(u)'(r_on - r_to) with u = rot(e)."""
        u = {"x": (0.0, 1.0), "y": (-1.0, 0.0)}[axis]
        ends = {"Pi": self.point(on), "Pj": self.point(to)}
        self.add(name, "rev-tran", **ends, Ui=self.vector(on, u), L=value)

    def _Fixed(self, name, on, to, joint):
        theta0 = self.body_angle(on, to, 0.0)
        self.add(name, "rigid", Pi=self.point(to), Pj=self.point(on), theta0=theta0)

    def _Hold(self, name, on, to, joint):
        straight = self.body(on) == 0 and on.angle == 0.0
        for a, (coord, value) in enumerate((("x", joint.x), ("y", joint.y))):
            if value is not None and straight:
                self.add(name, "simple", Pi=self.point(to), coord=coord, c=value + _position(on)[a])
            elif value is not None:
                self._offset(name, on, to, coord, value)
        if joint.angle is not None:
            i, j, angle = self.body(to), self.body(on), self.body_angle(on, to, joint.angle)
            if j == 0:
                self.add(name, "simple", i=i, coord="phi", c=angle)
            else:
                self.add(name, "rel-rot", i=i, j=j, funct=self.function(FunctionA((angle, 0.0, 0.0))))

    def _RollingDisc(self, name, on, to, joint):
        item, i = f"Joint {name!r} (RollingDisc)", self.body(to)
        if self.body(on) != 0 or on.angle != 0.0 or joint.on_radius is not None:
            raise _refused(item, "does not roll on a level line of the ground")
        if i == 0 or np.any(_position(to) != _center(self.source[to.body])):
            raise _refused(item, "has its centre away from the mass centre")
        (x0, y0), R, start = _position(on), joint.radius, self.bodies[i - 1]
        reference = joint.reference
        if reference is None:  # as it stands at the start
            reference = start.r[0] - x0 + R * (start.phi + to.angle)
        self.add(name, "disc", i=i, R=R, x0=x0 + reference, y0=y0, p0=-to.angle)

    # drivers

    def driver(self, name, driver):
        """Add a driver under its name."""
        measure, item = driver.measure, f"Driver {name!r}"
        kind = type(measure).__name__
        if driver.level != "position" or kind not in ("Angle", "Distance"):
            raise _refused(item, f"drives the {driver.level} of {kind}")
        on, to, f = measure.on, measure.to, driver.function
        if kind == "Angle":
            start = self.phi(to) - self.phi(on)
            shift = start if driver.from_assembled else self.body_angle(on, to, f(0.0)[0])
            funct = self.function(_shifted(f, shift - f(0.0)[0]))
            self.add(name, "rel-rot", i=self.body(to), j=self.body(on), funct=funct)
        else:
            Pi, Pj = self.point(to), self.point(on)
            if driver.from_assembled:
                f = _shifted(f, self.distance(Pi, Pj) - f(0.0)[0])
            self.add(name, "rel-tran", Pi=Pi, Pj=Pj, funct=self.function(f))

    def distance(self, Pi, Pj):
        """Distance of two points at the start."""
        return float(np.hypot(*(self._place(Pi) - self._place(Pj))))

    def _place(self, P):
        point = self.points[P - 1]
        body = self.bodies[point.body - 1] if point.body else Body()
        return np.asarray(body.r) + A(body.phi) @ point.s

    # forces

    def gravity(self, gravity):
        """Add the weight of the bodies that feel gravity."""
        if gravity is None or not np.any(gravity):
            return
        g = float(np.linalg.norm(gravity))
        heavy = tuple(self.number[name] for name, body in self.source.items() if body.gravity)
        direction = tuple(float(part) / g for part in gravity[:2])
        self.forces.append(Force("weight", g=g, dir=direction, bodies=heavy, name="gravity"))

    def force(self, name, force):
        """Add a force element under its name."""
        kind = type(force).__name__
        make = getattr(self, f"_{kind}", None)
        if make is None:
            raise _refused(f"Force {name!r} ({kind})", "has no counterpart in the book's force elements")
        self.forces.append(make(name, force))

    def _SpringDamper(self, name, force):
        return Force(
            "ptp", Pi=self.point(force.to), Pj=self.point(force.on), k=force.stiffness, L0=force.rest_length,
            dc=force.damping, f_a=force.actuator, name=name,
        )  # fmt: skip

    def _TorsionSpringDamper(self, name, force):
        # The frames' angle is phi_i - phi_j + offset, so the rest angle of the bodies is smaller by it.  It begins
        # within half a turn, unless the bodies are turned against each other by more, or it is that of a body itself.
        offset = math.remainder(force.to.angle - force.on.angle, TURN)
        turned = self.phi(force.to) - self.phi(force.on)
        if abs(turned) <= TURN and not (offset == 0.0 and 0 in (self.body(force.on), self.body(force.to))):
            offset = math.remainder(turned + offset, TURN) - turned
        theta0 = force.rest_angle - offset
        return Force(
            "rot-sda", i=self.body(force.to), j=self.body(force.on), k=force.stiffness, theta0=theta0,
            dc=force.damping, T_a=force.actuator, name=name,
        )  # fmt: skip

    def _PointForce(self, name, force):
        if force.axes == "world":
            return Force("fP", P=self.point(force.at), f=(force.x, force.y), name=name)
        turned = A(force.at.angle)  # from the axes of the frame to those of the body

        def component(a):
            return lambda t: turned[a] @ vector_at((force.x, force.y), t)

        return Force("fP", P=self.point(force.at), flocal=(component(0), component(1)), name=name)

    def _Torque(self, name, force):
        return Force("T", i=self.body(force.to), j=self.body(force.on), T=force.value, name=name)


def _book_body(name, body, state):
    """Mass centre, angle and their rates of a body or particle, from its frame at the start."""

    def given(quantity, declared, part=None):
        value = declared if declared is None or part is None else declared[part]
        return float(state.get(f"{name}.{quantity}", 0.0 if value is None else value))

    phi = given("angle", body.angle)
    phid = given("angle.rate", body.angular_velocity)
    s = A(phi) @ _center(body)
    r = np.array([given(q, body.position, a) for a, q in enumerate("xy")]) + s
    rd = np.array([given(f"{q}.rate", body.velocity, a) for a, q in enumerate("xy")]) + rot(s) * phid
    # A particle has no angle; here it is a body that nothing turns, and any J > 0 serves.
    J = body.inertia if body.has_angle else 1.0
    return Body(body.mass, J, tuple(r), phi, tuple(rd), phid, name)


def _position(frame):
    """Origin of a frame in its body's axes."""
    return np.asarray(frame.position[:2], dtype=float)


def _center(body):
    return np.asarray(body.center[:2], dtype=float)


def _shifted(f, shift):
    def shifted(t):
        value, rate, acceleration = f(t)
        return value + shift, rate, acceleration

    return shifted


def _refused(item, wrong):
    return DescriptionError(message(item, wrong, remedy="See the table in linkwork.textbook.planar_bridge"))
