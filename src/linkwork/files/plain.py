"""A model file as plain data, word for word: to check it by the schema, or to write it in the other format.

Unlike reading and writing the mechanism, this keeps shapes, units, parameters and expressions as they were written;
comments have no place in JSON and are lost.
"""

from __future__ import annotations

import os
from typing import Any

from linkwork.arguments import explained
from linkwork.files.emit import known_format, to_json, to_yaml
from linkwork.files.nodes import Node, compose
from linkwork.files.problems import Problems, TooManyProblems
from linkwork.files.source import open_source
from linkwork.files.values import is_null, is_number


def load_plain(source: str | os.PathLike[str]) -> Any:
    """Text, numbers, truth values, lists and maps of a file; raises `FileError` where the syntax is wrong."""
    opened = open_source(source)
    problems = Problems(opened.name, opened.text)
    root = None
    try:
        root = compose(opened.text, problems)
    except TooManyProblems:
        pass
    problems.raise_any()
    return _data(root) if root is not None else None


@explained
def convert_text(source: str | os.PathLike[str], format: str) -> str:
    """A model file in the other format, "yaml" or "json", word for word."""
    known_format(format, "convert_text")
    data = load_plain(source)
    return to_yaml(data) if format == "yaml" and isinstance(data, dict) else to_json(data)


def _data(node: Node) -> Any:
    if node.kind == "map":
        return {key.text: _data(value) for key, value in node.items}
    if node.kind == "list":
        return [_data(value) for value in node.items]
    if is_null(node):
        return None
    if is_number(node):
        value = float(node.text)
        whole = "." not in node.text and "e" not in node.text.lower() and abs(value) < 2**53
        return int(value) if whole else value
    if node.plain and node.tag != "str" and node.text.lower() in ("true", "false"):
        return node.text.lower() == "true"
    return node.text
