"""Mechanisms carried by a driven body: the moving frame's terms against the field formula.

        a = a_O + alpha x r + w x (w x r) + 2 w x v_rel + a_rel

The carrier turns about a fixed axis with a given angle; what slides on it feels the centrifugal, the Euler and the
Coriolis term, each in its own direction.
"""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS

MASS, RADIUS, OUTWARD = 1.7, 0.6, 0.8
RATE, CHANGE = 3.0, 1.5


def carousel(axis):
    """A platform that turns about an axis through the origin, and a block that slides radially on it."""
    m = lw.Mechanism("carousel", dimension=3, gravity=None)
    platform = m.add("platform", lw.box(1.0, 1.0, 0.1, mass=5.0))
    block = m.add("block", lw.box(0.1, 0.2, 0.1, mass=MASS))
    pivot = m.add("pivot", lw.Revolute(m.ground.at(0, 0, 0, axis=axis), platform.at(0, 0, 0, axis=(0, 0, 1))))
    m.add("rail", lw.Prismatic(platform, block))
    m.add("motor", lw.Driver(pivot.angle, lw.Polynomial(0.2, RATE, 0.5 * CHANGE)))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("axis", [(0, 0, 1), (0.3, -0.5, 0.8)])
def test_terms_of_a_turning_frame(axis, coordinates):
    m = carousel(axis)
    state = m.assemble(start={"rail.slide": RADIUS, "rail.slide.rate": OUTWARD}, coordinates=coordinates).state
    ev = m.evaluate(state, coordinates=coordinates)
    # along the rail nothing holds the block: its relative acceleration is the centrifugal one
    assert ev["rail.slide.acceleration"] == pytest.approx(RADIUS * RATE**2, rel=1e-12)
    # across it the rail pushes: Coriolis and Euler
    force = ev.reaction("rail", axes="joint").force
    wanted = [0.0, MASS * (2.0 * RATE * OUTWARD + CHANGE * RADIUS), 0.0]
    np.testing.assert_allclose(force, wanted, atol=1e-10)


@pytest.mark.parametrize("coordinates", SETS)
def test_the_whole_field_at_any_point(coordinates):
    """A block driven along its rail on the turning platform: its acceleration is the field's, term by term."""
    m = carousel((0.3, -0.5, 0.8))
    m.add("slide", lw.Driver(m.joints["rail"].slide, lw.Harmonic(0.2, 4.0, offset=0.6)))
    run = m.simulate(1.0, every=0.1, coordinates=coordinates, rtol=1e-11)
    axis = np.array([0.3, -0.5, 0.8]) / math.sqrt(0.98)
    for k, t in enumerate(run.t):
        w, alpha = (RATE + CHANGE * t) * axis, CHANGE * axis
        r = np.array([run[f"block.{c}"][k] for c in "xyz"])
        out = r / np.linalg.norm(r)
        rate, change = 0.2 * 4.0 * math.cos(4.0 * t), -0.2 * 16.0 * math.sin(4.0 * t)
        field = np.cross(alpha, r) + np.cross(w, np.cross(w, r)) + 2.0 * np.cross(w, rate * out) + change * out
        got = [run[f"block.{c}.acceleration"][k] for c in "xyz"]
        np.testing.assert_allclose(got, field, atol=1e-8)
