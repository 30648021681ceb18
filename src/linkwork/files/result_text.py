"""Results as text: CSV with a JSON file beside it, and JSON.

Numbers are written by their shortest form that reads back as the very same number.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json

from linkwork.errors import FileError, message
from linkwork.files.results import Content, numbers_in, numbers_out, plain_text


class CSV:
    """A table with the names in its first line and nothing else, for any program; `x.csv.json` holds the rest.

    That is units, long names, manifest, mechanism and stored numbers, and digests of the table and of those numbers:
    what was changed, cut, or replaced without the other is told apart from what was written.
    """

    endings = ("", ".json")

    @staticmethod
    def encode(content: Content) -> tuple[bytes, ...]:
        """The table and the file beside it as bytes."""
        lines = [_first_line([column.name for column in content.columns])]
        for row in zip(*(column.values.tolist() for column in content.columns), strict=True):
            lines.append(",".join(map(repr, row)))
        table = "".join(line + "\n" for line in lines).encode("utf-8")
        stored = plain_text(numbers_in(content.stored))
        parts = {
            "linkwork_result": plain_text(content.manifest),
            "table": plain_text({"bytes": len(table), "sha256": _digest(table)}),
            "units": plain_text({column.name: column.unit for column in content.columns}),
            "long_names": plain_text({column.name: column.long_name for column in content.columns}),
            "mechanism": plain_text(json.loads(content.mechanism)),
            "stored_sha256": plain_text(_digest(stored.encode())),
            "stored": stored,
        }
        beside = "{\n" + ",\n".join(f'"{key}": {text}' for key, text in parts.items()) + "\n}\n"
        return table, beside.encode("utf-8")

    @staticmethod
    def decode(table: bytes, beside: bytes) -> Content:
        """What the two files hold."""
        whole = json.loads(beside.decode("utf-8"))
        if _digest(table) != whole["table"]["sha256"]:
            raise FileError(message("The table", "is not the one that the .json file beside it was written for: it was "
                                    "changed or cut, or one of the two files was replaced without the other",
                                    f"{len(table)} bytes, sha256 {_digest(table)[:12]}",
                                    f"{whole['table']['bytes']} bytes, sha256 {str(whole['table']['sha256'])[:12]}",
                                    "copy both files together, or write the result again"))
        if _digest(plain_text(whole["stored"]).encode()) != whole["stored_sha256"]:
            raise FileError(message("The .json file beside the table", "was changed after it was written: its stored "
                                    "numbers are others", remedy="write the result again"))
        return Content(whole["linkwork_result"], json.dumps(whole["mechanism"]), numbers_out(whole["stored"]))


def _first_line(names: list[str]) -> str:
    """Names, in quotes where they have a comma, a quote or an end of line in them."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerow(names)  # of a line that ends so, both characters are put in quotes
    return out.getvalue().removesuffix("\r\n")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class JSON:
    """One object: manifest, mechanism, stored numbers, and series with unit, long name and values."""

    endings = ("",)

    @staticmethod
    def encode(content: Content) -> tuple[bytes, ...]:
        """The file as bytes."""
        series = {column.name: {"unit": column.unit, "long_name": column.long_name,
                                "values": numbers_in({"": column.values})[""]["values"]}
                  for column in content.columns}
        whole = {"linkwork_result": content.manifest, "mechanism": json.loads(content.mechanism),
                 "stored": numbers_in(content.stored), "series": series}
        return ((json.dumps(whole, allow_nan=False, indent=None, separators=(",", ":")) + "\n").encode("utf-8"),)

    @staticmethod
    def decode(data: bytes) -> Content:
        """What the file holds."""
        whole = json.loads(data.decode("utf-8"))
        if "table" in whole:
            raise FileError(message("This file", "belongs to the CSV file beside it", remedy="load that one"))
        return Content(whole["linkwork_result"], json.dumps(whole["mechanism"]), numbers_out(whole["stored"]))
