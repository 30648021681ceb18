"""Point coordinates of space: q = places of points and unit vectors, v = their rates.  The kernels of `motion`.

M is constant, so that there are no gyroscopic moments among the forces; bodies have them where they are read.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.equations import MOST_RESIDUAL
from linkwork.kernels.jit import RHS, SOLVE, A, I, i8, kernel, types
from linkwork.kernels.points import factor_points, solve_points
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import evaluate_functions
from linkwork.kernels.spatial.frames import add_gyroscopes, place_frames
from linkwork.kernels.spatial.measures import evaluate_measures
from linkwork.kernels.spatial.shares import (
    accelerate_shares,
    add_felt,
    bias_of_row,
    build_products,
    place_bases,
    place_shares,
    place_vectors,
)


@kernel(RHS)
def locate(t, y, p, tab, w, f):
    """Everything that depends on positions and velocities only: vectors, bodies, frames, measures, rows."""
    place_vectors(y, p, tab, w)
    place_bases(1 if w[at.DETAIL] == 1.0 else 0, tab, w)
    if tab[at.N_FRAMES] > 0 or w[at.DETAIL] == 1.0:
        place_shares(y, p, tab, w)
    if tab[at.N_FRAMES] > 0:
        place_frames(p, tab, w)
        evaluate_measures(p, tab, w)
        if tab[at.N_FUNCTIONS] > 0:
            evaluate_functions(t, p, tab, w)
        build_rows(p, tab, w)
    build_products(p, tab, w)


@kernel(types.void(A, I, A))
def _build_entries(p, tab, w):
    """J of the rows of measures against the coordinates; those of products are there already."""
    j = tab[at.W_ENTRY]
    for r in range(tab[at.N_ROWS]):
        first, last = tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]
        if first < last:
            for i in range(j + tab[tab[at.T_ROW_ENTRY] + r], j + tab[tab[at.T_ROW_ENTRY] + r + 1]):
                w[i] = 0.0
            for k in range(first, last):
                body = tab[tab[at.T_BLOCK_BODY] + k] // 6
                places = tab[at.T_BLOCK_TERM] + tab[tab[at.T_BLOCK_SHARE] + k]
                add_felt(body, tab[at.W_BLOCK] + 6 * k, j, places, p, tab, w)


@kernel(RHS)
def factor(t, y, p, tab, w, f):
    """J against the coordinates, and the saddle point, factored; leaves the smallest pivot of a row."""
    _build_entries(p, tab, w)
    factor_points(p, tab, w)


@kernel(types.void(i8, A, I, A))
def _gather(right, p, tab, w):
    """Applied forces along the coordinates, and in W_RIGHT the right side of their accelerations."""
    q = tab[at.W_FORCE]
    for i in range(tab[at.N_V]):
        w[q + i] = 0.0
    for b in range(1, tab[at.N_BODIES] + 1):
        places = tab[at.T_SHARE_TERM] + tab[tab[at.T_SHARE] + at.SHARE_COLUMNS * b + at.SHARE_FIRST]
        add_felt(b, tab[at.W_APPLIED] + 6 * b, q, places, p, tab, w)
    for r in range(tab[at.N_ROWS]):
        w[tab[at.W_RIGHT] + r] = w[right + r] - bias_of_row(r, p, tab, w)


@kernel(SOLVE)
def solve(known, right, p, tab, w):
    """Accelerations or a step, and multipliers; refined where the factor is not good to rounding."""
    if known != 0.0:
        _gather(right, p, tab, w)
    solve_points(known, tab[at.W_RIGHT] if known != 0.0 else right, p, tab, w)
    if w[at.DETAIL] == 1.0 or w[at.RESIDUAL] > MOST_RESIDUAL:  # then accelerations are looked at
        if w[at.DETAIL] != 1.0:
            place_bases(1, tab, w)
        accelerate_shares(known, p, tab, w)
        if known != 0.0:
            add_gyroscopes(p, tab, w)  # to what is said to act on bodies


@kernel(RHS)
def move(t, y, p, tab, w, f):
    """q + step."""
    for i in range(tab[at.N_V]):
        y[i] += w[tab[at.W_CHANGE] + i]
