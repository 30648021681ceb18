"""Mechanisms that the tests of pictures draw."""

import math
from dataclasses import dataclass
from functools import cache

import linkwork as lw


@cache
def four_bar_run():
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0, points={"tracer": (0.2, 0.9)}))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 3), coupler.middle, stiffness=20, rest_length=1.0))
    near = {"coupler.angle": 0.55, "rocker.angle": 1.65}
    return m.simulate(1.0, every=0.05, start={"A.angle": math.radians(60)}, near=near, coordinates="body")


@cache
def free_body_run():
    m = lw.Mechanism("stone")
    m.add("stone", lw.Particle(1.0, position=(0.0, 0.0), velocity=(1.0, 2.0)))
    return m.simulate(0.2, every=0.1, coordinates="body")


@cache
def slider_crank_run():
    m = lw.Mechanism("slider-crank")
    crank = m.add("crank", lw.bar(length=0.2, mass=1.0))
    rod = m.add("rod", lw.Body(1.5, 0.05, points={"big": (-0.3, 0.0), "small": (0.3, 0.0)}))
    piston = m.add("piston", lw.plate(width=0.16, height=0.12, mass=0.8))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, rod.big))
    m.add("C", lw.Revolute(rod.small, piston.middle))
    m.add("guide", lw.Prismatic(m.ground.at(0, 0), piston.middle))
    m.add("motor", lw.Driver(A.angle, lw.Polynomial(0.6, -10.0)))
    m.add("gas", lw.PointForce(piston.at(0.08, 0), x=-200.0))
    return m.simulate(0.6, every=0.01, near={"rod.angle": -0.2, "piston.x": 0.7}, coordinates="body")


@cache
def gear_run():
    m = lw.Mechanism("gears", gravity=None)
    sun = m.add("sun", lw.disc(radius=0.2, mass=1.0))
    arm = m.add("arm", lw.bar(length=0.35, mass=0.5))
    planet = m.add("planet", lw.Body(0.6, 0.01))
    m.add("S", lw.Revolute(m.ground.at(0, 0), sun.middle))
    m.add("O", lw.Revolute(m.ground.at(0, 0), arm.a))
    m.add("P", lw.Revolute(arm.b, planet.at(0, 0)))
    m.add("mesh", lw.Gear(sun.middle, planet.at(0, 0), 0.2, 0.15))
    m.add("ring", lw.Gear(m.ground.at(0, 0), planet.at(0, 0), 0.5, 0.15, internal=True))
    m.add("drive", lw.Torque(sun, 1.0))
    return m.simulate(0.2, every=0.1, coordinates="body")


def push(value, rate, t, size):
    return -size * value


def wrench(pose, rates, t, numbers, memory, out):
    out[0] = 1.0


@dataclass(frozen=True)
class _OnLine(lw.Joint):
    """A joint of a user's own."""

    def constraints(self):
        return (self.offset("y"),)


@dataclass(frozen=True)
class _Bearing(lw.Revolute):
    """A joint derived from one that has a symbol."""


@dataclass(frozen=True)
class _Wind(lw.Force):
    """A force of a user's own, whose field `at` is no frame and whose `along` is a method."""

    on: lw.Frame
    to: lw.Frame
    at: float = 2.0

    def along(self):
        return (lw.Offset(self.on, self.to, "x"),)

    def parts(self):
        return lw.UserForce(self.along()[0], push, size=self.at).parts()


@dataclass(frozen=True)
class _Nothing(lw.Force):
    """A force of a user's own that has no parts."""

    def parts(self):
        return ()


FORCES = {
    "SpringDamper": lambda on, to: lw.SpringDamper(on, to, **lw.SpringDamper.sample),
    "TorsionSpringDamper": lambda on, to: lw.TorsionSpringDamper(on, to, **lw.TorsionSpringDamper.sample),
    "PointForce": lambda on, to: lw.PointForce(to, x=lw.Harmonic(1.0, 2.0, 1.0), axes="body"),
    "Torque": lambda on, to: lw.Torque(to, -2.0),
    "Limit": lambda on, to: lw.Limit(lw.Angle(on, to), lower="-20 deg", upper=0.9),
    "UserForce": lambda on, to: lw.UserForce(lw.Distance(on, to), push, size=3.0),
    "UserWrench": lambda on, to: lw.UserWrench(to, wrench),
    "own force": _Wind,
}
LIMITS = {
    "one stop": lambda on, to: lw.Limit(lw.Angle(on, to), upper=1.0),
    "several turns": lambda on, to: lw.Limit(lw.Angle(on, to), -9.0, 9.0),
    "direction": lambda on, to: lw.Limit(lw.Direction(on, to), 0.1, 1.0),
    "offset": lambda on, to: lw.Limit(lw.Offset(on, to, "y"), 0.2, 1.0),
    "world": lambda on, to: lw.Limit(lw.WorldOffset(on, to, "x"), lower=0.3),
    "distance": lambda on, to: lw.Limit(lw.Distance(on, to), 0.5, 1.2),
    "sum": lambda on, to: lw.Limit(lw.Sum((2.0, lw.Angle(on, to)), (1.0, lw.Offset(on, to))), 0.5, 1.2),
    "minus": lambda on, to: lw.Limit(lw.Sum((-1.0, lw.Angle(on, to))), 0.5, 1.2),
    "far": lambda on, to: lw.Limit(lw.Offset(on, to, "x"), -500.0, 1e6),
}


def every_kind():
    """One mechanism for every joint and force that exists in the plane, assembled at its declared place."""
    found = {}
    joints = {name: kind for name, kind in lw.Joint.kinds.items() if 2 in kind.dimensions and _is_ours(kind)}
    for name, kind in (joints | {"own joint": _OnLine, "derived joint": _Bearing}).items():
        found[name] = m = lw.Mechanism(name)
        body = m.add("body", lw.Body(1.0, 0.2, position=(0.6, 0.5), angle=0.1))
        m.add("joint", kind(m.ground.at(0, 0), body.at(0.1, 0.0), **kind.sample))
    forces = [name for name, kind in lw.Force.kinds.items()
              if 2 in getattr(kind, "dimensions", (2, 3)) and _is_ours(kind)]  # fmt: skip
    makers = {name: FORCES[name] for name in forces} | FORCES | {f"Limit {name}": make for name, make in LIMITS.items()}
    for name, make in makers.items():
        found[name] = m = lw.Mechanism(name)
        body = m.add("body", lw.plate(0.4, 0.2, 1.0, position=(0.6, 0.5), angle=0.1))
        m.add("force", make(m.ground.at(0, 0), body.at(0.1, 0.0)))
    return found


def _is_ours(kind):
    """Other tests register kinds of their own."""
    return kind.__module__.startswith("linkwork.")
