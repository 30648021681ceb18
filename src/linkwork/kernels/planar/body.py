"""Body coordinates of the plane: q = (x, y, phi) of every mass centre, v = q'.  The kernels of `motion`."""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.equations import factor_rows, solve_rows
from linkwork.kernels.jit import RHS, SOLVE, kernel
from linkwork.kernels.planar.frames import place_bodies, place_frames
from linkwork.kernels.planar.measures import evaluate_measures
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import evaluate_functions


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
    """Accelerations or a step, and multipliers."""
    w[at.RESIDUAL] = solve_rows(known, right, p, tab, w)


@kernel(RHS)
def move(t, y, p, tab, w, f):
    """q (+) step."""
    step = tab[at.W_CHANGE]
    for i in range(tab[at.N_Q]):
        y[i] += w[step + i]
