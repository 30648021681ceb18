"""Signatures of kernels in words of our own, so that numba is needed only where something is compiled.

`void(float64, CPointer(float64))` is the signature of what takes a number and a pointer to numbers.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass


@dataclass(frozen=True)
class Signature:
    """What a kernel returns and takes."""

    return_type: Kind
    args: tuple[Kind, ...]


@dataclass(frozen=True)
class Kind:
    """A kind of value: its name, what it is made of, and what ctypes calls it where Python may hand it over."""

    name: str
    parts: tuple[Kind, ...] = ()
    c: type | None = None

    def __call__(self, *args: Kind) -> Signature:
        return Signature(self, args)


float64 = Kind("float64", c=ctypes.c_double)
int64 = Kind("int64", c=ctypes.c_int64)
boolean = Kind("boolean")
void = Kind("void")


def CPointer(of: Kind) -> Kind:
    """Where numbers of a kind are."""
    return Kind("pointer", (of,), ctypes.c_void_p)


def UniTuple(of: Kind, count: int) -> Kind:
    """So many values of a kind."""
    return Kind("tuple", (of,) * count)
