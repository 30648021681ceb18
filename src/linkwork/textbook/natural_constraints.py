"""Constraints of natural coordinates (Garcia de Jalon & Bayo): rigid elements, and the mixed coordinates s and psi.

    Phi = a'b - constant     Phi_q: a' in the columns of b, b' in those of a     c = -2 a.'b.

Every row is a product of two vectors that are linear in q, as a = sum of shares of points and unit vectors. A `Product`
says their shares. Rows with a distance s or an angle psi have one column more for it.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Product:
    """a'b = constant, a and b given by shares of the points and vectors of q, which has `size` numbers a piece."""

    a: tuple
    b: tuple
    constant: float
    size: int = 3

    def _vectors(self, q):
        blocks = np.reshape(q, (-1, self.size))
        return np.asarray(self.a) @ blocks, np.asarray(self.b) @ blocks

    def value(self, q):
        """Phi."""
        a, b = self._vectors(q)
        return a @ b - self.constant

    def row(self, q):
        """Phi_q."""
        a, b = self._vectors(q)
        return np.kron(self.a, b) + np.kron(self.b, a)

    def right(self, qd):
        """c of Phi_q q'' = c."""
        a, b = self._vectors(qd)
        return -2.0 * (a @ b)


def rigid(shares, vectors, size=3):
    """Rows that keep an element rigid: all products of its basic vectors, told by their shares, as `vectors` has them.

    Two points and two unit vectors have six rows, three points and one vector six, two points and one vector three, two
    points one.
    """
    found = []
    for i, a in enumerate(shares):
        found += [Product(tuple(a), tuple(b), float(np.dot(vectors[i], vectors[j])), size)
                  for j, b in enumerate(shares) if j >= i]  # fmt: skip
    return found


#: shares of r_i, r_j, ... of the basic vectors of each element
TWO_POINTS = ((-1, 1),)
TWO_POINTS_ONE_VECTOR = ((-1, 1, 0), (0, 0, 1))
TWO_POINTS_TWO_VECTORS = ((-1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
THREE_POINTS_ONE_VECTOR = ((-1, 1, 0, 0), (-1, 0, 1, 0), (0, 0, 0, 1))
FOUR_POINTS = ((-1, 1, 0, 0), (-1, 0, 1, 0), (-1, 0, 0, 1))


def values(rows, q):
    """Phi of rows."""
    return np.array([one.value(q) for one in rows])


def jacobian(rows, q):
    """Phi_q of rows."""
    return np.array([one.row(q) for one in rows])


def right_side(rows, qd):
    """c of rows."""
    return np.array([one.right(qd) for one in rows])


# mixed coordinates


def distance_row(r_i, r_j, s, rd_i, rd_j, sd):
    """Phi, Phi_q and c of |r_i - r_j|^2 - s^2 = 0, columns r_i, r_j, s (4.108)."""
    d, dd = np.subtract(r_i, r_j), np.subtract(rd_i, rd_j)
    return d @ d - s**2, np.r_[2 * d, -2 * d, -2 * s], -2 * (dd @ dd) + 2 * sd**2


def angle_row(r_i, r_j, r_k, psi, rd_i, rd_j, rd_k, psid, L_ij, L_jk):
    """Phi, Phi_q and c of the angle psi from ij to jk in the plane, columns r_i, r_j, r_k, psi (4.124), (4.125).

    Of the product with cos(psi) and that with sin(psi) the one is taken that does not lose its derivative here: the
    first away from 0 and pi, the second near them.
    """
    a, b = np.subtract(r_j, r_i), np.subtract(r_k, r_j)
    ad, bd = np.subtract(rd_j, rd_i), np.subtract(rd_k, rd_j)
    LL = L_ij * L_jk
    if abs(np.sin(psi)) > np.sqrt(0.5):
        W, f, f1 = np.eye(2), np.cos(psi), -np.sin(psi)
    else:
        W, f, f1 = np.array([[0.0, 1.0], [-1.0, 0.0]]), np.sin(psi), np.cos(psi)  # a'W b = a x b
    of_a, of_b = W @ b, W.T @ a
    Phi_q = np.r_[-of_a, of_a - of_b, of_b, -LL * f1]
    return a @ W @ b - LL * f, Phi_q, -2 * (ad @ W @ bd) - LL * f * psid**2
