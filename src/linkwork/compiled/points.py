"""The choice of points of a planar mechanism: which have coordinates, and how every body is told by them.

1. Joints that hold two bodies together make a *group* of them; rows that hold an angle at a number join groups to a
   *class*, which turns as one.  The ground's class does not turn, and neither do particles.
2. Pins share their point.  A point of the ground is stationary.
3. A class turns along the two points of one of its groups that are farthest apart: a = (z_B - z_A)/(s_B - s_A).
   Where no group has two, or they are close together against how its mass is spread, it has an angle.  A basis that
   is asked for goes before (`compiled.bases`); its points need not be shared.
4. A group hangs on one of its points, or on a point of its own in its mass centre.  Its further points are *secondary*:
   linear combinations of others, without coordinates.
5. What cannot be had that way (a point that would be told twice, or a body between two stationary points) is left to
   the rows of its joint, as in other sets.

Vectors of the plane are complex numbers.  s is a place in the axes of a class.
"""

from __future__ import annotations

import cmath
from typing import Any, NamedTuple

from linkwork.compiled.bases import MUCH_TOO_CLOSE, bases_of, check_given, refuse
from linkwork.compiled.groups import SAME, Groups, chosen
from linkwork.compiled.held import held_by
from linkwork.compiled.told import Choice, Place, Share, Told, Turning
from linkwork.kernels import layout as at

#: points that a secondary point may be told by; with more it is left to its rows
MOST_TERMS = 3


def choose_points(model: Any, free: frozenset[int]) -> Choice:
    """The points of a model; joints with rows that are free share nothing."""
    return chosen(_Build, model, free)


class _Base(NamedTuple):
    """What a class turns along: the distance of two points, which they are, and the group that has both."""

    way: float
    start: int
    end: int
    group: int


class _Build(Groups):
    """One try; `given_up` are pins that have to be left to their rows in the next one."""

    given_up: set[str]

    def __init__(self, model, free, left):
        super().__init__(model, free, left, held_by, 0j, 0.0)
        self._share()

    # -- what holds together, what turns together ----------------------------------------------------------------------
    def _end(self, frame) -> tuple[int, complex, float]:
        """Body of a frame, its place from the mass centre, its angle."""
        b = self.model.body_index[frame.body] + 1
        x, y = frame.position[0], frame.position[1]
        if b:
            center = self.model.bodies[b - 1].center
            x, y = x - center[0], y - center[1]
        return b, complex(x, y), frame.angle

    def _in_group(self, b: int, s: complex) -> complex:
        r, phi = self.pose[b]
        return r + cmath.exp(1j * phi) * s

    def _weld(self) -> None:
        """Bodies that a joint holds together: the group of one goes into that of the other."""
        for name, held in self.held.items():
            if held.frames is None or held.turn < 0 or not held.all_of_it:
                continue
            (i, s_i, angle_i), (j, s_j, angle_j) = map(self._end, held.frames)
            value = held.value
            if self.group[i] == self.group[j] or not (self._turns(i) and self._turns(j)):
                continue
            if self.group[j] == 0:  # the ground keeps its own axes
                (i, s_i, angle_i), (j, s_j, angle_j), value = (j, s_j, angle_j), (i, s_i, angle_i), -value
            one, other = self.group[i], self.group[j]
            more = self.pose[i][1] + angle_i + value - angle_j - self.pose[j][1]
            turn = cmath.exp(1j * more)
            shift = self._in_group(i, s_i) - turn * self._in_group(j, s_j)
            for b in self.members[other]:
                r, phi = self.pose[b]
                self.group[b], self.pose[b] = one, (shift + turn * r, phi + more)
            self.members[one] += self.members.pop(other)
            self.absorbed |= set(self.model.rows_of[name])

    def _align(self) -> None:
        """Groups whose angles are held against each other: the class of one goes into that of the other."""
        for held in self.held.values():
            if held.turn < 0 or held.turn in self.absorbed:
                continue
            (i, _, angle_i), (j, _, angle_j) = self._end(held.angle.on), self._end(held.angle.to)
            g, h = self.group[i], self.group[j]
            one, other = self.turning[g], self.turning[h]
            if one == other or not (self._turns(i) and self._turns(j)):
                continue
            beta = self.turned[g] + self.pose[i][1] + angle_i + held.value - angle_j - self.pose[j][1]
            more = beta - self.turned[h]
            if other == 0:
                one, other, more = other, one, -more
            for k in self.alike[other]:
                self.turning[k], self.turned[k] = one, self.turned[k] + more
            self.alike[one] += self.alike.pop(other)
            self.absorbed.add(held.turn)

    # -- points --------------------------------------------------------------------------------------------------------
    def _site(self, frame) -> tuple[int, complex]:
        """Group of a frame, and its place in the axes of its class."""
        b, s, _ = self._end(frame)
        g = self.group[b]
        return g, cmath.exp(1j * self.turned[g]) * self._in_group(b, s)

    def _share(self) -> None:
        """Points that pins share: of each its sites {group: place}, its pins, and where it is on one of its bodies."""
        self.points: dict[int, dict[int, complex]] = {}
        self.pins: dict[int, list[str]] = {}
        self.ends: dict[int, tuple[int, complex]] = {}
        self.at_group: dict[int, list[int]] = {}
        for name, held in self.held.items():
            if held.frames is None or name in self.left or held.pins[0] in self.absorbed:
                continue
            sites = [self._site(frame) for frame in held.frames]
            if sites[0][0] == sites[1][0]:
                continue  # of one group: nothing to share
            found = [self._known(*site) for site in sites]
            if found[0] is None or found[0] != found[1]:
                merged: dict[int, complex] = {}
                fits = True
                for (group, place), k in zip(sites, found):
                    for g, s in ({group: place} if k is None else self.points[k]).items():
                        fits = fits and (g not in merged or abs(merged[g] - s) <= self.near)
                        merged[g] = s
                if not fits:
                    continue  # it would tie two places of one group: its rows say what that means
                pins = [one for k in found if k is not None for one in self.pins[k]]
                ends = [self.ends[k] for k in found if k is not None]
                for k in found:
                    if k is not None:
                        for g in self.points.pop(k):
                            self.at_group[g].remove(k)
                        del self.pins[k], self.ends[k]
                b, s, _ = next(self._end(frame) for frame in held.frames if frame.body != "ground")
                new = held.pins[0]  # a number that no other point has
                self.points[new], self.pins[new], self.ends[new] = merged, pins, (*ends, (b, s))[0]
                for g in merged:
                    self.at_group.setdefault(g, []).append(new)
                found[0] = new
            assert found[0] is not None
            self.pins[found[0]].append(name)
            self.absorbed |= set(held.pins)
        self._share_given()

    def _share_given(self) -> None:
        """Points of the bases that are asked for, shared or not: class -> what it turns along."""
        self.given: dict[int, _Base] = {}
        self.named: dict[int, str] = {}
        for basis in bases_of(self.model):
            b = basis.body + 1
            g, body = self.group[b], self.model.bodies[basis.body].name
            check_given(self.model, basis, g, self.turning, {c: base.group for c, base in self.given.items()})
            ends = []
            for name, place in zip(basis.names, basis.places):
                s = complex(place[0], place[1])
                site = cmath.exp(1j * self.turned[g]) * self._in_group(b, s)
                k = self._known(g, site)
                if k is None:
                    k = -1 - len(self.named)  # a number that no other point has
                    self.named[k] = f"{body}.{name}"
                    self.points[k], self.pins[k], self.ends[k] = {g: site}, [], (b, s)
                    self.at_group.setdefault(g, []).append(k)
                ends.append(k)
            start, end = ends if self._still(ends[0]) or not self._still(ends[1]) else ends[::-1]
            base = _Base(abs(self.points[end][g] - self.points[start][g]), start, end, g)
            if self._still(start) and self._still(end):
                raise refuse(self.model, basis, "has two points of the ground, so that the body cannot move")
            if base.way < (1.0 - SAME) * MUCH_TOO_CLOSE * self._gyration(g):
                raise refuse(
                    self.model,
                    basis,
                    f"has points that are {base.way:.3g} m apart, and digits would be lost",
                    f"at least a hundredth of its radius of gyration, {self._gyration(g):.3g} m",
                )
            self.given[self.turning[g]] = base

    def _known(self, group: int, place: complex) -> int | None:
        """The point that has this site."""
        return next((k for k in self.at_group.get(group, ()) if abs(self.points[k][group] - place) <= self.near), None)

    def _pins_of(self, k: int, g: int) -> set[str]:
        """Pins of a point that have an end on a group."""
        return {name for name in self.pins[k] if any(self._site(frame)[0] == g for frame in self.held[name].frames)}

    def _still(self, k: int) -> bool:
        """Whether a point is one of the ground."""
        return 0 in self.points[k]

    # -- the choice ----------------------------------------------------------------------------------------------------
    def choice(self) -> Choice | None:
        """The points and all bodies told by them, or None where pins were given up."""
        self._find_bases()
        self.origin: dict[int, int] = {}
        self.told_by: dict[int, int] = {}  # secondary point -> the group that tells it
        further = []
        for g in self.groups:
            own, base = self.at_group.get(g, []), self.base.get(self.turning[g])
            if own:
                if base is not None and base.group == g:
                    self.origin[g] = base.start
                    further += [(k, g) for k in own if k not in (base.start, base.end)]
                else:  # on a stationary point, if there is one
                    self.origin[g] = next((k for k in own if self._still(k)), own[0])
                    further += [(k, g) for k in own if k != self.origin[g]]
        for k, g in further:
            linear = self.turning[g] == 0 or self.turning[g] in self.base
            if not linear or self._still(k) or k in self.told_by or self._needs(k, g):
                self.given_up |= self._pins_of(k, g)
            else:
                self.told_by[k] = g
        if self.given_up:
            return None
        self.number = {
            k: n for n, k in enumerate(k for k in self.points if not self._still(k) and k not in self.told_by)
        }
        self._told: dict[int, Told] = {}
        for k, g in self.told_by.items():
            if len(self._tell(k).shares) > MOST_TERMS:
                self.given_up |= self._pins_of(k, g)
        return None if self.given_up else self._choice()

    def _find_bases(self) -> None:
        """What classes turn along."""
        self.base = dict(self.given)
        for g in self.groups:
            c, own = self.turning[g], self.at_group.get(g, [])
            if c == 0 or len(own) < 2 or c in self.given:
                continue
            best = None
            for n, i in enumerate(own):
                for j in own[n + 1 :]:
                    way = abs(self.points[i][g] - self.points[j][g])
                    if not (self._still(i) and self._still(j)) and (best is None or way > best.way):
                        best = _Base(way, j, i, g) if self._still(j) else _Base(way, i, j, g)
            if best is None:  # between stationary points only: all but one of the pins are left to their rows
                for k in own[1:]:
                    self.given_up |= self._pins_of(k, g)
            elif best.way > self._least(g) and (c not in self.base or best.way > self.base[c].way):
                self.base[c] = best

    def _sources(self, g: int) -> set[int]:
        """Points that tell the further ones of a group."""
        base = self.base.get(self.turning[g])
        return {self.origin[g]} | ({base.start, base.end} if base else set())

    def _needs(self, k: int, g: int) -> bool:
        """Whether a point would be told by itself."""
        seen, ahead = set(), list(self._sources(g))
        while ahead:
            one = ahead.pop()
            if one == k:
                return True
            if one in self.told_by and one not in seen:
                seen.add(one)
                ahead += self._sources(self.told_by[one])
        return False

    def _tell(self, k: int) -> Told:
        """A point by those that have coordinates."""
        if k not in self._told:
            if self._still(k):
                found = Told(self.points[k][0])
            elif k in self.number:
                found = Told(0j, {self.number[k]: 1.0 + 0j})
            else:
                g = self.told_by[k]
                start = self.origin[g]
                way = self.points[k][g] - self.points[start][g]
                found = self._tell(start).plus(self._direction(self.turning[g]), way)
            self._told[k] = found
        return self._told[k]

    def _direction(self, c: int) -> Told:
        """a of a class that has no angle."""
        if c == 0:
            return Told(1.0 + 0j)
        base = self.base[c]
        way = self.points[base.end][base.group] - self.points[base.start][base.group]
        return Told().plus(self._tell(base.end).plus(self._tell(base.start), -1.0), 1.0 / way)

    def _choice(self) -> Choice:
        """Points, classes and bodies, numbered."""
        places = [
            Place(self.ends[k][0] - 1, self.ends[k][1], tuple(self.pins[k]), self.named.get(k, "")) for k in self.number
        ]
        own: dict[int, int] = {}
        for g in self.groups:
            if g not in self.origin:  # the body that a group is named by has its axes
                own[g] = len(places)
                places.append(Place(g - 1, self._center(g), ()))
        classes = [0, *dict.fromkeys(self.turning[g] for g in self.groups if self.turning[g] != 0)]
        turnings = [Turning(at.STILL, Told(1.0 + 0j), "ground")]
        for c in classes[1:]:
            name = self.model.bodies[next(g for g in self.groups if self.turning[g] == c) - 1].name
            turns = Turning(at.BY_POINTS, self._direction(c), name) if c in self.base else None
            turnings.append(turns or Turning(at.BY_ANGLE, Told(), name))
        number = {c: k for k, c in enumerate(classes)}
        shares = [self._share_of(b, own, number, turnings) for b in range(1, len(self.group))]
        secondary = tuple(tuple(self.pins[k]) for k in self.told_by)
        return Choice(tuple(places), tuple(turnings), tuple(shares), frozenset(self.absorbed), secondary)

    def _share_of(self, b: int, own, number, turnings) -> Share:
        """A body told by points."""
        g = self.group[b]
        c = number[self.turning[g]]
        angle, turn = self.turned[g] + self.pose[b][1], cmath.exp(1j * self.turned[g])
        if g == 0:
            return Share(0, Told(self.pose[b][0]), 0j, angle)
        if g in own:
            hangs, start = Told(0j, {own[g]: 1.0 + 0j}), turn * self._center(g)
        else:
            hangs, start = self._tell(self.origin[g]), self.points[self.origin[g]][g]
        arm = turn * self.pose[b][0] - start
        if turnings[c].kind == at.BY_ANGLE:
            return Share(c, hangs, arm, angle)
        return Share(c, hangs.plus(turnings[c].direction, arm), 0j, angle)
