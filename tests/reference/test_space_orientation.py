"""Orientation and inertia in space, against numbers of Veldpaus and of Negrut.

Veldpaus, Multibody dynamics: an introduction (WFW 93.030), chapters 2 and 3 and appendix A.3; Negrut, ME751 slides on
virtual rotations. Both write Euler parameters with the scalar first, and matrices with the body's axes as columns.
"""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork import rotation
from linkwork.coordinates import SETS
from linkwork.errors import SingularOrientationWarning
from reference.book import agrees, load


def entries(name):
    case = load(name)
    return case["model"], {entry["quantity"]: entry for entry in case["expected"]}


def rate(function, step=1e-3):
    """Derivative at zero by five points."""
    return (function(-2 * step) - 8 * function(-step) + 8 * function(step) - function(2 * step)) / (12 * step)


def pure(v):
    return np.array([0.0, *v])


def spins(e, e_rate):
    """Angular velocity in world and in body components: 2 e' e* and 2 e* e'."""
    back = rotation.inverse(e)
    return 2 * rotation.product(e_rate, back)[1:], 2 * rotation.product(back, e_rate)[1:]


def skew(v):
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


# -- Veldpaus, Euler parameters


def test_euler_parameters():
    data, wanted = entries("spatial_veldpaus_euler_parameters")
    turn = lw.Orientation.from_axis_angle(data["axis"], data["angle"])
    matrix = turn.matrix
    agrees(turn.quaternion, wanted["euler parameters"])
    agrees(matrix, wanted["R"])
    agrees(np.trace(matrix), wanted["trace R = 1+2cos(angle)"])
    agrees((np.trace(matrix) ** 2 - np.trace(matrix @ matrix)) / 2, wanted["second invariant J2(R) (= trace)"])
    values = np.linalg.eigvals(matrix)
    other = values[np.argmax(values.imag)]
    agrees([other.real, other.imag], wanted["eigenvalues: 1 and cos(angle) +- i sin(angle) [re,im]"])
    for back in (
        lw.Orientation.from_matrix(matrix),
        lw.Orientation.from_rotation_vector(turn.rotation_vector),
        lw.Orientation.from_axis_angle(*(-part for part in turn.axis_angle)),
    ):
        agrees(back.quaternion, wanted["euler parameters"])


def test_rates_of_euler_parameters():
    data, wanted = entries("spatial_veldpaus_euler_parameters")

    def moved(t):
        axis = np.array(data["axis"]) + t * np.array(data["axis_dot"])
        return np.array(lw.Orientation.from_axis_angle(axis, data["angle"] + t * data["angle_dot"]).quaternion)

    e_rate = rate(moved)
    agrees(e_rate, wanted["euler parameter rates"])
    world, own = spins(moved(0.0), e_rate)
    agrees(world, wanted["omega global"])
    agrees(own, wanted["omega body = 2 G pd"])
    assert abs(moved(0.0) @ e_rate) < 1e-12


@pytest.mark.parametrize("coordinates", SETS)
def test_a_body_that_turns_so(coordinates):
    """The same angular velocity of a ball, which keeps it: body and world components, and the rates of its series."""
    data, wanted = entries("spatial_veldpaus_euler_parameters")
    m = lw.Mechanism("ball", dimension=3, gravity=None)
    m.add(
        "ball",
        lw.sphere(
            0.1,
            1.0,
            position=(0, 0, 0),
            orientation=dict(axis=data["axis"], angle=data["angle"]),
            angular_velocity=wanted["omega body = 2 G pd"]["value"],
        ),
    )
    ev = m.evaluate(coordinates=coordinates)
    agrees(ev.orientation("ball").matrix, wanted["R"])
    agrees(ev.angular_velocity("ball", axes="world"), wanted["omega global"])
    agrees([ev[f"ball.angular_velocity.{axis}"] for axis in "xyz"], wanted["omega body = 2 G pd"])
    step = 1e-2
    run = m.simulate(np.arange(5) * step, coordinates=coordinates, rtol=1e-12)
    first = np.array([-25, 48, -36, 16, -3]) / (12 * step) @ run.orientation("ball").quaternion
    assert first == pytest.approx(wanted["euler parameter rates"]["value"], abs=1e-8)


# -- Veldpaus, Cardan angles


def cardan(phi):
    return lw.Orientation.from_angles("XYZ", phi)


def spin_of(phi, phi_dot):
    """Angular velocity, world and body components, of Cardan angles that change at these rates."""
    phi, phi_dot = np.array(phi), np.array(phi_dot)
    e_rate = rate(lambda t: np.array(cardan(phi + t * phi_dot).quaternion))
    return spins(np.array(cardan(phi).quaternion), e_rate)


def test_cardan_angles():
    data, wanted = entries("spatial_veldpaus_cardan")
    turn = cardan(data["phi"])
    agrees(turn.matrix, wanted["R (columns = moving basis in fixed components)"])
    agrees(turn.quaternion, wanted["euler parameters (e0>0)"])
    for back in (turn, lw.Orientation.from_matrix(wanted["R (columns = moving basis in fixed components)"]["value"])):
        assert back.angles("XYZ") == pytest.approx(data["phi"], abs=1e-13)
    world, own = spin_of(data["phi"], data["phi_dot"])
    agrees(world, wanted["omega global"])
    agrees(own, wanted["omega body"])
    columns = np.column_stack([spin_of(data["phi"], one)[0] for one in np.eye(3)])
    agrees(columns, wanted["W"])
    agrees(np.linalg.det(columns), wanted["det W = cos(phi2)"])


def test_cardan_angles_are_singular_at_a_quarter_turn():
    _, wanted = entries("spatial_veldpaus_cardan")
    phi = (0.3, math.pi / 2, 0.2)
    assert abs(np.linalg.det(np.column_stack([spin_of(phi, one)[0] for one in np.eye(3)]))) < 1e-11
    assert wanted["det W"]["value"] == 0.0
    with pytest.warns(SingularOrientationWarning, match="'XYZ' turn about the same line"):
        found = cardan(phi).angles("XYZ")
    assert found == pytest.approx([0.5, math.pi / 2, 0.0], abs=1e-7)


# -- Veldpaus, one rigid body


def body_of(data, **options):
    turn = cardan(data["phi_cardan"])
    own = turn.inverse().apply(data["omega_global"])
    return lw.Body(
        data["m"],
        data["J_M0_body"],
        position=data["x_M"],
        orientation=turn,
        velocity=data["v_M"],
        angular_velocity=own,
        **options,
    )


@pytest.mark.parametrize("coordinates", SETS)
def test_quantities_of_a_rigid_body(coordinates):
    data, wanted = entries("spatial_veldpaus_rigid_body_quantities")
    m = lw.Mechanism("body", dimension=3, gravity=None)
    m.add("b", body_of(data))
    ev = m.evaluate(coordinates=coordinates)
    turned = lw.Inertia(data["m"], matrix=data["J_M0_body"]).rotated(cardan(data["phi_cardan"]))
    agrees(turned.matrix, wanted["J_M global"])
    agrees([ev[f"system.momentum.{axis}"] for axis in "xyz"], wanted["momentum"])
    orbital = np.array([ev[f"system.angular_momentum.{axis}"] for axis in "xyz"])
    agrees(orbital, wanted["L_O"])
    agrees(orbital - np.cross(data["x_M"], wanted["momentum"]["value"]), wanted["L_M"])
    agrees(turned.matrix @ data["omega_global"], wanted["L_M"])
    agrees(ev.energy.kinetic, wanted["kinetic energy"])
    # what a given acceleration needs: beyond that of the free body, which the gyroscopic term alone turns
    free = ev.orientation("b").apply([ev[f"b.angular_velocity.{axis}.rate"] for axis in "xyz"])
    moment = turned.matrix @ (np.array(data["omega_dot_global"]) - free)
    force = data["m"] * (np.array(data["a_M"]) - [ev[f"b.{axis}.acceleration"] for axis in "xyz"])
    agrees(force, wanted["resultant force"])
    agrees(moment, wanted["resultant moment about M"])
    agrees(moment + np.cross(data["x_M"], force), wanted["resultant moment about O"])


def test_momentum_does_not_depend_on_the_frame_of_the_body():
    """The same body described in a frame elsewhere, and turned, has the same momenta and energy."""
    data, wanted = entries("spatial_veldpaus_rigid_body_quantities")
    straight = lw.Mechanism("straight", dimension=3, gravity=None)
    b = straight.add("b", body_of(data))
    shift, tilt = np.array([0.3, -0.2, 0.5]), lw.Orientation.from_rotation_vector((0.4, 1.0, -0.7))
    # the new frame sits at `shift` in the old one, turned by `tilt`
    seen = lw.Inertia.of(b).shifted(-shift).rotated(tilt.inverse())
    turn = lw.Orientation(b.orientation)
    spin = np.array(data["omega_global"])
    arm = turn.apply(shift)
    other = lw.Mechanism("other frame", dimension=3, gravity=None)
    other.add(
        "b",
        seen.body(
            position=np.array(data["x_M"]) + arm,
            orientation=turn * tilt,
            velocity=np.array(data["v_M"]) + np.cross(spin, arm),
            angular_velocity=(turn * tilt).inverse().apply(spin),
        ),
    )
    ev = other.evaluate(coordinates="body")
    agrees([ev[f"system.angular_momentum.{axis}"] for axis in "xyz"], wanted["L_O"])
    agrees(ev.energy.kinetic, wanted["kinetic energy"])


# -- Negrut, virtual rotations


def test_virtual_rotation():
    data, wanted = entries("spatial_negrut_virtual_rotation")
    e, own = np.array(data["p"]), np.array(data["dpi_bar"])
    turn = lw.Orientation.from_quaternion(e)
    agrees(turn.matrix, wanted["A"])
    columns = np.eye(3)
    agrees([rotation.product(e, pure(one)) for one in columns], wanted["G"])
    agrees([rotation.product(pure(one), e) for one in columns], wanted["E"])
    change = rotation.product(e, pure(own)) / 2
    agrees(change, wanted["dp = 1/2 G^T dpi_bar"])
    agrees(turn.apply(own), wanted["dpi global"])
    agrees(turn.matrix @ skew(own), wanted["dA = 2 E dG^T"])
    agrees(rate(lambda t: rotation.matrix(e + t * change)), wanted["dA = 2 E dG^T"])
    assert abs(e @ change) < 1e-15
