"""Structures and mechanisms at rest (Nikravesh, 14.1 and 14.2).

    structure            D' lambda = -h                                     as many constraints as coordinates   (14.2)
    root                 h + D' lambda = 0, Phi = 0                         any equilibrium near the start       (14.4)
    fictitious damping   M c'' = h - d c' + D' lambda, integrated to rest   stable ones only

The root is `planar.static_equilibrium`.  Example 14.1 prints +h on the right side; its reactions have the other sign.
"""

import numpy as np

from linkwork.errors import ConvergenceError, message
from linkwork.textbook.linear import solve
from linkwork.textbook.planar import augmented, correct_positions, force_array, gamma, jacobian


def structure(model, t, c):
    """Reactions of a structure at rest: D' lambda = -h (14.2)."""
    return solve(jacobian(model, t, c).T, -force_array(model, t, c, np.zeros_like(c)), model, t, "a Jacobian")


def damped(model, t, c, cd, d):
    """Accelerations with a damping d c' on every coordinate that the model does not have."""
    D, M = jacobian(model, t, c), model.M
    n, m = len(M), len(D)
    right = np.r_[force_array(model, t, c, cd) - d * np.asarray(cd), gamma(model, t, c, cd)]
    return solve(np.block([[M, -D.T], [D, np.zeros((m, m))]]), right, model, t, "an augmented matrix")[:n]


def fictitious_damping(model, c, d, *, still=1e-10, duration=20.0, most=50, t=0.0):
    """Coordinates where the damped motion from c comes to rest, and how long it took.

    d, one number or one for each coordinate, decides how fast it comes to rest, not where.  Runs of `duration` follow
    each other, each from corrected positions, until velocities and accelerations are below `still`.
    """
    from scipy.integrate import solve_ivp

    n = len(c)
    c, cd = correct_positions(model, t, c), np.zeros(n)

    def ud(_, u):
        return np.r_[u[n:], damped(model, t, u[:n], u[n:], d)]

    for k in range(1, most + 1):
        run = solve_ivp(ud, (0.0, duration), np.r_[c, cd], method="DOP853", rtol=1e-9, atol=1e-12)
        c, cd = correct_positions(model, t, run.y[:n, -1]), run.y[n:, -1]
        cdd = augmented(model, t, c, np.zeros(n))[0]
        if max(np.abs(cd).max(), np.abs(cdd).max()) <= still:
            return c, k * duration
    raise ConvergenceError(
        message(
            f"Model {model.name!r}",
            f"is not at rest after {most * duration:g} s",
            got=f"velocities up to {np.abs(cd).max():.3g}",
            remedy="more damping, or there is no equilibrium to come to",
        )
    )
