"""Weights of coordinates: what is heavy moves less when estimates are corrected (Nikravesh 14.3, with weights).

    positions       sum of  w * (way)^2  and  w * (length * turn)^2     is least
    velocities      sum of  w * m * (change of speed)^2  and  w * J * (change of turning)^2     is least

Ways are those of the mass centres, along the axes of the world.
"""

from __future__ import annotations

import numpy as np

from linkwork.coordinates.system import WITHOUT_GROUND
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.kernels import layout as at


def factors(model, weights: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """(bodies, dof) of positions and of velocities: what each coordinate weighs more than without weights."""
    place, speed = (np.ones((len(model.bodies), model.dof)) for _ in range(2))
    for name, weight in weights.items():
        if not weight > 0.0:
            raise DescriptionError(message(f"weight '{name}'", "is not positive", weight, "more than 0"))
        item, _, what = name.partition(".")
        known = words(model, item)
        if what not in known:
            every = [
                f"{body.name}.{word}" if word else body.name
                for body in model.bodies
                for word in words(model, body.name)
            ]
            raise UnknownNameError("weight", name, every, f"in mechanism '{model.mechanism.name}'")
        rate, columns = known[what]
        k = model.body_index[item]
        if rate and not model.masses.reshape(place.shape)[k, columns].all():
            raise DescriptionError(
                message(
                    f"weight '{name}'",
                    "weighs a velocity that no inertia resists",
                    remedy=f"give body '{item}' mass and inertia, or hold the rate as a start value",
                )
            )
        (speed if rate else place)[k, columns] *= weight
    return place, speed


def words(model, body: str) -> dict[str, tuple[bool, list[int]]]:
    """What of a body can be weighed: whether it is a velocity, and its coordinates; '' is all of its position."""
    if body not in model.body_index or body == "ground":
        return {}
    d, turning = model.dimension, bool(model.turning[model.body_index[body]])
    ways, turns = list(range(d)), list(range(d, model.dof)) if turning else []
    found = {"": (False, ways + turns), "position": (False, ways), "velocity": (True, ways)}
    for k, axis in enumerate("xyz"[:d]):
        found[axis], found[f"{axis}.rate"] = (False, [k]), (True, [k])
    if turns:
        found |= {"orientation": (False, turns), "angular_velocity": (True, turns)}
        if d == 2:
            found |= {"angle": (False, turns), "angle.rate": (True, turns)}
    return found


def metric_of(model, place: np.ndarray | None = None) -> np.ndarray:
    """(bodies, dof): 1 for a way, the square of a length for an angle, times the factors of positions."""
    metric = np.ones((len(model.bodies), model.dof))
    metric[:, model.dimension :] = model.length * model.length  # a product, as in blocks: pow may round otherwise
    return metric if place is None else metric * place


def weigh_speeds(system, speed: np.ndarray) -> None:
    """Multiply the masses of a system by factors; of none, nothing is done."""
    if (speed == 1.0).all():
        return
    for key, factor in ((at.P_MASS, speed), (at.P_INVERSE_MASS, 1.0 / speed), (at.P_ROOT_INVERSE, speed**-0.5)):
        system.set_numbers(key, system.view(key)[WITHOUT_GROUND] * factor, WITHOUT_GROUND)
