"""Joints that guide a point or a wheel along a line: slots, blades, and discs that roll."""

from __future__ import annotations

from typing import Any, ClassVar

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.checks import Length, Size, settle
from linkwork.mechanism.edges import EdgeHeight, EdgeSlip
from linkwork.mechanism.frames import Frame
from linkwork.mechanism.joints import AS_ASSEMBLED, Joint, Row
from linkwork.mechanism.measures import Angle, Direction, Distance, Measure, Offset, Slip, Sum
from linkwork.mechanism.steps import Ball, Roll, Shift, Slide, Step
from linkwork.mechanism.symbols import Mark, mark
from linkwork.records import dataclass


@dataclass(frozen=True)
class PinInSlot(Joint):
    """A pin at the origin of `to` in a straight slot along x of `on`, at a signed distance `offset` from that line.

    In space the pin is a ball, and the slot a straight line.

    Plane: holds y; freedom 2.  Space: holds y, z; freedom 4.  Reads slide, angle.

    Units: offset [m].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.PinInSlot("ground", "rod.a", offset=0.2))
    >>> print(f"{m.assemble()['rod.a.y']:.3f}")
    0.200
    """

    offset: Length = 0.0  # the number that users know it by; the word `offset` is not used here

    sample: ClassVar[dict[str, Any]] = {"offset": 0.2}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "offset")

    def constraints(self) -> tuple[Row, ...]:
        return Row("y", Offset(self.on, self.to, "y"), self.offset), Row("z", Offset(self.on, self.to, "z"))

    def motion(self) -> tuple[Step, ...] | None:
        return Slide("x"), Shift("y", self.offset), Ball()

    def readings(self) -> dict[str, Measure]:
        return {"slide": Offset(self.on, self.to, "x"), "angle": Angle(self.on, self.to)}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("slot", self.on, self.to, offset=self.offset),)


@dataclass(frozen=True)
class RollingDisc(Joint):
    """A disc that rolls without slip; its centre is the origin of `to`.

    In the plane on a straight line along x of `on`, the disc on its +y side; with `on_radius`, on a disc about the
    origin of `on`.  `reference` is the value of x + radius * angle that is kept; without it, the value when assembled.
    In space its sharp edge, about z of `to`, rolls on the plane z = 0 of `on`.

    Plane: holds contact, rolling; freedom 1.  Space: holds contact, rolling.x, rolling.y; freedom 3.  Reads slide,
    angle.

    Units: radius [m], on_radius [m], reference [m].

    >>> m = lw.Mechanism()
    >>> _ = m.add("wheel", lw.disc(radius=0.5, mass=1.0))
    >>> _ = m.add("track", lw.RollingDisc("ground", "wheel", radius=0.5, reference=0.0))
    >>> found = m.assemble(start={"track.angle": "-90 deg"})
    >>> print(f"{found['wheel.x']:.4f}")
    0.7854
    """

    radius: Size = 1.0
    on_radius: Size | None = None
    reference: Length | None = AS_ASSEMBLED

    sample: ClassVar[dict[str, Any]] = {"radius": 0.4}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "radius", "on_radius", "reference")
        if self.on_radius is not None:
            object.__setattr__(self, "dimensions", (2,))

    def constraints(self) -> tuple[Row, ...]:
        edge = (
            Row("contact", EdgeHeight(self.on, self.to, self.radius), only=3),
            *(Row(f"rolling.{axis}", EdgeSlip(self.on, self.to, self.radius, axis), only=3) for axis in "xy"),
        )
        if self.on_radius is not None:
            return (
                Row("contact", Distance(self.on, self.to), self.on_radius + self.radius),
                Row("rolling", mesh(self.on, self.to, self.on_radius, self.radius), self.reference),
            )
        rolling = Sum((1.0, Offset(self.on, self.to, "x")), (self.radius, Angle(self.on, self.to)))
        return (
            Row("contact", Offset(self.on, self.to, "y"), self.radius, only=2),
            Row("rolling", rolling, self.reference, only=2),
            *edge,
        )

    def motion(self) -> tuple[Step, ...] | None:
        if self.on_radius is not None:
            return None
        return Shift("y", self.radius), Roll(self.radius, (self.reference or 0.0) / self.radius)

    def in_space(self, both_turn: bool) -> Joint:
        raise DescriptionError(
            message(
                self.item,
                "rolls in the plane, and on its edge in space",
                remedy="describe the rolling in the spatial mechanism itself",
            )
        )

    def steps(self, dimension: int) -> Any:
        return super().steps(dimension) if dimension == 2 else None

    def readings(self) -> dict[str, Measure]:
        return {"slide": Offset(self.on, self.to, "x"), "angle": Angle(self.on, self.to)}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("wheel", self.on, self.to, holds=False, radius=self.radius, on_radius=self.on_radius),)


@dataclass(frozen=True)
class KnifeEdge(Joint):
    """A blade along x of `to` that cannot move sideways over `on` (a skate, a wheel seen from above).

    Plane: holds slip; freedom 2.  Space: holds slip; freedom 5.  Reads nothing.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.KnifeEdge("ground", "rod"))
    >>> m.check().freedom, m.check().position_freedom
    (2, 3)
    """

    def constraints(self) -> tuple[Row, ...]:
        return (Row("slip", Slip(self.on, self.to, "y")),)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("blade", self.on, self.to),)


def mesh(on: Frame, to: Frame, on_radius: float, to_radius: float) -> Sum:
    """Two pitch circles that do not slip, as seen from the line of centres; its multiplier is the tooth force."""
    return Sum((on_radius, Direction(on, to)), (to_radius, Direction(to, on)))
