"""What is installed, and where its kernels come from."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from linkwork.arguments import explained
from linkwork.kernels import library
from linkwork.kernels.folders import cache_roots
from linkwork.kernels.plain import PLAIN

PACKAGES = ("numpy", "numba", "scipy", "PyYAML")


@explained
def installation() -> dict[str, Any]:
    """Versions, the way of the kernels with its reason, and folders and sizes of what is compiled."""
    found = library.load()
    if PLAIN:
        way, reason = "plain Python", "NUMBA_DISABLE_JIT is set"
    elif found is None:
        way, reason = "compiled by numba", library.missing()
    else:
        way, reason = "library", str(found.path)
    kept = [folder for root in cache_roots() for folder in root.glob("kernels-*") if folder.is_dir()]
    kept.sort(key=_used, reverse=True)
    return {
        "python": platform.python_version(),
        "platform": f"{platform.system().lower()}-{platform.machine().lower()}",
        "packages": {name: _version(name) for name in PACKAGES},
        "kernels": way,
        "why": reason,
        "library": None if found is None else {"file": str(found.path), "bytes": found.path.stat().st_size},
        "cache": [{"folder": str(folder), "bytes": _size(folder)} for folder in kept],
        "cache_roots": [str(root) for root in cache_roots()],
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _used(folder: Path) -> float:
    """When the folder was used last; each use touches it."""
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0  # another process has removed it


def _size(folder: Path) -> int:
    total = 0
    for file in folder.glob("*"):
        try:
            total += file.stat().st_size
        except OSError:
            pass  # another process has removed it
    return total
