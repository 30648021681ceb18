"""What a result file holds, in no format yet: manifest, the mechanism as text, the stored numbers, named series."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.errors import DescriptionError, message
from linkwork.files import digests
from linkwork.files.emit import to_json_line
from linkwork.records import dataclass

FORMAT = 3


@dataclass(frozen=True)
class Column:
    """One named series with what a reader wants to know about it."""

    name: str
    unit: str
    long_name: str
    values: np.ndarray


@dataclass
class Content:
    """What a file holds: the manifest, the mechanism as text, the stored numbers, and the series for others."""

    manifest: dict
    mechanism: str
    stored: dict[str, np.ndarray]
    columns: list[Column] = field(default_factory=list)


def content_of(result, names=None) -> Content:
    """All that is written of a result; `names` are the series for other programs, all where it is None."""
    mechanism = result.mechanism
    columns = [Column("time", "s", "time", np.asarray(result.t, dtype=float))]
    for name in result.scalars(names):
        if name not in ("t", "time"):
            columns.append(
                Column(name, result.unit(name), result.long_name(name), np.asarray(result[name], dtype=float))
            )
    stored = {key: np.asarray(value, dtype=float) for key, value in result.stored().items()}
    for key, values in stored.items():  # what is written can be read again
        if not np.all(np.isfinite(values)):
            raise DescriptionError(
                message(f"Result of '{mechanism.name}'", f"has '{key}' that is not finite, and cannot be written")
            )
    text = mechanism_text(json.loads(lw.to_text(mechanism, "json")))
    manifest = {
        "linkwork": "result",
        "format": FORMAT,
        "version": lw.__version__,
        "digest": lw.digest(mechanism),
        "mechanism": mechanism.name,
        "title": getattr(result, "title", "result"),
        "options": result.options(),
        "statistics": asdict(result.statistics),
        "made with": {"python": platform.python_version(), "numpy": np.__version__},
        "text": {"sha256": digests.of_bytes(text.encode("utf-8"))},
        "stored": {
            key: {"shape": list(values.shape), "sha256": digests.of_numbers(values)} for key, values in stored.items()
        },
        "series": [
            {
                "name": column.name,
                "unit": column.unit,
                "long_name": column.long_name,
                "sha256": digests.of_numbers(column.values),
            }
            for column in columns
        ],
    }
    return Content(manifest, text, stored, columns)


def mechanism_text(data: Any) -> str:
    """The text of a mechanism in result files: its JSON on one line."""
    return to_json_line(data)


def listed(values: np.ndarray) -> list[float]:
    """Numbers as a flat list for text formats; each is written by its shortest form that reads back as the same."""
    return np.asarray(values, dtype=float).ravel().tolist()


def numbers_of(key: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """The array of a flat list of numbers of a text format; its count is that of the shape."""
    if not isinstance(given, list) or len(given) != int(np.prod(shape, dtype=object)):
        count = len(given) if isinstance(given, list) else repr(given)[:40]
        raise DescriptionError(message(f"Stored numbers '{key}'", "have the wrong count", count, str(shape)))
    try:
        values = np.array(given)
    except (ValueError, OverflowError):
        values = np.array(["not a number"])
    if values.size and (values.dtype.kind not in "fi" or values.ndim != 1):  # a list of words, of lists, of true
        raise DescriptionError(message(f"Stored numbers '{key}'", "are not numbers", wanted="a list of numbers"))
    return values.astype(float).reshape(shape)


def stored_for_text(stored: Mapping[str, np.ndarray]) -> dict[str, list[float]]:
    """Stored numbers for a text format; their shapes are in the manifest."""
    return {key: listed(values) for key, values in stored.items()}
