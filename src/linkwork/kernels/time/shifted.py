"""The shifted systems of an implicit method, solved by the ports of the laws: one real, one complex.

        (mu - V' - Q'/mu) x = r           mu = gamma / h, or (alpha + i beta) / h

x and r are vectors of u = (speeds, work, states of laws).  Work has no part in the motion: its row is done last.

| symbol | word                                                                     | shape           |
|--------|--------------------------------------------------------------------------|-----------------|
| seen   | G x of the active ports: real, or both parts of complex ones             | 2 * ports       |
| f      | forces along the active ports                                            | 2 * ports       |
"""

from __future__ import annotations

import math

from linkwork.kernels import layout as at
from linkwork.kernels.jit import A, I, beyond, f8, i8, kernel, types
from linkwork.kernels.time.lu import factor_complex, factor_real, solve_complex, solve_real
from linkwork.kernels.time.places import N_STATE, OWN
from linkwork.kernels.time.ports import (
    ACTIVE,
    PORT_PLACES,
    PORTS,
    R_ACTIVE,
    R_FIRST,
    R_GRADIENT,
    R_LAST,
    R_RATE,
    R_RATE_LOOP,
    R_RESPONSE,
    R_VALUE,
    R_VALUE_LOOP,
    R_WORK_RATE,
    R_WORK_VALUE,
    arrange_ports,
)
from linkwork.kernels.time.stages import R_MU

# own places, behind those of the ports
(R_SEEN, R_FORCE, R_REAL, R_COMPLEX, R_IMAGINARY, R_SWAP, _END) = range(OWN + PORT_PLACES, OWN + PORT_PLACES + 7)
SYSTEM_PLACES = _END - OWN


def arrange_systems(room, sizes) -> None:
    """Room for the ports, and for systems as large as there are ports."""
    ports = arrange_ports(room, sizes)
    for place, size in (
        (R_SEEN, 2 * ports),
        (R_FORCE, 2 * ports),
        (R_REAL, ports * ports),
        (R_COMPLEX, ports * ports),
        (R_IMAGINARY, ports * ports),
        (R_SWAP, 2 * ports),
    ):
        room.put(place, size)


@kernel(types.boolean(f8, A, I))
def factor(step, run, count):
    """The real and the complex system for this length."""
    n = count[ACTIVE]
    real, one, two = count[R_REAL], count[R_COMPLEX], count[R_IMAGINARY]
    mu = run[count[R_MU]] / step
    re, im = run[count[R_MU] + 1] / step, run[count[R_MU] + 2] / step
    size = re * re + im * im
    for i in range(n * n):
        rate, value = run[count[R_RATE_LOOP] + i], run[count[R_VALUE_LOOP] + i]
        run[real + i] = -rate - value / mu
        run[one + i] = -rate - value * re / size
        run[two + i] = value * im / size
    for i in range(n):
        run[real + i * n + i] += mu
        run[one + i * n + i] += re
        run[two + i * n + i] += im
    swap = count[R_SWAP]
    return factor_real(n, beyond(run, real), beyond(run, swap)) and factor_complex(
        n, beyond(run, one), beyond(run, two), beyond(run, swap + n)
    )


@kernel(f8(A, I))
def fastest_rate(run, count):
    """About the largest eigenvalue that the slopes of the laws give: it is above the largest of the diagonal of V C and
    below their sum; of Q C it is the square.
    """
    n = count[ACTIVE]
    rate, rates, value, values = 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        one, two = abs(run[count[R_RATE_LOOP] + i * n + i]), abs(run[count[R_VALUE_LOOP] + i * n + i])
        rate, rates = max(rate, one), rates + one
        value, values = max(value, two), values + two
    return max(min(rates, 3.0 * rate), math.sqrt(min(values, 3.0 * value)))


@kernel(types.void(i8, i8, I, A, I))
def _see(x, seen, tab, run, count):
    """G x of the active ports, in their order."""
    n_v, channels = tab[at.N_V], tab[at.N_CHANNELS]
    for a in range(count[ACTIVE]):
        port = int(run[count[R_ACTIVE] + a])
        total = 0.0
        if port < channels:
            g = count[R_GRADIENT] + port * n_v
            for i in range(n_v):
                total += run[g + i] * run[x + i]
        else:
            total = run[x + n_v + tab[at.N_Z] + port - channels]
        run[seen + a] = total


@kernel(types.void(f8, f8, i8, i8, i8, i8, A, I))
def _forces(re, im, one, two, f, g, run, count):
    """(V + Q / mu) seen  of the active ports, with 1 / mu = re + i im, for what is seen at `one` + i `two`."""
    many = count[PORTS]
    for a in range(count[ACTIVE]):
        row = int(run[count[R_ACTIVE] + a]) * many
        x, y = 0.0, 0.0
        for m in range(int(run[count[R_FIRST] + a]), int(run[count[R_LAST] + a]) + 1):
            j = row + int(run[count[R_ACTIVE] + m])
            rate, value = run[count[R_RATE] + j], run[count[R_VALUE] + j]
            x += (rate + value * re) * run[one + m] - value * im * run[two + m]
            y += (rate + value * re) * run[two + m] + value * im * run[one + m]
        run[f + a] = x
        run[g + a] = y


@kernel(types.void(i8, i8, I, A, I))
def _add_response(f, x, tab, run, count):
    """x += X f  of the speeds, and of the states of laws."""
    n_v, channels = tab[at.N_V], tab[at.N_CHANNELS]
    for a in range(count[ACTIVE]):
        port = int(run[count[R_ACTIVE] + a])
        force = run[f + a]
        if port < channels:
            response = count[R_RESPONSE] + port * n_v
            for i in range(n_v):
                run[x + i] += run[response + i] * force
        else:
            run[x + n_v + tab[at.N_Z] + port - channels] += force


@kernel(f8(i8, i8, i8, A, I))
def _power(slot, slopes, seen, run, count):
    """Slopes of one work times what is seen."""
    many = count[PORTS]
    total = 0.0
    for a in range(count[ACTIVE]):
        total += run[slopes + slot * many + int(run[count[R_ACTIVE] + a])] * run[seen + a]
    return total


@kernel(types.void(f8, i8, i8, I, A, I))
def solve_with_real(step, x, moved, tab, run, count):
    """(mu - V' - Q'/mu) x = r + Q' moved / mu  in place of r; `moved` is below 0 where there is nothing of it."""
    n = count[ACTIVE]
    n_v, n_z = tab[at.N_V], tab[at.N_Z]
    mu = run[count[R_MU]] / step
    seen, f = count[R_SEEN], count[R_FORCE]
    if n > 0:
        _see(x, seen, tab, run, count)
        for a in range(n):
            run[seen + n + a] = 0.0
        _forces(1.0 / mu, 0.0, seen, seen + n, f, f + n, run, count)
        if moved >= 0:
            _see(moved, seen + n, tab, run, count)
            many, channels = count[PORTS], tab[at.N_CHANNELS]
            for a in range(n):
                row = int(run[count[R_ACTIVE] + a]) * many
                for m in range(int(run[count[R_FIRST] + a]), int(run[count[R_LAST] + a]) + 1):
                    j = int(run[count[R_ACTIVE] + m])
                    if j < channels:
                        run[f + a] += run[count[R_VALUE] + row + j] * run[seen + n + m]
        solve_real(n, beyond(run, count[R_REAL]), beyond(run, count[R_SWAP]), beyond(run, f))
        _add_response(f, x, tab, run, count)
    for i in range(n_v):
        run[x + i] /= mu
    for i in range(n_v + n_z, count[N_STATE] - tab[at.N_Q]):
        run[x + i] /= mu
    if n > 0 and n_z > 0:
        _see(x, seen, tab, run, count)
        for z in range(n_z):
            part = _power(z, count[R_WORK_RATE], seen, run, count)
            part += _power(z, count[R_WORK_VALUE], seen, run, count) / mu
            if moved >= 0:
                part += _power(z, count[R_WORK_VALUE], seen + n, run, count) / mu
            run[x + n_v + z] += part
    for i in range(n_v, n_v + n_z):
        run[x + i] /= mu


@kernel(types.void(f8, i8, i8, I, A, I))
def solve_with_complex(step, x, y, tab, run, count):
    """The same of the complex system, r = x + i y; 1/mu = (re - i im)."""
    n = count[ACTIVE]
    n_v, n_z = tab[at.N_V], tab[at.N_Z]
    re, im = run[count[R_MU] + 1] / step, run[count[R_MU] + 2] / step
    size = re * re + im * im
    re, im = re / size, -im / size
    seen, f = count[R_SEEN], count[R_FORCE]
    if n > 0:
        _see(x, seen, tab, run, count)
        _see(y, seen + n, tab, run, count)
        _forces(re, im, seen, seen + n, f, f + n, run, count)
        solve_complex(
            n,
            beyond(run, count[R_COMPLEX]),
            beyond(run, count[R_IMAGINARY]),
            beyond(run, count[R_SWAP] + n),
            beyond(run, f),
            beyond(run, f + n),
        )
        _add_response(f, x, tab, run, count)
        _add_response(f + n, y, tab, run, count)
    for i in range(count[N_STATE] - tab[at.N_Q]):
        if i < n_v or i >= n_v + n_z:
            one, two = run[x + i], run[y + i]
            run[x + i] = one * re - two * im
            run[y + i] = one * im + two * re
    if n_z > 0:
        if n > 0:
            _see(x, seen, tab, run, count)
            _see(y, seen + n, tab, run, count)
        for z in range(n_z):
            one, two = run[x + n_v + z], run[y + n_v + z]
            if n > 0:
                a = _power(z, count[R_WORK_VALUE], seen, run, count)
                b = _power(z, count[R_WORK_VALUE], seen + n, run, count)
                one += _power(z, count[R_WORK_RATE], seen, run, count) + a * re - b * im
                two += _power(z, count[R_WORK_RATE], seen + n, run, count) + a * im + b * re
            run[x + n_v + z] = one * re - two * im
            run[y + n_v + z] = one * im + two * re
