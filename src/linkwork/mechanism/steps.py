"""Steps of motion: what leads from one side of a joint to the other."""

from __future__ import annotations

from dataclasses import dataclass

from linkwork.arguments import Explained


@dataclass(frozen=True)
class Turn(metaclass=Explained):
    """A step of motion: turn about `axis`; `name` is that of the reading whose value it is.

    >>> [step.name for step in lw.Cylindrical(lw.Frame("ground"), lw.Frame("shaft")).motion()]
    ['angle', 'slide']
    """

    name: str = "angle"
    axis: str = "z"


@dataclass(frozen=True)
class Slide(metaclass=Explained):
    """A step of motion: slide along `axis`; `name` is that of the reading whose value it is.

    >>> lw.Prismatic(lw.Frame("ground"), lw.Frame("carriage")).motion()
    (Slide(axis='x', name='slide'),)
    """

    axis: str = "x"
    name: str = "slide"


@dataclass(frozen=True)
class Shift:
    """A fixed step along an axis."""

    axis: str
    distance: float


@dataclass(frozen=True)
class Ball:
    """A step of motion: turn in any way about the origin; in the plane, about z, under this name."""

    name: str = "angle"


@dataclass(frozen=True)
class Helix:
    """A step of motion: turn about z, and slide along it by `lead` times the angle."""

    lead: float
    name: str = "angle"


@dataclass(frozen=True)
class Tilt:
    """A fixed quarter turn about an axis."""

    axis: str


@dataclass(frozen=True)
class Roll:
    """Slide along x and turn about z by angle - slide / radius, where angle is the row `rolling` over the radius."""

    radius: float
    angle: float = 0.0
    name: str = "slide"
