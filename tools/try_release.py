"""Try what `make release` has built, in empty environments: `python tools/try_release.py dist`.

The wheel of this platform is installed for every supported Python that is found: first with its dependencies alone,
where a first run is timed beside `import numpy` and must have imported neither numba nor scipy, and its bits are those
of kernels that numba compiles; then with all extras, where the README runs.  The plain wheel and the sdist are tried
with the first Python; they have no library, and give the same bits by numba.  What is not found here is said.

A start that takes too long is said where it was measured and once more in the last lines, but stops nothing: other
programs on the machine can be the reason.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: how many times of each kind, in turns, are measured; the least counts
TURNS = 5
#: how many times `import numpy` a start may take
MOST = 3.0

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
    """Processor time of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _ask(command, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


class Place:
    """An empty environment with one file of the release."""

    def __init__(self, file: Path, program: str, folder: Path):
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LINKWORK"))}
        self.environment = kept | {"LINKWORK_CACHE": str(folder / "cache"), "HOME": str(folder), "MPLBACKEND": "Agg"}
        self.file, self.bin = file, folder / "venv" / "bin"
        self.python = str(self.bin / "python")
        _ask([program, "-m", "venv", str(folder / "venv")])
        self.install(str(file))

    def install(self, *names: str) -> None:
        """Install from this file, and from the package index."""
        _ask([self.python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *names])

    def run(self, **setting: str) -> tuple[str, str]:
        """What a short run has imported of what it should not, and the bits of its last state."""
        said = _ask([self.python, "-c", RUN], env=self.environment | setting).stdout
        imported, bits = said.rsplit(None, 1)
        return imported.strip(), bits

    def times(self) -> tuple[float, dict[str, float]]:
        """Seconds of `import numpy`, and how many times that a first run and later ones take."""
        command, bare = [str(self.bin / "linkwork"), "run", "gallery:four_bar"], [self.python, "-c", "import numpy"]
        _seconds(bare, self.environment)  # from disk into memory
        first = _seconds(command, self.environment)
        turns = [(_seconds(bare, self.environment), _seconds(command, self.environment)) for _ in range(TURNS)]
        least, later = (min(times) for times in zip(*turns))
        return least, {"the first run": first / least, "later runs": later / least}

    def readme(self) -> None:
        """Run the README with all extras."""
        self.install(f"{self.file}[all,cluster]", "pytest")
        script = str(ROOT / "tests" / "docs" / "from_wheel.py")
        if subprocess.run([self.python, script], env=self.environment, check=False).returncode:
            raise SystemExit("The README does not run from the wheel.")


def judged(ratios: dict[str, float]) -> dict[str, str]:
    """Every start with its ratio to `import numpy`, and whether that is within what we aim at."""
    words = {}
    for what, ratio in ratios.items():
        told = f"{ratio:.1f}" if round(ratio, 1) != MOST else f"{ratio:.3f}"  # 3.04 is not "3.0, more than 3"
        words[what] = f"{what} {told} times that, at most {MOST:g}: {'met' if ratio <= MOST else 'MISSED'}"
    return words


def verdict(missed: dict[str, list[str]]) -> str:
    """The last lines: all starts that take too long, by version of Python."""
    slow = [f"  Python {version}: {text}" for version, texts in missed.items() for text in texts]
    if not slow:
        return f"Met: no start takes more than {MOST:g} times `import numpy`."
    head = f"MISSED: these starts take more than {MOST:g} times `import numpy`."
    return "\n".join([head, *slow, "Measure again on a quiet machine before anything is tagged."])


def try_wheel(wheel: Path, program: str, folder: Path, missed: list[str]) -> str:
    """The wheel with a library: nothing is compiled, the bits are numba's; returns them, and adds what was missed."""
    place = Place(wheel, program, folder)
    least, ratios = place.times()
    words = judged(ratios)
    print(f"  import numpy {least:.2f} s of processor time;", *words.values(), sep="\n    ", flush=True)
    missed += [text for what, text in words.items() if ratios[what] > MOST]
    imported, bits = place.run()
    if imported != "[]":
        raise SystemExit(f"A run from the wheel has imported {imported}.")
    if (folder / "cache").exists():
        raise SystemExit("A run from the wheel has left compiled code behind.")
    if place.run(LINKWORK_LIBRARY="off")[1] != bits:
        raise SystemExit("The library gives other bits than numba.")
    print("  without extras: neither numba nor scipy imported, bits as by numba", flush=True)
    place.readme()
    print("  with all extras: the README runs", flush=True)
    return bits


def try_plain(file: Path, program: str, folder: Path, bits: str) -> None:
    """A wheel or an sdist without a library: numba compiles, and gives the same bits."""
    place = Place(file, program, folder)
    if "this installation has none" not in _ask([str(place.bin / "linkwork"), "info"], env=place.environment).stdout:
        raise SystemExit(f"{file.name} has brought a library.")
    if place.run()[1] != bits:
        raise SystemExit(f"{file.name} gives other bits.")
    print("  no library; by numba, the same bits", flush=True)


def tagging(version: str) -> str:
    """The command that tags what was tried, or why it should not be."""
    git = ["git", "-C", str(ROOT)]
    state = _ask([*git, "status", "--porcelain"], check=False)
    if state.returncode:
        return "This is no clone, so nothing can be tagged here."
    if state.stdout:
        return "Files are changed that are not committed: commit them and try again, then tag."
    commit = _ask([*git, "rev-parse", "--short", "HEAD"]).stdout.strip()
    return f'To tag what was tried: git tag -a v{version} -m "Linkwork {version}" {commit}'


def main(arguments: list[str] | None = None) -> None:
    """Try all that is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dist", type=Path)
    dist = parser.parse_args(arguments).dist
    (special,) = dist.glob("*manylinux*.whl")
    (plain,) = dist.glob("*-py3-none-any.whl")
    (sdist,) = dist.glob("*.tar.gz")
    for file in (special, plain, sdist):
        print(f"{file.name}: {file.stat().st_size // 1024} KB")
    found = pythons()
    if not found:
        raise SystemExit(f"No supported Python is found: {', '.join(PYTHONS)}.")
    bits = set()
    missed: dict[str, list[str]] = {version: [] for version in found}
    for version, program in found.items():
        print(f"{special.name} with Python {version}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            bits.add(try_wheel(special.resolve(), program, Path(folder), missed[version]))
    if len(bits) > 1:
        raise SystemExit("Versions of Python give different bits.")
    version, program = next(iter(found.items()))
    for file in (plain, sdist):
        print(f"{file.name} with Python {version}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            try_plain(file.resolve(), program, Path(folder), next(iter(bits)))
    if missing := [one for one in PYTHONS if one not in found]:
        print(f"Not tried, because it is not found here: Python {', '.join(missing)}")
    print("Nothing is published.")
    print(tagging(special.name.split("-")[1]))
    print(verdict(missed))


if __name__ == "__main__":
    main()
