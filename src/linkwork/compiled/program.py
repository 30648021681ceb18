"""A tape made ready to be run with other numbers: the same operations in the same order, with the same bits.

It says nothing, None, where a condition of the tape says otherwise, or where something cannot be computed.  What many
conditions ask of one number is asked at once: between which two bounds it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from linkwork.tape import CALLED, INFIX, Condition, Line, Tape, Traced


def _each(function: Callable[..., float]) -> Callable[..., np.ndarray]:
    """A function of C for arrays, one number after the other: numpy's own may round otherwise."""
    return lambda *given: np.fromiter(
        map(function, *(one.tolist() for one in (np.broadcast_arrays(*given) if given[1:] else given))), float
    )


#: the same for arrays, with the same bits
OF_ARRAYS: dict[str, Callable[..., Any]] = {
    "pow": _each(math.pow),
    "min": lambda one, other: np.where(other < one, other, one),
    "max": lambda one, other: np.where(other > one, other, one),
    "neg": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "cos": _each(math.cos),
    "sin": _each(math.sin),
    "round": lambda value: np.rint(value) + 0.0,  # no -0.0
    "remainder": _each(math.remainder),
}


class Program:
    """A tape with its results, to be run with other numbers.

    >>> from linkwork.compiled.program import Program
    >>> from linkwork.tape import Tape
    >>> tape = Tape([3.0])
    >>> length = tape.given[0]
    >>> inertia = 2.0 * length**2 / 12.0 if length > 0.0 else 0.0
    >>> program = Program(tape, [inertia])
    >>> program([3.0]), program([0.6]), program([-1.0])
    ([1.5], [0.06], None)
    """

    def __init__(self, tape: Tape, results: Sequence[Traced]) -> None:
        tape.open = False
        self.count = tape.count
        self.conditions = tuple(tape.conditions.values())
        self.results = tuple(one.node for one in results)
        needed = set(self.results) | {
            node for one in self.conditions for node, is_line in zip((one.one, one.other), one.traced) if is_line
        }
        for k in range(len(tape.lines) - 1, -1, -1):
            if tape.count + k in needed:
                line = tape.lines[k]
                # `traced` says which of both are numbers of lines; mypy takes them for plain ones
                needed |= {node for node, is_line in zip((line.one, line.other), line.traced) if is_line}  # type: ignore[misc]
        #: operations by the number of their result, in their order
        self.lines: Mapping[int, Line] = {
            tape.count + k: line for k, line in enumerate(tape.lines) if tape.count + k in needed
        }

    def __call__(self, given: Iterable[float]) -> list[float] | None:
        """The results for other numbers; None where a condition says otherwise, or something cannot be computed."""
        try:
            return self._function(*given)
        except (ArithmeticError, ValueError):
            return None

    def many(self, given: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Results (sets, results) for many sets of numbers (sets, numbers), and for which of them they are said."""
        found, said = np.zeros((len(given), len(self.results))), np.zeros(len(given), dtype=bool)
        try:
            with np.errstate(divide="raise", invalid="raise", over="raise"):
                wrong, *results = self._of_arrays(*np.ascontiguousarray(given.T))
                for k, one in enumerate(results):
                    found[:, k] = one
                said[:] = ~(wrong | np.zeros(len(given), dtype=bool))
        except (ArithmeticError, ValueError):  # of one of them: each by itself
            for k, numbers in enumerate(given.tolist()):
                one = self(numbers)
                said[k] = one is not None
                if one is not None:
                    found[k] = one
        return found, said

    @cached_property
    def _function(self) -> Callable[..., Any]:
        return self._compiled(CALLED)

    @cached_property
    def _of_arrays(self) -> Callable[..., Any]:
        return self._compiled(OF_ARRAYS)

    def _compiled(self, called: Mapping[str, Any]) -> Callable[..., Any]:
        """The program as a function of Python: a line for every operation, and every condition as soon as it can be."""
        arrays = called is OF_ARRAYS
        text = [f"def program({', '.join(f'v{k}' for k in range(self.count))}):"]
        if arrays:
            text.append(" wrong = False")
        bounds, others = sorted_out(self.conditions)
        waiting = [
            (max(0, node - self.count + 1), words) for node, one in bounds.items() for words in one.words(node, arrays)
        ]
        waiting += [(one.after, _otherwise(one)) for one in others]
        asked = [
            (after, f" wrong = wrong | ({words})" if arrays else f" if {words}: return None")
            for after, words in waiting
        ]
        asked.sort(key=lambda one: one[0], reverse=True)
        for node, line in self.lines.items():
            while asked and asked[-1][0] <= node - self.count:
                text.append(asked.pop()[1])
            text.append(f" v{node} = {_operation(line, arrays)}")
        text += [words for _, words in reversed(asked)]
        first = ["wrong"] if arrays else []
        text.append(f" return [{', '.join([*first, *(f'v{node}' for node in self.results)])}]")
        space: dict[str, Any] = {"inf": math.inf, "nan": math.nan, **called}
        exec("\n".join(text), space)  # names of operations and numbers only
        return space["program"]


class Bounds(NamedTuple):
    """Between which two numbers one is; of each whether it may be there itself.  A nan is between none."""

    low: float = -math.inf
    above: bool = False  # above it, not at it
    high: float = math.inf
    at_most: bool = True  # up to it, and at it

    def within(self, op: str, other: float) -> Bounds:
        """Those that a comparison leaves."""
        low, above, high, at_most = self
        if op in (">", ">="):
            low, above = max((low, above), (other, op == ">"))
        else:
            high, at_most = min((high, at_most), (other, op == "<="))
        return Bounds(low, above, high, at_most)

    def leaves_out(self, other: float) -> bool:
        """Whether a number is not between them."""
        low = other <= self.low if self.above else other < self.low
        return low or (other > self.high if self.at_most else other >= self.high)

    def words(self, node: int, arrays: bool) -> list[str]:
        """What is asked of the result of a line: true where it is not between them."""
        low, high = f"({self.low!r}) <{'=' * (not self.above)}", f"<{'=' * self.at_most} ({self.high!r})"
        if arrays:
            return [f"({low} v{node}) == False", f"(v{node} {high}) == False"]
        return [f"not {low} v{node} {high}"]


#: a comparison that says no; of a nan both say no, and a program has nothing to say
_REVERSED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def sorted_out(conditions: Iterable[Condition]) -> tuple[dict[int, Bounds], list[Condition]]:
    """Bounds of every line that is compared with fixed numbers, and what else is asked."""
    bounds: dict[int, Bounds] = {}
    others: list[Condition] = []
    for one in conditions:
        if one.op in _REVERSED and not one.traced[1]:
            op = one.op if one.said else _REVERSED[one.op]
            bounds[int(one.one)] = bounds.get(int(one.one), Bounds()).within(op, one.other)
        else:
            others.append(one)
    apart = ("!=", True), ("==", False)  # what bounds may say already
    return bounds, [
        one
        for one in others
        if (one.op, one.said) not in apart
        or one.traced[1]
        or not bounds.get(int(one.one), Bounds()).leaves_out(one.other)
    ]


def _operand(part: Any, is_line: bool) -> str:
    return f"v{part}" if is_line else f"({part!r})"


def _operation(line: Line, arrays: bool) -> str:
    parts = [_operand(part, is_line) for part, is_line in zip((line.one, line.other), line.traced) if part is not None]
    if line.op in INFIX:
        return f"{parts[0]} {line.op} {parts[1]}"
    if line.op in ("min", "max") and not arrays:  # as Python's own, without the call
        one, other = parts
        return f"{other} if {other} {'<' if line.op == 'min' else '>'} {one} else {one}"
    return f"{line.op}({', '.join(parts)})"


def _otherwise(one: Condition) -> str:
    parts = [_operand(part, is_line) for part, is_line in zip((one.one, one.other), one.traced)]
    asked = f"({parts[0]} {one.op} {parts[1]})"
    return f"({asked} == False)" if one.said else asked
