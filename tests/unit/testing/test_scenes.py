"""The small tools of the checks."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.mechanism.steps import Ball, Helix, Roll, Shift, Slide, Tilt, Turn
from linkwork.testing import places, scenes


def test_derivative_is_exact_for_a_quartic():
    assert scenes.derivative(lambda s: s**4 - 2 * s**3, 0.7) == pytest.approx(4 * 0.7**3 - 6 * 0.7**2, abs=1e-11)


@pytest.mark.parametrize("got", [1.1, np.nan, [1.0, 1.0]])
def test_close_says_by_how_much(got):
    with pytest.raises(AssertionError, match=r"length: (off by 0.1, allowed 1e-06|got)"):
        scenes.close("length", got, 1.0, 1e-6)


def test_close_is_relative_to_the_larger_size():
    scenes.close("length", 100.00001, 100.0, 1e-6)
    scenes.close("length", 1e-7, 0.0, 1e-6)
    with pytest.raises(AssertionError):
        scenes.close("length", 100.001, 100.0, 1e-6)


@pytest.mark.parametrize("dimension", [2, 3])
def test_closed_ways_come_back(dimension):
    moving = scenes.Moving.random(places.places(dimension, "test"), 2, np.random.default_rng(0), closed=True)
    for first, last in zip(moving.poses(0.0), moving.poses(2 * np.pi)):
        assert last == pytest.approx(first, abs=1e-14)
    assert not np.allclose(moving.poses(0.0)[0], moving.poses(np.pi)[0])


def test_through_turn_then_slide():
    place = scenes.through(np.zeros(3), (Turn(), Slide("x"), Shift("y", 0.5)), {"angle": np.pi / 2, "slide": 2.0})
    assert place == pytest.approx([-0.5, 2.0, np.pi / 2])


def test_a_step_derived_from_another_leads_where_that_one_does():
    class Hinge(Turn):
        pass

    assert scenes.through(np.zeros(3), (Hinge(), Slide("x")), {"angle": np.pi / 2, "slide": 2.0}) == pytest.approx(
        [0.0, 2.0, np.pi / 2]
    )


def test_through_roll_turns_backwards():
    place = scenes.through(np.zeros(3), (Shift("y", 0.5), Roll(0.5)), {"slide": 1.0})
    assert place == pytest.approx([1.0, 0.5, -2.0])


def test_body_under_is_the_inverse_of_world():
    frame = lw.Frame("one", (0.3, -0.2, 0.0), 0.8)
    pose = np.array([1.0, 2.0, -0.4])
    assert scenes.body_under(scenes.world(pose, frame), frame) == pytest.approx(pose)


@pytest.mark.parametrize("check", [lw.testing.check_joint, lw.testing.check_measure])
def test_other_dimensions_are_refused(check):
    with pytest.raises(lw.errors.DescriptionError, match=r"has no check in this dimension. Got 4"):
        check(lw.Revolute, dimension=4)


def test_turn_is_the_exponential():
    """Against a product of many small turns, and exactly a rotation."""
    vector = np.array([0.3, -1.1, 0.8])
    skew = np.cross(np.eye(3), vector)
    assert places.turn(vector) == pytest.approx(np.linalg.matrix_power(np.eye(3) + skew / 2**26, 2**26), abs=1e-7)
    assert places.turn(vector) @ places.turn(vector).T == pytest.approx(np.eye(3), abs=1e-15)
    assert places.turn((0.0, 0.0, 0.0)) == pytest.approx(np.eye(3))


@pytest.mark.parametrize("dimension", [2, 3])
def test_inverse_undoes_a_pose(dimension):
    where = places.places(dimension, "test")
    pose = where.path(np.random.default_rng(4))(0.3)
    for both in (where.compose(pose, where.inverse(pose)), where.compose(where.inverse(pose), pose)):
        assert both == pytest.approx(where.identity, abs=1e-14)
    assert where.compose(pose, where.identity) == pytest.approx(pose)


def test_twist_of_a_body_that_spins_about_its_own_axis():
    """Angular velocity is along the axes of the body, which lies over here."""
    space = places.Space()
    over = places.turn((0.0, 0.9, 0.0))
    twist = space.twist(lambda s: space.pose((2.0 * s, 0.0, 0.0), over @ places.turn((0.0, 0.0, 3.0 * s))), 0.2)
    assert twist == pytest.approx([2.0, 0.0, 0.0, 0.0, 0.0, 3.0], abs=1e-10)


def test_steps_in_space():
    space = places.Space()
    pose = space.through((Turn(), Tilt("x"), Slide("z"), Shift("x", 0.5)), {"angle": np.pi / 2, "slide": 2.0})
    # x leads along the world's y after the turn, z along its x after the tilt
    assert pose[:3, 3] == pytest.approx([2.0, 0.5, 0.0])
    assert space.of_step(Helix(0.1), 2.0)[:3, 3] == pytest.approx([0.0, 0.0, 0.2])
    assert space.of_step(Ball(), (0.0, 0.0, 0.4)) == pytest.approx(space.of_step(Turn(), 0.4))


def test_flat_poses_are_the_same_in_space():
    plane, space = places.Plane(), places.Space()
    steps = (Shift("y", 0.5), Roll(0.5, 0.2), Slide("x"), Turn())
    values = {"slide": 1.0, "angle": -0.4}
    x, y, angle = plane.through(steps, values)
    assert space.through(steps, values) == pytest.approx(space.pose((x, y, 0.0), places.turn((0.0, 0.0, angle))))
