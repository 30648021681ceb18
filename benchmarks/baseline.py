"""The source of version 0.1.0, for whatever is measured beside it.

It is commit 8d05425, taken from git into a folder that is gone afterwards.  Where there is no git, or not this commit,
its rows are left out.  The source of another version can be named instead: LINKWORK_BASELINE=../other/src.
"""

from __future__ import annotations

import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from benchmarks.timing import ROOT

BASELINE = "8d05425"  # version 0.1.0


@contextmanager
def baseline(wanted: bool = True) -> Iterator[Path | None]:
    """The source to compare with, or None."""
    if not wanted:
        yield None
        return
    named = os.environ.get("LINKWORK_BASELINE")
    if named:
        path = Path(named).resolve()
        if not (path / "linkwork" / "__init__.py").exists():
            raise SystemExit(f"LINKWORK_BASELINE={named}: there is no linkwork in this folder; name a `src`")
        yield path
        return
    packed = subprocess.run(["git", "archive", BASELINE, "src"], cwd=ROOT, capture_output=True, check=False)
    if packed.returncode:
        print(f"No git or no commit {BASELINE} here: rows beside version 0.1.0 are left out.")
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder) / "src"
