"""Rank of constraint rows: pivoted QR, null space, redundancy and singular positions."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.entering import enter
from linkwork.analysis.rank import analyse, null_space, pivoted_qr


@pytest.mark.parametrize("seed", range(20))
def test_rank_is_that_of_numpy(seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 12, 2)
    rank = int(rng.integers(0, min(rows, columns) + 1))
    matrix = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, columns))
    order, found, _ = pivoted_qr(matrix)
    assert found == np.linalg.matrix_rank(matrix)
    assert sorted(order) == list(range(columns))
    # the columns that come first are the independent ones
    assert found == 0 or np.linalg.matrix_rank(matrix[:, order[:found]]) == found  # numpy 1.26 has none of nothing


def test_of_equal_columns_the_first_is_kept():
    order, rank, _ = pivoted_qr(np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    assert rank == 2
    assert set(order[:2]) == {0, 2}


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_null_space(rank):
    rng = np.random.default_rng(rank)
    matrix = rng.normal(size=(4, rank)) @ rng.normal(size=(rank, 5))
    free = null_space(matrix)
    assert free.shape == (5, 5 - rank)
    assert np.abs(matrix @ free).max(initial=0.0) < 1e-12
    assert free.T @ free == pytest.approx(np.eye(5 - rank), abs=1e-12)
    assert null_space(np.zeros((0, 3))) == pytest.approx(np.eye(3))


def parallelogram(angle_of_third=0.0):
    m = lw.Mechanism("parallelogram")
    plate = m.add("plate", lw.bar(length=1.0, mass=2.0))
    for name, x, point in (("left", 0.0, plate.a), ("middle", 0.5, plate.middle), ("right", 1.0, plate.b)):
        crank = m.add(name, lw.bar(length=1.0, mass=0.7))
        m.add(f"{name} foot", lw.Revolute(m.ground.at(x, 0), crank.a))
        m.add(f"{name} head", lw.Revolute(crank.b, point))
    return m


NEAR = {"left.angle": 1.0, "middle.angle": 1.0, "right.angle": 1.0}


def test_redundancy_is_told_by_joint():
    report = parallelogram().check(start={"left foot.angle": 1.0}, near=NEAR, coordinates="body")
    assert (report.freedom, report.redundant, report.loops, report.singular) == (1, 1, 2, False)
    text = str(report)
    assert "redundant constraints  1" in text
    assert "left foot" in text


def test_a_flat_four_bar_is_singular_but_not_redundant():
    m = lw.Mechanism("flat")
    a, b, c = (m.add(name, lw.bar(length=1.0, mass=1.0)) for name in "abc")
    m.add("A", lw.Revolute(m.ground.at(0, 0), a.a))
    m.add("B", lw.Revolute(a.b, b.a))
    m.add("C", lw.Revolute(b.b, c.b))
    m.add("D", lw.Revolute(m.ground.at(1, 0), c.a))
    start = {"A.angle": 0.0}
    report = m.check(start=start, near={"b.angle": 0.0, "c.angle": 0.0}, coordinates="body")
    assert report.singular
    assert report.redundant == 0
    assert report.freedom == 2  # here, of instantaneous motion
    assert "singular position" in str(report)
    elsewhere = m.check(start={"A.angle": 1.0}, near={"b.angle": 0.0, "c.angle": 1.0}, coordinates="body")
    assert (elsewhere.singular, elsewhere.freedom) == (False, 1)


def test_unconnected_bodies_are_named():
    m = lw.Mechanism("loose")
    m.add("free", lw.Body(1.0, 1.0))
    one, two = m.add("one", lw.bar(length=1.0, mass=1.0)), m.add("two", lw.bar(length=1.0, mass=1.0))
    m.add("B", lw.Revolute(one.b, two.a))
    report = m.check(coordinates="body")
    assert report.unconnected == ("free", "one", "two")
    assert report.freedom == 7


def testgradients_of_measures_are_read_from_their_own_bodies():
    """In whatever order measures name bodies: nothing of another body, and nothing behind the end of the state."""
    from linkwork.analysis.rank import gradients
    from linkwork.compiled.numbering import model_of

    m = lw.gallery.four_bar()
    state = m.assemble(coordinates="body").state
    names = list(m.bodies)
    measures = [lw.Angle(m[names[-1]], m[names[0]]), lw.WorldOffset(m.ground, m[names[1]].at(0.1, 0.2), "x")]
    got = gradients(model_of(m), state.y, measures)
    angle = state[f"{names[1]}.angle"]
    expected = np.zeros_like(got)
    expected[0, 3 * len(names) - 1], expected[0, 2] = -1.0, 1.0
    expected[1, 3:6] = 1.0, 0.0, -0.1 * np.sin(angle) - 0.2 * np.cos(angle)
    info = model_of(m).bodies[1]
    arm = np.array([0.1, 0.2]) - info.center[:2]
    expected[1, 5] = -arm[0] * np.sin(angle) - arm[1] * np.cos(angle)
    np.testing.assert_allclose(got, expected, atol=1e-12)


@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("hanging", [False, True])
def test_loops_that_share_one_body_are_ranked_one_by_one(coordinates, hanging):
    """Spatial four-bars, side by side or each on the coupler of the one before: 1 freedom and 3 rows too many each."""
    rng, count = np.random.default_rng(3), 5
    m = lw.Mechanism("row", dimension=3)
    base = m.ground
    for k in range(count):
        crank, coupler, rocker = (m.add(f"{name}{k}", lw.Body(mass=1.0, inertia=(0.1, 0.2, 0.25))) for name in "abc")
        place = rng.uniform(-1.0, 1.0, 3)
        m.add(f"A{k}", lw.Revolute(base.at(*place), crank.at(0, 0, 0)))
        m.add(f"B{k}", lw.Revolute(crank.at(1, 0, 0), coupler.at(0, 0, 0)))
        m.add(f"C{k}", lw.Revolute(coupler.at(3, 0, 0), rocker.at(2.5, 0, 0)))
        m.add(f"D{k}", lw.Revolute(base.at(place[0] + 3.2, *place[1:]), rocker.at(0, 0, 0)))
        base = coupler if hanging else m.ground
    with pytest.warns(lw.errors.RedundancyWarning):
        state = m.assemble(start={f"A{k}.angle": 0.8 + 0.1 * k for k in range(count)}, coordinates="body").state
    system, y, *_ = enter(state.model, coordinates, state)
    found = analyse(system, state.t, y)
    assert len(system.plan.loops) == count
    assert (found.freedom, len(found.dropped), found.singular) == (count, 3 * count, False)
    assert len(set(found.dropped)) == 3 * count
    assert np.linalg.matrix_rank(system.jacobian(), tol=1e-8) == system.n_rows - 3 * count
    assert np.abs(found.dependencies @ system.jacobian()).max() < 1e-9
