"""Joint coordinates read from states of the bodies: which measures they are the values of, and how."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.kernels import layout as at


class ProbeTerms(NamedTuple):
    """Joint coordinates as sums of readings of the bodies, one entry a term."""

    first_q: np.ndarray  # the coordinate
    first_v: np.ndarray  # its speed
    reading: np.ndarray
    weight: np.ndarray
    added: np.ndarray  # in the plane, turns between the measures of the tree and those that bodies count
    uncounted: np.ndarray  # slots of memory of angles that the bodies count themselves


def probe_of(model, tree):
    """What the coordinates of a tree are the values of, to be read from states of the bodies."""
    return model.readings(
        [
            one
            for coordinate in tree.coordinates
            if coordinate.measure is not None
            for _, one in coordinate.measure.terms()
        ]
    )


def probe_terms(model, tree, probe) -> ProbeTerms:
    """How the coordinates of a tree are made of what `probe` reads."""
    index = {one: k for k, one in enumerate(probe.measures)}
    added, uncounted = {}, []
    if model.dimension == 2:
        angles = [one for one in (*index, *model.turn_slots) if one.is_turn]
        added = {one: one.on.angle_to(one.to) + one.on.angle - one.to.angle for one in angles}
        uncounted = [slot for one, slot in model.turn_slots.items() if one in added]
    terms = [
        (link.first_q, link.first_v, index[one], weight, added.get(one, 0.0))
        for link in tree.links[1:]
        if link.kind not in (at.RIGID, at.BALL)
        for weight, one in tree.coordinates[link.first_v].measure.terms()
    ]
    first_q, first_v, reading, weight, turned = np.array(terms, dtype=float).reshape(-1, 5).T
    whole = np.int64
    return ProbeTerms(
        first_q.astype(whole),
        first_v.astype(whole),
        reading.astype(whole),
        weight,
        turned,
        np.array(uncounted, dtype=whole),
    )
