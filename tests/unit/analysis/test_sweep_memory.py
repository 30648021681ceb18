"""Memory stays flat over many designs: what grows is the table that was asked for."""

import os

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
    number = COUNT if way == "store" else COUNT // 2  # each of them takes longer
    values = np.linspace(15.0, 25.0, number).tolist()
    SIZES.clear()
    if way == "reduce":
        found = lw.sweep(m, {"spring.stiffness": values}, times=0.05, every=0.01, reduce=noted)
        grown = max(SIZES[number // 2 :]) - SIZES[number // 4]
    else:
        asked = {"times": 0.05, "every": 0.01, "read": ["D.angle.max", "coupler.tracer.x.last"]}
        lw.sweep(m, {"spring.stiffness": values[: number // 4]}, **asked, store=tmp_path / "first")
        before = resident()
        found = lw.sweep(m, {"spring.stiffness": values}, **asked, store=tmp_path / "second")
        grown = resident() - before
    assert (found["failed"] == "").all()
    print(f"{number} designs with {way}=: {grown / 1e6:.1f} MB more")
    assert grown < MOST * number / COUNT
