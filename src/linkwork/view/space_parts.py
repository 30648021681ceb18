"""Parts that symbols of space share: cylinders, boxes, balls, axes, pedestals.  Sizes are in points."""

from __future__ import annotations

import numpy as np

from linkwork.view.stage import GREY

METAL = "#f1f4f6"  # pins, balls, sleeves
BASE = "#d3d9de"  # what stands on the ground
DARK = "#8b98a3"  # shafts and rails
AXIS = (9.0, 2.5, 1.5, 2.5)
#: corners of a box, and its faces looking outwards
CORNERS = np.array([(x, y, z) for z in (-1.0, 1.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
SIDES = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def rod(stage, body, at, start, end, size, name="", face=METAL, **look) -> None:
    """A cylinder between two offsets from a place of a body."""
    stage.add(
        "cylinder", body, [at, at], name, offsets=[start, end], size=size, **({"face": face, "width": 1.0} | look)
    )


def ball_at(stage, body, at, size, name="", face=METAL, **look) -> None:
    """A ball."""
    stage.add("ball", body, at, name, size=size, **({"face": face, "width": 1.0} | look))


def box_at(stage, body, at, axes, half, name="", face=METAL, offset=(0.0, 0.0, 0.0), **look) -> None:
    """A box along axes (columns), with its half sizes."""
    offsets = (CORNERS * half + offset) @ np.asarray(axes).T
    stage.add("mesh", body, at, name, offsets=offsets, faces=SIDES, **({"face": face, "width": 1.0} | look))


def bar_between(stage, body, first, last, axes, half, more, name="", face=DARK, **look) -> None:
    """A square bar between two places of a body, a little longer; its axes are columns, x along it."""
    axes = np.asarray(axes)
    points = np.where(CORNERS[:, :1] < 0.0, first, last)
    offsets = (CORNERS * (more, half, half)) @ axes.T
    stage.add("mesh", body, points, name, offsets=offsets, faces=SIDES, **({"face": face, "width": 1.0} | look))


def axis_line(stage, body, at, way, reach=24.0) -> None:
    """The dash-dotted axis of a joint."""
    stage.add(
        "line",
        body,
        [at, at],
        offsets=[-reach * way, reach * way],
        role="axis",
        edge=GREY,
        width=0.8,
        dash=AXIS,
        layer=6.0,
    )


def pedestal(stage, frame, body, name) -> None:
    """What carries a joint on the ground: a foot on a plate, on the side that its body is mostly not on."""
    if not stage.first(stage.at(frame), "support"):
        return
    at = stage.local(frame.position)
    gravity = np.asarray(stage.mechanism.gravity, dtype=float)
    down = gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, -1.0])
    path = stage.whole.points(body, stage.center(body))[:, 0] - at
    size = np.linalg.norm(path, axis=1).mean()
    if size > stage.point and (path @ down).mean() > 0.25 * size:
        down = -down
    x = np.cross(down, np.eye(3)[int(np.argmin(np.abs(down)))])
    x /= np.linalg.norm(x)
    axes = np.column_stack([x, np.cross(-down, x), -down])
    look = {"role": "ground", "face": BASE}
    corners = CORNERS * np.where(CORNERS[:, 2:] > 0.0, (3.0, 3.0, 1.0), (9.0, 9.0, 1.0))
    corners[:, 2] = np.where(CORNERS[:, 2] > 0.0, 0.0, -19.0)
    stage.add("mesh", "ground", at, offsets=corners @ axes.T, faces=SIDES, width=1.0, **look)
    box_at(stage, "ground", at, axes, (14.0, 14.0, 1.6), f"support {name}", offset=(0.0, 0.0, -20.5), **look)


def grounds(stage, mark, name) -> None:
    """A pedestal for the frame that is on the ground."""
    on, to = mark.frames[:2]
    for mine, other in ((on, to), (to, on)):
        if mine.body == "ground":
            pedestal(stage, mine, other.body, name)


def wheel_at(stage, frame, radius, name, bore=0.0, half=5.0) -> None:
    """A disc about z of a frame, unless its body has a shape of its own; with a bore, a ring outside of it."""
    if stage.solid(frame.body) and not bore:
        return
    at, z = stage.local(frame.position), frame.rotation()[:, 2]
    edge, face = stage.color(frame.body)
    stage.add(
        "cylinder",
        frame.body,
        [at, at],
        name,
        offsets=[-half * z, half * z],
        radius=radius,
        size=10.0 if bore else 0.0,
        bore=bore,
        face=face,
        edge=edge,
        width=1.0,
    )
    if not bore and frame.body != "ground":
        rim = at + radius * frame.rotation()[:, 0]
        stage.add("line", frame.body, [at, rim], offsets=[(half + 0.3) * z, (half + 0.3) * z], edge=edge, width=1.0)


def pitch_circle(stage, frame, radius, name) -> None:
    """A pitch circle about z of a frame."""
    z = frame.rotation()[:, 2]
    stage.add(
        "circle", frame.body, stage.local(frame.position), f"pitch {name}", radius=radius, side=z, width=0.9, dash=AXIS
    )
