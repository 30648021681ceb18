"""The symbols of textbooks in the plane: what each mark of a joint is made of.

One function a kind of mark; each puts shapes on the stage and returns the anchor of the item's name, or None.
"""

from __future__ import annotations

import numpy as np

from linkwork.view.geometry import across, rounded
from linkwork.view.plane_bodies import LINK
from linkwork.view.plane_forces import FORCES
from linkwork.view.plane_parts import PIN, contact, dot_at, grounds, pin_at, pitch_circle, support, wall, wheel_at
from linkwork.view.scene import INK, Anchor, middle
from linkwork.view.stage import GREY, Stage

BLOCK = (13.0, 8.0)  # half length and half height of a slider's block, in points


def put(stage: Stage, item, mark) -> Anchor | None:
    """Draw a mark of an item; returns the anchor of its name."""
    return MARKS.get(mark.kind, _dashes)(stage, item, mark)


def _pin(stage, item, mark):
    grounds(stage, mark, item.name)
    pin_at(stage, mark.frames[1], item.name)
    return stage.at(mark.frames[1])


def _guide(stage, item, mark):
    on, to = mark.frames
    at, axis = stage.local(to.position), to.rotation()[:2, 0]
    now = stage.poses.axis(on)[0]
    down = across(now) if across(now)[1] < -1e-9 else -across(now)
    solid = stage.solid(to.body)
    half, low, more, drop = 0.0, 0.0, BLOCK[0] + 12.0, BLOCK[1]
    if solid:
        corners = stage.poses.points(to.body, stage.outline(to.body))[0] - stage.poses.frame(to)[0]
        half, low, more, drop = np.abs(corners @ now).max(), (corners @ down).max(), 12.0, 0.0
    else:
        way, side = BLOCK[0] * axis, BLOCK[1] * across(axis)
        stage.add(
            "area",
            to.body,
            at,
            item.name,
            offsets=[-way - side, way - side, way + side, side - way],
            face=stage.color(to.body)[1],
            layer=3.6,
        )
    if on.body == "ground":
        ends = stage.local(on.position) + np.multiply.outer(stage.span(item), now) + down * low
        stage.add(
            "hatch",
            "ground",
            [ends[0] - half * now, ends[1] + half * now],
            item.name,
            offsets=[down * drop - more * now, down * drop + more * now],
            side=down,
            width=1.4,
            layer=1.8,
            role="ground",
        )
    elif to.body == "ground":
        wall(stage, "ground", at + down * low, down, offset=drop)
    return stage.at(to)


def _weld(stage, item, mark):
    on, to = mark.frames
    if "ground" in (on.body, to.body):
        mine, other = (on, to.body) if on.body == "ground" else (to, on.body)
        at = stage.local(mine.position)
        away = at - stage.poses.points(other, stage.center(other))[0, 0]
        wall(stage, "ground", at, away if np.hypot(*away) > stage.point else (0.0, -1.0))
    else:
        for way in ((3.2, 3.2), (3.2, -3.2)):
            stage.add(
                "line",
                to.body,
                stage.local(to.position),
                item.name,
                offsets=[np.negative(way), way],
                width=1.5,
                layer=6.0,
            )
    return stage.at(to)


def _rod(stage, item, mark):
    on, to = mark.frames
    corners = np.array([[0.0, 0.0], [1.0, 0.0]])
    around = rounded(corners, 1.0) - np.repeat(corners, 14, axis=0)
    stage.connect(
        "area",
        stage.at(on),
        stage.at(to),
        np.repeat(corners[:, 0], 14),
        item.name,
        offsets=0.25 * LINK * around,
        face="#d9dee2",
        layer=3.4,
    )
    for frame, other in ((on, to), (to, on)):
        if frame.body == "ground":
            support(stage, frame, other.body, item.name)
        if frame.body == "ground" or stage.mechanism.bodies[frame.body].has_angle:
            pin_at(stage, frame, item.name)
    return middle(stage.at(on), stage.at(to))


def _slot(stage, item, mark):
    on, to = mark.frames
    axes = on.rotation()[:2, :2]
    axis = axes[:, 0]
    ends = stage.local(on.position) + np.multiply.outer(stage.span(item), axis) + mark.sizes["offset"] * axes[:, 1]
    if on.body == "ground":
        side = -across(axis) if -across(axis)[1] <= 0 else across(axis)
        drop = (PIN + 1.2) * side
        stage.add(
            "hatch",
            "ground",
            ends,
            offsets=[drop - 2.0 * axis, drop + 2.0 * axis],
            side=side,
            width=1.4,
            layer=1.8,
            role="ground",
        )
        stage.add(
            "line",
            "ground",
            ends,
            item.name,
            offsets=[-drop - 2.0 * axis, 2.0 * axis - drop],
            width=1.4,
            layer=2.0,
            role="ground",
        )
    else:
        corners = np.array([-axis, axis])
        around = rounded(corners, 1.0) - np.repeat(corners, 14, axis=0)
        ways = np.repeat([-2.0 * axis, 2.0 * axis], 14, axis=0)
        stage.add(
            "area",
            on.body,
            np.repeat(ends, 14, axis=0),
            item.name,
            offsets=(PIN + 1.2) * around + ways,
            face="white",
            layer=3.5,
        )
    if to.body == "ground":
        support(stage, to, on.body, item.name)
    pin_at(stage, to, item.name)
    return stage.at(to)


def _rolls(stage, item, mark):
    on, to = mark.frames
    radius, on_radius = mark.sizes["radius"], mark.sizes["on_radius"]
    wheel_at(stage, to, radius, item.name)
    if on_radius is not None:
        wheel_at(stage, on, on_radius, item.name)
        return contact(stage, on, to, on_radius)
    axes = on.rotation()[:2, :2]
    least, most = stage.span(item)
    ends = stage.local(on.position) + np.multiply.outer([least - 1.15 * radius, most + 1.15 * radius], axes[:, 0])
    if on.body == "ground":
        stage.add("hatch", "ground", ends, item.name, side=-axes[:, 1], width=1.4, layer=1.8, role="ground")
    else:
        stage.add("line", on.body, ends, item.name, width=1.4, layer=2.5)
    down = tuple((-radius * axes[:, 1]).tolist())
    return (*stage.at(to), (1.0, on.body, down), (-1.0, on.body, (0.0, 0.0)))


def _gear(stage, item, mark):
    on, to = mark.frames
    sizes, ring = mark.sizes, mark.sizes["internal"]
    for frame, radius, inner in ((on, sizes["on_radius"], ring), (to, sizes["to_radius"], False)):
        if inner:  # a band outside its pitch circle
            at, (edge, face) = stage.local(frame.position), stage.color(frame.body)
            stage.add(
                "circle", frame.body, at, f"ring {item.name}", radius=radius, size=10.0, face=face, edge=edge, layer=1.4
            )
            stage.add("circle", frame.body, at, radius=radius, face="white", edge=edge, layer=1.5)
        else:
            wheel_at(stage, frame, radius, item.name)
        pitch_circle(stage, frame, radius, item.name)
    sign = -1.0 if ring and sizes["on_radius"] < sizes["to_radius"] else 1.0
    return contact(stage, on, to, sign * sizes["on_radius"])


def _belt(stage, item, mark):
    on, to = mark.frames
    radii = mark.sizes["on_radius"], mark.sizes["to_radius"]
    for frame, radius in zip((on, to), radii):
        wheel_at(stage, frame, radius, item.name)
    distance = float(np.hypot(*(stage.poses.frame(to) - stage.poses.frame(on))[0]))
    sine = np.clip((radii[0] - radii[1]) / max(distance, 1e-12), -1.0, 1.0)
    for side in (1.0, -1.0):  # outer tangents touch both pulleys in the same direction
        touch = np.array([sine, side * np.sqrt(1.0 - sine**2)])
        stage.connect(
            "line",
            stage.at(on),
            stage.at(to),
            [0.0, 1.0],
            item.name,
            shifts=[radii[0] * touch, radii[1] * touch],
            width=2.0,
            layer=4.0,
        )
    return middle(stage.at(on), stage.at(to))


def _rack(stage, item, mark):
    on, to = mark.frames
    radius = mark.sizes["radius"]
    along, up = on.rotation()[:2, :2].T
    wheel_at(stage, to, radius, item.name)
    pitch_circle(stage, to, radius, item.name)
    least, most = stage.span(item)
    first, last = least - 0.6 * radius, most + 0.6 * radius
    if stage.solid(on.body):
        ways = (stage.outline(on.body) - stage.local(on.position)) @ along
        first, last = float(ways.min()), float(ways.max())
    count = max(4, round((last - first) / (7.0 * stage.point)))
    ways = np.linspace(first, last, 4 * count + 1)
    heights = np.outer(np.resize([-3.0, 2.0, 2.0, -3.0], ways.size), up)
    teeth = stage.local(on.position) + np.outer(ways, along)
    edge, face = stage.color(on.body)
    stage.add(
        "area",
        on.body,
        [*teeth, teeth[-1], teeth[0]],
        offsets=[*heights, heights[-1] - 5.0 * up, heights[0] - 5.0 * up],
        face=face,
        edge=face,
        width=0.0,
        layer=3.2,
    )
    stage.add("line", on.body, teeth, item.name, offsets=heights, edge=edge, width=1.0, layer=3.25)
    down = tuple((-radius * up).tolist())
    return (*stage.at(to), (1.0, on.body, down), (-1.0, on.body, (0.0, 0.0)))


def _hold(stage, item, mark):
    on, to = mark.frames
    at, sizes = stage.local(to.position), mark.sizes
    if on.body != "ground":
        return stage.at(to)
    if sizes["x"] is not None and sizes["y"] is not None:
        if sizes["angle"] is None:
            place = stage.local(on.position) + on.rotation()[:2, :2] @ (sizes["x"], sizes["y"])
            support(stage, _Point("ground", place), to.body, item.name)
            pin_at(stage, to, item.name)
        else:
            wall(stage, to.body, at, (0.0, -1.0), turn="ground")
        return stage.at(to)
    for axis in "xy":
        if sizes[axis] is not None:  # a roller on a wall across the held direction
            away = on.rotation()[:2, "xy".index(axis)]
            away = -away if away[1] > 1e-9 or (abs(away[1]) <= 1e-9 and away[0] > 0) else away
            stage.add(
                "circle",
                to.body,
                at,
                item.name,
                offsets=[4.0 * away],
                turn="ground",
                size=4.0,
                face="white",
                width=1.2,
                layer=5.0,
            )
            wall(stage, to.body, at, away, turn="ground", offset=8.0)
    return stage.at(to)


class _Point:
    """A place of a body, where a frame is looked for."""

    def __init__(self, body, position):
        self.body, self.position = body, position


def _blade(stage, item, mark):
    to = mark.frames[1]
    along = to.rotation()[:2, 0]
    way, side = 14.0 * along, 2.6 * across(along)
    stage.add(
        "area", to.body, stage.local(to.position), item.name, offsets=[-way, side, way, -side], face=INK, layer=5.0
    )
    return stage.at(to)


def _dashes(stage, item, mark):
    """Without a symbol of its own: a dashed line between its frames, with a mark at each."""
    if len(mark.frames) < 2:
        return stage.at(mark.frames[0]) if mark.frames else None
    on, to = mark.frames[:2]
    stage.connect(
        "line", stage.at(on), stage.at(to), [0.0, 1.0], item.name, edge=GREY, width=1.0, dash=(3.7, 1.6), layer=4.0
    )
    for frame in (on, to):
        dot_at(stage, frame)
    return middle(stage.at(on), stage.at(to))


MARKS = {
    "pin": _pin,
    "ball": _pin,
    "sleeve": _pin,
    "screw": _pin,
    "bore": _pin,
    "cross": _pin,
    "bell": _pin,
    "guide": _guide,
    "weld": _weld,
    "rod": _rod,
    "slot": _slot,
    "wheel": _rolls,
    "gear": _gear,
    "belt": _belt,
    "rack": _rack,
    "hold": _hold,
    "blade": _blade,
    "dashes": _dashes,
} | FORCES
