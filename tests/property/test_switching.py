"""A joint that is released is as one that was never there, and one that is held again strikes as dense algebra says."""

import warnings
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linkwork.analysis.switching import switch
from linkwork.coordinates import SETS
from linkwork.errors import LinkworkWarning
from property.draws import assembler, examples
from property.spatial_strategies import spatial_plans
from property.strategies import LASTING, Rejections, set_plans

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)


def within(got, wanted, tolerance, what):
    """Whether two arrays agree, against the largest of the wanted numbers (at least one)."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    gap = np.abs(got - wanted).max(initial=0.0)
    assert gap <= tolerance * max(1.0, np.abs(wanted).max(initial=0.0)), (what, gap)


def without(m, joint):
    """The mechanism described without a joint."""
    other = m.copy()
    other.replace(joint, replace(m.joints[joint], active=False))
    return other


def as_never_there(m, state, pick):
    name = list(m.joints)[pick % len(m.joints)]
    loose, bare = switch(state, release=name).state, without(m, name)
    for one in SETS:
        here, there = m.evaluate(loose, coordinates=one), bare.evaluate(state, coordinates=one)
        within(here.accelerations, there.accelerations, 1e-9, f"accelerations in {one} coordinates")
        of_row = dict(zip(here.rows, here.multipliers, strict=True))
        within([of_row.pop(row) for row in there.rows], there.multipliers, 1e-9, f"multipliers in {one} coordinates")
        assert not any(of_row.values())


def as_dense_algebra_says(m, state, pick, seed):
    """M dv = J' L, J (v + dv) = nu, over all rows that are held."""
    name = list(m.joints)[pick % len(m.joints)]
    loose, model = switch(state, release=name).state, state.model
    y = loose.y.copy()
    y[model.n_q : model.n_q + model.n_v] += np.random.default_rng(seed).normal(size=model.n_v)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinkworkWarning)  # speeds are moved onto the rows that are left
        loose = m.assemble(start=replace(loose, y=y), coordinates="body").state
    back = switch(loose, hold=name)
    before, after = (m.evaluate(one, coordinates="body") for one in (loose, back.state))
    J, M, v, nu = before.jacobian, before.mass_matrix, before.velocities, before.velocity_rhs
    inverse = np.linalg.inv(M)
    impulses = np.linalg.pinv(J @ inverse @ J.T, rcond=1e-11) @ (nu - J @ v)
    dv = inverse @ J.T @ impulses
    within(after.velocities, v + dv, 1e-7, "velocities")
    within(back.impulses, impulses, 1e-6, "impulses")
    lost = 0.5 * dv @ M @ dv
    assert abs(back.energy_lost - lost) <= 1e-7 * max(1.0, lost, 0.5 * v @ M @ v)


@examples(100)
@given(set_plans(most=5, loops=2), st.integers(0, 100))
def test_released_in_the_plane(plan, pick):
    as_never_there(*assembled(plan), pick)


@examples(80)
@given(spatial_plans(most=4, loops=1), st.integers(0, 100))
def test_released_in_space(plan, pick):
    as_never_there(*assembled(plan), pick)


@examples(80)
@given(set_plans(most=4, loops=1, closing=LASTING), st.integers(0, 100), st.integers(0, 1000))
def test_held_again_in_the_plane(plan, pick, seed):
    as_dense_algebra_says(*assembled(plan), pick, seed)


@examples(60)
@given(spatial_plans(most=3, loops=1), st.integers(0, 100), st.integers(0, 1000))
def test_held_again_in_space(plan, pick, seed):
    as_dense_algebra_says(*assembled(plan), pick, seed)


def flies_and_balances(m, state, pick):
    """A joint lets go in the middle of a run: the ledger closes, and all sets go the same way."""
    name = list(m.joints)[pick % len(m.joints)]
    ends = []
    for one in SETS:
        run = m.simulate(0.2, every=0.05, start=state, coordinates=one, rtol=1e-10)
        whole = run + m.simulate(
            0.2, every=0.05, start=switch(run.final, release=name).state, coordinates=one, rtol=1e-10
        )
        size = max(1.0, np.abs(whole.energy.kinetic).max(), np.ptp(whole.energy.potential))
        assert np.abs(whole.energy.balance).max() <= 1e-7 * size
        ends.append(whole.final.y[: state.model.n_q])
    if state.model.dimension == 2:
        for one, end in zip(SETS[1:], ends[1:], strict=True):
            within(end, ends[0], 1e-6, f"positions in {one} coordinates")


@examples(30)
@given(set_plans(most=3, loops=1, damped=True, drivers=False, closing=LASTING), st.integers(0, 100))
def test_the_ledger_closes_over_a_release(plan, pick):
    flies_and_balances(*assembled(plan), pick)
