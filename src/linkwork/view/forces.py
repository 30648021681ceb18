"""How each force element and driver is drawn: one function a kind; any other one by the measures it acts along."""

from __future__ import annotations

import numpy as np

from linkwork.mechanism.elements import Limit
from linkwork.mechanism.forces import PointForce, SpringDamper, Torque, TorsionSpringDamper
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.measures import Angle, Direction, Distance, Offset, Slip, WorldOffset
from linkwork.view.elements import symbol
from linkwork.view.geometry import across, unit
from linkwork.view.symbols import ACCENT

ARROW = 38.0  # length of a force
REACH = 21.0  # radius of a turning arrow, and of the arc between two stops
FORCE = "#1d6b57"


def draw_force(scene, force):
    """Draw a force element; returns the place of its name, or None."""
    return symbol(force, FORCES, _other)(scene, force)


def frames_of(force) -> list[Frame]:
    """The frames that an element is attached to: its own, or those of the measure that it acts along."""
    own = [frame for key in ("on", "to", "at") if isinstance(frame := force.__dict__.get(key), Frame)]
    measure = None if own else _first_measure(force)
    if measure is None:
        return own
    return [measure.to] if measure.quantity == "angle" else [measure.on, measure.to]


def points_of(scene, force) -> list:
    """Points of an element that must lie inside the picture; a stop does where the motion comes near it."""
    if isinstance(force, Torque):
        return []
    values = scene.run[f"{force.name}.value"] if isinstance(force, Limit) else np.zeros(1)
    near = scene.run.model.length
    return [
        *(scene.poses.place(frame) for frame in frames_of(force)),
        *(at for at, _, bound in _stops(scene, force) if values.min() - near <= bound <= values.max() + near),
    ]


def way_of(scene, measure) -> np.ndarray:
    """The world direction in which the origin of `to` moves as a measure of a length grows."""
    if isinstance(measure, WorldOffset):
        return np.eye(2)["xy".index(measure.axis)]
    if isinstance(measure, Distance):
        return unit(scene.poses.place(measure.to) - scene.poses.place(measure.on))
    frame = measure.to if isinstance(measure, Slip) else measure.on
    return scene.poses.axis(frame, getattr(measure, "axis", "x"))


def _spring_damper(scene, force):
    pen, point = scene.pen, scene.pen.point
    ends = [scene.poses.place(force.on), scene.poses.place(force.to)]
    along = unit(ends[1] - ends[0])
    for frame, at, away in ((force.on, ends[0], -along), (force.to, ends[1], along)):
        if frame.body == "ground":
            pen.wall(at, away)
        else:
            pen.dot(at)
    marks = [
        mark
        for part, mark in (
            (force.stiffness, pen.spring),
            (force.damping, pen.damper),
            (force.actuator, pen.cylinder),
        )
        if part
    ]
    shifts = 9.0 * (np.arange(len(marks)) - 0.5 * (len(marks) - 1)) * (2.0 if len(marks) > 1 else 0.0)
    start, end = ends
    if len(marks) > 1:  # side by side between two cross-pieces
        lead = min(9.0 * point, 0.12 * float(np.hypot(*(end - start)))) * along
        for at, inner in ((ends[0], ends[0] + lead), (ends[1], ends[1] - lead)):
            pen.stroke([at, inner])
            pen.stroke([inner + across(along) * shift * point for shift in (shifts[0], shifts[-1])])
        start, end = ends[0] + lead, ends[1] - lead
    for mark, shift in zip(marks, shifts, strict=True):
        mark(start, end, shift=shift, label=force.name)
    return 0.5 * (ends[0] + ends[1])


def _torsion(scene, force):
    at = scene.poses.place(force.to)
    scene.pen.spiral(at, label=force.name)
    return at + 10.0 * scene.pen.point * np.array([0.7, 0.7])


def _point_force(scene, force):
    t = float(scene.poses.t[0])
    parts = np.array([part if isinstance(part, float) else part(t)[0] for part in (force.x, force.y)])
    if not parts.any():
        return None
    if force.axes == "body":
        parts = parts[0] * scene.poses.axis(force.at) + parts[1] * scene.poses.axis(force.at, "y")
    at = scene.poses.place(force.at)
    start = at - ARROW * scene.pen.point * unit(parts)
    scene.pen.arrow(start, at, color=FORCE, label=force.name)
    return start


def _torque(scene, force):
    value = force.value if isinstance(force.value, float) else force.value(float(scene.poses.t[0]))[0]
    at = scene.poses.place(force.to)
    scene.pen.turn_arrow(at, -1.0 if value < 0.0 else 1.0, radius=REACH, color=FORCE, label=force.name)
    return at + REACH * scene.pen.point * np.array([0.7, 0.7])


def _stops(scene, force) -> list[tuple]:
    """Place, way out and bound of the stops of an offset, where the origin of `to` cannot go further."""
    measure = force.measure if isinstance(force, Limit) else None
    if not isinstance(measure, Offset | WorldOffset):
        return []
    at, way, here = scene.poses.place(measure.to), way_of(scene, measure), scene.result[f"{force.name}.value"][0]
    return [(at + (bound - here) * way, sign * way, bound) for bound, sign in _bounds(force)]


def _bounds(force) -> list[tuple[float, float]]:
    return [(bound, sign) for bound, sign in ((force.lower, -1.0), (force.upper, 1.0)) if bound is not None]


def _limit(scene, force):
    """Stops: a hatched edge where an offset ends, an arc with an edge at each end for an angle."""
    stops = _stops(scene, force)
    for at, way, _ in stops:
        scene.pen.wall(at, way, label=force.name)
    if stops:
        here = scene.poses.place(force.measure.to)
        seen = [at for at, _, _ in stops if scene.pen.shows(at)]
        return min(seen, key=lambda at: np.hypot(*(at - here)), default=here)
    if isinstance(force.measure, Angle | Direction):
        return _arc(scene, force)
    return _other(scene, force)


def _arc(scene, force):
    measure, ends = force.measure, _bounds(force)
    at = scene.poses.place(measure.to if isinstance(measure, Angle) else measure.on)
    x, y = scene.poses.axis(measure.on), scene.poses.axis(measure.on, "y")

    def around(angle, radius=REACH):
        return at + radius * scene.pen.point * (np.cos(angle) * x + np.sin(angle) * y)

    bounds = [bound for bound, _ in ends]
    if len(ends) == 1:  # the way to a single stop
        bounds.append(bounds[0] - 0.7 * ends[0][1])
    turn = np.linspace(*bounds, 40) if abs(bounds[0] - bounds[1]) < 2.0 * np.pi else np.linspace(0.0, 2.0 * np.pi, 80)
    scene.pen.stroke([around(one) for one in turn], color=FORCE, width=1.1, z=5.2, label=force.name)
    for bound, _ in ends:
        scene.pen.stroke([around(bound, 0.7 * REACH), around(bound, 1.3 * REACH)], color=FORCE, width=1.8, z=5.2)
    return around(0.5 * (bounds[0] + bounds[1]))


def _other(scene, force):
    """An element without a symbol of its own: a mark at its point, or what its first measure stands between."""
    if isinstance(force.__dict__.get("at"), Frame):
        at = scene.poses.place(force.at)
        scene.pen.dot(at, color=FORCE)
        return at
    measure = _first_measure(force)
    if measure is None:
        return None
    ends = [scene.poses.place(measure.on), scene.poses.place(measure.to)]
    if measure.quantity == "angle":
        scene.pen.turn_arrow(ends[1], radius=REACH, color=FORCE, label=force.name)
        return ends[1]
    scene.pen.stroke(ends, color=FORCE, width=1.4, style=":", z=5.0, label=force.name)
    return 0.5 * (ends[0] + ends[1])


def _first_measure(force):
    return next((one for part in force.parts_in(2) for one in part.along), None)


FORCES = {
    SpringDamper: _spring_damper,
    TorsionSpringDamper: _torsion,
    PointForce: _point_force,
    Torque: _torque,
    Limit: _limit,
}


def draw_driver(scene, driver):
    """An arrow along the driven measure, in the sense in which it moves; returns the place of its name."""
    _, measure = driver.measure.terms()[0]
    rate = 0.0 if driver.measure.rate_only else scene.result[f"{driver.name}.value.rate"][0]
    sense = -1.0 if rate < 0.0 else 1.0
    at, point = scene.poses.place(measure.to), scene.pen.point
    if measure.quantity == "angle":
        scene.pen.turn_arrow(at, sense, label=driver.name)
        return at + 17.0 * point * np.array([0.7, 0.7])
    way = way_of(scene, measure)
    start = at + 16.0 * point * across(sense * way) - 0.5 * ARROW * point * sense * way
    scene.pen.arrow(start, start + ARROW * point * sense * way, color=ACCENT, label=driver.name)
    return start + 0.5 * ARROW * point * sense * way
