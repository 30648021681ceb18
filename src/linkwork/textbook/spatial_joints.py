"""Joints of space put together from the primitives, as in D. Negrut's ME751.

| intermediate constraint  | holds                                              | made of |
|--------------------------|----------------------------------------------------|---------|
| perpendicular1           | c_j at right angles to the plane a_i, b_i          | 2 DP1   |
| perpendicular2           | d_ij at right angles to the plane a_i, b_i         | 2 DP2   |

| joint                    | rows                                | leaves                                    |
|--------------------------|-------------------------------------|-------------------------------------------|
| spherical                | 3 CD                                | 3 turns                                   |
| universal                | 3 CD, 1 DP1                         | turns about a_i and a_j                   |
| revolute                 | 3 CD, perpendicular1                | a turn about the axis                     |
| cylindrical              | perpendicular1, perpendicular2      | a turn about the axis and a slide along it|
| translational            | cylindrical, 1 DP1                  | a slide along the axis                    |
| fixed                    | 3 CD, 3 DP1                         | nothing                                   |
| point on line            | perpendicular2                      | a slide and 3 turns                       |
| point in plane           | 1 DP2                               | two slides and 3 turns                    |
| distance                 | 1 D                                 | a rod with a ball at each end             |

A `Place` is a point of a body with axes: columns of `axes` are x, y, z in the body. Joints turn about z of their
places; `translational` slides along x, `cylindrical` along z.
"""

from typing import NamedTuple

import numpy as np

from linkwork.textbook.spatial_primitives import CD, DP1, DP2, D

WORLD = np.eye(3)


class Place(NamedTuple):
    """A point s of a body, from its mass centre, with axes as columns."""

    body: int
    s: np.ndarray = np.zeros(3)
    axes: np.ndarray = np.eye(3)

    @property
    def x(self):
        """First axis."""
        return self.axes[:, 0]

    @property
    def y(self):
        """Second axis."""
        return self.axes[:, 1]

    @property
    def z(self):
        """Third axis."""
        return self.axes[:, 2]


def perpendicular1(i, j, a_i, b_i, c_j):
    """The direction c_j of body j at right angles to a_i and b_i of body i."""
    return DP1(i, j, a_i, c_j), DP1(i, j, b_i, c_j)


def perpendicular2(i, j, a_i, b_i, s_i, s_j):
    """The line from s_i of body i to s_j of body j at right angles to a_i and b_i of body i."""
    return DP2(i, j, a_i, s_i, s_j), DP2(i, j, b_i, s_i, s_j)


def spherical(P, Q):
    """The points coincide."""
    return tuple(CD(P.body, Q.body, c, P.s, Q.s) for c in WORLD)


def universal(P, Q, a_i=None, a_j=None):
    """The points coincide and a_i of one body stays at right angles to a_j of the other (else both z)."""
    cross = DP1(P.body, Q.body, P.z if a_i is None else a_i, Q.z if a_j is None else a_j)
    return *spherical(P, Q), cross


def revolute(P, Q):
    """The points and the z axes coincide."""
    return *spherical(P, Q), *perpendicular1(P.body, Q.body, P.x, P.y, Q.z)


def cylindrical(P, Q):
    """The z axes lie in one line."""
    across = perpendicular2(P.body, Q.body, P.x, P.y, P.s, Q.s)
    return *perpendicular1(P.body, Q.body, P.x, P.y, Q.z), *across


def translational(P, Q):
    """The x axes lie in one line and nothing turns."""
    across = perpendicular2(P.body, Q.body, P.y, P.z, P.s, Q.s)
    return *perpendicular1(P.body, Q.body, P.y, P.z, Q.x), *across, DP1(P.body, Q.body, P.y, Q.z)


def fixed(P, Q):
    """The places coincide."""
    turns = (DP1(P.body, Q.body, P.x, Q.y), DP1(P.body, Q.body, P.x, Q.z), DP1(P.body, Q.body, P.y, Q.z))
    return *spherical(P, Q), *turns


def point_on_line(P, Q):
    """Q lies on the line along x of P."""
    return perpendicular2(P.body, Q.body, P.y, P.z, P.s, Q.s)


def point_in_plane(P, Q):
    """Q lies in the plane through P across its z."""
    return (DP2(P.body, Q.body, P.z, P.s, Q.s),)


def distance(P, Q, length):
    """The points keep a distance: the row is that of its square."""
    return (D(P.body, Q.body, P.s, Q.s, length**2),)
