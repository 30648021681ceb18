"""Axes that point against each other: rows of right angles are met there, too, but no joint is built so."""

from __future__ import annotations

import numpy as np

from linkwork.coordinates.rotation import matrix_of

# which pairs at right angles make an axis of `on` parallel to the same one of `to`
PARALLEL = {"z": {("x", "z"), ("y", "z")}, "x": {("x", "y"), ("x", "z"), ("y", "z")}}


def flipped(model, y) -> list[str]:
    """Names of the joints of a spatial mechanism that have parallel axes the wrong way round at a state."""
    if model.dimension == 2:
        return []
    mechanism, index = model.mechanism, model.body_index

    def axes(frame):
        if frame.body == "ground":
            return frame.rotation()
        k = index[frame.body]
        return matrix_of(y[7 * k + 3:7 * k + 7]) @ model.bodies[k].rotation.T @ frame.rotation()

    found = []
    for name, joint in mechanism.joints.items():
        pairs = {(row.measure.axis, row.measure.other) for row in joint.rows(3)
                 if type(row.measure).__name__ == "Alignment" and row.value == 0.0}
        for axis, needed in PARALLEL.items():
            column = "xyz".index(axis)
            if joint.active and needed <= pairs and np.dot(axes(joint.on)[:, column], axes(joint.to)[:, column]) < 0.0:
                found.append(name)
                break
    return found
