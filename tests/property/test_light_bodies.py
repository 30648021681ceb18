"""Bodies that are light beside others move as they must, however light: plane and space, every set, against exact
elimination of the equations in fractions, against closed forms, and in the limit of no mass at all."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import linkwork as lw
from linkwork.coordinates import system_of
from linkwork.errors import CompileError
from linkwork.kernels import layout as at
from property.draws import examples
from property.redundant import Drawing, X, Y, Z
from property.space_plans import space_plans

RATIOS = [1.0, 1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-15, 1e-18]
SEEDS = st.integers(0, 2**32 - 1)


def exactly(matrix, right):
    """Solution of linear equations by elimination in fractions: no rounding at all."""
    rows = [[Fraction(float(one)) for one in (*row, b)] for row, b in zip(matrix, right, strict=True)]
    n = len(rows)
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(k + 1, n):
            if rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * b if b else a for a, b in zip(rows[i], rows[k], strict=True)]
    found = [Fraction(0)] * n
    for k in reversed(range(n)):
        found[k] = (rows[k][n] - sum(rows[k][j] * found[j] for j in range(k + 1, n))) / rows[k][k]
    return np.array([float(one) for one in found])


def exact_motion(state):
    """Accelerations and multipliers of the held rows: those of the kernels, and  M a - J' lam = h,  J a = gamma."""
    model = state.model
    system = system_of(model, "body", state.values, state.held, state.memory)
    system.derivative(state.t, state.y)
    rows, n = np.flatnonzero(system.held), model.n_v
    mass, applied = (system.view(key)[1:].ravel() for key in (at.P_MASS, at.W_APPLIED))
    J = system.jacobian()[rows]
    K = np.block([[np.diag(mass), -J.T], [J, np.zeros((len(rows), len(rows)))]])
    found = exactly(K, np.concatenate([applied, system.gamma[rows]]))
    return (system.acceleration, found[:n]), (system.multipliers[rows], found[n:])


def close(got, wanted, tolerance):
    return np.abs(got - wanted).max(initial=0.0) <= tolerance * np.abs(wanted).max(initial=0.0)


def chain(masses, inertias=None, closed=False, angles=(0.4, -0.5, 0.3, 0.7)):
    """Bars of 1 m, pinned one to the next, some way of swinging; closed by a pin at the end."""
    m = lw.Mechanism("chain")
    on, x, y = m.ground.at(0, 0), 0.0, 0.0
    for k, mass in enumerate(masses):
        a = angles[k % len(angles)]
        inertia = mass / 12 if inertias is None else inertias[k]
        bar = m.add(f"bar{k}", lw.Body(mass, inertia, position=(x + 0.5 * math.cos(a), y + 0.5 * math.sin(a)), angle=a,
                                       angular_velocity=1.0 + k, points={"a": (-0.5, 0), "b": (0.5, 0)}))  # fmt: skip
        m.add(f"J{k}", lw.Revolute(on, bar.a))
        on, x, y = bar.b, x + math.cos(a), y + math.sin(a)
    if closed:
        m.add("C", lw.Revolute(on, m.ground.at(x, y)))
    return m


PLANAR = {
    "at the end": lambda r: chain((1, r)),
    "at the root": lambda r: chain((r, 1)),
    "both": lambda r: chain((r, 1, r)),
    "in turns": lambda r: chain((1, r, 1, r, 1)),
    "string": lambda r: chain((r, r, r, 1)),
    "ever lighter": lambda r: chain((1, r**0.33, r**0.66, r)),
    "ever heavier": lambda r: chain((r, r**0.66, r**0.33, 1)),
    "squares": lambda r: chain((1, r, r**1.1, r)),
    "inertia at the end": lambda r: chain((1, 1), (0.1, 0.1 * r)),
    "inertia at the root": lambda r: chain((1, 1), (0.1 * r, 0.1)),
    "mass without inertia": lambda r: chain((1, r), (0.1, 0)),
    "beside no mass": lambda r: chain((1, 0, 1, r), (0.1, 0, 0.1, r / 12)),
    "on no mass": lambda r: chain((1, 0, r), (0.1, 0, r / 12)),
    "coupler": lambda r: chain((1, r, 1), closed=True),
    "cranks": lambda r: chain((r, 1, r), closed=True),
    "rocker": lambda r: chain((1, 1, r), closed=True),
    "string in a loop": lambda r: chain((r, r, r, 1), closed=True),
    "in turns in a loop": lambda r: chain((1, r, 1, r, 1), closed=True),
}


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("name", PLANAR)
def test_planar_accelerations_and_forces_are_exact(name, ratio):
    state = PLANAR[name](ratio).assemble(coordinates="body").state
    (a, wanted_a), (lam, wanted_lam) = exact_motion(state)
    scale = np.abs(wanted_a).max()
    assert np.abs(a - wanted_a).max() <= 1e-11 * scale
    for k in range(0, len(lam), 2):  # each pin against its own force, which may be that of a light bar
        assert close(lam[k : k + 2], wanted_lam[k : k + 2], 1e-10)


@pytest.mark.parametrize("ratio", RATIOS)
@pytest.mark.parametrize("name", PLANAR)
def test_planar_sets_agree(name, ratio):
    """Where light bars carry heavy ones joint coordinates may lose digits: then they say so, and `auto` leaves them."""
    m = PLANAR[name](ratio)
    state = m.assemble(coordinates="body").state
    body = m.simulate([0.0, 1e-3], start=state, coordinates="body")
    try:
        joint = m.simulate([0.0, 1e-3], start=state, coordinates="joint")
    except CompileError as error:
        assert "inertia" in str(error) or ("light bodies" in str(error) and ratio < 1e-6)
        assert m.simulate([0.0, 1e-3], start=state, coordinates="auto").coordinates == "body"
        return
    found, wanted = (np.array([run[f"{one}.angle.acceleration"] for one in m.bodies]) for run in (joint, body))
    assert close(found, wanted, 1e-7)


def double_pendulum(ratio, t):
    """Angles of two uniform bars of 1 m from the vertical, mass 1 and `ratio`, let go level; equations of Lagrange."""

    def slope(_, y):
        a, b, va, vb = y
        c, s = math.cos(a - b), math.sin(a - b)
        # the second row is divided by the mass of the second bar
        M = np.array([[1 / 3 + ratio, ratio * c / 2], [c / 2, 1 / 3]])
        h = [-(0.5 + ratio) * 9.81 * math.sin(a) - ratio * s * vb**2 / 2, -0.5 * 9.81 * math.sin(b) + s * va**2 / 2]
        return [va, vb, *np.linalg.solve(M, h)]

    start = [math.pi / 2, math.pi / 2, 0.0, 0.0]
    return solve_ivp(slope, (0.0, t), start, method="DOP853", rtol=1e-12, atol=1e-12).y[:2, -1]


@pytest.mark.parametrize("rtol", [1e-5, 1e-8, 1e-11])
@pytest.mark.parametrize("ratio", RATIOS)
def test_double_pendulum_with_a_light_second_bar(ratio, rtol):
    m = chain((1.0, ratio), angles=(0.0, 0.0))
    wanted = double_pendulum(ratio, 1.0) - math.pi / 2
    for coordinates in ("body", "joint", "auto"):
        run = m.simulate([0.0, 1.0], start={"J0.angle.rate": 0.0, "J1.angle.rate": 0.0}, coordinates=coordinates,
                         rtol=rtol)  # fmt: skip
        got = [run["bar0.angle"][-1], run["bar1.angle"][-1]]
        assert got == pytest.approx(wanted, abs=1e4 * rtol)


@pytest.mark.parametrize("name", ["coupler", "cranks", "at the root", "in turns"])
def test_motion_goes_over_into_that_without_mass(name):
    """Held light bodies act ever less; what is left of them is of the order of their mass."""

    def at_end(ratio):
        m = PLANAR[name](ratio)
        start = {"bar0.angle.rate": 1.0}
        run = m.simulate([0.0, 0.5], start=start, coordinates="body", rtol=1e-11)
        heavy = [one for one, body in m.bodies.items() if body.mass == 1.0]
        return np.array([run[f"{one}.angle"][-1] for one in heavy])

    limit = at_end(0.0)
    for ratio in (1e-4, 1e-6, 1e-8, 1e-10, 1e-13, 1e-16):
        assert np.abs(at_end(ratio) - limit).max() <= 10 * ratio + 1e-8, ratio


def scaled(plan, rng, least):
    """The same plan with some bodies made lighter, or their inertia alone."""
    bodies = []
    for name, mass, inertia, *rest in plan.bodies:
        r = 10.0 ** -rng.uniform(0.0, least) if rng.random() < 0.6 else 1.0
        bodies.append((name, mass * (r if rng.random() < 0.7 else 1.0), (np.array(inertia) * r).tolist(), *rest))
    plan.bodies[:] = bodies
    return plan


@given(space_plans(most=3, loops=2), SEEDS, st.sampled_from([6.0, 10.0, 15.0]))
@examples(25)
def test_spatial_accelerations_are_exact_and_sets_agree(plan, seed, least):
    m = scaled(plan, np.random.default_rng(seed), least).build()
    state = m.assemble(coordinates="body").state
    (a, wanted_a), _ = exact_motion(state)
    scale = max(np.abs(wanted_a).max(), 9.81)
    assert np.abs(a - wanted_a).max() <= 1e-9 * scale
    try:
        m.assemble(start=state, coordinates="joint")
    except CompileError:
        assert m.simulate(0.0, start=state, coordinates="auto").coordinates == "body"
        return
    joint = m.evaluate(state, coordinates="joint")
    assert np.abs(joint.accelerations - m.evaluate(state, coordinates="body").accelerations).max() <= 1e-7 * scale


@pytest.mark.parametrize("ratio", [1e-4, 1e-8, 1e-12, 1e-16])
@given(SEEDS)
@examples(2)
def test_spatial_four_bar_with_a_light_coupler(ratio, seed):
    """Between a universal joint and a ball, wherever it stands."""
    d = Drawing("four-bar in space", np.random.default_rng(seed))
    A, B, C, D = np.array([(0, 0, 0), (0, 1, 0.5), (2, 1.2, 0.9), (2.2, 0, 0)], dtype=float)
    d.body("crank", (A + B) / 2)
    d.body("coupler", (B + C) / 2, ratio, tuple(ratio * np.array((0.01, 0.3, 0.3))))
    d.body("rocker", (C + D) / 2)
    d.joint("A", "Revolute", "ground", "crank", A, X)
    d.joint("B", "Universal", "crank", "coupler", B, X, to_axis=Y)
    d.joint("C", "Spherical", "coupler", "rocker", C, Y)
    d.joint("D", "Revolute", "ground", "rocker", D, X + 0.3 * Z)
    found = d.m.verify(0.3, every=0.1, start={"A.angle.rate": 1.0})
    assert found.agree and not found.left_out, str(found)


@pytest.mark.parametrize("ratio", [1e-21, 1e-40, 1e-300])
def test_bodies_that_are_too_light_for_any_digits_are_refused(ratio):
    with pytest.raises(CompileError, match=r"Body 'bar1' is too light beside the others.*mass"):
        chain((1.0, ratio)).assemble(coordinates="joint")


def test_a_light_string_with_a_heavy_end_is_left_to_body_coordinates():
    m = PLANAR["string"](1e-12)
    with pytest.raises(CompileError, match=r"light bodies that carry heavy ones.*coordinates='body'"):
        m.simulate(0.01, coordinates="joint")
    assert m.simulate(1e-4, coordinates="auto").coordinates == "body"
    found = m.verify(1e-4)
    assert list(found.runs) == ["body", "point"] and "light bodies" in found.left_out["joint"]
