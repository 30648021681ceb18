"""Joint coordinates of space: q = the freedoms of the joints along a tree (an orientation: Euler parameters), v.

The kernels of `motion`.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import RHS, SOLVE, SPREAD, kernel
from linkwork.kernels.loops import add_multipliers, factor_loops, solve_loops
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import evaluate_functions
from linkwork.kernels.spatial.frames import add_gyroscopes, place_frames
from linkwork.kernels.spatial.inertia import gather
from linkwork.kernels.spatial.links import accelerate_bodies, place_bodies, place_links
from linkwork.kernels.spatial.measures import evaluate_measures
from linkwork.kernels.spatial.recursion import push_rows, spread_links


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


@kernel(SOLVE)
def solve(known, right, p, tab, w):
    """Accelerations or a step, and multipliers."""
    solve_loops(known, right, p, tab, w)
    if known == 1.0 and w[at.DETAIL] == 1.0:  # the recursion has its own gyroscopic moments; results read these
        add_gyroscopes(p, tab, w)


@kernel(RHS)
def move(t, y, p, tab, w, f):
    """q (+) step: orientations are turned by the rotation vector of the step, and normalised."""
    step = tab[at.W_CHANGE]
    table = tab[at.T_LINK]
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        kind, o, s = tab[row + at.LINK_KIND], tab[row + at.LINK_PLACE], step + tab[row + at.LINK_SPEED]
        if kind == at.BALL:
            tx, ty, tz = 0.5 * w[s], 0.5 * w[s + 1], 0.5 * w[s + 2]
            half = math.sqrt(tx * tx + ty * ty + tz * tz)
            ratio = math.sin(half) / half if half > 1e-12 else 1.0
            c0, c1, c2, c3 = math.cos(half), ratio * tx, ratio * ty, ratio * tz
            e0, e1, e2, e3 = y[o], y[o + 1], y[o + 2], y[o + 3]
            n = 1.0 / math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
            y[o] = n * (e0 * c0 - e1 * c1 - e2 * c2 - e3 * c3)
            y[o + 1] = n * (e0 * c1 + e1 * c0 + e2 * c3 - e3 * c2)
            y[o + 2] = n * (e0 * c2 - e1 * c3 + e2 * c0 + e3 * c1)
            y[o + 3] = n * (e0 * c3 + e1 * c2 - e2 * c1 + e3 * c0)
        elif kind != at.RIGID:
            y[o] += w[s]


@kernel(RHS)
def rates(t, y, p, tab, w, f):
    """q' from v."""
    n_q = tab[at.N_Q]
    table = tab[at.T_LINK]
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        kind, o, v = tab[row + at.LINK_KIND], tab[row + at.LINK_PLACE], n_q + tab[row + at.LINK_SPEED]
        if kind == at.BALL:  # e' = 1/2 e (0, w)
            e0, e1, e2, e3 = y[o], y[o + 1], y[o + 2], y[o + 3]
            wx, wy, wz = 0.5 * y[v], 0.5 * y[v + 1], 0.5 * y[v + 2]
            f[o] = -e1 * wx - e2 * wy - e3 * wz
            f[o + 1] = e0 * wx + e2 * wz - e3 * wy
            f[o + 2] = e0 * wy + e3 * wx - e1 * wz
            f[o + 3] = e0 * wz + e1 * wy - e2 * wx
        elif kind != at.RIGID:
            f[o] = y[v]


add = add_multipliers
