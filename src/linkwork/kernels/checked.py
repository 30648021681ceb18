"""Functions of users, compiled again from what they were made of: every index is checked, also in what they call.

numba checks no index unless it is asked to: a law that reaches too far would read or write what is not its own.  What
cannot be compiled again (C functions, compiled classes and the like) is left as it is and named.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
from collections.abc import Iterator
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from linkwork.kernels.jit import compiler

#: how a plain function is compiled: divisions by zero give inf, as in numpy
USUAL = {"nopython": True, "error_model": "numpy"}
#: what is in these is part of numba's own work, which checks what it must
KNOWN = ("numpy", "numba", "math", "cmath", "builtins", "operator")
#: values that are all that they show
NUMBERS = (bool, int, float)
_POINTER = ctypes.CFUNCTYPE(None).__mro__[1]  # what all C functions of ctypes are made from


class Checked:
    """A function compiled again with index checks, and as plain Python that calls others so compiled.

    `unchecked` names what it calls that could not be.
    """

    def __init__(self, function: Any):
        self.unchecked: list[str] = []
        self._made: dict[int, tuple[Any, Any]] = {}  # by identity; the old one is kept so that its number stays its own
        self.compiled = self._again(function, inline=True)
        self.plain = self.compiled.py_func

    def _again(self, old: Any, inline: bool = False) -> Any:
        """The function compiled with checks; the law itself is written into its slot, which saves a call."""
        known = self._made.get(id(old))
        if known is not None:
            return known[0]
        plain = getattr(old, "py_func", old)
        if not isinstance(plain, FunctionType):
            raise TypeError(f"{plain!r} is not a Python function")
        given = dict(getattr(old, "targetoptions", USUAL))
        given.pop("forceobj", None)
        space = dict(plain.__globals__)
        cells = tuple(CellType() for _ in plain.__closure__ or ())
        copy = FunctionType(plain.__code__, space, plain.__name__, plain.__defaults__, cells or None)
        copy.__kwdefaults__, copy.__module__, copy.__qualname__ = (
            plain.__kwdefaults__,
            plain.__module__,
            plain.__qualname__,
        )
        made = compiler().compile_again(copy, given, inline)
        self._made[id(old)] = made, old  # before what it calls: that may be itself
        used = frozenset(names_in(plain.__code__))
        for name in used & space.keys():
            space[name] = self._value(name, space[name], used)
        for name, cell, before in zip(plain.__code__.co_freevars, cells, plain.__closure__ or ()):
            try:
                cell.cell_contents = self._value(name, before.cell_contents, used)
            except ValueError:
                pass  # not filled yet
        return made

    def _value(self, name: str, value: Any, used: frozenset[str]) -> Any:
        """What stands for a value that the function uses."""
        if is_compiled(value):
            return self._again(value)
        if type(value) is tuple:
            return tuple(self._value(name, one, used) for one in value)
        if isinstance(value, ModuleType):
            return self._module(value, used)
        if _is_foreign(value) and name not in self.unchecked:
            self.unchecked.append(name)
        return value

    def _module(self, module: ModuleType, used: frozenset[str]) -> ModuleType:
        """A module, or its copy where it holds something that is compiled again."""
        if module.__name__.partition(".")[0] in KNOWN:
            return module
        before = {name: value for name, value in vars(module).items() if name in used}
        after = {
            name: self._value(f"{module.__name__}.{name}", value, used)
            for name, value in before.items()
            if value is not module
        }
        if all(after[name] is before[name] for name in after):
            return module
        copy = ModuleType(module.__name__)
        copy.__dict__.update(vars(module), **after)
        return copy


def plainly(function: Any) -> Any:
    """A function to be called from Python, never past the end of an array; what is no function stays as it is."""
    if "numba" not in sys.modules:  # then nothing that it calls is compiled
        return function
    return Checked(function).plain if isinstance(getattr(function, "py_func", function), FunctionType) else function


def is_compiled(value: Any) -> bool:
    """Whether a value is a function that numba compiles."""
    numba = sys.modules.get("numba.core.dispatcher")
    return numba is not None and isinstance(value, numba.Dispatcher)


def _is_foreign(value: Any) -> bool:
    """Whether a value is called without index checks: neither compiled again, nor part of numba's own work."""
    if not callable(value) or isinstance(value, (np.ufunc, np.generic)):
        return False
    if isinstance(value, type):  # float, np.float64; a compiled class is not known to numpy
        return hasattr(value, "class_type")
    if isinstance(value, _POINTER) or type(value).__module__.startswith(("_cffi", "cffi")):
        return True
    home = getattr(value, "__module__", None) or type(value).__module__
    if isinstance(value, FunctionType):  # numba knows it by `overload` or `register_jitable` only
        return home.partition(".")[0] not in KNOWN
    return type(value).__module__.startswith("numba")  # cfunc, intrinsic, vectorize


def names_in(code: CodeType) -> Iterator[str]:
    """Names that a code object and those inside it use."""
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from names_in(one)


def content(value: Any, inside: tuple[int, ...] = ()) -> Any:
    """What a function is made of, as a key: two that are defined alike, with the same values around them, are one.

    numba takes values around a function as constants, so they are part of it.
    """
    plain = getattr(value, "py_func", value)
    if isinstance(plain, FunctionType):
        if id(plain) in inside:
            return "itself", inside.index(id(plain))
        inside = (*inside, id(plain))
        around = plain.__globals__
        used = sorted({*names_in(plain.__code__)} & around.keys())
        cells = tuple(_cell(one, inside) for one in plain.__closure__ or ())
        options = tuple(sorted((key, str(one)) for key, one in getattr(value, "targetoptions", {}).items()))
        return (
            "function",
            type(value),
            plain.__code__,
            options,
            content(plain.__defaults__, inside),
            content(plain.__kwdefaults__ and tuple(sorted(plain.__kwdefaults__.items())), inside),
            cells,
            tuple((name, content(around[name], inside)) for name in used),
        )
    if isinstance(value, MethodType):
        return "method", content(value.__func__, inside), _Same(value.__self__)
    if value is None or type(value) in (bool, int, float, complex, str, bytes) or isinstance(value, np.generic):
        return type(value), repr(value)
    if type(value) is tuple:
        return tuple, tuple(content(one, inside) for one in value)
    if type(value) is np.ndarray and value.dtype != object:
        return "array", value.dtype.str, value.shape, value.tobytes()
    return _Same(value)


def lasting(law: Any) -> str | None:
    """What a law is made of, as a text that other processes come to as well; None where there may be more to it.

    It is a function in a file that stands alone: arithmetic, `math`, functions of numpy that work number by number, and
    numbers that its module holds.  What calls other functions, or has values of a call around it, is not looked into.
    """
    if type(law) is not FunctionType or law.__closure__ or not os.path.isfile(law.__code__.co_filename):
        return None
    code = law.__code__
    around = {name: law.__globals__[name] for name in sorted({*code.co_names} & law.__globals__.keys())}
    usual = (*(law.__defaults__ or ()), *(law.__kwdefaults__ or {}).values())
    if any(isinstance(one, CodeType) for one in code.co_consts) or not all(type(one) in NUMBERS for one in usual):
        return None
    for value in around.values():
        name = getattr(value, "__name__", "")
        if value is np:
            if not all(isinstance(getattr(np, one, 0.0), (np.ufunc, float)) for one in code.co_names):
                return None
        elif not (type(value) in NUMBERS or value is math or (name and value is getattr(math, name, None))):
            if not (isinstance(value, np.ufunc) and value is getattr(np, name, None)):
                return None
    told = [(name, getattr(value, "__name__", repr(value))) for name, value in around.items()]
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    parts = code.co_code, code.co_exceptiontable, code.co_consts, code.co_names, code.co_varnames
    return repr((np.__version__, counts, parts, law.__defaults__, law.__kwdefaults__, told))


def renamed(law: FunctionType, name: str) -> FunctionType:
    """The same function by another name, so that the code of two that were kept by different processes never meets.

    It is one of this module, which whoever finds its code can import.
    """
    copy = FunctionType(law.__code__.replace(co_name=name), law.__globals__, name, law.__defaults__)
    copy.__kwdefaults__, copy.__module__, copy.__qualname__ = law.__kwdefaults__, __name__, name
    return copy


def _cell(cell: CellType, inside: tuple[int, ...]) -> Any:
    try:
        return content(cell.cell_contents, inside)
    except ValueError:
        return "empty"


class _Same:
    """Equal to itself only; keeps what it stands for, so that no other gets its number."""

    def __init__(self, value: Any):
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)
