"""The layout of a YAML file put in order: indentation by two, single spaces, no spaces at the ends of lines.

Comments keep every character, keys keep their order, line breaks stay where they are.  What the file says is compared
before and after; where the result would say something else, less is changed.
"""

from __future__ import annotations

from typing import Any

import yaml

from linkwork.arguments import explained
from linkwork.errors import FileError, message
from linkwork.files.nodes import LOADER, Node, compose
from linkwork.files.problems import Problems, TooManyProblems
from linkwork.files.source import open_source

STEP = 2
_OPENS = (yaml.BlockMappingStartToken, yaml.BlockSequenceStartToken)
_FLOW_OPENS = (yaml.FlowMappingStartToken, yaml.FlowSequenceStartToken)
_FLOW_ENDS = (yaml.FlowMappingEndToken, yaml.FlowSequenceEndToken)
_CLOSES = (*_FLOW_ENDS, yaml.FlowEntryToken)
_SPACED = (yaml.ValueToken, yaml.FlowEntryToken, yaml.BlockEntryToken, yaml.KeyToken)
_VALUED = (yaml.ScalarToken, yaml.AnchorToken, yaml.AliasToken, yaml.TagToken, yaml.DirectiveToken)


@explained
def format_text(text: str) -> str:
    """The text of a YAML file with its layout put in order; applied twice it changes nothing more.

    Raises `FileError` where the syntax is wrong.
    """
    if not isinstance(text, str):
        raise FileError(message("format_text", "formats text only", repr(text), "the text of a YAML file"))
    text = open_source(text if "\n" in text else text + "\n").text
    _root(text, required=True)
    tokens = _tokens(text)
    for way in (_laid_out, _trimmed):
        found = way(text, tokens)
        if found == text:
            return text
        if found is None:
            continue
        after = _tokens(found)
        if (
            _comments(found, after) == _comments(text, tokens)
            and way(found, after) == found
            and (_same_tokens(tokens, after) or _said(_root(found)) == _said(_root(text)))
        ):
            return found
    return text


def _root(text: str, required: bool = False) -> Node | None:
    """The nodes of a text; None where it has none, or `FileError` if they are required."""
    problems = Problems("<text>", text)
    root = None
    try:
        root = compose(text, problems)
    except TooManyProblems:
        pass
    if required:
        problems.raise_any()
    return root


def _said(node: Node | None) -> Any:
    """What a text says, without places."""
    if node is None:
        return None
    if node.kind == "scalar":
        return node.text, node.plain, node.tag
    if node.kind == "list":
        return node.tag, [_said(one) for one in node.items]
    return node.tag, [(key.text, _said(value)) for key, value in node.items]


def _tokens(text: str) -> list[Any]:
    """The tokens of a text, without the keys that no "?" marks."""
    try:
        return [
            token
            for token in yaml.scan(text, Loader=LOADER)
            if type(token) is not yaml.KeyToken or token.start_mark.index < token.end_mark.index
        ]
    except yaml.YAMLError:
        return []


def _same_tokens(before: list[Any], after: list[Any]) -> bool:
    """Whether two texts are made of the same tokens, wherever they stand: then they say the same."""
    return len(before) == len(after) > 0 and all(
        type(one) is type(other)
        and (type(one) not in _VALUED or one.value == other.value)
        and (type(one) is not yaml.ScalarToken or one.plain == other.plain)
        for one, other in zip(before, after)
    )


def _comments(text: str, tokens: list[Any]) -> list[str]:
    """All comments, to the last character."""
    if "#" not in text:
        return []
    found = []
    end = 0
    for token in tokens:
        start = token.start_mark.index
        if start > end and "#" in text[end:start]:
            found += [line[line.index("#") :] for line in text[end:start].split("\n") if "#" in line]
        if token.end_mark.index > end:
            end = token.end_mark.index
    return found


def _trimmed(text: str, tokens: list[Any]) -> str | None:
    """Only spaces at the ends of lines, and empty lines at both ends of the file."""
    return "\n".join(line if "#" in line else line.rstrip() for line in text.strip("\n").split("\n")) + "\n"


class _Layout:
    """Goes through the tokens and writes them with the gaps between them in order."""

    def __init__(self, text: str, tokens: list[Any]) -> None:
        self.text = text
        self.tokens = tokens
        self.out: list[str] = []
        self.column = 0  # of the output
        self.blocks: list[tuple[int, int]] = []  # open block collections: column before, column now
        self.shift = 0  # of the line, for what goes on below it
        self.flow = 0
        self.fresh = True  # nothing on this line yet

    def write(self, piece: str) -> None:
        self.out.append(piece)
        self.column = len(piece) - piece.rfind("\n") - 1 if "\n" in piece else self.column + len(piece)

    def run(self) -> str | None:
        if not self.tokens:
            return None
        end = 0
        before: Any = None
        for token in self.tokens:
            if type(token) is yaml.StreamStartToken:
                continue
            start = token.start_mark.index
            if type(token) is yaml.BlockEndToken:
                self.blocks.pop()
                continue
            if type(token) in _OPENS:
                self._gap(end, start, before, token)
                end = max(end, start)
                self._open(token.start_mark.column)
                continue
            self._gap(end, start, before, token)
            end = max(end, start)
            if type(token) is yaml.StreamEndToken:
                break
            self._token(self.text[start : token.end_mark.index], token)
            end = max(end, token.end_mark.index)
            kind = type(token)
            if kind in _FLOW_OPENS:
                self.flow += 1
            elif kind in _FLOW_ENDS:
                self.flow -= 1
            before = token
        return "".join(self.out).strip("\n") + "\n"

    def _token(self, piece: str, token: Any) -> None:
        if type(token) is yaml.ScalarToken:
            if token.style in ("|", ">"):
                piece = self._moved(piece.rstrip("\n ")) + "\n"
            elif "\n" in piece:
                piece = self._moved(piece)
        self.fresh = piece.endswith("\n")
        self.write(piece)

    def _moved(self, piece: str) -> str:
        """The further lines of a text that goes over several, moved along with its first."""
        first, *rest = piece.split("\n")
        moved = []
        for line in rest:
            bare = line.lstrip(" ")
            moved.append(" " * max(0, len(line) - len(bare) + self.shift) + bare if bare else "")
        return "\n".join([first, *moved])

    def _open(self, column: int) -> None:
        """A block collection begins: on a line of its own one step in, behind a dash where it is."""
        self.blocks.append((column, self.column))

    def _wanted(self, column: int, opens: bool) -> int:
        """The column for a line that stood at `column`."""
        for old, new in reversed(self.blocks):
            if column == old:
                return new
            if column > old:
                return new + STEP if opens or not self.flow else column + (new - old)
        return 0

    def _gap(self, start: int, end: int, before: Any, token: Any) -> None:
        """What stands between two tokens: spaces, line breaks and comments."""
        gap = self.text[start:end]
        if "\n" not in gap and "#" not in gap:
            if not self.fresh:
                self.write(self._space(before, token, gap))
                return
            self._indent(token)
            return
        lines = gap.split("\n")
        last = lines.pop()
        for k, line in enumerate(lines):
            bare = line.lstrip() if "#" in line else ""
            if k == 0 and not self.fresh:
                if bare:
                    self.write("  " + bare)
            elif bare:
                self.write(" " * self._comment_column(len(line) - len(line.lstrip()), token) + bare)
            elif self.out and not self._blank_before():
                pass
            else:
                continue  # one empty line is enough
            self.write("\n")
            self.fresh = True
        if "#" in last:  # a comment at the very end of the file
            self.write(("" if self.fresh else "  ") + last.lstrip())
            return
        if type(token) is not yaml.StreamEndToken:
            self._indent(token)

    def _blank_before(self) -> bool:
        return "".join(self.out[-3:]).endswith("\n\n")

    def _comment_column(self, column: int, token: Any) -> int:
        """A comment stands with the line that follows it, or with the block it stood in."""
        if self.flow:
            return max(0, column + self.shift)
        if type(token) is not yaml.StreamEndToken and column == token.start_mark.column:
            opens = type(token) in _OPENS
            return self._wanted(column, opens)
        return next((new for old, new in reversed(self.blocks) if old <= column), 0)

    def _indent(self, token: Any) -> None:
        """The beginning of a line with code."""
        column = token.start_mark.column
        opens = type(token) in _OPENS
        if opens and not self.blocks:
            wanted = 0
        elif opens and column > self.blocks[-1][0]:
            wanted = self.blocks[-1][1] + STEP
        elif self.flow:
            wanted = max(0, column + self.shift)
        else:
            wanted = self._wanted(column, opens)
        if not self.flow:
            self.shift = wanted - column
        self.write(" " * wanted)
        self.fresh = False

    def _space(self, before: Any, token: Any, gap: str) -> str:
        """Spaces between two tokens of one line."""
        if type(before) in _FLOW_OPENS:
            return ""
        if type(token) in _CLOSES:
            return ""
        if type(token) is yaml.ValueToken and gap.strip(" ") == "":
            return " " if type(before) is yaml.AliasToken else ""
        if type(before) in _SPACED:
            return " " if gap or type(before) is yaml.FlowEntryToken or self.flow else gap
        return " " if gap else ""


def _laid_out(text: str, tokens: list[Any]) -> str | None:
    try:
        return _Layout(text, tokens).run()
    except (IndexError, ValueError):
        return None
