"""Radau IIA with three stages, order 5 (Ehle 1969; the code RADAU5 of Hairer and Wanner): for what is stiff.

A, c and the weights of the error are those of E. Hairer, G. Wanner, Solving Ordinary Differential Equations II,
2nd ed., sections IV.5 (table 5.6) and IV.8.  What the stepper needs besides follows from them: the eigenvalues of
A^-1, one real and a pair, its eigenvectors, and the polynomial through the stages.
"""

from __future__ import annotations

import math

from linkwork.analysis.integrators.method import Implicit

ROOT = math.sqrt(6.0)
STAGES = (
    ((88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225),
    ((296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225),
    ((16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9),
)
TIMES = ((4 - ROOT) / 10, (4 + ROOT) / 10, 1.0)
ERROR = (-(13 + 7 * ROOT) / 3, (-13 + 7 * ROOT) / 3, -1 / 3)

RADAU = Implicit("radau", order=5, control=4, between=4, stages=STAGES, times=TIMES, error=ERROR)
