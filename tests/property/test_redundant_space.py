"""Mechanisms of space with redundant rows run in every set wherever they stand, and move alike."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import linkwork as lw
from linkwork.analysis.entering import enter
from property.draws import examples
from property.redundant import REDUNDANT, shaft

SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("name", REDUNDANT)
@given(SEEDS)
@examples(8)
def test_sets_agree_wherever_it_stands(name, seed):
    make, redundant = REDUNDANT[name]
    m, start = make(np.random.default_rng(seed))
    report = m.check(start=start, coordinates="joint")
    assert report.redundant == redundant
    found = m.verify(0.5, every=0.1, start=start)
    assert found.agree and not found.left_out, str(found)
    for one in m.joints:
        for other in ("joint", "point"):
            assert (
                found.runs[other].reaction(one).unique_components == found.runs["body"].reaction(one).unique_components
            )


@pytest.mark.parametrize("name", REDUNDANT)
@given(SEEDS)
@examples(8)
def test_each_set_drops_as_many_rows_as_there_are_too_many(name, seed):
    """A row that the tree meets by itself is rounding there, and no constraint."""
    make, redundant = REDUNDANT[name]
    m, start = make(np.random.default_rng(seed))
    state = m.assemble(start=start, coordinates="joint").state
    for coordinates in ("body", "joint"):
        system = enter(state.model, coordinates, state)[0]
        assert np.count_nonzero(system.held == 0.0) == redundant, coordinates


@pytest.mark.parametrize("rtol", [1e-4, 1e-7, 1e-10])
@given(SEEDS)
@examples(8)
def test_shaft_speeds_up_with_its_torque(rtol, seed):
    """In the weight of a mass centre beside the axis:  J w^2 / 2 = J w0^2 / 2 + torque * angle + weight * fall."""
    m, start = shaft(np.random.default_rng(seed))
    for coordinates in ("body", "joint", "point", "auto"):
        run = m.simulate(1.0, every=0.25, start=start, coordinates=coordinates, rtol=rtol)
        about = 0.31 + 1.0 * 0.1**2
        angle = run["A.angle"] - run["A.angle"][0]
        fall = -(run["energy.potential"] - run["energy.potential"][0])
        wanted = np.sqrt(2.0**2 + 2.0 * (3.0 * angle + fall) / about)
        np.testing.assert_allclose(run["A.angle.rate"], wanted, rtol=100 * rtol + 1e-12)


@pytest.mark.parametrize("degrees", range(1, 90, 4))
def test_inclined_shaft_in_two_bearings(degrees):
    """Mass centre on the axis:  w = torque / J * t,  at every inclination."""
    slope = math.radians(degrees)
    way = (math.sin(slope), 0.0, math.cos(slope))
    m = lw.Mechanism("inclined shaft", dimension=3)
    body = m.add("shaft", lw.Body(2.0, (0.1, 0.1, 0.02)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=way), body.at(0, 0, -0.5)))
    m.add("B", lw.Cylindrical(m.ground.at(*way, axis=way), body.at(0, 0, 0.5)))
    m.add("motor", lw.Torque(body.at(0, 0, 0), 1.0))
    for coordinates in ("body", "joint", "point", "auto"):
        options = (
            {"rtol": 1e-10} if coordinates == "point" else {}
        )  # unit vectors go round, where an angle goes straight
        run = m.simulate(1.0, coordinates=coordinates, **options)
        assert run["A.angle.rate"][-1] == pytest.approx(1.0 / 0.02, rel=1e-9)
        assert run["A.angle"][-1] - run["A.angle"][0] == pytest.approx(0.5 / 0.02, rel=1e-9)
