"""A lock on a folder: one process writes there at a time.  It goes with the process, however that ends."""

from __future__ import annotations

import os

from linkwork.errors import FileError, message, printable


def lock(folder: str, name: str, busy: str) -> int | None:
    """Take the lock of a folder, a file of this name in it; None where the system has no such locks.

    Raises what `busy` says where another one has it, and OSError where the file cannot be made.
    """
    try:
        import fcntl
    except ImportError:
        return None
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    handle = os.open(os.path.join(folder, name), flags, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise FileError(message(f"{printable(folder)}:", busy)) from None
    except OSError:
        os.close(handle)
        raise
    return handle


def unlock(handle: int | None) -> None:
    """Let others have it."""
    if handle is not None:
        os.close(handle)
