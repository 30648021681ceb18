"""A table of a recorded motion, followed: times, and one series for every freedom.

Each series is interpolated by a spline of fifth degree, whose second derivative has an error of the fourth order of the
time between samples.  How large it is here is told by the spline through every other sample: smooth series agree,
noise and series with too few samples do not.
"""

from __future__ import annotations

import csv
import os
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assemble
from linkwork.analysis.common import as_model
from linkwork.analysis.doors import given_state
from linkwork.analysis.kinematics import followed
from linkwork.analysis.named import position_named
from linkwork.analysis.rank import analyse, independent_measures
from linkwork.analysis.splines import FEWEST, fine_and_coarse
from linkwork.compiled.names import unit_in
from linkwork.errors import DescriptionError, FileError, LinkworkWarning, message, plural
from linkwork.result.result import Result
from linkwork.units import convert, si

TIME = ("t", "time")
EXAMPLE = '{"t": [...], "A.angle": [...]}'
ITEM = "motion"


def follow(model, table: Any, **options) -> tuple[Result, dict[str, Any]]:
    """The motion of a table, with drivers that follow it in place of all others, and the error of its splines."""
    t, columns = _read(table)
    mechanism = model.mechanism
    names, series = list(columns), {}
    for name in names:
        position_named(mechanism, name, ITEM, "positions, whose rates the spline gives")
        series[name] = _in_si(mechanism, name, *columns[name])
    _all_freedoms(mechanism, names, {name: float(one[0]) for name, one in series.items()}, options)
    tracks, recorded = [], {}
    for name, values in series.items():
        rates, accelerations, error = splined(t, values)
        tracks.append((t, values, rates, accelerations))
        recorded[name] = {"acceleration_error": error, "largest_acceleration": float(np.abs(accelerations).max())}
    driven = as_model(mechanism.actuated(names, tracks))
    if given_state(options["start"], "start") is None:  # angles begin in the turn that the table says
        options["start"] = {**(options["start"] or {}), **{name: float(one[0]) for name, one in series.items()}}
    return followed(driven, t, **options), {"recorded": recorded}


def splined(t: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Rates and accelerations at the times, and how far accelerations may be off."""
    fine, coarse = fine_and_coarse(t, values)
    accelerations = fine.derivative(2)(t)
    inside = t[t <= t[::2][-1]]
    off = np.abs(accelerations[: len(inside)] - coarse.derivative(2)(inside)).max()
    return fine.derivative(1)(t), accelerations, float(off)


def _all_freedoms(mechanism, names, first, options) -> None:
    """Refuse a table that leaves a freedom, or gives more than there are."""
    choice = {key: options.get(key) for key in ("start", "near", "coordinates")}
    with warnings.catch_warnings():  # the motion itself will say it
        warnings.simplefilter("ignore", LinkworkWarning)
        free = assemble(as_model(mechanism.actuated([])), **choice).state
    freedom = analyse(free.system(held=False), free.t, free.y).freedom
    if len(names) > freedom:
        raise DescriptionError(
            message(
                ITEM,
                f"gives {len(names)} series for {plural(freedom, 'freedom')}, which recorded numbers never fit",
                ", ".join(names),
                "one series for every freedom",
                "leave out those that follow from the others",
            )
        )
    held = as_model(mechanism.actuated(names, [([0.0], [one], [0.0], [0.0]) for one in first.values()]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LinkworkWarning)
        state = assemble(held, **choice).state
    left = analyse(state.system(held=False), state.t, state.y).freedom
    if left:
        missing, _ = independent_measures(state.system(), state.t, state.y)
        raise DescriptionError(
            message(
                ITEM,
                f"gives {len(names)} series for {plural(freedom, 'freedom')}, and leaves {left} of them open",
                ", ".join(names),
                f"also {', '.join(missing[:3])}" if missing else "a series for every freedom",
            )
        )


# -- reading -------------------------------------------------------------------------------------------------------
def _read(table: Any) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, str]]]:
    """Times, and series with their units ("" is SI) by name."""
    if isinstance(table, (str, os.PathLike)):
        columns = _of_file(Path(table))
    elif hasattr(table, "data_vars"):  # xarray
        columns = {str(name): table[name].values for name in (*table.coords, *table.data_vars)}
    elif hasattr(table, "columns"):  # pandas
        columns = {str(name): table[name].to_numpy() for name in table.columns}
        if not any(_named(name)[0] in TIME for name in columns):
            columns = {"t": table.index.to_numpy(), **columns}
    elif hasattr(table, "items"):
        columns = {str(name): one for name, one in table.items()}
    else:
        raise DescriptionError(
            message(ITEM, "is neither a result nor a table", type(table).__name__, f"a Result, {EXAMPLE}, or a file")
        )
    found = {}
    for name, one in columns.items():
        plain, unit = _named(name)
        try:
            series = np.asarray(one, dtype=float)
        except (TypeError, ValueError):
            raise DescriptionError(message(f"{ITEM} '{plain}'", "is no series of numbers", repr(one)[:60])) from None
        if series.ndim != 1 or not np.isfinite(series).all():
            raise DescriptionError(
                message(
                    f"{ITEM} '{plain}'", "is no row of finite numbers", f"shape {series.shape}", "one for each time"
                )
            )
        found[plain] = series, unit
    times = [name for name in found if name in TIME]
    if len(times) != 1 or len(found) < 2:
        raise DescriptionError(message(ITEM, "needs times and series", ", ".join(found) or "nothing", EXAMPLE))
    t, unit = found.pop(times[0])
    t = t * _factor(unit, "s", "time") if unit else t
    sizes = {len(one) for one, _ in found.values()} | {len(t)}
    if len(sizes) > 1:
        raise DescriptionError(
            message(ITEM, "has series of other lengths than its times", f"{sorted(sizes)}", f"{len(t)} each")
        )
    if len(t) < FEWEST:
        raise DescriptionError(message(ITEM, "has too few samples for a spline", len(t), f"at least {FEWEST}"))
    if not (np.diff(t) > 0.0).all():
        raise DescriptionError(message(ITEM, "has times that do not increase", wanted="increasing finite numbers"))
    return t, found


def _named(name: str) -> tuple[str, str]:
    """A name of a column without its unit, "A.angle [deg]", and the unit."""
    found = re.fullmatch(r"\s*(.*?)\s*\[(.*)\]\s*", name)
    return (found[1], found[2].strip()) if found else (name.strip(), "")


def _factor(unit: str, to: str, what: str) -> float:
    return si(f"1 {unit}", to, ITEM, what)


def _in_si(mechanism, name: str, values: np.ndarray, unit: str) -> np.ndarray:
    wanted = unit_in(mechanism, name)
    if not unit or unit == wanted:
        return values
    convert(1.0, wanted, unit, f"{ITEM} '{name}'")  # refuses what is another kind of unit
    return values * _factor(unit, wanted, f"'{name}'")


def _of_file(path: Path) -> dict[str, Any]:
    """Columns of a CSV file with the names in its first line."""
    try:
        with open(path, newline="", encoding="utf-8-sig") as opened:
            rows = [row for row in csv.reader(opened) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FileError(message(f"{path}:", f"cannot be read as a table ({error})")) from None
    if len(rows) < 2:
        raise FileError(message(f"{path}:", "is no table", wanted="names in its first line, then numbers"))
    columns: dict[str, Any] = {}
    for k, name in enumerate(rows[0]):
        try:
            columns[name] = [float(row[k]) for row in rows[1:]]
        except (ValueError, IndexError):
            raise FileError(message(f"{path}:", f"has no number in every line of column '{name}'")) from None
    return columns
