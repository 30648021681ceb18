"""How accelerations, work and states of laws change with the motion, by the slopes of the laws alone.

Laws read channels (sums of measures) and act along channels, so all that they add to the slopes of the accelerations
passes through these: they are the *ports*, and the states of laws are ports too.

        dv' = X (V G dv + Q G dq)             C = G X

| symbol | word                                                                                     | shape          |
|--------|------------------------------------------------------------------------------------------|----------------|
| G      | rates of the ports for unit speeds, found by `locate`                                    | ports * speeds |
| X      | accelerations for unit forces along the ports, by `factor` and `solve` at rest           | ports * speeds |
| V, Q   | slopes of the forces against rates and values of the ports: told, or by two differences  | ports * ports  |
| C      | rates of the ports for unit forces along them                                            | ports * ports  |
| ZV, ZQ | slopes of the power of laws                                                              | works * ports  |

A shifted system  (mu - V' - Q'/mu) x = r  of the speeds, with V' = X V G and Q' = X Q G, has as many unknowns as there
are ports that matter:

        (mu - (V + Q/mu) C) f = (V + Q/mu) G r          mu x = r + X f

What geometry, gyroscopic terms and curvature of the constraints add is left out: an iteration that uses this takes
about as many rounds without it, and forces are what is stiff.
"""

from __future__ import annotations

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, at_address, beyond, f8, i8, kernel, solver_at, types
from linkwork.kernels.slots import answer, channel_rate, read_law, told_slopes
from linkwork.kernels.time.control import is_finite
from linkwork.kernels.time.places import LENGTH, OWN, R_LARGEST, SPEED_FLOOR
from linkwork.kernels.time.stages import K_EDGE, R_ASIDE, R_KNOWN, R_SCRATCH, R_TOLD, SLOPE_TABLE, STAGE_PLACES

# own places of a stepper with ports, behind those of its stages
(
    PORTS,  # channels, then states of laws
    ACTIVE,  # how many of them matter
    R_ACTIVE,  # which ones
    R_GRADIENT,  # G, of channels
    R_RESPONSE,  # X, of channels
    R_RATE,  # V
    R_VALUE,  # Q
    R_WORK_RATE,  # ZV
    R_WORK_VALUE,  # ZQ
    R_RATE_LOOP,  # V C of the active ports, column by column
    R_VALUE_LOOP,  # Q C
    R_FIRST,  # the first and the last active port that the row of an active one in V and Q has
    R_LAST,
    R_OUT,
    R_COLUMN,  # of C
    _END,
) = range(OWN + STAGE_PLACES, OWN + STAGE_PLACES + 16)
PORT_PLACES = _END - OWN

#: differences of laws, as parts of what is read, and of a length or speed of the mechanism
PART, LEAST = 1e-6, 1e-8


def arrange_ports(room, sizes) -> int:
    """Room for the ports; returns how many there are."""
    ports = sizes.channels + sizes.states
    room.count[PORTS] = ports
    for place, size in (
        (R_ACTIVE, ports),
        (R_GRADIENT, sizes.channels * sizes.speeds),
        (R_RESPONSE, sizes.channels * sizes.speeds),
        (R_RATE, ports * ports),
        (R_VALUE, ports * ports),
        (R_WORK_RATE, sizes.works * ports),
        (R_WORK_VALUE, sizes.works * ports),
        (R_RATE_LOOP, ports * ports),
        (R_VALUE_LOOP, ports * ports),
        (R_FIRST, ports),
        (R_LAST, ports),
        (R_OUT, sizes.along + sizes.states),
        (R_COLUMN, ports),
    ):
        room.put(place, size)
    return ports


@kernel(types.void(f8, i8, A, A, I, A, A, I))
def find_gradients(t, g, y, p, tab, w, run, count):
    """G at a state, into run[g]: the rates of all channels for unit speeds, one after the other."""
    n_q, n_v = tab[at.N_Q], tab[at.N_V]
    aside = beyond(run, count[R_ASIDE])
    scratch = beyond(run, count[R_SCRATCH])
    for i in range(n_q):
        aside[i] = y[i]
    for i in range(n_v):
        aside[n_q + i] = 0.0
    for i in range(n_v):
        aside[n_q + i] = 1.0
        at_address(tab[at.A_LOCATE])(t, aside, p, tab, w, scratch)
        w[at.EVALUATIONS] += 1.0
        aside[n_q + i] = 0.0
        for c in range(tab[at.N_CHANNELS]):
            run[g + c * n_v + i] = channel_rate(c, tab, p, w)


@kernel(types.void(i8, A, I, A))
def _push_along(source, p, tab, w):
    """A unit force along a channel, and no other."""
    dof = tab[at.DOF]
    h = tab[at.W_APPLIED]
    frame_body = tab[at.T_FRAME_BODY]
    for i in range(dof * (tab[at.N_BODIES] + 1)):
        w[h + i] = 0.0
    for c in range(tab[tab[at.T_CHANNEL] + source], tab[tab[at.T_CHANNEL] + source + 1]):
        measure = tab[tab[at.T_CHANNEL_TERM] + c]
        push = p[tab[at.P_CHANNEL] + c]
        entry = tab[at.T_MEASURE] + at.MEASURE_COLUMNS * measure
        on = h + dof * tab[frame_body + tab[entry + at.MEASURE_ON]]
        to = h + dof * tab[frame_body + tab[entry + at.MEASURE_TO]]
        g = tab[at.W_GRADIENT] + 2 * dof * measure
        for x in range(dof):
            if is_finite(w[g + x]) and is_finite(w[g + dof + x]):
                w[on + x] += push * w[g + x]
                w[to + x] += push * w[g + dof + x]


@kernel(types.void(f8, i8, A, A, I, A, A, I))
def find_responses(t, x, y, p, tab, w, run, count):
    """X of the active channels at a state, into run[x]: accelerations from rest, for a unit force along each."""
    n_q, n_v = tab[at.N_Q], tab[at.N_V]
    aside = beyond(run, count[R_ASIDE])
    scratch = beyond(run, count[R_SCRATCH])
    for i in range(n_q):
        aside[i] = y[i]
    for i in range(n_v):
        aside[n_q + i] = 0.0
    at_address(tab[at.A_LOCATE])(t, aside, p, tab, w, scratch)
    for r in range(tab[at.N_ROWS]):
        w[tab[at.W_RIGHT] + r] = 0.0
    factored = False
    for k in range(count[ACTIVE]):
        c = int(run[count[R_ACTIVE] + k])
        if c >= tab[at.N_CHANNELS]:
            continue
        _push_along(c, p, tab, w)
        if not factored or tab[at.A_SPREAD] != 0:  # a recursion goes through forces and inertias together
            at_address(tab[at.A_FACTOR])(t, aside, p, tab, w, scratch)
            factored = True
        solver_at(tab[at.A_SOLVE])(1.0, tab[at.W_RIGHT], p, tab, w)
        w[at.EVALUATIONS] += 1.0
        for i in range(n_v):
            change = w[tab[at.W_CHANGE] + i]
            run[x + c * n_v + i] = change if is_finite(change) else 0.0


@kernel(types.void(i8, i8, i8, f8, f8, A, A, I, A, A, I))
def _answer_beside(k, kind, i, way, t, y, p, tab, w, run, count):
    """The answer of law k where its i-th value (0), rate (1) or state (2) is moved by `way`."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    read_law(k, -1.0, y, p, tab, w)
    if kind == 0:
        w[tab[at.W_READ] + i] += way
    elif kind == 1:
        w[tab[at.W_READ] + tab[row + at.LAW_N_READS] + i] += way
    else:
        w[tab[at.W_STATE] + tab[row + at.LAW_STATES] + i] += way
    answer(k, t, p, tab, w)


@kernel(types.void(i8, i8, i8, i8, f8, i8, i8, A, I, A, A, I))
def _add(k, kind, j, to, found, port, slopes, p, tab, w, run, count):
    """One slope of law k, of its force or state j, which is the port `to`, against `port`; and that of its power."""
    if not is_finite(found):
        return
    ports = count[PORTS]
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    run[slopes + to * ports + port] += found
    slot = tab[row + at.LAW_WORK]
    if j < tab[row + at.LAW_N_ALONG] and slot >= 0:  # power = force * rate
        z = count[R_WORK_VALUE] if kind == 0 else count[R_WORK_RATE]
        run[z + slot * ports + port] += found * channel_rate(to, tab, p, w)


@kernel(types.boolean(i8, f8, A, A, I, A, A, I))
def _told(k, t, y, p, tab, w, run, count):
    """Slopes of law k as it tells them; False where it does not."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    n_reads, n_along = tab[row + at.LAW_N_READS], tab[row + at.LAW_N_ALONG]
    told = count[R_TOLD]
    read_law(k, -1.0, y, p, tab, w)
    if not told_slopes(count[count[SLOPE_TABLE] + k], k, t, p, tab, w, beyond(run, told)):
        return False
    for i in range(n_reads):
        port = tab[tab[at.T_READS] + tab[row + at.LAW_READS] + i]
        if port < 0:  # a function of time
            continue
        for j in range(n_along):
            to = tab[tab[at.T_ALONG] + tab[row + at.LAW_ALONG] + j]
            one = told + j * n_reads + i
            _add(k, 0, j, to, run[one], port, count[R_VALUE], p, tab, w, run, count)
            _add(k, 1, j, to, run[one + n_along * n_reads], port, count[R_RATE], p, tab, w, run, count)
    return True


@kernel(types.void(i8, i8, i8, f8, i8, i8, f8, A, A, I, A, A, I))
def _slope(k, kind, i, way, port, slopes, t, y, p, tab, w, run, count):
    """Slopes of law k against one of its inputs, which is a port, by two differences; into V or Q at `slopes`."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    n_along, n_states = tab[row + at.LAW_N_ALONG], tab[row + at.LAW_N_STATES]
    out = tab[at.W_OUT] + tab[row + at.LAW_ALONG]
    changes = tab[at.W_STATE_RATE] + tab[row + at.LAW_STATES]
    before = count[R_OUT]
    _answer_beside(k, kind, i, way, t, y, p, tab, w, run, count)
    for j in range(n_along):
        run[before + j] = w[out + j]
    for j in range(n_states):
        run[before + n_along + j] = w[changes + j]
    _answer_beside(k, kind, i, -way, t, y, p, tab, w, run, count)
    for j in range(n_along + n_states):
        if j < n_along:
            if (run[before + j] == 0.0) != (w[out + j] == 0.0):
                run[count[R_KNOWN] + K_EDGE] = 1.0
            found = run[before + j] - w[out + j]
            to = tab[tab[at.T_ALONG] + tab[row + at.LAW_ALONG] + j]
        else:
            found = run[before + j] - w[changes + j - n_along]
            to = tab[at.N_CHANNELS] + tab[row + at.LAW_STATES] + j - n_along
        _add(k, kind, j, to, found / (2.0 * way), port, slopes, p, tab, w, run, count)


@kernel(types.void(f8, f8, A, A, I, A, A, I))
def _law_slopes(t, step, y, p, tab, w, run, count):
    """V, Q, ZV and ZQ at a state that is located."""
    ports, channels = count[PORTS], tab[at.N_CHANNELS]
    for i in range(ports * ports):
        run[count[R_RATE] + i] = 0.0
        run[count[R_VALUE] + i] = 0.0
    for i in range(tab[at.N_Z] * ports):
        run[count[R_WORK_RATE] + i] = 0.0
        run[count[R_WORK_VALUE] + i] = 0.0
    first = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z]
    for k in range(tab[at.N_LAWS]):
        row = tab[at.T_LAW] + at.LAW_COLUMNS * k
        if tab[row + at.LAW_ADDRESS] == 0:
            continue
        n_reads = tab[row + at.LAW_N_READS]
        told = _told(k, t, y, p, tab, w, run, count)
        for i in range(0 if told else n_reads):
            port = tab[tab[at.T_READS] + tab[row + at.LAW_READS] + i]
            if port < 0:  # a function of time
                continue
            read_law(k, -1.0, y, p, tab, w)
            value, rate = w[tab[at.W_READ] + i], w[tab[at.W_READ] + n_reads + i]
            way = PART * (abs(value) + abs(step * rate)) + LEAST * run[LENGTH]
            _slope(k, 0, i, way, port, count[R_VALUE], t, y, p, tab, w, run, count)
            way = PART * abs(rate) + LEAST * run[SPEED_FLOOR]
            _slope(k, 1, i, way, port, count[R_RATE], t, y, p, tab, w, run, count)
        for i in range(tab[row + at.LAW_N_STATES]):
            place = tab[row + at.LAW_STATES] + i
            size = max(abs(y[first + place]), run[count[R_LARGEST] + place])
            way = PART * size if size > 0.0 else LEAST
            _slope(k, 2, i, way, channels + place, count[R_RATE], t, y, p, tab, w, run, count)
        slot = tab[row + at.LAW_WORK]
        if slot >= 0:
            read_law(k, -1.0, y, p, tab, w)
            answer(k, t, p, tab, w)
            for j in range(tab[row + at.LAW_N_ALONG]):
                force = w[tab[at.W_OUT] + tab[row + at.LAW_ALONG] + j]
                port = tab[tab[at.T_ALONG] + tab[row + at.LAW_ALONG] + j]
                if is_finite(force):
                    run[count[R_WORK_RATE] + slot * ports + port] += force


@kernel(types.void(A, I))
def _choose_active(run, count):
    """Ports with any slope, and which of them each reads."""
    ports = count[PORTS]
    active = 0
    for i in range(ports):
        matters = False
        for j in range(ports):
            for one in (i * ports + j, j * ports + i):
                matters = matters or run[count[R_RATE] + one] != 0.0 or run[count[R_VALUE] + one] != 0.0
        if matters:
            run[count[R_ACTIVE] + active] = i
            active += 1
    count[ACTIVE] = active
    for k in range(active):
        i = int(run[count[R_ACTIVE] + k])
        first, last = active, -1
        for m in range(active):
            j = i * ports + int(run[count[R_ACTIVE] + m])
            if run[count[R_RATE] + j] != 0.0 or run[count[R_VALUE] + j] != 0.0:
                first, last = min(first, m), m
        run[count[R_FIRST] + k], run[count[R_LAST] + k] = first, last


@kernel(types.void(I, A, I))
def _loops(tab, run, count):
    """V C and Q C of the active ports, with C = G X; states of laws answer for themselves."""
    ports, active, n_v, channels = count[PORTS], count[ACTIVE], tab[at.N_V], tab[at.N_CHANNELS]
    for b in range(active):
        to = int(run[count[R_ACTIVE] + b])
        x = count[R_RESPONSE] + to * n_v
        for m in range(active):
            j = int(run[count[R_ACTIVE] + m])
            found = 0.0
            if j < channels and to < channels:
                g = count[R_GRADIENT] + j * n_v
                for i in range(n_v):
                    found += run[g + i] * run[x + i]
            elif j == to:
                found = 1.0
            run[count[R_COLUMN] + m] = found
        for a in range(active):
            row = int(run[count[R_ACTIVE] + a]) * ports
            rate, value = 0.0, 0.0
            for m in range(int(run[count[R_FIRST] + a]), int(run[count[R_LAST] + a]) + 1):
                j = int(run[count[R_ACTIVE] + m])
                rate += run[count[R_RATE] + row + j] * run[count[R_COLUMN] + m]
                value += run[count[R_VALUE] + row + j] * run[count[R_COLUMN] + m]
            run[count[R_RATE_LOOP] + b * active + a] = rate
            run[count[R_VALUE_LOOP] + b * active + a] = value


@kernel(types.void(f8, f8, A, A, I, A, A, I))
def find_slopes(t, step, y, p, tab, w, run, count):
    """All of the above at a state; the workspace is elsewhere afterwards, and its status is as it was unless a law
    wrote beyond its place.
    """
    scratch = beyond(run, count[R_SCRATCH])
    run[count[R_KNOWN] + K_EDGE] = 0.0
    at_address(tab[at.A_LOCATE])(t, y, p, tab, w, scratch)
    _law_slopes(t, step, y, p, tab, w, run, count)
    broken = w[at.STATUS] == at.WROTE_BEYOND
    _choose_active(run, count)
    if count[ACTIVE] > 0:
        find_gradients(t, count[R_GRADIENT], y, p, tab, w, run, count)
        find_responses(t, count[R_RESPONSE], y, p, tab, w, run, count)
        _loops(tab, run, count)
    if not broken:
        w[at.STATUS] = at.OK
