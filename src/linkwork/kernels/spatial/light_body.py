"""Body coordinates of space where bodies are light beside others: what takes the place of kernels of `body`."""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import RHS, SOLVE, kernel
from linkwork.kernels.light import factor_light, solve_light
from linkwork.kernels.spatial.frames import add_gyroscopes


@kernel(RHS)
def factor(t, y, p, tab, w, f):
    """The equations of bodies and rows, factored."""
    factor_light(p, tab, w)


@kernel(SOLVE)
def solve(known, right, p, tab, w):
    """Accelerations or a step, and multipliers; gyroscopic moments belong to the accelerations."""
    if known == 1.0:
        add_gyroscopes(p, tab, w)
    w[at.RESIDUAL] = solve_light(known, right, p, tab, w)
