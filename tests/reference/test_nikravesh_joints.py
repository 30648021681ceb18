"""Every joint and driver of the book at one configuration: Jacobian and acceleration right side.

Nikravesh, Planar Multibody Dynamics, 2nd ed., sections 7.2.1-7.2.8 and problems 7.1-7.3, 7.8, 7.9.
"""

import math
from functools import cache

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from reference.book import agrees, label, load, mechanism_from_case

LIBRARY = load("nik_sec7_2_joint_library_eval")
NAMES = [f"b{b}.{c}" for b in (1, 2) for c in ("x", "y", "angle")]


@cache
def evaluated(kind, coordinates):
    """The evaluation of the joint of this type at the consistent coordinates and velocities."""
    joint = next(j for j in LIBRARY["model"]["joints_to_evaluate"] if j["type"] == kind)
    mechanism, info = mechanism_from_case(LIBRARY, joints=[{"id": 1, **joint}])
    values = {e["quantity"]: e["value"] for e in LIBRARY["expected"]}
    state = dict(zip(NAMES, values[f"{kind}: consistent q"]))
    state |= {f"{name}.rate": v for name, v in zip(NAMES, values[f"{kind}: consistent v"])}
    return mechanism.evaluate(state, t=LIBRARY["analysis"]["t"], coordinates=coordinates), info


KINDS = [j["type"] for j in LIBRARY["model"]["joints_to_evaluate"]]
ENTRIES = [e for e in LIBRARY["expected"] if e["quantity"].endswith((": D", ": gamma"))]


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_consistent_state_satisfies_the_constraints(kind, coordinates):
    ev, _ = evaluated(kind, coordinates)
    assert np.max(np.abs(ev.constraint_error)) < 1e-12
    assert np.max(np.abs(ev.velocity_error)) < 1e-12


@pytest.mark.parametrize("coordinates", SETS)
@pytest.mark.parametrize("entry", ENTRIES, ids=label)
def test_jacobian_and_right_side(entry, coordinates):
    kind, what = entry["quantity"].split(": ")
    ev, info = evaluated(kind, coordinates)
    agrees(info.jacobian(ev) if what == "D" else info.by_row(ev, ev.acceleration_rhs), entry)


# Problems: violations and derivatives at given coordinates, which body coordinates alone can have: what the unknowns of
# the other sets meet by themselves is never violated

PROBLEMS = load("nik_ch7_problems_constraint_eval")
DATA = PROBLEMS["model"]


def entry(start):
    """The expected value whose quantity begins so."""
    return next(e for e in PROBLEMS["expected"] if e["quantity"].startswith(start))


def two_bodies(c1, c2):
    """A mechanism with two bodies at these coordinates, without gravity."""
    m = lw.Mechanism("two bodies", dimension=2, gravity=None)
    for name, (x, y, angle) in (("b1", c1), ("b2", c2)):
        m.add(name, lw.Body(1.0, 1.0, position=(x, y), angle=angle))
    return m, m["b1"], m["b2"]


def error(m, *rows):
    """Constraint errors of the named rows at the declared state."""
    ev = m.evaluate(coordinates="body")
    return [ev.constraint_error[list(ev.rows).index(row)] for row in rows]


def gradient(m, row):
    """A row of the Jacobian by x1, y1, phi1, x2, y2, phi2."""
    ev = m.evaluate(coordinates="body")
    return [ev.jacobian[list(ev.rows).index(row), list(ev.columns).index(name)] for name in NAMES]


def placed(problem):
    """The coordinates of both bodies of a problem; problem 7.1 gives what the others leave out."""
    data = {**DATA["p7_1"], **DATA[problem]}
    c1 = (*data["r1"], math.radians(data["phi1_deg"]))
    return c1, (*data["r2"], math.radians(data["phi2_deg"])), data


def test_problem_7_1():
    c1, c2, data = placed("p7_1")
    m, one, two = two_bodies(c1, c2)
    m.add("pin", lw.Revolute(two.at(*data["s2_B"]), one.at(*data["s1_A"])))
    agrees(error(m, "pin.x", "pin.y"), entry("7.1 d"))


def test_problem_7_1_unit_vector():
    """The gradient of the distance by the position of its end is the unit vector along it."""
    c1, c2, data = placed("p7_1")
    m, one, two = two_bodies(c1, c2)
    m.add("rod", lw.Rod(two.at(*data["s2_B"]), one.at(*data["s1_A"]), length=1.0))
    agrees(gradient(m, "rod.length")[:2], entry("7.1 unit"))


@pytest.mark.parametrize(("vector", "axis", "start"), [("c_2", "x", "7.2a"), ("b_2", "y", "7.2b")])
def test_problem_7_2(vector, axis, start):
    """a'c and rot(a)'b: components of a vector of body 2 along and across one of body 1, both drawn from
    one point."""
    c1, c2, _ = placed("p7_1")
    a = DATA["p7_2"]["a_1"]
    m, one, two = two_bodies((0.0, 0.0, c1[2]), (0.0, 0.0, c2[2]))
    product = lw.Offset(one.at(0, 0, along=tuple(a)), two.at(*DATA["p7_2"][vector]), axis)
    m.add("product", lw.Driver(lw.Sum((math.hypot(*a), product)), 0.0))
    agrees(error(m, "product")[0], entry(start))


def test_problem_7_3():
    c1, c2, data = placed("p7_3")
    m, one, two = two_bodies(c1, c2)
    m.add("pin", lw.Revolute(two.at(*data["s2_B"]), one.at(*data["s1_A"])))
    agrees(error(m, "pin.x", "pin.y"), entry("7.3"))


def test_problem_7_8a():
    """s1's2 as a difference of two components along s1, whose part by the origins drops out."""
    c1, c2, data = placed("p7_8")
    m, one, two = two_bodies(c1, c2)
    along = one.at(0, 0, along=tuple(data["s1"]))
    size = math.hypot(*data["s1"])
    head, tail = lw.Offset(along, two.at(*data["s2"]), "x"), lw.Offset(along, two.at(0, 0), "x")
    m.add("product", lw.Driver(lw.Sum((size, head), (-size, tail)), 0.0))
    agrees(gradient(m, "product"), entry("7.8a"))


def test_problem_7_8b():
    c1, c2, data = placed("p7_8")
    m, one, two = two_bodies(c1, c2)
    across = lw.Offset(one.at(0, 0, along=tuple(data["s1"])), two.at(0, 0), "y")
    m.add("product", lw.Driver(lw.Sum((-math.hypot(*data["s1"]), across)), 0.0))
    agrees(gradient(m, "product"), entry("7.8b"))


def test_problem_7_9():
    data = DATA["p7_9"]
    m = lw.Mechanism("three bodies", dimension=2, gravity=None)
    for k in (1, 2, 3):
        x, y, angle = data[f"c{k}"]
        turn = math.radians(float(angle.removesuffix("deg")))
        m.add(f"b{k}", lw.Body(1.0, 1.0, position=(x, y), angle=turn))
    m.add("A", lw.Revolute(m["b2"].at(*data["s2_A"]), m["b1"].at(*data["s1_A"])))
    m.add("B", lw.Revolute(m["b3"].at(*data["s3_B"]), m["b2"].at(*data["s2_B"])))
    agrees(error(m, "A.x", "A.y"), entry("7.9 joint A"))
    agrees(error(m, "B.x", "B.y"), entry("7.9 joint B"))
