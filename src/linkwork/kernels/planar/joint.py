"""Joint coordinates of the plane: q = the freedoms of the joints along a tree, v = q'.  The kernels of `motion`."""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import RHS, SPREAD, kernel
from linkwork.kernels.loops import add_multipliers, factor_loops, solve_loops
from linkwork.kernels.planar.body import move
from linkwork.kernels.planar.frames import place_frames
from linkwork.kernels.planar.links import accelerate_bodies, place_bodies, place_links
from linkwork.kernels.planar.measures import evaluate_measures
from linkwork.kernels.planar.recursion import gather, push_rows, spread_links
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import evaluate_functions

__all__ = ["add", "factor", "locate", "move", "solve", "spread"]


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


@kernel(SPREAD)
def spread(known, p, tab, w):
    """Accelerations (or steps) of coordinates and links, and of the bodies where they are wanted."""
    spread_links(known, p, tab, w)
    if tab[at.N_ROWS] > 0 or w[at.DETAIL] == 1.0:
        accelerate_bodies(known, tab, w)


solve = solve_loops
add = add_multipliers
