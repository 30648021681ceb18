"""States that violate the constraints at random: both sets of coordinates make the same of them, and say so."""

import warnings
from dataclasses import replace

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from linkwork.coordinates import SETS
from linkwork.errors import AnalysisError, AssemblyError, MovedWarning
from property.draws import assembler, examples
from property.spatial_strategies import spatial_plans
from property.strategies import LASTING, Rejections, set_plans

REJECTIONS = Rejections()
assembled = assembler(REJECTIONS)
SEEDS = st.integers(0, 2**32 - 1)


def shaken(state, seed, places=0.0, speeds=0.0):
    """The state with places and speeds changed at random; particles have no angle to change."""
    model, rng = state.model, np.random.default_rng(seed)
    y, exists = state.y.copy(), np.array([bool(name) for name in model.coordinate_names])
    y[model.n_q : model.n_q + model.n_v] += speeds * rng.uniform(-1.0, 1.0, model.n_v) * exists
    size = model.n_q // len(model.bodies)
    for k in range(len(model.bodies)):
        y[size * k : size * k + model.dimension] += places * rng.uniform(-1.0, 1.0, model.dimension)
    return replace(state, y=y)


def projected(ev):
    """Velocities on the rows by the least change in the metric of the masses, dense and on their own.

    v+ = v - M^-1 J' (J M^-1 J')^-1 (J v - nu)
    """
    J, inverse = ev.jacobian, 1.0 / np.diag(ev.mass_matrix)
    return ev.velocities - inverse * (J.T @ (np.linalg.pinv((J * inverse) @ J.T, 1e-12) @ ev.velocity_error))


def velocities_are_corrected_alike(m, state, seed):
    given_ = shaken(state, seed, speeds=1.0)
    ev = m.evaluate(given_, coordinates="body")
    off = np.abs(ev.velocity_error).max(initial=0.0) > 1e-3
    runs = {}
    for one in SETS:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                runs[one] = m.simulate(0.1, every=0.05, start=given_, coordinates=one, rtol=1e-10)
            except AssemblyError as error:
                raise AssertionError("velocities alone are never refused here") from error
            except AnalysisError:  # a driver that asks a loop for too much, or a singular position on the way
                assume(False)
        moved = [str(each.message) for each in told if each.category is MovedWarning]
        assert any("violates velocities of" in text for text in moved) == off
    wanted = projected(ev)
    for one, run in runs.items():
        got = m.evaluate(run.state(0), coordinates="body")
        scale = max(1.0, np.abs(wanted).max())
        assert np.abs(got.velocities - wanted).max() <= 1e-8 * scale, one
        assert not got.violated
    for name in (name for name in state.model.coordinate_names if name in runs["body"].names):
        for series in (name, f"{name}.rate"):
            body, *others = (runs[one][series] for one in SETS)
            for other in others:
                assert np.abs(body - other).max() <= 1e-6 * max(1.0, np.abs(body).max()), series


def evaluated_as_given(m, state, seed, places, speeds):
    given_ = shaken(state, seed, places, speeds)
    body, *others = (m.evaluate(given_, coordinates=one) for one in SETS)
    for ev in (body, *others):
        assert np.array_equal(ev.state.y, given_.y)
        first = str(ev).splitlines()[0]
        for what, errors in (("positions", ev.constraint_error), ("velocities", ev.velocity_error)):
            rows = getattr(ev.violated, what)
            assert {ev.rows[r] for r in np.flatnonzero(np.abs(errors) > 1e-3)} <= set(rows)
            assert not {ev.rows[r] for r in np.flatnonzero(np.abs(errors) < 1e-10)} & set(rows)
            assert (f"{what} of" in first) == bool(rows)
            if rows:
                assert next(iter(rows)) in first
    for ev in others:
        for one, other in ((body.accelerations, ev.accelerations), (body.multipliers, ev.multipliers)):
            assert np.abs(one - other).max(initial=0.0) <= 1e-8 * max(1.0, np.abs(one).max(initial=0.0))
    if body.violated.positions:
        for one in SETS:
            try:
                m.simulate(0.1, start=given_, coordinates=one)
            except AssemblyError as error:
                assert "violates positions of" in str(error)
            else:
                raise AssertionError("a state with open joints was run")


@examples(60)
@given(set_plans(most=4, loops=1, closing=LASTING), SEEDS)
def test_planar_velocities_are_corrected_alike(plan, seed):
    velocities_are_corrected_alike(*assembled(plan), seed)


@examples(40)
@given(spatial_plans(most=3, loops=1), SEEDS)
def test_spatial_velocities_are_corrected_alike(plan, seed):
    velocities_are_corrected_alike(*assembled(plan), seed)


@examples(60)
@given(set_plans(most=4, loops=1), SEEDS, st.sampled_from([(0.05, 0.0), (0.0, 1.0), (0.05, 1.0)]))
def test_planar_states_are_evaluated_as_given(plan, seed, by):
    evaluated_as_given(*assembled(plan), seed, *by)


@examples(40)
@given(spatial_plans(most=3, loops=1), SEEDS, st.sampled_from([(0.05, 0.0), (0.0, 1.0), (0.05, 1.0)]))
def test_spatial_states_are_evaluated_as_given(plan, seed, by):
    evaluated_as_given(*assembled(plan), seed, *by)
