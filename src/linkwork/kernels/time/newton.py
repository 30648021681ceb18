"""Implicit stages of the method of `radau`, by simplified Newton iteration; symbols as there."""

from __future__ import annotations

import math

import numpy as np

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, types
from linkwork.kernels.rows import fastest_turn
from linkwork.kernels.time import corners
from linkwork.kernels.time.control import finite, is_finite
from linkwork.kernels.time.coupled import COUPLED_PLACES, arrange_coupled, can_turn, find_directions, solve_coupled
from linkwork.kernels.time.places import (
    A_PROJECT,
    A_RHS,
    FIXED,
    LENGTH,
    LOWEST,
    N_STATE,
    NEAR,
    OWN,
    SMALLEST_PIVOT,
    STAGES_PROJECTED,
    TOLERANCE,
    TURNING,
)
from linkwork.kernels.time.ports import find_slopes
from linkwork.kernels.time.shifted import arrange_systems, factor, fastest_rate, solve_with_complex, solve_with_real
from linkwork.kernels.time.stages import (
    FINEST,
    K_AGE,
    K_LENGTH,
    K_SHARED,
    K_THETA,
    LEFT,
    MOST_SWEEPS,
    R_A,
    R_ALLOWED,
    R_ASIDE,
    R_C,
    R_DENSE,
    R_KNOWN,
    R_MU,
    R_Y,
    ROUNDED,
    SWEPT,
    arrange_stages,
    rates_of,
)

# own places, behind those of the systems
(
    R_T,
    R_BACK,  # T^-1
    R_INVERSE,  # the last row of A^-1: the slope of the stages at the end
    R_F,
    R_Z,
    R_W,
    R_X,
    R_MOVED,  # what positions move by, where speeds are
    _END,
) = range(OWN + COUPLED_PLACES, OWN + COUPLED_PLACES + 9)
OWN_PLACES = _END - OWN

# numbers that are kept, beside those of `stages`
(
    K_FACTORED,  # the length for which systems are factored, or 0
    K_RATE,  # the fastest rate that the slopes tell
    K_TURNS,  # steps for which directions of forces are still asked for stage by stage
    K_SIZE,
) = range(K_SHARED, K_SHARED + 4)

#: rounds of the iteration; where it would take more, the step is shortened
MOST_ROUNDS = 10
#: where directions turn, an iteration by those of the start must converge faster than this; else they are asked for at
#: every stage, in so many steps
FAST, STAY = 0.1, 50.0
#: they are asked for again where the last round converged more slowly than this
SHARP = 0.03
#: slopes are found anew where the last iteration converged more slowly than this, and after so many steps
SLOW, OLD = 0.02, 40.0
#: systems are factored anew where the length of the step is off by this part
OFF = 1e-3


def arrange(room, sizes, tables) -> None:
    """Tables of the method, and room for stages and systems."""
    stages, times, vectors, back, mu, error, powers = tables
    arrange_stages(room, sizes, (stages, times, error, powers, mu), K_SIZE)
    arrange_systems(room, sizes)
    arrange_coupled(room, sizes, stages)
    room.put(R_T, vectors)
    room.put(R_BACK, back)
    room.put(R_INVERSE, np.linalg.inv(stages)[2])
    n = sizes.state
    unknown = n - sizes.positions
    for place, size in ((R_F, 3 * n), (R_Z, 3 * unknown), (R_W, 3 * unknown), (R_X, 3 * unknown), (R_MOVED, unknown)):
        room.put(place, size)


# -- stages ------------------------------------------------------------------------------------------------------------


@kernel(types.void(f8, A, I, A, A, I))
def _start_stages(step, y, tab, w, run, count):
    """Z and W to begin with: the polynomial of the step before, or nothing where there is none."""
    n_q = tab[at.N_Q]
    n = count[N_STATE] - n_q
    known = count[R_KNOWN]
    z = count[R_Z]
    ratio = step / run[known + K_LENGTH] if run[known + K_LENGTH] != 0.0 else 0.0
    for k in range(n):
        one, two, three = 0.0, 0.0, 0.0
        if ratio != 0.0:
            for m in range(3):
                power = 0.0
                for j in range(3):
                    power += run[count[R_DENSE] + 3 * m + j] * run[z + n * j + k]
                one += power * ((1.0 + ratio * run[count[R_C]]) ** (m + 1) - 1.0)
                two += power * ((1.0 + ratio * run[count[R_C] + 1]) ** (m + 1) - 1.0)
                three += power * ((1.0 + ratio) ** (m + 1) - 1.0)
        run[z + k], run[z + n + k], run[z + 2 * n + k] = one, two, three
    _transform(n, count[R_BACK], z, count[R_W], run)
    for i in range(3):
        for k in range(n_q):
            run[count[R_Y] + i * count[N_STATE] + k] = y[k]


@kernel(types.void(i8, i8, i8, i8, A))
def _transform(n, matrix, source, target, run):
    """target_i = sum over j of  matrix_ij source_j, of vectors of n numbers."""
    for i in range(3):
        one, two, three = run[matrix + 3 * i], run[matrix + 3 * i + 1], run[matrix + 3 * i + 2]
        for k in range(n):
            run[target + n * i + k] = (
                one * run[source + k] + two * run[source + n + k] + three * run[source + 2 * n + k]
            )


@kernel(types.boolean(f8, f8, A, A, I, A, A, I))
def _place_stages(t, step, y, p, tab, w, run, count):
    """Y from Z: positions by  Q_i = q + h sum of a_ij N(Q_j) V_j;  False where that does not converge."""
    n, n_q = count[N_STATE], tab[at.N_Q]
    unknown = n - n_q
    for i in range(3):
        for k in range(unknown):
            run[count[R_Y] + i * n + n_q + k] = y[n_q + k] + run[count[R_Z] + i * unknown + k]
    a = count[R_A]
    if tab[at.A_RATES] == 0:
        for i in range(3):
            for k in range(n_q):
                way = 0.0
                for j in range(3):
                    way += run[a + 3 * i + j] * run[count[R_Y] + j * n + n_q + k]
                run[count[R_Y] + i * n + k] = y[k] + step * way
        return True
    for _ in range(MOST_SWEEPS):
        for j in range(3):
            place = count[R_Y] + j * n
            rates_of(t, beyond(run, place), p, tab, w, beyond(run, count[R_F] + j * n))
        largest = 0.0
        for i in range(3):
            for k in range(n_q):
                way = 0.0
                for j in range(3):
                    way += run[a + 3 * i + j] * run[count[R_F] + j * n + k]
                new = y[k] + step * way
                off = abs(new - run[count[R_Y] + i * n + k])
                largest = max(largest, off / (abs(new) + run[LENGTH]))
                if not off < 1e300:
                    return False
                run[count[R_Y] + i * n + k] = new
        if largest <= SWEPT:
            return True
    return largest <= 1e3 * SWEPT


@kernel(types.boolean(f8, f8, A, I, A, A, I))
def _evaluate_stages(t, step, p, tab, w, run, count):
    """F from Y; beside a singular position of stages that are put on the constraints.  False where STATUS says why."""
    n = count[N_STATE]
    aside = beyond(run, count[R_ASIDE])
    for i in range(3):
        time = t + run[count[R_C] + i] * step
        stage = beyond(run, count[R_Y] + i * n)
        f = beyond(run, count[R_F] + i * n)
        if not finite(n, stage):
            w[at.STATUS] = at.NOT_FINITE
            return False
        if count[NEAR] == 1:
            for k in range(n):
                aside[k] = stage[k]
            at_address(count[A_PROJECT])(time, aside, p, tab, w, f)
            at_address(count[A_RHS])(time, aside, p, tab, w, f)
            count[STAGES_PROJECTED] += 1
        else:
            at_address(count[A_RHS])(time, stage, p, tab, w, f)
        corners.look(tab, w, run, count)
        run[LOWEST] = min(run[LOWEST], w[at.PIVOT])
        if tab[at.N_MEMORY] > 0:
            run[TURNING] = max(run[TURNING], fastest_turn(tab, w))
        if w[at.STATUS] == at.OK and not finite(n, f):
            w[at.STATUS] = at.NOT_FINITE
        if w[at.STATUS] != at.OK:
            return False
    return True


# -- Newton's iteration ------------------------------------------------------------------------------------------------


@kernel(f8(I, A, I))
def _size_of_step(tab, run, count):
    """Size of x against what is allowed."""
    n = count[N_STATE] - tab[at.N_Q]
    total = 0.0
    for i in range(3):
        for k in range(n):
            total += (run[count[R_X] + i * n + k] / run[count[R_ALLOWED] + k]) ** 2
    return math.sqrt(total / max(1, 3 * (n - tab[at.N_Z])))


@kernel(types.void(f8, f8, I, A, I))
def _newton_step(step, factored, tab, run, count):
    """x from F and W; W and Z are moved by it."""
    n, n_q = count[N_STATE], tab[at.N_Q]
    unknown = n - n_q
    x, w, back = count[R_X], count[R_W], count[R_BACK]
    gamma, alpha, beta = run[count[R_MU]] / step, run[count[R_MU] + 1] / step, run[count[R_MU] + 2] / step
    for i in range(3):
        one, two, three = run[back + 3 * i], run[back + 3 * i + 1], run[back + 3 * i + 2]
        f = count[R_F] + n_q
        for k in range(unknown):
            run[x + i * unknown + k] = one * run[f + k] + two * run[f + n + k] + three * run[f + 2 * n + k]
    for k in range(unknown):
        one, two, three = run[w + k], run[w + unknown + k], run[w + 2 * unknown + k]
        run[x + k] -= gamma * one
        run[x + unknown + k] -= alpha * two - beta * three
        run[x + 2 * unknown + k] -= beta * two + alpha * three
    solve_with_real(factored, x, -1, tab, run, count)
    solve_with_complex(factored, x + unknown, x + 2 * unknown, tab, run, count)
    for k in range(3 * unknown):
        run[w + k] += run[x + k]
    _transform(unknown, count[R_T], w, count[R_Z], run)


@kernel(i8(f8, f8, A, A, I, A, A, I))
def _iterate(t, step, y, p, tab, w, run, count):
    """Newton's iteration: 1 where stages were found, 0 where not, -1 where STATUS says why."""
    known = count[R_KNOWN]
    before = 0.0
    theta = run[known + K_THETA]
    limit = LEFT if count[FIXED] == 0 else FINEST / run[TOLERANCE]
    rounded = ROUNDED / run[TOLERANCE]
    turns = can_turn(tab, count)
    for round in range(MOST_ROUNDS if count[FIXED] == 0 else 5 * MOST_ROUNDS):
        if not _place_stages(t, step, y, p, tab, w, run, count):
            return 0
        if not _evaluate_stages(t, step, p, tab, w, run, count):
            return -1
        _newton_step(step, run[known + K_FACTORED], tab, run, count)
        size = _size_of_step(tab, run, count)
        if not is_finite(size):
            return 0
        if round > 0:
            theta = size / before if before > 0.0 else 0.0
            if theta >= 0.9 and size < rounded:  # only rounding is left
                run[known + K_THETA] = SLOW
                return 1
            if theta >= 0.99 or (turns and count[FIXED] == 0 and theta > FAST):
                return 0
            left = size * theta / (1.0 - theta)
            if count[FIXED] == 0 and left * theta ** (MOST_ROUNDS - 2 - round) > limit:
                return 0
        else:
            theta = max(theta, 1e-16) ** 0.8
            left = size * theta / (1.0 - min(theta, 0.9))
            if turns or run[known + K_LENGTH] == 0.0:  # stages that nothing told must be looked at
                left = size
        if left <= limit or size == 0.0:
            run[known + K_THETA] = theta
            return 1
        before = size
    return 0


@kernel(types.void(f8, I, A, I))
def _residuals(step, tab, run, count):
    """x_i = h sum of a_ij F_j - Z_i."""
    n, n_q = count[N_STATE], tab[at.N_Q]
    unknown = n - n_q
    f, a = count[R_F] + n_q, count[R_A]
    for i in range(3):
        for k in range(unknown):
            total = 0.0
            for j in range(3):
                total += run[a + 3 * i + j] * run[f + j * n + k]
            run[count[R_X] + i * unknown + k] = step * total - run[count[R_Z] + i * unknown + k]


@kernel(i8(f8, f8, A, A, I, A, A, I))
def _iterate_coupled(t, step, y, p, tab, w, run, count):
    """The same with the directions of forces at every stage: they are found anew until it converges fast."""
    known = count[R_KNOWN]
    unknown = count[N_STATE] - tab[at.N_Q]
    limit = LEFT if count[FIXED] == 0 else FINEST / run[TOLERANCE]
    before = 0.0
    theta = 1.0
    for round in range(MOST_ROUNDS if count[FIXED] == 0 else 5 * MOST_ROUNDS):
        if not _place_stages(t, step, y, p, tab, w, run, count):
            return 0
        if not _evaluate_stages(t, step, p, tab, w, run, count):
            return -1
        _residuals(step, tab, run, count)
        if round == 0 or (round == 1 and run[known + K_LENGTH] == 0.0) or (round > 1 and theta > SHARP):
            if not find_directions(t, step, p, tab, w, run, count):
                return 0
            if w[at.STATUS] != at.OK:
                return -1
        solve_coupled(step, count[R_X], tab, run, count)
        for k in range(3 * unknown):
            run[count[R_Z] + k] += run[count[R_X] + k]
        size = _size_of_step(tab, run, count)
        if not is_finite(size):
            return 0
        left = size
        if round > 0:
            theta = size / before if before > 0.0 else 0.0
            if theta >= 0.9 and size < ROUNDED / run[TOLERANCE]:  # only rounding is left
                run[known + K_THETA] = SLOW
                return 1
            if theta >= 0.99:
                return 0
            left = size * theta / (1.0 - theta)
        if left <= limit or size == 0.0:
            run[known + K_THETA] = theta
            return 1
        before = size
    return 0


@kernel(types.boolean(f8, f8, A, A, I, A, A, I))
def find_stages(t, step, y, p, tab, w, run, count):
    """Stages with the slopes that are known, then with new ones; False where STATUS says why not."""
    known = count[R_KNOWN]
    while True:
        fresh = run[known + K_AGE] < 0.0
        if fresh:
            find_slopes(t, step, y, p, tab, w, run, count)
            if w[at.STATUS] != at.OK:
                return False
            run[known + K_AGE] = run[known + K_FACTORED] = 0.0
            run[known + K_RATE] = fastest_rate(run, count)
            run[known + K_THETA] = 0.5
        if abs(step - run[known + K_FACTORED]) > OFF * step:
            if not factor(step, run, count):
                w[at.STATUS] = at.NOT_CONVERGED
                run[known + K_FACTORED] = 0.0
                return False
            run[known + K_FACTORED] = step
        _start_stages(step, y, tab, w, run, count)
        run[LOWEST] = run[SMALLEST_PIVOT]
        run[TURNING] = 0.0
        if run[known + K_TURNS] > 0.0 and can_turn(tab, count):
            run[known + K_TURNS] -= 1.0
            found = _iterate_coupled(t, step, y, p, tab, w, run, count)
        else:
            found = _iterate(t, step, y, p, tab, w, run, count)
            if found == 0 and can_turn(tab, count):
                run[known + K_TURNS] = STAY
                run[known + K_LENGTH] = 0.0
                continue
        if found == 1 and _place_stages(t, step, y, p, tab, w, run, count):
            return True
        run[known + K_LENGTH] = 0.0  # what the step before told was no help
        if fresh or run[known + K_AGE] == 0.0:
            if found == 0:
                w[at.STATUS] = at.NOT_CONVERGED
            return False
        run[known + K_AGE] = -1.0
