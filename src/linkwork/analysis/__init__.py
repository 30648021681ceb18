"""Questions: one a file, one shape of signature, each giving a report or a result."""

from __future__ import annotations


def compile_mechanism(mechanism, coordinates: str = "body"):
    """Words to numbers: the immutable model of a mechanism, for repeated runs."""
    from linkwork.compiled.build import build
    from linkwork.coordinates import get_system

    get_system(coordinates)
    return build(mechanism)
