"""What Python calls: arrays come in, and kernels at addresses are given pointers to them."""

from __future__ import annotations

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import (
    ARRAY,
    INTEGERS,
    MATRIX,
    TABLE,
    A,
    I,
    at_address,
    beyond,
    f8,
    i8,
    kernel,
    pointer,
    solver_at,
)


@kernel(types.void(i8, f8, ARRAY, ARRAY, TABLE, ARRAY, ARRAY))
def call(address, t, y, p, tab, w, f):
    """One kernel of the signature RHS."""
    at_address(address)(t, pointer(y), pointer(p), pointer(tab), pointer(w), pointer(f))


@kernel(types.void(i8, f8, i8, ARRAY, TABLE, ARRAY))
def solve(address, known, right, p, tab, w):
    """One kernel of the signature SOLVE."""
    solver_at(address)(known, right, pointer(p), pointer(tab), pointer(w))


@kernel(types.void(A, A, I, A, A))
def _energies(y, p, tab, w, out):
    """Kinetic energy, potential of the weights and sum of the work at a state that has been located."""
    dof = tab[at.DOF]
    dimension = tab[at.DIMENSION]
    pose = at.POSE_PLANE if dimension == 2 else at.POSE_SPACE
    first = tab[at.N_Q] + tab[at.N_V]
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
        work += y[c]
    out[0] = kinetic
    out[1] = potential
    out[2] = work


@kernel(types.void(i8, ARRAY, MATRIX, ARRAY, TABLE, ARRAY, ARRAY, INTEGERS, MATRIX, MATRIX, MATRIX))
def sweep(rhs_at, times, states, p, tab, w, f, picks, derivatives, picked, energies):
    """Evaluate stored states one by one and keep chosen places of the workspace: what results are read from.

    Derivatives, and energies (see `_energies`), are kept where there are columns for them.
    """
    rhs = at_address(rhs_at)
    n = f.size
    memory = tab[at.W_MEMORY]
    for s in range(times.size):
        for i in range(tab[at.N_MEMORY]):
            w[memory + i] = states[s, n + i]
        for i in range(n):
            f[i] = 0.0
        y = beyond(pointer(states), s * states.shape[1])
        rhs(times[s], y, pointer(p), pointer(tab), pointer(w), pointer(f))
        for i in range(derivatives.shape[1]):
            derivatives[s, i] = f[i]
        for i in range(picks.size):
            picked[s, i] = w[picks[i]]
        if energies.shape[1] > 0:
            _energies(y, pointer(p), pointer(tab), pointer(w), beyond(pointer(energies), s * energies.shape[1]))
