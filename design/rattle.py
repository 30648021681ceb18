"""RATTLE with steps of one size, and its symmetric compositions of order 4, 6 and 8: bars in the plane on pins.

Hairer, Lubich, Wanner, Geometric Numerical Integration, sections II.5, V.3.2 and VII.1.4 (Andersen 1983; compositions
of Suzuki 1990, Kahan and Li 1997, Suzuki and Umeno 1993).  Positions r are x, y, angle of every bar, so that masses are
constant; pins hold by Newton's method, speeds by one more solution.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

import linkwork as lw

GRAVITY = 9.81


def _mirrored(*half: float) -> np.ndarray:
    return np.array([*half, *half[-2::-1]])


_SUZUKI = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
#: order: lengths of the steps that make up one
PARTS = {
    2: np.ones(1),
    4: _mirrored(_SUZUKI, _SUZUKI, 1.0 - 4.0 * _SUZUKI),
    6: _mirrored(
        0.39216144400731413928, 0.33259913678935943860, -0.70624617255763935981, 0.08221359629355080023,
        0.79854399093482996340,
    ),
    8: _mirrored(
        0.74167036435061295345, -0.40910082580003159400, 0.19075471029623837995, -0.57386247111608226666,
        0.29906418130365592384, 0.33462491824529818378, 0.31529309239676659663, -0.79688793935291635402,
    ),
}  # fmt: skip


@njit
def rows(r, pins, arms, g, jac):
    """What pins are off by, and their Jacobian; -1 stands for ground."""
    jac[:] = 0.0
    g[:] = 0.0
    for k in range(len(pins)):
        for end, sign in ((0, -1.0), (1, 1.0)):
            body, (px, py) = 3 * pins[k, end], arms[k, end]
            if body < 0:
                g[2 * k] += sign * px
                g[2 * k + 1] += sign * py
                continue
            c, s = math.cos(r[body + 2]), math.sin(r[body + 2])
            ax, ay = c * px - s * py, s * px + c * py
            g[2 * k] += sign * (r[body] + ax)
            g[2 * k + 1] += sign * (r[body + 1] + ay)
            jac[2 * k, body], jac[2 * k, body + 2] = sign, -sign * ay
            jac[2 * k + 1, body + 1], jac[2 * k + 1, body + 2] = sign, sign * ax


@njit
def forces(r, mass, spring, f):
    """Weights, and a spring to a point of ground; the potential."""
    potential = 0.0
    for i in range(0, mass.size, 3):
        f[i], f[i + 1], f[i + 2] = 0.0, -GRAVITY * mass[i], 0.0
        potential += GRAVITY * mass[i] * r[i + 1]
    if spring.size > 0:
        body = 3 * int(spring[0])
        dx, dy = r[body] - spring[1], r[body + 1] - spring[2]
        length = math.hypot(dx, dy)
        push = spring[3] * (length - spring[4])
        f[body] -= push * dx / length
        f[body + 1] -= push * dy / length
        potential += 0.5 * spring[3] * (length - spring[4]) ** 2
    return potential


@njit
def rattle(r, v, h, parts, steps, every, mass, pins, arms, spring):
    """Positions at every so many steps, largest error of energy and of pins, number of solutions for pins."""
    n, m = mass.size, 2 * len(pins)
    g, f, jac, old = np.zeros(m), np.zeros(n), np.zeros((m, n)), np.zeros((m, n))
    out = np.zeros((steps // every + 1, n))
    drift, apart, solutions = np.zeros(steps // every + 1), 0.0, 0
    out[0] = r
    begin = forces(r, mass, spring, f) + 0.5 * np.sum(mass * v * v)
    rows(r, pins, arms, g, jac)
    pull = np.linalg.solve(jac @ (jac / mass).T, jac @ (f / mass))
    worst = 0.0
    for k in range(steps):
        for part in parts:
            dt = part * h
            old[:] = jac
            v = v + 0.5 * dt * (f - old.T @ pull) / mass
            r = r + dt * v
            for _ in range(30):
                rows(r, pins, arms, g, jac)
                more = np.linalg.solve(jac @ (old / mass).T, g)
                step = (old.T @ more) / mass
                r -= step
                v -= step / dt
                solutions += 1
                size = np.abs(step).max()
                if size < 1e-13 or not size < 1e3:
                    break
            if not size < 1e3:  # too long steps
                drift[k // every :] = np.inf
                return out, drift, np.inf, solutions
            rows(r, pins, arms, g, jac)
            potential = forces(r, mass, spring, f)
            v = v + 0.5 * dt * f / mass
            more = np.linalg.solve(jac @ (jac / mass).T, jac @ v)
            v = v - (jac.T @ more) / mass
            pull = 2.0 * more / dt
            solutions += 1
        worst = max(worst, abs(potential + 0.5 * np.sum(mass * v * v) - begin))
        apart = max(apart, np.abs(g).max())
        if (k + 1) % every == 0:
            out[(k + 1) // every] = r
            drift[(k + 1) // every] = worst
    return out, drift, apart, solutions


@dataclass(frozen=True)
class Case:
    """A mechanism of the gallery, the same in arrays, and the coordinates in which the product runs it."""

    name: str
    coordinates: str
    bodies: tuple[str, ...]
    masses: tuple[float, ...]
    lengths: tuple[float, ...]
    pins: tuple
    arms: tuple
    spring: tuple = ()
    start: dict | None = None

    def arrays(self):
        """The mechanism, its state at the start, and (r, v), (mass, pins, arms, spring)."""
        m = lw.gallery.get(self.name)
        state = m.assemble(start=self.start).state
        seen = m.evaluate(state)
        names = [f"{body}.{one}" for body in self.bodies for one in ("x", "y", "angle")]
        mass = np.array([x for one, long in zip(self.masses, self.lengths) for x in (one, one, one * long**2 / 12.0)])
        moving = (np.array([seen[name] for name in names]), np.array([seen[f"{name}.rate"] for name in names]))
        return m, state, moving, (mass, np.array(self.pins), np.array(self.arms, dtype=float), np.array(self.spring))


FOUR_BAR = Case(
    "four_bar",
    "joint",
    ("crank", "coupler", "rocker"),
    (1.0, 2.0, 1.5),
    (1.0, 3.0, 2.5),
    ((-1, 0), (0, 1), (1, 2), (-1, 2)),
    (((0, 0), (-0.5, 0)), ((0.5, 0), (-1.5, 0)), ((1.5, 0), (1.25, 0)), ((3.2, 0), (-1.25, 0))),
    (1.0, 0.0, 3.0, 20.0, 1.0),
    {"A.angle": "60 deg"},
)
DOUBLE_PENDULUM = Case(
    "double_pendulum",
    "body",
    ("upper", "lower"),
    (1.0, 0.6),
    (1.0, 0.8),
    ((-1, 0), (0, 1)),
    (((0, 0), (-0.5, 0)), ((0.5, 0), (-0.4, 0))),
)
