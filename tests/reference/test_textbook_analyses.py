"""Analyses of the book by the textbook functions: Nikravesh, chapters 2, 5, 6, 12, 14 and appendix A; Vlase.

Every value of the cases, also where the book misprints it: each case file says which those are.
"""

import math
from functools import partial

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import ConvergenceError, SingularConfigurationError
from linkwork.textbook import (
    BookModel,
    elimination,
    initial_conditions,
    inverse_dynamics,
    kinematic_analysis,
    planar,
    planar_kinematics,
    statics,
)
from linkwork.textbook.kinematic_analysis import AC, CP, NR1, NRn
from linkwork.textbook.vector_loops import Q, Vector, chain, closing, gamma, split, u
from reference.book import agrees, label, load


def expected(name, *starts):
    """Values of a case by the beginning of their quantity."""
    return [next(e for e in load(name)["expected"] if str(e["quantity"]).startswith(one)) for one in starts]


def entries(*names):
    return [pytest.param(name, e, id=f"{name}: {label(e)}") for name in names for e in load(name)["expected"]]


def model_of(case, joints=None):
    lists = "bodies", "points", "unit_vectors", "joints", "forces", "functions"
    data = {key: value for key, value in case["model"].items() if key in lists}
    return BookModel.from_case({**data, **({} if joints is None else {"joints": joints})})


# -- chapter 2: vectors and matrices -------------------------------------------------------------------------------


def test_vectors_and_matrices():
    name, rot = "nik_ch2_vector_matrix_ops", planar_kinematics.rot
    data = load(name)["model"]
    a, b, D, rhs, A, B, C = (np.array(data[key]) for key in ("a", "b", "D", "rhs", "A", "B", "C"))
    L, U, p = elimination.LU_pivoted(D)
    values = {
        "rot(a)": rot(a),
        "rot(a)'b": rot(a) @ b,
        "rot(b)'a": rot(b) @ a,
        "solve(D,rhs)": elimination.back(U, elimination.forward(L, rhs[p])),
        "A*B'": A @ B.T,
        "A+B": A + B,
        "rank(C)": 3 - len(elimination.redundant_rows(C)),
        "inv([[1,2],[3,4]])": np.column_stack(
            [
                elimination.back(U2, elimination.forward(L2, e[p2]))
                for L2, U2, p2 in [elimination.LU_pivoted([[1.0, 2.0], [3.0, 4.0]])]
                for e in np.eye(2)
            ]
        ),
        "norm([4,3])": np.hypot(4.0, 3.0),
    }
    for quantity, value in values.items():
        agrees(value, next(e for e in load(name)["expected"] if e["quantity"] == quantity))
    # example 2.1: 30 degrees from -y, towards -x
    agrees(np.arctan2(*(u(-math.pi / 2 - math.pi / 6)[::-1])) % (2 * math.pi), expected(name, "angle_of_vector")[0])


def test_derivatives_of_products():
    """Examples 2.9 and 2.10, with the variable that changes as t: a'b by its own expression."""
    (one,), (two,) = (expected("nik_ch2_vector_matrix_ops", start) for start in ("d(a'b)/dx", "d(a'b)/dq"))
    agrees(lw.Expression("2*t*(-3) + (-1)*t + t*(-t)")(1.0)[1], one)

    def product(x, y):
        return f"(({x})-({y}))*(-({x})+({y})) + (({x})+({y}))*(({x})+2) + (({y})-1)*(-({x})-({y}))"

    agrees([lw.Expression(product("t", "2"))(1.0)[1], lw.Expression(product("1", "t"))(2.0)[1]], two)


def test_problems_of_chapter_2():
    """Derivatives of products of vectors that turn with bodies; the book gives no answers."""
    name, rot, A = "nik_ch2_problems", planar_kinematics.rot, planar_kinematics.A
    data = load(name)["model"]

    def angle(a, b):
        return math.atan2(rot(a) @ b, np.dot(a, b))

    one = data["p2_2"]
    for start, value in (("2.2 a_dot", np.dot(one["a"], one["b"])), ("2.2 rot", rot(one["a"]) @ np.array(one["b"]))):
        agrees(value, expected(name, start)[0])
    agrees(angle(one["a"], np.array(one["b"])), expected(name, "2.2 angle")[0])
    for k in (1, 2, 3):
        agrees(angle(*np.array(data["p2_19"][f"case{k}"])), expected(name, f"2.19 case{k}")[0])
    two = data["p2_16"]
    c, cdot = np.array(two["c"]), np.array(two["cdot"])
    a, b, d = A(c[2]) @ two["alpha_local"], A(c[5]) @ two["beta_local"], c[3:5] - c[:2]
    products = np.array([0, 0, rot(a) @ b, 0, 0, a @ rot(b)])
    crossed = np.r_[-rot(a), rot(rot(a)) @ d, rot(a), 0.0]
    for start, value in (
        ("2.17a", products),
        ("2.16a", products @ cdot),
        ("2.17b", crossed),
        ("2.16b", crossed @ cdot),
    ):
        agrees(value, expected(name, start)[0])


# -- chapter 5: vector loops ---------------------------------------------------------------------------------------


def loop_slider_crank(L1, L2):
    return [[Vector(L1, Q(0)), Vector(L2, Q(1)), Vector(Q(2), 0.0, -1.0)]]


def loop_four_bar(L, RQ):
    return [
        [
            Vector(L[0], Q(0)),
            Vector(L[1], Q(1)),
            Vector(L[2], Q(2), -1.0),
            Vector(math.hypot(*RQ), math.atan2(*RQ[::-1]), -1.0),
        ]
    ]


def solved(loops, f, start, way=AC, driven=(0,)):
    """The `Kinematics` of driven loops, by either arrangement, which must agree."""
    found = way(closing(loops), gamma(loops), driven, f, start)
    assert found.newton.converged
    other = (CP if way is AC else AC)(closing(loops), gamma(loops), driven, f, start)
    for one, two in zip(found[:3], other[:3]):
        np.testing.assert_allclose(one, two, rtol=0, atol=1e-9 * max(1.0, np.abs(one).max()))
    return found


@pytest.mark.parametrize(("name", "entry"), entries("nik_ex_5_1_slider_crank_loop"))
def test_example_5_1(name, entry):
    data = load(name)["model"]
    start = [data["theta1"], -0.4, 0.3] if entry["at"] == "assembly 1" else [data["theta1"], 3.6, -0.2]
    f = [data["theta1"], data["theta1_dot"], data["theta1_ddot"]]
    found = solved(loop_slider_crank(data["L1"], data["L2"]), f, start)
    symbol, _, dots = entry["quantity"].partition("_")
    agrees(found[{"": 0, "dot": 1, "ddot": 2}[dots]][int(symbol[-1]) - 1], entry)


@pytest.mark.parametrize(("name", "entry"), entries("nik_ex_5_2_four_bar_loop"))
def test_example_5_2(name, entry):
    case = load(name)
    data = case["model"]
    start = case["analysis"]["start"] if entry["at"] == "assembly 1" else [5.0, 4.5]
    f = [data["theta1"], data["theta1_dot"], data["theta1_ddot"]]
    loops = loop_four_bar((data["L1"], data["L2"], data["L3"]), (data["L0"], 0.0))
    found = solved(loops, f, [data["theta1"], *start])
    if entry["quantity"].endswith("_P"):
        point = data["coupler_point"]
        path = [Vector(data["L1"], Q(0)), Vector(point["L_PA"], Q(1, plus=point["beta2"]))]
        agrees(chain(path, *found[:3])["rva".index(entry["quantity"][0])], entry)
    else:
        symbol, _, dots = entry["quantity"].partition("_")
        agrees(found[{"": 0, "dot": 1, "ddot": 2}[dots]][int(symbol[-1]) - 1], entry)


@pytest.mark.parametrize(("name", "entry"), entries("nik_pr_5_8_coupler_curve"))
def test_problem_5_8(name, entry):
    """Coupler curves, followed from one angle to the next with the last solution as estimate."""
    data = load(name)["model"]
    loops = loop_four_bar((data["L1"], data["L2"], data["L3"]), (data["L0"], 0.0))
    q = np.array([math.radians(45), 0.27, 0.76])
    for degrees in range(45, entry["at"]["theta1_deg"] + 1, 5):
        q = solved(loops, [math.radians(degrees), 1.0, 0.0], q).q
    path = [Vector(data["L1"], Q(0)), Vector(data["L_PA"], Q(1, plus=math.radians(entry["at"]["beta2_deg"])))]
    agrees(chain(path, q)[0], entry)


def open_chain(name, point):
    """The chain to a point of problems 5.1, 5.3 and 5.4, with its coordinates and their rates."""
    data = load(name)["model"]
    if name == "nik_pr_5_1_open_chain":
        rates = [[data[f"theta{k}{dots}"] for k in (1, 2)] for dots in ("", "_dot", "_ddot")]
        return [Vector(data["a"], math.pi / 2), Vector(Q(0), 0.0), Vector(data["L"], Q(1))], rates
    rates = [data[key] for key in ("theta", "theta_dot", "theta_ddot")]
    if point == "G1":
        return [Vector(data["L1"], Q(0))], rates
    relative = name == "nik_pr_5_4_triple_pendulum"
    arm, k = (-1.0, 1) if point == "G2" else (1.0, 2)
    angle = Q(0, k, plus=-math.pi / 2) if relative else Q(k)
    return [Vector(data["L3"], Q(0, plus=math.pi / 2), arm), Vector(data["L2"], angle)], rates


@pytest.mark.parametrize(
    ("name", "entry"), entries("nik_pr_5_1_open_chain", "nik_pr_5_3_triple_pendulum", "nik_pr_5_4_triple_pendulum")
)
def test_open_chains(name, entry):
    kind, point = entry["quantity"].split("_")
    vectors, rates = open_chain(name, point)
    agrees(chain(vectors, *rates)["rva".index(kind)], entry)


def test_the_parts_of_a_vector_are_derivatives():
    """A vector whose length and angle both change: parts against differences of the vector itself."""
    v, h = Vector(Q(0), Q(1, plus=0.3), -1.0), 1e-4

    def q(t):
        return np.array([2.0 + 0.7 * t - t**2, 0.4 + 1.1 * t + 0.6 * t**3])

    def qd(t):
        return np.array([0.7 - 2.0 * t, 1.1 + 1.8 * t**2])

    t = 0.37
    parts = split(v, q(t), qd(t), np.array([-2.0, 3.6 * t]))
    before, here, after = (chain([v], q(t + k * h))[0] for k in (-1, 0, 1))
    np.testing.assert_allclose(parts.slip + parts.tangential, (after - before) / (2 * h), atol=1e-7)
    np.testing.assert_allclose(sum(parts[2:]), (after - 2 * here + before) / h**2, atol=1e-6)
    along = here / np.hypot(*here)
    assert (
        abs(parts.slip @ planar_kinematics.rot(along)) < 1e-14
        and abs(parts.normal @ planar_kinematics.rot(along)) < 1e-14
    )
    assert abs(parts.tangential @ along) < 1e-14 and abs(parts.coriolis @ along) < 1e-14


# -- chapter 12: Newton-Raphson and kinematic analysis -------------------------------------------------------------


def test_newton_of_a_scalar_function():
    """Example 12.3: the printed table belongs to the polynomial of the program, not to that of the text."""
    x, residuals, roots, text = load("nik_ex12_03_newton_scalar")["expected"]

    def program(x):
        return x**3 - 4 * x**2 - 44 * x + 96, 3 * x**2 - 8 * x - 44

    found = NR1(program, 10.0)
    assert found.converged and [n for n, _, _ in found.report] == [1, 2, 3, 4, 5]
    agrees([x for _, x, _ in found.report], x)
    agrees([f for _, _, f in found.report], residuals)
    agrees([NR1(program, start, 1e-12).x for start in (-7.0, 1.0, 9.0)], roots)
    other = NR1(lambda x: (x**3 - 3 * x**2 - 10 * x + 24, 3 * x**2 - 6 * x - 10), 10.0)
    agrees([x for _, x, _ in other.report], text)
    assert "converged" in str(NRn(lambda x: (x - 1.0, np.eye(1)), [3.0]))


def test_newton_runs_out_of_iterations_and_says_so():
    assert not NR1(lambda x: (x**2 + 1.0, 2.0 * x), 3.0).converged
    assert not NR1(lambda x: (1.0, 0.0), 3.0).converged
    assert not NRn(lambda x: (np.array([x @ x + 1.0]), 2.0 * x[None, :]), [3.0]).converged
    assert not NRn(lambda x: (np.ones(2), np.ones((2, 2))), [3.0, 1.0]).converged


def test_problems_12_1_and_12_2():
    (roots,) = load("nik_prob12_1_2_roots")["expected"]
    cubic = [
        NR1(lambda x: (x**3 - 10 * x**2 + 13 * x + 24, 3 * x**2 - 20 * x + 13), x0, 1e-13).x for x0 in (-2, 2.5, 9)
    ]
    agrees(cubic, roots)

    def pair(q):
        x, y = q
        Phi = np.array([2 * x**2 - x * y + y**2 - 4, 3 * x**3 - 2 * y**2 + 2 * x * y + 3])
        return Phi, np.array([[4 * x - y, 2 * y - x], [9 * x**2 + 2 * y, 2 * x - 4 * y]])

    for start in ((1.0, 2.0), (-1.0, -0.7), (0.5, -2.0), (-1.0, 1.5)):
        found = NRn(pair, start, 1e-12, 60)
        assert found.converged and np.linalg.norm(pair(found.x)[0]) < 1e-12


@pytest.mark.parametrize("way", [AC, CP])
def test_appended_and_partitioned_linear_equations(way):
    """Section 12.1.1; the 3 that the book prints in the last place of its matrix must be 1."""
    (wanted,) = load("nik_s12_1_1_ac_cp_linear")["expected"]
    D = np.array([[1.0, 2.0, -1.0], [2.0, -1.0, 1.0]])
    found = way(lambda q: (D @ q - [2.0, 3.0], D), lambda q, qd: np.zeros(2), [2], [3.0, 0.0, 0.0], np.zeros(3))
    agrees(found.q, wanted)


def test_slider_crank_over_a_turn():
    """Example 12.1."""
    name = "nik_ex12_01_slider_crank_kinematics"
    data, omega = load(name)["model"], 2.0 * math.pi
    loops = loop_slider_crank(data["L1"], data["L2"])

    def at(degrees):
        return solved(loops, [math.radians(degrees), omega, 0.0], [math.radians(degrees), 0.0, 0.3])

    agrees(at(65).q[1], expected(name, "theta2")[0])
    agrees(at(65).q[2], expected(name, "theta3")[0])
    agrees(at(65).qd[1:], expected(name, "[theta2_dot")[0])
    agrees(at(65).qdd[1:], expected(name, "[theta2_ddot")[0])
    for e in load(name)["expected"]:
        if e["quantity"] == "theta3_ddot":
            agrees(at(float(e["at"].removeprefix("theta1=").removesuffix("deg"))).qdd[2], e)
    # the greatest acceleration is where its own rate vanishes: the largest of many, and then of many more
    greatest = expected(name, "max over turn")[0]
    angles = np.degrees(4.25127 + np.linspace(-0.01, 0.01, 41))
    agrees(max(at(angle).qdd[2] for angle in angles), greatest)
    assert max(at(angle).qdd[2] for angle in range(0, 360, 3)) <= greatest["value"]


@pytest.mark.parametrize("start_angle", [math.pi / 2, math.pi / 3])
def test_four_bar_by_newton(start_angle):
    """Examples 12.2 and 12.4: text and program start at different angles."""
    case = load("nik_ex12_04_fourbar_newton")
    data = case["model"]
    loops = loop_four_bar((data["L1"], data["L2"], data["L3"]), (data["L0x"], data["L0y"]))
    found = solved(loops, [start_angle, 2 * math.pi, 0.0], [start_angle, *data["estimate"][1:]])
    third = start_angle < 1.5
    for e in case["expected"]:
        if ("pi/3" in str(e["at"])) == third:
            level = found[2 if "ddot" in e["quantity"] else 1 if "dot" in e["quantity"] else 0]
            agrees(level if "theta1," in e["quantity"] else level[1:], e)


def four_bar_point(data, k, found):
    """Position, velocity and acceleration of the extra point of link k of the program KAP."""
    L, LP, beta = data["L"], data["LP"], np.radians(data["beta_deg"])
    start = {1: [], 2: [Vector(L[0], Q(0))], 3: [Vector(data["RQ"][0], 0.0), Vector(data["RQ"][1], math.pi / 2)]}[k]
    return chain([*start, Vector(LP[k - 1], Q(k - 1, plus=beta[k - 1]))], *found[:3])


def test_general_four_bar():
    """Section 12.1.3, model GEN of KAP; limits of the crank of the set that does not turn fully."""
    name = "nik_s12_1_3_kap_gen"
    data = load(name)["model"]
    L0 = math.hypot(*data["RQ"])
    agrees(L0, expected(name, "L0")[0])

    def at(degrees, start):
        return solved(loop_four_bar(data["L"], data["RQ"]), [math.radians(degrees), data["omega1"], 0.0], start)

    for key, at_ in (("L", "Grashof set"), ("L_non_grashof", "non-Grashof set")):
        s, p, q, longest = sorted([L0, *data[key]])
        sums = next(e for e in load(name)["expected"] if e["at"] == at_)
        agrees([s + longest, p + q], sums)
        flag = next(
            e
            for e in load(name)["expected"]
            if e["quantity"] == "Grashof" and e["at"] == f"L=[{','.join(str(int(x)) for x in data[key])}]"
        )
        assert (s + longest <= p + q) is flag["value"]
    found = at(120, np.radians(data["theta_deg"]))
    agrees(
        np.degrees(found.q[1:]),
        next(e for e in load(name)["expected"] if e["quantity"] == "[theta2,theta3] deg" and e["at"] == "theta1=120"),
    )
    agrees(found.qd[1:], expected(name, "[omega2")[0])
    agrees(found.qdd[1:], expected(name, "[alpha2")[0])
    for k in (2, 3):
        agrees(np.concatenate(four_bar_point(data, k, found)), expected(name, f"P{k}")[0])
    q = found.q
    for degrees in range(122, 301, 2):
        q = at(degrees, q).q
    agrees(np.degrees(q[1:]), next(e for e in load(name)["expected"] if e["at"] == "theta1=300"))
    # the crank stops where coupler and rocker are in line: halving between an angle that closes and one that does not
    limits = []
    for inside, outside in ((120.0, 0.0), (200.0, 340.0)):
        loops = loop_four_bar(data["L_non_grashof"], data["RQ"])
        q = np.radians([inside, 20.0, 90.0])
        while abs(inside - outside) > 1e-7:
            middle = 0.5 * (inside + outside)
            f = [math.radians(middle), 1.0, 0.0]
            newton = NRn(partial(appended, loops, f), q, 1e-12, 60)
            inside, outside, q = (middle, outside, newton.x) if newton.converged else (inside, middle, q)
        limits.append(inside)
    agrees(limits, expected(name, "crank angle limits")[0])


def appended(loops, f, q):
    Phi, D = closing(loops)(q)
    return np.r_[Phi, q[0] - f[0]], np.vstack([D, np.eye(len(q))[0]])


def turned(loops, f_of, q, degrees):
    """Kinematics at angles of the crank, each from the one before."""
    for angle in degrees:
        found = solved(loops, f_of(angle), q)
        q = found.q
        yield angle, found


def test_film_strip_advancer():
    """Example 12.5: only +4.5 of the listing assembles near its estimates, the text prints -4.5."""
    name = "nik_ex12_05_film_strip"
    data = load(name)["model"]
    loops = loop_four_bar(data["L"], data["RQ"])
    path = [Vector(data["L"][0], Q(0)), Vector(data["LP2"], Q(1, plus=math.radians(data["beta2_deg"])))]
    first = solved(loops, [math.radians(30), -1.0, 0.0], np.radians(data["theta_deg"]))
    agrees(np.degrees(first.q[1:]), expected(name, "[theta2,theta3] deg")[0])
    agrees(first.qd[1:], expected(name, "[theta2_dot")[0])
    points = {}
    for angle, found in turned(loops, lambda a: [math.radians(a), -1.0, 0.0], first.q, np.arange(30.0, 390.5, 0.5)):
        points[angle % 360] = chain(path, found.q)[0]
    for e in load(name)["expected"]:
        if e["quantity"] == "P":
            agrees(points[float(e["at"].removeprefix("theta1="))], e)
    ranges = np.array(list(points.values()))
    agrees([ranges[:, 0].min(), ranges[:, 0].max()], expected(name, "P x range")[0])
    agrees([ranges[:, 1].min(), ranges[:, 1].max()], expected(name, "P y range")[0])
    agrees(1800 / 60, expected(name, "frames per second")[0])  # a frame each turn


def web_cutter():
    """The four-bar of example 12.7 in body coordinates, mass centres where the program IDAP has them."""
    data = load("nik_ex12_07_web_cutter")["model"]
    L, LG, g = data["L"], data["LG"], np.radians(data["gamma_deg"])
    far = [LG[k] * u(g[k]) for k in range(3)]  # mass centre in axes of the link line
    points = [
        {"body": 0, "s": (0.0, 0.0)}, {"body": 1, "s": -far[0]}, {"body": 1, "s": (L[0], 0.0) - far[0]},
        {"body": 2, "s": -far[1]}, {"body": 2, "s": (L[1], 0.0) - far[1]}, {"body": 3, "s": (L[2], 0.0) - far[2]},
        {"body": 3, "s": -far[2]}, {"body": 0, "s": data["RQ"]},
    ]  # fmt: skip
    joints = [
        {"type": "rev", "Pi": 2, "Pj": 1}, {"type": "rev", "Pi": 4, "Pj": 3}, {"type": "rev", "Pi": 6, "Pj": 5},
        {"type": "rev", "Pi": 7, "Pj": 8}, {"type": "rel-rot", "i": 1, "j": 0, "funct": 1, "name": "motor"},
    ]  # fmt: skip
    return data, [{**p, "s": tuple(p["s"])} for p in points], joints, far


def web_cutter_torque(found, cutting):
    """ID1 and ID2 at a position of the loop; the blades cut while they close over the last 5 mm."""
    data, points, joints, far = web_cutter()
    q, qd, qdd = found[:3]
    paths = [
        [Vector(data["LG"][0], Q(0, plus=math.radians(data["gamma_deg"][0])))],
        [Vector(data["L"][0], Q(0)), Vector(data["LG"][1], Q(1, plus=math.radians(data["gamma_deg"][1])))],
        [
            Vector(data["RQ"][0], 0.0),
            Vector(data["RQ"][1], math.pi / 2),
            Vector(data["LG"][2], Q(2, plus=math.radians(data["gamma_deg"][2]))),
        ],
    ]
    motion = [chain(path, q, qd, qdd) for path in paths]
    c, cd, cdd = (np.concatenate([[*motion[k][level], (q, qd, qdd)[level][k]] for k in range(3)]) for level in range(3))
    (rC, vC, _), (rD, vD, _) = four_bar_point(data, 2, found), four_bar_point(data, 3, found)
    gap, closing_speed = rC[1] - rD[1], vC[1] - vD[1]
    forces = [{"type": "weight"}]
    if cutting and 0.0 < gap < 0.005 and closing_speed < 0.0:
        for body, place, up in ((2, rC, 1000.0), (3, rD, -1000.0)):
            s = planar_kinematics.A(c[3 * body - 1]).T @ (place - c[3 * body - 3 : 3 * body - 1])
            points = [*points, {"body": body, "s": tuple(s)}]
            forces.append({"type": "fP", "P": len(points), "f": (0.0, up)})
    model = BookModel.from_case(
        {
            "bodies": [{"m": m, "J": J} for m, J in zip(data["m"], data["J"])],
            "points": points,
            "joints": joints,
            "forces": forces,
            "functions": [{"type": "a", "coeff": [q[0], qd[0], 0.0]}],
        }
    )
    np.testing.assert_allclose(planar.constraints(model, 0.0, c), 0.0, atol=1e-11)
    lam = inverse_dynamics.ID1(model, 0.0, c, cd, cdd)
    assert inverse_dynamics.ID2(model, 0.0, c, cd, cdd, "motor") == pytest.approx(lam[-1], abs=1e-10)
    return lam[-1], gap, closing_speed, vC, vD


def test_web_cutter():
    """Example 12.7, ID1 and ID2 at every 2 degrees; the cut of problem 12.8."""
    name = "nik_ex12_07_web_cutter"
    data = load(name)["model"]
    loops = loop_four_bar(data["L"], data["RQ"])

    def f_of(angle):
        return [math.radians(angle), data["omega1"], 0.0]

    first = solved(loops, f_of(30), np.radians(data["theta_deg"]))
    agrees(np.degrees(first.q[1:]), expected(name, "[theta2,theta3] deg")[0])
    agrees(first.qd[1:], expected(name, "[theta2_dot")[0])
    turn = dict(turned(loops, f_of, first.q, range(30, 390, 2)))
    cut = {angle % 360: web_cutter_torque(found, True)[0] for angle, found in turn.items()}
    free = {angle % 360: web_cutter_torque(found, False)[0] for angle, found in turn.items()}
    agrees([cut[angle] for angle in (30, 120, 210, 300)], expected(name, "torque")[0])
    for quantity, best, torques in (
        ("max torque with cut", max, cut),
        ("max torque without", max, free),
        ("min torque", min, cut),
    ):
        (e,) = expected(name, quantity)
        angle = best(torques, key=torques.get)
        assert f"theta1={angle} deg" == e["at"]
        agrees(torques[angle], e)
    # where the blades meet: halving of the gap
    low, high, q = 100.0, 104.0, turn[100].q
    while high - low > 1e-8:
        found = solved(loops, f_of(0.5 * (low + high)), q)
        _, gap, speed, vC, vD = web_cutter_torque(found, False)
        assert speed < 0.0
        low, high = (0.5 * (low + high), high) if gap > 0.0 else (low, 0.5 * (low + high))
    agrees(low, expected(name, "crank angle when")[0])
    agrees([vC[0], vD[0]], expected(name, "[vCx")[0])


# -- chapter 6: inverse dynamics -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nik_ex_6_4_6_slider_crank_inverse", "nik_ex_6_5_7_four_bar_inverse"])
def test_inverse_dynamics_of_chapter_6(name):
    """Multipliers by the augmented equations, by ID1 and by ID2; accelerations, force arrays."""
    case = load(name)
    model = model_of(case, [{**j, "name": f"j{j['id']}"} for j in case["model"]["joints"]])
    cdd, lam = planar.augmented(model, 0.0, model.c, model.cd)
    h = planar.force_array(model, 0.0, model.c, model.cd)
    np.testing.assert_allclose(inverse_dynamics.ID1(model, 0.0, model.c, model.cd, cdd), lam, atol=1e-9)
    assert inverse_dynamics.ID2(model, 0.0, model.c, model.cd, cdd, "j5") == pytest.approx(lam[8], abs=1e-9)
    left = []
    for e in case["expected"]:
        kind, *rest = str(e["quantity"]).removeprefix("T_crank = ").split(".")
        if e["at"] != "initial" or kind not in ("lam", "a", "h"):
            left.append(e)
        elif kind == "lam":
            agrees(lam[int(rest[0]) - 1], e)
        else:
            agrees({"a": cdd, "h": h}[kind][3 * int(rest[0]) - 3 + {"x": 0, "y": 1, "phi": 2, "n": 2}[rest[1]]], e)
    assert all(e["quantity"] in ("T_crank", "L_dot damper", "f damper") for e in left)


def test_id2_needs_a_driver_that_moves():
    case = load("nik_ex_6_4_6_slider_crank_inverse")
    case["model"]["functions"][0]["coeff"] = [case["model"]["bodies"][0]["phi"], 0.0, 0.0]
    model = model_of(case, [{**j, "name": f"j{j['id']}"} for j in case["model"]["joints"]])
    rest = np.zeros(9)
    cdd, lam = planar.augmented(model, 0.0, model.c, rest)
    np.testing.assert_allclose(inverse_dynamics.ID1(model, 0.0, model.c, rest, cdd), lam, atol=1e-9)
    with pytest.raises(SingularConfigurationError, match="stands still"):
        inverse_dynamics.ID2(model, 0.0, model.c, rest, cdd, "j5")


# -- Vlase: elimination of reactions -------------------------------------------------------------------------------


def vlase_model(case, alpha, w1):
    """Crank, rod and slider at an angle of the crank; coordinates of the book, body 3 held against turning."""
    data = case["model"]
    r, l, a, b = (data[key] for key in ("r_crank", "l_rod", "a_crank_com", "b_rod_com_from_B"))
    beta = math.asin(r * math.sin(alpha) / l)
    B = r * u(alpha)
    C = B + l * u(-beta)
    bodies = [
        {"m": data["m_crank"], "J": data["J_crank"], "r": tuple(a * u(alpha)), "phi": alpha},
        {"m": data["m_rod"], "J": data["J_rod"], "r": tuple(B + b * u(-beta)), "phi": -beta},
        {"m": data["m_slider"], "J": 1.0, "r": tuple(C), "phi": 0.0},
    ]
    points = [
        {"body": 0}, {"body": 1, "s": (-a, 0.0)}, {"body": 1, "s": (r - a, 0.0)},
        {"body": 2, "s": (-b, 0.0)}, {"body": 2, "s": (l - b, 0.0)}, {"body": 3},
    ]  # fmt: skip
    joints = [
        {"type": "rev", "Pi": 2, "Pj": 1},
        {"type": "rev", "Pi": 3, "Pj": 4},  # on the crank at B
        {"type": "rev", "Pi": 5, "Pj": 6},  # on the rod at C
        {"type": "tran", "Pi": 6, "Pj": 1, "Ui": 2, "Uj": 1},
    ]
    forces = [
        {"type": "T", "i": 1, "T": data["motor_torque"]},
        {"type": "f", "i": 3, "f": (data["slider_force_x"], 0.0)},
    ]
    model = BookModel.from_case(
        {
            "bodies": bodies,
            "points": points,
            "joints": joints,
            "forces": forces,
            "unit_vectors": [{"body": 0}, {"body": 3}],
        }
    )
    R = inverse_dynamics.velocity_matrix(model, 0.0, model.c, [2])[:, 0]
    return model.started(model.c, R * w1), R


@pytest.mark.parametrize("k", range(4))
def test_reactions_of_vlase_without_multipliers(k):
    """A1, A2, J, J', accelerations and reactions; A2, J' of the paper are misprinted and corrected in the case."""
    case = load("vlase_crank_rod_reactions")
    state = case["analysis"]["states"][k]
    model, R = vlase_model(case, state["alpha"], state["w1"])
    rate = inverse_dynamics.velocity_matrix_rate(model, 0.0, model.c, model.cd, [2]) / state["w1"] ** 2
    J, Jp = inverse_dynamics.reduced(model, 0.0, model.c, [2])
    cdd, lam = inverse_dynamics.without_reactions(model, 0.0, model.c, model.cd, [2])
    np.testing.assert_allclose(planar.augmented(model, 0.0, model.c, model.cd)[0], cdd, rtol=1e-10, atol=1e-9)
    seven = [0, 1, 2, 3, 4, 5, 6]
    values = {
        "[t,u]": [R[5], rate[5]],
        "A1": R[seven],
        "A2 (corrected)": rate[seven],
        "J": J,
        "J' (=1/2 dJ/dalpha)": Jp,
        "angular acceleration e1": cdd[2],
        "xdd [x1,y1,e1,x2,y2,e2,xC]": cdd[seven],
        "reactions [XA,YA,XB,YB,XC,YC]": lam[:6],
        "guide normal force on slider": lam[6],
    }
    here = [e for e in case["expected"] if e["at"].startswith(f"alpha={round(math.degrees(state['alpha']))} deg")]
    assert len(here) == len(values)
    for e in here:
        agrees(values[e["quantity"]], e)
    # J' is half the slope of J, which the formula of the paper is not
    (plus, _), (minus, _) = (vlase_model(case, state["alpha"] + h, 0.0) for h in (1e-5, -1e-5))
    slope = (
        inverse_dynamics.reduced(plus, 0.0, plus.c, [2])[0] - inverse_dynamics.reduced(minus, 0.0, minus.c, [2])[0]
    ) / 2e-5
    assert Jp == pytest.approx(0.5 * slope, abs=1e-8)


# -- chapter 14: statics, equilibrium, initial conditions, redundancy ----------------------------------------------


def two_bars(force=True):
    data = load("nik_ex14_01_structure")["model"]
    bodies = [{"m": b["m"], "J": 1.0, "r": tuple(b["c"][:2]), "phi": b["c"][2]} for b in data["bodies"]]
    points = [
        {"body": 0}, {"body": 1, "s": (-data["L1"] / 2, 0.0)}, {"body": 1, "s": (data["L1"] / 2, 0.0)},
        {"body": 0, "s": (data["L0"], 0.0)}, {"body": 2, "s": (-data["L2"] / 2, 0.0)},
        {"body": 2, "s": (data["L2"] / 2, 0.0)},
    ]  # fmt: skip
    joints = [{"type": "rev", "Pi": 2, "Pj": 1}, {"type": "rev", "Pi": 5, "Pj": 4}, {"type": "rev", "Pi": 3, "Pj": 6}]
    forces = [{"type": "weight"}, {"type": "fP", "P": 6, "f": tuple(data["force_on_2_at_A"])}]
    return BookModel.from_case({"bodies": bodies, "points": points, "joints": joints, "forces": forces})


def test_structure():
    """Example 14.1: the printed equation has +h on its right side, and so the reactions with the other sign."""
    h, lam, printed = load("nik_ex14_01_structure")["expected"]
    model = two_bars()
    c = planar.correct_positions(model, 0.0, model.c)  # the listed angle has eight digits
    agrees(planar.force_array(model, 0.0, c, np.zeros(6)), h)
    agrees(statics.structure(model, 0.0, c), lam)
    exact = np.linalg.solve(np.round(planar.jacobian(model, 0.0, c), 3).T, np.array(h["value"], dtype=float))
    agrees(exact, printed)


def test_assembly_of_the_structure():
    """Problem 14.2: from estimates."""
    case = load("nik_prob14_02_structure_assembly")
    model, (wanted,) = two_bars(), case["expected"]

    def f(c):
        return planar.constraints(model, 0.0, c), planar.jacobian(model, 0.0, c)

    agrees(NRn(f, case["model"]["estimate"], 1e-12).x, wanted)
    agrees(initial_conditions.least_change(f, case["model"]["estimate"]), wanted)


def variable_length_pendulum():
    data = load("nik_ex14_02_equilibrium")["model"]
    bodies = [{"m": b["m"], "J": b["J"], "r": tuple(b["c"][:2]), "phi": b["c"][2]} for b in data["bodies"]]
    points = [{"body": 0}, {"body": 1, "s": (0.0, 0.5)}, {"body": 2}, {"body": 1}]
    joints = [{"type": "rev", "Pi": 2, "Pj": 1}, {"type": "tran", "Pi": 3, "Pj": 4, "Ui": 2, "Uj": 1}]
    forces = [
        {"type": "weight"},
        {"type": "rot-sda", "i": 1, "j": 0, "k": 6.0},
        {"type": "ptp", "Pi": 3, "Pj": 1, "k": 20.0, "L0": 0.7, "dc": 5.0},
    ]
    vectors = [{"body": 1, "u": (0.0, 1.0)}, {"body": 2, "u": (0.0, 1.0)}]
    return BookModel.from_case(
        {"bodies": bodies, "points": points, "unit_vectors": vectors, "joints": joints, "forces": forces}
    )


@pytest.mark.parametrize("d", [2.0, 10.0])
def test_equilibrium_by_fictitious_damping(d):
    """Example 14.2: another damping comes to the same rest, which is a root as well."""
    (wanted,) = load("nik_ex14_02_equilibrium")["expected"]
    model = variable_length_pendulum()
    c, _ = statics.fictitious_damping(model, model.c, d, still=1e-9)
    agrees([c[2], math.hypot(*c[3:5])], wanted)
    rest, _ = planar.static_equilibrium(model, c + 0.05)
    np.testing.assert_allclose(rest, c, atol=1e-8)


def test_without_fictitious_damping_it_swings_on():
    """The damper along the pendulum hardly brakes its swing."""
    model = variable_length_pendulum()
    with pytest.raises(ConvergenceError, match="not at rest"):
        statics.fictitious_damping(model, model.c, 0.0, most=1)


def test_initial_conditions_of_the_illustration():
    """Section 14.3; none of the numbers that the book prints solves its equations."""
    case = load("nik_s14_3_ic_correction")
    D, estimate = np.array([[1.0, 2.0, -1.0], [2.0, -1.0, 1.0]]), np.array(case["model"]["estimate"])

    def f(q):
        return D @ q - [2.0, 3.0], D

    kept, least = initial_conditions.keep(f, estimate, [0]), initial_conditions.least_change(f, estimate)
    values = [f(estimate)[0], kept[1:], np.sum((kept - estimate) ** 2), least, np.sum((least - estimate) ** 2)]
    for value, e in zip(values, case["expected"], strict=True):
        agrees(value, e)


def test_weights_and_kept_coordinates():
    """A heavy coordinate hardly moves; infinitely heavy is kept; the change is least in the weighted norm."""
    D, estimate = np.array([[1.0, 2.0, -1.0], [2.0, -1.0, 1.0]]), np.array([0.9, 2.1, 3.2])

    def f(q):
        return D @ q - [2.0, 3.0], D

    kept = initial_conditions.keep(f, estimate, [0])
    np.testing.assert_allclose(initial_conditions.least_change(f, estimate, [1e14, 1.0, 1.0]), kept, atol=1e-9)
    W = np.array([3.0, 0.5, 2.0])
    found = initial_conditions.least_change(f, estimate, W)
    free = np.cross(*D)  # the solutions are found + s free
    assert abs((found - estimate) * W @ free) < 1e-12
    rates = initial_conditions.least_rate_change(D, np.array([0.1, -0.2]), np.zeros(3), W)
    np.testing.assert_allclose(D @ rates, [0.1, -0.2], atol=1e-14)
    assert abs(rates * W @ free) < 1e-14


def scissor_lift(extra=True):
    data = load("nik_s14_4_scissor_lift_redundant")["model"]
    c30, s30 = math.cos(math.pi / 6), 0.5
    places = [(c30, s30), (c30, s30), (1.2, 1.3)]
    bodies = [{"m": b["m"], "J": b["J"], "r": place, "phi": b["c"][2]} for b, place in zip(data["bodies"], places)]
    points = [
        {"body": 0}, {"body": 1, "s": (-1.0, 0.0)}, {"body": 1}, {"body": 2}, {"body": 2, "s": (-1.0, 0.0)},
        {"body": 3, "s": (-1.2, -0.3)}, {"body": 2, "s": (1.0, 0.0)}, {"body": 1, "s": (1.0, 0.0)},
        {"body": 3, "s": (-1.2, 0.0)},
    ]  # fmt: skip
    vectors = [{"body": 0}, {"body": 3}, {"body": 0, "u": (0.0, 1.0)}]
    joints = [
        {"type": "rev", "Pi": 2, "Pj": 1}, {"type": "rev", "Pi": 3, "Pj": 4}, {"type": "rev", "Pi": 5, "Pj": 6},
        {"type": "rev-tran", "Pi": 1, "Pj": 7, "Ui": 1}, {"type": "rev-tran", "Pi": 6, "Pj": 8, "Ui": 2},
        {"type": "rev-tran", "Pi": 1, "Pj": 9, "Ui": 3},
    ]  # fmt: skip
    return BookModel.from_case(
        {"bodies": bodies, "points": points, "unit_vectors": vectors, "joints": joints if extra else joints[:-1]}
    )


def test_scissor_lift():
    """Section 14.4: L-U with row pivoting has no zero row here, although the rank is one short."""
    without, counts, rank = load("nik_s14_4_scissor_lift_redundant")["expected"]
    plain, lift = scissor_lift(False), scissor_lift()
    np.testing.assert_allclose(planar.constraints(lift, 0.0, lift.c), 0.0, atol=1e-12)
    D = planar.jacobian(plain, 0.0, plain.c)
    agrees([9, len(D), 9 - len(D) + len(elimination.redundant_rows(D))], without)
    D = planar.jacobian(lift, 0.0, lift.c)
    agrees([D.shape[1], len(D)], counts)
    assert elimination.redundant_rows(D).tolist() == [8]  # the roller that was added
    agrees(len(D) - len(elimination.redundant_rows(D)), rank)
    assert elimination.zero_rows(D).size == 0
    _, U, _ = elimination.LU_pivoted(D)
    assert abs(U[7, 7]) < 1e-12 and np.abs(U[8]).max() > 1e-3


# -- appendix A ----------------------------------------------------------------------------------------------------


def test_factorisation():
    """Examples A.1 and A.2."""
    case = load("nik_exA_1_2_lu")
    A, c = case["model"]["A"], case["model"]["c"]
    L, U = elimination.LU(A)
    y = elimination.forward(L, c)
    Lp, Up, p = elimination.LU_pivoted(A)
    for value, e in zip([L, U, y, elimination.back(U, y), Lp, Up, p + 1], case["expected"], strict=True):
        agrees(value, e)
    np.testing.assert_allclose(Lp @ Up, np.array(A)[p], atol=1e-14)
    with pytest.raises(SingularConfigurationError, match="pivot of zero"):
        elimination.LU([[0.0, 1.0], [1.0, 0.0]])


def test_factorisation_of_random_matrices():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rows, columns = rng.integers(1, 8, 2)
        A = rng.normal(size=(rows, columns)) * rng.choice([0.0, 1.0], size=(rows, columns), p=[0.3, 0.7])
        L, U, p = elimination.LU_pivoted(A)
        np.testing.assert_allclose(L @ U, A[p], atol=1e-12)
        assert np.abs(L).max() <= 1.0 + 1e-12 and np.allclose(np.tril(U[:columns], -1), 0.0, atol=1e-12)
        assert len(elimination.redundant_rows(A)) == rows - np.linalg.matrix_rank(A)
        # what the zero rows tell is true, but it is not all
        assert len(elimination.zero_rows(A)) <= rows - np.linalg.matrix_rank(A)


def test_independent_variable():
    """Example A.3: an error of 0.1 in the variable that is chosen; trials 2 and 3 of the book solve other equations."""
    case = load("nik_exA_3_independent_variable")
    B, c, x = (np.array(case["model"][key], dtype=float) for key in ("B", "c", "x"))
    for k, e in enumerate(case["expected"][:3]):
        found, rest = x.copy(), [j for j in range(3) if j != k]
        found[k] += case["model"]["error"]
        found[rest] = np.linalg.solve(B[:, rest], c - B[:, k] * found[k])
        agrees([*found, np.linalg.norm(found - x)], e)
    agrees(elimination.LU_pivoted(B.T)[2] + 1, case["expected"][3])
    assert elimination.independent_variables(B).tolist() == [0]


def test_redundant_row():
    """Example A.4."""
    case = load("nik_exA_4_redundant_row")
    L, U, p = elimination.LU_pivoted(case["model"]["D"])
    rank = 3 - len(elimination.redundant_rows(case["model"]["D"]))
    for value, e in zip([L, U, p + 1, rank], case["expected"], strict=True):
        agrees(value, e)
    assert elimination.zero_rows(case["model"]["D"]).tolist() == [2]


def test_the_report_of_newton():
    assert "not converged" in str(kinematic_analysis.NR1(lambda x: (1.0, 0.0), 3.0))
