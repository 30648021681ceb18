"""What decides in a projection: how far the rows are from being met, and what the next iteration needs.

And Baumgarte's terms, which stand in for one:  phi'' = -2 alpha phi' - beta^2 phi,  so that errors die away.

Symbols as in `equations`; the loop itself is in `motion`.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, types

DONE, SOLVE, FACTOR = range(3)


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
            largest = max(largest, abs(error) / p[numbers + at.ROW_NUMBERS * r + at.ROW_SCALE])
        else:
            dropped = max(dropped, abs(error) / p[numbers + at.ROW_NUMBERS * r + at.ROW_SCALE])
    if level == 0:
        w[at.ERROR_DROPPED] = dropped
    return largest


@kernel(i8(i8, A, I, A))
def next_step(iteration, p, tab, w):
    """What the positions need: DONE where they are good enough or no longer get better, else SOLVE or FACTOR first.

    The right side of the step is left in W_RIGHT.
    """
    before = w[at.ERROR_POSITION] if iteration > 0 else 1.0e300
    tolerance = w[at.PROJECT_TOLERANCE]
    error = row_error(0, tab[at.W_TWIST], tab[at.W_RIGHT], p, tab, w)
    w[at.ERROR_POSITION] = error
    if iteration > 0 and before > 1e-6:  # the factor is that of a position some way off: solutions must be refined
        w[at.PLAIN] = 0.0
    if error <= tolerance or iteration >= w[at.PROJECT_COUNT] or (error < 1e3 * tolerance and error > 0.5 * before):
        return DONE
    return FACTOR if iteration == 0 or error > 0.01 * before else SOLVE


@kernel(types.void(A, I, A))
def stabilise(p, tab, w):
    """gamma -= 2 alpha (J v - nu) + beta^2 phi, of every row."""
    right = tab[at.W_RIGHT]
    row_error(1, tab[at.W_TWIST], right, p, tab, w)
    for r in range(tab[at.N_ROWS]):
        w[tab[at.W_GAMMA] + r] += w[at.STABILISE_RATE] * w[right + r] - w[at.STABILISE_PLACE] * w[tab[at.W_PHI] + r]
