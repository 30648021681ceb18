"""Stops that a run begins behind, a full turn away from where they would let it be."""

from __future__ import annotations

import math
from typing import Any

from linkwork.coordinates.turns import TURN
from linkwork.errors import RunQualityWarning, message, warn
from linkwork.result.state import State


def stops_of_angles(model: Any) -> list[Any]:
    """Laws of stops of angles that store: they read the angle, and their numbers are stiffness, lower and upper limit.

    What damps at a stop is another law of it.
    """
    kept = {name: one.stops() for name, one in model.mechanism.forces.items()}
    angles = {name for name, one in kept.items() if one is not None and one.unit() == "rad"}
    return [one for one in model.laws if one.element in angles and one.part.energy == "stores"]


def tell_stops(state: State) -> None:
    """Say which stops of angles push from the start, where the angle less a full turn is between their limits."""
    stops = stops_of_angles(state.model)
    if not stops:
        return
    system = state.system()
    system.locate(state.t, state.y)
    for one in stops:
        _, lower, upper = one.part.numbers
        value = float(system.measure_values(one.part.reads[0])[0])
        inside = next((value + k * TURN for k in (-1, 1) if lower <= value + k * TURN <= upper), None)
        if not lower <= value <= upper and inside is not None:
            warn(
                message(
                    f"Force '{one.element}'",
                    "is a stop that the run begins behind, a full turn away from where it would not act",
                    f"{math.degrees(value):.6g} deg",
                    f"{math.degrees(inside):.6g} deg",
                    "give the angle in that turn (start={'A.angle': ...}), or limits a turn away",
                ),
                RunQualityWarning,
            )
