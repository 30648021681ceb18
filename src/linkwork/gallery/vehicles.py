"""Suspensions, a cart, and a gear."""

from __future__ import annotations

import math

import linkwork as lw


def double_a_arm() -> lw.Mechanism:
    """Double A-arm suspension of a quarter car, dropped on its tyre (model AA of Nikravesh's DAP_BC).

    The book's tyre pushes straight up while the wheel is lower than its radius.  Here it is a spring and damper
    between the wheel's centre and the road below it: the wheel starts at its radius and does not rise above it, so
    that the tyre never has to let go; it leans by less than one degree.
    """
    m = lw.Mechanism("double A-arm suspension")
    lower = m.add(
        "lower_arm",
        lw.Body(2.0, 0.5, position=(0.4398, 0.2512), angle=-0.0367, points={"q": (-0.24, 0.0), "a": (0.18, 0.0)}),
    )
    wheel = m.add(
        "wheel",
        lw.Body(
            30.0,
            2.5,
            position=(0.6817, 0.3498),
            angle=0.0783,
            points={"a": (-0.07, -0.1), "b": (-0.1, 0.12), "c": (0.03, 0.0)},
        ),
    )
    upper = m.add(
        "upper_arm",
        lw.Body(1.0, 0.5, position=(0.4463, 0.4308), angle=6.5222, points={"b": (0.13, 0.0), "o": (-0.13, 0.0)}),
    )
    m.add("Q", lw.Revolute(m.ground.at(0.2, 0.26), lower.q))
    m.add("A", lw.Revolute(lower.a, wheel.a))
    m.add("B", lw.Revolute(upper.b, wheel.b))
    m.add("O", lw.Revolute(m.ground.at(0.32, 0.4), upper.o))
    m.add(
        "strut",
        lw.SpringDamper(m.ground.at(0.38, 0.43), lower.at(0, 0), stiffness=90e3, rest_length=0.23, damping=1100.0),
    )
    m.add(
        "tyre", lw.SpringDamper(m.ground.at(0.683, 0), wheel.at(0, 0), stiffness=50e3, rest_length=0.35, damping=1000.0)
    )
    return m


def _tyre() -> lw.Table:
    """Tension against elongation of a tyre of 100 kN/m that can only push.

    The corner at zero is rounded over a centimetre to either side: k h/6 at zero is what the spline itself has there.
    """
    return lw.Table(
        (-0.06, -0.05, -0.04, -0.03, -0.02, -0.01, 0.0, 0.01, 0.02),
        (-6000.0, -5000.0, -4000.0, -3000.0, -2000.0, -1000.0, -166.67, 0.0, 0.0),
    )


def macpherson_a() -> lw.Mechanism:
    """MacPherson suspension of a quarter car with three bodies, dropped on the road (model MP_A of DAP_BC).

    The book's tyre is a Python law that pushes straight up at the wheel's face, with a damper.  Here it is a spring
    between the wheel's centre and the road, with a table that only pushes and without a damper, so that the mechanism
    can be written as a file.
    """
    m = lw.Mechanism("MacPherson suspension A")
    wheel = m.add(
        "wheel",
        lw.Body(
            20.0,
            2.5,
            position=(0.584, 0.3586),
            angle=6.0819,
            points={"a": (0.0, -0.07), "b": (-0.17, 0.25), "c": (0.11, -0.02)},
        ),
    )
    arm = m.add(
        "arm", lw.Body(2.0, 0.5, position=(0.345, 0.29), angle=0.0, points={"q": (-0.225, 0.0), "a": (0.225, 0.0)})
    )
    strut = m.add("strut", lw.Body(0.5, 0.2, position=(0.4528, 0.6862), angle=5.0019, points={"o": (-0.15, 0.0)}))
    m.add("A", lw.Revolute(arm.a, wheel.a))
    m.add("Q", lw.Revolute(m.ground.at(0.12, 0.29), arm.q))
    m.add("O", lw.Revolute(m.ground.at(0.41, 0.83), strut.o))
    m.add("tube", lw.Prismatic(strut.o, wheel.at(-0.17, 0.25, along=(0.47, -0.88))))
    m.add("spring", lw.SpringDamper(m.ground.at(0.41, 0.83), wheel.b, stiffness=20e3, rest_length=0.34, damping=1100.0))
    m.add("tyre", lw.SpringDamper(m.ground.at(0.584, 0), wheel.at(0, 0), stiffness=_tyre(), rest_length=0.3))
    return m


def macpherson_b() -> lw.Mechanism:
    """MacPherson suspension with two bodies, the strut as a pin in a slot (model MP_B of DAP_BC).

    The tyre is the one of `macpherson_a`.
    """
    m = lw.Mechanism("MacPherson suspension B")
    wheel = m.add(
        "wheel",
        lw.Body(
            20.0,
            2.5,
            position=(0.584, 0.3586),
            angle=6.0819,
            points={"a": (0.0, -0.07), "b": (-0.17, 0.25), "c": (0.11, -0.02)},
        ),
    )
    arm = m.add(
        "arm", lw.Body(2.0, 0.5, position=(0.345, 0.29), angle=0.0, points={"q": (-0.225, 0.0), "a": (0.225, 0.0)})
    )
    m.add("A", lw.Revolute(arm.a, wheel.a))
    m.add("strut", lw.PinInSlot(wheel.at(-0.17, 0.25, along=(0.47, -0.88)), m.ground.at(0.41, 0.83)))
    m.add("Q", lw.Revolute(m.ground.at(0.12, 0.29), arm.q))
    m.add("spring", lw.SpringDamper(m.ground.at(0.41, 0.83), wheel.b, stiffness=20e3, rest_length=0.34, damping=1100.0))
    m.add("tyre", lw.SpringDamper(m.ground.at(0.584, 0), wheel.at(0, 0), stiffness=_tyre(), rest_length=0.3))
    return m


def cart() -> lw.Mechanism:
    """A cart on two rolling wheels, the rear one driven at one turn a second (model Cart_A of DAP_BC)."""
    m = lw.Mechanism("cart")
    frame = m.add(
        "frame", lw.Body(20.0, 2.5, position=(0.5, 0.2), angle=0.0, points={"rear": (-0.3, -0.1), "front": (0.3, -0.1)})
    )
    rear = m.add("rear", lw.Body(2.0, 0.5, position=(0.2, 0.1), angle=0.0))
    front = m.add("front", lw.Body(0.5, 0.2, position=(0.8, 0.1), angle=0.0))
    axle = m.add("rear_axle", lw.Revolute(frame.rear, rear.at(0, 0)))
    m.add("front_axle", lw.Revolute(frame.front, front.at(0, 0)))
    m.add("rear_tread", lw.RollingDisc(m.ground.at(0, 0), rear.at(0, 0), radius=0.1, reference=0.2))
    m.add("front_tread", lw.RollingDisc(m.ground.at(0, 0), front.at(0, 0), radius=0.1, reference=0.8))
    m.add("motor", lw.Driver(axle.angle, lw.Polynomial(0.0, -2.0 * math.pi)))
    return m


def planetary_gear() -> lw.Mechanism:
    """A planetary gear with its ring at rest: a torque turns the sun, a damper brakes the carrier."""
    m = lw.Mechanism("planetary gear", gravity=None)
    sun = m.add("sun", lw.disc(radius=0.06, mass=1.5, position=(0.0, 0.0), angle=0.0))
    planet = m.add("planet", lw.disc(radius=0.04, mass=0.7, position=(0.1, 0.0), angle=0.0))
    carrier = m.add("carrier", lw.bar(length=0.1, mass=0.5, position=(0.05, 0.0), angle=0.0))
    m.add("S", lw.Revolute(m.ground.at(0, 0), sun.middle))
    m.add("O", lw.Revolute(m.ground.at(0, 0), carrier.a))
    m.add("P", lw.Revolute(carrier.b, planet.middle))
    m.add("sun_mesh", lw.Gear(sun.middle, planet.middle, on_radius=0.06, to_radius=0.04))
    m.add("ring_mesh", lw.Gear(m.ground.at(0, 0), planet.middle, on_radius=0.14, to_radius=0.04, internal=True))
    m.add("drive", lw.Torque(sun, 2.0))
    m.add("brake", lw.TorsionSpringDamper(m.ground.at(0, 0), carrier.a, damping=0.5))
    return m
