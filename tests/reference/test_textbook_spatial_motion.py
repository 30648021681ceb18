"""Mechanisms of space by the books' own equations: constraints from primitives, r-omega and r-p form.

Every value of a case is answered, by closed form where it has one, else along the motion; a value without an answer is
a fault.
"""

import numpy as np
import pytest
from scipy.special import ellipk

from linkwork import textbook as tb
from linkwork.textbook import spatial, spatial_joints
from linkwork.textbook import spatial_primitives as primitives
from linkwork.textbook import spatial_rotation as rot
from linkwork.textbook.spatial_joints import Place
from reference.book import agrees, label, load

X, Y, Z = np.eye(3)
TURNED = np.column_stack([Y, Z, X])  # axes with z along x


def times_of(case, word=""):
    """0 and the times at which the case wants a quantity that begins with this word."""
    found = {e["at"]["t"] for e in case["expected"] if isinstance(e["at"], dict) and e["quantity"].startswith(word)}
    return sorted({0.0} | found)


def answer_all(case, answers, along=None):
    """Compare every value with the answer of its quantity, and those at a time with along[quantity](time)."""
    for entry in case["expected"]:
        name, at = entry["quantity"], entry["at"]
        if isinstance(at, dict):
            agrees(along[name](at["t"]), entry)
        elif at == "any t":
            for value in answers[name]:
                agrees(value, entry)
        else:
            assert name in answers, f"nothing answers {label(entry)}"
            agrees(answers[name], entry)


def motions(model, times, rtol=1e-12, form="r-omega"):
    """{time: motion}."""
    return dict(zip(times, spatial.simulate(model, times, form=form, rtol=rtol, atol=0.1 * rtol)))


@pytest.mark.parametrize("form", ["r-omega", "r-p"])
def test_torque_free_symmetric_body(form):
    case = load("spatial_torque_free_symmetric")
    d = case["model"]
    J, w = np.array(d["J_bar"]), np.array(d["omega_bar0"])
    model = tb.SpaceModel((tb.SpaceBody(d["m"], J, p=d["p0"], w=w),))
    run = motions(model, times_of(case), form=form)
    L = np.linalg.norm(J * w)
    answers = {
        "precession rate |L|/J1": L / J[0],
        "body spin rate (J1-J3)/J1*w3": (J[0] - J[2]) / J[0] * w[2],
        "angle between L and symmetry axis": np.arccos(J[2] * w[2] / L),
        "kinetic energy": [spatial.energy(model, x)[0] for x in run.values()],
        "L global": [spatial.momentum(model, x)[1] for x in run.values()],
    }
    along = {
        "omega body": lambda t: run[t].w[1],
        "rotation matrix": lambda t: run[t].A[1],
        "euler parameters (sign continuous from t=0)": lambda t: run[t].p[1],
    }
    answer_all(case, answers, along)


def top(d, tilt, precession):
    """The top on 3 CD, precessing at a rate, with the given spin about its own axis."""
    R = rot.euler_313(0.0, tilt, 0.0)
    s = np.array([0.0, 0.0, d["com_distance"]])
    w = R.T @ [0.0, 0.0, precession]
    w[2] = d["omega3"]
    body = tb.SpaceBody(d["m"], d["J_bar_about_com"], R @ s, rot.euler_parameters(R), R @ np.cross(w, s), w)
    pivot = spatial_joints.spherical(Place(0, np.array(d["pivot"], dtype=float)), Place(1, -s))
    return tb.SpaceModel((body,), {"pivot": pivot}, (tb.Weight(d["gravity"]),))


def test_heavy_top_in_steady_precession():
    case = load("spatial_heavy_top_steady_precession")
    d = case["model"]
    m, g, length, c = d["m"], -d["gravity"][2], d["com_distance"], np.cos(d["tilt"])
    J1, spin = d["J_bar_about_com"][0] + m * length**2, d["J_bar_about_com"][2] * d["omega3"]
    root = np.sqrt(spin**2 - 4 * J1 * m * g * length * c)
    rates = {"slow": (spin - root) / (2 * J1 * c), "fast": (spin + root) / (2 * J1 * c)}
    answers = {
        "slow precession rate": rates["slow"],
        "fast precession rate": rates["fast"],
        "minimum spin omega3 for steady precession at this tilt": np.sqrt(4 * J1 * m * g * length * c)
        / d["J_bar_about_com"][2],
    }
    along = {}
    for word, rate in rates.items():
        model = top(d, d["tilt"], rate)
        run = motions(model, times_of(case, word), rtol=1e-11)
        lam = spatial.r_omega(model, model.start).lam
        force = spatial.reaction(model, model.start, lam, "pivot", 1).force
        along |= {
            f"{word}: c.o.m. position": lambda t, run=run: run[t].r[1],
            f"{word}: rotation matrix": lambda t, run=run: run[t].A[1],
            f"{word}: omega_bar": lambda t, run=run: run[t].w[1],
            f"{word}: pivot reaction on the top": lambda t, force=force: force,
        }
    answer_all(case, answers, along)


def test_heavy_top_in_nutation():
    case = load("spatial_heavy_top_nutation")
    d = case["model"]
    model = top(d, d["tilt0"], d["phi_dot0"])
    # u = cos(theta): u'^2 = (u0 - u) (b (1 - u^2) - a (u0 - u)), with b = 2 m g l / J1 and a = (J3 w3 / J1)^2
    J1 = d["J_bar_about_com"][0] + d["m"] * d["com_distance"] ** 2
    u0, b = np.cos(d["tilt0"]), -2 * d["m"] * d["gravity"][2] * d["com_distance"] / J1
    a = (d["J_bar_about_com"][2] * d["omega3"] / J1) ** 2
    u1, u3 = np.sort(np.roots([-b, a, b - a * u0]))
    period = 4 * ellipk((u0 - u1) / (u3 - u1)) / np.sqrt(b * (u3 - u1))
    times = sorted({*times_of(case), period / 2, period})
    run = motions(model, times, rtol=1e-11)

    def tilt_and_turn(t):  # the axis is (sin(theta) sin(phi), -sin(theta) cos(phi), cos(theta))
        e = run[t].A[1][:, 2]
        return np.array([np.arctan2(np.hypot(e[0], e[1]), e[2]), np.arctan2(e[0], -e[1]) % (2 * np.pi)])

    assert tilt_and_turn(period)[0] == pytest.approx(d["tilt0"], abs=1e-9)
    assert tilt_and_turn(period / 2)[0] == pytest.approx(np.arccos(u1), abs=1e-9)
    answers = {
        "nutation period": period,
        "maximum tilt (rad)": tilt_and_turn(period / 2)[0],
        "precession angle per nutation period": tilt_and_turn(period)[1],
        "energy": [sum(spatial.energy(model, x)) for x in run.values()],
    }
    along = {"[theta, phi]": tilt_and_turn, "c.o.m. position": lambda t: run[t].r[1]}
    answer_all(case, answers, along)


def test_spherical_pendulum():
    case = load("spatial_spherical_pendulum")
    d, start = case["model"], case["model"]["initial"]
    m, g, length, polar = d["m"], -d["gravity"][2], d["length"], 0.7
    rod = spatial_joints.distance(Place(0), Place(1), length)
    body = tb.SpaceBody(m, np.ones(3), start["r"], rd=start["rd"])  # its inertia is not turned
    model = tb.SpaceModel((body,), {"rod": rod}, (tb.Weight(d["gravity"]),))
    run = motions(model, times_of(case))

    def tension(model, x):
        force = spatial.reaction(model, x, spatial.r_omega(model, x).lam, "rod", 1).force
        return -force @ x.r[1] / length

    # conical motion, by the same equations: a circle at this rate asks for no other acceleration
    rate = np.sqrt(g / (length * np.cos(polar)))
    r = length * np.array([np.sin(polar), 0.0, -np.cos(polar)])
    cone = tb.Motion(r, (1.0, 0.0, 0.0, 0.0), rate * np.cross(Z, r))
    np.testing.assert_allclose(spatial.r_omega(model, cone).rdd[0], [-(rate**2) * r[0], 0.0, 0.0], atol=1e-13)
    # turning points: energy and vertical angular momentum, cos(polar) = u, u0 the given one
    E, h = sum(spatial.energy(model, model.start)), spatial.momentum(model, model.start)[1][2]
    u0 = -start["r"][2] / length
    cubic = np.polynomial.Polynomial([2 * E * m * length**2 - h**2, 2 * m**2 * g * length**3, -2 * E * m * length**2,
                                      -2 * m**2 * g * length**3])  # fmt: skip
    other = [u.real for u in cubic.roots() if abs(u) <= 1 and abs(u - u0) > 1e-6]
    answers = {
        "conical motion: angular rate at polar angle 0.7 from the downward vertical": rate,
        "conical motion: string tension": tension(model, cone),
        "other turning polar angle": np.arccos(other[0]),
        "energy": [sum(spatial.energy(model, x)) for x in run.values()],
        "vertical angular momentum": [spatial.momentum(model, x)[1][2] for x in run.values()],
    }
    along = {"position": lambda t: run[t].r[1], "tension": lambda t: tension(model, run[t])}
    answer_all(case, answers, along)


def test_driven_revolute_pendulum():
    case = load("spatial_driven_revolute_pendulum")
    d = case["model"]
    w = 2.2

    def angle(t):
        return np.pi / 5 * np.cos(w * t), -np.pi / 5 * w * np.sin(w * t), -np.pi / 5 * w**2 * np.cos(w * t)

    def sine(t):
        a, ad, add = angle(t)
        return np.sin(a), np.cos(a) * ad, np.cos(a) * add - np.sin(a) * ad**2

    hinge = spatial_joints.revolute(Place(0, axes=TURNED), Place(1, np.array(d["hinge_at_sbar"], dtype=float)))
    driver = (tb.DP1(0, 1, Z, Y, sine),)  # y of the bar, seen on the vertical, is the sine of the angle
    body = tb.SpaceBody(d["m"], d["J_bar"])
    model = tb.SpaceModel((body,), {"hinge": hinge, "driver": driver}, (tb.Weight(d["gravity"]),))

    def solved(t):
        a, ad, _ = angle(t)
        R = rot.axis_angle_matrix(X, a) @ np.column_stack([-Z, Y, X])  # x of the bar hangs down at angle 0
        s = np.array(d["hinge_at_sbar"], dtype=float)
        w_bar = R.T @ (ad * X)
        x = tb.Motion(-R @ s, rot.euler_parameters(R), R @ np.cross(w_bar, -s), w_bar)
        q = spatial.rows(model, x, t)
        np.testing.assert_allclose(q.Phi, 0.0, atol=1e-15)
        np.testing.assert_allclose(q.Phi_r @ x.rd[1] + q.Pi_bar @ x.w[1] - q.nu, 0.0, atol=1e-15)
        return x, spatial.r_omega(model, x, t)

    def force(t):
        x, a = solved(t)
        return spatial.reaction(model, x, a.lam, "hinge", 1, t=t).force

    def torque(t):
        x, a = solved(t)
        return spatial.reaction(model, x, a.lam, "driver", 1, t=t).moment[0]

    along = {
        "c.o.m. acceleration": lambda t: solved(t)[1].rdd[0],
        "hinge reaction force on the bar": force,
        "driving torque about the hinge axis (on the bar)": torque,
    }
    answer_all(case, {}, along)


@pytest.mark.parametrize("form", ["r-omega", "r-p"])
def test_two_bodies_with_a_strut(form):
    case = load("spatial_two_bodies_strut")
    d = case["model"]
    ends = [d["body_A"], d["body_B"]]
    bodies = tuple(tb.SpaceBody(b["m"], b["J_bar"], b["r"], b["p"], b["rd"], b["omega_bar"]) for b in ends)
    s = [b["strut_point_sbar"] for b in ends]
    strut = tb.Strut(1, 2, *s, d["k"], d["l0"], d["damping"])
    model = tb.SpaceModel(bodies, {}, (strut,))
    run = motions(model, times_of(case), form=form)
    F, n_bar = spatial.loads(model, model.start)
    answers = {
        "total momentum": [spatial.momentum(model, x)[0] for x in run.values()],
        "total moment of momentum about origin": [spatial.momentum(model, x)[1] for x in run.values()],
    }
    along = {
        "force on body A": lambda t: F[0],
        "torque on body A (body frame, about c.o.m.)": lambda t: n_bar[0],
        "torque on body B (body frame, about c.o.m.)": lambda t: n_bar[1],
        "positions [r_A, r_B]": lambda t: run[t].r[1:],
        "omega_bar [A,B]": lambda t: run[t].w[1:],
        "strut length": lambda t: strut.line(run[t])[0],
        "mechanical energy": lambda t: sum(spatial.energy(model, run[t])),
    }
    answer_all(case, answers, along)


def test_rolling_disc():
    case = load("spatial_rolling_disc")
    d = case["model"]
    R, m, g = d["R"], d["m"], -d["gravity"][2]
    th, rate = d["disc_axis_angle_to_vertical"], d["precession_rate"]
    A_, C = d["J_bar"][0], d["J_bar"][2]

    def start(given):
        turned = np.array(d["initial"]["rotation_matrix"])
        return tb.SpaceBody(m, d["J_bar"], d["initial"]["r"], rot.euler_parameters(turned), given["v"],
                            turned.T @ given["omega_global"])  # fmt: skip

    def model(given):
        return tb.SpaceModel((start(given),), {"ground": (primitives.Rolling(1, R),)}, (tb.Weight(d["gravity"]),))

    steady, perturbed = model(d["initial"]), model(d["perturbed_initial"])
    x = steady.start
    spin = (A_ * rate**2 * np.sin(th) * np.cos(th) - m * g * R * np.cos(th)) / (rate * np.sin(th) * (C + m * R**2))
    assert x.w[1][2] == pytest.approx(spin, rel=1e-12)
    q = spatial.rows(steady, x)
    np.testing.assert_allclose(q.Phi_r @ x.rd[1] + q.Pi_bar @ x.w[1], 0.0, atol=1e-14)
    np.testing.assert_allclose(q.Phi, 0.0, atol=1e-15)
    got = spatial.r_omega(steady, x)
    # steady: the centre runs on a circle about the vertical at the precession rate
    to_centre = got.rdd[0] / rate**2
    run = motions(steady, times_of(case, "centre position"))
    other = motions(perturbed, times_of(case, "perturbed"))
    radius = np.linalg.norm(to_centre)
    c, cd = primitives.Rolling(1, R).arm(x)
    answers = {
        "spin component omega3 for steady rolling": spin,
        "radius of the path of the centre": radius,
        "centre of the path": x.r[1] + to_centre,
        "contact point speed along the ground (geometric contact)": np.linalg.norm(x.rd[1] + cd),
        "perturbed start: energy": [sum(spatial.energy(perturbed, y)) for y in other.values()],
    }
    along = {
        "contact force on the disc": lambda t: spatial.reaction(steady, x, got.lam, "ground", 1).force,
        "centre position": lambda t: run[t].r[1],
        "perturbed start: centre position": lambda t: other[t].r[1],
    }
    answer_all(case, answers, along)
    by_parameters = spatial.r_p(perturbed, perturbed.start)
    np.testing.assert_allclose(by_parameters.rdd, spatial.r_omega(perturbed, perturbed.start).rdd, atol=1e-12)
