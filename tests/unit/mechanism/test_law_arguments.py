"""Laws of a user whose arguments are in another order, or too few, are refused with the right form."""

import warnings

import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UserFunctionError

FORM = r"law\(value, rate, t, numbers\.\.\.\)"


def block(law, **numbers):
    m = lw.Mechanism("block", gravity=None)
    m.add("block", lw.Body(2.0, 1.0))
    m.add("rail", lw.Prismatic("ground", "block"))
    m.add("spring", lw.UserForce("rail.slide", law, **numbers))
    return m


def time_first(t, x, v, k):
    return -k * x


def time_in_words(time, x, v):
    return -x


def number_first(k, value, rate, t):
    return -k * value


def number_first_without_time(k, x, v):
    return -k * x


def value_only(x):
    return -x


@pytest.mark.parametrize(
    ("law", "numbers", "told"),
    [
        (time_first, {"k": 1.0}, r"argument 't' is not the third.*time_first\(t, x, v, k\)"),
        (time_in_words, {}, "argument 'time' is not the third"),
        (number_first, {"k": 1.0}, "argument 't' is not the third"),
        (number_first_without_time, {"k": 1.0}, "number 'k' is among its first three"),
        (value_only, {}, r"too few arguments. Got value_only\(x\)"),
    ],
)
def test_the_order_of_arguments(law, numbers, told):
    with pytest.raises(DescriptionError, match=f"Force 'spring'.*{told}.*{FORM}"):
        block(law, **numbers)


def with_a_thickness(x, v, time, t):
    return -t * x


def with_any(*given):
    return -given[0]


def with_another_name(x, v, when, k=3.0):
    return -k * x


def test_names_are_free_where_they_say_nothing_else():
    for law, numbers in ((with_a_thickness, {"t": 2.0}), (with_any, {}), (with_another_name, {})):
        block(law, **numbers)


def short_of_numbers(values, rates, t):
    return 0.0


def test_long_laws_that_cannot_be_called_are_refused():
    way = lw.WorldOffset("ground", "block", "x")
    for states, form in ((None, r"memory, out\)"), (1, r"memory, out, states, state_rates\)")):
        m = block(with_another_name)
        with pytest.raises(DescriptionError, match=f"too many positional arguments.*wanted law.*{form}"):
            m.add("long", lw.UserForce(reads=[way], along=[way], law=short_of_numbers, states=states))
    with pytest.raises(DescriptionError, match=r"too many positional arguments.*wanted law\(values"):
        m.add("wrench", lw.UserWrench("block", short_of_numbers))


def sometimes(value, rate, t, k):
    if value > 0.0:
        return -k * value


def never(value, rate, t):
    -value


@pytest.mark.parametrize(("law", "numbers"), [(sometimes, {"k": 100.0}), (never, {})])
def test_a_law_that_returns_nothing_is_told_so(law, numbers):
    with warnings.catch_warnings(), pytest.raises(UserFunctionError, match=r"returned nothing \(None\) at t = "):
        warnings.simplefilter("ignore", RuntimeWarning)  # that it cannot be compiled
        block(law, **numbers).simulate(1.0, start={"rail.slide": 0.1}, coordinates="joint")
