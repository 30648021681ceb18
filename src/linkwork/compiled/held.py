"""What the rows of a planar joint hold, as far as points can meet it."""

from __future__ import annotations

from typing import Any, NamedTuple

from linkwork.compiled.groups import known_of


class Held(NamedTuple):
    """A pin and an angle, with their rows."""

    frames: tuple[Any, Any] | None  # whose origins are together
    pins: tuple[int, ...]
    angle: Any  # the measure that is held at a number
    value: float
    turn: int  # its row, or -1
    all_of_it: bool  # the joint holds nothing else


def held_by(model, rows: list[int]) -> Held:
    """What the rows of a joint hold together at numbers that are known."""
    known = known_of(model, rows)
    pins = {one.axis: (r, one) for r, one in known.items() if one.along == "world" and model.rows[r].value == 0.0}
    frames = None
    if set(pins) == {"x", "y"} and pins["x"][1].on == pins["y"][1].on and pins["x"][1].to == pins["y"][1].to:
        frames = pins["x"][1].on, pins["x"][1].to
    turns = [(r, one) for r, one in known.items() if one.is_turn]
    turn, angle = turns[0] if len(turns) == 1 else (-1, None)
    numbers = tuple(r for r, _ in pins.values()) if frames else ()
    whole = frames is not None and angle is not None and (angle.on, angle.to) == frames and len(rows) == 3
    return Held(frames, numbers, angle, 0.0 if angle is None else float(model.rows[turn].value), turn, whole)
