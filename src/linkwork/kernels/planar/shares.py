"""Bodies of the plane told by points: every body is linear in points, and turns with a vector or by an angle.

Vectors of the plane are complex numbers here, written out as x and y.

        r = sum c_k z_k + c_0 (+ a d)        a = sum e_k z_k + e_0,  or  a = exp(i angle)        phi = arg a + delta

| symbol | word                                                                     | where                    |
|--------|--------------------------------------------------------------------------|--------------------------|
| z_k    | point that has coordinates                                               | y                        |
| a      | direction that a class of bodies turns with; of length one, by a row     | W_CLASS                  |
| c, e   | shares of the points in the mass centre of a body, and in a              | P_SHARE_TERM             |
| d      | arm of a body that turns by an angle                                     | P_SHARE                  |
| phi'   | Im(conj(a) a') / |a|^2, also where the length of a is not one            | SPIN                     |
| bias   | -2 Re(conj(a) a') phi' / |a|^2, of phi'' without accelerations of points | BIAS                     |

The mass centre has no bias, except of a body that turns by an angle: -a d phi'^2.  A wrench (f, n) of a body is felt by
the points as  conj(c_k) f + n i a conj(e_k) / |a|^2,  and by an angle as  n + (i a d) . f.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, types
from linkwork.kernels.rows import TURN

#: of a class: a, a', 1/|a|^2, angle, phi', bias of phi''
A_X, A_Y, RATE_X, RATE_Y, INVERSE, ANGLE, SPIN, BIAS, CLASS = range(9)
#: of a term of a body: c and e
C_X, C_Y, E_X, E_Y, TERM = range(5)


@kernel(types.void(i8, A, A, I, A))
def place_direction(c, y, p, tab, w):
    """a of a class that turns along points, and 1/|a|^2."""
    entry = tab[at.T_CLASS] + at.CLASS_COLUMNS * c
    first = tab[entry + at.CLASS_FIRST]
    x = p[tab[at.P_CLASS] + 2 * c]
    v = p[tab[at.P_CLASS] + 2 * c + 1]
    for k in range(first, first + tab[entry + at.CLASS_COUNT]):
        point = tab[tab[at.T_CLASS_TERM] + k]
        e = tab[at.P_CLASS_TERM] + 2 * k
        x += p[e] * y[point] - p[e + 1] * y[point + 1]
        v += p[e] * y[point + 1] + p[e + 1] * y[point]
    o = tab[at.W_CLASS] + CLASS * c
    w[o + A_X] = x
    w[o + A_Y] = v
    w[o + INVERSE] = 1.0 / (x * x + v * v)


@kernel(f8(i8, f8, I, A))
def nearest_turn(c, angle, tab, w):
    """arg a of a class, in the full turn that is nearest to an angle."""
    o = tab[at.W_CLASS] + CLASS * c
    found = math.atan2(w[o + A_Y], w[o + A_X])
    return found - TURN * math.floor((found - angle) / TURN + 0.5)


@kernel(types.void(i8, A))
def turn_direction(o, w):
    """1/|a|^2, phi' and its bias of the class at o that turns along points, from a and a'."""
    ax, ay, x, v = w[o + A_X], w[o + A_Y], w[o + RATE_X], w[o + RATE_Y]
    inverse = 1.0 / (ax * ax + ay * ay)
    spin = (ax * v - ay * x) * inverse
    w[o + INVERSE] = inverse
    w[o + SPIN] = spin
    w[o + BIAS] = -2.0 * (ax * x + ay * v) * spin * inverse


@kernel(types.void(I, A))
def turn_directions(tab, w):
    """The same of all of them."""
    for c in range(tab[at.N_CLASSES]):
        if tab[tab[at.T_CLASS] + at.CLASS_COLUMNS * c + at.CLASS_KIND] == at.BY_POINTS:
            turn_direction(tab[at.W_CLASS] + CLASS * c, w)


@kernel(types.void(A, A, I, A))
def place_classes(y, p, tab, w):
    """Directions, angles and rates of all that turns, and of it what something looks at."""
    n_q = tab[at.N_Q]
    terms, shares, constant = tab[at.T_CLASS_TERM], tab[at.P_CLASS_TERM], tab[at.P_CLASS]
    for c in range(tab[at.N_CLASSES]):
        entry = tab[at.T_CLASS] + at.CLASS_COLUMNS * c
        kind = tab[entry + at.CLASS_KIND]
        place = tab[entry + at.CLASS_PLACE]
        o = tab[at.W_CLASS] + CLASS * c
        if kind == at.BY_POINTS:
            ax, ay = p[constant + 2 * c], p[constant + 2 * c + 1]
            x = 0.0
            v = 0.0
            first = tab[entry + at.CLASS_FIRST]
            for k in range(first, first + tab[entry + at.CLASS_COUNT]):
                point = tab[terms + k]
                ex, ey = p[shares + 2 * k], p[shares + 2 * k + 1]
                ax += ex * y[point] - ey * y[point + 1]
                ay += ex * y[point + 1] + ey * y[point]
                x += ex * y[n_q + point] - ey * y[n_q + point + 1]
                v += ex * y[n_q + point + 1] + ey * y[n_q + point]
            w[o + A_X] = ax
            w[o + A_Y] = ay
            w[o + RATE_X] = x
            w[o + RATE_Y] = v
            if tab[entry + at.CLASS_LOOKED] >= at.BY_FRAMES or w[at.DETAIL] == 1.0:
                turn_direction(o, w)
                if tab[entry + at.CLASS_LOOKED] == at.BY_NUMBER or w[at.DETAIL] == 1.0:
                    w[o + ANGLE] = nearest_turn(c, y[place], tab, w)
        elif kind == at.BY_ANGLE:
            w[o + ANGLE] = y[place]
            w[o + SPIN] = y[n_q + place]
            w[o + A_X] = math.cos(y[place])
            w[o + A_Y] = math.sin(y[place])
            w[o + INVERSE] = 1.0
        else:
            w[o + A_X] = 1.0
            w[o + INVERSE] = 1.0


@kernel(types.void(A, A, I, A))
def place_shares(y, p, tab, w):
    """Poses and twists of the bodies that something looks at."""
    n_q = tab[at.N_Q]
    w[tab[at.W_POSE] + at.POSE_COS] = 1.0  # ground
    for b in range(1, tab[at.N_BODIES] + 1):
        share = tab[at.T_SHARE] + at.SHARE_COLUMNS * b
        if tab[share + at.SHARE_LOOKED] == 0 and w[at.DETAIL] != 1.0:
            continue
        c = tab[share + at.SHARE_CLASS]
        o = tab[at.W_CLASS] + CLASS * c
        own = tab[at.P_SHARE] + at.SHARE_NUMBERS * b
        x = p[own + at.SHARE_X]
        v = p[own + at.SHARE_Y]
        vx = 0.0
        vy = 0.0
        first = tab[share + at.SHARE_FIRST]
        for k in range(first, first + tab[share + at.SHARE_COUNT]):
            point = tab[tab[at.T_SHARE_TERM] + k]
            term = tab[at.P_SHARE_TERM] + TERM * k
            cx, cy = p[term + C_X], p[term + C_Y]
            x += cx * y[point] - cy * y[point + 1]
            v += cx * y[point + 1] + cy * y[point]
            vx += cx * y[n_q + point] - cy * y[n_q + point + 1]
            vy += cx * y[n_q + point + 1] + cy * y[n_q + point]
        ax, ay = w[o + A_X], w[o + A_Y]
        if tab[tab[at.T_CLASS] + at.CLASS_COLUMNS * c + at.CLASS_KIND] == at.BY_ANGLE:
            dx, dy = p[own + at.SHARE_ARM_X], p[own + at.SHARE_ARM_Y]
            sx, sy = ax * dx - ay * dy, ax * dy + ay * dx
            x += sx
            v += sy
            vx -= sy * w[o + SPIN]
            vy += sx * w[o + SPIN]
        size = math.sqrt(w[o + INVERSE])
        cos, sin = p[own + at.SHARE_COS] * size, p[own + at.SHARE_SIN] * size
        pose = tab[at.W_POSE] + at.POSE_PLANE * b
        w[pose + at.POSE_X] = x
        w[pose + at.POSE_Y] = v
        w[pose + at.POSE_PHI] = w[o + ANGLE] + p[own + at.SHARE_ANGLE]
        w[pose + at.POSE_COS] = ax * cos - ay * sin
        w[pose + at.POSE_SIN] = ax * sin + ay * cos
        twist = tab[at.W_TWIST] + 3 * b
        w[twist] = vx
        w[twist + 1] = vy
        w[twist + 2] = w[o + SPIN]


@kernel(types.void(A, I, A))
def build_lengths(p, tab, w):
    """Rows of the set: (|a|^2 - 1)/2 = 0 of every class that turns along points.

    They have no blocks of bodies; nu takes their rate along, so that nu - J v is what is missing there, too.
    """
    shares, phi, nu, gamma = tab[at.P_CLASS_TERM], tab[at.W_PHI], tab[at.W_NU], tab[at.W_GAMMA]
    for c in range(tab[at.N_CLASSES]):
        entry = tab[at.T_CLASS] + at.CLASS_COLUMNS * c
        r = tab[entry + at.CLASS_ROW]
        if r < 0:
            continue
        o = tab[at.W_CLASS] + CLASS * c
        ax, ay, x, v = w[o + A_X], w[o + A_Y], w[o + RATE_X], w[o + RATE_Y]
        w[phi + r] = 0.5 * (ax * ax + ay * ay - 1.0)
        w[nu + r] = -(ax * x + ay * v)
        w[gamma + r] = -(x * x + v * v)
        first = shares + 2 * tab[entry + at.CLASS_FIRST]
        to = tab[at.W_ENTRY] + tab[tab[at.T_ROW_ENTRY] + r]
        for k in range(0, 2 * tab[entry + at.CLASS_COUNT], 2):
            ex, ey = p[first + k], p[first + k + 1]
            w[to + k] = ex * ax + ey * ay
            w[to + k + 1] = ex * ay - ey * ax


@kernel(types.void(i8, i8, i8, i8, A, I, A))
def add_felt(b, wrench, to, places, p, tab, w):
    """Add what points and angle feel of the wrench of a body, at w[wrench], to w[to + tab[places + k]] of its terms."""
    share = tab[at.T_SHARE] + at.SHARE_COLUMNS * b
    c = tab[share + at.SHARE_CLASS]
    first = tab[share + at.SHARE_FIRST]
    count = tab[share + at.SHARE_COUNT]
    o = tab[at.W_CLASS] + CLASS * c
    fx, fy, n = w[wrench], w[wrench + 1], w[wrench + 2]
    ax, ay = w[o + A_X], w[o + A_Y]
    turn = n * w[o + INVERSE]
    terms = tab[at.P_SHARE_TERM] + TERM * first
    tx, ty = turn * ax, turn * ay
    for k in range(count):
        term = terms + TERM * k
        cx, cy, ex, ey = p[term + C_X], p[term + C_Y], p[term + E_X], p[term + E_Y]
        i = to + tab[places + k]
        w[i] += cx * fx + cy * fy + tx * ey - ty * ex
        w[i + 1] += cx * fy - cy * fx + tx * ex + ty * ey
    if tab[tab[at.T_CLASS] + at.CLASS_COLUMNS * c + at.CLASS_KIND] == at.BY_ANGLE:
        own = tab[at.P_SHARE] + at.SHARE_NUMBERS * b
        dx, dy = p[own + at.SHARE_ARM_X], p[own + at.SHARE_ARM_Y]
        w[to + tab[places + count]] += n + (ax * dx - ay * dy) * fy - (ax * dy + ay * dx) * fx


@kernel(types.void(f8, A, I, A))
def accelerate_shares(known, p, tab, w):
    """Accelerations of the bodies, with their bias where `known` is 1, from those of the coordinates."""
    change = tab[at.W_CHANGE]
    for b in range(1, tab[at.N_BODIES] + 1):
        share = tab[at.T_SHARE] + at.SHARE_COLUMNS * b
        c = tab[share + at.SHARE_CLASS]
        first = tab[share + at.SHARE_FIRST]
        count = tab[share + at.SHARE_COUNT]
        o = tab[at.W_CLASS] + CLASS * c
        ax, ay = w[o + A_X], w[o + A_Y]
        x = 0.0
        v = 0.0
        turn = known * w[o + BIAS]
        for k in range(first, first + count):
            term = tab[at.P_SHARE_TERM] + TERM * k
            i = change + tab[tab[at.T_SHARE_TERM] + k]
            cx, cy, ex, ey = p[term + C_X], p[term + C_Y], p[term + E_X], p[term + E_Y]
            zx, zy = w[i], w[i + 1]
            x += cx * zx - cy * zy
            v += cx * zy + cy * zx
            turn += (ax * (ex * zy + ey * zx) - ay * (ex * zx - ey * zy)) * w[o + INVERSE]
        if tab[tab[at.T_CLASS] + at.CLASS_COLUMNS * c + at.CLASS_KIND] == at.BY_ANGLE:
            own = tab[at.P_SHARE] + at.SHARE_NUMBERS * b
            dx, dy = p[own + at.SHARE_ARM_X], p[own + at.SHARE_ARM_Y]
            sx, sy = ax * dx - ay * dy, ax * dy + ay * dx
            turn = w[change + tab[tab[at.T_SHARE_TERM] + first + count]]
            inward = known * w[o + SPIN] * w[o + SPIN]
            x -= sy * turn + inward * sx
            v += sx * turn - inward * sy
        a = tab[at.W_ACCELERATION] + 3 * b
        w[a] = x
        w[a + 1] = v
        w[a + 2] = turn


@kernel(f8(i8, i8, I, A))
def row_bias(k, b, tab, w):
    """Block k of J times what accelerations of its body b are without those of points and angle."""
    share = tab[at.T_SHARE] + at.SHARE_COLUMNS * b
    o = tab[at.W_CLASS] + CLASS * tab[share + at.SHARE_CLASS]
    return w[tab[at.W_BLOCK] + 3 * k + 2] * w[o + BIAS]


@kernel(f8(i8, i8, A, I, A))
def row_inward(k, b, p, tab, w):
    """The same of a body that turns by an angle: -a d phi'^2."""
    share = tab[at.T_SHARE] + at.SHARE_COLUMNS * b
    o = tab[at.W_CLASS] + CLASS * tab[share + at.SHARE_CLASS]
    own = tab[at.P_SHARE] + at.SHARE_NUMBERS * b
    ax, ay = w[o + A_X], w[o + A_Y]
    dx, dy = p[own + at.SHARE_ARM_X], p[own + at.SHARE_ARM_Y]
    block = tab[at.W_BLOCK] + 3 * k
    sum_ = w[block] * (ax * dx - ay * dy) + w[block + 1] * (ax * dy + ay * dx)
    return -sum_ * w[o + SPIN] * w[o + SPIN]
