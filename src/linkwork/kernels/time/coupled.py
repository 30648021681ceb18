"""Newton's iteration of implicit stages by the directions of forces at each of them, where these turn with the motion.

With one G and one X for a whole step, as in `shifted`, a force whose direction turns by the angle a pushes what is left
over to the side by a part a of itself, where nothing stiff brings it back: the iteration converges only where
h (V + h Q) C a^2 is small.  In coordinates of points torques are such forces: points go along circles.  With G and X of
every stage the stages do not come apart, and the forces f of all three are found together:

        dZ_i = r_i + h sum of a_ij X_j f_j                  f_j = V G_j dZ_j + Q G_j dQ_j
        r_i = h sum of a_ij F_j - Z_i                       dQ_j = h sum of a_jl dZ_l

        f_j - sum over l of (h a_jl V + h^2 (A A)_jl Q) C_jl f_l  =  V G_j r_j + Q G_j h sum of a_jl r_l

| symbol | word                                                                     | shape               |
|--------|--------------------------------------------------------------------------|---------------------|
| C_jl   | G_j X_l of the active ports: forces at stage l, seen at stage j          | 3 * 3 * ports^2     |
| seen   | G_j dZ_j, then G_j dQ_j                                                  | 2 * 3 * ports       |
| f      | forces along the active ports                                            | 3 * ports           |
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, beyond, f8, i8, kernel, types
from linkwork.kernels.time.lu import factor_real, solve_real
from linkwork.kernels.time.places import N_STATE, OWN
from linkwork.kernels.time.ports import (
    ACTIVE,
    PORTS,
    R_ACTIVE,
    R_COLUMN,
    R_FIRST,
    R_LAST,
    R_RATE,
    R_VALUE,
    R_WORK_RATE,
    R_WORK_VALUE,
    find_gradients,
    find_responses,
)
from linkwork.kernels.time.shifted import SYSTEM_PLACES
from linkwork.kernels.time.stages import R_A, R_C, R_MU, R_Y

# own places, behind those of the systems; empty where directions are never asked for stage by stage
(
    R_GRADIENTS,  # G of the three stages
    R_RESPONSES,  # X of them
    R_SQUARE,  # A A
    R_COUPLED,  # the matrix, column by column
    R_EXCHANGED,
    R_STAGES_SEEN,
    R_STAGES_FORCE,
    R_WAY,  # dQ of a stage
    _END,
) = range(OWN + SYSTEM_PLACES, OWN + SYSTEM_PLACES + 9)
COUPLED_PLACES = _END - OWN


def arrange_coupled(room, sizes, stages) -> None:
    """Room for directions at the stages, in coordinates whose directions turn more than others."""
    some = int(sizes.shares > 0)
    ports = some * (sizes.channels + sizes.states)
    room.put(R_SQUARE, np.array(stages) @ np.array(stages))
    for place, size in (
        (R_GRADIENTS, 3 * some * sizes.channels * sizes.speeds),
        (R_RESPONSES, 3 * some * sizes.channels * sizes.speeds),
        (R_COUPLED, 9 * ports * ports),
        (R_EXCHANGED, 3 * ports),
        (R_STAGES_SEEN, 6 * ports),
        (R_STAGES_FORCE, 3 * ports),
        (R_WAY, some * (sizes.state - sizes.positions)),
    ):
        room.put(place, size)


@kernel(types.boolean(I, I))
def can_turn(tab, count):
    """Whether directions of forces can be asked for stage by stage: in coordinates of points."""
    return tab[at.N_SHARE_TERMS] > 0 and count[ACTIVE] > 0


@kernel(types.void(i8, i8, i8, I, A, I))
def _see(stage, x, seen, tab, run, count):
    """G x of the active ports by the directions of a stage."""
    n_v, channels = tab[at.N_V], tab[at.N_CHANNELS]
    g = count[R_GRADIENTS] + stage * channels * n_v
    for a in range(count[ACTIVE]):
        port = int(run[count[R_ACTIVE] + a])
        total = 0.0
        if port < channels:
            for i in range(n_v):
                total += run[g + port * n_v + i] * run[x + i]
        else:
            total = run[x + n_v + tab[at.N_Z] + port - channels]
        run[seen + a] = total


@kernel(types.void(f8, i8, I, A, I))
def _see_stages(step, x, tab, run, count):
    """What the ports see of steps x of the stages, and of the ways that follow from them."""
    n, n_v = count[ACTIVE], tab[at.N_V]
    unknown = count[N_STATE] - tab[at.N_Q]
    way, seen = count[R_WAY], count[R_STAGES_SEEN]
    for j in range(3):
        a = count[R_A] + 3 * j
        _see(j, x + j * unknown, seen + j * n, tab, run, count)
        for k in range(n_v):
            total = 0.0
            for i in range(3):
                total += run[a + i] * run[x + i * unknown + k]
            run[way + k] = step * total
        for k in range(n_v, unknown):  # states of laws are no values that others read
            run[way + k] = 0.0
        _see(j, way, seen + (3 + j) * n, tab, run, count)


@kernel(types.void(i8, i8, i8, I, A, I))
def _column(j, l, b, tab, run, count):
    """Column b of C_jl."""
    n_v, channels = tab[at.N_V], tab[at.N_CHANNELS]
    source = int(run[count[R_ACTIVE] + b])
    x = count[R_RESPONSES] + (l * channels + source) * n_v
    for m in range(count[ACTIVE]):
        port = int(run[count[R_ACTIVE] + m])
        found = 0.0
        if port < channels and source < channels:
            g = count[R_GRADIENTS] + (j * channels + port) * n_v
            for i in range(n_v):
                found += run[g + i] * run[x + i]
        elif port == source:
            found = 1.0
        run[count[R_COLUMN] + m] = found


@kernel(f8(i8, i8, i8, A, I))
def _felt(slopes, a, seen, run, count):
    """Row a of V or Q times what is seen."""
    row = slopes + int(run[count[R_ACTIVE] + a]) * count[PORTS]
    total = 0.0
    for m in range(int(run[count[R_FIRST] + a]), int(run[count[R_LAST] + a]) + 1):
        total += run[row + int(run[count[R_ACTIVE] + m])] * run[seen + m]
    return total


@kernel(types.boolean(f8, f8, A, I, A, A, I))
def find_directions(t, step, p, tab, w, run, count):
    """G and X at the stages as they are, and the factored system; False where it has no solution."""
    n, size = count[ACTIVE], 3 * count[ACTIVE]
    room = tab[at.N_CHANNELS] * tab[at.N_V]
    for j in range(3):
        time = t + run[count[R_C] + j] * step
        stage = beyond(run, count[R_Y] + j * count[N_STATE])
        find_gradients(time, count[R_GRADIENTS] + j * room, stage, p, tab, w, run, count)
        find_responses(time, count[R_RESPONSES] + j * room, stage, p, tab, w, run, count)
    for l in range(3):
        for b in range(n):
            column = count[R_COUPLED] + (l * n + b) * size
            for j in range(3):
                rate, value = step * run[count[R_A] + 3 * j + l], step * step * run[count[R_SQUARE] + 3 * j + l]
                _column(j, l, b, tab, run, count)
                for a in range(n):
                    found = rate * _felt(count[R_RATE], a, count[R_COLUMN], run, count)
                    found += value * _felt(count[R_VALUE], a, count[R_COLUMN], run, count)
                    run[column + j * n + a] = -found
            run[column + l * n + b] += 1.0
    return factor_real(size, beyond(run, count[R_COUPLED]), beyond(run, count[R_EXCHANGED]))


@kernel(types.void(i8, i8, f8, f8, i8, I, A, I))
def _push(stage, port, force, part, x, tab, run, count):
    """x += part of X f, by the directions of a stage."""
    n_v, channels = tab[at.N_V], tab[at.N_CHANNELS]
    if port < channels:
        response = count[R_RESPONSES] + (stage * channels + port) * n_v
        for i in range(n_v):
            run[x + i] += part * force * run[response + i]
    else:
        run[x + n_v + tab[at.N_Z] + port - channels] += part * force


@kernel(types.void(f8, i8, I, A, I))
def solve_coupled(step, x, tab, run, count):
    """dZ of the three stages in place of r."""
    n, n_v, n_z = count[ACTIVE], tab[at.N_V], tab[at.N_Z]
    unknown = count[N_STATE] - tab[at.N_Q]
    seen, f = count[R_STAGES_SEEN], count[R_STAGES_FORCE]
    _see_stages(step, x, tab, run, count)
    for j in range(3):
        for a in range(n):
            run[f + j * n + a] = _felt(count[R_RATE], a, seen + j * n, run, count) + _felt(
                count[R_VALUE], a, seen + (3 + j) * n, run, count
            )
    solve_real(3 * n, beyond(run, count[R_COUPLED]), beyond(run, count[R_EXCHANGED]), beyond(run, f))
    for j in range(3):
        for a in range(n):
            port = int(run[count[R_ACTIVE] + a])
            for i in range(3):
                part = step * run[count[R_A] + 3 * i + j]
                _push(j, port, run[f + j * n + a], part, x + i * unknown, tab, run, count)
    if n_z == 0:
        return
    _see_stages(step, x, tab, run, count)
    for z in range(n_z):
        row = z * count[PORTS]
        for j in range(3):
            power = 0.0
            for a in range(n):
                port = row + int(run[count[R_ACTIVE] + a])
                power += run[count[R_WORK_RATE] + port] * run[seen + j * n + a]
                power += run[count[R_WORK_VALUE] + port] * run[seen + (3 + j) * n + a]
            for i in range(3):
                run[x + i * unknown + n_v + z] += step * run[count[R_A] + 3 * i + j] * power


@kernel(types.boolean(f8, i8, I, A, I))
def solve_at_end(step, x, tab, run, count):
    """(mu - V' - Q'/mu) x = r  in place of r, by the directions of the last stage; but for the work."""
    n, n_v, n_z = count[ACTIVE], tab[at.N_V], tab[at.N_Z]
    mu = run[count[R_MU]] / step
    matrix, swap, seen, f = count[R_COUPLED], count[R_EXCHANGED], count[R_STAGES_SEEN], count[R_STAGES_FORCE]
    for b in range(n):
        _column(2, 2, b, tab, run, count)
        for a in range(n):
            value = _felt(count[R_VALUE], a, count[R_COLUMN], run, count)
            run[matrix + b * n + a] = -_felt(count[R_RATE], a, count[R_COLUMN], run, count) - value / mu
        run[matrix + b * n + b] += mu
    if not factor_real(n, beyond(run, matrix), beyond(run, swap)):
        return False
    _see(2, x, seen, tab, run, count)
    for a in range(n):
        run[f + a] = _felt(count[R_RATE], a, seen, run, count) + _felt(count[R_VALUE], a, seen, run, count) / mu
    solve_real(n, beyond(run, matrix), beyond(run, swap), beyond(run, f))
    for a in range(n):
        _push(2, int(run[count[R_ACTIVE] + a]), run[f + a], 1.0, x, tab, run, count)
    for i in range(count[N_STATE] - tab[at.N_Q]):
        if i < n_v or i >= n_v + n_z:
            run[x + i] /= mu
    return True
