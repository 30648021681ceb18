"""Orientations in numbers: Euler parameters (scalar first) to and from the other forms.  Arrays in, arrays out.

Every function takes one orientation or any number of them: all but the last axes (of matrices: the last two) count
them.  An orientation takes components along the axes of a body to those along world axes, so that its matrix has the
body's axes as columns.

    e      Euler parameters, unit quaternion        (..., 4)
    A      rotation matrix                          (..., 3, 3)
    n, phi axis and angle of one turn               (..., 3), (...)
    g      Rodrigues parameters, tan(phi/2) n       (..., 3)

A product first turns by its right factor, then by its left one.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from linkwork.errors import DescriptionError, message

#: the middle angle is this near to where the other two turn about one axis: they cannot be told apart
NEAR_LOCK = 1e-7
#: the scalar is this small at a half turn, where Rodrigues parameters are without bound
NEAR_HALF_TURN = 1e-8
TURN = 2.0 * np.pi


def normalised(e) -> np.ndarray:
    """The quaternions divided by their lengths; those that are of unit length stay as they are, to the last digit."""
    e = np.asarray(e, dtype=float)
    largest = np.max(np.abs(e), axis=-1, keepdims=True)  # squares of very large or small numbers have no place
    size = largest * np.linalg.norm(e / largest, axis=-1, keepdims=True)
    return np.where(np.abs(size - 1.0) > 1e-15, e / size, e)


def product(a, b) -> np.ndarray:
    """Quaternion product: first b, then a."""
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    a0, b0, u, v = a[..., :1], b[..., :1], a[..., 1:], b[..., 1:]
    scalar = a0 * b0 - np.sum(u * v, axis=-1, keepdims=True)
    return np.concatenate([scalar, a0 * v + b0 * u + np.cross(u, v)], axis=-1)


def inverse(e) -> np.ndarray:
    """The turn back."""
    return np.asarray(e, dtype=float) * np.array([1.0, -1.0, -1.0, -1.0])


def continuous(e) -> np.ndarray:
    """The same orientations (times, 4) with signs such that neighbours in time are near each other."""
    e = np.array(e, dtype=float)
    signs = np.where(np.sum(e[1:] * e[:-1], axis=-1) < 0.0, -1.0, 1.0)
    e[1:] *= np.cumprod(signs)[:, None]
    return e


def difference(one, other) -> np.ndarray:
    """Euler parameters of one orientation less those of the other, in the sign in which they are nearer."""
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    sign = np.where(np.sum(one * other, axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    return one - sign * other


# -- matrices ----------------------------------------------------------------------------------------------------------


def about_z(c, s) -> np.ndarray:
    """A of turns about z, (..., 3, 3), from their cosines and sines."""
    out = np.zeros((*np.shape(c), 3, 3))
    out[..., 0, 0] = out[..., 1, 1] = c
    out[..., 1, 0] = s
    out[..., 0, 1] = -out[..., 1, 0]
    out[..., 2, 2] = 1.0
    return out


def in_plane(angle, x, y) -> tuple[np.ndarray, np.ndarray]:
    """Components of plane vectors (x, y) that are turned by an angle."""
    c, s = np.cos(angle), np.sin(angle)
    return c * x - s * y, s * x + c * y


def skew(a) -> np.ndarray:
    """The matrix of the cross product, a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def about(axis, angle: float) -> np.ndarray:
    """A = n n' + cos (1 - n n') + sin skew(n) of one turn about a unit axis n; quarter turns have no rounding."""
    quarter = abs(angle) == 0.5 * math.pi
    c, s = (0.0, math.copysign(1.0, angle)) if quarter else (math.cos(angle), math.sin(angle))
    along = np.outer(axis, axis)
    return along + c * (np.eye(3) - along) + s * skew(axis)


def cross(w, vectors) -> np.ndarray:
    """w x v, one by one; in the plane w is about z, and vectors have two components."""
    if vectors.shape[-1] == 2:
        return w[..., None] * np.stack([-vectors[..., 1], vectors[..., 0]], axis=-1)
    return np.cross(w, vectors)


def matrix(e) -> np.ndarray:
    """A = (2 e0^2 - 1) I + 2 (v v' + e0 skew(v))."""
    e = normalised(e)
    e0, e1, e2, e3 = (e[..., k] for k in range(4))
    out = np.empty((*e.shape[:-1], 3, 3))
    out[..., 0, 0], out[..., 0, 1] = 1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3)
    out[..., 1, 1], out[..., 1, 2] = 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)
    out[..., 2, 2], out[..., 2, 0] = 1 - 2 * (e1 * e1 + e2 * e2), 2 * (e1 * e3 - e0 * e2)
    out[..., 0, 2], out[..., 1, 0] = 2 * (e1 * e3 + e0 * e2), 2 * (e1 * e2 + e0 * e3)
    out[..., 2, 1] = 2 * (e2 * e3 + e0 * e1)
    return out


def from_matrix(a) -> np.ndarray:
    """Euler parameters, scalar not negative, of rotation matrices; by the largest of their four squares."""
    a = np.asarray(a, dtype=float)
    trace = np.trace(a, axis1=-2, axis2=-1)
    # 4 e e' entry by entry; any of its rows is e times one of its entries
    out = np.empty((*a.shape[:-2], 4, 4))
    out[..., 0, 0] = 1 + trace
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        out[..., i + 1, i + 1] = 1 + 2 * a[..., i, i] - trace
        out[..., 0, i + 1] = out[..., i + 1, 0] = a[..., k, j] - a[..., j, k]
        out[..., j + 1, k + 1] = out[..., k + 1, j + 1] = a[..., j, k] + a[..., k, j]
    largest = np.argmax(np.diagonal(out, axis1=-2, axis2=-1), axis=-1)
    e = normalised(np.take_along_axis(out, largest[..., None, None], axis=-2)[..., 0, :])
    return upright(e)


def upright(e) -> np.ndarray:
    """Of the two signs that mean the same, the one whose scalar is not negative."""
    e = np.asarray(e, dtype=float)
    return np.where(e[..., :1] < 0.0, -e, e)


def apply(e, vectors) -> np.ndarray:
    """World components of vectors given along the axes of the body."""
    return np.einsum("...ij,...j->...i", matrix(e), np.asarray(vectors, dtype=float))


# -- one turn ----------------------------------------------------------------------------------------------------------


def axis_angle(e) -> tuple[np.ndarray, np.ndarray]:
    """Axis of unit length and angle from 0 to pi; where nothing is turned the axis is z."""
    e = upright(e)
    size = np.linalg.norm(e[..., 1:], axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        axis = np.where(size > 0.0, e[..., 1:] / size, np.array([0.0, 0.0, 1.0]))
    return axis, 2.0 * np.arctan2(size[..., 0], e[..., 0])


def rotation_vector(e) -> np.ndarray:
    """Axis times angle; of a very small turn twice the vector, whose square would be lost."""
    e = upright(e)
    size = np.linalg.norm(e[..., 1:], axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        factor = np.where(size > 1e-100, 2.0 * np.arctan2(size, e[..., :1]) / size, 2.0)
    return factor * e[..., 1:]


def from_rotation_vector(vector) -> np.ndarray:
    """e = cos(phi/2), sin(phi/2) n for the vector phi n."""
    vector = np.asarray(vector, dtype=float)
    half = 0.5 * np.linalg.norm(vector, axis=-1, keepdims=True)
    return normalised(np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * vector], axis=-1))


def rodrigues(e) -> tuple[np.ndarray, np.ndarray]:
    """tan(phi/2) n, and where that has no bound (a half turn), there nan."""
    e = upright(e)
    unbounded = e[..., 0] < NEAR_HALF_TURN
    scalar = np.where(unbounded, np.nan, e[..., 0])
    return e[..., 1:] / scalar[..., None], unbounded


def from_rodrigues(g) -> np.ndarray:
    """e = (1, g) over its length."""
    g = np.asarray(g, dtype=float)
    return normalised(np.concatenate([np.ones((*g.shape[:-1], 1)), g], axis=-1))


# -- Cardan and Euler angles -------------------------------------------------------------------------------------------


def axes_of(order, item: str = "Orientation", least: int = 3) -> tuple[tuple[int, ...], bool]:
    """Axes of an order of turns, 0 to 2, and whether they turn with the body: "XYZ" does, "xyz" is fixed in the world.

    Neighbours must differ: two turns about one axis are one.
    """
    known = isinstance(order, str) and least <= len(order) <= 3
    if not known or not (set(order) <= set("xyz") or set(order) <= set("XYZ")):
        count = "three" if least == 3 else "one to three"
        raise DescriptionError(
            message(
                item,
                "has an unknown order of angles",
                repr(order),
                f"{count} of X, Y, Z (axes that turn along) or of x, y, z (axes of the world)",
            )
        )
    if any(a == b for a, b in pairwise(order)):
        raise DescriptionError(
            message(
                item,
                "has an order of angles that turns about one axis twice running",
                repr(order),
                "neighbours that differ, such as 'XYZ' or 'ZXZ'",
            )
        )
    return tuple("xyz".index(axis) for axis in order.lower()), order.isupper()


def from_angles(axes, turning: bool, values) -> np.ndarray:
    """Euler parameters of turns by `values` (..., number of axes) about the axes one after the other."""
    values = np.asarray(values, dtype=float)
    e = np.zeros((*values.shape[:-1], 4))
    e[..., 0] = 1.0
    for k, axis in enumerate(axes):
        one = np.zeros_like(e)
        one[..., 0], one[..., 1 + axis] = np.cos(values[..., k] / 2), np.sin(values[..., k] / 2)
        e = product(e, one) if turning else product(one, e)
    return e


def angles(e, axes, turning: bool) -> tuple[np.ndarray, np.ndarray]:
    """Three angles (..., 3), each within half a turn, and where the first and the third cannot be told apart (...).

    There the third is zero.  Two sums of Euler parameters, each with one of phi1 + phi3 and phi1 - phi3, give any
    order of axes in one way (Bernardes and Viollet, Quaternion to Euler angles conversion, PLOS ONE 17, 2022).
    """
    e = np.asarray(e, dtype=float)
    i, j, k = axes[::-1] if turning else axes
    symmetric = i == k
    if symmetric:
        k = 3 - i - j
    sign = (i - j) * (j - k) * (k - i) // 2
    s, x, y, z = e[..., 0], e[..., 1 + i], e[..., 1 + j], sign * e[..., 1 + k]
    a, b, c, d = (s, x, y, z) if symmetric else (s - y, x + z, y + s, z - x)
    middle = 2.0 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
    total, difference = np.arctan2(b, a), np.arctan2(d, c)
    out = np.stack([total - difference, middle, total + difference], axis=-1)
    folded, opened = np.abs(middle) <= NEAR_LOCK, np.abs(middle - np.pi) <= NEAR_LOCK
    # locked, where the third is to be zero: with axes that turn along it is the first of the fixed ones
    alone = 2.0 if turning else -2.0
    first = np.where(folded, 2.0 * total, alone * difference)
    locked = folded | opened
    last, other = (0, 2) if turning else (2, 0)
    out[..., last] = np.where(locked, 0.0, out[..., last])
    out[..., other] = np.where(locked, first, out[..., other])
    if not symmetric:
        out[..., 2] *= sign
        out[..., 1] -= np.pi / 2
    if turning:
        out = out[..., ::-1]
    out = out - TURN * np.round(out / TURN)
    return out, locked


def continuous_angles(e, axes, turning: bool) -> tuple[np.ndarray, np.ndarray]:
    """As `angles` of a series (times, 4), each time nearest to the one before.

    An orientation has two triples, the second with the first and third half a turn on and the middle turned back;
    and whole turns count for nothing.  Where the first and the third cannot be told apart, the third stays as it was.
    """
    found, locked = angles(e, axes, turning)
    symmetric = axes[0] == axes[2]
    out = found.copy()
    for k in range(1, len(out)):
        before = out[k - 1]
        if locked[k]:
            back = from_angles(axes[2:], turning, -before[2:])
            rest = product(e[k], back) if turning else product(back, e[k])
            one = angles(rest, axes, turning)[0]
            one[2] += before[2]
        else:
            one = found[k]
        other = one + np.array([np.pi, 0.0, np.pi])
        other[1] = -one[1] if symmetric else np.pi - one[1]
        near = [triple + TURN * np.round((before - triple) / TURN) for triple in (one, other)]
        out[k] = min(near, key=lambda triple: float(np.sum((triple - before) ** 2)))
    return out, locked
