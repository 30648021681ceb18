"""The folder of a sweep: what is asked, and answers in parts as they come."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from linkwork.errors import FileError, message, printable
from linkwork.files import digests, door, locks, packs
from linkwork.files.digests import canonical
from linkwork.files.whole import is_unfinished, path_of, write_whole

MANIFEST, LOCK = "sweep.json", "lock"
PART = re.compile(r"part-(\d{8})\.bin")
MOST_MANIFEST = 64 << 20
SLACK = 1024  # bytes by which the manifest of another version may be longer


class SweepFolder:
    """A folder that is new, or that of the very same sweep."""

    def __init__(self, path: Any, told: dict[str, Any], count: int) -> None:
        self.path, self.count = path_of(path), count
        sealed = digests.sealed({"linkwork": "sweep", "format": 1, **told})
        self.seal, name = str(sealed[digests.SEAL]), printable(self.path)
        try:
            os.makedirs(self.path, exist_ok=True)
            self._lock = locks.lock(self.path, LOCK, "is being written by another sweep")
            held = [one for one in os.listdir(self.path) if one != LOCK and not is_unfinished(one, MANIFEST)]
        except OSError as error:
            raise FileError(message(f"{name}:", f"cannot be a folder for a sweep ({error.strerror})")) from error
        try:
            self._open(held, sealed)
        except BaseException:
            self.close()
            raise
        self.next = 1 + max([-1, *(int(one[1]) for file in held if (one := PART.fullmatch(file)))])

    def _open(self, held: list[str], sealed: dict[str, Any]) -> None:
        """Take a folder that is empty, or that of this sweep."""
        name = printable(self.path)
        told = canonical(sealed).encode("ascii")
        if len(told) > MOST_MANIFEST:
            raise FileError(
                message(
                    f"{name}:",
                    "would have to hold a sweep of too many designs",
                    f"{len(told) >> 20} MB to say which",
                    f"at most {MOST_MANIFEST >> 20} MB",
                    "sweep in several calls, each with a folder of its own",
                )
            )
        if MANIFEST in held:
            if not packs.holds(self.path, MANIFEST, told):
                self._refuse_another_linkwork(sealed, len(told))
                raise FileError(
                    message(
                        f"{name}:",
                        "holds another sweep: of another mechanism, other values, or with other questions",
                        wanted="the same call as before, or another folder",
                    )
                )
        elif held:
            raise FileError(message(f"{name}:", "is a folder with other files in it", wanted="an empty one, or none"))
        else:
            write_whole(os.path.join(self.path, MANIFEST), told, follow=False)

    def _refuse_another_linkwork(self, sealed: dict[str, Any], long: int) -> None:
        """Say so where the folder is of another version; what cannot be read, or is long, is of another sweep."""
        try:
            there = door.json_of(packs.read_plain(self.path, MANIFEST, long + SLACK))
            if not isinstance(there, dict) or there.get("linkwork") != "sweep":
                return
            digests.check_seal(there)
        except ValueError:  # a `FileError` is one
            return
        version, kernels = (there.get(key) == sealed.get(key) for key in ("version", "kernels"))
        if version and kernels:
            return
        said = printable(str(there.get("version")))[:40]
        what = "" if kernels else " with other kernels than this one has"
        raise FileError(
            message(
                f"{printable(self.path)}:",
                f"holds a sweep of another Linkwork, version {said}{what}: its numbers may differ",
                wanted="that version, or another folder",
            )
        )

    def close(self) -> None:
        """Let others write to it."""
        locks.unlock(self._lock)
        self._lock = None

    def read(self) -> Iterator[dict[int, dict[str, Any]]]:
        """Answers that are there, by the number of the design, part by part."""
        seen: set[int] = set()
        for file in sorted(os.listdir(self.path)):
            if not PART.fullmatch(file):
                continue
            try:
                pack = packs.Pack(self.path, file, "answers")
            except FileError as error:
                raise FileError(f"{error} Delete this file, and the same call runs its designs again.") from None
            if pack.word("sweep", str) != self.seal:
                raise pack.wrong("belongs to another sweep")
            rows = pack.word("rows", list)
            arrays = pack.arrays()
            found: dict[int, dict[str, Any]] = {}
            for row in rows:
                if not isinstance(row, dict) or type(row.get("k")) is not int or not 0 <= row["k"] < self.count:
                    raise pack.wrong("has answers to designs that there are none of")
                k, doubts = row["k"], row.get("doubts")
                if not isinstance(row.get("failed"), str) or not isinstance(row.get("names"), list):
                    raise pack.wrong("has answers that are none")
                if not isinstance(doubts, list) or not all(isinstance(one, str) for one in doubts):
                    raise pack.wrong("has answers that are none")
                if k in seen:  # written twice, as Ctrl-C came in between
                    continue
                seen.add(k)
                answer: dict[str, Any] = {"failed": row["failed"], "doubts": tuple(doubts)}
                for j, name in enumerate(row["names"]):
                    value = arrays.get(f"{k}/{j}")
                    if not isinstance(name, str) or name in answer or value is None or value.ndim > 1:
                        raise pack.wrong("has answers that are none")
                    answer[name] = float(value) if value.ndim == 0 else value
                times = {
                    name: np.size(one) for name, one in answer.items() if name == "time" or isinstance(one, np.ndarray)
                }
                if times and (np.ndim(answer.get("time", 0.0)) != 1 or len(set(times.values())) > 1):
                    raise pack.wrong("has series that do not fit their times")
                found[k] = answer
            yield found

    def write(self, answers: Mapping[int, Mapping[str, Any]]) -> None:
        """Another part."""
        rows: list[dict[str, Any]] = []
        arrays: dict[str, np.ndarray] = {}
        for k, answer in answers.items():
            names = [name for name in answer if name not in ("failed", "doubts")]
            rows.append({"k": k, "failed": answer["failed"], "doubts": [*answer.get("doubts", ())], "names": names})
            arrays |= {f"{k}/{j}": np.asarray(answer[name], dtype=float) for j, name in enumerate(names)}
        data, _ = packs.packed({"kind": "answers", "sweep": self.seal, "rows": rows}, arrays)
        write_whole(os.path.join(self.path, f"part-{self.next:08d}.bin"), data, follow=False)
        self.next += 1
