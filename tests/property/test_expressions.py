"""Random and mutated expressions and quantities: each is read, or refused with a message of ours, at once."""

import math
import random

import pytest

from linkwork import units
from linkwork.errors import DescriptionError, LinkworkError, UnitError, UserFunctionError
from linkwork.mechanism.expressions import Expression, evaluate_number
from property.watch import watch, watched

COUNT = 4000
SECONDS, MEGABYTES = 2.0, 200  # for one text, see `watch`
PARAMETERS = {"L": 0.3, "R": "2*L", "w_1": 6.28}
SEEDS = [
    "0.1*sin(2*pi*t)", "L*cos(w_1*t)^2 - R/2", "exp(-t/4)*(1 + t**2)**0.5", "atan2(sin(t), 2 + cos(t))",
    "smoothstep(t, 0, 0, 1, R) + min(t, 1, L)", "-(t - 1)**3/(2 + abs(t))", "sqrt(t**2 + 1e-3)", "9**9**9",
    "log(t)*tanh(t)",
]  # fmt: skip
PIECES = [
    "t", "L", "R", "w_1", "pi", "e", "q", "1", "0", "2.5", "1e3", "1e-300", "9" * 30, "+", "-", "*", "/",
    "**", "^", "//", "%", "(", ")", ",", ".", " ", "sin(", "cos(", "tan(", "sqrt(", "log(", "exp(", "abs(",
    "sign(", "min(", "max(", "atan2(", "smoothstep(", "asin(", "sinh(", "**9**9", "__import__('os')",
    ".__class__", "lambda: ", "[", "]", "{", "}", "'", '"', "f'{t}'", "if", " else ", " for t in ", "=", "==",
    "<", ":=", ";", "\n", "\t", "\x00", "\\", "#", "@", "~", "!", "µ", "²", "é", "\u202e", "\ud800", "🙂",
    "1j", "0x1f", "True", "None", "...", "*t", "**t", "yield ", "await ", "await t", "((((((((", "))))",
    "1_0",
]  # fmt: skip


def expression(source, depth):
    """A random expression that follows the grammar."""
    if depth == 0 or source.random() < 0.15:
        return source.choice(
            ["t", "L", "R", "w_1", "pi", "e", f"{source.uniform(-5, 5):.3g}", str(source.randrange(20))]
        )
    kind = source.randrange(4)
    if kind == 0:
        return f"({expression(source, depth - 1)})"
    if kind == 1:
        name = source.choice("sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign".split())
        return f"{name}({expression(source, depth - 1)})"
    if kind == 2:
        name, count = source.choice([("atan2", 2), ("min", 2), ("max", 3)])
        return f"{name}({', '.join(expression(source, depth - 1) for _ in range(count))})"
    sign = source.choice(["+", " - ", "*", "/", "**", "^"])
    return f"{expression(source, depth - 1)}{sign}{expression(source, depth - 1)}"


def mutated(source, text, pieces):
    """The text with a few parts put in, taken out, doubled or moved."""
    for _ in range(source.randrange(1, 6)):
        k, n = source.randrange(len(text) + 1), source.randrange(1, 6)
        text = source.choice([
            text[:k] + source.choice(pieces) + text[k:],
            text[:k] + text[k + n:],
            text[:k] + text[k:k + n] * source.choice([2, 3, 50]) + text[k + n:],
            text[k:] + text[:k],
            text[:k] + chr(source.randrange(0x3000)) + text[k:],
        ])  # fmt: skip
    return text


def texts(seed):
    source = random.Random(seed)
    for k in range(COUNT):
        if k % 3 == 0:
            yield expression(source, source.randrange(1, 6))
        elif k % 3 == 1:
            yield mutated(source, source.choice(SEEDS), PIECES)
        else:
            yield "".join(source.choice(PIECES) for _ in range(source.randrange(1, 40)))


def read_expressions(seed):
    """Read expressions of time, and call those that can be read; counts them and their finite values."""
    read = finite = 0
    for text in texts(seed):
        try:
            f = Expression(text, PARAMETERS)
            read += 1
            for t in (-1.3, 0.0, 0.7):
                try:
                    assert all(map(math.isfinite, f(t)))
                    finite += 1
                except UserFunctionError as error:
                    assert "no finite value" in str(error)
            assert Expression(f.text, f.parameters) == f
        except DescriptionError as error:
            assert len(str(error)) < 400 and str(error).endswith((".", "?", "!"))
        yield text
    return read, finite


@watched
def test_every_expression_is_read_or_refused_with_a_message():
    (read, finite), _ = watch(f"{__name__}:read_expressions", 20240817, seconds=SECONDS, megabytes=MEGABYTES)
    assert COUNT / 5 < read < COUNT * 4 / 5 and finite > read  # both sides are tried


def read_numbers(seed):
    """Read constant expressions, and parameters that are defined by them."""
    for text in texts(seed):
        for parameters, wanted in ((PARAMETERS, text), ({"A": text, "B": "A", "C": 1}, "A")):
            try:
                assert math.isfinite(evaluate_number(wanted, parameters))
            except LinkworkError as error:
                assert isinstance(error, DescriptionError)
        yield text


@watched
def test_every_number_and_parameter_is_read_or_refused():
    watch(f"{__name__}:read_numbers", 7, seconds=SECONDS, megabytes=MEGABYTES)


QUANTITIES = ["30 deg", "1200 rpm", "20 N/mm", "5 kg*cm^2", "9.81 m/s^2", "3 N m s/rad", "2 kg/(m s)", "1e-3 m**2"]
UNIT_PIECES = [*PIECES, *units.unit_names(), " ", "^", "/", "*", "(", ")", "^-9", "e999", "²", "⁻¹", "·"]


def read_quantities(unit):
    """Read numbers with units."""
    source = random.Random(unit)
    for _ in range(COUNT // 4):
        text = mutated(source, source.choice(QUANTITIES), UNIT_PIECES)
        try:
            assert math.isfinite(units.si(text, unit, "Item", "value"))
        except UnitError as error:
            assert str(error).startswith("Item value") and len(str(error)) < 500
        yield text


@watched
@pytest.mark.parametrize("unit", ["m", "rad", "1", units.ANY])
def test_every_quantity_is_read_or_refused(unit):
    watch(f"{__name__}:read_quantities", unit, seconds=SECONDS, megabytes=MEGABYTES)
