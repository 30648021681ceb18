"""Events at one time, at the first and at the last time of a run, and runs that go on from there."""

import pickle
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.simulate import simulate
from linkwork.compiled.variants import core_of
from linkwork.coordinates import SETS


def chain(**events):
    m = lw.gallery.double_pendulum()
    for name, event in events.items():
        m.add(name, event)
    return m


@pytest.mark.parametrize("coordinates", SETS)
def test_events_at_one_time_are_told_in_their_order(coordinates):
    m = chain(
        seen=lw.Event("t", 0.5),
        a=lw.Event("t", 0.5, then=lw.Lock("B")),
        b=lw.Event("t", 0.5, then=lw.Release("B")),
        c=lw.Event("t", 0.5),
        d=lw.Event("t", 0.5, then=lw.Lock("A")),
        e=lw.Event("t", 0.5),
    )
    run = m.simulate(1.0, every=0.1, coordinates=coordinates)
    assert [one.name for one in run.events] == ["seen", "a", "b", "c", "d", "e"]
    assert [one.before.mode("A") for one in run.events] == ["held"] * 5 + ["locked"]
    assert [one.before.mode("B") for one in run.events] == ["held", "held", "locked", "held", "held", "held"]
    assert run.events[-1].before["A.angle.rate"] == pytest.approx(0.0, abs=1e-12)
    assert len(run.t) == 11 and np.abs(run.energy.balance).max() < 1e-6


@pytest.mark.parametrize("every", [0.1, "step"])
@pytest.mark.parametrize("coordinates", SETS)
def test_an_event_at_the_last_time_happens(coordinates, every):
    m = chain(seen=lw.Event("t", "1 s"), last=lw.Event("t", 1.0, then=lw.Lock("B")))
    run = m.simulate(1.0, every=every, coordinates=coordinates)
    assert [(one.name, one.t) for one in run.events] == [("seen", 1.0), ("last", 1.0)]
    assert run.final.mode("B") == "locked" and run.final["B.angle.rate"] == pytest.approx(0.0, abs=1e-12)
    assert run.t[-1] == 1.0 and np.all(np.diff(run.t) > 0.0)
    assert run["B.angle.rate"][-1] == pytest.approx(0.0, abs=1e-12) and abs(run["B.angle.rate"][-2]) > 0.1
    # the parts are the whole, and nothing happens twice
    more = m.simulate(1.0, every=every, start=run.final, coordinates=coordinates)
    assert len(more.events) == 0
    both, whole = run + more, m.simulate(2.0, every=every, coordinates=coordinates)
    assert [one.name for one in both.events] == [one.name for one in whole.events]
    if every != "step":
        assert both["A.angle"] == pytest.approx(whole["A.angle"], abs=1e-7)
        assert both["energy.lost"] == pytest.approx(whole["energy.lost"], abs=1e-7)
    assert np.abs(both.energy.balance).max() < 1e-6


def test_the_last_time_is_kept_in_files(tmp_path):
    run = chain(last=lw.Event("t", 0.5, then=lw.Lock("B"))).simulate(0.5, every=0.1, coordinates="joint")
    run.save(tmp_path / "run.json")
    back = lw.load(tmp_path / "run.json")
    assert [(one.name, one.t, one.done) for one in back.events] == [(one.name, one.t, one.done) for one in run.events]
    assert back["B.angle.rate"].tolist() == run["B.angle.rate"].tolist() and back.final.mode("B") == "locked"
    assert run.to_pandas(["B.angle"]).shape[0] == len(run.t) == 6


def test_what_has_its_value_at_the_first_time_must_leave_it():
    m = chain(first=lw.Event("t", 0.0, then=lw.Lock("B")), falls=lw.Event("t", 0.5, direction="falling"))
    run = m.simulate(0.5, coordinates="body")
    assert len(run.events) == 0 and run.final.mode("B") == "held"
    assert chain().simulate(0.5, until={"t": 0.5}, coordinates="body").ended == ""
    most = chain(once=lw.Event("t", 0.25, most=1)).simulate(0.25, coordinates="body")
    assert len(most.events) == 1


@pytest.mark.parametrize("coordinates", SETS)
def test_a_prepared_run_gives_the_same_each_time(coordinates):
    """What is remembered of the sizes of states of laws goes on over events, and does not come from the last run."""

    def creeping(values, rates, t, numbers, memory, out, states, state_rates):
        state_rates[0] = rates[0] - 5.0 * states[0]
        out[0] = -20.0 * states[0]

    m = chain(stick=lw.Event("t", 0.3, then=lw.Lock("B")), loose=lw.Event("t", 0.6, then=lw.Release("B")))
    way = (m["A"].angle,)
    m.add("rub", lw.UserForce(reads=way, along=way, law=creeping, states={"z": 0.1}, energy="dissipates"))
    ready = m.prepare(1.0, every=0.1, coordinates=coordinates)
    first, again = ready(), ready()
    assert first["A.angle"].tolist() == again["A.angle"].tolist() and first["rub.z"].tolist() == again["rub.z"].tolist()


def test_states_that_events_have_switched_are_pickled():
    m = chain(
        stick=lw.Event("t", 0.3, then=lw.Lock("B")),
        heavy=lw.Event("t", 0.4, then=lw.Set("lower.mass", 3.0)),
        drive=lw.Event("t", 0.5, then=lw.Off("coil")),
    )
    m.add("coil", lw.TorsionSpringDamper(m.ground, "upper", stiffness=3.0))
    state = m.simulate(0.6, coordinates="body").final
    back = pickle.loads(pickle.dumps(state))
    assert back.mode("B") == "locked" and back.y.tolist() == state.y.tolist() and back.t == state.t
    cores = [core_of(one.model) for one in (state, back)]
    runs = [simulate(core, 0.5, every=0.1, start=one, coordinates="body") for core, one in zip(cores, (state, back))]
    assert runs[0]["A.angle"].tolist() == runs[1]["A.angle"].tolist()


def test_what_events_have_switched_stays_behind_and_is_told():
    def made():
        m = chain(
            stick=lw.Event("t", 0.2, then=lw.Lock("B")),
            heavy=lw.Event("t", 0.3, then=lw.Set("lower.mass", 3.0)),
            loose=lw.Event("t", 0.4, then=lw.Off("coil")),
        )
        m.add("coil", lw.TorsionSpringDamper(m.ground, "upper", stiffness=3.0))
        return m

    state, other = made().simulate(0.6, coordinates="body").final, made()
    with pytest.warns(lw.errors.MovedWarning, match="another mechanism have switched.*B.*lower.mass.*coil"):
        run = other.simulate(0.1, start=state, coordinates="body")
    assert run["coil.torque"][-1] != 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made().simulate(0.1, start=chain().simulate(0.1, coordinates="body").final, coordinates="body")
