"""Memory over very many runs and laws: it stays where it was."""

import gc
import os
from pathlib import Path

import pytest

import linkwork as lw
from campaign import campaign, count

STATM = Path("/proc/self/statm")
ALLOWED = 12.0  # MB over a whole campaign; what leaks grows by 1 kB a run (2 MB), or by 1.4 MB a law (2.8 GB)

pytestmark = pytest.mark.skipif(not STATM.exists(), reason="the size of a process is told by Linux")


def megabytes():
    gc.collect()
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def grown(work, times):
    """How much memory grows while `work(k)` is done so often, after a first tenth that fills what is kept."""
    for k in range(times // 10):
        work(k)
    before = megabytes()
    for k in range(times // 10, times):
        work(k)
    return megabytes() - before


def loaded(law, **numbers):
    m = lw.gallery.pendulum()
    m.add("law", lw.UserForce(lw.Angle(m.ground, m[next(iter(m.bodies))]), law, **numbers))
    return m


@campaign
def test_runs_leave_nothing_behind(capsys):
    m, times = lw.gallery.four_bar(), count(2000)

    def work(k):
        run = m.simulate(0.02, every=0.01, coordinates=("body", "joint")[k % 2])
        assert len(run["crank.angle"]) == 3 if "crank" in m.bodies else len(run.t) == 3

    growth = grown(work, times)
    with capsys.disabled():
        print(f"\nmemory over runs: {times} runs, {growth:+.1f} MB")
    assert growth < ALLOWED


@campaign
def test_laws_defined_anew_leave_nothing_behind(capsys):
    times = count(2000)

    def defined_anew(k):
        def law(value, rate, t, stiffness):
            return -stiffness * value - 0.01 * rate

        return loaded(law, stiffness=1.0 + k)

    def work(k):
        assert len(defined_anew(k).simulate(0.02, every=0.01, coordinates="body").t) == 3

    growth = grown(work, times)
    with capsys.disabled():
        print(f"\nmemory over laws: {times} laws defined anew, {growth:+.1f} MB")
    assert growth < ALLOWED


@pytest.mark.slow
def test_laws_with_other_constants_leave_little_behind():
    """Each has to be compiled, and LLVM keeps some of what that took: 0.1 MB, where it was 1.4 MB."""

    def with_constants(k):
        return loaded(lambda value, rate, t: -k * value)

    def work(k):
        assert len(with_constants(1.0 + k).simulate(0.02, every=0.01, coordinates="body").t) == 3

    for k in range(25):  # the last 16 are kept for mechanisms that are built again
        work(k)
    before = megabytes()
    for k in range(25, 55):
        work(k)
    assert (megabytes() - before) / 30 < 0.5
