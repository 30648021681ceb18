"""What a node refers to: frames on bodies, measures, functions of time, tables in files, laws by name."""

from __future__ import annotations

import collections.abc
import functools
import re
import typing
from typing import Any

import linkwork as lw
from linkwork.errors import LinkworkError, UnknownNameError, plural
from linkwork.files.declarations import Declaration, declare, kind_named, kinds, number_of, options, singular
from linkwork.files.nodes import Node
from linkwork.files.problems import shown
from linkwork.files.tables import read_table
from linkwork.files.values import (
    FAILED,
    PLAIN,
    Context,
    convert,
    counted,
    expression_error,
    got,
    is_number,
    is_text,
    kept,
    leading_zero,
    number,
    used,
    words,
)
from linkwork.units import Number, is_quantity


def referred(ctx: Context, node: Node, wanted: tuple[Any, ...], item: str, what: str) -> Any:
    """The thing that a scalar or a map refers to; NotImplemented where none of these kinds is wanted."""
    classes = [kind for kind in wanted if isinstance(kind, type)]
    if lw.Frame in classes:
        return frame(ctx, node, item, what)
    if lw.Body in classes:
        from linkwork.files.items import body

        return body(ctx, node, f"{item} {what}")
    functions = tuple(kind for kind in classes if issubclass(kind, lw.Function))
    if node.kind == "map":
        if lw.Orientation in classes:
            return orientation(ctx, node, item, what)
        if collections.abc.Callable in wanted or lw.Function in classes:
            law = node.get("law")
            if law is not None and node.get("type") is None:
                return _law(ctx, law, item, what) if _alone(ctx, node, "law", item, what) else FAILED
        if lw.Measure in classes and (not functions or (_kind(node) and kind_named("measures", _kind(node)))):
            return _build_kind(ctx, node, "measures", (lw.Measure,), item, what)
        if functions:
            return function(ctx, node, functions, item, what)
        if collections.abc.Callable in wanted:
            return ctx.wrong(node, item, f"{what} is a map that names no law", got(node), words(wanted))
        return NotImplemented
    if lw.Measure in classes and not (functions and not _is_reading(ctx, node)):
        return reading(ctx, node, item, what)
    if lw.Function in classes:
        return of_time(ctx, node, number_of(wanted), item, what)
    if collections.abc.Callable in wanted and number_of(wanted) is None:
        return _law(ctx, node, item, what)
    return NotImplemented


# -- frames ------------------------------------------------------------------------------------------------------------


def frame(ctx: Context, node: Node, item: str, what: str) -> Any:
    """A frame: "crank.a", "crank", {crank: [x, y]}, or {body: crank, at: [x, y], angle: 30 deg}."""
    if node.kind == "scalar":
        name = node.text.partition(".")[0]
        if _body(ctx, node, name, item, what) is FAILED:
            return FAILED
        try:
            return ctx.mechanism.frame(node.text)
        except UnknownNameError as error:
            wrong = f"{what} names a point that body {shown(name)} does not have:"
            places = "The ground has places: {ground: [0, 1]}." if name == "ground" else ""
            return ctx.unknown(node, item, wrong, str(error.name), error.known, places)
    if len(node.items) == 1 and node.items[0][1].kind == "list":
        ((key, place),) = node.items
        body = _body(ctx, key, key.text, item, what)
        return _at(ctx, node, body, place, {}, item, what)
    hints = frame_fields()
    short = [(key, place) for key, place in node.items if key.text not in ("body", "at", *hints)]
    if len(short) == 1 and node.get("body") is None and node.get("at") is None and short[0][1].kind == "list":
        ((key, place),) = short  # {ground: [0, 0], angle: 90 deg}
        others = [f"{one.text}: {value.text or '...'}" for one, value in node.items if one is not key]
        where = ", ".join(one.text or "..." for one in place.items)
        form = f"{{{', '.join([f'body: {key.text}', f'at: [{where}]', *others])}}}"
        return ctx.wrong(node, item, f"{what} has a place in short and other fields", wanted=form)
    given: dict[str, Any] = {}
    name_node = place_node = None
    good = True
    for key, value in node.items:
        if key.text == "body":
            name_node = value
        elif key.text == "at":
            place_node = value
        elif key.text in hints:
            given[key.text] = convert(ctx, value, hints[key.text], item, f"{what} {key.text}")
        else:
            good = False
            ctx.unknown(key, item, f"{what} has an unknown field", key.text, ["body", "at", *hints])
    if name_node is None or name_node.kind != "scalar":
        body = ctx.wrong(
            name_node or node, item, f"{what} does not say on which body it is", got(node), words((lw.Frame,))
        )
    else:
        body = _body(ctx, name_node, name_node.text, item, what)
    if not good or any(value is FAILED for value in given.values()):
        body = FAILED
    given = {key: value for key, value in given.items() if value is not None}
    return _at(ctx, node, body, place_node, given, item, what)


@functools.cache
def frame_fields() -> dict[str, tuple[Any, ...]]:
    """Kinds of what a frame takes beside its body and its place."""
    return {
        name: options(hint)
        for name, hint in typing.get_type_hints(lw.Frame, include_extras=True).items()
        if name not in ("body", "position")
    }


def table_fields() -> dict[str, Any]:
    """What a table in a file takes beside the file."""
    return {name: field for name, field in declare(lw.Table).fields.items() if name not in ("times", "values")}


def _body(ctx: Context, node: Node, name: str, item: str, what: str) -> Any:
    if name == "ground":
        return ctx.mechanism.ground
    if name in ctx.mechanism.bodies:
        return ctx.mechanism.bodies[name]
    if name in ctx.failed or "bodies" in ctx.lost:
        return FAILED  # it is in the file, and what is wrong with it has been said
    return ctx.unknown(
        node, item, f"{what} is on a body that does not exist:", name, [*ctx.declared.get("bodies", ()), "ground"]
    )


def _at(ctx: Context, node: Node, body: Any, place: Node | None, given: dict, item: str, what: str) -> Any:
    position: Any = ()
    if place is not None and place.kind == "list" and len(place.items) not in (2, 3):
        told = f"{what} has a position of {plural(len(place.items), 'number')}"
        one = place.items[0].text if len(place.items) == 1 and place.items[0].kind == "scalar" else ""
        comma = "are commas missing? Write [0.1, 0]" if " " in one.strip() else None
        position = ctx.wrong(place, item, told, wanted=str(ctx.mechanism.dimension), remedy=comma)
    elif place is not None:
        position = convert(ctx, place, declare(lw.Body).fields["center"].kinds, item, f"{what} position")
    if body is FAILED or position is FAILED:
        return FAILED
    try:
        return body.at(*position, **given)
    except (LinkworkError, ArithmeticError) as error:
        return ctx.wrong(node, item, f"{what}: {error}")


def orientation(ctx: Context, node: Node, item: str, what: str) -> Any:
    """{axis: [0, 0, 1], angle: 30 deg}, {angles: [...], order: XYZ} or another of the forms of an orientation."""
    from linkwork.files.items import build

    forms = {fields: declare(make) for fields, make in lw.Orientation.forms().items()}
    given = {key.text for key, _ in node.items}
    shared = {fields: len(given & set(fields.split(", "))) for fields in forms}
    best = max(shared, key=lambda fields: shared[fields])
    if not shared[best]:
        return ctx.wrong(
            node,
            item,
            f"{what} is a map of no known form",
            ", ".join(sorted(given)) or got(node),
            " or ".join("{" + fields + "}" for fields in forms),
        )
    keep, ctx.keep = ctx.keep, False
    made = build(ctx, node, forms[best], f"{item} {what}", told="")
    ctx.keep = keep
    if made is FAILED or not keep:
        return made
    written = {
        key.text: convert(ctx, value, forms[best].fields[key.text].kinds, item, what) for key, value in node.items
    }
    return written if isinstance(lw.Body(mass=0.0, orientation=written), lw.Recipe) else made


# -- measures ----------------------------------------------------------------------------------------------------------


def _is_reading(ctx: Context, node: Node) -> bool:
    name, dot, _ = node.text.partition(".")
    return bool(dot) and any(name in ctx.declared.get(family, ()) for family in ("bodies", "joints", "forces"))


def reading(ctx: Context, node: Node, item: str, what: str) -> Any:
    """A measure by its name: "A.angle" of a joint or a force, "crank.x" of a body."""
    name = node.text.partition(".")[0]
    try:
        return ctx.mechanism.measure(node.text)
    except UnknownNameError as error:
        if name in ctx.failed or (ctx.lost and name not in ctx.mechanism):
            return FAILED  # what is wrong with it has been said
        if name in ctx.mechanism:
            quantity = node.text.partition(".")[2]
            known = [one.partition(".")[2] for one in error.known]
            return ctx.unknown(node, item, f"{what} is not a measure of {shown(name)}:", quantity, known)
        for family in ("forces", "drivers", "readings"):
            if name in ctx.declared.get(family, ()):
                return ctx.wrong(
                    node,
                    item,
                    f"{what} reads {singular(family).lower()} {shown(name)}, which is not known here",
                    remedy=f"put that {singular(family).lower()} before this one",
                )
        return ctx.unknown(node, item, f"{what} is not a measure:", node.text, error.known)


def _kind(node: Node) -> str:
    named = node.get("type")
    return named.text if named is not None else ""


def _build_kind(ctx: Context, node: Node, family: str, bases: tuple[type, ...], item: str, what: str) -> Any:
    """Build what a map with `type` describes, of a family of classes."""
    from linkwork.files.items import build, check_shared

    named = node.get("type")
    kind: Any = kind_named(family, named.text) if named is not None and named.kind == "scalar" else None
    if kind is not None and issubclass(kind, bases):
        declaration: Declaration = declare(kind)
        return build(ctx, node, declaration, f"{item} {what} ({declaration.name})")
    known = [name for name, one in kinds(family).items() if issubclass(one, bases)]  # type: ignore[arg-type]  # `bases` are classes here
    if named is None:
        ctx.wrong(node, item, f"{what} has no type", got(node), f"type: {', '.join(known)}")
    else:
        name = named.text if named.kind == "scalar" else got(named)
        ctx.unknown(named, item, f"{what} has an unknown type", name, known)
    return check_shared(ctx, node, family, f"{item} {what}")


# -- functions of time and laws ----------------------------------------------------------------------------------------


def function(ctx: Context, node: Node, bases: tuple[type, ...], item: str, what: str) -> Any:
    """{type: SmoothStep, ...}; {file: table.csv} for a table."""
    reference = node.get("file")
    if reference is not None and issubclass(lw.Table, bases) and _kind(node) in ("", "Table"):
        return _table(ctx, node, reference, item, what)
    return _build_kind(ctx, node, "functions", bases, item, what)


def _table(ctx: Context, node: Node, reference: Node, item: str, what: str) -> Any:
    fields = table_fields()
    given: dict[str, Any] = {}
    for key, value in node.items:
        if key.text in fields:
            given[key.text] = convert(ctx, value, fields[key.text].kinds, item, f"{what} {key.text}")
        elif key.text not in ("file", "type"):
            ctx.unknown(key, item, f"{what} has an unknown field", key.text, ["file", "type", *fields])
            given[key.text] = FAILED
    columns = read_table(ctx, reference, f"{item} {what}")
    if columns is FAILED or any(value is FAILED for value in given.values()):
        return FAILED
    try:
        return lw.Table(*columns, **given)
    except LinkworkError as error:
        return ctx.wrong(reference, f"{item} {what}:", str(error))


def of_time(ctx: Context, node: Node, meaning: Number | None, item: str, what: str) -> Any:
    """A number, a number with a unit, or an expression of t; `meaning` is that of a number where one will do."""
    written = node.text.strip()
    if (
        is_number(node)
        or not is_text(node)
        or is_quantity(written, timed=True)
        or (meaning is not None and not re.search(r"\bt\b", written))
    ):
        return number(ctx, node, item, what, meaning or PLAIN)
    if leading_zero(ctx, node, item, what):
        return FAILED
    counted(ctx, node)
    try:
        return kept(ctx, written, lw.Expression(written, used(written, ctx.parameters)))
    except LinkworkError as error:
        return expression_error(ctx, node, written, item, what, error)


def _law(ctx: Context, node: Node, item: str, what: str) -> Any:
    """A Python function by its name: it must have been given, nothing is imported."""
    if not is_text(node) or not node.text:
        return ctx.wrong(node, item, f"{what} does not name a law", got(node), "the name of a Python function")
    given = ctx.laws.get(node.text)
    if given is None:
        return ctx.wrong(
            node,
            item,
            f"{what} is the Python function {shown(node.text)}, which a file cannot hold",
            remedy=f"give it on reading: laws={{{shown(node.text)}: function}}, as read, load and resume take it",
        )
    if not callable(given):
        return ctx.wrong(
            node,
            item,
            f"{what} is the law {shown(node.text)}, which was given as no function",
            type(given).__name__,
            "a Python function",
        )
    return given


def measure_of_map(ctx: Context, node: Node, item: str, what: str) -> Any:
    """A measure that a map with `type` describes."""
    return _build_kind(ctx, node, "measures", (lw.Measure,), item, what)


def python_function(ctx: Context, node: Node, item: str, what: str) -> Any:
    """{law: name}: a Python function that is given on reading."""
    named = node.get("law")
    return _law(ctx, named, item, what) if named is not None and _alone(ctx, node, "law", item, what) else FAILED


def _alone(ctx: Context, node: Node, name: str, item: str, what: str) -> bool:
    """Whether a map has this one field."""
    for key, _ in node.items:
        if key.text != name:
            ctx.unknown(key, item, f"{what} has an unknown field beside {name}:", key.text, [name])
            return False
    return True
