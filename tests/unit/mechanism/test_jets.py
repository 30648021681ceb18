"""The two interpreters of programs, one for the kernels and one for many times at once, agree in every operation."""

import numpy as np
import pytest

from linkwork.mechanism import jets

OPERATIONS = {
    name: value for name, value in vars(jets).items() if name.isupper() and isinstance(value, int) and name != "STACK"
}
TIMES = np.linspace(-2.3, 2.9, 53)


def linear(constant, slope):
    """constant + slope t."""
    return [jets.CONSTANT, constant, jets.TIME, 0.0, jets.CONSTANT, slope, jets.MULTIPLY, 0.0, jets.ADD, 0.0]


def wave(low, high):
    """Between low and high: their mean + half their difference times sin(1.3 t)."""
    inner = [*linear(0.0, 1.3), jets.SIN, 0.0, jets.CONSTANT, 0.5 * (high - low), jets.MULTIPLY, 0.0]
    return [*inner, jets.CONSTANT, 0.5 * (low + high), jets.ADD, 0.0]


def programs():
    """(operation, its number, programs of what it works on); at none of the times is a kink."""
    anything, positive, inside = linear(0.41, 1.7), wave(0.2, 3.0), wave(-0.9, 0.9)
    fitting = {"LOG": positive, "SQRT": positive, "ASIN": inside, "ACOS": inside, "TAN": inside}
    for name, op in OPERATIONS.items():
        if name == "POWER_OF":
            for exponent in (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0):
                yield name, op, exponent, [anything]
            for exponent in (0.5, -1.5, 2.7):
                yield name, op, exponent, [positive]
        elif name == "POWER":
            yield name, op, 0.0, [positive, anything]
        elif name == "STEP":
            for value in (anything, inside):
                yield (
                    name,
                    op,
                    0.0,
                    [value, [jets.CONSTANT, -0.6], wave(-1.0, 2.0), [jets.CONSTANT, 1.1], linear(0.3, -0.8)],
                )
        elif name in ("CONSTANT", "TIME"):
            yield name, op, 0.77, []
        elif jets.operands(op) == 2:
            yield name, op, 0.0, [anything, positive]
            yield name, op, 0.0, [positive, anything]
        else:
            yield name, op, 0.0, [fitting.get(name, anything)]


@pytest.mark.parametrize(("name", "op", "number", "parts"), list(programs()))
def test_both_interpreters_agree(name, op, number, parts):
    program = [float(x) for part in parts for x in part] + [float(op), number]
    one = np.array([jets.run(t, np.array(program)) for t in TIMES])
    value, rate = jets.rates(TIMES, program)
    assert np.isfinite(one).all()
    assert value == pytest.approx(one[:, 0], rel=1e-12, abs=1e-13)
    assert rate == pytest.approx(one[:, 1], rel=1e-11, abs=1e-12)


def test_every_operation_is_looked_at():
    assert {name for name, *_ in programs()} == set(OPERATIONS)
    assert sorted(OPERATIONS.values()) == [*range(13), *range(20, 34)]
