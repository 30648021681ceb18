"""Radau IIA of order 5: three implicit stages, found by simplified Newton iteration in the space of the speeds.

        Z_i = h sum over j of  a_ij f(t + c_j h, y + Z_j)           y_new = y + Z_3

Stages are unknown in u = (speeds, work, states of laws) only: those of the positions follow from the speeds,
q' = N(q) v, by the same sums, so positions that are no vectors (Euler parameters) need nothing of their own.  With
T^-1 A^-1 T = diag(gamma, [alpha, -beta; beta, alpha]) the stages W = T^-1 Z come apart into a real and a complex
system, which `shifted` solves:

        (mu - V' - Q'/mu) x = r          r = T^-1 F - Lambda W / h          W += x

The error is that of Hairer and Wanner: the real system with r = f(y) + (d_1 Z_1 + d_2 Z_2 + d_3 Z_3) / h, and once more
with f(y + error) where a step is the first or was rejected.  Source: E. Hairer, G. Wanner, Solving Ordinary
Differential Equations II, 2nd ed., sections IV.5 and IV.8.

| symbol | word                                                                     | shape           |
|--------|--------------------------------------------------------------------------|-----------------|
| Y, F   | stages and their slopes                                                  | 3 * state       |
| Z, W   | stages less the state they start from; the same by eigenvectors of A     | 3 * u           |
| x      | a step of Newton's iteration, in place of its right side                 | 3 * u           |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import STEPPER, A, I, at_address, beyond, f8, kernel, types
from linkwork.kernels.time import control
from linkwork.kernels.time.control import finite
from linkwork.kernels.time.newton import (
    K_AGE,
    K_FACTORED,
    K_FIRST,
    K_LENGTH,
    K_RATE,
    K_THETA,
    K_TIME,
    OLD,
    OWN_PLACES,
    R_A,
    R_ALLOWED,
    R_D,
    R_DENSE,
    R_F,
    R_INVERSE,
    R_KNOWN,
    R_MOVED,
    R_X,
    R_Y,
    R_Z,
    SLOW,
    allow,
    arrange,
    find_stages,
    rates_of,
)
from linkwork.kernels.time.places import (
    A_RHS,
    BEGUN,
    FIXED,
    HITS,
    N_STATE,
    R_ERROR,
    R_ERROR_LOW,
    R_NEW,
    R_POWERS,
    R_SLOPE,
    R_SLOPE_NEW,
    STIFF_LIMIT,
    WAS_REJECTED,
)
from linkwork.kernels.time.ports import R_ASIDE, R_SCRATCH
from linkwork.kernels.time.shifted import R_MU, solve_with_real

__all__ = ["OWN_PLACES", "arrange", "attempt", "check", "dense", "estimate", "stiff"]


def check(tables, fits) -> None:
    """Raise, by `fits(what, array, shape)`, unless the tables of the method are what they should be."""
    names = ("stages", "times", "eigenvectors", "their inverse", "eigenvalues", "error", "dense output")
    for what, array in zip(names, tables, strict=True):
        fits(f"{what} of the method", array, (3,) if what in ("times", "eigenvalues", "error") else (3, 3))


@kernel(types.void(f8, f8, A, A, A, I, A, A, I))
def _find_error(t, step, y, f, p, tab, w, run, count):
    """The error of the step, into R_ERROR per unit of its length, for the slope f at its start.

    r = f + sum of d_i Z_i / h          x = (mu - J)^-1 r          x_q = (r_q + N x_v) / mu
    """
    n, n_q, n_v = count[N_STATE], tab[at.N_Q], tab[at.N_V]
    unknown = n - n_q
    x, moved, z, d = count[R_X], count[R_MOVED], count[R_Z], count[R_D]
    stages, error = count[R_Y], count[R_ERROR]
    for k in range(unknown):
        total, way = 0.0, 0.0
        for i in range(3):
            total += run[d + i] * run[z + i * unknown + k]
            for j in range(3):
                way += run[d + i] * run[count[R_A] + 3 * i + j] * run[stages + j * n + n_q + k]
        run[x + k] = f[n_q + k] + total / step
        run[moved + k] = y[n_q + k] + way if k < n_v else 0.0
    solve_with_real(run[count[R_KNOWN] + K_FACTORED], x, moved, tab, run, count)
    for k in range(unknown):
        run[error + n_q + k] = run[x + k] / step
    aside, rates = beyond(run, count[R_ASIDE]), beyond(run, count[R_SCRATCH])
    for k in range(n_q):
        aside[k] = y[k]
    for k in range(n_v):
        aside[n_q + k] = run[x + k]
        rates[k] = run[x + k]
    if tab[at.A_RATES] != 0:
        rates_of(t, aside, p, tab, w, rates)
    for k in range(n_q):
        total = 0.0
        for i in range(3):
            total += run[d + i] * (run[stages + i * n + k] - y[k])
        run[error + k] = (f[k] + total / step + rates[k]) / run[count[R_MU]]


@kernel(STEPPER)
def attempt(t, step, y, p, tab, w, run, count):
    """Stages by iteration, the new state, and its error."""
    n, n_q = count[N_STATE], tab[at.N_Q]
    known = count[R_KNOWN]
    w[at.STATUS] = at.OK
    if count[BEGUN] == 1:
        count[BEGUN] = 0
        run[known + K_AGE], run[known + K_LENGTH], run[known + K_FIRST] = -1.0, 0.0, 1.0
    elif run[known + K_TIME] != t:  # the step before was taken
        run[known + K_FIRST] = 0.0
        run[known + K_AGE] += 1.0
        if run[known + K_THETA] > SLOW or run[known + K_AGE] > OLD:
            run[known + K_AGE] = -1.0
    elif run[known + K_LENGTH] != 0.0:  # another length from the same state: its own stages tell it, to the end of it
        run[known + K_LENGTH] = 0.0
    run[known + K_TIME] = t
    allow(step, y, tab, run, count)
    if not find_stages(t, step, y, p, tab, w, run, count):
        return
    run[known + K_LENGTH] = step
    last = count[R_Y] + 2 * n
    for i in range(n):
        run[count[R_NEW] + i] = run[last + i]
        run[count[R_ERROR_LOW] + i] = 0.0
    if count[FIXED] == 1:
        return
    _find_error(t, step, y, beyond(run, count[R_SLOPE]), p, tab, w, run, count)
    if run[known + K_FIRST] == 0.0 and count[WAS_REJECTED] == 0:
        return
    control.fill_scale(y, tab, run, count)
    if control.norm(0, n_q + tab[at.N_V], 0.0, run, count) > 1.0:
        aside = beyond(run, count[R_ASIDE])
        for i in range(n):
            aside[i] = y[i] + step * run[count[R_ERROR] + i]
        at_address(count[A_RHS])(t, aside, p, tab, w, beyond(run, count[R_F]))
        if w[at.STATUS] == at.OK and finite(n, beyond(run, count[R_F])):
            _find_error(t, step, y, beyond(run, count[R_F]), p, tab, w, run, count)
        w[at.STATUS] = at.OK


@kernel(STEPPER)
def estimate(t, step, y, p, tab, w, run, count):
    """The error was found together with the stages.  Where the end of the step, which is evaluated by now, does not go
    with them (a law that begins to act there), what that would move is added to it.
    """
    n, n_q, n_v, n_z = count[N_STATE], tab[at.N_Q], tab[at.N_V], tab[at.N_Z]
    unknown = n - n_q
    x, z = count[R_X], count[R_Z]
    for k in range(unknown):
        slope = 0.0
        for i in range(3):
            slope += run[count[R_INVERSE] + i] * run[z + i * unknown + k]
        run[x + k] = run[count[R_SLOPE_NEW] + n_q + k] - slope / step
    solve_with_real(run[count[R_KNOWN] + K_FACTORED], x, -1, tab, run, count)
    off = 0.0
    for k in range(unknown):
        if k < n_v or k >= n_v + n_z:
            off = max(off, abs(run[x + k]) / run[count[R_ALLOWED] + k])
    if off > 1.0:
        for k in range(unknown):
            if k < n_v or k >= n_v + n_z:
                run[count[R_ERROR] + n_q + k] += run[x + k] / step


@kernel(STEPPER)
def stiff(t, step, y, p, tab, w, run, count):
    """Whether an explicit method would be stable with steps as long as these, by the slopes of the laws."""
    if step * run[count[R_KNOWN] + K_RATE] < run[STIFF_LIMIT]:
        count[HITS] += 1
    else:
        count[HITS] = 0


@kernel(STEPPER)
def dense(t, step, y, p, tab, w, run, count):
    """The polynomial through the state and the three stages."""
    n, n_q = count[N_STATE], tab[at.N_Q]
    unknown = n - n_q
    for m in range(3):
        c = count[R_POWERS] + m * n
        for k in range(n):
            total = 0.0
            for i in range(3):
                if k < n_q:
                    stage = run[count[R_Y] + i * n + k] - y[k]
                else:
                    stage = run[count[R_Z] + i * unknown + k - n_q]
                total += run[count[R_DENSE] + 3 * m + i] * stage
            run[c + k] = total
