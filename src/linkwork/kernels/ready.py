"""Kernels found by their names in a library that was compiled before; numba is imported for laws of users only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from linkwork.kernels import library


@dataclass(frozen=True, eq=False)
class Handle:
    """A kernel of the library."""

    py_func: Any
    signature: Any
    inline: bool


def kernel(signature, inline=False, entry=False):
    """A kernel with one signature."""
    return lambda function: Handle(function, signature, inline)


def declared(one: Handle):
    """The signature of a kernel."""
    return one.signature


def address_of(one: Handle) -> int:
    """Where a kernel is, as a C function; one that is not in the library, and calls none that is, is compiled."""
    found = library.load().address(library.symbol_of(one.py_func))
    if found:
        return found
    from linkwork.kernels import compiling

    return compiling.address_of(compiling.kernel(one.signature, one.inline)(one.py_func))


def slot(key: str) -> int:
    """Where a law of ours is, or 0 if the library has it not."""
    return library.load().address(library.LAW + key)


def kernels_with(signature):
    """Nothing: it is called by kernels only, and those are compiled."""


def fused(a, b, c):
    """Nothing: it is called by kernels only, and those are compiled."""


beyond = floats_at = integers_at = fused
