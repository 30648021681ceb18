"""Projection: positions, then velocities, back on the constraints by the smallest move in the metric of the masses.

        q (+)= M^-1 J' (J M^-1 J')^-1 (-phi)          v += M^-1 J' (J M^-1 J')^-1 (nu - J v)

The loop stands with each dimension, because locating and moving are its own:

        locate; begin_projection;  while position_step: move, locate;  velocity_step

Symbols as in `equations`.
"""

from __future__ import annotations

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.equations import factor_rows, solve_rows
from linkwork.kernels.jit import A, I, f8, i8, kernel


@kernel(f8(i8, i8, i8, A, I, A))
def row_error(level, twist, right, p, tab, w):
    """Largest scaled constraint error over the held rows: level 0 phi (left at w[right] as -phi), 1 nu - J v.

    At level 0 that of the dropped rows is kept too: what was redundant must stay met.
    """
    dof = tab[at.DOF]
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    w_phi = tab[at.W_PHI]
    w_nu = tab[at.W_NU]
    held = tab[at.W_HELD]
    numbers = tab[at.P_ROW]
    largest = 0.0
    dropped = 0.0
    for r in range(tab[at.N_ROWS]):
        if level == 0:
            error = -w[w_phi + r]
        else:
            error = w[w_nu + r]
            for k in range(tab[row_block + r], tab[row_block + r + 1]):
                body = twist + tab[body_of + k]
                for c in range(dof):
                    error -= w[block + dof * k + c] * w[body + c]
        w[right + r] = error
        if w[held + r] != 0.0:
            largest = max(largest, abs(error) / p[numbers + 2 * r + 1])
        else:
            dropped = max(dropped, abs(error) / p[numbers + 2 * r + 1])
    if level == 0:
        w[at.ERROR_DROPPED] = dropped
    return largest


@kernel(types.void(A, I, A))
def begin_projection(p, tab, w):
    """Factor the rows where they are."""
    w[at.ITERATION] = 0.0
    w[at.ERROR_POSITION] = 1.0e300
    if tab[at.N_ROWS] > 0:
        factor_rows(p, tab, w)


@kernel(types.boolean(A, I, A))
def position_step(p, tab, w):
    """Solve for the next step of the positions; False where they are good enough, or no longer get better."""
    n_rows = tab[at.N_ROWS]
    if n_rows == 0:
        return False
    right = tab[at.W_RESIDUAL] + n_rows
    before = w[at.ERROR_POSITION]
    tolerance = w[at.PROJECT_TOLERANCE]
    error = row_error(0, tab[at.W_TWIST], right, p, tab, w)
    w[at.ERROR_POSITION] = error
    iteration = w[at.ITERATION]
    if iteration > 0.0 and before > 1e-6:  # the factor is that of a position some way off
        w[at.PLAIN] = 0.0
    if (error <= tolerance or iteration >= w[at.PROJECT_COUNT]
            or (error < 1e3 * tolerance and error > 0.5 * before)):
        return False
    if iteration > 0.0 and error > 0.01 * before:
        factor_rows(p, tab, w)
    w[at.ITERATION] += 1.0
    solve_rows(0.0, right, p, tab, w)
    return True


@kernel(types.void(A, A, I, A))
def velocity_step(y, p, tab, w):
    """Put the velocities right, at the position last located."""
    n_rows = tab[at.N_ROWS]
    if n_rows == 0:
        return
    right = tab[at.W_RESIDUAL] + n_rows
    w[at.ERROR_VELOCITY] = row_error(1, tab[at.W_TWIST], right, p, tab, w)
    solve_rows(0.0, right, p, tab, w)
    step = tab[at.W_ACCELERATION] + tab[at.DOF]
    for i in range(tab[at.N_V]):
        y[tab[at.N_Q] + i] += w[step + i]
