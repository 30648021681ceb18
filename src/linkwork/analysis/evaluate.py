"""Everything at one state, taken as it is given."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.analysis.common import as_model, named_values, raise_status
from linkwork.analysis.entering import as_given, carried_over, enter
from linkwork.analysis.options import TIME, Coordinates, Time, Values
from linkwork.analysis.placement import place
from linkwork.analysis.rank import dependencies_here
from linkwork.compiled.names import body_coordinates, split
from linkwork.coordinates import definite, get_system
from linkwork.coordinates.body import System
from linkwork.errors import UnknownNameError
from linkwork.kernels import layout as at
from linkwork.result.evaluation import Evaluation
from linkwork.result.state import State


def evaluate(mechanism: Any, state: Values | State | None = None, *, t: Time = 0.0,
             coordinates: Coordinates = "auto") -> Evaluation:
    """Values, violations, Jacobian, forces, accelerations, reactions and energies at one state, by name.

    `state` is a `State`, a mapping of body coordinates and rates to numbers (`{"crank.angle": 1.0,
    "crank.angle.rate": 2.0}`), or None for the declared positions and velocities.  Nothing is corrected: a state that
    violates the constraints is evaluated as it is.
    """
    model = as_model(mechanism)
    coordinates = definite(coordinates)
    if not isinstance(state, State):
        state = _given(model, named_values(state, "state", model.mechanism), TIME.read(t, "evaluate", "t"), coordinates)
        if coordinates != "body":  # as given: no row is dropped
            joint = get_system(coordinates)(model, state.values, state.held, state.memory)
            joint.keep_turns(state.y)
            state.entered[coordinates] = as_given(joint, state)
    elif state.model is not model:
        state = carried_over(model, state)
    system, y, _ = enter(model, coordinates, state)
    system.derivative(state.t, y)
    if system.w[at.STATUS] != at.OK:
        raise_status(system, state.t)
    return Evaluation(state, coordinates)


def _given(model, values, t, coordinates) -> State:
    """The declared state with named coordinates put in; rows "as assembled" take the values that they have here."""
    known = body_coordinates(model.mechanism)
    own = [] if coordinates == "body" else [one.name for one in model.in_joints.tree.coordinates]
    for name in values:
        base, order = split(name)
        if base not in (*known, *own) or order == 2:
            raise UnknownNameError(f"{coordinates} coordinate", name, own + known,
                                   f"in mechanism '{model.mechanism.name}'")
    poses, twists = place(model.mechanism, values)
    system = System(model)
    y = system.pack(poses, twists)
    if coordinates != "body":
        y = _in_joints(model, system, t, y, {name: value for name, value in values.items() if split(name)[0] in own})
    references = _references(model, system, t, y)
    return State(float(t), y, np.zeros(system.memory_size), np.ones(len(model.rows)), references, 1.0,
                 dependencies_here(system), model)


def _references(model, system, t, y) -> np.ndarray:
    """Values of the rows; those that are held as assembled take what they have here."""
    system.locate(t, y)
    values = system.row_values.copy()
    for r, row in enumerate(model.rows):
        if row.value is None:
            offset = system.w[model.size(at.W_FUNCTION) + 3 * row.function] if row.function >= 0 else 0.0
            values[r] = system.measure_values(row.measure)[0] - offset
    return values


def _in_joints(model, system, t, y, values) -> np.ndarray:
    """The state with the joints of the tree closed and joint coordinates as given."""
    joint = get_system("joint")(model, _references(model, system, t, y))
    state = joint.from_body(y)
    names = [one.name for one in joint.tree.coordinates]
    for name, value in values.items():
        base, order = split(name)
        k = names.index(base)
        place_of = next(link.first_q for link in joint.tree.links[1:] if link.first_v == k and link.kind != at.RIGID)
        state[place_of if order == 0 else joint.model.n_q + k] = value
    return joint.to_body(state)
