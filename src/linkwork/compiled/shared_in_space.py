"""What bodies of space have in common by their joints: groups, classes that turn as one, shared points and vectors."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from linkwork.compiled.groups import SAME, Groups, known_of

#: pairs at right angles that keep z of two frames together, and that keep all their axes together
AXIS, AXES = {("x", "z"), ("y", "z")}, {("x", "y"), ("x", "z"), ("y", "z")}


class _Held(NamedTuple):
    """What the rows of a joint hold, as far as sources can meet it: origins together, an axis or all axes."""

    frames: tuple[Any, Any] | None
    shift: np.ndarray  # of the origin of `to`, in axes of `on`
    pins: tuple[int, ...]
    ends: tuple[Any, Any] | None  # frames whose axes are held
    aligned: str  # "", "axis" or "axes"
    turns: tuple[int, ...]


class Shared:
    """Points or vectors that joints share: of each its sites {group or class: place}, and its joints."""

    def __init__(self, near: float, signed: bool):
        self.near, self.signed = near, signed
        self.sites: dict[int, dict[int, np.ndarray]] = {}
        self.joints: dict[int, list[str]] = {}
        self.at: dict[int, list[int]] = {}
        self._count = 0

    def _known(self, owner: int, place) -> tuple[int | None, float]:
        for k in self.at.get(owner, ()):
            for sign in (1.0, -1.0) if self.signed else (1.0,):
                if math.dist(sign * self.sites[k][owner], place) <= self.near:
                    return k, sign
        return None, 1.0

    def put(self, owner: int, place) -> int:
        """The number of a place, shared or not."""
        k, _ = self._known(owner, place)
        if k is None:
            k, self._count = self._count, self._count + 1
            self.sites[k], self.joints[k] = {owner: np.asarray(place)}, []
            self.at.setdefault(owner, []).append(k)
        return k

    def share(self, name: str, one: tuple[int, np.ndarray], other: tuple[int, np.ndarray]) -> bool:
        """Let two sites be one; False where that would tie two places of one owner together."""
        found = [self._known(*site) for site in (one, other)]
        k = found[0][0]
        if k is None or k != found[1][0]:
            merged: dict[int, np.ndarray] = {}
            for (owner, place), (known, sign) in zip((one, other), found):
                for g, s in ({owner: place} if known is None else self.sites[known]).items():
                    s = s if known is None else sign * s
                    if g in merged and math.dist(merged[g], s) > self.near:
                        return False  # its rows say what that means
                    merged[g] = s
            joints = [each for known, _ in found if known is not None for each in self.joints[known]]
            for known, _ in found:
                if known is not None:
                    for g in self.sites.pop(known):
                        self.at[g].remove(known)
                    del self.joints[known]
            k, self._count = self._count, self._count + 1
            self.sites[k], self.joints[k] = merged, joints
            for g in merged:
                self.at.setdefault(g, []).append(k)
        elif found[0][1] != found[1][1]:
            return False
        self.joints[k].append(name)
        return True


class Together(Groups):
    """Groups, classes, and what joints share, without what is left to rows."""

    def __init__(self, model, free, left):
        super().__init__(model, free, left, _held, np.zeros(3), np.eye(3))
        self.points, self.vectors = Shared(self.near, False), Shared(SAME, True)
        self._share()

    # -- what holds together, what turns together ----------------------------------------------------------------------
    def end(self, frame) -> tuple[int, np.ndarray, np.ndarray]:
        """Body of a frame, its place from the mass centre and its axes, in those of the body."""
        b = self.model.body_index[frame.body] + 1
        place, axes = np.array(frame.position, dtype=float), frame.rotation()
        if b:
            info = self.model.bodies[b - 1]
            place, axes = info.rotation.T @ (place - info.center), info.rotation.T @ axes
        return b, place, axes

    def axes_of(self, b: int) -> np.ndarray:
        """Axes of a body in those of its class."""
        return self.turned[self.group[b]] @ self.pose[b][1]

    def _in_group(self, b: int, s: np.ndarray) -> np.ndarray:
        r, axes = self.pose[b]
        return r + axes @ s

    def _weld(self) -> None:
        """Bodies that a joint holds together: the group of one goes into that of the other."""
        for name, held in self.held.items():
            if held.frames is None or held.aligned != "axes" or held.frames != held.ends:
                continue
            if len(self.model.rows_of[name]) != len(held.pins) + len(held.turns):
                continue
            (i, s_i, axes_i), (j, s_j, axes_j) = map(self.end, held.frames)
            s_i = s_i + axes_i @ held.shift
            if self.group[i] == self.group[j] or not (self._turns(i) and self._turns(j)):
                continue
            if self.group[j] == 0:  # the ground keeps its own axes
                (i, s_i, axes_i), (j, s_j, axes_j) = (j, s_j, axes_j), (i, s_i, axes_i)
            one, other = self.group[i], self.group[j]
            turn = self.pose[i][1] @ axes_i @ (self.pose[j][1] @ axes_j).T
            shift = self._in_group(i, s_i) - turn @ self._in_group(j, s_j)
            for b in self.members[other]:
                r, axes = self.pose[b]
                self.group[b], self.pose[b] = one, (shift + turn @ r, turn @ axes)
            self.members[one] += self.members.pop(other)
            self.absorbed |= {*held.pins, *held.turns}

    def _align(self) -> None:
        """Groups that do not turn against each other: the class of one goes into that of the other."""
        for held in self.held.values():
            if held.aligned != "axes" or held.turns[0] in self.absorbed:
                continue
            (i, _, axes_i), (j, _, axes_j) = map(self.end, held.ends)
            g, h = self.group[i], self.group[j]
            one, other = self.turning[g], self.turning[h]
            if one == other or not (self._turns(i) and self._turns(j)):
                continue
            turn = self.turned[g] @ self.pose[i][1] @ axes_i @ (self.turned[h] @ self.pose[j][1] @ axes_j).T
            if other == 0:
                one, other, turn = other, one, turn.T
            for k in self.alike[other]:
                self.turning[k], self.turned[k] = one, turn @ self.turned[k]
            self.alike[one] += self.alike.pop(other)
            self.absorbed |= set(held.turns)

    # -- points and vectors --------------------------------------------------------------------------------------------
    def point(self, frame, shift=None) -> tuple[int, np.ndarray]:
        """Group of a frame, and its place in the axes of its class."""
        b, s, axes = self.end(frame)
        g = self.group[b]
        return g, self.turned[g] @ self._in_group(b, s if shift is None else s + axes @ shift)

    def _vector(self, frame) -> tuple[int, np.ndarray]:
        """Class of a frame, and its z axis there."""
        b, _, axes = self.end(frame)
        g = self.group[b]
        return self.turning[g], self.turned[g] @ self.pose[b][1] @ axes[:, 2]

    def _share(self) -> None:
        for name, held in self.held.items():
            if held.frames is not None and ("point", name) not in self.left and held.pins[0] not in self.absorbed:
                sites = self.point(held.frames[0], held.shift), self.point(held.frames[1])
                if sites[0][0] != sites[1][0] and self.points.share(name, *sites):
                    self.absorbed |= set(held.pins)
            if held.aligned == "axis" and ("vector", name) not in self.left:
                ends = [self.model.body_index[frame.body] + 1 for frame in held.ends]
                sites = self._vector(held.ends[0]), self._vector(held.ends[1])
                if all(map(self._turns, ends)) and sites[0][0] != sites[1][0] and self.vectors.share(name, *sites):
                    self.absorbed |= set(held.turns)

    def _joints_of(self, what: str, k: int, owner: int) -> set[tuple[str, str]]:
        """Joints of a point or a vector that have an end on a group or class."""
        found = set()
        for name in (self.points if what == "point" else self.vectors).joints[k]:
            held = self.held[name]
            sites = map(self.point, held.frames) if what == "point" else map(self._vector, held.ends)
            if any(site[0] == owner for site in sites):
                found.add((what, name))
        return found


def _pinned(model, row: int, measure: Any) -> bool:
    """Whether a row keeps two origins together: then it does not matter along which axes."""
    return measure.along == "world" and model.rows[row].value == 0.0


def _held(model, rows: list[int]) -> _Held:
    """What the rows of a joint hold together at numbers that are known."""
    known = known_of(model, rows)
    pins = {one.axis: (r, one) for r, one in known.items() if one.along == "on" or _pinned(model, r, one)}
    frames, shift = None, np.zeros(3)
    if set(pins) == {"x", "y", "z"} and len({(one.along, one.on, one.to) for _, one in pins.values()}) == 1:
        frames = pins["x"][1].on, pins["x"][1].to
        shift = np.array([float(model.rows[pins[axis][0]].value) for axis in "xyz"])
    turns = {(one.axis, one.other): (r, one) for r, one in known.items() if one.of_axes and model.rows[r].value == 0.0}
    aligned, ends = "", None
    if len({(one.on, one.to) for _, one in turns.values()}) == 1:
        ends = next((one.on, one.to) for _, one in turns.values())
        aligned = "axes" if set(turns) == AXES else "axis" if set(turns) == AXIS else ""
    return _Held(
        frames,
        shift,
        tuple(r for r, _ in pins.values()) if frames else (),
        ends if aligned else None,
        aligned,
        tuple(r for r, _ in turns.values()) if aligned else (),
    )
