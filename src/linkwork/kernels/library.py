"""The library of kernels that were compiled ahead of time, if there is one that was made from these very sources.

It lies beside this file in wheels of platforms that have one, and is made by `tools/build_library.py`.  It holds a hash
of the sources: one that is older or newer than they are is not used, nor one that this machine cannot load; numba then
compiles.  LINKWORK_LIBRARY=off leaves it aside, or names another file.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from functools import cache
from pathlib import Path

from linkwork.kernels.plain import PLAIN

ROOM = Path(__file__).parent
SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
#: names in the library: of the hash, and how those of kernels and of laws begin
HASH, KERNEL, LAW = "linkwork_sources", "linkwork_kernel_", "linkwork_law_"


@cache
def sources(room: Path = ROOM) -> str:
    """What the kernels are made from: a hash of all files of the room, wherever they lie."""
    digest = hashlib.sha256()
    for path in sorted(room.rglob("*.py")):
        digest.update(str(path.relative_to(room)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def symbol_of(function) -> str:
    """The name of a kernel in the library."""
    return KERNEL + f"{function.__module__}.{function.__qualname__}".removeprefix("linkwork.kernels.").replace(".", "_")


class Library:
    """A library that is loaded, and where its functions are."""

    def __init__(self, path: Path):
        self.path = path
        self._loaded = ctypes.CDLL(str(path))
        place = self.address(HASH)
        self.sources = ctypes.string_at(place).decode() if place else ""

    def address(self, symbol: str) -> int:
        """Where a function is, or 0 where there is none of that name."""
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(self._loaded, symbol))
        except ValueError:
            return 0


def wanted() -> Path | None:
    """The file that is to be used, if it exists; None where LINKWORK_LIBRARY=off says that none is."""
    named = os.environ.get("LINKWORK_LIBRARY")
    if named == "off":
        return None
    return Path(named) if named else ROOM / f"_library{SUFFIX}"


@cache
def _looked() -> tuple[Library | None, str]:
    """The library, and where there is none the reason."""
    path = wanted()
    if path is None:
        return None, "LINKWORK_LIBRARY=off"
    if not path.is_file():
        return None, "this installation has none"
    try:
        found = Library(path)
    except (OSError, ValueError) as error:
        return None, f"{path} cannot be loaded here ({error})"
    if found.sources != sources():
        return None, f"{path} was made from other sources"
    return found, ""


def load() -> Library | None:
    """The library, if there is one that fits."""
    return _looked()[0]


def missing() -> str:
    """Why there is none."""
    return _looked()[1]


def needs_numba() -> bool:
    """Whether kernels are compiled by numba."""
    return not PLAIN and load() is None
