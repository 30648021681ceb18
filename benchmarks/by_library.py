"""Kernels of the library beside those that numba makes: `python -m benchmarks --only library`.

| rows    | what is compared                                                                                |
|---------|-------------------------------------------------------------------------------------------------|
| kernels | processor time inside the kernel, the cases of `beside`, those of a library as well, in turns   |
| growth  | exponents of the time of an evaluation against the number of bodies                             |

The library is one that lies in the package or that LINKWORK_LIBRARY names, if it fits these sources; else one is built
for this machine, which takes a minute and a C compiler.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.beside import GROWING, SIZES, Source, asked_in_turns, by_group, exponents, grouped, grown, mean
from benchmarks.timing import ROOT, Row

MEAN = 1.05  # of the kernel times by numba
MORE = 0.05  # that an exponent may be larger: noise
BASELINE = "numba's code for this processor, in turns"


@contextmanager
def a_library() -> Iterator[Path | None]:
    """The file of a library of these sources; None where none can be made."""
    from linkwork.kernels import library

    found = library.wanted()
    if found is not None and library.load() is not None:
        yield found
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "_library.so"
        command = [sys.executable, str(ROOT / "tools" / "build_library.py"), str(file), "--linker", "cc"]
        done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)
        if done.returncode:
            print(f"No library could be built:\n{done.stderr}")
        yield None if done.returncode else file


def measure(quick: bool = False) -> list[Row]:
    """Means of all groups of cases, and exponents; with `quick` few rounds and no exponents."""
    with a_library() as file:
        if file is None:
            return []
        sources = Source(ROOT / "src", library=file), Source(ROOT / "src")
        cases = grouped(file)
        turns = asked_in_turns(sources, cases, 2 if quick else 15)
        rows = []
        for group, some in by_group(cases, turns).items():
            ratio = mean([kernel for kernel, _ in some])
            wanted = group.endswith("explicit runs")  # those that numba and version 0.1.0 are compared by
            aim, met = (f"<= {MEAN:g}", ratio <= MEAN) if wanted else ("", None)
            rows.append(Row("library", f"kernels {group}, geometric mean", ratio, "", aim, met, baseline=BASELINE))
        apart = sum(found[0][0][3] != found[0][1][3] for found in turns.values())
        rows.append(Row("library", f"runs with other bits, of {len(turns)}", apart, "", "0", apart == 0))
        if not quick:
            best = grown(sources, 15)
            for name, coordinates in GROWING:
                here, there = exponents(best, name, coordinates)
                what = (
                    f"{name} {SIZES[0]} to {SIZES[-1]}, {coordinates}: exponent of an evaluation, by numba {there:.3f}"
                )
                rows.append(Row("library", what, here, "", f"<= {there + MORE:.3f}", here <= there + MORE))
        for source in sources:
            source.close()
    return rows
