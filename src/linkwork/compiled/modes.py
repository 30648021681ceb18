"""Modes: what each constraint row of a model does.

| mode     | meaning                                                                                   | whose    |
|----------|-------------------------------------------------------------------------------------------|----------|
| held     | it is met, by a multiplier                                                                | a state  |
| dropped  | it follows from rows that are held: it has no multiplier of its own, and must stay met    | a state  |
| free     | it is released and may open: no table of the motion has it                                | a state  |
| absorbed | the coordinates meet it: a joint of the tree                                              | a plan   |
"""

from __future__ import annotations

import numpy as np

DROPPED, HELD, FREE, ABSORBED = range(4)


def free_rows(modes: np.ndarray) -> frozenset[int]:
    """Rows that are released."""
    return frozenset(np.flatnonzero(modes == FREE).tolist())


def acting(modes: np.ndarray) -> np.ndarray:
    """1 for rows that are held by a multiplier or by the coordinates, 0 for others: what kernels read."""
    return ((modes == HELD) | (modes == ABSORBED)).astype(float)


def of_bodies(modes: np.ndarray) -> np.ndarray:
    """Modes of a run in any coordinates as those of a state: what its coordinates meet is held."""
    return np.where(modes == ABSORBED, HELD, modes)
