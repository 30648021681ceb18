"""What an accepted step leaves: rows that disagree are found, turns and memory are remembered, the state is taken.

Memory of turns, and of laws, changes here and nowhere else: stages, rejected steps and outputs leave no trace in it.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.equations import MOST_RESIDUAL, usual_acceleration
from linkwork.kernels.jit import A, I, beyond, f8, kernel, types
from linkwork.kernels.slots import accept_laws
from linkwork.kernels.time import corners, holding, near
from linkwork.kernels.time.places import (
    CHOICE_LIMIT,
    END_PIVOT,
    FINAL,
    N_STATE,
    PROJECT,
    R_KEPT,
    R_LARGEST,
    R_NEW,
    R_SLOPE,
    R_SLOPE_NEW,
    RETRY,
    ROWS,
    SMALLEST_PIVOT,
    STALLS,
    STEP_INDEX,
    STEPS,
    TIME,
    WORST_VIOLATION,
)

#: the most that a dropped row may be off: one that followed from the others when assembled may ask for something else
MOST_DROPPED = 1e-5


@kernel(types.boolean(A, I, A, A))
def _conflict(p, tab, w, run):
    """Whether the rows contradict each other."""
    if w[at.ERROR_DROPPED] > MOST_DROPPED:
        return True
    return (
        w[at.RESIDUAL] > MOST_RESIDUAL
        and run[END_PIVOT] > near.limit(run)
        and w[at.RESIDUAL] * w[at.BULK] > MOST_RESIDUAL * usual_acceleration(p, tab, w)
    )


@kernel(f8(A, I, A))
def _largest_error(p, tab, w):
    """Of all rows, against their sizes, where nothing puts states back on them."""
    largest = 0.0
    for r in range(tab[at.N_ROWS]):
        scale = p[tab[at.P_ROW] + at.ROW_NUMBERS * r + at.ROW_SCALE]
        largest = max(largest, abs(w[tab[at.W_PHI] + r]) / scale)
    return largest


@kernel(types.boolean(f8, A, I, A, A, I))
def settle(t, p, tab, w, run, count):
    """Look at the end of a step, where the workspace is, and keep its memory; False where w[STATUS] says why not."""
    count[RETRY] = 0
    count[STALLS] = 0
    error = w[at.ERROR_POSITION] if count[PROJECT] == ROWS else _largest_error(p, tab, w)
    run[WORST_VIOLATION] = max(run[WORST_VIOLATION], error)
    if _conflict(p, tab, w, run):
        w[at.STATUS] = at.CONFLICT
        return False
    if not accept_laws(t, beyond(run, count[R_NEW]), p, tab, w):
        return False
    kept = count[R_KEPT]
    for i in range(tab[at.N_MEMORY]):  # evaluations for outputs inside the step begin as it did
        run[kept + i] = w[tab[at.W_TURNED] + i]
    corners.note(0, tab, w, run, count)
    return True


@kernel(types.void(f8, A, A, I, A, A, I))
def take(t, y, p, tab, w, run, count):
    """The end of the step becomes the state that the next one begins with."""
    n = count[N_STATE]
    new = count[R_NEW]
    for i in range(tab[at.N_MEMORY]):
        w[tab[at.W_MEMORY] + i] = run[count[R_KEPT] + i]
    for i in range(n):
        y[i] = run[new + i]
        run[count[R_SLOPE] + i] = run[count[R_SLOPE_NEW] + i]
    enlarge(y, tab, run, count)
    run[TIME] = t
    near.after(run, count)
    holding.follow(y, p, tab, w, run, count)
    count[STEPS] += 1
    count[STEP_INDEX] += 1


@kernel(types.void(A, I, A, I))
def enlarge(y, tab, run, count):
    """The largest size so far of every state of laws."""
    first = count[N_STATE] - tab[at.N_STATES]
    for i in range(tab[at.N_STATES]):
        run[count[R_LARGEST] + i] = max(run[count[R_LARGEST] + i], abs(y[first + i]))


@kernel(types.boolean(A, I))
def wants_other_rows(run, count):
    """Whether, of redundant rows, others may serve better from here on."""
    return run[SMALLEST_PIVOT] < run[CHOICE_LIMIT] and count[FINAL] == 0
