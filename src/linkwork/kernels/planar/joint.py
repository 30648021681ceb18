"""Joint coordinates of the plane: q = the freedoms of the joints along a tree, v = q'.  The kernels of `motion`."""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.equations import MOST_REFINEMENTS
from linkwork.kernels.jit import RHS, kernel
from linkwork.kernels.loops import add_multipliers, factor_loops, loop_residual
from linkwork.kernels.planar.body import move
from linkwork.kernels.planar.links import SIZE, G, accelerate_bodies, place_bodies, place_links
from linkwork.kernels.planar.measures import evaluate_measures, place_frames
from linkwork.kernels.planar.recursion import gather, push_rows, spread
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import evaluate_functions

__all__ = ["factor", "locate", "move", "rates", "solve"]


@kernel(RHS)
def locate(t, y, p, tab, w, f):
    """Everything that depends on positions and velocities only: links, frames, measures, rows."""
    place_links(y, p, tab, w)
    if tab[at.N_FRAMES] > 0 or w[at.DETAIL] == 1.0:
        place_bodies(tab, w)
    if tab[at.N_FRAMES] > 0:
        place_frames(p, tab, w)
        evaluate_measures(p, tab, w)
        if tab[at.N_FUNCTIONS] > 0:
            evaluate_functions(t, p, tab, w)
        build_rows(p, tab, w)


@kernel(RHS)
def factor(t, y, p, tab, w, f):
    """Articulated inertias, and the factored equations of the rows that close loops."""
    gather(p, tab, w)
    if tab[at.N_ROWS] > 0:
        push_rows(p, tab, w)
        factor_loops(p, tab, w)


@kernel(RHS)
def solve(t, y, p, tab, w, f):
    """Accelerations or a step, and multipliers, refined as in `equations`."""
    known = w[at.KNOWN]
    right = int(w[at.RIGHT])
    n_rows = tab[at.N_ROWS]
    if n_rows == 0:
        w[at.PIVOT] = 1.0
        spread(known, p, tab, w)
        if w[at.DETAIL] == 1.0:
            accelerate_bodies(known, tab, w)
        return
    links = tab[at.W_LINK]
    lam = tab[at.W_LAMBDA]
    if known == 0.0:
        for k in range(1, tab[at.N_LINKS] + 1):
            w[links + SIZE * k + G] = 0.0
    for r in range(n_rows):
        w[lam + r] = 0.0
    spread(known, p, tab, w)
    accelerate_bodies(known, tab, w)
    largest = 0.0
    before = 1.0e300
    size = 0.0
    for sweep in range(MOST_REFINEMENTS + 1):
        largest = loop_residual(right, size, p, tab, w)
        size = w[at.BULK]
        if (sweep >= 2 and (largest < 1e-13 or largest > 0.9 * before)) or sweep == MOST_REFINEMENTS:
            break
        before = largest
        add_multipliers(SIZE, G, 4, tab, w)
        spread(known, p, tab, w)
        accelerate_bodies(known, tab, w)
        if w[at.PLAIN] == 1.0:  # the factor is good to rounding
            largest = 0.0
            break
    w[at.RESIDUAL] = largest


rates = move  # never called: in the plane q' = v
