"""Orientations in all forms: quaternion, matrix, axis and angle, rotation vector, angles, Rodrigues parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from linkwork import rotation
from linkwork.arguments import Explained, explained
from linkwork.errors import DescriptionError, SingularOrientationWarning, message, warn
from linkwork.mechanism.checks import Radians, number, vector
from linkwork.mechanism.recipes import text_waits
from linkwork.records import dataclass

#: how far the columns of a matrix may be from unit length and right angles
NEARLY = 1e-6

#: what is read as a vector, a quaternion or a matrix: tuples, lists or arrays; fields hold tuples
if TYPE_CHECKING:
    Three = Any
    Turns = Any
    Four = Any
    Matrix = Any
    Angles = Any
else:
    Three = tuple[float, float, float]
    Turns = tuple[Radians, Radians, Radians]
    Four = tuple[float, float, float, float]
    Matrix = tuple[Three, Three, Three]
    Angles = tuple[Radians, ...]


@explained
@dataclass(frozen=True)
class Orientation(metaclass=Explained):
    """How a body is turned against the world; conventions of `scipy.spatial.transform`, but quaternions scalar first.

    It is kept as a `quaternion`. Made by `from_quaternion`, `from_matrix`, `from_axis_angle`, `from_rotation_vector`,
    `from_angles` or `from_rodrigues`, and read as any of them. `a * b` turns first by b, then by a; `a.apply(v)` gives
    the world components of a vector along the axes of the body.

    >>> tilt = Orientation.from_axis_angle((0, 0, 1), "90 deg")
    >>> [float(round(part, 12)) for part in tilt.apply((1, 0, 0))]
    [0.0, 1.0, 0.0]
    """

    #: unit quaternion, scalar first
    quaternion: Four = (1.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        parts = np.array(vector(self.quaternion, "Orientation", "quaternion", (4,)))
        if not parts.any():
            raise DescriptionError(
                message(
                    "Orientation",
                    "has a quaternion without length",
                    str(self.quaternion),
                    "four numbers that are not all zero",
                    "(1, 0, 0, 0) is the orientation of the world",
                )
            )
        object.__setattr__(self, "quaternion", tuple(rotation.normalised(parts).tolist()))

    # -- in --------------------------------------------------------------------------------------------------------
    @classmethod
    def from_quaternion(cls, quaternion: Four) -> Orientation:
        """From a quaternion, scalar first; its length does not matter."""
        _known_now(quaternion=quaternion)
        return cls(quaternion)

    @classmethod
    def from_matrix(cls, matrix: Matrix) -> Orientation:
        """From a rotation matrix, whose columns are the axes of the body in the world."""
        _known_now(matrix=matrix)
        return cls(_of_matrix(matrix, "Orientation"))

    @classmethod
    def from_axis_angle(cls, axis: Three, angle: Radians) -> Orientation:
        """From one turn by `angle` about `axis`, whose length does not matter."""
        _known_now(axis=axis, angle=angle)
        parts = np.array(vector(axis, "Orientation", "axis", (3,)))
        if not parts.any():
            raise DescriptionError(
                message("Orientation", "axis has no direction", str(axis), "a vector that is not zero")
            )
        half = number(angle, "Orientation", "angle", unit="rad") / 2.0
        parts /= np.abs(parts).max()
        return cls((np.cos(half), *(np.sin(half) * parts / np.linalg.norm(parts))))

    @classmethod
    def from_rotation_vector(cls, rotation_vector: Turns) -> Orientation:
        """From one turn as a vector: along its axis, as long as its angle."""
        _known_now(rotation_vector=rotation_vector)
        parts = vector(rotation_vector, "Orientation", "rotation_vector", (3,), unit="rad")
        return cls(rotation.from_rotation_vector(parts))

    @classmethod
    def from_angles(cls, order: str, angles: Angles) -> Orientation:
        """From turns about coordinate axes one after the other, in the `order` that their letters say.

        Upper case, "XYZ" (Cardan) or "ZXZ" (Euler), turns about the axes that the turns before have moved; lower case,
        "xyz", about those of the world.
        """
        axes, turning = rotation.axes_of(order, least=1)
        _known_now(order=order, angles=angles)
        parts = angles if isinstance(angles, (list, tuple, np.ndarray)) and np.ndim(angles) else (angles,)
        return cls(
            rotation.from_angles(axes, turning, vector(parts, "Orientation", "angles", (len(axes),), unit="rad"))
        )

    @classmethod
    def from_rodrigues(cls, rodrigues: Three) -> Orientation:
        """From Rodrigues parameters (Gibbs vector): along the axis of the turn, as long as tan(angle/2)."""
        _known_now(rodrigues=rodrigues)
        return cls(rotation.from_rodrigues(vector(rodrigues, "Orientation", "rodrigues", (3,))))

    # -- out -------------------------------------------------------------------------------------------------------
    @property
    def matrix(self) -> np.ndarray:
        """The rotation matrix, with the axes of the body as columns."""
        return rotation.matrix(self.quaternion)

    @property
    def axis_angle(self) -> tuple[np.ndarray, float]:
        """Axis of unit length and angle from 0 to pi of the one turn; where nothing is turned the axis is z."""
        axis, angle = rotation.axis_angle(self.quaternion)
        return axis, float(angle)

    @property
    def rotation_vector(self) -> np.ndarray:
        """Axis times angle of the one turn."""
        return rotation.rotation_vector(self.quaternion)

    def angles(self, order: str) -> np.ndarray:
        """The three angles of turns in this order, as `from_angles` takes them.

        The middle one is within a quarter turn of zero, with three different axes, or from 0 to half a turn, with the
        first axis again as third.  Where the first and the third turn about one line, a `SingularOrientationWarning`
        says so and the third is zero.
        """
        axes, turning = rotation.axes_of(order)
        found, locked = rotation.angles(self.quaternion, axes, turning)
        if locked:
            warn(
                message(
                    "Orientation",
                    f"is one where the first and the third angle of '{order}' turn about "
                    "the same line, so that only their sum or difference is known",
                    f"a middle angle of {found[1]:.9g} rad",
                    remedy="the third is given as zero; take another order, or the quaternion",
                ),
                SingularOrientationWarning,
            )
        return found

    @property
    def rodrigues(self) -> np.ndarray:
        """Rodrigues parameters (Gibbs vector), the axis times tan(angle/2); a half turn has none."""
        found, unbounded = rotation.rodrigues(self.quaternion)
        if unbounded:
            raise DescriptionError(
                message(
                    "Orientation",
                    "is a half turn, whose Rodrigues parameters are infinite",
                    remedy="use the quaternion or the rotation vector",
                )
            )
        return found

    # -- reckoning -------------------------------------------------------------------------------------------------
    def __mul__(self, other: Orientation) -> Orientation:
        if not isinstance(other, Orientation):
            return NotImplemented
        return Orientation(rotation.product(self.quaternion, other.quaternion))

    def inverse(self) -> Orientation:
        """The turn back."""
        return Orientation(rotation.inverse(self.quaternion))

    def apply(self, vectors: Any) -> np.ndarray:
        """World components of one vector, or of rows of vectors, given along the axes of the body."""
        return rotation.apply(self.quaternion, vectors)

    def distance(self, other: Orientation) -> float:
        """The angle, from 0 to pi, of the one turn that leads from one to the other."""
        return (self.inverse() * other).axis_angle[1]

    @classmethod
    def forms(cls) -> dict[str, Callable[..., Orientation]]:
        """What makes an orientation of a map, by the fields of that map, such as {axis: ..., angle: ...}."""
        return {
            "quaternion": cls.from_quaternion,
            "matrix": cls.from_matrix,
            "axis, angle": cls.from_axis_angle,
            "rotation_vector": cls.from_rotation_vector,
            "order, angles": cls.from_angles,
            "rodrigues": cls.from_rodrigues,
        }


def _known_now(**form: Any) -> None:
    """Refuse texts of parameters in a form of an orientation: a body takes them in the map of the same fields."""
    remedy = f"give the body the map itself: orientation={form!r}"
    refuse_texts("Orientation", remedy, *(value for key, value in form.items() if key != "order"))


def refuse_texts(item: str, remedy: str, *values: Any) -> None:
    """Refuse texts of parameters where something is made that no mechanism adds."""
    for value in values:
        if isinstance(value, list | tuple):
            refuse_texts(item, remedy, *value)
        elif isinstance(value, str) and text_waits(value):
            raise DescriptionError(
                message(item, f"cannot be made of {value!r}: parameters are known to a mechanism alone", remedy=remedy)
            )


#: what a field for an orientation takes
if TYPE_CHECKING:
    Turned = Any
else:
    Turned = Orientation | Four | Matrix


def read_orientation(value: Any, item: str) -> tuple[float, float, float, float]:
    """The unit quaternion of an Orientation, a quaternion, a matrix or a map such as {"axis": ..., "angle": ...}."""
    if isinstance(value, Orientation):
        turned = value
    elif isinstance(value, Mapping):
        turned = _of_map(value, item)
    elif np.ndim(_sizes(value)) == 2:
        turned = Orientation(_of_matrix(value, f"{item} orientation"))
    else:
        quaternion = vector(value, item, "orientation", (4,))
        size = float(np.linalg.norm(quaternion))
        if abs(size - 1.0) > 1e-6:
            raise DescriptionError(message(item, "orientation is not a unit quaternion", f"norm {size:g}", "norm 1"))
        turned = Orientation(quaternion)
    found: tuple[float, float, float, float] = turned.quaternion
    return found


def _sizes(value: Any) -> Any:
    """A value where its form is that of an array, else None."""
    try:
        return np.asarray(value, dtype=object)
    except (TypeError, ValueError):
        return None


def _of_map(value: Mapping[str, Any], item: str) -> Orientation:
    forms = {frozenset(fields.split(", ")): make for fields, make in Orientation.forms().items()}
    make = forms.get(frozenset(value))
    if make is None:
        wanted = " or ".join("{" + fields + "}" for fields in Orientation.forms())
        raise DescriptionError(message(item, "orientation has unknown fields", str(sorted(map(str, value))), wanted))
    try:
        return make(**value)
    except DescriptionError as error:
        raise type(error)(f"{item} orientation: {error}") from None


def _of_matrix(value: Any, item: str) -> np.ndarray:
    """Quaternion of a matrix that is a rotation; refuses others."""
    wanted = "a 3 x 3 rotation matrix"
    rows = _sizes(value)
    if rows is None or rows.shape != (3, 3):
        raise DescriptionError(message(item, "has a matrix of the wrong shape", repr(value), wanted))
    matrix = np.array([vector(row, item, "matrix", (3,)) for row in rows])
    with np.errstate(all="ignore"):
        off = np.abs(matrix.T @ matrix - np.eye(3)).max()
    if not off <= NEARLY:
        raise DescriptionError(
            message(
                item,
                "has a matrix that is not a rotation",
                f"columns that are off unit length and right angles by {off:.2g}",
                f"{wanted}, to {NEARLY:g}",
                "give all digits, or use another form",
            )
        )
    if np.linalg.det(matrix) < 0.0:
        raise DescriptionError(
            message(
                item,
                "has a matrix that mirrors",
                "determinant -1",
                f"{wanted}, determinant 1",
                "turn the sign of one axis",
            )
        )
    return rotation.from_matrix(matrix)
