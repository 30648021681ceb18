"""Steps of motion: what leads from one side of a joint to the other."""

from __future__ import annotations

import math
from typing import ClassVar, Literal, NamedTuple

from linkwork.arguments import Explained
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.measures import Angle, Measure, Offset
from linkwork.records import dataclass

#: where a step leads: a shift, then a turn about an axis, both along the axes before it
Way = tuple[tuple[float, float, float], str, float]


def _shift(axis: str, distance: float) -> tuple[float, float, float]:
    x, y, z = (distance if axis == one else 0.0 for one in "xyz")
    return x, y, z


class Moves(NamedTuple):
    """How a step moves: the speed along and the spin about an axis for a unit rate.

    `row` is (label, factor): the value of this row of the joint, times the factor, is added to the angle.
    """

    axis: str
    slide: float
    turn: float
    row: tuple[str, float] | None = None


class Step(metaclass=Explained):
    """A step of motion; those that move have the `name` of the reading whose value they take."""

    #: the link of joint coordinates that it makes, whose motion is in `kernels/*/links.py`; none where it is fixed
    kind: ClassVar[Literal["turn", "slide", "helix", "ball", "roll", ""]] = ""
    #: how many coordinates it has in space
    freedoms: ClassVar[int] = 0
    #: whether its value is an angle, and its origin stays where it is: for a particle it then does nothing
    turns: ClassVar[bool] = False
    keeps_origin: ClassVar[bool] = False
    #: whether a first position of the mechanism may bend it, where nothing is known of its value
    bends: ClassVar[bool] = False
    name = ""

    def way(self, value: float) -> Way:
        """Where it leads at a value."""
        raise TypeError(f"{type(self).__name__} does not say where it leads")

    def moves(self, sign: float) -> Moves:
        """How it moves, from `on` to `to` (sign 1) or back (-1)."""
        raise TypeError(f"{type(self).__name__} does not say how it moves")

    def measure(self, on: Frame, to: Frame) -> Measure | None:
        """What its value is where the joint has no reading of its name."""
        return None

    def in_plane(self) -> Step | None:
        """What it is in a planar mechanism; None where it leads out of the plane."""
        return None if getattr(self, "axis", "") == "z" else self


@dataclass(frozen=True)
class Turn(Step):
    """A step of motion: turn about `axis`; `name` is that of the reading whose value it is.

    >>> [step.name for step in lw.Cylindrical(lw.Frame("ground"), lw.Frame("shaft")).motion()]
    ['angle', 'slide']
    """

    name: str = "angle"
    axis: str = "z"

    kind = "turn"
    freedoms = 1
    turns = keeps_origin = bends = True

    def way(self, value: float) -> Way:
        return _shift("", 0.0), self.axis, value

    def moves(self, sign: float) -> Moves:
        return Moves(self.axis, 0.0, sign)

    def measure(self, on: Frame, to: Frame) -> Measure | None:
        return Angle(on, to)

    def in_plane(self) -> Step | None:
        return self


@dataclass(frozen=True)
class Slide(Step):
    """A step of motion: slide along `axis`; `name` is that of the reading whose value it is.

    >>> lw.Prismatic(lw.Frame("ground"), lw.Frame("carriage")).motion()
    (Slide(axis='x', name='slide'),)
    """

    axis: str = "x"
    name: str = "slide"

    kind = "slide"
    freedoms = 1

    def way(self, value: float) -> Way:
        return _shift(self.axis, value), "z", 0.0

    def moves(self, sign: float) -> Moves:
        return Moves(self.axis, sign, 0.0)

    def measure(self, on: Frame, to: Frame) -> Measure | None:
        return Offset(on, to, self.axis)


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

    kind = "ball"
    freedoms = 3
    turns = keeps_origin = True

    def way(self, value: float) -> Way:
        return _shift("", 0.0), "z", value  # in the plane: in space one number does not say it

    def moves(self, sign: float) -> Moves:
        return Moves("z", 0.0, 0.0)  # its spin is its rate

    def in_plane(self) -> Step | None:
        return Turn(self.name)


@dataclass(frozen=True)
class Helix(Step):
    """A step of motion: turn about z, and slide along it by `lead` times the angle."""

    lead: float
    name: str = "angle"

    kind = "helix"
    freedoms = 1
    turns = True

    def way(self, value: float) -> Way:
        return _shift("z", self.lead * value), "z", value

    def moves(self, sign: float) -> Moves:
        return Moves("z", sign * self.lead, sign)

    def in_plane(self) -> Step | None:
        return Turn(self.name)


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

    kind = "roll"
    freedoms = 1

    def moves(self, sign: float) -> Moves:
        return Moves("x", sign, -sign / self.radius, ("rolling", sign / self.radius))

    def way(self, value: float) -> Way:
        return _shift("x", value), "z", self.angle - value / self.radius
