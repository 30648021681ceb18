"""The search for events with all its traps, compiled; the file runs again in a process without compiled code."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from linkwork.coordinates.watching import FALLING, RISING
from linkwork.kernels import plain
from linkwork.kernels.time import cubic
from linkwork.kernels.time import places as at_run
from linkwork.kernels.time import watches as of
from unit.kernels.time.watched import Looped, driven, watch

ROOT = Path(__file__).parents[4]
plainly = pytest.mark.skipif(not plain.PLAIN, reason="in a process without compiled code")


@pytest.mark.slow
@pytest.mark.skipif(plain.PLAIN, reason="this is that process")
def test_the_search_in_a_process_without_compiled_code():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1",
                   "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests"), str(ROOT)])}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-n", "0", __file__],
        cwd=ROOT, env=environment, text=True, capture_output=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert "passed" in done.stdout and "failed" not in done.stdout


def times(found, k=0):
    return np.array([t for t, which, _ in found if which == k])


@pytest.mark.parametrize(
    ("function", "level", "wanted"),
    [
        ("t", 0.3, [0.3]),
        ("sin(2*pi*t)", 0.5, [1 / 12, 5 / 12]),  # two roots between ends that say nothing
        ("sin(6*pi*t)", 0.5, [1 / 36, 5 / 36, 13 / 36, 17 / 36, 25 / 36, 29 / 36]),
        ("(t - 0.3)*(t - 0.5)*(t - 0.6)", 0.0, [0.3, 0.5, 0.6]),  # a change at the ends, and two roots more
        ("(t - 0.5)**2", 1e-8, [0.4999, 0.5001]),  # grazing, twice
        ("(t - 0.5)**2", -1e-8, []),  # and not at all
        ("(t - 0.41)**4", 1e-8, [0.4, 0.42]),
        ("t**3", 1e-3, [0.1]),
        ("t*(t - 0.25)", 0.0, [0.25]),  # it begins on its level, and that is no event
    ],
)
def test_one_long_step_tells_all_its_roots(function, level, wanted):
    m = driven(function)
    found = Looped(m, [watch(m, level=level)]).all()
    np.testing.assert_allclose(times(found), wanted, rtol=0, atol=3e-12)


@pytest.mark.parametrize("steps", [1, 2, 3, 7])
def test_roots_at_the_ends_of_steps_are_told_once(steps):
    m = driven("sin(2*pi*t)")
    found = Looped(m, [watch(m)], end=2.0, step=2.0 / steps).all()
    wanted = [0.5, 1.0, 1.5, 2.0]
    got = times(found)
    assert len(got) in (3, 4)  # at the very end rounding decides
    np.testing.assert_allclose(got, wanted[: len(got)], atol=1e-12)


def test_directions():
    m = driven("sin(2*pi*t)")
    found = Looped(m, [watch(m, level=0.5, direction=one) for one in (RISING, FALLING, 0)], end=2.0).all()
    np.testing.assert_allclose(times(found, 0), [1 / 12, 13 / 12], atol=1e-12)
    np.testing.assert_allclose(times(found, 1), [5 / 12, 17 / 12], atol=1e-12)
    np.testing.assert_allclose(times(found, 2), [1 / 12, 5 / 12, 13 / 12, 17 / 12], atol=1e-12)
    assert [side for _, k, side in found if k == 2] == [-1, 1, -1, 1]
    assert [t for t, *_ in found] == sorted(t for t, *_ in found)


def test_what_happens_together_is_told_together_in_the_order_of_the_watches():
    m = driven("t", "1 - t", "t**2")
    looped = Looped(m, [watch(m, 1, 0.5), watch(m, 0, 0.5), watch(m, 2, 0.25), watch(m, 0, 0.5 + 1e-6)])
    assert looped.advance() == looped.drive.kernel.EVENT
    assert looped.watched.fired == [0, 1, 2]
    assert looped.advance() == looped.drive.kernel.EVENT and looped.watched.fired == [3]
    assert looped.advance() == looped.drive.kernel.DONE


def test_rates_and_second_rates_are_watched_too():
    m = driven("sin(3*t)")
    found = Looped(m, [watch(m, kind=of.OF_RATE), watch(m, kind=of.OF_SECOND, level=-4.5)], end=2.0, step=1.0).all()
    np.testing.assert_allclose(times(found, 0), [np.pi / 6, np.pi / 2], atol=1e-11)
    wanted = np.array([np.pi / 18, 5 * np.pi / 18, 13 * np.pi / 18 - 2 * np.pi / 9 + 4 * np.pi / 18])
    got = times(found, 1)
    np.testing.assert_allclose(np.sin(3 * got), 0.5, atol=1e-9)
    assert len(got) == 2 and got[0] == pytest.approx(wanted[0]) and got[1] == pytest.approx(wanted[1])


def test_most():
    m = driven("sin(2*pi*t)")
    looped = Looped(m, [watch(m, level=0.5), watch(m, level=-0.5)], end=5.0)
    for k in range(6):
        assert looped.advance() == looped.drive.kernel.EVENT
        if k == 3:
            looped.watched.rows[:, of.LEFT] = 1, 0
    found = looped.all()
    assert {k for _, k, _ in found} == {0}


def test_an_event_that_interrupts_leaves_the_state_there():
    m = driven("t**2")
    looped = Looped(m, [watch(m, level=0.25, acts=True)], end=1.0)
    assert looped.advance() == looped.drive.kernel.EVENT
    assert looped.drive.control[at_run.TIME] == pytest.approx(0.5, abs=1e-15)
    assert looped.y[0] == pytest.approx(0.25, abs=1e-15) and looped.drive.count[at_run.STARTED] == 0
    assert looped.drive.control[at_run.LONGEST] == 1.0


def test_outputs_before_an_event_are_written_and_none_behind_it():
    m = driven("t")
    looped = Looped(m, [watch(m, level=0.5, acts=True)], end=1.0)
    looped.times = np.array([0.0, 0.25, 0.4999, 0.5, 0.75])
    looped.states = np.zeros((5, looped.y.size + looped.system.memory_size))
    assert looped.advance() == looped.drive.kernel.EVENT
    assert looped.drive.count[at_run.OUTPUT] == 3 and looped.drive.control[at_run.TIME] == 0.5
    np.testing.assert_allclose(looped.states[:3, 0], looped.times[:3], atol=1e-15)


# -- the start of a step on a level ------------------------------------------------------------------------------------
def ball(v=0.0, height=1.0):
    import linkwork as lw

    m = lw.Mechanism()
    m.add("ball", lw.Particle(1.0, position=(0.0, height), velocity=(0.0, v)))
    return m, lw.WorldOffset(m.ground.at(0, 0), m["ball"].at(0, 0), "y")


@pytest.mark.parametrize("method", ["rk4", "dopri5", "dop853"])
def test_a_ball_bounces_as_often_as_it_does(method):
    """Restitution 0.7 from 1 m: times are known, and long steps hold whole flights."""
    from linkwork.coordinates.watching import Watch

    m, height = ball()
    looped = Looped(m, [Watch(((1.0, of.OF_VALUE, height),), direction=FALLING, acts=True, size=1.0)], 3.0, 3.0, method)
    found, v = [], []
    while looped.advance() == looped.drive.kernel.EVENT:
        assert looped.watched.fired == [0]
        found.append(looped.drive.control[at_run.TIME])
        looped.y[3 + 1] *= -0.7
        v.append(looped.y[4])
        if looped.drive.count[at_run.FIXED]:
            looped.drive.count[[at_run.STEP_INDEX, at_run.STEP_TOTAL]] = 0, 1
            looped.drive.control[at_run.STEP] = 3.0 - found[-1]
        else:
            looped.drive.control[at_run.STEP] = 0.0
        if len(found) == 12:
            break
    first, speed = np.sqrt(2 / 9.81), np.sqrt(2 * 9.81)
    flights = 2 * speed * 0.7 ** np.arange(1, 12) / 9.81
    np.testing.assert_allclose(found, first + np.concatenate([[0.0], np.cumsum(flights)]), atol=1e-9)
    np.testing.assert_allclose(v, speed * 0.7 ** np.arange(1, 13), rtol=1e-8)


def test_what_stops_on_its_level_fires_nothing_more():
    m, height = ball()
    from linkwork.coordinates.watching import Watch

    looped = Looped(m, [Watch(((1.0, of.OF_VALUE, height),), acts=True, size=1.0)], 3.0, 0.0, "dopri5")
    assert looped.advance() == looped.drive.kernel.EVENT
    looped.y[4] = 0.0
    looped.system.set_numbers(__import__("linkwork.kernels.layout", fromlist=["P"]).P_GRAVITY, np.zeros((2, 3)))
    looped.drive.control[at_run.STEP] = 0.0
    assert looped.advance() == looped.drive.kernel.DONE


def test_a_pending_crossing_is_found_behind_a_border():
    """Another event interrupts within rounding of a root: that root is told next, at the same time."""
    m = driven("t", "t")
    looped = Looped(m, [watch(m, 0, 0.5, acts=True), watch(m, 1, 0.5 + 3e-12)])
    assert looped.advance() == looped.drive.kernel.EVENT
    together = looped.watched.fired
    if together == [0]:
        looped.drive.control[at_run.STEP] = 0.5
        looped.drive.count[[at_run.STEP_INDEX, at_run.STEP_TOTAL]] = 0, 1
        assert looped.advance() == looped.drive.kernel.EVENT and looped.watched.fired == [1]
    else:
        assert together == [0, 1]


def test_turns_are_counted_in_space_and_in_long_steps():
    import linkwork as lw

    m = lw.Mechanism(dimension=3, gravity=None)
    m.add("wheel", lw.cylinder(0.1, 0.1, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0), m["wheel"].at(0, 0, 0)))
    m.add("motor", lw.Driver(m.measure("A.angle"), "2*t"))
    angle = m.measure("A.angle")
    for coordinates in ("body", "joint", "point"):
        from linkwork.coordinates.watching import Watch

        one = Watch(((1.0, of.OF_VALUE, angle),), level=9.5 * np.pi, size=1.0)
        looped = Looped(m, [one], end=24.0, step=1.0, coordinates=coordinates)
        np.testing.assert_allclose(times(looped.all()), [9.5 * np.pi / 2], atol=1e-11)


# -- the cubic ---------------------------------------------------------------------------------------------------------
@plainly
def test_the_lowest_and_the_highest_point_of_a_cubic():
    rng = np.random.default_rng(3)
    x = np.linspace(0.0, 1.0, 100_001)
    for _ in range(200):
        c = rng.normal(size=4) * 10.0 ** rng.uniform(-3, 3, 4)
        poly, width = np.polynomial.Polynomial(c), 10.0 ** rng.uniform(-3, 0)
        ga, gb = poly(0.0), poly(1.0)
        da, db = (poly.deriv()(end) / width for end in (0.0, 1.0))
        size = np.abs(c).sum()
        np.testing.assert_allclose(cubic.cubic(0.37, width, ga, da, gb, db), poly(0.37), atol=1e-9 * size)
        for which in (1.0, -1.0):
            found = cubic.turning(which, width, ga, da, gb, db)
            values = which * poly(x)
            inner = (values[1:-1] < values[:-2]) & (values[1:-1] < values[2:])
            if found > 0.0:
                assert abs(poly.deriv()(found)) <= 1e-7 * size and which * poly.deriv(2)(found) >= -1e-7 * size
            else:
                assert not inner[10:-10].any()
