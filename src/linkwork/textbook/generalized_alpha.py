"""The generalized-alpha method for the equations of motion with their constraints of position, index 3.

After J. Chung and G. M. Hulbert, J. Appl. Mech. 60 (1993), and, with constraints, M. Arnold and O. Bruels, Multibody
System Dynamics 18 (2007).  Unknowns of a step are q'' and lambda at its end:

    M q'' = h(t, q, q') + D' lambda      Phi(t, q) = 0                                   all at the end of the step
    q  = q_n + dt q_n' + dt^2 ((1/2 - beta) a_n + beta a)      q' = q_n' + dt ((1 - gamma) a_n + gamma a)
    (1 - alpha_m) a + alpha_m a_n = (1 - alpha_f) q'' + alpha_f q_n''

    symbol    meaning                                                  shape
    a         algorithmic accelerations, of the step's own             n
    rho       what is left of the fastest motions in a step, 0 to 1    1

Constraints of position are met to the tolerance of Newton-Raphson, those of velocity are not asked for.  The method is
of second order and damps what is faster than the steps: with rho = 1 nothing, which no constrained motion bears.
"""

from typing import NamedTuple

import numpy as np

from linkwork.errors import ConvergenceError, DescriptionError, message
from linkwork.textbook.constraint_violation import standard


class Constants(NamedTuple):
    """alpha_m, alpha_f, beta, gamma of a spectral radius."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float


class Motion(NamedTuple):
    """Coordinates, velocities and multipliers by time, and evaluations of the residual."""

    q: np.ndarray
    qd: np.ndarray
    lam: np.ndarray
    evaluations: int


def constants(rho):
    """The constants of least damping of slow motions, for a spectral radius rho of the fastest."""
    if not 0.0 <= rho < 1.0:
        raise DescriptionError(
            message(
                "generalized-alpha",
                "has a spectral radius out of range",
                repr(rho),
                "from 0 to less than 1",
                "0.8 damps little",
            )
        )
    alpha_m, alpha_f = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    return Constants(alpha_m, alpha_f, 0.25 * (gamma + 0.5) ** 2, gamma)


def simulate(e, times, q, qd, rho=0.8, tolerance=1e-10, iterations=20):
    """The motion of `Equations` at `times`, one step from each to the next.

    Each Newton step has a matrix of its own, with derivatives of h by differences; unknowns and equations are scaled by
    the step, so that its condition does not grow where dt is small.
    """
    c, q, qd = constants(rho), np.array(q, dtype=float), np.array(qd, dtype=float)
    qdd, lam = standard(e, times[0], q, qd)
    a, n, count, found = qdd.copy(), len(q), 0, [(q, qd, lam)]
    for t, dt in zip(times[1:], np.diff(times)):
        begin = q + dt * qd + dt**2 * (0.5 - c.beta) * a, qd + dt * (1.0 - c.gamma) * a
        known = (c.alpha_f * qdd - c.alpha_m * a) / (1.0 - c.alpha_m)
        part = (1.0 - c.alpha_f) / (1.0 - c.alpha_m)

        def state(x, dt=dt, begin=begin, known=known, part=part):
            a = known + part * x
            return begin[0] + dt**2 * c.beta * a, begin[1] + dt * c.gamma * a, a

        x, y = qdd.copy(), lam.copy()
        for _ in range(iterations):
            q, qd, a = state(x)
            D = e.D(t, q)
            h, inertia = e.h(t, q, qd), e.M @ x
            residual = np.r_[inertia - h - D.T @ y, np.asarray(e.Phi(t, q)) / (dt**2 * c.beta * part)]
            count += 1
            if np.linalg.norm(residual) <= tolerance * max(1.0, np.linalg.norm(h), np.linalg.norm(inertia)):
                break
            K, C = _derivatives(e, t, q, qd, y)
            inner = e.M + dt**2 * c.beta * part * K + dt * c.gamma * part * C
            matrix = np.block([[inner, -D.T], [D, np.zeros((len(D), len(D)))]])
            step = np.linalg.solve(matrix, -residual)
            x, y = x + step[:n], y + step[n:]
        else:
            raise ConvergenceError(
                message(
                    "generalized-alpha",
                    f"has not converged in {iterations} iterations at t = {t:.6g}",
                    got=f"a residual of {np.linalg.norm(residual):.3g}",
                    remedy="shorter steps",
                )
            )
        qdd, lam = x, y
        found.append((q, qd, lam))
    return Motion(*map(np.array, zip(*found)), count)


def _derivatives(e, t, q, qd, lam, small=1e-7):
    """K and C, the derivatives of -(h + D' lambda) with respect to q and q', by differences."""
    n = len(q)
    steps = small * np.maximum(1.0, np.abs(np.r_[q, qd]))

    def load(z):
        return -(e.h(t, z[:n], z[n:]) + e.D(t, z[:n]).T @ lam)

    z, out = np.r_[q, qd], np.zeros((n, 2 * n))
    here = load(z)
    for k in range(2 * n):
        other = z.copy()
        other[k] += steps[k]
        out[:, k] = (load(other) - here) / steps[k]
    return out[:, :n], out[:, n:]
