"""What reading a result costs: `python -m benchmarks --only reading`, or `python -m benchmarks.reading ../other/src`.

Each case runs a motion and reads from it, again and again; processor time of the reading alone, the shortest of all
rounds, beside that inside the kernel of the same run.  Memory is the peak of what Python and numpy hold beyond the
stored states.  With another source both take turns, each in a process of its own.
"""

from __future__ import annotations

import atexit
import json
import sys
import tempfile
import time
import tracemalloc
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.beside import ROOT, Source, command
from benchmarks.timing import Row, processor_time


@dataclass(frozen=True)
class Case:
    """A motion, what is read from it, and the aim: times the kernel, seconds, or megabytes."""

    what: str
    make: Callable[[], Any]
    times: np.ndarray
    read: Callable[[Any], object]
    kernels: float | None = None
    seconds: float | None = None
    megabytes: float | None = None


def loaded(form: str) -> Callable[[Any], object]:
    """A function that loads a run from a file, which is written at the first call."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name) / f"run.{form}"

    def read(run):
        import linkwork as lw

        if not path.exists():
            run.save(path, ["link10.b.x"])
        return lw.load(path).final

    return read


def cases() -> dict[str, Case]:
    """By a short name."""
    from benchmarks import problems
    from linkwork import gallery

    def chain(count):
        return problems.chain_planar(count).mechanism

    long, every = np.linspace(0.0, 2.0, 100_001), np.linspace(0.0, 2.0, 401)
    return {
        "four-bar": Case(
            "four-bar, 1,001 times: one coordinate",
            gallery.four_bar,
            np.linspace(0.0, 10.0, 1001),
            lambda run: run["D.angle"],
            kernels=1.0,
        ),
        "chain": Case(
            "chain of 200, 401 times: one coordinate",
            lambda: chain(200),
            every,
            lambda run: run["link200.b.x"],
            kernels=1.0,
        ),
        "every": Case(
            "chain of 200, 401 times: every name",
            lambda: chain(200),
            every,
            lambda run: [run[name] for name in run.names],
            megabytes=100.0,
        ),
        "print": Case(
            "chain of 30, 6,001 times: print(run)", lambda: chain(30), np.linspace(0.0, 6.0, 6001), str, kernels=2.0
        ),
        "plane": Case(
            "20 bodies in the plane, 100,001 times: one name",
            lambda: chain(20),
            long,
            lambda run: run["link10.b.x"],
            seconds=0.5,
            megabytes=500.0,
        ),
        "space": Case(
            "20 bodies in space, 100,001 times: one name",
            lambda: problems.chain_spatial(20).mechanism,
            long,
            lambda run: run["link10.b.x"],
            seconds=0.5,
            megabytes=500.0,
        ),
        "load nc": Case("a result of 100 MB: load it from NetCDF", lambda: chain(20), long, loaded("nc")),
        "load parquet": Case("a result of 100 MB: load it from Parquet", lambda: chain(20), long, loaded("parquet")),
    }


class Prepared:
    """A case made ready: `once()` runs and reads."""

    def __init__(self, case: Case):
        import linkwork as lw

        self.case = case
        state = lw.assemble(case.make(), coordinates="joint").state
        self.run = lambda: lw.simulate(state.model, case.times, start=state, coordinates="joint", progress=False)
        self.once()

    def once(self) -> tuple[float, float]:
        """Processor time of the kernel and of the reading."""
        with processor_time():
            run = self.run()
        begin = time.process_time()
        self.case.read(run)
        return run.statistics.seconds, time.process_time() - begin

    def peak(self) -> float:
        """Megabytes at the most while reading."""
        run = self.run()
        tracemalloc.start()
        self.case.read(run)
        found = tracemalloc.get_traced_memory()[1] / 1e6
        tracemalloc.stop()
        return found


def measure(quick: bool = False) -> list[Row]:
    """Shortest times of some rounds, and the peak of memory."""
    rows = []
    for name, case in cases().items():
        if quick and name not in ("four-bar", "chain"):
            continue
        one = Prepared(case)
        found = [one.once() for _ in range(3 if quick else 10)]
        kernel, spent = (min(times) for times in zip(*found))
        limit = case.seconds if case.kernels is None else case.kernels * kernel
        rows.append(
            Row(
                "reading",
                case.what,
                1e3 * spent,
                "ms",
                "" if limit is None else f"<= {1e3 * limit:.3g}",
                None if limit is None else spent <= limit,
                baseline="the processor time inside the kernel of the run, or the seconds that are named",
                outside="describing, compiling, assembling, running",
            )
        )
        if case.megabytes is not None:
            peak = one.peak()
            rows.append(
                Row("reading", f"{case.what}, memory", peak, "MB", f"<= {case.megabytes:g}", peak <= case.megabytes)
            )
    return rows


def worker() -> None:
    """Answer requests on standard input: a case by name, or its memory."""
    warnings.simplefilter("ignore")
    ready: dict[str, Prepared] = {}
    for line in sys.stdin:
        name, memory = json.loads(line)
        if name not in ready:
            ready[name] = Prepared(cases()[name])
        print(json.dumps(ready[name].peak() if memory else ready[name].once()), flush=True)


def compare(other: Path, rounds: int, names: list[str]) -> None:
    """Print this source beside another, in turns."""
    sources = Source(ROOT / "src", "benchmarks.reading"), Source(other, "benchmarks.reading")
    print(f"{'case':<52}{'kernel [ms]':>12}{'read [ms]':>11}{'other':>10}{'ratio':>8}{'MB':>8}{'other':>8}")
    for name in names:
        found = [[source.ask((name, False)) for source in sources] for _ in range(rounds)]
        kernel = min(turn[0][0] for turn in found)
        here, there = (min(turn[k][1] for turn in found) for k in (0, 1))
        memory = [source.ask((name, True)) for source in sources]
        print(
            f"{cases()[name].what:<52}{1e3 * kernel:12.3f}{1e3 * here:11.3f}{1e3 * there:10.1f}{here / there:8.4f}"
            f"{memory[0]:8.1f}{memory[1]:8.1f}",
            flush=True,
        )


if __name__ == "__main__":
    command(
        "benchmarks.reading",
        __doc__,
        worker,
        lambda options: compare(options.other, options.rounds, options.only or list(cases())),
        rounds=5,
        only={"action": "append", "help": "a case (may be repeated)"},
    )
