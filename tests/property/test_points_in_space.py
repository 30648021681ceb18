"""Point coordinates of space are a third way to the motion of the others, tried on random mechanisms."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.coordinates import SETS
from linkwork.errors import CompileError
from linkwork.kernels import layout as at
from linkwork.rotation import difference, matrix
from property.draws import assembler, examples
from property.space_plans import TREE, space_plans
from property.strategies import Rejections
from property.test_points import in_points, same_as_bodies
from property.test_sets import exchanged, goes_on_in_the_other_set, within

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)
#: joints that bring loops of shared points and axes about
CLOSING = ("Rod", "Spherical", "PointOnPlane", "PinInSlot", "SphericalCylindrical", "KnifeEdge")
SHAPES = ("box", "plate", "bar", "massless")


@examples(120)
@given(space_plans(most=5))
def test_open_mechanisms(plan):
    same_as_bodies(*assembled(plan))


@examples(120)
@given(space_plans(most=5, loops=2, kinds=(*TREE, "Revolute", "Spherical", "Revolute"), closing=CLOSING))
def test_closed_mechanisms(plan):
    same_as_bodies(*assembled(plan))


#: what a set says of bodies that it does not carry
LEFT_OUT = ("without any inertia", "light bodies", "has inertia", "needs mass or inertia")


def carried(plan):
    """The mechanism of a plan, a state on its constraints, and the sets that carry it: at least two."""
    m, sets, state = plan.build(), [], None
    for one in SETS:
        try:
            state = state or m.assemble(coordinates=one).state
            m.evaluate(state, coordinates=one)
            m.assemble(start=state, coordinates=one)
            sets.append(one)
        except CompileError as error:
            assert any(words in str(error) for words in LEFT_OUT), error
    assume(len(sets) > 1)
    ev = m.evaluate(state, coordinates=sets[0])
    assume(REJECTIONS.well_conditioned(ev) and resists(ev))
    return m, state, sets


def resists(ev):
    """Whether there is enough inertia against every motion: else body coordinates lose digits, and points do not."""
    M, J = ev.mass_matrix, ev.jacobian
    J = J / np.linalg.norm(J, axis=1)[:, None]
    sizes = np.linalg.svd(np.block([[M, J.T], [J, np.zeros((len(J), len(J)))]]), compute_uv=False)
    return sizes[-1] >= 1e-3 * sizes[0]


@examples(150)
@given(space_plans(most=4, loops=1, closing=CLOSING, kinds=(*TREE, "Revolute", "Spherical"), shapes=SHAPES))
def test_thin_and_massless_bodies(plan):
    """Plates, bars and bodies without mass among others, in every set that carries them."""
    m, state, sets = carried(plan)
    for other in sets[1:]:
        same_as_bodies(m, state, (sets[0], other))


@examples(40)
@given(space_plans(most=4, floating=True))
def test_nothing_on_the_ground(plan):
    same_as_bodies(*assembled(plan))


@examples(60)
@given(space_plans(most=5, loops=1))
def test_states_there_and_back(plan):
    state = assembled(plan)[1]
    system, y = in_points(state)
    body, model = system.to_body(y), state.model
    turns, others = (one[: model.n_q].reshape(-1, 7)[:, 3:] for one in (body, state.y))
    assert np.abs(difference(turns, others)).max() < 1e-9
    within(body[: model.n_q].reshape(-1, 7)[:, :3], state.y[: model.n_q].reshape(-1, 7)[:, :3], 1e-9)
    within(body[model.n_q :], state.y[model.n_q :], 1e-9)
    within(system.from_body(body, state.memory), y, 1e-9)


def off_the_constraints(system, y, rng, size):
    """A state beside the constraints, with speeds that do not meet them."""
    n_v = system.plan.n_v
    turning = np.where(system.plan.table(at.T_TURNING)[:n_v] == 1, 1.0, system.model.length)
    y[:n_v] += size * turning * rng.normal(size=n_v)
    y[n_v : 2 * n_v] = turning * rng.normal(size=n_v)
    return y


def slope(function, h=1e-5):
    return (function(-2 * h) - 8 * function(-h) + 8 * function(h) - function(2 * h)) / (12 * h)


@examples(60)
@given(space_plans(most=4, loops=1), st.integers(0, 2**32 - 1))
def test_rows_against_differences(plan, seed):
    """J v is how fast the rows change, off the constraints, too."""
    state = assembled(plan)[1]
    system, y = in_points(state)
    off_the_constraints(system, y, np.random.default_rng(seed), 1e-2)
    n_v = system.plan.n_v
    v = y[n_v : 2 * n_v].copy()
    system.locate(state.t, y)
    J, kept = system.jacobian(), np.array([not row.speed for row in system.plan.rows], dtype=bool)
    within(J @ v, system.rates_of_rows(state.t, y, v), 1e-10)

    def errors(s):
        system.locate(state.t, system.moved(y, s * v))
        return system.phi.copy()

    within((J @ v)[kept], slope(errors)[kept], 1e-6)


@examples(80)
@given(space_plans(most=4, loops=1), st.integers(0, 2**32 - 1))
def test_twists_and_bias_against_differences(plan, seed):
    """B v is how fast bodies move, and B a + bias how fast that changes: 1e-2 off the constraints, with any tilt."""
    state = assembled(plan)[1]
    model, (system, y) = state.model, in_points(state)
    rng = np.random.default_rng(seed)
    off_the_constraints(system, y, rng, 1e-2)
    n_v = system.plan.n_v
    v, a = y[n_v : 2 * n_v].copy(), rng.normal(size=n_v) * np.abs(y[n_v : 2 * n_v]).max()

    def at_time(s):
        there = system.moved(y, s * v + 0.5 * s * s * a)
        there[n_v : 2 * n_v] = v + s * a
        system.locate(state.t, there)
        return there

    def twists(s):
        at_time(s)
        return system.view(at.W_TWIST)[1:].ravel().copy()

    def places(s):
        return system.to_body(at_time(s))[: model.n_q].reshape(-1, 7)[:, :3].copy()

    def axes(s):
        return matrix(system.to_body(at_time(s))[: model.n_q].reshape(-1, 7)[:, 3:])

    now = twists(0.0).reshape(-1, 6)
    within(now[:, :3], slope(places), 1e-7)
    turning = axes(0.0).transpose(0, 2, 1) @ slope(axes)  # of a vector in body axes
    within(now[:, 3:], np.stack([turning[:, 2, 1], turning[:, 0, 2], turning[:, 1, 0]], axis=1), 1e-6)

    # what the kernel gives for these accelerations: B a + bias
    found = body_accelerations(system, state.t, at_time(0.0), a)
    within(found, slope(twists), 1e-6)


def body_accelerations(system, t, y, a):
    """Accelerations of the bodies for accelerations of the coordinates, B by unit steps and the bias from the rest."""
    system.derivative(t, y)
    change, bodies = system.step.copy(), system.acceleration.copy()
    B = np.empty((bodies.size, a.size))
    for k in range(a.size):  # twists are linear in the speeds: B
        there = y.copy()
        there[system.plan.n_q : system.plan.n_q + a.size] = np.eye(a.size)[k]
        system.locate(t, there)
        B[:, k] = system.view(at.W_TWIST)[1:].ravel()
    return bodies + B @ (a - change)


@examples(80)
@given(space_plans(most=4, loops=1), st.integers(0, 2**32 - 1))
def test_masses(plan, seed):
    """v'M v/2 is the energy of the bodies where products of basic vectors are kept."""
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
    twists = system.view(at.W_TWIST)[1:].ravel()
    within(0.5 * v @ M @ v, 0.5 * (model.masses * twists**2)[model.existing].sum(), 1e-10)


def ledger_balances(m, state, duration):
    run = m.simulate(duration, every=duration / 8, start=state, coordinates="point", rtol=1e-10)
    assert np.abs(run.energy.balance).max() <= 1e-7 * exchanged(run)
    assert run.violation.max() < 1e-9


@examples(40)
@given(space_plans(most=4, damped=True))
def test_ledger_balances(plan):
    ledger_balances(*assembled(plan), 0.4)


@examples(30)
@given(space_plans(most=3, damped=True), st.floats(0.1, 0.3), st.permutations(["body", "joint", "point"]))
def test_going_on_in_another_set(plan, cut, order):
    goes_on_in_the_other_set(*assembled(plan), cut, order)
