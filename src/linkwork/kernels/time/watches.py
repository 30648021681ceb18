"""What a run watches: where it is kept, and how it is read at the state that the workspace is at.

A watched function g is a weighted sum of measures, rates or places of the workspace, less a level; or what a Python
function returns.  All of it stands behind the rest of `run` and `count`: a header, and rows for every function.

| symbol | word                                                                                                   |
|--------|--------------------------------------------------------------------------------------------------------|
| theta  | the part of a step, from 0 to 1                                                                        |
| side   | 1 where g is above zero, -1 below, 0 where that cannot be told: it has stood on its level so far       |
| rest   | sqrt(T / T_max + A / A_max), with T = 1/2 v'Mv, A = 1/2 a'Ma and the largest of each so far            |
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, types, watch_at
from linkwork.kernels.time.control import is_finite
from linkwork.kernels.time.places import N_STATE, WATCH

# header, from count[WATCH] on: sizes, an address, then places in `count` (I_) and `run` (F_)
(
    N_WATCHED,
    N_BODIES,  # whose poses the measures read, ground first
    N_TURNS,  # angles among the measures that count full turns
    N_REMEMBERED,  # all that the measures remember
    LOOKS,  # evaluations inside of steps so far
    A_MEASURES,
    I_BODY,
    I_TURN,
    I_WATCH,
    I_TERM,
    I_TABLE,  # of the measures
    F_WATCH,
    F_WEIGHT,
    F_NUMBERS,  # parameters of the measures
    F_WORK,  # their workspace
    F_REMEMBERED,  # at the start of the step, at its end, and rates at its start
    F_REST,  # T_max, A_max
    F_PIECE,
    F_EVENT,  # the state at an event
    F_MEMORY,  # and its memory
    HEADER,
) = range(21)

# of every watched function, integers
(
    FIRST,  # of its terms
    LAST,
    DIRECTION,  # of the crossing: 1 rising, -1 falling, 0 both
    ACTS,  # 1 where the motion is interrupted
    LEFT,  # how often it may fire; below 0 for ever
    RATED,  # 1 where its rate is known, too
    PYTHON,  # address of a Python function, or 0
    SIDE,  # at the last accepted state
    SCAN,  # at FROM
    FIRED,  # 1 where it fired last
    COLUMNS,
) = range(11)

# and floats
(
    LEVEL,
    SIZE,  # what counts as much
    SEEN,  # the largest so far
    VALUE,  # at the start of the step
    RATE,  # there, by time
    END_VALUE,
    END_RATE,  # by theta
    FROM,  # theta, where the search goes on
    FROM_VALUE,
    FROM_RATE,  # by theta
    ROOT,  # theta of the next crossing, or none
    ROOT_RATE,  # by theta
    STRUCK,  # rate at the event, by time, before anything was done
    NUMBERS,
) = range(14)

# of every term
(KIND, INDEX, TERM_COLUMNS) = range(3)

#: kinds of terms: of a measure value, rate and second rate; time; a place of the workspace; what is left until rest
OF_VALUE, OF_RATE, OF_SECOND, OF_TIME, OF_PLACE, OF_REST = range(6)

#: pieces of a step that may wait to be searched; numbers of each: theta, value, rate, what the cubic may be off
MOST_PIECES, PIECE = 80, 4
TURN = 2.0 * math.pi


@kernel(types.void(I, A, A, I))
def read_measures(tab, w, run, count):
    """Measures of the watched functions, from poses and twists of the bodies in the workspace."""
    h = count[WATCH]
    own_tab = beyond(count, count[h + I_TABLE])
    own = beyond(run, count[h + F_WORK])
    pose = at.POSE_PLANE if tab[at.DIMENSION] == 2 else at.POSE_SPACE
    dof = tab[at.DOF]
    for k in range(count[h + N_BODIES]):
        body = count[count[h + I_BODY] + k]
        for c in range(pose):
            own[own_tab[at.W_POSE] + pose * k + c] = w[tab[at.W_POSE] + pose * body + c]
        for c in range(dof):
            own[own_tab[at.W_TWIST] + dof * k + c] = w[tab[at.W_TWIST] + dof * body + c]
    at_address(count[h + A_MEASURES])(0.0, own, beyond(run, count[h + F_NUMBERS]), own_tab, own, own)


@kernel(types.void(f8, A, I))
def remembered(theta, run, count):
    """Have the measures remember what they had at theta: turns between those at the ends of the step."""
    h = count[WATCH]
    n = count[h + N_REMEMBERED]
    first = count[h + F_REMEMBERED]
    memory = count[h + F_WORK] + count[count[h + I_TABLE] + at.W_MEMORY]
    for i in range(n):
        run[memory + i] = run[first + i]
    for k in range(count[h + N_TURNS]):
        i = count[count[h + I_TURN] + k]
        run[memory + i] += theta * (run[first + n + i] - run[first + i])


@kernel(types.void(f8, I, A, A, I))
def read_at_end(step, tab, w, run, count):
    """The same at the end of a step of this length; full turns are told by the rates at both ends."""
    h = count[WATCH]
    n = count[h + N_REMEMBERED]
    first = count[h + F_REMEMBERED]
    work = count[h + F_WORK]
    table = count[h + I_TABLE]
    memory, turned, swing = (
        work + count[table + at.W_MEMORY],
        work + count[table + at.W_TURNED],
        work + count[table + at.W_SWING],
    )
    for i in range(n):
        run[first + n + i] = run[first + i]
    remembered(1.0, run, count)
    read_measures(tab, w, run, count)
    lost = False
    for k in range(count[h + N_TURNS]):
        i = count[count[h + I_TURN] + k]
        expected = run[first + i] + 0.5 * step * (run[first + 2 * n + i] + run[swing + i])
        turns = math.floor((expected - run[turned + i]) / TURN + 0.5)
        lost = lost or turns != 0.0
        run[memory + i] = run[turned + i] + TURN * turns
    if lost:
        read_measures(tab, w, run, count)
    for i in range(n):
        run[first + n + i] = run[turned + i]


@kernel(types.void(A, I))
def keep_turns(run, count):
    """What the measures remember from the state on that was read last."""
    h = count[WATCH]
    n = count[h + N_REMEMBERED]
    first = count[h + F_REMEMBERED]
    work = count[h + F_WORK]
    table = count[h + I_TABLE]
    for i in range(n):
        run[first + i] = run[work + count[table + at.W_TURNED] + i]
        run[first + n + i] = run[first + i]
    for k in range(count[h + N_TURNS]):
        i = count[count[h + I_TURN] + k]
        run[first + 2 * n + i] = run[work + count[table + at.W_SWING] + i]


@kernel(types.void(I, A, A, I))
def keep_memory(tab, w, run, count):
    """Memory that goes with the state that the workspace is at: turns counted there, of laws that of the last step."""
    to = count[count[WATCH] + F_MEMORY]
    for i in range(tab[at.N_MEMORY]):
        counted = tab[tab[at.T_MEMORY_MEASURE] + i] >= 0
        run[to + i] = w[(tab[at.W_TURNED] if counted else tab[at.W_MEMORY]) + i]


@kernel(f8(i8, I, A, A, I))
def _second(measure, tab, w, run, count):
    """The second rate of a measure: bias + gradient times the accelerations of its two bodies."""
    h = count[WATCH]
    own_tab = beyond(count, count[h + I_TABLE])
    own = beyond(run, count[h + F_WORK])
    dof = tab[at.DOF]
    row = own_tab[at.T_MEASURE] + at.MEASURE_COLUMNS * measure
    total = own[own_tab[at.W_BIAS] + measure]
    for side in range(2):
        frame = own_tab[row + (at.MEASURE_ON if side == 0 else at.MEASURE_TO)]
        body = count[count[h + I_BODY] + own_tab[own_tab[at.T_FRAME_BODY] + frame]]
        g = own_tab[at.W_GRADIENT] + 2 * dof * measure + dof * side
        for c in range(dof):
            total += own[g + c] * w[tab[at.W_ACCELERATION] + dof * body + c] if body > 0 else 0.0
    return total


@kernel(f8(i8, A, I, A))
def _energy(section, p, tab, w):
    """1/2 x' M x of the bodies, for their twists or their accelerations."""
    total = 0.0
    for i in range(tab[at.DOF], tab[at.DOF] * (tab[at.N_BODIES] + 1)):
        if p[tab[at.P_INVERSE_MASS] + i] != 0.0:
            total += 0.5 * p[tab[at.P_MASS] + i] * w[section + i] ** 2
    return total


@kernel(types.void(A, I, A, A, I))
def see_most(p, tab, w, run, count):
    """The largest energies so far, of speeds and accelerations."""
    most = count[count[WATCH] + F_REST]
    run[most] = max(run[most], _energy(tab[at.W_TWIST], p, tab, w))
    run[most + 1] = max(run[most + 1], _energy(tab[at.W_ACCELERATION], p, tab, w))


@kernel(f8(A, I, A, A, I))
def _rest(p, tab, w, run, count):
    most = count[count[WATCH] + F_REST]
    total = 0.0
    if run[most] > 0.0:
        total += _energy(tab[at.W_TWIST], p, tab, w) / run[most]
    if run[most + 1] > 0.0:
        total += _energy(tab[at.W_ACCELERATION], p, tab, w) / run[most + 1]
    return math.sqrt(total)


@kernel(f8(i8, i8, f8, A, I, A, A, I))
def _sum(k, order, t, p, tab, w, run, count):
    """The terms of a watched function (order 0), or their rates (1)."""
    h = count[WATCH]
    row = count[h + I_WATCH] + COLUMNS * k
    own_tab = beyond(count, count[h + I_TABLE])
    own = beyond(run, count[h + F_WORK])
    total = 0.0
    for j in range(count[row + FIRST], count[row + LAST]):
        term = count[h + I_TERM] + TERM_COLUMNS * j
        kind, index = count[term + KIND], count[term + INDEX]
        if kind <= OF_SECOND:
            kind += order
        if kind == OF_VALUE:
            part = own[own_tab[at.W_VALUE] + index]
        elif kind == OF_RATE:
            part = own[own_tab[at.W_RATE] + index]
        elif kind == OF_SECOND:
            part = _second(index, tab, w, run, count)
        elif kind == OF_TIME:
            part = t if order == 0 else 1.0
        elif kind == OF_PLACE:
            part = w[index]
        else:
            part = _rest(p, tab, w, run, count)
        total += run[count[h + F_WEIGHT] + j] * part
    return total


@kernel(f8(i8, f8, A, A, I, A, A, I))
def value(k, t, state, p, tab, w, run, count):
    """g of a watched function at the state that the workspace is at; WATCH_FAILED where it is no number."""
    h = count[WATCH]
    row = count[h + I_WATCH] + COLUMNS * k
    numbers = count[h + F_WATCH] + NUMBERS * k
    if count[row + PYTHON] != 0:
        keep_memory(tab, w, run, count)
        place = count[h + F_PIECE] + PIECE * MOST_PIECES
        memory = beyond(run, count[h + F_MEMORY])
        watch_at(count[row + PYTHON])(t, state, memory, beyond(run, place), count[N_STATE], tab[at.N_MEMORY])
        found = run[place]
    else:
        found = _sum(k, 0, t, p, tab, w, run, count)
    if not is_finite(found) and w[at.STATUS] == at.OK:
        w[at.STATUS] = at.WATCH_FAILED
        w[at.CULPRIT] = k
        w[at.TIME_FAILED] = t
    return found - run[numbers + LEVEL]


@kernel(f8(i8, A, I, A, A, I))
def rate(k, p, tab, w, run, count):
    """g' there, by time; of a function whose rate is known."""
    return _sum(k, 1, 0.0, p, tab, w, run, count)
