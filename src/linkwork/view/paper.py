"""A planar scene on paper: book drawings by matplotlib."""

from __future__ import annotations

import numpy as np

from linkwork.view.canvas import GREY
from linkwork.view.geometry import across, hull, round_length, round_number, unit
from linkwork.view.pen import Pen
from linkwork.view.scene import Poses, Scene

MARGIN, STRIP = 40.0, 24.0  # points around the drawing, and for the line below it
LARGEST = (7.2, 5.4)  # inches
SMALLEST = (3.4, 2.4)


def size_for(low, high, size, keys=0) -> tuple[np.ndarray, float]:
    """Size of a picture in inches, and points a metre, for what lies between two corners."""
    extent = np.maximum(high - low, 1e-9 + 0.05 * (high - low).max())
    edge = np.array((2.0 * MARGIN, 2.0 * MARGIN + STRIP))
    room = np.maximum(72.0 * np.array(size or LARGEST, dtype=float) - edge, 20.0)
    scale = float((room / extent).min())
    inches = np.array(size, dtype=float) if size else np.maximum((extent * scale + edge) / 72.0, SMALLEST)
    if not size and keys:  # each takes its room in the line below
        inches[0] = max(inches[0], 2.9 + 1.5 * keys)
    return inches, scale


def lay_out(axes, low, high, inches, scale) -> Pen:
    """Axes of equal scale, without frame, whose middle is that of the mechanism."""
    half = 36.0 * inches / scale
    middle = 0.5 * (low + high) - (0.0, 0.5 * STRIP / scale)
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
    axes.set_aspect("equal")
    axes.set_axis_off()
    return Pen(axes, 1.0 / scale)


def show(scene: Scene, pen: Pen, k: int = 0, names: bool = True) -> None:
    """Draw a planar scene at its k-th time, from the back to the front."""
    if scene.ghosts is not None:
        for when in range(len(scene.ghosts)):
            for shape in scene.shapes:
                if shape.look.role == "body":
                    _shape(scene, pen, shape, scene.ghosts, when, ghost=True)
    bodies = [shape for shape in scene.shapes if shape.look.role == "body"]
    for name in scene.poses.bodies:
        corners = [scene.vertices(one, scene.poses, k, pen.point) for one in bodies if one.body == name]
        if corners and len(around := hull(np.vstack(corners))) > 2:
            pen.hide(around)
    for shape in bodies:
        _shape(scene, pen, shape, scene.poses, k)
    for trace in scene.traces:
        path, look = trace.points, trace.look
        pen.stroke(
            path, color=look.edge, width=look.width, z=look.layer, label=f"trace {trace.name}", remember=len(path) < 3
        )
        pen.remember(path[:: max(1, len(path) // 400)])
    for shape in scene.shapes:
        if shape.look.role != "body":
            _shape(scene, pen, shape, scene.poses, k)
    for one in scene.connectors:
        vertices, look = scene.between(one, scene.poses, k, pen.point), one.look
        if one.kind == "area":
            pen.area(vertices, face=look.face, edge=look.edge, width=look.width, z=look.layer, label=one.name)
        else:
            pen.stroke(vertices, color=look.edge, width=look.width, z=look.layer, dash=look.dash, label=one.name)
    now = scene.poses.only(k)
    for arrow in scene.arrows:
        _arrow(pen, arrow, now.at(arrow.at)[0], arrow.values[k])
    _strip(scene, pen, k)
    if names:
        show_names(scene, pen, lambda anchor: now.at(anchor)[0])


def show_names(scene: Scene, pen: Pen, place) -> None:
    """Names, where there is room for them."""
    for one in scene.labels:
        pen.name(
            one.text,
            place(one.at),
            color=one.color,
            size=one.size,
            italic=one.italic,
            reach=one.reach,
            inside=one.inside,
        )


def _shape(scene: Scene, pen: Pen, shape, poses: Poses, k: int, ghost: bool = False) -> None:
    vertices = scene.vertices(shape, poses, k, pen.point)
    look = shape.look
    options: dict = {"z": look.layer, "width": look.width, "label": shape.name, "alpha": look.alpha}
    face = look.face
    if ghost:
        face = "none"
        options.update(z=look.layer - 1.8, alpha=0.4, label=shape.name.replace("body ", "ghost ", 1))
    if shape.kind == "circle":
        pen.circle(
            vertices[0], shape.radius + shape.size * pen.point, face=face, edge=look.edge, dash=look.dash, **options
        )
    elif shape.kind == "area":
        pen.area(vertices, face=face, edge=look.edge, **options)
    elif shape.kind == "hatch":
        side = poses.axes(shape.turn or shape.body)[k] @ shape.side
        pen.hatch(vertices[0], vertices[-1], side, color=look.edge, width=look.width, z=look.layer, label=shape.name)
    else:
        pen.stroke(vertices, color=look.edge, dash=look.dash, **options)


def _arrow(pen: Pen, one, at, value) -> None:
    options = {"color": one.look.edge, "width": one.look.width, "z": one.look.layer, "label": one.name}
    if one.kind == "turn":
        pen.turn_arrow(at, float(value), radius=one.length, **options)
        return
    way = value * one.scale if one.scale else one.length * pen.point * unit(value)
    if not np.hypot(*value) > 0.0 or np.hypot(*way) < 1.5 * pen.point:
        if not pen.keeps:  # a film keeps it for times when there is something to show
            return
        way = 0.0 * way
    if one.aside:
        at = at + one.aside * pen.point * across(unit(value)) - 0.5 * way
    elif one.ends:
        at = at - way
    pen.arrow(at, at + way, **options)


def _strip(scene: Scene, pen: Pen, k: int) -> None:
    """The line below: the time, what arrows mean, the direction of gravity, a length to measure by."""
    axes, point = pen.axes, pen.point
    x0, x1 = axes.get_xlim()
    y = axes.get_ylim()[0] + 15.0 * point
    words = "; ".join([f"t = {scene.poses.t[k]:.4g} s", *scene.notes])
    pen.write((x0 + 16.0 * point, y), words, fontsize=10.5)
    length, text = round_length(75.0 * point)
    right = x1 - 16.0 * point
    bar = np.array([[right - length, y - 4.0 * point], [right, y - 4.0 * point]])
    pen.stroke(bar, color=GREY, width=1.4, label="scale")
    for end in bar:
        pen.stroke([end - (0.0, 2.5 * point), end + (0.0, 2.5 * point)], color=GREY, width=1.2)
    pen.write((right - 0.5 * length, y + 5.0 * point), text, fontsize=9.5, ha="center")
    left = right - length - 24.0 * point
    gravity = np.asarray(scene.gravity[:2])
    if gravity.any():
        way = 11.0 * point * gravity / np.hypot(*gravity)
        at = np.array([left, y])
        pen.arrow(at - way, at + way, color=GREY, label="gravity")
        pen.write((left - 9.0 * point, y), "g", fontsize=11, fontstyle="italic", ha="center")
        left -= 30.0 * point
    for key in scene.keys:
        value = round_number(60.0 * point / key.scale)
        way = value * key.scale
        pen.arrow([left - way, y - 4.0 * point], [left, y - 4.0 * point], color=key.color, label=f"key {key.text}")
        pen.write(
            (left - 0.5 * way, y + 6.0 * point),
            f"{key.text} {value:g} {key.unit}",
            fontsize=9.5,
            ha="center",
            color=key.color,
        )
        left -= max(way, 70.0 * point) + 34.0 * point
