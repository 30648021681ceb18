"""Joint coordinates of the plane: q = the freedoms of the joints along a tree, v = q'.

Links follow each other along the tree, each one step (a turn, a slide, a roll, or none) away from its parent; a joint
with two freedoms has a link without mass in between.  Articulated bodies, in world axes about the point P of the link:

        wrench = I (alpha, a) + p          I = own + sum over children of  X'(I - U U'/D) X
        U = I S     D = S'U     u = -S'p     q'' = (u - U'(X a_parent + c)) / D

A row that closes a loop is a unit wrench on two bodies, pushed to the root through the same recursion (`push_rows`);
what it meets along each step gives  S_rs = sum u_r u_s / D  without going out again (see `loops`).

| symbol   | word                                                                      | in the scratch of a link |
|----------|---------------------------------------------------------------------------|--------------------------|
| x y      | point P, where the step ends                                              | X Y                      |
| phi      | angle of the link; that of its body, if it carries one                    | PHI COS SIN              |
| v w      | velocity of P, angular velocity                                           | VX VY W                  |
| r        | from P of the parent to P                                                 | RX RY                    |
| c        | acceleration of P that is there without q'' and without the parent's      | BX BY                    |
| S        | velocity of the step for q' = 1: turning, then P                          | SN SX SY                 |
| I        | articulated inertia: wrench (n, f) of (alpha, a)                          | J HX HY MXX MXY MYY      |
| p        | wrench that is there without acceleration                                 | PN PX PY                 |
| U 1/D u  | see above; with the forces of rows in u                                   | UN UX UY ID G            |
| a        | angular acceleration, acceleration of P                                   | AN AX AY                 |
| s        | from P to the mass centre                                                 | CX CY                    |
"""

from __future__ import annotations

import math

from numba import types

from linkwork.kernels import layout as at
from linkwork.kernels.equations import MOST_REFINEMENTS, driver_power
from linkwork.kernels.jit import RHS, A, I, f8, i8, kernel
from linkwork.kernels.loops import add_multipliers, factor_loops, loop_residual
from linkwork.kernels.planar.measures import evaluate_measures, place_frames
from linkwork.kernels.projection import DONE, FACTOR, next_step, row_error
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import apply_laws, evaluate_functions

_POSE = at.POSE_SCRATCH[2]
_SIZE = at.LINK_SCRATCH[2]
_NUMBERS = at.LINK_NUMBERS[2]
(X, Y, PHI, COS, SIN, VX, VY, W, RX, RY, BX, BY, SN, SX, SY, J, HX, HY, MXX, MXY, MYY, PN, PX, PY, UN, UX, UY, ID, G,
 AN, AX, AY, CX, CY) = range(34)
#: numbers of a link: place of the step and its angle on the parent (with cosine and sine), direction of a slide,
#: how much q slides and turns, mass centre, mass, inertia
(L_X, L_Y, L_ANGLE, L_COS, L_SIN, L_DX, L_DY, L_SLIDE, L_TURN, L_CX, L_CY, L_MASS, L_INERTIA) = range(_NUMBERS)


@kernel(types.void(A, A, I, A))
def place_links(y, p, tab, w):
    """From the root outwards: where every link is, and how fast."""
    n_q = tab[at.N_Q]
    links = tab[at.W_LINK]
    table = tab[at.T_LINK]
    numbers = tab[at.P_LINK]
    w[links + COS] = 1.0
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        g = numbers + _NUMBERS * k
        o = links + _SIZE * tab[row + 1]
        i = links + _SIZE * k
        kind = tab[row]
        c, s, spin = w[o + COS], w[o + SIN], w[o + W]
        rx = c * p[g + L_X] - s * p[g + L_Y]
        ry = s * p[g + L_X] + c * p[g + L_Y]
        if kind == at.TURN:
            phi = w[o + PHI] + p[g + L_ANGLE] + p[g + L_TURN] * y[tab[row + 2]]
            w[i + PHI] = phi
            c, s = math.cos(phi), math.sin(phi)
            w[i + W] = spin + p[g + L_TURN] * y[n_q + tab[row + 3]]
            w[i + VX] = w[o + VX] - spin * ry
            w[i + VY] = w[o + VY] + spin * rx
            w[i + BX] = -spin * spin * rx
            w[i + BY] = -spin * spin * ry
        else:
            sx, sy, turn = 0.0, 0.0, 0.0  # S
            fx, fy = 0.0, 0.0             # second derivative of the place against q
            speed = 0.0
            phi = w[o + PHI] + p[g + L_ANGLE]
            ec = c * p[g + L_COS] - s * p[g + L_SIN]
            es = s * p[g + L_COS] + c * p[g + L_SIN]
            if kind != at.RIGID:
                q = y[tab[row + 2]]
                speed = y[n_q + tab[row + 3]]
                slide = p[g + L_SLIDE]
                turn = p[g + L_TURN]
                if kind != at.SLIDE:
                    phi += turn * q
                    ec, es = math.cos(phi), math.sin(phi)
                if kind == at.ROLL_BACK:  # along an axis of the link itself, which turns:  slide q e(phi)
                    dx = ec * p[g + L_DX] - es * p[g + L_DY]
                    dy = es * p[g + L_DX] + ec * p[g + L_DY]
                    sx = slide * (dx - q * turn * dy)
                    sy = slide * (dy + q * turn * dx)
                    fx = -slide * turn * (2.0 * dy + q * turn * dx)
                    fy = slide * turn * (2.0 * dx - q * turn * dy)
                else:
                    dx = c * p[g + L_DX] - s * p[g + L_DY]
                    dy = s * p[g + L_DX] + c * p[g + L_DY]
                    sx, sy = slide * dx, slide * dy
                rx += slide * q * dx
                ry += slide * q * dy
            w[i + PHI] = phi
            c, s = ec, es
            w[i + SN] = turn
            w[i + SX] = sx
            w[i + SY] = sy
            w[i + W] = spin + turn * speed
            w[i + VX] = w[o + VX] - spin * ry + sx * speed
            w[i + VY] = w[o + VY] + spin * rx + sy * speed
            w[i + BX] = -spin * spin * rx - 2.0 * spin * sy * speed + fx * speed * speed
            w[i + BY] = -spin * spin * ry + 2.0 * spin * sx * speed + fy * speed * speed
        w[i + COS] = c
        w[i + SIN] = s
        w[i + RX] = rx
        w[i + RY] = ry
        w[i + X] = w[o + X] + rx
        w[i + Y] = w[o + Y] + ry
        w[i + CX] = c * p[g + L_CX] - s * p[g + L_CY]
        w[i + CY] = s * p[g + L_CX] + c * p[g + L_CY]


@kernel(types.void(I, A))
def place_bodies(tab, w):
    """Poses and twists of the bodies from their links."""
    links = tab[at.W_LINK]
    carriers = tab[at.T_BODY_LINK]
    pose = tab[at.W_POSE]
    twist = tab[at.W_TWIST]
    w[pose + 3] = 1.0  # ground: cos 0
    for body in range(1, tab[at.N_BODIES] + 1):
        i = links + _SIZE * tab[carriers + body]
        b = pose + _POSE * body
        spin, cx, cy = w[i + W], w[i + CX], w[i + CY]
        w[b] = w[i + X] + cx
        w[b + 1] = w[i + Y] + cy
        w[b + 2] = w[i + PHI]
        w[b + 3] = w[i + COS]
        w[b + 4] = w[i + SIN]
        b = twist + 3 * body
        w[b] = w[i + VX] - spin * cy
        w[b + 1] = w[i + VY] + spin * cx
        w[b + 2] = spin


@kernel(types.void(f8, I, A))
def accelerate_bodies(known, tab, w):
    """Accelerations of the mass centres from those of the links."""
    links = tab[at.W_LINK]
    carriers = tab[at.T_BODY_LINK]
    bodies = tab[at.W_ACCELERATION]
    for body in range(1, tab[at.N_BODIES] + 1):
        i = links + _SIZE * tab[carriers + body]
        b = bodies + 3 * body
        an, cx, cy = w[i + AN], w[i + CX], w[i + CY]
        square = known * w[i + W] * w[i + W]
        w[b] = w[i + AX] - an * cy - square * cx
        w[b + 1] = w[i + AY] + an * cx - square * cy
        w[b + 2] = an


@kernel(types.void(A, I, A))
def gather(p, tab, w):
    """From the tips inwards: articulated inertia, and the wrench that applied forces and speeds leave."""
    links = tab[at.W_LINK]
    table = tab[at.T_LINK]
    numbers = tab[at.P_LINK]
    applied = tab[at.W_APPLIED]
    for k in range(tab[at.N_LINKS], 0, -1):
        row = table + at.LINK_COLUMNS * k
        g = numbers + _NUMBERS * k
        i = links + _SIZE * k
        kind, parent, body = tab[row], tab[row + 1], tab[row + 4]
        carries, opens = tab[row + 5] & 1, tab[row + 5] & 2
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
            if not jj > 0.0:
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
                d = sn * un + sx * ux + sy * uy
                if not d > 0.0:
                    w[at.STATUS] = at.NO_INERTIA
                    w[at.CULPRIT] = k
                inverse = 1.0 / d
                u = -(sn * pn + sx * px + sy * py)
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
        o = links + _SIZE * parent
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
def spread(known, p, tab, w):
    """From the root outwards: accelerations of coordinates and links; `known` is 0 for a step of a projection."""
    links = tab[at.W_LINK]
    table = tab[at.T_LINK]
    change = tab[at.W_SPEED_CHANGE]
    numbers = tab[at.P_LINK]
    for k in range(1, tab[at.N_LINKS] + 1):
        row = table + at.LINK_COLUMNS * k
        i = links + _SIZE * k
        o = links + _SIZE * tab[row + 1]
        an = w[o + AN]
        ax = w[o + AX] - an * w[i + RY] + known * w[i + BX]
        ay = w[o + AY] + an * w[i + RX] + known * w[i + BY]
        kind = tab[row]
        if kind == at.TURN:
            new = (w[i + G] - w[i + UX] * ax - w[i + UY] * ay) * w[i + ID]
            w[change + tab[row + 3]] = p[numbers + _NUMBERS * k + L_TURN] * (new - an)
            an = new
        elif kind != at.RIGID:
            new = (w[i + G] - w[i + UN] * an - w[i + UX] * ax - w[i + UY] * ay) * w[i + ID]
            w[change + tab[row + 3]] = new
            an += w[i + SN] * new
            ax += w[i + SX] * new
            ay += w[i + SY] * new
        w[i + AN] = an
        w[i + AX] = ax
        w[i + AY] = ay


@kernel(types.void(A, I, A))
def push_rows(p, tab, w):
    """Unit wrenches of all rows from their bodies to the root: what each meets along every step, in W_PUSH and W_SCALED.

        u = S'F          F_parent += shift(F - U u / D)
    """
    links = tab[at.W_LINK]
    push = tab[at.W_PUSH]
    scaled = tab[at.W_SCALED]
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
            i = links + _SIZE * tab[entries + 3 * e]
            j = block + 3 * b
            o = push + 4 * e
            w[o] += w[j + 2] + w[i + CX] * w[j + 1] - w[i + CY] * w[j]
            w[o + 1] += w[j]
            w[o + 2] += w[j + 1]
        for e in range(first, last):
            k = tab[entries + 3 * e]
            i = links + _SIZE * k
            o = push + 4 * e
            fn, fx, fy = w[o], w[o + 1], w[o + 2]
            kind = tab[table + at.LINK_COLUMNS * k]
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
            up = tab[entries + 3 * e + 1]
            if up >= 0:
                o = push + 4 * up
                w[o] += fn + w[i + RX] * fy - w[i + RY] * fx
                w[o + 1] += fx
                w[o + 2] += fy


@kernel(types.void(A, I, A))
def articulate(p, tab, w):
    """Articulated inertias, and the factored equations of the rows that close loops."""
    gather(p, tab, w)
    if tab[at.N_ROWS] > 0:
        push_rows(p, tab, w)
        factor_loops(p, tab, w)


@kernel(f8(f8, i8, A, I, A))
def solve(known, right, p, tab, w):
    """Accelerations and multipliers for the right side at w[right]; returns the residual left (see `equations`)."""
    links = tab[at.W_LINK]
    lam = tab[at.W_LAMBDA]
    n_rows = tab[at.N_ROWS]
    if known == 0.0:
        for k in range(1, tab[at.N_LINKS] + 1):
            w[links + _SIZE * k + G] = 0.0
    for r in range(n_rows):
        w[lam + r] = 0.0
    spread(known, p, tab, w)
    accelerate_bodies(known, tab, w)
    largest = 0.0
    before = 1.0e300
    size = 0.0
    for sweep in range(MOST_REFINEMENTS + 1):
        largest = loop_residual(right, size, p, tab, w)
        size = w[at.BULK]
        if (sweep >= 2 and (largest < 1e-13 or largest > 0.9 * before)) or sweep == MOST_REFINEMENTS:
            break
        before = largest
        add_multipliers(_SIZE, G, 4, tab, w)
        spread(known, p, tab, w)
        accelerate_bodies(known, tab, w)
        if w[at.PLAIN] == 1.0:  # the factor is good to rounding
            return 0.0
    return largest


@kernel(types.void(f8, A, A, I, A))
def locate(t, y, p, tab, w):
    """Everything that depends on positions and velocities only: links, frames, measures, rows."""
    place_links(y, p, tab, w)
    if tab[at.N_FRAMES] > 0 or w[at.DETAIL] == 1.0:
        place_bodies(tab, w)
    if tab[at.N_FRAMES] > 0:
        place_frames(p, tab, w)
        evaluate_measures(p, tab, w)
        if tab[at.N_FUNCTIONS] > 0:
            evaluate_functions(t, p, tab, w)
        build_rows(p, tab, w)


@kernel(types.void(A, I, A))
def move(y, tab, w):
    """q (+) step, the step being where accelerations usually are."""
    step = tab[at.W_SPEED_CHANGE]
    for i in range(tab[at.N_Q]):
        y[i] += w[step + i]


@kernel(RHS)
def rhs(t, y, p, tab, w, f):
    """State derivative f of the state y, with every intermediate quantity left in the workspace."""
    w[at.STATUS] = at.OK
    w[at.EVALUATIONS] += 1.0
    locate(t, y, p, tab, w)
    h = tab[at.W_APPLIED]
    weight = tab[at.P_GRAVITY]
    for i in range(3 * (tab[at.N_BODIES] + 1)):
        w[h + i] = p[weight + i]
    if tab[at.N_LAWS] > 0:
        apply_laws(t, y, p, tab, w, f)
    n_v = tab[at.N_V]
    change = tab[at.W_SPEED_CHANGE]
    if tab[at.N_ROWS] == 0:
        w[at.PIVOT] = 1.0
        gather(p, tab, w)
        spread(1.0, p, tab, w)
        if w[at.DETAIL] == 1.0:
            accelerate_bodies(1.0, tab, w)
    else:
        articulate(p, tab, w)
        w[at.RESIDUAL] = solve(1.0, tab[at.W_GAMMA], p, tab, w)
        driver_power(tab, w, f)
    for i in range(n_v):
        f[i] = y[n_v + i]
        f[n_v + i] = w[change + i]


@kernel(RHS)
def project(t, y, p, tab, w, f):
    """Put a state back on the constraints, in place; f is not used."""
    w[at.STATUS] = at.OK
    locate(t, y, p, tab, w)
    if tab[at.N_ROWS] == 0:
        return
    right = tab[at.W_RESIDUAL] + tab[at.N_ROWS]
    iteration = 0
    need = next_step(iteration, p, tab, w)
    if need == DONE:
        articulate(p, tab, w)
    while need != DONE:
        if need == FACTOR:
            articulate(p, tab, w)
        solve(0.0, right, p, tab, w)
        move(y, tab, w)
        locate(t, y, p, tab, w)
        iteration += 1
        need = next_step(iteration, p, tab, w)
    w[at.ERROR_VELOCITY] = row_error(1, tab[at.W_TWIST], right, p, tab, w)
    solve(0.0, right, p, tab, w)
    step = tab[at.W_SPEED_CHANGE]
    for i in range(tab[at.N_V]):
        y[tab[at.N_Q] + i] += w[step + i]
