"""Joints that hold less than another one at the same frames: what can be put in its place where it holds too much."""

from __future__ import annotations

import math
from typing import NamedTuple

from linkwork.mechanism.guides import PinInSlot, RollingDisc
from linkwork.mechanism.joints import Fixed, Joint, Prismatic, Revolute
from linkwork.mechanism.spatial_joints import (
    ConstantVelocity,
    Cylindrical,
    Planar,
    PointOnPlane,
    Screw,
    Spherical,
    SphericalCylindrical,
    Universal,
)


class Weaker(NamedTuple):
    """A joint in the place of another: the rows of that one that it lets go, along axes of `on`, and how it lies."""

    joint: Joint
    released: tuple[str, ...]
    words: str


def weaker(joint: Joint, dimension: int) -> list[Weaker]:
    """Joints that hold less at the frames of this one; none for kinds that nothing is known of."""
    found = []
    for kind, released, *facing in _LESS[dimension].get(type(joint), ()):
        x, y = facing or ("x", "y")
        on, to = joint.on, joint.to
        if facing:
            on, other = (_facing(frame, x, y, dimension) for frame in (on, to))
            to = to if kind in (PinInSlot, PointOnPlane) else other  # these end in a pin or a ball
        more = {"offset": joint.radius} if isinstance(joint, RollingDisc) else {}
        words = ""
        if kind is PinInSlot and x.strip("-") in released:
            words = f", along {x.strip('-')} of {joint.on}"
        elif kind is Prismatic:
            words = f", along {x} of {joint.on}"
        elif kind is PointOnPlane and facing:
            words = f", across {({'x', 'y', 'z'} - {x, y}).pop()} of {joint.on}"
        found.append(Weaker(kind(on, to, name=joint.name, **more), released, words))
    return found


def _facing(frame, x: str, y: str, dimension: int):
    """The frame with x and y along axes of its own; in the plane that is a quarter turn."""
    return frame.facing(x, y) if dimension == 3 else frame.turned(0.5 * math.pi)


#: dimension, kind of joint -> weaker kinds, the rows that they let go, and where x and y of their frames point
_LESS: dict[int, dict[type, tuple[tuple, ...]]] = {
    2: {
        Fixed: ((Revolute, ("angle",)), (Prismatic, ("x",)), (Prismatic, ("y",), "y", "-x")),
        Revolute: ((PinInSlot, ("x",)), (PinInSlot, ("y",), "y", "-x")),
        Prismatic: ((PinInSlot, ("angle",)),),
        RollingDisc: ((PinInSlot, ("rolling",)),),
    },
    3: {
        Fixed: (
            (Revolute, ("angle",)),
            (Prismatic, ("x",)),
            (Cylindrical, ("z", "angle")),
            (Spherical, ("angle", "x-z", "y-z")),
            (SphericalCylindrical, ("z", "angle", "x-z", "y-z")),
        ),
        Revolute: (
            (Cylindrical, ("z",)),
            (Spherical, ("x-z", "y-z")),
            (SphericalCylindrical, ("z", "x-z", "y-z")),
            (Planar, ("x", "y")),
            (PinInSlot, ("x", "x-z", "y-z")),
            (PinInSlot, ("y", "x-z", "y-z"), "y", "-x"),
            (PointOnPlane, ("y", "z", "x-z", "y-z"), "y", "z"),
            (PointOnPlane, ("x", "z", "x-z", "y-z"), "z", "x"),
        ),
        Prismatic: ((Cylindrical, ("y-z",), "y", "z"), (PinInSlot, ("angle", "x-z", "y-z")), (Planar, ("y", "angle"))),
        Screw: ((Cylindrical, ("thread",)),),
        Cylindrical: ((SphericalCylindrical, ("x-z", "y-z")),),
        Universal: ((Spherical, ("z-z",)),),
        ConstantVelocity: ((Spherical, ("turning",)),),
        Spherical: (
            (SphericalCylindrical, ("z",)),
            (PinInSlot, ("x",)),
            (PinInSlot, ("y",), "y", "-x"),
            (PointOnPlane, ("x", "y")),
        ),
        Planar: ((PointOnPlane, ("x-z", "y-z")),),
        PinInSlot: ((PointOnPlane, ("y",)),),
    },
}
