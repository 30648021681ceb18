"""What a page shows of a run: its scene, poses, series and texts, ready to be packed."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwork.errors import AnalysisError, LinkworkError
from linkwork.result.result import Result
from linkwork.view.arrows import KINDS
from linkwork.view.axis import axis_label, unit_text
from linkwork.view.build import build
from linkwork.view.camera import VIEWS, camera_of, upwards
from linkwork.view.canvas import model_text
from linkwork.view.page.pack import Pack
from linkwork.view.plot import chosen
from linkwork.view.scene import Scene

MOST_NUMBERS = 4_000_000  # of all series of a run; what is beyond is left out, and said
TURN = 2.0 * np.pi / 65536.0
MOVING = ("m", "rad")  # units of what also has a rate that is worth a look


def run_data(pack: Pack, run: Result, rows, *, plots=(), arrows=(), view: Any = "perspective", **options) -> dict:
    """A run at some of its times (`rows`), as texts and numbers that a page reads."""
    shown = arrows if isinstance(arrows, dict) else dict.fromkeys([arrows] if isinstance(arrows, str) else arrows)
    scene = _scene(run, rows, shown, options)
    found = scene.to_dict()
    del found["poses"], found["colors"]
    found["bodies"] = list(scene.poses.bodies)
    found["t"] = pack.real(run.t[rows])
    found["stored"] = len(run.t)
    found["places"] = [
        [pack.steps(scene.poses.places[:, k, axis]) for axis in range(scene.dimension)]
        for k in range(len(scene.poses.bodies))
    ]
    found["turns"] = [_turns(pack, scene, k) for k in range(len(scene.poses.bodies))]
    for arrow, one in zip(scene.arrows, found["arrows"]):
        columns = arrow.values[:, None] if arrow.values.ndim == 1 else arrow.values
        one["values"] = [pack.steps(columns[:, axis]) for axis in range(columns.shape[1])]
    found["shown"] = list(shown)
    found["kinds"] = {kind: KINDS[kind][1] for kind in KINDS}
    for trace, one in zip(scene.traces, found["traces"]):
        one["points"] = [pack.steps(trace.points[rows, axis]) for axis in range(scene.dimension)]
    found["points"] = [
        [["", _flat(body.center, scene.dimension)]]
        + [[point, _flat(where, scene.dimension)] for point, where in body.points.items()]
        for body in run.mechanism.bodies.values()
    ]
    found["camera"] = _camera(scene, view) if scene.dimension == 3 else None
    plots = run.scalars(list(plots) or chosen(run))
    found["items"], found["series"], left_out = _series(pack, run, rows, plots)
    found["plots"] = plots
    found["report"] = str(run)
    found["check"] = _check(run)
    found["model"] = model_text(run.mechanism)
    if len(rows) < len(run.t):
        found["notes"].append(f"{len(rows)} of {len(run.t)} stored times")
    if left_out:
        found["notes"].append(f"{left_out} series left out, which would make the page too large")
    return found


def _scene(run: Result, rows, shown: dict, options: dict) -> Scene:
    """The scene with arrows of all kinds, which the page hides until they are wanted."""
    every = dict.fromkeys(KINDS) | shown
    try:
        return build(run, run, rows, gaps=len(rows) == 1, arrows=every, **options)
    except AnalysisError:  # a reaction that is no number, for example
        return build(run, run, rows, gaps=len(rows) == 1, arrows=shown, **options)


def _turns(pack: Pack, scene: Scene, k: int) -> list[dict]:
    """In the plane an angle, which wraps around; in space four components, without jumps of sign."""
    turns = scene.poses.quaternions[:, k]
    if scene.dimension == 2:
        return [pack.steps(2.0 * np.arctan2(turns[:, 3], turns[:, 0]), 0.0, TURN)]
    signs = np.where(np.einsum("ti,ti->t", turns[1:], turns[:-1]) < 0.0, -1.0, 1.0)
    turns = turns * np.concatenate([[1.0], np.cumprod(signs)])[:, None]
    return [pack.steps(turns[:, part], -1.0, 2.0 / 65535.0) for part in range(4)]


def _flat(point, dimension: int) -> list[float]:
    return [float(one) for one in (*point, 0.0, 0.0)[:dimension]]


def _camera(scene: Scene, view: Any) -> dict:
    """The directions of the first view: to the right, up and towards the eye, and the axis that is upwards."""
    camera = camera_of(scene, "perspective" if isinstance(view, str) and view == "three" else view)
    views = {name: camera_of(scene, name).rows.tolist() for name in VIEWS}
    views["perspective"] = camera_of(scene, "perspective").rows.tolist()
    return {
        "rows": camera.rows.tolist(),
        "distance": camera_of(scene, "perspective").distance,
        "parallel": not camera.distance,
        "up": upwards(scene).tolist(),
        "views": views,
    }


def _series(pack: Pack, run: Result, rows, wanted: list[str]) -> tuple[list[dict], list[dict], int]:
    """Items with the places of their series in the list of all series."""
    m = run.mechanism
    names: dict[str, list[str]] = {}
    for name in run.names:
        names.setdefault(name.partition(".")[0], []).append(name)
    families = {"body": m.bodies, "joint": m.joints, "force": m.forces, "driver": m.drivers, "reading": m.readings}
    asked: list[tuple[dict, list[str]]] = []
    for kind, family in families.items():
        for name, item in family.items():
            own = [one for one in names.get(name, ()) if kind != "body" or _of_body(one, m.dimension)]
            own = [one for each in own for one in (each, f"{each}.rate") if one == each or run.unit(each) in MOVING]
            asked.append(({"name": name, "kind": kind, "words": _words(kind, item)}, own))
    for name in ("energy", "system"):
        asked.append(({"name": name, "kind": "system", "words": "the mechanism as a whole"}, names.get(name, [])))
    known = {one for _, own in asked for one in own}
    asked.append(({"name": "further", "kind": "system", "words": "asked for"}, [o for o in wanted if o not in known]))
    found: list[dict] = []
    places: dict[str, int] = {}
    left_out = 0
    for name in dict.fromkeys([*wanted, *(one for _, own in asked for one in own)]):
        if len(found) * len(rows) > MOST_NUMBERS:
            left_out += 1
            continue
        try:
            values = run[name][rows]
        except AnalysisError:
            continue  # no number at some time
        places[name] = len(found)
        unit = run.unit(name)
        found.append(
            {
                "name": name,
                "unit": unit_text(unit),
                "axis": axis_label(unit),
                "words": run.long_name(name),
                "values": pack.steps(values),
            }
        )
    items = [one | {"series": [places[name] for name in own if name in places]} for one, own in asked]
    return [one for one in items if one["series"] or one["kind"] != "system"], found, left_out


def _of_body(name: str, dimension: int) -> bool:
    """Its place and turn, in space its angular velocity along the world axes."""
    _, _, what = name.partition(".")
    return what in ("x", "y", "z", "angle") or (dimension == 3 and what.startswith("angular_velocity.world"))


def _words(kind: str, item) -> str:
    """What an item is, in a few words: 'Revolute, ground to crank'."""
    ends = [getattr(getattr(item, key, None), "body", None) for key in ("on", "to")]
    bodies = [one for one in ends if isinstance(one, str)]
    return f"{type(item).__name__}{', ' + ' to '.join(bodies) if bodies else ''}" if kind != "body" else "body"


def _check(run: Result) -> str:
    """Freedom, loops and redundancy where the run begins."""
    try:
        return str(run.mechanism.check(start=run.state(0)))
    except LinkworkError as error:
        return f"The check was not possible: {error}"
