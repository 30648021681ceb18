"""Chapter 9 and the models of the program DAP_JC by the book's own equations in joint coordinates.

Nikravesh, Planar Multibody Dynamics, 2nd ed.; each case file names its section. Every matrix, acceleration, reaction,
initial condition and history of the cases, by the velocity transformation B and the cut joints C.
"""

from functools import cache, cached_property

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.textbook import planar_joint_coordinates as jc
from reference.book import agrees, label
from reference.textbook_cases import COORDINATE, load, tire_unilateral

CASES = [
    "nik_9_3_variable_length_pendulum",
    "nik_9_5_inverted_slider_crank_cut_joint",
    "nik_C1_sliding_pendulum_SP",
    "nik_C2_slider_crank_SC",
    "nik_C3_slider_crank_driver_SCd",
    "nik_C_double_A_arm_AA",
    "nik_C_macpherson_MP_A",
    "nik_ex13_03_vlp_joint_rk4",
]
LISTS = ("bodies", "points", "unit_vectors", "joints", "forces", "functions")
BODY_COORDINATES = ("corrected", "exercise_8_2_corrected")  # `at` of corrections in body coordinates


class Case:
    """A case with its model in joint coordinates, its states and runs."""

    def __init__(self, name):
        self.data = load(name)
        self.numbers = self.data["model"]
        if "mechanism" in self.numbers:
            self.numbers = load(self.numbers["mechanism"])["model"] | self.numbers
        lists = {key: self.numbers.get(key) for key in LISTS}
        self.book = tb.BookModel.from_case(lists, laws={"tire_unilateral": tire_unilateral})
        drivers = {c: self.book.functions[f - 1] for c, f in self.numbers.get("drivers", {}).items()}
        self.model = tb.planar_joint_tree.joint_model(self.book, self.numbers.get("cut", ()), drivers=drivers)
        assert list(self.model.names) == self.numbers["coordinates"]

    def corrected(self, key="book_initial_coordinates"):
        """Listed body coordinates after the book's correction."""
        return tb.planar.correct_positions(self.book, 0.0, np.array(self.numbers[key], dtype=float))

    @cache  # noqa: B019 - a handful of cases, kept for the session
    def start(self, which="initial"):
        """theta and theta' that a case starts from: `initial`, `rounded` or `listed`."""
        if "book_initial_coordinates" in self.numbers:  # from rest, where the corrected coordinates are
            return jc.joint_coordinates(self.model, self.corrected()), np.zeros(len(self.model.names))
        key = {"initial": "", "rounded": "_rounded", "listed": "_listed"}[which]
        theta = np.array(self.numbers.get(f"theta{key}", self.numbers["theta"]))
        thetad = np.array(self.numbers[f"theta_dot{key}"])
        if self.model.drivers:  # the rates that the driver demands
            thetad = jc.correct_joint_velocities(self.model, 0.0, theta, thetad)
        return theta, thetad

    @cache  # noqa: B019
    def run(self, which="initial"):
        """{time: (theta, theta')} at all times of the case."""
        times = sorted({0.0} | {e["at"]["t"] for e in self.data["expected"] if isinstance(e["at"], dict)})
        found = jc.simulate_joint_coordinates(self.model, times, *self.start(which), rtol=1e-10, atol=1e-12)
        return dict(zip(times, zip(*found)))

    @cached_property
    def rest(self):
        """theta at rest: h_j + C' lambda = 0 with the loops closed."""
        from scipy.optimize import root

        n, start = len(self.model.names), self.run()[max(self.run())][0]

        def residual(y):
            h = jc.joint_force_array(self.model, 0.0, y[:n], np.zeros(n))
            C = jc.cut_jacobian(self.model, 0.0, y[:n])
            return np.r_[h + C.T @ y[n:], jc.cut_constraints(self.model, 0.0, y[:n])]

        found = root(residual, np.r_[start, np.zeros(len(residual(np.r_[start, 0.0, 0.0])) - n)], tol=1e-13)
        assert np.max(np.abs(residual(found.x))) < 1e-8
        return found.x[:n]

    def state(self, entry):
        """t, theta, theta' at the place of an entry."""
        at, which = entry["at"], entry.get("start", "initial")
        if isinstance(at, dict):
            return at["t"], *(self.by_steps(entry) if "method" in entry else self.run(which)[at["t"]])
        if at == "equilibrium":
            return 0.0, self.rest, np.zeros_like(self.rest)
        return 0.0, *self.start("rounded" if at == "rounded" else which)

    def by_steps(self, entry):
        """theta, theta' by the classical Runge-Kutta method with fixed steps (13.1.2)."""
        n, step, u = len(self.model.names), entry["step"], np.concatenate(self.start())

        def f(t, u):
            return np.r_[u[n:], jc.joint_augmented(self.model, t, u[:n], u[n:])[0]]

        for k in range(round(entry["at"]["t"] / step)):
            t = k * step
            f1 = f(t, u)
            f2 = f(t + step / 2, u + step / 2 * f1)
            f3 = f(t + step / 2, u + step / 2 * f2)
            f4 = f(t + step, u + step * f3)
            u = u + step / 6 * (f1 + 2 * f2 + 2 * f3 + f4)
        return u[:n], u[n:]

    def value(self, entry):
        """The quantity of an entry."""
        m, quantity, (t, theta, thetad) = self.model, entry["quantity"], self.state(entry)
        c, B = (jc.body_coordinates(m, theta), jc.velocity_transformation(m, theta))
        thetadd, lam = jc.joint_augmented(m, t, theta, thetad)
        if quantity[:2] in ("q.", "v."):  # a few coordinates and velocities of bodies
            of = {"q": c, "v": B @ thetad}
            parts = [name.split(".") for name in quantity.split()]
            found = [of[kind][3 * (int(b) - 1) + COORDINATE[k]] for kind, b, k in parts]
            return found if len(found) > 1 else found[0]
        h, D = tb.planar.force_array(self.book, t, c, B @ thetad), tb.planar.jacobian(m.cut, t, c)
        return {
            "c": lambda: c,
            "B": lambda: B,
            "Bdot thetad": lambda: jc.transformation_rate(m, theta, thetad),
            "M": lambda: jc.joint_mass_matrix(m, theta),
            "M diagonal": lambda: np.diag(jc.joint_mass_matrix(m, theta)),
            "h": lambda: h,
            "h_j": lambda: jc.joint_force_array(m, t, theta, thetad),
            "spring torque": lambda: abs(h[2]),
            "spring-damper force": lambda: -h[3:5] + (0.0, -self.book.bodies[1].m * 9.81),
            "thetadd": lambda: thetadd,
            "a": lambda: jc.body_accelerations(m, theta, thetad, thetadd),
            "lambda": lambda: lam,
            "D' lambda": lambda: self.on_bodies(t, theta, thetad),
            "D cut": lambda: D,
            "C": lambda: jc.cut_jacobian(m, t, theta),
            "Cdot thetad": lambda: -jc.cut_gamma(m, t, theta, thetad),
            "D' lambda cut": lambda: self.on_bodies(t, theta, thetad, [q.name for q in m.cut.joints]),
            "C' lambda": lambda: sum(jc.joint_reactions(m, t, theta, thetad)[q.name].coordinates for q in m.cut.joints),
            "state": lambda: np.r_[theta, thetad],
            "motion": lambda: np.array([theta, thetad, thetadd]),
        }[quantity]()

    def on_bodies(self, t, theta, thetad, joints=None):
        """Sum of the reactions of some joints, or all, on all bodies."""
        total = np.zeros((len(self.book.bodies), 3))
        for name, reaction in jc.joint_reactions(self.model, t, theta, thetad).items():
            if joints is None or name in joints:
                for b, h in reaction.bodies.items():
                    total[b - 1] += h
        return total.ravel()


case = cache(Case)


def entries():
    apart = ("driver", "time of first contact")
    return [
        pytest.param(name, e, id=f"{name.removeprefix('nik_')}: {label(e)} {e['kind']} {e.get('start', '')}")
        for name in CASES
        for e in load(name)["expected"]
        if e["quantity"] not in apart and e["at"] not in BODY_COORDINATES
    ]


@pytest.mark.parametrize(("name", "entry"), entries())
def test_values(name, entry):
    agrees(case(name).value(entry), entry)


@pytest.mark.parametrize("name", ["nik_C_double_A_arm_AA", "nik_C_macpherson_MP_A"])
def test_corrected_body_coordinates(name):
    """The books' minimum-norm correction, and joint coordinates from it that close the loop to the same place."""
    starts = {"corrected": "book_initial_coordinates", "exercise_8_2_corrected": "exercise_8_2_initial"}
    chosen = [e for e in case(name).data["expected"] if e["at"] in BODY_COORDINATES]
    assert chosen
    for e in chosen:
        c, m = case(name).corrected(starts[e["at"]]), case(name).model
        agrees(c, e)
        theta = jc.joint_coordinates(m, c)
        np.testing.assert_allclose(jc.body_coordinates(m, theta), c, rtol=0, atol=1e-11)
        np.testing.assert_allclose(jc.cut_constraints(m, 0.0, theta), 0.0, atol=1e-11)


def test_listed_joint_coordinates_are_those_of_the_bodies():
    """Coordinates listed for joints and for bodies are the same state, to the ten digits listed."""
    for name in CASES:
        m, c = case(name).model, case(name)
        if "theta" in c.numbers:
            theta = np.array(c.numbers["theta"])
            np.testing.assert_allclose(jc.body_coordinates(m, theta), c.book.c, rtol=0, atol=2e-9, err_msg=name)
            if not m.drivers:
                rates = jc.joint_rates(m, jc.body_coordinates(m, theta), c.book.cd)
                np.testing.assert_allclose(rates, c.numbers["theta_dot"], rtol=0, atol=1e-8, err_msg=name)


@pytest.mark.parametrize("name", ["nik_9_5_inverted_slider_crank_cut_joint", "nik_C2_slider_crank_SC"])
def test_cut_jacobian_by_table(name):
    """Example 9.6: C from table 9.2 is *D B."""
    m, (theta, _) = case(name).model, case(name).start()
    np.testing.assert_allclose(jc.cut_jacobian_by_table(m, theta), jc.cut_jacobian(m, 0.0, theta), atol=1e-14)


def test_cut_jacobian_with_an_absolute_angle():
    """Example 9.4: C = [L1 rot(u1), L2 rot(u2), -u_x] with the angle of the rod itself as coordinate."""
    sc = case("nik_C2_slider_crank_SC")
    m = tb.planar_joint_tree.joint_model(sc.book, ["B"], absolute=["A"])
    phi1, phi2 = 1.047197551, -0.4111939418
    C = jc.cut_jacobian(m, 0.0, [phi1, phi2, 0.2983275058])
    wanted = [[-0.12 * np.sin(phi1), -0.26 * np.sin(phi2), -1.0], [0.12 * np.cos(phi1), 0.26 * np.cos(phi2), 0.0]]
    np.testing.assert_allclose(C, wanted, atol=1e-14)


def initial_conditions():
    given = load("nik_9_7_inverted_slider_crank_initial_conditions")
    return given["model"], given["expected"]


@pytest.mark.parametrize("entry", initial_conditions()[1], ids=lambda e: f"{' '.join(e['quantity'])} {e['kind']}")
def test_initial_conditions_of_a_loop(entry):
    """Example 9.7: one coordinate and its rate given, the others from the loop."""
    numbers, _ = initial_conditions()
    m, start = case(numbers["mechanism"]).model, numbers["given"] | numbers["estimates"]
    theta = jc.correct_joint_positions(m, 0.0, [start[name] for name in m.names], held=["O.angle"])
    rates = [start.get(f"{name}.rate", 0.0) for name in m.names]
    thetad = jc.correct_joint_velocities(m, 0.0, theta, rates, held=["O.angle"])
    assert theta[0] == numbers["given"]["O.angle"] and thetad[0] == numbers["given"]["O.angle.rate"]
    found = dict(zip(m.names, theta)) | {f"{name}.rate": rate for name, rate in zip(m.names, thetad)}
    agrees([found[name] for name in entry["quantity"]], entry)


def test_rows_of_the_driver():
    """Example C.3: a row with a one, and the rates of the driver on the right."""
    sc = case("nik_C3_slider_crank_driver_SCd")
    (entry,) = [e for e in sc.data["expected"] if e["quantity"] == "driver"]
    (theta, thetad), m = sc.start(), sc.model
    row, rate, acceleration = entry["value"]
    np.testing.assert_array_equal(jc.cut_jacobian(m, 0.0, theta)[2], row)
    assert jc.cut_velocity_rhs(m, 0.0, theta)[2:] == pytest.approx(rate, abs=entry["tolerance"])
    assert jc.cut_gamma(m, 0.0, theta, thetad)[2:] == pytest.approx(acceleration, abs=entry["tolerance"])


@pytest.mark.parametrize("cut", ["B", "S", "A"])
def test_driver_torque_balances_the_power(cut):
    """Wherever the loop is cut: the driver's power is the rate of energy, from differences along the motion."""
    sc = case("nik_C3_slider_crank_driver_SCd")
    m = tb.planar_joint_tree.joint_model(sc.book, [cut], drivers={"O.angle": sc.book.functions[0]})
    c = tb.planar.correct_positions(sc.book, 0.0, sc.book.c)

    def motion(t):
        theta = jc.joint_coordinates(m, c)
        theta[m.names.index("O.angle")] = sc.book.functions[0](t)[0]
        theta = jc.correct_joint_positions(m, t, theta, held=["O.angle"])
        return theta, jc.correct_joint_velocities(m, t, theta, np.zeros(3))

    def energy(t):
        theta, thetad = motion(t)
        place = (jc.body_coordinates(m, theta), jc.velocity_transformation(m, theta) @ thetad)
        return tb.planar.energy(sc.book, t, *place).total

    step = 1e-4
    for e in sc.data["expected"]:
        if e["quantity"] == "lambda" and e["at"] in ("initial", {"t": 0.1}):
            t = 0.0 if e["at"] == "initial" else 0.1
            torque = jc.joint_augmented(m, t, *motion(t))[1][-1]
            assert torque == pytest.approx(e["value"][2], abs=e["tolerance"])
            assert (energy(t + step) - energy(t - step)) / (2 * step) == pytest.approx(2 * np.pi * torque, abs=1e-5)


def test_first_contact_of_the_tyre():
    """MacPherson strut: the root of the height over the tyre's radius in the dense output."""
    from scipy.integrate import solve_ivp
    from scipy.optimize import brentq

    mp = case("nik_C_macpherson_MP_A")
    (entry,) = [e for e in mp.data["expected"] if e["quantity"] == "time of first contact"]
    n = len(mp.model.names)

    def ud(t, u):
        return np.r_[u[n:], jc.joint_augmented(mp.model, t, u[:n], u[n:])[0]]

    u0 = np.concatenate(mp.start())
    run = solve_ivp(ud, (0.0, 0.05), u0, method="DOP853", dense_output=True, rtol=1e-10, atol=1e-12)
    agrees(brentq(lambda t: jc.body_coordinates(mp.model, run.sol(t)[:n])[1] - 0.30, 0.03, 0.05, xtol=1e-14), entry)


# Other books


def crankshaft():
    """Veldpaus, sections 4.2 and 4.3: crank and connecting rod, absolute angles, the guide as cut joint."""
    numbers = load("spatial_veldpaus_crankshaft")
    d = numbers["model"]

    def slider_damper(t, model, c, cd):
        s = (d["l2"] - d["c2"]) * np.array([np.cos(c[5]), np.sin(c[5])])  # from the mass centre to the slider
        force = -d["B3"] * (cd[3] - s[1] * cd[5])
        return np.array([0.0, 0.0, 0.0, force, 0.0, -s[1] * force])

    book = tb.BookModel(
        bodies=(tb.Body(d["m1"], d["J1"]), tb.Body(d["m2"], d["J2"])),
        points=(
            tb.Point(0, tuple(d["ground_pivot"])), tb.Point(1, (-d["c1"], 0.0)), tb.Point(1, (d["l1"] - d["c1"], 0.0)),
            tb.Point(2, (-d["c2"], 0.0)), tb.Point(2, (d["l2"] - d["c2"], 0.0)),
        ),
        unit_vectors=(tb.UnitVector(0, (-1.0, 0.0)),),
        joints=(
            tb.Joint("rev", Pi=2, Pj=1, name="A1"), tb.Joint("rev", Pi=4, Pj=3, name="A2"),
            tb.Joint("rev-tran", Pi=1, Pj=5, Ui=1, name="A3"),
        ),
        forces=(
            tb.Force("weight", g=d["g"]), tb.Force("T", i=1, T=d["tau"]), tb.Force("rot-sda", i=1, j=0, dc=d["B1"]),
            tb.Force("rot-sda", i=2, j=1, dc=d["B2"]), tb.Force("fP", P=5, f=(-d["F"], 0.0)),
            tb.Force("user", law=slider_damper),
        ),
    )  # fmt: skip
    start = numbers["analysis"]["initial"]
    model = tb.planar_joint_tree.joint_model(book, ["A3"], absolute=["A2"])
    return numbers["expected"], model, np.array(start["beta"]), np.array(start["beta_dot"])


def test_crankshaft_at_the_start():
    expected, m, beta, betad = crankshaft()
    wanted = {e["quantity"].split(" ")[0]: e for e in expected if e["at"] == "initial"}
    np.testing.assert_allclose(jc.cut_constraints(m, 0.0, beta), 0.0, atol=1e-14)
    np.testing.assert_allclose(jc.cut_jacobian(m, 0.0, beta) @ betad, 0.0, atol=1e-14)
    B, c = (jc.velocity_transformation(m, beta), jc.body_coordinates(m, beta))
    agrees(jc.joint_mass_matrix(m, beta), wanted["M"])
    agrees(jc.cut_jacobian(m, 0.0, beta), wanted["K"])
    Q = B.T @ tb.planar.force_array(m.book, 0.0, c, B @ betad)
    agrees(Q, wanted["Q"])
    # C depends on the rates: its product with them is what joint coordinates know
    np.testing.assert_allclose(
        Q - jc.joint_force_array(m, 0.0, beta, betad), np.array(wanted["C"]["value"]) @ betad, rtol=1e-10
    )
    betadd, lam = jc.joint_augmented(m, 0.0, beta, betad)
    agrees(betadd, wanted["[b1dd,b2dd]"])
    agrees(lam[0], wanted["lambda"])
    reactions = jc.joint_reactions(m, 0.0, beta, betad)
    agrees(reactions["A1"].bodies[1][:2], wanted["F1"])
    agrees(reactions["A2"].bodies[2][:2], wanted["F2"])


def test_crankshaft_in_motion():
    expected, m, beta, betad = crankshaft()
    wanted = [e for e in expected if isinstance(e["at"], dict)]
    times = sorted({0.0} | {e["at"]["t"] for e in wanted})
    thetas, rates = jc.simulate_joint_coordinates(m, times, beta, betad, rtol=1e-11, atol=1e-12)
    for e in wanted:
        k = times.index(e["at"]["t"])
        if e["quantity"] == "N":
            agrees(jc.joint_augmented(m, times[k], thetas[k], rates[k])[1][0], e)
        else:
            agrees([thetas[k][0], rates[k][0]], e)


def test_bead_on_rod():
    """García de Jalón and Bayo, examples 4.2 to 4.5: independent coordinates, canonical momenta, energy, motion."""
    numbers = load("spatial_gdj_ex4_2_bead_on_rod")
    d, start = numbers["model"], numbers["analysis"]["initial"]
    book = tb.BookModel(
        bodies=(tb.Body(d["m2"], 0.0), tb.Body(d["m1"], 0.0)),
        points=(tb.Point(0, (0.0, 0.0)), tb.Point(1, (-d["L"], 0.0)), tb.Point(2, (0.0, 0.0))),
        unit_vectors=(tb.UnitVector(1, (1.0, 0.0)), tb.UnitVector(2, (1.0, 0.0))),
        joints=(
            tb.Joint("tran", Pi=3, Pj=2, Ui=2, Uj=1, name="S"), tb.Joint("rev", Pi=2, Pj=1, name="A"),
        ),
        forces=(tb.Force("weight", g=d["g"]),),
    )  # fmt: skip
    m, q, qd = tb.planar_joint_tree.joint_model(book), np.array(start["q"]), np.array(start["qd"])
    assert m.names == ("S.slide", "A.angle")
    wanted = {e["quantity"].split(" ")[0]: e for e in numbers["expected"]}
    qdd, _ = jc.joint_augmented(m, 0.0, q, qd)
    agrees(qdd, wanted["qdd"])
    agrees(jc.body_accelerations(m, q, qd, qdd)[[3, 4, 0, 1]], wanted["xdd"])
    agrees(jc.joint_mass_matrix(m, q) @ qd, wanted["canonical"])
    history = [e for e in numbers["expected"] if isinstance(e["at"], dict)]
    times = [0.0, *(e["at"]["t"] for e in history)]
    run = jc.simulate_joint_coordinates(m, times, q, qd, rtol=1e-11, atol=1e-13)
    for k, (theta, thetad) in enumerate(zip(*run)):
        place = (jc.body_coordinates(m, theta), jc.velocity_transformation(m, theta) @ thetad)
        agrees(tb.planar.energy(book, 0.0, *place).total, wanted["total"])
        if k:
            agrees(np.r_[theta, thetad], history[k - 1])
