"""Basic vectors of what turns as one in space: the best conditioned three, filled up; and the products kept of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import NamedTuple

import numpy as np

from linkwork.records import dataclass

#: three unit vectors whose volume is less than this, or two whose area is, are flat: an own one stands in
FLAT = 0.1
#: what a vector that needs more coordinates must be better by
BETTER = 1.05


#: candidates that are tried as the first one
MOST_FIRST = 12
#: what is left of a sum that cancels
ROUNDING = 1e-13


@dataclass
class Told:
    """A linear combination of sources, which are points and vectors that have coordinates: constant + sum of shares."""

    constant: np.ndarray = field(default_factory=lambda: np.zeros(3))
    shares: dict[int, float] = field(default_factory=dict)

    def plus(self, other: Told, factor: float = 1.0) -> Told:
        """self + factor other."""
        shares = dict(self.shares)
        for k, share in other.shares.items():
            before, more = shares.get(k, 0.0), factor * share
            shares[k] = before + more
            if abs(shares[k]) <= ROUNDING * (abs(before) + abs(more)):
                del shares[k]
        return Told(self.constant + factor * other.constant, shares)


def orthonormal(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Axes along a vector and in the plane of it and another one, as columns."""
    first = one / math.hypot(*one)
    second = other - (other @ first) * first
    second = second / math.hypot(*second)
    return np.column_stack([first, second, np.cross(first, second)])


class Candidate(NamedTuple):
    """A vector of a class: its direction there; a shared one, the difference of two points, or one of its own."""

    direction: np.ndarray
    vector: int | None = None
    points: tuple[int, ...] = ()
    size: float = 1.0
    still: bool = False


class Found(NamedTuple):
    """Three basic vectors, the first two of which span the largest area, and which star of differences they are of."""

    vectors: list[Candidate]
    star: int | None


def best_three(shared: Sequence[Candidate], stars: Sequence[Sequence[Candidate]]) -> Found:
    """The best conditioned vectors among shared ones and the differences of one star, filled up at right angles."""
    best: tuple[tuple[int, float], list[Candidate], int | None] | None = None
    for n, star in enumerate(stars or [()]):
        for first in range(max(1, min(MOST_FIRST, len(shared) + len(star)))):
            chosen = _greedily([*shared, *star], first)
            volume = spanned([each.direction for each in chosen])
            quality = len(chosen), round(volume, 9) + 1e-3 * sum(each.still for each in chosen)
            if best is None or quality > best[0]:
                best = quality, chosen, n if any(each.points for each in chosen) else None
    assert best is not None
    return Found(_ordered(filled(best[1])), best[2])


def _greedily(candidates: list[Candidate], first: int) -> list[Candidate]:
    """Beginning with one, each time the candidate that is farthest from the plane of those before; none if flat."""
    if not candidates:
        return []
    chosen = [candidates[first]]
    while len(chosen) < 3:
        volumes = [spanned([*(each.direction for each in chosen), one.direction]) for one in candidates]
        k = int(np.argmax(volumes))
        if volumes[k] < FLAT:
            break
        chosen.append(candidates[k])
    return chosen


def spanned(vectors: list[np.ndarray]) -> float:
    """Length, area or volume that unit vectors span."""
    if len(vectors) == 1:
        return 1.0
    if len(vectors) == 2:
        return math.hypot(*np.cross(vectors[0], vectors[1]))
    return abs(float(np.cross(vectors[0], vectors[1]) @ vectors[2])) if vectors else 0.0


def filled(chosen: list[Candidate]) -> list[Candidate]:
    """With vectors of its own, at right angles to those that are there."""
    out = list(chosen)
    if not out:
        return [Candidate(axis) for axis in np.eye(3)]
    if len(out) == 1:
        away = np.eye(3)[int(np.argmin(np.abs(out[0].direction)))]
        normal = np.cross(out[0].direction, away)
        out.append(Candidate(normal / math.hypot(*normal)))
    if len(out) == 2:
        normal = np.cross(out[0].direction, out[1].direction)
        out.append(Candidate(normal / math.hypot(*normal)))
    return out


def _ordered(three: list[Candidate]) -> list[Candidate]:
    """The two that span the largest area first; shared vectors before differences, which have more terms."""
    ways = sorted(range(3), key=lambda k: (bool(three[k].points), not three[k].still))
    pairs = [(ways[i], ways[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    areas = [spanned([three[i].direction, three[j].direction]) for i, j in pairs]
    i, j = next(pair for pair, area in zip(pairs, areas) if area * BETTER >= max(areas))
    return [three[i], three[j], three[3 - i - j]]


class Product(NamedTuple):
    """A row of the set: the product of two basic vectors is kept at a value."""

    one: int
    other: int
    value: float
    name: str


class Products:
    """Basic vectors of all classes, and the products that are kept: shared ones once."""

    def __init__(self) -> None:
        self.vectors: list[Told] = []
        self._numbers: dict[tuple, int] = {}
        self._lengths: dict[tuple[int, int], Product] = {}
        self._angles: dict[tuple[int, int], Product] = {}

    @property
    def rows(self) -> list[Product]:
        """Lengths before angles: of rows that follow from others the first ones written stay."""
        return [*self._lengths.values(), *self._angles.values()]

    def add(self, basis, name: str) -> tuple[tuple[int, ...], list[np.ndarray]]:
        """Numbers of the vectors of a class, and their directions there."""
        numbers, directions = [], []
        for told, direction in basis:
            number, sign = self._number(told)
            numbers.append(number)
            directions.append(sign * direction)
        for i in range(3):
            for j in range(i, 3):
                one, other = sorted((numbers[i], numbers[j]))
                if not (self.vectors[one].shares or self.vectors[other].shares):
                    continue  # both are constant
                kept = self._lengths if one == other else self._angles
                what = f"length of {name}" if i == j else f"angle of {name}"
                value = float(directions[i] @ directions[j])
                kept.setdefault((one, other), Product(one, other, value, f"{what} {i + 1}{'' if i == j else j + 1}"))
        return tuple(numbers), directions

    def _number(self, told) -> tuple[int, float]:
        """The number of a vector, and -1 where that one points the other way."""
        terms = sorted(told.shares.items())
        parts = [share for _, share in terms] + told.constant.tolist()
        sign = 1.0 if next((part for part in parts if abs(part) > 1e-12), 1.0) > 0.0 else -1.0
        key = tuple((k, f"{sign * share:.9e}") for k, share in terms), tuple(np.round(sign * told.constant, 9) + 0.0)
        if key not in self._numbers:
            self._numbers[key] = len(self.vectors)
            self.vectors.append(Told().plus(told, sign))
        return self._numbers[key], sign
