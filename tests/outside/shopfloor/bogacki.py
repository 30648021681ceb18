"""An explicit method in one file: the pair 3(2) of Bogacki and Shampine (1989), with a cubic inside the step."""

from linkwork.analysis.integrators import Method, register
from linkwork.analysis.integrators.method import cubic, matrix

WEIGHTS = (2 / 9, 1 / 3, 4 / 9)
STAGES = {1: {0: 1 / 2}, 2: {1: 3 / 4}, 3: dict(enumerate(WEIGHTS))}  # the last row is f at the end of the step
SECOND = (7 / 24, 1 / 4, 1 / 3, 1 / 8)

BOGACKI = register(
    Method(
        "bogacki",
        order=3,
        stages=matrix(STAGES, 4, 4),
        weights=WEIGHTS,
        times=(0.0, 1 / 2, 3 / 4, 1.0),
        error=tuple(one - other for one, other in zip((*WEIGHTS, 0.0), SECOND)),
        dense=cubic(WEIGHTS),
    )
)
