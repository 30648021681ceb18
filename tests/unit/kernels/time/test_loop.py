"""The time loop: what is not finite is never accepted, and how a run is cut into slices has no part in its numbers."""

import warnings
from importlib import import_module

import numpy as np
import pytest
from benchmarks import problems

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError


def chain_on_a_stop(bars, stiffness, tilt=0.0):
    """A chain that drops from nearly level onto a hard floor, seen from axes that are tilted."""
    c, s = np.cos(tilt), np.sin(tilt)
    m = lw.Mechanism("chain on a stop", gravity=(9.81 * s, -9.81 * c))
    last = m.ground.at(0, 0)
    for k in range(bars):
        bar = m.add(f"bar{k}", lw.bar(length=1.0, mass=1.0))
        m.add(f"J{k}", lw.Revolute(last, bar.a))
        last = bar.b
    height = lw.Offset(m.ground.at(0, 0, angle=tilt), last, "y")
    m.add("floor", lw.Limit(height, lower=-0.5 * bars, stiffness=stiffness))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize(("bars", "stiffness"), [(2, 1e10), (3, 1e12), (5, 1e14)])
def test_hard_stops_at_many_tolerances(bars, stiffness, coordinates):
    """Every number is finite, and the ledger is told where it is off; or there is an error with what was reached."""
    rng = np.random.default_rng(bars)
    for exponent in np.linspace(2.0, 11.0, 14):
        tilt = rng.uniform(-3.0, 3.0)
        m = chain_on_a_stop(bars, stiffness, tilt)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                run = m.simulate(1.0, start={"J0.angle": 0.3 + tilt}, rtol=10.0**-exponent, coordinates=coordinates)
            except AnalysisError as error:
                run = error.result
                assert "inertia" not in str(error)
                assert run is not None
                told = []
        for name in ("bar0.angle", "bar0.angle.rate", "J0.reaction.x"):
            assert np.isfinite(run[name]).all()
        share = abs(run.energy.balance[-1]) / run.energy.in_play
        assert share < 2e-3 or any("energy balance" in str(one.message) for one in told)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_equal_steps_that_are_too_long_are_told_for_what_they_are(coordinates, dimension):
    m = chain_on_a_stop(3, 1e12)
    if dimension == 3:
        m = m.in_space()
    with pytest.raises(AnalysisError, match=r"(leaves all bounds|no longer be met).*step=") as caught:
        m.simulate(20.0, method="rk4", step=0.04, start={"J0.angle": 0.3}, coordinates=coordinates)
    assert np.isfinite(caught.value.result["bar0.x"]).all()
    assert len(caught.value.result.t) > 1


def test_what_has_no_inertia_is_still_told_so():
    m = lw.Mechanism("bare")
    bar = m.add("bar", lw.Body(mass=0.0, inertia=0.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), bar.at(0, 0)))
    with pytest.raises(lw.errors.CompileError, match="inertia"):
        m.simulate(1.0, coordinates="joint")


@pytest.mark.parametrize(
    ("problem", "coordinates", "rtol"),
    [
        (lambda: problems.fourbar(10), "joint", 1e-11),
        (lambda: problems.fourbar(5), "body", 1e-12),
        (problems.bricard, "joint", 1e-8),
        (problems.bricard, "body", 1e-8),
        (lambda: problems.chain_planar(5), "joint", 1e-9),
    ],
)
def test_slices_have_no_part_in_the_numbers(monkeypatch, problem, coordinates, rtol):
    """Slices are cut by the clock; in slices of twenty steps, or of one, a run is what it is in one piece."""
    loop = import_module("linkwork.analysis.run")
    problem = problem()
    found = []
    for tries in (10**7, 20, 1):
        monkeypatch.setattr(loop, "FIRST_SLICE", tries)
        monkeypatch.setattr(loop, "LEAST_SLICE", tries)
        monkeypatch.setattr(loop, "SLICE_SECONDS", 0.0)
        run = problem.mechanism.simulate([0.0, problem.end], coordinates=coordinates, rtol=rtol)
        found.append((run.statistics.steps, run.statistics.rejected, run.final.y))
    assert found[0][:2] == found[1][:2] == found[2][:2]
    assert found[0][0] > 40
    assert np.array_equal(found[0][2], found[1][2])
    assert np.array_equal(found[0][2], found[2][2])


def test_a_long_row_of_four_bars_passes_at_a_tight_tolerance():
    """Counted in slices anew, what is rounding beside a singular position took over ten thousand steps."""
    problem = problems.fourbar(40)
    run = problem.mechanism.simulate([0.0, problem.end], coordinates="joint", rtol=1e-10)
    assert run.statistics.steps < 1000
    assert problem.error(run) < 1e-7
