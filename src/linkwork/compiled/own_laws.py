"""All laws and functions of time of the product: what a library of compiled kernels has besides the kernels.

They are found by their arguments, as `law_parts` and `functions` say them, so a new one is in the library without
being named anywhere; what tells the slopes of a law has their arguments, too, and a name that says so.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import linkwork.mechanism
from linkwork.compiled.laws import FUNCTION_SOURCE, accept_source, is_own, law_source
from linkwork.compiled.slopes import slope_source
from linkwork.kernels import jit
from linkwork.mechanism.functions import Function, Table

_SHORT = ("value", "rate", "t")
_ACCEPT = ("values", "rates", "t", "numbers", "memory")
_LONG = (*_ACCEPT, "out")
_SLOPES = "_slopes"  # how the names of functions end that tell the slopes of a law


def own_laws() -> Iterator[tuple[Any, str, Any]]:
    """Law, text and signature of every slot of the product."""
    for one in iter_modules(linkwork.mechanism.__path__):
        module = import_module(f"{linkwork.mechanism.__name__}.{one.name}")
        for law in vars(module).values():
            if inspect.isfunction(law) and law.__module__ == module.__name__:
                source = _source(law.__name__, tuple(inspect.signature(law).parameters))
                if source:
                    yield law, source, jit.LAW
    for source in (law_source("table"), slope_source("table")):
        yield vars(Table)["values"].__func__, source, jit.LAW
    seen: set = set()
    for kind in _kinds(Function):
        values = kind.__dict__.get("values")
        if is_own(kind) and isinstance(values, staticmethod) and kind.values not in seen:
            seen.add(kind.values)
            yield kind.values, FUNCTION_SOURCE, jit.FUNCTION


def _source(name: str, names: tuple[str, ...]) -> str:
    """The text of the slot of a law with these arguments; none where it is no law."""
    if name.endswith(_SLOPES):
        return slope_source("short", len(names) - 3) if names[:3] == _SHORT else slope_source("long")
    if names[:3] == _SHORT:
        return law_source("short", len(names) - 3)
    if names == _LONG:
        return law_source("long")
    if names == (*_LONG, "states", "state_rates"):
        return law_source("long with states")
    if names in (_ACCEPT, (*_ACCEPT, "states")):
        return accept_source(names != _ACCEPT)
    return ""


def _kinds(kind: Any) -> Iterator[Any]:
    for one in kind.__subclasses__():
        yield one
        yield from _kinds(one)
