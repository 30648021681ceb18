"""What the commands print: text for people, JSON for machines, errors in one message."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Collection
from typing import Any

from linkwork.cli.words import spoken
from linkwork.errors import printable


class Output:
    """Where a command prints.  Colours only on a terminal, and not where NO_COLOR is set."""

    def __init__(
        self, as_json: bool = False, quiet: bool = False, verbose: bool = False, options: Collection[str] = ()
    ):
        self.json, self.quiet, self.verbose = as_json, quiet, verbose
        self._options = options  # of the command

    def say(self, text: object = "") -> None:
        """Text for people; what a terminal would obey is not passed on."""
        self._print(printable(str(text)))

    def _print(self, text: str) -> None:
        if not (self.quiet or self.json):
            print(text)

    def detail(self, text: object) -> None:
        """Text for people who asked for more."""
        if self.verbose:
            self.say(text)

    def title(self, text: str) -> None:
        """A heading."""
        text = printable(text)
        self._print(f"\n{painted(text, '1', sys.stdout)}\n{'-' * len(text)}")

    def table(self, heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
        """Columns: the first to the left, numbers to the right."""
        lines = [tuple(printable(head) for head in heads)]
        lines += [tuple(_cell(value) for value in row) for row in rows]
        widths = [max(len(line[k]) for line in lines) for k in range(len(heads))]
        for number, line in enumerate(lines):
            text = "  ".join(
                cell.ljust(width) if k == 0 else cell.rjust(width) for k, (cell, width) in enumerate(zip(line, widths))
            )
            self._print("  " + (painted(text.rstrip(), "2", sys.stdout) if number == 0 else text.rstrip()))

    def data(self, data: dict) -> None:
        """The answer for machines, where they asked for it."""
        if self.json:
            print(_json(plain(data), allow_nan=False))

    def fail(self, error: object, status: int) -> int:
        """Say what went wrong, on stderr and without a traceback; returns the status."""
        text = spoken(" ".join(str(error).split(" ")).strip(), self._options)
        if self.json:
            kind = type(error).__name__ if isinstance(error, Exception) else "Error"
            told = {"ok": False, "status": status, "error": kind, "message": text}
            if conflict := getattr(error, "conflict", ()):
                told["conflict"] = list(conflict)
            print(_json(told))
        print(f"{painted('linkwork:', '31', sys.stderr)} {printable(text)}", file=sys.stderr)
        return status


def _json(told: Any, **options: Any) -> str:
    import json  # few ask for it

    return json.dumps(told, indent=1, **options)


def painted(text: str, code: str, stream) -> str:
    """The text in a colour or weight, if the stream is a terminal that wants it."""
    wanted = stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"\x1b[{code}m{text}\x1b[0m" if wanted else text


def plain(value: Any) -> Any:
    """The same as JSON knows it: arrays as lists, numbers that are not finite as null."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | set):
        return [plain(one) for one in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | int | bool) else str(value)


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else printable(str(value), lines=False)
