"""Vector loops and open chains (Nikravesh, chapter 5): sums of vectors of known or unknown length and angle.

    d = L u(theta)      d' = L' u + L theta' rot(u)
    d'' = L'' u + L theta'' rot(u) - L theta'^2 u + 2 L' theta' rot(u)                              (5.3) to (5.5)

The length and the angle of a `Vector` are numbers, or coordinates by their place, `Q(0)`.  A loop is a list of vectors
whose sum is zero; a chain is one that leads to a point.  The slider-crank, with q = theta1, theta2, theta3:

    [Vector(0.12, Q(0)), Vector(0.26, Q(1)), Vector(Q(2), 0.0, sign=-1)]
"""

from typing import NamedTuple

import numpy as np

from linkwork.textbook.planar_kinematics import rot


class Q(NamedTuple):
    """A sum of coordinates and a constant: `Q(1)` is theta2, `Q(0, 1, plus=-pi/2)` is theta1 + theta2 - pi/2."""

    first: int
    second: int | None = None
    plus: float = 0.0

    @property
    def places(self):
        """Numbers of the coordinates."""
        return [self.first] if self.second is None else [self.first, self.second]


class Vector(NamedTuple):
    """A vector of a loop: length, angle from x, and the sign that it has in the sum."""

    length: float | Q
    angle: float | Q
    sign: float = 1.0


class Parts(NamedTuple):
    """Parts of the velocity and of the acceleration of a vector (5.4), (5.5)."""

    slip: np.ndarray  # velocity
    tangential: np.ndarray
    slip_acceleration: np.ndarray
    tangential_acceleration: np.ndarray
    normal: np.ndarray
    coriolis: np.ndarray


def u(theta):
    """Unit vector at an angle."""
    return np.array([np.cos(theta), np.sin(theta)])


def _read(entry, q, constant=True):
    """A length or an angle, or its derivative, from those of the coordinates."""
    if isinstance(entry, Q):
        return sum(q[k] for k in entry.places) + (entry.plus if constant else 0.0)
    return entry if constant else 0.0


def split(vector, q, qd, qdd):
    """The `Parts` of one vector, its sign included."""
    L, Ld, Ldd = (_read(vector.length, x, k == 0) for k, x in enumerate((q, qd, qdd)))
    theta, w, alpha = (_read(vector.angle, x, k == 0) for k, x in enumerate((q, qd, qdd)))
    e, n = vector.sign * u(theta), vector.sign * rot(u(theta))
    return Parts(Ld * e, L * w * n, Ldd * e, L * alpha * n, -L * w**2 * e, 2.0 * Ld * w * n)


def chain(vectors, q, qd=None, qdd=None):
    """Position, velocity and acceleration of the end of a chain: sums of the parts (5.2)."""
    qd, qdd = (np.zeros(len(q)) if x is None else x for x in (qd, qdd))
    r = sum(v.sign * _read(v.length, q) * u(_read(v.angle, q)) for v in vectors)
    parts = [split(v, q, qd, qdd) for v in vectors]
    return r, sum(p.slip + p.tangential for p in parts), sum(sum(p[2:]) for p in parts)


def closing(loops):
    """The function q -> Phi, D that Newton-Raphson wants: x and y of every loop, one after the other (5.3)."""

    def loop(q):
        D = np.zeros((2 * len(loops), len(q)))
        for k, vectors in enumerate(loops):
            for v in vectors:
                L, theta = _read(v.length, q), _read(v.angle, q)
                for entry, column in ((v.length, u(theta)), (v.angle, L * rot(u(theta)))):
                    for place in entry.places if isinstance(entry, Q) else ():
                        D[2 * k : 2 * k + 2, place] += v.sign * column
        return np.concatenate([chain(vectors, q)[0] for vectors in loops]), D

    return loop


def gamma(loops):
    """The function q, q' -> right side of D q'' = gamma: normal and Coriolis parts with the sign changed."""

    def right(q, qd):
        rest = np.zeros(len(q))
        return -np.concatenate([sum(sum(split(v, q, qd, rest)[2:]) for v in vectors) for vectors in loops])

    return right
