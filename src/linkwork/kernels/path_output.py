"""Outputs on the path of a driven mechanism: state, accelerations, and multipliers from one factor; see `path`."""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, solver_at, types
from linkwork.kernels.path_places import A1, FORCES, IDLE, LOADED, N_VECTORS, SENSE, UNBALANCED
from linkwork.kernels.slots import apply_laws


@kernel(types.void(f8, A, A, A, I, A, A, A))
def multipliers_of(t, z, masses, p, tab, w, f, g):
    """Multipliers of the rows at z, located and factored, whose accelerations are in W_CHANGE."""
    dof = tab[at.DOF]
    count = dof * (tab[at.N_BODIES] + 1)
    h = tab[at.W_APPLIED]
    twist = tab[at.W_TWIST]
    inverse = tab[at.P_INVERSE_MASS]
    right = tab[at.W_RIGHT]
    for i in range(count):
        g[i] = masses[i] * w[tab[at.W_ACCELERATION] + i]
        w[h + i] = p[tab[at.P_GRAVITY] + i]
    if tab[at.N_LAWS] > 0:
        apply_laws(t, z, p, tab, w, f)
    for i in range(count):
        g[i] -= w[h + i]
    if dof == 6:  # w x (J w), in principal axes
        for b in range(1, tab[at.N_BODIES] + 1):
            v, i = twist + 6 * b + 3, 6 * b + 3
            g[i] -= (masses[i + 1] - masses[i + 2]) * w[v + 1] * w[v + 2]
            g[i + 1] -= (masses[i + 2] - masses[i]) * w[v + 2] * w[v]
            g[i + 2] -= (masses[i] - masses[i + 1]) * w[v] * w[v + 1]
    for r in range(tab[at.N_ROWS]):
        total = 0.0
        for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
            body = tab[tab[at.T_BLOCK_BODY] + k]
            for i in range(dof):
                total += w[tab[at.W_BLOCK] + dof * k + i] * p[inverse + body + i] * g[body + i]
        w[right + r] = total
    solver_at(tab[at.A_SOLVE])(0.0, right, p, tab, w)


@kernel(types.void(A, I, A, A, A))
def _look_at_balance(p, tab, w, g, c):
    """What multipliers leave of the loads: a force along what nothing drives."""
    dof = tab[at.DOF]
    length = p[tab[at.P_LENGTH]]
    for i in range(dof, dof * (tab[at.N_BODIES] + 1)):
        c[LOADED] = max(c[LOADED], abs(g[i]) * (1.0 if i % dof < tab[at.DIMENSION] else 1.0 / length))
    for r in range(tab[at.N_ROWS]):
        for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
            body = tab[tab[at.T_BLOCK_BODY] + k]
            for i in range(dof):
                g[body + i] -= w[tab[at.W_BLOCK] + dof * k + i] * w[tab[at.W_LAMBDA] + r]
    for i in range(dof, dof * (tab[at.N_BODIES] + 1)):
        if p[tab[at.P_INVERSE_MASS] + i] != 0.0:
            left = abs(g[i]) * (1.0 if i % dof < tab[at.DIMENSION] else 1.0 / length)
            c[UNBALANCED] = max(c[UNBALANCED], left)


@kernel(types.void(i8, f8, A, A, A, A, I, A, A, A, A, A, A))
def write(k, t, y, room, masses, p, tab, w, f, c, states, accelerations, multipliers):
    """One output at y, where the workspace is."""
    n_q, n_v, rows = tab[at.N_Q], tab[at.N_V], tab[at.N_ROWS]
    n_y = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES]
    n_memory = tab[at.N_MEMORY]
    wide = n_y + n_memory
    a1 = n_y + A1 * n_v
    sense = c[SENSE]
    for i in range(n_y):
        states[k * wide + i] = y[i]
    for i in range(n_q, n_q + n_v):
        states[k * wide + i] = sense * y[i]
    for i in range(n_memory):
        states[k * wide + n_y + i] = w[tab[at.W_MEMORY] + i]
    for i in range(n_v):
        accelerations[k * n_v + i] = room[a1 + i]
    if c[FORCES] == 0.0:
        return
    z = room
    for i in range(n_y):
        z[i] = states[k * wide + i]
    if sense < 0.0:
        at_address(tab[at.A_LOCATE])(t, z, p, tab, w, f)
    for i in range(n_v):
        w[tab[at.W_CHANGE] + i] = room[a1 + i]
    g = beyond(room, n_y + N_VECTORS * n_v)
    multipliers_of(t, z, masses, p, tab, w, f, g)
    for r in range(rows):
        multipliers[k * rows + r] = w[tab[at.W_LAMBDA] + r] * w[tab[at.W_HELD] + r]
    if c[IDLE] == 1.0:
        _look_at_balance(p, tab, w, g, c)
