"""The classical Runge-Kutta method of order 4, with steps of one size and a cubic between them."""

from __future__ import annotations

from linkwork.analysis.integrators.method import Method, cubic, matrix

STAGES = {1: {0: 1 / 2}, 2: {1: 1 / 2}, 3: {2: 1.0}, 4: {0: 1 / 6, 1: 1 / 3, 2: 1 / 3, 3: 1 / 6}}
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
TIMES = (0.0, 1 / 2, 1 / 2, 1.0, 1.0)

RK4 = Method("rk4", order=4, stages=matrix(STAGES, 5, 5), weights=WEIGHTS, times=TIMES, dense=cubic(WEIGHTS))
