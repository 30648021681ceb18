"""Measures of space, one function each: value, rate, gradient and bias (J-dot v), from two frames.

All have the signature `MEASURE`: the measure's entry in the table, its frames `on` (i) and `to` (j), the poses of their
bodies, what is between the frames (o), where its gradient is written (g); they return value, rate and bias.  Symbols
are those of `frames`; a and b are axes of `on` and `to`, e is the axis along which a measure grows.

A gradient is found as force e and moment m in the world; the coordinates are angular velocities in body axes, so m
enters as R'm.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, kernels_with, types
from linkwork.kernels.rows import counted
from linkwork.kernels.spatial.frames import (
    ARM,
    FRAME,
    GIVEN,
    POSE,
    SPIN,
    B,
    C,
    D,
    L,
    U,
    X,
    cross,
    see_edge,
    see_line,
    see_motion,
    vector,
)

_V3 = types.UniTuple(f8, 3)
MEASURE = _V3(i8, i8, i8, i8, i8, i8, i8, A, I, A)


@kernel(types.void(A, i8, i8, i8, f8, f8, f8, f8, f8, f8), inline=True)
def put(w, g, pose, side, ex, ey, ez, mx, my, mz):
    """Store force e and moment m as the gradient of one side; the moment goes to body axes by R'."""
    o = g + 6 * side
    w[o] = ex
    w[o + 1] = ey
    w[o + 2] = ez
    for c in range(3):
        w[o + 3 + c] = w[pose + 3 + c] * mx + w[pose + 6 + c] * my + w[pose + 9 + c] * mz


@kernel(types.void(i8, i8, i8, i8, i8, f8, f8, f8, f8, f8, f8, f8, f8, f8, A), inline=True)
def put_force(i, j, pi, pj, g, ex, ey, ez, mx, my, mz, cx, cy, cz, w):
    """Force e on `to`, at c beyond its origin, and -e on `on` at its own, beside that the moment m on `on`."""
    nx, ny, nz = cross(w[i + ARM], w[i + ARM + 1], w[i + ARM + 2], ex, ey, ez)
    put(w, g, pi, 0, -ex, -ey, -ez, mx - nx, my - ny, mz - nz)
    nx, ny, nz = cross(w[j + ARM] + cx, w[j + ARM + 1] + cy, w[j + ARM + 2] + cz, ex, ey, ez)
    put(w, g, pj, 1, ex, ey, ez, nx, ny, nz)


@kernel(types.void(i8, i8, i8, f8, f8, f8, A), inline=True)
def put_moment(pi, pj, g, mx, my, mz, w):
    """Moment m on `on`, and -m on `to`."""
    put(w, g, pi, 0, 0.0, 0.0, 0.0, mx, my, mz)
    put(w, g, pj, 1, 0.0, 0.0, 0.0, -mx, -my, -mz)


@kernel(_V3(A, i8, i8, i8, i8))
def cosine(w, i, j, axis, other):
    """Value, rate and bias of the cosine a'b between an axis of `on` and one of `to`.

    rate = (w_i - w_j)'(a x b)      bias = (w_i x (w_i x a))'b + 2 (w_i x a)'(w_j x b) + a'(w_j x (w_j x b))
    """
    o = i + X + 3 * axis
    q = j + X + 3 * other
    ax, ay, az = w[o], w[o + 1], w[o + 2]
    bx, by, bz = w[q], w[q + 1], w[q + 2]
    ux, uy, uz = w[i + SPIN], w[i + SPIN + 1], w[i + SPIN + 2]
    vx, vy, vz = w[j + SPIN], w[j + SPIN + 1], w[j + SPIN + 2]
    px, py, pz = cross(ux, uy, uz, ax, ay, az)
    qx, qy, qz = cross(vx, vy, vz, bx, by, bz)
    gx, gy, gz = cross(ux, uy, uz, px, py, pz)
    hx, hy, hz = cross(vx, vy, vz, qx, qy, qz)
    value = ax * bx + ay * by + az * bz
    rate = px * bx + py * by + pz * bz + ax * qx + ay * qy + az * qz
    bias = gx * bx + gy * by + gz * bz + 2.0 * (px * qx + py * qy + pz * qz) + ax * hx + ay * hy + az * hz
    return value, rate, bias


@kernel(_V3(i8, i8, i8, A), inline=True)
def component(i, o, axis, w):
    """Value, rate and bias of d along an axis e of `on`, e-dot = w_i x e."""
    ex, ey, ez = vector(i + X + 3 * axis, w)
    wx, wy, wz = vector(i + SPIN, w)
    dx, dy, dz = vector(o + D, w)
    ux, uy, uz = vector(o + U, w)
    bx, by, bz = vector(o + B, w)
    fx, fy, fz = cross(wx, wy, wz, ex, ey, ez)
    gx, gy, gz = cross(wx, wy, wz, fx, fy, fz)
    return (
        ex * dx + ey * dy + ez * dz,
        ex * ux + ey * uy + ez * uz + fx * dx + fy * dy + fz * dz,
        ex * bx + ey * by + ez * bz + 2.0 * (fx * ux + fy * uy + fz * uz) + gx * dx + gy * dy + gz * dz,
    )


@kernel(types.UniTuple(f8, 6)(f8, f8, f8, f8, f8, f8, i8, i8, I, A), inline=True)
def polar(a, a1, a2, b, b1, b2, i, slot, tab, w):
    """theta = atan2(b, a) over full turns, its rate and bias, and the vector (a y - b x) / (a^2 + b^2) of frame i."""
    size = a * a + b * b
    rate = (a * b1 - b * a1) / size
    value = counted(math.atan2(b, a), rate, slot, tab, w)
    bias = (a * b2 - b * a2) / size - 2.0 * rate * (a * a1 + b * b1) / size
    return (
        value,
        rate,
        bias,
        (a * w[i + X + 3] - b * w[i + X]) / size,
        (a * w[i + X + 4] - b * w[i + X + 1]) / size,
        (a * w[i + X + 5] - b * w[i + X + 2]) / size,
    )


@kernel(MEASURE, inline=True)
def world_offset(entry, i, j, pi, pj, o, g, p, tab, w):
    """d along an axis of the world."""
    axis = tab[entry + at.MEASURE_AXIS]
    ex = 1.0 if axis == 0 else 0.0
    ey = 1.0 if axis == 1 else 0.0
    ez = 1.0 if axis == 2 else 0.0
    put_force(i, j, pi, pj, g, ex, ey, ez, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, w)
    return (
        ex * w[o + D] + ey * w[o + D + 1] + ez * w[o + D + 2],
        ex * w[o + U] + ey * w[o + U + 1] + ez * w[o + U + 2],
        ex * w[o + B] + ey * w[o + B + 1] + ez * w[o + B + 2],
    )


@kernel(MEASURE, inline=True)
def offset(entry, i, j, pi, pj, o, g, p, tab, w):
    """d along an axis of `on`."""
    axis = tab[entry + at.MEASURE_AXIS]
    ex, ey, ez = vector(i + X + 3 * axis, w)
    mx, my, mz = cross(ex, ey, ez, w[o + D], w[o + D + 1], w[o + D + 2])
    found = component(i, o, axis, w)
    put_force(i, j, pi, pj, g, ex, ey, ez, mx, my, mz, 0.0, 0.0, 0.0, w)
    return found


@kernel(MEASURE, inline=True)
def alignment(entry, i, j, pi, pj, o, g, p, tab, w):
    """The cosine a'b."""
    axis, other = tab[entry + at.MEASURE_AXIS], tab[entry + at.MEASURE_OTHER]
    a, b = i + X + 3 * axis, j + X + 3 * other
    cx, cy, cz = cross(w[a], w[a + 1], w[a + 2], w[b], w[b + 1], w[b + 2])
    found = cosine(w, i, j, axis, other)
    put_moment(pi, pj, g, cx, cy, cz, w)
    return found


@kernel(MEASURE)
def spin(entry, i, j, pi, pj, o, g, p, tab, w):
    """About z of `to`, e:  e'(w_j - w_i), and e-dot = w_j x e is at right angles to w_j."""
    ex, ey, ez = vector(j + X + 6, w)
    vx, vy, vz = vector(j + SPIN, w)
    wx, wy, wz = vector(i + SPIN, w)
    fx, fy, fz = cross(vx, vy, vz, ex, ey, ez)
    put_moment(pi, pj, g, -ex, -ey, -ez, w)
    return 0.0, ex * (vx - wx) + ey * (vy - wy) + ez * (vz - wz), -(fx * wx + fy * wy + fz * wz)


@kernel(MEASURE)
def angle(entry, i, j, pi, pj, o, g, p, tab, w):
    """theta = atan2(b, a) with a = x_on'x_to, b = y_on'x_to."""
    a, a1, a2 = cosine(w, i, j, 0, 0)
    b, b1, b2 = cosine(w, i, j, 1, 0)
    value, rate, bias, fx, fy, fz = polar(a, a1, a2, b, b1, b2, i, tab[entry + at.MEASURE_SLOT], tab, w)
    cx, cy, cz = cross(fx, fy, fz, w[j + X], w[j + X + 1], w[j + X + 2])
    put_moment(pi, pj, g, cx, cy, cz, w)
    return value, rate, bias


@kernel(MEASURE)
def direction(entry, i, j, pi, pj, o, g, p, tab, w):
    """psi = atan2(b, a) with a = x_on'd, b = y_on'd."""
    a, a1, a2 = component(i, o, 0, w)
    b, b1, b2 = component(i, o, 1, w)
    value, rate, bias, ex, ey, ez = polar(a, a1, a2, b, b1, b2, i, tab[entry + at.MEASURE_SLOT], tab, w)
    mx, my, mz = cross(ex, ey, ez, w[o + D], w[o + D + 1], w[o + D + 2])
    put_force(i, j, pi, pj, g, ex, ey, ez, mx, my, mz, 0.0, 0.0, 0.0, w)
    return value, rate, bias


@kernel(MEASURE)
def distance(entry, i, j, pi, pj, o, g, p, tab, w):
    """|d|; where the ends meet it opens along their velocity, and without one it has no direction, nan."""
    dx, dy, dz = vector(o + D, w)
    ux, uy, uz = vector(o + U, w)
    bx, by, bz = vector(o + B, w)
    value = math.sqrt(dx * dx + dy * dy + dz * dz)
    if value > at.MEET * p[tab[at.P_LENGTH]]:
        ex, ey, ez = dx / value, dy / value, dz / value
        rate = ex * ux + ey * uy + ez * uz
        bias = ex * bx + ey * by + ez * bz + (ux * ux + uy * uy + uz * uz - rate * rate) / value
    else:
        rate = math.sqrt(ux * ux + uy * uy + uz * uz)
        ex, ey, ez = ux / rate, uy / rate, uz / rate
        bias = ex * bx + ey * by + ez * bz
    put_force(i, j, pi, pj, g, ex, ey, ez, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, w)
    return value, rate, bias


@kernel(MEASURE)
def slip(entry, i, j, pi, pj, o, g, p, tab, w):
    """Along an axis of `to`, its origin against the coincident point of `on`: l = d-dot - w_i x d."""
    ex, ey, ez = vector(j + X + 3 * tab[entry + at.MEASURE_AXIS], w)
    dx, dy, dz = vector(o + D, w)
    ux, uy, uz = vector(o + U, w)
    wx, wy, wz = vector(i + SPIN, w)
    mx, my, mz = cross(ex, ey, ez, dx, dy, dz)
    fx, fy, fz = cross(wx, wy, wz, dx, dy, dz)
    lx, ly, lz = ux - fx, uy - fy, uz - fz
    gx, gy, gz = cross(w[j + SPIN], w[j + SPIN + 1], w[j + SPIN + 2], ex, ey, ez)
    hx, hy, hz = cross(wx, wy, wz, ux, uy, uz)
    put_force(i, j, pi, pj, g, ex, ey, ez, mx, my, mz, 0.0, 0.0, 0.0, w)
    return (
        0.0,
        ex * lx + ey * ly + ez * lz,
        gx * lx + gy * ly + gz * lz + ex * (w[o + B] - hx) + ey * (w[o + B + 1] - hy) + ez * (w[o + B + 2] - hz),
    )


@kernel(MEASURE)
def edge_height(entry, i, j, pi, pj, o, g, p, tab, w):
    """d to the lowest point of a disc, along z of `on`."""
    if tab[entry + at.MEASURE_OPENS] >= 0:
        see_edge(i, j, o, p[tab[entry + at.MEASURE_NUMBERS]], w)
    ex, ey, ez = vector(i + X + 6, w)
    wx, wy, wz = vector(i + SPIN, w)
    dx, dy, dz = vector(o + D, w)
    ux, uy, uz = vector(o + U, w)
    bx, by, bz = vector(o + B, w)
    lx, ly, lz = vector(o + L, w)
    fx, fy, fz = cross(wx, wy, wz, ex, ey, ez)  # e-dot
    hx, hy, hz = cross(wx, wy, wz, fx, fy, fz)
    mx, my, mz = cross(ex, ey, ez, dx, dy, dz)
    along = fx * (lx + ux) + fy * (ly + uy) + fz * (lz + uz)
    put_force(i, j, pi, pj, g, ex, ey, ez, mx, my, mz, w[o + C], w[o + C + 1], w[o + C + 2], w)
    return (
        ex * dx + ey * dy + ez * dz,
        ex * lx + ey * ly + ez * lz + fx * dx + fy * dy + fz * dz,
        along + ex * bx + ey * by + ez * bz + hx * dx + hy * dy + hz * dz,
    )


@kernel(MEASURE)
def edge_slip(entry, i, j, pi, pj, o, g, p, tab, w):
    """Along an axis of `on`, the lowest point of a disc against the coincident point of `on`."""
    if tab[entry + at.MEASURE_OPENS] >= 0:
        see_edge(i, j, o, p[tab[entry + at.MEASURE_NUMBERS]], w)
    ex, ey, ez = vector(i + X + 3 * tab[entry + at.MEASURE_AXIS], w)
    wx, wy, wz = vector(i + SPIN, w)
    dx, dy, dz = vector(o + D, w)
    ux, uy, uz = vector(o + U, w)
    bx, by, bz = vector(o + B, w)
    lx, ly, lz = vector(o + L, w)
    fx, fy, fz = cross(wx, wy, wz, ex, ey, ez)  # e-dot
    mx, my, mz = cross(ex, ey, ez, dx, dy, dz)
    hx, hy, hz = cross(wx, wy, wz, dx, dy, dz)
    lx, ly, lz = lx - hx, ly - hy, lz - hz
    hx, hy, hz = cross(wx, wy, wz, ux, uy, uz)
    put_force(i, j, pi, pj, g, ex, ey, ez, mx, my, mz, w[o + C], w[o + C + 1], w[o + C + 2], w)
    return (
        0.0,
        ex * lx + ey * ly + ez * lz,
        fx * lx + fy * ly + fz * lz + ex * (bx - hx) + ey * (by - hy) + ez * (bz - hz),
    )


@kernel(_V3(i8, i8, A))
def in_world(i, o, w):
    """A vector that is given in the axes of frame i."""
    x, y, z = vector(o, w)
    return (
        w[i + X] * x + w[i + X + 3] * y + w[i + X + 6] * z,
        w[i + X + 1] * x + w[i + X + 4] * y + w[i + X + 7] * z,
        w[i + X + 2] * x + w[i + X + 5] * y + w[i + X + 8] * z,
    )


@kernel(MEASURE)
def own_function(entry, i, j, pi, pj, o, g, p, tab, w):
    """A measure with a function of its own, which sees `to` from `on`: value f(x, axes), its gradient (F, m) there.

    rate = F'v + m'w      second rate = F'a + m'w-dot + bias      with v, a, w as seen from `on`:
    v = d-dot - w_i x d      a = d-ddot - 2 w_i x v - w_i-dot x d - w_i x (w_i x d)
    w = w_j - w_i            w-dot = w_j-dot - w_i-dot - w_i x w_j
    """
    see_motion(entry, i, j, o, p, tab, w)
    dx, dy, dz = vector(o + D, w)
    wx, wy, wz = vector(i + SPIN, w)
    vx, vy, vz = vector(j + SPIN, w)
    ex, ey, ez = in_world(i, o + GIVEN + 2, w)
    mx, my, mz = in_world(i, o + GIVEN + 5, w)
    fx, fy, fz = cross(wx, wy, wz, dx, dy, dz)
    lx, ly, lz = w[o + U] - fx, w[o + U + 1] - fy, w[o + U + 2] - fz
    gx, gy, gz = cross(wx, wy, wz, 2.0 * lx + fx, 2.0 * ly + fy, 2.0 * lz + fz)
    hx, hy, hz = cross(wx, wy, wz, vx, vy, vz)
    rate = ex * lx + ey * ly + ez * lz + mx * (vx - wx) + my * (vy - wy) + mz * (vz - wz)
    bias = (
        w[o + GIVEN + 1]
        + ex * (w[o + B] - gx)
        + ey * (w[o + B + 1] - gy)
        + ez * (w[o + B + 2] - gz)
        - (mx * hx + my * hy + mz * hz)
    )
    nx, ny, nz = cross(ex, ey, ez, dx, dy, dz)
    px, py, pz = cross(w[i + ARM], w[i + ARM + 1], w[i + ARM + 2], ex, ey, ez)
    put(w, g, pi, 0, -ex, -ey, -ez, nx - px - mx, ny - py - my, nz - pz - mz)
    px, py, pz = cross(w[j + ARM], w[j + ARM + 1], w[j + ARM + 2], ex, ey, ez)
    put(w, g, pj, 1, ex, ey, ez, px + mx, py + my, pz + mz)
    value = w[o + GIVEN]
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
    at.EDGE_HEIGHT: edge_height,
    at.EDGE_SLIP: edge_slip,
    at.OWN: own_function,
}
measure_at = kernels_with(MEASURE)


@kernel(types.void(A, I, A))
def evaluate_measures(p, tab, w):
    """Every measure of the model."""
    frames = tab[at.W_FRAME]
    poses = tab[at.W_POSE]
    frame_body = tab[at.T_FRAME_BODY]
    measures = tab[at.T_MEASURE]
    pairs = tab[at.W_PAIR]
    gradients = tab[at.W_GRADIENT]
    values = tab[at.W_VALUE]
    rates = tab[at.W_RATE]
    biases = tab[at.W_BIAS]
    for m in range(tab[at.N_MEASURES]):
        entry = measures + at.MEASURE_COLUMNS * m
        code = tab[entry + at.MEASURE_CODE]
        on = tab[entry + at.MEASURE_ON]
        to = tab[entry + at.MEASURE_TO]
        i = frames + FRAME * on
        j = frames + FRAME * to
        pi = poses + POSE * tab[frame_body + on]
        pj = poses + POSE * tab[frame_body + to]
        o = pairs + tab[entry + at.MEASURE_PAIR]
        g = gradients + 12 * m
        if tab[entry + at.MEASURE_OPENS] >= 0:
            see_line(i, j, o, w)
        if code == at.ALIGNMENT:
            value, rate, bias = alignment(entry, i, j, pi, pj, o, g, p, tab, w)
        elif code == at.OFFSET:
            value, rate, bias = offset(entry, i, j, pi, pj, o, g, p, tab, w)
        elif code == at.WORLD_OFFSET:
            value, rate, bias = world_offset(entry, i, j, pi, pj, o, g, p, tab, w)
        else:
            value, rate, bias = measure_at(tab[entry + at.MEASURE_ADDRESS])(entry, i, j, pi, pj, o, g, p, tab, w)
        w[values + m] = value
        w[rates + m] = rate
        w[biases + m] = bias
