"""Runs that begin alike begin with the same state, unless something has changed or has to be said again."""

import math

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import started as module
from linkwork.errors import MovedWarning

START = {"A.angle": 1.3}


@pytest.fixture
def assembled(monkeypatch):
    """How often something was assembled."""
    calls = []
    plain = module.assemble
    monkeypatch.setattr(module, "assemble", lambda *given, **options: calls.append(options) or plain(*given, **options))
    return calls


def run(m, **options):
    return m.simulate(0.05, **{"every": 0.01, "coordinates": "joint", "start": START, **options})


def test_the_second_run_begins_with_the_state_of_the_first_and_has_its_bits(assembled):
    m = lw.gallery.four_bar()
    first = run(m)
    again, finer = run(m), run(m, rtol=1e-10)
    assert len(assembled) == 1
    fresh = run(lw.gallery.four_bar(), rtol=1e-10)
    np.testing.assert_array_equal(first["D.angle"], again["D.angle"])
    np.testing.assert_array_equal(finer["D.angle"], fresh["D.angle"])


@pytest.mark.parametrize(
    "other", [{"start": {"A.angle": 1.2}}, {"t": 0.01}, {"near": {"D.angle": 1.0}}, {"coordinates": "body"}]
)
def test_another_start_is_assembled(assembled, other):
    m = lw.gallery.four_bar()
    run(m)
    found, fresh = run(m, **other), run(lw.gallery.four_bar(), **other)
    assert len(assembled) == 3
    np.testing.assert_array_equal(found["D.angle"], fresh["D.angle"])


def test_a_mechanism_that_has_changed_is_assembled(assembled):
    m = lw.gallery.four_bar()
    run(m)
    m.add("damper", lw.TorsionSpringDamper(m.ground.at(0, 0), m.bodies["crank"].a, damping=1.0))
    run(m)
    assert len(assembled) == 2


def test_a_state_that_somebody_wrote_in_is_not_taken(assembled):
    m = lw.gallery.four_bar()
    wanted = run(m)["A.angle"]
    ready = m.prepare(0.05, every=0.01, coordinates="joint", start=START)
    ready.state.y[0] += 0.1
    np.testing.assert_array_equal(run(m)["A.angle"], wanted)
    assert len(assembled) == 2


def test_what_was_said_is_said_again():
    m = lw.Mechanism("pendulum")
    arm = m.add("arm", lw.bar(length=1.0, mass=1.0, position=(0.7, 0.0), angle=0.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), arm.a))
    for _ in range(2):
        with pytest.warns(MovedWarning):
            m.simulate(0.1, coordinates="body")


def test_functions_in_python_may_have_changed(assembled):
    turned = {"by": 0.5}
    m = lw.Mechanism("driven")
    arm = m.add("arm", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), arm.a))
    m.add("motor", lw.Driver(m.joints["A"].angle, lw.Callable(lambda t: turned["by"] + math.sin(t) * t)))
    first = m.simulate(0.1, every=0.1, coordinates="body")["A.angle"][0]
    turned["by"] = 0.7
    second = m.simulate(0.1, every=0.1, coordinates="body")["A.angle"][0]
    assert (round(first, 12), round(second, 12)) == (0.5, 0.7) and len(assembled) == 2


def test_few_states_are_kept():
    m = lw.gallery.four_bar()
    for angle in (1.0, 1.1, 1.2, 1.3, 1.0, 1.4):
        run(m, start={"A.angle": angle})
    assert len(m.compile().__dict__["_started"]) == module.KEPT
