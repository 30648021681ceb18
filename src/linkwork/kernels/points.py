"""Motion in coordinates of points, of the plane and of space: accelerations and multipliers are found together.

M is a constant template but for what an angle has in common with the point that its body hangs on (plane only), and J
has a number for each coordinate of a point or vector that a row touches:

        [M, J'; J, 0] [q''; -lam] = [Q; gamma]

A row is eliminated after all of its points, so that its pivot vanishes only where J loses rank.  Where pivots are
small, or bodies have no inertia, a small regularisation is added and refined away, as in `equations`.

The right side of accelerations is without what bodies have of them besides those of the coordinates.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.equations import EPS, HEALTHY, MOST_REFINEMENTS, SINGULAR
from linkwork.kernels.jit import A, I, f8, i8, kernel, types
from linkwork.kernels.linear import factorise, substitute
from linkwork.kernels.planar.shares import A_X, A_Y, CLASS

#: pivots of M below this part of its diagonal lose digits: solutions are refined
POOR = 1e-9
#: PLAIN of a factor that is refined once
TWICE = 0.5
#: refinements where points have no mass, at most
MANY = 8
#: refinements that change accelerations by less than this part of them are the last ones
SETTLED = 1e-13


@kernel(types.void(f8, f8, A, I, A))
def _assemble(eps, delta, p, tab, w):
    """The saddle point: M with a part delta of the usual inertia, J of the held rows, -eps of their size."""
    x = tab[at.W_FACTOR]
    scale = tab[at.W_SCALE]
    place = tab[at.T_PERMUTATION]
    n_v = tab[at.N_V]
    for i in range(x, x + tab[at.N_UNKNOWNS] + tab[at.N_FILL]):
        w[i] = 0.0
    for k in range(tab[at.N_MASSES]):
        w[x + tab[tab[at.T_MASS_TARGET] + k]] = p[tab[at.P_MASS_ENTRY] + k]
    for k in range(tab[at.N_SWAYS]):
        sway = tab[at.P_SWAY] + 2 * k
        o = tab[at.W_CLASS] + CLASS * tab[tab[at.T_SWAY] + at.SWAY_COLUMNS * k + at.SWAY_CLASS]
        ax, ay = w[o + A_X], w[o + A_Y]
        to = tab[at.T_SWAY_TARGET] + 2 * k  # i a gamma
        w[x + tab[to]] = -(ax * p[sway + 1] + ay * p[sway])
        w[x + tab[to + 1]] = ax * p[sway] - ay * p[sway + 1]
    for i in range(n_v):
        k = tab[place + i]
        w[x + k] += delta * p[tab[at.P_UNIT] + i]
        w[scale + k] = abs(w[x + k])
    # the list of products has the entries of J in their order
    target = tab[at.T_ASSEMBLY] + at.ASSEMBLY_TARGET
    entry, column, ease = tab[at.W_ENTRY], tab[at.T_ENTRY_PLACE], tab[at.P_EASE]
    row_entry = tab[at.T_ROW_ENTRY]
    for r in range(tab[at.N_ROWS]):
        size = 0.0
        held = w[tab[at.W_HELD] + r]
        for i in range(tab[row_entry + r], tab[row_entry + r + 1]):
            value = w[entry + i]
            size += value * value * p[ease + tab[column + i]]
            w[x + tab[target + at.ASSEMBLY_COLUMNS * i]] = value * held
        k = tab[place + n_v + r]
        if held == 0.0 or size == 0.0:
            w[scale + k] = 1.0
            w[x + k] = -1.0
        else:
            w[scale + k] = size
            w[x + k] = -eps * size


@kernel(types.void(A, I, A))
def factor_points(p, tab, w):
    """The saddle point, factored, from J in W_ENTRY; leaves the smallest pivot of a row."""
    n = tab[at.N_UNKNOWNS]
    n_v = tab[at.N_V]
    x = tab[at.W_FACTOR]
    scale = tab[at.W_SCALE]
    place = tab[at.T_PERMUTATION]
    delta = EPS * p[tab[at.P_BARE]]
    eps = delta
    pivot = 1.0
    own = 1.0
    for _ in range(2):
        _assemble(eps, delta, p, tab, w)
        own = factorise(n, tab[at.T_COLUMN], tab[at.T_TARGET], x, scale, tab, w)
        largest = 1.0
        for k in range(n_v, n):
            i = tab[place + k]
            largest = max(largest, abs(w[x + i] * w[scale + i]))
        pivot = 1.0 / largest
        if eps > 0.0 or (pivot > SINGULAR and own > 1e-13):
            break
        eps = EPS
    w[at.PIVOT] = pivot
    # of a factor without regularisation two solves are good to rounding, where pivots are not tiny
    w[at.PLAIN] = 0.0
    if eps == 0.0 and own > POOR:
        w[at.PLAIN] = 1.0 if pivot > HEALTHY else TWICE


@kernel(types.void(f8, A, I, A))
def _coordinate_residuals(known, p, tab, w):
    """Q - M q'' + J' lam of every coordinate, where the solve wants it."""
    rest = tab[at.W_REST]
    change = tab[at.W_CHANGE]
    for i in range(tab[at.N_V]):
        w[rest + i] = w[tab[at.W_FORCE] + i] if known == 1.0 else 0.0
    for k in range(tab[at.N_MASSES]):
        entry = tab[at.T_MASS] + at.MASS_COLUMNS * k
        i, j, mass = tab[entry + at.MASS_ONE], tab[entry + at.MASS_OTHER], p[tab[at.P_MASS_ENTRY] + k]
        w[rest + i] -= mass * w[change + j]
        if i != j:
            w[rest + j] -= mass * w[change + i]
    for k in range(tab[at.N_SWAYS]):
        entry = tab[at.T_SWAY] + at.SWAY_COLUMNS * k
        sway = tab[at.P_SWAY] + 2 * k
        o = tab[at.W_CLASS] + CLASS * tab[entry + at.SWAY_CLASS]
        ax, ay = w[o + A_X], w[o + A_Y]
        mx, my = -(ax * p[sway + 1] + ay * p[sway]), ax * p[sway] - ay * p[sway + 1]
        i, j = tab[entry + at.SWAY_PLACE], tab[entry + at.SWAY_SPEED]
        w[rest + i] -= mx * w[change + j]
        w[rest + i + 1] -= my * w[change + j]
        w[rest + j] -= mx * w[change + i] + my * w[change + i + 1]
    for r in range(tab[at.N_ROWS]):
        if w[tab[at.W_HELD] + r] != 0.0:
            for i in range(tab[tab[at.T_ROW_ENTRY] + r], tab[tab[at.T_ROW_ENTRY] + r + 1]):
                w[rest + tab[tab[at.T_ENTRY_PLACE] + i]] += w[tab[at.W_ENTRY] + i] * w[tab[at.W_LAMBDA] + r]
    for i in range(tab[at.N_V]):
        w[tab[at.W_UNKNOWN] + tab[tab[at.T_PERMUTATION] + i]] = w[rest + i]


@kernel(f8(i8, A, I, A))
def _row_residuals(right, p, tab, w):
    """right - J q'' of every row, where the solve wants it; returns the largest, with the largest part in BULK."""
    place = tab[at.T_PERMUTATION] + tab[at.N_V]
    change = tab[at.W_CHANGE]
    largest = 0.0
    for r in range(tab[at.N_ROWS]):
        rest = 0.0
        if w[tab[at.W_HELD] + r] != 0.0:
            rest = w[right + r]
            bulk = abs(rest)
            for i in range(tab[tab[at.T_ROW_ENTRY] + r], tab[tab[at.T_ROW_ENTRY] + r + 1]):
                part = w[tab[at.W_ENTRY] + i] * w[change + tab[tab[at.T_ENTRY_PLACE] + i]]
                rest -= part
                bulk += abs(part)
            w[at.BULK] = max(w[at.BULK], bulk)
            largest = max(largest, abs(rest))
        w[tab[at.W_UNKNOWN] + tab[place + r]] = rest
        w[tab[at.W_RESIDUAL] + r] = rest
    return largest


@kernel(f8(A, I, A))
def _add_solution(p, tab, w):
    """Solve for the residuals, and add what comes out to accelerations and multipliers; returns how much that changes
    accelerations, against their size.
    """
    b = tab[at.W_UNKNOWN]
    place = tab[at.T_PERMUTATION]
    n_v = tab[at.N_V]
    substitute(tab[at.N_UNKNOWNS], tab[at.T_COLUMN], tab[at.T_ENTRY_ROW], tab[at.W_FACTOR], b, tab, w)
    more = 0.0
    all_of_it = 0.0
    for i in range(n_v):
        step = w[b + tab[place + i]]
        total = w[tab[at.W_CHANGE] + i] + step
        w[tab[at.W_CHANGE] + i] = total
        more += p[tab[at.P_UNIT] + i] * step * step
        all_of_it += p[tab[at.P_UNIT] + i] * total * total
    for r in range(tab[at.N_ROWS]):
        if w[tab[at.W_HELD] + r] != 0.0:
            w[tab[at.W_LAMBDA] + r] -= w[b + tab[place + n_v + r]]
    return math.sqrt(more / all_of_it) if all_of_it > 0.0 else 0.0


@kernel(types.void(f8, i8, A, I, A))
def _solve_plainly(known, right, p, tab, w):
    """One solve with a factor that is good to rounding."""
    b = tab[at.W_UNKNOWN]
    place = tab[at.T_PERMUTATION]
    n_v = tab[at.N_V]
    for i in range(n_v):
        w[b + tab[place + i]] = w[tab[at.W_FORCE] + i] if known == 1.0 else 0.0
    for r in range(tab[at.N_ROWS]):
        rest = 0.0
        if w[tab[at.W_HELD] + r] != 0.0:
            rest = w[right + r]
        w[b + tab[place + n_v + r]] = rest
    substitute(tab[at.N_UNKNOWNS], tab[at.T_COLUMN], tab[at.T_ENTRY_ROW], tab[at.W_FACTOR], b, tab, w)
    for i in range(n_v):
        w[tab[at.W_CHANGE] + i] = w[b + tab[place + i]]
    for r in range(tab[at.N_ROWS]):
        w[tab[at.W_LAMBDA] + r] = -w[b + tab[place + n_v + r]] * w[tab[at.W_HELD] + r]


@kernel(f8(f8, i8, A, I, A))
def _solve_refined(known, right, p, tab, w):
    """Solve again for what is left, until no more is gained; returns the residual of the rows."""
    for i in range(tab[at.N_V]):
        w[tab[at.W_CHANGE] + i] = 0.0
    for r in range(tab[at.N_ROWS]):
        w[tab[at.W_LAMBDA] + r] = 0.0
    w[at.BULK] = 0.0
    largest = 0.0
    before = 1.0e300
    # rows are met long before points without mass have their accelerations
    bare = p[tab[at.P_BARE]] != 0.0
    least = 2 if w[at.PLAIN] == TWICE else 3
    change = 1.0
    for sweep in range(MOST_REFINEMENTS + 1):
        largest = _row_residuals(right, p, tab, w)
        largest = largest / w[at.BULK] if w[at.BULK] > 0.0 else 0.0
        met = largest < 1e-13 or largest > 0.9 * before
        if sweep == MOST_REFINEMENTS or (sweep >= least and met and (not bare or sweep >= MANY or change < SETTLED)):
            break
        before = largest
        _coordinate_residuals(known, p, tab, w)
        change = _add_solution(p, tab, w)
    return largest


@kernel(types.void(f8, i8, A, I, A))
def solve_points(known, right, p, tab, w):
    """Accelerations or a step, and multipliers; refined where the factor is not good to rounding."""
    if w[at.PLAIN] == 1.0:
        _solve_plainly(known, right, p, tab, w)
        w[at.RESIDUAL] = 0.0
    else:
        w[at.RESIDUAL] = _solve_refined(known, right, p, tab, w)
