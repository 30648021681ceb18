"""Motion under constraints, in body coordinates: one factorisation serves accelerations and projections.

M is diagonal: kernels integrate the mass centre, in space along principal axes.  With M > 0 the unknowns are the
multipliers,  S = J M^-1 J';  else, or where it fills less, they are accelerations and multipliers together (saddle
point).  Both are factored with a small regularisation and refined against the true equations, which makes singular
positions and zero inertia harmless and leaves the residual of conflicting rows standing:

        S:       (S + eps) dlam = gamma - J a            a = M^-1 (h + J' lam)
        saddle:  [M + delta, J'; J, -eps] [da; -dlam] = [h - M a + J' lam; gamma - J a]

| symbol | word                        | shape                |
|--------|-----------------------------|----------------------|
| h      | applied force               | dof * (bodies + 1)   |
| a      | acceleration, body 0 ground | dof * (bodies + 1)   |
| lam    | multipliers                 | rows                 |
| held   | 1 for a row that is held    | rows                 |
"""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel
from linkwork.kernels.linear import factorise, substitute

EPS = 1e-8
MOST_REFINEMENTS = 5


@kernel(types.void(A, I, A))
def factor_rows(p, tab, w):
    """Assemble and factor S, or the saddle point; leaves the smallest pivot of a row in the workspace."""
    dof = tab[at.DOF]
    n = tab[at.N_UNKNOWNS]
    n_rows = tab[at.N_ROWS]
    x = w[tab[at.W_FACTOR]:tab[at.W_FACTOR] + n + tab[at.N_FILL]]
    scale = w[tab[at.W_SCALE]:tab[at.W_SCALE] + n]
    place = tab[tab[at.T_PERMUTATION]:tab[at.T_PERMUTATION] + n]
    n_blocks = tab[at.N_BLOCKS]
    block = w[tab[at.W_BLOCK]:tab[at.W_BLOCK] + dof * n_blocks]
    scaled = w[tab[at.W_SCALED]:tab[at.W_SCALED] + dof * n_blocks]
    row_block = tab[tab[at.T_ROW_BLOCK]:tab[at.T_ROW_BLOCK] + n_rows + 1]
    body_of = tab[tab[at.T_BLOCK_BODY]:tab[at.T_BLOCK_BODY] + n_blocks]
    held = w[tab[at.W_HELD]:tab[at.W_HELD] + n_rows]
    n_assembly = tab[at.N_ASSEMBLY]
    assembly = tab[tab[at.T_ASSEMBLY]:tab[at.T_ASSEMBLY] + 3 * n_assembly]
    for i in range(x.size):
        x[i] = 0.0
    if tab[at.SADDLE] == 0:
        root = p[tab[at.P_ROOT_INVERSE]:]
        for r in range(n_rows):
            factor = held[r]
            for k in range(row_block[r], row_block[r + 1]):
                body = body_of[k]
                for c in range(dof):
                    scaled[dof * k + c] = factor * block[dof * k + c] * root[body + c]
        if dof == 3:
            for k in range(n_assembly):
                one = 3 * assembly[3 * k]
                two = 3 * assembly[3 * k + 1]
                x[assembly[3 * k + 2]] += (scaled[one] * scaled[two] + scaled[one + 1] * scaled[two + 1]
                                           + scaled[one + 2] * scaled[two + 2])
        else:
            for k in range(n_assembly):
                one = 6 * assembly[3 * k]
                two = 6 * assembly[3 * k + 1]
                x[assembly[3 * k + 2]] += (scaled[one] * scaled[two] + scaled[one + 1] * scaled[two + 1]
                                           + scaled[one + 2] * scaled[two + 2] + scaled[one + 3] * scaled[two + 3]
                                           + scaled[one + 4] * scaled[two + 4] + scaled[one + 5] * scaled[two + 5])
        for r in range(n_rows):
            k = place[r]
            if x[k] == 0.0:  # not held (or without any inertia to push): the multiplier is zero
                x[k] = 1.0
            scale[k] = x[k]
            x[k] *= 1.0 + EPS
    else:
        n_v = tab[at.N_V]
        masses = p[tab[at.P_MASS]:]
        units = p[tab[at.P_MASS_SCALE]:]
        for i in range(n_v):
            mass = masses[dof + i]
            unit = units[dof + i]
            k = place[i]
            scale[k] = mass if mass > 1e-9 * unit else unit
            x[k] = mass if mass > 1e-9 * unit else EPS * unit
        for k in range(n_assembly):
            x[assembly[3 * k + 2]] = block[assembly[3 * k]] * held[assembly[3 * k + 1]]
        for r in range(n_rows):
            size = 0.0
            for b in range(row_block[r], row_block[r + 1]):
                body = body_of[b]
                for c in range(dof):
                    mass = masses[body + c]
                    unit = units[body + c]
                    size += block[dof * b + c] ** 2 / (mass if mass > 1e-9 * unit else unit)
            k = place[n_v + r]
            if held[r] == 0.0 or size == 0.0:
                scale[k] = 1.0
                x[k] = -1.0
            else:
                scale[k] = size
                x[k] = -EPS * size
    column = tab[tab[at.T_COLUMN]:tab[at.T_COLUMN] + n + 1]
    target = tab[tab[at.T_TARGET]:]
    w[at.PIVOT] = factorise(n, column, target, x, scale)


@kernel(f8(f8, f8, i8, A, I, A))
def solve_rows(known, floor, right, p, tab, w):
    """Accelerations and multipliers for the right side at w[right] (one number a row); returns the residual left.

    `known` is 1 to start from the applied forces (accelerations), 0 from nothing (a projection step).  Results in
    W_ACCELERATION (or the step of a projection) and W_LAMBDA.  The residual is relative to what the rows take away,
    or to `floor` where that is more.
    """
    dof = tab[at.DOF]
    n_rows = tab[at.N_ROWS]
    n_v = tab[at.N_V]
    n = tab[at.N_UNKNOWNS]
    n_blocks = tab[at.N_BLOCKS]
    saddle = tab[at.SADDLE] == 1
    x = w[tab[at.W_FACTOR]:tab[at.W_FACTOR] + n + tab[at.N_FILL]]
    column = tab[tab[at.T_COLUMN]:tab[at.T_COLUMN] + n + 1]
    entry = tab[tab[at.T_ENTRY_ROW]:]
    b = w[tab[at.W_UNKNOWN]:tab[at.W_UNKNOWN] + n]
    first_row = n_v if saddle else 0
    place = tab[tab[at.T_PERMUTATION]:tab[at.T_PERMUTATION] + n]
    block = w[tab[at.W_BLOCK]:tab[at.W_BLOCK] + dof * n_blocks]
    row_block = tab[tab[at.T_ROW_BLOCK]:tab[at.T_ROW_BLOCK] + n_rows + 1]
    body_of = tab[tab[at.T_BLOCK_BODY]:tab[at.T_BLOCK_BODY] + n_blocks]
    a = w[tab[at.W_ACCELERATION]:tab[at.W_ACCELERATION] + dof + n_v]
    h = w[tab[at.W_APPLIED]:tab[at.W_APPLIED] + dof + n_v]
    step = w[tab[at.W_STEP]:tab[at.W_STEP] + dof + n_v]
    lam = w[tab[at.W_LAMBDA]:tab[at.W_LAMBDA] + n_rows]
    held = w[tab[at.W_HELD]:tab[at.W_HELD] + n_rows]
    goal = w[right:right + n_rows]
    residual = w[tab[at.W_RESIDUAL]:tab[at.W_RESIDUAL] + n_rows]
    inverse = p[tab[at.P_INVERSE_MASS]:]
    masses = p[tab[at.P_MASS]:]
    for r in range(n_rows):
        lam[r] = 0.0
    for i in range(dof + n_v):
        a[i] = known * h[i] * inverse[i]
    largest = 0.0
    before = 1.0e300
    size = floor
    for sweep in range(MOST_REFINEMENTS + 1):
        # residual of the rows:  right - J a
        largest = 0.0
        for r in range(n_rows):
            rest = 0.0
            if held[r] != 0.0:
                rest = goal[r]
                bulk = abs(rest)
                for k in range(row_block[r], row_block[r + 1]):
                    body = body_of[k]
                    for c in range(dof):
                        part = block[dof * k + c] * a[body + c]
                        rest -= part
                        bulk += abs(part)
                size = max(size, bulk)
                largest = max(largest, abs(rest))
            b[place[first_row + r]] = rest
            residual[r] = rest
        largest = largest / size if size > 0.0 else 0.0
        # one sweep solves to 1e-8, two to rounding; more are needed only near a singular position, and where a
        # residual is no longer reduced they are of no use
        if (sweep >= 2 and (largest < 1e-13 or largest > 0.5 * before)) or sweep == MOST_REFINEMENTS:
            break
        before = largest
        if saddle:
            # residual of the bodies:  h - M a + J' lam
            for i in range(dof + n_v):
                step[i] = known * h[i] - masses[i] * a[i]
            for r in range(n_rows):
                if held[r] != 0.0:
                    for k in range(row_block[r], row_block[r + 1]):
                        body = body_of[k]
                        for c in range(dof):
                            step[body + c] += block[dof * k + c] * lam[r]
            for i in range(n_v):
                b[place[i]] = step[dof + i]
        substitute(n, column, entry, x, b)
        if saddle:
            for i in range(n_v):
                a[dof + i] += b[place[i]]
            for r in range(n_rows):
                if held[r] != 0.0:
                    lam[r] -= b[place[n_v + r]]
        else:
            for r in range(n_rows):
                if held[r] != 0.0:
                    change = b[place[r]]
                    lam[r] += change
                    for k in range(row_block[r], row_block[r + 1]):
                        body = body_of[k]
                        for c in range(dof):
                            a[body + c] += inverse[body + c] * block[dof * k + c] * change
    return largest


@kernel(f8(A, I, A))
def turning_scale(p, tab, w):
    """Accelerations that belong to the speeds: a row that cancels to zero from these is met, not in conflict."""
    dof = tab[at.DOF]
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    twist = tab[at.W_TWIST]
    numbers = tab[at.P_ROW]
    largest = 0.0
    for r in range(tab[at.N_ROWS]):
        speed = 0.0
        for k in range(tab[row_block + r], tab[row_block + r + 1]):
            body = twist + tab[body_of + k]
            for c in range(dof):
                speed += abs(w[block + dof * k + c] * w[body + c])
        largest = max(largest, speed * speed / p[numbers + 2 * r + 1])
    return largest


@kernel(f8(i8, i8, i8, A, I, A))
def row_error(level, twist, right, p, tab, w):
    """Largest scaled constraint error over the held rows: level 0 phi (left at w[right] as -phi), 1 nu - J v."""
    dof = tab[at.DOF]
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    w_phi = tab[at.W_PHI]
    w_nu = tab[at.W_NU]
    held = tab[at.W_HELD]
    numbers = tab[at.P_ROW]
    largest = 0.0
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
    return largest


@kernel(types.void(I, A, A))
def driver_power(tab, w, f):
    """Power of the drivers, effort times rate, into z'."""
    z = tab[at.N_Q] + tab[at.N_V]
    for r in range(tab[at.N_ROWS]):
        slot = tab[tab[at.T_ROW] + at.ROW_COLUMNS * r + 2]
        if slot >= 0:
            f[z + slot] = w[tab[at.W_LAMBDA] + r] * w[tab[at.W_NU] + r]
