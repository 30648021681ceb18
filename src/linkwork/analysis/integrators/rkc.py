"""Runge-Kutta-Chebyshev, order 2: explicit steps that strong damping does not shorten (van der Houwen, Sommeijer 1980).

With s stages it is stable for rates up to 2/3 (s^2 - 1) (1 - 2/15 eps) / h along the negative real axis, and damps them
there.  Stages follow the recursion of Chebyshev polynomials T_j on w0 + w1 z, here written out as one table:

        Y_j = (1 - mu_j - nu_j) y + mu_j Y_(j-1) + nu_j Y_(j-2) + mu'_j h F_(j-1) + gamma'_j h F_0

The error is estimated as in RKC of Sommeijer, Shampine and Verwer (1998): 0.8 (y - y_new) + 0.4 h (F_0 + F_new).
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.integrators.method import Method, cubic

STAGES = 8
DAMPING = 2.0 / 13.0  # eps


def _chebyshev(s: int, w0: float) -> np.ndarray:
    """(s + 1, 3): T_j, T_j', T_j'' at w0."""
    out = np.zeros((s + 1, 3))
    out[0, 0], out[1, :2] = 1.0, (w0, 1.0)
    for j in range(2, s + 1):
        (t1, d1, e1), (t2, d2, e2) = out[j - 1], out[j - 2]
        out[j] = 2.0 * w0 * t1 - t2, 2.0 * t1 + 2.0 * w0 * d1 - d2, 4.0 * d1 + 2.0 * w0 * e1 - e2
    return out


def _table(s: int) -> np.ndarray:
    """Rows 0 to s: what every stage, and at last the new state, is made of."""
    w0 = 1.0 + DAMPING / s**2
    t, d, e = _chebyshev(s, w0).T
    w1 = d[s] / e[s]
    b = np.ones(s + 1)
    b[2:] = e[2:] / d[2:] ** 2
    b[0] = b[1] = b[2]
    a = 1.0 - b * t
    rows = np.zeros((s + 1, s + 1))
    rows[1, 0] = b[1] * w1
    for j in range(2, s + 1):
        mu, nu = 2.0 * b[j] * w0 / b[j - 1], -b[j] / b[j - 2]
        push = 2.0 * b[j] * w1 / b[j - 1]
        rows[j] = mu * rows[j - 1] + nu * rows[j - 2]
        rows[j, j - 1] += push
        rows[j, 0] -= a[j - 1] * push
    return rows


def _method(s: int) -> Method:
    rows = _table(s)
    weights = tuple(rows[s, :s].tolist())
    error = [-0.8 * weight for weight in weights] + [0.4]
    error[0] += 0.4
    times = tuple(rows.sum(axis=1).tolist())
    return Method(
        "rkc", order=2, stages=rows, weights=weights, times=times, error=tuple(error), dense=cubic(weights), control=3
    )


RKC = _method(STAGES)
