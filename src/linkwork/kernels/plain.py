"""Kernels as plain Python, every index checked: what stands in for compiled code where NUMBA_DISABLE_JIT=1 is set.

A kernel can then be stepped through, printed from and measured for coverage.  A vector is a `Pointer` to an array; a
place outside of it raises IndexError with the kernel and the index.  Behind every section of the three vectors stands
a mark (`compiled.writer`), and touching one raises too: the end of a section is not the end of its vector.  Numbers
are numpy's, so that 1 / 0 is inf and the root of -1 is nan, as in compiled kernels.
"""

from __future__ import annotations

import math as _math
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from types import SimpleNamespace
from typing import Any

import numpy as np

#: whether kernels run as plain Python
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

#: what stands behind a section: an integer that nothing is, and as a float a nan that no arithmetic gives
MARK = 0x7FF8_0123_4567_89AB


def _outside(what: str, i) -> IndexError:
    frame = sys._getframe(1)
    while frame.f_code.co_filename == __file__ and frame.f_back is not None:
        frame = frame.f_back
    name = frame.f_globals.get("__name__", "").removeprefix("linkwork.kernels.")
    return IndexError(f"kernel {name}.{frame.f_code.co_name}, line {frame.f_lineno}: index {i} is {what}")


class Pointer:
    """Where numbers are: a place in an array."""

    __slots__ = ("bits", "first", "values")

    def __init__(self, values: np.ndarray, first: int = 0):
        self.values, self.bits, self.first = values, values.view(np.int64), int(first)

    def _place(self, i) -> int:
        place = self.first + i
        if not 0 <= place < self.values.size:
            raise _outside(f"outside of a vector of {self.values.size} numbers that begins at {-self.first}", i)
        if self.bits[place] == MARK:
            raise _outside("behind the end of a section", i)
        return place

    def __getitem__(self, i):
        return self.values[self._place(i)]

    def __setitem__(self, i, value) -> None:
        self.values[self._place(i)] = value


class Unmarked(Pointer):
    """A place in an array of somebody else's, which has no marks; one that is to be filled may hold anything."""

    __slots__ = ()

    def _place(self, i) -> int:
        place = self.first + i
        if not 0 <= place < self.values.size:
            raise _outside(f"outside of a vector of {self.values.size} numbers that begins at {-self.first}", i)
        return place


def _numpy_like(function: Callable) -> Callable:
    """A function of `math` with numpy's answers: nan outside of its domain, inf where it overflows."""

    @wraps(function)
    def call(*numbers):
        try:
            return np.float64(function(*numbers))
        except ValueError:
            return np.float64(np.nan)
        except OverflowError:
            return np.float64(np.inf)

    return call


math = SimpleNamespace(**{name: one for name, one in vars(_math).items() if not name.startswith("_")})
for _name in ("sqrt", "sin", "cos", "tan", "exp", "log", "pow", "asin", "acos", "atan", "atan2", "hypot"):
    setattr(math, _name, _numpy_like(getattr(_math, _name)))
math.floor = np.floor  # also of nan


#: signatures by function
_declared: dict[Any, Any] = {}


def kernel(signature, inline=False, entry=False) -> Callable:
    """The kernel as it is written."""

    def decorate(function):
        if "math" in function.__globals__:
            function.__globals__["math"] = math
        _declared[function] = signature
        return function

    return decorate


def declared(function):
    """The signature of a kernel."""
    return _declared[function]


def quietly(function) -> Callable:
    """A kernel that Python calls: numpy says nothing of what is not finite."""

    @wraps(function)
    def call(*given):
        with np.errstate(all="ignore"):
            return function(*given)

    return call


def pointer(array) -> Pointer:
    """Where the numbers of an array with sections and marks are."""
    return Pointer(array.reshape(-1))


def unmarked(array) -> Unmarked:
    """Where the numbers of any other array are."""
    return Unmarked(array.reshape(-1))


def beyond(base: Pointer, count) -> Pointer:
    """The pointer to what is `count` numbers beyond another."""
    return type(base)(base.values, base.first + count)


def array_at(base: Pointer, shape: tuple[int, ...]) -> np.ndarray:
    """The numbers from a pointer on, as an array: what laws are given."""
    count = int(np.prod(shape))
    if count and not 0 <= base.first <= base.first + count <= base.values.size:
        raise _outside(f"where {count} numbers do not fit into a vector of {base.values.size}", base.first)
    return base.values[base.first : base.first + count].reshape(shape)


def floats_at(place: Pointer) -> Pointer:
    """The pointer that a table holds: here it holds pointers themselves."""
    return place


integers_at = floats_at


def _halves(a: float) -> tuple[float, float]:
    """A number as the sum of two with half of the digits each (G. W. Veltkamp)."""
    wide = 134217729.0 * a  # 2^27 + 1
    high = wide - (wide - a)
    return high, a - high


def fused(a, b, c):
    """a b + c with one rounding."""
    a, b, c = float(a), float(b), float(c)
    product = a * b
    if not (_math.isfinite(product) and _math.isfinite(c)):
        return np.float64(product + c)
    if not (1e-250 < abs(product) < 1e250 and abs(a) < 1e250 and abs(b) < 1e250):
        return np.float64(float(Fraction(a) * Fraction(b) + Fraction(c)))
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    rest = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2  # what rounding took away (T. J. Dekker)
    return np.float64(_math.fsum((product, rest, c)))


_known: list[Any] = [None]  # functions by address; none is at 0
_addresses: dict[Any, int] = {}


def address_of(function) -> int:
    """A number for a function, to be called by `at_address`."""
    if function not in _addresses:
        _addresses[function] = len(_known)
        _known.append(function)
    return _addresses[function]


def at_address(address) -> Callable:
    """The function with this number."""
    if not 0 < address < len(_known):
        raise _outside("not the address of a kernel", address)
    return _known[address]


def kernels_with(signature) -> Callable:
    """What gives the function with a number, whatever its signature."""
    return at_address


def slot(key: str) -> int:
    """No law is compiled before."""
    return 0


def compile_slot(signature, function, key=None, told=True) -> Slot:
    """A law or a function of time as it is."""
    return Slot(function)


def compile_inner(function):
    """The function itself."""
    return function


def compile_again(function, options: dict, inline: bool):
    """The function itself, as if it had been compiled."""
    function.py_func = function
    return function


class Slot:
    """A law or a function of time that is called as it is written."""

    def __init__(self, function):
        self.function, self.address = function, address_of(function)
