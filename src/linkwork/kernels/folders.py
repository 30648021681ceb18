"""Where compiled code may be kept."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path


def cache_roots() -> list[Path]:
    """Folders for all caches, best first: LINKWORK_CACHE alone, or the user's cache folder, then one of our own among
    temporary files, for containers whose user has no home, or one that cannot be written.
    """
    own = os.environ.get("LINKWORK_CACHE")
    if own:
        return [Path(own)]
    found: list[Path | None] = []
    try:
        found.append(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "linkwork")
    except RuntimeError:  # no HOME and no entry for this user
        pass
    found.append(_private(Path(tempfile.gettempdir()) / f"linkwork-{_user()}"))
    return [one for one in found if one is not None]


def _user() -> int:
    return os.getuid() if hasattr(os, "getuid") else 0


def _private(folder: Path) -> Path | None:
    """A folder that only this user can write to; code of others is never loaded."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = os.lstat(folder)
    except OSError:
        return None
    safe = stat.S_ISDIR(found.st_mode) and found.st_uid == _user() and not found.st_mode & 0o022
    return folder if safe else None
