"""How a run holds its constraints: it puts states back on them, or Baumgarte's constants follow its steps, or neither.

        alpha = beta = PART / H

H is the longest step so far, so errors die away within some tens of such steps.  With more, alpha = 1 / H say, less is
gained than lost: the stages of a Runge-Kutta step violate the rows a little, and pulling at that is an error of its
own, which grows with alpha and drives the steps down.  For the same reason they wait until the steps, which begin
short, have found their length, and never grow: steps that they have made shorter would make them larger still.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, kernel, types
from linkwork.kernels.time.places import (
    A_PROJECT,
    A_RHS,
    FOLLOW,
    HOLD_STEP,
    PROJECT,
    R_SLOPE,
    ROWS,
    STEPS,
    TIME,
    TRIED,
    TURNS,
)

#: of 1 / H
PART = 0.1
#: the steps that they wait for
SETTLED = 10
#: constants that are off by less than this factor are kept
OFF = 2.0


@kernel(types.void(f8, A, A, I, A, A, I))
def put_back(t, y, p, tab, w, scratch, count):
    """A state back on the constraints, or only its orientations at length one."""
    if count[PROJECT] == ROWS:
        at_address(count[A_PROJECT])(t, y, p, tab, w, scratch)
    elif count[PROJECT] == TURNS:
        for i in range(tab[at.N_V]):
            w[tab[at.W_CHANGE] + i] = 0.0
        at_address(tab[at.A_MOVE])(t, y, p, tab, w, scratch)


@kernel(types.void(A, A, I, A, A, I))
def follow(y, p, tab, w, run, count):
    """After an accepted step: other constants where H asks for them, and the slope of the next step with them."""
    if count[FOLLOW] == 0:
        return
    run[HOLD_STEP] = max(run[HOLD_STEP], run[TRIED])
    rate = 2.0 * PART / run[HOLD_STEP]
    if count[STEPS] < SETTLED or 0.0 < w[at.STABILISE_RATE] < OFF * rate:
        return
    w[at.STABILISE_RATE] = rate
    w[at.STABILISE_PLACE] = 0.25 * rate * rate
    at_address(count[A_RHS])(run[TIME], y, p, tab, w, beyond(run, count[R_SLOPE]))
