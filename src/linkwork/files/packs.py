"""Packs: one file of arrays and a header, as the folders of long runs and sweeps hold them.

    linkwork pack 1                  the first line
    0000000000001234                 length of the header
    {"kind":"part", ..., "arrays":{"t":{"shape":[100],"sha256":"..."}, ...}, "seal":"..."}
    numbers                          of the arrays, one after the other, eight bytes each, as they are in memory

A pack is as long as its header says, to the byte.  An array is read alone, and compared with its digest then.  A pack
is opened by its own name in its folder and never through a link; nothing in it names another file.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Mapping
from typing import Any

import numpy as np

from linkwork.errors import FileError, message, printable
from linkwork.files import digests, door, sizes
from linkwork.files.digests import canonical

FIRST_LINE = b"linkwork pack 1\n"
DIGITS = 16
FRONT = len(FIRST_LINE) + DIGITS + 1
MOST_DIMENSIONS = 3


def packed(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> tuple[bytes, str]:
    """A pack as bytes, and its seal."""
    plain = {name: np.ascontiguousarray(values, dtype="<f8") for name, values in arrays.items()}
    listed = {
        name: {"shape": list(np.shape(arrays[name])), "sha256": digests.of_numbers(values)}
        for name, values in plain.items()
    }
    whole = digests.sealed({**header, "arrays": listed})
    text = canonical(whole).encode("ascii")
    data = b"".join([FIRST_LINE, b"%0*d\n" % (DIGITS, len(text)), text, *(one.tobytes() for one in plain.values())])
    return data, whole[digests.SEAL]


class Pack:
    """A pack in a folder: its header now, its arrays when they are asked for."""

    def __init__(self, folder: str, name: str, kind: str) -> None:
        self.path = os.path.join(folder, name)
        with _opened(self.path) as file:
            self.length = os.fstat(file.fileno()).st_size
            front = file.read(FRONT)
            digits = front[len(FIRST_LINE) : -1]
            if not front.startswith(FIRST_LINE) or len(front) < FRONT or not digits.isdigit():
                raise self.wrong("is no pack of Linkwork, or was cut")
            long = int(digits)
            if FRONT + long > self.length:
                raise self.cut(FRONT + long)
            text = file.read(long)
        try:
            self.header = door.json_of(text)
            if not isinstance(self.header, dict) or self.header.get("kind") != kind:
                raise FileError(message("The header", "is another", wanted=f"that of a {kind}"))
            digests.check_seal(self.header)
        except FileError as error:
            raise self.wrong(f"is damaged or no {kind}: {error}") from None
        self.seal = str(self.header[digests.SEAL])
        self._places: dict[str, tuple[int, tuple[int, ...], Any]] = {}
        end = FRONT + long
        listed = self.header.get("arrays")
        for key, entry in listed.items() if isinstance(listed, dict) else ():
            shape = self._shape(key, entry)
            self._places[key] = end, shape, entry.get("sha256")
            end += 8 * math.prod(shape)
        if end != self.length:
            raise self.cut(end)

    def _shape(self, key: str, entry: Any) -> tuple[int, ...]:
        shape = entry.get("shape") if isinstance(entry, dict) else None
        if (
            not isinstance(shape, list)
            or len(shape) > MOST_DIMENSIONS
            or any(type(n) is not int or not 0 <= n < 1 << 40 for n in shape)
        ):
            raise self.wrong(f"declares for {key[:60]!r} what is no shape: {repr(shape)[:80]}")
        return tuple(shape)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its arrays."""
        return tuple(self._places)

    def shape(self, key: str) -> tuple[int, ...]:
        """The shape of an array."""
        if key not in self._places:
            raise self.wrong(f"has no numbers {key!r}")
        return self._places[key][1]

    def array(self, key: str, shape: tuple[int | None, ...] | None = None) -> np.ndarray:
        """An array, compared with its digest; `shape` is what it must be like, None stands for any number."""
        found = self.shape(key)
        if shape is not None:
            try:
                sizes.fit(key, found, shape)
            except FileError as error:
                raise self.wrong(f"cannot be right: {error}") from None
        first, _, said = self._places[key]
        with _opened(self.path) as file:
            if os.fstat(file.fileno()).st_size != self.length:
                raise self.wrong("was changed while it was read")
            file.seek(first)
            data = file.read(8 * math.prod(found))
        if len(data) != 8 * math.prod(found):
            raise self.cut(first + 8 * math.prod(found))
        values = np.frombuffer(bytearray(data), dtype="<f8").reshape(found)
        try:
            digests.check(f"array '{key}'", digests.of_numbers(values), said)
        except FileError as error:
            raise self.wrong(f"is damaged: {error}") from None
        return values.astype(float, copy=False)

    def arrays(self) -> dict[str, np.ndarray]:
        """All of them."""
        return {key: self.array(key) for key in self.names}

    def word(self, key: str, kind: type) -> Any:
        """A field of the header that is of this kind."""
        value = self.header.get(key)
        if type(value) is not kind:
            raise self.wrong(f"says of {key!r} what cannot be right: {repr(value)[:80]}")
        return value

    def cut(self, wanted: int) -> FileError:
        """The error of a pack that is shorter, or longer, than it says."""
        what = "was cut" if self.length < wanted else "is longer than it says"
        return FileError(message(f"{printable(self.path)}:", what, f"{self.length} bytes", f"{wanted} bytes"))

    def wrong(self, what: str) -> FileError:
        """The error of a pack that cannot be right."""
        return FileError(message(f"{printable(self.path)}:", what))


def _opened(path: str) -> Any:
    """A plain file that is no link, opened without waiting."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        if os.path.islink(path):
            raise FileError(message(f"{printable(path)}:", "is a link, which is not followed", wanted="a plain file"))
        handle = os.open(path, flags)
    except FileNotFoundError:
        raise FileError(message(f"{printable(path)}:", "is missing")) from None
    except OSError as error:
        raise FileError(message(f"{printable(path)}:", f"cannot be read ({error.strerror or error})")) from None
    file = open(handle, "rb")
    found = os.fstat(handle)
    if not stat.S_ISREG(found.st_mode) or found.st_size > sizes.MOST_BYTES:
        file.close()
        raise FileError(message(f"{printable(path)}:", "is not a plain file of at most 4 GB"))
    return file


def holds(folder: str, name: str, data: bytes) -> bool:
    """Whether a file of a folder holds these bytes; no more than that is read of it."""
    with _opened(os.path.join(folder, name)) as file:
        return file.read(len(data) + 1) == data


def read_plain(folder: str, name: str, most: int) -> bytes:
    """The bytes of a small file of a folder."""
    with _opened(os.path.join(folder, name)) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise FileError(message(f"{printable(os.path.join(folder, name))}:", "is too large", wanted=f"{most} bytes"))
    return data
