"""Chains of bars dropped on stops: finite numbers, or a clear error that carries what was reached; never nan."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AnalysisError

pytestmark = pytest.mark.filterwarnings("ignore::linkwork.errors.RunQualityWarning")


def chain(bars, stiffness, damping=0.0):
    m = lw.Mechanism("chain")
    before = m.ground.at(0, 0)
    for k in range(bars):
        bar = m.add(f"bar{k}", lw.bar(length=0.5, mass=1.0))
        m.add(f"J{k}", lw.Revolute(before, bar.a))
        before = bar.b
    m.add("stop", lw.Limit(lw.WorldOffset(m.ground, before, "y"), lower=-0.2, stiffness=stiffness, damping=damping))
    return m


def finite_or_told(m, coordinates, **options):
    """The run, or what was reached of it; its states and readings are finite, and its times those that were asked."""
    try:
        run = m.simulate(1.0, every=0.05, most_steps=20_000, coordinates=coordinates, **options)
    except AnalysisError as error:
        run = error.result
        assert run is not None, error
        text = str(error)
        assert "inertia" not in text, text
        assert "nan" not in text, text
    last = len(m.bodies) - 1
    for name in (f"bar{last}.x", f"bar{last}.y.rate", f"J{last}.angle", "J0.reaction.x", "stop.force"):
        if len(run.t):
            try:
                assert np.isfinite(run[name]).all(), name
            except AnalysisError as error:  # a reading beyond all numbers is told, not given
                assert "finite" in str(error)
    return run


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("bars", [2, 3, 5])
@pytest.mark.parametrize("stiffness", [1e6, 1e10, 1e14, 1e20])
def test_hard_stops_at_many_tolerances(bars, stiffness, coordinates):
    for rtol in (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8):
        finite_or_told(chain(bars, stiffness), rtol=rtol, coordinates=coordinates)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("seed", range(6))
def test_hard_stops_at_random(seed, coordinates):
    rng = np.random.default_rng(seed)
    for _ in range(6):
        m = chain(int(rng.integers(1, 7)), 10.0 ** rng.uniform(4, 24), 10.0 ** rng.uniform(0, 8) * rng.integers(0, 2))
        method = str(rng.choice(["dop853", "dopri5", "rkc"]))
        finite_or_told(m, rtol=10.0 ** rng.uniform(-9, 1), method=method, coordinates=coordinates)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("step", [1e-3, 1e-2, 0.1, 0.5])
def test_steps_that_are_too_long(step, coordinates):
    for bars in (2, 3):
        finite_or_told(chain(bars, 1e10), method="rk4", step=step, coordinates=coordinates)


def test_a_stop_that_can_be_followed_gives_the_height_back():
    """One bar on a stiff stop without damping comes back to where it fell from: energy is the reference."""
    m = chain(1, 1e6)
    run = m.simulate(1.5, every=0.005, rtol=1e-9, coordinates="body")
    assert run["bar0.b.y"].min() < -0.2
    weight = 1.0 * 9.81
    top = run["bar0.y"][100:].max()  # behind the first bounce
    assert weight * abs(top) < 1e-3  # it started level, at y = 0
    assert math.isfinite(run["stop.force"].max())
