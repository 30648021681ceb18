"""Symbols of space: what each mark of a joint is made of.

One function a kind of mark; each puts shapes on the stage and returns the anchor of the item's name, or None.
"""

from __future__ import annotations

import numpy as np

from linkwork.view.scene import INK, Anchor, middle
from linkwork.view.space_forces import FORCES
from linkwork.view.space_parts import (
    BASE,
    CORNERS,
    DARK,
    METAL,
    SIDES,
    axis_line,
    ball_at,
    bar_between,
    box_at,
    grounds,
    pedestal,
    pitch_circle,
    rod,
    wheel_at,
)
from linkwork.view.stage import GREY, Stage


def put(stage: Stage, item, mark) -> Anchor | None:
    """Draw a mark of an item; returns the anchor of its name."""
    return MARKS.get(mark.kind, _dashes)(stage, item, mark)


def _place(stage, frame):
    """Origin and axes, as columns, of a frame in the axes of its body."""
    return stage.local(frame.position), frame.rotation()


def _pin(stage, item, mark):
    """A short cylinder about z, with its axis."""
    grounds(stage, mark, item.name)
    to = mark.frames[1]
    at, axes = _place(stage, to)
    z = axes[:, 2]
    through = _through(stage, mark.frames)
    stage.add(
        "cylinder",
        to.body,
        [at - through * z, at + through * z],
        f"pin {item.name}",
        size=5.2,
        face=METAL,
        width=1.0,
        offsets=[-(4.0 if through else 8.5) * z, (4.0 if through else 8.5) * z],
    )
    axis_line(stage, to.body, at, z)
    return stage.at(to)


def _through(stage, frames) -> float:
    """Half the thickness, along z, of solids that a pin goes through; none where they are long that way."""
    reach = 0.0
    for frame in frames:
        if stage.solid(frame.body):
            at, axes = _place(stage, frame)
            thick = float(np.abs((stage.outline(frame.body) - at) @ axes[:, 2]).max())
            reach = max(reach, thick if thick < 0.1 * stage.extent else 0.0)
    return reach


def _ball(stage, item, mark):
    """A ball in a socket: a ring around it."""
    grounds(stage, mark, item.name)
    to = mark.frames[1]
    ball_at(stage, to.body, stage.local(to.position), 6.6, f"pin {item.name}")
    return stage.at(to)


def _guide(stage, item, mark):
    """A block on a rail along x of `on`, as long as the way."""
    on, to = mark.frames
    at, axes = _place(stage, to)
    if not stage.solid(to.body):
        box_at(stage, to.body, at, axes, (14.0, 8.0, 8.0), item.name, face=stage.color(to.body)[1])
    _rail(stage, item, on, "x")
    if to.body == "ground":
        pedestal(stage, to, on.body, item.name)
    return stage.at(to)


def _rail(stage, item, on, axis, size=3.2, offset=0.0) -> None:
    at, axes = _place(stage, on)
    k = "xyz".index(axis)
    turned = np.roll(axes, -k, axis=1)  # the rail's own x is along the axis
    ends = at + np.multiply.outer(stage.span(item), axes[:, k]) + offset * axes[:, 1]
    face = DARK if on.body == "ground" else stage.color(on.body)[1]
    edge = INK if on.body == "ground" else stage.color(on.body)[0]
    bar_between(stage, on.body, ends[0], ends[1], turned, size, 24.0, item.name, face, edge=edge)
    if on.body == "ground":
        for end, way in ((ends[0], -24.0), (ends[1], 24.0)):
            box_at(stage, "ground", end, turned, (2.4, 8.0, 8.0), offset=(way, 0.0, 0.0), face=BASE, role="ground")


def _sleeve(stage, item, mark):
    """A sleeve on a shaft along z of `on`."""
    on, to = mark.frames
    at, axes = _place(stage, to)
    rod(stage, to.body, at, -12.0 * axes[:, 2], 12.0 * axes[:, 2], 8.0, item.name, stage.color(to.body)[1])
    _shaft(stage, item, on)
    return stage.at(to)


def _shaft(stage, item, on) -> tuple[np.ndarray, np.ndarray]:
    at, axes = _place(stage, on)
    z = axes[:, 2]
    ends = at + np.multiply.outer(stage.span(item), z)
    stage.add("cylinder", on.body, ends, item.name, offsets=[-26.0 * z, 26.0 * z], size=3.4, face=DARK, width=1.0)
    if on.body == "ground":
        for end, way in ((ends[0], -26.0), (ends[1], 26.0)):
            box_at(stage, "ground", end, axes, (9.0, 9.0, 2.2), offset=(0.0, 0.0, way), face=BASE, role="ground")
    return ends, axes


def _screw(stage, item, mark):
    """A sleeve on a shaft with a thread."""
    on = mark.frames[0]
    anchor = _sleeve(stage, item, mark)
    at, axes = _place(stage, on)
    least, most = stage.span(item)
    length = (most - least) / stage.point + 52.0
    turn = np.linspace(0.0, 2.0 * np.pi * max(4.0, length / 6.0), int(24 * max(4.0, length / 6.0)))
    helix = np.column_stack([4.0 * np.cos(turn), 4.0 * np.sin(turn), np.linspace(-26.0, 26.0, turn.size)]) @ axes.T
    along = at + np.outer(np.linspace(least, most, turn.size), axes[:, 2])
    stage.add("line", on.body, along, item.name, offsets=helix, width=0.9)
    return anchor


def _bore(stage, item, mark):
    """A ball on a straight way along z of `on`."""
    on, to = mark.frames
    _shaft(stage, item, on)
    ball_at(stage, to.body, stage.local(to.position), 8.0, f"pin {item.name}")
    return stage.at(to)


def _slot(stage, item, mark):
    """A ball on a straight way along x of `on`."""
    on, to = mark.frames
    _rail(stage, item, on, "x", 2.6, mark.sizes["offset"])
    ball_at(stage, to.body, stage.local(to.position), 7.0, f"pin {item.name}")
    if to.body == "ground":
        pedestal(stage, to, on.body, item.name)
    return stage.at(to)


def _weld(stage, item, mark):
    """A dark block."""
    _on, to = mark.frames
    at, axes = _place(stage, to)
    box_at(stage, to.body, at, axes, (5.5, 5.5, 5.5), item.name, face="#5b6771")
    grounds(stage, mark, item.name)
    return stage.at(to)


def _cross(stage, item, mark):
    """A cross with an arm along z of each frame, in two forks."""
    for frame in mark.frames:
        at, axes = _place(stage, frame)
        z, back = axes[:, 2], _backwards(stage, frame)
        edge, face = stage.color(frame.body)
        rod(stage, frame.body, at, -12.0 * z, 12.0 * z, 2.8, item.name)
        for sign in (-1.0, 1.0):
            rod(
                stage,
                frame.body,
                at,
                sign * 12.0 * z - 3.0 * back,
                sign * 12.0 * z + 15.0 * back,
                3.0,
                f"fork {item.name}",
                face,
                edge=edge,
            )
        rod(
            stage,
            frame.body,
            at,
            -12.0 * z + 15.0 * back,
            12.0 * z + 15.0 * back,
            3.0,
            f"fork {item.name}",
            face,
            edge=edge,
        )
    to = mark.frames[1]
    ball_at(stage, to.body, stage.local(to.position), 3.8)
    return stage.at(to)


def _backwards(stage, frame) -> np.ndarray:
    """Across z of a frame, towards the rest of its body; x where there is nothing."""
    at, axes = _place(stage, frame)
    z = axes[:, 2]
    way = np.zeros(3) if frame.body == "ground" else stage.outline(frame.body).mean(axis=0) - at
    way = way - z * (z @ way)
    size = float(np.linalg.norm(way))
    return way / size if size > stage.point else axes[:, 0]


def _bell(stage, item, mark):
    """A ball in a bell on the shaft of `on`."""
    on, to = mark.frames
    at, axes = _place(stage, on)
    way = np.zeros(3) if on.body == "ground" else stage.outline(on.body).mean(axis=0) - at
    z = axes[:, 2] * (-1.0 if way @ axes[:, 2] < 0.0 else 1.0)
    edge, face = stage.color(on.body)
    stage.add(
        "cylinder",
        on.body,
        [at, at],
        item.name,
        offsets=[1.0 * z, 14.0 * z],
        size=10.5,
        top=0.45,
        face=face,
        edge=edge,
        width=1.0,
    )
    ball_at(stage, to.body, stage.local(to.position), 8.0, item.name)
    return stage.at(to)


def _plane(stage, item, mark):
    """A plate in the plane x-y of `on`, with a puck or a ball on it."""
    on, to = mark.frames
    at, axes = _place(stage, on)
    low, high = np.array([stage.span(item, axis) for axis in "xy"]).T
    ways = CORNERS * 0.5 + 0.5
    plate = at + (low + ways[:, :2] * (high - low)) @ axes[:, :2].T
    down = -9.0 if mark.sizes["ball"] else -6.0
    offsets = CORNERS * (28.0, 28.0, 1.4) + (0.0, 0.0, down)
    stage.add(
        "mesh",
        on.body,
        plate,
        item.name,
        offsets=offsets @ axes.T,
        faces=SIDES,
        width=1.0,
        face=BASE,
        shifts=np.tile(mark.sizes["offset"] * axes[:, 2], (8, 1)),
    )
    here = stage.local(to.position)
    if mark.sizes["ball"]:
        ball_at(stage, to.body, here, 7.0, item.name)
    else:
        z = to.rotation()[:, 2]
        rod(stage, to.body, here, -4.6 * z, 4.6 * z, 8.0, item.name)
    return stage.at(to)


def _fork(stage, item, mark):
    """A pin about z of `on` with a sleeve along z of `to` on it, and the shaft of `to`."""
    on, to = mark.frames
    at, axes = _place(stage, on)
    rod(stage, on.body, at, -11.0 * axes[:, 2], 11.0 * axes[:, 2], 4.0, f"pin {item.name}")
    ball_at(stage, on.body, at, 7.5, item.name)
    there, turned = _place(stage, to)
    z = turned[:, 2]
    ends = there - np.multiply.outer(stage.span(item), z)
    stage.add("cylinder", to.body, ends, item.name, offsets=[26.0 * z, -26.0 * z], size=3.2, face=DARK, width=1.0)
    return stage.at(on)


def _rod(stage, item, mark):
    """A massless link with a pin, a ball or a cross at each end."""
    on, to = mark.frames
    stage.connect("tube", stage.at(on), stage.at(to), [0.0, 1.0], item.name, size=2.8, face="#d9dee2", width=1.0)
    for frame, end in zip((on, to), mark.sizes["ends"]):
        at, axes = _place(stage, frame)
        z = axes[:, 2]
        if end == "pin" and (frame is on and mark.sizes["ends"] != ("pin", "pin")):
            rod(stage, frame.body, at, -8.0 * z, 8.0 * z, 5.5, f"pin {item.name}")
            axis_line(stage, frame.body, at, z)
        else:
            ball_at(stage, frame.body, at, 5.4, f"pin {item.name}")
    grounds(stage, mark, item.name)
    return middle(stage.at(on), stage.at(to))


def _wheel(stage, item, mark):
    """A disc about z of `to`, and the plane that its edge rolls on."""
    on, to = mark.frames
    radius = mark.sizes["radius"]
    wheel_at(stage, to, radius, item.name, half=1.6)
    at, axes = _place(stage, on)
    path = np.einsum("tji,tj->ti", stage.whole.axes(on.body), stage.whole.frame(to) - stage.whole.frame(on)) @ axes
    low, high = path[:, :2].min(axis=0) - 1.2 * radius, path[:, :2].max(axis=0) + 1.2 * radius
    corners = at + (low + (CORNERS[:4, :2] * 0.5 + 0.5) * (high - low)) @ axes[:, :2].T
    stage.add("area", on.body, corners, item.name, role="ground", face="#e9edf0", edge=GREY, width=0.8)
    return stage.at(to)


def _gear(stage, item, mark):
    on, to = mark.frames
    sizes = mark.sizes
    wheel_at(stage, on, sizes["on_radius"], item.name, bore=sizes["on_radius"] if sizes["internal"] else 0.0)
    wheel_at(stage, to, sizes["to_radius"], item.name)
    pitch_circle(stage, on, sizes["on_radius"], item.name)
    pitch_circle(stage, to, sizes["to_radius"], item.name)
    apart = float(np.linalg.norm((stage.poses.frame(to) - stage.poses.frame(on))[0]))
    share = sizes["on_radius"] / apart if apart > 1e-12 else 0.0
    return tuple(
        (weight, body, point)
        for weight, frame in ((1.0 - share, on), (share, to))
        for _, body, point in stage.at(frame)
    )


def _belt(stage, item, mark):
    """Two pulleys and the outer tangents between them."""
    on, to = mark.frames
    radii = mark.sizes["on_radius"], mark.sizes["to_radius"]
    for frame, radius in zip((on, to), radii):
        wheel_at(stage, frame, radius, item.name)
    distance = float(np.linalg.norm((stage.poses.frame(to) - stage.poses.frame(on))[0]))
    sine = np.clip((radii[0] - radii[1]) / max(distance, 1e-12), -1.0, 1.0)
    normal = (on.body, tuple(on.rotation()[:, 2].tolist()))
    for side in (1.0, -1.0):
        touch = np.array([sine, side * np.sqrt(1.0 - sine**2), 0.0])
        stage.connect(
            "line",
            stage.at(on),
            stage.at(to),
            [0.0, 1.0],
            item.name,
            normal=normal,
            width=2.4,
            shifts=[radii[0] * touch, radii[1] * touch],
        )
    return middle(stage.at(on), stage.at(to))


def _bevel(stage, item, mark):
    """Two pieces of the pitch cones, whose tips are at the origins of the frames."""
    sizes = mark.sizes
    sine, cosine = np.sin(sizes["shaft_angle"]), np.cos(sizes["shaft_angle"])
    radii = sizes["on_radius"], sizes["to_radius"]
    for frame, mine, other in zip(mark.frames, radii, radii[::-1]):
        at, axes = _place(stage, frame)
        height = (other + mine * cosine) / sine  # of the pitch point along this axis
        edge, face = stage.color(frame.body)
        stage.add(
            "cylinder",
            frame.body,
            [at + height * axes[:, 2], at + 0.62 * height * axes[:, 2]],
            item.name,
            radius=mine,
            top=0.62,
            face=face,
            edge=edge,
            width=1.0,
        )
    return stage.at(mark.frames[1])


def _rack(stage, item, mark):
    on, to = mark.frames
    at, axes = _place(stage, on)
    wheel_at(stage, to, mark.sizes["radius"], item.name)
    pitch_circle(stage, to, mark.sizes["radius"], item.name)
    more = 0.6 * mark.sizes["radius"]
    least, most = stage.span(item)
    ends = at + np.multiply.outer([least - more, most + more], axes[:, 0])
    edge, face = stage.color(on.body)
    points = np.where(CORNERS[:, :1] < 0.0, ends[0], ends[1])
    offsets = (CORNERS * (0.0, 3.5, 5.0) - (0.0, 4.0, 0.0)) @ axes.T
    stage.add("mesh", on.body, points, item.name, offsets=offsets, faces=SIDES, face=face, edge=edge, width=1.0)
    count = max(4, round((most - least + 2.0 * more) / (7.0 * stage.point)))
    along = ends[0] + np.outer(np.linspace(0.0, 1.0, 4 * count + 1), ends[1] - ends[0])
    heights = np.outer(np.resize([-2.0, 3.0, 3.0, -2.0], len(along)), axes[:, 1])
    for side in (-5.0, 5.0):
        stage.add("line", on.body, along, item.name, offsets=heights + side * axes[:, 2], edge=edge, width=0.9)
    return stage.at(to)


def _hold(stage, item, mark):
    """A ball between two plates across each direction that is held."""
    on, to = mark.frames
    at = stage.local(to.position)
    ball_at(stage, to.body, at, 5.0, item.name)
    axes = on.rotation()
    for k, axis in enumerate("xyz"):
        if mark.sizes[axis] is not None:
            turned = np.roll(axes, -k, axis=1)
            for side in (-6.6, 6.6):
                box_at(
                    stage,
                    to.body,
                    at,
                    turned,
                    (1.2, 10.0, 10.0),
                    item.name,
                    BASE,
                    (side, 0.0, 0.0),
                    turn=on.body,
                    role="ground",
                )
    return stage.at(to)


def _blade(stage, item, mark):
    """A skate along x of `to`."""
    to = mark.frames[1]
    at, axes = _place(stage, to)
    box_at(stage, to.body, at, axes, (15.0, 1.2, 4.0), item.name, face="#5b6771")
    return stage.at(to)


def _dashes(stage, item, mark):
    """Without a symbol of its own: a dashed line between its frames, with a mark at each."""
    if len(mark.frames) < 2:
        return stage.at(mark.frames[0]) if mark.frames else None
    on, to = mark.frames[:2]
    stage.connect("line", stage.at(on), stage.at(to), [0.0, 1.0], item.name, edge=GREY, width=1.0, dash=(5.0, 3.0))
    for frame in (on, to):
        ball_at(stage, frame.body, stage.local(frame.position), 2.6, item.name, face=METAL)
    return middle(stage.at(on), stage.at(to))


MARKS = {
    "pin": _pin,
    "ball": _ball,
    "guide": _guide,
    "sleeve": _sleeve,
    "screw": _screw,
    "bore": _bore,
    "slot": _slot,
    "weld": _weld,
    "cross": _cross,
    "bell": _bell,
    "plane": _plane,
    "fork": _fork,
    "rod": _rod,
    "wheel": _wheel,
    "gear": _gear,
    "belt": _belt,
    "bevel": _bevel,
    "rack": _rack,
    "hold": _hold,
    "blade": _blade,
    "dashes": _dashes,
} | FORCES
