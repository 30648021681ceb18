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

import linkwork as lw
from campaign import campaign, count
from linkwork.analysis import storing

RUN = """
import sys
import time
import linkwork as lw
from linkwork.analysis import storing
storing.PART_BYTES = 60_000
usual = storing.Storing._put_part
def slowly(self, *given):  # so that the run is still going on when it is to be killed
    time.sleep(0.3)
    return usual(self, *given)
storing.Storing._put_part = slowly
m = lw.gallery.double_pendulum()
m.add("turns", lw.Event("A.angle.rate"))
m.add("often", lw.Event("B.angle", 0.3, then=lw.Set("gravity", (0.0, -9.81))))
print("begun", flush=True)
if len(sys.argv) > 1:
    lw.resume("night", checkpoint=0.05)
else:
    m.simulate(SECONDS, every=0.02, coordinates="body", store="night", checkpoint=0.05)
print("done", flush=True)
"""


@campaign
@pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
def test_kills_at_random_moments_change_no_bit(tmp_path, capsys):
    kills, rng, done, killed = count(20), random.Random(18), False, 0
    script = RUN.replace("SECONDS", str(60.0 * kills))
    while not done:
        going_on = ["on"] if (tmp_path / "night" / "reached.bin").exists() else []
        if not going_on and (tmp_path / "night").exists():  # killed before anything was written down
            for one in (tmp_path / "night").iterdir():
                one.unlink()
        child = subprocess.Popen(
            [sys.executable, "-c", script, *going_on], cwd=tmp_path, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout.readline() == "begun\n"
        if killed < kills:
            time.sleep(rng.uniform(0.05, 1.5))
            if child.poll() is None:
                os.kill(child.pid, signal.SIGKILL)
                killed += 1
        done = "done" in child.communicate()[0]
    m = lw.gallery.double_pendulum()
    m.add("turns", lw.Event("A.angle.rate"))
    m.add("often", lw.Event("B.angle", 0.3, then=lw.Set("gravity", (0.0, -9.81))))
    wanted = m.simulate(60.0 * kills, every=0.02, coordinates="body")
    run = lw.load(tmp_path / "night")
    with capsys.disabled():
        print(f"\nlong runs: {killed} kills, {len(run.t)} outputs and {len(run.events)} events, all bits the same")
    assert killed >= min(kills, 2)
    found, known = run.stored(), wanted.stored()
    assert all(np.array_equal(found[key], known[key]) for key in known)
    assert [one.t for one in run.events] == [one.t for one in wanted.events]
    assert run.statistics.evaluations == wanted.statistics.evaluations


@campaign
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the size of a process is told by Linux")
@pytest.mark.parametrize(
    ("name", "coordinates", "seconds"), [("four_bar", "joint", 66_000.0), ("double_pendulum", "body", 22_500.0)]
)
def test_very_many_steps_with_flat_memory(name, coordinates, seconds, tmp_path, capsys, monkeypatch):
    import resource

    monkeypatch.setattr(storing, "PART_BYTES", 500_000)  # several parts in the short run, too

    def most():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3  # MB

    m, steps = lw.gallery.get(name), count(1_000_000)
    seconds *= steps / 1e6

    def runs(part, folder):
        run = m.simulate(part * seconds, every=0.1, coordinates=coordinates, store=tmp_path / folder)
        return run, float(run.violation.max()), float(np.abs(run["energy.balance"]).max()), run["A.reaction.x"].size

    runs(0.4, "short")  # fills what is kept, parts and all
    before = most()
    run, violation, off, size = runs(1.0, "long")
    growth = most() - before
    with capsys.disabled():
        print(
            f"\nlong runs: {run.statistics.steps} steps of {name} in {coordinates} coordinates: violation "
            f"{violation:.1e}, ledger off by {off:.1e} J of {run.energy.in_play:.1f} J, {growth:+.1f} MB"
        )
    assert run.statistics.steps >= 0.95 * steps and size == len(run.t)
    assert violation < 1e-12
    assert growth < 12.0 + 80.0 * len(run.t) / 1e6  # ten series of all times
