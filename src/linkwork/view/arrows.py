"""Arrows of velocities, forces and reactions, to one scale each."""

from __future__ import annotations

import numpy as np

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.view.scene import Key

#: unit and colour of each kind
KINDS = {"velocity": ("m/s", "#2456a6"), "force": ("N", "#1d6b57"), "reaction": ("N", "#8e3b8a")}
LONGEST = 0.2  # of the picture, for the longest arrow of a kind at the times that are shown


def add_arrows(stage, asked) -> None:
    """Arrows of the kinds asked for; a map gives metres a unit, `{"reaction": 1e-3}`."""
    given = (
        asked if isinstance(asked, dict) else dict.fromkeys(asked if isinstance(asked, (list, tuple, set)) else [asked])
    )
    for kind, scale in given.items():
        if kind not in KINDS:
            raise UnknownNameError("kind of arrows", str(kind), list(KINDS))
        if scale is not None and not (isinstance(scale, (int, float)) and np.isfinite(scale) and scale > 0.0):
            raise DescriptionError(
                message(
                    "draw",
                    f"cannot use the scale of the arrows '{kind}'",
                    repr(scale),
                    "metres of the picture a unit, such as 1e-3",
                )
            )
        unit, color = KINDS[kind]
        found = list(READ[kind](stage))
        largest = max((float(np.linalg.norm(values, axis=1).max()) for _, _, values in found), default=0.0)
        if not largest > 1e-12:
            continue
        chosen = float(scale or LONGEST * stage.extent / largest)
        for name, anchor, values in found:
            stage.arrow(
                "straight", anchor, values, f"{kind} {name}", role=kind, color=color, scale=chosen, layer=7.3, item=name
            )
        stage.scene.keys.append(Key(kind, chosen, unit, color))


def _velocities(stage):
    """Of the mass centre of every body: its momentum over its mass, or the rate of its origin where it has none."""
    for name, body in stage.mechanism.bodies.items():
        quantity, mass = (f"{name}.momentum", body.mass) if body.mass > 0.0 else (f"{name}.rate", 1.0)
        anchor = ((1.0, name, tuple(stage.center(name).tolist())),)
        yield name, anchor, stage.now[quantity][stage.rows] / mass


def _forces(stage):
    """Applied forces on every body, gravity among them, at its mass centre."""
    for name in stage.mechanism.bodies:
        anchor = ((1.0, name, tuple(stage.center(name).tolist())),)
        n = stage.dimension
        yield name, anchor, stage.now.applied_force(name)[stage.rows, :n]


def _reactions(stage):
    """Of joints, on their `to` body, at the joint."""
    for name, joint in stage.mechanism.joints.items():
        if joint.active and joint.rows(stage.dimension):
            force = stage.now.reaction(name).force[stage.rows]
            yield name, stage.at(joint.to), force


READ = {"velocity": _velocities, "force": _forces, "reaction": _reactions}
