"""Memory stays flat over many designs: what grows is the table that was asked for."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import linkwork as lw
from campaign import WHOLE, campaign, count

pytest.importorskip("xarray")

COUNT = count(10_000)
MOST = 20e6 if WHOLE else 6e6  # bytes between a quarter of the designs and all of them
SIZES: list[float] = []


def resident() -> float:
    """Bytes of this process in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def noted(run):
    """A number of a run, the memory noted beside."""
    SIZES.append(resident())
    return run["D.angle"][-1]


@campaign
@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux tells it")
@pytest.mark.parametrize("way", ["reduce", "store"])
def test_memory_is_flat(way, tmp_path):
    m = lw.gallery.four_bar()
    values = np.linspace(15.0, 25.0, COUNT).tolist()
    SIZES.clear()
    if way == "reduce":
        found = lw.sweep(m, {"spring.stiffness": values}, times=0.05, every=0.01, reduce=noted)
        grown = max(SIZES[COUNT // 2 :]) - SIZES[COUNT // 4]
    else:
        asked = {"times": 0.05, "every": 0.01, "read": ["D.angle.max", "coupler.tracer.x.last"]}
        lw.sweep(m, {"spring.stiffness": values[: COUNT // 4]}, **asked, store=tmp_path / "first")
        before = resident()
        found = lw.sweep(m, {"spring.stiffness": values}, **asked, store=tmp_path / "second")
        grown = resident() - before
    assert (found["failed"] == "").all()
    print(f"{COUNT} designs with {way}=: {grown / 1e6:.1f} MB more")
    assert grown < MOST


OUTPUTS = 2001
#: bytes beside a table of series: some 64 answers wait for their part on disk, two series and times of each (3 MB), 32
#: of them are packed in two copies (3 MB), and the allocator keeps some of what it was given back, of blocks of 32
#: designs (5 MB for each array of their states)
BESIDE = 16e6
SERIES = """
    import resource
    import sys

    import numpy as np

    import linkwork as lw
    from linkwork.analysis import sweep, workers

    sweep.CHUNK = workers.MOST_DESIGNS = 32
    count, m = int(sys.argv[1]), lw.gallery.four_bar()

    def most(many, *store):
        asked = {"times": 0.2, "every": 0.0001, "read": ["D.angle", "coupler.tracer.x"], "progress": False}
        values = np.linspace(15.0, 25.0, many)
        table = lw.sweep(m, {"spring.stiffness": values}, store=store[0] if store else None, **asked)
        assert (table["failed"] == "").all() and table.sizes["time"] == int(sys.argv[2])
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, table.nbytes

    for k in range(3):  # blocks and parts are then as large as they get
        before, small = most(200, f"{sys.argv[3]}-{k}")
    after, large = most(count, *sys.argv[4:])
    print(after - before, large - small)
"""


@campaign
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kilobytes, as Linux counts them")
@pytest.mark.parametrize("store", [True, False])
def test_series_take_no_more_than_their_table(store, tmp_path):
    """The most that a process ever had, over its table; the second call takes what the first has on disk."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(SERIES))
    for again in range(2 if store else 1):
        folders = [str(tmp_path / f"first{again}"), *([str(tmp_path / "second")] if store else [])]
        command = [sys.executable, str(program), str(COUNT), str(OUTPUTS), *folders]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        grown, table = map(float, done.stdout.split())
        print(
            f"{COUNT} designs with two series: a table of {table / 1e6:.0f} MB more, {grown / 1e6:.1f} MB more in all"
        )
        assert table > 16.0 * OUTPUTS * (COUNT - 200)
        assert grown < table + BESIDE
