"""Forces that belong to a known motion (Nikravesh, 6.3 and 12.2; elimination of reactions after Vlase).

    ID1   [D', D_dr'] [lambda; lambda_dr] = M c'' - h                                              (6.7), (12.11)
    ID2   lambda_dr = c' (M c'' - h) / rate of the driver                                          (12.12) to (12.14)
    R     D R = 0: R'M R v' = R'(h - M Rdot v) without reactions                                   Vlase (7) to (14)

Drivers are rows of the model like any others, so that ID1 takes D of all of them.
"""

import numpy as np

from linkwork.errors import SingularConfigurationError, message
from linkwork.textbook.linear import solve
from linkwork.textbook.planar import force_array, gamma, jacobian, row_slices, velocity_rhs


def ID1(model, t, c, cd, cdd, D=None):
    """Multipliers of all joints and drivers that cause the motion c, c', c'' (12.11).

    With other rows in `D`, of the joints and of actuators that stand for the drivers, those of these (12.2.2).
    """
    D = jacobian(model, t, c) if D is None else D
    return solve(D.T, model.M @ cdd - force_array(model, t, c, cd), model, t, "a Jacobian")


def ID2(model, t, c, cd, cdd, driver):
    """Effort of the only driver by its power: what the mass takes and the forces do not give (12.12).

    No row of a joint is needed.  Where the driver stands still there is no power to divide; the book does not say so.
    """
    rows = row_slices(model, t, c)[driver]
    rate = velocity_rhs(model, t, c)[rows].sum()
    if rate == 0.0:
        raise SingularConfigurationError(
            message(f"Driver {driver!r}", f"stands still at t = {t}", remedy="its power tells no effort: use ID1")
        )
    return cd @ (model.M @ cdd - force_array(model, t, c, cd)) / rate


def velocity_matrix(model, t, c, independent):
    """R of c' = R v for the rates v of the coordinates numbered `independent`: D R = 0 (Vlase's A)."""
    D = jacobian(model, t, c)
    chosen = np.eye(D.shape[1])[list(independent)]
    return solve(
        np.vstack([D, chosen]), np.vstack([np.zeros((len(D), len(chosen))), np.eye(len(chosen))]), model, t, "R"
    )


def velocity_matrix_rate(model, t, c, cd, independent):
    """Rdot v, accelerations at v' = 0: D c'' = gamma with the independent ones zero (Vlase's B q'^2)."""
    D = jacobian(model, t, c)
    chosen = np.eye(D.shape[1])[list(independent)]
    return solve(np.vstack([D, chosen]), np.r_[gamma(model, t, c, cd), np.zeros(len(chosen))], model, t, "R")


def without_reactions(model, t, c, cd, independent):
    """c'' by R'M R v' = R'(h - M Rdot v), then the multipliers by D' lambda = M c'' - h (Vlase 13, 14)."""
    R, bias = velocity_matrix(model, t, c, independent), velocity_matrix_rate(model, t, c, cd, independent)
    h = force_array(model, t, c, cd)
    vd = np.linalg.solve(R.T @ model.M @ R, R.T @ (h - model.M @ bias))
    cdd = R @ vd + bias
    lam = np.linalg.lstsq(jacobian(model, t, c).T, model.M @ cdd - h, rcond=None)[0]
    return cdd, lam


def reduced(model, t, c, independent):
    """J(q) and J'(q) = dJ/dq / 2 of a mechanism with one freedom: J q'' + J' q'^2 = Q (Vlase 20).

    R has one column; J = R'M R and J' = R'M dR/dq, dR/dq being Rdot v for q' = 1.
    """
    R = velocity_matrix(model, t, c, independent)
    if R.shape[1] != 1:
        raise SingularConfigurationError(
            message(f"Model {model.name!r}", "has no reduced inertia", f"{R.shape[1]} freedoms", "one freedom")
        )
    rate = velocity_matrix_rate(model, t, c, R[:, 0], independent)
    return float(R[:, 0] @ model.M @ R[:, 0]), float(R[:, 0] @ model.M @ rate)
