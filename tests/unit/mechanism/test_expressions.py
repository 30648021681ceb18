"""Expressions: exact derivatives, compiled as they stand, and everything that is not on the list refused."""

import cmath
import copy
import math
import pickle
import time
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise

import numpy as np
import pytest

import linkwork as lw
from linkwork.errors import DescriptionError, UnitError, UnknownNameError, UserFunctionError
from linkwork.mechanism.expressions import Expression, evaluate_number, function_of, resolve_parameters
from linkwork.mechanism.functions import Function, Harmonic, Polynomial, SmoothStep, as_function

TIMES = (-0.7, 0.13, 0.61, 1.9)

ANALYTIC = [
    "sin(2*t)", "cos(t**2)", "tan(t/3)", "asin(t/4)", "acos(t/4)", "atan(3*t)", "sinh(t)", "cosh(2*t)", "tanh(t)",
    "exp(-t**2/2)", "log(t + 3)", "sqrt(t + 2)", "t**5 - 2*t**3 + t", "(t + 2)**2.5", "(t + 3)**-2", "2**t",
    "(t + 2)**(t/2)", "1/(1 + t**2)", "t/(t + 4)/2", "-t*-t", "+t", "sin(cos(t)*exp(t/3)) / (2 + sin(t)**2)",
    "3", "pi*e", "t", "(t+1)*(t+2)*(t+3)*(t+4)", "exp(sin(t))**3", "2 - 3 - t", "2/4*t", "sqrt(exp(t))",
]  # fmt: skip


def by_complex_step(text, t):
    """Value, f' by a step along the imaginary axis (exact), and f'' by extrapolated differences of it."""
    words = "sin cos tan asin acos atan sinh cosh tanh exp log sqrt pi e"
    names = {name: getattr(cmath, name) for name in words.split()}

    def f(z):
        return complex(eval(text, {"__builtins__": {}}, {**names, "t": z}))

    def rate(x):
        return f(complex(x, 1e-100)).imag / 1e-100

    def difference(h):
        return (rate(t + h) - rate(t - h)) / (2 * h)

    table = [difference(0.02 / 2**k) for k in range(5)]
    for order in range(1, 5):
        table = [b + (b - a) / (4**order - 1) for a, b in pairwise(table)]
    return f(complex(t)).real, rate(t), table[0]


@pytest.mark.parametrize("text", ANALYTIC)
def test_derivatives_are_exact(text):
    f = Expression(text)
    for t in TIMES:
        value, rate, acceleration = by_complex_step(text, t)
        assert f(t)[0] == pytest.approx(value, rel=1e-13, abs=1e-15)
        assert f(t)[1] == pytest.approx(rate, rel=1e-13, abs=1e-14)
        assert f(t)[2] == pytest.approx(acceleration, rel=1e-10, abs=1e-10)


BY_HAND = [
    ("abs(t)", lambda t: (abs(t), math.copysign(1, t), 0)),
    ("abs(t**3)", lambda t: (abs(t**3), 3 * t * abs(t), 6 * abs(t))),
    ("sign(t)", lambda t: (math.copysign(1, t), 0, 0)),
    ("min(t, t**2)", lambda t: (t, 1, 0) if t <= t * t else (t * t, 2 * t, 2)),
    ("max(t, t**2, 1)", lambda t: max((t, 1, 0), (t * t, 2 * t, 2), (1, 0, 0))),
    ("atan2(sin(t), cos(t))", lambda t: (t, 1, 0)),
    ("atan2(t, 2)", lambda t: (math.atan(t / 2), 2 / (4 + t * t), -4 * t / (4 + t * t) ** 2)),
    ("atan2(2, t)", lambda t: (math.atan2(2, t), -2 / (4 + t * t), 4 * t / (4 + t * t) ** 2)),
    ("t^2", lambda t: (t * t, 2 * t, 2)),
    ("2*t^2", lambda t: (2 * t * t, 4 * t, 4)),
    ("-t^2", lambda t: (-t * t, -2 * t, -2)),
    ("2^3^2*t", lambda t: (512 * t, 512, 0)),
    ("t**1", lambda t: (t, 1, 0)),
    ("t**0", lambda t: (1, 0, 0)),
]


@pytest.mark.parametrize(("text", "wanted"), BY_HAND, ids=lambda x: x if isinstance(x, str) else "")
def test_functions_with_kinks_and_powers(text, wanted):
    for t in TIMES:
        assert Expression(text)(t) == pytest.approx(wanted(t), rel=1e-13, abs=1e-13)


def test_kinks_take_one_side():
    assert Expression("abs(t)")(0.0) == (0.0, 0.0, 0.0)
    assert Expression("sign(t)")(0.0) == (0.0, 0.0, 0.0)
    assert Expression("min(t, 2*t)")(0.0) == (0.0, 1.0, 0.0)
    assert Expression("max(2*t, t)")(0.0) == (0.0, 2.0, 0.0)
    assert Expression("t**2")(0.0) == (0.0, 0.0, 2.0)
    assert Expression("t**3")(0.0) == (0.0, 0.0, 0.0)


def test_smoothstep_is_the_function_of_that_name():
    f, g = Expression("smoothstep(t, 0.2, -0.4, 1.7, 1.1)"), SmoothStep(0.2, -0.4, 1.7, 1.1)
    for t in np.linspace(-1, 3, 81):
        assert f(t) == pytest.approx(g(t), rel=1e-13, abs=1e-13)
    # between functions: f0 + (f1 - f0) s, with s' and s'' of the quintic
    f = Expression("smoothstep(2*t, 0, sin(t), 3, t^2)")
    t, h = 0.8, 1e-3
    s = [SmoothStep(0, 0, 1.5, 1)(t + k * h)[0] for k in (-2, -1, 0, 1, 2)]
    whole = [math.sin(t + k * h) + ((t + k * h) ** 2 - math.sin(t + k * h)) * s[k + 2] for k in (-2, -1, 0, 1, 2)]
    assert f(t)[0] == pytest.approx(whole[2], rel=1e-14)
    assert f(t)[1] == pytest.approx((whole[0] - 8 * whole[1] + 8 * whole[3] - whole[4]) / (12 * h), rel=1e-9)
    second = (-whole[0] + 16 * whole[1] - 30 * whole[2] + 16 * whole[3] - whole[4]) / (12 * h * h)
    assert f(t)[2] == pytest.approx(second, rel=1e-6)


def test_parameters():
    f = Expression("A*sin(w*t)", {"A": "2*B", "B": "50 mm", "w": 3, "unused": 7})
    assert f(0.4) == pytest.approx(Harmonic(0.1, 3.0)(0.4), rel=1e-14)
    assert dict(f.parameters) == {"A": 0.1, "w": 3.0}
    assert f == Expression("A*sin(w*t)", {"w": 3.0, "A": 0.1}) and hash(f) == hash(Expression(f.text, f.parameters))
    assert f != Expression("A*sin(w*t)", {"w": 3.0, "A": 0.2})
    assert repr(f) == "Expression('A*sin(w*t)', {'A': 0.1, 'w': 3.0})"
    assert repr(Expression("2*t")) == "Expression('2*t')"
    assert pickle.loads(pickle.dumps(f)) == f == copy.deepcopy(f)
    assert replace(f, text="A*t")(1.0) == (0.1, 0.1, 0.0)
    with pytest.raises(FrozenInstanceError):
        f.text = "2"
    with pytest.raises(TypeError):
        f.parameters["A"] = 2.0


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1200 rpm*t", lambda t: 40 * math.pi * t),
        ("30 deg + 90 deg/s * t", lambda t: math.pi / 6 + math.pi / 2 * t),
        ("5 mm*sin(2*pi*3 Hz*t)", lambda t: 0.005 * math.sin(6 * math.pi * t)),
        ("-20 N/mm*t^2 + 1e3 N", lambda t: -2e4 * t**2 + 1e3),
        ("4 N/(m/s)*t", lambda t: 4 * t),
        ("3 kg m^2*t", lambda t: 3 * t),
        ("2 µm*t", lambda t: 2e-6 * t),
        ("1/2 s*t", lambda t: t / 2),
        ("min(t, 2 ms)", lambda t: min(t, 2e-3)),
        ("3 min*t", lambda t: 180 * t),
        ("30 deg*2", lambda t: math.pi / 3),
        ("10 mm*L*t", lambda t: 0.02 * t),  # a parameter, no litre
        ("10 mm/L + 2 t_0*t", None),
        ("3 J*t", None),  # J is a parameter
    ],
)
def test_numbers_may_have_units(text, wanted):
    parameters = {"L": 2.0, "J": 3.0, "t_0": 1.0}
    if wanted is None:
        with pytest.raises(DescriptionError, match="a sign is missing"):
            Expression(text, parameters)
        return
    for t in TIMES:
        assert Expression(text, parameters)(t)[0] == pytest.approx(wanted(t), rel=1e-14)


def test_units_in_a_text_are_checked():
    assert function_of("30 deg + 5 deg", "Driver", "function", "rad")(0.0)[0] == pytest.approx(math.radians(35))
    with pytest.raises(UnitError, match="a length"):
        function_of("30 mm + 5 mm", "Driver", "function", "rad")
    with pytest.raises(DescriptionError, match=r"a length.* and an angle.* do not go together"):
        Expression("30 mm + 5 deg*sin(t)")
    with pytest.raises(UnitError, match="unit 'dge' is not known"):
        function_of("30 dge", "Driver", "function", "rad")
    assert evaluate_number("L + 30 mm", {"L": "2 m"}) == pytest.approx(2.03)
    assert resolve_parameters({"m": 3, "L": "2 m", "M": "3 N*m"}) == {"m": 3.0, "L": 2.0, "M": 3.0}


@pytest.mark.parametrize("text", ["1200 rpm*t", "5 t*3", "5 t", "2 g*t"])
def test_t_is_the_time_and_no_tonne(text):
    try:
        f = function_of(text, "Force", "x", "N")
    except DescriptionError as error:
        assert "sign is missing" in str(error) and "tonne" not in str(error)
    else:
        assert f(2.0)[0] == 2 * f(1.0)[0] != 0.0


def test_numbers():
    assert evaluate_number("2*L + 0.1", {"L": 0.3}) == 0.7
    assert evaluate_number(" sqrt(2) ^ 2 ") == pytest.approx(2.0)
    assert evaluate_number(3) == 3.0 and evaluate_number("1e-3") == 1e-3
    assert evaluate_number("sqrt(0) + asin(1) + 0**0.5") == pytest.approx(math.pi / 2)  # no derivative is asked for
    assert resolve_parameters({"R": "2*L", "L": "300 mm", "S": "R + L"}) == {
        "R": 0.6,
        "L": 0.3,
        "S": pytest.approx(0.9),
    }
    chain = {f"p{k}": f"p{k + 1} + 1" for k in range(900)} | {"p900": 0}
    assert resolve_parameters(chain)["p0"] == 900.0
    with pytest.raises(DescriptionError, match="t is used where a constant is wanted"):
        evaluate_number("2*t")
    with pytest.raises(DescriptionError, match="not finite"):
        evaluate_number(math.nan)


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"A": "B", "B": "C", "C": "A", "D": "A"}, "Parameter 'A' is defined by itself. Got A -> B -> C -> A"),
        ({"A": "A + 1"}, "Got A -> A"),
        ({"A": "2*Bx", "Bxy": 1}, "There is no name 'Bx' in parameter 'A'. Nearest: 'Bxy'"),
        ({"A": "t"}, "Parameter 'A'.*t is used"),
        ({"t": 1}, "name 't'"),
        ({"pi": 3}, "name 'pi'"),
        ({"sin": 3}, "name 'sin'"),
        ({"lambda": 1}, "no word"),
        ({"a b": 1}, "no word"),
        ({3: 1}, "no word"),
        ({"A": math.nan}, "Parameter 'A' value is not finite"),
        ({"A": True}, "Parameter 'A' value is not a number"),
        ({"A": [1]}, "Parameter 'A' value is not a number"),
        ({"A": "1/0"}, "Parameter 'A'.*not a finite number"),
        ({"A": "3 mn"}, "Parameter 'A'.*unit 'mn' is not known"),
        ([1], "are not usable"),
        ({f"p{k}": 0 for k in range(2000)}, "at most 1000"),
    ],
)
def test_bad_parameters(parameters, words):
    with pytest.raises(DescriptionError, match=words):
        resolve_parameters(parameters)


REFUSED = [
    ("__import__('os')", "has no meaning"), ("__import__(t)", "no function '__import__'"), ("t.real", "not allowed"),
    ("t.__class__", "not allowed"), ("(1).real", "not allowed"), ("lambda: 1", "has no meaning"),
    ("[t for t in t]", "has no"),
    ("(t for t in t)", "not allowed"), ("{t: 1}", "has no meaning"), ("f'{t}'", "has no meaning"),
    ("'a'", "has no meaning"),
    ('"a"', "has no meaning"), ("open(t)", "no function 'open'"), ("exec(t)", "no function 'exec'"),
    ("sin(x=t)", "has no meaning"), ("sin(*t)", "plain arguments"), ("sin(**t)", "plain arguments"),
    ("sin(t)(t)", "no function"), ("sin", "'sin' is a function"), ("t(3)", "'t' is no function"),
    ("2(t)", "no function"),
    ("t if t else 1", "not allowed"), ("t and 1", "not allowed"), ("not t", "not allowed"), ("t in t", "not allowed"),
    ("t < 1", "has no meaning.*[Cc]omparisons"), ("t == 1", "has no meaning"), ("x := 2", "has no meaning"),
    ("t % 2", "has no meaning"), ("t // 2", "not allowed"), ("t @ t", "has no meaning"), ("t[0]", "has no meaning"),
    ("~t", "has no meaning"), ("t | t", "has no meaning"), ("t; t", "has no meaning"), ("t # x", "has no meaning"),
    ("t, t", "not allowed"), ("()", "not allowed"), ("True", "no number"), ("None", "no number"), ("...", "no number"),
    ("1j", "sign is missing"), ("0x10", "sign is missing"), ("2t", "sign is missing.*2\\*t"),
    ("2 t", "sign is missing"), ("30 dge", "sign is missing.*nearest: deg"), ("2m*t", "sign is missing"),
    ("t t", "cannot be read"), ("t +", "cannot be read"), ("(t", "cannot be read"),
    ("t)", "cannot be read"), ("*t", "cannot be read"), ("yield t", "cannot be read"),
    ("await t", "not allowed|cannot"),
    ("", "is empty"), (" \n ", "is empty"), ("t\x00", "has no meaning"), ("t\\", "has no meaning"),
    ("`t`", "has no meaning"),
    ("q*t", "no name 'q'"), ("sinn(t)", "Nearest: 'sin'"), ("nan", "no name 'nan'"), ("inf*t", "no name 'inf'"),
    ("1e999", "not finite"), ("9" * 999, "not finite"), ("1/0", "not a finite number"),
    ("sqrt(-1)", "not a finite number"),
    ("log(0)*t", "not a finite number"), ("exp(1000)", "not a finite number"), ("(-8)**0.5", "not a finite number"),
    ("9**9**9", "exponent"), ("9**9**9**9**9", "exponent|finite"), ("t**101", "exponent 101 is too large"),
    ("t**-1e9", "exponent"),
    ("min(t)", "two or more"), ("min()", "two or more"), ("sin()", "1 argument"), ("sin(t, t)", "1 argument"),
    ("atan2(t)", r"2 arguments: atan2\(y, x\)"),
    ("smoothstep(t, 1, 0)", r"3 arguments.*wanted 5 arguments: smoothstep\(x, x0, f0, x1, f1\), which is f0 up to x0"),
    ("smoothstep(t, 1, 0, 0, 1)", "x0 < x1"), ("smoothstep(t, t, 0, 1, 1)", "x0 < x1"),
    ("(" * 100 + "t" + ")" * 100, "nested deeper"), ("sin(" * 70 + "t" + ")" * 70, "nested deeper"),
    ("-" * 900 + "t", "too long"), ("t**" * 300 + "t", "too deep"), ("+".join(["t"] * 450), "too long"),
    ("2**" * 300 + "2", "too deep"), ("max(" + "t," * 100 + "t)", "too deep"), ("t" * 10240, "too long"),
    (" " * 10240, "too long"),
    (3.0, "not a text"), (None, "not a text"), (b"t", "not a text"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), REFUSED, ids=lambda x: repr(x)[:30])
def test_everything_else_is_refused_quickly(text, words):
    begin = time.process_time()
    with pytest.raises(DescriptionError, match=words):
        Expression(text)
    assert time.process_time() - begin < 5.0  # what grows with every part of a text would take far longer


def test_messages_point_at_the_offending_part():
    with pytest.raises(DescriptionError, match=r"at column 9: this part is not allowed\. Got 't\.real'"):
        Expression("2 * t + t.real")
    with pytest.raises(DescriptionError, match=r"at column 5: this part is not a finite number\. Got 'log\(0\)'"):
        Expression("t^2+log(0)")  # counted in the text as it was given
    with pytest.raises(DescriptionError, match=r"Parameter 'L' cannot be used, at column 4"):
        Expression("L", {"L": "(2*)"})
    with pytest.raises(UnknownNameError, match=r"There is no name 'Lx' in expression 'Lx'\. Nearest: 'L"):
        Expression("Lx", {"Lxy": 1, "L": 2})


def test_long_and_deep_texts_within_the_limits_are_read():
    assert Expression("+".join(["t"] * 190))(2.0) == (380.0, 190.0, 0.0)
    assert Expression("(" * 60 + "t" + ")" * 60)(2.0) == (2.0, 1.0, 0.0)
    assert Expression("*".join(["1"] * 450) + "*t")(2.0) == (2.0, 1.0, 0.0)  # constants are folded
    assert Expression("max(" + "t," * 30 + "1)")(2.0) == (2.0, 1.0, 0.0)


@pytest.mark.parametrize(("text", "t"), [("sqrt(t)", 0.0), ("log(t)", 0.0), ("1/t", 0.0), ("sqrt(t)", -1.0),
("t**0.5", -1.0),
                                         ("exp(exp(t))", 10.0), ("cosh(t)", 1e3), ("t**t", -1.0),
                                         ("asin(t)", 1.0)])  # fmt: skip
def test_no_finite_value(text, t):
    with pytest.raises(UserFunctionError, match="has no finite value, rate and acceleration"):
        Expression(text)(t)


def test_as_function_takes_texts():
    assert as_function("2*t") == Expression("2*t")
    assert Function.kinds["Expression"] is Expression
    assert lw.Expression is Expression
    assert function_of("90 deg", "Driver", "function", "rad") == Polynomial(math.pi / 2)
    assert function_of("90*t", "Driver", "function", "rad") == Expression("90*t")
    assert function_of(3, "Driver", "function", "rad") == Polynomial(3.0)
    with pytest.raises(UnitError, match="Driver function"):
        function_of("90 mm", "Driver", "function", "rad")


# -- compiled ----------------------------------------------------------------------------------------------------------

COMPILED = [*ANALYTIC, *(text for text, _ in BY_HAND), "smoothstep(t, 0.2, -0.4, 1.7, t)", "max(" + "t," * 30 + "1)"]


def test_the_compiled_function_is_the_same():
    from linkwork.compiled.laws import function_slot

    slots = {function_slot(Expression(text)).address for text in COMPILED}
    assert len(slots) == 1  # one function runs all programs
    slot = function_slot(Expression("t"))
    assert slot.compiled
    out = np.empty(3)
    pointers = [np.ctypeslib.ctypes.POINTER(np.ctypeslib.ctypes.c_double)] * 2
    call = np.ctypeslib.ctypes.CFUNCTYPE(None, np.ctypeslib.ctypes.c_double, *pointers, np.ctypeslib.ctypes.c_int64)
    function = call(slot.address)
    for text in COMPILED:
        numbers = np.array(Expression(text).numbers())
        for t in TIMES:
            function(t, numbers.ctypes.data_as(pointers[0]), out.ctypes.data_as(pointers[0]), numbers.size)
            assert tuple(out) == pytest.approx(Expression(text)(t), rel=1e-13, abs=1e-14), text
    for text in ("sqrt(t)", "1/t", "log(t)"):
        numbers = np.array(Expression(text).numbers())
        function(0.0, numbers.ctypes.data_as(pointers[0]), out.ctypes.data_as(pointers[0]), numbers.size)
        assert not np.all(np.isfinite(out))


def driven(function):
    m = lw.Mechanism("driven")
    crank, rod = m.add("crank", lw.bar(0.3, 1)), m.add("rod", lw.bar(1, 1))
    A = m.add("A", lw.Revolute(m.ground.at(0, 0), crank.a))
    m.add("B", lw.Revolute(crank.b, rod.a))
    m.add("motor", lw.Driver(A.angle, function))
    return m


def test_a_driver_by_expression_moves_like_a_harmonic():
    one = driven("0.1*sin(2*pi*t)").simulate(1.0, every=0.1, coordinates="body")
    other = driven(Harmonic(0.1, 2 * math.pi)).simulate(1.0, every=0.1, coordinates="body")
    for name in ("A.angle", "B.angle", "B.angle.acceleration", "motor.effort", "A.reaction.x"):
        assert one[name] == pytest.approx(other[name], rel=1e-9, abs=1e-9)


def test_an_expression_without_value_stops_the_analysis():
    with pytest.raises(UserFunctionError, match=r"motor.*no finite number at t = "):
        driven("0.1*t + 0*log(0.05 - t)").simulate(1.0, every=0.1, coordinates="body")
