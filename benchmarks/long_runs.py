"""A million steps into a folder: `python -m benchmarks --only long`, which takes minutes and is left out otherwise.

Each run has a process of its own, in which one of a tenth of the length went before.  Memory is the most that the
process takes, more than in that short run (told by Linux only); reading violations, energies and one reaction of all
outputs is part of that, not of the time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import linkwork as lw
from benchmarks.timing import ROOT, Row

EVERY = 0.1  # seconds from output to output
VIOLATION = 1e-12


@dataclass(frozen=True)
class Long:
    """A mechanism of the gallery, its coordinates, and how long it runs for a million steps at least."""

    title: str
    name: str
    coordinates: str
    seconds: float


RUNS = (Long("four-bar", "four_bar", "joint", 66_000.0), Long("double pendulum", "double_pendulum", "body", 30_000.0))


class Memory:
    """The most that this process takes from now on."""

    known = Path("/proc/self/clear_refs").exists()

    def __init__(self) -> None:
        if self.known:
            Path("/proc/self/clear_refs").write_text("5")  # what went before, in here or where it was started

    def most(self) -> float | None:
        """In megabytes; None where the system does not tell."""
        if not self.known:
            return None
        lines = Path("/proc/self/status").read_text().splitlines()
        return float(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) / 1e3


def work(one: Long, part: float, folder: str) -> dict:
    """Run a part of the length into a folder, and read what the table shows."""
    m, memory = lw.gallery.get(one.name), Memory()
    begin = time.process_time()
    run = m.simulate(
        part * one.seconds, every=EVERY, coordinates=one.coordinates, progress=False, store=Path(folder) / f"{part}"
    )
    spent = time.process_time() - begin
    return {
        "steps": run.statistics.steps,
        "time": spent,
        "violation": float(run.violation.max()),
        "off": float(np.abs(run["energy.balance"]).max()),
        "play": float(run.energy.in_play),
        "outputs": len(run["A.reaction.x"]),
        "memory": memory.most(),
    }


def worker(name: str, part: float) -> None:
    """Run, and print what was found."""
    one = next(one for one in RUNS if one.name == name)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        short, long = (work(one, share * part, folder) for share in (0.1, 1.0))
    if long["memory"] is not None:
        long["memory"] -= short["memory"]
    print(json.dumps(long))


def measure(quick: bool = False) -> list[Row]:
    """Five rows a run; `quick` runs a hundredth."""
    rows = []
    for one in RUNS:
        part = 0.01 if quick else 1.0
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.long_runs", one.name, str(part)],
            cwd=ROOT,
            text=True,
            check=True,
            capture_output=True,
        )
        found = json.loads(done.stdout.splitlines()[-1])
        title = f"{one.title}, {one.coordinates} coordinates, {part * one.seconds:,g} s, {found['outputs']:,} outputs"
        met = found["violation"] < VIOLATION
        rows += [
            Row("long", f"{title}: steps", found["steps"], ""),
            Row("long", f"{title}: time", found["time"], "s"),
            Row("long", f"{title}: largest violation", found["violation"], "", f"< {VIOLATION:g}", met),
            Row("long", f"{title}: ledger off by, of {found['play']:.1f} J", found["off"], "J"),
        ]
        if found["memory"] is not None:
            rows.append(Row("long", f"{title}: memory", found["memory"], "MB"))
    return rows


if __name__ == "__main__":
    worker(sys.argv[1], float(sys.argv[2]))
