"""Body coordinates of space: q = mass centre and Euler parameters, v = velocity and angular velocity in body axes."""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.equations import driver_power, factor_rows, solve_rows
from linkwork.kernels.jit import RHS, A, I, f8, kernel
from linkwork.kernels.projection import DONE, FACTOR, next_step, row_error
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import apply_laws, evaluate_functions
from linkwork.kernels.spatial.measures import evaluate_measures, place_bodies, place_frames


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
    """q (+) step: places are added, orientations turned by the rotation vector of the step, and normalised."""
    step = tab[at.W_ACCELERATION] + 6
    for k in range(tab[at.N_BODIES]):
        o, s = 7 * k, step + 6 * k
        for c in range(3):
            y[o + c] += w[s + c]
        tx, ty, tz = 0.5 * w[s + 3], 0.5 * w[s + 4], 0.5 * w[s + 5]
        half = math.sqrt(tx * tx + ty * ty + tz * tz)
        ratio = math.sin(half) / half if half > 1e-12 else 1.0
        c0, c1, c2, c3 = math.cos(half), ratio * tx, ratio * ty, ratio * tz
        e0, e1, e2, e3 = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
        n = 1.0 / math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
        y[o + 3] = n * (e0 * c0 - e1 * c1 - e2 * c2 - e3 * c3)
        y[o + 4] = n * (e0 * c1 + e1 * c0 + e2 * c3 - e3 * c2)
        y[o + 5] = n * (e0 * c2 - e1 * c3 + e2 * c0 + e3 * c1)
        y[o + 6] = n * (e0 * c3 + e1 * c2 - e2 * c1 + e3 * c0)


@kernel(RHS)
def rhs(t, y, p, tab, w, f):
    """State derivative f of the state y, with every intermediate quantity left in the workspace."""
    w[at.STATUS] = at.OK
    w[at.EVALUATIONS] += 1.0
    locate(t, y, p, tab, w)
    n_q = tab[at.N_Q]
    n_v = tab[at.N_V]
    h = tab[at.W_APPLIED]
    for i in range(6 + n_v):
        w[h + i] = p[tab[at.P_GRAVITY] + i]
    if tab[at.N_LAWS] > 0:
        apply_laws(t, y, p, tab, w, f)
    # gyroscopic moment in principal axes: -w x (J w)
    for k in range(tab[at.N_BODIES]):
        v = n_q + 6 * k + 3
        i = tab[at.P_MASS] + 6 * (k + 1) + 3
        o = h + 6 * (k + 1) + 3
        w[o] += (p[i + 1] - p[i + 2]) * y[v + 1] * y[v + 2]
        w[o + 1] += (p[i + 2] - p[i]) * y[v + 2] * y[v]
        w[o + 2] += (p[i] - p[i + 1]) * y[v] * y[v + 1]
    factor_rows(p, tab, w)
    w[at.RESIDUAL] = solve_rows(1.0, tab[at.W_GAMMA], p, tab, w)
    if tab[at.N_Z] > 0:
        driver_power(tab, w, f)
    for k in range(tab[at.N_BODIES]):
        o, v = 7 * k, n_q + 6 * k
        for c in range(3):
            f[o + c] = y[v + c]
        e0, e1, e2, e3 = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
        wx, wy, wz = 0.5 * y[v + 3], 0.5 * y[v + 4], 0.5 * y[v + 5]
        # e' = 1/2 e (0, w)
        f[o + 3] = -e1 * wx - e2 * wy - e3 * wz
        f[o + 4] = e0 * wx + e2 * wz - e3 * wy
        f[o + 5] = e0 * wy + e3 * wx - e1 * wz
        f[o + 6] = e0 * wz + e1 * wy - e2 * wx
    for i in range(n_v):
        f[n_q + i] = w[tab[at.W_ACCELERATION] + 6 + i]


@kernel(RHS)
def project(t, y, p, tab, w, f):
    """Put a state back on the constraints, and Euler parameters back to length one, in place; f is not used."""
    for k in range(tab[at.N_BODIES]):
        o = 7 * k + 3
        n = 1.0 / math.sqrt(y[o] ** 2 + y[o + 1] ** 2 + y[o + 2] ** 2 + y[o + 3] ** 2)
        for c in range(4):
            y[o + c] *= n
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
    step = tab[at.W_ACCELERATION] + 6
    for i in range(tab[at.N_V]):
        y[tab[at.N_Q] + i] += w[step + i]
