"""Measure Linkwork: `python -m benchmarks`; `--quick` for a short look, `--only NAME` for one section.

A million steps into a folder are measured by `--only long` alone.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
from pathlib import Path

from benchmarks.timing import Row, table

#: section -> (module, title)
SECTIONS = {
    "growth": ("benchmarks.growth", "Cost of an evaluation against the number of bodies, body coordinates"),
    "points": ("benchmarks.points", "Point coordinates beside the other sets"),
    "whole": ("benchmarks.whole_runs", "Whole simulations against equations by hand"),
    "kinematics": ("benchmarks.kinematics", "A full turn of a six-bar by its driver, against Newton by hand"),
    "stiff": ("benchmarks.stiff", "Stiff problems: time to an error, beside explicit methods"),
    "soft": ("benchmarks.soft_rows", "Stiff chains: how the time grows with the number of bars"),
    "auto": ("benchmarks.pays_nothing", "What the usual method costs where nothing is stiff"),
    "reading": ("benchmarks.reading", "Reading a result"),
    "overhead": ("benchmarks.overhead", "Outside the kernel in a prepared run"),
    "events": ("benchmarks.events", "Events: return and resume, recorded ones, locks and releases"),
    "sweep": ("benchmarks.sweep", "Sweeps: many designs beside their time loops"),
    "around": ("benchmarks.around", "Around the kernel, beside version 0.1.0; how build, assembly and check grow"),
    "asked": ("benchmarks.asked", "One evaluation that Python asks for, beside version 0.1.0"),
    "before": ("benchmarks.before", "Beside version 0.1.0: kernels, growth, the same numbers, first start"),
    "library": ("benchmarks.by_library", "Kernels of the library beside those that numba makes"),
    "start": ("benchmarks.startup", "From nothing to a result"),
    "long": ("benchmarks.long_runs", "A million steps into a folder"),
}
ON_REQUEST = ("long",)  # sections that are measured only by name: they take minutes
RESULTS = Path(__file__).resolve().parent / "results" / "latest.json"


def run_section(name: str, quick: bool) -> list[Row]:
    """Measure one section."""
    return importlib.import_module(SECTIONS[name][0]).measure(quick)


def machine() -> dict:
    """What the numbers depend on."""
    import numba
    import numpy
    import scipy

    import linkwork

    return {
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "scipy": scipy.__version__,
        "linkwork": linkwork.__version__,
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
    }


def main(arguments=None) -> int:
    """Measure, print, write the results; returns 0 also where an aim is missed: a clock is no test."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer sizes and rounds, no first start")
    parser.add_argument(
        "--only",
        action="append",
        choices=list(SECTIONS),
        help="a section (may be repeated); long runs are measured only so",
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="where to write the results (JSON)")
    options = parser.parse_args(arguments)
    rows = []
    for name in options.only or [one for one in SECTIONS if one not in ON_REQUEST]:
        print(f"\n{SECTIONS[name][1]}" + (" (quick: numbers are rough)" if options.quick else ""), flush=True)
        found = run_section(name, options.quick)
        print(table(found), flush=True)
        rows += found
    options.out.parent.mkdir(parents=True, exist_ok=True)
    text = {"quick": options.quick, "machine": machine(), "rows": [row.plain() for row in rows]}
    options.out.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
    missed = [row.what for row in rows if row.met is False]
    print("\nSpeeds are ratios within this run; times depend on the machine and on what else it does.")
    print(f"Aims missed: {'; '.join(missed)}" if missed else "All aims met.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
