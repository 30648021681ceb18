"""The scene of a mechanism, an assembly, a state, an evaluation or a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import AnalysisError, DescriptionError, UnknownNameError, message
from linkwork.mechanism.mechanism import Mechanism
from linkwork.result.result import Result
from linkwork.view import plane_bodies, plane_symbols, space_bodies, space_symbols
from linkwork.view.poses import poses_of, result_of
from linkwork.view.scene import Anchor, Poses, Scene
from linkwork.view.stage import Stage


def source_of(source: Any, options: dict[str, Any] | None = None) -> tuple[Result, str]:
    """The result to draw and what must be said of it; a mechanism alone is assembled, or shown as it stands."""
    if not isinstance(source, Mechanism):
        return result_of(source), ""
    if not source.bodies:
        raise DescriptionError(
            message(
                f"Mechanism '{source.name}'",
                "has nothing to draw",
                "no bodies",
                remedy="add a body first: m.add('bar', lw.bar(length=1, mass=1))",
            )
        )
    try:
        return result_of(source.assemble(**(options or {}))), ""
    except AnalysisError:
        return result_of(source.evaluate()), "it does not go together"


def build(
    run: Result,
    now: Result,
    rows,
    *,
    trace=(),
    ghosts=0,
    names: Any = True,
    color=None,
    arrows=(),
    frames: bool = False,
    limits=None,
    note: str = "",
    gaps: bool = True,
) -> Scene:
    """The scene of some times (`rows` of the result `now`) of a run."""
    whole = now if isinstance(limits, str) and limits == "now" else run
    stage = Stage(whole, now, rows, color)
    scene = stage.scene
    put, bodies = (plane_symbols.put, plane_bodies) if stage.dimension == 2 else (space_symbols.put, space_bodies)
    stage.trace_from(run, list(trace) if isinstance(trace, (list, tuple)) else [trace])
    scene.ghosts = _ghosts(run, ghosts)
    if scene.ghosts is not None:
        stage.keep(scene.ghosts)
    stage.measure_limits(None if isinstance(limits, str) else limits)
    for name in stage.mechanism.bodies:
        stage.item = name
        bodies.put_body(stage, name)
    joints: list[tuple[str, Anchor]] = []
    others: list[tuple[str, Anchor]] = []
    for item, mark in stage.marks:
        stage.item = item.name
        anchor = put(stage, item, mark)
        if anchor is not None:
            known = joints if item.name in stage.mechanism.joints else others
            known.append((item.name, anchor))
    for name in stage.mechanism.bodies:
        stage.item = name
        bodies.put_center(stage, name)
    stage.item = ""
    if frames:
        stage.frames()
    if arrows:
        stage.moving(arrows)
    if gaps:
        stage.gaps()
    if note:
        scene.notes.insert(0, note)
    _label(stage, joints, others, names)
    return scene


def _label(stage: Stage, joints, others, names) -> None:
    """Names of joints, of other items, of traced points and of bodies; a list chooses some."""
    traced, stage.scene.labels[:] = list(stage.scene.labels), []
    wanted = _wanted(stage, names)
    gaps = [one for one in traced if one.role == "gap"]
    open_ones = {one.text.partition(" open ")[0] for one in gaps}
    stage.scene.labels += gaps if wanted is not None else []
    if wanted is None:
        return
    stage.names_of_joints([(name, at) for name, at in joints if name in wanted and name not in open_ones])
    for name, anchor in others:
        if name in wanted:
            stage.label(name, anchor, role="force", size=10.5, reach=10.0)
    stage.scene.labels += [one for one in traced if one.role == "trace"]
    for name in stage.mechanism.bodies:
        if name in wanted:
            outline = stage.outline(name)
            middle = 0.5 * (outline.min(axis=0) + outline.max(axis=0))
            stage.label(
                name,
                ((1.0, name, tuple(middle.tolist())),),
                role="body",
                color=stage.color(name)[0],
                reach=9.0,
                inside=len(outline) > 2,
            )


def _wanted(stage: Stage, names) -> set[str] | None:
    m = stage.mechanism
    known = [*m.bodies, *m.joints, *m.forces, *m.drivers]
    if isinstance(names, bool):
        return set(known) if names else None
    listed = list(names) if isinstance(names, (list, tuple, set)) else [names]
    for name in listed:
        if name not in known:
            raise UnknownNameError("item", str(name), known, f"in mechanism '{m.name}', wanted by names=")
    return set(listed)


def _ghosts(run: Result, ghosts) -> Poses | None:
    if np.ndim(ghosts):
        times = list(ghosts)
    elif isinstance(ghosts, bool) or int(ghosts) != ghosts or ghosts < 0:
        raise DescriptionError(
            message("draw", "cannot use its ghosts", repr(ghosts), "a number of positions, or times")
        )
    else:
        times = list(np.linspace(run.t[0], run.t[-1], int(ghosts))) if len(run.t) > 1 else []
    if not times:
        return None
    found = [poses_of(Result.of_state(run.at(when))) for when in times]
    return Poses(
        np.concatenate([one.t for one in found]),
        found[0].bodies,
        np.vstack([one.places for one in found]),
        np.vstack([one.quaternions for one in found]),
    )
