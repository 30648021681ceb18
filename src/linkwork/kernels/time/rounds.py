"""Rounds of the iteration of `triangle`; symbols as there."""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, types
from linkwork.kernels.rows import fastest_turn
from linkwork.kernels.time.control import finite, is_finite
from linkwork.kernels.time.places import (
    A_PROJECT,
    FIXED,
    LENGTH,
    N_STATE,
    NEAR,
    OWN,
    R_SLOPE,
    STAGES_PROJECTED,
    TOLERANCE,
    TURNING,
)
from linkwork.kernels.time.soft import R_SOFT_W, SOFT_PLACES, SOFT_TABLE, arrange_soft, evaluate, soften
from linkwork.kernels.time.stages import (
    FINEST,
    K_LENGTH,
    K_SHARED,
    K_THETA,
    LEFT,
    MOST_SWEEPS,
    R_A,
    R_ALLOWED,
    R_ASIDE,
    R_C,
    R_KNOWN,
    R_Y,
    ROUNDED,
    SWEPT,
    arrange_stages,
)

# own places, behind those of soft evaluations
(
    R_L,
    R_K,
    R_X,
    R_F,
    R_TRIAL,  # a stage with what those before it move
    R_U,  # the speeds that positions of the stages are made of
    R_U_STEP,  # their steps in a round
    R_WAY,  # what positions move by, where speeds are
    _END,
) = range(OWN + SOFT_PLACES, OWN + SOFT_PLACES + 9)
OWN_PLACES = _END - OWN

#: rounds of the iteration; where it would take more, the step is shortened
MOST_ROUNDS = 16


def arrange(room, sizes, tables) -> None:
    """Tables of the method, and room for stages."""
    stages, times, triangle, error, powers, mu = tables
    arrange_stages(room, sizes, (stages, times, error, powers, mu), K_SHARED)
    arrange_soft(room, sizes)
    room.put(R_L, triangle)
    n = sizes.state
    for place, size in (
        (R_K, 3 * n),
        (R_X, 3 * n),
        (R_F, n),
        (R_TRIAL, n),
        (R_U, 3 * sizes.speeds),
        (R_U_STEP, 3 * sizes.speeds),
        (R_WAY, n),
    ):
        room.put(place, size)


@kernel(types.void(f8, i8, i8, i8, A, I))
def _tell(ratio, of, start, size, run, count):
    """Three vectors to begin with: along the polynomial through those of the step before, or what is at the start."""
    c = count[R_C]
    for i in range(size):
        one, two, three = run[of + i], run[of + size + i], run[of + 2 * size + i]
        for stage in range(3):
            if ratio == 0.0:
                run[of + stage * size + i] = run[start + i]
                continue
            place = 1.0 + run[c + stage] * ratio
            a, b, d = place - run[c], place - run[c + 1], place - run[c + 2]
            run[of + stage * size + i] = (
                one * b * d / ((run[c] - run[c + 1]) * (run[c] - run[c + 2]))
                + two * a * d / ((run[c + 1] - run[c]) * (run[c + 1] - run[c + 2]))
                + three * a * b / ((run[c + 2] - run[c]) * (run[c + 2] - run[c + 1]))
            )


@kernel(types.void(f8, A, I, A, I))
def start(step, y, tab, run, count):
    """K and U to begin with."""
    n, n_q, n_v = count[N_STATE], tab[at.N_Q], tab[at.N_V]
    before = run[count[R_KNOWN] + K_LENGTH]
    ratio = step / before if before != 0.0 else 0.0
    for i in range(n_v):
        run[count[R_WAY] + i] = y[n_q + i]
    _tell(ratio, count[R_K], count[R_SLOPE], n, run, count)
    _tell(ratio, count[R_U], count[R_WAY], n_v, run, count)
    for stage in range(3):
        for i in range(n_q):
            run[count[R_Y] + stage * n + i] = y[i]


@kernel(types.boolean(f8, f8, i8, A, A, I, A, A, I))
def place(t, step, settled, y, p, tab, w, run, count):
    """Y from K and U; with `settled` U is what the speeds of the stages are.  False where positions do not converge."""
    n, n_q, n_v = count[N_STATE], tab[at.N_Q], tab[at.N_V]
    a, k, u, stages = count[R_A], count[R_K], count[R_U], count[R_Y]
    aside = beyond(run, count[R_ASIDE])
    for i in range(3):
        one, two, three = step * run[a + 3 * i], step * run[a + 3 * i + 1], step * run[a + 3 * i + 2]
        for x in range(n_q, n):
            run[stages + i * n + x] = y[x] + one * run[k + x] + two * run[k + n + x] + three * run[k + 2 * n + x]
        if settled == 1:
            for x in range(n_v):
                run[u + i * n_v + x] = run[stages + i * n + n_q + x]
    for sweep in range(MOST_SWEEPS):
        for i in range(3):
            if tab[at.A_RATES] == 0:
                for x in range(n_q):
                    run[k + i * n + x] = run[u + i * n_v + x]
            else:
                for x in range(n_q):
                    aside[x] = run[stages + i * n + x]
                for x in range(n_v):
                    aside[n_q + x] = run[u + i * n_v + x]
                at_address(tab[at.A_RATES])(t, aside, p, tab, w, beyond(run, k + i * n))
        largest = 0.0
        for i in range(3):
            one, two, three = step * run[a + 3 * i], step * run[a + 3 * i + 1], step * run[a + 3 * i + 2]
            for x in range(n_q):
                new = y[x] + one * run[k + x] + two * run[k + n + x] + three * run[k + 2 * n + x]
                off = abs(new - run[stages + i * n + x])
                if not off < 1e300:
                    return False
                largest = max(largest, off / (abs(new) + run[LENGTH]))
                run[stages + i * n + x] = new
        if tab[at.A_RATES] == 0 or largest <= SWEPT:
            return True
    return largest <= 1e3 * SWEPT


@kernel(types.void(f8, f8, i8, A, I, A, A, I))
def _try_stage(t, step, stage, p, tab, w, run, count):
    """The stage with all that moves it but its own x, into R_TRIAL.

    speeds:     h sum over j < i of  l_ij x_j
    positions:  h sum over j < i of  l_ij u_j  +  h l_ii (V - U + those of the speeds)          u = V - U + h L x
    """
    n, n_q, n_v = count[N_STATE], tab[at.N_Q], tab[at.N_V]
    x, u, l, trial, y = count[R_X], count[R_U_STEP], count[R_L] + 3 * stage, count[R_TRIAL], count[R_Y] + stage * n
    own = step * run[l + stage]
    aside, rates = beyond(run, count[R_ASIDE]), beyond(run, count[R_F])
    for i in range(n):
        run[trial + i] = aside[i] = run[y + i]
    for i in range(n_q, n):
        for j in range(stage):
            run[trial + i] += step * run[l + j] * run[x + j * n + i]
    for i in range(n_v):
        off = run[trial + n_q + i] - run[count[R_U] + stage * n_v + i]
        run[u + stage * n_v + i] = off
        off *= own
        for j in range(stage):
            off += step * run[l + j] * run[u + j * n_v + i]
        aside[n_q + i] = off
    if tab[at.A_RATES] == 0:
        for i in range(n_q):
            run[trial + i] += aside[n_q + i]
    else:
        at_address(tab[at.A_RATES])(t, aside, p, tab, w, rates)
        for i in range(n_q):
            run[trial + i] += rates[i]


@kernel(types.boolean(f8, i8, A, I, A, A, I))
def _evaluate(t, stage, p, tab, w, run, count):
    """F of a stage, beside a singular position of one put on the constraints; False where STATUS says why not."""
    n, n_q = count[N_STATE], tab[at.N_Q]
    y, f = beyond(run, count[R_TRIAL]), beyond(run, count[R_F])
    if not finite(n, y):
        w[at.STATUS] = at.NOT_FINITE
        return False
    if count[NEAR] == 1:
        at_address(count[A_PROJECT])(t, y, p, tab, w, f)
        count[STAGES_PROJECTED] += 1
    evaluate(t, y, beyond(run, count[R_K] + stage * n + n_q), p, tab, w, run, count, f)
    if tab[at.N_MEMORY] > 0:
        soft = beyond(count, count[SOFT_TABLE])
        run[TURNING] = max(run[TURNING], fastest_turn(soft, beyond(run, count[R_SOFT_W])))
    if w[at.STATUS] == at.OK and not finite(n, f):
        w[at.STATUS] = at.NOT_FINITE
    return w[at.STATUS] == at.OK


@kernel(f8(f8, f8, A, A, I, A, A, I))
def _round(t, step, y, p, tab, w, run, count):
    """One round: K moves by x; returns how large that is against what is allowed, or -1 where STATUS says why not."""
    n, n_q, n_v, n_z = count[N_STATE], tab[at.N_Q], tab[at.N_V], tab[at.N_Z]
    k, x, f, u = count[R_K], count[R_X], count[R_F], count[R_U_STEP]
    total = 0.0
    for stage in range(3):
        time = t + run[count[R_C] + stage] * step
        _try_stage(time, step, stage, p, tab, w, run, count)
        own = step * run[count[R_L] + 4 * stage]
        soften(own, run, count)
        if not _evaluate(time, stage, p, tab, w, run, count):
            return -1.0
        for i in range(n_q, n):
            change = run[f + i] - run[k + stage * n + i]
            run[x + stage * n + i] = change
            total += (own * change / run[count[R_ALLOWED] + i - n_q]) ** 2
        for i in range(n_v):
            change = run[u + stage * n_v + i] + own * run[x + stage * n + n_q + i]
            run[u + stage * n_v + i] = change
            total += (change / run[count[R_ALLOWED] + i]) ** 2
    for i in range(3 * n_v):
        run[count[R_U] + i] += run[u + i]
    for stage in range(3):
        for i in range(n_q, n):
            run[k + stage * n + i] += run[x + stage * n + i]
    return math.sqrt(total / max(1, 3 * (n - n_q - n_z)))


@kernel(i8(f8, f8, A, A, I, A, A, I))
def iterate(t, step, y, p, tab, w, run, count):
    """Triangular iteration: 1 where stages were found, 0 where not, -1 where STATUS says why."""
    known = count[R_KNOWN]
    before, theta = 0.0, run[known + K_THETA]
    limit = LEFT if count[FIXED] == 0 else FINEST / run[TOLERANCE]
    rounded = ROUNDED / run[TOLERANCE]
    for round in range(MOST_ROUNDS if count[FIXED] == 0 else 10 * MOST_ROUNDS):
        if not place(t, step, 0, y, p, tab, w, run, count):
            return 0
        size = _round(t, step, y, p, tab, w, run, count)
        if size < 0.0:
            return -1
        if not is_finite(size):
            return 0
        if round > 0:
            theta = size / before if before > 0.0 else 0.0
            if theta >= 0.9 and size < rounded:  # only rounding is left
                run[known + K_THETA] = 0.1
                return 1
            if theta >= 0.99 and round > 3:  # rounds that only hand on from stage to stage may come first
                return 0
            left = size * theta / max(0.01, 1.0 - theta)
            if count[FIXED] == 0 and round > 3 and left * theta ** (MOST_ROUNDS - 2 - round) > limit:
                return 0
            if theta >= 1.0:
                left = math.inf
        else:
            left = size * theta / (1.0 - min(theta, 0.9))
            if run[known + K_LENGTH] == 0.0:  # stages that nothing told must be looked at
                left = size
        if left <= limit or size == 0.0:
            run[known + K_THETA] = max(theta, 0.05)
            return 1
        before = size
    return 0
