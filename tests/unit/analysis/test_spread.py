"""Percentiles and shares: beside closed forms of Sobol's indices and of quantiles."""

from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnknownNameError

pytest.importorskip("xarray")

NORMAL, EVEN = {"mean": 0.0, "deviation": 1.0}, (-1.0, 1.0)


def block():
    m = lw.Mechanism("block", gravity=None, parameters={"p": 0.0, "q": 0.0, "r": 0.0})
    m.add("block", lw.Body(1.0, 1.0, position=("p", "q"), angle="r"))
    return m


def sampled(function, vary, count=512, over="sobol"):
    """A table of any function of p, q and r, made by a sweep of positions."""

    def made(assembly):
        return function(*(assembly.state[f"block.{one}"] for one in ("x", "y", "angle")))

    return lw.sweep(block(), vary, over=over, count=count, analysis="assemble", reduce=made)


@pytest.mark.parametrize("over", ["sobol", "latin"])
def test_shares_of_a_polynomial(over):
    """Var(2 p) = 4, Var(3 q^2) = 9 * 4/45, Var(p r) = 1/3 by both together."""
    table = sampled(lambda p, q, r: 2 * p + 3 * q**2 + p * r, {"p": NORMAL, "q": EVEN, "r": EVEN}, over=over)
    found = lw.spread(table)
    parts = {"p": 4.0, "q": 9 * 4 / 45, "r": 0.0}
    total = sum(parts.values()) + 1 / 3
    for name, part in parts.items():
        assert found.shares[name] == pytest.approx(part / total, abs=0.02)
        assert found.errors[name] < 0.05
    assert found.rest == pytest.approx(1 / 3 / total, abs=0.02)
    assert found.mean == pytest.approx(1.0, abs=0.02) and found.deviation == pytest.approx(np.sqrt(total), rel=0.03)
    assert found.degree == 4 and "together" in str(found) and "share" in found._repr_html_()


def test_shares_of_a_wave():
    """Var(sin(pi q)) = 1/2; of p itself 1/3."""
    found = lw.spread(sampled(lambda p, q, r: p + np.sin(np.pi * q), {"p": EVEN, "q": EVEN}))
    assert found.shares["p"] == pytest.approx(0.4, abs=0.02) and found.shares["q"] == pytest.approx(0.6, abs=0.02)


def test_percentiles_of_a_normal_number():
    found = lw.spread(sampled(lambda p, q, r: 5 + 2 * p, {"p": NORMAL}), percentiles=(2.5, 50, 97.5))
    for (_, value), (_, off), exact in zip(
        found.percentiles.items(), found.percentile_errors.items(), (5 - 3.919928, 5, 5 + 3.919928)
    ):
        assert value == pytest.approx(exact, abs=0.1) and 0.0 < off < 0.5
    assert found.shares["p"] == pytest.approx(1.0, abs=1e-6)


def test_what_does_not_spread_has_no_shares():
    found = lw.spread(sampled(lambda p, q, r: 3.0, {"p": NORMAL, "q": EVEN}, 64))
    assert found.deviation == 0.0 and found.shares == {"p": 0.0, "q": 0.0}


@pytest.mark.filterwarnings("ignore")
def test_runs_that_failed_are_counted():
    def half(p, q, r):
        if p > 1.0:
            raise ValueError("too far")
        return p

    found = lw.spread(sampled(half, {"p": NORMAL}, 128))
    assert 10 < found.failed < 30 and len(found.values) == 128 - found.failed and "failed" in str(found)


def test_wrong_use():
    vary = {"p": EVEN, "q": EVEN}
    few = sampled(lambda p, q, r: p, vary, 16)
    with pytest.raises(DescriptionError, match="too few runs"):
        lw.spread(few)
    with pytest.raises(DescriptionError, match="no table of a sweep"):
        lw.spread([1, 2, 3])
    with pytest.raises(UnknownNameError, match="result"):
        lw.spread(few, "reslt")
    for wrong in ((5, 100), ["a"], "50", [], [float("nan")], object()):
        with pytest.raises(DescriptionError, match=r"percentiles.*between 0 and 100"):
            lw.spread(few, percentiles=wrong)
    listed = lw.sweep(block(), {"p": ["1 mm", "2 mm"] * 8}, over="list", analysis="assemble", read="block.x")
    assert round(lw.spread(listed).shares["p"], 9) == 1.0
    with pytest.raises(DescriptionError, match=r"spread: 'p' was varied as texts.*'soft'.*numbers"):
        lw.spread(listed.assign_coords(p=("run", ["soft", "hard"] * 8)))
    grid = lw.sweep(block(), {"p": [0.0, 1.0]}, analysis="assemble", read="block.x")
    with pytest.raises(DescriptionError, match=r"grid.*over=\"sobol\""):
        lw.spread(grid)


def test_what_does_not_vary_has_no_share_and_two_levels_have_one_degree():
    rng = np.random.default_rng(1)
    p, r = rng.standard_normal(96), rng.choice([-1.0, 1.0], 96)
    vary = {"p": p.tolist(), "q": [0.3] * 96, "r": r.tolist()}
    found = lw.spread(sampled(lambda p, q, r: p + 2 * r + q, vary, count=None, over="list"))
    whole = np.var(p + 2 * r)
    assert found.shares["q"] == 0.0
    assert found.shares["r"] == pytest.approx(4 * np.var(r) / whole, abs=0.1) and found.shares["p"] > 0.1


def test_of_several_numbers_one_has_to_be_chosen():
    m = lw.gallery.four_bar()
    table = lw.sweep(m, {"spring.stiffness": [10, 20]}, times=0.1, read=["D.angle.max", "A.angle.max", "D.angle"])
    for ask in (lw.plot_sweep, lambda one: lw.spread(one.rename({"spring.stiffness": "run"}))):
        with pytest.raises(lw.errors.DescriptionError, match=r"several numbers.*D.angle.max, A.angle.max.*Choose one"):
            ask(table)
    with pytest.raises(lw.errors.DescriptionError, match=r"a series over time.*D.angle.max"):
        lw.spread(table, "D.angle")
    with pytest.raises(lw.errors.DescriptionError, match=r"a series over time.*D.angle.max"):
        lw.spread(table[["D.angle", "failed"]])
    with pytest.raises(lw.errors.UnknownNameError, match=r"D.angle.may"):
        lw.plot_sweep(table, "D.angle.may")


def test_one_percentile_may_be_asked_for():
    assert list(lw.spread(sampled(lambda p, q, r: p, {"p": NORMAL}, 16), percentiles=50).percentiles) == [50.0]


def test_shares_that_do_not_sum_up_say_why():
    few = sampled(lambda p, q, r: p + q, {"p": NORMAL, "q": NORMAL}, 32)
    found = lw.spread(few)
    total = 100 * (sum(found.shares.values()) + found.rest)
    assert (f"together {total:.1f} %, not 100" in str(found)) == (abs(total - 100) > 1)
    off = replace(found, shares={"p": 0.83, "q": 0.109}, rest=0.0)
    assert "together 93.9 %, not 100" in str(off)
    assert "together" not in str(replace(off, shares={"p": 0.6, "q": 0.39}, rest=0.01)).replace("several together", "")


def test_percentiles_are_written_plainly():
    found = lw.spread(sampled(lambda p, q, r: p, {"p": NORMAL}, 16))
    assert "± 10\n" in str(replace(found, percentile_errors=dict.fromkeys(found.percentiles, 12.3)))
