"""Forces in natural coordinates (Garcia de Jalon & Bayo, 4.3), each as Q on the right side of M q'' + Phi_q'lambda = Q.

    r_P = C q,  Q = C'f                                                                                    (4.94)

Signs are those of Q = -dV/dq throughout; (4.103) to (4.105), (4.128) and (4.136) print the opposite.
"""

import numpy as np

from linkwork.textbook.natural_elements import C, c


def force(C_P, f):
    """Q of a force at a point (4.94)."""
    return C_P.T @ np.asarray(f, dtype=float)


def weight(m, C_G, g):
    """Q of the weight, +m g at the mass centre (4.130)."""
    return m * C_G.T @ np.asarray(g, dtype=float)


def weight_potential(m, C_G, g, q):
    """V = -m r_G'g (4.129)."""
    return -m * (C_G @ q) @ np.asarray(g, dtype=float)


def torque_arm(r_i, r_j, M):
    """u_f and f: the torque M as f at r_i and -f at r_i + u_f (4.96), (4.97).

    u_f is normal to M and to ij.  Where M lies along ij any unit vector normal to M does.
    """
    M = np.asarray(M, dtype=float)
    across = np.cross(np.subtract(r_j, r_i), M)
    if np.linalg.norm(across) <= 1e-9 * np.linalg.norm(M) * np.linalg.norm(np.subtract(r_j, r_i)):
        across = np.cross(np.eye(3)[np.argmin(np.abs(M))], M)
    size = np.linalg.norm(across)
    u_f = across / size if size > 0.0 else np.zeros(3)
    return u_f, np.cross(u_f, M)


def torque(X_world, r_i, r_j, M):
    """Q of a torque on the element of two points and two vectors, (C_i - C_{i + u_f})'f (4.99).

    With X_bar c = A'u_f the coefficients of u_f are X^-1 u_f, anew in every position.
    """
    u_f, f = torque_arm(r_i, r_j, M)
    return (C(np.zeros(3)) - C(c(X_world, u_f))).T @ f


def torque_plane(r_i, r_j, T):
    """Q of a torque on two points of the plane: a couple normal to ij, T/L each (4.99)."""
    x, y = np.subtract(r_j, r_i)
    return T / (x * x + y * y) * np.array([y, -x, -y, x])


def spring(r_i, r_j, k, L0):
    """Q on r_i and r_j of a spring between basic points, and its potential (4.103), (4.107)."""
    d = np.subtract(r_j, r_i)
    L = np.linalg.norm(d)
    pull = k * (L - L0) * d / L
    return np.r_[pull, -pull], 0.5 * k * (L - L0) ** 2


def spring_of_bodies(C_1, q_1, C_2, q_2, k, L0):
    """Q_1, Q_2 and V of a spring between any points of two bodies, Q_1 = C_1'f, Q_2 = -C_2'f (4.117)."""
    d = C_2 @ q_2 - C_1 @ q_1
    L = np.linalg.norm(d)
    f = k * (L - L0) * d / L
    return C_1.T @ f, -C_2.T @ f, 0.5 * k * (L - L0) ** 2


def spring_matrix(C_1, C_2):
    """K of Q = -k (1 - L0/L) K [q_1; q_2], the same spring as a quadratic form (4.122)."""
    both = np.hstack([C_1, -C_2])
    return both.T @ both


def spring_of_distance(s, k, s0):
    """Force on the mixed coordinate s, and the potential (4.109), (4.110)."""
    return -k * (s - s0), 0.5 * k * (s - s0) ** 2


def angle(r_i, r_j, r_k):
    """psi from ij to jk in the plane, by both of its products, within half a turn (4.124), (4.125)."""
    a, b = np.subtract(r_j, r_i), np.subtract(r_k, r_j)
    return float(np.arctan2(a[0] * b[1] - a[1] * b[0], a @ b))


def joint_angle(u, first, second):
    """Angle about the axis u from one segment to another, both projected on the plane normal to u (4.3.2, space).

    The angle between the segments themselves is another one unless they are normal to u.
    """
    u = np.asarray(u) / np.linalg.norm(u)
    return float(np.arctan2(u @ np.cross(first, second), np.dot(first, second) - (u @ first) * (u @ second)))


def turns(before, psi, n=0):
    """Number of whole turns n after psi went on from `before` by less than half a turn."""
    return n - int(np.rint((psi - before) / (2 * np.pi)))


def torsion_spring(psi, n, k, psi0):
    """Torque on the mixed coordinate psi, and the potential: the angle is psi + 2 n pi (4.123), (4.127)."""
    way = psi + 2 * np.pi * n - psi0
    return -k * way, 0.5 * k * way**2


def field(q, a_o, Omega, Omegad, points):
    """Accelerations of a moving frame at the first `points` pieces of q, and at its unit vectors after them (4.131)."""
    pieces = np.reshape(q, (-1, 3))
    turning = np.cross(Omegad, pieces) + np.cross(Omega, np.cross(Omega, pieces))
    turning[:points] += a_o
    return turning.ravel()


def frame_loads(M, q, a_o, Omega, Omegad, points):
    """Q of a moving frame on a body at rest in it, -M times the field (4.135)."""
    return -M @ field(q, a_o, Omega, Omegad, points)


def coriolis_loads(M, qd, Omega):
    """Q that a body moving in the frame has besides, -M (2 Omega x q'), which the text leaves out."""
    return -2.0 * M @ np.cross(Omega, np.reshape(qd, (-1, 3))).ravel()
