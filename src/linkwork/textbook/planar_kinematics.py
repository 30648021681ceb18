"""Vectors and points of bodies in the plane (Nikravesh, chapters 2 and 3)."""

import numpy as np


def A(phi):
    """Rotation matrix of a body: s = A s' (3.4)."""
    return np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])


def rot(a):
    """The vector turned by +90 degrees, the book's breve (2.12)."""
    return np.array([-a[1], a[0]])


class Motion:
    """Positions and velocities of the bodies by number, the ground being 0; vectors in x-y components."""

    def __init__(self, model, c, cd=None):
        c = np.asarray(c, dtype=float)
        cd = np.zeros_like(c) if cd is None else np.asarray(cd, dtype=float)
        c, cd = (np.vstack([np.zeros(3), q.reshape(-1, 3)]) for q in (c, cd))
        self.model = model
        self.r, self.phi = c[:, :2], c[:, 2]
        self.rd, self.w = cd[:, :2], cd[:, 2]

    def s(self, P):
        """Body number and vector s = A s' of point P (3.9)."""
        point = self.model.points[P - 1]
        return point.body, A(self.phi[point.body]) @ point.s

    def u(self, U):
        """Unit vector U = A u' (3.4)."""
        vector = self.model.unit_vectors[U - 1]
        return A(self.phi[vector.body]) @ vector.u

    def point(self, P):
        """Position r + s (3.10) and velocity r' + rot(s) w (3.13) of point P."""
        b, s = self.s(P)
        return self.r[b] + s, self.rd[b] + rot(s) * self.w[b]


class Ends:
    """The two ends of a joint or force element between points: d = r_i^P - r_j^P, head on body i (7.12)."""

    def __init__(self, x, Pi, Pj):
        self.i, self.s_i = x.s(Pi)
        self.j, self.s_j = x.s(Pj)
        self.w_i, self.w_j = x.w[self.i], x.w[self.j]
        (ri, rdi), (rj, rdj) = x.point(Pi), x.point(Pj)
        self.d, self.dd = ri - rj, rdi - rdj
