"""Declared poses: kept while the rest can close the mechanism, else moved and told; what gives way to start values."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import MovedWarning


def four_bar(**poses):
    """Crank 1, coupler 3, rocker 2.5, pins 3.2 apart, with poses by body."""
    m = lw.Mechanism("four-bar")
    given = {name: poses.get(name, {}) for name in ("crank", "coupler", "rocker")}
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0, **given["crank"]))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0, **given["coupler"]))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5, **given["rocker"]))
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    return m


def silent(m, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error", MovedWarning)
        return m.assemble(coordinates="body", **options)


@pytest.mark.parametrize("angle", [0.3, 1.0, 2.5, -2.0])
def test_an_angle_that_was_declared_is_not_shared_with_bodies_that_were_not(angle):
    a = silent(four_bar(crank={"angle": angle}))
    assert a["crank.angle"] == pytest.approx(angle, abs=1e-15)


def test_a_place_that_was_declared_is_kept_while_the_body_turns_about_it():
    m = lw.Mechanism("swing")
    body = m.add("body", lw.Body(1.0, 0.1, center=(0.3, 0.1), position=(0.6, 0.8)))
    m.add("A", lw.Revolute(m.ground, body.at(0.0, 1.0)))
    a = silent(m)
    assert (a["body.x"], a["body.y"]) == pytest.approx((0.6, 0.8), abs=1e-12)
    assert math.cos(a["body.angle"]) == pytest.approx(-0.8, abs=1e-11)  # the pin is at the origin


def test_what_cannot_be_kept_is_told_with_how_far():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0, position=(0.0, -0.8), angle=-math.pi / 2))
    m.add("A", lw.Revolute(m.ground, bar.a))
    with pytest.warns(MovedWarning, match=r"'pendulum' does not close .* moved bar by 0\.3 m\. Correct"):
        m.simulate(0.01, coordinates="body")


def test_rounded_numbers_are_not_told():
    m = lw.Mechanism("pendulum")
    bar = m.add("bar", lw.bar(length=1.0, mass=1.0, position=(0.354, 0.354), angle="45 deg"))
    m.add("A", lw.Revolute(m.ground, bar.a))
    assert silent(m)["bar.x"] == pytest.approx(0.5 * math.sqrt(0.5), abs=2e-4)


def test_only_the_part_that_does_not_close_lets_its_poses_go():
    m = four_bar(crank={"angle": 1.0})
    loose = m.add("loose", lw.bar(length=1.0, mass=1.0, position=(5.5, 0.3), angle=0.0))
    m.add("L", lw.Revolute(m.ground.at(5, 0), loose.a))
    with pytest.warns(MovedWarning) as told:
        a = m.assemble(coordinates="body")
    assert a["crank.angle"] == pytest.approx(1.0, abs=1e-15)
    assert "loose" in str(told[0].message)
    assert "crank" not in str(told[0].message)


def test_declared_bodies_move_less_than_others_where_they_must_move():
    """Crank and rocker contradict each other: the coupler is too short between them, and all three must give way."""
    m = four_bar(crank={"angle": math.pi}, rocker={"angle": 0.0})
    with pytest.warns(MovedWarning, match="rocker by"):
        a = m.assemble(coordinates="body")
    assert abs(a.state["C.angle"]) < 10.0


def test_start_values_win_over_declared_poses_without_a_word():
    closed = four_bar(crank={"angle": 1.0}).assemble(coordinates="body")
    poses = {
        name: {"position": (closed[f"{name}.x"], closed[f"{name}.y"]), "angle": closed[f"{name}.angle"]}
        for name in ("crank", "coupler", "rocker")
    }
    m = four_bar(**poses)
    assert silent(m)["rocker.angle"] == pytest.approx(closed["rocker.angle"], abs=1e-12)
    assert silent(m, start={"A.angle": 1.4})["crank.angle"] == pytest.approx(1.4, abs=1e-12)
    assert silent(m, start={"crank.angle": 1.4})["crank.angle"] == pytest.approx(1.4, abs=1e-12)
    other = closed.others[0]
    there = silent(m, start={"A.angle": 1.0}, near={"coupler.angle": other["coupler.angle"]})
    assert there["coupler.angle"] == pytest.approx(other["coupler.angle"], abs=1e-9)


def test_a_driver_at_another_time_wins_too_but_not_at_the_start():
    m = four_bar(crank={"angle": 1.0})
    m.add("motor", lw.Driver(m.joints["A"].angle, lw.Polynomial(1.0, 2.0)))
    assert silent(m, t=0.2)["crank.angle"] == pytest.approx(1.4, abs=1e-12)
    m.replace("motor", lw.Driver(m.joints["A"].angle, lw.Polynomial(1.2, 2.0)))
    with pytest.warns(MovedWarning, match=r"moved crank by 0\.2 rad"):
        m.assemble(coordinates="body")


def test_start_values_do_not_hide_poses_that_contradict_the_joints():
    poses = {
        "crank": {"position": (0.0, 0.9), "angle": "90 deg"},
        "rocker": {"position": (3.0, 2.0), "angle": "90 deg"},
    }
    with pytest.warns(MovedWarning, match="rocker by"):
        four_bar(**poses).assemble(start={"A.angle": 1.4}, coordinates="body")


def test_an_orientation_is_kept_and_its_place_follows():
    tilt = lw.Orientation.from_angles("XYZ", (0.3, -0.5, 1.0))
    m = lw.Mechanism("ball", dimension=3)
    body = m.add("body", lw.Body(1.0, (0.1, 0.2, 0.25), center=(0.1, 0.2, 0.0), orientation=tilt))
    m.add("S", lw.Spherical(m.ground.at(0.1, 0.2, 0.3), body.at(0.0, 0.0, -1.0)))
    a = silent(m)
    np.testing.assert_allclose(
        [a[f"body.{axis}"] for axis in "xyz"], tilt.apply((0, 0, 1)) + (0.1, 0.2, 0.3), atol=1e-12
    )


def test_where_kinematics_begins_is_asked_for():
    """The quick return is declared with its crank at 30 degrees: to begin elsewhere is no mistake of its poses."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", MovedWarning)
        run = lw.gallery.six_bar_quick_return().kinematics(over={"O.angle": (0, "90 deg", 10)})
    assert run["O.angle"][0] == pytest.approx(0.0, abs=1e-15)

    wrong = four_bar(crank={"angle": 0.3}, coupler={"angle": 0.5, "position": (4.0, 2.0)}, rocker={"angle": 0.1})
    with pytest.warns(MovedWarning):
        wrong.kinematics(over={"A.angle": (1.0, 2.0, 10)})
