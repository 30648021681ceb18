"""The grammar of names: `item.quantity`, with `.rate` and `.acceleration` on any scalar.

A quantity of a body, a point, a joint or a force is a measure, found by `mechanism.references`; states and start values
know further names, of rates and of angles in space.
"""

from __future__ import annotations

import math

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism.copies import driver_moving as driver_moving
from linkwork.mechanism.copies import driver_names as driver_names
from linkwork.mechanism.frames import Frame, as_frame
from linkwork.mechanism.measures import Alignment, Angle, Measure, Offset, Spin, Sum, WorldOffset
from linkwork.mechanism.present import number_unit as number_unit
from linkwork.mechanism.references import frame_named, frame_readings, items, of_force
from linkwork.mechanism.references import readings as readings

ORDERS = {"rate": 1, "acceleration": 2}
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def split(name: str) -> tuple[str, int]:
    """A name without its ending, and the order of the derivative that the ending asks for."""
    head, _, tail = name.rpartition(".")
    if head and tail in ORDERS:
        return head, ORDERS[tail]
    return name, 0


def offsets(measure, dimension: int) -> list:
    """Measures along world axes from the origin of `on` to that of `to`."""
    return [WorldOffset(measure.on, measure.to, axis) for axis in "xyz"[:dimension]]


def frame_of(mechanism, given, item: str, what: str) -> Frame:
    """The frame that is meant by a name, a body or a frame."""
    return frame_named(mechanism, given, item) if isinstance(given, str) else as_frame(given, item, what)


def seen_on(frame: Frame, to: Frame, dimension: int) -> list[Measure]:
    """Measures along the axes of `frame`, from its origin to that of `to`."""
    return [Offset(frame, to, axis) for axis in "xyz"[:dimension]]


def in_world(frame: Frame, dimension: int) -> list[Measure]:
    """Place of a frame along the world axes."""
    return [WorldOffset(Frame("ground"), frame, axis) for axis in "xyz"[:dimension]]


def beside(measure, dimension: int) -> list:
    """The other components of a place, where a measure is one; found once for a measure."""
    if measure.along != "world":
        return []
    known = measure.__dict__.get("_beside")
    if known is None:
        known = measure.__dict__["_beside"] = [one for one in offsets(measure, dimension) if one.axis != measure.axis]
    return known


def body_coordinates(mechanism) -> list[str]:
    """Names of the coordinates of all body frames."""
    return [f"{name}.{axis}" for name in mechanism.bodies for axis in frame_readings(mechanism, Frame(name))]


def further(mechanism, item: str) -> dict[str, tuple[Measure, int]]:
    """Measures of which the name means a rate, by the rest of that name, and the order of the rate that it means."""
    if item in mechanism.readings and mechanism.readings[item].measure.rate_only:
        return {"speed": (mechanism.readings[item].measure, 1)}
    if item in mechanism.forces:
        return {key: (one, 1) for key, one in of_force(mechanism, item).items() if one.rate_only}
    if mechanism.dimension == 2 or item not in mechanism.bodies or not mechanism.bodies[item].has_angle:
        return {}
    own, ground = Frame(item), Frame("ground")
    found: dict[str, tuple[Measure, int]] = {}
    for axis, direction in AXES.items():
        found[f"angular_velocity.{axis}"] = Spin(ground, Frame(item, axis=direction)), 1
    for axis, direction in AXES.items():  # of the body against the ground, about an axis of the ground
        found[f"angular_velocity.world.{axis}"] = Sum((-1.0, Spin(own, Frame("ground", axis=direction)))), 1
    return found


def cardan(mechanism, item: str) -> dict[str, Measure]:
    """What holds the Cardan angles of a body in space, A = X(a) Y(b) Z(c); of the middle one its sine.

    a = atan2(-A23, A33)        sin b = A13        c = atan2(-A12, A11)
    """
    if mechanism.dimension == 2 or item not in mechanism.bodies or not mechanism.bodies[item].has_angle:
        return {}
    x, z = AXES["x"], AXES["z"]
    return {
        "cardan.x": Angle(Frame("ground", axis=x, along=z), Frame(item, axis=x, along=z)),
        "cardan.y": Alignment(Frame("ground"), Frame(item), "x", "z"),
        "cardan.z": Angle(Frame(item, axis=(0.0, 0.0, -1.0), along=x), Frame("ground")),
    }


def start_of(mechanism, name: str, value: float) -> tuple[Measure, int, float]:
    """What a start value holds: a measure, or its rate (order 1), at which number."""
    measure, order = measure_of(mechanism, name)
    if not split(name)[0].endswith(".cardan.y") or measure.quantity != "cosine":
        return measure, order, value
    if order:
        raise DescriptionError(
            message(
                f"start value '{name}'",
                "is the rate of the middle one of three angles",
                remedy=f"give {name.partition('.')[0]}.angular_velocity.x, .y and .z",
            )
        )
    if not abs(value) < math.pi / 2.0:
        raise DescriptionError(
            message(
                f"start value '{name}'",
                "is the middle one of three angles, and beyond a quarter turn",
                f"{value:g} rad",
                "less than pi/2",
                "three others mean the same orientation: lw.Orientation.from_angles",
            )
        )
    return measure, 0, math.sin(value)


def unit_in(mechanism, name: str) -> str:
    """SI unit of a start value."""
    measure, order = measure_of(mechanism, name)
    return "rad" if measure.quantity == "cosine" and split(name)[0].endswith(".cardan.y") else measure.unit(order)


def measure_of(mechanism, name: str):
    """The measure that a name means, and the order of its derivative."""
    model = mechanism.__dict__.get("_model")
    if model is None or model.mechanism is not mechanism:
        return _looked_up(mechanism, name)
    if name not in model.known_names:  # the mechanism of a model does not change
        model.known_names[name] = _looked_up(mechanism, name)
    return model.known_names[name]


def _looked_up(mechanism, name: str):
    base, order = split(name)
    item, _, quantity = base.partition(".")
    found = readings(mechanism, item)
    if quantity in found:
        return found[quantity], order
    angles, more = cardan(mechanism, item), further(mechanism, item)
    if quantity in angles:
        return angles[quantity], order
    if quantity in more and order + more[quantity][1] <= max(ORDERS.values()):
        return more[quantity][0], order + more[quantity][1]
    known = [f"{item}.{key}" for key in (*found, *angles, *more)]
    raise UnknownNameError("quantity", base, known, f"in mechanism '{mechanism.name}'")


def angle_of_body(mechanism, name: str):
    """The measure that `name.angle` means, of a body in the plane: at once, not among all that the body has."""
    return frame_readings(mechanism, Frame(name))["angle"]


def positions(mechanism, values: dict) -> dict:
    """Of values by name, those of positions: without rates."""
    return {name: value for name, value in values.items() if measure_of(mechanism, name)[1] == 0}


def all_measures(mechanism) -> dict:
    """Every named measure of a mechanism."""
    return {f"{item}.{key}": measure for item in items(mechanism) for key, measure in readings(mechanism, item).items()}
