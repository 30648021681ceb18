"""Forces whose two ends meet: nothing has to be known of a direction where no force acts along it."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import SingularConfigurationError


def particle(dimension=2, x=0.3, **spring):
    m = lw.Mechanism("spring", dimension=dimension, gravity=None)
    position = (x, 0.0) if dimension == 2 else (x, 0.0, 0.0)
    bob = m.add("bob", lw.Particle(mass=2.0, position=position))
    m.add("S", lw.SpringDamper(m.ground, bob, **spring))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 1e-3}])
def test_a_spring_of_rest_length_zero_swings_through_its_end(dimension, coordinates, options):
    run = particle(dimension, stiffness=50.0).simulate(4.0, coordinates=coordinates, **options)
    assert np.abs(run["bob.x"] - 0.3 * np.cos(5.0 * run.t)).max() < 1e-5
    assert np.abs(run.energy.balance).max() < 1e-6
    assert np.isfinite(run["S.tension"]).all()


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_spring_that_starts_where_its_ends_meet(dimension, coordinates):
    m = particle(dimension, x=0.0, stiffness=50.0)
    run = m.simulate(1.0, coordinates=coordinates)
    assert np.abs(run["bob.x"]).max() == 0.0
    assert run["S.tension"] == pytest.approx(np.zeros(len(run.t)))
    run = m.simulate(2.0, start={"bob.x.rate": 1.5}, coordinates=coordinates)
    assert np.abs(run["bob.x"] - 0.3 * np.sin(5.0 * run.t)).max() < 1e-6


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_spring_that_needs_a_direction_names_the_ends(dimension, coordinates):
    m = particle(dimension, x=0.0, stiffness=50.0, rest_length=0.1)
    with pytest.raises(SingularConfigurationError, match=r"Force 'S' has ends that meet at t = 0 s.*ground.*bob"):
        m.simulate(1.0, coordinates=coordinates)
