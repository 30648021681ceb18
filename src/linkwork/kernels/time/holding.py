"""How a run holds its constraints: it puts states back on them, or Baumgarte's constants follow its steps, or neither.

        alpha = 1 / H        beta = sqrt(2) / H

With these,  phi + H phi' + H^2/2 phi''  = 0: errors would vanish, to second order, in a step of length H.  H is the
length of the steps, and sinks slowly where they become shorter: constants that grew with every shorter step would make
it shorter still.
"""

from __future__ import annotations

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, f8, kernel
from linkwork.kernels.time.places import A_PROJECT, FOLLOW, HOLD_STEP, PROJECT, ROWS, TRIED, TURNS

#: H sinks by this part of the time that passes
SINKING = 0.05


@kernel(types.void(f8, A, A, I, A, A, I))
def put_back(t, y, p, tab, w, scratch, count):
    """A state back on the constraints, or only its orientations at length one."""
    if count[PROJECT] == ROWS:
        at_address(count[A_PROJECT])(t, y, p, tab, w, scratch)
    elif count[PROJECT] == TURNS:
        for i in range(tab[at.N_V]):
            w[tab[at.W_CHANGE] + i] = 0.0
        at_address(tab[at.A_MOVE])(t, y, p, tab, w, scratch)


@kernel(types.void(A, A, I))
def follow(w, run, count):
    """After an accepted step: constants for the next one."""
    if count[FOLLOW] == 1:
        length = max(run[TRIED], run[HOLD_STEP] - SINKING * run[TRIED])
        run[HOLD_STEP] = length
        w[at.STABILISE_RATE] = 2.0 / length
        w[at.STABILISE_PLACE] = 2.0 / (length * length)
