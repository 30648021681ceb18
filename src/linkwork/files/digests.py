"""Digests (SHA-256): what is read from a result is what was written, number for number.

The manifest of a result holds the digest of each dataset (times, states, rows held, every series) and of the text of
the mechanism; its own digest is its `seal`.  They are the same in every format, and whatever version wrote them.  They
tell damage and careless changes; who changes a file on purpose can make new ones.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.errors import FileError, message

SEAL = "seal"


def of_bytes(data: bytes) -> str:
    """Digest of bytes."""
    return hashlib.sha256(data).hexdigest()


def of_numbers(values: Any) -> str:
    """Digest of numbers, row by row, as little-endian doubles."""
    plain = np.ascontiguousarray(values, dtype="<f8").ravel()
    return hashlib.sha256(plain.view("u1").data).hexdigest()


def canonical(data: Any) -> str:
    """JSON on one line, the same for the same data, without anything that is not JSON."""
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def sealed(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest with its own digest."""
    return {**manifest, SEAL: of_bytes(canonical(manifest).encode("ascii"))}


def check_seal(manifest: Mapping[str, Any]) -> None:
    """Raise unless the manifest is as it was written."""
    rest = {key: value for key, value in manifest.items() if key != SEAL}
    _compare("manifest", of_bytes(canonical(rest).encode("ascii")), manifest.get(SEAL))


def check(what: str, found: str, declared: Any) -> None:
    """Raise unless a dataset has the digest that the manifest declares."""
    _compare(what, found, declared)


def _compare(what: str, found: str, declared: Any) -> None:
    if found != declared:
        raise FileError(
            message(
                f"The {what}",
                "in this file was changed or damaged after it was written",
                f"sha256 {found[:12]}",
                f"sha256 {str(declared)[:12]}",
                "take the file from where it came from again, or run the mechanism again",
            )
        )
