"""Stops that are hit between two outputs are told."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.result.blows import unseen_blows


def bell(stiffness=2e4):
    m = lw.Mechanism("bell")
    rod = m.add("rod", lw.bar(length=0.8, mass=1.5))
    m.add("A", lw.Revolute("ground", rod.a))
    m.add("stop", lw.Limit("A.angle", lower="-120 deg", stiffness=stiffness, damping=5.0))
    return m


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_a_blow_between_outputs_is_told(coordinates):
    run = bell().simulate(1.0, every=0.025, start={"A.angle": 0.0}, coordinates=coordinates)
    assert unseen_blows(run)["stop"] == [pytest.approx((0.5, 0.525))]
    words = "stop 'stop' is hit between outputs, first from t = 0.5 to 0.525 s"
    assert words in str(run) and words in str(run.extremes("stop.torque"))


def test_one_that_outputs_show_is_not():
    for options in ({"every": "step"}, {"every": 1e-4}):
        run = bell().simulate(1.0, start={"A.angle": 0.0}, coordinates="joint", **options)
        assert run["stop.torque"].max() > 1000.0 and not unseen_blows(run)
        assert "between outputs" not in str(run)
    soft = bell(50.0).simulate(5.0, every=0.01, start={"A.angle": 0.0}, coordinates="joint")
    assert not unseen_blows(soft)  # it is touched for long


def test_nothing_is_told_where_no_stop_is_near():
    m = bell()
    m.add("other", lw.Limit("A.angle", upper="90 deg", stiffness=2e4))
    run = m.simulate(1.0, every=0.025, start={"A.angle": 0.0}, coordinates="body")
    assert set(unseen_blows(run)) == {"stop"}
    assert not unseen_blows(lw.gallery.double_pendulum().simulate(1.0, every=0.3, coordinates="body"))


def test_long_runs_and_events_have_it_too(tmp_path):
    m = bell()
    run = m.simulate(1.0, every=0.025, start={"A.angle": 0.0}, store=tmp_path / "night", coordinates="body")
    assert "between outputs" in str(run) and "between outputs" in str(lw.load(tmp_path / "night"))
    m.add("caught", lw.Event("A.angle", "-100 deg", direction="rising", then=lw.Lock("A")))
    run = m.simulate(2.0, every=0.025, start={"A.angle": 0.0}, coordinates="body")
    assert len(run.events) == 1 and len(unseen_blows(run)["stop"]) == 1


def test_no_error_is_promised_of_forces_that_no_output_shows():
    run = bell().simulate(1.0, every=0.025, start={"A.angle": 0.0}, coordinates="joint")
    assert run.extremes("stop.torque").greatest.error == np.inf
    assert run.extremes("A.reaction.magnitude").greatest.error == np.inf
    assert run.extremes("A.angle").greatest.error < 0.1
