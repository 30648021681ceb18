"""Positions read between others: the same as followed one by one, to rounding, or followed one by one."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import between, kinematics

COUNT = 8001


def four_bar(crank=1.0, coupler=3.0, rocker=2.5, ground=3.2, drive=None):
    m = lw.Mechanism("four-bar")
    one = m.add("crank", lw.bar(length=crank, mass=1.0))
    two = m.add("coupler", lw.bar(length=coupler, mass=2.0, points={"tip": (0.4, 0.7)}))
    three = m.add("rocker", lw.bar(length=rocker, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    m.add("C", lw.Revolute(two.b, three.b))
    m.add("D", lw.Revolute(m.ground.at(ground, 0), three.a))
    if drive is not None:
        m.add("motor", lw.Driver("A.angle", drive))
    return m


MECHANISMS = {
    "four-bar": lambda: four_bar(drive=lw.Polynomial(0.5, 2.0, 0.4)),
    "harmonic": lambda: four_bar(drive=lw.Harmonic(0.8, 3.0, 0.2)),
    "six-bar": lw.gallery.six_bar_quick_return,
}


def one_by_one(m, times, monkeypatch, **options):
    with monkeypatch.context() as patch:
        patch.setattr(kinematics, "readable", lambda *given: False)
        return m.kinematics(times, coordinates="body", **options)


def series(run):
    stored = run.stored()
    return stored["states"], stored["accelerations"], run.multipliers


def same(found, wanted, tolerance):
    for one, other in zip(series(found), series(wanted)):
        size = np.maximum(np.abs(other).max(axis=0), 1e-2 * np.abs(other).max())
        assert (np.abs(one - other) <= tolerance * size).all(), np.abs(one - other).max()
    assert np.array_equal(found.t, wanted.t) and found.branch is not None


@pytest.mark.parametrize("name", MECHANISMS)
def test_the_same_as_one_by_one(name, monkeypatch):
    m = MECHANISMS[name]()
    times = np.linspace(0.0, 1.0, COUNT + 3)  # the last part is not whole
    found, wanted = m.kinematics(times, coordinates="body"), one_by_one(m, times, monkeypatch)
    assert found.statistics.steps < 0.4 * COUNT <= wanted.statistics.steps
    same(found, wanted, 2e-11)


def test_closed_form():
    """A crank alone: place, speed and acceleration of its end, and the force of its pin."""
    m = lw.Mechanism("crank", gravity=None)
    bar = m.add("bar", lw.bar(length=2.0, mass=3.0))
    m.add("A", lw.Revolute(m.ground, bar.a))
    m.add("motor", lw.Driver("A.angle", lw.Polynomial(0.3, 5.0)))
    run = m.kinematics(np.linspace(0.0, 2.0, 8001), coordinates="body")
    assert run.statistics.steps < 1000
    angle = 0.3 + 5.0 * run.t
    for name, wanted in (
        ("bar.x", np.cos(angle)),
        ("bar.y.rate", 5.0 * np.cos(angle)),
        ("bar.x.acceleration", -25.0 * np.cos(angle)),
        ("A.reaction.x", -75.0 * np.cos(angle)),
        ("motor.effort", 0.0 * angle),
    ):
        assert np.abs(run[name] - wanted).max() < 1e-11 * max(1.0, np.abs(wanted).max()), name


def test_over_names(monkeypatch):
    m = four_bar()
    over = {"A.angle": (0.0, "360 deg", COUNT)}
    found = m.kinematics(over=over, coordinates="body")
    monkeypatch.setattr(kinematics, "readable", lambda *given: False)
    same(found, m.kinematics(over=over, coordinates="body"), 2e-11)


def followed(m, times, **options):
    """Whether every position is followed."""
    return m.kinematics(times, coordinates="body", **options).statistics.steps >= len(times) - 1


def test_what_is_followed_all_along():
    even = np.linspace(0.0, 1.0, COUNT)
    plain = four_bar(drive=lw.Polynomial(0.5, 2.0))
    assert not followed(plain, even)
    assert followed(plain, even[:4000])  # few
    assert followed(plain, even**1.1)  # uneven
    sprung = four_bar(drive=lw.Polynomial(0.5, 2.0))
    sprung.add("S", lw.SpringDamper(sprung.ground, sprung["coupler"].tip, stiffness=3.0))
    assert followed(sprung, even)  # laws may do anything between two positions
    knots = np.linspace(0.0, 1.0, 9)
    assert followed(four_bar(drive=lw.Table(knots, 0.5 + np.sin(knots))), even)
    assert followed(four_bar(drive=lw.SmoothStep(0.2, 0.5, 0.3, 1.5)), even)
    assert followed(four_bar(drive=lw.Expression("0.5 + exp(-1e6*(t - 0.30006)**2)")), even)


def test_what_moves_too_fast_for_it_is_followed(monkeypatch):
    """A driver that has the same phase in all positions that would be followed: nothing is hidden between them."""
    times = np.linspace(0.0, 1.0, 6401)
    for m in between.FOLLOWED:
        step = m * (times[1] - times[0])
        mechanism = four_bar(drive=lw.Harmonic(1e-3, 2.0 * np.pi / step, 0.4))
        found, wanted = mechanism.kinematics(times, coordinates="body"), one_by_one(mechanism, times, monkeypatch)
        same(found, wanted, 1e-9)
        assert np.ptp(found["A.angle"]) > 1.8e-3


def test_dead_centres_and_near_ones(monkeypatch):
    """Ends are where they are; beside one that is just missed, velocities have a peak that is not smoothed."""
    dead = four_bar(crank=2.0, coupler=2.0, rocker=2.0, ground=4.5, drive=lw.Polynomial(0.2, 1.0))
    times = np.linspace(0.0, 3.0, COUNT)
    with pytest.warns(lw.errors.MotionEndsWarning):
        found = dead.kinematics(times, coordinates="body")
    with pytest.warns(lw.errors.MotionEndsWarning):
        wanted = one_by_one(dead, times, monkeypatch)
    assert found.ended == wanted.ended and len(found.t) == len(wanted.t)
    for miss in (1e-2, 1e-4, 1e-6):  # ground + crank = coupler + rocker: folded flat once a turn
        near = four_bar(crank=1.0, coupler=3.0, rocker=2.0 + miss, ground=4.0, drive=lw.Polynomial(0.5, 2.0 * np.pi))
        near_times = np.linspace(0.0, 1.0, COUNT)
        same(near.kinematics(near_times, coordinates="body"), one_by_one(near, near_times, monkeypatch), 1e-7)


@pytest.mark.parametrize("m", between.FOLLOWED)
def test_polynomials_are_read_exactly(m):
    rng = np.random.default_rng(m)
    nodes = np.arange(30.0)
    x = (nodes[:-1, None] + np.arange(1, m) / m).ravel()
    for count, degree, rates in ((between.NODES, 11, True), (between.MORE_NODES, 9, False)):
        p = np.polynomial.Polynomial(rng.normal(size=degree + 1), domain=[0, 29], window=[-1, 1])
        known = [p(nodes)[:, None], p.deriv()(nodes)[:, None]][: 2 if rates else 1]
        read = between._between(m, count, *known)[:, :, 0].ravel()
        assert np.abs(read - p(x)).max() < 1e-12 * np.abs(p(x)).max()
