"""An explicit method and a force with a state that a package outside of Linkwork adds, each in one file."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import integrators
from linkwork.errors import DescriptionError


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_the_method_keeps_its_contract_and_runs_by_name(package, coordinates):
    lw.testing.check_method(package.bogacki.BOGACKI)
    m = lw.gallery.double_pendulum()
    fine = m.simulate(0.5, every=0.05, coordinates=coordinates, rtol=1e-10)
    run = m.simulate(0.5, every=0.05, coordinates=coordinates, method="bogacki", rtol=1e-6)
    assert run.statistics.steps > 2 * fine.statistics.steps
    for name in m.bodies:
        assert run[f"{name}.angle"] == pytest.approx(fine[f"{name}.angle"], abs=1e-3)


def test_a_name_that_is_taken_is_refused(package):
    from dataclasses import replace

    with pytest.raises(DescriptionError, match="Method 'rk4' is there already"):
        integrators.register(replace(package.bogacki.BOGACKI, name="rk4"))
    assert integrators.register(package.bogacki.BOGACKI) is package.bogacki.BOGACKI


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_force_keeps_its_contract(package, dimension):
    lw.testing.check_law(package.maxwell.Maxwell, dimension)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_the_force_creeps_as_it_should(package, coordinates):
    """Pulled at the speed v its tension is c v (1 - exp(-k t / c))."""
    m = lw.Mechanism("creep", gravity=None)
    b = m.add("b", lw.Body(1.0, 1.0, position=(1.0, 0.0), angle=0.0))
    m.add("rail", lw.Prismatic(m.ground, b))
    m.add("rubber", package.maxwell.Maxwell(m.ground.at(0, 0), b.at(0, 0), stiffness="40 N/m", damping=3.0))
    m.add("motor", lw.Driver(lw.Offset(m.ground, b, "x"), "1 + 0.2*t"))
    run = m.simulate(0.5, every=0.01, coordinates=coordinates, rtol=1e-10)
    tension = 3.0 * 0.2 * (1.0 - np.exp(-40.0 * run.t / 3.0))
    assert run["rubber.tension"] == pytest.approx(tension, abs=1e-9)
    assert run["rubber.stretch"] == pytest.approx(tension / 40.0, abs=1e-10)
    assert np.abs(run.energy.balance).max() < 1e-10
