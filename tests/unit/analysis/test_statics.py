"""What structures and held mechanisms carry, against equilibrium by hand; redundant supports; what is refused."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, CompileError, DescriptionError, UnknownNameError

G = 9.81


def ladder(angle=math.pi / 3, length=4.0, mass=12.0):
    """Against a smooth wall, held by a rope at its foot on a smooth floor."""
    m = lw.Mechanism("ladder")
    m.add("ladder", lw.bar(length=length, mass=mass))
    m.add("floor", lw.PinInSlot("ground", "ladder.a"))
    m.add("wall", lw.PinInSlot(m.ground.at(length * math.cos(angle), 0, angle=math.pi / 2), "ladder.b"))
    m.add("rope", lw.Rod(m.ground.at(length * math.cos(angle), 0), "ladder.a", length=length * math.cos(angle)))
    return m, {"ladder.angle": angle}


@pytest.mark.parametrize("coordinates", SETS)
def test_a_ladder_on_a_rope(coordinates):
    """Moments about the foot: wall = m g / (2 tan), the rope as much, the floor all of the weight."""
    m, near = ladder()
    found = m.statics(near=near, coordinates=coordinates)
    push = 12.0 * G / (2.0 * math.tan(math.radians(60.0)))
    np.testing.assert_allclose(found.reaction("floor").force, [0.0, 12.0 * G], atol=1e-9)
    np.testing.assert_allclose(found.reaction("wall").force, [-push, 0.0], atol=1e-9)
    np.testing.assert_allclose(found.reaction("rope").force, [push, 0.0], atol=1e-9)
    assert found.unique and found.held == () and found.free_body("ladder").residual < 1e-12


@pytest.mark.parametrize("coordinates", SETS)
def test_held_freedoms_have_efforts(coordinates):
    """A held double pendulum: each effort is the moment of the weights beyond its pin."""
    m = lw.gallery.double_pendulum()
    start = {"upper.angle": 0.3, "lower.angle": -0.4}
    found = m.statics(hold=["upper.angle", "lower.angle"], start=start, coordinates=coordinates)
    rest = m.evaluate(m.assemble(start=start, coordinates="body").state, coordinates="body")
    x = {name: rest[f"{name}.x"] for name in ("upper", "lower")}
    assert found.held == ("upper.angle", "lower.angle")
    # virtual work: an absolute angle alone moves what is beyond it, the other body without turning
    weights = {name: G * m.bodies[name].mass for name in x}
    for name in ("upper", "lower"):
        moved = m.assemble(start={**start, f"{name}.angle": start[f"{name}.angle"] + 1e-6}, coordinates="body")
        back = m.assemble(start={**start, f"{name}.angle": start[f"{name}.angle"] - 1e-6}, coordinates="body")
        work = sum(weights[one] * (moved.state[f"{one}.y"] - back.state[f"{one}.y"]) for one in weights) / 2e-6
        assert found.effort(f"{name}.angle") == pytest.approx(work, rel=1e-7)


@pytest.mark.parametrize("coordinates", SETS)
def test_space_with_all_held(coordinates):
    """A boom on a mast: held in both angles, one carries the moment of its weight and the other nothing."""
    m = lw.Mechanism("boom", dimension=3)
    m.add("mast", lw.Body(5.0, (0.1, 0.1, 0.02)))
    m.add("boom", lw.Body(3.0, (0.01, 0.4, 0.4), center=(0.7, 0.0, 0.0)))
    m.add("turn", lw.Revolute("ground", "mast"))
    m.add("lift", lw.Revolute(m["mast"].at(0, 0, 1.0, axis=(0, 1, 0)), m["boom"].at(0, 0, 0, axis=(0, 1, 0))))
    start = {"turn.angle": 0.7, "lift.angle": -0.5}
    found = m.statics(hold="all", start=start, coordinates=coordinates)
    assert len(found.held) == 2
    named = m.statics(hold=["turn.angle", "lift.angle"], start=start, coordinates=coordinates)
    assert named.effort("turn.angle") == pytest.approx(0.0, abs=1e-10)
    assert named.effort("lift.angle") == pytest.approx(-3.0 * G * 0.7 * math.cos(0.5), rel=1e-10)
    for one in (found, named):
        np.testing.assert_allclose(one.reaction("turn").force, [0, 0, 8.0 * G], atol=1e-9)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_ball_joint_is_held_by_cardan_angles(coordinates):
    """What no joint reads: three angles of a body on a ball, each with the moment that virtual work gives."""
    m = lw.Mechanism("ball", dimension=3)
    m.add("arm", lw.Body(2.0, (0.02, 0.03, 0.04), center=(0.3, -0.2, 0.4)))
    m.add("ball", lw.Spherical("ground", "arm"))
    angles = {"arm.cardan.x": 0.5, "arm.cardan.y": -0.7, "arm.cardan.z": 0.9}
    found = m.statics(hold="all", start=angles, coordinates=coordinates)
    assert set(found.held) == set(angles)
    for name, value in angles.items():
        ends = [
            m.assemble(start={**angles, name: value + step}, coordinates="body").state["system.center.z"]
            for step in (1e-5, -1e-5)
        ]
        assert found.effort(name) == pytest.approx(2.0 * G * (ends[0] - ends[1]) / 2e-5, abs=1e-6)
    assert str(found).count("cardan") == 6 and "effort [N]" not in str(found)


def test_an_equilibrium_needs_no_effort():
    m = lw.gallery.macpherson_a()
    rest = m.equilibrium()
    found = m.statics(start=rest, hold="all")
    assert found.effort(found.held[0]) == pytest.approx(0.0, abs=1e-7)
    ev = m.evaluate(rest.state, coordinates="body")
    for joint in m.joints:
        np.testing.assert_allclose(found.reaction(joint).force, ev.reaction(joint).force, atol=1e-7)
    assert found["spring.tension"] == pytest.approx(ev["spring.tension"])


@pytest.mark.parametrize("coordinates", SETS)
def test_redundant_supports_are_marked(coordinates):
    """A beam on three supports: moments about the first leave one of them open; what is shown is of least norm."""
    m = lw.Mechanism("beam")
    beam = m.add("beam", lw.bar(length=4.0, mass=8.0))
    m.add("A", lw.Revolute("ground", "beam.a"))
    m.add("B", lw.PinInSlot(m.ground.at(2, 0), beam.at(0, 0)))
    m.add("C", lw.PinInSlot(m.ground.at(4, 0), "beam.b"))
    m.add("load", lw.PointForce(beam.at(1.0, 0.0), x=20.0, y=-50.0))
    found = m.statics(near={"beam.angle": 0.0}, coordinates=coordinates)
    assert not found.unique
    marked = {one.name: one.open for one in found.loads if one.kind == "joint"}
    assert marked == {"A": ("y",), "B": ("y",), "C": ("y",)}
    forces = np.array([found.reaction(name).force for name in "ABC"])
    total, moment = 8.0 * G + 50.0, 8.0 * G * 2.0 + 50.0 * 3.0
    wanted = np.linalg.lstsq([[1, 1, 1], [0, 2, 4]], [total, moment], rcond=None)[0]
    np.testing.assert_allclose(forces[:, 1], wanted, rtol=1e-9)
    np.testing.assert_allclose(forces[:, 0], [-20.0, 0.0, 0.0], atol=1e-9)
    assert str(found).count("not unique") == 4 and "not unique" in found._repr_html_()


def test_redundant_drivers_are_marked():
    m = lw.Mechanism("twice")
    m.add("rod", lw.bar(length=1.0, mass=2.0))
    m.add("A", lw.Revolute("ground", "rod.a"))
    for name in ("one", "two"):
        m.add(name, lw.Driver("A.angle", 0.0))
    found = m.statics()
    assert [one.open for one in found.loads if one.kind == "driver"] == [("effort",), ("effort",)]
    assert found["one.effort"] + found["two.effort"] == pytest.approx(G)


def test_massless_bars_carry_too():
    """A bracket of two bars without mass: forces along them alone."""
    m = lw.Mechanism("bracket")
    m.add("tie", lw.Body(0.0, 0.0, points={"a": (0, 0), "b": (3, 0)}))
    m.add("strut", lw.Body(0.0, 0.0, points={"a": (0, 0), "b": (5, 0)}))
    m.add("A", lw.Revolute("ground", "tie.a"))
    m.add("B", lw.Revolute(m.ground.at(0, -4), "strut.a"))
    m.add("C", lw.Revolute("tie.b", "strut.b"))
    m.add("load", lw.PointForce("strut.b", y=-100.0))
    found = m.statics(near={"tie.angle": 0.0, "strut.angle": math.atan2(4, 3)}, coordinates="body")
    np.testing.assert_allclose(found.reaction("A").force, [-75.0, 0.0], atol=1e-8)
    np.testing.assert_allclose(found.reaction("B").force, [75.0, 100.0], atol=1e-8)


def test_a_massless_bar_in_redundant_loops():
    """Body coordinates carry it; joint coordinates, which need inertia, say so."""
    m = lw.Mechanism("three links")
    m.add("deck", lw.Body(2.0, 0.3, points={"p0": (-0.5, 0.0), "p1": (0.0, 0.0), "p2": (0.5, 0.0)}))
    for k in range(3):
        mass = (0.0, 0.0) if k == 1 else (0.4, 0.05)
        m.add(f"link{k}", lw.Body(*mass, points={"b": (0.0, -1.0)}))
        m.add(f"A{k}", lw.Revolute(m.ground.at(0.5 * (k - 1), 0.0), f"link{k}"))
        m.add(f"B{k}", lw.Revolute(f"link{k}.b", f"deck.p{k}"))
    near = {"link0.angle": 0.3, "link1.angle": 0.3, "link2.angle": 0.3, "deck.angle": 0.0}
    found = m.statics(hold=["link0.angle"], near=near, coordinates="body")
    angle = found["link0.angle"]
    assert found.effort("link0.angle") == pytest.approx(2.0 * G * math.sin(angle), rel=1e-9)
    with pytest.raises(CompileError, match="coordinates='body'"):
        m.statics(hold=["link0.angle"], near=near, coordinates="joint")


def test_what_is_refused():
    m = lw.gallery.double_pendulum()
    with pytest.raises(AnalysisError, match=r"2 freedoms left.*upper.angle.*hold=\["):
        m.statics()
    with pytest.raises(AnalysisError, match=r"1 freedom left.*lower\.angle"):
        m.statics(hold=["upper.angle"])
    with pytest.raises(DescriptionError, match=r"'upper\.x' holds what .* hold already"):
        m.statics(hold=["upper.angle", "upper.x", "lower.angle"], start={"upper.angle": 0.5, "lower.angle": 0.1})
    with pytest.raises(DescriptionError, match="is a rate"):
        m.statics(hold=["upper.angle.rate"])
    with pytest.raises(DescriptionError, match="no list of names"):
        m.statics(hold="upper.angle")
    with pytest.raises(UnknownNameError, match="upper"):
        m.statics(hold=["uper.angle"])
    crank = lw.gallery.slider_crank()
    with pytest.raises(AnalysisError, match="moved by 'motor'"):
        crank.statics()
    moving = m.assemble(
        start={"upper.angle": 0.0, "lower.angle": 0.0, "upper.angle.rate": 1.0}, coordinates="body"
    ).state
    with pytest.raises(AnalysisError, match="moves in this state"):
        m.statics(start=moving, hold="all")


def test_a_singular_position_is_no_structure():
    """Two bars in one line give way sideways: there they carry nothing, and it is told what is free."""
    m = lw.Mechanism("toggle")
    m.add("one", lw.bar(length=1.0, mass=1.0))
    m.add("two", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute("ground", "one.a"))
    m.add("B", lw.Revolute("one.b", "two.a"))
    m.add("C", lw.Revolute(m.ground.at(2, 0), "two.b"))
    with pytest.raises(AnalysisError):
        m.statics(near={"one.angle": 0.0, "two.angle": 0.0})


def lagging(values, rates, t, numbers, memory, out, states, state_rates):
    out[0] = states[0]
    state_rates[0] = (-40.0 * (values[0] - 0.3) - states[0]) / 0.05


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("begin", [{}, {"law.u": 5.0}])
def test_states_of_laws_are_at_rest_too(begin, coordinates):
    """u' = 0 at u = -40 (q - 0.3)."""
    m = lw.Mechanism()
    m.add("rod", lw.Body(1.3, 0.02, center=(0.4, 0)))
    m.add("A", lw.Revolute("ground", "rod"))
    m.add("law", lw.UserForce(reads=["A.angle"], along=["A.angle"], law=lagging, states={"u": 0.0}))
    found = m.statics(hold=["A.angle"], start={"A.angle": 0.1, **begin}, coordinates=coordinates)
    assert found["law.u"] == pytest.approx(8.0, rel=1e-12)
    assert found.effort("A.angle") == pytest.approx(1.3 * G * 0.4 * math.cos(0.1) - 8.0, rel=1e-12)
