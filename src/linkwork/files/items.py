"""Items of a mechanism from their maps: fields by the declaration, then the class itself checks what it is given."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import Any

import linkwork as lw
from linkwork.errors import LinkworkError, nearest_names
from linkwork.files.declarations import (
    FAMILIES,
    Declaration,
    base,
    declare,
    default_kind,
    kind_named,
    kinds,
    number_of,
    shapes,
    singular,
)
from linkwork.files.nodes import Node
from linkwork.files.problems import TooManyProblems, shown
from linkwork.files.values import FAILED, Context, convert, got, is_null, is_number, meant_as_on, number, words

SECTIONS = ("parameters", *FAMILIES, "analysis")
ASTRAY = "indented too far (or not far enough)?"
_DIGITS = re.compile(r"\d+(?!\w)")
MOST_WORK = 4_000_000  # a polygon of n corners costs n^2 to check; all of a file together


def item_of(ctx: Context, family: str, key: Node, node: Node) -> Any:
    """Read one item and add it to the mechanism."""
    name = shown(key.text).strip('"') if "'" in key.text else shown(key.text)
    item = f"{singular(family)} {name}"
    said = len(ctx.problems.found)
    made = _added(ctx, family, key, node, item)
    if made is FAILED and key.text in SECTIONS and len(ctx.problems.found) > said:
        del ctx.problems.found[said:]  # one thing is wrong
        wrong = f"cannot be read, and {key.text} is a section of a file"
        return ctx.wrong(key, item, wrong, remedy=f"{ASTRAY} It stands inside of {family}")
    return made


def _added(ctx: Context, family: str, key: Node, node: Node, item: str) -> Any:
    if node.kind != "map":
        hint = None
        if key.text in field_names(family):
            hint = f"'{key.text}' is a field: {ASTRAY}"
        elif is_null(node):
            hint = "are its fields indented not far enough?"
        return ctx.wrong(node, item, "is not described", got(node), "a map of its fields, such as {mass: 1}", hint)
    if family == "events":
        from linkwork.files.events import event  # which reads measures and functions as items do

        made = event(ctx, node, item, key.text)
    else:
        made = body(ctx, node, item, key.text) if family == "bodies" else _of_kind(ctx, family, node, item, key.text)
    if made is FAILED or key in ctx.misnamed:
        return FAILED
    try:
        return ctx.mechanism.add(key.text, made)
    except LinkworkError as error:
        places = {one.text: value for one, value in node.items}
        blamed = _blamed(error, places, made.given if isinstance(made, lw.Recipe) else vars(made))
        _tell(ctx, places[blamed[0]] if blamed else key, item, error)
        return FAILED


@functools.cache
def field_names(family: str) -> frozenset[str]:
    """All fields that items of a family may have."""
    if family == "events":
        return frozenset(("when", "then", "value"))
    made = [*kinds(family).values(), *(shapes().values() if family == "bodies" else ())]
    return frozenset(("type", "shape")).union(*(declare(one).fields for one in made))


def body(ctx: Context, node: Node, item: str, name: str = "") -> Any:
    """A body: {shape: bar, ...}, {mass: ..., inertia: ...} or {type: Particle, ...}."""
    if node.kind != "map":
        return ctx.wrong(node, item, "is not described", got(node), "a map such as {shape: bar, length: 1, mass: 1}")
    shape = node.get("shape")
    if shape is None:
        return _of_kind(ctx, "bodies", node, item, name)
    known = shapes()
    if shape.kind != "scalar" or shape.text not in known:
        ctx.unknown(shape, item, "has an unknown shape", shape.text if shape.kind == "scalar" else got(shape), known)
        return check_shared(ctx, node, "bodies", item)
    if node.get("type") is not None:
        return ctx.wrong(node, item, "has a shape and a type", wanted="one of them")
    return build(ctx, node, declare(known[shape.text]), item, name, told="shape")


def _of_kind(ctx: Context, family: str, node: Node, item: str, name: str) -> Any:
    named = node.get("type")
    kind = default_kind(family) if named is None else kind_named(family, named.text) if named.kind == "scalar" else None
    if kind is not None:
        return build(ctx, node, declare(kind), item if named is None else f"{item} ({named.text})", name)
    known = kinds(family)
    if named is None:
        hint = next((one for k in range(len(node.items)) if (one := slip(node, k, ("type",)))), None)
        ctx.wrong(node, item, "has no type", wanted=None if hint else f"type: {', '.join(known)}", remedy=hint)
    else:
        ctx.unknown(named, item, "has an unknown type", named.text if named.kind == "scalar" else got(named), known)
    return check_shared(ctx, node, family, item)


def check_shared(ctx: Context, node: Node, family: str, item: str) -> Any:
    """Of a thing of unknown type, look at the fields that all of its family have."""
    fields = declare(base(family)).fields
    for key, value in node.items:
        if key.text in fields:
            convert(ctx, value, fields[key.text].kinds, item, key.text)
    return FAILED


def build(ctx: Context, node: Node, declaration: Declaration, item: str, name: str = "", told: str = "type") -> Any:
    """Read the fields of a map and make the thing that the declaration is of; `told` is the field that named it."""
    values: dict[str, Any] = {}
    places: dict[str, Node] = {}
    strange: list[str] = []
    for k, (key, value) in enumerate(node.items):
        if key.text == told:
            continue
        field = declaration.fields.get(key.text)
        if field is None and not declaration.numbers:
            strange.append("on" if meant_as_on(key.text, declaration.fields) else key.text[:60])
            hint = slip(node, k, (told, *declaration.fields))
            ctx.unknown(key, item, "has an unknown field", key.text, declaration.fields, hint)
            continue
        places[key.text] = value
        values[key.text] = (
            convert(ctx, value, field.kinds, item, key.text) if field else number(ctx, value, item, key.text)
        )
    for field in declaration.fields.values():
        if field.required and field.name not in places:
            values[field.name] = FAILED
            if not any(nearest_names(one, [field.name]) for one in strange):  # else it was only misspelt
                ctx.wrong(node, item, f"has no {field.name}", wanted=f"{field.name}: {words(field.kinds)}")
    _count_work(ctx, node, values)
    made = _made(ctx, node, declaration, item, name, values, places, whole=not strange)
    return made if made is FAILED else _without_texts(ctx, made, declaration, places, item)


def slip(node: Node, k: int, names: Iterable[str]) -> str:
    """What else an unknown field may be: the digits behind a decimal comma, or a name without its colon."""
    key, value = node.items[k]
    if not is_null(value):
        return ""
    before = node.items[k - 1][1] if k else None
    if before is not None and is_number(before) and _DIGITS.match(key.text):
        return f"Is a decimal comma meant? Write {before.text}.{key.text}."
    first, sign, rest = key.text.partition(":")
    if sign and rest and first in names:
        return f"Is a space missing behind the colon? Write {first}: {rest}."
    first, _, rest = key.text.partition(" ")
    return f"Is a colon missing? Write {first}: {rest}." if rest and first in names else ""


def _made(
    ctx: Context,
    node: Node,
    declaration: Declaration,
    item: str,
    name: str,
    values: dict[str, Any],
    places: dict[str, Node],
    whole: bool,
) -> Any:
    """The thing itself, if its values are good and it is the whole of them, or all that its class has to say to them.

    A class stops at its first complaint.  So the field that it is about is left out, or a number stands in for it, and
    the class is asked again; about fields that were left out it is not believed.
    """
    out = {key for key, value in values.items() if value is FAILED}
    named = {"name": name} if name and declaration.named else {}
    good = whole and not out
    while True:
        given = {key: value for key, value in values.items() if key not in out}
        for key in out:
            field = declaration.fields.get(key)
            if field and (not field.plain or (field.required and field.stand_in is None)):
                return FAILED  # what a class says would be about that
            if field is None or field.required:
                given[key] = field.stand_in if field else 1.0
        many = [one for field in declaration.fields.values() if field.many for one in given.pop(field.name)]
        try:
            made = declaration.make(*many, **given, **named)
            if isinstance(made, lw.Recipe):  # it is made when it is added; here it says whether it can be
                made.made(ctx.parameters)
            return made if good else FAILED
        except (LinkworkError, ArithmeticError, TypeError, ValueError) as error:
            blamed = _blamed(error, places, values)
            place = None
            if good or (blamed and not out & set(blamed)):
                place = _tell(ctx, places[blamed[0]] if blamed else node, item, error)
            good = False
            field_name = next((one for one in blamed if one not in out), None)
            if field_name is None:
                return FAILED
            entries = values[field_name]
            if place is not None and isinstance(entries, dict) and place.text in entries:
                values = {**values, field_name: {key: one for key, one in entries.items() if key != place.text}}
            else:
                out.add(field_name)


def _blamed(error: Exception, places: Mapping[str, Node], values: Mapping[str, Any]) -> list[str]:
    """Fields that a class complains about, the first first: those that it names, or that hold the frame it names.

    Words in quotes are names of the user.  The short words that English has too count last.
    """
    told = str(error)
    frames = [name for name in places if isinstance(values.get(name), lw.Frame) and f"frame {values[name]} " in told]
    told = re.sub(r"(?<!\w)'[^']*'", "", told)
    found = {
        name: match.start()
        for name in places
        if (match := re.search(rf"\b{re.escape(name.removesuffix('s'))}s?\b", told))
    }
    return frames or sorted(found, key=lambda name: (len(name) == 2, found[name]))


def _tell(ctx: Context, place: Node, item: str, error: Exception) -> Node:
    """Note what a class said about the thing at a place; in a map, at the entry that it names.  Returns the place."""
    told = str(error) if isinstance(error, LinkworkError) else f"its numbers cannot be used ({type(error).__name__})"
    if place.kind == "map":
        place = next((key for key, _ in place.items if told.find(f"'{key.text}'", len(item)) >= 0), place)
    named = re.match(r"\S+ '[^']*'", item)
    ctx.problems.add(place.line, place.column, told if named and named[0] in told else f"{item}: {told}")
    return place


def _without_texts(ctx: Context, made: Any, declaration: Declaration, places: dict[str, Node], item: str) -> Any:
    """A number with a unit must have become a number; a class that does not read units keeps the text."""
    for name in declaration.fields if not isinstance(made, lw.Recipe) else ():
        if name in places and number_of(declaration.fields[name].kinds) and isinstance(getattr(made, name, None), str):
            return ctx.wrong(places[name], item, f"{name} takes no unit", got(places[name]), "a number")
    return made


def _count_work(ctx: Context, node: Node, values: dict[str, Any]) -> None:
    """Shapes look at every pair of corners."""
    if node.get("shape") is not None:
        ctx.work += max((len(value) ** 2 for value in values.values() if isinstance(value, tuple)), default=0)
        if ctx.work > MOST_WORK:
            ctx.problems.add(
                node.line,
                node.column,
                "The shapes of this file have too many corners. Wanted at most "
                "2000; give mass, inertia and outline instead.",
            )
            raise TooManyProblems
