"""Prepared runs with events and other numbers: what is watched and done is that of a mechanism that has them."""

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors

TIMES = dict(every=0.1, rtol=1e-6)


def swinging(then="3*k"):
    m = lw.Mechanism("swinging", parameters={"k": "20 N/m", "T": "0.3 s", "w": 2.0})
    a = m.add("a", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground, a.a))
    m.add("D", lw.SpringDamper(m.ground.at(1, 0.2), a.b, stiffness="k", rest_length=0.2, damping=0.1))
    m.add("moves", lw.Driver("A.angle", lw.Harmonic(0.4, "w"), active=False))
    m.add("stiffer", lw.Event("t", "T", then=lw.Set("D.stiffness", then)))
    m.add("goes", lw.Event("t", 0.6, then=[lw.On("moves"), lw.Drive("moves", lw.Harmonic(0.3, "w"), anew=True)]))
    m.add("seen", lw.Event("A.angle", 0.2))
    m.add("near", lw.Event(lw.Distance(m.ground.at(1, 0.2), a.b), 0.3, most=1))
    return m


def the_same(ready, m, numbers, **options):
    state = m.with_numbers(numbers).assemble(start={"A.angle": 0.3}, coordinates="body").state
    wanted = m.with_numbers(numbers).simulate(1.0, start=state, coordinates=ready.coordinates, **{**TIMES, **options})
    for _ in range(2):
        for run in (ready(state, numbers=numbers), ready(numbers=numbers)):
            assert np.array_equal(run.t, wanted.t), numbers
            assert np.array_equal(run._bodies.all, wanted._bodies.all), numbers
            assert np.array_equal(run["D.tension"], wanted["D.tension"])
            assert [(one.t, one.name) for one in run.events] == [(one.t, one.name) for one in wanted.events]
            assert run.mechanism == wanted.mechanism
    return wanted


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("then", [50.0, "3*k"])
def test_numbers_of_events_and_parameters_in_them(then, coordinates):
    m = swinging(then)
    ready = m.prepare(1.0, start={"A.angle": 0.3}, coordinates=coordinates, **TIMES)
    before = ready()
    for numbers in (
        {"stiffer.then.value": 200.0},
        {"stiffer.then.value": "7*k", "k": 30.0},
        {"stiffer.value": 0.5},
        {"T": "0.5 s"},
        {"k": 33.0},
        {"D.damping": 0.3},
        {"w": 3.0},
        {"goes.then.1.function.amplitude": 0.1},
        {"goes.value": 0.7},
        {"seen.value": 0.1},
        {"near.value": 0.25},
        {"a.mass": 1.3},
    ):
        run = the_same(ready, m, numbers)
        marks, known = ([(one.t, one.name) for one in of.events] for of in (run, before))
        assert marks != known or not np.array_equal(run["A.angle"], before["A.angle"]), numbers
    assert np.array_equal(ready()["A.angle"], before["A.angle"])


@pytest.mark.parametrize("until", ["near", {"A.angle": -0.2}])
def test_runs_that_wait_for_something(until):
    m = swinging()
    ready = m.prepare(1.0, start={"A.angle": 0.3}, coordinates="joint", until=until, **TIMES)
    ends = {float(the_same(ready, m, numbers, until=until).t[-1]) for numbers in ({"near.value": 0.2}, {"k": 35.0})}
    assert len(ends | {float(ready().t[-1])}) > 1


def test_limits_are_those_of_every_run_with_other_numbers():
    ready = swinging().prepare(1.0, start={"A.angle": 0.3}, coordinates="joint", most_steps=5, **TIMES)
    for _ in range(2):
        with pytest.raises(errors.RunLimitError, match="5 steps"):
            ready(numbers={"T": 0.4})
