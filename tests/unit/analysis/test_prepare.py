"""Motions made ready: the same numbers as `simulate`, from many states, with the same checks."""

import inspect
from dataclasses import replace

import numpy as np
import pytest

import linkwork as lw
from linkwork import errors
from linkwork.analysis.progress import Progress


def four_bar(spring=True):
    m = lw.Mechanism("four-bar")
    crank = m.add("crank", lw.bar(length=1.0, mass=1.0))
    coupler = m.add("coupler", lw.bar(length=3.0, mass=2.0))
    rocker = m.add("rocker", lw.bar(length=2.5, mass=1.5))
    m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, coupler.a))
    m.add("C", lw.Revolute(coupler.b, rocker.b))
    m.add("D", lw.Revolute(m.ground.at(3.2, 0), rocker.a))
    if spring:
        m.add("S", lw.SpringDamper(m.ground.at(0, 3), coupler.middle, stiffness=20.0, rest_length=1.0, damping=0.5))
    return m


@pytest.mark.parametrize("coordinates", ["body", "joint", "auto"])
@pytest.mark.parametrize("options", [{}, {"method": "rk4", "step": 1e-3}, {"rtol": 1e-5, "method": "dopri5"}])
def test_equal_to_simulate_bit_for_bit_again_and_again(coordinates, options):
    m = four_bar()
    ready = m.prepare(1.0, every=0.1, start={"A.angle": 1.0}, coordinates=coordinates, **options)
    wanted = m.simulate(1.0, every=0.1, start={"A.angle": 1.0}, coordinates=coordinates, **options)
    runs = [ready() for _ in range(3)]
    for run in runs:
        assert run.coordinates == wanted.coordinates == ready.coordinates
        for name in ("D.angle", "B.reaction.x", "S.tension", "energy.balance"):
            assert np.array_equal(run[name], wanted[name]), name
    assert runs[0].stored()["states"] is not runs[1].stored()["states"]


def test_other_states_do_not_mix():
    m = four_bar()
    ready = m.prepare(0.5, every=0.1, start={"A.angle": 1.0}, coordinates="joint")
    states = [
        m.assemble(start={"A.angle": angle, "A.angle.rate": rate}, coordinates="joint").state
        for angle, rate in ((0.5, 0.0), (1.5, -2.0), (1.0, 3.0))
    ]
    first = [ready(state) for state in states]
    for run, state in zip(first, states):
        assert np.array_equal(run["D.angle"], m.simulate(0.5, every=0.1, start=state, coordinates="joint")["D.angle"])
    for run, state in zip(first, reversed([ready(state) for state in reversed(states)])):
        assert np.array_equal(run["C.reaction.y"], state["C.reaction.y"])


def test_in_space_with_memory_and_python_laws():
    m = lw.Mechanism("arm", dimension=3)
    arm = m.add("arm", lw.box(1.0, 0.1, 0.1, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0, 0, axis=(0, 1, 0.3)), arm.at(-0.5, 0, 0, axis=(0, 1, 0.3))))
    seen = []

    def law(value, rate, t):
        seen.append(t)
        return -2.0 * value

    m.add("T", lw.UserForce(m["A"].angle, law, energy="drives"))
    with pytest.warns(RuntimeWarning, match="cannot be compiled"):
        ready = m.prepare(0.3, start={"A.angle": "7 rad"})
    one, two = ready(), ready()
    assert one["A.angle"][0] == pytest.approx(7.0) and np.array_equal(one["A.angle"], two["A.angle"]) and seen


def test_a_state_is_checked_as_by_simulate():
    m = four_bar()
    ready = m.prepare(0.2, start={"A.angle": 1.0}, coordinates="joint")
    state = ready.state
    moved = state.y.copy()
    moved[0] += 0.01
    with pytest.raises(errors.AssemblyError, match="violates"):
        ready(replace(state, y=moved))
    faster = state.y.copy()
    faster[state.model.n_q] += 0.3
    with pytest.warns(errors.MovedWarning):
        ready(replace(state, y=faster))
    with pytest.raises(errors.DescriptionError, match="another time"):
        ready(replace(state, t=0.1))
    with pytest.raises(errors.DescriptionError, match="got no state"):
        ready({"A.angle": 1.0})
    assert np.array_equal(ready()["D.angle"], m.simulate(0.2, start=state, coordinates="joint")["D.angle"])


def test_a_state_that_is_changed_in_place_is_looked_at_again():
    m = four_bar()
    ready = m.prepare(0.2, start={"A.angle": 1.0}, coordinates="joint")
    state = m.assemble(start={"A.angle": 0.7}, coordinates="joint").state
    ready(state)
    state.y[0] += 0.01
    with pytest.raises(errors.AssemblyError, match="violates"):
        ready(state)


def test_its_own_state_is_looked_at_too():
    m = four_bar()
    ready = m.prepare(0.2, start={"A.angle": 1.0}, coordinates="joint")
    ready()
    ready.state.y[0] += 0.2
    with pytest.raises(errors.AssemblyError, match="violates"):
        ready()


def test_a_failed_run_does_not_spoil_the_next():
    m = lw.Mechanism("pendulum")
    rod = m.add("rod", lw.bar(length=1.0, mass=1.0))
    m.add("A", lw.Revolute(m.ground.at(0, 0), rod.a))
    m.add("F", lw.UserForce(m["A"].angle, lambda value, rate, t: 1.0 / (value - 0.2) if value > 0.19 else 0.0))
    still, thrown = (
        m.assemble(start={"A.angle": -1.0, "A.angle.rate": rate}, coordinates="joint").state for rate in (0.0, 30.0)
    )
    ready = m.prepare(0.1, start=still)
    before = ready()
    with pytest.raises(errors.AnalysisError):
        ready(thrown)
    assert np.array_equal(ready()["A.angle"], before["A.angle"])


def test_arguments_that_it_does_not_take_are_told():
    ready = lw.gallery.pendulum().prepare(0.1)
    with pytest.raises(lw.errors.ArgumentError, match=r"Prepared has no argument 'start'.*Perhaps state is meant"):
        ready(start={"A.angle": 1.0})


def test_what_it_is_is_shown():
    assert "four-bar" in repr(four_bar().prepare(0.2, start={"A.angle": 1.0}))


def test_every_option_of_simulate_but_progress_which_is_one_of_a_call():
    def options(function):
        return set(inspect.signature(function).parameters)

    assert options(lw.simulate) - options(lw.prepare) == {"progress", "store", "checkpoint"}
    assert "progress" in options(lw.Prepared.__call__)
    assert options(lw.prepare) - options(lw.simulate) == {"read"}


def test_limits_are_those_of_every_run():
    m = four_bar()
    tries = m.simulate(1.0, start={"A.angle": 1.0}, coordinates="joint").statistics
    tries = tries.steps + tries.rejected
    enough = m.prepare(1.0, start={"A.angle": 1.0}, coordinates="joint", most_steps=tries)
    assert enough().t[-1] == enough().t[-1] == 1.0  # the second run has as many as the first
    short = m.prepare(1.0, start={"A.angle": 1.0}, coordinates="joint", most_steps=tries - 1)
    for _ in range(2):
        with pytest.raises(errors.RunLimitError) as caught:
            short()
        found = caught.value.result.statistics
        assert found.steps + found.rejected == tries - 1
    with pytest.raises(errors.DescriptionError, match="most_seconds"):
        m.prepare(1.0, start={"A.angle": 1.0}, coordinates="joint", most_seconds=-1.0)


def test_states_as_they_are():
    m = four_bar()
    state = m.assemble(start={"A.angle": 1.0}, coordinates="body").state
    y = state.y.copy()
    y[0] += 0.01
    opened = replace(state, y=y)
    options = {"coordinates": "body", "correct": False, "constraints": "none"}
    ready = m.prepare(0.1, start=state, **options)
    with pytest.warns(errors.RunQualityWarning, match="not kept"):
        run, wanted = ready(opened), m.simulate(0.1, start=opened, **options)
    assert np.array_equal(run["crank.x"], wanted["crank.x"]) and run.manifest["correct"] is False
    assert run["crank.x"][0] == pytest.approx(state["crank.x"] + 0.01, abs=1e-12)
    with pytest.raises(errors.DescriptionError, match="open where joint coordinates are closed"):
        m.prepare(0.1, start=state, **{**options, "coordinates": "joint"})(opened)
    with pytest.raises(errors.DescriptionError, match="not finite"):
        ready(replace(state, y=np.full_like(y, np.nan)))
    with pytest.raises(errors.DescriptionError, match="correct=False"):
        m.prepare(0.1, start={"A.angle": 1.0}, **options)


def test_progress_is_shown_where_asked_for(capsys, monkeypatch):
    for wait in ("AFTER", "EVERY"):
        monkeypatch.setattr(Progress, wait, 0.0)
    ready = four_bar().prepare(20.0, start={"A.angle": 1.0}, coordinates="joint")
    ready()
    assert "four-bar" not in capsys.readouterr().err
    ready(progress=True)
    assert "four-bar" in capsys.readouterr().err


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_names_that_will_be_read_are_found_with_the_run(coordinates):
    m = four_bar()
    names = ["coupler.middle", "rocker.b.x.rate", "S.length", "D.angle", "B.reaction.x", "energy.balance", "t"]
    ready = m.prepare(0.5, every=0.1, start={"A.angle": 1.0}, coordinates=coordinates, read=names)
    for state in (ready.state, m.assemble(start={"A.angle": 0.4}, coordinates="body").state, ready.state):
        run = ready(state)
        assert {"coupler.middle.x", "coupler.middle.y", "rocker.b.x.rate", "S.length"} == set(run._cache)
        wanted = m.simulate(0.5, every=0.1, start=state, coordinates=coordinates)
        for name in names:
            assert run[name] == pytest.approx(wanted[name], rel=1e-12, abs=1e-12), name
    other = ready(numbers={"S.stiffness": 25.0})["S.length"]
    wanted = m.with_numbers({"S.stiffness": 25.0}).simulate(0.5, every=0.1, start=ready.state, coordinates=coordinates)
    assert other == pytest.approx(wanted["S.length"], rel=1e-12)
    numbers = {"crank.length": 1.1}
    state = m.with_numbers(numbers).assemble(start={"A.angle": 1.0}, coordinates="body").state
    wanted = m.with_numbers(numbers).simulate(0.5, every=0.1, start=state, coordinates=coordinates)
    assert ready(state, numbers=numbers)["S.length"] == pytest.approx(wanted["S.length"], rel=1e-12)
    with pytest.raises(errors.UnknownNameError, match=r"coupler\.midle"):
        m.prepare(0.5, start={"A.angle": 1.0}, read="coupler.midle")


def test_names_to_read_in_space():
    m = lw.gallery.spatial_chain()
    names = [f"{body}.{axis}" for body in m.bodies for axis in "xyz"]
    ready = m.prepare(0.3, every=0.1, read=names)
    run, wanted = ready(), m.simulate(0.3, every=0.1, start=ready.state, coordinates=ready.coordinates)
    assert set(run._cache) == set(names)
    for name in names:
        assert run[name] == pytest.approx(wanted[name], rel=1e-12, abs=1e-12), name
