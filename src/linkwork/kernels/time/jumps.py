"""Laws that jump: a force that changes at once where what it reads passes a number, such as -mu N sign(v).

No step across a jump is accurate, so steps become short there, and errors of the motion are not what the tolerance
says.  Steps that are taken behind several refusals are looked at: each law is asked for its force at both ends of one,
and then in that half in which it changes more, again and again.  What is smooth changes less and less; what jumps does
not.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, types
from linkwork.kernels.slots import answer, read_law
from linkwork.kernels.time.control import is_finite
from linkwork.kernels.time.places import A_RHS, JUMP_TIME, JUMPED, JUMPS, R_FORCES, R_NEW, R_READ, R_SCALE, R_SLOPE_NEW

#: steps are looked at behind so many refusals that were not looked at yet, of at most so many
REFUSALS, KEPT = 3, 12
#: a jump is more than this part of the force, and so much of the change in the step is left after all halvings
PART, STAYS = 0.05, 0.5
#: halvings at most, and at least; they end where what is read differs by so few digits
MOST, LEAST, DIGITS = 24, 5, 1e-15
#: a jump is larger than so many times what so little of what is read changes: stiff springs at rest move by roundings
ROUNDING, ROUNDED = 100.0, 1e-15
#: and than this part of the largest force there is: a law that has faded away ends in roundings of its own
FADED = 1e-10


@kernel(types.void(i8, i8, I, A, A, I))
def _keep(k, side, tab, w, run, count):
    """What law k reads where it was read last, as that of the start (0) or the end (1) of the step."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    n = 2 * tab[row + at.LAW_N_READS]
    to = count[R_READ] + 2 * side * tab[at.N_READS] + 2 * tab[row + at.LAW_READS]
    for i in range(n):
        run[to + i] = w[tab[at.W_READ] + i]


@kernel(types.void(i8, f8, f8, f8, i8, A, A, I, A, A, I))
def _ask(k, s, t, step, slot, y, p, tab, w, run, count):
    """Forces of law k at the part s of the step: what it reads is between that at both ends."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    new = beyond(run, count[R_NEW])
    read_law(k, -1.0, new, p, tab, w)
    one = count[R_READ] + 2 * tab[row + at.LAW_READS]
    other = one + 2 * tab[at.N_READS]
    for i in range(2 * tab[row + at.LAW_N_READS]):
        w[tab[at.W_READ] + i] = run[one + i] + s * (run[other + i] - run[one + i])
    states = tab[row + at.LAW_STATES]
    first = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + states
    for i in range(tab[row + at.LAW_N_STATES]):
        w[tab[at.W_STATE] + states + i] = y[first + i] + s * (new[first + i] - y[first + i])
    answer(k, t + s * step, p, tab, w)
    for j in range(tab[row + at.LAW_N_ALONG]):
        run[count[R_FORCES] + slot * tab[at.N_ALONG] + j] = w[tab[at.W_OUT] + tab[row + at.LAW_ALONG] + j]


@kernel(f8(i8, i8, i8, I, A, I))
def _change(k, one, other, tab, run, count):
    """The largest difference of the forces of law k at two of the places."""
    largest = 0.0
    forces = count[R_FORCES]
    for j in range(tab[tab[at.T_LAW] + at.LAW_COLUMNS * k + at.LAW_N_ALONG]):
        found = abs(run[forces + one * tab[at.N_ALONG] + j] - run[forces + other * tab[at.N_ALONG] + j])
        if not found <= largest:  # also where it is nan
            largest = found
    return largest


@kernel(f8(i8, I, A, I))
def _way(k, tab, run, count):
    """How far what law k reads goes in the step, in parts of itself."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    one = count[R_READ] + 2 * tab[row + at.LAW_READS]
    other = one + 2 * tab[at.N_READS]
    way = 0.0
    for i in range(2 * tab[row + at.LAW_N_READS]):
        size = max(abs(run[one + i]), abs(run[other + i]))
        if size > 0.0:
            way = max(way, abs(run[other + i] - run[one + i]) / size)
    return way


@kernel(f8(i8, f8, A, I, A, A, I))
def _noise(k, t, p, tab, w, run, count):
    """How much the forces of law k change by rounding of what it reads at the end of the step."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    new, forces, n_along = beyond(run, count[R_NEW]), count[R_FORCES], tab[row + at.LAW_N_ALONG]
    largest = 0.0
    for i in range(2 * tab[row + at.LAW_N_READS]):
        for side in range(2):
            read_law(k, -1.0, new, p, tab, w)
            w[tab[at.W_READ] + i] *= 1.0 + (2.0 * side - 1.0) * ROUNDED
            answer(k, t, p, tab, w)
            for j in range(n_along):
                force = w[tab[at.W_OUT] + tab[row + at.LAW_ALONG] + j]
                if side == 0:
                    run[forces + j] = force
                else:
                    largest = max(largest, abs(force - run[forces + j]))
    return largest


@kernel(types.boolean(i8, f8, f8, f8, A, A, I, A, A, I))
def _jumps(k, largest, t, step, y, p, tab, w, run, count):
    """Whether law k jumps in the step; `largest` is the largest force of all."""
    low, middle, high = 0, 1, 2
    _ask(k, 0.0, t, step, low, y, p, tab, w, run, count)
    _ask(k, 1.0, t, step, high, y, p, tab, w, run, count)
    whole, size = _change(k, low, high, tab, run, count), 0.0
    for j in range(tab[tab[at.T_LAW] + at.LAW_COLUMNS * k + at.LAW_N_ALONG]):
        for place in (low, high):
            size = max(size, abs(run[count[R_FORCES] + place * tab[at.N_ALONG] + j]))
    if not is_finite(whole) or not whole > PART * size:
        return False
    way = _way(k, tab, run, count)
    begin, end, halvings = 0.0, 1.0, 0
    while halvings < MOST and way * (end - begin) > DIGITS:
        between = 0.5 * (begin + end)
        _ask(k, between, t, step, middle, y, p, tab, w, run, count)
        if _change(k, low, middle, tab, run, count) > _change(k, middle, high, tab, run, count):
            end = between
            high, middle = middle, high
        else:
            begin = between
            low, middle = middle, low
        halvings += 1
    left = _change(k, low, high, tab, run, count)
    if halvings < LEAST or not left > STAYS * whole:
        return False
    return left > FADED * largest and left > ROUNDING * _noise(k, t + step, p, tab, w, run, count)


@kernel(types.void(f8, f8, A, A, I, A, A, I))
def look(t, step, y, p, tab, w, run, count):
    """Note the first law that jumps in an accepted step, and when; the workspace is at its end before and behind."""
    new = beyond(run, count[R_NEW])
    at_address(tab[at.A_LOCATE])(t, y, p, tab, w, beyond(run, count[R_SCALE]))
    for k in range(tab[at.N_LAWS]):
        read_law(k, -1.0, y, p, tab, w)
        _keep(k, 0, tab, w, run, count)
    at_address(count[A_RHS])(t + step, new, p, tab, w, beyond(run, count[R_SLOPE_NEW]))
    found, largest = False, 0.0
    for k in range(tab[at.N_LAWS]):
        row = tab[at.T_LAW] + at.LAW_COLUMNS * k
        for j in range(tab[row + at.LAW_ALONG], tab[row + at.LAW_ALONG] + tab[row + at.LAW_N_ALONG]):
            largest = max(largest, abs(w[tab[at.W_OUT] + j]))
    for k in range(tab[at.N_LAWS]):
        if tab[tab[at.T_LAW] + at.LAW_COLUMNS * k + at.LAW_ADDRESS] == 0:
            continue
        read_law(k, -1.0, new, p, tab, w)
        _keep(k, 1, tab, w, run, count)
        if _jumps(k, largest, t, step, y, p, tab, w, run, count):
            found = True
            if count[JUMPED] == 0:
                count[JUMPED] = k + 1
                run[JUMP_TIME] = t + step
        read_law(k, -1.0, new, p, tab, w)  # as it was
        answer(k, t + step, p, tab, w)
    if found:
        count[JUMPS] += 1
