"""Body coordinates of space: q = mass centre and Euler parameters, v = velocity and angular velocity in body axes.

The kernels of `motion`.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.equations import factor_rows, solve_rows
from linkwork.kernels.jit import RHS, SOLVE, kernel
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import evaluate_functions
from linkwork.kernels.spatial.frames import add_gyroscopes, place_bodies, place_frames
from linkwork.kernels.spatial.measures import evaluate_measures


@kernel(RHS)
def locate(t, y, p, tab, w, f):
    """Everything that depends on positions and velocities only: frames, measures, rows."""
    place_bodies(y, tab, w)
    place_frames(p, tab, w)
    evaluate_measures(p, tab, w)
    if tab[at.N_FUNCTIONS] > 0:
        evaluate_functions(t, p, tab, w)
    build_rows(p, tab, w)


@kernel(RHS)
def factor(t, y, p, tab, w, f):
    """The equations of the rows, factored."""
    factor_rows(p, tab, w)


@kernel(SOLVE)
def solve(known, right, p, tab, w):
    """Accelerations or a step, and multipliers; gyroscopic moments belong to the accelerations."""
    if known == 1.0:
        add_gyroscopes(p, tab, w)
    w[at.RESIDUAL] = solve_rows(known, right, p, tab, w)


@kernel(RHS)
def move(t, y, p, tab, w, f):
    """q (+) step: places are added, orientations turned by the rotation vector of the step, and normalised."""
    step = tab[at.W_CHANGE]
    for k in range(tab[at.N_BODIES]):
        o, s = 7 * k, step + 6 * k
        for c in range(3):
            y[o + c] += w[s + c]
        tx, ty, tz = 0.5 * w[s + 3], 0.5 * w[s + 4], 0.5 * w[s + 5]
        half = math.sqrt(tx * tx + ty * ty + tz * tz)
        ratio = math.sin(half) / half if half > 1e-12 else 1.0
        c0, c1, c2, c3 = math.cos(half), ratio * tx, ratio * ty, ratio * tz
        e0, e1, e2, e3 = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
        n = 1.0 / math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
        y[o + 3] = n * (e0 * c0 - e1 * c1 - e2 * c2 - e3 * c3)
        y[o + 4] = n * (e0 * c1 + e1 * c0 + e2 * c3 - e3 * c2)
        y[o + 5] = n * (e0 * c2 - e1 * c3 + e2 * c0 + e3 * c1)
        y[o + 6] = n * (e0 * c3 + e1 * c2 - e2 * c1 + e3 * c0)


@kernel(RHS)
def rates(t, y, p, tab, w, f):
    """q' from v."""
    n_q = tab[at.N_Q]
    for k in range(tab[at.N_BODIES]):
        o, v = 7 * k, n_q + 6 * k
        for c in range(3):
            f[o + c] = y[v + c]
        e0, e1, e2, e3 = y[o + 3], y[o + 4], y[o + 5], y[o + 6]
        wx, wy, wz = 0.5 * y[v + 3], 0.5 * y[v + 4], 0.5 * y[v + 5]
        # e' = 1/2 e (0, w)
        f[o + 3] = -e1 * wx - e2 * wy - e3 * wz
        f[o + 4] = e0 * wx + e2 * wz - e3 * wy
        f[o + 5] = e0 * wy + e3 * wx - e1 * wz
        f[o + 6] = e0 * wz + e1 * wy - e2 * wx
