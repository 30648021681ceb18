"""Along the path of a driven mechanism, position by position: each predicted from those before and closed by Newton.

Drivers decide the motion, so masses have no part in it: in their place is a metric W of lengths, and one factor of
S = J W J' at every position serves all that is asked there.

        step        W J' S^-1 (-phi)                  velocity       v += W J' S^-1 (nu - J v)
        acceleration  W J' S^-1 gamma                 multipliers    S^-1 J W (M a - h)

The last is exact where drivers leave no freedom: then M a - h is a combination of the rows.  The prediction is the
cubic through velocities and accelerations of the last two positions, integrated; that of the velocities, after even
steps, the polynomial through those of the last three.  Where positions are dense, Newton has nothing left to do.

| what no step may do                | how it is seen                                                                  |
|------------------------------------|---------------------------------------------------------------------------------|
| jump to another way to go together | what Newton and the rates correct is small against the step                     |
| go past where two ways come near   | pivots of S, squares of det J, tell where they would vanish; it goes half of it |
| turn a counted angle too far       | its rate times the step                                                         |

Where pivots do vanish, speeds tell what it is: in a dead centre they grow beyond all bounds as (T - t)^(-1/2); where
ways cross they do not, and the path goes straight on.

| symbol  | word                                              |
|---------|---------------------------------------------------|
| y       | position and velocity at the time c[TIME]         |
| z       | those that are tried                              |
| v0 a0   | velocity and acceleration one position before     |
| v00 a00 | those of two positions before                     |
| a1      | acceleration at y                                 |
| g       | M a - h of the bodies, body 0 being the ground    |
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, solver_at, types
from linkwork.kernels.path_output import write
from linkwork.kernels.path_places import (
    A0,
    A00,
    A1,
    A_NEW,
    AGREEING,
    CHOICE_LIMIT,
    END,
    HISTORY,
    IDLE,
    LEFT,
    MOST_PIVOT,
    N_VECTORS,
    OLDER,
    OUTPUT,
    PIVOT,
    REJECTED,
    SLICE,
    STARTED,
    STEP,
    STEPS,
    TIME,
    TOLERANCE,
    USED,
    V0,
    V00,
    WAY,
    WORST_VIOLATION,
)
from linkwork.kernels.projection import row_error
from linkwork.kernels.rows import fastest_turn, remember

DONE, MORE, DEAD_CENTRE, CROSSED, CHOOSE_ROWS, STUCK, FAILED = range(7)

MOST_NEWTON = 8
#: what Newton, and the rates, may correct, against what the step moves
CORRECTED, CHANGED = 0.1, 0.25
#: and against a length, where pivots are healthy: other ways are far then
FLOOR, HEALTHY = 1e-3, 1e-3
#: the longest step, and the first one, against a length; angles in radians
LONGEST, FIRST = 0.35, 0.02
MOST_TURN = 2.0
GROWTH, SHORTER, COMFORT = 2.0, 0.4, 0.2
#: of the way until pivots would vanish
AHEAD = 0.5
#: pivots below this part of the largest: a dead centre or a crossing, if steps in a row agree, to this part of the way
SPOT, SURE, AGREE = 1e-6, 4, 0.02
#: or pivots below this one: a little further, rows are no longer factored as they are
REGULAR = 2e-7
#: the same of the saddle point, which is regularised always
REGULAR_SADDLE = 1e-5
#: pivots below this part are looked at, and errors are only this part
NEAR, FINE = 0.1, 1e-2
#: pivots that small without such an agreement: nothing is determined there
LOST = 1e-13
#: shortest step, as a part of the times
SHORTEST = 1e-14
#: the most that a dropped row may be off
MOST_DROPPED = 1e-5
#: velocities that are corrected by less than this part leave accelerations as they are
EXACT = 1e-12

#: steps that differ by less than this part count as equal
EVEN = 1e-6


@kernel(f8(A, A, I))
def _size(x, p, tab):
    """Largest of a step or speed of the bodies, angles times a length."""
    dof, d = tab[at.DOF], tab[at.DIMENSION]
    way = 0.0
    turn = 0.0
    for first in range(0, tab[at.N_V], dof):
        for i in range(first, first + d):
            way = max(way, abs(x[i]))
        for i in range(first + d, first + dof):
            turn = max(turn, abs(x[i]))
    return max(way, p[tab[at.P_LENGTH]] * turn)


@kernel(i8(f8, A, A, I, A, A, A))
def _close(t, z, p, tab, w, f, c):
    """Newton from z, with the factor at hand while that is good enough: 1 where the rows are met, located there."""
    right = tab[at.W_RIGHT]
    before = math.inf
    # beside a singular position errors are multiplied: all of them must go
    tolerance = c[TOLERANCE] * (1.0 if c[PIVOT] > NEAR * c[MOST_PIVOT] else FINE)
    for iteration in range(MOST_NEWTON):
        at_address(tab[at.A_LOCATE])(t, z, p, tab, w, f)
        w[at.EVALUATIONS] += 1.0
        if w[at.STATUS] != at.OK:
            return 0
        error = row_error(0, tab[at.W_TWIST], right, p, tab, w)
        w[at.ERROR_POSITION] = error
        if not math.isfinite(error):
            return 0
        if error <= tolerance or (error < 1e3 * c[TOLERANCE] and error > 0.5 * before):
            return 1
        if error > 0.1 * before or (iteration == 0 and (error > 1e-4 or c[STARTED] == 0.0)):
            at_address(tab[at.A_FACTOR])(t, z, p, tab, w, f)
        before = error
        solver_at(tab[at.A_SOLVE])(0.0, right, p, tab, w)
        at_address(tab[at.A_MOVE])(t, z, p, tab, w, f)
    return 0


@kernel(types.void(f8, A, A, I, A, A, A, A))
def _velocities(t, z, p, tab, w, f, c, a):
    """Velocities of z, located, and its accelerations, into a; the rows are factored here."""
    n_q, n_v = tab[at.N_Q], tab[at.N_V]
    right = tab[at.W_RIGHT]
    change = tab[at.W_CHANGE]
    solve = solver_at(tab[at.A_SOLVE])
    at_address(tab[at.A_FACTOR])(t, z, p, tab, w, f)
    again = c[IDLE] == 1.0
    if again:  # the smallest velocities that meet the rows: nothing moves what is idle
        for i in range(n_v):
            z[n_q + i] = 0.0
        at_address(tab[at.A_LOCATE])(t, z, p, tab, w, f)
    w[at.ERROR_VELOCITY] = row_error(1, tab[at.W_TWIST], right, p, tab, w)
    solve(0.0, right, p, tab, w)
    for i in range(n_v):
        z[n_q + i] += w[change + i]
    if again or not _size(beyond(w, change), p, tab) <= EXACT * _size(beyond(z, n_q), p, tab):
        at_address(tab[at.A_LOCATE])(t, z, p, tab, w, f)
    solve(0.0, tab[at.W_GAMMA], p, tab, w)
    for i in range(n_v):
        a[i] = w[change + i]


@kernel(types.void(f8, A, A, A, A, I, A, A, A))
def _predict(h, y, z, room, p, tab, w, f, c):
    """z a step further than y: its position moved by the integral of the cubic of the velocities, and these."""
    n_q, n_v = tab[at.N_Q], tab[at.N_V]
    own = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES]
    v0, a0, a1 = own + V0 * n_v, own + A0 * n_v, own + A1 * n_v
    v00, a00 = own + V00 * n_v, own + A00 * n_v
    for i in range(own):
        z[i] = y[i]
    past = c[HISTORY]
    cubic = past != 0.0 and abs(h) <= 4.0 * abs(past)
    even = cubic and abs(h - past) < EVEN * abs(past) and abs(c[OLDER] - past) < EVEN * abs(past)
    for i in range(n_v):
        v, a = y[n_q + i], room[a1 + i]
        second = 0.0
        third = 0.0
        if cubic:
            one = (a - (v - room[v0 + i]) / past) / past
            other = (room[a0 + i] - a) / past
            second = other + 3.0 * one
            third = (other + 2.0 * one) / past
        w[tab[at.W_CHANGE] + i] = h * (v + h * (0.5 * a + h * (second / 3.0 + h * 0.25 * third)))
        z[n_q + i] = v + h * (a + h * (second + h * third))
        if even:
            z[n_q + i] = (10.0 * room[v00 + i] + 9.0 * room[v0 + i] - 18.0 * v) + h * (
                3.0 * room[a00 + i] + 18.0 * room[a0 + i] + 9.0 * a
            )
    at_address(tab[at.A_MOVE])(0.0, z, p, tab, w, f)


@kernel(i8(f8, f8, A, A, A, I, A, A, A))
def _attempt(t, h, y, room, p, tab, w, f, c):
    """One step to the time t: 1 where z, with velocities and accelerations, is on the same path; 0 where that is not
    sure.  How much of what is allowed was used is left in c[USED].
    """
    n_q, n_v = tab[at.N_Q], tab[at.N_V]
    n_y = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES]
    z = room
    a_new = beyond(room, n_y + A_NEW * n_v)
    predicted = beyond(room, n_y + N_VECTORS * n_v + tab[at.DOF] * (tab[at.N_BODIES] + 1))
    w[at.STATUS] = at.OK
    _predict(h, y, z, room, p, tab, w, f, c)
    way = _size(beyond(w, tab[at.W_CHANGE]), p, tab)
    for i in range(n_q + n_v):
        predicted[i] = z[i]
    if _close(t, z, p, tab, w, f, c) == 0:
        return 0
    length = p[tab[at.P_LENGTH]]
    healthy = c[PIVOT] > HEALTHY * c[MOST_PIVOT]
    floor = FLOOR * length if healthy else 1e-9 * length
    moved = _apart(z, predicted, p, tab)
    if moved > CORRECTED * way + floor:
        return 0
    if w[at.ERROR_DROPPED] > MOST_DROPPED:
        w[at.STATUS] = at.CONFLICT
        return 0
    _velocities(t, z, p, tab, w, f, c, a_new)
    for i in range(n_q, n_q + n_v):
        predicted[i] -= z[i]
    changed = abs(h) * _size(beyond(predicted, n_q), p, tab)
    if not changed <= CHANGED * way + floor:
        return 0
    c[USED] = max(moved / (CORRECTED * way + floor), changed / (CHANGED * way + floor))
    return 1


@kernel(f8(A, A, A, I))
def _apart(z, other, p, tab):
    """How far two positions are apart, angles (of Euler parameters twice their differences) times a length."""
    d = tab[at.DIMENSION]
    size = 3 if d == 2 else 7
    way = 0.0
    turn = 0.0
    for first in range(0, tab[at.N_Q], size):
        for i in range(first, first + d):
            way = max(way, abs(z[i] - other[i]))
        for i in range(first + d, first + size):
            turn = max(turn, abs(z[i] - other[i]))
    return max(way, p[tab[at.P_LENGTH]] * turn * (1.0 if d == 2 else 2.0))


@kernel(types.void(f8, A, A, I, A, A, A))
def _take(h, y, room, tab, w, c, p):
    """What was tried becomes the position to go on from."""
    n_q, n_v = tab[at.N_Q], tab[at.N_V]
    n_y = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES]
    v0, a0, a1, a_new = (n_y + V0 * n_v, n_y + A0 * n_v, n_y + A1 * n_v, n_y + A_NEW * n_v)
    v00, a00 = n_y + V00 * n_v, n_y + A00 * n_v
    for i in range(n_v):
        room[v00 + i] = room[v0 + i]
        room[a00 + i] = room[a0 + i]
        room[v0 + i] = y[n_q + i]
        room[a0 + i] = room[a1 + i]
        room[a1 + i] = room[a_new + i]
    for i in range(n_q + n_v):
        y[i] = room[i]
    remember(tab, w)
    c[OLDER] = c[HISTORY]
    c[HISTORY] = h
    c[STEPS] += 1.0
    c[WORST_VIOLATION] = max(c[WORST_VIOLATION], w[at.ERROR_POSITION])
    c[MOST_PIVOT] = max(c[MOST_PIVOT], w[at.PIVOT])


@kernel(f8(A, A, I, A, A, f8))
def _longest(y, p, tab, w, c, before):
    """The longest step from here, whatever the last one was: by ways, by turns, and by where pivots would vanish."""
    length = p[tab[at.P_LENGTH]]
    speed = _size(beyond(y, tab[at.N_Q]), p, tab)
    longest = LONGEST * length / speed if speed > 0.0 else math.inf
    if tab[at.N_MEMORY] > 0:
        turning = fastest_turn(tab, w)
        if turning > 0.0:
            longest = min(longest, MOST_TURN / turning)
    fall = (before - c[PIVOT]) / abs(c[HISTORY]) if c[HISTORY] != 0.0 else 0.0
    if fall > 0.0:
        longest = min(longest, AHEAD * c[PIVOT] / fall)
    return longest


@kernel(i8(A, A, I, A, A, f8))
def _spot(y, room, tab, w, c, before):
    """DEAD_CENTRE or CROSSED where pivots vanish and steps in a row agree on the time; else MORE."""
    n_q, n_v = tab[at.N_Q], tab[at.N_V]
    a1 = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES] + A1 * n_v
    if not c[PIVOT] < before or not c[PIVOT] < NEAR * c[MOST_PIVOT] or c[HISTORY] == 0.0:
        c[AGREEING] = 0.0
        return MORE
    speed = 0.0
    growth = 0.0
    for i in range(n_v):
        speed += y[n_q + i] ** 2
        growth += 2.0 * y[n_q + i] * room[a1 + i] * c[WAY]
    # where ways cross, the root of the pivot falls evenly
    past = abs(c[HISTORY])
    left = past / (math.sqrt(before / c[PIVOT]) - 1.0)
    kind = CROSSED
    if growth > 0.0 and speed / growth < 3.0 * left:  # v'v ~ 1 / (T - t)
        left = speed / growth
        kind = DEAD_CENTRE
    end = c[TIME] + c[WAY] * left
    gone = end - c[END]
    agrees = abs(gone) < AGREE * left and left < 0.97 * c[LEFT]
    c[AGREEING] = c[AGREEING] + 1.0 if agrees else min(c[AGREEING], 0.0)
    regular = REGULAR if tab[at.SADDLE] == 0 else REGULAR_SADDLE
    sure = c[AGREEING] >= SURE and c[PIVOT] < max(SPOT * c[MOST_PIVOT], regular)
    if sure and kind == DEAD_CENTRE:  # what the series leaves out is of the order left^(3/2), and goes by two steps
        end += gone / ((c[LEFT] / left) ** 1.5 - 1.0)
    c[END] = end
    c[LEFT] = left
    return kind if sure else MORE


@kernel(i8(A, A, A, I, A, A, A))
def _begin(y, room, p, tab, w, f, c):
    """Velocities and accelerations at the first position, which meets the rows already."""
    n_q, n_v = tab[at.N_Q], tab[at.N_V]
    n_y = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + tab[at.N_STATES]
    w[at.STATUS] = at.OK
    if _close(c[TIME], y, p, tab, w, f, c) == 0:
        return 0
    _velocities(c[TIME], y, p, tab, w, f, c, beyond(room, n_y + A1 * n_v))
    total = 0.0
    for i in range(n_v):
        total += abs(y[n_q + i]) + abs(room[n_y + A1 * n_v + i])
    if not math.isfinite(total):
        w[at.STATUS] = at.NOT_FINITE
        return 0
    remember(tab, w)
    c[STARTED] = 1.0
    c[HISTORY] = c[OLDER] = 0.0
    c[AGREEING] = 0.0
    c[PIVOT] = w[at.PIVOT]
    c[MOST_PIVOT] = max(c[MOST_PIVOT], w[at.PIVOT])
    speed = _size(beyond(y, n_q), p, tab)
    c[STEP] = FIRST * p[tab[at.P_LENGTH]] / speed if speed > 0.0 else 1e-3
    return 1


@kernel(i8(A, A, I, A, A, A, A, A, i8, A, A, A, A), entry=True)
def follow(y, p, tab, w, f, m, c, own, n_times, asked, out_y, out_a, out_m):
    """Go from c[TIME] through all times asked and fill in what is wanted there; says why it comes back.

    m are the masses, out_y, out_a and out_m are filled with states, accelerations and multipliers.
    """
    if c[STARTED] == 0.0 and _begin(y, own, p, tab, w, f, c) == 0:
        return FAILED
    span = abs(asked[n_times - 1] - c[TIME]) + abs(c[TIME])
    tried = 0
    while True:
        k = int(c[OUTPUT])
        while k < n_times and asked[k] == c[TIME]:
            write(k, c[TIME], y, own, m, p, tab, w, f, c, out_y, out_a, out_m)
            if w[at.STATUS] != at.OK:
                return FAILED
            k += 1
            c[OUTPUT] = k
        if k >= n_times:
            return DONE
        if tried >= c[SLICE]:
            return MORE
        tried += 1
        left = (asked[k] - c[TIME]) * c[WAY]
        if left < 0.0:
            return STUCK
        h = c[STEP]
        t = asked[k]
        lands = h >= left
        if lands:
            h = left
        else:
            h = min(h, 0.5 * left)
            t = c[TIME] + c[WAY] * h
        h *= c[WAY]
        if _attempt(t, h, y, own, p, tab, w, f, c) == 0:
            c[REJECTED] += 1.0
            if w[at.STATUS] == at.CONFLICT or w[at.STATUS] == at.FUNCTION_FAILED:
                return FAILED
            c[STEP] = SHORTER * abs(h)
            if not c[STEP] > SHORTEST * span:
                return STUCK
            continue
        before = c[PIVOT]
        _take(h, y, own, tab, w, c, p)
        c[TIME] = t
        c[PIVOT] = w[at.PIVOT]
        grown = abs(h) * (GROWTH if c[USED] < COMFORT else 1.0)
        c[STEP] = min(max(grown, c[STEP]) if lands else grown, _longest(y, p, tab, w, c, before))
        verdict = _spot(y, own, tab, w, c, before)
        if verdict != MORE:
            return verdict
        if c[PIVOT] < LOST * c[MOST_PIVOT]:
            return STUCK
        if c[PIVOT] < c[CHOICE_LIMIT]:
            return CHOOSE_ROWS


@kernel(i8(A, A, I, A, A, A, A), entry=True)
def hop(y, p, tab, w, f, c, own):
    """Step over a crossing of ways to as far behind it; 1 where velocities and pivots go on there as before, else 0."""
    h = 2.0 * c[WAY] * c[LEFT]
    before = c[PIVOT]
    if _attempt(c[TIME] + h, h, y, own, p, tab, w, f, c) == 0 or c[USED] > COMFORT:
        return 0
    if not 0.1 * before < w[at.PIVOT] < 10.0 * before:
        return 0
    _take(h, y, own, tab, w, c, p)
    c[TIME] += h
    c[PIVOT] = w[at.PIVOT]
    c[STEP] = abs(h)
    c[AGREEING] = 0.0
    return 1
