"""Plain data to YAML and JSON text.

YAML is laid out as people write it: one line an item where it fits, else one line a field.  Numbers are written with
all their digits, so that reading gives the same number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from linkwork.errors import DescriptionError, message, nearest_names

WIDTH = 118
_PLAIN = re.compile(
    r"[A-Za-z_][A-Za-z0-9_.\-/*^()+]*(?: [A-Za-z0-9_.\-/*^()+]+)*"
    r"|[0-9]+(?:\.[0-9]+)? [A-Za-z][A-Za-z0-9*/^]*"
)
_OTHER = re.compile(r"(?i)[-+.]?(nan|inf|infinity)|[-+]?[0-9.]+(e[-+]?[0-9]+)?|[yn]|yes|no|on|off|true|false|null")
_RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
# what YAML, which reads JSON too, does not allow or takes for the end of a line; beyond, JSON has only halves to write
_UNSEEN = re.compile(r"[\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def known_format(format: Any, item: str) -> None:
    """Refuse a format of text that does not exist."""
    if format not in ("yaml", "json"):
        close = nearest_names(str(format), ["yaml", "json"])
        raise DescriptionError(
            message(
                item,
                "does not know the format",
                repr(format),
                "'yaml' or 'json'",
                f"nearest: {close[0]!r}" if close else None,
            )
        )


def to_json(data: Any, indent: int | None = 2) -> str:
    """JSON text; the same data always gives the same text."""
    if indent is None:
        return json.dumps(data, separators=(",", ":"), allow_nan=False)
    return _seen(json.dumps(data, indent=indent, allow_nan=False, ensure_ascii=False)) + "\n"


def to_json_line(data: Any) -> str:
    """The same on one line."""
    return _seen(json.dumps(data, allow_nan=False, ensure_ascii=False))


def _seen(text: str) -> str:
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def to_yaml(data: dict[str, Any]) -> str:
    """YAML text of a document: sections of named items, and single fields."""
    lines: list[str] = []
    for key, value in data.items():
        if isinstance(value, dict) and value and all(isinstance(one, dict) for one in value.values()):
            lines.append(f"{_key(key)}:")
            for name, item in value.items():
                lines += _item(name, item)
        else:
            lines += _wrapped(f"{_key(key)}: ", value, 2)
    return "\n".join(lines) + "\n"


def _item(name: str, item: dict[str, Any]) -> list[str]:
    line = f"  {_key(name)}: {_flow(item)}"
    if len(line) <= WIDTH or not item:
        return [line]
    lines = [f"  {_key(name)}:"]
    for key, value in item.items():
        lines += _wrapped(f"    {_key(key)}: ", value, 6)
    return lines


def _wrapped(start: str, value: Any, indent: int) -> list[str]:
    """A field in flow style, broken after commas where it is too long."""
    lines, line, chunk = [], start, ""
    for part in (*_parts(value), ", "):
        chunk += part
        if part != ", ":
            continue
        if len(line) + len(chunk) - 1 > WIDTH and line.endswith(", "):
            lines.append(line.rstrip())
            line = " " * indent
        line, chunk = line + chunk, ""
    return [*lines, line[:-2]]


def _flow(value: Any) -> str:
    return "".join(_parts(value))


def _parts(value: Any) -> Iterator[str]:
    """Pieces of flow style; a line may be broken after a comma."""
    if isinstance(value, dict):
        yield "{"
        for k, (key, one) in enumerate(value.items()):
            yield f"{_key(key)}: "
            yield from _parts(one)
            if k < len(value) - 1:
                yield ", "
        yield "}"
    elif isinstance(value, list | tuple):
        yield "["
        for k, one in enumerate(value):
            yield from _parts(one)
            if k < len(value) - 1:
                yield ", "
        yield "]"
    else:
        yield _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        text = repr(value)
        mantissa, e, exponent = text.partition("e")
        return f"{mantissa}{'' if '.' in mantissa else '.0'}e{exponent}" if e else text  # YAML 1.1 wants the dot
    return _text(value)


def _key(name: str) -> str:
    return name if name == "on" else _text(name)


def _text(value: str) -> str:
    """A text without quotes where no reader of YAML takes it for anything else."""
    if _PLAIN.fullmatch(value) and len(value) < 80 and not _resolves(value):
        return value
    return '"' + "".join(_escaped(c) for c in value) + '"'


def _resolves(value: str) -> bool:
    """Whether YAML 1.1 or 1.2 would read a plain text as something else."""
    if _OTHER.fullmatch(value):
        return True
    return any(pattern.match(value) for _, pattern in (*_RESOLVERS.get(value[:1], ()), *_RESOLVERS.get(None, ())))


def _escaped(c: str) -> str:
    if c in _ESCAPES:
        return _ESCAPES[c]
    if c.isprintable() and c != "\ufeff":
        return c
    code = ord(c)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
