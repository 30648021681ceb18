"""Driven designs in numbers alone: drivers and functions of time have the bits of a mechanism of its own."""

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import quick
from linkwork.analysis.in_numbers import NotHere
from linkwork.analysis.quick import _same, _values
from linkwork.analysis.sweep_task import Task
from linkwork.compiled.in_time import value_at, what_breaks
from linkwork.tape import Tape, plainly
from unit.analysis.quick_cases import chain, designs_of, driven, made_ready, slider_crank

FOUR = {"crank.length": 1.0, "coupler.length": 3.0, "crank.mass": 1.0, "spring.stiffness": 20.0}
READ = ["D.angle", "A.angle", "crank.angle", "coupler.x", "A.angle.rate", "rocker.angle.rate"]


def pushed():
    m = lw.gallery.four_bar()
    m.add("push", lw.PointForce("rocker.b", y="5*sin(3*t)"))
    return m


CASES = {
    "at a steady speed": (lambda: driven("60 rpm*t"), FOUR, READ),
    "turned over": (lambda: driven("400 deg + 9*t"), FOUR, READ),
    "backwards": (lambda: driven("-400 deg - 9*t"), FOUR, READ),
    "a body": (lambda: driven("1 + 9*t", measure="crank.angle"), FOUR, READ),
    "from where it is": (lambda: driven("2*sin(t) + 1", from_assembled=True), {**FOUR, "start:A.angle": 1.1}, READ),
    "a speed": (lambda: driven("2*cos(t)", level="speed"), FOUR, READ),
    "a speed from an angle": (lambda: driven("2.0", level="speed"), {**FOUR, "start:A.angle": 1.1}, READ),
    "numbers of its function": (
        lambda: driven("phi + omega*t", parameters={"phi": 7.7, "omega": 9.0}),
        {"phi": 7.7, "omega": 9.0, "crank.length": 1.0},
        READ,
    ),
    "a formula": (
        lambda: driven("phi*cos(omega*t)**2 + sqrt(9)/3", parameters={"phi": 0.7, "omega": 3.0}),
        {"phi": 0.7, "omega": 3.0},
        READ,
    ),
    "a ramp": (lambda: driven(lw.SpeedRamp(0.0, 0.0, 0.3, 5.0)), FOUR, READ),
    "a step": (lambda: driven("0.3 + smoothstep(t, 0, 0, 0.4, 2)"), FOUR, READ),
    "slider-crank": (
        lambda: driven("1 + 5*t", slider_crank),
        {"crank.length": 0.2, "rod.length": 0.6, "rod.mass": 2.0},
        ["A.angle", "block.x", "block.angle", "rod.angle"],
    ),
    "one joint of a chain": (
        lambda: driven("a*sin(2*t)", chain, "J1.angle", {"a": 0.7}),
        {"a": 0.7, "bar1.length": 0.5, "start:J0.angle": 0.3, "start:J3.angle.rate": 1.0},
        ["J4.angle", "bar4.b.y", "J0.angle.rate", "J1.angle"],
    ),
    "a force": (pushed, FOUR, READ),
}


def compared(task, designs):
    """How many designs went the quick way; all that did have the bits of single runs."""
    kind, owner = made_ready(task, designs[0])
    found = kind.answers(np.array([_values(*owner._plain(design)) for design in designs]))
    for one, design in zip(found, designs):
        assert one is None or _same(one, task.run_alone(design)), design
    return sum(one is not None for one in found)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("coordinates", ["body", "joint"])
@pytest.mark.parametrize("case", CASES)
def test_driven_designs_have_the_bits_of_single_runs(case, coordinates):
    made, vary, names = CASES[case]
    task = Task(made(), "simulate", 1.0, names, None, {"coordinates": coordinates, "rtol": 1e-7, "every": 0.05})
    assert compared(task, [*designs_of(vary, 4, 0.02), *designs_of(vary, 3, 0.1, 1)]) == 7


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "options", [{"rtol": 1e-3}, {"rtol": 1e-11}, {"method": "radau"}, {"method": "rk4", "step": 0.01}]
)
def test_driven_designs_by_other_methods_and_tolerances(options):
    made, vary, names = CASES["numbers of its function"]
    task = Task(made(), "simulate", 0.5, names, None, {"every": 0.05, **options})
    assert compared(task, designs_of(vary, 5, 0.05)) == 5


@pytest.mark.filterwarnings("ignore")
def test_driven_designs_that_begin_later():
    made, vary, names = CASES["slider-crank"]
    task = Task(made(), "simulate", np.linspace(0.5, 1.0, 11), names, None, {})
    assert compared(task, designs_of(vary, 5, 0.05)) == 5


@pytest.mark.filterwarnings("ignore")
def test_a_motor_of_another_speed_turns_at_that_speed(monkeypatch):
    """The crank is where phi + omega t says, and the same by threads."""
    taken, usual = [], quick.answers
    monkeypatch.setattr(
        quick,
        "answers",
        lambda made, values, *given, **more: taken.append(len(values)) or usual(made, values, *given, **more),
    )
    m = driven("phi + omega*t", parameters={"phi": 0.5, "omega": 3.0})
    vary = {"omega": [3.0 + 0.1 * k for k in range(20)], "phi": [0.5 + 0.3 * k for k in range(20)]}
    asked = {"times": 1.0, "every": 0.1, "read": ["A.angle", "A.angle.rate"], "over": "list", "progress": False}
    found = lw.sweep(m, vary, **asked)
    assert sum(taken) >= 19
    wanted = np.array(vary["phi"])[:, None] + np.array(vary["omega"])[:, None] * found["time"].values
    assert np.abs(found["A.angle"].values - wanted).max() < 1e-9
    assert np.abs(found["A.angle.rate"].values - np.array(vary["omega"])[:, None]).max() < 1e-9
    assert lw.sweep(m, vary, workers=2, **asked).identical(found)


@pytest.mark.filterwarnings("ignore")
def test_designs_that_a_driver_leads_into_a_dead_centre_go_the_general_way():
    m = driven("94.125 deg + 0.5*t", measure="D.angle")
    lengths = [2.5 + 0.01 * k for k in range(14)]
    found = lw.sweep(m, {"rocker.length": lengths}, times=0.3, read="A.angle.max", progress=False)
    fine = found["failed"].values == ""
    assert fine.all()
    late = lw.sweep(m, {"rocker.length": lengths}, times=3.0, read="A.angle.max", progress=False)
    assert all("dead centre" in str(one) for one in late["failed"].values)
    assert np.isnan(late["A.angle.max"].values).all()


@pytest.mark.filterwarnings("ignore")
def test_a_driver_that_some_designs_cannot_meet():
    m = driven("1 + 5*t")
    lengths = [1.0 + 0.005 * k for k in range(12)] + [9.0, 12.0]
    found = lw.sweep(m, {"crank.length": lengths}, times=0.2, read="D.angle.last", progress=False)
    assert [bool(one) for one in found["failed"].values] == [False] * 12 + [True] * 2
    for k in (0, 5, 11):
        run = m.with_numbers({"crank.length": lengths[k]}).simulate(0.2, coordinates="auto")
        assert found["D.angle.last"].values[k] == run["D.angle"][-1]


@pytest.mark.filterwarnings("ignore")
def test_functions_that_break_elsewhere_are_told_apart():
    """Only designs whose function steps where that of the first does go its way."""
    m = driven("a + smoothstep(t, 0, 0, b, 2)", parameters={"a": 0.3, "b": 0.4})
    task = Task(m, "simulate", 1.0, READ, None, {"every": 0.05})
    designs = [{"a": 0.3, "b": 0.4, "crank.length": 1.0 + 0.01 * k} for k in range(4)] + [
        {"a": 0.3, "b": 0.5, "crank.length": 1.0}
    ]
    assert compared(task, designs) == 4


@pytest.mark.filterwarnings("ignore")
def test_a_function_without_a_value_is_told_as_of_one_alone():
    m = driven("a**(1 + t) + 1", parameters={"a": 1.0})
    values = [1.0 - 0.05 * k for k in range(14)] + [-0.2]
    found = lw.sweep(m, {"a": values}, times=0.2, read="D.angle.last", progress=False)
    assert "no finite number" in str(found["failed"].values[-1]) and not any(found["failed"].values[:-1])


@pytest.mark.parametrize(
    ("made", "options"),
    [
        (lambda: driven("abs(sin(4*t))*0.1", measure="A.angle", level="speed"), {}),  # bends
        (lambda: driven(lw.SpeedRamp(0.0, 0.0, 0.1, 5.0)), {"method": "rk4", "step": 0.01}),
        (lambda: driven("1 + t"), {"start": {"A.angle": 1.0}}),  # somebody has to compare both
        (lambda: driven("1 + t"), {"start": {"A.angle.rate": 1.0}}),
        (lambda: driven("1 + t"), {"t": 0.1}),  # declared bodies are moved by time alone
        (lambda: driven(lambda t: 1.0 + t), {}),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_driven_designs_that_are_left_to_the_general_way(made, options):
    task = Task(made(), "simulate", 1.0, ["D.angle"], None, options)
    with pytest.raises(NotHere):
        made_ready(task, {"crank.length": 1.0})


@pytest.mark.parametrize(
    "text", ["phi", "phi*t**2 - 3", "-(phi + t)/2", "sin(phi*t) + sqrt(phi)", "min(phi, t) + max(phi, 2)", "phi**t"]
)
def test_values_of_functions_are_followed(text):
    made = [lw.Expression(text, {"phi": phi}) for phi in (Tape([0.7]).given[0], 0.7)]
    for t in (0.0, 0.3, 1.7):
        assert plainly(value_at(made[0], t)) == pytest.approx(value_at(made[1], t), rel=1e-14)


def test_what_breaks_says_numbers_only_where_they_matter():
    one, other = (lw.Expression("a*sin(w*t)/3", {"a": 1.0, "w": w}) for w in (2.0, 5.0))
    assert what_breaks(one) == what_breaks(other) != what_breaks(lw.Expression("a*cos(w*t)/3", {"a": 1.0, "w": 2.0}))
    assert what_breaks(lw.Polynomial(1.0, 2.0)) == what_breaks(lw.Polynomial(3.0, 4.0))
    for text in ("abs(w*t)", "1/(t - w)", "(t + w)**0.5", "smoothstep(t, 0, 0, w, 1)", "tan(w*t)"):
        one, other = (lw.Expression(text, {"w": w}) for w in (2.0, 5.0))
        assert what_breaks(one) != what_breaks(other), text
    assert what_breaks(lw.SpeedRamp(0, 0, 1, 2)) != what_breaks(lw.SpeedRamp(0, 0, 2, 2))
