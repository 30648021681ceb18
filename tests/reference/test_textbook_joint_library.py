"""Every joint and driver of Nikravesh, Planar Multibody Dynamics, 2nd ed., 7.2 at one configuration.

Also the evaluation problems 7.1 to 7.3, 7.8 and 7.9, and the functions of appendix B.2. The book prints no
numbers for them; the values were computed independently of this library and checked by differences.
"""

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.textbook.planar_kinematics import A, Motion, rot
from reference.textbook_cases import load

LIBRARY = load("nik_sec7_2_joint_library_eval")
FUNCTIONS = load("nik_appB_functions_abc")
PROBLEMS = load("nik_ch7_problems_constraint_eval")
EXPECTED = {e["quantity"]: e for e in PROBLEMS["expected"]}


@pytest.mark.parametrize("entry", LIBRARY["expected"], ids=lambda e: e["quantity"])
def test_joint(entry):
    kind, quantity = entry["quantity"].split(": ")
    data, t = dict(LIBRARY["model"]), LIBRARY["analysis"]["t"]
    guess = np.array(data.pop("velocity_guess"))
    data["joints"] = [q for q in data.pop("joints_to_evaluate") if q["type"] == kind]
    model = tb.BookModel.from_case(data)
    c = tb.planar.correct_positions(model, t, model.c)
    cd = tb.planar.correct_velocities(model, t, c, guess)
    got = {
        "consistent q": c,
        "consistent v": cd,
        "D": tb.planar.jacobian(model, t, c),
        "gamma": tb.planar.gamma(model, t, c, cd),
        "Phi at the listed (violating) coordinates": tb.planar.constraints(model, t, model.c),
    }[quantity]
    assert np.shape(got) == np.shape(entry["value"])
    np.testing.assert_allclose(got, entry["value"], rtol=0, atol=entry["tolerance"])


def test_library_is_complete():
    kinds = {e["quantity"].split(": ")[0] for e in LIBRARY["expected"]}
    assert kinds == {q["type"] for q in LIBRARY["model"]["joints_to_evaluate"]}
    assert len(LIBRARY["expected"]) == 5 * len(kinds) == 45


@pytest.mark.parametrize("entry", FUNCTIONS["expected"], ids=lambda e: f"{e['quantity']} {e['at']}")
def test_function(entry):
    kind = entry["quantity"][0]
    f = tb.planar_functions.function(kind, **FUNCTIONS["model"][kind])
    got = f.coefficients if "coefficients" in entry["quantity"] else f(entry["at"]["t"])
    np.testing.assert_allclose(got, entry["value"], rtol=0, atol=entry["tolerance"])


def check(quantity, got):
    entry = EXPECTED[quantity]
    np.testing.assert_allclose(got, entry["value"], rtol=0, atol=entry["tolerance"])


def two_bodies(r1, phi1, r2, phi2, s1, s2, *joints, unit_vectors=()):
    return tb.BookModel(
        bodies=(tb.Body(r=r1, phi=phi1), tb.Body(r=r2, phi=phi2)),
        points=(tb.Point(1, s1), tb.Point(2, s2)),
        unit_vectors=unit_vectors,
        joints=joints,
    )


def test_problem_7_1_and_7_3():
    p, q = PROBLEMS["model"]["p7_1"], PROBLEMS["model"]["p7_3"]
    angles = np.deg2rad([p["phi1_deg"], p["phi2_deg"]])
    pin = tb.Joint("rev", Pi=1, Pj=2)
    m = two_bodies(p["r1"], angles[0], p["r2"], angles[1], p["s1_A"], p["s2_B"], pin)
    d = tb.planar.constraints(m, 0.0, m.c)
    check("7.1 d = r_A - r_B", d)
    check("7.1 unit", d / np.hypot(*d))
    angle = np.deg2rad(q["phi2_deg"])
    m = two_bodies(p["r1"], angles[0], p["r2"], angle, q["s1_A"], q["s2_B"], pin)
    check("7.3 r_A - r_B", tb.planar.constraints(m, 0.0, m.c))


def test_problem_7_2():
    p, q = PROBLEMS["model"]["p7_2"], PROBLEMS["model"]["p7_1"]
    A1, A2 = A(np.deg2rad(q["phi1_deg"])), A(np.deg2rad(q["phi2_deg"]))
    a, b, c = A1 @ p["a_1"], A2 @ p["b_2"], A2 @ p["c_2"]
    check("7.2a a'c", a @ c)
    check("7.2b rot(a)'b", rot(a) @ b)


def test_problem_7_8():
    p = PROBLEMS["model"]["p7_8"]
    phi1, phi2 = np.deg2rad([p["phi1_deg"], p["phi2_deg"]])
    s1, s2 = A(phi1) @ p["s1"], A(phi2) @ p["s2"]
    check("7.8a d(s1's2)/dc", [0, 0, rot(s1) @ s2, 0, 0, s1 @ rot(s2)])
    # rot(s1)'(r1 - r2) is the slot row between the origins with u along s1, times the length of s1
    slot = tb.Joint("rev-tran", Pi=1, Pj=2, Ui=1)
    origin, along = (0.0, 0.0), (tb.UnitVector(1, tuple(p["s1"])),)
    m = two_bodies(p["r1"], phi1, p["r2"], phi2, origin, origin, slot, unit_vectors=along)
    check("7.8b d(rot(s1)'(r1-r2))/dc", tb.planar.jacobian(m, 0.0, m.c)[0] * np.hypot(*p["s1"]))


def test_problem_7_9():
    p = PROBLEMS["model"]["p7_9"]
    rows = [p["c1"], p["c2"], p["c3"]]
    c = [(x, y, np.deg2rad(float(angle.removesuffix(" deg")))) for x, y, angle in rows]
    m = tb.BookModel(
        bodies=tuple(tb.Body(r=q[:2], phi=q[2]) for q in c),
        points=tuple(tb.Point(b, p[key]) for b, key in ((1, "s1_A"), (2, "s2_A"), (2, "s2_B"), (3, "s3_B"))),
        joints=(tb.Joint("rev", Pi=1, Pj=2), tb.Joint("rev", Pi=3, Pj=4)),
    )
    Phi = tb.planar.constraints(m, 0.0, m.c)
    check("7.9 joint A: r1_A - r2_A", Phi[:2])
    check("7.9 joint B: r2_B - r3_B", Phi[2:])
    x = Motion(m, m.c)
    check("7.9 joint A: r1_A - r2_A", x.point(1)[0] - x.point(2)[0])


def test_every_problem_is_checked():
    assert len(EXPECTED) == len(PROBLEMS["expected"]) == 9
