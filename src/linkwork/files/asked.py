"""The analysis that a model file asks for, as plain data; names, words and units are checked, each with its line."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import linkwork as lw
from linkwork.errors import LinkworkError, UnitError, UnknownNameError
from linkwork.files.declarations import Field, analyses, analysis_fields, number_of, of_machine, options
from linkwork.files.nodes import Node
from linkwork.files.problems import shown
from linkwork.files.source import neighbours
from linkwork.files.tables import locate
from linkwork.files.values import FAILED, PLAIN, Context, convert, got, number
from linkwork.units import Measured, is_quantity

BOUNDS = "least and greatest: [10, 50]"
FROM_TO = "from, to and count: [0, 360 deg, 361]"
LOOKED_AT = 20  # texts of one name of a sweep; the sweep itself looks at all of them


def analysis_of(ctx: Context, node: Node | None) -> dict[str, Any] | None:
    """The analysis that a file asks for, as plain data; its names and words are checked."""
    if node is None:
        return None
    known = analyses()
    kind = node.get("type")
    if kind is not None and kind.kind == "scalar" and kind.text in known:
        item, fields = f"analysis ({kind.text})", analysis_fields(known[kind.text])
    else:  # what any analysis takes can be looked at
        item, fields = "analysis", {}
        for one in known.values():
            fields |= analysis_fields(one)
        if kind is None:
            ctx.wrong(node, item, "has no type", wanted=f"type: {', '.join(known)}")
        else:
            name = kind.text if kind.kind == "scalar" else got(kind)
            ctx.unknown(kind, item, "has an unknown type", name, known)
    found: dict[str, Any] = {"type": kind.text if kind else ""}
    for key, value in node.items:
        if key.text == "type":
            continue
        if key.text not in fields:
            if kind is not None and kind.text in known and key.text in of_machine(known[kind.text]):
                own = "belongs to the machine, not to the file"
                ctx.wrong(key, item, f"{key.text} {own}", remedy=f"give it to the call, {key.text}=, or command")
                continue
            ctx.unknown(key, item, "has an unknown field", key.text, fields)
            continue
        if value.kind == "map":
            found[key.text] = _by_name(ctx, value, item, key.text, fields[key.text])
        else:
            read = convert(ctx, value, fields[key.text].kinds, item, key.text)
            if key.text == "measured" and read is not FAILED:
                read = _measured(ctx, value, item)
            found[key.text] = [_as_written(one) for one in read] if isinstance(read, tuple) else _as_written(read)
    if isinstance(duration := found.get("duration"), float) and isinstance(every := found.get("every"), float):
        try:
            ctx.mechanism.check_outputs(duration, every)
        except LinkworkError as error:
            place = next(key for key, _ in node.items if key.text == "every")
            ctx.problems.add(place.line, place.column, str(error))
    if not ctx.problems.found:
        _asked(ctx, node, found)
    return found


def _asked(ctx: Context, node: Node, found: dict[str, Any]) -> None:
    """What is read, made best or limited, and bases: each fault at its entry, in the spelling of files."""
    for field, entry, error in lw.check_asked(ctx.mechanism, found):
        place: Any = node.get(field)
        if place.kind == "list":
            place = place.items[entry]
        elif place.kind == "map":
            place = next((value for key, value in place.items if key.text == entry), place)
        ctx.problems.add(place.line, place.column, _in_files(str(error)))


def _in_files(told: str) -> str:
    """Arguments as fields of a file: coordinates='point' is coordinates: point."""
    told = re.sub(r"\b([a-z_]+)=(['\"])(\w+)\2", r"\1: \3", told)
    told = re.sub(r"\b([a-z_]+)=(?=,)", r"\1", told)
    told = re.sub(r"\b([a-z_]+)=(?=[\s.;)]|$)", r"\1:", told)
    return re.sub(
        r"""\{"(\w+)": \(("\w+"(?:, "\w+")*)\)\}""", lambda m: f"{{{m[1]}: [{m[2].replace(chr(34), '')}]}}", told
    )


def _measured(ctx: Context, node: Node, item: str) -> Any:
    """The path of a record, which must be there."""
    path = locate(ctx, node, item)
    if path is FAILED or path.is_file():
        return path if path is FAILED else str(path)
    near = neighbours(path)
    wanted = f"a table (.csv) in the folder of this file.{near}"
    return ctx.wrong(node, item, "measured names a file that is not there", got(node), wanted)


def _by_name(ctx: Context, node: Node, item: str, what: str, field: Field) -> Any:
    """Numbers by name; one with a unit stays a text, because what it is for knows which unit is right."""
    inside = [options(typing.get_args(kind)[1]) for kind in field.kinds if typing.get_origin(kind) is Mapping]
    listed = [options(typing.get_args(k)[0]) for kinds in inside for k in kinds if typing.get_origin(k) is Sequence]
    if not inside or (listed and number_of(listed[0]) is None):  # or lists of words
        return convert(ctx, node, field.kinds, item, what)
    meaning = number_of(listed[0] if listed else inside[0]) or PLAIN

    def read(one: Node, name: str) -> Any:
        return _as_written(number(ctx, one, item, name, meaning))

    values: dict[str, Any] = {}
    bounds = what == "vary"
    maps = any(typing.get_origin(kind) is Mapping for kinds in inside for kind in kinds)
    for key, one in node.items:
        name = f"{what} {shown(key.text)}"
        if listed and maps and one.kind == "map":
            values[key.text] = {part.text: read(part_of, f"{name} {part.text}") for part, part_of in one.items}
            _check_span(ctx, one, f"{item} {name}")
        elif listed and one.kind != "list":
            wanted = "[10, 20, 40], or {from: 10, to: 50, count: 5}" if maps else BOUNDS if bounds else FROM_TO
            ctx.wrong(one, item, f"{name} is no list", got(one), wanted)
        elif listed:
            values[key.text] = [read(part, f"{name}[{k}]") for k, part in enumerate(one.items)]
        else:
            values[key.text] = read(one, name)
    if what in ("start", "near"):
        _start_values(ctx, node, values)
    if what == "vary":
        _varied(ctx, node, values)
    return values


def _check_span(ctx: Context, node: Node, item: str) -> None:
    """A span has from, to and count; a distribution has mean and deviation."""
    given = [key.text for key, _ in node.items]
    forms = (("from", "to", "count"), ("mean", "deviation"))
    form = max(forms, key=lambda names: len(set(names) & set(given)))
    for key, _ in node.items:
        if key.text not in form:
            ctx.unknown(key, item, "has an unknown field", key.text, form)
    missing = [name for name in form if name not in given]
    if missing and set(given) <= set(form):
        wanted = "{from: 10, to: 50, count: 5}" if "count" in form else "{mean: 10, deviation: 0.1}"
        ctx.wrong(node, item, f"has no {' and no '.join(missing)}", _flow(node), wanted)


def _flow(node: Node) -> str:
    """A map of few words as it was written."""
    return "{" + ", ".join(f"{key.text}: {value.text}" for key, value in node.items) + "}"


def _varied(ctx: Context, node: Node, values: dict[str, Any]) -> None:
    """Names and units of what is varied, each with its line."""
    for key, _ in node.items:
        name, start = key.text, lw.start_name(key.text)
        if (start or name).partition(".")[0] in ctx.failed or ctx.lost:
            continue
        given = values.get(name) or []
        some = [one for word, one in given.items() if word != "count"] if isinstance(given, dict) else given
        texts = dict.fromkeys(one for one in some if isinstance(one, str))
        for one in [*some[:1], *list(texts)[:LOOKED_AT]]:
            try:
                if start is not None:
                    ctx.mechanism.check_start({start: one})
                else:
                    ctx.mechanism.with_numbers({name: one})
            except LinkworkError as error:
                named = isinstance(error, (UnknownNameError, UnitError))
                if named or (isinstance(one, str) and not is_quantity(one)):  # else it is a value of some designs
                    ctx.problems.add(key.line, key.column, str(error))
                    break


def _start_values(ctx: Context, node: Node, values: Any) -> None:
    """Names and units of start values, each with its line; of items that could not be read nothing is known."""
    for key, _ in node.items:
        if key.text.partition(".")[0] in ctx.failed or ctx.lost:
            continue
        if isinstance(values, dict) and isinstance(values.get(key.text), (int, float, str)):
            try:
                ctx.mechanism.check_start({key.text: values[key.text]})
            except LinkworkError as error:
                ctx.problems.add(key.line, key.column, str(error))


def _as_written(value: Any) -> Any:
    """A number whose unit nobody here knows to be right, as the text that it was."""
    return value.written() if isinstance(value, Measured) else value
