"""Frames of the plane, and what is between two of them: read by the measures.

| symbol | word                                            | book              |
|--------|-------------------------------------------------|-------------------|
| r      | mass centre                                     | r                 |
| s      | arm from the mass centre to the frame, world    | s                 |
| d      | from the origin of `on` to that of `to`         | d                 |
| u      | its rate                                        | d-dot             |
| b      | its second rate without accelerations of bodies |                   |
| w      | angular velocity                                | phi-dot           |
| rot(a) | a turned by +90 degrees, (-a_y, a_x)            | breve             |

A point moves with v + w rot(s), and its acceleration without that of the body is -w^2 s.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, i8, kernel, types
from linkwork.kernels.rows import TURN
from linkwork.kernels.slots import ask_measure

#: of a frame: place, arm, axis x, velocity of its origin, angle, angular velocity
X, Y, ARM_X, ARM_Y, AXIS_X, AXIS_Y, VEL_X, VEL_Y, ANGLE, SPIN, FRAME = range(at.FRAME_SCRATCH[2] + 1)
#: of a pair of frames: d, u, b; and behind them, where a measure has a function of its own, what that is told
#: (`mechanism.seen.SeenInPlane`), then what it gave: value, bias, force and moment
D_X, D_Y, U_X, U_Y, B_X, B_Y, SEEN = range(7)
N_TOLD, N_GIVEN = at.TOLD[2], at.GIVEN[2]
GIVEN = SEEN + N_TOLD


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
        f = frames + FRAME * k
        w[f + X] = w[o + at.POSE_X] + sx
        w[f + Y] = w[o + at.POSE_Y] + sy
        w[f + ARM_X] = sx
        w[f + ARM_Y] = sy
        if angle == 0.0:
            w[f + AXIS_X] = c
            w[f + AXIS_Y] = s
        else:
            ca, sa = math.cos(angle), math.sin(angle)
            w[f + AXIS_X] = c * ca - s * sa
            w[f + AXIS_Y] = s * ca + c * sa
        w[f + VEL_X] = w[v] - w[v + 2] * sy
        w[f + VEL_Y] = w[v + 1] + w[v + 2] * sx
        w[f + ANGLE] = w[o + at.POSE_PHI] + angle
        w[f + SPIN] = w[v + 2]


@kernel(types.void(i8, i8, i8, A), inline=True)
def see_line(i, j, o, w):
    """From frame i to frame j: the vector between their origins, its rate and its second rate."""
    wi, wj = w[i + SPIN], w[j + SPIN]
    w[o + D_X] = w[j + X] - w[i + X]
    w[o + D_Y] = w[j + Y] - w[i + Y]
    w[o + U_X] = w[j + VEL_X] - w[i + VEL_X]
    w[o + U_Y] = w[j + VEL_Y] - w[i + VEL_Y]
    w[o + B_X] = wi * wi * w[i + ARM_X] - wj * wj * w[j + ARM_X]
    w[o + B_Y] = wi * wi * w[i + ARM_Y] - wj * wj * w[j + ARM_Y]


@kernel(types.void(i8, i8, i8, i8, A, I, A))
def see_motion(entry, i, j, o, p, tab, w):
    """Ask the function of a measure: it is told how frame j is placed and moves, as seen from frame i, in its axes."""
    c, s, wi = w[i + AXIS_X], w[i + AXIS_Y], w[i + SPIN]
    dx, dy = w[o + D_X], w[o + D_Y]
    lx, ly = w[o + U_X] + wi * dy, w[o + U_Y] - wi * dx  # d-dot - w_i rot(d)
    angle = w[j + ANGLE] - w[i + ANGLE]
    w[o + SEEN] = c * dx + s * dy
    w[o + SEEN + 1] = c * dy - s * dx
    w[o + SEEN + 2] = angle - TURN * math.floor(angle / TURN + 0.5)
    w[o + SEEN + 3] = c * lx + s * ly
    w[o + SEEN + 4] = c * ly - s * lx
    w[o + SEEN + 5] = w[j + SPIN] - wi
    ask_measure(entry, o + SEEN, N_TOLD, N_GIVEN, p, tab, w)
