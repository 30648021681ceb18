"""Sweeps on a Dask cluster: the same bits as here, also where a worker is killed in mid-sweep."""

import os
import signal
import sys

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import AnalysisError, DescriptionError, MissingPackageError

distributed = pytest.importorskip("distributed")
pytest.importorskip("xarray")
pytestmark = pytest.mark.slow

VARY = {"spring.stiffness": np.linspace(10.0, 40.0, 12), "start:A.angle": [1.0, 1.2]}
OPTIONS = {"times": 0.2, "read": ["D.angle", "D.angle.max"], "rtol": 1e-6}


def top(run):
    return run["D.angle"].max()


@pytest.fixture(scope="module")
def client():
    """Two workers, each a process with one thread."""
    settings = {"distributed.scheduler.allowed-failures": 1}
    import dask

    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def here():
    return lw.sweep(lw.gallery.four_bar(), VARY, reduce=top, **OPTIONS)


def test_the_same_bits_as_here(client, here):
    assert lw.sweep(lw.gallery.four_bar(), VARY, reduce=top, client=client, **OPTIONS).identical(here)
    assert lw.sweep(lw.gallery.four_bar(), VARY, reduce=top, workers=2, **OPTIONS).identical(here)


def in_blocks():
    """Designs that went in blocks in this process, of the task that it had last."""
    from linkwork.analysis import cluster, workers

    tasks = [*cluster._TASKS.values(), workers._TASK]
    return max((one._quick.tried for one in tasks if one is not None and one._quick is not None), default=0)


def test_blocks_have_the_same_bits_whoever_runs_them(client, monkeypatch):
    """Series and numbers of designs that go in blocks: other lengths, some far from where they were declared."""
    rng = np.random.default_rng(7)
    spread = {
        "crank.length": (0.9, 1.1),
        "coupler.length": (2.8, 3.2),
        "rocker.mass": (1.0, 2.0),
        "start:A.angle": (1, 2),
    }
    vary = {name: rng.uniform(*ends, 160).tolist() for name, ends in spread.items()}
    asked = {"times": 0.5, "over": "list", "read": ["D.angle", "coupler.tracer.x", "A.angle.rate.min"], "rtol": 1e-6}
    from linkwork.analysis import quick, workers

    went, usual = [], quick.answers
    monkeypatch.setattr(
        quick,
        "answers",
        lambda made, values, *rest, **options: went.append(len(values)) or usual(made, values, *rest, **options),
    )
    with pytest.warns(lw.errors.SweepWarning):
        wanted = lw.sweep(lw.gallery.four_bar(), vary, **asked)
    assert max(went) >= 20 and (wanted["failed"] == "").all()
    went.clear()
    with pytest.warns(lw.errors.SweepWarning):
        assert lw.sweep(lw.gallery.four_bar(), vary, workers=2, **asked).identical(wanted)
    assert max(went) >= 16  # parts of several workers are smaller
    went.clear()
    close, counted = workers.Processes.close, []

    def closed(kind):
        if kind._pool is not None:
            counted.extend(one.result() for one in [kind._pool.submit(in_blocks) for _ in range(8)])
        close(kind)

    monkeypatch.setattr(workers.Processes, "close", closed)
    with pytest.warns(lw.errors.SweepWarning):
        assert lw.sweep(lw.gallery.four_bar(), vary, workers=2, processes=True, **asked).identical(wanted)
    assert max(counted) >= 16
    with pytest.warns(lw.errors.SweepWarning):
        assert lw.sweep(lw.gallery.four_bar(), vary, client=client, **asked).identical(wanted)
    assert len(counts := client.run(in_blocks)) == 2 and max(counts.values()) >= 16
    assert not went  # neither of them ran here


def test_functions_without_a_module_are_sent(client):
    """By Dask's serializer: what lives in a notebook, or inside of another function, goes along."""
    factor = 3.0
    m = lw.gallery.four_bar()
    found = lw.sweep(
        m, {"spring.stiffness": [10.0, 20.0]}, reduce=lambda run: factor * top(run), client=client, times=0.1
    )
    wanted = lw.sweep(m, {"spring.stiffness": [10.0, 20.0]}, reduce=lambda run: factor * top(run), times=0.1)
    assert np.array_equal(found["result"], wanted["result"])


def test_a_worker_that_is_killed_costs_its_part_only(client, here, tmp_path):
    """One worker is killed by a design that it runs, the first time; the sweep has the same table at its end."""
    told = tmp_path / "killed"

    def deadly(run):
        if run.mechanism.forces["spring"].stiffness > 30.0 and not told.exists():
            told.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return top(run)

    found = lw.sweep(lw.gallery.four_bar(), VARY, reduce=deadly, client=client, store=tmp_path / "designs", **OPTIONS)
    assert told.exists() and int(told.read_text()) != os.getpid()
    assert found["result"].equals(here["result"]) and found["D.angle"].identical(here["D.angle"])
    assert (found["failed"] == "").all()
    again = lw.sweep(lw.gallery.four_bar(), VARY, reduce=deadly, client=client, store=tmp_path / "designs", **OPTIONS)
    assert again.identical(found)


@pytest.mark.filterwarnings("ignore")
def test_a_design_that_always_kills_its_worker_is_told(client):
    def deadly(run):
        if run.mechanism.forces["spring"].stiffness == 20.0:
            os.kill(os.getpid(), signal.SIGKILL)
        return top(run)

    stiffness = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0]  # more than two workers: some wait beside the one that kills
    found = lw.sweep(lw.gallery.four_bar(), {"spring.stiffness": stiffness}, reduce=deadly, client=client, times=0.1)
    told = [one == 20.0 for one in stiffness]
    assert (found["failed"] == "its worker died again and again").values.tolist() == told
    assert np.isnan(found["result"].values).tolist() == told


def test_designs_that_fail_say_why_there_too(client):
    with pytest.warns(lw.errors.SweepWarning):
        found = lw.sweep(
            lw.gallery.four_bar(), {"crank.length": [0.5, 50.0]}, times=0.1, read="D.angle.max", client=client
        )
    assert found["failed"][0] == "" and "cannot be assembled" in str(found["failed"].values[1])


def test_doubts_come_back_and_are_told_here(client):
    m = lw.gallery.four_bar()
    asked = {"vary": {"crank.length": np.linspace(0.9, 1.1, 41)}, "times": 0.1, "read": ["D.angle", "D.angle.max"]}
    tables, words = [], []
    for who in ({}, {"client": client}, {"workers": 2, "processes": True}):
        with pytest.warns(lw.errors.SweepWarning, match="has doubts about") as told:
            tables.append(lw.sweep(m, **asked, **who))
        words.append([str(one.message) for one in told])
    assert (tables[0]["doubts"] != "").sum() > 30 and len(words[0]) == 1
    for table, said in zip(tables[1:], words[1:]):
        assert table.identical(tables[0]) and said == words[0]


def test_optimize_on_a_cluster(client):
    m = lw.gallery.four_bar()
    asked = {"vary": {"spring.stiffness": (10, 40)}, "minimize": "D.angle.max", "times": 0.2}
    assert m.optimize(**asked, client=client).history == m.optimize(**asked).history


def test_wrong_use(client, monkeypatch):
    m, vary = lw.gallery.four_bar(), {"spring.stiffness": [10.0]}
    with pytest.raises(DescriptionError, match=r"client= that is none.*Client\("):
        lw.sweep(m, vary, times=0.1, read="D.angle.max", client="tcp://somewhere:8786")
    with pytest.raises(DescriptionError, match="workers of its own"):
        lw.sweep(m, vary, times=0.1, read="D.angle.max", client=client, workers=2)
    with pytest.raises(lw.errors.ArgumentError, match=r"evry.*every"):
        lw.sweep(m, vary, times=0.1, read="D.angle.max", client=client, evry=0.1)
    from linkwork.analysis import cluster

    monkeypatch.setattr(cluster, "__version__", "0.0.0")
    with pytest.raises(AnalysisError, match=r"another version.*0\.0\.0.*Install the same"):
        lw.sweep(m, vary, times=0.1, read="D.angle.max", client=client)
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"linkwork\[cluster\]"):
        lw.sweep(m, vary, times=0.1, read="D.angle.max", client=client)
