"""The choice of points and unit vectors of a spatial mechanism, and how every body is told by them.

1. Joints that hold two bodies together make a *group* of them; joints that let them slide only join groups to a
   *class*, which turns as one.  The ground's class does not turn, and neither do particles.
2. Joints that keep two origins together share a *point*; joints that keep two axes along each other share a *unit
   vector*.  Those of the ground are constant.
3. A class turns along three *basic vectors*: the best conditioned ones among its shared vectors and the differences of
   its shared points.  What is missing is filled with unit vectors of its own, at right angles.  A basis
   that is asked for goes before (`compiled.bases`); its points need not be shared.
4. A group hangs on one of its points, or on a point of its own in its mass centre.  Further points and vectors are
   *secondary*: linear combinations of others, without coordinates.
5. What cannot be had that way is left to the rows of its joint, as in other sets.

Axes of an assembled mechanism are never the wrong way round (`analysis.assembly.fits`), so that z of both frames of a
joint is one vector.  A body goes through its mass centre and principal axes, as in the kernels.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from linkwork.compiled.bases import MUCH_TOO_CLOSE, bases_of, check_given, refuse
from linkwork.compiled.basic_vectors import Candidate, Product, Products, Told, best_three, filled, orthonormal, spanned
from linkwork.compiled.groups import SAME, chosen
from linkwork.compiled.shared_in_space import Together
from linkwork.records import dataclass

#: sources that a secondary point or vector may be told by, an origin and three directions; with more it is left to its
#: rows
MOST_TERMS = 4
#: parts of a vector that are rounding
NOTHING = 1e-13


@dataclass(frozen=True)
class Source:
    """A point or a unit vector that has coordinates, on one of its bodies (from the mass centre), and who shares it."""

    body: int
    place: np.ndarray
    is_vector: bool
    joints: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Basis:
    """Bodies that turn together: numbers of their basic vectors; none for the ground's."""

    vectors: tuple[int, ...]
    name: str  # of its first body


@dataclass(frozen=True)
class Share:
    """A body told by sources: its class, its mass centre, its axes against those of the class, and its axes told."""

    turning: int
    center: Told
    axes: np.ndarray
    told: tuple[Told, ...]


@dataclass(frozen=True)
class Choice:
    """Sources, basic vectors, what turns together, all bodies; the rows of the model that are met by that."""

    sources: tuple[Source, ...]
    vectors: tuple[Told, ...]
    turnings: tuple[Basis, ...]
    shares: tuple[Share, ...]
    products: tuple[Product, ...]
    absorbed: frozenset[int]
    secondary: tuple[tuple[str, ...], ...]  # joints at points and along axes that are combinations of others


def choose_in_space(model: Any, free: frozenset[int]) -> Choice:
    """The points and vectors of a model; joints with rows that are free share nothing."""
    return chosen(_Build, model, free)


class _Build(Together):
    """One try; `given_up` is what has to be left to rows in the next one: ("point" or "vector", joint)."""

    given_up: set[tuple[str, str]]

    # -- the choice ----------------------------------------------------------------------------------------------------
    def choice(self) -> Choice | None:
        """The sources and all bodies told by them, or None where something was given up."""
        self.classes = [0, *dict.fromkeys(self.turning[g] for g in self.groups if self.turning[g] != 0)]
        self.origin: dict[int, int] = {}
        self.basis: dict[int, list[Candidate]] = {}
        self._take_bases()
        for c in self.classes[1:]:
            if c not in self.basis:
                self._find_basis(c)
        #: secondary point or vector -> the group or class that tells it
        self.told_by: dict[tuple[str, int], int] = {}
        for g in self.groups:
            own = self.points.at.get(g, [])
            if own and g not in self.origin:  # on a stationary point, if there is one
                self.origin[g] = next((k for k in own if self._still("point", k)), own[0])
            based = {k for one in self.basis.get(self.turning[g], ()) for k in one.points}
            for k in own:
                if k != self.origin[g] and k not in based:
                    self._tell_by(("point", k), g)
        for c in self.classes[1:]:
            vectors = {one.vector for one in self.basis[c]}
            for k in self.vectors.at.get(c, ()):
                if k not in vectors:
                    self._tell_by(("vector", k), c)
        if self.given_up:
            return None
        self._number()
        self._told: dict[tuple[str, int], Told] = {}
        for one, owner in self.told_by.items():
            if len(self._tell(one).shares) > MOST_TERMS:
                self.given_up |= self._joints_of(*one, owner)
        return None if self.given_up else self._choice()

    def _still(self, what: str, k: int) -> bool:
        """Whether a point is one of the ground, or a vector of what does not turn."""
        return 0 in (self.points if what == "point" else self.vectors).sites[k]

    def _take_bases(self) -> None:
        """Bases that are asked for: their points are sources, shared or not, and an own vector stands on them."""
        given: dict[int, int] = {}
        self.named: dict[int, str] = {}
        for basis in bases_of(self.model):
            b = basis.body + 1
            g, info = self.group[b], self.model.bodies[basis.body]
            check_given(self.model, basis, g, self.turning, given)
            ends = []
            for name, place in zip(basis.names, basis.places):
                ends.append(self.points.put(g, self.turned[g] @ self._in_group(b, info.rotation.T @ place)))
                self.named.setdefault(ends[-1], f"{info.name}.{name}")
            sites = [self.points.sites[k][g] for k in ends]
            star = []
            for k, site in zip(ends[1:], sites[1:]):
                way = site - sites[0]
                size = math.hypot(*way)
                star.append(Candidate(way / size, points=(ends[0], k), size=size))
            self._check_wide(g, basis, star)
            if all(self._still("point", k) for k in ends):
                raise refuse(self.model, basis, "has three points of the ground, so that the body cannot move")
            c = self.turning[g]
            self.origin[g], given[c], self.basis[c] = ends[0], g, filled(star)

    def _check_wide(self, g: int, basis, star: list[Candidate]) -> None:
        """Refuse points that are close together, or close to one line, against how the mass is spread."""
        size = min(one.size for one in star)
        beside = size * spanned([one.direction for one in star])
        least = MUCH_TOO_CLOSE * self._gyration(g)
        if size < (1.0 - SAME) * least:
            wrong = f"has points that are {size:.3g} m apart"
        elif beside < (1.0 - SAME) * least:
            wrong = f"has a point that is {beside:.3g} m beside the line of the others"
        else:
            return
        wanted = f"at least a hundredth of its radius of gyration, {self._gyration(g):.3g} m"
        raise refuse(self.model, basis, f"{wrong}, and digits would be lost", wanted)

    def _find_basis(self, c: int) -> None:
        """Basic vectors of a class: shared vectors, and differences of points of one of its groups."""
        shared = [
            Candidate(self.vectors.sites[k][c], vector=k, still=self._still("vector", k))
            for k in self.vectors.at.get(c, ())
        ]
        stars: list[tuple[int, int, list[Candidate]]] = []
        for g in self.alike[c]:
            own = self.points.at.get(g, [])
            least = self._least(g)
            own = sorted(own, key=lambda k: not self._still("point", k))
            for start in own[:8]:
                ways = [(k, self.points.sites[k][g] - self.points.sites[start][g]) for k in own if k != start]
                star = [
                    Candidate(
                        way / size,
                        points=(start, k),
                        size=size,
                        still=self._still("point", start) and self._still("point", k),
                    )
                    for k, way in ways
                    if (size := math.hypot(*way)) > least
                ]
                if star:
                    stars.append((g, start, star))
        found = best_three(shared, [star for *_, star in stars])
        self.basis[c] = found.vectors
        if found.star is not None:
            g, start, _ = stars[found.star]
            self.origin[g] = start

    def _tell_by(self, one: tuple[str, int], owner: int) -> None:
        """Let a group or class tell a further point or vector, unless it is told already, or would tell itself."""
        if self._still(*one) or one in self.told_by or self._needs(one, owner):
            self.given_up |= self._joints_of(*one, owner)
        else:
            self.told_by[one] = owner

    def _sources(self, one: tuple[str, int], owner: int) -> set[tuple[str, int]]:
        """What tells a further point of a group, or a further vector of a class."""
        what, _ = one
        found: set[tuple[str, int]] = {("point", self.origin[owner])} if what == "point" else set()
        for basic in self.basis.get(self.turning[owner] if what == "point" else owner, ()):
            found |= {("point", k) for k in basic.points}
            found |= {("vector", basic.vector)} if basic.vector is not None else set()
        return found

    def _needs(self, one: tuple[str, int], owner: int) -> bool:
        """Whether a point or vector would be told by itself."""
        seen: set = set()
        ahead = list(self._sources(one, owner))
        while ahead:
            each = ahead.pop()
            if each == one:
                return True
            if each in self.told_by and each not in seen:
                seen.add(each)
                ahead += self._sources(each, self.told_by[each])
        return False

    # -- what is told by what ------------------------------------------------------------------------------------------
    def _number(self) -> None:
        """Sources: shared points, mass centres of groups that have none, shared vectors, vectors of classes alone."""
        self.sources: list[Source] = []
        self.number: dict[tuple, int] = {}
        bodies = self.model.bodies

        def add(key, body, place, is_vector, joints, name):
            self.number[key] = len(self.sources)
            self.sources.append(Source(body - 1, place, is_vector, tuple(joints), name))

        for k, sites in self.points.sites.items():
            if not self._still("point", k) and ("point", k) not in self.told_by:
                b, place = self._on_a_body(sites, point=True)
                joints = self.points.joints[k]
                name = joints[0] if joints else self.named[k]
                add(("point", k), b, place, False, joints, name)
        for g in self.groups:
            if g not in self.origin:  # the body that a group is named by has its axes
                add(("center", g), g, self._center(g), False, (), f"{bodies[g - 1].name}.center")
        for k, sites in self.vectors.sites.items():
            if not self._still("vector", k) and ("vector", k) not in self.told_by:
                b, place = self._on_a_body(sites, point=False)
                add(("vector", k), b, place, True, self.vectors.joints[k], f"{self.vectors.joints[k][0]}.axis")
        for c in self.classes[1:]:
            g = min(self.alike[c])
            own = [n for n, one in enumerate(self.basis[c]) if one.vector is None and not one.points]
            for nth, n in enumerate(own, start=1):
                place = self.turned[g].T @ self.basis[c][n].direction
                add(("own", c, n), g, place, True, (), f"{bodies[g - 1].name}.axis{nth}")

    def _on_a_body(self, sites, point: bool) -> tuple[int, np.ndarray]:
        """A body that a source is on, and where: from its mass centre, in its axes."""
        owner = next((g for g in sites if g and (not point or self._turns(g))), next(iter(sites)))
        g = owner if point else min(self.alike[owner])
        return g, self.turned[g].T @ sites[owner]  # the pose of the body that a group is named by is zero

    def _tell(self, one: tuple[str, int]) -> Told:
        """A point or vector by those that have coordinates."""
        if one not in self._told:
            what, k = one
            sites = (self.points if what == "point" else self.vectors).sites[k]
            if self._still(what, k):
                found = Told(sites[0])
            elif one in self.number:
                found = Told(np.zeros(3), {self.number[one]: 1.0})
            elif what == "point":
                g = self.told_by[one]
                way = sites[g] - self.points.sites[self.origin[g]][g]
                found = self._tell(("point", self.origin[g])).plus(self._direction(self.turning[g], way))
            else:
                found = self._direction(self.told_by[one], sites[self.told_by[one]])
            self._told[one] = found
        return self._told[one]

    def _basic(self, c: int, n: int) -> Told:
        """A basic vector of a class."""
        one = self.basis[c][n]
        if one.points:
            start, end = (self._tell(("point", k)) for k in one.points)
            return Told().plus(end, 1.0 / one.size).plus(start, -1.0 / one.size)
        if one.vector is not None:
            return self._tell(("vector", one.vector))
        return Told(np.zeros(3), {self.number["own", c, n]: 1.0})

    def _direction(self, c: int, way: np.ndarray) -> Told:
        """A vector that turns with a class."""
        if c == 0:
            return Told(way)
        found = Told()
        parts = np.linalg.solve(np.column_stack([one.direction for one in self.basis[c]]), way)
        for n, part in enumerate(parts.tolist()):
            if abs(part) > NOTHING * math.hypot(*way):
                found = found.plus(self._basic(c, n), part)
        return found

    def _choice(self) -> Choice:
        """Everything, numbered."""
        names = {g: self.model.bodies[g - 1].name for g in self.groups}
        products, turnings, axes = Products(), [Basis((), "ground")], {0: np.eye(3)}
        for c in self.classes[1:]:
            name = names[min(self.alike[c])]
            vectors, directions = products.add(
                [(self._basic(c, n), one.direction) for n, one in enumerate(self.basis[c])], name
            )
            axes[c] = orthonormal(*directions[:2])
            turnings.append(Basis(vectors, name))
        number = {c: k for k, c in enumerate(self.classes)}
        shares = [self._share_of(b, number, axes) for b in range(1, len(self.group))]
        secondary = tuple(
            tuple((self.points if what == "point" else self.vectors).joints[k]) for what, k in self.told_by
        )
        return Choice(
            tuple(self.sources),
            tuple(products.vectors),
            tuple(turnings),
            tuple(shares),
            tuple(products.rows),
            frozenset(self.absorbed),
            secondary,
        )

    def _share_of(self, b: int, number, axes) -> Share:
        """A body told by sources."""
        g = self.group[b]
        c = self.turning[g]
        own = self.turned[g] @ self.pose[b][1]
        place = self.turned[g] @ self.pose[b][0]
        told = tuple(self._direction(c, own[:, m]) for m in range(3))
        if g == 0:
            return Share(0, Told(place), own, told)
        if g in self.origin:
            hangs, start = self._tell(("point", self.origin[g])), self.points.sites[self.origin[g]][g]
        else:
            hangs, start = Told(np.zeros(3), {self.number["center", g]: 1.0}), self.turned[g] @ self._center(g)
        return Share(number[c], hangs.plus(self._direction(c, place - start)), axes[c].T @ own, told)
