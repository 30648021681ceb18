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

Planar joint coordinates, after the same book:

| file | holds | chapters |
|---|---|---|
| planar_joint_tree | joints of the tree and cut joints: `JointModel` | 9.1 |
| planar_joint_coordinates | B and C by tables 9.1 and 9.2, equations of motion, reactions | 9.2, 9.3, C |
| planar_joint_bridge | a `Mechanism` as a `JointModel` | |

Space, after D. Negrut, ME751 (slides), and F. E. Veldpaus, Multibody dynamics: an introduction. Its functions are
called by their file, `textbook.spatial.r_p(...)`, because many share their names with those of the plane:

| file | holds | source |
|---|---|---|
| spatial_rotation | A, E, G, B, Euler parameters, axis and angle, Cardan angles | Negrut; Veldpaus A.3 |
| spatial_primitives | DP1, DP2, D, CD, normalisation of p, rolling | Negrut |
| spatial_joints | joints put together from primitives | Negrut |
| spatial_model | bodies, loads, joints: `SpaceModel` | |
| spatial | r-omega and r-p form of the equations of motion, elimination of reactions | Negrut; Vlase |
| spatial_trees | one rigid body, relative motion, forces of connections | Veldpaus 2, 3 |
| spatial_bridge | a spatial `Mechanism` as a `SpaceModel` | |
"""

from linkwork.textbook import (
    spatial,
    spatial_bridge,
    spatial_joints,
    spatial_model,
    spatial_primitives,
    spatial_rotation,
    spatial_trees,
)
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
from linkwork.textbook.planar_joint_bridge import joint_model_from_mechanism
from linkwork.textbook.planar_joint_coordinates import (
    JointReaction,
    body_accelerations,
    body_coordinates,
    correct_joint_positions,
    correct_joint_velocities,
    cut_constraints,
    cut_gamma,
    cut_jacobian,
    cut_jacobian_by_table,
    cut_velocity_rhs,
    joint_augmented,
    joint_coordinates,
    joint_force_array,
    joint_mass_matrix,
    joint_rates,
    joint_reactions,
    simulate_joint_coordinates,
    transformation_rate,
    velocity_transformation,
)
from linkwork.textbook.planar_joint_tree import JointModel, TreeJoint, joint_model
from linkwork.textbook.planar_model import Body, BookModel, Force, Joint, Point, UnitVector
from linkwork.textbook.spatial_model import ForceAt, SpaceBody, SpaceModel, Strut, TorqueOn, Weight
from linkwork.textbook.spatial_primitives import CD, DP1, DP2, D, Motion

__all__ = [
    "Body",
    "BookModel",
    "CD",
    "D",
    "DP1",
    "DP2",
    "Force",
    "ForceAt",
    "FunctionA",
    "FunctionB",
    "FunctionC",
    "Joint",
    "JointModel",
    "JointReaction",
    "Motion",
    "Point",
    "SpaceBody",
    "SpaceModel",
    "Strut",
    "TorqueOn",
    "TreeJoint",
    "UnitVector",
    "Weight",
    "augmented",
    "body_accelerations",
    "body_coordinates",
    "constraints",
    "correct_joint_positions",
    "correct_joint_velocities",
    "correct_positions",
    "correct_velocities",
    "cut_constraints",
    "cut_gamma",
    "cut_jacobian",
    "cut_jacobian_by_table",
    "cut_velocity_rhs",
    "energy",
    "force_array",
    "from_mechanism",
    "function",
    "gamma",
    "jacobian",
    "joint_augmented",
    "joint_coordinates",
    "joint_force_array",
    "joint_mass_matrix",
    "joint_model",
    "joint_model_from_mechanism",
    "joint_rates",
    "joint_reactions",
    "reactions",
    "row_slices",
    "simulate",
    "simulate_joint_coordinates",
    "spatial",
    "spatial_bridge",
    "spatial_joints",
    "spatial_model",
    "spatial_primitives",
    "spatial_rotation",
    "spatial_trees",
    "static_equilibrium",
    "transformation_rate",
    "velocity_rhs",
    "velocity_transformation",
]
