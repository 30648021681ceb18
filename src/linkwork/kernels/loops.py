"""Loops in joint coordinates: the equations of the rows that close them, for plane and space alike.

        S lam = right - J_b a_b          S_rs = sum over the steps of the tree of  u_r u_s / D

`push_rows` of each dimension leaves u / sqrt(D) of every row and step; a_b are accelerations of the bodies without the
rows, or with the multipliers found so far.  A singular position shows in pivots that are small against what the same
row would have on free bodies: its own diagonal can vanish there, too.  Regularised and refined as in `equations`.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.equations import EPS_ROWS, HEALTHY, MOST_REFINEMENTS, SINGULAR
from linkwork.kernels.jit import ADD, SOLVE, A, I, adder_at, f8, i8, kernel, spreader_at, types
from linkwork.kernels.linear import factorise, substitute
from linkwork.kernels.planar import links as plane
from linkwork.kernels.spatial import links as space


@kernel(f8(i8, A, I, A))
def free_size(r, p, tab, w):
    """What the diagonal of a row would be between free bodies; zero if it is not held."""
    dof = tab[at.DOF]
    row_block = tab[at.T_ROW_BLOCK]
    size = 0.0
    if w[tab[at.W_HELD] + r] != 0.0:
        for b in range(tab[row_block + r], tab[row_block + r + 1]):
            m = tab[at.P_INVERSE_MASS] + tab[tab[at.T_BLOCK_BODY] + b]
            j = tab[at.W_BLOCK] + dof * b
            for c in range(dof):
                size += w[j + c] * w[j + c] * p[m + c]
    return size


@kernel(types.void(f8, A, I, A))
def _assemble(eps, p, tab, w):
    """S, with a part eps of the rows' diagonal on free bodies (left in W_FREE) added to its diagonal."""
    x = tab[at.W_FACTOR]
    scaled = tab[at.W_SCALED_ENTRY]
    place = tab[at.T_PERMUTATION]
    scale = tab[at.W_SCALE]
    free = tab[at.W_FREE]
    first = tab[at.T_ASSEMBLY]
    for i in range(x, x + tab[at.N_UNKNOWNS] + tab[at.N_FILL]):
        w[i] = 0.0
    for k in range(first, first + at.ASSEMBLY_COLUMNS * tab[at.N_ASSEMBLY], at.ASSEMBLY_COLUMNS):
        i, j = scaled + tab[k + at.ASSEMBLY_ONE], scaled + tab[k + at.ASSEMBLY_OTHER]
        w[x + tab[k + at.ASSEMBLY_TARGET]] += w[i] * w[j]
    for r in range(tab[at.N_ROWS]):
        k = tab[place + r]
        size = free_size(r, p, tab, w)
        if size == 0.0:  # not held
            w[x + k] = 1.0
            w[scale + k] = 1.0
            w[free + k] = 0.0
            continue
        w[free + k] = size
        w[x + k] += eps * size
        w[scale + k] = max(w[x + k], 1e-14 * size)


@kernel(types.void(A, I, A))
def factor_loops(p, tab, w):
    """Assemble and factor S; leaves the smallest pivot of a row in the workspace."""
    n = tab[at.N_UNKNOWNS]
    x = tab[at.W_FACTOR]
    free = tab[at.W_FREE]
    eps = 0.0
    pivot = 1.0
    own = 1.0
    for _ in range(2):
        _assemble(eps, p, tab, w)
        own = factorise(n, tab[at.T_COLUMN], tab[at.T_TARGET], x, tab[at.W_SCALE], tab, w)
        pivot = 1.0e300
        for k in range(n):
            if w[free + k] > 0.0:
                pivot = min(pivot, 1.0 / abs(w[x + k] * w[free + k]))
        if (pivot > SINGULAR and own > SINGULAR) or eps > 0.0:
            break
        eps = EPS_ROWS
    w[at.PIVOT] = pivot
    # beside a singular position J changes much from one iteration to the next: solutions are refined there
    w[at.PLAIN] = 1.0 if own > HEALTHY and pivot > HEALTHY else 0.0


@kernel(types.UniTuple(i8, 2)(I))
def force_of_link(tab):
    """Scratch of a link, and where the force along its step is in it."""
    if tab[at.DIMENSION] == 2:
        return plane.SIZE, plane.G
    return space.SIZE, space.G


@kernel(f8(i8, f8, A, I, A))
def _residual(right, size, p, tab, w):
    """right - J a of every row, in W_UNKNOWN for the solve and in W_RESIDUAL; returns the largest against the bulk."""
    dof = tab[at.DOF]
    b = tab[at.W_UNKNOWN]
    place = tab[at.T_PERMUTATION]
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    a = tab[at.W_ACCELERATION]
    held = tab[at.W_HELD]
    residual = tab[at.W_RESIDUAL]
    largest = 0.0
    for r in range(tab[at.N_ROWS]):
        rest = 0.0
        if w[held + r] != 0.0:
            rest = w[right + r]
            bulk = abs(rest)
            for k in range(tab[row_block + r], tab[row_block + r + 1]):
                i = a + tab[body_of + k]
                j = block + dof * k
                for c in range(dof):
                    part = w[j + c] * w[i + c]
                    rest -= part
                    bulk += abs(part)
            size = max(size, bulk)
            largest = max(largest, abs(rest))
        w[b + tab[place + r]] = rest
        w[residual + r] = rest
    w[at.BULK] = size
    return largest / size if size > 0.0 else 0.0


@kernel(ADD)
def add_multipliers(p, tab, w):
    """Solve for the residuals; add the multipliers, and their forces along every step of the tree."""
    size, force = force_of_link(tab)
    width = tab[at.DOF] + 1  # of an entry; u is its last number
    links = tab[at.W_LINK]
    push = tab[at.W_PUSH]
    entries = tab[at.T_ENTRY]
    row_entry = tab[at.T_ROW_ENTRY]
    lam = tab[at.W_LAMBDA]
    held = tab[at.W_HELD]
    b = tab[at.W_UNKNOWN]
    place = tab[at.T_PERMUTATION]
    substitute(tab[at.N_UNKNOWNS], tab[at.T_COLUMN], tab[at.T_ENTRY_ROW], tab[at.W_FACTOR], b, tab, w)
    for r in range(tab[at.N_ROWS]):
        change = w[b + tab[place + r]] * w[held + r]
        w[lam + r] += change
        for e in range(tab[row_entry + r], tab[row_entry + r + 1]):
            entry = entries + at.ENTRY_COLUMNS * e
            step = links + size * tab[entry + at.ENTRY_LINK] + force + tab[entry + at.ENTRY_PART]
            w[step] += w[push + width * (e + 1) - 1] * change


@kernel(SOLVE)
def solve_loops(known, right, p, tab, w):
    """Accelerations or a step, and multipliers, refined as in `equations`; without rows one way along the tree."""
    spread = spreader_at(tab[at.A_SPREAD])
    add = adder_at(tab[at.A_ADD])
    n_rows = tab[at.N_ROWS]
    if n_rows == 0:
        w[at.PIVOT] = 1.0
        spread(known, p, tab, w)
        return
    links = tab[at.W_LINK]
    lam = tab[at.W_LAMBDA]
    if known == 0.0:  # a step of a projection: no force but that of the rows
        size, force = force_of_link(tab)
        for k in range(1, tab[at.N_LINKS] + 1):
            for c in range(3 if size == space.SIZE else 1):
                w[links + size * k + force + c] = 0.0
    for r in range(n_rows):
        w[lam + r] = 0.0
    spread(known, p, tab, w)
    largest = 0.0
    before = 1.0e300
    bulk = 0.0
    for sweep in range(MOST_REFINEMENTS + 1):
        largest = _residual(right, bulk, p, tab, w)
        bulk = w[at.BULK]
        if (sweep >= 2 and (largest < 1e-13 or largest > 0.9 * before)) or sweep == MOST_REFINEMENTS:
            break
        before = largest
        add(p, tab, w)
        spread(known, p, tab, w)
        if w[at.PLAIN] == 1.0:  # the factor is good to rounding
            largest = 0.0
            break
    w[at.RESIDUAL] = largest
