"""From a state of the bodies into a set of coordinates."""

from __future__ import annotations

from linkwork.analysis.rank import analyse
from linkwork.coordinates import get_system


def enter(model, coordinates: str, state):
    """The system that goes on from a state, its state vector, and its smallest pivot where nothing is singular.

    Which rows are dropped as redundant is a matter of the set, because the joints of a tree cannot be; what was found
    is kept with the state.
    """
    if coordinates == "body":
        return get_system("body")(model, state.values, state.held, state.memory), state.y.copy(), state.pivot
    if coordinates not in state.entered:
        system = get_system(coordinates)(model, state.values, None, state.memory)
        y = system.from_body(state.y)
        pivot = 1.0
        if system.n_rows:
            rank = analyse(system, state.t, y)
            system.held[:] = 1.0
            system.held[list(rank.dropped)] = 0.0
            system.memory[:] = state.memory
            pivot = rank.pivot
        state.entered[coordinates] = (y, system.all_held, pivot)
    y, held, pivot = state.entered[coordinates]
    return get_system(coordinates)(model, state.values, held, state.memory), y.copy(), pivot
