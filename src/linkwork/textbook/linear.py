"""Square systems of linear equations, told where they have no solution of their own."""

import numpy as np

from linkwork.errors import SingularConfigurationError, message

#: smallest singular value of the matrix, rows and columns brought to size one, against the largest
SINGULAR = 1e-14


def solve(matrix, right, model, t, what):
    """The solution of matrix x = right.

    Rounding decides whether an elimination meets a pivot of exactly zero, so the rank is asked of singular values.
    """
    scaled = matrix / _sizes(matrix, 1)[:, None]
    scaled = scaled / _sizes(scaled, 0)
    sizes = np.linalg.svd(scaled, compute_uv=False) if matrix.size else np.ones(1)
    if not sizes[-1] > SINGULAR * sizes[0]:
        raise SingularConfigurationError(
            message(
                f"Model {model.name!r}",
                f"has {what} without inverse at t = {t}",
                got="constraint rows that depend on each other, or a free body without mass",
                remedy="Remove redundant constraints, or move away from the singular position",
            )
        )
    return np.linalg.solve(matrix, right)


def _sizes(matrix, axis):
    """Largest number of each row (1) or column (0); one where there is none."""
    found = np.abs(matrix).max(axis=axis, initial=0.0)
    return np.where(found > 0.0, found, 1.0)
