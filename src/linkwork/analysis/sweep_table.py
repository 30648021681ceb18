"""Answers of a sweep as one table: a row, or a place in the grid, for every design."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linkwork.analysis.design_table import DesignTable
from linkwork.analysis.sweep_task import Answer

NOT_NUMBERS = ("failed", "time")  # of an answer
OUTPUT = "output"  # the dimension of series whose times are those of each design


def table_of(
    made: Any, designs: DesignTable, found: Mapping[int, Answer], asked: Sequence[str], told: dict[str, Any]
) -> Any:
    """An xarray Dataset of what was found; nan where there is nothing, also where no design has what was asked for.

    Series are over `time`, where all designs have the same times; one that ended earlier has nan behind its end.  Where
    times differ, because events stop designs at other times, or every step is an output, series are over the number of
    the `output`, and `time` is a series like the others: each design keeps its own times.
    """
    shape, dims, size = designs.shape, designs.dims, len(designs)
    times = [answer["time"] for answer in found.values() if "time" in answer]
    longest = max(times, key=len, default=np.empty(0))
    common = all(t is longest or np.array_equal(t, longest[: len(t)]) for t in times)
    names = [*asked, *(name for answer in found.values() for name in answer if name not in NOT_NUMBERS)]
    series = {name for answer in found.values() for name, value in answer.items() if _is_series(value)}
    if common:
        series.discard("time")
    columns = {
        name: np.full((size, len(longest)) if name in series else size, np.nan)
        for name in dict.fromkeys([*names, *sorted(series & {"time"})])
    }
    reasons = np.full(size, "not run", dtype=object)
    for k, answer in found.items():
        reasons[k] = answer["failed"]
        for name, column in columns.items():
            value: Any = answer.get(name)
            if _is_series(value):
                column[k, : len(value)] = value
            elif value is not None:
                column[k] = value
    along = "time" if common else OUTPUT
    data = {
        name: ((*dims, along), values.reshape(*shape, -1)) if values.ndim == 2 else (dims, values.reshape(shape))
        for name, values in columns.items()
    }
    data["failed"] = dims, reasons.astype(str).reshape(shape)
    coordinates = designs.coordinates()
    if series and common:
        coordinates["time"] = longest
    table = made(data, coordinates, {"sweep": json.dumps(told)})
    if series:
        table["time"].attrs["units"] = "s"
    return table


def _is_series(value: Any) -> bool:
    return getattr(value, "ndim", 0) > 0
