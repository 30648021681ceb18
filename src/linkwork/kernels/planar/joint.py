"""Joint coordinates of the plane: q = the freedoms of the joints along a tree, v = q'."""

from __future__ import annotations

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.equations import MOST_REFINEMENTS, driver_power
from linkwork.kernels.jit import RHS, A, I, f8, i8, kernel
from linkwork.kernels.loops import add_multipliers, factor_loops, loop_residual
from linkwork.kernels.planar.links import SIZE, G, accelerate_bodies, place_bodies, place_links
from linkwork.kernels.planar.measures import evaluate_measures, place_frames
from linkwork.kernels.planar.recursion import gather, push_rows, spread
from linkwork.kernels.projection import DONE, FACTOR, next_step, row_error
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import apply_laws, evaluate_functions


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
    n_rows = tab[at.N_ROWS]
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
    """q (+) step, the step being where accelerations usually are."""
    step = tab[at.W_SPEED_CHANGE]
    for i in range(tab[at.N_Q]):
        y[i] += w[step + i]


@kernel(RHS)
def rhs(t, y, p, tab, w, f):
    """State derivative f of the state y, with every intermediate quantity left in the workspace."""
    w[at.STATUS] = at.OK
    w[at.EVALUATIONS] += 1.0
    locate(t, y, p, tab, w)
    h = tab[at.W_APPLIED]
    weight = tab[at.P_GRAVITY]
    for i in range(3 * (tab[at.N_BODIES] + 1)):
        w[h + i] = p[weight + i]
    if tab[at.N_LAWS] > 0:
        apply_laws(t, y, p, tab, w, f)
    n_v = tab[at.N_V]
    change = tab[at.W_SPEED_CHANGE]
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
    for i in range(n_v):
        f[i] = y[n_v + i]
        f[n_v + i] = w[change + i]


@kernel(RHS)
def project(t, y, p, tab, w, f):
    """Put a state back on the constraints, in place; f is not used."""
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
