"""Where functions of time jump or bend: times and orders that can be written down by hand."""

import math

import numpy as np
import pytest

import linkwork as lw

PI = math.pi

# expression, span, breaks as (time, lowest derivative that jumps)
KNOWN = [
    ("sign(t - 0.5)", (0, 1), [(0.5, 0)]),
    ("abs(t - 0.5)", (0, 1), [(0.5, 1)]),
    ("max(0, t - 0.3)", (0, 1), [(0.3, 1)]),
    ("max(0, t - 0.3)**2", (0, 1), [(0.3, 2)]),
    ("max(0, t - 0.3)**3", (0, 1), [(0.3, 3)]),
    ("abs(t - 0.5)**3", (0, 1), [(0.5, 3)]),
    ("min(t, 1 - t)", (0, 1), [(0.5, 1)]),
    ("min(t, 2)", (0, 1), []),
    ("abs(sin(9*t))", (0.1, 1), [(PI / 9, 1), (2 * PI / 9, 1)]),
    ("sign(sin(20*t))", (0.01, 0.5), [(PI / 20, 0), (PI / 10, 0), (3 * PI / 20, 0)]),
    ("sin(9*t)", (0, 10), []),
    ("t**2 + exp(-t)*cos(3*t)", (0, 10), []),
    ("abs(abs(t - 0.5) - 0.2)", (0, 1), [(0.3, 1), (0.5, 1), (0.7, 1)]),
    ("max(t, 0.2)*max(0.7, t)", (0, 1), [(0.2, 1), (0.7, 1)]),
    ("smoothstep(t, 0.2, 0, 0.6, 1)", (0, 1), [(0.2, 3), (0.6, 3)]),
    ("sin(abs(t - 0.4))", (0, 1), [(0.4, 1)]),
    ("cos(abs(t - 0.4))", (0, 1), [(0.4, 3)]),  # even: nothing jumps although the formula changes
    ("atan2(sin(3*t), cos(3*t))", (0, 2), [(PI / 3, 0)]),
    ("abs(t*t + 1)", (-1, 1), []),
    ("abs((t - 0.5)**2)", (0, 1), []),  # touches zero and does not cross
    ("abs(t - 1/3) + abs(t - 2/3)", (0, 1), [(1 / 3, 1), (2 / 3, 1)]),
    ("max(abs(t - 0.5), 0.2)", (0, 1), [(0.3, 1), (0.7, 1)]),  # the corner at 0.5 is hidden
]


@pytest.mark.parametrize(("text", "span", "wanted"), KNOWN, ids=[one[0] for one in KNOWN])
def test_breaks_of_expressions(text, span, wanted):
    found, until = lw.Expression(text).breaks(*map(float, span))
    assert until == math.inf
    # a place where no derivative jumps may be named, too: stepping there harms nothing
    harmless = [one for one in found if one.order == 3 and not any(abs(one.t - t) < 1e-9 for t, _ in wanted)]
    told = [one for one in found if one not in harmless]
    assert [one.order for one in told] == [order for _, order in wanted]
    assert [one.t for one in told] == pytest.approx([t for t, _ in wanted], abs=1e-12)


@pytest.mark.parametrize("begin", [0.0, 1e-3, 17.0, 1e4])
def test_periodic_kinks_are_all_found_wherever_the_run_begins(begin):
    w = 7.3
    found = lw.Expression(f"abs(sin({w}*t))").breaks(begin, begin + 20.0).found
    first, last = math.ceil(begin * w / PI - 1e-9), math.floor((begin + 20.0) * w / PI)
    assert [one.t for one in found] == pytest.approx([k * PI / w for k in range(first, last + 1)], abs=1e-9)
    assert {one.order for one in found} == {1}


def test_random_corners_are_found():
    rng = np.random.default_rng(8)
    for _ in range(40):
        at = np.sort(rng.uniform(0.05, 0.95, rng.integers(1, 6)))
        if np.diff(at).min(initial=1.0) < 1e-3:
            continue
        slopes = rng.uniform(0.5, 3.0, at.size) * rng.choice([-1.0, 1.0], at.size)
        kinds = rng.integers(0, 3, at.size)  # jumps, bends, and half parabolas
        forms = ["sign(t - {a!r})", "abs(t - {a!r})", "max(0, t - {a!r})**2"]
        text = " + ".join(f"({s!r})*" + forms[k].format(a=float(a)) for s, k, a in zip(slopes.tolist(), kinds, at))
        found = lw.Expression(text + " + sin(5*t)").breaks(0.0, 1.0).found
        assert [one.t for one in found] == pytest.approx(at.tolist(), abs=1e-9), text
        assert [one.order for one in found] == kinds.tolist(), text


def test_corners_of_other_functions():
    step = lw.SmoothStep(0.2, 0.0, 0.6, 1.0)
    assert [tuple(one)[:2] for one in step.breaks(0.0, 1.0).found] == [(0.2, 3), (0.6, 3)]
    clamped = lw.Table([0.0, 0.5, 1.0], [0.0, 1.0, 0.0], ends="clamped")
    assert [(one.t, one.order) for one in clamped.breaks(-1.0, 2.0).found] == [(0.0, 2), (0.5, 3), (1.0, 2)]
    assert lw.Polynomial(1.0, 2.0).breaks(0.0, 9.0).found == ()
    assert lw.Callable(math.sin).breaks(0.0, 9.0).found == ()


def test_too_many_breaks_are_counted_off():
    found, until = lw.Expression("abs(sin(1e6*t))").breaks(0.0, 100.0)
    assert until < 100.0
