"""What implicit methods of three stages share, however they find them: places, what is kept, and the error of a step.

        Y_i = y + h sum over j of  a_ij f(t + c_j h, Y_j)           y_new = Y_3

The error is that of Hairer and Wanner, with d the weights of the method and J the slopes that its stages are found by:

        error = (mu - J)^-1 (f(y) + sum of d_i (Y_i - y) / h)          mu = gamma / h

and once more with f(y + error) where a step is the first or was rejected.  `radau` and `triangle` solve for the speeds,
each in its own way; positions follow here.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import RHS, A, I, at_address, beyond, f8, kernel, types
from linkwork.kernels.time import control
from linkwork.kernels.time.control import finite
from linkwork.kernels.time.places import (
    A_RHS,
    BEGUN,
    DEGREE,
    LENGTH,
    N_STATE,
    OWN,
    R_ERROR,
    R_ERROR_LOW,
    R_NEW,
    R_SCALE,
    R_SLOPE,
    R_SLOPE_NEW,
    TOLERANCE,
    TURNED,
    WAS_REJECTED,
)

# own places of a stepper with implicit stages
(
    R_A,
    R_C,
    R_D,  # weights of the error
    R_DENSE,  # powers of theta from the stages
    R_MU,  # gamma, and alpha and beta where the method has a complex system
    R_Y,
    R_ALLOWED,  # what steps of the iteration are compared with
    R_KNOWN,  # numbers that are kept from step to step, see below
    R_ASIDE,  # a state that is evaluated aside
    R_SCRATCH,
    SLOPE_TABLE,  # where in count the addresses of what tells the slopes of laws are; 0 for a law that does not
    R_TOLD,  # what it tells
    _END,
) = range(OWN, OWN + 13)
STAGE_PLACES = _END - OWN

# numbers that are kept; a method may have more
(
    K_AGE,  # accepted steps since slopes were found; below 0 where there are none
    K_THETA,  # how fast the last iteration converged
    K_TIME,  # the time of the last try
    K_LENGTH,  # its length, or 0 where it tells nothing about the next one
    K_FIRST,  # 1 for the first step
    K_EDGE,  # 1 where differences of a law met a corner: its slope is that of neither side
    K_SHARED,
) = range(7)

#: what the iteration may leave, as a part of the error that is allowed
LEFT = 0.002
#: rounds for positions that follow from speeds, and what they may leave
MOST_SWEEPS, SWEPT = 60, 3e-16
#: with steps of one length the iteration goes on to this part of what errors are compared with
FINEST = 1e-13
#: an iteration that no longer converges has met rounding where its steps are below this part of lengths and speeds
ROUNDED = 1e-11


def arrange_stages(room, sizes, tables, kept: int) -> None:
    """Room for stages; `tables` are those of the method for R_A, R_C, R_D, R_DENSE and R_MU."""
    for place, table in zip((R_A, R_C, R_D, R_DENSE, R_MU), tables, strict=True):
        room.put(place, table)
    room.count[DEGREE] = 3
    n = sizes.state
    for place, size in (
        (R_SLOPE, n),
        (R_SLOPE_NEW, n),
        (R_Y, 3 * n),
        (R_ALLOWED, n - sizes.positions),
        (R_KNOWN, kept),
        (R_ASIDE, n),
        (R_SCRATCH, n),
    ):
        room.put(place, size)


@kernel(types.void(f8, f8, f8, A, I))
def look_back(t, slow, old, run, count):
    """What the try before tells about this one at t.

    Slopes are to be found anew where the iteration converged more slowly than `slow`, and after `old` accepted steps;
    after one where they were found across a corner: close behind a stop they would hold the stages on all the way.
    """
    known = count[R_KNOWN]
    if count[BEGUN] == 1:
        count[BEGUN] = count[TURNED] = 0
        run[known + K_AGE], run[known + K_LENGTH], run[known + K_FIRST] = -1.0, 0.0, 1.0
    elif run[known + K_TIME] != t:  # the step before was taken
        run[known + K_FIRST] = 0.0
        run[known + K_AGE] += 1.0
        if run[known + K_THETA] > slow or run[known + K_AGE] > old or run[known + K_EDGE] == 1.0:
            run[known + K_AGE] = -1.0
        if count[TURNED] == 1:  # slopes of a stop that is left would hold the stages where they are
            run[known + K_AGE], run[known + K_LENGTH] = -1.0, 0.0
        count[TURNED] = 0
    else:  # another length from the same state: stages of the try before are no help
        run[known + K_LENGTH] = 0.0
    run[known + K_TIME] = t


@kernel(types.void(f8, A, I, A, I))
def allow(step, y, tab, run, count):
    """What steps of the iteration are compared with: scales of the errors of speeds, and of positions over the step."""
    n_q, n_v, n_z = tab[at.N_Q], tab[at.N_V], tab[at.N_Z]
    for i in range(count[N_STATE]):
        run[count[R_NEW] + i] = y[i]
    control.fill_scale(y, tab, run, count)
    scale, allowed = count[R_SCALE] + n_q, count[R_ALLOWED]
    for i in range(n_v):
        way = run[TOLERANCE] * (run[LENGTH] if tab[tab[at.T_TURNING] + n_q + i] == 0 else 1.0)
        run[allowed + i] = min(run[scale + i], way / step)
    for i in range(n_v, count[N_STATE] - n_q):
        size = run[scale + i]
        # work has no part in the motion, nor has a state that was never anything else than zero
        run[allowed + i] = size if size > 0.0 and i >= n_v + n_z else 1e300


@kernel(RHS)
def rates_of(t, y, p, tab, w, f):
    """q' from v, where that is more than to copy it; of point coordinates the workspace must be there."""
    if tab[at.N_CLASSES] > 0:
        at_address(tab[at.A_LOCATE])(t, y, p, tab, w, f)
    at_address(tab[at.A_RATES])(t, y, p, tab, w, f)


@kernel(types.void(f8, f8, A, A, A, A, I, A, A, I))
def give_error(t, step, y, f, x, p, tab, w, run, count):
    """The error of the step into R_ERROR, per unit of its length: x of all that is solved for, and what follows of it.

    x_q = (f_q + sum of d_i (Q_i - q) / h + N x_v) / mu
    """
    n, n_q, n_v = count[N_STATE], tab[at.N_Q], tab[at.N_V]
    stages, d, error = count[R_Y], count[R_D], count[R_ERROR]
    for i in range(n - n_q):
        run[error + n_q + i] = x[i] / step
    aside, rates = beyond(run, count[R_ASIDE]), beyond(run, count[R_SCRATCH])
    for i in range(n_q):
        aside[i] = y[i]
    for i in range(n_v):
        aside[n_q + i] = rates[i] = x[i]
    if tab[at.A_RATES] != 0:
        rates_of(t, aside, p, tab, w, rates)
    for i in range(n_q):
        total = 0.0
        for j in range(3):
            total += run[d + j] * (run[stages + j * n + i] - y[i])
        run[error + i] = (f[i] + total / step + rates[i]) / run[count[R_MU]]


@kernel(types.void(f8, A, I))
def take_last(step, run, count):
    """The new state is the last stage."""
    n = count[N_STATE]
    run[count[R_KNOWN] + K_LENGTH] = step
    for i in range(n):
        run[count[R_NEW] + i] = run[count[R_Y] + 2 * n + i]
        run[count[R_ERROR_LOW] + i] = 0.0


@kernel(types.boolean(f8, f8, A, A, A, I, A, A, I))
def look_again(t, step, y, f, p, tab, w, run, count):
    """Whether the error is to be found once more, with the slope f at y + error."""
    n = count[N_STATE]
    if run[count[R_KNOWN] + K_FIRST] == 0.0 and count[WAS_REJECTED] == 0:
        return False
    control.fill_scale(y, tab, run, count)
    if not control.norm(0, tab[at.N_Q] + tab[at.N_V], 0.0, run, count) > 1.0:
        return False
    aside = beyond(run, count[R_ASIDE])
    for i in range(n):
        aside[i] = y[i] + step * run[count[R_ERROR] + i]
    at_address(count[A_RHS])(t, aside, p, tab, w, f)
    found = w[at.STATUS] == at.OK and finite(n, f)
    w[at.STATUS] = at.OK
    return found
