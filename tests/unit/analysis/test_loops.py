"""Loops of vectors of the gallery's mechanisms: their number, their vectors, what can change, and that they close."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, LinkworkError


@pytest.mark.parametrize("name", [key for key in dir(lw.gallery) if key in lw.gallery.names()])
def test_every_mechanism_of_the_gallery(name):
    """As many loops as `check` counts, couplings apart, and every one closes."""
    m = lw.gallery.get(name)
    found = m.loops()
    couplings = sum(
        type(joint).__name__ in ("Gear", "Belt", "RackAndPinion", "BevelGear") for joint in m.joints.values()
    )
    assert len(found) == m.check(coordinates="body").loops - couplings
    for loop in found:
        assert loop.closing < 1e-9
        assert str(loop) in str(found)


def test_a_four_bar():
    (loop,) = lw.gallery.four_bar().loops()
    assert [one.name for one in loop.vectors] == ["ground", "crank", "coupler", "rocker"]
    np.testing.assert_allclose([one.length for one in loop.vectors], [3.2, 1.0, 3.0, 2.5])
    assert [one.angle_varies for one in loop.vectors] == [False, True, True, True]
    assert not any(one.length_varies for one in loop.vectors)


def test_what_varies_along_guides():
    quick, output = lw.gallery.six_bar_quick_return().loops()
    varies = {one.name: (one.length_varies, one.angle_varies) for loop in (quick, output) for one in loop.vectors}
    assert varies["rocker_guide"] == (True, True) and varies["slider_guide"] == (True, False)
    assert varies["rod"] == (False, True) and varies["ground"] == (False, False)
    assert "length and angle" in str(quick)


def test_a_rod_is_a_vector_of_its_own():
    m = lw.Mechanism("rod")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("tie", lw.Rod(m.ground.at(2.0, 0.0), crank.b, length=1.8))
    (loop,) = m.loops({"A.angle": math.acos((1 + 4 - 1.8**2) / 4)})
    tie = next(one for one in loop.vectors if one.name == "tie")
    assert tie.length == pytest.approx(1.8) and (tie.length_varies, tie.angle_varies) == (False, True)


def test_states_and_open_chains():
    m = lw.gallery.four_bar()
    state = m.assemble(start={"A.angle": 1.5}, coordinates="body").state
    (loop,) = m.loops(state)
    assert next(one for one in loop.vectors if one.name == "crank").angle == pytest.approx(1.5)
    assert len(lw.gallery.double_pendulum().loops()) == 0
    assert "no loops" in str(lw.gallery.double_pendulum().loops())


def test_in_space():
    m = lw.gallery.four_bar().in_space()
    (loop,) = m.loops()
    assert loop.vectors[0].components.shape == (3,) and loop.closing < 1e-9 and "angle [deg]" not in str(loop)


def test_what_cannot_be_assembled_is_told():
    m = lw.gallery.four_bar()
    with pytest.raises(LinkworkError):
        m.loops({"A.angl": 1.0})
    with pytest.raises(DescriptionError):
        m.loops(3.0)


def test_couplings_close_no_loop():
    """A rack is tied to its pinion by one sum of travel and turn, which holds no place."""
    m = lw.Mechanism("rack")
    pinion, rack = m.add("pinion", lw.disc(radius=0.1, mass=1.0)), m.add("rack", lw.Body(mass=1.0, inertia=1.0))
    m.add("A", lw.Revolute(m.ground, pinion))
    m.add("S", lw.Prismatic(m.ground.at(0, -0.1), rack))
    m.add("R", lw.RackAndPinion(rack, pinion, radius=0.1))
    assert len(m.loops()) == 0
