"""Body coordinates of the plane: q = (x, y, phi) of every mass centre, v = q'."""

from __future__ import annotations

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.equations import driver_power, factor_rows, row_error, solve_rows
from linkwork.kernels.jit import RHS, A, I, f8, kernel
from linkwork.kernels.planar.measures import evaluate_measures, place_frames
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import apply_laws, evaluate_functions


@kernel(types.void(f8, A, A, I, A))
def locate(t, y, p, tab, w):
    """Everything that depends on positions and velocities only: frames, measures, rows."""
    place_frames(y, p, tab, w)
    evaluate_measures(p, tab, w)
    if tab[at.N_FUNCTIONS] > 0:
        evaluate_functions(t, p, tab, w)
    build_rows(p, tab, w)


@kernel(types.void(A, I, A))
def move(y, tab, w):
    """q (+) step, the step being where accelerations usually are."""
    step = tab[at.W_ACCELERATION] + 3
    for i in range(tab[at.N_Q]):
        y[i] += w[step + i]


@kernel(RHS)
def rhs(t, y, p, tab, w, f):
    """State derivative f of the state y, with every intermediate quantity left in the workspace."""
    w[at.STATUS] = at.OK
    w[at.EVALUATIONS] += 1.0
    locate(t, y, p, tab, w)
    n_v = tab[at.N_V]
    h = tab[at.W_APPLIED]
    for i in range(3 + n_v):
        w[h + i] = p[tab[at.P_GRAVITY] + i]
    if tab[at.N_LAWS] > 0:
        apply_laws(t, y, p, tab, w, f)
    factor_rows(p, tab, w)
    w[at.RESIDUAL] = solve_rows(1.0, tab[at.W_GAMMA], p, tab, w)
    driver_power(tab, w, f)
    for i in range(n_v):
        f[i] = y[n_v + i]
        f[n_v + i] = w[tab[at.W_ACCELERATION] + 3 + i]


@kernel(RHS)
def project(t, y, p, tab, w, f):
    """Put positions, then velocities, back on the constraints: the smallest move in the metric of the masses.

        q += M^-1 J' (J M^-1 J')^-1 (-phi)          v += M^-1 J' (J M^-1 J')^-1 (nu - J v)
    """
    w[at.STATUS] = at.OK
    locate(t, y, p, tab, w)
    n_rows = tab[at.N_ROWS]
    if n_rows == 0:
        return
    factor_rows(p, tab, w)
    n_v = tab[at.N_V]
    right = tab[at.W_RESIDUAL] + n_rows
    step = tab[at.W_ACCELERATION] + 3
    twist = tab[at.W_TWIST]
    tolerance = w[at.PROJECT_TOLERANCE]
    most = int(w[at.PROJECT_COUNT])
    before = 1.0e300
    error = 0.0
    for iteration in range(most + 1):
        error = row_error(0, twist, right, p, tab, w)
        if error <= tolerance or iteration == most or (error < 1e3 * tolerance and error > 0.5 * before):
            break
        if iteration > 0 and error > 0.01 * before:
            factor_rows(p, tab, w)
        before = error
        solve_rows(0.0, right, p, tab, w)
        move(y, tab, w)
        locate(t, y, p, tab, w)
        if before > 1e-6:  # the factor is that of a position some way off: solutions have to be refined
            w[at.PLAIN] = 0.0
    w[at.ERROR_POSITION] = error
    w[at.ERROR_VELOCITY] = row_error(1, twist, right, p, tab, w)
    solve_rows(0.0, right, p, tab, w)
    for i in range(n_v):
        y[n_v + i] += w[step + i]
