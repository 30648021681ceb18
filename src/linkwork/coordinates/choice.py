"""`coordinates="auto"`: the set in which this mechanism costs less an evaluation, by counting its tables.

The constants are nanoseconds, fitted by `design/auto_rule.py` to measured evaluations; only their ratios matter.
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at

#: dimension, set -> constants of (1, parts, frames and measures, rows with their way, entries, eliminations)
CONSTANTS = {
    (2, "body"): (37.0, 14.7, 19.3, 0.0, 0.0, 1.4),
    (2, "joint"): (8.9, 39.2, 23.0, 4.7, 1.8, 0.0),
    (2, "point"): (0.0, 23.1, 27.3, 0.0, 3.1, 0.6),
    (3, "body"): (0.0, 33.4, 25.4, 19.7, 0.0, 0.7),
    (3, "joint"): (0.0, 92.6, 45.9, 1.6, 2.7, 0.0),
}
#: how many times the evaluations a run in points has taken, at most (1.12, 1.48): places go as sine and cosine where
#: angles go straight
MORE_STEPS = {"body": 1.15, "joint": 1.5}
#: nanoseconds of a body that points have not been below: where that is too much, the points are not even chosen
LEAST_IN_POINTS = 85.0

#: what a set goes through one by one: bodies, links, or what turns and the bodies told by points
PARTS = {
    "body": lambda plan: plan.size(at.N_BODIES),
    "joint": lambda plan: plan.size(at.N_LINKS),
    "point": lambda plan: plan.size(at.N_CLASSES) + plan.size(at.N_BODIES),
}


def counts(plan) -> tuple[int, ...]:
    """What an evaluation goes through: one, parts, frames and measures, rows with their way, entries, eliminations."""
    size = plan.size
    ways = size(at.N_BLOCKS) + (0 if plan.layout.of_bodies else size(at.N_ENTRIES))
    entries = size(at.N_ASSEMBLY) + size(at.N_MASSES)
    return 1, PARTS[plan.coordinates](plan), size(at.N_FRAMES) + size(at.N_MEASURES), ways, entries, _eliminations(plan)


def _eliminations(plan) -> int:
    """Updates of the factorisation."""
    heights = np.diff(plan.table(at.T_COLUMN))
    return int((heights * (heights + 1) // 2).sum()) + plan.size(at.N_FILL)


def cost(plan) -> float:
    """Estimated nanoseconds of one evaluation."""
    weights = CONSTANTS[plan.model.dimension, plan.coordinates]
    return float(sum(a * b for a, b in zip(weights, counts(plan), strict=True)))


def choose(model, free=frozenset()) -> str:
    """The set that costs less without the rows that are free; joint coordinates where they are equal.

    Points only where they are faster although they may take more steps, and never in space.
    """
    known = {one: cost(model.plan(one, free=free)) for one in ("joint", "body")}
    found = "joint" if known["joint"] <= known["body"] else "body"
    if (model.dimension, "point") in CONSTANTS and _less(LEAST_IN_POINTS * len(model.bodies), known):
        if _less(cost(model.plan("point", free=free)), known):
            return "point"
    return found


def _less(points: float, known: dict[str, float]) -> bool:
    """Whether a run in points takes less time than in any of the other sets."""
    return all(MORE_STEPS[one] * points < nanoseconds for one, nanoseconds in known.items())
