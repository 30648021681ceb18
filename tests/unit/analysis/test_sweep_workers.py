"""Whoever runs a sweep, whatever ends: the same table, or a clear answer."""

import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings

import numpy as np
import pytest

import linkwork as lw
from linkwork.analysis import workers
from linkwork.analysis.design_table import design_table
from linkwork.analysis.sweep_task import Task
from linkwork.errors import AnalysisError, DescriptionError, FileError, SweepWarning

pytest.importorskip("xarray")

VARY = {"spring.stiffness": [10.0, 20.0, 40.0, 60.0]}
DIES = "LINKWORK_TEST_DIES"  # a file that is there while a process shall die


def fatal(run):
    """Ends its process in one design, as a kill would, as often as the file says."""
    path = os.environ[DIES]
    if run.mechanism.forces["spring"].stiffness == 40.0 and os.path.exists(path):
        with open(path, "a") as file:
            file.write("x")
        if os.path.getsize(path) <= int(os.environ[DIES + "_TIMES"]):
            os.kill(os.getpid(), signal.SIGKILL)
    return run["D.angle"].max()


def raising(run):
    return run["nothing"]


def sweep(**options):
    return lw.sweep(lw.gallery.four_bar(), VARY, **{"times": 0.1, "read": "D.angle", **options})


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills by a signal")
@pytest.mark.parametrize("times", [1, 1000])
def test_a_process_that_is_killed_costs_its_part_only(tmp_path, monkeypatch, times):
    path = tmp_path / "dies"
    monkeypatch.setenv(DIES, str(path))
    monkeypatch.setenv(DIES + "_TIMES", str(times))
    wanted = sweep(reduce=fatal)
    path.write_text("")
    if times == 1:
        assert sweep(reduce=fatal, workers=2, processes=True).identical(wanted)
        assert path.read_text() == "xx"  # it died once, and ran again
        return
    with pytest.warns(SweepWarning, match=r"1 of 4 designs.*process was ended"):
        found = sweep(reduce=fatal, workers=2, processes=True)
    assert found["failed"].values.tolist()[2].startswith("its process was ended")
    assert np.array_equal(found["result"].values[[0, 1, 3]], wanted["result"].values[[0, 1, 3]])


PROGRAM = """
import sys
import time
import linkwork as lw

def slow(run):
    print("ran", flush=True)
    time.sleep(0.05)
    return run["D.angle"].max()

if __name__ == "__main__":
    from linkwork.analysis import sweep, workers
    sweep.CHUNK = workers.MOST_DESIGNS = 1
    lw.sweep(lw.gallery.four_bar(), {"spring.stiffness": [float(k) for k in range(10, 22)]}, times=0.3,
             read="D.angle", reduce=slow, workers=int(sys.argv[2]), processes=sys.argv[2] == "2", store=sys.argv[1])
    print("done", flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills by a signal")
@pytest.mark.parametrize("many", ["1", "2"])
def test_a_program_that_is_killed_goes_on_to_the_same_table(tmp_path, many):
    script, store = tmp_path / "program.py", tmp_path / "designs"
    script.write_text(textwrap.dedent(PROGRAM))
    command = [sys.executable, str(script), str(store), many]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    while len(list(store.glob("part-*"))) < 3:
        assert run.poll() is None, "it ended before it was killed"
        time.sleep(0.002)
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    done = len(list(store.glob("part-*")))
    assert 3 <= done < 12
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout.count("ran") == 12 - done and "done" in again.stdout
    whole = subprocess.run([*command[:2], str(tmp_path / "other"), "1"], capture_output=True, text=True, check=True)
    assert whole.stdout.count("ran") == 12
    from linkwork.files import packs

    def numbers(folder):
        found = {}
        for part in sorted(os.listdir(folder)):
            if part.startswith("part-"):
                found.update(packs.Pack(str(folder), part, "answers").arrays())
        return found

    one, other = numbers(store), numbers(tmp_path / "other")
    assert one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


BLOCKS = """
import sys
import time
import lw_blocks

if __name__ == "__main__":
    from linkwork.analysis import quick, sweep, workers
    usual = quick.answers

    def slow(made, values, *given, **options):
        print("block of", len(values), flush=True)
        time.sleep(0.05)
        return usual(made, values, *given, **options)

    quick.answers = slow
    sweep.CHUNK = workers.MOST_DESIGNS = 8
    lw_blocks.found(store=sys.argv[1])
"""
ASKED = """
import linkwork as lw

def found(**options):
    lengths = [0.9 + 0.001 * k for k in range(160)]
    asked = {"times": 0.2, "read": ["D.angle", "D.angle.max"], "progress": False, **options}
    return lw.sweep(lw.gallery.four_bar(), {"crank.length": lengths}, **asked)
"""


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(os.name != "posix", reason="kills by a signal")
def test_a_program_that_is_killed_in_blocks_goes_on_to_the_same_table(tmp_path):
    script, store = tmp_path / "program.py", tmp_path / "designs"
    script.write_text(BLOCKS)
    (tmp_path / "lw_blocks.py").write_text(ASKED)
    run = subprocess.Popen([sys.executable, script, store], stdout=subprocess.PIPE, text=True)
    while len(list(store.glob("part-*"))) < 5:
        assert run.poll() is None, "it ended before it was killed"
        time.sleep(0.002)
    os.kill(run.pid, signal.SIGKILL)
    assert run.communicate()[0].count("block of 8") >= 3
    assert 5 <= len(list(store.glob("part-*"))) < 20
    space = {}
    exec(ASKED, space)
    assert space["found"](store=store).identical(space["found"]())


STOPPED = """
import lw_program

if __name__ == "__main__":
    import signal, sys
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell switches off in what runs behind
    lw = lw_program.lw
    asked = dict(times=0.3, read=["D.angle", "D.angle.max"], reduce=lw_program.slow)
    try:
        lw.sweep(lw.gallery.four_bar(), lw_program.VARY, **asked, workers=2, processes=True, store=sys.argv[1])
    except KeyboardInterrupt as stop:
        done = stop.result["failed"].values == ""
        assert set(stop.result["failed"].values[~done]) == {"not run"}
        assert stop.__notes__[0].startswith(f"{done.sum()} of 40 designs are done")
        print(f"stopped {done.sum()}", flush=True)
        found = lw.sweep(lw.gallery.four_bar(), lw_program.VARY, **asked, store=sys.argv[1])
        assert found.equals(lw.sweep(lw.gallery.four_bar(), lw_program.VARY, **asked))
        kept = found.isel({"spring.stiffness": done})
        assert kept.equals(stop.result.isel({"spring.stiffness": done}))
        print("the same", flush=True)
"""
SLOW = """
import time
import linkwork as lw
from linkwork.analysis import sweep, workers

sweep.CHUNK = workers.MOST_DESIGNS = 1
VARY = {"spring.stiffness": [float(k) for k in range(10, 50)]}

def slow(run):
    time.sleep(0.1)
    return run["D.angle"].max()
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C as a terminal sends it")
def test_ctrl_c_with_processes_keeps_what_is_done(tmp_path):
    """Sent to all processes at once, in mid-sweep: no process is left, and the table goes on with what is done."""
    store = tmp_path / "designs"
    (tmp_path / "lw_program.py").write_text(SLOW)
    (tmp_path / "program.py").write_text(STOPPED)
    with open(tmp_path / "told", "w") as told:
        command = [sys.executable, str(tmp_path / "program.py"), str(store)]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=told, text=True, start_new_session=True)
    while len(list(store.glob("part-*"))) < 5:
        assert run.poll() is None, (tmp_path / "told").read_text()
        time.sleep(0.002)
    os.killpg(run.pid, signal.SIGINT)
    said = run.communicate(timeout=300)[0].split()
    assert run.returncode == 0, (tmp_path / "told").read_text()
    assert said[0] == "stopped" and 5 <= int(said[1]) < 40 and said[2:] == ["the", "same"]
    with pytest.raises(ProcessLookupError):
        for _ in range(1000):  # those that it started end with it
            os.killpg(run.pid, 0)
            time.sleep(0.01)


def test_a_folder_has_one_writer(tmp_path):
    from linkwork.files.sweeps import SweepFolder

    first = SweepFolder(tmp_path / "designs", {"asked": 1}, 3)
    with pytest.raises(FileError, match="is being written by another sweep"):
        SweepFolder(tmp_path / "designs", {"asked": 1}, 3)
    first.close()
    SweepFolder(tmp_path / "designs", {"asked": 1}, 3).close()
    with pytest.raises(FileError, match="holds another sweep"):
        SweepFolder(tmp_path / "designs", {"asked": 2}, 3)
    SweepFolder(tmp_path / "designs", {"asked": 1}, 3).close()  # one that was refused keeps no lock
    store = tmp_path / "whole"
    wanted = sweep(store=store)
    assert sweep(store=store).identical(wanted)


def test_a_folder_knows_laws_by_what_they_do(tmp_path):
    def made(law):
        m = lw.Mechanism(gravity=None)
        ball = m.add("ball", lw.Particle(1.0, position=(1, 0)))
        m.add("pull", lw.UserForce(lw.Offset(m.ground.at(0, 0), ball.at(0, 0), "x"), law))
        return m

    def run(law):
        return lw.sweep(made(law), {"ball.mass": [1.0, 2.0]}, times=0.1, read="ball.x.last", store=tmp_path / "designs")

    def law_of(k):
        def pull(x, v, t):
            return -k * x

        return pull

    first = run(law_of(2.0))
    assert run(law_of(2.0)).identical(first)
    with pytest.raises(FileError, match="holds another sweep"):
        run(law_of(3.0))


@pytest.mark.parametrize("options", [{}, {"workers": 2}, {"workers": 1, "processes": True}])
def test_a_reduce_that_always_raises_is_told_as_such(options):
    with pytest.raises(
        DescriptionError, match=r"sweep cannot reduce any design: reduce raised UnknownNameError"
    ) as one:
        sweep(reduce=raising, **options)
    assert options.get("processes") or "nothing" in str(one.value.__cause__)


def test_designs_that_fail_are_told_once_with_the_first_reason():
    m = lw.gallery.four_bar()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        lw.sweep(m, {"crank.length": [1.0, 50.0, 60.0]}, times=0.1, read="D.angle.max")
    told = [str(one.message) for one in told if one.category is SweepWarning]
    assert len(told) == 1 and told[0].startswith("sweep has no numbers for 2 of 3 designs; of the first of them:")
    assert "cannot be assembled" in told[0]


def told_beside(act, *given, **options):
    """An answer, and what is warned of beside it."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = act(*given, **options)
    return found, [(one.category, str(one.message)) for one in told]


def test_many_warnings_are_one_with_their_number_and_the_first():
    m = lw.gallery.four_bar()
    lengths = np.linspace(0.9, 1.1, 41)
    found, told = told_beside(lw.sweep, m, {"crank.length": lengths}, times=0.1, read="D.angle.max")
    moved = found["doubts"].values != ""
    assert 30 < moved.sum() < 41 and not moved[20]  # the length that its bodies were declared with
    ((kind, words),) = told
    assert kind is SweepWarning
    assert words.startswith(f"sweep has doubts about {moved.sum()} of 41 designs ({moved.sum()} MovedWarning); of the")
    assert words.endswith(f'{found["doubts"].values[0]} Look at ["doubts"] of the table.')
    with pytest.warns(lw.errors.MovedWarning) as alone:
        m.with_numbers({"crank.length": 0.9}).simulate(0.1, coordinates="auto")
    assert found["doubts"].values[0] == f"MovedWarning: {alone[0].message}"


@pytest.mark.filterwarnings("ignore")
def test_doubts_do_not_depend_on_filters_nor_on_reduce():
    """A filter leaves out the summary; what a run in `reduce` warns of is of its design."""
    m = lw.gallery.four_bar()
    asked = {"vary": {"crank.length": [0.9, 1.0]}, "times": 0.1, "reduce": runs_again}
    wanted, told = told_beside(lw.sweep, m, **asked)
    assert len(told) == 1 and "from_angles" not in wanted["doubts"].values[1]
    assert "UnlikelyAngleWarning" in wanted["doubts"].values[1] and "MovedWarning" in wanted["doubts"].values[0]
    assert lw.sweep(m, **asked).identical(wanted)
    assert lw.sweep(m, workers=2, **asked).identical(wanted)


def runs_again(run):
    return run.mechanism.assemble(start={"A.angle": 20.0}, coordinates="body").state["D.angle"]


def in_python(x, v, t):
    return -2.0 * float(str(float(x)))  # numba cannot compile that


def pulled():
    m = lw.Mechanism(gravity=None)
    ball = m.add("ball", lw.Particle(1.0, position=(1, 0)))
    m.add("pull", lw.UserForce(lw.Offset(m.ground.at(0, 0), ball.at(0, 0), "x"), in_python))
    return m


@pytest.mark.slow
def test_a_law_that_is_not_compiled_is_told_once_and_is_no_doubt_of_a_design():
    asked = {"vary": {"ball.mass": [1.0, 2.0, 3.0]}, "times": 0.1, "read": "ball.x.last"}
    found, told = told_beside(lw.sweep, pulled(), **asked, workers=2, processes=True)
    assert {kind for kind, _ in told} == {RuntimeWarning} and len(told) <= 2  # here, where its names are looked up
    assert all("cannot be compiled and runs as plain Python" in words for _, words in told)
    assert (found["doubts"] == "").all()
    assert lw.sweep(pulled(), **asked).identical(found)


def test_a_search_tells_the_doubts_of_its_first_design_once():
    m = lw.gallery.four_bar()
    asked = {
        "vary": {"crank.length": (0.8, 0.95)},
        "minimize": "D.angle.max",
        "times": 0.1,
        "begin": {"crank.length": 0.9},
    }
    for who in ({}, {"workers": 2}):
        found, told = told_beside(m.optimize, **asked, **who)
        assert found.runs > 3 and [kind for kind, _ in told] == [lw.errors.MovedWarning]


def test_a_unit_that_does_not_fit_is_refused_in_any_design():
    m = lw.gallery.four_bar()
    with pytest.raises(lw.errors.UnitError, match="another kind"):
        lw.sweep(m, {"spring.stiffness": ["10 N/m", "20 N/m", "3 kg"]}, times=0.1, read="D.angle.max")
    with pytest.raises(lw.errors.UnitError):
        lw.sweep(m, {"start:A.angle": ["1 rad", "3 kg"]}, times=0.1, read="D.angle.max")


def test_what_cannot_be_sent_says_so():
    with pytest.raises(DescriptionError, match="sweep cannot be sent to other processes"):
        sweep(reduce=lambda run: 1.0, processes=True)
    with pytest.raises(DescriptionError, match="optimize cannot be sent to other processes"):
        lw.optimize(
            lw.gallery.four_bar(), {"spring.stiffness": (10, 40)}, lambda run: 1.0, times=0.1, workers=2, processes=True
        )


def test_processes_that_never_answer_are_told(monkeypatch):
    task = Task(lw.gallery.four_bar(), "simulate", 0.1, ["D.angle"], None, {})
    monkeypatch.setattr(workers, "_pool", lambda task, n: _pool_that_dies(n))
    parts = workers.Parts(design_table(VARY, "grid", None, 0), range(4))
    with pytest.raises(AnalysisError, match="all ended before they answered"):
        list(workers.Processes()(task, parts, 1))


def test_a_script_without_a_guard_is_told_at_once(tmp_path):
    """Its processes read it, and would start processes: they end without a word, and the sweep says what is missing."""
    script = tmp_path / "bare.py"
    script.write_text(
        "import linkwork as lw\n"
        "print('begins')\n"
        "m = lw.gallery.pendulum()\n"
        "m.sweep({'rod.mass': [1, 2]}, analysis='assemble', read='A.angle', workers=2, processes=True)\n",
        encoding="utf-8",
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, str(script)], env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and done.stderr.count("Traceback") == 1 and done.stdout.count("begins") <= 3
    assert "Put `if __name__" in done.stderr


def test_a_search_starts_its_processes_once(monkeypatch):
    started, usual = [], workers._pool
    monkeypatch.setattr(workers, "_pool", lambda task, n: started.append(usual(task, n)) or started[-1])
    asked = {"vary": {"spring.stiffness": (10, 40)}, "minimize": "D.angle.max", "times": 0.2}
    here, there = (lw.gallery.four_bar().optimize(**asked, **who) for who in ({}, {"workers": 2, "processes": True}))
    assert there.history == here.history and there.runs > 8
    assert len(started) == 1
    with pytest.raises(RuntimeError):  # and ends them
        started[0].submit(int)


def _pool_that_dies(n):
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    return ProcessPoolExecutor(n, multiprocessing.get_context("spawn"), os._exit, (3,))


@pytest.mark.parametrize("kind", ["here", "threads"])
def test_ctrl_c_keeps_what_is_done_of_a_part(monkeypatch, kind):
    task = Task(lw.gallery.four_bar(), "simulate", 0.1, ["D.angle.max"], None, {})
    parts = workers.Parts(design_table(VARY, "grid", None, 0), range(4))
    if kind == "here":
        parts.size = 4
    usual, ran = Task.run_alone, []

    def alone(self, design):
        ran.append(design)
        if len(ran) == 3 and kind == "here":
            raise KeyboardInterrupt
        return usual(self, design)

    monkeypatch.setattr(Task, "run_alone", alone)
    if kind == "threads":  # Ctrl-C is heard by the thread that waits
        monkeypatch.setattr(workers, "wait", _interrupted(ran))
    found = []
    with pytest.raises(KeyboardInterrupt):
        run = workers.in_this_thread if kind == "here" else workers.in_threads
        for part, answers in run(task, parts, 2):
            found += zip(part.numbers, answers)
    assert [k for k, _ in found] == [0, 1] if kind == "here" else 2 <= len(found) <= 4
    assert all(one["failed"] == "" for _, one in found)


def test_parts_of_several_workers_become_smaller_towards_the_end():
    parts = workers.Parts([{}] * 4000, range(4000))
    parts.size = workers.MOST_DESIGNS
    parts.took(workers.Part([], []), 5e-4)  # of a design
    dealt = []
    while (part := parts.take(2)) is not None:
        dealt.append(part.numbers)
    assert [k for part in dealt for k in part] == list(range(4000))  # each once
    sizes = [len(part) for part in dealt]
    assert sizes[0] == workers.MOST_DESIGNS and sizes == sorted(sizes, reverse=True)
    assert sizes[-2] == round(workers.LEAST_SECONDS / 5e-4) >= sizes[-1]


def test_a_later_sweep_begins_with_a_large_part():
    """Of the same question; the first one begins with one design."""
    m = lw.gallery.pendulum()
    sizes = []

    class Seen(Task):
        def run_part(self, designs, *more, **options):
            sizes.append(len(designs))
            return super().run_part(designs, *more, **options)

    for count in (200, 200):
        sizes.append(0)
        designs = design_table({"start:A.angle": np.linspace(0.1, 1.0, count).tolist()}, "list", None, 0)
        task = Seen(m, "simulate", 0.5, ["A.angle.last"], None, {"rtol": 1e-6})
        task.expected = count
        found = [
            one for _, some in workers.in_this_thread(task, workers.Parts(designs, range(count)), 1) for one in some
        ]
        assert len(found) == count and not any(one["failed"] for one in found)
    first, second = sizes[1 : sizes.index(0, 1)], sizes[sizes.index(0, 1) + 1 :]
    assert first[0] == 1 and second[0] > 20


def _interrupted(ran):
    def wait(*given, **more):
        while len(ran) < 2:
            time.sleep(0.001)
        raise KeyboardInterrupt

    return wait
