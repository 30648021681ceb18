"""Many designs of one structure, one after the other: the kernels of one of them, with numbers of its own for each.

Tables are alike, numbers (p) differ.  Every design begins with the same workspace, so that nothing is left in it of the
one before.  States have their memory behind them.

| symbol  | word                                                | shape               |
|---------|-----------------------------------------------------|---------------------|
| numbers | p of every design                                   | designs, n_p        |
| first   | the workspace that each begins with                 | n_w                 |
| states  | of every design                                     | designs, n + memory |
| told    | how a run ended, see `ENDED`                        | designs, C_TOLD     |
| cursor  | the design that is run, see `RUN`                   | C_CURSOR            |
| pieces  | first and last time of every piece of a run         | n_pieces, 2         |
| floats  | of what is watched, that each begins with           | designs, n_floats   |
| ends    | states at the events that ended runs                | designs, n + memory |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.calls import SWEEP
from linkwork.kernels.closing import NEWTON
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, kernels_with, solver_at, types
from linkwork.kernels.time import watches as of
from linkwork.kernels.time.loop import ADVANCE, DONE, EVENT, MORE
from linkwork.kernels.time.places import (
    C_FLOATS,
    C_INTEGERS,
    CUT,
    END,
    ENERGY,
    FIRST_PIVOT,
    JUMPS,
    LENGTH,
    OUTPUT,
    R_LARGEST,
    R_SLOPE_NEW,
    REJECTED,
    START_PIVOT,
    STARTED,
    STEP,
    STEP_INDEX,
    STEPS,
    TIME,
    WATCH,
    WORST_VIOLATION,
)

sweep_at = kernels_with(SWEEP)
newton_at = kernels_with(NEWTON)
advance_at = kernels_with(ADVANCE)

#: what is told of a run
ENDED, VIOLATION, BEGAN, JUMPING, WHEN, REACHED, C_TOLD = range(7)
#: the design that is run, whether it is on its way, and in which piece
RUN, ON_ITS_WAY, PIECE, C_CURSOR = range(4)


@kernel(types.void(i8, A, A), inline=True)
def _copy(count, source, target):
    for i in range(count):
        target[i] = source[i]


@kernel(types.void(I))
def _recorded(count):
    """Events that are only recorded have happened once more."""
    first = count[count[WATCH] + of.I_WATCH]
    for k in range(count[count[WATCH] + of.N_WATCHED]):
        row = first + of.COLUMNS * k
        if count[row + of.FIRED] == 1 and count[row + of.LEFT] > 0:
            count[row + of.LEFT] -= 1


@kernel(types.void(i8, i8, i8, i8, A, i8, A, i8, i8, A, A, I, A, A, i8, I, A, i8, A), entry=True)
def evaluate(
    sweep_address,
    address,
    designs,
    n_p,
    numbers,
    n_w,
    first,
    n,
    count,
    times,
    states,
    tab,
    w,
    f,
    n_picks,
    picks,
    picked,
    n_energies,
    energies,
):
    """Evaluate `count` states of every design, at the same times, and keep chosen places of the workspace."""
    sweep = sweep_at(sweep_address)
    width = n + tab[at.N_MEMORY]
    for d in range(designs):
        _copy(n_w, first, w)
        sweep(
            address,
            n,
            count,
            times,
            beyond(states, d * count * width),
            beyond(numbers, d * n_p),
            tab,
            w,
            f,
            n_picks,
            picks,
            beyond(picked, d * count * n_picks),
            0,
            f,
            n_energies,
            beyond(energies, d * count * n_energies),
        )


@kernel(types.void(i8, i8, f8, i8, A, i8, A, i8, A, I, A, A, A), entry=True)
def close(newton_address, designs, t, n_p, numbers, n_w, first, n, states, tab, w, f, errors):
    """Move the position of every design to where its held rows are met; see `closing.newton`."""
    newton = newton_at(newton_address)
    width = n + tab[at.N_MEMORY]
    for d in range(designs):
        _copy(n_w, first, w)
        y = beyond(states, d * width)
        _copy(tab[at.N_MEMORY], beyond(y, n), beyond(w, tab[at.W_MEMORY]))
        errors[d] = newton(t, y, beyond(numbers, d * n_p), tab, w, f, 0, tab, f)


@kernel(types.void(i8, f8, i8, A, i8, A, i8, A, I, A, A, A, i8, I, A), entry=True)
def solve(designs, t, n_p, numbers, n_w, first, n, states, tab, w, f, rights, n_picks, picks, picked):
    """The smallest steps with J step = right, of every design; chosen places of the workspace are kept."""
    locate = at_address(tab[at.A_LOCATE])
    factor = at_address(tab[at.A_FACTOR])
    solver = solver_at(tab[at.A_SOLVE])
    width = n + tab[at.N_MEMORY]
    rows = tab[at.N_ROWS]
    right = tab[at.W_RIGHT]
    for d in range(designs):
        _copy(n_w, first, w)
        y = beyond(states, d * width)
        p = beyond(numbers, d * n_p)
        _copy(tab[at.N_MEMORY], beyond(y, n), beyond(w, tab[at.W_MEMORY]))
        locate(t, y, p, tab, w, f)
        _copy(rows, beyond(rights, d * rows), beyond(w, right))
        factor(0.0, f, p, tab, w, f)
        solver(0.0, right, p, tab, w)
        for i in range(n_picks):
            picked[d * n_picks + i] = w[picks[i]]


@kernel(
    types.void(
        i8, i8, i8, A, i8, A, i8, i8, A, A, I, A, A, I, A, I, A, i8, i8, i8, A, A, A, I, i8, A, i8, i8, A, i8, i8, I, A
    ),
    entry=True,
)
def follow(
    advance_address,
    designs,
    n_p,
    numbers,
    n_w,
    first,
    n,
    n_states,
    states,
    scales,
    tab,
    w,
    run,
    count,
    begun,
    counted,
    y,
    tries,
    most,
    n_times,
    times,
    written,
    told,
    cursor,
    n_pieces,
    pieces,
    n_floats,
    first_float,
    floats,
    n_integers,
    first_integer,
    integers,
    ends,
):
    """Run every design from its state, and write what is asked at all times.

    `begun` and `counted` are what `run` and `count` begin with, `scales` the first pivot, energy and length of each.
    Returns after some `tries` of steps, to be called again as long as cursor[RUN] is a design; one that needs more than
    `most` is left where it is, as MORE.  Where a piece ends, the next one begins with the same state.
    What is watched has its numbers behind those of `run` and `count`; an event that interrupts the motion ends the run.
    """
    advance = advance_at(advance_address)
    memory = tab[at.N_MEMORY]
    width = n + memory
    spent = 0
    while cursor[RUN] < designs:
        d = cursor[RUN]
        if cursor[ON_ITS_WAY] == 0:
            cursor[ON_ITS_WAY] = 1
            cursor[PIECE] = 0
            _copy(n_w, first, w)
            _copy(n, beyond(states, d * width), y)
            _copy(memory, beyond(states, d * width + n), beyond(w, tab[at.W_MEMORY]))
            _copy(C_FLOATS, begun, run)
            for i in range(C_INTEGERS):
                count[i] = counted[i]
            for i in range(n_states):
                run[count[R_LARGEST] + i] = 0.0
            for i in range(n):
                run[count[R_SLOPE_NEW] + i] = 0.0  # scales of errors look at it, before there is one
            _copy(n_floats, beyond(floats, d * n_floats), beyond(run, first_float))
            for i in range(n_integers):
                count[first_integer + i] = integers[i]
            run[FIRST_PIVOT] = scales[3 * d]
            run[ENERGY] = scales[3 * d + 1]
            run[LENGTH] = scales[3 * d + 2]
        before = count[STEPS] + count[REJECTED]
        out = beyond(written, d * n_times * width)
        status = advance(y, beyond(numbers, d * n_p), tab, w, run, count, n_times, times, out)
        after = count[STEPS] + count[REJECTED]
        spent += after - before
        if status == DONE and cursor[PIECE] + 1 < n_pieces:
            cursor[PIECE] += 1
            run[TIME] = pieces[2 * cursor[PIECE]]
            run[END] = pieces[2 * cursor[PIECE] + 1]
            run[STEP] = begun[STEP]
            count[STARTED] = 0
            count[STEP_INDEX] = 0
            status = MORE
        if status == EVENT and count[CUT] == 0:
            _recorded(count)
            status = MORE
        if status == EVENT:
            end = beyond(ends, d * width)
            _copy(n, y, end)
            _copy(memory, beyond(w, tab[at.W_MEMORY]), beyond(end, n))
        if status != MORE or after >= most:
            told[C_TOLD * d + ENDED] = status
            told[C_TOLD * d + VIOLATION] = run[WORST_VIOLATION]
            told[C_TOLD * d + BEGAN] = run[START_PIVOT]
            told[C_TOLD * d + JUMPING] = count[JUMPS]
            told[C_TOLD * d + WHEN] = run[TIME]
            told[C_TOLD * d + REACHED] = count[OUTPUT]
            cursor[RUN] += 1
            cursor[ON_ITS_WAY] = 0
        if spent >= tries:
            return
