"""Results as text: CSV with a JSON file beside it, and JSON.

Numbers are written by their shortest form that reads back as the very same number.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from linkwork.errors import FileError, message
from linkwork.files import digests
from linkwork.files.digests import canonical
from linkwork.files.door import json_of
from linkwork.files.result_content import Column, Content, listed, mechanism_text, numbers_of, stored_for_text

FORMULA = ("=", "+", "-", "@")  # a spreadsheet takes a cell that begins so for a formula, and computes it


class _Text:
    """What both have in common: the parts of a JSON object."""

    has_lines = True
    whole: dict[str, Any]

    def __init__(self, data: bytes) -> None:
        whole = json_of(data)
        if not isinstance(whole, dict) or not isinstance(whole.get("linkwork_result"), dict):
            raise FileError(message("This file", "is no result of Linkwork", wanted="a manifest, 'linkwork_result'"))
        self.whole, self.manifest, self.length = whole, whole["linkwork_result"], len(data)

    def mechanism(self) -> str:
        """The mechanism as text."""
        return mechanism_text(self.whole["mechanism"])

    def numbers(self, key: str, shape: tuple[int, ...]) -> np.ndarray:
        """Stored numbers of a declared shape."""
        return numbers_of(key, self.whole["stored"][key], shape)

    def close(self) -> None:
        """Nothing is open."""


class CSV(_Text):
    """A table with the names in its first line and nothing else, for any program; `x.csv.json` holds the rest.

    That is units, long names, manifest, mechanism and stored numbers.  The manifest has the digest of the table: what
    was changed, cut, or replaced without the other is told apart from what was written.
    """

    endings = ("", ".json")
    parts = {"linkwork_result", "units", "long_names", "mechanism", "stored"}

    def __init__(self, table: bytes, beside: bytes) -> None:
        super().__init__(beside)
        self.table = table
        said = self.manifest.get("table")
        if not isinstance(said, dict):
            raise FileError(message("The .json file beside the table", "says nothing of a table"))
        found = digests.of_bytes(table)
        if found != said.get("sha256"):
            raise FileError(
                message(
                    "The table",
                    "is not the one that the .json file beside it was written for: it was "
                    "changed or cut, or one of the two files was replaced without the other",
                    f"{len(table)} bytes, sha256 {found[:12]}",
                    f"{str(said.get('bytes'))[:20]} bytes, sha256 {str(said.get('sha256'))[:12]}",
                    "copy both files together, or write the result again",
                )
            )

    @staticmethod
    def encode(content: Content) -> tuple[bytes, ...]:
        """The table and the file beside it as bytes."""
        lines = [_first_line([column.name for column in content.columns])]
        for row in zip(*(column.values.tolist() for column in content.columns), strict=True):
            lines.append(",".join(map(repr, row)))
        table = "".join(line + "\n" for line in lines).encode("utf-8")
        manifest = {**content.manifest, "table": {"bytes": len(table), "sha256": digests.of_bytes(table)}}
        parts = {
            "linkwork_result": canonical(digests.sealed(manifest)),
            "units": canonical({column.name: column.unit for column in content.columns}),
            "long_names": canonical({column.name: column.long_name for column in content.columns}),
            "mechanism": content.mechanism,
            "stored": canonical(stored_for_text(content.stored)),
        }
        beside = "{\n" + ",\n".join(f'"{key}": {text}' for key, text in parts.items()) + "\n}\n"
        return table, beside.encode("utf-8")

    def series(self, entries: list[dict[str, Any]], times: int) -> Iterator[Column]:
        """Every series as other programs read it."""
        rows = list(csv.reader(io.StringIO(self.table.decode("utf-8"), newline="")))
        names = [entry["name"] for entry in entries]
        if rows[0] != [_cell(name) for name in names] or len(rows) != times + 1:
            raise FileError(message("The table", "does not have the names and times of its manifest"))
        columns = list(zip(*rows[1:], strict=True))
        for name, cells in zip(names, columns, strict=True):
            values = np.array([float(cell) for cell in cells])
            yield Column(name, self.whole["units"][name], self.whole["long_names"][name], values)

    def others(self, entries: list[dict[str, Any]]) -> list[str]:
        """What is in the file and not declared."""
        names = {entry["name"] for entry in entries}
        extra = set(self.whole) - self.parts
        return sorted(extra | (set(self.whole["units"]) | set(self.whole["long_names"])) - names)


def _cell(name: str) -> str:
    """A name as the table has it: with an apostrophe before it where a spreadsheet would compute it."""
    return f"'{name}" if name.startswith(FORMULA) else name


def _first_line(names: list[str]) -> str:
    """Names, in quotes where they have a comma, a quote or an end of line in them."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(map(_cell, names))  # of such an end, both are put in quotes
    return out.getvalue().removesuffix("\r\n")


class JSON(_Text):
    """One object: manifest, mechanism, stored numbers, and series with unit, long name and values."""

    endings = ("",)
    parts = {"linkwork_result", "mechanism", "stored", "series"}

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        if "table" in self.manifest:
            raise FileError(message("This file", "belongs to the CSV file beside it", remedy="load that one"))

    @staticmethod
    def encode(content: Content) -> tuple[bytes, ...]:
        """The file as bytes."""
        series = {
            column.name: {"unit": column.unit, "long_name": column.long_name, "values": listed(column.values)}
            for column in content.columns
        }
        whole = {
            "linkwork_result": digests.sealed(content.manifest),
            "mechanism": json.loads(content.mechanism),
            "stored": stored_for_text(content.stored),
            "series": series,
        }
        return ((canonical(whole) + "\n").encode("utf-8"),)

    def series(self, entries: list[dict[str, Any]], times: int) -> Iterator[Column]:
        """Every series as other programs read it."""
        for entry in entries:
            one = self.whole["series"][entry["name"]]
            yield Column(
                entry["name"], one["unit"], one["long_name"], numbers_of(entry["name"], one["values"], (times,))
            )

    def others(self, entries: list[dict[str, Any]]) -> list[str]:
        """What is in the file and not declared."""
        return sorted((set(self.whole) - self.parts) | set(self.whole["series"]) - {entry["name"] for entry in entries})
