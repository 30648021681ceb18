"""Shapes of space as flat faces and edges, and what of them is seen from a direction."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

AROUND = 28  # sides of what is round
SHARP = np.cos(np.radians(32.0))  # faces that meet at more than this have an edge between them


class Surface:
    """Vertices and convex or flat faces; `smooth` faces belong to something round, whose inner edges are not drawn."""

    def __init__(self, vertices, faces, closed=True):
        self.vertices = np.asarray(vertices, dtype=float)
        self.faces = [np.asarray(face, dtype=int) for face in faces]
        self.closed = closed

    def normals(self) -> np.ndarray:
        """(faces, 3): directions outwards, by Newell's sums over the corners."""
        found = np.zeros((len(self.faces), 3))
        for k, face in enumerate(self.faces):
            corners = self.vertices[face]
            following = np.roll(corners, -1, axis=0)
            found[k] = np.cross(corners, following).sum(axis=0)
        size = np.linalg.norm(found, axis=1, keepdims=True)
        return found / np.where(size > 0.0, size, 1.0)

    def edges(self) -> dict[tuple[int, int], list[int]]:
        """Pairs of vertices -> the faces that meet there."""
        found: dict[tuple[int, int], list[int]] = {}
        for k, face in enumerate(self.faces):
            for a, b in zip(face, np.roll(face, -1)):
                found.setdefault((min(int(a), int(b)), max(int(a), int(b))), []).append(k)
        return found


def ball(center, radius: float) -> Surface:
    """A sphere."""
    vertices, faces = _unit_ball()
    return Surface(np.asarray(center) + radius * vertices, faces)


@lru_cache
def _unit_ball():
    rows, columns = 10, 18
    polar = np.linspace(0.0, np.pi, rows + 1)[1:-1]
    turn = np.linspace(0.0, 2.0 * np.pi, columns, endpoint=False)
    rings = [(np.sin(p) * np.cos(a), np.sin(p) * np.sin(a), np.cos(p)) for p in polar for a in turn]
    vertices = np.array([(0.0, 0.0, 1.0), *rings, (0.0, 0.0, -1.0)])
    ring = lambda r, c: 1 + r * columns + c % columns  # noqa: E731 - a formula in one line
    faces = [(0, ring(0, c), ring(0, c + 1)) for c in range(columns)]
    faces += [
        (ring(r, c), ring(r + 1, c), ring(r + 1, c + 1), ring(r, c + 1))
        for r in range(rows - 2)
        for c in range(columns)
    ]
    faces += [(len(vertices) - 1, ring(rows - 2, c + 1), ring(rows - 2, c)) for c in range(columns)]
    return vertices, faces


def cylinder(start, end, radius: float, top: float = 1.0, bore: float = 0.0) -> Surface:
    """A cylinder, a cone (`top` is the share of the radius at the end) or, with a bore, a tube."""
    start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    way = end - start
    size = np.linalg.norm(way)
    along = way / size if size > 0.0 else np.array([0.0, 0.0, 1.0])
    x = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    x /= np.linalg.norm(x)
    turn = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    rim = np.outer(np.cos(turn), x) + np.outer(np.sin(turn), np.cross(along, x))
    n = AROUND
    following = [(k, (k + 1) % n) for k in range(n)]
    if top <= 0.0:
        return Surface(
            np.vstack([start + radius * rim, [end]]), [tuple(range(n))[::-1], *((a, b, n) for a, b in following)]
        )
    outer = np.vstack([start + radius * rim, end + top * radius * rim])
    sides = [(a, b, n + b, n + a) for a, b in following]
    if not bore:
        return Surface(outer, [*sides, tuple(range(n))[::-1], tuple(range(n, 2 * n))])
    inner = np.vstack([start + bore * rim, end + bore * rim])
    sides += [(2 * n + b, 2 * n + a, 3 * n + a, 3 * n + b) for a, b in following]
    sides += [(b, a, 2 * n + a, 2 * n + b) for a, b in following]
    sides += [(n + a, n + b, 3 * n + b, 3 * n + a) for a, b in following]
    return Surface(np.vstack([outer, inner]), sides)


def convex_faces(points) -> list[tuple[int, ...]]:
    """Triangles around points, counted so that they look outwards."""
    from scipy.spatial import ConvexHull

    found = ConvexHull(np.asarray(points, dtype=float))
    middle = found.points[found.vertices].mean(axis=0)
    faces: list[tuple[int, ...]] = []
    for (a, b, c), plane in zip(found.simplices.tolist(), found.equations):
        normal = np.cross(found.points[b] - found.points[a], found.points[c] - found.points[a])
        outwards = normal @ (found.points[a] - middle) > 0.0 if not plane[:3].any() else normal @ plane[:3] > 0.0
        faces.append((a, b, c) if outwards else (a, c, b))
    return faces


def seen_edges(surface: Surface, normals, towards) -> list[tuple[int, int]]:
    """Edges that a draughtsman draws: sharp ones and outlines, of faces that look at the eye.

    `towards` (faces, 3) are directions from the faces to the eye.
    """
    facing = np.einsum("fi,fi->f", normals, towards) > 1e-9
    found = []
    for edge, faces in surface.edges().items():
        if not facing[faces].any():
            continue
        if len(faces) != 2 or facing[faces[0]] != facing[faces[1]]:
            found.append(edge)
        elif normals[faces[0]] @ normals[faces[1]] < SHARP:
            found.append(edge)
    return found


def split(corners: np.ndarray, most: float) -> list[np.ndarray]:
    """A convex face in pieces that are nowhere longer than `most`, for sorting by depth."""
    low, high = corners.min(axis=0), corners.max(axis=0)
    if float((high - low).max()) <= most or len(corners) > 8:
        return [corners]
    axis = int(np.argmax(high - low))
    middle = 0.5 * (low[axis] + high[axis])
    halves = [_clipped(corners, sign * (corners[:, axis] - middle)) for sign in (1.0, -1.0)]
    return [piece for half in halves if len(half) > 2 for piece in split(half, most)]


def _clipped(corners: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """The part of a polygon whose heights are not negative."""
    out = []
    for k in range(len(corners)):
        here, there = heights[k], heights[(k + 1) % len(corners)]
        if here >= 0.0:
            out.append(corners[k])
        if (here > 0.0 > there) or (here < 0.0 < there):
            share = here / (here - there)
            out.append(corners[k] + share * (corners[(k + 1) % len(corners)] - corners[k]))
    return np.array(out)
