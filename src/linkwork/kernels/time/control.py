"""How long a step is and how large its error: the one place that knows what is not finite, and steps of one length.

| symbol | word                                                                                                 |
|--------|------------------------------------------------------------------------------------------------------|
| e5, e3 | two estimates of the error of every number; with e3 = 0 the usual norm of one estimate               |
| scale  | what an error may be: a tolerance times a length, a speed, an energy, or the size of a state of a law |

        error = |e5|^2 / sqrt((|e5|^2 + 0.01 |e3|^2) n)        |e|^2 = sum (e_i / (scale_i + noise))^2

It is taken for the motion, the work and the states of laws apart, and the largest counts: where a driver moves all, e5
of the motion may vanish and its e3 be large, which would hide the error of the others.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, beyond, f8, i8, kernel, stepper_at, types
from linkwork.kernels.time import corners, near
from linkwork.kernels.time.places import (
    A_ESTIMATE,
    ABSOLUTE,
    BEGIN,
    CORNERED,
    END,
    ENERGY,
    ERROR,
    ERROR_BEFORE,
    FINAL,
    FIXED,
    LEAST_GROWTH,
    LENGTH,
    LENGTH_BEFORE,
    LONGEST,
    N_STATE,
    NEAR,
    ORDER,
    R_ERROR,
    R_ERROR_LOW,
    R_LARGEST,
    R_NEW,
    R_SCALE,
    R_SLOPE,
    R_SLOPE_NEW,
    REJECTED,
    RETRY,
    SPEED_FLOOR,
    STALLS,
    STEP,
    STEP_INDEX,
    STEP_TOTAL,
    TIME,
    TOLERANCE,
    TRIED,
    TURN_FLOOR,
    TURNING,
    WAS_REJECTED,
)

#: what becomes of a try
TAKE, AGAIN, GIVE_UP = range(3)

#: steps are chosen so that no angle whose full turns are counted turns by more than this, nearly a third of a turn
MOST_TURN = 2.0
#: and one in which it turned by so much is taken again: half a turn and more cannot be told from less
HALF_TURN = 3.0
#: a step grows by at most, shrinks by at most, and is taken a little shorter than the error asks for
MOST_GROWTH, MOST_SHRINKING, CAUTION = 6.0, 0.2, 0.9
#: proportional and integral control: powers of this error and of the one before, in parts of 1 / order
PROPORTIONAL, INTEGRAL = 0.7, 0.4
#: the smallest error that the next step is chosen by
LEAST_ERROR = 1e-4
#: the same, and the most growth, where steps are foreseen by the last two of them
LEAST_FORESEEN, MOST_FORESEEN = 1e-2, 5.0
#: a step of what is stiff that was refused twice is shortened by this at least: there errors do not fall with h^order
REFUSED_AGAIN = 0.4
#: where a stage failed the step is taken again with this part of its length, and so often; where stages were not found
#: by iteration, with HALF
BROKEN, MOST_RETRIES, HALF = 0.25, 12, 0.5
#: the shortest steps, as parts of the times: after an error, and where a stage failed
SHORTEST, SHORTEST_BROKEN = 1e-14, 1e-13
#: a step that ends so near the end, in parts of its length, goes there
REACH = 1.0000001
#: tolerance of the work against that of the motion: it keeps the ledger, and must not choose the steps
OF_WORK = 100.0


@kernel(types.boolean(f8))
def is_finite(number):
    """Whether one number is finite."""
    return math.isfinite(number)


@kernel(types.boolean(i8, A))
def finite(n, numbers):
    """Whether all numbers are finite: their sum is nan or infinite with any one that is."""
    total = 0.0
    for i in range(n):
        total += abs(numbers[i])
    return is_finite(total)


@kernel(f8(A, A, A, I, I, f8))
def _first_length(y, f, run, count, tab, given):
    """Least sizes of the error scales, and a first step from how fast things move and change."""
    n_q = tab[at.N_Q]
    kinds = tab[at.T_TURNING]
    length = run[LENGTH]
    speed, spin, change, turning = 0.0, 0.0, 0.0, 0.0
    for i in range(n_q, n_q + tab[at.N_V]):
        if tab[kinds + i] == 0:
            speed = max(speed, abs(y[i]))
            change = max(change, abs(f[i]))
        else:
            spin = max(spin, abs(y[i]))
            turning = max(turning, abs(f[i]))
    run[SPEED_FLOOR] = max(math.sqrt(change * length), 1e-6 * length)
    run[TURN_FLOOR] = max(max(math.sqrt(turning), run[SPEED_FLOOR] / length), 1e-6)
    run[ERROR_BEFORE], run[LENGTH_BEFORE] = 1.0, 0.0
    duration = run[END] - run[TIME]
    if given > 0.0:
        return min(given, duration)
    fast = max(speed / length, spin)
    quick = max(change / length, turning)
    guess = duration
    if fast > 0.0:
        guess = min(guess, 0.05 / fast)
    if quick > 0.0:
        guess = min(guess, 0.5 / math.sqrt(quick))
    return min(duration, max(guess * run[TOLERANCE] ** (1.0 / count[ORDER]), 1e-12 * duration))


@kernel(types.void(f8, A, I, A, I))
def begin(turning, y, tab, run, count):
    """Scales of errors, and the first length, where steps are not of one.

    `turning` is the fastest rate of an angle that counts turns.
    """
    h = _first_length(y, beyond(run, count[R_SLOPE]), run, count, tab, run[STEP])
    if count[FIXED] == 1:
        return
    if run[LONGEST] > 0.0:  # speeds and accelerations at an event do not tell what begins there
        h = min(h, run[LONGEST])
        run[LONGEST] = 0.0
    run[STEP] = min(h, MOST_TURN / max(1e-300, turning))


@kernel(types.void(A, I))
def choose_length(run, count):
    """The length of the next try, and whether it goes to the end."""
    t, end, h = run[TIME], run[END], run[STEP]
    last = count[STEP_INDEX] + 1 >= count[STEP_TOTAL] if count[FIXED] == 1 else t + REACH * h >= end
    run[TRIED] = end - t if last else h
    count[FINAL] = last


@kernel(i8(f8, A, A, I))
def _shorter(h, w, run, count):
    """Try again with another length, unless it is too short."""
    count[REJECTED] += 1
    count[WAS_REJECTED] = 1
    run[STEP] = h
    if abs(h) < SHORTEST * max(abs(run[TIME]), abs(run[END] - run[BEGIN])):
        w[at.STATUS] = at.STEP_TOO_SMALL
        return GIVE_UP
    return AGAIN


@kernel(i8(A, A, I))
def turns_lost(w, run, count):
    """Whether an angle turned so far that full turns can no longer be told."""
    if not run[TRIED] * run[TURNING] > HALF_TURN:
        return TAKE
    if count[FIXED] == 1:
        w[at.STATUS] = at.TURNS_LOST
        return GIVE_UP
    # a stage that went astray, into a stop say, may tell any rate: the step is not shortened for good by it
    return _shorter(max(MOST_TURN / run[TURNING], MOST_SHRINKING * run[TRIED]), w, run, count)


@kernel(i8(A, A, I))
def broken(w, run, count):
    """A stage went where the model cannot follow: shorter, and another place."""
    if w[at.STATUS] == at.TOO_LONG:  # the stepper has told how long it may be
        count[REJECTED] += 1
        return AGAIN
    if w[at.STATUS] != at.NOT_FINITE and w[at.STATUS] != at.NOT_CONVERGED:  # what is stiff may need a far shorter step
        count[RETRY] += 1
    h = (HALF if w[at.STATUS] == at.NOT_CONVERGED else BROKEN) * run[TRIED]
    run[STEP] = h
    if (
        count[FIXED] == 1
        or count[RETRY] > MOST_RETRIES
        or abs(h) < SHORTEST_BROKEN * max(abs(run[TIME]), abs(run[END]))
    ):
        if w[at.STATUS] == at.OK:
            w[at.STATUS] = at.NOT_PROJECTED
        return GIVE_UP
    count[REJECTED] += 1
    return AGAIN


@kernel(types.void(A, I, A, I))
def fill_scale(y, tab, run, count):
    """The error scale of every number; positions against a length, speeds against the fastest body.

    Absolute scales by kind make the steps independent of where the origin is and of how often a crank has turned.
    States of laws have units that only their laws know: each is compared with its own size so far, and with what it
    moves by in a step, so that one that passes zero, or begins there, can be followed.
    """
    n = count[N_STATE]
    new = beyond(run, count[R_NEW])
    scale = beyond(run, count[R_SCALE])
    n_q = tab[at.N_Q]
    n_v = tab[at.N_V]
    of_laws = n_q + n_v + tab[at.N_Z]
    kinds = tab[at.T_TURNING]
    tolerance = run[TOLERANCE]
    speed = run[SPEED_FLOOR]
    turning = run[TURN_FLOOR]
    for i in range(n_q, n_q + n_v):
        if tab[kinds + i] == 0:
            speed = max(speed, abs(y[i]))
        else:
            turning = max(turning, abs(y[i]))
    for i in range(n_q):
        scale[i] = tolerance * (run[LENGTH] if tab[kinds + i] == 0 else 1.0)
    for i in range(n_q, n_q + n_v):
        scale[i] = tolerance * (speed if tab[kinds + i] == 0 else turning)
    for i in range(n_q + n_v, of_laws):
        scale[i] = OF_WORK * tolerance * (run[ENERGY] + max(abs(y[i]), abs(new[i])))
    if run[ABSOLUTE] > 0.0:
        for i in range(n_q + n_v):
            scale[i] = run[ABSOLUTE] + tolerance * max(abs(y[i]), abs(new[i]))
    for i in range(of_laws, n):
        if run[ABSOLUTE] > 0.0:
            scale[i] = run[ABSOLUTE] + tolerance * max(abs(y[i]), abs(new[i]))
        else:
            size = max(run[count[R_LARGEST] + i - of_laws], max(abs(y[i]), abs(new[i])))
            way = abs(run[TRIED]) * max(abs(run[count[R_SLOPE] + i]), abs(run[count[R_SLOPE_NEW] + i]))
            scale[i] = tolerance * max(size, way)


@kernel(f8(i8, i8, f8, A, I))
def norm(first, last, noise, run, count):
    """The error of some of the numbers, allowed are up to 1; nan and infinite estimates stay so."""
    e5 = count[R_ERROR]
    e3 = count[R_ERROR_LOW]
    scale = count[R_SCALE]
    five = 0.0
    three = 0.0
    for i in range(first, last):
        size = run[scale + i] + noise
        five += (run[e5 + i] / size) ** 2
        three += (run[e3 + i] / size) ** 2
    if five != 0.0:  # also where it is nan
        return abs(run[TRIED]) * five / math.sqrt((five + 0.01 * three) * (last - first))
    return 0.0


@kernel(f8(i8, f8, A, I))
def _norm_of_laws(first, noise, run, count):
    """The same for the states of laws; what has no size and no error is right."""
    scale = count[R_SCALE]
    tolerance = run[TOLERANCE]
    for i in range(first, count[N_STATE]):
        size = run[scale + i]
        if size > 0.0:
            run[scale + i] = size + noise * size / tolerance  # rounding in the unit of the state
        elif run[count[R_ERROR] + i] == 0.0 and run[count[R_ERROR_LOW] + i] == 0.0:
            run[scale + i] = 1.0
    return norm(first, count[N_STATE], 0.0, run, count)


@kernel(types.boolean(A, A, I, A, A, I))
def measure(y, p, tab, w, run, count):
    """Put the error of the step into run[ERROR]; False, and NOT_FINITE, where it is no number."""
    run[ERROR] = 0.0
    if count[FIXED] == 1:
        return True
    stepper_at(count[A_ESTIMATE])(run[TIME], run[TRIED], y, p, tab, w, run, count)
    noise = near.noise(w, run, count)
    fill_scale(y, tab, run, count)
    if count[CORNERED] == 1:
        corners.coarsen(run, count)
    motion = tab[at.N_Q] + tab[at.N_V]
    of_laws = motion + tab[at.N_Z]
    error = 0.0
    for part in range(3):
        if part == 0:
            found = norm(0, motion, noise, run, count)
        elif part == 1:
            found = norm(motion, of_laws, noise, run, count)
        else:
            found = _norm_of_laws(of_laws, noise, run, count)
        if not found <= error:  # also where it is nan
            error = found
        if not is_finite(error):  # what follows would hide it: no number is larger than nan, and none smaller
            break
    run[ERROR] = error
    if not is_finite(error):
        w[at.STATUS] = at.NOT_FINITE
        return False
    return True


@kernel(i8(A, A, I))
def judge(w, run, count):
    """Whether the error is allowed; else the step is tried with a shorter length."""
    if not run[ERROR] > 1.0:
        return TAKE
    if count[NEAR] == 1:
        count[STALLS] += 1
    part = max(MOST_SHRINKING, CAUTION * run[ERROR] ** (-1.0 / count[ORDER]))
    if foresees(run) and count[WAS_REJECTED] == 1:
        part = min(part, REFUSED_AGAIN)
    return _shorter(run[TRIED] * part, w, run, count)


@kernel(types.boolean(A))
def foresees(run):
    """Whether the next length is foreseen from the last two errors, as implicit methods want it: a length that was
    steadied by the last error grows too slowly behind a motion that has died out.
    """
    return run[LEAST_GROWTH] > 1.0


@kernel(f8(f8, f8, A))
def _foreseen(error, exponent, run):
    """What the next step grows by, where the error goes on to change as it did (Gustafsson; Hairer and Wanner IV.8)."""
    growth = MOST_FORESEEN
    if error > 0.0:
        growth = min(growth, CAUTION * error**exponent)
        if run[LENGTH_BEFORE] > 0.0:
            trend = run[TRIED] / run[LENGTH_BEFORE] * (error * error / run[ERROR_BEFORE]) ** exponent
            growth = min(growth, CAUTION * trend)
    return max(growth, MOST_SHRINKING)


@kernel(types.void(A, I))
def next_length(run, count):
    """After an accepted step: the next one; the last error steadies it."""
    error = run[ERROR]
    if count[FIXED] == 0 and count[FINAL] == 0:
        exponent = -1.0 / count[ORDER]
        growth = MOST_GROWTH
        if foresees(run):
            growth = _foreseen(error, exponent, run)
        elif error > 0.0:
            before = run[ERROR_BEFORE] ** (-INTEGRAL * exponent)
            growth = min(MOST_GROWTH, CAUTION * error ** (PROPORTIONAL * exponent) * before)
        run[ERROR_BEFORE] = max(error, LEAST_FORESEEN if foresees(run) else LEAST_ERROR)
        run[LENGTH_BEFORE] = run[TRIED]
        if count[WAS_REJECTED] == 1:
            growth = min(growth, 1.0)
        if 1.0 < growth < run[LEAST_GROWTH]:  # what a stepper has made for this length serves again
            growth = 1.0
        run[STEP] = min(run[TRIED] * growth, MOST_TURN / max(1e-300, run[TURNING]))
    count[WAS_REJECTED] = 0
