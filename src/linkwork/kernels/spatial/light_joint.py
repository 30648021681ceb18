"""Joint coordinates of space where bodies are light beside others: what takes the place of kernels of `joint`."""

from __future__ import annotations

from linkwork.kernels.jit import RHS, kernel
from linkwork.kernels.light_loops import add_multipliers, factor_light_loops
from linkwork.kernels.spatial.inertia import gather
from linkwork.kernels.spatial.joint import solve
from linkwork.kernels.spatial.recursion import push_rows

__all__ = ["add", "factor", "solve"]


@kernel(RHS)
def factor(t, y, p, tab, w, f):
    """Articulated inertias, and the factored equations of the rows that close loops."""
    gather(p, tab, w)
    push_rows(p, tab, w)
    factor_light_loops(p, tab, w)


add = add_multipliers
