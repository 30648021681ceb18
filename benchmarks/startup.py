"""From nothing to a result: first start ever, later starts, import, and how much is compiled."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.timing import Row, python_seconds

RUN = (
    "from benchmarks import problems; p = problems.{build}; "
    "print(p.mechanism.simulate(0.01 * p.end, coordinates='body').t[-1])"
)
CASES = {"plane": "andrews()", "space": "chain_spatial(2)"}
COLD, WARM, HELP = 25.0, 1.5, 0.2  # seconds


def kept(folder: str) -> int:
    """How many files of compiled code there are."""
    return len(list(Path(folder).rglob("*.code")))


def starts(space: str, build: str, rounds: int) -> list[Row]:
    """Cold and warm start of one simulation in new processes with a cache folder of their own."""
    code = RUN.format(build=build)
    whole = "starts: nothing, a whole process from the start of Python to the result"
    with tempfile.TemporaryDirectory() as folder:
        cold = python_seconds(code, folder)
        compiled = kept(folder)
        warm = min(python_seconds(code, folder) for _ in range(rounds))
        again = kept(folder)
    return [
        Row("start", f"first start, {space}", cold, "s", f"<= {COLD:g}", cold <= COLD, outside=whole),
        Row("start", f"later starts, {space}", warm, "s", f"<= {WARM:g}", warm <= WARM, outside=whole),
        Row("start", f"compiled functions, {space}", compiled, "files", "> 0", compiled > 0),
        Row("start", f"compiled anew by later starts, {space}", again - compiled, "files", "0", again == compiled),
    ]


def imports(rounds: int) -> list[Row]:
    """Seconds of the import statements, less those of Python itself."""
    codes = {"nothing": "pass", "numpy": "import numpy", "linkwork": "import linkwork"}
    best = {key: float("inf") for key in codes}
    for _ in range(rounds):
        for key, code in codes.items():
            best[key] = min(best[key], python_seconds(code))
    numpy, ours = (max(best[key] - best["nothing"], 1e-4) for key in ("numpy", "linkwork"))
    return [
        Row("start", "import linkwork", 1e3 * ours, "ms", outside="imports: the start of Python itself"),
        Row("start", "import numpy", 1e3 * numpy, "ms"),
        Row("start", "import linkwork against numpy", ours / numpy, "times", baseline="`import numpy`"),
    ]


def commands(rounds: int) -> list[Row]:
    """Whole processes of the command line, kernels compiled before; Python's own start is in the baseline."""
    call = "from linkwork.cli import main; raise SystemExit(main({!r}))"
    run = call.format(["run", "gallery:four_bar", "--duration", "1", "--every", "0.01"])
    python_seconds(run)
    codes = {"nothing": "pass", "help": call.format(["--help"]), "run": run}
    best = {key: min(python_seconds(code) for _ in range(rounds)) for key, code in codes.items()}
    whole = "commands: nothing, a whole process from the start of Python"
    return [
        Row(
            "start",
            "linkwork --help",
            1e3 * best["help"],
            "ms",
            f"<= {1e3 * HELP:g}",
            best["help"] <= HELP,
            outside=whole,
        ),
        Row(
            "start",
            "linkwork run of the four-bar, 1 s of motion",
            best["run"],
            "s",
            f"<= {WARM:g}",
            best["run"] <= WARM,
            outside=whole,
        ),
        Row("start", "Python alone", 1e3 * best["nothing"], "ms"),
    ]


def measure(quick: bool = False) -> list[Row]:
    """Start-up; the quick form leaves out the first start, which compiles everything."""
    rows = imports(2 if quick else 7) + commands(1 if quick else 5)
    if not quick:
        for space, build in CASES.items():
            rows += starts(space, build, 5)
    return rows
