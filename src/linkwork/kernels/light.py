"""Motion under constraints where bodies are light beside others: the saddle point with twice the digits.

A light body that is free to move needs its own mass, however small: its acceleration is force by mass.  A light body
that is held between heavy ones passes their forces on, and must not be divided by its mass: 1e-15 kg would leave one
digit of them.  No order of elimination serves both in 16 digits; with 32 any order does, and masses are taken as they
are.  Where there is none at all, a part of the smallest one stands in for it, and is refined away with `-eps`:

        [M + delta, J'; J, -eps] [da; -dlam] = [h - M a + J' lam; gamma - J a]

Symbols as in `equations`.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.doubled import add_to, factorise, plus, substitute, times
from linkwork.kernels.equations import MOST_REFINEMENTS, assemble_saddle
from linkwork.kernels.jit import A, I, f8, i8, kernel, types

LEAST_SOLVES = 3  # each leaves EPS of every part, where no position is singular


@kernel(types.void(A, I, A))
def factor_light(p, tab, w):
    """Assemble and factor the saddle point; leaves the smallest pivot of a row in the workspace."""
    n = tab[at.N_UNKNOWNS]
    x = tab[at.W_FACTOR]
    low = tab[at.LOW]
    for i in range(x, x + n + tab[at.N_FILL]):
        w[i] = 0.0
        w[i + low] = 0.0
    assemble_saddle(p, tab, w)
    w[at.PIVOT] = factorise(n, tab[at.T_COLUMN], tab[at.T_TARGET], x, tab[at.W_SCALE], low, tab, w)
    w[at.PLAIN] = 0.0


@kernel(f8(i8, A, I, A))
def _row_residuals(right, p, tab, w):
    """right - J a of every row, where the solve wants it; returns the largest, and leaves the largest part in BULK."""
    dof = tab[at.DOF]
    low = tab[at.LOW]
    place = tab[at.T_PERMUTATION] + tab[at.N_V]
    row_block = tab[at.T_ROW_BLOCK]
    largest = 0.0
    for r in range(tab[at.N_ROWS]):
        rest = 0.0
        rest_low = 0.0
        if w[tab[at.W_HELD] + r] != 0.0:
            rest = w[right + r]
            bulk = abs(rest)
            for k in range(tab[row_block + r], tab[row_block + r + 1]):
                j = tab[at.W_BLOCK] + dof * k
                i = tab[at.W_ACCELERATION] + tab[tab[at.T_BLOCK_BODY] + k]
                for c in range(dof):
                    part, part_low = times(w[j + c], 0.0, w[i + c], w[i + c + low])
                    rest, rest_low = plus(rest, rest_low, -part, -part_low)
                    bulk += abs(part)
            w[at.BULK] = max(w[at.BULK], bulk)
            largest = max(largest, abs(rest))
        i = tab[at.W_UNKNOWN] + tab[place + r]
        w[i], w[i + low] = rest, rest_low
        w[tab[at.W_RESIDUAL] + r] = rest
    return largest


@kernel(types.void(f8, A, I, A))
def _body_residuals(known, p, tab, w):
    """h - M a + J' lam of every coordinate, where the solve wants it."""
    dof = tab[at.DOF]
    low = tab[at.LOW]
    step = tab[at.W_STEP]
    a = tab[at.W_ACCELERATION]
    lam = tab[at.W_LAMBDA]
    row_block = tab[at.T_ROW_BLOCK]
    for i in range(dof + tab[at.N_V]):
        part, part_low = times(p[tab[at.P_MASS] + i], 0.0, w[a + i], w[a + i + low])
        force = w[tab[at.W_APPLIED] + i] if known == 1.0 else 0.0
        w[step + i], w[step + i + low] = plus(force, 0.0, -part, -part_low)
    for r in range(tab[at.N_ROWS]):
        if w[tab[at.W_HELD] + r] != 0.0:
            for k in range(tab[row_block + r], tab[row_block + r + 1]):
                j = tab[at.W_BLOCK] + dof * k
                i = step + tab[tab[at.T_BLOCK_BODY] + k]
                for c in range(dof):
                    part, part_low = times(w[j + c], 0.0, w[lam + r], w[lam + r + low])
                    add_to(i + c, low, part, part_low, w)
    for i in range(tab[at.N_V]):
        k = tab[at.W_UNKNOWN] + tab[tab[at.T_PERMUTATION] + i]
        w[k], w[k + low] = w[step + dof + i], w[step + dof + i + low]


@kernel(f8(f8, i8, A, I, A))
def solve_light(known, right, p, tab, w):
    """`equations.solve_rows` with twice the digits."""
    dof = tab[at.DOF]
    n_rows = tab[at.N_ROWS]
    n_v = tab[at.N_V]
    low = tab[at.LOW]
    b = tab[at.W_UNKNOWN]
    place = tab[at.T_PERMUTATION]
    a = tab[at.W_ACCELERATION]
    lam = tab[at.W_LAMBDA]
    for i in range(dof + n_v):
        w[a + i] = 0.0
        w[a + i + low] = 0.0
    for r in range(n_rows):
        w[lam + r] = 0.0
        w[lam + r + low] = 0.0
    w[at.BULK] = 0.0
    largest = 0.0
    before = 1.0e300
    for sweep in range(MOST_REFINEMENTS + 1):
        largest = _row_residuals(right, p, tab, w)
        largest = largest / w[at.BULK] if w[at.BULK] > 0.0 else 0.0
        if sweep == MOST_REFINEMENTS or (sweep >= LEAST_SOLVES and (largest < 1e-13 or largest > 0.9 * before)):
            break
        before = largest
        _body_residuals(known, p, tab, w)
        substitute(tab[at.N_UNKNOWNS], tab[at.T_COLUMN], tab[at.T_ENTRY_ROW], tab[at.W_FACTOR], b, low, tab, w)
        for i in range(n_v):
            k = b + tab[place + i]
            add_to(a + dof + i, low, w[k], w[k + low], w)
        for r in range(n_rows):
            if w[tab[at.W_HELD] + r] != 0.0:
                k = b + tab[place + n_v + r]
                add_to(lam + r, low, -w[k], -w[k + low], w)
    return largest
