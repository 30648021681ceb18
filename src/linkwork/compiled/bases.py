"""Bases that users choose: the points that a body's coordinates go along, instead of those of the automatic choice.

`{"coupler": ("a", "b")}`: points of the body by their names, or joints of it by theirs.  A mechanism carries its bases
along, so that all models that are made of it for a question have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from linkwork.compiled.model import Model
from linkwork.compiled.plans import takes_bases
from linkwork.compiled.variants import core_of, full_model, switches_of, variant
from linkwork.errors import CompileError, DescriptionError, UnknownNameError, message

#: body -> names of its points, as a mechanism keeps them
Bases = tuple[tuple[str, tuple[str, ...]], ...]
#: how many points a basis has, by dimension
COUNT = {2: 2, 3: 3}
WORDS = {2: "two", 3: "three"}
#: points closer together than this part of a length are one
APART = 1e-9
#: points that are given may be closer than those that are chosen, but not closer than this part of the radius of
#: gyration, and in space not closer to a line: an error of 1e-10 at a hundredth becomes 1e-9 at half of that
MUCH_TOO_CLOSE = 1e-2
#: the least sine of the angle at the first of three points: at a tenth of it a run evaluates a thousand times as much
NEARLY_IN_LINE = 1e-2


class Basis(NamedTuple):
    """Points of one body: their names, and their places from its mass centre, in its own axes."""

    body: int
    names: tuple[str, ...]
    places: tuple[np.ndarray, ...]


def read_bases(mechanism: Any, coordinates: str, basis: Any) -> Bases:
    """Bases as a user gives them, checked: names exist, and points lie apart."""
    example = '{"coupler": ("a", "b")}' if mechanism.dimension == 2 else '{"coupler": ("a", "b", "c")}'
    if not isinstance(basis, Mapping):
        raise DescriptionError(message("basis", "is not given by the names of bodies", repr(basis), example))
    if not takes_bases(coordinates):
        raise DescriptionError(
            message(
                "basis",
                "chooses points, which other coordinates do not have",
                f"coordinates={coordinates!r}",
                "coordinates='point'",
                "give coordinates='point' too, or leave out basis=",
            )
        )
    found = []
    for body, names in basis.items():
        if not isinstance(body, str) or body not in mechanism.bodies:
            raise UnknownNameError("body", body, list(mechanism.bodies), f"in the basis of '{mechanism.name}'")
        item, count = f"basis of '{body}'", COUNT[mechanism.dimension]
        if isinstance(names, str) or not isinstance(names, (list, tuple)) or len(names) != count:
            raise DescriptionError(
                message(item, f"is no list of {WORDS[mechanism.dimension]} points", repr(names), example)
            )
        if not mechanism.bodies[body].has_angle:
            raise DescriptionError(
                message(item, "is one of a Particle, which does not turn: it is a point itself", remedy="leave it out")
            )
        places = [_place(mechanism, body, name) for name in names]
        _check_apart(item, names, places)
        found.append((body, tuple(names)))
    return tuple(sorted(found))


def _place(mechanism: Any, body: str, name: Any) -> np.ndarray:
    """Where a point of a body is, or the end of a joint there, in the axes of its frame."""
    own, joints = mechanism.bodies[body].points, _joints_at(mechanism, body)
    if isinstance(name, str) and name in own:
        position = own[name]
    elif isinstance(name, str) and name in joints:
        position = joints[name].position
    else:
        raise UnknownNameError("point", name, [*own, *joints], f"of body '{body}'")
    out = np.zeros(3)
    out[: len(position)] = position
    return out


def _joints_at(mechanism: Any, body: str) -> dict[str, Any]:
    """Joints of a body, with their frame there."""
    return {
        name: frame
        for name, joint in mechanism.joints.items()
        for frame in (joint.to, joint.on)
        if frame.body == body and name not in mechanism.bodies[body].points
    }


def _check_apart(item: str, names: Any, places: list[np.ndarray]) -> None:
    """Refuse points that coincide, and three that lie nearly in one line."""
    size = max(float(np.abs(place).max()) for place in places)
    for k, one in enumerate(places):
        for n in range(k):
            if np.linalg.norm(one - places[n]) <= APART * max(size, 1e-300):
                raise DescriptionError(
                    message(item, "has points that coincide", f"'{names[n]}' and '{names[k]}'", "points that lie apart")
                )
    if len(places) == 3:
        one, two = places[1] - places[0], places[2] - places[0]
        sine = float(np.linalg.norm(np.cross(one, two)) / (np.linalg.norm(one) * np.linalg.norm(two)))
        if sine < (1.0 - APART) * NEARLY_IN_LINE:
            raise DescriptionError(
                message(
                    item,
                    "has points nearly in one line, and digits would be lost",
                    f"{', '.join(names)}, whose angle at '{names[0]}' has a sine of {sine:.3g}",
                    f"at least {NEARLY_IN_LINE:g}",
                    "begin with another one of them, or take a point farther beside the line",
                )
            )


def bases_of(model: Any) -> list[Basis]:
    """The bases of a model, in numbers."""
    mechanism, found = model.mechanism, []
    for body, names in mechanism.bases:
        b = model.body_index[body]
        center = model.bodies[b].center
        found.append(Basis(b, names, tuple(_place(mechanism, body, name) - center for name in names)))
    return found


def asked_for(segment: Any) -> dict[str, dict[str, list[str]]]:
    """The basis= of a part of a motion, as it is kept with its results; nothing where there was none.

    Only in a set that takes bases is its model asked for, which may have to be made.
    """
    bases = segment.model.mechanism.bases if takes_bases(segment.coordinates) else ()
    return {"basis": {body: list(names) for body, names in bases}} if bases else {}


def refuse(model: Any, basis: Basis, wrong: str, wanted: str | None = None, remedy: str | None = None) -> CompileError:
    """The error of a basis that the mechanism has no use for."""
    return CompileError(message(f"basis of '{model.bodies[basis.body].name}'", wrong, None, wanted, remedy))


def check_given(model: Any, basis: Basis, group: int, turning: Mapping[int, int], given: Mapping[int, int]) -> None:
    """Refuse a basis of a body that does not turn, or not by itself: groups and classes as in the choice of points."""
    bodies, wrong = model.bodies, ""
    if group == 0:
        wrong = "is one of a body that is held by the ground and does not move"
    elif group != basis.body + 1:
        other = bodies[group - 1].name
        raise refuse(
            model,
            basis,
            f"is one of a body that is welded to '{other}', and they are one",
            remedy=f"give points of '{other}'",
        )
    elif turning[group] == 0:
        wrong = "is one of a body that does not turn: its angle is held against the ground"
    elif turning[group] in given:
        other = bodies[given[turning[group]] - 1].name
        wrong = f"is one of a body that turns with '{other}', whose basis is given"
    if wrong:
        raise refuse(model, basis, wrong, remedy="leave it out")


def in_bases(model: Model, bases: Bases) -> Model:
    """The same model with other bases; what events have switched stays so.  States of one are states of the other."""
    core = core_of(model)
    if core.mechanism.bases == bases:
        return model
    plain = core.__dict__.get("_without_bases", core)
    found = plain
    if bases:
        kept = plain.__dict__.setdefault("_in_bases", {})
        if bases not in kept:
            mechanism = plain.mechanism.copy()
            mechanism.bases = bases
            kept[bases] = made = mechanism.__dict__["_model"] = replace(plain, mechanism=mechanism)
            made.__dict__.update(_without_bases=plain, geometry=plain.geometry)
        found = kept[bases]
    return found if model is core else variant(full_model(found), switches_of(model))
