"""The benchmark problems against their published answers, in every set of coordinates.

An error is the largest difference over all that is observed: places in metres, which is also in lengths of a
bar (all bars are 1 m long), and for the squeezer its seven angles in radians, modulo 2 pi.  References and
their sources, are in `benchmarks/references.py`.
"""

import math

import numpy as np
import pytest
from benchmarks import problems, references
from scipy.integrate import solve_ivp

from linkwork.coordinates import SETS


def end_error(problem, coordinates="body", **options):
    """Error at the end of a run, where the reference is given."""
    run = problem.mechanism.simulate([0.0, problem.end], coordinates=coordinates, **options)
    assert run.t[-1] == problem.end
    return problem.error(run)


# -- against the published end values ----------------------------------------------------------------------

PUBLISHED = {
    "pendulum A01": problems.pendulum,
    "double pendulum": problems.double_pendulum,
    "Andrews A03": problems.andrews,
    **{f"planar chain {n}": lambda n=n: problems.chain_planar(n) for n in references.CHAIN_PLANAR},
    **{f"spatial chain {n}": lambda n=n: problems.chain_spatial(n) for n in references.CHAIN_SPATIAL},
}


@pytest.mark.parametrize(("name", "coordinates"), [(name, one) for name in PUBLISHED for one in SETS])
def test_published_end_value(name, coordinates):
    assert end_error(PUBLISHED[name](), coordinates, rtol=1e-10) < 1e-8


@pytest.mark.parametrize("coordinates", SETS)
def test_bricard_with_its_redundant_row(coordinates):
    """A04: to what the two references agree to."""
    problem = problems.bricard()
    assert end_error(problem, coordinates, rtol=1e-10) < problem.reference.agree
    report = problem.mechanism.check(coordinates=coordinates)
    assert (report.freedom, report.redundant) == (1, 1)


@pytest.mark.parametrize("coordinates", SETS)
def test_flyball_governor(coordinates):
    """A05 is stiff, so that stability decides explicit steps and the error is far below the tolerance: it is no more
    than what the two references agree to.  Radau takes it within the tolerance."""
    problem = problems.flyball()
    assert end_error(problem, coordinates, rtol=1e-6, method="dop853") < problem.reference.agree
    assert end_error(problem, coordinates, rtol=1e-6, method="radau") < 2e-6
    assert end_error(problem, coordinates, rtol=1e-9) < 1e-8


@pytest.mark.parametrize("method", ["dopri5", "rk4"])
def test_other_methods_reach_the_published_end_value(method):
    problem = problems.double_pendulum()
    assert end_error(problem, method=method, rtol=1e-11, step=2e-4 if method == "rk4" else None) < 1e-8


# -- the four-bars that pass singular positions (A02) ------------------------------------------------------

LONG = pytest.param(10, 100_000, marks=pytest.mark.slow)
WINDOWS_AND_STEPS = [(windows, steps) for windows in (1, 2, 10) for steps in (1_000, 10_000, 100_000)]


@pytest.mark.parametrize(("windows", "steps"), [*WINDOWS_AND_STEPS[:-1], LONG])
def test_fourbars_with_fixed_steps(windows, steps):
    """Smaller steps land nearer to the singular positions and must not make it worse."""
    problem = problems.fourbar(windows)
    assert end_error(problem, method="rk4", step=problem.end / steps) < 3e-6


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("windows", [2, 5])
@pytest.mark.parametrize("speed", np.random.default_rng(1402).uniform(0.8, 1.5, 20).round(6).tolist())
def test_fourbars_from_random_starts(windows, speed, coordinates):
    """Against the exact reduction to one freedom, phi'' = -k cos(phi), which has no singular positions."""
    problem = problems.fourbar(windows, speed)
    k = problems.fourbar_stiffness(windows)
    exact = solve_ivp(
        lambda t, y: [y[1], -k * math.cos(y[0])],
        (0.0, problem.end),
        [math.pi / 2, -speed],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
    )
    phi = exact.y[0, -1]
    run = problem.mechanism.simulate([0.0, problem.end], coordinates=coordinates, method="dop853", rtol=1e-10)
    assert problem.difference(problem.observe(run)[-1], [math.cos(phi), math.sin(phi)]) < 1e-6


@pytest.mark.parametrize("windows", references.FOURBAR)
def test_fourbars_to_their_published_end_value(windows):
    assert end_error(problems.fourbar(windows), rtol=1e-10) < 1e-7


@pytest.mark.parametrize("coordinates", SETS[1:])
@pytest.mark.parametrize("windows", range(1, 41))
def test_fourbars_of_every_size(windows, coordinates):
    """Every size to forty windows goes through all singular passes."""
    problem = problems.fourbar(windows)
    k = problems.fourbar_stiffness(windows)
    exact = solve_ivp(
        lambda t, y: [y[1], -k * math.cos(y[0])],
        (0.0, problem.end),
        [math.pi / 2, -1.0],
        method="DOP853",
        rtol=1e-13,
        atol=1e-13,
    )
    phi = exact.y[0, -1]
    run = problem.mechanism.simulate([0.0, problem.end], coordinates=coordinates, method="dop853", rtol=1e-9)
    assert problem.difference(problem.observe(run)[-1], [math.cos(phi), math.sin(phi)]) < 1e-6


# -- the error follows the tolerance -----------------------------------------------------------------------

TOLERANCES = [10.0**-k for k in range(4, 11)]
OUTPUTS = 100


def errors_by_tolerance(problem, method):
    """Largest error over all outputs, divided by the tolerance, for every tolerance.

    The truth is a run at 1e-13 that itself meets the published end value.
    """
    times = np.linspace(0.0, problem.end, OUTPUTS + 1)
    truth = problem.mechanism.simulate(times, coordinates="body", method="dop853", rtol=1e-13)
    assert problem.error(truth) < 1e-11
    expected = problem.observe(truth)
    out = []
    for rtol in TOLERANCES:
        run = problem.mechanism.simulate(times, coordinates="body", method=method, rtol=rtol)
        out.append(problem.difference(problem.observe(run), expected) / rtol)
    return np.array(out)


SMOOTH = {
    "pendulum A01": problems.pendulum,
    "double pendulum": problems.double_pendulum,
    "Andrews A03": problems.andrews,
}


@pytest.mark.parametrize("name", SMOOTH)
def test_error_is_proportional_to_the_tolerance(name):
    ratios = errors_by_tolerance(SMOOTH[name](), "dopri5")
    assert ratios.max() <= 30.0 * ratios.min(), ratios


@pytest.mark.parametrize("name", SMOOTH)
def test_error_of_the_high_order_stays_near_the_tolerance(name):
    ratios = errors_by_tolerance(SMOOTH[name](), "dop853")
    assert ratios.max() < 300.0, ratios


def test_strong_damping_does_not_shorten_the_steps_of_rkc():
    """A05 with the stabilised method: a fraction of the evaluations, at an error of 1e-3."""
    problem = problems.flyball()
    runs = {method: problem.mechanism.simulate([0.0, problem.end], coordinates="joint", method=method, rtol=rtol)
            for method, rtol in (("rkc", 1e-6), ("dopri5", 1e-2))}  # fmt: skip
    assert all(problem.error(run) < 1e-3 for run in runs.values())
    assert 3 * runs["rkc"].statistics.evaluations < runs["dopri5"].statistics.evaluations
