"""Calls through addresses: laws, time functions and functions of measures are compiled apart, so that a new one never
recompiles a kernel.

A slot that fails gives nan (a compiled one that raises would otherwise give 0.0, a silent loss of the force); the
evaluation checks finiteness once and leaves the culprit in the workspace.
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import RHS, A, I, beyond, f8, function_at, geometry_at, i8, kernel, law_at, types


@kernel(f8(i8, I, A, A))
def channel_rate(source, tab, p, w):
    """The rate of a channel as it was located last; nan (ends that meet) counts as zero."""
    rate = 0.0
    for c in range(tab[tab[at.T_CHANNEL] + source], tab[tab[at.T_CHANNEL] + source + 1]):
        rate += p[tab[at.P_CHANNEL] + c] * w[tab[at.W_RATE] + tab[tab[at.T_CHANNEL_TERM] + c]]
    return rate if math.isfinite(rate) else 0.0


@kernel(types.void(i8, i8, i8, i8, A, I, A))
def ask_measure(entry, seen, n_seen, n_given, p, tab, w):
    """What the function of a measure gives for what it is told; `entry` is the measure's place in its table.

    It writes into a copy of its memory: trial stages and rejected steps leave no trace, `remember` takes it over.
    Where it fails, the count of evaluations and what it was told are kept behind what it gave.
    """
    given = seen + n_seen
    n_memory = tab[entry + at.MEASURE_N_MEMORY]
    first = tab[entry + at.MEASURE_SLOT] if n_memory > 0 else 0
    written = tab[at.W_TURNED] + first
    for i in range(n_memory):
        w[written + i] = w[tab[at.W_MEMORY] + first + i]
    geometry_at(tab[entry + at.MEASURE_FUNCTION])(
        beyond(w, seen),
        beyond(p, tab[entry + at.MEASURE_NUMBERS]),
        beyond(w, written),
        beyond(w, given),
        tab[entry + at.MEASURE_N_NUMBERS],
        n_memory,
    )
    failed = False
    for i in range(n_given):
        failed = failed or not math.isfinite(w[given + i])
    for i in range(n_seen):
        failed = failed and math.isfinite(w[seen + i])
    if failed:
        w[given + n_given] = 1.0 + w[at.EVALUATIONS]
        for i in range(n_seen):
            w[given + n_given + 1 + i] = w[seen + i]


@kernel(types.void(f8, A, I, A))
def evaluate_functions(t, p, tab, w):
    """All time functions of drivers and laws: f, f', f''."""
    table = tab[at.T_FUNCTION]
    out = tab[at.W_FUNCTION]
    for k in range(tab[at.N_FUNCTIONS]):
        row = table + at.FUNCTION_COLUMNS * k
        first = out + at.FUNCTION_ORDERS * k
        numbers = tab[row + at.FUNCTION_NUMBERS]  # the first is when its time begins
        function_at(tab[row + at.FUNCTION_ADDRESS])(
            t - p[numbers], beyond(p, numbers + 1), beyond(w, first), tab[row + at.FUNCTION_N_NUMBERS] - 1
        )
        if not (
            math.isfinite(w[first + at.FUNCTION_VALUE])
            and math.isfinite(w[first + at.FUNCTION_RATE])
            and math.isfinite(w[first + at.FUNCTION_SECOND])
        ):
            w[at.STATUS] = at.FUNCTION_FAILED
            w[at.CULPRIT] = k
            w[at.TIME_FAILED] = t


@kernel(types.boolean(i8, A, I, A))
def _meets(measure, p, tab, w):
    """Whether a measure is a distance whose ends meet."""
    return (
        tab[tab[at.T_MEASURE] + at.MEASURE_COLUMNS * measure + at.MEASURE_CODE] == at.DISTANCE
        and w[tab[at.W_VALUE] + measure] <= at.MEET * p[tab[at.P_LENGTH]]
    )


@kernel(types.void(i8, f8, A, A, I, A))
def read_law(k, length, y, p, tab, w):
    """What a law reads, its memory and its states, each as a copy that it may write to.

    With length >= 0, as if ends that meet were so far apart, and at rest.
    """
    channel = tab[at.T_CHANNEL]
    term = tab[at.T_CHANNEL_TERM]
    weights = tab[at.P_CHANNEL]
    read = tab[at.W_READ]
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    reads, n_reads = tab[row + at.LAW_READS], tab[row + at.LAW_N_READS]
    for i in range(n_reads):
        source = tab[tab[at.T_READS] + reads + i]
        value = 0.0
        rate = 0.0
        if source >= 0:
            for c in range(tab[channel + source], tab[channel + source + 1]):
                measure = tab[term + c]
                if length >= 0.0 and _meets(measure, p, tab, w):
                    value += p[weights + c] * length
                else:
                    value += p[weights + c] * w[tab[at.W_VALUE] + measure]
                    rate += p[weights + c] * w[tab[at.W_RATE] + measure]
        else:
            function = tab[at.W_FUNCTION] + at.FUNCTION_ORDERS * (-1 - source)
            value = w[function + at.FUNCTION_VALUE]
            rate = w[function + at.FUNCTION_RATE]
        w[read + i] = value
        w[read + n_reads + i] = rate
    _renew_memory(k, tab, w)
    states = tab[row + at.LAW_STATES]
    first = tab[at.N_Q] + tab[at.N_V] + tab[at.N_Z] + states
    for i in range(tab[row + at.LAW_N_STATES]):
        w[tab[at.W_STATE] + states + i] = y[first + i]
        w[tab[at.W_STATE_RATE] + states + i] = 0.0


@kernel(types.void(i8, I, A))
def _renew_memory(k, tab, w):
    """The copy of its memory that a law may write to: trial stages and rejected steps leave no trace."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    memory = tab[row + at.LAW_MEMORY]
    for i in range(tab[row + at.LAW_N_MEMORY]):
        w[tab[at.W_TURNED] + memory + i] = w[tab[at.W_MEMORY] + memory + i]


@kernel(types.void(i8, i8, f8, A, I, A))
def _call(address, k, t, p, tab, w):
    """Call a law, or what it does when a step is accepted, with what was read."""
    read = tab[at.W_READ]
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    n_reads = tab[row + at.LAW_N_READS]
    law_at(address)(
        t,
        beyond(w, read),
        beyond(w, read + n_reads),
        beyond(p, tab[row + at.LAW_NUMBERS]),
        beyond(w, tab[at.W_TURNED] + tab[row + at.LAW_MEMORY]),
        beyond(w, tab[at.W_OUT] + tab[row + at.LAW_ALONG]),
        beyond(w, tab[at.W_STATE] + tab[row + at.LAW_STATES]),
        beyond(w, tab[at.W_STATE_RATE] + tab[row + at.LAW_STATES]),
        n_reads,
        tab[row + at.LAW_N_NUMBERS],
        tab[row + at.LAW_N_MEMORY],
        tab[row + at.LAW_N_ALONG],
        tab[row + at.LAW_N_STATES],
    )


@kernel(types.void(i8, f8, f8, A, A, I, A))
def _ask(k, length, t, y, p, tab, w):
    """The forces of a law for what it reads; with length >= 0, as if ends that meet were so far apart, and at rest."""
    read_law(k, length, y, p, tab, w)
    answer(k, t, p, tab, w)


@kernel(types.void(i8, f8, A, I, A))
def answer(k, t, p, tab, w):
    """The forces of a law, and the rates of its states, for what was read."""
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    first = tab[at.W_OUT] + tab[row + at.LAW_ALONG]
    last = first + tab[row + at.LAW_N_ALONG]
    whole = w[first - 1] == at.GUARD and w[last] == at.GUARD
    for i in range(first, last):  # what a law does not write is no force
        w[i] = 0.0
    if tab[row + at.LAW_ADDRESS] != 0:  # else it is switched off: no force, and its states stay
        _call(tab[row + at.LAW_ADDRESS], k, t, p, tab, w)
    if tab[row + at.LAW_ACCEPT] != 0:  # its memory changes in `accept_laws` alone
        _renew_memory(k, tab, w)
    if w[first - 1] != at.GUARD or w[last] != at.GUARD:
        w[at.STATUS] = at.WROTE_BEYOND
        if whole:  # what is broken stays so: the run must end, and the first one is to blame
            w[at.CULPRIT] = k
            w[at.TIME_FAILED] = t


@kernel(types.boolean(i8, i8, f8, A, I, A, A))
def told_slopes(address, k, t, p, tab, w, slopes):
    """Slopes of the forces of a law for what was read, where it tells them: against all values, then against all rates,
    for one force after the other.  False where it does not, or where they are no numbers.
    """
    if address == 0:
        return False
    read = tab[at.W_READ]
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    n_reads, n_along = tab[row + at.LAW_N_READS], tab[row + at.LAW_N_ALONG]
    n = n_reads * n_along
    for i in range(2 * n):
        slopes[i] = 0.0
    law_at(address)(
        t,
        beyond(w, read),
        beyond(w, read + n_reads),
        beyond(p, tab[row + at.LAW_NUMBERS]),
        beyond(w, tab[at.W_TURNED] + tab[row + at.LAW_MEMORY]),
        slopes,
        beyond(w, tab[at.W_STATE] + tab[row + at.LAW_STATES]),
        beyond(slopes, n),
        n_reads,
        tab[row + at.LAW_N_NUMBERS],
        tab[row + at.LAW_N_MEMORY],
        n_along,
        tab[row + at.LAW_N_STATES],
    )
    _renew_memory(k, tab, w)
    total = 0.0
    for i in range(2 * n):
        total += abs(slopes[i])
    return math.isfinite(total)


@kernel(types.boolean(f8, A, A, I, A))
def accept_laws(t, y, p, tab, w):
    """A step was accepted, and the workspace is at its end: what laws remember from here on, in W_TURNED.

    A law with a part for it is asked once; of the others what they wrote here stays.  False, and MEMORY_FAILED, where
    a number is not finite.
    """
    for k in range(tab[at.N_LAWS]):
        row = tab[at.T_LAW] + at.LAW_COLUMNS * k
        if tab[row + at.LAW_ACCEPT] != 0:
            read_law(k, -1.0, y, p, tab, w)
            _call(tab[row + at.LAW_ACCEPT], k, t, p, tab, w)
        memory = tab[at.W_TURNED] + tab[row + at.LAW_MEMORY]
        for i in range(tab[row + at.LAW_N_MEMORY]):
            if not math.isfinite(w[memory + i]):
                w[at.STATUS] = at.MEMORY_FAILED
                w[at.CULPRIT] = k
                w[at.TIME_FAILED] = t
                return False
    return True


@kernel(f8(i8, f8, f8, A, A, I, A))
def _push(k, length, t, y, p, tab, w):
    """Largest force of a law along ends that meet, as if they were so far apart, and at rest."""
    channel = tab[at.T_CHANNEL]
    row = tab[at.T_LAW] + at.LAW_COLUMNS * k
    along = tab[row + at.LAW_ALONG]
    largest = 0.0
    _ask(k, length, t, y, p, tab, w)
    for i in range(tab[row + at.LAW_N_ALONG]):
        source = tab[tab[at.T_ALONG] + along + i]
        for c in range(tab[channel + source], tab[channel + source + 1]):
            if _meets(tab[tab[at.T_CHANNEL_TERM] + c], p, tab, w):
                largest = max(largest, abs(w[tab[at.W_OUT] + along + i]))
    return largest


@kernel(types.void(i8, f8, A, A, I, A))
def _check_ends(k, t, y, p, tab, w):
    """Where ends meet, only a force that vanishes at rest has a direction: that of their velocity (a damper)."""
    if _push(k, 0.0, t, y, p, tab, w) > at.MEET * _push(k, p[tab[at.P_LENGTH]], t, y, p, tab, w):
        w[at.STATUS] = at.ENDS_MEET
        w[at.CULPRIT] = k
        w[at.TIME_FAILED] = t
    _ask(k, -1.0, t, y, p, tab, w)


@kernel(RHS)
def apply_laws(t, y, p, tab, w, f):
    """Forces of all laws, added to the applied force of the bodies; power of what dissipates or drives goes to z',
    and the rates of their states behind it.

    h_b = sum over laws and their channels of  force * gradient_b
    """
    dof = tab[at.DOF]
    h = tab[at.W_APPLIED]
    gradient = tab[at.W_GRADIENT]
    rates = tab[at.W_RATE]
    z = tab[at.N_Q] + tab[at.N_V]
    channel = tab[at.T_CHANNEL]
    term = tab[at.T_CHANNEL_TERM]
    weights = tab[at.P_CHANNEL]
    frame_body = tab[at.T_FRAME_BODY]
    for k in range(tab[at.N_LAWS]):
        row = tab[at.T_LAW] + at.LAW_COLUMNS * k
        along, n_along = tab[row + at.LAW_ALONG], tab[row + at.LAW_N_ALONG]
        out = tab[at.W_OUT] + along
        _ask(k, -1.0, t, y, p, tab, w)
        power = 0.0
        meeting = False
        for i in range(n_along):
            force = w[out + i]
            if not math.isfinite(force) and w[at.STATUS] != at.WROTE_BEYOND:
                w[at.STATUS] = at.LAW_FAILED
                w[at.CULPRIT] = k
                w[at.TIME_FAILED] = t
            source = tab[tab[at.T_ALONG] + along + i]
            for c in range(tab[channel + source], tab[channel + source + 1]):
                measure = tab[term + c]
                push = force * p[weights + c]
                if _meets(measure, p, tab, w):
                    meeting = True
                    if w[rates + measure] == 0.0:  # no direction, and no force either: `_check_ends`
                        continue
                entry = tab[at.T_MEASURE] + at.MEASURE_COLUMNS * measure
                on = h + dof * tab[frame_body + tab[entry + at.MEASURE_ON]]
                to = h + dof * tab[frame_body + tab[entry + at.MEASURE_TO]]
                g = gradient + 2 * dof * measure
                for x in range(dof):
                    w[on + x] += push * w[g + x]
                    w[to + x] += push * w[g + dof + x]
                power += push * w[rates + measure]
        if meeting:
            _check_ends(k, t, y, p, tab, w)
        slot = tab[row + at.LAW_WORK]
        if slot >= 0:
            f[z + slot] = power
        states = tab[row + at.LAW_STATES]
        for i in range(tab[row + at.LAW_N_STATES]):
            rate = w[tab[at.W_STATE_RATE] + states + i]
            if not math.isfinite(rate) and w[at.STATUS] == at.OK:
                w[at.STATUS] = at.LAW_FAILED
                w[at.CULPRIT] = k
                w[at.TIME_FAILED] = t
            f[z + tab[at.N_Z] + states + i] = rate
