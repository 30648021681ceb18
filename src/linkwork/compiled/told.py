"""Bodies of the plane told by points: what the choice of points gives.  Vectors of the plane are complex numbers."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

from linkwork.kernels import layout as at
from linkwork.records import dataclass


@dataclass
class Told:
    """A linear combination of points that have coordinates: constant + sum of share times point."""

    constant: complex = 0j
    shares: dict[int, complex] = field(default_factory=dict)

    def plus(self, other: Told, factor: complex = 1.0) -> Told:
        """self + factor other."""
        shares = dict(self.shares)
        for k, share in other.shares.items():
            shares[k] = shares.get(k, 0j) + factor * share
        return Told(self.constant + factor * other.constant, shares)


@dataclass(frozen=True)
class Turning:
    """Bodies that turn together."""

    kind: int  # STILL, BY_ANGLE or BY_POINTS
    direction: Told  # a, where it is BY_POINTS
    name: str  # of its first body


@dataclass(frozen=True)
class Share:
    """A body told by points: its class, its mass centre, its arm (BY_ANGLE) and its angle against the class."""

    turning: int
    center: Told
    arm: complex
    angle: float


@dataclass(frozen=True)
class Place:
    """A point that has coordinates: where it is on one of its bodies, from its mass centre; and who shares it.

    One that nobody shares is a mass centre, or it has a name, "coupler.tracer", because a basis asks for it.
    """

    body: int
    arm: complex
    joints: tuple[str, ...]
    name: str = ""


@dataclass(frozen=True)
class Choice:
    """Points, what turns together, and all bodies told by them; the rows of the model that are met by that."""

    places: tuple[Place, ...]
    turnings: tuple[Turning, ...]
    shares: tuple[Share, ...]
    absorbed: frozenset[int]
    secondary: tuple[tuple[str, ...], ...]  # joints at points that are linear combinations of others

    @cached_property
    def angles(self) -> list[int]:
        """Classes that have an angle as a coordinate."""
        return [c for c, one in enumerate(self.turnings) if one.kind == at.BY_ANGLE]

    @cached_property
    def directions(self) -> list[int]:
        """Classes that turn along points."""
        return [c for c, one in enumerate(self.turnings) if one.kind == at.BY_POINTS]
