"""The articulated-body recursion of the plane: inwards, outwards, and the rows of loops; symbols as in `links`."""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, kernel, types
from linkwork.kernels.planar.links import (
    AN,
    AX,
    AY,
    BX,
    BY,
    CX,
    CY,
    HX,
    HY,
    ID,
    L_INERTIA,
    L_MASS,
    L_TURN,
    MXX,
    MXY,
    MYY,
    NUMBERS,
    PN,
    PULL,
    PX,
    PY,
    RX,
    RY,
    SIZE,
    SN,
    SOFT,
    SX,
    SY,
    UN,
    UX,
    UY,
    G,
    J,
    W,
)


@kernel(types.void(A, I, A))
def gather(p, tab, w):
    """From the tips inwards: articulated inertia, and the wrench that applied forces and speeds leave."""
    links = tab[at.W_LINK]
    table = tab[at.T_LINK]
    numbers = tab[at.P_LINK]
    applied = tab[at.W_APPLIED]
    for k in range(tab[at.N_LINKS], 0, -1):
        row = table + at.LINK_COLUMNS * k
        g = numbers + NUMBERS * k
        i = links + SIZE * k
        kind, parent, body = tab[row + at.LINK_KIND], tab[row + at.LINK_PARENT], tab[row + at.LINK_BODY]
        carries, opens = tab[row + at.LINK_CHILDREN] & at.CARRIES, tab[row + at.LINK_CHILDREN] & at.OPENS
        mass = p[g + L_MASS]
        cx, cy = w[i + CX], w[i + CY]
        h = applied + 3 * body
        weight = mass * w[i + W] * w[i + W]
        jj = p[g + L_INERTIA] + mass * (cx * cx + cy * cy)
        hx, hy = -mass * cy, mass * cx
        mxx, mxy, myy = mass, 0.0, mass
        pn, px, py = 0.0, 0.0, 0.0
        if body > 0:
            pn = -(w[h + 2] + cx * w[h + 1] - cy * w[h])
            px = -w[h] - weight * cx
            py = -w[h + 1] - weight * cy
        if carries:
            jj += w[i + J]
            hx += w[i + HX]
            hy += w[i + HY]
            mxx += w[i + MXX]
            mxy += w[i + MXY]
            myy += w[i + MYY]
            pn += w[i + PN]
            px += w[i + PX]
            py += w[i + PY]
        bx, by = w[i + BX], w[i + BY]
        fn, fx, fy = 0.0, 0.0, 0.0
        rx, ry = w[i + RX], w[i + RY]
        if kind == at.TURN:  # S = (1, 0, 0): nothing but a force passes on
            if jj <= 0.0 and w[at.STATUS] != at.NO_INERTIA:  # the first one is meant
                w[at.STATUS] = at.NO_INERTIA
                w[at.CULPRIT] = k
            inverse = 1.0 / jj
            ratio = -pn * inverse
            w[i + UX] = hx
            w[i + UY] = hy
            w[i + ID] = inverse
            w[i + G] = -pn
            mxx -= hx * hx * inverse
            mxy -= hx * hy * inverse
            myy -= hy * hy * inverse
            fx = px + mxx * bx + mxy * by + hx * ratio
            fy = py + mxy * bx + myy * by + hy * ratio
            ax = ry * mxx - rx * mxy
            ay = ry * mxy - rx * myy
            jj, hx, hy, fn = ry * ax - rx * ay, -ax, -ay, rx * fy - ry * fx
        else:
            fn = pn
            if kind != at.RIGID:
                sn, sx, sy = w[i + SN], w[i + SX], w[i + SY]
                un = jj * sn + hx * sx + hy * sy
                ux = hx * sn + mxx * sx + mxy * sy
                uy = hy * sn + mxy * sx + myy * sy
                d = sn * un + sx * ux + sy * uy + w[i + SOFT]
                if d <= 0.0 and w[at.STATUS] != at.NO_INERTIA:
                    w[at.STATUS] = at.NO_INERTIA
                    w[at.CULPRIT] = k
                inverse = 1.0 / d
                u = w[i + PULL] - (sn * pn + sx * px + sy * py)
                ratio = u * inverse
                w[i + UN] = un
                w[i + UX] = ux
                w[i + UY] = uy
                w[i + ID] = inverse
                w[i + G] = u
                jj -= un * un * inverse
                hx -= un * ux * inverse
                hy -= un * uy * inverse
                mxx -= ux * ux * inverse
                mxy -= ux * uy * inverse
                myy -= uy * uy * inverse
                fn += un * ratio
                px += ux * ratio
                py += uy * ratio
            fn += hx * bx + hy * by
            fx = px + mxx * bx + mxy * by
            fy = py + mxy * bx + myy * by
            ax = hx - ry * mxx + rx * mxy
            ay = hy - ry * mxy + rx * myy
            jj += rx * (hy + ay) - ry * (hx + ax)
            hx, hy = ax, ay
            fn += rx * fy - ry * fx
        o = links + SIZE * parent
        if opens:  # the first of the children
            w[o + J] = jj
            w[o + HX] = hx
            w[o + HY] = hy
            w[o + MXX] = mxx
            w[o + MXY] = mxy
            w[o + MYY] = myy
            w[o + PN] = fn
            w[o + PX] = fx
            w[o + PY] = fy
        elif parent > 0:
            w[o + J] += jj
            w[o + HX] += hx
            w[o + HY] += hy
            w[o + MXX] += mxx
            w[o + MXY] += mxy
            w[o + MYY] += myy
            w[o + PN] += fn
            w[o + PX] += fx
            w[o + PY] += fy


@kernel(types.void(f8, A, I, A))
def spread_links(known, p, tab, w):
    """From the root outwards: accelerations of coordinates and links; `known` is 0 for a step of a projection."""
    links = tab[at.W_LINK]
    table = tab[at.T_LINK]
    change = tab[at.W_CHANGE]
    numbers = tab[at.P_LINK]
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        i = links + SIZE * k
        o = links + SIZE * tab[row + at.LINK_PARENT]
        an = w[o + AN]
        ax = w[o + AX] - an * w[i + RY] + known * w[i + BX]
        ay = w[o + AY] + an * w[i + RX] + known * w[i + BY]
        kind = tab[row + at.LINK_KIND]
        if kind == at.TURN:
            new = (w[i + G] - w[i + UX] * ax - w[i + UY] * ay) * w[i + ID]
            w[change + tab[row + at.LINK_SPEED]] = p[numbers + NUMBERS * k + L_TURN] * (new - an)
            an = new
        elif kind != at.RIGID:
            new = (w[i + G] - w[i + UN] * an - w[i + UX] * ax - w[i + UY] * ay) * w[i + ID]
            w[change + tab[row + at.LINK_SPEED]] = new
            an += w[i + SN] * new
            ax += w[i + SX] * new
            ay += w[i + SY] * new
        w[i + AN] = an
        w[i + AX] = ax
        w[i + AY] = ay


@kernel(types.void(A, I, A))
def push_rows(p, tab, w):
    """Unit wrenches of all rows from their bodies to the root: what each meets along every step.

    u = S'F          F_parent += shift(F - U u / D)
    """
    links = tab[at.W_LINK]
    push = tab[at.W_PUSH]
    scaled = tab[at.W_SCALED_ENTRY]
    block = tab[at.W_BLOCK]
    row_block = tab[at.T_ROW_BLOCK]
    block_entry = tab[at.T_BLOCK_ENTRY]
    row_entry = tab[at.T_ROW_ENTRY]
    entries = tab[at.T_ENTRY]
    table = tab[at.T_LINK]
    held = tab[at.W_HELD]
    for r in range(tab[at.N_ROWS]):
        first = tab[row_entry + r]
        last = tab[row_entry + r + 1]
        for e in range(push + 4 * first, push + 4 * last):
            w[e] = 0.0
        factor = w[held + r]
        if factor == 0.0:
            for e in range(scaled + first, scaled + last):
                w[e] = 0.0
            continue
        for b in range(tab[row_block + r], tab[row_block + r + 1]):
            e = tab[block_entry + b]
            i = links + SIZE * tab[entries + at.ENTRY_COLUMNS * e + at.ENTRY_LINK]
            j = block + 3 * b
            o = push + 4 * e
            w[o] += w[j + 2] + w[i + CX] * w[j + 1] - w[i + CY] * w[j]
            w[o + 1] += w[j]
            w[o + 2] += w[j + 1]
        for e in range(first, last):
            k = tab[entries + at.ENTRY_COLUMNS * e + at.ENTRY_LINK]
            i = links + SIZE * k
            o = push + 4 * e
            fn, fx, fy = w[o], w[o + 1], w[o + 2]
            kind = tab[table + at.LINK_COLUMNS * k + at.LINK_KIND]
            if kind == at.TURN:
                u = fn
                ratio = u * w[i + ID]
                fn = 0.0
                fx -= w[i + UX] * ratio
                fy -= w[i + UY] * ratio
            elif kind == at.RIGID:
                u = 0.0
            else:
                u = w[i + SN] * fn + w[i + SX] * fx + w[i + SY] * fy
                ratio = u * w[i + ID]
                fn -= w[i + UN] * ratio
                fx -= w[i + UX] * ratio
                fy -= w[i + UY] * ratio
            w[o + 3] = u
            w[scaled + e] = 0.0 if kind == at.RIGID else u * math.sqrt(w[i + ID])
            up = tab[entries + at.ENTRY_COLUMNS * e + at.ENTRY_UP]
            if up >= 0:
                o = push + 4 * up
                w[o] += fn + w[i + RX] * fy - w[i + RY] * fx
                w[o + 1] += fx
                w[o + 2] += fy
