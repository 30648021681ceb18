"""L-U factorisation and what it tells of a Jacobian (Nikravesh, appendix A; redundant constraints 14.4).

    A = L U      L y = c      U x = y
    A[p] = L U   with rows exchanged, so that each pivot is the largest left in its column

Rows and columns count from 0 here, from 1 in the book.
"""

import numpy as np

from linkwork.errors import SingularConfigurationError, message

#: a pivot smaller than this part of the largest number of the matrix counts as zero
ZERO = 1e-10


def LU(A):
    """L and U without exchange of rows (example A.1); a zero pivot ends it."""
    L, U = np.eye(len(A)), np.array(A, dtype=float)
    for k in range(min(U.shape)):
        if U[k, k] == 0.0:
            raise SingularConfigurationError(
                message(
                    "L-U factorisation", f"meets a pivot of zero in row {k + 1}", remedy="exchange rows: LU_pivoted"
                )
            )
        L[k + 1 :, k] = U[k + 1 :, k] / U[k, k]
        U[k + 1 :] -= np.outer(L[k + 1 :, k], U[k])
    return L, np.triu(U)


def LU_pivoted(A):
    """L, U and the order p of the rows, A[p] = L U (example A.2); a column without a pivot is passed over."""
    U, p = np.array(A, dtype=float), np.arange(len(A))
    L = np.eye(len(U))
    for k in range(min(U.shape)):
        best = k + int(np.argmax(np.abs(U[k:, k])))
        U[[k, best]], p[[k, best]] = U[[best, k]], p[[best, k]]
        L[[k, best], :k] = L[[best, k], :k]
        if U[k, k] != 0.0:
            L[k + 1 :, k] = U[k + 1 :, k] / U[k, k]
            U[k + 1 :] -= np.outer(L[k + 1 :, k], U[k])
            U[k + 1 :, k] = 0.0
    return L, U, p


def forward(L, c):
    """y of L y = c, from the first row on."""
    y = np.array(c, dtype=float)
    for k in range(len(y)):
        y[k] -= L[k, :k] @ y[:k]
    return y


def back(U, y):
    """x of U x = y, from the last row on."""
    x = np.array(y, dtype=float)
    for k in reversed(range(len(x))):
        x[k] = (x[k] - U[k, k + 1 :] @ x[k + 1 :]) / U[k, k]
    return x


def independent_variables(B):
    """Columns of B x = c to choose freely: the last ones of p of the pivoted L-U of B' (example A.3).

    These change the others least: the pivots, which belong to the dependent ones, are the largest.
    """
    _, _, p = LU_pivoted(np.transpose(B))
    return p[np.shape(B)[0] :]


def zero_rows(D):
    """Redundant rows as the book tells them: those of D that zero rows of U belong to (example A.4).

    It misses some.  Rows are exchanged, columns are not: where a column has no pivot left, the row of it is not zero
    although a later one is missing.  The scissor lift of 14.4 is such a case; `redundant_rows` finds it.
    """
    _, U, p = LU_pivoted(D)
    return p[np.abs(U).max(axis=1) <= ZERO * np.abs(D).max()]


def redundant_rows(D):
    """Rows of D that follow from the others, the earlier ones kept: each row against those before it.

    Gauss elimination with the pivot of a row anywhere in it, so that no column decides (full pivoting in a row).
    """
    kept, found = [], []
    for k, row in enumerate(np.array(D, dtype=float)):
        size = np.abs(row).max(initial=0.0)
        for column, other in kept:
            row = row - row[column] / other[column] * other
        column = int(np.argmax(np.abs(row)))
        if abs(row[column]) <= ZERO * size:
            found.append(k)
        else:
            kept.append((column, row))
    return np.array(found, dtype=int)
