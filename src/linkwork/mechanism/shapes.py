"""Lower-case words that compute a `Body` from a simple shape of even thickness.

The inertia of a planar body is the scalar about its mass centre. Where a third size is given (`depth`,
`thickness`; zero is allowed), the body is one for space, and its inertia is the triple about the axes of
its frame.

An outline is a tuple of drawing primitives in the axes of the body:
``("polygon", ((x, y), ...))``, ``("line", ((x, y), ...))`` and ``("circle", (x, y), radius)``.
All other keywords (`points`, `position`, `angle`, `gravity`, ...) go to `Body` as they are; named points
that are given are added to those of the shape.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any

from linkwork.arguments import explained
from linkwork.errors import DescriptionError, message
from linkwork.mechanism.bodies import Body, Primitive
from linkwork.mechanism.checks import Length, Mass, Size, Width, further_points, meanings, number, settled, vector
from linkwork.mechanism.inertia import Inertia, is_listed
from linkwork.mechanism.orientation import Orientation, Turned, read_orientation
from linkwork.mechanism.recipes import shape

#: a body with its place in the frame of a joined one
if TYPE_CHECKING:
    Part = Any
else:
    _Point, _Place = tuple[Length, Length], tuple[Length, Length, Length]
    Part = (
        Body
        | tuple[Body, float, float]
        | tuple[Body, float, float, float]
        | tuple[Body, _Point]
        | tuple[Body, _Point, float]
        | tuple[Body, _Place]
        | tuple[Body, _Place, Turned]
    )


@shape
@explained
def bar(length: Size, mass: Mass, width: Width = 0.0, *, depth: Width | None = None, **options: Any) -> Body:
    """A straight bar along x with its frame at its middle.

    Points `a` (-length/2, 0), `b` (length/2, 0) and `middle`. Inertia mass (length^2 + width^2)/12; with
    `depth` (along z) a body for space.

    Units: length [m], mass [kg], width [m], depth [m].

    >>> rod = lw.bar(length=2.0, mass=3.0, points={"tip": (1.0, 0.1)})
    >>> rod.inertia, rod.points["b"]
    (1.0, (1.0, 0.0))
    """
    length, mass, width, depth = settled(bar, length, mass, width, depth)
    half = length / 2.0
    inertia: Any = mass * (length**2 + width**2) / 12.0
    if depth is not None:
        inertia = (mass * (width**2 + depth**2) / 12.0, mass * (length**2 + depth**2) / 12.0, inertia)
    if width > 0.0:
        outline: tuple[Primitive, ...] = (_thick(_rectangle(length, width), depth),)
    else:
        outline = (("line", ((-half, 0.0), (half, 0.0))),)
    own = {"a": (-half, 0.0), "b": (half, 0.0), "middle": (0.0, 0.0)}
    return _body(mass, inertia, own, outline, options, space=depth is not None)


@shape
@explained
def disc(radius: Size, mass: Mass, *, thickness: Width | None = None, **options: Any) -> Body:
    """A round disc about z with its frame at its middle; point `middle`.

    Inertia mass radius^2/2; with `thickness` a body for space, mass (3 radius^2 + thickness^2)/12 about x
    and y.

    Units: radius [m], mass [kg], thickness [m].

    >>> lw.disc(radius=0.5, mass=2.0).inertia
    0.25
    """
    radius, mass, thickness = settled(disc, radius, mass, thickness)
    inertia: Any = mass * radius**2 / 2.0
    if thickness is not None:
        across = mass * (3.0 * radius**2 + thickness**2) / 12.0
        inertia = (across, across, inertia)
    # The spoke shows how far the disc has turned.
    outline: tuple[Primitive, ...] = (("circle", (0.0, 0.0), radius), ("line", ((0.0, 0.0), (radius, 0.0))))
    if thickness:
        half = thickness / 2.0
        outline = (
            ("cylinder", ((0.0, 0.0, -half), (0.0, 0.0, half)), radius),
            ("line", ((0.0, 0.0, half), (radius, 0.0, half))),
        )
    return _body(mass, inertia, {"middle": (0.0, 0.0)}, outline, options, space=thickness is not None)


@shape
@explained
def plate(width: Size, height: Size, mass: Mass, *, thickness: Width | None = None, **options: Any) -> Body:
    """A rectangle, `width` along x and `height` along y, with its frame at its middle; point `middle`.

    Inertia mass (width^2 + height^2)/12; with `thickness` a body for space.

    Units: width [m], height [m], mass [kg], thickness [m].

    >>> lw.plate(width=3.0, height=4.0, mass=12.0).inertia
    25.0
    """
    width, height, mass, thickness = settled(plate, width, height, mass, thickness)
    inertia: Any = mass * (width**2 + height**2) / 12.0
    if thickness is not None:
        inertia = (mass * (height**2 + thickness**2) / 12.0, mass * (width**2 + thickness**2) / 12.0, inertia)
    outline = (_thick(_rectangle(width, height), thickness),)
    return _body(mass, inertia, {"middle": (0.0, 0.0)}, outline, options, space=thickness is not None)


@shape
@explained
def polygon(corners: Iterable[tuple[Length, Length]], mass: Mass, **options: Any) -> Body:
    """A plane figure of even thickness given by its corners in turn, either way round; it may not cross
    itself.

    The frame is the one in which the corners are given; `center` is the centroid of the area, and the
    inertia, about the centroid, is exact.

    Units: corners [m], mass [kg].

    >>> lw.polygon([(0, 0), (3, 0), (0, 3)], mass=1.0).center
    (1.0, 1.0)
    """
    mass = meanings(polygon)["mass"].read(mass, "polygon", "mass")
    if not isinstance(corners, Iterable):
        raise DescriptionError(message("polygon", "has no list of corners", repr(corners), "corners (x, y)"))
    given = tuple(_corner(k, corner) for k, corner in enumerate(corners))
    if len(given) < 3:
        raise DescriptionError(
            message("polygon", "has too few corners", got=len(given), wanted="at least three corners (x, y)")
        )
    crossing = _crossing(given)
    if crossing is not None:
        raise DescriptionError(
            message(
                "polygon",
                "crosses itself",
                got=f"sides {crossing[0]} and {crossing[1]} with a point in common",
                wanted="corners in turn around the figure",
            )
        )
    area, x, y, second = _area_moments(given)
    size = max(math.hypot(px - x0, py - y0) for px, py in given for x0, y0 in given[:1])
    if abs(area) <= 1e-14 * size**2:
        raise DescriptionError(
            message("polygon", "has no area", got=repr(given), wanted="corners that are not on one line")
        )
    # Area moments are about the first corner, where rounding is small; I_c = I_o - m r^2 moves them to the
    # centroid.
    inertia = mass * (second / area - x**2 - y**2)
    center = (given[0][0] + x, given[0][1] + y)
    return _body(mass, inertia, {}, (("polygon", given),), {"center": center, **options}, space=False)


@shape
@explained
def join(*parts: Part, **options: Any) -> Body:
    """One body made of several, fixed to each other: each a `Body`, or with its place in the frame of the new body.

    In the plane (body, x, y) or (body, x, y, angle), also (body, (x, y)) or (body, (x, y), angle); in space (body,
    (x, y, z)) or (body, (x, y, z), orientation): there the frame of the part is. Masses add, `center` is the common
    mass centre, and the inertia is the sum by the parallel-axis rule. Named points keep their names, which must
    therefore differ between the parts; with `points=` only the points given there are named.

    Units: parts [m].

    >>> hammer = lw.join((lw.bar(length=1.0, mass=1.0), 0.0, 0.0), (lw.disc(radius=0.1, mass=3.0), 0.5, 0.0), points={})
    >>> hammer.mass, hammer.center
    (4.0, (0.375, 0.0))
    """
    if not parts:
        raise DescriptionError(message("join", "has no parts", wanted="bodies, or (body, x, y, angle)"))
    if any(_in_space(part) for part in parts):
        return _join_in_space(parts, options)
    placed: list[tuple[Any, float, float, float]] = [_part(k, part) for k, part in enumerate(parts)]
    mass = math.fsum(body.mass for body, *_ in placed)
    centers = [_place(body.center, x, y, angle) for body, x, y, angle in placed]
    if mass > 0.0:
        cx = math.fsum(part[0].mass * c[0] for part, c in zip(placed, centers)) / mass
        cy = math.fsum(part[0].mass * c[1] for part, c in zip(placed, centers)) / mass
    else:
        cx = cy = 0.0
    inertia = math.fsum(
        part[0].inertia + part[0].mass * ((c[0] - cx) ** 2 + (c[1] - cy) ** 2) for part, c in zip(placed, centers)
    )
    places = [partial(_place, x=x, y=y, angle=angle) for _, x, y, angle in placed]
    bodies = [body for body, *_ in placed]
    own = _named_points(bodies, places, options)
    outline = tuple(
        _place_primitive(primitive, place) for body, place in zip(bodies, places) for primitive in body.outline
    )
    return _body(mass, inertia, own, outline, {"center": (cx, cy), **options}, space=False)


def _join_in_space(parts: tuple[Any, ...], options: dict[str, Any]) -> Body:
    placed = [_part_in_space(k, part) for k, part in enumerate(parts)]
    first, *others = [Inertia.of(body).rotated(turn).shifted(shift) for body, shift, turn in placed]
    whole = first.joined(*others)

    def placing(shift: tuple[float, ...], turn: Orientation) -> Callable[[Any], Any]:
        if turn == Orientation():  # the numbers stay as they are
            return lambda point: tuple(a + b for a, b in zip((*point, 0.0)[:3], shift))
        return lambda point: tuple((turn.apply((*point, 0.0)[:3]) + shift).tolist())

    bodies = [body for body, _, _ in placed]
    places = [placing(shift, turn) for _, shift, turn in placed]
    own = _named_points(bodies, places, options)
    outline = tuple(
        _place_primitive(primitive, place, turn)
        for body, place, (_, _, turn) in zip(bodies, places, placed)
        for primitive in body.outline
    )
    points = {**own, **further_points(options)}
    return whole.body(**{"outline": outline, **options, "points": points})


def _named_points(
    bodies: Sequence[Any], places: Sequence[Callable[[Any], Any]], options: dict[str, Any]
) -> dict[str, Any]:
    """Points of the parts in the frame of the whole; none where the points of the whole are given."""
    own: dict[str, Any] = {}
    if options.get("points") is not None:
        return own
    options.pop("points", None)
    for k, (body, place) in enumerate(zip(bodies, places)):
        for name, point in body.points.items():
            if name in own:
                raise DescriptionError(
                    message(
                        "join",
                        f"has two points of the name {name!r}",
                        got=f"{name!r} again in part {k}",
                        wanted="names that differ between the parts",
                        remedy="Give the points of the joined body by points={name: (x, y)}",
                    )
                )
            own[name] = place(point)
    return own


def _body(
    mass: float,
    inertia: Any,
    own: Mapping[str, tuple[Any, ...]],
    outline: tuple[Primitive, ...],
    options: dict[str, Any],
    *,
    space: bool,
) -> Body:
    """A `Body` with the points and the outline of the shape, unless the options say otherwise."""
    options = dict(options)
    points: dict[str, Any] = {name: (*point, 0.0) if space else point for name, point in own.items()}
    points.update(further_points(options))
    options.setdefault("outline", outline)
    return Body(mass, inertia, points=points, **options)


def _corner(k: int, corner: Any) -> tuple[float, float]:
    try:
        x, y = corner
    except (TypeError, ValueError):
        raise DescriptionError(
            message("polygon", f"cannot use its corner {k}", got=repr(corner), wanted="two numbers (x, y)")
        ) from None
    return number(x, "polygon", f"corner {k}", unit="m"), number(y, "polygon", f"corner {k}", unit="m")


def _part(k: int, part: Any) -> tuple[Body, float, float, float]:
    """Body, x, y and angle of a part of `join`."""
    body, *place = part if isinstance(part, tuple | list) and part else (part,)
    item = f"join, part {k},"
    if len(place) in (1, 2) and is_listed(place[0]) and len(place[0]) == 2:
        place = [*place[0], *place[1:]]
    if not isinstance(body, Body) or len(place) not in (0, 2, 3):
        raise DescriptionError(
            message(item, "cannot be placed", got=repr(part), wanted="a body, (body, x, y) or (body, x, y, angle)")
        )
    values = [*place, 0.0, 0.0, 0.0]
    names = ("x", "m"), ("y", "m"), ("angle", "rad")
    x, y, angle = (number(value, item, name, unit=unit) for (name, unit), value in zip(names, values))
    return body, x, y, angle


def _rectangle(width: float, height: float) -> tuple[tuple[float, float], ...]:
    x, y = width / 2.0, height / 2.0
    return (-x, -y), (x, -y), (x, y), (-x, y)


def _thick(corners: tuple[tuple[float, float], ...], thickness: float | None) -> Primitive:
    """A flat figure, or where it has a thickness the solid of it."""
    if not thickness:
        return ("polygon", corners)
    return ("solid", tuple((*corner, height) for height in (-thickness / 2.0, thickness / 2.0) for corner in corners))


def _place(point: Any, x: float, y: float, angle: float) -> tuple[float, float]:
    """A point of a part in the frame of the whole."""
    c, s = math.cos(angle), math.sin(angle)
    return x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]


def _place_primitive(primitive: Any, place: Callable[[Any], Any], turn: Orientation | None = None) -> Primitive:
    kind, where, *rest = primitive
    if kind != "circle":
        return (kind, tuple(place(point) for point in where), *rest)
    if turn is not None:  # a flat circle shows its direction; of a ball there is none
        across = tuple(rest[1]) if len(rest) > 1 else (0.0, 0.0, 1.0) if len(where) == 2 else None
        rest = [rest[0], *([tuple(turn.apply(across).tolist())] if across is not None else [])]
    return (kind, place(where), *rest)


def _in_space(part: Any) -> bool:
    """Whether a part of a joined body is one for space, by itself or by its place."""
    body, *place = part if isinstance(part, tuple) else (part,)
    return not isinstance(getattr(body, "inertia", 0.0), Real) or bool(
        place and is_listed(place[0]) and len(place[0]) != 2
    )


def _part_in_space(k: int, part: Any) -> tuple[Any, tuple[float, ...], Orientation]:
    """A part as (body, shift, turn)."""
    body, *place = part if isinstance(part, tuple) else (part,)
    item = f"join: part {k}"
    if not isinstance(body, Body) or len(place) > 2 or (place and not is_listed(place[0])):
        raise DescriptionError(
            message(
                item,
                "cannot be placed in space",
                got=repr(part),
                wanted="a body, (body, (x, y, z)) or (body, (x, y, z), orientation)",
            )
        )
    if isinstance(body.inertia, Real) and body.inertia != 0.0:
        raise DescriptionError(
            message(
                item,
                "is a body for the plane among others for space",
                got=f"inertia {body.inertia!r}",
                wanted="three principal values or a 3 x 3 matrix",
                remedy="A bar takes depth=, a disc and a plate take thickness=; in the plane, places are (body, x, y)",
            )
        )
    shift = vector(place[0], item, "place", (3,), unit="m") if place else (0.0, 0.0, 0.0)
    return body, shift, Orientation(read_orientation(place[1], item)) if len(place) > 1 else Orientation()


def _area_moments(corners: tuple[tuple[float, float], ...]) -> tuple[float, float, float, float]:
    """Signed area, centroid and polar second moment of area of a polygon, all about its first corner.

    With c = x1 y2 - x2 y1 of each side: A = sum c/2, A x = sum c (x1 + x2)/6 (likewise y), and
    I = sum c (x1^2 + x1 x2 + x2^2 + y1^2 + y1 y2 + y2^2)/12.
    """
    x0, y0 = corners[0]
    local = [(x - x0, y - y0) for x, y in corners]
    area = first_x = first_y = second = 0.0
    for (x1, y1), (x2, y2) in zip(local, [*local[1:], local[0]]):
        cross = x1 * y2 - x2 * y1
        area += cross / 2.0
        first_x += cross * (x1 + x2) / 6.0
        first_y += cross * (y1 + y2) / 6.0
        second += cross * (x1 * x1 + x1 * x2 + x2 * x2 + y1 * y1 + y1 * y2 + y2 * y2) / 12.0
    if area == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    return area, first_x / area, first_y / area, second


def _crossing(corners: tuple[tuple[float, float], ...]) -> tuple[int, int] | None:
    """The first two sides, not neighbours, that cross each other; None if there are none."""
    n = len(corners)
    sides = [(corners[k], corners[(k + 1) % n]) for k in range(n)]

    def side_of(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    for i in range(n):
        for k in range(i + 2, n - (i == 0)):
            (a, b), (c, d) = sides[i], sides[k]
            if side_of(a, b, c) * side_of(a, b, d) < 0.0 and side_of(c, d, a) * side_of(c, d, b) < 0.0:
                return i, k
    return None
