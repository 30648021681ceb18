"""What a prepared run spends outside the integration kernel."""

from __future__ import annotations

import statistics
import time

import linkwork as lw
from benchmarks import problems
from benchmarks.timing import Row
from benchmarks.whole_runs import prepared

CASES = {
    "pendulum": problems.pendulum,
    "double pendulum": problems.double_pendulum,
    "Andrews' squeezer": problems.andrews,
    "planar chain of 200": lambda: problems.chain_planar(200),
}
LIMIT = 100.0  # microseconds


def overhead(problem, rounds: int) -> tuple[float, float]:
    """Median microseconds outside and inside the kernel of a run over a hundredth of the problem's time."""
    model, state = prepared(problem)
    outside, inside = [], []
    for _ in range(rounds):
        begin = time.perf_counter()
        run = lw.simulate(model, [0.0, 0.01 * problem.end], start=state, coordinates="body", rtol=1e-6)
        whole = time.perf_counter() - begin
        outside.append(whole - run.statistics.seconds)
        inside.append(run.statistics.seconds)
    return 1e6 * statistics.median(outside), 1e6 * statistics.median(inside)


def measure(quick: bool = False) -> list[Row]:
    """Median time of `simulate` less the seconds of the kernel that the run itself reports."""
    cases = dict(list(CASES.items())[:2]) if quick else CASES
    rows = []
    for what, build in cases.items():
        problem = build()
        outside, inside = overhead(problem, 20 if quick else 300)
        rows.append(
            Row(
                "overhead",
                f"{what}: outside the kernel",
                outside,
                "us",
                f"<= {LIMIT:g}",
                outside <= LIMIT,
                baseline="`run.statistics.seconds`, the time that the run reports for its kernel",
                outside="describing, compiling, assembling, reading the result",
            )
        )
        rows.append(Row("overhead", f"{what}: the kernel of the same short run", inside, "us"))
    return rows
