"""Many designs of one plan: each as a system of its own."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.coordinates.linking import linked_readings
from linkwork.coordinates.many import Many
from linkwork.errors import DescriptionError
from linkwork.kernels import layout as at

MASSES = (1.0, 2.5, 0.4)


def systems(coordinates="body"):
    """Four-bars with other masses of the crank, and their states."""
    made = []
    for mass in MASSES:
        m = lw.gallery.four_bar().with_numbers({"crank.mass": mass})
        made.append(m.assemble(coordinates="body").state.system(coordinates))
    state = lw.gallery.four_bar().assemble(coordinates="body").state
    rng = np.random.default_rng(0)
    states = np.concatenate([state.y, state.memory]) + 0.01 * rng.normal(size=(3, state.y.size + state.memory.size))
    return made, states


def together(made):
    return Many(made[0].tab, np.array([one.p for one in made]), made[0].plan.workspace)


def test_sections_are_those_of_each_and_can_be_written():
    made, _ = systems()
    many = together(made)
    for key in (at.P_MASS, at.P_LENGTH, at.P_ROW):
        for one, found in zip(made, many.section(key)):
            assert np.array_equal(found, one.view(key))
    many.section(at.P_MASS)[:, 1, 0] = 7.0
    assert (many.section(at.P_MASS)[:, 1, 0] == 7.0).all() and many.of(np.array([1])).count == 1
    assert (many.of(np.array([2])).section(at.P_MASS)[0, 1, 0]) == 7.0


def test_evaluations_steps_and_positions_are_those_of_each():
    made, states = systems()
    many = together(made)
    many.section(at.W_HELD)[:] = 1.0
    n, rows = made[0].plan.n_y, made[0].n_rows
    picks = np.concatenate([many.places(key).ravel() for key in (at.W_ACCELERATION, at.W_LAMBDA, at.W_PHI)])
    found = many.evaluated(made[0].pointers[0], np.zeros(1), states[:, None].copy(), picks)[:, 0]
    right = np.random.default_rng(1).normal(size=(3, rows))
    steps = many.solved(0.0, states, right, many.places(at.W_CHANGE).ravel())
    closed = states.copy()
    errors = many.close(0.0, closed)
    for k, one in enumerate(made):
        one.held[:], one.memory[:] = 1.0, states[k, n:]
        one.derivative(0.0, states[k, :n].copy())
        assert np.array_equal(found[k], one.w[picks])
        one.locate(0.0, states[k, :n].copy())
        assert np.array_equal(steps[k], one.newton_step(right[k]))
        position, error = one.closed(0.0, states[k, :n].copy())
        assert np.array_equal(closed[k, :n], position) and errors[k] == error < 1e-11


@pytest.mark.parametrize("tries", [1, 10_000])
def test_runs_are_those_of_each_wherever_they_are_looked_at(monkeypatch, tries):
    from linkwork.coordinates import many as module

    m = lw.gallery.four_bar()
    monkeypatch.setattr(module, "PER_CALL", tries)
    found = lw.sweep(
        m, {"crank.mass": np.linspace(0.5, 2.0, 14)}, times=0.5, every=0.1, read="D.angle", coordinates="body"
    )
    for mass, series in zip(found["crank.mass"].values, found["D.angle"].values):
        alone = m.with_numbers({"crank.mass": mass}).simulate(0.5, every=0.1, coordinates="body")
        assert np.array_equal(series, alone["D.angle"])


def test_what_does_not_fit_is_refused():
    made, states = systems()
    many = together(made)
    none = np.zeros(0, dtype=np.int64)
    for given in (
        (np.zeros(2), states[:, None].copy(), none),
        (np.zeros(1), states[:2, None].copy(), none),
        (np.zeros(1), states[:, None, :-1].copy(), none),
        (np.zeros(1), states[:, None].copy(), np.array([many.w.size])),
        (np.zeros(1), states[:, None].copy(), np.array([0.0])),
    ):
        with pytest.raises(DescriptionError):
            many.located(*given)
    with pytest.raises(DescriptionError):
        many.solved(0.0, states, np.zeros((3, made[0].n_rows + 1)), none)
    with pytest.raises(DescriptionError):
        many.close(0.0, states[:, :-1].copy())
    many.numbers = many.numbers[:, ::2]
    with pytest.raises(DescriptionError):
        many.close(0.0, states)


def test_a_reading_of_each():
    made, states = systems()
    model = made[0].model
    readings = model.readings((lw.Distance(model.mechanism.ground.at(0, 0), model.mechanism["coupler"].at(0, 0)),))
    many = Many(linked_readings(readings), np.tile(readings.parameters, (3, 1)), readings.workspace)
    own = readings.gather(states)
    found = many.located(np.zeros(1), own[:, None].copy(), many.places(at.W_VALUE).ravel())[:, 0, 0]
    for k in range(3):
        body = model.body_index["coupler"]
        x, y, angle = states[k, 3 * body : 3 * body + 3]
        cx, cy = model.centers[body][:2]
        c, s = np.cos(angle), np.sin(angle)
        assert found[k] == pytest.approx(np.hypot(x - c * cx + s * cy, y - s * cx - c * cy), rel=1e-12)
