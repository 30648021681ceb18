"""Weights of coordinates, of positions and of velocities, against the book's correction with weights."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors
from linkwork.textbook import initial_conditions

LENGTHS = {"crank": 1.0, "coupler": 3.0, "rocker": 2.5}


def four_bar(rng, off=0.02):
    """All bodies declared, a little beside where they fit; names of all coordinates in order."""
    exact = lw.gallery.four_bar().assemble(start={"A.angle": 1.0}, coordinates="body")
    m = lw.gallery.four_bar()
    other = lw.Mechanism("four-bar", gravity=None)
    for name, body in m.bodies.items():
        place = [exact[f"{name}.{axis}"] + off * rng.normal() for axis in "xy"]
        speed = rng.normal(size=3)
        angle = exact[f"{name}.angle"] + off * rng.normal()
        other.add(name, lw.bar(length=LENGTHS[name], mass=body.mass, position=tuple(place), velocity=tuple(speed[:2]),
                               angle=angle, angular_velocity=speed[2]))  # fmt: skip
    for name, joint in m.joints.items():
        other.add(name, lw.Revolute(other.frame(str(joint.on)) if joint.on.name else joint.on,
                                    other.frame(str(joint.to)) if joint.to.name else joint.to))  # fmt: skip
    return other


def loop(m):
    """Phi and D of the four pins as functions of the coordinates, written out."""
    names = list(m.bodies)
    pins = [((j.on.body, np.array(j.on.position[:2])), (j.to.body, np.array(j.to.position[:2])))
            for j in m.joints.values()]  # fmt: skip

    def point(q, body, s):
        if body == "ground":
            return s, np.zeros((2, len(q)))
        k = 3 * names.index(body)
        c, sn = math.cos(q[k + 2]), math.sin(q[k + 2])
        slope = np.zeros((2, len(q)))
        slope[:, k : k + 2] = np.eye(2)
        slope[:, k + 2] = [-sn * s[0] - c * s[1], c * s[0] - sn * s[1]]
        return q[k : k + 2] + [c * s[0] - sn * s[1], sn * s[0] + c * s[1]], slope

    def f(q):
        parts = [(point(q, *to), point(q, *on)) for on, to in pins]
        return np.concatenate([to[0] - on[0] for to, on in parts]), np.vstack([to[1] - on[1] for to, on in parts])

    return f, names


WEIGHTS = [{}, {"crank": 50.0}, {"coupler.angle": 200.0}, {"rocker.x": 30.0, "rocker.y": 0.1}, {"crank.position": 40.0},
           {"coupler.orientation": 9.0, "crank.angle": 7.0}]  # fmt: skip


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("seed", range(3))
def test_positions_change_least_in_the_weighted_sum(seed, weights):
    m = four_bar(np.random.default_rng(seed))
    f, names = loop(m)
    found = m.assemble(weights=weights, coordinates="body")
    model = found.state.model
    W = np.tile([1.0, 1.0, model.length**2], len(names))
    columns = {"": (0, 1, 2), "position": (0, 1), "x": (0,), "y": (1,), "angle": (2,), "orientation": (2,)}
    for name, weight in weights.items():
        body, _, what = name.partition(".")
        for k in columns[what]:
            W[3 * names.index(body) + k] *= weight
    declared = np.array([v for one in m.bodies.values() for v in (*one.position, one.angle)])
    wanted = initial_conditions.least_change(f, declared, W)
    got = np.array([found[f"{name}.{axis}"] for name in names for axis in ("x", "y", "angle")])
    # Newton's steps are the smallest ones from where it is, both here and in the book
    np.testing.assert_allclose(got, wanted, atol=1e-9)
    assert np.abs(f(got)[0]).max() < 1e-10


@pytest.mark.parametrize(
    "weights",
    [
        {},
        {"crank.velocity": 50.0},
        {"coupler.angle.rate": 200.0},
        {"rocker.x.rate": 30.0},
        {"rocker.angular_velocity": 5.0},
    ],
)
def test_velocities_change_least_in_the_weighted_energy(weights):
    m = four_bar(np.random.default_rng(7))
    f, names = loop(m)
    found = m.assemble(weights=weights, coordinates="body")
    q = np.array([found[f"{name}.{axis}"] for name in names for axis in ("x", "y", "angle")])
    W = np.array([v for one in m.bodies.values() for v in (one.mass, one.mass, one.inertia)])
    columns = {"velocity": (0, 1), "x.rate": (0,), "angle.rate": (2,), "angular_velocity": (2,)}
    for name, weight in weights.items():
        body, _, what = name.partition(".")
        for k in columns[what]:
            W[3 * names.index(body) + k] *= weight
    declared = np.array([v for one in m.bodies.values() for v in (*one.velocity, one.angular_velocity)])
    wanted = initial_conditions.least_rate_change(f(q)[1], np.zeros(8), declared, W)
    got = np.array([found[f"{name}.{axis}.rate"] for name in names for axis in ("x", "y", "angle")])
    np.testing.assert_allclose(got, wanted, atol=1e-9)


def test_heavy_turns_in_space():
    """Two bodies welded askew: the heavier one turns less, by the ratio of the weights."""
    m = lw.Mechanism("weld", dimension=3, gravity=None)
    turned = {"axis": (0.3, -0.5, 0.8), "angle": 0.02}
    one = m.add("one", lw.box(1, 1, 1, mass=1.0, position=(0, 0, 0), orientation=(1, 0, 0, 0)))
    two = m.add("two", lw.box(1, 1, 1, mass=1.0, position=(0, 0, 0), orientation=turned))
    m.add("W", lw.Fixed(one, two))
    for weight in (1.0, 4.0):
        found = m.assemble(weights={"one.orientation": weight}, coordinates="body")
        angle = lw.Orientation.from_quaternion(found.state.y[3:7]).axis_angle[1]
        assert angle == pytest.approx(0.02 / (1.0 + weight), rel=1e-3)


def test_wrong_weights_are_told():
    m = lw.gallery.four_bar()
    for name, words in (("crank.z", "crank.x"), ("crnk", "crank"), ("A.angle", "crank.angle"), ("ground", "crank")):
        with pytest.raises(errors.UnknownNameError, match="There is no weight") as caught:
            m.assemble(weights={name: 2.0}, coordinates="body")
        assert words in str(caught.value)
    with pytest.raises(errors.DescriptionError, match="not positive"):
        m.assemble(weights={"crank.angle": 0.0}, coordinates="body")
    with pytest.raises(errors.DescriptionError, match="not a finite number"):
        m.assemble(weights={"crank.angle": math.inf}, coordinates="body")
    light = lw.Mechanism("light")
    light.add("point", lw.Particle(0.0, position=(0, 0)))
    light.add("H", lw.Hold(light.ground, light["point"], x=0.0, y=0.0))
    with pytest.raises(errors.DescriptionError, match="no inertia resists"):
        light.assemble(weights={"point.velocity": 2.0}, coordinates="body")
    with pytest.raises(errors.UnknownNameError, match=r"point\.angle"):
        light.assemble(weights={"point.angle": 2.0}, coordinates="body")


def test_check_takes_weights_too():
    m = four_bar(np.random.default_rng(3))
    assert m.check(weights={"crank": 3.0}, coordinates="body").freedom == 1
    with pytest.raises(errors.UnknownNameError):
        m.check(weights={"krank": 3.0}, coordinates="body")
