"""Bodies of space told by points and unit vectors: every body is linear in them, and turns with two basic vectors.

        r = sum c_k z_k + c_0        x_1 = sum e_1k z_k + e_10,  x_2 = sum e_2k z_k + e_20        R = E Q

E are the axes of Gram and Schmidt: e_1 along x_1, e_2 in the plane of x_1 and x_2; it is a rotation wherever the two
have a plane, kept or not.  With n_1 = |x_1|, k = x_2 e_1, n_2 = |x_2 - k e_1| and w in the axes of E:

        w_3 = e_2 x_1' / n_1      w_2 = -e_3 x_1' / n_1      w_1 = (e_3 x_2' + k w_2) / n_2

| symbol | word                                                                 | where       |
|--------|----------------------------------------------------------------------|-------------|
| z_k    | point or unit vector that has coordinates                            | y           |
| x      | basic vector and its rate                                            | W_VECTOR    |
| E      | axes that a class of bodies turns with                               | W_BASIS     |
| Q      | axes of a body in those of E                                         | P_BODY      |
| b      | bias: w' without accelerations of points and vectors                 | W_BASIS     |

The mass centre has no bias.  A wrench (f, n), n in the axes of E, is felt by a source as c_k f + e_1k g_1 + e_2k g_2:

        g_1 = (n_3 e_2 - n_2 e_3 - n_1 k / n_2 e_3) / n_1      g_2 = n_1 e_3 / n_2        (n_1, n_2 below: lengths)
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, types

#: of a basic vector
RATE, VECTOR = 3, 6
#: of a class: e_1, e_2, e_3; 1/n_1, 1/n_2, k; w; b
E_1, E_2, E_3, ONE, OTHER, ALONG, SPIN, BIAS, BASIS = 0, 3, 6, 9, 10, 11, 12, 15, 18
#: of a term of a body: c, e_1, e_2
C, FIRST, SECOND, TERM = 0, 1, 2, 3
#: of a body: c_0, Q by rows
AXES, BODY = 3, 12
POSE = at.POSE_SPACE


@kernel(types.void(A, A, I, A))
def place_vectors(y, p, tab, w):
    """Basic vectors and their rates."""
    n_q = tab[at.N_Q]
    for v in range(tab[at.N_VECTORS]):
        entry = tab[at.T_VECTOR] + at.VECTOR_COLUMNS * v
        constant = tab[at.P_VECTOR] + 3 * v
        x, z, u = p[constant], p[constant + 1], p[constant + 2]
        xd, zd, ud = 0.0, 0.0, 0.0
        first = tab[entry + at.VECTOR_FIRST]
        for k in range(first, first + tab[entry + at.VECTOR_COUNT]):
            i = tab[tab[at.T_VECTOR_TERM] + k]
            share = p[tab[at.P_VECTOR_TERM] + k]
            x += share * y[i]
            z += share * y[i + 1]
            u += share * y[i + 2]
            xd += share * y[n_q + i]
            zd += share * y[n_q + i + 1]
            ud += share * y[n_q + i + 2]
        o = tab[at.W_VECTOR] + VECTOR * v
        w[o] = x
        w[o + 1] = z
        w[o + 2] = u
        w[o + RATE] = xd
        w[o + RATE + 1] = zd
        w[o + RATE + 2] = ud


@kernel(f8(i8, i8, A), inline=True)
def _dot(i, j, w):
    """Product of two vectors of the workspace."""
    return w[i] * w[j] + w[i + 1] * w[j + 1] + w[i + 2] * w[j + 2]


@kernel(types.void(i8, I, A))
def place_bases(every, tab, w):
    """Axes, angular velocities and their bias: where `every` is 1 of all that turns, else where something looks."""
    for c in range(tab[at.N_BASES]):
        entry = tab[at.T_BASIS] + at.BASIS_COLUMNS * c
        if every == 0 and tab[entry + at.BASIS_LOOKED] == 0:
            continue
        o = tab[at.W_BASIS] + BASIS * c
        one = tab[entry + at.BASIS_ONE]
        if one < 0:
            w[o + E_1] = 1.0
            w[o + E_2 + 1] = 1.0
            w[o + E_3 + 2] = 1.0
            continue
        x = tab[at.W_VECTOR] + VECTOR * one
        z = tab[at.W_VECTOR] + VECTOR * tab[entry + at.BASIS_OTHER]
        inverse = 1.0 / math.sqrt(_dot(x, x, w))
        for i in range(3):
            w[o + E_1 + i] = w[x + i] * inverse
        along = _dot(z, o + E_1, w)
        for i in range(3):
            w[o + E_2 + i] = w[z + i] - along * w[o + E_1 + i]
        other = 1.0 / math.sqrt(_dot(o + E_2, o + E_2, w))
        for i in range(3):
            w[o + E_2 + i] *= other
        w[o + E_3] = w[o + E_1 + 1] * w[o + E_2 + 2] - w[o + E_1 + 2] * w[o + E_2 + 1]
        w[o + E_3 + 1] = w[o + E_1 + 2] * w[o + E_2] - w[o + E_1] * w[o + E_2 + 2]
        w[o + E_3 + 2] = w[o + E_1] * w[o + E_2 + 1] - w[o + E_1 + 1] * w[o + E_2]
        w3 = _dot(o + E_2, x + RATE, w) * inverse
        w2 = -_dot(o + E_3, x + RATE, w) * inverse
        w1 = (_dot(o + E_3, z + RATE, w) + along * w2) * other
        grows = _dot(o + E_1, x + RATE, w) * inverse  # n_1' / n_1
        first = _dot(o + E_1, z + RATE, w)
        second = _dot(o + E_2, z + RATE, w)
        b3 = -2.0 * w3 * grows - w1 * w2
        b2 = -2.0 * w2 * grows + w1 * w3
        # n_2 w_1 - k w_2 = e_3 x_2', with n_2' = e_2 x_2' - k w_3 and k' = e_1 x_2' + n_2 w_3
        b1 = (2.0 * w2 * first - 2.0 * w1 * second + along * (w1 * w3 + b2)) * other + w2 * w3
        w[o + ONE] = inverse
        w[o + OTHER] = other
        w[o + ALONG] = along
        w[o + SPIN] = w1
        w[o + SPIN + 1] = w2
        w[o + SPIN + 2] = w3
        w[o + BIAS] = b1
        w[o + BIAS + 1] = b2
        w[o + BIAS + 2] = b3


@kernel(types.void(A, A, I, A))
def place_shares(y, p, tab, w):
    """Poses and twists of the bodies that something looks at."""
    n_q = tab[at.N_Q]
    pose = tab[at.W_POSE]
    w[pose + 3] = 1.0  # ground: the unit matrix
    w[pose + 7] = 1.0
    w[pose + 11] = 1.0
    for b in range(1, tab[at.N_BODIES] + 1):
        share = tab[at.T_SHARE] + at.SHARE_COLUMNS * b
        if tab[share + at.SHARE_LOOKED] == 0 and w[at.DETAIL] != 1.0:
            continue
        own = tab[at.P_BODY] + BODY * b
        x, v, u = p[own], p[own + 1], p[own + 2]
        xd, vd, ud = 0.0, 0.0, 0.0
        first = tab[share + at.SHARE_FIRST]
        for k in range(first, first + tab[share + at.SHARE_COUNT]):
            i = tab[tab[at.T_SHARE_TERM] + k]
            c = p[tab[at.P_BODY_TERM] + TERM * k + C]
            x += c * y[i]
            v += c * y[i + 1]
            u += c * y[i + 2]
            xd += c * y[n_q + i]
            vd += c * y[n_q + i + 1]
            ud += c * y[n_q + i + 2]
        o = tab[at.W_BASIS] + BASIS * tab[share + at.SHARE_CLASS]
        to = pose + POSE * b
        w[to] = x
        w[to + 1] = v
        w[to + 2] = u
        q = own + AXES
        twist = tab[at.W_TWIST] + 6 * b
        w[twist] = xd
        w[twist + 1] = vd
        w[twist + 2] = ud
        for j in range(3):
            q1, q2, q3 = p[q + j], p[q + 3 + j], p[q + 6 + j]
            for i in range(3):
                w[to + 3 + 3 * i + j] = w[o + E_1 + i] * q1 + w[o + E_2 + i] * q2 + w[o + E_3 + i] * q3
            w[twist + 3 + j] = w[o + SPIN] * q1 + w[o + SPIN + 1] * q2 + w[o + SPIN + 2] * q3


@kernel(types.void(A, I, A))
def build_products(p, tab, w):
    """Rows of the set: x_i x_j = const, half of it for a length.

    They have no blocks of bodies; nu takes their rate along, so that nu - J v is what is missing there, too.
    """
    for r in range(tab[at.N_PRODUCTS]):
        entry = tab[at.T_PRODUCT] + at.PRODUCT_COLUMNS * r
        row = tab[entry + at.PRODUCT_ROW]
        one, other = tab[entry + at.PRODUCT_ONE], tab[entry + at.PRODUCT_OTHER]
        i = tab[at.W_VECTOR] + VECTOR * one
        j = tab[at.W_VECTOR] + VECTOR * other
        part = 0.5 if one == other else 1.0
        w[tab[at.W_PHI] + row] = part * (_dot(i, j, w) - p[tab[at.P_PRODUCT] + r])
        w[tab[at.W_NU] + row] = -part * (_dot(i, j + RATE, w) + _dot(i + RATE, j, w))
        w[tab[at.W_GAMMA] + row] = -2.0 * part * _dot(i + RATE, j + RATE, w)
        for k in range(
            tab[at.W_ENTRY] + tab[tab[at.T_ROW_ENTRY] + row], tab[at.W_ENTRY] + tab[tab[at.T_ROW_ENTRY] + row + 1]
        ):
            w[k] = 0.0
        place = tab[at.T_PRODUCT_TERM] + tab[entry + at.PRODUCT_FIRST]
        for side in range(2):
            mine, yours = (one, j) if side == 0 else (other, i)
            vector = tab[at.T_VECTOR] + at.VECTOR_COLUMNS * mine
            first = tab[vector + at.VECTOR_FIRST]
            for k in range(first, first + tab[vector + at.VECTOR_COUNT]):
                share = part * p[tab[at.P_VECTOR_TERM] + k]
                to = tab[at.W_ENTRY] + tab[place]
                place += 1
                w[to] += share * w[yours]
                w[to + 1] += share * w[yours + 1]
                w[to + 2] += share * w[yours + 2]


@kernel(types.void(i8, i8, i8, i8, A, I, A))
def add_felt(b, wrench, to, places, p, tab, w):
    """Add what sources feel of the wrench of a body, at w[wrench], to w[to + tab[places + k]] of its terms."""
    share = tab[at.T_SHARE] + at.SHARE_COLUMNS * b
    c = tab[share + at.SHARE_CLASS]
    first = tab[share + at.SHARE_FIRST]
    o = tab[at.W_BASIS] + BASIS * c
    fx, fy, fz = w[wrench], w[wrench + 1], w[wrench + 2]
    mx, my, mz = w[wrench + 3], w[wrench + 4], w[wrench + 5]
    g1x, g1y, g1z = 0.0, 0.0, 0.0
    g2x, g2y, g2z = 0.0, 0.0, 0.0
    if c > 0 and (mx != 0.0 or my != 0.0 or mz != 0.0):
        q = tab[at.P_BODY] + BODY * b + AXES
        n1 = p[q] * mx + p[q + 1] * my + p[q + 2] * mz
        n2 = p[q + 3] * mx + p[q + 4] * my + p[q + 5] * mz
        n3 = p[q + 6] * mx + p[q + 7] * my + p[q + 8] * mz
        back = n1 * w[o + OTHER]
        side = n3 * w[o + ONE]
        down = -(n2 + back * w[o + ALONG]) * w[o + ONE]
        g1x = side * w[o + E_2] + down * w[o + E_3]
        g1y = side * w[o + E_2 + 1] + down * w[o + E_3 + 1]
        g1z = side * w[o + E_2 + 2] + down * w[o + E_3 + 2]
        g2x = back * w[o + E_3]
        g2y = back * w[o + E_3 + 1]
        g2z = back * w[o + E_3 + 2]
    for k in range(tab[share + at.SHARE_COUNT]):
        term = tab[at.P_BODY_TERM] + TERM * (first + k)
        part, e1, e2 = p[term + C], p[term + FIRST], p[term + SECOND]
        i = to + tab[places + k]
        w[i] += part * fx + e1 * g1x + e2 * g2x
        w[i + 1] += part * fy + e1 * g1y + e2 * g2y
        w[i + 2] += part * fz + e1 * g1z + e2 * g2z


@kernel(types.void(f8, A, I, A))
def accelerate_shares(known, p, tab, w):
    """Accelerations of the bodies, with their bias where `known` is 1, from those of the coordinates."""
    change = tab[at.W_CHANGE]
    for b in range(1, tab[at.N_BODIES] + 1):
        share = tab[at.T_SHARE] + at.SHARE_COLUMNS * b
        first = tab[share + at.SHARE_FIRST]
        c = tab[share + at.SHARE_CLASS]
        o = tab[at.W_BASIS] + BASIS * c
        x, v, u = 0.0, 0.0, 0.0
        a1, a2, a3 = 0.0, 0.0, 0.0
        side, down, back = 0.0, 0.0, 0.0  # e_2 x_1'', e_3 x_1'', e_3 x_2''
        for k in range(first, first + tab[share + at.SHARE_COUNT]):
            term = tab[at.P_BODY_TERM] + TERM * k
            i = change + tab[tab[at.T_SHARE_TERM] + k]
            part, e1, e2 = p[term + C], p[term + FIRST], p[term + SECOND]
            x += part * w[i]
            v += part * w[i + 1]
            u += part * w[i + 2]
            third = _dot(o + E_3, i, w)
            side += e1 * _dot(o + E_2, i, w)
            down += e1 * third
            back += e2 * third
        if c > 0:
            a3 = side * w[o + ONE]
            a2 = -down * w[o + ONE]
            a1 = (back + w[o + ALONG] * a2) * w[o + OTHER] + known * w[o + BIAS]
            a2 += known * w[o + BIAS + 1]
            a3 += known * w[o + BIAS + 2]
        a = tab[at.W_ACCELERATION] + 6 * b
        w[a] = x
        w[a + 1] = v
        w[a + 2] = u
        q = tab[at.P_BODY] + BODY * b + AXES
        for j in range(3):
            w[a + 3 + j] = a1 * p[q + j] + a2 * p[q + 3 + j] + a3 * p[q + 6 + j]


@kernel(f8(i8, A, I, A))
def bias_of_row(r, p, tab, w):
    """What a row of measures counts for accelerations of bodies that points and vectors do not have."""
    total = 0.0
    for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
        b = tab[tab[at.T_BLOCK_BODY] + k] // 6
        c = tab[tab[at.T_SHARE] + at.SHARE_COLUMNS * b + at.SHARE_CLASS]
        if c > 0:
            o = tab[at.W_BASIS] + BASIS * c + BIAS
            n = tab[at.W_BLOCK] + 6 * k + 3
            q = tab[at.P_BODY] + BODY * b + AXES
            for i in range(3):
                total += w[o + i] * (p[q + 3 * i] * w[n] + p[q + 3 * i + 1] * w[n + 1] + p[q + 3 * i + 2] * w[n + 2])
    return total
