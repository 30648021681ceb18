"""Rest of four-bars with very light and very heavy bars: in the branch of the start, where the potential is least."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import linkwork as lw
from linkwork.coordinates import SETS

G = 9.81
#: lengths, masses, stiffness and rest length of the spring, its place, tilt of the ground, angle of the crank
CASES = {
    "light rocker": (
        (1.17498, 2.99317, 2.39918, 3.06733), (24.16993, 165.594, 5.96003e-4), (36.746, 1.29139), (-1.0, 3.0),
        2.469711, -0.134305,
    ),
    "heavy coupler": (
        (0.9056782571985108, 3.255468109312162, 2.27209008524665, 3.313744521098317),
        (9.468622980284495e-05, 3.307712694077136, 1.3998186524069237e-4),
        (2.285139507975906, 0.9449830053546542), (4.3254276739498145, 2.793571783049961), 0.4071966558023181,
        2.502249836078028,
    ),
}  # fmt: skip


def pins(lengths, crank):
    """A, B, C, D on ground that is level; C lies to the left of the line from B to D."""
    a, b, c, d = lengths
    B, D = a * np.array([math.cos(crank), math.sin(crank)]), np.array([d, 0.0])
    way = B - D
    apart = math.hypot(*way)
    angle = math.atan2(way[1], way[0]) - math.acos((apart**2 + c**2 - b**2) / (2 * apart * c))
    return np.zeros(2), B, D + c * np.array([math.cos(angle), math.sin(angle)]), D


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("case", CASES)
def test_rest_is_in_the_branch_of_the_start(case, coordinates):
    lengths, masses, (stiffness, rest), spring, tilt, start = CASES[case]
    tilted = np.array([[math.cos(tilt), -math.sin(tilt)], [math.sin(tilt), math.cos(tilt)]])

    def potential(crank):
        A, B, C, D = pins(lengths, crank)
        heights = [(tilted @ (one + two))[1] / 2 for one, two in ((A, B), (B, C), (C, D))]
        return G * np.dot(masses, heights) + 0.5 * stiffness * (np.linalg.norm(C - spring) - rest) ** 2

    m = lw.Mechanism("four-bar")
    for name, length, mass in zip("abc", lengths, masses):
        m.add(name, lw.bar(length=length, mass=mass))
    m.add("A", lw.Revolute(m.ground.at(0, 0, angle=tilt), "a.a"))
    m.add("B", lw.Revolute("a.b", "b.a"))
    m.add("C", lw.Revolute("b.b", "c.b"))
    m.add("D", lw.Revolute(m.ground.at(*(tilted @ [lengths[3], 0.0]), angle=tilt), "c.a"))
    m.add("s", lw.SpringDamper(m.ground.at(*(tilted @ spring)), "c.b", stiffness=stiffness, rest_length=rest))
    *_, C, D = pins(lengths, start)
    rocker = math.atan2(*(C - D)[::-1])
    found = m.equilibrium(start={"A.angle": start}, near={"D.angle": rocker}, coordinates=coordinates)
    crank = found["A.angle"]
    *_, C, D = pins(lengths, crank)
    assert math.remainder(found["D.angle"] - math.atan2(*(C - D)[::-1]), 2 * math.pi) == pytest.approx(0.0, abs=1e-9)
    least = minimize_scalar(potential, bounds=(crank - 0.5, crank + 0.5), method="bounded", options={"xatol": 1e-12})
    assert crank == pytest.approx(least.x, abs=1e-6)
    assert found.stability == "stable"
