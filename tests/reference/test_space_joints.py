"""Mechanisms of space with ball joints, universal joints, rolling discs and torques about body axes."""

import re

import numpy as np
import pytest

import linkwork as lw
from linkwork.textbook import spatial_rotation as rot
from reference.book import agrees, label, load
from reference.test_space import AXES, SETS, Reader, times_of

# Heavy symmetric top on a ball joint


def top(d, tilt, precession):
    """The frame of the top is at its pivot, its axis is z."""
    R = rot.euler_313(0.0, tilt, 0.0)
    w = R.T @ [0.0, 0.0, precession]
    w[2] = d["omega3"]
    m = lw.Mechanism("heavy top", dimension=3, gravity=d["gravity"])
    body = m.add("top", lw.Body(d["m"], d["J_bar_about_com"], center=(0, 0, d["com_distance"]), position=d["pivot"],
                                orientation=rot.euler_parameters(R), velocity=(0, 0, 0), angular_velocity=w,
                                points=AXES | {"middle": (0, 0, d["com_distance"])}))  # fmt: skip
    m.add("pivot", lw.Spherical(m.ground.at(*d["pivot"]), body))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("word", ["slow", "fast"])
def test_heavy_top_in_steady_precession(word, coordinates):
    case = load("spatial_heavy_top_steady_precession")
    d, wanted = case["model"], {e["quantity"]: e for e in case["expected"]}
    m = top(d, d["tilt"], wanted[f"{word} precession rate"]["value"])
    times = times_of(case)
    run = m.simulate(times, coordinates=coordinates, rtol=1e-12)
    answers = {
        "c.o.m. position": lambda k: Reader(run, "top", k).vector("middle"),
        "rotation matrix": lambda k: Reader(run, "top", k).axes(),
        "omega_bar": lambda k: Reader(run, "top", k).omega_bar,
        "pivot reaction on the top": lambda k: run.reaction("pivot").force[k],
    }
    for entry in (e for e in case["expected"] if e["quantity"].startswith(f"{word}: ")):
        agrees(answers[entry["quantity"].partition(": ")[2]](times.index(entry["at"]["t"])), entry)
    np.testing.assert_allclose(run.reaction("pivot").moment, 0.0, atol=1e-9)


@pytest.mark.parametrize("coordinates", SETS)
def test_heavy_top_in_nutation(coordinates):
    case = load("spatial_heavy_top_nutation")
    d, wanted = case["model"], {e["quantity"]: e for e in case["expected"]}
    m = top(d, d["tilt0"], d["phi_dot0"])
    period = wanted["nutation period"]["value"]
    times = sorted({*times_of(case), period / 2, period})
    run = m.simulate(times, coordinates=coordinates, rtol=1e-12)

    def tilt_and_turn(k):
        e = Reader(run, "top", k).axes()[:, 2]
        return np.array([np.arctan2(np.hypot(e[0], e[1]), e[2]), np.arctan2(e[0], -e[1]) % (2 * np.pi)])

    agrees(tilt_and_turn(times.index(period / 2))[0], wanted["maximum tilt (rad)"])
    agrees(tilt_and_turn(times.index(period))[1], wanted["precession angle per nutation period"])
    assert tilt_and_turn(times.index(period))[0] == pytest.approx(d["tilt0"], abs=1e-8)
    for entry in case["expected"]:
        if isinstance(entry["at"], dict):
            k = times.index(entry["at"]["t"])
            angles = entry["quantity"] == "[theta, phi]"
            agrees(tilt_and_turn(k) if angles else Reader(run, "top", k).vector("middle"), entry)
    for total in run.energy.total:
        agrees(total, wanted["energy"])


@pytest.mark.parametrize("coordinates", ["joint"])
def test_spherical_pendulum_on_a_ball(coordinates):
    """The point mass at the end of a massless bar on a ball joint.

    A hair of inertia keeps it definite; body coordinates cannot tell it from none (with a rod: see test_space).
    """
    case = load("spatial_spherical_pendulum")
    d, start = case["model"], case["model"]["initial"]
    r, v = np.array(start["r"]), np.array(start["rd"])
    m = lw.Mechanism("spherical pendulum", dimension=3, gravity=d["gravity"])
    R = np.column_stack([np.cross((0, 1, 0), -r), (0, 1, 0), -r])  # the bar hangs along -z of its frame
    w = np.cross(r, v) / (r @ r)
    bar = m.add("bar", lw.Body(d["m"], (5e-10, 5e-10, 1e-9), center=(0, 0, -d["length"]), position=(0, 0, 0),
                               orientation=rot.euler_parameters(R), angular_velocity=R.T @ w, velocity=(0, 0, 0),
                               points={"ball": (0, 0, -d["length"])}))  # fmt: skip
    m.add("pivot", lw.Spherical(m.ground, bar))
    times = times_of(case)
    run = m.simulate(times, coordinates=coordinates, rtol=1e-11)
    for entry in (e for e in case["expected"] if isinstance(e["at"], dict)):
        k = times.index(entry["at"]["t"])
        place = Reader(run, "bar", k).vector("ball")
        if entry["quantity"] == "position":
            agrees(place, entry)
        else:
            agrees(-run.reaction("pivot").force[k] @ place / d["length"], entry)


# Spatial slider-crank: revolute, ball, universal, guide

SLIDER_CRANK = load("spatial_slider_crank")
STATES = sorted({e["at"] for e in SLIDER_CRANK["expected"] if str(e["at"]).startswith("theta")})


def slider_crank(theta):
    """Estimates of the places from the geometry at this crank angle: they choose the branch."""
    d = SLIDER_CRANK["model"]
    length, arm = d["rod"]["length"], d["crank"]["length"]
    A = np.array(d["crank"]["pivot_A"])
    B = A + arm * np.array([0.0, -np.sin(theta), np.cos(theta)])
    C = np.array([B[0] + np.sqrt(length**2 - B[1] ** 2 - B[2] ** 2), 0.0, 0.0])
    e = (C - B) / length
    y = np.cross(d["slider"]["universal_axis_us"], e)
    y /= np.linalg.norm(y)
    rod_axes = np.column_stack([e, y, np.cross(e, y)])
    m = lw.Mechanism("spatial slider-crank", dimension=3, gravity=d["gravity"])
    crank = m.add("crank", lw.Body(d["crank"]["m"], d["crank"]["J_bar"], center=(0, 0, arm / 2), position=A,
                                   orientation=rot.axis_angle_parameters((1, 0, 0), theta),
                                   points=AXES | {"tip": (0, 0, arm)}))  # fmt: skip
    rod = m.add("rod", lw.Body(d["rod"]["m"], d["rod"]["J_bar"], position=(B + C) / 2,
                               orientation=rot.euler_parameters(rod_axes), points=AXES))  # fmt: skip
    slider = m.add("slider", lw.Body(d["slider"]["m"], d["slider"]["J_bar"], position=C, orientation=(1, 0, 0, 0),
                                     points=AXES))  # fmt: skip
    axis = d["crank"]["axis"]
    m.add("A", lw.Revolute(m.ground.at(*A, axis=axis), crank.at(0, 0, 0, axis=axis)))
    m.add("B", lw.Spherical(crank.tip, rod.at(-length / 2, 0, 0)))
    cross = slider.at(0, 0, 0, axis=d["slider"]["universal_axis_us"])
    m.add("C", lw.Universal(rod.at(length / 2, 0, 0, axis=(0, 1, 0)), cross))
    m.add("guide", lw.Prismatic(m.ground, slider))
    return m


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("at", STATES)
def test_slider_crank_at(at, coordinates):
    theta, rate = map(float, re.fullmatch(r"theta=(.*), theta_dot=(.*)", at).groups())
    m = slider_crank(theta)
    state = m.assemble(start={"A.angle": theta, "A.angle.rate": rate}, coordinates=coordinates).state
    ev = m.evaluate(state, coordinates=coordinates)
    rod, from_A, guide = Reader(ev, "rod"), ev.reaction("A"), ev.reaction("guide")
    got = {
        "slider position x": ev["slider.x"],
        "slider velocity": ev["slider.x.rate"],
        "rod rotation matrix": rod.axes(),
        "rod omega_bar": rod.omega_bar,
        "crank angular acceleration": ev["A.angle.acceleration"],
        "slider acceleration": ev["slider.x.acceleration"],
        "rod omega_bar_dot": rod.omega_bar_rate,
        "force ground->crank at A": from_A.force,
        "torque ground->crank at A (global y,z)": from_A.moment[1:],
        "force crank->rod at B": ev.reaction("B").force,
        "force rod->slider at C": ev.reaction("C").force,
        "force guide->slider (y,z)": guide.force[1:],
        "torque guide->slider": guide.moment,
    }
    wanted = [e for e in SLIDER_CRANK["expected"] if e["at"] == at]
    assert {e["quantity"] for e in wanted} == set(got)
    for entry in wanted:
        agrees(got[entry["quantity"]], entry)
    # what the case does not list: nothing about the axis of a joint, and the universal's torque goes to the guide
    assert from_A.moment[0] == pytest.approx(0.0, abs=1e-9)
    assert guide.force[0] == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(ev.reaction("B").moment, 0.0, atol=1e-9)
    np.testing.assert_allclose(ev.reaction("C").moment, -guide.moment, atol=1e-9)
    assert all(ev.reaction(joint).unique for joint in ("A", "B", "C", "guide"))


@pytest.mark.parametrize("coordinates", SETS)
def test_slider_crank_in_motion(coordinates):
    start = SLIDER_CRANK["analysis"]["initial"]
    m = slider_crank(start["theta"])
    times = times_of(SLIDER_CRANK)
    given = {"A.angle": start["theta"], "A.angle.rate": start["theta_dot"]}
    run = m.simulate(times, start=given, coordinates=coordinates, rtol=1e-11)
    for entry in (e for e in SLIDER_CRANK["expected"] if e["at"] not in STATES):
        if entry["at"] == "any t":
            for total in run.energy.total:
                agrees(total, entry)
            continue
        k = times.index(entry["at"]["t"])
        if entry["quantity"] == "slider x":
            agrees(run["slider.x"][k], entry)
        else:
            assert entry["quantity"] == "[theta, theta_dot]", label(entry)
            agrees([run["A.angle"][k], run["A.angle.rate"][k]], entry)


def test_slider_crank_has_one_freedom():
    report = slider_crank(0.0).check(coordinates="body")
    assert (report.freedom, report.redundant) == (1, 0)


# Rolling disc


def disc(given):
    """The disc turns about z of its frame and rolls on the plane z = 0 of the ground."""
    d = load("spatial_rolling_disc")["model"]
    R = np.array(d["initial"]["rotation_matrix"])
    m = lw.Mechanism("rolling disc", dimension=3, gravity=d["gravity"])
    body = m.add("disc", lw.Body(d["m"], d["J_bar"], position=d["initial"]["r"], orientation=rot.euler_parameters(R),
                                 velocity=given["v"], angular_velocity=R.T @ given["omega_global"],
                                 points=AXES))  # fmt: skip
    m.add("rolling", lw.RollingDisc(m.ground, body, d["R"]))
    return m


@pytest.mark.parametrize("coordinates", SETS)
def test_rolling_disc_in_a_steady_turn(coordinates):
    case = load("spatial_rolling_disc")
    wanted = {e["quantity"]: e for e in case["expected"]}
    m = disc(case["model"]["initial"])
    times = times_of({"expected": [e for e in case["expected"] if e["quantity"] == "centre position"]})
    run = m.simulate(times, coordinates=coordinates, rtol=1e-11)
    agrees(run.reaction("rolling").force[0], wanted["contact force on the disc"])
    start, rate = Reader(run, "disc", 0), case["model"]["precession_rate"]
    to_centre = start.vector("", ".acceleration") / rate**2
    agrees(np.linalg.norm(to_centre), wanted["radius of the path of the centre"])
    agrees(start.vector() + to_centre, wanted["centre of the path"])
    agrees(start.omega_bar[2], wanted["spin component omega3 for steady rolling"])
    for entry in (e for e in case["expected"] if e["quantity"] == "centre position"):
        agrees(Reader(run, "disc", times.index(entry["at"]["t"])).vector(), entry)


@pytest.mark.parametrize("coordinates", SETS)
def test_rolling_disc_from_a_perturbed_start(coordinates):
    case = load("spatial_rolling_disc")
    wanted = [e for e in case["expected"] if e["quantity"].startswith("perturbed")]
    m = disc(case["model"]["perturbed_initial"])
    times = times_of({"expected": wanted})
    run = m.simulate(times, coordinates=coordinates, rtol=1e-11)
    for entry in wanted:
        if entry["at"] == "any t":
            for total in run.energy.total:
                agrees(total, entry)
        else:
            agrees(Reader(run, "disc", times.index(entry["at"]["t"])).vector(), entry)
    report = m.check(coordinates="body")
    assert (report.freedom, report.position_freedom) == (3, 5)


# Torques about body axes


@pytest.mark.parametrize("inertia", ["principal values", "matrix"])
@pytest.mark.parametrize("coordinates", SETS)
def test_single_body_under_torques(coordinates, inertia):
    """Negrut's body with its torque as three `Torque` elements, each about z of a frame on the body."""
    case = load("spatial_negrut_single_body_loads")
    d, s, wanted = case["model"], case["model"]["state"], {e["quantity"]: e for e in case["expected"]}
    J = d["J_bar"] if inertia == "matrix" else np.diag(d["J_bar"])
    m = lw.Mechanism("one body", dimension=3, gravity=d["gravity"])
    body = m.add("body", lw.Body(d["m"], J, position=s["r"], orientation=s["p"], velocity=s["rd"],
                                 angular_velocity=s["omega_bar"], points=AXES))  # fmt: skip
    for k, (force, at) in enumerate(zip(d["forces_global"], d["at_sbar"])):
        m.add(f"force {k}", lw.PointForce(body.at(*at), **dict(zip("xyz", force))))
    for k, value in enumerate(d["torque_bar"]):
        m.add(f"torque {k}", lw.Torque(body.at(0, 0, 0, axis=np.eye(3)[k]), value))
    ev = m.evaluate(coordinates=coordinates)
    read = Reader(ev, "body")
    agrees(read.vector("", ".acceleration"), wanted["rdd"])
    agrees(read.omega_bar_rate, wanted["omega_bar_dot"])
    agrees(ev.applied_force("body")[3:], wanted["total active torque, body frame"])


# Full turns


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("times", [[0.0, 1.0], np.linspace(0.0, 1.0, 101)], ids=["two outputs", "many outputs"])
def test_full_turns_do_not_depend_on_the_outputs(times, coordinates):
    """Spun up late by a force with a moment of 400 S(t) N m, S the smooth step 10 s^3 - 15 s^4 + 6 s^5 over 0.2 s.

    With J = 1 the rate ends at 400 * 0.2 / 2 = 40 and the angle at 400 * 0.04 / 7, the second integral of S.
    """
    m = lw.Mechanism("spun up late", dimension=3, gravity=None)
    wheel = m.add("wheel", lw.Body(1.0, (0.5, 0.5, 1.0)))
    m.add("A", lw.Revolute(m.ground, wheel))
    m.add("push", lw.PointForce(wheel.at(1, 0, 0), axes="body", y=lw.SmoothStep(0.8, 0.0, 1.0, 400.0)))
    run = m.simulate(times, coordinates=coordinates, rtol=1e-10)
    assert run["A.angle.rate"][-1] == pytest.approx(40.0, abs=1e-8)
    assert run["A.angle"][-1] == pytest.approx(400.0 * 0.04 / 7, abs=1e-8)
