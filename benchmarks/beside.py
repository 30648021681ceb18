"""This source beside another one: `python -m benchmarks.beside ../other/src`, kernel times in turns, as ratios.

Each source has a process of its own that stays alive; the two are asked in turns for one run of a problem, so that the
noise of the machine meets both alike.  What is compared is processor time, the shortest of all rounds: that inside the
kernel, and that of the whole prepared call around it.  Both give their last state, which must agree.

`python -m benchmarks.beside src --library FILE` has this source run by a library of compiled kernels, beside numba, and
runs the cases of `beside_cases` as well, with a mean of each group.  With `--growth` it compares how the cost of an
evaluation grows with the number of bodies instead.
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

EXPLICIT = "explicit runs"  # the group of the cases below
#: chains whose evaluations are timed by size, and their sets of coordinates
GROWING = (("chain_planar", "body"), ("chain_planar", "joint"), ("chain_spatial", "body"), ("chain_spatial", "joint"))
SIZES = (10, 50, 200)
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
    """Answer requests on standard input: a prepared run of one case, its times and its last state.

    A case with a fourth word is a chain whose evaluation is timed.
    """
    import time
    import warnings

    import linkwork as lw
    from benchmarks.beside_cases import made

    warnings.simplefilter("ignore")
    time.perf_counter = time.process_time  # the clock by which a run tells the time of its kernel
    ready: dict = {}
    for line in sys.stdin:
        name, size, coordinates, *growing = key = tuple(json.loads(line))
        if growing:
            if key not in ready:
                ready[key] = evaluations(name, size, coordinates)
            print(json.dumps(ready[key]()), flush=True)
            continue
        if key not in ready:
            case = made(name, size)
            ready[key] = case, lw.assemble(case.mechanism, coordinates=coordinates).state
        case, state = ready[key]
        begin = time.process_time()
        run = lw.simulate(
            state.model, [0.0, case.seconds], start=state, coordinates=coordinates, rtol=1e-7, **case.options
        )
        whole = time.process_time() - begin
        print(json.dumps([run.statistics.seconds, whole, run.statistics.evaluations, run.final.y.tolist()]), flush=True)


def evaluations(name: str, size: int, coordinates: str) -> Callable[[], float]:
    """What gives the processor time of one evaluation of a chain, out of many in one call of a kernel."""
    import time

    from benchmarks import growth, problems

    count = growth.evaluations(size, coordinates, quick=False)
    system, states = growth.motion(getattr(problems, name)(size), coordinates)
    work = growth.loop(system.pointers[0], states, count, system)

    def seconds() -> float:
        begin = time.process_time()
        work()
        return (time.process_time() - begin) / count

    return seconds


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


def grouped(library: Path | None) -> dict[tuple, str]:
    """All cases, each with its group; those of `beside_cases` only where a library stands beside numba."""
    cases: dict[tuple, str] = {(name, size, one): EXPLICIT for name, size, sets in CASES for one in sets}
    if library is not None:
        from benchmarks.beside_cases import FURTHER

        cases |= {case: group for group, some in FURTHER.items() for case in some}
    return cases


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def asked_in_turns(sources: tuple[Source, Source], cases, rounds: int) -> dict[tuple, list]:
    """Answers of both to all cases: a slow spell of the machine meets one round of many, not all rounds of one."""
    turns: dict[tuple, list] = {case: [] for case in cases}
    for _ in range(rounds):
        for case, found in turns.items():
            found.append([source.ask(case) for source in sources])
    return turns


def least(found: list, what: int) -> list[float]:
    """The shortest of one of the times, of both sources."""
    return [min(turn[k][what] for turn in found) for k in (0, 1)]


def by_group(cases: dict[tuple, str], found: dict[tuple, list]) -> dict[str, list[tuple[float, float]]]:
    """Ratios of kernels and of calls in each group, and in all of them where there are several."""
    ratios: dict[str, list] = {}
    for case, group in cases.items():
        ratios.setdefault(group, []).append(tuple(one / two for one, two in (least(found[case], k) for k in (0, 1))))
    groups = {f"of {group}": some for group, some in ratios.items()} if len(ratios) > 1 else {}
    return groups | {f"of all {len(cases)}": [pair for some in ratios.values() for pair in some]}


def compare(other: Path, rounds: int, library: Path | None = None) -> None:
    """Print a table of ratios, this source (by a library, if one is named) against the other."""
    sources = Source(ROOT / "src", library=library), Source(other)
    print(f"{'problem':<30}{'kernel [ms]':>12}{'other':>10}{'ratio':>8}{'call':>8}{'evaluations':>14}{'apart':>10}")
    cases = grouped(library)
    turns = asked_in_turns(sources, cases, rounds)
    for case, found in turns.items():
        name, size, coordinates = case
        (here, there), call = (least(found, what) for what in (0, 1))
        ends = [found[0][k][3] for k in (0, 1)]
        apart = max((abs(a - b) for a, b in zip(*ends)), default=0.0)
        counts = "/".join(str(found[0][k][2]) for k in (0, 1))
        title = f"{name}{'' if size is None else f' {size}'}, {coordinates}"
        print(
            f"{title:<30}{1e3 * here:12.3f}{1e3 * there:10.3f}{here / there:8.3f}{call[0] / call[1]:8.3f}{counts:>14}"
            f"{apart:10.1e}",
            flush=True,
        )
    for group, some in by_group(cases, turns).items():
        kernel, call = map(mean, zip(*some))
        print(f"{f'geometric mean {group}':<52}{kernel:8.3f}{call:8.3f}")


def grown(sources: tuple[Source, Source], rounds: int) -> dict[tuple, list[float]]:
    """Processor times of an evaluation by kind of chain and size, of both."""
    sizes = [(name, size, coordinates) for name, coordinates in GROWING for size in SIZES]
    turns = asked_in_turns(sources, [(*case, "growing") for case in sizes], rounds)
    return {case: [min(one) for one in zip(*turns[*case, "growing"])] for case in sizes}


def exponents(best: dict[tuple, list[float]], name: str, coordinates: str) -> list[float]:
    """How the time of an evaluation grows with the size, of both."""
    first, last = (best[name, size, coordinates] for size in (SIZES[0], SIZES[-1]))
    return [math.log(b / a) / math.log(SIZES[-1] / SIZES[0]) for a, b in zip(first, last)]


def compare_growth(other: Path, rounds: int, library: Path | None = None) -> None:
    """Print for every kind of chain the cost of an evaluation by size and the exponent of its growth, by both."""
    best = grown((Source(ROOT / "src", library=library), Source(other)), rounds)
    print(f"{'us an evaluation':<26}{'size':>6}{'here':>10}{'other':>10}{'ratio':>8}")
    for name, coordinates in GROWING:
        for size in SIZES:
            here, there = best[name, size, coordinates]
            title = f"{name}, {coordinates}"
            print(f"{title:<26}{size:6d}{1e6 * here:10.3g}{1e6 * there:10.3g}{here / there:8.3f}")
        here, there = exponents(best, name, coordinates)
        print(f"{'exponent':<32}{here:10.3f}{there:10.3f}{here - there:+8.3f}", flush=True)


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
        lambda options: (compare_growth if options.growth else compare)(options.other, options.rounds, options.library),
        rounds=15,
        library={"type": Path, "help": "compiled kernels that this source runs by"},
        growth={"action": "store_true", "help": "the cost of an evaluation by size, and its exponent"},
    )
