"""Designs in numbers alone: the bits of a mechanism of its own, or the general way."""

import math
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import quick
from linkwork.analysis.in_numbers import NotHere
from linkwork.analysis.quick import QuickDesigns, _same, _values
from linkwork.analysis.sweep_task import Task
from linkwork.compiled.program import Program
from linkwork.coordinates import many
from linkwork.kernels import layout as at
from unit.analysis.quick_cases import chain, designs_of, made_ready, slider_crank


def watched():
    m = chain(2)
    m.add("low", lw.Event("J1.angle", 0.1))
    m.add("fast", lw.Event("bar1.b.y.rate", direction="rising", most=2))
    return m


CASES = {
    "events that are recorded": (watched, {"start:J0.angle": 0.7, "bar1.mass": 1.0}, ["J1.angle", "bar1.b.x"]),
    "four-bar": (
        lw.gallery.four_bar,
        {"crank.length": 1.0, "coupler.length": 3.0, "rocker.length": 2.5, "crank.mass": 1.0, "spring.stiffness": 20.0},
        ["D.angle", "coupler.tracer.x", "coupler.tracer.y.rate", "crank.angle", "B.angle.rate", "spring.length"],
    ),
    "four-bar from an angle": (
        lw.gallery.four_bar,
        {"crank.length": 1.0, "rocker.mass": 1.5, "start:A.angle": 1.1},
        ["D.angle", "A.angle", "coupler.x"],
    ),
    "chain": (
        chain,
        {**{f"start:J{k}.angle": 0.7 for k in range(5)}, "bar1.length": 0.5, "bar2.mass": 1.0},
        ["J4.angle", "bar4.b.y", "bar0.angle", "J0.angle.rate"],
    ),
    "chain that moves": (
        chain,
        {"start:J0.angle": 0.3, "start:J0.angle.rate": 2.0, "start:J3.angle.rate": -1.0, "bar1.length": 0.5},
        ["J4.angle", "bar4.b.y", "J0.angle.rate", "bar2.angle"],
    ),
    "four-bar that moves": (
        lw.gallery.four_bar,
        {"crank.length": 1.0, "coupler.mass": 1.5, "start:A.angle.rate": 3.0},
        ["D.angle", "A.angle.rate", "coupler.x.rate"],
    ),
    "bodies whose speeds are given": (
        chain,
        {"start:bar0.angle.rate": 2.0, "start:bar4.y.rate": 0.3, "bar4.mass": 1.0},
        ["J4.angle", "bar4.b.y", "bar4.y.rate"],
    ),
    "light beside others": (
        lambda: chain(4).with_numbers({"bar1.mass": 1e-3}),
        {"bar1.length": 0.5, "bar2.mass": 1.0},
        ["J3.angle", "bar2.x"],
    ),
    "turned over": (chain, {"start:J0.angle": 7.0, "start:J1.angle": -9.0}, ["J0.angle", "J1.angle", "bar1.angle"]),
    "slider-crank": (
        slider_crank,
        {"crank.length": 0.2, "rod.length": 0.6, "start:A.angle": 0.8},
        ["A.angle", "block.x", "block.angle", "rod.angle"],
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("coordinates", ["auto", "body", "joint"])
@pytest.mark.parametrize("case", CASES)
def test_quick_designs_have_the_bits_of_single_runs(case, coordinates):
    made, vary, names = CASES[case]
    task = Task(made(), "simulate", 1.0, names, None, {"coordinates": coordinates, "rtol": 1e-7, "every": 0.05})
    kind, owner = made_ready(task, designs_of(vary, 1, 0.01)[0])
    designs = [*designs_of(vary, 6, 0.01), *designs_of(vary, 6, 0.15, 1)]
    values = np.array([_values(*owner._plain(design)) for design in designs])
    found = kind.answers(values)
    went = [k for k, one in enumerate(found) if one is not None]
    assert len(went) >= 9
    for k in went:
        assert _same(found[k], task.run_alone(designs[k])), designs[k]
    for k in went[:3]:  # whichever designs are beside it
        assert _same(kind.answers(values[k : k + 1])[0], found[k])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("options", [{"method": "radau"}, {"method": "rkc"}, {"method": "rk4", "step": 0.01}])
def test_other_methods_have_the_bits_of_single_runs(options):
    _, vary, names = CASES["slider-crank"]
    vary = {**vary, "spring.stiffness": 40.0, "spring.damping": 1.0}
    task = Task(slider_crank(), "simulate", 0.3, names, None, {"every": 0.05, "coordinates": "body", **options})
    designs = designs_of(vary, 6, 0.05)
    kind, owner = made_ready(task, designs[0])
    found = kind.answers(np.array([_values(*owner._plain(design)) for design in designs]))
    assert all(_same(one, task.run_alone(design)) for one, design in zip(found, designs))


@pytest.mark.filterwarnings("ignore")
def test_the_numbers_are_those_of_another_length_and_not_of_the_first():
    """A pendulum swings with the period of its own length: 2 pi sqrt(2 L / 3 g) for a bar, small angles."""
    m = chain(1)
    lengths = [0.3 + 0.05 * k for k in range(12)]
    found = lw.sweep(
        m, {"bar0.length": lengths}, times=4.0, every=0.001, read="J0.angle", start={"J0.angle": -1.570796 + 1e-3}
    )
    for length, series in zip(lengths, found["J0.angle"].values):
        swing = series + 0.5 * np.pi
        down = np.flatnonzero((swing[:-1] > 0.0) & (swing[1:] <= 0.0))
        t = found["time"].values
        crossed = t[down] + 0.001 * swing[down] / (swing[down] - swing[down + 1])
        period = 2.0 * np.pi * np.sqrt(2.0 * length / (3.0 * 9.81))
        assert np.diff(crossed) == pytest.approx(period, rel=2e-5)


@pytest.mark.filterwarnings("ignore")
def test_programs_are_held_against_models_as_blocks_use_them(monkeypatch):
    task = Task(chain(2), "simulate", 0.1, ["J1.angle"], None, {})
    made_ready(task, {"bar1.length": 0.5})
    usual = Program.many

    def off(self, given):
        results, said = usual(self, given)
        return np.nextafter(results, 9.0), said

    monkeypatch.setattr(Program, "many", off)
    with pytest.raises(NotHere, match="cannot be followed"):
        made_ready(task, {"bar1.length": 0.5})


@pytest.mark.filterwarnings("ignore")
def test_sections_of_many_designs_are_written_in_place():
    kind, _ = made_ready(Task(chain(2), "simulate", 0.1, ["J1.angle"], None, {}), {"bar1.length": 0.5})
    system = kind.quick.body
    designs = many.Many(system.tab, np.tile(system.p, (3, 1)), system.plan.workspace)
    for key in (at.P_MASS, at.P_ROW):
        part = designs.section(key)
        assert np.shares_memory(part, designs.numbers) and np.array_equal(part[1], system.view(key))


@pytest.mark.filterwarnings("ignore")
def test_a_sweep_takes_the_quick_way_only_if_no_bit_differs(monkeypatch):
    made, vary, _ = CASES["four-bar"]
    lists = {name: [one[name] for one in designs_of(vary, 12, 0.02)] for name in vary}
    asked = {"times": 0.5, "read": ["D.angle", "coupler.tracer.x.max"], "over": "list"}
    taken = []
    usual, alone = quick.answers, Task.run_alone

    def counted(made, values, *given, **options):
        taken.extend([1] * len(values))
        return usual(made, values, *given, **options)

    monkeypatch.setattr(quick, "answers", counted)
    monkeypatch.setattr(Task, "run_alone", lambda self, design: taken.append(0) or alone(self, design))
    found = lw.sweep(made(), lists, **asked)
    assert taken.count(1) == 12 and taken.count(0) == 3  # one to make it ready and two more go both ways
    monkeypatch.setattr(QuickDesigns, "_ready", lambda self: [])
    assert lw.sweep(made(), lists, **asked).identical(found)
    assert taken.count(1) == 15  # but for those that are compared
    monkeypatch.undo()
    assert lw.sweep(made(), lists, workers=2, **asked).identical(found)

    def wrong(made, values, *given, **options):
        answers = usual(made, values, *given, **options)
        return [{**one, "D.angle": np.nextafter(one["D.angle"], 9.0)} for one in answers]

    monkeypatch.setattr(quick, "answers", wrong)
    assert lw.sweep(made(), lists, **asked).identical(found)


@pytest.mark.filterwarnings("ignore")
def test_the_next_sweep_with_the_same_question_begins_with_what_is_ready(monkeypatch):
    made, vary, _ = CASES["four-bar"]
    mechanism, alone, usual = made(), [], Task.run_alone
    monkeypatch.setattr(Task, "run_alone", lambda self, design: alone.append(design) or usual(self, design))

    def asked(names, spread=0.02, of=None, **more):
        alone.clear()
        lists = {name: [one[name] for one in designs_of(names, 12, spread)] for name in names}
        return lw.sweep(of or mechanism, lists, over="list", **{"times": 0.5, "read": "D.angle", **more}), len(alone)

    first, count = asked(vary)
    assert count == 3
    again, count = asked(vary)
    assert count == 0 and again.identical(first)
    other, count = asked(vary, 0.03)
    assert count == 0 and other.identical(asked(vary, 0.03, made())[0])
    few = dict(list(vary.items())[:2])
    assert asked(few)[1] == 3 and asked(vary, times=0.4)[1] == 3 and asked(vary, rtol=1e-6)[1] == 3
    assert asked(vary, times=np.array([0.0, 0.5]))[1] == 3  # a table of numbers is not compared
    mechanism.add("second", lw.SpringDamper("ground", "coupler.middle", stiffness=5.0, rest_length=1.0))
    held, count = asked(vary)
    assert count == 3 and not held.identical(first)


@pytest.mark.filterwarnings("ignore")
def test_a_block_that_is_stopped_has_no_answers_for_the_rest(monkeypatch):
    made, vary, names = CASES["four-bar"]
    task = Task(made(), "simulate", 5.0, names, None, {"every": 1.0})
    designs = designs_of(vary, 20, 0.01)
    all_of_them, some, asked = task.run_part(designs), [], []
    monkeypatch.setattr(many, "PER_CALL", 1)
    task.run_part(designs, some, lambda: asked.append(1) or len(asked) > 8)
    assert 1 <= len(some) < 20 and all(_same(*both) for both in zip(some, all_of_them))


def test_doubts_about_runs_are_told_as_of_one_alone():
    m = chain(3)
    vary = {"start:J0.angle": [0.1 + 0.01 * k for k in range(12)]}
    options = {"times": 3.0, "rtol": 0.02, "read": "J2.angle.last", "progress": False, "coordinates": "body"}
    with pytest.warns(lw.errors.SweepWarning, match=r"has doubts about 12 of 12 designs \(12 RunQualityWarning\)"):
        found = lw.sweep(m, vary, **options)
    words = {one.removeprefix("RunQualityWarning: ") for one in found["doubts"].values}
    with pytest.warns(lw.errors.RunQualityWarning) as wanted:
        for angle in vary["start:J0.angle"]:
            m.simulate(3.0, rtol=0.02, start={"J0.angle": angle}, coordinates="body")
    assert words == {str(one.message) for one in wanted} and len(words) > 5


def told_beside(act, *given, **options):
    """An answer, and what is warned of beside it: the kind and the words of each warning."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = act(*given, **options)
    return found, [f"{one.category.__name__}: {one.message}" for one in told]


def stopped_pendulum():
    m = chain(1)
    m.add("stop", lw.Limit("J0.angle", lower=-3.0, upper=3.0, stiffness=1e3))
    return m


def turned_crank():
    m = lw.gallery.four_bar()
    m.replace("crank", lw.bar(length=1.0, mass=1.0, angle=2.0))
    return m


def gears():
    m = lw.Mechanism("gears")
    for k, x in enumerate((0.0, 2.0)):
        m.add(f"bar{k}", lw.bar(length=0.5, mass=1.0))
        m.add(f"J{k}", lw.Revolute(m.ground.at(x, 0), f"bar{k}.a"))
    m.add("mesh", lw.Gear("bar0.a", "bar1.a", on_radius=0.8, to_radius=1.2))
    return m


def friction():
    """A law that jumps, where the pendulum turns back."""
    m = chain(1)
    m.add("friction", lw.UserForce("J0.angle", jumping, c=2.0))
    return m


def jumping(value, rate, t, c):
    return -c * math.copysign(1.0, rate)


TOLD = {
    "behind a stop, a turn away": (stopped_pendulum, {"start:J0.angle": [0.1] * 6 + [3.4, 4.0, 5.0] * 3}, {}, 9),
    "moved from where it was declared": (lw.gallery.four_bar, {"coupler.length": [3.0] * 4 + [2.8, 3.2] * 5}, {}, 10),
    "moved, and not by start values": (
        lw.gallery.four_bar,
        {"coupler.length": [3.0] * 4 + [2.8, 3.2] * 5},
        {"start": {"A.angle": 1.2}},
        10,
    ),
    "moved by start values alone": (lw.gallery.four_bar, {"start:A.angle": [0.8 + 0.05 * k for k in range(14)]}, {}, 0),
    "moved in every design": (turned_crank, {"crank.mass": [1.0 + 0.1 * k for k in range(14)]}, {}, 14),
    "gears that do not touch": (gears, {"mesh.on_radius": [0.8] * 6 + [0.7, 0.9] * 4}, {}, 8),
    "jumps of a law": (friction, {"friction.c": [0.1 + 0.05 * k for k in range(14)]}, {"times": 1.0}, 14),
}


@pytest.mark.parametrize("case", TOLD)
def test_doubts_of_a_sweep_are_the_warnings_of_single_runs(case):
    made, vary, options, least = TOLD[case]
    m, (name, values) = made(), next(iter(vary.items()))
    asked = {"progress": False, "times": 0.5, **options}

    def alone(value):
        if name.startswith("start:"):
            m.simulate(start={name[6:]: value}, coordinates="auto", **asked)
        else:
            m.with_numbers({name: value}).simulate(coordinates="auto", **asked)

    wanted = [" ".join(dict.fromkeys(told_beside(alone, value)[1])) for value in values]
    count = sum(one != "" for one in wanted)
    assert count >= least if least else not count
    for workers in (1, 2):
        found, said = told_beside(lw.sweep, m, vary, read=reads(m), workers=workers, **asked)
        assert found["doubts"].values.tolist() == wanted
        assert len(said) == min(count, 1)  # one for all of them
        assert not said or said[0].startswith(f"SweepWarning: sweep has doubts about {count} of {len(values)} designs")


def reads(m):
    return f"{next(iter(m.joints))}.angle.max"


@pytest.mark.filterwarnings("ignore::linkwork.errors.SweepWarning")
def test_a_block_of_which_no_design_is_left_ends():
    """Of a four-bar that does not close, every design falls out at the search, before speeds are looked for."""
    lengths = [3.0, 2.99, 3.01, *np.linspace(8.0, 9.0, 20)]
    found = lw.sweep(
        lw.gallery.four_bar(),
        {"coupler.length": lengths},
        times=0.1,
        read="D.angle.max",
        start={"A.angle.rate": 1.0},
        progress=False,
    )
    assert [bool(one) for one in found["failed"].values] == [False] * 3 + [True] * 20
    assert np.array_equal(np.isnan(found["D.angle.max"].values), [False] * 3 + [True] * 20)


@pytest.mark.filterwarnings("ignore")
def test_designs_without_quick_answers_are_soon_run_once(monkeypatch):
    made, vary, _ = CASES["four-bar"]
    lists = {name: [one[name] for one in designs_of(vary, 30, 0.02)] for name in vary}
    asked, alone, usual = [], [], Task.run_alone
    monkeypatch.setattr(
        quick, "answers", lambda made, values, *given, **options: asked.append(1) or [None] * len(values)
    )
    monkeypatch.setattr(Task, "run_alone", lambda self, design: alone.append(1) or usual(self, design))
    lw.sweep(made(), lists, times=0.05, read="D.angle.max", over="list", progress=False)
    assert len(alone) == 30 and len(asked) == quick.MISSED


@pytest.mark.filterwarnings("ignore")
def test_outputs_that_begin_later_than_the_run_count_the_turns_before_them():
    """The first designs turn less than half a turn until then, and would tell nothing of the last one."""
    speeds = [0.0] * 4 + [0.1 * k for k in range(7)] + [20.0]
    options = {"times": [0.5, 0.7], "t": 0.0, "start": {"J0.angle": 0.3}}
    found = lw.sweep(chain(1), {"start:J0.angle.rate": speeds}, read="J0.angle", **options)
    start = {"J0.angle": 0.3, "J0.angle.rate": 20.0}
    run = chain(1).simulate([0.5, 0.7], t=0.0, start=start, coordinates="auto")
    assert np.array_equal(found["J0.angle"][-1], run["J0.angle"]) and run["J0.angle"][0] > np.pi


@pytest.mark.filterwarnings("ignore")
def test_designs_of_another_structure_and_ones_that_fail_go_the_general_way():
    made, vary, _ = CASES["four-bar"]
    lists = {name: [one[name] for one in designs_of(vary, 12, 0.02)] for name in vary}
    lists["crank.length"][7], lists["crank.mass"][9] = 50.0, 0.0
    found = lw.sweep(made(), lists, times=0.2, read="D.angle", over="list", coordinates="joint")
    assert "cannot be assembled" in str(found["failed"].values[7])
    for k in (8, 9, 10):
        run = made().with_numbers({name: one[k] for name, one in lists.items()}).simulate(0.2, coordinates="joint")
        assert np.array_equal(found["D.angle"][k], run["D.angle"])


@pytest.mark.parametrize(
    ("made", "options", "names"),
    [
        (lw.gallery.four_bar, {"every": "step"}, ["D.angle"]),
        (lw.gallery.four_bar, {}, ["B.reaction.x"]),
        (lw.gallery.four_bar, {}, ["D.angle.acceleration"]),
        (lw.gallery.four_bar, {"near": {"A.angle.rate": 1.0}}, ["D.angle"]),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_what_is_left_to_the_general_way(made, options, names):
    task = Task(made(), "simulate", 0.2, names, None, options)
    name = "crank.length" if made is lw.gallery.four_bar else "bar0.length"
    with pytest.raises(NotHere):
        made_ready(task, {name: 1.0})
    design = {name: 1.01}
    for answer in task.run_part([design] * 4):
        assert _same(answer, task.run_alone(design))


@pytest.mark.parametrize("sure", [True, False])
def test_what_another_thread_compares_is_kept_back_until_it_is_sure(monkeypatch, sure):
    made, vary, _ = CASES["four-bar"]
    lists = {name: [one[name] for one in designs_of(vary, 8, 0.02)] for name in vary}
    designs = [dict(zip(lists, row)) for row in zip(*lists.values())]
    task = Task(made(), "simulate", 0.1, ["D.angle.max"], None, {})
    wanted = [task.run_alone(one) for one in designs]
    first, *_ = task.run_part(designs[:1])
    ways = task._designs()
    (kind,) = ways.kinds
    assert first == wanted[0] and kind.pace is not None and not kind.sure
    usual, alone = kind.looked, []

    def looked(*given, **options):
        found = usual(*given, **options)
        if sure:
            kind.compared[False] = quick.COMPARED
        ways._learning.release()  # the other thread is ready
        return found

    monkeypatch.setattr(kind, "looked", looked)
    monkeypatch.setattr(Task, "run_alone", lambda self, one: alone.append(one) or wanted[designs.index(one)])
    ways._learning.acquire()
    found = ways._guessed(designs[1:], None)
    assert found == (wanted[1:] if sure else []) and not alone and not ways._learning.locked()
    assert ways._guessed(designs[1:], None) == []  # nobody else is at it


def test_designs_are_compared_before_they_are_believed(monkeypatch):
    """Another thread may look at any time; what differed once is not begun with by the next sweep."""
    made, vary, _ = CASES["four-bar"]
    task, seen = Task(made(), "simulate", 0.1, ["D.angle.max"], None, {}), []

    def agrees(one, other):
        ways = task._designs()
        seen.append([kind.sure for kind in ways.kinds])
        if len(seen) == 3:
            ways.known[ways.question] = list(ways.kinds)  # as an earlier sweep has left them
        return len(seen) < 3

    monkeypatch.setattr(quick, "_same", agrees)
    task.run_part(designs_of(vary, 4, 0.02))
    ways = task._designs()
    assert seen == [[], [frozenset()], [frozenset()]]
    assert not ways.able and not ways.kinds[0].sure and ways.question is not None and ways.question not in ways.known
