"""Mass centre and momenta of all bodies together."""

from __future__ import annotations

import numpy as np

from linkwork.compiled.names import split
from linkwork.errors import UnknownNameError
from linkwork.result.orientation import angular_momentum


def total(series, name: str, quantity: str, known: list[str]) -> np.ndarray:
    """Mass centre or momentum of the whole mechanism over time."""
    base, order = split(quantity)
    model, states = series.model, series.states
    d, dof = model.dimension, model.dof
    size = model.n_q // max(1, len(model.bodies))
    masses = np.array([body.mass for body in model.bodies])
    where = states[:, :model.n_q].reshape(len(series.t), -1, size)[:, :, :d]
    speed = states[:, model.n_q:model.n_q + model.n_v].reshape(len(series.t), -1, dof)
    parts = base.split(".")
    if parts[0] == "center" and len(parts) == 2 and parts[1] in "xyz"[:d]:
        change = series.accelerations.reshape(len(series.t), -1, dof)
        source = (where, speed, change)[order][:, :, "xyz".index(parts[1])]
        return source @ masses / masses.sum()
    if parts[0] == "momentum" and len(parts) == 2 and parts[1] in "xyz"[:d] and order == 0:
        return speed[:, :, "xyz".index(parts[1])] @ masses
    if base == "angular_momentum" and d == 2 and order == 0:
        inertia = np.array([body.inertia[0] for body in model.bodies])
        orbit = where[:, :, 0] * speed[:, :, 1] - where[:, :, 1] * speed[:, :, 0]
        return orbit @ masses + speed[:, :, 2] @ inertia
    if parts[0] == "angular_momentum" and d == 3 and len(parts) == 2 and parts[1] in "xyz" and order == 0:
        return angular_momentum(model, states)[:, "xyz".index(parts[1])]
    raise UnknownNameError("quantity", name, [n for n in known if n.startswith("system.")])
