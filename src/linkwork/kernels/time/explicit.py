"""Explicit Runge-Kutta methods by their tables.

| symbol | word                                                                                           |
|--------|------------------------------------------------------------------------------------------------|
| a b c  | coefficients of the method; stage s is f at the end of the step, later ones serve dense output |
| e5 e3  | weights of the error estimates                                                                 |
| d      | dense output: y(t + theta h) = y + h sum_i k_i sum_j d_ij theta^(j+1)                           |
| k      | slopes at the stages, n numbers each                                                           |
"""

from __future__ import annotations

import math

import numpy as np

from linkwork.kernels import layout as at
from linkwork.kernels.jit import STEPPER, A, I, at_address, beyond, f8, i8, kernel, types
from linkwork.kernels.rows import fastest_turn
from linkwork.kernels.time import corners
from linkwork.kernels.time.control import finite
from linkwork.kernels.time.places import (
    A_PROJECT,
    A_RHS,
    DEGREE,
    HITS,
    LENGTH,
    LOWEST,
    MISSES,
    N_STATE,
    NEAR,
    OWN,
    R_ERROR,
    R_ERROR_LOW,
    R_NEW,
    R_POWERS,
    R_SLOPE,
    R_SLOPE_NEW,
    REJECTED,
    SMALLEST_PIVOT,
    STAGES_PROJECTED,
    STEP,
    STEPS,
    STIFF_LIMIT,
    TURNING,
)

#: the first try of a run is given up behind its first stage, where that tells a length beyond stability by this factor:
#: with `dop853` such a step multiplies what is stiff by 400,000
FAR = 4.0
#: it counts as so many steps that tell of stiffness
TOLD = 3
#: changes of accelerations below this part of what the forces would give are rounding, as at rest
ROUNDED = 1e-6
#: and the length is shortened by no more than that at once: from rest, a law that changes with time looks stiff
SHORTEST = 1e-5
#: steps without a sign of stiffness, after which the others do not count
MISSES_IN_A_ROW = 6

# own places: sizes of the tables, and where they are in run
(STAGES, TOTAL, WIDE, R_A, R_B, R_C, R_E5, R_E3, R_D, R_K, R_STAGE, _END) = range(OWN, OWN + 12)
OWN_PLACES = _END - OWN


def check(tables, fits) -> None:
    """Raise, by `fits(what, array, shape)`, unless the tables of a method fit each other."""
    a, b, c, e5, e3, d = tables
    stages, (total, wide), (_, degree) = np.size(b), *(np.shape(one) if np.ndim(one) == 2 else (0, 0) for one in (a, d))
    total = max(total, stages + 1, 2)
    for what, array, shape in (
        ("stages of the method", a, (total, max(wide, total - 1))),
        ("weights of the method", b, (max(1, stages),)),
        ("times of the method", c, (total,)),
        ("error of the method", e5, (stages + 1,)),
        ("second error of the method", e3, (stages + 1,)),
        ("dense output of the method", d, (total, max(1, degree))),
    ):
        fits(what, array, shape)


def arrange(room, sizes, tables) -> None:
    """Tables of the method and room for its slopes."""
    n = sizes.state
    a, b, c, e5, e3, d = tables
    room.count[[STAGES, TOTAL, WIDE, DEGREE]] = b.size, a.shape[0], a.shape[1], d.shape[1]
    for place, table in ((R_A, a), (R_B, b), (R_C, c), (R_E5, e5), (R_E3, e3), (R_D, d)):
        room.put(place, table)
    slopes = room.put(R_K, a.shape[0] * n)
    room.count[[R_SLOPE, R_SLOPE_NEW]] = slopes, slopes + n * b.size
    room.put(R_STAGE, n)


@kernel(types.void(i8, A, A, A, i8, f8, A))
def combine(n, y, k, weights, count, step, out):
    """out = y + step * sum of weights[j] k[j]; every k has n numbers."""
    for i in range(n):
        out[i] = y[i]
    for j in range(count):
        weight = step * weights[j]
        if weight != 0.0:
            for i in range(n):
                out[i] += weight * k[j * n + i]


@kernel(types.void(i8, f8, f8, A, A, I, A, A, I))
def _evaluate(s, t, step, y, p, tab, w, run, count):
    """The slope of stage s from those before it; beside a singular position of the stage put on the constraints."""
    n = count[N_STATE]
    k = beyond(run, count[R_K])
    z = beyond(run, count[R_STAGE])
    time = t + run[count[R_C] + s] * step
    combine(n, y, k, beyond(run, count[R_A] + s * count[WIDE]), s, step, z)
    if count[NEAR] == 1:
        at_address(count[A_PROJECT])(time, z, p, tab, w, beyond(k, n * s))
    at_address(count[A_RHS])(time, z, p, tab, w, beyond(k, n * s))


@kernel(types.boolean(f8, A, A, I, A, A, I))
def _far_too_long(step, y, p, tab, w, run, count):
    """Whether the first stage tells that the first step of a run is far too long for stability; a stable length is in
    run[STEP] then.  That of the try was guessed from speeds and accelerations, which know nothing of what is stiff.

        h |f(stage) - f(y)| / |stage - y|  is the part of the stability region that it would use, as in `stiff`.

    Where functions of time move something, f changes although the state does not, and nothing is told.
    """
    if tab[at.N_FUNCTIONS] > 0:
        return False
    k, stage = count[R_K], count[R_STAGE]
    n, dof = count[N_STATE], tab[at.DOF]
    kinds = tab[at.T_TURNING]
    change, way, forces = 0.0, 0.0, 0.0
    for i in range(tab[at.N_Q] + tab[at.N_V]):
        weight = 1.0 if tab[kinds + i] == 1 else 1.0 / run[LENGTH] ** 2
        change += weight * (run[k + n + i] - run[k + i]) ** 2
        way += weight * (run[stage + i] - y[i]) ** 2
    for i in range(dof * (tab[at.N_BODIES] + 1)):
        weight = 1.0 if i % dof >= tab[at.DIMENSION] else 1.0 / run[LENGTH]
        forces = max(forces, weight * abs(w[tab[at.W_APPLIED] + i]) / p[tab[at.P_MASS_SCALE] + i])
    change, way = math.sqrt(change), math.sqrt(way)
    if not FAR * run[STIFF_LIMIT] * way < step * change < math.inf or not change > ROUNDED * forces:
        return False
    run[STEP] = max(run[STIFF_LIMIT] * way / change, SHORTEST * step)
    count[HITS] = TOLD
    return True


@kernel(STEPPER)
def attempt(t, step, y, p, tab, w, run, count):
    """The stages, and the new state from them."""
    n = count[N_STATE]
    w[at.STATUS] = at.OK
    run[LOWEST] = run[SMALLEST_PIVOT]
    run[TURNING] = 0.0
    for s in range(1, count[STAGES]):
        _evaluate(s, t, step, y, p, tab, w, run, count)
        count[STAGES_PROJECTED] += count[NEAR]
        corners.look(tab, w, run, count)
        run[LOWEST] = min(run[LOWEST], w[at.PIVOT])
        if tab[at.N_MEMORY] > 0:
            run[TURNING] = max(run[TURNING], fastest_turn(tab, w))
        if w[at.STATUS] != at.OK:
            if not finite(n, beyond(run, count[R_STAGE])):
                w[at.STATUS] = at.NOT_FINITE
            return
        if s == 1 and count[STEPS] == 0 and count[REJECTED] == 0 and run[STIFF_LIMIT] > 0.0:
            if _far_too_long(step, y, p, tab, w, run, count):
                w[at.STATUS] = at.TOO_LONG
                return
    combine(n, y, beyond(run, count[R_K]), beyond(run, count[R_B]), count[STAGES], step, beyond(run, count[R_NEW]))


@kernel(STEPPER)
def estimate(t, step, y, p, tab, w, run, count):
    """Both estimates of the error, per unit of the step."""
    n = count[N_STATE]
    k = count[R_K]
    for i in range(n):
        one = 0.0
        two = 0.0
        for j in range(count[STAGES] + 1):
            one += run[count[R_E5] + j] * run[k + j * n + i]
            two += run[count[R_E3] + j] * run[k + j * n + i]
        run[count[R_ERROR] + i] = one
        run[count[R_ERROR_LOW] + i] = two


@kernel(STEPPER)
def stiff(t, step, y, p, tab, w, run, count):
    """Whether stability alone keeps the step short: the last stage is at the end of the step, as the new state is.

    h |f(new) - f(stage)| / |new - stage|  is the part of the stability region that is in use.
    """
    n = count[N_STATE]
    last = count[R_K] + (count[STAGES] - 1) * n
    slope, new, stage = count[R_SLOPE_NEW], count[R_NEW], count[R_STAGE]
    kinds = tab[at.T_TURNING]
    change, way = 0.0, 0.0
    for i in range(tab[at.N_Q] + tab[at.N_V]):
        weight = 1.0 if tab[kinds + i] == 1 else 1.0 / run[LENGTH] ** 2
        change += weight * (run[slope + i] - run[last + i]) ** 2
        way += weight * (run[new + i] - run[stage + i]) ** 2
    if step * step * change > run[STIFF_LIMIT] ** 2 * way:
        count[HITS] += 1
        count[MISSES] = 0
    elif count[HITS] > 0:
        count[MISSES] += 1
        if count[MISSES] >= MISSES_IN_A_ROW:
            count[HITS] = 0


@kernel(STEPPER)
def dense(t, step, y, p, tab, w, run, count):
    """c_m = h sum over the stages of  d_im k_i, after the stages that only dense output needs."""
    n = count[N_STATE]
    total = count[TOTAL]
    degree = count[DEGREE]
    for s in range(count[STAGES] + 1, total):
        _evaluate(s, t, step, y, p, tab, w, run, count)
    for m in range(degree):
        c = count[R_POWERS] + m * n
        for i in range(n):
            run[c + i] = 0.0
        for j in range(total):
            weight = step * run[count[R_D] + j * degree + m]
            if weight != 0.0:
                k = count[R_K] + j * n
                for i in range(n):
                    run[c + i] += weight * run[k + i]
