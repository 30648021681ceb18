"""Results joined: one that goes on where another ends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwork.compiled.variants import core_of, switches_of, variant
from linkwork.errors import DescriptionError, message
from linkwork.result.segments import Segment
from linkwork.result.state import State
from linkwork.result.turns import Turned
from linkwork.rotation import difference

MEET = 1e-6  # places, against the length of the mechanism, and turns that are further apart do not meet


def following(run, more) -> list[Segment]:
    """Segments of two results; the second begins at the time and at the place at which the first ends."""
    item = f"Result of '{more.mechanism.name}'"
    same = core_of(more.model) is core_of(run.model)
    if not same and not _same_mechanism(core_of(run.model).mechanism, core_of(more.model).mechanism):
        raise DescriptionError(
            message(
                item,
                f"cannot be joined to one of '{run.mechanism.name}': their mechanisms are different",
                remedy="run the same mechanism on, with start=run.final",
            )
        )
    if [row.name for row in run.model.rows] != [row.name for row in more.model.rows]:
        raise DescriptionError(
            message(item, "cannot be joined: only one of the two was run with events", remedy="leave out events=False")
        )
    if not len(run.t) or not len(more.t):
        raise DescriptionError(message(item, "cannot be joined: one of the two has no times"))
    before, after = run.segments[-1].at_hand(), more.segments[0].at_hand()
    if after.t[0] != before.t[-1]:
        raise DescriptionError(
            message(
                item,
                "does not begin when the other one ends",
                f"{after.t[0]:g} s",
                f"{before.t[-1]:g} s",
                "go on with start=run.final and a duration",
            )
        )
    off = apart(before.state(-1), after.state(0))
    if not off <= MEET:
        raise DescriptionError(
            message(item, "does not begin where the other one ends", f"{off:.3g} apart", f"at most {MEET:g}")
        )
    first, last, _ = before.outputs.indices(len(before.t))
    found = [*run.segments[:-1], replace(before, outputs=slice(first, min(last, len(before.t) - 1)))]
    for one in (one.at_hand() for one in more.segments):
        made = one.made if same else variant(run.model, switches_of(one.model))
        found.append(replace(one, made=made, began=Turned(found[-1], -1), finer=None))
    return found


def _same_mechanism(one, other) -> bool:
    """Whether two descriptions say the same."""
    from linkwork.files.writer import digest

    return digest(one) == digest(other)


def apart(one: State, other: State, turns: bool = True) -> float:
    """How far the positions of two states are apart, against the length of the mechanism; angles in radians.

    In the plane full turns count, unless `turns` is False; in space a position has none.
    """
    model, length = one.model, max(one.model.length, 1e-300)
    a, b = (state.y[: model.n_q].reshape(len(model.bodies), -1) for state in (one, other))
    d = model.dimension
    turned = a[:, d:] - b[:, d:] if d == 2 else difference(a[:, d:], b[:, d:])
    if d == 2 and not turns:
        turned = np.remainder(turned + np.pi, 2.0 * np.pi) - np.pi
    return float(max(np.abs(a[:, :d] - b[:, :d]).max(initial=0.0) / length, np.abs(turned).max(initial=0.0)))
