"""Damped Newton on the rows of position: from where the bodies are to where they meet the held rows.

Steps are the smallest ones that meet the linearised rows, in the metric that stands in place of the masses; a step that
does not reduce the error is halved.  Symbols as in `equations`; |phi| is taken of held rows, each against its scale.

        J step = -phi          q (+)= factor step,  where  |phi(q (+) factor step)| < (1 - 1e-4 factor) |phi(q)|

| symbol | word                                                                                          |
|--------|-----------------------------------------------------------------------------------------------|
| loose  | (n, 2) rows whose full turns are free, and the slot of memory that their turns are counted in |
| turns  | (n) weight of that angle in the row                                                           |
| f      | the position that is tried                                                                    |
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, f8, i8, kernel, solver_at

TOLERANCE = 1e-11  # errors below this meet the rows
ROUNDING = 1e-14  # and nothing is left to gain below this
MOST_ITERATIONS = 80  # and a few more for every body: a long loop closes link by link
MORE_ITERATIONS = 4
LONGEST_TURN = 0.7  # of a step
LONGEST_WAY = 2.0  # against a length of the mechanism, or the gap where that is larger
MOST_HALVINGS = 10
TURN = 2.0 * math.pi


@kernel(f8(f8, A, A, I, A, A, i8, I, A))
def _error(t, y, p, tab, w, f, n_loose, loose, turns):
    """Norm of the errors at a position, the largest being left in the workspace; infinite where one is not finite.

    Rows whose full turns are free take the nearest.
    """
    locate = at_address(tab[at.A_LOCATE])
    phi = tab[at.W_PHI]
    locate(t, y, p, tab, w, f)
    again = False
    for k in range(n_loose):
        error = w[phi + loose[2 * k]]
        count = math.floor(error / (TURN * turns[k]) + 0.5) if math.isfinite(error) else 0  # of nan it is some integer
        if count != 0:
            w[tab[at.W_MEMORY] + loose[2 * k + 1]] -= TURN * count
            again = True
    if again:
        locate(t, y, p, tab, w, f)
    total = 0.0
    largest = 0.0
    for r in range(tab[at.N_ROWS]):
        error = abs(w[phi + r]) / p[tab[at.P_ROW] + at.ROW_NUMBERS * r + at.ROW_SCALE] * w[tab[at.W_HELD] + r]
        if not math.isfinite(error):
            largest = math.inf
        largest = max(largest, error)
        total += error * error
    w[at.ERROR_POSITION] = largest
    return math.sqrt(total) if math.isfinite(largest) else math.inf


@kernel(f8(f8, A, I, A))
def _step(largest, p, tab, w):
    """Keep the step that was solved for, without what is held; returns how much of it may be gone at once."""
    dof = tab[at.DOF]
    d = tab[at.DIMENSION]
    kept = tab[at.W_STEP]
    change = tab[at.W_CHANGE]
    inverse = tab[at.P_INVERSE_MASS] + dof
    longest = LONGEST_WAY * p[tab[at.P_LENGTH]] * max(1.0, largest)
    reach = 1.0
    for i in range(tab[at.N_V]):
        w[kept + i] = w[change + i] if p[inverse + i] != 0.0 else 0.0
        reach = max(reach, abs(w[kept + i]) / (longest if i % dof < d else LONGEST_TURN))
    return 1.0 / reach


NEWTON = f8(f8, A, A, I, A, A, i8, I, A)


@kernel(NEWTON, entry=True)
def newton(t, y, p, tab, w, f, n_loose, loose, turns):
    """Move y to where the held rows are met; returns the largest error left, less than zero where w[STATUS] says why.

    The workspace is left at y.
    """
    n_y = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES]
    phi = tab[at.W_PHI]
    right = tab[at.W_RIGHT]
    w[at.STATUS] = at.OK
    w[at.DETAIL] = 1.0
    size = _error(t, y, p, tab, w, f, n_loose, loose, turns)
    for _ in range(MOST_ITERATIONS + MORE_ITERATIONS * tab[at.N_BODIES]):
        largest = w[at.ERROR_POSITION]
        if w[at.STATUS] != at.OK:
            return -1.0
        if largest <= ROUNDING or not math.isfinite(size):
            return largest
        for r in range(tab[at.N_ROWS]):
            w[right + r] = -w[phi + r]
        at_address(tab[at.A_FACTOR])(t, y, p, tab, w, f)
        solver_at(tab[at.A_SOLVE])(0.0, right, p, tab, w)
        factor = _step(largest, p, tab, w)
        new = size
        better = False
        for _ in range(MOST_HALVINGS):
            for i in range(n_y):
                f[i] = y[i]
            for i in range(tab[at.N_V]):
                w[tab[at.W_CHANGE] + i] = factor * w[tab[at.W_STEP] + i]
            at_address(tab[at.A_MOVE])(t, f, p, tab, w, f)
            new = _error(t, f, p, tab, w, f, n_loose, loose, turns)
            if w[at.STATUS] != at.OK:
                return -1.0
            better = new < (1.0 - 1e-4 * factor) * size
            if better:
                break
            factor *= 0.5
        if not better:
            _error(t, y, p, tab, w, f, n_loose, loose, turns)
            return w[at.ERROR_POSITION]
        for i in range(n_y):
            y[i] = f[i]
        if new > 0.5 * size and largest <= TOLERANCE:
            break
        size = new
    return w[at.ERROR_POSITION]
