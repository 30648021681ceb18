"""method="auto": explicit where nothing is stiff, implicit from where steps tell it, and back, without a seam."""

import time

import numpy as np
import pytest
from benchmarks import problems
from benchmarks.stiff_problems import friction

import linkwork as lw
from linkwork.analysis.integrators.method import Choosing
from linkwork.errors import RunLimitError
from unit.analysis.stiff_models import belt, chain


@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-8])
@pytest.mark.parametrize("coordinates", ["joint", "body"])
def test_it_turns_to_the_stiff_method_and_says_so(coordinates, rtol):
    m = chain(3, 1e6, 1e2)
    ref = m.simulate(1.0, every=0.1, method="dop853", rtol=1e-10, coordinates="joint")
    run = m.simulate(1.0, every=0.1, rtol=rtol, coordinates=coordinates)
    assert np.abs(run["l2.y"] - ref["l2.y"]).max() < 50 * rtol
    assert run.statistics.steps < ref.statistics.steps / 2
    assert run.manifest["method"] == "auto" and "radau from t = " in run.manifest["methods"][0]
    assert "method radau from t = " in str(run) and "stability" in str(run)


@pytest.mark.parametrize("rtol", [1e-3, 1e-5, 1e-7, 1e-10])
@pytest.mark.parametrize(
    ("build", "end"), [(lw.gallery.andrews, 0.03), (lw.gallery.double_pendulum, 3.0), (lw.gallery.four_bar, 1.0)]
)
def test_what_is_not_stiff_is_bit_for_bit_that_of_the_explicit_method(build, end, rtol):
    m = build()
    auto = m.simulate(end, every=end / 10, rtol=rtol, coordinates="joint")
    explicit = m.simulate(end, every=end / 10, rtol=rtol, method="dop853", coordinates="joint")
    assert "methods" not in auto.manifest and "method radau" not in str(auto)
    assert all(np.array_equal(auto[name], explicit[name]) for name in auto.names[:6])


def test_it_goes_back_where_nothing_is_stiff_any_more():
    m = belt()
    ref = m.simulate(6.0, every=0.5, method="dop853", rtol=1e-10, coordinates="joint")
    run = m.simulate(6.0, every=0.5, rtol=1e-7, coordinates="joint")
    assert np.abs(run["block.x"] - ref["block.x"]).max() < 1e-5
    assert run.statistics.evaluations < ref.statistics.evaluations / 10
    names = [one.split()[0] for one in run.manifest["methods"]]
    assert names[:3] == ["radau", "dop853", "radau"]


@pytest.mark.parametrize("coordinates", ["joint", "body"])
def test_a_first_step_far_beyond_stability_is_given_up_behind_its_first_stage(coordinates):
    """Its length is guessed from speeds and accelerations; refusals alone found a stable one in the sixth try."""
    m = chain(3, 1e8, 1e4)
    tried = {}
    for rtol in (1e-2, 1e-3, 1e-4):
        with pytest.raises(RunLimitError) as told:
            m.simulate(1.0, every="step", rtol=rtol, coordinates=coordinates, most_steps=3)
        tried[rtol] = told.value.result.statistics
    assert all(one.steps >= 1 and one.evaluations < 45 for one in tried.values()), tried


def test_compiling_another_method_is_no_computing(monkeypatch):
    """`most_seconds` and the seconds that are told are those of steps, also where the first stiff run compiles."""
    usual = Choosing.other

    def slow(*given):
        time.sleep(1.0)
        return usual(*given)

    monkeypatch.setattr(Choosing, "other", slow)
    m = chain(3, 1e6, 1e2)
    m.simulate(1.0, every=0.1, coordinates="joint")
    run = m.simulate(1.0, every=0.1, coordinates="joint", most_seconds=0.9)
    assert run.manifest["methods"] and run.statistics.seconds < 0.9


def driven_from_rest(dimension):
    m = lw.Mechanism(dimension=dimension)
    arm = m.add("arm", lw.cylinder(radius=0.02, length=0.5, mass=1.0, axis="x") if dimension == 3 else lw.bar(0.5, 1.0))
    m.add("A", lw.Revolute(m.ground, arm.at(0, 0)))
    m.add("motor", lw.Driver("A.angle", lw.SmoothStep(0.0, 0.0, 1.0, 2.0)))
    return m


def pushed_from_rest(dimension):
    m = lw.Mechanism(dimension=dimension, gravity=None)
    m.add("ball", lw.Particle(1.0, position=(0.0,) * dimension))
    m.add("push", lw.UserForce("ball.x", lambda value, rate, t: t * t - 3.0 * value))
    return m


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("make", [driven_from_rest, pushed_from_rest])
def test_what_begins_at_rest_and_moves_with_time_takes_no_short_steps(make, dimension, coordinates):
    options = dict(every=0.1, coordinates=coordinates, most_steps=500)
    m = make(dimension)
    usual, auto = (m.simulate(1.0, method=one, **options) for one in ("dop853", "auto"))
    assert auto.statistics.steps <= usual.statistics.steps + 10


def test_there_is_no_seam():
    m = chain(3, 1e6, 1e2)
    run = m.simulate(1.0, every="step", rtol=1e-7, coordinates="joint")
    assert (np.diff(run.t) > 0).all() and run.t[-1] == 1.0
    assert np.abs(run.energy.balance).max() < 1e-4 * run.energy.in_play
    t = float(run.manifest["methods"][0].split("t = ")[1].split()[0])
    k = int(np.searchsorted(run.t, t * (1 + 1e-5)))
    lengths = np.diff(run.t)
    assert lengths[k] < 7 * lengths[k - 1]  # it goes on with the steps that it had


def test_prepared_runs_begin_anew_and_events_are_found():
    m = chain(3, 1e6, 1e3)
    ready = m.prepare(1.0, every=0.1, rtol=1e-7, coordinates="joint")
    first, second = ready(), ready()
    assert first.manifest["methods"] == second.manifest["methods"]
    assert np.array_equal(first["l2.y"], second["l2.y"])
    stopped = m.simulate(2.0, every=0.1, rtol=1e-8, until={"l0.angle": -1.0}, coordinates="joint")
    wanted = m.simulate(2.0, every=0.1, rtol=1e-9, method="dop853", until={"l0.angle": -1.0}, coordinates="joint")
    assert abs(stopped.t[-1] - wanted.t[-1]) < 1e-6 and stopped.manifest["methods"]


def test_a_saved_result_says_it_too(tmp_path):
    run = chain(3, 1e6, 1e2).simulate(0.5, every=0.1, rtol=1e-5, coordinates="joint")
    run.save(tmp_path / "run.nc")
    assert lw.load(tmp_path / "run.nc").manifest["methods"] == run.manifest["methods"]


@pytest.mark.parametrize("build", [lambda: chain(3, 1e6, 1e2), belt])
def test_into_a_folder_and_taken_up_again_it_is_bit_for_bit_the_same(build, tmp_path):
    m = build()
    options = dict(every=0.05, rtol=1e-7, coordinates="joint")
    laws = {"friction": friction}
    once = m.simulate(3.0, **options)
    assert once.manifest["methods"]
    with pytest.raises(RunLimitError):
        m.simulate(3.0, **options, store=tmp_path / "night", most_steps=7)
    for _ in range(200):
        try:
            run = lw.resume(tmp_path / "night", most_steps=37, laws=laws)
        except RunLimitError:
            continue
        break
    assert run.manifest["methods"] == once.manifest["methods"] and run.statistics.steps == once.statistics.steps
    body = next(iter(m.bodies))
    assert np.array_equal(run[f"{body}.x"], once[f"{body}.x"]) and np.array_equal(
        run[f"{body}.x.rate"], once[f"{body}.x.rate"]
    )
    assert lw.load(tmp_path / "night", laws=laws).manifest["methods"] == once.manifest["methods"]


@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
@pytest.mark.parametrize(
    ("build", "end"),
    [
        (lw.gallery.andrews, 0.03),
        (lw.gallery.double_pendulum, 3.0),
        (lw.gallery.four_bar, 1.0),
        (lambda: lw.gallery.n_four_bar(5), 1.0),
        (lambda: problems.fourbar(1).mechanism, 2.0),
        (lambda: problems.bricard().mechanism, 2.0),
        (lambda: lw.gallery.spatial_chain(5), 0.5),
        (lambda: chain(3, 0.0, 0.0), 1.0),
    ],
)
def test_nothing_that_is_not_stiff_changes_its_method(build, end, coordinates):
    m = build()
    for rtol in 10.0 ** -np.arange(3, 11):
        run = m.simulate(end, every=end, rtol=rtol, coordinates=coordinates)
        assert "methods" not in run.manifest, (rtol, run.manifest["methods"])
