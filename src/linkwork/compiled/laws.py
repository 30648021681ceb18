"""Functions to addresses: laws, time functions and functions of measures become C functions that kernels call.

Laws of the product are compiled once and kept on disk.  A user's law is compiled when numba can, with every index
checked; else it runs as Python through the same slot, with one warning that says which law and why.  It is kept, too,
where its own text says all that it does.  Laws that are defined alike share a slot, and one that no model needs any
more is given back.
"""

from __future__ import annotations

import ctypes
import hashlib
from collections import deque
from collections.abc import Callable
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from linkwork.errors import warn
from linkwork.kernels import jit, plain
from linkwork.kernels.checked import Checked, content, lasting, plainly, renamed
from linkwork.mechanism.seen import SeenInPlane, SeenInSpace
from linkwork.records import dataclass
from linkwork.whole import load

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

FUNCTION_SOURCE = """
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

_NOTHING = np.zeros(0)
_MOST_KEPT = 50
_kept: set = set()  # laws of users that this process has kept on disk, or found there
_MOST_VIEWS = 256


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


def known_slot(key, make) -> Slot:
    """The slot that is made of `key`, which is made where there is none yet."""
    slot = _slots.get(key)
    if slot is None:
        slot = _slots[key] = make()
    if slot not in _latest:
        _latest.append(slot)
    return slot


def is_own(law) -> bool:
    """Whether a law is one of the product."""
    return (getattr(law, "__module__", "") or "").startswith("linkwork.")


def made_of(law):
    """What tells a law from others: itself if it is of the product, else all that it does."""
    return law if is_own(law) else content(law)


def law_slot(part) -> Slot:
    """The slot of one part of a force element."""
    count = len(part.numbers) if part.form == "short" else 0
    form = f"{part.form} with states" if part.states else part.form
    source = law_source(form, count)
    return known_slot(
        ("law", form, made_of(part.law), count),
        lambda: compiled_slot(part.law, source, jit.LAW, lambda: _python_law(part.law, partial(call_plainly, part))),
    )


def accept_slot(part) -> Slot | None:
    """The slot of what a law does when a step is accepted, if it does anything."""
    accept = part.accept
    if accept is None:
        return None
    source = accept_source(bool(part.states))
    return known_slot(
        ("accept", bool(part.states), made_of(accept)),
        lambda: compiled_slot(accept, source, jit.LAW, lambda: _python_law(accept, partial(accept_plainly, part))),
    )


def law_source(form: str, count: int = 0) -> str:
    """The text of the slot of a law, which in the short form takes so many numbers."""
    return _slot_source(_BODY[form].format(numbers="".join(f", n[{k}]" for k in range(count))), "o", "n_out")


def accept_source(states: bool) -> str:
    """The text of the slot of what a law does when a step is accepted."""
    return _slot_source(_ACCEPT_BODY[states], "m", "n_memory")


def _slot_source(body: str, written: str, count: str) -> str:
    """The text of a slot; where its function raises, what it writes becomes nan."""
    return _LAW_SLOT.replace("{body}", body).replace("{written}", written).replace("{count}", count)


def function_slot(function) -> Slot:
    """The slot of a time function."""
    function = getattr(function, "function", function) if hasattr(function, "owner") else function  # one that is later
    if hasattr(function, "python_values"):
        return known_slot(("python", function), lambda: _python_function(function))
    values = type(function).values
    return known_slot(("function", made_of(values)), lambda: compiled_slot(values, FUNCTION_SOURCE, jit.FUNCTION, None))


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
    return known_slot(
        ("measure", dimension, made_of(function)),
        lambda: compiled_slot(
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


def slot_key(law, source: str) -> str:
    """What a slot is known by.

    It changes with the file that the law is in, so that an edited law is never answered from a cache or a library.
    """
    written = Path(law.__code__.co_filename).read_bytes() if is_own(law) else (lasting(law) or "").encode()
    name = f"{getattr(law, '__module__', '')} {getattr(law, '__qualname__', '')}"
    return hashlib.sha256(f"{name} {source}".encode() + written).hexdigest()


def _is_kept(law) -> bool:
    """Whether a law of a user is kept on disk: few of a process, which may have one for every number of a search."""
    if lasting(law) is None:
        return False
    known = content(law)
    if known not in _kept and len(_kept) == _MOST_KEPT:
        return False
    _kept.add(known)
    return True


def slot_function(key: str, source: str, law, **further):
    """The function of a slot around a compiled law: our own text."""
    name = f"slot_{key[:16]}"
    space = {"np": np, "array_at": jit.compiler().array_at, "__name__": __name__, "law": law, **further}
    exec(compile(source.replace("{name}", name), "<linkwork law slot>", "exec"), space)
    return space[name]


def compiled_slot(law, source, signature, fallback, what: str = "", **further) -> Slot:
    """The slot of a function, compiled; where that cannot be, what `fallback` makes, or without one the error."""
    what = what or f"Law '{getattr(law, '__name__', law)}'"
    own = is_own(law)
    kept = own or (not further and _is_kept(law))
    key = slot_key(law, source)
    ready = jit.slot(key) if own else 0
    if ready:
        return Slot(ready, None, True)
    if not plain.PLAIN:
        load("numba")
    compiler = jit.compiler()
    try:
        checked = None if own else Checked(renamed(law, f"law_{key}") if kept else law)
        inner = compiler.compile_inner(law) if checked is None else checked.compiled
        slot = slot_function(key, source, inner, **further)
        compiled = compiler.compile_slot(signature, slot, key if kept else None, told=own)
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


class ReturnedNothing(TypeError):
    """A law that gives back no force: None would become nan without a word."""


def _number(given):
    if given is None:
        raise ReturnedNothing("it returned nothing (None)")
    return given


def call_plainly(part, law, t, values, rates, numbers, memory, out, states, changes) -> None:
    """Call a law in plain Python, as its slot does: it writes its forces, and the rates of its states."""
    if part.form == "short":
        out[0] = _number(law(values[0], rates[0], t, *numbers))
    elif part.form == "tension":
        out[0] = -_number(law(values[0] - numbers[0]))
    elif part.form == "table":
        out[0] = -law(values[0] - numbers[0], np.asarray(numbers[1:]))[0]
    else:
        law(values, rates, t, numbers, memory, out, *((states, changes) if part.states else ()))


def accept_plainly(part, accept, t, values, rates, numbers, memory, out, states, changes) -> None:
    """Call in plain Python what a law does when a step is accepted: it writes its memory."""
    accept(values, rates, t, numbers, memory, *((states,) if part.states else ()))


def _arrays() -> Callable[[Any, int], np.ndarray]:
    """What gives the numbers at an address as an array.

    A law is asked at the same places again and again, so the arrays are kept: making one takes longer than most laws.
    """
    if plain.PLAIN:
        return lambda place, count: plain.array_at(place, (count,))
    known: dict[tuple[int, int], np.ndarray] = {}

    def array_at(address: int, count: int) -> np.ndarray:
        found = known.get((address, count))
        if found is None:
            if len(known) == _MOST_VIEWS:
                known.clear()
            found = _NOTHING
            if count:
                found = np.frombuffer(memoryview((ctypes.c_double * count).from_address(address)))
            known[address, count] = found
        return found

    return array_at


def _python_law(law, way) -> Slot:
    slot = Slot(0, None, False)
    errors = slot.errors  # not the slot, which keeps this function
    function, array_at = plainly(law), _arrays()

    def call(t, values, rates, numbers, memory, out, states, changes, n_values, n_numbers, n_memory, n_out, n_states):
        m, o = array_at(memory, n_memory), array_at(out, n_out)
        try:
            way(
                function,
                t,
                array_at(values, n_values),
                array_at(rates, n_values),
                array_at(numbers, n_numbers),
                m,
                o,
                array_at(states, n_states),
                array_at(changes, n_states),
            )
        except BaseException as error:  # an exception cannot cross the kernel: it is kept, and nan says so
            errors[:] = [error]
            m[:] = np.nan  # of which a law has a copy
            o[:] = np.nan

    _place(slot, jit.LAW, call)
    return slot


def _python_measure(function, dimension: int) -> Slot:
    slot = Slot(0, None, False)
    errors = slot.errors  # not the slot, which keeps this function
    law, array_at = plainly(function), _arrays()
    n_seen, n_given = _TOLD[dimension][1].count("s["), 2 + len(_TOLD[dimension][2])

    def call(seen, numbers, memory, given, n_numbers, n_memory):
        out = array_at(given, n_given)
        try:
            s, n, m = array_at(seen, n_seen), array_at(numbers, n_numbers), array_at(memory, n_memory)
            out[:] = call_measure(law, dimension, s, n, m)
        except BaseException as error:
            errors[:] = [error]
            out[:] = np.nan

    _place(slot, jit.MEASURE, call)
    return slot


def _python_function(function) -> Slot:
    slot = Slot(0, None, False)
    errors = slot.errors  # not the slot, which keeps this function
    array_at = _arrays()

    def call(t, numbers, out, n_numbers):
        o = array_at(out, 3)
        try:
            for k, value in enumerate(function.python_values(t)):
                o[k] = value
        except BaseException as error:
            errors[:] = [error]
            o[:] = np.nan

    _place(slot, jit.FUNCTION, call)
    return slot


def watch_slot(function) -> Slot:
    """The slot of what a Python function says of a state: function(t, state, memory) -> value."""
    slot = Slot(0, None, False)
    errors = slot.errors  # not the slot, which keeps this function
    array_at = _arrays()

    def call(t, state, memory, out, n_state, n_memory):
        o = array_at(out, 1)
        try:
            o[0] = function(float(t), array_at(state, n_state).copy(), array_at(memory, n_memory).copy())
        except BaseException as error:
            errors[:] = [error]
            o[0] = np.nan

    _place(slot, jit.WATCH, call)
    return slot


def _place(slot: Slot, signature, call) -> None:
    """Give a Python function an address that kernels can call."""
    if plain.PLAIN:
        slot.keep, slot.address = call, jit.address_of(call)
    else:
        slot.keep = ctypes.CFUNCTYPE(None, *(one.c for one in signature.args))(call)
        slot.address = ctypes.cast(slot.keep, ctypes.c_void_p).value or 0
