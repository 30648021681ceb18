"""Numbers of a page, small: series in steps of 1/65535 of their range, as differences, deflated.

    blob = deflate(length of the text, 4 bytes | text: JSON in UTF-8 | arrays)

An array in the text is `{"at", "count", ...}`: where its bytes begin, and how many numbers it has.

| kind | bytes | value |
|---|---|---|
| `"real"` | 8 a number, little endian | itself |
| `"step"` | all low bytes, then all high bytes, of differences modulo 65536 | `low + step * sum of differences` |
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any

import numpy as np

LEVELS = 65535


class Pack:
    """Collects arrays; `text(data)` is everything as base64."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0

    def _put(self, data: bytes) -> int:
        at = self._size
        self._parts.append(data)
        self._size += len(data)
        return at

    def real(self, values) -> dict[str, Any]:
        """Numbers as they are."""
        values = np.asarray(values, dtype="<f8")
        return {"kind": "real", "at": self._put(values.tobytes()), "count": values.size}

    def steps(self, values, low: float | None = None, step: float | None = None) -> dict[str, Any]:
        """A series in steps: of its own range, or in given ones, which may wrap around after 65536 of them."""
        values = np.asarray(values, dtype=float)
        if low is None or step is None:
            low = float(values.min())
            step = (float(values.max()) - low) / LEVELS
        whole = np.round((values - low) / step) if step > 0.0 else np.zeros(values.size)
        levels = np.mod(whole, 65536.0).astype("<u2")
        changes = np.diff(levels, prepend=np.uint16(0)).astype("<u2")  # modulo 65536
        both = changes.view(np.uint8).reshape(-1, 2)
        at = self._put(both[:, 0].tobytes() + both[:, 1].tobytes())
        return {"kind": "step", "at": at, "count": values.size, "low": low, "step": step}

    def text(self, data: Any) -> str:
        """All of it, deflated, as letters that HTML leaves alone."""
        words = json.dumps(rounded(data), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        blob = packer.compress(struct.pack("<I", len(words)) + words + b"".join(self._parts)) + packer.flush()
        return base64.b64encode(blob).decode("ascii")


def rounded(value: Any) -> Any:
    """The same with floats of eleven digits, far below a pixel; steps and ranges of series keep all of theirs."""
    if isinstance(value, dict):
        if "kind" in value and "at" in value and "count" in value:
            return value
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(one) for one in value]
    return float(f"{value:.11g}") if isinstance(value, float) else value
