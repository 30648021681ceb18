"""Joints and couplings: measures held, and the motion that they leave.

One class a joint, with both its sides: `constraints()` says which measures are held (body and point coordinates, loop
closure), `motion()` which steps lead from `on` to `to` (placing bodies, joint coordinates).  Joints turn about z of
their frames and slide along x.  Rows that contain z have no meaning in the plane and are dropped there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, ClassVar

import numpy as np

from linkwork import rotation
from linkwork.arguments import Explained
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism.checks import Length, Radians, Size, settle
from linkwork.mechanism.frames import Frame, Place, as_frame
from linkwork.mechanism.kinds import Kinds
from linkwork.mechanism.measures import (
    Alignment,
    Angle,
    Direction,
    Distance,
    Measure,
    Offset,
    Sum,
    WorldOffset,
    contains_z,
)
from linkwork.mechanism.recipes import Described
from linkwork.mechanism.steps import Shift, Slide, Step, Turn
from linkwork.mechanism.symbols import Mark, mark
from linkwork.records import dataclass

#: held at whatever value it has when the mechanism is assembled
AS_ASSEMBLED = None


@dataclass(frozen=True)
class Row(metaclass=Explained):
    """One held measure of a joint: `measure` is kept at `value`, None for that when assembled; `label` names the row.

    `in_plane` replaces the measure in a planar mechanism; `only` says the one dimension in which the row exists.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> [row.label for row in m["A"].rows(2)]
    ['x', 'y']
    """

    label: str
    measure: Measure
    value: float | None = 0.0
    in_plane: Measure | None = None
    only: int | None = None


@dataclass(frozen=True)
class Joint(Described):
    """Connects the frame `on` one body with the frame `to` another.  Its reaction is reported as acting on `to`.

    Frames are points of bodies (`rod.a`, `m.ground.at(1, 0)`), bodies for their own frames, or names ("rod.a").
    `active=False` leaves the joint out; `cut=True` has it close a loop in joint coordinates instead of carrying a body;
    `locked=True` holds its motions where they are when assembled, until an event releases it; `name` is given by
    `Mechanism.add`.

    Every kind says what it holds in the plane and in space, and how many freedoms it leaves there.  x, y and z are held
    places; x-z stands for an axis x of `on` that stays at right angles to z of `to`.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Prismatic("ground", "rod"))
    >>> m["A"].on.body, m["A"].to.body, sorted(m["A"].readings())
    ('ground', 'rod', ['slide'])
    """

    on: Place
    to: Place
    active: bool = field(default=True, kw_only=True)
    #: in joint coordinates this joint closes a loop instead of carrying a body
    cut: bool = field(default=False, kw_only=True)
    #: its motions are held as they are when assembled; an event may release them
    locked: bool = field(default=False, kw_only=True)
    name: str = field(default="", kw_only=True)

    kinds: ClassVar[Kinds[type[Joint]]] = Kinds()
    #: where it exists: in the plane (2), in space (3)
    dimensions: ClassVar[tuple[int, ...]] = (2, 3)
    #: of a joint made for space that exists in the plane, too: the joint that it is there
    in_plane: ClassVar[str] = ""
    #: further arguments of an example, for contract tests
    sample: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Joint.kinds.add(cls)

    def __post_init__(self) -> None:
        object.__setattr__(self, "on", as_frame(self.on, self.item, "on"))
        object.__setattr__(self, "to", as_frame(self.to, self.item, "to"))
        if self.on.body == self.to.body:
            raise DescriptionError(
                message(
                    self.item,
                    f"has both frames on body '{self.on.body}'",
                    f"{self.on} and {self.to}",
                    "frames on two different bodies",
                    "attach one side to another body or to mechanism.ground",
                )
            )

    @property
    def item(self) -> str:
        """How messages call this joint."""
        return f"Joint '{self.name}' ({type(self).__name__})" if self.name else type(self).__name__

    def constraints(self) -> tuple[Row, ...]:
        """The measures that the joint holds."""
        raise TypeError(f"{type(self).__name__} does not say what it holds")

    def motion(self) -> tuple[Step, ...] | None:
        """Steps from `on` to `to`, or None where the joint alone does not place a body."""
        return None

    def rows(self, dimension: int) -> list[Row]:
        """What is held in the plane (2) or in space (3): rows that contain z have no meaning in the plane."""
        found = [row for row in self.constraints() if row.only in (None, dimension)]
        if dimension == 2:
            found = [row if row.in_plane is None else replace(row, measure=row.in_plane) for row in found]
            found = [row for row in found if not contains_z(row.measure)]
        return found

    def steps(self, dimension: int) -> list[Step] | None:
        """The steps of `motion()` that exist in the plane (2) or in space (3)."""
        found = self.motion()
        if found is None or dimension == 3:
            return None if found is None else list(found)
        flat = [step.in_plane() for step in found]
        return [step for step in flat if step is not None]

    def among(self, bodies: Mapping[str, Any], dimension: int) -> Joint:
        """The joint as it stands among the bodies of a mechanism, where it asks for what they declare."""
        return self

    def in_space(self, both_turn: bool) -> Joint:
        """What a joint of the plane is in space, where the bodies at both of its ends turn, or one is a particle."""
        return self

    def weaker(self, dimension: int) -> list[Any]:
        """Joints that hold less at the same frames, each with the rows that it lets go; `check` may suggest one."""
        from linkwork.mechanism.weaker import weaker

        return weaker(self, dimension)

    def misfit(self, on: tuple[np.ndarray, np.ndarray], to: tuple[np.ndarray, np.ndarray]) -> str | None:
        """What is wrong with how *other* joints hold the two frames, each as (place, axes), or None."""
        return None

    def readings(self) -> dict[str, Measure]:
        """Measures that a user may want to read, by name."""
        return {}

    def symbol(self) -> tuple[Mark, ...]:
        """How it is drawn, as marks; see `linkwork.mechanism.symbols`."""
        return (mark("dashes", self.on, self.to),)

    def __getattr__(self, key: str) -> Measure:
        if key.startswith("_") or "to" not in self.__dict__:
            raise AttributeError(key)
        readings = self.readings()
        if key not in readings:
            raise UnknownNameError("quantity", key, list(readings), f"of {self.item}")
        return readings[key]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.readings()]

    def _facts(self) -> list[tuple[str, str]]:
        held = {word: ", ".join(row.label for row in self.rows(d)) for d, word in ((2, "plane"), (3, "space"))}
        said = [(f"holds in {'the ' * (d == 2)}{word}", held[word]) for d, word in ((2, "plane"), (3, "space"))]
        return [*(one for one, d in zip(said, (2, 3)) if d in self.dimensions), ("reads", ", ".join(self.readings()))]

    # the words that constraints are written with
    def pin(self, axis: str) -> Row:
        """The origins coincide along an axis of the world; all axes are held together.

        Along axes of `on` the same would be held.  But where the origins are a little apart, as they are inside of a
        step, the force of such a row has a moment on `on`: it would turn a thin rod about itself, and keep steps short.
        """
        return Row(axis, WorldOffset(self.on, self.to, axis), 0.0)

    def offset(self, axis: str, value: float | None = 0.0) -> Row:
        """The origin of `to` is held along an axis of `on`."""
        return Row(axis, Offset(self.on, self.to, axis), value)

    def align(self, axis: str, other: str) -> Row:
        """An axis of `on` stays at right angles to one of `to`; in the plane this holds the angle."""
        measure = Alignment(self.on, self.to, axis, other)
        if (axis, other) == ("x", "y"):
            return Row("angle", measure, 0.0, Angle(self.on, self.to))
        return Row(f"{axis}-{other}", measure)


@dataclass(frozen=True)
class Revolute(Joint):
    """Turns about z: a pin.

    Plane: holds x, y; freedom 1.  Space: holds x, y, z, x-z, y-z; freedom 1.  Reads angle.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Revolute("ground", "rod.a"))
    >>> hanging = m.evaluate({"A.angle": "-90 deg"})
    >>> print(f"{hanging['A.reaction.y']:.2f} N")
    19.62 N
    """

    def constraints(self) -> tuple[Row, ...]:
        return self.pin("x"), self.pin("y"), self.pin("z"), self.align("x", "z"), self.align("y", "z")

    def motion(self) -> tuple[Step, ...] | None:
        return (Turn(),)

    def readings(self) -> dict[str, Measure]:
        return {"angle": Angle(self.on, self.to)}

    def in_space(self, both_turn: bool) -> Joint:
        from linkwork.mechanism.spatial_joints import Spherical

        if both_turn:
            return self
        # a particle has no axis to turn about
        return Spherical(self.on, self.to, active=self.active, cut=self.cut, locked=self.locked)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("pin", self.on, self.to),)


@dataclass(frozen=True)
class Prismatic(Joint):
    """Slides along x of `on` without turning.

    Plane: holds y, angle; freedom 1.  Space: holds y, z, angle, x-z, y-z; freedom 1.  Reads slide.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Prismatic("ground", "rod"))
    >>> m.assemble(start={"A.slide": "30 cm"})["rod.x"]
    0.3
    """

    def constraints(self) -> tuple[Row, ...]:
        return (self.offset("y"), self.offset("z"), self.align("x", "y"), self.align("x", "z"), self.align("y", "z"))

    def motion(self) -> tuple[Step, ...] | None:
        return (Slide("x"),)

    def readings(self) -> dict[str, Measure]:
        return {"slide": Offset(self.on, self.to, "x")}

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("guide", self.on, self.to),)


@dataclass(frozen=True)
class Fixed(Joint):
    """Holds two frames together: no motion is left.

    With `as_declared=True` (the rigid joint of textbooks) the frames stay as far apart and as much turned against each
    other as the declared poses of the two bodies have them; both bodies then need a position and an angle (in space an
    orientation).  A mechanism keeps such a joint with both frames at the origin of `to`, along the axes of `on`.

    Plane: holds x, y, angle; freedom 0.  Space: holds x, y, z, angle, x-z, y-z; freedom 0.  Reads nothing.

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Fixed(m.ground.at(2, 1), "rod.a"))
    >>> m.assemble()["rod.x"], m.check().freedom
    (2.5, 0)
    """

    as_declared: bool = field(default=False, kw_only=True)

    def constraints(self) -> tuple[Row, ...]:
        return (
            self.pin("x"),
            self.pin("y"),
            self.pin("z"),
            self.align("x", "y"),
            self.align("x", "z"),
            self.align("y", "z"),
        )

    def motion(self) -> tuple[Step, ...] | None:
        return ()

    def among(self, bodies: Any, dimension: int) -> Any:
        if not self.as_declared:
            return self
        (r_on, a_on, turned_on), (r_to, a_to, turned_to) = (
            _declared_pose(bodies, frame.body, dimension, self.item) for frame in (self.on, self.to)
        )
        place = r_to + a_to @ np.asarray(self.to.position)
        on = replace(self.on, position=tuple((a_on.T @ (place - r_on)).tolist()), name=None)
        if dimension == 2:
            to = replace(self.to, angle=turned_on + self.on.angle - turned_to, name=None)
        else:
            x, _, z = (a_to.T @ a_on @ self.on.rotation()).T.tolist()
            to = replace(self.to, angle=0.0, axis=tuple(z), along=tuple(x), name=None)
        return replace(self, on=on, to=to, as_declared=False)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("weld", self.on, self.to),)


def _declared_pose(bodies: Any, name: str, dimension: int, item: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Origin, axes and (in the plane) angle of a body's frame where it was declared."""
    if name == "ground":
        return np.zeros(3), np.eye(3), 0.0
    body = bodies[name]
    missing = ["position"] if body.position is None else []
    if body.angle is None and (dimension == 2 or body.orientation is None) and body.has_angle:
        missing.append("angle" if dimension == 2 else "orientation")
    if missing:
        raise DescriptionError(
            message(
                item,
                f"keeps its bodies as declared, but body '{name}' has no declared " + " and ".join(missing),
                remedy="declare both poses, or leave out as_declared and give frames that are to come together",
            )
        )
    turned = body.angle or 0.0
    axes = Frame(name, angle=turned).rotation() if body.orientation is None else rotation.matrix(body.orientation)
    return np.array((*body.position, 0.0)[:3]), axes, turned


@dataclass(frozen=True)
class Rod(Joint):
    """A massless rod with a pin at each end: keeps the distance (the book's revolute-revolute joint).

    Plane: holds length; freedom 2.  Space: holds length; freedom 5.  Reads length, direction, angle, swing.

    Units: length [m].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Rod("ground", "rod.a", length=0.5))
    >>> m.check().freedom
    2
    """

    length: Size = 1.0

    sample: ClassVar[dict[str, Any]] = {"length": 1.3}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "length")

    def constraints(self) -> tuple[Row, ...]:
        return (Row("length", Distance(self.on, self.to), self.length),)

    def motion(self) -> tuple[Step, ...] | None:
        return Turn("direction"), Shift("x", self.length), Turn("swing")

    def readings(self) -> dict[str, Measure]:
        angle, direction = Angle(self.on, self.to), Direction(self.on, self.to)
        return {
            "length": Distance(self.on, self.to),
            "direction": direction,
            "angle": angle,
            "swing": Sum((1.0, angle), (-1.0, direction)),
        }

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("rod", self.on, self.to, ends=("pin", "pin")),)


@dataclass(frozen=True)
class Hold(Joint):
    """Holds x, y, z (along axes of `on`) or the angle of `to` at a value; what is not given stays free.

    Units: x [m], y [m], angle [rad], z [m].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> _ = m.add("A", lw.Hold("ground", "rod", y=0.4))
    >>> m.assemble()["rod.y"], m.check().freedom
    (0.4, 2)
    """

    x: Length | None = None
    y: Length | None = None
    angle: Radians | None = None
    z: Length | None = None

    sample: ClassVar[dict[str, Any]] = {"y": 0.4}

    def __post_init__(self) -> None:
        super().__post_init__()
        settle(self, self.item, "x", "y", "z", "angle")
        if self.x is self.y is self.z is self.angle is None:
            raise DescriptionError(
                message(
                    self.item,
                    "holds nothing",
                    wanted="a value for x, y, z or angle",
                    remedy="for example Hold(ground, body, y=0.4)",
                )
            )

    def constraints(self) -> tuple[Row, ...]:
        rows = [
            Row(axis, Offset(self.on, self.to, axis), value)
            for axis, value in (("x", self.x), ("y", self.y), ("z", self.z))
            if value is not None
        ]
        if self.angle is not None:
            rows.append(Row("angle", Angle(self.on, self.to), self.angle))
        return tuple(rows)

    def symbol(self) -> tuple[Mark, ...]:
        return (mark("hold", self.on, self.to, holds=False, x=self.x, y=self.y, z=self.z, angle=self.angle),)
