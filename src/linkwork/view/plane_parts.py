"""Parts that symbols of the plane share: pins, supports, walls, wheels."""

from __future__ import annotations

import numpy as np

from linkwork.view.geometry import across, unit
from linkwork.view.scene import INK, Anchor

PIN = 3.6  # radius of a pin, in points
WALL = 11.0  # half length of a short piece of ground


def pin_at(stage, frame, name) -> None:
    """A pin seen from its end, drawn once a place."""
    if stage.first(stage.at(frame), "pin"):
        stage.add(
            "circle",
            frame.body,
            stage.local(frame.position),
            f"pin {name}",
            size=PIN,
            face="white",
            width=1.3,
            layer=6.0,
        )


def support(stage, frame, body, name) -> None:
    """The triangle on hatched ground that carries a fixed pin, on the side that its body is mostly not on."""
    at = stage.local(frame.position)
    if not stage.first(stage.at(frame), "support"):
        return
    path = stage.whole.points(body, stage.center(body))[:, 0] - at
    size = np.hypot(path[:, 0], path[:, 1]).mean()
    down = 1.0 if size > stage.point and path[:, 1].mean() < -0.25 * size else -1.0
    layer = 5.2 if stage.solid(body) else 2.0
    stage.add(
        "area",
        "ground",
        at,
        offsets=[(0, 0), (-9, 15 * down), (9, 15 * down)],
        face="#eef1f3",
        width=1.2,
        layer=layer,
        role="ground",
    )
    stage.add(
        "hatch",
        "ground",
        at,
        f"support {name}",
        offsets=[(-14, 15 * down), (14, 15 * down)],
        side=(0.0, down),
        width=1.4,
        layer=layer - 0.2,
        role="ground",
    )


def wall(stage, body, at, away, name="", turn="", offset=0.0) -> None:
    """A short hatched edge behind a point, across the direction `away` into the ground."""
    away = unit(away)
    half = WALL * across(away)
    stage.add(
        "hatch",
        body,
        at,
        name,
        offsets=[offset * away - half, offset * away + half],
        side=away,
        turn=turn,
        width=1.4,
        layer=1.8,
        role="ground",
    )


def grounds(stage, mark, name) -> None:
    """A support for the frame that is on the ground."""
    on, to = mark.frames
    for mine, other in ((on, to), (to, on)):
        if mine.body == "ground":
            support(stage, mine, other.body, name)


def wheel_at(stage, frame, radius, name) -> None:
    """A circle with a spoke that shows how far it has turned; on the ground only the circle."""
    if stage.solid(frame.body):
        return
    at = stage.local(frame.position)
    face = "#eef1f3" if frame.body == "ground" else stage.color(frame.body)[1]
    stage.add("circle", frame.body, at, name, radius=radius, face=face, layer=2.8)
    if frame.body != "ground":
        stage.add("line", frame.body, [at, at + radius * frame.rotation()[:2, 0]], width=1.0, layer=2.9)


def pitch_circle(stage, frame, radius, name) -> None:
    """A pitch circle, drawn once."""
    if stage.first(stage.at(frame), "pitch", round(radius / stage.point)):
        stage.add(
            "circle",
            frame.body,
            stage.local(frame.position),
            f"pitch {name}",
            radius=radius,
            width=0.9,
            dash=(9.0, 2.5, 1.5, 2.5),
            layer=4.5,
        )


def dot_at(stage, frame, color=INK, name="") -> None:
    """A filled dot."""
    stage.add(
        "circle", frame.body, stage.local(frame.position), name, size=2.2, face=color, edge=color, width=0.0, layer=6.0
    )


def contact(stage, on, to, distance) -> Anchor:
    """The point at a distance from `on` towards `to`."""
    apart = float(np.hypot(*(stage.poses.frame(to) - stage.poses.frame(on))[0]))
    share = distance / apart if apart > 1e-12 else 0.0
    return tuple(
        (weight, body, point)
        for weight, frame in ((1.0 - share, on), (share, to))
        for _, body, point in stage.at(frame)
    )
