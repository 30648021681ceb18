"""What functions that are watched read inside of steps is what a state there says, by every name."""

import warnings

import numpy as np
import pytest

import linkwork as lw


def four_bar():
    """A loop with a driver, a spring, a locked joint and one that comes apart."""
    m = lw.gallery.four_bar()
    m.add("motor", lw.Driver("A.angle", "60 deg + 2 rad/s*t"))
    bob = m.add("bob", lw.bar(length=0.6, mass=0.4))
    ball = m.add("ball", lw.Particle(0.3))
    m.add("P", lw.Revolute(bob.a, m["coupler"].middle))
    m.add("R", lw.Rod(bob.b, ball, length=0.8))
    m.add("stick", lw.Event("t", 0.1, then=lw.Lock("P")))
    m.add("snap", lw.Event("t", 0.2, then=lw.Release("R")))
    return m


def rssr():
    """A loop in space, a tree on it, and a floating chain."""
    m = lw.Mechanism("RSSR", dimension=3)
    inertia = (0.1, 0.12, 0.15)
    crank = m.add("crank", lw.Body(1.0, inertia, points={"end": (0.3, 0, 0)}))
    rocker = m.add("rocker", lw.Body(1.2, inertia, points={"end": (0, 0.8, 0)}))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0, 0), crank))
    m.add("B", lw.Revolute(rocker.at(0, 0, 0, axis=(1, 0, 0)), m.ground.at(1.5, 0, 0.3, axis=(1, 0, 0))))
    m.add("rod", lw.Rod(crank.end, rocker.end, length=1.6))
    m.add("motor", lw.Driver(A.angle, lw.Polynomial(0.5, 2.0)))
    arm = m.add("arm", lw.Body(0.5, inertia, center=(0.2, 0.1, 0.0)))
    m.add("S", lw.Spherical(rocker.end, arm))
    one, other = (
        m.add(name, lw.Body(1.0, inertia, position=(3, 0, 0), angular_velocity=(1, 2, 3))) for name in ("one", "other")
    )
    m.add("F", lw.Cylindrical(one.at(0.1, 0, 0), other.at(0, 0.2, 0)))
    m.add("stick", lw.Event("t", 0.1, then=lw.Lock("S")))
    return m


NAMES = {
    four_bar: [
        *(f"{one}.reaction.{part}" for one in "ABCDPR" for part in ("x", "y", "magnitude")),
        *("motor.effort", "energy.kinetic", "A.angle", "P.angle", "P.angle.rate", "R.direction", "R.length.rate", "t"),
        *(
            "coupler.tracer.y",
            "coupler.tracer.y.rate",
            "bob.angle",
            "spring.tension",
            "A.moment",
            "B.angle.acceleration",
        ),
    ],
    rssr: [
        *(f"{one}.reaction.{part}" for one in ("A", "B", "rod", "S", "F") for part in ("x", "y", "z", "magnitude")),
        *("motor.effort", "energy.kinetic", "A.angle", "F.slide", "F.angle.rate", "arm.x", "arm.z.rate"),
        *("arm.angular_velocity.x", "S.moment.z", "arm.cardan.y"),
    ],
}


@pytest.mark.parametrize("constraints", ["projection", "baumgarte"])
@pytest.mark.parametrize(
    ("make", "coordinates"),
    [(four_bar, "body"), (four_bar, "joint"), (four_bar, "point"), (rssr, "body"), (rssr, "joint")],
)
def test_names_are_those_of_the_state(make, coordinates, constraints):
    m, names, seen = make(), NAMES[make], []

    def look(s):
        seen.append(({name: s[name] for name in names}, s._run.live._readers.copy(), s))
        return s["t"]

    m.add("look", lw.Event(look, 0.15))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.errors.MovedWarning)
        run = m.simulate(0.3, coordinates=coordinates, constraints=constraints)
    assert len(run.events) == sum(len(one.then) > 0 for one in m.events.values()) + 1
    quick = {name for _, readers, _ in seen for name, reader in readers.items() if reader is not None}
    slow = [name for name in names if name not in quick and name not in ("t", "spring.tension")]
    if coordinates != "point":  # there, loops of pins are absorbed
        assert not [name for name in slow if "reaction" in name or "effort" in name]
    for found, _, s in seen[:: max(1, len(seen) // 25)]:
        size = max(1.0, *(abs(found[name]) for name in names if "reaction" in name))
        for name in names:
            assert found[name] == pytest.approx(s._state[name], abs=1e-9 * size), (name, s.t)


def test_a_state_that_is_kept_is_read_as_it_was():
    """Later the kernel is elsewhere: what a function has kept is read from its own numbers then."""
    m, kept = lw.gallery.double_pendulum(), []

    def look(s):
        kept.append((s, s["A.angle"], s["energy.kinetic"]))
        return s.t

    m.add("look", lw.Event(look, 5.0))
    m.simulate(0.5, coordinates="joint")
    for s, angle, energy in kept[::7]:
        assert (s["A.angle"], s["energy.kinetic"]) == (pytest.approx(angle, abs=1e-12), pytest.approx(energy, rel=1e-9))
    assert kept[3][0].mode("A") == "held" and kept[3][0].model.mechanism.name == m.name


def test_forces_that_are_not_unique_are_those_of_least_norm():
    """A four-bar in space has three rows too many."""
    m = lw.gallery.four_bar().in_space()
    m.add("motor", lw.Driver("A.angle", "60 deg + 2 rad/s*t"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lw.errors.RedundancyWarning)
        plain = m.simulate(0.5, every=0.01, coordinates="body")
        level = float(np.median(plain["B.reaction.x"]))
        m.add("heavy", lw.Event("B.reaction.x", level))
        run = m.simulate(0.5, every=0.01, coordinates="body")
    assert len(run.events) > 0
    assert [one.before["B.reaction.x"] for one in run.events] == pytest.approx([level] * len(run.events), rel=1e-9)
