"""Joint coordinates of space: q = the freedoms of the joints along a tree (an orientation: Euler parameters), v."""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.equations import MOST_REFINEMENTS, driver_power
from linkwork.kernels.jit import RHS, A, I, f8, i8, kernel
from linkwork.kernels.loops import add_multipliers, factor_loops, loop_residual
from linkwork.kernels.projection import DONE, FACTOR, next_step, row_error
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import apply_laws, evaluate_functions
from linkwork.kernels.spatial.inertia import gather
from linkwork.kernels.spatial.links import SIZE, G, accelerate_bodies, place_bodies, place_links
from linkwork.kernels.spatial.measures import evaluate_measures, place_frames
from linkwork.kernels.spatial.recursion import push_rows, spread


@kernel(types.void(A, I, A))
def articulate(p, tab, w):
    """Articulated inertias, and the factored equations of the rows that close loops."""
    gather(p, tab, w)
    if tab[at.N_ROWS] > 0:
        push_rows(p, tab, w)
        factor_loops(p, tab, w)


@kernel(f8(f8, i8, A, I, A))
def solve(known, right, p, tab, w):
    """Accelerations and multipliers for the right side at w[right]; returns the residual left (see `equations`)."""
    links = tab[at.W_LINK]
    lam = tab[at.W_LAMBDA]
    if known == 0.0:
        for k in range(1, tab[at.N_LINKS] + 1):
            for c in range(3):
                w[links + SIZE * k + G + c] = 0.0
    for r in range(tab[at.N_ROWS]):
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
        add_multipliers(SIZE, G, 7, tab, w)
        spread(known, p, tab, w)
        accelerate_bodies(known, tab, w)
        if w[at.PLAIN] == 1.0:  # the factor is good to rounding
            return 0.0
    return largest


@kernel(types.void(f8, A, A, I, A))
def locate(t, y, p, tab, w):
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


@kernel(types.void(A, I, A))
def move(y, tab, w):
    """q (+) step: orientations are turned by the rotation vector of the step, and normalised."""
    step = tab[at.W_SPEED_CHANGE]
    table = tab[at.T_LINK]
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        kind, o, s = tab[row], tab[row + 2], step + tab[row + 3]
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


@kernel(types.void(A, I, A))
def rates(y, tab, f):
    """q' from v."""
    n_q = tab[at.N_Q]
    table = tab[at.T_LINK]
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        kind, o, v = tab[row], tab[row + 2], n_q + tab[row + 3]
        if kind == at.BALL:  # e' = 1/2 e (0, w)
            e0, e1, e2, e3 = y[o], y[o + 1], y[o + 2], y[o + 3]
            wx, wy, wz = 0.5 * y[v], 0.5 * y[v + 1], 0.5 * y[v + 2]
            f[o] = -e1 * wx - e2 * wy - e3 * wz
            f[o + 1] = e0 * wx + e2 * wz - e3 * wy
            f[o + 2] = e0 * wy + e3 * wx - e1 * wz
            f[o + 3] = e0 * wz + e1 * wy - e2 * wx
        elif kind != at.RIGID:
            f[o] = y[v]


@kernel(types.void(A, I, A))
def add_gyroscopes(p, tab, w):
    """The moment -w x (J w) of every body in its axes, beside the applied ones: what results are read from."""
    twist = tab[at.W_TWIST]
    for body in range(1, tab[at.N_BODIES] + 1):
        v = twist + 6 * body + 3
        i = tab[at.P_MASS] + 6 * body + 3
        o = tab[at.W_APPLIED] + 6 * body + 3
        w[o] += (p[i + 1] - p[i + 2]) * w[v + 1] * w[v + 2]
        w[o + 1] += (p[i + 2] - p[i]) * w[v + 2] * w[v]
        w[o + 2] += (p[i] - p[i + 1]) * w[v] * w[v + 1]


@kernel(RHS)
def rhs(t, y, p, tab, w, f):
    """State derivative f of the state y, with every intermediate quantity left in the workspace."""
    w[at.STATUS] = at.OK
    w[at.EVALUATIONS] += 1.0
    locate(t, y, p, tab, w)
    h = tab[at.W_APPLIED]
    weight = tab[at.P_GRAVITY]
    for i in range(6 * (tab[at.N_BODIES] + 1)):
        w[h + i] = p[weight + i]
    if tab[at.N_LAWS] > 0:
        apply_laws(t, y, p, tab, w, f)
    if tab[at.N_ROWS] == 0:
        w[at.PIVOT] = 1.0
        gather(p, tab, w)
        spread(1.0, p, tab, w)
        if w[at.DETAIL] == 1.0:
            accelerate_bodies(1.0, tab, w)
    else:
        articulate(p, tab, w)
        w[at.RESIDUAL] = solve(1.0, tab[at.W_GAMMA], p, tab, w)
        if tab[at.N_Z] > 0:
            driver_power(tab, w, f)
    if w[at.DETAIL] == 1.0:
        add_gyroscopes(p, tab, w)
    rates(y, tab, f)
    n_q = tab[at.N_Q]
    change = tab[at.W_SPEED_CHANGE]
    for i in range(tab[at.N_V]):
        f[n_q + i] = w[change + i]


@kernel(RHS)
def project(t, y, p, tab, w, f):
    """Put a state back on the constraints, and Euler parameters back to length one, in place; f is not used."""
    table = tab[at.T_LINK]
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        if tab[row] == at.BALL:
            o = tab[row + 2]
            n = 1.0 / math.sqrt(y[o] ** 2 + y[o + 1] ** 2 + y[o + 2] ** 2 + y[o + 3] ** 2)
            for c in range(4):
                y[o + c] *= n
    w[at.STATUS] = at.OK
    locate(t, y, p, tab, w)
    if tab[at.N_ROWS] == 0:
        return
    right = tab[at.W_RESIDUAL] + tab[at.N_ROWS]
    iteration = 0
    need = next_step(iteration, p, tab, w)
    if need == DONE:
        articulate(p, tab, w)
    while need != DONE:
        if need == FACTOR:
            articulate(p, tab, w)
        solve(0.0, right, p, tab, w)
        move(y, tab, w)
        locate(t, y, p, tab, w)
        iteration += 1
        need = next_step(iteration, p, tab, w)
    w[at.ERROR_VELOCITY] = row_error(1, tab[at.W_TWIST], right, p, tab, w)
    solve(0.0, right, p, tab, w)
    step = tab[at.W_SPEED_CHANGE]
    for i in range(tab[at.N_V]):
        y[tab[at.N_Q] + i] += w[step + i]
