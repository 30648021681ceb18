"""Rotations of space as the books write them: matrices, Euler parameters, axis and angle, Cardan angles.

After D. Negrut, ME751 (Euler parameters, E, G, B), and F. E. Veldpaus, Multibody dynamics: an introduction
(WFW 93.030), sections 2, 3.2 and appendix A.3 (axis and angle, Cardan angles).

| symbol  | meaning                                                                    |
|---------|----------------------------------------------------------------------------|
| A       | rotation matrix, columns are the body's axes in the world (Veldpaus: R)    |
| p       | Euler parameters (e0, e), scalar first, p'p = 1                            |
| w       | angular velocity in the world, A' = ~w A                                   |
| w_bar   | the same in body axes, w = A w_bar                                         |
| ~a      | skew matrix, ~a b = a x b                                                  |

The Cardan matrix is printed transposed in Veldpaus (3.3); here it is the one that its definition asks for.
"""

import numpy as np

I3 = np.eye(3)


def skew(a):
    """~a, so that ~a b = a x b."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def axial(S):
    """The vector a of the skew part ~a of a matrix."""
    return np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2


# Euler parameters (Negrut)


def E(p):
    """E = [-e, ~e + e0 I] (3 x 4): E E' = I, E'E = I - p p', E p = 0."""
    e0, e = p[0], np.asarray(p[1:])
    return np.column_stack([-e, skew(e) + e0 * I3])


def G(p):
    """G = [-e, -~e + e0 I] (3 x 4): G G' = I, G'G = I - p p', G p = 0."""
    e0, e = p[0], np.asarray(p[1:])
    return np.column_stack([-e, -skew(e) + e0 * I3])


def A(p):
    """The rotation matrix A = E G'."""
    return E(p) @ G(p).T


def B(p, a_bar):
    """B(p, a) = d(A a)/dp = 2 [(e0 I + ~e) a, e a' - (e0 I + ~e) ~a] (3 x 4).

    It is linear in p: the rate of B is B(p', a), and (A a)'' = B(p, a) p'' + B(p', a) p'.
    """
    e0, e, a = p[0], np.asarray(p[1:]), np.asarray(a_bar)
    K = e0 * I3 + skew(e)
    return 2.0 * np.column_stack([K @ a, np.outer(e, a) - K @ skew(a)])


def body_rates(p, pd):
    """w_bar = 2 G p'; with a variation for p' the virtual rotation in body axes."""
    return 2.0 * G(p) @ pd


def world_rates(p, pd):
    """w = 2 E p'; with a variation for p' the virtual rotation in the world."""
    return 2.0 * E(p) @ pd


def parameter_rates(p, w_bar):
    """p' = G' w_bar / 2."""
    return 0.5 * G(p).T @ w_bar


def parameter_accelerations(p, w_bar, w_bar_d):
    """p'' = G' w_bar' / 2 - (w_bar'w_bar / 4) p, from p' = G' w_bar / 2 and G'(p')' w_bar = -(w_bar'w_bar / 2) p."""
    w_bar = np.asarray(w_bar)
    return 0.5 * G(p).T @ w_bar_d - 0.25 * (w_bar @ w_bar) * np.asarray(p)


def body_accelerations_of(p, pdd):
    """w_bar' = 2 G p'' (G(p') p' = 0)."""
    return 2.0 * G(p) @ pdd


def parameter_torque(p, n_bar):
    """Generalized force 2 G'n_bar of a torque in body axes on the Euler parameters."""
    return 2.0 * G(p).T @ n_bar


def body_torque(p, tau):
    """Torque in body axes G tau / 2 of a generalized force on the Euler parameters; its part along p does nothing."""
    return 0.5 * G(p) @ tau


def euler_parameters(R):
    """p of a rotation matrix, from the largest of its four parameters; e0 >= 0 (e0 = 0: first other one > 0)."""
    t = np.trace(R)
    squares = np.array([1.0 + t, *(1.0 - t + 2.0 * np.diag(R))])  # 4 e_k^2
    k = int(np.argmax(squares))
    s = axial(R) * 2.0  # 4 e0 e
    N = R + R.T  # off the diagonal 4 e_i e_j
    p = np.array([squares[0], *s]) if k == 0 else np.array([s[k - 1], *N[k - 1]])
    if k:
        p[k] = squares[k]
    p /= np.linalg.norm(p)
    first = p[np.flatnonzero(np.abs(p) > 1e-15)[0]]
    return p if first > 0 else -p


# Axis and angle (Veldpaus A.3)


def axis_angle_matrix(n, phi):
    """R = n n' + cos(phi) (I - n n') + sin(phi) ~n (A.91)."""
    n = np.asarray(n)
    return np.outer(n, n) + np.cos(phi) * (I3 - np.outer(n, n)) + np.sin(phi) * skew(n)


def axis_angle(R):
    """Axis and angle of a rotation matrix, 0 <= angle <= pi; the axis of no turn is taken as x. (-n, -phi) is the
    same turn."""
    p = euler_parameters(R)
    size = np.linalg.norm(p[1:])
    return (p[1:] / size if size > 0 else I3[0]), 2.0 * np.arctan2(size, p[0])


def axis_angle_parameters(n, phi):
    """Euler parameters (cos(phi/2), sin(phi/2) n) (A.93)."""
    return np.r_[np.cos(phi / 2), np.sin(phi / 2) * np.asarray(n)]


def axis_angle_parameter_rates(n, phi, nd, phid):
    """Rates of the Euler parameters of an axis and an angle that both move."""
    c, s = np.cos(phi / 2), np.sin(phi / 2)
    return np.r_[-s * phid / 2, c * phid / 2 * np.asarray(n) + s * np.asarray(nd)]


def axis_angle_omega(n, phi, nd, phid):
    """w = phi' n + sin(phi) n' + (1 - cos(phi)) n x n', in the world (A.97)."""
    n, nd = np.asarray(n), np.asarray(nd)
    return phid * n + np.sin(phi) * nd + (1.0 - np.cos(phi)) * np.cross(n, nd)


def euler_parameter_omega(p, pd):
    """w = 2 (q0 eta' - q0' eta + eta x eta'), in the world (A.98)."""
    q0, eta, q0d, etad = p[0], np.asarray(p[1:]), pd[0], np.asarray(pd[1:])
    return 2.0 * (q0 * etad - q0d * eta + np.cross(eta, etad))


def second_invariant(R):
    """J2(R) = (tr(R)^2 - tr(R R)) / 2 (A.44); of a rotation it is the trace."""
    return (np.trace(R) ** 2 - np.trace(R @ R)) / 2


# Cardan angles: about 1, then the new 2, then the new 3 (Veldpaus 3.2.1, A.3.4)


def cardan_matrix(phi):
    """R = R1(phi1) R2(phi2) R3(phi3), columns are the moving axes in the fixed ones."""
    return axis_angle_matrix(I3[0], phi[0]) @ axis_angle_matrix(I3[1], phi[1]) @ axis_angle_matrix(I3[2], phi[2])


def cardan_W(phi):
    """W of w = W phi', in the world (3.7); det W = cos(phi2) is zero at the singularity."""
    (s1, s2, _), (c1, c2, _) = np.sin(phi), np.cos(phi)
    return np.array([[1.0, 0.0, s2], [0.0, c1, -s1 * c2], [0.0, s1, c1 * c2]])


def cardan_W_rate(phi, phid):
    """The rate of W."""
    (s1, s2, _), (c1, c2, _) = np.sin(phi), np.cos(phi)
    d1, d2, _ = phid
    return np.array(
        [
            [0.0, 0.0, c2 * d2],
            [0.0, -s1 * d1, -c1 * c2 * d1 + s1 * s2 * d2],
            [0.0, c1 * d1, -s1 * c2 * d1 - c1 * s2 * d2],
        ]
    )


def cardan_angles(R):
    """Cardan angles of a rotation matrix, -pi/2 <= phi2 <= pi/2."""
    return np.array([np.arctan2(-R[1, 2], R[2, 2]), np.arcsin(np.clip(R[0, 2], -1, 1)), np.arctan2(-R[0, 1], R[0, 0])])


def euler_313(phi, theta, psi):
    """R3(phi) R1(theta) R3(psi): precession, tilt and spin of a top."""
    return axis_angle_matrix(I3[2], phi) @ axis_angle_matrix(I3[0], theta) @ axis_angle_matrix(I3[2], psi)
