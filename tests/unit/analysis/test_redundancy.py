"""Redundant constraints in words: who takes part, along and about what, how drivers compare with the freedom."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.redundancy import counted, direction, phrase
from linkwork.errors import RedundancyWarning


def crank(*functions):
    m = lw.Mechanism("crank")
    body = m.add("crank", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, body.a))
    for k, function in enumerate(functions):
        m.add(f"d{k}", lw.Driver(lw.Angle(m.ground, body.at(0.1 * k, 0.2)), function))
    return m


def arm(*names):
    """Two links, two freedoms, and drivers for some of them."""
    m = lw.Mechanism("arm")
    upper, lower = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in ("upper", "lower"))
    m.add("A", lw.Revolute(m.ground, upper.a))
    m.add("B", lw.Revolute(upper.b, lower.a))
    for name in names:
        m.add(f"d{len(m.drivers)}", lw.Driver(name, "0.3 + t"))
    return m


@pytest.mark.parametrize(
    ("m", "kind", "freedom", "left", "words"),
    [
        (crank(), "not driven", 1, 1, "not driven: 1 freedom left to forces"),
        (crank("t"), "fully driven", 1, 0, "fully driven: 1 driver for 1 freedom"),
        (crank("t", "t"), "over-driven", 1, 0, "over-driven: 2 drivers for 1 freedom; d0, d1 drive one freedom"),
        (arm("A.angle"), "under-driven", 2, 1, "under-driven: 1 driver for 2 freedoms, 1 left to forces"),
        (arm("A.angle", "B.angle"), "fully driven", 2, 0, "fully driven: 2 drivers for 2 freedoms"),
        (arm("A.angle", "upper.angle"), "over-driven", 2, 1, "d0, d1 drive one freedom; 1 left to forces"),
    ],
)
def test_drivers_against_freedom(m, kind, freedom, left, words):
    """Nikravesh 13.6: fewer, as many, or more drivers than freedoms, told by the rank."""
    found = m.check(coordinates="body")
    assert (found.driven.kind, found.driven.freedom, found.freedom) == (kind, freedom, left)
    assert found.rank + found.redundant == found.constraints
    assert words in str(found) and f"rank {found.rank} of {found.constraints} constraints" in str(found)


def test_a_driver_of_what_joints_hold_is_called_that():
    m = crank()
    m.add("d", lw.Driver(lw.WorldOffset(m.ground, m["crank"].a, "x"), "0"))
    found = m.check(coordinates="body")
    assert found.driven.kind == "over-driven" and found.driven.spare == (("d",),)
    assert "d drives what joints hold" in str(found)


def test_a_structure_has_nothing_left():
    m = crank()
    m.add("stop", lw.Hold(m.ground, m["crank"], angle=0.3))
    found = m.check(start={"A.angle": 0.3}, coordinates="body")
    assert (found.freedom, found.driven.kind) == (0, "not driven") and "nothing moves" in str(found)


def shaft_and_four_bar():
    """Two redundancies that have nothing to do with each other."""
    m = lw.Mechanism("two", dimension=3)
    shaft = m.add("shaft", lw.cylinder(radius=0.1, length=2.0, mass=1.0, position=(0, 5, 0)))
    m.add("P", lw.Revolute(m.ground.at(0, 5, -1), shaft.at(0, 0, -1)))
    m.add("Q", lw.Cylindrical(m.ground.at(0, 5, 1), shaft.at(0, 0, 1)))
    for name, length in (("crank", 1.0), ("coupler", 3.0), ("rocker", 2.5)):
        m.add(name, lw.cylinder(radius=0.02, length=length, mass=1.0, axis="x"))
    m.add("A", lw.Revolute(m.ground, m["crank"].a))
    m.add("B", lw.Revolute(m["crank"].b, m["coupler"].a))
    m.add("C", lw.Revolute(m["coupler"].b, m["rocker"].b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0, 0), m["rocker"].a))
    return m


def test_groups_are_told_apart_and_everybody_once():
    found = shaft_and_four_bar().check(start={"A.angle": 1.0}, coordinates="body")
    assert [(one.number, one.joints) for one in found.groups] == [(4, ("P", "Q")), (3, ("A", "B", "C", "D"))]
    assert found.redundant == 7 and found.groups[1].directions["A"] == ("along z", "about y", "about x")
    text = str(found)
    assert "7, in 2 groups" in text
    assert "4, among the joints P, Q: along x and y, about x and y of each" in text
    assert "3, among the joints A, B, C, D: along z, about x and y of each" in text


def test_assembly_warns_and_solves_on():
    m = shaft_and_four_bar()
    with pytest.warns(RedundancyWarning, match="3, among the joints A, B, C, D: along z, about x and y of each"):
        state = m.assemble(start={"A.angle": 1.0}, coordinates="body").state
    assert state["A.angle"] == pytest.approx(1.0, abs=1e-14)
    with pytest.warns(RedundancyWarning):
        run = m.simulate(0.1, start={"A.angle": 1.0}, coordinates="body")
    assert run.violation.max() < 1e-9


@pytest.mark.filterwarnings("error::linkwork.errors.RedundancyWarning")
def test_who_asks_or_goes_on_is_not_warned():
    m = shaft_and_four_bar()
    assert m.check(start={"A.angle": 1.0}, coordinates="body").redundant == 7
    lw.gallery.four_bar().assemble(coordinates="body")


def test_words():
    assert [direction(one) for one in ("x", "angle", "x-z", "y-z", "z-z", "length", "")] == [
        "along x", "about z", "about y", "about x", "about the normal of both z", "length", "as driven"
    ]  # fmt: skip
    assert phrase(["about y", "along z", "about x"]) == "along z, about x and y"
    assert phrase(["along z", "along y", "along x"]) == "along x, y and z"
    assert phrase(["length"]) == "length"
    assert counted("abcdefgh") == "a, b, c, d, e, f, and 2 more"


# -- singular positions against redundancy -------------------------------------------------------------------------


def scissor_lift(stages, extra=False):
    m = lw.Mechanism("scissor lift")
    low = (m.ground, m.ground)
    for k in range(stages):
        one, two = (m.add(f"{name}{k}", lw.bar(length=1.0, mass=1.0)) for name in ("one", "two"))
        m.add(f"L{k}", lw.Revolute(low[0], one.a))
        m.add(f"R{k}", lw.Revolute(low[1], two.a) if k else lw.PinInSlot(m.ground, two.a))
        m.add(f"M{k}", lw.Revolute(one.middle, two.middle))
        low = two.b, one.b
    if extra:  # in a scissor the left ends stay above each other
        m.add("wall", lw.PinInSlot(m.ground.at(0, 0, angle="90 deg"), m["two0"].b))
    return m


def lift_at(stages, angle):
    return {f"one{k}.angle": angle for k in range(stages)} | {f"two{k}.angle": math.pi - angle for k in range(stages)}


@pytest.mark.parametrize("stages", [2, 3, 4])
@pytest.mark.parametrize("extra", [False, True])
def test_a_folded_scissor_lift_is_singular_and_a_roller_too_many_is_redundant(stages, extra):
    """Flat, every further stage can turn about the one below: rank J by its singular values, here and standing up."""
    m = scissor_lift(stages, extra)
    for angle, freedom in ((0.0, stages), (0.4, 1)):
        found = m.check(start=lift_at(stages, angle), coordinates="body")
        assert (found.freedom, found.nearby, found.redundant, found.singular) == (freedom, 1, extra, angle == 0.0)
        state = m.assemble(start=lift_at(stages, angle), coordinates="body").state
        J = m.evaluate(state, coordinates="body").jacobian
        assert np.linalg.matrix_rank(J, 1e-9) == found.rank == J.shape[1] - freedom
        if extra:
            assert "wall" in found.redundant_joints and str(found.suggestion) == "leave out the PinInSlot wall"
        told = f"the freedom here is larger than nearby, {stages} against 1"
        assert (told in str(found)) == (angle == 0.0)


def test_bars_in_line_are_shaky_not_redundant():
    """Three pins in line: a velocity is free, and no motion comes of it."""
    m = lw.Mechanism("shaky")
    a, b = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in "ab")
    m.add("A", lw.Revolute(m.ground, a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(m.ground.at(2, 0), b.b))
    found = m.check(coordinates="body")
    assert (found.freedom, found.nearby, found.redundant, found.singular) == (1, 0, 0, True)
