"""Stiff mechanisms that benchmarks and tests run: each function gives (mechanism, what is observed, duration).

They are said in words that version 0.1.0 knows, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import linkwork as lw
from benchmarks import problems

Stiff = tuple[lw.Mechanism, tuple[str, ...], float]


def chain(n: int, k: float, c: float) -> Stiff:
    """Bars from rest along x, torsion springs and dampers between them."""
    m = lw.Mechanism(f"chain {n}")
    links = [
        m.add(f"l{i}", lw.bar(length=1.0, mass=1.0, width=0.1, position=(i + 0.5, 0.0), angle=0.0)) for i in range(n)
    ]
    m.add("p0", lw.Revolute(m.ground.at(0, 0), links[0].a))
    for i in range(1, n):
        m.add(f"p{i}", lw.Revolute(links[i - 1].b, links[i].a))
        m.add(f"s{i}", lw.TorsionSpringDamper(links[i - 1], links[i], stiffness=k, damping=c))
    return m, (f"l{n - 1}.x", f"l{n - 1}.y"), 1.0


def _bushing(value, rate, t, k, c, rest):
    return -k * (value - rest) - c * rate


def a_arm(bushings: bool) -> Stiff:
    """A double A-arm of a car: on pins with a stiff tyre, or on bushings."""
    m = lw.Mechanism("A-arm")
    lower = m.add("lower", lw.Body(2.0, 0.5, position=(0.4398, 0.2512), angle=-0.0367,
                                   points={"q": (-0.24, 0.0), "a": (0.18, 0.0)}))  # fmt: skip
    wheel = m.add("wheel", lw.Body(30.0, 2.5, position=(0.6817, 0.3498), angle=0.0783,
                                   points={"a": (-0.07, -0.1), "b": (-0.1, 0.12)}))  # fmt: skip
    upper = m.add("upper", lw.Body(1.0, 0.5, position=(0.4463, 0.4308), angle=6.5222,
                                   points={"b": (0.13, 0.0), "o": (-0.13, 0.0)}))  # fmt: skip
    for name, ground, point in (("Q", m.ground.at(0.2, 0.26), lower.q), ("O", m.ground.at(0.32, 0.4), upper.o)):
        if bushings:
            for axis in "xy":
                measure = lw.WorldOffset(ground, point, axis)
                m.add(name + axis, lw.UserForce(measure, _bushing, k=1e7, c=2e3, rest=0.0))
        else:
            m.add(name, lw.Revolute(ground, point))
    m.add("A", lw.Revolute(lower.a, wheel.a))
    m.add("B", lw.Revolute(upper.b, wheel.b))
    m.add("strut", lw.SpringDamper(m.ground.at(0.38, 0.43), lower.at(0, 0), stiffness=90e3, rest_length=0.23,
                                   damping=1100.0))  # fmt: skip
    k, c = (5e4, 1e3) if bushings else (5e7, 1e6)
    m.add("tyre", lw.SpringDamper(m.ground.at(0.683, 0), wheel.at(0, 0), stiffness=k, rest_length=0.35, damping=c))
    return m, ("wheel.x", "wheel.y"), 0.5


def friction(value, rate, t, mus, mud, n, vb, vs, kt):
    v = vb - rate
    return n * (mud + (mus - mud) * math.exp(-((abs(v) / vs) ** 2))) * math.tanh(kt * v)


def belt() -> Stiff:
    """A block on a belt with friction that changes its sign within 1e-4 m/s."""
    m = lw.Mechanism("belt")
    b = m.add("block", lw.Body(1.0, 1.0, position=(1.0, 0.2), angle=0.0, velocity=(0.0, 0.0), angular_velocity=0.0))
    m.add("rail", lw.Prismatic(m.ground.at(0, 0.2), b.at(0, 0)))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 0.2), b.at(0, 0), stiffness=10.0, rest_length=0.5))
    m.add("friction", lw.UserForce(lw.WorldOffset(m.ground.at(0, 0), b.at(0, 0), "x"), friction, mus=0.2, mud=0.15,
                                   n=9.81, vb=0.1, vs=0.001, kt=1e4))  # fmt: skip
    return m, ("block.x",), 6.0


def governor() -> Stiff:
    """A05 of the IFToMM library."""
    problem = problems.flyball()
    return problem.mechanism, ("slider.z",), problem.end


#: a mechanism, what is observed, and how long it runs, by name
PROBLEMS: dict[str, Callable[[], Stiff]] = {
    "chain 3, 1e6": lambda: chain(3, 1e6, 1e2),
    "chain 3, 1e8": lambda: chain(3, 1e8, 1e4),
    "chain 50": lambda: chain(50, 1e6, 1e4),
    "A-arm, tyre": lambda: a_arm(False),
    "A-arm, bushings": lambda: a_arm(True),
    "belt": belt,
    "governor": governor,
}
