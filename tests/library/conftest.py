"""The library of kernels, compiled once for these sources, and kept for the next time."""

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numba
import pytest

from linkwork.kernels.folders import cache_roots
from linkwork.kernels.library import SUFFIX, sources

ROOT = Path(__file__).parents[2]
BUILDER = ROOT / "tools" / "build_library.py"
LINKER = "zig" if find_spec("ziglang") else next((one for one in ("cc", "gcc", "clang") if shutil.which(one)), None)


def made_of() -> str:
    """What a library depends on: all kernels, all laws, who builds it."""
    digest = hashlib.sha256(f"{sources()} {sources(ROOT / 'src/linkwork/mechanism')} {numba.__version__}".encode())
    digest.update((ROOT / "src/linkwork/compiled/laws.py").read_bytes() + BUILDER.read_bytes())
    return digest.hexdigest()[:16]


@pytest.fixture(scope="session")
def library() -> Path:
    """The file; another process that tests at the same time builds it, or waits for it."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        pytest.skip("libraries are tried on Linux with x86-64 only")
    if LINKER is None:
        pytest.skip("there is no linker: pip install ziglang")
    import fcntl

    folder = cache_roots()[0] / "tested-libraries"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{made_of()}{SUFFIX}"
    with open(path.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            for old in folder.glob(f"*{SUFFIX}"):
                old.unlink()
            subprocess.run([sys.executable, str(BUILDER), str(path), "--linker", LINKER], check=True)
    return path


@pytest.fixture(scope="session")
def ask(library):
    """Run a program with this library, or with another setting of LINKWORK_LIBRARY; returns what it prints."""

    def run(program: str, setting: str = "", **more: str) -> str:
        environment = {**os.environ, "LINKWORK_LIBRARY": setting or str(library), "LINKWORK_PROGRESS": "off"}
        paths = [str(ROOT / "src"), str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")]
        environment |= {"PYTHONPATH": os.pathsep.join(paths), **more}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", program], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout

    return run
