"""Mechanisms that programs are compared on (the IFToMM collection, and chains)."""

from __future__ import annotations

from typing import Any

import linkwork as lw


def n_four_bar(n: int = 5) -> lw.Mechanism:
    """N four-bars in a row: redundant whenever the uprights lie flat (IFToMM A02).

    N + 1 upright bars on the ground are joined at their tops by N bars; all bars are 1 m long with a mass of 1 kg.  The
    tops start at 1 m/s along x.  There is one freedom, and N + 1 for an instant whenever the uprights lie flat.
    """
    m = lw.Mechanism("four-bars in a row")
    uprights: list[Any] = []
    for i in range(n + 1):
        uprights.append(
            m.add(
                f"upright{i}",
                lw.bar(
                    length=1.0, mass=1.0, position=(i, 0.5), angle="90 deg", velocity=(0.5, 0.0), angular_velocity=-1.0
                ),
            )
        )
    tops = [
        m.add(
            f"top{i}",
            lw.bar(length=1.0, mass=1.0, position=(i + 0.5, 1.0), angle=0.0, velocity=(1.0, 0.0), angular_velocity=0.0),
        )
        for i in range(n)
    ]
    for i, upright in enumerate(uprights):
        m.add(f"base{i}", lw.Revolute(m.ground.at(i, 0), upright.a))
    for i, top in enumerate(tops):
        m.add(f"left{i}", lw.Revolute(uprights[i].b, top.a))
        m.add(f"right{i}", lw.Revolute(uprights[i + 1].b, top.b))
    return m


def andrews() -> lw.Mechanism:
    """Andrews' squeezer: seven bodies, ten pins, a spring and a motor; fast and stiff (IFToMM A03).

    Data of Hairer and Wanner, Solving Ordinary Differential Equations II, VI.9.  Every body's frame is at its first
    pin, with the angle that the book's equations use; the angles are those at rest at t = 0.
    """
    m = lw.Mechanism("Andrews' squeezer", gravity=None)
    k1 = m.add("K1", lw.Body(0.04325, 2.194e-6, center=(0.00092, 0.0), angle=-0.06171389001427645))
    k2 = m.add("K2", lw.Body(0.00365, 4.41e-7, center=(-0.0115, 0.0), angle=-0.06171389001427645))
    k3 = m.add("K3", lw.Body(0.02373, 5.255e-6, center=(0.01043, -0.01874), angle=0.4552798191630704))
    k4 = m.add("K4", lw.Body(0.00706, 5.667e-7, center=(0.0, -0.00579), angle=0.7100333697097284))
    k5 = m.add("K5", lw.Body(0.0705, 1.169e-5, center=(0.02308, 0.00916), angle=0.48736497954384255))
    k6 = m.add("K6", lw.Body(0.00706, 5.667e-7, center=(0.00579, 0.0), angle=1.0078790543839333))
    k7 = m.add("K7", lw.Body(0.05498, 1.912e-5, center=(-0.00449, -0.01228), angle=1.2305474445498192))
    m.add("O", lw.Revolute(m.ground.at(0, 0), k1.at(0, 0)))
    m.add("F", lw.Revolute(k1.at(0.007, 0), k2.at(0, 0)))
    m.add("B", lw.Revolute(m.ground.at(-0.03635, 0.03273), k3.at(0, 0)))
    m.add("A5", lw.Revolute(m.ground.at(-0.06934, -0.00227), k5.at(0, 0)))
    m.add("G", lw.Revolute(k5.at(0.04, 0), k4.at(0, 0)))
    m.add("A7", lw.Revolute(m.ground.at(-0.06934, -0.00227), k7.at(0, 0)))
    m.add("H", lw.Revolute(k7.at(0, -0.04), k6.at(0, 0)))
    m.add("E3", lw.Revolute(k2.at(-0.028, 0), k3.at(0, -0.035)))
    m.add("E4", lw.Revolute(k2.at(-0.028, 0), k4.at(0, -0.02)))
    m.add("E6", lw.Revolute(k2.at(-0.028, 0), k6.at(0.02, 0)))
    m.add(
        "spring", lw.SpringDamper(m.ground.at(0.014, 0.072), k3.at(0.02, -0.018), stiffness=4530.0, rest_length=0.07785)
    )
    m.add("motor", lw.Torque(k1, 0.033))
    return m


def spatial_chain(n: int = 10) -> lw.Mechanism:
    """A chain of N links in space, its pins by turns about z and y, let go along x."""
    m = lw.Mechanism("spatial chain", dimension=3, gravity=(0.0, -7.848, -5.886))
    links = [
        m.add(
            f"link{i}",
            lw.bar(
                length=1.0,
                mass=1.0,
                width=0.1,
                depth=0.1,
                position=(i - 0.5, 0.0, 0.0),
                orientation=(1.0, 0.0, 0.0, 0.0),
            ),
        )
        for i in range(1, n + 1)
    ]
    on = m.ground.at(0, 0, 0, axis=(0, 0, 1))
    for i, link in enumerate(links, start=1):
        axis = (0, 0, 1) if i % 2 else (0, 1, 0)
        if i > 1:
            on = links[i - 2].at(0.5, 0, 0, axis=axis)
        m.add(f"pin{i}", lw.Revolute(on, link.at(-0.5, 0, 0, axis=axis)))
    return m
