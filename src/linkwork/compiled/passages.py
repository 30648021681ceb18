"""How joints lead from body to body: what first positions are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Passage(NamedTuple):
    """One joint, gone through from a body to another."""

    joint: str
    other: str  # the body that it leads to
    away: float  # 1 from `on` to `to`, -1 back
    steps: tuple
    names: tuple[str, ...]  # of the steps that have a value
    near_place: np.ndarray  # where its frame is on the body that one comes from
    near_axes: np.ndarray
    far_place: np.ndarray  # and on the other
    far_axes: np.ndarray
    angle: float  # of the near frame against the far one


def passages(mechanism) -> dict[str, list[Passage]]:
    """Joints at every body, in the order in which they were added."""
    found: dict[str, list[Passage]] = {"ground": [], **{name: [] for name in mechanism.bodies}}
    for joint in mechanism.joints.values():
        steps = joint.steps(mechanism.dimension) if joint.active else None
        if steps is None:
            continue
        names = tuple(f"{joint.name}.{step.name}" for step in steps if step.name)
        for near, far, away in ((joint.on, joint.to, 1.0), (joint.to, joint.on, -1.0)):
            found[near.body].append(
                Passage(
                    joint.name,
                    far.body,
                    away,
                    tuple(steps),
                    names,
                    np.asarray(near.position),
                    near.rotation(),
                    np.asarray(far.position),
                    far.rotation(),
                    far.angle_to(near),
                )
            )
    return found
