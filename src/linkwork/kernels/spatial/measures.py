"""Measures of space: value, rate, gradient and bias (J-dot v) of each, from two frames.

| symbol | word                                                        | book                  |
|--------|-------------------------------------------------------------|-----------------------|
| e      | Euler parameters, scalar first, normalised inside R(e)      | p                     |
| R      | rotation matrix of the body's principal axes                | A                     |
| s      | arm from the mass centre to the frame, world                | A s-bar               |
| d      | from the origin of `on` to that of `to`                     | d_ij                  |
| w      | angular velocity, world                                     | A omega-bar           |
| a, b   | axes, world                                                 | a_i, a_j              |

A point moves with v + w x s, and its acceleration without that of the body is w x (w x s).  A gradient is found as
force e and moment m in the world; the coordinates are angular velocities in body axes, so m enters as R'm.
"""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel
from linkwork.kernels.rows import TURN

_POSE = at.POSE_SCRATCH[3]
_FRAME = at.FRAME_SCRATCH[3]
_V3 = types.UniTuple(f8, 3)

# places in the scratch of a frame: point, arm, axes x y z, velocity of the point, w, w x (w x s)
_ARM, _X, _VELOCITY, _SPIN, _BIAS = 3, 6, 15, 18, 21


@kernel(_V3(f8, f8, f8, f8, f8, f8))
def cross(ax, ay, az, bx, by, bz):
    """a x b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel(types.void(A, i8, i8, i8, f8, f8, f8, f8, f8, f8))
def put(w, g, pose, side, ex, ey, ez, mx, my, mz):
    """Store force e and moment m as the gradient of one side; the moment goes to body axes by R'."""
    o = g + 6 * side
    w[o] = ex
    w[o + 1] = ey
    w[o + 2] = ez
    for c in range(3):
        w[o + 3 + c] = w[pose + 3 + c] * mx + w[pose + 6 + c] * my + w[pose + 9 + c] * mz


@kernel(types.void(A, I, A))
def place_bodies(y, tab, w):
    """Poses and twists of the bodies from body coordinates."""
    n_q = tab[at.N_Q]
    pose = tab[at.W_POSE]
    twist = tab[at.W_TWIST]
    w[pose + 3] = 1.0  # ground: the unit matrix
    w[pose + 7] = 1.0
    w[pose + 11] = 1.0
    for k in range(tab[at.N_BODIES]):
        o = pose + _POSE * (k + 1)
        for c in range(3):
            w[o + c] = y[7 * k + c]
        e0, e1, e2, e3 = y[7 * k + 3], y[7 * k + 4], y[7 * k + 5], y[7 * k + 6]
        n = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
        w[o + 3] = 1.0 - n * (e2 * e2 + e3 * e3)
        w[o + 4] = n * (e1 * e2 - e0 * e3)
        w[o + 5] = n * (e1 * e3 + e0 * e2)
        w[o + 6] = n * (e1 * e2 + e0 * e3)
        w[o + 7] = 1.0 - n * (e1 * e1 + e3 * e3)
        w[o + 8] = n * (e2 * e3 - e0 * e1)
        w[o + 9] = n * (e1 * e3 - e0 * e2)
        w[o + 10] = n * (e2 * e3 + e0 * e1)
        w[o + 11] = 1.0 - n * (e1 * e1 + e2 * e2)
        for c in range(6):
            w[twist + 6 * (k + 1) + c] = y[n_q + 6 * k + c]


@kernel(types.void(A, I, A))
def place_frames(p, tab, w):
    """Everything about every frame, from the bodies."""
    pose = tab[at.W_POSE]
    twist = tab[at.W_TWIST]
    frame_body = tab[at.T_FRAME_BODY]
    locals_ = tab[at.P_FRAME]
    frames = tab[at.W_FRAME]
    for k in range(tab[at.N_FRAMES]):
        body = tab[frame_body + k]
        o = pose + _POSE * body
        v = twist + 6 * body
        local = locals_ + 12 * k
        f = frames + _FRAME * k
        for part in range(4):  # arm, then the three axes: R times the local vector
            lx, ly, lz = p[local + 3 * part], p[local + 3 * part + 1], p[local + 3 * part + 2]
            for c in range(3):
                w[f + _ARM + 3 * part + c] = w[o + 3 + 3 * c] * lx + w[o + 4 + 3 * c] * ly + w[o + 5 + 3 * c] * lz
        for c in range(3):
            w[f + c] = w[o + c] + w[f + _ARM + c]
            w[f + _SPIN + c] = w[o + 3 + 3 * c] * w[v + 3] + w[o + 4 + 3 * c] * w[v + 4] + w[o + 5 + 3 * c] * w[v + 5]
        wx, wy, wz = w[f + _SPIN], w[f + _SPIN + 1], w[f + _SPIN + 2]
        ux, uy, uz = cross(wx, wy, wz, w[f + _ARM], w[f + _ARM + 1], w[f + _ARM + 2])
        w[f + _VELOCITY] = w[v] + ux
        w[f + _VELOCITY + 1] = w[v + 1] + uy
        w[f + _VELOCITY + 2] = w[v + 2] + uz
        bx, by, bz = cross(wx, wy, wz, ux, uy, uz)
        w[f + _BIAS] = bx
        w[f + _BIAS + 1] = by
        w[f + _BIAS + 2] = bz


@kernel(_V3(A, i8, i8, i8, i8))
def cosine(w, i, j, axis, other):
    """Value, rate and bias of the cosine a'b between an axis of `on` and one of `to`.

    rate = (w_i - w_j)'(a x b)      bias = (w_i x (w_i x a))'b + 2 (w_i x a)'(w_j x b) + a'(w_j x (w_j x b))
    """
    o = i + _X + 3 * axis
    q = j + _X + 3 * other
    ax, ay, az = w[o], w[o + 1], w[o + 2]
    bx, by, bz = w[q], w[q + 1], w[q + 2]
    ux, uy, uz = w[i + _SPIN], w[i + _SPIN + 1], w[i + _SPIN + 2]
    vx, vy, vz = w[j + _SPIN], w[j + _SPIN + 1], w[j + _SPIN + 2]
    px, py, pz = cross(ux, uy, uz, ax, ay, az)
    qx, qy, qz = cross(vx, vy, vz, bx, by, bz)
    gx, gy, gz = cross(ux, uy, uz, px, py, pz)
    hx, hy, hz = cross(vx, vy, vz, qx, qy, qz)
    value = ax * bx + ay * by + az * bz
    rate = px * bx + py * by + pz * bz + ax * qx + ay * qy + az * qz
    bias = gx * bx + gy * by + gz * bz + 2.0 * (px * qx + py * qy + pz * qz) + ax * hx + ay * hy + az * hz
    return value, rate, bias


@kernel(_V3(A, i8, i8, f8, f8, f8, f8, f8, f8, f8, f8, f8))
def component(w, i, axis, dx, dy, dz, ux, uy, uz, bx, by, bz):
    """Value, rate and bias of d along an axis of `on`; u is its rate, b its second rate without accelerations."""
    o = i + _X + 3 * axis
    ex, ey, ez = w[o], w[o + 1], w[o + 2]
    wx, wy, wz = w[i + _SPIN], w[i + _SPIN + 1], w[i + _SPIN + 2]
    fx, fy, fz = cross(wx, wy, wz, ex, ey, ez)
    gx, gy, gz = cross(wx, wy, wz, fx, fy, fz)
    return (
        ex * dx + ey * dy + ez * dz,
        ex * ux + ey * uy + ez * uz + fx * dx + fy * dy + fz * dz,
        ex * bx + ey * by + ez * bz + 2.0 * (fx * ux + fy * uy + fz * uz) + gx * dx + gy * dy + gz * dz,
    )


@kernel(types.UniTuple(f8, 6)(A, i8, i8, f8))
def lowest_point(w, i, j, radius):
    """From the centre of a disc about z of `to` to its lowest point over the plane of `on`, and the rate of that.

    c = -R p / |p|      p = n - (n'a) a      with the normal n = z of `on` and the axis a = z of `to`
    """
    nx, ny, nz = w[i + _X + 6], w[i + _X + 7], w[i + _X + 8]
    ax, ay, az = w[j + _X + 6], w[j + _X + 7], w[j + _X + 8]
    fx, fy, fz = cross(w[i + _SPIN], w[i + _SPIN + 1], w[i + _SPIN + 2], nx, ny, nz)
    gx, gy, gz = cross(w[j + _SPIN], w[j + _SPIN + 1], w[j + _SPIN + 2], ax, ay, az)
    k = nx * ax + ny * ay + nz * az
    k1 = fx * ax + fy * ay + fz * az + nx * gx + ny * gy + nz * gz
    px, py, pz = nx - k * ax, ny - k * ay, nz - k * az
    qx, qy, qz = fx - k1 * ax - k * gx, fy - k1 * ay - k * gy, fz - k1 * az - k * gz
    size = math.sqrt(px * px + py * py + pz * pz)
    growth = (px * qx + py * qy + pz * qz) / (size * size)
    s = -radius / size
    return s * px, s * py, s * pz, s * (qx - growth * px), s * (qy - growth * py), s * (qz - growth * pz)


@kernel(types.void(A, I, A))
def evaluate_measures(p, tab, w):
    """Every measure of the model."""
    frames = tab[at.W_FRAME]
    poses = tab[at.W_POSE]
    frame_body = tab[at.T_FRAME_BODY]
    measures = tab[at.T_MEASURE]
    gradients = tab[at.W_GRADIENT]
    values = tab[at.W_VALUE]
    rates = tab[at.W_RATE]
    biases = tab[at.W_BIAS]
    for m in range(tab[at.N_MEASURES]):
        entry = measures + at.MEASURE_COLUMNS * m
        code = tab[entry + at.MEASURE_CODE]
        on = tab[entry + at.MEASURE_ON]
        to = tab[entry + at.MEASURE_TO]
        axis = tab[entry + at.MEASURE_AXIS]
        i = frames + _FRAME * on
        j = frames + _FRAME * to
        pi = poses + _POSE * tab[frame_body + on]
        pj = poses + _POSE * tab[frame_body + to]
        g = gradients + 12 * m
        dx, dy, dz = w[j] - w[i], w[j + 1] - w[i + 1], w[j + 2] - w[i + 2]
        ux = w[j + _VELOCITY] - w[i + _VELOCITY]
        uy = w[j + _VELOCITY + 1] - w[i + _VELOCITY + 1]
        uz = w[j + _VELOCITY + 2] - w[i + _VELOCITY + 2]
        bx = w[j + _BIAS] - w[i + _BIAS]
        by = w[j + _BIAS + 1] - w[i + _BIAS + 1]
        bz = w[j + _BIAS + 2] - w[i + _BIAS + 2]
        six, siy, siz = w[i + _ARM], w[i + _ARM + 1], w[i + _ARM + 2]
        sjx, sjy, sjz = w[j + _ARM], w[j + _ARM + 1], w[j + _ARM + 2]
        wx, wy, wz = w[i + _SPIN], w[i + _SPIN + 1], w[i + _SPIN + 2]
        value = 0.0
        rate = 0.0
        bias = 0.0
        if code == at.ALIGNMENT:
            other = tab[entry + at.MEASURE_OTHER]
            value, rate, bias = cosine(w, i, j, axis, other)
            o = i + _X + 3 * axis
            q = j + _X + 3 * other
            cx, cy, cz = cross(w[o], w[o + 1], w[o + 2], w[q], w[q + 1], w[q + 2])
            put(w, g, pi, 0, 0.0, 0.0, 0.0, cx, cy, cz)
            put(w, g, pj, 1, 0.0, 0.0, 0.0, -cx, -cy, -cz)
        elif code == at.SPIN:
            # about z of `to`, e:  e'(w_j - w_i), and e-dot = w_j x e is at right angles to w_j
            ex, ey, ez = w[j + _X + 6], w[j + _X + 7], w[j + _X + 8]
            vx, vy, vz = w[j + _SPIN], w[j + _SPIN + 1], w[j + _SPIN + 2]
            fx, fy, fz = cross(vx, vy, vz, ex, ey, ez)
            rate = ex * (vx - wx) + ey * (vy - wy) + ez * (vz - wz)
            bias = -(fx * wx + fy * wy + fz * wz)
            put(w, g, pi, 0, 0.0, 0.0, 0.0, -ex, -ey, -ez)
            put(w, g, pj, 1, 0.0, 0.0, 0.0, ex, ey, ez)
        elif code == at.ANGLE:
            # theta = atan2(b, a) with a = x_on'x_to, b = y_on'x_to
            a, a1, a2 = cosine(w, i, j, 0, 0)
            b, b1, b2 = cosine(w, i, j, 1, 0)
            size = a * a + b * b
            value = math.atan2(b, a)
            rate = (a * b1 - b * a1) / size
            slot = tab[entry + at.MEASURE_SLOT]
            value -= TURN * math.floor((value - w[tab[at.W_MEMORY] + slot]) / TURN + 0.5)
            w[tab[at.W_TURNED] + slot] = value
            w[tab[at.W_SWING] + slot] = rate
            bias = (a * b2 - b * a2) / size - 2.0 * rate * (a * a1 + b * b1) / size
            fx = (a * w[i + _X + 3] - b * w[i + _X]) / size
            fy = (a * w[i + _X + 4] - b * w[i + _X + 1]) / size
            fz = (a * w[i + _X + 5] - b * w[i + _X + 2]) / size
            cx, cy, cz = cross(fx, fy, fz, w[j + _X], w[j + _X + 1], w[j + _X + 2])
            put(w, g, pi, 0, 0.0, 0.0, 0.0, cx, cy, cz)
            put(w, g, pj, 1, 0.0, 0.0, 0.0, -cx, -cy, -cz)
        else:
            ex, ey, ez = 0.0, 0.0, 0.0
            mx, my, mz = 0.0, 0.0, 0.0  # moment on `on` beside that of -e at its frame
            cx, cy, cz = 0.0, 0.0, 0.0  # from the origin of `to` to where it is touched
            if code == at.WORLD_OFFSET:
                if axis == 0:
                    ex = 1.0
                elif axis == 1:
                    ey = 1.0
                else:
                    ez = 1.0
                value = ex * dx + ey * dy + ez * dz
                rate = ex * ux + ey * uy + ez * uz
                bias = ex * bx + ey * by + ez * bz
            elif code == at.OFFSET:
                o = i + _X + 3 * axis
                ex, ey, ez = w[o], w[o + 1], w[o + 2]
                mx, my, mz = cross(ex, ey, ez, dx, dy, dz)
                fx, fy, fz = cross(wx, wy, wz, ex, ey, ez)  # e-dot
                gx, gy, gz = cross(wx, wy, wz, fx, fy, fz)
                value = ex * dx + ey * dy + ez * dz
                rate = ex * ux + ey * uy + ez * uz + fx * dx + fy * dy + fz * dz
                bias = ex * bx + ey * by + ez * bz + 2.0 * (fx * ux + fy * uy + fz * uz) + gx * dx + gy * dy + gz * dz
            elif code == at.DIRECTION:
                # psi = atan2(b, a) with a = x_on'd, b = y_on'd
                a, a1, a2 = component(w, i, 0, dx, dy, dz, ux, uy, uz, bx, by, bz)
                b, b1, b2 = component(w, i, 1, dx, dy, dz, ux, uy, uz, bx, by, bz)
                size = a * a + b * b
                value = math.atan2(b, a)
                rate = (a * b1 - b * a1) / size
                bias = (a * b2 - b * a2) / size - 2.0 * rate * (a * a1 + b * b1) / size
                slot = tab[entry + at.MEASURE_SLOT]
                value -= TURN * math.floor((value - w[tab[at.W_MEMORY] + slot]) / TURN + 0.5)
                w[tab[at.W_TURNED] + slot] = value
                w[tab[at.W_SWING] + slot] = rate
                ex = (a * w[i + _X + 3] - b * w[i + _X]) / size
                ey = (a * w[i + _X + 4] - b * w[i + _X + 1]) / size
                ez = (a * w[i + _X + 5] - b * w[i + _X + 2]) / size
                mx, my, mz = cross(ex, ey, ez, dx, dy, dz)
            elif code == at.GAP or code == at.EDGE_SLIP:
                # the lowest point of a disc about z of `to` over the plane z = 0 of `on`, and its velocity on the disc
                cx, cy, cz, gx, gy, gz = lowest_point(w, i, j, p[tab[at.P_MEASURE] + m])
                o = i + _X + (6 if code == at.GAP else 3 * axis)
                ex, ey, ez = w[o], w[o + 1], w[o + 2]
                fx, fy, fz = cross(wx, wy, wz, ex, ey, ez)  # e-dot
                dx, dy, dz = dx + cx, dy + cy, dz + cz
                mx, my, mz = cross(ex, ey, ez, dx, dy, dz)
                vx, vy, vz = w[j + _SPIN], w[j + _SPIN + 1], w[j + _SPIN + 2]
                px, py, pz = cross(vx, vy, vz, cx, cy, cz)
                lx, ly, lz = ux + px, uy + py, uz + pz  # of the touched point, against the origin of `on`
                px, py, pz = cross(vx, vy, vz, gx, gy, gz)
                bx, by, bz = bx + px, by + py, bz + pz
                ux, uy, uz = ux + gx, uy + gy, uz + gz  # of the place of touching
                if code == at.GAP:
                    hx, hy, hz = cross(wx, wy, wz, fx, fy, fz)
                    value = ex * dx + ey * dy + ez * dz
                    rate = ex * lx + ey * ly + ez * lz + fx * dx + fy * dy + fz * dz
                    bias = (
                        fx * (lx + ux)
                        + fy * (ly + uy)
                        + fz * (lz + uz)
                        + ex * bx
                        + ey * by
                        + ez * bz
                        + hx * dx
                        + hy * dy
                        + hz * dz
                    )
                else:
                    hx, hy, hz = cross(wx, wy, wz, dx, dy, dz)
                    lx, ly, lz = lx - hx, ly - hy, lz - hz
                    hx, hy, hz = cross(wx, wy, wz, ux, uy, uz)
                    rate = ex * lx + ey * ly + ez * lz
                    bias = fx * lx + fy * ly + fz * lz + ex * (bx - hx) + ey * (by - hy) + ez * (bz - hz)
            elif code == at.DISTANCE:
                value = math.sqrt(dx * dx + dy * dy + dz * dz)
                if value > at.MEET * p[tab[at.P_LENGTH]]:
                    ex, ey, ez = dx / value, dy / value, dz / value
                    rate = ex * ux + ey * uy + ez * uz
                    bias = ex * bx + ey * by + ez * bz + (ux * ux + uy * uy + uz * uz - rate * rate) / value
                else:  # where the ends meet it opens along their velocity; without one it has no direction, nan
                    rate = math.sqrt(ux * ux + uy * uy + uz * uz)
                    ex, ey, ez = ux / rate, uy / rate, uz / rate
                    bias = ex * bx + ey * by + ez * bz
            elif code == at.SLIP:
                # origin of `to` against the coincident point of `on`: l = d-dot - w_i x d
                o = j + _X + 3 * axis
                ex, ey, ez = w[o], w[o + 1], w[o + 2]
                mx, my, mz = cross(ex, ey, ez, dx, dy, dz)
                fx, fy, fz = cross(wx, wy, wz, dx, dy, dz)
                lx, ly, lz = ux - fx, uy - fy, uz - fz
                rate = ex * lx + ey * ly + ez * lz
                gx, gy, gz = cross(w[j + _SPIN], w[j + _SPIN + 1], w[j + _SPIN + 2], ex, ey, ez)
                hx, hy, hz = cross(wx, wy, wz, ux, uy, uz)
                bias = gx * lx + gy * ly + gz * lz + ex * (bx - hx) + ey * (by - hy) + ez * (bz - hz)
            nx, ny, nz = cross(six, siy, siz, ex, ey, ez)
            put(w, g, pi, 0, -ex, -ey, -ez, mx - nx, my - ny, mz - nz)
            nx, ny, nz = cross(sjx + cx, sjy + cy, sjz + cz, ex, ey, ez)
            put(w, g, pj, 1, ex, ey, ez, nx, ny, nz)
        w[values + m] = value
        w[rates + m] = rate
        w[biases + m] = bias


@kernel(types.void(A, I, A))
def add_gyroscopes(p, tab, w):
    """The moment -w x (J w) of every body, in its principal axes, beside the applied ones."""
    twist = tab[at.W_TWIST]
    for body in range(1, tab[at.N_BODIES] + 1):
        v = twist + 6 * body + 3
        i = tab[at.P_MASS] + 6 * body + 3
        o = tab[at.W_APPLIED] + 6 * body + 3
        w[o] += (p[i + 1] - p[i + 2]) * w[v + 1] * w[v + 2]
        w[o + 1] += (p[i + 2] - p[i]) * w[v + 2] * w[v]
        w[o + 2] += (p[i] - p[i + 1]) * w[v] * w[v + 1]
