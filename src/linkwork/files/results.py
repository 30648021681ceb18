"""Results on disk: NetCDF, Parquet, CSV and JSON, each with units, long names, and all that brings the result back.

A file holds the named series that other programs read, and beside them what a result consists of: its manifest
(version, digest of the mechanism, options), the mechanism as text, and the stored numbers.  A CSV file is the series
alone, and all else is in a JSON file beside it.  `load` builds the mechanism and the result again, so that everything
can be asked of it.  Nothing in a file is ever executed.
"""

from __future__ import annotations

import json
import os
import platform
import stat
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.errors import DescriptionError, FileError, LinkworkError, UnknownNameError, message
from linkwork.files.whole import write_together

FORMAT = 1
ENDINGS = {".nc": "netcdf", ".nc4": "netcdf", ".parquet": "parquet", ".csv": "csv", ".json": "json"}
MOST_BYTES = 4 << 30
KINDS = (("bodies", "body"), ("joints", "joint"), ("drivers", "driver"), ("forces", "force"))


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
    stored: dict[str, Any]
    columns: list[Column] = field(default_factory=list)


def save(result, path, names=None, form: str | None = None) -> list[Path]:
    """Write a result; the format is `form`, or what the ending of the path says.  Returns the files that it is in."""
    if form is None:
        form = ENDINGS.get(Path(path).suffix.lower())
        if form is None:
            raise FileError(message(f"{path}:", "has an ending that is no format of results",
                                    repr(Path(path).suffix), ", ".join(ENDINGS)))
    codec = _codec(form)
    files = [Path(f"{path}{ending}") for ending in codec.endings]
    write_together(dict(zip(files, codec.encode(_content(result, names)), strict=True)))
    return files


def load(path, laws: Mapping[str, Callable] | None = None):
    """Bring back a result that was written by `to_netcdf`, `to_parquet`, `to_csv` or `to_json`.

    The result has its mechanism, and everything can be asked of it as on the day it was computed.  Python functions are
    not kept in files: a mechanism with laws of its own needs them again, `laws={"name": function}`.
    """
    data = _bytes(path)
    form = _form(data, path)
    try:
        content = _codec(form).decode(data, *(_beside(path, ending) for ending in _codec(form).endings[1:]))
        manifest, stored = content.manifest, content.stored
        version = manifest["format"]
        if not isinstance(version, int) or version > FORMAT:
            raise FileError(message(f"{path}:", "is a result in a newer format", str(version)[:20], f"at most {FORMAT}",
                                    "install a newer Linkwork"))
        mechanism = lw.read(content.mechanism, laws=laws)
        _same_mechanism(mechanism, manifest, path)
        return lw.Result.restored(mechanism, stored, manifest["options"], manifest["statistics"],
                                  str(manifest["title"])[:100])
    except FileError as error:
        raise _of_file(error, path) from error
    except LinkworkError as error:
        raise FileError(message(f"{path}:", f"holds a result that cannot be right: {error}")) from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OSError, OverflowError, RecursionError,
            RuntimeError, MemoryError) as error:
        raise FileError(message(f"{path}:", f"is damaged or no result of Linkwork ({type(error).__name__}: "
                                f"{str(error)[:200]})")) from error


def _of_file(error: FileError, path) -> FileError:
    text = str(error)
    return error if text.startswith(str(path)) else FileError(f"{path}: {text}")


def _bytes(path) -> bytes:
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would wait, a device never end
            raise FileError(message(f"{path}:", "is not a plain file"))
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise FileError(message(f"{path}:", f"cannot be read ({error.strerror or error})")) from error
    if len(data) > MOST_BYTES:
        raise FileError(message(f"{path}:", "is too large", wanted=f"at most {MOST_BYTES >> 30} GB"))
    return data


def _beside(path, ending: str) -> bytes:
    """The bytes of a file that belongs to another."""
    other = f"{path}{ending}"
    if not os.path.exists(other):
        raise FileError(message(f"{path}:", f"has no {os.path.basename(other)} beside it, which holds its units, its "
                                "mechanism and its digest", remedy="copy both files together; other programs need the "
                                "table alone"))
    return _bytes(other)


def _form(data: bytes, path) -> str:
    """The format by the first bytes, whatever the file is called; a CSV file begins with its names."""
    for start, form in ((b"\x89HDF\r\n\x1a\n", "netcdf"), (b"PAR1", "parquet"), (b"{", "json")):
        if data.startswith(start):
            return form
    if data.startswith(b"# linkwork result"):
        raise FileError(message(f"{path}:", "is a CSV file as Linkwork 0.1 wrote it, with comments above the table",
                                wanted="a table and a .json file beside it",
                                remedy="run the mechanism again, or convert the file with Linkwork 0.1"))
    if str(path).lower().endswith(".csv") or data.startswith((b"time,", b'"time"')) or os.path.exists(f"{path}.json"):
        return "csv"
    raise FileError(message(f"{path}:", "is not a result of Linkwork", wanted="a NetCDF, Parquet, CSV or JSON file "
                            "written by to_netcdf, to_parquet, to_csv or to_json"))


def _codec(form: str):
    from linkwork.files import result_binary, result_text

    codecs = {"netcdf": result_binary.NetCDF, "parquet": result_binary.Parquet, "csv": result_text.CSV,
              "json": result_text.JSON}
    if form not in codecs:
        raise UnknownNameError("format", form, list(codecs))
    return codecs[form]


def _same_mechanism(mechanism, manifest, path) -> None:
    """The mechanism that was read is the one whose numbers these are (other versions may write another text)."""
    if manifest.get("version") == lw.__version__ and manifest["digest"] != lw.digest(mechanism):
        raise FileError(message(f"{path}:", "holds a mechanism that is not the one of its numbers",
                                f"digest {lw.digest(mechanism)[:12]}", f"digest {str(manifest['digest'])[:12]}",
                                "the file was changed after it was written"))


def _content(result, names) -> Content:
    mechanism = result.mechanism
    names = list(result.names if names is None else [names] if isinstance(names, str) else names)
    columns = [Column("time", "s", "time", np.asarray(result.t, dtype=float))]
    for name in dict.fromkeys(names):
        if name not in ("t", "time"):
            columns.append(Column(name, result.unit(name), long_name(mechanism, name),
                                  np.asarray(result[name], dtype=float)))
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
    }
    return Content(manifest, lw.to_text(mechanism, "json"), result.stored(), columns)


def long_name(mechanism, name: str) -> str:
    """A name in words: 'B.reaction.x' is 'reaction x of joint B'."""
    item, _, quantity = name.partition(".")
    words = quantity.replace(".", " ").replace("_", " ")
    for tail, of in ((" acceleration", "acceleration of "), (" rate", "rate of ")):
        if words.endswith(tail):
            words = of + words.removesuffix(tail)
    for family, kind in KINDS:
        if item in getattr(mechanism, family):
            parts = quantity.split(".")
            if kind == "body" and parts[0] in mechanism.bodies[item].points:
                return f"{words.replace(parts[0] + ' ', '', 1)} of point {parts[0]} of body {item}"
            return f"{words} of {kind} {item}"
    if item == "energy":
        return f"{words} energy" if words in ("kinetic", "potential", "total") else f"energy {words}"
    return f"{words} of the system" if item == "system" else name


def numbers_in(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored arrays as nested lists of numbers for text formats; numbers that are not finite become words."""

    def plain(value):
        if isinstance(value, list):
            return [plain(one) for one in value]
        return value if np.isfinite(value) else repr(float(value))

    out = {}
    for key, value in stored.items():
        array = np.asarray(value, dtype=float)
        out[key] = {"shape": list(array.shape), "values": plain(array.ravel().tolist())}
    return out


def numbers_out(given: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Arrays from what `numbers_in` wrote."""
    out = {}
    for key, entry in given.items():
        values = np.array([float(one) for one in entry["values"]], dtype=float)
        shape = tuple(int(n) for n in entry["shape"])
        if len(shape) > 2 or values.size != int(np.prod(shape)):
            raise DescriptionError(message(f"Stored numbers '{key}'", "have the wrong count", values.size, str(shape)))
        out[key] = values.reshape(shape)
    return out


def plain_text(data: Any) -> str:
    """JSON on one line, without anything that is not JSON."""
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
