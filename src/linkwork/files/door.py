"""The door for result files: what may stand in a NetCDF, Parquet or JSON file that is opened here.

A NetCDF file (HDF5) can point to other files of the reader, by external storage, virtual datasets and links, and can
ask for filters that are loaded from anywhere; a Parquet file can be packed a million times.  Linkwork writes numbers
plainly, so all of that is refused before a number is read.  Nothing is opened but the bytes that are given.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from linkwork.errors import FileError, extra_package, message
from linkwork.files import parquet_footer as pf
from linkwork.files import sizes

MOST_TEXT = 1000
PLAINLY = "numbers as Linkwork writes them"
ENCODINGS = {pf.PLAIN, pf.RLE}  # RLE is that of levels, which columns without gaps do not have
PACKED = {*ENCODINGS, pf.RLE_DICTIONARY, pf.PLAIN_DICTIONARY}  # of series that other programs read


def library(name: str, form: str) -> Any:
    """A package that a format needs, or an error that says how to get it."""
    return extra_package(name, f"A {form} file", "io", ", or write .csv or .json")


# -- JSON --------------------------------------------------------------------------------------------------------------


def json_of(data: bytes) -> Any:
    """JSON as it should be: no field twice, no numbers that are none.  What is wrong is told with line and column."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Misplaced(
            data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start), "is not UTF-8 text"
        ) from None
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise Misplaced(error.lineno, error.colno, f"is not JSON, or was cut: {error.msg}") from None
    except RecursionError:
        raise Misplaced(1, 1, "is nested too deeply") from None


class Misplaced(FileError):
    """What is wrong at a line and column of a text file."""

    def __init__(self, line: int, column: int, wrong: str) -> None:
        super().__init__(wrong)
        self.line, self.column, self.wrong = line, column, wrong


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise FileError(message(f"The field {twice[:60]!r}", "is given twice", remedy="remove one"))
    return found


def _refuse_constant(word: str) -> None:
    raise FileError(message("A number", "is not finite", word, "a finite number"))


# -- NetCDF ------------------------------------------------------------------------------------------------------------


def child(group, name: str):
    """What a group of an HDF5 file holds under a name; a link is refused before it is followed."""
    h5py = library("h5py", "NetCDF")
    try:
        kind = group.id.links.get_info(name.encode("utf-8")).type
    except KeyError:
        raise FileError(
            message("The file", f"has no {name[:80]!r}", remedy="it was damaged, or is no result of Linkwork")
        ) from None
    if kind != h5py.h5l.TYPE_HARD:
        raise FileError(
            message(
                f"{name[:80]!r} in this file", "is a link to another place or file", wanted="a dataset of this file"
            )
        )
    return group[name]


def names_in(group) -> list[str]:
    """The names in a group, without a look at what they stand for."""
    found: list[bytes] = []
    group.id.links.iterate(found.append)
    return [name.decode("utf-8", "replace") for name in found]


def group_of(file, name: str):
    """A group of an HDF5 file."""
    h5py = library("h5py", "NetCDF")
    found = child(file, name)
    if not isinstance(found, h5py.Group):
        raise FileError(message(f"{name!r} in this file", "is no group"))
    return found


def dataset(group, name: str, kind: str, shape: tuple[int, ...] | None, length: int) -> np.ndarray:
    """Plain numbers of this file: not elsewhere, not virtual, without filters, of the type and shape that is wanted.

    `length` is that of the file: the numbers must lie in it.
    """
    h5py = library("h5py", "NetCDF")
    found = child(group, name)
    if not isinstance(found, h5py.Dataset):
        raise FileError(message(f"{name[:80]!r} in this file", "is no dataset"))
    made = found.id.get_create_plist()
    wrong = (
        "its numbers are in another file"
        if made.get_external_count()
        else "it is virtual: its numbers are those of other datasets"
        if made.get_layout() == h5py.h5d.VIRTUAL
        else "it is packed, or goes through a filter"
        if made.get_nfilters()
        else "it is in pieces"
        if made.get_layout() not in (h5py.h5d.CONTIGUOUS, h5py.h5d.COMPACT)
        else f"its type is {found.dtype}"
        if found.dtype != np.dtype(kind)
        else None
    )
    if wrong:
        raise FileError(message(f"{name[:80]!r} in this file", "is not stored as Linkwork stores it", wrong, PLAINLY))
    if shape is None:
        shape = (found.size,)
    sizes.fit(name, found.shape, shape)
    count = int(np.prod(found.shape, dtype=object)) * np.dtype(kind).itemsize
    if made.get_layout() == h5py.h5d.CONTIGUOUS:
        offset = found.id.get_offset()
        if count and (offset is None or offset + count > length):
            raise FileError(message(f"{name[:80]!r} in this file", "declares more numbers than the file holds"))
    return found[...]


def attribute(group, name: str, key: str) -> str:
    """A text that belongs to a dataset; only of fixed length, because others lie in a heap that may be damaged."""
    h5py = library("h5py", "NetCDF")
    found = child(group, name)
    kind = h5py.h5a.open(found.id, key.encode("utf-8")).get_type()
    if not isinstance(kind, h5py.h5t.TypeStringID) or kind.is_variable_str() or kind.get_size() > MOST_TEXT:
        raise FileError(message(f"'{key}' of {name[:80]!r} in this file", "is no text of fixed length"))
    value = found.attrs[key]
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


# -- Parquet -----------------------------------------------------------------------------------------------------------


def parquet_columns(
    file, pieces: list[tuple[str, int, dict[int, Any]]], wanted: list[str], rows: int, length: int, plainly: bool
) -> Any:
    """Columns of a Parquet file by name, after a look at what their pieces declare; `plainly` allows no packing."""
    seen = dict.fromkeys(wanted, 0)
    for name, count, about in pieces:
        if name in seen:
            seen[name] += count
            _check_piece(name, count, about, length, plainly)
    for name, count in seen.items():
        sizes.fit(name, (count,), (rows,))
    sizes.fit("time", (file.metadata.num_rows,), (rows,))
    return file.read(columns=wanted, use_threads=False)


def _check_piece(name: str, rows: int, about: dict[int, Any], length: int, plainly: bool) -> None:
    """One piece of one column, by its metadata."""
    kind, encodings, codec, count, packed = about[1], about[2], about[4], about[5], about[7]
    wrong = (
        "it is not made of numbers"
        if kind != pf.DOUBLE
        else f"it is packed by codec {codec}"
        if codec not in ((pf.NONE,) if plainly else (pf.NONE, pf.SNAPPY))
        else f"its encodings are {sorted(encodings)}"
        if not encodings <= (ENCODINGS if plainly else PACKED)
        else f"it has {count} numbers in {rows} rows"
        if count != rows
        else "it declares more numbers than the file holds"
        if not 0 <= packed <= length or (plainly and packed < 8 * count)
        else None
    )
    if wrong:
        raise FileError(
            message(f"Column {name[:80]!r} of this file", "is not stored as Linkwork stores it", wrong, PLAINLY)
        )
