"""Sweeps: the numbers of single runs, in a table, whoever ran them."""

import os

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis.design_table import DesignTable, design_table, numbers_of
from linkwork.analysis.sweep_table import SweepTable
from linkwork.errors import (
    DescriptionError,
    FileError,
    LinkworkError,
    MissingPackageError,
    SweepWarning,
    UnitError,
    UnknownNameError,
)
from linkwork.files import packs

xarray = pytest.importorskip("xarray")

VARY = {"spring.stiffness": [10.0, 20.0, 40.0], "start:A.angle": [1.0, 1.2]}
OPTIONS = {"times": 0.5, "read": ["D.angle", "D.angle.max"], "coordinates": "joint"}


def steps(run):
    """What a run took, and its greatest angle."""
    return {"steps": run.statistics.steps, "top": run["D.angle"].max()}


def broken(run):
    if run.mechanism.forces["spring"].stiffness > 15:
        raise ZeroDivisionError("no such thing")
    return 1.0


def sweep(m, vary=VARY, **options):
    return lw.sweep(m, vary, **{**OPTIONS, **options})


def test_a_grid_has_the_numbers_of_single_runs():
    m = lw.gallery.four_bar()
    found = sweep(m, reduce=steps)
    assert found["D.angle"].dims == ("spring.stiffness", "start:A.angle", "time") and found["D.angle"].units == "rad"
    for i, stiffness in enumerate(VARY["spring.stiffness"]):
        for j, angle in enumerate(VARY["start:A.angle"]):
            other = m.with_numbers({"spring.stiffness": stiffness})
            run = other.simulate(0.5, start={"A.angle": angle}, coordinates="joint")
            assert np.array_equal(found["D.angle"][i, j], run["D.angle"])
            assert found["D.angle.max"][i, j] == run["D.angle"].max() == found["top"][i, j]
            assert found["steps"][i, j] == run.statistics.steps
    assert (found["failed"] == "").all()


def test_threads_and_processes_have_the_same_bits():
    m = lw.gallery.four_bar()
    wanted = sweep(m, reduce=steps)
    assert sweep(m, reduce=steps, workers=2).identical(wanted)
    assert sweep(m, {"spring.stiffness": [10.0, 20.0]}, workers=2, processes=True).identical(
        sweep(m, {"spring.stiffness": [10.0, 20.0]})
    )


def test_a_list_and_samples():
    m = lw.gallery.four_bar()
    listed = sweep(m, {"spring.stiffness": [10, 20], "rocker.mass": [1, 2]}, over="list")
    assert listed["D.angle.max"].dims == ("run",) and listed["rocker.mass"].values.tolist() == [1.0, 2.0]
    spread = {"spring.stiffness": (10.0, 20.0), "rocker.mass": {"mean": 2.0, "deviation": 0.1}}
    for over in ("latin", "sobol"):
        found = sweep(m, spread, over=over, count=8, times=0.01)
        again = sweep(m, spread, over=over, count=8, times=0.01)
        assert found.identical(again) and found.sizes["run"] == 8
        stiffness = np.sort(found["spring.stiffness"].values)
        assert np.array_equal(np.floor((stiffness - 10.0) / 10.0 * 8), np.arange(8))  # one in each eighth
        assert 1.5 < found["rocker.mass"].min() and found["rocker.mass"].max() < 2.5
        assert not sweep(m, spread, over=over, count=8, times=0.01, seed=1).identical(found)


@pytest.mark.filterwarnings("ignore")
def test_runs_that_fail_say_why_and_the_others_run():
    m = lw.gallery.four_bar()
    found = sweep(m, {"crank.length": [0.5, 50.0]}, times=0.1)
    assert found["failed"][0] == "" and "cannot be assembled" in str(found["failed"].values[1])
    assert np.isfinite(found["D.angle.max"][0]) and np.isnan(found["D.angle.max"][1])
    told = sweep(m, {"spring.stiffness": [10.0, 20.0]}, reduce=broken)
    assert told["failed"].values.tolist()[0] == "" and told["result"][0] == 1.0
    assert told["failed"].values.tolist()[1] == "reduce raised ZeroDivisionError: no such thing."
    ended = sweep(m, {"spring.stiffness": [10.0, 20.0]}, times=0.5, read="D.angle.max", most_steps=3)
    assert all("most_steps" in one for one in ended["failed"].values.tolist())


@pytest.mark.parametrize("values", [[1.0, -1.0], [-1.0, 1.0], ["-1 m", "1 m"], [-1.0, *[1.0] * 12]])
def test_a_value_that_a_design_cannot_have_is_its_failure_wherever_it_stands(values):
    options = {"times": 0.1, "start": {"A.angle": "60 deg"}, "read": "D.angle.max"}
    with pytest.warns(SweepWarning, match="1 of "):
        found = lw.sweep(lw.gallery.four_bar(), {"crank.length": values}, **options)
    wrong = [value not in (1.0, "1 m") for value in values]
    assert ["too small" in one for one in found["failed"].values] == wrong
    assert np.array_equal(np.isnan(found["D.angle.max"].values), wrong)


def test_samples_of_which_some_cannot_be_run_whatever_the_seed():
    for seed in range(3):
        with pytest.warns(SweepWarning, match="of 8"):
            found = lw.sweep(
                lw.gallery.four_bar(),
                {"crank.length": (-1.0, 1.0)},
                analysis="assemble",
                read="D.angle",
                over="latin",
                count=8,
                seed=seed,
            )
        assert ["too small" in one for one in found["failed"].values] == list(found["crank.length"].values < 0)


def test_values_that_go_only_one_by_one_run_and_fail():
    """No design can be, and yet no value is wrong in itself."""
    values = {"crank.length": [-1.0, 1.0], "rocker.length": [1.0, -1.0]}
    with pytest.warns(SweepWarning, match="2 of 2"):
        found = lw.sweep(lw.gallery.four_bar(), values, over="list", analysis="assemble", read="D.angle")
    assert all("too small" in one for one in found["failed"].values)


@pytest.mark.parametrize(
    "values, error, words",
    [
        ([-1.0, -2.0], DescriptionError, r"length is too small\. Got -1"),
        (["-1 m", "1 kg"], UnitError, "unit of another kind"),
        ([-1.0, "L"], UnknownNameError, "parameter 'L'"),
    ],
)
def test_what_no_design_can_have_is_refused_at_once(values, error, words):
    with pytest.raises(error, match=words):
        lw.sweep(lw.gallery.four_bar(), {"crank.length": values}, analysis="assemble", read="D.angle")


def test_components_of_gravity_are_varied():
    """A particle falls g t^2 / 2; in blocks, too."""
    values = np.linspace(-10.0, -1.0, 12)
    found = lw.sweep(ball(), {"gravity.y": values}, times=0.4, read="ball.y.last")
    assert found["ball.y.last"].values == pytest.approx(1.0 + values * 0.08, abs=1e-9)
    assert found["gravity.y"].units == "m/s^2"


def test_a_table_in_which_no_design_ran_has_its_columns():
    with pytest.warns(lw.errors.SweepWarning, match="2 of 2"):
        found = sweep(lw.gallery.four_bar(), {"crank.length": [50.0, 60.0]})
    assert np.isnan(found["D.angle.max"]).all() and found["D.angle"].dims == ("crank.length",)


def test_other_analyses():
    m = lw.gallery.four_bar()
    found = lw.sweep(m, {"spring.stiffness": [10, 20]}, analysis="equilibrium", read="A.angle", start={"A.angle": 1.0})
    rest = m.with_numbers({"spring.stiffness": 20.0}).equilibrium(start={"A.angle": 1.0})
    assert found["A.angle"][1] == rest.state["A.angle"]


def test_analyses_whose_answers_have_no_names():
    """A mass on a spring: its frequency is sqrt(k/m) / 2 pi."""
    m = lw.Mechanism("block", gravity=None)
    block = m.add("block", lw.Body(2.0, 1.0))
    m.add("guide", lw.Prismatic("ground", "block"))
    m.add("spring", lw.SpringDamper(m.ground.at(-1, 0), block, stiffness=50.0, rest_length=1.0))
    found = lw.sweep(
        m, {"spring.stiffness": [50.0, 200.0]}, analysis="modes", reduce=lambda modes: modes.frequencies[0]
    )
    assert found["result"].values == pytest.approx([5.0 / (2 * np.pi), 10.0 / (2 * np.pi)], rel=1e-6)
    best = lw.optimize(m, {"spring.stiffness": (10, 500)}, lambda modes: [modes.frequencies[0] - 1.0], analysis="modes")
    assert best.values["spring.stiffness"] == pytest.approx(2.0 * (2 * np.pi) ** 2, rel=1e-5)
    with pytest.raises(DescriptionError, match=r"cannot read names of modes.*reduce="):
        lw.sweep(m, {"spring.stiffness": [50.0]}, analysis="modes", read="block.x")


@pytest.mark.filterwarnings("ignore")
def test_texts_with_units_run_in_blocks_as_numbers_do(monkeypatch):
    from linkwork.analysis.sweep_task import Task

    m, alone, usual = lw.gallery.four_bar(), [], Task.run_alone
    monkeypatch.setattr(Task, "run_alone", lambda self, design: alone.append(design) or usual(self, design))
    texts = [f"{900 + k} mm" for k in range(14)]
    found = lw.sweep(m, {"crank.length": texts}, times=0.1, read="D.angle.max", coordinates="body")
    assert len(alone) == 3 and found["crank.length"].units == "mm" and found["crank.length"][1] == 901.0
    for text, value in zip(texts, found["D.angle.max"].values):
        assert value == m.with_numbers({"crank.length": text}).simulate(0.1, coordinates="body")["D.angle"].max()


def pendulum_in_hz():
    """Two motors, one by a frequency in which Hz means 2 pi, one by a parameter in Hz that is multiplied by it."""
    m = lw.Mechanism("pendulums", parameters={"f": "1 Hz", "g": "1 Hz"})
    for name, function in (("one", lw.Harmonic(0.1, "f")), ("other", "0.1*sin(2*pi*g*t)")):
        rod = m.add(name, lw.bar(length=1.0, mass=1.0))
        m.add(f"pin {name}", lw.Revolute("ground", rod.a))
        m.add(f"motor {name}", lw.Driver(f"pin {name}.angle", function))
    return m


def test_texts_that_say_more_than_a_number_stay_texts():
    m = pendulum_in_hz()
    table = design_table({"one.length": ["30 cm", "2*f"], "f": ["1 Hz", "2 Hz"]}, "list", None, 0)
    table.settle(m)
    assert table[0] == {"one.length": 0.3, "f": "1 Hz"} and table[1] == {"one.length": "2*f", "f": "2 Hz"}


def test_ends_in_hz_are_refused_where_a_cycle_is_2_pi():
    """Between two texts numbers are made before anybody knows what they are of: a factor would be missing."""
    m, asked = pendulum_in_hz(), {"times": 0.01, "read": "pin one.angle.max"}
    span, ends = {"from": "1 Hz", "to": "2 Hz", "count": 2}, ("1 Hz", "2 Hz")
    for name in ("f", "motor one.function.frequency"):
        for vary, over in ((span, {}), (ends, {"over": "sobol", "count": 2})):
            with pytest.raises(UnitError, match=rf"sweep of '{name}' is in Hz.*rad/s"):
                lw.sweep(m, {name: vary}, **asked, **over)
        for bounds, begin in ((ends, None), ((1.0, 20.0), {name: "1 Hz"})):
            with pytest.raises(UnitError, match=rf"optimize of '{name}' is in Hz.*rad/s"):
                lw.optimize(m, {name: bounds}, "pin one.angle.max", times=0.01, begin=begin)
    rpm = {**span, "from": "60 rpm", "to": "120 rpm"}
    assert lw.sweep(m, {name: rpm}, **asked)[name].values == pytest.approx([2 * np.pi, 4 * np.pi])
    assert lw.sweep(m, {"g": span}, **asked)["g"].values.tolist() == [1.0, 2.0]


def test_an_answer_that_ctrl_c_cut_is_not_there(monkeypatch):
    t, doubt = np.arange(3.0), SweepTable._doubt
    table = SweepTable(DesignTable({"h": [1.0, 2.0]}, True), ["x", "y"], {})
    table.add({1: {"failed": "", "x": t[:2], "y": 5.0, "time": t[:2]}})

    def stopped(self, *given):
        doubt(self, *given)
        raise KeyboardInterrupt

    monkeypatch.setattr(SweepTable, "_doubt", stopped)
    with pytest.raises(KeyboardInterrupt):
        table.add({0: {"failed": "", "doubts": ["MovedWarning: far"], "x": t, "y": 6.0, "time": t}})
    found = table.made(xarray.Dataset)
    assert found["failed"].values.tolist() == ["not run", ""] and table.left() == [0]
    assert np.array_equal(found["x"], [[np.nan] * 2, [0.0, 1.0]], equal_nan=True)
    assert np.array_equal(found["y"], [np.nan, 5.0], equal_nan=True) and (found["doubts"] == "").all()


@pytest.mark.parametrize(
    ("made", "got"),
    [(None, "Got None"), ([1.0, 2.0], r"shape \(2,\)"), ({"a": np.zeros(3)}, r"shape \(3,\)"), ("x", "Got 'x'")],
)
def test_what_reduce_returns_and_is_no_number_is_told(made, got):
    with pytest.raises(DescriptionError, match=f"returned what is no number.*{got}.*numbers by name"):
        lw.sweep(lw.gallery.four_bar(), {"spring.stiffness": [1, 2]}, analysis="assemble", reduce=lambda a: made)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("failed", "taken"),
        ("doubts", "taken"),
        ("time", "taken"),
        ("D.angle.max", "taken"),
        ("spring.stiffness", "whose name is varied"),
    ],
)
def test_names_of_reduce_that_mean_something_else_are_refused(name, words):
    with pytest.raises(DescriptionError, match=words):
        lw.sweep(
            lw.gallery.four_bar(),
            {"spring.stiffness": [10.0, 20.0]},
            times=0.1,
            read="D.angle.max",
            reduce=lambda run: {name: 1.0},
        )


def test_a_folder_is_gone_on_with(tmp_path, monkeypatch):
    from linkwork.analysis import sweep as module
    from linkwork.analysis.sweep_task import Task

    m = lw.gallery.four_bar()
    wanted, usual, ran = sweep(m), Task.run_alone, []
    monkeypatch.setattr(module, "CHUNK", 2)

    def run(task, point):
        ran.append(point)
        if len(ran) == 4:
            raise KeyboardInterrupt
        return usual(task, point)

    monkeypatch.setattr(Task, "run_alone", run)
    with pytest.raises(KeyboardInterrupt) as stop:
        sweep(m, store=tmp_path / "designs")
    assert (stop.value.result["failed"] == "not run").sum() == 3
    found = sweep(m, store=tmp_path / "designs")
    assert len(ran) == 4 + 3 and found.identical(wanted)
    sweep(m, store=tmp_path / "designs")
    assert len(ran) == 7  # all was there
    with pytest.raises(FileError, match="holds another sweep"):
        sweep(m, {"spring.stiffness": [1.0]}, store=tmp_path / "designs")
    with pytest.raises(FileError, match="holds another sweep"):
        sweep(m, store=tmp_path / "designs", rtol=1e-6)
    part = sorted((tmp_path / "designs").glob("part-*"))[0]
    part.write_bytes(part.read_bytes()[:-8])
    with pytest.raises(FileError, match=r"part-00000000.bin: was cut"):
        sweep(m, store=tmp_path / "designs")
    assert packs.FIRST_LINE in part.read_bytes()
    part.unlink()
    os.symlink(sorted((tmp_path / "designs").glob("part-*"))[0], part)
    with pytest.raises(FileError, match="is a link"):
        sweep(m, store=tmp_path / "designs")


def test_a_folder_does_not_answer_another_question(tmp_path):
    """A function of the same name that does another thing, a state that prints alike: not the numbers of before."""
    m, one, other = lw.gallery.four_bar(), tmp_path / "one", tmp_path / "other"

    def scaled(by):
        return lambda run: by * run["D.angle"].max()

    vary = {"spring.stiffness": [10.0]}
    first = sweep(m, vary, reduce=scaled(1.0), store=one)
    assert sweep(m, vary, reduce=scaled(1.0), store=one).identical(first)
    for reduce in (scaled(2.0), lambda run: run["D.angle"].min()):
        with pytest.raises(FileError, match="holds another sweep"):
            sweep(m, vary, reduce=reduce, store=one)
    near = [m.assemble(start={"A.angle": angle}, coordinates="body").state for angle in (1.0, 1.0 + 1e-7)]
    assert repr(near[0]) == repr(near[1])
    sweep(m, vary, start=near[0], store=other)
    with pytest.raises(FileError, match="holds another sweep"):
        sweep(m, vary, start=near[1], store=other)


def ball():
    m = lw.Mechanism("ball", gravity=(0, -10), parameters={"h": "1 m", "factor": 1.0})
    m.add("ball", lw.Particle("2 kg", position=(0, "h")))
    return m


def test_designs_that_end_at_other_times_keep_their_own():
    """A ball falls h in sqrt(2 h / g): outputs until then, and the moment itself."""
    heights = [0.2, 0.8, 1.8]
    found = lw.sweep(ball(), {"h": heights}, times=1, every=0.25, read=["ball.y", "ball.y.min"], until={"ball.y": 0})
    assert (found["failed"] == "").all() and found["ball.y"].dims == found["time"].dims == ("h", "output")
    for h, t, y in zip(heights, found["time"].values, found["ball.y"].values):
        ran = np.isfinite(t)
        assert t[ran][-1] == pytest.approx(np.sqrt(0.2 * h)) and np.array_equal(ran, np.isfinite(y))
        assert y[ran] == pytest.approx(h - 5.0 * t[ran] ** 2, abs=1e-9)
    with pytest.raises(DescriptionError, match=r"series over time.*ball\.y"):
        lw.spread(found, "ball.y")
    steps = lw.sweep(ball(), {"h": heights}, times=0.5, every="step", read="ball.y", rtol=1e-9)
    assert np.isfinite(steps["ball.y"].values[:, :2]).all()


def test_designs_that_end_earlier_at_an_output_share_its_times():
    t = np.array([0.0, 0.2, 0.4])
    for order in ((0, 1), (1, 0)):
        table = SweepTable(DesignTable({"h": [1.0, 2.0]}, True), ["x"], {})
        for k in order:
            table.add({k: {"failed": "", "x": t[: 2 + k], "time": t[: 2 + k].copy()}})
        found = table.made(xarray.Dataset)
        assert found["x"].dims == ("h", "time") and np.array_equal(found["time"], t) and found["time"].units == "s"
        assert np.array_equal(found["x"], [[0.0, 0.2, np.nan], t], equal_nan=True)


def test_a_table_is_the_same_in_whatever_order_its_answers_come():
    """Designs that end early and late, at outputs of all and at moments of their own; one failed, one was not run."""
    t = np.arange(6.0)
    times = [t[:3], t, np.append(t[:2], 1.5), t[:1], None, np.append(t, [7.0, 8.0])]
    answers = {
        k: {"failed": "no", "doubts": ["MovedWarning: a"]}
        if one is None
        else {"failed": "", "doubts": ["MovedWarning: b"] * (k % 2), "x": 10.0 * one, "y": 1.0 * k, "time": one}
        for k, one in enumerate(times)
    }
    made = []
    for order in (range(6), reversed(range(6)), (2, 5, 4, 0, 3, 1)):
        table = SweepTable(DesignTable({"h": [1.0 * k for k in range(7)]}, True), ["x"], {})
        for k in order:
            table.add({k: answers[k]})
        assert table.left() == [6] and table.done == 6
        made.append(table.made(xarray.Dataset))
        assert made[-1].identical(made[0]) and list(made[-1]) == ["x", "y", "time", "failed", "doubts"]
    found = made[0]
    assert found["x"].dims == ("h", "output") and found.sizes["output"] == 8
    for k, one in enumerate([*times, None]):
        wanted = np.full(8, np.nan)
        wanted[: np.size(one) if one is not None else 0] = [] if one is None else one
        assert np.array_equal(found["time"][k], wanted, equal_nan=True)
        assert np.array_equal(found["x"][k], 10.0 * wanted, equal_nan=True)
    assert found["failed"].values.tolist() == ["", "", "", "", "no", "", "not run"]
    words = ["", "MovedWarning: b", "", "MovedWarning: b", "MovedWarning: a", "MovedWarning: b", ""]
    assert found["doubts"].values.tolist() == words
    with pytest.warns(lw.errors.SweepWarning) as told:
        table.tell()
    said = [str(one.message) for one in told]
    assert said[0].startswith("sweep has no numbers for 1 of 6 designs; of the first of them: no.")
    first = 'of the first of them: MovedWarning: b. Look at ["doubts"] of the table.'
    assert len(said) == 2 and said[1] == f"sweep has doubts about 4 of 6 designs (4 MovedWarning); {first}"


@pytest.mark.parametrize(("written", "unit"), [("20 N/m", "N/m"), ("20 N/mm", "N/m"), ("2 kg/s^2", "kg/s^2")])
def test_a_unit_of_si_is_shown_as_it_was_written(written, unit):
    m = lw.Mechanism(parameters={"k": written})
    assert DesignTable({"k": [1.0]}, False).units(m) == {"k": unit}


def test_units_of_what_is_varied():
    m = ball()
    found = lw.sweep(m, {"h": [1.0], "factor": [1.0], "ball.mass": [1.0, 2.0], "start:ball.y": [1.0]}, times=0.1,
                     read="ball.y.max")  # fmt: skip
    assert [found[name].attrs.get("units") for name in ("h", "factor", "ball.mass", "start:ball.y")] == [
        "m", None, "kg", "m"]  # fmt: skip
    texts = lw.sweep(m, {"ball.mass": ["1000 g", "2 kg", "3 kg"], "h": ["1", "2"]}, times=0.1, read="ball.y.max")
    assert texts["ball.mass"].attrs["units"] == "g" and texts["ball.mass"].values.tolist() == [1000.0, 2000.0, 3000.0]
    assert texts["h"].attrs["units"] == "m" and texts["h"].values.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("values", [["2 Hz", "3 rad/s"], ["2 Hz", 3.0], ["soft", "hard"], ["2*L", "3*L"]])
def test_values_without_a_common_unit_stay_as_they_are(values):
    assert numbers_of(values) == (values, "")


@pytest.mark.parametrize("given", [("10 kN/m", "30 kN/m", 3), ["10 kN/m", "30"], [1e4, "30 kN/m"]])
def test_texts_with_units_beside_plain_numbers_are_refused(given):
    """Ten, thirty and 0.003 kN/m are hardly meant; where it may be a range, the words say how that is written."""
    m = lw.gallery.four_bar()
    with pytest.raises(DescriptionError, match=r"'spring\.stiffness' mixes texts with units and plain") as told:
        lw.sweep(m, {"spring.stiffness": given}, times=0.01, read="D.angle.max")
    assert "wanted units for all values, or for none." in str(told.value) and repr(given[-1]) in str(told.value)
    words = 'For a range write {"from": "10 kN/m", "to": "30 kN/m", "count": 3}.'
    assert str(told.value).endswith(words) == (len(given) == 3)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("k", ["10", 20]),
        ("k", ("0 N/mm", 0, "30 N/mm")),
        ("k", ["2*share", "3 N/m", "4 N/m"]),
        ("k", ["2*share", 3]),
        ("share", ["3 m/m", 2, "1"]),
    ],
)
def test_texts_and_numbers_that_mean_the_same_stay_allowed(name, given):
    m = lw.Mechanism(parameters={"k": 5.0, "share": 1.0})
    m.add("ball", lw.Particle(1.0, velocity=(1.0, 0.0)))
    found = lw.sweep(m, {name: given}, times=0.1, read="ball.x.max", coordinates="body")
    assert len(found[name]) == len(given) and not any(found["failed"].values)


def test_spans_and_distributions_with_units():
    m = lw.gallery.four_bar()
    span = {"spring.stiffness": {"from": "0.01 N/mm", "to": 30, "count": 3}}
    found = lw.sweep(m, span, times=0.01, read="D.angle.max")
    assert found["spring.stiffness"].values.tolist() == [10.0, 20.0, 30.0]
    plain = {"crank.length": {"mean": 1.0, "deviation": 0.005}, "start:A.angle": (np.pi / 3, np.pi / 2)}
    texts = {"crank.length": {"mean": "100 cm", "deviation": "5 mm"}, "start:A.angle": ("60 deg", "90 deg")}
    one, other = (lw.sweep(m, vary, over="sobol", count=4, times=0.01, read="D.angle.max") for vary in (plain, texts))
    assert np.allclose(one["D.angle.max"], other["D.angle.max"], rtol=1e-12)
    for wrong in ({"mean": "1 m", "deviation": "5 kg"}, ("1 m", "2 s")):
        with pytest.raises(UnitError, match="another kind"):
            lw.sweep(m, {"crank.length": wrong}, over="sobol", count=4, times=0.01, read="D.angle.max")
    with pytest.raises(UnitError, match="another kind"):
        lw.sweep(m, {"crank.length": {"from": 1, "to": "2 kg", "count": 2}}, times=0.01, read="D.angle.max")


@pytest.mark.parametrize(
    ("vary", "options", "error", "words"),
    [
        ({"spring.stiffness": {"from": 1, "to": 2}}, {}, DescriptionError, "no list and no span"),
        ({"spring.stiffness": {"from": 1, "to": 2, "count": 0}}, {}, DescriptionError, "1 to"),
        ({"sprng.stiffness": [1]}, {}, UnknownNameError, "Nearest: 'spring.stiffness'"),
        ({"start:A.angl": [1]}, {}, UnknownNameError, "Nearest: 'A.angle'"),
        ({"A.angle": [1]}, {}, UnknownNameError, r"'four-bar' \(the start value is written 'start:A\.angle'\)\. Near"),
        ({"crank.angle.rate": ["1 rpm"]}, {}, UnknownNameError, r"value is written 'start:crank\.angle\.rate'"),
        ({"A.angl": [1]}, {}, UnknownNameError, "'A.angl' in mechanism 'four-bar'. Near"),
        ({"spring.stiffness": ["3 kg"]}, {}, UnitError, "another kind"),
        ({"spring.stiffness": []}, {}, DescriptionError, "empty list"),
        ({"spring.stiffness": 3.0}, {}, DescriptionError, "no list of values"),
        ({"spring.stiffness": [float("nan")]}, {}, DescriptionError, "no finite number"),
        ({}, {}, DescriptionError, "nothing to vary"),
        ({"time": [1.0]}, {}, DescriptionError, "name that its table has for itself"),
        ({"doubts": [1.0]}, {}, DescriptionError, "name that its table has for itself"),
        (
            VARY,
            {"processes": 2},
            DescriptionError,
            r"false\. Got 2; wanted True or False\. Write workers=2, processes=True",
        ),
        (VARY, {"processes": "no"}, DescriptionError, r"wanted True or False\.$"),
        (VARY, {"over": "list"}, DescriptionError, "different lengths"),
        (VARY, {"over": "gird"}, UnknownNameError, "Nearest: 'grid'"),
        (VARY, {"over": "sobol", "count": 7}, DescriptionError, "power of 2"),
        (VARY, {"over": "latin"}, DescriptionError, "no count"),
        (VARY, {"over": "latin", "count": 10**12}, DescriptionError, "1 to 10000000"),
        (VARY, {"count": 3}, DescriptionError, "count="),
        (VARY, {"read": []}, DescriptionError, "asks for nothing"),
        (VARY, {"read": "D.angl.max"}, UnknownNameError, "D.angle"),
        (VARY, {"read": "coupler.tracer"}, DescriptionError, "which is a vector"),
        (VARY, {"analysis": "simulat"}, UnknownNameError, "Nearest: 'simulate'"),
        (VARY, {"times": None}, DescriptionError, "no times"),
        (VARY, {"reduce": 3}, DescriptionError, "no function"),
        (VARY, {"workers": 0}, LinkworkError, "workers"),
        (VARY, {"method": "dopri"}, UnknownNameError, "Nearest: 'dopri5'"),
        (VARY, {"rtol": "x"}, DescriptionError, "rtol is not a number"),
        (VARY, {"coordinates": "jont"}, DescriptionError, "coordinates are unknown"),
        (VARY, {"every": -1}, DescriptionError, "every"),
        (VARY, {"times": "2 kg"}, UnitError, "kg"),
        (VARY, {"start": {"B.angl": 1.0}}, UnknownNameError, "B.angle"),
        (VARY, {"near": {"B.angl": 1.0}}, UnknownNameError, "B.angle"),
    ],
)
def test_wrong_use(vary, options, error, words):
    with pytest.raises(error, match=words):
        sweep(lw.gallery.four_bar(), vary, **options)


def test_an_option_that_the_analysis_does_not_take_is_refused_at_once():
    with pytest.raises(lw.errors.ArgumentError, match=r"evry.*every"):
        sweep(lw.gallery.four_bar(), {"rocker.mass": [1.0, 2.0]}, times=0.1, read="D.angle.max", evry=0.01)


def test_without_xarray_the_error_says_how_to_get_it(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(MissingPackageError, match=r"linkwork\[frames\]"):
        sweep(lw.gallery.four_bar())
