"""What the function of a measure is told: the motion of `to` as seen from `on`."""

from __future__ import annotations

from typing import NamedTuple


class SeenInPlane(NamedTuple):
    """Where the frame `to` is and how it moves, as seen from the frame `on`, in its axes; the angle is within half a
    turn."""

    x: float
    y: float
    angle: float
    vx: float
    vy: float
    spin: float


class SeenInSpace(NamedTuple):
    """Where the frame `to` is and how it moves, as seen from the frame `on`, in its axes.

    `axes` are the axes x, y and z of `to`, three numbers each; w is its angular velocity.
    """

    x: float
    y: float
    z: float
    axes: tuple[tuple[float, float, float], ...]
    vx: float
    vy: float
    vz: float
    wx: float
    wy: float
    wz: float
