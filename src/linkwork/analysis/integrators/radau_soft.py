"""Radau IIA of order 5 for large systems: the table of `radau`, with stages found one after the other."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import numpy as np

from linkwork.analysis.integrators.method import Implicit
from linkwork.analysis.integrators.radau import ERROR, STAGES, TIMES


class Triangular(Implicit):
    """A method with three implicit stages whose iteration takes them one after the other: A = L U."""

    stepper: ClassVar[str] = "triangle"
    #: nothing is kept for one length; above 1 so that lengths are foreseen
    least_growth: ClassVar[float] = 1.05

    @cached_property
    def arrays(self):
        """A, c, L, weights of the error and of the polynomial, and the real eigenvalue of A^-1, as the kernel takes
        them.
        """
        a, c, _, _, mu, error, powers = super().arrays
        lower, upper = np.zeros((3, 3)), np.eye(3)
        for j in range(3):
            lower[j:, j] = a[j:, j] - lower[j:, :j] @ upper[:j, j]
            upper[j, j + 1 :] = (a[j, j + 1 :] - lower[j, :j] @ upper[:j, j + 1 :]) / lower[j, j]
        return a, c, lower, error, powers, mu[:1].copy()


RADAU_SOFT = Triangular("radau_soft", order=5, control=4, between=4, stages=STAGES, times=TIMES, error=ERROR)
