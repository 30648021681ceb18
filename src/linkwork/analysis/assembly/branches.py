"""Other ways to assemble a mechanism: mirror images, and loops folded the other way."""

from __future__ import annotations

import numpy as np

from linkwork.analysis.assembly.fits import flipped
from linkwork.analysis.assembly.newton import TOLERANCE, newton, use_metric
from linkwork.analysis.assembly.positions import ATTEMPTS
from linkwork.analysis.assembly.trials import same_position, shaken
from linkwork.analysis.assembly.turns import let_turn, turns_of
from linkwork.analysis.assembly.weights import metric_of
from linkwork.analysis.common import start_rows
from linkwork.analysis.entering import enter
from linkwork.analysis.rank import independent_measures
from linkwork.compiled.graph import count_loops
from linkwork.compiled.names import positions
from linkwork.coordinates import ALONG_JOINTS
from linkwork.coordinates.body import System
from linkwork.errors import AssemblyError
from linkwork.result.state import State


def other_branches(model, start, state, complete) -> list[State]:
    """Other ways to assemble with the same start values and, where these leave freedom, the same coordinates.

    The coordinates that are moved most independently by the freedom are held where they are; Newton then starts from
    positions with joints, or bodies, turned by large angles.  `complete` makes a state of a position and its memory, as
    for the first way: velocities, and values held as assembled, are those of the position.
    """
    mechanism, t = model.mechanism, state.t
    if count_loops([body.name for body in model.bodies], model.edges) == 0:
        return []
    places = positions(mechanism, start)

    def holding(values):
        extended = model.plan(rows=start_rows(mechanism, values))
        held = np.concatenate([state.values, [row.value for row in extended.rows[len(model.rows) :]]])
        return System(extended, held)

    chosen, freedom = independent_measures(holding(places), t, state.y)
    for name in chosen:
        places.setdefault(name, state[name])
    idle = len(chosen) < freedom  # some bodies turn without any reading: their turning tells nothing
    moving = holding(places)
    extended = moving.plan
    use_metric(moving, metric_of(model))
    moving.held[:] = extended.positional
    let_turn(moving, t, state.y, turns_of(mechanism, start))
    memory = model.plan().memory_for(extended, state.memory)
    found = [state.y[: model.n_q]]
    others = []
    for attempt in range(1, max(ATTEMPTS, min(4 * ATTEMPTS, 400 // len(model.bodies)))):
        moving.memory[:] = memory
        y, error = newton(
            moving,
            t,
            _shaken_along_joints(model, state, attempt) if attempt % 2 else shaken(model, state.y, attempt, np.pi),
        )
        if (
            error <= TOLERANCE
            and not flipped(model, y)
            and not any(same_position(model, y, other, idle) for other in found)
        ):
            found.append(y[: model.n_q])
            try:
                others.append(complete(y, extended.memory_for(model.plan(), moving.memory)))
            except AssemblyError:  # the joints are met, the start rates cannot be
                continue
    return others


def _shaken_along_joints(model, state, attempt):
    """The bodies after every joint of the tree has moved by an amount of its own: only the loops are open then."""
    system, y, _ = enter(model, ALONG_JOINTS, state)
    system.shake(y, attempt)
    return system.to_body(y)
