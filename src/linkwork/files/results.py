"""Results on disk: NetCDF, Parquet, CSV and JSON, each with units, long names, and all that brings the result back.

A file holds the named series that other programs read, and beside them what a result consists of: its manifest
(version, options, digests of all else), the mechanism as text, and the stored numbers.  A CSV file is the series
alone, and all else is in a JSON file beside it.  `load` builds the mechanism and the result again, so that everything
can be asked of it.  Nothing in a file is ever executed, and nothing but the file is opened: see `door`, `sizes` and
`digests`, in the order in which a stranger's file meets them.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.arguments import Explained, explained
from linkwork.errors import FileError, LinkworkError, MissingPackageError, UnknownNameError, message, printable
from linkwork.files import digests, sizes
from linkwork.files.door import Misplaced
from linkwork.files.result_content import FORMAT, content_of
from linkwork.files.source import read_bytes
from linkwork.files.whole import path_of, write_together
from linkwork.records import dataclass

ENDINGS = {".nc": "netcdf", ".nc4": "netcdf", ".parquet": "parquet", ".csv": "csv", ".json": "json"}
FIELDS = {
    "linkwork": str,
    "format": int,
    "version": str,
    "digest": str,
    "mechanism": str,
    "title": str,
    "options": dict,
    "statistics": dict,
    "made with": dict,
    "text": dict,
    "stored": dict,
    "series": list,
}
MOST_TITLE = 100


def save(result: lw.Result, path: Any, names: Sequence[str] | None = None, form: str | None = None) -> list[Path]:
    """Write a result; the format is `form`, or what the ending of the path says.  Returns the files that it is in."""
    path = path_of(path)
    if form is None:
        form = ENDINGS.get(Path(path).suffix.lower())
        if form is None:
            raise FileError(
                message(
                    f"{path}:",
                    "has an ending that is no format of results",
                    repr(Path(path).suffix),
                    ", ".join(ENDINGS),
                )
            )
    codec = _codec(form)
    files = [Path(f"{path}{ending}") for ending in codec.endings]
    write_together(dict(zip(files, codec.encode(content_of(result, names)), strict=True)))
    return files


@explained
def load(path: str | os.PathLike[str], laws: Mapping[str, Callable[..., Any]] | None = None) -> lw.Result:
    """Bring back a result from the file `path` that was written by `to_netcdf`, `to_parquet`, `to_csv` or `to_json`.

    A folder is that of `simulate(..., store=folder)`, finished or not: its parts are joined; states stay on disk, and
    are read part by part when something is asked.

    The result has its mechanism, and everything can be asked of it as on the day it was computed.  Python functions are
    not kept in files: a mechanism with laws of its own needs them again, `laws={"name": function}`.

    What is read is compared with its digests; series for other programs are computed anew, not read: `check_result`
    compares them too.

    >>> run = lw.gallery.four_bar().simulate(0.1)
    >>> _ = run.save("run.json")
    >>> bool((lw.load("run.json")["A.angle"] == run["A.angle"]).all())
    True
    """
    if os.path.isdir(path_of(path)):
        from linkwork.files.folders import load as load_folder

        return load_folder(path, laws)
    with _opened(path) as (file, manifest, shapes):
        return _result(file, manifest, shapes, laws)


@dataclass(frozen=True)
class FileCheck(metaclass=Explained):
    """What a result file holds, once all of it was compared with its digests."""

    file: str
    form: str
    version: str
    mechanism: str
    times: int
    first: float
    last: float
    series: tuple[str, ...]
    datasets: int
    bytes: int
    ended: str = ""  # where and why the motion ended before all that was asked for

    def __str__(self) -> str:
        return (
            f"{self.file}: {'nothing is damaged' if self.ended else 'a whole result'} "
            f"({self.form}, written by Linkwork {self.version})\n"
            f"  motion of '{self.mechanism}', {self.times} times from {self.first:g} to {self.last:g} s, "
            f"{len(self.series)} series\n"
            + (f"  {self.ended}\n" if self.ended else "")
            + f"  {self.datasets} digests agree with {self.bytes} bytes; the mechanism and the states fit each other"
        )


@explained
def check_result(path: str | os.PathLike[str], laws: Mapping[str, Callable[..., Any]] | None = None) -> FileCheck:
    """Compare all of the result file `path` with its digests: the stored numbers, and every series that others read.

    Of a folder of `simulate(..., store=folder)` all parts are compared.

    Raises `FileError` at the first that does not agree; `load` looks only at what it reads.
    `laws` are those of `load`.

    >>> _ = lw.gallery.four_bar().simulate(0.1).save("run.json")
    >>> lw.check_result("run.json").mechanism
    'four-bar'
    """
    if os.path.isdir(path_of(path)):
        from linkwork.files.folders import check as check_folder

        return check_folder(path, laws)
    with _opened(path) as (file, manifest, shapes):
        result = _result(file, manifest, shapes, laws)
        entries = manifest["series"]
        for entry, found in zip(entries, file.series(entries, len(result.t)), strict=True):
            what = f"series {entry['name']!r}"
            digests.check(what, digests.of_numbers(found.values), entry["sha256"])
            for word, got, wanted in (
                ("unit", found.unit, entry["unit"]),
                ("long name", found.long_name, entry["long_name"]),
            ):
                if got != wanted:
                    raise FileError(
                        message(
                            f"The {what}",
                            f"has another {word} than its manifest says",
                            repr(got)[:80],
                            repr(wanted)[:80],
                        )
                    )
        if entries[0]["sha256"] != manifest["stored"]["t"]["sha256"]:
            raise FileError(message("The series 'time'", "is not that of the stored times"))
        others = file.others(entries)
        if others:
            raise FileError(
                message(
                    "The file",
                    "holds more than Linkwork wrote",
                    ", ".join(map(repr, others))[:200],
                    remedy="what was added has no digest: keep it in another file",
                )
            )
        return FileCheck(
            str(path),
            type(file).__name__,
            manifest["version"],
            result.mechanism.name,
            len(result.t),
            float(result.t[0]),
            float(result.t[-1]),
            tuple(entry["name"] for entry in entries),
            len(shapes) + len(entries) + 2,
            file.length,
            result.ended,
        )


@contextlib.contextmanager
def _opened(path: Any) -> Iterator[tuple[Any, dict[str, Any], dict[str, tuple[int, ...]]]]:
    """The file behind the door, its manifest once that is known to be whole, and the shapes that it declares.

    Whatever is wrong until the file is closed is told with the name of the file.
    """
    path = path_of(path)
    data = read_bytes(Path(path), path, sizes.MOST_BYTES)
    codec = _codec(_form(data, path))
    try:
        with contextlib.closing(codec(data, *(_beside(path, ending) for ending in codec.endings[1:]))) as file:
            manifest = _whole_manifest(file.manifest)
            yield file, manifest, sizes.declared(manifest["stored"], manifest["series"], file.length)
    except Misplaced as error:
        where = f"{path}{codec.endings[-1]}:{error.line}:{error.column}:" if codec.has_lines else f"{path}: its text"
        raise FileError(message(where, error.wrong)) from error
    except MissingPackageError:
        raise
    except FileError as error:
        raise _of_file(error, path) from error
    except LinkworkError as error:
        raise FileError(message(f"{path}:", f"holds a result that cannot be right: {error}")) from error
    except (
        KeyError,
        TypeError,
        ValueError,
        IndexError,
        AttributeError,
        OSError,
        OverflowError,
        RecursionError,
        RuntimeError,
        MemoryError,
    ) as error:
        raise FileError(
            message(f"{path}:", f"is damaged or no result of Linkwork ({type(error).__name__}: {str(error)[:200]})")
        ) from error


def _whole_manifest(manifest: Any) -> dict[str, Any]:
    """The manifest if it is of this format, whole, and made of what it should be."""
    version = manifest.get("format") if isinstance(manifest, dict) else None
    if type(version) is not int or manifest.get("linkwork") != "result":
        raise FileError(message("The manifest", "is not that of a result", wanted="linkwork: result, and its format"))
    if version > FORMAT:
        raise FileError(
            message(
                "This file",
                "is a result in a newer format",
                str(version)[:20],
                f"at most {FORMAT}",
                "install a newer Linkwork",
            )
        )
    if version < FORMAT:
        why = "without digests: nobody can tell whether its numbers were changed" if version < 2 else "without segments"
        raise FileError(
            message("This file", f"is a result in format {version}, {why}", remedy="run the mechanism again")
        )
    digests.check_seal(manifest)
    for key, kind in FIELDS.items():
        if type(manifest.get(key)) is not kind:
            raise FileError(
                message(
                    f"The manifest field '{key}'",
                    "is not what it should be",
                    repr(manifest.get(key))[:80],
                    kind.__name__,
                )
            )
    for entry in manifest["series"]:
        if not isinstance(entry, dict) or not all(
            isinstance(entry.get(key), str) for key in ("name", "unit", "long_name", "sha256")
        ):
            raise FileError(message("The manifest", "lists a series that is none", repr(entry)[:80]))
    found: dict[str, Any] = manifest
    return found


def _result(
    file: Any, manifest: dict[str, Any], shapes: dict[str, tuple[int, ...]], laws: Mapping[str, Any] | None
) -> lw.Result:
    """The result of an opened file: mechanism, sizes, numbers, in this order."""
    text = file.mechanism()
    digests.check("mechanism", digests.of_bytes(text.encode("utf-8")), manifest["text"].get("sha256"))
    mechanism = lw.read(text, laws=laws)
    if manifest["version"] == lw.__version__ and manifest["digest"] != lw.digest(mechanism):
        raise FileError(
            message(
                "This file",
                "holds a mechanism that is read as another than was written",
                f"digest {lw.digest(mechanism)[:12]}",
                f"digest {manifest['digest'][:12]}",
            )
        )
    options = checked_options(manifest["options"])
    model = lw.Result.compiled(mechanism, options)
    for key, wanted in lw.Result.sizes(model).items():
        sizes.fit(key, shapes[key], wanted)
    stored = {}
    for key, shape in shapes.items():
        stored[key] = file.numbers(key, shape)
        digests.check(f"dataset '{key}'", digests.of_numbers(stored[key]), manifest["stored"][key].get("sha256"))
    return lw.Result.restored(
        mechanism, stored, options, manifest["statistics"], _words("title", manifest["title"]), model=model
    )


def checked_options(said: dict[str, Any], whole: bool = True) -> dict[str, Any]:
    """Options of a run: words, numbers that are finite, lists and maps of these."""

    def check(key: str, value: Any) -> None:
        if isinstance(value, str):
            _words(key, value, 2000)
        elif isinstance(value, dict):
            for name, one in value.items():
                check(_words(key, name, 2000), one)
        elif isinstance(value, list):
            for one in value:
                check(key, one)
        elif isinstance(value, int | float) and not np.isfinite(value):
            raise FileError(message(f"Option '{key}' of this result", "is not finite", repr(value)[:40]))

    check("options", said)
    if whole and not isinstance(said.get("coordinates"), str):
        raise FileError(message("The options of this result", "do not tell its coordinates"))
    return said


def _words(key: str, value: str, most: int = MOST_TITLE) -> str:
    if len(value) > most or not value.isprintable():
        raise FileError(
            message(
                f"'{key}' of this result",
                "is no text to show",
                repr(value)[:80],
                f"at most {most} characters, none of them a control character",
            )
        )
    return value


def _of_file(error: FileError, path: Any) -> FileError:
    text = str(error).replace("<text>:", "its mechanism:")
    return FileError(text if text.startswith(printable(str(path))) else printable(f"{path}: {text}"))


def _beside(path: Any, ending: str) -> bytes:
    """The bytes of a file that belongs to another."""
    other = f"{path}{ending}"
    if not os.path.exists(other):
        raise FileError(
            message(
                f"{path}:",
                f"has no {os.path.basename(other)} beside it, which holds its units, its mechanism and its digest",
                remedy="copy both files together; other programs need the table alone",
            )
        )
    return read_bytes(Path(other), other, sizes.MOST_BYTES)


def _form(data: bytes, path: Any) -> str:
    """The format by the first bytes, whatever the file is called; a CSV file begins with its names."""
    for start, form in ((b"\x89HDF\r\n\x1a\n", "netcdf"), (b"PAR1", "parquet"), (b"{", "json")):
        if data.startswith(start):
            return form
    if data.startswith(b"# linkwork result"):
        raise FileError(
            message(
                f"{path}:",
                "is a CSV file as Linkwork 0.1 wrote it, with comments above the table",
                wanted="a table and a .json file beside it",
                remedy="run the mechanism again",
            )
        )
    if str(path).lower().endswith(".csv") or data.startswith((b"time,", b'"time"')) or os.path.exists(f"{path}.json"):
        return "csv"
    raise FileError(
        message(
            f"{path}:",
            "is not a result of Linkwork",
            wanted="a NetCDF, Parquet, CSV or JSON file written by to_netcdf, to_parquet, to_csv or to_json",
            remedy="model files are opened by lw.read" if str(path).lower().endswith((".yaml", ".yml")) else None,
        )
    )


def _codec(form: str) -> Any:
    from linkwork.files import result_binary, result_text

    codecs = {
        "netcdf": result_binary.NetCDF,
        "parquet": result_binary.Parquet,
        "csv": result_text.CSV,
        "json": result_text.JSON,
    }
    if form not in codecs:
        raise UnknownNameError("format", form, list(codecs))
    return codecs[form]
