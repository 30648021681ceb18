"""Body coordinates of the plane: q = (x, y, phi) of every mass centre, v = q'."""

from __future__ import annotations

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.equations import driver_power, factor_rows, solve_rows
from linkwork.kernels.jit import RHS, A, I, f8, kernel
from linkwork.kernels.planar.measures import evaluate_measures, place_bodies, place_frames
from linkwork.kernels.projection import DONE, FACTOR, next_step, row_error
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import apply_laws, evaluate_functions


@kernel(types.void(f8, A, A, I, A))
def locate(t, y, p, tab, w):
    """Everything that depends on positions and velocities only: frames, measures, rows."""
    place_bodies(y, tab, w)
    place_frames(p, tab, w)
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
    weight = tab[at.P_GRAVITY]
    for i in range(3 + n_v):
        w[h + i] = p[weight + i]
    if tab[at.N_LAWS] > 0:
        apply_laws(t, y, p, tab, w, f)
    factor_rows(p, tab, w)
    w[at.RESIDUAL] = solve_rows(1.0, tab[at.W_GAMMA], p, tab, w)
    if tab[at.N_Z] > 0:
        driver_power(tab, w, f)
    a = tab[at.W_ACCELERATION] + 3
    for i in range(n_v):
        f[i] = y[n_v + i]
        f[n_v + i] = w[a + i]


@kernel(RHS)
def project(t, y, p, tab, w, f):
    """Put a state back on the constraints, in place; f is not used."""
    w[at.STATUS] = at.OK
    locate(t, y, p, tab, w)
    if tab[at.N_ROWS] == 0:
        return
    right = tab[at.W_RESIDUAL] + tab[at.N_ROWS]
    iteration = 0
    need = next_step(iteration, p, tab, w)
    if need == DONE:
        factor_rows(p, tab, w)
    while need != DONE:
        if need == FACTOR:
            factor_rows(p, tab, w)
        solve_rows(0.0, right, p, tab, w)
        move(y, tab, w)
        locate(t, y, p, tab, w)
        iteration += 1
        need = next_step(iteration, p, tab, w)
    w[at.ERROR_VELOCITY] = row_error(1, tab[at.W_TWIST], right, p, tab, w)
    solve_rows(0.0, right, p, tab, w)
    step = tab[at.W_ACCELERATION] + 3
    for i in range(tab[at.N_V]):
        y[tab[at.N_Q] + i] += w[step + i]
