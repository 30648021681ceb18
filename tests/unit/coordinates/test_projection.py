"""Projections, in every set of coordinates: what the stage before left behind does not matter."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.numbering import model_of
from linkwork.coordinates import SETS, system_of


def plane(light):
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=0.3, mass=0.0 if light else 1.0))
    coupler = m.add("coupler", lw.bar(length=0.9, mass=2.0))
    rocker = m.add("rocker", lw.bar(length=0.7, mass=3.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(0.8, 0), rocker.a))
    m.add("tie", lw.SpringDamper(crank.b, rocker.b, stiffness=100.0, damping=3.0))
    return m, {"A.angle": 0.7, "A.angle.rate": 2.0}


def space(light):
    m = lw.Mechanism("two hinges", dimension=3)
    one = m.add("one", lw.cylinder(radius=0.02, length=0.4, mass=0.001 if light else 1.0, axis="x"))
    two = m.add("two", lw.cylinder(radius=0.02, length=0.5, mass=2.0, axis="x"))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0.3, 1, 0.2)), one.a))
    m.add("B", lw.Spherical(one.b, two.a))
    m.add("C", lw.Rod(m.ground.at(0.6, -0.2, 0.4), two.b))
    m.add("stop", lw.Limit("A.angle", -0.3, 0.2, stiffness=1e5, damping=5.0))
    return m, {"A.angle": 0.1, "A.angle.rate": 2.0}


@pytest.mark.parametrize("light", [False, True])
@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("made", [plane, space])
def test_nothing_is_left_of_a_stage_that_went_astray(made, coordinates, light):
    """A projection took the forces of the evaluation before times zero, which is nan where they are no numbers."""
    m, start = made(light)
    state = m.assemble(start=start, coordinates="body").state
    system = system_of(model_of(m), coordinates, memory=state.memory)
    exact = np.array(system.from_body(state.y), dtype=float)
    n_q, n_v = system.plan.n_q, system.plan.n_v
    off = exact.copy()
    off[:n_q] += 1e-4 * np.random.default_rng(1).uniform(-1, 1, n_q)
    off[n_q : n_q + n_v] += 0.1 * np.random.default_rng(2).uniform(-1, 1, n_v)
    found = []
    for astray in (exact, 1e160 * (1.0 + exact), np.full(exact.shape, np.inf), np.full(exact.shape, np.nan)):
        system.derivative(0.0, astray.copy())
        y = off.copy()
        system.project(0.0, y)
        found.append((y, system.derivative(0.0, y).copy()))
    for y, slope in found:
        assert np.isfinite(y).all() and np.isfinite(slope).all()
        assert np.array_equal(y, found[0][0]) and np.array_equal(slope, found[0][1])
    assert np.abs(found[0][0] - off).max() > 1e-6
