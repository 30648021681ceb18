"""One kernel for every explicit Runge-Kutta method: a table of coefficients, error control, dense output, projection.

It works in slices: it returns after a number of tries, so that Python can show progress, hear Ctrl-C and store more.

| symbol | word                                                                                           |
|--------|------------------------------------------------------------------------------------------------|
| a b c  | coefficients of the method; stage s is f at the end of the step, later ones serve dense output |
| e5 e3  | error estimates; with e3 = 0 the usual norm of one estimate                                     |
| d      | dense output: y(t + theta h) = y + h sum_i k_i sum_j d_ij theta^(j+1)                           |
| near   | a singular position is near: every stage is projected before it is evaluated, f(P(y))           |
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.equations import usual_acceleration
from linkwork.kernels.jit import ARRAY, INTEGERS, MATRIX, TABLE, at_address, beyond, i8, kernel, pointer
from linkwork.kernels.rows import fastest_turn, remember
from linkwork.kernels.run import (
    BEGIN,
    CHOICE_LIMIT,
    CRAWL,
    END,
    ERROR_BEFORE,
    FIRST_PIVOT,
    FIXED,
    NEAR,
    ORDER,
    OUTPUT,
    PROJECT,
    REJECTED,
    RETRY,
    SLICE,
    SMALLEST_PIVOT,
    STAGES_PROJECTED,
    STALLS,
    START_PIVOT,
    STARTED,
    STEP,
    STEP_INDEX,
    STEP_TOTAL,
    STEPS,
    TIME,
    USUAL_STEP,
    WAS_REJECTED,
    WORST_VIOLATION,
    ZONE,
)
from linkwork.kernels.steps import combine, error_scale, finite, first_step

DONE, MORE, FAILED, CHOOSE_ROWS = range(4)

#: steps are chosen so that no angle whose full turns are counted turns by more than this, nearly a third of a turn
MOST_TURN = 2.0
#: and one in which it turned by so much is taken again: half a turn and more cannot be told from less
HALF_TURN = 3.0
#: errors of position that projections leave; beside a singular position they are multiplied, so all of it must go
USUAL, FINE = 1e-13, 1e-15
#: what rounding may come to beside a singular position; where more is needed to go on, there is no way on
MOST_NOISE = 1e-6
RETRIES = (0.87, 1.15, 0.75, 1.3, 0.6, 1.5, 0.5)


@kernel(
    i8(
        i8,
        i8,
        ARRAY,
        ARRAY,
        TABLE,
        ARRAY,
        MATRIX,
        ARRAY,
        ARRAY,
        ARRAY,
        ARRAY,
        MATRIX,
        MATRIX,
        MATRIX,
        ARRAY,
        INTEGERS,
        ARRAY,
        MATRIX,
    )
)
def integrate(
    rhs_at,
    project_at,
    state,
    parameters,
    table,
    workspace,
    a,
    b,
    c,
    e5,
    e3,
    d,
    slopes,
    scratch,
    control,
    count,
    times,
    states,
):
    """Advance y from control[TIME] towards control[END] and fill `states` at `times`.

    Returns DONE, MORE, FAILED, or CHOOSE_ROWS where rows were dropped as redundant and the choice has become a bad one.
    """
    rhs = at_address(rhs_at)
    project = at_address(project_at)
    y, p, tab, w = pointer(state), pointer(parameters), pointer(table), pointer(workspace)
    told, counted = pointer(control), pointer(count)
    n = state.size
    n_error = tab[at.N_Q] + tab[at.N_V]
    n_memory = tab[at.N_MEMORY]
    memory = tab[at.W_MEMORY]
    turned = tab[at.W_TURNED]
    stages = b.size
    total = a.shape[0]
    fixed = count[FIXED] == 1
    wide = scratch.shape[1]
    z = pointer(scratch)
    new = beyond(z, wide)
    scale = beyond(z, 2 * wide)
    dense = beyond(z, 3 * wide)
    blend = beyond(z, 4 * wide)
    kept = beyond(z, 5 * wide)
    k = pointer(slopes)  # derivatives at the stages, n numbers each
    k_new = beyond(k, n * stages)  # the derivative at the end of the step
    t = control[TIME]
    end = control[END]
    h = control[STEP]
    exponent = -1.0 / count[ORDER]
    if count[STARTED] == 0:
        rhs(t, y, p, tab, w, k)
        if w[at.STATUS] == at.OK and not (finite(n, y) and finite(n, k)):
            w[at.STATUS] = at.NOT_FINITE
        if w[at.STATUS] != at.OK:
            return FAILED
        if count[STEPS] == 0:  # later, where the rows are others, this is the end of a step that was remembered
            remember(tab, w)
        if not fixed:
            h = first_step(y, k, told, counted, tab, h)
            h = min(h, MOST_TURN / max(1e-300, fastest_turn(tab, w)))
        count[STARTED] = 1
        control[SMALLEST_PIVOT] = w[at.PIVOT]
        control[USUAL_STEP] = h
        count[NEAR] = w[at.PIVOT] < control[ZONE] * control[FIRST_PIVOT] and count[PROJECT] == 1
        if count[STEPS] == 0:
            control[START_PIVOT] = w[at.PIVOT]
        while count[OUTPUT] < times.size and times[count[OUTPUT]] <= t:
            for i in range(n):
                states[count[OUTPUT], i] = y[i]
            for i in range(n_memory):
                states[count[OUTPUT], n + i] = w[memory + i]
            count[OUTPUT] += 1
    pivot = control[SMALLEST_PIVOT]
    limit = control[ZONE] * control[FIRST_PIVOT]
    near = count[NEAR] == 1
    tried = 0
    while t < end:
        if tried >= count[SLICE]:
            control[TIME] = t
            control[STEP] = h
            control[SMALLEST_PIVOT] = pivot
            count[NEAR] = near
            return MORE
        tried += 1
        final = False
        step = h
        if fixed:
            final = count[STEP_INDEX] + 1 >= count[STEP_TOTAL]
            if final:
                step = end - t
        elif t + 1.0000001 * h >= end:
            step = end - t
            final = True
        # stages
        w[at.PROJECT_TOLERANCE] = FINE if near else USUAL
        lowest = pivot
        turning = 0.0  # the fastest rate of an angle whose turns are counted
        broken = False
        for s in range(1, stages):
            combine(n, y, k, beyond(pointer(a), s * a.shape[1]), s, step, z)
            k_s = beyond(k, n * s)
            if near:
                project(t + c[s] * step, z, p, tab, w, k_s)
                count[STAGES_PROJECTED] += 1
            rhs(t + c[s] * step, z, p, tab, w, k_s)
            lowest = min(lowest, w[at.PIVOT])
            if n_memory > 0:
                turning = max(turning, fastest_turn(tab, w))
            if w[at.STATUS] != at.OK:
                if not finite(n, z):
                    w[at.STATUS] = at.NOT_FINITE
                broken = True
                break
        if not broken and not near and lowest < limit and count[PROJECT] == 1:
            near = True  # found on the way: the step is taken again with projected stages
            continue
        error = 0.0
        if not broken:
            combine(n, y, k, pointer(b), stages, step, new)
            if not finite(n, new):
                w[at.STATUS] = at.NOT_FINITE
                broken = True
            elif count[PROJECT] == 1:
                project(t + step, new, p, tab, w, k_new)
                if not w[at.ERROR_POSITION] < 1e-6:
                    broken = True
                if w[at.STATUS] != at.OK:
                    broken = True
        if not broken:
            rhs(t + step, new, p, tab, w, k_new)
            if w[at.STATUS] == at.OK and not (finite(n, new) and finite(n, k_new)):
                w[at.STATUS] = at.NOT_FINITE
            if w[at.STATUS] != at.OK:
                broken = True
        if not broken and n_memory > 0:
            turning = max(turning, fastest_turn(tab, w))
            if step * turning > HALF_TURN:
                if fixed:
                    w[at.STATUS] = at.TURNS_LOST
                    control[TIME] = t
                    return FAILED
                count[REJECTED] += 1
                count[WAS_REJECTED] = 1
                h = MOST_TURN / turning
                if abs(h) < 1e-14 * max(abs(t), abs(end - control[BEGIN])):
                    control[TIME] = t
                    w[at.STATUS] = at.STEP_TOO_SMALL
                    return FAILED
                continue
        if not broken and not fixed:
            error_scale(n, y, new, told, tab, scale)
            # near a singular position rounding alone gives this much; asking for less would never end
            noise = max(3e-15, w[at.ERROR_POSITION]) if near else 3e-15
            floor = noise / math.sqrt(max(1e-30, min(1.0, lowest / control[FIRST_PIVOT])))
            if count[STALLS] > 2:  # what is rejected again and again is rounding
                floor *= 4.0 ** (count[STALLS] - 2)
            if count[CRAWL] > 5:  # and so, within reason, is what makes steps short where the motion is smooth
                floor = max(floor, min(floor * 4.0 ** (count[CRAWL] - 5), MOST_NOISE))
            # the work apart from the motion: where a driver moves all, the first estimate of the motion may vanish and
            # the second be large, which would hide the error of the work
            for part in range(2):
                first, last = (0, n_error) if part == 0 else (n_error, n)
                five = 0.0
                three = 0.0
                for i in range(first, last):
                    one = 0.0
                    two = 0.0
                    for j in range(stages + 1):
                        one += e5[j] * k[j * n + i]
                        two += e3[j] * k[j * n + i]
                    size = scale[i] + floor
                    five += (one / size) ** 2
                    three += (two / size) ** 2
                if five != 0.0:  # also where it is nan
                    found = abs(step) * five / math.sqrt((five + 0.01 * three) * (last - first))
                    if not found <= error:  # also where it is nan
                        error = found
            if not math.isfinite(error):
                w[at.STATUS] = at.NOT_FINITE
                broken = True
        if broken:
            # a stage went where the model cannot follow: shorter, and another place
            if w[at.STATUS] != at.NOT_FINITE:  # what is stiff may need a far shorter step
                count[RETRY] += 1
            h = 0.25 * step
            if fixed or count[RETRY] > 12 or abs(h) < 1e-13 * max(abs(t), abs(end)):
                control[TIME] = t
                if w[at.STATUS] == at.OK:
                    w[at.STATUS] = at.NOT_PROJECTED
                return FAILED
            count[REJECTED] += 1
            continue
        if error > 1.0:
            count[REJECTED] += 1
            count[WAS_REJECTED] = 1
            if near:
                count[STALLS] += 1
            h = step * max(0.2, 0.9 * error**exponent)
            if abs(h) < 1e-14 * max(abs(t), abs(end - control[BEGIN])):
                control[TIME] = t
                w[at.STATUS] = at.STEP_TOO_SMALL
                return FAILED
            continue
        lowest_end = w[at.PIVOT]
        if (
            not fixed
            and near
            and count[RETRY] < 7
            and not final
            and pivot > 1e-5 * control[FIRST_PIVOT]
            and (lowest < 1e-7 * control[FIRST_PIVOT] or lowest_end < 1e-5 * control[FIRST_PIVOT])
        ):
            # on the singular spot nothing is determined: step over it with another length (the factors are of the
            # first length); a step that begins on the spot can only be taken
            h = step * RETRIES[count[RETRY]] / (RETRIES[count[RETRY] - 1] if count[RETRY] > 0 else 1.0)
            count[RETRY] += 1
            count[REJECTED] += 1
            continue
        count[RETRY] = 0
        count[STALLS] = 0
        for i in range(n_memory):  # as this step leaves it; evaluations for outputs inside the step begin as it did
            kept[i] = w[turned + i]
        control[WORST_VIOLATION] = max(control[WORST_VIOLATION], w[at.ERROR_POSITION])
        if w[at.ERROR_DROPPED] > 1e-5:
            # a row that followed from the others when assembled no longer does: it asks for something else now
            w[at.STATUS] = at.CONFLICT
            control[TIME] = t
            return FAILED
        if (
            w[at.RESIDUAL] > 1e-6
            and lowest_end > limit
            and w[at.RESIDUAL] * w[at.BULK] > 1e-6 * usual_acceleration(p, tab, w)
        ):
            # not near a singular position, and yet the rows cannot all be met: they contradict each other
            w[at.STATUS] = at.CONFLICT
            control[TIME] = t
            return FAILED
        # dense output
        t_new = end if final else t + step
        extra = False
        while count[OUTPUT] < times.size and times[count[OUTPUT]] <= t_new:
            at_time = times[count[OUTPUT]]
            row = states[count[OUTPUT]]
            if at_time == t_new or abs(at_time - t_new) < 1e-12 * abs(step):
                for i in range(n):
                    row[i] = new[i]
                for i in range(n_memory):
                    row[n + i] = kept[i]
            else:
                if not extra:
                    extra = True
                    for s in range(stages + 1, total):
                        combine(n, y, k, beyond(pointer(a), s * a.shape[1]), s, step, z)
                        if near:
                            project(t + c[s] * step, z, p, tab, w, beyond(k, n * s))
                        rhs(t + c[s] * step, z, p, tab, w, beyond(k, n * s))
                theta = (at_time - t) / step
                for j in range(total):
                    weight = 0.0
                    for m in range(d.shape[1] - 1, -1, -1):
                        weight = (weight + d[j, m]) * theta
                    blend[j] = weight
                combine(n, y, k, blend, total, step, dense)
                if count[PROJECT] == 1:
                    project(at_time, dense, p, tab, w, beyond(k, n * total))
                for i in range(n):
                    row[i] = dense[i]
                for i in range(n_memory):
                    counts_turns = tab[tab[at.T_MEMORY_MEASURE] + i] >= 0
                    row[n + i] = w[turned + i] if counts_turns else w[memory + i]
            count[OUTPUT] += 1
        for i in range(n_memory):
            w[memory + i] = kept[i]
        for i in range(n):
            y[i] = new[i]
            k[i] = k_new[i]
        t = t_new
        pivot = lowest_end
        near = pivot < limit and count[PROJECT] == 1
        if not near:
            control[USUAL_STEP] = step
            count[CRAWL] = 0
        elif step < 0.01 * control[USUAL_STEP]:
            count[CRAWL] += 1
        count[STEPS] += 1
        count[STEP_INDEX] += 1
        choose = pivot < control[CHOICE_LIMIT] and not final
        if not fixed and not final:
            # proportional and integral: the last error steadies the next step
            growth = 6.0
            if error > 0.0:
                growth = min(6.0, 0.9 * error ** (0.7 * exponent) * control[ERROR_BEFORE] ** (-0.4 * exponent))
            control[ERROR_BEFORE] = max(error, 1e-4)
            if count[WAS_REJECTED] == 1:
                growth = min(growth, 1.0)
            h = min(step * growth, MOST_TURN / max(1e-300, turning))
        count[WAS_REJECTED] = 0
        if choose:  # of redundant rows, others may serve better here
            control[TIME] = t
            control[STEP] = h
            control[SMALLEST_PIVOT] = pivot
            count[NEAR] = near
            return CHOOSE_ROWS
    control[TIME] = t
    control[STEP] = h
    control[SMALLEST_PIVOT] = pivot
    return DONE
