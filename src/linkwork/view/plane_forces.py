"""Symbols of forces and drivers in the plane: springs, dampers, arrows, stops."""

from __future__ import annotations

import numpy as np

from linkwork.view.geometry import across
from linkwork.view.plane_parts import WALL, dot_at, wall
from linkwork.view.scene import middle
from linkwork.view.stage import ACCENT, FORCE

ARROW = 38.0  # length of a force
REACH = 21.0  # radius of a turning arrow, and of the arc between two stops


class _Line:
    """Ways along a connector: a share of its length and points, mixed between two of them."""

    def __init__(self, first, last):
        self.first, self.last = np.array(first), np.array(last)

    def __call__(self, share):
        return self.first + share * (self.last - self.first)

    def inside(self, share, most, length):
        """The same line without a share, of at most so many points, at each end."""
        lead = np.array([0.0, most]) if share * length > most else np.array([share, 0.0])
        return _Line(self.first + lead, self.last - lead)


def _strut(stage, item, mark):
    on, to = mark.frames
    ways = stage.whole.frame(to) - stage.whole.frame(on)
    mean = ways.mean(axis=0)
    length = float(np.hypot(ways[:, 0], ways[:, 1]).min()) / stage.point
    for frame, away in ((on, -mean), (to, mean)):
        if frame.body != "ground":
            dot_at(stage, frame)
        elif stage.first(stage.at(frame), "support"):
            wall(stage, "ground", stage.local(frame.position), away)
    parts = [PARTS[part] for part in mark.sizes["parts"] if part in PARTS]
    shifts = 9.0 * (np.arange(len(parts)) - 0.5 * (len(parts) - 1)) * (2.0 if len(parts) > 1 else 0.0)
    line = _Line((0.0, 0.0), (1.0, 0.0))

    def stroke(ways, heights, width=1.2, kind="line", name="", **look):
        ways = np.array(ways)
        stage.connect(
            kind,
            stage.at(on),
            stage.at(to),
            ways[:, 0],
            name,
            width=width,
            offsets=np.column_stack([ways[:, 1], heights]),
            **({"layer": 4.0} | look),
        )

    if len(parts) > 1:  # side by side between two cross-pieces
        inner = line.inside(0.12, 9.0, length)
        for outer, end in ((line.first, inner.first), (line.last, inner.last)):
            stroke([outer, end], [0.0, 0.0])
            stroke([end, end], [shifts[0], shifts[-1]])
        line = inner
    for part, shift in zip(parts, shifts, strict=True):
        part(stroke, line, shift, length, item.name)
    return middle(stage.at(on), stage.at(to))


def _spring(stroke, line, shift, length, name):
    """A zigzag with straight ends."""
    inner = line.inside(0.22, 13.0, length)
    coils = int(np.clip((length - 26.0) / 8.5, 5, 16))
    ways = [line.first, *(inner(share) for share in np.linspace(0.0, 1.0, 2 * coils + 1)), line.last]
    heights = np.zeros(len(ways))
    heights[2:-2] = 6.5 * np.resize([1.0, -1.0], len(ways) - 4)
    stroke(ways, heights + shift, name=name)


def _damper(stroke, line, shift, length, name):
    """A dashpot: a cup on `start`, a piston on `end`."""
    cup = np.array([0.0, 15.0]) if 0.4 * length > 15.0 else np.array([0.4, 0.0])
    bottom, mouth = line(0.5) - 0.5 * cup, line(0.5) + 0.5 * cup
    piston = bottom + 0.55 * cup
    stroke([line.first, bottom], [shift, shift], name=name)
    stroke([mouth, bottom, bottom, mouth], shift + np.array([5.5, 5.5, -5.5, -5.5]))
    stroke([piston, piston], [shift + 4.1, shift - 4.1], width=2.4)
    stroke([piston, line.last], [shift, shift])


def _actuator(stroke, line, shift, length, name):
    """A hydraulic cylinder."""
    begin, finish = line(0.12), line(0.58)
    stroke([line.first, begin], [shift, shift])
    stroke(
        [begin, finish, finish, begin],
        shift + np.array([4.5, 4.5, -4.5, -4.5]),
        1.1,
        "area",
        name,
        face="#e8ecef",
        layer=4.1,
    )
    stroke([finish, line.last], [shift, shift], width=2.2)


PARTS = {"spring": _spring, "damper": _damper, "actuator": _actuator}


def _spiral(stage, item, mark):
    on, to = mark.frames
    turn = np.linspace(0.0, 5.0 * np.pi, 120)
    radius = np.linspace(6.0, 14.0, turn.size)
    stage.add(
        "line",
        to.body,
        stage.local(to.position),
        item.name,
        turn=on.body,
        offsets=np.column_stack([radius * np.cos(turn), radius * np.sin(turn)]),
        layer=5.5,
    )
    return stage.at(to)


def _push(stage, item, mark):
    (at,) = mark.frames
    parts = np.column_stack([stage.value(mark.sizes[axis]) for axis in "xy"])
    if not parts.any():
        return None
    if mark.sizes["axes"] == "body":
        parts = parts[:, :1] * stage.poses.axis(at) + parts[:, 1:] * stage.poses.axis(at, "y")
    stage.arrow("straight", stage.at(at), parts, item.name, length=ARROW, ends=True)
    return stage.at(at)


def _twist(stage, item, mark):
    to = mark.frames[0]
    values = stage.value(mark.sizes["value"])
    stage.arrow("turn", stage.at(to), np.where(values < 0.0, -1.0, 1.0), item.name, length=REACH, width=1.5)
    return stage.at(to)


def _stop(stage, item, mark):
    """Stops: a hatched edge where an offset ends, an arc with an edge at each end for an angle."""
    measure = mark.sizes["measure"]
    heading, frame, _ = measure.heading()
    bounds = [(mark.sizes[key], sign) for key, sign in (("lower", -1.0), ("upper", 1.0)) if mark.sizes[key] is not None]
    if heading == "turn" and len(measure.terms()) == 1 and measure.terms()[0][0] == 1.0:
        return _arc(stage, item, measure, frame, bounds)
    if heading not in ("axis", "world"):
        return _acts(stage, item, mark)
    way = stage.way(measure)[0]
    here = (stage.poses.frame(measure.to) - stage.poses.frame(measure.on))[0]
    turn = frame.body if frame is not None else "ground"
    axes = stage.poses.axes(turn)[0]
    found = []
    for bound, sign in bounds:  # from `on`, as far aside as `to` is now
        shift = axes.T @ (here + (bound - here @ way) * way)
        half = WALL * across(axes.T @ (sign * way))
        stage.add(
            "hatch",
            measure.on.body,
            [stage.local(measure.on.position)],
            item.name,
            shifts=[shift, shift],
            turn=turn,
            offsets=[-half, half],
            side=axes.T @ (sign * way),
            width=1.4,
            layer=1.8,
            role="ground",
        )
        low, high = stage.scene.low - 0.05 * stage.extent, stage.scene.high + 0.05 * stage.extent
        at = stage.poses.frame(measure.to)[0] + (bound - here @ way) * way
        if (at >= low).all() and (at <= high).all():
            found.append(
                (
                    abs(bound - here @ way),
                    (*stage.at(measure.on), (1.0, turn, tuple(shift.tolist())), (-1.0, turn, (0.0, 0.0))),
                )
            )
    return min(found)[1] if found else stage.at(measure.to)


def _arc(stage, item, measure, frame, ends):
    axes, turn = measure.on.rotation()[:2, :2], measure.on.body
    at = stage.local(frame.position)

    def around(angles, radius=REACH):
        return radius * np.column_stack([np.cos(angles), np.sin(angles)]) @ axes.T

    bounds = [bound for bound, _ in ends]
    if len(ends) == 1:  # the way to a single stop
        bounds.append(bounds[0] - 0.7 * ends[0][1])
    whole = abs(bounds[0] - bounds[1]) >= 2.0 * np.pi
    angles = np.linspace(0.0, 2.0 * np.pi, 80) if whole else np.linspace(*bounds, 40)
    stage.add("line", frame.body, at, item.name, offsets=around(angles), turn=turn, edge=FORCE, width=1.1, layer=5.2)
    for bound, _ in ends:
        edge = np.vstack([around([bound], 0.7 * REACH), around([bound], 1.3 * REACH)])
        stage.add(
            "line", frame.body, at, f"edge {item.name}", offsets=edge, turn=turn, edge=FORCE, width=1.8, layer=5.2
        )
    return stage.at(frame)


def _acts(stage, item, mark):
    measure = mark.sizes["measure"]
    if measure.heading()[0] == "turn":
        stage.arrow("turn", stage.at(measure.to), np.ones(len(stage.poses)), item.name, length=REACH, width=1.5)
        return stage.at(measure.to)
    stage.connect(
        "line",
        stage.at(measure.on),
        stage.at(measure.to),
        [0.0, 1.0],
        item.name,
        edge=FORCE,
        width=1.4,
        dash=(1.0, 1.65),
        layer=5.0,
        role="force",
    )
    return middle(stage.at(measure.on), stage.at(measure.to))


def _dot(stage, item, mark):
    dot_at(stage, mark.frames[0], FORCE, item.name)
    return stage.at(mark.frames[0])


def _drive(stage, item, mark):
    """An arrow along the driven measure, in the sense in which it moves."""
    measure = mark.sizes["measure"]
    rates = np.zeros(len(stage.poses)) if item.measure.rate_only else stage.now[f"{item.name}.value.rate"][stage.rows]
    sense = np.where(rates < 0.0, -1.0, 1.0)
    if measure.heading()[0] == "turn":
        stage.arrow("turn", stage.at(measure.to), sense, item.name, role="driver", color=ACCENT, length=17.0, width=1.5)
    else:
        stage.arrow(
            "straight",
            stage.at(measure.to),
            sense[:, None] * stage.way(measure),
            item.name,
            role="driver",
            color=ACCENT,
            length=ARROW,
            aside=16.0,
        )
    return stage.at(measure.to)


FORCES = {
    "strut": _strut,
    "spiral": _spiral,
    "push": _push,
    "twist": _twist,
    "stop": _stop,
    "acts": _acts,
    "dot": _dot,
    "drive": _drive,
}
