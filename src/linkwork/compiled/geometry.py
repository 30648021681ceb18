"""Frames and measures as the kernels read them."""

from __future__ import annotations

import numpy as np

from linkwork.kernels import layout as at
from linkwork.tape import array, turned

AXIS = {"x": 0, "y": 1, "z": 2}
PAIRS = {"line": at.LINE, "edge": at.EDGE}


def frame_key(frame) -> tuple:
    """What makes two frames one: not their names."""
    return frame.body, frame.position, frame.angle, frame.axis, frame.along


def local_numbers(frame, body, dimension: int) -> tuple:
    """A frame in the kernel's axes of its body (None: ground): place and angle, or place and axes."""
    position = array(frame.position)
    center, axes = (np.zeros(3), np.eye(3)) if body is None else (body.center, body.rotation)
    if dimension == 2:
        return (*(position - center)[:2], frame.angle)
    return (*turned(axes.T, position - center), *(axes.T @ frame.rotation()).T.ravel())


def memory_of(measures) -> tuple[dict, int]:
    """{measure: first slot} of those that remember something, full turns first, and how many slots there are."""
    found = {one: slot for slot, one in enumerate(one for one in measures if one.memory == "turns")}
    end = len(found)
    for one in measures:
        if one.memory == "parameter":
            found[one] = end
            end += one.remembers
    return found, end


def write_geometry(model, frames, measures, bodies, writer) -> None:
    """Write frames {key: (number, frame)} and measures; sizes of the memory must be written before.

    `bodies` are {name: (number, what is known of it)}, with None for the ground.
    """
    dimension = model.dimension
    slots, _ = memory_of(measures)
    numbers = [one.checked_numbers() for one in measures]
    writer.sizes(
        N_FRAMES=len(frames), N_MEASURES=len(measures), N_MEASURE_NUMBERS=sum(len(of_one) for of_one in numbers)
    )
    writer.put(at.T_FRAME_BODY, [bodies[frame.body][0] for _, frame in frames.values()])
    writer.put(at.P_FRAME, [local_numbers(frame, bodies[frame.body][1], dimension) for _, frame in frames.values()])
    place = writer.put(at.P_MEASURE, [value for of_one in numbers for value in of_one])
    pairs: dict = {}
    seen = 0
    table = []
    for k, one in enumerate(measures):
        on, to = (frames[frame_key(frame)][0] for frame in (one.on, one.to))
        slot = model.measure_slot(one)
        code = at.OWN if slot else getattr(at, one.formula.upper())
        shared, opens = 0, -1
        if slot or one.pair:
            read = at.MOTION if slot else PAIRS[one.pair]
            key = (read, on, to, () if read == at.LINE else numbers[k], k if slot else None)
            if key not in pairs:
                pairs[key], opens = seen, read
                seen += at.PAIR_SCRATCH[dimension][read]
            shared = pairs[key]
        table.append(
            (
                code,
                on,
                to,
                shared,
                opens,
                AXIS[getattr(one, "axis", "x")],
                AXIS[getattr(one, "other", "x")],
                slots.get(one, -1),
                one.remembers if one.memory == "parameter" else 0,
                place,
                len(numbers[k]),
                model.measure_address(one),
                0,
            )
        )
        place += len(numbers[k])
    writer.sizes(N_SEEN=seen)
    writer.put(at.T_MEASURE, table)
