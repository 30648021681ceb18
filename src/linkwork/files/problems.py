"""What is wrong in a file: every problem with its place, all of them in one error."""

from __future__ import annotations

import re
from collections.abc import Iterable

from linkwork.errors import FileError, nearest_names, printable
from linkwork.records import dataclass

MOST_PROBLEMS = 50  # then reading stops: more would not be read by anybody
MOST_CHARACTERS = 600  # of one message; a file may hold names of any length
MOST_NAMES = 500  # names searched for the nearest; a search costs time for each


@dataclass(frozen=True)
class Problem:
    """One problem: the file, the place (line and column from 1; line 0 is the file as a whole), and what is wrong.

    `text` is the line of the file, shortened.
    """

    file: str
    line: int
    column: int
    message: str
    text: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.message}"


def lines_of(text: str) -> list[str]:
    """Lines as YAML counts them: it knows more line breaks than most editors do."""
    return re.split("\r\n|[\r\n\x85\u2028\u2029]", text)


class TooManyProblems(Exception):
    """Inside this room only: the list is full, reading stops."""


class Problems:
    """Collects the problems of one file."""

    def __init__(self, file: str, text: str = "") -> None:
        self.file = shortened(file, 200)
        self.lines = lines_of(text)
        self.found: list[Problem] = []

    def add(self, line: int, column: int, message: str) -> None:
        """Note a problem; the same one twice (a part used by alias) is noted once."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if len(text.strip()) > 150:  # the part around the place
            first = max(0, min(column - 70, len(text) - 144))
            text = f"{'... ' if first else ''}{text[first : first + 140]}{' ...' if first + 140 < len(text) else ''}"
        problem = Problem(self.file, line, column, shortened(message, MOST_CHARACTERS), shortened(text.strip(), 160))
        if problem in self.found:
            return
        self.found.append(problem)
        if len(self.found) >= MOST_PROBLEMS:
            raise TooManyProblems

    def error(self) -> FileError:
        """All problems, in the order of the file, as one error."""
        ordered = sorted(self.found, key=lambda problem: (problem.line, problem.column))
        lines = []
        for problem in ordered:
            lines.append(str(problem))
            if problem.text:
                lines.append(f"    {problem.text}")
        if len(ordered) >= MOST_PROBLEMS:
            lines.append(f"{self.file}: reading stopped after {MOST_PROBLEMS} problems.")
        return FileError("\n".join(lines), problems=ordered)

    def raise_any(self) -> None:
        """Raise if anything was found."""
        if self.found:
            raise self.error()


def shortened(text: str, most: int) -> str:
    """A text that a terminal may be given, on one line and not too long."""
    if len(text) > most:
        text = f"{text[: most - 20]} ... ({len(text)} characters)"
    return printable(text, lines=False)


def shown(text: str, most: int = 60) -> str:
    """A text of the file as it is put into messages: quoted and shortened."""
    return repr(text if len(text) <= most else f"{text[:most]}...")


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the nearest names, else some that are known."""
    names = [str(one) for one, _ in zip(known, range(MOST_NAMES))]
    close = nearest_names(name[:60], [one[:60] for one in names])
    if close:
        return f" Nearest: {', '.join(map(repr, close))}."
    if not names:
        return ""
    more = ", ..." if len(names) > 15 else ""
    return f" Known: {', '.join(shown(one) for one in names[:15])}{more}."
