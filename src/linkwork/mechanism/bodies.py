"""Bodies and particles: what has mass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from linkwork.arguments import explained, mirrored
from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.mechanism.checks import (
    AngularSpeed,
    Inertia,
    Length,
    Mass,
    Position,
    Product,
    Radians,
    Velocity,
    listed,
    meanings,
    named_points,
    number,
    settle,
    shown_name,
    vector,
)
from linkwork.mechanism.frames import Frame, make_frame
from linkwork.mechanism.inertia import check_likely, check_possible, is_listed, read_moments
from linkwork.mechanism.orientation import Turned, read_orientation
from linkwork.mechanism.recipes import Described, hold_texts, waiting
from linkwork.records import dataclass

if TYPE_CHECKING:
    from linkwork.view.notebook import body_html as _html

#: what an outline is drawn with: lines and polygons through points, circles by middle and radius; in space the
#: direction across a circle may follow, and a circle without it is a ball.  Solids of space: the convex one around
#: points, cylinders and cones by the middles of their ends and a radius, tubes by an outer and an inner one, and meshes
#: of vertices and faces, which count them
Primitive = (
    tuple[Literal["line", "polygon", "solid"], tuple[tuple[Length, ...], ...]]
    | tuple[Literal["cylinder", "cone"], tuple[tuple[Length, ...], ...], Length]
    | tuple[Literal["tube"], tuple[tuple[Length, ...], ...], Length, Length]
    | tuple[Literal["mesh"], tuple[tuple[Length, ...], ...], tuple[tuple[int, ...], ...]]
    | tuple[Literal["circle"], tuple[Length, ...], Length]
    | tuple[Literal["circle"], tuple[Length, ...], Length, tuple[float, float, float]]
)
#: of inertia in space, about axes of the body's frame
Matrix = tuple[tuple[Product, Product, Product], tuple[Product, Product, Product], tuple[Product, Product, Product]]


@explained
@dataclass(frozen=True)
class Body(Described):
    """A rigid body.

    `inertia` is about the mass centre: one number in the plane, three principal values or a 3 x 3 matrix in space.
    `center` puts the mass centre elsewhere than at the origin of the body's frame.  `position`, `angle` (space:
    `orientation`, as an `Orientation`, a quaternion with the scalar first, a rotation matrix or a map such as
    {"axis": (0, 0, 1), "angle": "30 deg"}; kept as the quaternion), `velocity` of the frame's origin and
    `angular_velocity` (space: along the body's axes) say where it starts; assembly keeps them while what is not said of
    other bodies can close the mechanism.  Without them the body is placed through its joints.
    `points` are named places that become frames (`body.tip`), `outline` is what is drawn, `gravity=False` makes it
    weightless; `name` is given by `Mechanism.add`.

    Units: mass [kg], inertia [kg m^2], center [m], position [m], angle [rad], velocity [m/s],
    angular_velocity [rad/s], points [m], outline [m].

    >>> m = lw.Mechanism()
    >>> crank = m.add("crank", lw.Body(mass=2.0, inertia="5 kg*cm^2", points={"tip": (0.1, 0.0)}))
    >>> crank.inertia, crank.tip.position
    (0.0005, (0.1, 0.0, 0.0))
    """

    mass: Mass
    inertia: Inertia | tuple[Inertia, Inertia, Inertia] | Matrix = 0.0
    center: Position = (0.0, 0.0)
    position: Position | None = None
    angle: Radians | None = None
    orientation: Turned | None = None
    velocity: Velocity | None = None
    angular_velocity: AngularSpeed | tuple[AngularSpeed, AngularSpeed, AngularSpeed] | None = None
    points: Mapping[str, Position] = field(default_factory=dict)
    outline: tuple[Primitive, ...] = ()
    gravity: bool = True
    name: str = ""

    has_angle = True

    def __post_init__(self) -> None:
        item = f"{type(self).__name__} '{self.name}'" if self.name else type(self).__name__

        def put(key: str, value: Any) -> None:
            object.__setattr__(self, key, value)  # frozen: the only way in

        means = meanings(Body)
        settle(self, item, "mass", "angle")
        put("inertia", read_moments(self.inertia, item))
        check_possible(self.inertia, item)
        for key in ("center", "position", "velocity"):
            if getattr(self, key) is not None:
                put(key, vector(getattr(self, key), item, key, unit=means[key].unit))
        if self.orientation is not None:
            put("orientation", read_orientation(self.orientation, item))
        if self.angular_velocity is not None:
            value = self.angular_velocity
            unit = means["angular_velocity"].unit
            put(
                "angular_velocity",
                vector(value, item, "angular_velocity", (3,), unit=unit)
                if is_listed(value)
                else number(value, item, "angular_velocity", unit=unit),
            )
        points = {}
        for key, value in named_points(self.points, item).items():
            if not isinstance(key, str) or not key.isidentifier():
                raise DescriptionError(message(item, "a point's name is not a word", repr(key), "letters and digits"))
            shown_name(key, item, "a point's name")
            if hasattr(Body, key) or key in Body.__dataclass_fields__:
                raise DescriptionError(
                    message(
                        item,
                        f"the point name '{key}' is taken by a property of every body",
                        remedy="choose another name",
                    )
                )
            points[key] = vector(value, item, f"point '{key}'", unit=means["points"].unit)
        put("points", MappingProxyType(points))
        put("outline", listed(self.outline, item, "outline", 'a list such as [("line", ((0, 0), (1, 0)))]'))

    def __hash__(self) -> int:
        return hash((self.name, self.mass))

    def __reduce__(self) -> tuple[Any, ...]:
        keys = tuple(self.__dataclass_fields__)
        values = {key: (dict(self.points) if key == "points" else getattr(self, key)) for key in keys}
        return _rebuild, (type(self), values, self._kept())

    def _kept(self) -> dict[str, Any]:
        """What is known beside the fields: what the body was made of, and the parameters of its mechanism."""
        return {key: value for key, value in self.__dict__.items() if key in ("_shape", "_recipe", "_parameters")}

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or "points" not in self.__dict__:
            raise AttributeError(key)
        points = self.__dict__["points"]
        if key in points:
            return self._frame(*points[key], name=key)
        made_of = self.__dict__["_shape"].numbers() if "_shape" in self.__dict__ else {}
        if key in made_of:
            return made_of[key]
        raise UnknownNameError("point", key, [*points, *made_of], f"on body '{self.name}'") from None

    if TYPE_CHECKING:
        _repr_html_ = _html
    else:
        _repr_html_ = mirrored("linkwork.view.notebook", "body_html")

    def __dir__(self) -> list[str]:
        made_of = self.__dict__["_shape"].numbers() if "_shape" in self.__dict__ else ()
        return [*super().__dir__(), *self.points, *made_of]

    def at(
        self,
        x: Any = 0.0,
        y: Any = 0.0,
        z: Any = 0.0,
        *,
        angle: Any = 0.0,
        axis: Any = None,
        along: Any = None,
        name: str | None = None,
    ) -> Frame:
        """A frame at (x, y) of this body; in the plane turned by `angle` or with its x `along` a direction; in space
        with its z along `axis` and its x `along` a direction.  Texts of the parameters of its mechanism will do."""
        return self._frame(x, y, z, angle=angle, axis=axis, along=along, name=name)

    def _frame(self, *position: Any, **options: Any) -> Frame:
        if not self.name:
            raise DescriptionError(
                message(
                    type(self).__name__,
                    "has no name yet, so nothing can be attached to it",
                    remedy='use the body that mechanism.add("name", body) returns',
                )
            )
        if hold_texts(*position, options.get("angle"), options.get("axis"), options.get("along")):
            recipe = waiting(make_frame, (self.name, *position), options)
            if recipe is not None:
                found: Frame = recipe.made(self.__dict__.get("_parameters", {}))
                return found
        return make_frame(self.name, *position, **options)

    def named(self, name: str) -> Any:
        """The same body with a name; from here on an inertia that hardly fits its size is told."""
        found = super().named(name)
        check_likely(found, f"{type(self).__name__} '{name}'")
        return found


@dataclass(frozen=True)
class Particle(Body):
    """A body without extent: it has a position and no angle.

    Units: mass [kg], position [m], velocity [m/s], outline [m].

    >>> lw.Particle(mass="500 g", position=(0.0, 1.0)).mass
    0.5
    """

    has_angle = False

    def __init__(
        self,
        mass: Any,
        *,
        position: Any = None,
        velocity: Any = None,
        gravity: bool = True,
        outline: Any = (),
        name: str = "",
    ) -> None:
        for key, value in dict(
            mass=mass,
            inertia=0.0,
            center=(0.0, 0.0),
            position=position,
            angle=None,
            orientation=None,
            velocity=velocity,
            angular_velocity=None,
            points={},
            outline=outline,
            gravity=gravity,
            name=name,
        ).items():
            object.__setattr__(self, key, value)
        self.__post_init__()

    __hash__ = Body.__hash__

    def __reduce__(self) -> tuple[Any, ...]:
        keys = ("mass", "position", "velocity", "gravity", "outline", "name")
        return _rebuild, (type(self), {key: getattr(self, key) for key in keys}, self._kept())

    def at(self, x: Any = 0.0, y: Any = 0.0, z: Any = 0.0, **options: Any) -> Frame:
        """The particle's frame; it has no other point and no axes to turn."""
        if x or y or z or options.get("angle") or options.get("along") or options.get("axis"):
            raise DescriptionError(
                message(
                    f"Particle '{self.name}'",
                    "has no extent: a frame can only be at its place",
                    f"at({x}, {y})",
                    "at()",
                    "use a Body, with inertia 0 if it has none",
                )
            )
        return self._frame(0.0, 0.0, 0.0, name=options.get("name"))


def _rebuild(kind: type, values: Mapping[str, Any], kept: Mapping[str, Any]) -> Any:
    made = kind(**values)
    made.__dict__.update(kept)
    return made
