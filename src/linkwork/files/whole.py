"""Files that are whole: written under another name in the same folder, then moved into place.

Whoever interrupts a write, even by kill -9 or by pulling the plug, leaves the old file or the complete new one.  What
an interrupted write leaves under its other name is removed by the next write to the same file.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linkwork.errors import FileError, message

_OLD = 24 * 3600.0  # seconds after which an unfinished file is nobody's, whoever wrote it


def path_of(given: Any) -> str:
    """A path as text; what is no path is refused."""
    if not isinstance(given, (str, os.PathLike)):
        raise FileError(message("File", "has no name", repr(given), "a path such as 'name.yaml'"))
    return os.fsdecode(given)


def write_whole(path, data: bytes, follow: bool = True) -> Path:
    """Write the bytes to the path, all or nothing; returns the path.  Without `follow` a link there is replaced."""
    write_together({path: data}, follow)
    return Path(path)


def write_together(files: Mapping[Any, bytes], follow: bool = True) -> None:
    """Write several files that belong together: each all or nothing, and none is moved before all are written.

    Between the moves an interruption leaves old and new side by side; what reads such files compares them.
    """
    moves: list[tuple[Path, Path]] = []
    path: Any = None
    try:
        for path, data in files.items():
            target = Path(os.path.realpath(path)) if follow else Path(path)
            mode = _mode(target, path, follow)
            _remove_leftovers(target)
            unfinished = target.with_name(f".{target.name}.{os.getpid()}-{os.urandom(4).hex()}.part")
            handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
            moves.append((unfinished, target))
            if mode is not None:
                os.chmod(unfinished, mode)
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for unfinished, target in moves:
            path = target
            os.replace(unfinished, target)
        for folder in {target.parent for _, target in moves}:
            _settle(folder)
    except OSError as error:
        raise FileError(
            message(
                f"{path}:",
                f"cannot be written ({error.strerror or error})",
                remedy="check that the folder exists and may be written to",
            )
        ) from error
    finally:
        for unfinished, _ in moves:  # those that were moved are gone
            with contextlib.suppress(OSError):
                os.unlink(unfinished)


def _mode(target: Path, path: Any, follow: bool) -> int | None:
    """Who may read and write the file that is replaced, None if there is none; what is no file is never replaced."""
    try:
        found = os.stat(target, follow_symlinks=follow).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(found):
        return None
    if not stat.S_ISREG(found):  # to a device, a file moved into its place would be the end of it
        what = "a folder" if stat.S_ISDIR(found) else "a device or a pipe"
        raise FileError(message(f"{path}:", f"cannot be written: it is {what}", wanted="a file"))
    return found & 0o777


def _settle(folder: Path) -> None:
    """Make the move itself last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_unfinished(name: str, of: str) -> bool:
    """Whether a name is that under which a file called `of` is written, before it is moved into place."""
    return _writer_of(name, of) is not None


def _writer_of(name: str, of: str) -> int | None:
    """The process that writes, or wrote, an unfinished file."""
    match = re.fullmatch(re.escape(f".{of}.") + r"(\d+)-[0-9a-f]{8}\.part", name)
    return int(match[1]) if match else None


def _remove_leftovers(target: Path) -> None:
    """Remove unfinished files of this target whose writer is gone."""
    for entry in os.scandir(target.parent):
        writer = _writer_of(entry.name, target.name)
        if writer is None:
            continue
        with contextlib.suppress(OSError):
            if not _is_running(writer) or time.time() - entry.stat().st_mtime > _OLD:
                os.unlink(entry.path)


def _is_running(process: int) -> bool:
    """Whether a process of this number exists; where that cannot be asked without harm, yes."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)  # signal 0 only asks
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
