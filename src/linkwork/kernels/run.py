"""Where a run keeps what the time loop is told and tells: places in two vectors that live as long as the run."""

# control, floats: what the kernel is told, what it tells, and what it carries from one slice into the next
(
    TIME,
    END,
    STEP,
    TOLERANCE,
    ABSOLUTE,
    FIRST_PIVOT,
    ZONE,
    WORST_VIOLATION,
    SMALLEST_PIVOT,
    LENGTH,
    SPEED_FLOOR,
    TURN_FLOOR,
    ERROR_BEFORE,
    CHOICE_LIMIT,
    ENERGY,
    BEGIN,
    START_PIVOT,  # at the state that the run began with
    USUAL_STEP,  # the last step that was taken away from a singular position
    C_FLOATS,
) = range(19)
# control, integers
(
    STEPS,
    REJECTED,
    SLICE,
    OUTPUT,
    FIXED,
    STARTED,
    PROJECT,
    STAGES_PROJECTED,
    ORDER,
    STEP_INDEX,
    STEP_TOTAL,
    RETRY,  # of this step, at other lengths
    STALLS,  # rejections in a row beside a singular position
    CRAWL,  # steps in a row beside one that are far shorter than the usual one
    WAS_REJECTED,  # 1 where this step was tried with another length before
    NEAR,  # 1 beside a singular position
    C_INTEGERS,
) = range(17)
