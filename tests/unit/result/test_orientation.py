"""Orientation and angular velocity of bodies in results, and the angular momentum of all of them."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DescriptionError, SingularOrientationWarning, UnknownNameError


def tumbling():
    """Two free bodies, one described in a frame beside its mass centre and turned against its principal axes."""
    m = lw.Mechanism("tumbling", dimension=3, gravity=None)
    odd = lw.Inertia(2.0, (0.1, 0.0, 0.2), (0.3, 0.4, 0.5)).rotated({"axis": (1, 2, 3), "angle": 0.7})
    m.add(
        "odd",
        odd.body(
            position=(0, 0, 0),
            orientation={"order": "XYZ", "angles": ("10 deg", 0.2, 0.3)},
            velocity=(1, 0, 0),
            angular_velocity=(3.0, 0.1, 0.2),
        ),
    )
    m.add(
        "box",
        lw.box(
            0.1, 0.2, 0.3, density=1000, position=(1, 1, 1), orientation=(1, 0, 0, 0), angular_velocity=(0.1, 5.0, 0.1)
        ),
    )
    return m


def shaft():
    """A shaft along x that turns at 4 rad/s, three times round."""
    m = lw.Mechanism("shaft", dimension=3, gravity=None)
    body = m.add(
        "shaft",
        lw.cylinder(0.1, 1.0, 5.0, axis="x", position=(0, 0, 0), orientation=(1, 0, 0, 0), angular_velocity=(4, 0, 0)),
    )
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(1, 0, 0)), body.at(0, 0, 0, axis=(1, 0, 0))))
    return m


@pytest.fixture(scope="module", params=SETS)
def run(request):
    return tumbling().simulate(4.0, every=0.01, coordinates=request.param, rtol=1e-10)


def difference(t, series):
    h = t[1] - t[0]
    return (series[:-4] - 8 * series[1:-3] + 8 * series[3:-1] - series[4:]) / (12 * h)


def test_forms_agree_with_scipy(run):
    turned = run.orientation("odd")
    theirs = Rotation.from_quat(np.roll(turned.quaternion, -1, axis=-1))  # scipy has the scalar last
    assert len(turned) == len(run.t) and turned.quaternion.shape == (len(run.t), 4)
    assert turned.matrix == pytest.approx(theirs.as_matrix(), abs=1e-14)
    assert turned.rotation_vector == pytest.approx(theirs.as_rotvec(), abs=1e-12)
    axis, angle = turned.axis_angle
    assert axis * angle[:, None] == pytest.approx(theirs.as_rotvec(), abs=1e-12)
    assert turned.angles("ZXZ", unwrap=False) == pytest.approx(theirs.as_euler("ZXZ"), abs=1e-11)
    assert turned.rodrigues == pytest.approx(np.tan(angle / 2)[:, None] * axis, rel=1e-6)
    assert Rotation.from_euler("XYZ", turned.angles("XYZ")).as_matrix() == pytest.approx(turned.matrix, abs=1e-13)
    assert np.linalg.norm(turned.quaternion, axis=1) == pytest.approx(np.ones(len(turned)), abs=1e-14)


def test_it_starts_as_described_and_goes_on_smoothly(run):
    turned = run.orientation("odd")
    assert turned[0].angles("XYZ") == pytest.approx([np.pi / 18, 0.2, 0.3])
    assert turned[0].matrix.shape == (3, 3) and turned[0].rodrigues.shape == (3,) and turned[0].t == 0.0
    assert np.abs(np.diff(turned.quaternion, axis=0)).max() < 0.05
    assert np.abs(np.diff(turned.angles("XYZ"), axis=0)).max() < 0.2


@pytest.mark.parametrize("body", ["odd", "box"])
def test_angular_velocity_is_the_rate_of_the_orientation(run, body):
    """A' = skew(w) A with w in world components."""
    matrix = run.orientation(body).matrix
    spin = difference(run.t, matrix) @ matrix[2:-2].transpose(0, 2, 1)
    world = np.column_stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]])
    assert run.angular_velocity(body, axes="world")[2:-2] == pytest.approx(world, abs=1e-5)
    own = run.angular_velocity(body)
    assert run.orientation(body).apply(own) == pytest.approx(run.angular_velocity(body, axes="world"))
    for k, axis in enumerate("xyz"):
        assert run[f"{body}.angular_velocity.{axis}"] == pytest.approx(own[:, k])
        rate = run[f"{body}.angular_velocity.{axis}.rate"]
        assert rate[2:-2] == pytest.approx(difference(run.t, own[:, k]), abs=1e-5)


def test_points_follow_the_orientation(run):
    place = np.column_stack([run[f"box.top.{axis}"] - run[f"box.{axis}"] for axis in "xyz"])
    assert run.orientation("box").apply((0, 0, 0.15)) == pytest.approx(place, abs=1e-12)


def test_momenta_are_kept(run):
    for axis in "xyz":
        series = run[f"system.angular_momentum.{axis}"]
        assert series == pytest.approx(np.full(len(run.t), series[0]), abs=1e-8)
        assert f"system.angular_momentum.{axis}" in run.names
    assert run.unit("system.angular_momentum.x") == "kg m^2/s"


def test_angular_momentum_at_the_start():
    ev = tumbling().evaluate(coordinates="body")
    wanted = np.zeros(3)
    for body in tumbling().bodies.values():
        turn, spin = lw.Orientation(body.orientation), np.array(body.angular_velocity)
        own = lw.Inertia.of(body)
        arm = turn.apply(own.center)
        speed = np.array(body.velocity or (0, 0, 0)) + np.cross(turn.apply(spin), arm)
        wanted += np.cross(np.array(body.position) + arm, body.mass * speed) + turn.apply(own.matrix @ spin)
    assert [ev[f"system.angular_momentum.{axis}"] for axis in "xyz"] == pytest.approx(wanted, rel=1e-12)


def test_names_and_units(run):
    assert "odd.angular_velocity.x" in run.names
    assert run.unit("odd.angular_velocity.x") == "rad/s" and run.unit("odd.angular_velocity.x.rate") == "rad/s^2"
    assert run.read("odd.angular_velocity.x", to="rpm")[0] == pytest.approx(3.0 * 30 / np.pi)
    for name in (
        "odd.angular_velocity.w",
        "odd.angular_velocity.x.acceleration",
        "odd.angular_velocity.acceleration",
        "system.angular_momentum.w",
        "system.angular_momentum.rate",
        "system.angular_momentum.x.rate",
    ):
        with pytest.raises(UnknownNameError):
            run[name]
    with pytest.raises(UnknownNameError, match="'od'"):
        run.orientation("od")
    with pytest.raises(UnknownNameError, match="choice of axes"):
        run.angular_velocity("odd", axes="joint")


def test_full_turns_are_counted():
    run = shaft().simulate(5.0, every=0.05, coordinates="joint")
    assert run.orientation("shaft").angles("XYZ") == pytest.approx(
        np.column_stack([4.0 * run.t, 0 * run.t, 0 * run.t]), abs=1e-7
    )
    assert np.ptp(run.orientation("shaft").angles("XYZ", unwrap=False)[:, 0]) < 2 * np.pi


def test_singular_forms_are_told_with_their_times():
    run = shaft().simulate([0.0, np.pi / 8, np.pi / 4, 1.0], coordinates="body")
    turned = run.orientation("shaft")
    with pytest.warns(SingularOrientationWarning, match=r"of 'shaft' .*'XYX'.*this at t = 0, 0.39.* 1 more"):
        found = turned.angles("XYX")
    assert found[:, 0] + found[:, 2] == pytest.approx(4.0 * run.t, abs=1e-6)
    with pytest.raises(DescriptionError, match=r"Orientation of 'shaft' is a half turn.*this at t = 0.785398 s"):
        turned.rodrigues
    assert turned[3].rodrigues == pytest.approx([np.tan(2.0), 0, 0])
    with pytest.raises(DescriptionError, match="Orientation of 'shaft' has an unknown order"):
        turned.angles("XYW")


def test_bodies_of_the_plane_turn_about_z():
    m = lw.Mechanism("wheel")
    m.add("wheel", lw.disc(0.1, 1.0, position=(0, 0), angle=0.5, angular_velocity=3.0))
    m.add("dot", lw.Particle(1.0, position=(1, 1)))
    run = m.simulate(5.0, every=0.1, coordinates="body")
    assert run.orientation("wheel").angles("XYZ")[:, 2] == pytest.approx(run["wheel.angle"])
    assert run.angular_velocity("wheel") == pytest.approx(np.tile([0, 0, 3.0], (51, 1)))
    with pytest.raises(DescriptionError, match="Particle 'dot' has no orientation"):
        run.orientation("dot")
    with pytest.raises(UnknownNameError):
        run["wheel.angular_velocity.z"]


def test_particles_carry_angular_momentum_in_space():
    m = lw.Mechanism("dot", dimension=3, gravity=None)
    m.add("dot", lw.Particle(2.0, position=(1, 0, 0), velocity=(0, 3, 0)))
    ev = m.evaluate(coordinates="body")
    assert ev["system.angular_momentum.z"] == pytest.approx(6.0)
    assert "dot.angular_velocity.x" not in ev.names
    with pytest.raises(UnknownNameError):
        ev["dot.angular_velocity.x"]
