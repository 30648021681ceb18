"""Stops, bushings and friction in balls."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DescriptionError, UnitError


def pendulum(**options):
    m = lw.Mechanism("pendulum with a stop")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.2))
    pin = m.add("A", lw.Revolute(m.ground, rod.a))
    m.add("stop", lw.Limit(pin.angle, **options))
    return m


@pytest.mark.parametrize("coordinates", SETS)
def test_a_stop_turns_the_pendulum_back(coordinates):
    m = pendulum(lower="-100 deg", stiffness=5000.0)
    run = m.simulate(2.0, start={"A.angle": 0.0}, coordinates=coordinates, rtol=1e-10)
    lowest = run["A.angle"].min()
    assert math.radians(-104) < lowest < math.radians(-100)
    # 1/2 k depth^2 is what the weight has done down to the deepest point, where it stands still
    deepest = np.argmin(run["A.angle"])
    depth = math.radians(-100) - run["A.angle"][deepest]
    work = 1.2 * 9.81 * 0.5 * -math.sin(run["A.angle"][deepest])
    kinetic = run["energy.kinetic"][deepest]
    assert 0.5 * 5000.0 * depth**2 + kinetic == pytest.approx(work, rel=1e-6)
    assert np.abs(run.energy.balance).max() < 1e-7
    assert run["stop.torque"].min() >= 0.0


def test_a_damped_stop_takes_energy_and_never_pulls():
    m = pendulum(lower="-100 deg", upper="10 deg", stiffness=5000.0, damping=2.0)
    run = m.simulate(3.0, every=1e-3, start={"A.angle": 0.0}, coordinates="joint", rtol=1e-10)
    inside = (run["A.angle"] > math.radians(-100)) & (run["A.angle"] < math.radians(10))
    assert np.all(run["stop.torque"][inside] == 0.0)
    low, high = run["A.angle"] < math.radians(-100), run["A.angle"] > math.radians(10)
    assert low.any() and np.all(run["stop.torque"][low] >= 0.0) and np.all(run["stop.torque"][high] <= 0.0)
    assert np.all(np.diff(run.energy.dissipated) > -1e-9) and run.energy.dissipated[-1] > 0.5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "has no limit"),
        ({"lower": 1.0, "upper": 0.5}, "leave nothing between them"),
        ({"lower": 0.0, "stiffness": -1.0}, "stiffness"),
        ({"upper": 0.0, "damping": -1.0}, "damping"),
    ],
)
def test_limits_that_make_no_sense(options, words):
    with pytest.raises(DescriptionError, match=words):
        pendulum(**options)


def test_a_limit_needs_a_value_of_the_right_kind():
    m = lw.Mechanism("m")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    with pytest.raises(DescriptionError, match="no measure with a value"):
        lw.Limit(lw.Spin(m.ground.at(0, 0), rod.a), lower=0.0)
    pin = m.add("A", lw.Revolute(m.ground, rod.a))
    with pytest.raises(UnitError):
        lw.Limit(pin.angle, lower="3 mm")


def test_a_limit_survives_a_file():
    m = pendulum(lower=-1.0, stiffness=5000.0, damping=0.3)
    assert lw.digest(lw.read(lw.to_text(m, "yaml"))) == lw.digest(m)


def block(**options):
    m = lw.Mechanism("block on rubber", dimension=3)
    m.add("block", lw.box(0.2, 0.1, 0.3, mass=2.0, position=(0.0, 0.0, 0.0), **options))
    return m, m.bodies["block"]


@pytest.mark.parametrize("coordinates", SETS)
def test_a_bushing_carries_the_weight(coordinates):
    m, body = block()
    stiffness, damping = ("2 N/mm", 2000, 2000, 5, 5, 5), (90, 90, 90, 0.3, 0.3, 0.3)
    m.add("rubber", lw.Bushing(m.ground, body, stiffness=stiffness, damping=damping))
    run = m.simulate(6.0, coordinates=coordinates, rtol=1e-9)
    assert run["block.z"][-1] == pytest.approx(-2.0 * 9.81 / 2000.0, abs=1e-7)
    assert np.abs(run.energy.balance).max() < 1e-7


@pytest.mark.parametrize("axis", range(3))
def test_a_bushing_turns_back_about_each_axis(axis):
    """Small turning about one axis: the frequency is the root of stiffness over inertia, and half a period turns it."""
    stiffness, spin = np.array([5.0, 4.0, 3.0]), np.eye(3)[axis] * 1e-3
    m, body = block(angular_velocity=tuple(spin))
    m.add("rubber", lw.Bushing(m.ground, body, stiffness=(1e3, 1e3, 1e3, *stiffness)))
    inertia = body.inertia[axis]
    half = math.pi * math.sqrt(inertia / stiffness[axis])
    run = m.simulate(np.array([0.0, half]), coordinates="joint", rtol=1e-11)
    np.testing.assert_allclose(run.angular_velocity("block", axes="body")[-1], -spin, atol=1e-9)


def test_bushing_forces_are_the_slope_of_their_energy():
    rng = np.random.default_rng(4)
    m, body = block()
    frame = body.at(0.1, -0.05, 0.02, axis=(0.2, 0.3, 1.0), along=(1.0, 0.1, 0.0))
    m.add("rubber", lw.Bushing(m.ground.at(0.05, 0, 0), frame, stiffness=(300, 200, 100, 5, 4, 3)))
    turn = lw.Orientation.from_rotation_vector(0.3 * rng.normal(size=3))
    place = 0.05 * rng.normal(size=3)

    def energy(shift, small):
        moved = lw.Orientation.from_rotation_vector(small) * turn
        other = m.copy()
        other.replace("block", lw.box(0.2, 0.1, 0.3, mass=2.0, position=tuple(place + shift), orientation=moved))
        ev = other.evaluate(coordinates="body")
        return ev.energy.potential - ev.energy.gravity, ev

    _, here = energy(np.zeros(3), np.zeros(3))
    force = here.applied_force("block")
    force[2] += 2.0 * 9.81
    moment = turn.matrix @ force[3:]
    step = 1e-5
    for k, e in enumerate(np.eye(3)):
        slope = (energy(step * e, 0 * e)[0] - energy(-step * e, 0 * e)[0]) / (2 * step)
        assert force[k] == pytest.approx(-slope, rel=1e-6, abs=1e-6)
        slope = (energy(0 * e, step * e)[0] - energy(0 * e, -step * e)[0]) / (2 * step)
        assert moment[k] == pytest.approx(-slope, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("turning", [(5, 4, 3), (0, 0, 3), (50, 50, 50)])
@pytest.mark.parametrize("seed", range(4))
def test_readings_of_a_bushing_are_what_acts_on_both_bodies(seed, turning):
    """Newton and Euler for two bodies at random large tilts, and the power of the readings."""
    rng = np.random.default_rng(seed)
    m = lw.Mechanism("two blocks", dimension=3, gravity=None)
    turn, frames = {}, {}
    for name in ("one", "two"):
        turn[name] = lw.Orientation.from_rotation_vector(rng.normal(size=3))
        m.add(name, lw.box(0.2, 0.1, 0.3, mass=2.0, position=tuple(rng.normal(size=3)), orientation=turn[name],
                           velocity=tuple(rng.normal(size=3)), angular_velocity=tuple(rng.normal(size=3))))  # fmt: skip
        frames[name] = m[name].at(*rng.normal(size=3), axis=tuple(rng.normal(size=3)))
    damping = (3, 2, 1, *(0.1 * np.array(turning)))
    m.add("rubber", lw.Bushing(frames["one"], frames["two"], stiffness=(30, 20, 10, *turning), damping=damping))
    found = m.evaluate(coordinates="body")
    axes = turn["one"].matrix @ frames["one"].rotation()
    force, moment = (axes @ [found[f"rubber.{what}.{a}"] for a in "xyz"] for what in ("force", "moment"))
    place = {name: np.array([found[f"{name}.{a}"] for a in "xyz"]) for name in turn}
    end = place["two"] + turn["two"].matrix @ frames["two"].position  # where it acts on both
    power = 0.0
    for name, sign in (("one", -1.0), ("two", 1.0)):
        speed = np.array([found[f"{name}.{a}.rate"] for a in "xyz"])
        spin, spin_rate = (np.array([found[f"{name}.angular_velocity.{a}{r}"] for a in "xyz"]) for r in ("", ".rate"))
        inertia = np.array(m[name].inertia[:3])  # as the angular velocity, in axes of the body
        np.testing.assert_allclose(
            [2.0 * found[f"{name}.{a}.acceleration"] for a in "xyz"], sign * force, rtol=1e-9, atol=1e-9
        )
        acts = turn[name].matrix.T @ (sign * (moment + np.cross(end - place[name], force)))
        np.testing.assert_allclose(inertia * spin_rate + np.cross(spin, inertia * spin), acts, rtol=1e-9, atol=1e-9)
        power += sign * force @ speed + acts @ spin
    assert found["rubber.power"] == pytest.approx(power, rel=1e-9)


@pytest.mark.parametrize("angle", [20, 45, 90])
def test_the_moment_of_a_bushing_goes_with_sine_and_cosine(angle):
    m, _ = block()
    m.add("rubber", lw.Bushing("ground", "block", stiffness=(0, 0, 0, 20, 20, 50), damping=(0, 0, 0, 1, 1, 3)))
    a = math.radians(angle)
    found = m.evaluate({"block.cardan.z": a, "block.angular_velocity.z": 2.0}, coordinates="body")
    wanted = -50.0 * math.sin(a) * math.cos(a) - 3.0 * math.cos(a) ** 2 * 2.0
    assert found["rubber.moment.z"] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("numbers", [(1.0,) * 5, (1.0,) * 5 + (-1.0,)])
def test_bushings_that_make_no_sense(numbers):
    m, body = block()
    with pytest.raises(DescriptionError, match="stiffness"):
        lw.Bushing(m.ground, body, stiffness=numbers)


@pytest.mark.parametrize("coordinates", SETS)
def test_friction_slows_a_ball_evenly(coordinates):
    """A sphere in its socket: the speed falls by torque over inertia, and the axis stays."""
    m = lw.Mechanism("ball", dimension=3, gravity=None)
    spin = np.array([3.0, -2.0, 1.0])
    ball = m.add("ball", lw.sphere(0.1, mass=2.0, angular_velocity=tuple(spin)))
    m.add("socket", lw.Spherical(m.ground, ball))
    m.add("friction", lw.BallFriction(m.ground, ball, torque=0.004, slow=1e-6))
    run = m.simulate(np.array([0.0, 2.0, 4.0]), coordinates=coordinates, rtol=1e-10)
    inertia = 0.4 * 2.0 * 0.1**2
    size = np.linalg.norm(spin)
    for k, t in enumerate(run.t):
        np.testing.assert_allclose(
            run.angular_velocity("ball", axes="world")[k], spin * (1.0 - 0.004 * t / inertia / size), rtol=1e-8
        )
    assert run.energy.dissipated[-1] == pytest.approx(run.energy.kinetic[0] - run.energy.kinetic[-1], rel=1e-8)


def test_elements_of_space_survive_a_file():
    m, body = block()
    m.add("rubber", lw.Bushing(m.ground, body.at(0.1, 0, 0), **lw.Bushing.sample))
    m.add("friction", lw.BallFriction(m.ground, body, **lw.BallFriction.sample))
    assert lw.digest(lw.read(lw.to_text(m, "yaml"))) == lw.digest(m)


def test_forces_of_space_have_names_and_units():
    m = lw.Mechanism("names", dimension=3)
    one = m.add("one", lw.box(0.1, 0.1, 0.1, mass=1))
    m.add("rubber", lw.Bushing(m.ground, one, stiffness=(1e4, 0, 1e4, 0, 50, 50), damping=(0, 1, 0, 0, 0, 0)))
    m.add("friction", lw.BallFriction(m.ground, one, torque=0.1))
    data = m.simulate(0.1, coordinates="body").to_xarray()
    units = {name: data[name].units for name in data if name.startswith(("rubber", "friction"))}
    assert units == {"rubber.force.x": "N", "rubber.force.y": "N", "rubber.force.z": "N", "rubber.moment.x": "N m",
                     "rubber.moment.y": "N m", "rubber.moment.z": "N m", "rubber.power": "W",
                     "friction.torque.x": "N m", "friction.torque.y": "N m", "friction.torque.z": "N m",
                     "friction.power": "W"}  # fmt: skip
