"""Rows that contradict each other are told when they do, and rounding is not taken for it."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AssemblyError


def quarter_car(mass, stiffness, damping, height, begin):
    """A wheel on a tyre over a road that is a particle, driven by a smooth step."""
    m = lw.Mechanism("quarter car")
    road = m.add("road", lw.Particle(mass, position=(0.0, 0.0)))
    wheel = m.add("wheel", lw.Particle(1.0, position=(0.0, 0.5)))
    m.add("Hx", lw.Hold(m.ground, road, x=0.0))
    m.add("Hw", lw.Hold(m.ground, wheel, x=0.0))
    up = lw.WorldOffset(m.ground, road, "y")
    m.add("D", lw.Driver(up, f"smoothstep(t, {begin}, 0, {begin + 0.5}, {height})"))
    m.add("tyre", lw.SpringDamper(road, wheel, stiffness=stiffness, rest_length=0.4, damping=damping))
    return m


@pytest.mark.parametrize("seed", range(24))
def test_a_driven_road_without_mass(seed):
    """The road is driven, so its mass makes no difference to the wheel."""
    rng = np.random.default_rng(seed)
    numbers = (
        10 ** rng.uniform(2, 6),
        rng.choice([0.0, 10 ** rng.uniform(-1, 2)]),
        10 ** rng.uniform(-5, -1),
        rng.uniform(0.0, 1.0),
    )
    without, with_mass = (
        quarter_car(mass, *numbers).simulate(1.2, every=0.1, coordinates="body", rtol=1e-9) for mass in (0.0, 1.0)
    )
    assert without["wheel.y"] == pytest.approx(with_mass["wheel.y"], abs=1e-6)
    # the spring pulls the road up by what the driver holds down; the weight of the road is the difference
    weight = with_mass["D.effort"] - without["D.effort"]
    assert weight[0] == pytest.approx(9.81, rel=1e-6)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("after", ["0.1*max(0, t-0.5)^3", "0.1*max(0, t-0.5)^4", "0.01*max(0, t-0.5)^3"])
def test_drivers_that_part_are_told_when_they_part(after, coordinates):
    m = lw.Mechanism("crank")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("one", lw.Driver(m["A"].angle, "0.3 + t"))
    m.add("two", lw.Driver(lw.Angle(m.ground, crank.at(0.2, 0.1)), f"0.3 + t + {after}"))
    with pytest.raises(AssemblyError, match="contradict each other at t = ") as caught:
        m.simulate(2.0, coordinates=coordinates)
    assert 0.5 <= caught.value.result.t[-1] + 0.011 and caught.value.result.t[-1] < 0.75
