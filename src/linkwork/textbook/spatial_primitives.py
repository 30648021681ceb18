"""The basic constraints of D. Negrut's ME751: DP1, DP2, D, CD between two bodies, and the normalisation of p.

With a_i = A_i a_bar_i and d_ij = r_j + A_j s_bar_j - r_i - A_i s_bar_i, held at f(t):

| primitive | value             | holds                                             | measure of a mechanism |
|-----------|-------------------|---------------------------------------------------|------------------------|
| DP1       | a_i'a_j - f       | the angle between two directions                  | Alignment              |
| DP2       | a_i'd_ij - f      | a point along a direction of body i               | Offset                 |
| D         | d_ij'd_ij - f     | the square of a distance (f > 0)                  | Distance, squared      |
| CD        | c'd_ij - f        | a point along a fixed direction c                 | WorldOffset            |
| p         | p'p/2 - 1/2       | the length of the Euler parameters of one body    |                        |

Each comes in two forms. With variations of r and p (r-p form) a point moves by B(p, s) p', with r and rotations in
body axes (r-omega form) by -A ~s w_bar:

    Phi_r r' + Phi_p p'          = nu       Phi_r r'' + Phi_p p''        = gamma_p
    Phi_r r' + Pi_bar w_bar      = nu       Phi_r r'' + Pi_bar w_bar'    = gamma

Body 0 is the ground. `row(x, t)` of a primitive gives everything at once; x is a `Motion`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linkwork.textbook.spatial_rotation import A, B, G, parameter_rates, skew

ZERO = np.zeros(3)
X, Y, Z = np.eye(3)


def settled(f, t):
    """f, f' and f'' at t of a number or of a function t -> (f, f', f'')."""
    return f(t) if callable(f) else (float(f), 0.0, 0.0)


class Motion:
    """Position, Euler parameters, velocity and angular velocity in body axes of every body; row 0 is the ground."""

    def __init__(self, r, p, rd=None, w=None):
        r, p = np.atleast_2d(r), np.atleast_2d(p)
        rd = np.zeros_like(r) if rd is None else np.atleast_2d(rd)
        w = np.zeros_like(r) if w is None else np.atleast_2d(w)
        still = np.zeros((1, 3))
        self.r, self.rd, self.w = np.vstack([still, r]), np.vstack([still, rd]), np.vstack([still, w])
        self.p = np.vstack([[[1.0, 0.0, 0.0, 0.0]], p])
        self.pd = np.array([parameter_rates(p_b, w_b) for p_b, w_b in zip(self.p, self.w)])
        self.A = np.array([A(p_b) for p_b in self.p])

    @property
    def count(self):
        """Number of moving bodies."""
        return len(self.r) - 1

    def point(self, b, s):
        """World position of the point s of body b."""
        return self.r[b] + self.A[b] @ s

    def point_velocity(self, b, s):
        """r' + A ~w s."""
        return self.rd[b] + self.A[b] @ np.cross(self.w[b], s)

    def turned(self, b, a):
        """A a, its rate A ~w a and its bias acceleration A ~w ~w a (all but A ~w' a)."""
        wa = np.cross(self.w[b], a)
        return self.A[b] @ a, self.A[b] @ wa, self.A[b] @ np.cross(self.w[b], wa)

    def arm(self, b, a):
        """-A ~a: what takes a rotation in body axes to the motion of A a."""
        return -self.A[b] @ skew(a)

    def bias_p(self, b, a):
        """B(p', a) p': the bias acceleration of A a in the r-p form."""
        return B(self.pd[b], a) @ self.pd[b]


class Row(NamedTuple):
    """One constraint at one state: blocks are for bodies i and j in turn."""

    Phi: float
    bodies: tuple  # (i, j)
    Phi_r: np.ndarray  # (2, 3)
    Pi_bar: np.ndarray  # (2, 3)
    Phi_p: np.ndarray  # (2, 4)
    nu: float
    gamma: float  # r-omega form
    gamma_p: float  # r-p form


@dataclass(frozen=True)
class DP1:
    """Dot product 1: a_i'a_j = f(t), a_bar_i fixed in body i, a_bar_j in body j."""

    i: int
    j: int
    a_i: object
    a_j: object
    f: object = 0.0

    def row(self, x, t=0.0):
        """Everything at the motion x."""
        i, j, (f, fd, fdd) = self.i, self.j, settled(self.f, t)
        (a_i, ad_i, b_i), (a_j, ad_j, b_j) = x.turned(i, self.a_i), x.turned(j, self.a_j)
        Pi_bar = np.array([a_j @ x.arm(i, self.a_i), a_i @ x.arm(j, self.a_j)])
        Phi_p = np.array([a_j @ B(x.p[i], self.a_i), a_i @ B(x.p[j], self.a_j)])
        cross = 2.0 * ad_i @ ad_j
        gamma = -a_i @ b_j - a_j @ b_i - cross + fdd
        gamma_p = -a_i @ x.bias_p(j, self.a_j) - a_j @ x.bias_p(i, self.a_i) - cross + fdd
        return Row(a_i @ a_j - f, (i, j), np.zeros((2, 3)), Pi_bar, Phi_p, fd, gamma, gamma_p)


@dataclass(frozen=True)
class DP2:
    """Dot product 2: a_i'd_ij = f(t)."""

    i: int
    j: int
    a_i: object
    s_i: object = (0.0, 0.0, 0.0)
    s_j: object = (0.0, 0.0, 0.0)
    f: object = 0.0

    def row(self, x, t=0.0):
        """Everything at the motion x."""
        i, j, (f, fd, fdd) = self.i, self.j, settled(self.f, t)
        a, ad, b = x.turned(i, self.a_i)
        d, dd, d_bias, d_bias_p = between(x, i, j, self.s_i, self.s_j)
        Pi_bar = np.array([d @ x.arm(i, self.a_i) - a @ x.arm(i, self.s_i), a @ x.arm(j, self.s_j)])
        Phi_p = np.array([d @ B(x.p[i], self.a_i) - a @ B(x.p[i], self.s_i), a @ B(x.p[j], self.s_j)])
        cross = 2.0 * ad @ dd
        gamma = -a @ d_bias - d @ b - cross + fdd
        gamma_p = -a @ d_bias_p - d @ x.bias_p(i, self.a_i) - cross + fdd
        return Row(a @ d - f, (i, j), np.array([-a, a]), Pi_bar, Phi_p, fd, gamma, gamma_p)


@dataclass(frozen=True)
class D:
    """Distance: d_ij'd_ij = f(t), f the square of the length."""

    i: int
    j: int
    s_i: object = (0.0, 0.0, 0.0)
    s_j: object = (0.0, 0.0, 0.0)
    f: object = 1.0

    def row(self, x, t=0.0):
        """Everything at the motion x."""
        i, j, (f, fd, fdd) = self.i, self.j, settled(self.f, t)
        d, dd, d_bias, d_bias_p = between(x, i, j, self.s_i, self.s_j)
        Pi_bar = 2.0 * np.array([-d @ x.arm(i, self.s_i), d @ x.arm(j, self.s_j)])
        Phi_p = 2.0 * np.array([-d @ B(x.p[i], self.s_i), d @ B(x.p[j], self.s_j)])
        gamma = -2.0 * (d @ d_bias + dd @ dd) + fdd
        gamma_p = -2.0 * (d @ d_bias_p + dd @ dd) + fdd
        return Row(d @ d - f, (i, j), 2.0 * np.array([-d, d]), Pi_bar, Phi_p, fd, gamma, gamma_p)


@dataclass(frozen=True)
class CD:
    """Coordinate difference: c'd_ij = f(t), c fixed in the world."""

    i: int
    j: int
    c: object
    s_i: object = (0.0, 0.0, 0.0)
    s_j: object = (0.0, 0.0, 0.0)
    f: object = 0.0

    def row(self, x, t=0.0):
        """Everything at the motion x."""
        i, j, (f, fd, fdd) = self.i, self.j, settled(self.f, t)
        c = np.asarray(self.c, dtype=float)
        d, _, d_bias, d_bias_p = between(x, i, j, self.s_i, self.s_j)
        Pi_bar = np.array([-c @ x.arm(i, self.s_i), c @ x.arm(j, self.s_j)])
        Phi_p = np.array([-c @ B(x.p[i], self.s_i), c @ B(x.p[j], self.s_j)])
        gamma, gamma_p = -c @ d_bias + fdd, -c @ d_bias_p + fdd
        return Row(c @ d - f, (i, j), np.array([-c, c]), Pi_bar, Phi_p, fd, gamma, gamma_p)


def between(x, i, j, s_i, s_j):
    """d_ij, its rate, and its bias acceleration in the r-omega and in the r-p form."""
    (_, sd_i, b_i), (_, sd_j, b_j) = x.turned(i, s_i), x.turned(j, s_j)
    d = x.point(j, s_j) - x.point(i, s_i)
    return d, x.rd[j] + sd_j - x.rd[i] - sd_i, b_j - b_i, x.bias_p(j, s_j) - x.bias_p(i, s_i)


class Normalisation(NamedTuple):
    """The constraint p of one body: value, row and right side (nu is zero)."""

    Phi: float
    Phi_p: np.ndarray
    gamma: float


def normalisation(p, pd):
    """p'p/2 - 1/2 = 0, with the row p' and gamma = -p'p' of the rates."""
    p, pd = np.asarray(p), np.asarray(pd)
    return Normalisation(p @ p / 2 - 0.5, p, -pd @ pd)


@dataclass(frozen=True)
class Rolling:
    """A thin disc about z of body j, centre at its origin, on the plane z = 0: three rows of speed, one of them height.

    The touching point c = -R n below the centre, n the steepest direction in the disc, has no speed:
    r' + w x c = 0. Along the vertical this is the rate of the height r_z - R n_z; along the plane it has no value.
    """

    j: int
    radius: float

    def arm(self, x):
        """c from the centre to the touching point, and its rate, in the world."""
        e, ed, _ = x.turned(self.j, Z)
        h = Z - e[2] * e
        size = np.linalg.norm(h)
        hd = -ed[2] * e - e[2] * ed
        n = h / size
        return -self.radius * n, -self.radius * (hd - n * (n @ hd)) / size

    def rows(self, x, t=0.0):
        """The three rows; x and y have the value zero."""
        c, cd = self.arm(x)
        A_j, w = x.A[self.j], x.A[self.j] @ x.w[self.j]
        gamma, Pi = -np.cross(w, cd), -skew(c) @ A_j  # r'' + w' x c = -w x c'
        height = (0.0, 0.0, x.r[self.j][2] + c[2])
        out = []
        for k in range(3):
            Phi_r, Pi_bar = np.array([ZERO, np.eye(3)[k]]), np.array([ZERO, Pi[k]])
            Phi_p = np.array([np.zeros(4), 2.0 * Pi[k] @ G(x.p[self.j])])
            # w_bar' = 2 G p'' on admissible motions: the right side is the same in both forms
            out.append(Row(height[k], (0, self.j), Phi_r, Pi_bar, Phi_p, 0.0, gamma[k], gamma[k]))
        return out
