"""Designs that events stop, in numbers alone: the bits of a mechanism of its own, whichever of them are stopped."""

import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import quick
from linkwork.analysis.in_numbers import NotHere
from linkwork.analysis.quick import COMPARED, _same, _values
from linkwork.analysis.sweep_task import Task
from unit.analysis.quick_cases import chain, designs_of, driven, made_ready, slider_crank

FOUR = {"crank.length": 1.0, "coupler.length": 3.0, "crank.mass": 1.0, "spring.stiffness": 20.0}
READ = ["D.angle", "A.angle", "crank.angle", "coupler.x", "A.angle.rate", "rocker.angle.rate"]
CHAIN = {**{f"start:J{k}.angle": 0.7 for k in range(5)}, "bar1.length": 0.5, "bar2.mass": 1.0}
READ_CHAIN = ["J4.angle", "bar4.b.y", "bar0.angle", "J0.angle.rate", "bar4.b.x"]


def four_bar(*events):
    m = lw.gallery.four_bar()
    for k, event in enumerate(events):
        m.add(f"event{k}", event)
    return m


def stopped_and_recorded():
    return four_bar(
        lw.Event("A.angle.rate", 0.5, most=1),
        lw.Event("D.angle", "120 deg", direction="rising", then=lw.Stop()),
        lw.Event("D.angle", "110 deg"),
    )


CASES = {
    "an angle": (four_bar, FOUR, READ, {"until": {"D.angle": 2.2}}),
    "a place": (four_bar, FOUR, READ, {"until": {"coupler.tracer.y": 1.9}}),
    "a rate": (lambda: four_bar(lw.Event("A.angle.rate", 0.5, then=lw.Stop())), FOUR, READ, {}),
    "a coordinate": (four_bar, FOUR, READ, {"until": {"crank.angle": "90 deg"}}),
    "an event by its name": (lambda: four_bar(lw.Event("D.angle", 2.1)), FOUR, READ, {"until": "event0"}),
    "one of several events": (stopped_and_recorded, FOUR, READ, {}),
    "none of them": (stopped_and_recorded, FOUR, READ, {"events": False, "until": {"D.angle": "9 rad"}}),
    "a chain": (chain, CHAIN, READ_CHAIN, {"until": {"J4.angle": 0.9}}),
    "the speed of a point": (chain, CHAIN, READ_CHAIN, {"until": {"bar4.b.y.rate": -1.0}}),
    "full turns": (
        chain,
        {"start:J0.angle": 7.0, "start:J1.angle": -9.0, "start:J2.angle": 0.5},
        ["J0.angle", "J1.angle", "bar1.angle", "J2.angle"],
        {"until": {"J1.angle": -9.3}},
    ),
    "a slider": (
        slider_crank,
        {"crank.length": 0.2, "rod.length": 0.6, "start:A.angle": 0.8},
        ["A.angle", "block.x", "rod.angle"],
        {"until": {"block.x": 0.75}},
    ),
    "a motor": (lambda: driven("1 + 5*t"), FOUR, READ, {"until": {"D.angle.rate": 0.0}}),
    "a ramp": (lambda: driven("0.3 + smoothstep(t, 0, 0, 0.4, 2)"), FOUR, READ, {"until": {"A.angle": 1.5}}),
}


def compared(task, designs):
    """How many outputs designs had that went the quick way; all that did have the bits of single runs."""
    kind, owner = made_ready(task, designs[0])
    values = np.array([_values(*owner._plain(design)) for design in designs])
    found = kind.answers(values)
    for k, (one, design) in enumerate(zip(found, designs)):
        assert one is None or _same(one, task.run_alone(design)), design
        if k < 2 and one is not None:  # whichever designs are beside it
            assert _same(kind.answers(values[k : k + 1])[0], one)
    return [len(one["time"]) for one in found if one is not None]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("case", CASES)
def test_stopped_designs_have_the_bits_of_single_runs(case, coordinates):
    made, vary, names, more = CASES[case]
    options = {"coordinates": coordinates, "rtol": 1e-7, "every": 0.05, **more}
    task = Task(made(), "simulate", 1.0, names, None, options)
    outputs = compared(task, [*designs_of(vary, 4, 0.02), *designs_of(vary, 4, 0.15, 1)])
    assert len(outputs) >= 7
    assert (min(outputs) < 21) == (case != "none of them")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options", [{"rtol": 1e-3}, {"rtol": 1e-11}, {"method": "radau"}, {"method": "rk4", "step": 0.01}]
)
def test_stopped_designs_by_other_methods_and_tolerances(options):
    made, vary, names, more = CASES["one of several events"]
    task = Task(made(), "simulate", 1.0, names, None, {"every": 0.05, **more, **options})
    outputs = compared(task, designs_of(vary, 6, 0.1))
    assert len(outputs) == 6 and max(outputs) < 21


def stops(name, times=1.0, start=None, **options):
    """A pendulum from some angles that stops at one of them: angles, and what `sweep` and single runs give."""
    m = chain(1)
    angles = options.pop("angles")
    asked = {"until": {name: options.pop("level")}, "every": 0.05, "start": start or {}, **options}
    found = lw.sweep(m, {"start:J0.angle": angles}, times=times, read=["J0.angle", "J0.angle.rate"], **asked)
    alone = []
    for angle in angles:
        given = {**asked, "start": {**asked["start"], "J0.angle": angle}}
        alone.append(m.simulate(times, coordinates="auto", progress=False, **given))
    return found, alone


def same_series(found, alone):
    """Whether a table has the series of single runs, and nan behind their ends."""
    times = found["time"].values
    for k, run in enumerate(alone):
        n = len(run.t)
        for name in ("J0.angle", "J0.angle.rate"):
            series = found[name].values[k]
            if not (np.array_equal(series[:n], run[name]) and np.isnan(series[n:]).all()):
                return False
        if not np.array_equal(times[k, :n] if times.ndim == 2 else times[:n], run.t):
            return False
    return True


@pytest.mark.filterwarnings("ignore")
def test_designs_that_stop_and_that_do_not_in_one_table():
    angles = [0.6 - 0.11 * k for k in range(24)]
    found, alone = stops("J0.angle", level=-0.9, angles=angles, times=0.6)
    ends = [run.t[-1] for run in alone]
    assert 3 < sum(end < 0.6 for end in ends) < 21
    assert same_series(found, alone)


@pytest.mark.filterwarnings("ignore")
def test_designs_that_begin_on_the_level_or_behind_it():
    angles = [0.2] * 2 + [0.0] * 2 + [0.1 * k for k in range(-5, 8)]
    found, alone = stops("J0.angle", level=0.0, angles=angles)
    assert same_series(found, alone)
    still, alone = stops("J0.angle.rate", level=0.0, angles=angles)  # all begin at rest, on the level
    assert same_series(still, alone)


@pytest.mark.filterwarnings("ignore")
def test_a_stop_at_the_last_time_and_at_an_output():
    """A free particle that flies steadily is at x = 1 after 1 s: the last output, and one of several."""
    m = lw.Mechanism("flight", gravity=(0, 0))
    m.add("ball", lw.Particle(mass=1.0, position=(0.0, 0.0)))
    speeds = [1.0] * 4 + [1.0 + 0.05 * k for k in range(-6, 10)]
    for times in (1.0, 2.0):
        asked = {"every": 0.25, "until": {"ball.x": 1.0}, "start": {"ball.y.rate": 0.0}, "progress": False}
        found = lw.sweep(m, {"start:ball.x.rate": speeds}, times=times, read=["ball.x", "ball.x.last"], **asked)
        for k, speed in enumerate(speeds):
            given = {**asked, "start": {"ball.y.rate": 0.0, "ball.x.rate": speed}}
            run = m.simulate(times, coordinates="auto", **given)
            assert np.array_equal(found["ball.x"].values[k][: len(run.t)], run["ball.x"])
            assert found["ball.x.last"].values[k] == pytest.approx(min(1.0, speed * times), abs=1e-9)
            assert found["time"].values[k][len(run.t) - 1] == pytest.approx(min(1.0 / speed, times), abs=1e-9)


@pytest.mark.filterwarnings("ignore")
def test_the_first_that_are_stopped_are_compared_as_well(monkeypatch):
    """Of 40 designs the first 12 come to their end: what is stopped is believed only after it was compared."""
    alone, usual, answers = [], Task.run_alone, quick.answers
    monkeypatch.setattr(Task, "run_alone", lambda self, design: alone.append(design) or usual(self, design))
    m, angles = chain(1), [-0.8 - 0.01 * k for k in range(12)] + [0.3 + 0.01 * k for k in range(28)]
    asked = {"times": 0.6, "every": 0.05, "until": {"J0.angle": -0.2}, "read": "J0.angle"}
    found = lw.sweep(m, {"start:J0.angle": angles}, **asked)
    assert len(alone) == 1 + 2 * COMPARED  # one to make it ready, and two of each
    first = [one["start:J0.angle"] for one in alone]
    assert sum(angle > 0.0 for angle in first) == COMPARED
    alone.clear()
    assert lw.sweep(m, {"start:J0.angle": angles}, **asked).identical(found) and not alone
    assert lw.sweep(chain(1), {"start:J0.angle": angles}, workers=2, **asked).identical(found)

    def wrong(made, values, *given, **options):
        found = answers(made, values, *given, **options)
        for one in found:
            if one is not None and one["stopped"]:
                one["J0.angle"] = np.nextafter(one["J0.angle"], 9.0)
        return found

    monkeypatch.setattr(quick, "answers", wrong)
    assert lw.sweep(chain(1), {"start:J0.angle": angles}, **asked).identical(found)


def test_doubts_about_stopped_runs_are_told_as_of_one_alone():
    m, angles = chain(3), [0.1 + 0.01 * k for k in range(12)]
    options = {"times": 3.0, "rtol": 0.02, "until": {"J2.angle": -2.0}, "progress": False}
    with pytest.warns(lw.errors.SweepWarning, match="doubts"):
        found = lw.sweep(m, {"start:J0.angle": angles}, read="J2.angle.last", coordinates="body", **options)
    stopped = set()
    for angle, doubts in zip(angles, found["doubts"].values):
        with warnings.catch_warnings(record=True) as wanted:
            warnings.simplefilter("always")
            stopped.add(m.simulate(start={"J0.angle": angle}, coordinates="body", **options).t[-1] < 3.0)
        assert bool(doubts) == bool(wanted) and all(str(one.message) in doubts for one in wanted)
    assert True in stopped


def test_a_level_that_looks_like_degrees_is_told_once_and_of_every_design():
    m, angles = chain(1), [0.1 + 0.01 * k for k in range(14)]
    options = {"times": 0.3, "until": {"J0.angle": 90}, "progress": False}
    with pytest.warns(lw.errors.SweepWarning, match="14 UnlikelyAngleWarning") as told:
        found = lw.sweep(m, {"start:J0.angle": angles}, read="J0.angle.last", **options)
    assert len(told) == 1 and all("degrees" in one for one in found["doubts"].values)


@pytest.mark.filterwarnings("ignore")
def test_where_a_pendulum_stops_is_what_its_energy_says():
    """A bar of length L that falls from level by 30 deg turns at the rate sqrt(3 g sin(30 deg) / L) there."""
    lengths = [0.3 + 0.02 * k for k in range(30)]
    found = lw.sweep(
        chain(1),
        {"bar0.length": lengths},
        times=5.0,
        until={"J0.angle": "-30 deg"},
        read=["J0.angle.rate.last", "J0.angle.last"],
        start={"J0.angle": 0.0},
    )
    assert found["J0.angle.last"].values == pytest.approx(-np.pi / 6, abs=1e-9)
    assert found["J0.angle.rate.last"].values == pytest.approx(-np.sqrt(3 * 9.81 * 0.5 / np.array(lengths)), rel=1e-6)


@pytest.mark.parametrize(
    ("event", "options"),
    [
        (lw.Event("A.angle", 1.2, then=lw.Lock("A")), {}),
        (lw.Event("A.angle", 1.2, then=(lw.Off("spring"), lw.Stop())), {}),
        (lw.Event("A.angle", 1.2, then=lambda state: lw.Stop()), {}),
        (lw.Event("B.reaction.x", 1.2, then=lw.Stop()), {}),
        (lw.Event("A.angle.acceleration", 0.1, then=lw.Stop()), {}),
        (lw.Event("t", 0.1, then=lw.Stop()), {}),
        (lw.Event(lambda state: state["A.angle"] - 1.2, then=lw.Stop()), {}),
        (lw.Event("A.angle", 1.2), {"until": "rest"}),
        (lw.Event("A.angle", 1.2, then=lw.Stop()), {"until": {"t": 0.1}}),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_events_that_are_left_to_the_general_way(event, options):
    task = Task(four_bar(event), "simulate", 0.2, ["D.angle"], None, options)
    with pytest.raises(NotHere):
        made_ready(task, {"crank.length": 1.0})
