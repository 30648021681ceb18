"""Functions to addresses: laws, time functions and functions of measures become C functions that kernels call.

Laws of the product are compiled once and kept on disk.  A user's law is compiled when numba can, with every index
checked; else it runs as Python through the same slot, with one warning that says which law and why.  Laws that are
defined alike share a slot, and one that no model needs any more is given back.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from linkwork.errors import warn
from linkwork.kernels import jit
from linkwork.kernels.checked import Checked, content, plainly
from linkwork.mechanism.seen import SeenInPlane, SeenInSpace

_BODY = {
    "short": "o[0] = law(v[0], r[0], t{numbers})",
    "long": "law(v, r, t, n, m, o)",
    "long with states": "law(v, r, t, n, m, o, s, c)",
    "tension": "o[0] = -law(v[0] - n[0])",
    "table": "o[0] = -law(v[0] - n[0], n[1:])[0]",
}

#: what runs when a step is accepted, without and with states
_ACCEPT_BODY = ("law(v, r, t, n, m)", "law(v, r, t, n, m, s)")

_LAW_SLOT = """
def {name}(
    t, values, rates, numbers, memory, out, states, changes, n_values, n_numbers, n_memory, n_out, n_states
):
    v = array_at(values, (n_values,))
    r = array_at(rates, (n_values,))
    n = array_at(numbers, (n_numbers,))
    m = array_at(memory, (n_memory,))
    o = array_at(out, (n_out,))
    s = array_at(states, (n_states,))
    c = array_at(changes, (n_states,))
    try:
        {body}
    except Exception:
        for i in range({count}):
            {written}[i] = np.nan
"""

_FUNCTION_SLOT = """
def {name}(t, numbers, out, n_numbers):
    n = array_at(numbers, (n_numbers,))
    o = array_at(out, (3,))
    try:
        f, f1, f2 = law(t, n)
        o[0] = f
        o[1] = f1
        o[2] = f2
    except Exception:
        for i in range(3):
            o[i] = np.nan
"""

_MEASURE_SLOT = """
def {name}(seen, numbers, memory, given, n_numbers, n_memory):
    s = array_at(seen, ({n_seen},))
    n = array_at(numbers, (n_numbers,))
    m = array_at(memory, (n_memory,))
    g = array_at(given, ({n_given},))
    try:
        value, bias, push = law({told}, n, m)
        {parts} = push
        g[0] = value
        g[1] = bias
        {stored} = {parts}
    except Exception:
        for i in range({n_given}):
            g[i] = np.nan
"""
#: by dimension: what a function of a measure is told, and what it gives beside value and bias
_TOLD = {
    2: (SeenInPlane, "Seen(s[0], s[1], s[2], s[3], s[4], s[5])", ("fx", "fy", "m")),
    3: (
        SeenInSpace,
        "Seen(s[0], s[1], s[2], ((s[3], s[4], s[5]), (s[6], s[7], s[8]), (s[9], s[10], s[11])), "
        "s[12], s[13], s[14], s[15], s[16], s[17])",
        ("fx", "fy", "fz", "mx", "my", "mz"),
    ),
}

_POINTER = ctypes.POINTER(ctypes.c_double)
_PYTHON_WATCH = ctypes.CFUNCTYPE(None, ctypes.c_double, *[_POINTER] * 3, *[ctypes.c_int64] * 2)
_PYTHON_LAW = ctypes.CFUNCTYPE(None, ctypes.c_double, *[_POINTER] * 7, *[ctypes.c_int64] * 5)
_PYTHON_MEASURE = ctypes.CFUNCTYPE(None, *[_POINTER] * 4, *[ctypes.c_int64] * 2)
_PYTHON_FUNCTION = ctypes.CFUNCTYPE(None, ctypes.c_double, _POINTER, _POINTER, ctypes.c_int64)


@dataclass(eq=False)
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


#: of a law that is switched off: kernels call nothing at address 0
OFF = Slot(0, None, True)

#: by what they are made of, as long as a model calls them; the last ones wait for a mechanism that is built again
_slots: WeakValueDictionary = WeakValueDictionary()
_latest: deque = deque(maxlen=16)


def _known(key, make) -> Slot:
    slot = _slots.get(key)
    if slot is None:
        slot = _slots[key] = make()
    if slot not in _latest:
        _latest.append(slot)
    return slot


def is_own(law) -> bool:
    """Whether a law is one of the product."""
    return (getattr(law, "__module__", "") or "").startswith("linkwork.")


def _made_of(law):
    return law if is_own(law) else content(law)


def law_slot(part) -> Slot:
    """The slot of one part of a force element."""
    count = len(part.numbers) if part.form == "short" else 0
    numbers = "".join(f", n[{k}]" for k in range(count))
    form = f"{part.form} with states" if part.states else part.form
    source = _slot_source(_BODY[form].format(numbers=numbers), "o", "n_out")
    return _known(
        ("law", form, _made_of(part.law), count),
        lambda: _compile(part.law, source, jit.LAW, lambda: _python_law(part.law, partial(call_plainly, part))),
    )


def accept_slot(part) -> Slot | None:
    """The slot of what a law does when a step is accepted, if it does anything."""
    accept = part.accept
    if accept is None:
        return None
    source = _slot_source(_ACCEPT_BODY[bool(part.states)], "m", "n_memory")
    return _known(
        ("accept", bool(part.states), _made_of(accept)),
        lambda: _compile(accept, source, jit.LAW, lambda: _python_law(accept, partial(accept_plainly, part))),
    )


def _slot_source(body: str, written: str, count: str) -> str:
    """The text of a slot; where its function raises, what it writes becomes nan."""
    return _LAW_SLOT.replace("{body}", body).replace("{written}", written).replace("{count}", count)


def function_slot(function) -> Slot:
    """The slot of a time function."""
    function = getattr(function, "function", function) if hasattr(function, "owner") else function  # one that is later
    if hasattr(function, "python_values"):
        return _known(("python", function), lambda: _python_function(function))
    values = type(function).values
    return _known(("function", _made_of(values)), lambda: _compile(values, _FUNCTION_SLOT, jit.FUNCTION, None))


def measure_slot(measure, dimension: int) -> Slot:
    """The slot of the function of a measure."""
    function, (seen, told, parts) = measure.function(dimension), _TOLD[dimension]
    source, name = _MEASURE_SLOT, f"Function '{function.__name__}' of {type(measure).__name__}"
    for key, text in {
        "told": told,
        "parts": ", ".join(parts),
        "stored": ", ".join(f"g[{k}]" for k in range(2, 2 + len(parts))),
        "n_seen": str(told.count("s[")),
        "n_given": str(2 + len(parts)),
    }.items():
        source = source.replace("{" + key + "}", text)
    return _known(
        ("measure", dimension, _made_of(function)),
        lambda: _compile(
            function, source, jit.MEASURE, lambda: _python_measure(function, dimension), Seen=seen, what=name
        ),
    )


def call_measure(function, dimension: int, seen, numbers, memory) -> np.ndarray:
    """Call a function of a measure in plain Python: value, bias, force and moment, or the exception that it raised."""
    kind, _, parts = _TOLD[dimension]
    s = [float(one) for one in seen]
    told = kind(*s) if dimension == 2 else kind(*s[:3], (tuple(s[3:6]), tuple(s[6:9]), tuple(s[9:12])), *s[12:])
    given = function(told, numbers, memory)
    try:
        value, bias, push = given
        found = np.array([value, bias, *push], dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (2 + len(parts),):
        raise TypeError(f"it returned {given!r}, not value, bias, ({', '.join(parts)})")
    return found


def _compile(law, source, signature, fallback, what: str = "", **further) -> Slot:
    what = what or f"Law '{getattr(law, '__name__', law)}'"
    own = is_own(law)
    # the key changes with the file that the law is in, so that an edited law is never answered from the cache
    written = Path(law.__code__.co_filename).read_bytes() if own else b""
    key = hashlib.sha256(
        f"{getattr(law, '__module__', '')} {getattr(law, '__qualname__', '')} {source}".encode() + written
    ).hexdigest()
    name = f"slot_{key[:16]}"
    space = {"np": np, "array_at": jit.array_at, "__name__": __name__, **further}
    try:
        checked = None if own else Checked(law)
        space["law"] = jit.compile_inner(law) if checked is None else checked.compiled
        # our own text, around the function object
        exec(compile(source.replace("{name}", name), "<linkwork law slot>", "exec"), space)
        compiled = jit.compile_slot(signature, space[name], key if own else None)
    except Exception as error:  # of numba, or of what it meets while it compiles
        if fallback is None:
            raise
        warn(f"{what} cannot be compiled and runs as plain Python, which is slower: {_reason(error)}", RuntimeWarning)
        return fallback()
    if checked is not None and checked.unchecked:
        warn(
            f"{what} calls {', '.join(checked.unchecked)}, whose indices cannot be "
            "checked: a wrong one there can end Python, or change numbers unseen.",
            RuntimeWarning,
        )
    return Slot(compiled.address, compiled, True)


def _reason(error) -> str:
    """The line of a numba error that says something."""
    for line in str(error).splitlines():
        text = line.strip()
        if text and not text.startswith(("Failed in", "During", "File", "<source", "- During")):
            return text
    return type(error).__name__


def call_plainly(part, law, t, values, rates, numbers, memory, out, states, changes) -> None:
    """Call a law in plain Python, as its slot does: it writes its forces, and the rates of its states."""
    if part.form == "short":
        out[0] = law(values[0], rates[0], t, *numbers)
    elif part.form == "tension":
        out[0] = -law(values[0] - numbers[0])
    elif part.form == "table":
        out[0] = -law(values[0] - numbers[0], np.asarray(numbers[1:]))[0]
    else:
        law(values, rates, t, numbers, memory, out, *((states, changes) if part.states else ()))


def accept_plainly(part, accept, t, values, rates, numbers, memory, out, states, changes) -> None:
    """Call in plain Python what a law does when a step is accepted: it writes its memory."""
    accept(values, rates, t, numbers, memory, *((states,) if part.states else ()))


def _python_law(law, way) -> Slot:
    slot = Slot(0, None, False)
    errors = slot.errors  # not the slot, which keeps this function
    function = plainly(law)

    def call(t, *given):
        pointers, (n_values, n_numbers, n_memory, n_out, n_states) = given[:7], given[7:]
        counts = (n_values, n_values, n_numbers, n_memory, n_out, n_states, n_states)
        try:
            way(
                function,
                t,
                *(jit.array_at(one, (count,)) if count else np.zeros(0) for one, count in zip(pointers, counts)),
            )
        except BaseException as error:  # an exception cannot cross the kernel: it is kept, and nan says so
            errors[:] = [error]
            for place in (3, 4):  # memory, of which a law has a copy, and forces
                for k in range(counts[place]):
                    pointers[place][k] = np.nan

    _place(slot, _PYTHON_LAW, call)
    return slot


def _python_measure(function, dimension: int) -> Slot:
    slot = Slot(0, None, False)
    errors = slot.errors  # not the slot, which keeps this function
    law = plainly(function)
    n_seen, n_given = _TOLD[dimension][1].count("s["), 2 + len(_TOLD[dimension][2])

    def call(seen, numbers, memory, given, n_numbers, n_memory):
        try:
            s, n, m = (
                jit.array_at(one, (count,)) if count else np.zeros(0)
                for one, count in ((seen, n_seen), (numbers, n_numbers), (memory, n_memory))
            )
            found = call_measure(law, dimension, s, n, m)
        except BaseException as error:
            errors[:] = [error]
            found = [np.nan] * n_given
        for k, value in enumerate(found):
            given[k] = value

    _place(slot, _PYTHON_MEASURE, call)
    return slot


def _python_function(function) -> Slot:
    slot = Slot(0, None, False)
    errors = slot.errors  # not the slot, which keeps this function

    def call(t, numbers, out, n_numbers):
        try:
            for k, value in enumerate(function.python_values(t)):
                out[k] = value
        except BaseException as error:
            errors[:] = [error]
            for k in range(3):
                out[k] = np.nan

    _place(slot, _PYTHON_FUNCTION, call)
    return slot


def watch_slot(function) -> Slot:
    """The slot of what a Python function says of a state: function(t, state, memory) -> value."""
    slot = Slot(0, None, False)
    errors = slot.errors  # not the slot, which keeps this function

    def call(t, state, memory, out, n_state, n_memory):
        try:
            given = (
                jit.array_at(one, (n,)).copy() if n else np.zeros(0)
                for one, n in ((state, n_state), (memory, n_memory))
            )
            out[0] = function(float(t), *given)
        except BaseException as error:
            errors[:] = [error]
            out[0] = np.nan

    _place(slot, _PYTHON_WATCH, call)
    return slot


def _place(slot: Slot, kind, call) -> None:
    """Give a Python function an address that kernels can call."""
    if jit.PLAIN:
        slot.keep, slot.address = call, jit.address_of(call)
    else:
        slot.keep = kind(call)
        slot.address = ctypes.cast(slot.keep, ctypes.c_void_p).value or 0
