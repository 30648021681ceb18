"""Evaluations in which stiff laws are soft: what makes Newton's iteration of an implicit stage linear in the bodies.

A stage  V = base + s a  asks for the acceleration a at itself.  With the slopes of a law along a channel of rate g v,

        c = -(s V + s^2 Q)            (M + G' c G) a_new = h + G' c G a_old + J' lam         J a_new = gamma

is a step of Newton's iteration, and one evaluation with a few numbers more.  Where coordinates are those of bodies, a
law is a *soft row* with the compliance 1 / c on the diagonal of S; in joint coordinates a law across one step of the
tree is an addition c g^2 to D of the recursion, and c g^2 a_old to the force along it:

        g a_new + f / c = g a_old             D += c g^2        u += c g^2 a_old

Where a_new = a_old the forces are those of the laws, so nothing of the slopes is left in the result.  The tables of
these evaluations are written for them (`coordinates.softening`); numbers, memory and modes are those of the run.

| symbol | word                                                                        | shape    |
|--------|-----------------------------------------------------------------------------|----------|
| V, Q   | slopes of the forces along channels against their own rate and value        | channels |
| g      | rate of a channel for a unit speed of the step that it goes across          | channels |
| s      | length of the step times the diagonal of the method                         |          |
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.equations import driver_power
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, solver_at, types
from linkwork.kernels.motion import apply_forces, give_rates
from linkwork.kernels.planar import links as plane
from linkwork.kernels.slots import answer, channel_rate, read_law, told_slopes
from linkwork.kernels.spatial import links as space
from linkwork.kernels.time.control import is_finite
from linkwork.kernels.time.places import LENGTH, OWN, SPEED_FLOOR
from linkwork.kernels.time.stages import K_EDGE, R_ASIDE, R_KNOWN, R_TOLD, SLOPE_TABLE, STAGE_PLACES

# own places of a stepper with soft evaluations, behind those of its stages
(
    SOFT_TABLE,  # where in count the table of soft evaluations is
    SOFT_TARGET,  # and for every channel the row or link that it is soft at, or -1
    SOFT_SPANS,  # and pieces of p: where they are in the run's, in the soft one's, and how long
    N_SPANS,
    R_SOFT_P,
    R_SOFT_W,
    R_RATE,  # V
    R_VALUE,  # Q
    R_GAIN,  # g
    R_UNIT,  # a state of unit speeds
    R_MORE,  # further forces along channels
    R_NOTHING,  # none of them
    R_SHIFT,  # s
    R_LAWS,  # of every law: V and Q of its own, its force and the rate along it as they were evaluated last
    _END,
) = range(OWN + STAGE_PLACES, OWN + STAGE_PLACES + 15)
SOFT_PLACES = _END - OWN

# what is kept of a law
(LAW_RATE, LAW_VALUE, LAW_FORCE, LAW_SPEED, OF_LAW) = range(5)

#: differences of laws, as parts of what is read, and of a length or speed of the mechanism
PART, LEAST = 1e-6, 1e-8


def arrange_soft(room, sizes) -> None:
    """Room for slopes; what is soft, and how, is added by a run."""
    for place, size in (
        (R_RATE, sizes.channels),
        (R_VALUE, sizes.channels),
        (R_GAIN, sizes.channels),
        (R_UNIT, sizes.state),
        (R_SHIFT, 1),
        (R_LAWS, OF_LAW * sizes.along),  # there are no more laws than forces of laws
    ):
        room.put(place, size)


@kernel(types.void(A, I, A, A, I))
def prepare(p, tab, w, run, count):
    """Have numbers, modes and memory as the run has them now."""
    soft = beyond(count, count[SOFT_TABLE])
    own, to = beyond(run, count[R_SOFT_W]), beyond(run, count[R_SOFT_P])
    for k in range(count[N_SPANS]):
        span = count[SOFT_SPANS] + 3 * k
        for i in range(count[span + 2]):
            to[count[span + 1] + i] = p[count[span] + i]
    for r in range(tab[at.N_ROWS]):
        own[soft[at.W_HELD] + r] = w[tab[at.W_HELD] + r]
    for i in range(tab[at.N_MEMORY]):
        own[soft[at.W_MEMORY] + i] = w[tab[at.W_MEMORY] + i]
    own[at.STABILISE_RATE], own[at.STABILISE_PLACE] = w[at.STABILISE_RATE], w[at.STABILISE_PLACE]
    own[at.DETAIL] = 0.0


@kernel(types.UniTuple(i8, 3)(I))
def _softness(tab):
    """Scratch of a link, and where in it the additions to D and to the force are."""
    if tab[at.DIMENSION] == 2:
        return plane.SIZE, plane.SOFT, plane.PULL
    return space.SIZE, space.SOFT, space.PULL


@kernel(f8(i8, i8, i8, i8, f8, f8, A, A, I, A, A, I))
def _difference(k, kind, i, j, way, t, y, p, tab, w, run, count):
    """The slope of the j-th force of law k against the i-th value (0) or rate (1) that it reads."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    place = tab[at.W_READ] + kind * tab[row + at.LAW_N_READS] + i
    out = tab[at.W_OUT] + tab[row + at.LAW_ALONG] + j
    read_law(k, -1.0, y, p, tab, w)
    w[place] += way
    answer(k, t, p, tab, w)
    above = w[out]
    read_law(k, -1.0, y, p, tab, w)
    w[place] -= way
    answer(k, t, p, tab, w)
    if (above == 0.0) != (w[out] == 0.0):
        run[count[R_KNOWN] + K_EDGE] = 1.0
    slope = (above - w[out]) / (2.0 * way)
    return slope if is_finite(slope) else 0.0


@kernel(types.boolean(f8, f8, A, A, A, I))
def find_slopes(t, step, y, p, run, count):
    """V, Q and g at a state; False where a law wrote beyond its place.  `prepare` was called before."""
    tab = beyond(count, count[SOFT_TABLE])
    w = beyond(run, count[R_SOFT_W])
    if count[N_SPANS] > 0:
        p = beyond(run, count[R_SOFT_P])
    target = count[SOFT_TARGET]
    unit, scratch = beyond(run, count[R_UNIT]), beyond(run, count[R_ASIDE])
    n_q = tab[at.N_Q]
    run[count[R_KNOWN] + K_EDGE] = 0.0
    w[at.STATUS] = at.OK
    if tab[at.N_LINKS] > 0:
        for i in range(n_q):
            unit[i] = y[i]
        for i in range(n_q, n_q + tab[at.N_V]):
            unit[i] = 1.0
        at_address(tab[at.A_LOCATE])(t, unit, p, tab, w, scratch)
        for c in range(tab[at.N_CHANNELS]):
            run[count[R_GAIN] + c] = channel_rate(c, tab, p, w)
    for c in range(tab[at.N_CHANNELS]):
        run[count[R_RATE] + c] = run[count[R_VALUE] + c] = 0.0
    at_address(tab[at.A_LOCATE])(t, y, p, tab, w, scratch)
    for k in range(tab[at.N_LAWS]):
        row = tab[at.T_LAW] + at.LAW_COLUMNS * k
        law = count[R_LAWS] + OF_LAW * k
        run[law + LAW_RATE] = run[law + LAW_VALUE] = 0.0
        if tab[row + at.LAW_ADDRESS] == 0:
            continue
        n_reads = tab[row + at.LAW_N_READS]
        n = n_reads * tab[row + at.LAW_N_ALONG]
        read_law(k, -1.0, y, p, tab, w)
        told = told_slopes(count[count[SLOPE_TABLE] + k], k, t, p, tab, w, beyond(run, count[R_TOLD]))
        for i in range(n_reads):
            c = tab[tab[at.T_READS] + tab[row + at.LAW_READS] + i]
            if c < 0 or count[target + c] < 0:
                continue
            for j in range(tab[row + at.LAW_N_ALONG]):
                if tab[tab[at.T_ALONG] + tab[row + at.LAW_ALONG] + j] != c:
                    continue
                if told:
                    one = count[R_TOLD] + j * n_reads + i
                    against_value, against_rate = run[one], run[one + n]
                else:
                    read_law(k, -1.0, y, p, tab, w)
                    value, rate = w[tab[at.W_READ] + i], w[tab[at.W_READ] + n_reads + i]
                    way = PART * (abs(value) + abs(step * rate)) + LEAST * run[LENGTH]
                    against_value = _difference(k, 0, i, j, way, t, y, p, tab, w, run, count)
                    way = PART * abs(rate) + LEAST * run[SPEED_FLOOR]
                    against_rate = _difference(k, 1, i, j, way, t, y, p, tab, w, run, count)
                run[count[R_VALUE] + c] += against_value
                run[law + LAW_VALUE] += against_value
                run[count[R_RATE] + c] += against_rate
                run[law + LAW_RATE] += against_rate
    return w[at.STATUS] != at.WROTE_BEYOND


@kernel(types.void(f8, A, I))
def soften(s, run, count):
    """Compliance of the soft rows, or additions to D, for this s; what pushes away is left as it is."""
    tab = beyond(count, count[SOFT_TABLE])
    w = beyond(run, count[R_SOFT_W])
    along_links = tab[at.N_LINKS] > 0
    run[count[R_SHIFT]] = s
    size, soft, pull = _softness(tab)
    links = tab[at.W_LINK]
    if along_links:
        for k in range(tab[at.N_LINKS] + 1):
            w[links + size * k + soft] = w[links + size * k + pull] = 0.0
    for channel in range(tab[at.N_CHANNELS]):
        to = count[count[SOFT_TARGET] + channel]
        if to < 0:
            continue
        c = -s * (run[count[R_RATE] + channel] + s * run[count[R_VALUE] + channel])
        if along_links:
            w[links + size * to + soft] += max(0.0, c) * run[count[R_GAIN] + channel] ** 2
        else:
            w[tab[at.W_HELD] + to] = 1.0 if c > 0.0 else 0.0
            w[tab[at.W_COMPLIANCE] + to] = 1.0 / c if c > 0.0 else 0.0


@kernel(f8(A, I, A, A, I))
def fastest_rate(p, run_tab, run_w, run, count):
    """About the fastest rate that the slopes of the laws give, where the run was evaluated last.

    1 / D of a step is what moves along it with the parent at rest; a parent as light as that makes it up to three times
    faster.
    """
    tab = beyond(count, count[SOFT_TABLE])
    w = beyond(run, count[R_SOFT_W])
    if count[N_SPANS] > 0:
        p = beyond(run, count[R_SOFT_P])
    dof = tab[at.DOF]
    size, _, _ = _softness(tab)
    fastest = 0.0
    for channel in range(tab[at.N_CHANNELS]):
        to = count[count[SOFT_TARGET] + channel]
        if to < 0:
            continue
        moves = 0.0  # rate of the channel for a unit force along it
        if tab[at.N_LINKS] > 0:
            i = run_tab[at.W_LINK] + size * to
            moves = 3.0 * run[count[R_GAIN] + channel] ** 2 * run_w[i + (plane.ID if dof == 3 else space.ID)]
        else:
            for b in range(tab[tab[at.T_ROW_BLOCK] + to], tab[tab[at.T_ROW_BLOCK] + to + 1]):
                m = tab[at.P_INVERSE_MASS] + tab[tab[at.T_BLOCK_BODY] + b]
                for x in range(dof):
                    moves += w[tab[at.W_BLOCK] + dof * b + x] ** 2 * p[m + x]
        fastest = max(fastest, abs(run[count[R_RATE] + channel]) * moves)
        fastest = max(fastest, math.sqrt(abs(run[count[R_VALUE] + channel]) * moves))
    return fastest


@kernel(types.void(A, A, I, I, A))
def _pull(before, more, run_tab, tab, w):
    """What makes laws soft about the accelerations `before`: right sides of soft rows, or forces along steps.

    `more` are further forces along the channels or steps, divided by c; a row whose ends meet has no direction.
    """
    dof = tab[at.DOF]
    if tab[at.N_LINKS] > 0:
        size, soft, pull = _softness(tab)
        for k in range(1, tab[at.N_LINKS] + 1):
            i = tab[at.W_LINK] + size * k
            if w[i + soft] > 0.0:
                speed = tab[tab[at.T_LINK] + at.LINK_COLUMNS * k + at.LINK_SPEED]
                w[i + pull] = w[i + soft] * (before[speed] + more[k])
        return
    for r in range(run_tab[at.N_ROWS], tab[at.N_ROWS]):
        right = more[r]
        blocks = tab[at.T_ROW_BLOCK] + r
        for b in range(tab[blocks], tab[blocks + 1]):
            body = tab[tab[at.T_BLOCK_BODY] + b] - dof
            for x in range(dof):
                right += w[tab[at.W_BLOCK] + dof * b + x] * before[body + x]
        if not is_finite(right):
            right = w[tab[at.W_HELD] + r] = 0.0
            for i in range(dof * tab[blocks], dof * tab[blocks + 1]):
                w[tab[at.W_BLOCK] + i] = 0.0
        w[tab[at.W_GAMMA] + r] = right


@kernel(f8(i8, A, I, I, A, A, I))
def _seen(channel, x, run_tab, tab, w, run, count):
    """G x of a channel that is soft."""
    to = count[count[SOFT_TARGET] + channel]
    if tab[at.N_LINKS] > 0:
        speed = tab[tab[at.T_LINK] + at.LINK_COLUMNS * to + at.LINK_SPEED]
        return run[count[R_GAIN] + channel] * x[speed]
    dof, total = tab[at.DOF], 0.0
    for b in range(tab[tab[at.T_ROW_BLOCK] + to], tab[tab[at.T_ROW_BLOCK] + to + 1]):
        body = tab[tab[at.T_BLOCK_BODY] + b] - dof
        for i in range(dof):
            total += w[tab[at.W_BLOCK] + dof * b + i] * x[body + i]
    return total


@kernel(i8(i8, I, I))
def _own_channel(k, tab, count):
    """The channel of a law that acts along one alone, which is soft; else -1."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    if tab[row + at.LAW_N_ALONG] != 1:
        return -1
    channel = tab[tab[at.T_ALONG] + tab[row + at.LAW_ALONG]]
    return channel if count[count[SOFT_TARGET] + channel] >= 0 else -1


@kernel(types.void(A, A, I, I, A, A, I, A))
def _powers(before, p, run_tab, tab, w, run, count, f):
    """Powers of the laws with the forces and rates that the accelerations just found belong to:

    x = a - before          force + (s V + s^2 Q) G x          rate + s G x
    """
    s, z = run[count[R_SHIFT]], tab[at.N_Q] + tab[at.N_V]
    x = beyond(run, count[R_UNIT])
    for i in range(tab[at.N_V]):
        x[i] = w[tab[at.W_CHANGE] + i] - before[i]
    for k in range(tab[at.N_LAWS]):
        row, law = tab[at.T_LAW] + at.LAW_COLUMNS * k, count[R_LAWS] + OF_LAW * k
        slot, channel = tab[row + at.LAW_WORK], _own_channel(k, tab, count)
        if slot < 0 or channel < 0:
            continue
        seen, rate = _seen(channel, x, run_tab, tab, w, run, count), channel_rate(channel, tab, p, w)
        force = w[tab[at.W_OUT] + tab[row + at.LAW_ALONG]]
        run[law + LAW_FORCE] = force + s * (run[law + LAW_RATE] + s * run[law + LAW_VALUE]) * seen
        run[law + LAW_SPEED] = rate + s * seen
        f[z + slot] += run[law + LAW_FORCE] * run[law + LAW_SPEED] - force * rate


@kernel(types.void(f8, A, A, A, I, A, A, I, A))
def evaluate(t, y, before, p, run_tab, run_w, run, count, f):
    """The slope f at a stage, with laws soft about the accelerations `before`; STATUS of the run says how it went."""
    tab = beyond(count, count[SOFT_TABLE])
    w = beyond(run, count[R_SOFT_W])
    if count[N_SPANS] > 0:
        p = beyond(run, count[R_SOFT_P])
    w[at.STATUS] = at.OK
    run_w[at.EVALUATIONS] += 1.0
    at_address(tab[at.A_LOCATE])(t, y, p, tab, w, f)
    apply_forces(t, y, p, tab, w, f)
    _pull(before, beyond(run, count[R_NOTHING]), run_tab, tab, w)
    at_address(tab[at.A_FACTOR])(t, y, p, tab, w, f)
    solver_at(tab[at.A_SOLVE])(1.0, tab[at.W_GAMMA], p, tab, w)
    if tab[at.N_Z] > 0:
        driver_power(tab, w, f)
    give_rates(t, y, p, tab, w, f)
    if tab[at.N_Z] > 0:
        _powers(before, p, run_tab, tab, w, run, count, f)
    for place in (at.STATUS, at.CULPRIT, at.TIME_FAILED):
        run_w[place] = w[place]


@kernel(types.void(f8, f8, A, A, A, A, I, A, A, I))
def filter(t, s, y, x, moved, p, run_tab, run_w, run, count):
    """x = (1 - s V' - s^2 Q')^-1 (s r + s^2 Q' moved) in place of r, of speeds and work; with laws soft for this s.

    (M + C) (x - s r) = -C s r + s^2 G' Q G moved,  from rest, without forces
    """
    tab = beyond(count, count[SOFT_TABLE])
    w = beyond(run, count[R_SOFT_W])
    if count[N_SPANS] > 0:
        p = beyond(run, count[R_SOFT_P])
    unit, scratch, more = beyond(run, count[R_UNIT]), beyond(run, count[R_ASIDE]), beyond(run, count[R_MORE])
    n_q, n_v, dof = tab[at.N_Q], tab[at.N_V], tab[at.DOF]
    along_links = tab[at.N_LINKS] > 0
    size, soft, _ = _softness(tab)
    run_w[at.EVALUATIONS] += 1.0
    for i in range(n_q):
        unit[i] = y[i]
    for i in range(n_v):  # what is moved, seen by the channels
        unit[n_q + i] = moved[i]
        x[i] *= -s
    at_address(tab[at.A_LOCATE])(t, unit, p, tab, w, scratch)
    for i in range(max(tab[at.N_LINKS] + 1, tab[at.N_ROWS])):
        more[i] = 0.0
    for channel in range(tab[at.N_CHANNELS]):
        to = count[count[SOFT_TARGET] + channel]
        if to < 0:
            continue
        force = s * s * run[count[R_VALUE] + channel] * channel_rate(channel, tab, p, w)
        if along_links:
            c = w[tab[at.W_LINK] + size * to + soft]
            if c > 0.0:
                more[to] += force * run[count[R_GAIN] + channel] / c
        else:
            more[to] = force * w[tab[at.W_COMPLIANCE] + to]
    for i in range(n_v):
        unit[n_q + i] = 0.0
    at_address(tab[at.A_LOCATE])(t, unit, p, tab, w, scratch)
    for i in range(dof * (tab[at.N_BODIES] + 1)):
        w[tab[at.W_APPLIED] + i] = 0.0
    for r in range(tab[at.N_ROWS]):
        w[tab[at.W_GAMMA] + r] = 0.0
    _pull(x, more, run_tab, tab, w)
    at_address(tab[at.A_FACTOR])(t, unit, p, tab, w, scratch)
    solver_at(tab[at.A_SOLVE])(1.0, tab[at.W_GAMMA], p, tab, w)
    for i in range(n_v):
        x[i] = w[tab[at.W_CHANGE] + i] - x[i]
    for i in range(n_v, n_v + tab[at.N_Z]):
        x[i] *= s
    for k in range(tab[at.N_LAWS]):  # power = force * rate
        row, law = tab[at.T_LAW] + at.LAW_COLUMNS * k, count[R_LAWS] + OF_LAW * k
        slot, channel = tab[row + at.LAW_WORK], _own_channel(k, tab, count)
        if slot < 0 or channel < 0:
            continue
        way = _seen(channel, x, run_tab, tab, w, run, count)
        away = s * (way + _seen(channel, moved, run_tab, tab, w, run, count))
        force = run[law + LAW_RATE] * way + run[law + LAW_VALUE] * away
        x[n_v + slot] += s * (run[law + LAW_FORCE] * way + force * run[law + LAW_SPEED])
