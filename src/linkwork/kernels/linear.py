"""L D L' without pivoting on a pattern that is fixed at build.

Everything is read from the flat vectors by offsets: views of small arrays would cost more than the arithmetic.

| symbol  | word                                                                         | where            |
|---------|------------------------------------------------------------------------------|------------------|
| x       | factor: diagonal D first (as 1/D after `factorise`), then the columns of L   | w, n + fill      |
| column  | first entry of each column of L, counted in x                                | tab, n + 1       |
| row     | row of each entry of L                                                       | tab, fill        |
| target  | where each update of the elimination goes, in the order of the loops         | tab              |
| scale   | size of the diagonal before elimination                                      | w, n             |
"""

from __future__ import annotations

from linkwork.kernels.jit import A, I, f8, i8, kernel, types


@kernel(f8(i8, i8, i8, i8, i8, I, A))
def factorise(n, column, target, x, scale, tab, w):
    """Eliminate in place; returns the smallest pivot against the diagonal it came from."""
    smallest = 1.0e300
    at = target
    for k in range(n):
        d = w[x + k]
        size = w[scale + k]
        if abs(d) < smallest * size:
            smallest = abs(d) / size
        if abs(d) < 1e-14 * size:  # only rounding is left of this pivot: keep its sign and the smallest sensible size
            d = size * 1e-14 if d >= 0.0 else -size * 1e-14
        inverse = 1.0 / d
        w[x + k] = inverse
        first = x + tab[column + k]
        last = x + tab[column + k + 1]
        for a in range(first, last):
            lower = w[a] * inverse
            for b in range(a, last):
                w[x + tab[at]] -= lower * w[b]
                at += 1
            w[a] = lower  # columns behind it do not look at it any more
    return smallest


@kernel(types.void(i8, i8, i8, i8, i8, I, A))
def substitute(n, column, row, x, b, tab, w):
    """Solve L D L' z = b in place of b."""
    shift = row - tab[column]
    for k in range(n):
        value = w[b + k]
        if value != 0.0:
            for a in range(tab[column + k], tab[column + k + 1]):
                w[b + tab[shift + a]] -= w[x + a] * value
    for k in range(n - 1, -1, -1):
        value = w[b + k] * w[x + k]
        # backwards: what was found last is waited for last
        for a in range(tab[column + k + 1] - 1, tab[column + k] - 1, -1):
            value -= w[x + a] * w[b + tab[shift + a]]
        w[b + k] = value
