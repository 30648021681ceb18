"""The text of an expression, parsed: what its signs may be, and where a fault in it is.

A number may have a unit behind a space, "1200 rpm*t": it stands for the number in SI, and keeps its unit.  Names that
mean something else in the expression, t and the parameters, are never units.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any, NoReturn, cast

from linkwork import units
from linkwork.errors import DescriptionError, UnitError, message, nearest_names
from linkwork.units import shown

LONGEST_TEXT = 1000
DEEPEST = 60  # parentheses

_HINTS = {
    "<": "comparisons are not possible", ">": "comparisons are not possible", "=": "write only the right side",
    "%": "a remainder has jumps", "[": "use parentheses", "{": "use parentheses", "'": "text is not possible",
    '"': "text is not possible",
}  # fmt: skip
_PLAIN = re.compile(r"[\w.+\-*/^(), \t\r\n]*")
# a number; the group is atomic, so that 1e5 is not taken for 1 and a name
_NUMBER = r"(?<![\w.])(?>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
_TOUCHING = re.compile(_NUMBER + r"( *)([^\W\d]\w*)")
_BEFORE_A_WORD = re.compile(_NUMBER + r"(?= +[^\W\d])")


class Source:
    """A text that has been parsed, and what points into it; `taken` are its parameters."""

    def __init__(self, text: Any, item: str | None = None, taken: Iterable[str] = ()) -> None:
        if not isinstance(text, str):
            raise DescriptionError(message(item or "Expression", "is not a text", shown(text), "for example '2*t'"))
        self.item = item or f"Expression {shown(text)}"
        if len(text) > LONGEST_TEXT:
            raise DescriptionError(
                message(
                    item or "Expression",
                    "is too long",
                    f"{len(text)} characters",
                    f"at most {LONGEST_TEXT}",
                    "use parameters, or a Table",
                )
            )
        self.text = re.sub(r"\s", " ", text).strip()
        if not self.text:
            raise DescriptionError(message(self.item, "is empty", wanted="for example '2*t'"))
        self._write({*taken, "t"})
        try:
            self.tree = ast.parse(self.source, mode="eval").body
        except SyntaxError as error:
            place = min(max((error.offset or 1) - 1, 0), len(self.places) - 1)
            self.refuse(self.places[place], "this cannot be read", remedy="operators are + - * / ** and parentheses")
        except (ValueError, MemoryError, RecursionError):
            raise DescriptionError(message(self.item, "cannot be read", wanted="a simpler text")) from None

    def _write(self, taken: set[str]) -> None:
        """The text as Python reads it: ^ as **, which binds as it should, and quantities as numbers in SI.

        `places` leads from its signs back to the text, and `quantities` tells the units of its numbers.
        """
        self.source, self.places, self.quantities = "", list[int](), dict[int, units.Unit]()
        depth = place = 0
        for begin, end, value in self._read_quantities(taken):
            depth = self._copy(place, begin, depth)
            self.quantities[len(self.source.encode())] = value.unit
            number = repr(float(value))
            self.source += number
            self.places += [begin] * len(number)
            place = end
        self._copy(place, len(self.text), depth)

    def _read_quantities(self, taken: set[str]) -> Iterable[tuple[int, int, units.Measured]]:
        """Numbers with a unit: where each begins and ends, and what it is."""
        place = 0
        while (number := _BEFORE_A_WORD.search(self.text, place)) is not None:
            place = number.end()
            length = units.leading_unit(self.text[place:], taken)
            if length:
                begin, place = number.start(), place + length
                try:
                    value = units.si(self.text[begin:place], units.ANY, self.item, "quantity")
                except UnitError:
                    self.refuse(begin, "this number is not finite")
                yield begin, place, cast(units.Measured, value)

    def _copy(self, place: int, end: int, depth: int) -> int:
        """A part of the text without quantities, its signs checked; returns how many parentheses are open."""
        part = self.text[place:end]
        plain = _PLAIN.match(part)
        if plain is None or plain.end() < len(part):
            sign = part[plain.end() if plain else 0]
            self.refuse(place + part.index(sign), f"{sign!r} has no meaning in an expression", remedy=_HINTS.get(sign))
        touching = _TOUCHING.search(self.text, place, end)
        if touching:
            space, name = touching.groups()
            known = units.unit_names()
            near = nearest_names(name, known) if space and name not in known else []
            self.refuse(
                touching.start(2),
                "a sign is missing between a number and a name",
                remedy="write it like 2*t; a unit stands behind a space"
                + (f", nearest: {', '.join(near)}" if near else ""),
            )
        for k, sign in enumerate(part, start=place):
            depth += (sign == "(") - (sign == ")")
            if depth > DEEPEST:
                self.refuse(k, f"parentheses are nested deeper than {DEEPEST}")
            self.source += "**" if sign == "^" else sign
            self.places += [k, k] if sign == "^" else [k]
        return depth

    def unit_of(self, node: ast.Constant) -> units.Unit | None:
        """The unit of a number in the tree, if it has one."""
        return self.quantities.get(node.col_offset)

    def refuse(self, place: int, wrong: str, wanted: str | None = None, remedy: str | None = None) -> NoReturn:
        """Raise an error that points at a place of the text."""
        part = self.text[place : place + 24] + ("..." if len(self.text) > place + 24 else "")
        wrong = f"cannot be used, at column {place + 1}: {wrong}"
        raise DescriptionError(message(self.item, wrong, repr(part), wanted, remedy)) from None

    def refuse_node(self, node: ast.AST, wrong: str, wanted: str | None = None, remedy: str | None = None) -> NoReturn:
        """Raise an error that points at a part of the tree."""
        before = self.source.encode()[: getattr(node, "col_offset", 0)].decode(errors="replace")
        self.refuse(self.places[min(len(before), len(self.places) - 1)], wrong, wanted, remedy)

    def names(self) -> set[str]:
        """Names that the text uses, functions included."""
        return {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
