"""All equilibria in a range: by closed forms and by counting, along one freedom and by many starts."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, DescriptionError, UnknownNameError

G = 9.81


def coiled(stiffness, rest=math.pi / 2):
    m = lw.Mechanism("pendulum")
    m.add("rod", lw.bar(length=1.0, mass=2.0))
    m.add("A", lw.Revolute("ground", "rod.a"))
    m.add("coil", lw.TorsionSpringDamper("ground", "rod", stiffness=stiffness, rest_angle=rest))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("stiffness", [0.4, 1.1, 3.0, 12.0])
def test_a_coil_of_many_turns(coordinates, stiffness):
    """k (a - pi/2) + m g l/2 cos a = 0, over several turns: every root, with the sign of its slope."""

    def slope(a):
        return stiffness * (a - math.pi / 2) + G * np.cos(a)

    grid = np.linspace(-25.0, 25.0, 200_001)
    signs = np.flatnonzero(np.diff(np.sign(slope(grid + 1e-5 * math.pi))))
    wanted = [brentq(slope, grid[k], grid[k + 1] + 1e-4, xtol=1e-14) for k in signs]
    found = coiled(stiffness).equilibria({"A.angle": ("-25 rad", "25 rad")}, coordinates=coordinates)
    np.testing.assert_allclose(found.values("A.angle"), wanted, atol=1e-8)
    for one in found:
        curve = stiffness - G * math.sin(one["A.angle"])
        assert one.stability == ("stable" if curve > 0.0 else "unstable")
    assert f": {len(wanted)}, through 361 positions" in str(found) and not found.notes


@pytest.mark.parametrize("coordinates", SETS)
def test_roots_closer_than_the_positions_asked_for(coordinates):
    """Just above the weight where it begins to lean, three roots lie close together around upright."""
    weak = 0.9995 * G
    found = coiled(weak).equilibria({"A.angle": (0.0, 3.1)}, count=1201, coordinates=coordinates)
    assert [one.stability for one in found] == ["stable", "unstable", "stable"]
    lean = brentq(lambda d: weak * d - G * math.sin(d), 1e-3, 1.0, xtol=1e-14)
    np.testing.assert_allclose(found.values("A.angle") - math.pi / 2, [-lean, 0.0, lean], atol=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_loop(coordinates):
    """The four-bar over a turn: forces by virtual work of weight and spring, differentiated by hand."""
    m = lw.gallery.four_bar()
    found = m.equilibria({"A.angle": (0, "360 deg")}, coordinates=coordinates)
    run = m.kinematics(over={"A.angle": (0.0, 2 * math.pi, 20_001)}, coordinates=coordinates)
    energy = sum(body.mass * G * run[f"{name}.y"] for name, body in m.bodies.items())
    spring = m["spring"]
    energy = energy + 0.5 * spring.stiffness * (run["spring.length"] - spring.rest_length) ** 2
    slope = np.gradient(energy, run["A.angle"])
    k = np.flatnonzero(np.diff(np.sign(slope)))
    np.testing.assert_allclose(found.values("A.angle"), run["A.angle"][k], atol=5e-4)
    assert [one.stability for one in found] == ["unstable" if slope[j] > 0.0 else "stable" for j in k]


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", SETS)
def test_several_freedoms(coordinates):
    """A double pendulum has four: each rod up or down."""
    m = lw.gallery.double_pendulum()
    over = {"upper.angle": (0, "360 deg"), "lower.angle": (0, "360 deg")}
    found = m.equilibria(over, coordinates=coordinates)
    up, down = math.pi / 2, 3 * math.pi / 2
    got = np.column_stack([found.values(name) for name in over])
    np.testing.assert_allclose(got, [[up, up], [up, down], [down, up], [down, down]], atol=1e-8)
    assert [one.stability for one in found] == ["unstable", "unstable", "unstable", "stable"]
    assert "a search from 60 places" in found.searched and "may have missed" in str(found)
    half = m.equilibria({"upper.angle": ("180 deg", "360 deg")}, coordinates=coordinates)
    assert len(half) == 2 and "<table" in half._repr_html_()


@pytest.mark.parametrize("coordinates", SETS)
def test_space(coordinates):
    """A rod on a slanted hinge: two, with the mass centre lowest and highest."""
    m = lw.Mechanism("slanted", dimension=3)
    axis = (0.3, 0.9, 0.4)
    m.add("rod", lw.Body(1.0, (0.01, 0.02, 0.02), center=(0.4, 0.1, -0.2)))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=axis), m["rod"].at(0, 0, 0, axis=axis)))
    found = m.equilibria({"A.angle": (0, "360 deg")}, coordinates=coordinates)
    assert sorted(one.stability for one in found) == ["stable", "unstable"]
    assert abs(np.diff(found.values("A.angle"))[0]) == pytest.approx(math.pi, abs=1e-8)


def test_a_law_of_a_user_that_jumps_is_told():
    """A force that changes sign at once: no equilibrium there, and it is said."""

    def step(value, rate, t):
        return 3.0 if value < 0.2 else -3.0

    m = lw.Mechanism("jump", gravity=None)
    m.add("block", lw.Body(1.0, 1.0))
    m.add("guide", lw.Prismatic("ground", "block"))
    m.add("law", lw.UserForce("guide.slide", step))
    found = m.equilibria({"guide.slide": (-1.0, 1.0)}, count=41, coordinates="joint")
    assert len(found) == 0 and "changes sign at guide.slide = 0." in found.notes[0]


@pytest.mark.slow
@pytest.mark.parametrize("coordinates", SETS)
def test_a_force_that_touches_zero(coordinates):
    """A torque that just holds the rod level: cos a = 1 there, a root of second order, without a change of sign."""
    m = lw.gallery.pendulum()
    m.add("motor", lw.Torque("rod", 9.81 / 2))
    found = m.equilibria({"A.angle": (-2.0, 2.0)}, coordinates=coordinates)
    assert len(found) == 1 and found.values("A.angle")[0] == pytest.approx(0.0, abs=2e-4)


def test_where_forces_vanish_everywhere():
    m = lw.Mechanism("free", gravity=None)
    m.add("rod", lw.bar(length=1.0, mass=2.0))
    m.add("A", lw.Revolute("ground", "rod.a"))
    found = m.equilibria({"A.angle": (0, 3)}, coordinates="body")
    assert found.indifferent and len(found) == 0 and "all over the range" in str(found)


def test_where_there_is_none():
    """A block on a slope: found nothing, and says through what."""
    m = lw.Mechanism("slope")
    m.add("block", lw.Body(1.0, 1.0))
    m.add("guide", lw.Prismatic(m.ground.at(0, 0, angle=0.3), m["block"].at(0, 0)))
    found = m.equilibria({"guide.slide": (-1.0, 1.0)}, coordinates="body")
    assert len(found) == 0 and str(found).startswith("Equilibria of 'slope': 0, through 361 positions")


def test_the_end_of_a_way_is_told():
    """Moved by its slider, a slider-crank comes to its dead centre before the end of the range."""
    m = lw.gallery.slider_crank()
    m.remove("motor")
    m.gravity = (0.0, -G)
    reach = m.assemble(start={"A.angle": 1.0}, coordinates="body")
    here = float(reach.state["guide.slide"])
    found = m.equilibria({"guide.slide": (here, here + 1.0)}, near={"crank.angle": 1.0}, coordinates="body")
    assert any("dead centre" in note for note in found.notes)


def test_the_branch_of_a_state_is_kept():
    m = lw.gallery.four_bar()
    here = m.assemble(start={"A.angle": 1.0}, coordinates="body")
    other = here.others[0] if here.others else here
    one = m.equilibria({"A.angle": (0, "360 deg")}, start=getattr(other, "state", other), coordinates="body")
    two = m.equilibria({"A.angle": (0, "360 deg")}, start=here.state, coordinates="body")
    assert len(one) and abs(one[0]["D.angle"] - two[0]["D.angle"]) > 1e-3


def test_drivers_stand_where_they_are():
    m = lw.gallery.double_pendulum()
    m.add("motor", lw.Driver("upper.angle", lw.SmoothStep(1.0, -1.0, 3.0, 0.0)))
    found = m.equilibria({"lower.angle": (0, "360 deg")}, coordinates="joint")
    np.testing.assert_allclose(found.values("lower.angle"), [math.pi / 2, 3 * math.pi / 2], atol=1e-8)
    late = m.equilibria({"lower.angle": (0, "360 deg")}, t=4.0, coordinates="joint")
    assert late[0]["upper.angle"] == pytest.approx(0.0)
    with pytest.raises(AnalysisError, match="moved by 'motor'"):
        m.equilibria({"lower.angle": (0, "360 deg")}, t=2.0, coordinates="joint")


def test_wrong_use():
    m = lw.gallery.pendulum()
    for over, words in (
        ({}, "names nothing"),
        ({"A.angle": 3.0}, "is no range"),
        ({"A.angle": (2, 1)}, "does not rise"),
        ({"A.angle.rate": (0, 1)}, "is a rate"),
        ({"A.angle": (0, 1), "rod.x": (0, 1)}, "freedom is one"),
    ):
        with pytest.raises(DescriptionError, match=words):
            m.equilibria(over, coordinates="body")
    with pytest.raises(UnknownNameError, match="B"):
        m.equilibria({"B.angle": (0, 1)}, coordinates="body")
    with pytest.raises(DescriptionError, match="count"):
        m.equilibria({"A.angle": (0, 1)}, count=1, coordinates="body")
    m.add("hold", lw.Driver("A.angle", 0.0))
    with pytest.raises(DescriptionError, match="no freedom"):
        m.equilibria({"A.angle": (0, 1)}, coordinates="body")
    two = lw.gallery.double_pendulum()
    with pytest.raises(DescriptionError, match="more names than there is freedom"):
        two.equilibria({"upper.angle": (0, 1), "lower.angle": (0, 1), "upper.x": (0, 1)}, coordinates="body")


@pytest.mark.parametrize(("fold", "folded"), [(math.pi - 0.05, True), (0.05, False)])
def test_every_search_of_several_freedoms_begins_with_the_start_values(fold, folded):
    """The root nearest to where the second bar is folded back is found only where searches begin there."""
    over = {"A.angle": (-math.pi / 2 - 0.1, -math.pi / 2 + 0.1)}
    found = lw.gallery.double_pendulum().equilibria(over, count=2, start={"B.angle": fold}, coordinates="body")
    assert any(abs(abs(math.remainder(one["B.angle"], 2 * math.pi)) - math.pi) < 1e-6 for one in found) == folded
