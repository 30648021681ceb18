"""A measure with a number and a memory of its own, for plane and space, as a package outside of Linkwork writes it."""

import math
from dataclasses import dataclass

import numba

import linkwork as lw


@numba.njit  # what a function of a measure calls must be compiled, too
def _nearest(r, h, c, s):
    """Where the parabola h = c r^2 is nearest to a point, by Newton from s."""
    for _ in range(30):
        step = (s - r + 2.0 * c * s * (c * s * s - h)) / (1.0 + 2.0 * c * (3.0 * c * s * s - h))
        s -= step
        if abs(step) < 1e-14 * (1.0 + abs(s)):
            break
    return s


@dataclass(frozen=True)
class AboveParabola(lw.Measure):
    """Distance of the origin of `to` from the parabola y = c x^2 of `on`; in space from the dish z = c (x^2 + y^2).

    With the slope tan(theta) = 2 c s and n = sqrt(1 + (2 c s)^2) at the nearest point s, the normal N and the
    tangent T there, the curvature k = 2 c / n^3 and the distance g:  rate = N'v,  bias = -k / (1 - k g) (T'v)^2.
    """

    c: float = 0.1

    memory = "parameter"  # one number: where the nearest point was
    turns_with = ("on",)  # of `to` only the origin counts
    sample = {"c": 0.15}

    def numbers(self):
        return (self.c,)

    @staticmethod
    def plane(seen, numbers, memory):
        """Value, bias, and the gradient (fx, fy, m)."""
        c = numbers[0]
        s = _nearest(seen.x, seen.y, c, memory[0])
        memory[0] = s
        n = math.sqrt(1.0 + 4.0 * c * c * s * s)
        nx, ny = -2.0 * c * s / n, 1.0 / n
        value = nx * (seen.x - s) + ny * (seen.y - c * s * s)
        k = 2.0 * c / n**3
        along = ny * seen.vx - nx * seen.vy
        return value, -k / (1.0 - k * value) * along * along, (nx, ny, 0.0)

    @staticmethod
    def space(seen, numbers, memory):
        """Value, bias, and the gradient (fx, fy, fz, mx, my, mz); about z, N turns with the direction of (x, y)."""
        c = numbers[0]
        r = math.hypot(seen.x, seen.y)
        s = _nearest(r, seen.z, c, memory[0])
        memory[0] = s
        n = math.sqrt(1.0 + 4.0 * c * c * s * s)
        value = -2.0 * c * s / n * (r - s) + (seen.z - c * s * s) / n
        k = 2.0 * c / n**3
        around = 2.0 * c / n / (1.0 - 2.0 * c * value / n)  # sin(theta) / r
        out, across = 0.0, math.hypot(seen.vx, seen.vy)  # velocity away from the axis, and at right angles to that
        if r > 0.0:
            out = (seen.x * seen.vx + seen.y * seen.vy) / r
            across = (seen.x * seen.vy - seen.y * seen.vx) / r
        along = out / n + 2.0 * c * s / n * seen.vz
        bias = -k / (1.0 - k * value) * along * along - around * across * across
        return value, bias, (-around * seen.x, -around * seen.y, 1.0 / n, 0.0, 0.0, 0.0)
