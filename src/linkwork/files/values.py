"""Nodes to values: the kinds of a field, from its declaration, decide how a node is read.

Every function notes what is wrong and returns `FAILED`, so that the rest of the file is read too.
"""

from __future__ import annotations

import collections.abc
import math
import re
import typing
import unicodedata
from dataclasses import field
from pathlib import Path
from typing import Any

import linkwork as lw
from linkwork.errors import LinkworkError, UnknownNameError, message
from linkwork.files.declarations import number_of, options
from linkwork.files.nodes import Node
from linkwork.files.problems import Problems, TooManyProblems, nearest, shown
from linkwork.records import dataclass
from linkwork.units import ANY, Number, is_quantity, si

FAILED: Any = object()
PLAIN = Number()  # a number of which nothing is said
MOST_TEXTS = 5_000  # numbers written as text (with units, or as expressions) in one file
LARGEST_WHOLE = 1_000_000

_NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_NOT_FINITE = re.compile(r"[-+]?\.?(?:nan|inf|infinity)", re.IGNORECASE)
_LEADING_ZERO = re.compile(r"[-+]?0\d+")
_NULL = ("", "~", "null", "Null", "NULL")
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


@dataclass
class Context:
    """What reading a file needs to know: where it is, what was read before, and what is wrong."""

    problems: Problems
    folder: Path | None
    laws: collections.abc.Mapping[str, Any]
    mechanism: Any = None
    parameters: dict[str, float] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)  # parameters that were wrong: said once, not at every use
    failed: set[str] = field(default_factory=set)  # and items
    declared: dict[str, list[str]] = field(default_factory=dict)  # names of all items of a family
    misnamed: set[Node] = field(default_factory=set)  # keys of items whose name is wrong, or taken
    lost: set[str] = field(default_factory=set)  # sections that could not be read at all
    keep: bool = False  # texts of parameters stay texts: what is described keeps them
    texts: int = 0
    work: int = 0  # what polygons cost, see items
    tables: dict[Path, Any] = field(default_factory=dict)  # columns of the files that were read
    rows: int = 0  # of all tables

    def wrong(
        self,
        node: Node,
        item: str,
        what: str,
        got: str | None = None,
        wanted: str | None = None,
        remedy: str | None = None,
    ) -> Any:
        """Note a problem in the form of all messages."""
        self.problems.add(node.line, node.column, message(item, what, got, wanted, remedy))
        return FAILED

    def unknown(
        self, node: Node, item: str, what: str, name: str, known: collections.abc.Iterable[str], hint: str = ""
    ) -> Any:
        """Note an unknown name, with the nearest ones, or with what else it may be."""
        known = list(known)
        if hint:
            self.problems.add(node.line, node.column, f"{item} {what} {shown(name)}. {hint}")
            return FAILED
        hint = (
            f" {shown(name)} is what YAML 1.1 makes of a bare on, and PyYAML writes it so: write on: here."
            if meant_as_on(name, known)
            else nearest(name, known)
        )
        self.problems.add(node.line, node.column, f"{item} {what} {shown(name)}.{hint}")
        return FAILED


def meant_as_on(name: str, known: collections.abc.Iterable[str]) -> bool:
    """Whether a field was called `on` until a program read and wrote the file."""
    return name in ("true", "True", "TRUE") and "on" in known


def got(node: Node) -> str:
    """A node as messages show it."""
    if node.kind == "scalar":
        return shown(node.text) if node.text or not node.plain else "nothing"
    return f"a {node.kind}" + ("" if node.items else " without entries")


# -- scalars -----------------------------------------------------------------------------------------------------------


def is_null(node: Node) -> bool:
    """Nothing, or the word null."""
    return node.kind == "scalar" and (node.tag == "null" or (node.plain and node.tag is None and node.text in _NULL))


def is_number(node: Node) -> bool:
    """A plain number."""
    return node.kind == "scalar" and node.plain and node.tag != "str" and bool(_NUMBER.fullmatch(node.text))


def is_text(node: Node) -> bool:
    """A text that is not a number, a truth value or null."""
    return node.kind == "scalar" and (
        not node.plain
        or node.tag == "str"
        or not (is_null(node) or is_number(node) or node.text in _BOOLEANS or _NOT_FINITE.fullmatch(node.text))
    )


def text(ctx: Context, node: Node, item: str, what: str) -> Any:
    """A text; numbers and truth values must be in quotes to be one."""
    if is_text(node):
        return node.text
    return ctx.wrong(
        node,
        item,
        f"{what} is not a text",
        got(node),
        "a text",
        "put it in quotes" if node.kind == "scalar" and node.text else None,
    )


def boolean(ctx: Context, node: Node, item: str, what: str) -> Any:
    """True or false."""
    if node.kind == "scalar" and node.plain and node.tag != "str" and node.text in _BOOLEANS:
        return _BOOLEANS[node.text]
    return ctx.wrong(node, item, f"{what} is neither true nor false", got(node), "true or false")


def number(ctx: Context, node: Node, item: str, what: str, meaning: Number = PLAIN) -> Any:
    """A number, a number with a unit or an expression, as the number that is meant.

    Where the declaration does not say what it means, a text with a unit stays a text: its user knows more.  A text of
    parameters stays one, once it has been found good, where what is described keeps it.
    """
    value = _written(ctx, node, item, what)
    if value is FAILED or (meaning.unit is None and isinstance(value, str)):
        return value
    try:
        value = value if meaning == PLAIN else meaning.read(value, item, what)
    except LinkworkError as error:
        ctx.problems.add(node.line, node.column, str(error))
        return FAILED
    written = node.text.strip()
    return value if is_quantity(written) else kept(ctx, written, value)


def kept(ctx: Context, written: str, value: Any) -> Any:
    """The text itself where it names parameters and is to be kept, else its value."""
    return written if ctx.keep and used(written, ctx.parameters) else value


def _written(ctx: Context, node: Node, item: str, what: str) -> Any:
    """A number as it is, the text of one with a unit, or the value of an expression, with its unit if it has one."""
    if node.kind != "scalar" or is_null(node) or (node.plain and node.text in _BOOLEANS):
        return ctx.wrong(node, item, f"{what} is not a number", got(node), "a number")
    written = node.text.strip()
    if _NUMBER.fullmatch(written):
        value = float(written)
        if math.isfinite(value):
            return value
        return ctx.wrong(node, item, f"{what} is not finite", got(node), "a finite number")
    if _NOT_FINITE.fullmatch(written):
        return ctx.wrong(node, item, f"{what} is not finite", got(node), "a finite number")
    if leading_zero(ctx, node, item, what):
        return FAILED
    if not written:
        return ctx.wrong(node, item, f"{what} is empty", wanted="a number")
    counted(ctx, node)
    try:
        if is_quantity(written):
            si(written, ANY, item, what)
            return written
        return lw.evaluate_number(written, used(written, ctx.parameters))
    except LinkworkError as error:
        return expression_error(ctx, node, written, item, what, error)


def leading_zero(ctx: Context, node: Node, item: str, what: str) -> bool:
    """Whether a text begins with a zero and another digit, which is noted."""
    found = bool(_LEADING_ZERO.match(node.text.strip()))
    if found:
        ctx.wrong(
            node, item, f"{what} begins with a zero, which readers take differently", got(node), "a number without it"
        )
    return found


def used(written: str, parameters: collections.abc.Mapping[str, float]) -> dict[str, float]:
    """Those parameters that an expression names."""
    names = (unicodedata.normalize("NFKC", name) for name in re.findall(r"[^\W\d]\w*", written))
    return {name: parameters[name] for name in names if name in parameters}


def counted(ctx: Context, node: Node) -> None:
    """Count a text that must be parsed; too many cost time."""
    ctx.texts += 1
    if ctx.texts > MOST_TEXTS:
        ctx.problems.add(
            node.line, node.column, f"The file holds too many numbers written as text. Wanted at most {MOST_TEXTS}."
        )
        raise TooManyProblems


def expression_error(ctx: Context, node: Node, written: str, item: str, what: str, error: Exception) -> Any:
    """Note what is wrong with an expression, unless it is only that a parameter was wrong before."""
    if ctx.broken & set(re.findall(r"\w+", written)) or "parameters" in ctx.lost:
        return FAILED
    told = str(with_parameters(error, ctx.parameters))
    ctx.problems.add(node.line, node.column, told if item in told else f"{item} {what}: {told}")
    return FAILED


def with_parameters(error: Exception, names: collections.abc.Iterable[str]) -> Exception:
    """The same error; of an unknown name, with all parameters among those that are known."""
    if isinstance(error, UnknownNameError) and error.kind == "name":
        return UnknownNameError(error.kind, str(error.name), [*names, *error.known], error.where)
    return error


# -- by kinds ----------------------------------------------------------------------------------------------------------


def convert(ctx: Context, node: Node, kinds: tuple[Any, ...], item: str, what: str) -> Any:
    """The value of a node for a field that takes these kinds."""
    from linkwork.files import references

    if typing.Any in kinds and node.kind == "scalar":  # a class that does not say what it takes
        return text(ctx, node, item, what) if is_text(node) else _anything(ctx, node, item, what)
    if is_null(node):
        if type(None) in kinds:
            return None
        return ctx.wrong(node, item, f"{what} is empty", wanted=words(kinds))
    if node.kind == "list":
        return _list(ctx, node, kinds, item, what)
    found = references.referred(ctx, node, kinds, item, what)
    if found is not NotImplemented:
        return found
    if node.kind == "map":
        mapping = next((kind for kind in kinds if typing.get_origin(kind) is collections.abc.Mapping), None)
        if mapping is None:
            return ctx.wrong(node, item, f"{what} is a map", got(node), words(kinds))
        return _mapping(ctx, node, mapping, item, what)
    literals = [word for kind in kinds if typing.get_origin(kind) is typing.Literal for word in typing.get_args(kind)]
    if node.text in literals:
        return node.text
    meaning = number_of(kinds)
    if literals and meaning is None:
        return ctx.unknown(node, item, f"{what} is unknown:", node.text, literals)
    if meaning is not None:
        return number(ctx, node, item, what, meaning)
    if int in kinds:
        return _whole(ctx, node, item, what)
    if bool in kinds:
        return boolean(ctx, node, item, what)
    if str in kinds:
        return text(ctx, node, item, what)
    return ctx.wrong(node, item, f"{what} has the wrong kind", got(node), words(kinds))


def _anything(ctx: Context, node: Node, item: str, what: str) -> Any:
    if is_null(node):
        return None
    return _BOOLEANS[node.text] if node.text in _BOOLEANS else number(ctx, node, item, what)


def _whole(ctx: Context, node: Node, item: str, what: str) -> Any:
    value = _written(ctx, node, item, what)
    if value is FAILED:
        return FAILED
    if not isinstance(value, float) or value != math.floor(value) or abs(value) > LARGEST_WHOLE:
        return ctx.wrong(node, item, f"{what} is not a whole number", got(node), "a whole number")
    return int(value)


def _mapping(ctx: Context, node: Node, kind: Any, item: str, what: str) -> Any:
    inside = (typing.get_args(kind) or (str, Any))[1]
    values = {
        key.text: convert(ctx, value, options(inside), item, f"{what} {shown(key.text)}") for key, value in node.items
    }
    return FAILED if any(value is FAILED for value in values.values()) else values


def _is_list(kind: Any) -> bool:
    return typing.get_origin(kind) in (tuple, collections.abc.Iterable, collections.abc.Sequence)


def entries(kind: Any, count: int) -> tuple[Any, ...] | None:
    """Kinds of the entries of a list of this kind and length; None where the length does not fit."""
    arguments = typing.get_args(kind)
    if typing.get_origin(kind) is not tuple or (len(arguments) == 2 and arguments[1] is ...):
        return (arguments[0],) * count
    return arguments if len(arguments) == count else None


def _fits(node: Node, kind: Any) -> bool:
    """Whether the outer form of a node is that of a kind; used to choose between kinds of lists."""
    if typing.get_origin(kind) is typing.Literal:
        return node.kind == "scalar" and node.text in typing.get_args(kind)
    if not _is_list(kind):
        return node.kind != "list"
    if node.kind != "list":
        return False
    inside = entries(kind, len(node.items))
    return inside is not None and (not node.items or any(_fits(node.items[0], one) for one in options(inside[0])))


def _fits_whole(node: Node, kind: Any) -> bool:
    """Whether every entry fits too; of lists of one kind the first is enough."""
    inside = entries(kind, len(node.items)) if _fits(node, kind) else None
    return inside is not None and (
        len(set(inside)) < 2
        or all(any(_fits(one, other) for other in options(hint)) for one, hint in zip(node.items, inside))
    )


def _list(ctx: Context, node: Node, kinds: tuple[Any, ...], item: str, what: str) -> Any:
    lists = [kind for kind in kinds if _is_list(kind)]
    if not lists:
        return ctx.wrong(node, item, f"{what} is a list", got(node), words(kinds))
    fitting = [one for one in lists if _fits(node, one)]
    kind = next(
        (one for one in fitting if _fits_whole(node, one)),
        fitting[0] if fitting else lists[0] if len(lists) == 1 else None,
    )
    inside = entries(kind, len(node.items)) if kind is not None else None
    if inside is None:
        return ctx.wrong(node, item, f"{what} is a list of another form", f"{len(node.items)} entries", words(kinds))
    if len(set(inside)) == 1 and _is_free(options(inside[0])) and all(map(is_number, node.items)):  # long tables
        numbers = [float(one.text) for one in node.items]
        if all(map(math.isfinite, numbers)):
            return tuple(numbers)
    values = [
        convert(ctx, one, options(hint), item, f"{what}[{k}]") for k, (one, hint) in enumerate(zip(node.items, inside))
    ]
    return FAILED if any(value is FAILED for value in values) else tuple(values)


def _is_free(kinds: tuple[Any, ...]) -> bool:
    """Whether any number will do, and nothing else."""
    meaning = number_of(kinds)
    return len(kinds) == 1 and meaning is not None and meaning.least is meaning.above is None


def words(kinds: tuple[Any, ...]) -> str:
    """What a field takes, for messages."""
    return " or ".join(dict.fromkeys(_word(kind) for kind in kinds if kind is not type(None)))


def _word(kind: Any) -> str:
    simple = {float: "a number", int: "a whole number", bool: "true or false", str: "a text"}
    if isinstance(kind, Number):
        return "a number"
    if kind in simple:
        return simple[kind]
    if typing.get_origin(kind) is typing.Literal:
        return " or ".join(map(repr, typing.get_args(kind)))
    if typing.get_origin(kind) is collections.abc.Mapping:
        return "a map of names"
    if _is_list(kind):
        arguments = typing.get_args(kind)
        if len(arguments) == 2 and arguments[1] is ...:
            arguments = arguments[:1]
            return f"a list ({words(options(arguments[0]))}, ...)"
        inside = list(dict.fromkeys(words(options(one)) for one in arguments))
        if len(inside) == 1 and len(arguments) > 1:
            each = "numbers" if inside == ["a number"] else f"entries, each {inside[0]}"
            return f"a list of {len(arguments)} {each}"
        return f"a list ({', '.join(words(options(one)) for one in arguments)})"
    if kind is collections.abc.Callable:
        return "{law: name}"
    if isinstance(kind, type):
        if issubclass(kind, lw.Frame):
            return "a frame such as crank.a, crank or {ground: [0, 0]}"
        if issubclass(kind, lw.Measure):
            return "a measure such as A.angle or {type: Angle, on: ..., to: ...}"
        if issubclass(kind, lw.Function):
            return "a function of time" if kind is lw.Function else f"a {kind.__name__}"
        if issubclass(kind, lw.Orientation):
            return "a map such as {axis: [0, 0, 1], angle: 30 deg}"
        if issubclass(kind, lw.Body):
            return "a body such as {shape: bar, length: 1, mass: 1}"
    return "a value"
