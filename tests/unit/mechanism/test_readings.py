"""Readings: measures that are only looked at."""

import numpy as np
import pytest

import linkwork as lw
from linkwork import gallery
from linkwork.errors import DescriptionError, LinkworkError, OutOfPlaneError, UnknownNameError


def four_bar():
    m = gallery.four_bar()
    m.add("clearance", lw.Reading(lw.Distance(m.ground.at(0, 2), m["coupler"].tracer)))
    m.add("seen", lw.Reading(lw.Direction(m.ground.at(1, -2), m["coupler"].b)))
    m.add("blade", lw.Reading(lw.Slip(m.ground.at(), m["coupler"].at(), "y")))
    m.add("sum", lw.Reading(lw.Sum((1.0, m["A"].angle), (-2.0, m["D"].angle))))
    return m


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_a_reading_reads(coordinates):
    run = four_bar().simulate(1.0, every=0.005, rtol=1e-10, coordinates=coordinates)
    d = run["coupler.tracer"] - [0.0, 2.0]
    assert run["clearance.value"] == pytest.approx(np.hypot(*d.T))
    assert run["clearance.value.rate"] == pytest.approx(np.sum(d * run["coupler.tracer.rate"], axis=1) / np.hypot(*d.T))
    d = run["coupler.b"] - [1.0, -2.0]
    assert np.tan(run["seen.value"]) == pytest.approx(d[:, 1] / d[:, 0])
    angle, velocity = run["coupler.angle"], run["coupler.rate"]
    speed = -np.sin(angle) * velocity[:, 0] + np.cos(angle) * velocity[:, 1]
    assert run["blade.speed"] == pytest.approx(speed, abs=1e-12)
    slope = (speed[:-4] - 8 * speed[1:-3] + 8 * speed[3:-1] - speed[4:]) / 0.06
    assert run["blade.speed.rate"][2:-2] == pytest.approx(slope, abs=1e-3)
    assert run["sum.value"] == pytest.approx(run["A.angle"] - 2.0 * run["D.angle"])
    assert [run.unit(name) for name in ("clearance.value.rate", "seen.value", "blade.speed", "blade.speed.rate")] == [
        "m/s", "rad", "m/s", "m/s^2"]  # fmt: skip
    assert {"clearance.value", "seen.value", "blade.speed"} <= set(run.names)
    for name in ("blade.value", "clearance.speed", "blade.speed.acceleration"):
        with pytest.raises(UnknownNameError):
            run[name]


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_it_has_no_part_in_the_motion(coordinates):
    plain = gallery.four_bar().simulate(1.0, coordinates=coordinates)
    read = four_bar().simulate(1.0, coordinates=coordinates)
    assert np.array_equal(plain.final.y, read.final.y)
    assert np.array_equal(plain.model.plan(coordinates).parameters, read.model.plan(coordinates).parameters)
    assert plain.statistics.evaluations == read.statistics.evaluations


def test_it_may_be_a_start_value():
    m = four_bar()
    known = m.assemble(start={"A.angle": 0.9}, coordinates="body").state
    far = known["clearance.value"]
    state = m.assemble(start={"clearance.value": far}, near={"crank.angle": 1.0}, coordinates="body").state
    assert state["clearance.value"] == pytest.approx(far, abs=1e-12)
    assert state["crank.angle"] == pytest.approx(0.9, abs=1e-9)
    state = m.assemble(start={"A.angle": 1.0, "blade.speed": 0.4}, coordinates="body").state
    assert state["blade.speed"] == pytest.approx(0.4, abs=1e-12)


def test_it_goes_through_a_file_and_a_copy():
    m = four_bar()
    assert lw.read(lw.to_text(m)) == m == m.copy()
    assert list(m.copy().readings) == ["clearance", "seen", "blade", "sum"]
    assert m != gallery.four_bar()
    assert lw.digest(m) != lw.digest(gallery.four_bar())


def test_wrong_use():
    m = gallery.four_bar()
    with pytest.raises(DescriptionError, match="measure"):
        lw.Reading(1.0)
    with pytest.raises(DescriptionError, match="two items of one name"):
        m.add("A", lw.Reading(m["A"].angle))
    other = lw.Mechanism("other")
    stranger = other.add("stranger", lw.Body(1.0, 1.0))
    with pytest.raises(UnknownNameError, match="stranger"):
        m.add("far", lw.Reading(lw.Distance(m.ground.at(), stranger.at(1, 1))))
    m.add("lean", lw.Reading(lw.Offset(m["crank"].a, m["rocker"].a, "z")))
    with pytest.raises(OutOfPlaneError, match="Reading 'lean'"):
        m.simulate(0.1, coordinates="body")
    m = gallery.four_bar()
    dot = m.add("dot", lw.Particle(1.0))
    m.add("spin", lw.Reading(lw.Angle(m.ground.at(), dot.at())))
    with pytest.raises(LinkworkError, match="Particle"):
        m.check(coordinates="body")
