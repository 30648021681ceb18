"""The work of a driver, which moves all there is, against the energy that it gives."""

import numpy as np
import pytest

import linkwork as lw


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("method", ["dop853", "dopri5"])
@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10])
def test_an_arm_lifted_by_a_smooth_step(coordinates, method, rtol):
    """At rest again after 2 s: the driver has lifted the mass centre by half a length."""
    m = lw.Mechanism("arm")
    arm = m.add("arm", lw.bar(length=1.0, mass=10.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), arm.a))
    m.add("D", lw.Driver(m["A"].angle, lw.SmoothStep(0, 0, 2.0, "90 deg")))
    run = m.simulate(3.0, every=0.1, coordinates=coordinates, method=method, rtol=rtol)
    lifted = 10.0 * 9.81 * 0.5
    assert run.energy.supplied[-1] == pytest.approx(lifted, abs=1000.0 * rtol * lifted)
    assert np.abs(run.energy.balance).max() < 1000.0 * rtol * lifted
