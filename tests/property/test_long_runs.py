"""Campaigns on long runs: killed at random moments and taken up again, and very many steps with flat memory."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from benchmarks import long_runs

import linkwork as lw
from campaign import campaign, count
from linkwork.analysis import storing

RUN = """
import sys
import time
from linkwork.analysis import storing
storing.PART_BYTES = 60_000
usual = storing.Storing._put_part
def slowly(self, *given):  # so that the run is still going on when it is to be killed
    time.sleep(0.3)
    return usual(self, *given)
storing.Storing._put_part = slowly
from property.test_long_runs import watched
name, coordinates, seconds, folder, *going_on = sys.argv[1:]
print("begun", flush=True)
if going_on:
    import linkwork as lw
    lw.resume(folder, checkpoint=0.05)
else:
    watched(name).simulate(float(seconds), every=0.02, coordinates=coordinates, store=folder, checkpoint=0.05)
print("done", flush=True)
"""


#: what acts, and where
OFTEN = {"double_pendulum": ("B.angle", 0.3), "four_bar": ("A.angle", 2.0)}


def watched(name):
    """A mechanism of the gallery with an event that is recorded and one that acts."""
    m = lw.gallery.get(name)
    m.add("turns", lw.Event("A.angle.rate"))
    m.add("often", lw.Event(*OFTEN[name], then=lw.Set("gravity", (0.0, -9.81))))
    return m


def kill_and_resume(tmp_path, kills, *asked):
    """Have runs of 60 s a kill go on after so many kills at random moments; their folders.

    One that comes to its end before is followed by another one.
    """
    rng, killed, folders = random.Random(18), 0, ["night0"]
    paths = os.pathsep.join([str(Path(one).resolve()) for one in sys.path if one])
    while True:
        folder = tmp_path / folders[-1]
        going_on = ["on"] if (folder / "reached.bin").exists() else []
        if not going_on and folder.exists():  # killed before anything was written down
            for one in folder.iterdir():
                one.unlink()
        child = subprocess.Popen(
            [sys.executable, "-c", RUN, *asked, folders[-1], *going_on],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdout.readline() == "begun\n"
        if killed < kills:
            time.sleep(rng.uniform(0.05, 1.5))
            if child.poll() is None:
                os.kill(child.pid, signal.SIGKILL)
        if "done" in child.communicate()[0]:
            if killed == kills:
                return folders
            folders.append(f"night{len(folders)}")
        else:
            assert child.returncode == -signal.SIGKILL
            killed += 1


@campaign
@pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
@pytest.mark.parametrize(("name", "coordinates"), [("double_pendulum", "body"), ("four_bar", "joint")])
def test_kills_at_random_moments_change_no_bit(name, coordinates, tmp_path, capsys):
    kills = count(20)
    folders = kill_and_resume(tmp_path, kills, name, coordinates, str(60.0 * kills))
    wanted = watched(name).simulate(60.0 * kills, every=0.02, coordinates=coordinates)
    for folder in folders:
        run = lw.load(tmp_path / folder)
        found, known = run.stored(), wanted.stored()
        assert all(np.array_equal(found[key], known[key]) for key in known)
        assert [one.t for one in run.events] == [one.t for one in wanted.events] and {
            one.name for one in run.events
        } == {"turns", "often"}
        assert run.statistics.evaluations == wanted.statistics.evaluations
    with capsys.disabled():
        print(
            f"\nlong runs: {kills} kills of {name} in {coordinates} coordinates, {len(wanted.t)} outputs and "
            f"{len(wanted.events)} events, all bits the same"
        )


@campaign
@pytest.mark.skipif(not long_runs.Memory.known, reason="the size of a process is told by Linux")
@pytest.mark.parametrize("asked", long_runs.RUNS, ids=lambda one: one.name)
def test_very_many_steps_with_flat_memory(asked, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(storing, "PART_BYTES", 500_000)  # several parts in the short run, too
    steps = count(1_000_000)
    # the short one fills what is kept, parts and all
    short, long = (long_runs.work(asked, share * steps / 1e6, str(tmp_path)) for share in (0.4, 1.0))
    growth = long["memory"] - short["memory"]
    with capsys.disabled():
        print(
            f"\nlong runs: {long['steps']} steps of {asked.name} in {asked.coordinates} coordinates: violation "
            f"{long['violation']:.1e}, ledger off by {long['off']:.1e} J of {long['play']:.1f} J, {growth:+.1f} MB"
        )
    assert long["steps"] >= steps and long["outputs"] == round(asked.seconds * steps / 1e6 / long_runs.EVERY) + 1
    assert long["violation"] < 1e-12
    assert growth < 12.0 + 80.0 * long["outputs"] / 1e6  # ten series of all times
