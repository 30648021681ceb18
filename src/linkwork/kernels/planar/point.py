"""Point coordinates of the plane: q = places of points, angles of bodies that have fewer than two, and behind them
angles that count the turns of directions; v = rates of the first two.  The kernels of `motion`.

Accelerations and multipliers are found together.  M is a constant template but for what an angle has in common with the
point that its body hangs on, and J has two numbers for a point and one for an angle; see `points`.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.equations import MOST_RESIDUAL
from linkwork.kernels.jit import RHS, SOLVE, A, I, f8, i8, kernel, types
from linkwork.kernels.planar.frames import place_frames
from linkwork.kernels.planar.measures import evaluate_measures
from linkwork.kernels.planar.shares import (
    A_X,
    A_Y,
    CLASS,
    RATE_X,
    RATE_Y,
    SPIN,
    accelerate_shares,
    add_felt,
    build_lengths,
    nearest_turn,
    place_classes,
    place_direction,
    place_shares,
    row_bias,
    row_inward,
    turn_directions,
)
from linkwork.kernels.points import factor_points, solve_points
from linkwork.kernels.rows import build_rows
from linkwork.kernels.slots import evaluate_functions


@kernel(RHS)
def locate(t, y, p, tab, w, f):
    """Everything that depends on positions and velocities only: directions, bodies, frames, measures, rows."""
    place_classes(y, p, tab, w)
    if tab[at.N_FRAMES] > 0 or w[at.DETAIL] == 1.0:
        place_shares(y, p, tab, w)
    if tab[at.N_FRAMES] > 0:
        place_frames(p, tab, w)
        evaluate_measures(p, tab, w)
        if tab[at.N_FUNCTIONS] > 0:
            evaluate_functions(t, p, tab, w)
        build_rows(p, tab, w)
    build_lengths(p, tab, w)


@kernel(types.void(A, I, A))
def _build_entries(p, tab, w):
    """J of the rows of measures against the coordinates; those of lengths are there already."""
    j = tab[at.W_ENTRY]
    for r in range(tab[at.N_ROWS]):
        first, last = tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]
        if first < last:
            for i in range(j + tab[tab[at.T_ROW_ENTRY] + r], j + tab[tab[at.T_ROW_ENTRY] + r + 1]):
                w[i] = 0.0
            for k in range(first, last):
                body = tab[tab[at.T_BLOCK_BODY] + k] // 3
                places = tab[at.T_BLOCK_TERM] + tab[tab[at.T_BLOCK_SHARE] + k]
                add_felt(body, tab[at.W_BLOCK] + 3 * k, j, places, p, tab, w)


@kernel(RHS)
def factor(t, y, p, tab, w, f):
    """J against the coordinates, and the saddle point, factored; leaves the smallest pivot of a row."""
    _build_entries(p, tab, w)
    factor_points(p, tab, w)


@kernel(types.void(A, I, A))
def _gather_forces(p, tab, w):
    """Applied forces along the coordinates, and the pull of what turns by an angle on the point that it hangs on."""
    q = tab[at.W_FORCE]
    for i in range(tab[at.N_V]):
        w[q + i] = 0.0
    for b in range(1, tab[at.N_BODIES] + 1):
        places = tab[at.T_SHARE_TERM] + tab[tab[at.T_SHARE] + at.SHARE_COLUMNS * b + at.SHARE_FIRST]
        add_felt(b, tab[at.W_APPLIED] + 3 * b, q, places, p, tab, w)
    for k in range(tab[at.N_SWAYS]):
        entry = tab[at.T_SWAY] + at.SWAY_COLUMNS * k
        sway = tab[at.P_SWAY] + 2 * k
        o = tab[at.W_CLASS] + CLASS * tab[entry + at.SWAY_CLASS]
        ax, ay, square = w[o + A_X], w[o + A_Y], w[o + SPIN] * w[o + SPIN]
        i = q + tab[entry + at.SWAY_PLACE]
        w[i] += square * (ax * p[sway] - ay * p[sway + 1])
        w[i + 1] += square * (ax * p[sway + 1] + ay * p[sway])


@kernel(f8(i8, A, I, A))
def _bias_of_row(r, p, tab, w):
    """What the rows of measures count for accelerations of bodies that points and angles do not have."""
    total = 0.0
    for k in range(tab[tab[at.T_ROW_BLOCK] + r], tab[tab[at.T_ROW_BLOCK] + r + 1]):
        b = tab[tab[at.T_BLOCK_BODY] + k] // 3
        c = tab[tab[at.T_SHARE] + at.SHARE_COLUMNS * b + at.SHARE_CLASS]
        kind = tab[tab[at.T_CLASS] + at.CLASS_COLUMNS * c + at.CLASS_KIND]
        if kind == at.BY_POINTS:
            total += row_bias(k, b, tab, w)
        elif kind == at.BY_ANGLE:
            total += row_inward(k, b, p, tab, w)
    return total


@kernel(types.void(i8, A, I, A))
def _take_bias(right, p, tab, w):
    """The right side of accelerations of the coordinates, in W_RIGHT: without what bodies have besides them."""
    for r in range(tab[at.N_ROWS]):
        if w[tab[at.W_HELD] + r] != 0.0:
            w[tab[at.W_RIGHT] + r] = w[right + r] - _bias_of_row(r, p, tab, w)


@kernel(SOLVE)
def solve(known, right, p, tab, w):
    """Accelerations or a step, and multipliers; refined where the factor is not good to rounding."""
    if known != 0.0:
        _gather_forces(p, tab, w)
        _take_bias(right, p, tab, w)
    solve_points(known, tab[at.W_RIGHT] if known != 0.0 else right, p, tab, w)
    if w[at.DETAIL] == 1.0 or w[at.RESIDUAL] > MOST_RESIDUAL:  # then accelerations are looked at
        if w[at.DETAIL] != 1.0:
            turn_directions(tab, w)
        accelerate_shares(known, p, tab, w)


@kernel(RHS)
def rates(t, y, p, tab, w, f):
    """q': the rates, and those of the angles that count turns: phi' of a direction of length one, whoever looks."""
    n_q = tab[at.N_Q]
    for i in range(tab[at.N_V]):
        f[i] = y[n_q + i]
    for c in range(tab[at.N_CLASSES]):
        entry = tab[at.T_CLASS] + at.CLASS_COLUMNS * c
        if tab[entry + at.CLASS_KIND] == at.BY_POINTS:
            o = tab[at.W_CLASS] + CLASS * c
            f[tab[entry + at.CLASS_PLACE]] = w[o + A_X] * w[o + RATE_Y] - w[o + A_Y] * w[o + RATE_X]


@kernel(RHS)
def move(t, y, p, tab, w, f):
    """q (+) step; the angles that count turns follow their directions."""
    step = tab[at.W_CHANGE]
    for i in range(tab[at.N_V]):
        y[i] += w[step + i]
    for c in range(tab[at.N_CLASSES]):
        entry = tab[at.T_CLASS] + at.CLASS_COLUMNS * c
        if tab[entry + at.CLASS_KIND] == at.BY_POINTS:
            place_direction(c, y, p, tab, w)
            place = tab[entry + at.CLASS_PLACE]
            y[place] = nearest_turn(c, y[place], tab, w)
