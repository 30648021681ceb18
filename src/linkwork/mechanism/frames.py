"""Frames: a point of a body with axes, what joints, measures and forces are attached to."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork import cells
from linkwork.arguments import Explained
from linkwork.errors import DescriptionError, message
from linkwork.mechanism.checks import Length, Radians, number, vector
from linkwork.mechanism.recipes import Recipe
from linkwork.records import dataclass
from linkwork.tape import array, cos, remainder, sin
from linkwork.units import tell_degrees


@dataclass(frozen=True)
class Frame(metaclass=Explained):
    """A point on a body with axes.  Made by `body.at(...)` or by a named point of a shape, `bar.a`.

    `position` is in the body's own frame; in space `axis` is the direction of z and `along` that of x; `angle` turns
    the axes about z; `name` is that of the point.

    Units: angle [rad].

    >>> m = lw.Mechanism()
    >>> rod = m.add("rod", lw.bar(length=1.0, mass=2.0))
    >>> print(rod.at(0.2, 0.1, angle="30 deg"), rod.a)
    rod.at(0.2, 0.1) rod.a
    >>> rod.a == lw.Frame("rod", (-0.5, 0.0), name="a")
    True
    """

    body: str
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    angle: Radians = 0.0
    axis: tuple[float, float, float] | None = None
    along: tuple[float, float] | tuple[float, float, float] | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.body, str):
            raise DescriptionError(
                message(
                    "Frame",
                    "has no name of a body",
                    repr(self.body),
                    "a name such as 'crank'",
                    "or write body.at(x, y)",
                )
            )
        item = f"Frame on body '{self.body}'"
        place = vector(self.position, item, "position")
        object.__setattr__(self, "position", (*place, 0.0) if len(place) == 2 else place)
        if self.axis is not None:
            axis = vector(self.axis, item, "axis", (3,))
            if not any(axis):
                raise DescriptionError(message(item, "`axis` has no direction", str(axis), "a vector that is not zero"))
            object.__setattr__(self, "axis", axis)

    def __str__(self) -> str:
        if self.name:
            return f"{self.body}.{self.name}"
        x, y, z = self.position
        where = f"{x:g}, {y:g}" + (f", {z:g}" if z else "")
        return f"{self.body}.at({where})"

    def _repr_html_(self) -> str:
        given = [("body", self.body), ("position [m]", self.position), ("turned about z by [rad]", self.angle or None)]
        axes = [("z along", self.axis), ("x along", self.along)]
        return cells.shown(f"Frame {self}", cells.facts([*given, *axes]))

    def rotation(self) -> np.ndarray:
        """Axes of the frame as columns, in the body's frame (3 x 3)."""
        c, s = cos(self.angle), sin(self.angle)
        turn = array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        if self.axis is None:
            return turn
        z = np.asarray(self.axis) / np.linalg.norm(self.axis)
        x = np.asarray(self.along) if self.along is not None else _any_normal(z)
        x = x - z * (z @ x)
        if np.linalg.norm(x) < 1e-9:
            raise DescriptionError(
                message(
                    f"Frame {self}",
                    "`along` points along `axis`",
                    str(self.along),
                    "a direction with a part across the axis",
                )
            )
        x /= np.linalg.norm(x)
        axes: np.ndarray = np.column_stack([x, np.cross(z, x), z]) @ turn
        return axes

    def angle_to(self, other: Frame) -> float:
        """Angle of the axes of another frame against these in the plane, with both bodies at angle 0, within half a
        turn: axes have no turns.
        """
        found: float = remainder(other.angle - self.angle, 2.0 * math.pi)
        return found

    def facing(self, x: str, y: str) -> Frame:
        """A frame at the same place whose x and y point along axes of this one: "z", or "-x" for the opposite."""
        own = {axis: column for axis, column in zip("xyz", self.rotation().T, strict=True)}
        x_axis, y_axis = (own[name[-1]] * (-1.0 if name[0] == "-" else 1.0) for name in (x, y))
        normal = np.cross(x_axis, y_axis)
        found = Frame(self.body, self.position, 0.0, tuple(normal.tolist()), tuple(x_axis.tolist()), self.name)
        return self._followed_by(found, Frame.facing, x, y)

    def ahead(self, distance: float) -> Frame:
        """A frame with the same axes, this far along z."""
        place = np.asarray(self.position) + distance * self.rotation()[:, 2]
        found = replace(self, position=tuple(place.tolist()), name=None)
        return self._followed_by(found, Frame.ahead, distance)

    def turned(self, angle: float) -> Frame:
        """The same frame with its axes turned by `angle` about z."""
        found = replace(self, angle=self.angle + number(angle, f"Frame {self}", "angle", unit="rad"))
        return self._followed_by(found, Frame.turned, angle)

    def _followed_by(self, found: Frame, make: Callable[..., Any], *arguments: Any) -> Frame:
        """A frame that comes from this one goes where this one goes, when a mechanism gets other numbers."""
        if self.name or "_recipe" in self.__dict__:
            found.__dict__["_recipe"] = Recipe(make, (self, *arguments))
        return found


#: where a frame is wanted a body will do, meaning its own frame; fields hold the frame
if TYPE_CHECKING:
    Place = Any
else:
    Place = Frame

#: what is read as a direction: two or three numbers
if TYPE_CHECKING:
    Way = Any
else:
    Way = tuple[float, ...]

#: the frame of the ground
GROUND = Frame("ground")


def _any_normal(z: np.ndarray) -> np.ndarray:
    """x where z is not along x, else y: a frame given by its axis alone keeps the body's x as far as it can."""
    return np.array([1.0, 0.0, 0.0]) if abs(z[0]) < 0.9 else np.array([0.0, 1.0, 0.0])


def make_frame(
    body: str,
    x: Length = 0.0,
    y: Length = 0.0,
    z: Length = 0.0,
    *,
    angle: Radians = 0.0,
    axis: Way | None = None,
    along: Way | None = None,
    name: str | None = None,
) -> Frame:
    """A frame on the named body; see `Body.at`."""
    item = f"Frame on body '{body}'"
    position = (number(x, item, "x", unit="m"), number(y, item, "y", unit="m"), number(z, item, "z", unit="m"))
    tell_degrees(angle, f"{item} angle")
    angle = number(angle, item, "angle", unit="rad")
    if axis is None and along is not None:
        direction = vector(along, item, "along")
        if len(direction) == 3 and direction[2] != 0.0:  # z stays as near to that of the body as it can
            u, v, w = along = direction
            axis = (-u * w, -v * w, u * u + v * v) if (u, v) != (0.0, 0.0) else (1.0, 0.0, 0.0)
        else:
            if direction[:2] == (0.0, 0.0):
                raise DescriptionError(
                    message(item, "`along` has no direction", str(along), "a vector that is not zero")
                )
            return Frame(body, position, angle + math.atan2(direction[1], direction[0]), None, None, name)
    if axis is not None:
        along = vector(along, item, "along", (3,)) if along is not None else None
    frame = Frame(body, position, angle, axis, along, name)
    frame.rotation()
    return frame


def as_frame(thing: Any, item: str, what: str) -> Frame:
    """A Frame, or the frame of a named body."""
    if isinstance(thing, Frame):
        return thing
    at = getattr(thing, "at", None)
    if callable(at) and hasattr(thing, "mass"):
        found: Frame = at()
        return found
    raise DescriptionError(
        message(
            item,
            f"`{what}` is not a frame",
            repr(thing),
            "a frame such as body.at(0, 0) or bar.a",
            "use body.at(x, y) of a body that has been added",
        )
    )
