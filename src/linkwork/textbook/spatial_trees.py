"""One rigid body, relative motion of contiguous bodies, and forces of connections.

After F. E. Veldpaus, Multibody dynamics: an introduction (WFW 93.030), chapters 2 and 3. Vectors are in the world
unless said; M is the mass centre, O the origin of the world. A connection leads from body i to body j:

    R_j = R_i C(psi)        x_j = x_i + R_i c        psi Cardan angles, c in the axes of body i

Misprints are left out: the dots over w in (3.22) and (3.23), and the generalized force tau1 on the angle of a rod
with an actuator at each end, which is tau1 - tau2.
"""

from typing import NamedTuple

import numpy as np

from linkwork.textbook.spatial_rotation import cardan_matrix, cardan_W, cardan_W_rate


class Rigid(NamedTuple):
    """Inertia, momentum, moments of momentum, kinetic energy, and the resultants that the motion asks for."""

    J_M: np.ndarray
    p: np.ndarray
    L_M: np.ndarray
    L_O: np.ndarray
    T: float
    F: np.ndarray
    M_M: np.ndarray
    M_O: np.ndarray


def rigid_body(m, J_M0, R, x, v, w, a, wd):
    """Quantities of one rigid body (2.9 to 2.23); J_M0 is in body axes."""
    x, v, w, a, wd = map(np.asarray, (x, v, w, a, wd))
    J = R @ np.asarray(J_M0) @ R.T  # (2.17)
    p, L_M = m * v, J @ w  # (2.12)
    F = m * a  # (2.18)
    M_M = np.cross(w, J @ w) + J @ wd  # (2.19)
    T = (m * v @ v + w @ J @ w) / 2  # (2.23)
    return Rigid(J, p, L_M, np.cross(x, p) + L_M, T, F, M_M, np.cross(x, F) + M_M)


class Pose(NamedTuple):
    """A body's orientation, position, angular velocity, velocity and their rates."""

    R: np.ndarray
    x: np.ndarray
    w: np.ndarray
    v: np.ndarray
    wd: np.ndarray = np.zeros(3)
    a: np.ndarray = np.zeros(3)


def relative_motion(body_i, psi, psid, c, cd, psidd=(0.0, 0.0, 0.0), cdd=(0.0, 0.0, 0.0)):
    """The next body of a tree from the one before it and the motion of their connection (3.12 to 3.24).

    w_j = w_i + w_rel          w_rel = R_i W(psi) psi'
    v_j = v_i + w_i x R_i c + R_i c'
    w_j' = w_i' + w_i x w_rel + R_i (W psi')'
    a_j = a_i + w_i' x R_i c + w_i x (w_i x R_i c) + 2 w_i x R_i c' + R_i c''
    """
    R, x, w, v, wd, a = (np.asarray(part) for part in body_i)
    arm, slide = R @ c, R @ cd
    W, Wd = cardan_W(psi), cardan_W_rate(psi, psid)
    turn = R @ (W @ psid)
    return Pose(
        R @ cardan_matrix(psi),
        x + arm,
        w + turn,
        v + np.cross(w, arm) + slide,
        wd + np.cross(w, turn) + R @ (W @ psidd + Wd @ psid),
        a + np.cross(wd, arm) + np.cross(w, np.cross(w, arm)) + 2.0 * np.cross(w, slide) + R @ np.asarray(cdd),
    )


# Connections: massless, F_i + F_j = 0 and M_i + M_j + c x F_j = 0


def generalized_force(c_q, pi_q, F_j, M_j):
    """Work of a connection on its bodies for unit variations of its coordinates: c_q'F_j + pi_q'M_j.

    F_j and M_j act on body j at its mass centre, in axes of body i; columns of c_q are dc/dq and those of pi_q the
    relative rotations, W(psi) dpsi/dq. The text (3.45) counts the work on the connection, the opposite.
    """
    return np.asarray(c_q).T @ F_j + np.asarray(pi_q).T @ M_j


def hinge_torque(tau, damping, beta_rate):
    """Generalized force tau - b beta' of an actuated and damped hinge on its angle."""
    return tau - damping * beta_rate


class RodForces(NamedTuple):
    """Forces (2) and moments about the mass centres on bodies i and j, world axes, and generalized forces."""

    F_i: np.ndarray
    M_i: float
    F_j: np.ndarray
    M_j: float
    Q_i: float  # on the rotation of body i
    Q_alpha: float
    Q_beta: float


def rod_forces(length, a, b, phi_i, alpha, beta, tau1, tau2, axial):
    """A massless rod in the plane from a of body i to b of body j, with an actuator in each of its hinges.

    alpha turns the rod and beta body j against body i; tau1 acts on the rod at i, tau2 on body j at the rod; `axial`
    is the force along the rod that body j exerts on it. Balance of the rod: l x F = tau2 - tau1.
    """
    R_i, R_j = _turn(phi_i), _turn(phi_i + beta)
    along = _turn(phi_i + alpha)[:, 0]
    F = axial * along + (tau2 - tau1) / length * _normal(along)  # of body j on the rod, so of the rod on body i
    arm_i, arm_j = R_i @ a, R_j @ b
    M_i, M_j = _cross(arm_i, F) - tau1, -_cross(arm_j, F) + tau2
    rod, c = length * along, arm_i + length * along - arm_j
    # dc for unit d(phi_i) with the rest of the pair turning along, d(alpha), d(beta)
    Q_i = M_i + M_j - F @ _normal(c)
    return RodForces(F, M_i, -F, M_j, Q_i, -F @ _normal(rod), F @ _normal(arm_j) + M_j)


class StrutForces(NamedTuple):
    """Tension, generalized force on the length, stored energy and dissipated power."""

    tension: float
    Q: float
    energy: float
    dissipation: float


def strut_forces(k, b, l0, length, rate):
    """A spring and damper in line: tension k (l - l0) + b l'."""
    tension = k * (length - l0) + b * rate
    return StrutForces(tension, -tension, k * (length - l0) ** 2 / 2, b * rate**2)


def _turn(phi):
    return np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])


def _normal(a):
    return np.array([-a[1], a[0]])


def _cross(a, b):
    return a[0] * b[1] - a[1] * b[0]
