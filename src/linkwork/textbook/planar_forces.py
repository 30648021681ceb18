"""Force elements in planar body coordinates (Nikravesh, 4.4; table B.4): one function each.

A force function takes the motion x of all bodies, the element's data q and the time t, and yields the
pieces it adds: body, force vector, moment about the mass centre. Pieces on the ground (body 0) are dropped
by `force_array`.
"""

import numpy as np

from linkwork.errors import DescriptionError, message
from linkwork.textbook.planar_kinematics import A, Ends, rot

ZERO = np.zeros(2)


def at(value, t):
    """A number, or the value at t of a callable; a function giving f, f', f'' counts by its f."""
    if callable(value):
        value = value(t)
    return value[0] if isinstance(value, tuple | list | np.ndarray) else value


def vector_at(components, t):
    """Both components at t."""
    return np.array([at(component, t) for component in components], dtype=float)


def spring(k, stretch):
    """Force of a spring: k times its stretch (4.26, 4.33), or k(stretch) for a law of its own."""
    return at(k, stretch) if callable(k) else k * stretch


def weight(x, q, t):
    """Weight m g along dir at every mass centre (4.20)."""
    for b, body in enumerate(x.model.bodies, start=1):
        if q.bodies is None or b in q.bodies:
            yield b, body.m * q.g * np.asarray(q.dir, dtype=float), 0.0


def ptp(x, q, t):
    """Point-to-point spring, damper and actuator; a positive force pulls the points together (4.22-4.32)."""
    e = Ends(x, q.Pi, q.Pj)
    L = np.hypot(*e.d)
    u = e.d / L
    f = (spring(q.k, L - q.L0) + q.dc * (u @ e.dd) + at(q.f_a, t)) * u  # (4.28 to 4.31)
    yield e.i, -f, -rot(e.s_i) @ f  # (4.23 to 4.25)
    yield e.j, f, rot(e.s_j) @ f


def rot_sda(x, q, t):
    """Rotational spring, damper and actuator between bodies i and j (4.33 to 4.38)."""
    theta, thetad = x.phi[q.i] - x.phi[q.j], x.w[q.i] - x.w[q.j]
    T = spring(q.k, theta - q.theta0) + q.dc * thetad + at(q.T_a, t)
    yield q.i, ZERO, -T
    yield q.j, ZERO, T


def f(x, q, t):
    """Force with x-y components at the mass centre of body i."""
    yield q.i, vector_at(q.f, t), 0.0


def flocal(x, q, t):
    """Force with body components at the mass centre of body i: it turns with the body."""
    yield q.i, A(x.phi[q.i]) @ vector_at(q.flocal, t), 0.0


def fP(x, q, t):
    """Force f with x-y components and flocal with body components at point P; moment rot(s)'f (4.11)."""
    b, s = x.s(q.P)
    force = vector_at(q.f, t) + A(x.phi[b]) @ vector_at(q.flocal, t)
    yield b, force, rot(s) @ force


def T(x, q, t):
    """Torque on body i, its opposite on body j."""
    yield q.i, ZERO, at(q.T, t)
    yield q.j, ZERO, -at(q.T, t)


FORCES = {"weight": weight, "ptp": ptp, "rot-sda": rot_sda, "f": f, "flocal": flocal, "fP": fP, "T": T}


def force_pieces(x, q, t):
    """The pieces of force element q, by its type."""
    if q.type not in FORCES:
        wanted = f"one of {sorted([*FORCES, 'user'])}"
        raise DescriptionError(message(f"Force {q.name!r}", "has an unknown type", got=repr(q.type), wanted=wanted))
    return FORCES[q.type](x, q, t)


def potential(x, q):
    """Potential energy of weights, linear springs and constant forces at mass centres; zero for all else.

    The book prints V = w'r and f'r with w and f the force vectors (4.55, 4.56, 7.66); the sign is minus.
    """
    if q.type in ("weight", "f"):
        return -sum(force @ x.r[b] for b, force, _ in force_pieces(x, q, 0.0))
    if q.type == "ptp" and not callable(q.k):
        return 0.5 * q.k * (np.hypot(*Ends(x, q.Pi, q.Pj).d) - q.L0) ** 2  # (4.57)
    if q.type == "rot-sda" and not callable(q.k):
        return 0.5 * q.k * (x.phi[q.i] - x.phi[q.j] - q.theta0) ** 2  # (4.58)
    return 0.0
