"""The one decorator of the kernels, and what they call each other with.

There are three ways for it, which offer the same: kernels found in a library that was compiled before (`ready`), if
there is one that was made from these sources; kernels that numba compiles when they are first wanted (`compiling`); and
kernels as plain Python, where NUMBA_DISABLE_JIT=1 is set (`plain`).  Whichever it is, kernels are called at addresses
and are given pointers and numbers, by each other and by Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from linkwork.kernels import kinds as types
from linkwork.kernels import library, plain
from linkwork.kernels.plain import PLAIN

f8 = types.float64
i8 = types.int64
#: a vector is a bare pointer: one word to hand on
A = types.CPointer(f8)
I = types.CPointer(i8)

#: rhs(t, y, p, tab, w, f): time, state, parameters, integer tables, workspace, state derivative
RHS = types.void(f8, A, A, I, A, A)
#: solve(known, right, p, tab, w): `known` is 1 for accelerations, which begin with the applied forces, and 0 for a
#: step, which begins with nothing; the right side of the rows is at w[right]
SOLVE = types.void(f8, i8, A, I, A)
#: spread(known, p, tab, w)
SPREAD = types.void(f8, A, I, A)
#: add(p, tab, w)
ADD = types.void(A, I, A)

#: stepper(t, step, y, p, tab, w, run, count): one of the kernels of `kernels.time`
STEPPER = types.void(f8, f8, A, A, I, A, A, I)

#: law(t, values, rates, numbers, memory, out, states, changes, n_values, n_numbers, n_memory, n_out, n_states); what a
#: law does when a step is accepted has the same form
LAW = types.void(f8, A, A, A, A, A, A, A, i8, i8, i8, i8, i8)
#: measure(seen, numbers, memory, given, n_numbers, n_memory): see `planar.frames`, `spatial.frames`
MEASURE = types.void(A, A, A, A, i8, i8)
#: watch(t, state, memory, out, n_state, n_memory): the Python function of an event; out = its value
WATCH = types.void(f8, A, A, A, i8, i8)
#: function(t, numbers, out, n_numbers): out = f, f', f''
FUNCTION = types.void(f8, A, A, i8)

if PLAIN:
    way = plain
elif library.load() is not None:
    from linkwork.kernels import ready as way
else:
    from linkwork.kernels import compiling as way

#: kernel(signature, inline=False): a kernel for one signature, which may be written into every kernel that calls it;
#: with `entry` it is one that Python calls
kernel = way.kernel
#: where a kernel is: a C function
address_of = way.address_of
#: slot(key): where a law of ours is that was compiled before, or 0
slot = way.slot
fused, beyond = way.fused, way.beyond
#: pointers in kernels, from what a table of `table_of` holds
floats_at, integers_at = way.floats_at, way.integers_at

#: kernels_with(signature): what gives kernels, in kernels, the one with a signature at an address
kernels_with = way.kernels_with

at_address = kernels_with(RHS)
solver_at = kernels_with(SOLVE)
spreader_at = kernels_with(SPREAD)
adder_at = kernels_with(ADD)
stepper_at = kernels_with(STEPPER)
law_at = kernels_with(LAW)
geometry_at = kernels_with(MEASURE)
watch_at = kernels_with(WATCH)
function_at = kernels_with(FUNCTION)


def compiler():
    """What compiles laws that are not in a library."""
    if PLAIN:
        return plain
    from linkwork.kernels import compiling

    return compiling


#: An array of numpy is Python's header of an object and then the address of its numbers: so C has known it for ever.
_HEADER = object.__basicsize__


def _read(array: np.ndarray, at=ctypes.c_void_p.from_address, header: int = _HEADER) -> int:
    return at(id(array) + header).value


def _ask(array: np.ndarray) -> int:
    return array.ctypes.data  # ten times as long


def _way_to_places():
    """The quickest way to the address of the numbers of an array that gives what numpy says."""
    tried = np.arange(6.0)[2:], np.zeros(3, dtype=np.int64)
    return _read if all(_read(one) == _ask(one) for one in tried) else _ask


#: place_of(array): what a kernel is given for an array that the caller keeps alive, where its numbers are
place_of = plain.unmarked if PLAIN else _way_to_places()
#: the same of a vector with sections, whose ends are watched where kernels are plain Python
room_of = plain.pointer if PLAIN else place_of


def table_of(*places):
    """Places that stay, and other integers, as one table, which is handed over in the time of one of them."""
    return places if PLAIN else np.array(places, dtype=np.int64)


#: place_of_table(table): where a table of places is
place_of_table = tuple if PLAIN else place_of


#: kernels that Python calls, by address
CALLED: dict = {}


def called_at(signature, address: int):
    """The kernel at an address, for Python: it takes numbers and what `place_of` gives."""
    found = CALLED.get(address)
    if found is None:
        if PLAIN:
            found = plain.quietly(plain.at_address(address))
        else:
            found = ctypes.CFUNCTYPE(signature.return_type.c, *(one.c for one in signature.args))(int(address))
        CALLED[address] = found
    return found


@cache
def called(kernel_function: Any) -> Callable[..., Any]:
    """A kernel, for Python."""
    return called_at(way.declared(kernel_function), address_of(kernel_function))
