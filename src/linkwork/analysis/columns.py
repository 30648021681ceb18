"""Columns of a table that was recorded: times, and series by name, of a file, of pandas, of xarray or of a map."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, FileError, LinkworkError, message
from linkwork.units import ANY, si

TIME = ("t", "time")
EXAMPLE = '{"t": [...], "A.angle": [...]}'
MOST_BYTES = 1 << 28


def columns_of(
    table: Any, item: str, other: str = "", gaps: bool = False
) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, str]]]:
    """Times in s, and series with their units ("" is SI) by name; with `gaps`, nan where nothing was recorded.

    Units stand in brackets behind a name, or beside the numbers as xarray and pandas keep them, attrs["units"].
    `other` is what may be given besides, for messages.
    """
    units: Mapping[str, Any] = {}  # that stand beside the names
    if isinstance(table, (str, os.PathLike)):
        columns = _of_file(Path(table), gaps)
    elif hasattr(table, "data_vars"):  # xarray
        columns = {str(name): table[name] for name in (*table.coords, *table.data_vars)}
    elif hasattr(table, "columns"):  # pandas
        columns = {str(name): table[name].to_numpy() for name in table.columns}
        if not any(_named(name)[0] in TIME for name in columns):
            index = str(table.index.name)
            columns = {index if _named(index)[0] in TIME else "time": table.index.to_numpy(), **columns}
        units = noted if isinstance(noted := table.attrs.get("units"), Mapping) else {}
    elif hasattr(table, "items"):
        columns = {str(name): one for name, one in table.items()}
    else:
        wanted = ", ".join([*([other] if other else []), EXAMPLE, "or a file"])
        what = "is neither a result nor a table" if other == "a Result" else "is no table"
        raise DescriptionError(message(item, what, type(table).__name__, wanted))
    found = {}
    for name, one in columns.items():
        _refuse_bare_unit(name, item)
        plain, unit = _named(name)
        try:
            series, noted = in_numbers(one, f"{item} '{plain}'")
        except DescriptionError:
            raise
        except (TypeError, ValueError):
            raise DescriptionError(message(f"{item} '{plain}'", "is no series of numbers", repr(one)[:60])) from None
        unit = one_unit(unit, noted or str(units.get(name) or ""), f"{item} '{plain}'")
        missing = np.isnan(series) if gaps and plain not in TIME else False
        if series.ndim != 1 or not np.all(np.isfinite(series) | missing):
            raise DescriptionError(
                message(
                    f"{item} '{plain}'", "is no row of finite numbers", f"shape {series.shape}", "one for each time"
                )
            )
        found[plain] = series, unit
    times = [name for name in found if name in TIME]
    if len(times) != 1 or len(found) < 2:
        raise DescriptionError(message(item, "needs times and series", ", ".join(found) or "nothing", EXAMPLE))
    t, unit = found.pop(times[0])
    t = in_seconds(t, unit, item)
    sizes = {len(one) for one, _ in found.values()} | {len(t)}
    if len(sizes) > 1:
        raise DescriptionError(
            message(item, "has series of other lengths than its times", f"{sorted(sizes)}", f"{len(t)} each")
        )
    if not (np.diff(t) > 0.0).all():
        raise DescriptionError(message(item, "has times that do not increase", wanted="increasing finite numbers"))
    return t, found


def in_numbers(given: Any, item: str) -> tuple[np.ndarray, str]:
    """Numbers, and the unit that stands beside them (attrs["units"] of xarray; of times of numpy it is s), or ""."""
    attrs = getattr(given, "attrs", None)
    noted = attrs.get("units") if isinstance(attrs, Mapping) else None
    values = np.asarray(given)
    if values.dtype.kind == "M":
        raise DescriptionError(
            message(
                item,
                "has dates, and a run begins at 0 s",
                str(values.dtype),
                "seconds, or times of numpy's timedelta64",
                "subtract the date at which the run begins",
            )
        )
    if values.dtype.kind == "m":
        return values / np.timedelta64(1, "s"), "s"
    return np.array(values, dtype=float), "" if noted is None else str(noted).strip()


def one_unit(given: str, noted: str, item: str) -> str:
    """The unit that was given, or the one that stands beside the numbers; refused where they are two."""
    if given and noted and given != noted:
        raise DescriptionError(message(item, "has two units", f"{given!r} as given, {noted!r} beside it", "one"))
    return given or noted


def in_seconds(t: np.ndarray, unit: str, item: str) -> np.ndarray:
    """Times in s, of a unit; without one they are in s."""
    return t * si(f"1 {unit}", "s", item, "time") if unit else t


def _named(name: str) -> tuple[str, str]:
    """A name of a column without its unit, "A.angle [deg]", and the unit."""
    found = re.fullmatch(r"\s*(.*?)\s*\[(.*)\]\s*", name)
    return (found[1], found[2].strip()) if found else (name.strip(), "")


def _refuse_bare_unit(name: str, item: str) -> None:
    """Refuse a unit that has no brackets: after the last dot of a name there is no space, but before a unit."""
    found = re.fullmatch(r"\s*(t|time|.*\.\S+)\s+\(?([^\s()\[\]]+)\)?\s*", name)
    if found is None:
        return
    try:
        si(f"1 {found[2]}", ANY, item, "unit")
    except LinkworkError:  # no unit: a name that does not exist, which is told later
        return
    wanted = repr(f"{found[1]} [{found[2]}]")
    raise DescriptionError(message(item, "has a column whose unit has no brackets", repr(name), wanted))


def _of_file(path: Path, gaps: bool) -> dict[str, Any]:
    """Columns of a CSV file with the names in its first line; with `gaps`, cells may be empty."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FileError(message(f"{path}:", "is too large for a table", wanted=f"at most {MOST_BYTES >> 20} MB"))
        with open(path, newline="", encoding="utf-8-sig") as opened:
            lines = csv.reader(opened)
            rows = [(lines.line_num, row) for row in lines if row]
    except FileNotFoundError:
        raise FileError(message(f"{path}:", "cannot be read as a table: there is no such file")) from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FileError(message(f"{path}:", f"cannot be read as a table ({error})")) from None
    if len(rows) < 2:
        raise FileError(message(f"{path}:", "is no table", wanted="names in its first line, then numbers"))
    (_, names), *numbers = rows
    _refuse_separator(path, names)
    return {name: [_cell(path, line, row, k, name, gaps) for line, row in numbers] for k, name in enumerate(names)}


def _cell(path: Path, line: int, row: list[str], k: int, name: str, gaps: bool) -> float:
    written = row[k].strip() if k < len(row) else None
    try:
        return np.nan if gaps and written == "" else float(written or "")
    except ValueError:
        got = "no cell" if written is None else repr(written)[:40]
        comma = "write decimals with a point" if written and re.fullmatch(r"-?\d+,\d+", written) else None
        wrong = f"has no number in every line of column '{name}'"
        raise FileError(message(f"{path}:{line}:", wrong, got, "a number", comma)) from None


def _refuse_separator(path: Path, names: list[str]) -> None:
    """Refuse a table whose columns something else than a comma parts."""
    for sign, word in ((";", "semicolons"), ("\t", "tabs")):
        if any(sign in name for name in names):
            remedy = "write commas between columns, and points in numbers"
            raise FileError(message(f"{path}:1:", f"is parted by {word}", repr(",".join(names))[:60], "commas", remedy))
