"""Grashof's rule, and slider-cranks: what a linkage is called is compared with how far it can turn."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.compiled.linkages import linkage_of


def four_bar(ground, crank, coupler, rocker):
    m = lw.Mechanism("four-bar")
    a, b, c = (
        m.add(name, lw.bar(length=length, mass=1.0))
        for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker))
    )
    m.add("A", lw.Revolute(m.ground.at(0.3, 0.2), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(c.b, b.b))
    m.add("D", lw.Revolute(c.a, m.ground.at(0.3 + 0.6 * ground, 0.2 + 0.8 * ground)))
    return m


def can_be_built(ground, crank, coupler, rocker, angle):
    """Whether coupler and rocker reach each other when the crank stands at an angle against ground."""
    diagonal = math.sqrt(ground**2 + crank**2 - 2.0 * ground * crank * math.cos(angle))
    return abs(coupler - rocker) <= diagonal <= coupler + rocker


def full_turn(*lengths):
    return all(can_be_built(*lengths, angle) for angle in np.linspace(0.0, 2.0 * math.pi, 721))


def test_random_four_bars_turn_as_they_are_called():
    rng = np.random.default_rng(5)
    seen = set()
    for _ in range(300):
        g, a, b, c = rng.uniform(0.5, 3.0, 4)
        if max(g, a, b, c) > 0.95 * (g + a + b + c - max(g, a, b, c)):
            continue  # cannot be closed, or nearly
        found = linkage_of(four_bar(g, a, b, c))
        crank, rocker = full_turn(g, a, b, c), full_turn(g, c, b, a)
        seen.add(found.name)
        if found.name == "double-crank":
            assert crank and rocker
        elif found.name == "crank-rocker":
            assert crank != rocker and ("crank turns" in found.text) == crank
        else:
            assert not crank and not rocker
            coupler = full_turn(a, b, c, g)  # against the crank
            assert coupler == (found.name == "double-rocker")
    assert seen == {"double-crank", "crank-rocker", "double-rocker", "triple-rocker"}


def test_a_parallelogram_has_a_change_point():
    found = linkage_of(four_bar(2.0, 1.0, 2.0, 1.0))
    assert found.change_point and found.turns_fully and "change point" in found.text


def slider_crank(crank, rod, offset, tilt):
    m = lw.Mechanism("slider-crank")
    a, b = m.add("crank", lw.bar(length=crank, mass=1.0)), m.add("rod", lw.bar(length=rod, mass=1.0))
    block = m.add("block", lw.Body(mass=1.0, inertia=1.0, points={"pin": (0.1, 0.25)}))
    along = (math.cos(tilt), math.sin(tilt))
    rail = (0.4 - along[1] * (offset - 0.25), -0.7 + along[0] * (offset - 0.25))
    m.add("A", lw.Revolute(m.ground.at(0.4, -0.7), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, block.pin))
    m.add("S", lw.Prismatic(m.ground.at(*rail, along=along), block))
    return m


@pytest.mark.parametrize("tilt", [0.0, 0.8, 2.5])
@pytest.mark.parametrize(
    "crank, rod, offset, words",
    [
        (1.0, 3.0, 0.0, "crank turns fully"),
        (1.0, 3.0, -1.9, "crank turns fully"),
        (1.0, 3.0, 2.1, "neither bar turns fully"),
        (3.0, 1.0, 0.5, "rod turns fully against the others, the bar on ground rocks"),
        (1.0, 1.5, 0.5, "change point"),
    ],
)
def test_slider_cranks_with_offset(crank, rod, offset, words, tilt):
    m = slider_crank(crank, rod, offset, tilt)
    found = linkage_of(m)
    assert found.name == "slider-crank" and words in found.text
    assert f"offset {abs(offset):.4g} m" in found.text


def inverted(ground, crank):
    """A crank whose pin slides in a guide that turns about another place on ground."""
    m = lw.Mechanism("guide")
    a = m.add("crank", lw.bar(length=crank, mass=1.0))
    block, guide = m.add("block", lw.Body(mass=1.0, inertia=1.0)), m.add("guide", lw.Body(mass=1.0, inertia=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, block))
    m.add("S", lw.Prismatic(guide, block))
    m.add("D", lw.Revolute(m.ground.at(ground, 0), guide))
    return m


def test_inversions():
    assert "the other bar and the guide turn fully" in linkage_of(inverted(1.0, 2.0)).text
    assert "crank turns fully, the guide swings" in linkage_of(inverted(2.0, 1.0)).text
    assert linkage_of(inverted(2.0, 1.0)).name == "inverted slider-crank"


def test_other_mechanisms_are_none_of_these():
    m = four_bar(3.2, 1.0, 3.0, 2.5)
    assert "kind                 four-bar, a crank-rocker" in str(m.check(coordinates="body"))
    m.add("more", lw.Body(mass=1.0, inertia=1.0, position=(0, 0), angle=0.0))
    assert linkage_of(m) is None
    assert linkage_of(four_bar(3.2, 1.0, 3.0, 2.5).in_space()) is None
    assert linkage_of(lw.gallery.andrews()) is None
    chain = lw.Mechanism("two pairs")
    bodies = [chain.add(name, lw.bar(length=1.0, mass=1.0)) for name in "abc"]
    chain.add("A", lw.Revolute(chain.ground.at(0, 0), bodies[0].a))
    chain.add("B", lw.Revolute(chain.ground.at(1, 0), bodies[0].b))
    chain.add("C", lw.Revolute(bodies[1].a, bodies[2].a))
    chain.add("D", lw.Revolute(bodies[1].b, bodies[2].b))
    assert linkage_of(chain) is None
