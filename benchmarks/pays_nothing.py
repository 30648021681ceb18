"""What `method="auto"` costs where nothing is stiff: `python -m benchmarks --only auto`.

Processor time in the kernel of runs by "auto" and by "dop853", in turns in one process.  A run that changes its method
is said, and missed.
"""

from __future__ import annotations

import math
import time
import warnings
from unittest import mock

import linkwork as lw
from benchmarks import problems
from benchmarks.timing import Row
from linkwork.coordinates import SETS

PROBLEMS = {
    "Andrews' squeezer": problems.andrews,
    "double pendulum": problems.double_pendulum,
    "four-bar": lambda: problems.fourbar(1),
    "five four-bars": lambda: problems.fourbar(5),
    "chain of 10": lambda: problems.chain_planar(10),
    "chain of 10 in space": lambda: problems.chain_spatial(10),
    "Bricard's mechanism": problems.bricard,
}
TOLERANCES = (1e-3, 1e-6, 1e-10)
WANTED = 1.03


def ratios(problem, rounds: int) -> tuple[list[float], int]:
    """Shortest time of "auto" over that of "dop853" for all sets and tolerances, and how many runs changed over."""
    found, changed = [], 0
    for coordinates in SETS:
        state = lw.assemble(problem.mechanism, coordinates=coordinates).state
        for rtol in TOLERANCES:
            runs = {
                method: lw.prepare(
                    state.model, [0.0, problem.end], start=state, coordinates=coordinates, method=method, rtol=rtol
                )
                for method in ("auto", "dop853")
            }
            best = dict.fromkeys(runs, math.inf)
            for turn in range(rounds + 1):
                for method, ready in runs.items():
                    run = ready(state)
                    if turn:  # the first one compiles
                        best[method] = min(best[method], run.statistics.seconds)
                    elif run.manifest.get("methods"):
                        changed += 1
            found.append(best["auto"] / best["dop853"])
    return found, changed


def mean(values: list[float]) -> float:
    """The geometric one."""
    return math.exp(sum(map(math.log, values)) / len(values))


def measure(quick: bool = False) -> list[Row]:
    """A ratio for each problem, and the mean of all runs."""
    rows: list[Row] = []
    every: list[float] = []
    changed = 0
    # the clock by which a run tells the time of its kernel
    with warnings.catch_warnings(), mock.patch.object(time, "perf_counter", time.process_time):
        warnings.simplefilter("ignore")
        for name in list(PROBLEMS)[:: 3 if quick else 1]:
            found, switches = ratios(PROBLEMS[name](), 2 if quick else 7)
            every += found
            changed += switches
            said = f"; {switches} of them changed the method" if switches else ""
            rows.append(Row("auto", f"{name}, {len(found)} runs{said}", mean(found), ""))
    said = f"{changed} of them changed" if changed else "none of them changed"
    rows.append(
        Row(
            "auto",
            f"geometric mean of {len(every)} runs, {said} the method",
            mean(every),
            "",
            f"<= {WANTED:g}",
            mean(every) <= WANTED and not changed,
            baseline='the same runs by method="dop853"',
            outside="all but the kernel",
        )
    )
    return rows
