"""How each joint is drawn: one function a kind; a subclass is drawn as what it is derived from."""

from __future__ import annotations

import numpy as np

from linkwork.mechanism.couplings import Belt, Gear, RackAndPinion
from linkwork.mechanism.joints import Fixed, Hold, KnifeEdge, PinInSlot, Prismatic, Revolute, Rod, RollingDisc
from linkwork.view.canvas import GREY, INK
from linkwork.view.geometry import across, unit
from linkwork.view.symbols import LINK, PIN

BLOCK = (13.0, 8.0)  # half length and half height of a slider's block


def draw_joint(scene, joint):
    """Draw a joint; returns the place of its name."""
    return symbol(joint, JOINTS, _other)(scene, joint)


def symbol(item, known, other):
    """The function that draws an item: that of its class, or of the nearest one that it is derived from."""
    return next((known[kind] for kind in type(item).__mro__ if kind in known), other)


def span(scene, joint) -> tuple[float, float]:
    """Least and greatest slide of a joint over the whole result."""
    slide = scene.run[f"{joint.name}.slide"]
    return float(slide.min()), float(slide.max())


# -- joints ----------------------------------------------------------------------------------------


def _revolute(scene, joint):
    at = scene.poses.place(joint.to)
    for mine, other in ((joint.on, joint.to), (joint.to, joint.on)):
        if mine.body == "ground":
            scene.support(at, other.body, joint.name)
    scene.pin(at, joint.name)
    return at


def _prismatic(scene, joint):
    pen, point = scene.pen, scene.pen.point
    at, axis = scene.poses.place(joint.to), scene.poses.axis(joint.on)
    down = across(axis) if across(axis)[1] < -1e-9 else -across(axis)
    solid = scene.is_solid(joint.to.body)
    half, low = BLOCK[0] * point, BLOCK[1] * point
    if solid:
        corners = scene.outline_points(joint.to.body) - at
        half, low = np.abs(corners @ axis).max(), (corners @ down).max()
    else:
        side = BLOCK[1] * point * across(axis)
        way = BLOCK[0] * point * axis
        pen.area(
            [at - way - side, at + way - side, at + way + side, at - way + side],
            z=3.6,
            face=scene.colour(joint.to.body)[1],
            edge=INK,
            label=joint.name,
        )
    if joint.on.body == "ground":
        least, most = span(scene, joint)
        ends = scene.poses.along(joint.on, [least, most]) + down * low
        more = (half + 12.0 * point) * axis
        pen.hatch(ends[0] - more, ends[1] + more, down, label=joint.name)
    elif joint.to.body == "ground":
        pen.wall(at + down * low, down)
    return at


def _fixed(scene, joint):
    at = scene.poses.place(joint.to)
    if "ground" in (joint.on.body, joint.to.body):
        away = at - scene.center(joint.to.body if joint.on.body == "ground" else joint.on.body)
        scene.pen.wall(at, away if np.hypot(*away) > scene.pen.point else (0.0, -1.0))
    else:
        d = 3.2 * scene.pen.point
        for way in ((d, d), (d, -d)):
            scene.pen.stroke([at - way, at + way], width=1.5, z=6.0, label=joint.name)
    return at


def _rod(scene, joint):
    ends = [scene.poses.place(joint.on), scene.poses.place(joint.to)]
    scene.pen.link(ends, face="#d9dee2", width=0.5 * LINK, z=3.4, label=joint.name)
    for frame, at, other in ((joint.on, ends[0], joint.to), (joint.to, ends[1], joint.on)):
        if frame.body == "ground":
            scene.support(at, other.body, joint.name)
        if frame.body == "ground" or scene.mechanism.bodies[frame.body].has_angle:
            scene.pin(at, joint.name)
    return 0.5 * (ends[0] + ends[1])


def _slot(scene, joint):
    at, point = scene.poses.place(joint.to), scene.pen.point
    least, most = span(scene, joint)
    ends = scene.poses.along(joint.on, [least, most]) + joint.offset * scene.poses.axis(joint.on, "y")
    more = 2.0 * point * scene.poses.axis(joint.on)
    ends = np.array([ends[0] - more, ends[1] + more])
    if joint.on.body == "ground":
        side = -across(unit(more)) if -across(unit(more))[1] <= 0 else across(unit(more))
        drop = side * (PIN + 1.2) * point
        scene.pen.hatch(ends[0] + drop, ends[1] + drop, side)
        scene.pen.stroke([ends[0] - drop, ends[1] - drop], width=1.4, z=2.0, label=joint.name)
    else:
        scene.pen.link(ends, face="white", width=2.0 * PIN + 2.4, z=3.5, label=joint.name)
    scene.pin(at, joint.name)
    return at


def _rolling(scene, joint):
    center, radius = scene.poses.place(joint.to), joint.radius
    if not scene.is_solid(joint.to.body):
        _wheel(scene, joint.to, radius, joint.name)
    if joint.on_radius is not None:
        on = scene.poses.place(joint.on)
        if not scene.is_solid(joint.on.body):
            _wheel(scene, joint.on, joint.on_radius, joint.name)
        return on + joint.on_radius * unit(center - on)
    least, most = span(scene, joint)
    ends = scene.poses.along(joint.on, [least - 1.15 * radius, most + 1.15 * radius])
    if joint.on.body == "ground":
        scene.pen.hatch(ends[0], ends[1], -scene.poses.axis(joint.on, "y"), label=joint.name)
    else:
        scene.pen.stroke(ends, width=1.4, z=2.5, label=joint.name)
    return center - radius * scene.poses.axis(joint.on, "y")


def _wheel(scene, frame, radius, label):
    """A circle with a spoke that shows how far it has turned; on the ground only the circle."""
    at = scene.poses.place(frame)
    face = "#eef1f3" if frame.body == "ground" else scene.colour(frame.body)[1]
    scene.pen.circle(at, radius, face=face, z=2.8, label=label)
    if frame.body != "ground":
        scene.pen.stroke([at, at + radius * scene.poses.axis(frame)], width=1.0, z=2.9)


def _gear(scene, joint):
    on, to = scene.poses.place(joint.on), scene.poses.place(joint.to)
    for frame, radius, ring in (
        (joint.on, joint.on_radius, joint.internal),
        (joint.to, joint.to_radius, False),
    ):
        at = scene.poses.place(frame)
        if ring:
            scene.ring(frame, radius, joint.name)
        elif not scene.is_solid(frame.body):
            _wheel(scene, frame, radius, joint.name)
        scene.pitch_circle(at, radius, joint.name)
    sign = -1.0 if joint.internal and joint.on_radius < joint.to_radius else 1.0
    return on + sign * joint.on_radius * unit(to - on)


def _belt(scene, joint):
    on, to = scene.poses.place(joint.on), scene.poses.place(joint.to)
    for frame, radius in ((joint.on, joint.on_radius), (joint.to, joint.to_radius)):
        if not scene.is_solid(frame.body):
            _wheel(scene, frame, radius, joint.name)
    along, distance = unit(to - on), float(np.hypot(*(to - on)))
    sine = np.clip((joint.on_radius - joint.to_radius) / max(distance, 1e-12), -1.0, 1.0)
    for side in (1.0, -1.0):  # outer tangents touch both pulleys in the same direction
        touch = sine * along + side * np.sqrt(1.0 - sine**2) * across(along)
        scene.pen.stroke(
            [on + joint.on_radius * touch, to + joint.to_radius * touch], width=2.0, z=4.0, label=joint.name
        )
    return 0.5 * (on + to)


def _rack(scene, joint):
    center, point = scene.poses.place(joint.to), scene.pen.point
    along, up = scene.poses.axis(joint.on), scene.poses.axis(joint.on, "y")
    if not scene.is_solid(joint.to.body):
        _wheel(scene, joint.to, joint.radius, joint.name)
    scene.pitch_circle(center, joint.radius, joint.name)
    least, most = span(scene, joint)
    touch = center - joint.radius * up
    here = float((center - scene.poses.place(joint.on)) @ along)
    first, last = least - here - 0.6 * joint.radius, most - here + 0.6 * joint.radius
    if scene.is_solid(joint.on.body):
        ways = (scene.outline_points(joint.on.body) - center) @ along
        first, last = ways.min(), ways.max()
    count = max(4, round((last - first) / (7.0 * point)))
    ways = np.linspace(first, last, 4 * count + 1)
    heights = np.resize([-3.0, 2.0, 2.0, -3.0], ways.size) * point
    teeth = touch + np.outer(ways, along) + np.outer(heights, up)
    drop = 5.0 * point * up
    edge, face = scene.colour(joint.on.body)
    scene.pen.area([*teeth, teeth[-1] - drop, teeth[0] - drop], face=face, edge=face, width=0.0, z=3.2)
    scene.pen.stroke(teeth, color=edge, width=1.0, z=3.25, label=joint.name)
    return touch


def _hold(scene, joint):
    at, point = scene.poses.place(joint.to), scene.pen.point
    if joint.on.body != "ground":
        return at
    if joint.x is not None and joint.y is not None:
        if joint.angle is None:
            scene.support(at, joint.to.body, joint.name)
            scene.pin(at, joint.name)
        else:
            scene.pen.wall(at, (0.0, -1.0))
        return at
    for key, axis in (("x", "x"), ("y", "y")):
        if getattr(joint, key) is not None:  # a roller on a wall across the held direction
            away = scene.poses.axis(joint.on, axis)
            away = -away if away[1] > 1e-9 or (abs(away[1]) <= 1e-9 and away[0] > 0) else away
            scene.pen.circle(
                at + 4.0 * point * away, 4.0 * point, face="white", width=1.2, z=5.0, label=joint.name
            )
            scene.pen.wall(at + 8.0 * point * away, away)
    return at


def _knife_edge(scene, joint):
    at, along, point = scene.poses.place(joint.to), scene.poses.axis(joint.to), scene.pen.point
    way, side = 14.0 * point * along, 2.6 * point * across(along)
    scene.pen.area([at - way, at + side, at + way, at - side], face=INK, z=5.0, label=joint.name)
    return at


def _other(scene, joint):
    """A joint without a symbol of its own: a dashed line between its frames, with a mark at each."""
    ends = [scene.poses.place(joint.on), scene.poses.place(joint.to)]
    scene.pen.stroke(ends, color=GREY, width=1.0, style="--", z=4.0, label=joint.name)
    for at in ends:
        scene.pen.dot(at)
    return 0.5 * (ends[0] + ends[1])


JOINTS = {
    Revolute: _revolute,
    Prismatic: _prismatic,
    Fixed: _fixed,
    Rod: _rod,
    PinInSlot: _slot,
    RollingDisc: _rolling,
    Gear: _gear,
    Belt: _belt,
    RackAndPinion: _rack,
    Hold: _hold,
    KnifeEdge: _knife_edge,
}
