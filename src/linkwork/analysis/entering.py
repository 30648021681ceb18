"""From a state of the bodies into a set of coordinates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwork.analysis.rank import analyse
from linkwork.coordinates import definite, get_system
from linkwork.coordinates.body import pack, unpack
from linkwork.coordinates.choice import choose
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.result.state import Entry, State


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


def entry(model, coordinates: str, state) -> Entry:
    """What a set makes of a state; kept with the state, so that a prepared run begins with copies."""
    known = state.entered.get(coordinates)
    if known is None or known.system.base is not model:
        known = state.entered[coordinates] = _entry(model, coordinates, state)
    return known


def enter(model, coordinates: str, state):
    """The system that goes on from a state, its state vector, and its smallest pivot where nothing is singular."""
    known = entry(model, coordinates, state)
    return known.system.fresh(), known.y.copy(), known.pivot


def _entry(model, coordinates: str, state) -> Entry:
    """Which rows are dropped as redundant is a matter of the set, because the joints of a tree cannot be."""
    if coordinates == "body":
        return as_given(get_system("body")(model, state.values, state.held, state.memory), state)
    system = get_system(coordinates)(model, state.values, None, state.memory)
    system.keep_turns(state.y)
    if not system.n_rows:
        return as_given(system, state)
    y = system.from_body(state.y, state.memory)
    rank = analyse(system, state.t, y)
    system.held[:] = 1.0
    system.held[list(rank.dropped)] = 0.0
    system.memory[:] = state.memory
    return Entry(system, y, rank.pivot, system.all_held, _energy_scale(model, state.y))


def as_given(system, state) -> Entry:
    """A state entered without looking for rows to drop."""
    pivot = state.pivot if system.n_rows else 1.0
    y = system.from_body(state.y, state.memory)
    return Entry(system, y, pivot, system.all_held, _energy_scale(system.base, state.y))


def _energy_scale(model, y) -> float:
    """What counts as much energy: that of the motion at the start, and of the weights over a length."""
    mass, weight = model.masses_and_weights
    v = y[model.n_q:model.n_q + model.n_v]
    return float(0.5 * (mass * v) @ v + weight * model.length) + 1e-30


def carried_over(model, state: State) -> State:
    """A state of another model in this one: where the frames of the bodies are, and how they move."""
    for what, ours, theirs in (("bodies", [body.name for body in model.bodies], [b.name for b in state.model.bodies]),
                               ("rows", [row.name for row in model.rows], [row.name for row in state.model.rows])):
        if ours != theirs:
            missing = [name for name in theirs if name not in ours] or [name for name in ours if name not in theirs]
            raise DescriptionError(message("start state", f"belongs to another mechanism: its {what} are others",
                                           ", ".join(missing[:4]) or "another order",
                                           remedy="give start values by name, or the state of this mechanism"))
    alike = all(np.array_equal(one.center, other.center) and np.array_equal(one.rotation, other.rotation)
                for one, other in zip(model.bodies, state.model.bodies))
    y = pack(model, *unpack(state.model, state.y))
    if alike:  # not even rounding
        y[:model.n_q + model.n_v] = state.y[:model.n_q + model.n_v]
    if model.work_names == state.model.work_names:
        y[model.n_q + model.n_v:] = state.y[model.n_q + model.n_v:]
    memory = state.memory if state.memory.size == model.size(at.N_MEMORY) else np.zeros(model.size(at.N_MEMORY))
    return replace(state, y=y, memory=memory, model=model)
