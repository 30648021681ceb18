"""This source beside another one: `python -m benchmarks.beside ../other/src`, kernel times in turns, as ratios.

Each source has a process of its own that stays alive; the two are asked in turns for one run of a problem, so that the
noise of the machine meets both alike.  What is compared is processor time, the shortest of all rounds: that inside the
kernel, and that of the whole prepared call around it.  Both give their last state, which must agree.

`python -m benchmarks.beside src --library FILE` has this source run by a library of compiled kernels, beside numba.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: problem, number of bodies or windows if it has one, sets of coordinates
CASES = (
    ("pendulum", None, ("body", "joint")),
    ("double_pendulum", None, ("body", "joint")),
    ("andrews", None, ("body", "joint")),
    ("fourbar", 1, ("body", "joint")),
    ("fourbar", 10, ("body", "joint")),
    ("bricard", None, ("body", "joint")),
    ("chain_planar", 10, ("body", "joint")),
    ("chain_planar", 50, ("body", "joint")),
    ("chain_planar", 200, ("joint",)),
    ("chain_spatial", 2, ("body", "joint")),
    ("chain_spatial", 10, ("body", "joint")),
    ("chain_spatial", 50, ("joint",)),
)


def worker() -> None:
    """Answer requests on standard input: a prepared run of one case, its times and its last state."""
    import time
    import warnings

    import linkwork as lw
    from benchmarks import problems

    warnings.simplefilter("ignore")
    time.perf_counter = time.process_time  # the clock by which a run tells the time of its kernel
    ready: dict = {}
    for line in sys.stdin:
        name, size, coordinates = key = tuple(json.loads(line))
        if key not in ready:
            problem = getattr(problems, name)(*([] if size is None else [size]))
            state = lw.assemble(problem.mechanism, coordinates=coordinates).state
            ready[key] = state, [0.0, min(problem.end, 2.0)]
        state, times = ready[key]
        begin = time.process_time()
        run = lw.simulate(state.model, times, start=state, coordinates=coordinates, rtol=1e-7)
        whole = time.process_time() - begin
        print(json.dumps([run.statistics.seconds, whole, run.statistics.evaluations, run.final.y.tolist()]), flush=True)


class Source:
    """A process that runs one source."""

    def __init__(self, path: Path, module: str = "benchmarks.beside", library: Path | None = None):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(ROOT)]), "LINKWORK_PROGRESS": "off"}
        environment["LINKWORK_LIBRARY"] = "off" if library is None else str(library.resolve())
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, "--worker"],
            text=True,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask(self, case) -> list:
        """One run."""
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """End the process: there is nothing more to ask."""
        self.process.communicate()


def compare(other: Path, rounds: int, library: Path | None = None) -> None:
    """Print a table of ratios, this source (by a library, if one is named) against the other."""
    sources = Source(ROOT / "src", library=library), Source(other)
    print(f"{'problem':<26}{'kernel [ms]':>12}{'other':>10}{'ratio':>8}{'call':>8}{'evaluations':>14}{'apart':>10}")
    kernels, calls = [], []
    cases = [(name, size, coordinates) for name, size, sets in CASES for coordinates in sets]
    # a slow spell of the machine meets one round of many cases, not all rounds of one
    turns: dict = {case: [] for case in cases}
    for _ in range(rounds):
        for case in cases:
            turns[case].append([source.ask(case) for source in sources])
    for case, found in turns.items():
        name, size, coordinates = case
        best = [[min(turn[k][what] for turn in found) for k in (0, 1)] for what in (0, 1)]
        ends = [found[0][k][3] for k in (0, 1)]
        apart = max((abs(a - b) for a, b in zip(*ends)), default=0.0)
        counts = "/".join(str(found[0][k][2]) for k in (0, 1))
        kernel, call = (one / two for one, two in best)
        kernels.append(math.log(kernel))
        calls.append(math.log(call))
        title = f"{name}{'' if size is None else f' {size}'}, {coordinates}"
        print(
            f"{title:<26}{1e3 * best[0][0]:12.3f}{1e3 * best[0][1]:10.3f}{kernel:8.3f}{call:8.3f}{counts:>14}"
            f"{apart:10.1e}",
            flush=True,
        )
    mean = [math.exp(sum(one) / len(one)) for one in (kernels, calls)]
    print(f"{'geometric mean':<48}{mean[0]:8.3f}{mean[1]:8.3f}")


def command(
    name: str,
    words: str | None,
    serve: Callable[[], None],
    beside: Callable[[argparse.Namespace], None],
    rounds: int,
    **more: dict,
) -> None:
    """The command line of a module that compares two sources, and that serves each side itself (`--worker`)."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=words)
    parser.add_argument("other", nargs="?", type=Path, help="the src folder of another Linkwork")
    parser.add_argument("--rounds", type=int, default=rounds)
    for option, settings in more.items():
        parser.add_argument(f"--{option}", **settings)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        serve()
    elif options.other is None:
        parser.error("name the src folder of another Linkwork")
    else:
        options.other = options.other.resolve()
        beside(options)


if __name__ == "__main__":
    command(
        "benchmarks.beside",
        __doc__,
        worker,
        lambda options: compare(options.other, options.rounds, options.library),
        rounds=15,
        library={"type": Path, "help": "compiled kernels that this source runs by"},
    )
