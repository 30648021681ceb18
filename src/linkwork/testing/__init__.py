"""Checks that a joint, measure, law, function, coordinate set or integration method keeps its contract.

The product tests itself with them, and a user's own joint can be tested the same way:

    from linkwork.testing import check_joint
    check_joint(PointOnLine)

Each check builds small mechanisms through the public names, compares what comes out with differences, with a
motion known exactly or with the textbook's equations, and raises an `AssertionError` that says what failed
and by how much. Joints, measures and laws are checked in the plane and in space, wherever they exist, the others
in the plane.

>>> lw.testing.check_joint(lw.PinInSlot)
"""

from linkwork.testing.joints import check_joint
from linkwork.testing.laws import check_law
from linkwork.testing.measures import check_measure
from linkwork.testing.methods import check_coordinates, check_function, check_method

__all__ = ["check_coordinates", "check_function", "check_joint", "check_law", "check_measure", "check_method"]
