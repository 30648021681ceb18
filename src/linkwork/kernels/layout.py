"""Where things are: the header of the integer table `tab`, columns of its sections, and fixed places of the workspace.

All floats of a model are in one vector `p`, all integers in one vector `tab`, all scratch in one vector `w`.  The
first entries of `tab` are sizes and offsets; each name below is the index of its entry.  `P_` offsets point into p,
`T_` offsets into tab, `W_` offsets into w.  What each section holds, and its shape, is said in `sections`.

| symbol      | word                                                             | shape            |
|-------------|------------------------------------------------------------------|------------------|
| body 0      | ground: zero inverse mass, no coordinates                        |                  |
| dof         | velocity coordinates of a body: 3 in the plane, 6 in space       |                  |
| block       | the gradient of one row with respect to the twist of one body    | dof              |
"""

from __future__ import annotations

# the header: sizes
(
    DIMENSION,  # 2 in the plane, 3 in space
    DOF,  # speeds of a body: 3 or 6
    N_BODIES,  # bodies without the ground
    N_Q,  # positions of a state
    N_V,  # speeds of a state
    N_Z,  # numbers of the ledger: work of drivers and laws
    N_STATES,  # numbers of a state that belong to laws
    N_MEMORY,  # numbers that measures and laws remember
    N_FRAMES,  # frames of measures
    N_MEASURES,  # simple measures
    N_MEASURE_NUMBERS,  # numbers of all measures
    N_SEEN,  # numbers that measures read of pairs of frames
    N_FUNCTIONS,  # functions of time
    N_LAWS,  # laws of forces
    N_NUMBERS,  # numbers of functions and laws
    N_READS,  # values that all laws read
    MOST_READS,  # values that one law reads at most
    N_ALONG,  # places for forces of laws, guards among them
    N_CHANNELS,  # channels: what laws read and act along
    N_CHANNEL_TERMS,  # measures that channels add up
    N_ROWS,  # constraint rows
    N_BLOCKS,  # blocks of rows: one for each body that a row is about
    N_TERMS,  # measures that rows add up
    N_UNKNOWNS,  # rows, or in a saddle point coordinates and rows
    N_FILL,  # entries of L beside its diagonal
    N_TARGETS,  # updates of the factorisation
    N_ASSEMBLY,  # products that are added up to what is factored
    N_CLASSES,  # groups of bodies that turn together
    N_CLASS_TERMS,  # points of these groups
    N_SHARE_TERMS,  # points that bodies are told by
    N_BLOCK_TERMS,  # entries of J that blocks go to
    N_MASSES,  # entries of M that do not change
    N_SWAYS,  # entries of M between an angle and a point
    N_VECTORS,  # basic vectors
    N_VECTOR_TERMS,  # points of basic vectors
    N_BASES,  # groups of bodies with basic vectors
    N_PRODUCTS,  # products of basic vectors that are kept
    N_PRODUCT_TERMS,  # coordinates in these products
    N_LINKS,  # links of the tree
    N_ENTRIES,  # entries of rows along the tree, or of J
    SADDLE,  # 1 where accelerations are among the unknowns
    LOW,  # how far behind a number of the solution its low part is, where it has twice the digits; else 0
    _SIZES,
) = range(43)

# addresses of the kernels of the set of coordinates, written when a model is run: see `motion`
(A_LOCATE, A_FACTOR, A_SOLVE, A_MOVE, A_RATES, A_SPREAD, A_ADD, _ADDRESSES) = range(_SIZES, _SIZES + 8)

# sections of tab
(
    T_FRAME_BODY,
    T_MEASURE,
    T_MEMORY_MEASURE,
    T_FUNCTION,
    T_LAW,
    T_READS,
    T_ALONG,
    T_CHANNEL,
    T_CHANNEL_TERM,
    T_ROW,
    T_ROW_TERM,
    T_TERM,
    T_ROW_BLOCK,
    T_BLOCK_BODY,
    T_PERMUTATION,
    T_COLUMN,
    T_ENTRY_ROW,
    T_TARGET,
    T_ASSEMBLY,
    T_TURNING,
    T_LINK,
    T_BODY_LINK,
    T_ROW_ENTRY,
    T_ENTRY,
    T_BLOCK_ENTRY,
    T_CLASS,
    T_CLASS_TERM,
    T_SHARE,
    T_SHARE_TERM,
    T_BLOCK_SHARE,
    T_BLOCK_TERM,
    T_ENTRY_PLACE,
    T_MASS,
    T_MASS_TARGET,
    T_SWAY,
    T_SWAY_TARGET,
    T_VECTOR,
    T_VECTOR_TERM,
    T_BASIS,
    T_PRODUCT,
    T_PRODUCT_TERM,
    _TABLES,
) = range(_ADDRESSES, _ADDRESSES + 42)

# sections of p
(
    P_GRAVITY,
    P_MASS,
    P_INVERSE_MASS,
    P_ROOT_INVERSE,
    P_MASS_SCALE,
    P_LEAST,
    P_LENGTH,
    P_FRAME,
    P_MEASURE,
    P_NUMBERS,
    P_CHANNEL,
    P_ROW,
    P_TERM,
    P_LINK,
    P_CLASS,
    P_CLASS_TERM,
    P_SHARE,
    P_SHARE_TERM,
    P_VECTOR,
    P_VECTOR_TERM,
    P_PRODUCT,
    P_BODY,
    P_BODY_TERM,
    P_MASS_ENTRY,
    P_SWAY,
    P_EASE,
    P_UNIT,
    P_BARE,
    _PARAMETERS,
) = range(_TABLES, _TABLES + 29)

# sections of w
(
    W_POSE,
    W_TWIST,
    W_FRAME,
    W_PAIR,
    W_VALUE,
    W_RATE,
    W_BIAS,
    W_GRADIENT,
    W_MEMORY,
    W_TURNED,
    W_SWING,
    W_FUNCTION,
    W_READ,
    W_OUT,
    W_STATE,
    W_STATE_RATE,
    W_APPLIED,
    W_PHI,
    W_NU,
    W_GAMMA,
    W_HELD,
    W_COMPLIANCE,
    W_BLOCK,
    W_SCALED_BLOCK,
    W_SCALED_ENTRY,
    W_LAMBDA,
    W_ACCELERATION,
    W_FACTOR,
    W_SCALE,
    W_FREE,
    W_UNKNOWN,
    W_RESIDUAL,
    W_RIGHT,
    W_STEP,
    W_ANGLE,
    W_LINK,
    W_PUSH,
    W_PULL,
    W_CHANGE,
    W_CLASS,
    W_VECTOR,
    W_BASIS,
    W_ENTRY,
    W_FORCE,
    W_REST,
    HEADER,
) = range(_PARAMETERS, _PARAMETERS + 46)

# the first entries of the workspace; those that Python sets are settings, the others tell what was done
(
    STATUS,  # OK, or what failed: LAW_FAILED, CONFLICT, ...
    CULPRIT,  # number of the function, law, link or watch that failed
    PIVOT,  # smallest pivot of the rows that were factored last, against its first value
    RESIDUAL,  # largest residual of the equations that were solved last
    PROJECT_TOLERANCE,  # set by Python: errors of rows below which positions are good enough
    PROJECT_COUNT,  # set by Python: iterations of a projection at most
    ERROR_POSITION,  # largest error of a held row in position, scaled
    ERROR_VELOCITY,  # the same in velocity
    EVALUATIONS,  # evaluations so far
    BULK,  # size of the terms that the largest residual is left of
    ERROR_DROPPED,  # largest error in position of a row that is dropped
    PLAIN,  # 1 where the factor is good to rounding: solutions are not refined
    TIME_FAILED,  # time of what failed
    DETAIL,  # set by Python: 1 leaves all that results read, 0 only what the motion needs
    STABILISE_RATE,  # set by Python: Baumgarte's terms, what multiplies the rows' errors of velocity, 2 alpha
    STABILISE_PLACE,  # set by Python: and those of position, beta^2
    W_FIXED,
) = range(17)

# columns of sections
(
    MEASURE_CODE,
    MEASURE_ON,
    MEASURE_TO,
    MEASURE_PAIR,
    MEASURE_OPENS,
    MEASURE_AXIS,
    MEASURE_OTHER,
    MEASURE_SLOT,
    MEASURE_N_MEMORY,
    MEASURE_NUMBERS,
    MEASURE_N_NUMBERS,
    MEASURE_FUNCTION,
    MEASURE_ADDRESS,
    MEASURE_COLUMNS,
) = range(14)
(FUNCTION_ADDRESS, FUNCTION_NUMBERS, FUNCTION_N_NUMBERS, FUNCTION_COLUMNS) = range(4)
(FUNCTION_VALUE, FUNCTION_RATE, FUNCTION_SECOND, FUNCTION_ORDERS) = range(4)
(
    LAW_ADDRESS,
    LAW_READS,
    LAW_N_READS,
    LAW_ALONG,
    LAW_N_ALONG,
    LAW_NUMBERS,
    LAW_N_NUMBERS,
    LAW_MEMORY,
    LAW_N_MEMORY,
    LAW_STATES,
    LAW_N_STATES,
    LAW_WORK,
    LAW_ACCEPT,
    LAW_COLUMNS,
) = range(14)
(ROW_KIND, ROW_FUNCTION, ROW_WORK, ROW_TURNS, ROW_COLUMNS) = range(5)
(ROW_VALUE, ROW_SCALE, ROW_NUMBERS) = range(3)
(TERM_MEASURE, TERM_ON, TERM_TO, TERM_COLUMNS) = range(4)
(ASSEMBLY_ONE, ASSEMBLY_OTHER, ASSEMBLY_TARGET, ASSEMBLY_COLUMNS) = range(4)
(LINK_KIND, LINK_PARENT, LINK_PLACE, LINK_SPEED, LINK_BODY, LINK_CHILDREN, LINK_COLUMNS) = range(7)
(ENTRY_LINK, ENTRY_UP, ENTRY_PART, ENTRY_COLUMNS) = range(4)
(CLASS_KIND, CLASS_PLACE, CLASS_ROW, CLASS_FIRST, CLASS_COUNT, CLASS_LOOKED, CLASS_COLUMNS) = range(7)
(SHARE_CLASS, SHARE_FIRST, SHARE_COUNT, SHARE_LOOKED, SHARE_COLUMNS) = range(5)
(SHARE_X, SHARE_Y, SHARE_ARM_X, SHARE_ARM_Y, SHARE_ANGLE, SHARE_COS, SHARE_SIN, SHARE_NUMBERS) = range(8)
(MASS_ONE, MASS_OTHER, MASS_COLUMNS) = range(3)
(SWAY_CLASS, SWAY_PLACE, SWAY_SPEED, SWAY_COLUMNS) = range(4)
(VECTOR_FIRST, VECTOR_COUNT, VECTOR_COLUMNS) = range(3)
(BASIS_ONE, BASIS_OTHER, BASIS_LOOKED, BASIS_COLUMNS) = range(4)
(PRODUCT_ROW, PRODUCT_ONE, PRODUCT_OTHER, PRODUCT_FIRST, PRODUCT_COLUMNS) = range(5)

# how bodies that turn together do: not at all, by an angle of their own, or along two points
STILL, BY_ANGLE, BY_POINTS = range(3)
# what looks at a class that turns by points
BY_FRAMES, BY_NUMBER = 1, 2

# what LINK_CHILDREN says, as a sum
CARRIES, OPENS = 1, 2

# what STATUS says
(
    OK,
    LAW_FAILED,
    CONFLICT,
    NOT_PROJECTED,
    FUNCTION_FAILED,
    STEP_TOO_SMALL,
    NO_INERTIA,
    TURNS_LOST,
    NOT_FINITE,
    ENDS_MEET,
    WROTE_BEYOND,
    MEMORY_FAILED,
    DEAD_CENTRE,
    WATCH_FAILED,
    NOT_CONVERGED,
    TOO_LONG,
) = range(16)

# measures, by the formula that they name; OWN is one with a function of its own
(WORLD_OFFSET, OFFSET, ALIGNMENT, ANGLE, DIRECTION, DISTANCE, SLIP, EDGE_HEIGHT, EDGE_SLIP, SPIN, OWN) = range(11)

# what measures read of a pair of frames: the line between their origins, that to the edge of a disc, the whole motion
LINE, EDGE, MOTION = range(3)

# kinds of rows
POSITION, SPEED = range(2)

# kinds of links: the step that leads to them from their parent
RIGID, TURN, SLIDE, ROLL, ROLL_BACK, HELIX, BALL = range(7)

#: points closer than this part of a length of the mechanism meet: the line between them has no direction
MEET = 1e-12

#: stands before the forces that laws write and behind those of each: a law that reaches further is found out
GUARD = -6.25e-211

#: inertia below this part of the usual one counts as little: rows are measured as if there were none, and 16 digits
#: are not enough to solve for the motion
LITTLE = 1e-6
#: the same where there is also inertia of zero
LITTLE_BESIDE_NONE = 1e-2
#: and below this not even 32 digits are enough
TOO_LITTLE = 1e-20

LINK_NUMBERS = {2: 11, 3: 42}
LINK_SCRATCH = {2: 36, 3: 90}
FRAME_NUMBERS = {2: 3, 3: 12}
FRAME_SCRATCH = {2: 10, 3: 24}
#: numbers that a function of a measure is told, and that it gives: value, bias, force and moment
TOLD, GIVEN = {2: 6, 3: 18}, {2: 5, 3: 8}
PAIR_SCRATCH = {
    2: {LINE: 6, MOTION: 6 + 2 * TOLD[2] + GIVEN[2] + 1},
    3: {LINE: 9, EDGE: 15, MOTION: 9 + 2 * TOLD[3] + GIVEN[3] + 1},
}
(POSE_X, POSE_Y, POSE_PHI, POSE_COS, POSE_SIN, POSE_PLANE) = range(6)
POSE_SPACE = 12  # place, then the rotation matrix by rows
POSE_SCRATCH = {2: POSE_PLANE, 3: POSE_SPACE}
COORDINATES = {2: (3, 3), 3: (7, 6)}  # positions, velocities of a body
