"""The grammar of names: `item.quantity`, with `.rate` and `.acceleration` on any scalar.

A quantity of a body, a point, a joint or a force is a measure; this is where its name becomes one.
"""

from __future__ import annotations

from linkwork.errors import UnknownNameError
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.measures import Angle, WorldOffset, contains_z

ORDERS = {"rate": 1, "acceleration": 2}


def split(name: str) -> tuple[str, int]:
    """A name without its ending, and the order of the derivative that the ending asks for."""
    head, _, tail = name.rpartition(".")
    if head and tail in ORDERS:
        return head, ORDERS[tail]
    return name, 0


def frame_readings(mechanism, frame):
    """Measures of a frame against the world."""
    ground = Frame("ground")
    axes = "xy" if mechanism.dimension == 2 else "xyz"
    readings = {axis: WorldOffset(ground, frame, axis) for axis in axes}
    if mechanism.bodies[frame.body].has_angle and mechanism.dimension == 2:
        readings["angle"] = Angle(ground, frame)
    return readings


def offsets(measure, dimension: int) -> list:
    """Measures along world axes from the origin of `on` to that of `to`."""
    return [WorldOffset(measure.on, measure.to, axis) for axis in "xyz"[:dimension]]


def body_coordinates(mechanism) -> list[str]:
    """Names of the coordinates of all body frames."""
    return [f"{name}.{axis}" for name in mechanism.bodies for axis in frame_readings(mechanism, Frame(name))]


def readings(mechanism, item: str) -> dict:
    """Measures of an item by the rest of their names, `x` or `tracer.y`."""
    if item in mechanism.bodies:
        body = mechanism.bodies[item]
        found = dict(frame_readings(mechanism, Frame(item)))
        for point in body.points:
            for key, measure in frame_readings(mechanism, getattr(body, point)).items():
                found[f"{point}.{key}"] = measure
        return found
    if item in mechanism.joints:
        return _possible(mechanism, mechanism.joints[item].readings())
    if item in mechanism.forces:
        return _possible(mechanism, mechanism.forces[item].readings())
    if item in mechanism.drivers:
        measure = mechanism.drivers[item].measure
        return {} if measure.rate_only else {"value": measure}
    raise UnknownNameError("item", item, [*mechanism.bodies, *mechanism.joints, *mechanism.drivers, *mechanism.forces],
                           f"in mechanism '{mechanism.name}'")


def _possible(mechanism, found: dict) -> dict:
    """Readings without those that need the angle of a particle, or what this dimension does not have."""
    def has_angle(frame):
        return frame.body == "ground" or mechanism.bodies[frame.body].has_angle

    return {key: measure for key, measure in found.items()
            if all(has_angle(getattr(one, side)) for _, one in measure.terms() for side in one.turns_with)
            and all(mechanism.dimension in one.dimensions for _, one in measure.terms())
            and not (mechanism.dimension == 2 and contains_z(measure))}


def measure_of(mechanism, name: str):
    """The measure that a name means, and the order of its derivative."""
    base, order = split(name)
    item, _, quantity = base.partition(".")
    found = readings(mechanism, item)
    if quantity not in found:
        known = [f"{item}.{key}" for key in found]
        raise UnknownNameError("quantity", base, known, f"in mechanism '{mechanism.name}'")
    return found[quantity], order


def all_measures(mechanism) -> dict:
    """Every named measure of a mechanism."""
    items = [*mechanism.bodies, *mechanism.joints, *mechanism.drivers, *mechanism.forces]
    return {f"{item}.{key}": measure for item in items for key, measure in readings(mechanism, item).items()}
