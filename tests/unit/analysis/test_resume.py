"""Long runs: outputs in parts, interrupted and taken up again, give the numbers of a run in one piece."""

import os
import signal

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import storing
from linkwork.analysis.integrators import METHODS
from linkwork.analysis.outputs import Spaced, grid
from linkwork.errors import AnalysisError, DescriptionError, FileError, RunLimitError
from linkwork.result import quantities


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    """Parts of a few outputs, so that short runs have many."""
    monkeypatch.setattr(storing, "PART_BYTES", 4000)
    monkeypatch.setattr(storing, "FEWEST", 8)
    monkeypatch.chdir(tmp_path)


def simulate(m, times, coordinates="joint", **options):
    return m.simulate(times, coordinates=coordinates, **options)


def states(run):
    return np.concatenate([one.bodies.all[one.outputs] for one in run.segments])


def same(run, wanted, names=None):
    """Bit for bit: times, states, what they took, events with the states on both sides."""
    assert np.array_equal(run.t, wanted.t)
    assert np.array_equal(states(run), states(wanted))
    for key in ("steps", "rejected", "evaluations"):
        assert getattr(run.statistics, key) == getattr(wanted.statistics, key)
    assert len(run.events) == len(wanted.events)
    for one, other in zip(run.events, wanted.events):
        assert (one.t, one.name, one.done, one.energy_lost) == (other.t, other.name, other.done, other.energy_lost)
        assert np.array_equal(one.before.y, other.before.y) and np.array_equal(one.after.y, other.after.y)
    for name in wanted.names if names is None else names:
        size = np.abs(wanted[name]).max()
        assert np.abs(run[name] - wanted[name]).max() <= 1e-9 * size + 1e-7, name
    assert run.ended == wanted.ended


def in_pieces(m, times, seed=1, laws=None, **options):
    """The run, stopped after some steps again and again."""
    rng = np.random.default_rng(seed)
    whole = simulate(m, times, **options)
    most = max(2, whole.statistics.steps // 3)
    stops = 0
    try:
        run = simulate(m, times, store="night", most_steps=int(rng.integers(1, most)), **options)
    except RunLimitError:
        stops += 1
        while True:
            try:
                run = lw.resume("night", laws=laws, most_steps=int(rng.integers(1, most)))
                break
            except RunLimitError as error:
                assert error.result.t[-1] <= whole.t[-1]
                stops += 1
    assert stops > 1
    return run


def brake(values, rates, t, numbers, memory, out):
    out[0] = -0.1 * memory[0]


def largest(values, rates, t, numbers, memory):
    memory[0] = max(memory[0], values[0])


def test_what_laws_remember_beside_events_does_not_depend_on_writing():
    m = lw.gallery.double_pendulum()
    m.add("brake", lw.UserForce(reads=["A.angle"], along=["A.angle"], law=brake, accept=largest, memory=1))
    m.add("turns", lw.Event("A.angle.rate"))
    wanted = simulate(m, 2.0, every=0.01, rtol=1e-6)
    same(simulate(m, 2.0, every=0.01, rtol=1e-6, store="written"), wanted)  # in many parts
    same(in_pieces(m, 2.0, every=0.01, rtol=1e-6, laws={"brake": brake, "largest": largest}), wanted)


def with_events():
    m = lw.gallery.double_pendulum()
    first, second = m.joints
    m.add("turns", lw.Event(f"{first}.angle.rate"))
    m.add("stiff", lw.Event(f"{second}.angle", "0.3 rad", then=lw.Lock(second), most=2))
    m.add("loose", lw.Event("t", "1.2 s", then=lw.Release(second)))
    return m


def switched():
    m = lw.gallery.four_bar()
    m.add("off", lw.Event("t", 1.0, then=lw.Off("spring")))
    m.add("on", lw.Event("t", 2.0, then=lw.On("spring")))
    m.add("other", lw.Event("t", 2.5, then=lw.Set("spring.stiffness", 40.0)))
    return m


def bending():
    """A driver whose speed jumps: an impulse every third of a second."""
    m = lw.Mechanism("double pendulum")
    one, two = m.add("one", lw.bar(length=1.0, mass=1.0)), m.add("two", lw.bar(length=0.7, mass=0.5))
    joint = m.add("A", lw.Revolute(m.ground.at(0, 0), one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    m.add("motor", lw.Driver(joint.angle, "abs(sin(9*t))"))
    return m


CASES = {
    "loop": (lw.gallery.four_bar, 3.0, {}),
    "body coordinates": (lw.gallery.double_pendulum, 3.0, {"coordinates": "body"}),
    "redundant rows, chosen anew": (lambda: lw.gallery.n_four_bar(2), 3.0, {"coordinates": "body"}),
    "every step": (lw.gallery.double_pendulum, 3.0, {"every": "step"}),
    "times one by one": (lw.gallery.double_pendulum, [0.5, 0.6, 0.7, 1.5, 2.5, 2.6], {"t": 0.0}),
    "many outputs a step": (lw.gallery.pendulum, 1.0, {"every": 2e-4}),
    "few outputs": (lw.gallery.double_pendulum, 3.0, {"every": 1.5}),
    "steps of one size": (lw.gallery.pendulum, 1.0, {"method": "rk4", "step": 1e-2}),
    "another method": (lw.gallery.double_pendulum, 3.0, {"method": "rkc"}),
    "baumgarte": (lw.gallery.double_pendulum, 3.0, {"constraints": "baumgarte", "coordinates": "body"}),
    "space": (lambda: lw.gallery.spatial_chain(3), 2.0, {}),
    "events": (with_events, 5.0, {}),
    "events at every step": (with_events, 5.0, {"every": "step", "coordinates": "body"}),
    "until": (with_events, 5.0, {"until": {"A.angle": "-100 deg"}}),
    "switched": (switched, 4.0, {}),
    "impulses": (bending, 2.0, {"coordinates": "joint"}),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES)
def test_a_run_in_pieces_has_the_bits_of_one(case):
    make, times, options = CASES[case]
    run, wanted = in_pieces(make(), times, **options), simulate(make(), times, **options)
    same(run, wanted)
    same(lw.load("night"), wanted, ())
    assert lw.check_result("night").times == len(wanted.t)
    for _ in range(2):  # what is finished is loaded, as often as asked
        same(lw.resume("night"), wanted, ())


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_method_can_be_taken_up(name):
    options = {"method": name, **({"step": 1e-2} if name == "rk4" else {})}
    if name == "radau_soft":  # the spring acts across several joints
        options["coordinates"] = "body"
    m = lw.gallery.four_bar()
    same(in_pieces(m, 1.0, **options), simulate(m, 1.0, **options), ("A.angle",))


def test_python_functions_are_given_again():
    def law(value, rate, t, k):
        return -k * value - 0.01 * rate

    m = lw.gallery.pendulum()
    m.add("law", lw.UserForce(lw.Angle(m.ground, m["rod"]), law, k=2.0))
    with pytest.raises(RunLimitError):
        simulate(m, 3.0, store="night", most_steps=10)
    with pytest.raises(FileError, match=r"Give it on reading: laws=\{'law': function\}.*resume"):
        lw.resume("night")
    same(lw.resume("night", laws={"law": law}), simulate(m, 3.0))


def test_how_often_it_is_written_has_no_part_in_the_numbers(monkeypatch):
    m = lw.gallery.four_bar()
    wanted = simulate(m, 3.0, every=0.003)
    often = simulate(m, 3.0, every=0.003, store="often", checkpoint=1e-9)
    monkeypatch.setattr(storing, "PART_BYTES", 10**7)
    once = simulate(m, 3.0, every=0.003, store="once", checkpoint="1 h")
    assert len(list(os.scandir("often"))) > len(list(os.scandir("once"))) == 4
    same(often, wanted, ("A.angle",))
    same(once, wanted)


def test_results_in_parts_answer_as_others():
    m = lw.gallery.four_bar()
    run, wanted = simulate(m, 3.0, every=0.01, store="night"), simulate(m, 3.0, every=0.01)
    assert len(run.segments) > 3
    assert str(run.extremes("D.angle")) == str(wanted.extremes("D.angle"))
    assert run.at(1.2345)["A.angle"] == pytest.approx(wanted.at(1.2345)["A.angle"], abs=1e-9)
    assert run.final["B.reaction.x"] == pytest.approx(wanted.final["B.reaction.x"], rel=1e-9)
    assert np.array_equal(run.state(117).y, wanted.state(117).y)
    assert run.energy.in_play == pytest.approx(wanted.energy.in_play)
    assert str(run).splitlines()[2:] == str(wanted).splitlines()[2:]
    assert run.to_pandas(["A.angle"]).equals(wanted.to_pandas(["A.angle"]))
    run.save("copy.json")
    assert np.array_equal(lw.load("copy.json")["A.angle"], wanted["A.angle"])
    assert simulate(m, 1.0, start=run.final).t[0] == 3.0
    assert (run + simulate(m, 1.0, start=run.final)).t[-1] == 4.0
    run.plot("A.angle", file="angle.png")


@pytest.fixture
def own_quantities():
    quantities.load()
    before = list(quantities.REGISTRY), set(quantities._FIXED)
    yield
    quantities.REGISTRY[:], quantities._FIXED = before


@pytest.mark.usefixtures("own_quantities")
def test_quantities_of_others_see_the_whole():
    @lw.quantity("so_far", of="body", unit="rad", words="largest angle so far", needs="states")
    def so_far(run, body):
        return np.maximum.accumulate(run[f"{body}.angle"])

    m = lw.gallery.double_pendulum()
    run = simulate(m, 3.0, store="night")
    body = next(iter(m.bodies))
    assert np.array_equal(run[f"{body}.so_far"], simulate(m, 3.0)[f"{body}.so_far"])


def test_ctrl_c_leaves_what_can_be_taken_up(monkeypatch):
    monkeypatch.setattr(storing, "PART_BYTES", 10**6)
    m = lw.gallery.double_pendulum()
    slices, usual = [], storing.Storing._advance

    def advance(run):
        slices.append(run)
        if len(slices) == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return usual(run)

    monkeypatch.setattr(storing.Storing, "_advance", advance)
    usual_signal = signal.signal(signal.SIGINT, signal.default_int_handler)  # where a shell has it ignored
    try:
        with pytest.raises(KeyboardInterrupt) as stop:
            simulate(m, 1e6, every=0.1, store="night", progress=False)
    finally:
        signal.signal(signal.SIGINT, usual_signal)
    reached = stop.value.result
    assert len(slices) == 4 and 1.0 < reached.t[-1] < 1e6 and "not finished" in reached.ended
    with pytest.raises(RunLimitError) as limit:
        lw.resume("night", most_steps=100)
    assert limit.value.result.t[-1] > reached.t[-1]


def test_a_run_that_fails_says_so_again():
    m = lw.Mechanism()
    arm = m.add("arm", lw.bar(length=1.0, mass=1.0))
    rod = m.add("rod", lw.bar(length=1.5, mass=1.0, position=(1, 0), angle=0.1))
    m.add("A", lw.Revolute(m.ground.at(0, 0), arm.a))
    m.add("B", lw.Revolute(arm.b, rod.a))
    slide = m.add("C", lw.PinInSlot(m.ground.at(0, 0), rod.b))
    m.add("pull", lw.Driver(lw.Offset(m.ground.at(0, 0), rod.b, "x"), "2.3 + 0.5*t"))
    with pytest.raises(AnalysisError):
        simulate(m, 2.0, store="night")
    assert "failed at t = 0.4 s" in lw.load("night").ended and slide is not None
    with pytest.raises(AnalysisError, match="cannot go on: failed"):
        lw.resume("night")


@pytest.mark.parametrize(
    ("duration", "every", "first"), [(10, 0.1, 0), (1, 0.3, 2.5), (3, None, 0), (2, 2, -1), (0, None, 1)]
)
def test_spaced_times_are_those_of_the_grid(duration, every, first):
    wanted, found = grid(float(duration), every, float(first), 1), Spaced.over(float(duration), every, float(first))
    assert np.array_equal(found[:], wanted) and found.size == wanted.size
    assert found[-1] == wanted[-1] and found[0] == wanted[0]
    assert np.array_equal(np.concatenate([found[:2], found[2:]]), wanted)


def test_wrong_use():
    m = lw.gallery.pendulum()
    with pytest.raises(DescriptionError, match="nowhere to write it"):
        simulate(m, 1.0, checkpoint=5)
    with pytest.raises(DescriptionError, match="store is no name of a folder"):
        simulate(m, 1.0, store=5)
    with pytest.raises(DescriptionError, match="more outputs than the disk holds"):
        simulate(m, 1e9, every=1e-5, store="night")
    simulate(m, 1.0, store="night")
    with pytest.raises(FileError, match="holds another run"):
        simulate(m, 1.0, store="night")
    os.makedirs("mine")
    for left in (".run.json.1-0123abcd.part", ".times.bin.1-0123abcd.part"):  # of who was killed as it began
        os.makedirs(f"begun{left}")
        open(f"begun{left}/{left}", "w").close()
        simulate(m, 1.0, store=f"begun{left}")
        assert lw.load(f"begun{left}").t[-1] == 1.0
    open("mine/letter.txt", "w").close()
    with pytest.raises(FileError, match="other files in it"):
        simulate(m, 1.0, store="mine")
    with pytest.raises(FileError, match="no folder of a long run"):
        lw.resume("mine")
    with pytest.raises(FileError, match="is not there"):
        lw.resume("nowhere")


def test_a_run_of_other_kernels_is_refused_by_version(tmp_path, monkeypatch):
    from linkwork.analysis import inner_state, resume

    m = lw.gallery.four_bar()
    monkeypatch.setattr(inner_state, "sources", lambda: "those of another version")
    with pytest.raises(RunLimitError):
        m.simulate(1.0, every=0.01, store=tmp_path / "night", most_steps=5, coordinates="joint")
    with pytest.raises(FileError, match=f"another Linkwork, version {lw.__version__} with other kernels"):
        lw.resume(tmp_path / "night")
    assert lw.load(tmp_path / "night").t.size > 0
    monkeypatch.setattr(resume, "sources", lambda: "those of another version")
    assert lw.resume(tmp_path / "night").t[-1] == 1.0


def test_progress_counts_from_the_start_of_the_run(capsys, monkeypatch):
    from linkwork.analysis.progress import Progress

    monkeypatch.setattr(Progress, "AFTER", 0.0)
    monkeypatch.setattr(Progress, "EVERY", 0.0)
    with Progress(True, "night", 0.0, 10.0, now=5.0) as line:
        line.begin -= 100.0  # seconds of this call, in which one second of the motion was done
        line.show(6.0)
    told = capsys.readouterr().err
    assert "(60 %)" in told and "7 min left" in told


@pytest.mark.filterwarnings("error::linkwork.errors.RunQualityWarning")
@pytest.mark.parametrize("part", [4000, 4_000_000])
def test_states_of_rest_alone_leave_no_doubt(part, monkeypatch):
    """A folder kept a state a part for its ledger, a run in memory five: at rest, next to which any error is large."""
    monkeypatch.setattr(storing, "PART_BYTES", part)
    m = lw.Mechanism("swings once a second", gravity=None)
    block = m.add("block", lw.Particle(1.0, position=(1.5, 0), velocity=(0, 0)))
    m.add("rail", lw.PinInSlot("ground", "block"))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 0), block.at(0, 0), stiffness=4 * np.pi**2, rest_length=1.0))
    for options in ({}, {"store": "night"}):
        run = simulate(m, 10.0, every=0.05, rtol=1e-5, **options)
        assert not run.doubts and run.energy.in_play > 4.9
        assert 0.0 < np.abs(run.energy.balance).max() < 1e-3 * run.energy.in_play
