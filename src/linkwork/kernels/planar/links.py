"""Links of the plane: where the bodies of a tree are, and how fast; and the symbols of its recursion.

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
| c, c b   | what stiff laws across the step add to D, and to u (`time.soft`); else 0  | SOFT PULL                |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.cosines import SPARE, find_cosines
from linkwork.kernels.jit import A, I, f8, kernel, types

SIZE = at.LINK_SCRATCH[2]
NUMBERS = at.LINK_NUMBERS[2]
(
    X,
    Y,
    PHI,
    COS,
    SIN,
    VX,
    VY,
    W,
    RX,
    RY,
    BX,
    BY,
    SN,
    SX,
    SY,
    J,
    HX,
    HY,
    MXX,
    MXY,
    MYY,
    PN,
    PX,
    PY,
    UN,
    UX,
    UY,
    ID,
    G,
    AN,
    AX,
    AY,
    CX,
    CY,
    SOFT,
    PULL,
) = range(36)
#: numbers of a link: place of the step and its angle on the parent, direction of a slide,
#: how much q slides and turns, mass centre, mass, inertia
(L_X, L_Y, L_ANGLE, L_DX, L_DY, L_SLIDE, L_TURN, L_CX, L_CY, L_MASS, L_INERTIA) = range(NUMBERS)


@kernel(types.void(A, A, I, A))
def place_links(y, p, tab, w):
    """From the root outwards: where every link is, and how fast."""
    n_q = tab[at.N_Q]
    links = tab[at.W_LINK]
    table = tab[at.T_LINK]
    numbers = tab[at.P_LINK]
    n = tab[at.N_LINKS]
    angles = tab[at.W_ANGLE] - 1  # the ground has none
    cosines, sines = angles + n + SPARE, angles + 2 * (n + SPARE)
    for k in range(1, n + 1):
        row = table + at.LINK_COLUMNS * k
        g = numbers + NUMBERS * k
        phi = w[links + SIZE * tab[row + at.LINK_PARENT] + PHI] + p[g + L_ANGLE]
        if p[g + L_TURN] != 0.0:
            phi += p[g + L_TURN] * y[tab[row + at.LINK_PLACE]]
        w[links + SIZE * k + PHI] = phi
        w[angles + k] = phi
    find_cosines(angles + 1, n, w)
    w[links + COS] = 1.0
    for k in range(1, n + 1):
        row = table + at.LINK_COLUMNS * k
        g = numbers + NUMBERS * k
        o = links + SIZE * tab[row + at.LINK_PARENT]
        i = links + SIZE * k
        kind = tab[row + at.LINK_KIND]
        c, s, spin = w[o + COS], w[o + SIN], w[o + W]
        rx = c * p[g + L_X] - s * p[g + L_Y]
        ry = s * p[g + L_X] + c * p[g + L_Y]
        if kind == at.TURN:
            w[i + W] = spin + p[g + L_TURN] * y[n_q + tab[row + at.LINK_SPEED]]
            w[i + VX] = w[o + VX] - spin * ry
            w[i + VY] = w[o + VY] + spin * rx
            w[i + BX] = -spin * spin * rx
            w[i + BY] = -spin * spin * ry
        else:
            sx, sy, turn = 0.0, 0.0, 0.0  # S
            fx, fy = 0.0, 0.0  # second derivative of the place against q
            speed = 0.0
            if kind != at.RIGID:
                q = y[tab[row + at.LINK_PLACE]]
                speed = y[n_q + tab[row + at.LINK_SPEED]]
                slide = p[g + L_SLIDE]
                turn = p[g + L_TURN]
                if kind == at.ROLL_BACK:  # along an axis of the link itself, which turns:  slide q e(phi)
                    ec, es = w[cosines + k], w[sines + k]
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
            w[i + SN] = turn
            w[i + SX] = sx
            w[i + SY] = sy
            w[i + W] = spin + turn * speed
            w[i + VX] = w[o + VX] - spin * ry + sx * speed
            w[i + VY] = w[o + VY] + spin * rx + sy * speed
            w[i + BX] = -spin * spin * rx - 2.0 * spin * sy * speed + fx * speed * speed
            w[i + BY] = -spin * spin * ry + 2.0 * spin * sx * speed + fy * speed * speed
        c, s = w[cosines + k], w[sines + k]
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
    w[pose + at.POSE_COS] = 1.0  # ground
    for body in range(1, tab[at.N_BODIES] + 1):
        i = links + SIZE * tab[carriers + body]
        b = pose + at.POSE_PLANE * body
        spin, cx, cy = w[i + W], w[i + CX], w[i + CY]
        w[b + at.POSE_X] = w[i + X] + cx
        w[b + at.POSE_Y] = w[i + Y] + cy
        w[b + at.POSE_PHI] = w[i + PHI]
        w[b + at.POSE_COS] = w[i + COS]
        w[b + at.POSE_SIN] = w[i + SIN]
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
        i = links + SIZE * tab[carriers + body]
        b = bodies + 3 * body
        an, cx, cy = w[i + AN], w[i + CX], w[i + CY]
        square = known * w[i + W] * w[i + W]
        w[b] = w[i + AX] - an * cy - square * cx
        w[b + 1] = w[i + AY] + an * cx - square * cy
        w[b + 2] = an
