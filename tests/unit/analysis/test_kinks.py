"""Runs over functions of time that jump and bend: drivers at both levels, laws, both sets, fixed and chosen steps.

A driven bar carries a second one that swings freely. Where the speed of the first jumps, the impulse in pin B keeps the
angular momentum of the second about B:

    I_B dw2 + m2 r x dv_B = 0        r from B to the mass centre, dv_B = dw1 x l1
"""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, KinkWarning

WAYS = [
    ("body", {}),
    ("joint", {}),
    ("body", {"method": "rk4", "step": 1e-3}),
    ("joint", {"method": "rk4", "step": 1e-3}),
]
LENGTH, SECOND, MASS = 1.0, 0.7, 0.5


def double(function=None, level="position", torque=None, in_space=False):
    m = lw.Mechanism("double pendulum")
    one = m.add("one", lw.bar(length=LENGTH, mass=1.0))
    two = m.add("two", lw.bar(length=SECOND, mass=MASS))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0), one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    if function is not None:
        m.add("motor", lw.Driver(A.angle, function, level=level))
    if torque is not None:
        m.add("push", lw.Torque(one, torque))
    return m.in_space() if in_space else m


def balanced(run, part=1e-6):
    in_play = max(run["energy.kinetic"].max(), np.ptp(run["energy.potential"]))
    assert np.abs(run.energy.balance).max() < part * in_play


@pytest.mark.parametrize(("coordinates", "options"), WAYS)
@pytest.mark.parametrize(
    "text", ["abs(sin(9*t))", "max(0, t - 0.3)", "abs(abs(t - 0.5) - 0.2)", "max(t, 0.2)*max(0.7, t)", "min(3*t, 1)"]
)
def test_drivers_that_bend_are_followed_and_their_energy_balances(text, coordinates, options):
    m = double(text)
    with pytest.warns(KinkWarning, match=r"Driver 'motor' changes its speed at once.*impulse"):
        run = m.simulate(1.0, coordinates=coordinates, **options)
    wanted = [lw.Expression(text)(float(t))[0] for t in run.t]
    assert np.abs(run["A.angle"] - wanted).max() < 1e-10
    balanced(run, 1e-5)
    assert run.doubts == ()


@pytest.mark.parametrize(("coordinates", "options"), WAYS)
@pytest.mark.parametrize("text", ["abs(sin(9*t))", "min(t, 0.3)", "max(0, t - 0.4)**2"])
@pytest.mark.filterwarnings("error")
def test_speeds_that_only_bend_are_stepped_on_without_a_word(text, coordinates, options):
    run = double(text, level="speed").simulate(1.0, coordinates=coordinates, **options)
    wanted = [lw.Expression(text)(float(t))[0] for t in run.t]
    assert np.abs(run["A.angle.rate"] - wanted).max() < 1e-9
    balanced(run)


@pytest.mark.parametrize("in_space", [False, True])
@pytest.mark.parametrize(("coordinates", "options"), WAYS)
@pytest.mark.parametrize(("function", "level"), [("2*max(0, t - 0.3)", "position"), ("1 + sign(t - 0.3)", "speed")])
def test_the_impulse_of_a_jump_of_speed(function, level, coordinates, options, in_space):
    m = double(function, level, in_space=in_space)
    times = [0.0, 0.3 - 1e-7, 0.3 + 1e-7, 0.5]
    with pytest.warns(KinkWarning, match="at t = 0.3 s, from 0 to 2"):
        run = m.simulate(times, coordinates=coordinates, **options)
    first, second = run["A.angle"], run["A.angle"] + run["B.angle"]
    turning = run["A.angle.rate"] + run["B.angle.rate"]
    jump = 2.0
    assert run["A.angle.rate"][2] - run["A.angle.rate"][1] == pytest.approx(jump, abs=1e-6)
    r = 0.5 * SECOND * np.array([math.cos(second[1]), math.sin(second[1])])
    dv = jump * LENGTH * np.array([-math.sin(first[1]), math.cos(first[1])])
    wanted = -MASS * (r[0] * dv[1] - r[1] * dv[0]) / (MASS * SECOND**2 / 3.0)
    assert turning[2] - turning[1] == pytest.approx(wanted, abs=1e-5)  # gravity acts for 2e-7 s
    balanced(run)


@pytest.mark.parametrize(("coordinates", "options"), WAYS)
def test_positions_that_jump_are_refused(coordinates, options):
    for text in ("sign(t - 0.5)", "t + 0.1*sign(sin(9*t - 1))"):
        with pytest.raises(DescriptionError, match=r"Driver 'motor' changes its position at once at t = .*smoothstep"):
            double(text).simulate(1.0, coordinates=coordinates, **options)


@pytest.mark.filterwarnings("error")
def test_an_angle_that_jumps_by_a_turn_is_the_same_angle():
    run = double("atan2(sin(3*t), cos(3*t))").simulate(2.0, coordinates="body")
    assert np.abs(np.sin(run["A.angle"] - 3.0 * run.t)).max() < 1e-9
    assert np.abs(run["A.angle.rate"] - 3.0).max() < 1e-9
    balanced(run)


@pytest.mark.parametrize(("coordinates", "options"), WAYS)
@pytest.mark.parametrize("text", ["5*sign(sin(20*t))", "abs(9*sin(7*t))", "max(0, 40*(t - 0.35))"])
@pytest.mark.filterwarnings("error")
def test_laws_may_jump_and_bend(text, coordinates, options):
    run = double(torque=text).simulate(1.0, coordinates=coordinates, **options)
    balanced(run)
    # the same run in pieces that end where the law breaks
    state, m = None, double(torque=text)
    breaks = [one.t for one in lw.Expression(text).breaks(0.0, 1.0).found if 0.0 < one.t < 1.0]
    for begin, end in zip([0.0, *breaks], [*breaks, 1.0]):
        piece = m.simulate([begin, end], start=state, coordinates=coordinates, **options)
        state = piece.final
    assert run["B.angle"][-1] == pytest.approx(piece["B.angle"][-1], abs=1e-6)


@pytest.mark.parametrize(("coordinates", "options"), WAYS)
@pytest.mark.filterwarnings("error")
def test_a_run_that_starts_on_a_kink_is_on_its_right_side(coordinates, options):
    for text in ("abs(t)", "max(0, t)", "max(t, -t) + 0.2"):
        run = double(text).simulate(0.5, coordinates=coordinates, **options)
        assert run["A.angle.rate"][0] == pytest.approx(1.0, abs=1e-12)
        assert np.abs(run["A.angle"] - run["A.angle"][0] - run.t).max() < 1e-10
        balanced(run)


def test_going_on_from_a_kink_is_going_on():
    m = double("max(0, t - 0.3)")
    with pytest.warns(KinkWarning):
        whole = m.simulate([0.0, 0.3, 0.6], coordinates="body")
    first = m.simulate([0.0, 0.3], coordinates="body")
    second = m.simulate([0.3, 0.6], start=whole.at(0.3), coordinates="body")
    assert first["A.angle"][-1] == pytest.approx(0.0, abs=1e-12)
    for name in ("A.angle", "B.angle", "B.angle.rate"):
        assert second[name][-1] == pytest.approx(whole[name][-1], abs=1e-6)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_check_tells_jumps_beforehand(coordinates):
    text = str(double("sign(t - 0.5)").check(coordinates=coordinates))
    assert "driver motor changes its position at once at t = 0.5 s, from -1 to 1: refused by simulate" in text
    text = str(double("abs(t - 2)").check(coordinates=coordinates))
    assert "driver motor changes its speed at once at t = 2 s, from -1 to 1: velocities jump there" in text


def test_functions_that_break_too_often_are_told():
    with pytest.raises(DescriptionError, match=r"Driver 'motor' jumps or bends too often"):
        double("abs(sin(1e6*t))").simulate(100.0, every=10.0, coordinates="body")
