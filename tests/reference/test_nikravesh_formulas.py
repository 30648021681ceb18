"""Problems of chapters 3 and 4 that the book solves by a formula, asked of the product.

Nikravesh, Planar Multibody Dynamics, 2nd ed.: frames and points of a body (3.2, problems 3.4 to 3.14),
systems of particles (4.2), moments and force arrays (4.3, 4.4), a body described in a point that is not its
mass centre (4.3.3). Where a problem gives accelerations, forces are chosen that cause them.
"""

import math

import numpy as np
import pytest

import linkwork as lw
from reference.book import agrees, load, mechanism_from_case

CH3 = load("nik_ch3_problems")
EX31 = load("nik_ex_3_1_2_link_point_kinematics")


def entry(case, start):
    """The expected value whose quantity begins so."""
    return next(e for e in case["expected"] if e["quantity"].startswith(start))


def moving_body(data, points, mass=1.0, inertia=1.0):
    """A body with the given coordinates, velocities and accelerations; forces cause the latter."""
    m = lw.Mechanism("body", dimension=2, gravity=None)
    body = m.add(
        "body",
        lw.Body(
            mass,
            inertia,
            position=tuple(data.get("r", (0.0, 0.0))),
            angle=data.get("phi", 0.0),
            velocity=tuple(data.get("rd", (0.0, 0.0))),
            angular_velocity=data.get("phid", 0.0),
            points=points,
        ),
    )
    ax, ay = data.get("rdd", (0.0, 0.0))
    m.add("push", lw.PointForce(body.at(0, 0), x=mass * ax, y=mass * ay))
    m.add("twist", lw.Torque(body, inertia * data.get("phidd", 0.0)))
    return m


def both(ev, name, suffix=""):
    """x and y of a point."""
    return [ev[f"{name}.x{suffix}"], ev[f"{name}.y{suffix}"]]


def local_components(position, angle, target):
    """Components of a point of the ground in a body's axes, read as offsets from the body."""
    m = lw.Mechanism("frame", dimension=2, gravity=None)
    body = m.add("body", lw.Body(1.0, 1.0, position=tuple(position), angle=angle))
    for axis in "xy":
        m.add(axis, lw.Driver(lw.Offset(body.at(0, 0), m.ground.at(*target), axis), 0.0))
    ev = m.evaluate(coordinates="body")
    return [ev.constraint_error[list(ev.rows).index(axis)] for axis in "xy"]


def test_problem_3_4():
    """Where the origin is when a point of the body is held at a given place and the angle is given."""
    data = CH3["model"]["p3_4"]
    m = lw.Mechanism("held", dimension=2, gravity=None)
    body = m.add("body", lw.Body(1.0, 1.0))
    m.add("pin", lw.Revolute(m.ground.at(*data["r_P"]), body.at(*data["s_P"])))
    m.add("turn", lw.Hold(m.ground, body, angle=data["phi"]))
    assembled = m.assemble(coordinates="body")
    agrees([assembled["body.x"], assembled["body.y"]], entry(CH3, "3.4"))


def test_problem_3_5():
    data = CH3["model"]["p3_5"]
    m = moving_body(data, {"A": tuple(data["s_A"]), "B": tuple(data["s_B"])})
    ev = m.evaluate(coordinates="body")
    agrees(both(ev, "body.A"), entry(CH3, "3.5a"))
    agrees(np.subtract(both(ev, "body.B"), both(ev, "body")), entry(CH3, "3.5b"))
    agrees(local_components(data["r"], data["phi"], data["r_C"]), entry(CH3, "3.5c"))


def test_problem_3_8():
    data = CH3["model"]["p3_8"]
    agrees(local_components((0.0, 0.0), data["phi"], data["a_xy"]), entry(CH3, "3.8 a"))
    ev = moving_body({"phi": data["phi"]}, {"b": tuple(data["b_local"])}).evaluate(coordinates="body")
    agrees(both(ev, "body.b"), entry(CH3, "3.8 b"))


def test_problem_3_11():
    data = CH3["model"]["p3_11"]
    ev = moving_body(data, {"Q": tuple(data["s_Q"])}).evaluate(coordinates="body")
    for start, suffix in (("3.11 r_Q", ""), ("3.11 v_Q", ".rate"), ("3.11 a_Q", ".acceleration")):
        agrees(both(ev, "body.Q", suffix), entry(CH3, start))


def test_problem_3_12():
    data = CH3["model"]["p3_12"]
    agrees(local_components(data["r"], data["phi"], data["r_B"]), entry(CH3, "3.12"))


def test_problem_3_13():
    data = CH3["model"]["p3_13"]
    m = lw.Mechanism("two bodies", dimension=2, gravity=None)
    one = m.add("one", lw.Body(1.0, 1.0, position=tuple(data["r1"]), angle=data["phi1"]))
    two = m.add("two", lw.Body(1.0, 1.0, position=tuple(data["r2"]), angle=data["phi2"]))
    m.add("AB", lw.SpringDamper(one.at(*data["s1_A"]), two.at(*data["s2_B"]), stiffness=1.0))
    agrees(m.evaluate(coordinates="body")["AB.length"], entry(CH3, "3.13"))


def test_problem_3_14():
    """Second derivative of a vector fixed in a body that turns about its origin."""
    data = CH3["model"]["p3_14"]
    ev = moving_body(data, {"P": tuple(data["s"])}).evaluate(coordinates="body")
    agrees(both(ev, "body.P", ".acceleration"), entry(CH3, "3.14"))


def test_examples_3_1_and_3_2():
    points = {p["name"]: tuple(p["s"]) for p in EX31["model"]["points"]}
    ev = moving_body(EX31["model"]["bodies"][0], points).evaluate(coordinates="body")
    origin = both(ev, "body")
    for number, name in ((1, "A"), (2, "B")):
        agrees(np.subtract(both(ev, f"body.{name}"), origin), entry(EX31, f"s_{name}"))
        agrees(both(ev, f"body.{name}"), entry(EX31, f"rP.{number}"))
        agrees(both(ev, f"body.{name}", ".rate"), entry(EX31, f"vP.{number}"))
        agrees(both(ev, f"body.{name}", ".acceleration"), entry(EX31, f"aP.{number}"))
    agrees(np.subtract(both(ev, "body.B"), both(ev, "body.A")), entry(EX31, "s_B-s_A"))


@pytest.mark.parametrize("name", ["nik_ex_4_1_particles", "nik_pr_4_2_particles"])
def test_systems_of_particles(name):
    """Mass centre, its velocity and its acceleration under the forces on the particles."""
    case = load(name)
    m = lw.Mechanism(name, dimension=2, gravity=None)
    for p in case["model"]["particles"]:
        velocity = tuple(p.get("v", (0.0, 0.0)))
        particle = m.add(f"p{p['id']}", lw.Particle(p["m"], position=tuple(p["r"]), velocity=velocity))
        m.add(f"f{p['id']}", lw.PointForce(particle.at(), x=p["f"][0], y=p["f"][1]))
    ev = m.evaluate(coordinates="body")
    center = both(ev, "system.center")
    for e in case["expected"]:
        if e["quantity"] == "sum m s":
            offsets = [p["m"] * np.subtract(both(ev, f"p{p['id']}"), center) for p in case["model"]["particles"]]
            agrees(np.sum(offsets, axis=0), e)
        else:
            suffix = {"r_C": "", "v_C": ".rate", "a_C": ".acceleration"}[e["quantity"]]
            agrees(both(ev, "system.center", suffix), e)


@pytest.mark.parametrize(("axes", "start"), [("body", "moment from local"), ("world", "moment from x-y")])
def test_problem_4_5(axes, start):
    """The moment of two forces does not depend on the axes in which they are given."""
    case = load("nik_pr_4_5_moment_frames")
    data = case["model"]
    m = lw.Mechanism("moments", dimension=2, gravity=None)
    body = m.add("body", lw.Body(1.0, 1.0, position=(0.7, -0.2), angle=data["phi"]))
    c, s = math.cos(data["phi"]), math.sin(data["phi"])
    for name in "AB":
        x, y = data[f"f_{name}"]
        if axes == "world":
            x, y = c * x - s * y, s * x + c * y
        m.add(name, lw.PointForce(body.at(*data[f"s_{name}"]), x=x, y=y, axes=axes))
    agrees(m.evaluate(coordinates="body").applied_force("body")[2], entry(case, start))


def test_example_4_2_moment_of_the_force_alone():
    case = load("nik_ex_4_2_body_force_array")
    only = {**case, "model": {**case["model"], "forces": case["model"]["forces"][:1]}}
    mechanism, _ = mechanism_from_case(only)
    force = mechanism.evaluate(coordinates="body").applied_force("b1")
    agrees(force[2], entry(case, "moment of f_P"))


def test_example_4_4():
    """Length, its rate, direction and the parts of the force of a spring-damper-actuator."""
    case = load("nik_ex_4_4_ptp_sda")
    spring = case["model"]["forces"][0]

    def evaluated(**changes):
        changed = {**case, "model": {**case["model"], "forces": [{**spring, **changes}]}}
        return mechanism_from_case(changed)[0].evaluate(coordinates="body")

    whole = evaluated()
    agrees(whole["f1.length"], entry(case, "L"))
    agrees(whole["f1.length.rate"], entry(case, "L_dot"))
    agrees(whole["f1.tension"], entry(case, "f_total"))
    agrees(evaluated(dc=0.0, f_a=0.0)["f1.tension"], entry(case, "f_spring"))
    agrees(evaluated(k=0.0, f_a=0.0)["f1.tension"], entry(case, "f_damper"))
    # A tension pulls body i, the end at the head of u, against u.
    pull = np.array(whole.applied_force("b1")[:2])
    agrees(-pull / whole["f1.tension"], entry(case, "u"))


def test_problem_4_9():
    """A body described in the frame of a point that is not its mass centre."""
    case = load("nik_pr_4_9_noncentroidal")
    data, spring = case["model"]["bodies"][0], case["model"]["forces"][0]
    point = case["model"]["points"][0]["s"]
    m = lw.Mechanism("off centre", dimension=2, gravity=None)
    body = m.add(
        "body",
        lw.Body(data["m"], data["J"], center=tuple(data["s_C_O"]), position=tuple(data["r_O"]), angle=data["phi"]),
    )
    ground = m.ground.at(*spring["to"])
    m.add("spring", lw.SpringDamper(ground, body.at(*point), stiffness=spring["k"], rest_length=spring["L0"]))
    ev = m.evaluate(coordinates="body")
    agrees(both(ev, "body", ".acceleration"), entry(case, "a_O"))
    agrees(ev["body.angle.acceleration"], entry(case, "phidd"))
    agrees(ev.applied_force("body")[:2], entry(case, "f_spring_on_body"))
    agrees(ev.mass_matrix_about_frames(), entry(case, "M_nc"))
    agrees(ev.mass_matrix_about_frames()[2, 2], entry(case, "J_O"))


def test_example_1_3_end_of_the_double_pendulum():
    case = load("nik_ch1_double_pendulum")
    tip = {"id": 5, "name": "B", "body": 2, "s": [0.0, -0.75]}
    longer = {**case, "model": {**case["model"], "points": [*case["model"]["points"], tip]}}
    mechanism, _ = mechanism_from_case(longer)
    agrees(mechanism.evaluate(coordinates="body")["b2.P5.y"], entry(case, "y_B"))
