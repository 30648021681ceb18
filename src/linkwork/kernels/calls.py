"""What Python calls: arrays come in, and kernels at addresses are given pointers to them."""

from __future__ import annotations

import numpy as np
from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import ARRAY, INTEGERS, MATRIX, TABLE, at_address, f8, i8, kernel, pointer, solver_at


@kernel(types.void(i8, f8, ARRAY, ARRAY, TABLE, ARRAY, ARRAY))
def call(address, t, y, p, tab, w, f):
    """One kernel of the signature RHS."""
    at_address(address)(t, pointer(y), pointer(p), pointer(tab), pointer(w), pointer(f))


@kernel(types.void(i8, f8, i8, ARRAY, TABLE, ARRAY))
def solve(address, known, right, p, tab, w):
    """One kernel of the signature SOLVE."""
    solver_at(address)(known, right, pointer(p), pointer(tab), pointer(w))


@kernel(types.void(i8, ARRAY, MATRIX, ARRAY, TABLE, ARRAY, ARRAY, INTEGERS, MATRIX, MATRIX))
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


@kernel(types.void(i8, ARRAY, MATRIX, ARRAY, TABLE, ARRAY, ARRAY, INTEGERS, MATRIX, MATRIX))
def ledger(rhs_at, times, states, p, tab, w, f, picks, energies, picked):
    """Kinetic energy, potential of the weights and sum of the work at stored states, and chosen places."""
    dof = tab[at.DOF]
    dimension = tab[at.DIMENSION]
    pose = at.POSE_PLANE if dimension == 2 else at.POSE_SPACE
    first = tab[at.N_Q] + tab[at.N_V]
    derivative = np.empty((1, f.size))
    for s in range(times.size):
        sweep(rhs_at, times[s : s + 1], states[s : s + 1], p, tab, w, f, picks, derivative, picked[s : s + 1])
        kinetic = 0.0
        potential = 0.0
        work = 0.0
        for k in range(1, tab[at.N_BODIES] + 1):
            for c in range(dof * k, dof * k + dof):
                if p[tab[at.P_INVERSE_MASS] + c] != 0.0:  # a particle has no turning
                    kinetic += 0.5 * p[tab[at.P_MASS] + c] * w[tab[at.W_TWIST] + c] ** 2
            for c in range(dimension):
                potential -= p[tab[at.P_GRAVITY] + dof * k + c] * w[tab[at.W_POSE] + pose * k + c]
        for c in range(first, first + tab[at.N_Z]):
            work += states[s, c]
        energies[s, 0] = kinetic
        energies[s, 1] = potential
        energies[s, 2] = work
