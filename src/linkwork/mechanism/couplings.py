"""Couplings: gears, belts and racks.  They tie motions together; bearings of their own hold the bodies.

The multiplier of a mesh is the tooth force at the pitch point, along the common tangent of the pitch circles, where the
frames are held as the coupling wants them: `misfit` says where they are not.  Teeth have no pressure angle, so the
force along the line of centres that presses real gears apart is missing in the reactions of the bearings.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import Annotated, Any, ClassVar

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.mechanism.checks import Quantity, Size, settle
from linkwork.mechanism.guides import mesh
from linkwork.mechanism.joints import AS_ASSEMBLED, Joint, Row
from linkwork.mechanism.measures import Angle, Measure, Offset, Sum
from linkwork.mechanism.symbols import Mark, mark
from linkwork.records import dataclass
from linkwork.units import Number

#: how far, against a radius, pitch circles may be from touching, and how far parallel axes may be from it [rad]
FIT = 1e-3


Held = tuple[np.ndarray, np.ndarray]  # place and axes of a frame, as other joints hold it


def _across(way: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """The part of a way that is at right angles to z."""
    across: np.ndarray = way - axes[:, 2] * (axes[:, 2] @ way)
    return across


def _not_parallel(on: np.ndarray, to: np.ndarray) -> str | None:
    """What is wrong with axes that should point the same way."""
    cosine = float(on[:, 2] @ to[:, 2])
    if cosine > 1.0 - FIT**2:
        return None
    return "has axes z that point against each other" if cosine < FIT**2 - 1.0 else "has axes z that are not parallel"


@dataclass(frozen=True)
class _RadiusPair(Joint):
    on_radius: Size = 1.0
    to_radius: Size = 1.0

    sample: ClassVar[dict[str, Any]] = {"on_radius": 0.3, "to_radius": 0.5}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "on_radius", "to_radius")


@dataclass(frozen=True)
class Gear(_RadiusPair):
    """Two gears about z of their frames, which are parallel; holds on fixed and moving carriers.

    `internal=True`: `to` runs inside the ring `on`.  The axes and their distance are the business of the bearings; a
    warning is given where they do not fit.  The tooth force is tangential, at the pitch point: without pressure angle
    nothing presses the gears apart.

    Plane: holds mesh; freedom 2.  Space: holds mesh; freedom 5.  Reads nothing.

    Units: on_radius [m], to_radius [m].

    >>> m = lw.Mechanism()
    >>> _ = m.add("small", lw.disc(radius=0.1, mass=1.0))
    >>> _ = m.add("large", lw.disc(radius=0.3, mass=4.0))
    >>> _ = m.add("A", lw.Revolute("ground", "small"))
    >>> _ = m.add("B", lw.Revolute(m.ground.at(0.4, 0), "large"))
    >>> _ = m.add("teeth", lw.Gear("small", "large", on_radius=0.1, to_radius=0.3))
    >>> found = m.assemble(start={"A.angle.rate": 3.0})
    >>> print(f"{found['B.angle.rate']:.4f}")
    -1.0000
    """

    internal: bool = field(default=False, kw_only=True)

    def misfit(self, on: Held, to: Held) -> str | None:
        wanted = abs(self.on_radius - self.to_radius) if self.internal else self.on_radius + self.to_radius
        apart = float(np.linalg.norm(_across(to[0] - on[0], on[1])))
        if abs(apart - wanted) > FIT * wanted:
            return (
                f"has pitch circles that do not touch: the centres are {apart:.4g} m apart, and the radii want "
                f"{wanted:.4g} m"
            )
        return _not_parallel(on[1], to[1])

    def constraints(self) -> tuple[Row, ...]:
        sign = -1.0 if self.internal else 1.0
        return (Row("mesh", mesh(self.on, self.to, self.on_radius, sign * self.to_radius), AS_ASSEMBLED),)

    def symbol(self) -> tuple[Mark, ...]:
        return (
            mark(
                "gear",
                self.on,
                self.to,
                holds=False,
                on_radius=self.on_radius,
                to_radius=self.to_radius,
                internal=self.internal,
            ),
        )


@dataclass(frozen=True)
class Belt(_RadiusPair):
    """An open belt over two pulleys about z of their frames, which are parallel.

    It has no tension of its own: what both strands pull the pulleys together with is missing in their bearings.

    Plane: holds belt; freedom 2.  Space: holds belt; freedom 5.  Reads nothing.

    Units: on_radius [m], to_radius [m].

    >>> m = lw.Mechanism()
    >>> _ = m.add("small", lw.disc(radius=0.1, mass=1.0))
    >>> _ = m.add("large", lw.disc(radius=0.3, mass=4.0))
    >>> _ = m.add("A", lw.Revolute("ground", "small"))
    >>> _ = m.add("B", lw.Revolute(m.ground.at(1.0, 0), "large"))
    >>> _ = m.add("belt", lw.Belt("small", "large", on_radius=0.1, to_radius=0.3))
    >>> found = m.assemble(start={"A.angle.rate": 3.0})
    >>> print(f"{found['B.angle.rate']:.4f}")
    1.0000
    """

    def misfit(self, on: Held, to: Held) -> str | None:
        return _not_parallel(on[1], to[1])

    def constraints(self) -> tuple[Row, ...]:
        return (Row("belt", mesh(self.on, self.to, self.on_radius, -self.to_radius), AS_ASSEMBLED),)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("belt", self.on, self.to, holds=False, on_radius=self.on_radius, to_radius=self.to_radius),)


@dataclass(frozen=True)
class RackAndPinion(Joint):
    """A rack along x of `on` and a pinion about the origin of `to`, the pinion on the +y side.

    The tooth force is along the rack: without pressure angle nothing presses the pinion away from it.

    Plane: holds mesh; freedom 2.  Space: holds mesh; freedom 5.  Reads slide, angle.

    Units: radius [m].

    >>> m = lw.Mechanism()
    >>> _ = m.add("pinion", lw.disc(radius=0.1, mass=1.0))
    >>> _ = m.add("rack", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute(m.ground.at(0, 0.1), "pinion"))
    >>> _ = m.add("S", lw.Prismatic("ground", "rack"))
    >>> _ = m.add("teeth", lw.RackAndPinion("rack", "pinion", radius=0.1))
    >>> found = m.assemble(start={"A.angle.rate": 3.0})
    >>> print(f"{found['S.slide.rate']:.4f}")
    0.3000
    """

    radius: Size = 1.0

    sample: ClassVar[dict[str, Any]] = {"radius": 0.3}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "radius")

    def misfit(self, on: Held, to: Held) -> str | None:
        apart = float((to[0] - on[0]) @ on[1][:, 1])
        if abs(apart - self.radius) > FIT * self.radius:
            return (
                f"has a pitch circle that does not touch the rack: its centre is {apart:.4g} m from it along y, "
                f"and the radius wants {self.radius:.4g} m"
            )
        return _not_parallel(on[1], to[1])

    def constraints(self) -> tuple[Row, ...]:
        travel = Sum((1.0, Offset(self.on, self.to, "x")), (self.radius, Angle(self.on, self.to)))
        return (Row("mesh", travel, AS_ASSEMBLED),)

    def readings(self) -> dict[str, Measure]:
        return {"slide": Offset(self.on, self.to, "x"), "angle": Angle(self.on, self.to)}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("rack", self.on, self.to, holds=False, radius=self.radius),)


@dataclass(frozen=True)
class BevelGear(_RadiusPair):
    """Two gears whose axes meet: z of both frames, from where they meet towards the gears, `shaft_angle` apart.

    The origins of both frames are where the axes meet; `on_radius` and `to_radius` are those of the pitch circles that
    touch.  It holds on fixed and moving carriers; a warning is given where the bearings do not fit.  The tooth force is
    tangential, at the pitch point: without pressure angle nothing presses the gears apart, or along their axes.

    Space: holds mesh; freedom 5.  Reads nothing.

    Units: on_radius [m], to_radius [m], shaft_angle [rad].

    >>> m = lw.Mechanism(dimension=3)
    >>> _ = m.add("small", lw.disc(radius=0.1, mass=1.0, thickness=0.02))
    >>> _ = m.add("large", lw.disc(radius=0.2, mass=3.0, thickness=0.02))
    >>> _ = m.add("A", lw.Revolute("ground", "small"))
    >>> _ = m.add("B", lw.Revolute(m.ground.at(axis=(1, 0, 0)), "large"))
    >>> _ = m.add("teeth", lw.BevelGear("small", "large", on_radius=0.1, to_radius=0.2))
    >>> print(f"{m.assemble(start={'A.angle.rate': 3.0})['B.angle.rate']:.4f}")
    -1.5000
    """

    shaft_angle: Annotated[Quantity, Number("rad", above=0.0)] = 0.5 * math.pi

    dimensions: ClassVar[tuple[int, ...]] = (3,)

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "shaft_angle")
        if not self.shaft_angle < math.pi:
            raise DescriptionError(
                message(self.item, "has axes on one line", self.shaft_angle, "a shaft_angle below pi (180 deg)")
            )

    def misfit(self, on: Held, to: Held) -> str | None:
        apart, size = float(np.linalg.norm(to[0] - on[0])), self.on_radius + self.to_radius
        angle = math.acos(max(-1.0, min(1.0, float(on[1][:, 2] @ to[1][:, 2]))))
        if apart > FIT * size:
            return f"has axes that do not meet at the origins of its frames: those are {apart:.4g} m apart"
        if abs(angle - self.shaft_angle) > FIT:
            return (
                f"has axes z at another angle than its shaft_angle: {math.degrees(angle):.4g} deg instead of "
                f"{math.degrees(self.shaft_angle):.4g} deg"
            )
        return None

    def constraints(self) -> tuple[Row, ...]:
        # The pitch point is P = a z_on + b z_to with a = to_radius / sin, b = on_radius / sin of the shaft angle, so it
        # is in the middle between 2 a z_on and 2 b z_to.  Seen from these points on the axes the gears are as in a
        # plane: directions of the line through them, weighed by the radii, give the force of a tooth at P alone.
        sine = math.sin(self.shaft_angle)
        on, to = self.on.ahead(2.0 * self.to_radius / sine), self.to.ahead(2.0 * self.on_radius / sine)
        return (Row("mesh", mesh(on, to, self.on_radius, self.to_radius), AS_ASSEMBLED),)

    def symbol(self) -> tuple[Mark, ...]:
        return (
            mark(
                "bevel",
                self.on,
                self.to,
                holds=False,
                on_radius=self.on_radius,
                to_radius=self.to_radius,
                shaft_angle=self.shaft_angle,
            ),
        )
