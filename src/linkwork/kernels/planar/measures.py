"""Measures of the plane: value, rate, gradient and bias (J-dot v) of each, from two frames.

| symbol | word                                            | book              |
|--------|-------------------------------------------------|-------------------|
| r      | mass centre                                     | r                 |
| s      | arm from the mass centre to the frame, world    | s                 |
| d      | from the origin of `on` to that of `to`         | d                 |
| e      | axis, world                                     | u                 |
| w      | angular velocity                                | phi-dot           |
| rot(a) | a turned by +90 degrees, (-a_y, a_x)            | breve             |

A point moves with v + w rot(s), and its acceleration without that of the body is -w^2 s.
"""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, kernel
from linkwork.kernels.rows import TURN

#: of a frame: place, arm, axis x, velocity of its origin, angle
_X, _Y, _ARM_X, _ARM_Y, _AXIS_X, _AXIS_Y, _VEL_X, _VEL_Y, _ANGLE, _FRAME = range(at.FRAME_SCRATCH[2] + 1)


@kernel(types.void(A, I, A))
def place_bodies(y, tab, w):
    """Poses and twists of the bodies from body coordinates."""
    n_q = tab[at.N_Q]
    pose = tab[at.W_POSE]
    twist = tab[at.W_TWIST]
    w[pose + at.POSE_COS] = 1.0  # ground
    for b in range(tab[at.N_BODIES]):
        o = pose + at.POSE_PLANE * (b + 1)
        w[o + at.POSE_X] = y[3 * b]
        w[o + at.POSE_Y] = y[3 * b + 1]
        phi = y[3 * b + 2]
        w[o + at.POSE_PHI] = phi
        w[o + at.POSE_COS] = math.cos(phi)
        w[o + at.POSE_SIN] = math.sin(phi)
        for c in range(3):
            w[twist + 3 * (b + 1) + c] = y[n_q + 3 * b + c]


@kernel(types.void(A, I, A))
def place_frames(p, tab, w):
    """Position, arm, axes and velocity of every frame, from the bodies."""
    pose = tab[at.W_POSE]
    twist = tab[at.W_TWIST]
    frame_body = tab[at.T_FRAME_BODY]
    locals_ = tab[at.P_FRAME]
    frames = tab[at.W_FRAME]
    for k in range(tab[at.N_FRAMES]):
        body = tab[frame_body + k]
        o = pose + at.POSE_PLANE * body
        v = twist + 3 * body
        local = locals_ + 3 * k
        c, s = w[o + at.POSE_COS], w[o + at.POSE_SIN]
        sx = c * p[local] - s * p[local + 1]
        sy = s * p[local] + c * p[local + 1]
        angle = p[local + 2]
        f = frames + _FRAME * k
        w[f + _X] = w[o + at.POSE_X] + sx
        w[f + _Y] = w[o + at.POSE_Y] + sy
        w[f + _ARM_X] = sx
        w[f + _ARM_Y] = sy
        if angle == 0.0:
            w[f + _AXIS_X] = c
            w[f + _AXIS_Y] = s
        else:
            ca, sa = math.cos(angle), math.sin(angle)
            w[f + _AXIS_X] = c * ca - s * sa
            w[f + _AXIS_Y] = s * ca + c * sa
        w[f + _VEL_X] = w[v] - w[v + 2] * sy
        w[f + _VEL_Y] = w[v + 1] + w[v + 2] * sx
        w[f + _ANGLE] = w[o + at.POSE_PHI] + angle


@kernel(types.void(A, I, A))
def evaluate_measures(p, tab, w):
    """Every measure of the model."""
    frames = tab[at.W_FRAME]
    twists = tab[at.W_TWIST]
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
        wi = w[twists + 3 * tab[frame_body + on] + 2]
        wj = w[twists + 3 * tab[frame_body + to] + 2]
        dx, dy = w[j + _X] - w[i + _X], w[j + _Y] - w[i + _Y]
        ux, uy = w[j + _VEL_X] - w[i + _VEL_X], w[j + _VEL_Y] - w[i + _VEL_Y]  # d-dot
        six, siy, sjx, sjy = w[i + _ARM_X], w[i + _ARM_Y], w[j + _ARM_X], w[j + _ARM_Y]
        bx = wi * wi * six - wj * wj * sjx  # d-ddot without accelerations of the bodies
        by = wi * wi * siy - wj * wj * sjy
        g = gradients + 6 * m
        value = 0.0
        rate = 0.0
        bias = 0.0
        if code == at.ANGLE or code == at.SPIN:
            if code == at.ANGLE:  # bodies count their turns; what the memory adds to them stays
                slot = tab[entry + at.MEASURE_SLOT]
                added = w[tab[at.W_MEMORY] + slot]
                w[tab[at.W_TURNED] + slot] = added
                value = w[j + _ANGLE] - w[i + _ANGLE] + added
            rate = wj - wi
            for c in range(6):
                w[g + c] = 0.0
            w[g + 2] = -1.0
            w[g + 5] = 1.0
        elif code == at.DIRECTION:
            # psi = angle(d) - angle(on);  angle(d)-dot = rot(d)'d-dot / L^2
            square = dx * dx + dy * dy
            inverse = 1.0 / square
            heading = math.atan2(dy, dx)
            swing = (dx * uy - dy * ux) * inverse
            slot = tab[entry + at.MEASURE_SLOT]
            heading -= TURN * math.floor((heading - w[tab[at.W_MEMORY] + slot]) / TURN + 0.5)
            w[tab[at.W_TURNED] + slot] = heading
            w[tab[at.W_SWING] + slot] = swing
            value = heading - w[i + _ANGLE]
            rate = swing - wi
            bias = (dx * by - dy * bx) * inverse - 2.0 * (dx * ux + dy * uy) * inverse * swing
            w[g] = dy * inverse
            w[g + 1] = -dx * inverse
            w[g + 2] = -(dx * six + dy * siy) * inverse - 1.0
            w[g + 3] = -dy * inverse
            w[g + 4] = dx * inverse
            w[g + 5] = (dx * sjx + dy * sjy) * inverse
        else:
            # along an axis e: force e on `to` at its frame, -e on `on` at its frame, and there the moment `turn`
            ex, ey = 0.0, 0.0
            turn = 0.0
            if code == at.WORLD_OFFSET:
                if axis == 0:
                    ex = 1.0
                else:
                    ey = 1.0
                value = ex * dx + ey * dy
                rate = ex * ux + ey * uy
                bias = ex * bx + ey * by
            elif code == at.OFFSET:
                if axis == 0:
                    ex, ey = w[i + _AXIS_X], w[i + _AXIS_Y]
                else:
                    ex, ey = -w[i + _AXIS_Y], w[i + _AXIS_X]
                # e turns with `on`: e-dot = w_i rot(e)
                turn = ex * dy - ey * dx  # rot(e)'d
                value = ex * dx + ey * dy
                rate = ex * ux + ey * uy + wi * turn
                bias = ex * bx + ey * by + 2.0 * wi * (ex * uy - ey * ux) - wi * wi * value
            elif code == at.DISTANCE:
                value = math.sqrt(dx * dx + dy * dy)
                if value > at.MEET * p[tab[at.P_LENGTH]]:
                    ex, ey = dx / value, dy / value
                    rate = ex * ux + ey * uy
                    bias = ex * bx + ey * by + (ux * ux + uy * uy - rate * rate) / value
                else:  # where the ends meet it opens along their velocity; without one it has no direction, nan
                    rate = math.sqrt(ux * ux + uy * uy)
                    ex, ey = ux / rate, uy / rate
                    bias = ex * bx + ey * by
            elif code == at.SLIP:
                # e belongs to `to`; its origin against the coincident point of `on`: l = d-dot - w_i rot(d)
                if axis == 0:
                    ex, ey = w[j + _AXIS_X], w[j + _AXIS_Y]
                else:
                    ex, ey = -w[j + _AXIS_Y], w[j + _AXIS_X]
                turn = ex * dy - ey * dx
                lx, ly = ux + wi * dy, uy - wi * dx
                rate = ex * lx + ey * ly
                # rates of e and of w_i rot(d):  w_j rot(e)'l  and  -w_i e'rot(d-dot)
                bias = ex * bx + ey * by + wj * (ex * ly - ey * lx) + wi * (ex * uy - ey * ux)
            w[g] = -ex
            w[g + 1] = -ey
            w[g + 2] = ex * siy - ey * six + turn
            w[g + 3] = ex
            w[g + 4] = ey
            w[g + 5] = ey * sjx - ex * sjy
        w[values + m] = value
        w[rates + m] = rate
        w[biases + m] = bias
