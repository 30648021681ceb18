"""Coordinate sets: each turns its own (q, v) into the motion of the bodies.  The same functions in every set."""

from __future__ import annotations

from linkwork.errors import DescriptionError, message

SETS = ("body",)


def get_system(coordinates: str):
    """The class that runs a model in the named coordinates."""
    if coordinates != "body":
        raise DescriptionError(message("coordinates", "are unknown", repr(coordinates),
                                       "one of " + ", ".join(repr(s) for s in SETS)))
    from linkwork.coordinates.body import System

    return System
