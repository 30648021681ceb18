"""Forces of elements and applied forces on bodies, by name."""

from __future__ import annotations

import numpy as np

from linkwork.errors import UnknownNameError
from linkwork.kernels import layout as at


def force_measures(model, element: str) -> dict:
    """{quantity: measure} of the forces of an element, and of the moments that follow from them."""
    along = list(dict.fromkeys(one for law in model.laws_of.get(element, ()) for one in law.part.along))
    if not along and element in model.mechanism.forces:  # no number of it makes a force
        along = list(model.mechanism.forces[element].acts_along())
    own = model.mechanism.forces[element].force_names() if element in model.mechanism.forces else {}
    levers = _levers(model, element)
    within = {one for _, pairs in levers.values() for one, _ in pairs}
    names: dict = {}
    for one in along:
        if one in within:
            continue
        if one in own:
            key = own[one]
        elif len(along) == 1:
            key = "torque" if one.quantity == "angle" else "force"
        elif one.is_turn:
            key = "moment"
        else:
            key = f"force.{getattr(one, 'axis', type(one).__name__.lower())}"
        names[key if key not in names else f"{key}.{len(names)}"] = one
    return names | {key: one for key, (one, pairs) in levers.items() if any(turn in along for turn, _ in pairs)}


def _levers(model, element: str) -> dict:
    """Moments that follow from forces of laws, as `Force.levers` gives them."""
    return model.mechanism.forces[element].levers() if element in model.mechanism.forces else {}


def element_quantities(model, element: str) -> dict[str, str]:
    """What can be asked of a force element apart from its measures, and its unit."""
    names = force_measures(model, element)
    turning = ("moment", "torque")  # a moment may act along a measure of another kind, such as an alignment
    found = {key: "N m" if one.quantity == "angle" or key.startswith(turning) else "N" for key, one in names.items()}
    if "force" in names and names["force"].of_line == "length":
        found["tension"] = "N"
    return {**found, "power": "W"} if names else {}


def element_series(series, element: str, quantity: str) -> np.ndarray:
    """One quantity of a force element over time."""
    model = series.model
    out = series.section(at.W_OUT)
    names = force_measures(model, element)
    if quantity == "power":
        total = np.zeros(len(series.t))
        for law in model.laws_of.get(element, ()):
            for k, rate in enumerate(series.measures(law.part.along, 1)):
                total += out[:, law.first_out + k] * rate
        return total
    sign, measure = (-1.0, names["force"]) if quantity == "tension" else (1.0, names[quantity])
    levers = _levers(model, element)
    terms = dict(levers[quantity][1]) if quantity in levers else {measure: None}
    total = np.zeros(len(series.t))
    for law in model.laws_of.get(element, ()):
        for k, one in enumerate(law.part.along):
            if one in terms:
                lever = terms[one]
                total += sign * out[:, law.first_out + k] * (1.0 if lever is None else series.measure(lever))
    return total


def applied_force(series, body: str) -> np.ndarray:
    """(times, dof) applied force and moment about the mass centre; in space the moment is in axes of the body."""
    model = series.model
    if body not in list(model.mechanism.bodies):
        raise UnknownNameError("body", body, list(model.mechanism.bodies), f"in mechanism '{model.mechanism.name}'")
    k = model.body_index[body] + 1
    total = series.pick(series.plan.places(at.W_APPLIED)[k])
    if model.dimension == 3:  # the kernel adds the gyroscopic moment -w x (J w) to it, which nobody applies
        info = model.bodies[k - 1]
        spin = series.bodies.of(k - 1)[1][:, 3:]
        total[:, 3:] += np.cross(spin, spin * info.inertia)
        total[:, 3:] = total[:, 3:] @ info.rotation.T
    return total
