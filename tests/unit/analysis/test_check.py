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
