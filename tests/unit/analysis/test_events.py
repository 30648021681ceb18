"""Events in runs: recorded, acting, `until`; and what is wrong with them is said."""

import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.variants import core_of
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, AssemblyError, DescriptionError, UnknownNameError, UserFunctionError


def pendulum(**events):
    m = lw.gallery.pendulum()
    for name, event in events.items():
        m.add(name, event)
    return m


def ball(e=0.8, **options):
    m = lw.Mechanism("ball")
    m.add("ball", lw.Particle(1.0, position=(0.0, 1.0)))
    m.add(
        "hit", lw.Event("ball.y", direction="falling", then=lambda s: {"ball.y.rate": -e * s["ball.y.rate"]}, **options)
    )
    return m


# -- recorded ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("coordinates", SETS)
def test_what_is_only_recorded_leaves_the_motion_as_it_is(coordinates):
    m = lw.gallery.double_pendulum()
    plain = m.simulate(3.0, every=0.05, coordinates=coordinates)
    m.add("turns", lw.Event("A.angle.rate"))
    m.add("passes", lw.Event("lower.b.x", 0.3, direction="rising"))
    run = m.simulate(3.0, every=0.05, coordinates=coordinates)
    assert np.array_equal(run["B.angle"], plain["B.angle"]) and len(run.segments) == 1
    assert {one.name for one in run.events} == {"turns", "passes"}
    assert [one.t for one in run.events] == sorted(one.t for one in run.events)
    for one in run.events:
        assert one.after["A.angle.rate" if one.name == "turns" else "lower.b.x"] == pytest.approx(
            0.0 if one.name == "turns" else 0.3, abs=1e-12
        )
        assert not one.done and one.energy_lost == 0.0 and one.before is one.after
    assert run.statistics.steps == plain.statistics.steps


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("until", [None, {"A.angle": 1.735}])
def test_what_was_not_reached_is_no_doubt_about_a_run(coordinates, until):
    """Room for further steps, and times behind the end of a run, are not looked at by its energy ledger."""
    m = lw.gallery.double_pendulum()
    m.add("turns", lw.Event("A.angle.rate"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for every in ("step", 0.05):
            run = m.simulate(0.6, every=every, coordinates=coordinates, until=until)
            assert "doubts" not in run.manifest
            assert bool(run.t[-1] < 0.6) == (until is not None)


@pytest.mark.parametrize("coordinates", SETS[:2])
@pytest.mark.parametrize("space", [False, True])
def test_angles_are_those_of_the_result(coordinates, space):
    """Over full turns, from where they begin."""
    m = lw.gallery.double_pendulum()
    m = m.in_space() if space else m
    levels = np.linspace(0.7, 15.0, 9)
    for k, level in enumerate(levels):
        m.add(f"e{k}", lw.Event("B.angle", float(level)))
    run = m.simulate(4.0, every=0.002, coordinates=coordinates, rtol=1e-10)
    for k, level in enumerate(levels):
        wanted = [float(t) for t in run.when("B.angle", float(level))]
        assert [one.t for one in run.events if one.name == f"e{k}"] == pytest.approx(wanted, abs=1e-5) and wanted


def test_names_measures_sums_and_functions_see_the_same():
    m = lw.gallery.double_pendulum()
    wrist = lw.Sum((2.0, m.measure("A.angle")), (-1.0, m.measure("B.angle")))
    m.add("sum", lw.Event(wrist, 4.0))
    m.add("own", lw.Event(lambda s: 2.0 * s["A.angle"] - s["B.angle"] - 4.0))
    run = m.simulate(2.0, coordinates="body")
    times = {name: [one.t for one in run.events if one.name == name] for name in ("sum", "own")}
    assert len(times["sum"]) == 3 and np.allclose(times["sum"], times["own"], atol=1e-9)
    assert [2.0 * one.after["A.angle"] - one.after["B.angle"] for one in run.events] == pytest.approx([4.0] * 6)


@pytest.mark.parametrize("coordinates", SETS)
def test_efforts_and_reactions_are_watched(coordinates):
    """A pendulum from the horizontal: the pin pulls by 5/2 mg sin at depth h (bar), 1.75 mg at about 36.9 degrees."""
    m = pendulum(heavy=lw.Event("A.reaction.magnitude", 1.75 * 9.81))
    run = m.simulate(0.48, coordinates=coordinates)
    (one,) = run.events
    c = np.sin(-one.after["A.angle"])  # radial 5/2 mg sin, tangential mg cos/4
    assert np.hypot(2.5 * c, 0.25 * np.sqrt(1 - c * c)) == pytest.approx(1.75, abs=1e-8)


def test_time_is_watched():
    run = pendulum(now=lw.Event("t", "0.7 s")).simulate(1.0, coordinates="body")
    assert [one.t for one in run.events] == [pytest.approx(0.7, abs=1e-15)]


def test_the_error_of_an_event_is_that_of_the_motion():
    """Halving the exponent of the tolerance tells: errors of times shrink with it."""
    m = pendulum(low=lw.Event("A.angle", "-120 deg"))
    start = {"A.angle": 0.0, "A.angle.rate": 0.0}
    exact = [one.t for one in m.simulate(6.0, start=start, rtol=1e-13, coordinates="body").events]
    errors = []
    for rtol in (1e-5, 1e-7, 1e-9):
        found = [one.t for one in m.simulate(6.0, start=start, rtol=rtol, coordinates="body").events]
        assert len(found) == len(exact)
        errors.append(np.abs(np.subtract(found, exact)).max())
    assert errors[0] < 1e-3 and errors[1] < 0.1 * errors[0] and errors[2] < 0.1 * errors[1]


# -- until -------------------------------------------------------------------------------------------------------------
def test_until_a_value():
    run = pendulum().simulate(5.0, every=0.1, until={"A.angle": "-90 deg"}, coordinates="body")
    assert run["A.angle"][-1] == pytest.approx(-np.pi / 2, abs=1e-12) and run.t[-1] == run.final.t < 0.5
    assert run.events[0].name == "until" and not run.ended
    assert np.all(np.diff(run.t) > 0)


def test_until_an_event_and_until_that_is_not_reached():
    m = pendulum(low=lw.Event("A.angle.rate", direction="rising"))
    run = m.simulate(5.0, until="low", coordinates="body")
    assert "low" in run.ended and run["A.angle.rate"][-1] == pytest.approx(0.0, abs=1e-10)
    run = m.simulate(0.1, until="low", coordinates="body")
    assert "not reached" in run.ended and "not reached" in str(run) and run.t[-1] == 0.1


def test_until_rest():
    m = pendulum()
    m.add("brake", lw.TorsionSpringDamper("ground", "rod", damping=2.0))
    run = m.simulate(100.0, until="rest", coordinates="body")
    assert run.t[-1] < 20.0 and run["A.angle"][-1] == pytest.approx(-np.pi / 2, abs=1e-3)
    assert abs(run["A.angle.rate"][-1]) < 1e-3 * np.abs(run["A.angle.rate"]).max()


@pytest.mark.parametrize(
    ("until", "told"),
    [("now", "no event 'now'"), ({"A.angel": 1.0}, "A.angle"), (3, "nothing to wait"), ({}, "nothing")],
)
def test_until_nonsense(until, told):
    with pytest.raises((UnknownNameError, DescriptionError), match=told):
        pendulum().simulate(1.0, until=until, coordinates="body")


# -- locks and releases ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("coordinates", SETS[:2])
@pytest.mark.parametrize("space", [False, True])
def test_a_lock_strikes_as_dense_algebra_says(coordinates, space):
    m = lw.gallery.double_pendulum()
    m = m.in_space() if space else m
    m.add("stiff", lw.Event("B.angle", "2 rad", then=lw.Lock("B"), most=1))
    run = m.simulate(1.5, every=0.01, coordinates=coordinates, rtol=1e-10)
    (one,) = run.events
    before, after = (m.evaluate(state, coordinates="body") for state in (one.before, one.after))
    J, M, v = after.jacobian, before.mass_matrix, before.velocities
    inverse = np.linalg.inv(M)
    impulses = np.linalg.pinv(J @ inverse @ J.T, rcond=1e-11) @ (-J @ v)
    dv = inverse @ J.T @ impulses
    assert after.velocities == pytest.approx(v + dv, abs=1e-9)
    assert [one.impulses[row] for row in after.rows] == pytest.approx(impulses, abs=1e-8)
    assert one.energy_lost == pytest.approx(0.5 * dv @ M @ dv, rel=1e-8)
    assert one.before.mode("B") == "held" and one.after.mode("B") == "locked"
    late = run.t > one.t
    assert np.ptp(run["B.angle"][late]) < 1e-9 and np.abs(run["B.angle.rate"][late]).max() < 1e-9
    assert np.abs(run.energy.balance).max() < 1e-7 * run.energy.in_play


@pytest.mark.parametrize("coordinates", SETS)
def test_a_joint_comes_apart_and_flies(coordinates):
    m = lw.gallery.double_pendulum()
    m.add("break", lw.Event("t", 0.5, then=lw.Release("B")))
    run = m.simulate(1.5, every=0.01, coordinates=coordinates, rtol=1e-10)
    (one,) = run.events
    assert one.energy_lost == 0.0 and one.after.mode("B") == "free"
    x, y = one.after["lower.x"], one.after["lower.y"]
    vx, vy = one.after["lower.x.rate"], one.after["lower.y.rate"]
    dt = 1.0
    assert run["lower.x"][-1] == pytest.approx(x + vx * dt, abs=1e-9)
    assert run["lower.y"][-1] == pytest.approx(y + vy * dt - 0.5 * 9.81 * dt**2, abs=1e-9)
    assert np.all(run["B.reaction.x"][run.t > 0.5] == 0.0)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_locked_joint_is_locked_until_it_is_released(coordinates):
    m = lw.Mechanism()
    m.add("a", lw.bar(length=1.0, mass=1.0, angle=0.0))
    m.add("b", lw.bar(length=1.0, mass=1.0, angle=0.3))
    m.add("A", lw.Revolute("ground", "a.a"))
    m.add("B", lw.Revolute("a.b", "b.a", locked=True))
    stiff = m.simulate(1.0, every=0.1, coordinates=coordinates)
    assert np.ptp(stiff["B.angle"]) < 1e-9 and m.check(coordinates="body").freedom == 1
    m.add("loose", lw.Event("t", 0.5, then=lw.Release("B")))
    run = m.simulate(1.0, every=0.1, coordinates=coordinates)
    assert np.allclose(run["B.angle"][:5], stiff["B.angle"][:5], atol=1e-8) and np.ptp(run["B.angle"][5:]) > 0.01
    assert np.abs(run.energy.balance).max() < 1e-6


@pytest.mark.parametrize("coordinates", SETS)
def test_many_locks_and_releases(coordinates):
    """A clock locks and releases the joint of two free bars: the ledger closes, momenta are kept."""
    m = lw.Mechanism("two bars", gravity=None)
    m.add("a", lw.bar(length=1.0, mass=1.0, position=(0.5, 0.0), angle=0.0))
    m.add("b", lw.bar(length=1.0, mass=1.0))
    m.add("B", lw.Revolute("a.b", "b.a"))
    m.add("coil", lw.TorsionSpringDamper("a", "b", stiffness=40.0))
    m.add("clock", lw.Particle(1e-3, position=(5.0, 0.1)))
    m.add("guide", lw.Hold("ground", "clock", x=5.0))
    m.add("swing", lw.SpringDamper(m.ground.at(5.0, -10), "clock", stiffness=1e-3 * (20 * np.pi) ** 2, rest_length=10))
    toggle = lambda s: lw.Lock("B") if s.mode("B") == "held" else lw.Release("B")
    m.add("tick", lw.Event("clock.y", then=toggle, touches=["B"]))
    start = {"clock.y": 0.1, "clock.y.rate": 0.0, "a.angle.rate": 3.0, "B.angle": 1.0, "B.angle.rate": 0.5}
    run = m.simulate(MANY / 20, every=0.5, start=start, coordinates=coordinates, rtol=1e-10)
    assert len(run.events) == MANY and len(run.segments) == MANY + 1
    clock = np.array([one.t for one in run.events])
    assert clock == pytest.approx(0.025 + 0.05 * np.arange(MANY), abs=1e-6)
    assert np.abs(run.energy.balance).max() < 1e-6 * run.energy.in_play
    assert np.all(np.diff(run.energy.lost) >= -1e-9) and run.energy.lost[-1] > 0.0
    for name in ("system.angular_momentum", "a.momentum.x"):
        series = run[name] + (run["b.momentum.x"] if name.startswith("a") else 0.0)
        series = series - (run["clock.angular_momentum"] if name.startswith("system") else 0.0)
        assert np.ptp(series) < 1e-6


@pytest.mark.parametrize("coordinates", SETS)
def test_many_locks_and_releases_in_space(coordinates):
    """The same of two bodies that tumble, with a hinge across all of their axes: momenta are kept in all directions."""
    m = lw.Mechanism("two bodies", dimension=3, gravity=None)
    a = m.add("a", lw.Body(1.0, (0.03, 0.1, 0.08), position=(0.5, 0, 0), angular_velocity=(0.4, -0.3, 1.5)))
    b = m.add("b", lw.Body(1.0, (0.1, 0.02, 0.09), center=(0, 0.2, 0.1)))
    axis = (0.2, 0.3, 1.0)
    m.add("B", lw.Revolute(a.at(0.5, 0.1, 0, along=axis), b.at(-0.4, 0, 0.1, along=(0, 0.3, 1))))
    m.add("coil", lw.TorsionSpringDamper(a.at(0, 0, 0, along=axis), b.at(0, 0, 0, along=(0, 0.3, 1)), stiffness=10.0))
    m.add("clock", lw.Particle(1e-3, position=(5.0, 0.1, 0)))
    m.add("guide", lw.Hold("ground", "clock", x=5.0, z=0.0))
    stiffness = 1e-3 * (20 * np.pi) ** 2
    m.add("swing", lw.SpringDamper(m.ground.at(5.0, -10, 0), "clock", stiffness=stiffness, rest_length=10))
    toggle = lambda s: lw.Lock("B") if s.mode("B") == "held" else lw.Release("B")
    m.add("tick", lw.Event("clock.y", then=toggle, touches=["B"]))
    start = {"clock.y": 0.1, "clock.y.rate": 0.0, "B.angle": 1.0, "B.angle.rate": 0.5}
    run = m.simulate(MANY / 20, every=0.5, start=start, coordinates=coordinates, rtol=1e-10)
    assert len(run.events) == MANY and len(run.segments) == MANY + 1
    assert [one.t for one in run.events] == pytest.approx(0.025 + 0.05 * np.arange(MANY), abs=1e-6)
    assert np.abs(run.energy.balance).max() < 1e-6 * run.energy.in_play
    assert np.all(np.diff(run.energy.lost) >= -1e-9) and run.energy.lost[-1] > 0.0
    for axis in "xyz":
        assert np.ptp(run[f"a.momentum.{axis}"] + run[f"b.momentum.{axis}"]) < 1e-6
    turning = run["system.angular_momentum"] - run["clock.angular_momentum"]
    assert np.ptp(turning, axis=0).max() < 1e-6


MANY = 100  # the campaign has a thousand


# -- elements, drivers, numbers ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("coordinates", SETS)
def test_elements_are_switched_and_the_ledger_closes(coordinates):
    m = lw.gallery.double_pendulum()
    m.add("spring", lw.SpringDamper("upper.b", m.ground.at(0.0, -1.0), stiffness=20.0, damping=0.2, rest_length=0.5))
    m.add("coil", lw.TorsionSpringDamper("upper", "lower", stiffness=3.0, active=False))
    m.add("change", lw.Event("t", 0.4, then=[lw.Off("spring"), lw.On("coil")]))
    m.add("stiffer", lw.Event("t", 0.8, then=lw.Set("coil.stiffness", 6.0)))
    run = m.simulate(1.2, every=0.01, coordinates=coordinates, rtol=1e-10)
    assert np.abs(run.energy.balance).max() < 1e-7 * run.energy.in_play
    on, late = run.t < 0.4, run.t >= 0.8
    assert np.all(run["spring.force"][~on] == 0.0) and np.all(run["coil.torque"][on] == 0.0)
    angle = run["coil.angle"]
    assert run["coil.torque"][late] == pytest.approx(-6.0 * angle[late], abs=1e-9)
    first, second = run.events
    stretch = first.before["spring.length"] - 0.5
    stored, wound = 10.0 * stretch**2, 1.5 * first.after["coil.angle"] ** 2
    assert first.energy_lost == pytest.approx(stored - wound, abs=1e-8)
    assert second.energy_lost == pytest.approx(-1.5 * second.after["coil.angle"] ** 2, abs=1e-8)
    assert m.simulate(0.1, start=run.final, coordinates="body")["coil.torque"][0] == pytest.approx(
        run["coil.torque"][-1], abs=1e-9
    )


@pytest.mark.parametrize("coordinates", SETS)
def test_a_driver_is_taken_up_anew(coordinates):
    m = pendulum()
    m.add("motor", lw.Driver("A.angle", "sin(2*t)"))
    m.add("turn", lw.Event("A.angle.rate", direction="falling", most=1,
                           then=lw.Drive("motor", "smoothstep(t, 0, 0, 0.5, pi/6)", anew=True)))  # fmt: skip
    m.add("jerk", lw.Event("t", 2.0, then=lw.Drive("motor", "0.5*t", anew=True)))
    m.add("free", lw.Event("t", 3.0, then=lw.Off("motor")))
    run = m.simulate(3.5, every=0.01, coordinates=coordinates, rtol=1e-10)
    turn, jerk, free = run.events
    assert turn.t == pytest.approx(np.pi / 4, abs=1e-10) and "smoothly" in str(turn)
    assert "with a jump" in str(jerk) and jerk.after["A.angle.rate"] == pytest.approx(0.5, abs=1e-12)
    at = run.t
    mid = (at > turn.t + 0.5) & (at < 2.0)
    assert run["A.angle"][mid] == pytest.approx(1.0 + np.pi / 6, abs=1e-9)
    ramp = (at >= 2.0) & (at <= 3.0)
    assert run["A.angle"][ramp] == pytest.approx(1.0 + np.pi / 6 + 0.5 * (at[ramp] - 2.0), abs=1e-9)
    assert jerk.energy_lost == pytest.approx(0.5 * (1.0 / 3.0) * 0.25, rel=1e-9)  # of the impact; as much is motion
    assert np.all(run["motor.effort"][at >= 3.0] == 0.0) and free.after.mode("motor") == "free"
    assert np.abs(run.energy.balance).max() < 1e-7 * run.energy.in_play


def test_speeds_by_impulse_keep_what_is_held():
    """A bar on a pin is struck at its end: the pin takes its part, and the bar turns about it."""
    m = pendulum(strike=lw.Event("t", 0.1, then=lambda s: {"rod.b.y.rate": 2.0}))
    run = m.simulate(0.2, every=0.01, start={"A.angle": 0.0, "A.angle.rate": 0.0}, coordinates="body")
    (one,) = run.events
    c = np.cos(one.after["A.angle"])
    assert one.after["rod.b.y.rate"] == pytest.approx(2.0, abs=1e-12)
    assert one.after["A.angle.rate"] == pytest.approx(2.0 / c, abs=1e-9)
    assert np.abs(run.energy.balance).max() < 1e-7


def test_a_ball_bounces_and_comes_to_an_end():
    run = ball(0.8).simulate(3.0, every=0.01, coordinates="body")
    first, v = np.sqrt(2 / 9.81), np.sqrt(2 * 9.81)
    wanted = first + np.concatenate([[0.0], np.cumsum(2 * v * 0.8 ** np.arange(1, 6) / 9.81)])
    assert [one.t for one in run.events] == pytest.approx(wanted, abs=1e-7)
    assert np.abs(run.energy.balance).max() < 1e-7
    with pytest.raises(AnalysisError, match="for ever") as told:
        ball(0.5).simulate(10.0, coordinates="body")
    end = first * (1 + 2 * 0.5 / (1 - 0.5))
    assert told.value.result.events[-1].t == pytest.approx(end, abs=1e-6)
    assert len(ball(0.5, most=3).simulate(1.2, coordinates="body").events) == 3


def test_simultaneous_events_act_in_their_order():
    order = []
    m = pendulum()
    for name in ("c", "a", "b"):
        m.add(name, lw.Event("t", 0.3, then=lambda s, name=name: order.append((name, s.t))))
    run = m.simulate(0.5, coordinates="body")
    assert [one for one, _ in order] == ["c", "a", "b"] == [one.name for one in run.events]
    assert len({t for _, t in order}) == 1 and np.all(np.diff(run.t) > 0)
    assert np.allclose(run["A.angle"], pendulum().simulate(0.5, coordinates="body")["A.angle"], atol=1e-7)


# -- going on ----------------------------------------------------------------------------------------------------------
def test_states_go_on_as_they_are_or_in_another_mechanism():
    m = lw.gallery.double_pendulum()
    m.add("stiff", lw.Event("t", 0.5, then=lw.Lock("B")))
    run = m.simulate(1.0, every=0.1, coordinates="body")
    more = m.simulate(1.0, every=0.1, start=run.final, coordinates="body")
    assert more.final.mode("B") == "locked" and np.ptp(more["B.angle"]) < 1e-9
    both = run + more
    assert np.abs(both.energy.balance).max() < 1e-6 and both.t[-1] == 2.0
    assert m.evaluate(run.final, coordinates="body")["B.angle.acceleration"] == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(DescriptionError, match="events have switched"):
        m.equilibrium(start=run.final)
    plain = lw.gallery.double_pendulum()  # has no lock: the joint turns again
    assert np.ptp(plain.simulate(1.0, every=0.1, start=run.final, coordinates="body")["B.angle"]) > 0.01


def test_bodies_more_or_fewer():
    m = lw.gallery.double_pendulum()
    m.add("break", lw.Event("t", 0.5, then=[lw.Release("B"), lw.Stop()]))
    run = m.simulate(2.0, coordinates="body")
    alone = lw.Mechanism("double pendulum")
    alone.add("upper", m["upper"])
    alone.add("A", m["A"])
    on = alone.simulate(0.5, start=run.final, coordinates="body")
    assert on["A.angle"][0] == pytest.approx(run["A.angle"][-1]) and on.t[0] == run.t[-1]
    assert on["A.angle.rate"][0] == pytest.approx(run["A.angle.rate"][-1])
    alone.add("guest", lw.Particle(1.0, position=(3.0, 1.0), velocity=(0.0, 2.0)))
    on = alone.simulate(0.5, start=run.final, coordinates="body")
    assert on["guest.y"][-1] == pytest.approx(1.0 + 2.0 * 0.5 - 0.5 * 9.81 * 0.25)
    alone.add("other", lw.Particle(1.0))
    with pytest.raises(DescriptionError, match="other"):
        alone.simulate(0.5, start=run.final, coordinates="body")


def test_prepared_runs_have_events():
    m = pendulum(low=lw.Event("A.angle", "-90 deg", then=lw.Lock("A"), most=1))
    ready, plain = m.prepare(1.0, every=0.1, coordinates="body"), m.simulate(1.0, every=0.1, coordinates="body")
    for _ in range(2):
        run = ready()
        assert np.array_equal(run["A.angle"], plain["A.angle"]) and len(run.events) == 1
    heavy = ready(numbers={"rod.mass": 3.0})
    assert heavy.events[0].energy_lost == pytest.approx(3.0 * plain.events[0].energy_lost)


def test_every_step_and_events():
    m = pendulum(low=lw.Event("A.angle", "-90 deg", then=lw.Lock("A"), most=1))
    run = m.simulate(1.0, every="step", coordinates="body")
    assert np.all(np.diff(run.t) > 0) and run.events[0].t in run.t and run.t[-1] == 1.0


def test_runs_without_events_know_nothing_of_them():
    m = pendulum(low=lw.Event("A.angle", "-90 deg", then=lw.Lock("A")))
    assert np.array_equal(
        m.simulate(1.0, events=False, coordinates="body")["A.angle"],
        pendulum().simulate(1.0, coordinates="body")["A.angle"],
    )
    assert core_of(m.compile()) is m.compile() and len(m.compile().rows) == 2


# -- wrong use ---------------------------------------------------------------------------------------------------------
def test_the_schedule():
    m = pendulum(low=lw.Event("A.angle", "-90 deg", direction="falling", then=lw.Lock("A"), most=1))
    assert "falls to -1.571 rad" in str(m.schedule()) and "lock A, once" in str(m.schedule()) and len(m.schedule()) == 1
    assert str(pendulum().schedule()) == "no events"


@pytest.mark.parametrize(
    ("event", "error", "told"),
    [
        (lw.Event("A.angel"), UnknownNameError, "A.angle"),
        (lw.Event("rod"), DescriptionError, "vector"),
        (lw.Event("A.angle", "3 m"), Exception, "unit of another kind"),
        (lw.Event("A.angle", then=lw.Lock("B")), UnknownNameError, "'B'.*wanted by Event 'e'"),
        (lw.Event("A.angle", then=lw.Drive("A", 1.0)), DescriptionError, "Drive of something else"),
        (lw.Event("A.angle", then=lw.Off("A")), DescriptionError, "Off of something else"),
        (lw.Event("A.angle", then=lw.Set("rod.mas", 1.0)), UnknownNameError, "rod.mass"),
        (lw.Event("t", 0.1, then=lw.Set("rod.mass", 0.0)), Exception, "rod|structure|inertia|mass"),
        (
            lw.Event("t", 0.1, then=[lw.Lock("A"), lw.Lock("A")]),
            AnalysisError,
            "Event 'e' cannot have 'A' locked.*already",
        ),
        (lw.Event("t", 0.1, then=[lw.Release("A"), lw.Release("A")]), AnalysisError, "released: it is free already"),
        (lw.Event("t", 0.1, then=lambda s: 1 / 0), UserFunctionError, "Event 'e'.*ZeroDivisionError"),
        (lw.Event("t", 0.1, then=lambda s: 3), UserFunctionError, "no answer"),
        (lw.Event("t", 0.1, then=lambda s: lw.Lock("A")), AnalysisError, "touches"),
        (lw.Event(lambda s: 1 / 0), UserFunctionError, "Event 'e'.*ZeroDivisionError"),
        (lw.Event("t", 0.1, then=lambda s: {"A.angel.rate": 1.0}), UnknownNameError, "A.angle"),
    ],
)
def test_what_is_wrong_is_said(event, error, told):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(error, match=told):
            pendulum(e=event).simulate(0.3, coordinates="body")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: lw.Event(3), "nothing to watch"),
        (lambda: lw.Event("A.angle", float("nan")), "finite"),
        (lambda: lw.Event("A.angle", direction="up"), "direction"),
        (lambda: lw.Event("A.angle", then="stop"), "no action"),
        (lambda: lw.Event("A.angle", then=lw.Stop), "no action"),
        (lambda: lw.Event("A.angle", most=0), "most"),
        (lambda: lw.Lock(3), "which item"),
    ],
)
def test_descriptions_that_cannot_be(make, told):
    with pytest.raises(DescriptionError, match=told):
        make()


def test_locks_that_contradict_others_name_both():
    m = pendulum()
    m.add("motor", lw.Driver("A.angle", "2*t"))
    m.add("e", lw.Event("t", 0.1, then=lw.Lock("A")))
    with pytest.raises(AssemblyError, match=r"(?s)Event 'e' cannot lock A.*motor"):
        m.simulate(0.3, coordinates="body")


def test_a_law_that_jumps_is_told():
    m = lw.Mechanism("block")
    m.add("block", lw.Particle(1.0, position=(0, 0), velocity=(2.0, 0)))
    m.add("floor", lw.Hold("ground", "block", y=0.0))
    way = lw.WorldOffset(m.ground.at(0, 0), m["block"].at(0, 0), "x")
    m.add("rub", lw.UserForce(way, lambda x, v, t: -3.0 * np.sign(v), energy="dissipates"))
    m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), "block", stiffness=5.0, rest_length=1.0))
    with pytest.raises(AnalysisError, match=r"Force 'rub' has a law that jumps.*tanh") as told:
        m.simulate(10.0, coordinates="body")
    assert told.value.result.t[-1] > 0.3
