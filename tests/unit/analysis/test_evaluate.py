"""Evaluations next to singular positions: right, or doubted aloud."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import RunQualityWarning


def nearly_dead(angle, inertia=1 / 12):
    """A crank that is driven, with 1 rad/s^2; rod and rocker are in line but for an angle. All motion is prescribed."""
    m = lw.Mechanism("nearly dead")
    crank = m.add("crank", lw.bar(length=0.3, mass=1.0, position=(0.15, 0.0), angle=0.0))
    cos, sin, ends = math.cos(angle), math.sin(angle), {"a": (-0.5, 0.0), "b": (0.5, 0.0)}
    rod = m.add("rod", lw.Body(1.0, inertia, points=ends, position=(0.3 + 0.5 * cos, 0.5 * sin), angle=angle))
    rocker = m.add("rocker", lw.Body(1.0, inertia, points=ends, position=(0.3 + 1.5 * cos, 0.5 * sin), angle=-angle))
    pin = m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("C", lw.Revolute(rod.b, rocker.a))
    m.add("D", lw.Revolute(m.ground.at(0.3 + 2.0 * cos, 0.0), rocker.b))
    m.add("motor", lw.Driver(pin.angle, lw.Polynomial(0.0, 1e-3, 0.5)))
    return m


def wanted(evaluation):
    """Accelerations by the rows alone, which are as many as coordinates: numpy in plain double, cond(J) is 1/angle."""
    return np.linalg.solve(evaluation.jacobian, evaluation.acceleration_rhs)


@pytest.mark.parametrize("inertia", [1 / 12, 0.0])
@pytest.mark.parametrize("angle", [1e-2, 1e-3, 3e-4, 1e-4, 5e-5])
@pytest.mark.parametrize("coordinates", SETS)
def test_accelerations_near_a_dead_centre(coordinates, angle, inertia):
    """Pivots are angle^2: 2e-9 at the last. With twenty refinements accelerations were off by 0.17, untold."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = nearly_dead(angle, inertia).evaluate(coordinates=coordinates)
    a = wanted(found)
    assert np.abs(found.accelerations - a).max() <= 1e-6 * np.abs(a).max()


@pytest.mark.parametrize("angle", [1e-5, 1e-6])
@pytest.mark.parametrize("coordinates", SETS)
def test_accelerations_at_a_dead_centre_are_doubted(coordinates, angle):
    """So near that the regularisation stays, and gravity bends rod and rocker that the crank still moves."""
    with pytest.warns(RunQualityWarning, match="'nearly dead' is so near to a singular position here") as told:
        found = nearly_dead(angle).evaluate(coordinates=coordinates)
    a = wanted(found)
    assert np.abs(found.accelerations - a).max() > np.abs(a).max()  # else there is nothing to doubt
    assert len(told) == 1 and "off by as much as they are, or more" in str(told[0].message)


@pytest.mark.parametrize("coordinates", SETS)
def test_redundant_rows_are_no_doubt(coordinates):
    """A parallelogram of three cranks has a row too many everywhere, and its accelerations are known."""
    m = lw.Mechanism("three cranks")
    beam = m.add("beam", lw.bar(length=2.0, mass=1.0, position=(1.0 + math.cos(1.0), math.sin(1.0)), angle=0.0))
    for k in range(3):
        place = (k + 0.5 * math.cos(1.0), 0.5 * math.sin(1.0))
        crank = m.add(f"crank{k}", lw.bar(length=1.0, mass=1.0, position=place, angle=1.0))
        m.add(f"foot{k}", lw.Revolute(m.ground.at(k, 0), crank.a))
        m.add(f"head{k}", lw.Revolute(crank.b, beam.at(k - 1.0, 0)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", RunQualityWarning)
        found = m.evaluate(coordinates=coordinates)
    # (3 m l^2/3 + m l^2) phi'' = -(3/2 + 1) m g l cos phi
    assert found["crank0.angle.acceleration"] == pytest.approx(-2.5 * 9.81 * math.cos(1.0) / 2.0, rel=1e-9)
