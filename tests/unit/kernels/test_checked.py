"""Functions of users compiled again: indices are checked in all that they call, and what cannot be is named."""

import ctypes
import sys
import types
import warnings

import numba
import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import UserFunctionError
from linkwork.kernels.checked import Checked, content

LIMIT = 7


@numba.njit
def entry(values, k):
    return values[k]


@numba.njit
def through(values, k):
    return entry(values, k) + 1.0


@numba.njit
def factorial(values, k):
    return 1.0 if k == 0 else k * factorial(values, k - 1) + 0.0 * values[k]


helpers = types.ModuleType("helpers_of_a_user")
helpers.entry = entry
helpers.deeper = types.ModuleType("helpers_of_a_user.deeper")
helpers.deeper.through = through


def in_module(values, k):
    return helpers.entry(values, k)


def in_inner_module(values, k):
    return helpers.deeper.through(values, k)


def of_a_tuple(values, k):
    return PAIR[0](values, k)


PAIR = (entry, through)


def in_a_closure():
    inner = entry

    def law(values, k):
        return inner(values, k)

    return law


@pytest.mark.parametrize(
    "function",
    [
        entry,
        through,
        factorial,
        in_module,
        in_inner_module,
        of_a_tuple,
        in_a_closure(),
        numba.njit(in_a_closure()),
        numba.njit(fastmath=True)(in_module),
    ],
)
def test_indices_are_checked_however_deep(function):
    made = Checked(function)
    values = np.ones(5)
    plain = getattr(function, "py_func", function)
    assert made.unchecked == []
    assert made.compiled(values, 3) == plain(values, 3)
    with pytest.raises(IndexError):
        made.compiled(values, 5 if plain is not factorial.py_func else 9)
    assert entry(values, 3) == 1.0  # what the user has is as it was
    assert not entry.targetoptions.get("boundscheck")


@numba.cfunc("float64(float64)")
def c_function(x):
    return 2.0 * x


@numba.extending.intrinsic
def raw(typingctx, x):
    return x(x), lambda context, builder, signature, arguments: arguments[0]


@numba.extending.register_jitable
def jitable(values, k):
    return values[k]


POINTER = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(c_function.address)


@pytest.mark.parametrize(
    ("name", "function"),
    [("POINTER", lambda x: POINTER(x)), ("raw", lambda x: raw(x)), ("jitable", lambda x: jitable(np.ones(2), 1) * x)],
)
def test_what_cannot_be_checked_is_named(name, function):
    made = Checked(function)
    assert made.unchecked == [name]
    assert made.compiled(3.0) in (3.0, 6.0)


def test_usual_names_are_not():
    made = Checked(lambda x: np.sqrt(abs(x)) + float(LIMIT) + np.float64(1.0) + len((1, 2)) + np.sum(np.ones(3)))
    assert made.unchecked == []
    assert made.compiled(4.0) == 15.0


# -- in a mechanism ----------------------------------------------------------------------------------------------------
@numba.njit
def too_far(values, rates, t, numbers, memory, out):
    out[5] = 1e3


@numba.njit
def reads_too_far(values, rates, t, numbers, memory, out):
    out[0] = numbers[40] + memory[9]


@numba.njit
def writes(out, k):
    out[k] = 1e3


@numba.njit
def helper_too_far(values, rates, t, numbers, memory, out):
    writes(out, 12)


def plain_law_with_a_helper(values, rates, t, numbers, memory, out):
    writes(out, 12)


@numba.njit(error_model="numpy")
def within(values, rates, t, numbers, memory, out):
    out[0] = -2.0 * values[0] + 1.0 / numbers[0]


def pendulum(law, **options):
    m = lw.gallery.pendulum()
    angle = lw.Angle(m.ground, m[next(iter(m.bodies))])
    m.add("law", lw.UserForce(reads=[angle], along=[angle], law=law, numbers=[4.0], **options))
    return m


@pytest.mark.parametrize("law", [too_far, reads_too_far, helper_too_far, plain_law_with_a_helper])
@pytest.mark.parametrize("coordinates", ["body", "joint", "point"])
def test_a_compiled_law_that_reaches_too_far_is_named(law, coordinates):
    with pytest.raises(UserFunctionError, match=r"Force 'law' has a law '.*' that raised IndexError"):
        pendulum(law).simulate(0.1, coordinates=coordinates)


def test_a_compiled_law_acts_as_its_python_does():
    runs = [pendulum(law).simulate(1.0, coordinates="body") for law in (within, within.py_func)]
    np.testing.assert_array_equal(runs[0]._series.states, runs[1]._series.states)


def test_a_law_says_what_is_unchecked_and_runs():
    def law(value, rate, t):
        return POINTER(-value)

    m = lw.gallery.pendulum()
    m.add("law", lw.UserForce(lw.Angle(m.ground, m[next(iter(m.bodies))]), law))
    with pytest.warns(RuntimeWarning, match="Law 'law' calls POINTER, whose indices cannot be checked") as told:
        m.simulate(0.1, coordinates="body")
        m.simulate(0.1, coordinates="body")
    assert len(told) == 1


# -- laws defined anew -------------------------------------------------------------------------------------------------
def maker(k, extra=()):
    def law(value, rate, t):
        return -k * value + LIMIT + len(extra)

    return law


def test_laws_defined_alike_are_one():
    assert content(maker(2.0)) == content(maker(2.0))
    assert hash(content(maker(2.0))) == hash(content(maker(2.0)))
    assert content(numba.njit(maker(2.0))) == content(numba.njit(maker(2.0)))
    others = [
        maker(2),
        maker(3.0),
        maker(2.0, (1,)),
        maker(np.float64(2.0)),
        maker(-0.0),
        maker(0.0),
        numba.njit(maker(2.0)),
        numba.njit(fastmath=True)(maker(2.0)),
        lambda value, rate, t: -2.0 * value,
    ]
    keys = [content(one) for one in (maker(2.0), *others)]
    for k, one in enumerate(keys):
        assert one not in keys[:k]


def test_what_is_around_a_law_is_part_of_it(monkeypatch):
    before = content(maker(2.0))
    monkeypatch.setattr(sys.modules[__name__], "LIMIT", 8)
    assert content(maker(2.0)) != before
    assert content(factorial) == content(factorial)


def test_a_value_around_a_law_is_never_an_old_one(monkeypatch):
    """numba takes it as a constant: a law whose surroundings changed is another one."""

    def force():
        m = lw.gallery.pendulum()
        m.add("law", lw.UserForce(lw.Angle(m.ground, m[next(iter(m.bodies))]), maker(0.0)))
        return m.evaluate(coordinates="body")

    first = force().applied_force("rod")[2]
    monkeypatch.setattr(sys.modules[__name__], "LIMIT", 9)
    assert force().applied_force("rod")[2] - first == pytest.approx(2.0)


def test_laws_defined_alike_share_a_slot_and_go_with_the_last_model(monkeypatch):
    import gc
    import weakref

    from linkwork.compiled import laws

    monkeypatch.setattr(laws, "_latest", laws.deque(maxlen=2))
    monkeypatch.setattr(laws, "_slots", weakref.WeakValueDictionary())
    angle = lw.Angle(lw.Frame("ground"), lw.Frame("rod"))

    def slot(k):
        return laws.law_slot(lw.UserForce(angle, maker(k)).parts()[0])

    kept = slot(1.0)
    assert slot(1.0) is kept
    gone = weakref.ref(slot(2.0))
    engine = weakref.ref(gone().keep._library._codegen)
    slot(3.0), slot(4.0)
    gc.collect()
    assert gone() is None and engine() is None
    assert slot(1.0) is kept


def test_nothing_is_said_of_laws_that_are_right():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pendulum(within).simulate(0.1, coordinates="body")
