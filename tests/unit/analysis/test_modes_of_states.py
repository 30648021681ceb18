"""Rest and small motions of laws with states of their own, and of drivers that only turn around: by hand."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError

MASS, STIFFNESS, DAMPING = 1.3, 100.0, 2.0


def lift(law, numbers, begin):
    """A mass on a spring, guided upwards, with a law that has one state."""
    m = lw.Mechanism("lift")
    m.add("b", lw.Body(MASS, 1.0))
    m.add("G", lw.Prismatic(m.ground.at(0, 0, angle="90 deg"), "b"))
    m.add("k", lw.SpringDamper(m.ground.at(0, -1), "b", stiffness=STIFFNESS, damping=DAMPING, rest_length=0.7))
    x = m.measure("G.slide")
    m.add("law", lw.UserForce(reads=[x], along=[x], law=law, numbers=numbers, states={"s": begin}))
    return m


def creeping(values, rates, t, numbers, memory, out, states, state_rates):
    """A spring behind a damper: s' = x' - k s / c, force -k s."""
    state_rates[0] = rates[0] - numbers[0] * states[0] / numbers[1]
    out[0] = -numbers[0] * states[0]


def integral(values, rates, t, numbers, memory, out, states, state_rates):
    """A controller: s' = x - goal, force -gain s."""
    state_rates[0] = values[0] - numbers[1]
    out[0] = -numbers[0] * states[0]


def following(values, rates, t, numbers, memory, out, states, state_rates):
    """A valve that follows the position late, in its own unit: s' = (1e5 x - s) / T, force -s A."""
    state_rates[0] = (1e5 * values[0] - states[0]) / numbers[0]
    out[0] = -states[0] * numbers[1]


def motion(to_force, of_place, of_speed, of_itself):
    """Eigenvalues of x'' = -(K x + D x')/m + to_force s,  s' = of_place x + of_speed x' + of_itself s."""
    rows = [[0.0, 1.0, 0.0], [-STIFFNESS / MASS, -DAMPING / MASS, to_force], [of_place, of_speed, of_itself]]
    return sorted((one for one in np.linalg.eigvals(rows) if one.imag >= 0.0), key=abs)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("begin", [0.0, 0.03, -2.0])
def test_a_spring_behind_a_damper_carries_nothing_at_rest(coordinates, begin):
    found = lift(creeping, [500.0, 30.0], begin).equilibrium(start={"G.slide": 0.1}, coordinates=coordinates)
    assert found["G.slide"] == pytest.approx(-0.3 - MASS * 9.81 / STIFFNESS, abs=1e-10)
    assert found["law.s"] == pytest.approx(0.0, abs=1e-10)
    assert [one.eigenvalue for one in found.modes] == pytest.approx(motion(-500 / MASS, 0, 1, -500 / 30), rel=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_state_that_follows_the_position_is_followed(coordinates):
    late, area = 0.3, 2e-3
    found = lift(following, [late, area], 0.0).equilibrium(start={"G.slide": 0.1}, coordinates=coordinates)
    place = (-0.3 * STIFFNESS - MASS * 9.81) / (STIFFNESS + 1e5 * area)
    assert found["G.slide"] == pytest.approx(place, abs=1e-9)
    assert found["law.s"] == pytest.approx(1e5 * place, rel=1e-8)
    wanted = motion(-area / MASS, 1e5 / late, 0.0, -1 / late)
    assert [one.eigenvalue for one in found.modes] == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_controller_that_never_rests_elsewhere(coordinates):
    """Where s' is not 0 nothing rests; where it is, the loop is seen to be unstable."""
    goal, gain = 0.2, 1000.0
    at_rest = -(STIFFNESS * (goal + 0.3) + MASS * 9.81) / gain
    with pytest.raises(AnalysisError, match=r"State 'law\.s' does not come to rest"):
        lift(integral, [gain, goal], at_rest).equilibrium(start={"G.slide": 0.1}, coordinates=coordinates)
    m = lift(integral, [gain, goal], at_rest)
    found = m.modes(m.assemble(start={"G.slide": goal}, coordinates=coordinates), coordinates=coordinates)
    assert [one.eigenvalue for one in found] == pytest.approx(motion(-gain / MASS, 1.0, 0.0, 0.0), rel=1e-7)
    assert found.stability == "unstable"
    moving = lift(integral, [gain, goal], -(STIFFNESS * 0.3 + MASS * 9.81) / gain)
    with pytest.raises(AnalysisError, match="states are not at rest"):
        moving.modes(moving.assemble(start={"G.slide": 0.0}, coordinates=coordinates), coordinates=coordinates)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_driver_that_turns_around_is_not_at_rest(coordinates):
    """At t = 0 cos(5 t) has no speed but an acceleration, which would count as weight."""
    m = lw.Mechanism("shaken")
    m.add("cart", lw.Body(1.0, 1.0))
    m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("G", lw.Prismatic(m.ground.at(0, 0, angle="90 deg"), "cart"))
    m.add("A", lw.Revolute("cart", "rod.a"))
    m.add("shaker", lw.Driver("G.slide", "0.1*cos(5*t)"))
    with pytest.raises(AnalysisError, match=r"moved by 'shaker' at t = 0 s. Got an acceleration of 2.5"):
        m.equilibrium(start={"A.angle": -1.7}, coordinates=coordinates)
    state = m.assemble(start={"A.angle": "-90 deg"}, coordinates=coordinates)
    with pytest.raises(AnalysisError, match=r"an acceleration of 2\.5"):
        m.modes(state, coordinates=coordinates)
