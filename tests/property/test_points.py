"""Point coordinates are a third way to the motion of the others, tried on random mechanisms of the plane."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkwork.coordinates.point import System
from linkwork.kernels import layout as at
from property.draws import assembler, examples
from property.strategies import LASTING, Rejections, set_plans
from property.test_sets import exchanged, goes_on_in_the_other_set, within

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)


def same_as_bodies(m, state, sets=("body", "point")):
    """Accelerations, reactions, their marks and efforts in two sets."""
    body, point = (m.evaluate(state, coordinates=one) for one in sets)
    within(point.accelerations, body.accelerations)
    forces = [[ev.reaction(name) for name in m.joints] for ev in (body, point)]
    for part in ("force", "moment"):
        wanted, found = (np.array([getattr(each, part) for each in some]) for some in forces)
        within(found, wanted)
    for one, other in zip(*forces):
        assert one.unique_components == other.unique_components
    for driver in m.drivers:
        within(point[f"{driver}.effort"], body[f"{driver}.effort"])


def in_points(state):
    system = System(state.model.plan("point"), state.values, state.held, state.memory)
    system.keep_turns(state.y)
    return system, system.from_body(state.y, state.memory)


@examples(100)
@given(set_plans(most=5))
def test_open_mechanisms(plan):
    same_as_bodies(*assembled(plan))


@examples(150)
@given(set_plans(most=5, loops=2))
def test_closed_mechanisms(plan):
    same_as_bodies(*assembled(plan))


@examples(50)
@given(set_plans(most=4, loops=1, particles="anywhere"))
def test_particles_anywhere(plan):
    same_as_bodies(*assembled(plan))


@examples(60)
@given(set_plans(most=5, loops=1))
def test_states_there_and_back(plan):
    state = assembled(plan)[1]
    system, y = in_points(state)
    body = system.to_body(y)
    within(body, state.y, 1e-9)
    within(system.from_body(body, state.memory), y, 1e-9)


@examples(60)
@given(set_plans(most=4, loops=1), st.integers(0, 2**32 - 1))
def test_rows_against_differences(plan, seed):
    """J v is how fast the rows change, on the constraints and off them."""
    state = assembled(plan)[1]
    system, y = in_points(state)
    rng, h = np.random.default_rng(seed), 1e-5
    y[: system.plan.n_v] += 1e-3 * rng.normal(size=system.plan.n_v)
    v = rng.normal(size=system.plan.n_v) * system.weights
    y[system.plan.n_q : system.plan.n_q + system.plan.n_v] = v
    system.locate(state.t, y)
    J, kept = system.jacobian(), np.array([not row.speed for row in system.plan.rows], dtype=bool)
    within(J @ v, system.rates_of_rows(state.t, y, v), 1e-10)

    def errors(s):
        system.locate(state.t, system.moved(y, s * v))
        return system.phi.copy()

    slope = (errors(-2 * h) - 8 * errors(-h) + 8 * errors(h) - errors(2 * h)) / (12 * h)
    within((J @ v)[kept], slope[kept], 1e-6)


@examples(60)
@given(set_plans(most=4, loops=1), st.integers(0, 2**32 - 1))
def test_masses_and_speeds(plan, seed):
    """v'M v/2 is the energy of the bodies where lengths are kept, and poses change as twists say, kept or not."""
    state = assembled(plan)[1]
    model, (system, y) = state.model, in_points(state)
    n_q, n_v = system.plan.n_q, system.plan.n_v
    system.locate(state.t, y)
    J = system.jacobian()[system.lengths]
    v = np.random.default_rng(seed).normal(size=n_v) * system.weights
    v -= np.linalg.pinv(J) @ (J @ v)
    y[n_q : n_q + n_v] = v
    system.locate(state.t, y)
    M = np.zeros((n_v, n_v))
    for (i, j), value in zip(system.plan.table(at.T_MASS), system.view(at.P_MASS_ENTRY)):
        M[i, j] = M[j, i] = value
    for (c, i, j), (x, z) in zip(system.plan.table(at.T_SWAY), system.view(at.P_SWAY)):
        a = complex(*system.view(at.W_CLASS)[c, :2]) * 1j * complex(x, z)
        M[i : i + 2, j] = M[j, i : i + 2] = a.real, a.imag
    twists = system.view(at.W_TWIST)[1:].ravel().copy()
    of_bodies = 0.5 * (model.masses * twists**2)[model.existing].sum()
    within(0.5 * v @ M @ v, of_bodies, 1e-10)

    h = 1e-5

    def poses(s):
        return system.to_body(system.moved(y, s * v))[: model.n_q]

    slope = (poses(-2 * h) - 8 * poses(-h) + 8 * poses(h) - poses(2 * h)) / (12 * h)
    within(twists[model.existing], slope[model.existing], 1e-7)


def ledger_balances(m, state, duration):
    run = m.simulate(duration, every=duration / 8, start=state, coordinates="point", rtol=1e-10)
    assert np.abs(run.energy.balance).max() <= 1e-7 * exchanged(run)
    assert run.violation.max() < 1e-9


@examples(40)
@given(set_plans(most=4, damped=True))
def test_ledger_balances(plan):
    ledger_balances(*assembled(plan), 0.4)


@examples(40)
@given(set_plans(most=4, loops=1, damped=True, drivers=False, closing=LASTING))
def test_ledger_balances_with_loops(plan):
    ledger_balances(*assembled(plan), 0.4)


@examples(40)
@given(
    set_plans(most=3, loops=1, damped=True, drivers=False, closing=LASTING),
    st.floats(0.1, 0.3),
    st.permutations(["body", "joint", "point"]),
)
def test_going_on_in_another_set(plan, cut, order):
    goes_on_in_the_other_set(*assembled(plan), cut, order)
