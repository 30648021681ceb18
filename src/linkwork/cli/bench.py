"""Measure Linkwork, with the benchmarks of its repository.

Options after `--` go to the benchmarks: linkwork bench -- --quick --only overhead
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HELP = "measure it (in a clone of the repository)"


def arguments(parser) -> None:
    """Declare the options."""
    parser.add_argument("--quick", action="store_true", help="fewer sizes and rounds")
    parser.add_argument("options", nargs="*", metavar="OPTION", help="further options of the benchmarks, after --")


def run(options, out) -> int:
    """Do it."""
    root = _repository()
    if root is None:
        return out.fail(
            "The benchmarks are not part of the installed package. Clone the repository, and run "
            "`linkwork bench` or `make bench` in its folder.",
            2,
        )
    command = [sys.executable, "-m", "benchmarks", *(["--quick"] if options.quick else []), *options.options]
    source = str(Path(__file__).resolve().parents[2])
    paths = [source, *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        command, cwd=root, check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    ).returncode


def _repository() -> Path | None:
    """The folder that holds the benchmarks: the working folder or one above it, or that of an installation in place."""
    here = Path.cwd()
    for folder in (here, *here.parents, *Path(__file__).resolve().parents[3:4]):
        if (folder / "benchmarks" / "problems.py").is_file() and (folder / "src" / "linkwork").is_dir():
            return folder
    return None
