"""A measure that counts full turns and that pushes with a moment."""

import math
from dataclasses import dataclass

import linkwork as lw


@dataclass(frozen=True)
class Twist(lw.Measure):
    """What `lw.Angle` is: the angle, about z of `on`, between its x and that of `to`, over full turns."""

    memory = "turns"
    quantity = "angle"

    @staticmethod
    def plane(seen, numbers, memory):
        """The angle within a turn; the turns are counted by whoever asks."""
        return seen.angle, 0.0, (0.0, 0.0, 1.0)

    @staticmethod
    def space(seen, numbers, memory):
        """theta = atan2(b, a) of x = (a, b, c), which moves with w x x."""
        a, b, c = seen.axes[0]
        a1, b1, c1 = seen.wy * c - seen.wz * b, seen.wz * a - seen.wx * c, seen.wx * b - seen.wy * a
        square = a * a + b * b
        growth = 2.0 * (a * a1 + b * b1) / square
        mx, my = -a * c / square, -b * c / square
        mx1 = -(a1 * c + a * c1) / square - mx * growth
        my1 = -(b1 * c + b * c1) / square - my * growth
        return math.atan2(b, a), mx1 * seen.wx + my1 * seen.wy, (0.0, 0.0, 0.0, mx, my, 1.0)
