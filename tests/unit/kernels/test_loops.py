"""Loops in joint coordinates: S from the recursion against the dense product, healthy and singular."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.entering import enter
from linkwork.coordinates.recursion import mass_matrix
from linkwork.kernels import layout as at


def four_bar(angle, coupler=1.0, rocker=1.0, ground=1.0):
    """A parallelogram unless told otherwise; flat at angle 0."""
    m = lw.Mechanism("four-bar")
    c, s = np.cos(angle), np.sin(angle)
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0, position=(c / 2, s / 2), angle=angle, velocity=(-s, c),
                                  angular_velocity=2.0))  # fmt: skip
    bar = m.add("coupler", lw.bar(length=coupler, mass=2.0, position=(c + coupler / 2, s), angle=0.0))
    far = m.add("rocker", lw.bar(length=rocker, mass=1.5, position=(ground + c / 2, s / 2), angle=angle))
    m.add("A", lw.Revolute(m.ground, crank.a))
    m.add("B", lw.Revolute(crank.b, bar.a))
    m.add("C", lw.Revolute(bar.b, far.b))
    m.add("D", lw.Revolute(m.ground.at(ground, 0), far.a))
    return m


def spatial():
    m = lw.Mechanism("two pendulums and a rod", dimension=3)
    ends = []
    for k, axis in enumerate([(0, 1, 0), (1, 1, 0)]):
        arm = m.add(f"arm{k}", lw.Body(1.0 + k, (0.1, 0.2, 0.3), center=(0.4, 0.1, 0.0)))
        m.add(f"A{k}", lw.Revolute(m.ground.at(2 * k, 0, 0, axis=axis), arm.at(0, 0, 0, axis=axis)))
        ends.append(arm.at(0.8, 0.0, 0.1))
    m.add("rod", lw.Rod(*ends, length=1.9))
    return m


def solved(m, **start):
    state = m.assemble(coordinates="body", **start).state
    system, y, _ = enter(state.model, "joint", state)
    system.derivative(0.0, y)
    return state, system


def dense(system):
    """v' and lam by the dense equations."""
    from linkwork.coordinates.recursion import bias_acceleration, inverse_dynamics

    M, C = mass_matrix(system), system.jacobian()
    h = -inverse_dynamics(system, np.zeros(len(M)))
    right = system.gamma - system.body_jacobian() @ bias_acceleration(system)
    S = C @ np.linalg.solve(M, C.T)
    lam = np.linalg.solve(S, right - C @ np.linalg.solve(M, h))
    return np.linalg.solve(M, h + C.T @ lam), lam, S


@pytest.mark.parametrize("m", [four_bar(0.8, 1.3, 1.1, 1.2), four_bar(1.9), spatial()], ids=["odd", "even", "space"])
def test_rows_are_solved_as_by_the_dense_equations(m):
    _, system = solved(m)
    change, lam, _ = dense(system)
    assert system.step == pytest.approx(change, rel=1e-10, abs=1e-10)
    assert system.multipliers == pytest.approx(lam, rel=1e-9, abs=1e-9)


def test_the_diagonal_of_s_is_what_the_rows_meet():
    """S_rr = sum of u^2 / D over the steps on the way."""
    _, system = solved(four_bar(0.8, 1.3, 1.1, 1.2))
    model = system.plan
    ways, scaled = model.table(at.T_ROW_ENTRY), system.view(at.W_SCALED_ENTRY)
    found = [np.sum(scaled[ways[r] : ways[r + 1]] ** 2) for r in range(len(model.rows))]
    assert found == pytest.approx(np.diag(dense(system)[2]), rel=1e-10)


def test_a_singular_position_shows_in_the_pivot():
    """Flat, the parallelogram could fold: the rows lose rank there and nowhere else."""
    pivots = {angle: solved(four_bar(angle))[1].w[at.PIVOT] for angle in (1.2, 0.1, 0.0)}
    assert pivots[0.0] < 1e-6 * pivots[1.2] and pivots[0.0] < pivots[0.1] < pivots[1.2]


def test_a_row_that_is_not_held_takes_no_part():
    state, system = solved(four_bar(0.8, 1.3, 1.1, 1.2))
    y = system.from_body(state.y)
    system.held[0] = 0.0
    system.derivative(0.0, y)
    assert system.multipliers[0] == 0.0 and system.multipliers[1] != 0.0
    C = system.jacobian()[1:]
    right = system.gamma[1:] - system.body_jacobian()[1:] @ _bias(system)
    assert C @ system.step == pytest.approx(right, abs=1e-10)


def _bias(system):
    from linkwork.coordinates.recursion import bias_acceleration

    return bias_acceleration(system)
