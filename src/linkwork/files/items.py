"""Items of a mechanism from their maps: fields by the declaration, then the class itself checks what it is given."""

from __future__ import annotations

import inspect
import re
from typing import Any

from linkwork.errors import LinkworkError, nearest_names
from linkwork.files.declarations import Declaration, declare, default_kind, kinds, shapes, singular
from linkwork.files.nodes import Node
from linkwork.files.problems import TooManyProblems, shown
from linkwork.files.values import FAILED, Context, convert, got, number, words

MOST_WORK = 4_000_000  # a polygon of n corners costs n^2 to check; all of a file together


def item_of(ctx: Context, family: str, key: Node, node: Node) -> Any:
    """Read one item and add it to the mechanism."""
    name = shown(key.text).strip('"') if "'" in key.text else shown(key.text)
    item = f"{singular(family)} {name}"
    if node.kind != "map":
        return ctx.wrong(node, item, "is not described", got(node), "a map of its fields, such as {mass: 1}")
    made = body(ctx, node, item, key.text) if family == "bodies" else _of_kind(ctx, family, node, item, key.text)
    if made is FAILED:
        return FAILED
    try:
        return ctx.mechanism.add(key.text, made)
    except LinkworkError as error:
        return _told(ctx, node, key, item, error)


def body(ctx: Context, node: Node, item: str, name: str = "") -> Any:
    """A body: {shape: bar, ...}, {mass: ..., inertia: ...} or {type: Particle, ...}."""
    if node.kind != "map":
        return ctx.wrong(node, item, "is not described", got(node), "a map such as {shape: bar, length: 1, mass: 1}")
    shape = node.get("shape")
    if shape is None:
        return _of_kind(ctx, "bodies", node, item, name)
    known = shapes()
    if shape.kind != "scalar" or shape.text not in known:
        return ctx.unknown(shape, item, "has an unknown shape", shape.text if shape.kind == "scalar" else got(shape),
                           known)
    if node.get("type") is not None:
        return ctx.wrong(node, item, "has a shape and a type", wanted="one of them")
    return build(ctx, node, declare(known[shape.text]), item, name, told="shape")


def _of_kind(ctx: Context, family: str, node: Node, item: str, name: str) -> Any:
    known = kinds(family)
    named = node.get("type")
    if named is None:
        kind = default_kind(family)
        if kind is None:
            return ctx.wrong(node, item, "has no type", wanted=f"type: {', '.join(known)}")
        return build(ctx, node, declare(kind), item, name)
    if named.kind != "scalar" or named.text not in known:
        name = named.text if named.kind == "scalar" else got(named)
        return ctx.unknown(named, item, "has an unknown type", name, known)
    return build(ctx, node, declare(known[named.text]), f"{item} ({named.text})", name)


def build(ctx: Context, node: Node, declaration: Declaration, item: str, name: str = "", told: str = "type") -> Any:
    """Read the fields of a map and make the thing that the declaration is of; `told` is the field that named it."""
    values: dict[str, Any] = {}
    places: dict[str, Node] = {}
    good = True
    strange: list[str] = []
    for key, value in node.items:
        if key.text == told:
            continue
        field = declaration.fields.get(key.text)
        if field is None and not declaration.numbers:
            good = False
            strange.append(key.text[:60])
            ctx.unknown(key, item, "has an unknown field", key.text, declaration.fields)
            continue
        found = convert(ctx, value, field.kinds, item, key.text) if field else number(ctx, value, item, key.text)
        good = good and found is not FAILED
        values[key.text], places[key.text] = found, value
    for field in declaration.fields.values():
        if field.required and field.name not in places:
            good = False
            if not any(nearest_names(one, [field.name]) for one in strange):  # else it was only misspelt
                ctx.wrong(node, item, f"has no {field.name}", wanted=f"{field.name}: {words(field.kinds)}")
    if not good:
        return FAILED
    _count_work(ctx, node, values)
    many = [one for field in declaration.fields.values() if field.many for one in values.pop(field.name)]
    try:
        made = declaration.make(*many, **values)
    except (LinkworkError, ArithmeticError, TypeError, ValueError) as error:
        return _told(ctx, node, node, item, _by_name(declaration, many, values, name, error), places)
    return _without_texts(ctx, made, declaration, places, item)


def _by_name(declaration: Declaration, many: list, values: dict[str, Any], name: str, error: Exception) -> Exception:
    """The error once more, from a thing that knows its name, where it can have one."""
    if name and "name" in inspect.signature(declaration.make).parameters:
        try:
            declaration.make(*many, **values, name=name)
        except (LinkworkError, ArithmeticError, TypeError, ValueError) as named:
            return named
    return error


def _told(ctx: Context, node: Node, place: Node, item: str, error: Exception,
          places: dict[str, Node] | None = None) -> Any:
    """Note what a class said about its arguments, at the field that it names."""
    told = str(error) if isinstance(error, LinkworkError) else f"its numbers cannot be used ({type(error).__name__})"
    places = places if places is not None else {key.text: value for key, value in node.items}
    for name, value in places.items():
        if re.search(rf"\b{re.escape(name)}\b", told):
            place = value
            break
    named = re.match(r"\S+ '[^']*'", item)
    ctx.problems.add(place.line, place.column, told if named and named[0] in told else f"{item}: {told}")
    return FAILED


def _without_texts(ctx: Context, made: Any, declaration: Declaration, places: dict[str, Node], item: str) -> Any:
    """A number with a unit must have become a number; a class that does not read units keeps the text."""
    for name in declaration.fields:
        if name in places and float in declaration.fields[name].kinds and isinstance(getattr(made, name, None), str):
            return ctx.wrong(places[name], item, f"{name} takes no unit", got(places[name]), "a number")
    return made


def _count_work(ctx: Context, node: Node, values: dict[str, Any]) -> None:
    """Shapes look at every pair of corners."""
    if node.get("shape") is not None:
        ctx.work += max((len(value) ** 2 for value in values.values() if isinstance(value, tuple)), default=0)
        if ctx.work > MOST_WORK:
            ctx.problems.add(node.line, node.column, "The shapes of this file have too many corners. Wanted at most "
                                                     "2000; give mass, inertia and outline instead.")
            raise TooManyProblems
