"""Small dense systems, real and complex: L U with row exchanges, columns one after the other.

A complex matrix is two real ones, so that all inner loops run along columns of plain numbers.

| symbol | word                                                       | shape |
|--------|------------------------------------------------------------|-------|
| a, c   | the matrix, or its real and imaginary part; then L and U   | n * n |
| b, d   | the right side, or its two parts; then the solution        | n     |
| swap   | the row that was exchanged with this one                   | n     |
"""

from __future__ import annotations

from linkwork.kernels.jit import A, i8, kernel, types


@kernel(types.boolean(i8, A, A))
def factor_real(n, a, swap):
    """L U in place; False where a column has nothing to divide by, or numbers are not finite."""
    for k in range(n):
        column = n * k
        best = k
        largest = abs(a[column + k])
        for i in range(k + 1, n):
            if abs(a[column + i]) > largest:
                largest = abs(a[column + i])
                best = i
        swap[k] = best
        if not 0.0 < largest < 1e300:
            return False
        if best != k:
            for j in range(0, n * n, n):
                a[j + k], a[j + best] = a[j + best], a[j + k]
        inverse = 1.0 / a[column + k]
        for i in range(k + 1, n):
            a[column + i] *= inverse
        for j in range(k + 1, n):
            upper = a[n * j + k]
            if upper != 0.0:
                for i in range(k + 1, n):
                    a[n * j + i] -= a[column + i] * upper
    return True


@kernel(types.void(i8, A, A, A))
def solve_real(n, a, swap, b):
    """The solution in place of b."""
    for k in range(n):
        best = int(swap[k])
        b[k], b[best] = b[best], b[k]
    for k in range(n):
        value = b[k]
        if value != 0.0:
            for i in range(k + 1, n):
                b[i] -= a[n * k + i] * value
    for k in range(n - 1, -1, -1):
        value = b[k] / a[n * k + k]
        b[k] = value
        if value != 0.0:
            for i in range(k):
                b[i] -= a[n * k + i] * value


@kernel(types.boolean(i8, A, A, A))
def factor_complex(n, a, c, swap):
    """L U of a + i c in place; False as above."""
    for k in range(n):
        column = n * k
        best = k
        largest = abs(a[column + k]) + abs(c[column + k])
        for i in range(k + 1, n):
            size = abs(a[column + i]) + abs(c[column + i])
            if size > largest:
                largest = size
                best = i
        swap[k] = best
        if not 0.0 < largest < 1e300:
            return False
        if best != k:
            for j in range(0, n * n, n):
                a[j + k], a[j + best] = a[j + best], a[j + k]
                c[j + k], c[j + best] = c[j + best], c[j + k]
        x, y = a[column + k], c[column + k]
        size = 1.0 / (x * x + y * y)
        x, y = x * size, -y * size
        for i in range(k + 1, n):
            one, two = a[column + i], c[column + i]
            a[column + i] = one * x - two * y
            c[column + i] = one * y + two * x
        for j in range(k + 1, n):
            x, y = a[n * j + k], c[n * j + k]
            if x != 0.0 or y != 0.0:
                for i in range(k + 1, n):
                    one, two = a[column + i], c[column + i]
                    a[n * j + i] -= one * x - two * y
                    c[n * j + i] -= one * y + two * x
    return True


@kernel(types.void(i8, A, A, A, A, A))
def solve_complex(n, a, c, swap, b, d):
    """The solution in place of b + i d."""
    for k in range(n):
        best = int(swap[k])
        b[k], b[best] = b[best], b[k]
        d[k], d[best] = d[best], d[k]
    for k in range(n):
        x, y = b[k], d[k]
        if x != 0.0 or y != 0.0:
            for i in range(k + 1, n):
                one, two = a[n * k + i], c[n * k + i]
                b[i] -= one * x - two * y
                d[i] -= one * y + two * x
    for k in range(n - 1, -1, -1):
        one, two = a[n * k + k], c[n * k + k]
        size = 1.0 / (one * one + two * two)
        x, y = (b[k] * one + d[k] * two) * size, (d[k] * one - b[k] * two) * size
        b[k], d[k] = x, y
        if x != 0.0 or y != 0.0:
            for i in range(k):
                one, two = a[n * k + i], c[n * k + i]
                b[i] -= one * x - two * y
                d[i] -= one * y + two * x
