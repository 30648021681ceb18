"""Random stiff mechanisms beside independent solutions: right, or told; never wrong and silent."""

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import linkwork as lw
from campaign import campaign, count
from linkwork.errors import AnalysisError, LinkworkWarning
from property.stiff_plans import PLANS, TooLong, _stop, ball, pendulum

FAR = 100.0  # times rtol: rtol is the error of a step, and errors of many steps add up
LEDGER = 1e-3  # of the energy in play: more is told


def judged(plan, method, rtol, coordinates):
    """What came of a run: "right", "told" or "refused"; anything else fails."""
    told = f"{method} {rtol:g} {coordinates}: {plan.told}"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            run = plan.mechanism.simulate(plan.times, start=plan.start or None, method=method, rtol=rtol,
                                          coordinates=coordinates, most_steps=100_000)  # fmt: skip
        except AnalysisError as error:
            assert str(error) and "nan" not in str(error), told
            assert "jumps" not in str(error), f"{error} {told}"  # none of these laws does
            return "refused"
    assert all(np.isfinite(run[name]).all() for name in plan.wanted), told
    error = max(np.abs(run[name] - wanted).max() for name, wanted in plan.wanted.items()) / plan.size
    off = np.abs(run.energy.balance).max()
    if any(issubclass(one.category, LinkworkWarning) for one in caught):
        return "told"
    assert error <= FAR * rtol, f"error of {error / rtol:.0f} rtol, {told}"
    assert off <= LEDGER * run.energy.in_play, f"ledger {off}, {told}"
    return "right"


@campaign
def test_right_or_told_in_every_draw():
    found = {"right": 0, "told": 0, "refused": 0}
    refused = []
    seed = tried = 0
    while tried < count(100):
        rng = np.random.default_rng(seed)
        seed += 1
        try:
            plan = PLANS[seed % len(PLANS)](rng)
        except TooLong:
            continue
        tried += 1
        for method in ("auto", "radau", "dop853"):
            rtol = 10.0 ** -rng.integers(3, 10)
            what = judged(plan, method, rtol, str(rng.choice(["auto", "joint", "body"])))
            found[what] += 1
            refused += [method] if what == "refused" else []
    print(f"stiff mechanisms: {tried}, runs right {found['right']}, told {found['told']}, refused {found['refused']}")
    assert refused.count("auto") + refused.count("radau") <= 0.05 * 2 * tried, refused
    assert found["right"] >= 0.5 * sum(found.values())  # most need no excuse


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-9])
def test_a_ball_on_a_hard_floor_is_parabolas_and_sines(method, rtol):
    """The corner of the stop in a step, and the stop that is hit and left inside of one, were missed untold."""
    for seed in (12, 15, 18, 22, 23, 33):
        plan = ball(np.random.default_rng(seed))
        assert judged(plan, method, rtol, "joint") != "refused"  # at 1e-3 the ledger may be told; the motion is right:
        run = plan.mechanism.simulate(plan.times, method=method, rtol=rtol, coordinates="joint")
        error = max(np.abs(run[name] - wanted).max() for name, wanted in plan.wanted.items()) / plan.size
        assert error <= 15 * rtol, (seed, error / rtol)


def test_a_stage_that_goes_astray_does_not_shorten_steps_for_good():
    """A stiff damped stop on a counted angle: a stage far inside of it told turnings of any rate, and the run ended."""
    for rtol in (1e-2, 1e-3, 1e-4):
        assert judged(pendulum(np.random.default_rng(2)), "dop853", rtol, "joint") == "right"


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_stops_on_hinges_of_any_tilt_are_met_in_every_set_of_coordinates(coordinates):
    """In space, in body coordinates, runs ended at a damped stop: a projection kept a nan of the stage before."""
    for seed in (2, 8, 18, 22, 25, 33):  # all in space
        plan = pendulum(np.random.default_rng(seed))
        for method in ("dopri5", "radau", "auto"):
            for rtol in (1e-3, 1e-5, 1e-7):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", LinkworkWarning)
                    run = plan.mechanism.simulate(plan.times, method=method, rtol=rtol, coordinates=coordinates)
                error = np.abs(run["A.angle"] - plan.wanted["A.angle"]).max()
                assert error <= FAR * rtol, (seed, method, rtol, error / rtol, plan.told)


@pytest.mark.filterwarnings("ignore::linkwork.errors.RunQualityWarning")
@pytest.mark.parametrize("damping", [0.0, 5.0])
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_fast_tilted_hinges_meet_their_stop(coordinates, damping):
    """One hinge without weight: inertia w' = stop, beside scipy."""
    rng = np.random.default_rng(5)
    inertia = 0.1 * (0.4**2 / 3 + 0.02**2 / 4)

    def f(t, x):
        return [x[1], _stop(x[0], x[1], 1e5, -0.3, 0.2, damping) / inertia]

    for speed in (5.0, 20.0, 100.0):
        axis = rng.normal(size=3)
        m = lw.Mechanism("hinge", dimension=3, gravity=None)
        bar = m.add("bar", lw.cylinder(radius=0.02, length=0.4, mass=0.1, axis="x"))
        m.add("J", lw.Revolute(m.ground.at(0, 0, 0, axis=tuple(axis)), bar.a))
        m.add("stop", lw.Limit("J.angle", -0.3, 0.2, stiffness=1e5, damping=damping))
        times = np.linspace(0.0, 1.0 / speed, 6)
        wanted = solve_ivp(f, (0.0, times[-1]), [0.0, speed], "LSODA", times, rtol=1e-11, atol=1e-13, max_step=1e-4)
        for method in ("dopri5", "dop853", "radau", "auto"):
            for rtol in (1e-3, 1e-4, 1e-5, 1e-6, 1e-8):
                start = {"J.angle": 0.0, "J.angle.rate": speed}
                run = m.simulate(times, start=start, method=method, rtol=rtol, coordinates=coordinates)
                error = np.abs(run["J.angle"] - wanted.y[0]).max()
                assert error <= FAR * rtol, (speed, method, rtol, error / rtol)
