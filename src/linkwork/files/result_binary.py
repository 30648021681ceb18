"""Results as NetCDF (through h5netcdf) and Parquet (through pyarrow).

Both are built in memory and written whole.  Texts are stored as bytes in variables: attributes have a small limit.
Times and states are stored plainly, eight bytes a number, so that a file cannot hold more than its length
(`sizes`, `door`).
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from linkwork.errors import FileError, message
from linkwork.files import digests, door, parquet_footer
from linkwork.files.digests import canonical
from linkwork.files.result_content import Column, Content, numbers_of, stored_for_text
from linkwork.files.sizes import STORED

GROUP = "linkwork"


class NetCDF:
    """Series as variables over `time` for xarray and others; the group `linkwork` holds what brings it back."""

    endings = ("",)
    has_lines = False

    def __init__(self, data: bytes) -> None:
        h5py = door.library("h5py", "NetCDF")  # a NetCDF file is an HDF5 file; h5py alone refuses a damaged one quietly
        self.length = len(data)
        self.file = h5py.File(io.BytesIO(data), "r")
        try:
            if GROUP not in door.names_in(self.file):
                raise FileError(
                    message(
                        "NetCDF file",
                        f"has no group '{GROUP}'",
                        remedy="only files written by Linkwork can be brought back; read others with xarray",
                    )
                )
            self.group = door.group_of(self.file, GROUP)
            if "manifest" not in door.names_in(self.group) and "manifest" in self.group.attrs:
                self.manifest: Any = {"linkwork": "result", "format": 1}  # where the first format had it
            else:
                self.manifest = door.json_of(self._bytes("manifest"))
        except BaseException:
            self.close()
            raise

    def _bytes(self, name: str) -> bytes:
        return door.dataset(self.group, name, "u1", None, self.length).tobytes()

    @staticmethod
    def encode(content: Content) -> tuple[bytes, ...]:
        """The file as bytes."""
        h5netcdf = door.library("h5netcdf", "NetCDF")
        memory = io.BytesIO()
        with h5netcdf.File(memory, "w") as file:
            file.dimensions = {"time": len(content.columns[0].values)}
            names = variable_names([column.name for column in content.columns])
            for name, column in zip(names, content.columns, strict=True):
                variable = file.create_variable(name, ("time",), "<f8", data=column.values)
                variable.attrs["units"] = _fixed(column.unit or "1")
                variable.attrs["long_name"] = _fixed(column.long_name)
            file.attrs["title"] = f"motion of {content.manifest['mechanism']}"
            file.attrs["source"] = f"Linkwork {content.manifest['version']}"
            group = file.create_group(GROUP)
            _put(group, "manifest", _as_bytes(canonical(digests.sealed(content.manifest))))
            _put(group, "mechanism", _as_bytes(content.mechanism))
            for key, values in content.stored.items():
                if values.size:
                    _put(group, key, values.ravel().astype("<f8"))
        return (memory.getvalue(),)

    def mechanism(self) -> str:
        """The mechanism as text."""
        return self._bytes("mechanism").decode("utf-8")

    def numbers(self, key: str, shape: tuple[int, ...]) -> np.ndarray:
        """Stored numbers of a declared shape."""
        count = int(np.prod(shape, dtype=object))
        if not count:
            return np.zeros(shape)
        return door.dataset(self.group, key, "<f8", (count,), self.length).reshape(shape)

    def series(self, entries: list[dict[str, Any]], times: int) -> Iterator[Column]:
        """Every series as other programs read it."""
        for name, entry in zip(variable_names([entry["name"] for entry in entries]), entries, strict=True):
            values = door.dataset(self.file, name, "<f8", (times,), self.length)
            unit, words = (door.attribute(self.file, name, key) for key in ("units", "long_name"))
            yield Column(entry["name"], "" if unit == "1" and not entry["unit"] else unit, words, values)

    def others(self, entries: list[dict[str, Any]]) -> list[str]:
        """What is in the file and not declared."""
        ours = {GROUP, *variable_names([entry["name"] for entry in entries])}
        own = {name + end for name in ("manifest", "mechanism", *STORED) for end in ("", "_size")}
        return sorted({*door.names_in(self.file)} - ours | {*door.names_in(self.group)} - own)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def _as_bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-8"), dtype="u1")


def _fixed(text: str) -> np.ndarray:
    """A text of fixed length: HDF5 keeps others in a heap, and can be made to search a damaged one for ever.

    One byte more than it needs, because a text of one byte is read as a byte by some.
    """
    data = text.encode("utf-8")
    return np.array(data, dtype=door.library("h5py", "NetCDF").string_dtype("utf-8", len(data) + 1))


def _put(group, name: str, values: np.ndarray) -> None:
    group.dimensions[f"{name}_size"] = len(values)
    group.create_variable(name, (f"{name}_size",), values.dtype, data=values)


def variable_names(names: list[str]) -> list[str]:
    """Names that NetCDF allows, each once: no slash, no control characters; the long name tells the item."""
    used: set[str] = {GROUP}
    found = []
    for name in names:
        plain = "".join("_" if one == "/" or not one.isprintable() else one for one in name)
        if not (plain[0].isalnum() or plain[0] == "_"):
            plain = "_" + plain
        unique, k = plain, 1
        while unique in used:
            unique, k = f"{plain}_{k}", k + 1
        used.add(unique)
        found.append(unique)
    return found


class Parquet:
    """One column a series, with unit and long name in the field; states are the last columns."""

    endings = ("",)
    has_lines = False
    META = b"linkwork result"

    def __init__(self, data: bytes) -> None:
        pyarrow, parquet = door.library("pyarrow", "Parquet"), door.library("pyarrow.parquet", "Parquet")
        self.length, self.errors = len(data), pyarrow.ArrowException
        self.pieces = parquet_footer.columns(data)
        try:
            self.file = parquet.ParquetFile(pyarrow.BufferReader(data))
            self.schema = self.file.schema_arrow
        except pyarrow.ArrowException as error:
            raise FileError(message("Parquet file", f"cannot be read: {error}")) from error
        self.meta = self.schema.metadata or {}
        if self.META not in self.meta:
            raise FileError(message("Parquet file", "was not written by Linkwork"))
        self.manifest = door.json_of(self.meta[self.META])

    @staticmethod
    def encode(content: Content) -> tuple[bytes, ...]:
        """The file as bytes."""
        pyarrow, parquet = door.library("pyarrow", "Parquet"), door.library("pyarrow.parquet", "Parquet")
        states = content.stored["states"]
        rest = {key: value for key, value in content.stored.items() if key not in ("t", "states")}
        fields = [
            pyarrow.field(column.name, pyarrow.float64(), False, {"unit": column.unit, "long_name": column.long_name})
            for column in content.columns
        ]
        fields += [pyarrow.field(name, pyarrow.float64(), False) for name in _states(states.shape[1])]
        meta = {
            Parquet.META: canonical(digests.sealed(content.manifest)),
            "mechanism": content.mechanism,
            "stored": canonical(stored_for_text(rest)),
        }
        arrays = [pyarrow.array(column.values, pyarrow.float64()) for column in content.columns]
        arrays += [pyarrow.array(np.ascontiguousarray(states[:, k])) for k in range(states.shape[1])]
        plain = {"time", *_states(states.shape[1])}
        packed = {field.name: "NONE" if field.name in plain else "SNAPPY" for field in fields}
        memory = io.BytesIO()
        parquet.write_table(
            pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields, meta)),
            memory,
            compression=packed,
            use_dictionary=[name for name in packed if name not in plain],
        )
        return (memory.getvalue(),)

    def mechanism(self) -> str:
        """The mechanism as text."""
        return self.meta[b"mechanism"].decode("utf-8")

    def numbers(self, key: str, shape: tuple[int, ...]) -> np.ndarray:
        """Stored numbers of a declared shape."""
        if key == "t":
            return self._columns(["time"], shape[0], True).column("time").to_numpy()
        if key == "states":
            names = _states(shape[1])
            if not names:
                return np.zeros(shape)
            table = self._columns(names, shape[0], True)
            out = np.empty(shape)
            for k, name in enumerate(names):
                out[:, k] = table.column(name).to_numpy()
            return out
        return numbers_of(key, door.json_of(self.meta[b"stored"])[key], shape)

    def _columns(self, names: list[str], rows: int, plainly: bool) -> Any:
        try:
            return door.parquet_columns(self.file, self.pieces, names, rows, self.length, plainly)
        except self.errors as error:
            raise FileError(message("Parquet file", f"cannot be read: {error}")) from error

    def series(self, entries: list[dict[str, Any]], times: int) -> Iterator[Column]:
        """Every series as other programs read it."""
        for entry in entries:
            name = entry["name"]
            said = self.schema.field(name).metadata or {}
            values = self._columns([name], times, name == "time").column(name).to_numpy()
            yield Column(name, said[b"unit"].decode("utf-8"), said[b"long_name"].decode("utf-8"), values)

    def others(self, entries: list[dict[str, Any]]) -> list[str]:
        """What is in the file and not declared."""
        ours = {*(entry["name"] for entry in entries), *_states(self.manifest["stored"]["states"]["shape"][1])}
        texts = {self.META.decode(), "mechanism", "stored", "ARROW:schema"}
        return sorted({*self.schema.names} - ours | {key.decode("utf-8", "replace") for key in self.meta} - texts)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


def _states(count: int) -> list[str]:
    """Columns of states.  No series is called so: names of series have a dot behind the item."""
    return [f"state[{k}]" for k in range(count)]
