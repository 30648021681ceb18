"""A textbook drawing of a planar mechanism at one time, with traced paths and earlier positions if wanted."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.mechanism.couplings import Belt, Gear, RackAndPinion
from linkwork.mechanism.forces import PointForce, SpringDamper
from linkwork.mechanism.joints import Hold, PinInSlot, Prismatic, RollingDisc
from linkwork.result.result import Result
from linkwork.view.canvas import GREY, INK, new_figure, style, write
from linkwork.view.elements import draw_joint, span
from linkwork.view.forces import draw_driver, draw_force, frames_of, points_of
from linkwork.view.geometry import covered, hull, round_length
from linkwork.view.poses import Poses, result_of
from linkwork.view.symbols import ACCENT, LINK, Pen

#: edge and face of bodies, in turn
BODY_COLOURS = (
    ("#1f5f99", "#cfe0f0"),
    ("#a8641a", "#f6e0bf"),
    ("#2e7d4f", "#d2ead9"),
    ("#8a4a9e", "#e8d8ee"),
    ("#9c3b3b", "#f3d5d2"),
    ("#4f6b7a", "#dbe4e9"),
)
MARGIN, STRIP = 40.0, 24.0  # points around the drawing, and for the line below it
LARGEST = (7.2, 5.4)  # inches
SMALLEST = (3.4, 2.4)


@explained
def draw(
    source,
    t: float | None = None,
    file=None,
    *,
    trace=(),
    ghosts=0,
    names: bool = True,
    size: tuple[float, float] | None = None,
    dpi: int = 200,
):
    """Draw a planar mechanism as a textbook would; returns the matplotlib figure.

    `source` is a result, an assembly, an evaluation or a state; of a result, `t` is the time (its first one
    if not given).  `trace` names points or bodies whose paths over the whole result are drawn
    ("coupler.tracer"); `ghosts` is a number of other positions, spread evenly over the result, or the times
    themselves.  `names=False` leaves the names away, `size` is the size in inches, `dpi` the dots an inch.
    With `file` the picture is written there and nothing is left open.
    """
    run = result_of(source)
    result = Result.of_state(run.at(run.t[0] if t is None else t), run.coordinates)
    traced = list(trace) if isinstance(trace, (list, tuple)) else [trace]
    paths = {name: np.column_stack([run[f"{name}.x"], run[f"{name}.y"]]) for name in traced}
    shadows = [Poses(Result.of_state(run.at(when))) for when in _ghost_times(run, ghosts)]
    with style():
        scene = _Scene(run, result, paths)
        figure = scene.open(shadows, size, file)
        scene.draw(shadows, names)
        if file is not None:
            write(figure, file, dpi)
    return figure


def _ghost_times(run, ghosts) -> list[float]:
    if np.ndim(ghosts):
        return list(ghosts)
    if isinstance(ghosts, bool) or int(ghosts) != ghosts or ghosts < 0:
        raise DescriptionError(
            message("draw", "cannot use its ghosts", repr(ghosts), "a number of positions, or times")
        )
    return list(np.linspace(run.t[0], run.t[-1], int(ghosts))) if len(run.t) > 1 else []


class _Scene:
    """The mechanism at one time and everything that its symbols need to know."""

    def __init__(self, run, result, paths):
        self.run, self.result, self.paths = run, result, paths
        self.mechanism = run.mechanism
        self.poses = Poses(result)
        self.joints = [one for one in self.mechanism.joints.values() if one.active]
        self.forces = [one for one in self.mechanism.forces.values() if one.active]
        self.drivers = [one for one in self.mechanism.drivers.values() if one.active]
        self.nodes = self._attached()
        self.pen: Pen  # made by `open`, when the scale is known
        self._done: set = set()

    # -- what is where -----------------------------------------------------------------------------
    def _attached(self) -> dict[str, list]:
        """Points of every body, in its own axes, where something is attached: its links lead there."""
        nodes: dict[str, list] = {name: [] for name in ("ground", *self.mechanism.bodies)}
        for joint in self.joints:
            attached = not isinstance(joint, Gear | Belt | RackAndPinion | RollingDisc | Hold)
            for frame in (joint.on, joint.to) if attached else ():
                nodes[frame.body].append(frame.position[:2])
            if isinstance(joint, Prismatic | PinInSlot):  # the guide is a part of the body that carries it
                axes = joint.on.rotation()[:2, :2]
                offset = joint.offset if isinstance(joint, PinInSlot) else 0.0  # elsewhere a method
                for way in span(self, joint):
                    nodes[joint.on.body].append(np.asarray(joint.on.position[:2]) + axes @ (way, offset))
        for force in self.forces:
            for frame in frames_of(force) if isinstance(force, SpringDamper | PointForce) else ():
                nodes[frame.body].append(frame.position[:2])
        for name in self.paths:
            body, _, point = name.partition(".")
            if point:
                nodes[body].append(self.mechanism.bodies[body].points[point][:2])
        return nodes

    @cached_property
    def _all_poses(self) -> Poses:
        return Poses(self.run)

    def is_solid(self, body: str) -> bool:
        """True where the outline of a body covers an area."""
        return body != "ground" and any(kind != "line" for kind, *_ in self.mechanism.bodies[body].outline)

    def skeleton(self, body) -> np.ndarray:
        """Corners, in the body's axes, of the link that stands for a body whose outline covers no area."""
        points = [point for kind, where, *_ in body.outline if kind == "line" for point in where]
        points += list(self.nodes[body.name])
        if not body.outline:
            points.append(body.center[:2])
        return hull([point[:2] for point in points])

    def outline_points(self, body: str, poses=None) -> np.ndarray:
        """World points around a body at the time of the drawing."""
        shape = self.mechanism.bodies[body]
        points = list(self.nodes[body]) if not self.is_solid(body) else []
        for kind, where, *rest in shape.outline:
            if kind == "circle":
                points += [
                    (where[0] + dx * rest[0], where[1] + dy * rest[0])
                    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                ]
            else:
                points += list(where)
        return (poses or self.poses).points(body, points or [shape.center])[0]

    def center(self, body: str) -> np.ndarray:
        """Mass centre of a body."""
        return self.poses.points(body, self.mechanism.bodies[body].center)[0, 0]

    def colour(self, body: str) -> tuple[str, str]:
        """Edge and face of a body."""
        if body == "ground":
            return INK, "#e4e8eb"
        return BODY_COLOURS[list(self.mechanism.bodies).index(body) % len(BODY_COLOURS)]

    def _corners(self, shadows) -> np.ndarray:
        """Points that must lie inside the picture."""
        found = [path for path in self.paths.values()]
        for poses in (self.poses, *shadows):
            found += [self.outline_points(body, poses) for body in self.mechanism.bodies]
        for joint in self.joints:
            for frame, radius in (
                (joint.on, getattr(joint, "on_radius", None)),
                (joint.to, getattr(joint, "to_radius", getattr(joint, "radius", None))),
            ):
                at = self.poses.place(frame)
                found += [[at - (radius or 0.0), at + (radius or 0.0)]]
            if isinstance(joint, Prismatic | PinInSlot | RollingDisc | RackAndPinion):
                moving = (
                    self.outline_points(joint.to.body)
                    if self.is_solid(joint.to.body)
                    else self.poses.place(joint.to)
                )
                here = self.result[f"{joint.name}.slide"][0]
                found += [moving + self.poses.axis(joint.on) * (way - here) for way in span(self, joint)]
        for force in self.forces:
            found += points_of(self, force)
        return np.vstack([np.asarray(points).reshape(-1, 2) for points in found] or [np.zeros((1, 2))])

    # -- drawing -----------------------------------------------------------------------------------
    def open(self, shadows, size, file):
        """Choose scale and size, and make the figure with axes that fill it."""
        corners = self._corners(shadows)
        low, high = corners.min(axis=0), corners.max(axis=0)
        extent = np.maximum(high - low, 1e-9 + 0.05 * (high - low).max())
        room = 72.0 * np.array(size or LARGEST) - (2.0 * MARGIN, 2.0 * MARGIN + STRIP)
        scale = (room / extent).min()
        inches = (
            np.array(size)
            if size
            else np.maximum((extent * scale + (2.0 * MARGIN, 2.0 * MARGIN + STRIP)) / 72.0, SMALLEST)
        )
        figure = new_figure(tuple(inches), file)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        half = 36.0 * inches / scale
        middle = 0.5 * (low + high) - (0.0, 0.5 * STRIP / scale)
        axes.set_xlim(middle[0] - half[0], middle[0] + half[0])
        axes.set_ylim(middle[1] - half[1], middle[1] + half[1])
        axes.set_aspect("equal")
        axes.set_axis_off()
        self.pen = Pen(axes, 1.0 / scale)
        return figure

    def draw(self, shadows, names) -> None:
        """Draw everything, from the back to the front."""
        for poses in shadows:
            for name in self.mechanism.bodies:
                self._body(name, poses, ghost=True)
        for name in self.mechanism.bodies:
            corners = hull(self.outline_points(name))
            if len(corners) > 2:
                self.pen.hide(corners)
        for name in self.mechanism.bodies:
            self._body(name, self.poses)
        for name, path in self.paths.items():
            self.pen.stroke(
                path, color=ACCENT, width=1.1, z=5.4, label=f"trace {name}", remember=len(path) < 3
            )
            self.pen.remember(path[:: max(1, len(path) // 400)])
        places: dict[tuple, list] = {}
        for joint in self.joints:
            self._note(places, joint.name, draw_joint(self, joint))
        wanted = [(force.name, draw_force(self, force)) for force in self.forces]
        wanted += [(driver.name, draw_driver(self, driver)) for driver in self.drivers]
        self._mass_centers()
        for name in self.paths:
            self.pen.dot(
                [self.result[f"{name}.x"][0], self.result[f"{name}.y"][0]], color=ACCENT, z=6.5, size=3.0
            )
        self._strip()
        if names:
            self._names(places, wanted)

    def _body(self, name, poses, ghost=False) -> None:
        body = self.mechanism.bodies[name]
        edge, face = self.colour(name)
        z: float = 1.2 if ghost else 3.0
        look: dict = {"face": face, "edge": edge, "label": f"body {name}"}
        if ghost:
            look.update(face="none", alpha=0.4, label=f"ghost {name}")
        if not body.has_angle and not body.outline:
            center = poses.points(name, (0.0, 0.0))[0, 0]
            self.pen.circle(center, 5.5 * self.pen.point, width=1.4, z=z + 3.0, **look)
            return
        if not self.is_solid(name):
            slotted = any(isinstance(one, PinInSlot) and one.on.body == name for one in self.joints)
            corners = poses.points(name, self.skeleton(body))[0]
            self.pen.link(corners, width=1.5 * LINK if slotted else LINK, z=z + 0.3, **look)
            return
        outside = [point for point in self.nodes[name] if not covered(body, point)]
        if outside:
            corners = poses.points(name, hull([*outside, body.center[:2]]))[0]
            self.pen.link(corners, width=0.7 * LINK, z=z - 0.1, **look)
        for kind, where, *rest in body.outline:
            points = poses.points(name, where)[0]
            if kind == "circle":
                self.pen.circle(points[0], rest[0], width=1.3, z=z, **look)
            elif kind == "polygon":
                self.pen.area(points, width=1.3, z=z, **look)
            else:
                self.pen.stroke(points, color=edge, width=1.0, z=z + 0.05, alpha=look.get("alpha", 1.0))

    def _mass_centers(self) -> None:
        """A quartered circle at the mass centre of bodies that are given by mass and inertia alone."""
        for name, body in self.mechanism.bodies.items():
            at = self.center(name)
            if body.outline or not body.has_angle or self._key(at) in self._done:
                continue
            self.pen.circle(at, 3.4 * self.pen.point, face="white", width=0.9, z=5.0)
            turn = np.linspace(0.0, 0.5 * np.pi, 12)
            quarter = 3.4 * self.pen.point * np.column_stack([np.cos(turn), np.sin(turn)])
            for sign in (1.0, -1.0):
                self.pen.area(np.vstack([[at], at + sign * quarter]), face=INK, width=0.0, z=5.1)

    def _key(self, at) -> tuple:
        return tuple(np.round(np.asarray(at) / (0.5 * self.pen.point)).astype(int))

    def pin(self, at, label) -> None:
        """A pin, drawn once a place."""
        if self._key(at) not in self._done:
            self._done.add(self._key(at))
            self.pen.pin(at, label=f"pin {label}")

    def support(self, at, body, label) -> None:
        """A support, drawn once a place, on the side that its body is mostly not on."""
        key = ("support", *self._key(at))
        if key in self._done:
            return
        self._done.add(key)
        path = self._all_poses.points(body, self.mechanism.bodies[body].center)[:, 0] - at
        size = np.hypot(path[:, 0], path[:, 1]).mean()
        hangs = size > self.pen.point and path[:, 1].mean() < -0.25 * size
        self.pen.support(
            at, 1.0 if hangs else -1.0, label=f"support {label}", z=5.2 if self.is_solid(body) else 2.0
        )

    def pitch_circle(self, at, radius, label) -> None:
        """A pitch circle, drawn once."""
        key = ("pitch", *self._key(at), round(radius / self.pen.point))
        if key not in self._done:
            self._done.add(key)
            self.pen.circle(
                at, radius, edge=INK, width=0.9, style=(0, (9, 2.5, 1.5, 2.5)), z=4.5, label=f"pitch {label}"
            )

    def ring(self, frame, radius, label) -> None:
        """A ring with inner teeth: a band outside its pitch circle."""
        at = self.poses.place(frame)
        edge, face = self.colour(frame.body)
        self.pen.circle(
            at, radius + 10.0 * self.pen.point, face=face, edge=edge, z=1.4, label=f"ring {label}"
        )
        self.pen.circle(at, radius, face="white", edge=edge, z=1.5)

    # -- words -------------------------------------------------------------------------------------
    def _note(self, places, name, at) -> None:
        places.setdefault(self._key(at), [at, []])[1].append(name)

    def _names(self, places, wanted) -> None:
        for at, names in places.values():
            self.pen.name(", ".join(names), at, italic=True, reach=8.0)
        for name, at in wanted:
            if at is not None:
                self.pen.name(name, at, reach=10.0, size=10.5)
        for name in self.paths:
            at = [self.result[f"{name}.x"][0], self.result[f"{name}.y"][0]]
            self.pen.name(name.partition(".")[2] or name, at, color=ACCENT, reach=7.0, size=10.5)
        for name in self.mechanism.bodies:
            corners = hull(self.outline_points(name))
            middle = corners.mean(axis=0)
            self.pen.name(name, middle, color=self.colour(name)[0], reach=9.0, inside=len(corners) > 2)

    def _strip(self) -> None:
        """The line below: the time, the direction of gravity, a length to measure by."""
        pen, point = self.pen, self.pen.point
        x0, x1 = pen.axes.get_xlim()
        y = pen.axes.get_ylim()[0] + 15.0 * point
        pen.axes.text(
            x0 + 16.0 * point,
            y,
            f"t = {self.poses.t[0]:.4g} s",
            fontsize=10.5,
            va="center",
            color=INK,
            zorder=8,
        )
        length, text = round_length(75.0 * point)
        right = x1 - 16.0 * point
        bar = np.array([[right - length, y - 4.0 * point], [right, y - 4.0 * point]])
        pen.stroke(bar, color=GREY, width=1.4, label="scale")
        for end in bar:
            pen.stroke([end - (0.0, 2.5 * point), end + (0.0, 2.5 * point)], color=GREY, width=1.2)
        pen.axes.text(
            right - 0.5 * length,
            y + 5.0 * point,
            text,
            fontsize=9.5,
            ha="center",
            va="center",
            color=INK,
            zorder=8,
        )
        gravity = np.asarray(self.mechanism.gravity[:2])
        if gravity.any():
            way = 11.0 * point * gravity / np.hypot(*gravity)
            at = np.array([right - length - 24.0 * point, y])
            pen.arrow(at - way, at + way, color=GREY, label="gravity")
            pen.axes.text(
                at[0] - 9.0 * point,
                at[1],
                "g",
                fontsize=11,
                fontstyle="italic",
                ha="center",
                va="center",
                color=INK,
                zorder=8,
            )
