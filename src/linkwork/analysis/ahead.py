"""Is there a way on?  Where steps lead towards a dead centre, positions alone are asked, which is quick and exact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwork.analysis.doors import rows_chosen
from linkwork.analysis.leading import check_led, ranked, rolls
from linkwork.analysis.path import Path
from linkwork.errors import LinkworkError
from linkwork.result.state import State


def dead_centre(state: State, t: float, y: np.ndarray, memory: np.ndarray, last: float) -> float | None:
    """The time up to `last` at which drivers cannot move the mechanism on, from where it is at t.

    None where they can, or where positions do not tell: drivers leave it a freedom, or it rolls.
    """
    if rolls(state.model) is not None or not last > t:
        return None
    try:
        here = rows_chosen(replace(state, t=t, y=y, memory=memory), inertia=False)
        rank = ranked(here)
        check_led(here, rank)
        return Path(here, rank.freedom, forces=False).lead(np.array([t, last])).end
    except LinkworkError:
        return None
