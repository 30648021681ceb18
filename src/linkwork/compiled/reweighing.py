"""Other masses, inertias and gravity for a model: only their places in the numbers of its plans are written again.

Everything else of the model, and of its plans, is shared: rows, laws, measures, the tree, tables and patterns.  The
numbers come from the very functions that write a plan from the beginning, so they are the same bit for bit.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from linkwork.compiled.model import BodyInfo, Model, lasting_in
from linkwork.compiled.numbering import body_info, same_laws
from linkwork.compiled.plan import Plan
from linkwork.compiled.plans import layout_of
from linkwork.compiled.plans.tables import masses
from linkwork.compiled.scales import least_and_bare

WEIGHTS = ("mass", "inertia")  # fields of bodies


def reweighed(model: Model, mechanism: Any) -> Model | None:
    """The model of a mechanism that differs from that of `model` in masses, inertias and gravity only.

    None where more differs, or where other masses ask for another structure: the mechanism is then to be numbered.
    """
    old = model.mechanism
    if not _same_but_for_bodies(old, mechanism) or not same_laws(model):
        return None
    bodies = []
    for info, before, now in zip(model.bodies, old.bodies.values(), mechanism.bodies.values()):
        found = info if before is now else _reweighed_body(mechanism.dimension, info, before, now)
        if found is None:
            return None
        bodies.append(found)
    model.geometry  # noqa: B018 - there from now on, and shared
    other = object.__new__(Model)
    given = {one.name: getattr(model, one.name) for one in fields(Model)}
    other.__dict__.update(given, **lasting_in(model))
    other.__dict__.update(mechanism=mechanism.copy(), bodies=tuple(bodies))
    other.mechanism.__dict__["_model"] = other
    for (coordinates, free), plan in model._plans.items():
        if not free:
            made = _reweighed_plan(other, coordinates, plan)
            if made is None:
                return None
            other._plans[coordinates, free] = made
    return other


def _same_but_for_bodies(old: Any, new: Any) -> bool:
    """Whether all other items are the same, and bodies have the same names."""
    return list(old.bodies) == list(new.bodies) and all(
        len(ours) == len(theirs)
        and all(a == b and (ours[a] is theirs[b] or ours[a] == theirs[b]) for a, b in zip(ours, theirs))
        for ours, theirs in (
            (getattr(old, one), getattr(new, one)) for one in ("joints", "drivers", "forces", "readings")
        )
    )


def _reweighed_body(dimension: int, info: BodyInfo, before: Any, now: Any) -> BodyInfo | None:
    """The body with its other mass and inertia; None where it differs in more."""
    if type(before) is not type(now) or any(
        getattr(before, one.name) != getattr(now, one.name) for one in fields(now) if one.name not in WEIGHTS
    ):
        return None
    found = body_info(now, dimension)
    same = found.has_angle == info.has_angle and np.array_equal(found.rotation, info.rotation)
    return found if same else None


def _reweighed_plan(model: Model, coordinates: str, plan: Plan) -> Plan | None:
    """A plan with the numbers of other masses; None where they ask for other tables."""
    layout = layout_of(model, coordinates, plan.free)
    (least, bare), (before, was_bare) = least_and_bare(model), least_and_bare(plan.model)
    rows = len(plan.rows)
    if bare != was_bare or layout.digits(least, bare, rows) != layout.digits(before, was_bare, rows):
        return None
    if layout.chosen != plan.layout.chosen:
        return None
    parameters = plan.parameters.copy()
    for key, values in (*masses(model, layout, least), *layout.masses_of_links()):
        plan.view(parameters, key)[...] = values
    made = Plan(model, layout, plan.tab, parameters, plan.workspace, plan.rows, plan.kept, plan.measures, plan.shared)
    made.__dict__.update(lasting_in(plan))
    return made
