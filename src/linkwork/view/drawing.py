"""A drawing of a mechanism at one time, in the plane as a textbook has it, in space in perspective or in views."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.result.result import Result
from linkwork.view import paper
from linkwork.view.build import build, source_of
from linkwork.view.canvas import new_figure, style, write
from linkwork.view.space import show_in_space


@explained
def draw(
    source: Any,
    t: float | None = None,
    file: Any = None,
    *,
    trace: Any = (),
    ghosts: Any = 0,
    names: Any = True,
    size: tuple[float, float] | None = None,
    dpi: int = 200,
    color: Any = None,
    arrows: Any = (),
    frames: bool = False,
    limits: Any = None,
    view: Any = "perspective",
    ax: Any = None,
    start: Any = None,
    near: Any = None,
):
    """Draw a mechanism as a textbook would; returns the matplotlib figure.

    `source` is a mechanism (assembled with `start` and `near`, or where that fails as it stands, with open joints
    marked), a result, an assembly, an evaluation or a state; of a result, `t` is the time (its first one if not given).

    | option | meaning |
    |---|---|
    | `trace` | points or bodies whose paths over the whole result are drawn, "coupler.tracer" |
    | `ghosts` | a number of other positions, spread evenly over the result, or the times themselves |
    | `names` | `False` leaves the names away; a list of names shows only these |
    | `color` | of a body, {"crank": "tomato"}, or of all |
    | `arrows` | "velocity" (mass centres), "force" (applied, with gravity), "reaction" (on `to`), or several of them |
    | | in a list; a map gives metres of the picture a unit, {"reaction": 1e-3} |
    | `frames` | axes of all frames of joints: x red, y green, z blue |
    | `limits` | of the picture: those of the whole result, "now", or ((x, x), (y, y)) |
    | `view` | in space: "perspective", "front", "side", "top", "three", or (azimuth, elevation) in degrees |
    | `size`, `dpi` | size in inches, dots an inch |
    | `ax` | matplotlib axes to draw into |
    | `file` | where the picture is written (png, svg, pdf, ...); then nothing is left open |
    """
    asked = {"start": start, "near": near}
    run, note = source_of(source, {key: value for key, value in asked.items() if value is not None})
    now = Result.of_state(run.at(run.t[0] if t is None else t), run.coordinates)
    with style():
        scene = build(
            run,
            now,
            [0],
            trace=trace,
            ghosts=ghosts,
            names=names,
            color=color,
            arrows=arrows,
            frames=frames,
            limits=limits,
            note=note,
        )
        figure = show(scene, size=size, view=view, ax=ax, file=file)
        if file is not None:
            write(figure, file, dpi)
    return figure


def show(scene, k: int = 0, *, size=None, view: Any = "perspective", ax=None, file=None):
    """The figure of a scene at its k-th time."""
    if size is not None and (np.shape(size) != (2,) or not np.all(np.asarray(size, dtype=float) > 0.0)):
        raise DescriptionError(message("draw", "cannot use its size", repr(size), "(width, height) in inches"))
    if scene.dimension == 3:
        return show_in_space(scene, k, size=size, view=view, ax=ax, file=file)
    low, high = scene.low, scene.high
    if ax is not None:
        box = ax.get_window_extent()
        size = tuple(np.array([box.width, box.height]) / ax.figure.dpi)
    inches, scale = paper.size_for(low, high, size, len(scene.keys))
    if ax is None:
        figure = new_figure(tuple(inches), file)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    else:
        axes, figure = ax, ax.figure
    paper.show(scene, paper.lay_out(axes, low, high, inches, scale), k)
    return figure
