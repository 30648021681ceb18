"""Writes a model into the three flat vectors, section by section, by the shapes that `kernels.sections` says.

Where kernels run as plain Python (`kernels.plain`) a mark stands behind every section, which no kernel may touch.
"""

from __future__ import annotations

from math import prod

import numpy as np

from linkwork.kernels import layout as at
from linkwork.kernels.plain import MARK, PLAIN
from linkwork.kernels.sections import SECTIONS, TABLE, shape_of
from linkwork.tape import array

_MARKS = {"tab": np.array([MARK]), "p": np.array([MARK]).view(np.float64), "w": np.array([MARK]).view(np.float64)}


class Writer:
    """Sections on their way into `tab`, `p` and `w`; sizes are written into `head` before what is measured by them."""

    def __init__(self, dimension: int):
        self.head = np.zeros(at.HEADER, dtype=np.int64)
        self.head[at.DIMENSION], self.head[at.DOF] = dimension, at.COORDINATES[dimension][1]
        self._parts: dict[str, list[np.ndarray]] = {"tab": [], "p": [], "w": [np.zeros(at.W_FIXED)]}
        self._ends = {"tab": at.HEADER, "p": 0, "w": at.W_FIXED}
        self.written: set[int] = set()

    def sizes(self, **sizes: int) -> None:
        """Write sizes of the header, by name."""
        for name, value in sizes.items():
            self.head[getattr(at, name)] = value

    def put(self, key: int, values) -> int:
        """Write a section of `tab` or `p`; returns where it begins."""
        section = SECTIONS[key]
        values = np.ascontiguousarray(values, dtype=np.int64) if section.vector == "tab" else array(values)
        values = values.ravel()
        shape = shape_of(key, self.head)
        if values.size != prod(shape):
            raise ValueError(f"{section.name}: {values.size} numbers for the shape {shape} ({section.shape})")
        return self._add(key, values)

    def reserve(self, coordinates: str) -> None:
        """Room in the workspace for all sections of a set; low parts behind those that have them, where `LOW` asks."""
        ours = [one for one in TABLE if one.vector == "w" and one.of(coordinates, int(self.head[at.DIMENSION]))]
        for section in sorted(ours, key=lambda one: one.doubled):  # in their order, those with low parts last
            self._add(section.key, np.zeros(prod(shape_of(section.key, self.head))))
        if self.head[at.LOW]:  # so far a mark
            first = self._ends["w"]
            for section in ours:
                if section.doubled:
                    self._extend("w", np.zeros(prod(shape_of(section.key, self.head))))
            self.head[at.LOW] = first - min(int(self.head[one.key]) for one in ours if one.doubled)

    def _add(self, key: int, values: np.ndarray) -> int:
        vector = SECTIONS[key].vector
        self.head[key] = first = self._ends[vector]
        self.written.add(key)
        self._extend(vector, values)
        return first

    def _extend(self, vector: str, values: np.ndarray) -> None:
        parts = (values, _MARKS[vector]) if PLAIN else (values,)
        self._parts[vector] += parts
        self._ends[vector] += sum(part.size for part in parts)

    def missing(self, coordinates: str) -> list[str]:
        """Sections that a set has and that are not written."""
        here = int(self.head[at.DIMENSION])
        return [one.name for one in TABLE if one.of(coordinates, here) and one.key not in self.written]

    # -- what comes out --------------------------------------------------------------------------------------------
    @property
    def tab(self) -> np.ndarray:
        """The table of integers as far as it is written."""
        return np.concatenate([self.head, *self._parts["tab"]])

    @property
    def p(self) -> np.ndarray:
        """The numbers as far as they are written."""
        return np.concatenate([np.zeros(0), *self._parts["p"]])

    @property
    def w(self) -> np.ndarray:
        """The workspace."""
        return np.concatenate(self._parts["w"])
