"""Full turns in space: said at the start, kept by states, chosen by screws."""

import math
import pickle

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS


def wheel(dimension, spring=False):
    m = lw.Mechanism("wheel", dimension=dimension, gravity=None)
    body = m.add("body", lw.Body(1.0, 0.1 if dimension == 2 else (0.1, 0.1, 0.1)))
    m.add("A", lw.Revolute(m.ground, body))
    if spring:
        m.add("spring", lw.TorsionSpringDamper(m.ground, body, stiffness=1.0))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_wound_spring_starts_wound(dimension, coordinates):
    run = wheel(dimension, spring=True).simulate(0.1, start={"A.angle": 4.0}, coordinates=coordinates)
    assert run["A.angle"][0] == pytest.approx(4.0)
    assert run["spring.torque"][0] == pytest.approx(-4.0)
    assert run.energy.potential[0] == pytest.approx(8.0)
    assert run["A.angle"][-1] == pytest.approx(4.0 * math.cos(0.1 * math.sqrt(10)), abs=1e-6)


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_states_keep_turns_that_nothing_reads(dimension, coordinates, tmp_path):
    m = wheel(dimension)
    run = m.simulate(1.0, start={"A.angle": 4.0, "A.angle.rate": 20.0}, coordinates=coordinates)
    assert run["A.angle"][[0, -1]] == pytest.approx([4.0, 24.0])
    assert run.final["A.angle"] == pytest.approx(24.0)
    assert run.at("0.77 s")["A.angle"] == pytest.approx(4.0 + 15.4)
    assert pickle.loads(pickle.dumps(run.final))["A.angle"] == pytest.approx(24.0)
    further = m.simulate(1.0, start=run.final, coordinates=coordinates)
    assert further["A.angle"][-1] == pytest.approx(44.0)
    for one in (run, further):
        one.to_json(tmp_path / "run.json")
        for back in (lw.load(tmp_path / "run.json"), pickle.loads(pickle.dumps(one))):
            np.testing.assert_allclose(back["A.angle"], one["A.angle"], atol=1e-12)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_screw_is_assembled_many_turns_in(coordinates):
    m = lw.Mechanism("vise", dimension=3)
    jaw = m.add("jaw", lw.box(0.1, 0.1, 0.1, mass=1, position=(0, 0, 1.0)))
    screw = m.add("S", lw.Screw(m.ground, jaw, pitch=0.004))
    a = m.assemble(coordinates=coordinates)
    assert (a["jaw.z"], a["S.angle"]) == (pytest.approx(1.0), pytest.approx(500 * math.pi))
    a = m.assemble(start={"S.angle": 5 * math.pi}, coordinates=coordinates)
    assert a["S.slide"] == pytest.approx(0.01)
    a = m.assemble(start={"S.slide": 0.0113}, coordinates=coordinates)
    assert a["S.angle"] == pytest.approx(0.0113 / 0.004 * 2 * math.pi)
    m.add("drive", lw.Driver(screw.slide, lw.Polynomial(0.1, 0.01)))
    run = m.simulate(1.0, coordinates=coordinates)
    np.testing.assert_allclose(run["S.angle"] * 0.004 / (2 * math.pi), 0.1 + 0.01 * run.t, atol=1e-9)


@pytest.mark.parametrize("coordinates", SETS)
def test_a_rack_from_rest_keeps_its_pinion(coordinates):
    m = lw.Mechanism("rack", dimension=3, gravity=None)
    rack, pinion = m.add("rack", lw.Body(2.0, (0.1, 0.1, 0.15))), m.add("pinion", lw.Body(1.0, (0.2, 0.2, 0.3)))
    m.add("P", lw.Prismatic(m.ground, rack))
    m.add("R", lw.Revolute(m.ground.at(0, 0.4, 0), pinion))
    m.add("G", lw.RackAndPinion(rack, pinion, radius=0.4))
    m.add("F", lw.PointForce(rack, x=5.0))
    run = m.simulate(2.0, coordinates=coordinates)
    assert run["P.slide"][-1] == pytest.approx(5.0 / (2.0 + 0.3 / 0.4**2) * 2.0, abs=1e-6)


def two_shapes(center, inertia):
    m = lw.Mechanism("free", dimension=3, gravity=None)
    m.add("body", lw.Body(1.0, inertia, center=center, position=(0.1, 0, 0), angular_velocity=(1, 2, 3)))
    return m


def test_a_state_goes_over_to_a_model_with_other_inertia():
    run = two_shapes((0, 0, 0), (0.1, 0.2, 0.27)).simulate(1.0, coordinates="body")
    other = two_shapes((0.5, 0, 0), ((0.1, 0.05, 0), (0.05, 0.2, 0), (0, 0, 0.27)))
    new = other.simulate(0.1, start=run.final, coordinates="body")
    for name in ("body.x", "body.y", "body.z", "body.x.rate", "body.y.rate", "body.z.rate"):
        assert new[name][0] == pytest.approx(run[name][-1], abs=1e-12)
    np.testing.assert_allclose(new.orientation("body").matrix[0], run.orientation("body").matrix[-1], atol=1e-12)
    np.testing.assert_allclose(new.angular_velocity("body")[0], run.angular_velocity("body")[-1], atol=1e-12)


def test_a_state_does_not_go_over_to_other_bodies():
    run = two_shapes((0, 0, 0), (0.1, 0.2, 0.27)).simulate(0.1, coordinates="body")
    m = lw.Mechanism("other", dimension=3)
    m.add("ball", lw.sphere(0.1, mass=1))
    with pytest.raises(lw.errors.DescriptionError, match=r"its bodies are others\. Got body"):
        m.simulate(0.1, start=run.final, coordinates="body")


def test_an_estimate_the_wrong_way_round_is_turned_over():
    m = lw.Mechanism("over", dimension=3)
    body = m.add("body", lw.box(1, 2, 3, mass=1, orientation=lw.Orientation.from_axis_angle((1, 0, 0), 3.0)))
    m.add("A", lw.Revolute(m.ground, body.at(0.2, 0.1, 0)))
    a = m.assemble(coordinates="body")
    assert np.abs(a["A.angle"]) <= math.pi


def test_a_rod_that_turns_about_itself_makes_no_further_branches():
    m = lw.Mechanism("rssr", dimension=3)
    crank = m.add("crank", lw.Body(1.0, (0.01, 0.02, 0.02), points={"b": (0.3, 0, 0)}))
    rod = m.add("rod", lw.Body(1.0, (0.01, 0.1, 0.1), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    rocker = m.add("rocker", lw.Body(1.0, (0.02, 0.05, 0.05), points={"b": (0.7, 0, 0)}))
    m.add("A", lw.Revolute(m.ground, crank))
    m.add("B", lw.Spherical(crank.b, rod.a))
    m.add("C", lw.Spherical(rod.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(0.9, 0.2, 0.1, axis=(0, 1, 0.3)), rocker))
    a = m.assemble(start={"A.angle": 0.5}, coordinates="body")
    assert len(a.others) == 1 and abs(a.others[0]["D.angle"] - a["D.angle"]) > 0.1


def test_a_state_is_evaluated_in_the_mechanism_that_is_asked():
    light, heavy = (two_shapes((0, 0, 0), (0.1, 0.2, 0.27)) for _ in range(2))
    heavy.replace("body", lw.Body(3.0, (0.3, 0.6, 0.81), position=(0.1, 0, 0), angular_velocity=(1, 2, 3)))
    state = light.simulate(0.3, coordinates="body").final
    assert heavy.evaluate(state, coordinates="body").energy.kinetic == pytest.approx(
        3 * light.evaluate(state, coordinates="body").energy.kinetic
    )


@pytest.mark.parametrize("coordinates", ["body", "joint"])
def test_euler_parameters_stay_at_length_one(coordinates):
    """Without any joint, too: nothing else would put them back.  Points have unit vectors instead, which rows keep."""
    m = lw.Mechanism("top", dimension=3, gravity=None)
    m.add("body", lw.Body(1.0, (0.1, 0.2, 0.27), position=(0, 0, 0), angular_velocity=(0.1, 50.0, 0.2)))
    run = m.simulate(5.0, coordinates=coordinates)
    states = run.segments[0].raw
    assert states.shape[1] >= 13
    assert np.abs(np.linalg.norm(states[:, 3:7], axis=1) - 1.0).max() < 1e-15
