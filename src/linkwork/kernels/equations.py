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
    x = w[tab[at.W_FACTOR]:tab[at.W_FACTOR] + n + tab[at.N_FILL]]
    scale = w[tab[at.W_SCALE]:tab[at.W_SCALE] + n]
    place = tab[at.T_PERMUTATION]
    block = tab[at.W_BLOCK]
    scaled = tab[at.W_SCALED]
    for i in range(x.size):
        x[i] = 0.0
    saddle = tab[at.SADDLE] == 1
    assembly = tab[at.T_ASSEMBLY]
    if not saddle:
        for r in range(tab[at.N_ROWS]):
            held = w[tab[at.W_HELD] + r]
            for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
                inverse = tab[at.P_INVERSE_MASS] + dof * tab[tab[at.T_BLOCK_BODY] + k]
                for c in range(dof):
                    w[scaled + dof * k + c] = held * w[block + dof * k + c] * math.sqrt(p[inverse + c])
        for k in range(tab[at.N_ASSEMBLY]):
            one = scaled + dof * tab[assembly + 3 * k]
            two = scaled + dof * tab[assembly + 3 * k + 1]
            total = 0.0
            for c in range(dof):
                total += w[one + c] * w[two + c]
            x[tab[assembly + 3 * k + 2]] += total
        for r in range(tab[at.N_ROWS]):
            k = tab[place + r]
            if x[k] == 0.0:  # not held (or without any inertia to push): the multiplier is zero
                x[k] = 1.0
            scale[k] = x[k]
            x[k] *= 1.0 + EPS
    else:
        n_v = tab[at.N_V]
        for i in range(n_v):
            mass = p[tab[at.P_MASS] + dof + i]
            unit = p[tab[at.P_MASS_SCALE] + dof + i]
            k = tab[place + i]
            scale[k] = mass if mass > 1e-9 * unit else unit
            x[k] = mass if mass > 1e-9 * unit else EPS * unit
        for k in range(tab[at.N_ASSEMBLY]):
            entry = tab[assembly + 3 * k]
            row = tab[assembly + 3 * k + 1]
            x[tab[assembly + 3 * k + 2]] = w[block + entry] * w[tab[at.W_HELD] + row]
        for r in range(tab[at.N_ROWS]):
            size = 0.0
            for b in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
                body = dof * tab[tab[at.T_BLOCK_BODY] + b]
                for c in range(dof):
                    mass = p[tab[at.P_MASS] + body + c]
                    unit = p[tab[at.P_MASS_SCALE] + body + c]
                    size += w[block + dof * b + c] ** 2 / (mass if mass > 1e-9 * unit else unit)
            k = tab[place + n_v + r]
            if w[tab[at.W_HELD] + r] == 0.0 or size == 0.0:
                scale[k] = 1.0
                x[k] = -1.0
            else:
                scale[k] = size
                x[k] = -EPS * size
    column = tab[tab[at.T_COLUMN]:tab[at.T_COLUMN] + n + 1]
    target = tab[tab[at.T_TARGET]:]
    w[at.PIVOT] = factorise(n, column, target, x, scale)


@kernel(f8(f8, i8, A, I, A))
def solve_rows(known, right, p, tab, w):
    """Accelerations and multipliers for the right side at w[right] (one number a row); returns the residual left.

    `known` is 1 to start from the applied forces (accelerations), 0 from nothing (a projection step).  Results in
    W_ACCELERATION (or the step of a projection) and W_LAMBDA.
    """
    dof = tab[at.DOF]
    n_rows = tab[at.N_ROWS]
    n_v = tab[at.N_V]
    n = tab[at.N_UNKNOWNS]
    saddle = tab[at.SADDLE] == 1
    x = w[tab[at.W_FACTOR]:tab[at.W_FACTOR] + n + tab[at.N_FILL]]
    column = tab[tab[at.T_COLUMN]:tab[at.T_COLUMN] + n + 1]
    entry = tab[tab[at.T_ENTRY_ROW]:]
    b = w[tab[at.W_UNKNOWN]:tab[at.W_UNKNOWN] + n]
    place = tab[at.T_PERMUTATION]
    block = tab[at.W_BLOCK]
    a = tab[at.W_ACCELERATION]
    lam = tab[at.W_LAMBDA]
    h = tab[at.W_APPLIED]
    held = tab[at.W_HELD]
    for r in range(n_rows):
        w[lam + r] = 0.0
    for i in range(dof + n_v):
        w[a + i] = known * w[h + i] * p[tab[at.P_INVERSE_MASS] + i]
    largest = 0.0
    before = 1.0e300
    for sweep in range(MOST_REFINEMENTS + 1):
        # residual of the rows:  right - J a
        size = 0.0
        for r in range(n_rows):
            rest = 0.0
            if w[held + r] != 0.0:
                rest = w[right + r]
                bulk = abs(rest)
                for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
                    body = a + dof * tab[tab[at.T_BLOCK_BODY] + k]
                    for c in range(dof):
                        part = w[block + dof * k + c] * w[body + c]
                        rest -= part
                        bulk += abs(part)
                size = max(size, bulk)
            b[tab[place + (n_v if saddle else 0) + r]] = rest
            w[tab[at.W_RESIDUAL] + r] = rest
        largest = 0.0
        for r in range(n_rows):
            largest = max(largest, abs(w[tab[at.W_RESIDUAL] + r]))
        largest = largest / size if size > 0.0 else 0.0
        if saddle:
            # residual of the bodies:  h - M a + J' lam
            step = tab[at.W_STEP]
            for i in range(dof + n_v):
                w[step + i] = known * w[h + i] - p[tab[at.P_MASS] + i] * w[a + i]
            for r in range(n_rows):
                if w[held + r] != 0.0:
                    for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
                        body = step + dof * tab[tab[at.T_BLOCK_BODY] + k]
                        for c in range(dof):
                            w[body + c] += w[block + dof * k + c] * w[lam + r]
            for i in range(n_v):
                b[tab[place + i]] = w[step + dof + i]
        # one sweep solves to 1e-8, two to rounding; more are needed only near a singular position, and where a
        # residual is no longer reduced they are of no use
        if (sweep >= 2 and (largest < 1e-13 or largest > 0.5 * before)) or sweep == MOST_REFINEMENTS:
            break
        before = largest
        substitute(n, column, entry, x, b)
        if saddle:
            for i in range(n_v):
                w[a + dof + i] += b[tab[place + i]]
            for r in range(n_rows):
                if w[held + r] != 0.0:
                    w[lam + r] -= b[tab[place + n_v + r]]
        else:
            for r in range(n_rows):
                if w[held + r] == 0.0:
                    continue
                change = b[tab[place + r]]
                w[lam + r] += change
                for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
                    body = dof * tab[tab[at.T_BLOCK_BODY] + k]
                    for c in range(dof):
                        i = body + c
                        w[a + i] += p[tab[at.P_INVERSE_MASS] + i] * w[block + dof * k + c] * change
    return largest


@kernel(f8(i8, i8, i8, A, I, A))
def row_error(level, y_twist, right, p, tab, w):
    """Largest scaled constraint error over the held rows: level 0 phi (left at w[right] as -phi), 1 nu - J v."""
    dof = tab[at.DOF]
    block = tab[at.W_BLOCK]
    largest = 0.0
    for r in range(tab[at.N_ROWS]):
        if level == 0:
            error = -w[tab[at.W_PHI] + r]
        else:
            error = w[tab[at.W_NU] + r]
            for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
                body = y_twist + dof * tab[tab[at.T_BLOCK_BODY] + k]
                for c in range(dof):
                    error -= w[block + dof * k + c] * w[body + c]
        w[right + r] = error
        if w[tab[at.W_HELD] + r] != 0.0:
            largest = max(largest, abs(error) / p[tab[at.P_ROW] + 2 * r + 1])
    return largest


@kernel(types.void(I, A, A))
def driver_power(tab, w, f):
    """Power of the drivers, effort times rate, into z'."""
    z = tab[at.N_Q] + tab[at.N_V]
    for r in range(tab[at.N_ROWS]):
        slot = tab[tab[at.T_ROW] + at.ROW_COLUMNS * r + 2]
        if slot >= 0:
            f[z + slot] = w[tab[at.W_LAMBDA] + r] * w[tab[at.W_NU] + r]
