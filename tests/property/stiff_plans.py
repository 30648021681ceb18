"""Random stiff mechanisms, each with an independent solution: matrix exponentials, or textbook equations in scipy."""

import math
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from operator import mul
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import linkwork as lw

GRAVITY = 9.81
MOST_ASKED = 60_000


@dataclass
class Plan:
    """A mechanism, how to run it, and what it must give: {name: values at the times}; `size` is a usual length."""

    mechanism: Any
    times: np.ndarray
    wanted: dict
    size: float
    start: dict = field(default_factory=dict)
    told: str = ""
    ends: tuple[bool, ...] = ()  # of a stop with two ends: which of them the independent solution meets


def spread(rng, low, high):
    """A number between 10^low and 10^high."""
    return float(10.0 ** rng.uniform(low, high))


def _linear(A, x, b, times):
    """x' = A x + b at equal times, with 80 digits: where entries reach 1e16, exp(A t) in doubles is off by 1e-7.

    exp(A h) = exp(A h / 2^s)^(2^s), the latter by its series
    """
    n = len(x)
    with localcontext() as context:
        context.prec = 80
        h = Decimal(float(times[1] - times[0]))
        big = [[Decimal(float(one)) * h for one in (*row, more)] for row, more in zip(A, b)] + [[Decimal(0)] * (n + 1)]
        size = max(sum(map(abs, row)) for row in big)
        halvings = max(0, int(np.log2(float(size) + 1.0)) + 4)
        small = [[one / 2**halvings for one in row] for row in big]
        term = step = [[Decimal(int(i == j)) for j in range(n + 1)] for i in range(n + 1)]
        for k in range(1, 40):
            term = [[one / k for one in row] for row in _product(term, small)]
            step = [[one + more for one, more in zip(*rows)] for rows in zip(step, term)]
        for _ in range(halvings):
            step = _product(step, step)
        z = [[Decimal(float(one))] for one in (*x, 1.0)]
        found = []
        for _ in times:
            found.append([float(one) for (one,) in z[:n]])
            z = _product(step, z)
    return np.array(found)


def _product(A, B):
    columns = list(zip(*B))
    return [[sum(map(mul, row, column)) for column in columns] for row in A]


class TooLong(Exception):
    """There is no independent solution, or it takes too long."""


def _solved(f, x, times, watched=()):
    """By scipy's Radau, at fine tolerances; with `watched`, functions of time and state, which of them pass zero.

    What takes too long is nan: such a mechanism is run all the same, and judged by its ledger.
    """
    asked = 0

    def counted(t, y):
        nonlocal asked
        asked += 1
        if asked > MOST_ASKED:
            raise TooLong
        return f(t, y)

    try:
        found = solve_ivp(counted, (0.0, times[-1]), x, method="Radau", t_eval=times, rtol=1e-10, atol=1e-13,
                          events=watched or None)  # fmt: skip
    except TooLong:
        nothing = np.full((len(times), len(x)), np.nan)
        return (nothing, ()) if watched else nothing
    assert found.success, found.message
    return (found.y.T, tuple(len(one) > 0 for one in found.t_events)) if watched else found.y.T


def masses(rng):
    """Blocks on a rail, in a row, with springs and dampers between them; light ones among them."""
    n = int(rng.integers(1, 5))
    m = lw.Mechanism("masses", gravity=None)
    mass = [spread(rng, -6, 1) if rng.random() < 0.3 else spread(rng, -1, 1) for _ in range(n)]
    k = [spread(rng, 3, 11) if rng.random() < 0.7 else spread(rng, 0, 2) for _ in range(n)]
    c = [rng.choice([0.0, 1.0]) * spread(rng, -1, 6) for _ in range(n)]
    rest = [0.5] * n
    A, b, x = np.zeros((2 * n, 2 * n)), np.zeros(2 * n), np.zeros(2 * n)
    before = m.ground.at(0, 0)
    push = rng.uniform(-5, 5)
    for i in range(n):
        x[i] = 0.5 * (i + 1)
        x[n + i] = rng.uniform(-0.3, 0.3) if i == n - 1 and k[i] < 1e3 else 0.0
        block = m.add(f"m{i}", lw.Particle(mass[i], position=(x[i], 0.0), velocity=(x[n + i], 0.0)))
        m.add(f"rail{i}", lw.PinInSlot(m.ground.at(0, 0), block.at(0, 0)))
        m.add(f"s{i}", lw.SpringDamper(before, block.at(0, 0), stiffness=k[i], damping=c[i], rest_length=rest[i]))
        before = block.at(0, 0)
        A[i, n + i] = 1.0
        for j, sign in ((i, -1.0), (i - 1, 1.0)):  # force of spring i on both of its ends
            if j >= 0:
                A[n + j, i] += sign * k[i] / mass[j]
                A[n + j, n + i] += sign * c[i] / mass[j]
                b[n + j] -= sign * k[i] * rest[i] / mass[j]
                if i > 0:
                    A[n + j, i - 1] -= sign * k[i] / mass[j]
                    A[n + j, n + i - 1] -= sign * c[i] / mass[j]
    m.add("push", lw.PointForce(before, x=push))
    b[2 * n - 1] += push / mass[-1]
    times = np.linspace(0.0, rng.uniform(0.2, 2.0), 11)
    found = _linear(A, x, b, times)
    finely = _linear(A, x, b, np.linspace(0.0, times[-1], 200))[:, :n]
    if np.diff(np.column_stack([np.zeros(200), finely]), axis=1).min() < 0.05:
        raise TooLong  # one passes through the other: no longer linear
    return Plan(m, times, {f"m{i}.x": found[:, i] for i in range(n)}, 0.5 * n, told=f"k {k} c {c} mass {mass}")


def maxwell(rng):
    """A spring and a damper in a row, as a law with a state, beside another spring."""
    k, c, k2 = spread(rng, 3, 11), spread(rng, -1, 5), spread(rng, 1, 4)
    mass, speed = spread(rng, -2, 1), rng.uniform(-1, 1)

    def creeping(values, rates, t, numbers, memory, out, states, state_rates):
        tension = numbers[0] * states[0]
        state_rates[0] = rates[0] - tension / numbers[1]
        out[0] = -tension

    m = lw.Mechanism("Maxwell", gravity=None)
    ball = m.add("ball", lw.Particle(mass, position=(1, 0), velocity=(speed, 0)))
    m.add("rail", lw.PinInSlot(m.ground.at(0, 0), ball.at(0, 0)))
    way = lw.Distance(m.ground.at(0, 0), ball.at(0, 0))
    m.add("law", lw.UserForce(reads=[way], along=[way], law=creeping, numbers=[k, c], states={"u": 0.0}))
    m.add("spring", lw.SpringDamper(m.ground.at(0, 0), ball.at(0, 0), stiffness=k2, rest_length=1.0))
    A = np.array([[0, 1, 0], [-k2 / mass, 0, -k / mass], [0, 1, -k / c]])
    times = np.linspace(0.0, rng.uniform(0.2, 2.0), 11)
    found = _linear(A, np.array([1.0, speed, 0.0]), np.array([0.0, k2 / mass, 0.0]), times)
    return Plan(m, times, {"ball.x": found[:, 0]}, 1.0, told=f"k {k} c {c} k2 {k2} mass {mass} v {speed}")


def _stop(value, rate, k, low, high, d):
    depth = low - value if value < low else high - value if value > high else 0.0
    into = -rate * np.sign(depth)
    return k * depth * max(0.0, 1.0 + d * into)


def pendulum(rng, spring=9, hardest=8, fast=False):
    """A bar on a spring and a damper, which falls on one end of a stop: in the plane, or about any axis of space.

    Stiffness goes to 10^spring and that of the stop to 10^hardest.  A fast one goes from end to end on a soft spring.
    """
    space = bool(rng.random() < 0.5)
    length, mass = rng.uniform(0.5, 1.5), spread(rng, -1, 1)
    k, c = spread(rng, 3, spring), spread(rng, -1, 4)
    stop, d = spread(rng, 3, hardest), rng.choice([0.0, rng.uniform(0.05, 1.0)])
    soft = rng.random() < 0.5 or fast
    if soft:
        k, c = spread(rng, -1, 1), spread(rng, -2, 0)
    low, high = -rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8)
    angle, speed = rng.uniform(0.8 * low, 0.8 * high), rng.uniform(-2, 2) if soft else 0.0
    rest = rng.uniform(-0.3, 0.3) if soft else angle
    if fast:  # weight and damper cannot hold it between the ends
        c, d, speed = 0.01 * c * mass, 0.05 * d, rng.choice([-1.0, 1.0]) * rng.uniform(8.0, 15.0)
    if space:
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        across = np.cross(axis, rng.normal(size=3))
        across /= np.linalg.norm(across)
        third = np.cross(axis, across)
        R = np.column_stack([across, third, axis])  # x along the bar at angle 0, z the hinge
        pull = rng.normal(size=3) * 6.0
        m = lw.Mechanism("hinge", dimension=3, gravity=tuple(pull))
        g = R.T @ pull
        turn = np.array([[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0], [0, 0, 1]])
        bar = m.add("bar", lw.Body(mass, (0.01, 0.02 + mass * length**2 / 12, 0.02 + mass * length**2 / 12),
                                   position=tuple(R @ turn @ np.array([length / 2, 0, 0])), orientation=R @ turn,
                                   velocity=tuple(R @ turn @ np.array([0, speed * length / 2, 0])),
                                   angular_velocity=tuple(speed * (turn.T @ np.array([0, 0, 1.0])))))  # fmt: skip
        ground = m.ground.at(0, 0, 0, axis=tuple(axis), along=tuple(across))
        m.add("A", lw.Revolute(ground, bar.at(-length / 2, 0, 0)))
        if rng.random() < 0.5:
            m.add(
                "B",
                lw.Revolute(
                    m.ground.at(*(0.3 * axis), axis=tuple(axis), along=tuple(across)), bar.at(-length / 2, 0, 0.3)
                ),
            )
        inertia = 0.02 + mass * length**2 / 12 + mass * length**2 / 4
        weight = mass * length / 2 * g[:2]
        law = lw.UserForce(m["A"].angle, _bearing, k=k, c=c, rest=rest)
    else:
        m = lw.Mechanism("bar")
        bar = m.add("bar", lw.bar(length=length, mass=mass, position=(length / 2 * math.cos(angle),
                    length / 2 * math.sin(angle)), angle=angle, angular_velocity=speed,
                    velocity=(-speed * length / 2 * math.sin(angle),
                              speed * length / 2 * math.cos(angle))))  # fmt: skip
        m.add("A", lw.Revolute(m.ground.at(0, 0), bar.a))
        inertia = float(bar.inertia) + mass * length**2 / 4
        weight = mass * length / 2 * np.array([0.0, -GRAVITY])
        law = lw.TorsionSpringDamper(m.ground, bar, stiffness=k, damping=c, rest_angle=rest)
    m.add("spring", law)
    m.add("stop", lw.Limit(m["A"].angle, lower=low, upper=high, stiffness=stop, damping=d))

    def f(t, x):
        q, v = x
        torque = weight[1] * math.cos(q) - weight[0] * math.sin(q) - k * (q - rest) - c * v
        return [v, (torque + _stop(q, v, stop, low, high, d)) / inertia]

    times = np.linspace(0.0, rng.uniform(0.3, 1.0), 11)
    found, ends = _solved(f, [angle, speed], times, [lambda t, x: x[0] - low, lambda t, x: x[0] - high])
    told = f"space {space} k {k} c {c} stop {stop} d {d} low {low} high {high} angle {angle} speed {speed} mass {mass}"
    return Plan(m, times, {"A.angle": found[:, 0]}, length, told=told, ends=ends)


def _bearing(value, rate, t, k, c, rest):
    return -k * (value - rest) - c * rate


def two_bars(rng):
    """A double pendulum with a stiff spring between its bars; the first is free, sprung, or driven."""
    k, c = spread(rng, 3, 11), spread(rng, -1, 5)
    masses = [spread(rng, -1, 1), spread(rng, -3, 1)]
    lengths = rng.uniform(0.3, 1.2, 2)
    m = lw.Mechanism("two bars")
    a1, a2 = rng.uniform(-1.5, 1.5, 2)
    a2 = a1 + 0.3 * a2
    p1 = lengths[0] * np.array([math.cos(a1), math.sin(a1)])
    p2 = p1 + lengths[1] / 2 * np.array([math.cos(a2), math.sin(a2)])
    one = m.add("one", lw.bar(length=lengths[0], mass=masses[0], position=tuple(p1 / 2), angle=a1))
    two = m.add("two", lw.bar(length=lengths[1], mass=masses[1], position=tuple(p2), angle=a2))
    m.add("A", lw.Revolute(m.ground.at(0, 0), one.a))
    m.add("B", lw.Revolute(one.b, two.a))
    m.add("spring", lw.TorsionSpringDamper(one, two, stiffness=k, damping=c, rest_angle=a2 - a1))
    driven = bool(rng.random() < 0.3)
    size, pace = rng.uniform(0.1, 0.5), rng.uniform(1.0, 6.0)
    if driven:
        m.add("motor", lw.Driver(m["A"].angle, lw.Harmonic(size, pace, offset=a1)))
    (m1, m2), (l1, l2) = masses, lengths
    i1, i2 = float(one.inertia), float(two.inertia)

    def f(t, x):
        q1, q2, v1, v2 = x
        if driven:
            q1, v1 = a1 + size * math.sin(pace * t), size * pace * math.cos(pace * t)
        bend = -k * (q2 - q1 - (a2 - a1)) - c * (v2 - v1)
        h = m2 * l1 * l2 / 2 * math.cos(q1 - q2)
        s = m2 * l1 * l2 / 2 * math.sin(q1 - q2)
        M = np.array([[i1 + m1 * l1**2 / 4 + m2 * l1**2, h], [h, i2 + m2 * l2**2 / 4]])
        r = np.array([-s * v2**2 - GRAVITY * (m1 / 2 + m2) * l1 * math.cos(q1) - bend,
                      s * v1**2 - GRAVITY * m2 * l2 / 2 * math.cos(q2) + bend])  # fmt: skip
        if driven:
            w1 = -size * pace**2 * math.sin(pace * t)
            return [v1, v2, w1, (r[1] - h * w1) / M[1, 1]]
        return [v1, v2, *np.linalg.solve(M, r)]

    times = np.linspace(0.0, rng.uniform(0.2, 1.0), 11)
    v = size * pace if driven else 0.0
    start = {"one.angle.rate": v, "two.angle.rate": v} if driven else {"one.angle.rate": 0.0, "two.angle.rate": 0.0}
    if driven:
        start = {"two.angle.rate": v}
    found = _solved(f, [a1, a2, v, v], times)
    told = f"k {k} c {c} masses {masses} lengths {lengths} driven {driven}"
    return Plan(m, times, {"one.angle": found[:, 0], "two.angle": found[:, 1]}, float(sum(lengths)), start, told)


def ball(rng, hardest=9):
    """A ball that falls on a stiff floor without damping, in the plane or in space: parabolas and sines, exactly.

    Stiffness goes to 10^hardest.
    """
    space = bool(rng.random() < 0.5)
    k, mass, radius = spread(rng, 3, hardest), spread(rng, -1, 1), 0.1
    height, speed = rng.uniform(0.15, 0.6), rng.uniform(-1, 1)
    m = lw.Mechanism("ball", dimension=3) if space else lw.Mechanism("ball")
    up = "z" if space else "y"
    if space:
        one = m.add("ball", lw.sphere(radius=radius, mass=mass, position=(0, 0, height), velocity=(speed, 0, 0)))
        measure = lw.WorldOffset(m.ground.at(0, 0, 0), one.at(0, 0, 0), up)
    else:
        one = m.add("ball", lw.disc(radius=radius, mass=mass, position=(0, height), velocity=(speed, 0)))
        measure = lw.WorldOffset(m.ground.at(0, 0), one.at(0, 0), up)
    upper = height + rng.uniform(0.01, 0.1) if rng.random() < 0.5 else None
    m.add("floor", lw.Limit(measure, lower=radius, upper=upper, stiffness=k))
    times = np.linspace(0.0, rng.uniform(0.3, 1.2), 11)
    fall = math.sqrt(2 * (height - radius) / GRAVITY)
    v, w = GRAVITY * fall, math.sqrt(k / mass)
    # in contact: depth = g/w^2 (1 - cos) + v/w sin, until it is zero again
    contact = 2.0 * (math.pi - math.atan2(v * w, GRAVITY)) / w
    period = 2 * fall + contact

    def at(t):
        t = (t + fall) % period - fall  # from the top: the flight is symmetric about it
        if abs(t) <= fall:
            return height - GRAVITY * t * t / 2
        t = t - fall
        return radius - (GRAVITY / w**2 * (1 - math.cos(w * t)) + v / w * math.sin(w * t))

    found = np.array([at(t) for t in times])
    told = f"space {space} k {k} mass {mass} height {height} upper {upper}"
    return Plan(m, times, {f"ball.{up}": found, "ball.x": speed * times}, height, told=told)


def shuttle(rng):
    """A block that goes to and fro between both ends of a stop without weight: straight lines and sines, exactly."""
    space = bool(rng.random() < 0.5)
    k, mass, speed = spread(rng, 3, 11), spread(rng, -2, 1), rng.uniform(0.5, 5.0)
    low, high = -rng.uniform(0.05, 0.5), rng.uniform(0.05, 0.5)
    if space:
        m = lw.Mechanism("shuttle", dimension=3, gravity=None)
        block = m.add("block", lw.box(0.1, 0.1, 0.1, mass=mass, velocity=(speed, 0, 0)))
        m.add("rail", lw.Prismatic(m.ground.at(0, 0, 0), block.at(0, 0, 0)))
    else:
        m = lw.Mechanism("shuttle", gravity=None)
        block = m.add(
            "block", lw.Body(mass, 1.0, position=(0, 0), angle=0.0, velocity=(speed, 0), angular_velocity=0.0)
        )
        m.add("rail", lw.Prismatic(m.ground.at(0, 0), block.at(0, 0)))
    m.add("stop", lw.Limit("rail.slide", lower=low, upper=high, stiffness=k))
    w = math.sqrt(k / mass)
    crossing, contact = (high - low) / speed, math.pi / w
    half = crossing + contact
    end = rng.uniform(0.3, 3.0) * half
    times = np.linspace(0.0, end, 11)

    def at(t):
        n, left = divmod(t - low / speed, half)  # half turns since it was at the lower end, as if it came from there
        sign, begin = (1.0, low) if n % 2 == 0 else (-1.0, high)
        if left <= crossing:
            return begin + sign * speed * left
        return (high if sign > 0 else low) + sign * speed / w * math.sin(w * (left - crossing))

    found = np.array([at(t) for t in times])
    ends = end > high / speed + half, end > high / speed
    told = f"space {space} k {k} mass {mass} speed {speed} low {low} high {high}"
    return Plan(m, times, {"rail.slide": found}, high - low, told=told, ends=ends)


def hard_pendulum(rng):
    """A pendulum between stops of any stiffness, most of them from end to end."""
    return pendulum(rng, spring=11, hardest=11, fast=rng.random() < 0.7)


def hard_ball(rng):
    """A ball on a floor of any stiffness."""
    return ball(rng, hardest=11)


PLANS = (masses, maxwell, hard_pendulum, two_bars, hard_ball, shuttle)


def bobs(rng):
    """Bodies in a row with their mass centres off their frames, a stiff torsion spring between the last two."""
    n = int(rng.integers(2, 4))
    k, c = spread(rng, 4, 9), spread(rng, 2, 5)
    mass, inertia = 10.0 ** rng.uniform(-1, 0.5, n), 10.0 ** rng.uniform(-2, -0.7, n)
    centers, ends = rng.uniform((0.1, -0.1), (0.5, 0.1), (n, 2)), rng.uniform((0.4, -0.2), (0.9, 0.2), (n, 2))
    angle, spin = rng.uniform(-1.5, 1.5, n), rng.uniform(-4.0, 4.0, n)
    angle[-1], spin[-1] = angle[-2], spin[-2]
    m = lw.Mechanism("bobs")
    before, start = m.ground.at(0, 0), {}
    for i in range(n):
        body = m.add(f"b{i}", lw.Body(mass[i], inertia[i], center=tuple(centers[i])))
        m.add(f"J{i}", lw.Revolute(before, body))
        start |= {f"b{i}.angle": angle[i], f"b{i}.angle.rate": spin[i]}
        before = body.at(*ends[i])
    m.add("spring", lw.TorsionSpringDamper(f"b{n - 2}", f"b{n - 1}", stiffness=k, damping=c))

    def f(t, x):  # angles, but of the last body that against the one before, which has digits of its own
        bend, rate = x[n - 1], x[2 * n - 1]
        q, v = x[:n].copy(), x[n:].copy()
        q[-1], v[-1] = q[-2] + bend, v[-2] + rate
        turn = np.exp(1j * q)
        M, h = np.diag(inertia), np.zeros(n)
        for i in range(n):
            arms = np.zeros(n, dtype=complex)
            arms[:i] = ends[:i] @ (1, 1j) * turn[:i]
            arms[i] = centers[i] @ (1, 1j) * turn[i]
            M = M + mass[i] * np.real(np.outer(arms.conj(), arms))
            h += mass[i] * np.real((1j * arms).conj() * (-1j * GRAVITY + arms @ v**2))
        torque = -k * bend - c * rate
        h[-2:] += (-torque, torque)
        a = np.linalg.solve(M, h)
        a[-1] -= a[-2]
        return np.concatenate([x[n:], a])

    times = np.linspace(0.0, rng.uniform(0.2, 1.0), 11)
    first = np.concatenate([angle, spin])
    first[[n - 1, 2 * n - 1]] = 0.0
    found = _solved(f, first, times)
    told = f"k {k} c {c} mass {mass} inertia {inertia} centers {centers} ends {ends} angle {angle} spin {spin}"
    wanted = {f"b{i}.angle": found[:, i] for i in range(n - 1)}
    return Plan(m, times, wanted, 1.0, start, told)
