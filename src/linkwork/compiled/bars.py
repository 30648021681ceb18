"""Bars of space: what turns about an axis that has no inertia, and on which nothing acts.

A thin bar between two balls, a rod on one ball, a strut of two thin halves that slide.  The turn about the own axis of
such a bar has no acceleration, whatever the forces; points of the axis do not know it.  Coordinates of points can leave
it where it is, other sets cannot.

1. All mass centres of what turns as one lie on lines along one direction d, and I d = 0 for all of its bodies.
2. Every measure that a row holds, or that a law reads or acts along, begins and ends on these lines, and does not
   change with the turn: it reads no axes but those along d, or is one of a joint that keeps two origins together, or
   two axes along d.
3. Groups that slide go along d, on one line.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.compiled.shared_in_space import Together

#: parts of a vector that are rounding
NOTHING = 1e-9


def idle_turns(model: Any, free: frozenset[int]) -> np.ndarray:
    """(bars, n_v): turns of bodies about the axes of bars; none in the plane."""
    if model.dimension == 2 or not any(_is_bare(body) for body in model.bodies):
        return np.zeros((0, model.n_v))
    known = model.__dict__.setdefault("_idle_turns", {})
    if free not in known:
        known[free] = _idle_turns(model, free)
    return known[free]


def _idle_turns(model: Any, free: frozenset[int]) -> np.ndarray:
    found = Together(model, free, frozenset())
    bars = bars_of(found, free)
    out = np.zeros((len(bars), model.n_v))
    for row, (c, direction) in zip(out, bars.items()):
        for g in found.alike[c]:
            for b in found.members[g]:
                row[6 * b - 3 : 6 * b] = found.axes_of(b).T @ direction
    return out


def _is_bare(body: Any) -> bool:
    return bool(body.has_angle and body.inertia.min() <= 0.0)


def bars_of(found: Together, free: frozenset[int]) -> dict[int, np.ndarray]:
    """The classes that are bars, and d of each in the axes of its class."""
    model, out = found.model, {}
    touching = _touching(model, free)
    for c, groups in found.alike.items():
        bodies = [b for g in groups for b in found.members[g]]
        if c == 0 or not all(_is_bare(model.bodies[b - 1]) for b in bodies):
            continue
        direction = _axis(found, bodies, touching)
        if direction is not None and _Bar(found, c, direction).is_free(touching):
            out[c] = direction
    return out


def _touching(model: Any, free: frozenset[int]) -> list[tuple[str, Any]]:
    """Joint ("" for others) and measure of all that acts."""
    rows = [(row.item if row.kind == "joint" else "", row.measure) for r, row in enumerate(model.rows) if r not in free]
    found = [*rows, *(("", one) for one in model.channels)]
    return [(name, one) for name, measure in found for _, one in measure.terms()]


def _axis(found: Together, bodies: list[int], touching) -> np.ndarray | None:
    """The direction along which no body of a class has inertia; of one without any the line of its joints."""
    bare = []
    for b in bodies:
        body = found.model.bodies[b - 1]
        axes = found.axes_of(b)[:, np.asarray(body.inertia) <= 0.0]
        if axes.shape[1] == 2:
            return None
        bare += [axes[:, 0]] if axes.shape[1] == 1 else []
    if not bare:
        places = [
            found.point(frame)[1]
            for _, one in touching
            for frame in (one.on, one.to)
            if found.model.body_index[frame.body] + 1 in found.members[found.group[bodies[0]]]
        ]
        ways = [place - places[0] for place in places[1:]]
        way = max(ways, key=lambda one: math.hypot(*one), default=np.zeros(3))
        bare = [way / math.hypot(*way)] if math.hypot(*way) > found.near else []
    if not bare or any(math.hypot(*np.cross(bare[0], one)) > NOTHING for one in bare[1:]):
        return None
    return bare[0]


class _Bar:
    """A class of bodies that may be one."""

    def __init__(self, found: Together, c: int, direction: np.ndarray):
        self.found, self.c, self.direction = found, c, direction
        self.lines: dict[int, np.ndarray] = {}  # of every group a place on its line
        self.on_one_line = {found.alike[c][0]}

    def is_free(self, touching) -> bool:
        """Whether nothing acts on the turn about the axis."""
        found = self.found
        for g in found.alike[self.c]:
            heavy = [b for b in found.members[g] if found.model.bodies[b - 1].mass > 0.0]
            if not all(self._is_on_line(g, found.turned[g] @ found.pose[b][0]) for b in heavy):
                return False
        if not all(self._does_not_act(name, one) for name, one in touching):
            return False
        while True:  # from group to group along slides
            more = {h for g, h in self._slides() if g in self.on_one_line} - self.on_one_line
            if not more:
                return self.on_one_line == set(found.alike[self.c])
            self.on_one_line |= more

    def _is_on_line(self, g: int, place: np.ndarray) -> bool:
        way = place - self.lines.setdefault(g, place)
        return math.hypot(*np.cross(way, self.direction)) <= self.found.near

    def _is_along(self, vector: np.ndarray) -> bool:
        return math.hypot(*np.cross(vector, self.direction)) <= NOTHING * max(1.0, math.hypot(*vector))

    def _axes(self, frame: Any) -> np.ndarray:
        """Axes of a frame in those of the class."""
        b, _, axes = self.found.end(frame)
        return self.found.axes_of(b) @ axes

    def _does_not_act(self, joint: str, measure: Any) -> bool:
        """Whether a measure is blind for the turn."""
        found = self.found
        sites = {side: found.point(getattr(measure, side)) for side in ("on", "to")}
        own = {side: site for side, site in sites.items() if found.turning[site[0]] == self.c}
        if not all(self._is_on_line(*site) for site in own.values()):
            return False
        if len(own) != 1:
            return True  # of others, or between groups of one line
        (side,) = own
        return side not in measure.turns_with or self._keeps(joint, measure, side)

    def _keeps(self, joint: str, measure: Any, side: str) -> bool:
        """Whether a measure that reads axes of the bar does so along d alone, or where its joint keeps it at zero."""
        axes, held = self._axes(getattr(measure, side)), self.found.held.get(joint)
        if measure.along == "on":
            if self._is_along(axes[:, "xyz".index(measure.axis)]):
                return True
            return bool(held and held.frames == (measure.on, measure.to) and self._is_along(axes @ held.shift))
        if measure.of_axes:
            which = measure.axis if side == "on" else measure.other
            if self._is_along(axes[:, "xyz".index(which)]):
                return True
            return bool(held and held.aligned == "axis" and self._is_along(axes[:, 2]))
        return False

    def _slides(self) -> list[tuple[int, int]]:
        """Groups of the class that a joint keeps on one line, both ways round."""
        found, pairs = self.found, []
        for name, rows in found.model.rows_of.items():
            kept = {
                one.axis: one
                for r in rows
                if (one := found.model.rows[r].measure).along == "on" and found.model.rows[r].value == 0.0
            }
            if name not in found.held or len(kept) < 2 or len({(one.on, one.to) for one in kept.values()}) > 1:
                continue
            one = next(iter(kept.values()))
            g, h = found.point(one.on)[0], found.point(one.to)[0]
            along = [axis for axis in "xyz" if axis not in kept]
            if found.turning[g] == found.turning[h] == self.c and all(
                self._is_along(self._axes(one.on)[:, "xyz".index(axis)]) for axis in along
            ):
                pairs += [(g, h), (h, g)]
        return pairs
