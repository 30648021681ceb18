"""The only loop through time: try a step, judge it, take it.

It works in slices: it returns after a number of tries, so that Python can show progress, hear Ctrl-C and store more.

        attempt = stepper(t, h)         stages
        project, evaluate               the end of the step, once: all that is asked of it is in the workspace then
        control, near                   is the error allowed, is a singular spot in the way: else another length
        settle                          do the rows agree; memory
        search                          where something is watched: does it happen in the step; the first time it does
        outputs                         up to the end of the step, by its polynomial
        take                            the end becomes the state
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, stepper_at, types
from linkwork.kernels.rows import fastest_turn, remember
from linkwork.kernels.time import acceptance, control, corners, dense, holding, jumps, near
from linkwork.kernels.time.control import AGAIN, GIVE_UP, TAKE, finite
from linkwork.kernels.time.places import (
    A_ATTEMPT,
    A_RHS,
    A_SEARCH,
    A_STIFF,
    A_WATCH,
    BEGUN,
    CORNERED,
    CUT,
    DENSE_READY,
    EACH_STEP,
    END,
    END_PIVOT,
    EVENT_TIME,
    FINAL,
    FOUND,
    HITS,
    INSIDE,
    LONGEST,
    N_STATE,
    OUTPUT,
    PROJECT,
    R_BETWEEN,
    R_KEPT,
    R_NEW,
    R_SCALE,
    R_SLOPE,
    R_SLOPE_NEW,
    REFUSED,
    ROWS,
    SLICE,
    SMALLEST_PIVOT,
    START_PIVOT,
    STARTED,
    STEP,
    STEPS,
    STIFF_LIMIT,
    TIME,
    TRIED,
    TURNING,
    USUAL_STEP,
    WATCH,
)
from linkwork.kernels.time.watches import F_EVENT

DONE, MORE, FAILED, CHOOSE_ROWS, EVENT, LOOK_AHEAD, OTHER_METHOD = range(7)

#: so many steps that tell of another method are believed: what is not stiff tells it once in a run at most
SURE = 6

#: the largest error of position, after a projection, that a step may end with
MOST_VIOLATION = 1e-6
#: an output so near the end of a step, in parts of it, is the end
AT_END = 1e-12


@kernel(i8(A, A, I, A, A, I))
def _begin(y, p, tab, w, run, count):
    """The first evaluation of a run or of a piece of it: TAKE, or GIVE_UP where w[STATUS] says why."""
    n = count[N_STATE]
    slope = beyond(run, count[R_SLOPE])
    at_address(count[A_RHS])(run[TIME], y, p, tab, w, slope)
    if w[at.STATUS] == at.OK and not (finite(n, y) and finite(n, slope)):
        w[at.STATUS] = at.NOT_FINITE
    if w[at.STATUS] != at.OK:
        return GIVE_UP
    if count[STEPS] == 0:  # later, where the rows are others, this is the end of a step that was remembered
        remember(tab, w)
        run[START_PIVOT] = w[at.PIVOT]
    acceptance.enlarge(y, tab, run, count)
    corners.note(1, tab, w, run, count)
    control.begin(fastest_turn(tab, w), y, tab, run, count)
    run[SMALLEST_PIVOT] = w[at.PIVOT]
    run[USUAL_STEP] = run[STEP]
    near.look(run, count)
    count[STARTED] = count[BEGUN] = 1
    return TAKE


@kernel(i8(f8, A, I, A, A, I))
def _evaluate_end(t, p, tab, w, run, count):
    """Put the end of the step on the constraints and evaluate it: 1, or 0 where that fails."""
    n = count[N_STATE]
    new = beyond(run, count[R_NEW])
    slope = beyond(run, count[R_SLOPE_NEW])
    if not finite(n, new):
        w[at.STATUS] = at.NOT_FINITE
        return 0
    holding.put_back(t, new, p, tab, w, slope, count)
    if count[PROJECT] == ROWS and (not w[at.ERROR_POSITION] < MOST_VIOLATION or w[at.STATUS] != at.OK):
        return 0
    at_address(count[A_RHS])(t, new, p, tab, w, slope)
    if w[at.STATUS] == at.OK and not (finite(n, new) and finite(n, slope)):
        w[at.STATUS] = at.NOT_FINITE
    return 1 if w[at.STATUS] == at.OK else 0


@kernel(i8(A, A, I, A, A, I))
def _try_step(y, p, tab, w, run, count):
    """One try: TAKE, with the workspace at its end; AGAIN, with another length; or GIVE_UP."""
    t = run[TIME]
    control.choose_length(run, count)
    step = run[TRIED]
    count[DENSE_READY] = count[CORNERED] = 0
    near.prepare(w, run, count)
    stepper_at(count[A_ATTEMPT])(t, step, y, p, tab, w, run, count)
    if w[at.STATUS] != at.OK:
        return control.broken(w, run, count)
    if near.found(run, count):
        return AGAIN
    if _evaluate_end(t + step, p, tab, w, run, count) == 0:
        return control.broken(w, run, count)
    if tab[at.N_MEMORY] > 0:
        run[TURNING] = max(run[TURNING], fastest_turn(tab, w))
        verdict = control.turns_lost(w, run, count)
        if verdict != TAKE:
            return verdict
    corners.look(tab, w, run, count)
    if not control.measure(y, p, tab, w, run, count):
        return control.broken(w, run, count)
    verdict = control.judge(w, run, count)
    if verdict != TAKE:
        return verdict
    run[END_PIVOT] = w[at.PIVOT]
    if near.refuses(run, count):
        return AGAIN
    if run[STIFF_LIMIT] > 0.0:
        stepper_at(count[A_STIFF])(t, step, y, p, tab, w, run, count)
    if count[REFUSED] >= jumps.REFUSALS and tab[at.N_LAWS] > 0:
        jumps.look(t, step, y, p, tab, w, run, count)
    return TAKE


@kernel(types.void(i8, A, A, i8, i8, A))
def _write(k, state, memory, n, n_memory, states):
    """One output: a state with its memory behind it."""
    row = k * (n + n_memory)
    for i in range(n):
        states[row + i] = state[i]
    for i in range(n_memory):
        states[row + n + i] = memory[i]


@kernel(types.void(A, I, A, A, I, i8, A, A))
def _write_start(y, tab, w, run, count, outputs, times, states):
    """Outputs that are asked for at the first time, or before it."""
    if count[EACH_STEP] == 1:
        if count[OUTPUT] > 0:  # where a piece begins, the step before ended
            return
        times[0] = run[TIME]
        outputs = 1
    while count[OUTPUT] < outputs and times[count[OUTPUT]] <= run[TIME]:
        _write(count[OUTPUT], y, beyond(w, tab[at.W_MEMORY]), count[N_STATE], tab[at.N_MEMORY], states)
        count[OUTPUT] += 1


@kernel(types.void(f8, A, A, I, A, A, I, i8, A, A))
def _write_up_to(t_new, y, p, tab, w, run, count, outputs, times, states):
    """Outputs up to the end of an accepted step; the workspace may be elsewhere afterwards."""
    n, n_memory = count[N_STATE], tab[at.N_MEMORY]
    t, step = run[TIME], run[TRIED]
    inside = beyond(run, count[R_BETWEEN])
    if count[EACH_STEP] == 1:
        if count[OUTPUT] == outputs:
            return
        times[count[OUTPUT]] = t_new
        outputs = count[OUTPUT] + 1
    while count[OUTPUT] < outputs and times[count[OUTPUT]] <= t_new:
        k = count[OUTPUT]
        time = times[k]
        if time == t_new or abs(time - t_new) < AT_END * abs(step):
            _write(k, beyond(run, count[R_NEW]), beyond(run, count[R_KEPT]), n, n_memory, states)
        else:
            dense.ready(y, p, tab, w, run, count)
            dense.between((time - t) / step, y, run, count)
            holding.put_back(time, inside, p, tab, w, beyond(run, count[R_SCALE]), count)
            _write(k, inside, beyond(w, tab[at.W_MEMORY]), n, n_memory, states)
            for i in range(n_memory):
                if tab[tab[at.T_MEMORY_MEASURE] + i] >= 0:  # turns are counted here too; laws remember the last step
                    states[k * (n + n_memory) + n + i] = w[tab[at.W_TURNED] + i]
        count[OUTPUT] += 1


@kernel(i8(A, A, I, A, A, I, i8, A, A))
def _cut(y, p, tab, w, run, count, outputs, times, states):
    """End the step at an event, where the workspace is: EVENT, or FAILED.

    Outputs at the time of the event are those of the state behind it, and not written here; one that is within
    rounding of it has its time.
    """
    t = run[EVENT_TIME]
    shown = count[OUTPUT]
    if count[EACH_STEP] == 0:
        near_by = AT_END * abs(run[TRIED])
        while shown < outputs and times[shown] < t - near_by:
            shown += 1
        if shown < outputs and times[shown] <= t + near_by:
            t = run[EVENT_TIME] = times[shown]
    count[INSIDE] = count[STARTED] = 0
    run[LONGEST] = run[TRIED]
    new, event = count[R_NEW], count[count[WATCH] + F_EVENT]
    for i in range(count[N_STATE]):
        run[new + i] = run[event + i]
    run[END_PIVOT] = w[at.PIVOT]
    if not acceptance.settle(t, p, tab, w, run, count):
        return FAILED
    if count[EACH_STEP] == 0:
        _write_up_to(t, y, p, tab, w, run, count, shown, times, states)
    acceptance.take(t, y, p, tab, w, run, count)
    return EVENT


ADVANCE = i8(A, A, I, A, A, I, i8, A, A)


@kernel(ADVANCE, entry=True)
def advance(y, p, tab, w, run, count, n_times, asked, written):
    """Advance the state from run[TIME] towards run[END] and fill in what is written at the times asked.

    Returns DONE, MORE, FAILED; CHOOSE_ROWS where rows were dropped as redundant and the choice has become a bad one;
    LOOK_AHEAD where a dead centre may be ahead, at run[RUNAWAY]; OTHER_METHOD where another stepper would serve better;
    or EVENT, where something that is watched happens: with CUT the state is there, else the step goes on at the next
    call.
    """
    if count[STARTED] == 0:
        if _begin(y, p, tab, w, run, count) == GIVE_UP:
            return FAILED
        _write_start(y, tab, w, run, count, n_times, asked, written)
        if count[A_WATCH] != 0:
            stepper_at(count[A_WATCH])(run[TIME], 0.0, y, p, tab, w, run, count)
            if w[at.STATUS] != at.OK:
                return FAILED
    tried = 0
    while run[TIME] < run[END]:
        t = run[TIME] + run[TRIED]
        if count[INSIDE] == 0:
            if tried >= count[SLICE]:
                return MORE
            tried += 1
            verdict = _try_step(y, p, tab, w, run, count)
            if verdict == AGAIN:
                if count[REFUSED] < jumps.KEPT:  # more than that is set where all steps are to be looked at
                    count[REFUSED] += 1
                continue
            count[REFUSED] = max(0, count[REFUSED] - 1)
            t = run[TIME] + run[TRIED]
            if verdict == GIVE_UP or not acceptance.settle(t, p, tab, w, run, count):
                return FAILED
        if count[A_SEARCH] != 0:
            stepper_at(count[A_SEARCH])(run[TIME], run[TRIED], y, p, tab, w, run, count)
            if w[at.STATUS] != at.OK:
                return FAILED
            count[INSIDE] = 1 if count[FOUND] > 0 else 0
            if count[CUT] == 1:
                return _cut(y, p, tab, w, run, count, n_times, asked, written)
            if count[FOUND] > 0:
                return EVENT
        if count[FINAL] == 1:
            t = run[END]
        _write_up_to(t, y, p, tab, w, run, count, n_times, asked, written)
        acceptance.take(t, y, p, tab, w, run, count)
        ahead = near.runs_away(y, tab, run, count)
        if ahead == near.SURELY:
            w[at.STATUS] = at.DEAD_CENTRE
            return FAILED
        control.next_length(run, count)
        if ahead == near.MAYBE:
            return LOOK_AHEAD
        if count[HITS] >= SURE and count[FINAL] == 0:
            return OTHER_METHOD
        if acceptance.wants_other_rows(run, count):
            return CHOOSE_ROWS
    return DONE
