"""The books' way: formulations of the textbooks as short dense numpy under their book names.

For reading, and as the independent twin that the compiled kernels are tested against.

Planar body coordinates, after P. E. Nikravesh, Planar Multibody Dynamics, 2nd edition:

| file | holds | chapters |
|---|---|---|
| planar_model | bodies, points, unit vectors, joints, forces: `BookModel` | 8, B |
| planar_functions | functions of time, types a, b, c | 8, B |
| planar_kinematics | A, rot, points of bodies | 2, 3 |
| planar_joints | Phi, D, nu and gamma of every joint | 7.2 |
| planar_forces | force elements and their potentials | 4 |
| planar | the system: constraints to simulate | 7, 8, 14 |
| planar_bridge | a `Mechanism` as a `BookModel` | |
"""

from linkwork.textbook.planar import (
    augmented,
    constraints,
    correct_positions,
    correct_velocities,
    energy,
    force_array,
    gamma,
    jacobian,
    reactions,
    row_slices,
    simulate,
    static_equilibrium,
    velocity_rhs,
)
from linkwork.textbook.planar_bridge import from_mechanism
from linkwork.textbook.planar_functions import FunctionA, FunctionB, FunctionC, function
from linkwork.textbook.planar_model import Body, BookModel, Force, Joint, Point, UnitVector

__all__ = [
    "Body",
    "BookModel",
    "Force",
    "FunctionA",
    "FunctionB",
    "FunctionC",
    "Joint",
    "Point",
    "UnitVector",
    "augmented",
    "constraints",
    "correct_positions",
    "correct_velocities",
    "energy",
    "force_array",
    "from_mechanism",
    "function",
    "gamma",
    "jacobian",
    "reactions",
    "row_slices",
    "simulate",
    "static_equilibrium",
    "velocity_rhs",
]
