"""Articulated inertia of space, one link at a time; symbols as in `links`."""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels.jit import A, f8, i8, kernel
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
    PF,
    PN,
    SF,
    SN,
    UF,
    UN,
    WAY,
    G,
    R,
    W,
)
from linkwork.kernels.spatial.measures import cross


@kernel(types.void(A, i8, i8, A, i8))
def own_inertia(w, i, h, p, g):
    """Add the rigid inertia of a link's body about P, and the wrench of its speed and of the force h on it."""
    m = p[g + L_MASS]
    cx, cy, cz = w[i + ARM], w[i + ARM + 1], w[i + ARM + 2]
    ix, iy, iz = p[g + L_INERTIA], p[g + L_INERTIA + 1], p[g + L_INERTIA + 2]
    r0, r1, r2 = w[i + R], w[i + R + 1], w[i + R + 2]
    r3, r4, r5 = w[i + R + 3], w[i + R + 4], w[i + R + 5]
    r6, r7, r8 = w[i + R + 6], w[i + R + 7], w[i + R + 8]
    a0, a1, a2 = r0 * ix, r1 * iy, r2 * iz
    b0, b1, b2 = r3 * ix, r4 * iy, r5 * iz
    w[i + JJ] += a0 * r0 + a1 * r1 + a2 * r2 + m * (cy * cy + cz * cz)
    w[i + JJ + 1] += a0 * r3 + a1 * r4 + a2 * r5 - m * cx * cy
    w[i + JJ + 2] += a0 * r6 + a1 * r7 + a2 * r8 - m * cx * cz
    w[i + JJ + 3] += b0 * r3 + b1 * r4 + b2 * r5 + m * (cx * cx + cz * cz)
    w[i + JJ + 4] += b0 * r6 + b1 * r7 + b2 * r8 - m * cy * cz
    w[i + JJ + 5] += r6 * r6 * ix + r7 * r7 * iy + r8 * r8 * iz + m * (cx * cx + cy * cy)
    w[i + HH + 1] -= m * cz
    w[i + HH + 2] += m * cy
    w[i + HH + 3] += m * cz
    w[i + HH + 5] -= m * cx
    w[i + HH + 6] -= m * cy
    w[i + HH + 7] += m * cx
    w[i + MM] += m
    w[i + MM + 3] += m
    w[i + MM + 5] += m
    wx, wy, wz = w[i + W], w[i + W + 1], w[i + W + 2]
    ux, uy, uz = cross(wx, wy, wz, cx, cy, cz)
    ux, uy, uz = cross(wx, wy, wz, ux, uy, uz)
    fx, fy, fz = m * ux - w[h], m * uy - w[h + 1], m * uz - w[h + 2]
    nx, ny, nz = cross(cx, cy, cz, fx, fy, fz)
    mx, my, mz = w[h + 3], w[h + 4], w[h + 5]
    w[i + PN] += nx - (r0 * mx + r1 * my + r2 * mz)
    w[i + PN + 1] += ny - (r3 * mx + r4 * my + r5 * mz)
    w[i + PN + 2] += nz - (r6 * mx + r7 * my + r8 * mz)
    w[i + PF] += fx
    w[i + PF + 1] += fy
    w[i + PF + 2] += fz


@kernel(f8(A, i8))
def free_step(w, i):
    """Take the freedom S out of the inertia of a link, in place; p becomes what is passed on.  Returns D."""
    sx, sy, sz = w[i + SN], w[i + SN + 1], w[i + SN + 2]
    tx, ty, tz = w[i + SF], w[i + SF + 1], w[i + SF + 2]
    j, h, m = i + JJ, i + HH, i + MM
    ux = w[j] * sx + w[j + 1] * sy + w[j + 2] * sz
    uy = w[j + 1] * sx + w[j + 3] * sy + w[j + 4] * sz
    uz = w[j + 2] * sx + w[j + 4] * sy + w[j + 5] * sz
    vx = w[h] * sx + w[h + 3] * sy + w[h + 6] * sz
    vy = w[h + 1] * sx + w[h + 4] * sy + w[h + 7] * sz
    vz = w[h + 2] * sx + w[h + 5] * sy + w[h + 8] * sz
    if tx != 0.0 or ty != 0.0 or tz != 0.0:
        ux += w[h] * tx + w[h + 1] * ty + w[h + 2] * tz
        uy += w[h + 3] * tx + w[h + 4] * ty + w[h + 5] * tz
        uz += w[h + 6] * tx + w[h + 7] * ty + w[h + 8] * tz
        vx += w[m] * tx + w[m + 1] * ty + w[m + 2] * tz
        vy += w[m + 1] * tx + w[m + 3] * ty + w[m + 4] * tz
        vz += w[m + 2] * tx + w[m + 4] * ty + w[m + 5] * tz
    d = sx * ux + sy * uy + sz * uz + tx * vx + ty * vy + tz * vz
    inverse = 1.0 / d
    u = -(sx * w[i + PN] + sy * w[i + PN + 1] + sz * w[i + PN + 2]
          + tx * w[i + PF] + ty * w[i + PF + 1] + tz * w[i + PF + 2])
    w[i + UN] = ux
    w[i + UN + 1] = uy
    w[i + UN + 2] = uz
    w[i + UF] = vx
    w[i + UF + 1] = vy
    w[i + UF + 2] = vz
    w[i + ID] = inverse
    w[i + G] = u
    ax, ay, az = ux * inverse, uy * inverse, uz * inverse
    bx, by, bz = vx * inverse, vy * inverse, vz * inverse
    w[j] -= ux * ax
    w[j + 1] -= ux * ay
    w[j + 2] -= ux * az
    w[j + 3] -= uy * ay
    w[j + 4] -= uy * az
    w[j + 5] -= uz * az
    w[h] -= ux * bx
    w[h + 1] -= ux * by
    w[h + 2] -= ux * bz
    w[h + 3] -= uy * bx
    w[h + 4] -= uy * by
    w[h + 5] -= uy * bz
    w[h + 6] -= uz * bx
    w[h + 7] -= uz * by
    w[h + 8] -= uz * bz
    w[m] -= vx * bx
    w[m + 1] -= vx * by
    w[m + 2] -= vx * bz
    w[m + 3] -= vy * by
    w[m + 4] -= vy * bz
    w[m + 5] -= vz * bz
    w[i + PN] += ax * u
    w[i + PN + 1] += ay * u
    w[i + PN + 2] += az * u
    w[i + PF] += bx * u
    w[i + PF + 1] += by * u
    w[i + PF + 2] += bz * u
    return d


@kernel(f8(A, i8))
def free_ball(w, i):
    """Take all turning out of the inertia: only a force passes on.  J = L L' is left inverted in UN; returns the least
    pivot.

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
    return min(min(d0, d1), d2)


@kernel(types.void(A, i8, i8, i8))
def pass_on(w, i, o, ball):
    """Add what a link passes on, moved to the point of its parent:  I (alpha, a) with the bias c is part of p."""
    j, h, m = i + JJ, i + HH, i + MM
    rx, ry, rz = w[i + WAY], w[i + WAY + 1], w[i + WAY + 2]
    bx, by, bz = w[i + BF], w[i + BF + 1], w[i + BF + 2]
    mxx, mxy, mxz, myy, myz, mzz = w[m], w[m + 1], w[m + 2], w[m + 3], w[m + 4], w[m + 5]
    fx = w[i + PF] + mxx * bx + mxy * by + mxz * bz
    fy = w[i + PF + 1] + mxy * bx + myy * by + myz * bz
    fz = w[i + PF + 2] + mxz * bx + myz * by + mzz * bz
    nx, ny, nz = 0.0, 0.0, 0.0
    # K = [r] M, then H of the parent = H + K and J of the parent = J - H [r] + [r] (H + K)'
    k00, k01, k02 = ry * mxz - rz * mxy, ry * myz - rz * myy, ry * mzz - rz * myz
    k10, k11, k12 = rz * mxx - rx * mxz, rz * mxy - rx * myz, rz * mxz - rx * mzz
    k20, k21, k22 = rx * mxy - ry * mxx, rx * myy - ry * mxy, rx * myz - ry * mxz
    if ball == 0:
        tx, ty, tz = w[i + BN], w[i + BN + 1], w[i + BN + 2]
        h00, h01, h02 = w[h], w[h + 1], w[h + 2]
        h10, h11, h12 = w[h + 3], w[h + 4], w[h + 5]
        h20, h21, h22 = w[h + 6], w[h + 7], w[h + 8]
        nx = (w[i + PN] + w[j] * tx + w[j + 1] * ty + w[j + 2] * tz + h00 * bx + h01 * by + h02 * bz)
        ny = (w[i + PN + 1] + w[j + 1] * tx + w[j + 3] * ty + w[j + 4] * tz + h10 * bx + h11 * by + h12 * bz)
        nz = (w[i + PN + 2] + w[j + 2] * tx + w[j + 4] * ty + w[j + 5] * tz + h20 * bx + h21 * by + h22 * bz)
        fx += h00 * tx + h10 * ty + h20 * tz
        fy += h01 * tx + h11 * ty + h21 * tz
        fz += h02 * tx + h12 * ty + h22 * tz
        k00 += h00
        k01 += h01
        k02 += h02
        k10 += h10
        k11 += h11
        k12 += h12
        k20 += h20
        k21 += h21
        k22 += h22
        # J - H [r]: a row h of H gives h x r, with a minus
        w[o + JJ] += w[j] - (h01 * rz - h02 * ry)
        w[o + JJ + 1] += w[j + 1] - (h02 * rx - h00 * rz)
        w[o + JJ + 2] += w[j + 2] - (h00 * ry - h01 * rx)
        w[o + JJ + 3] += w[j + 3] - (h12 * rx - h10 * rz)
        w[o + JJ + 4] += w[j + 4] - (h10 * ry - h11 * rx)
        w[o + JJ + 5] += w[j + 5] - (h20 * ry - h21 * rx)
    # [r] (H + K)': column c of it is r x (row c of H + K)
    w[o + JJ] += ry * k02 - rz * k01
    w[o + JJ + 1] += ry * k12 - rz * k11
    w[o + JJ + 2] += ry * k22 - rz * k21
    w[o + JJ + 3] += rz * k10 - rx * k12
    w[o + JJ + 4] += rz * k20 - rx * k22
    w[o + JJ + 5] += rx * k21 - ry * k20
    w[o + HH] += k00
    w[o + HH + 1] += k01
    w[o + HH + 2] += k02
    w[o + HH + 3] += k10
    w[o + HH + 4] += k11
    w[o + HH + 5] += k12
    w[o + HH + 6] += k20
    w[o + HH + 7] += k21
    w[o + HH + 8] += k22
    w[o + MM] += mxx
    w[o + MM + 1] += mxy
    w[o + MM + 2] += mxz
    w[o + MM + 3] += myy
    w[o + MM + 4] += myz
    w[o + MM + 5] += mzz
    w[o + PN] += nx + ry * fz - rz * fy
    w[o + PN + 1] += ny + rz * fx - rx * fz
    w[o + PN + 2] += nz + rx * fy - ry * fx
    w[o + PF] += fx
    w[o + PF + 1] += fy
    w[o + PF + 2] += fz
