"""Output times, methods, restarts and the progress line."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import progress
from linkwork.analysis.progress import Progress


def pendulum():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    return m


@pytest.mark.parametrize(
    ("times", "every", "wanted"),
    [
        (1.0, 0.25, [0.0, 0.25, 0.5, 0.75, 1.0]),
        (1.0, 0.4, [0.0, 0.4, 0.8, 1.0]),
        (0.0, None, [0.0]),
        (0.3, 0.1, [0.0, 0.1, 0.2, 0.3]),
        ([0.0, 0.1, 0.7], None, [0.0, 0.1, 0.7]),
        ([0.5, 0.7], None, [0.5, 0.7]),
    ],
)
def test_output_times(times, every, wanted):
    run = pendulum().simulate(times, every=every, coordinates="body")
    assert run.t == pytest.approx(wanted, abs=1e-15)
    assert run.t[-1] == wanted[-1]


def test_outputs_do_not_change_the_motion():
    few = pendulum().simulate(2.0, every=2.0, coordinates="body")
    many = pendulum().simulate(2.0, every=0.001, coordinates="body")
    assert few["rod.angle"][-1] == many["rod.angle"][-1]


def test_same_in_same_out():
    first, second = (pendulum().simulate(3.0, coordinates="body")["rod.x"] for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("method", ["dopri5", "dop853", "rk4"])
def test_methods_agree(method):
    options = {"step": 1e-3} if method == "rk4" else {"rtol": 1e-10}
    run = pendulum().simulate(1.0, every=0.1, method=method, coordinates="body", **options)
    best = pendulum().simulate(1.0, every=0.1, rtol=1e-12, coordinates="body")
    assert np.abs(run["rod.angle"] - best["rod.angle"]).max() < 1e-7
    assert run.violation.max() < 1e-9
    assert run.statistics.steps > 0


def test_a_restart_carries_on_with_time_and_work():
    m = pendulum()
    m.add("damper", lw.TorsionSpringDamper(m.ground, m["rod"], damping=0.3))
    whole = m.simulate([0.0, 0.4, 1.0], rtol=1e-11, coordinates="body")
    first = m.simulate([0.0, 0.4], rtol=1e-11, coordinates="body")
    second = m.simulate([0.4, 1.0], start=first.final, rtol=1e-11, coordinates="body")
    assert second.t == pytest.approx([0.4, 1.0])
    assert second["rod.angle"] == pytest.approx(whole["rod.angle"][1:], abs=1e-9)
    gone = whole.energy.dissipated
    assert second.energy.dissipated[-1] == pytest.approx(gone[2] - gone[1], abs=1e-9)
    assert np.abs(second.energy.balance).max() < 1e-8


def test_a_restart_knows_about_redundant_constraints():
    m = lw.Mechanism("parallelogram")
    plate = m.add("plate", lw.bar(length=1.0, mass=2.0))
    for name, x, point in (("l", 0.0, plate.a), ("m", 0.5, plate.middle), ("r", 1.0, plate.b)):
        crank = m.add(name, lw.bar(length=1.0, mass=0.7))
        m.add(name + "0", lw.Revolute(m.ground.at(x, 0), crank.a))
        m.add(name + "1", lw.Revolute(crank.b, point))
    near = {"l.angle": 1.0, "m.angle": 1.0, "r.angle": 1.0}
    run = m.simulate(0.5, every=0.5, start={"l0.angle": 1.0}, near=near, coordinates="body")
    wanted = run.reaction("l0")
    again = m.simulate([0.5, 0.6], start=run.final, coordinates="body").reaction("l0")
    seen = m.evaluate(run.final, coordinates="body").reaction("l0")
    assert wanted.unique is again.unique is seen.unique is False
    assert again.force[0] == pytest.approx(wanted.force[-1], rel=1e-6)
    assert seen.force == pytest.approx(wanted.force[-1], rel=1e-6)


def test_gears_at_uniform_speed_do_not_lose_turns():
    m = lw.Mechanism("gears", gravity=None)
    one, two = m.add("one", lw.disc(0.3, 1.0)), m.add("two", lw.disc(0.5, 2.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), one))
    m.add("B", lw.Revolute(m.ground.at(0.8, 0), two))
    m.add("G", lw.Gear(one, two, 0.3, 0.5))
    run = m.simulate(20.0, every=0.5, start={"A.angle.rate": 10.0}, coordinates="body")
    assert run["A.angle"][-1] == pytest.approx(200.0, abs=1e-6)
    assert run["B.angle"][-1] == pytest.approx(-120.0, abs=1e-6)


def test_a_body_at_rest_stays():
    m = lw.Mechanism("welded")
    b = m.add("b", lw.Body(1.0, 0.2, center=(0.13, 0.07)))
    m.add("J", lw.Fixed(m.ground.at(0.4, 0.3, angle=0.5), b.at(-0.17, 0.26, angle=-0.7)))
    run = m.simulate(1.0, every=0.5, coordinates="body")
    assert np.ptp(run["b.x"]) < 1e-12


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(progress.time, "perf_counter", clock)
    return clock


def test_the_progress_line_says_how_far_and_how_long(clock, capsys):
    with Progress(True, "four-bar", 0.0, 10.0) as line:
        clock.now = 1.0
        line.show(1.0)
        assert capsys.readouterr().err == ""  # short runs say nothing
        clock.now = 2.0
        line.show(2.5)
        assert "four-bar: t = 2.5 s of 10 s (25 %), about 6 s left" in capsys.readouterr().err
        clock.now = 2.1
        line.show(2.6)
        assert capsys.readouterr().err == ""  # not all the time
    assert capsys.readouterr().err.strip() == ""  # and wipes itself out


def test_the_progress_line_says_how_long_steps_are(clock, capsys, monkeypatch):
    with Progress(True, "four-bar", 0.0, 10.0) as line:
        clock.now = 2.0
        line.show(2.5, 1.2e-3)
        assert "t = 2.5 s of 10 s (25 %), steps of 1.2e-03 s, about 6 s left" in capsys.readouterr().err
    monkeypatch.setattr(Progress, "AFTER", 0.0)
    monkeypatch.setattr(Progress, "EVERY", 0.0)
    m = lw.gallery.four_bar()
    m.simulate(2.0, every=1.0, method="rk4", step=1e-3, coordinates="body", progress=True)
    told = capsys.readouterr().err.split("\r")
    assert any("steps of 1.0e-03 s" in line for line in told), told


def test_the_time_to_go_follows_the_pace_of_late(clock, capsys):
    with Progress(True, "block", 0.0, 10.0) as line:
        clock.now = 2.0
        line.show(5.0)
        for _ in range(20):  # from now on a hundredth of a second of the motion in a second
            clock.now += 1.0
            line.show(5.0 + 0.01 * (clock.now - 2.0))
    assert "about 8 min left" in capsys.readouterr().err.split("\r")[-3]  # 480 s; with all of the run it would be 20 s


@pytest.mark.parametrize(("wanted", "said", "shown"), [(False, "on", False), (None, "off", False), (None, "on", True)])
def test_whether_there_is_a_progress_line(clock, capsys, monkeypatch, wanted, said, shown):
    monkeypatch.setenv("LINKWORK_PROGRESS", said)
    with Progress(wanted, "four-bar", 0.0, 10.0) as line:
        clock.now = 2.0
        line.show(2.5)
        assert ("four-bar" in capsys.readouterr().err) is shown


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_turns_in_space_are_not_lost_in_long_steps(coordinates):
    """Under a steady torque steps could be many turns long; a stop after two turns must act there."""
    m = lw.Mechanism("winch", dimension=3, gravity=None)
    drum = m.add("drum", lw.cylinder(0.02, 0.02, mass=0.1))
    pin = m.add("S", lw.Revolute(m.ground, drum))
    m.add("stop", lw.Limit(pin.angle, lower="-720 deg", stiffness=1.0))
    m.add("motor", lw.Torque(drum, -2e-3))
    run = m.simulate(2.0, every=0.0005, coordinates=coordinates)
    beyond = 2e-3 + math.sqrt(4e-6 + 2 * 2e-3 * 4 * math.pi)  # of 2e-3 (4 pi + beyond) = 1/2 beyond^2
    assert run["S.angle"].min() == pytest.approx(-(4 * math.pi + beyond), abs=1e-3)
    np.testing.assert_allclose(run.energy.supplied, -2e-3 * run["S.angle"], atol=1e-8)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_a_screw_keeps_its_turns(coordinates):
    m = lw.Mechanism("screw", dimension=3, gravity=(0, 0, -9.81))
    nut = m.add("nut", lw.cylinder(0.02, 0.02, mass=0.1))
    m.add("S", lw.Screw(m.ground, nut, pitch=0.005))
    run = m.simulate(3.0, coordinates=coordinates)
    assert abs(run["S.angle"][-1]) > 20 * math.pi
    np.testing.assert_allclose(run["S.angle"] * 0.005 / (2 * math.pi), run["S.slide"], atol=1e-9)
    assert run.violation.max() < 1e-9


def test_equal_steps_that_lose_turns_are_refused():
    m = lw.Mechanism("screw", dimension=3, gravity=(0, 0, -9.81))
    m.add("S", lw.Screw(m.ground, m.add("nut", lw.cylinder(0.02, 0.02, mass=0.1)), pitch=0.005))
    with pytest.raises(lw.errors.AnalysisError, match=r"turns are lost.*smaller step="):
        m.simulate(50.0, method="rk4", step=10.0, coordinates="joint")
