"""Symbols of forces and drivers in space: helical springs, dampers, arrows, stops."""

from __future__ import annotations

import numpy as np

from linkwork.view.scene import middle
from linkwork.view.space_parts import BASE, DARK, METAL, ball_at, box_at, rod
from linkwork.view.stage import ACCENT, FORCE

ARROW = 38.0  # length of a force
APART = 9.0  # of the ends of a bushing, more than its radius: a line joins them
REACH = 21.0  # radius of a turning arrow, and of the arc between two stops


def _strut(stage, item, mark):
    """Spring, damper and actuator, the spring around the others."""
    on, to = mark.frames
    length = float(np.linalg.norm(stage.whole.frame(to) - stage.whole.frame(on), axis=1).min()) / stage.point
    for frame in (on, to):
        ball_at(stage, frame.body, stage.local(frame.position), 3.6, item.name, METAL)
        if frame.body == "ground":
            way = (stage.whole.frame(to) - stage.whole.frame(on)).mean(axis=0) * (1.0 if frame is to else -1.0)
            _plate(stage, "ground", stage.local(frame.position), way, 4.0)
    parts = mark.sizes["parts"]
    if "actuator" in parts:
        _tube(stage, item, on, to, 0.10, 0.60, 5.0, BASE)
        _tube(stage, item, on, to, 0.60, 1.0, 2.2, DARK)
        _tube(stage, item, on, to, 0.0, 0.10, 2.2, DARK)
    elif "damper" in parts:
        _tube(stage, item, on, to, 0.12, 0.58, 4.2, BASE)
        _tube(stage, item, on, to, 0.58, 1.0, 1.9, DARK)
        _tube(stage, item, on, to, 0.0, 0.12, 1.9, DARK)
    if "spring" in parts:
        radius = 8.0 if len(parts) > 1 else 6.5
        coils = int(np.clip((length - 20.0) / 7.0, 4, 14))
        turn = np.linspace(0.0, 2.0 * np.pi * coils, 22 * coils)
        lead = 0.12
        shares = np.concatenate([[0.0], np.linspace(lead, 1.0 - lead, turn.size), [1.0]])
        offsets = np.zeros((len(shares), 3))
        offsets[1:-1, 1:] = radius * np.column_stack([np.cos(turn), np.sin(turn)])
        stage.connect("line", stage.at(on), stage.at(to), shares, item.name, offsets=offsets, width=1.6, role="force")
    return middle(stage.at(on), stage.at(to))


def _tube(stage, item, on, to, first, last, size, face) -> None:
    stage.connect(
        "tube", stage.at(on), stage.at(to), [first, last], item.name, size=size, face=face, width=0.9, role="force"
    )


def _plate(stage, body, at, away, offset=0.0, name="", turn="") -> None:
    """A small plate across a direction."""
    away = np.asarray(away, dtype=float)
    size = np.linalg.norm(away)
    away = away / size if size > 0.0 else np.array([0.0, 0.0, -1.0])
    x = np.cross(away, np.eye(3)[int(np.argmin(np.abs(away)))])
    x /= np.linalg.norm(x)
    axes = np.column_stack([x, np.cross(away, x), away])
    box_at(stage, body, at, axes, (10.0, 10.0, 1.3), name, BASE, (0.0, 0.0, offset), role="ground", turn=turn)


def _spiral(stage, item, mark):
    on, to = mark.frames
    axes = on.rotation()
    turn = np.linspace(0.0, 5.0 * np.pi, 120)
    radius = np.linspace(7.0, 15.0, turn.size)
    flat = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.full(turn.size, 10.5)])
    stage.add(
        "line",
        to.body,
        stage.local(to.position),
        item.name,
        turn=on.body,
        offsets=flat @ axes.T,
        width=1.3,
        role="force",
    )
    return stage.at(to)


def _bushing(stage, item, mark):
    """A block of rubber, and a line to where it is held, should that be apart."""
    on, to = mark.frames
    apart = np.linalg.norm(stage.whole.frame(to) - stage.whole.frame(on), axis=1)
    if apart.min() > APART * stage.point:
        stage.connect("line", stage.at(on), stage.at(to), [0.0, 1.0], item.name, width=1.6, role="force")
    at, z = stage.local(to.position), to.rotation()[:, 2]
    rod(stage, to.body, at, -7.0 * z, 7.0 * z, 9.0, item.name, "#6d7780", role="force")
    rod(stage, to.body, at, -8.5 * z, 8.5 * z, 3.5, item.name, METAL, role="force")
    return stage.at(to)


def _push(stage, item, mark):
    (at,) = mark.frames
    parts = np.column_stack([stage.value(mark.sizes[axis]) for axis in "xyz"])
    if not parts.any():
        return None
    if mark.sizes["axes"] == "body":
        parts = sum(parts[:, k : k + 1] * stage.poses.axis(at, axis) for k, axis in enumerate("xyz"))
    stage.arrow("straight", stage.at(at), parts, item.name, length=ARROW, ends=True)
    return stage.at(at)


def _about(stage, item, frame, sense, **look) -> None:
    stage.arrow(
        "turn", stage.at(frame), sense, item.name, turn=frame.body, axis=tuple(frame.rotation()[:, 2].tolist()), **look
    )


def _twist(stage, item, mark):
    to = mark.frames[0]
    _about(stage, item, to, np.where(stage.value(mark.sizes["value"]) < 0.0, -1.0, 1.0), length=REACH, width=1.5)
    return stage.at(to)


def _stop(stage, item, mark):
    """Stops: a plate where an offset ends, an arc with an edge at each end for an angle."""
    measure = mark.sizes["measure"]
    heading, frame, _ = measure.heading()
    bounds = [(mark.sizes[key], sign) for key, sign in (("lower", -1.0), ("upper", 1.0)) if mark.sizes[key] is not None]
    if heading == "turn" and len(measure.terms()) == 1 and measure.terms()[0][0] == 1.0:
        ends = [bound for bound, _ in bounds]
        ends = ends if len(ends) == 2 else [ends[0], ends[0] - 0.7 * bounds[0][1]]
        turn = np.linspace(*(ends if abs(ends[1] - ends[0]) < 2.0 * np.pi else (0.0, 2.0 * np.pi)), 48)
        arc = np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn]) @ measure.on.rotation().T
        for share in ([REACH * arc], *([0.7 * REACH * arc[k], 1.3 * REACH * arc[k]] for k in (0, -1)[: len(bounds)])):
            stage.add(
                "line",
                frame.body,
                stage.local(frame.position),
                item.name,
                turn=measure.on.body,
                offsets=np.vstack(share),
                edge=FORCE,
                width=1.5,
                role="force",
            )
        return stage.at(frame)
    if heading not in ("axis", "world"):
        return _acts(stage, item, mark)
    way = stage.way(measure)[0]
    here = (stage.poses.frame(measure.to) - stage.poses.frame(measure.on))[0]
    turn = frame.body if frame is not None else "ground"
    axes = stage.poses.axes(turn)[0]
    for bound, sign in bounds:
        if np.abs(bound - here @ way) > 2.0 * stage.extent:
            continue
        shift = axes.T @ (here + (bound - here @ way) * way)
        before = len(stage.scene.shapes)
        at = stage.local(measure.on.position)
        _plate(stage, measure.on.body, at, axes.T @ (sign * way), name=item.name, turn=turn)
        stage.shift_last(before, shift)
    return stage.at(measure.to)


def _acts(stage, item, mark):
    measure = mark.sizes["measure"]
    if measure.heading()[0] == "turn":
        _about(stage, item, measure.to, np.ones(len(stage.poses)), length=REACH, width=1.5)
        return stage.at(measure.to)
    stage.connect(
        "line",
        stage.at(measure.on),
        stage.at(measure.to),
        [0.0, 1.0],
        item.name,
        edge=FORCE,
        width=1.6,
        dash=(2.0, 2.5),
        role="force",
    )
    return middle(stage.at(measure.on), stage.at(measure.to))


def _dot(stage, item, mark):
    (at,) = mark.frames
    ball_at(stage, at.body, stage.local(at.position), 4.0, item.name, FORCE, role="force")
    return stage.at(at)


def _drive(stage, item, mark):
    """An arrow along or about the driven measure, in the sense in which it moves."""
    measure = mark.sizes["measure"]
    rates = np.zeros(len(stage.poses)) if item.measure.rate_only else stage.now[f"{item.name}.value.rate"][stage.rows]
    sense = np.where(rates < 0.0, -1.0, 1.0)
    heading, frame, _ = measure.heading()
    if heading == "turn":
        _about(stage, item, frame, sense, role="driver", color=ACCENT, length=19.0, width=1.6)
    else:
        stage.arrow(
            "straight",
            stage.at(measure.to),
            sense[:, None] * stage.way(measure),
            item.name,
            role="driver",
            color=ACCENT,
            length=ARROW,
            aside=18.0,
        )
    return stage.at(measure.to)


FORCES = {
    "strut": _strut,
    "spiral": _spiral,
    "bushing": _bushing,
    "push": _push,
    "twist": _twist,
    "stop": _stop,
    "acts": _acts,
    "dot": _dot,
    "drive": _drive,
}
