"""A table of a recorded motion, followed: times, and one series for every freedom.

Each series is interpolated by a spline of fifth degree, whose second derivative has an error of the fourth order of the
time between samples.  How large it is here is told by the spline through every other sample: smooth series agree,
noise and series with too few samples do not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.assemble import assemble
from linkwork.analysis.columns import columns_of
from linkwork.analysis.common import as_model
from linkwork.analysis.doors import given_state
from linkwork.analysis.kinematics import followed
from linkwork.analysis.named import position_named
from linkwork.analysis.rank import analyse, independent_measures
from linkwork.analysis.splines import FEWEST, fine_and_coarse
from linkwork.compiled.names import unit_in
from linkwork.errors import DescriptionError, message, plural, warnings_are
from linkwork.result.result import Result
from linkwork.units import convert, si

ITEM = "motion"


def follow(model, table: Any, **options) -> tuple[Result, dict[str, Any]]:
    """The motion of a table, with drivers that follow it in place of all others, and the error of its splines."""
    t, columns = columns_of(table, ITEM, "a Result")
    if len(t) < FEWEST:
        raise DescriptionError(message(ITEM, "has too few samples for a spline", len(t), f"at least {FEWEST}"))
    mechanism = model.mechanism
    names, series = list(columns), {}
    for name in names:
        position_named(mechanism, name, ITEM, "positions, whose rates the spline gives")
        series[name] = _in_si(mechanism, name, *columns[name])
    _all_freedoms(mechanism, names, {name: float(one[0]) for name, one in series.items()}, options)
    tracks, recorded = [], {}
    for name, values in series.items():
        rates, accelerations, error = splined(t, values)
        tracks.append((t, values, rates, accelerations))
        recorded[name] = {"acceleration_error": error, "largest_acceleration": float(np.abs(accelerations).max())}
    driven = as_model(mechanism.actuated(names, tracks))
    if given_state(options["start"], "start") is None:  # angles begin in the turn that the table says
        options["start"] = {**(options["start"] or {}), **{name: float(one[0]) for name, one in series.items()}}
    return followed(driven, t, **options), {"recorded": recorded}


def splined(t: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Rates and accelerations at the times, and how far accelerations may be off."""
    fine, coarse = fine_and_coarse(t, values)
    accelerations = fine.derivative(2)(t)
    inside = t[t <= t[::2][-1]]
    off = np.abs(accelerations[: len(inside)] - coarse.derivative(2)(inside)).max()
    return fine.derivative(1)(t), accelerations, float(off)


def _all_freedoms(mechanism, names, first, options) -> None:
    """Refuse a table that leaves a freedom, or gives more than there are."""
    choice = {key: options.get(key) for key in ("start", "near", "coordinates")}
    with warnings_are("told already"):  # the motion itself will say it
        free = assemble(as_model(mechanism.actuated([])), **choice).state
    freedom = analyse(free.system(held=False), free.t, free.y).freedom
    if len(names) > freedom:
        raise DescriptionError(
            message(
                ITEM,
                f"gives {len(names)} series for {plural(freedom, 'freedom')}, which recorded numbers never fit",
                ", ".join(names),
                "one series for every freedom",
                "leave out those that follow from the others",
            )
        )
    held = as_model(mechanism.actuated(names, [([0.0], [one], [0.0], [0.0]) for one in first.values()]))
    with warnings_are("told already"):
        state = assemble(held, **choice).state
    left = analyse(state.system(held=False), state.t, state.y).freedom
    if left:
        missing, _ = independent_measures(state.system(), state.t, state.y)
        raise DescriptionError(
            message(
                ITEM,
                f"gives {len(names)} series for {plural(freedom, 'freedom')}, and leaves {left} of them open",
                ", ".join(names),
                f"also {', '.join(missing[:3])}" if missing else "a series for every freedom",
            )
        )


def _in_si(mechanism, name: str, values: np.ndarray, unit: str) -> np.ndarray:
    wanted = unit_in(mechanism, name)
    if not unit or unit == wanted:
        return values
    convert(1.0, wanted, unit, f"{ITEM} '{name}'")  # refuses what is another kind of unit
    return values * si(f"1 {unit}", wanted, ITEM, f"'{name}'")
