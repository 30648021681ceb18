"""A scene of space on paper: perspective, or views along the axes as on a drawing sheet."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.view.camera import VIEWS, Camera, camera_of
from linkwork.view.canvas import GREY, INK, new_figure
from linkwork.view.geometry import round_length, round_number, unit
from linkwork.view.painter import Painter
from linkwork.view.paper import MARGIN, SMALLEST, STRIP, show_names
from linkwork.view.pen import Pen
from linkwork.view.scene import Scene, basis

LARGEST = (7.2, 5.6)  # inches
AXES = (("x", "#c0392b"), ("y", "#2e8b57"), ("z", "#2456a6"))


def show_in_space(scene: Scene, k: int = 0, *, size=None, view: Any = "perspective", ax=None, file=None, pen=Pen):
    """The figure of a scene of space at its k-th time."""
    if isinstance(view, str) and view == "three":
        return _three(scene, k, size, ax, file)
    camera = camera_of(scene, view)
    corners = _corners(scene)
    flat = camera.seen(corners)[:, :2]
    low, high = flat.min(axis=0), flat.max(axis=0)
    if ax is not None:
        box = ax.get_window_extent()
        size = tuple(np.array([box.width, box.height]) / ax.figure.dpi)
    inches, camera.scale = _fitted(low, high, size)
    if ax is None:
        figure = new_figure(tuple(inches), file)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    else:
        axes, figure = ax, ax.figure
    _panel(scene, axes, camera, camera.scale * 0.5 * (low + high), inches, k, strip=True, pen=pen(axes, 1.0))
    return figure


def _three(scene: Scene, k: int, size, ax, file):
    """Front, side and top as on a drawing sheet, to one scale, and the perspective beside them."""
    if ax is not None:
        raise DescriptionError(message("draw", "has three views for one axes", wanted="view='front' for each of them"))
    inches = np.array(size or (9.6, 8.0), dtype=float)
    figure = new_figure(tuple(inches), file)
    names = (("front", (0.0, 0.5)), ("side", (0.5, 0.5)), ("top", (0.0, 0.0)), ("perspective", (0.5, 0.0)))
    cameras = {name: camera_of(scene, name) for name, _ in names}
    corners = _corners(scene)
    flat = {name: camera.seen(corners)[:, :2] for name, camera in cameras.items()}
    half = 0.5 * inches
    shared = min(_fitted(one.min(axis=0), one.max(axis=0), half)[1] for name, one in flat.items() if name in VIEWS)
    for name, place in names:
        axes = figure.add_axes((*place, 0.5, 0.5))
        low, high = flat[name].min(axis=0), flat[name].max(axis=0)
        cameras[name].scale = shared if name in VIEWS else _fitted(low, high, half)[1]
        middle = cameras[name].scale * 0.5 * (low + high)
        _panel(scene, axes, cameras[name], middle, half, k, strip=True, title=name, words=name == "front")
    return figure


def _corners(scene: Scene) -> np.ndarray:
    return np.array([[(scene.low, scene.high)[(n >> axis) & 1][axis] for axis in range(3)] for n in range(8)])


def _fitted(low, high, size) -> tuple[np.ndarray, float]:
    edge = np.array((2.0 * MARGIN, 2.0 * MARGIN + STRIP))
    extent = np.maximum(high - low, 1e-9 + 0.05 * (high - low).max())
    room = np.maximum(72.0 * np.array(size if size is not None else LARGEST, dtype=float) - edge, 20.0)
    scale = float((room / extent).min())
    if size is not None:
        return np.array(size, dtype=float), scale
    return np.maximum((extent * scale + edge) / 72.0, SMALLEST), scale


def _panel(
    scene: Scene,
    axes,
    camera: Camera,
    middle,
    inches,
    k: int,
    strip: bool,
    title: str = "",
    words: bool = True,
    pen: Pen | None = None,
) -> None:
    half = 36.0 * inches
    axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
    axes.set_ylim(middle[1] - half[1] - 0.5 * STRIP, middle[1] + half[1] - 0.5 * STRIP)
    axes.set_aspect("equal")
    axes.set_axis_off()
    pen = pen or Pen(axes, 1.0)
    painter = Painter(scene, camera)
    if camera.distance:
        painter.floor(k)
    if scene.ghosts is not None:
        for when in range(len(scene.ghosts)):
            painter.bodies(scene.ghosts, when, ghost=True)
    painter.put(scene.poses, k)
    painter.paint(axes, pen)
    _overlay(scene, pen, camera, k)
    _strip(scene, pen, camera, k, title, words)
    now = scene.poses.only(k)
    show_names(scene, pen, lambda anchor: camera.seen(now.at(anchor))[0, :2])


def _overlay(scene: Scene, pen: Pen, camera: Camera, k: int) -> None:
    """Arrows, before everything else."""
    now = scene.poses.only(k)
    for one in scene.arrows:
        at, value = now.at(one.at)[0], one.values[k]
        options = {"color": one.look.edge, "width": one.look.width, "z": one.look.layer, "label": one.name}
        if one.kind == "turn":
            axis = now.axes(one.turn)[0] @ one.axis
            _, x, y = basis(axis)
            turn = np.radians(np.linspace(-35.0, 215.0, 60))[:: 1 if value > 0 else -1]
            arc = at + one.length * scene.point * (np.outer(np.cos(turn), x) + np.outer(np.sin(turn), y))
            flat = camera.seen(arc)[:, :2]
            pen.stroke(flat[:-4], **options)
            pen.head(flat[-1], flat[-1] - flat[-7], one.look.edge, z=one.look.layer)
            continue
        size = float(np.linalg.norm(value))
        if not size > 0.0:
            continue
        way = value * one.scale if one.scale else one.length * scene.point * value / size
        if one.aside:
            at = at + one.aside * scene.point * basis(value)[1] - 0.5 * way
        elif one.ends:
            at = at - way
        flat = camera.seen([at, at + way])[:, :2]
        if np.hypot(*(flat[1] - flat[0])) > 1.5:
            pen.arrow(*flat, **options)


def _strip(scene: Scene, pen: Pen, camera: Camera, k: int, title: str, words: bool) -> None:
    """The line below: time, meaning of arrows, gravity, the axes of the world, in views a length to measure by."""
    axes = pen.axes
    x0, x1 = axes.get_xlim()
    y = axes.get_ylim()[0] + 15.0
    write: dict[str, Any] = {"va": "center", "color": INK, "zorder": 8, "parse_math": False}
    said = [f"t = {scene.poses.t[k]:.4g} s", *scene.notes] if words else []
    axes.text(x0 + 16.0, y, "; ".join([*([title] if title else []), *said]), fontsize=10.5, **write)
    right = x1 - 30.0
    middle = np.array([right - 6.0, y + 12.0])
    order = sorted(range(3), key=lambda one: camera.rows[2, one])
    for one in order:
        way = 22.0 * camera.rows[:2, one]
        name, color = AXES[one]
        if np.hypot(*way) > 4.0:
            pen.arrow(middle, middle + way, color=color, width=1.3, label=f"axis {name}")
            axes.text(
                *(middle + way + 7.0 * unit(way)),
                name,
                fontsize=10,
                fontstyle="italic",
                ha="center",
                **(write | {"color": color}),
            )
    left = right - 52.0
    if not camera.distance:
        length, text = round_length(70.0 / camera.scale)
        length *= camera.scale
        bar = np.array([[left - length, y - 4.0], [left, y - 4.0]])
        pen.stroke(bar, color=GREY, width=1.4, label="scale")
        for end in bar:
            pen.stroke([end - (0.0, 2.5), end + (0.0, 2.5)], color=GREY, width=1.2)
        axes.text(left - 0.5 * length, y + 5.0, text, fontsize=9.5, ha="center", **write)
        left -= length + 20.0
    gravity = camera.rows[:2] @ np.asarray(scene.gravity)
    if np.hypot(*gravity) > 0.2 * np.linalg.norm(scene.gravity) > 0.0:
        way = 11.0 * unit(gravity)
        pen.arrow((left, y) - way, (left, y) + way, color=GREY, label="gravity")
        axes.text(left - 9.0, y, "g", fontsize=11, fontstyle="italic", ha="center", **write)
        left -= 30.0
    for key in scene.keys if words else ():
        value = round_number(60.0 / (key.scale * camera.scale))
        long = value * key.scale * camera.scale
        pen.arrow([left - long, y - 4.0], [left, y - 4.0], color=key.color, label=f"key {key.text}")
        axes.text(
            left - 0.5 * long,
            y + 6.0,
            f"{key.text} {value:g} {key.unit}",
            fontsize=9.5,
            ha="center",
            **(write | {"color": key.color}),
        )
        left -= max(long, 70.0) + 34.0
