"""A stop that a run begins behind, a turn away from where it would not act, is told."""

import math
import warnings

import pytest

import linkwork as lw
from linkwork.errors import RunQualityWarning


def hinged(lower, upper):
    m = lw.Mechanism("hinge", gravity=None)
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), bar.a))
    m.add("stop", lw.Limit(m["A"].angle, lower=lower, upper=upper, stiffness=1e3))
    return m


@pytest.mark.parametrize("angle", [-math.pi + 0.1, math.pi + 0.1])
def test_a_full_turn_away_is_told(angle):
    lower, upper = (3.0, 4.0) if angle < 0 else (-3.5, -2.5)
    with pytest.warns(RunQualityWarning, match="Force 'stop' is a stop that the run begins behind, a full turn away"):
        hinged(lower, upper).simulate(0.01, start={"A.angle": angle}, coordinates="joint")


@pytest.mark.parametrize("angle", [0.2, 0.7])
def test_inside_and_plainly_behind_nothing_is_told(angle):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hinged(-0.5, 0.5).simulate(0.01, start={"A.angle": angle}, coordinates="joint")
