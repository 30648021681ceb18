"""`coordinates="auto"`: the set in which this mechanism costs less an evaluation, by counting its tables.

The constants are nanoseconds, fitted by `design/auto_rule.py` to measured evaluations; only their ratios matter.
"""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at

#: dimension, set -> constants of (1, parts, frames and measures, rows with their way, entries, eliminations)
CONSTANTS = {
    (2, "body"): (68.2, 0.0, 19.6, 0.0, 0.0, 1.6),
    (2, "joint"): (8.1, 42.8, 22.3, 5.4, 1.7, 0.0),
    (2, "point"): (9.5, 21.7, 26.7, 0.0, 1.0, 0.9),
    (3, "body"): (0.0, 0.0, 29.3, 15.0, 0.6, 0.7),
    (3, "joint"): (0.0, 98.9, 48.8, 2.4, 2.5, 0.0),
}
#: how many times the evaluations of other sets runs in points have taken for the same error, by what goes straight
#: (`goes_straight` of its layout): places go as sine and cosine there; beside joint coordinates a tenth is to be gained
MORE_STEPS = {
    "": {"body": 1.08, "joint": 1.25},
    "parallelogram": {"body": 1.3, "joint": 1.75},
    "angles": {"body": 1.15, "joint": 2.4},
}
#: nanoseconds of an evaluation from which on points are worth a set of kernels more: smaller loops take little time
SMALL = 500.0
#: nanoseconds of a body that points have not been below: where that is too much, the points are not even chosen
LEAST_IN_POINTS = 70.0

#: so many times the cost of bodies, joint coordinates have no part in the choice, not even beside points
HOPELESS = max(one["joint"] / one["body"] for one in MORE_STEPS.values())

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


def least_along_joints(model, free=frozenset()) -> float:
    """Nanoseconds that an evaluation in joint coordinates takes at least: links and the ways of rows, which the graph
    tells before any table is written.
    """
    layout = model.layout("joint", free)
    _, parts, _, ways, entries, _ = CONSTANTS[model.dimension, "joint"]
    links, products = layout.ways()
    return parts * layout.sizes["N_LINKS"] + ways * links + entries * products


def choose(model, free=frozenset()) -> str:
    """The set that costs less without the rows that are free; found once for a model."""
    known = model.__dict__.setdefault("_chosen", {})
    if free not in known:
        known[free] = _choose(model, free)
    return known[free]


def _choose(model, free) -> str:
    """The set that costs less without the rows that are free; joint coordinates where they are equal.

    Points only where they are faster although they may take more steps, and never in space.  The tables of the bodies
    are there since the assembly; those of joint coordinates are written only where the graph leaves them a chance.
    """
    known = {"body": cost(model.plan("body", free=free)), "joint": least_along_joints(model, free)}
    if known["joint"] <= HOPELESS * known["body"]:
        known["joint"] = cost(model.plan("joint", free=free))
    found = "joint" if known["joint"] <= known["body"] else "body"
    large = known[found] >= SMALL and (model.dimension, "point") in CONSTANTS
    if large and _less(LEAST_IN_POINTS * len(model.bodies), known):
        plan = model.plan("point", free=free)
        if _less(cost(plan), known, plan.layout.goes_straight):
            return "point"
    return found


def _less(points: float, known: dict[str, float], straight: str = "") -> bool:
    """Whether a run in points takes less time than in any of the other sets."""
    return all(MORE_STEPS[straight][one] * points < nanoseconds for one, nanoseconds in known.items())
