"""Pieces of a motion on their way into a folder."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.result.segments import Segment


def stacked(rows: list[tuple[float, np.ndarray]]) -> np.ndarray:
    """Times and states as rows."""
    return np.array([[t, *row] for t, row in rows]) if rows else np.zeros((0, 1))


def span(one: Segment) -> list:
    """Of a segment: its times, the first that is shown, how many are, begin and end, redundant rows."""
    first, last, _ = one.outputs.indices(len(one.t))
    return [len(one.t), first, max(0, last - first), float(one.t[0]), float(one.t[-1]), len(one.dependencies)]


class Past:
    """Segments that are put away: how many, and the last of them."""

    def __init__(self, count: int = 0, last: Any = None):
        self._count, self._last = count, last

    def append(self, one: Segment) -> None:
        """Another one."""
        self._count, self._last = self._count + 1, one

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, k: int) -> Any:
        if k != -1 or self._last is None:
            raise IndexError(k)
        return self._last
