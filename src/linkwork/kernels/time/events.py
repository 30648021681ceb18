"""Events: roots of watched functions inside an accepted step, found on its dense output.

At the ends of a step a watched function g and its rate g' cost next to nothing: the workspace is there.  The cubic
through both says whether g may have changed its sign, also twice, in the step.  Only then is the motion looked at
inside: dense output, put back on the constraints, evaluated.

        crossing        g changes its sign between the ends: the root is bracketed
        dip             no change, but the cubic comes near zero, or g moves as far as the gap: look where it is lowest
        pieces          where the cubic is off by as much as it is away from zero, look into both parts again
        Illinois        regula falsi on the bracket, down to rounding

| rule                                                                     | why                                       |
|--------------------------------------------------------------------------|-------------------------------------------|
| a step that begins on a level leaves it on the side that its rate says   | the root of the last event is no new one, |
| a bracket begins where g is surely on the side that it comes from        | however rounding has left g there         |
| what stops on a level is on no side, and fires nothing until it leaves   | what is locked there only rounds          |
| who stands within BAND of a level has not crossed it                     | rounding there would tell crossings       |
| roots within TIE are told together                                       | what is done at the first may move others |
| memory and slopes of the end of the step are kept, not read again        | the workspace is elsewhere after a search |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import STEPPER, A, I, at_address, beyond, f8, i8, kernel, types
from linkwork.kernels.time import dense, holding
from linkwork.kernels.time import watches as of
from linkwork.kernels.time.cubic import cubic, divided
from linkwork.kernels.time.places import (
    A_RHS,
    CUT,
    EVENT_TIME,
    FOUND,
    INSIDE,
    N_STATE,
    R_BETWEEN,
    R_NEW,
    R_SCALE,
    STEPS,
    TIME,
    TRIED,
    WATCH,
)

#: no crossing in this step
NONE = 2.0
#: values within this part of what counts as much are on the level
BAND = 1e-11
#: roots that are nearer, in parts of the step, happen together
TIE = 1e-10
#: where a rate is not known, it is found from values that are so far apart
APART = 1e-3
#: looks into one step for one root; what has more to tell is told by the ends of its pieces
MOST_LOOKS = 60
#: a piece is divided between these parts of it; elsewhere the cubic may be off by DOUBT times what it is off there
EARLIEST, LATEST, DOUBT = 0.15, 0.85, 1.5
#: rounding; and rates after an event below this part of those before it have stopped
ROUNDING, STOPPED = 2.2e-16, 1e-6
MOST_ITERATIONS, BISECT_AFTER = 120, 40


@kernel(i8(i8, I))
def _row(k, count):
    return count[count[WATCH] + of.I_WATCH] + of.COLUMNS * k


@kernel(i8(i8, I))
def _numbers(k, count):
    return count[count[WATCH] + of.F_WATCH] + of.NUMBERS * k


@kernel(f8(i8, A, I))
def _band(k, run, count):
    """Values of g that cannot be told from zero."""
    f = _numbers(k, count)
    return BAND * max(run[f + of.SIZE], run[f + of.SEEN])


@kernel(types.void(f8, f8, A, A, I, A, A, I))
def _go_to(theta, t, y, p, tab, w, run, count):
    """Have the workspace at a part of the step, the state there in R_BETWEEN, and the measures read."""
    count[count[WATCH] + of.LOOKS] += 1
    dense.ready(y, p, tab, w, run, count)
    state = beyond(run, count[R_BETWEEN])
    scratch = beyond(run, count[R_SCALE])
    if theta == 1.0:
        for i in range(count[N_STATE]):
            state[i] = run[count[R_NEW] + i]
    else:
        dense.between(theta, y, run, count)
        holding.put_back(t, state, p, tab, w, scratch, count)
    at_address(count[A_RHS])(t, state, p, tab, w, scratch)
    of.remembered(theta, run, count)
    of.read_measures(tab, w, run, count)


@kernel(f8(i8, f8, f8, A, A, I, A, A, I))
def _value_at(k, theta, t, y, p, tab, w, run, count):
    """g there."""
    _go_to(theta, t, y, p, tab, w, run, count)
    return of.value(k, t, beyond(run, count[R_BETWEEN]), p, tab, w, run, count)


@kernel(f8(i8, f8, A, A, I, A, A, I))
def _look(k, theta, y, p, tab, w, run, count):
    """g at theta; its rate by theta is left in ROOT_RATE."""
    t, step = run[TIME], run[TRIED]
    root_rate = _numbers(k, count) + of.ROOT_RATE
    if count[_row(k, count) + of.RATED] == 1:
        found = _value_at(k, theta, t + theta * step, y, p, tab, w, run, count)
        run[root_rate] = step * of.rate(k, p, tab, w, run, count)
        return found
    beside = theta - APART if theta > 0.5 else theta + APART
    near = _value_at(k, beside, t + beside * step, y, p, tab, w, run, count)
    if w[at.STATUS] != at.OK:
        return near
    found = _value_at(k, theta, t + theta * step, y, p, tab, w, run, count)
    run[root_rate] = (found - near) / (theta - beside)
    return found


@kernel(f8(i8, i8, f8, f8, f8, f8, A, A, I, A, A, I))
def _located(k, side, a, ga, b, gb, y, p, tab, w, run, count):
    """The root between a, from where g comes on `side`, and b, where it has left it; to rounding."""
    f = _numbers(k, count)
    little = 2.0 * ROUNDING * max(1.0, abs(run[TIME]) / abs(run[TRIED]))
    nothing = 2.0 * ROUNDING * max(run[f + of.SIZE], abs(run[f + of.LEVEL]))
    for _ in range(MOST_ITERATIONS):  # begin where it is surely on its side
        if side * ga > 0.0:
            break
        x = 0.5 * (a + b)
        if b - a <= little:
            return b
        g = _look(k, x, y, p, tab, w, run, count)
        if w[at.STATUS] != at.OK:
            return NONE
        if side * g > 0.0:
            a, ga = x, g
        else:
            b, gb = x, g
    fa, fb = ga, gb
    last = 0
    for i in range(MOST_ITERATIONS):
        if b - a <= little or gb == 0.0:
            break
        x = (a * fb - b * fa) / (fb - fa)
        if i > BISECT_AFTER or not a < x < b:
            x = 0.5 * (a + b)
            if not a < x < b:
                break
        g = _look(k, x, y, p, tab, w, run, count)
        if w[at.STATUS] != at.OK:
            return NONE
        if abs(g) <= nothing:
            return x
        if side * g > 0.0:
            a, ga, fa = x, g, g
            if last == 1:
                fb *= 0.5
            last = 1
        else:
            b, gb, fb = x, g, g
            if last == -1:
                fa *= 0.5
            last = -1
    return b if abs(gb) <= abs(ga) else a


@kernel(f8(i8, A, A, I, A, A, I))
def _crossing(k, y, p, tab, w, run, count):
    """theta of the first crossing behind FROM from the side SCAN to the other, or NONE."""
    side = count[_row(k, count) + of.SCAN]
    f = _numbers(k, count)
    waiting = count[count[WATCH] + of.F_PIECE]
    a, ga, da = run[f + of.FROM], run[f + of.FROM_VALUE], run[f + of.FROM_RATE]
    b, gb, db = 1.0, run[f + of.END_VALUE], run[f + of.END_RATE]
    band = _band(k, run, count)
    off, looked, pieces, looks = 0.0, 0.0, 0, 0
    while a < b:
        x = -1.0
        if looks < MOST_LOOKS:
            x = divided(side, a, ga, da, b, gb, db, band, off, looked)
        if x >= 0.0:
            x = min(LATEST, max(EARLIEST, x))
            middle = a + x * (b - a)
            g = _look(k, middle, y, p, tab, w, run, count)
            if w[at.STATUS] != at.OK:
                return NONE
            looks += 1
            off = DOUBT * abs(g - cubic(x, b - a, ga, da, gb, db))
            looked = 1.0
            place = waiting + of.PIECE * pieces
            run[place], run[place + 1], run[place + 2], run[place + 3] = b, gb, db, off
            pieces += 1
            b, gb, db = middle, g, run[f + of.ROOT_RATE]
            continue
        if side * gb < -band:
            return _located(k, side, a, ga, b, gb, y, p, tab, w, run, count)
        if pieces == 0:
            return NONE
        a, ga, da = b, gb, db
        pieces -= 1
        place = waiting + of.PIECE * pieces
        b, gb, db, off = run[place], run[place + 1], run[place + 2], run[place + 3]
    return NONE


@kernel(types.void(i8, A, A, I, A, A, I))
def _next_root(k, y, p, tab, w, run, count):
    """The next crossing in the direction that is asked for, into ROOT; FROM and SCAN go past others."""
    row, f = _row(k, count), _numbers(k, count)
    run[f + of.ROOT] = NONE
    while count[row + of.SCAN] != 0:
        side = count[row + of.SCAN]
        theta = _crossing(k, y, p, tab, w, run, count)
        if not theta <= 1.0:
            return
        direction = count[row + of.DIRECTION]
        if direction == 0 or direction == -side:
            run[f + of.ROOT] = theta
            return
        _pass(k, theta, y, p, tab, w, run, count)
        if w[at.STATUS] != at.OK:
            return


@kernel(types.void(i8, f8, A, A, I, A, A, I))
def _pass(k, theta, y, p, tab, w, run, count):
    """Go on behind a root, on the other side."""
    row, f = _row(k, count), _numbers(k, count)
    count[row + of.SCAN] = -count[row + of.SCAN]
    _look(k, theta, y, p, tab, w, run, count)
    run[f + of.FROM], run[f + of.FROM_VALUE], run[f + of.FROM_RATE] = theta, 0.0, run[f + of.ROOT_RATE]


@kernel(types.void(A, A, I, A, A, I))
def _read_end(y, p, tab, w, run, count):
    """Values and rates at the end of the step, where the workspace is; then the next root of every function."""
    step = run[TRIED]
    t = run[TIME] + step
    h = count[WATCH]
    new = beyond(run, count[R_NEW])
    of.read_at_end(step, tab, w, run, count)
    of.see_most(p, tab, w, run, count)
    for k in range(count[h + of.N_WATCHED]):
        row, f = _row(k, count), _numbers(k, count)
        run[f + of.ROOT] = NONE
        if count[row + of.LEFT] == 0:
            continue
        run[f + of.END_VALUE] = of.value(k, t, new, p, tab, w, run, count)
        run[f + of.END_RATE] = step * of.rate(k, p, tab, w, run, count) if count[row + of.RATED] == 1 else 0.0
        if w[at.STATUS] != at.OK:
            return
        run[f + of.SEEN] = max(run[f + of.SEEN], abs(run[f + of.END_VALUE]))
        on_level = abs(run[f + of.VALUE]) <= _band(k, run, count)
        run[f + of.FROM] = 0.0
        run[f + of.FROM_VALUE] = 0.0 if on_level else run[f + of.VALUE]
        run[f + of.FROM_RATE] = step * run[f + of.RATE]
        count[row + of.SCAN] = count[row + of.SIDE]
    for k in range(count[h + of.N_WATCHED]):
        row, f = _row(k, count), _numbers(k, count)
        if count[row + of.LEFT] == 0 or count[row + of.SCAN] == 0:
            continue
        if count[row + of.RATED] == 0:
            for end in range(2):
                theta = APART if end == 0 else 1.0 - APART
                g = _value_at(k, theta, run[TIME] + theta * step, y, p, tab, w, run, count)
                if w[at.STATUS] != at.OK:
                    return
                if end == 0:
                    run[f + of.FROM_RATE] = (g - run[f + of.VALUE]) / APART
                else:
                    run[f + of.END_RATE] = (run[f + of.END_VALUE] - g) / APART
        _next_root(k, y, p, tab, w, run, count)
        if w[at.STATUS] != at.OK:
            return


@kernel(types.void(A, A, I, A, A, I))
def _read_on(y, p, tab, w, run, count):
    """After roots that were told: those that come behind them in the same step."""
    for k in range(count[count[WATCH] + of.N_WATCHED]):
        row, f = _row(k, count), _numbers(k, count)
        if count[row + of.FIRED] == 1:
            count[row + of.FIRED] = 0
            theta = run[f + of.ROOT]
            run[f + of.ROOT] = NONE
            if count[row + of.LEFT] == 0:
                continue
            _pass(k, theta, y, p, tab, w, run, count)
            if w[at.STATUS] == at.OK:
                _next_root(k, y, p, tab, w, run, count)
            if w[at.STATUS] != at.OK:
                return


@kernel(STEPPER)
def search(t, step, y, p, tab, w, run, count):
    """The next events of a step: how many happen at the same time, in FOUND; CUT where they interrupt the motion.

    Their time is in EVENT_TIME, state and memory there are behind F_EVENT and F_MEMORY.
    """
    h = count[WATCH]
    count[FOUND] = count[CUT] = 0
    if count[INSIDE] == 0:
        _read_end(y, p, tab, w, run, count)
    else:
        _read_on(y, p, tab, w, run, count)
    if w[at.STATUS] != at.OK:
        return
    first = NONE
    for k in range(count[h + of.N_WATCHED]):
        first = min(first, run[_numbers(k, count) + of.ROOT])
    if first > 1.0:
        _leave(run, count)
        return
    together = first + TIE + 8.0 * ROUNDING * abs(t) / abs(step)
    theta = first
    for k in range(count[h + of.N_WATCHED]):
        root = run[_numbers(k, count) + of.ROOT]
        if root <= together:
            row = _row(k, count)
            count[row + of.FIRED] = 1
            count[FOUND] += 1
            count[CUT] = max(count[CUT], count[row + of.ACTS])
            theta = max(theta, root)
    run[EVENT_TIME] = t + theta * step
    _arrive(theta, y, p, tab, w, run, count)


@kernel(types.void(A, I))
def _leave(run, count):
    """No more events: the end of the step becomes the start of the next one."""
    h = count[WATCH]
    step = run[TRIED]
    n = count[h + of.N_REMEMBERED]
    first = count[h + of.F_REMEMBERED]
    for k in range(count[h + of.N_WATCHED]):
        row, f = _row(k, count), _numbers(k, count)
        if count[row + of.LEFT] == 0:
            continue
        run[f + of.VALUE] = run[f + of.END_VALUE]
        run[f + of.RATE] = run[f + of.END_RATE] / step
        side = count[row + of.SCAN]
        if side == 0 and abs(run[f + of.VALUE]) > _band(k, run, count):
            side = 1 if run[f + of.VALUE] > 0.0 else -1
        count[row + of.SIDE] = side
    for i in range(n):
        run[first + i] = run[first + n + i]


@kernel(types.void(f8, A, A, I, A, A, I))
def _arrive(theta, y, p, tab, w, run, count):
    """The workspace at an event, with its state and memory kept, and rates of what fired."""
    h = count[WATCH]
    step = run[TRIED]
    for k in range(count[h + of.N_WATCHED]):
        row, f = _row(k, count), _numbers(k, count)
        if count[row + of.FIRED] == 1 and count[row + of.RATED] == 0:
            _look(k, theta, y, p, tab, w, run, count)
            run[f + of.STRUCK] = run[f + of.ROOT_RATE] / step
    _go_to(theta, run[EVENT_TIME], y, p, tab, w, run, count)
    for k in range(count[h + of.N_WATCHED]):
        row, f = _row(k, count), _numbers(k, count)
        if count[row + of.FIRED] == 1 and count[row + of.RATED] == 1:
            run[f + of.STRUCK] = of.rate(k, p, tab, w, run, count)
    of.keep_memory(tab, w, run, count)
    for i in range(count[N_STATE]):
        run[count[h + of.F_EVENT] + i] = run[count[R_BETWEEN] + i]
    if count[CUT] == 1:
        of.keep_turns(run, count)


@kernel(STEPPER)
def begin(t, step, y, p, tab, w, run, count):
    """Where a run or a piece of it begins, with the workspace there: on which side every watched function is.

    One that stands on its level: at the start of a run it is where its rate leads; after an event of its own, too,
    where the rate is one to speak of beside that before; and where another one's event left it there, it is still where
    it came from.
    """
    h = count[WATCH]
    of.remembered(0.0, run, count)
    of.read_measures(tab, w, run, count)
    of.keep_turns(run, count)
    of.see_most(p, tab, w, run, count)
    for k in range(count[h + of.N_WATCHED]):
        row, f = _row(k, count), _numbers(k, count)
        fired = count[row + of.FIRED]
        count[row + of.FIRED] = 0
        if count[row + of.LEFT] == 0:
            continue
        g = of.value(k, t, y, p, tab, w, run, count)
        rated = count[row + of.RATED] == 1
        d = of.rate(k, p, tab, w, run, count) if rated else 0.0
        if w[at.STATUS] != at.OK:
            return
        run[f + of.VALUE], run[f + of.RATE] = g, d
        run[f + of.SEEN] = max(run[f + of.SEEN], abs(g))
        came = count[row + of.SIDE]
        if abs(g) > _band(k, run, count):
            count[row + of.SIDE] = 1 if g > 0.0 else -1
        elif fired == 1:
            before = run[f + of.STRUCK]
            if not rated:
                count[row + of.SIDE] = 0
            elif abs(d) <= STOPPED * abs(before):
                count[row + of.SIDE] = 0
            else:
                count[row + of.SIDE] = came if d * before < 0.0 else -came
        elif count[STEPS] == 0:
            count[row + of.SIDE] = 0 if not rated or d == 0.0 else (1 if d > 0.0 else -1)
