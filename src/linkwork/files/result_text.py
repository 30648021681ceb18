"""Results as text: CSV below a few lines of comment, and JSON.

Numbers are written by their shortest form that reads back as the very same number.
"""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np

from linkwork.files.results import Content, numbers_in, numbers_out, plain_text

STATE = re.compile(r"state\[(\d+)\]")


def _number(value: float) -> str:
    return repr(float(value))


class CSV:
    """Comment lines (`# key: JSON`), a line of names, then one line for each time; states are the last columns."""

    @staticmethod
    def encode(content: Content) -> bytes:
        """The file as bytes."""
        states = np.asarray(content.stored["states"], dtype=float)
        rest = {key: value for key, value in content.stored.items() if key not in ("t", "states")}
        out = io.StringIO(newline="")
        out.write("# linkwork result: " + plain_text(content.manifest) + "\n")
        out.write("# units: " + plain_text({column.name: column.unit for column in content.columns}) + "\n")
        out.write("# long names: " + plain_text({column.name: column.long_name for column in content.columns}) + "\n")
        out.write("# stored: " + plain_text(numbers_in(rest)) + "\n")
        out.write("# mechanism: " + plain_text(content.mechanism) + "\n")
        out.write("# read with linkwork.load, or by other programs with '#' as the sign of a comment\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([column.name for column in content.columns]
                        + [f"state[{k}]" for k in range(states.shape[1])])
        series = [column.values.tolist() for column in content.columns]
        for k, state in enumerate(states.tolist()):
            writer.writerow([_number(values[k]) for values in series] + [_number(value) for value in state])
        return out.getvalue().encode("utf-8")

    @staticmethod
    def decode(data: bytes) -> Content:
        """What the file holds."""
        text = io.StringIO(data.decode("utf-8"), newline="")
        comments = {}
        while True:
            place = text.tell()
            line = text.readline()
            if not line.startswith("#"):
                text.seek(place)
                break
            key, colon, value = line[1:].partition(":")
            if colon:
                comments[key.strip()] = value.strip()
        rows = list(csv.reader(text))
        names, numbers = rows[0], np.array([[float(one) for one in row] for row in rows[1:]], dtype=float)
        numbers = numbers.reshape(len(rows) - 1, len(names))
        states = {int(match[1]): k for k, name in enumerate(names) if (match := STATE.fullmatch(name))}
        stored = numbers_out(json.loads(comments["stored"]))
        stored["t"] = numbers[:, names.index("time")]
        stored["states"] = numbers[:, [states[k] for k in range(len(states))]]
        return Content(json.loads(comments["linkwork result"]), json.loads(comments["mechanism"]), stored)


class JSON:
    """One object: manifest, mechanism, stored numbers, and series with unit, long name and values."""

    @staticmethod
    def encode(content: Content) -> bytes:
        """The file as bytes."""
        series = {column.name: {"unit": column.unit, "long_name": column.long_name,
                                "values": numbers_in({"": column.values})[""]["values"]}
                  for column in content.columns}
        whole = {"linkwork_result": content.manifest, "mechanism": json.loads(content.mechanism),
                 "stored": numbers_in(content.stored), "series": series}
        return (json.dumps(whole, allow_nan=False, indent=None, separators=(",", ":")) + "\n").encode("utf-8")

    @staticmethod
    def decode(data: bytes) -> Content:
        """What the file holds."""
        whole = json.loads(data.decode("utf-8"))
        return Content(whole["linkwork_result"], json.dumps(whole["mechanism"]), numbers_out(whole["stored"]))
