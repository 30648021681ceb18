"""What a text refers to: a frame ("crank.a", "ground"), or a measure ("A.angle", "coupler.tracer.y").

The one grammar of names among descriptions.  Python, model files and results ask here, so that a name means the same
in all of them.

    body            its own frame                       body.point      the frame of a named point
    body.x          against the world, body.point.x     joint.angle     what a joint or a force reads
    driver.value    the measure of a driver or a reading
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from linkwork.errors import UnknownNameError
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.measures import Angle, Measure, WorldOffset, contains_z
from linkwork.mechanism.recipes import Place, Recipe, place_of, refers


def items(mechanism: Any) -> list[str]:
    """Names of all items, bodies first."""
    return [*mechanism.bodies, *mechanism.joints, *mechanism.drivers, *mechanism.forces, *mechanism.readings]


# -- frames ------------------------------------------------------------------------------------------------------------


def frame_named(mechanism: Any, name: str, wanted_by: str = "") -> Frame:
    """The frame that a name means: that of a body, or of a point of it."""
    wanted = f", wanted by {wanted_by}" if wanted_by else ""
    owner, dot, point = name.partition(".")
    body = mechanism.ground if owner == "ground" else mechanism.bodies.get(owner)
    if body is None:
        raise UnknownNameError("body", owner, [*mechanism.bodies, "ground"], f"in mechanism '{mechanism.name}'{wanted}")
    if dot and point not in body.points:
        if owner == "ground":
            wanted += " (the ground has places, such as m.ground.at(0, 1), and no points with names)"
        raise UnknownNameError("point", point, body.points, f"on body '{owner}'{wanted}")
    return getattr(body, point) if dot else body.at()


# -- measures ----------------------------------------------------------------------------------------------------------


def frame_readings(mechanism: Any, frame: Frame) -> dict[str, Measure]:
    """Measures of a frame against the world."""
    ground = Frame("ground")
    axes = "xy" if mechanism.dimension == 2 else "xyz"
    found: dict[str, Measure] = {axis: WorldOffset(ground, frame, axis) for axis in axes}
    if mechanism.bodies[frame.body].has_angle and mechanism.dimension == 2:
        found["angle"] = Angle(ground, frame)
    return found


def readings(mechanism: Any, item: str) -> dict[str, Measure]:
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
        return {key: one for key, one in of_force(mechanism, item).items() if not one.rate_only}
    for family in (mechanism.drivers, mechanism.readings):
        if item in family:
            measure = family[item].measure
            return {} if measure.rate_only else {"value": measure}
    raise UnknownNameError("item", item, items(mechanism), f"in mechanism '{mechanism.name}'")


def of_force(mechanism: Any, item: str) -> dict[str, Measure]:
    """Measures of a force by name, those that have only a rate among them."""
    return _possible(mechanism, mechanism.forces[item].readings_in(mechanism.dimension))


def turns(mechanism: Any, frame: Frame) -> bool:
    """Whether a frame turns with its body, or stands on the ground: a particle does not turn."""
    return frame.body == "ground" or mechanism.bodies[frame.body].has_angle


def _possible(mechanism: Any, found: dict[str, Measure]) -> dict[str, Measure]:
    """Readings without those that need the angle of a particle, or what this dimension does not have."""
    return {
        key: measure
        for key, measure in found.items()
        if all(turns(mechanism, getattr(one, side)) for _, one in measure.terms() for side in one.turns_with)
        and all(mechanism.dimension in one.dimensions for _, one in measure.terms())
        and not (mechanism.dimension == 2 and contains_z(measure))
    }


def measure_named(mechanism: Any, name: str, wanted_by: str = "") -> Measure:
    """The measure that a name means."""
    item, _, quantity = name.partition(".")
    known = items(mechanism)
    found = readings(mechanism, item) if item in known else {}
    if quantity in found:
        return found[quantity]
    wanted = f", wanted by {wanted_by}" if wanted_by else ""
    owners = [item] if item in known else sorted(known, key=lambda one: one in mechanism.bodies)
    near = [f"{owner}.{key}" for owner in owners for key in readings(mechanism, owner)]
    raise UnknownNameError("measure", name, near, f"in mechanism '{mechanism.name}'{wanted}")


def all_names(mechanism: Any) -> list[str]:
    """Every name that `mechanism[...]` takes: items, points of bodies, measures."""
    own = items(mechanism)
    points = [f"{name}.{point}" for name, body in mechanism.bodies.items() for point in body.points]
    return ["ground", *own, *points, *(f"{name}.{key}" for name in own for key in readings(mechanism, name))]


# -- in descriptions ---------------------------------------------------------------------------------------------------


def resolved(mechanism: Any, recipe: Recipe, name: str = "") -> Recipe:
    """A recipe with frames and measures of this mechanism in place of their names."""
    item = f"{recipe.make.__name__} '{name}'" if name else recipe.make.__name__
    given = {key: _resolved(mechanism, value, place_of(recipe.make, key), item) for key, value in recipe.given.items()}
    return recipe.having(given)


def _resolved(mechanism: Any, value: Any, place: Place, item: str) -> Any:
    if isinstance(value, Recipe):
        found = resolved(mechanism, value)
        return found if found.waits else found.made(mechanism.parameters)
    if isinstance(value, list | tuple):
        return tuple(_resolved(mechanism, one, place.within, item) for one in value)
    if isinstance(value, Mapping):
        return {key: _resolved(mechanism, one, place.within, item) for key, one in value.items()}
    if not isinstance(value, str) or not refers(value, place):
        return value
    return frame_named(mechanism, value, item) if place.frame else measure_named(mechanism, value, item)
