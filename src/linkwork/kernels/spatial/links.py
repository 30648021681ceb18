"""Joint coordinates of space: q = the freedoms of the joints along a tree (an orientation: Euler parameters), v.

The recursion of `planar.recursion` in three dimensions: world axes, about the point P of each link.  A step turns about
and slides along one axis e (a turn, a slide, a screw), or turns in any way (a ball, whose speeds are the relative
angular velocity in the axes of its far side).

        wrench (n, f) = [J, H; H', M] (alpha, a) + p        X: alpha as it is, a + alpha x r

| symbol   | word                                                                  | in the scratch of a link |
|----------|-----------------------------------------------------------------------|--------------------------|
| P R      | point, where the step ends; axes of the link and of its body          | P R                      |
| v w      | velocity of P, angular velocity                                       | V W                      |
| r        | from P of the parent to P                                             | WAY                      |
| c        | acceleration without q'' and without the parent's: turning, P         | BN BF                    |
| S        | turning and velocity of P for q' = 1                                  | SN SF                    |
| J H M    | articulated inertia (J and M symmetric: xx xy xz yy yz zz)            | JJ HH MM                 |
| p        | wrench that is there without acceleration                             | PN PF                    |
| U 1/D u  | U = I S, D = S'U, u = -S'p and the forces of rows                     | UN UF ID G               |
| L        | of a ball: J = L L'; the inverse of L (xx yx yy zx zy zz) instead of U| UN                       |
| a        | angular acceleration, acceleration of P                               | AN AF                    |
| s        | from P to the mass centre                                             | ARM                      |
| F        | of a ball: axes of its far side                                       | FAR                      |
| c, c b   | what stiff laws across the step add to D, and to u (`time.soft`)      | SOFT PULL                |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.cosines import SPARE, find_cosines
from linkwork.kernels.jit import A, I, f8, i8, kernel, types
from linkwork.kernels.spatial.frames import cross

_POSE = at.POSE_SCRATCH[3]
SIZE = at.LINK_SCRATCH[3]
NUMBERS = at.LINK_NUMBERS[3]
_V3 = types.UniTuple(f8, 3)
(P, R, V, W, WAY, BN, BF, SN, SF, JJ, HH, MM, PN, PF, UN, UF, ID, G, AN, AF, ARM, FAR, SOFT, PULL) = (
    0,
    3,
    12,
    15,
    18,
    21,
    24,
    27,
    30,
    33,
    39,
    48,
    54,
    57,
    60,
    63,
    66,
    67,
    70,
    73,
    76,
    79,
    88,
    89,
)
#: numbers of a link: place of the step and its axis on the parent; rotation against the parent as K3 + K1 cos + K2 sin
#: (of a ball: before and after the turn); how much q slides and turns; mass centre; mass; inertia in the link's axes
(L_SHIFT, L_AXIS, L_K3, L_K1, L_K2, L_SLIDE, L_TURN, L_CENTER, L_MASS, L_INERTIA) = (
    0,
    3,
    6,
    15,
    24,
    33,
    34,
    35,
    38,
    39,
)


@kernel(_V3(A, i8, A, i8))
def turned(w, rotation, p, vector):
    """A vector of p in world axes."""
    x, y, z = p[vector], p[vector + 1], p[vector + 2]
    return (
        w[rotation] * x + w[rotation + 1] * y + w[rotation + 2] * z,
        w[rotation + 3] * x + w[rotation + 4] * y + w[rotation + 5] * z,
        w[rotation + 6] * x + w[rotation + 7] * y + w[rotation + 8] * z,
    )


@kernel(types.void(A, i8, i8, f8, f8, A, i8))
def turn_by_angle(w, o, i, c, s, p, g):
    """R = R_parent (K3 + c K1 + s K2)."""
    for col in range(3):
        k = g + L_K3 + col
        a0 = p[k] + c * p[k + 9] + s * p[k + 18]
        a1 = p[k + 3] + c * p[k + 12] + s * p[k + 21]
        a2 = p[k + 6] + c * p[k + 15] + s * p[k + 24]
        for row in range(3):
            r = o + R + 3 * row
            w[i + R + 3 * row + col] = w[r] * a0 + w[r + 1] * a1 + w[r + 2] * a2


@kernel(types.void(A, i8, i8, A, i8, A, i8))
def turn_by_ball(w, o, i, y, q, p, g):
    """R = R_parent A Q(e) C; leaves the axes of the far side, R_parent A Q, in FAR."""
    e0, e1, e2, e3 = y[q], y[q + 1], y[q + 2], y[q + 3]
    n = 2.0 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    q00, q01, q02 = 1.0 - n * (e2 * e2 + e3 * e3), n * (e1 * e2 - e0 * e3), n * (e1 * e3 + e0 * e2)
    q10, q11, q12 = n * (e1 * e2 + e0 * e3), 1.0 - n * (e1 * e1 + e3 * e3), n * (e2 * e3 - e0 * e1)
    q20, q21, q22 = n * (e1 * e3 - e0 * e2), n * (e2 * e3 + e0 * e1), 1.0 - n * (e1 * e1 + e2 * e2)
    a, c = g + L_K3, g + L_K1
    for row in range(3):
        r = o + R + 3 * row
        b0 = w[r] * p[a] + w[r + 1] * p[a + 3] + w[r + 2] * p[a + 6]
        b1 = w[r] * p[a + 1] + w[r + 1] * p[a + 4] + w[r + 2] * p[a + 7]
        b2 = w[r] * p[a + 2] + w[r + 1] * p[a + 5] + w[r + 2] * p[a + 8]
        f0 = b0 * q00 + b1 * q10 + b2 * q20
        f1 = b0 * q01 + b1 * q11 + b2 * q21
        f2 = b0 * q02 + b1 * q12 + b2 * q22
        w[i + FAR + 3 * row] = f0
        w[i + FAR + 3 * row + 1] = f1
        w[i + FAR + 3 * row + 2] = f2
        for col in range(3):
            w[i + R + 3 * row + col] = f0 * p[c + col] + f1 * p[c + 3 + col] + f2 * p[c + 6 + col]


@kernel(types.void(A, A, I, A))
def place_links(y, p, tab, w):
    """From the root outwards: where every link is, and how fast."""
    n_q = tab[at.N_Q]
    links = tab[at.W_LINK]
    table = tab[at.T_LINK]
    numbers = tab[at.P_LINK]
    w[links + R] = 1.0
    w[links + R + 4] = 1.0
    w[links + R + 8] = 1.0
    n = tab[at.N_LINKS]
    angles = tab[at.W_ANGLE] - 1  # the ground has none
    cosines, sines = angles + n + SPARE, angles + 2 * (n + SPARE)
    for k in range(1, n + 1):
        turn = p[numbers + NUMBERS * k + L_TURN]
        w[angles + k] = turn * y[tab[table + at.LINK_COLUMNS * k + at.LINK_PLACE]] if turn != 0.0 else 0.0
    find_cosines(angles + 1, n, w)
    for k in range(1, n + 1):
        row = table + at.LINK_COLUMNS * k
        g = numbers + NUMBERS * k
        o = links + SIZE * tab[row + at.LINK_PARENT]
        i = links + SIZE * k
        kind = tab[row + at.LINK_KIND]
        rx, ry, rz = turned(w, o + R, p, g + L_SHIFT)
        wx, wy, wz = w[o + W], w[o + W + 1], w[o + W + 2]
        bx, by, bz = 0.0, 0.0, 0.0  # Coriolis part of the acceleration of P, half of it
        tx, ty, tz = 0.0, 0.0, 0.0  # relative angular velocity
        ux, uy, uz = 0.0, 0.0, 0.0  # relative velocity of P
        if kind == at.BALL:
            turn_by_ball(w, o, i, y, tab[row + at.LINK_PLACE], p, g)
            v = n_q + tab[row + at.LINK_SPEED]
            f = i + FAR
            tx = w[f] * y[v] + w[f + 1] * y[v + 1] + w[f + 2] * y[v + 2]
            ty = w[f + 3] * y[v] + w[f + 4] * y[v + 1] + w[f + 5] * y[v + 2]
            tz = w[f + 6] * y[v] + w[f + 7] * y[v + 1] + w[f + 8] * y[v + 2]
        elif kind == at.RIGID:
            turn_by_angle(w, o, i, 0.0, 0.0, p, g)
        else:
            q = y[tab[row + at.LINK_PLACE]]
            speed = y[n_q + tab[row + at.LINK_SPEED]]
            ex, ey, ez = turned(w, o + R, p, g + L_AXIS)
            slide = p[g + L_SLIDE]
            turn = p[g + L_TURN]
            turn_by_angle(w, o, i, w[cosines + k], w[sines + k], p, g)
            if turn != 0.0:
                tx, ty, tz = turn * speed * ex, turn * speed * ey, turn * speed * ez
            w[i + SN] = turn * ex
            w[i + SN + 1] = turn * ey
            w[i + SN + 2] = turn * ez
            if slide != 0.0:
                rx += slide * q * ex
                ry += slide * q * ey
                rz += slide * q * ez
                ux, uy, uz = slide * speed * ex, slide * speed * ey, slide * speed * ez
                w[i + SF] = slide * ex
                w[i + SF + 1] = slide * ey
                w[i + SF + 2] = slide * ez
                bx, by, bz = cross(wx, wy, wz, ux, uy, uz)
        gx, gy, gz = cross(wx, wy, wz, rx, ry, rz)
        w[i + WAY] = rx
        w[i + WAY + 1] = ry
        w[i + WAY + 2] = rz
        w[i + P] = w[o + P] + rx
        w[i + P + 1] = w[o + P + 1] + ry
        w[i + P + 2] = w[o + P + 2] + rz
        w[i + V] = w[o + V] + gx + ux
        w[i + V + 1] = w[o + V + 1] + gy + uy
        w[i + V + 2] = w[o + V + 2] + gz + uz
        hx, hy, hz = cross(wx, wy, wz, gx, gy, gz)
        w[i + BF] = hx + 2.0 * bx
        w[i + BF + 1] = hy + 2.0 * by
        w[i + BF + 2] = hz + 2.0 * bz
        hx, hy, hz = cross(wx, wy, wz, tx, ty, tz)
        w[i + BN] = hx
        w[i + BN + 1] = hy
        w[i + BN + 2] = hz
        w[i + W] = wx + tx
        w[i + W + 1] = wy + ty
        w[i + W + 2] = wz + tz
        cx, cy, cz = turned(w, i + R, p, g + L_CENTER)
        w[i + ARM] = cx
        w[i + ARM + 1] = cy
        w[i + ARM + 2] = cz


@kernel(types.void(I, A))
def place_bodies(tab, w):
    """Poses and twists of the bodies from their links; angular velocities in body axes."""
    links = tab[at.W_LINK]
    carriers = tab[at.T_BODY_LINK]
    pose = tab[at.W_POSE]
    twist = tab[at.W_TWIST]
    w[pose + 3] = 1.0  # ground: the unit matrix
    w[pose + 7] = 1.0
    w[pose + 11] = 1.0
    for body in range(1, tab[at.N_BODIES] + 1):
        i = links + SIZE * tab[carriers + body]
        b = pose + _POSE * body
        for c in range(3):
            w[b + c] = w[i + P + c] + w[i + ARM + c]
        for c in range(9):
            w[b + 3 + c] = w[i + R + c]
        b = twist + 6 * body
        wx, wy, wz = w[i + W], w[i + W + 1], w[i + W + 2]
        ux, uy, uz = cross(wx, wy, wz, w[i + ARM], w[i + ARM + 1], w[i + ARM + 2])
        w[b] = w[i + V] + ux
        w[b + 1] = w[i + V + 1] + uy
        w[b + 2] = w[i + V + 2] + uz
        for c in range(3):
            w[b + 3 + c] = w[i + R + c] * wx + w[i + R + 3 + c] * wy + w[i + R + 6 + c] * wz


@kernel(types.void(f8, I, A))
def accelerate_bodies(known, tab, w):
    """Accelerations of the mass centres, and of the angular velocities in body axes, from those of the links."""
    links = tab[at.W_LINK]
    carriers = tab[at.T_BODY_LINK]
    bodies = tab[at.W_ACCELERATION]
    for body in range(1, tab[at.N_BODIES] + 1):
        i = links + SIZE * tab[carriers + body]
        b = bodies + 6 * body
        nx, ny, nz = w[i + AN], w[i + AN + 1], w[i + AN + 2]
        cx, cy, cz = w[i + ARM], w[i + ARM + 1], w[i + ARM + 2]
        wx, wy, wz = w[i + W], w[i + W + 1], w[i + W + 2]
        ux, uy, uz = cross(wx, wy, wz, cx, cy, cz)
        ux, uy, uz = cross(wx, wy, wz, ux, uy, uz)
        tx, ty, tz = cross(nx, ny, nz, cx, cy, cz)
        w[b] = w[i + AF] + tx + known * ux
        w[b + 1] = w[i + AF + 1] + ty + known * uy
        w[b + 2] = w[i + AF + 2] + tz + known * uz
        for c in range(3):  # (R'w)' = R' alpha, because w x w = 0
            w[b + 3 + c] = w[i + R + c] * nx + w[i + R + 3 + c] * ny + w[i + R + 6 + c] * nz
