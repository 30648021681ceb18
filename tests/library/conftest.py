"""The library of kernels, and programs that run by it; skipped where none can be made, unless it is needed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from library.by_library import ROOT, built, needed, unfit


@pytest.fixture(scope="session")
def library() -> Path:
    """The file."""
    return made()


def made() -> Path:
    """The file; without it the tests are skipped, or fail where it is needed."""
    if reason := unfit():
        if needed():
            pytest.fail(reason)
        pytest.skip(reason)
    return built()


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
