"""Where a walk along a path keeps its numbers: `control`, which Python reads and writes, and `room`."""

from __future__ import annotations

# places of control: told and telling
(
    TIME,
    STEP,  # length that is tried next
    WAY,  # 1 where times grow, -1 where they fall
    OUTPUT,  # the next one to be written
    STARTED,
    SLICE,  # tries until Python is asked
    SENSE,  # 1, or -1 where velocities are told the other way round
    FORCES,  # 1 where multipliers are asked for
    IDLE,  # 1 where a freedom is left that nothing drives
    TOLERANCE,  # errors of position that are left
    HISTORY,  # length of the last step, 0 where nothing is known before
    OLDER,  # of the one before it
    PIVOT,  # at y
    MOST_PIVOT,  # so far
    CHOICE_LIMIT,  # of redundant rows others are chosen where the pivot falls below
    END,  # where a dead centre, or a crossing, is
    LEFT,  # how far it was away
    AGREEING,  # steps in a row that tell the same
    UNBALANCED,  # the largest of what multipliers leave of M a - h
    LOADED,  # and of M a - h
    STEPS,
    REJECTED,
    WORST_VIOLATION,
    USED,  # how much of what is allowed the last step needed
    C_SIZE,
) = range(25)

# vectors of room, in this order: z, then n_v numbers each of these, then g, then what was predicted
V00, A00, V0, A0, A1, A_NEW, N_VECTORS = range(7)
