"""The folder of a long run: what is run, its outputs in parts, and how far it has come.

| file              | holds                                                                       | written         |
|-------------------|-----------------------------------------------------------------------------|-----------------|
| run.json          | manifest (version, options, digests, a number of its own) and the mechanism | once            |
| times.bin         | output times, where they were given one by one                              | once            |
| part-00000000.bin | segments of the result, as `stored.arrays_of` gives them                    | once each       |
| reached.bin       | how many parts count, and the inner state of the run, or that it is done    | again and again |
| lock              | nothing; who runs it holds a lock on it                                     |                 |

Every file is written whole and then moved into place, `reached.bin` last: it says which parts belong to the run.  A
part knows the seal of the manifest and that of the part before it, so one of another run, or one that is missing, is
told.  Names of files are made here, never read; links are not followed.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.errors import FileError, message, printable
from linkwork.files import digests, door, locks, packs, sizes
from linkwork.files.digests import canonical
from linkwork.files.result_content import mechanism_text
from linkwork.files.results import FileCheck, checked_options
from linkwork.files.whole import is_unfinished, path_of, write_whole

FORMAT = 1
MANIFEST, TIMES, REACHED, LOCK = "run.json", "times.bin", "reached.bin", "lock"
MOST_MANIFEST = 64 << 20
KEYS = ("linkwork", "format", "version", "digest", "mechanism", "options", "times", "made with", "text", "id")


def part_name(number: int) -> str:
    """The file of a part."""
    return f"part-{number:08d}.bin"


def is_run(path: Any) -> bool:
    """Whether a path is a folder with a long run in it."""
    return os.path.isdir(path) and os.path.lexists(os.path.join(path, MANIFEST))


class Part:
    """One part: words now, numbers when they are asked for."""

    def __init__(self, folder: str, number: int, run: str, before: str) -> None:
        self.pack = pack = packs.Pack(folder, part_name(number), "part")
        if pack.word("run", str) != run:
            raise pack.wrong("belongs to another run")
        if pack.word("number", int) != number or pack.word("before", str) != before:
            raise pack.wrong(f"does not follow part {number - 1} of this run")
        if {*pack.names} != {*sizes.STORED, "marks"}:
            raise pack.wrong("holds other numbers than a part has")
        self.goes_on: bool = pack.word("goes_on", bool)
        self.words: list[Any] = pack.word("segments", list)
        self.spans = self._spans(pack.word("spans", list))
        self.turns = pack.header.get("turns")

    def _spans(self, said: list) -> list[tuple[int, int, int, float, float, int]]:
        """Of every segment: its times, the first that is shown, how many are, begin and end, redundant rows."""
        kinds = (int, int, int, float, float, int)
        for one in said:
            if not isinstance(one, list) or [type(value) for value in one] != [*kinds] or min(one[:3]) < 0:
                raise self.pack.wrong(f"says of a segment what cannot be right: {repr(one)[:80]}")
        if len(said) != len(self.words) or not said or sum(one[2] for one in said) > self.pack.shape("t")[0]:
            raise self.pack.wrong("says of its segments what cannot be right")
        return [tuple(one) for one in said]

    @property
    def shown(self) -> int:
        """Times of the result in it."""
        return sum(one[2] for one in self.spans)

    def times(self) -> np.ndarray:
        """These times."""
        return self.pack.array("t")[int(self.goes_on) :]

    def stored(self, wanted: Mapping[str, tuple[int | None, ...]]) -> dict[str, np.ndarray]:
        """The numbers of its segments, of these shapes."""
        return {key: self.pack.array(key, shape) for key, shape in wanted.items()}

    def marks(self, wide: int) -> list[list]:
        """Events that were only recorded: name, segment of this part, time, state."""
        said, rows = self.pack.word("marks", list), self.pack.array("marks", (None, 1 + wide))
        if len(said) != len(rows) or not all(isinstance(one, list) and len(one) == 2 for one in said):
            raise self.pack.wrong("has recorded events that cannot be right")
        return [[name, k, float(row[0]), row[1:]] for (name, k), row in zip(said, rows)]

    def wrong(self, what: str) -> FileError:
        """The error of a part that cannot be right."""
        return self.pack.wrong(what)


class Folder:
    """A folder with a run in it."""

    def __init__(self, path: Any, manifest: dict[str, Any], mechanism: Any) -> None:
        self.path, self.manifest, self.mechanism = path_of(path), manifest, mechanism
        self.seal = str(manifest[digests.SEAL])
        self.parts: list[Part] = []
        self._lock: Any = None

    # -- new -----------------------------------------------------------------------------------------------------------
    @classmethod
    def created(cls, path: Any, mechanism: Any, options: dict[str, Any], times: Any) -> Folder:
        """A new folder for a run; one that is not empty is refused.  `times` are words, or output times one by one."""
        path = path_of(path)
        text = json.loads(lw.to_text(mechanism, "json"))
        given = isinstance(times, np.ndarray)
        manifest = {
            "linkwork": "run",
            "format": FORMAT,
            "version": lw.__version__,
            "digest": lw.digest(mechanism),
            "mechanism": mechanism.name,
            "options": options,
            "times": {"given": len(times), "sha256": digests.of_numbers(times)} if given else times,
            "made with": {"python": platform.python_version(), "numpy": np.__version__},
            "text": {"sha256": digests.of_bytes(mechanism_text(text).encode("utf-8"))},
            "id": os.urandom(8).hex(),
        }
        sealed = digests.sealed(manifest)
        with _told(path):
            os.makedirs(path, exist_ok=True)
            cut = (MANIFEST, TIMES)  # begun by who was ended before there was a run
            held = [one for one in os.listdir(path) if one != LOCK and not any(is_unfinished(one, of) for of in cut)]
        if held:
            known = MANIFEST in held
            raise FileError(
                message(
                    f"{printable(path)}:",
                    "holds another run" if known else "is a folder with other files in it",
                    wanted="a folder that is empty, or a name that there is none of",
                    remedy="go on with the run in it by lw.resume(folder), or read it by lw.load(folder)"
                    if known
                    else None,
                )
            )
        found = cls(path, sealed, mechanism)
        found.lock()
        if given:
            found._write(TIMES, packs.packed({"kind": "times", "run": found.seal}, {"t": times})[0])
        whole = f'{{"linkwork_run": {canonical(sealed)},\n"mechanism": {mechanism_text(text)}}}\n'
        found._write(MANIFEST, whole.encode("utf-8"))
        return found

    # -- there ---------------------------------------------------------------------------------------------------------
    @classmethod
    def opened(cls, path: Any, laws: Mapping[str, Any] | None = None) -> Folder:
        """A folder that is there, with its mechanism; parts are those that `reached` counts."""
        path = path_of(path)
        if not os.path.lexists(path):
            raise FileError(message(f"{printable(path)}:", "is not there", wanted="the folder of a long run"))
        if not is_run(path):
            raise FileError(
                message(
                    f"{printable(path)}:",
                    "is no folder of a long run",
                    wanted="a folder that simulate(..., store=folder) has made",
                )
            )
        data = packs.read_plain(path, MANIFEST, MOST_MANIFEST)
        name = os.path.join(path, MANIFEST)
        with _of(name):
            whole = door.json_of(data)
            manifest = whole.get("linkwork_run") if isinstance(whole, dict) else None
            if not isinstance(manifest, dict) or manifest.get("linkwork") != "run":
                raise FileError(message("This file", "is not that of a long run"))
            if type(manifest.get("format")) is not int or manifest["format"] > FORMAT:
                raise FileError(message("This run", "is in a newer format", remedy="install a newer Linkwork"))
            digests.check_seal(manifest)
            for key in KEYS:
                if key not in manifest:
                    raise FileError(message("The manifest", f"has no field '{key}'"))
            text = mechanism_text(whole.get("mechanism"))
            said = manifest["text"].get("sha256") if isinstance(manifest["text"], dict) else None
            digests.check("mechanism", digests.of_bytes(text.encode("utf-8")), said)
            mechanism = lw.read(text, laws=laws)
            if manifest["version"] == lw.__version__ and manifest["digest"] != lw.digest(mechanism):
                raise FileError(message("This run", "has a mechanism that is read as another than was written"))
            if not isinstance(manifest["options"], dict) or not isinstance(manifest["times"], dict):
                raise FileError(message("The manifest", "has options or times that are none"))
            checked_options(manifest["options"])
        return cls(path, manifest, mechanism)

    def reached(self) -> packs.Pack:
        """How far the run has come; its parts are looked at on the way."""
        found = packs.Pack(self.path, REACHED, "reached")
        if found.word("run", str) != self.seal:
            raise found.wrong("belongs to another run")
        count, last = found.word("parts", int), ""
        self.parts = []
        for number in range(count):
            if not os.path.lexists(os.path.join(self.path, part_name(number))):
                raise FileError(
                    message(
                        f"{printable(self.path)}:",
                        f"part {number + 1} of {count} is missing",
                        wanted=part_name(number),
                        remedy="copy the whole folder",
                    )
                )
            self.parts.append(Part(self.path, number, self.seal, last))
            last = self.parts[-1].pack.seal
        if found.word("last", str) != last:
            raise found.wrong("was written after another last part than the one that is there")
        return found

    def given_times(self) -> np.ndarray:
        """Output times that were given one by one."""
        pack = packs.Pack(self.path, TIMES, "times")
        if pack.word("run", str) != self.seal:
            raise pack.wrong("belongs to another run")
        return pack.array("t", (None,))

    # -- going on ------------------------------------------------------------------------------------------------------
    def add_part(self, words: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> Part:
        """Write another part."""
        number, before = len(self.parts), self.parts[-1].pack.seal if self.parts else ""
        header = {"kind": "part", "run": self.seal, "number": number, "before": before, **words}
        self._write(part_name(number), packs.packed(header, arrays)[0])
        self.parts.append(Part(self.path, number, self.seal, before))
        return self.parts[-1]

    def reach(self, words: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        """Write how far it has come."""
        last = self.parts[-1].pack.seal if self.parts else ""
        header = {"kind": "reached", "run": self.seal, "parts": len(self.parts), "last": last, **words}
        self._write(REACHED, packs.packed(header, arrays)[0])

    def _write(self, name: str, data: bytes) -> None:
        write_whole(os.path.join(self.path, name), data, follow=False)

    def lock(self) -> None:
        """Keep others from running it at the same time; the lock goes with the process, however it ends."""
        with _told(self.path):
            self._lock = locks.lock(self.path, LOCK, "is being run by another process")

    def unlock(self) -> None:
        """Let others run it."""
        locks.unlock(self._lock)
        self._lock = None

    # -- results -------------------------------------------------------------------------------------------------------
    def result(self, reached: packs.Pack | None = None) -> lw.Result:
        """The result as far as it is there; its states stay on disk."""
        found = self.reached() if reached is None else reached
        options = {**self.manifest["options"], **checked_options(found.word("told", dict), whole=False)}
        if "lw.resume(folder)" in str(options.get("ended")):  # it is told where it is now
            options["ended"] = str(options["ended"]).replace(
                "lw.resume(folder)", f"lw.resume({printable(self.path)!r})"
            )
        with _of(self.path):
            if not self.parts:
                raise FileError(message("This run", "has no outputs yet", remedy="go on with it by lw.resume(folder)"))
            return lw.Result.of_parts(self.mechanism, options, self.parts, found.word("statistics", dict))


def load(path: Any, laws: Mapping[str, Any] | None = None) -> lw.Result:
    """The result in a folder."""
    return Folder.opened(path, laws).result()


def check(path: Any, laws: Mapping[str, Any] | None = None) -> FileCheck:
    """Compare everything in a folder with its digests."""
    folder = Folder.opened(path, laws)
    reached = folder.reached()
    reached.arrays()
    result: Any = folder.result(reached)  # one in parts, which can be looked at one by one
    bytes_, datasets = reached.length, len(reached.names) + 2
    for k, part in enumerate(folder.parts):
        with _of(part.pack.path):
            result.looked_at(k)
        bytes_, datasets = bytes_ + part.pack.length, datasets + len(part.pack.names)
    return FileCheck(
        path_of(path),
        "folder",
        str(folder.manifest["version"]),
        result.mechanism.name,
        len(result.t),
        float(result.t[0]),
        float(result.t[-1]),
        (),
        datasets,
        bytes_,
        result.ended,
    )


@contextlib.contextmanager
def _told(path: Any) -> Iterator[None]:
    """Whatever the system refuses is told with the name of the folder."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(
            message(
                f"{printable(str(path))}:",
                f"cannot be a folder for a run ({error.strerror or error})",
                remedy="check that the folder above it exists and may be written to",
            )
        ) from error


@contextlib.contextmanager
def _of(path: Any) -> Iterator[None]:
    """Whatever is wrong is told with the name of the file."""
    try:
        yield
    except lw.errors.MissingPackageError:
        raise
    except lw.errors.LinkworkError as error:
        text, name = str(error), printable(str(path))
        raise FileError(text if text.startswith(name) else f"{name}: {text}") from error
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise FileError(
            message(f"{printable(str(path))}:", f"is damaged ({type(error).__name__}: {str(error)[:200]})")
        ) from error
