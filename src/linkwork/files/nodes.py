"""YAML and JSON text to a tree of nodes that know their places, within limits on depth, size and aliases.

The tree is built from the parser's events, one after the other, so that a file beyond a limit is refused where it
passes it and never exists as a whole.  Scalars stay text: what they mean is decided where the wanted kind is known.
Therefore none of the traps of YAML 1.1 (`on` as true, `1:30` as 90, `1e5` as a text) exists here.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import Any

import yaml

from linkwork.files.problems import Problems, shown
from linkwork.records import dataclass

MOST_DEPTH = 40
MOST_NODES = 100_000  # aliases counted by what they stand for
MOST_SCALAR = 20_000  # characters of one value

_STANDARD = "tag:yaml.org,2002:"
_TAGS = {"scalar": {"str", "int", "float", "bool", "null"}, "list": {"seq"}, "map": {"map"}}
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_HALVES = re.compile(r"(\\*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_LONE_HALF = re.compile(r"[\ud800-\udfff]")
_NOTHING: list = []  # of every scalar
_KINDS = {
    yaml.DocumentStartEvent: "document", yaml.ScalarEvent: "scalar", yaml.SequenceStartEvent: "list",
    yaml.MappingStartEvent: "map", yaml.AliasEvent: "alias", yaml.SequenceEndEvent: "end", yaml.MappingEndEvent: "end",
}  # fmt: skip


@dataclass(eq=False, slots=True)
class Node:
    """A value of the file: `kind` is "scalar", "list" or "map"; `line` and `column` count from 1.

    `items` holds the nodes of a list, or the pairs (key, value) of a map.  `plain` scalars have no quotes; `tag` is
    the last word of an explicit tag.
    """

    kind: str
    line: int
    column: int
    text: str = ""
    plain: bool = False
    tag: str | None = None
    items: list = field(default_factory=list)
    size: int = 1  # nodes, aliases expanded
    height: int = 1

    def get(self, key: str) -> Node | None:
        """The value of a key of a map."""
        return next((value for name, value in self.items if name.text == key), None)


_PARTS = (
    ("mapping", "map"), ("sequence", "list"), ("collection", "list"), ("simple key", "name"), ("scalar", "text"),
)  # fmt: skip


class Refused(Exception):
    """Inside this room only: the file cannot be read further."""


def _whole(found: re.Match) -> str:
    """A character beyond 0xffff, which JSON may write as two escapes; an escaped backslash before is left alone."""
    if len(found[1]) % 2:
        return found[0]
    high, low = int(found[2], 16), int(found[3], 16)
    return found[1] + chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def compose(text: str, problems: Problems) -> Node | None:
    """The root node of a text, or None where the syntax is wrong or a limit is passed; problems are noted."""
    if text.lstrip().startswith("{"):
        text = text.replace("\t", " ")  # JSON may be indented by tabs; inside its strings they are escaped
        text = _HALVES.sub(_whole, text)
    events = yaml.parse(text, Loader=LOADER)
    try:
        return _Composer(problems).run(events)
    except Refused:
        return None
    except yaml.reader.ReaderError as error:
        bad = error.character if isinstance(error.character, int) else ord(str(error.character)[:1] or "\0")
        k = text.find(chr(bad)) if bad else -1
        line, column = (text.count("\n", 0, k) + 1, k - text.rfind("\n", 0, k)) if k >= 0 else (1, 1)
        problems.add(line, column, f"The file holds a character that is not allowed in YAML. Got {chr(bad)!r}.")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        lines = [*problems.lines, *[""] * (line - len(problems.lines))]  # a place may lie behind the end
        written = lines[line - 1]
        if "\t" in written[: max(column, len(written) - len(written.lstrip()))]:
            problems.add(line, column, "The line is indented by a tab. Use spaces: YAML does not allow tabs here.")
        else:
            problems.add(line, column, _syntax(error, lines, line))
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # e.g. an escape beyond the last character
        problems.add(1, 1, f"The syntax is wrong: {error}.")
    finally:
        events.close()
    return None


def _syntax(error: yaml.MarkedYAMLError, lines: list[str], line: int) -> str:
    """What the parser says, with the line where what it was in began: there the mistake may be."""
    began = error.context_mark.line + 1 if error.context_mark else line
    what = next((word for part, word in _PARTS if error.context and part in error.context), None)
    where = f" in the {what} that began in line {began}" if what else f" {error.context}" if error.context else ""
    told = f"The syntax is wrong{where}: {error.problem}."
    if error.problem == "did not find expected key" and error.context_mark and began < line:
        here, there = (len(one) - len(one.lstrip()) for one in (lines[line - 1], lines[began - 1]))
        if here != there and lines[line - 1].strip():
            return f"{told} Line {line} is indented by {here}, that map by {there}: too far (or not far enough)?"
    if "':'" in str(error.problem) and began < line:
        return f"{told} Is a colon missing in line {began}?"
    if "mapping values are not allowed" in str(error.problem):
        above = next((k for k in range(line - 1, 0, -1) if lines[k - 1].split("#")[0].strip()), 0)
        if above and ":" not in lines[above - 1]:
            return f"{told} Is a colon missing in line {above}?"
    return told


class _Composer:
    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.anchors: dict[str, Node] = {}
        self.count = 0

    def refuse(self, line: int, column: int, wrong: str) -> None:
        self.problems.add(line, column, wrong)
        raise Refused

    def run(self, events) -> Node | None:
        root: Node | None = None
        stack: list[tuple[Node, str | None]] = []
        keys: list[Node | None] = []  # of each open map the key that waits for its value
        documents = 0
        for event in events:
            kind = _KINDS.get(type(event))
            if kind is None:
                continue
            mark = event.start_mark
            line, column = mark.line + 1, mark.column + 1
            if kind == "document":
                documents += 1
                if documents > 1:
                    self.refuse(line, column, "The file holds a second document. Wanted one; remove the '---'.")
                continue
            if kind == "end":
                node, anchor = stack.pop()
                keys.pop()
                self._measure(node)
                if anchor:
                    self.anchors[anchor] = node
            elif kind == "alias":
                node = self._alias(event, len(stack), line, column)
            else:
                node = self._node(event, kind, line, column)
                if len(stack) >= MOST_DEPTH:
                    self.refuse(line, column, f"The file is nested too deeply. Wanted at most {MOST_DEPTH} levels.")
                if kind != "scalar":
                    stack.append((node, event.anchor))
                    keys.append(None)
                    continue
                if event.anchor:
                    self.anchors[event.anchor] = node
            if not stack:
                root = node
            else:
                keys[-1] = self._attach(stack[-1][0], keys[-1], node, line, column)
        return root

    def _attach(self, parent: Node, key: Node | None, node: Node, line: int, column: int) -> Node | None:
        """Put a finished node into its list or map; returns the key that now waits."""
        if parent.kind == "list":
            parent.items.append(node)
            return None
        if key is not None:
            parent.items.append((key, node))
            return None
        if node.kind != "scalar":
            self.refuse(node.line, node.column, "A list or a map stands where the name of a field is wanted.")
        if node.plain and node.text == "<<":
            self.refuse(node.line, node.column, "Merge keys '<<' are not read. Write the fields out.")
        if (node.line, node.column) != (line, column):  # the place of an alias is its own
            return Node("scalar", line, column, node.text, node.plain, node.tag)
        return node

    def _node(self, event, kind: str, line: int, column: int) -> Node:
        self._counted(1, line, column)
        if kind == "scalar":
            text = event.value
            if len(text) > MOST_SCALAR:
                self.refuse(
                    line, column, f"A value is too long. Got {len(text)} characters; wanted at most {MOST_SCALAR}."
                )
            if not text.isascii() and _LONE_HALF.search(text):  # only the parser without libyaml lets them through
                self.refuse(line, column, f"A text holds half a character. Got {shown(text)}.")
            node = Node(kind, line, column, text, not event.style, items=_NOTHING)
        else:
            node = Node(kind, line, column)
        tag = event.tag
        if tag and tag != "!":
            word = tag.removeprefix(_STANDARD)
            if word == tag or word not in _TAGS[node.kind]:
                self.refuse(
                    line,
                    column,
                    f"The tag {shown(tag)} is not allowed here. A file holds text, numbers, "
                    "lists and maps only; nothing in it is executed.",
                )
            node.tag = word
        elif tag == "!" and node.kind == "scalar":
            node.plain = False
        return node

    def _alias(self, event, depth: int, line: int, column: int) -> Node:
        node = self.anchors.get(event.anchor)
        if node is None:
            self.refuse(
                line,
                column,
                f"The alias {shown('*' + event.anchor)} has no anchor before it, or stands inside its own anchor.",
            )
            raise AssertionError("unreachable")
        self._counted(node.size, line, column)
        if depth + node.height > MOST_DEPTH:
            self.refuse(line, column, f"The file is nested too deeply. Wanted at most {MOST_DEPTH} levels.")
        return node

    def _counted(self, size: int, line: int, column: int) -> None:
        self.count += size
        if self.count > MOST_NODES:
            self.refuse(
                line,
                column,
                f"The file holds too many values, aliases counted by what they stand for. Wanted at most {MOST_NODES}.",
            )

    def _measure(self, node: Node) -> None:
        """Size and height of a finished list or map; a map must not have a key twice."""
        values = node.items if node.kind == "list" else [value for _, value in node.items]
        node.size = 1 + sum(value.size for value in values) + (len(values) if node.kind == "map" else 0)
        node.height = 1 + max((value.height for value in values), default=0)
        if node.kind == "map":
            first: dict[str, Node] = {}
            for key, _ in node.items:
                if key.text in first:
                    self.problems.add(
                        key.line,
                        key.column,
                        f"The field {shown(key.text)} is given twice. The first is "
                        f"in line {first[key.text].line}; remove one.",
                    )
                first.setdefault(key.text, key)
