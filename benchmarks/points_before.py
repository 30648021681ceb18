"""Whole prepared runs with `coordinates="auto"` beside version 0.1.0, which had no points: part of `--only points`.

Each version has a process of its own that stays alive; they are asked in turns for whole runs, three in a row, from the
call to the result, as prepared as each can be: by `prepare` here, and by `simulate` from a state that is ready there.
The ratio is that of the shortest processor times.  `auto` takes points for Andrews' squeezer, and joint coordinates for
a row of four-bars in both.

Where other sets have become faster than they were when points were tried, kernel times of runs tell what became of
points themselves: an evaluation in points here, against one of the set that they were compared with, there.
"""

from __future__ import annotations

import json
import math
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial

from benchmarks.around import baseline
from benchmarks.beside import Source
from benchmarks.timing import ROOT, Row

#: what it is, the problem and its size, and how many times faster than before it has to be
CASES = (
    ("Andrews' squeezer", "andrews", None, 1.2),
    *((f"{n} four-bar{'s' if n > 1 else ''} in a row", "fourbar", n, 1.0) for n in (1, 10, 40)),
)
#: mechanisms of the gallery whose ratio to another set of today is not what it was: seconds, the ratios to bodies and
#: joints when points were tried, beside version 0.1.0, and options
SINCE = {
    "n_four_bar": (1.0, (0.50, 0.60), {"n": 1}),
    "slider_crank": (0.1, (0.79, 0.88), {}),
    "cart": (1.0, (1.15, 1.48), {}),
    "planetary_gear": (1.0, (1.03, 1.19), {}),
}
NOISE = 1.15
RTOL = 1e-8
IN_A_ROW = 3  # runs for an answer, as `make bench-peers` times them


def prepared(problem) -> Callable:
    """What runs a problem, as prepared as this version can be."""
    import linkwork as lw

    times, options = [0.0, problem.end], {"coordinates": "auto", "rtol": RTOL}
    if hasattr(lw, "prepare"):
        return problem.mechanism.prepare(times, **options)
    state = lw.assemble(problem.mechanism, coordinates="body").state
    return partial(lw.simulate, state.model, times, start=state, progress=False, **options)


def worker() -> None:
    """Answer requests on standard input: seconds of a whole run, its evaluations, error and coordinates."""
    from benchmarks import problems

    warnings.simplefilter("ignore")
    time.perf_counter = time.process_time  # the clock by which a run tells the time of its kernel
    ready: dict = {}
    for line in sys.stdin:
        name, size, *coordinates = key = tuple(json.loads(line))
        if coordinates:
            if key not in ready:
                ready[key] = evaluation(name, size, *coordinates)
            print(json.dumps(ready[key]()), flush=True)
            continue
        if key not in ready:
            problem = getattr(problems, name)(*([] if size is None else [size]))
            ready[key] = problem, prepared(problem)
        problem, work = ready[key]
        spent = math.inf
        for _ in range(IN_A_ROW):
            begin = time.process_time()
            run = work()
            spent = min(spent, time.process_time() - begin)
        told = [spent, run.statistics.evaluations, problem.error(run), run.coordinates]
        print(json.dumps(told), flush=True)


def evaluation(name: str, size: None, coordinates: str) -> Callable[[], float]:
    """What gives the processor time of the kernel an evaluation, in a run of a mechanism of the gallery."""
    import linkwork as lw

    seconds, _, more = SINCE[name]
    mechanism = lw.gallery.get(name, **more)
    state = lw.assemble(mechanism, coordinates="body").state
    run = partial(lw.simulate, state.model, [0.0, seconds], start=state, coordinates=coordinates, rtol=RTOL)

    def found() -> float:
        statistics = min((run(progress=False).statistics for _ in range(IN_A_ROW)), key=lambda one: one.seconds)
        return statistics.seconds / statistics.evaluations

    return found


def since(both: list[Source], rounds: int) -> list[Row]:
    """Evaluations in points against those of other sets in version 0.1.0."""
    rows = []
    for name, (_, tried, _) in SINCE.items():
        cases = [(both[0], "point"), (both[1], "body"), (both[1], "joint")]
        found = [[source.ask((name, None, one)) for source, one in cases] for _ in range(rounds + 1)]
        here, *there = (min(turn[k] for turn in found[1:]) for k in range(3))
        for other, ratio, before in zip(("body", "joint"), tried, there):
            rows.append(
                Row(
                    "points",
                    f"{name}, point against {other} of version 0.1.0 ({ratio:g} when tried)",
                    here / before,
                    "times",
                    f"<= {NOISE * ratio:.2f}",
                    here <= NOISE * ratio * before,
                    baseline="version 0.1.0 (commit 8d05425), in turns, kernel times of runs",
                )
            )
    return rows


def beside(rounds: int) -> list[Row]:
    """How many times faster whole prepared runs are than in version 0.1.0, and evaluations in points."""
    rows: list[Row] = []
    with baseline() as other:
        if other is None:
            return rows
        both = [Source(source, "benchmarks.points_before") for source in (ROOT / "src", other)]
        turns: dict = {case: [] for case in CASES}
        for _ in range(rounds + 1):  # the first ones compile
            for case, found in turns.items():
                found.append([source.ask(case[1:3]) for source in both])
        rows += since(both, rounds)
        for (what, _, _, least), found in turns.items():
            now, before = (min(turn[k][0] for turn in found[1:]) for k in (0, 1))
            (_, count, error, taken), (_, other_count, other_error, others) = found[-1]
            told = f"{taken}, {count} evaluations, error {error:.1g}; before {others}, {other_count}, {other_error:.1g}"
            title = f"{what}, prepared run of {1e3 * now:.3g} ms: times faster than before"
            rows.append(
                Row(
                    "points",
                    title,
                    before / now,
                    "times",
                    f">= {least:g}",
                    before / now >= least,
                    baseline="version 0.1.0 (commit 8d05425), in turns, both by processor time and with auto",
                    error=told,
                    outside="preparing the run, and compiling",
                )
            )
    return rows


if __name__ == "__main__":
    worker()
