"""The worked examples of docs/design.md: what they find is what is known by hand."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest

import linkwork as lw

pytest.importorskip("xarray")
EXAMPLES = Path(__file__).parents[3] / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_coupler_curve_is_found_again():
    one = example("coupler_curve")
    vary = {name: (0.2, 3.5) for name in one.KNOWN} | {"x": (-2.0, 2.0), "y": (-2.0, 2.0)}
    found = lw.optimize(
        one.four_bar(one.POOR),
        vary,
        one.distances,
        analysis="kinematics",
        times=one.TIMES,
        near=one.NEAR,
        tolerance=1e-12,
    )
    assert found.converged
    for name, value in one.KNOWN.items():
        assert found.values[name] == pytest.approx(value, rel=1e-8)


def test_a_quarter_car_lies_on_the_front_of_its_designs():
    one = example("quarter_car")
    motion = {"times": 2.0, "every": 0.005}
    vary = {"strut.stiffness": np.linspace(6e3, 40e3, 5), "strut.damping": np.linspace(0.4e3, 4e3, 5)}
    table = lw.sweep(one.quarter_car(), vary, reduce=one.ride, **motion)
    bounds = {"strut.stiffness": (6e3, 40e3), "strut.damping": (0.4e3, 4e3)}
    found = lw.optimize(
        one.quarter_car(), bounds, one.comfort, subject_to=[(one.travel, "<=", 0.06)], tolerance=1e-5, **motion
    )
    assert found.met and found.converged
    within = table["comfort"].values[table["travel"].values <= 0.06]
    assert found.value < within.min()  # no design of the grid that keeps the limit is as good
    front = one.front(table)
    a, b = table["comfort"].values.ravel(), table["travel"].values.ravel()
    order = sorted(front, key=lambda k: b[k])
    assert len(front) >= 5 and np.all(np.diff(a[order]) < 0.0)  # more way is more comfort


@pytest.mark.slow
def test_limits_of_the_recorded_pendulum_hold_over_seeds():
    one, held, scores = example("recorded_pendulum"), 0, []
    true = {"bob": one.BOB, "friction": one.FRICTION}
    for seed in range(40):
        found = one.identified(*one.record(seed))
        assert found.converged and not found.undetermined
        for name, value in true.items():
            low, high = found.limits[name]
            held += low <= value <= high
            scores.append((found.values[name] - value) / found.errors[name])
    assert 70 <= held <= 80  # of 80; 76 are expected
    assert 0.8 < np.std(scores) < 1.2


def test_tolerances_of_a_slider_crank_are_those_by_hand(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    one = example("tolerances")
    for name, part in one.parts.items():
        share = (part / one.total) ** 2
        assert one.spread.shares[name] == pytest.approx(share, abs=0.02)
    assert one.spread.deviation == pytest.approx(one.total, rel=0.03)
    assert one.spread.mean == pytest.approx(one.top, abs=2e-6)  # outputs 1 ms apart lie beside the very top
    assert math.isclose(one.spread.percentiles[50.0], one.top, abs_tol=5e-6)
    assert (tmp_path / "tolerances.png").exists()
