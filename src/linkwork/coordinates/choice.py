"""`coordinates="auto"`: the set in which this mechanism costs less an evaluation, by counting its tables.

The constants are nanoseconds, fitted by `design/auto_rule.py` to measured evaluations; only their ratios matter.
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at

#: dimension, set -> constants of (1, bodies or links, frames and measures, rows, assembly entries, eliminations)
CONSTANTS = {
    (2, "body"): (149.0, 8.4, 23.1, 0.0, 1.7, 1.4),
    (2, "joint"): (71.0, 36.3, 34.0, 9.8, 1.6, 0.0),
    (3, "body"): (231.0, 66.1, 24.8, 0.0, 6.0, 0.5),
    (3, "joint"): (105.0, 155.0, 57.3, 3.4, 2.6, 0.0),
}


def counts(plan) -> tuple[int, ...]:
    """What an evaluation goes through: one, bodies or links, frames and measures, rows with their way, entries of S,
    eliminations.
    """
    size, bodies = plan.size, plan.coordinates == "body"
    parts = size(at.N_BODIES) if bodies else size(at.N_LINKS)
    ways = size(at.N_BLOCKS) if bodies else size(at.N_ENTRIES) + size(at.N_BLOCKS)
    return 1, parts, size(at.N_FRAMES) + size(at.N_MEASURES), ways, size(at.N_ASSEMBLY), _eliminations(plan)


def _eliminations(plan) -> int:
    """Updates of the factorisation."""
    heights = np.diff(plan.table(at.T_COLUMN))
    return int((heights * (heights + 1) // 2).sum()) + plan.size(at.N_FILL)


def cost(plan) -> float:
    """Estimated nanoseconds of one evaluation."""
    weights = CONSTANTS[plan.model.dimension, plan.coordinates]
    return float(sum(a * b for a, b in zip(weights, counts(plan), strict=True)))


def choose(model, free=frozenset()) -> str:
    """The set that costs less without the rows that are free; joint coordinates where they are equal."""
    joint, body = (model.plan(coordinates, free=free) for coordinates in ("joint", "body"))
    return "joint" if cost(joint) <= cost(body) else "body"
