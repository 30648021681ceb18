"""From a path or a text to characters: what is no text, too large or not a plain file is refused at once."""

from __future__ import annotations

import codecs
import os
import re
import stat
from pathlib import Path

from linkwork.errors import FileError, message, nearest_names
from linkwork.files.problems import Problem, Problems, shortened
from linkwork.records import dataclass

MOST_BYTES = 2_000_000
RESULTS = (".nc", ".nc4", ".parquet", ".csv")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True)
class Source:
    """The text of a model file, the name for messages, and the folder that its references must stay in."""

    text: str
    name: str
    folder: Path | None


def open_source(source: str | os.PathLike) -> Source:
    """Read a path; a string with a line break, or one that begins with "{", is the text itself."""
    if isinstance(source, str) and ("\n" in source or source.lstrip("\ufeff \t").startswith("{")):
        if len(source) > MOST_BYTES:
            refuse("<text>", f"The text is too large. Got {len(source)} characters; wanted at most {MOST_BYTES}.")
        return Source(_decoded(source.encode("utf-8", "surrogatepass"), "<text>"), "<text>", None)
    if not isinstance(source, str | os.PathLike):
        refuse("<text>", message("read", "cannot use this source", shortened(repr(source), 80), "a path or a text"))
    path = Path(source)
    if path.suffix.lower() in RESULTS and path.is_file():
        refuse(str(path), "This is a result by its ending. Wanted a model file, .yaml or .json; lw.load opens results.")
    return Source(_decoded(read_bytes(path, str(path), MOST_BYTES), str(path)), str(path), path.absolute().parent)


def read_bytes(path: Path, name: str, most: int) -> bytes:
    """The bytes of a plain file of at most `most` bytes."""
    try:
        with _open(path) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                refuse(name, "This is not a plain file.")
            data = file.read(most + 1) if status.st_size <= most else b""
            if status.st_size > most or len(data) > most:
                refuse(
                    name, f"The file is too large. Got {max(status.st_size, len(data))} bytes; wanted at most {most}."
                )
            return data
    except FileError:  # which is a ValueError
        raise
    except FileNotFoundError:
        refuse(name, f"There is no such file.{neighbours(path)}")
    except (OSError, ValueError) as cause:  # ValueError: a path with a zero byte
        refuse(name, f"The file cannot be read: {getattr(cause, 'strerror', None) or cause}.")
    raise AssertionError("unreachable")


def _open(path: Path):
    """Opened without waiting: a pipe or a device must not stop the reader."""
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))


def neighbours(path: Path) -> str:
    """The end of a message about a file that is not there: names in its folder that are near."""
    try:
        names = sorted(one.name for one, _ in zip(path.absolute().parent.iterdir(), range(1000)))
    except OSError:
        return ""
    stems = nearest_names(path.stem[:100], [Path(one).stem for one in names])  # endings make all names alike
    close = [one for stem in stems for one in names if Path(one).stem == stem][:3]
    return f" Nearest: {', '.join(map(repr, close))}." if close else ""


def _decoded(data: bytes, name: str) -> str:
    """UTF-8 text with plain line breaks; a byte order mark of UTF-8 is left out."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        refuse(name, "The file is in UTF-16. Save it as UTF-8.", 1, 1)
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as cause:
        before = data.removeprefix(codecs.BOM_UTF8)[: cause.start]
        line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
        bad = data.removeprefix(codecs.BOM_UTF8)[cause.start]
        refuse(
            name,
            f"The file is not UTF-8 text (Latin-1, perhaps). Got the byte 0x{bad:02x}. Save it as UTF-8.",
            line,
            column,
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = _CONTROL.search(text)
    if found:
        k = found.start()
        refuse(
            name,
            f"The file holds a control character. Got {found[0]!r}. Remove it.",
            text.count("\n", 0, k) + 1,
            k - text.rfind("\n", 0, k),
        )
    return text


def refuse(name: str, wrong: str, line: int = 0, column: int = 0) -> None:
    """Raise a FileError with one problem."""
    problems = Problems(name)
    problems.found.append(Problem(problems.file, line, column, shortened(wrong, 600)))
    raise problems.error()
