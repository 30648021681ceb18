"""L D L' without pivoting on a pattern that is fixed at build.

| symbol  | word                                                                         | shape            |
|---------|------------------------------------------------------------------------------|------------------|
| x       | factor: diagonal D first (as 1/D after `factorise`), then the columns of L   | n + fill         |
| column  | first entry of each column of L, counted in x                                | n + 1            |
| row     | row of each entry, counted from the first column                             | fill             |
| target  | where each update of the elimination goes, in the order of the loops         |                  |
| scale   | size of the diagonal before elimination                                      | n                |
"""

from __future__ import annotations

from linkwork.kernels.jit import A, I, f8, i8, kernel


@kernel(f8(i8, I, I, A, A))
def factorise(n, column, target, x, scale):
    """Eliminate in place; returns the smallest pivot against the diagonal it came from."""
    smallest = 1.0e300
    at = 0
    for k in range(n):
        d = x[k]
        size = scale[k]
        ratio = abs(d) / size
        if ratio < smallest:
            smallest = ratio
        if ratio < 1e-14:  # only rounding is left of this pivot: keep its sign and the smallest sensible size
            d = size * 1e-14 if d >= 0.0 else -size * 1e-14
        inverse = 1.0 / d
        x[k] = inverse
        first = column[k]
        last = column[k + 1]
        for a in range(first, last):
            lower = x[a] * inverse
            for b in range(a, last):
                x[target[at]] -= lower * x[b]
                at += 1
        for a in range(first, last):
            x[a] *= inverse
    return smallest


@kernel(f8(i8, I, I, A, A))
def substitute(n, column, row, x, b):
    """Solve L D L' z = b in place of b."""
    base = column[0]
    for k in range(n):
        value = b[k]
        if value != 0.0:
            for a in range(column[k], column[k + 1]):
                b[row[a - base]] -= x[a] * value
    for k in range(n):
        b[k] *= x[k]
    for k in range(n - 1, -1, -1):
        value = b[k]
        for a in range(column[k], column[k + 1]):
            value -= x[a] * b[row[a - base]]
        b[k] = value
    return 0.0
