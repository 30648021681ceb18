"""Radau IIA of order 5 for large systems: stages found by triangular iteration, each round three soft evaluations.

        Y_i = y + h sum over j of  a_ij K_j          K_i = f(t + c_i h, Y_i)          y_new = Y_3

Unknown are the slopes K of speeds, work and states of laws, and the speeds U that positions are made of, U = V where
stages are found.  Newton's iteration would couple the stages, and take complex numbers where they are taken apart.
With A = L U, L lower triangular and U with ones on its diagonal, they are found one after the other (P. J. van der
Houwen, J. J. B. de Swart, Triangularly implicit iteration methods for ODE-IVP solvers, SIAM J. Sci. Comput. 18, 1997):

        (1 - h J (L x))_i = f(Y_i) - K_i          K += x

Errors are multiplied by  z (1 - z L)^-1 (A - L)  a round, z = h times an eigenvalue of J: with what is very stiff
nothing is left after three rounds, and with an undamped oscillation at worst 0.38.  What x_j of the stages before do to
f is seen where stage i is evaluated:  f(Y_i + h sum over j < i of l_ij x_j);  the rest, 1 - h l_ii J, is a soft
evaluation (`soft`), whose cost is linear in the number of bodies.  The error is that of `stages`.

| symbol | word                                                                     | shape           |
|--------|--------------------------------------------------------------------------|-----------------|
| K, x   | slopes of the stages, and their steps in a round                         | 3 * state       |
| Y      | stages                                                                   | 3 * state       |
| U, u   | speeds that their positions are made of, and their steps in a round      | 3 * speeds      |
| F      | the slope that a soft evaluation gives, K_i + x_i                        | state           |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import STEPPER, A, I, beyond, f8, kernel, types
from linkwork.kernels.time.places import (
    FIXED,
    HITS,
    LOWEST,
    N_STATE,
    R_ERROR,
    R_POWERS,
    R_SLOPE,
    R_SLOPE_NEW,
    SMALLEST_PIVOT,
    STIFF_LIMIT,
    TURNING,
)
from linkwork.kernels.time.rounds import OWN_PLACES, R_F, R_K, R_TRIAL, R_WAY, arrange, iterate, place, start
from linkwork.kernels.time.soft import fastest_rate, filter, find_slopes, prepare, soften
from linkwork.kernels.time.stages import (
    K_AGE,
    K_LENGTH,
    K_THETA,
    R_A,
    R_ALLOWED,
    R_D,
    R_DENSE,
    R_KNOWN,
    R_MU,
    R_Y,
    allow,
    give_error,
    look_again,
    look_back,
    take_last,
)

__all__ = ["OWN_PLACES", "SLOPES", "SOFT", "arrange", "attempt", "check", "dense", "estimate", "stiff"]

#: the stepper wants tables for soft evaluations, and the slopes that laws tell
SOFT = SLOPES = True
#: slopes are found anew where the last iteration converged more slowly than this, and after so many steps
SLOW, OLD = 0.3, 20.0


def check(tables, fits) -> None:
    """Raise, by `fits(what, array, shape)`, unless the tables of the method are what they should be."""
    names = ("stages", "times", "triangle", "error", "dense output", "filter")
    shapes = ((3, 3), (3,), (3, 3), (3,), (3, 3), (1,))
    for what, shape, array in zip(names, shapes, tables, strict=True):
        fits(f"{what} of the method", array, shape)


@kernel(types.void(f8, f8, A, A, A, I, A, A, I))
def _find_error(t, step, y, f, p, tab, w, run, count):
    """The error of the step for the slope f at its start; see `stages`."""
    n, n_q, n_v = count[N_STATE], tab[at.N_Q], tab[at.N_V]
    stages, d = count[R_Y], count[R_D]
    s = step / run[count[R_MU]]
    x, moved = beyond(run, count[R_TRIAL]), beyond(run, count[R_WAY])
    for i in range(n_q, n):
        total, way = 0.0, 0.0
        for j in range(3):
            total += run[d + j] * (run[stages + j * n + i] - y[i])
            weight = 0.0
            for m in range(3):
                weight += run[d + m] * run[count[R_A] + 3 * m + j]
            way += weight * run[stages + j * n + i]
        x[i - n_q] = f[i] + total / step
        moved[i - n_q] = y[i] + way
    soften(s, run, count)
    for i in range(n_v + tab[at.N_Z], n - n_q):
        x[i] *= s
    filter(t, s, y, x, moved, p, tab, w, run, count)
    give_error(t, step, y, f, x, p, tab, w, run, count)


@kernel(STEPPER)
def attempt(t, step, y, p, tab, w, run, count):
    """Stages by iteration, the new state, and its error."""
    known = count[R_KNOWN]
    w[at.STATUS] = at.OK
    look_back(t, SLOW, OLD, run, count)
    allow(step, y, tab, run, count)
    prepare(p, tab, w, run, count)
    while True:
        fresh = run[known + K_AGE] < 0.0
        if fresh:
            if not find_slopes(t, step, y, p, run, count):
                w[at.STATUS] = at.WROTE_BEYOND
                return
            run[known + K_AGE] = 0.0
            run[known + K_THETA] = max(0.2, min(0.4, run[known + K_THETA]))
        run[LOWEST] = run[SMALLEST_PIVOT]
        run[TURNING] = 0.0
        start(step, y, tab, run, count)
        found = iterate(t, step, y, p, tab, w, run, count)
        if found == 1 and place(t, step, 1, y, p, tab, w, run, count):
            break
        run[known + K_LENGTH] = 0.0
        if fresh or run[known + K_AGE] == 0.0:
            run[known + K_AGE] = -1.0
            if found >= 0:
                w[at.STATUS] = at.NOT_CONVERGED
            return
        w[at.STATUS] = at.OK
        run[known + K_AGE] = -1.0
    take_last(step, run, count)
    if count[FIXED] == 1:
        return
    _find_error(t, step, y, beyond(run, count[R_SLOPE]), p, tab, w, run, count)
    f = beyond(run, count[R_F])
    if look_again(t, step, y, f, p, tab, w, run, count):
        _find_error(t, step, y, f, p, tab, w, run, count)


@kernel(STEPPER)
def estimate(t, step, y, p, tab, w, run, count):
    """The error was found together with the stages.  Where the end of the step, which is evaluated by now, does not go
    with them (a law that begins to act there), what that would move is added to it.
    """
    n_q, n_v, n_z, n = tab[at.N_Q], tab[at.N_V], tab[at.N_Z], count[N_STATE]
    s = step / run[count[R_MU]]
    x, moved = beyond(run, count[R_TRIAL]), beyond(run, count[R_WAY])
    off = 0.0
    for i in range(n - n_q):
        x[i] = run[count[R_SLOPE_NEW] + n_q + i] - run[count[R_K] + 2 * n + n_q + i]
        moved[i] = 0.0
        off = max(off, s * abs(x[i]) / run[count[R_ALLOWED] + i])
    if not off > 1.0:
        return
    soften(s, run, count)
    for i in range(n_v + n_z, n - n_q):
        x[i] *= s
    filter(t, s, y, x, moved, p, tab, w, run, count)
    off = 0.0
    for i in range(n - n_q):
        off = max(off, abs(x[i]) / run[count[R_ALLOWED] + i])
    if off > 1.0:
        for i in range(n - n_q):
            if i < n_v or i >= n_v + n_z:
                run[count[R_ERROR] + n_q + i] += x[i] / step


@kernel(STEPPER)
def stiff(t, step, y, p, tab, w, run, count):
    """Whether an explicit method would be stable with steps as long as these, by the slopes of the laws."""
    if step * fastest_rate(p, tab, w, run, count) < run[STIFF_LIMIT]:
        count[HITS] += 1
    else:
        count[HITS] = 0


@kernel(STEPPER)
def dense(t, step, y, p, tab, w, run, count):
    """The polynomial through the state and the three stages."""
    n = count[N_STATE]
    for m in range(3):
        for i in range(n):
            total = 0.0
            for j in range(3):
                total += run[count[R_DENSE] + 3 * m + j] * (run[count[R_Y] + j * n + i] - y[i])
            run[count[R_POWERS] + m * n + i] = total
