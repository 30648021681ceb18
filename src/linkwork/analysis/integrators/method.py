"""What an explicit Runge-Kutta method is: its coefficients, its order, its dense output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


def matrix(entries, rows: int, columns: int) -> np.ndarray:
    """A matrix from {row: {column: value}}."""
    out = np.zeros((rows, columns))
    for i, row in entries.items():
        for j, value in row.items():
            out[i, j] = value
    return out


def cubic(weights) -> np.ndarray:
    """Dense output through both ends and both slopes of a step, for a method with these weights:

        b_i (3 th^2 - 2 th^3), plus th - 2 th^2 + th^3 at the first slope and th^3 - th^2 at the last
    """
    out = np.zeros((len(weights) + 1, 3))
    out[:-1, 1], out[:-1, 2] = 3.0 * np.asarray(weights), -2.0 * np.asarray(weights)
    out[0] += 1.0, -2.0, 1.0
    out[-1] = 0.0, -1.0, 1.0
    return out


@dataclass(frozen=True, eq=False)
class Method:
    """An explicit Runge-Kutta method.

    `stages` has one row a stage; the row after the last weight is f at the end of the step, later rows serve the
    dense output only.  `error` and `error_low` weigh the stages (a second estimate may be missing); without `error`
    the method takes steps of one size.  `dense[i, j]` is the factor of theta^(j+1) for stage i.  The error estimate
    grows with the power `control` of the step; where it is not said, it is taken as `order`.
    """

    name: str
    order: int
    stages: np.ndarray
    weights: tuple[float, ...]
    times: tuple[float, ...]
    dense: np.ndarray
    error: tuple[float, ...] | None = None
    error_low: tuple[float, ...] | None = None
    control: int | None = None

    @property
    def fixed_step(self) -> bool:
        """Whether steps are of one size, given by the user."""
        return self.error is None

    @cached_property
    def arrays(self):
        """a, b, c, e5, e3, d as the kernel takes them."""
        b = np.array(self.weights)
        zeros = np.zeros(b.size + 1)
        padded = [zeros if e is None else np.pad(np.array(e), (0, b.size + 1 - len(e)))
                  for e in (self.error, self.error_low)]
        return (np.ascontiguousarray(self.stages), b, np.array(self.times), *padded, np.ascontiguousarray(self.dense))
