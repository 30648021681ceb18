"""The motion inside an accepted step, as a polynomial of theta from 0 to 1.

        y(t + theta h) = y + sum over m of  theta^m c_m          m = 1 to DEGREE

A stepper gives the coefficients c_m when they are first asked for in a step; outputs read it, and whatever looks for
something inside of a step.
"""

from __future__ import annotations

from linkwork.kernels.jit import A, I, f8, kernel, stepper_at, types
from linkwork.kernels.time.places import A_DENSE, DEGREE, DENSE_READY, N_STATE, R_BETWEEN, R_POWERS, TIME, TRIED


@kernel(types.void(A, A, I, A, A, I))
def ready(y, p, tab, w, run, count):
    """Have the polynomial of this step made, once; the workspace may be elsewhere afterwards."""
    if count[DENSE_READY] == 0:
        stepper_at(count[A_DENSE])(run[TIME], run[TRIED], y, p, tab, w, run, count)
        count[DENSE_READY] = 1


@kernel(types.void(f8, A, A, I))
def between(theta, y, run, count):
    """The state at theta, into R_BETWEEN."""
    n = count[N_STATE]
    out = count[R_BETWEEN]
    powers = count[R_POWERS]
    for i in range(n):
        run[out + i] = 0.0
    for m in range(count[DEGREE] - 1, -1, -1):
        for i in range(n):
            run[out + i] = theta * (run[out + i] + run[powers + m * n + i])
    for i in range(n):
        run[out + i] += y[i]
