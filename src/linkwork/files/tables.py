"""Tables in files of their own: two columns of numbers, in the folder of the model file or below it."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkwork.errors import FileError
from linkwork.files.nodes import Node
from linkwork.files.problems import TooManyProblems, shown
from linkwork.files.source import read_bytes
from linkwork.files.values import FAILED, got, is_text

if TYPE_CHECKING:
    from linkwork.files.values import Context

MOST_BYTES = 1_000_000
MOST_ROWS = 100_000  # of all tables that a model file refers to, each as often as it is used
_SEPARATOR = re.compile(r"\s*[,;\t]\s*|\s+")


def read_table(ctx: Context, node: Node, item: str) -> Any:
    """The two columns of a table, as lists; a line of words at the top and lines with # are passed over."""
    path = locate(ctx, node, item)
    if path is FAILED:
        return FAILED
    if path not in ctx.tables:
        ctx.tables[path] = _columns(ctx, path, node, item)
    columns = ctx.tables[path]
    if columns is not FAILED:
        ctx.rows += len(columns[0])
        if ctx.rows > MOST_ROWS:
            ctx.wrong(
                node,
                item,
                "refers to a table, with which all tables of this file have too many rows",
                str(ctx.rows),
                f"at most {MOST_ROWS}",
            )
            raise TooManyProblems
    return columns


def _columns(ctx: Context, path: Path, node: Node, item: str) -> Any:
    try:
        data = read_bytes(path, node.text, MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        return ctx.wrong(node, item, f"reads {shown(node.text)}, which is not UTF-8 text")
    except FileError as error:
        return ctx.wrong(node, item, f"reads a file that cannot be used: {error}")
    columns: tuple[list[float], list[float]] = ([], [])
    for k, line in enumerate(data.splitlines(), start=1):
        cells = _SEPARATOR.split(line.partition("#")[0].strip())
        if cells == [""]:
            continue
        try:
            numbers = [float(cell) for cell in cells]
        except ValueError:
            if not columns[0] and k == 1:
                continue  # names of the columns
            numbers = []
        if len(numbers) != 2 or not all(map(math.isfinite, numbers)):
            return ctx.wrong(
                node,
                item,
                f"reads {shown(node.text)}, where line {k} is not two finite numbers",
                shown(line.strip()),
                "two numbers, parted by a comma, a semicolon or a space",
            )
        for column, value in zip(columns, numbers):
            column.append(value)
    return columns


def locate(ctx: Context, node: Node, item: str) -> Any:
    """The path of a file that is named in a model file; it must stay below the folder of that file."""
    if not is_text(node) or not node.text.strip():
        return ctx.wrong(node, item, "does not name a file", got(node), "a file name such as spring.csv")
    if ctx.folder is None:
        return ctx.wrong(
            node,
            item,
            f"refers to the file {shown(node.text)}, but this is a text without a folder",
            remedy="read the model from its file, or write the table out",
        )
    written = node.text.replace("\\", "/")
    parts = written.split("/")
    below = not (written.startswith(("/", "~")) or ".." in parts or ":" in parts[0] or "\0" in written)
    folder = Path(ctx.folder).resolve()
    path = folder
    if below:
        try:
            path = (folder / written).resolve()
            below = path.is_relative_to(folder)
        except (OSError, RuntimeError, ValueError):  # a circle of links, a name that is too long
            below = False
    if not below:
        return ctx.wrong(
            node,
            item,
            "refers to a file outside the folder of this one",
            shown(node.text),
            "a file in the folder of the model file or below it",
        )
    return path
