"""What `check` tells beside freedom and redundancy."""

import warnings

import pytest

import linkwork as lw
from linkwork.errors import MisfitWarning


def hanging(gap):
    """A rod in a bushing, whose end is `gap` below the ground's origin."""
    m = lw.Mechanism(dimension=3)
    m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0, position=(0.0, 0.0, 0.5 - gap)))
    m.add("A", lw.Bushing("ground", "rod.a", stiffness=(2e4, 2e4, 2e4, 50, 50, 50)))
    return m


def test_a_bushing_that_begins_far_apart_is_told_with_its_number():
    with pytest.warns(MisfitWarning, match=r"'A' \(Bushing\) begins with its ends 0\.7 m apart"):
        found = hanging(0.7).check(coordinates="body")
    assert found.apart == ("bushing A begins with its ends 0.7 m apart, which belong together",)
    assert found.apart[0] in str(found)


def test_a_bushing_that_gives_a_little_is_not_told():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = hanging(0.001).check(coordinates="body")
    assert found.apart == ()


def test_a_rod_between_two_balls_is_idle():
    s = lw.Mechanism("RSSR", dimension=3)
    s.add("crank", lw.cylinder(radius=0.008, length=0.1, mass=0.5, axis="x"))
    s.add("coupler", lw.cylinder(radius=0.006, length=0.42, mass=0.6, axis="x"))
    s.add("rocker", lw.cylinder(radius=0.008, length=0.25, mass=1.0, axis="x"))
    s.add("A", lw.Revolute(s.ground.at(0, 0, 0, axis=(1, 0, 0)), "crank.a"))
    s.add("B", lw.Spherical("crank.b", "coupler.a"))
    s.add("C", lw.Spherical("coupler.b", "rocker.b"))
    s.add("D", lw.Revolute(s.ground.at(0.35, 0.2, 0, axis=(0, 1, 0)), "rocker.a"))
    found = s.check(coordinates="body")
    assert found.freedom == 2 and found.idle == {"coupler": 1}
    assert "coupler, by turns that move nothing else: 1 of the freedom" in str(found)
    assert str(s.range("A.angle")).startswith("A.angle has no end either way, and is ")
    assert not lw.gallery.four_bar().check(coordinates="body").idle
