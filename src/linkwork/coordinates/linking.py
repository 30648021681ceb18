"""Tables linked with their kernels: checked once, with addresses in them, and not to be written afterwards."""

from __future__ import annotations

from functools import cache
from importlib import import_module

import numpy as np

from linkwork.compiled.bounds import check, check_readings
from linkwork.kernels import layout as at
from linkwork.kernels.jit import address_of
from linkwork.kernels.sections import span_of


def seen(array: np.ndarray) -> np.ndarray:
    """The same numbers, to be looked at only."""
    view = array.view()
    view.flags.writeable = False
    return view


def kernels_of(dimension: int, coordinates: str):
    """The kernels of a set in the plane or in space, compiled when first wanted."""
    return import_module(f"linkwork.kernels.{'planar' if dimension == 2 else 'spatial'}.{coordinates}")


def linked_table(plan) -> np.ndarray:
    """The integer table of a plan, checked, with the addresses of its kernels in the header; made once for a plan."""
    known = plan.__dict__.get("_linked_table")
    if known is None:
        sizes = plan.parameters.size, plan.workspace.size
        table, found = plan.once("linked", lambda: (_checked(plan), sizes))
        known = plan.__dict__["_linked_table"] = table if found == sizes else _checked(plan)
    return known


def _checked(plan) -> np.ndarray:
    check(plan)
    return _linked(plan.tab, plan.model.dimension, plan.coordinates)


def linked_readings(readings) -> np.ndarray:
    """The same for a few measures that are read from states of the bodies."""
    known = readings.__dict__.get("_linked_table")
    if known is None:
        check_readings(readings)
        known = readings.__dict__["_linked_table"] = _linked(readings.tab, readings.dimension, "body")
    return known


def _linked(tab, dimension: int, coordinates: str) -> np.ndarray:
    out = tab.copy()
    out[at.A_LOCATE : at.A_ADD + 1] = _addresses(dimension, coordinates, bool(tab[at.LOW]))
    span, shape = span_of(at.T_MEASURE, tab)
    measures = out[span].reshape(shape)
    codes = measures[:, at.MEASURE_CODE]
    for code in set(codes.tolist()):
        measures[codes == code, at.MEASURE_ADDRESS] = _measure_address(dimension, code)
    return seen(out)


@cache
def _addresses(dimension: int, coordinates: str, light: bool) -> list[int]:
    """Where the kernels of a set are, in the order of the header."""

    kernels = kernels_of(dimension, coordinates)
    rows = kernels_of(dimension, f"light_{coordinates}") if light else kernels  # where bodies are light beside others
    of_all = [kernels.locate, rows.factor, rows.solve, kernels.move]
    of_some = [getattr(kernels, "rates", None), getattr(kernels, "spread", None), getattr(rows, "add", None)]
    return [address_of(one) if one is not None else 0 for one in (*of_all, *of_some)]


@cache
def _measure_address(dimension: int, code: int) -> int:
    """Where the kernel of a measure is; 0 where it is called directly."""

    addressed = kernels_of(dimension, "measures").ADDRESSED
    return address_of(addressed[code]) if code in addressed else 0


@cache
def pointers() -> tuple[int, int]:
    """Addresses of rhs and project, the way the kernels take them."""
    from linkwork.kernels.motion import project, rhs

    return address_of(rhs), address_of(project)
