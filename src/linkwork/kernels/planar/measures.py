"""Measures of the plane, one function each: value, rate, gradient and bias (J-dot v), from two frames.

All have the signature `MEASURE`: the measure's entry in the table, its frames `on` (i) and `to` (j), what is between
them (o), where its gradient is written (g); they return value, rate and bias.  Symbols are those of `frames`; e is the
axis along which a measure grows.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, kernels_with, types
from linkwork.kernels.planar.frames import (
    ANGLE,
    ARM_X,
    ARM_Y,
    AXIS_X,
    AXIS_Y,
    B_X,
    B_Y,
    D_X,
    D_Y,
    FRAME,
    GIVEN,
    SPIN,
    U_X,
    U_Y,
    see_line,
    see_motion,
)
from linkwork.kernels.rows import counted

_V2, _V3 = types.UniTuple(f8, 2), types.UniTuple(f8, 3)
MEASURE = _V3(i8, i8, i8, i8, i8, A, I, A)


@kernel(types.void(i8, i8, i8, f8, f8, f8, f8, A), inline=True)
def put_gradient(i, j, g, ex, ey, on, to, w):
    """Force e on `to` at its frame and -e on `on` at its own, and beside them the moments `on` and `to`."""
    w[g] = -ex
    w[g + 1] = -ey
    w[g + 2] = ex * w[i + ARM_Y] - ey * w[i + ARM_X] + on
    w[g + 3] = ex
    w[g + 4] = ey
    w[g + 5] = ey * w[j + ARM_X] - ex * w[j + ARM_Y] + to


@kernel(_V2(i8, i8, A), inline=True)
def axis_of(k, axis, w):
    """Axis x or y of frame k."""
    if axis == 0:
        return w[k + AXIS_X], w[k + AXIS_Y]
    return -w[k + AXIS_Y], w[k + AXIS_X]


@kernel(MEASURE, inline=True)
def world_offset(entry, i, j, o, g, p, tab, w):
    """d along an axis of the world."""
    axis = tab[entry + at.MEASURE_AXIS]
    ex, ey = (1.0, 0.0) if axis == 0 else (0.0, 1.0)
    put_gradient(i, j, g, ex, ey, 0.0, 0.0, w)
    return (ex * w[o + D_X] + ey * w[o + D_Y], ex * w[o + U_X] + ey * w[o + U_Y], ex * w[o + B_X] + ey * w[o + B_Y])


@kernel(MEASURE, inline=True)
def offset(entry, i, j, o, g, p, tab, w):
    """d along an axis of `on`, which turns with it: e-dot = w_i rot(e)."""
    ex, ey = axis_of(i, tab[entry + at.MEASURE_AXIS], w)
    dx, dy, ux, uy, wi = w[o + D_X], w[o + D_Y], w[o + U_X], w[o + U_Y], w[i + SPIN]
    turn = ex * dy - ey * dx  # rot(e)'d
    value = ex * dx + ey * dy
    put_gradient(i, j, g, ex, ey, turn, 0.0, w)
    return (
        value,
        ex * ux + ey * uy + wi * turn,
        ex * w[o + B_X] + ey * w[o + B_Y] + 2.0 * wi * (ex * uy - ey * ux) - wi * wi * value,
    )


@kernel(MEASURE)
def angle(entry, i, j, o, g, p, tab, w):
    """Angle of `to` less that of `on`: bodies count their turns, and what the memory adds to them stays."""
    slot = tab[entry + at.MEASURE_SLOT]
    added = w[tab[at.W_MEMORY] + slot]
    w[tab[at.W_TURNED] + slot] = added
    _, rate, bias = spin(entry, i, j, o, g, p, tab, w)
    return w[j + ANGLE] - w[i + ANGLE] + added, rate, bias


@kernel(MEASURE)
def spin(entry, i, j, o, g, p, tab, w):
    """Angular velocity of `to` against `on`."""
    for c in range(6):
        w[g + c] = 0.0
    w[g + 2] = -1.0
    w[g + 5] = 1.0
    return 0.0, w[j + SPIN] - w[i + SPIN], 0.0


@kernel(MEASURE)
def direction(entry, i, j, o, g, p, tab, w):
    """psi = angle(d) - angle(on);  angle(d)-dot = rot(d)'d-dot / L^2."""
    dx, dy, ux, uy = w[o + D_X], w[o + D_Y], w[o + U_X], w[o + U_Y]
    inverse = 1.0 / (dx * dx + dy * dy)
    swing = (dx * uy - dy * ux) * inverse
    heading = counted(math.atan2(dy, dx), swing, tab[entry + at.MEASURE_SLOT], tab, w)
    w[g] = dy * inverse
    w[g + 1] = -dx * inverse
    w[g + 2] = -(dx * w[i + ARM_X] + dy * w[i + ARM_Y]) * inverse - 1.0
    w[g + 3] = -dy * inverse
    w[g + 4] = dx * inverse
    w[g + 5] = (dx * w[j + ARM_X] + dy * w[j + ARM_Y]) * inverse
    return (
        heading - w[i + ANGLE],
        swing - w[i + SPIN],
        (dx * w[o + B_Y] - dy * w[o + B_X]) * inverse - 2.0 * (dx * ux + dy * uy) * inverse * swing,
    )


@kernel(MEASURE)
def distance(entry, i, j, o, g, p, tab, w):
    """|d|; where the ends meet it opens along their velocity, and without one it has no direction, nan."""
    dx, dy, ux, uy, bx, by = w[o + D_X], w[o + D_Y], w[o + U_X], w[o + U_Y], w[o + B_X], w[o + B_Y]
    value = math.sqrt(dx * dx + dy * dy)
    if value > at.MEET * p[tab[at.P_LENGTH]]:
        ex, ey = dx / value, dy / value
        rate = ex * ux + ey * uy
        bias = ex * bx + ey * by + (ux * ux + uy * uy - rate * rate) / value
    else:
        rate = math.sqrt(ux * ux + uy * uy)
        ex, ey = ux / rate, uy / rate
        bias = ex * bx + ey * by
    put_gradient(i, j, g, ex, ey, 0.0, 0.0, w)
    return value, rate, bias


@kernel(MEASURE)
def slip(entry, i, j, o, g, p, tab, w):
    """Along an axis of `to`, its origin against the coincident point of `on`: l = d-dot - w_i rot(d)."""
    ex, ey = axis_of(j, tab[entry + at.MEASURE_AXIS], w)
    dx, dy, ux, uy, wi = w[o + D_X], w[o + D_Y], w[o + U_X], w[o + U_Y], w[i + SPIN]
    lx, ly = ux + wi * dy, uy - wi * dx
    put_gradient(i, j, g, ex, ey, ex * dy - ey * dx, 0.0, w)
    # rates of e and of w_i rot(d):  w_j rot(e)'l  and  -w_i e'rot(d-dot)
    bias = ex * w[o + B_X] + ey * w[o + B_Y] + w[j + SPIN] * (ex * ly - ey * lx) + wi * (ex * uy - ey * ux)
    return 0.0, ex * lx + ey * ly, bias


@kernel(MEASURE)
def own_function(entry, i, j, o, g, p, tab, w):
    """A measure with a function of its own, which sees `to` from `on`: value f(x, y, phi), its gradient (F, m) there.

    rate = F'v + m w      second rate = F'a + m w-dot + bias      with v, a as seen from `on`:
    v = d-dot - w_i rot(d)      a = d-ddot - 2 w_i rot(v) - w_i-dot rot(d) + w_i^2 d
    """
    see_motion(entry, i, j, o, p, tab, w)
    c, s, wi = w[i + AXIS_X], w[i + AXIS_Y], w[i + SPIN]
    dx, dy = w[o + D_X], w[o + D_Y]
    lx, ly = w[o + U_X] + wi * dy, w[o + U_Y] - wi * dx
    value, bias, fx, fy, m = w[o + GIVEN], w[o + GIVEN + 1], w[o + GIVEN + 2], w[o + GIVEN + 3], w[o + GIVEN + 4]
    ex, ey = c * fx - s * fy, s * fx + c * fy
    put_gradient(i, j, g, ex, ey, ex * dy - ey * dx - m, m, w)
    rate = ex * lx + ey * ly + m * (w[j + SPIN] - wi)
    bias += ex * w[o + B_X] + ey * w[o + B_Y] + 2.0 * wi * (ex * ly - ey * lx) + wi * wi * (ex * dx + ey * dy)
    if tab[entry + at.MEASURE_SLOT] >= 0 and tab[entry + at.MEASURE_N_MEMORY] == 0:
        value = counted(value, rate, tab[entry + at.MEASURE_SLOT], tab, w)
    return value, rate, bias


#: measures that are compiled when a model has them, and called by address; the commonest are called directly
ADDRESSED = {
    at.ANGLE: angle,
    at.SPIN: spin,
    at.DIRECTION: direction,
    at.DISTANCE: distance,
    at.SLIP: slip,
    at.OWN: own_function,
}
measure_at = kernels_with(MEASURE)


@kernel(types.void(A, I, A))
def evaluate_measures(p, tab, w):
    """Every measure of the model."""
    frames = tab[at.W_FRAME]
    measures = tab[at.T_MEASURE]
    pairs = tab[at.W_PAIR]
    gradients = tab[at.W_GRADIENT]
    values = tab[at.W_VALUE]
    rates = tab[at.W_RATE]
    biases = tab[at.W_BIAS]
    for m in range(tab[at.N_MEASURES]):
        entry = measures + at.MEASURE_COLUMNS * m
        code = tab[entry + at.MEASURE_CODE]
        i = frames + FRAME * tab[entry + at.MEASURE_ON]
        j = frames + FRAME * tab[entry + at.MEASURE_TO]
        o = pairs + tab[entry + at.MEASURE_PAIR]
        g = gradients + 6 * m
        if tab[entry + at.MEASURE_OPENS] >= 0:
            see_line(i, j, o, w)
        if code == at.WORLD_OFFSET:
            value, rate, bias = world_offset(entry, i, j, o, g, p, tab, w)
        elif code == at.OFFSET:
            value, rate, bias = offset(entry, i, j, o, g, p, tab, w)
        else:
            value, rate, bias = measure_at(tab[entry + at.MEASURE_ADDRESS])(entry, i, j, o, g, p, tab, w)
        w[values + m] = value
        w[rates + m] = rate
        w[biases + m] = bias
