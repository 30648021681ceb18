"""The state derivative and the projection, once for every set of coordinates and both dimensions.

A set brings up to seven kernels, whose addresses are in the header of `tab`; calling them there costs a
few nanoseconds, and compiling them into one function for every set would double the first start.

| entry    | does                                                                                                 |
|----------|------------------------------------------------------------------------------------------------------|
| A_LOCATE | positions and speeds of everything, measures, rows                                                   |
| A_FACTOR | what only depends on positions: inertias, the factored equations of the rows                         |
| A_SOLVE  | accelerations (known = 1) or a step (0) for the right side of the rows at w[right], and multipliers  |
| A_MOVE   | q (+) step; orientations come out at length one                                                      |
| A_RATES  | q' from v, where that is more than to copy it                                                        |
| A_SPREAD | joint coordinates: accelerations along the tree, for the multipliers found so far                    |
| A_ADD    | joint coordinates: multipliers for the residuals of the rows, and their forces along the tree        |

Projection: positions, then velocities, back on the constraints by the smallest move in the metric of the masses.

        q (+)= M^-1 J' (J M^-1 J')^-1 (-phi)          v += M^-1 J' (J M^-1 J')^-1 (nu - J v)
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.equations import driver_power
from linkwork.kernels.jit import RHS, at_address, kernel, solver_at
from linkwork.kernels.projection import DONE, FACTOR, next_step, row_error, stabilise
from linkwork.kernels.slots import apply_laws


@kernel(RHS, inline=True)
def apply_forces(t, y, p, tab, w, f):
    """Weights and laws into W_APPLIED, and what Baumgarte's terms add to the rows."""
    h = tab[at.W_APPLIED]
    weight = tab[at.P_GRAVITY]
    for i in range(tab[at.DOF] * (tab[at.N_BODIES] + 1)):
        w[h + i] = p[weight + i]
    if tab[at.N_LAWS] > 0:
        apply_laws(t, y, p, tab, w, f)
    if w[at.STABILISE_RATE] != 0.0 or w[at.STABILISE_PLACE] != 0.0:
        stabilise(p, tab, w)


@kernel(RHS, inline=True)
def give_rates(t, y, p, tab, w, f):
    """q' and v' into f, once accelerations are in W_CHANGE."""
    n_q = tab[at.N_Q]
    n_v = tab[at.N_V]
    change = tab[at.W_CHANGE]
    if tab[at.A_RATES] == 0:
        for i in range(n_v):
            f[i] = y[n_q + i]
    else:
        at_address(tab[at.A_RATES])(t, y, p, tab, w, f)
    for i in range(n_v):
        f[n_q + i] = w[change + i]


@kernel(RHS)
def rhs(t, y, p, tab, w, f):
    """State derivative f of the state y, with every intermediate quantity left in the workspace."""
    w[at.STATUS] = at.OK
    w[at.EVALUATIONS] += 1.0
    at_address(tab[at.A_LOCATE])(t, y, p, tab, w, f)
    apply_forces(t, y, p, tab, w, f)
    at_address(tab[at.A_FACTOR])(t, y, p, tab, w, f)
    solver_at(tab[at.A_SOLVE])(1.0, tab[at.W_GAMMA], p, tab, w)
    if tab[at.N_Z] > 0:
        driver_power(tab, w, f)
    give_rates(t, y, p, tab, w, f)


@kernel(RHS)
def project(t, y, p, tab, w, f):
    """Put a state back on the constraints, in place; f is not used."""
    locate = at_address(tab[at.A_LOCATE])
    factor = at_address(tab[at.A_FACTOR])
    solve = solver_at(tab[at.A_SOLVE])
    move = at_address(tab[at.A_MOVE])
    step = tab[at.W_CHANGE]
    w[at.STATUS] = at.OK
    if tab[at.DIMENSION] == 3:
        for i in range(tab[at.N_V]):
            w[step + i] = 0.0
        move(t, y, p, tab, w, f)
    if tab[at.N_ROWS] == 0:
        return
    locate(t, y, p, tab, w, f)
    right = tab[at.W_RIGHT]
    iteration = 0
    need = next_step(iteration, p, tab, w)
    if need == DONE:
        factor(t, y, p, tab, w, f)
    while need != DONE:
        if need == FACTOR:
            factor(t, y, p, tab, w, f)
        solve(0.0, right, p, tab, w)
        move(t, y, p, tab, w, f)
        locate(t, y, p, tab, w, f)
        iteration += 1
        need = next_step(iteration, p, tab, w)
    w[at.ERROR_VELOCITY] = row_error(1, tab[at.W_TWIST], right, p, tab, w)
    solve(0.0, right, p, tab, w)
    for i in range(tab[at.N_V]):
        y[tab[at.N_Q] + i] += w[step + i]
