"""Compiled code on disk: found by what it was compiled from, whole or not at all.

The folder is named by a hash of all kernel sources and the versions that matter, never by where they lie or when they
were written: another clone, environment or container layer with the same sources finds what one has compiled.  A file
begins with a digest of the rest.  One that is empty, cut or changed is removed and compiled again; where nothing can be
written, things are compiled in every process.  Either is told once.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path

import llvmlite
import numba
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from linkwork.kernels.folders import cache_roots
from linkwork.kernels.library import ROOM, sources

#: the first run of a mechanism, as README.md and docs/limits.md have it
HOW_LONG = "6 to 15 s"
_UNUSED_DAYS = 30
_LEFTOVER_DAYS = 1
_DIGEST = hashlib.sha256().digest_size
_told: set[str] = set()


def source_hash(room: Path = ROOM) -> str:
    """What the kernels are made from, and with."""
    digest = hashlib.sha256(
        " ".join([numba.__version__, llvmlite.__version__, sys.implementation.cache_tag or "", sys.platform]).encode()
    )
    digest.update(sources(room).encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """The folder of these sources, made if it can be; one that can only be read serves too."""
    name = f"kernels-{source_hash()}"
    for root in cache_roots():
        folder = root / name
        try:
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK) and not any(folder.glob("*.code")):
                continue  # nothing to read, and nothing can be put there
        except OSError:
            continue
        try:
            os.utime(folder)
            if new:
                _remove_old(folder.parent, folder)
        except OSError:
            pass  # it can only be read
        return folder
    return None


def _remove_old(root: Path, keep: Path) -> None:
    """Remove caches that were not used for long, and what a killed process left half written."""
    now = time.time()
    for folder in root.glob("kernels-*"):
        try:
            if folder != keep and folder.is_dir() and folder.stat().st_mtime < now - _UNUSED_DAYS * 86400:
                shutil.rmtree(folder, ignore_errors=True)
                continue
            for file in folder.glob("*.part"):
                if file.stat().st_mtime < now - _LEFTOVER_DAYS * 86400:
                    file.unlink()
        except OSError:
            continue  # another process was quicker


FOLDER = cache_folder()


def tell(kind: str, text: str) -> None:
    """Say once in a process that the cache is not what it should be; the work goes on."""
    if kind not in _told:
        _told.add(kind)
        warnings.warn(text, RuntimeWarning, stacklevel=2)


def announce() -> None:
    """Say once in a process, on stderr whoever reads it, that something is compiled; LINKWORK_PROGRESS=off: nothing."""
    if "compiling" in _told or sys.stderr is None or os.environ.get("LINKWORK_PROGRESS") == "off":
        return
    _told.add("compiling")
    print(
        f"Linkwork compiles kernels for this machine, which takes {HOW_LONG}. "
        + (
            "They are kept on disk: later runs start at once."
            if FOLDER is not None
            else "No folder to keep them in can be written, so every process does this; LINKWORK_CACHE names another."
        ),
        file=sys.stderr,
        flush=True,
    )


class KernelCache:
    """What numba asks of the cache of one function; `key` tells functions of the same name apart.

    One that takes a moment only is not `told`, neither when it is compiled nor when it cannot be kept.
    """

    def __init__(self, function, key: str = "", told: bool = True):
        self._function = function
        self._key = key
        self._is_told = told

    @property
    def cache_path(self) -> str:
        """Where the files are."""
        return str(FOLDER)

    def _file(self, signature, codegen) -> Path:
        """The file of the function for a signature on this processor."""
        code = self._function.__code__
        text = repr((str(signature), codegen.magic_tuple(), code.co_code.hex(), self._key))
        name = f"{self._function.__module__.removeprefix('linkwork.kernels.')}.{self._function.__name__}"
        return FOLDER / f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.code"

    def load_overload(self, signature, target_context):
        """The compiled function, or None: then numba compiles it, which is announced."""
        found = self._load(signature, target_context) if FOLDER is not None else None
        if found is None and self._is_told:
            announce()
        return found

    def _load(self, signature, target_context):
        target_context.refresh()
        file = self._file(signature, target_context.codegen())
        try:
            content = file.read_bytes() if file.is_file() else None
        except OSError:
            content = None
        if content is None:
            return None
        data = memoryview(content)[_DIGEST:]
        try:
            if hashlib.sha256(data).digest() != content[:_DIGEST]:
                raise ValueError("its digest is another")
            return CompileResult._rebuild(target_context, *pickle.loads(data))
        except Exception as error:  # whatever is wrong with it, it is compiled again
            tell("damaged", f"A file of compiled code was damaged ({file}: {error}). It is removed and compiled again.")
            try:
                file.unlink()
            except OSError:
                pass
            return None

    def save_overload(self, signature, result) -> None:
        """Keep a compiled function: written whole, then moved into place."""
        if FOLDER is None or result.library.has_dynamic_globals:
            return
        file = self._file(signature, result.codegen)
        part = None
        try:
            data = dumps(result._reduce())
            handle, part = tempfile.mkstemp(dir=FOLDER, suffix=".part")
            with os.fdopen(handle, "wb") as stream:
                stream.write(hashlib.sha256(data).digest() + data)
            os.replace(part, file)
        except OSError as error:
            if self._is_told:
                tell(
                    "unwritable",
                    f"Compiled code cannot be kept in {FOLDER} ({error.strerror or error}); every process "
                    "compiles it again. Set LINKWORK_CACHE to a folder that can be written.",
                )
            try:
                os.unlink(part or "")
            except OSError:
                pass

    def enable(self) -> None:
        """It always is."""

    def disable(self) -> None:
        """It never is."""

    def flush(self) -> None:
        """Nothing is held back."""
