"""Frames of space, and what is between two of them: read by the measures.

| symbol | word                                                        | book                  |
|--------|-------------------------------------------------------------|-----------------------|
| e      | Euler parameters, scalar first, normalised inside R(e)      | p                     |
| R      | rotation matrix of the body's principal axes                | A                     |
| s      | arm from the mass centre to the frame, world                | A s-bar               |
| d      | from the origin of `on` to that of `to`                     | d_ij                  |
| u      | its rate                                                    | d-dot                 |
| b      | its second rate without accelerations of bodies             |                       |
| w      | angular velocity, world                                     | A omega-bar           |
| c      | from the centre of a disc to its lowest point               |                       |
| l      | d-dot of the material point that is touched                 |                       |

A point moves with v + w x s, and its acceleration without that of the body is w x (w x s).
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, types
from linkwork.kernels.slots import ask_measure

POSE = at.POSE_SCRATCH[3]
FRAME = at.FRAME_SCRATCH[3]
_V3 = types.UniTuple(f8, 3)

#: places in the scratch of a frame: point, arm, axes x y z, velocity of the point, w, w x (w x s)
ARM, X, VELOCITY, SPIN, BIAS = 3, 6, 15, 18, 21
#: of a pair of frames: d, u, b, each to the touched point where there is one; and behind them l and c of such a point,
#: or, where a measure has a function of its own, what that is told (`mechanism.seen.SeenInSpace`), then what it
#: gave: value, bias, force and moment
D, U, B, L, C = 0, 3, 6, 9, 12
SEEN = 9
N_TOLD, N_GIVEN = at.TOLD[3], at.GIVEN[3]
GIVEN = SEEN + N_TOLD


@kernel(_V3(f8, f8, f8, f8, f8, f8))
def cross(ax, ay, az, bx, by, bz):
    """a x b."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@kernel(_V3(i8, A), inline=True)
def vector(o, w):
    """Three numbers in a row."""
    return w[o], w[o + 1], w[o + 2]


@kernel(types.void(i8, f8, f8, f8, A))
def put_vector(o, x, y, z, w):
    """Store three numbers in a row."""
    w[o] = x
    w[o + 1] = y
    w[o + 2] = z


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
        o = pose + POSE * (k + 1)
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
        o = pose + POSE * body
        v = twist + 6 * body
        local = locals_ + 12 * k
        f = frames + FRAME * k
        for part in range(4):  # arm, then the three axes: R times the local vector
            lx, ly, lz = p[local + 3 * part], p[local + 3 * part + 1], p[local + 3 * part + 2]
            for c in range(3):
                w[f + ARM + 3 * part + c] = w[o + 3 + 3 * c] * lx + w[o + 4 + 3 * c] * ly + w[o + 5 + 3 * c] * lz
        for c in range(3):
            w[f + c] = w[o + c] + w[f + ARM + c]
            w[f + SPIN + c] = w[o + 3 + 3 * c] * w[v + 3] + w[o + 4 + 3 * c] * w[v + 4] + w[o + 5 + 3 * c] * w[v + 5]
        wx, wy, wz = w[f + SPIN], w[f + SPIN + 1], w[f + SPIN + 2]
        ux, uy, uz = cross(wx, wy, wz, w[f + ARM], w[f + ARM + 1], w[f + ARM + 2])
        w[f + VELOCITY] = w[v] + ux
        w[f + VELOCITY + 1] = w[v + 1] + uy
        w[f + VELOCITY + 2] = w[v + 2] + uz
        bx, by, bz = cross(wx, wy, wz, ux, uy, uz)
        w[f + BIAS] = bx
        w[f + BIAS + 1] = by
        w[f + BIAS + 2] = bz


@kernel(types.void(i8, i8, i8, A), inline=True)
def see_line(i, j, o, w):
    """From frame i to frame j: the vector between their origins, its rate and its second rate."""
    for c in range(3):
        w[o + D + c] = w[j + c] - w[i + c]
        w[o + U + c] = w[j + VELOCITY + c] - w[i + VELOCITY + c]
        w[o + B + c] = w[j + BIAS + c] - w[i + BIAS + c]


@kernel(types.UniTuple(f8, 6)(A, i8, i8, f8))
def lowest_point(w, i, j, radius):
    """From the centre of a disc about z of `to` to its lowest point over the plane of `on`, and the rate of that.

    c = -R p / |p|      p = n - (n'a) a      with the normal n = z of `on` and the axis a = z of `to`
    """
    nx, ny, nz = w[i + X + 6], w[i + X + 7], w[i + X + 8]
    ax, ay, az = w[j + X + 6], w[j + X + 7], w[j + X + 8]
    fx, fy, fz = cross(w[i + SPIN], w[i + SPIN + 1], w[i + SPIN + 2], nx, ny, nz)
    gx, gy, gz = cross(w[j + SPIN], w[j + SPIN + 1], w[j + SPIN + 2], ax, ay, az)
    k = nx * ax + ny * ay + nz * az
    k1 = fx * ax + fy * ay + fz * az + nx * gx + ny * gy + nz * gz
    px, py, pz = nx - k * ax, ny - k * ay, nz - k * az
    qx, qy, qz = fx - k1 * ax - k * gx, fy - k1 * ay - k * gy, fz - k1 * az - k * gz
    size = math.sqrt(px * px + py * py + pz * pz)
    growth = (px * qx + py * qy + pz * qz) / (size * size)
    s = -radius / size
    return s * px, s * py, s * pz, s * (qx - growth * px), s * (qy - growth * py), s * (qz - growth * pz)


@kernel(types.void(i8, i8, i8, f8, A))
def see_edge(i, j, o, radius, w):
    """The same to the lowest point of a disc: c goes on along the edge, the material point with the disc."""
    cx, cy, cz, gx, gy, gz = lowest_point(w, i, j, radius)
    dx, dy, dz = vector(o + D, w)
    ux, uy, uz = vector(o + U, w)
    bx, by, bz = vector(o + B, w)
    vx, vy, vz = vector(j + SPIN, w)
    px, py, pz = cross(vx, vy, vz, cx, cy, cz)
    qx, qy, qz = cross(vx, vy, vz, gx, gy, gz)
    put_vector(o + D, dx + cx, dy + cy, dz + cz, w)
    put_vector(o + U, ux + gx, uy + gy, uz + gz, w)  # of the place of touching
    put_vector(o + B, bx + qx, by + qy, bz + qz, w)
    put_vector(o + L, ux + px, uy + py, uz + pz, w)
    put_vector(o + C, cx, cy, cz, w)


@kernel(types.void(i8, i8, f8, f8, f8, A))
def put_seen(o, i, x, y, z, w):
    """Store a vector of the world in the axes of frame i."""
    for c in range(3):
        a = i + X + 3 * c
        w[o + c] = w[a] * x + w[a + 1] * y + w[a + 2] * z


@kernel(types.void(i8, i8, i8, i8, A, I, A))
def see_motion(entry, i, j, o, p, tab, w):
    """Ask the function of a measure: it is told how frame j is placed and moves, as seen from frame i, in its axes."""
    dx, dy, dz = vector(o + D, w)
    wx, wy, wz = vector(i + SPIN, w)
    px, py, pz = cross(wx, wy, wz, dx, dy, dz)
    put_seen(o + SEEN, i, dx, dy, dz, w)
    for k in range(3):
        a = j + X + 3 * k
        put_seen(o + SEEN + 3 + 3 * k, i, w[a], w[a + 1], w[a + 2], w)
    put_seen(o + SEEN + 12, i, w[o + U] - px, w[o + U + 1] - py, w[o + U + 2] - pz, w)
    put_seen(o + SEEN + 15, i, w[j + SPIN] - wx, w[j + SPIN + 1] - wy, w[j + SPIN + 2] - wz, w)
    ask_measure(entry, o + SEEN, N_TOLD, N_GIVEN, p, tab, w)


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
