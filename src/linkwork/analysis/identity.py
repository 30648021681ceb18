"""What an argument says, whole and in plain data, so that two that would give other numbers are told apart.

States and arrays print rounded, and functions of one name may do other things: a function is told by its compiled code,
its defaults and what it holds of the functions around it.  Functions that it calls, and globals, are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from linkwork.result.state import State

PLAIN = (str, int, float, bool, type(None))
ADDRESS = re.compile(r" at 0x[0-9a-f]+")  # which differs from process to process


def identity(value: Any, depth: int = 4) -> Any:
    """The same in every process for what does the same."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, State):
        return [value.t, value.y.tolist(), value.memory.tolist()]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(name): identity(one, depth) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [identity(one, depth) for one in value]
    if depth and callable(value) and not isinstance(value, type):
        return _function(value, depth - 1)
    return ADDRESS.sub("", getattr(value, "__qualname__", None) or repr(value))


def _function(value: Any, depth: int) -> Any:
    """A function, a part of one, one that numba compiles, a method, or a thing that can be called."""
    if isinstance(value, partial):
        return ["partial", *(identity(one, depth) for one in (value.func, value.args, value.keywords))]
    value = getattr(value, "py_func", value)  # of one that numba compiles
    if isinstance(value, FunctionType):
        around = [identity(one.cell_contents, depth) for one in value.__closure__ or ()]
        given = identity((value.__defaults__, value.__kwdefaults__), depth)
        return [value.__qualname__, *_texts(value.__code__), given, around]
    owner, function = getattr(value, "__self__", None), getattr(value, "__func__", None)
    if function is None:
        owner, function = value, vars(type(value)).get("__call__")
    held = getattr(owner, "__dict__", {})
    if isinstance(function, FunctionType):
        return [type(owner).__qualname__, identity(function, depth), identity(held, depth)]
    return ADDRESS.sub("", getattr(value, "__qualname__", None) or repr(value))


def _texts(code: CodeType) -> Iterator[str]:
    """What a function does, as texts that are the same in every process."""
    yield code.co_code.hex()
    yield repr((code.co_names, [one for one in code.co_consts if not isinstance(one, (CodeType, frozenset))]))
    yield repr([sorted(map(repr, one)) for one in code.co_consts if isinstance(one, frozenset)])
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _texts(one)
