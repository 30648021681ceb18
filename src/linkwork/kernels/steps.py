"""What one step needs: error scales, combinations of slopes, a first length."""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel
from linkwork.kernels.run import (
    ABSOLUTE,
    END,
    ENERGY,
    ERROR_BEFORE,
    LENGTH,
    ORDER,
    SPEED_FLOOR,
    TIME,
    TOLERANCE,
    TURN_FLOOR,
)


@kernel(types.void(i8, A, A, A, I, A))
def error_scale(n, y, new, control, tab, scale):
    """Fill the error scale of every component; positions against a length, speeds against the fastest body.

    Absolute scales by kind make the steps independent of where the origin is and of how often a crank has turned.
    """
    n_q = tab[at.N_Q]
    n_v = tab[at.N_V]
    kinds = tab[at.T_TURNING]
    tolerance = control[TOLERANCE]
    speed = control[SPEED_FLOOR]
    turning = control[TURN_FLOOR]
    for i in range(n_q, n_q + n_v):
        if tab[kinds + i] == 0:
            speed = max(speed, abs(y[i]))
        else:
            turning = max(turning, abs(y[i]))
    for i in range(n_q):
        scale[i] = tolerance * (control[LENGTH] if tab[kinds + i] == 0 else 1.0)
    for i in range(n_q, n_q + n_v):
        scale[i] = tolerance * (speed if tab[kinds + i] == 0 else turning)
    for i in range(n_q + n_v, n):  # work, much looser: it keeps the ledger, and must not choose the steps
        scale[i] = 100.0 * tolerance * (control[ENERGY] + max(abs(y[i]), abs(new[i])))
    if control[ABSOLUTE] > 0.0:
        for i in range(n_q + n_v):
            scale[i] = control[ABSOLUTE] + tolerance * max(abs(y[i]), abs(new[i]))


@kernel(types.void(i8, A, A, A, i8, f8, A))
def combine(n, y, k, weights, count, step, out):
    """out = y + step * sum of weights[j] k[j]; every k has n numbers."""
    for i in range(n):
        out[i] = y[i]
    for j in range(count):
        weight = step * weights[j]
        if weight != 0.0:
            for i in range(n):
                out[i] += weight * k[j * n + i]


@kernel(types.boolean(i8, A))
def finite(n, numbers):
    """Whether all numbers are finite: their sum is nan or infinite with any one that is."""
    total = 0.0
    for i in range(n):
        total += abs(numbers[i])
    return math.isfinite(total)


@kernel(f8(A, A, A, I, I, f8))
def first_step(y, f, control, count, tab, given):
    """Least sizes of the error scales, and a first step from how fast things move and change."""
    n_q = tab[at.N_Q]
    kinds = tab[at.T_TURNING]
    length = control[LENGTH]
    speed, spin, change, turning = 0.0, 0.0, 0.0, 0.0
    for i in range(n_q, n_q + tab[at.N_V]):
        if tab[kinds + i] == 0:
            speed = max(speed, abs(y[i]))
            change = max(change, abs(f[i]))
        else:
            spin = max(spin, abs(y[i]))
            turning = max(turning, abs(f[i]))
    control[SPEED_FLOOR] = max(math.sqrt(change * length), 1e-6 * length)
    control[TURN_FLOOR] = max(max(math.sqrt(turning), control[SPEED_FLOOR] / length), 1e-6)
    control[ERROR_BEFORE] = 1.0
    duration = control[END] - control[TIME]
    if given > 0.0:
        return min(given, duration)
    fast = max(speed / length, spin)
    quick = max(change / length, turning)
    guess = duration
    if fast > 0.0:
        guess = min(guess, 0.05 / fast)
    if quick > 0.0:
        guess = min(guess, 0.5 / math.sqrt(quick))
    return min(duration, max(guess * control[TOLERANCE] ** (1.0 / count[ORDER]), 1e-12 * duration))
