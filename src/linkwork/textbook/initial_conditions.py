"""Initial conditions brought onto the constraints (Nikravesh, 14.3), and what the book leaves out: weights.

    keep some        D_d dq_d = -Phi                     the chosen coordinates stay as they are       method 1
    least change     dq = -D'(D D')^-1 Phi               the sum of squares of all changes is least    method 2, (14.7)
    with weights     dq = -W^-1 D'(D W^-1 D')^-1 Phi     heavy coordinates change less                 not in the book

`f(q)` gives Phi and D.  The numbers that the book prints for its illustration solve neither equation of it.
"""

import numpy as np

from linkwork.errors import ConvergenceError, message


def keep(f, q, kept, **options):
    """Method 1: coordinates numbered `kept` stay, the others meet the constraints."""
    return _newton(f, q, np.setdiff1d(np.arange(len(q)), kept), None, **options)


def least_change(f, q, W=None, **options):
    """Method 2: all coordinates change, by the least sum of squares, each times its weight in `W` if given."""
    return _newton(f, q, np.arange(len(q)), W, **options)


def least_rate_change(D, nu, qd, W=None):
    """Velocities by one linear step: D (q' + dq') = nu (14.9); nu is not zero where there are drivers."""
    W = np.ones(len(qd)) if W is None else np.asarray(W, dtype=float)
    return qd + _step(D, np.asarray(nu) - D @ qd, W)


def _step(D, right, W):
    """W^-1 D'(D W^-1 D')^-1 right; least squares where rows depend on each other."""
    root = 1.0 / np.sqrt(W)
    return root * np.linalg.lstsq(D * root, right, rcond=None)[0]


def _newton(f, q, free, W, tolerance=1e-13, iterations=50):
    q, W = np.array(q, dtype=float), np.ones(len(q)) if W is None else np.asarray(W, dtype=float)
    for _ in range(iterations):
        Phi, D = f(q)
        if np.linalg.norm(Phi) <= tolerance * max(1.0, np.linalg.norm(q)):
            return q
        q[free] += _step(D[:, free], -np.asarray(Phi), W[free])
    raise ConvergenceError(
        message(
            "Initial conditions",
            f"do not meet the constraints after {iterations} steps",
            got=f"a violation of {np.linalg.norm(Phi):.3g}",
            remedy="start nearer, or keep fewer coordinates",
        )
    )
