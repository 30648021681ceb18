"""A state taken on with other numbers: they are written, compared where they place it, and its rows are factored.

All of it is one call, because a prepared run with other numbers makes it every time.

| symbol  | word                                                               | shape       |
|---------|--------------------------------------------------------------------|-------------|
| set     | places and sizes of one set of coordinates, see `RHS_AT` to `N_F`  | C_SET       |
| numbers | p with the other numbers                                           | n_p         |
| results | what a program gives for them: they go to numbers[written]         |             |
| known   | p and w of the state with the numbers of its own model             | n_p, n_w    |
| open    | places of p that have no part in where a state is                  | n_open      |
| fixed   | places that have, and what the model of the state has there        | n_fixed     |
| masses  | of its own model, the ground first                                 | bodies, dof |
| told    | what it is compared with, and what was found                       | C_TOLD      |
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, floats_at, integers_at, kernel, types

# what the table of a set holds: addresses and places, then sizes
(
    RHS_AT,
    TAB,
    P,
    W,
    F,
    KNOWN_P,
    KNOWN_W,
    NUMBERS,
    RESULTS,
    WRITTEN,
    OPEN,
    FIXED,
    PLACED,
    FIRST,  # of the results: where those of this set begin
    N_WRITTEN,
    N_OPEN,
    N_FIXED,  # 0 where it is known that they are the same
    N_P,
    N_W,
    N_F,
    C_SET,
) = range(21)

# told: smallest pivots and length before, that of the bodies' rows as the state has it; and now, with the energy that
# counts as much
USUAL, OWN_USUAL, BEFORE, STATED, PIVOT, OWN_PIVOT, LENGTH, ENERGY, C_TOLD = range(9)

# what comes back: nothing is said; it is taken on; it is, but another length measures the errors of rows
NOTHING, TAKEN, LONGER = range(3)

#: of the smallest pivot with the numbers before: what has a smaller one is left to others
REGULAR = 1e-3


@kernel(types.int64(I))
def _write(places):
    """Write the results; 1 where the numbers that place the state are those of its own model."""
    numbers = floats_at(places[NUMBERS])
    results = beyond(floats_at(places[RESULTS]), places[FIRST])
    written = integers_at(places[WRITTEN])
    for k in range(places[N_WRITTEN]):
        numbers[written[k]] = results[k]
    fixed = integers_at(places[FIXED])
    placed = floats_at(places[PLACED])
    for k in range(places[N_FIXED]):
        if not numbers[fixed[k]] == placed[k]:
            return 0
    return 1


@kernel(types.float64(f8, A, I))
def _factored(t, y, places):
    """The smallest pivot of the state with the numbers written; -1 where it cannot be evaluated."""
    tab = integers_at(places[TAB])
    p = floats_at(places[P])
    w = floats_at(places[W])
    f = floats_at(places[F])
    known_p = floats_at(places[KNOWN_P])
    known_w = floats_at(places[KNOWN_W])
    numbers = floats_at(places[NUMBERS])
    chosen = integers_at(places[OPEN])
    for i in range(places[N_P]):
        p[i] = known_p[i]
    for i in range(places[N_W]):
        w[i] = known_w[i]
    for k in range(places[N_OPEN]):
        p[chosen[k]] = numbers[chosen[k]]
    for i in range(places[N_F]):
        f[i] = 0.0
    w[at.DETAIL] = 1.0
    at_address(places[RHS_AT])(t, y, p, tab, w, f)
    size = 0.0
    for i in range(places[N_F]):
        size += f[i] * f[i]
    if w[at.STATUS] != at.OK or not size - size == 0.0:
        return -1.0
    return w[at.PIVOT] if tab[at.N_ROWS] > 0 else 1.0


@kernel(types.float64(A, I, A))
def _energy(numbers, tab, y):
    """That of the motion, and of the weights over a length, added up as `entering.energy_scales` does."""
    dof = tab[at.DOF]
    mass = beyond(numbers, tab[at.P_MASS] + dof)
    gravity = beyond(numbers, tab[at.P_GRAVITY] + dof)
    v = beyond(y, tab[at.N_Q])
    moving = 0.0
    for i in range(tab[at.N_V]):
        moving += mass[i] * v[i] * v[i]
    weights = 0.0
    for k in range(tab[at.N_BODIES]):
        for c in range(tab[at.DIMENSION]):
            weights += abs(gravity[dof * k + c])
    return 0.5 * moving + weights * numbers[tab[at.P_LENGTH]] + 1e-30


@kernel(types.int64(f8, I), entry=True)
def take(t, places):
    """What is found of a state, in told.

    The places are those of the tables of both sets, of the states of the bodies and of the run's coordinates, of masses
    and told; behind them is 1 where the run goes in body coordinates, and `own` is not looked at.
    """
    body = integers_at(places[0])
    own = integers_at(places[1])
    bodies = floats_at(places[2])
    y = floats_at(places[3])
    masses = floats_at(places[4])
    told = floats_at(places[5])
    alone = places[6]
    tab = integers_at(body[TAB])
    numbers = floats_at(body[NUMBERS])
    if _write(body) == 0 or (alone == 0 and _write(own) == 0) or numbers[tab[at.P_LEAST]] < at.LITTLE:
        return NOTHING
    mass = beyond(numbers, tab[at.P_MASS])
    same = True
    for i in range(tab[at.DOF] * (tab[at.N_BODIES] + 1)):
        if not mass[i] == masses[i]:
            same = False
    told[LENGTH] = numbers[tab[at.P_LENGTH]]
    told[PIVOT] = told[STATED]
    if not same or alone == 1 or told[LENGTH] != told[BEFORE]:
        pivot = _factored(t, bodies, body)
        if not pivot > REGULAR * told[USUAL]:
            return NOTHING
        if not same:
            told[PIVOT] = pivot
    told[OWN_PIVOT] = told[PIVOT]
    if alone == 0:
        told[OWN_PIVOT] = _factored(t, y, own)
        if not told[OWN_PIVOT] > REGULAR * told[OWN_USUAL]:
            return NOTHING
    told[ENERGY] = _energy(numbers, tab, bodies)
    return TAKEN if told[LENGTH] == told[BEFORE] else LONGER
