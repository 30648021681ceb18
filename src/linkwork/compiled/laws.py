"""Functions to addresses: laws and time functions become C functions that the kernels call.

Laws of the product are compiled once and kept on disk.  A user's law is compiled when numba can, else it runs as Python
through the same slot, with one warning that says which law and why.
"""

from __future__ import annotations

import ctypes
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numba import carray
from numba.core.errors import NumbaError

from linkwork.errors import warn
from linkwork.kernels import jit

_BODY = {
    "short": "o[0] = law(v[0], r[0], t{numbers})",
    "long": "law(v, r, t, n, m, o)",
    "tension": "o[0] = -law(v[0] - n[0])",
    "table": "o[0] = -law(v[0] - n[0], n[1:])[0]",
}

_LAW_SLOT = '''
def {name}(t, values, rates, numbers, memory, out, n_values, n_numbers, n_memory, n_out):
    v = carray(values, (n_values,))
    r = carray(rates, (n_values,))
    n = carray(numbers, (n_numbers,))
    m = carray(memory, (n_memory,))
    o = carray(out, (n_out,))
    try:
        {body}
    except Exception:
        for i in range(n_out):
            o[i] = np.nan
'''

_FUNCTION_SLOT = '''
def {name}(t, numbers, out, n_numbers):
    n = carray(numbers, (n_numbers,))
    o = carray(out, (3,))
    try:
        f, f1, f2 = law(t, n)
        o[0] = f
        o[1] = f1
        o[2] = f2
    except Exception:
        for i in range(3):
            o[i] = np.nan
'''

_POINTER = ctypes.POINTER(ctypes.c_double)
_PYTHON_LAW = ctypes.CFUNCTYPE(None, ctypes.c_double, *[_POINTER] * 5, *[ctypes.c_int64] * 4)
_PYTHON_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_double, _POINTER, _POINTER, ctypes.c_int64)


@dataclass
class Slot:
    """An address that kernels may call, and what keeps it alive."""

    address: int
    keep: Any
    compiled: bool
    errors: list = field(default_factory=list)  # what a Python function raised last

    def raise_exit(self) -> None:
        """Raise what must not be lost in a kernel, such as SystemExit (a mistake may be met by a shorter step)."""
        if self.errors and not isinstance(self.errors[0], Exception):
            raise self.errors.pop()


_slots: dict = {}


def law_slot(part) -> Slot:
    """The slot of one part of a force element."""
    count = len(part.numbers) if part.form == "short" else 0
    key = ("law", part.form, part.law, count)
    if key not in _slots:
        numbers = "".join(f", n[{k}]" for k in range(count))
        source = _LAW_SLOT.replace("{body}", _BODY[part.form].format(numbers=numbers))
        _slots[key] = _compile(part.law, source, jit.LAW, lambda: _python_law(part))
    return _slots[key]


def function_slot(function) -> Slot:
    """The slot of a time function."""
    if hasattr(function, "python_values"):
        key = ("python", function)
        if key not in _slots:
            _slots[key] = _python_function(function)
        return _slots[key]
    values = type(function).values
    key = ("function", values)
    if key not in _slots:
        _slots[key] = _compile(values, _FUNCTION_SLOT, jit.FUNCTION, None)
    return _slots[key]


def _compile(law, source, signature, fallback) -> Slot:
    own = (getattr(law, "__module__", "") or "").startswith("linkwork.")
    # the key changes with the file that the law is in, so that an edited law is never answered from the cache
    written = Path(law.__code__.co_filename).read_bytes() if own else b""
    key = hashlib.sha256(f"{getattr(law, '__module__', '')} {getattr(law, '__qualname__', '')} {source}".encode()
                         + written).hexdigest()
    name = f"slot_{key[:16]}"
    space = {"np": np, "carray": carray, "__name__": __name__}
    try:
        space["law"] = law if hasattr(law, "py_func") else jit.compile_inner(law)
        # our own text, around the function object
        exec(compile(source.replace("{name}", name), "<linkwork law slot>", "exec"), space)
        compiled = jit.compile_slot(signature, space[name], key if own else None)
        return Slot(compiled.address, compiled, True)
    except (NumbaError, TypeError, NotImplementedError) as error:
        if fallback is None:
            raise
        warn(f"Law '{getattr(law, '__name__', law)}' cannot be compiled and runs as plain Python, which is slower: "
             f"{_reason(error)}", RuntimeWarning)
        return fallback()


def _reason(error) -> str:
    """The line of a numba error that says something."""
    for line in str(error).splitlines():
        text = line.strip()
        if text and not text.startswith(("Failed in", "During", "File", "<source", "- During")):
            return text
    return type(error).__name__


def call_plainly(part, values, rates, t, numbers, memory, count):
    """Call a law in plain Python, as its slot does: gives its `count` forces, or the exception that it raised."""
    out = np.zeros(count)
    law = getattr(part.law, "py_func", part.law)
    if part.form == "short":
        out[0] = law(values[0], rates[0], t, *numbers)
    elif part.form == "long":
        law(values, rates, t, numbers, memory, out)
    elif part.form == "tension":
        out[0] = -law(values[0] - numbers[0])
    else:
        out[0] = -law(values[0] - numbers[0], np.asarray(numbers[1:]))[0]
    return out


def _python_law(part) -> Slot:
    slot = Slot(0, None, False)

    def call(t, values, rates, numbers, memory, out, n_values, n_numbers, n_memory, n_out):
        try:
            o = np.ctypeslib.as_array(out, (n_out,))
            v, r = (np.ctypeslib.as_array(a, (n_values,)) if n_values else np.zeros(0) for a in (values, rates))
            n = np.ctypeslib.as_array(numbers, (n_numbers,)) if n_numbers else np.zeros(0)
            m = np.ctypeslib.as_array(memory, (n_memory,)) if n_memory else np.zeros(0)
            o[:] = call_plainly(part, v, r, t, n, m, n_out)
        except BaseException as error:  # an exception cannot cross the kernel: it is kept, and nan says so
            slot.errors[:] = [error]
            for k in range(n_out):
                out[k] = np.nan

    slot.keep = _PYTHON_LAW(call)
    slot.address = ctypes.cast(slot.keep, ctypes.c_void_p).value or 0
    return slot


def _python_function(function) -> Slot:
    slot = Slot(0, None, False)

    def call(t, numbers, out, n_numbers):
        try:
            for k, value in enumerate(function.python_values(t)):
                out[k] = value
        except BaseException as error:
            slot.errors[:] = [error]
            for k in range(3):
                out[k] = np.nan

    slot.keep = _PYTHON_FUNCTION(call)
    slot.address = ctypes.cast(slot.keep, ctypes.c_void_p).value or 0
    return slot
