"""Names of what can move: what joints read, and how bodies are turned whose joints read nothing of it."""

from __future__ import annotations

from typing import Any

from linkwork.arguments import explained
from linkwork.result.quantities import vocabulary

TURNS = ("cardan.x", "cardan.y", "cardan.z")
PLACES = ("x", "y", "z", "angle")


@explained
def freedoms(result: Any) -> list[str]:
    """Names of what can move: what joints read of it, Cardan angles of what balls carry, places of what floats.

    Where joints read nothing, those of all bodies.

    >>> lw.gallery.four_bar().simulate(0.1).freedoms()
    ['A.angle', 'B.angle', 'C.angle', 'D.angle']
    """
    mechanism, tree = result.mechanism, result.model.tree
    carried = {joint: body for body, (_, joint) in tree.parent.items()}
    found = [name for body in tree.floating for name in _known(result, body, *PLACES, *TURNS)]
    for name, joint in mechanism.joints.items():
        found += _known(result, name, *joint.readings())
        if any(step.kind == "ball" for step in joint.motion() or ()):
            # a ball that closes a loop carries nothing: of both its bodies other joints tell the motion
            found += _known(result, carried.get(name, ""), *TURNS)
    found = found or [name for body in mechanism.bodies for name in _known(result, body, *PLACES, *TURNS)]
    return list(dict.fromkeys(found))


def _known(result: Any, item: str, *keys: str) -> list[str]:
    known = vocabulary(result.model).of(item)
    return [f"{item}.{key}" for key in keys if key in known]
