"""From a state of the bodies into a set of coordinates."""

from __future__ import annotations

import numpy as np

from linkwork.analysis.doors import refused_as_stuck
from linkwork.analysis.rank import analyse
from linkwork.compiled.bars import idle_turns
from linkwork.coordinates import ALONG_JOINTS, BASE, definite
from linkwork.coordinates.body import body_weights
from linkwork.coordinates.choice import choose
from linkwork.errors import CompileError, DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.result.state import Entry
from linkwork.result.violation import TOLD
from linkwork.rotation import difference

#: accelerations that are lost by more than this in joint coordinates are left to those of the bodies
MOST_LOST = 1e-8


def pick(model, coordinates: str, state, stiff: bool = False) -> str:
    """The set that a run goes in: the one asked for, or with "auto" the one that costs less and can carry the model."""
    refuse_idle(model, coordinates, state)
    if coordinates != "auto":
        refuse_lost_digits(model, definite(coordinates), state)
        return coordinates
    kept = state.entered
    if "auto" not in kept:
        found = choose(model, state.free)
        kept["auto"] = found if _carries(model, found, state) else BASE
    return along_joints(model, kept["auto"], state) if stiff else kept["auto"]


def along_joints(model, found: str, state) -> str:
    """The set that a stiff run goes in, where that is left open: along joints, if that takes rows away."""
    plans = [model.plan(one, free=state.free) for one in (found, ALONG_JOINTS)]
    if len(plans[1].rows) >= len(plans[0].rows) or len(idle_turns(model, state.free)):
        return found
    return ALONG_JOINTS if _carries(model, ALONG_JOINTS, state) else found


def _carries(model, coordinates: str, state) -> bool:
    """Whether there is inertia for all that a set moves, and enough of it to tell light bodies from heavy ones."""
    if _loses_digits(model, coordinates, state) and (_has_light(model) or any(_bare(body) for body in model.bodies)):
        system, y, _ = enter(model, coordinates, state)
        system.derivative(state.t, y)
        if system.w[at.STATUS] == at.NO_INERTIA:
            return False
    return _lost_digits(model, coordinates, state) <= MOST_LOST


def refuse_idle(model, coordinates: str, state) -> None:
    """Bars that turn about themselves without inertia are left to the set that does not let them."""
    idle = idle_turns(model, state.free)
    if len(idle) and len(model.plan(definite(coordinates), free=state.free).layout.idle_turns) < len(idle):
        stuck = [model.coordinate_names[int(np.argmax(np.abs(one)))] for one in idle]
        raise refused_as_stuck(model, stuck, everywhere=False)


def _loses_digits(model, coordinates: str, state) -> bool:
    """Whether a set loses digits where light bodies carry heavy ones."""
    return model.plan(coordinates, free=state.free).layout.loses_digits


def _bare(body) -> bool:
    """A body without mass, or without inertia somewhere."""
    return body.mass <= 0.0 or (body.has_angle and body.inertia.min() <= 0.0)


def _has_light(model) -> bool:
    """Whether there is a body that is light beside others."""
    return model.plan().least < at.LITTLE


def refuse_lost_digits(model, coordinates: str, state) -> None:
    """Light bodies that carry heavy ones are left to body coordinates."""
    lost = _lost_digits(model, coordinates, state)
    if lost > MOST_LOST:
        raise CompileError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"has light bodies that carry heavy ones, which {coordinates} coordinates cannot tell apart",
                f"accelerations off by {lost:.1g}",
                f"at most {MOST_LOST:g}",
                "use coordinates='body'",
            )
        )


def _lost_digits(model, coordinates: str, state) -> float:
    """How far accelerations by a recursion are from those of the bodies, where bodies are light beside others.

    A recursion that comes from a heavy body through light ones subtracts what is heavy, and keeps what is light only to
    rounding of that.  Zero where no body is light, and at singular positions, where accelerations say nothing.
    """
    if not _has_light(model) or not _loses_digits(model, coordinates, state):
        return 0.0
    system, y, usual = enter(model, coordinates, state)
    body = state.system()
    system.derivative(state.t, y)
    body.derivative(state.t, state.y)
    if system.w[at.STATUS] != at.OK or body.w[at.STATUS] != at.OK or system.w[at.PIVOT] < 1e-2 * usual:
        return 0.0
    weights, kept = body_weights(model), body.columns
    found, wanted = system.acceleration[kept] / weights[kept], body.acceleration[kept] / weights[kept]
    speeds = state.y[model.n_q : model.n_q + model.n_v][kept] / weights[kept]
    size = max(
        np.abs(wanted).max(initial=0.0),
        np.linalg.norm(model.mechanism.gravity),
        np.abs(speeds).max(initial=0.0) ** 2 / model.length,
    )
    return float(np.abs(found - wanted).max(initial=0.0) / size) if size > 0.0 else 0.0


def entry(model, coordinates: str, state, kept=None) -> Entry:
    """What a set makes of a state; kept with the state, so that a prepared run begins with copies.

    `kept` is `state.entered`, where it was looked at just now.
    """
    kept = state.entered if kept is None else kept
    known = kept.get(coordinates)
    if known is None or known.system.model is not model:
        known = kept[coordinates] = _entry(model, coordinates, state)
    return known


def enter(model, coordinates: str, state):
    """The system that goes on from a state, its state vector, and its smallest pivot where nothing is singular."""
    known = entry(model, coordinates, state)
    return known.system.fresh(), known.y.copy(), known.pivot


def _entry(model, coordinates: str, state) -> Entry:
    """Which rows are dropped as redundant is a matter of the set, because the joints of a tree cannot be."""
    if coordinates == BASE:
        return _as_given(state.system(), state)
    system = state.system(coordinates, held=False)
    system.keep_turns(state.y)
    if not system.n_rows:
        return _as_given(system, state)
    y = system.from_body(state.y, state.memory)
    system.derivative(state.t, y)
    if system.w[at.STATUS] == at.NO_INERTIA:  # nothing can be said about its rows; who goes on from here is told
        return _as_given(system, state)
    rank = analyse(system, state.t, y)
    system.held[:] = 1.0
    system.held[list(rank.dropped)] = 0.0
    system.memory[:] = state.memory
    return Entry(system, y, rank.pivot, system.modes, _energy_scale(model, state.y), bool(rank.dropped))


def _as_given(system, state) -> Entry:
    """A state entered without looking for rows to drop."""
    pivot = state.pivot if system.n_rows else 1.0
    y = system.from_body(state.y, state.memory)
    dropped = bool(np.count_nonzero(system.held) < system.n_rows)
    return Entry(system, y, pivot, system.modes, _energy_scale(system.model, state.y), dropped)


def _energy_scale(model, y) -> float:
    """What counts as much energy at a state of the bodies."""
    v = y[model.n_q : model.n_q + model.n_v]
    return float(energy_scales(model.masses[None], model.weights[None], np.array([model.length]), v[None])[0])


def energy_scales(masses: np.ndarray, weights: np.ndarray, lengths: np.ndarray, speeds: np.ndarray) -> np.ndarray:
    """What counts as much energy, of designs in rows: that of the motion at the start, and of weights over a length.

    Added up one after the other, as `kernels.taking` does it.
    """
    parts = masses * speeds * speeds, np.abs(weights).reshape(len(weights), -1)
    moving, pulled = (np.add.accumulate(one, axis=1)[:, -1:].sum(axis=1) for one in parts)
    scales: np.ndarray = 0.5 * moving + pulled * lengths + 1e-30
    return scales


def unchanged(state, coordinates: str):
    """A system of the set and the state in its coordinates; no rows are dropped but those that the state drops."""
    system = state.system(coordinates)
    system.keep_turns(state.y)
    return system, system.from_body(state.y, state.memory)


def can_hold(state, coordinates: str) -> bool:
    """Whether a state is one of the set: there and back it is the same.  Open joints of a tree are not."""
    if coordinates == BASE:
        return True
    model = state.model
    system, y = unchanged(state, coordinates)
    n_q, n_v = model.n_q, model.n_v
    found, wanted = system.to_body(y), state.y
    off = np.abs(found[: n_q + n_v] - wanted[: n_q + n_v])
    if model.dimension == 3:
        turns, others = (one[:n_q].reshape(-1, 7)[:, 3:] for one in (found, wanted))
        off[:n_q].reshape(-1, 7)[:, 3:] = np.abs(difference(turns, others))
    places, speeds = off[:n_q].max(initial=0.0), off[n_q:].max(initial=0.0)
    return bool(
        places <= TOLD * max(1.0, model.length)
        and speeds <= TOLD * max(1.0, np.abs(wanted[n_q : n_q + n_v]).max(initial=0.0))
    )


def as_it_is(state, coordinates: str) -> str:
    """The set for a run from a state that is not corrected; refuses one that would close its joints."""
    coordinates = definite(coordinates)
    if not can_hold(state, coordinates):
        raise DescriptionError(
            message(
                "start state",
                f"is open where {coordinates} coordinates are closed",
                remedy="use coordinates='body', or leave out correct=False",
            )
        )
    return coordinates
