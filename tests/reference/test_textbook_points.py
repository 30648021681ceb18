"""Point coordinates by the book's own functions: Nikravesh, Planar Multibody Dynamics, 2nd ed., chapter 10 and 13.1.

Every value of a case is answered; a value without an answer is a fault. What the engine can run it runs as well.
"""

import numpy as np
import pytest

import linkwork as lw
from linkwork.textbook import forms_of_motion as forms
from linkwork.textbook import point_coordinates as points
from linkwork.textbook import point_masses as masses
from reference.book import agrees, label, load


def answer_all(case, answers):
    """Compare every expected value with the answer of its quantity, or of quantity and place."""
    for entry in case["expected"]:
        key = entry["quantity"] if entry["quantity"] in answers else label(entry)
        assert key in answers, f"nothing answers {label(entry)}"
        agrees(answers[key], entry)


def test_force_on_an_a_arm():
    case = load("nik_10_4_force_distribution_aarm")
    at = case["model"]["body"]["points_on_axis"]
    A, Q = alpha = masses.force_shares([at["A"], at["Q"]], at["E"])
    answer_all(case, {"alpha_A": A, "alpha_Q": Q, "alpha_A, alpha_Q": alpha})


def test_slender_rod():
    case = load("nik_10_5_6_slender_rod_mass")
    rod, s = case["model"]["rod"], case["model"]["points_on_axis"]
    m, L = rod["mass"], rod["length"]
    three = masses.distributed(m, rod["inertia"], s)
    two = masses.condensed(three[:2], three[2])
    answer_all(case, {
        "m_i, m_j, m_o (fractions of m)": three / m,
        "condensed mass matrix times 6/m": two * 6 / m,
        "inertia of the classical half-half lumping, in m L^2": masses.inertia(masses.halves(m), s[:2]) / (m * L**2),
    })  # fmt: skip
    np.testing.assert_allclose(masses.rod(m, rod["inertia"], *s[:2]), two, rtol=1e-14)
    np.testing.assert_allclose(masses.rigid(np.diag(three), s), np.diag([m, m, rod["inertia"]]), atol=1e-15)


def test_symmetric_link():
    case = load("nik_10_7_link_mass_condensation")
    rod, at = case["model"]["rod"], case["model"]["points_on_axis"]
    three = masses.distributed(rod["mass"], rod["inertia"], [at["A"], at["B"], at["o"]])
    two = masses.condensed(three[:2], three[2])
    answer_all(case, {"m_A, m_B, m_o": three, "condensed mass matrix": two})
    np.testing.assert_allclose(masses.rigid(two, [at["A"], at["B"]]), np.diag([2, 2, 0.05]), atol=1e-15)


def slider_crank(case):
    """The model of example 10.1 with its links as two points each, and the particles that they come from."""
    d = case["model"]
    links, particles = [], []
    for link in d["links"]:
        if len(link["points"]) == 1:
            links.append((tuple(link["points"]), np.array([[link["mass"]]])))
            continue
        half = 0.5 * link["L"]
        three = masses.distributed(link["mass"], link["inertia"], [-half, half, 0.0])
        particles.append([three[0], three[2]])
        links.append((tuple(link["points"]), masses.condensed(three[:2], three[2])))
    held = [points.length(*c["points"], c["L"]) if c["type"] == "length" else points.simple("B", "y", c["value"])
            for c in d["constraints"]]  # fmt: skip
    model = points.PointModel(
        d["primary_points"], d["stationary_points"], links=tuple(links), constraints=tuple(held), gravity=d["gravity"]
    )
    return model, particles


def crank_speed(case, r, speed):
    """Velocities of A and B for a speed of the crank: those that keep the rods and the slide."""
    theta, phi, L1 = *case["analysis"]["state"].values(), case["model"]["links"][0]["L"]
    A = L1 * speed * np.array([-np.sin(theta), np.cos(theta)])
    return np.array([*A, A[0] + A[1] * np.tan(phi), 0.0])


def test_slider_crank():
    case = load("nik_10_slider_crank_points")
    model, particles = slider_crank(case)
    L1 = case["model"]["links"][0]["L"]
    r, still = model.r, np.zeros(4)
    moving = crank_speed(case, r, 2 * np.pi)
    np.testing.assert_allclose(points.jacobian(model, r) @ moving, 0.0, atol=1e-9)
    np.testing.assert_allclose(points.constraints(model, r), 0.0, atol=1e-9)
    off = r + [0.01, 0.0, 0.0, 0.02]  # half the squares of the lengths beyond L^2, and the height of B
    (xA, yA, xB, yB), L2 = off, case["model"]["links"][1]["L"]
    by_hand = [xA**2 + yA**2 - L1**2, (xB - xA) ** 2 + (yB - yA) ** 2 - L2**2, 2 * yB]
    np.testing.assert_allclose(points.constraints(model, off), np.array(by_hand) / 2, atol=1e-12)

    def turning(rd, rdd):  # theta1'' of the crank's end
        return (r[0] * rdd[1] - r[1] * rdd[0]) / L1**2

    rest, lam = points.accelerations(model, r, still)
    run, _ = points.accelerations(model, r, moving)
    answer_all(case, {
        "end-particle and centre-particle masses, link 1": particles[0],
        "same, link 2": particles[1],
        "mass matrix 4x4 (xA,yA,xB,yB)": points.mass_matrix(model),
        "accelerations at rest": rest,
        "multipliers at rest (OA, AB, yB)": lam,
        "theta1_ddot at rest": turning(still, rest),
        "accelerations with theta1_dot=2 pi, no driver": run,
        "theta1_ddot with theta1_dot=2 pi": turning(moving, run),
    })  # fmt: skip


def engine_slider_crank(case):
    """The same as bodies and joints; declared angles choose the branch."""
    theta, phi = case["analysis"]["state"].values()
    one, two, slider = case["model"]["links"]
    m = lw.Mechanism("slider-crank", gravity=case["model"]["gravity"])
    ends = {k: {"a": (-link["L"] / 2, 0), "b": (link["L"] / 2, 0)} for k, link in enumerate((one, two))}
    crank = m.add("crank", lw.Body(one["mass"], one["inertia"], points=ends[0], angle=theta))
    rod = m.add("rod", lw.Body(two["mass"], two["inertia"], points=ends[1], angle=phi))
    block = m.add("block", lw.Body(slider["mass"], 0.1))
    m.add("O", lw.Revolute(m.ground, crank.a))
    m.add("A", lw.Revolute(crank.b, rod.a))
    m.add("B", lw.Revolute(rod.b, block))
    m.add("guide", lw.Prismatic(m.ground, block))
    return m


@pytest.mark.parametrize("speed", [0.0, 2 * np.pi])
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_slider_crank_by_the_engine(speed, coordinates):
    case = load("nik_10_slider_crank_points")
    m, state = engine_slider_crank(case), case["analysis"]["state"]
    start = {"O.angle": state["theta1"], "O.angle.rate": speed}
    ev = m.evaluate(m.assemble(start=start, coordinates=coordinates).state, coordinates=coordinates)
    wanted = {e["quantity"]: e for e in case["expected"]}
    got = [ev[f"{p}.{c}.acceleration"] for p in ("crank.b", "rod.b") for c in "xy"]
    agrees(got, wanted["accelerations with theta1_dot=2 pi, no driver" if speed else "accelerations at rest"])
    turning = wanted["theta1_ddot with theta1_dot=2 pi" if speed else "theta1_ddot at rest"]
    agrees(ev["O.angle.acceleration"], turning)

    model, _ = slider_crank(case)
    rd = crank_speed(case, model.r, speed)
    rdd, lam = points.accelerations(model, model.r, rd)
    pins = points.pin_forces(model, model.r, rd, rdd, lam)  # link by link: pushes of the pins on it
    for joint, (link, point) in {"O": (0, "O"), "A": (1, "A"), "B": (1, "B")}.items():
        sign = -1.0 if joint == "B" else 1.0  # the reaction is that on `to`; of B this is the block
        reaction = [ev[f"{joint}.reaction.{c}"] for c in "xy"]
        np.testing.assert_allclose(
            sign * np.array(reaction), pins[link, point], atol=3e-7
        )  # printed digits of the start


def engine_three_particles(d, g):
    """The same as particles, rods and springs."""
    m = lw.Mechanism("three particles", gravity=(0.0, -g))
    for p in d["primary_points"]:
        m.add(p["id"], lw.Particle(p["mass"], position=p["r"]))
    ends = {p["id"]: m[p["id"]] for p in d["primary_points"]} | {"Q": m.ground.at(*d["stationary_points"]["Q"])}
    for c in d["constraints"]:
        m.add("".join(c["points"]), lw.Rod(*(ends[p] for p in c["points"]), length=c["L"]))
    for f in d["forces"]:
        ij = [ends[p] for p in f["points"]]
        m.add("spring " + "".join(f["points"]), lw.SpringDamper(*ij, stiffness=f["k"], rest_length=f["L0"]))
    return m


@pytest.mark.parametrize("g", [0.0, 9.81])
def test_three_particles(g):
    case = load("nik_p10_10_three_particles_two_springs")
    d = case["model"]
    model = points.PointModel(
        {p["id"]: p["r"] for p in d["primary_points"]},
        d["stationary_points"],
        links=tuple(((p["id"],), p["mass"]) for p in d["primary_points"]),
        constraints=tuple(points.length(*c["points"], c["L"]) for c in d["constraints"]),
        forces=tuple(points.spring(*f["points"], f["k"], f["L0"]) for f in d["forces"]),
        gravity=(0.0, -g),
    )
    still = np.zeros(6)
    rdd, lam = points.accelerations(model, model.r, still)
    if g:
        agrees(rdd, next(e for e in case["expected"] if e["quantity"] == "accelerations with g=9.81"))
        agrees(lam, next(e for e in case["expected"] if e["quantity"] == "multipliers, no gravity"))
    else:
        named = {e["quantity"] for e in case["expected"]} - {"accelerations with g=9.81"}
        answers = {
            "applied force array, no gravity": points.force_array(model, model.r, still),
            "Jacobian (AB, BC)": points.jacobian(model, model.r),
            "accelerations xA,yA,xB,yB,xC,yC, no gravity": rdd,
            "multipliers, no gravity": lam,
        }
        assert set(answers) == named
        answer_all({"expected": [e for e in case["expected"] if e["quantity"] in named]}, answers)

    m = engine_three_particles(d, g)
    for coordinates in ("body", "joint", "point"):
        ev = m.evaluate(coordinates=coordinates)
        got = [ev[f"{p}.{c}.acceleration"] for p in "ABC" for c in "xy"]
        np.testing.assert_allclose(got, rdd, rtol=1e-8)


def two_particles():
    case = load("nik_prob13_01_two_particles_spring")
    d = case["model"]
    model = points.PointModel(
        {"A": (d["x0"][0], 0.0), "B": (d["x0"][1], 0.0)},
        links=((("A",), d["m"][0]), (("B",), d["m"][1])),
        forces=(points.spring("A", "B", d["k"], d["L0"]),),
    )
    return case, d, model


def test_two_particles():
    case, d, model = two_particles()

    def slope(y):
        return np.r_[y[4:], points.accelerations(model, y[:4], y[4:])[0]]

    def rk4(step, end=5.0):
        y = np.r_[model.r, d["v0"][0], 0.0, d["v0"][1], 0.0]
        for _ in range(round(end / step)):
            k1 = slope(y)
            k2 = slope(y + step / 2 * k1)
            k3 = slope(y + step / 2 * k2)
            y = y + step / 6 * (k1 + 2 * k2 + 2 * k3 + slope(y + step * k3))
        return y[[0, 2, 4, 6]]

    (mA, mB), k, L0 = d["m"], d["k"], d["L0"]
    omega = np.sqrt(k * (1 / mA + 1 / mB))  # closed form: the centre goes on, the distance swings
    t, (xA, xB), (vA, vB) = 5.0, d["x0"], d["v0"]
    stretch, rate = xB - xA - L0, vB - vA
    d_t = L0 + stretch * np.cos(omega * t) + rate / omega * np.sin(omega * t)
    d_rate = -omega * stretch * np.sin(omega * t) + rate * np.cos(omega * t)
    mid, speed = (mA * xA + mB * xB) / (mA + mB), (mA * vA + mB * vB) / (mA + mB)
    exact = np.array([mid + speed * t - mB / (mA + mB) * d_t, mid + speed * t + mA / (mA + mB) * d_t,
                      speed - mB / (mA + mB) * d_rate, speed + mA / (mA + mB) * d_rate])  # fmt: skip
    np.testing.assert_allclose(rk4(0.002), exact, atol=1e-9)
    answer_all(case, {
        "[x1,x2,v1,v2]": exact,
        "same, RK4 dt=0.1": rk4(0.1),
        "same, RK4 dt=0.2": rk4(0.2),
        "omega": omega,
    })  # fmt: skip


def engine_two_particles(d):
    """The same as particles and a spring."""
    m = lw.Mechanism("two particles", gravity=None)
    for name, mass, x, v in zip("AB", d["m"], d["x0"], d["v0"]):
        m.add(name, lw.Particle(mass, position=(x, 0), velocity=(v, 0)))
    m.add("spring", lw.SpringDamper(m["A"], m["B"], stiffness=d["k"], rest_length=d["L0"]))
    return m


@pytest.mark.filterwarnings("ignore::linkwork.errors.RunQualityWarning")  # steps as long as the problem asks for
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize(("entry", "options"), [(0, {"rtol": 1e-10}), (1, {"step": 0.1}), (2, {"step": 0.2})])
def test_two_particles_by_the_engine(entry, options, coordinates):
    case, d, _ = two_particles()
    m = engine_two_particles(d)
    method = "rk4" if "step" in options else "dop853"
    run = m.simulate([0.0, case["analysis"]["t_end"]], coordinates=coordinates, method=method, **options)
    agrees([run[name][-1] for name in ("A.x", "B.x", "A.x.rate", "B.x.rate")], case["expected"][entry])


# García de Jalón and Bayo, examples 4.2 to 4.5: one system in four forms


def bead(case):
    """M, Q, Phi_q, c and the start of the mass that slides on a rod, in natural coordinates x1, y1, x2, y2."""
    d, start = case["model"], case["analysis"]["initial"]
    M = np.diag([d["m1"], d["m1"], d["m2"], d["m2"]])
    Q = np.array([0.0, -d["m1"], 0.0, -d["m2"]]) * d["g"]

    def Phi_q(q):
        x1, y1, x2, y2 = q
        return np.array([[0, 0, 2 * x2, 2 * y2], [y2, -x2, -y1, x1]])

    def c(qd):
        x1, y1, x2, y2 = qd
        return np.array([-2 * (x2**2 + y2**2), -2 * (x1 * y2 - x2 * y1)])

    def natural(z, zd):
        """q, q', dq/dz and its rate times z' for slide and angle."""
        (s, phi), (sd, w), L = z, zd, d["L"]
        u, n = np.array([np.cos(phi), np.sin(phi)]), np.array([-np.sin(phi), np.cos(phi)])
        R = np.column_stack([np.r_[u, 0, 0], np.r_[s * n, L * n]])
        return np.r_[s * u, L * u], R @ zd, R, np.r_[2 * sd * w * n - s * w**2 * u, -L * w**2 * u]

    return M, Q, Phi_q, c, natural, np.array(start["q"]), np.array(start["qd"])


def rk4_to(slope, y, end, steps=300):
    """The classical method; 300 steps have errors of 1e-12 here."""
    h = end / steps
    for _ in range(steps):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(y + h * k3))
    return y


def test_bead_in_four_forms():
    case = load("spatial_gdj_ex4_2_bead_on_rod")
    M, Q, Phi_q, c, natural, z, zd = bead(case)
    q, qd, R, bias = natural(z, zd)

    def independent(y):
        _, _, R, bias = natural(y[:2], y[2:])
        return np.r_[y[2:], forms.projected(M, Q, R, bias)]

    def by_multipliers(y):
        return np.r_[y[4:], forms.multipliers(M, Q, Phi_q(y[:4]), c(y[4:]))[0]]

    def by_null_space(y):
        return np.r_[y[4:], forms.independent_velocities(M, Q, Phi_q(y[:4]), c(y[4:]))[1]]

    def canonical(y):
        right = lambda qd: (Q, c(qd), np.zeros(4))
        return np.concatenate(forms.canonical(M, y[4:], Phi_q(y[:4]), np.zeros(2), right)[:2])

    def slide_and_angle(q, qd):
        x1, y1, x2, y2 = q
        s, L2 = np.hypot(x1, y1), x2**2 + y2**2
        return np.array([s, np.arctan2(y2, x2), (x1 * qd[0] + y1 * qd[1]) / s, (x2 * qd[3] - y2 * qd[2]) / L2])

    qdd, lam = forms.multipliers(M, Q, Phi_q(q), c(qd))
    zdd = forms.projected(M, Q, R, bias)
    d = case["model"]
    energy = forms.hamiltonian(M, M @ qd, -Q @ q)
    answers = {
        "qdd [q1,q2] (independent coordinates)": zdd,
        "xdd [x1,y1,x2,y2] (natural coordinates)": qdd,
        "lambda [lam1 (length), lam2 (alignment)], M qdd + Phi_q^T lam = Q": lam,
        "canonical momenta [p1,p2]": R.T @ M @ R @ zd,
        "total energy T+V": energy,
    }
    np.testing.assert_allclose(R @ zdd + bias, qdd, atol=1e-13)
    np.testing.assert_allclose(Phi_q(q) @ qd, 0.0, atol=1e-15)
    for B in (None, [[0, 0, 0, 1], [1, 0, 0, 0]], [[0, 0, 1, 0], [0, 1, 0, 0]]):
        got = forms.independent_velocities(M, Q, Phi_q(q), c(qd), B)[1]
        np.testing.assert_allclose(got, qdd, atol=1e-13)
        np.testing.assert_allclose(forms.reactions(M, Q, Phi_q(q), got), lam, rtol=1e-12)
    for t in (0.1, 0.2, 0.3):
        ends = {
            "independent": rk4_to(independent, np.r_[z, zd], t),
            "multipliers": slide_and_angle(*np.split(rk4_to(by_multipliers, np.r_[q, qd], t), 2)),
            "null space": slide_and_angle(*np.split(rk4_to(by_null_space, np.r_[q, qd], t), 2)),
        }
        y = rk4_to(canonical, np.r_[q, M @ qd], t)
        ends["canonical"] = slide_and_angle(y[:4], np.linalg.solve(M, y[4:]))
        for name, end in ends.items():
            np.testing.assert_allclose(end, ends["independent"], atol=1e-10, err_msg=name)
        answers[f"[q1,q2,q1d,q2d] @ t={t}"] = ends["independent"]
        assert forms.hamiltonian(M, y[4:], -Q @ y[:4]) == pytest.approx(energy, abs=1e-10)
        assert d["L"] ** 2 == pytest.approx(y[2] ** 2 + y[3] ** 2, abs=1e-10)
    answer_all(case, answers)
