"""Lower-case words that compute a `Body` for space from a simple solid of even density.

Each takes `mass`, or `density` in its place.  The frame is at the mass centre; round solids stand along z like a shaft,
unless `axis` says "x" or "y".  All other keywords go to `Body` as they are; named points that are given are added to
those of the solid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.mechanism.bodies import Body, Primitive
from linkwork.mechanism.checks import Mass, Quantity, Size, further_points, meanings, settled
from linkwork.mechanism.recipes import shape
from linkwork.units import Number

Density = Annotated[Quantity, Number("kg/m^3", above=0.0)]
if TYPE_CHECKING:
    Axis = str
else:
    Axis = Literal["x", "y", "z"]

Triple = tuple[float, float, float]


@shape
@explained
def box(x: Size, y: Size, z: Size, mass: Mass | None = None, *, density: Density | None = None, **options: Any) -> Body:
    """A box with its sides along the axes of its frame, which is at its middle.

    Points `middle` and, of the faces, `left` and `right` (-x and x), `front` and `back` (-y and y), `bottom` and `top`
    (-z and z).  Inertia mass (y^2 + z^2)/12 about x, and so on.

    Units: x [m], y [m], z [m], mass [kg], density [kg/m^3].

    >>> lw.box(1.0, 2.0, 3.0, mass=12.0).inertia
    (13.0, 10.0, 5.0)
    """
    x, y, z = settled(box, x, y, z)
    mass = mass_of("box", mass, density, lambda: x * y * z)
    inertia = tuple(mass * (one**2 + other**2) / 12.0 for one, other in ((y, z), (x, z), (x, y)))
    a, b, c = x / 2.0, y / 2.0, z / 2.0
    points = {
        "middle": (0.0, 0.0, 0.0),
        "left": (-a, 0.0, 0.0),
        "right": (a, 0.0, 0.0),
        "front": (0.0, -b, 0.0),
        "back": (0.0, b, 0.0),
        "bottom": (0.0, 0.0, -c),
        "top": (0.0, 0.0, c),
    }
    corners = (-a, -b), (a, -b), (a, b), (-a, b)
    outline: list[Primitive] = [("solid", tuple((*corner, height) for height in (-c, c) for corner in corners))]
    return _solid(mass, inertia, points, outline, options)


@shape
@explained
def cylinder(
    radius: Size,
    length: Size,
    mass: Mass | None = None,
    *,
    density: Density | None = None,
    axis: Axis = "z",
    **options: Any,
) -> Body:
    """A round shaft along `axis` with its frame at its middle.

    Points `a` and `b`, the middles of its ends, from -length/2 to length/2 along the axis, and `middle`.  Inertia
    mass radius^2/2 about the axis, mass (3 radius^2 + length^2)/12 across it.

    Units: radius [m], length [m], mass [kg], density [kg/m^3].

    >>> lw.cylinder(radius=1.0, length=3.0, mass=4.0).inertia
    (4.0, 4.0, 2.0)
    """
    radius, length = settled(cylinder, radius, length)
    mass = mass_of("cylinder", mass, density, lambda: math.pi * radius**2 * length)
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    return _round(
        "cylinder",
        (across, mass * radius**2 / 2.0),
        _ends(length),
        [("cylinder", _middles(length), radius)],
        axis,
        mass,
        options,
    )


@shape
@explained
def tube(
    outer_radius: Size,
    inner_radius: Size,
    length: Size,
    mass: Mass | None = None,
    *,
    density: Density | None = None,
    axis: Axis = "z",
    **options: Any,
) -> Body:
    """A round tube along `axis` with its frame at its middle.

    Points `a` and `b`, the middles of its ends, and `middle`.  With r^2 the sum of the squares of both radii, inertia
    mass r^2/2 about the axis, mass (3 r^2 + length^2)/12 across it.

    Units: outer_radius [m], inner_radius [m], length [m], mass [kg], density [kg/m^3].

    >>> lw.tube(outer_radius=2.0, inner_radius=1.0, length=1.0, mass=2.0).inertia[2]
    5.0
    """
    outer_radius, inner_radius, length = settled(tube, outer_radius, inner_radius, length)
    if inner_radius >= outer_radius:
        raise DescriptionError(
            message(
                "tube",
                "inner_radius is not inside",
                f"{inner_radius:g} m",
                f"less than outer_radius, {outer_radius:g} m",
            )
        )
    mass = mass_of("tube", mass, density, lambda: math.pi * (outer_radius**2 - inner_radius**2) * length)
    square = outer_radius**2 + inner_radius**2
    across = mass * (3.0 * square + length**2) / 12.0
    outline: list[Primitive] = [("tube", _middles(length), outer_radius, inner_radius)]
    return _round("tube", (across, mass * square / 2.0), _ends(length), outline, axis, mass, options)


@shape
@explained
def sphere(radius: Size, mass: Mass | None = None, *, density: Density | None = None, **options: Any) -> Body:
    """A ball with its frame at its middle; point `middle`.  Inertia 2/5 mass radius^2.

    Units: radius [m], mass [kg], density [kg/m^3].

    >>> print(f"{lw.sphere(radius='10 cm', density='7800 kg/m^3').mass:.3f} kg")
    32.673 kg
    """
    (radius,) = settled(sphere, radius)
    mass = mass_of("sphere", mass, density, lambda: 4.0 / 3.0 * math.pi * radius**3)
    inertia = (0.4 * mass * radius**2,) * 3
    return _solid(mass, inertia, {"middle": (0.0, 0.0, 0.0)}, [("circle", (0.0, 0.0, 0.0), radius)], options)


@shape
@explained
def cone(
    radius: Size,
    height: Size,
    mass: Mass | None = None,
    *,
    density: Density | None = None,
    axis: Axis = "z",
    **options: Any,
) -> Body:
    """A round cone along `axis`, its frame at its mass centre, a quarter of its height above the base.

    Points `apex` (3/4 height along the axis) and `base` (-1/4 height, the middle of its base).  Inertia
    3/10 mass radius^2 about the axis, 3/80 mass (4 radius^2 + height^2) across it.

    Units: radius [m], height [m], mass [kg], density [kg/m^3].

    >>> lw.cone(radius=1.0, height=4.0, mass=10.0).points["apex"]
    (0.0, 0.0, 3.0)
    """
    radius, height = settled(cone, radius, height)
    mass = mass_of("cone", mass, density, lambda: math.pi * radius**2 * height / 3.0)
    across = 3.0 / 80.0 * mass * (4.0 * radius**2 + height**2)
    low, high = -height / 4.0, 3.0 * height / 4.0
    outline: list[Primitive] = [("cone", ((0.0, 0.0, low), (0.0, 0.0, high)), radius)]
    points = {"apex": (0.0, 0.0, high), "base": (0.0, 0.0, low)}
    return _round("cone", (across, 0.3 * mass * radius**2), points, outline, axis, mass, options)


@shape
@explained
def rod(length: Size, mass: Mass, **options: Any) -> Body:
    """A thin straight rod along x with its frame at its middle, without inertia about x.

    Points `a` (-length/2, 0, 0), `b` (length/2, 0, 0) and `middle`.  Inertia mass length^2/12 across it.

    Units: length [m], mass [kg].

    >>> lw.rod(length=2.0, mass=3.0).inertia
    (0.0, 1.0, 1.0)
    """
    length, mass = settled(rod, length, mass)
    half, across = length / 2.0, mass * length**2 / 12.0
    points = {"a": (-half, 0.0, 0.0), "b": (half, 0.0, 0.0), "middle": (0.0, 0.0, 0.0)}
    return _solid(mass, (0.0, across, across), points, [("line", (points["a"], points["b"]))], options)


def mass_of(name: str, mass: Any, density: Any, volume: Callable[[], float]) -> float:
    """Mass as given, or density times volume; one of them must be there."""
    known = meanings(box)
    if (mass is None) == (density is None):
        wrong = "has neither mass nor density" if mass is None else "has both mass and density"
        raise DescriptionError(message(name, wrong, wanted="one of them"))
    if density is None:
        return known["mass"].read(mass, name, "mass")
    return known["density"].read(density, name, "density") * volume()


def _ends(length: float) -> dict[str, Triple]:
    half = length / 2.0
    return {"a": (0.0, 0.0, -half), "b": (0.0, 0.0, half), "middle": (0.0, 0.0, 0.0)}


def _middles(length: float) -> tuple[Triple, Triple]:
    """Middles of both ends of something along z."""
    return (0.0, 0.0, -length / 2.0), (0.0, 0.0, length / 2.0)


def _round(
    name: str,
    moments: tuple[float, float],
    points: dict[str, Triple],
    outline: list[Primitive],
    axis: Any,
    mass: float,
    options: dict[str, Any],
) -> Body:
    """A solid about z, turned so that it stands along another axis; moments are across and about its own."""
    if axis not in ("x", "y", "z"):
        raise DescriptionError(message(name, "axis is unknown", repr(axis), "'x', 'y' or 'z'"))
    first = (2 - "xyz".index(axis)) % 3  # x, y, z in turn take the places of y, z, x: a turn, no mirror

    def placed(triple: Any) -> Any:
        return (*triple[first:], *triple[:first])

    drawn = [(kind, tuple(map(placed, where)), *rest) for kind, where, *rest in outline]
    inertia = placed((moments[0], moments[0], moments[1]))
    return _solid(mass, inertia, {name: placed(point) for name, point in points.items()}, drawn, options)


def _solid(mass: float, inertia: Any, own: dict[str, Any], outline: list[Primitive], options: dict[str, Any]) -> Body:
    """A `Body` with the points and the outline of the solid, unless the options say otherwise."""
    options = dict(options)
    points = {**own, **further_points(options)}
    options.setdefault("outline", tuple(outline))
    return Body(mass, inertia, points=points, **options)
