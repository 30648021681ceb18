"""Everything at one state, taken as it is given."""

from __future__ import annotations

import numpy as np

from linkwork.analysis.common import as_model, named_values, raise_status, seconds
from linkwork.analysis.placement import place
from linkwork.analysis.rank import dependencies_here
from linkwork.compiled.names import body_coordinates, split
from linkwork.coordinates import get_system
from linkwork.errors import UnknownNameError
from linkwork.kernels import layout as at
from linkwork.result.evaluation import Evaluation
from linkwork.result.state import State


def evaluate(mechanism, state=None, *, t: float = 0.0, coordinates: str = "body") -> Evaluation:
    """Values, violations, Jacobian, forces, accelerations, reactions and energies at one state, by name.

    `state` is a `State`, a mapping of body coordinates and rates to numbers (`{"crank.angle": 1.0,
    "crank.angle.rate": 2.0}`), or None for the declared positions and velocities.  Nothing is corrected: a state that
    violates the constraints is evaluated as it is.
    """
    model = as_model(mechanism)
    if not isinstance(state, State):
        state = _given(model, named_values(state, "state", model.mechanism), seconds(t, "evaluate", "t"), coordinates)
    system = get_system(coordinates)(model, state.values, state.held, state.memory)
    system.derivative(state.t, state.y)
    if system.w[at.STATUS] != at.OK:
        raise_status(system, state.t)
    return Evaluation(state, coordinates)


def _given(model, values, t, coordinates) -> State:
    """The declared state with named coordinates put in; rows "as assembled" take the values that they have here."""
    known = body_coordinates(model.mechanism)
    for name in values:
        base, order = split(name)
        if base not in known or order == 2:
            raise UnknownNameError("body coordinate", name, known, f"in mechanism '{model.mechanism.name}'")
    poses, twists = place(model.mechanism, values)
    system = get_system(coordinates)(model)
    y = system.pack(poses, twists)
    system.locate(t, y)
    references = system.row_values.copy()
    for r, row in enumerate(model.rows):
        if row.value is None:
            offset = system.w[model.size(at.W_FUNCTION) + 3 * row.function] if row.function >= 0 else 0.0
            references[r] = system.measure_values(row.measure)[0] - offset
    return State(float(t), y, np.zeros(system.memory_size), np.ones(len(model.rows)), references, 1.0,
                 dependencies_here(system), model)
