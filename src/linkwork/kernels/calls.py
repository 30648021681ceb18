"""What Python asks for beside runs: one evaluation, and stored states evaluated one by one.

What is asked for in every run has its places in a table: to hand over a dozen of them one by one takes longer than to
evaluate a small mechanism.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, floats_at, i8, integers_at, kernel, types


@kernel(types.void(A, A, I, A, A))
def _energies(y, p, tab, w, out):
    """Kinetic energy, potential of the weights and sum of the work at a state that has been located."""
    dof = tab[at.DOF]
    dimension = tab[at.DIMENSION]
    pose = at.POSE_PLANE if dimension == 2 else at.POSE_SPACE
    first = tab[at.N_Q] + tab[at.N_V]
    kinetic = 0.0
    potential = 0.0
    work = 0.0
    for k in range(1, tab[at.N_BODIES] + 1):
        for c in range(dof * k, dof * k + dof):
            if p[tab[at.P_INVERSE_MASS] + c] != 0.0:  # a particle has no turning
                kinetic += 0.5 * p[tab[at.P_MASS] + c] * w[tab[at.W_TWIST] + c] ** 2
        for c in range(dimension):
            potential -= p[tab[at.P_GRAVITY] + dof * k + c] * w[tab[at.W_POSE] + pose * k + c]
    for c in range(first, first + tab[at.N_Z]):
        work += y[c]
    out[0] = kinetic
    out[1] = potential
    out[2] = work


@kernel(types.void(f8, A, I), entry=True)
def derive(t, y, places):
    """The state derivative, with every intermediate quantity left in the workspace.

    The places are those of rhs, p, tab, w, f, and how many numbers f has.
    """
    w = floats_at(places[3])
    f = floats_at(places[4])
    for i in range(places[5]):
        f[i] = 0.0
    w[at.DETAIL] = 1.0
    at_address(places[0])(t, y, floats_at(places[1]), integers_at(places[2]), w, f)


SWEEP = types.void(i8, i8, i8, A, A, A, I, A, A, i8, I, A, i8, A, i8, A)


@kernel(SWEEP, entry=True)
def sweep(
    rhs_at,
    n,
    count,
    times,
    states,
    p,
    tab,
    w,
    f,
    n_picks,
    picks,
    picked,
    n_derivatives,
    derivatives,
    n_energies,
    energies,
):
    """Evaluate stored states of n numbers one by one and keep chosen places of the workspace.

    Derivatives, and energies (see `_energies`), are kept where there are columns for them.
    """
    rhs = at_address(rhs_at)
    memory = tab[at.W_MEMORY]
    for s in range(count):
        y = beyond(states, s * (n + tab[at.N_MEMORY]))
        for i in range(tab[at.N_MEMORY]):
            w[memory + i] = y[n + i]
        for i in range(n):
            f[i] = 0.0
        rhs(times[s], y, p, tab, w, f)
        for i in range(n_derivatives):
            derivatives[s * n_derivatives + i] = f[i]
        for i in range(n_picks):
            picked[s * n_picks + i] = w[picks[i]]
        if n_energies > 0:
            _energies(y, p, tab, w, beyond(energies, s * n_energies))


@kernel(types.void(i8, A, A, I), entry=True)
def ledger(count, times, states, places):
    """Energies of a few stored states, and chosen places of the workspace.

    The places are those of locate, p, tab, w, f, picks, picked and energies, then how many numbers a state has, and how
    many are picked.
    """
    w = floats_at(places[3])
    w[at.DETAIL] = 1.0
    sweep(
        places[0],
        places[8],
        count,
        times,
        states,
        floats_at(places[1]),
        integers_at(places[2]),
        w,
        floats_at(places[4]),
        places[9],
        integers_at(places[5]),
        floats_at(places[6]),
        0,
        floats_at(places[4]),
        3,
        floats_at(places[7]),
    )
