"""Quaternions, scalar first: the few operations that packing states needs, one at a time and quick.

All forms of orientation, for any number of them, are in `linkwork.rotation`.
"""

from __future__ import annotations

import numpy as np

from linkwork.rotation import matrix


def matrix_of(e) -> np.ndarray:
    """Rotation matrix of a quaternion (it need not be of unit length)."""
    e0, e1, e2, e3 = np.asarray(e, dtype=float) / np.linalg.norm(e)
    return np.array([
        [1 - 2 * (e2 * e2 + e3 * e3), 2 * (e1 * e2 - e0 * e3), 2 * (e1 * e3 + e0 * e2)],
        [2 * (e1 * e2 + e0 * e3), 1 - 2 * (e1 * e1 + e3 * e3), 2 * (e2 * e3 - e0 * e1)],
        [2 * (e1 * e3 - e0 * e2), 2 * (e2 * e3 + e0 * e1), 1 - 2 * (e1 * e1 + e2 * e2)],
    ])


def quaternion_of(matrix) -> np.ndarray:
    """Unit quaternion, scalar not negative, of a rotation matrix; by the largest of its four squares."""
    r = np.asarray(matrix, dtype=float)
    squares = np.array([1 + np.trace(r), *(1 + 2 * np.diag(r) - np.trace(r))]) / 4
    k = int(np.argmax(squares))
    pairs = np.array([
        [squares[0], (r[2, 1] - r[1, 2]) / 4, (r[0, 2] - r[2, 0]) / 4, (r[1, 0] - r[0, 1]) / 4],
        [(r[2, 1] - r[1, 2]) / 4, squares[1], (r[0, 1] + r[1, 0]) / 4, (r[0, 2] + r[2, 0]) / 4],
        [(r[0, 2] - r[2, 0]) / 4, (r[0, 1] + r[1, 0]) / 4, squares[2], (r[1, 2] + r[2, 1]) / 4],
        [(r[1, 0] - r[0, 1]) / 4, (r[0, 2] + r[2, 0]) / 4, (r[1, 2] + r[2, 1]) / 4, squares[3]],
    ])
    e = pairs[k] / np.sqrt(squares[k])
    return -e if e[0] < 0 else e


def product(a, b) -> np.ndarray:
    """Quaternion product: first b, then a."""
    a0, a = a[0], np.asarray(a[1:], dtype=float)
    b0, b = b[0], np.asarray(b[1:], dtype=float)
    return np.concatenate([[a0 * b0 - a @ b], a0 * b + b0 * a + np.cross(a, b)])


def matrices_of(e) -> np.ndarray:
    """Rotation matrices of rows of quaternions."""
    return matrix(np.asarray(e, dtype=float).reshape(-1, 4))
