"""Bodies in space: solids, flat figures with a little thickness, links to what is attached."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from linkwork.view.scene import INK
from linkwork.view.solids import convex_faces
from linkwork.view.stage import Stage

THIN = 3.0  # half the thickness of what is flat, in points
TUBE = 4.2  # radius of links that stand for a body


def put_body(stage: Stage, name: str) -> None:
    """A body as its solids, or as links to what is attached to it."""
    body = stage.mechanism.bodies[name]
    edge, face = stage.color(name)
    look: dict = {"role": "body", "edge": edge, "face": face, "width": 1.1}
    label = f"body {name}"
    for kind, where, *rest in body.outline:
        PUT.get(kind, _line)(stage, name, label, where, rest, look)
    if not body.has_angle and not body.outline:
        stage.add("ball", name, [0.0, 0.0, 0.0], label, size=6.5, **look)
        return
    nodes = _apart([node for node in stage.nodes[name] if not _covered(stage, body, node)], stage.point)
    if not body.outline:
        nodes = _apart([*nodes, stage.center(name)], stage.point)
    if stage.solid(name) or any(kind == "line" for kind, *_ in body.outline):
        hub = stage.center(name)
    else:
        hub = np.mean(nodes, axis=0) if len(nodes) > 2 else nodes[0] if nodes else stage.center(name)
    for node in nodes:
        if np.linalg.norm(node - hub) > 0.5 * stage.point:
            stage.add("cylinder", name, [hub, node], label, size=TUBE, **look)
            stage.add("ball", name, node, label, size=TUBE, **look)
    if len(nodes) > 2 or (len(nodes) < 2 and not body.outline):
        stage.add("ball", name, hub, label, size=TUBE * (1.0 if len(nodes) > 2 else 1.6), **look)


def put_center(stage: Stage, name: str) -> None:
    """A dark ball at the mass centre of a body that is given by mass and inertia alone."""
    body = stage.mechanism.bodies[name]
    if not body.outline and body.has_angle:
        center = stage.center(name)
        if stage.first(((1.0, name, tuple(center.tolist())),), "pin"):
            stage.add("ball", name, center, role="center", size=TUBE + 1.0, face=INK, width=0.0)


def _apart(points, near: float) -> list[np.ndarray]:
    """Points that are not at the place of an earlier one."""
    found: list[np.ndarray] = []
    for point in points:
        if all(np.linalg.norm(point - other) > near for other in found):
            found.append(np.asarray(point))
    return found


def _covered(stage, body, point) -> bool:
    """Whether a point is in or at what a body is drawn as, about: in the box around one of its solids."""
    for kind, where, *rest in body.outline:
        places = np.array([stage.local(one) for one in ([where] if kind == "circle" else where)])
        reach = rest[0] if kind in ("circle", "cylinder", "cone", "tube") else 0.0
        margin = float(reach) + 5.0 * stage.point
        if kind == "line":
            if any(_distance(point, a, b) <= margin for a, b in pairwise(places)):
                return True
        elif ((point >= places.min(axis=0) - margin) & (point <= places.max(axis=0) + margin)).all():
            return True
    return False


def _distance(point, a, b) -> float:
    share = np.clip((point - a) @ (b - a) / max((b - a) @ (b - a), 1e-30), 0.0, 1.0)
    return float(np.linalg.norm(a + share * (b - a) - point))


def _line(stage, body, label, where, rest, look) -> None:
    """A thin rod, unless it lies on a solid, where it is only a line."""
    points = [stage.local(point) for point in where]
    if stage.solid(body):
        stage.add("line", body, points, f"line {body}", **(look | {"width": 1.0}))
        return
    for a, b in pairwise(points):
        stage.add("cylinder", body, [a, b], label, size=TUBE, **look)


def _polygon(stage, body, label, where, rest, look) -> None:
    """A plate: the figure, pushed a little to both sides."""
    corners = np.array([stage.local(point) for point in where])
    normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    normal = normal / max(np.linalg.norm(normal), 1e-30)
    n = len(corners)
    faces = [
        tuple(range(n))[::-1],
        tuple(range(n, 2 * n)),
        *((k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)),
    ]
    offsets = np.repeat([-THIN * normal, THIN * normal], n, axis=0)
    stage.add("mesh", body, np.vstack([corners, corners]), label, offsets=offsets, faces=faces, **look)


def _circle(stage, body, label, where, rest, look) -> None:
    """A ball, or with a direction across it, or in the plane, a thin disc."""
    at = stage.local(where)
    if len(rest) == 1 and len(where) == 3:
        stage.add("ball", body, at, label, radius=rest[0], **look)
        return
    across = np.asarray(rest[1] if len(rest) > 1 else (0.0, 0.0, 1.0), dtype=float)
    across = across / np.linalg.norm(across)
    stage.add("cylinder", body, [at, at], label, radius=rest[0], offsets=[-THIN * across, THIN * across], **look)


def _solid(stage, body, label, where, rest, look) -> None:
    points = np.array([stage.local(point) for point in where])
    if len(points) < 4 or np.linalg.matrix_rank(points - points[0], tol=1e-9 * max(np.ptp(points), 1e-30)) < 3:
        _polygon(stage, body, label, where, rest, look)  # flat after all
        return
    stage.add("mesh", body, points, label, faces=convex_faces(points), **look)


def _cylinder(stage, body, label, where, rest, look) -> None:
    stage.add("cylinder", body, where, label, radius=rest[0], bore=rest[1] if len(rest) > 1 else 0.0, **look)


def _cone(stage, body, label, where, rest, look) -> None:
    stage.add("cylinder", body, where, label, radius=rest[0], top=0.0, **look)


def _mesh(stage, body, label, where, rest, look) -> None:
    stage.add("mesh", body, where, label, faces=[tuple(int(one) for one in face) for face in rest[0]], **look)


PUT = {
    "line": _line,
    "polygon": _polygon,
    "circle": _circle,
    "solid": _solid,
    "cylinder": _cylinder,
    "tube": _cylinder,
    "cone": _cone,
    "mesh": _mesh,
}
