"""Stiff problems: processor time to an error, beside version 0.1.0: `python -m benchmarks --only stiff`.

Chains of bars on torsion springs, a double A-arm with a stiff tyre and on bushings, a block that sticks and slips on a
belt, the flyball governor.  The search is that of `make bench-peers`: every method over a ladder of tolerances, by
halving down to a factor 1.78; a tolerance counts only if the next finer one is below the error, too.  Picks are timed
again, all sides in turns, each in a process of its own.  Of version 0.1.0 the best of `rkc`, `dopri5` and `dop853`
counts, and of both sides the better one of joint and body coordinates.  Where 0.1.0 comes from is told in
`benchmarks/baseline.py`.

Values at the end that errors are told from come from `radau` and `dop853` at fine tolerances, which have to agree;
where `dop853` does not get through in time, from two tolerances of `radau`.

How far the governor is ahead of other packages is measured by `python -m benchmarks.peers --problems flyball_A05`.
"""

from __future__ import annotations

import json
import math
import warnings
from dataclasses import dataclass

import linkwork as lw
from benchmarks.baseline import baseline
from benchmarks.peers.__main__ import candidates, final_times
from benchmarks.peers.ladder import Found, search
from benchmarks.peers.process import Process
from benchmarks.peers.report import duration
from benchmarks.stiff_problems import PROBLEMS
from benchmarks.timing import ROOT, Row

ERRORS = (1e-4, 1e-6)
#: how many times faster than the best explicit method "auto" is to be
WANTED = {"chain 3, 1e6": 20, "chain 3, 1e8": 20, "chain 50": 20, "A-arm, tyre": 20, "A-arm, bushings": 3, "belt": 3}
LIMIT = 5.0  # seconds of a run, beyond which a method is given up
WORKER = "benchmarks.stiff_worker"
BEFORE = "version 0.1.0"


@dataclass(frozen=True)
class Time:
    """The fastest run of a side to an error."""

    seconds: float
    method: str
    rtol: float

    def __str__(self) -> str:
        return f"{duration(self.seconds)} ({self.method}, rtol {self.rtol:.2g})"


def reference(name: str) -> list[float]:
    """What is observed at the end, by two methods that agree."""
    m, names, end = PROBLEMS[name]()
    found = []
    for method, rtol in (("radau", 1e-11), ("dop853", 1e-10), ("radau", 1e-9)):
        try:
            run = m.simulate(end, every=end, method=method, rtol=rtol, coordinates="joint", most_seconds=20.0)
        except lw.errors.RunLimitError:
            continue
        found.append([float(run[one][-1]) for one in names])
        if len(found) == 2:
            break
    off = max(abs(a - b) for a, b in zip(*found)) if len(found) == 2 else math.inf
    if not off < 0.1 * min(ERRORS):
        raise SystemExit(f"{name}: no reference, {off:.1e} between two methods")
    return found[0]


def times_to_errors(case: str, sides: dict[str, Process], rounds: int) -> dict[tuple[float, str], Time]:
    """The fastest run to each error of each side; what is missing was not reached.

    A side named after a method is that method alone; `BEFORE` is all methods of version 0.1.0.
    """
    picks: dict[tuple[float, str, int], Found] = {}
    for side, process in sides.items():
        methods = process.open(case)
        if isinstance(methods, str):
            raise SystemExit(f"{case}, {side}: {methods}")
        seen = search(
            [method for method in methods if side == BEFORE or method.name.startswith(side)],
            lambda method, rtol, process=process: process.run(method, rtol, 3, worth=max(ERRORS), long=0.05),
            ERRORS,
            LIMIT,
        )
        picks |= {(error, side, k): hit for error, hits in seen.found.items() if hits
                  for k, hit in enumerate(candidates(hits))}  # fmt: skip
    best = final_times(sides, picks, rounds)
    found: dict[tuple[float, str], Time] = {}
    for key, seconds in best.items():
        if math.isfinite(seconds) and seconds < getattr(found.get(key[:2]), "seconds", math.inf):
            found[key[:2]] = Time(seconds, picks[key].method.name, picks[key].setting)
    return found


def rows_of(name: str, found: dict[tuple[float, str], Time]) -> list[Row]:
    """Rows of a problem: how many times faster "auto" and "radau" are.  What was not reached is missed."""
    rows = []
    for side in ("auto", "radau"):
        wanted = WANTED.get(name) if side == "auto" else None
        for error in ERRORS:
            mine, other = found.get((error, side)), found.get((error, BEFORE))
            ratio = other.seconds / mine.seconds if mine and other else 0.0
            said = [f"{who} {one or 'does not reach it'}" for who, one in (("", mine), (BEFORE, other))]
            rows.append(
                Row(
                    "stiff",
                    f"{name}, to {error:g}, {side}:{said[0]}, {said[1]}; faster",
                    ratio,
                    "times",
                    f">= {wanted}" if wanted else "",
                    ratio >= wanted if wanted else None,
                    baseline=f"the best of rkc, dopri5 and dop853 of {BEFORE}, in joint or body coordinates, in turns; "
                    "on both sides the next finer tolerance is below the error, too",
                    outside="assembling, compiling and preparing",
                )
            )
    return rows


def measure(quick: bool = False) -> list[Row]:
    """Rows: time of "auto" and of "radau" to an error, against the best explicit method of version 0.1.0."""
    rows: list[Row] = []
    with warnings.catch_warnings(), baseline() as other:
        warnings.simplefilter("ignore")
        if other is None:
            return rows
        sources = {"auto": ROOT / "src", "radau": ROOT / "src", BEFORE: other}
        sides: dict[str, Process] = {}
        try:
            for side, source in sources.items():
                sides[side] = Process(WORKER, source)
            for name in list(PROBLEMS)[:: 3 if quick else 1]:
                case = json.dumps([name, reference(name)])
                rows += rows_of(name, times_to_errors(case, sides, 2 if quick else 5))
        finally:
            for process in sides.values():
                process.close()
    return rows
