"""Answers of a sweep as one table: a row, or a place in the grid, for every design."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np

from linkwork.analysis.design_table import DesignTable
from linkwork.analysis.doubts import kind_of, of_design, retell
from linkwork.analysis.sweep_task import RESULT, Answer
from linkwork.errors import SweepWarning, message, warn

NOT_NUMBERS = ("failed", "doubts", "time")  # of an answer
NOT_RUN = "not run"
OUTPUT = "output"  # the dimension of series whose times are those of each design
ROOM = 1.25  # a column of series becomes so much wider than what did not fit


class SweepTable:
    """Columns that are filled as answers come; an answer need not be kept behind that.

    Series are over `time`, where all designs have the same times; one that ended earlier has nan behind its end.  Where
    times differ, because events stop designs at other times, or every step is an output, series are over the number of
    the `output`, and `time` is a series like the others: each design keeps its own times.
    """

    def __init__(self, designs: DesignTable, asked: Sequence[str], manifest: dict[str, Any]) -> None:
        self.designs, self.asked, self.manifest = designs, asked, manifest
        self.reduced = manifest.get("reduce") is not None  # then there are more numbers than those asked for
        size = self.size = len(designs)
        self.there = np.zeros(size, dtype=bool)
        self.reasons = np.full(size, NOT_RUN, dtype=object)  # objects: a long text makes no other row longer
        self.doubts = np.full(size, "", dtype=object)
        self._kinds: Counter[str] = Counter()  # designs with doubts of a kind
        self._told: set[str] = set()
        self._numbers: dict[str, np.ndarray] = {}
        self._series: dict[str, np.ndarray] = {}  # each with room for the longest, and perhaps more
        self._lengths = np.zeros(size, dtype=np.int64)  # of the series of a design
        self._times, self._common = np.empty(0), True  # the longest, as long as all others are its beginning
        self._first: dict[str, tuple[int, int]] = {}  # the first design with a name, and the name's place there

    @property
    def done(self) -> int:
        """How many designs have an answer."""
        return int(np.count_nonzero(self.there))

    def left(self) -> list[int]:
        """Designs without one."""
        return np.flatnonzero(~self.there).tolist()

    def add(self, answers: Mapping[int, Answer]) -> None:
        """Take answers, by the number of the design; doubts that are of no design are told at once."""
        for _, some in groupby(answers.items(), lambda one: id(one[1].get("time"))):
            group = dict(some)
            if not self._add_together(group):
                self._add_singly(group)

    def _add_together(self, answers: Mapping[int, Answer]) -> bool:
        """Take answers of a block, name by name, if they are such: with the same times, and all with the same names."""
        numbers, found = list(answers), list(answers.values())
        names, t = list(found[0]), found[0].get("time")
        if t is None or len(found) < 2 or any(one["failed"] or list(one) != names for one in found):
            return False
        columns = {name: [one[name] for one in found] for name in names if name not in NOT_NUMBERS}
        kinds = {name: set(map(type, column)) for name, column in columns.items()}
        if not all(kind in ({np.ndarray}, {float}) for kind in kinds.values()) or numbers != sorted(numbers):
            return False
        series = {name for name, kind in kinds.items() if kind == {np.ndarray}}
        if any(set(map(np.shape, columns[name])) != {t.shape} for name in series):
            return False
        first, end = numbers[0], numbers[-1] + 1
        rows: Any = slice(first, end) if end - first == len(numbers) else numbers
        for k in numbers:
            self._time(k, t)
        for j, name in enumerate(names):
            if name in columns and (name not in self._first or first < self._first[name][0]):
                self._first[name] = first, j
        for name, column in columns.items():
            if name in series:
                self._room(name, t.size)[rows, : t.size] = np.concatenate(column).reshape(-1, t.size)
            else:
                self._number(name)[rows] = column
        if series:
            self._lengths[rows] = t.size
        for k, one in answers.items():
            if one.get("doubts"):
                self._doubt(k, one["doubts"])
        self.reasons[rows] = ""
        self.there[rows] = True  # at last: Ctrl-C may come anywhere
        return True

    def _add_singly(self, answers: Mapping[int, Answer]) -> None:
        for k, answer in answers.items():
            if "time" in answer:
                self._time(k, answer["time"])
            for j, (name, value) in enumerate(answer.items()):
                if name in NOT_NUMBERS:
                    continue
                if name not in self._first or k < self._first[name][0]:
                    self._first[name] = k, j
                if getattr(value, "ndim", 0):
                    self._put(name, k, value)
                    continue
                self._number(name)[k] = value
            if doubts := answer.get("doubts"):
                self._doubt(k, doubts)
            self.there[k], self.reasons[k] = True, answer["failed"]  # at last: Ctrl-C may come anywhere

    def _doubt(self, k: int, doubts: Sequence[str]) -> None:
        mine = [one for one in doubts if of_design(one)]
        self.doubts[k] = " ".join(mine)
        self._kinds.update({kind_of(one) for one in mine})
        for one in doubts:
            if one not in mine and one not in self._told:
                self._told.add(one)
                retell(one)

    def _time(self, k: int, t: np.ndarray) -> None:
        """Times of a design; the first that differ give every design its own."""
        if self._common and not self._goes_with(t):
            self._common = False
            for one in np.flatnonzero(self._lengths).tolist():
                self._put("time", one, self._times[: self._lengths[one]])
        if not self._common:
            self._put("time", k, t)

    def _goes_with(self, t: np.ndarray) -> bool:
        if t is self._times:
            return True
        shorter, longer = sorted((self._times, t), key=len)
        if not np.array_equal(shorter, longer[: len(shorter)]):
            return False
        self._times = longer
        return True

    def _put(self, name: str, k: int, values: np.ndarray) -> None:
        self._room(name, len(values))[k, : len(values)] = values
        self._lengths[k] = len(values)

    def _room(self, name: str, length: int) -> np.ndarray:
        """The column of a series, with room for so many values."""
        column = self._series.get(name)
        if column is None:
            column = self._series[name] = np.empty((self.size, length))
        elif length > column.shape[1]:
            wider = np.empty((self.size, int(ROOM * length)))
            wider[:, : column.shape[1]] = column
            column = self._series[name] = wider
        return column

    def _number(self, name: str) -> np.ndarray:
        """The column of a number."""
        if name not in self._numbers:
            self._numbers[name] = np.full(self.size, np.nan)
        return self._numbers[name]

    @cached_property
    def told(self) -> str:
        """What was asked, as text; with all values of many designs it takes a while."""
        return json.dumps(self.manifest)

    def made(self, dataset: Any) -> Any:
        """An xarray Dataset; nan where there is nothing, also where no design has what was asked for."""
        shape, dims = self.designs.shape, self.designs.dims
        cut = ~self.there  # by Ctrl-C, perhaps
        self._lengths[cut], self.doubts[cut] = 0, ""
        longest = int(self._lengths.max())
        shorter = np.flatnonzero(self._lengths < longest).tolist()
        along = "time" if self._common else OUTPUT
        found = sorted(self._first, key=lambda name: self._first[name])
        if self.reduced and not set(found).difference(self.asked):
            found = [*found, RESULT]
        names = dict.fromkeys([*self.asked, *found])
        data: dict[str, Any] = {}
        for name in (*names, *(() if self._common else ("time",))):
            column = self._series.pop(name, None)
            if column is None:
                column = self._numbers.pop(name, np.full(self.size, np.nan))
                column[cut] = np.nan
                data[name] = dims, column.reshape(shape)
                continue
            if column.shape[1] > longest:
                column = column[:, :longest].copy()
            for k in shorter:
                column[k, self._lengths[k] :] = np.nan
            data[name] = (*dims, along), column.reshape(*shape, longest)
        data["failed"] = dims, self.reasons.reshape(shape)
        data["doubts"] = dims, self.doubts.reshape(shape)
        coordinates = self.designs.coordinates()
        if longest and self._common:
            coordinates["time"] = self._times[:longest]
        table = dataset(data, coordinates, {"sweep": self.told})
        if longest:
            table["time"].attrs["units"] = "s"
        return table

    def tell(self) -> None:
        """Warn of designs that have no numbers, and of those with doubts: how many, and what the first says."""
        wrong = np.flatnonzero(self.there & (self.reasons != ""))
        if len(wrong):
            what = f"has no numbers for {len(wrong)} of {self.done} designs"
            _tell(what, self.reasons[wrong[0]], "failed")
        doubtful = np.flatnonzero(self.doubts != "")
        if len(doubtful):
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self._kinds.items()))
            what = f"has doubts about {len(doubtful)} of {self.done} designs ({kinds})"
            _tell(what, self.doubts[doubtful[0]], "doubts")


def _tell(what: str, first: str, column: str) -> None:
    text = message(
        "sweep", f"{what}; of the first of them: {first.rstrip('.')}", remedy=f'look at ["{column}"] of the table'
    )
    warn(text, SweepWarning)
