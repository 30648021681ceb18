"""Results as NetCDF (through h5netcdf) and Parquet (through pyarrow).

Both are built in memory and written whole.  Texts are stored as bytes in variables: attributes have a small limit.
"""

from __future__ import annotations

import importlib
import io
import json
from typing import Any

import numpy as np

from linkwork.errors import FileError, message
from linkwork.files.results import Content, numbers_in, numbers_out, plain_text

GROUP = "linkwork"


def _library(name: str, form: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise FileError(message(f"{form} files", f"need the package '{name}', which cannot be imported ({error})",
                                remedy='pip install "linkwork[io]", or write .csv or .json')) from error


class NetCDF:
    """Series as variables over `time` for xarray and others; the group `linkwork` holds what brings it back."""

    endings = ("",)

    @staticmethod
    def encode(content: Content) -> tuple[bytes, ...]:
        """The file as bytes."""
        h5netcdf = _library("h5netcdf", "NetCDF")
        memory = io.BytesIO()
        with h5netcdf.File(memory, "w") as file:
            file.dimensions = {"time": len(content.columns[0].values)}
            used: set[str] = set()
            for column in content.columns:
                name = _variable_name(column.name, used)
                variable = file.create_variable(name, ("time",), "f8", data=column.values)
                variable.attrs["units"] = column.unit or "1"
                variable.attrs["long_name"] = column.long_name
            file.attrs["title"] = f"motion of {content.manifest['mechanism']}"
            file.attrs["source"] = f"Linkwork {content.manifest['version']}"
            group = file.create_group(GROUP)
            group.attrs["manifest"] = plain_text(content.manifest)
            _put(group, "mechanism", np.frombuffer(content.mechanism.encode("utf-8"), dtype="u1"))
            shapes = {}
            for key, value in content.stored.items():
                array = np.asarray(value, dtype=float)
                shapes[key] = list(array.shape)
                if array.size:
                    _put(group, key, array.ravel())
            group.attrs["shapes"] = plain_text(shapes)
        return (memory.getvalue(),)

    @staticmethod
    def decode(data: bytes) -> Content:
        """What the file holds."""
        h5py = _library("h5py", "NetCDF")  # a NetCDF file is an HDF5 file; h5py alone refuses a damaged one quietly
        with h5py.File(io.BytesIO(data), "r") as file:
            if GROUP not in file:
                raise FileError(message("NetCDF file", f"has no group '{GROUP}'", remedy="only files written by "
                                        "Linkwork can be brought back; read others with xarray"))
            group = file[GROUP]
            stored = {}
            for key, shape in json.loads(_text(group.attrs["shapes"])).items():
                values = np.asarray(group[key][...], dtype=float) if key in group else np.zeros(0)
                stored[key] = values.reshape(shape)
            mechanism = bytes(np.asarray(group["mechanism"][...], dtype="u1")).decode("utf-8")
            return Content(json.loads(_text(group.attrs["manifest"])), mechanism, stored)


def _text(value) -> str:
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def _put(group, name: str, values: np.ndarray) -> None:
    group.dimensions[f"{name}_size"] = len(values)
    group.create_variable(name, (f"{name}_size",), values.dtype, data=values)


def _variable_name(name: str, used: set[str]) -> str:
    """A name that NetCDF allows: no slash, no control characters; the long name tells the item."""
    plain = "".join("_" if one == "/" or not one.isprintable() else one for one in name)
    if not (plain[0].isalnum() or plain[0] == "_"):
        plain = "_" + plain
    unique, k = plain, 1
    while unique in used or unique == GROUP:
        unique, k = f"{plain}_{k}", k + 1
    used.add(unique)
    return unique


class Parquet:
    """One column a series, with unit and long name in the field; states are the last columns."""

    endings = ("",)

    @staticmethod
    def encode(content: Content) -> tuple[bytes, ...]:
        """The file as bytes."""
        pyarrow, parquet = _library("pyarrow", "Parquet"), _library("pyarrow.parquet", "Parquet")
        states = np.asarray(content.stored["states"], dtype=float)
        rest = {key: value for key, value in content.stored.items() if key not in ("t", "states")}
        fields = [pyarrow.field(column.name, pyarrow.float64(), False,
                                {"unit": column.unit, "long_name": column.long_name}) for column in content.columns]
        fields += [pyarrow.field(f"state[{k}]", pyarrow.float64(), False) for k in range(states.shape[1])]
        meta = {"linkwork result": plain_text(content.manifest), "mechanism": content.mechanism,
                "stored": plain_text(numbers_in(rest))}
        arrays = [pyarrow.array(column.values, pyarrow.float64()) for column in content.columns]
        arrays += [pyarrow.array(np.ascontiguousarray(states[:, k])) for k in range(states.shape[1])]
        memory = io.BytesIO()
        parquet.write_table(pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields, meta)), memory)
        return (memory.getvalue(),)

    @staticmethod
    def decode(data: bytes) -> Content:
        """What the file holds."""
        pyarrow, parquet = _library("pyarrow", "Parquet"), _library("pyarrow.parquet", "Parquet")
        try:
            table = parquet.read_table(pyarrow.BufferReader(data))
        except pyarrow.ArrowException as error:
            raise FileError(message("Parquet file", f"cannot be read: {error}")) from error
        meta = table.schema.metadata or {}
        if b"linkwork result" not in meta:
            raise FileError(message("Parquet file", "was not written by Linkwork"))
        stored = numbers_out(json.loads(meta[b"stored"]))
        stored["t"] = table.column("time").to_numpy()
        count = sum(1 for name in table.column_names if name.startswith("state["))
        columns = [table.column(f"state[{k}]").to_numpy() for k in range(count)]
        stored["states"] = np.column_stack(columns) if columns else np.zeros((len(stored["t"]), 0))
        return Content(json.loads(meta[b"linkwork result"]), meta[b"mechanism"].decode("utf-8"), stored)
