"""Small cases for kernels that run as plain Python; run as a program it prints their numbers, every digit of them."""

from __future__ import annotations

import json
import sys
import warnings

import numpy as np

import linkwork as lw


def ratchet(values, rates, t, numbers, memory, out):
    """A force that remembers how far it was pushed."""
    memory[0] = max(memory[0], values[0])
    out[0] = -numbers[0] * (values[0] - 0.5 * memory[0]) - 0.1 * rates[0]


def four_bar():
    """A closed loop that a function of time drives, and a law with memory."""
    m = lw.gallery.four_bar()
    x = lw.WorldOffset(m.ground, m["coupler"], "x")
    m.add("ratchet", lw.UserForce(reads=[x], along=[x], law=ratchet, numbers=[3.0], memory=2))
    m.add("push", lw.PointForce(m["coupler"].at(0.1, 0.0), y=lw.Harmonic(0.5, 7.0)))
    return m


def ball():
    """A pendulum in space on a ball, tilted, and a bar on its end."""
    m = lw.Mechanism("ball", dimension=3)
    arm = m.add("arm", lw.box(0.6, 0.2, 0.1, mass=2.0, angular_velocity=(0.5, -1.0, 2.0)))
    bar = m.add("bar", lw.rod(0.5, mass=0.7))
    m.add("A", lw.Spherical(m.ground, arm.at(-0.3, 0.05, 0.0)))
    m.add("B", lw.Revolute(arm.at(0.3, 0.0, 0.0, axis=(0.3, 1.0, 0.2)), bar.at(-0.25, 0.0, 0.0, axis=(0.0, 1.0, 0.1))))
    m.add("spring", lw.SpringDamper(m.ground.at(0.2, 0.1, 0.4), bar.at(0.25, 0.0, 0.0), stiffness=4.0, rest_length=0.3))
    return m


def redundant():
    """A flat four-bar in space: three of its rows follow from the others."""
    m = lw.Mechanism("flat", dimension=3)
    a, b, c = (m.add(name, lw.rod(length, mass=1.0)) for name, length in (("a", 1.0), ("b", 1.5), ("c", 1.2)))
    flat = dict(axis=(0, 1, 0))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, **flat), a.at(-0.5, 0, 0, **flat)))
    m.add("B", lw.Revolute(a.at(0.5, 0, 0, **flat), b.at(-0.75, 0, 0, **flat)))
    m.add("C", lw.Revolute(b.at(0.75, 0, 0, **flat), c.at(0.6, 0, 0, **flat)))
    m.add("D", lw.Revolute(m.ground.at(1.4, 0, 0, **flat), c.at(-0.6, 0, 0, **flat)))
    return m


def light():
    """A bar of hardly any mass between heavy ones: solved for with twice the digits."""
    m = lw.gallery.four_bar()
    m.replace("coupler", lw.bar(length=3.0, mass=1e-9))
    return m


def massless():
    """A coupler without mass, driven: points without regularisation of their own."""
    return lw.gallery.four_bar().with_numbers({"coupler.mass": 0.0})


#: name: mechanism, coordinates, method, duration
CASES = {
    "four-bar, body, dop853": (four_bar, "body", "dop853", 0.1),
    "four-bar, joint, rk4": (four_bar, "joint", "rk4", 0.02),
    "ball, body, rk4": (ball, "body", "rk4", 0.01),
    "ball, joint, dop853": (ball, "joint", "dop853", 0.1),
    "redundant, body, rk4": (redundant, "body", "rk4", 0.01),
    "redundant, joint, dop853": (redundant, "joint", "dop853", 0.05),
    "light, body, rk4": (light, "body", "rk4", 0.01),
    "light, joint, dop853": (light, "joint", "dop853", 0.02),
    "four-bar, point, dop853": (four_bar, "point", "dop853", 0.05),
    "wheels, point, rk4": (lambda: lw.gallery.planetary_gear(), "point", "rk4", 0.02),
    "no mass, point, rk4": (massless, "point", "rk4", 0.01),
    "ball, point, rk4": (ball, "point", "rk4", 0.02),
    "flat, point, rk4": (redundant, "point", "rk4", 0.02),
}


def numbers(name: str) -> list[float]:
    """Last state, memory, accelerations and multipliers of a case, from a state that does not depend on the kernels."""
    build, coordinates, method, duration = CASES[name]
    m = build()
    more = dict(method=method, **({"step": duration / 2} if method == "rk4" else {"rtol": 1e-6}))
    run = m.simulate(duration, coordinates=coordinates, **more)
    return np.concatenate([run.final.y, run.final.memory, run._series.accelerations[-1], run.multipliers[-1]]).tolist()


def overrun(kind: str) -> str:
    """What is said where a kernel reads too far."""
    from linkwork.compiled.numbering import model_of
    from linkwork.coordinates import system_of
    from linkwork.coordinates.door import Door
    from linkwork.kernels import layout as at

    system = system_of(model_of(lw.gallery.four_bar()), "body")
    door = system.door
    table = door.tab.copy()
    if kind == "section":  # one row more than there are: the first number behind a section
        table[at.N_MEASURES] += 1
    elif kind == "vector":  # far outside
        table[at.W_VALUE] = 10**6
    else:  # before its beginning
        table[at.W_VALUE] = -5
    system.door = Door(table, door.p, door.w)
    try:
        system.locate(0.0, np.zeros(system.plan.n_y))
    except IndexError as error:
        return str(error)
    return "nothing"


def main() -> None:
    """Print all numbers, and what is said of overruns."""
    warnings.simplefilter("ignore")
    told = {kind: overrun(kind) for kind in ("section", "vector", "before")} if "--plain" in sys.argv else {}
    print(json.dumps({"cases": {name: numbers(name) for name in CASES}, "overruns": told}))


if __name__ == "__main__":
    main()
