"""Everything at one state, taken as it is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from linkwork.analysis.assemble import assemble
from linkwork.analysis.assembly.placement import place
from linkwork.analysis.assembly.turns import turns_as_given, turns_of
from linkwork.analysis.common import model_in, named_values, put, raise_status, without_law_states
from linkwork.analysis.doors import given_state, references, taken
from linkwork.analysis.entering import can_hold, refuse_idle, unchanged
from linkwork.analysis.options import TIME, Basis, Coordinates, Time, Values
from linkwork.analysis.rank import dependencies_here
from linkwork.arguments import explained
from linkwork.compiled.model import Model
from linkwork.compiled.names import body_coordinates, measure_of, split
from linkwork.coordinates import BASE, definite, system_of
from linkwork.coordinates.body import System
from linkwork.errors import RunQualityWarning, UnknownNameError, message, warn
from linkwork.kernels import layout as at
from linkwork.result.evaluation import Evaluation
from linkwork.result.state import State

#: singular values of the rows below this part of the largest: they are dependent
DEPENDENT = 1e-10
#: what rows may want accelerations to change by, against the largest of them
WELL_KNOWN = 1e-6


@explained
def evaluate(
    mechanism: Any,
    state: Values | State | None = None,
    *,
    t: Time | None = None,
    coordinates: Coordinates = "auto",
    basis: Basis | None = None,
) -> Evaluation:
    """Values, violations, Jacobian, forces, accelerations, reactions and energies of `mechanism` at one state, by name.

    `state` is a `State` (also an assembly or an evaluation), a mapping of body coordinates and rates to numbers
    (`{"crank.angle": 1.0, "crank.angle.rate": 2.0}`), or None for the declared positions and velocities.  Nothing is
    corrected: a state that violates the constraints is evaluated as it is, in every set of coordinates, and the first
    line of `print` names what is violated.  `basis` as in `simulate`.  With `coordinates="joint"` a mapping may give
    joint coordinates; the joints of the tree are then closed.  A mapping with other names (`{"A.angle": 0.3}`) is taken
    as start values of an assembly, and the state that it gives is evaluated.

    Units: t [s].

    >>> m = lw.Mechanism()
    >>> _ = m.add("ball", lw.Particle(2.0))
    >>> lw.evaluate(m, {"ball.y": 3.0})["ball.y.acceleration"]
    -9.81
    """
    model = model_in(mechanism, coordinates, basis)
    coordinates = definite(coordinates)
    given = given_state(state, "state")
    if given is not None:
        return _evaluated(taken(model, given, t, switched=True), coordinates)
    state, of_laws = without_law_states(model, state)
    values = named_values(state, "state", model.mechanism)
    own = list(model.plan(coordinates).layout.own_names)
    known = body_coordinates(model.mechanism)
    for name in values:
        if split(name)[0] not in own or split(name)[1] == 2:
            _must_be_known(model.mechanism, name, own + known, coordinates)
    t = 0.0 if t is None else TIME.read(t, "evaluate", "t")
    others = [name for name in values if split(name)[0] not in (*known, *own)]
    if others:
        found = assemble(model, start=values, t=t, coordinates=coordinates).state
        return _evaluated(
            replace(found, y=put(found.y, of_laws)),
            coordinates,
            (
                f"assembled with start values, as {', '.join(others)} "
                f"{'are' if len(others) > 1 else 'is'} no coordinate of a body",
            ),
        )
    declared = _given(model, values, t, coordinates)
    return _evaluated(replace(declared, y=put(declared.y, of_laws)), coordinates, _placed(model.mechanism, values))


def _must_be_known(mechanism: Any, name: str, known: list[str], coordinates: str) -> None:
    """Refuse names of nothing, and accelerations, which a state does not have."""
    try:
        order = measure_of(mechanism, name)[1]
    except UnknownNameError:
        order = 2
    if order == 2:
        raise UnknownNameError(f"{coordinates} coordinate", name, known, f"in mechanism '{mechanism.name}'")


def _evaluated(state: State, coordinates: str, notes: tuple[str, ...] = ()) -> Evaluation:
    """The evaluation of a state as it is given; what a set cannot hold is left to the equations of the bodies."""
    from linkwork.kernels.equations import SINGULAR  # kernels are loaded by who uses them

    if not can_hold(state, coordinates):
        notes += (f"open where {coordinates} coordinates are closed: by the equations of body coordinates",)
        coordinates = BASE
    refuse_idle(state.model, coordinates, state)
    system, y = unchanged(state, coordinates)
    system.derivative(state.t, y)
    if system.w[at.STATUS] != at.OK:
        raise_status(system, state.t)
    found = Evaluation(state, coordinates, notes)
    if system.w[at.PIVOT] < SINGULAR:
        _look_at_accelerations(found)
    return found


def _look_at_accelerations(found: Evaluation) -> None:
    """Warn where rows that are nearly dependent leave accelerations open that meet them: J da = gamma - J a."""
    J, a = found.jacobian, found.accelerations
    if not J.size:
        return
    model = found.state.model
    kept = model.existing
    units = np.where(np.arange(model.n_v) % model.dof < model.dimension, 1.0, 1.0 / model.length)[kept]
    u, sizes, v = np.linalg.svd(J * units, full_matrices=False)
    told = sizes > DEPENDENT * sizes[0]  # what is dependent asks for nothing
    missing = v[told].T @ ((u.T @ (found.acceleration_rhs - J @ a))[told] / sizes[told])
    off = float(np.abs(missing).max(initial=0.0) / max(np.abs(a / units).max(initial=0.0), 1e-300))
    if off > WELL_KNOWN:
        how = f"by {off:.1g} of the largest" if off < 1.0 else "by as much as they are, or more"
        warn(
            message(
                f"Mechanism '{model.mechanism.name}'",
                f"is so near to a singular position here that accelerations and reactions may be off {how}",
                remedy="evaluate it a little further away; check() tells what is singular",
            ),
            RunQualityWarning,
        )


def _placed(mechanism: Any, values: Mapping[str, float]) -> tuple[str, ...]:
    """Which bodies have no declared pose, and so were placed along joints."""
    names = [
        name
        for name, body in mechanism.bodies.items()
        if body.position is None and not any(f"{name}.{axis}" in values for axis in "xyz")
    ]
    return (f"placed along the joints, as no position is declared: {', '.join(names)}",) if names else ()


def _given(model: Model, values: dict[str, float], t: float, coordinates: str) -> State:
    """The declared state with named coordinates put in; rows "as assembled" take the values that they have here."""
    poses, twists = place(model, values, upright=True)
    system = System(model.plan())
    y = system.pack(poses, twists)
    names = model.plan(coordinates).layout.own_names
    own = {split(name): value for name, value in values.items() if split(name)[0] in names}
    if own:
        y = _with_own(system_of(model, coordinates, references(system, t, y)), y, own)
    said = turns_as_given(system, t, y, turns_of(model.mechanism, values))
    values_here = references(system, t, y)
    return State(
        float(t),
        y,
        system.memory.copy(),
        np.ones(len(model.rows)),
        values_here,
        1.0,
        dependencies_here(system),
        model,
        said,
    )


def _with_own(system: Any, y: np.ndarray, values: dict[tuple[str, int], float]) -> np.ndarray:
    """The state with coordinates of the set as given, and closed what it closes."""
    system.keep_turns(y)
    state = system.from_body(y)
    system.put(state, values)
    found: np.ndarray = system.to_body(state)
    return found
