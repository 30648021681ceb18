"""What is around the kernel: `python -m benchmarks --only around`.

| rows | what is compared |
|---|---|
| whole calls | `m.simulate` less its kernel, warm, beside version 0.1.0 in a process of its own, in turns |
| prepared runs | a run with other numbers less the kernel that it calls |
| every name | reading all of a chain of 200, beside version 0.1.0 |
| growth | build, assembly and check against the size: exponents |

All is processor time.  Where version 0.1.0 comes from is told in `benchmarks/baseline.py`.  Its process has the same
interpreter and the same packages, in the environment of this one: only the path of the source differs.  The four-bar is
`gallery.four_bar` of each version, started with "A.angle" at 60 deg as in the README: the same bodies, joints and
spring (declared angles of two bodies differ below 0.2 deg).  Prepared runs and growth are this version's alone.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import sys
import time
import warnings
from collections.abc import Callable

import numpy as np

from benchmarks.baseline import baseline
from benchmarks.beside import ROOT, Source
from benchmarks.timing import Row

CALLS = {
    "four-bar": 0.3,  # the start is that of the call before, which the model remembers
    "four-bar, assembled anew": 0.3,
    "chain of 200": 0.25,
}  # of what is around the kernel there
EVERY_NAME = 0.1  # of the time there
PREPARED = 30e-6  # seconds beyond the kernel
EXPONENT = 1.2


# -- beside the baseline ---------------------------------------------------------------------------------------------


def mechanisms() -> dict[str, tuple[Callable, dict]]:
    """What whole calls are measured with, by words that both versions know, and options of the call."""
    from benchmarks import problems
    from linkwork import gallery

    return {
        "four-bar": (gallery.four_bar, {"start": {"A.angle": math.pi / 3}}),  # as in the README
        "four-bar, assembled anew": (gallery.four_bar, {"start": {"A.angle": math.pi / 3}}),
        "chain of 200": (lambda: problems.chain_planar(200).mechanism, {}),
    }


def worker() -> None:
    """Answer requests on standard input: a whole call of `simulate`, less the kernel."""
    warnings.simplefilter("ignore")
    time.perf_counter = time.process_time  # the clock by which a run tells the time of its kernel
    ready: dict = {}
    for line in sys.stdin:
        name = json.loads(line)[0]
        if name not in ready:
            make, options = mechanisms()[name]
            ready[name] = make(), options
            make().simulate(2.0, every=0.02, coordinates="auto", progress=False, **options)
        mechanism, options = ready[name]
        if name.endswith("anew"):  # the same start, but a model that has not seen it
            mechanism.compile().__dict__.pop("_started", None)
        begin = time.process_time()
        run = mechanism.simulate(2.0, every=0.02, coordinates="auto", progress=False, **options)
        print(json.dumps(time.process_time() - begin - run.statistics.seconds), flush=True)


def beside(rounds: int) -> list[Row]:
    """Whole calls, and every name of a chain, as ratios to the baseline."""
    rows: list[Row] = []
    with baseline() as other:
        if other is None:
            return rows
        both = [Source(source, "benchmarks.around") for source in (ROOT / "src", other)]
        for name, aim in CALLS.items():
            found = [[source.ask([name]) for source in both] for _ in range(rounds)]
            here, there = (min(pair[k] for pair in found) for k in (0, 1))
            rows.append(_ratio(f"{name}: whole call less its kernel, {1e3 * here:.3g} ms", here / there, aim))
        both = [Source(source, "benchmarks.reading") for source in (ROOT / "src", other)]
        found = [[source.ask(("every", False))[1] for source in both] for _ in range(2)]
        here, there = (min(pair[k] for pair in found) for k in (0, 1))
        rows.append(_ratio(f"chain of 200, every name, {1e3 * here:.3g} ms", here / there, EVERY_NAME))
    return rows


def _ratio(what: str, value: float, aim: float) -> Row:
    return Row("around", what, value, "", f"<= {aim:g}", value <= aim, baseline="version 0.1.0, in turns")


# -- prepared runs ---------------------------------------------------------------------------------------------------


def prepared(rounds: int) -> list[Row]:
    """Processor time of a prepared run beyond that of the kernel that it calls, in turns."""
    from linkwork import gallery

    m = gallery.four_bar()
    ready = m.prepare([0.0, 1e-3], rtol=1e-6)
    state = ready.state
    stiffness = itertools.cycle(np.linspace(10.0, 30.0, 97).tolist())
    mass = itertools.cycle(np.linspace(1.0, 2.0, 97).tolist())
    lengths = np.linspace(0.98, 1.02, 7).tolist()
    fitting = [m.with_numbers({"crank.length": one}).assemble(coordinates="body").state for one in lengths]
    length = itertools.cycle(list(zip(fitting, lengths)))

    def other_length():
        fits, value = next(length)
        return ready(fits, numbers={"crank.length": value})

    works = {
        "the kernel alone": functools.partial(_kernel, ready, state),
        "from a state": lambda: ready(state),
        "with another stiffness": lambda: ready(state, numbers={"spring.stiffness": next(stiffness)}),
        "with another mass": lambda: ready(state, numbers={"crank.mass": next(mass)}),
        "with another length": lambda: other_length() and None,
    }
    for work in works.values():  # the first calls find the ways
        for _ in range(2 * len(lengths)):
            work()
    best = dict.fromkeys(works, math.inf)
    for _ in range(rounds):
        for what, work in works.items():
            times = 40
            begin = time.process_time()
            spent = sum(work() or 0.0 for _ in range(times)) if what == "the kernel alone" else None
            for _ in range(0 if spent is not None else times):
                work()
            spent = time.process_time() - begin if spent is None else spent
            best[what] = min(best[what], spent / times)
    kernel = best.pop("the kernel alone")
    return [
        Row(
            "around",
            f"four-bar, prepared run {what}: beyond the kernel",
            1e6 * (spent - kernel),
            "us",
            f"<= {1e6 * PREPARED:g}",
            spent - kernel <= PREPARED,
            outside="preparing, states that fit, and the first calls, which find the ways of numbers",
        )
        for what, spent in best.items()
    ]


def _kernel(ready, state) -> float:
    """Seconds of the kernel alone, called as the run calls it."""
    run = ready._run.begin(state)
    begin = time.process_time()
    run.system.door.advance(run.y, run.drive, run.grid, run.states)
    return time.process_time() - begin


# -- growth ------------------------------------------------------------------------------------------------------------


def ladder(rungs: int):
    """Two rails, every rung pinned to both: all rungs but the first two follow from the others."""
    import linkwork as lw

    m = lw.Mechanism("ladder")
    left, right = (
        m.add(name, lw.bar(length=rungs, mass=1.0, position=(x, rungs / 2), angle="90 deg"))
        for name, x in (("left", 0.0), ("right", 1.0))
    )
    m.add("foot", lw.Revolute(m.ground.at(0, 0), left.a))
    for k in range(rungs):
        rung = m.add(f"rung{k}", lw.bar(length=1.0, mass=0.1, position=(0.5, k + 0.5), angle=0.0))
        up = k + 0.5 - rungs / 2
        m.add(f"l{k}", lw.Revolute(left.at(up, 0), rung.a))
        m.add(f"r{k}", lw.Revolute(right.at(up, 0), rung.b))
    return m


def families() -> dict[str, tuple[Callable, tuple[int, ...]]]:
    """Mechanisms that grow, and their sizes."""
    from benchmarks import problems

    return {
        "chain, bodies": (lambda n: problems.chain_planar(n).mechanism, (200, 1000, 5000)),
        "row of four-bars, windows": (lambda n: problems.fourbar(n).mechanism, (40, 120, 400)),
        "ladder, rungs": (ladder, (20, 45, 100)),
    }


def growth(rounds: int, coordinates: str) -> list[Row]:
    """Exponents of build, assembly and check, from the smallest to the largest size; "auto" is what users get."""
    rows = []
    for family, (make, sizes) in families().items():
        found: dict[str, list[float]] = {"build": [], "assemble": [], "check": []}
        for size in sizes:
            best = dict.fromkeys(found, math.inf)
            for _ in range(rounds):
                built: list = []
                for what, work in (
                    (
                        "build",
                        lambda make=make, size=size, built=built: built.append(_compiled(make(size), coordinates)),
                    ),
                    ("assemble", lambda built=built: built[0].assemble(coordinates=coordinates)),
                    ("check", lambda built=built: built[0].check(coordinates=coordinates)),
                ):
                    begin = time.process_time()
                    work()
                    best[what] = min(best[what], time.process_time() - begin)
            for what, spent in best.items():
                found[what].append(spent)
        for what, spent in found.items():
            exponent = math.log(spent[-1] / spent[0]) / math.log(sizes[-1] / sizes[0])
            text = " -> ".join(f"{1e3 * one:.3g}" for one in spent)
            title = f"{family} {sizes[0]} to {sizes[-1]}, {coordinates}: {what}, {text} ms; exponent"
            rows.append(Row("around", title, exponent, "", f"<= {EXPONENT:g}", exponent <= EXPONENT))
    return rows


def _compiled(mechanism, coordinates):
    """Compiled, with the plan of the coordinates; "auto" makes those that it chooses from."""
    from linkwork.coordinates.choice import choose

    model = mechanism.compile(coordinates=coordinates)
    model.plan(choose(model) if coordinates == "auto" else coordinates)
    return mechanism


def measure(quick: bool = False) -> list[Row]:
    """All rows; with `quick` only those of prepared runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if quick:
            return prepared(10)
        return [*beside(5), *prepared(30), *growth(2, "body"), *growth(2, "auto")]


if __name__ == "__main__":
    worker()
