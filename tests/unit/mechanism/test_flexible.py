"""The lumped rod against the beam: deflection under a force, frequencies, damping; wrong use."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DescriptionError, OutOfPlaneError, UnitError

LENGTH, MASS, BENDING = 1.2, 0.9, 25.0


def blade(parts, clamped=True, **options):
    m = lw.Mechanism("blade", gravity=None)
    rod = lw.flexible_rod(m, "blade", LENGTH, MASS, BENDING, parts, **options)
    if clamped:
        m.add("clamp", lw.Fixed(m.ground, rod.a))
    return m, rod


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("parts", [2, 3, 8])
def test_deflection_under_a_force_is_that_of_the_beam(parts, coordinates):
    """F L^3 / (3 E J) for every number of parts."""
    m, rod = blade(parts)
    force = 1e-3  # the search ends at some 1e-11 of the length of the rod, and the end goes by 1e-5 of it
    m.add("push", lw.PointForce(rod.b, y=force))
    rest = m.equilibrium(coordinates=coordinates)
    assert rest.state[f"blade{parts}.b.y"] == pytest.approx(force * LENGTH**3 / (3 * BENDING), rel=1e-6)
    assert rest.stability == "stable"


def test_frequencies_come_to_those_of_the_clamped_beam():
    exact = (
        np.array([1.8751040687, 4.6940911330]) ** 2 * math.sqrt(BENDING / (MASS / LENGTH) / LENGTH**4) / (2 * math.pi)
    )
    off = []
    for parts in (6, 12, 24):
        m, _ = blade(parts)
        found = m.modes(m.assemble(coordinates="joint"), coordinates="joint")
        off.append(np.abs(found.frequencies[:2] / exact - 1.0))
    assert np.all(off[2] < off[1]) and np.all(off[1] < off[0]) and np.all(off[2] < 0.05)


def test_a_free_beam_floats():
    """Two free ends: three motions of a stiff body, then 4.7300^2 sqrt(E J / (rho L^4))."""
    m, rod = blade(24, clamped=False)
    state = m.assemble(start={"blade1.x": 0.0, "blade1.y": 0.0, "blade1.angle": 0.0}, coordinates="joint").state
    found = m.modes(state, coordinates="joint")
    assert found.stability == "indifferent" and sum(one.eigenvalue == 0.0 for one in found) == 3
    exact = 4.7300407449**2 * math.sqrt(BENDING / (MASS / LENGTH) / LENGTH**4) / (2 * math.pi)
    assert found.frequencies[0] == pytest.approx(exact, rel=0.05)
    assert rod.a.body == "blade1" and rod.b.body == "blade24"


def test_damping_grows_with_frequency():
    """Damping over stiffness beta: ratios are beta w / 2."""
    beta = 2e-4
    m, _ = blade(5, damping=beta)
    for mode in m.modes(m.assemble(coordinates="joint"), coordinates="joint"):
        assert mode.damping_ratio == pytest.approx(0.5 * beta * 2 * math.pi * mode.undamped, rel=1e-5)


def test_wrong_use():
    m = lw.Mechanism("blade")
    for parts in (1, 0, 2.5, "eight"):
        with pytest.raises(DescriptionError):
            lw.flexible_rod(m, "rod", 1.0, 1.0, 1.0, parts)
    with pytest.raises(UnitError):
        lw.flexible_rod(m, "rod", "1 kg", 1.0, 1.0)
    with pytest.raises(DescriptionError, match="bending is too small"):
        lw.flexible_rod(m, "rod", 1.0, 1.0, 0.0)
    with pytest.raises(DescriptionError, match="has no mass"):
        lw.flexible_rod(m, "rod", 1.0, 0.0, 1.0)
    with pytest.raises(OutOfPlaneError, match="plane only"):
        lw.flexible_rod(lw.Mechanism("space", dimension=3), "rod", 1.0, 1.0, 1.0)
    assert not m.bodies
