"""Corners in the motion: a law that begins to act in a step, or ceases to, such as a stop or a rope.

Estimates of errors are those of smooth motions.  At the corner of a stop they missed errors of up to 20,000 times their
size, and a stop may even be hit and left between the ends of a step.  So every evaluation of a step is looked at: where
a force that was zero at its start is not, or one that was not zero is, its error counts many times.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, i8, kernel, types
from linkwork.kernels.time.places import CORNERED, N_STATE, R_ACTED, R_ERROR, R_ERROR_LOW, TURNED

#: the error of a step with a corner counts so many times
MANY = 50.0


@kernel(types.void(i8, I, A, A, I))
def note(begins, tab, w, run, count):
    """Which forces of laws act where the workspace is; at the begin of a piece nothing is told by them."""
    for k in range(tab[at.N_LAWS]):
        row = tab[at.T_LAW] + at.LAW_COLUMNS * k
        for i in range(tab[row + at.LAW_ALONG], tab[row + at.LAW_ALONG] + tab[row + at.LAW_N_ALONG]):
            acts = 1.0 if w[tab[at.W_OUT] + i] != 0.0 else 0.0
            if run[count[R_ACTED] + i] == 1.0 - acts:
                count[TURNED] = 1
            run[count[R_ACTED] + i] = -1.0 if begins == 1 else acts


@kernel(types.void(I, A, A, I))
def look(tab, w, run, count):
    """Note a corner between the start of the step and where the workspace is."""
    if count[CORNERED] == 1:
        return
    for k in range(tab[at.N_LAWS]):
        row = tab[at.T_LAW] + at.LAW_COLUMNS * k
        for i in range(tab[row + at.LAW_ALONG], tab[row + at.LAW_ALONG] + tab[row + at.LAW_N_ALONG]):
            acted = run[count[R_ACTED] + i]
            if acted >= 0.0 and (acted == 1.0) != (w[tab[at.W_OUT] + i] != 0.0):
                count[CORNERED] = 1
                return


@kernel(types.void(A, I))
def coarsen(run, count):
    """Both estimates of the error as one, and that many times: one of them may vanish by chance."""
    for i in range(count[N_STATE]):
        one, other = abs(run[count[R_ERROR] + i]), abs(run[count[R_ERROR_LOW] + i])
        run[count[R_ERROR] + i] = MANY * (one + other)
        run[count[R_ERROR_LOW] + i] = 0.0
