"""The books' way: formulations of the textbooks as short dense numpy under their book names.

For reading, and as the independent twin that the compiled kernels are tested against. A formulation is a file, and its
functions are called by it, under the names of its book: `textbook.planar.gamma(...)`, `textbook.spatial.r_p(...)`. Only
the classes that describe a model are here themselves: `textbook.BookModel`, `textbook.SpaceModel`.

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

Points instead of bodies, after the same book and J. Garcia de Jalon & E. Bayo, Kinematic and Dynamic Simulation of
Multibody Systems:

| file | holds | chapters |
|---|---|---|
| point_masses | lumping, exact distribution to particles, condensation, shares of forces | Nikravesh 10.6 to 10.8 |
| point_coordinates | points, their constraints, equations of motion, pin forces: `PointModel` | Nikravesh 10 |
| natural_elements | C and mass matrices of the elements of plane and space | Bayo 4.2 |
| natural_constraints | rigid elements, mixed coordinates s and psi | Bayo 4.3 |
| natural_forces | forces, torques, springs, moving frames | Bayo 4.3 |
| forms_of_motion | multipliers, independent velocities (R and S c), canonical, independent coordinates | Bayo 4.1 |

Analyses, after Nikravesh and, for elimination, after S. Vlase:

| file | holds | chapters |
|---|---|---|
| vector_loops | loops and chains of vectors; slip, tangential, normal and Coriolis parts | 5 |
| kinematic_analysis | NR1, NRn, AC, CP | 12.1 |
| inverse_dynamics | ID1, ID2, the velocity matrix R without reactions, reduced inertia | 6.3, 12.2; Vlase |
| constraint_violation | RK4, stabilisation, partitioning, penalties, momentum, augmented Lagrangian | 13.3; Bayo |
| generalized_alpha | index 3, implicit, with damping of fast motions | Chung & Hulbert; Arnold & Bruels |
| statics | structures, rest by fictitious damping | 14.1, 14.2 |
| initial_conditions | coordinates kept, least change, with weights | 14.3 |
| elimination | L-U, independent variables, redundant rows and those that L-U misses | 14.4, A |

Space, after D. Negrut, ME751 (slides), and F. E. Veldpaus, Multibody dynamics: an introduction:

| file | holds | source |
|---|---|---|
| spatial_rotation | A, E, G, B, Euler parameters, axis and angle, Cardan angles | Negrut; Veldpaus A.3 |
| spatial_primitives | DP1, DP2, D, CD, normalisation of p, rolling | Negrut |
| spatial_joints | joints put together from primitives | Negrut |
| spatial_model | bodies, loads, joints: `SpaceModel` | |
| spatial | r-omega and r-p form of the equations of motion, elimination of reactions | Negrut; Vlase |
| spatial_trees | one rigid body, relative motion, forces of connections | Veldpaus 2, 3 |
| spatial_bridge | a spatial `Mechanism` as a `SpaceModel` | |

>>> turned = lw.textbook.planar_kinematics.A(np.pi / 2) @ (1.0, 0.0)
>>> [float(round(one, 12)) for one in turned]
[0.0, 1.0]
"""

from linkwork.textbook import (
    constraint_violation,
    elimination,
    forms_of_motion,
    generalized_alpha,
    initial_conditions,
    inverse_dynamics,
    kinematic_analysis,
    natural_constraints,
    natural_elements,
    natural_forces,
    planar,
    planar_bridge,
    planar_forces,
    planar_functions,
    planar_joint_bridge,
    planar_joint_coordinates,
    planar_joint_tree,
    planar_joints,
    planar_kinematics,
    planar_model,
    point_coordinates,
    point_masses,
    spatial,
    spatial_bridge,
    spatial_joints,
    spatial_model,
    spatial_primitives,
    spatial_rotation,
    spatial_trees,
    statics,
    vector_loops,
)
from linkwork.textbook.planar_functions import FunctionA, FunctionB, FunctionC
from linkwork.textbook.planar_joint_coordinates import JointReaction
from linkwork.textbook.planar_joint_tree import JointModel, TreeJoint
from linkwork.textbook.planar_model import Body, BookModel, Force, Joint, Point, UnitVector
from linkwork.textbook.point_coordinates import PointModel
from linkwork.textbook.spatial_model import ForceAt, SpaceBody, SpaceModel, Strut, TorqueOn, Weight
from linkwork.textbook.spatial_primitives import CD, DP1, DP2, D, Motion

__all__ = [
    # files, each a formulation or a part of one
    "constraint_violation",
    "elimination",
    "forms_of_motion",
    "generalized_alpha",
    "initial_conditions",
    "inverse_dynamics",
    "kinematic_analysis",
    "natural_constraints",
    "natural_elements",
    "natural_forces",
    "planar",
    "planar_bridge",
    "planar_forces",
    "planar_functions",
    "planar_joint_bridge",
    "planar_joint_coordinates",
    "planar_joint_tree",
    "planar_joints",
    "planar_kinematics",
    "planar_model",
    "point_coordinates",
    "point_masses",
    "spatial",
    "spatial_bridge",
    "spatial_joints",
    "spatial_model",
    "spatial_primitives",
    "spatial_rotation",
    "spatial_trees",
    "statics",
    "vector_loops",
    # what a model is described with
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
    "PointModel",
    "SpaceBody",
    "SpaceModel",
    "Strut",
    "TorqueOn",
    "TreeJoint",
    "UnitVector",
    "Weight",
]


def __dir__():
    return __all__
