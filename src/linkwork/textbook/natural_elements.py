"""Mass matrices of natural coordinates (Garcia de Jalon & Bayo, 4.2): points and unit vectors instead of angles.

    r = C q for every point of a body with a constant C, so that M = integral of rho C'C is constant       (4.45)

| element | coordinates | mass matrix | equations |
|---|---|---|---|
| plane, two points | r_i, r_j | 4 x 4 | (4.48) |
| two points, two vectors | r_i, r_j, u, v | M4 x 1 | (4.61) |
| three points, one vector | r_i, r_j, r_k, u | M4 x 1 | (4.66) |
| four points | r_i, r_j, r_k, r_l | M4 x 1 | (4.69), its divisors L_ik and L_jl |
| two points, one vector | r_i, r_j, u | M(q), and h(q, q') | (4.70) to (4.78) |
| bar of two points | r_i, r_j | M2 x 1 | (4.86) |

M4 and M2 are coefficients, `point_masses.expanded(M4, 3)` the matrix of the coordinates. J is the matrix of second
moments, the integral of s s', not the tensor of inertia: `second_moments` leads from one to the other.
"""

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.textbook.point_masses import expanded
from linkwork.textbook.spatial_rotation import axial, skew

# plane


def C_plane(s_P, L):
    """C of a point at s_P from i, in axes along ij: r_P = C [r_i; r_j] (4.39)."""
    c1, c2 = np.asarray(s_P, dtype=float) / L
    return np.array([[1 - c1, c2, c1, -c2], [-c2, 1 - c1, c2, c1]])


def M_plane(m, s_G, I_i, L):
    """M of a plane body by two points: mass, mass centre from i in axes along ij, polar moment about i (4.48)."""
    x, y = m * np.asarray(s_G, dtype=float) / L
    J = I_i / L**2
    a, b = m - 2 * x + J, x - J
    return np.array([[a, 0, b, -y], [0, a, y, b], [b, y, J, 0], [-y, b, 0, J]])


def masses_plane(points, M, L):
    """Masses, negative ones too, of particles at `points` (from i, axes along ij) that have the mass matrix M together.

    Four numbers make all matrices (4.48), m, m x_G, m y_G and I_i, so that four points do (problem 4/2); they are not
    on one circle and not in line.
    """
    columns = np.column_stack([(C_plane(p, L).T @ C_plane(p, L)).ravel() for p in points])
    masses, _, rank, _ = np.linalg.lstsq(columns, np.ravel(M), rcond=None)
    if rank < columns.shape[1] or not np.allclose(columns @ masses, np.ravel(M), rtol=0, atol=1e-9 * np.abs(M).max()):
        raise DescriptionError(
            message("The mass matrix", "is not that of masses at these points alone", remedy="choose other points")
        )
    return masses


# space, two points and two unit vectors


def second_moments(I_G):
    """J_G, the integral of s s' about the mass centre, of the tensor of inertia: tr(I)/2 1 - I."""
    I_G = np.asarray(I_G, dtype=float)
    return 0.5 * np.trace(I_G) * np.eye(3) - I_G


def inertia_tensor(J):
    """Tensor of inertia of second moments: tr(J) 1 - J."""
    return np.trace(J) * np.eye(3) - np.asarray(J)


def second_moments_about(J_G, m, d):
    """J about a point from which the mass centre is at d: J_G + m d d'."""
    return J_G + m * np.outer(d, d)


def X(r_i, r_j, u, v):
    """[r_j - r_i, u, v], of the body's own axes (X bar) or of the world (4.54); the three are not in one plane."""
    columns = np.column_stack([np.subtract(r_j, r_i), u, v])
    sizes = np.linalg.svd(columns / np.linalg.norm(columns, axis=0), compute_uv=False)
    if not sizes[-1] > 1e-9 * sizes[0]:
        raise DescriptionError(
            message(
                "The element",
                "has its points and vectors in one plane",
                columns.T.tolist(),
                remedy="choose others, or two points and one vector",
            )
        )
    return columns


def c(X_bar, s):
    """Coefficients of a place s = r - r_i in body axes: r = (1 - c1) r_i + c1 r_j + c2 u + c3 v (4.55)."""
    return np.linalg.solve(X_bar, s)


def C(coefficients):
    """C of a point from its coefficients, r = C [r_i; r_j; u; v] (4.53)."""
    c1, c2, c3 = coefficients
    return np.kron([1 - c1, c1, c2, c3], np.eye(3))


def Z(X_bar, J_i):
    """Second moments about i in the coefficients' own axes (4.60)."""
    inverse = np.linalg.inv(X_bar)
    return inverse @ J_i @ inverse.T


def M4(m, a, Z):
    """M of two points and two vectors, as coefficients of r_i, r_j, u, v; a = c of the mass centre (4.61)."""
    # r = r_i + [r_j - r_i, u, v] c: of r_i, and of the three vectors, first
    inner = np.block([[np.array([[m]]), m * np.asarray(a)[None]], [m * np.asarray(a)[:, None], np.asarray(Z)]])
    T = np.eye(4)
    T[1, 0] = -1.0  # r_j - r_i
    return T.T @ inner @ T


def V_three_points(L_jk):
    """V of q = V q_new for q_new = r_i, r_j, r_k, u: v = (r_k - r_j)/L_jk (4.64)."""
    return np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, -1 / L_jk, 1 / L_jk, 0]])


def V_four_points(L_ik, L_jl):
    """V for q_new = r_i, r_j, r_k, r_l: u = (r_k - r_i)/L_ik, v = (r_l - r_j)/L_jl (4.69 prints other divisors)."""
    return np.array([[1, 0, 0, 0], [0, 1, 0, 0], [-1 / L_ik, 0, 1 / L_ik, 0], [0, -1 / L_jl, 0, 1 / L_jl]])


def congruent(M, V):
    """M_new = V'M V (4.66)."""
    return V.T @ M @ V


def bar(m, L, s_G=None, I_i=None):
    """M2 of a bar by two points at its ends, thin, so that turning about itself has no inertia (4.86).

    Uniform without `s_G`, its mass centre from i, and `I_i`, its moment about i.
    """
    x, J = (m / 2, m / 3) if s_G is None else (m * s_G / L, I_i / L**2)
    return np.array([[m - 2 * x + J, x - J], [x - J, J]])


# space, two points and one vector


def factor(r_i, r_j, u):
    """c of the unit vector v = c (r_i - r_j) x u, a constant of the body (4.70)."""
    return 1.0 / np.linalg.norm(np.cross(np.subtract(r_i, r_j), u))


def V_one_vector(q, c):
    """V(q) of [r_i., r_j., u., v.] = V [r_i., r_j., u.] (4.72)."""
    r_i, r_j, u = np.reshape(q, (3, 3))
    return np.vstack([np.eye(9), np.hstack([-c * skew(u), c * skew(u), c * skew(r_i - r_j)])])


def V_one_vector_rate(qd, c):
    """V. of V(q): zero but for the last rows (4.75 prints unit matrices)."""
    return V_one_vector(qd, c) - np.vstack([np.eye(9), np.zeros((3, 9))])


def M_one_vector(M4, q, c):
    """M(q) = V'M V (4.78)."""
    return congruent(expanded(M4, 3), V_one_vector(q, c))


def h_one_vector(M4, q, qd, c):
    """V'M V. q', to stand on the left side beside M(q) q'' (4.78)."""
    return V_one_vector(q, c).T @ expanded(M4, 3) @ V_one_vector_rate(qd, c) @ qd


# motion


def A(X_world, X_bar):
    """Rotation matrix of a body, X X_bar^-1; a rotation only where the constraints of the element hold."""
    return X_world @ np.linalg.inv(X_bar)


def angular_velocity(X_world_rate, X_bar, A):
    """w of tilde(w) = X. X_bar^-1 A'."""
    return axial(X_world_rate @ np.linalg.inv(X_bar) @ A.T)


def kinetic_energy(M, qd):
    """T = q''M q'/2 (4.88)."""
    return 0.5 * qd @ M @ qd
