"""Point coordinates of space from states of the bodies: places and rates of points and unit vectors."""

from __future__ import annotations

import numpy as np

from linkwork.rotation import matrix


def source_names(choice) -> list[str]:
    """Names of the coordinates: of points by a joint there, of vectors by its axis, or by the body that has them."""
    return [f"{one.name}.{axis}" for one in choice.sources for axis in "xyz"]


def sources_of(model, choice, idle, states) -> tuple[np.ndarray, np.ndarray]:
    """Places (times, 3 sources) of points and vectors, and their rates, from states of the bodies.

    Bars do not turn about themselves: their `idle` turns are left out.  Points of them are on the axis, which mass
    centres need not be where there is no mass: points go as the turn about the centre moves them.
    """
    count, sources = len(states), choice.sources
    q = states[:, : model.n_q].reshape(count, -1, 7)
    v = states[:, model.n_q : model.n_q + model.n_v].reshape(count, -1, 6)
    bodies = np.array([one.body for one in sources], dtype=np.int64)
    arms = np.array([one.place for one in sources], dtype=float).reshape(-1, 3)
    points = np.array([0.0 if one.is_vector else 1.0 for one in sources])[:, None]
    turns = model.turning[bodies][:, None]
    axes = matrix(q[:, bodies, 3:].reshape(-1, 4)).reshape(count, -1, 3, 3)
    axes = np.where(turns[..., None], axes, np.eye(3))
    spin = np.where(turns, v[:, bodies, 3:], 0.0)
    axis = idle.sum(axis=0).reshape(-1, 6)[bodies, 3:]  # of a bar; zero for others
    spin = spin - np.einsum("tkj,kj->tk", spin, axis)[..., None] * axis * (1.0 - points)
    place = points * q[:, bodies, :3] + np.einsum("tkij,kj->tki", axes, arms)
    rate = points * v[:, bodies, :3] + np.einsum("tkij,tkj->tki", axes, np.cross(spin, arms))
    return place.reshape(count, -1), rate.reshape(count, -1)
