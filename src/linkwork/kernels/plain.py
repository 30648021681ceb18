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


class Border(np.ndarray):
    """An array as it comes from Python: an index below zero does not count from the end."""

    def _check(self, index) -> None:
        for one, size in zip(index if isinstance(index, tuple) else (index,), self.shape, strict=False):
            if isinstance(one, int | np.integer) and not 0 <= one < size:
                raise _outside(f"outside of an array of shape {self.shape}", index)

    def __getitem__(self, index):
        self._check(index)
        return super().__getitem__(index)

    def __setitem__(self, index, value) -> None:
        self._check(index)
        super().__setitem__(index, value)


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


def kernel(signature) -> Callable:
    """The kernel as it is written; one that Python calls is given arrays of the types it declares, or none."""
    declared = [getattr(one, "ndim", None) and (one.ndim, str(one.dtype)) for one in signature.args]

    def decorate(function):
        if "math" in function.__globals__:
            function.__globals__["math"] = math
        if not any(declared):
            return function

        @wraps(function)
        def enter(*given):
            ready = []
            for value, kind in zip(given, declared, strict=True):
                if kind:
                    if (value.ndim, value.dtype.name) != kind or not value.flags.c_contiguous:
                        raise TypeError(
                            f"kernel {function.__name__}: an array of {value.ndim} dimensions, "
                            f"{value.dtype}, is not the contiguous one that is declared, {kind}"
                        )
                    value = value.view(Border)
                ready.append(value)
            with np.errstate(all="ignore"):
                return function(*ready)

        return enter

    return decorate


def pointer(array) -> Pointer:
    """Where the numbers of an array are."""
    return Pointer(array.view(np.ndarray).reshape(-1))


def beyond(base: Pointer, count) -> Pointer:
    """The pointer to what is `count` numbers beyond another."""
    return Pointer(base.values, base.first + count)


def array_at(base: Pointer, shape: tuple[int]) -> np.ndarray:
    """The numbers from a pointer on, as an array: what laws are given."""
    (count,) = shape
    if count and not 0 <= base.first <= base.first + count <= base.values.size:
        raise _outside(f"where {count} numbers do not fit into a vector of {base.values.size}", base.first)
    return base.values[base.first : base.first + count]


def fused(a, b, c):
    """a b + c with one rounding."""
    if not (_math.isfinite(a) and _math.isfinite(b) and _math.isfinite(c)):
        return a * b + c
    return np.float64(float(Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))))


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


def call_at(address, *arguments) -> None:
    """Call the law or the function of time with this number."""
    at_address(address)(*arguments)


class Slot:
    """A law or a function of time that is called as it is written."""

    def __init__(self, function):
        self.function, self.address = function, address_of(function)
