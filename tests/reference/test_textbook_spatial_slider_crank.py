"""The spatial slider-crank by the books' own equations: kinematics, accelerations, all reactions, motion."""

import re

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.textbook import spatial, spatial_joints
from linkwork.textbook import spatial_rotation as rot
from linkwork.textbook.spatial_joints import Place
from reference.book import agrees, label, load

X, Y, Z = np.eye(3)
TURNED = np.column_stack([Y, Z, X])  # axes with z along x
CASE = load("spatial_slider_crank")
STATES = sorted({e["at"] for e in CASE["expected"] if str(e["at"]).startswith("theta")})


def slider_crank():
    """Crank, rod and slider on A revolute, B spherical, C universal and a translational guide."""
    d = CASE["model"]
    crank, rod, slider = (d[key] for key in ("crank", "rod", "slider"))
    half, arm = np.array([0.0, 0.0, crank["length"] / 2]), np.array([rod["length"] / 2, 0.0, 0.0])
    joints = {
        "A": spatial_joints.revolute(Place(0, np.array(crank["pivot_A"]), TURNED), Place(1, -half, TURNED)),
        "B": spatial_joints.spherical(Place(1, half), Place(2, -arm)),
        "C": spatial_joints.universal(Place(2, arm), Place(3), Y, np.array(slider["universal_axis_us"])),
        "guide": spatial_joints.translational(Place(0), Place(3)),
    }
    bodies = tuple(tb.SpaceBody(body["m"], body["J_bar"]) for body in (crank, rod, slider))
    return tb.SpaceModel(bodies, joints, (tb.Weight(d["gravity"]),), "slider-crank"), half, arm


def placed(model, half, arm, theta, theta_rate):
    """The motion at a crank angle, by geometry; the speeds of rod and slider follow from the constraints."""
    d = CASE["model"]
    A = np.array(d["crank"]["pivot_A"])
    crank = rot.axis_angle_matrix(X, theta)
    B = A + 2 * crank @ half
    C = np.array([B[0] + np.sqrt(d["rod"]["length"] ** 2 - B[1] ** 2 - B[2] ** 2), 0.0, 0.0])
    e = (C - B) / d["rod"]["length"]
    y = np.cross(d["slider"]["universal_axis_us"], e)
    y /= np.linalg.norm(y)
    rod = np.column_stack([e, y, np.cross(e, y)])
    p = [rot.euler_parameters(R) for R in (crank, rod, np.eye(3))]
    x = tb.Motion([A + crank @ half, (B + C) / 2, C], p)
    q = spatial.rows(model, x)
    np.testing.assert_allclose(q.Phi, 0.0, atol=1e-15)
    J = np.vstack([np.hstack([q.Phi_r, q.Pi_bar]), np.eye(18)[9]])  # the last: turn of the crank about its x
    v = np.linalg.solve(J, np.r_[np.zeros(17), theta_rate]).reshape(6, 3)
    return tb.Motion(x.r[1:], x.p[1:], v[:3], v[3:])


def answers_at(model, x, a, half, arm):
    """Every quantity of the case at one state."""
    from_A = spatial.reaction(model, x, a.lam, "A", 1, about=-half)
    guide = spatial.reaction(model, x, a.lam, "guide", 3)
    return {
        "slider position x": x.r[3][0],
        "slider velocity": x.rd[3][0],
        "rod rotation matrix": x.A[2],
        "rod omega_bar": x.w[2],
        "crank angular acceleration": a.wd[0][0],
        "slider acceleration": a.rdd[2][0],
        "rod omega_bar_dot": a.wd[1],
        "force ground->crank at A": from_A.force,
        "torque ground->crank at A (global y,z)": from_A.moment[1:],
        "force crank->rod at B": spatial.reaction(model, x, a.lam, "B", 2).force,
        "force rod->slider at C": spatial.reaction(model, x, a.lam, "C", 3).force,
        "force guide->slider (y,z)": guide.force[1:],
        "torque guide->slider": guide.moment,
    }


@pytest.mark.parametrize("method", [spatial.r_omega, spatial.null_space], ids=["r-omega", "null space"])
@pytest.mark.parametrize("at", STATES)
def test_state(at, method):
    model, half, arm = slider_crank()
    theta, rate = map(float, re.fullmatch(r"theta=(.*), theta_dot=(.*)", at).groups())
    x = placed(model, half, arm, theta, rate)
    got = answers_at(model, x, method(model, x), half, arm)
    wanted = [e for e in CASE["expected"] if e["at"] == at]
    assert {e["quantity"] for e in wanted} == set(got)
    for entry in wanted:
        agrees(got[entry["quantity"]], entry)


@pytest.mark.parametrize("at", STATES)
def test_forms_agree(at):
    model, half, arm = slider_crank()
    theta, rate = map(float, re.fullmatch(r"theta=(.*), theta_dot=(.*)", at).groups())
    x = placed(model, half, arm, theta, rate)
    turning, by_parameters = spatial.r_omega(model, x), spatial.r_p(model, x)
    np.testing.assert_allclose(by_parameters.rdd, turning.rdd, atol=1e-11)
    np.testing.assert_allclose(by_parameters.lam, turning.lam, atol=1e-11)
    for p, w, wd, pdd in zip(x.p[1:], x.w[1:], turning.wd, by_parameters.pdd):
        np.testing.assert_allclose(rot.parameter_accelerations(p, w, wd), pdd, atol=1e-10)


def test_motion():
    """Half a second; the whole run is that of the compiled mechanism."""
    model, half, arm = slider_crank()
    start = CASE["analysis"]["initial"]
    wanted = [e for e in CASE["expected"] if e["at"] not in STATES]
    wanted = [e for e in wanted if e["at"] == "any t" or e["at"]["t"] <= 0.5]
    times = sorted({0.0} | {e["at"]["t"] for e in wanted if isinstance(e["at"], dict)})
    x = placed(model, half, arm, start["theta"], start["theta_dot"])
    run = dict(zip(times, spatial.simulate(model, times, x, rtol=1e-10, atol=1e-11)))
    for entry in wanted:
        if entry["at"] == "any t":
            assert entry["quantity"] == "total energy"
            for x in run.values():
                agrees(sum(spatial.energy(model, x)), entry)
            continue
        x = run[entry["at"]["t"]]
        if entry["quantity"] == "slider x":
            agrees(x.r[3][0], entry)
        else:
            assert entry["quantity"] == "[theta, theta_dot]", label(entry)
            theta = np.arctan2(x.A[1][2, 1], x.A[1][1, 1])
            theta += 2 * np.pi * np.round((entry["value"][0] - theta) / (2 * np.pi))
            agrees([theta, x.w[1][0]], entry)
