"""What questions about rest share: where to begin, what must not move, what is free, and quantities that are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assemble
from linkwork.analysis.common import as_model
from linkwork.analysis.doors import admitted, given_state, nothing_to_choose
from linkwork.analysis.free_motion import FreeMotion
from linkwork.analysis.named import candidates, named_gradients, position_named, usual_sizes
from linkwork.analysis.options import TIME
from linkwork.analysis.rank import analyse, chosen_names, null_space, scaled_rows
from linkwork.compiled.names import start_of
from linkwork.errors import AnalysisError, DescriptionError, message
from linkwork.result.state import State

AT_REST = 1e-6  # speeds, and accelerations against those that forces cause, below which a state is one of rest


def begun(model, item: str, start: Any, near: Any, t: Any, coordinates: str) -> State:
    """Where a search begins: an assembly with start values and near others, or a given state."""
    given = given_state(start, "start")
    if given is not None:
        nothing_to_choose(near=near)
        return admitted(model, given, t)
    at = 0.0 if t is None else TIME.read(t, item, "t")
    return assemble(model, start=start, near=near, t=at, coordinates=coordinates).state


def at_rest(state: State) -> State:
    """The same position without speeds."""
    y, model = state.y.copy(), state.model
    y[model.n_q : model.n_q + model.n_v] = 0.0
    return replace(state, y=y)


def refuse_drivers(model, system, t: float, y: np.ndarray) -> None:
    """Raise for drivers that move, or accelerate, at a position without speeds."""
    system.locate(t, y)
    speeds = system.nu.copy()
    system.derivative(t, y)
    for asked, what in ((speeds, "a speed"), (system.gamma, "an acceleration")):
        asked = np.abs(asked * system.held)
        if asked.max(initial=0.0) > AT_REST:
            row = system.plan.rows[int(asked.argmax())]
            raise AnalysisError(
                message(
                    f"Mechanism '{model.mechanism.name}'",
                    f"is moved by '{row.item}' at t = {t:g} s",
                    f"{what} of {asked.max():.3g}",
                    "drivers at rest",
                    "hold it at a value; m.steady() is for drivers of constant speed",
                )
            )


def refuse_speeds(model, given: State) -> None:
    """Raise for a state that moves."""
    n_q, n_v = model.n_q, model.n_v
    speed = np.abs(given.y[n_q : n_q + n_v]).max(initial=0.0)
    if speed > AT_REST:
        raise AnalysisError(
            message(
                f"Mechanism '{model.mechanism.name}'",
                "moves in this state",
                f"speeds up to {speed:.3g}",
                "a state of rest",
                "mechanism.equilibrium() finds one",
            )
        )


def freedom_of(state: State) -> int:
    """How many speeds are free."""
    return analyse(state.system(), state.t, state.y).freedom


def free_names(state: State) -> list[str]:
    """Names of quantities whose speeds are free and independent; there may be fewer than the freedom."""
    system, model = state.system(), state.model
    system.locate(state.t, state.y)
    columns = system.columns
    free = null_space(scaled_rows(system, list(range(system.n_rows)), columns))
    known = candidates(state)
    rates = named_gradients(state, known)[:, columns] * system.weights[columns] @ free
    return chosen_names(known, rates / usual_sizes(state, known, model.length)[:, None])


def holding(model, state: State, names: Sequence[str], item: str) -> State:
    """The state, at rest, in a copy of its mechanism in which drivers hold quantities where they are.

    Each of them must be free: the freedom is less by one for each.
    """
    state = at_rest(state)
    for name in names:
        position_named(model.mechanism, name, item)
    before = freedom_of(state)
    found = _held(model, state, names)
    if names and before - freedom_of(found) < len(names):
        counts = [freedom_of(_held(model, state, names[: k + 1])) for k in range(len(names))]
        idle = next(k for k, count in enumerate(counts) if before - count < k + 1)
        raise DescriptionError(
            message(
                f"{item} '{names[idle]}'",
                "holds what joints, drivers or other held quantities hold already",
                f"{len(names)} held, with a freedom of {before}",
                f"some of {', '.join(free_names(state))}" if before else "nothing held",
            )
        )
    return found


def _held(model, state: State, names: Sequence[str]) -> State:
    asked = {name: start_of(model.mechanism, name, float(state[name])) for name in names}
    values = {name: (value, 0.0) for name, (_, _, value) in asked.items()}
    measures = {name: measure for name, (measure, _, _) in asked.items()}
    held = as_model(model.mechanism.driven(values, measures=measures))
    return admitted(held, state, None, tell=False)


def rest_of(model, item: str, state: Any, start: Any, near: Any, t: Any, coordinates: str) -> FreeMotion:
    """How a mechanism can move from a state of rest: a given one, or the equilibrium found from `start` and `near`."""
    if state is None:
        from linkwork.analysis.equilibrium import equilibrium

        given = equilibrium(model, start=start, near=near, t=t, coordinates=coordinates).state
    else:
        nothing_to_choose(start=start, near=near)
        found = given_state(getattr(state, "state", state), "state")
        if found is None:
            raise DescriptionError(
                message(
                    item, "needs a state", repr(state)[:60], "a State, an assembly or an equilibrium", "m.equilibrium()"
                )
            )
        given = found
    free = FreeMotion(model, admitted(model, given, t), coordinates)
    refuse_drivers(model, free.system, free.t, free.y)
    refuse_speeds(given.model, given)
    return free
