"""Four forms of the equations of motion of a constrained system (Garcia de Jalon & Bayo, 4.1).

    multipliers               M q'' + Phi_q' lambda = Q,  Phi_q q'' = c                                    (4.19)
    independent velocities    q' = R z' + S b,  q'' = R z'' + S c,  R'M R z'' = R'(Q - M S c)              (example 4.4)
    canonical                 p = M q',  p' = L_q + Q_ex - Phi_q' lambda                                 (4.20), (4.29)
    independent coordinates   q = q(z),  R = dq/dz,  R'M R z'' = R'(Q - M R. z')                           (example 4.2)

    symbol  meaning                                            shape
    M       masses of the dependent coordinates q              n, n
    Q       forces, velocity terms of the inertia among them   n
    Phi_q   Jacobian of the constraints                        m, n
    b, c    right sides, Phi_q q' = b and Phi_q q'' = c        m
    R       columns that span what Phi_q lets free             n, f
    S       right inverse of Phi_q: Phi_q S = 1                n, m

The sign of lambda is that of this book; Nikravesh has M q'' = Q + D'lambda. M may be singular where the constraints
hold what has no mass. Rows of Phi_q are to be independent.
"""

import numpy as np

from linkwork.errors import SingularConfigurationError, message

#: singular values of Phi_q below this part of the largest count as zero
ZERO = 1e-10


def _saddle(M, Phi_q, upper, lower, what):
    """x and y of [M Phi_q'; Phi_q 0] [x; y] = [upper; lower]."""
    m = len(Phi_q)
    matrix = np.block([[M, Phi_q.T], [Phi_q, np.zeros((m, m))]])
    scale = np.sqrt(np.maximum(np.abs(matrix).max(axis=1, initial=0.0), 1e-300))
    sizes = np.linalg.svd(matrix / scale[:, None] / scale, compute_uv=False)
    if not sizes[-1] > 1e-14 * sizes[0]:
        raise SingularConfigurationError(
            message(
                f"The equations for {what}",
                "have no solution of their own",
                got="constraint rows that depend on each other, or coordinates without mass that nothing holds",
                remedy="leave out redundant rows (textbook.elimination.redundant_rows)",
            )
        )
    found = np.linalg.solve(matrix, np.r_[upper, lower])
    return found[: len(M)], found[len(M) :]


def multipliers(M, Q, Phi_q, c):
    """q'' and lambda with dependent coordinates and multipliers (4.19)."""
    return _saddle(M, Phi_q, Q, c, "accelerations and multipliers")


def null_space(Phi_q):
    """R as an orthonormal basis of what Phi_q lets free, by singular values; dependent rows do not matter."""
    _, sizes, rows = np.linalg.svd(Phi_q)
    rank = int(np.sum(sizes > ZERO * sizes.max(initial=0.0)))
    return rows[rank:].T


def R_and_S(Phi_q, B):
    """R and S for the independent velocities z' = B q': [S R] is the inverse of [Phi_q; B] (example 4.4)."""
    both = np.vstack([Phi_q, B])
    if both.shape[0] != both.shape[1] or np.linalg.cond(both) > 1 / ZERO:
        raise SingularConfigurationError(
            message(
                "The independent velocities",
                "do not tell all others here",
                got=f"{len(B)} of them and {len(Phi_q)} rows for {Phi_q.shape[1]} coordinates",
                remedy="choose others: null_space(Phi_q).T always does",
            )
        )
    inverse = np.linalg.inv(both)
    return inverse[:, len(Phi_q) :], inverse[:, : len(Phi_q)]


def projected(M, Q, R, bias):
    """z'' of R'M R z'' = R'(Q - M bias), for q'' = R z'' + bias: no multipliers."""
    return np.linalg.solve(R.T @ M @ R, R.T @ (Q - M @ bias))


def independent_velocities(M, Q, Phi_q, c, B=None):
    """z'' and q'' with the velocities z' = B q' (without `B` those along the null space)."""
    B = null_space(Phi_q).T if B is None else np.asarray(B, dtype=float)
    R, S = R_and_S(Phi_q, B)
    zdd = projected(M, Q, R, S @ c)
    return zdd, R @ zdd + S @ c


def reactions(M, Q, Phi_q, qdd):
    """lambda of known accelerations, Phi_q' lambda = Q - M q'' (least squares, the smallest where rows depend)."""
    return np.linalg.lstsq(Phi_q.T, Q - M @ qdd, rcond=None)[0]


def velocities_of_momenta(M, p, Phi_q, b):
    """q' and sigma of M q' + Phi_q' sigma = p, Phi_q q' = b: velocities that keep the constraints though p drifts.

    sigma is zero where p is M q' of an admissible motion.  Nikravesh (13.3.5) has the same with -sigma.
    """
    return _saddle(M, Phi_q, p, b, "velocities")


def canonical(M, p, Phi_q, b, right):
    """q', p' and lambda of the canonical form.

    `right(qd)` gives L_q + Q_ex, c and M. q' there; M. is needed for lambda alone, p' has no such term.
    """
    qd, _ = velocities_of_momenta(M, p, Phi_q, b)
    force, c, of_mass = right(qd)
    _, lam = multipliers(M, force - of_mass, Phi_q, c)
    return qd, force - Phi_q.T @ lam, lam


def hamiltonian(M, p, V):
    """H = p' q' - L = T + V with q' of p (4.23)."""
    return 0.5 * p @ np.linalg.solve(M, p) + V
