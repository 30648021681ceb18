"""Where things are: the header of the integer table `tab`, and the fixed places in the workspace `w`.

All floats of a model are in one vector `p`, all integers in one vector `tab`, all scratch in one vector `w`.  The
first entries of `tab` are sizes and offsets; each name below is the index of its entry.  `P_` offsets point into p,
`T_` offsets into tab, `W_` offsets into w.

| symbol      | word                                                             | shape            |
|-------------|------------------------------------------------------------------|------------------|
| body 0      | ground: zero inverse mass, no coordinates                        |                  |
| dof         | velocity coordinates of a body: 3 in the plane, 6 in space       |                  |
| block       | the gradient of one row with respect to the twist of one body    | dof              |
"""

from __future__ import annotations

import numpy as np

(
    # sizes
    DIMENSION, DOF, N_BODIES, N_Q, N_V, N_Z, N_MEMORY, N_FRAMES, N_MEASURES, N_FUNCTIONS, N_LAWS, N_ROWS, N_BLOCKS,
    N_TERMS, N_UNKNOWNS, SADDLE, N_ASSEMBLY, N_FILL, N_LINKS, N_ENTRIES,
    LOW,  # how far behind a number of the solution its low part is, where it has twice the digits; else 0
    # addresses of the kernels of the set of coordinates, written when a model is run: see `motion`
    A_LOCATE, A_FACTOR, A_SOLVE, A_MOVE, A_RATES, A_SPREAD, A_ADD,
    # integer tables
    T_FRAME_BODY,       # (frames) body of a frame
    T_MEASURE,          # (measures, 6) code, frame on, frame to, axis, other axis, memory slot or -1
    T_MEMORY_MEASURE,   # (memory) measure that owns the slot
    T_FUNCTION,         # (functions, 3) address, first number in p, count
    T_LAW,              # (laws, 10) address, reads first/count, along first/count, numbers first/count, memory f/c, z
    T_READS,            # channel index, or -1 - function index
    T_ALONG,            # channel index
    T_CHANNEL,          # (channels + 1) first term of a channel: what laws read and act along, a sum of measures
    T_CHANNEL_TERM,     # measure of a term
    T_ROW,              # (rows, 4) kind, function index or -1, z slot or -1, nearest whole turn
    T_ROW_TERM,         # (rows + 1) first term of a row
    T_TERM,             # (terms, 3) measure, block of `on` or -1, block of `to` or -1
    T_ROW_BLOCK,        # (rows + 1) first block of a row
    T_BLOCK_BODY,       # (blocks) first coordinate of the body of a block: dof * body
    T_PERMUTATION,      # (unknowns) place in the elimination of: rows (S), or coordinates then rows (saddle point)
    T_COLUMN,           # (unknowns + 1) first entry of a column of L, counted in `factor`
    T_ENTRY_ROW,        # (fill) row, in elimination order, of an entry of L
    T_TARGET,           # update targets of the factorisation, in the order of its loops
    T_ASSEMBLY,         # (assembly, 3) block or entry, block or entry (S) or row (saddle point), target in `factor`
    T_TURNING,          # (n_q + n_v) 1 for a coordinate or speed that turns, 0 for one that shifts
    T_LINK,             # (links + 1, 6) kind, parent, first position, first speed, body or 0, 1 has children + 2 first
    T_BODY_LINK,        # (bodies + 1) link that carries a body
    T_ROW_ENTRY,        # (rows + 1) first entry of a row: a link on the way from its bodies to the root
    T_ENTRY,            # (entries, 3) link, entry of its parent or -1, component of its freedom
    T_BLOCK_ENTRY,      # (blocks) entry of the link that carries the body of a block
    # floats in p
    P_GRAVITY,          # (dof * (bodies + 1)) weight of every body, as force on its coordinates
    P_MASS,             # (dof * (bodies + 1)) diagonal of M
    P_INVERSE_MASS,     # (dof * (bodies + 1)) diagonal of M^-1, zero for ground
    P_ROOT_INVERSE,     # (dof * (bodies + 1)) root of it
    P_MASS_SCALE,       # (dof * (bodies + 1)) what counts as one unit of inertia of that coordinate
    P_LEAST,            # the smallest inertia, against the unit of its coordinate
    P_FRAME,            # plane: (frames, 3) s_l, angle;  space: (frames, 12) s_l and the three axes
    P_ROW,              # (rows, 2) value held, scale
    P_TERM,             # (terms) weight of a measure in its row
    P_CHANNEL,          # weight of a measure in its channel
    P_LENGTH,           # one length of the mechanism
    P_MEASURE,          # (measures) a number of a measure: the radius of a disc
    P_LINK,             # (links + 1, numbers of a link): see the joint kernels
    # workspace
    W_POSE,             # plane: (bodies + 1, 5) x, y, phi, cos, sin; space: (bodies + 1, 12) r and rotation matrix
    W_TWIST,            # (bodies + 1, dof)
    W_FRAME,            # plane: (frames, 8); space: (frames, 24)
    W_VALUE,            # (measures)
    W_RATE,             # (measures)
    W_BIAS,             # (measures) J-dot v
    W_GRADIENT,         # (measures, 2 dof) with respect to the twists of `on` and `to`
    W_MEMORY,           # (memory) angles that full turns are counted from, or turns to add; then the memory of laws
    W_TURNED,           # (memory) the same angles at the state evaluated last, and what laws wrote there
    W_SWING,            # (memory) their rates: no step may turn them by more than a part of a turn
    W_FUNCTION,         # (functions, 3)
    W_READ,             # (2 * most readings of a law)
    W_OUT,              # (along entries) force of every law along its measures, each law between two guards
    W_APPLIED,          # (dof * (bodies + 1)) applied force, ground included
    W_PHI,              # (rows)
    W_NU,               # (rows)
    W_GAMMA,            # (rows)
    W_HELD,             # (rows) 1 held, 0 dropped or released
    W_BLOCK,            # (blocks, dof) J
    W_SCALED,           # (blocks, dof) J M^-1/2
    W_LAMBDA,           # (rows)
    W_ACCELERATION,     # (dof * (bodies + 1))
    W_FACTOR,           # (unknowns + fill) diagonal first, then columns of L
    W_SCALE,            # (unknowns) size of the diagonal before elimination
    W_UNKNOWN,          # (unknowns)
    W_RESIDUAL,         # (unknowns)
    W_STEP,             # (dof * (bodies + 1))
    W_LINK,             # (links + 1, scratch of a link): see the joint kernels
    W_PUSH,             # (entries, dof + 1) wrench of a row on its way to the root, and its part along the step
    W_PULL,             # (links + 1, 3) forces of the rows along the steps of the tree, with twice the digits
    W_CHANGE,           # (n_v) accelerations of the coordinates, or the step of a projection
    HEADER,             # length of the header
) = range(98)

# the first entries of the workspace
(STATUS, CULPRIT, PIVOT, RESIDUAL, PROJECT_TOLERANCE, PROJECT_COUNT, ERROR_POSITION, ERROR_VELOCITY, EVALUATIONS,
 BULK, ERROR_DROPPED, PLAIN, TIME_FAILED, DETAIL, KNOWN, RIGHT, W_FIXED) = range(17)

# what STATUS says
(OK, LAW_FAILED, CONFLICT, NOT_PROJECTED, FUNCTION_FAILED, STEP_TOO_SMALL, NO_INERTIA, TURNS_LOST, NOT_FINITE,
 ENDS_MEET, WROTE_BEYOND) = range(11)

# measures
WORLD_OFFSET, OFFSET, ALIGNMENT, ANGLE, DIRECTION, DISTANCE, SLIP, GAP, EDGE_SLIP, SPIN = range(10)

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

MEASURE_COLUMNS = 6
LAW_COLUMNS = 10
ROW_COLUMNS = 4
LINK_COLUMNS = 6
LINK_NUMBERS = {2: 13, 3: 42}
LINK_SCRATCH = {2: 34, 3: 88}
FRAME_SCRATCH = {2: 9, 3: 24}
POSE_PLANE, POSE_SPACE = 5, 12
POSE_SCRATCH = {2: POSE_PLANE, 3: POSE_SPACE}
COORDINATES = {2: (3, 3), 3: (7, 6)}  # positions, velocities of a body


class Table:
    """Collects sections of one flat vector and remembers where each begins."""

    def __init__(self, kind, reserved: int = 0):
        self.kind = kind
        self.parts: list[np.ndarray] = []
        self.size = reserved

    def add(self, values) -> int:
        values = np.ascontiguousarray(values, dtype=self.kind).ravel()
        first = self.size
        self.parts.append(values)
        self.size += values.size
        return first

    def reserve(self, count: int) -> int:
        return self.add(np.zeros(count, dtype=self.kind))

    def vector(self) -> np.ndarray:
        return np.concatenate(self.parts) if self.parts else np.zeros(0, dtype=self.kind)
