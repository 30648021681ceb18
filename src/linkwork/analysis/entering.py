"""From a state of the bodies into a set of coordinates."""

from __future__ import annotations

from linkwork.analysis.rank import analyse
from linkwork.coordinates import definite, get_system
from linkwork.coordinates.choice import choose
from linkwork.kernels import layout as at
from linkwork.result.state import Entry


def pick(model, coordinates: str, state) -> str:
    """The set that a run goes in: the one asked for, or with "auto" the one that costs less and can carry the model."""
    if coordinates != "auto":
        return definite(coordinates)
    if "auto" not in state.entered:
        found = choose(model)
        if found == "joint" and any(_bare(body) for body in model.bodies):
            system, y, _ = enter(model, found, state)
            system.derivative(state.t, y)
            found = "body" if system.w[at.STATUS] == at.NO_INERTIA else found
        state.entered["auto"] = found
    return state.entered["auto"]


def _bare(body) -> bool:
    """A body without mass, or without inertia somewhere."""
    return body.mass <= 0.0 or (body.has_angle and body.inertia.min() <= 0.0)


def enter(model, coordinates: str, state):
    """The system that goes on from a state, its state vector, and its smallest pivot where nothing is singular.

    What a set makes of a state is kept with it: a run that is prepared begins with copies.
    """
    known = state.entered.get(coordinates)
    if known is None or known.system.base is not model:
        known = state.entered[coordinates] = _entry(model, coordinates, state)
    return known.system.fresh(), known.y.copy(), known.pivot


def _entry(model, coordinates: str, state) -> Entry:
    """Which rows are dropped as redundant is a matter of the set, because the joints of a tree cannot be."""
    if coordinates == "body":
        return Entry(get_system("body")(model, state.values, state.held, state.memory), state.y, state.pivot)
    system = get_system(coordinates)(model, state.values, None, state.memory)
    system.keep_turns(state.y)
    y, pivot = system.from_body(state.y), 1.0
    if system.n_rows:
        rank = analyse(system, state.t, y)
        system.held[:] = 1.0
        system.held[list(rank.dropped)] = 0.0
        system.memory[:] = state.memory
        pivot = rank.pivot
    return Entry(system, y, pivot)
