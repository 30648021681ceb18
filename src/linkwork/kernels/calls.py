"""What Python calls: arrays come in, and kernels at addresses are given pointers to them."""

from __future__ import annotations

import numpy as np
from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import ARRAY, INTEGERS, MATRIX, at_address, f8, i8, kernel, pointer


@kernel(types.void(i8, f8, ARRAY, ARRAY, INTEGERS, ARRAY, ARRAY))
def call(address, t, y, p, tab, w, f):
    """One kernel of the signature RHS."""
    at_address(address)(t, pointer(y), pointer(p), pointer(tab), pointer(w), pointer(f))


@kernel(types.void(i8, ARRAY, MATRIX, ARRAY, INTEGERS, ARRAY, ARRAY, INTEGERS, MATRIX, MATRIX))
def sweep(rhs_at, times, states, p, tab, w, f, picks, derivatives, picked):
    """Evaluate stored states one by one and keep chosen places of the workspace: what results are read from."""
    rhs = at_address(rhs_at)
    n = f.size
    memory = tab[at.W_MEMORY]
    y = np.empty(n)
    for s in range(times.size):
        for i in range(n):
            y[i] = states[s, i]
        for i in range(tab[at.N_MEMORY]):
            w[memory + i] = states[s, n + i]
        for i in range(n):
            f[i] = 0.0
        rhs(times[s], pointer(y), pointer(p), pointer(tab), pointer(w), pointer(f))
        for i in range(n):
            derivatives[s, i] = f[i]
        for i in range(picks.size):
            picked[s, i] = w[picks[i]]
