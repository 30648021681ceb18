"""Where a run keeps what the time loop is told and tells: places in two vectors that live as long as the run.

`run` (floats) begins with what Python reads and writes; behind it are vectors, whose places are in `count` (integers).
`count` begins with counters; addresses and places stand behind them, then what the stepper has of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from linkwork.kernels.plain import MARK, PLAIN

# run
(
    TIME,  # of the last accepted state
    END,
    STEP,  # length that is tried next
    TOLERANCE,  # of the estimates of errors
    ABSOLUTE,
    FIRST_PIVOT,
    ZONE,  # pivots below this part of the first one: a singular position is near
    WORST_VIOLATION,
    SMALLEST_PIVOT,  # at the last accepted state
    LENGTH,
    SPEED_FLOOR,
    TURN_FLOOR,
    ERROR_BEFORE,  # of the last accepted step
    CHOICE_LIMIT,  # of redundant rows others are chosen where the smallest pivot falls below
    ENERGY,
    BEGIN,
    START_PIVOT,  # at the state that the run began with
    USUAL_STEP,  # the last step that was taken away from a singular position
    TRIED,  # the length of the step that is being tried
    LOWEST,  # the smallest pivot in it
    END_PIVOT,  # the pivot at its end
    TURNING,  # the fastest rate in it of an angle whose turns are counted
    ERROR,  # its error, allowed are up to 1
    RUNAWAY,  # when speeds grow beyond all bounds, as told by the last accepted step
    RUNAWAY_LEFT,  # and the time that was left until then
    HOLD_STEP,  # the length that Baumgarte's constants follow
    EVENT_TIME,
    LONGEST,  # the first step after an event, or 0 for any length
    LEAST_GROWTH,  # a step that would grow by less keeps its length
    STIFF_LIMIT,  # where the stepper tells whether another one would serve better; 0 where nobody asks
    LENGTH_BEFORE,  # of the last accepted step, or 0
    JUMP_TIME,  # of the first step in which a law jumps
    C_FLOATS,
) = range(33)

# count: what is counted and told
(
    STEPS,
    REJECTED,
    SLICE,  # tries until Python is asked
    OUTPUT,  # the next one to be written
    FIXED,  # 1 for steps of one length
    STARTED,
    PROJECT,  # ROWS where states are put back on the constraints, TURNS where only orientations are kept at length one
    STAGES_PROJECTED,
    ORDER,
    STEP_INDEX,
    STEP_TOTAL,
    RETRY,  # of this step, at other lengths
    STALLS,  # rejections in a row beside a singular position
    CRAWL,  # steps in a row beside one that are far shorter than the usual one
    WAS_REJECTED,  # 1 where this step was tried with another length before
    NEAR,  # 1 beside a singular position
    FINAL,  # 1 where the step that is being tried ends at END
    DENSE_READY,  # 1 where the polynomial of this step is there
    RUNNING_AWAY,  # steps in a row that tell the same end of all bounds
    EACH_STEP,  # 1 where every step is an output
    FOLLOW,  # 1 where Baumgarte's constants follow the steps
    INSIDE,  # 1 where a step is accepted, and more events may be in it
    FOUND,  # events that happen now
    CUT,  # 1 where they interrupt the motion
    BEGUN,  # 1 where a run, or a piece of it, has just begun: what a stepper knows of steps before is void
    HINTS,  # steps in a row that roughly tell the same end of all bounds
    HITS,  # steps that told of another method
    MISSES,  # steps in a row since that did not
    CORNERED,  # 1 where a law begins to act, or ceases to, in the step that is being tried
    TURNED,  # 1 where that was so in an accepted step: what a stepper knows of the slopes of laws is void
    REFUSED,  # tries that were not taken, less the steps since: see `jumps`
    JUMPS,  # steps in which a law jumps
    JUMPED,  # the first such law, counted from 1
    C_INTEGERS,
) = range(34)

# what PROJECT says
NOTHING, ROWS, TURNS = range(3)

# count: addresses of kernels, sizes, places in run
(
    A_RHS,
    A_PROJECT,
    A_ATTEMPT,
    A_ESTIMATE,
    A_DENSE,
    A_STIFF,
    A_WATCH,  # where there are events, else 0: `events.begin`
    A_SEARCH,  # and `events.search`
    WATCH,  # where in count the header of `watches` is
    N_STATE,  # numbers of a state
    DEGREE,  # of the polynomial inside a step
    R_SLOPE,  # f at the last accepted state
    R_SLOPE_NEW,  # f at the end of the step
    R_NEW,  # the end of the step
    R_ERROR,
    R_ERROR_LOW,  # a second estimate, or zeros
    R_SCALE,
    R_LARGEST,  # the largest size of every state of laws so far
    R_KEPT,  # memory as this step leaves it
    R_ACTED,  # which forces of laws were not zero at the last accepted state, or -1 where nobody looked
    R_BETWEEN,  # a state inside the step
    R_POWERS,  # coefficients of the polynomial, n for every power of theta
    R_READ,  # what laws read at both ends of a step that is looked at for jumps
    R_FORCES,  # their forces at two places in it, and between them
    OWN,  # of the stepper, from here on
) = range(C_INTEGERS, C_INTEGERS + 25)


class Sizes(NamedTuple):
    """What the room for a run depends on: numbers of a state and of its memory, and what the state consists of."""

    state: int
    memory: int
    states: int  # of laws
    positions: int
    speeds: int
    works: int
    channels: int
    along: int  # forces of laws, and what stands between them
    reads: int  # what laws read
    shares: int  # by which bodies are told by points


class Room:
    """Vectors on their way into `run`, and their places on their way into `count`."""

    def __init__(self, own: int):
        self.count = np.zeros(OWN + own, dtype=np.int64)
        self._parts: list[np.ndarray] = [np.zeros(C_FLOATS)]
        self._end = C_FLOATS

    def put(self, place: int, numbers) -> int:
        """Numbers, or zeros where a count is given; returns where they begin in `run`."""
        values = np.zeros(numbers) if isinstance(numbers, int) else np.array(numbers, dtype=float).ravel()
        mark = [np.array([MARK]).view(np.float64)] if PLAIN else []  # no kernel may touch what is behind
        self.count[place] = first = self._end
        self._parts += [values, *mark]
        self._end += values.size + len(mark)
        return first

    @property
    def run(self) -> np.ndarray:
        """The floats."""
        return np.concatenate(self._parts)


def made_room(stepper, addresses, sizes: Sizes, tables) -> tuple[np.ndarray, np.ndarray]:
    """`run` and `count` of a stepper for states of these sizes."""
    n = sizes.state
    room = Room(stepper.OWN_PLACES)
    room.count[A_RHS : A_STIFF + 1] = addresses
    room.count[N_STATE] = n
    for place, size in (
        (R_NEW, n),
        (R_ERROR, n),
        (R_ERROR_LOW, n),
        (R_SCALE, n),
        (R_LARGEST, sizes.states),
        (R_KEPT, sizes.memory),
        (R_ACTED, sizes.along),
        (R_BETWEEN, n),
        (R_READ, 4 * sizes.reads),
        (R_FORCES, 3 * sizes.along),
    ):
        room.put(place, size)
    stepper.arrange(room, sizes, tables)
    room.put(R_POWERS, int(room.count[DEGREE]) * n)
    return room.run, room.count
