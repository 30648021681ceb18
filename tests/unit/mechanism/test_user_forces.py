"""Forces by laws of users, in space, and laws that reach too far."""

import numpy as np
import pytest

import linkwork as lw


def moment(pose, rates, t, numbers, memory, out):
    for k in range(6):
        out[k] = numbers[k]


def drag(pose, rates, t, numbers, memory, out):
    for k in range(6):
        out[k] = -numbers[0] * rates[k]


def along_x_of_the_frame(pose, rates, t, numbers, memory, out):
    for k in range(3):
        out[k] = pose[6 + 3 * k]  # the first column of its rotation matrix
        out[3 + k] = 0.0


def too_far(values, rates, t, numbers, memory, out):
    out[0] = 1.0
    out[1] = 1e3


def free(law, numbers=(), **options):
    m = lw.Mechanism("free", dimension=3, gravity=None)
    body = m.add("body", lw.Body(1.0, (0.3, 0.4, 0.5), orientation={"rotation_vector": (0.9, 0.4, 0.2)},
                                 angular_velocity=(1.0, 2.0, -1.0), velocity=(0.3, 0.2, 0.1)))  # fmt: skip
    m.add("wrench", lw.UserWrench(body.at(0.2, -0.1, 0.3, axis=(1, 1, 0)), law, numbers, **options))
    return m


def test_a_wrench_acts_in_the_axes_of_the_world():
    wrench = np.array([1.0, -2.0, 3.0, 0.4, 0.5, -0.6])
    m = free(moment, tuple(wrench))
    ev = m.evaluate(coordinates="body")
    axes = ev.orientation("body").matrix
    force = ev.applied_force("body")
    np.testing.assert_allclose(force[:3], wrench[:3], atol=1e-12)
    arm = axes @ [0.2, -0.1, 0.3]
    np.testing.assert_allclose(axes @ force[3:], wrench[3:] + np.cross(arm, wrench[:3]), atol=1e-12)


def test_a_wrench_reads_velocity_angular_velocity_and_axes():
    m = free(drag, (0.5,), energy="dissipates")
    run = m.simulate(1.0, coordinates="body")
    assert np.all(run["wrench.power"] < 0.0) and np.abs(run.energy.balance).max() < 1e-8
    ev = free(along_x_of_the_frame).evaluate(coordinates="body")
    frame = ev.orientation("body").matrix @ lw.Frame("body", axis=(1, 1, 0)).rotation()
    np.testing.assert_allclose(ev.applied_force("body")[:3], frame[:, 0], atol=1e-12)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_law_that_writes_too_far_is_named(dimension):
    m = lw.Mechanism("law", dimension=dimension, gravity=None)
    body = m.add("body", lw.Body(1.0, 0.1 if dimension == 2 else (0.1, 0.2, 0.2)))
    x = lw.WorldOffset(m.ground, body, "x")
    m.add("f", lw.UserForce(reads=[x], along=[x], law=too_far))
    with pytest.raises(lw.errors.UserFunctionError, match="'too_far' that raised IndexError"):
        m.simulate(0.1, coordinates="body")


@pytest.mark.parametrize("inertia", [1e-6, 1e-9, 1e-14])
def test_hardly_any_inertia_on_a_ball(inertia):
    m = lw.Mechanism("bob", dimension=3)
    bob = m.add("bob", lw.Body(1.0, (inertia,) * 3, position=(0.5, 0, 0)))
    m.add("B", lw.Spherical(m.ground, bob.at(-0.5, 0, 0)))
    runs = [m.simulate(0.5, coordinates=one, rtol=1e-10) for one in ("body", "joint")]
    for name in ("bob.x", "bob.z"):
        np.testing.assert_allclose(runs[0][name], runs[1][name], atol=1e-8)
