"""Mass, mass centre and matrix of inertia: moved, turned, joined, seen along principal axes, and found possible."""

from __future__ import annotations

import math
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from linkwork.arguments import Explained, explained
from linkwork.errors import DescriptionError, UnlikelyInertiaWarning, message, warn
from linkwork.mechanism.checks import Inertia as Moment
from linkwork.mechanism.checks import meanings, number, vector
from linkwork.mechanism.orientation import Orientation, read_orientation, refuse_texts
from linkwork.records import dataclass
from linkwork.tape import finite, largest, norm, plainly, real, sqrt

if TYPE_CHECKING:
    from linkwork.mechanism.bodies import Body

#: moments that miss the triangle inequality by less are taken for rounded: three digits may do that
ROUNDED = 1e-2
#: of the largest moment: what is below zero by less is rounding
NEGATIVE = 1e-9
#: how many times the radius of gyration may be the size of the body, and the reverse, before it is strange
STRANGE = 10.0
SMALL = 100.0
_OF_BODY = 'give them to the body itself, lw.Body(mass="M", inertia=("J", "J", "J"), center=("L", 0, 0)), or to lw.join'


class Principal(NamedTuple):
    """Principal moments of inertia, the smallest first, and their axes as columns of a rotation matrix."""

    values: np.ndarray
    axes: np.ndarray


@explained
@dataclass(frozen=True)
class Inertia(metaclass=Explained):
    """`mass` [kg], mass `center` [m], and `matrix` of inertia [kg m^2] about it, along the axes of a frame.

    `matrix` takes three principal values as well.  `shifted` and `rotated` place the same body elsewhere in the frame,
    `joined` or + adds others, `principal` gives moments and axes, `about` the matrix about another point, and `body`
    makes a `Body` of it.

    >>> ball = Inertia(2.0, matrix=(0.1, 0.1, 0.1))
    >>> pair = ball.shifted((1, 0, 0)) + ball.shifted((-1, 0, 0))
    >>> pair.mass, pair.matrix.tolist()
    (4.0, [[0.2, 0.0, 0.0], [0.0, 4.2, 0.0], [0.0, 0.0, 4.2]])
    """

    mass: Any
    center: Any = (0.0, 0.0, 0.0)
    matrix: Any = field(default=(0.0, 0.0, 0.0))

    def __post_init__(self) -> None:
        refuse_texts("Inertia", _OF_BODY, self.mass, self.center, self.matrix)
        object.__setattr__(self, "mass", number(self.mass, "Inertia", "mass", unit="kg"))
        if self.mass < 0.0:
            raise DescriptionError(message("Inertia", "mass is too small", self.mass, "at least 0"))
        center = np.array(vector(self.center, "Inertia", "center", (3,), unit="m"))
        matrix = as_matrix(read_moments(self.matrix, "Inertia"))
        check_possible(matrix, "Inertia")
        for key, value in (("center", center), ("matrix", matrix)):
            value.flags.writeable = False
            object.__setattr__(self, key, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Inertia):
            return NotImplemented
        return (
            self.mass == other.mass
            and np.array_equal(self.center, other.center)
            and np.array_equal(self.matrix, other.matrix)
        )

    def __hash__(self) -> int:
        return hash((self.mass, *self.center.tolist()))

    @classmethod
    def from_point(cls, mass: Any, center: Any, matrix: Any, point: Any = (0.0, 0.0, 0.0)) -> Inertia:
        """From a matrix about another point than the mass centre, the origin of the frame unless said."""
        refuse_texts("Inertia", _OF_BODY, mass, center, matrix, point)
        given = as_matrix(read_moments(matrix, "Inertia"))
        mass = number(mass, "Inertia", "mass", unit="kg")
        center = np.array(vector(center, "Inertia", "center", (3,), unit="m"))
        arm = center - vector(point, "Inertia", "point", (3,), unit="m")
        return cls(mass, center, given - mass * _spread(arm))

    @classmethod
    def of(cls, body: Body) -> Inertia:
        """That of a body for space, in its own frame."""
        return cls(body.mass, (*body.center, 0.0)[:3], body.inertia)

    def about(self, point: Any = (0.0, 0.0, 0.0)) -> np.ndarray:
        """The matrix about another point, the origin of the frame unless said: J + m (s's I - s s')."""
        arm = self.center - vector(point, "Inertia", "point", (3,), unit="m")
        with np.errstate(all="ignore"):
            found: np.ndarray = self.matrix + self.mass * _spread(arm)
        if not np.isfinite(found).all():
            raise DescriptionError(message("Inertia", "about this point is too large to compute with", str(point)))
        return found

    def shifted(self, by: Any) -> Inertia:
        """The same body, moved by a vector in the frame."""
        return Inertia(self.mass, self.center + vector(by, "Inertia", "by", (3,), unit="m"), self.matrix)

    def rotated(self, orientation: Any) -> Inertia:
        """The same body, turned about the origin of the frame: J becomes A J A'."""
        turn = Orientation(read_orientation(orientation, "Inertia")).matrix
        return Inertia(self.mass, turn @ self.center, _symmetric(turn @ self.matrix @ turn.T))

    def joined(self, *others: Inertia) -> Inertia:
        """This and the others as one body; all are in the same frame."""
        parts = (self, *others)
        mass = math.fsum(one.mass for one in parts)
        center = sum(one.mass * one.center for one in parts) / mass if mass > 0.0 else np.zeros(3)
        return Inertia(mass, center, sum(one.about(center) for one in parts))

    def __add__(self, other: Inertia) -> Inertia:
        return self.joined(other) if isinstance(other, Inertia) else NotImplemented

    def principal(self) -> Principal:
        """Principal moments, the smallest first, and their axes as columns, right-handed."""
        values, axes = np.linalg.eigh(self.matrix)
        if np.linalg.det(axes) < 0.0:
            axes[:, 0] = -axes[:, 0]
        return Principal(values, axes)

    def body(self, **options: Any) -> Body:
        """A body for space with this mass, mass centre and inertia; the options are those of `Body`."""
        from linkwork.mechanism.bodies import Body

        values = np.diag(self.matrix)
        straight = np.array_equal(self.matrix, np.diag(values))
        moments = tuple(values.tolist()) if straight else tuple(map(tuple, self.matrix.tolist()))
        return Body(self.mass, moments, center=tuple(self.center.tolist()), **options)


# -- reading -----------------------------------------------------------------------------------------------------------


def is_listed(value: Any) -> bool:
    """Whether a value is a list of some kind."""
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def read_moments(value: Any, item: str) -> Any:
    """One number, three principal values or a symmetric 3 x 3 matrix of inertia, as numbers."""
    meaning = meanings(_moment)["inertia"]
    if not is_listed(value):
        return meaning.read(value, item, "inertia")
    if len(value) != 3 or any(is_listed(row) and len(row) != 3 for row in value):
        raise DescriptionError(
            message(
                item,
                "inertia has the wrong shape",
                repr(value),
                "one number, three principal values, or a 3 x 3 matrix",
            )
        )
    if not any(is_listed(row) for row in value):
        return tuple(meaning.read(v, item, "inertia") for v in value)
    matrix = np.array([vector(row, item, "inertia", (3,), unit=meaning.unit) for row in value])
    if not np.allclose(matrix, matrix.T, rtol=0, atol=1e-9 * np.abs(matrix).max()):
        raise DescriptionError(message(item, "inertia is not symmetric", str(matrix.tolist()), "a symmetric matrix"))
    return tuple(tuple(row) for row in matrix.tolist())


def _moment(inertia: Moment) -> None:
    """Bears the hint of a moment of inertia."""


def as_matrix(moments: Any, item: str = "Inertia") -> np.ndarray:
    """Matrix of moments as `read_moments` gives them; one number can only be zero."""
    values = np.asarray(moments, dtype=float)
    if values.ndim == 2:
        return _symmetric(values)
    if values.ndim == 1:
        return np.diag(values)
    if values:
        raise DescriptionError(
            message(
                item,
                "has one moment of inertia, which is enough in the plane only",
                repr(moments),
                "three principal values or a 3 x 3 matrix",
            )
        )
    return np.zeros((3, 3))


def _symmetric(matrix: np.ndarray) -> np.ndarray:
    even: np.ndarray = 0.5 * (matrix + matrix.T)
    return even


def _spread(arm: np.ndarray) -> np.ndarray:
    """s's I - s s': the inertia of a unit mass at s."""
    return float(arm @ arm) * np.eye(3) - np.outer(arm, arm)


# -- what a body can have ----------------------------------------------------------------------------------------------


def check_possible(moments: Any, item: str) -> None:
    """Refuse an inertia that no body has: below zero about some axis, or one moment larger than the others together.

    I1 + I2 - I3 is twice the sum of m z^2, which is not negative; of a thin plate it is zero.  One number alone, about
    the z axis of a plane, can always be.
    """
    if not is_listed(moments):
        return
    try:
        small, middle, large = np.linalg.eigvalsh(as_matrix(moments)) if is_listed(moments[0]) else sorted(moments)
    except np.linalg.LinAlgError:  # numbers without bound
        return
    got = f"principal moments {plainly(small):.6g}, {plainly(middle):.6g}, {plainly(large):.6g}"
    if small < -NEGATIVE * max(abs(small), abs(large)):
        raise DescriptionError(
            message(
                item,
                "inertia is not positive",
                got,
                "moments that are not below zero",
                "look at the signs of the products of inertia: those of the matrix are "
                "-sum m x y, which some programs give without the minus",
            )
        )
    if large > (small + middle) + ROUNDED * large:
        raise DescriptionError(
            message(
                item,
                "inertia is one that no body has: a moment is larger than the two others together",
                got,
                f"at most {small + middle:.6g} for the largest",
                "look at the axes, and at the point that it is taken about",
            )
        )


def check_likely(body: Any, item: str) -> None:
    """Warn where the radius of gyration hardly fits the points and the outline of a body: a unit may be wrong."""
    if not body.mass > 0.0:
        return
    moments = body.inertia if is_listed(body.inertia) else (body.inertia,)
    matrix = is_listed(moments[0])
    if not (np.any(moments) if matrix else any(moments)):
        return
    try:
        with np.errstate(all="ignore"):
            most = float(np.linalg.norm(np.asarray(moments, dtype=float), 2)) if matrix else largest(moments)
            size, radius = _size(body), sqrt(most / body.mass)
    except (TypeError, ValueError, ArithmeticError, np.linalg.LinAlgError):  # an outline of no known form
        return
    if not size > 0.0 or size / SMALL <= radius <= STRANGE * size or not finite(radius):
        return
    what = "far outside" if radius > size else "far smaller than"
    warn(
        message(
            item,
            f"inertia is unlikely: its radius of gyration is {what} the body",
            f"sqrt(inertia/mass) = {radius:.3g} m",
            f"about the size of the body, {size:.3g} m",
            "look at the units: inertia is in kg m^2 and lengths are in m",
        ),
        UnlikelyInertiaWarning,
    )


def _size(body: Any) -> float:
    """How far points and outline reach from the mass centre; zero where there are none."""
    center = (*body.center, 0.0)[:3]
    found = [(point, 0.0) for point in body.points.values()]
    for kind, where, *rest in body.outline:
        reach = real(rest[0]) if kind in ("circle", "cylinder", "cone", "tube") else 0.0
        found += [(where, reach)] if kind == "circle" else [(point, reach) for point in where]
    ways = (norm([x - c for x, c in zip((*point, 0.0)[:3], center)]) + reach for point, reach in found)
    size: float = largest([0.0, *ways])
    return size
