"""Models and functions of time: reading, numbering, refusals."""

import numpy as np
import pytest

from linkwork import textbook as tb
from linkwork.errors import DescriptionError

CASE = {
    "bodies": [{"id": 7, "m": 2.0, "J": 0.1, "r": [0.1, 0.2], "phi": 0.3, "rd": [1, 2], "phid": 3}, {"id": 3}],
    "points": [{"id": 5, "body": 3, "s": [0.1, 0.0]}, {"id": 4, "body": 0}],
    "unit_vectors": [{"body": 7, "u": [3.0, 4.0]}],
    "joints": [{"type": "rev", "Pi": 4, "Pj": 5, "name": "A"}, {"type": "disc-disc", "i": 3, "j": 0, "k": 7}],
    "forces": [{"type": "ptp", "Pi": 5, "Pj": 4, "k": 3}, {"type": "wind", "i": 3, "push": 2.0}],
    "functions": [{"id": 1, "type": "b", "f_end": 2.0}],
}


def wind(entry):
    return lambda t, model, c, cd: entry["push"] * np.ones_like(c)


def test_numbers_follow_the_ids():
    m = tb.BookModel.from_case(CASE, laws={"wind": wind})
    assert [p.body for p in m.points] == [2, 0]
    assert (m.joints[0].Pi, m.joints[0].Pj) == (2, 1)
    assert (m.joints[1].i, m.joints[1].j, m.joints[1].k) == (2, 0, 1)
    assert m.forces[0].k == 3  # a stiffness, not a body
    assert m.unit_vectors[0].u == pytest.approx((0.6, 0.8))
    assert m.functions == (tb.FunctionB(f_end=2.0),)
    np.testing.assert_allclose(m.c, [0.1, 0.2, 0.3, 0, 0, 0])
    np.testing.assert_allclose(m.cd, [1, 2, 3, 0, 0, 0])
    np.testing.assert_allclose(np.diag(m.M), [2, 2, 0.1, 1, 1, 1])
    np.testing.assert_allclose(m.forces[1].law(0.0, m, m.c, m.cd), 2.0)


def test_started():
    m = tb.BookModel.from_case(CASE, laws={"wind": wind})
    again = m.started(np.arange(6.0), np.arange(6.0) + 1)
    np.testing.assert_array_equal(again.c, np.arange(6.0))
    np.testing.assert_array_equal(again.cd, np.arange(6.0) + 1)
    np.testing.assert_array_equal(m.started(m.c).cd, np.zeros(6))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"points": [{"body": 9}]}, "bodies is not known.*9"),
        ({"bodies": [{"id": 7, "weight": 2}, {"id": 3}]}, "Body has unknown fields.*weight"),
        ({"functions": [{"type": "z"}]}, "unknown type.*'z'"),
        ({"unit_vectors": [{"body": 7, "u": [0, 0]}]}, "no direction"),
    ],
)
def test_refused(change, fault):
    with pytest.raises(DescriptionError, match=fault):
        tb.BookModel.from_case(CASE | change, laws={"wind": wind})


@pytest.mark.parametrize(
    "f", [tb.FunctionA((0.3, -1.2, 0.7)), tb.FunctionB(0.5, 0.3, 2.5, 1.5), tb.FunctionC(0.5, 0.3, 2.5, -1.5)]
)
def test_rates_are_derivatives(f):
    step = 1e-5
    for t in (0.1, 0.7, 1.5, 2.2, 3.0):
        (before, rate_before, _), (_, rate, acceleration), (after, rate_after, _) = (f(t - step), f(t), f(t + step))
        assert (after - before) / (2 * step) == pytest.approx(rate, abs=1e-8)
        assert (rate_after - rate_before) / (2 * step) == pytest.approx(acceleration, abs=1e-8)


@pytest.mark.parametrize("f", [tb.FunctionB(0.5, 0.3, 2.5, 1.5), tb.FunctionC(0.5, 0.3, 2.5, -1.5)])
def test_no_jump_at_the_ends(f):
    for t in (0.5, 2.5):
        np.testing.assert_allclose(f(t - 1e-9), f(t + 1e-9), atol=1e-7)


def test_ramp_goes_on_with_its_speed():
    f = tb.FunctionC(0.5, 0.3, 2.5, -1.5)
    # half the end speed on average over the ramp of 2 s, then the end speed
    assert f(2.5) == pytest.approx((0.3 - 1.5, -1.5, 0.0))
    assert f(4.5) == pytest.approx((0.3 - 1.5 - 3.0, -1.5, 0.0))
