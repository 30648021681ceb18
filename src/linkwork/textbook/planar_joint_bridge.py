"""A planar `Mechanism` in the book's joint coordinates, so that compiled results can be compared with chapter 9.

The body-coordinate model of `planar_bridge`, and in addition what the coordinates are counted from: angles of pins
from the axes of the joint's two frames, the way of a disc from the origin of its line, a body that floats at the
origin of its own frame. Names are those of the mechanism: "A.angle", "B.slide", "chassis.x".
"""

import numpy as np

from linkwork.textbook.planar_bridge import from_mechanism
from linkwork.textbook.planar_joint_tree import joint_model


def joint_model_from_mechanism(mechanism, cut=(), state=None, absolute=(), drivers=None):
    """The joint-coordinate model of a planar mechanism with the joints named in `cut` cut.

    The other joints that carry a body make the tree, whichever side leads to the ground; held values and drivers of
    the mechanism are rows. `state`, `absolute` and `drivers` as in `from_mechanism` and `joint_model`.
    """
    zeros = {name: tuple(-np.asarray(body.center[:2], dtype=float)) for name, body in mechanism.bodies.items()}
    for name, joint in mechanism.joints.items():
        zeros[name] = (joint.on.angle, joint.to.angle)
        if type(joint).__name__ == "RollingDisc":
            zeros[name] = float(joint.on.position[0])
    return joint_model(from_mechanism(mechanism, state), cut, absolute, drivers, zeros)
