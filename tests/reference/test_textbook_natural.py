"""Natural coordinates by the book's own functions: García de Jalón and Bayo, chapter 4.

Every value of a case is answered; a value without an answer is a fault.
"""

import numpy as np

import linkwork as lw
from linkwork.textbook import forms_of_motion as forms
from linkwork.textbook import natural_constraints as held
from linkwork.textbook import natural_elements as natural
from linkwork.textbook import natural_forces as loads
from linkwork.textbook import spatial_rotation as rot
from linkwork.textbook.planar_kinematics import A as turned
from linkwork.textbook.point_masses import expanded
from reference.book import agrees, label, load


def answer_all(case, answers):
    """Compare every expected value with the answer of its quantity, all of them asked for."""
    for entry in case["expected"]:
        assert entry["quantity"] in answers, f"nothing answers {label(entry)}"
        agrees(answers[entry["quantity"]], entry)
    assert len(answers) == len({e["quantity"] for e in case["expected"]})


class Moving:
    """Places and velocities of points and vectors of a body from its frame."""

    def __init__(self, data):
        self.o, self.od = np.array(data["frame_origin"]), np.array(data.get("frame_origin_velocity", np.zeros(3)))
        self.R = rot.A(np.array(data["euler_parameters"]))
        self.w = np.array(data.get("omega_global", np.zeros(3)))

    def q(self, points, vectors):
        """Coordinates and rates of points, then of vectors."""
        s, d = ([self.R @ one for one in ones] for ones in (points, vectors))
        q = [self.o + one for one in s] + d
        qd = [self.od + np.cross(self.w, one) for one in s] + [np.cross(self.w, one) for one in d]
        return np.concatenate(q), np.concatenate(qd)


def element(data):
    """Mass, c of the mass centre, X bar, J_i, Z and M4 of two points and two vectors."""
    body, (i, j) = data["body"], (np.array(data["points_local"][k]) for k in "ij")
    vectors = [np.array(v) for v in data["vectors_local"].values()]
    X_bar = natural.X(i, j, *vectors)
    d = np.array(body["rG_local"]) - i
    J = natural.second_moments_about(natural.second_moments(body["inertia_tensor_about_G_local"]), body["m"], d)
    a, Z = natural.c(X_bar, d), natural.Z(X_bar, J)
    return body["m"], a, X_bar, J, Z, natural.M4(body["m"], a, Z)


def test_plane_two_points():
    case = load("spatial_gdj_planar_2pt_mass_matrix")
    d, motion = case["model"], case["analysis"]["motion_for_energy"]
    (A, B, C), rho = np.array(d["vertices_local"]), d["areal_density"]
    m = rho * abs(np.linalg.det([B - A, C - A])) / 2  # a triangle: its mass in the middles of its sides
    middles = np.array([A + B, B + C, C + A]) / 2
    G, I_i = middles.mean(axis=0), m / 3 * np.sum(middles**2)
    L = d["basic_points_local"]["j"][0]
    M = natural.M_plane(m, G, I_i, L)
    R, v = turned(motion["theta"]), np.array(motion["v_i"])
    qd = np.r_[v, v + motion["omega"] * R @ [0.0, L]]
    answer_all(case, {
        "m": m, "rG_local": G, "I_i (polar, about i)": I_i, "M (4x4), q=[xi,yi,xj,yj]": M,
        "kinetic energy of the given rigid motion": natural.kinetic_energy(M, qd),
    })  # fmt: skip
    by_points = sum(m / 3 * natural.C_plane(p, L).T @ natural.C_plane(p, L) for p in middles)
    np.testing.assert_allclose(by_points, M, atol=1e-14)


def test_plane_bar():
    case = load("spatial_gdj_ex4_6_planar_bar")
    m, L = case["model"]["m"], case["model"]["L"]
    M = natural.M_plane(m, (L / 2, 0.0), m * L**2 / 3, L)
    answer_all(case, {"M (4x4)": M})
    np.testing.assert_allclose(expanded(natural.bar(m, L)), M, atol=1e-15)


def test_masses_at_points():
    case = load("spatial_gdj_p4_1_lumped_masses")
    at = {"mass_at_i": (0, 0), "mass_at_j": (1, 0), "mass_at_(0,1)": (0, 1), "mass_at_(0,-1)": (0, -1)}
    found = {f"M (4x4), {key}": natural.C_plane(p, 1.0).T @ natural.C_plane(p, 1.0) for key, p in at.items()}
    for key, p in at.items():
        whole = natural.M_plane(1.0, p, np.dot(p, p), 1.0)
        np.testing.assert_allclose(whole, found[f"M (4x4), {key}"], atol=1e-15)
    answer_all(case, found | {"M (4x4), disk_at_i_R1": natural.M_plane(1.0, (0.0, 0.0), 0.5, 1.0)})


def test_negative_masses():
    case = load("spatial_gdj_p4_2_negative_masses")
    d = case["model"]
    masses = natural.masses_plane(d["points_local"], np.array(d["target_M"]), 1.0)
    answer_all(case, {"masses at (0,0),(1,0),(0,1),(0,-1)": masses})


def test_two_points_two_vectors():
    case = load("spatial_gdj_3d_2pt2vec_mass")
    d = case["model"]
    m, a, X_bar, J, Z, M4 = element(d)
    _, qd = Moving(case["analysis"]["motion_for_energy"]).q(d["points_local"].values(), d["vectors_local"].values())
    answer_all(case, {
        "second-moment matrix J_i": J,
        "a = Xbar^-1 (rG-ri)": a,
        "Z = Xbar^-1 J_i Xbar^-T": Z,
        "M4 with M = M4 (x) I3": M4,
        "kinetic energy of the given rigid motion": natural.kinetic_energy(expanded(M4, 3), qd),
    })  # fmt: skip


def test_three_points_one_vector():
    case = load("spatial_gdj_3d_3pt1vec_mass")
    d = case["model"]
    i, j, k = (np.array(p) for p in d["points_local"].values())
    L_jk = np.linalg.norm(k - j)
    with_v = {**d, "vectors_local": {**d["vectors_local"], "v": (k - j) / L_jk}}
    M4 = natural.congruent(element(with_v)[-1], natural.V_three_points(L_jk))
    _, qd = Moving(case["analysis"]["motion_for_energy"]).q((i, j, k), d["vectors_local"].values())
    answer_all(case, {
        "M4 with M = M4 (x) I3": M4,
        "kinetic energy of the given rigid motion": natural.kinetic_energy(expanded(M4, 3), qd),
    })  # fmt: skip


def test_two_points_one_vector():
    case = load("spatial_gdj_3d_2pt1vec_mass")
    d = case["model"]
    i, j, u = *(np.array(p) for p in d["points_local"].values()), np.array(d["vectors_local"]["u"])
    c = natural.factor(i, j, u)
    M4 = element({**d, "vectors_local": {"u": u, "v": c * np.cross(i - j, u)}})[-1]
    q, qd = Moving(case["analysis"]["motion"]).q((i, j), (u,))
    M, h = natural.M_one_vector(M4, q, c), natural.h_one_vector(M4, q, qd, c)
    rows = held.rigid(held.TWO_POINTS_ONE_VECTOR, (j - i, u))
    np.testing.assert_allclose(held.values(rows, q), 0.0, atol=1e-14)
    free, _ = forms.multipliers(M, -h, held.jacobian(rows, q), held.right_side(rows, qd))
    answer_all(case, {
        "q (9)": q,
        "qd (9)": qd,
        "constant c in v = c (r_i-r_j) x u": c,
        "M (9x9)": M,
        "h = V^T M Vdot qd (left-hand side)": h,
        "kinetic energy": natural.kinetic_energy(M, qd),
        "qdd of the free (unloaded) body": free,
    })  # fmt: skip


def test_bar_of_two_points():
    case = load("spatial_gdj_3d_2pt_bar_mass")
    d, motion = case["model"], case["analysis"]["motion_for_energy"]
    M2, v = natural.bar(d["m"], d["L"]), np.array(motion["v_i"])
    qd = np.r_[v, v + np.cross(motion["omega"], d["L"] * np.array(motion["axis"]))]
    answer_all(case, {
        "M2 with M = M2 (x) I3": M2,
        "kinetic energy": natural.kinetic_energy(expanded(M2, 3), qd),
    })  # fmt: skip


def test_pendulum():
    case = load("spatial_gdj_fig4_1_pendulum_multiplier")
    d, x, xd = case["model"], *(np.array(case["analysis"]["state"][k]) for k in ("x", "xd"))
    row = held.Product((1,), (1,), d["L"] ** 2, size=2)
    M, Q = d["m"] * np.eye(2), d["m"] * np.array([0.0, -d["g"]])
    xdd, lam = forms.multipliers(M, Q, held.jacobian([row], x), held.right_side([row], xd))
    answer_all(case, {"xdd": xdd, "lambda": lam[0], "string tension = 2*L*lambda": 2 * d["L"] * lam[0]})

    m = lw.Mechanism("pendulum", gravity=(0.0, -d["g"]))
    bob = m.add("bob", lw.Particle(d["m"], position=x, velocity=xd))
    m.add("string", lw.Rod(m.ground, bob, length=d["L"]))
    ev = m.evaluate(coordinates="body")
    np.testing.assert_allclose([ev["bob.x.acceleration"], ev["bob.y.acceleration"]], xdd, rtol=1e-10)
    assert abs(ev["string.reaction.magnitude"] - 2 * d["L"] * lam[0]) < 1e-9


def test_force_and_torque():
    case = load("spatial_gdj_force_torque_transform")
    d, moving = case["model"], Moving(case["analysis"]["state"])
    m, a, X_bar, *_ = element(d)
    i, j = (np.array(p) for p in d["points_local"].values())
    q, qd = moving.q((i, j), d["vectors_local"].values())
    at, f, T = (np.array(d["loads"][key]) for key in ("at_local", "force_global", "torque_global"))
    c_P = natural.c(X_bar, at - i)
    Q_f = loads.force(natural.C(c_P), f)
    X = natural.X(q[:3], q[3:6], q[6:9], q[9:])
    u_f, push = loads.torque_arm(q[:3], q[3:6], T)
    Q_T = loads.torque(X, q[:3], q[3:6], T)
    g = d["loads"]["gravity"]
    np.testing.assert_allclose(natural.A(X, X_bar), moving.R, atol=1e-14)
    X_rate = np.column_stack([qd[3:6] - qd[:3], qd[6:9], qd[9:]])
    np.testing.assert_allclose(natural.angular_velocity(X_rate, X_bar, moving.R), moving.w, atol=1e-13)
    answer_all(case, {
        "c coefficients of P": c_P,
        "c coefficients of G": a,
        "Q of the force (12)": Q_f,
        "Q of the weight (12)": loads.weight(m, natural.C(a), g),
        "u_f": u_f,
        "f = u_f x M": push,
        "Q of the torque (12)": Q_T,
        "power of the force": Q_f @ qd,
        "power of the torque": Q_T @ qd,
        "weight potential -m rG.g": loads.weight_potential(m, natural.C(a), g, q),
    })  # fmt: skip


def test_plane_force_and_torque():
    case = load("spatial_gdj_planar_force_torque")
    d, velocity = case["model"], case["analysis"]["velocity_check"]
    r_i, r_j, v = np.array(d["r_i"]), np.array(d["r_j"]), np.array(velocity["v_i"])
    x, y = r_j - r_i
    qd = np.r_[v, v + velocity["omega"] * np.array([-y, x])]
    Q_f = loads.force(natural.C_plane(d["at_local"], d["L"]), d["force"])
    Q_T = loads.torque_plane(r_i, r_j, d["torque"])
    answer_all(case, {
        "Q force (4)": Q_f,
        "Q torque (4)": Q_T,
        "power of force": Q_f @ qd,
        "power of torque": Q_T @ qd,
    })  # fmt: skip


def test_spring_between_basic_points():
    case = load("spatial_gdj_spring_basic_points")
    d = case["model"]
    L = np.linalg.norm(np.subtract(d["r_j"], d["r_i"]))
    Q, V = loads.spring(d["r_i"], d["r_j"], d["k"], d["L0"])
    Q_s, V_s = loads.spring_of_distance(L, d["k"], d["L0"])
    assert abs(V - V_s) < 1e-12
    answer_all(case, {
        "length": L,
        "spring force f=k(L-L0)": np.linalg.norm(Q[:3]),
        "Q on [r_i,r_j] (right-hand side)": Q,
        "potential energy": V,
        "generalized force on mixed coordinate s": Q_s,
    })  # fmt: skip


def test_spring_between_any_points():
    case = load("spatial_gdj_spring_any_points")
    d = case["model"]
    found = []
    for body in (d["body1"], d["body2"]):
        i, j = (np.array(p) for p in body["points_local"].values())
        X_bar = natural.X(i, j, *body["vectors_local"].values())
        C_P = natural.C(natural.c(X_bar, np.array(body["spring_point_local"]) - i))
        found += [C_P, Moving(body["pose"]).q((i, j), body["vectors_local"].values())[0]]
    C_1, q_1, C_2, q_2 = found
    Q_1, Q_2, V = loads.spring_of_bodies(C_1, q_1, C_2, q_2, d["k"], d["L0"])
    r_1, r_2 = C_1 @ q_1, C_2 @ q_2
    L = np.linalg.norm(r_2 - r_1)
    by_matrix = -d["k"] * (1 - d["L0"] / L) * loads.spring_matrix(C_1, C_2) @ np.r_[q_1, q_2]
    np.testing.assert_allclose(by_matrix, np.r_[Q_1, Q_2], atol=1e-12)
    answer_all(case, {
        "r1": r_1,
        "r2": r_2,
        "length": L,
        "force on body 1": Q_1[:3] + Q_1[3:6],
        "Q1 (12)": Q_1,
        "Q2 (12)": Q_2,
        "potential energy": V,
    })  # fmt: skip


def test_rotational_spring():
    case = load("spatial_gdj_rotational_spring")
    p, s = case["model"]["planar_part"], case["model"]["spatial_part"]
    psi = loads.angle(p["r_i"], p["r_j"], p["r_k"])
    torque, V = loads.torsion_spring(psi, p["turns"], p["k"], p["psi0"])
    one, other = (np.array(s[f"segment_{k}"]) for k in (1, 2))
    between = np.arccos(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
    answer_all(case, {
        "planar psi (angle from ij to jk)": psi,
        "planar total angle psi+2 n pi": psi + 2 * np.pi * p["turns"],
        "planar spring torque magnitude k(psi+2npi-psi0)": -torque,
        "planar potential energy": V,
        "spatial joint angle about u": loads.joint_angle(s["axis_u"], one, other),
        "spatial angle between segments (wrong measure)": between,
    })  # fmt: skip


def test_moving_frame():
    case = load("spatial_gdj_moving_frame_field")
    d, frame = case["model"], case["model"]["frame"]
    M = expanded(element(d)[-1], 3)
    moving = Moving(d["pose_relative_to_moving_frame"])
    q, qd = moving.q(d["points_local"].values(), d["vectors_local"].values())
    Omega = frame["Omega"]
    answer_all(case, {
        "Q_in (12), field part": loads.frame_loads(
            M, q, frame["origin_acceleration"], Omega, frame["Omega_dot"], points=2
        ),
        "Coriolis addition -M (2 Omega x qd) (12)": loads.coriolis_loads(M, qd, Omega),
    })  # fmt: skip
