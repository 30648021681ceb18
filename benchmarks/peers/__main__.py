"""Time to a given error, Linkwork beside other packages: `python -m benchmarks.peers`."""

from __future__ import annotations

import argparse
import json
import math
import os
from pathlib import Path

from benchmarks.__main__ import machine
from benchmarks.peers import cases
from benchmarks.peers.ladder import Found, Search, search
from benchmarks.peers.process import MissingPackageError, Process
from benchmarks.peers.report import OURS, Cell, best_peer, by_rows, duration, ratio, table
from benchmarks.peers.tools import TOOLS

TARGETS = (1e-3, 1e-6)
#: how many times faster than the best of the others Linkwork is to be, where that is asked
AIMS = {("flyball_A05", 1e-3): 4.0, ("flyball_A05", 1e-6): 8.0}
MANY = "ensemble"
FAR, LEAST = 100.0, 0.1  # times Linkwork's time; seconds
RESULTS = Path(__file__).resolve().parent.parent / "results" / "peers.json"


def start(names) -> tuple[dict[str, Process], dict[str, str]]:
    """A process for every package that is installed, and the reasons for those that are not."""
    processes, missing = {}, {}
    for name in names:
        try:
            processes[name] = Process(name)
        except MissingPackageError as reason:
            missing[name] = f"{TOOLS[name][0]} is not installed here ({reason})"
    return processes, missing


def look(process: Process, case: str, limit: float) -> Search | str:
    """Search of one package over its methods, or the reason why it has none for the case."""
    methods = process.open(case)
    if isinstance(methods, str):
        return methods
    return search(
        methods, lambda method, setting: process.run(method, setting, 3, worth=TARGETS[0], long=0.05), TARGETS, limit
    )


def candidates(hits: list[Found]) -> list[Found]:
    """At most two settings for the final rounds: the fastest of the search and another that is close."""
    return [hit for hit in hits[:2] if hit.seconds <= 1.3 * hits[0].seconds]


def final_times(processes: dict[str, Process], picks: dict, rounds: int) -> dict:
    """Shortest time of each pick; the packages take turns, three runs in a row each."""
    best = {key: math.inf for key in picks}
    for turn in range(rounds):
        for key, hit in picks.items():
            if turn >= 2 and best[key] > 1.0:  # seconds: long runs repeat well
                continue
            outcome = processes[key[1]].run(hit.method, hit.setting, 3, long=0.3)
            if outcome.error <= key[0]:
                best[key] = min(best[key], outcome.seconds)
    return best


def measure(case: str, processes: dict[str, Process], limit: float, rounds: int) -> list[Cell]:
    """All cells of one case.  Linkwork comes first; who needs `FAR` times as long, and `LEAST`, is given up."""
    found: dict[str, Search | str] = {}
    for tool, process in processes.items():
        ours = found.get(OURS)
        hits = [hits[0].seconds for hits in ours.found.values() if hits] if isinstance(ours, Search) else []
        found[tool] = look(process, case, min(limit, max(LEAST, FAR * max(hits))) if hits else limit)
    picks = {
        (target, tool, k): hit
        for tool, seen in found.items()
        if isinstance(seen, Search)
        for target, hits in seen.found.items()
        if hits
        for k, hit in enumerate(candidates(hits))
    }
    best = final_times(processes, picks, rounds)
    cells = []
    for target in TARGETS:
        for tool, seen in found.items():
            if isinstance(seen, str):
                cells.append(Cell(case, target, tool, reason=f"{processes[tool].title}: {seen}"))
                continue
            mine = {key: best[key] for key in picks if key[:2] == (target, tool) and math.isfinite(best[key])}
            if mine:
                key = min(mine, key=lambda key: mine[key])
                hit = picks[key]
                cells.append(Cell(case, target, tool, mine[key], hit.error, hit.method.name, hit.setting))
            else:
                smallest = seen.smallest if math.isfinite(seen.smallest) else None
                said = [*seen.failures, "no run within the time allowed came near"]
                cells.append(Cell(case, target, tool, smallest=smallest, reason=f"{processes[tool].title}: {said[0]}"))
    return cells


def say(cells: list[Cell]) -> None:
    """One line a row, while the rest is still running."""
    for (case, target), row in by_rows(cells).items():
        parts = [
            f"{TOOLS[tool][0]} {duration(cell.seconds)} ({cell.method}, {cell.setting:.3g})"
            for tool, cell in row.items()
            if cell.seconds is not None
        ]
        print(f"{case}, {target:g}: {'; '.join(parts) or 'nobody'}", flush=True)


def write(path: Path, quick: bool, versions: dict, cells: list[Cell]) -> None:
    """Results so far, as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = {
        "quick": quick,
        "machine": machine(),
        "load": os.getloadavg()[0],
        "versions": versions,
        "cells": [cell.plain() for cell in cells],
    }
    path.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


def main(arguments=None) -> int:
    """Measure, print, write; returns 0 also where Linkwork is behind: a clock is no test."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument(
        "--problems",
        nargs="+",
        metavar="NAME",
        help=f"{', '.join(cases.PROBLEMS)}, {MANY} (many runs at once); NAME:N for one size",
    )
    parser.add_argument(
        "--peers",
        nargs="*",
        choices=[name for name in TOOLS if name != OURS],
        metavar="NAME",
        help="other packages: " + ", ".join(name for name in TOOLS if name != OURS),
    )
    parser.add_argument("--quick", action="store_true", help="small sizes, runs of at most one second, two rounds")
    parser.add_argument("--limit", type=float, help="seconds after which a run is too long to go on (5)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where to write the results (JSON)")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    options = parser.parse_args(arguments)
    named = options.problems and [name for name in options.problems if name != MANY]
    try:
        wanted = cases.keys(named, options.quick) if named is None or named else []
    except (KeyError, ValueError) as unknown:
        parser.error(str(unknown.args[0]))
    names = [OURS, *(options.peers if options.peers is not None else [name for name in TOOLS if name != OURS])]
    limit = options.limit or (1.0 if options.quick else 5.0)
    processes, missing = start(names)
    cells: list[Cell] = []
    try:
        versions = {tool: process.about for tool, process in processes.items()}
        print("Linkwork runs in", versions.get(OURS, {}).get("coordinates", "no"), "coordinates", flush=True)
        print(load("at the beginning"), flush=True)
        for case in wanted:
            new = measure(case, processes, limit, 2 if options.quick else 5)
            say(new)
            cells += new
            cells += [Cell(case, target, tool, reason=reason) for tool, reason in missing.items() for target in TARGETS]
            write(options.out, options.quick, versions, cells)
        if "mujoco" in processes and (options.problems is None or MANY in options.problems):
            cells += many(options.quick)
            write(options.out, options.quick, versions, cells)
    finally:
        for process in processes.values():
            process.close()
    titles = {
        name: f"{TOOLS[name][0]} {versions[name]['version']}" if name in versions else TOOLS[name][0] for name in names
    }
    print("\n" + table(cells, titles, options.markdown))
    finish(cells)
    print(load("at the end"))
    return 0


def many(quick: bool) -> list[Cell]:
    """Many runs at once, beside the only other package that has a call for that."""
    from benchmarks.peers.ensemble import measure as measure_many

    return measure_many(100 if quick else 1000, 2 if quick else 5)


def load(when: str) -> str:
    """How busy the machine is, besides what this run does on one core."""
    return f"Load of the machine {when}: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; times are processor times."


def finish(cells: list[Cell]) -> None:
    """Where Linkwork is not ahead, or not as far as is asked."""
    behind = []
    for (case, target), row in by_rows(cells).items():
        value = ratio(row)
        if len(row) > 1 and ((value is None and best_peer(row)) or (value is not None and value < 1.0)):
            behind.append(f"{case} at {target:g}")
    for key, row in by_rows(cells).items():
        if key in AIMS and len(row) > 1:
            value = ratio(row) or 0.0
            met = "met" if value >= AIMS[key] else "MISSED"
            print(f"{key[0]} at {key[1]:g}: {value:.3g} times as fast as the best other, aim {AIMS[key]:g}: {met}")
    print("Times are within this run; they depend on the machine and on what else it does.")
    print(f"Linkwork is behind in: {'; '.join(behind)}" if behind else "Linkwork is behind in no row.")


if __name__ == "__main__":
    raise SystemExit(main())
