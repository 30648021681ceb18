"""A drawing of a mechanism at one time, in the plane as a textbook has it, in space in perspective or in views."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.arguments import explained
from linkwork.result.result import Result
from linkwork.view import paper
from linkwork.view.build import build, source_of
from linkwork.view.canvas import check_size, new_figure, style, write
from linkwork.view.space import show_in_space


@explained
def draw(
    run: Any,
    t: float | None = None,
    file: Any = None,
    *,
    trace: Any = (),
    ghosts: Any = 0,
    names: Any = True,
    color: Any = None,
    arrows: Any = (),
    frames: bool = False,
    limits: Any = None,
    view: Any = "perspective",
    size: tuple[float, float] | None = None,
    dpi: int = 200,
    ax: Any = None,
) -> Any:
    """Draw a mechanism as a textbook would; returns the matplotlib figure.

    `run` is a result, drawn at the time `t` (its first one if not given); a mechanism, an assembly, an evaluation or a
    state are drawn as well.

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
    options = dict(trace=trace, ghosts=ghosts, names=names, color=color, arrows=arrows, frames=frames, limits=limits)
    return _drawn(run, {}, t, file, options, dict(view=view, size=size, ax=ax), dpi)


@explained
def draw_state(
    state: Any,
    file: Any = None,
    *,
    names: Any = True,
    color: Any = None,
    arrows: Any = (),
    frames: bool = False,
    limits: Any = None,
    view: Any = "perspective",
    size: tuple[float, float] | None = None,
    dpi: int = 200,
    ax: Any = None,
) -> Any:
    """Draw a mechanism in one position, met or not: open joints are marked with their gaps.

    With `file`, write the picture (png, svg, pdf); the options are those of `Result.draw`.
    """
    options = dict(names=names, color=color, arrows=arrows, frames=frames, limits=limits)
    return _drawn(state, {}, None, file, options, dict(view=view, size=size, ax=ax), dpi)


@explained
def draw_mechanism(
    mechanism: Any,
    file: Any = None,
    *,
    start: Any = None,
    near: Any = None,
    names: Any = True,
    color: Any = None,
    arrows: Any = (),
    frames: bool = False,
    limits: Any = None,
    view: Any = "perspective",
    size: tuple[float, float] | None = None,
    dpi: int = 200,
    ax: Any = None,
) -> Any:
    """Draw the mechanism before anything runs; with `file`, write the picture (png, svg, pdf).

    It is assembled, with `start=` and `near=` if given; where it does not go together, it is drawn as it stands, with
    open joints marked.  The other options are those of `Result.draw`.
    """
    assembled = {key: value for key, value in (("start", start), ("near", near)) if value is not None}
    options = dict(names=names, color=color, arrows=arrows, frames=frames, limits=limits)
    return _drawn(mechanism, assembled, None, file, options, dict(view=view, size=size, ax=ax), dpi)


def _drawn(source: Any, assembled: dict, t: Any, file: Any, options: dict, shown: dict, dpi: int):
    run, note = source_of(source, assembled)
    now = Result.of_state(run.at(run.t[0] if t is None else t), run.coordinates)
    with style():
        figure = show(build(run, now, [0], note=note, **options), file=file, **shown)
        if file is not None:
            write(figure, file, dpi)
    return figure


def show(scene, k: int = 0, *, size=None, view: Any = "perspective", ax=None, file=None):
    """The figure of a scene at its k-th time."""
    check_size(size, "draw")
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
