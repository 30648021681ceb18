"""Joints, constraints and drivers in planar body coordinates (Nikravesh, 7.2): one function each.

A joint function takes the motion x of all bodies, the joint's data q and the time t, and gives the `Rows`

    Phi          values of the constraints (7.1)
    D            blocks of the Jacobian, [r-part | phi-part], one for each body touched (7.4)
    nu           D c'  = nu     (zero but for drivers)
    gamma        D c'' = gamma  (7.6)

with rot(a) for the book's breve and d = r_i^P - r_j^P. With these rows every multiplier is a force or a
torque, and D_i' lambda is the reaction on body i at its mass centre (7.54).

Phi, D and gamma belong together on admissible states. Off them the book simplifies: the second row of `tran`
has the derivative 1 (true where the axes are parallel, of the wrong sign where they are opposite), its gamma
uses w_i = w_j, and `rel-tran` drops terms that vanish where the length is f(t).
"""

from typing import NamedTuple

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.textbook.planar_kinematics import A, Ends, rot

I = np.eye(2)


class Rows(NamedTuple):
    """What a joint adds to the system: Phi, [(body, block of D), ...], nu, gamma."""

    Phi: np.ndarray
    D: list
    nu: np.ndarray
    gamma: np.ndarray


def block(r_part, phi_part):
    """Rows of D for one body: [r-part | phi-part]."""
    return np.column_stack([np.atleast_2d(r_part), np.atleast_1d(phi_part)])


def rows(Phi, D, gamma, nu=None):
    """Rows with everything as arrays; nu is zero unless given."""
    Phi, gamma = np.atleast_1d(Phi), np.atleast_1d(gamma)
    return Rows(Phi, D, np.zeros(len(Phi)) if nu is None else np.atleast_1d(nu), gamma)


def rev(x, q, t):
    """Revolute (pin) joint at points Pi, Pj (7.2.1)."""
    e = Ends(x, q.Pi, q.Pj)
    D_i, D_j = block(I, rot(e.s_i)), -block(I, rot(e.s_j))  # (7.16)
    gamma = e.s_i * e.w_i**2 - e.s_j * e.w_j**2  # (7.18)
    return rows(e.d, [(e.i, D_i), (e.j, D_j)], gamma)  # (7.14)


def tran(x, q, t):
    """Translational (sliding) joint along u_i, u_j through Pi, Pj (7.2.2)."""
    e, u_i, u_j = Ends(x, q.Pi, q.Pj), x.u(q.Ui), x.u(q.Uj)
    n = rot(u_j)
    Phi = np.array([n @ e.d, n @ u_i])  # (7.19)
    D_i = block([n, (0, 0)], [u_j @ e.s_i, 1.0])  # (7.21)
    D_j = -block([n, (0, 0)], [u_j @ (e.s_j + e.d), 1.0])
    r, rd = x.r[e.i] - x.r[e.j], x.rd[e.i] - x.rd[e.j]
    gamma = np.array([(n @ r * e.w_i + 2 * u_j @ rd) * e.w_i, 0.0])  # (7.23)
    return rows(Phi, [(e.i, D_i), (e.j, D_j)], gamma)


def rev_rev(x, q, t):
    """Revolute-revolute joint: a massless rod of length L from Pj to Pi (7.2.3)."""
    return _rod(x, q, q.L, 0.0, 0.0)


def rev_tran(x, q, t):
    """Revolute-translational joint: pin Pj on a slot along u_i through Pi at the signed offset L (7.2.4)."""
    e, u_i = Ends(x, q.Pi, q.Pj), x.u(q.Ui)
    n = rot(u_i)
    D_i, D_j = block(n, u_i @ (e.s_i - e.d)), block(-n, -u_i @ e.s_j)  # (7.33)
    gamma = n @ e.d * e.w_i**2 + 2 * u_i @ e.dd * e.w_i  # (7.34)
    gamma -= u_i @ (rot(e.s_i) * e.w_i**2 - rot(e.s_j) * e.w_j**2)
    return rows(n @ e.d - q.L, [(e.i, D_i), (e.j, D_j)], gamma)  # (7.31)


def rigid(x, q, t):
    """Rigid joint: between the origins (figure 7.7b); as pin and angle where points are named (7.7a)."""
    if q.Pi is not None:
        pin = rev(x, q, t)
        (i, D_i), (j, D_j) = pin.D
        angle = x.phi[i] - x.phi[j] - _start_angle(x.model, q, i, j)
        D = [(i, np.vstack([D_i, (0, 0, 1)])), (j, np.vstack([D_j, (0, 0, -1)]))]
        return rows(np.append(pin.Phi, angle), D, np.append(pin.gamma, 0.0))
    i, j = q.i, q.j
    d_j = A(x.phi[j]) @ _start_vector(x.model, q, i, j)
    angle = x.phi[i] - x.phi[j] - _start_angle(x.model, q, i, j)
    D_i = np.eye(3)  # (7.36)
    D_j = -np.vstack([block(I, rot(d_j)), (0, 0, 1)])
    gamma = np.append(-d_j * x.w[j] ** 2, 0.0)  # (7.37)
    return rows(np.append(x.r[i] - x.r[j] - d_j, angle), [(i, D_i), (j, D_j)], gamma)  # (7.35)


def simple(x, q, t):
    """Simple constraint x, y or phi = c of body i (7.38, 7.39), or of point Pi (problem 7.6)."""
    if q.coord == "phi":
        return rows(x.phi[q.i] - q.c, [(q.i, np.array([[0.0, 0.0, 1.0]]))], 0.0)
    i, s = (q.i, np.zeros(2)) if q.Pi is None else x.s(q.Pi)
    a = "xy".index(q.coord)
    return rows(x.r[i][a] + s[a] - q.c, [(i, block(I[a], rot(s)[a]))], s[a] * x.w[i] ** 2)


def disc(x, q, t):
    """Disc of radius R touching and rolling on level ground (7.2.7)."""
    (r_x, r_y), phi = x.r[q.i], x.phi[q.i]
    Phi = np.array([r_y - q.y0 - q.R, (r_x - q.x0) + q.R * (phi - q.p0)])  # (7.38) contact, (7.40) no slip
    return rows(Phi, [(q.i, np.array([[0, 1, 0], [1, 0, q.R]]))], np.zeros(2))  # (7.41)


def disc_disc(x, q, t):
    """No slip between discs i, j pinned to the ground or to a carrier k (7.42).

    The row holds the motion, but contains angles only: the bearings do not feel the force between the discs.
    """
    turn_i, turn_j, turn_k = x.phi[q.i] - q.p0, x.phi[q.j] - q.pj0, x.phi[q.k] - q.pk0
    D = [(b, np.array([[0.0, 0.0, R]])) for b, R in ((q.i, q.R), (q.j, q.Rj), (q.k, -(q.R + q.Rj)))]
    return rows(q.R * (turn_i - turn_k) + q.Rj * (turn_j - turn_k), D, 0.0)


def rel_rot(x, q, t):
    """Rotary driver phi_i - phi_j = f(t) (7.43, 7.44)."""
    f, fd, fdd = x.model.functions[q.funct - 1](t)
    D = [(q.i, np.array([[0.0, 0.0, 1.0]])), (q.j, np.array([[0.0, 0.0, -1.0]]))]
    return rows(x.phi[q.i] - x.phi[q.j] - f, D, fdd, nu=fd)


def rel_tran(x, q, t):
    """Linear driver: the length from Pj to Pi is f(t) (7.45 to 7.48)."""
    return _rod(x, q, *x.model.functions[q.funct - 1](t))


JOINTS = {
    "rev": rev, "tran": tran, "rev-rev": rev_rev, "rev-tran": rev_tran, "rigid": rigid, "simple": simple,
    "disc": disc, "disc-disc": disc_disc, "rel-rot": rel_rot, "rel-tran": rel_tran,
}  # fmt: skip


def joint_rows(x, q, t):
    """The rows of joint q, by its type."""
    if q.type not in JOINTS:
        wanted = f"one of {sorted(JOINTS)}"
        raise DescriptionError(message(f"Joint {q.name!r}", "has an unknown type", got=repr(q.type), wanted=wanted))
    return JOINTS[q.type](x, q, t)


def _rod(x, q, f, fd, fdd):
    """(7.27) to (7.30), and (7.45) to (7.48) where f is a function of time: u = d/f."""
    e = Ends(x, q.Pi, q.Pj)
    u = e.d / f
    ud = e.dd / f - e.d * fd / f**2
    D_i, D_j = block(u, u @ rot(e.s_i)), block(-u, -u @ rot(e.s_j))  # (7.29)
    gamma = -ud @ e.dd + rot(u) @ (rot(e.s_i) * e.w_i**2 - rot(e.s_j) * e.w_j**2) + fdd  # (7.30), (7.48)
    return rows((u @ e.d - f) / 2, [(e.i, D_i), (e.j, D_j)], gamma, nu=fd)  # (7.27), (7.45)


def _start_angle(model, q, i, j):
    if q.theta0 is not None:
        return q.theta0
    return model.start(i)[2] - model.start(j)[2]


def _start_vector(model, q, i, j):
    if q.d0 is not None:
        return np.asarray(q.d0)
    c_i, c_j = model.start(i), model.start(j)
    return A(c_j[2]).T @ (c_i[:2] - c_j[:2])
