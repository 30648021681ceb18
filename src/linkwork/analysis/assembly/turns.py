"""Full turns of angles where a state begins, while it is assembled and afterwards."""

from __future__ import annotations

import numpy as np

from linkwork.analysis.assembly.newton import locate
from linkwork.analysis.common import start_rows
from linkwork.compiled.in_time import value_at
from linkwork.compiled.names import measure_of, positions
from linkwork.coordinates.turns import Said, begin, shift
from linkwork.tape import Lost, finite


def turns_of(mechanism, values) -> dict:
    """Angles that are said over full turns: measure -> value."""
    found = {}
    for row in start_rows(mechanism, positions(mechanism, values)):
        if row.measure.quantity == "angle":
            found[row.measure] = row.value
    return found


def turns_of_drivers(model, t: float, turned) -> dict:
    """The same of angles that drivers hold at a time, but for those whose turns are known."""
    known, found = Said(model, turned, {}), {}
    for driver in model.mechanism.drivers.values():
        measure = driver.measure
        asked = driver.active and driver.level == "position" and not driver.from_assembled
        if not asked or measure.memory != "turns" or len(measure.terms()) > 1 or known.get(measure) is not None:
            continue
        try:
            value = value_at(driver.function, t)
        except Lost:
            raise
        except Exception:  # of a user's function, which the search tells
            continue
        if finite(value):
            found[measure] = value
    return found


def let_turn(system, t, y, turned) -> None:
    """Begin in the full turns that are known; rows (the thread of a screw) may choose others while assembling."""
    begin(system, t, y, Said(system.model, turned))
    slots = system.plan.turn_slots
    for measure, value in turned.items():
        if measure in slots and system.model.dimension == 3:  # the nearest to it, wherever the estimate is
            system.memory[slots[measure]] = value
    free = [
        (r, [(slots[one], weight) for weight, one in row.measure.terms() if one in slots and one not in turned])
        for r, row in ((r, system.plan.rows[r]) for r in system.plan.counting)
    ]
    # one angle of a row is enough; the lightest comes nearest
    system.loose = [(r, *min(choice, key=lambda one: abs(one[1]))) for r, choice in free if choice]


def turns_as_given(system, t, y, turned) -> Said:
    """Full turns of a state that is taken as it is; rows that are met in one turn only choose the nearest."""
    let_turn(system, t, y, turned)
    locate(system, t, y)
    return Said(system.model, turned)


def begin_turns(system, t, y, turned) -> Said:
    """Once it is assembled, bodies (in `y`) and angles begin in the turn that is meant, apart from those that a row has
    chosen.
    """
    model, said = system.model, Said(system.model, turned)
    if model.dimension == 2:  # a body that nothing speaks of is within half a turn, as every other angle
        spoken = {frame.body for measure in turned for _, one in measure.terms() for frame in (one.on, one.to)}
        far = {model.bodies[k].name for k in np.flatnonzero(np.abs(y[2 : model.n_q : 3]) > np.pi)}
        for name in (spoken | far) - {"ground"}:
            k = model.body_index[name]
            if model.bodies[k].has_angle:
                angle = said.get(measure_of(model.mechanism, f"{name}.angle")[0])
                y[3 * k + 2] += shift(y[3 * k + 2], angle or 0.0)
    begin(system, t, y, said, {one for r in system.plan.counting for _, one in system.plan.rows[r].measure.terms()})
    return said
