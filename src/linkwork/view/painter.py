"""Shaded faces and the lines of them that are seen.

Faces are sorted by their distance from the eye, large ones in pieces; lines are kept where no face is before them.
Everything stays areas and lines, so that SVG and PDF are crisp.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np

from linkwork.view.camera import Camera, upwards
from linkwork.view.geometry import hull, round_number
from linkwork.view.hidden import Depths
from linkwork.view.pen import Pen
from linkwork.view.scene import Poses, Scene, basis
from linkwork.view.solids import Surface, ball, cylinder, seen_edges, split

LIGHT = np.array([-0.45, 0.55, 0.75])  # to the light: left, up, towards the eye
PIECES = 26.0  # pieces that the longest face is cut into
SLACK = 0.004  # of the picture: a line this far behind a face is still seen


class Painter:
    """Collects faces and lines with their depths; paints faces from the back to the front, and lines that are seen."""

    def __init__(self, scene: Scene, camera: Camera):
        self.scene, self.camera = scene, camera
        self.extent = max(float(np.linalg.norm(scene.high - scene.low)), 1e-9)
        self.most = self.extent / PIECES
        self.light = LIGHT / np.linalg.norm(LIGHT) @ camera.rows
        self.grid: list[np.ndarray] = []
        self.faces: list[tuple] = []
        self.lines: list[tuple] = []

    # -- collecting ------------------------------------------------------------------------------------------------
    def floor(self, k: int) -> None:
        """A grid below everything, and what the bodies shade of it."""
        up = upwards(self.scene)
        axis = int(np.argmax(np.abs(up)))
        low, high = self.scene.low.copy(), self.scene.high.copy()
        level = (low if up[axis] > 0 else high)[axis] - up[axis] * 18.0 * self.scene.point
        step = round_number(0.22 * self.extent)
        others = [one for one in range(3) if one != axis]
        first, last = low[others], high[others]
        for a, b in ((0, 1), (1, 0)):
            inner = np.arange(np.ceil(first[a] / step) * step, last[a], step)
            for value in (first[a], *inner, last[a]):
                ends = np.zeros((2, 3))
                ends[:, others[a]], ends[:, axis] = value, level
                ends[:, others[b]] = first[b], last[b]
                self.grid.append(ends)
        for shape in self.scene.shapes:
            if shape.look.role == "body":
                for surface in self._surfaces(shape, self.scene.poses, k):
                    flat = surface.vertices.copy()
                    flat[:, axis] = level
                    around = hull(flat[:, others])
                    if len(around) > 2:
                        corners = np.zeros((len(around), 3))
                        corners[:, others], corners[:, axis] = around, level
                        self._face(corners, "#e6eaed", level=-1.0)

    def put(self, poses: Poses, k: int) -> None:
        """Everything that stands in space at one time."""
        self.bodies(poses, k)
        scene = self.scene
        for shape in scene.shapes:
            if shape.look.role != "body":
                self._shape(shape, poses, k)
        for one in scene.connectors:
            vertices = scene.between(one, poses, k, scene.point)
            if one.kind == "tube":
                for a, b in pairwise(vertices):
                    self._surface(cylinder(a, b, one.size * scene.point), one.look)
            else:
                self._line(vertices, one.look)
        for trace in scene.traces:
            self._line(trace.points[:: max(1, len(trace.points) // 1500)], trace.look)

    def bodies(self, poses: Poses, k: int, ghost: bool = False) -> None:
        """Bodies at one time; ghosts are their edges alone."""
        for shape in self.scene.shapes:
            if shape.look.role == "body":
                self._shape(shape, poses, k, ghost)

    def _surfaces(self, shape, poses: Poses, k: int) -> list[Surface]:
        point = self.scene.point
        vertices = self.scene.vertices(shape, poses, k, point)
        radius = shape.radius + shape.size * point
        if shape.kind == "ball":
            return [ball(vertices[0], radius)]
        if shape.kind == "cylinder":
            return [cylinder(vertices[0], vertices[1], radius, shape.top, shape.bore)]
        if shape.kind == "mesh":
            return [Surface(vertices, shape.faces)]
        if shape.kind == "area":
            return [Surface(vertices, [tuple(range(len(vertices)))], closed=False)]
        return []

    def _shape(self, shape, poses: Poses, k: int, ghost: bool = False) -> None:
        surfaces = self._surfaces(shape, poses, k)
        for surface in surfaces:
            self._surface(surface, shape.look, ghost)
        if surfaces:
            return
        vertices = self.scene.vertices(shape, poses, k, self.scene.point)
        if shape.kind == "circle":
            across = poses.axes(shape.turn or shape.body)[k] @ (shape.side or (0.0, 0.0, 1.0))
            _, x, y = basis(across)
            turn = np.linspace(0.0, 2.0 * np.pi, 72)
            radius = shape.radius + shape.size * self.scene.point
            vertices = vertices[0] + radius * (np.outer(np.cos(turn), x) + np.outer(np.sin(turn), y))
        self._line(vertices, shape.look)

    def _surface(self, surface: Surface, look, ghost: bool = False) -> None:
        normals = surface.normals()
        middles = np.array([surface.vertices[face].mean(axis=0) for face in surface.faces])
        towards = self.camera.towards(middles)
        facing = np.einsum("fi,fi->f", normals, towards)
        for k, face in enumerate(surface.faces if not ghost and look.face != "none" else ()):
            if surface.closed and facing[k] <= 0.0:
                continue
            normal = normals[k] if facing[k] > 0.0 else -normals[k]
            color = shaded(look.face, round(float(normal @ self.light), 2))
            for piece in split(surface.vertices[face], self.most):
                self._face(piece, color, alpha=look.alpha)
        if look.width:
            alpha = 0.35 if ghost else 1.0
            for a, b in seen_edges(surface, normals, towards):
                self._line(surface.vertices[[a, b]], look, width=0.8 * look.width, alpha=alpha, weight=alpha**2)

    def _line(self, vertices, look, *, width=None, alpha=None, weight=1.0) -> None:
        width, alpha = width or look.width, look.alpha if alpha is None else alpha
        pieces = dashed(vertices, look.dash, self.scene.point) if look.dash else [np.asarray(vertices)]
        for piece in pieces:
            self.lines.append((self.camera.seen(piece), look.edge, width, alpha, weight))

    def _face(self, corners, color, level=0.0, alpha=1.0) -> None:
        """`level` is the shade on the floor (-1) or the rest."""
        seen = self.camera.seen(corners)
        self.faces.append((level, float(seen[:, 2].mean()), seen, color, alpha))

    # -- painting --------------------------------------------------------------------------------------------------
    def paint(self, axes, pen: Pen) -> None:
        """Floor, faces and lines as one collection each."""
        from matplotlib.collections import LineCollection, PolyCollection
        from matplotlib.colors import to_rgba

        axes.add_collection(
            LineCollection(
                [self.camera.seen(one)[:, :2] for one in self.grid], colors="#dfe4e8", linewidths=0.7, zorder=1.0
            ),
            autolim=False,
        )
        faces = sorted(self.faces, key=lambda one: (one[0], one[1]))
        colors = [to_rgba(color, alpha) for *_, color, alpha in faces]
        solid = PolyCollection(
            [seen[:, :2] for _, _, seen, *_ in faces],
            facecolors=colors,
            edgecolors=colors,
            linewidths=0.35,
            zorder=3.0,
            joinstyle="round",
        )
        solid.set_gid("solids")
        axes.add_collection(solid, autolim=False)
        (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
        depths = Depths((x0, y0), (x1, y1), SLACK * self.extent)
        for level, _, seen, _, alpha in faces:
            if level == 0.0 and alpha == 1.0:
                depths.cover(seen)
        depths.finish()
        found: list[tuple] = []
        for line, color, width, alpha, weight in self.lines:
            for piece in depths.seen(line):
                found.append((piece, to_rgba(color, alpha), width))
                pen.remember(piece[[0, -1]] if len(piece) < 6 else piece[::3], weight)
        lines = LineCollection(
            [one[0] for one in found],
            colors=[one[1] for one in found],
            linewidths=[one[2] for one in found],
            zorder=4.0,
            capstyle="round",
            joinstyle="round",
        )
        lines.set_gid("lines")
        axes.add_collection(lines, autolim=False)


@lru_cache(4096)
def shaded(color: str, light: float) -> str:
    """A colour in light: darker where it looks away from it."""
    from matplotlib.colors import to_hex, to_rgb

    share = 0.74 + 0.30 * max(light, -0.4)
    return to_hex(tuple(np.clip(np.array(to_rgb(color)) * share, 0.0, 1.0)))


def dashed(vertices, dash, point: float) -> list[np.ndarray]:
    """The strokes of a dashed line through vertices; dashes are in points."""
    out = []
    vertices = np.asarray(vertices, dtype=float)
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(vertices, axis=0), axis=1))])
    pattern, at, k = np.array(dash) * point, 0.0, 0
    if not lengths[-1] > 0.0 or not pattern.sum() > 0.0 or lengths[-1] / pattern.sum() > 2000:
        return [vertices]
    while at < lengths[-1]:
        end = min(at + pattern[k % len(pattern)], lengths[-1])
        if k % 2 == 0:
            inside = lengths[(lengths > at) & (lengths < end)]
            ways = np.concatenate([[at], inside, [end]])
            out.append(np.column_stack([np.interp(ways, lengths, vertices[:, axis]) for axis in range(3)]))
        at, k = end, k + 1
    return out
