"""A planar chain of equal bars, derived by hand and compiled: what one evaluation can cost at best.

Absolute angles are the coordinates, and the joint forces are eliminated one after the other from the tip inwards, so
the cost grows with the number of bars and no matrix is formed.  Everything beyond a joint answers an acceleration s of
that joint (less gravity) with the force

        F = K s + k                          K is 2 x 2 and symmetric: the mass that the joint feels

which is zero beyond the tip.  For a bar with half its length along h, n = h turned by 90 degrees and angular velocity
w, the centre accelerates by s + n w' - h w^2 and the far joint by e = s + 2 n w' - 2 h w^2.  The moments about the
near joint and the forces on the bar give

        I w' + m n.(s + n w') + 2 n.(K e + k) = 0        F = m (s + n w' - h w^2) + K e + k

        b = m n + 2 K n      D = I + m n.n + 4 n.K n      l = k - 2 w^2 K h      c = 2 n.l
        w' = -(b.s + c) / D      K <- K + m - b b'/D      k <- l - m w^2 h - b c/D

The first joint does not move: s = -g.  Then e is the s of the next bar.
"""

from __future__ import annotations

import math

import numpy as np

from linkwork.kernels import layout as at
from linkwork.kernels.jit import RHS, address_of, called, kernel, place_of

KEPT = 6  # numbers of a bar that the way outwards needs: h, b / D, c / D, w^2


@kernel(RHS)
def rhs(t, y, p, tab, w, f):
    """y = angles and their rates; p = length, mass, inertia, gravity x and y; tab = bars; w = 6 numbers a bar."""
    n = tab[0]
    half, m, inertia = 0.5 * p[0], p[1], p[2]
    about_end = inertia + m * half * half
    kxx, kxy, kyy, kx, ky = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(n - 1, -1, -1):
        hx, hy = half * math.cos(y[i]), half * math.sin(y[i])
        square = y[n + i] * y[n + i]
        ux, uy = kxy * hx - kxx * hy, kyy * hx - kxy * hy  # K n
        lx, ly = kx - 2.0 * square * (kxx * hx + kxy * hy), ky - 2.0 * square * (kxy * hx + kyy * hy)
        bx, by = 2.0 * ux - m * hy, 2.0 * uy + m * hx
        c = 2.0 * (hx * ly - hy * lx)
        inverse = 1.0 / (about_end + 4.0 * (hx * uy - hy * ux))
        dx, dy = bx * inverse, by * inverse
        kxx += m - bx * dx
        kxy -= bx * dy
        kyy += m - by * dy
        kx = lx - m * square * hx - c * dx
        ky = ly - m * square * hy - c * dy
        k = KEPT * i
        w[k], w[k + 1], w[k + 2], w[k + 3], w[k + 4], w[k + 5] = hx, hy, dx, dy, c * inverse, square
    sx, sy = -p[3], -p[4]
    for i in range(n):
        k = KEPT * i
        hx, hy, square = w[k], w[k + 1], w[k + 5]
        change = -(w[k + 2] * sx + w[k + 3] * sy + w[k + 4])
        sx -= 2.0 * (hy * change + hx * square)
        sy += 2.0 * (hx * change - hy * square)
        f[i] = y[n + i]
        f[n + i] = change


class HandChain:
    """The chain with its numbers, called in the way of Linkwork's own kernels."""

    def __init__(self, count: int, length: float, mass: float, inertia: float, gravity):
        self.count = count
        self.p = np.array([length, mass, inertia, *gravity])
        self.tab = np.zeros(at.HEADER, dtype=np.int64)
        self.tab[0] = count
        self.w = np.zeros(KEPT * count)
        self.pointer = address_of(rhs)

    def accelerations(self, angles, rates) -> np.ndarray:
        """Second derivatives of the absolute angles."""
        y, f = np.concatenate([angles, rates]), np.empty(2 * self.count)
        called(rhs)(0.0, *map(place_of, (y, self.p, self.tab, self.w, f)))
        return f[self.count :]
