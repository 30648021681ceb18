"""The recursion of space outwards, and the rows of loops on their way to the root; symbols as in `links`."""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, kernel, types
from linkwork.kernels.spatial.frames import cross
from linkwork.kernels.spatial.links import AF, AN, ARM, BF, BN, FAR, HH, ID, SF, SIZE, SN, UF, UN, WAY, G, R


@kernel(types.void(f8, A, I, A))
def spread_links(known, p, tab, w):
    """From the root outwards: accelerations of coordinates and links; `known` is 0 for a step of a projection."""
    links = tab[at.W_LINK]
    table = tab[at.T_LINK]
    change = tab[at.W_CHANGE]
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        i = links + SIZE * k
        o = links + SIZE * tab[row + at.LINK_PARENT]
        nx, ny, nz = w[o + AN], w[o + AN + 1], w[o + AN + 2]
        ux, uy, uz = cross(nx, ny, nz, w[i + WAY], w[i + WAY + 1], w[i + WAY + 2])
        ax = w[o + AF] + ux + known * w[i + BF]
        ay = w[o + AF + 1] + uy + known * w[i + BF + 1]
        az = w[o + AF + 2] + uz + known * w[i + BF + 2]
        nx += known * w[i + BN]
        ny += known * w[i + BN + 1]
        nz += known * w[i + BN + 2]
        kind = tab[row + at.LINK_KIND]
        v = change + tab[row + at.LINK_SPEED]
        if kind == at.BALL:
            # J alpha = u - H a
            h, l = i + HH, i + UN
            gx = w[i + G] - (w[h] * ax + w[h + 1] * ay + w[h + 2] * az)
            gy = w[i + G + 1] - (w[h + 3] * ax + w[h + 4] * ay + w[h + 5] * az)
            gz = w[i + G + 2] - (w[h + 6] * ax + w[h + 7] * ay + w[h + 8] * az)
            t0 = w[l] * gx
            t1 = w[l + 1] * gx + w[l + 2] * gy
            t2 = w[l + 3] * gx + w[l + 4] * gy + w[l + 5] * gz
            tx = w[l] * t0 + w[l + 1] * t1 + w[l + 3] * t2
            ty = w[l + 2] * t1 + w[l + 4] * t2
            tz = w[l + 5] * t2
            dx, dy, dz = tx - nx, ty - ny, tz - nz
            f = i + FAR
            for c in range(3):
                w[v + c] = w[f + c] * dx + w[f + 3 + c] * dy + w[f + 6 + c] * dz
            nx, ny, nz = tx, ty, tz
        elif kind != at.RIGID:
            new = (
                w[i + G]
                - w[i + UN] * nx
                - w[i + UN + 1] * ny
                - w[i + UN + 2] * nz
                - w[i + UF] * ax
                - w[i + UF + 1] * ay
                - w[i + UF + 2] * az
            ) * w[i + ID]
            w[v] = new
            nx += w[i + SN] * new
            ny += w[i + SN + 1] * new
            nz += w[i + SN + 2] * new
            ax += w[i + SF] * new
            ay += w[i + SF + 1] * new
            az += w[i + SF + 2] * new
        w[i + AN] = nx
        w[i + AN + 1] = ny
        w[i + AN + 2] = nz
        w[i + AF] = ax
        w[i + AF + 1] = ay
        w[i + AF + 2] = az


@kernel(types.void(A, I, A))
def push_rows(p, tab, w):
    """Unit wrenches of all rows from their bodies to the root; see `planar.recursion`.  A ball has three entries."""
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
        for e in range(push + 7 * first, push + 7 * last):
            w[e] = 0.0
        if w[held + r] == 0.0:
            for e in range(scaled + first, scaled + last):
                w[e] = 0.0
            continue
        for b in range(tab[row_block + r], tab[row_block + r + 1]):
            e = tab[block_entry + b]
            i = links + SIZE * tab[entries + at.ENTRY_COLUMNS * e + at.ENTRY_LINK]
            j = block + 6 * b
            o = push + 7 * e
            fx, fy, fz = w[j], w[j + 1], w[j + 2]
            nx, ny, nz = cross(w[i + ARM], w[i + ARM + 1], w[i + ARM + 2], fx, fy, fz)
            mx, my, mz = w[j + 3], w[j + 4], w[j + 5]
            w[o] += nx + w[i + R] * mx + w[i + R + 1] * my + w[i + R + 2] * mz
            w[o + 1] += ny + w[i + R + 3] * mx + w[i + R + 4] * my + w[i + R + 5] * mz
            w[o + 2] += nz + w[i + R + 6] * mx + w[i + R + 7] * my + w[i + R + 8] * mz
            w[o + 3] += fx
            w[o + 4] += fy
            w[o + 5] += fz
        for e in range(first, last):
            if tab[entries + at.ENTRY_COLUMNS * e + at.ENTRY_PART] > 0:  # written with the first component of its ball
                continue
            k = tab[entries + at.ENTRY_COLUMNS * e + at.ENTRY_LINK]
            i = links + SIZE * k
            o = push + 7 * e
            nx, ny, nz = w[o], w[o + 1], w[o + 2]
            fx, fy, fz = w[o + 3], w[o + 4], w[o + 5]
            kind = tab[table + at.LINK_COLUMNS * k + at.LINK_KIND]
            if kind == at.BALL:
                l, h = i + UN, i + HH
                t0 = w[l] * nx
                t1 = w[l + 1] * nx + w[l + 2] * ny
                t2 = w[l + 3] * nx + w[l + 4] * ny + w[l + 5] * nz
                w[scaled + e] = t0
                w[scaled + e + 1] = t1
                w[scaled + e + 2] = t2
                w[o + 6] = nx
                w[o + 13] = ny
                w[o + 20] = nz
                tx = w[l] * t0 + w[l + 1] * t1 + w[l + 3] * t2
                ty = w[l + 2] * t1 + w[l + 4] * t2
                tz = w[l + 5] * t2
                fx -= w[h] * tx + w[h + 3] * ty + w[h + 6] * tz
                fy -= w[h + 1] * tx + w[h + 4] * ty + w[h + 7] * tz
                fz -= w[h + 2] * tx + w[h + 5] * ty + w[h + 8] * tz
                nx, ny, nz = 0.0, 0.0, 0.0
            elif kind == at.RIGID:
                w[scaled + e] = 0.0
            else:
                u = (
                    w[i + SN] * nx
                    + w[i + SN + 1] * ny
                    + w[i + SN + 2] * nz
                    + w[i + SF] * fx
                    + w[i + SF + 1] * fy
                    + w[i + SF + 2] * fz
                )
                ratio = u * w[i + ID]
                w[o + 6] = u
                w[scaled + e] = u * math.sqrt(w[i + ID])
                nx -= w[i + UN] * ratio
                ny -= w[i + UN + 1] * ratio
                nz -= w[i + UN + 2] * ratio
                fx -= w[i + UF] * ratio
                fy -= w[i + UF + 1] * ratio
                fz -= w[i + UF + 2] * ratio
            up = tab[entries + at.ENTRY_COLUMNS * e + at.ENTRY_UP]
            if up >= 0:
                o = push + 7 * up
                tx, ty, tz = cross(w[i + WAY], w[i + WAY + 1], w[i + WAY + 2], fx, fy, fz)
                w[o] += nx + tx
                w[o + 1] += ny + ty
                w[o + 2] += nz + tz
                w[o + 3] += fx
                w[o + 4] += fy
                w[o + 5] += fz
