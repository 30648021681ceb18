"""Formulas of space by the books' own functions: Negrut, ME751; Veldpaus, Multibody dynamics: an introduction.

Every value of a case is answered; a value without an answer is a fault.
"""

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.textbook import spatial, spatial_primitives
from linkwork.textbook import spatial_rotation as rot
from linkwork.textbook import spatial_trees as trees
from reference.book import agrees, label, load


def answer_all(case, answers):
    """Compare every expected value with the answer of its quantity."""
    for entry in case["expected"]:
        assert entry["quantity"] in answers, f"nothing answers {label(entry)}"
        agrees(answers[entry["quantity"]], entry)


# Negrut


def primitives():
    case = load("spatial_negrut_primitives")
    d = case["model"]
    i, j = d["body_i"], d["body_j"]
    x = tb.Motion(*([b[key] for b in (i, j)] for key in ("r", "p", "rd", "omega_bar")))

    def f(t):  # "0.3+0.2*sin(2 t)"
        return 0.3 + 0.2 * np.sin(2 * t), 0.4 * np.cos(2 * t), -0.8 * np.sin(2 * t)

    s = {"s_i": d["sbar_i_P"], "s_j": d["sbar_j_Q"], "f": f}
    items = {
        "DP1": tb.DP1(1, 2, d["abar_i"], d["abar_j"], f),
        "DP2": tb.DP2(1, 2, d["abar_i"], **s),
        "D": tb.D(1, 2, **s),
        "CD": tb.CD(1, 2, d["c"], **s),
    }
    return case, x, items, case["analysis"]["t"]


def test_primitives():
    case, x, items, t = primitives()
    answers = {}
    for name, item in items.items():
        row = item.row(x, t)
        answers |= {
            f"{name} Phi": row.Phi,
            f"{name} Phi_r [r_i, r_j]": row.Phi_r,
            f"{name} Pi_bar [i, j]": row.Pi_bar,
            f"{name} Phi_p [p_i, p_j]": row.Phi_p,
            f"{name} nu": row.nu,
            f"{name} gamma (r-omega form)": row.gamma,
            f"{name} gamma (r-p form)": row.gamma_p,
            # the rate of the value, in both forms
            f"{name} Phidot": np.sum(row.Phi_r * x.rd[1:]) + np.sum(row.Pi_bar * x.w[1:]) - row.nu,
        }
        by_parameters = np.sum(row.Phi_r * x.rd[1:]) + np.sum(row.Phi_p * x.pd[1:]) - row.nu
        assert by_parameters == pytest.approx(answers[f"{name} Phidot"], rel=1e-12)
    p = spatial_primitives.normalisation(x.p[1], x.pd[1])
    answers |= {"p Phi": p.Phi, "p Phi_p": p.Phi_p, "p gamma": p.gamma}
    answer_all(case, answers)


def test_single_body_loads():
    case = load("spatial_negrut_single_body_loads")
    d, s = case["model"], case["model"]["state"]
    applied = [tb.ForceAt(1, at, F) for F, at in zip(d["forces_global"], d["at_sbar"])]
    applied.append(tb.TorqueOn(1, d["torque_bar"]))
    body = tb.SpaceBody(d["m"], d["J_bar"], s["r"], s["p"], s["rd"], s["omega_bar"])
    model = tb.SpaceModel((body,), {}, (*applied, tb.Weight(d["gravity"])))
    x = model.start
    F, n_bar = spatial.loads(tb.SpaceModel((body,), {}, tuple(applied)), x)
    turning, by_parameters = spatial.r_omega(model, x), spatial.r_p(model, x)
    np.testing.assert_allclose(by_parameters.rdd, turning.rdd, rtol=0, atol=1e-13)
    answers = {
        "total active force (without gravity)": F[0],
        "total active torque, body frame": n_bar[0],
        "rdd": turning.rdd[0],
        "omega_bar_dot": turning.wd[0],
        "pdd": by_parameters.pdd[0],
        "multiplier of the p constraint (1/2 p^T p - 1/2)": by_parameters.lam_p[0],
        "J_p = 4 G^T J G": spatial.J_p(body.J_bar, x.p[1]),
    }
    answer_all(case, answers)
    np.testing.assert_allclose(rot.parameter_accelerations(x.p[1], x.w[1], turning.wd[0]), by_parameters.pdd[0])


def test_virtual_rotation():
    case = load("spatial_negrut_virtual_rotation")
    p, turn = np.array(case["model"]["p"]), np.array(case["model"]["dpi_bar"])
    dp = rot.parameter_rates(p, turn)
    answers = {
        "A": rot.A(p),
        "G": rot.G(p),
        "E": rot.E(p),
        "dp = 1/2 G^T dpi_bar": dp,
        "dpi global": rot.world_rates(p, dp),
        "dA = 2 E dG^T": 2 * rot.E(p) @ rot.G(dp).T,
        "p.dp": p @ dp,
    }
    answer_all(case, answers)
    np.testing.assert_allclose(rot.body_rates(p, dp), turn, atol=1e-16)
    np.testing.assert_allclose(rot.A(p) @ rot.skew(turn), answers["dA = 2 E dG^T"], atol=1e-16)


# Veldpaus


def test_cardan_angles():
    case = load("spatial_veldpaus_cardan")
    phi, rate = (np.array(case["model"][key]) for key in ("phi", "phi_dot"))
    R, W = rot.cardan_matrix(phi), rot.cardan_W(phi)
    answers = {
        "R (columns = moving basis in fixed components)": R,
        "W": W,
        "omega global": W @ rate,
        "omega body": R.T @ W @ rate,
        "det W = cos(phi2)": np.linalg.det(W),
        "euler parameters (e0>0)": rot.euler_parameters(R),
        "det W": np.linalg.det(rot.cardan_W((0.3, np.pi / 2, 0.2))),
    }
    answer_all(case, answers)
    np.testing.assert_allclose(rot.cardan_angles(R), phi, atol=1e-15)


def test_euler_parameters():
    case = load("spatial_veldpaus_euler_parameters")
    d = case["model"]
    n, phi, nd, phid = np.array(d["axis"]), d["angle"], np.array(d["axis_dot"]), d["angle_dot"]
    p, pd = rot.axis_angle_parameters(n, phi), rot.axis_angle_parameter_rates(n, phi, nd, phid)
    R = rot.axis_angle_matrix(n, phi)
    turning = max(np.linalg.eigvals(R), key=lambda value: value.imag)
    answers = {
        "euler parameters": p,
        "R": R,
        "trace R = 1+2cos(angle)": np.trace(R),
        "second invariant J2(R) (= trace)": rot.second_invariant(R),
        "eigenvalues: 1 and cos(angle) +- i sin(angle) [re,im]": [turning.real, turning.imag],
        "euler parameter rates": pd,
        "omega global": rot.axis_angle_omega(n, phi, nd, phid),
        "omega body = 2 G pd": rot.body_rates(p, pd),
        "constraint rate p.pd": p @ pd,
    }
    answer_all(case, answers)
    np.testing.assert_allclose(rot.A(p), R, atol=1e-15)
    np.testing.assert_allclose(rot.euler_parameter_omega(p, pd), answers["omega global"], atol=1e-15)
    axis, angle = rot.axis_angle(R)
    np.testing.assert_allclose([*axis, angle], [*n, phi], atol=1e-14)
    np.testing.assert_allclose(rot.axis_angle_matrix(-n, -phi), R, atol=1e-15)  # the same turn; (-n, phi + pi) is not


def test_relative_motion():
    case = load("spatial_veldpaus_relative_motion")
    i, c = case["model"]["body_i"], case["model"]["connection"]
    W = rot.cardan_W(i["phi"])
    body_i = trees.Pose(rot.cardan_matrix(i["phi"]), i["x"], W @ i["phi_dot"], i["v"])
    j = trees.relative_motion(body_i, c["psi"], c["psi_dot"], c["c_in_frame_i"], c["c_dot_in_frame_i"])
    phi_j = rot.cardan_angles(j.R)
    answers = {
        "R_j": j.R,
        "phi_j (Cardan)": phi_j,
        "x_j": j.x,
        "omega_i": body_i.w,
        "omega_j": j.w,
        "v_j": j.v,
        "phi_j_dot": np.linalg.solve(rot.cardan_W(phi_j), j.w),
    }
    answer_all(case, answers)


def test_rigid_body_quantities():
    case = load("spatial_veldpaus_rigid_body_quantities")
    d = case["model"]
    R = rot.cardan_matrix(d["phi_cardan"])
    motion = (d[key] for key in ("x_M", "v_M", "omega_global", "a_M", "omega_dot_global"))
    q = trees.rigid_body(d["m"], d["J_M0_body"], R, *motion)
    answers = {
        "J_M global": q.J_M,
        "momentum": q.p,
        "L_M": q.L_M,
        "L_O": q.L_O,
        "kinetic energy": q.T,
        "resultant force": q.F,
        "resultant moment about M": q.M_M,
        "resultant moment about O": q.M_O,
    }
    answer_all(case, answers)
    # the same by the equations of motion: the resultants as loads give back the accelerations
    p = rot.euler_parameters(R)
    body = tb.SpaceBody(d["m"], d["J_M0_body"], d["x_M"], p, d["v_M"], R.T @ d["omega_global"])
    model = tb.SpaceModel((body,), {}, (tb.ForceAt(1, np.zeros(3), q.F), tb.TorqueOn(1, R.T @ q.M_M)))
    got = spatial.r_omega(model, model.start)
    np.testing.assert_allclose(got.rdd[0], d["a_M"], atol=1e-14)
    np.testing.assert_allclose(R @ got.wd[0], d["omega_dot_global"], atol=1e-13)
    T, _ = spatial.energy(model, model.start)
    assert T == pytest.approx(q.T, rel=1e-14)
    np.testing.assert_allclose(spatial.momentum(model, model.start)[1], q.L_O, atol=1e-14)


def test_connection_forces():
    case = load("spatial_veldpaus_connection_generalized_forces")
    hinge, rod, strut = (case["model"][key] for key in ("hinge", "rod", "strut"))
    numbers = ("length", "a", "b", "angle_body_i", "alpha", "beta", "tau1_on_rod_at_A1", "tau2_on_body_j_at_A2",
               "axial_force_on_rod_by_body_j")  # fmt: skip
    on_rod = trees.rod_forces(*(rod[key] for key in numbers))
    in_strut = trees.strut_forces(*(strut[key] for key in ("k", "b", "l0", "l", "l_dot")))
    answers = {
        "hinge: generalized force on beta": trees.hinge_torque(*(hinge[k] for k in ("tau", "damping", "beta_dot"))),
        "rod: generalized force on body-i rotation": on_rod.Q_i,
        "rod: generalized force on alpha = tau1 - tau2": on_rod.Q_alpha,
        "rod: generalized force on beta = tau2": on_rod.Q_beta,
        "rod: force on body i": on_rod.F_i,
        "rod: moment on body i about M_i": on_rod.M_i,
        "rod: force on body j": on_rod.F_j,
        "rod: moment on body j about M_j": on_rod.M_j,
        "strut: axial force k(l-l0)+b ldot (tension positive)": in_strut.tension,
        "strut: generalized force on l (on the bodies)": in_strut.Q,
        "strut: stored energy": in_strut.energy,
        "strut: dissipated power": in_strut.dissipation,
    }
    answer_all(case, answers)
    # (3.45) in space: dc/dq and the relative rotations of alpha and beta, in axes of body i
    a, b, alpha, beta, length = (rod[key] for key in ("a", "b", "alpha", "beta", "length"))
    C = rot.axis_angle_matrix((0, 0, 1), beta)
    along = length * np.array([np.cos(alpha), np.sin(alpha), 0.0])
    z = np.array([0.0, 0.0, 1.0])
    c_q = np.column_stack([np.cross(z, along), -np.cross(z, C @ [*b, 0.0])])
    pi_q = np.column_stack([np.zeros(3), z])
    R_i = rot.axis_angle_matrix(z, rod["angle_body_i"])
    Q = trees.generalized_force(c_q, pi_q, R_i.T @ [*on_rod.F_j, 0.0], [0.0, 0.0, on_rod.M_j])
    np.testing.assert_allclose(Q, [on_rod.Q_alpha, on_rod.Q_beta], atol=1e-13)
    c = np.array([*a, 0.0]) + along - C @ [*b, 0.0]  # the massless connection is in balance: (3.41)
    moment = on_rod.M_i + on_rod.M_j + np.cross(R_i @ c, [*on_rod.F_j, 0.0])[2]
    assert moment == pytest.approx(0.0, abs=1e-13)
