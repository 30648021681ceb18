"""Small cases for kernels that run as plain Python; run as a program it prints their numbers, every digit of them."""

from __future__ import annotations

import json
import math
import sys
import warnings

import numpy as np

import linkwork as lw
from linkwork.mechanism.joints import Joint
from linkwork.mechanism.measures import Measure


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


def thread():
    """A rod of hardly any mass in space, and a stone on its end."""
    m = lw.Mechanism("thread", dimension=3)
    thin = m.add("thin", lw.rod(0.5, mass=1e-9))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0.2)), thin.at(-0.25, 0, 0, axis=(0, 1, 0))))
    stone = m.add("stone", lw.Particle(1.0, position=(0.5, 0.3, -0.4)))
    m.add("string", lw.Rod(thin.at(0.25, 0, 0), stone, length=0.6))
    m.add("wire", lw.Rod(m.ground.at(0, 0, 1), stone, length=1.5))
    return m


def creeping(values, rates, t, numbers, memory, out, states, state_rates):
    """A spring and a damper in a row; the state is the stretch of the spring."""
    tension = numbers[0] * states[0]
    state_rates[0] = rates[0] - tension / numbers[1]
    out[0] = -tension


def stretched(values, numbers, states):
    """What the spring has stored."""
    return 0.5 * numbers[0] * states[0] ** 2


def leaning(value, rate, t, k, c):
    """A stiff law that does not tell its slopes."""
    return -k * value - c * rate


def stiff():
    """Bars on strong torsion springs that tell their slopes, and a law that does not; one has a state of its own."""
    m = lw.Mechanism("stiff")
    bars = [m.add(f"bar{k}", lw.bar(length=1.0, mass=1.0, position=(k + 0.5, 0), angle=0)) for k in range(3)]
    m.add("A0", lw.Revolute(m.ground.at(0, 0), bars[0].a))
    for k in (1, 2):
        m.add(f"A{k}", lw.Revolute(bars[k - 1].b, bars[k].a))
    m.add("spring", lw.TorsionSpringDamper(bars[0], bars[1], stiffness=1e6, damping=1e2))
    m.add("law", lw.UserForce(m["A2"].angle, leaning, k=1e5, c=1e2))
    far = lw.Distance(m.ground.at(0, 2), bars[2].b)
    m.add("rubber", lw.UserForce(reads=[far], along=[far], law=creeping, numbers=[200.0, 3.0], energy="dissipates",
                                 potential=stretched, states={"stretch": 0.0}))  # fmt: skip
    return m


def stiff_pins():
    """Laws along the pins alone, which lie across one step of a tree each."""
    m = stiff()
    m.remove("rubber")
    return m


def stiff_space():
    """The same in space."""
    m = stiff_ball()
    m.remove("strut")
    m.remove("spring")
    return m


def stiff_loop():
    """A closed loop with a stiff spring across it."""
    m = lw.gallery.four_bar()
    m.add("stiff", lw.SpringDamper(m.ground.at(0, 0), m["coupler"].at(0.1, 0), stiffness=1e6, damping=1e3,
                                   rest_length=1.7))  # fmt: skip
    return m


def stiff_ball():
    """Stiff laws in space, along the turning of a pin and across from the ground."""
    m = ball()
    m.add("law", lw.UserForce(m["B"].angle, leaning, k=1e4, c=1e2))
    m.add("strut", lw.SpringDamper(m.ground.at(0.0, 0.6, 0.1), m["arm"].at(0.3, 0.0, 0.0), stiffness=1e5, damping=1e3,
                                   rest_length=0.6))  # fmt: skip
    return m


def swings(dimension):
    """Two bars on pins: one locks and is let go, one comes off; what is watched is of every kind."""
    m = lw.gallery.double_pendulum() if dimension == 2 else ball()
    m.add("turns", lw.Event("B.angle.rate"))
    m.add("stiff", lw.Event("t", 0.02, then=lw.Lock("B")))
    m.add("loose", lw.Event("t", 0.04, then=lw.Release("B")))
    end = m.bodies[list(m.bodies)[-1]]
    m.add("near", lw.Event(lw.Distance(m.ground.at(*[0.5] * dimension), end.at(*[0.0] * dimension)), 0.9))
    m.add("quick", lw.Event("energy.kinetic", 0.5))
    m.add("sum", lw.Event(lambda s: s["B.angle"] - s.t, 0.1))
    m.add("off", lw.Event("t", 0.05, then=lw.Release("B")))
    return m


def measured(dimension):
    """Two bodies that fly, and a force along every measure that there is."""
    m = lw.Mechanism("measures", dimension=dimension)
    if dimension == 2:
        one = m.add("one", lw.Body(1.0, 0.3, position=(0, 0), angle=0.2, velocity=(1, 2), angular_velocity=0.5))
        two = m.add("two", lw.Body(1.5, 0.4, position=(1, 0.3), angle=1.0, velocity=(0, 1), angular_velocity=-0.7))
    else:
        still = dict(orientation=(0.8, 0.0, -0.36, 0.48))
        one = m.add("one", lw.Body(1.0, (0.3, 0.4, 0.5), position=(0, 0, 0), **still, angular_velocity=(0.5, 1, -0.4)))
        two = m.add("two", lw.Body(1.5, (0.4, 0.4, 0.3), position=(1, 0.3, 0.2), velocity=(0, 1, 0.3)))
    own = {name: kind for name, kind in Measure.kinds.items() if kind.__module__.startswith("linkwork.")}
    for name, kind in sorted(own.items()):
        if dimension in kind.dimensions and name != "Sum":
            for axis in "xyz"[:dimension] if kind.sample == {"axis": "y"} else ("",):
                sample = {**kind.sample, **({"axis": axis} if axis else {})}
                frames = one.at(*[0.1] * dimension), two.at(*[-0.2] * dimension)
                m.add(f"{name}{axis}", lw.UserForce(kind(*frames, **sample), leaning, k=2.0, c=0.3))
    return m


def joined():
    """Joints of many kinds one behind the other, driven, and couplings."""
    m = lw.Mechanism("joints", dimension=3)
    last = m.ground.at(0, 0, 0, axis=(0, 1, 0.2))
    for name in ("Screw", "Universal", "Cylindrical", "Fixed", "Prismatic", "Planar"):
        body = m.add(name.lower(), lw.box(0.4, 0.2, 0.1, mass=1.0))
        m.add(name, Joint.kinds[name](last, body.at(-0.2, 0, 0, axis=(0.1, 1, 0)), **Joint.kinds[name].sample))
        last = body.at(0.2, 0, 0.1, axis=(1, 0.2, 0.5))
    m.add("motor", lw.Driver(m["Cylindrical"].angle, lw.Harmonic(0.5, 2.0), from_assembled=True))
    return m


def guided():
    """Guides and wheels in the plane: closed by rows that no tree has."""
    m = lw.gallery.inverted_slider_crank()
    wheel = m.add("wheel", lw.disc(0.3, mass=1.0, position=(4.0, 0.3)))
    m.add("rolls", lw.RollingDisc(m.ground.at(0, 0), wheel.at(0, 0), radius=0.3))
    skate = m.add("skate", lw.Body(1.0, 0.2, position=(5.0, 2.0), angle=0.4, velocity=(math.cos(0.4), math.sin(0.4))))
    m.add("edge", lw.KnifeEdge(m.ground.at(0, 0), skate.at(0, 0)))
    return m


class Squared(lw.Measure):
    """A measure that is a function, with a memory of its own."""

    memory = "parameter"

    @staticmethod
    def plane(seen, numbers, memory):
        """Value, bias and gradient of half the square of a distance."""
        memory[0] = memory[0] + seen.x
        value = 0.5 * (seen.x * seen.x + seen.y * seen.y)
        return value, seen.vx * seen.vx + seen.vy * seen.vy, (seen.x, seen.y, 0.0)

    @staticmethod
    def space(seen, numbers, memory):
        """The same in space."""
        memory[0] = memory[0] + seen.x
        value = 0.5 * (seen.x * seen.x + seen.y * seen.y + seen.z * seen.z)
        bias = seen.vx * seen.vx + seen.vy * seen.vy + seen.vz * seen.vz
        return value, bias, (seen.x, seen.y, seen.z, 0.0, 0.0, 0.0)


def counted(values, rates, t, numbers, memory):
    """What a law does when a step is accepted."""
    memory[0] += 1.0


def counting(values, rates, t, numbers, memory, out):
    """A force that weakens from step to step."""
    out[0] = -numbers[0] * values[0] / (1.0 + memory[0])


def own(dimension):
    """A measure of the user, along which a law acts that counts its steps."""
    m = measured(dimension)
    for name in [name for name in m.forces if name != "Distance"]:
        m.remove(name)
    ends = m["one"].at(*[0.1] * dimension), m["two"].at(*[0.0] * dimension)
    m.add("own", lw.UserForce(reads=[Squared(*ends)], along=[Squared(*ends)], law=counting, accept=counted,
                              numbers=[2.0], memory=1))  # fmt: skip
    return m


def parallelogram():
    """A parallelogram that begins where two ways cross."""
    m = lw.Mechanism("flat parallelogram")
    a, b, c = (m.add(name, lw.bar(length=length, mass=1.0)) for name, length in (("a", 1.0), ("b", 2.0), ("c", 1.0)))
    m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, c.b))
    m.add("D", lw.Revolute(m.ground.at(2.0, 0.0), c.a))
    return m


def sign(value, rate, t, force):
    """Friction that changes its sign at once."""
    return -force if rate > 0.0 else force


def rubbing():
    """A block on a spring, rubbed by a law that jumps."""
    m = lw.Mechanism("block", gravity=None)
    one = m.add("one", lw.Particle(1.0, position=(0, 0), velocity=(1, 0)))
    m.add("rail", lw.PinInSlot(m.ground.at(0, 0), one.at(0, 0)))
    m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), one.at(0, 0), stiffness=50.0, rest_length=1.0))
    m.add("rub", lw.UserForce(lw.WorldOffset(m.ground.at(0, 0), one.at(0, 0), "x"), sign, force=3.0))
    return m


def stopped():
    """A block that runs into a stop: a force with a corner."""
    m = rubbing()
    m.remove("rub")
    m.add("stop", lw.Limit("one.x", -0.05, 0.06, stiffness=1e5, damping=0.2))
    return m


def moved(build, coordinates, method, duration, **options):
    """Last state, memory, accelerations and multipliers of a run, and the times of what happened in it."""
    more = {"step": duration} if method == "rk4" else {"rtol": 1e-6}
    run = build().simulate(duration, coordinates=coordinates, method=method, **{**more, **options})
    last = [run.final.y, run.final.memory, run._series.accelerations[-1], run.multipliers[-1]]
    return np.concatenate([*last, [one.t for one in run.events]])


def followed(m, over, **options):
    """All that is stored of a path of a mechanism that is moved."""
    stored = m.kinematics(over=over, **options).stored()
    return np.concatenate([one.ravel() for one in stored.values() if one.dtype == float])


def prepared():
    """Runs with another stiffness, another mass and another length, which are written to their places."""
    m, found = lw.gallery.four_bar(), []
    other = [{"spring.stiffness": 12.0}, {"spring.stiffness": 17.0}, {"crank.mass": 1.1}, {"crank.mass": 1.7}]
    fits = m.with_numbers({"crank.length": 1.01}).assemble(start={"A.angle": 1.0}, coordinates="body").state
    for coordinates in ("joint", "body"):
        ready = m.prepare(0.02, start={"A.angle": 1.0}, rtol=1e-6, coordinates=coordinates)
        found += [ready(numbers=one).final.y for one in other]
        found += [ready(fits, numbers={"crank.length": 1.01}).final.y for _ in range(2)]
        assert all(ready._programs.values()), "other numbers have gone the general way"
    return np.concatenate(found)


def swept():
    """Designs one after the other, the quick way once it is there."""
    m, varied = lw.gallery.pendulum(), {"rod.mass": np.linspace(1.0, 2.0, 16)}
    found = m.sweep(varied, times=0.01, every=0.005, read=["A.angle"], progress=False)
    assert m.compile()._swept, "all designs have gone the general way"
    return found["A.angle"].values.ravel()


#: name: mechanism, coordinates, method, duration
RUNS = {
    "four-bar, body, dop853": (four_bar, "body", "dop853", 0.1),
    "four-bar, joint, rk4": (four_bar, "joint", "rk4", 0.02),
    "ball, body, rk4": (ball, "body", "rk4", 0.01),
    "ball, joint, dop853": (ball, "joint", "dop853", 0.1),
    "redundant, body, rk4": (redundant, "body", "rk4", 0.01),
    "redundant, joint, dop853": (redundant, "joint", "dop853", 0.05),
    "light, body, rk4": (light, "body", "rk4", 0.01),
    "light, joint, dop853": (light, "joint", "dop853", 0.02),
    "thread, body, rk4": (thread, "body", "rk4", 0.002),
    "thread, joint, rk4": (thread, "joint", "rk4", 0.002),
    "four-bar, point, dop853": (four_bar, "point", "dop853", 0.05),
    "wheels, point, rk4": (lambda: lw.gallery.planetary_gear(), "point", "rk4", 0.02),
    "no mass, point, rk4": (massless, "point", "rk4", 0.01),
    "ball, point, rk4": (ball, "point", "rk4", 0.02),
    "flat, point, rk4": (redundant, "point", "rk4", 0.02),
    "stiff, body, radau": (stiff, "body", "radau", 0.01),
    "stiff, joint, radau": (stiff, "joint", "radau", 0.01),
    "stiff, joint, radau_soft": (stiff_pins, "joint", "radau_soft", 0.01),
    "stiff, joint, auto": (stiff_pins, "joint", "auto", 0.1),
    "stiff loop, body, radau_soft": (stiff_loop, "body", "radau_soft", 0.01),
    "stiff ball, joint, radau": (stiff_ball, "joint", "radau", 0.005),
    "stiff ball, joint, radau_soft": (stiff_space, "joint", "radau_soft", 0.005),
    "stiff, joint, rkc": (stiff, "joint", "rkc", 0.001),
    "events, joint, dop853": (lambda: swings(2), "joint", "dop853", 0.08),
    "events, body, radau": (lambda: swings(2), "body", "radau", 0.08),
    "events in space, body, dop853": (lambda: swings(3), "body", "dop853", 0.06),
    "measures, body, rk4": (lambda: measured(2), "body", "rk4", 0.02),
    "measures in space, body, rk4": (lambda: measured(3), "body", "rk4", 0.02),
    "joints, joint, rk4": (joined, "joint", "rk4", 0.01),
    "guides, body, rk4": (guided, "body", "rk4", 0.01),
    "guides, joint, rk4": (guided, "joint", "rk4", 0.01),
    "own, body, dop853": (lambda: own(2), "body", "dop853", 0.1),
    "own in space, joint, dop853": (lambda: own(3), "joint", "dop853", 0.05),
    "jumps, joint, dopri5": (rubbing, "joint", "dopri5", 0.5),
    "stop, body, dop853": (stopped, "body", "dop853", 0.1),
}

#: cases by name
CASES = {
    **{name: lambda run=run: moved(*run) for name, run in RUNS.items()},
    "crossing": lambda: moved(
        parallelogram, "body", "dop853", 0.02, start={"A.angle": 0.0, "A.angle.rate": 1.0, "B.angle.rate": -1.0}
    ),
    "towards a crossing": lambda: moved(
        parallelogram, "joint", "dop853", 0.15, start={"A.angle": -0.1, "A.angle.rate": 1.0}, near={"b.angle": 0.0}
    ),
    "prepared": prepared,
    "four-bar, baumgarte": lambda: moved(four_bar, "body", "dop853", 0.1, constraints="baumgarte"),
    "path": lambda: followed(lw.gallery.four_bar(), {"A.angle": ("60 deg", "70 deg", 4)}),
    "path that turns round": lambda: followed(lw.gallery.four_bar(), {"D.angle": (2.2, 2.6, 4)}, reverse=True),
    "sweep": swept,
}


def numbers(name: str) -> list[float]:
    """The numbers of a case, which begins where no kernel is asked."""
    return np.asarray(CASES[name](), dtype=float).tolist()


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
