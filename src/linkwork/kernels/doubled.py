"""Numbers of twice the digits: each is a high and a low part whose sum is meant, good to 32 digits.

Dekker, A floating-point technique for extending the available precision, Numer. Math. 18 (1971); Knuth's sum, and the
product with its rounding error by a fused multiply-add.  In the flat vectors the low part of w[i] is w[i + low].
"""

from __future__ import annotations

from linkwork.kernels.jit import A, I, f8, fused, i8, kernel, types

PAIR = types.UniTuple(f8, 2)


@kernel(PAIR(f8, f8, f8, f8))
def plus(a, a_low, b, b_low):
    """a + b."""
    s = a + b
    back = s - a
    rest = (a - (s - back)) + (b - back) + (a_low + b_low)
    high = s + rest
    return high, rest - (high - s)


@kernel(PAIR(f8, f8, f8, f8))
def times(a, a_low, b, b_low):
    """a b."""
    product = a * b
    rest = fused(a, b, -product) + (a * b_low + a_low * b)
    high = product + rest
    return high, rest - (high - product)


@kernel(PAIR(f8, f8))
def inverse_of(a, a_low):
    """1 / a."""
    guess = 1.0 / a
    return plus(guess, 0.0, guess * (fused(-a, guess, 1.0) - a_low * guess), 0.0)


@kernel(types.void(i8, i8, f8, f8, A))
def add_to(i, low, b, b_low, w):
    """w[i] += b."""
    w[i], w[i + low] = plus(w[i], w[i + low], b, b_low)


@kernel(f8(i8, i8, i8, i8, i8, i8, I, A))
def factorise(n, column, target, x, scale, low, tab, w):
    """`linear.factorise` with twice the digits; returns the smallest pivot against the diagonal it came from."""
    smallest = 1.0e300
    at = target
    for k in range(n):
        smallest = min(smallest, abs(w[x + k]) / w[scale + k])
        inverse, inverse_low = inverse_of(w[x + k], w[x + k + low])
        w[x + k], w[x + k + low] = inverse, inverse_low
        first = x + tab[column + k]
        last = x + tab[column + k + 1]
        for a in range(first, last):
            lower, lower_low = times(w[a], w[a + low], inverse, inverse_low)
            for b in range(a, last):
                part, part_low = times(lower, lower_low, w[b], w[b + low])
                add_to(x + tab[at], low, -part, -part_low, w)
                at += 1
        for a in range(first, last):
            w[a], w[a + low] = times(w[a], w[a + low], inverse, inverse_low)
    return smallest


@kernel(types.void(i8, i8, i8, i8, i8, i8, I, A))
def substitute(n, column, row, x, b, low, tab, w):
    """`linear.substitute` with twice the digits."""
    shift = row - tab[column]
    for k in range(n):
        value, value_low = w[b + k], w[b + k + low]
        if value != 0.0:
            for a in range(tab[column + k], tab[column + k + 1]):
                part, part_low = times(w[x + a], w[x + a + low], value, value_low)
                add_to(b + tab[shift + a], low, -part, -part_low, w)
    for k in range(n):
        w[b + k], w[b + k + low] = times(w[b + k], w[b + k + low], w[x + k], w[x + k + low])
    for k in range(n - 1, -1, -1):
        for a in range(tab[column + k], tab[column + k + 1]):
            i = b + tab[shift + a]
            part, part_low = times(w[x + a], w[x + a + low], w[i], w[i + low])
            add_to(b + k, low, -part, -part_low, w)
