"""Programs of traced numbers: bounds that stand for many comparisons say what those say, at their ends too."""

import math

import numpy as np
import pytest

from linkwork.compiled.program import Program
from linkwork.tape import COMPARED, Tape, largest, least

ODD = [-math.inf, -1.0, -0.0, 0.0, 5e-324, 1.0, np.nextafter(1.0, 2.0), 2.0, math.inf, math.nan]


@pytest.mark.parametrize("seed", range(60))
def test_what_is_asked_of_one_number_is_asked_at_once(seed):
    rng = np.random.default_rng(seed)
    ends = [float(one) for one in rng.choice(ODD[:-1], 5)]
    asked = [(str(rng.choice(list(COMPARED))), one) for one in ends]
    first = float(rng.choice(ODD[1:-2]))

    def decide(x):
        return [COMPARED[op](x, end) for op, end in asked] + [COMPARED[op](end, x) for op, end in asked[:2]]

    made = Tape([first])
    x = made.given[0]
    said = [bool(one) for one in decide(x)]
    program = Program(made, [x * 2.0])
    for value in ODD:
        found = program([value])
        wanted = [value * 2.0] if decide(value) == said else None
        if math.isnan(value):
            assert found is None or decide(value) == said  # it may say nothing of what is no number
        else:
            assert found == wanted, (value, asked, first)
    values = np.array(ODD[:-1])[:, None]
    with np.errstate(all="ignore"):
        found, tells = program.many(values)
    for value, row, one in zip(ODD, found, tells):
        assert one == (decide(value) == said) and (not one or row[0] == value * 2.0)


def test_the_least_and_the_largest_are_those_of_python():
    made = Tape([1.0, 2.0])
    one, other = made.given
    program = Program(made, [least([one, other]), largest([one, other]), least([0.0, one]), largest([one, 0.0])])
    for a, b in [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0), (0.0, -0.0), (-0.0, 0.0), (math.inf, -math.inf)]:
        wanted = [min(a, b), max(a, b), min(0.0, a), max(a, 0.0)]
        assert [math.copysign(1.0, x) for x in program([a, b])] == [math.copysign(1.0, x) for x in wanted]
        assert program([a, b]) == wanted


def test_comparisons_of_lines_come_as_soon_as_they_can():
    """Before an operation that cannot be done, and behind the last line too."""
    made = Tape([2.0])
    x = made.given[0]
    root = 1.0 / (x - 1.0) if x > 1.0 else 0.0
    assert root > 0.5
    program = Program(made, [root])
    assert program([2.0]) == [1.0] and program([1.0]) is None and program([3.5]) is None and program([0.5]) is None
    assert program.many(np.array([[2.0], [1.5], [3.5]]))[1].tolist() == [True, True, False]
