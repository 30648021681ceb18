"""One evaluation that Python asks for, beside version 0.1.0: `python -m benchmarks --only asked`.

| rows | what is timed |
|---|---|
| one evaluation | `System.derivative` of a pendulum: what assembly, checks and readings ask for, again and again |
| with a law as plain Python | the same with a force that numba cannot compile, so that the kernel calls Python back |
| the law alone | the difference of the two |

A run asks for none of them: its evaluations stay in the kernel, but for a law as plain Python.  Each version has a
process of its own, and they are asked in turns; all is processor time, the least of all rounds.  By numba; where there
is a library of these sources (`LINKWORK_LIBRARY=FILE`, or one that lies in the package), a third process runs by it.
"""

from __future__ import annotations

import json
import sys
import time
import warnings

from benchmarks.baseline import BASELINE, baseline
from benchmarks.beside import ROOT, Source
from benchmarks.timing import Row

CASES = {"one evaluation": False, "one evaluation with a law as plain Python": True}
COUNT = 2000  # evaluations in one timing
MOST = 1.0  # of the time of version 0.1.0
LAW = 4.0  # microseconds of a law as plain Python
#: numba does not take a dictionary that lies outside
STRENGTH = {"spring": 2.0}


def spring(value, rate, t):
    """A law that stays Python."""
    return -STRENGTH["spring"] * value


def pendulum(law: bool):
    """The pendulum of the benchmarks, and a force on it where a law is asked for."""
    import linkwork as lw
    from benchmarks import problems

    mechanism = problems.pendulum().mechanism
    if law:
        bob = next(iter(mechanism.bodies.values()))
        mechanism.add("mine", lw.UserForce(lw.Distance(mechanism.ground.at(0.3, 2.0), bob.at(0.0, 0.0)), spring))
    return mechanism


def worker() -> None:
    """Answer requests on standard input: seconds of one evaluation, and what it gives."""
    from linkwork.analysis.entering import enter

    warnings.simplefilter("ignore")
    ready: dict = {}
    for line in sys.stdin:
        law = json.loads(line)
        if law not in ready:
            state = pendulum(law).assemble(coordinates="body").state
            ready[law] = enter(state.model, "body", state)[:2]
            ready[law][0].derivative(0.0, ready[law][1])
        system, y = ready[law]
        begin = time.process_time()
        for _ in range(COUNT):
            system.derivative(0.0, y)
        spent = (time.process_time() - begin) / COUNT
        print(json.dumps([spent, system.derivative(0.0, y).tolist()]), flush=True)


def measure(quick: bool = False) -> list[Row]:
    """All rows; with `quick` without version 0.1.0."""
    from linkwork.kernels import library

    ways = {"by numba": Source(ROOT / "src", "benchmarks.asked")}
    file = library.wanted()
    if file is not None and library.load() is not None:
        ways["by the library"] = Source(ROOT / "src", "benchmarks.asked", library=file)
    else:
        print(f"No rows by the library: {library.missing()}.")
    with baseline(wanted=not quick) as other:
        if other is not None:
            ways[BASELINE] = Source(other, "benchmarks.asked")
        found = {what: dict.fromkeys(ways, float("inf")) for what in CASES}
        for _ in range(3 if quick else 40):
            for what, law in CASES.items():
                for way, source in ways.items():
                    found[what][way] = min(found[what][way], source.ask(law)[0])
    for source in ways.values():
        source.close()
    rows = []
    for way in ways:
        plain, with_law = (found[what][way] for what in CASES)
        if way == BASELINE:
            continue
        for what in CASES:
            rows.append(Row("asked", f"{what}, {way}", 1e6 * found[what][way], "us"))
            if BASELINE in ways:
                ratio = found[what][way] / found[what][BASELINE]
                title = f"{what}, {way}, of {1e6 * found[what][BASELINE]:.2g} us"
                rows.append(
                    Row("asked", title, ratio, "", f"<= {MOST:g}", ratio <= MOST, baseline="version 0.1.0, in turns")
                )
        alone = 1e6 * (with_law - plain)
        rows.append(Row("asked", f"the law alone, {way}", alone, "us", f"<= {LAW:g}", alone <= LAW))
    return rows


if __name__ == "__main__":
    worker()
