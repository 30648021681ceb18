"""Bodies that joints hold together, and those that turn as one: what the choices of plane and space have in common.

Joints that hold two bodies together make a *group* of them; rows that keep two groups from turning against each other
join them to a *class*.  Body 0 is the ground; its class does not turn, and neither do particles.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

#: places that differ by less than this part of a length are one
SAME = 1e-9
#: points closer than this part of the radius of gyration are not chosen to carry a body: digits would be lost
CLOSE = 0.1


def chosen(build: Callable, model: Any, free: frozenset[int]) -> Any:
    """The choice of a model, tried until nothing more has to be left to the rows of its joint."""
    left: set = set()
    while True:
        tried = build(model, free, left)
        found = tried.choice()
        if found is not None:
            return found
        left |= tried.given_up


class Groups:
    """Groups and classes.  A place and a turn are a complex number and an angle, in space a vector and axes.

    `held` says what the rows of a joint hold; `place` and `turn` are those of what is not moved.
    """

    def __init__(self, model: Any, free: frozenset[int], left: set, held: Callable, place: Any, turn: Any):
        self.model, self.left = model, left
        self.given_up: set = set()  # what has to be left to rows in the next try
        self.near = SAME * model.length
        self.absorbed: set[int] = set()
        count = len(model.bodies) + 1
        #: group of a body, its bodies, and the pose of each in its axes: place of the mass centre, and turn
        self.group = list(range(count))
        self.members = {b: [b] for b in range(count)}
        self.pose = [(place, turn)] * count
        self.held = {
            name: held(model, rows)
            for name, rows in model.rows_of.items()
            if model.rows[rows[0]].kind == "joint" and not free & set(rows)
        }
        self._weld()
        #: class of a group, its groups, and the turn of each there
        self.turning = {g: g if self._turns(g) else 0 for g in self.members}
        self.alike = {g: [g] for g in self.members if self.turning[g] == g}
        self.alike[0] = [g for g in self.members if self.turning[g] == 0]
        self.turned = dict.fromkeys(self.members, turn)
        self._align()
        self.groups = sorted(set(self.members) - {0})

    def _weld(self) -> None:
        """Bodies that a joint holds together: the group of one goes into that of the other."""
        raise NotImplementedError  # plane and space have their own; this class stands for neither

    def _align(self) -> None:
        """Groups that do not turn against each other: the class of one goes into that of the other."""
        raise NotImplementedError  # plane and space have their own; this class stands for neither

    def _turns(self, b: int) -> bool:
        return b == 0 or self.model.bodies[b - 1].has_angle

    def _center(self, g: int) -> Any:
        """Mass centre of a group in its axes; of one without mass the middle of its bodies."""
        masses = [self.model.bodies[b - 1].mass for b in self.members[g]]
        weights = masses if sum(masses) > 0.0 else [1.0] * len(masses)
        return sum(m * self.pose[b][0] for m, b in zip(weights, self.members[g])) / sum(weights)

    def _gyration(self, g: int) -> float:
        """Radius of gyration of a group about its mass centre."""
        bodies = [(self.model.bodies[b - 1], self.pose[b][0]) for b in self.members[g]]
        mass = sum(body.mass for body, _ in bodies)
        if not mass > 0.0:
            return 0.0
        center, part = self._center(g), 1.0 if self.model.dimension == 2 else 0.5
        spread = sum(part * float(np.sum(body.inertia)) for body, _ in bodies if body.has_angle)
        away = sum(body.mass * float(np.sum(np.abs(r - center) ** 2)) for body, r in bodies)
        return math.sqrt((spread + away) / mass)

    def _least(self, g: int) -> float:
        """How far apart points of a group are at least that carry it; a tenth is just enough, rounded or not."""
        return max((1.0 - SAME) * CLOSE * self._gyration(g), self.near)


def known_of(model: Any, rows: list[int]) -> dict[int, Any]:
    """Measures of rows that are held at numbers which are known."""
    found = {r: model.rows[r] for r in rows}
    return {r: row.measure for r, row in found.items() if row.value is not None and not row.speed and row.function < 0}
