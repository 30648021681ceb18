"""Try what `make release` has built, in empty environments: `python tools/try_release.py dist`.

The wheel of this platform is installed for every supported Python that is found, with its dependencies.  There a first
run is timed beside `import numpy`, and must have imported neither numba nor scipy; its bits are those of kernels that
numba compiles.  Then the README runs.  What is not found here is said.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13")

RUN = """
import sys
import linkwork as lw
run = lw.gallery.four_bar().simulate(1.0)
print(sorted({"numba", "scipy", "llvmlite"} & sys.modules.keys()), run.final.y.tobytes().hex())
"""


def pythons() -> dict[str, str]:
    """Supported versions that are found, each with its program."""
    found = {}
    places = [*os.environ.get("PATH", "").split(os.pathsep), *map(str, Path.home().glob(".pyenv/versions/*/bin"))]
    for version in PYTHONS:
        for place in places:  # one that is found may be a stand-in for a version that is not chosen
            program = shutil.which(f"python{version}", path=place)
            if program and _ask([program, "-c", "import venv"], check=False).returncode == 0:
                found[version] = program
                break
    return found


def _ask(command: list[str], check: bool = True, **more) -> subprocess.CompletedProcess:
    return subprocess.run(command, check=check, capture_output=True, text=True, **more)


def _seconds(command: list[str], environment: dict) -> float:
    before = time.perf_counter()
    _ask(command, env=environment)
    return time.perf_counter() - before


def try_wheel(wheel: Path, program: str, folder: Path) -> None:
    """Install a wheel into an empty environment, and look at its first run."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LINKWORK"))}
    environment |= {"LINKWORK_CACHE": str(folder / "cache"), "HOME": str(folder), "MPLBACKEND": "Agg"}
    _ask([program, "-m", "venv", str(folder / "venv")])
    python = str(folder / "venv" / "bin" / "python")
    _ask([python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", f"{wheel}[all]", "pytest"])
    command = [str(folder / "venv" / "bin" / "linkwork"), "run", "gallery:four_bar"]
    _seconds([python, "-c", "import numpy"], environment)  # from disk into memory
    first = _seconds(command, environment)
    bare = min(_seconds([python, "-c", "import numpy"], environment) for _ in range(5))
    later = min(_seconds(command, environment) for _ in range(5))
    imported, bits = _ask([python, "-c", RUN], env=environment).stdout.rsplit(None, 1)
    if imported.strip() != "[]":
        raise SystemExit(f"A run from the wheel has imported {imported}.")
    by_numba = _ask([python, "-c", RUN], env={**environment, "LINKWORK_LIBRARY": "off"}).stdout.split()[-1]
    if bits != by_numba:
        raise SystemExit("The library gives other bits than numba.")
    done = subprocess.run([python, str(ROOT / "tests" / "docs" / "from_wheel.py")], env=environment, check=False)
    if done.returncode:
        raise SystemExit("The README does not run from the wheel.")
    print(f"  import numpy {bare:.2f} s, first run {first:.2f} s, later {later:.2f} s; bits as by numba; README runs")


def main() -> None:
    """Try all that is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dist", type=Path)
    dist = parser.parse_args().dist
    (special,) = dist.glob("*manylinux*.whl")
    (plain,) = dist.glob("*-py3-none-any.whl")
    (sdist,) = dist.glob("*.tar.gz")
    for file in (special, plain, sdist):
        print(f"{file.name}: {file.stat().st_size // 1024} KB")
    found = pythons()
    for version, program in found.items():
        with tempfile.TemporaryDirectory() as folder:
            print(f"{special.name} with Python {version}")
            try_wheel(special.resolve(), program, Path(folder))
    if missing := [one for one in PYTHONS if one not in found]:
        print(f"Not tried, because it is not found here: Python {', '.join(missing)}")
    if not found:
        raise SystemExit("No supported Python is found.")
    print("Nothing is published.", file=sys.stdout)


if __name__ == "__main__":
    main()
