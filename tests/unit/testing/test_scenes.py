"""The small tools of the checks."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.mechanism.joints import Roll, Shift, Slide, Turn
from linkwork.testing import scenes


def test_derivative_is_exact_for_a_quartic():
    assert scenes.derivative(lambda s: s**4 - 2 * s**3, 0.7) == pytest.approx(
        4 * 0.7**3 - 6 * 0.7**2, abs=1e-11
    )


@pytest.mark.parametrize("got", [1.1, np.nan, [1.0, 1.0]])
def test_close_says_by_how_much(got):
    with pytest.raises(AssertionError, match=r"length: (off by 0.1, allowed 1e-06|got)"):
        scenes.close("length", got, 1.0, 1e-6)


def test_close_is_relative_to_the_larger_size():
    scenes.close("length", 100.00001, 100.0, 1e-6)
    scenes.close("length", 1e-7, 0.0, 1e-6)
    with pytest.raises(AssertionError):
        scenes.close("length", 100.001, 100.0, 1e-6)


def test_motion_is_its_own_derivative():
    motion = scenes.Motion.random(["one", "two"], np.random.default_rng(0))
    slope = scenes.derivative(lambda s: motion.state(s)["two.angle"], 0.3)
    assert motion.state(0.3)["two.angle.rate"] == pytest.approx(slope, abs=1e-11)


def test_through_turn_then_slide():
    place = scenes.through(
        np.zeros(3), (Turn(), Slide("x"), Shift("y", 0.5)), {"angle": np.pi / 2, "slide": 2.0}
    )
    assert place == pytest.approx([-0.5, 2.0, np.pi / 2])


def test_through_roll_turns_backwards():
    place = scenes.through(np.zeros(3), (Shift("y", 0.5), Roll(0.5)), {"slide": 1.0})
    assert place == pytest.approx([1.0, 0.5, -2.0])


def test_body_under_is_the_inverse_of_world():
    frame = lw.Frame("one", (0.3, -0.2, 0.0), 0.8)
    pose = np.array([1.0, 2.0, -0.4])
    assert scenes.body_under(scenes.world(pose, frame), frame) == pytest.approx(pose)


def test_space_is_refused_for_now():
    with pytest.raises(
        lw.errors.DescriptionError, match=r"check_joint has no check in this dimension. Got 3"
    ):
        lw.testing.check_joint(lw.Revolute, dimension=3)
