"""The library of kernels, compiled once for these sources and kept for the next time; and tests that run by it.

    python tests/library/by_library.py -n 2 tests/contract tests/reference

runs pytest with these arguments, and kernels, laws and functions of time come from the library.  Where none can be
made that is said, and nothing is tested; with LINKWORK_LIBRARY_TESTS=needed, as in continuous integration, that is a
failure.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src"))
import numba  # noqa: E402

from linkwork.kernels.folders import cache_roots  # noqa: E402
from linkwork.kernels.library import SUFFIX, sources  # noqa: E402

KEPT = 3  # of older sources, for clones beside this one
BUILDER = ROOT / "tools" / "build_library.py"
LINKER = "zig" if find_spec("ziglang") else next((one for one in ("cc", "gcc", "clang") if shutil.which(one)), None)


def unfit() -> str:
    """Why no library can be tried here, if so."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return "libraries are tried on Linux with x86-64 only"
    return (
        "" if LINKER else "there is no linker: install a C compiler (Debian: apt-get install gcc libc6-dev), or ziglang"
    )


def needed() -> bool:
    """Whether tests must run by a library."""
    return os.environ.get("LINKWORK_LIBRARY_TESTS") == "needed"


def made_of() -> str:
    """What a library depends on: all kernels, all laws, who builds it."""
    digest = hashlib.sha256(f"{sources()} {sources(ROOT / 'src/linkwork/mechanism')} {numba.__version__}".encode())
    for name in ("laws", "slopes", "own_laws"):  # texts of the slots
        digest.update((ROOT / f"src/linkwork/compiled/{name}.py").read_bytes())
    digest.update(BUILDER.read_bytes())
    return digest.hexdigest()[:16]


def built() -> Path:
    """The file; another process that tests at the same time builds it, or waits for it."""
    import fcntl

    folder = cache_roots()[0] / "tested-libraries"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{made_of()}{SUFFIX}"
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            for old in sorted(folder.glob(f"*{SUFFIX}"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
                old.unlink()
            subprocess.run([sys.executable, str(BUILDER), str(path), "--linker", str(LINKER)], check=True)
    return path


def main() -> int:
    """Run pytest by the library; where none can be tried, say so."""
    if reason := unfit():
        print(f"Nothing is tested by the library: {reason}.")
        return int(needed())
    library = built()
    print(f"Kernels come from {library}", flush=True)
    environment = {**os.environ, "LINKWORK_LIBRARY": str(library)}
    return subprocess.run([sys.executable, "-m", "pytest", *sys.argv[1:]], cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
