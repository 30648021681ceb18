"""Motion under constraints, in body coordinates: one factorisation serves accelerations and projections.

M is diagonal: kernels integrate the mass centre, in space along principal axes.  With M > 0 the unknowns are the
multipliers,  S = J M^-1 J';  else, or where it fills less, they are accelerations and multipliers together (saddle
point).  S with healthy pivots is factored as it is.  Otherwise, and the saddle point always, a small regularisation
is added and the solution refined against the true equations, which makes singular positions and zero inertia harmless
and leaves the residual of conflicting rows standing:

        S:       (S + c + eps) dlam = gamma - J a - c lam            a = M^-1 (h + J' lam)
        saddle:  [M + delta, J'; J, -c - eps] [da; -dlam] = [h - M a + J' lam; gamma - J a - c lam]

| symbol | word                        | shape                |
|--------|-----------------------------|----------------------|
| h      | applied force               | dof * (bodies + 1)   |
| a      | acceleration, body 0 ground | dof * (bodies + 1)   |
| lam    | multipliers                 | rows                 |
| held   | 1 for a row that is held    | rows                 |
| c      | compliance, 0 where rigid   | rows                 |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, types
from linkwork.kernels.linear import factorise, substitute

EPS = 1e-8  # of the saddle point
EPS_ROWS = 1e-8  # of S, where it is needed
HEALTHY = 1e-3  # pivots of S above this part of their diagonal: one plain solve is good to rounding
MOST_RESIDUAL = 1e-6  # what solutions may leave of the rows, away from singular positions, against accelerations
SINGULAR = 1e-7  # below this part S is regularised; between the two it is factored as it is, and refined
MOST_REFINEMENTS = 300  # near singular positions each takes away a part only; those that take away nothing are not made


@kernel(types.void(f8, A, I, A))
def _assemble_rows(eps, p, tab, w):
    """S = J M^-1 J' of the held rows, with a part eps of it added to its diagonal."""
    dof = tab[at.DOF]
    n_rows = tab[at.N_ROWS]
    x = tab[at.W_FACTOR]
    scale = tab[at.W_SCALE]
    place = tab[at.T_PERMUTATION]
    block = tab[at.W_BLOCK]
    scaled = tab[at.W_SCALED_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    held = tab[at.W_HELD]
    compliance = tab[at.W_COMPLIANCE]
    root = tab[at.P_ROOT_INVERSE]
    first = tab[at.T_ASSEMBLY]
    last = first + at.ASSEMBLY_COLUMNS * tab[at.N_ASSEMBLY]
    for r in range(n_rows):
        factor = w[held + r]
        for k in range(tab[row_block + r], tab[row_block + r + 1]):
            m = root + tab[body_of + k]
            i = scaled + dof * k
            j = block + dof * k
            w[i] = factor * w[j] * p[m]
            w[i + 1] = factor * w[j + 1] * p[m + 1]
            w[i + 2] = factor * w[j + 2] * p[m + 2]
            if dof == 6:
                w[i + 3] = factor * w[j + 3] * p[m + 3]
                w[i + 4] = factor * w[j + 4] * p[m + 4]
                w[i + 5] = factor * w[j + 5] * p[m + 5]
    if dof == 3:
        for k in range(first, last, at.ASSEMBLY_COLUMNS):
            i = scaled + 3 * tab[k + at.ASSEMBLY_ONE]
            j = scaled + 3 * tab[k + at.ASSEMBLY_OTHER]
            w[x + tab[k + at.ASSEMBLY_TARGET]] += w[i] * w[j] + w[i + 1] * w[j + 1] + w[i + 2] * w[j + 2]
    else:
        for k in range(first, last, at.ASSEMBLY_COLUMNS):
            i = scaled + 6 * tab[k + at.ASSEMBLY_ONE]
            j = scaled + 6 * tab[k + at.ASSEMBLY_OTHER]
            w[x + tab[k + at.ASSEMBLY_TARGET]] += (
                w[i] * w[j]
                + w[i + 1] * w[j + 1]
                + w[i + 2] * w[j + 2]
                + w[i + 3] * w[j + 3]
                + w[i + 4] * w[j + 4]
                + w[i + 5] * w[j + 5]
            )
    for r in range(n_rows):
        k = tab[place + r]
        d = w[x + k]
        if d == 0.0:  # not held (or without any inertia to push): the multiplier is zero
            d = 1.0
        soft = w[compliance + r]
        w[scale + k] = d + soft
        w[x + k] = d * (1.0 + eps) + soft


@kernel(types.void(A, I, A))
def assemble_saddle(p, tab, w):
    """[M + delta, J'; J, -eps]: quasi-definite, so it can be eliminated in any order.  delta only where M is zero."""
    dof = tab[at.DOF]
    n_rows = tab[at.N_ROWS]
    n_v = tab[at.N_V]
    x = tab[at.W_FACTOR]
    scale = tab[at.W_SCALE]
    place = tab[at.T_PERMUTATION]
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    held = tab[at.W_HELD]
    compliance = tab[at.W_COMPLIANCE]
    masses = tab[at.P_MASS]
    units = tab[at.P_MASS_SCALE]
    least = tab[at.P_LEAST]
    first = tab[at.T_ASSEMBLY]
    last = first + at.ASSEMBLY_COLUMNS * tab[at.N_ASSEMBLY]
    for i in range(n_v):
        mass = p[masses + dof + i]
        unit = p[units + dof + i]
        k = tab[place + i]
        w[x + k] = mass if mass > 0.0 else EPS * p[least] * unit
        w[scale + k] = w[x + k]  # a pivot of these only grows; what is told is the smallest one of a row
    for k in range(first, last, at.ASSEMBLY_COLUMNS):
        w[x + tab[k + at.ASSEMBLY_TARGET]] = w[block + tab[k + at.ASSEMBLY_ONE]] * w[held + tab[k + at.ASSEMBLY_OTHER]]
    for r in range(n_rows):
        size = 0.0
        for b in range(tab[row_block + r], tab[row_block + r + 1]):
            body = tab[body_of + b]
            for c in range(dof):
                mass = p[masses + body + c]
                unit = p[units + body + c]
                size += w[block + dof * b + c] ** 2 / (mass if mass > at.LITTLE * unit else unit)
        k = tab[place + n_v + r]
        if w[held + r] == 0.0 or size == 0.0:
            w[scale + k] = 1.0
            w[x + k] = -1.0
        else:
            w[scale + k] = size + w[compliance + r]
            w[x + k] = -EPS * size - w[compliance + r]


@kernel(types.void(A, I, A))
def factor_rows(p, tab, w):
    """Assemble and factor S, or the saddle point; leaves the smallest pivot of a row in the workspace."""
    n = tab[at.N_UNKNOWNS]
    x = tab[at.W_FACTOR]
    size = n + tab[at.N_FILL]
    saddle = tab[at.SADDLE] == 1
    eps = 0.0
    for _ in range(2):
        for i in range(x, x + size):
            w[i] = 0.0
        if saddle:
            assemble_saddle(p, tab, w)
        else:
            _assemble_rows(eps, p, tab, w)
        pivot = factorise(n, tab[at.T_COLUMN], tab[at.T_TARGET], x, tab[at.W_SCALE], tab, w)
        if saddle or pivot > SINGULAR or eps > 0.0:
            break
        eps = EPS_ROWS
    w[at.PIVOT] = pivot
    w[at.PLAIN] = 1.0 if not saddle and pivot > HEALTHY else 0.0


@kernel(types.void(f8, i8, A, I, A))
def _solve_plainly(known, right, p, tab, w):
    """One solve with a factor that is good to rounding:  a = M^-1 h,  S lam = right - J a,  a += M^-1 J' lam."""
    dof = tab[at.DOF]
    n = tab[at.N_UNKNOWNS]
    n_rows = tab[at.N_ROWS]
    b = tab[at.W_UNKNOWN]
    place = tab[at.T_PERMUTATION]
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    a = tab[at.W_ACCELERATION]
    h = tab[at.W_APPLIED]
    lam = tab[at.W_LAMBDA]
    held = tab[at.W_HELD]
    inverse = tab[at.P_INVERSE_MASS]
    for i in range(dof + tab[at.N_V]):
        w[a + i] = w[h + i] * p[inverse + i] if known == 1.0 else 0.0
    for r in range(n_rows):
        rest = 0.0
        if w[held + r] != 0.0:
            rest = w[right + r]
            for k in range(tab[row_block + r], tab[row_block + r + 1]):
                i = a + tab[body_of + k]
                j = block + dof * k
                rest -= w[j] * w[i] + w[j + 1] * w[i + 1] + w[j + 2] * w[i + 2]
                if dof == 6:
                    rest -= w[j + 3] * w[i + 3] + w[j + 4] * w[i + 4] + w[j + 5] * w[i + 5]
        w[b + tab[place + r]] = rest
    substitute(n, tab[at.T_COLUMN], tab[at.T_ENTRY_ROW], tab[at.W_FACTOR], b, tab, w)
    for r in range(n_rows):
        force = w[b + tab[place + r]] * w[held + r]
        w[lam + r] = force
        for k in range(tab[row_block + r], tab[row_block + r + 1]):
            body = tab[body_of + k]
            i = a + body
            j = block + dof * k
            m = inverse + body
            w[i] += p[m] * w[j] * force
            w[i + 1] += p[m + 1] * w[j + 1] * force
            w[i + 2] += p[m + 2] * w[j + 2] * force
            if dof == 6:
                w[i + 3] += p[m + 3] * w[j + 3] * force
                w[i + 4] += p[m + 4] * w[j + 4] * force
                w[i + 5] += p[m + 5] * w[j + 5] * force


@kernel(f8(f8, i8, A, I, A))
def solve_rows(known, right, p, tab, w):
    """Accelerations and multipliers for the right side at w[right] (one number a row); returns the residual left.

    `known` is 1 to start from the applied forces (accelerations), 0 from nothing (a projection step): forces of a stage
    that went astray, which are no numbers, are not read then.  Results in W_ACCELERATION (or the step of a projection)
    and W_LAMBDA.  The residual is relative to what the rows take away.
    """
    if w[at.PLAIN] == 1.0:
        _solve_plainly(known, right, p, tab, w)
        return 0.0
    dof = tab[at.DOF]
    n_rows = tab[at.N_ROWS]
    n_v = tab[at.N_V]
    n = tab[at.N_UNKNOWNS]
    saddle = tab[at.SADDLE] == 1
    x = tab[at.W_FACTOR]
    column = tab[at.T_COLUMN]
    entry = tab[at.T_ENTRY_ROW]
    b = tab[at.W_UNKNOWN]
    place = tab[at.T_PERMUTATION]
    place_row = place + (n_v if saddle else 0)
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    a = tab[at.W_ACCELERATION]
    h = tab[at.W_APPLIED]
    step = tab[at.W_STEP]
    lam = tab[at.W_LAMBDA]
    held = tab[at.W_HELD]
    compliance = tab[at.W_COMPLIANCE]
    residual = tab[at.W_RESIDUAL]
    inverse = tab[at.P_INVERSE_MASS]
    masses = tab[at.P_MASS]
    for r in range(n_rows):
        w[lam + r] = 0.0
    for i in range(dof + n_v):
        w[a + i] = w[h + i] * p[inverse + i] if known == 1.0 else 0.0
    largest = 0.0
    before = 1.0e300
    size = 0.0
    for sweep in range(MOST_REFINEMENTS + 1):
        # residual of the rows:  right - J a
        largest = 0.0
        for r in range(n_rows):
            rest = 0.0
            if w[held + r] != 0.0:
                rest = w[right + r] - w[compliance + r] * w[lam + r]
                bulk = abs(rest)
                for k in range(tab[row_block + r], tab[row_block + r + 1]):
                    body = a + tab[body_of + k]
                    for c in range(dof):
                        part = w[block + dof * k + c] * w[body + c]
                        rest -= part
                        bulk += abs(part)
                size = max(size, bulk)
                largest = max(largest, abs(rest))
            w[b + tab[place_row + r]] = rest
            w[residual + r] = rest
        largest = largest / size if size > 0.0 else 0.0
        # a sweep leaves EPS / pivot of every part; where the residual is no longer reduced, more are of no use
        if (sweep >= 2 and (largest < 1e-13 or largest > 0.9 * before)) or sweep == MOST_REFINEMENTS:
            break
        regular = sweep == 1 and w[at.PIVOT] > 3e-2 and largest < 1e-6 * before
        before = largest
        if saddle:
            # residual of the bodies:  h - M a + J' lam
            for i in range(dof + n_v):
                w[step + i] = (w[h + i] if known == 1.0 else 0.0) - p[masses + i] * w[a + i]
            for r in range(n_rows):
                if w[held + r] != 0.0:
                    for k in range(tab[row_block + r], tab[row_block + r + 1]):
                        body = step + tab[body_of + k]
                        for c in range(dof):
                            w[body + c] += w[block + dof * k + c] * w[lam + r]
            for i in range(n_v):
                w[b + tab[place + i]] = w[step + dof + i]
        substitute(n, column, entry, x, b, tab, w)
        if saddle:
            for i in range(n_v):
                w[a + dof + i] += w[b + tab[place + i]]
            for r in range(n_rows):
                if w[held + r] != 0.0:
                    w[lam + r] -= w[b + tab[place_row + r]]
        else:
            for r in range(n_rows):
                if w[held + r] != 0.0:
                    change = w[b + tab[place_row + r]]
                    w[lam + r] += change
                    for k in range(tab[row_block + r], tab[row_block + r + 1]):
                        body = tab[body_of + k]
                        for c in range(dof):
                            w[a + body + c] += p[inverse + body + c] * w[block + dof * k + c] * change
        if regular:  # every part was reduced by EPS / pivot twice, to rounding: no need to look
            largest *= 1e-6
            break
    w[at.BULK] = size
    return largest


@kernel(f8(A, I, A))
def usual_acceleration(p, tab, w):
    """Accelerations that the motion has anyway: a row that cancels to zero from these is met, not in conflict.

    Those that belong to the speeds in the rows, and a thousandth of those of the bodies, and of the forces on bodies of
    usual inertia.  Where a driver stands still beside a body that is shaken, a residual is rounding of the shaking.
    """
    dof = tab[at.DOF]
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    body_of = tab[at.T_BLOCK_BODY]
    twist = tab[at.W_TWIST]
    numbers = tab[at.P_ROW]
    length = p[tab[at.P_LENGTH]]
    largest = 0.0
    for i in range(dof * (tab[at.N_BODIES] + 1)):
        turning = length if i % dof >= tab[at.DIMENSION] else 1.0
        of_force = abs(w[tab[at.W_APPLIED] + i]) / p[tab[at.P_MASS_SCALE] + i]
        largest = max(largest, turning * max(abs(w[tab[at.W_ACCELERATION] + i]), of_force))
    largest *= 1e-3 * max(1.0, 1.0 / length)
    for r in range(tab[at.N_ROWS]):
        speed = 0.0
        for k in range(tab[row_block + r], tab[row_block + r + 1]):
            body = twist + tab[body_of + k]
            for c in range(dof):
                speed += abs(w[block + dof * k + c] * w[body + c])
        largest = max(largest, speed * speed / p[numbers + at.ROW_NUMBERS * r + at.ROW_SCALE])
    return largest


@kernel(types.void(I, A, A))
def driver_power(tab, w, f):
    """Power of the drivers, effort times rate, into z'."""
    z = tab[at.N_Q] + tab[at.N_V]
    for r in range(tab[at.N_ROWS]):
        slot = tab[tab[at.T_ROW] + at.ROW_COLUMNS * r + at.ROW_WORK]
        if slot >= 0:
            f[z + slot] = w[tab[at.W_LAMBDA] + r] * w[tab[at.W_NU] + r]
