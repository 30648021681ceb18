"""Bodies of the plane as particles (Nikravesh, 10.1, 10.6 to 10.8): masses, forces and torques on points.

    sum m_i = m     sum m_i s_i = 0     sum m_i |s_i|^2 = J                                        (10.47), (10.49)

    symbol  meaning                                                shape
    s       places of the points from the mass centre, body axes   on a rod k, on a plate k, 2
    m, J    mass and moment of inertia about the mass centre
    mu      r_o = sum mu_i r_i, the particle that is condensed     k

A particle may have a negative mass: where J is larger than the points can give, the one in the middle takes it back.
The motion stays exact. Matrices are of the points, k x k; those of coordinates are `expanded`.
"""

import numpy as np

from linkwork.errors import DescriptionError, message


def halves(m):
    """Classical lumping of a rod, half of the mass at each end: mass and mass centre, but not J (10.4)."""
    return np.array([0.5, 0.5]) * m


def inertia(masses, s):
    """sum m_i |s_i|^2, the moment of inertia of particles about the origin of s."""
    return float(np.asarray(masses) @ np.sum(_places(s) ** 2, axis=1))


def distributed(m, J, s):
    """Masses of particles at s that move as the body does: three on a rod (10.52), four on a plate (10.50).

    One of them is often the mass centre itself.  All of them on one circle about it (or two in one place) do not do.
    """
    s = _places(s)
    wanted = s.shape[1] + 2
    if len(s) != wanted:
        raise DescriptionError(
            message("The mass distribution", "has the wrong number of points", len(s), f"{wanted}, three on a rod")
        )
    rows = np.vstack([np.ones(len(s)), s.T, np.sum(s**2, axis=1)])
    return _solved(rows, np.r_[m, np.zeros(s.shape[1]), J], "The mass distribution")


def condensed(masses, m_o):
    """Mass matrix of two or three points, the particle m_o in the mass centre eliminated (10.54), (10.57).

    r_o = sum mu_i r_i with mu = m_i / sum m_i, since the others balance about it.
    """
    masses = np.asarray(masses, dtype=float)
    total = masses.sum()
    if not abs(total) > 1e-12 * np.abs(masses).max():
        raise DescriptionError(
            message(
                "The condensation", "has no mass on the points that stay", float(total), remedy="choose other points"
            )
        )
    mu = masses / total
    return np.diag(masses) + m_o * np.outer(mu, mu)


def condensed_beside(m_i, m_j, m_o):
    """Mass matrix of points i and j, where j is the mass centre and the particle m_o beyond it is eliminated (10.56).

    r_o = -mu_i r_i + mu_j r_j with mu_i = m_i/m_o and mu_j = (m_i + m_o)/m_o; the text prints another sign for r_o.
    """
    mu = np.array([-m_i, m_i + m_o]) / m_o
    return np.diag([m_i, m_j]) + m_o * np.outer(mu, mu)


def rod(m, J, s_i, s_j):
    """Mass matrix of two points anywhere on the axis of a rod, in closed form (10.8.1 without its third particle)."""
    both = m * s_i * s_j + J
    return np.array([[m * s_j**2 + J, -both], [-both, m * s_i**2 + J]]) / (s_j - s_i) ** 2


def plate(m, J, s):
    """Mass matrix of three points of a plate (10.57): with a fourth particle in the mass centre, condensed."""
    masses = distributed(m, J, np.vstack([s, np.zeros(2)]))
    return condensed(masses[:3], masses[3])


def expanded(M, size=2):
    """M of points as M of their coordinates: each entry times the unit matrix."""
    return np.kron(M, np.eye(size))


def rigid(M, s):
    """T'M T for the velocities T of a rigid motion (x', y', w): diag(m, m, J) if M is right, for any points."""
    s = _places(s)
    s = s if s.shape[1] == 2 else np.c_[s, np.zeros(len(s))]
    T = np.vstack([[[1.0, 0.0, -y], [0.0, 1.0, x]] for x, y in s])
    return T.T @ expanded(M) @ T


def force_shares(s, s_P):
    """alpha of a force at s_P on points at s, f_i = alpha_i f: two on a rod (10.45), three on a plate (10.44)."""
    s = _places(s)
    rows = np.vstack([np.ones(len(s)), s.T])
    return _solved(rows, np.r_[1.0, np.atleast_1d(s_P)], "The force distribution")


def torque_couple(T, r_i, r_j):
    """Forces on points i and j with the torque T: T/L each, normal to their line (10.6)."""
    d = np.subtract(r_i, r_j)
    f = T / (d @ d) * np.array([-d[1], d[0]])
    return f, -f


def _places(s):
    s = np.asarray(s, dtype=float)
    return s[:, None] if s.ndim == 1 else s


def _solved(rows, right, what):
    scaled = rows / np.maximum(np.abs(rows).max(axis=1, keepdims=True), 1e-300)
    if rows.shape[0] != rows.shape[1] or np.linalg.cond(scaled) > 1e12:
        raise DescriptionError(
            message(what, "cannot be told by these points", rows[1:].T.tolist(), remedy="choose points further apart")
        )
    return np.linalg.solve(rows, right)
