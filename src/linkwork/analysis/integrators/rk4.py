"""The classical Runge-Kutta method of order 4, with steps of one size and a cubic between them."""

from __future__ import annotations

from linkwork.analysis.integrators.method import Method, matrix

STAGES = {1: {0: 1 / 2}, 2: {1: 1 / 2}, 3: {2: 1.0}, 4: {0: 1 / 6, 1: 1 / 3, 2: 1 / 3, 3: 1 / 6}}
WEIGHTS = (1 / 6, 1 / 3, 1 / 3, 1 / 6)
TIMES = (0.0, 1 / 2, 1 / 2, 1.0, 1.0)

# cubic through both ends and both slopes:  b_i (3 th^2 - 2 th^3), plus th - 2 th^2 + th^3 at the first slope and
# th^3 - th^2 at the last
DENSE = {i: {1: 3 * b, 2: -2 * b} for i, b in enumerate(WEIGHTS)}
DENSE[0] = {0: 1.0, 1: 3 * WEIGHTS[0] - 2.0, 2: -2 * WEIGHTS[0] + 1.0}
DENSE[4] = {1: -1.0, 2: 1.0}

RK4 = Method("rk4", order=4, stages=matrix(STAGES, 5, 5), weights=WEIGHTS, times=TIMES, dense=matrix(DENSE, 5, 3))
