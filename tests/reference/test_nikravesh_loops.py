"""Chapters 5, 6 and 12 asked of the product: loops and chains, inverse dynamics, kinematics over a turn.

Nikravesh, Planar Multibody Dynamics, 2nd ed.  Drivers say how a mechanism moves; positions, velocities, accelerations
and efforts at given angles are read from evaluations or from a driven run.
"""

import math
from functools import cache

import numpy as np
import pytest

import linkwork as lw
from reference.book import agrees, label, load, mechanism_from_case

SUFFIX = {"": "", "dot": ".rate", "ddot": ".acceleration", "r": "", "v": ".rate", "a": ".acceleration"}


def entries(*names):
    return [pytest.param(name, e, id=f"{name}: {label(e)}") for name in names for e in load(name)["expected"]]


def entry(name, start, at=None):
    """The expected value whose quantity begins so, at a place whose name begins so."""
    return next(
        e
        for e in load(name)["expected"]
        if str(e["quantity"]).startswith(start) and (at is None or str(e["at"]).startswith(at))
    )


# -- mechanisms ----------------------------------------------------------------------------------------------------


def slider_crank(L1, L2, f):
    """Crank, rod and slider on x, the crank driven."""
    m = lw.Mechanism("slider-crank", gravity=None)
    crank, rod = m.add("crank", lw.bar(length=L1, mass=1.0)), m.add("rod", lw.bar(length=L2, mass=1.0))
    slider = m.add("slider", lw.Body(1.0, 1.0))
    m.add("O", lw.Revolute(m.ground, crank.a))
    m.add("A", lw.Revolute(crank.b, rod.a))
    m.add("B", lw.Revolute(rod.b, slider))
    m.add("guide", lw.Prismatic(m.ground, slider))
    m.add("motor", lw.Driver(m["O"].angle, f))
    return m


def four_bar(L, RQ, f, points=((0.5, 0.0),) * 3, far=((0.0, 0.0),) * 3, m=(1.0,) * 3, J=(1.0,) * 3, gravity=None):
    """Links along their own x, from O, A and Q; `points` and mass centres `far` in these axes."""
    mechanism = lw.Mechanism("four-bar", gravity=gravity)
    links = [
        mechanism.add(
            f"link{k + 1}",
            lw.Body(
                m[k], J[k], center=tuple(far[k]), points={"a": (0.0, 0.0), "b": (L[k], 0.0), "P": tuple(points[k])}
            ),
        )
        for k in range(3)
    ]
    mechanism.add("O", lw.Revolute(mechanism.ground, links[0].a))
    mechanism.add("A", lw.Revolute(links[0].b, links[1].a))
    mechanism.add("B", lw.Revolute(links[1].b, links[2].b))
    mechanism.add("Q", lw.Revolute(mechanism.ground.at(*RQ), links[2].a))
    mechanism.add("motor", lw.Driver(mechanism["O"].angle, f))
    return mechanism


def polar(length, degrees):
    return length * math.cos(math.radians(degrees)), length * math.sin(math.radians(degrees))


def evaluated(m, **near):
    """The evaluation of the assembly near these values."""
    assembled = m.assemble(near={key.replace("__", "."): value for key, value in near.items()}, coordinates="body")
    return m.evaluate(assembled.state, coordinates="body")


def turning(m, start, near, degrees, omega=1.0, coordinates="joint", rtol=1e-11):
    """A driven run whose times are those at which the crank, from `start`, has these angles."""
    times = np.radians(np.asarray(degrees, dtype=float) - start) / omega
    times = times if times[0] == 0.0 else np.concatenate([[0.0], times])
    return m.simulate(times, near=near, coordinates=coordinates, rtol=rtol, atol=1e-12)


# -- chapter 5 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "e"), entries("nik_ex_5_1_slider_crank_loop"))
def test_example_5_1(name, e):
    data = load(name)["model"]
    f = lw.Polynomial(data["theta1"], data["theta1_dot"], data["theta1_ddot"] / 2)
    first = e["at"] == "assembly 1"
    ev = evaluated(
        slider_crank(data["L1"], data["L2"], f), rod__angle=-0.4 if first else 3.6, slider__x=0.3 if first else -0.2
    )
    symbol, _, dots = e["quantity"].partition("_")
    got = ev[{"theta2": "rod.angle", "theta3": "slider.x"}[symbol] + SUFFIX[dots]]
    agrees(got % (2 * math.pi) if symbol == "theta2" and not dots and not first else got, e)


@pytest.mark.parametrize(("name", "e"), entries("nik_ex_5_2_four_bar_loop"))
def test_example_5_2(name, e):
    data = load(name)["model"]
    f = lw.Polynomial(data["theta1"], data["theta1_dot"], data["theta1_ddot"] / 2)
    P = polar(data["coupler_point"]["L_PA"], math.degrees(data["coupler_point"]["beta2"]))
    m = four_bar((data["L1"], data["L2"], data["L3"]), (data["L0"], 0.0), f, points=((0, 0), P, (0, 0)))
    first = e["at"] == "assembly 1"
    ev = evaluated(m, link2__angle=0.5 if first else 5.0, link3__angle=1.3 if first else 4.5)
    if e["quantity"].endswith("_P"):
        agrees(ev["link2.P" + SUFFIX[e["quantity"][0]]], e)
    else:
        symbol, _, dots = e["quantity"].partition("_")
        got = ev[f"link{symbol[-1]}.angle{SUFFIX[dots]}"]
        agrees(got if dots else got % (2 * math.pi), e)


@cache
def coupler_curve(beta):
    data = load("nik_pr_5_8_coupler_curve")["model"]
    m = four_bar(
        (data["L1"], data["L2"], data["L3"]),
        (data["L0"], 0.0),
        lw.Polynomial(math.pi / 4, 1.0),
        points=((0, 0), polar(data["L_PA"], beta), (0, 0)),
    )
    degrees = list(range(45, 406, 5))
    run = turning(m, 45, {"link2.angle": 0.27, "link3.angle": 0.76}, degrees)
    return dict(zip(degrees, run["link2.P"]))


@pytest.mark.parametrize(("name", "e"), entries("nik_pr_5_8_coupler_curve"))
def test_problem_5_8(name, e):
    """The positions of a driven run are those of the loop, whatever the run's tolerance."""
    agrees(coupler_curve(e["at"]["beta2_deg"])[e["at"]["theta1_deg"]], e)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_problem_5_1(coordinates):
    """A sliding pendulum; drivers give coordinates, rates and accelerations."""
    name = "nik_pr_5_1_open_chain"
    data = load(name)["model"]
    m = lw.Mechanism("sliding pendulum", gravity=None)
    slider, rod = m.add("slider", lw.Body(1.0, 1.0)), m.add("rod", lw.bar(length=data["L"], mass=1.0))
    m.add("guide", lw.Prismatic(m.ground.at(0, data["a"]), slider))
    m.add("pin", lw.Revolute(slider, rod.a))
    for joint, key, measure in (("guide", "theta1", "slide"), ("pin", "theta2", "angle")):
        f = lw.Polynomial(data[key], data[f"{key}_dot"], data[f"{key}_ddot"] / 2)
        m.add(f"drive_{joint}", lw.Driver(getattr(m[joint], measure), f))
    ev = m.evaluate(m.assemble(coordinates=coordinates).state, coordinates=coordinates)
    for e in load(name)["expected"]:
        agrees(ev["rod.b" + SUFFIX[e["quantity"][0]]], e)


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("name", ["nik_pr_5_3_triple_pendulum", "nik_pr_5_4_triple_pendulum"])
def test_problems_5_3_and_5_4(name, coordinates):
    """A T-shaped pendulum with two more; angles against the ground, or against the crossbar."""
    data = load(name)["model"]
    m = lw.Mechanism("triple pendulum", gravity=None)
    top = m.add(
        "one", lw.Body(1.0, 1.0, points={"G": (data["L1"], 0), "left": (0, -data["L3"]), "right": (0, data["L3"])})
    )
    m.add("O", lw.Revolute(m.ground, top))
    arms = [m.add(key, lw.bar(length=data["L2"], mass=1.0)) for key in ("two", "three")]
    m.add("A", lw.Revolute(top.left, arms[0].a))
    m.add("B", lw.Revolute(top.right, arms[1].a))
    for k, (body, theta) in enumerate(zip((top, *arms), data["theta"])):
        # against the crossbar, which is a quarter turn behind the first arm
        on = top.at(0, 0, angle=-math.pi / 2) if name.endswith("5_4_triple_pendulum") and k else m.ground
        f = lw.Polynomial(theta, data["theta_dot"][k], data["theta_ddot"][k] / 2)
        m.add(f"drive{k + 1}", lw.Driver(lw.Angle(on, body), f))
    ev = m.evaluate(m.assemble(coordinates=coordinates).state, coordinates=coordinates)
    points = {"G1": "one.G", "G2": "two.b", "G3": "three.b"}
    for e in load(name)["expected"]:
        kind, point = e["quantity"].split("_")
        agrees(ev[points[point] + SUFFIX[kind]], e)


# -- chapter 6 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nik_ex_6_4_6_slider_crank_inverse", "nik_ex_6_5_7_four_bar_inverse"])
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_inverse_dynamics_at_the_given_state(name, coordinates):
    case = load(name)
    mechanism, info = mechanism_from_case(case)
    ev = mechanism.evaluate(mechanism.assemble(coordinates=coordinates).state, coordinates=coordinates)
    lam = info.by_row(ev, ev.multipliers)
    for e in case["expected"]:
        kind, *rest = str(e["quantity"]).removeprefix("T_crank = ").split(".")
        if e["at"] != "initial":
            continue
        if kind == "lam":
            agrees(lam[int(rest[0]) - 1], e)
        elif kind == "a":
            agrees(ev[f"b{rest[0]}.{ {'x': 'x', 'y': 'y', 'phi': 'angle'}[rest[1]] }.acceleration"], e)
        elif kind == "h":
            agrees(ev.applied_force(f"b{rest[0]}")["xyn".index(rest[1])], e)
        else:
            agrees({"L_dot damper": ev["f2.length.rate"], "f damper": ev["f2.tension"]}[e["quantity"]], e)
    assert ev["j5.effort"] == pytest.approx(lam[8], abs=1e-12)


@pytest.mark.parametrize(
    ("name", "omega", "start"),
    [("nik_ex_6_4_6_slider_crank_inverse", 1.6, 0.0), ("nik_ex_6_5_7_four_bar_inverse", 2.0 * math.pi, 45.0)],
)
def test_torque_over_a_turn(name, omega, start):
    """Problems 6.5 and 6.6: a driven run read at the angles of the case."""
    case = load(name)
    case["model"]["functions"][0]["coeff"] = [math.radians(start), omega, 0.0]
    mechanism, _ = mechanism_from_case(case)
    wanted = [e for e in case["expected"] if isinstance(e["at"], dict)]
    near = {"b1.angle": math.radians(start), "b2.angle": 0.0 if start == 0.0 else 0.27}
    degrees = [e["at"]["theta1_deg"] for e in wanted]
    run = turning(mechanism, start, near, degrees, omega)
    for e in wanted:
        k = int(np.argmin(np.abs(run["b1.angle"] - math.radians(e["at"]["theta1_deg"]))))
        agrees(run["j5.effort"][k], e)


@pytest.mark.parametrize(
    ("name", "omega", "start"),
    [("nik_ex_6_4_6_slider_crank_inverse", 1.6, 0.0), ("nik_ex_6_5_7_four_bar_inverse", 2.0 * math.pi, 45.0)],
)
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("path", [None, "b2.x", "b3.x"])
def test_torque_over_a_turn_by_inverse_dynamics(name, omega, start, coordinates, path):
    """The same asked as inverse dynamics: of the driver, and of the crank where something else moves the mechanism."""
    case = load(name)
    case["model"]["functions"][0]["coeff"] = [math.radians(start), omega, 0.0]
    mechanism, _ = mechanism_from_case(case)
    wanted = [e for e in case["expected"] if isinstance(e["at"], dict)]
    near = {"b1.angle": math.radians(start), "b2.angle": 0.0 if start == 0.0 else 0.27}
    times = np.radians([e["at"]["theta1_deg"] - start for e in wanted]) / omega
    run = mechanism.inverse_dynamics(times, near=near, coordinates=coordinates, rtol=1e-11)
    if path is not None:  # a motion that is given, of a mechanism whose crank is an actuator
        crank = mechanism["j5"].measure
        other = mechanism.copy()
        other.replace("j5", lw.Driver(path, 0.0))
        other.add("crank", lw.Driver(crank, 0.0, active=False))
        run = other.inverse_dynamics(motion=run, actuators=["crank"], coordinates=coordinates)
    (torque,) = run.efforts.values()
    for got, e in zip(torque, wanted):
        agrees(got, e)
    checks = run.check_efforts()
    assert checks["power"].applies.all() and checks["elimination"].applies.all() and checks.gap < 1e-10


# -- chapter 12 ----------------------------------------------------------------------------------------------------


def test_slider_crank_over_a_turn():
    """Example 12.1, extremes asked of the run."""
    name, omega = "nik_ex12_01_slider_crank_kinematics", 2.0 * math.pi
    data = load(name)["model"]
    m = slider_crank(data["L1"], data["L2"], lw.Polynomial(0.0, omega))
    run = turning(m, 0, {"rod.angle": 0.0}, np.arange(0.0, 361.0, 1.0), omega)
    values = {"theta2": "rod.angle", "theta3": "slider.x", "theta3_ddot": "slider.x.acceleration"}
    for e in load(name)["expected"]:
        if e["quantity"].startswith("max"):
            found = run.extremes("slider.x.acceleration")
            assert abs(found.greatest - e["value"]) <= max(found.greatest.error, e["tolerance"])
            agrees(found.greatest, e)
            assert min(abs(found.greatest_at * omega - one) for one in (4.25127, 2 * math.pi - 4.25127)) < 1e-3
            continue
        k = int(e["at"].removeprefix("theta1=").removesuffix("deg"))
        if e["quantity"].startswith("["):
            dots = e["quantity"].partition("_")[2].partition(",")[0]
            agrees([run[f"rod.angle{SUFFIX[dots]}"][k], run[f"slider.x{SUFFIX[dots]}"][k]], e)
        else:
            agrees(run[values[e["quantity"]]][k], e)


@pytest.mark.parametrize("start", [math.pi / 2, math.pi / 3])
def test_four_bar_by_newton(start):
    """Examples 12.2 and 12.4."""
    case = load("nik_ex12_04_fourbar_newton")
    data = case["model"]
    m = four_bar((data["L1"], data["L2"], data["L3"]), (data["L0x"], data["L0y"]), lw.Polynomial(start, 2 * math.pi))
    ev = evaluated(m, link2__angle=data["estimate"][1], link3__angle=data["estimate"][2])
    for e in case["expected"]:
        if ("pi/3" in str(e["at"])) == (start < 1.5):
            order = ".acceleration" if "ddot" in e["quantity"] else ".rate" if "dot" in e["quantity"] else ""
            links = (1, 2, 3) if "theta1," in e["quantity"] else (2, 3)
            agrees([ev[f"link{k}.angle{order}"] for k in links], e)


def test_general_four_bar():
    """Section 12.1.3, model GEN of the program KAP."""
    name = "nik_s12_1_3_kap_gen"
    data = load(name)["model"]
    points = [polar(r, beta) for r, beta in zip(data["LP"], data["beta_deg"])]
    f = lw.Polynomial(math.radians(120), data["omega1"])
    m = four_bar(data["L"], data["RQ"], f, points=points)
    near = {f"link{k}.angle": math.radians(data["theta_deg"][k - 1]) for k in (2, 3)}
    run = turning(m, 120, near, [120.0, 300.0])
    for at, k in (("theta1=120", 0), ("theta1=300", 1)):
        agrees(np.degrees([run["link2.angle"][k], run["link3.angle"][k]]), entry(name, "[theta2,theta3] deg", at))
    agrees([run["link2.angle.rate"][0], run["link3.angle.rate"][0]], entry(name, "[omega2"))
    agrees([run["link2.angle.acceleration"][0], run["link3.angle.acceleration"][0]], entry(name, "[alpha2"))
    for k in (2, 3):
        got = np.concatenate([run[f"link{k}.P{order}"][0] for order in ("", ".rate", ".acceleration")])
        agrees(got, entry(name, f"P{k}"))
    for lengths, at in ((data["L"], "L=[2,6,4]"), (data["L_non_grashof"], "L=[2,7,3]")):
        kind = four_bar(lengths, data["RQ"], f).check(near=near, coordinates="body").linkage
        assert bool(kind.turns_fully) is entry(name, "Grashof", at)["value"]


def closed(L, RQ, theta, sign):
    """Angles of coupler and rocker by the two circles about A and Q, and their rates for a unit rate of the crank."""
    A = L[0] * np.column_stack([np.cos(theta), np.sin(theta)])
    d = np.asarray(RQ) - A
    far = np.linalg.norm(d, axis=1)
    bend = np.arccos(np.clip((far**2 + L[1] ** 2 - L[2] ** 2) / (2.0 * far * L[1]), -1.0, 1.0))
    two = np.arctan2(d[:, 1], d[:, 0]) + sign * bend
    B = A + L[1] * np.column_stack([np.cos(two), np.sin(two)])
    three = np.arctan2(B[:, 1] - RQ[1], B[:, 0] - RQ[0])
    # L1 w1 sin(t1 - t3) + L2 w2 sin(t2 - t3) = 0        L1 w1 sin(t1 - t2) - L3 w3 sin(t3 - t2) = 0
    with np.errstate(divide="ignore"):
        rates = (
            -L[0] * np.sin(theta - three) / (L[1] * np.sin(two - three)),
            L[0] * np.sin(theta - two) / (L[2] * np.sin(three - two)),
        )
    return (two, three), rates


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_the_crank_of_kap_turns_back_at_its_limits(sense):
    """Section 12.1.3: a non-Grashof four-bar, the crank in steps of 2 degrees, reversed where it cannot go on.

    The rest goes through the dead centre: on the way back it is on the other branch.
    """
    name = "nik_s12_1_3_kap_gen"
    data, limits = load(name)["model"], np.radians(entry(name, "crank angle limits")["value"])
    L, RQ = data["L_non_grashof"], data["RQ"]
    first, turns = math.radians(120.0), 2
    m = four_bar(L, RQ, lw.Polynomial(0.0, 1.0))
    span = (first, first + sense * 2.0 * math.pi * turns, 180 * turns + 1)
    near = {f"link{k}.angle": math.radians(data["theta_deg"][k - 1]) for k in (2, 3)}
    run = m.kinematics(over={"O.angle": span}, near=near, reverse=True)
    # the way of the crank, folded between its limits
    low, high = limits
    unfolded = (first - low + sense * run.t) / (high - low)
    along = unfolded % 2.0
    theta = low + (high - low) * np.where(along > 1.0, 2.0 - along, along)
    assert run["link1.angle"] == pytest.approx(theta, abs=1e-6)
    ends = [where for _, where in run.turned]
    assert len(ends) == abs(math.floor(unfolded[-1])) and f"O.angle = {high if sense > 0 else low:.4f}"[:13] in ends[0]
    bent = np.where(np.floor(unfolded) % 2.0 == 0.0, 1.0, -1.0)  # one branch, then the other
    inside = np.minimum(theta - low, high - theta) > 1e-3
    found = {}
    for sign in (1.0, -1.0):
        (two, three), rates = closed(L, RQ, run["link1.angle"], sign * bent)
        off = [np.abs(np.angle(np.exp(1j * (run[f"link{k}.angle"] - one)))) for k, one in ((2, two), (3, three))]
        found[sign] = max(one[inside].max() for one in off), rates
    (off, rates), other = (found[1.0], found[-1.0]) if found[1.0][0] < found[-1.0][0] else (found[-1.0], found[1.0])
    assert off < 1e-9 < 0.1 < other[0]
    for k, rate in ((2, rates[0]), (3, rates[1])):
        wanted = rate * run["link1.angle.rate"]
        assert run[f"link{k}.angle.rate"][inside] == pytest.approx(wanted[inside], abs=1e-6)
    assert set(np.sign(run["link1.angle.rate"])) == {1.0, -1.0} and run.violation.max() < 1e-9


def test_film_strip_advancer():
    """Example 12.5, ranges asked of the run."""
    name = "nik_ex12_05_film_strip"
    data = load(name)["model"]
    points = ((0, 0), polar(data["LP2"], data["beta2_deg"]), (0, 0))
    m = four_bar(data["L"], data["RQ"], lw.Polynomial(math.radians(30), -1.0), points=points)
    near = {f"link{k}.angle": math.radians(data["theta_deg"][k - 1]) for k in (2, 3)}
    degrees = np.arange(30.0, -331.0, -1.0)
    run = turning(m, 30.0, near, degrees, -1.0)
    agrees(np.degrees([run["link2.angle"][0], run["link3.angle"][0]]), entry(name, "[theta2,theta3] deg"))
    agrees([run["link2.angle.rate"][0], run["link3.angle.rate"][0]], entry(name, "[theta2_dot"))
    for e in load(name)["expected"]:
        if e["quantity"] == "P":
            angle = float(e["at"].removeprefix("theta1="))
            agrees(run["link2.P"][int(np.argmin(np.abs((degrees - angle + 180) % 360 - 180)))], e)
    for axis in "xy":
        found = run.extremes(f"link2.P.{axis}")
        agrees([found.least, found.greatest], entry(name, f"P {axis} range"))


def cutting(values, rates, t, numbers, memory, out):
    """A force between the blades while they close over the last stretch; numbers force, stretch."""
    out[0] = numbers[0] if 0.0 < values[0] < numbers[1] and rates[0] < 0.0 else 0.0


def web_cutter(cut=True):
    data = load("nik_ex12_07_web_cutter")["model"]
    points = [polar(r, beta) for r, beta in zip(data["LP"], data["beta_deg"])]
    far = [polar(r, beta) for r, beta in zip(data["LG"], data["gamma_deg"])]
    f = lw.Polynomial(math.radians(30), data["omega1"])
    m = four_bar(data["L"], data["RQ"], f, points, far, data["m"], data["J"], gravity=tuple(data["gravity"]))
    gap = lw.WorldOffset(m["link3"].P, m["link2"].P, "y")
    m.add("gap", lw.Reading(gap))
    if cut:
        m.add("cut", lw.UserForce(reads=[gap], along=[gap], law=cutting, numbers=[1000.0, 0.005]))
    return m, {f"link{k}.angle": math.radians(data["theta_deg"][k - 1]) for k in (2, 3)}, data["omega1"]


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_web_cutter(coordinates):
    """Example 12.7: torque with and without the cut, and the angle at which the blades meet, asked of the run."""
    name, degrees = "nik_ex12_07_web_cutter", np.arange(30, 391, 2)
    runs = {}
    for cut in (True, False):
        m, near, omega = web_cutter(cut)
        runs[cut] = turning(m, 30.0, near, degrees, omega, coordinates)
    run = runs[True]
    agrees(np.degrees([run["link2.angle"][0], run["link3.angle"][0]]), entry(name, "[theta2,theta3] deg"))
    agrees([run["link2.angle.rate"][0], run["link3.angle.rate"][0]], entry(name, "[theta2_dot"))
    agrees([run["motor.effort"][list(degrees).index(a)] for a in (30, 120, 210, 300)], entry(name, "torque"))
    for quantity, best, cut in (
        ("max torque with cut", np.argmax, True),
        ("max torque without", np.argmax, False),
        ("min torque", np.argmin, True),
    ):
        e = entry(name, quantity)
        k = int(best(runs[cut]["motor.effort"]))
        assert f"theta1={degrees[k]} deg" == e["at"]
        agrees(runs[cut]["motor.effort"][k], e)
    for cut, driven in runs.items():  # asked as inverse dynamics, and by the book's second way
        inverse = web_cutter(cut)[0].inverse_dynamics(driven.t, near=near, coordinates=coordinates, rtol=1e-11)
        assert np.abs(inverse["motor.effort"] - driven["motor.effort"]).max() < 1e-7
        assert inverse.check_efforts().gap < 1e-11
    meet = run.when("gap.value", 0.0, direction="falling")
    assert len(meet) == 1
    angle = 30.0 + math.degrees(omega * meet[0])
    agrees(angle, entry(name, "crank angle when"))
    assert math.degrees(omega * meet[0].error) < entry(name, "crank angle when")["tolerance"]
    at = run.at(float(meet[0]))
    agrees([at["link2.P.x.rate"], at["link3.P.x.rate"]], entry(name, "[vCx"))
