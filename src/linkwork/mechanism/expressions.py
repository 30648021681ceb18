"""Expressions: "0.1*sin(2*pi*t)" as a function of time, "2*L" as a number.

    names       t, pi, e and the parameters that are given
    numbers     2, 1e-3, and with a unit behind a space "1200 rpm*t"; t and parameters are never units
    operators   + - * / ** (also ^) and parentheses
    functions   sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt, and with kinks abs sign min max;
                smoothstep(x, x0, f0, x1, f1): f0 up to x0, f1 from x1, between them a quintic (as `SmoothStep`)

The text is parsed by Python's own parser and every part of it is compared with this list; nothing is executed. It
becomes a program on jets (value, first and second derivative by rule), so derivatives are exact; one compiled function
runs every program, see `jets`.

At a kink, the derivatives are those of one side: abs and sign have derivative zero at 0, min and max take the first of
equal arguments. As the position of a driver such functions have jumps in the rate, which no mechanism follows exactly.
Where a derivative is without bound (sqrt(t) at 0) or a value does not exist, an analysis stops and says so.
A power with an exponent that varies needs a positive base.
"""

from __future__ import annotations

import ast
import keyword
import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from numbers import Real
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from linkwork import units
from linkwork.arguments import explained
from linkwork.errors import DescriptionError, UnknownNameError, UserFunctionError, message
from linkwork.mechanism import dimensions, jets
from linkwork.mechanism.breaks import Breaks, of_program, switches
from linkwork.mechanism.functions import Function, Polynomial, as_function
from linkwork.mechanism.parsing import LONGEST_TEXT, Source
from linkwork.records import dataclass
from linkwork.tape import cos, finite, power, real, sin, sqrt
from linkwork.units import shown

LONGEST_NAME = 60
LONGEST_PROGRAM = 400
LARGEST_EXPONENT = 100
MOST_PARAMETERS = 1000

_CONSTANTS = {"pi": math.pi, "e": math.e}


def _sign(x: float) -> float:
    return 0.0 if x == 0.0 else math.copysign(1.0, x)


def _smoothstep(x: float, x0: float, f0: float, x1: float, f1: float) -> float:
    z = min(max((x - x0) / (x1 - x0), 0.0), 1.0)
    return f0 + (f1 - f0) * z * z * z * (10.0 + z * (-15.0 + 6.0 * z))


# name -> operation, number of arguments (None: two or more), the function for constants
_FUNCTIONS: dict[str, tuple[int, int | None, Callable[..., float]]] = {
    "sin": (jets.SIN, 1, sin), "cos": (jets.COS, 1, cos), "tan": (jets.TAN, 1, math.tan),
    "asin": (jets.ASIN, 1, math.asin), "acos": (jets.ACOS, 1, math.acos), "atan": (jets.ATAN, 1, math.atan),
    "sinh": (jets.SINH, 1, math.sinh), "cosh": (jets.COSH, 1, math.cosh), "tanh": (jets.TANH, 1, math.tanh),
    "exp": (jets.EXP, 1, math.exp), "log": (jets.LOG, 1, math.log), "sqrt": (jets.SQRT, 1, sqrt),
    "abs": (jets.ABS, 1, abs), "sign": (jets.SIGN, 1, _sign), "atan2": (jets.ATAN2, 2, math.atan2),
    "min": (jets.MIN, None, min), "max": (jets.MAX, None, max), "smoothstep": (jets.STEP, 5, _smoothstep),
}  # fmt: skip
# what the arguments are, where a name does not tell
_ARGUMENTS = {
    "atan2": "atan2(y, x)",
    "smoothstep": "smoothstep(x, x0, f0, x1, f1), which is f0 up to x0 and f1 from x1",
}
RESERVED = frozenset({"t", *_CONSTANTS, *_FUNCTIONS})  # names that no parameter may have
_OPERATORS: dict[type, tuple[int, Callable[..., float]]] = {
    ast.Add: (jets.ADD, lambda a, b: a + b), ast.Sub: (jets.SUBTRACT, lambda a, b: a - b),
    ast.Mult: (jets.MULTIPLY, lambda a, b: a * b), ast.Div: (jets.DIVIDE, lambda a, b: a / b),
    ast.Pow: (jets.POWER, power),
}  # fmt: skip
# operation -> the function of its operands
_FOLDS: dict[float, Callable[..., Any]] = {
    **{op: fold for op, _, fold in _FUNCTIONS.values()},
    **dict(_OPERATORS.values()),
    jets.NEGATE: lambda a: -a,
}


@dataclass(frozen=True, init=False)
class Expression(Function):
    """A function of time by its text: ``Expression("A*sin(2*pi*f*t)", {"A": 0.1, "f": 2})``.

    `parameters` are numbers, or expressions of each other; those that `text` uses are kept as numbers. See the head
    of this module for names, operators and functions. Derivatives are exact.

    >>> shake = lw.Expression("A*sin(w*t)", {"A": 0.1, "w": 3.0})
    >>> [float(round(one, 12)) for one in shake(0.0)]
    [0.0, 0.3, 0.0]
    """

    text: str
    parameters: Mapping[str, float] = field(default_factory=dict)

    longest: ClassVar[int] = LONGEST_TEXT

    sample: ClassVar = {"text": "A*sin(2*t + 0.3)*exp(-t/4) + 0.1*t^2", "parameters": {"A": 0.7}}

    def __new__(cls, *arguments: Any, **options: Any) -> Any:
        return object.__new__(cls)  # it has parameters of its own, and waits for none

    def __init__(self, text: str, parameters: Mapping[str, Any] | None = None) -> None:
        known = resolve_parameters(parameters or {})
        source = Source(text, taken=known)
        program, unit = _compile(source, known, timed=True)
        put = object.__setattr__
        put(self, "text", source.text)
        used = {name: known[name] for name in sorted(source.names()) if name in known}
        put(self, "parameters", MappingProxyType(used))
        put(self, "_program", tuple(real(x) for pair in program for x in pair))
        put(self, "unit", unit)

    def __repr__(self) -> str:
        return f"Expression({self.text!r}{f', {dict(self.parameters)}' if self.parameters else ''})"

    def __hash__(self) -> int:
        return hash((self.text, *self.parameters.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Expression, (self.text, dict(self.parameters))

    def numbers(self) -> tuple[float, ...]:
        """The program: operation and number, in turn."""
        program: tuple[float, ...] = self.__dict__["_program"]
        return program

    def breaks(self, first: float, last: float) -> Breaks:
        return of_program(self.numbers(), float(first), float(last))

    @property
    def smooth(self) -> bool:
        return not switches(self.numbers())

    def __call__(self, t: float) -> tuple[float, float, float]:
        try:
            with np.errstate(all="ignore"):
                found = super().__call__(t)
        except (ArithmeticError, ValueError):
            found = (math.nan,) * 3
        if not all(map(math.isfinite, found)):
            raise UserFunctionError(
                message(f"Expression {shown(self.text)}", f"has no finite value, rate and acceleration at t = {t:g}")
            )
        return found

    values = staticmethod(jets.run)


def value_of(program: Iterable[Any], t: float) -> Any:
    """The value of a program at a time; its numbers may be traced (`tape`)."""
    stack: list[Any] = []
    ahead = iter(program)
    for op, number in zip(ahead, ahead):
        if op in (jets.CONSTANT, jets.TIME):
            stack.append(t if op == jets.TIME else number)
        elif op == jets.POWER_OF:
            stack[-1] = power(stack[-1], number)
        else:
            count = jets.operands(int(op))
            stack[-count:] = [_FOLDS[op](*stack[-count:])]
    return stack[0]


@explained
def evaluate_number(text: str | float, parameters: Mapping[str, Any] | None = None) -> float:
    """The value of a constant expression, such as "2*L" with the parameters {"L": 0.3}.

    >>> evaluate_number("2*L + 0.1", {"L": 0.3})
    0.7
    """
    if isinstance(text, Real) and not isinstance(text, bool):
        return units.si(text, "1", "Expression", "value")
    known = resolve_parameters(parameters or {})
    return _constant(Source(text, taken=known), known)


@explained
def resolve_parameters(parameters: Mapping[str, Any]) -> dict[str, float]:
    """Parameters as numbers. Each is a number, a quantity ("300 mm") or an expression of others ("2*L").

    >>> resolve_parameters({"R": "2*L", "L": 0.3})
    {'R': 0.6, 'L': 0.3}
    """
    if not isinstance(parameters, Mapping) or len(parameters) > MOST_PARAMETERS:
        raise DescriptionError(
            message(
                "Parameters",
                "are not usable",
                shown(parameters),
                f"a mapping of at most {MOST_PARAMETERS} names to numbers",
            )
        )
    found: dict[str, float] = {}
    waiting: dict[str, Source] = {}
    names = {unicodedata.normalize("NFKC", name) for name in parameters if isinstance(name, str)}
    for name, value in parameters.items():
        _check_name(name)
        name = unicodedata.normalize("NFKC", name)
        if isinstance(value, str) and not units.is_quantity(value):
            waiting[name] = Source(value, f"Parameter '{name}'", names)
        else:
            found[name] = units.si(value, units.ANY, f"Parameter '{name}'", "value")
    needs = {name: [other for other in sorted(source.names()) if other in waiting] for name, source in waiting.items()}
    missing = {name: len(others) for name, others in needs.items()}
    users: dict[str, list[str]] = {name: [] for name in waiting}
    for name, others in needs.items():
        for other in others:
            users[other].append(name)
    ready = [name for name, count in missing.items() if count == 0]
    while ready:
        name = ready.pop()
        found[name] = _constant(waiting.pop(name), found)
        for user in users[name]:
            missing[user] -= 1
            ready += [user] if missing[user] == 0 else []
    if waiting:
        circle = _circle(needs, waiting)
        raise DescriptionError(
            message(
                f"Parameter '{circle[0]}'",
                "is defined by itself",
                " -> ".join(circle[:20]),
                "parameters that lead to numbers",
                "give one of them as a number",
            )
        )
    return {name: found[name] for name in (unicodedata.normalize("NFKC", key) for key in parameters)}


def function_of(value: Any, item: str, what: str, unit: str) -> Function:
    """A function of time from what a user may give: also a quantity ("30 deg") or the text of an expression."""
    if units.is_measured(value) or units.is_quantity(value, timed=True):
        return Polynomial(units.si(value, unit, item, what))
    function = as_function(value)
    for given, wanted, part in ((function.unit, unit, what), (function.argument, "s", f"the time of its {what}")):
        if given == dimensions.CYCLES and "rad" not in wanted:  # pure, where no angle is wanted
            continue
        if given is not None:
            units.must_fit(given, wanted, item, part, _told(function))
    return function


def _told(function: Function) -> str:
    """A function in messages about its unit: an expression with the parameters that have one."""
    if not isinstance(function, Expression):
        return type(function).__name__
    numbers = (
        f"{name} = {one.text or one.written()}" for name, one in function.parameters.items() if units.is_measured(one)
    )
    known = ", ".join(numbers)
    return repr(function.text) + (f" with {known}" if known else "")


def _circle(needs: Mapping[str, list[str]], waiting: Iterable[str]) -> list[str]:
    """Names from one parameter back to itself."""
    left = set(waiting)
    path = [min(left)]
    while path.count(path[-1]) == 1:
        path.append(next(other for other in needs[path[-1]] if other in left))
    return path[path.index(path[-1]) :]


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.isidentifier() or len(name) > LONGEST_NAME or keyword.iskeyword(name):
        raise DescriptionError(
            message(
                "Parameters",
                "have a name that is no word",
                shown(name),
                "letters, digits and _, not beginning with a digit",
            )
        )
    if name in RESERVED:
        raise DescriptionError(
            message(
                "Parameters", f"have the name '{name}', which has a meaning of its own", remedy="choose another name"
            )
        )


# -- from text to program ----------------------------------------------------------------------------------------------


def _constant(source: Source, known: Mapping[str, float]) -> float:
    program, unit = _compile(source, known, timed=False)
    return program[0][1] if unit is None else units.measured(program[0][1], unit)


def _compile(
    source: Source, known: Mapping[str, float], *, timed: bool
) -> tuple[list[tuple[int, float]], units.Unit | None]:
    """The program of a text, and what it measures.

    Parts without t are folded into one number, so a constant is a program of length one.
    """
    code: list[tuple[int, float]] = []
    # of every number that waits: where its code begins, its value if known, its unit
    stack: list[tuple[int, float | None, units.Unit | None]] = []
    tasks: list[tuple[Any, ...]] = [(source.tree,)]
    with_pi = "pi" in source.names()

    def push(op: int, value: float | None, unit: units.Unit | None, node: ast.AST) -> None:
        if len(stack) == jets.STACK or len(code) == LONGEST_PROGRAM:
            source.refuse_node(
                node, "the expression is nested too deep or too long", remedy="use parameters, or a Table"
            )
        stack.append((len(code), value, unit))
        code.append((op, 0.0 if value is None else value))

    def apply(op: int, count: int, fold: Callable[..., float], node: ast.AST) -> None:
        operands = stack[-count:]
        del stack[-count:]
        begin, values = operands[0][0], [value for _, value, _ in operands]
        try:
            unit = dimensions.result(op, [one for _, _, one in operands], values, with_pi)
        except dimensions.Mismatch as wrong:
            source.refuse_node(node, str(wrong))
        if op == jets.STEP and (values[1] is None or values[3] is None or values[1] >= values[3]):
            source.refuse_node(node, "smoothstep(x, x0, f0, x1, f1) needs constants x0 < x1")
        if op == jets.POWER and values[1] is not None and abs(values[1]) > LARGEST_EXPONENT:
            source.refuse_node(node, f"the exponent {values[1]:g} is too large", f"at most {LARGEST_EXPONENT}")
        if None not in values:
            try:
                value = fold(*values)
            except (ArithmeticError, ValueError):
                value = math.nan
            if not finite(value):
                source.refuse_node(node, "this part is not a finite number")
            del code[begin:]
            push(jets.CONSTANT, value, unit, node)
            return
        if op == jets.POWER and values[1] is not None:
            code.pop()
            code.append((jets.POWER_OF, values[1]))
        else:
            if len(code) == LONGEST_PROGRAM:
                source.refuse_node(node, "the expression is too long", remedy="use parameters, or a Table")
            code.append((op, 0.0))
        stack.append((begin, None, unit))

    while tasks:
        task = tasks.pop()
        if len(task) > 1:
            apply(*task)
            continue
        node = task[0]
        if isinstance(node, ast.Constant):
            written = source.unit_of(node)
            unit = dimensions.PURE if written is None else dimensions.bare(written)
            push(jets.CONSTANT, _literal(source, node), unit, node)
        elif isinstance(node, ast.Name):
            if timed and node.id == "t":
                push(jets.TIME, None, None, node)
            elif node.id in known:
                push(jets.CONSTANT, real(known[node.id]), dimensions.unit_of(known[node.id]), node)
            elif node.id in _CONSTANTS:
                push(jets.CONSTANT, _CONSTANTS[node.id], dimensions.PURE, node)
            elif node.id in _FUNCTIONS:
                source.refuse_node(node, f"'{node.id}' is a function", remedy=f"write {node.id}(...)")
            elif node.id == "t":
                source.refuse_node(node, "t is used where a constant is wanted")
            else:
                others = [*(["t"] if timed else []), *known, *_CONSTANTS]
                raise UnknownNameError("name", node.id[:60], others, _where(source))
        elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            op, fold = _OPERATORS[type(node.op)]
            tasks += [(op, 2, fold, node), (node.right,), (node.left,)]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd | ast.USub):
            tasks += [(jets.NEGATE, 1, lambda a: -a, node)] if isinstance(node.op, ast.USub) else []
            tasks.append((node.operand,))
        elif isinstance(node, ast.Call):
            op, count, fold = _called(source, node, known)
            times, arity = (count - 1, 2) if op in (jets.MIN, jets.MAX) else (1, count)
            tasks += [(op, arity, fold, node)] * times
            tasks += [(argument,) for argument in reversed(node.args)]
        else:
            comma = "is a decimal comma meant? Decimals stand behind a point, 0.12" if type(node) is ast.Tuple else None
            wanted = "numbers, names, + - * / ** and functions"
            source.refuse_node(node, "this part is not allowed", wanted, comma)
    return code, dimensions.outcome(stack[0][2])


def _called(source: Source, node: ast.Call, names: Iterable[str]) -> tuple[int, int, Callable[..., float]]:
    """Operation and number of arguments of a call."""
    if not isinstance(node.func, ast.Name):
        source.refuse_node(node, "this is no function", remedy="write * between factors")
    name = node.func.id
    if name not in _FUNCTIONS:
        if name == "t" or name in names or name in _CONSTANTS:
            source.refuse_node(node, f"'{name}' is no function", remedy=f"write {name}*(...)")
        raise UnknownNameError("function", name[:60], _FUNCTIONS, _where(source))
    op, count, fold = _FUNCTIONS[name]
    given = len(node.args)
    if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
        source.refuse_node(node, f"{name} takes plain arguments only")
    if given != count and not (count is None and given >= 2):
        wanted = "two or more arguments" if count is None else f"{count} argument{'s' if count > 1 else ''}"
        wanted += f": {_ARGUMENTS[name]}" if name in _ARGUMENTS else ""
        source.refuse_node(node, f"{name} has {given} argument{'' if given == 1 else 's'}", wanted)
    return op, given, fold


def _literal(source: Source, node: ast.Constant) -> float:
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        source.refuse_node(node, "this is no number")
    try:
        value = float(value)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        source.refuse_node(node, "this number is not finite")
    return value


def _where(source: Source) -> str:
    return f"in {source.item[0].lower()}{source.item[1:]}"
