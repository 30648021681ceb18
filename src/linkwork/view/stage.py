"""From a result to a scene: what its items say of themselves, put at its poses."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.result.result import Result
from linkwork.result.violation import violation_of
from linkwork.view.arrows import add_arrows
from linkwork.view.poses import poses_of
from linkwork.view.scene import INK, Anchor, Arrow, Connector, Label, Look, Scene, Shape, Trace

#: edge and face of bodies, in turn
BODY_COLORS = (
    ("#1f5f99", "#cfe0f0"),
    ("#a8641a", "#f6e0bf"),
    ("#2e7d4f", "#d2ead9"),
    ("#8a4a9e", "#e8d8ee"),
    ("#9c3b3b", "#f3d5d2"),
    ("#4f6b7a", "#dbe4e9"),
)
GREY = "#7b8791"
ACCENT = "#b3261e"
FORCE = "#1d6b57"
ROOM = 400.0  # points that the longer side of a picture has, about: counts of coils and teeth follow from it
MOST = 600  # times of a run that spans and limits are read from
AXES = ("#c0392b", "#2e8b57", "#2456a6")  # x, y and z of a frame
ALONG = {"guide": "x", "slot": "x", "sleeve": "z", "screw": "z", "bore": "z"}  # where a joint slides


class Stage:
    """A scene in the making: `whole` are poses over the whole run, `poses` those that are shown."""

    def __init__(self, run: Result, now: Result, rows, colors: dict[str, str] | str | None = None):
        self.run, self.now, self.rows = run, now, np.asarray(rows, dtype=int)
        self.mechanism = m = run.mechanism
        self.dimension = m.dimension
        if not m.bodies:
            raise DescriptionError(
                message(
                    f"Mechanism '{m.name}'",
                    "has nothing to draw",
                    "no bodies",
                    remedy="add a body first: m.add('bar', lw.bar(length=1, mass=1))",
                )
            )
        self.poses = poses_of(now, self.rows)
        few = np.unique(np.linspace(0, len(run.t) - 1, min(MOST, len(run.t))).round().astype(int))
        self.whole = self.poses if now is run and len(few) == len(self.rows) else poses_of(run, few)
        self.items = [one for family in (m.joints, m.forces, m.drivers) for one in family.values() if one.active]
        self.marks = [(item, mark) for item in self.items for mark in item.symbol()]
        self.nodes = self._attached()
        self.colors = _colors(m, colors)
        self.item = ""  # what is put on it next belongs to this item
        self._seen: dict = {}
        self._kept: list = []
        self.scene = Scene(
            m.name, m.dimension, self.poses, np.zeros(0), np.zeros(0), tuple(m.gravity), colors=self.colors
        )

    # -- what is where ---------------------------------------------------------------------------------------------
    def span(self, item, name: str = "slide") -> tuple[float, float]:
        """Least and greatest value of a reading over the whole run."""
        series = self.run[f"{item.name}.{name}"]
        return float(series.min()), float(series.max())

    def _attached(self) -> dict[str, list]:
        """Points of every body, in its own axes, where something is attached: its links lead there."""
        nodes: dict[str, list] = {name: [] for name in ("ground", *self.mechanism.bodies)}
        for item, mark in self.marks:
            for frame in mark.frames if mark.holds else ():
                nodes[frame.body].append(self.local(frame.position))
            axis = ALONG.get(mark.kind)
            if axis and "xyz".index(axis) < self.dimension and "slide" in item.readings():
                on, axes = mark.frames[0], mark.frames[0].rotation()  # the guide is a part of the body that carries it
                aside = mark.sizes.get("offset", 0.0) * axes[:, 1]
                for value in self.span(item):
                    way = value * axes[:, "xyz".index(axis)]
                    nodes[on.body].append(self.local(np.asarray(on.position) + way + aside))
        return nodes

    def local(self, point) -> np.ndarray:
        """A point with as many components as the scene has dimensions."""
        return np.array((*point, 0.0, 0.0)[: self.dimension], dtype=float)

    def solid(self, body: str) -> bool:
        """True where the outline of a body covers an area or a volume."""
        return body != "ground" and any(kind != "line" for kind, *_ in self.mechanism.bodies[body].outline)

    def outline(self, body: str) -> np.ndarray:
        """Points around a body, in its own axes."""
        shape = self.mechanism.bodies[body]
        points = [] if self.solid(body) else [self.local(point) for point in self.nodes[body]]
        for kind, where, *rest in shape.outline:
            middles, reach = ([where], rest[0]) if kind == "circle" else (where, rest[0] if kind in ROUND else 0.0)
            ways = np.vstack([np.eye(self.dimension), -np.eye(self.dimension)]) * float(reach) if reach else [0.0]
            points += [self.local(middle) + way for middle in middles for way in ways]
        if not shape.outline:
            points.append(self.local(shape.center))
        return np.array(points)

    def center(self, body: str) -> np.ndarray:
        """The mass centre of a body, in its own axes."""
        return self.local(self.mechanism.bodies[body].center)

    @cached_property
    def ends(self) -> np.ndarray:
        """(points, dimension): what must lie inside the picture, over the whole run."""
        found = [
            poses.points(body, self.outline(body))
            for poses in (self.whole, *self._kept)
            for body in self.mechanism.bodies
        ]
        for item, mark in self.marks:
            radii = (mark.sizes.get("on_radius"), mark.sizes.get("to_radius", mark.sizes.get("radius")))
            for frame, radius in zip(mark.frames, (*radii, None)):
                at = self.whole.frame(frame)[:, None]
                found += [at] if not radius else [at - radius, at + radius]
            if mark.kind in ("guide", "slot", "wheel", "rack") and not self.solid(mark.frames[1].body):
                on = mark.frames[0]
                ways = np.multiply.outer(np.array(self.span(item)), on.rotation()[: self.dimension, 0])
                found.append(self.whole.points(on.body, self.local(on.position) + ways))
            found += self._stops(item, mark)
        for trace in self.scene.traces:
            found.append(trace.points[None])
        return np.vstack([one.reshape(-1, self.dimension) for one in found])

    def _stops(self, item, mark) -> list[np.ndarray]:
        """Places of stops that the motion comes near to, and the ends of what an element acts along."""
        measure = mark.sizes.get("measure")
        if measure is None or mark.kind == "drive":
            return []
        heading, _, _ = measure.heading()
        to = self.whole.frame(measure.to)
        found = [to[:, None]] if heading == "turn" else [to[:, None], self.whole.frame(measure.on)[:, None]]
        if mark.kind == "stop" and heading in ("axis", "world"):
            values = self.run[f"{item.name}.value"]
            near = self.run.model.length
            way = self.way(measure, self.whole)
            here = np.einsum("ti,ti->t", to - self.whole.frame(measure.on), way)
            for bound in (mark.sizes["lower"], mark.sizes["upper"]):
                if bound is not None and values.min() - near <= bound <= values.max() + near:
                    found.append((to + (bound - here)[:, None] * way)[:, None])
        return found

    def way(self, measure, poses=None) -> np.ndarray:
        """(times, dimension): the world direction in which `to` moves as a measure of a length grows."""
        poses = poses or self.poses
        heading, frame, axis = measure.heading()
        if heading == "axis":
            return poses.axis(frame, axis)
        if heading == "world":
            return np.tile(np.eye(3)["xyz".index(axis)][: self.dimension], (len(poses), 1))
        way = poses.frame(measure.to) - poses.frame(measure.on)
        size = np.linalg.norm(way, axis=1, keepdims=True)
        return np.where(size > 1e-12, way / np.maximum(size, 1e-12), np.eye(self.dimension)[0])

    def measure_limits(self, limits=None, rows=None) -> None:
        """The one set of limits of all times, and the length of a point in space."""
        ends = self.ends
        low, high = ends.min(axis=0), ends.max(axis=0)
        if limits is not None:
            low, high = _given_limits(limits, self.dimension)
        if float((high - low).max()) <= 1e-9 * (1e-3 + float(np.abs(ends).max())):  # a point: a metre around it
            low, high = low - 0.5, high + 0.5
        size = float((high - low).max())
        self.scene.low, self.scene.high = low, high
        self.extent = size
        self.point = size / ROOM
        if self.dimension == 3:
            self.scene.point = float(np.linalg.norm(high - low)) / ROOM or 1e-9 / ROOM
            self.point = self.scene.point

    # -- what is put on it -----------------------------------------------------------------------------------------
    def color(self, body: str) -> tuple[str, str]:
        """Edge and face of a body."""
        return (INK, "#e4e8eb") if body == "ground" else self.colors[body]

    def add(
        self,
        kind: str,
        body: str,
        points,
        name: str = "",
        *,
        offsets=None,
        shifts=None,
        turn: str = "",
        radius=0.0,
        size=0.0,
        side=(),
        faces=(),
        top=1.0,
        bore=0.0,
        **look,
    ) -> None:
        """Put a shape on a body."""
        points = np.array([self.local(point) for point in np.atleast_2d(points)])
        offsets, shifts = (
            None if one is None else np.array([self.local(x) for x in np.atleast_2d(one)]) for one in (offsets, shifts)
        )
        count = max(len(one) for one in (points, offsets, shifts) if one is not None)
        points = np.repeat(points, count, axis=0) if len(points) == 1 < count else points
        self.scene.shapes.append(
            Shape(
                kind,
                body,
                points,
                Look(**look),
                name,
                offsets,
                shifts,
                turn,
                float(radius),
                float(size),
                float(top),
                float(bore),
                tuple(map(float, side)),
                tuple(faces),
                self.item,
            )
        )

    def shift_last(self, count: int, shift) -> None:
        """Move the shapes that were put after the first so many, in metres along their `turn`."""
        for k in range(count, len(self.scene.shapes)):
            one = self.scene.shapes[k]
            self.scene.shapes[k] = replace(one, shifts=np.tile(shift, (len(one.points), 1)))

    def connect(
        self,
        kind: str,
        start: Anchor,
        end: Anchor,
        shares,
        name: str = "",
        *,
        offsets=None,
        shifts=None,
        size=0.0,
        normal=None,
        **look,
    ) -> None:
        """Put a connector between two anchors."""
        shares = np.asarray(shares, dtype=float)
        offsets, shifts = (
            None if one is None else np.array([self.local(x) for x in np.atleast_2d(one)]) for one in (offsets, shifts)
        )
        self.scene.connectors.append(
            Connector(kind, start, end, shares, Look(**look), name, offsets, shifts, size, normal, self.item)
        )

    def arrow(
        self,
        kind: str,
        at: Anchor,
        values,
        name: str = "",
        *,
        role="force",
        color=FORCE,
        layer=7.0,
        width=1.6,
        **options,
    ) -> None:
        """Put an arrow at an anchor."""
        look = Look(role, color, color, width, layer=layer)
        options.setdefault("item", self.item)
        self.scene.arrows.append(Arrow(kind, at, np.asarray(values, dtype=float), look, name, **options))

    def label(self, text: str, at: Anchor, **options: Any) -> None:
        """Put a name beside an anchor."""
        self.scene.labels.append(Label(text, at, **options))

    def at(self, frame) -> Anchor:
        """The anchor of a frame's origin."""
        return ((1.0, frame.body, tuple(self.local(frame.position).tolist())),)

    def first(self, anchor: Anchor, *kind) -> bool:
        """Whether nothing of this kind has been put at this place, where it stays over the whole run; notes it."""
        path = self.whole.at(anchor)
        few = path[[0, len(path) // 3, -1]]
        key = (*kind, *np.round(few / (0.5 * self.point)).astype(int).ravel().tolist())
        known = key in self._seen
        self._seen.setdefault(key, anchor)
        return not known

    def value(self, part) -> np.ndarray:
        """(times,): a number or a function of time at the times that are shown."""
        if callable(part):
            return np.array([float(part(float(t))[0]) for t in self.poses.t])
        return np.full(len(self.poses), float(part))

    # -- the whole -------------------------------------------------------------------------------------------------
    def names_of_joints(self, places: list[tuple[str, Anchor]]) -> None:
        """One label a place: joints that share it are named together."""
        grouped: dict = defaultdict(list)
        for name, anchor in places:
            path = self.whole.at(anchor)[[0, -1]]
            grouped[tuple(np.round(path / (0.5 * self.point)).astype(int).ravel().tolist())].append((name, anchor))
        for found in grouped.values():
            self.label(", ".join(name for name, _ in found), found[0][1], italic=True)

    def keep(self, poses) -> None:
        """Poses that must lie inside the picture, too."""
        self._kept.append(poses)

    def trace_from(self, run, names) -> None:
        """Paths of named points or bodies over a whole run."""
        for name in names:
            name = str(name)
            body, _, point = name.partition(".")
            path = np.column_stack([run[f"{name}.{axis}"] for axis in "xyz"[: self.dimension]])
            self.scene.traces.append(Trace(name, path, Look("trace", ACCENT, width=1.1, layer=5.4)))
            if body in self.mechanism.bodies:
                local = self.local(self.mechanism.bodies[body].points[point] if point else (0.0, 0.0))
                if point:
                    self.nodes[body].append(local)
                self.add(
                    "ball" if self.dimension == 3 else "circle",
                    body,
                    local,
                    f"tracer {name}",
                    size=3.0,
                    role="trace",
                    edge=ACCENT,
                    face=ACCENT,
                    width=0.0,
                    layer=6.5,
                )
                self.label(
                    point or name,
                    ((1.0, body, tuple(local.tolist())),),
                    role="trace",
                    color=ACCENT,
                    size=10.5,
                    reach=7.0,
                )

    def frames(self) -> None:
        """Axes of all frames that joints stand between, x, y and z in red, green and blue."""
        for item in self.items:
            for mark in item.symbol():
                for frame in mark.frames:
                    local, axes = self.local(frame.position), frame.rotation()
                    for k in range(self.dimension):
                        tip = 26.0 * axes[: self.dimension, k]
                        self.add(
                            "line",
                            frame.body,
                            [local, local],
                            f"frame {item.name}",
                            role="frame",
                            edge=AXES[k],
                            offsets=[0.0 * tip, tip],
                            width=1.8,
                            layer=7.5,
                        )

    def gaps(self) -> None:
        """Open joints of a single state, with how far they are open."""
        state = self.now.state(int(self.rows[0]))
        violation = violation_of(state)
        off: dict[str, list] = {}
        kinds = {row.name: (row.item, row.measure.quantity) for row in state.model.rows if row.kind == "joint"}
        for row, error in violation.positions.items():
            if row in kinds:
                item, quantity = kinds[row]
                off.setdefault(item, []).append((quantity == "length", error))
        for name, errors in off.items():
            joint = self.mechanism.joints[name]
            lengths = [error for is_length, error in errors if is_length]
            angles = [error for is_length, error in errors if not is_length]
            words = ([_short(float(np.linalg.norm(lengths)))] if lengths else []) + (
                [f"{np.degrees(np.linalg.norm(angles)):.3g}°"] if angles else []
            )
            on, to = self.at(joint.on), self.at(joint.to)
            self.connect(
                "line",
                on,
                to,
                [0.0, 1.0],
                f"gap {name}",
                role="gap",
                edge=ACCENT,
                width=1.6,
                dash=(3.0, 2.0),
                layer=7.2,
            )
            kind = "ball" if self.dimension == 3 else "circle"
            for frame in (joint.on, joint.to):
                self.add(
                    kind,
                    frame.body,
                    self.local(frame.position),
                    f"gap {name}",
                    size=5.5,
                    role="gap",
                    edge=ACCENT,
                    width=1.6,
                    layer=7.2,
                )
            half = tuple((0.5, body, point) for anchor in (on, to) for _, body, point in anchor)
            known = np.isfinite(
                [error for _, error in errors]
            ).all()  # a disc that lies flat, for example, is undefined
            text = f"{name} open {' and '.join(words) if known else 'by no number here'}"
            self.label(text, half, role="gap", color=ACCENT, size=10.5, reach=10.0)
        if off:
            self.scene.notes.append("open joints are marked")

    def moving(self, arrows) -> None:
        """Arrows of velocities, forces and reactions, to scale."""
        add_arrows(self, arrows)


ROUND = ("cylinder", "cone", "tube")


def _short(length: float) -> str:
    for factor, unit in ((1.0, "m"), (1e3, "mm"), (1e6, "µm")):
        if length * factor >= 1.0 or unit == "µm":
            return f"{length * factor:.3g} {unit}"
    return ""


def _given_limits(limits, dimension: int):
    found = np.asarray(limits, dtype=float) if not isinstance(limits, str) else np.zeros(0)
    if found.shape != (dimension, 2) or not (found[:, 0] < found[:, 1]).all():
        raise DescriptionError(
            message("draw", "cannot use its limits", repr(limits), "'now', or (least, greatest) of each axis")
        )
    return found[:, 0], found[:, 1]


def _colors(mechanism, given) -> dict[str, tuple[str, str]]:
    """Edge and face of every body: those given, else in turn."""
    found = {name: BODY_COLORS[k % len(BODY_COLORS)] for k, name in enumerate(mechanism.bodies)}
    if given is None:
        return found
    if isinstance(given, str):
        given = {name: given for name in found}
    if not isinstance(given, dict):
        raise DescriptionError(
            message("draw", "cannot use its color", repr(given), "a color, or {'crank': 'tomato', 'rod': '#1f5f99'}")
        )
    for name, color in given.items():
        if name not in found:
            raise UnknownNameError("body", name, list(found), f"in mechanism '{mechanism.name}', wanted by color=")
        found[name] = shades(color)
    return found


def shades(color) -> tuple[str, str]:
    """A colour for edges, darker, and one for faces, lighter, of any colour that matplotlib knows."""
    from matplotlib.colors import is_color_like, to_hex, to_rgb

    if not is_color_like(color):
        raise DescriptionError(
            message("draw", "does not know a color", repr(color), "a name such as 'tomato', or '#1f5f99'")
        )
    rgb = np.array(to_rgb(color))
    return to_hex(tuple(0.8 * rgb)), to_hex(tuple(0.28 * rgb + 0.72))
