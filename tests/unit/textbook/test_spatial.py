"""Rotations, primitives and joints of space: identities, and every row against differences along a motion."""

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.errors import ConvergenceError, SingularConfigurationError
from linkwork.textbook import spatial, spatial_joints, spatial_primitives
from linkwork.textbook import spatial_rotation as rot
from linkwork.textbook import spatial_trees as trees
from linkwork.textbook.spatial_joints import Place

T = 0.4
RANDOM = np.random.default_rng(7)
STATE = {key: RANDOM.normal(size=(2, n)) for key, n in (("r", 3), ("p", 4), ("rd", 3), ("w", 3))}
STATE["p"] /= np.linalg.norm(STATE["p"], axis=1)[:, None]
RDD, WD = RANDOM.normal(size=(2, 3)), RANDOM.normal(size=(2, 3))


def turned(seed):
    axes, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return axes * np.sign(np.linalg.det(axes))


ON = Place(1, np.array([0.3, -0.2, 0.5]), turned(1))
TO = Place(2, np.array([-0.4, 0.1, 0.25]), turned(2))
GROUND = Place(0, np.array([0.2, 0.1, -0.3]), turned(3))


def f(t):
    return 0.3 + 0.2 * np.sin(2 * t), 0.4 * np.cos(2 * t), -0.8 * np.sin(2 * t)


ITEMS = {
    "DP1": (tb.DP1(1, 2, ON.x, TO.y, f),),
    "DP2": (tb.DP2(1, 2, ON.x, ON.s, TO.s, f),),
    "D": (tb.D(1, 2, ON.s, TO.s, f),),
    "CD": (tb.CD(1, 2, (0.6, 0.0, 0.8), ON.s, TO.s, f),),
    "rolling": (spatial_primitives.Rolling(2, 0.4),),
    "spherical": spatial_joints.spherical(ON, TO),
    "universal": spatial_joints.universal(ON, TO),
    "revolute": spatial_joints.revolute(ON, TO),
    "revolute on ground": spatial_joints.revolute(GROUND, TO),
    "revolute of ground": spatial_joints.revolute(ON, GROUND),
    "cylindrical": spatial_joints.cylindrical(ON, TO),
    "translational": spatial_joints.translational(ON, TO),
    "fixed": spatial_joints.fixed(ON, TO),
    "point on line": spatial_joints.point_on_line(ON, TO),
    "point in plane": spatial_joints.point_in_plane(ON, TO),
    "distance": spatial_joints.distance(ON, TO, 0.7),
}
FREEDOM = {"spherical": 3, "universal": 2, "revolute": 1, "cylindrical": 2, "translational": 1, "fixed": 0,
           "point on line": 4, "point in plane": 5, "distance": 5}  # fmt: skip


def model_of(name):
    bodies = tuple(tb.SpaceBody(m, J, *(STATE[key][k] for key in ("r", "p", "rd", "w")))
                   for k, (m, J) in enumerate([(1.5, (0.4, 0.6, 0.5)), (2.0, (0.3, 0.2, 0.35))]))  # fmt: skip
    return tb.SpaceModel(bodies, {name: ITEMS[name]}, (tb.Weight(),), name)


def moved(s):
    """A motion through the state at s = 0 with the accelerations RDD and WD there, positions only."""
    p = [p + s * rot.parameter_rates(p, w) + s**2 / 2 * rot.parameter_accelerations(p, w, wd)
         for p, w, wd in zip(STATE["p"], STATE["w"], WD)]  # fmt: skip
    return tb.Motion(STATE["r"] + s * STATE["rd"] + s**2 / 2 * RDD, p)


def test_identities_of_euler_parameters():
    p = STATE["p"][0]
    E, G, A = rot.E(p), rot.G(p), rot.A(p)
    np.testing.assert_allclose(E @ E.T, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(G @ G.T, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(E.T @ E, np.eye(4) - np.outer(p, p), atol=1e-15)
    np.testing.assert_allclose(G.T @ G, np.eye(4) - np.outer(p, p), atol=1e-15)
    np.testing.assert_allclose(np.r_[E @ p, G @ p], 0.0, atol=1e-15)
    np.testing.assert_allclose(A @ A.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(A) == pytest.approx(1.0)
    np.testing.assert_allclose(A @ G, E, atol=1e-15)


def test_B_is_the_derivative_and_linear():
    p, a, pd = STATE["p"][0], STATE["r"][0], STATE["p"][1]
    step = 1e-6
    columns = [(rot.A(p + step * e) @ a - rot.A(p - step * e) @ a) / (2 * step) for e in np.eye(4)]
    np.testing.assert_allclose(rot.B(p, a), np.array(columns).T, atol=1e-9)
    np.testing.assert_allclose(rot.B(p + 2 * pd, a), rot.B(p, a) + 2 * rot.B(pd, a), atol=1e-14)


def test_rates_and_torques_convert_both_ways():
    p, w, wd = STATE["p"][0], STATE["w"][0], WD[0]
    pd = rot.parameter_rates(p, w)
    pdd = rot.parameter_accelerations(p, w, wd)
    np.testing.assert_allclose(rot.body_rates(p, pd), w, atol=1e-15)
    np.testing.assert_allclose(rot.world_rates(p, pd), rot.A(p) @ w, atol=1e-14)
    np.testing.assert_allclose(rot.euler_parameter_omega(p, pd), rot.A(p) @ w, atol=1e-14)
    np.testing.assert_allclose(rot.body_accelerations_of(p, pdd), wd, atol=1e-15)
    assert p @ pdd == pytest.approx(-pd @ pd)
    n_bar = STATE["r"][1]
    tau = rot.parameter_torque(p, n_bar)
    np.testing.assert_allclose(rot.body_torque(p, tau + 3.0 * p), n_bar, atol=1e-15)
    assert tau @ pd == pytest.approx(n_bar @ w)  # the same power


@pytest.mark.parametrize("seed", range(8))
def test_matrix_to_parameters_and_angles(seed):
    p = np.random.default_rng(seed).normal(size=4)
    p[seed % 4] *= 5.0  # each of the four leads in turn
    p /= np.linalg.norm(p)
    p *= np.sign(p[0])
    np.testing.assert_allclose(rot.euler_parameters(rot.A(p)), p, atol=1e-14)
    n, phi = rot.axis_angle(rot.A(p))
    np.testing.assert_allclose(rot.axis_angle_matrix(n, phi), rot.A(p), atol=1e-14)
    np.testing.assert_allclose(rot.cardan_matrix(rot.cardan_angles(rot.A(p))), rot.A(p), atol=1e-14)


def test_half_turns_and_no_turn():
    for k in range(3):
        p = np.eye(4)[k + 1]
        np.testing.assert_allclose(rot.euler_parameters(rot.A(p)), p, atol=1e-15)
    axis, angle = rot.axis_angle(np.eye(3))
    assert angle == 0.0 and np.linalg.norm(axis) == 1.0


def test_rate_of_cardan_W():
    phi, phid, step = np.array([0.4, -0.7, 1.1]), np.array([0.5, -0.3, 0.8]), 1e-6
    slope = (rot.cardan_W(phi + step * phid) - rot.cardan_W(phi - step * phid)) / (2 * step)
    np.testing.assert_allclose(rot.cardan_W_rate(phi, phid), slope, atol=1e-9)


@pytest.mark.parametrize("name", ITEMS)
def test_rows_against_differences(name):
    """Rate and second rate of the value along a motion, at a state that violates the constraints, in both forms."""
    model, step = model_of(name), 1e-3
    q = spatial.rows(model, model.start, T)
    rd, w, pd = (part[1:].ravel() for part in (model.start.rd, model.start.w, model.start.pd))
    pdd = [rot.parameter_accelerations(*part) for part in zip(STATE["p"], STATE["w"], WD)]
    rate = q.Phi_r @ rd + q.Pi_bar @ w - q.nu
    second = q.Phi_r @ RDD.ravel() + q.Pi_bar @ WD.ravel() - q.gamma
    np.testing.assert_allclose(q.Phi_r @ rd + q.Phi_p @ pd - q.nu, rate, atol=1e-13)
    np.testing.assert_allclose(q.Phi_r @ RDD.ravel() + q.Phi_p @ np.ravel(pdd) - q.gamma_p, second, atol=1e-12)
    values = [spatial.rows(model, moved(k * step), T + k * step).Phi for k in (-2, -1, 0, 1, 2)]
    slope = (values[0] - 8 * values[1] + 8 * values[3] - values[4]) / (12 * step)
    if name == "rolling":  # only its height has a value, and it is the last
        rate[:2] = second[:2] = 0.0
    np.testing.assert_allclose(slope, rate, atol=1e-8)
    bend = (-values[0] + 16 * values[1] - 30 * values[2] + 16 * values[3] - values[4]) / (12 * step**2)
    np.testing.assert_allclose(bend, second, atol=1e-5)


def test_second_rates_of_rolling():
    """The slip along the plane has no value: its rate against differences of its own speed."""
    model, step = model_of("rolling"), 1e-4
    x = model.start

    def slip(s):
        here = moved(s)
        here = tb.Motion(here.r[1:], here.p[1:], STATE["rd"] + s * RDD, STATE["w"] + s * WD)
        q = spatial.rows(model, here)
        return q.Phi_r @ here.rd[1:].ravel() + q.Pi_bar @ here.w[1:].ravel()

    q = spatial.rows(model, x)
    second = q.Phi_r @ RDD.ravel() + q.Pi_bar @ WD.ravel() - q.gamma
    np.testing.assert_allclose((slip(step) - slip(-step)) / (2 * step), second, atol=1e-6)


@pytest.mark.parametrize("name", FREEDOM)
def test_freedom_of_joints(name):
    model = model_of(name)
    x = spatial.correct_positions(model, model.start)
    q = spatial.rows(model, x)
    np.testing.assert_allclose(q.Phi, 0.0, atol=1e-12)
    rank = np.linalg.matrix_rank(np.hstack([q.Phi_r, q.Pi_bar]), tol=1e-9)
    assert rank == len(q.Phi) == 6 - FREEDOM[name]


@pytest.mark.parametrize("name", ITEMS)
def test_forms_and_elimination_agree(name):
    model = model_of(name)
    x = model.start if name == "rolling" else spatial.correct_positions(model, model.start, T)
    x = spatial.correct_velocities(model, x, T)
    forms = spatial.r_omega, spatial.r_p, spatial.null_space
    turning, by_parameters, eliminated = (form(model, x, T) for form in forms)
    np.testing.assert_allclose(by_parameters.rdd, turning.rdd, atol=1e-10)
    np.testing.assert_allclose(by_parameters.lam, turning.lam, atol=1e-9)
    for p, pdd, wd in zip(x.p[1:], by_parameters.pdd, turning.wd):
        np.testing.assert_allclose(rot.body_accelerations_of(p, pdd), wd, atol=1e-10)
    for one, other in zip(eliminated, turning):
        np.testing.assert_allclose(one, other, atol=1e-9)


@pytest.mark.parametrize("name", FREEDOM)
def test_reactions_are_opposite_and_do_no_work(name):
    model = model_of(name)
    x = spatial.correct_velocities(model, spatial.correct_positions(model, model.start))
    lam = spatial.r_omega(model, x).lam
    on, to = (spatial.reaction(model, x, lam, name, b) for b in (1, 2))
    np.testing.assert_allclose(on.force, -to.force, atol=1e-10)
    arm = x.r[2] - x.r[1]
    np.testing.assert_allclose(on.moment + to.moment + np.cross(arm, to.force), 0.0, atol=1e-9)
    power = sum(w.force @ x.rd[b] + w.moment @ x.A[b] @ x.w[b] for b, w in ((1, on), (2, to)))
    assert power == pytest.approx(0.0, abs=1e-9)


def test_redundant_constraints_are_refused():
    twice = spatial_joints.spherical(GROUND, ON)
    model = tb.SpaceModel(model_of("D").bodies, {"a": twice, "b": twice}, (), "doubled")
    with pytest.raises(SingularConfigurationError, match="doubled"):
        spatial.r_omega(model, model.start)


def test_out_of_reach_is_refused():
    far = Place(0, np.array([9.0, 0.0, 0.0]))
    joints = {"near": spatial_joints.spherical(GROUND, ON), "far": spatial_joints.spherical(far, Place(1))}
    model = tb.SpaceModel(model_of("D").bodies, joints, (), "torn")
    with pytest.raises(ConvergenceError, match="torn"):
        spatial.correct_positions(model, model.start)


def test_relative_motion_against_differences():
    """Velocities and accelerations of the next body of a tree, with every coordinate a quadratic in time."""
    start = {key: RANDOM.normal(size=(3, 3)) * 0.5 for key in ("phi", "x", "psi", "c")}

    def at(key, t):
        a, b, c = start[key]
        return a + b * t + c * t**2 / 2, b + c * t, c

    def motion(t):
        (phi, phid, phidd), (x, v, a) = at("phi", t), at("x", t)
        W, Wd = rot.cardan_W(phi), rot.cardan_W_rate(phi, phid)
        body_i = trees.Pose(rot.cardan_matrix(phi), x, W @ phid, v, W @ phidd + Wd @ phid, a)
        (psi, psid, psidd), (c, cd, cdd) = at("psi", t), at("c", t)
        return trees.relative_motion(body_i, psi, psid, c, cd, psidd, cdd)

    step = 1e-5
    before, here, after = motion(-step), motion(0.0), motion(step)
    np.testing.assert_allclose((after.x - before.x) / (2 * step), here.v, atol=1e-8)
    np.testing.assert_allclose((after.v - before.v) / (2 * step), here.a, atol=1e-8)
    np.testing.assert_allclose((after.w - before.w) / (2 * step), here.wd, atol=1e-8)
    np.testing.assert_allclose(rot.axial((after.R - before.R) / (2 * step) @ here.R.T), here.w, atol=1e-8)
