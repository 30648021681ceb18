"""Numbers that write down what is computed with them: from a number that a user gives to the numbers of the kernels.

A description and its model are made as always, but with `Traced` numbers in place of some floats.  Every operation on
them becomes a line of a `Tape`, and every comparison a *condition*: it said yes or no, and the way went on accordingly.
`Program` is the tape made ready to be run with other numbers: the same operations in the same order, so that its
results are the same bit for bit, as long as every condition says what it said.  Where one does not, it says nothing.

A traced number is no float.  Where one is wanted (`float(x)`, an array of floats, a function of C) it raises `Lost`, so
that nothing can depend on it unseen.

| operation           | written as          | condition                 | written as      |
|---------------------|---------------------|---------------------------|-----------------|
| a + b, a - b, ...   | (op, a, b)          | a < b, a == b, ...        | (op, a, b, yes) |
| -a, abs, sqrt, ...  | (op, a, None)       | whether a is not zero     | ("!=", a, 0.0)  |
"""

from __future__ import annotations

import math
import numbers
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

PLAIN = (float, int, np.float64, np.int64)
INFIX: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
CALLED: dict[str, Callable[..., Any]] = {
    "pow": math.pow,
    "min": min,
    "max": max,
    "neg": operator.neg,
    "abs": abs,
    "sqrt": math.sqrt,
    "cos": math.cos,
    "sin": math.sin,
    "round": lambda value: float(round(value)),
    "remainder": math.remainder,
}


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
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
MOST_LINES = 50_000  # of a tape


class Lost(Exception):
    """A traced number was wanted as a float: what comes of it would not be known."""


class Line(NamedTuple):
    """One operation: its name, and what it is applied to, lines by number or floats."""

    op: str
    one: int | float
    other: int | float | None
    traced: tuple[bool, bool]  # which of the two are lines


class Condition(NamedTuple):
    """One comparison, behind how many lines it was made, and what it said."""

    after: int
    op: str
    one: int | float
    other: int | float
    traced: tuple[bool, bool]
    said: bool


class Tape:
    """What is computed with some numbers."""

    def __init__(self, values: Sequence[float]) -> None:
        self.count = len(values)
        self.lines: list[Line] = []
        self.conditions: dict[tuple, Condition] = {}
        self._known: dict[tuple[Line, tuple], Traced] = {}
        self.open = True
        #: the numbers themselves, traced
        self.given = [Traced(self, k, float(value)) for k, value in enumerate(values)]

    def apply(self, op: str, one: Any, other: Any = None) -> Any:
        """The result of an operation, traced; known ones are not written again."""
        line = Line(op, *self._operands(one, other))
        signs = tuple(math.copysign(1.0, part) for part in (one, other) if type(part) is float)  # -0.0 is 0.0 in keys
        found = self._known.get((line, signs))
        if found is None:
            if not self.open or len(self.lines) >= MOST_LINES:
                raise Lost
            function = INFIX.get(op) or CALLED[op]
            values = [part.value if isinstance(part, Traced) else part for part in (one, other) if part is not None]
            value = function(*values)
            if type(value) is not float:
                raise Lost
            self.lines.append(line)
            found = self._known[line, signs] = Traced(self, self.count + len(self.lines) - 1, value)
        return found

    def ask(self, op: str, one: Traced, other: Any) -> bool:
        """What a comparison says, which is a condition from now on."""
        if not self.open:
            raise Lost
        value = other.value if isinstance(other, Traced) else other
        said = COMPARED[op](one.value, value)
        operands = self._operands(one, other)
        self.conditions.setdefault((op, *operands), Condition(len(self.lines), op, *operands, said))
        return said

    def _operands(self, one: Any, other: Any) -> tuple[Any, Any, tuple[bool, bool]]:
        if any(isinstance(part, Traced) and part.tape is not self for part in (one, other)):
            raise Lost
        traced = isinstance(one, Traced), isinstance(other, Traced)
        first, second = (part.node if isinstance(part, Traced) else part for part in (one, other))
        return first, second, traced


class Traced:
    """A number whose use is written down."""

    __slots__ = ("node", "tape", "unit", "value")

    def __init__(self, tape: Tape, node: int, value: float, unit: Any = None) -> None:
        self.tape, self.node, self.value, self.unit = tape, node, value, unit

    def measured(self, unit: Any) -> Traced:
        """The same number with what it measures, or without (None)."""
        return Traced(self.tape, self.node, self.value, unit)

    def __repr__(self) -> str:
        return f"<{self.value!r}>"

    def _lost(self, *given: Any) -> Any:
        raise Lost

    # each of them returns something else, and this never returns
    __float__ = __int__ = __complex__ = __str__ = __format__ = __trunc__ = __floor__ = __ceil__ = _lost  # type: ignore[assignment]

    def _with(self, op: str, other: Any, turned: bool = False) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if not isinstance(other, Traced):
            if type(other) not in PLAIN:
                return NotImplemented
            other = float(other)
        return self.tape.apply(op, other, self) if turned else self.tape.apply(op, self, other)

    def __add__(self, other: Any) -> Any:
        return self._with("+", other)

    def __radd__(self, other: Any) -> Any:
        return self._with("+", other, True)

    def __sub__(self, other: Any) -> Any:
        return self._with("-", other)

    def __rsub__(self, other: Any) -> Any:
        return self._with("-", other, True)

    def __mul__(self, other: Any) -> Any:
        return self._with("*", other)

    def __rmul__(self, other: Any) -> Any:
        return self._with("*", other, True)

    def __truediv__(self, other: Any) -> Any:
        return self._with("/", other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with("/", other, True)

    def __pow__(self, other: Any) -> Any:
        return self._with("pow", other)

    def __rpow__(self, other: Any) -> Any:
        return self._with("pow", other, True)

    def __neg__(self) -> Any:
        return self.tape.apply("neg", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return self.tape.apply("abs", self)

    def __round__(self, digits: Any = None) -> Any:
        return self.tape.apply("round", self) if digits is None else self._lost()

    def sqrt(self) -> Any:
        """Its root, for arrays too."""
        return self.tape.apply("sqrt", self)

    def is_integer(self) -> bool:
        """Whether it is a whole number."""
        return bool(round(self) == self)

    # -- conditions ----------------------------------------------------------------------------------------------------
    def _asked(self, op: str, other: Any) -> Any:
        if isinstance(other, Traced):
            return self.tape.ask(op, self, other)
        if type(other) in PLAIN:
            return self.tape.ask(op, self, float(other))
        return NotImplemented

    def __lt__(self, other: Any) -> Any:
        return self._asked("<", other)

    def __le__(self, other: Any) -> Any:
        return self._asked("<=", other)

    def __gt__(self, other: Any) -> Any:
        return self._asked(">", other)

    def __ge__(self, other: Any) -> Any:
        return self._asked(">=", other)

    def __eq__(self, other: object) -> Any:
        return self._asked("==", other)

    def __ne__(self, other: object) -> Any:
        return self._asked("!=", other)

    def __bool__(self) -> bool:
        return self.tape.ask("!=", self, 0.0)

    def __hash__(self) -> int:
        return hash(self.value)  # `Tape.ask` is told by `apart` of what was not compared because of it


numbers.Real.register(Traced)


# -- functions of floats and of traced numbers alike -------------------------------------------------------------------
def real(value: Any) -> Any:
    """A number of any kind as a float; a traced one without what it measures."""
    return value.measured(None) if isinstance(value, Traced) else float(value)


def plainly(value: Any) -> float:
    """A number as it is now, for messages."""
    return value.value if isinstance(value, Traced) else float(value)


def finite(value: Any) -> bool:
    """Whether a number is finite."""
    return bool(-math.inf < value) and bool(value < math.inf) if isinstance(value, Traced) else math.isfinite(value)


def _called(op: str, *given: Any) -> Any:
    for one in given:
        if isinstance(one, Traced):
            return one.tape.apply(op, *(part if isinstance(part, Traced) else float(part) for part in given))
    return CALLED[op](*given)


def sqrt(value: Any) -> Any:
    """Square root."""
    return _called("sqrt", value)


def cos(value: Any) -> Any:
    """Cosine."""
    return _called("cos", value)


def sin(value: Any) -> Any:
    """Sine."""
    return _called("sin", value)


def power(value: Any, exponent: Any) -> Any:
    """Power, as `math.pow`."""
    return _called("pow", value, exponent)


def remainder(value: Any, by: Any) -> Any:
    """Remainder, as `math.remainder`."""
    return _called("remainder", value, by)


def least(values: Sequence[Any]) -> Any:
    """The least of some numbers; which it is is no condition."""
    found, *others = values
    for one in others:
        found = _called("min", found, one)
    return found


def largest(values: Sequence[Any]) -> Any:
    """The largest of some numbers; which it is is no condition."""
    found, *others = values
    for one in others:
        found = _called("max", found, one)
    return found


def norm(parts: Sequence[Any]) -> Any:
    """Length of a vector: its squares added in their order."""
    total: Any = 0.0
    for part in parts:
        total = total + part * part
    return sqrt(total)


def turned(matrix: Any, vector: Any) -> np.ndarray:
    """A matrix times a vector, each row added in its order."""
    return array([sum((a * b for a, b in zip(row, vector)), 0.0) for row in np.asarray(matrix).tolist()])


def array(values: Any) -> np.ndarray:
    """An array of floats; of objects where traced numbers are among them."""
    found = np.asarray(values)
    return found if found.dtype == object else found.astype(float, copy=False)


def apart(keys: Sequence[Any]) -> None:
    """That these are pairwise different, where they have traced numbers: their hashes hide that they were compared."""
    for k, one in enumerate(keys):
        for other in keys[:k]:
            one == other  # noqa: B015  what it says becomes a condition


# -- other numbers -----------------------------------------------------------------------------------------------------
class Program:
    """A tape with its results, to be run with other numbers.

    >>> from linkwork.tape import Program, Tape
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
        return self._compiled(CALLED, " if {0}: return None")

    @cached_property
    def _of_arrays(self) -> Callable[..., Any]:
        return self._compiled(OF_ARRAYS, " wrong = wrong | ({0})")

    def _compiled(self, called: Mapping[str, Any], asked: str) -> Callable[..., Any]:
        """The program as a function of Python: a line for every operation, and every condition as soon as it can be."""
        text = [f"def program({', '.join(f'v{k}' for k in range(self.count))}):"]
        if called is OF_ARRAYS:
            text.append(" wrong = False")
        waiting = sorted(self.conditions)
        for node, line in self.lines.items():
            while waiting and waiting[0].after <= node - self.count:
                text.append(asked.format(_otherwise(waiting.pop(0))))
            text.append(f" v{node} = {_operation(line)}")
        text += [asked.format(_otherwise(one)) for one in waiting]
        first = ["wrong"] if called is OF_ARRAYS else []
        text.append(f" return [{', '.join([*first, *(f'v{node}' for node in self.results)])}]")
        space: dict[str, Any] = {"inf": math.inf, "nan": math.nan, **called}
        exec("\n".join(text), space)  # names of operations and numbers only
        return space["program"]


def _operand(part: Any, is_line: bool) -> str:
    return f"v{part}" if is_line else f"({part!r})"


def _operation(line: Line) -> str:
    parts = [_operand(part, is_line) for part, is_line in zip((line.one, line.other), line.traced) if part is not None]
    return f"{parts[0]} {line.op} {parts[1]}" if line.op in INFIX else f"{line.op}({', '.join(parts)})"


def _otherwise(one: Condition) -> str:
    parts = [_operand(part, is_line) for part, is_line in zip((one.one, one.other), one.traced)]
    asked = f"({parts[0]} {one.op} {parts[1]})"
    return f"({asked} == False)" if one.said else asked
