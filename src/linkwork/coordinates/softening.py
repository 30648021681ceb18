"""What soft evaluations need beside the plan of a run: tables in which laws that hold something are soft.

In body coordinates such a law is one more row of the plan, with a compliance; in joint coordinates it is an addition to
one step of the tree.  Which of them, and whether at all, the `Layout` of the set says.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.coordinates.linking import linked_table
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at
from linkwork.kernels.sections import TABLE, span_of


class Softened(NamedTuple):
    """Tables, numbers and workspace of soft evaluations, and how they belong to those of the run."""

    tab: np.ndarray
    p: np.ndarray  # none where those of the run serve
    w: np.ndarray
    targets: np.ndarray  # of every channel: the row or link where it is soft, or -1
    spans: np.ndarray  # pieces of p: where in that of the run, where in this one, how long


def held_channels(model) -> list[int]:
    """Channels along which a law acts that reads them."""
    found = {c for law in model.laws if law.slot.address for c in law.along if c in law.reads}
    return sorted(found)


def softened(plan) -> Softened:
    """Soft evaluations for a plan, made once; an error where there are none."""
    known = _known(plan)
    if isinstance(known, str):
        raise DescriptionError(
            message(
                "Method 'radau_soft'",
                f"cannot be used here: {known}",
                remedy="take method='radau'" + ("" if plan.layout.of_bodies else ", or coordinates='body'"),
            )
        )
    return known


def fits_softly(plan) -> bool:
    """Whether a method with soft evaluations serves as well as one that knows all slopes: laws are springs and dampers
    along one channel each, without states of their own.
    """
    laws = [law for law in plan.model.laws if law.slot.address]
    alone = all(not law.part.states and set(law.along) >= {c for c in law.reads if c >= 0} for law in laws)
    single = all(len(law.along) <= 1 for law in laws)
    if not (alone and single and laws):
        return False
    return can_be_soft(plan)


def can_be_soft(plan) -> bool:
    """Whether there are soft evaluations for a plan."""
    return not isinstance(_known(plan), str)


def _known(plan) -> Softened | str:
    """Soft evaluations, or why there are none; found once."""
    if "_softened" not in plan.__dict__:
        plan.__dict__["_softened"] = _soften(plan)
    return plan.__dict__["_softened"]


def _soften(plan) -> Softened | str:
    """Soft evaluations, or why there are none."""
    if plan.size(at.LOW):
        return "bodies are so light beside others that their motion is found with twice the digits"
    found = plan.layout.soften(plan, held_channels(plan.model))
    if isinstance(found, str):
        return found
    soft, stiff_steps, targets = found
    tab = linked_table(soft).copy()
    if stiff_steps.size:
        span, shape = span_of(at.T_LINK, tab)
        tab[span].reshape(shape)[stiff_steps, at.LINK_KIND] = at.ROLL
    if soft is plan:
        return Softened(tab, np.zeros(0), soft.workspace.copy(), targets, np.zeros((0, 3), dtype=np.int64))
    spans = []
    for section in TABLE:
        if section.vector == "p" and section.of(plan.coordinates, plan.model.dimension):
            here, there = plan.places(section.key).ravel(), soft.places(section.key).ravel()
            if here.size:
                spans.append((here[0], there[0], here.size))
    return Softened(tab, soft.parameters.copy(), soft.workspace.copy(), targets, np.array(spans, dtype=np.int64))
