"""Beside a singular position: rows nearly depend on each other, and pivots of their equations are small.

There errors of position are multiplied on their way into accelerations, and on the spot itself nothing is determined.

| what is different                                           | where                                      |
|-------------------------------------------------------------|--------------------------------------------|
| projections leave less: FINE instead of USUAL               | `prepare`                                  |
| every stage is projected before it is evaluated, f(P(y))    | the stepper, where count[NEAR] is 1        |
| a step that ends or has a stage on the spot steps over it   | `refuses`: the same step, another length   |
| what is only rounding is not asked to become smaller        | `noise`: a floor under the scales of error |
"""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, kernel
from linkwork.kernels.time.places import (
    CRAWL,
    END_PIVOT,
    FINAL,
    FIRST_PIVOT,
    FIXED,
    LOWEST,
    NEAR,
    PROJECT,
    REJECTED,
    RETRY,
    SMALLEST_PIVOT,
    STALLS,
    STEP,
    TRIED,
    USUAL_STEP,
    ZONE,
)

#: errors of position that projections leave; beside a singular position they are multiplied, so all of it must go
USUAL, FINE = 1e-13, 1e-15
#: pivots below these parts of the first one are on the spot: of a stage, and of the end of a step
SPOT, SPOT_AT_END = 1e-7, 1e-5
#: lengths, as parts of the first one, that are tried to step over the spot
RETRIES = (0.87, 1.15, 0.75, 1.3, 0.6, 1.5, 0.5)
#: what rounding leaves in a step away from singular positions, relative to what errors are compared with
ROUNDING = 3e-15
#: rejections in a row that are still believed; each further one is rounding, and the floor grows by FACTOR
MOST_STALLS = 2
#: steps in a row that may be far shorter (by SHORT) than the usual one before that is taken for rounding too
MOST_CRAWL, SHORT = 5, 0.01
FACTOR = 4.0
#: what rounding may come to; where more is needed to go on, there is no way on
MOST_NOISE = 1e-6


@kernel(f8(A))
def limit(run):
    """Pivots below this one: a singular position is near."""
    return run[ZONE] * run[FIRST_PIVOT]


@kernel(types.void(A, I))
def look(run, count):
    """Whether a singular position is near the last accepted state."""
    count[NEAR] = run[SMALLEST_PIVOT] < limit(run) and count[PROJECT] == 1


@kernel(types.void(A, A, I))
def prepare(w, run, count):
    """Before a try: how well projections put things back."""
    w[at.PROJECT_TOLERANCE] = FINE if count[NEAR] == 1 else USUAL


@kernel(types.boolean(A, I))
def found(run, count):
    """Whether a singular position was found on the way: then the step is taken again with projected stages."""
    if count[NEAR] == 1 or count[PROJECT] != 1 or not run[LOWEST] < limit(run):
        return False
    count[NEAR] = 1
    return True


@kernel(f8(A, A, I))
def noise(w, run, count):
    """What rounding alone gives in this step, in the unit of its errors; asking for less would never end."""
    size = max(ROUNDING, w[at.ERROR_POSITION]) if count[NEAR] == 1 else ROUNDING
    floor = size / math.sqrt(max(1e-30, min(1.0, run[LOWEST] / run[FIRST_PIVOT])))
    if count[STALLS] > MOST_STALLS:  # what is rejected again and again is rounding
        floor *= FACTOR ** (count[STALLS] - MOST_STALLS)
    if count[CRAWL] > MOST_CRAWL:  # and so, within reason, is what makes steps short where the motion is smooth
        floor = max(floor, min(floor * FACTOR ** (count[CRAWL] - MOST_CRAWL), MOST_NOISE))
    return floor


@kernel(types.boolean(A, I))
def refuses(run, count):
    """Whether a step met the singular spot and is taken with another length instead.

    On the spot nothing is determined: step over it (the factors are of the first length).  A step that begins on the
    spot can only be taken.
    """
    first = run[FIRST_PIVOT]
    if (
        count[FIXED] == 1
        or count[NEAR] == 0
        or count[RETRY] >= len(RETRIES)
        or count[FINAL] == 1
        or not run[SMALLEST_PIVOT] > SPOT_AT_END * first
        or not (run[LOWEST] < SPOT * first or run[END_PIVOT] < SPOT_AT_END * first)
    ):
        return False
    run[STEP] = run[TRIED] * RETRIES[count[RETRY]] / (RETRIES[count[RETRY] - 1] if count[RETRY] > 0 else 1.0)
    count[RETRY] += 1
    count[REJECTED] += 1
    return True


@kernel(types.void(A, I))
def after(run, count):
    """An accepted step: where it ended, and whether steps crawl."""
    run[SMALLEST_PIVOT] = run[END_PIVOT]
    look(run, count)
    if count[NEAR] == 0:
        run[USUAL_STEP] = run[TRIED]
        count[CRAWL] = 0
    elif run[TRIED] < SHORT * run[USUAL_STEP]:
        count[CRAWL] += 1
