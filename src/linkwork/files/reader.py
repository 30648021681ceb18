"""Model files to mechanisms: `read` and `read_document`.

    linkwork: 1
    name: pendulum
    parameters: {L: 300 mm}
    bodies:
      rod: {shape: bar, length: L, mass: 1}
    joints:
      A: {type: Revolute, on: {ground: [0, 0]}, to: rod.a}
    analysis: {type: simulate, duration: 10, start: {A.angle: 30 deg}}

Nothing in a file is imported or executed.  All problems of a file are found and raised as one `FileError`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

import numpy as np

import linkwork as lw
from linkwork.arguments import Explained, explained
from linkwork.errors import DescriptionError, LinkworkError, message, nearest_names
from linkwork.files.asked import analysis_of
from linkwork.files.declarations import FAMILIES, VERSION, singular
from linkwork.files.items import ASTRAY, SECTIONS, field_names, item_of, slip
from linkwork.files.nodes import Node, compose
from linkwork.files.problems import Problems, TooManyProblems, shown
from linkwork.files.source import Source, open_source
from linkwork.files.values import (
    FAILED,
    Context,
    convert,
    got,
    is_null,
    is_number,
    is_text,
    leading_zero,
    number,
    text,
    with_parameters,
)
from linkwork.records import dataclass
from linkwork.units import is_quantity

MOST_PARAMETERS = 1000
MOST_ITEMS = 10_000
TOP = ("linkwork", "$schema", "name", "dimension", "gravity", *SECTIONS)


@dataclass(frozen=True)
class Document(metaclass=Explained):
    """What a model file holds: the mechanism, the analysis it asks for (None if none), its parameters as numbers.

    `analysis` is plain data: {"type": "simulate", "duration": 10.0, "start": {"A.angle": "30 deg"}, ...}.  `source` is
    the path as it was given, or "<text>".
    """

    mechanism: Any
    analysis: dict[str, Any] | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)
    source: str = "<text>"


@explained
def read(
    source: str | os.PathLike[str],
    laws: Mapping[str, Callable[..., Any]] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
) -> Any:
    """The mechanism of `source`: a YAML or JSON file, or a text (a string with a line break, or beginning with "{").

    `laws` gives the Python functions that the file names, `{"bump": bump}`; `parameters` replaces parameters of the
    file.  A file with problems raises one `FileError` that lists all of them with their lines.

    >>> m = lw.read("{linkwork: 1, bodies: {rod: {shape: bar, length: 30 cm, mass: 2 kg}}}")
    >>> m["rod"].length
    0.3
    """
    return read_document(source, laws, parameters=parameters).mechanism


@explained
def read_document(
    source: str | os.PathLike[str],
    laws: Mapping[str, Callable[..., Any]] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
) -> Document:
    """As `read`, with the analysis and the parameters of the file."""
    for what, given in (("laws", laws), ("parameters", parameters)):
        if given is not None and not isinstance(given, Mapping):
            raise DescriptionError(message("read", f"cannot use its {what}", type(given).__name__, "a mapping by name"))
    opened = open_source(source)
    problems = Problems(opened.name, opened.text)
    document: Any = None
    try:
        root = compose(opened.text, problems)
        if root is None and not problems.found:
            problems.add(1, 1, "The file is empty. Wanted a map that begins with linkwork: 1.")
        elif root is not None:
            with np.errstate(all="ignore"):  # numbers that overflow are told as problems, or by the analysis
                document = _Reader(opened, problems, laws or {}, parameters or {}).document(root)
    except TooManyProblems:
        pass
    problems.raise_any()
    found: Document = document  # where there is none, there are problems
    return found


class _Name(lw.Particle):
    """Takes the place of an item where only its name counts."""

    def named(self, name: str) -> lw.Particle:
        return self


class _Reader:
    def __init__(
        self, source: Source, problems: Problems, laws: Mapping[str, Callable[..., Any]], given: Mapping[str, Any]
    ) -> None:
        self.source = source
        self.given = given
        self.raw: dict[str, Any] = {}  # parameters as they are written
        self.ctx = Context(problems, source.folder, laws)

    def document(self, root: Node) -> Document | None:
        ctx = self.ctx
        if root.kind != "map":
            ctx.wrong(root, "The file", "is no model file", got(root), "a map that begins with linkwork: 1")
            return None
        if not self._version(root):
            return None
        for key, value in root.items:
            if key.text not in TOP:
                hint = self._astray(key, value)
                ctx.unknown(key, "The file", "has an unknown field", key.text, TOP, hint)
                ctx.failed |= {key.text} if hint else set()
            elif key.text == "$schema":  # for editors; nothing is fetched
                text(ctx, value, "The file", "$schema")
        self._parameters(root.get("parameters"))
        ctx.keep = True
        ctx.mechanism = self._mechanism(root)
        sections = {family: self._section(root.get(family), family) for family in FAMILIES}
        for family, node in sections.items():
            ctx.declared[family] = [key.text for key, _ in node.items] if node else []
        self._names(sections)
        if sum(map(len, ctx.declared.values())) > MOST_ITEMS:
            ctx.wrong(root, "The file", "has too many items", wanted=f"at most {MOST_ITEMS} bodies, joints and others")
            return None
        for family, node in sections.items():
            for key, value in node.items if node else ():
                if item_of(ctx, family, key, value) is FAILED and key.text not in ctx.mechanism:
                    ctx.failed.add(key.text)
        ctx.keep = False
        if ctx.mechanism.events and not ctx.problems.found:
            self._events(sections["events"])
        analysis = analysis_of(ctx, self._section(root.get("analysis"), "analysis"))
        return Document(ctx.mechanism, analysis, dict(ctx.parameters), self.source.name)

    @staticmethod
    def _astray(key: Node, value: Node) -> str:
        """Whether an item or a field stands at the height of sections."""
        known = value.kind == "map" and not nearest_names(key.text, TOP)
        field = any(key.text in names for names in map(field_names, FAMILIES))
        return f"It is no section: {ASTRAY}" if known or field else ""

    def _events(self, section: Node | None) -> None:
        """What events watch and do, now that all items are known: each fault with its line."""
        nodes = {key.text: value for key, value in section.items} if section else {}
        for name, part, error in lw.check_events(self.ctx.mechanism):
            place = nodes[name].get(part) or nodes[name]
            self.ctx.problems.add(place.line, place.column, str(error))

    def _version(self, root: Node) -> bool:
        """The version must be there; of a newer one nothing else is said, because all may be different."""
        node = root.get("linkwork")
        if node is None:
            self.ctx.wrong(
                root,
                "The file",
                "does not say its version",
                wanted=f"linkwork: {VERSION}",
                remedy=f"put the line 'linkwork: {VERSION}' at its top",
            )
            return True
        version = float(node.text) if is_number(node) else 0.0
        if version > VERSION:
            self.ctx.wrong(
                node,
                "The file",
                f"needs a Linkwork that reads version {version:g} of the format",
                wanted=f"version {VERSION}, which is the newest that Linkwork {lw.__version__} reads",
                remedy="install a newer Linkwork",
            )
            return False
        if version != VERSION:
            self.ctx.wrong(node, "The file", "has an unknown version", got(node), f"linkwork: {VERSION}")
        return True

    def _section(self, node: Node | None, name: str) -> Node | None:
        if node is None or is_null(node):
            return None
        if node.kind != "map":
            self.ctx.wrong(node, f"The field '{name}'", "is not a map", got(node), "names with their descriptions")
            self.ctx.lost.add(name)
            return None
        return node

    def _names(self, sections: Mapping[str, Node | None]) -> None:
        """Names of all items, whatever else is wrong with them: a mechanism of nothing else knows what is allowed."""
        named, one = lw.Mechanism(self.ctx.mechanism.name), _Name(0.0)
        first: dict[str, tuple[str, Node]] = {}
        for family, node in sections.items():
            for key, _ in node.items if node else ():
                if key.text in first:
                    self._twice(family, key, *first[key.text])
                    continue
                first[key.text] = family, key
                try:
                    named.add(key.text, one)
                except LinkworkError as error:
                    self.ctx.problems.add(key.line, key.column, str(error))
                    self.ctx.misnamed.add(key)

    def _twice(self, family: str, key: Node, other: str, first: Node) -> None:
        """A name that two items have; in one section it has been said that a field is given twice."""
        self.ctx.misnamed.add(key)
        if other != family:
            got = f"{shown(key.text)}, which is a {singular(other).lower()} in line {first.line}"
            remedy = "choose another name for one of them"
            self.ctx.wrong(key, "The file", "has two items of one name", got, remedy=remedy)

    def _mechanism(self, root: Node) -> Any:
        """The mechanism without items; with what is usable where something is wrong, so that reading goes on."""
        ctx = self.ctx
        options: dict[str, Any] = {"parameters": {name: self.raw[name] for name in ctx.parameters}}
        node = root.get("name")
        if node is not None:
            options["name"] = text(ctx, node, "Mechanism", "name")
            try:
                lw.Mechanism(options["name"] if options["name"] is not FAILED else "")
            except LinkworkError as error:
                ctx.problems.add(node.line, node.column, str(error))
                options["name"] = FAILED
        node = root.get("dimension")
        if node is not None:
            if is_number(node) and float(node.text) in (2.0, 3.0):
                options["dimension"] = int(float(node.text))
            else:
                ctx.wrong(node, "Mechanism", "dimension is unknown", got(node), "2 or 3")
        node = root.get("gravity")
        if node is not None and (node.kind == "list" or is_null(node)):
            options["gravity"] = convert(ctx, node, (tuple[float, ...], type(None)), "Mechanism", "gravity")
        elif node is not None:
            ctx.wrong(
                node,
                "Mechanism",
                "gravity is no list of numbers",
                got(node),
                "a list such as [0, -9.81]",
                "write gravity: null for none",
            )
        options = {key: value for key, value in options.items() if value is not FAILED}
        try:
            return lw.Mechanism(**options)
        except (LinkworkError, ArithmeticError) as error:
            if node is not None:
                ctx.wrong(node, "Mechanism", f"gravity: {error}")
            options.pop("gravity", None)
            return lw.Mechanism(**options)

    # -- parameters ----------------------------------------------------------------------------------------------------

    def _parameters(self, node: Node | None) -> None:
        """Parameters as numbers; one that is wrong takes those along that need it, without a word for each."""
        ctx = self.ctx
        section = self._section(node, "parameters")
        raw: dict[str, Any] = {}
        places: dict[str, Node] = {}
        if section and len(section.items) > MOST_PARAMETERS:
            count = str(len(section.items))
            ctx.wrong(section, "The file", "has too many parameters", count, f"at most {MOST_PARAMETERS}")
            raise TooManyProblems
        for k, (key, value) in enumerate(section.items if section else ()):
            name = unicodedata.normalize("NFKC", key.text)
            places[name] = value
            if is_number(value):
                raw[name] = number(ctx, value, f"Parameter {shown(name)}", "value")
            elif is_text(value):
                raw[name] = FAILED if leading_zero(ctx, value, f"Parameter {shown(name)}", "value") else value.text
            else:
                raw[name] = ctx.wrong(
                    value,
                    f"Parameter {shown(name)}",
                    "is not a number",
                    got(value),
                    "a number, a quantity or an expression",
                    (slip(section, k, ()) if section else None) or None,
                )
            if raw[name] is not FAILED and name not in self.given:
                try:
                    lw.resolve_parameters({name: 0.0})
                except LinkworkError as error:
                    ctx.problems.add(key.line, key.column, str(error))
                    raw[name] = FAILED
        for name, value in self.given.items():
            if name not in raw:
                ctx.unknown(section or Node("map", 1, 1), "The file", "has no parameter", str(name), raw)
            else:
                raw[name] = value
        self.raw = raw
        self._resolve(raw, places)

    def _resolve(self, raw: dict[str, Any], places: dict[str, Node]) -> None:
        """Values of parameters, each after those that it needs."""
        ctx = self.ctx
        ctx.broken |= {name for name, value in raw.items() if value is FAILED}
        waiting = {name: self._needs(value) & set(raw) for name, value in raw.items() if value is not FAILED}
        while waiting:
            ready = [name for name, needs in waiting.items() if not needs & waiting.keys()]
            for name in ready or list(waiting)[:1]:
                needed = waiting.pop(name) if ready else set(waiting)
                if needed & ctx.broken:
                    ctx.broken.add(name)
                    continue
                try:
                    known = {one: raw[one] if one in waiting else ctx.parameters[one] for one in needed}
                    ctx.parameters[name] = lw.resolve_parameters({**known, name: raw[name]})[name]
                except LinkworkError as error:  # without anything ready, this names the circle
                    told = str(with_parameters(error, (one for one in raw if one != name)))
                    ctx.problems.add(places[name].line, places[name].column, told)
                    ctx.broken |= {name} if ready else set(waiting)
                    if not ready:
                        return
        ctx.parameters = {name: ctx.parameters[name] for name in raw if name in ctx.parameters}

    @staticmethod
    def _needs(value: Any) -> set[str]:
        if not isinstance(value, str) or is_quantity(value):
            return set()
        return {unicodedata.normalize("NFKC", name) for name in re.findall(r"\w+", value)}
