"""Joints that only space needs.  Rows and steps as in `joints`; where rows are left in the plane, they work there."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from linkwork.mechanism.checks import Length, Size, settle
from linkwork.mechanism.joints import Joint, Row
from linkwork.mechanism.measures import Alignment, Angle, Direction, Distance, Measure, Offset, Sum
from linkwork.mechanism.steps import Ball, Helix, Shift, Slide, Step, Tilt, Turn
from linkwork.mechanism.symbols import Mark, mark
from linkwork.records import dataclass


@dataclass(frozen=True)
class Spherical(Joint):
    """A ball in its socket: the origins stay together, all turning is free.

    Plane: holds x, y; freedom 1.  Space: holds x, y, z; freedom 3.  Reads nothing.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Spherical("ground", "rod.a"))
    >>> m.check().freedom
    3
    """

    in_plane: ClassVar[str] = "Revolute"

    def constraints(self) -> tuple[Row, ...]:
        return self.pin("x"), self.pin("y"), self.pin("z")

    def motion(self) -> tuple[Step, ...] | None:
        return (Ball(),)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("ball", self.on, self.to),)


@dataclass(frozen=True)
class Cylindrical(Joint):
    """Turns about z and slides along it.

    Plane: holds x, y; freedom 1.  Space: holds x, y, x-z, y-z; freedom 2.  Reads angle, slide.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Cylindrical("ground", "rod.a"))
    >>> sorted(m["A"].readings())
    ['angle', 'slide']
    """

    in_plane: ClassVar[str] = "Revolute"

    def constraints(self) -> tuple[Row, ...]:
        return self.offset("x"), self.offset("y"), self.align("x", "z"), self.align("y", "z")

    def motion(self) -> tuple[Step, ...] | None:
        return Turn(), Slide("z")

    def readings(self) -> dict[str, Measure]:
        return {"angle": Angle(self.on, self.to), "slide": Offset(self.on, self.to, "z")}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("sleeve", self.on, self.to),)


@dataclass(frozen=True)
class Screw(Joint):
    """A nut on a screw along z: one turn moves it by `pitch`; where the angle is zero, so is the slide.

    Plane: holds x, y; freedom 1.  Space: holds x, y, x-z, y-z, thread; freedom 1.  Reads angle, slide.

    Units: pitch [m].

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Screw("ground", "rod.a", pitch="5 mm"))
    >>> found = m.assemble(start={"A.angle": "360 deg"})
    >>> print(f"{found['A.slide']:.4f}")
    0.0050
    """

    in_plane: ClassVar[str] = "Revolute"

    pitch: Length = 0.01

    sample: ClassVar[dict[str, Any]] = {"pitch": 0.4}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "pitch")

    def constraints(self) -> tuple[Row, ...]:
        travel = Sum((1.0, Offset(self.on, self.to, "z")), (-self.pitch / (2.0 * math.pi), Angle(self.on, self.to)))
        return (self.offset("x"), self.offset("y"), self.align("x", "z"), self.align("y", "z"), Row("thread", travel))

    def motion(self) -> tuple[Step, ...] | None:
        return (Helix(self.pitch / (2.0 * math.pi)),)

    def readings(self) -> dict[str, Measure]:
        return {"angle": Angle(self.on, self.to), "slide": Offset(self.on, self.to, "z")}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("screw", self.on, self.to),)


@dataclass(frozen=True)
class Universal(Joint):
    """A cross (Cardan) joint: turns about z of `on` (`angle`) and about z of `to` (`tilt`), which stay at right angles.

    Where both angles are zero, `to` is `on` after a quarter turn about x.

    Space: holds x, y, z, z-z; freedom 2.  Reads angle, tilt.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Universal("ground", "rod.a"))
    >>> m.check().freedom
    2
    """

    dimensions: ClassVar[tuple[int, ...]] = (3,)

    def constraints(self) -> tuple[Row, ...]:
        return self.pin("x"), self.pin("y"), self.pin("z"), self.align("z", "z")

    def motion(self) -> tuple[Step, ...] | None:
        return Turn(), Tilt("x"), Turn("tilt")

    def readings(self) -> dict[str, Measure]:
        return {
            "angle": Angle(self.on.facing("-y", "x"), self.to.facing("z", "x")),
            "tilt": Angle(self.to.facing("y", "x"), self.on.facing("z", "x")),
        }

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("cross", self.on, self.to),)


@dataclass(frozen=True)
class ConstantVelocity(Joint):
    """Joins two shafts along z at any small angle so that both turn alike (the plane of bisection stays between).

    Space: holds x, y, z, turning; freedom 2.  Reads nothing.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.ConstantVelocity("ground", "rod.a"))
    >>> m.check().freedom
    2
    """

    dimensions: ClassVar[tuple[int, ...]] = (3,)

    def constraints(self) -> tuple[Row, ...]:
        alike = Sum((1.0, Alignment(self.on, self.to, "x", "y")), (-1.0, Alignment(self.on, self.to, "y", "x")))
        return self.pin("x"), self.pin("y"), self.pin("z"), Row("turning", alike, only=3)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("bell", self.on, self.to),)


@dataclass(frozen=True)
class Planar(Joint):
    """Slides in the plane x-y of `on` and turns about z.

    Space: holds z, x-z, y-z; freedom 3.  Reads x, y, angle.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Planar("ground", "rod.a"))
    >>> m.check().freedom
    3
    """

    dimensions: ClassVar[tuple[int, ...]] = (3,)

    def constraints(self) -> tuple[Row, ...]:
        return self.offset("z"), self.align("x", "z"), self.align("y", "z")

    def motion(self) -> tuple[Step, ...] | None:
        return Slide("x", "x"), Slide("y", "y"), Turn()

    def readings(self) -> dict[str, Measure]:
        return {
            "x": Offset(self.on, self.to, "x"),
            "y": Offset(self.on, self.to, "y"),
            "angle": Angle(self.on, self.to),
        }

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("plane", self.on, self.to, offset=0.0, ball=False),)


@dataclass(frozen=True)
class PointOnPlane(Joint):
    """The origin of `to` stays in the plane x-y of `on`, at a signed distance `offset` from it.

    Space: holds z; freedom 5.  Reads x, y.

    Units: offset [m].

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.PointOnPlane("ground", "rod.a", offset=0.3))
    >>> print(f"{m.assemble()['rod.a.z']:.3f}")
    0.300
    """

    offset: Length = 0.0  # the number that users know it by; the word `offset` is not used here

    dimensions: ClassVar[tuple[int, ...]] = (3,)
    sample: ClassVar[dict[str, Any]] = {"offset": 0.2}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "offset")

    def constraints(self) -> tuple[Row, ...]:
        return (Row("z", Offset(self.on, self.to, "z"), self.offset),)

    def motion(self) -> tuple[Step, ...] | None:
        return Slide("x", "x"), Slide("y", "y"), Shift("z", self.offset), Ball()

    def readings(self) -> dict[str, Measure]:
        return {"x": Offset(self.on, self.to, "x"), "y": Offset(self.on, self.to, "y")}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("plane", self.on, self.to, offset=self.offset, ball=True),)


@dataclass(frozen=True)
class RevoluteSpherical(Joint):
    """A massless link of this length that turns about z of `on` at one end and ends in a ball at the origin of `to`.

    Plane: holds length; freedom 2.  Space: holds length, z; freedom 4.  Reads length, direction, swing.

    Units: length [m].

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.RevoluteSpherical("ground", "rod.a", length=0.5))
    >>> m.check().freedom
    4
    """

    in_plane: ClassVar[str] = "Rod"

    length: Size = 1.0

    sample: ClassVar[dict[str, Any]] = {"length": 0.8}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "length")

    def constraints(self) -> tuple[Row, ...]:
        return Row("length", Distance(self.on, self.to), self.length), self.offset("z")

    def motion(self) -> tuple[Step, ...] | None:
        return Turn("direction"), Shift("x", self.length), Ball("swing")

    def readings(self) -> dict[str, Measure]:
        return {
            "length": Distance(self.on, self.to),
            "direction": Direction(self.on, self.to),
            "swing": Sum((1.0, Angle(self.on, self.to)), (-1.0, Direction(self.on, self.to))),
        }

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("rod", self.on, self.to, ends=("pin", "ball")),)


@dataclass(frozen=True)
class SphericalCylindrical(Joint):
    """A ball at the origin of `to` that slides in a straight bore along z of `on`.

    Plane: holds x, y; freedom 1.  Space: holds x, y; freedom 4.  Reads slide.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.SphericalCylindrical("ground", "rod.a"))
    >>> m.check().freedom
    4
    """

    in_plane: ClassVar[str] = "Revolute"

    def constraints(self) -> tuple[Row, ...]:
        return self.offset("x"), self.offset("y")

    def motion(self) -> tuple[Step, ...] | None:
        return Slide("z"), Ball()

    def readings(self) -> dict[str, Measure]:
        return {"slide": Offset(self.on, self.to, "z")}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("bore", self.on, self.to),)


@dataclass(frozen=True)
class RevoluteCylindrical(Joint):
    """A massless fork that turns about z of `on`, with a bore along z of `to`; the two axes meet at right angles.

    Space: holds x, y, z-z; freedom 3.  Reads angle, slide, spin.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.RevoluteCylindrical("ground", "rod.a"))
    >>> m.check().freedom
    3
    """

    dimensions: ClassVar[tuple[int, ...]] = (3,)

    def constraints(self) -> tuple[Row, ...]:
        return (Row("x", Offset(self.to, self.on, "x")), Row("y", Offset(self.to, self.on, "y")), self.align("z", "z"))

    def motion(self) -> tuple[Step, ...] | None:
        return Turn(), Tilt("y"), Slide("z"), Turn("spin")

    def readings(self) -> dict[str, Measure]:
        return {
            "angle": Angle(self.on, self.to.facing("z", "y")),
            "slide": Sum((-1.0, Offset(self.to, self.on, "z"))),
            "spin": Angle(self.to.facing("-x", "y"), self.on.facing("z", "x")),
        }

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("fork", self.on, self.to),)


@dataclass(frozen=True)
class UniversalSpherical(Joint):
    """A massless rod with a cross joint at `on` and a ball at `to`: keeps the distance, without any play of its own.

    Plane: holds length; freedom 2.  Space: holds length; freedom 5.  Reads length.

    Units: length [m].

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.UniversalSpherical("ground", "rod.a", length=0.5))
    >>> m.check().freedom
    5
    """

    in_plane: ClassVar[str] = "Rod"

    length: Size = 1.0

    sample: ClassVar[dict[str, Any]] = {"length": 0.8}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "length")

    def constraints(self) -> tuple[Row, ...]:
        return (Row("length", Distance(self.on, self.to), self.length),)

    def readings(self) -> dict[str, Measure]:
        return {"length": Distance(self.on, self.to)}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("rod", self.on, self.to, ends=("cross", "ball")),)


@dataclass(frozen=True)
class Free(Joint):
    """Holds nothing: its readings are the place of `to` seen from `on`, and joint coordinates count from there.

    Plane: holds nothing; freedom 3.  Space: holds nothing; freedom 6.  Reads x, y, z, angle.

    >>> m = lw.Mechanism(dimension=3)
    >>> rod = m.add("rod", lw.cylinder(radius=0.02, length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Free("ground", "rod"))
    >>> print(f"{m.assemble(start={'A.x': 0.5})['rod.x']:.3f}")
    0.500
    """

    def constraints(self) -> tuple[Row, ...]:
        return ()

    def motion(self) -> tuple[Step, ...] | None:
        return Slide("x", "x"), Slide("y", "y"), Slide("z", "z"), Ball()

    def readings(self) -> dict[str, Measure]:
        return {axis: Offset(self.on, self.to, axis) for axis in "xyz"} | {"angle": Angle(self.on, self.to)}
