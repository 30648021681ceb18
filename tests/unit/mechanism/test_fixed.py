"""A fixed joint brings frames together, or keeps them as declared: the rigid joint of textbooks."""

import json
import math

import jsonschema
import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError

G = 9.81


def welded_pendulum(dimension=2, as_declared=True):
    """An arm that turns about the origin, and a weight beside its end that is welded to it where it was declared."""
    m = lw.Mechanism("welded", dimension=dimension, gravity=(0, -G) if dimension == 2 else (0, -G, 0))
    moments = (0.3, 0.05) if dimension == 2 else ((0.1, 0.2, 0.3), (0.03, 0.03, 0.05))
    arm = m.add("arm", lw.Body(2.0, moments[0], position=(0.4, 0.0), angle=0.0))
    weight = m.add("weight", lw.Body(3.0, moments[1], position=(1.0, 0.3), angle="30 deg"))
    m.add("A", lw.Revolute(m.ground, arm.at(-0.4, 0)))
    m.add("W", lw.Fixed(arm.at(0.5, 0.1), weight.at(0.2, 0.1), as_declared=as_declared))
    return m


def composite_acceleration(angle):
    """Of the arm, turned by an angle, by hand: both bodies are one, about the origin."""
    inertia = 0.3 + 2.0 * 0.4**2 + 0.05 + 3.0 * (1.0**2 + 0.3**2)
    x = [0.4 * math.cos(angle), math.cos(angle) - 0.3 * math.sin(angle)]
    return -G * (2.0 * x[0] + 3.0 * x[1]) / inertia


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_declared_pose_is_kept_and_both_bodies_move_as_one(dimension, coordinates):
    m = welded_pendulum(dimension)
    here = m.evaluate(m.assemble(coordinates=coordinates).state, coordinates=coordinates)
    assert [here["weight.x"], here["weight.y"]] == pytest.approx([1.0, 0.3], abs=1e-12)
    assert np.abs(here.constraint_error).max() < 1e-12
    run = m.simulate(1.0, every=0.1, rtol=1e-11, coordinates=coordinates)
    angle = run["A.angle"]
    expected = [composite_acceleration(one) for one in angle]
    np.testing.assert_allclose(run["A.angle.acceleration"], expected, rtol=1e-9)
    np.testing.assert_allclose(run["weight.x"], np.cos(angle) - 0.3 * np.sin(angle), atol=1e-9)
    np.testing.assert_allclose(run["weight.y"], np.sin(angle) + 0.3 * np.cos(angle), atol=1e-9)
    if dimension == 2:
        np.testing.assert_allclose(run["weight.angle"] - angle, math.radians(30.0), atol=1e-9)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_reaction_is_at_the_frame_to(dimension, coordinates):
    """At rest, where it hangs: weight and arm of lever of the second body alone."""
    m = welded_pendulum(dimension)
    m.add("brake", lw.Driver(m["A"].angle, 0.0))
    reaction = m.evaluate(m.assemble(coordinates=coordinates).state, coordinates=coordinates).reaction("W")
    place = np.array([1.0, 0.3]) + lw.Orientation.from_axis_angle((0, 0, 1), "30 deg").apply((0.2, 0.1, 0))[:2]
    np.testing.assert_allclose(np.asarray(reaction.force)[:2], [0.0, 3.0 * G], atol=1e-9)
    moment = np.atleast_1d(reaction.moment)[-1]
    assert moment == pytest.approx((1.0 - place[0]) * 3.0 * G, abs=1e-9)


def test_without_it_the_frames_come_together():
    m = welded_pendulum(as_declared=False)
    assembly = m.assemble(coordinates="body")
    assert assembly["weight.angle"] == pytest.approx(assembly["arm.angle"], abs=1e-9)


@pytest.mark.parametrize("dimension", [2, 3])
def test_random_poses_are_met_without_moving_anything(dimension):
    rng = np.random.default_rng(7)
    for _ in range(20):
        m = lw.Mechanism("random", dimension=dimension, gravity=None)
        bodies = [m.ground]
        for k in range(2):
            pose = (
                {"angle": rng.uniform(-9.0, 9.0)}
                if dimension == 2
                else {"orientation": lw.Orientation.from_rotation_vector(rng.uniform(-2, 2, 3))}
            )
            bodies.append(
                m.add(
                    f"b{k}",
                    lw.Body(
                        1.0,
                        0.2 if dimension == 2 else (0.2, 0.3, 0.4),
                        position=tuple(rng.uniform(-1, 1, dimension)),
                        **pose,
                    ),
                )
            )
        frames = []
        for body in bodies:
            axes = (
                {"angle": rng.uniform(-7.0, 7.0)}
                if dimension == 2
                else {"axis": tuple(rng.normal(size=3)), "along": tuple(rng.normal(size=3))}
            )
            frames.append(body.at(*rng.uniform(-1, 1, dimension), **axes))
        order = rng.permutation(3)
        m.add("W0", lw.Fixed(frames[order[0]], frames[order[1]], as_declared=True))
        m.add("W1", lw.Fixed(frames[order[1]], frames[order[2]], as_declared=True))
        for coordinates in ("body", "joint", "point"):
            here = m.evaluate(coordinates=coordinates)
            assert np.abs(here.constraint_error).max() < 1e-12
            assembly = m.assemble(coordinates=coordinates)
            assert assembly.freedom == 0
            for body in bodies[1:]:
                assert assembly.moved[body.name] < 1e-12
                np.testing.assert_allclose(
                    [assembly[f"{body.name}.{a}"] for a in "xyz"[:dimension]], body.position, atol=1e-12
                )
                if dimension == 2:
                    assert assembly[f"{body.name}.angle"] == pytest.approx(body.angle, abs=1e-12)


def test_in_space_it_is_the_same_joint():
    flat, lifted = welded_pendulum(), welded_pendulum().in_space()
    one, other = (m.simulate(0.5, every=0.1, rtol=1e-10, coordinates="body") for m in (flat, lifted))
    np.testing.assert_allclose(one["weight.x"], other["weight.x"], atol=1e-8)


TEXT = """
linkwork: 1
bodies:
  arm: {mass: 2, inertia: 0.3, position: [0.4, 0], angle: 0}
  weight: {mass: 3, inertia: 0.05, position: [1, 0.3], angle: 30 deg}
joints:
  A: {type: Revolute, on: ground, to: {body: arm, at: [-0.4, 0]}}
  W: {type: Fixed, on: {body: arm, at: [0.5, 0.1]}, to: {body: weight, at: [0.2, 0.1]}, as_declared: true}
"""


def test_a_file_says_the_same_and_comes_back():
    m = lw.read(TEXT)
    assert m.joints["W"] == welded_pendulum().joints["W"]
    again = lw.read(lw.to_text(m))
    assert again.joints["W"] == m.joints["W"] and lw.digest(again) == lw.digest(m)
    jsonschema.validate(json.loads(lw.convert_text(TEXT, "json")), lw.schema())


@pytest.mark.parametrize(("options", "words"), [
    ({"position": (1.0, 0.0)}, "'b' has no declared angle"),
    ({"angle": 1.0}, "'b' has no declared position"),
    ({}, "'b' has no declared position and angle"),
])  # fmt: skip
def test_a_pose_that_is_missing_is_named(options, words):
    m = lw.Mechanism("half")
    b = m.add("b", lw.Body(1.0, 0.1, **options))
    with pytest.raises(DescriptionError, match=rf"Joint 'W' \(Fixed\).*{words}.*leave out as_declared"):
        m.add("W", lw.Fixed(m.ground, b, as_declared=True))
    space = lw.Mechanism("half", dimension=3)
    b = space.add("b", lw.Body(1.0, (0.1, 0.1, 0.1), position=(1, 0, 0)))
    with pytest.raises(DescriptionError, match="'b' has no declared orientation"):
        space.add("W", lw.Fixed(space.ground, b, as_declared=True))


def test_replacing_a_joint_takes_the_poses_of_now():
    m = welded_pendulum(as_declared=False)
    m.replace("W", lw.Fixed(m["arm"].at(0.5, 0.1), m["weight"].at(0.2, 0.1), as_declared=True))
    assert m.joints["W"] == welded_pendulum().joints["W"]
