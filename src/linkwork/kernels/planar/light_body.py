"""Body coordinates of the plane where bodies are light beside others: what takes the place of kernels of `body`."""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import RHS, kernel
from linkwork.kernels.light import factor_light, solve_light


@kernel(RHS)
def factor(t, y, p, tab, w, f):
    """The equations of bodies and rows, factored."""
    factor_light(p, tab, w)


@kernel(RHS)
def solve(t, y, p, tab, w, f):
    """Accelerations or a step, and multipliers."""
    w[at.RESIDUAL] = solve_light(w[at.KNOWN], int(w[at.RIGHT]), p, tab, w)


add = solve  # never called: there is no tree
