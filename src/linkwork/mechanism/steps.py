"""Steps of motion: what leads from one side of a joint to the other."""

from __future__ import annotations

import math
from typing import ClassVar

from linkwork.arguments import Explained
from linkwork.records import dataclass

#: where a step leads: a shift, then a turn about an axis, both along the axes before it
Way = tuple[tuple[float, float, float], str, float]


def _shift(axis: str, distance: float) -> tuple[float, float, float]:
    return (distance * (axis == "x"), distance * (axis == "y"), distance * (axis == "z"))


class Step(metaclass=Explained):
    """A step of motion; those that move have the `name` of the reading whose value they take."""

    #: whether a first position of the mechanism may bend it, where nothing is known of its value
    bends: ClassVar[bool] = False

    def way(self, value: float) -> Way:
        """Where it leads at a value."""
        raise TypeError(f"{type(self).__name__} does not say where it leads")


@dataclass(frozen=True)
class Turn(Step):
    """A step of motion: turn about `axis`; `name` is that of the reading whose value it is.

    >>> [step.name for step in lw.Cylindrical(lw.Frame("ground"), lw.Frame("shaft")).motion()]
    ['angle', 'slide']
    """

    name: str = "angle"
    axis: str = "z"

    bends: ClassVar[bool] = True

    def way(self, value: float) -> Way:
        return _shift("", 0.0), self.axis, value


@dataclass(frozen=True)
class Slide(Step):
    """A step of motion: slide along `axis`; `name` is that of the reading whose value it is.

    >>> lw.Prismatic(lw.Frame("ground"), lw.Frame("carriage")).motion()
    (Slide(axis='x', name='slide'),)
    """

    axis: str = "x"
    name: str = "slide"

    def way(self, value: float) -> Way:
        return _shift(self.axis, value), "z", 0.0


@dataclass(frozen=True)
class Shift(Step):
    """A fixed step along an axis."""

    axis: str
    distance: float

    def way(self, value: float) -> Way:
        return _shift(self.axis, self.distance), "z", 0.0


@dataclass(frozen=True)
class Ball(Step):
    """A step of motion: turn in any way about the origin; in the plane, about z, under this name."""

    name: str = "angle"

    def way(self, value: float) -> Way:
        return _shift("", 0.0), "z", value  # in the plane: in space one number does not say it


@dataclass(frozen=True)
class Helix(Step):
    """A step of motion: turn about z, and slide along it by `lead` times the angle."""

    lead: float
    name: str = "angle"

    def way(self, value: float) -> Way:
        return _shift("z", self.lead * value), "z", value


@dataclass(frozen=True)
class Tilt(Step):
    """A fixed quarter turn about an axis."""

    axis: str

    def way(self, value: float) -> Way:
        return _shift("", 0.0), self.axis, 0.5 * math.pi


@dataclass(frozen=True)
class Roll(Step):
    """Slide along x and turn about z by angle - slide / radius, where angle is the row `rolling` over the radius."""

    radius: float
    angle: float = 0.0
    name: str = "slide"

    def way(self, value: float) -> Way:
        return _shift("x", value), "z", self.angle - value / self.radius
