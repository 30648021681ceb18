"""Cubics through values and rates: their errors against functions that are known in between."""

import numpy as np
import pytest

from linkwork.result.curve import Curve

#: function, first derivative, integral from 0
KNOWN = {
    "sine": (np.sin, np.cos, lambda t: 1.0 - np.cos(t)),
    "decay": (lambda t: np.exp(-0.7 * t), lambda t: -0.7 * np.exp(-0.7 * t), lambda t: (1.0 - np.exp(-0.7 * t)) / 0.7),
    "bell": (
        lambda t: 1.0 / (1.0 + (t - 2.0) ** 2),
        lambda t: -2.0 * (t - 2.0) / (1.0 + (t - 2.0) ** 2) ** 2,
        lambda t: np.arctan(t - 2.0) + np.arctan(2.0),
    ),
    "beat": (
        lambda t: np.sin(3.0 * t) + 100.0 * t,
        lambda t: 3.0 * np.cos(3.0 * t) + 100.0,
        lambda t: (1.0 - np.cos(3.0 * t)) / 3.0 + 50.0 * t**2,
    ),
}


def grid(seed, count, span=5.0):
    """Times with gaps that differ by up to a factor of ten."""
    gaps = np.random.default_rng(seed).uniform(0.1, 1.0, count)
    return np.concatenate([[0.0], np.cumsum(gaps) / gaps.sum() * span])


@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("count", [40, 160, 640])
@pytest.mark.parametrize("slopes", [True, False], ids=["rates", "differences"])
def test_errors_are_not_larger_than_said(name, count, slopes):
    """And not much smaller: what is said is at most some forty times the largest that there is."""
    f, d, whole = KNOWN[name]
    for seed in range(5):
        t = grid(seed, count)
        curve = Curve(t, f(t), d(t) if slopes else None)
        between = np.linspace(0.0, 5.0, 7001)
        off, said = np.abs(curve.value(between) - f(between)), curve.error(between)
        assert np.all(off <= said + 1e-13), (seed, (off / said).max())
        assert said.max() <= 40.0 * off.max() + 1e-11
        low, high = np.sort(np.random.default_rng(seed).uniform(0.0, 5.0, 2))
        assert abs(curve.integral(low, high) - (whole(high) - whole(low))) <= curve.integral_error(low, high)


@pytest.mark.parametrize("slopes", [True, False], ids=["rates", "differences"])
def test_a_cubic_is_met_exactly(slopes):
    t = grid(1, 12)
    f, d = (lambda t: t**3 - 4.0 * t**2 + 2.0), (lambda t: 3.0 * t**2 - 8.0 * t)
    curve = Curve(t, f(t), d(t) if slopes else None)
    between = np.linspace(0.0, 5.0, 301)
    np.testing.assert_allclose(curve.value(between), f(between), atol=1e-12)
    np.testing.assert_allclose(curve.value(between, 1), d(between), atol=1e-11)
    np.testing.assert_allclose(curve.value(between, 2), 6.0 * between - 8.0, atol=1e-9)
    assert curve.error(between).max() < 1e-10
    np.testing.assert_allclose(curve.turns, [8.0 / 3.0], atol=1e-9)
    assert curve.integral(0.0, 5.0, 2) == pytest.approx(
        5**7 / 7 - 8 * 5**6 / 6 + 16 * 5**5 / 5 + 5**4 - 16 * 5**3 / 3 + 20
    )


@pytest.mark.parametrize("count", [30, 100, 300])
def test_all_times_of_a_level(count):
    """Levels that stored times miss, meet and touch: twice a period each, and none is found twice."""
    for seed in range(8):
        t = grid(seed, count, span=20.0)
        curve = Curve(t, np.sin(t), np.cos(t))
        for level in (0.0, 0.3, -0.77):
            rising = np.arcsin(level) + 2.0 * np.pi * np.arange(-1, 5)
            falling = np.pi - np.arcsin(level) + 2.0 * np.pi * np.arange(-1, 5)
            for way, all_of in ((1.0, rising), (-1.0, falling)):
                wanted = np.sort(all_of[(all_of >= 0.0) & (all_of <= 20.0)])
                times, ways, stays = curve.reach(level)
                assert not stays
                got = times[ways == way]
                assert len(got) == len(wanted)
                assert np.all(np.abs(got - wanted) <= curve.reach_error(got) + 1e-14)


def test_a_level_at_stored_times_is_found_once():
    t = np.linspace(0.0, 4.0, 17)
    times, ways, stays = Curve(t, t - 2.0, np.ones(17)).reach(0.0)
    assert times.tolist() == [2.0] and ways.tolist() == [1.0] and not stays
    times, ways, stays = Curve(t, (t - 2.0) ** 2, 2.0 * (t - 2.0)).reach(0.0)
    assert times.tolist() == [2.0] and ways.tolist() == [0.0] and not stays


def test_a_level_touched_between_stored_times():
    t = np.linspace(0.0, 4.0, 8)
    curve = Curve(t, (t - 2.1) ** 2, 2.0 * (t - 2.1))
    times, ways, _ = curve.reach(0.0)
    np.testing.assert_allclose(times, [2.1], atol=1e-7)
    assert ways.tolist() == [0.0]
    assert len(curve.reach(-1e-9)[0]) == 0 and len(curve.reach(1e-9)[0]) == 2


def test_a_level_that_is_kept():
    t = np.arange(8.0)
    f = np.array([3.0, 2.0, 1.0, 1.0, 1.0, 2.0, 2.0, 3.0])
    times, ways, stays = Curve(t, f, np.zeros(8)).reach(1.0)
    assert times.tolist() == [2.0] and stays == [(2.0, 4.0)]
    times, ways, stays = Curve(t, f, np.zeros(8)).reach(2.0)
    assert times.tolist() == [1.0, 5.0] and ways.tolist() == [-1.0, 1.0] and stays == [(5.0, 6.0)]


def test_few_times():
    """Two times have one cubic, whose own last term is the error that is said."""
    curve = Curve(np.array([0.0, 1.0]), np.array([0.0, np.sin(1.0)]), np.cos([0.0, 1.0]))
    middle = np.array([0.5])
    assert abs(curve.value(middle)[0] - np.sin(0.5)) <= curve.error(middle)[0]
    for count in (2, 3, 4):
        t = np.linspace(0.0, 1.0, count)
        assert abs(Curve(t, np.sin(t)).value(middle)[0] - np.sin(0.5)) <= Curve(t, np.sin(t)).error(middle)[0]


def test_pieces_that_jump():
    """A ball that is thrown back: values meet, slopes jump; and a step, whose values jump."""
    t = np.linspace(0.0, 1.0, 6)
    up, down = Curve(t, 1.0 - t, -np.ones(6)), Curve(1.0 + t, 2.0 * t, 2.0 * np.ones(6))
    whole = Curve.joined([up, down])
    between = np.linspace(0.0, 2.0, 41)
    np.testing.assert_allclose(
        whole.value(between), np.where(between < 1.0, 1.0 - between, 2.0 * (between - 1.0)), atol=1e-14
    )
    assert whole.error(between).max() < 1e-12 and whole.span == (0.0, 2.0)
    times, ways, stays = whole.reach(0.0)
    assert times.tolist() == [1.0] and ways.tolist() == [0.0] and not stays
    times, ways, _ = whole.reach(0.5)
    np.testing.assert_allclose(times, [0.5, 1.25]), np.testing.assert_allclose(ways, [-1.0, 1.0])
    assert whole.integral(0.0, 2.0) == pytest.approx(1.5)
    step = Curve.joined([Curve(t, 0.0 * t, 0.0 * t), Curve(1.0 + t, 0.0 * t + 3.0, 0.0 * t)])
    times, ways, stays = step.reach(2.0)
    assert times.tolist() == [1.0] and ways.tolist() == [1.0] and not stays
    assert step.integral(0.5, 1.5) == pytest.approx(1.5)
