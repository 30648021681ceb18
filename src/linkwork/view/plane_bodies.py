"""Bodies in the plane: outlines, links to what is attached, mass centres."""

from __future__ import annotations

import numpy as np

from linkwork.view.geometry import covered, hull, rounded
from linkwork.view.scene import INK
from linkwork.view.stage import Stage

LINK = 11.0  # width of a link, in points


def put_body(stage: Stage, name: str) -> None:
    """A body as its outline, as links to what is attached to it, or as a dot where it has no extent."""
    body = stage.mechanism.bodies[name]
    edge, face = stage.color(name)
    look = {"name": f"body {name}", "role": "body", "edge": edge, "face": face}
    if not body.has_angle and not body.outline:
        stage.add("circle", name, [0.0, 0.0], size=5.5, width=1.4, layer=6.0, **look)
        return
    if not stage.solid(name):
        points = [point for kind, where, *_ in body.outline if kind == "line" for point in where]
        corners = hull([point[:2] for point in (*points, *stage.nodes[name], *(() if body.outline else [body.center]))])
        slotted = any(mark.kind == "slot" and mark.frames[0].body == name for _, mark in stage.marks)
        _link(stage, name, corners, 1.5 * LINK if slotted else LINK, layer=3.3, **look)
        return
    outside = [point for point in stage.nodes[name] if not covered(body, point)]
    if outside:
        _link(stage, name, hull([*outside, body.center[:2]]), 0.7 * LINK, layer=2.9, **look)
    for kind, where, *rest in body.outline:
        if kind == "circle":
            stage.add("circle", name, where, radius=rest[0], width=1.3, layer=3.0, **look)
        elif kind == "polygon":
            stage.add("area", name, where, width=1.3, layer=3.0, **look)
        elif kind == "line":
            stage.add("line", name, where, f"line {name}", role="body", edge=edge, width=1.0, layer=3.05)


def _link(stage, body, corners, width, **look) -> None:
    """A bar, or with three and more corners a plate, with round ends about its corners."""
    name = look.pop("name")
    if len(corners) == 1:
        stage.add("circle", body, corners, name, size=0.5 * width, **look)
        return
    around = rounded(corners, 1.0) - np.repeat(corners, 14, axis=0)
    stage.add("area", body, np.repeat(corners, 14, axis=0), name, offsets=0.5 * width * around, **look)


def put_center(stage: Stage, name: str) -> None:
    """A quartered circle at the mass centre of a body that is given by mass and inertia alone."""
    body = stage.mechanism.bodies[name]
    center = stage.center(name)
    if body.outline or not body.has_angle or not stage.first(((1.0, name, tuple(center.tolist())),), "pin"):
        return
    stage.add("circle", name, center, size=3.4, face="white", width=0.9, layer=5.0, role="center")
    turn = np.linspace(0.0, 0.5 * np.pi, 12)
    quarter = np.vstack([[0.0, 0.0], 3.4 * np.column_stack([np.cos(turn), np.sin(turn)])])
    for sign in (1.0, -1.0):
        stage.add(
            "area", name, center, offsets=sign * quarter, turn="ground", face=INK, width=0.0, layer=5.1, role="center"
        )
