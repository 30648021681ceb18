"""Clocks and tables: everything is measured side by side in one run and reported as a ratio."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Row:
    """One measured number.

    `wanted` is the aim as text, `met` whether it is reached (None: no aim).  `baseline` is what the number is
    compared with, `error` the error of what was timed, `outside` what the clock does not see.
    """

    section: str
    what: str
    value: float
    unit: str
    wanted: str = ""
    met: bool | None = None
    baseline: str = ""
    error: str = ""
    outside: str = ""

    def plain(self) -> dict:
        """As written to the results."""
        return asdict(self)


def seconds(work, clock=time.perf_counter) -> float:
    """Time of one call by a clock, that of the wall or `time.process_time`."""
    begin = clock()
    work()
    return clock() - begin


@contextmanager
def processor_time() -> Iterator[None]:
    """Runs tell the time of their kernels by the processor, not by the wall."""
    wall, time.perf_counter = time.perf_counter, time.process_time
    try:
        yield
    finally:
        time.perf_counter = wall


def best_times(works: dict, rounds: int, clock=time.perf_counter) -> dict:
    """Shortest time of every piece of work; the pieces take turns, so that noise meets all of them alike."""
    best = {key: float("inf") for key in works}
    for _ in range(rounds):
        for key, work in works.items():
            best[key] = min(best[key], seconds(work, clock))
    return best


def python_seconds(code: str, cache: str | None = None, source: Path = ROOT / "src") -> float:
    """Wall time of a new Python process that runs `code`, start of the interpreter included."""
    environment = {**os.environ, "LINKWORK_PROGRESS": "off"}
    parts = [str(source), str(ROOT), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(part for part in parts if part)
    if cache is not None:
        environment["LINKWORK_CACHE"] = cache

    def run():
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"a timed process failed:\n{done.stderr}")

    return seconds(run)


def number(value: float) -> str:
    """Three digits, without an exponent where none is needed."""
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def table(rows: list[Row]) -> str:
    """Rows of a section as aligned text; below, what they are compared with and what the clock leaves out."""
    head = ("what", "value", "", "wanted", "", "error")
    mark = {True: "met", False: "MISSED", None: ""}
    lines = [(row.what, number(row.value), row.unit, row.wanted, mark[row.met], row.error) for row in rows]
    widths = [max(len(line[k]) for line in (head, *lines)) for k in range(len(head))]
    out = []
    for line in (head, tuple("-" * width for width in widths), *lines):
        cells = [text.ljust(width) for text, width in zip(line, widths)]
        cells[1] = line[1].rjust(widths[1])
        out.append("  ".join(cells).rstrip())
    for label, key in (("baseline", "baseline"), ("outside the clock", "outside")):
        for text in dict.fromkeys(getattr(row, key) for row in rows if getattr(row, key)):
            out.append(f"{label}: {text}")
    return "\n".join(out)
