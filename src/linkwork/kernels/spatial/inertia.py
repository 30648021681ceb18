"""Articulated inertia of space, from the tips inwards; symbols as in `links`.

One long function on purpose: the 27 numbers of an inertia and its wrench stay in registers from link to link.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, f8, i8, kernel, types
from linkwork.kernels.spatial.frames import cross
from linkwork.kernels.spatial.links import (
    ARM,
    BF,
    BN,
    HH,
    ID,
    JJ,
    L_INERTIA,
    L_MASS,
    MM,
    NUMBERS,
    PF,
    PN,
    PULL,
    SF,
    SIZE,
    SN,
    SOFT,
    UF,
    UN,
    WAY,
    G,
    R,
    W,
)


@kernel(f8(A, i8))
def free_ball(w, i):
    """Take all turning out of the inertia: only a force passes on.  J = L L' is left inverted in UN; returns a
    pivot that is not positive, if there is one.

        M - (L^-1 H)'(L^-1 H)          f = p_f + (L^-1 H)'(-L^-1 p_n)
    """
    j, h, m, o = i + JJ, i + HH, i + MM, i + UN
    d0 = w[j]
    l00 = 1.0 / math.sqrt(d0)
    l10 = w[j + 1] * l00
    d1 = w[j + 3] - l10 * l10
    l11 = 1.0 / math.sqrt(d1)
    l20 = w[j + 2] * l00
    l21 = (w[j + 4] - l20 * l10) * l11
    d2 = w[j + 5] - l20 * l20 - l21 * l21
    l22 = 1.0 / math.sqrt(d2)
    # inverse of L
    w[o] = l00
    w[o + 1] = -l10 * l00 * l11
    w[o + 2] = l11
    w[o + 4] = -l21 * l11 * l22
    w[o + 3] = -(l20 * l00 + l21 * w[o + 1]) * l22
    w[o + 5] = l22
    nx, ny, nz = w[i + PN], w[i + PN + 1], w[i + PN + 2]
    w[i + G] = -nx
    w[i + G + 1] = -ny
    w[i + G + 2] = -nz
    g0 = -(w[o] * nx)
    g1 = -(w[o + 1] * nx + w[o + 2] * ny)
    g2 = -(w[o + 3] * nx + w[o + 4] * ny + w[o + 5] * nz)
    a0, a1, a2 = w[o] * w[h], w[o] * w[h + 1], w[o] * w[h + 2]
    b0 = w[o + 1] * w[h] + w[o + 2] * w[h + 3]
    b1 = w[o + 1] * w[h + 1] + w[o + 2] * w[h + 4]
    b2 = w[o + 1] * w[h + 2] + w[o + 2] * w[h + 5]
    c0 = w[o + 3] * w[h] + w[o + 4] * w[h + 3] + w[o + 5] * w[h + 6]
    c1 = w[o + 3] * w[h + 1] + w[o + 4] * w[h + 4] + w[o + 5] * w[h + 7]
    c2 = w[o + 3] * w[h + 2] + w[o + 4] * w[h + 5] + w[o + 5] * w[h + 8]
    w[m] -= a0 * a0 + b0 * b0 + c0 * c0
    w[m + 1] -= a0 * a1 + b0 * b1 + c0 * c1
    w[m + 2] -= a0 * a2 + b0 * b2 + c0 * c2
    w[m + 3] -= a1 * a1 + b1 * b1 + c1 * c1
    w[m + 4] -= a1 * a2 + b1 * b2 + c1 * c2
    w[m + 5] -= a2 * a2 + b2 * b2 + c2 * c2
    w[i + PF] += a0 * g0 + b0 * g1 + c0 * g2
    w[i + PF + 1] += a1 * g0 + b1 * g1 + c1 * g2
    w[i + PF + 2] += a2 * g0 + b2 * g1 + c2 * g2
    if d0 <= 0.0:  # what follows from it is nan
        return d0
    return d1 if d1 <= 0.0 else d2


@kernel(types.void(A, I, A))
def gather(p, tab, w):
    """Articulated inertia, and the wrench that applied forces and speeds leave.

    own:    J = R diag R' - m [s][s],  H = m [s],  f = m w x (w x s) - force,  n = s x f - moment + w x (J w)
    step:   U = I S,  D = S'U,  u = -S'p,  I -= U U'/D,  p += U u/D + I c
    shift:  H += [r] M,  J += [r] H' - H [r],  n += r x f
    """
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
        jxx, jxy, jxz, jyy, jyz, jzz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        hxx, hxy, hxz, hyx, hyy, hyz, hzx, hzy, hzz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        mxx, mxy, mxz, myy, myz, mzz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        nx, ny, nz, fx, fy, fz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        if carries:
            jxx, jxy, jxz, jyy, jyz, jzz = (
                w[i + JJ],
                w[i + JJ + 1],
                w[i + JJ + 2],
                w[i + JJ + 3],
                w[i + JJ + 4],
                w[i + JJ + 5],
            )
            hxx, hxy, hxz = w[i + HH], w[i + HH + 1], w[i + HH + 2]
            hyx, hyy, hyz = w[i + HH + 3], w[i + HH + 4], w[i + HH + 5]
            hzx, hzy, hzz = w[i + HH + 6], w[i + HH + 7], w[i + HH + 8]
            mxx, mxy, mxz, myy, myz, mzz = (
                w[i + MM],
                w[i + MM + 1],
                w[i + MM + 2],
                w[i + MM + 3],
                w[i + MM + 4],
                w[i + MM + 5],
            )
            nx, ny, nz, fx, fy, fz = w[i + PN], w[i + PN + 1], w[i + PN + 2], w[i + PF], w[i + PF + 1], w[i + PF + 2]
        if body > 0:
            m = p[g + L_MASS]
            cx, cy, cz = w[i + ARM], w[i + ARM + 1], w[i + ARM + 2]
            ix, iy, iz = p[g + L_INERTIA], p[g + L_INERTIA + 1], p[g + L_INERTIA + 2]
            r0, r1, r2 = w[i + R], w[i + R + 1], w[i + R + 2]
            r3, r4, r5 = w[i + R + 3], w[i + R + 4], w[i + R + 5]
            r6, r7, r8 = w[i + R + 6], w[i + R + 7], w[i + R + 8]
            wx, wy, wz = w[i + W], w[i + W + 1], w[i + W + 2]
            a0, a1, a2 = r0 * ix, r1 * iy, r2 * iz
            b0, b1, b2 = r3 * ix, r4 * iy, r5 * iz
            mx, my, mz = m * cx, m * cy, m * cz
            jxx += a0 * r0 + a1 * r1 + a2 * r2 + my * cy + mz * cz
            jxy += a0 * r3 + a1 * r4 + a2 * r5 - mx * cy
            jxz += a0 * r6 + a1 * r7 + a2 * r8 - mx * cz
            jyy += b0 * r3 + b1 * r4 + b2 * r5 + mx * cx + mz * cz
            jyz += b0 * r6 + b1 * r7 + b2 * r8 - my * cz
            jzz += r6 * r6 * ix + r7 * r7 * iy + r8 * r8 * iz + mx * cx + my * cy
            hxy -= mz
            hxz += my
            hyx += mz
            hyz -= mx
            hzx -= my
            hzy += mx
            mxx += m
            myy += m
            mzz += m
            h = applied + 6 * body
            ux, uy, uz = cross(wx, wy, wz, mx, my, mz)
            ux, uy, uz = cross(wx, wy, wz, ux, uy, uz)
            ux, uy, uz = ux - w[h], uy - w[h + 1], uz - w[h + 2]
            vx, vy, vz = cross(cx, cy, cz, ux, uy, uz)
            # moments in body axes: the applied one, less w x (J w)
            s0, s1, s2 = r0 * wx + r3 * wy + r6 * wz, r1 * wx + r4 * wy + r7 * wz, r2 * wx + r5 * wy + r8 * wz
            t0 = w[h + 3] + (iy - iz) * s1 * s2
            t1 = w[h + 4] + (iz - ix) * s2 * s0
            t2 = w[h + 5] + (ix - iy) * s0 * s1
            nx += vx - (r0 * t0 + r1 * t1 + r2 * t2)
            ny += vy - (r3 * t0 + r4 * t1 + r5 * t2)
            nz += vz - (r6 * t0 + r7 * t1 + r8 * t2)
            fx += ux
            fy += uy
            fz += uz
        bx, by, bz = w[i + BF], w[i + BF + 1], w[i + BF + 2]
        if kind == at.BALL:
            w[i + JJ], w[i + JJ + 1], w[i + JJ + 2], w[i + JJ + 3], w[i + JJ + 4], w[i + JJ + 5] = (
                jxx,
                jxy,
                jxz,
                jyy,
                jyz,
                jzz,
            )
            w[i + HH], w[i + HH + 1], w[i + HH + 2] = hxx, hxy, hxz
            w[i + HH + 3], w[i + HH + 4], w[i + HH + 5] = hyx, hyy, hyz
            w[i + HH + 6], w[i + HH + 7], w[i + HH + 8] = hzx, hzy, hzz
            w[i + MM], w[i + MM + 1], w[i + MM + 2], w[i + MM + 3], w[i + MM + 4], w[i + MM + 5] = (
                mxx,
                mxy,
                mxz,
                myy,
                myz,
                mzz,
            )
            w[i + PN], w[i + PN + 1], w[i + PN + 2], w[i + PF], w[i + PF + 1], w[i + PF + 2] = nx, ny, nz, fx, fy, fz
            if free_ball(w, i) <= 0.0 and w[at.STATUS] != at.NO_INERTIA:
                w[at.STATUS] = at.NO_INERTIA
                w[at.CULPRIT] = k
            mxx, mxy, mxz, myy, myz, mzz = (
                w[i + MM],
                w[i + MM + 1],
                w[i + MM + 2],
                w[i + MM + 3],
                w[i + MM + 4],
                w[i + MM + 5],
            )
            fx, fy, fz = w[i + PF], w[i + PF + 1], w[i + PF + 2]
            jxx, jxy, jxz, jyy, jyz, jzz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            hxx, hxy, hxz, hyx, hyy, hyz, hzx, hzy, hzz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
            nx, ny, nz = 0.0, 0.0, 0.0
        elif kind != at.RIGID:
            sx, sy, sz = w[i + SN], w[i + SN + 1], w[i + SN + 2]
            ux, uy, uz = jxx * sx + jxy * sy + jxz * sz, jxy * sx + jyy * sy + jyz * sz, jxz * sx + jyz * sy + jzz * sz
            vx, vy, vz = hxx * sx + hyx * sy + hzx * sz, hxy * sx + hyy * sy + hzy * sz, hxz * sx + hyz * sy + hzz * sz
            d = sx * ux + sy * uy + sz * uz
            u = -(sx * nx + sy * ny + sz * nz)
            if kind != at.TURN:
                tx, ty, tz = w[i + SF], w[i + SF + 1], w[i + SF + 2]
                u -= tx * fx + ty * fy + tz * fz
                ux += hxx * tx + hxy * ty + hxz * tz
                uy += hyx * tx + hyy * ty + hyz * tz
                uz += hzx * tx + hzy * ty + hzz * tz
                vx += mxx * tx + mxy * ty + mxz * tz
                vy += mxy * tx + myy * ty + myz * tz
                vz += mxz * tx + myz * ty + mzz * tz
                d = sx * ux + sy * uy + sz * uz + tx * vx + ty * vy + tz * vz
            if d <= 0.0 and w[at.STATUS] != at.NO_INERTIA:  # the first one is meant
                w[at.STATUS] = at.NO_INERTIA
                w[at.CULPRIT] = k
            d += w[i + SOFT]
            u += w[i + PULL]
            inverse = 1.0 / d
            w[i + UN], w[i + UN + 1], w[i + UN + 2] = ux, uy, uz
            w[i + UF], w[i + UF + 1], w[i + UF + 2] = vx, vy, vz
            w[i + ID] = inverse
            w[i + G] = u
            ax, ay, az = ux * inverse, uy * inverse, uz * inverse
            cx, cy, cz = vx * inverse, vy * inverse, vz * inverse
            jxx -= ux * ax
            jxy -= ux * ay
            jxz -= ux * az
            jyy -= uy * ay
            jyz -= uy * az
            jzz -= uz * az
            hxx -= ux * cx
            hxy -= ux * cy
            hxz -= ux * cz
            hyx -= uy * cx
            hyy -= uy * cy
            hyz -= uy * cz
            hzx -= uz * cx
            hzy -= uz * cy
            hzz -= uz * cz
            mxx -= vx * cx
            mxy -= vx * cy
            mxz -= vx * cz
            myy -= vy * cy
            myz -= vy * cz
            mzz -= vz * cz
            nx += ax * u
            ny += ay * u
            nz += az * u
            fx += cx * u
            fy += cy * u
            fz += cz * u
        if parent == 0:
            continue
        # p + I c
        tx, ty, tz = w[i + BN], w[i + BN + 1], w[i + BN + 2]
        nx += jxx * tx + jxy * ty + jxz * tz + hxx * bx + hxy * by + hxz * bz
        ny += jxy * tx + jyy * ty + jyz * tz + hyx * bx + hyy * by + hyz * bz
        nz += jxz * tx + jyz * ty + jzz * tz + hzx * bx + hzy * by + hzz * bz
        fx += hxx * tx + hyx * ty + hzx * tz + mxx * bx + mxy * by + mxz * bz
        fy += hxy * tx + hyy * ty + hzy * tz + mxy * bx + myy * by + myz * bz
        fz += hxz * tx + hyz * ty + hzz * tz + mxz * bx + myz * by + mzz * bz
        # to the point of the parent:  K = H + [r] M;  J - H [r] + [r] K'
        rx, ry, rz = w[i + WAY], w[i + WAY + 1], w[i + WAY + 2]
        kxx, kxy, kxz = hxx + ry * mxz - rz * mxy, hxy + ry * myz - rz * myy, hxz + ry * mzz - rz * myz
        kyx, kyy, kyz = hyx + rz * mxx - rx * mxz, hyy + rz * mxy - rx * myz, hyz + rz * mxz - rx * mzz
        kzx, kzy, kzz = hzx + rx * mxy - ry * mxx, hzy + rx * myy - ry * mxy, hzz + rx * myz - ry * mxz
        jxx += ry * (hxz + kxz) - rz * (hxy + kxy)
        jxy += rz * hxx - rx * hxz + ry * kyz - rz * kyy
        jxz += rx * hxy - ry * hxx + ry * kzz - rz * kzy
        jyy += rz * (hyx + kyx) - rx * (hyz + kyz)
        jyz += rx * hyy - ry * hyx + rz * kzx - rx * kzz
        jzz += rx * (hzy + kzy) - ry * (hzx + kzx)
        nx += ry * fz - rz * fy
        ny += rz * fx - rx * fz
        nz += rx * fy - ry * fx
        o = links + SIZE * parent
        if not opens:  # another child was there before
            jxx, jxy, jxz = jxx + w[o + JJ], jxy + w[o + JJ + 1], jxz + w[o + JJ + 2]
            jyy, jyz, jzz = jyy + w[o + JJ + 3], jyz + w[o + JJ + 4], jzz + w[o + JJ + 5]
            kxx, kxy, kxz = kxx + w[o + HH], kxy + w[o + HH + 1], kxz + w[o + HH + 2]
            kyx, kyy, kyz = kyx + w[o + HH + 3], kyy + w[o + HH + 4], kyz + w[o + HH + 5]
            kzx, kzy, kzz = kzx + w[o + HH + 6], kzy + w[o + HH + 7], kzz + w[o + HH + 8]
            mxx, mxy, mxz = mxx + w[o + MM], mxy + w[o + MM + 1], mxz + w[o + MM + 2]
            myy, myz, mzz = myy + w[o + MM + 3], myz + w[o + MM + 4], mzz + w[o + MM + 5]
            nx, ny, nz = nx + w[o + PN], ny + w[o + PN + 1], nz + w[o + PN + 2]
            fx, fy, fz = fx + w[o + PF], fy + w[o + PF + 1], fz + w[o + PF + 2]
        w[o + JJ], w[o + JJ + 1], w[o + JJ + 2], w[o + JJ + 3], w[o + JJ + 4], w[o + JJ + 5] = (
            jxx,
            jxy,
            jxz,
            jyy,
            jyz,
            jzz,
        )
        w[o + HH], w[o + HH + 1], w[o + HH + 2] = kxx, kxy, kxz
        w[o + HH + 3], w[o + HH + 4], w[o + HH + 5] = kyx, kyy, kyz
        w[o + HH + 6], w[o + HH + 7], w[o + HH + 8] = kzx, kzy, kzz
        w[o + MM], w[o + MM + 1], w[o + MM + 2], w[o + MM + 3], w[o + MM + 4], w[o + MM + 5] = (
            mxx,
            mxy,
            mxz,
            myy,
            myz,
            mzz,
        )
        w[o + PN], w[o + PN + 1], w[o + PN + 2], w[o + PF], w[o + PF + 1], w[o + PF + 2] = nx, ny, nz, fx, fy, fz
