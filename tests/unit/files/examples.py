"""Mechanisms and texts that the tests of this folder share."""

import math

import linkwork as lw

FOUR_BAR = """\
linkwork: 1                      # version of the format
name: four-bar
dimension: 2
parameters: {L: 1.0, W: 2*L + 1}
bodies:
  crank:   {shape: bar, length: L, mass: 1.0}
  coupler: {shape: bar, length: W, mass: 2 kg, points: {tracer: [0.2, 40 cm]}}
  rocker:  {shape: bar, length: 2.5, mass: 1.5}
joints:
  A: {type: Revolute, on: {ground: [0, 0]},   to: crank.a}
  B: {type: Revolute, on: crank.b,            to: coupler.a}
  C: {type: Revolute, on: coupler.b,          to: rocker.b}
  D: {type: Revolute, on: {ground: [3.2, 0]}, to: rocker.a}
forces:
  spring: {type: SpringDamper, on: {ground: [0, 3]}, to: coupler.middle, stiffness: 20 N/m, rest_length: 1.0}
analysis: {type: simulate, duration: 10, every: 10 ms, start: {A.angle: 60 deg}, near: {coupler.angle: 30 deg}}
"""


def four_bar():
    m = lw.Mechanism("four-bar", dimension=2)
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0, points={"tracer": (0.2, 0.4)}))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 3), coupler.middle, stiffness=20, rest_length=1.0))
    return m


def bump(value, rate, t, stiffness, damping=0.1):
    return -stiffness * value - damping * rate


def pair(values, rates, t, numbers, memory, out):
    out[0] = -numbers[0] * values[0]


def potential(values, numbers):
    return 0.5 * numbers[0] * values[0] ** 2


def drag(values, rates, t, numbers, memory, out):
    for k in range(3):
        out[k] = -numbers[0] * rates[k]


def swing(t):
    return 0.1 * t * t


def swing_rate(t):
    return 0.2 * t


def stiffening(x):
    return 3.0 * x + x**3


LAWS = {law.__name__: law for law in (bump, pair, potential, drag, swing, swing_rate, stiffening, math.sin, math.cos)}


def two_bodies(dimension=2):
    m = lw.Mechanism("two bodies", dimension=dimension)
    inertia = 0.2 if dimension == 2 else (0.1, 0.2, 0.3)
    m.add("one", lw.Body(1.0, inertia, points={"tip": (0.5, 0.1)}))
    m.add("two", lw.Body(2.0, inertia, center=(0.1, 0.2), position=(1.0, 2.0), velocity=(0.1, -0.1)))
    return m


def everything():
    """One mechanism with every registered joint, force, measure and function, for round trips only."""
    m = two_bodies()
    one, two = m["one"], m["two"]
    m.add("p", lw.Particle(0.5, position=(1.0, 2.0), velocity=(0.1, 0.2), gravity=False))
    on, to = one.at(0.2, 0.1, angle=0.3), two.at(-0.1, 0.3, along=(1.0, 2.0), name="eye")
    for name, kind in lw.Joint.kinds.items():
        if kind.__module__.startswith("linkwork."):
            m.add(f"joint {name}", kind(on, to, **kind.sample))
    m.add("off", lw.Hold(m.ground, one.tip, x=0.3, angle=-2.0, active=False))
    m.add("ring", lw.Gear(one, two, 0.9, 0.3, internal=True))
    m.add("pin", lw.Revolute(m.ground.at(1.0, 2.0), one.tip))
    measures = [
        kind(on, to, **kind.sample)
        for kind in lw.Measure.kinds.values()
        if kind is not lw.Sum and kind.__module__.startswith("linkwork.")
    ]
    measures.append(lw.Sum((2.0, lw.Angle(on, to)), (-1.0, m["pin"].angle)))
    functions = [
        kind(*kind.sample) if isinstance(kind.sample, tuple) else kind(**kind.sample)
        for kind in lw.Function.kinds.values()
        if kind.__module__.startswith("linkwork.")
    ]
    functions += [
        3,
        swing,
        lw.Callable(swing, rate=swing_rate, step=1e-3),
        lw.Expression("2*t"),
        lw.Table((0, 1, 3), (1e-12, 2, 3e20), ends="clamped"),
    ]
    for k, function in enumerate(functions):
        measure = measures[k % len(measures)]
        level = "speed" if measure.rate_only else "position"
        m.add(f"driver{k}", lw.Driver(measure, function, level=level))
    m.add("counted", lw.Driver(m["pin"].angle, 0.0, from_assembled=True, active=False))
    m.add("looked at", lw.Reading(measures[-1]))
    m.add("turn read", lw.Reading(m["pin"].angle))
    for name in ("SpringDamper", "TorsionSpringDamper"):
        kind = lw.Force.kinds[name]
        m.add(f"force {name}", kind(on, to, **kind.sample))
        m.add(f"table {name}", kind(on, to, stiffness=lw.Table((-1, 0, 2), (-3, 0, 9)), actuator=lw.Polynomial(3.0)))
        m.add(f"law {name}", kind(on, to, stiffness=stiffening, actuator=lw.Expression("3")))
        m.add(f"timed {name}", kind(on, to, actuator=lw.Expression("A*sin(t)", {"A": 2.0})))
    m.add("stop", lw.Limit(m["pin"].angle, lower=-1.0, upper="90 deg", stiffness=1e4, damping=0.2))
    m.add("push", lw.PointForce(to, x=lw.Harmonic(2.0, 5.0), y=1.0, axes="body"))
    m.add("turn", lw.Torque(two, swing, on=one))
    m.add("plain turn", lw.Torque(two, 2.5))
    m.add("short", lw.UserForce(m["pin"].angle, bump, stiffness=3.0, energy="stores"))
    m.add(
        "long",
        lw.UserForce(
            reads=[lw.Distance(on, to), lw.Harmonic(1.0, 2.0)],
            along=[lw.Distance(on, to)],
            law=pair,
            numbers=[1.5, 2.5],
            memory=2,
            energy="stores",
            potential=potential,
        ),
    )
    m.add("wrench", lw.UserWrench(to, drag, (0.3,), energy="dissipates"))
    return m


def in_space():
    m = two_bodies(3)
    one, two = m["one"], m["two"]
    m.add(
        "three",
        lw.Body(
            1.0,
            ((1.0, 0.1, 0.0), (0.1, 2.0, 0.0), (0.0, 0.0, 3.0)),
            position=(1, 2, 3),
            orientation=(0.1**0.5, 0.2**0.5, 0.3**0.5, 0.4**0.5),
            angular_velocity=(0.1, 0.2, 0.3),
        ),
    )
    m.add(
        "A", lw.Revolute(m.ground.at(1, 2, 3, axis=(1, 1, 0), along=(0, 0, 1)), one.at(0.1, 0.2, 0.3, axis=(0, 1, 0)))
    )
    m.add("B", lw.Prismatic(one, two.at(along=(0.0, 0.1, 1.0))))
    m.add("d", lw.Driver(lw.Alignment(one, m["three"], "x", "z"), 0.0))
    return m


MECHANISMS = {"four_bar": four_bar, "everything": everything, "in_space": in_space}


def refused(text, **options):
    """The problems of a text that must be refused, as lines without places."""
    try:
        lw.read(text if "\n" in text else text + "\n", **options)
    except lw.errors.FileError as error:
        assert error.problems
        for problem in error.problems:
            assert str(problem) in str(error)
        return [problem.message for problem in error.problems]
    raise AssertionError(f"was read:\n{text}")
