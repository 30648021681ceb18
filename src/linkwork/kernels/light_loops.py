"""Loops in joint coordinates where bodies are light beside others: S of `loops` with twice the digits.

A light body at the end of the tree gives its step 1 / D in S.  Where a loop holds it, the multipliers pass it by: the
forces of heavy bodies cancel along its step down to what moves the light one.  With 16 digits nothing of either is
left.  What the rows meet along the steps, u, is good to rounding and is used as it is, here and in the forces:

        S_rs = sum over the steps of the tree of  u_r u_s / D          G += sum of  u_r lam_r
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.doubled import add_to, factorise, plus, substitute, times
from linkwork.kernels.equations import EPS_ROWS, SINGULAR
from linkwork.kernels.jit import ADD, A, I, f8, kernel, types
from linkwork.kernels.loops import force_of_link, free_size
from linkwork.kernels.planar import links as plane
from linkwork.kernels.spatial import links as space


@kernel(types.void(I, A))
def _scale_balls(tab, w):
    """u of every entry where S is made from; of a ball, whose D = L L' is a matrix, L^-1 u."""
    low = tab[at.LOW]
    scaled = tab[at.W_SCALED_ENTRY]
    push = tab[at.W_PUSH]
    width = tab[at.DOF] + 1  # of an entry; u is its last number
    for e in range(tab[at.N_ENTRIES]):
        w[scaled + e] = w[push + width * (e + 1) - 1]
        w[scaled + e + low] = 0.0
        entry = tab[at.T_ENTRY] + at.ENTRY_COLUMNS * e
        link = tab[entry + at.ENTRY_LINK]
        if tab[tab[at.T_LINK] + at.LINK_COLUMNS * link + at.LINK_KIND] == at.BALL:
            c = tab[entry + at.ENTRY_PART]
            inverse = tab[at.W_LINK] + space.SIZE * link + space.UN + c * (c + 1) // 2
            total = 0.0
            total_low = 0.0
            for j in range(c + 1):
                part, part_low = times(w[inverse + j], 0.0, w[push + width * (e - c + j + 1) - 1], 0.0)
                total, total_low = plus(total, total_low, part, part_low)
            w[scaled + e], w[scaled + e + low] = total, total_low


@kernel(types.void(f8, A, I, A))
def _assemble(eps, p, tab, w):
    """S, with a part eps of the rows' diagonal on free bodies added to its diagonal."""
    low = tab[at.LOW]
    x = tab[at.W_FACTOR]
    scaled = tab[at.W_SCALED_ENTRY]
    scale = tab[at.W_SCALE]
    size, _ = force_of_link(tab)
    mobility = plane.ID if tab[at.DIMENSION] == 2 else space.ID
    for i in range(x, x + tab[at.N_UNKNOWNS] + tab[at.N_FILL]):
        w[i] = 0.0
        w[i + low] = 0.0
    first = tab[at.T_ASSEMBLY]
    for k in range(first, first + at.ASSEMBLY_COLUMNS * tab[at.N_ASSEMBLY], at.ASSEMBLY_COLUMNS):
        i, j = scaled + tab[k + at.ASSEMBLY_ONE], scaled + tab[k + at.ASSEMBLY_OTHER]
        link = tab[tab[at.T_ENTRY] + at.ENTRY_COLUMNS * tab[k + at.ASSEMBLY_ONE] + at.ENTRY_LINK]
        kind = tab[tab[at.T_LINK] + at.LINK_COLUMNS * link + at.LINK_KIND]
        if kind == at.RIGID:
            continue
        part, part_low = times(w[i], w[i + low], w[j], w[j + low])
        if kind != at.BALL:
            part, part_low = times(part, part_low, w[tab[at.W_LINK] + size * link + mobility], 0.0)
        add_to(x + tab[k + at.ASSEMBLY_TARGET], low, part, part_low, w)
    for r in range(tab[at.N_ROWS]):
        k = tab[tab[at.T_PERMUTATION] + r]
        free = free_size(r, p, tab, w)
        w[scale + k] = free if free > 0.0 else 1.0
        if free > 0.0:
            add_to(x + k, low, eps * free, 0.0, w)
        else:  # not held
            w[x + k] = 1.0
            w[x + k + low] = 0.0


@kernel(types.void(A, I, A))
def factor_light_loops(p, tab, w):
    """Assemble and factor S; leaves the smallest pivot of a row in the workspace."""
    _scale_balls(tab, w)
    eps = 0.0
    pivot = 1.0
    for _ in range(2):
        _assemble(eps, p, tab, w)
        pivot = factorise(
            tab[at.N_UNKNOWNS],
            tab[at.T_COLUMN],
            tab[at.T_TARGET],
            tab[at.W_FACTOR],
            tab[at.W_SCALE],
            tab[at.LOW],
            tab,
            w,
        )
        if pivot > SINGULAR or eps > 0.0:
            break
        eps = EPS_ROWS
    w[at.PIVOT] = pivot
    w[at.PLAIN] = 0.0


@kernel(ADD)
def add_multipliers(p, tab, w):
    """Solve for the residuals; add the multipliers, and their forces along every step of the tree."""
    low = tab[at.LOW]
    size, force = force_of_link(tab)
    width = tab[at.DOF] + 1
    pull = tab[at.W_PULL]
    push = tab[at.W_PUSH]
    b = tab[at.W_UNKNOWN]
    for i in range(tab[at.N_ROWS]):  # residuals are numbers of usual length
        w[b + i + low] = 0.0
    substitute(tab[at.N_UNKNOWNS], tab[at.T_COLUMN], tab[at.T_ENTRY_ROW], tab[at.W_FACTOR], b, low, tab, w)
    links = tab[at.N_LINKS]
    for i in range(pull, pull + 3 * (links + 1)):
        w[i] = 0.0
        w[i + low] = 0.0
    for r in range(tab[at.N_ROWS]):
        if w[tab[at.W_HELD] + r] != 0.0:
            k = b + tab[tab[at.T_PERMUTATION] + r]
            w[tab[at.W_LAMBDA] + r] += w[k]
            for e in range(tab[tab[at.T_ROW_ENTRY] + r], tab[tab[at.T_ROW_ENTRY] + r + 1]):
                entry = tab[at.T_ENTRY] + at.ENTRY_COLUMNS * e
                part, part_low = times(w[push + width * (e + 1) - 1], 0.0, w[k], w[k + low])
                add_to(pull + 3 * tab[entry + at.ENTRY_LINK] + tab[entry + at.ENTRY_PART], low, part, part_low, w)
    for k in range(1, links + 1):
        for c in range(3 if tab[at.DIMENSION] == 3 else 1):
            w[tab[at.W_LINK] + size * k + force + c] += w[pull + 3 * k + c]
