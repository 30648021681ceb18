"""Cases in point coordinates by `coordinates="point"` itself: its unknowns, its masses, its rows and its multipliers.

Unknowns are those of the books.  Rows differ by a factor, and multipliers by its inverse:

| book | here | factor of our row |
|---|---|---|
| (d'd - L^2)/2 of a link | (a'a - 1)/2, where a = d/L | 1/L^2 |
| (d'd - L^2)/2 of a rod | its length - L | 1/L |
| x2^2 + y2^2 - L^2 | (a'a - 1)/2 | 1/(2 L^2) |
| x1 y2 - x2 y1 | the bead's offset from the rod | -1/L |
"""

import math

import numpy as np
import pytest

from linkwork.kernels import layout as at
from reference.book import agrees, load
from reference.test_joint_coordinates import BEADS, bead_on_rod
from reference.test_textbook_natural import answer_all
from reference.test_textbook_points import engine_slider_crank, engine_three_particles, engine_two_particles


class Seen:
    """A state by the unknowns of the set, in the order of `names`: M, J, accelerations, multipliers, rates."""

    def __init__(self, m, names, basis=None, start=None):
        self.state = m.assemble(start=start, coordinates="point", basis=basis).state
        system = self.state.system("point")
        y = system.from_body(self.state.y, self.state.memory)
        system.derivative(self.state.t, y)
        plan, known = system.plan, system.state_names[: system.plan.n_v]
        assert sorted(known) == sorted(names)
        order = [known.index(name) for name in names]
        mass = np.zeros((plan.n_v, plan.n_v))
        for (i, j), value in zip(plan.table(at.T_MASS), plan.view(plan.parameters, at.P_MASS_ENTRY)):
            mass[i, j] = mass[j, i] = value
        self.mass = mass[np.ix_(order, order)]
        self.rates = y[plan.n_q : plan.n_q + plan.n_v][order]
        self.accelerations = system.step[order]
        self._rows = [row.name for row in plan.rows]
        self._jacobian, self._multipliers = system.jacobian()[:, order], system.multipliers.copy()

    def of_book(self, factors):
        """J and multipliers of the book, in its order, from the factors that our rows have."""
        assert sorted(factors) == sorted(self._rows)
        some, by = [self._rows.index(row) for row in factors], np.array(list(factors.values()))
        return self._jacobian[some] / by[:, None], self._multipliers[some] * by


@pytest.mark.parametrize("speed", [0.0, 2 * np.pi])
def test_slider_crank(speed):
    """Particles of the links are what M is made of: 2 m_e + m_o is the mass, m_o/4 couples the ends."""
    case = load("nik_10_slider_crank_points")
    one, two, block = case["model"]["links"]
    m = engine_slider_crank(case)
    start = {"O.angle": case["analysis"]["state"]["theta1"], "O.angle.rate": speed}
    seen = Seen(m, ["A.x", "A.y", "B.x", "B.y"], start=start)
    M, qdd = seen.mass, seen.accelerations
    x, y = 0.06, 0.1039230485  # of A, as listed
    assert [x, y] == case["model"]["primary_points"]["A"]
    turning = (x * qdd[1] - y * qdd[0]) / one["L"] ** 2
    wanted = {e["quantity"]: e for e in case["expected"]}
    if speed:
        agrees(qdd, wanted["accelerations with theta1_dot=2 pi, no driver"])
        agrees(turning, wanted["theta1_ddot with theta1_dot=2 pi"])
        return
    middle = 4 * M[0, 2]
    end = M[2, 2] - middle / 4 - block["mass"]
    assert 2 * end + middle == pytest.approx(two["mass"], abs=1e-12)
    agrees([end, middle], wanted["same, link 2"])
    at_a = M[0, 0] - end - middle / 4  # m_e + m_o/4 of the crank
    agrees(
        [2 * at_a - one["mass"] / 2, 2 * one["mass"] - 4 * at_a],
        wanted["end-particle and centre-particle masses, link 1"],
    )
    agrees(M, wanted["mass matrix 4x4 (xA,yA,xB,yB)"])
    agrees(qdd, wanted["accelerations at rest"])
    agrees(turning, wanted["theta1_ddot at rest"])
    _, lam = seen.of_book({"length of crank": 1 / one["L"] ** 2, "length of rod": 1 / two["L"] ** 2, "guide.y": 1.0})
    agrees(lam, wanted["multipliers at rest (OA, AB, yB)"])


def test_three_particles():
    """The forces are what the set has to give its masses these accelerations: M q'' - J' lambda.

    Lengths are those between the places, which the case lists with ten digits: particles then stay where they are.
    """
    case = load("nik_p10_10_three_particles_two_springs")
    data = case["model"]
    places = {p["id"]: p["r"] for p in data["primary_points"]}
    for c in data["constraints"]:
        listed, c["L"] = c["L"], math.dist(*(places[p] for p in c["points"]))
        assert c["L"] == pytest.approx(listed, abs=5e-10)
    names = [f"{body}.center.{axis}" for body in "ABC" for axis in "xy"]
    factors = {f"{''.join(c['points'])}.length": 1 / c["L"] for c in data["constraints"]}
    wanted = {e["quantity"]: e for e in case["expected"]}
    seen = Seen(engine_three_particles(data, 0.0), names)
    J, lam = seen.of_book(factors)
    m = engine_three_particles(data, 0.0)
    ev = m.evaluate(coordinates="point")
    agrees(np.concatenate([ev.applied_force(body)[:2] for body in "ABC"]), wanted["applied force array, no gravity"])
    with_gravity = Seen(engine_three_particles(data, 9.81), names)
    agrees(with_gravity.accelerations, wanted.pop("accelerations with g=9.81"))
    agrees(with_gravity.of_book(factors)[1], wanted["multipliers, no gravity"])
    answer_all({"expected": list(wanted.values())}, {
        "applied force array, no gravity": seen.mass @ seen.accelerations - J.T @ lam,
        "Jacobian (AB, BC)": J,
        "accelerations xA,yA,xB,yB,xC,yC, no gravity": seen.accelerations,
        "multipliers, no gravity": lam,
    })  # fmt: skip


def test_two_particles():
    """The frequency; the motion itself is in `test_textbook_points`."""
    case = load("nik_prob13_01_two_particles_spring")
    m = engine_two_particles(case["model"])
    rest = m.assemble(
        start={"A.x": 0.0, "B.x": case["model"]["L0"], "A.x.rate": 0.0, "B.x.rate": 0.0}, coordinates="point"
    )
    (omega,) = [2 * np.pi * one.frequency for one in m.modes(rest.state, coordinates="point") if one.frequency > 1e-3]
    agrees(omega, case["expected"][3])


@pytest.mark.parametrize("bead", BEADS)
def test_bead_on_rod(bead):
    """With the pin and the tip as basis the unknowns are x2, y2, x1, y1; momenta by R, whose columns are unit rates."""
    case, m, given = bead_on_rod(bead)
    L = case["model"]["L"]
    names = [f"{point}.{axis}" for point in ("bead.center", "rod.tip") for axis in "xy"]

    def seen_at(slide, turn):
        start = {**given, "S.slide.rate": slide, "A.angle.rate": turn}
        return Seen(m, names, basis={"rod": ("A", "tip")}, start=start)

    seen = seen_at(given["S.slide.rate"], given["A.angle.rate"])
    R = np.column_stack([seen_at(*unit).rates for unit in np.eye(2)])
    np.testing.assert_allclose(R @ case["analysis"]["initial"]["qd"], seen.rates, atol=1e-12)
    wanted = {e["quantity"]: e for e in case["expected"]}
    agrees(R.T @ seen.mass @ seen.rates, wanted["canonical momenta [p1,p2]"])
    agrees(seen.accelerations, wanted["xdd [x1,y1,x2,y2] (natural coordinates)"])
    J, lam = seen.of_book({"length of rod": 1 / (2 * L**2), "S.y": -1 / L})
    agrees(-lam, wanted["lambda [lam1 (length), lam2 (alignment)], M qdd + Phi_q^T lam = Q"])
    q = m.evaluate(seen.state, coordinates="point")
    x1, y1, x2, y2 = (q[name] for name in ("bead.x", "bead.y", "rod.tip.x", "rod.tip.y"))
    np.testing.assert_allclose(J, [[0, 0, 2 * x2, 2 * y2], [y2, -x2, -y1, x1]], atol=1e-12)
