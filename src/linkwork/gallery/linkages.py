"""Pendulums and linkages."""

from __future__ import annotations

import math

import linkwork as lw


def pendulum() -> lw.Mechanism:
    """A bar of 1 m and 1 kg on a pin, let go from the horizontal."""
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0, position=(0.5, 0.0), angle=0.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    return m


def double_pendulum() -> lw.Mechanism:
    """Two bars on two pins, let go from above the horizontal: chaotic after a few seconds."""
    m = lw.Mechanism("double pendulum")
    upper = m.add("upper", lw.bar(length=1.0, mass=1.0, angle="100 deg"))
    lower = m.add("lower", lw.bar(length=0.8, mass=0.6, angle="130 deg"))
    m.add("A", lw.Revolute(m.ground.at(0, 0), upper.a))
    m.add("B", lw.Revolute(upper.b, lower.a))
    return m


def slider_crank() -> lw.Mechanism:
    """Crank, rod and piston of a small engine, the crank turned at 1500 rpm by a motor."""
    m = lw.Mechanism("slider-crank")
    crank = m.add("crank", lw.bar(length=0.05, mass=0.6, angle=0.0))
    rod = m.add("rod", lw.bar(length=0.16, mass=0.45, angle=0.0))
    piston = m.add("piston", lw.plate(width=0.06, height=0.05, mass=0.4, position=(0.05 + 0.16, 0.0), angle=0.0))
    pin = m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, piston.middle))
    m.add("guide", lw.Prismatic(m.ground.at(0, 0), piston.middle))
    m.add("motor", lw.Driver(pin.angle, lw.Polynomial(0.0, 50.0 * math.pi)))
    return m


def four_bar() -> lw.Mechanism:
    """A crank-rocker with a coupler point and a spring on its coupler."""
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0, angle="60 deg"))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0, angle="32.854 deg", points={"tracer": (0.2, 0.9)}))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5, angle="94.125 deg"))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 3), coupler.middle, stiffness=20.0, rest_length=1.0))
    return m


def inverted_slider_crank() -> lw.Mechanism:
    """A crank that moves a slider on a turning arm, set going at pi rad/s.

    Nikravesh, Planar Multibody Dynamics, 2nd ed., example 9.5: one loop, closed by the pin between crank and slider.
    """
    m = lw.Mechanism("inverted slider-crank")
    crank = m.add(
        "crank",
        lw.Body(
            0.2,
            0.004,
            position=(0.2504562859, 0.3030828193),
            angle=6.021385919,
            velocity=(0.08456281711, 0.3155927299),
            angular_velocity=3.141592654,
            points={"o": (-0.104, 0.0), "b": (0.104, 0.0)},
        ),
    )
    arm = m.add(
        "arm",
        lw.Body(
            1.0,
            0.1,
            position=(0.2931023125, 0.06396119463),
            angle=0.2148531757,
            velocity=(-0.09244363142, 0.4236231406),
            angular_velocity=1.44530808,
            points={"q": (-0.3, 0.0), "end": (0.3, 0.0)},
        ),
    )
    slider = m.add(
        "slider",
        lw.Body(
            0.5,
            0.05,
            position=(0.3924873484, 0.08564913551),
            angle=0.2148531757,
            velocity=(0.4444806756, 0.6912738202),
            angular_velocity=1.44530808,
            points={"b": (0.0, 0.195)},
        ),
    )
    m.add("O", lw.Revolute(m.ground.at(0.15, 0.33), crank.o))
    m.add("Q", lw.Revolute(m.ground.at(0, 0), arm.q))
    m.add("guide", lw.Prismatic(arm.q, slider.at(0, 0)))
    m.add("B", lw.Revolute(slider.b, crank.b))
    return m


def six_bar_quick_return() -> lw.Mechanism:
    """A shaper's quick return: slow one way, twice as fast back, the crank driven at one turn a second.

    Masses and inertias of Nikravesh, Planar Multibody Dynamics, 2nd ed., table 15.3; crank 0.1 m, pins 0.2 m apart and
    the slider 0.35 m higher are chosen, so that the stroke is 0.6 m and the two ways take 2/3 and 1/3 of a turn.
    """
    m = lw.Mechanism("six-bar quick return")
    crank = m.add("crank", lw.Body(1.0, 1.0, angle="30 deg", points={"a": (0.1, 0.0)}))
    block = m.add("block", lw.Body(0.3, 0.0003, angle="70.8934 deg"))
    rocker = m.add("rocker", lw.bar(length=0.6, mass=0.2, angle="70.8934 deg"))
    rod = m.add("rod", lw.bar(length=0.6, mass=0.1, angle="1.6185 deg"))
    slider = m.add("slider", lw.Body(0.4, 0.0004, position=(-0.403365, 0.55), angle=0.0))
    pin = m.add("O", lw.Revolute(m.ground.at(0, 0.2), crank.at(0, 0)))
    m.add("A", lw.Revolute(crank.a, block.at(0, 0)))
    m.add("Q", lw.Revolute(m.ground.at(0, 0), rocker.a))
    m.add("rocker_guide", lw.Prismatic(rocker.a, block.at(0, 0)))
    m.add("B", lw.Revolute(rocker.b, rod.b))
    m.add("C", lw.Revolute(rod.a, slider.at(0, 0)))
    m.add("slider_guide", lw.Prismatic(m.ground.at(0, 0.55), slider.at(0, 0)))
    m.add("motor", lw.Driver(pin.angle, lw.Polynomial(math.pi / 6, 2.0 * math.pi)))
    return m


def sliding_pendulum() -> lw.Mechanism:
    """A pendulum on a block that slides and is held by a spring (model SP of Nikravesh's DAP_BC)."""
    m = lw.Mechanism("sliding pendulum")
    block = m.add("block", lw.Body(5.0, 4.0, position=(1.0, 0.2), angle=0.0))
    rod = m.add("rod", lw.Body(2.0, 0.2, position=(1.25, -0.233), angle="30 deg", points={"top": (0.0, 0.5)}))
    m.add("rail", lw.Prismatic(m.ground.at(0, 0.2), block.at(0, 0)))
    m.add("pin", lw.Revolute(rod.top, block.at(0, 0)))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 0.2), block.at(0, 0), stiffness=20.0, rest_length=0.6))
    return m
