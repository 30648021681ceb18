"""Numbers that write down what is computed with them: the same bits, decisions as conditions, no float in silence."""

import math

import numpy as np
import pytest

from linkwork import tape
from linkwork.compiled.program import Program
from linkwork.tape import Lost, Tape


def traced(*values):
    made = Tape(values)
    return made, *made.given


def bar(length, mass):
    """What is computed of a bar, with everything that a tape knows."""
    if not (0.0 < length < math.inf) or mass < 0.0:
        raise ValueError
    arm = tape.norm([length / 2.0, 0.1, -length])
    turn = tape.remainder(3.0 * length, 2.0 * math.pi)
    return [
        mass * (length**2 + 0.1**2) / 12.0,
        -(2.0 - length) * (1.0 / length),
        abs(length - 3.0) + round(length),
        tape.cos(turn) - tape.sin(turn),
        tape.least([length, 1.0, mass]) + tape.largest([mass, 0.7 * length, 2.0]),
        arm + tape.power(length, 1.5),
        tape.real(mass),
        5.0 - mass,
        2.0**length,
    ]


def test_the_same_bits():
    made, length, mass = traced(0.7, 1.3)
    program = Program(made, bar(length, mass))
    rng = np.random.default_rng(0)
    for values in rng.uniform(0.01, 9.0, (500, 2)).tolist():
        assert program(values) == bar(*values), values


def test_a_condition_that_says_otherwise_says_nothing():
    made, length, mass = traced(0.7, 1.3)
    program = Program(made, bar(length, mass))
    assert program([-0.7, 1.3]) is None and program([0.7, -1.3]) is None and program([math.inf, 1.3]) is None
    assert program([math.nan, 1.3]) is None
    assert program([1e200, 1e200]) is None  # a square that is no number


@pytest.mark.parametrize(
    "decide",
    [
        lambda x: x < 1.0,
        lambda x: x <= 1.0,
        lambda x: 1.0 > x,
        lambda x: x == 0.5,
        lambda x: x != 2.0,
        lambda x: bool(x - 2.0),
        lambda x: max(x, 1.0) == 1.0,
        lambda x: x in (0.5, 0.25),
        lambda x: sorted([2.0, x, 1.0])[0] == x,
        lambda x: any([x > 3.0, x < 1.0]),
        lambda x: not (2.0 * x - 1.0),
        lambda x: (4.0 * x).is_integer() and x < 1.0,
        lambda x: tape.finite(1.0 / (2.0 - x)),
        lambda x: bool((np.array([x, 3.0]) > 1.0).sum() == 1),
    ],
)
def test_every_decision_is_a_condition(decide):
    made, x = traced(0.5)
    said = decide(x)
    program = Program(made, [x + 1.0])
    assert said and program([0.5]) == [1.5]
    try:
        otherwise = decide(2.0)
    except ZeroDivisionError:
        otherwise = False
    assert not otherwise and program([2.0]) is None


@pytest.mark.parametrize(
    "use",
    [
        float,
        int,
        complex,
        str,
        "{:g}".format,
        math.sqrt,
        math.isfinite,
        math.floor,
        lambda x: np.array([x, 1.0], dtype=float),
        lambda x: np.zeros(2).__setitem__(0, x),
        lambda x: round(x, 2),
        lambda x: x + traced(1.0)[1],
    ],
)
def test_no_float_is_made_of_one_in_silence(use):
    _, x = traced(0.5)
    with pytest.raises((Lost, TypeError)):
        use(x)


def test_a_tape_that_is_made_ready_is_closed():
    made, x = traced(0.5)
    Program(made, [2.0 * x])
    for use in (lambda: x + 1.0, lambda: x < 1.0):
        with pytest.raises(Lost):
            use()


def test_what_is_apart_stays_apart():
    """Equal hashes alone would not be compared: two places that become one are told."""
    made, x = traced(0.5)
    keys = {("rod", (x, 0.0)): 0, ("rod", (0.25, 0.0)): 1, ("rod", (2.0 * x, 0.0)): 2}
    tape.apart(list(keys))
    program = Program(made, [x])
    assert program([0.3]) == [0.3]
    assert program([0.25]) is None and program([0.125]) is None and program([0.0]) is None


def test_zeros_have_a_sign():
    made, x = traced(1.0)
    program = Program(made, [x * 0.0, x * -0.0])
    assert [math.copysign(1.0, one) for one in program([2.0])] == [1.0, -1.0]


def test_arrays():
    made, x = traced(2.0)
    found = tape.turned(np.array([[1.0, 2.0, 0.5], [0.0, 1.0, 0.0], [3.0, 0.0, 1.0]]), tape.array([x, 1.0, -x]))
    assert Program(made, found.tolist())([0.3]) == [0.3 + 2.0 + 0.5 * -0.3, 1.0, 3.0 * 0.3 - 0.3]
    assert tape.array([1, 2.5]).dtype == float


def test_many_sets_of_numbers_have_the_bits_of_each():
    rng = np.random.default_rng(3)
    given = rng.uniform(-3.0, 3.0, (200, 3))
    given[0] = 0.0, -0.0, 1.0
    t = Tape([1.5, 0.5, 2.0])
    a, b, c = t.given
    results = [
        *(
            a + b,
            a - b,
            a * b,
            -c,
            abs(a) / c,
            tape.sqrt(abs(b)),
            tape.cos(a * 50.0),
            tape.sin(b),
            round(a),
            tape.remainder(c, a + 4.0),
        ),
        *(tape.least([a, b, c]), tape.largest([a, b, 0.0]), tape.power(abs(a), b), 2.0**b if b < 1.0 else b, a),
    ]
    program = Program(t, results)
    found, said = program.many(given)
    assert 10 < said.sum() < 200
    for numbers, row, tells in zip(given.tolist(), found, said):
        wanted = program(numbers)
        assert tells == (wanted is not None)
        assert not tells or row.tobytes() == np.array(wanted).tobytes()


def test_of_many_sets_one_that_cannot_be_computed_costs_nobody_else():
    t = Tape([1.0])
    program = Program(t, [1.0 / t.given[0]])
    found, said = program.many(np.array([[2.0], [0.0], [4.0]]))
    assert said.tolist() == [True, False, True] and found[said, 0].tolist() == [0.5, 0.25]
