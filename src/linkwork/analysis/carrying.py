"""A whole motion of one model as that of another one with the same bodies: states and accelerations, at all its times.

Mass centres and principal axes may be others.  With d from the old centre to the new one, R the new axes in the old:

    place r + d        velocity v + w x d        acceleration a + w' x d + w x (w x d)        turning R'w, R'w'
"""

from __future__ import annotations

import numpy as np

from linkwork import rotation
from linkwork.coordinates.body import System
from linkwork.errors import DescriptionError, message
from linkwork.kernels import layout as at


def refuse_others(model, old) -> None:
    """Refuse a motion of other bodies."""
    ours, theirs = ([body.name for body in one.bodies] for one in (model, old))
    if set(ours) != set(theirs) or model.dimension != old.dimension:
        missing = sorted({*ours} ^ {*theirs})
        raise DescriptionError(
            message(
                "motion",
                "belongs to another mechanism: its bodies are others",
                ", ".join(missing[:4]) or f"{old.dimension} dimensions",
                ", ".join(ours[:4]) + ("" if len(ours) < 5 else ", ..."),
            )
        )


def carried(segment, model) -> tuple[np.ndarray, np.ndarray]:
    """States of the bodies (times, numbers of the model with work and memory) and accelerations (times, n_v)."""
    old, series = segment.model, segment.series
    refuse_others(model, old)
    theirs = [body.name for body in old.bodies]
    size, dof = at.COORDINATES[model.dimension]
    states = np.zeros((len(segment.t), model.n_y + model.n_memory))
    accelerations = np.zeros((len(segment.t), model.n_v))
    given = series.accelerations
    for k, body in enumerate(model.bodies):
        j = theirs.index(body.name)
        q, v = series.bodies.of(j)
        a = given[:, dof * j : dof * (j + 1)]
        info = old.bodies[j]
        if not (np.array_equal(body.center, info.center) and np.array_equal(body.rotation, info.rotation)):
            q, v, a = _moved(q, v, a, info, body)
        states[:, size * k : size * (k + 1)] = q
        states[:, model.n_q + dof * k : model.n_q + dof * (k + 1)] = v
        accelerations[:, dof * k : dof * (k + 1)] = a
    accelerations[:, ~model.existing] = 0.0
    _states_of_laws(segment, model, states)
    _remember(segment, model, states)
    return states, accelerations


def _moved(q, v, a, old, new) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The motion of another centre, along other axes, of the same body."""
    d = new.center - old.center
    if q.shape[1] == 3:  # the plane
        x, y = rotation.in_plane(q[:, 2], d[0], d[1])
        w, e = v[:, 2], a[:, 2]
        return (
            q + np.column_stack([x, y, 0.0 * x]),
            v + np.column_stack([-w * y, w * x, 0.0 * x]),
            a + np.column_stack([-e * y - w * w * x, e * x - w * w * y, 0.0 * x]),
        )
    axes = rotation.matrix(q[:, 3:])
    way = np.einsum("tij,j->ti", axes, old.rotation.T @ d)
    w, e = (np.einsum("tij,tj->ti", axes, one[:, 3:]) for one in (v, a))
    between = old.rotation.T @ new.rotation  # new axes as columns, in the old ones
    turned = rotation.product(q[:, 3:], np.broadcast_to(rotation.from_matrix(between), (len(q), 4)))
    return (
        np.hstack([q[:, :3] + way, turned]),
        np.hstack([v[:, :3] + np.cross(w, way), v[:, 3:] @ between]),
        np.hstack([a[:, :3] + np.cross(e, way) + np.cross(w, np.cross(w, way)), a[:, 3:] @ between]),
    )


def _states_of_laws(segment, model, states) -> None:
    """States of laws as the motion has them, by element and name; others as they begin."""
    first = model.n_q + model.n_v + len(model.work_names)
    known = dict(zip(segment.model.law_states, segment.series.bodies.of_laws.T))
    for k, (one, value) in enumerate(model.law_states.items()):
        states[:, first + k] = known.get(one, value)


def _remember(segment, model, states) -> None:
    """What measures and laws remember; angles are in the turn that the motion has them in."""
    series, plan, n_y = segment.series, model.plan(), model.n_y
    old = segment.model.plan()
    states[:, n_y:] = old.memory_for(plan, series.states[:, segment.model.n_y :])
    new = {measure: slot for measure, slot in plan.turn_slots.items() if measure not in old.turn_slots}
    if not new:
        return
    slots, places = list(new.values()), [plan.measure_index[one] for one in new]
    picks = np.concatenate([plan.places(at.W_TURNED)[slots], plan.places(at.W_VALUE)[places]])
    found = System(plan).swept(segment.t, states, picks, located=True)
    counted, value = found[:, : len(slots)], found[:, len(slots) :]
    states[:, [n_y + slot for slot in slots]] = counted + np.column_stack(series.measures(list(new))) - value
