"""Beside a singular position: rows nearly depend on each other, and pivots of their equations are small.

There errors of position are multiplied on their way into accelerations, and on the spot itself nothing is determined.

| what is different                                           | where                                      |
|-------------------------------------------------------------|--------------------------------------------|
| projections leave less: FINE instead of USUAL               | `prepare`                                  |
| every stage is projected before it is evaluated, f(P(y))    | the stepper, where count[NEAR] is 1        |
| a step that ends or has a stage on the spot steps over it   | `refuses`: the same step, another length   |
| what is only rounding is not asked to become smaller        | `noise`: a floor under the scales of error |
| a driver that pushes into a dead centre is given up         | `runs_away`                                |
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, types
from linkwork.kernels.time.places import (
    CRAWL,
    END_PIVOT,
    FINAL,
    FIRST_PIVOT,
    FIXED,
    HINTS,
    LENGTH,
    LOWEST,
    NEAR,
    PROJECT,
    R_SLOPE,
    REJECTED,
    RETRY,
    ROWS,
    RUNAWAY,
    RUNAWAY_LEFT,
    RUNNING_AWAY,
    SMALLEST_PIVOT,
    STALLS,
    STEP,
    TIME,
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
#: a dead centre is told by so many steps in a row that agree on its time, to this part of what is left until there, and
#: come nearer to it; pivots are below this part of the first one then: a mechanism whose lengths let it pass by so
#: little, a ten-millionth of them, is given up as well.  Where as many agree roughly, from further away, positions can
#: be asked whether there is a way on
SURE, AGREEING, NEARER, PASSING = 4, 0.01, 0.97, 2e-5
SUSPECT, ROUGHLY = 0.1, 0.1
NO, MAYBE, SURELY = range(3)


@kernel(f8(A))
def limit(run):
    """Pivots below this one: a singular position is near."""
    return run[ZONE] * run[FIRST_PIVOT]


@kernel(types.void(A, I))
def look(run, count):
    """Whether a singular position is near the last accepted state."""
    count[NEAR] = run[SMALLEST_PIVOT] < limit(run) and count[PROJECT] == ROWS


@kernel(types.void(A, A, I))
def prepare(w, run, count):
    """Before a try: how well projections put things back."""
    w[at.PROJECT_TOLERANCE] = FINE if count[NEAR] == 1 else USUAL


@kernel(types.boolean(A, I))
def found(run, count):
    """Whether a singular position was found on the way: then the step is taken again with projected stages."""
    if count[NEAR] == 1 or count[PROJECT] != ROWS or not run[LOWEST] < limit(run):
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


@kernel(i8(A, I, A, I))
def runs_away(y, tab, run, count):
    """Whether the accepted steps lead into a dead centre of a driver, at the time run[RUNAWAY]: NO, MAYBE or SURELY.

    There the driver would move on, and the rest can only follow with speeds that grow beyond all bounds:
        v ~ (T - t)^(-1/2)        s = v'v        T - t = s / s'
    Steps are compared that come nearer by a part of what is left, however short they are.
    """
    if count[PROJECT] != ROWS or not run[SMALLEST_PIVOT] < SUSPECT * run[FIRST_PIVOT]:
        count[RUNNING_AWAY] = count[HINTS] = 0
        run[RUNAWAY_LEFT] = 0.0
        return NO
    n_q = tab[at.N_Q]
    kinds = tab[at.T_TURNING]
    size = 0.0
    growth = 0.0
    for i in range(n_q, n_q + tab[at.N_V]):
        weight = 1.0 if tab[kinds + i] == 1 else 1.0 / run[LENGTH] ** 2
        size += weight * y[i] * y[i]
        growth += 2.0 * weight * y[i] * run[count[R_SLOPE] + i]
    if not growth > 0.0:
        count[RUNNING_AWAY] = count[HINTS] = 0
        return NO
    left = size / growth
    if NEARER * run[RUNAWAY_LEFT] <= left < run[RUNAWAY_LEFT]:
        return NO
    end = run[TIME] + left
    gone = end - run[RUNAWAY]
    nearer = left < run[RUNAWAY_LEFT]
    count[RUNNING_AWAY] = count[RUNNING_AWAY] + 1 if nearer and abs(gone) < AGREEING * left else 0
    count[HINTS] = count[HINTS] + 1 if nearer and abs(gone) < ROUGHLY * left else 0
    sure = count[RUNNING_AWAY] >= SURE and run[SMALLEST_PIVOT] < PASSING * run[FIRST_PIVOT]
    if sure:  # what the series leaves out is of the order left^(3/2), and goes by two steps
        end += gone / ((run[RUNAWAY_LEFT] / left) ** 1.5 - 1.0)
    run[RUNAWAY], run[RUNAWAY_LEFT] = end, left
    if sure:
        return SURELY
    return MAYBE if count[HINTS] == SURE else NO
