"""Points and vectors instead of bodies: derivatives, energies, rigid motions, and the engine's motion."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates import SETS
from linkwork.errors import DescriptionError, SingularConfigurationError
from linkwork.textbook import elimination
from linkwork.textbook import forms_of_motion as forms
from linkwork.textbook import natural_constraints as held
from linkwork.textbook import natural_elements as natural
from linkwork.textbook import natural_forces as loads
from linkwork.textbook import point_coordinates as points
from linkwork.textbook import point_masses as masses
from linkwork.textbook import spatial_rotation as rot

SEEDS = range(4)


def difference(f, x, step=1e-6):
    """Central differences of f by each number of x, as columns."""
    columns = [(f(x + step * e) - f(x - step * e)) / (2 * step) for e in np.eye(len(x))]
    return np.stack(columns, axis=-1)


# masses on points


@pytest.mark.parametrize("seed", SEEDS)
def test_particles_move_as_the_body_does(seed):
    random = np.random.default_rng(seed)
    m, J = random.uniform(0.5, 2.0), random.uniform(0.01, 3.0)  # often more than the points give: negative masses
    wanted = np.diag([m, m, J])
    s = random.normal(size=(4, 2))
    np.testing.assert_allclose(masses.rigid(np.diag(masses.distributed(m, J, s)), s), wanted, atol=1e-11)
    np.testing.assert_allclose(masses.rigid(masses.plate(m, J, s[:3]), s[:3]), wanted, atol=1e-10)
    on_rod = random.normal(size=3)
    np.testing.assert_allclose(masses.rigid(np.diag(masses.distributed(m, J, on_rod)), on_rod), wanted, atol=1e-10)
    np.testing.assert_allclose(masses.rigid(masses.rod(m, J, *on_rod[:2]), on_rod[:2]), wanted, atol=1e-10)
    three = masses.distributed(m, J, [*on_rod[:2], 0.0])
    np.testing.assert_allclose(masses.condensed(three[:2], three[2]), masses.rod(m, J, *on_rod[:2]), atol=1e-10)
    # (10.56): j in the mass centre, the particle o beyond it condensed
    m_i, m_j, m_o = masses.distributed(m, J, [on_rod[0], 0.0, -0.7 * on_rod[0]])
    np.testing.assert_allclose(masses.condensed_beside(m_i, m_j, m_o), masses.rod(m, J, on_rod[0], 0.0), atol=1e-10)


def test_some_masses_are_negative():
    assert masses.distributed(1.0, 1.0, [0.5, -0.5, 0.0])[2] == pytest.approx(-3.0)


def test_lumping_keeps_the_centre_only():
    two = masses.halves(3.0)
    np.testing.assert_allclose(masses.rigid(np.diag(two), [0.5, -0.5]), np.diag([3.0, 3.0, 0.75]), atol=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_forces_and_torques_on_points(seed):
    random = np.random.default_rng(seed)
    s, at, T = random.normal(size=(3, 2)), random.normal(size=2), random.normal()
    alpha = masses.force_shares(s, at)
    assert alpha.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(alpha @ s, at, atol=1e-12)
    first, second = masses.torque_couple(T, s[0], s[1])
    np.testing.assert_allclose(first + second, 0.0)
    moment = s[0, 0] * first[1] - s[0, 1] * first[0] + s[1, 0] * second[1] - s[1, 1] * second[0]
    assert moment == pytest.approx(T)
    np.testing.assert_allclose(loads.torque_plane(s[0], s[1], T), np.r_[first, second], atol=1e-14)


def test_points_that_do_not_do():
    with pytest.raises(DescriptionError, match="cannot be told by these points"):
        masses.distributed(1.0, 0.1, [[1, 0], [0, 1], [-1, 0], [0, -1]])  # on a circle about the mass centre
    with pytest.raises(DescriptionError, match="wrong number of points"):
        masses.distributed(1.0, 0.1, [0.5, -0.5])
    with pytest.raises(DescriptionError, match="cannot be told"):
        masses.force_shares([[0, 0], [1, 1], [2, 2]], [1, 0])
    with pytest.raises(DescriptionError, match="no mass on the points"):
        masses.condensed([1.0, -1.0], 2.0)


# Nikravesh's constraints


def places(r):
    return lambda point: np.asarray(r[2 * point : 2 * point + 2])


CONSTRAINTS = {
    "length": points.length(0, 1, 1.3),
    "normal": points.normal(0, 1, 2),
    "in line": points.parallel(0, 1, 2),
    "parallel": points.parallel(0, 1, 2, 3),
    "angle": points.angle(0, 1, 2, 1.1, 0.8, 0.6),
    "simple": points.simple(2, "y", 0.4),
}


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_derivatives_of_constraints(kind):
    one, random = CONSTRAINTS[kind], np.random.default_rng(len(kind))
    model = points.PointModel({k: random.normal(size=2) for k in range(4)}, constraints=(one,))
    r, rd = model.r, random.normal(size=8)
    np.testing.assert_allclose(points.jacobian(model, r)[0], difference(lambda x: one.value(places(x)), r), atol=1e-8)
    along = difference(lambda s: points.jacobian(model, r + s[0] * rd)[0] @ rd, np.zeros(1))[0]
    assert points.gamma(model, rd)[0] == pytest.approx(-along, abs=1e-8)


def test_an_angle_of_zero_holds_nothing():  # problem 10.4: parallel instead
    r = np.array([2.0, 0.0, 0.0, 0.0, 1.0, 0.0])
    model = points.PointModel(
        {k: r[2 * k : 2 * k + 2] for k in range(3)},
        constraints=(points.length(0, 1, 2.0), points.length(2, 1, 1.0), points.angle(0, 1, 2, 2.0, 1.0, 0.0)),
    )
    assert np.linalg.matrix_rank(points.jacobian(model, r)) == 2
    lined = points.PointModel(model.primary, constraints=(*model.constraints[:2], points.parallel(1, 0, 2)))
    assert np.linalg.matrix_rank(points.jacobian(lined, r)) == 3


def test_three_lengths_in_line_depend():  # problem 10.8
    model = points.PointModel(
        {0: (0.0, 0.0), 1: (1.0, 0.0), 2: (2.0, 0.0)},
        constraints=(points.length(0, 1, 1.0), points.length(1, 2, 1.0), points.length(0, 2, 2.0)),
    )
    np.testing.assert_array_equal(elimination.redundant_rows(points.jacobian(model, model.r)), [2])


@pytest.mark.parametrize("seed", SEEDS)
def test_secondary_points(seed):
    random = np.random.default_rng(seed)
    A, B, C, P = random.normal(size=(4, 2))
    L = np.linalg.norm(B - A)
    a, b = points.along_and_beside(A, B, P)
    first, second = points.off_line(a, b, L)
    np.testing.assert_allclose(first @ A + second @ B, P, atol=1e-12)
    one, other = points.on_line(a, L)
    np.testing.assert_allclose(one * A + other * B, A + a * (B - A) / L, atol=1e-12)
    share = points.shares(A, B, C, P)
    np.testing.assert_allclose(share @ [A, B, C], P, atol=1e-10)
    L_CA = np.linalg.norm(C - A)
    np.testing.assert_allclose(points.of_three(share[1] * L, share[2] * L_CA, L, L_CA), share, atol=1e-12)
    model = points.PointModel(
        {"A": A, "B": B}, {"O": (0, 0)}, {"P": {"A": first, "B": second}, "Q": {"P": 0.5, "O": 0.5}}
    )
    np.testing.assert_allclose(model.place(model.r)("Q"), 0.5 * P, atol=1e-12)
    v = random.normal(size=4)
    np.testing.assert_allclose(model.velocity(v)("Q"), 0.5 * (first @ v[:2] + second @ v[2:]), atol=1e-12)
    with pytest.raises(DescriptionError, match="Point 'X' is not known"):
        model.N("X")


def test_pins_at_one_point():
    forces = {"a": np.array([1.0, 2.0]), "b": np.array([-4.0, 1.0]), "c": np.array([2.0, 2.0])}
    first, second, third = points.peeled(forces, [("ground", "a"), ("a", "b"), ("c", "a")])
    np.testing.assert_allclose(second, forces["b"])  # b hangs on a alone
    np.testing.assert_allclose(third, -forces["c"])  # the push of c's pin on a
    np.testing.assert_allclose(first, forces["a"] + forces["b"] + forces["c"])
    with pytest.raises(DescriptionError, match="form a ring"):
        points.peeled(forces, [("a", "b"), ("b", "c"), ("c", "a")])


# elements of space


def random_body(random):
    """Mass, mass centre and tensor of inertia of a cloud of masses, and the cloud."""
    at, m = random.normal(size=(12, 3)), random.uniform(0.1, 1.0, 12)
    G = m @ at / m.sum()
    s = at - G
    tensor = sum(mk * ((sk @ sk) * np.eye(3) - np.outer(sk, sk)) for mk, sk in zip(m, s))
    return m, at, m.sum(), G, tensor


@pytest.mark.parametrize("seed", SEEDS)
def test_elements_have_the_kinetic_energy_of_their_particles(seed):
    random = np.random.default_rng(seed)
    parts, at, m, G, tensor = random_body(random)
    i, j, k, l = random.normal(size=(4, 3))
    u, w, v_o, R = *random.normal(size=(3, 3)), rot.A(rot.axis_angle_parameters(np.eye(3)[2], 0.7))
    u = u / np.linalg.norm(u)
    T = 0.5 * sum(p * np.sum((v_o + np.cross(w, R @ a)) ** 2) for p, a in zip(parts, at))
    J_i = natural.second_moments_about(natural.second_moments(tensor), m, G - i)
    by_sum = sum(p * np.outer(a - i, a - i) for p, a in zip(parts, at))
    np.testing.assert_allclose(J_i, by_sum, atol=1e-12)
    np.testing.assert_allclose(natural.inertia_tensor(natural.second_moments(tensor)), tensor, atol=1e-12)

    def M4(u, v):
        X_bar = natural.X(i, j, u, v)
        return natural.M4(m, natural.c(X_bar, G - i), natural.Z(X_bar, J_i))

    def rates(places, vectors):
        return np.concatenate([v_o + np.cross(w, R @ a) for a in places] + [np.cross(w, R @ a) for a in vectors])

    def unit(a):
        return a / np.linalg.norm(a)

    other = unit(random.normal(size=3))
    L_jk, L_ik, L_jl = (np.linalg.norm(b - a) for a, b in ((j, k), (i, k), (j, l)))
    three = natural.congruent(M4(u, (k - j) / L_jk), natural.V_three_points(L_jk))
    four = natural.congruent(M4((k - i) / L_ik, (l - j) / L_jl), natural.V_four_points(L_ik, L_jl))
    for M, qd in (
        (M4(u, other), rates((i, j), (u, other))),
        (three, rates((i, j, k), (u,))),
        (four, rates((i, j, k, l), ())),
    ):
        assert natural.kinetic_energy(masses.expanded(M, 3), qd) == pytest.approx(T, rel=1e-10)
    c = natural.factor(i, j, u)
    M = M4(u, c * np.cross(i - j, u))
    q = np.concatenate([v_o + R @ i, v_o + R @ j, R @ u])
    assert natural.kinetic_energy(natural.M_one_vector(M, q, c), rates((i, j), (u,))) == pytest.approx(T, rel=1e-10)


def test_velocity_term_of_one_vector():
    """h = M. q' - T_q: d/dt of the momentum without the part that the coordinates themselves have."""
    random = np.random.default_rng(5)
    q, qd, c = random.normal(size=9), random.normal(size=9), 1.7
    B = random.normal(size=(4, 4))
    M4 = B @ B.T

    def M(x):
        return natural.M_one_vector(M4, x, c)

    M_rate = difference(lambda s: M(q + s[0] * qd), np.zeros(1))[..., 0]
    T_q = difference(lambda x: 0.5 * qd @ M(x) @ qd, q)
    np.testing.assert_allclose(natural.h_one_vector(M4, q, qd, c), M_rate @ qd - T_q, atol=1e-7)


def test_bar_of_uneven_mass():
    cuts, L = np.linspace(0, 2.0, 4001), 2.0
    s = (cuts[1:] + cuts[:-1]) / 2
    rho = (1.0 + s) * np.diff(cuts)
    shares = np.stack([1 - s / L, s / L])
    m = rho.sum()
    np.testing.assert_allclose(natural.bar(m, L, rho @ s / m, rho @ s**2), shares * rho @ shares.T, rtol=1e-9)


@pytest.mark.parametrize(
    ("shares", "rows"),
    [(held.TWO_POINTS, 1), (held.TWO_POINTS_ONE_VECTOR, 3), (held.TWO_POINTS_TWO_VECTORS, 6),
     (held.THREE_POINTS_ONE_VECTOR, 6), (held.FOUR_POINTS, 6)],
)  # fmt: skip
def test_rows_of_rigid_elements(shares, rows):
    random = np.random.default_rng(rows)
    q, qd = random.normal(size=(2, 3 * len(shares[0])))
    found = held.rigid(shares, np.asarray(shares) @ q.reshape(-1, 3))
    assert len(found) == rows
    np.testing.assert_allclose(held.values(found, q), 0.0, atol=1e-14)
    J = held.jacobian(found, q)
    np.testing.assert_allclose(J, difference(lambda x: held.values(found, x), q), atol=1e-8)
    along = difference(lambda s: held.jacobian(found, q + s[0] * qd) @ qd, np.zeros(1))[:, 0]
    np.testing.assert_allclose(held.right_side(found, qd), -along, atol=1e-8)
    w, pieces = random.normal(size=3), q.reshape(-1, 3)  # turning about the origin is free
    np.testing.assert_allclose(J @ np.cross(w, pieces).ravel(), 0.0, atol=1e-13)


@pytest.mark.parametrize("psi", [0.0, 0.3, 1.5, 2.4, np.pi, -1.2])
def test_mixed_coordinates(psi):
    random = np.random.default_rng(9)
    i, j = random.normal(size=(2, 2))
    a = j - i
    k = j + 1.4 * np.array([[np.cos(psi), -np.sin(psi)], [np.sin(psi), np.cos(psi)]]) @ a / np.linalg.norm(a)
    lengths = np.linalg.norm(a), 1.4
    assert np.cos(loads.angle(i, j, k) - psi) == pytest.approx(1.0)
    x, xd = np.r_[i, j, k, psi], random.normal(size=7)

    def row(x, xd):
        return held.angle_row(x[:2], x[2:4], x[4:6], x[6], xd[:2], xd[2:4], xd[4:6], xd[6], *lengths)

    assert row(x, xd)[0] == pytest.approx(0.0, abs=1e-14)
    np.testing.assert_allclose(row(x, xd)[1], difference(lambda y: np.array(row(y, xd)[0]), x), atol=1e-8)
    assert abs(row(x, xd)[1][6]) > 0.7 * np.prod(lengths)  # never without a derivative by psi
    along = difference(lambda s: np.array(row(x + s[0] * xd, xd)[1] @ xd), np.zeros(1))[0]
    assert row(x, xd)[2] == pytest.approx(-along, abs=1e-7)

    def distance(y, yd):
        return held.distance_row(y[:2], y[2:4], y[4], yd[:2], yd[2:4], yd[4])

    y, yd = np.r_[i, j, lengths[0]], xd[:5]
    assert distance(y, yd)[0] == pytest.approx(0.0, abs=1e-14)
    np.testing.assert_allclose(distance(y, yd)[1], difference(lambda z: np.array(distance(z, yd)[0]), y), atol=1e-8)
    along = difference(lambda s: np.array(distance(y + s[0] * yd, yd)[1] @ yd), np.zeros(1))[0]
    assert distance(y, yd)[2] == pytest.approx(-along, abs=1e-7)


def test_turns_are_counted():
    n, before = 0, 0.0
    for way in np.arange(0.0, 40.0, 0.5):
        psi = (way + np.pi) % (2 * np.pi) - np.pi
        n, before = loads.turns(before, psi, n), psi
        assert psi + 2 * np.pi * n == pytest.approx(way)


@pytest.mark.parametrize("along", [False, True])
def test_power_of_a_torque(along):
    """Q'q' is the power in every rigid motion, also where the torque lies along the two points."""
    random = np.random.default_rng(3)
    i, j, u, v, w, v_o = random.normal(size=(6, 3))
    M = 1.7 * (j - i) if along else random.normal(size=3)
    Q = loads.torque(natural.X(i, j, u, v), i, j, M)
    qd = np.concatenate([v_o + np.cross(w, i), v_o + np.cross(w, j), np.cross(w, u), np.cross(w, v)])
    assert Q @ qd == pytest.approx(M @ w)
    np.testing.assert_array_equal(loads.torque(natural.X(i, j, u, v), i, j, np.zeros(3)), 0.0)


def test_flat_elements_are_refused():
    with pytest.raises(DescriptionError, match="in one plane"):
        natural.X((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0))
    with pytest.raises(DescriptionError, match="not that of masses at these points"):
        natural.masses_plane([(0, 0), (1, 0)], natural.M_plane(1.0, (0.2, 0.3), 0.5, 1.0), 1.0)


# the engine's motion of the same body


def pendulum_of_space(seed):
    """A body on a ball joint in random motion: by two points and two vectors, and as a mechanism."""
    random = np.random.default_rng(seed)
    _, _, m, G, tensor = random_body(random)
    i, j, u, v, w, g, T = random.normal(size=(7, 3))
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    p = random.normal(size=4)
    p = p / np.linalg.norm(p)
    R = rot.A(p)
    X_bar = natural.X(i, j, u, v)
    a = natural.c(X_bar, G - i)
    J = natural.second_moments_about(natural.second_moments(tensor), m, G - i)
    M = masses.expanded(natural.M4(m, a, natural.Z(X_bar, J)), 3)
    s = [R @ one for one in (i, j, u, v)]
    pin = s[0].copy()
    s[1], s[0] = s[1] - pin, np.zeros(3)  # point i in the origin of the world
    q, qd = np.concatenate(s), np.concatenate([np.cross(w, one) for one in s])
    rows = held.rigid(held.TWO_POINTS_TWO_VECTORS, (j - i, u, v))
    Phi_q = np.vstack([held.jacobian(rows, q), np.eye(12)[:3]])
    c = np.r_[held.right_side(rows, qd), np.zeros(3)]
    Q = loads.weight(m, natural.C(a), g) + loads.torque(natural.X(*s), s[0], s[1], T)

    mech = lw.Mechanism("pendulum of space", dimension=3, gravity=g)
    body = mech.add("body", lw.Body(m, tensor, center=G, orientation=p, position=-pin, angular_velocity=R.T @ w,
                                    velocity=-np.cross(w, pin), points={"i": i, "j": j}))  # fmt: skip
    mech.add("ball", lw.Spherical(mech.ground, body.i))
    along = mech.ground.at(0, 0, 0, axis=T)
    mech.add("torque", lw.Torque(body, np.linalg.norm(T), on=along, axes="world"))
    return M, Q, Phi_q, c, q, qd, mech


@pytest.mark.parametrize("seed", SEEDS)
def test_four_forms_and_the_engine(seed):
    M, Q, Phi_q, c, q, qd, mech = pendulum_of_space(seed)
    qdd, lam = forms.multipliers(M, Q, Phi_q, c)
    _, free = forms.independent_velocities(M, Q, Phi_q, c)
    pieces = q.reshape(-1, 3)  # independent coordinates: turning, q' = R w and R. w
    w = np.linalg.lstsq(np.vstack([-rot.skew(s) for s in pieces]), qd, rcond=None)[0]
    R = np.vstack([-rot.skew(s) for s in pieces])
    bias = np.cross(w, np.cross(w, pieces)).ravel()
    wd = forms.projected(M, Q, R, bias)
    rates, pd, of_canonical = forms.canonical(M, M @ qd, Phi_q, np.zeros(9), lambda _: (Q, c, np.zeros(12)))
    for got in (free, R @ wd + bias, np.linalg.solve(M, pd)):
        np.testing.assert_allclose(got, qdd, atol=1e-8 * np.abs(qdd).max())
    np.testing.assert_allclose(rates, qd, atol=1e-10)
    np.testing.assert_allclose(of_canonical, lam, rtol=1e-6, atol=1e-8 * np.abs(lam).max())
    for coordinates in SETS:
        ev = mech.evaluate(coordinates=coordinates)
        end = [ev[f"body.j.{x}.acceleration"] for x in "xyz"]
        np.testing.assert_allclose(end, qdd[3:6], atol=1e-8 * np.abs(qdd).max())
        reaction = [ev[f"ball.reaction.{x}"] for x in "xyz"]
        np.testing.assert_allclose(reaction, -lam[6:], atol=1e-8 * np.abs(lam).max())


def test_momenta_that_drifted():
    """sigma takes what leads out of the constraints; without drift it is nothing."""
    M, _, Phi_q, _, _, qd, _ = pendulum_of_space(1)
    again, sigma = forms.velocities_of_momenta(M, M @ qd + Phi_q.T @ np.arange(9.0), Phi_q, np.zeros(9))
    np.testing.assert_allclose(again, qd, atol=1e-9)
    np.testing.assert_allclose(sigma, np.arange(9.0), atol=1e-7)


def test_what_the_forms_refuse():
    M, Phi_q = np.eye(3), np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    with pytest.raises(SingularConfigurationError, match="no solution of their own"):
        forms.multipliers(M, np.ones(3), Phi_q, np.zeros(2))
    assert forms.null_space(Phi_q).shape == (3, 2)  # dependent rows leave two directions
    with pytest.raises(SingularConfigurationError, match="do not tell all others"):
        forms.R_and_S(Phi_q[:1], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    with pytest.raises(SingularConfigurationError, match="2 of them and 2 rows for 3"):
        forms.independent_velocities(M, np.ones(3), Phi_q, np.zeros(2))
