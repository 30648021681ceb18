"""Which rows lock a joint: of more than are needed, those that hold its motions best where it stands.

The turn of a ball has no three numbers that are good everywhere.  Of the nine cosines between the axes of its two
frames three always are, but not always the same: who locks it takes those, and leaves the others free.
"""

from __future__ import annotations

import numpy as np

from linkwork.analysis.rank import TOLERANCE, gradients, pivoted_qr
from linkwork.coordinates.body import body_weights


def spare_locks(model, y: np.ndarray, item: str) -> list[int]:
    """Rows among those that may lock a joint that follow from its own and from the other ones, at a position."""
    rows, locks = model.rows_of.get(item, []), model.locks_of.get(item, [])
    if len(locks) <= model.lock_size(item):
        return []
    J = gradients(model, y, [model.rows[r].measure for r in [*rows, *locks]]) * body_weights(model)
    J = J[:, model.existing]
    own, wanted = J[: len(rows)], J[len(rows) :]
    if len(own):
        _, sizes, ways = np.linalg.svd(own, full_matrices=False)
        ways = ways[sizes > TOLERANCE * max(1.0, sizes[0])]
        wanted = wanted - (wanted @ ways.T) @ ways  # what the joint itself leaves free
    order, rank, _ = pivoted_qr(wanted.T)
    return sorted(locks[k] for k in order[rank:])


def spare_at_start(model, y: np.ndarray) -> list[int]:
    """Those of all joints that are locked from the start."""
    joints = model.mechanism.joints
    return [r for item in model.locks_of if joints[item].locked for r in spare_locks(model, y, item)]
