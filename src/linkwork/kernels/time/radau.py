"""Radau IIA of order 5: three implicit stages, found by simplified Newton iteration in the space of the speeds.

        Z_i = h sum over j of  a_ij f(t + c_j h, y + Z_j)           y_new = y + Z_3

Stages are unknown in u = (speeds, work, states of laws) only: those of the positions follow from the speeds,
q' = N(q) v, by the same sums, so positions that are no vectors (Euler parameters) need nothing of their own.  With
T^-1 A^-1 T = diag(gamma, [alpha, -beta; beta, alpha]) the stages W = T^-1 Z come apart into a real and a complex
system, which `shifted` solves:

        (mu - V' - Q'/mu) x = r          r = T^-1 F - Lambda W / h          W += x

The error is that of `stages`: the real system with r = f(y) + (d_1 Z_1 + d_2 Z_2 + d_3 Z_3) / h.  Source: E. Hairer,
G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., sections IV.5 and IV.8.

| symbol | word                                                                     | shape           |
|--------|--------------------------------------------------------------------------|-----------------|
| Y, F   | stages and their slopes                                                  | 3 * state       |
| Z, W   | stages less the state they start from; the same by eigenvectors of A     | 3 * u           |
| x      | a step of Newton's iteration, in place of its right side                 | 3 * u           |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import STEPPER, A, I, beyond, f8, kernel, types
from linkwork.kernels.time.coupled import can_turn, solve_at_end
from linkwork.kernels.time.newton import (
    K_FACTORED,
    K_RATE,
    K_TURNS,
    OLD,
    OWN_PLACES,
    R_F,
    R_INVERSE,
    R_MOVED,
    R_X,
    R_Z,
    SLOW,
    STAY,
    arrange,
    find_stages,
)
from linkwork.kernels.time.places import (
    BEGUN,
    CORNERED,
    FIXED,
    HITS,
    N_STATE,
    R_ERROR,
    R_ERROR_LOW,
    R_POWERS,
    R_SLOPE,
    R_SLOPE_NEW,
    STIFF_LIMIT,
)
from linkwork.kernels.time.shifted import solve_with_real
from linkwork.kernels.time.stages import (
    R_A,
    R_ALLOWED,
    R_D,
    R_DENSE,
    R_KNOWN,
    R_Y,
    allow,
    give_error,
    look_again,
    look_back,
    take_last,
)

#: what a corner leaves of the change of the slopes as an error, before it counts many times
OVER_CORNER = 4e-4

__all__ = ["OWN_PLACES", "SLOPES", "arrange", "attempt", "check", "dense", "estimate", "stiff"]

#: the stepper asks for the slopes that laws tell
SLOPES = True


def check(tables, fits) -> None:
    """Raise, by `fits(what, array, shape)`, unless the tables of the method are what they should be."""
    names = ("stages", "times", "eigenvectors", "their inverse", "eigenvalues", "error", "dense output")
    for what, array in zip(names, tables, strict=True):
        fits(f"{what} of the method", array, (3,) if what in ("times", "eigenvalues", "error") else (3, 3))


@kernel(types.void(f8, f8, A, A, A, I, A, A, I))
def _find_error(t, step, y, f, p, tab, w, run, count):
    """The error of the step for the slope f at its start:  x = (mu - J)^-1 (f + sum of d_i Z_i / h)."""
    n, n_q, n_v = count[N_STATE], tab[at.N_Q], tab[at.N_V]
    unknown = n - n_q
    x, moved, z, d, stages = count[R_X], count[R_MOVED], count[R_Z], count[R_D], count[R_Y]
    for k in range(unknown):
        total, way = 0.0, 0.0
        for i in range(3):
            total += run[d + i] * run[z + i * unknown + k]
            for j in range(3):
                way += run[d + i] * run[count[R_A] + 3 * i + j] * run[stages + j * n + n_q + k]
        run[x + k] = f[n_q + k] + total / step
        run[moved + k] = y[n_q + k] + way if k < n_v else 0.0
    solve_with_real(run[count[R_KNOWN] + K_FACTORED], x, moved, tab, run, count)
    give_error(t, step, y, f, beyond(run, x), p, tab, w, run, count)


@kernel(STEPPER)
def attempt(t, step, y, p, tab, w, run, count):
    """Stages by iteration, the new state, and its error."""
    w[at.STATUS] = at.OK
    if count[BEGUN] == 1:
        run[count[R_KNOWN] + K_TURNS] = 0.0
    look_back(t, SLOW, OLD, run, count)
    allow(step, y, tab, run, count)
    if not find_stages(t, step, y, p, tab, w, run, count):
        return
    take_last(step, run, count)
    if count[FIXED] == 1:
        return
    _find_error(t, step, y, beyond(run, count[R_SLOPE]), p, tab, w, run, count)
    f = beyond(run, count[R_F])
    if look_again(t, step, y, f, p, tab, w, run, count):
        _find_error(t, step, y, f, p, tab, w, run, count)


@kernel(types.void(f8, I, A, I))
def _miss(step, tab, run, count):
    """x = f at the end of the step, less what the stages have there."""
    n_q = tab[at.N_Q]
    unknown = count[N_STATE] - n_q
    for k in range(unknown):
        slope = 0.0
        for i in range(3):
            slope += run[count[R_INVERSE] + i] * run[count[R_Z] + i * unknown + k]
        run[count[R_X] + k] = run[count[R_SLOPE_NEW] + n_q + k] - slope / step


@kernel(STEPPER)
def estimate(t, step, y, p, tab, w, run, count):
    """The error was found together with the stages.  Where the end of the step, which is evaluated by now, does not go
    with them (a law that begins to act there), what that would move is added to it.
    """
    n_q, n_v, n_z = tab[at.N_Q], tab[at.N_V], tab[at.N_Z]
    known, x = count[R_KNOWN], count[R_X]
    unknown = count[N_STATE] - n_q
    _miss(step, tab, run, count)
    if run[known + K_TURNS] == 0.0 or not (can_turn(tab, count) and solve_at_end(step, x, tab, run, count)):
        _miss(step, tab, run, count)
        solve_with_real(run[known + K_FACTORED], x, -1, tab, run, count)
    off = 0.0
    for k in range(unknown):
        if k < n_v or k >= n_v + n_z:
            off = max(off, abs(run[x + k]) / run[count[R_ALLOWED] + k])
    if off > 1.0:
        if can_turn(tab, count) and run[known + K_TURNS] == 0.0:  # it may be the direction of a force that has turned
            run[known + K_TURNS] = STAY
        for k in range(unknown):
            if k < n_v or k >= n_v + n_z:
                run[count[R_ERROR] + n_q + k] += run[x + k] / step
    if count[CORNERED] == 1:  # stages on both sides of a corner may tell an error of zero by chance; slopes do not
        for i in range(n_q, n_q + n_v):
            run[count[R_ERROR_LOW] + i] = OVER_CORNER * (run[count[R_SLOPE_NEW] + i] - run[count[R_SLOPE] + i])


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
